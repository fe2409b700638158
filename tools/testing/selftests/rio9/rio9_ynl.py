#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's cli.py of tools/net/ynl drives every command of the netlink family rio9.

usage: rio9_ynl.py CLI SPEC

Runs in namespace a of the tests, with rio0 there, the endpoint 1, and rio1, the endpoint 2,
in b.  Ends with a test that every message of the specification has been seen.
"""

import errno
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'st'))
import ynl      # noqa: E402
from ynl import IN_B, do, dump, equal, refused, result      # noqa: E402

MESSAGE = {'peer': 2, 'stream': 0x1234, 'cos': 43, 'op': 3, 'wildcard': 0, 'mask': 0,
           'param1': 170, 'param2': 85}


def ports():
    """Ports and their settings.  Returns the index of the device."""
    port, = dump('port-get')
    ifindex = port['ifindex']
    result('a port', equal([port[name] for name in ('ifname', 'id', 'id-bits', 'mtu', 'tm-mode')],
                           ['rio0', 1, 8, 256, 'disabled']) and
           equal(set(port['tm-types']), {'basic', 'rate', 'credit'}) and
           equal(port['obey-any'], 1) and 'carrier' in port and
           equal(port['counter'][0], {'name': 'rx_pdus', 'value': 0}))
    result('settings', equal(do('port-set', ifindex=ifindex, mtu=64, tm_mode='basic', obey_any=0,
                                map='05030107'), None))
    port = do('port-get', ifindex=ifindex)
    result('are shown', equal([port[name] for name in ('mtu', 'tm-mode', 'obey-any')],
                              [64, 'basic', 0]))
    result('no MTU', refused(errno.EINVAL, 'mtu: found 30', 'port-set', ifindex=ifindex, mtu=30))
    result('no device', refused(errno.ENODEV, 'no device', 'port-get', ifindex=9999))
    return ifindex


def peers(ifindex):
    """Peers come and go."""
    result('a peer is added', equal(do('peer-add', ifindex=ifindex, id=9), None))
    result('and shown', equal(do('peer-get', ifindex=ifindex, id=9),
                              {'ifindex': ifindex, 'id': 9, 'open': 0, 'share': 32}) and
           equal([peer['id'] for peer in dump('peer-get', ifindex=ifindex)], [2, 9]))
    result('and taken away', equal(do('peer-del', ifindex=ifindex, id=9), None) and
           refused(errno.ENOENT, 'no peer 9', 'peer-get', ifindex=ifindex, id=9))


def messages(ifindex):
    """Messages that users have defined, both ways."""
    result('a message is sent', equal(do('message-send', ifindex=ifindex, **MESSAGE), None))
    subprocess.run([*IN_B, 'rio9ctl', 'port', 'set', 'rio1', 'tm-mode', 'basic'], check=True)
    with ynl.listens('messages') as process:
        subprocess.run([*IN_B, 'rio9ctl', 'message', 'send', 'rio1', '1', 'op', '3', 'param2', '9'],
                       check=True)
        event = ynl.next_event(process)
    result('a message has come', event and equal(event['name'], 'message-ntf') and
           equal([event['msg'][name] for name in ('ifindex', 'peer', 'op', 'param2')],
                 [ifindex, 2, 3, 9]))


def main():
    """All of it."""
    ifindex = ports()
    peers(ifindex)
    messages(ifindex)
    for name in 'context-get', 'queue-get', 'state-get':
        result(f'{name}: nothing', equal(dump(name, ifindex=ifindex), []))
    ynl.all_seen()
    return ynl.finish()


if __name__ == '__main__':
    sys.exit(main())
