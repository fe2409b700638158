#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of hippi6400.lua: golden vectors, Messages, order, and errors."""

import sys

from shark import USER0, USER1, differences, dissect, info, pcap, pcapng, tshark
from st_wire import operation
from tap import Tap
import upkt_wire as wire
from upkt_wire import expected, header, message, micropacket
import vectors

NOTHING = micropacket(wire.NULL)


def capture(upkts):
    return pcap(((n, u) for n, u in enumerate(upkts)), USER0)


def vector_messages():
    """Micropackets of the vectors, each with the fields that it has to have."""
    for v in vectors.messages():
        upkts = [v['upkts'][n:n + 40] for n in range(0, len(v['upkts']), 40)]
        yield v, upkts


def check_vector(v, upkt, n, last):
    """The fields of a micropacket as the vector names them, not as they are in it."""
    wanted = {'vc': v['vc'], 'type': wire.DATA if n else wire.HEADER, 'tail': int(last),
              'error': 0, 'tseq': (v['tseq'] + n) % 255, 'rseq': v['rseq']}
    if n == 0:
        wanted |= {'d_ula': wire.mac(v['d_ula']), 's_ula': wire.mac(v['s_ula']),
                   'm_len': v['m_len'], 'ethertype': f'0x{v["proto"]:04x}'}
    return expected(upkt) | {f'hippi6400.{k}': str(x) for k, x in wanted.items()}


def test_vectors(tap):
    links = vectors.upkts()
    for v, frame in zip(links, dissect(capture(v['upkt'] for v in links), 'hippi6400'),
                        strict=True):
        wanted = {f'hippi6400.{n}': str(v[n]) for n in 'vc type vcr cr tseq rseq'.split()}
        tap.result(f'vector {v["name"]}', differences(frame, expected(v['upkt']) | wanted))
    for v, upkts in vector_messages():
        problems = []
        frames = dissect(capture(upkts), 'hippi6400')
        for n, (upkt, frame) in enumerate(zip(upkts, frames, strict=True)):
            wanted = check_vector(v, upkt, n, n == len(upkts) - 1)
            if n == len(upkts) - 1:
                wanted |= {'hippi6400.header': '1', 'hippi6400.upkts': str(len(upkts))}
            problems += [f'micropacket {n}: {p}' for p in differences(frame, wanted)]
        tap.result(f'vector {v["name"]}', problems)


def test_line_file(tap):
    """The same from a file without headers; one that is none is left alone."""
    upkts = [v['upkt'] for v in vectors.upkts()] * 3
    frames = dissect(b''.join(upkts) + NOTHING[:7], 'hippi6400')
    problems = [] if len(frames) == len(upkts) + 1 else [f'found {len(frames)} frames']
    for upkt, frame in zip(upkts, frames):
        problems += [p for p in differences(frame, expected(upkt), frame.errors)]
    if frames[-1].errors != ['7 bytes, expected a micropacket of 40']:
        problems.append(f'the end of the file: {frames[-1].errors}')
    tap.result('a file read from a line', problems)
    try:
        dissect(bytes(range(200)), 'hippi6400')
        problems = ['it was opened']
    except RuntimeError as e:
        problems = [] if "in a format TShark understands" in str(e) else [str(e)]
    tap.result('a file with other bytes', problems)


def test_operations(tap):
    """Messages on several VCs at a time hand their ST operations on."""
    end = operation('End', d_port=1, s_port=2, d_key=3, d_id=4, s_id=5)
    data = operation('Data', channel=1, flags=['last'], d_port=1, s_port=2, payload=b'abc' * 20)
    a, b = message(data, 0, vc=1), message(end, 2, vc=0, src=7)
    # VC1: Header, Data; VC0: Header, Data; VC1: the rest, with its TSEQ behind
    rest = [u[:34] + bytes([u[34] + 2]) + u[35:38] for u in a[2:]]
    rest = [u + wire.crc(wire.LCRC, u).to_bytes(2, 'little') for u in rest]
    upkts = a[:2] + b + rest
    frames = dissect(capture(upkts), 'st')
    ops = {n + 1: f.fields.get('st.operation') for n, f in enumerate(frames) if 'st' in f.protos}
    problems = [] if ops == {4: 'End', len(upkts): 'Data'} else [f'found {ops}']
    problems += [f'found errors {f.errors}' for f in frames if f.errors]
    stu = frames[-1].fields.get('st.stu')
    problems += [] if stu == (b'abc' * 20).hex(':') else [f'STU: found {stu}']
    sources = tshark(capture(upkts), '-T', 'fields', '-e', '_ws.col.Source',
                     '-e', '_ws.col.Destination').splitlines()
    wanted = '02:64:00:00:00:{:02x}\t02:64:00:00:00:01'
    if [sources[3], sources[-1]] != [wanted.format(7), wanted.format(0)]:
        problems.append(f'addresses: found {sources}')
    tap.result('operations in Messages of two VCs', problems)
    frames = dissect(capture(message(end, 0, vc=1) + message(data, 2, vc=2)), 'st')
    errors = [f.errors for f in frames if f.errors]
    wanted = [['End on VC1, expected VC0'], ['Data on VC2, expected VC1']]
    tap.result('operations on a wrong VC', [] if errors == wanted else [f'found {errors}'])


