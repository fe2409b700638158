#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of st.lua on golden vectors, encapsulations and single operations with errors."""

import sys

from shark import differences, dissect, info, pcap
from st_wire import HEADER, checksum, ethernet, expected, header_fields, operation, snap
from tap import Tap
import vectors

# Sequence of each vector whose header alone tells it
SEQUENCES = {
    'Request_To_Send': 'Write', 'Request_To_Send-with-payload': 'Write',
    'Request_To_Receive': 'Read', 'Request_Answer-pause': '?', 'Request_Answer-reject': '?',
    'Clear_To_Send': '?', 'Data': '?', 'Data-silent-odd': '?',
    'Request_State-slots': 'Slot_state', 'Request_State-transfer': 'Transfer_state',
    'Request_State_Response': 'Block_state', 'Get': 'Get', 'FetchOp-increment': 'FetchOp',
    'FetchOp_Complete': 'FetchOp',
}


def vector_bytes(vector):
    return vector['hdr'] + vector.get('payload', b'')


def by_place(frame, *names):
    """Fields are shown by their place only where they have no name."""
    found = sorted(n for n in frame.fields if n.startswith('st.hdr.') and n not in frame.hidden)
    return [] if found == list(names) else [f'shown by place: {found}, expected {list(names)}']


def test_vectors(tap):
    """Every field of every operation; the header's values are the vectors' named ones."""
    tests = vectors.operations()
    frames = dissect(pcap((n, ethernet(vector_bytes(v))) for n, v in enumerate(tests)), 'st')
    for v, frame in zip(tests, frames, strict=True):
        data = vector_bytes(v)
        h = header_fields(data)
        problems = [f'vector: {n} is {h[n]}, in its header {v.get(n, 0)}' for n in HEADER[1:]
                    if n != 'cksum' and h[n] != v.get(n, 0)]
        name = v['name'].split('-')[0]
        problems += differences(frame, expected(data, name, SEQUENCES.get(v['name'], '-')))
        problems += by_place(frame)
        tap.result(f'vector {v["name"]}', problems)


def test_segments(tap):
    """Cksum over segments, ST 8.3.4; then with a wrong one, and with an operation lost."""
    block = [vector_bytes(v) for v in vectors.segments()]
    bad = [bytearray(data) for data in block]
    bad[1][100] ^= 1
    right = checksum(b''.join(data[:12] + bytes(2) + data[14:] for data in bad[:3]))
    lost = block[1:]
    for name, ops, status in (('whole', block, '33131'), ('damaged', bad, '33031'),
                              ('begins later', lost, '3231')):
        frames = dissect(pcap((n, ethernet(bytes(data))) for n, data in enumerate(ops)), 'st')
        problems = []
        for data, frame, s in zip(ops, frames, status, strict=True):
            errors = [f'Cksum_Error: Cksum 0xa6d1, expected 0x{right:04x}'] if s == '0' else []
            problems += differences(frame, expected(bytes(data), 'Data', '?', int(s)), errors)
        tap.result(f'checksum segments: {name}', problems)


def test_encapsulations(tap):
    """ST A.1 as the driver shows it, A.3, A.4.2; and a capture that cuts payloads off."""
    end = operation('End', d_port=1, s_port=2, d_key=3, d_id=4, s_id=5)
    data = operation('Data', channel=1, flags=['last'], payload=bytes(range(200)), d_id=9)
    cut = ethernet(data)[:14 + 40 + 10]
    head = ethernet(data)[:14 + 40]
    frames = dissect(pcap([
        (0, ethernet(end)), (1, snap(end)), (2, snap(data)), (3, ethernet(bytes(8) + end)),
        (4, ethernet(bytes(8) + data)), (5, cut, len(ethernet(data))),
        (6, head, len(ethernet(data))),
    ]), 'st')
    fill = {'st.fill': bytes(8).hex(':')}
    again = {'st.retransmission_of': '3'}
    first = {'st.retransmission_of': '1'}
    note1, note3 = ['Retransmission of frame 1'], ['Retransmission of frame 3']
    for name, frame, fields, errors in zip(
            ('Ethernet II', 'LLC/SNAP, padded', 'LLC/SNAP', 'fill', 'fill, Data',
             'cut off in the payload', 'cut off behind the header'),
            frames,
            (expected(end, 'End'), expected(end, 'End') | first, expected(data, 'Data', '?'),
             expected(end, 'End') | fill | first, expected(data, 'Data', '?') | fill | again,
             expected(data, 'Data', '?', 2, 50) | again,
             expected(data, 'Data', '?', 2, 40) | again),
            ([], note1, [], note1, note3, note3, note3), strict=True):
        tap.result(f'encapsulation: {name}', differences(frame, fields, errors))


