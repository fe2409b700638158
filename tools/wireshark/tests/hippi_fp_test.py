#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of hippi_fp.lua: every field of the golden vectors, and each error."""

import struct
import sys

from hippi_fp_vectors import octets, of_kind
from shark import ETHERNET, USER0, differences, dissect, info, pcap, tshark
from st_wire import OPS
from tap import Tap
from upkt_wire import mac, message

ETH = bytes.fromhex('026400000001' '026400000002' '8180')
LE, ST, MP = 0x04, 0x0c, 0x80
UNKNOWN = 0xffffffff
SNAP = bytes.fromhex('aaaa03000000')
# Names of what is wrong, and the beginning of what is said
REASONS = {
    'fp-short': '{} bytes, expected an FP_Header of 8',
    'fp-truncated': '{} bytes, expected at least ',
    'fp-d1-area': 'D1_Area_Size 128, expected at most 127',
    'st-d1-or-offset': 'P ',
    'st-indeterminate': 'D2_Size not known',
    'st-short': 'D2_Size 63, expected at least 64',
    'st-m-len': 'M_len ',
    'st-snap': 'LLC/SNAP header is not AA AA 03 00 00 00 81 81',
    'fp-ulp': 'ULP-id 0x85',
}
# Of st.lua, for what ST itself counts
OF_ST = {'st-op': 'Undefined_Opcode_Error: Op 0x00 is not in ST table 2',
         'st-length': '1 bytes behind the header of a Control operation, expected 0 or 32'}


def packet(ulp, d2, d1=b'', p=None, bits=0, offset=0, size=None, fill=None):
    """A HIPPI-FP packet; P is set with a D1, Fill is to the next word."""
    d1 += bytes(-len(d1) % 8)
    word = ulp << 24 | (bool(d1) if p is None else p) << 23 | bits | len(d1) // 8 << 3 | offset
    d2 = bytes(offset) + d2
    return struct.pack('>II', word, len(d2) - offset if size is None else size) + d1 + d2 + \
        (bytes(-len(d2) % 8) if fill is None else fill)


def le(d2, first=0, length=24, **fields):
    """HIPPI-LE, RFC 2067."""
    d1 = bytes([first]) + bytes.fromhex('000012 22000011 0001 026400000001 0002 026400000002')
    return packet(LE, d2, d1[:length], **fields)


def capture(packets):
    return pcap([(n / 1000, ETH + data) for n, data in enumerate(packets)], ETHERNET)


def le_fields(d1):
    return {'le.fc': d1[0] >> 5, 'le.double_wide': d1[0] >> 4 & 1, 'le.message_type': d1[0] & 15,
            'le.dest_switch': f'0x{d1[1:4].hex()}', 'le.dest_type': d1[4] >> 4,
            'le.source_type': d1[4] & 15, 'le.source_switch': f'0x{d1[5:8].hex()}',
            'le.reserved': f'0x{d1[8:10].hex()}', 'le.dest_ula': mac(d1[10:16]),
            'le.local': f'0x{d1[16:18].hex()}', 'le.source_ula': mac(d1[18:24])}


def st_fields(d2):
    return {'st.d_ula': mac(d2[:6]), 'st.s_ula': mac(d2[6:12]),
            'st.m_len': int.from_bytes(d2[12:16], 'big'), 'st.dsap': f'0x{d2[16]:02x}',
            'st.ssap': f'0x{d2[17]:02x}', 'st.ctl': f'0x{d2[18]:02x}',
            'st.org': f'0x{d2[19:22].hex()}', 'st.ethertype': f'0x{d2[22:24].hex()}'}


def mp_fields(d1, d2):
    out = {'mp.ulp': f'0x{d1[0]:02x}', 'mp.l': d1[1] >> 7, 'mp.rsv': f'0x{d1[1] >> 4 & 7:02x}',
           'mp.source_id': f'0x{int.from_bytes(d1[1:3], "big") & 0xfff:04x}',
           'mp.sequence': d1[3], 'mp.d2_address_offset': int.from_bytes(d1[4:8], 'big')}
    if d1[0] == MP:
        out |= {'mp.mark.instance': f'0x{d2[:4].hex()}',
                'mp.mark.n': int.from_bytes(d2[4:], 'big')}
    return out


def header_fields(data):
    word, size = struct.unpack('>II', data[:8])
    return {'ulp': f'0x{word >> 24:02x}', 'p': word >> 23 & 1, 'b': word >> 22 & 1,
            'reserved': f'0x{word >> 11 & 0x7ff:08x}', 'd1_area_size': word >> 3 & 0xff,
            'd2_offset': word & 7, 'd2_size': size}


