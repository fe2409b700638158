#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the output of tshark for captures with their contents, field by field.

usage: captures.py FOLDER

FOLDER has what selftests/st/capture.test captured: traffic without errors, over each
medium, of all operations; and other PDUs over RapidIO.  No field may be different, missing
or too much, nothing be marked as an error, and every request be matched with its answer.
Of FC-VI it has what selftests/fc/capture.test captured.
"""

import sys

from capture_file import ethernet_operations, micropackets, packets
import fcvi_wire
import rio9_capture as rio9
from shark import differences, dissect
from st_follow import Follower
from st_wire import OPS
from tap import Tap

SHOWN = 20      # problems of a test
# What ST uses of FC-VI, with Unreliable Delivery
FCVI_ST = {'CONNECT_RQST', 'CONNECT_RESP1', 'CONNECT_RESP2', 'CONNECT_RESP3', 'SEND_RQST',
           'DISCONNECT_RQST', 'DISCONNECT_RESP'}
# What capture.test sends with rio9_pdu
STREAM, LENGTHS, CLASSES = 0x1234, (1, 32, 256, 257, 1500, 20000), (0, 0x40, 0x80, 0xc0)


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


def st_of(pdus):
    return [p.operation() for p in pdus if p.stream == rio9.ST]


def check_pdus(tap, name, capture):
    """On the device itself."""
    fields, pdus = rio9.cooked(capture)
    names = [f'sll.{n}' for n in rio9.SLL] + rio9.WRONG
    found = rio9.values(capture, names)
    tap.result(f'{name}: every field', rio9.problems(found, fields)[:SHOWN])
    tap.result(f'{name}: as they were sent',
               rio9.sent_as(pdus, STREAM, [None] * len(CLASSES), LENGTHS)[:SHOWN])
    check_operations(tap, name, capture, st_of(pdus))


def check_tunnel(tap, name, capture):
    """On the device of Ethernet below."""
    fields, pdus, numbers = rio9.tunnel(capture)
    follower = Follower()
    for operation in st_of(pdus):
        follower.take(operation)
    for s in follower.all:
        f = fields[s.operation.frame - 1]
        f['st.operation'] = ','.join(filter(None, (f.get('st.operation'), s.name)))
    tap.result(f'{name}: every field',
               rio9.problems(rio9.values(capture, rio9.FIELDS), fields)[:SHOWN])
    tap.result(f'{name}: numbers of frames', rio9.right_numbers(numbers)[:SHOWN])
    tap.result(f'{name}: as they were sent', rio9.sent_as(pdus, STREAM, CLASSES, LENGTHS)[:SHOWN])
    missing = OPS.keys() - {s.name for s in follower.all}
    tap.result(f'{name}: all operations are there', sorted(missing))


def check_fcvi(tap, name, capture, ius, operations):
    """What the bytes of each frame are, by the tables; that it is marked as nothing; that all
    these IUs and operations of ST are there."""
    problems, seen = [], set()
    for (number, _, _, data), found in zip(packets(capture), dissect(capture, 'fcvi'), strict=True):
        field = fcvi_wire.field_of(data)
        if not field:
            continue
        seen.add(fcvi_wire.NAMES[field[4]])
        problems += [f'frame {number}: {n}: found {found.fields.get(n, "nothing")}, expected {v}'
                     for n, v in fcvi_wire.expected(field).items() if found.fields.get(n) != v]
        problems += [f'frame {number}: {e}' for e in found.errors]
    tap.result(f'{name}: every field', problems[:SHOWN])
    tap.result(f'{name}: all IUs are there', sorted(ius - seen))
    shown = {f.fields.get('st.operation') for f in dissect(capture, 'st')}
    tap.result(f'{name}: operations of ST are there', sorted(operations - shown))


def main():
    folder, = sys.argv[1:]
    tap = Tap()
    for name, check, *args in (('ethernet-1500', check_ethernet, False),
                               ('ethernet-9000', check_ethernet, True),
                               ('rapidio-pdus', check_pdus),
                               ('rapidio-tunnel', check_tunnel),
                               ('micropackets', check_micropackets),
                               ('fcvi-st', check_fcvi, FCVI_ST, {'Request_To_Send', 'Data'}),
                               ('fcvi-vipl', check_fcvi, set(fcvi_wire.IUS), set())):
        try:
            with open(f'{folder}/{name}', 'rb') as f:
                check(tap, name, f.read(), *args)
        except (OSError, ValueError, LookupError, AttributeError, RuntimeError) as e:
            tap.result(name, [f'{type(e).__name__}: {e}'])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
