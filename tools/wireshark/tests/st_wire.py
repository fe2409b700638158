# SPDX-License-Identifier: GPL-2.0
"""Operations of ST as bytes, and as the fields that tables 4 to 8 name."""

import struct

HEADER = 'op_flags param d_port s_port d_key cksum b_id bufx offset sync b_num d_id s_id'.split()
FORMAT = '>HHHHIHHIIIIII'
MAC = '0264000000{:02x}'
ST = 0x8181
SNAP = bytes.fromhex('aaaa03000000')

# Op and Function by name, ST table 2 and 8.2
OPS = {
    'Request_Connection': 0x01, 'Connection_Answer': 0x02, 'Request_Disconnect': 0x03,
    'Disconnect_Answer': 0x04, 'Disconnect_Complete': 0x05, 'Request_Memory_Region': 0x13,
    'Memory_Region_Available': 0x14, 'Get': 0x15, 'FetchOp': 0x15, 'FetchOp_Complete': 0x15,
    'Request_To_Send': 0x16, 'Request_Answer': 0x17, 'Request_To_Receive': 0x18,
    'Clear_To_Send': 0x1a, 'Data': 0x1b, 'Request_State': 0x1c, 'Request_State_Response': 0x1d,
    'End': 0x1e, 'End_Ack': 0x1f,
}
FLAGS = {'silent': 7, 'interrupt': 6, 'send_state': 5, 'out_of_order': 4, 'last': 3, 'reject': 2}

# What the fields Param, B_id, Bufx, Offset, Sync, B_num, D_id, S_id carry, by operation
# and sequence, row by row as in tables 4 to 8.  T_len fills Sync and B_num.
PLACES = 'param b_id bufx offset sync b_num d_id s_id'.split()
TABLES = '''
Request_Connection      -              i_slots   ethertype i_bufsize i_key    i_max_stu * * *
Connection_Answer       -              r_slots   * r_bufsize r_key    r_max_stu * * *
Request_Disconnect      -              *         * *         i_key    *        * * *
Disconnect_Answer       -              *         * *         r_key    *        * * *
Disconnect_Complete     -              *         * *         i_key    *        * * *
Request_State           Slot_state     *         * *         *        sync     * d_id *
Request_State           Transfer_state *         * *         *        sync     b_num r_id i_id
Request_State           Block_state    *         * *         *        sync     b_num r_id i_id
Request_State_Response  Slot_state     r_slots   * *         *        sync     * d_id *
Request_State_Response  Transfer_state r_slots   * *         b_seq    sync     b_num i_id r_id
Request_State_Response  Block_state    r_slots   * *         b_seq    sync     b_num i_id r_id
End                     -              *         * *         *        *        * r_id i_id
End_Ack                 -              *         * *         *        *        * i_id r_id
Request_To_Send         Write          cts_req   max_block * *        t_len    t_len * i_id
Request_To_Send         Read           cts_req   max_block * *        t_len    t_len i_id r_id
Request_Answer          ?              *         * *         *        *        * d_id s_id
Request_Answer          Write          *         * *         *        *        * i_id *
Request_Answer          Memory_Region  *         * *         *        *        * i_id *
Request_Answer          Read           *         * *         *        *        * i_id *
Request_Answer          Read_echoed    *         * *         *        *        * r_id *
Request_Answer          Get            *         * *         *        *        * g_id r_id
Request_Answer          FetchOp        *         * *         *        *        * f_id r_id
Request_To_Receive      Read           *         * *         *        t_len    t_len * i_id
Clear_To_Send           ?              blocksize mx bufx     offset   f_offset b_num d_id s_id
Clear_To_Send           Write          blocksize r_mx r_bufx r_offset f_offset b_num i_id r_id
Clear_To_Send           Read           blocksize i_mx i_bufx i_offset f_offset b_num r_id i_id
Data                    ?              stu_num   mx bufx     offset   sync     b_num d_id s_id
Data                    Write          stu_num   r_mx r_bufx r_offset sync     b_num r_id opaque
Data                    Put            stu_num   r_mx r_bufx r_offset sync     b_num r_id opaque
Data                    Read           stu_num   i_mx i_bufx i_offset sync     b_num i_id *
Data                    Get            stu_num   i_mx i_bufx i_offset sync     * g_id r_id
Data                    FetchOp        stu_num   i_mx i_bufx i_offset sync     * f_id r_id
Request_Memory_Region   -              *         * *         *        t_len    t_len * i_id
Memory_Region_Available -              *         r_mx r_bufx r_offset *        * i_id r_id
Get                     Get            t_len     i_mx r_bufx r_offset i_bufx   i_offset r_id g_id
FetchOp                 FetchOp        *         i_mx r_bufx r_offset i_bufx   i_offset r_id f_id
FetchOp_Complete        FetchOp        *         * *         *        sync     * r_id f_id
'''
NAMES = {tuple(row[:2]): dict(zip(PLACES, row[2:]))
         for row in map(str.split, TABLES.strip().splitlines())}
