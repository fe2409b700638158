#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests that the tests exist that the conformance pages of Fibre Channel and HIPPI-FP name."""

import os
import re
import sys

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

ROOT = os.path.dirname(os.path.dirname(TESTING))
# With the fewest tests that each names; a page that cannot be read has none
PAGES = (
    ('Documentation/networking/fc-conformance.rst', 67),
    ('Documentation/networking/hippi-fp-conformance.rst', 25),
)
KUNIT = {
    'fc2': 'drivers/net/fc2/tests',
    'fcvi': 'drivers/net/fcvi/tests',
    'hippi_fp': 'drivers/net/hippi_fp/tests',
    'net-st': 'net/st/tests',
}


def text_of(path):
    try:
        with open(os.path.join(ROOT, path), encoding='utf-8') as file:
            return file.read()
    except FileNotFoundError:
        return ''


def references(page):
    """What is between double backticks and looks like a test; cells of tables go over lines."""
    for cell in re.findall(r'``([^`]+)``', page):
        name = ' '.join(cell.split())
        if re.match(r'(fc2|fcvi|fc|hippi_fp|net-st|st|wireshark)/[\w.-]+(\.\w+|: .+)$', name):
            yield name


def joined_cells(page):
    """The page with each column of its tables as running text, so that no reference is torn."""
    out, columns, rows = [], [], []
    for line in page.split('\n'):
        if re.fullmatch(r'=+( =+)+', line):
            out += rows
            columns = [m.span() for m in re.finditer('=+', line)]
            rows = [''] * len(columns)
        elif columns and not line:
            columns, rows = [], []
        elif columns:
            for n, (start, end) in enumerate(columns):
                rows[n] += ' ' + (line[start:] if n == len(columns) - 1 else line[start:end])
        else:
            out.append(line)
    return '\n'.join(out)


def exists(name):
    folder, rest = name.split('/', 1)
    if ': ' in rest:
        file, test = rest.split(': ', 1)
        path = f'tools/wireshark/tests/{file}' if folder == 'wireshark' else \
            f'tools/testing/selftests/{folder}/{file}'
        text = text_of(path)
        return f"'{test}'" in text or f'"{test}"' in text
    file, test = rest.rsplit('.', 1)
    if folder in KUNIT:
        text = text_of(f'{KUNIT[folder]}/{file}_test.c')
        return re.search(rf'KUNIT_CASE\w*\(\w+_{test}\b', text) is not None
    text = text_of(f'tools/testing/selftests/{folder}/{file}.c')
    return re.search(rf'^TEST(_F)?\((\w+, )?{test}\)', text, re.M) is not None


def main():
    tap = Tap()
    for page, fewest in PAGES:
        names = sorted(set(references(joined_cells(text_of(page)))))
        tap.result(f'{os.path.basename(page)} names tests',
                   [] if len(names) >= fewest else [f'found: {names}'])
        tap.result('each of them exists', [n for n in names if not exists(n)])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