def test_zero(tap):
    """A checksum of zero is sent as x'FFFF', ST 8.3.1."""
    end = operation('End', s_id=checksum(operation('End', cksum=0)))
    frame, = dissect(pcap([(0, ethernet(end))]), 'st')
    wanted = expected(end, 'End') | {'st.cksum': '0xffff'}
    tap.result('checksum of zero', differences(frame, wanted))


# name, arguments of operation(), sequence, errors
ERRORS = (
    ('wrong Cksum', {'name': 'End', 'cksum': 0x1234}, '-',
     ['Cksum_Error: Cksum 0x1234, expected 0x0fff']),
    ('Bufsize 7', {'name': 'Request_Connection', 'bufx': 7, 'sync': 8}, '-',
     ['Illegal_Bufsize_Error: Bufsize 7, expected 8 to 32',
      'Max_STU 8, expected at most Bufsize, 7']),
    ('Bufsize 8 and Max_STU 8', {'name': 'Request_Connection', 'bufx': 8, 'sync': 8}, '-', []),
    ('Bufsize 32 and Max_STU 32', {'name': 'Connection_Answer', 'bufx': 32, 'sync': 32}, '-', []),
    ('Bufsize 33', {'name': 'Connection_Answer', 'bufx': 33, 'sync': 32}, '-',
     ['Illegal_Bufsize_Error: Bufsize 33, expected 8 to 32']),
    ('Max_STU 7', {'name': 'Connection_Answer', 'bufx': 8, 'sync': 7}, '-',
     ['Max_STU 7, expected 8 to 32']),
    ('rejected connection', {'name': 'Connection_Answer', 'flags': ['reject']}, '-', []),
    ('Max_Block 7', {'name': 'Request_To_Send', 'b_id': 7, 'channel': 1}, 'Write',
     ['Max_Block 7, expected 8 to 48']),
    ('Max_Block 49', {'name': 'Request_To_Send', 'b_id': 49, 'channel': 1}, 'Write',
     ['Max_Block 49, expected 8 to 48']),
    ('Blocksize 7', {'name': 'Clear_To_Send', 'param': 7}, '?',
     ['Illegal_Blocksize_Error: Blocksize 7, expected 8 to 48']),
    ('Blocksize 8', {'name': 'Clear_To_Send', 'param': 8}, '?', []),
    ('Blocksize 48', {'name': 'Clear_To_Send', 'param': 48}, '?', []),
    ('Blocksize 49', {'name': 'Clear_To_Send', 'param': 49}, '?',
     ['Illegal_Blocksize_Error: Blocksize 49, expected 8 to 48']),
    ('STU over 2^17 on Data Channel 2', {'name': 'Data', 'channel': 2,
                                         'payload': bytes((1 << 17) + 1)}, '?',
     ['Illegal_STU_Size_Error: 131073 bytes, expected at most 131072']),
    ('STU of 2^17', {'name': 'Data', 'channel': 2, 'payload': bytes(1 << 17)}, '?', []),
    ('Last in End', {'name': 'End', 'flags': ['last']}, '-',
     ['Improper_Flag_Use_Error: flags 0x008, of which End may have 0x040']),
    ('Reject in Data', {'name': 'Data', 'channel': 1, 'flags': ['reject', 'last']}, '?',
     ['Improper_Flag_Use_Error: flags 0x00d, of which Data may have 0x0eb']),
    ('Data Channel in FetchOp_Complete', {'name': 'FetchOp_Complete', 'fn': 7, 'channel': 1},
     'FetchOp',
     ['Improper_Flag_Use_Error: flags 0x701, of which FetchOp_Complete may have 0x740']),
    ('Data Channel 0', {'name': 'Request_To_Receive'}, 'Read',
     ['Data Channel 0 is reserved, expected 1 to 3']),
    ('reserved I-id', {'name': 'Request_To_Receive', 'channel': 3, 's_id': 0xffffffff}, 'Read',
     ['0xffffffff is reserved']),
    ('reserved R-id', {'name': 'Memory_Region_Available', 's_id': 0xffffffff}, '-',
     ['0xffffffff is reserved']),
    ('no such Transfer', {'name': 'Request_State_Response', 's_id': 0xffffffff}, 'Block_state', []),
    ('FetchOp at 12', {'name': 'FetchOp', 'fn': 2, 'channel': 1, 'offset': 12}, 'FetchOp',
     ['R-Offset 12, expected a multiple of 8']),
    ('unused field', {'name': 'End_Ack', 'sync': 1}, '-',
     ['End_Ack has no such field, expected 0']),
    ('optional payload', {'name': 'End_Ack', 'payload': bytes(range(32))}, '-', []),
    ('optional payload of 31', {'name': 'End_Ack', 'payload': bytes(range(31))}, '-',
     ['31 bytes behind the header of a Control operation, expected 0 or 32']),
    ('no Cksum', {'name': 'End', 'cksum': 0}, '-', []),
)


