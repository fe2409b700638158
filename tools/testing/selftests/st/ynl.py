#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's cli.py of tools/net/ynl drives every command of the netlink family st.

usage: ynl.py CLI SPEC

Runs in namespace a of the tests, with hip0 there and hip1 in b.  cli.py runs in this
process, as its start takes longer than what it does.  Ends with a test that every message
of the specification has been seen.
"""

import contextlib
import errno
import importlib.util
import io
import json
import os
import select
import signal
import subprocess
import sys
import time

import yaml

CLI, SPEC = sys.argv[1:]
PORT = 6400
SOON = 20       # seconds
IN_B = ['ip', 'netns', 'exec', 'b']

module = importlib.util.spec_from_file_location('cli', CLI)
cli = importlib.util.module_from_spec(module)
module.loader.exec_module(cli)

seen = set()    # (name, kind) of what was driven
count = 0
failures = 0


class Refused(Exception):
    """What cli.py says of a refusal."""


def arguments(*args):
    """What cli.py is started with."""
    return [CLI, '--spec', SPEC, '--no-schema', '--output-json', *args]


def run(kind, name, attrs=None, *more):
    """The lines that cli.py prints, as values."""
    out = io.StringIO()
    before, sys.argv = sys.argv, arguments('--' + kind, name, '--json', json.dumps(attrs or {}),
                                           *more)
    seen.add((name, kind))
    try:
        with contextlib.redirect_stdout(out):
            cli.main()
    except SystemExit as end:
        raise Refused(out.getvalue()) from end
    finally:
        sys.argv = before
    return [json.loads(line) for line in out.getvalue().splitlines()]


def do(name, **attrs):
    """The reply to a request."""
    return run('do', name, {k.replace('_', '-'): v for k, v in attrs.items()})[0]


def dump(name, **attrs):
    """The replies to a dump."""
    return run('dump', name, {k.replace('_', '-'): v for k, v in attrs.items()})[0]


def refused(number, reason, name, **attrs):
    """Whether a request fails with this errno and this reason."""
    try:
        found = do(name, **attrs)
    except Refused as error:
        found = str(error)
        if reason in found and os.strerror(number) in found:
            return True
    print(f'# {name}: found {found!r}, expected {os.strerror(number)!r} and {reason!r}')
    return False


def result(what, well):
    """A line of TAP."""
    global count, failures
    count += 1
    failures += not well
    print(f'{"ok" if well else "not ok"} {count} - {what}', flush=True)


def equal(found, expected):
    """Whether they are, or else what they are."""
    if found != expected:
        print(f'# found {found!r}, expected {expected!r}')
    return found == expected


def wait_for(condition):
    """The first true value of a function, or its last."""
    end = time.monotonic() + SOON
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return value


def address_of(netns, dev):
    """The address of a device."""
    links = subprocess.run(['ip', '-n', netns, '-j', 'link', 'show', dev], check=True,
                           stdout=subprocess.PIPE).stdout
    return json.loads(links)[0]['address']


class Connection:
    """stcat at both ends; the one in b waits to be read."""

    def __init__(self):
        self.receiver = subprocess.Popen([*IN_B, 'stcat', '-l', '-i', 'hip1', '-p', str(PORT)],
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            ports = subprocess.run([*IN_B, 'ststat', 'port'], stdout=subprocess.PIPE,
                                   check=True).stdout
            if b'listening' in ports:
                break
        self.sender = subprocess.Popen(['stcat', '-i', 'hip0', '-b', '16M',
                                        address_of('b', 'hip1'), str(PORT)],
                                       stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def end(self):
        """Both end; whatever they say of it."""
        self.receiver.kill()
        self.sender.kill()
        for process in self.receiver, self.sender:
            process.communicate()


def established():
    """The only one that is, or None."""
    vcs = [vc for vc in dump('vc-get', remote_port=PORT) if vc['state'] == 'established']
    return vcs[0] if len(vcs) == 1 else None


def links(hip0):
    """Commands about links.  Returns its number."""
    all_links = dump('link-get')
    result('a dump of links', equal([link['ifname'] for link in all_links], ['hip0']))
    ifindex = all_links[0]['ifindex']
    link = do('link-get', ifindex=ifindex, llp='hippi6400')
    result('one link', equal(link, all_links[0]) and equal(link['address'], hip0) and
           equal(link['state'], 'up') and len(link['channel']) == 3)
    result('no such link', refused(errno.ENOENT, 'no link of this LLP', 'link-get', ifindex=ifindex,
                                   llp='ethernet'))
    told = run('do', 'link-del', {'ifindex': ifindex, 'llp': 'hippi6400'}, '--subscribe', 'mgmt',
               '--duration', '1')
    seen.add(('link-del-ntf', 'event'))
    result('a link is taken away, which is told',
           equal([msg['name'] for msg in told if msg], ['link-del-ntf']))
    told = run('do', 'link-add', {'ifindex': ifindex, 'llp': 'hippi6400'}, '--subscribe', 'mgmt',
               '--duration', '1')
    seen.add(('link-add-ntf', 'event'))
    result('a link is added, which is told',
           equal([msg['name'] for msg in told if msg][:1], ['link-add-ntf']))
    result('not twice', refused(errno.EEXIST, 'has a link of LLP', 'link-add', ifindex=ifindex,
                                llp='hippi6400'))
    result('not where no device is', refused(errno.ENODEV, 'no device', 'link-add', ifindex=9999,
                                             llp='hippi6400'))
    return ifindex


def joined(pid):
    """Whether a process is in a group of generic netlink."""
    with open('/proc/net/netlink', encoding='ascii') as table:
        for line in table.readlines()[1:]:
            _, eth, portid, groups, *_ = line.split()
            if int(eth) == 16 and int(portid) == pid and int(groups, 16):
                return True
    return False


@contextlib.contextmanager
def listens(group):
    """cli.py that prints the events of a group; next_event() sees none that is in a buffer here."""
    process = subprocess.Popen([sys.executable, '-u', *arguments('--subscribe', group)],
                               stdout=subprocess.PIPE, bufsize=0)
    wait_for(lambda: joined(process.pid))
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def next_event(process):
    """What it prints next, or None."""
    if not select.select([process.stdout], [], [], SOON)[0]:
        return None
    event = json.loads(process.stdout.readline())
    seen.add((event['name'], 'event'))
    return event


def link_changes():
    """The device goes down and up."""
    with listens('mgmt') as process:
        subprocess.run(['ip', 'link', 'set', 'hip0', 'down'], check=True)
        event = next_event(process)
        subprocess.run(['ip', 'link', 'set', 'hip0', 'up'], check=True)
    result('a link changes', event and equal(event['name'], 'link-change-ntf') and
           equal(event['msg']['state'], 'down'))
    wait_for(lambda: dump('link-get')[0]['state'] == 'up')


def connection(ifindex, hip1):
    """Commands about a Virtual Connection and its Transfer, until it is ended."""
    with listens('vc') as process:
        both = Connection()
        event = next_event(process)
        result('a connection is told', event and
               equal(event['name'], 'vc-established-ntf') and
               equal(event['msg']['remote-port'], PORT))
        cookie = event['msg']['cookie']
        vc = do('vc-get', cookie=cookie)
        result('the connection', equal(vc['cookie'], cookie) and equal(vc['ifindex'], ifindex) and
               equal(vc['remote-address'], hip1) and equal(vc['uid'], 0) and vc['rtt'] > 0 and
               'local-key' in vc and vc['op-timeout'] >= 200000)
        for filters in ({'cookie': cookie}, {'local_port': vc['local-port']},
                        {'remote_port': PORT}, {'ifindex': ifindex}, {'remote_address': hip1},
                        {'uid': 0}, {'uid': 0, 'remote_address': hip1, 'cookie': cookie}):
            result(f'selected by {", ".join(filters)}',
                   equal([found['cookie'] for found in dump('vc-get', **filters)], [cookie]))
        result('another user has none', equal(dump('vc-get', uid=1), []))
        result('no such cookie', refused(errno.ENOENT, 'no Virtual Connection', 'vc-get', cookie=1 << 40))
        ports(vc['local-port'])
        transfer(both, cookie)
        result('the connection is ended', equal(do('vc-del', cookie=cookie), None))
        event = next_event(process)
        result('which is told', event and equal(event['name'], 'vc-end-ntf') and
               equal(event['msg']['error'], errno.ECONNABORTED))
        result('it is gone', refused(errno.ENOENT, 'no Virtual Connection', 'vc-del', cookie=cookie))
        both.end()


def ports(number):
    """Commands about Ports."""
    port = do('port-get', port=number)
    result('a Port', equal(port['port'], number) and equal(port['sockets'], 1) and
           equal(port['errors']['cksum'], 0))
    result('a dump of Ports', equal(dump('port-get', port=number, uid=0), [port]))
    result('no such Port', refused(errno.ENOENT, 'not in use', 'port-get', port=1))


def transfer(both, cookie):
    """One that stands still half way, as nobody reads."""
    both.receiver.send_signal(signal.SIGSTOP)
    both.sender.stdin.write(bytes(16 << 20))
    both.sender.stdin.flush()
    found = wait_for(lambda: dump('transfer-get', cookie=cookie))
    result('a dump of Transfers', equal(len(found), 1) and equal(found[0]['direction'], 'send') and
           equal(found[0]['length'], 16 << 20))
    one = do('transfer-get', cookie=cookie, id=found[0]['id'])
    result('one Transfer', equal(one['id'], found[0]['id']) and equal(one['cookie'], cookie))
    result('no such Transfer', refused(errno.ENOENT, 'no such Transfer', 'transfer-get', cookie=cookie,
                                       id=found[0]['id'] + 1000))
    both.receiver.send_signal(signal.SIGCONT)


def regions():
    """Memory that b lends and a uses."""
    lender = subprocess.Popen([*IN_B, 'stmem', 'expose', '-i', 'hip1', '-p', '6401', '-s', '8K'],
                              stdout=subprocess.DEVNULL)
    wait_for(lambda: b'6401' in subprocess.run([*IN_B, 'ststat', 'port'], check=True,
                                               stdout=subprocess.PIPE).stdout)
    user = subprocess.Popen(['stmem', 'fetch', '-i', 'hip0', '-O', '8', '-n', '1000000000',
                             address_of('b', 'hip1'), '6401'], stdout=subprocess.DEVNULL)
    found = wait_for(lambda: [region for region in dump('region-get', remote_port=6401)
                              if region['state'] == 'granted'])
    result('a dump of regions', equal(len(found), 1) and equal(found[0]['kind'], 'borrowed'))
    one = do('region-get', cookie=found[0]['cookie'], id=found[0]['id'])
    result('one region', equal(one['id'], found[0]['id']) and equal(one['size'], 16))
    result('no such region', refused(errno.ENOENT, 'no such region', 'region-get',
                                     cookie=found[0]['cookie'], id=found[0]['id'] + 1))
    for process in user, lender:
        process.kill()
        process.wait()


def hosts(ifindex, hip1):
    """Commands about striped addresses."""
    def addresses(*text):
        return [{'ifindex': ifindex, 'llp': 'hippi6400', 'address': one} for one in text]

    def texts(*text):
        return [{'ifindex': ifindex, 'llp': 'hippi6400', 'address-text': one} for one in text]

    others = '02:11:00:00:00:01', '02:11:00:00:00:02'
    host = addresses(hip1, *others)
    shown = [bytes_of | text_of for bytes_of, text_of in zip(host, texts(hip1, *others))]
    result('a host', equal(do('stripe-add', address=host), None))
    result('a dump of hosts', equal(dump('stripe-get'), [{'address': shown}]))
    result('one host', equal(do('stripe-get', address=addresses(others[1])), {'address': shown}))
    result('one host by its text',
           equal(do('stripe-get', address=texts(others[1])), {'address': shown}))
    result('bytes and text', refused(errno.EINVAL, 'not both', 'stripe-get', address=shown[:1]))
    result('no text of an address', refused(errno.EINVAL, 'of kind mac', 'stripe-get',
                                            address=texts('02:11:00:00:00')))
    result('not twice', refused(errno.EEXIST, 'address 2 is known', 'stripe-add',
                                address=addresses('02:11:00:00:00:03', others[0])))
    result('the host is forgotten',
           equal(do('stripe-del', address=addresses(others[0])), None) and
           equal(dump('stripe-get'), []))
    result('no such host', refused(errno.ENOENT, 'no host', 'stripe-del', address=addresses(hip1)))


def addresses_of_a_link(ifindex, hip1):
    """Text of an address, its bytes, and back."""
    got = do('address-get', ifindex=ifindex, text=hip1.upper())
    result('the address of a text', equal(got['address'], hip1) and equal(got['text'], hip1) and
           equal(got['llp'], 'hippi6400') and equal(got['ifindex'], ifindex))
    result('the text of an address',
           equal(do('address-get', ifindex=ifindex, address=hip1)['text'], hip1))
    result('neither', refused(errno.EINVAL, 'mac', 'address-get', ifindex=ifindex, text='02:11'))


def all_seen():
    """The last test."""
    with open(SPEC, encoding='utf-8') as file:
        spec = yaml.safe_load(file)
    expected = {(op['name'], 'event' if kind == 'notify' else kind)
                for op in spec['operations']['list']
                for kind in ('do', 'dump', 'event', 'notify') if kind in op}
    result('every message of the specification was driven', equal(seen, expected))


def finish():
    """The plan of TAP.  Returns the exit status."""
    print(f'1..{count}')
    return int(failures != 0)


def main():
    """All of it."""
    hip0, hip1 = address_of('a', 'hip0'), address_of('b', 'hip1')
    ifindex = links(hip0)
    wait_for(lambda: dump('link-get')[0]['state'] == 'up')
    link_changes()
    connection(ifindex, hip1)
    regions()
    hosts(ifindex, hip1)
    addresses_of_a_link(ifindex, hip1)
    counters = do('counters-get')
    result('counters', equal(len(counters['drops']), 17) and equal(len(counters['errors']), 20))
    all_seen()
    return finish()


if __name__ == '__main__':
    sys.exit(main())
