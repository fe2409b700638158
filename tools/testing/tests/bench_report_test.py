#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of bench/report.py: medians, spreads, comparisons, and figures that are missing."""

import contextlib
import io
import json
import os
import sys
import tempfile

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTING, os.path.join(TESTING, 'bench')]
import report   # noqa: E402
from tap import Tap     # noqa: E402

# Three repetitions: the median is neither the mean nor the first, middle or last one
FIGURES = '''\
[    1.0] a message of the kernel | and a line of it
bench: bulk|4096|st|B/s|900000000
bench: bulk|4096|tcp|B/s|400000000
bench: bulk|4096|st|B/s|1600000000
bench: bulk|4096|tcp|B/s|100000000
bench: bulk|4096|st|B/s|800000000
bench: bulk|4096|tcp|B/s|300000000
bench: turns|8|tcp|ns|3000
bench: turns|8|tcp|ns|5000
bench: turns|8|tcp|ns|4000
bench: bytes over rio9_emu|64|mtu-32|B/s|16000000
bench: bytes over rio9_emu|64|mtu-32|B/s|16000000
bench: bytes over rio9_emu|64|mtu-32|B/s|24000000
bench: segments|64|all|segments/s|9000000
bench: segments|64|all|segments/s|10000000
bench: segments|64|all|segments/s|12500000
bench: all measured
'''
TABLES = '''
bulk: median, (spread)
              4096  st 900 MB/s (89 %) 1.12 line   tcp 300 MB/s (100 %) st x3.00

turns: median, (spread)
                 8  tcp 4.0 us (50 %) tcp x1.00

bytes over rio9_emu: median, (spread)
                64  mtu-32 16 MB/s (50 %)

segments: median, (spread)
                64  all 10.00 M segments/s (35 %)
'''


def read(text):
    with tempfile.NamedTemporaryFile('w') as f:
        f.write(text)
        f.flush()
        return report.read(f.name)


def printed(function, *args):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*args)
    return out.getvalue()


def differ(found, wanted):
    return [] if found == wanted else [f'found {found!r}', f'expected {wanted!r}']


def test_tables(tap):
    groups = read(FIGURES)
    tap.result('figures in the order of their lines', differ(groups, {
        'bulk': {'unit': 'B/s', 'rows': {'4096': {
            'st': [900000000, 1600000000, 800000000],
            'tcp': [400000000, 100000000, 300000000]}}},
        'turns': {'unit': 'ns', 'rows': {'8': {'tcp': [3000, 5000, 4000]}}},
        'bytes over rio9_emu': {'unit': 'B/s', 'rows': {'64': {
            'mtu-32': [16000000, 16000000, 24000000]}}},
        'segments': {'unit': 'segments/s', 'rows': {'64': {
            'all': [9000000, 10000000, 12500000]}}}}))
    found = ''.join(printed(report.table, *g) for g in groups.items())
    tap.result('medians, spreads, and multiples', differ(found, TABLES))


def test_first_to_last(tap):
    """The ratio within a repetition: that of the medians would be 0.80."""
    group = {'unit': 'B/s', 'rows': {'1': {'st': [100, 50, 200]}, '100': {'st': [1, 1, 1]},
                                     '10000': {'st': [90, 80, 20]}}}
    tap.result('the last row over the first', differ(
        printed(report.first_to_last, group), '  10000 over 1: st x0.90\n'))


def refusal(text):
    try:
        read(text)
    except ValueError as e:
        return str(e).partition(': ')[2]
    return 'nothing refused'


def test_missing(tap):
    lines = FIGURES.splitlines(keepends=True)
    for name, text, wanted in (
            ('no figures', 'bench: all measured\n', 'no figures'),
            ('a repetition is missing', ''.join(lines[:6] + lines[7:]),
             'bulk, 4096, tcp: found 2 values, expected 3'),
            ('a peer has no figures', FIGURES + 'bench: bulk|65536|st|B/s|1\n' * 3,
             'bulk, 65536: no figures of tcp'),
            ('what has one row only', FIGURES + 'bench: turns|8|fetchop|ns|1\n' * 3 +
             'bench: turns|64|tcp|ns|1\n' * 3, 'nothing refused'),
            ('a figure is no number', FIGURES + 'bench: bulk|4096|st|B/s|9e8\n',
             'no figure: bench: bulk|4096|st|B/s|9e8'),
            ('a line is cut', FIGURES + 'bench: bulk|4096|st|B\n',
             'no figure: bench: bulk|4096|st|B')):
        tap.result(name, differ(refusal(text), wanted))


def test_compare(tap):
    old = read(FIGURES.replace('|tcp|B/s|3', '|tcp|B/s|2') + ''.join(
        f'bench: {where}|1\n' * 3
        for where in ('bulk|4096|sctp|B/s', 'bulk|65536|st|B/s', 'bulk|65536|tcp|B/s',
                      'bulk|65536|sctp|B/s', 'codec|1|encode|B/s')))
    new = read(FIGURES + 'bench: bulk|4096|udp|B/s|1800000000\n' * 3)
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, groups in (('old', old), ('new', new)):
            names.append(os.path.join(folder, name))
            with open(names[-1], 'w', encoding='utf-8') as f:
                json.dump(groups, f)
        found = printed(report.compare, *names)
    tap.result('then and now', differ(found, '''
bulk: first peer over each other one, then and now
              4096  tcp 4.50 -> 3.00   udp new -> 0.50   sctp is gone
             65536  is gone

turns: first peer over each other one, then and now
                 8  tcp 1.00 -> 1.00

codec: is gone
'''))


def main():
    tap = Tap()
    for test in (test_tables, test_first_to_last, test_missing, test_compare):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