def expected(data):
    """What the dissector has to show of a packet: field: value."""
    if len(data) < 8:
        return {}
    out = header_fields(data)
    at = 8 + out['d1_area_size'] * 8 + out['d2_offset']
    end = max(at, len(data)) if out['d2_size'] == UNKNOWN else at + out['d2_size']
    if out['d1_area_size'] <= 127 and end <= len(data):
        d1, d2 = data[8:at - out['d2_offset']], data[at:end]
        parts = {'d1': d1, 'unused': data[at - out['d2_offset']:at], 'd2': d2, 'fill': data[end:]}
        out |= {n: v.hex(':') for n, v in parts.items() if v}
        out['fill.len'] = len(data) - end
        if data[0] == LE and out['p'] and len(d1) >= 24:
            out |= le_fields(d1)
        elif data[0] == ST and len(d2) >= 24:
            out |= st_fields(d2)
        elif data[0] == MP and out['p'] and len(d1) >= 8:
            out |= mp_fields(d1, d2)
    return {f'hippi_fp.{n}': str(v) for n, v in out.items()}


def check(tap, name, data, errors=(), frame=None):
    """Fields and errors of a packet; an error may be the beginning of what is said."""
    frame = frame or dissect(capture([data]), 'hippi_fp')[0]
    found = frame.errors
    frame.errors = [next((e for e in errors if text.startswith(e)), text) for text in found]
    tap.result(name, differences(frame, expected(data), errors))
    return frame


def marked(tap, name, frame, error):
    tap.result(f'{name}: {error}', [] if f'hippi_fp.error.{error}' in frame.labels else
               list(frame.labels))


def test_vectors(tap):
    words = list(of_kind('fp'))
    frames = dissect(capture([octets(w[-1]) for w in words]), 'hippi_fp')
    for (name, ulp, p, b, area, offset, size, d1, d2, data), frame in zip(words, frames):
        d1, d2, data = map(octets, (d1, d2, data))
        head = {'ulp': f'0x{ulp}', 'p': int(p), 'b': int(b), 'reserved': '0x00000000',
                'd1_area_size': int(area), 'd2_offset': int(offset), 'd2_size': int(size)}
        made = packet(int(ulp, 16), d2, d1, bool(int(p)), int(b) << 22, int(offset))
        tap.result(f'{name}: the test reads it right',
                   [] if made == data and header_fields(data) == head else [made.hex()])
        check(tap, name, data, () if int(ulp, 16) == LE else ('ULP-id 0x85',), frame)


def test_st(tap):
    words = list(of_kind('st'))
    data = [octets(w[-1]) for w in words]
    frames = dissect(capture(data), 'hippi_fp')
    seen = tshark(capture(data), '-2', '-T', 'fields', '-e', 'st.op', '-e', 'st.stu.len',
                  '-e', 'st.cksum.status').splitlines()
    for (name, m_len, d_ula, s_ula, op, _), whole, frame, line in zip(words, data, frames, seen):
        d2 = octets(d_ula) + octets(s_ula) + int(m_len, 16).to_bytes(4, 'big') + SNAP + \
            b'\x81\x81' + octets(op)
        tap.result(f'{name}: the test reads it right', [] if packet(ST, d2) == whole else
                   [packet(ST, d2).hex()])
        check(tap, name, whole, (), frame)
        op_name = name.split('-')[0]
        stu = len(op) // 2 - 40 if op_name == 'Data' else ''
        wanted = [f'0x{OPS[op_name]:04x}', str(stu)]
        tap.result(f'{name}: in st.lua', [] if line.split('\t')[:2] == wanted else
                   [f'found {line}, expected {wanted}'])


def test_bad(tap):
    words = list(of_kind('bad'))
    data = [octets(w[2]) for w in words]
    frames = dissect(capture(data), 'hippi_fp')
    inside = dissect(capture(data), 'st')
    for (name, reason, _), whole, frame, st in zip(words, data, frames, inside):
        if reason in OF_ST:
            check(tap, name, whole, (), frame)
            tap.result(f'{name}: in st.lua', [] if OF_ST[reason] in st.errors else st.errors)
        else:
            check(tap, name, whole, (REASONS[reason].format(len(whole)),), frame)
            tap.result(f'{name}: no ST', ['st'] if 'st' in frame.protos else [])
            marked(tap, name, frame, reason.removeprefix('fp-').replace('-', '_'))


def test_odd(tap):
    for name, _, data in of_kind('odd'):
        frame = check(tap, name, octets(data))
        if name.startswith('fp-'):
            tap.result(f'{name}: in st.lua', [] if 'st' in frame.protos else frame.protos)
    skipped = packet(LE, bytes(8), bytes(8), p=False)
    check(tap, 'an area that is skipped', skipped, ('D1_Area of 8 bytes, P 0, expected 24 and 1',))


IP = bytes.fromhex('45000014000000004011f96b0a0000010a000002')
ARP = bytes.fromhex('030c 0800 06 04 0001 026400000001 0a000001 000000000000 0a000002')