def test_directions(tap):
    """Each direction of a line has a link type, and its own sequence."""
    upkts = [(n, u) for u in message(bytes(range(40)), 9) for n in range(2)]
    frames = dissect(pcapng(upkts, (USER0, USER1)), 'hippi6400')
    problems = []
    for (n, upkt), frame in zip(upkts, frames, strict=True):
        wanted = expected(upkt)
        if wanted['hippi6400.tail'] == '1':
            wanted |= {'hippi6400.header': str(n + 1), 'hippi6400.upkts': '2'}
        problems += differences(frame, wanted)
    tap.result('two directions in one file', problems)


def test_order(tap):
    """Sent again, lost, and anew after Initialize, HIPPI-6400-PH 4.8."""
    m = message(bytes(range(100)), 253)     # 4 micropackets: 253, 254, 0, 1
    again = m[1][:35] + b'\7' + m[1][36:38]     # with RSEQ refreshed
    again += wire.crc(wire.LCRC, again).to_bytes(2, 'little')
    credit = micropacket(wire.CREDIT, cr=3, tseq=9)
    upkts = [m[0], m[1], again, m[3], m[2], m[3], micropacket(wire.INIT),
             micropacket(wire.CREDIT, cr=3, tseq=0), credit]
    frames = dissect(capture(upkts), 'hippi6400')
    end = {'hippi6400.header': '1', 'hippi6400.upkts': '4'}
    wanted = [({}, [], 1), ({}, [], 1),
              ({'hippi6400.retransmission_of': '2'}, ['Retransmission of frame 2'], 2),
              ({}, ['TSEQ 1, expected 0'], 2), ({}, [], 1), (end, [], 1), ({}, [], 1), ({}, [], 1),
              ({}, ['TSEQ 9, expected 1'], 1)]
    problems = []
    for n, (upkt, frame, (more, errors, ecrc)) in enumerate(zip(upkts, frames, wanted,
                                                                strict=True)):
        problems += [f'frame {n + 1}: {p}' for p in
                     differences(frame, expected(upkt, ecrc) | more, errors)]
    tap.result('order of micropackets', problems)


def identity(**changes):
    fields = {'version': 1, 'opcode': 2, 'hops': 0, 'len': 24} | changes
    return bytes(fields.values()) + bytes.fromhex('00000007026400000005') + b'\5\2' + \
        b'emulator'.ljust(16, b'\0')


