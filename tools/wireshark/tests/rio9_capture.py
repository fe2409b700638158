# SPDX-License-Identifier: GPL-2.0
"""Captures of RapidIO from tests, decoded without Wireshark, and compared with tshark."""

import struct

from capture_file import Operation, packets
from rio9_wire import CONT, END, SINGLE, START, expected
from shark import tshark

ST = 0xe181
OWN, PEER = 1, 2        # IDs: the captures are made at the first
SENT = 4                # sll_pkttype
SLL = 'pkttype hatype halen src.other etype'.split()
TUNNEL = 'version type src dst length session number channel packets reserved packet.len'.split()
HELLO = 'large ask bye mtu max_pdu contexts hold'.split()
PACKET = '''ackid vc crf prio tt ftype channel flow dst src cos xh kind o p stream length payload
            payload.len pad'''.split()
PDU = 'start pdu.stream pdu.len pdu.segments'.split()
WRONG = ['_ws.malformed', '_ws.expert.message']
FIELDS = [f'rio9_eth.{n}' for n in TUNNEL] + [f'rio9_eth.hello.{n}' for n in HELLO] + \
    [f'rio9.{n}' for n in PACKET + PDU] + ['st.operation'] + WRONG


class Pdu:
    """frame: that it ends in; names, by sender: src, dst, cos, stream, data."""

    def __init__(self, frame, time, src, dst, cos, stream):
        self.frame, self.time, self.src, self.dst = frame, time, src, dst
        self.cos, self.stream, self.data, self.segments = cos, stream, b'', 0
        self.first = frame

    def operation(self):
        return Operation(self.frame, self.time, self.dst, self.src, self.data)


def values(capture, fields):
    """Of each frame, by field, all values with commas between them."""
    text = tshark(capture, '-2', '-T', 'fields', *(a for f in fields for a in ('-e', f)))
    return [dict(zip(fields, line.split('\t'))) for line in text.split('\n')[:-1]]


def plain(text):
    """One form of what versions of tshark write in several."""
    return text.replace(':', '').replace('True', '1').replace('False', '0')


def problems(found, wanted):
    """found, wanted: of each frame; what is not wanted has to be empty."""
    out = []
    for n, (f, w) in enumerate(zip(found, wanted, strict=True), 1):
        out += [f'frame {n}: {name}: found {v!r}, expected {w.get(name, "")!r}'
                for name, v in f.items() if plain(v) != plain(w.get(name, ''))]
    return out


def take(opened, frame, time, packet, f):
    """Adds a packet with these fields to its PDU; returns that if it is complete."""
    key, kind = (f['rio9.src'], f['rio9.dst'], f['rio9.channel']), int(f['rio9.kind'])
    if kind in (START, SINGLE):
        opened[key] = Pdu(frame, time, int(f['rio9.src'], 16), int(f['rio9.dst'], 16),
                          int(f['rio9.cos'], 16), int(f['rio9.stream'], 16))
    pdu = opened[key]
    begin = 6 + (2 if kind == CONT else 4)
    pdu.data += packet[begin:begin + int(f['rio9.payload.len'])]
    pdu.segments += 1
    pdu.frame, pdu.time = frame, time
    if kind not in (END, SINGLE):
        return pdu, False
    if kind == END and len(pdu.data) % 65536 != int(f['rio9.length']):
        raise ValueError(f'frame {frame}: a PDU of {len(pdu.data)} bytes')
    del opened[key]
    return pdu, True


def packets_in(frame):
    at = 20
    for _ in range(frame[17]):
        size, = struct.unpack_from('>H', frame, at)
        yield frame[at + 2:at + 2 + size]
        at += 2 + size
    if at != 12 + int.from_bytes(frame[6:8], 'big'):
        raise ValueError(f'packets of {at} bytes, and the frame says something else')


def hello(frame):
    flags, _, mtu, max_pdu, contexts, hold = struct.unpack_from('>BBHIIH', frame, 12)
    found = (flags & 1, flags >> 1 & 1, flags >> 2 & 1, mtu, max_pdu, contexts, hold)
    return {f'rio9_eth.hello.{n}': str(v) for n, v in zip(HELLO, found)}


