#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of rio9.lua: golden vectors, reassembly, traffic management, ST, and errors."""

import re
import struct
import sys

from rio9_wire import expected, head, packets, padded
from shark import LINUX_SLL, LINUX_SLL2, USER2, differences, dissect, pcap, pcapng, tshark
from st_wire import operation
from tap import Tap
import vectors

ARPHRD_RIO9 = 0x5209
# What the vectors call a counter: text of the expert info
EVENTS = {
    'bad rule3': 'in a single segment', 'bad rule4': 'in a start segment',
    'bad rule5': 'in a continuation segment', 'bad rule6': 'in an end segment',
    'bad rule7': 'bytes that came', 'bad rule9': 'expected the end of the PDU',
    'bad cos_changed': 'of the start', 'bad over_max_pdu': 'expected at most',
    'bad no_context': 'contexts are open', 'drop rule8': 'expected a start segment',
    'drop malformed': r'^(\d+ bytes(, expected| of logical part)|No logical part)',
    'drop bad_tt': '^tt ', 'drop bad_xtype': '^xtype ', 'abort': 'gave the PDU',
}
DERIVED = ('rio9.start', 'rio9.pdu.', 'rio9.tm.operand', 'rio9.tm.message')


def capture(all_packets, gap=0.001):
    return pcap(((n * gap, p) for n, p in enumerate(all_packets)), USER2)


def plain(frame):
    """The fields that are in the packet itself."""
    frame.fields = {n: v for n, v in frame.fields.items() if not n.startswith(DERIVED)}
    return frame


def test_packets(tap):
    found = list(vectors.rio9_packets())
    problems = []
    for n, (v, frame) in enumerate(zip(found, dissect(capture(v['packet'] for v in found), 'rio9'),
                                       strict=True)):
        wanted = expected(v['packet']) | {
            'rio9.tt': str(int(v['large'])), 'rio9.channel': str(v['channel']),
            'rio9.dst': f'0x{v["dst"]:04x}', 'rio9.src': f'0x{v["src"]:04x}'}
        problems += [f'vector {n}: {p}'
                     for p in differences(plain(frame), wanted, frame.errors)]
    tap.result('vectors of packets: every field', problems)


def test_pdus(tap):
    problems, found = [], list(vectors.rio9_pdus())
    all_packets, ends = [], {}
    for v in found:
        for logical in v['logical']:
            all_packets.append(padded(head(7, 3) + logical))
        ends[len(all_packets)] = v
    for n, frame in enumerate(dissect(capture(all_packets), 'rio9'), 1):
        v = ends.get(n)
        wanted = {'rio9.pdu.len': str(v['len']),
                  'rio9.pdu.segments': str(len(v['logical']))} if v else {}
        got = {name: value for name, value in frame.fields.items()
               if name in ('rio9.pdu.len', 'rio9.pdu.segments')}
        if got != wanted:
            problems.append(f'packet {n}: found {got}, expected {wanted}')
        problems += [f'packet {n}: {p}' for p in
                     differences(plain(frame), expected(all_packets[n - 1]))]
    tap.result('vectors of PDUs: every field of every segment', problems[:20])


def wrong_step(event, frame):
    """How a frame differs from what the vectors say, or None."""
    events = [] if event in ('-', 'tm') else event.split(', ')
    events = [e for e in events if e not in ('drop not_ours', 'drop other_ftype')]
    faults = [e for e in events if not e.startswith('good')]
    good = [e.split()[4] for e in events if e.startswith('good')]
    if event != 'drop not_ours' and good != [frame.fields[n] for n in ('rio9.pdu.len',)
                                            if n in frame.fields]:
        return f'found a PDU of {frame.fields.get("rio9.pdu.len")} bytes, expected {event}'
    if len(frame.errors) != len(faults) or not all(
            any(re.search(EVENTS[fault], text) for text in frame.errors) for fault in faults):
        return f'found {frame.errors}, expected {event}'
    return None


def test_cases(tap):
    for v in vectors.rio9_cases():
        limits = [a for n in ('mtu', 'max_pdu', 'contexts') for a in ('-o', f'rio9.{n}:{v[n]}')]
        frames = dissect(capture((p for p, _ in v['steps'])), 'rio9', *limits)
        problems = [f'packet {n}: {wrong}' for n, ((_, event), frame)
                    in enumerate(zip(v['steps'], frames, strict=True))
                    if (wrong := wrong_step(event, frame))]
        tap.result(f'case {v["name"]}', problems)