def test_errors(tap):
    """Each error is marked, and nothing else is."""
    ops = [operation(**args, s_port=n, d_port=n) for n, (_, args, _, _) in enumerate(ERRORS)]
    frames = dissect(pcap((n, ethernet(data)) for n, data in enumerate(ops)), 'st')
    for (name, args, sequence, errors), data, frame in zip(ERRORS, ops, frames, strict=True):
        status = {0x1234: 0, 0: 3}.get(args.get('cksum'), 1)
        problems = differences(frame, expected(data, args['name'], sequence, status), errors)
        problems += by_place(frame, *['st.hdr.sync'] * (name == 'unused field'))
        tap.result(f'error: {name}', problems)


def test_undefined(tap):
    """What ST table 2 does not have; fields are shown by their place."""
    ops = [(op, 0, f'Undefined_Opcode_Error: Op 0x{op:02x} is not in ST table 2')
           for op in (0, *range(6, 0x13), 0x19)]
    ops += [(0x15, fn, f'Improper_Flag_Use_Error: Function {fn}, expected 0 to 3 or 7')
            for fn in (4, 5, 6)]
    data = [operation(op, fn, d_port=1, param=n, payload=bytes(n % 3))
            for n, (op, fn, _) in enumerate(ops)]
    frames = dissect(pcap((n, ethernet(d)) for n, d in enumerate(data)), 'st')
    for (op, fn, error), d, frame in zip(ops, data, frames, strict=True):
        fields = expected(d, 'Get', 'Get')
        names = {f'st.{p}' for p in ('operation', 'sequence', 't_len', 'i_mx', 'r_bufx', 'r_offset',
                                     'i_bufx', 'i_offset', 'r_id', 'g_id')}
        tap.result(f'undefined: Op 0x{op:02x}, Function {fn}', differences(
            frame, {n: v for n, v in fields.items() if n not in names}, [error]))


def test_short(tap):
    """Less than a Schedule Header: on the wire, and in the capture."""
    end = ethernet(operation('End', d_port=1, s_port=2, d_key=3, d_id=4, s_id=5))
    cuts = (15, 16, 22, 30, 53)
    frames = dissect(pcap([(n, end[:n]) for n in cuts] +
                          [(n, end[:n], len(end)) for n in cuts]), 'st')
    for n, frame in zip(cuts, frames[:len(cuts)], strict=True):
        problems = [] if frame.errors == [f'{n - 14} bytes, expected a Schedule Header of 40'] \
            else [f'errors: found {frame.errors}']
        tap.result(f'short: {n - 14} bytes on the wire', problems)
    for n, frame in zip(cuts, frames[len(cuts):], strict=True):
        fields = {k: v for k, v in frame.fields.items() if k in ('st.d_port', 'st.s_port')}
        wanted = {'st.d_port': '1', 'st.s_port': '2'} if n >= 22 else {}
        problems = [] if fields == wanted and frame.errors == [] else \
            [f'found {frame.fields}, {frame.errors}']
        tap.result(f'short: {n - 14} bytes captured', problems)


