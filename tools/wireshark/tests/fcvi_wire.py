# SPDX-License-Identifier: GPL-2.0
"""IUs of FC-VI as frames, and as the fields that tshark has to show, by tables 1 to 18."""

import ipaddress
import struct

from fc_wire import FCOE, FIRST_SEQ, frame

RESPONDER, INITIATIVE, REL_OFFSET = 0x800000, 0x010000, 0x000008
TYPE_FCVI = 0x58
HDR_LEN, TRAILER_LEN = 14 + 14 + 24, 8  # Ethernet, FCoE, FC; CRC and EOF
NONE = 0xffffffff
UD, RD, RR = 1, 2, 3
ST = b'\x81\x81ST\x01'
HEADER = '>IBBHIIQII'

# Opcode, R_CTL, DF_CTL, and F_CTL of the last frame without bit 3.  SEND_RQST and WRITE_RQST are
# as on Unreliable Delivery.
IUS = {
    'SEND_RQST': (0x00, 0x01, 2, 0x380000), 'WRITE_RQST': (0x01, 0x01, 2, 0x380000),
    'READ_RQST': (0x02, 0x06, 2, 0x290000), 'SEND_RESP': (0x08, 0x07, 1, 0x980000),
    'WRITE_RESP': (0x09, 0x07, 1, 0x980000), 'READ_RESP': (0x0a, 0x01, 2, 0x980000),
    'CONNECT_RQST': (0x10, 0x02, 2, 0x290000), 'DISCONNECT_RQST': (0x12, 0x02, 2, 0x290000),
    'CONNECT_RESP1': (0x18, 0x03, 2, 0x890000), 'CONNECT_RESP2': (0x19, 0x03, 2, 0x090000),
    'CONNECT_RESP3': (0x1a, 0x03, 2, 0x980000), 'DISCONNECT_RESP': (0x1b, 0x03, 2, 0x980000),
}
NAMES = {v[0]: k for k, v in IUS.items()}
ON_RR = 0x290000    # F_CTL of SEND_RQST and WRITE_RQST

ANSWER = {'resp_err': 1, 'desc_err': 2, 'prot_err': 4, 'trans_err': 8}
DISCONNECT = {'conn_sts': 1, 'vi_app_discon': 2, 'conn_setup_abort': 4}
FLAGS = {
    'SEND_RQST': {'imm_data': 1}, 'WRITE_RQST': {'imm_data': 1}, 'READ_RQST': {},
    'SEND_RESP': ANSWER, 'WRITE_RESP': ANSWER, 'READ_RESP': ANSWER,
    'CONNECT_RQST': {'mode': 7, 'conn_info': 8, 'retry': 16},
    'CONNECT_RESP1': {'conn_sts': 1, 'conn_info': 2, 'retry': 4},
    'CONNECT_RESP2': {'conn_sts': 1, 'retry': 4}, 'CONNECT_RESP3': {'conn_sts': 1, 'retry': 4},
    'DISCONNECT_RQST': DISCONNECT, 'DISCONNECT_RESP': DISCONNECT,
}


def header(name, handle=0, flags=0, msg_id=0, param=0, rmt_va=0, rmt_va_handle=0, tail=0,
           reserved=0):
    opcode, _, df_ctl, _ = IUS[name]
    return struct.pack(HEADER, handle, opcode, flags, reserved, msg_id, param, rmt_va,
                       rmt_va_handle, tail)[:16 * df_ctl]


def send(name, data, dst=2, src=1, **fc):
    """A frame of an IU, of the Device_Header and the payload; fc has what frame() takes."""
    _, r_ctl, df_ctl, f_ctl = IUS[name]
    if len(data) > 16 * df_ctl:
        f_ctl |= REL_OFFSET
    return frame(dst, src, data, **{'r_ctl': r_ctl, 'kind': TYPE_FCVI, 'df_ctl': df_ctl,
                                    'f_ctl': f_ctl, **fc})


def iu(name, payload=b'', fc=None, **fields):
    return send(name, header(name, **fields) + payload, **fc or {})


def message(name, payload, size, fc=None, end=None, **fields):
    """The frames of an IU with so many bytes of payload in each."""
    last = IUS[name][3] if end is None else end
    parts = [payload[at:at + size] for at in range(0, len(payload), size)] or [b'']
    return [iu(name, part, **{'tail': len(payload), **fields},
               fc={'seq_cnt': n, 'parameter': n * size,
                   'f_ctl': REL_OFFSET | (last if n == len(parts) - 1 else
                                          last & (FIRST_SEQ | RESPONDER)), **(fc or {})})
            for n, part in enumerate(parts)]


def address(host, discrim):
    return struct.pack('>HBB16s128s', 0, 16, max(16, len(discrim)),
                       ipaddress.IPv6Address(host).packed, discrim)


def attributes(level=UD, flags=0, size=65536, pref=0, depth=31):
    return struct.pack('>HBBIB3xIIII4x', 0, level, flags, size, pref, 0, 0, 0, depth)


