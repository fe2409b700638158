# SPDX-License-Identifier: GPL-2.0
"""Frames of Fibre Channel over Ethernet as bytes, FC-BB and FC-FS; Sequences of FC-LE, ST A.5."""

import struct
import zlib

FCOE = bytes.fromhex('8906')
FIRST_SEQ, LAST_SEQ, END_SEQ = 0x200000, 0x100000, 0x080000
SOFI3, SOFN3, EOFN, EOFT = 0x2e, 0x36, 0x41, 0x42
LLC_SNAP = bytes.fromhex('aaaa030000008181')
NETWORK_HEADER = 0x20


def mac(n_port_id):
    """Of a VN_Port in VN2VN mode."""
    return b'\x0e\xfd\x00' + n_port_id.to_bytes(3, 'big')


def frame(dst, src, data, r_ctl=4, kind=5, f_ctl=FIRST_SEQ | LAST_SEQ | END_SEQ, seq_id=1, df_ctl=0,
          seq_cnt=0, ox_id=0, crc=None, cs_ctl=0, parameter=0):
    fill = -len(data) % 4
    body = struct.pack('>B3sB3sB3sBBHHHI', r_ctl, dst.to_bytes(3, 'big'), cs_ctl,
                       src.to_bytes(3, 'big'), kind, (f_ctl | fill).to_bytes(3, 'big'), seq_id,
                       df_ctl, seq_cnt, ox_id, 0xffff, parameter) + data + bytes(fill)
    return mac(dst) + mac(src) + FCOE + bytes(13) + bytes([SOFN3 if seq_cnt else SOFI3]) + body + \
        struct.pack('<I', zlib.crc32(body) if crc is None else crc) + \
        bytes([EOFT if f_ctl & END_SEQ else EOFN, 0, 0, 0])


def sequence(dst, src, operation, size=2112, seq_id=1, ox_id=0):
    """The frames of an operation, with data fields of that many bytes at most."""
    data = b'\x10\0\x02\x64\0' + dst.to_bytes(3, 'big') + b'\x10\0\x02\x64\0' + \
        src.to_bytes(3, 'big') + LLC_SNAP + operation
    parts = [data[at:at + size] for at in range(0, len(data), size)]
    return [frame(dst, src, part, seq_id=seq_id, ox_id=ox_id, seq_cnt=n,
                  df_ctl=0 if n else NETWORK_HEADER,
                  f_ctl=FIRST_SEQ | (LAST_SEQ | END_SEQ if n == len(parts) - 1 else 0))
            for n, part in enumerate(parts)]
