#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of vm/report.py: every error in a virtual machine makes it fail."""

import os
import subprocess
import sys
import tempfile

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

REPORT = os.path.join(TESTING, 'vm', 'report.py')
UP = '[    1.000000] vm: up\n'
A, B = '[    2.000000] vm: begin st/a\n', '[    3.000000] vm: begin st/b\n'
WARNING = '[    2.500000] WARNING: CPU: 0 PID: 1 at net/st/xfer/tx.c:1\n'

# name, output of the machine, lines without details, counts
RESULTS = (
    ('results of two programs',
     '# begin st/a\n1..2\nok 1 - x\nok 2 - y # SKIP no card\n# end st/a 0\n'
     '# begin st/b\nok 1 - z\n# end st/b 0\n# guest done\n',
     ['ok - vm: st/a: x', 'ok - vm: st/a: y # SKIP no card', 'ok - vm: st/b: z'], '2 0 1'),
    ('a result that is not ok',
     '# begin st/a\nok 1 - x\nnot ok 2 - y\n# end st/a 1\n# guest done\n',
     ['ok - vm: st/a: x', 'not ok - vm: st/a: y'], '1 1 0'),
    ('a result that is not ok, of a program that does not say so',
     '# begin st/a\nnot ok 1 - y\n# end st/a 0\n# guest done\n',
     ['not ok - vm: st/a: y'], '0 1 0'),
    ('fewer results than planned',
     '# begin st/a\n1..2\nok 1 - x\n# end st/a 0\n# guest done\n',
     ['ok - vm: st/a: x', 'not ok - vm: st/a: 2 tests planned, 1 reported'], '1 1 0'),
    ('no results', '# begin st/a\n# end st/a 0\n# guest done\n',
     ['not ok - vm: st/a: no results'], '0 1 0'),
    ('a program that crashed after its results',
     '# begin st/a\nok 1 - x\n# end st/a 139\n# guest done\n',
     ['ok - vm: st/a: x', 'not ok - vm: st/a: exit status 139'], '1 1 0'),
    ('a program that was ended', '# begin st/a\nok 1 - x\n# end st/a 143\n# guest done\n',
     ['ok - vm: st/a: x', 'not ok - vm: st/a: took too long'], '1 1 0'),
    ('a program that gave up',
     '# begin st/a\nok 1 - x\nBail out! no card\n# end st/a 0\n# guest done\n',
     ['ok - vm: st/a: x', 'not ok - vm: st/a: Bail out! no card'], '1 1 0'),
    ('subtests, which count, and what sums them up, which does not',
     '# begin st/a\n    # Subtest: s\n    1..2\n    ok 1 - x\n    ok 2 - y\nok 1 - s\n'
     '# end st/a 0\n# guest done\n',
     ['ok - vm: st/a: s: x', 'ok - vm: st/a: s: y'], '2 0 0'),
    ('subtests that are well in a test that is not',
     '# begin st/a\n    # Subtest: s\n    ok 1 - x\nnot ok 1 - s\n# end st/a 1\n# guest done\n',
     ['ok - vm: st/a: s: x', 'not ok - vm: st/a: s'], '1 1 0'),
    ('an end in a program', '# begin st/a\nok 1 - x\n',
     ['ok - vm: st/a: x', 'not ok - vm: the virtual machine ended early (st/a)'], '1 1 0'),
    ('an end between programs', '# begin st/a\nok 1 - x\n# end st/a 0\n',
     ['ok - vm: st/a: x',
      'not ok - vm: the virtual machine ended early (before or between tests)'], '1 1 0'),
    ('nothing at all', '',
     ['not ok - vm: the virtual machine ended early (before or between tests)'], '0 1 0'),
)
CLEAN = ['ok - vm: kernel log is clean']
LOGS = (
    ('a clean log', UP + A + B, CLEAN, '1 0 0'),
    ('a warning in a test', UP + A + WARNING + B,
     ['not ok - vm: kernel log during st/a'], '0 1 0'),
    ('two warnings in a test and one in another', UP + A + WARNING * 2 + B + WARNING,
     ['not ok - vm: kernel log during st/a', 'not ok - vm: kernel log during st/b'], '0 2 0'),
    ('a warning before the first test', UP + WARNING + A,
     ['not ok - vm: kernel log during start'], '0 1 0'),
    ('a warning of the kernel that starts', WARNING + UP + A, CLEAN, '1 0 0'),
    ('a leak', UP + A + '[ 9.0] unreferenced object 0xffff888 (size 8):\n',
     ['not ok - vm: kernel log during st/a'], '0 1 0'),
    ('what the kernel says about itself',
     UP + A + '[ 9.0] kmemleak: Automatic memory scanning thread started, KASAN\n', CLEAN,
     '1 0 0'),
    ('a guest that did not come up', '[    0.500000] Kernel panic - not syncing\n',
     ['not ok - vm: kernel log: the guest did not come up'], '0 1 0'),
    ('no log', None, ['not ok - vm: kernel log: the guest did not come up'], '0 1 0'),
)
SUITES = (
    ('suites', 'boot\nKTAP version 1\n1..1\n    KTAP version 1\n    # Subtest: s\n    1..2\n'
     '    ok 1 x\n    ok 2 y\nok 1 s\n',
     ['ok - vm: s: x', 'ok - vm: s: y'] + CLEAN, '3 0 0'),
    ('a case that fails', 'KTAP version 1\n1..1\n    # Subtest: s\n    1..1\n'
     '    not ok 1 x\nnot ok 1 s\n', ['not ok - vm: s: x'] + CLEAN, '1 1 0'),
    ('a suite that never came', 'KTAP version 1\n1..2\n    # Subtest: s\n    1..1\n'
     '    ok 1 x\nok 1 s\n',
     ['ok - vm: s: x', 'not ok - vm: 2 tests planned, 1 reported'] + CLEAN, '2 1 0'),
    ('a warning in a case', 'KTAP version 1\n1..1\n    # Subtest: s\n    1..1\n' + WARNING +
     '    ok 1 x\nok 1 s\n',
     ['ok - vm: s: x', 'not ok - vm: kernel log during all'], '1 1 0'),
    ('a kernel that tests nothing', 'boot\n',
     ['not ok - vm: the kernel printed no test results'] + CLEAN, '1 1 0'),
)


