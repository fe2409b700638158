#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's cli.py of tools/net/ynl drives every command of the netlink family hippi.

usage: hippi_ynl.py CLI SPEC

Runs in namespace a of the tests, with the port hfp0 over veth0 there.  Ends with a test that every
message of the specification has been seen.
"""

import errno
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'st'))
import ynl      # noqa: E402
from ynl import do, dump, equal, refused, result      # noqa: E402


def link(*words):
    """ip link."""
    subprocess.run(['ip', 'link', *words], check=True)


def index_of(dev):
    """The interface index of a device."""
    with open(f'/sys/class/net/{dev}/ifindex', encoding='ascii') as file:
        return int(file.read())


def ports(ifindex):
    """Ports."""
    expected = {'ifindex': ifindex, 'ifname': 'hfp0', 'lower-ifindex': index_of('veth0'),
                'lower-ifname': 'veth0', 'carrier': 'ethernet', 'address': '02:00:00:00:00:01',
                'packet-max': 1496, 'mtu': 1456}
    result('a port', equal(do('port-get', ifindex=ifindex), expected))
    result('all ports', equal(dump('port-get'), [expected]))
    result('one of them', equal(dump('port-get', ifindex=ifindex), [expected]))
    result('no device', refused(errno.ENODEV, 'no device', 'port-get', ifindex=9999))
    result('no port', refused(errno.EOPNOTSUPP, 'found veth0', 'port-get',
                              ifindex=index_of('veth0')))


def counters(ifindex):
    """Counters."""
    found = do('counters-get', ifindex=ifindex)
    result('counters', equal([found['ifindex'], found['ifname'], len(found['counter'])],
                             [ifindex, 'hfp0', 12]) and
           equal(found['counter'][0], {'name': 'rx_short', 'value': 0}))
    result('of all ports', equal(dump('counters-get'), [found]))
    result('and of no device', refused(errno.ENODEV, 'no device', 'counters-get', ifindex=9999))


def events(ifindex):
    """What happens to ports."""
    with ynl.listens('ports') as process:
        link('set', 'hfp0', 'mtu', '1000')
        event = ynl.next_event(process)
        result('a change', event and equal(event['name'], 'port-change-ntf') and
               equal([event['msg'][name] for name in ('ifindex', 'mtu')], [ifindex, 1000]))
        link('add', 'hfp1', 'link', 'veth1', 'type', 'hippi_fp')
        event = ynl.next_event(process)
        result('a new port', event and equal(event['name'], 'port-add-ntf') and
               equal(event['msg']['lower-ifname'], 'veth1'))
        link('del', 'hfp1')
        event = ynl.next_event(process)
        result('has gone', event and equal(event['name'], 'port-del-ntf') and
               equal(event['msg']['ifname'], 'hfp1'))


def main():
    """All of it."""
    ifindex = index_of('hfp0')
    ports(ifindex)
    counters(ifindex)
    events(ifindex)
    ynl.all_seen()
    return ynl.finish()


if __name__ == '__main__':
    sys.exit(main())
