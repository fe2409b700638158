#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts test results and looks for errors in a kernel's log.

Reads TAP or KTAP from stdin, prints a line for each test as it comes, then
goes through the kernel's log.  The marks "# begin NAME", "# end NAME STATUS"
and "# guest done" come from guest/run-tests and guest/init.  Lines "# capture" are
bytes of a capture, for others.
"""

import argparse
import re
import sys

RESULT = re.compile(r'^(\s*)(ok|not ok)\b\s*\d*\s*-?\s*(.*?)\s*(?:#\s*(SKIP)\b:?\s*(.*))?$')
PLAN = re.compile(r'^1\.\.(\d+)')
SUBTEST = re.compile(r'^(\s*)# Subtest: (.*)$')
TROUBLE = re.compile(
    r'WARNING:|BUG:|\bBUG |\bOops\b|general protection fault|kernel panic|Call Trace:|'
    r'INFO: (possible|trying|task|rcu|suspicious)|suspicious RCU|blocked for more than|'
    r'self-detected stall|detected stalls|lockup|workqueue.*hogged|'
    r'KASAN|KFENCE|UBSAN:|DMA-API: (?!debugging|preallocated)|ODEBUG:|'
    r'unreferenced object|new suspected memory leaks|leak: |[Ll]eaked|refcount|ref_tracker|'
    r'unregister_netdevice: waiting|list_(add|del) corruption|Bad page|bad unlock|'
    r'scheduling while atomic|sysfs: cannot create|kobject.*tried to|Unable to handle|'
    r'NETDEV WATCHDOG|Modules linked in:', re.IGNORECASE)
MARK = re.compile(r'\] vm: (?:begin (\S+)|up)$')
BOOT = re.compile(r'^\[ *0\.000000\] Linux version ')
# Harmless messages of the kernel, at start and with failing allocations
HARMLESS = re.compile(r'KernelAddressSanitizer initialized|kmemleak: (Kernel memory leak '
                      r'detector|Automatic memory|Cannot allocate a scan area)|FAULT_INJECTION|'
                      r'ref_tracker: memory allocation failure')


class Report:
    def __init__(self, stage):
        self.stage = stage
        self.counts = {'passed': 0, 'failed': 0, 'skipped': 0}

    def add(self, what, name, detail=()):
        self.counts[what] += 1
        word = 'not ok' if what == 'failed' else 'ok'
        print(f'{word} - {self.stage}: {name}', flush=True)
        for line in detail:
            print(f'#   {line}', flush=True)


class Tap:
    """One test program or one KTAP log."""

    def __init__(self, report, name):
        self.report = report
        self.name = name
        self.results = 0
        self.plan = None
        self.subtests = {}
        self.below = {}     # indent -> [results, failures] seen since the last line above it
        self.notes = []

    def line(self, text):
        if text.startswith('# capture '):
            return
        m = SUBTEST.match(text)
        if m:
            self.subtests[len(m[1])] = m[2]
            return
        m = RESULT.match(text)
        if m:
            self.result(len(m[1]), *m.groups()[1:])
            return
        if text.startswith('Bail out!'):
            self.failed(text)
        m = PLAN.match(text)
        if m:
            self.plan = (self.plan or 0) + int(m[1])    # one for each KUnit suite
        self.notes = (self.notes + [text])[-60:]

    def failed(self, why):
        self.results += 1
        self.report.add('failed', f'{self.name}: {why}' if self.name else why, self.notes)
        self.notes = []

    def result(self, indent, word, name, skip, why):
        children = [self.below.pop(i) for i in list(self.below) if i > indent]
        failed = word == 'not ok'
        here = self.below.setdefault(indent, [0, 0])
        here[0] += 1
        here[1] += failed
        if children and not (failed and not any(c[1] for c in children)):
            self.notes = []
            self.subtests = {i: n for i, n in self.subtests.items() if i <= indent}
            return
        path = [self.name] + [n for i, n in sorted(self.subtests.items()) if i <= indent]
        full = ': '.join(p for p in path + [name] if p)
        self.results += 1
        if failed:
            self.report.add('failed', full, self.notes)
        elif skip:
            self.report.add('skipped', f'{full} # SKIP {why}')
        else:
            self.report.add('passed', full)
        self.notes = []

    def end(self, status):
        if self.results == 0:
            self.failed('no results')
        top = self.below.get(0, [0, 0])
        if self.plan is not None and self.plan != top[0]:
            self.failed(f'{self.plan} tests planned, {top[0]} reported')
        if status == 143 or status == 124:
            self.failed('took too long')
        elif status and not any(c[1] for c in self.below.values()):
            self.failed(f'exit status {status}')


def read_marked(report, stream, again, leave):
    """The output of a virtual machine: several test programs, then a last line.

    The names of programs that failed are added to again; leave does not count them.
    """
    tap = None
    done = False
    before = dict(report.counts)
    for text in stream:
        text = text.rstrip('\r\n')
        if text.startswith('# begin '):
            tap = Tap(report, text[8:])
            before = dict(report.counts)
        elif text.startswith('# end ') and tap:
            tap.end(int(text.split()[-1]))
            # Not "leaks", which concerns all of them
            if '/' in tap.name and report.counts['failed'] > before['failed']:
                again.append(tap.name)
                if leave:
                    report.counts = before
            tap = None
        elif text == '# guest done':
            done = True
        elif tap:
            tap.line(text)
    if tap or not done:
        where = tap.name if tap else 'before or between tests'
        report.add('failed', f'the virtual machine ended early ({where})',
                   tap.notes[-20:] if tap else ())


def read_ktap(report, stream):
    tap = None
    for text in stream:
        text = text.rstrip('\r\n')
        if tap is None and re.match(r'^K?TAP version', text):
            tap = Tap(report, '')
        elif tap:
            tap.line(text)
    if tap is None:
        report.add('failed', 'the kernel printed no test results')
    else:
        tap.end(0)


def read_klog(report, path, from_mark):
    """A clean log is one test; every test with errors in the log fails one."""
    try:
        with open(path, errors='replace') as f:
            lines = f.read().splitlines()
    except FileNotFoundError:
        lines = []
    where = '' if from_mark else 'all'
    trouble = {}
    for n, text in enumerate(lines):
        m = MARK.search(text)
        if m and from_mark:
            where = m[1] or 'start'
        elif BOOT.match(text) and from_mark:
            where = ''      # its command line has "oops=panic"
        if where and TROUBLE.search(text) and not HARMLESS.search(text):
            trouble.setdefault(where, n)
    if not where:
        report.add('failed', f'kernel log: the guest did not come up ({path})', lines[-25:])
    for where, n in trouble.items():
        end = next((i for i in range(n, len(lines)) if MARK.search(lines[i])), len(lines))
        report.add('failed', f'kernel log during {where}', lines[n:min(end, n + 50)])
    if where and not trouble:
        report.add('passed', 'kernel log is clean')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--stage', required=True, help='name in front of every test')
    parser.add_argument('--klog', help="the kernel's log, where there is a kernel")
    parser.add_argument('--klog-only', action='store_true', help='there are no test results')
    parser.add_argument('--ktap', help='log of a KUnit run, instead of stdin')
    parser.add_argument('--counts', help='file to append the counts to')
    parser.add_argument('--again', help='file for the names of test programs that failed')
    parser.add_argument('--leave', action='store_true', help='do not count these')
    args = parser.parse_args()

    report = Report(args.stage)
    if args.ktap:
        with open(args.ktap, errors='replace') as f:
            read_ktap(report, f)
        read_klog(report, args.ktap, False)
    else:
        if not args.klog_only:
            sys.stdin.reconfigure(errors='replace')
            again = []
            read_marked(report, sys.stdin, again, args.leave)
            if args.again:
                with open(args.again, 'w') as f:
                    f.write(','.join(again))
        if args.klog:
            read_klog(report, args.klog, True)
    if args.counts:
        with open(args.counts, 'a') as f:
            print(*report.counts.values(), file=f)
    return 1 if report.counts['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