def tunnel(capture):
    """([fields of each frame], [Pdu], [(names of an end and channel, number)])"""
    fields, pdus, numbers, opened = [], [], [], {}
    for n, time, _, data in packets(capture):
        if data[12:14] != b'\x88\xb5':
            raise ValueError(f'frame {n} is not of the tunnel')
        f = data[14:]
        version, kind, src, dst, length, session = struct.unpack_from('>BBHHHI', f)
        out = dict(zip(FIELDS, (str(version), str(kind), f'0x{src:04x}', f'0x{dst:04x}',
                                str(length), f'0x{session:08x}')))
        fields.append(out)
        if kind:
            out |= hello(f)
            continue
        number, channel = struct.unpack_from('>IB', f, 12)
        numbers.append(((src, dst, channel), number))
        inside = list(packets_in(f))
        lists = {name: [] for name in FIELDS}
        for p in inside:
            one = expected(p)
            pdu, complete = take(opened, n, time, p, one)
            if pdu.first != n:
                one |= {'rio9.start': str(pdu.first), 'rio9.pdu.stream': f'0x{pdu.stream:04x}'}
            if complete:
                one |= {'rio9.pdu.len': str(len(pdu.data)), 'rio9.pdu.segments': str(pdu.segments)}
                pdus.append(pdu)
            for name, v in one.items():
                lists[name].append(v)
        out |= {name: ','.join(v) for name, v in lists.items() if v}
        out |= {'rio9_eth.number': str(number), 'rio9_eth.channel': str(channel),
                'rio9_eth.packets': str(f[17]), 'rio9_eth.reserved': f[18:20].hex(),
                'rio9_eth.packet.len': ','.join(str(len(p)) for p in inside)}
    if opened:
        raise ValueError(f'{len(opened)} PDUs have no end')
    return fields, pdus, numbers


def cooked(capture):
    """([fields of each packet], [Pdu]) of a device rioN; the class is not in such a capture."""
    fields, pdus = [], []
    for n, time, _, data in packets(capture):
        kind, hatype, halen, peer, stream = struct.unpack_from('>HHHH6xH', data)
        ends = (OWN, peer) if kind == SENT else (peer, OWN)
        pdu = Pdu(n, time, *ends, None, stream)
        pdu.data = data[16:]
        pdus.append(pdu)
        found = (str(kind), str(hatype), str(halen), f'{peer:04x}', f'0x{stream:04x}')
        fields.append({f'sll.{name}': v for name, v in zip(SLL, found)})
    return fields, pdus


def right_numbers(numbers):
    """Of the frames of each channel of each end, on a good cable."""
    last, out = {}, []
    for key, number in numbers:
        if key in last and number != (last[key] + 1) % 2 ** 32:
            out.append(f'{key}: number {number} behind {last[key]}')
        last[key] = number
    return out


def pattern(length, n):
    """What rio9_pdu sends as its n-th PDU."""
    data = bytearray((((i >> 8) * 37 + i * 11 + n * 101) & 255) for i in range(length))
    if length >= 4:
        data[:4] = n.to_bytes(4, 'big')
    return bytes(data)


def sent_as(pdus, stream, classes, lengths):
    """How these PDUs differ from those of rio9_pdu in each of the classes."""
    found = [(p.src, p.dst, p.cos, p.data) for p in pdus if p.stream == stream]
    wanted = [(OWN, PEER, cos, pattern(size, n))
              for cos in classes for n, size in enumerate(lengths)]
    out = [f'PDU {n}: found {f[:3]}, {len(f[3])} bytes, expected {w[:3]}, {len(w[3])} bytes'
           for n, (f, w) in enumerate(zip(found, wanted)) if f != w]
    if len(found) != len(wanted):
        out.append(f'{len(found)} PDUs, expected {len(wanted)}')
    return out
