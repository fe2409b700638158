# SPDX-License-Identifier: GPL-2.0
"""Packets of RapidIO Type 9 as bytes, and as the fields that RapidIO Part 10 4.2 names."""

import struct

CONT, END, START, SINGLE = range(4)
FLOWS = dict(enumerate('ABCDEF'))


def head(dst, src, channel=0, large=True, ftype=9, tt=None):
    first = (channel >> 3 & 1) << 9 | (channel & 1) << 8 | (channel >> 1 & 3) << 6
    first |= (int(large) if tt is None else tt) << 4 | ftype
    return struct.pack('>HHH' if large else '>HBB', first, dst, src)


def padded(packet):
    return packet + bytes(-len(packet) % 4)


def packets(pdu, mtu=256, dst=7, src=3, cos=0xc0, stream=0xe181, channel=0):
    """The packets of a PDU."""
    parts = [pdu[n:n + mtu] for n in range(0, len(pdu), mtu)]
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        kind = (SINGLE if last else START) if n == 0 else END if last else CONT
        flags = kind << 6
        if last:
            flags |= ((len(part) + 1) // 2 % 2) << 1 | len(part) % 2
        field = {START: stream, SINGLE: stream, END: len(pdu) % 65536}.get(kind)
        out = head(dst, src, channel) + bytes((cos, flags))
        out += struct.pack('>H', field) if field is not None else b''
        yield padded(out + part + bytes(len(part) % 2))


def tunnel(inside, number=0, channel=0, src=3, dst=7, session=0x11223344, **wrong):
    """A frame of RapidIO over Ethernet with these packets."""
    body = struct.pack('>IBBH', number, channel, wrong.get('packets', len(inside)), 0)
    body += b''.join(struct.pack('>H', len(p)) + p for p in inside)
    return bytes(12) + struct.pack('>HBBHHHI', 0x88b5, wrong.get('version', 1), 0, src, dst,
                                   wrong.get('length', len(body)), session) + body


def hello(src=3, flags=1, mtu=256, max_pdu=65536, contexts=1024, hold=3500):
    body = struct.pack('>BBHIIHH', flags, 0, mtu, max_pdu, contexts, hold, 0)
    return b'\xff' * 6 + bytes(6) + struct.pack('>HBBHHHI', 0x88b5, 1, 1, src, 0xffff, len(body),
                                                0x11223344) + body + bytes(18)


def colons(data):
    return ':'.join(f'{b:02x}' for b in data)


def logical_fields(data):
    """Of the part behind the IDs, which is well formed."""
    kind, flags = data[1] >> 6, data[1]
    out = {'cos': f'0x{data[0]:02x}', 'xh': str(flags >> 2 & 1)}
    if flags & 4:
        return out | {'xtype': str(flags >> 3 & 7), 'stream': f'0x{data[2:4].hex()}',
                      'tm.op': str(data[4] >> 4), 'tm.wildcard': str(data[4] & 7),
                      'tm.mask': f'0x{data[5]:02x}', 'tm.param1': f'0x{data[6]:02x}',
                      'tm.param2': f'0x{data[7]:02x}'}
    begin = 2 if kind == CONT else 4
    body = data[begin:]
    if kind in (START, CONT):
        size = len(body) // 4 * 4
    else:
        # The transport has added nothing, or a half-word: O tells
        size = len(body) // 2 * 2
        if size // 2 % 2 != flags >> 1 & 1:
            size -= 2
        size = max(size - (flags & 1), 0)
        out |= {'o': str(flags >> 1 & 1), 'p': str(flags & 1)}
    out |= {'kind': str(kind), 'payload.len': str(size)}
    if kind == END:
        out['length'] = str(int.from_bytes(data[2:4], 'big'))
    elif kind != CONT:
        out['stream'] = f'0x{data[2:4].hex()}'
    if size:
        out['payload'] = colons(body[:size])
    if size < len(body):
        out['pad'] = colons(body[size:])
    return out


def expected(packet):
    """The fields of a well-formed packet, by name."""
    first, = struct.unpack_from('>H', packet)
    channel = (first >> 9 & 1) << 3 | (first >> 6 & 3) << 1 | first >> 8 & 1
    large = first >> 4 & 3
    dst, src = struct.unpack_from('>HH' if large else '>BB', packet, 2)
    out = {'ackid': str(first >> 10), 'vc': str(first >> 9 & 1), 'crf': str(first >> 8 & 1),
           'prio': str(first >> 6 & 3), 'tt': str(large), 'ftype': str(first & 15),
           'channel': str(channel), 'dst': f'0x{dst:04x}', 'src': f'0x{src:04x}'}
    if channel in FLOWS:
        out['flow'] = FLOWS[channel]
    if first & 15 == 9:
        out |= logical_fields(packet[6 if large else 4:])
    return {f'rio9.{name}': value for name, value in out.items()}