def test_times(tap):
    first, second = packets(bytes(300))
    for gap, errors in ((0.9, []), (1.1, ['Nothing of the PDU of frame 1 for 1.100 s',
                                          'expected a start segment first'])):
        frames = dissect(capture((first, second), gap), 'rio9')
        tap.result(f'a segment after {gap} s', [] if sorted(frames[1].errors) == errors else
                   [f'found {frames[1].errors}, expected {errors}'])
    longest = list(packets(bytes(65536)))
    frame = dissect(capture(longest, 0), 'rio9')[-1]
    tap.result('the longest PDU', [] if frame.fields.get('rio9.pdu.len') == '65536' and
               frame.fields['rio9.length'] == '0' and not frame.errors else [str(frame.errors)])


# Tables 4-4 to 4-6: what a message of the vectors is shown as
MESSAGES = {
    'XOFF': 'XOFF', 'XON': 'XON', 'user': 'user defined', 'Q_STATUS': 'Q_STATUS {2}/255',
    'MAINTAIN': 'MAINTAIN', 'REDUCE': 'REDUCE .* by {2}/256', 'DOUBLE': 'DOUBLE',
    'INCREASE': 'INCREASE .* by {2}/256', 'ALLOCATE': 'ALLOCATE unit {1}, {2} credits',
    'CREDIT_STATUS': 'CREDIT_STATUS unit {1}, {2} credits', 'application': 'application defined',
}


def test_messages(tap):
    found, problems = list(vectors.rio9_messages()), []
    all_packets = [padded(head(7, 3) + v['logical']) for v in found]
    for v, packet, frame in zip(found, all_packets, dissect(capture(all_packets), 'rio9'),
                                strict=True):
        text, pattern, errors = frame.fields.get('rio9.tm.message', ''), '^$', frame.errors
        if not v['name'].startswith('reserved'):
            kind = next(k for k in MESSAGES if re.search(rf'(^|-){k}', v['name']))
            pattern, errors = MESSAGES[kind].format('', v['param1'] % 16, v['param2']), ()
        elif not any('reserved' in e for e in errors):
            problems.append(f'{v["name"]}: found {errors}, expected that it is reserved')
        wanted = expected(packet) | {
            'rio9.cos': f'0x{v["cos"]:02x}', 'rio9.stream': f'0x{v["stream"]:04x}',
            'rio9.tm.op': str(v['op']), 'rio9.tm.wildcard': str(v['wildcard'])}
        if not re.search(pattern, text):
            problems.append(f'{v["name"]}: found {text!r}, expected {pattern!r}')
        problems += [f'{v["name"]}: {p}' for p in differences(plain(frame), wanted, errors)]
    tap.result('vectors of messages: every field', problems)


def message(op, param1, param2, wildcard=0, mask=0):
    return padded(head(7, 3) + bytes((0x40, 4, 0xe1, 0x81, op << 4 | wildcard, mask, param1,
                                      param2)))


def test_reserved(tap):
    """What a receiver of a message ignores and counts."""
    wrong = [message(4, 0, 0), message(0, 1, 0), message(1, 4, 0), message(1, 2, 0),
             message(2, 3, 0), message(0, 0, 0, 2), message(0, 0, 0, 0, 1),
             message(0, 0, 0, 1, 2), message(0, 0, 0, 5, 0)]
    right = [message(3, 0x55, 0), message(2, 0x1f, 9), message(0, 0, 0xff, 1, 0x3f),
             message(1, 6, 0xff, 3, 0xff), message(0, 0, 0, 7, 1)]
    frames = dissect(capture(wrong + right), 'rio9')
    tap.result('messages: what is reserved is marked',
               [f'message {n}: {f.errors}' for n, f in enumerate(frames)
                if bool(f.errors) != (n < len(wrong))])


def test_others(tap):
    """Of maintenance packets the header, of all others the bytes."""
    read = head(7, 3, ftype=8) + bytes.fromhex('0842ff00003c0000')
    write = head(7, 3, large=False, ftype=8) + bytes.fromhex('1843ff000048') + bytes(8)
    doorbell = head(7, 3, ftype=10) + bytes.fromhex('00112233')
    frames = dissect(capture((read, write, doorbell)), 'rio9')
    for name, frame, packet, more in (
            ('read', frames[0], read, {'ttype': '0', 'size': '8', 'tid': '66', 'hops': '255',
                                       'offset': '0x00003c', 'data': '00:00'}),
            ('write', frames[1], write, {'ttype': '1', 'size': '8', 'tid': '67', 'hops': '255',
                                         'offset': '0x000048', 'data': ':'.join(['00'] * 8)})):
        tap.result(f'maintenance {name}', differences(
            frame, expected(packet) | {f'rio9.maint.{k}': x for k, x in more.items()}))
    tap.result('another logical layer', differences(
        frames[2], expected(doorbell) | {'rio9.data': '00:11:22:33'}))