def test_le(tap):
    for name, kind, inside, proto in (
            ('IPv4', '0800', IP, 'ip'), ('ARP', '0806', ARP, 'arp'),
            ('IPv6', '86dd', bytes.fromhex('600000000000 3b40') + bytes(32), 'ipv6')):
        frame = check(tap, name, le(SNAP + bytes.fromhex(kind) + inside))
        tap.result(f'{name}: shown by Wireshark',
                   [] if frame.protos[-1] == proto or proto in frame.protos else frame.protos)
    arp = tshark(capture([le(SNAP + b'\x08\x06' + ARP)]), '-T', 'fields', '-e', 'arp.hw.type',
                 '-e', 'arp.hw.size', '-e', 'arp.src.proto_ipv4')
    tap.result('ARP of HIPPI', [] if arp.split() == ['780', '6', '10.0.0.1'] else [arp])
    check(tap, 'every bit of D1', packet(LE, SNAP + b'\x08\0' + IP, b'\xf0' + b'\xff' * 23))
    for name, data, error in (
            ('P is missing', le(SNAP + b'\x08\0' + IP, p=False),
             'D1_Area of 24 bytes, P 0, expected 24 and 1'),
            ('a short D1', le(SNAP + b'\x08\0' + IP, length=16),
             'D1_Area of 16 bytes, P 1, expected 24 and 1'),
            ('a short D2', le(SNAP + b'\x08'), 'D2_Data_Set does not begin with'),
            ('no SNAP', le(b'\xaa\xab' + SNAP[2:] + b'\x08\0' + IP),
             'D2_Data_Set does not begin with'),
            ('Message_Type', le(SNAP + b'\x08\0' + IP, first=3),
             'Message_Type 3, EtherType 0x0800, expected 0'),
            ('EtherType', le(SNAP + b'\x81\x81' + IP),
             'Message_Type 0, EtherType 0x8181, expected 0')):
        frame = check(tap, name, data, (error,))
        marked(tap, name, frame, 'le_type' if 'Type' in name else 'le')


def test_mp(tap):
    for source, instance, n, data in of_kind('mark'):
        frame = check(tap, f'mark of {source}', octets(data))
        found = [frame.fields.get(f'hippi_fp.mp.{x}')
                 for x in ('source_id', 'mark.instance', 'mark.n')]
        wanted = [f'0x0{source}', f'0x{instance}', str(int(n, 16))]
        tap.result(f'mark of {source}: instance and number', [] if found == wanted else found)
    operation = octets(list(of_kind('st'))[0][-1])[8:]
    head = bytes.fromhex('0c80110000000000')
    frame, = dissect(capture([packet(MP, operation, head)]), 'hippi_fp')
    tap.result('a PDU of one chunk is dissected', [] if 'st' in frame.protos else frame.protos)
    tap.result('a chunk of several is not', ['st'] if 'st' in dissect(capture(
        [packet(MP, operation, bytes.fromhex('0c00110000000000'))]), 'hippi_fp')[0].protos else [])
    for name, data in (('P is missing', packet(MP, operation, head, p=False)),
                       ('no D1', packet(MP, operation))):
        check(tap, f'HIPPI-MP: {name}', data, ('D1_Area of ',))
    other = dissect(capture([packet(0x81, operation, head)]), 'hippi_fp', '-o',
                    'hippi_fp.mp_ulp:129')[0]
    tap.result('ULP-id of HIPPI-MP as a preference',
               [] if 'hippi_fp.mp.sequence' in other.fields and 'st' in other.protos
               else [str(other.fields)])


def test_rest(tap):
    st = octets(list(of_kind('st'))[0][-1])
    cut = pcap([(0, ETH + st[:40], len(ETH + st)), (1, ETH + st[:6], len(ETH + st))])
    first, second = dissect(cut, 'hippi_fp')
    tap.result('a capture that has cut packets', [] if first.errors == ['40 bytes of 72'] and
               second.errors == ['6 bytes of 72'] else first.errors + second.errors)
    unknown = packet(0x85, bytes(5), size=UNKNOWN, fill=b'')
    check(tap, 'D2_Size that is not known', unknown, ('ULP-id 0x85',))
    check(tap, 'and an offset behind the end', packet(0x85, b'', size=UNKNOWN, offset=3)[:10],
          ('10 bytes, expected at least 11',))
    found = info(capture([st, packet(0x85, b'x')]))
    tap.result('the Info column', [] if found[0].startswith('Request_Connection,') and
               found[1] == 'ULP 0x85, D2_Size 1' else found)
    # Control operations, too, go on VC1, ST A.2
    upkts = pcap([(n, u) for n, u in enumerate(message(st, 0, vc=1, ethertype=0x8180))], USER0)
    frame = dissect(upkts, 'hippi_fp')[-1]
    tap.result('in a Message of HIPPI-6400', differences(frame, expected(st)))
    operation = dissect(upkts, 'st')[-1]
    tap.result('and its operation', [] if operation.fields and not operation.errors else
               operation.errors + ['no fields' if not operation.fields else ''])


def main():
    tap = Tap()
    for test in (test_vectors, test_st, test_bad, test_odd, test_le, test_mp, test_rest):
        test(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
