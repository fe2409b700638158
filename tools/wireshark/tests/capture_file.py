# SPDX-License-Identifier: GPL-2.0
"""The contents of capture files from tests, decoded without Wireshark."""

import struct

from st_wire import SNAP, ST
import upkt_wire as wire

FILL = 8        # ST A.4.2


def packets(data):
    """(frame number, microseconds, interface, bytes) of a file of pcap or pcapng."""
    pairs = pcapng_packets(data) if data[:4] == b'\x0a\x0d\x0d\x0a' else pcap_packets(data)
    return [(n + 1, *p) for n, p in enumerate(pairs)]


def pcap_packets(data):
    magic, = struct.unpack('<I', data[:4])
    if magic != 0xa1b2c3d4:
        raise ValueError(f'magic number 0x{magic:08x}, expected one of pcap')
    at = 24
    while at < len(data):
        secs, micros, captured, length = struct.unpack_from('<IIII', data, at)
        if captured != length or at + 16 + captured > len(data):
            raise ValueError(f'a packet of {length} bytes is cut off')
        yield secs * 1000000 + micros, 0, data[at + 16:at + 16 + captured]
        at += 16 + captured


def pcapng_packets(data):
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from('<II', data, at)
        if size < 12 or at + size > len(data):
            raise ValueError(f'a block of {size} bytes is cut off')
        if kind == 6:
            number, high, low, captured = struct.unpack_from('<IIII', data, at + 8)
            yield high << 32 | low, number, data[at + 28:at + 28 + captured]
        at += size


class Operation:
    """An ST operation: frame number, time in microseconds, ends, and its bytes."""

    def __init__(self, frame, time, dst, src, data, fill=b''):
        self.frame, self.time, self.dst, self.src = frame, time, dst, src
        self.data, self.fill = data, fill


def ethernet_operations(capture):
    """Of frames with LLC/SNAP, ST A.3, or with EtherType and fill, A.4.2."""
    for frame, time, _, data in packets(capture):
        kind, = struct.unpack_from('>H', data, 12)
        if kind <= 1500:
            if data[14:22] != SNAP + struct.pack('>H', ST):
                raise ValueError(f'frame {frame} is not of ST')
            yield Operation(frame, time, data[:6], data[6:12], data[22:14 + kind])
        else:
            if kind != ST or any(data[14:14 + FILL]):
                raise ValueError(f'frame {frame} is not of ST')
            yield Operation(frame, time, data[:6], data[6:12], data[14 + FILL:],
                            data[14:14 + FILL])


class Line:
    """A direction of a line of HIPPI-6400, which loses nothing."""

    def __init__(self):
        self.next = None        # TSEQ
        self.accepted = {}      # by TSEQ: frame
        self.messages = {}      # by VC: [frame of the Header, data of each micropacket]

    def take(self, frame, upkt):
        """(fields beside those of the micropacket, errors, payload of a Message or None)."""
        first, credit, tseq = upkt[32:35]
        kind, vc = first >> 2 & 15, first & 3
        if kind in (wire.RESET, wire.INIT):
            self.next, self.accepted, self.messages = 0, {}, {}
        sequenced = kind in (wire.HEADER, wire.DATA, wire.ADMIN) or \
            kind in (wire.NULL, wire.CREDIT) and credit >> 2
        if sequenced and tseq != self.next:
            of = self.accepted[tseq]
            return {'hippi6400.retransmission_of': str(of)}, [f'Retransmission of frame {of}'], None
        if sequenced:
            self.accepted[tseq] = frame
            self.next = (tseq + 1) % 255
        if kind == wire.HEADER:
            self.messages[vc] = [frame]
        if kind not in (wire.HEADER, wire.DATA):
            return {}, [], None
        message = self.messages[vc]
        message.append(upkt[:32])
        if not first >> 6 & 1:
            return {}, [], None
        m_len, = struct.unpack_from('>I', message[1], 12)
        # Behind DSAP to EtherType, which M_len counts: HIPPI-6400-PH 4.5
        payload = b''.join(message[1:])[24:16 + m_len]
        return ({'hippi6400.header': str(message[0]), 'hippi6400.upkts': str(len(message) - 1)},
                [], message[1][:24] + payload)


def micropackets(capture):
    """([(bytes, fields, errors) of each micropacket], [Operation])"""
    lines, upkts, operations = (Line(), Line()), [], []
    for frame, time, port, upkt in packets(capture):
        more, errors, message = lines[port].take(frame, upkt)
        upkts.append((upkt, wire.expected(upkt) | more, errors))
        if message and message[22:24] == struct.pack('>H', ST):
            operations.append(Operation(frame, time, message[:6], message[6:12], message[24:]))
    return upkts, operations
