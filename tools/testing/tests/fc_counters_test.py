#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests that the manual of Fibre Channel explains each counter, in the order of the modules."""

import os
import re
import sys

TESTING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTING)
from tap import Tap     # noqa: E402

ROOT = os.path.dirname(os.path.dirname(TESTING))


def text_of(path):
    """What is in a file."""
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def table_of(heading):
    """The counters that a section of the manual explains."""
    text = text_of('Documentation/networking/fc.rst')
    section = re.split(r'\n\n.+\n=+\n\n', text.split(f'\n{heading}\n=')[1])[0]
    return re.findall(r'^``(\w+)`` +\w', section, re.M)


def main():
    tap = Tap()
    for what, heading, path, pattern, least in (
            ('fc2', 'Counters', 'fc2/stats.c', r'^\t\[FC2_STAT_\w+\] = "(\w+)",$', 50),
            ('fcvi', 'Counters of FC-VI', 'fcvi/netlink.c', r'^\t\[FCVI_\w+\] = "(\w+)",$', 20)):
        names = re.findall(pattern, text_of(f'drivers/net/{path}'), re.M)
        explained = table_of(heading)
        tap.result(f'{what} has counters', [] if len(names) > least else [f'found: {names}'])
        tap.result(f'{what}: each is explained', [] if explained == names else
                   [f'missing: {set(names) - set(explained)}',
                    f'unknown: {set(explained) - set(names)}', 'or in another order'])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