def test_errors(tap):
    """Each error is marked, and nothing else is."""
    two = message(bytes(40), 0)
    bad_ecrc = micropacket(wire.DATA, bytes(32), tail=1, tseq=1, ecrc=0x1234)
    right_ecrc = wire.crc(wire.ECRC, two[0][:32] + bytes(32))
    cases = [
        ('none in two Messages', two + message(bytes(40), 2), {}),
        ('LCRC', [micropacket(wire.NULL, lcrc=0x1234)],
         {0: ['LCRC 0x1234, expected 0x52c8']}),
        ('LCRC in a Message', [two[0], two[1][:38] + bytes(2), two[1]],
         {1: [f'LCRC 0x0000, expected 0x{int.from_bytes(two[1][38:], "little"):04x}']}),
        ('ECRC of a Message', [two[0], bad_ecrc],
         {1: [f'ECRC 0x1234, expected 0x{right_ecrc:04x}']}),
        ('ECRC outside Messages', [micropacket(wire.NULL, ecrc=1)],
         {0: ['ECRC 0x0001, expected 0xf14c']}),
        ('ERROR', [micropacket(wire.HEADER, header(8), tail=1, error=1, tseq=0)],
         {0: ['The Message was truncated or damaged on its way']}),
        *((f'TYPE {t}', [micropacket(t)], {0: [f'TYPE {t} is reserved']})
          for t in range(16) if t not in wire.KNOWN),
        ('Data without TSEQ', [micropacket(wire.ADMIN, identity())],
         {0: ['TSEQ 255 in a sequenced micropacket, expected 0 to 254']}),
        ('Null with TSEQ', [micropacket(wire.NULL, tseq=4)],
         {0: ['TSEQ 4 in one that is not sequenced, expected 255']}),
        ('Header without TAIL', [two[0], micropacket(wire.HEADER, header(8), tail=1, tseq=1)],
         {1: ['Header, expected the TAIL of the Message of frame {first} first']}),
        ('Data without Header', [micropacket(wire.DATA, tail=1, tseq=0)],
         {0: ['Data on VC0, expected a Header first']}),
        ('Data behind Reset', [two[0], micropacket(wire.RESET),
                               micropacket(wire.DATA, tail=1, tseq=0)],
         {2: ['Data on VC0, expected a Header first']}),
        ('M_len too small', message(bytes(40), 0, m_len=16),
         {1: ['M_len 16 does not match 2 micropackets']}),
        ('M_len too large', message(bytes(40), 0, m_len=49),
         {1: ['M_len 49 does not match 2 micropackets']}),
        ('M_len under 8', message(bytes(8), 0, m_len=7),
         {0: ['M_len 7 does not match 1 micropackets']}),
        ('padding', message(bytes(39), 0, pad=b'\1'),
         {1: ['Padding of the Message, expected zeros']}),
        ('a Message of 68 on VC0', message(bytes(8 + 32 * 67), 0), {}),
        ('a Message of 69 on VC0', message(bytes(8 + 32 * 68), 0),
         {68: ['Message on VC0, expected at most 68 micropackets']}),
        ('a Message of 71 on VC0', message(bytes(8 + 32 * 70), 0),
         {68: ['Message on VC0, expected at most 68 micropackets']}),
        ('LLC/SNAP', message(b'', 0, snap=b'\xaa\xaa\3\0\0\1'),
         {0: ['LLC/SNAP aaaa03000001, expected aaaa03000000']}),
        ('data bytes of Null', [micropacket(wire.NULL, bytes(31) + b'\1')],
         {0: ['Data bytes of Null, expected zeros']}),
        ('identity', [micropacket(wire.ADMIN, identity(), tseq=0)], {}),
        ('Admin version', [micropacket(wire.ADMIN, identity(version=2), tseq=0)],
         {0: ['version 2, expected 1']}),
        ('Admin opcode', [micropacket(wire.ADMIN, identity(opcode=5), tseq=0)],
         {0: ['opcode 5, expected 1 to 4']}),
        ('Admin hops', [micropacket(wire.ADMIN, identity(hops=1), tseq=0)],
         {0: ['hop count 1, expected 0']}),
        ('Admin length', [micropacket(wire.ADMIN, identity(len=23), tseq=0)],
         {0: ['length 23, expected 24']}),
        ('loop-back length', [micropacket(wire.ADMIN, identity(opcode=3, len=25), tseq=0)],
         {0: ['length 25, expected at most 24']}),
    ]
    # One file for all: each case begins anew with Initialize
    init = micropacket(wire.INIT)
    frames = iter(dissect(capture(u for _, case, _ in cases for u in (init, *case)), 'hippi6400'))
    first = 0       # number of the first frame of the case
    for name, case, errors in cases:
        next(frames)
        first += 2
        problems = []
        for n, upkt in enumerate(case):
            frame = next(frames)
            wanted = [e.format(first=first) for e in errors.get(n, [])]
            if frame.errors != wanted:
                problems.append(f'micropacket {n}: found {frame.errors}, expected {wanted}')
            problems += [f'micropacket {n}: {k}: found {frame.fields.get(k)}, expected {v}'
                         for k, v in expected(upkt).items()
                         if 'status' not in k and frame.fields.get(k) != v]
        first += len(case) - 1
        tap.result(f'error: {name}', problems)
    frames = dissect(capture(two[1:]), 'hippi6400')
    tap.result('a Message that began before the capture',
               [f'found {f.errors}' for f in frames if f.errors])


def test_bad_message(tap):
    """A Message with a wrong ECRC, ERROR or a wrong M_len is not handed on."""
    end = operation('End')
    good = message(end, 0)
    wrong = [micropacket(wire.DATA, good[1][:32], tail=1, tseq=1, ecrc=7)]
    error = [micropacket(wire.DATA, good[1][:32], tail=1, error=1, tseq=1,
                         ecrc=wire.crc(wire.ECRC, good[0][:32] + good[1][:32]))]
    for name, upkts, count in (('good', good, 1), ('ECRC', good[:1] + wrong, 0),
                               ('ERROR', good[:1] + error, 0),
                               ('M_len', message(end, 0, m_len=99), 0),
                               ('empty', message(b'', 0), 1)):
        found = sum('st' in f.protos for f in dissect(capture(upkts), 'st'))
        tap.result(f'Message handed on: {name}', [] if found == count else
                   [f'found {found} operations, expected {count}'])


def test_info(tap):
    """The line that sums a micropacket up."""
    m = message(bytes(range(20)), 6, ethertype=0x88b5)
    upkts = ((m[0], 'Header, VC0, TSEQ 6'), (m[0], '[Retransmission] Header, VC0, TSEQ 6'),
             (micropacket(wire.CREDIT, vc=3, cr=9, tseq=7, rseq=4),
              'Credit-only, VC3, TSEQ 7, RSEQ 4, CR 9'),
             (micropacket(wire.INIT_ACK, lcrc=0), '[LCRC error] Initialize_ACK, VC0'),
             (micropacket(7), 'reserved TYPE 7, VC0'))
    for (_, text), line in zip(upkts, info(capture(u for u, _ in upkts)), strict=True):
        tap.result(f'info: {text}', [] if line == text else [f'found {line}'])


def main():
    tap = Tap()
    for test in (test_vectors, test_line_file, test_operations, test_directions, test_order,
                 test_errors, test_bad_message, test_info):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
