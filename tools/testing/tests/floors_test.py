#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of floors/floors.py: calls upwards, circles and heavy headers are found."""

import os
import subprocess
import sys
import tempfile

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

FLOORS = os.path.join(TESTING, 'floors', 'floors.py')
LOW = {'low/a.h': 'int low(int x);\nextern int shared;\n',
       'low/a.c': '#include "a.h"\nint shared;\nint low(int x)\n{\n\treturn x;\n}\n'}
HIGH = {'high/b.h': 'int high(void);\nint other(void);\n',
        'high/b.c': 'int high(void)\n{\n\treturn low(shared);\n}\n\nint other(void)\n{\n'
                    '\treturn 0;\n}\n'}
TWO = 'floor low/\nfloor high/\n'

# name, files beside LOW and HIGH, lines of the map after the tree, exit status, message
CASES = (
    ('calls go down', {}, 'up 0\ncircle 0\nheader 2\n' + TWO, 0,
     ['t: 0 calls up, 0 files in the largest circle, 2 functions in high/b.h']),
    ('a call goes up', {'low/c.c': 'void c(void)\n{\n\thigh();\n}\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 1,
     ['  low/c.c: c uses high of high/b.c', 'm: up is 1, the limit 0: mend the sources']),
    ('a variable of a higher file', {'low/c.c': 'void c(void)\n{\n\ttop = 1;\n}\n',
                                     'high/c.c': 'int top;\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 1, ['  low/c.c: c uses top of high/c.c']),
    ('a table that names a function', {'low/c.c': 'struct ops c = {\n\t.go = high,\n};\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 1, ['  low/c.c: a table uses high of high/b.c']),
    ('a call that is tolerated', {'low/c.c': 'void c(void)\n{\n\thigh();\n}\n'},
     'up 1\ncircle 0\nheader 2\n' + TWO, 0, ['t: 1 calls up']),
    ('a limit that can be lower', {}, 'up 1\ncircle 0\nheader 2\n' + TWO, 1,
     ['m: up is 0, the limit 1: write up 0']),
    ('names in comments and strings', {'low/c.c': '/* high() */\nchar *c = "high()"; // high\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 0, []),
    ('members and types of the same name',
     {'low/c.c': 'int c(struct high *p)\n{\n\treturn p->high + p->x.high;\n}\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 0, []),
    ('a static function of the same name',
     {'low/c.c': 'static int high(void)\n{\n\treturn 1;\n}\n\nint c(void)\n{\n\treturn high();\n}\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 0, []),
    ('a circle on one floor',
     {'low/c.c': 'void c(void)\n{\n\td();\n}\n', 'low/d.c': 'void d(void)\n{\n\tc();\n}\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 1,
     ['  2 in a circle: low/c.c low/d.c', 'm: circle is 2, the limit 0: mend the sources']),
    ('a header that declares many', {'low/c.h': 'int c(void);\nint d(void);\nint e(void);\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 1, ['m: header is 3, the limit 2: mend the sources']),
    ('rooms of one floor', {'low/c.c': 'void c(void)\n{\n\thigh();\n}\n'},
     'up 0\ncircle 0\nheader 2\nfloor low/ | high/\n', 1, ['  low/c.c: c uses high of high/b.c']),
    ('one room', {'low/c.c': 'void c(void)\n{\n\thigh();\n}\n'},
     'up 0\ncircle 0\nheader 2\nfloor low/ high/\n', 0, []),
    ('a file on no floor', {'c.c': 'int c;\n'}, 'up 0\ncircle 0\nheader 2\n' + TWO, 1,
     ['m: c.c is on no floor: add it to a line floor']),
    ('a floor that is empty', {}, 'up 0\ncircle 0\nheader 2\n' + TWO + 'floor top.c\n', 1,
     ['m: top.c is on a floor and not in t: take it out']),
    ('a folder that is left out', {'skip/c.c': 'void c(void)\n{\n\thigh();\n}\n'},
     'up 0\ncircle 0\nheader 2\n' + TWO, 0, []),
    ('a limit that is missing', {}, 'up 0\ncircle 0\n' + TWO, 1, ['m: there is no line header']),
    ('a line that means nothing', {}, 'ups 0\n' + TWO, 1, ['m:2: cannot read this line: ups 0']),
)


def problems(files, plan, status, said):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**LOW, **HIGH, **files}.items():
            path = os.path.join(folder, 't', name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        with open(os.path.join(folder, 'm'), 'w', encoding='utf-8') as f:
            f.write('tree t skip\n' + plan)
        run = subprocess.run([sys.executable, FLOORS, 'm'], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
    lines = run.stdout.splitlines()
    found = [f'said: {line}' for line in lines]
    wrong = [f'not said: {text}' for text in said if not any(x.startswith(text) for x in lines)]
    if run.returncode != status:
        wrong.append(f'exit status {run.returncode}, not {status}')
    return wrong + found if wrong else []


def main():
    tap = Tap()
    for name, files, plan, status, said in CASES:
        tap.result(name, problems(files, plan, status, said))
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