def sll(data, address, sent=False, stream=0xe181, version=1):
    address = address.to_bytes(2, 'big') + bytes(6)
    if version == 2:
        return struct.pack('>HHIHBB', stream, 0, 1, ARPHRD_RIO9, 4 * sent, 2) + address + data
    return struct.pack('>HHH', 4 * sent, ARPHRD_RIO9, 2) + address + \
        struct.pack('>H', stream) + data


def test_st(tap):
    """Operations of ST, single and in segments, and their sequences."""
    ask = operation('Request_Connection', payload=b'')
    data = operation('Data', payload=bytes(1000))
    ways = {
        'packets': (capture([*packets(ask), *packets(data, channel=2), *packets(ask, stream=1)]),
                    [1, 6]),
        'cooked capture': (pcap([(0, sll(ask, 3)), (1, sll(data, 3, True)),
                                 (2, sll(ask, 3, stream=0xe180))], LINUX_SLL), [1, 2]),
        'cooked capture, version 2': (pcap([(0, sll(ask, 3, version=2)),
                                            (1, sll(data, 3, True, version=2))], LINUX_SLL2),
                                      [1, 2]),
    }
    for name, (file, wanted) in ways.items():
        frames = dissect(file, 'st')
        ops = {n: f.fields['st.operation'] for n, f in enumerate(frames, 1)
               if 'st.operation' in f.fields}
        right = dict(zip(wanted, ('Request_Connection', 'Data')))
        tap.result(f'ST in {name}', [] if ops == right else [f'found {ops}, expected {right}'])
    other = dissect(capture(packets(ask, stream=0x1234)), 'st', '-o', 'rio9.st_stream:1234')
    tap.result('ST on another stream', [] if 'st' in other[0].protos else [str(other[0].protos)])
    ethernet = dissect(pcap([(0, bytes(12) + b'\xe1\x81' + ask)]), 'st')
    tap.result('the streamID is not taken for an EtherType',
               [] if 'st' not in ethernet[0].protos else [str(ethernet[0].protos)])


def test_truncated(tap):
    """A packet that is not all in the capture makes no PDU, and no fault."""
    first, second = packets(bytes(range(256)) + bytes(50))
    frames = dissect(pcap([(0, first[:100], len(first)), (0.1, second)], USER2), 'rio9')
    errors = [e for f in frames for e in f.errors]
    tap.result('a packet cut off in the capture',
               [] if errors == ['90 of 256 bytes of payload'] and
               not any('rio9.pdu.len' in f.fields for f in frames) else [str(errors)])


def test_cut(tap):
    """Cooked packets of others that are cut in the capture do not use up Lua's stack."""
    arp = struct.pack('>HHH8sH', 0, 1, 6, bytes(8), 0x0806) + bytes(28)
    ask, = packets(operation('Request_Connection', bufx=12, sync=12, payload=b''))
    for kind, link in (('SLL', LINUX_SLL), ('SLL2', LINUX_SLL2)):
        head_len = 16 if kind == 'SLL' else 20
        data = arp if kind == 'SLL' else struct.pack('>HHIHBB8s', 0x0806, 0, 1, 1, 0, 6,
                                                     bytes(8)) + bytes(28)
        frames = [(0, data[:head_len + 4], len(data))] * 300 + [(1, ask)]
        lines = tshark(pcapng(frames, (link, USER2)), '-2', '-T', 'fields',
                       '-e', 'st.operation', '-e', '_ws.expert.message').split('\n')[:-1]
        found = [line.strip() for line in lines]
        tap.result(f'300 packets that are cut, {kind}',
                   [] if found == [''] * 300 + ['Request_Connection'] else
                   [f'found {len(found)} packets of {set(found)}'])


def main():
    tap = Tap()
    for test in (test_packets, test_pdus, test_cases, test_times, test_messages, test_reserved,
                 test_others, test_st, test_truncated, test_cut):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
