#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of fcvi.lua: every field of every IU, Messages of several frames, what is marked as an
error, and ST in Messages."""

import re
import sys

from fc_wire import END_SEQ, FIRST_SEQ, LAST_SEQ, frame
from fcvi_wire import (HDR_LEN, IUS, NONE, ON_RR, RD, RR, RESPONDER, ST, TRAILER_LEN, UD, connect,
                       expected, field_of, header, iu, message, send, setup)
from shark import differences, dissect, info, pcap
from st_wire import operation
from tap import Tap
import vectors

BACK = {'dst': 1, 'src': 2}
DATA = bytes(n % 251 for n in range(4000))


def capture(frames):
    return pcap([(n / 1000, f) for n, f in enumerate(frames)])


def expect(tap, name, frames, *wanted):
    """Each wanted is a dictionary of the fields of the capture, with errors as 'errors'."""
    problems = []
    for n, (f, found) in enumerate(zip(frames, dissect(capture(frames), 'fcvi'), strict=True)):
        more = dict(wanted[n]) if n < len(wanted) else {}
        errors = more.pop('errors', [])
        problems += [f'frame {n + 1}: {p}' for p in
                     differences(found, expected(field_of(f), **more), errors)]
    tap.result(name, problems)


def test_golden(tap):
    """The bytes that the KUnit tests have, and the values that they have for them."""
    tests = list(vectors.fcvi_ius())
    frames = [send(v['name'], v['header'] + (vectors.fcvi_payload() if 'CONNECT_R' in v['name'] and
                                             v['name'][-1] in 'T1' else b''),
                   r_ctl=v['r_ctl'], df_ctl=v['df_ctl'], f_ctl=v['f_ctl'], ox_id=n)
              for n, v in enumerate(tests)]
    tap.result('all IUs have vectors',
               sorted(IUS.keys() - {v['name'] for v in tests}))
    for v, found in zip(tests, dissect(capture(frames), 'fcvi'), strict=True):
        name, f = v['name'], v['fields']
        ours = header(name, f.get('handle', 0), f.get('flags', 0), f.get('msg_id', 0),
                      f.get('param', 0), f.get('rmt_va', 0), f.get('rmt_va_handle', 0),
                      f.get('tot_len', f.get('connection_id', 0)))
        problems = [] if ours == v['header'] else [f'the test makes {ours.hex()}']
        wanted = expected(v['header'])
        problems += [f'{n}: found {found.fields.get(n)}, expected {w}' for n, w in wanted.items()
                     if found.fields.get(n) != w]
        tap.result(f'golden vector: {name}', problems)


def test_payload(tap):
    """Payload of a CONNECT_RQST, whose bytes the KUnit tests have, and one with all fields."""
    golden = vectors.fcvi_payload()
    every = connect(0x11223344, ('2001:db8::1', bytes(range(1, 129))),
                    ('::ffff:192.0.2.1', b'x' * 20), bytes(n & 255 for n in range(256)),
                    level=RR, flags=3, size=0xffffffff, pref=0x80, depth=0xfffffffe)
    frames = [iu('CONNECT_RQST', golden, handle=NONE, flags=2, tail=5),
              iu('CONNECT_RQST', every, handle=NONE, flags=0x1a, tail=5, fc={'ox_id': 1}),
              iu('CONNECT_RESP1', every, handle=NONE, flags=0x06, tail=5,
                 fc={'ox_id': 1, **BACK})]
    expect(tap, 'payload of CONNECT_RQST and CONNECT_RESP1', frames, {}, {'response_in': 3},
           {'response_to': 2, 'time': '0.001000000'})


def test_setup(tap):
    """A connection, a Message each way with its Response, and a Disconnect."""
    frames = setup(level=RR) + [
        iu('SEND_RQST', DATA[:99], handle=20, msg_id=1, tail=99, fc={'f_ctl': ON_RR | 8}),
        iu('SEND_RESP', handle=10, msg_id=1, fc=BACK),
        iu('READ_RQST', handle=10, msg_id=1, rmt_va=64, rmt_va_handle=5, tail=400,
           fc={'ox_id': 1, **BACK}),
        iu('READ_RESP', DATA[:400], handle=20, msg_id=1, rmt_va=64, rmt_va_handle=5, tail=400,
           fc={'ox_id': 1}),
        iu('DISCONNECT_RQST', handle=20, flags=2, msg_id=1, fc={'ox_id': 2}),
        iu('DISCONNECT_RESP', handle=10, flags=3, msg_id=1, param=0x4b0000,
           fc={'ox_id': 2, **BACK})]
    link = {'setup': 1, 'level': RR}
    whole = {'message_frames': 1}

    def answer(to, after):
        return {'response_to': to, 'time': f'0.{after:03}000000'}
    expect(tap, 'a connection and its Messages', frames, {'response_in': 2}, answer(1, 1),
           link | answer(1, 2), link | answer(1, 3),
           link | whole | {'response_in': 6, 'message_len': 99}, link | answer(5, 1),
           link | {'response_in': 8},
           link | whole | answer(7, 1) | {'message_len': 400},
           link | {'response_in': 10}, link | answer(9, 1))
    text = [line.strip() for line in info(capture(frames))]
    wanted = ['FCVI_CONNECT_RQST, CONNECTION_ID 00000007',
              'FCVI_SEND_RQST, MSG_ID 1, 99 bytes at 0 of 99',
              'FCVI_DISCONNECT_RESP, CONNECTION_ID 00000000, Disconnect Accept']
    found = [text[0], text[4], text[9]]
    tap.result('Info', [] if found == wanted else [f'found {found}, expected {wanted}'])


def test_messages(tap):
    """Messages of several frames: whole, in another order, with bytes that are missing."""
    one = message('WRITE_RQST', DATA, 1024, handle=3, msg_id=9, rmt_va=4096, rmt_va_handle=1)
    first, more = {}, {'message_first': 1}
    all_of_it = more | {'message_frames': 4, 'message_len': 4000}
    order = '{} {}, expected {}'.format
    expect(tap, 'a Message of several frames', one, first, more, more, all_of_it)
    expect(tap, 'frames in another order', [one[0], one[2], one[1], one[3]], first,
           more | {'errors': [order('SEQ_CNT', 2, 1)]},
           more | {'errors': [order('SEQ_CNT', 1, 3)]}, all_of_it)
    expect(tap, 'the last frame comes early', [one[0], one[1], one[3], one[2]], first, more,
           more | {'errors': [order('SEQ_CNT', 3, 2)]},
           all_of_it | {'errors': [order('SEQ_CNT', 2, 4)]})
    gone = '1024-2047'
    expect(tap, 'a missing frame', [one[0], *one[2:]], first,
           more | {'errors': [order('SEQ_CNT', 2, 1)]},
           more | {'message_missing': gone, 'errors': [f'Bytes {gone} are missing']})
    expect(tap, 'a doubled frame', [one[0], one[1], one[1], *one[2:]], first, more,
           more | {'errors': [order('SEQ_CNT', 1, 2), 'Bytes that have come before']}, more,
           more | {'message_frames': 5, 'message_len': 4000})
    empty = iu('SEND_RQST', handle=3, msg_id=1)
    expect(tap, 'a Message without data', [empty], {'message_frames': 1, 'message_len': 0})
    for name, other in (
            ('two Messages', message('WRITE_RQST', DATA, 2048, handle=3, msg_id=10, rmt_va=4096,
                                     rmt_va_handle=1, fc={'ox_id': 1})),
            ('a Message and an answer', message('READ_RESP', DATA, 2048, handle=3, msg_id=9))):
        expect(tap, f'{name} at the same time', [one[0], other[0], one[1], other[1]], first, first,
               more, {'message_first': 2, 'message_frames': 2, 'message_len': 4000})
    parts = message('SEND_RQST', DATA, 2000, handle=3, msg_id=9)
    parts[0] = iu('SEND_RQST', DATA[:2000], handle=3, msg_id=9, tail=4000,
                  fc={'f_ctl': FIRST_SEQ | END_SEQ | 8, 'seq_id': 0})
    expect(tap, 'a Message of two IUs', parts, first,
           more | {'message_frames': 2, 'message_len': 4000})


DH = {'handle': 1, 'msg_id': 1}
OPEN = {'handle': NONE, 'flags': 1, 'tail': 7}
SEND = FIRST_SEQ | LAST_SEQ | END_SEQ


def changed(at, *values):
    payload = bytearray(connect(10))
    payload[at:at + len(values)] = bytes(values)
    return bytes(payload)


# Name, frame, errors
ERRORS = (
    ('R_CTL', iu('READ_RQST', fc={'r_ctl': 1}, **DH), ['R_CTL 0x01, expected 0x06 for READ_RQST']),
    ('DF_CTL of the other size', frame(2, 1, header('SEND_RQST', **DH), r_ctl=1, kind=0x58,
                                       f_ctl=SEND, df_ctl=1)[:-8 - 16] + bytes(8),
     ['DF_CTL 0x01, expected 0x02 for SEND_RQST']),
    ('responder', iu('READ_RQST', fc={'f_ctl': 0x290000 | RESPONDER}, **DH),
     ['READ_RQST comes from the originator of the Exchange']),
    ('originator', iu('SEND_RESP', fc={'f_ctl': 0x180000}, **DH),
     ['SEND_RESP comes from the responder of the Exchange']),
    ('not in the first Sequence', iu('READ_RQST', fc={'f_ctl': 0x090000}, **DH),
     ['READ_RQST is in the first Sequence of the Exchange']),
    ('in the first Sequence', iu('SEND_RESP', fc={'f_ctl': 0xb80000}, **DH),
     ['SEND_RESP is never in the first Sequence of the Exchange']),
    ('Last_Sequence for Sequence Initiative', iu('READ_RQST', fc={'f_ctl': 0x380000}, **DH),
     ['F_CTL 380000: no Sequence Initiative and Last_Sequence in the last frame of READ_RQST']),
    ('both', iu('SEND_RQST', fc={'f_ctl': 0x390000}, **DH),
     ['F_CTL 390000: Sequence Initiative and Last_Sequence in the last frame of SEND_RQST']),
    ('neither', iu('DISCONNECT_RQST', fc={'f_ctl': 0x280000}, handle=1),
     ['F_CTL 280000: no Sequence Initiative and no Last_Sequence in the last frame of '
      'DISCONNECT_RQST']),
    ('Last_Sequence before the last frame',
     iu('SEND_RQST', DATA[:4], fc={'f_ctl': FIRST_SEQ | LAST_SEQ | 8}, tail=8, **DH),
     ['F_CTL 300008: not the last frame of its Sequence']),
    ('fill before the last frame', iu('SEND_RQST', DATA[:3], fc={'f_ctl': FIRST_SEQ | 8}, tail=8,
                                       **DH),
     ['F_CTL 200009: not the last frame of its Sequence']),
    ('PREF in a setup', iu('CONNECT_RESP2', fc={'cs_ctl': 0x80}, handle=1),
     ['CS_CTL 0x80, expected no PREF in CONNECT_RESP2']),
    ('payload', iu('CONNECT_RESP2', DATA[:4], handle=1),
     ['4 bytes of payload, expected one frame without']),
    ('several frames', iu('READ_RQST', fc={'f_ctl': FIRST_SEQ}, **DH),
     ['0 bytes of payload and more frames, expected one frame without']),
    ('no Relative Offset', iu('SEND_RQST', DATA[:4], fc={'f_ctl': SEND}, tail=4, **DH),
     ['F_CTL 380000: the Parameter is no Relative Offset']),
    ('Parameter', iu('CONNECT_RESP2', fc={'parameter': 16}, handle=1),
     ['Parameter 0x00000010 in CONNECT_RESP2, expected 0']),
    ('handle of CONNECT_RQST', iu('CONNECT_RQST', connect(10), handle=5, flags=1, tail=7),
     ['FCVI_HANDLE 00000005 in CONNECT_RQST, expected ffffffff']),
    ('reserved handle', iu('SEND_RQST', handle=NONE, msg_id=1),
     ['FCVI_HANDLE ffffffff in SEND_RQST is reserved']),
    ('handle of a Disconnect', iu('DISCONNECT_RQST', handle=NONE),
     ['FCVI_HANDLE ffffffff in DISCONNECT_RQST without CONN_SETUP_ABORT']),
    ('abort of a setup', iu('DISCONNECT_RQST', handle=NONE, flags=6, tail=7), []),
    ('reserved RQST_HANDLE', iu('CONNECT_RQST', connect(NONE), **OPEN),
     ['FCVI_RQST_HANDLE ffffffff is reserved']),
    ('reserved CONNECTION_ID', iu('CONNECT_RQST', connect(1), handle=NONE, flags=1, tail=NONE),
     ['FCVI_CONNECTION_ID ffffffff is reserved']),
    ('CONNECTION_ID of a Disconnect', iu('DISCONNECT_RQST', handle=1, tail=NONE), []),
    ('MSG_ID of a setup', iu('CONNECT_RESP2', handle=1, msg_id=3),
     ['FCVI_MSG_ID 0x3 in CONNECT_RESP2, expected 0']),
    ('PARAMETER', iu('READ_RQST', param=9, **DH),
     ['FCVI_PARAMETER 0x9 in READ_RQST, expected 0']),
    ('reserved Reason Code', iu('CONNECT_RESP2', handle=1, flags=1, param=0x060000),
     ['Reason Code 0x06 is not one of CONNECT_RESP2']),
    ('Reason Code of a Disconnect', iu('CONNECT_RESP2', handle=1, flags=1, param=0x400000),
     ['Reason Code 0x40 is not one of CONNECT_RESP2']),
    ('Reason Code of a setup', iu('DISCONNECT_RQST', handle=1, flags=1, param=0x200000),
     ['Reason Code 0x20 is not one of DISCONNECT_RQST']),
    ('Reason Code of a vendor', iu('DISCONNECT_RQST', handle=1, flags=1, param=0xf00055), []),
    ('Reason Explanation', iu('DISCONNECT_RQST', handle=1, flags=1, param=0x01400100),
     ['Reason Explanation 0x1 in DISCONNECT_RQST, expected 0',
      'Reserved byte 0x1 in DISCONNECT_RQST, expected 0']),
    ('reserved flags', iu('SEND_RQST', flags=0x82, **DH),
     ['FCVI_FLAGS 0x82, of which SEND_RQST has 0x01']),
    ('IMM_DATA of a Read', iu('READ_RQST', flags=1, **DH),
     ['FCVI_FLAGS 0x01, of which READ_RQST has 0x00']),
    ('reserved field', iu('SEND_RQST', reserved=0x1234, **DH),
     ['Reserved field 0x1234 in SEND_RQST, expected 0']),
    ('RMT_VA', iu('SEND_RQST', rmt_va=1, rmt_va_handle=2, **DH),
     ['FCVI_RMT_VA in SEND_RQST, expected 0', 'FCVI_RMT_VA_HANDLE 0x2 in SEND_RQST, expected 0']),
    ('an error without RESP_ERR', iu('SEND_RESP', flags=4, **DH),
     ['FCVI_FLAGS 0x04 tell why, but RESP_ERR is 0']),
    ('mode', iu('CONNECT_RQST', connect(10), handle=NONE, flags=3, tail=7),
     ['Connection mode 3, expected 1 or 2']),
    ('revision', iu('CONNECT_RQST', changed(7, 2), **OPEN), ['FCVI_REVISION 2, expected 1']),
    ('HOST_ADD_LEN', iu('CONNECT_RQST', changed(14, 4), **OPEN),
     ['HOST_ADD_LEN 4, expected 16']),
    ('DISCRIM_LEN', iu('CONNECT_RQST', changed(15, 9), **OPEN),
     ['DISCRIM_LEN 9, expected 16 to 128']),
    ('level', iu('CONNECT_RQST', changed(310, 4), **OPEN),
     ['FCVI_RELIABILITY_LVL 4, expected 1 to 3']),
    ('attribute flags', iu('CONNECT_RQST', changed(311, 0x83), **OPEN),
     ['FCVI_ATTR_FLAGS 0x83, of which 0x03 are defined']),
    ('PREF', iu('CONNECT_RQST', changed(316, 1), **OPEN),
     ['FCVI_PREF 0x01, expected 0 or 0x80']),
    ('bandwidth', iu('CONNECT_RQST', changed(323, 1), **OPEN), ['1, expected 0 in this version']),
    ('reserved bytes', iu('CONNECT_RQST', changed(0, 1), **OPEN),
     ['Reserved bytes are 010000000000, expected zeros']),
    ('CONN_INFO without the bytes', iu('CONNECT_RQST', connect(10), handle=NONE, flags=9, tail=7),
     ['340 bytes of payload, expected 596 with FCVI_CONNECT_INFO']),
    ('the bytes without CONN_INFO', iu('CONNECT_RQST', connect(10, info=bytes(256)), **OPEN),
     ['596 bytes of payload, expected 340 without FCVI_CONNECT_INFO']),
    ('more than TOT_LEN', iu('SEND_RQST', DATA[:8], tail=7, **DH),
     ['Bytes up to 8, expected at most 7']),
    ('less than TOT_LEN', iu('SEND_RQST', DATA[:8], tail=9, **DH),
     ['The Message ends after 8 bytes, expected 9', 'Bytes 8-8 are missing']),
    ('an error of a Read', iu('READ_RESP', fc=BACK, flags=5, tail=9, **DH), []),
)


def other_ports(data, number):
    """A frame between two ports that no other number has; its CRC is not looked at."""
    at = HDR_LEN - 24
    return data[:at + 1] + bytes([number]) + data[at + 2:at + 5] + bytes([number]) + data[at + 6:]


class Marked:
    """Tests of what is marked in the last of some frames, whatever its fields are.  All of them
    are in one capture, each between ports of its own."""

    def __init__(self):
        self.frames = []
        self.tests = []

    def add(self, name, frames, wanted):
        base = len(self.frames)
        self.frames += [other_ports(f, len(self.tests)) for f in frames]
        wanted = sorted(re.sub(r'frame (\d+)', lambda m: f'frame {int(m[1]) + base}', w)
                        for w in wanted)
        self.tests.append((name, len(self.frames) - 1, wanted))

    def run(self, tap):
        dissected = dissect(capture(self.frames), 'fcvi')
        for name, last, wanted in self.tests:
            found = sorted(dissected[last].errors)
            tap.result(f'error: {name}', [] if found == wanted else
                       [f'found {found}, expected {wanted}'])


def test_errors(tap):
    marked = Marked()
    for name, data, wanted in ERRORS:
        marked.add(name, [data], wanted)
    refused(marked)
    against_connection(marked)
    against_request(marked)
    marked.run(tap)


def test_cut(tap):
    """Captures that lack the end of a frame."""
    data = iu('SEND_RQST', DATA[:100], handle=1, msg_id=1, tail=100)
    for name, length in (('header', HDR_LEN + 31), ('payload', HDR_LEN + 50)):
        found, = dissect(pcap([(0, data[:length], len(data))]), 'fcvi')
        wanted = [f'{length - HDR_LEN} of 132 bytes']
        tap.result(f'a capture that lacks some of the {name}',
                   [] if found.errors == wanted else [f'found {found.errors}, expected {wanted}'])


def refused(marked):
    """Frames without an IU that could be shown."""
    kinds = {'r_ctl': 1, 'kind': 0x58, 'f_ctl': SEND}
    for name, data, text in (
            ('reserved opcode', frame(2, 1, header('SEND_RQST')[:4] + b'\3' + bytes(27), df_ctl=2,
                                      **kinds), 'FCVI_OPCODE 0x03 is reserved'),
            ('no Device_Header', frame(2, 1, bytes(32), **kinds),
             'DF_CTL 0x00, expected 0x01 or 0x02'),
            ('Device_Header and another', frame(2, 1, bytes(48), df_ctl=0x22, **kinds),
             'DF_CTL 0x22, expected 0x01 or 0x02'),
            ('too short', frame(2, 1, bytes(31), df_ctl=2, **kinds),
             '31 bytes, expected a Device_Header of 32')):
        marked.add(name, [data], [text])


def against_connection(marked):
    """What only the setup tells to be wrong."""
    def after(name, data, wanted, **attrs):
        marked.add(name, setup(**attrs) + data, wanted)
    send_1 = {'handle': 20, 'msg_id': 1}
    after('Read on Unreliable Delivery', [iu('READ_RQST', **send_1)],
          ['READ_RQST on Unreliable Delivery'])
    after('Response on Reliable Delivery', [iu('SEND_RESP', handle=10, msg_id=1, fc=BACK)],
          ['SEND_RESP, expected on Reliable Reception only'], level=RD)
    after('no Response asked for', [iu('SEND_RQST', **send_1)],
          ['The last IU of a request has Last_Sequence, expected Sequence Initiative'], level=RR)
    after('a Response asked for', [iu('SEND_RQST', fc={'f_ctl': ON_RR}, **send_1)],
          ['The last IU of a request has Sequence Initiative, expected Last_Sequence'], level=UD)
    after('no PREF', [iu('SEND_RQST', **send_1)], ['CS_CTL 0x00, expected 0x80 in all frames'],
          prefs=(0x80, 0))
    after('PREF', [iu('SEND_RQST', fc={'cs_ctl': 0x80}, **send_1)],
          ['CS_CTL 0x80, expected no PREF'], prefs=(0, 0x80))
    after('PREF on one side', [iu('SEND_RQST', handle=10, msg_id=1, fc={'cs_ctl': 0x80, **BACK})],
          [], prefs=(0, 0x80))
    after('MSG_ID', [iu('SEND_RQST', handle=20, msg_id=2)], ['MSG_ID 2, expected 1'])
    after('the same MSG_ID', [iu('SEND_RQST', **send_1),
                              iu('SEND_RQST', fc={'ox_id': 1}, **send_1)],
          ['MSG_ID 1 is that of frame 5', 'MSG_ID 1, expected 2'])


def against_request(marked):
    """What only the first frame of an Exchange tells to be wrong."""
    marked.add('CONNECTION_ID', setup()[:2] + [iu('CONNECT_RESP2', handle=20, tail=8)],
              ['CONNECTION_ID 00000008, expected 00000007 of frame 1'])
    marked.add('RETRY', setup()[:2] + [iu('CONNECT_RESP2', handle=20, tail=7, flags=4)],
              ['RETRY is not as in frame 1'])
    marked.add('flags of a Disconnect', [iu('DISCONNECT_RQST', handle=1, flags=2),
                                             iu('DISCONNECT_RESP', handle=2, fc=BACK)],
              ['FCVI_FLAGS 0x00, expected 0x02 as in frame 1'])
    two = message('WRITE_RQST', DATA, 2048, handle=3, msg_id=9, rmt_va=4096, rmt_va_handle=1)
    marked.add('TOT_LEN changes', [two[0], message('WRITE_RQST', DATA[:3000], 2048, handle=3,
                                                       msg_id=9, rmt_va=4096, rmt_va_handle=1)[1]],
              ['TOT_LEN 3000, expected 4000 of frame 1', 'Bytes 2048-3999 are missing',
               'The Message ends after 3000 bytes, expected 4000'])
    marked.add('RMT_VA changes', [two[0], message('WRITE_RQST', DATA, 2048, handle=3, msg_id=9,
                                                      rmt_va=4096, rmt_va_handle=2)[1]],
              ['RMT_VA or its handle is not that of frame 1', 'Bytes 2048-3999 are missing'])


def test_st(tap):
    """ST in Send Messages of its connections, and in all of them by the preference."""
    op = operation('Data', channel=1, payload=DATA[:1000])
    short = operation('Request_Connection', bufx=12, sync=12)
    frames = message('SEND_RQST', op, 512, handle=20, msg_id=1) + [
        iu('SEND_RQST', short, handle=20, msg_id=2, tail=len(short), fc={'ox_id': 1})]

    def shown(name, given, wanted, *options):
        found = [f.fields.get('st.operation') for f in dissect(capture(given), 'st', *options)]
        found = [n for n, f in enumerate(found) if f]
        tap.result(f'ST: {name}', [] if found == wanted else
                   [f'shown in {found}, expected in {wanted}'])
    st = setup(discrim=ST + b'\1')
    shown('its Discriminator', st + frames, [6, 7])
    shown('another Discriminator', setup(discrim=ST[:4] + b'\2') + frames, [])
    shown('no setup', frames, [])
    shown('the preference', frames, [2, 3], '-o', 'fcvi.st:TRUE')
    shown('an RDMA Write', st + [iu('WRITE_RQST', short, handle=20, msg_id=1, tail=len(short))],
          [])
    shown('frames in another order', st + [frames[1], frames[0], frames[2]], [6])
    shown('a missing frame', st + [frames[0], *frames[2:]], [6])
    fields = dissect(capture(st + frames), 'st')[6].fields
    tap.result('ST: fields', [] if fields.get('st.stu.len') == '1000' else [f'{fields}'])


def test_others(tap):
    """Frames that are not of FC-VI have none of its fields."""
    els = frame(2, 1, bytes([0x10, 0, 0, 0]) + b'echo', r_ctl=0x22, kind=1)
    found, = dissect(capture([els]), 'fcvi')
    tap.result('ELS', [] if 'fcvi' not in found.protos else [f'{found.protos}'])
    tagged = iu('SEND_RQST', DATA[:50], handle=1, msg_id=1, tail=50)
    tagged = tagged[:12] + b'\x81\0\0\x05' + tagged[12:]
    found, = dissect(capture([tagged]), 'fcvi')
    tap.result('behind a VLAN tag', differences(found, expected(
        tagged[HDR_LEN + 4:-TRAILER_LEN - 2], message_frames=1, message_len=50)))


def main():
    tap = Tap()
    for test in (test_golden, test_payload, test_setup, test_messages, test_errors, test_cut,
                 test_st, test_others):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
