#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's cli.py of tools/net/ynl drives every command of the netlink family fc2.

usage: fc_ynl.py CLI SPEC

Runs in namespace a of the tests, with veth0 there and veth1 in b; veth1 has a port.  Ends with
a test that every message of the specification has been seen.
"""

import errno
import ipaddress
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'st'))
import ynl      # noqa: E402
from ynl import IN_B, do, dump, equal, refused, result      # noqa: E402

SECOND = 0x2001000000000001
OWN, OTHER = '10.3.0.1', '10.3.0.2'


def in_b(*command):
    """What a command in b prints."""
    return subprocess.run([*IN_B, *command], check=True, stdout=subprocess.PIPE).stdout


def v4_mapped(text):
    """The attribute of an address of IPv4."""
    return str(ipaddress.IPv6Address(f'::ffff:{text}'))


def until(process, *names):
    """The first event of each name; others are left out."""
    found = {}
    while len(found) < len(names):
        event = ynl.next_event(process)
        if not event:
            break
        if event['name'] in names:
            found.setdefault(event['name'], event['msg'])
    return found


def ports():
    """Ports come, are changed, and go.  Returns the index of the device, and its only port."""
    with open('/sys/class/net/veth0/ifindex', encoding='ascii') as file:
        ifindex = int(file.read())
    result('no port', refused(errno.ENOENT, 'has no port', 'port-get', ifindex=ifindex))
    result('no device', refused(errno.ENODEV, 'no device', 'port-add', ifindex=9999))
    result('no name', refused(errno.EINVAL, 'wwpn: found', 'port-add', ifindex=ifindex, wwpn=1))
    with ynl.listens('events') as process:
        result('a port is made', equal(do('port-add', ifindex=ifindex, wwpn=SECOND, ordered=0), None))
        result('and changed', equal(do('port-set', ifindex=ifindex, r_a_tov=6000), None))
        port = do('port-get', ifindex=ifindex)
        result('and shown', equal([port[name] for name in ('ifname', 'wwpn', 'r-a-tov', 'ordered',
                                                           'mode')],
                                  ['veth0', SECOND, 6000, 0, 'vn2vn']))
        result('and deleted', equal(do('port-del', ifindex=ifindex), None))
        found = until(process, 'port-add-ntf', 'port-change-ntf', 'port-del-ntf')
    result('which is told', equal(len(found), 3))
    return ifindex


def others(ifindex):
    """Both ports find each other.  Returns the N_Port ID of the other one."""
    with ynl.listens('events') as process:
        do('port-add', ifindex=ifindex)
        found = until(process, 'neighbour-new-ntf', 'login-ntf')
        result('they find each other', equal(len(found), 2))
        other = found['login-ntf']['id']
        neighbour, = dump('neighbour-get', ifindex=ifindex)
        remote, = dump('remote-get', ifindex=ifindex)
        result('a neighbour', equal([neighbour[name] for name in ('id', 'fcoe-size')],
                                    [other, 2158]) and neighbour['age'] < 20000)
        result('a remote port', equal([remote[name] for name in ('id', 'login', 'mfs')],
                                      [other, 'up', 2112]) and 'seq-cnt' in remote)
        result('logout', equal(do('logout', ifindex=ifindex, id=other), None))
        result('is told', 'logout-ntf' in until(process, 'logout-ntf'))
        result('login', equal(do('login', ifindex=ifindex, id=other), None))
        result('is told, too', 'login-ntf' in until(process, 'login-ntf'))
        result('no such port', refused(errno.ENXIO, 'no remote port', 'login', ifindex=ifindex, id=7))
        echo = do('echo', ifindex=ifindex, id=other, size=100)
        result('ECHO', equal([echo['id'], echo['size']], [other, 100]) and echo['time'] > 0)
        errors = do('link-errors-get', ifindex=ifindex, id=other)
        result('RLS', equal(errors['id'], other) and 'fcs-errors' in errors)
        addresses(ifindex, other)
        in_b('fcport', 'delete', 'veth1')
        result('it goes', 'neighbour-gone-ntf' in until(process, 'neighbour-gone-ntf'))


def addresses(ifindex, other):
    """FARP."""
    subprocess.run(['ip', 'addr', 'add', OWN + '/24', 'dev', 'veth0'], check=True)
    in_b('ip', 'addr', 'add', OTHER + '/24', 'dev', 'veth1')

    def resolved():
        try:
            return do('resolve', ifindex=ifindex, ip=v4_mapped(OTHER))
        except ynl.Refused:
            return None

    found = ynl.wait_for(resolved)
    result('an address', found and equal(found['id'], other))
    entry, = dump('farp-get', ifindex=ifindex)
    result('and the cache', equal([entry['id'], ipaddress.ip_address(entry['ip'])],
                                  [other, ipaddress.ip_address(v4_mapped(OTHER))]))


def counters(ifindex):
    """All of them, by name."""
    one = do('counters-get', ifindex=ifindex)
    result('counters', len(one['counter']) > 50 and
           equal([counter['name'] for counter in one['counter']][:2], ['rx_frames', 'rx_bytes']))
    result('no switch', equal(dump('fcf-get', ifindex=ifindex), []))
    result('of all ports', equal(len(dump('counters-get')), 1) and equal(len(dump('port-get')), 1))


def main():
    """All of it."""
    ifindex = ports()
    others(ifindex)
    counters(ifindex)
    ynl.all_seen()
    return ynl.finish()


if __name__ == '__main__':
    sys.exit(main())
