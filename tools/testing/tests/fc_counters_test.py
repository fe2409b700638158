#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests that the manual of Fibre Channel explains each counter, in the order of the module."""

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


def main():
    tap = Tap()
    names = re.findall(r'^\t\[FC2_STAT_\w+\] = "(\w+)",$', text_of('drivers/net/fc2/stats.c'), re.M)
    table = text_of('Documentation/networking/fc.rst').split('\nCounters\n=')[1]
    explained = re.findall(r'^``(\w+)`` +\w', table, re.M)
    tap.result('the module has counters', [] if len(names) > 50 else [f'found: {names}'])
    tap.result('each is explained', [] if explained == names else
               [f'missing: {set(names) - set(explained)}',
                f'unknown: {set(explained) - set(names)}', 'or in another order'])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
