#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the output of tshark for captures with their contents, field by field.

usage: captures.py FOLDER

FOLDER has what selftests/st/capture.test captured: traffic without errors, over each
medium, of all operations.  No field may be different, missing or too much, nothing be
marked as an error, and every request be matched with its answer.
"""

import sys

from capture_file import ethernet_operations, micropackets
from shark import differences, dissect
from st_follow import Follower
from st_wire import OPS
from tap import Tap

SHOWN = 20      # problems of a test


def compare(tap, name, frames, wanted):
    """frames and wanted: fields and errors, by frame number."""
    problems = []
    for n, frame in enumerate(frames, 1):
        fields, errors = wanted.get(n, ({}, []))
        problems += [f'frame {n}: {p}' for p in differences(frame, fields, errors)]
    if len(frames) < max(wanted):
        problems.append(f'{len(frames)} frames, expected {max(wanted)} at least')
    print(f'# {sum(len(f) for f, _ in wanted.values())} fields of {len(wanted)} frames')
    tap.result(f'{name}: every field', problems[:SHOWN])


def check_operations(tap, name, capture, operations):
    follower = Follower()
    for operation in operations:
        follower.take(operation)
    compare(tap, f'{name}, operations', dissect(capture, 'st'), follower.expected())
    tap.result(f'{name}: requests have answers', follower.open_ends()[:SHOWN])
    missing = OPS.keys() - {s.name for s in follower.all}
    tap.result(f'{name}: all operations are there', sorted(missing))
    bad = [f'frame {s.operation.frame}: {s.name}' for s in follower.all if not s.cksum_status]
    tap.result(f'{name}: checksums are right', bad[:SHOWN])
    return follower.all


def check_ethernet(tap, name, capture, long_frames):
    operations = list(ethernet_operations(capture))
    check_operations(tap, name, capture, operations)
    filled = sum(bool(o.fill) for o in operations)
    tap.result(f'{name}: {"both kinds" if long_frames else "one kind"} of frame',
               [] if bool(filled) == long_frames and filled < len(operations) else
               [f'{filled} of {len(operations)} frames have an EtherType'])


def check_micropackets(tap, name, capture):
    upkts, operations = micropackets(capture)
    compare(tap, f'{name}, micropackets', dissect(capture, 'hippi6400'),
            {n: (fields, errors) for n, (_, fields, errors) in enumerate(upkts, 1)})
    check_operations(tap, name, capture, operations)


def main():
    folder, = sys.argv[1:]
    tap = Tap()
    for name, check, *args in (('ethernet-1500', check_ethernet, False),
                               ('ethernet-9000', check_ethernet, True),
                               ('micropackets', check_micropackets)):
        try:
            with open(f'{folder}/{name}', 'rb') as f:
                check(tap, name, f.read(), *args)
        except (OSError, ValueError, LookupError, AttributeError, RuntimeError) as e:
            tap.result(name, [f'{type(e).__name__}: {e}'])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
