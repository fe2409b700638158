#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of tools/st/rio9ctl.bash: what bash offers behind the words of a command."""

import os
import subprocess
import sys

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

FILE = os.path.join(os.path.dirname(TESTING), 'st', 'rio9ctl.bash')
# With devices of its own in place of this machine's
SCRIPT = '''. "$0"
_rio9ctl_devices() { echo rio0 rio1; }
COMP_WORDS=(rio9ctl "$@") COMP_CWORD=$#
_rio9ctl
printf '%s\\n' "${COMPREPLY[@]}"'''
FLOWS = 'A B C D E F'
SETTINGS = 'mtu tm-mode obey-any map queue-max queues-max'

# words, the last of them not complete, and what is offered
CASES = (
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


def problems(words, expected):
    run = subprocess.run(['bash', '-c', SCRIPT, FILE, *words], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    found = ' '.join(run.stdout.split())
    return [] if found == expected else [f'found: {found}', f'expected: {expected}']


def main():
    tap = Tap()
    for words, expected in CASES:
        tap.result('rio9ctl ' + ' '.join(words) + '<Tab>', problems(words, expected))
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