# operation, arguments, field, how its label ends
LABELS = (
    ('Request_Connection', {'bufx': 16}, 'i_bufsize', ': 16 (65536 bytes)'),
    ('Connection_Answer', {'sync': 32}, 'r_max_stu', ': 32 (4294967296 bytes)'),
    ('Request_To_Send', {'b_id': 48}, 'max_block', ': 48 (281474976710656 bytes)'),
    ('Clear_To_Send', {'param': 10}, 'blocksize', ': 10 (1024 bytes)'),
    ('Request_Connection', {'param': 0xffff}, 'i_slots', ': 65535 (not counted)'),
    ('Request_Connection', {}, 'ethertype', ': 0x0000 (no further encapsulation)'),
    ('Request_To_Send', {}, 'cts_req', ": 0 (don't care)"),
    ('Request_To_Send', {}, 't_len', ': 0 (unlimited)'),
    ('Request_To_Receive', {}, 't_len', ': 0 (unlimited)'),
    ('Request_Memory_Region', {}, 't_len', ': 0'),
    ('Get', {}, 't_len', ': 0'),
    ('Request_State', {'b_num': 0xffffffff}, 'b_num', ': 4294967295 (none)'),
    ('Request_State', {'d_id': 0xffffffff}, 'd_id', ': 0xffffffff (Slots only)'),
    ('Request_State_Response', {'offset': 0xffffffff}, 'b_seq', ': 4294967295 (none)'),
    ('Get', {}, 'flags', ', Get'),
    ('FetchOp', {'fn': 1}, 'flags', ', Fetch and Increment'),
    ('FetchOp', {'fn': 2}, 'flags', ', Fetch and Decrement'),
    ('FetchOp', {'fn': 3}, 'flags', ', Fetch and Clear'),
    ('FetchOp_Complete', {'fn': 7}, 'flags', ', FetchOp Complete'),
)


def test_labels(tap):
    """What special values stand for, and sizes in bytes."""
    ops = [operation(name, s_port=n, **args) for n, (name, args, _, _) in enumerate(LABELS)]
    frames = dissect(pcap((n, ethernet(data)) for n, data in enumerate(ops)), 'st')
    for (name, _, field, text), frame in zip(LABELS, frames, strict=True):
        label = frame.labels.get(f'st.{field}', 'nothing')
        tap.result(f'label: {name}, {field}{text}', [] if label.endswith(text) else
                   [f'found {label}'])


def test_info(tap):
    """The line that sums an operation up."""
    ports = {'s_port': 1, 'd_port': 2}
    get = operation('Get', channel=1, param=9, b_id=10, offset=11, d_id=12, s_id=13, **ports)
    ops = ((operation('Request_To_Send', channel=1, param=3, b_id=20, sync=1, b_num=5, s_id=0x70,
                      **ports),
            'Request_To_Send, Write, 1 > 2 CTS_req=3 Max_Block=20 T_len=4294967301 I-id=0x70'),
           (operation('Connection_Answer', flags=['reject'], **ports),
            'Connection_Answer (Reject), 1 > 2 R-Slots=0 R-Bufsize=0 R-Key=0x0 R-Max_STU=0'),
           (get, 'Get, 1 > 2 T_len=9 I-Mx=0xa R-Bufx=0x0 R-Offset=11 I-Bufx=0x0 I-Offset=0 '
                 'R-id=0xc G-id=0xd'),
           (get, '[Retransmission] Get, 1 > 2 T_len=9 I-Mx=0xa R-Bufx=0x0 R-Offset=11 I-Bufx=0x0 '
                 'I-Offset=0 R-id=0xc G-id=0xd'),
           (operation(7), 'undefined Op 0x07, 0 > 0 '),
           (bytes(3), 'Illegal length'))
    lines = info(pcap((n, ethernet(data)) for n, (data, _) in enumerate(ops)))
    for (_, text), line in zip(ops, lines, strict=True):
        tap.result(f'info: {text.strip()}', [] if line.strip() == text.strip() else
                   [f'found {line}'])


def main():
    tap = Tap()
    for test in (test_vectors, test_segments, test_zero, test_encapsulations, test_errors,
                 test_undefined, test_short, test_labels, test_info):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
