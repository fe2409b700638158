#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of tools/st/*.bash: what bash offers behind the words of a command."""

import os
import subprocess
import sys

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

FOLDER = os.path.join(os.path.dirname(TESTING), 'st')
# With devices and ports of its own in place of this machine's
SCRIPT = '''. "$0/$1.bash"
_rio9ctl_devices() { echo rio0 rio1; }
_fcport_devices() { echo eth0 eth1 lan2; }
_fcport_ports() { echo eth0 eth1; }
_fcport_remote() { echo 0x0000ef 0x00abcd; }
_hippictl_ports() { echo hfp0 hfp1; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_$1"
printf '%s\\n' "${COMPREPLY[@]}"'''
FLOWS = 'A B C D E F'
SETTINGS = 'mtu tm-mode obey-any map queue-max queues-max'

# words, the last of them not complete, and what is offered
RIO9CTL = (
    ([''], 'port peer context queue tm stats message monitor'),
    (['p'], 'port peer'),
    (['port', ''], 'show set rio0 rio1'),
    (['port', 's'], 'show set'),
    (['port', 'show', ''], 'rio0 rio1'),
    (['-j', 'peer', ''], 'show add del rio0 rio1'),
    (['context', 'r'], 'rio0 rio1'),
    (['stats', ''], 'show rio0 rio1'),
    (['queue', ''], 'show rio0 rio1'),
    (['tm', 's'], 'show'),
    (['port', 'set', ''], 'rio0 rio1'),
    (['port', 'set', 'rio0', ''], SETTINGS),
    (['port', 'set', 'rio0', 'mtu', ''], ''),
    (['port', 'set', 'rio0', 'mtu', '64', ''], 'tm-mode obey-any map queue-max queues-max'),
    (['port', 'set', 'rio0', 'tm-mode', 'c'], 'credit credit-rate'),
    (['port', 'set', 'rio0', 'obey-any', ''], 'on off'),
    (['port', 'set', 'rio0', 'map', ''], FLOWS),
    (['port', 'set', 'rio0', 'map', 'A', ''], FLOWS),
    (['port', 'set', 'rio0', 'map', 'A', '7', 'C', ''], FLOWS),
    (['port', 'set', 'rio0', 'map', 'A', 'B', 'C', '7', ''],
     'mtu tm-mode obey-any queue-max queues-max'),
    (['port', 'set', 'rio0', 'map', 'A', 'B', 'C', 'E', 'obey-any', 'on', ''],
     'mtu tm-mode queue-max queues-max'),
    (['peer', 'del', ''], 'rio0 rio1'),
    (['peer', 'del', 'rio0', ''], ''),
    (['message', ''], 'send'),
    (['message', 'send', 'rio0', ''], ''),
    (['message', 'send', 'rio0', '2', 'param'], 'param1 param2'),
    (['message', 'send', 'rio0', '2', 'op', ''], ''),
    (['message', 'send', 'rio0', '2', 'op', '3', 'param1', '1', ''],
     'stream cos wildcard mask param2'),
    (['monitor', '--c'], '--count='),
    (['nonsense', ''], ''),
)
FCPORT = (
    ([''], 'create set delete show counters neighbours remote switches login logout ping '
     'errors farp vis vi-counters resolve monitor'),
    (['create', ''], 'eth0 eth1 lan2'),
    (['create', 'eth0', ''], 'wwpn wwnn mode r-a-tov e-d-tov order'),
    (['create', 'eth0', 'wwpn', ''], ''),
    (['create', 'eth0', 'mode', ''], 'vn2vn fabric'),
    (['create', 'eth0', 'order', 'out', 'r-a-tov', '1000', ''], 'wwpn wwnn mode e-d-tov'),
    (['set', ''], 'eth0 eth1'),
    (['set', 'eth0', ''], 'r-a-tov e-d-tov order'),
    (['set', 'eth0', 'order', ''], 'in out'),
    (['-j', 'show', 'e'], 'eth0 eth1'),
    (['delete', 'eth0', ''], ''),
    (['counters', '--j'], '--json'),
    (['ne'], 'neighbours'),
    (['vi'], 'vis vi-counters'),
    (['vis', ''], 'eth0 eth1'),
    (['resolve', ''], 'eth0 eth1'),
    (['logout', ''], 'eth0 eth1'),
    (['login', 'eth0', '0x00'], '0x0000ef 0x00abcd'),
    (['ping', 'eth0', '0x00abcd', ''], 'size interval timeout'),
    (['ping', 'eth0', '0x00abcd', 'size', '100', ''], 'interval timeout'),
    (['errors', 'eth0', '0x00abcd', ''], ''),
    (['nonsense', ''], ''),
)
HIPPICTL = (
    ([''], 'show counters monitor'),
    (['c'], 'counters'),
    (['show', ''], 'hfp0 hfp1'),
    (['-j', 'counters', 'h'], 'hfp0 hfp1'),
    (['show', 'hfp0', ''], ''),
    (['monitor', ''], ''),
    (['monitor', '--v'], '--verbose --version'),
    (['nonsense', ''], ''),
)


def problems(tool, words, expected):
    run = subprocess.run(['bash', '-c', SCRIPT, FOLDER, tool, *words], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    found = ' '.join(run.stdout.split())
    return [] if found == expected else [f'found: {found}', f'expected: {expected}']


def main():
    tap = Tap()
    for tool, cases in (('rio9ctl', RIO9CTL), ('fcport', FCPORT), ('hippictl', HIPPICTL)):
        for words, expected in cases:
            tap.result(f'{tool} ' + ' '.join(words) + '<Tab>', problems(tool, words, expected))
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