def connect(handle, loc=('fe80::1', b'loc'), rem=('fe80::2', b'rem'), info=b'', **attrs):
    """Payload of a FCVI_CONNECT_RQST or FCVI_CONNECT_RESP1."""
    return bytes(6) + struct.pack('>HI', 1, handle) + address(*loc) + address(*rem) + \
        attributes(**attrs) + info


def setup(handles=(10, 20), discrim=b'rem', prefs=(0, 0), **attrs):
    """The four frames of a setup from port 1 to port 2, which succeeds."""
    a, b = handles
    back = {'dst': 1, 'src': 2}
    return [
        iu('CONNECT_RQST', connect(a, rem=('fe80::2', discrim), pref=prefs[0], **attrs),
           handle=NONE, flags=1, tail=7),
        iu('CONNECT_RESP1', connect(b, pref=prefs[1], **attrs), handle=NONE, tail=7, fc=back),
        iu('CONNECT_RESP2', handle=b, tail=7), iu('CONNECT_RESP3', handle=a, tail=7, fc=back),
    ]


def field_of(data):
    """Device_Header and payload of a frame of Ethernet; nothing if it is not of FC-VI."""
    if data[12:14] != FCOE or data[36] != TYPE_FCVI:
        return b''
    return data[HDR_LEN:len(data) - TRAILER_LEN - (data[39] & 3)]


def word(value):
    return f'0x{value:08x}'


def header_fields(data, name):
    """Fields of a Device_Header."""
    handle, opcode, flags, reserved, msg_id, param, va, va_handle, tail = struct.unpack(
        HEADER, data[:32].ljust(32, b'\0'))
    out = {'handle': word(handle), 'opcode': f'0x{opcode:02x}', 'flags': f'0x{flags:02x}',
           'reserved': f'0x{reserved:04x}', 'msg_id': str(msg_id), 'parameter': word(param)}
    bits = FLAGS[name]
    for flag, mask in bits.items():
        value = (flags & mask) // (mask & -mask)
        out[f'flags.{flag}'] = str(value)
    if flags & bits.get('imm_data', 0):
        out['imm_data'] = word(param)
    if flags & bits.get('conn_sts', 0):
        out |= {n: f'0x{param >> at & 255:02x}' for n, at in
                (('reason', 16), ('explanation', 8), ('vendor', 0))}
    if IUS[name][2] == 2:
        out |= {'rmt_va': f'0x{va:016x}', 'rmt_va_handle': word(va_handle)}
        out |= {'tot_len': str(tail)} if opcode < 0x10 else {'connection_id': word(tail)}
    return out


def address_fields(data, who):
    length = data[3]
    host = ipaddress.IPv6Address(data[4:20])
    return {who: data.hex(':'), f'{who}.reserved': data[:2].hex(':'),
            f'{who}.host_add_len': str(data[2]), f'{who}.discrim_len': str(length),
            f'{who}.host_add': f'::ffff:{host.ipv4_mapped}' if host.ipv4_mapped else str(host),
            f'{who}.discrim': data[20:20 + length].hex(':')}


def connect_fields(data, name):
    """Fields of the payload of a FCVI_CONNECT_RQST or FCVI_CONNECT_RESP1."""
    attrs = data[308:340]
    out = {'connect.reserved': data[:6].hex(':'),
           'revision': str(int.from_bytes(data[6:8], 'big')),
           'rqst_handle' if name == 'CONNECT_RQST' else 'resp_handle':
           word(int.from_bytes(data[8:12], 'big'))}
    out |= address_fields(data[12:160], 'loc') | address_fields(data[160:308], 'rem')
    size, bandwidth, low, delay, depth = (
        str(int.from_bytes(attrs[at:at + 4], 'big')) for at in (4, 12, 16, 20, 24))
    out |= {'attrs': attrs.hex(':'), 'attrs.reserved': attrs[:2].hex(':'),
            'attrs.reliability_lvl': str(attrs[2]), 'attrs.flags': f'0x{attrs[3]:02x}',
            'attrs.rdma_write': str(attrs[3] >> 1 & 1), 'attrs.rdma_read': str(attrs[3] & 1),
            'attrs.max_trans_size': size, 'attrs.pref': f'0x{attrs[8]:02x}',
            'attrs.qos_reserved': attrs[9:12].hex(':'), 'attrs.max_bandwidth': bandwidth,
            'attrs.min_bandwidth': low, 'attrs.max_delay': delay,
            'attrs.pipeline_depth': depth, 'attrs.rest': attrs[28:].hex(':')}
    if len(data) > 340:
        out['conn_info'] = data[340:].hex(':')
    return out


def expected(data, **more):
    """All fields of a frame, from its Device_Header and payload; more are those of the capture,
    by names with _ for a point."""
    name = NAMES[data[4]]
    size = 16 * IUS[name][2]
    out = header_fields(data, name)
    payload = data[size:]
    if payload:
        out['len'] = str(len(payload))
        out |= connect_fields(payload, name) if name in ('CONNECT_RQST', 'CONNECT_RESP1') else \
            {'data': payload.hex(':')}
    out |= {n.replace('message_', 'message.'): str(v) for n, v in more.items()}
    return {f'fcvi.{n}': v for n, v in out.items()}
