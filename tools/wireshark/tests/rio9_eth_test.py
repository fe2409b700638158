#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of rio9_eth.lua: frames, their numbers, and the packets in them."""

import sys

from rio9_wire import hello, packets, tunnel
from shark import ETHERNET, differences, dissect, pcap, tshark
from st_wire import operation
from tap import Tap

ASK = operation('Request_Connection')
PDU = list(packets(bytes(600)))


def capture(frames):
    return pcap([(n / 1000, f) for n, f in enumerate(frames)], ETHERNET)


def values(file, *names):
    """Of each frame all values of some fields."""
    text = tshark(file, '-2', '-T', 'fields', *(a for n in names for a in ('-e', n)))
    return [line.split('\t') for line in text.splitlines()]


def data_fields(number, inside, channel=0):
    out = {'version': 1, 'type': 0, 'src': '0x0003', 'dst': '0x0007', 'session': '0x11223344',
           'length': 8 + sum(2 + len(p) for p in inside), 'number': number, 'channel': channel,
           'packets': len(inside), 'reserved': '00:00'}
    if len(inside) == 1:
        out['packet.len'] = len(inside[0])
    return {f'rio9_eth.{n}': str(v) for n, v in out.items()}


def test_golden(tap):
    """A frame and a hello of rio9-eth.rst, byte by byte."""
    packet = bytes.fromhex('00590304010280c2e1816162')
    frame = bytes(12) + bytes.fromhex('88b50100010203040024112233440000000702020000'
                                      '000c00590304010280c2e1816162000c00590304010280c2e1816162')
    tap.result('a frame of two packets', [] if frame == tunnel([packet] * 2, 7, 2, 0x102, 0x304)
               else ['the test makes another'])
    found = values(capture([frame]), 'rio9_eth.number', 'rio9_eth.packets', 'rio9.payload',
                   'rio9.flow')
    right = [['7', '2', '6162,6162', 'C,C']]
    tap.result('a frame of two packets: its fields', [] if found == right else [f'found {found}'])


def test_fields(tap):
    one = list(packets(ASK, channel=4))
    frames = dissect(capture([tunnel(one, 4000000000, 4), hello(flags=7)]), 'rio9_eth')
    tap.result('packets: every field', differences(frames[0], data_fields(4000000000, one, 4)))
    wanted = {'version': 1, 'type': 1, 'src': '0x0003', 'dst': '0xffff', 'session': '0x11223344',
              'length': 16, 'hello.large': 1, 'hello.ask': 1, 'hello.bye': 1, 'hello.mtu': 256,
              'hello.max_pdu': 65536, 'hello.contexts': 1024, 'hello.hold': 3500}
    tap.result('hello: every field',
               differences(frames[1], {f'rio9_eth.{n}': str(v) for n, v in wanted.items()}))


def test_packets(tap):
    """A PDU in several packets of a frame, ones over two frames, and operations in one frame."""
    found = values(capture([tunnel(PDU, 1), tunnel(PDU[:1], 2), tunnel(PDU[1:], 3),
                            tunnel([*packets(ASK), *packets(operation('End'))], 4)]),
                   'rio9.pdu.len', 'rio9.kind', 'st.operation')
    right = [['600', '2,0,1', ''], ['', '2', ''], ['600', '0,1', ''],
             ['40,40', '3,3', 'Request_Connection,End']]
    tap.result('packets in frames', [] if found == right else [f'found {found}'])


def test_numbers(tap):
    """What a receiver drops is marked, and is no part of a PDU."""
    start, middle, end = ([p] for p in PDU)
    steps = [(start, 7, ''), (middle, 8, ''), (middle, 8, 'came already'),
             (start, 6, 'came before it'), (end, 9, ''), (start, 12, '2 frames are missing'),
             (start, 11, 'came before it'), (start, 11 + 2 ** 31, 'expected one behind 12'),
             (start, 500000, 'expected one behind 12'), (PDU, 500001, '')]
    frames = dissect(capture([tunnel(p[:1], n) for p, n, _ in steps]), 'rio9_eth')
    problems = [f'frame {n}: found {frame.errors}, expected {text!r}'
                for n, ((_, _, text), frame) in enumerate(zip(steps, frames, strict=True), 1)
                if len(frame.errors) != bool(text) or text not in ''.join(frame.errors)]
    tap.result('numbers of frames', problems)
    lengths = [v[0] for v in values(capture([tunnel(p, n) for p, n, _ in steps]), 'rio9.pdu.len')]
    tap.result('numbers of frames: PDUs', [] if lengths == [''] * 4 + ['600'] + [''] * 4 + ['600']
               else [f'found {lengths}'])
    other = list(packets(ASK, channel=2))
    frames = dissect(capture([tunnel(start, 5), tunnel(middle, 5, session=1), tunnel(other, 5, 2),
                              tunnel(other, 0xffffffff, 2, session=9),
                              tunnel(other, 0, 2, session=9)]), 'rio9_eth')
    tap.result('numbers: sessions, channels, and after FFFFFFFF',
               [f'frame {n}: {f.errors}' for n, f in enumerate(frames, 1) if f.errors])


def test_errors(tap):
    one = list(packets(ASK))
    for name, frame, text in (
            ('version', tunnel(one, version=2), 'version 2, type 0'),
            ('length', tunnel(one, length=500), 'length 500'),
            ('short length', tunnel(one, length=7), 'length 7'),
            ('packets', tunnel(one, packets=2), '1 packets, expected 2'),
            ('no packet', tunnel([]), '0 packets, expected 0'),
            ('source', tunnel(one, src=4), 'a packet of 0003 to 0007'),
            ('channel', tunnel(one, channel=1), 'on channel 0'),
            ('size of a packet', tunnel([one[0] + b'0']), f'a packet of {len(one[0]) + 1} bytes'),
            ('tt', tunnel([b'\0\x29' + one[0][2:]]), 'a reserved tt'),
            ('MTU', hello(mtu=258), 'MTU 258'), ('MaxPDU', hello(max_pdu=0), 'MaxPDU 0'),
            ('contexts', hello(contexts=65537), 'contexts 65537'),
            ('hold time', hello(hold=499), 'hold time 499'),
            ('ID of 8 bits', hello(src=0x102, flags=0), 'source ID 258')):
        found, = dissect(capture([frame]), 'rio9_eth')
        tap.result(f'wrong {name}', [] if any(text in e for e in found.errors) and
                   'rio9' not in found.protos else [f'found {found.errors}, {found.protos}'])


def main():
    tap = Tap()
    for test in (test_golden, test_fields, test_packets, test_numbers, test_errors):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
