#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of fcle.lua: operations of ST in Sequences of one frame and of several."""

import sys

from fc_wire import END_SEQ, FIRST_SEQ, LAST_SEQ, frame, sequence
from shark import dissect, pcap, tshark
from st_wire import operation
from tap import Tap

ASK = operation('Request_Connection', bufx=12, sync=12)


def data(size):
    return operation('Data', channel=1, payload=bytes(n % 251 for n in range(size)))


DATA = data(1000)
NAMES = ['st.operation', 'st.stu.len', 'fcle.first', 'fcle.frames', 'fcle.len',
         '_ws.expert.message', 'fcoe.crc.status']
GOOD = '1'      # of fcoe.crc.status


def capture(frames):
    return pcap([(n / 1000, f) for n, f in enumerate(frames)])


def values(frames):
    text = tshark(capture(frames), '-2', '-T', 'fields', *(a for n in NAMES for a in ('-e', n)))
    return [line.split('\t') for line in text.splitlines()]


def expect(tap, name, frames, *wanted):
    found = values(frames)
    right = [[str(v) for v in (*w, *[''] * (len(NAMES) - 1 - len(w)), GOOD)] for w in wanted]
    tap.result(name, [] if found == right else [f'found {found}, expected {right}'])


def test_golden(tap):
    """A Control operation, byte by byte: ST A.5, FC-BB."""
    wanted = bytes.fromhex('0efd00000002' '0efd00000001' '8906' '00000000000000000000000000' '2e'
                           '04000002' '00000001' '05380000' '01200000' '0007ffff' '00000000'
                           '1000026400000002' '1000026400000001' 'aaaa030000008181') + ASK
    found, = sequence(2, 1, ASK, ox_id=7)
    tap.result('a frame of FC-LE',
               [] if found[:-8] == wanted else [f'the test makes {found.hex()}'])


def test_sequences(tap):
    expect(tap, 'one frame', sequence(2, 1, ASK), ['Request_Connection'])
    expect(tap, 'one frame with fill', sequence(2, 1, data(998)), ['Data', 998])
    expect(tap, 'several frames', sequence(2, 1, DATA, 512),
           [''], ['', '', 1], ['Data', 1000, 1, 3, len(DATA)])
    expect(tap, 'several frames with fill', sequence(2, 1, data(997), 1024),
           [''], ['Data', 997, 1, 2, len(DATA) - 3])
    one, other = sequence(2, 1, DATA, 1024), sequence(1, 2, DATA, 1024)
    expect(tap, 'two Sequences at the same time', [one[0], other[0], one[1], other[1]],
           [''], [''], ['Data', 1000, 1, 2, len(DATA)], ['Data', 1000, 2, 2, len(DATA)])
    one = sequence(2, 1, DATA, 1024)
    expect(tap, 'the same OX_ID again', one + one, [''], ['Data', 1000, 1, 2, len(DATA)],
           [''], ['Data', 1000, 3, 2, len(DATA), 'Retransmission of frame 2'])
    tagged = [f[:12] + b'\x81\0\0\x05' + f[12:] for f in one]
    expect(tap, 'behind a VLAN tag', tagged, [''], ['Data', 1000, 1, 2, len(DATA)])


def test_faults(tap):
    frames = sequence(2, 1, DATA, 256)
    expect(tap, 'a missing frame', frames[:2] + frames[3:],
           [''], ['', '', 1], ['', '', 1, '', '', 'SEQ_CNT 3, expected 2'], [''])
    expect(tap, 'no first frame', frames[1:], *[['']] * 4)
    expect(tap, 'a frame of another Exchange', [frames[0], sequence(2, 1, DATA, 256, ox_id=1)[1]],
           [''], [''])
    short = frame(2, 1, b'', f_ctl=FIRST_SEQ | LAST_SEQ | END_SEQ)
    expect(tap, 'no data field', [short],
           ['', '', '', '', '', 'Malformed Packet (Exception occurred)'])


def test_others(tap):
    """Frames that are not of FC-LE look as without the script."""
    els = frame(2, 1, bytes([0x10, 0, 0, 0]) + b'echo', r_ctl=0x22, kind=1)
    found, = dissect(capture([els]), 'fcels')
    tap.result('ELS', [] if 'fcels' in found.protos else [f'{found.protos}'])
    bad, = sequence(2, 1, ASK)
    wrong = values([bad[:-8] + bytes(4) + bad[-4:]])
    tap.result('a wrong CRC', [] if wrong[0][-1] == '0' else [f'{wrong}'])


def test_cut(tap):
    """Frames that end within a header in the capture harm nothing.  Wireshark's dissectors end with
    an exception there, and a Lua function that calls them takes some 200 of those."""
    els = frame(2, 1, bytes([0x10, 0, 0, 0]) + b'echo', r_ctl=0x22, kind=1)
    whole, = sequence(2, 1, ASK)
    for name, cut, size in (('FC header', whole, 40), ('Network_Header', whole, 70),
                            ('ELS', els, 54)):
        frames = [(n / 1000, cut[:size], len(cut)) for n in range(300)]
        text = tshark(pcap([*frames, (1, whole)]), '-2', '-T', 'fields',
                      '-e', 'st.operation', '-e', '_ws.expert.message')
        *found, last = [line.strip() for line in text.split('\n')[:-1]]
        tap.result(f'300 frames that are cut: {name}',
                   [] if found == [''] * 300 and last == 'Request_Connection' else
                   [f'found {len(found)} frames of {set(found)}, and then {last!r}'])


def main():
    tap = Tap()
    for test in (test_golden, test_sequences, test_faults, test_others, test_cut):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