class Run:
    """The output of report.py for some text, and for a log."""

    def __init__(self, folder, *options, text='', log=None):
        counts = os.path.join(folder, 'counts')
        log_name = os.path.join(folder, 'log')
        for name in (counts, log_name):
            if os.path.exists(name):
                os.unlink(name)
        if log is not None:
            with open(log_name, 'w', encoding='utf-8') as f:
                f.write(log)
        run = subprocess.run([sys.executable, '-B', REPORT, '--stage', 'vm', '--counts', counts,
                              *(o.replace('LOG', log_name) for o in options)], input=text,
                             stdout=subprocess.PIPE, text=True, check=False)
        self.status = run.returncode
        self.lines = [line.partition(' (/')[0] for line in run.stdout.splitlines()
                      if not line.startswith('#')]
        with open(counts, encoding='utf-8') as f:
            self.counts = f.read().strip()

    def problems(self, lines, counts):
        """passed, failed and skipped; the exit status depends on failures."""
        status = 0 if counts.split()[1] == '0' else 1
        return [f'{what}: found {found!r}, expected {wanted!r}' for what, found, wanted in (
            ('lines', self.lines, lines), ('counts', self.counts, counts),
            ('exit status', self.status, status)) if found != wanted]


def test_again(tap, folder):
    """Results of a failed program do not count if it will run again."""
    again = os.path.join(folder, 'again')
    run = Run(folder, '--leave', '--again', again, text='# begin st/a\nok 1 - x\nnot ok 2 - y\n# end st/a 1\n'
              '# begin st/b\nok 1 - z\n# end st/b 0\n# begin leaks\nnot ok 1 - l\n# end leaks 1\n'
              '# guest done\n')
    problems = run.problems(['ok - vm: st/a: x', 'not ok - vm: st/a: y', 'ok - vm: st/b: z',
                             'not ok - vm: leaks: l'], '1 1 0')
    with open(again, encoding='utf-8') as f:
        names = f.read()
    problems += [] if names == 'st/a' else [f'to run again: {names}']
    tap.result('a program that runs again', problems)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        for name, text, lines, counts in RESULTS:
            tap.result(name, Run(folder, text=text).problems(lines, counts))
        for name, log, lines, counts in LOGS:
            tap.result(f'log: {name}', Run(folder, '--klog-only', '--klog', 'LOG', log=log)
                       .problems(lines, counts))
        for name, log, lines, counts in SUITES:
            tap.result(f'KUnit: {name}', Run(folder, '--ktap', 'LOG', log=log)
                       .problems(lines, counts))
        test_again(tap, folder)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
