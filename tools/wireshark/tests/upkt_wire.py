# SPDX-License-Identifier: GPL-2.0
"""Micropackets and Messages of HIPPI-6400 as bytes, and as fields."""

import struct

NULL, CREDIT, HEADER, DATA, ADMIN, RESET, RESET_ACK, INIT, INIT_ACK = 0, 1, 2, 3, 4, 8, 9, 10, 11
KNOWN = (NULL, CREDIT, HEADER, DATA, ADMIN, RESET, RESET_ACK, INIT, INIT_ACK)
NONE = 255
LCRC, ECRC = 0x100b, 0x1021     # HIPPI-6400-PH 4.9
SNAP = bytes.fromhex('aaaa03000000')


def crc(poly, data, value=0xffff):
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value <<= 1
            if value & 0x10000:
                value ^= 0x10000 | poly
    return value


def micropacket(kind, data=bytes(32), vc=0, tail=0, error=0, vcr=0, cr=0, tseq=NONE, rseq=NONE,
                ecrc=None, lcrc=None):
    """A micropacket; CRCs are right unless others are given."""
    if ecrc is None:
        ecrc = crc(ECRC, data)
    out = data + struct.pack('<BBBBH', vc | kind << 2 | tail << 6 | error << 7, vcr | cr << 2,
                             tseq, rseq, ecrc)
    return out + struct.pack('<H', crc(LCRC, out) if lcrc is None else lcrc)


def header(m_len, payload=bytes(8), ethertype=0x8181, dst=1, src=0, snap=SNAP):
    """Data bytes of a Header micropacket, ST figure A.1."""
    return bytes.fromhex(f'0264000000{dst:02x}0264000000{src:02x}') + struct.pack('>I', m_len) + \
        snap + struct.pack('>H', ethertype) + payload


def message(payload, tseq, vc=0, m_len=None, pad=b'\0', **args):
    """The micropackets of a Message."""
    first = header(8 + len(payload) if m_len is None else m_len,
                   payload[:8].ljust(8, pad), **args)
    parts = [first] + [payload[n:n + 32].ljust(32, pad) for n in range(8, len(payload), 32)]
    out, ecrc = [], 0xffff
    for n, data in enumerate(parts):
        ecrc = crc(ECRC, data, ecrc)
        out.append(micropacket(DATA if n else HEADER, data, vc, int(n == len(parts) - 1),
                               tseq=(tseq + n) % 255, ecrc=ecrc))
    return out


def mac(data):
    return ':'.join(f'{b:02x}' for b in data)


def expected(upkt, ecrc_status=1, lcrc_status=1):
    """What the dissector has to show of a micropacket: field: value."""
    first, credit, tseq, rseq, ecrc, lcrc = struct.unpack('<BBBBHH', upkt[32:])
    kind = first >> 2 & 15
    out = {
        'vc': first & 3, 'type': kind, 'tail': first >> 6 & 1, 'error': first >> 7,
        'vcr': credit & 3, 'cr': credit >> 2, 'tseq': tseq, 'rseq': rseq,
        'ecrc': f'0x{ecrc:04x}', 'ecrc.status': ecrc_status,
        'lcrc': f'0x{lcrc:04x}', 'lcrc.status': lcrc_status,
    }
    if kind == HEADER:
        out |= {'d_ula': mac(upkt[:6]), 's_ula': mac(upkt[6:12]),
                'm_len': struct.unpack('>I', upkt[12:16])[0],
                'dsap': f'0x{upkt[16]:02x}', 'ssap': f'0x{upkt[17]:02x}',
                'ctl': f'0x{upkt[18]:02x}', 'org': f'0x{upkt[19:22].hex()}',
                'ethertype': f'0x{upkt[22:24].hex()}',
                'payload': upkt[24:32].hex(':')}
    elif kind == ADMIN:
        out |= {'admin.version': upkt[0], 'admin.opcode': upkt[1], 'admin.hops': upkt[2],
                'admin.length': upkt[3], 'admin.number': struct.unpack('>I', upkt[4:8])[0]}
        if upkt[:2] == b'\1\2':
            out |= {'admin.ula': mac(upkt[8:14]), 'admin.port': upkt[14], 'admin.element': upkt[15],
                    'admin.software': upkt[16:32].rstrip(b'\0').decode()}
        else:
            out['admin.body'] = upkt[8:32].hex(':')
    else:
        out['data'] = upkt[:32].hex(':')
    return {f'hippi6400.{n}': str(v) for n, v in out.items()}