HEX = {'ethertype': 4, 'i_mx': 4, 'r_mx': 4, 'mx': 4} | dict.fromkeys(
    'i_key r_key i_bufx r_bufx bufx i_id r_id g_id f_id d_id s_id sync opaque'.split(), 8)


def checksum(data):
    """The Cksum to transmit for a segment in which it is zero, ST 8.3.1."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f'>{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return (~total & 0xffff) or 0xffff


def operation(name, fn=0, flags=(), channel=0, cksum=None, payload=b'', **fields):
    """An operation as bytes; its Cksum is right unless another is given."""
    bits = fn << 8 | channel | sum(1 << FLAGS[f] for f in flags)
    op = OPS.get(name, name)
    values = [fields.get(n, 0) for n in HEADER]
    values[0] = op << 11 | bits
    if cksum is None:
        cksum = checksum(struct.pack(FORMAT, *values) + payload)
    values[HEADER.index('cksum')] = cksum
    return struct.pack(FORMAT, *values) + payload


def ethernet(data, src=0, dst=1):
    """An Ethernet II frame, as on the ports of the driver."""
    return bytes.fromhex(MAC.format(dst) + MAC.format(src)) + struct.pack('>H', ST) + data


def snap(data, src=0, dst=1):
    """An 802.3 frame with LLC/SNAP, padded to the shortest one, ST A.3."""
    data = SNAP + struct.pack('>H', ST) + data
    return bytes.fromhex(MAC.format(dst) + MAC.format(src)) + struct.pack('>H', len(data)) + \
        data.ljust(46, b'\0')


def show(name, value):
    return f'0x{value:0{HEX[name]}x}' if name in HEX else str(value)


def header_fields(data):
    return dict(zip(HEADER, struct.unpack(FORMAT, data[:40])))


def expected(data, name, sequence='-', status=1, captured=None):
    """What the dissector has to show of an operation: field: value.

    status: of the Cksum: 0 bad, 1 good, 2 unverified, 3 absent
    captured: bytes of it that the capture has
    """
    h = header_fields(data)
    flags = h['op_flags'] & 0x7ff
    out = {
        'st.op': f'0x{h["op_flags"] >> 11:04x}', 'st.operation': name,
        'st.flags': f'0x{flags:04x}', 'st.flags.function': str(flags >> 8),
        'st.flags.channel': str(flags & 3),
        'st.d_port': str(h['d_port']), 'st.s_port': str(h['s_port']),
        'st.d_key': f'0x{h["d_key"]:08x}', 'st.cksum': f'0x{h["cksum"]:04x}',
        'st.cksum.status': str(status),
    }
    out |= {f'st.flags.{f}': str(flags >> bit & 1) for f, bit in FLAGS.items()}
    if name in ('Request_Connection', 'Connection_Answer'):
        out |= {f'st.flags.{f}': str(flags >> bit & 1) for f, bit in
                (('little_endian', 10), ('fetchop', 9), ('memory', 8))}
    if sequence not in '-?':
        out['st.sequence'] = sequence.replace('_echoed', '').replace('_', ' ')
    for place, parameter in NAMES[name, sequence].items():
        width = 4 if place in ('param', 'b_id') else 8
        out[f'st.hdr.{place}'] = f'0x{h[place]:0{width}x}'
        if parameter == 't_len' and place != 'param':
            out['st.t_len'] = str(h['sync'] << 32 | h['b_num'])
        elif parameter != '*':
            out[f'st.{parameter}'] = show(parameter, h[place])
    payload = data[40:captured]
    if payload:
        out['st.stu' if name == 'Data' else 'st.option'] = payload.hex(':')
    if name == 'Data':
        out['st.stu.len'] = str(len(data) - 40)
    return out
