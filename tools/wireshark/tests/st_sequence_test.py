#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of st.lua on whole sequences: answers, times, retransmissions, and errors that
depend on earlier operations."""

import sys

from shark import differences, dissect, pcap
from st_wire import ethernet, expected, operation
from tap import Tap

A, B = 0, 1     # the ends, by the last byte of their addresses
PORT = {A: 0xa000, B: 0xb000}
KEY = {A: 0xaaaa0001, B: 0xbbbb0002}
STEP = 0.25     # seconds from a frame to the next


class Sequence:
    """Operations of one Virtual Connection, and the expected fields of each."""

    def __init__(self, name):
        self.name = name
        self.frames = []
        self.wanted = []

    def op(self, src, name, sequence='-', to=None, of=None, errors=(), status=1, **fields):
        """An operation from src that answers frame `to` and repeats frame `of`."""
        dst = B if src == A else A
        fields = {'s_port': PORT[src], 'd_port': PORT[dst], 'd_key': KEY[dst]} | fields
        data = operation(name, **fields)
        self.frames.append(ethernet(data, src, dst))
        wanted = expected(data, name, sequence, status)
        number = len(self.frames)
        if to:
            wanted['st.response_to'] = str(to)
            wanted['st.time'] = f'{(number - to) * STEP:.9f}'
            self.wanted[to - 1][0].setdefault('st.response_in', str(number))
        if of:
            wanted['st.retransmission_of'] = str(of)
            errors = [*errors, f'Retransmission of frame {of}']
        self.wanted.append((wanted, errors))

    def waits(self, frame, response):
        """A request that was sent again, and has the answer of the one before."""
        self.wanted[frame - 1][0]['st.response_in'] = str(response)

    def connect(self, bufsize=16, max_stu=12):
        self.op(A, 'Request_Connection', d_key=0, d_port=5001, fn=3, param=64, bufx=bufsize,
                offset=KEY[A], sync=max_stu)
        self.op(B, 'Connection_Answer', fn=3, param=64, bufx=bufsize, offset=KEY[B],
                sync=max_stu, to=len(self.frames))

    def check(self, tap):
        capture = pcap((n * STEP, data) for n, data in enumerate(self.frames))
        frames = dissect(capture, 'st')
        problems = []
        for n, (frame, (fields, errors)) in enumerate(zip(frames, self.wanted, strict=True)):
            problems += [f'frame {n + 1}: {p}' for p in differences(frame, fields, errors)]
        tap.result(f'sequence: {self.name}', problems)


def connection():
    s = Sequence('connection, set up and torn down')
    s.connect()
    s.op(A, 'Request_Disconnect', offset=KEY[A])
    s.op(B, 'Disconnect_Answer', offset=KEY[B], to=3)
    s.op(A, 'Disconnect_Complete', offset=KEY[A], to=4)
    # Its Keys are no longer valid
    s.op(A, 'End', d_key=5, d_id=1, s_id=2)
    # Another one at the same Ports
    s.op(A, 'Request_Connection', d_key=0, d_port=5001, bufx=16, offset=0x77, sync=12)
    s.op(B, 'Connection_Answer', d_key=0x77, flags=['reject'], to=7)
    s.op(A, 'End', d_key=6, d_id=1, s_id=2)
    return s


def repeated_connection():
    s = Sequence('connection, asked for three times')
    ask = {'d_key': 0, 'd_port': 5001, 'bufx': 16, 'offset': KEY[A], 'sync': 12}
    answer = {'bufx': 16, 'offset': KEY[B], 'sync': 12}
    s.op(A, 'Request_Connection', **ask)
    s.op(A, 'Request_Connection', **ask, of=1)
    s.op(B, 'Connection_Answer', **answer, to=1)
    s.waits(2, 3)
    # Asked again as the answer was lost: answered again
    s.op(A, 'Request_Connection', **ask, of=1)
    s.op(B, 'Connection_Answer', **answer, to=4)
    return s


def write():
    s = Sequence('Write, with pause and states')
    s.op(A, 'Request_To_Send', 'Write', channel=1, param=2, b_id=16, b_num=5000, s_id=0x10)
    s.op(A, 'Request_To_Send', 'Write', channel=1, param=2, b_id=16, b_num=5000, s_id=0x10, of=1)
    s.op(B, 'Request_Answer', 'Write', d_id=0x10, to=1)
    s.waits(2, 3)
    for n in range(2):
        s.op(B, 'Clear_To_Send', 'Write', param=12, b_id=7 + n, bufx=n, offset=0, b_num=n,
             d_id=0x10, s_id=0x20, to=1)
    s.op(A, 'Data', 'Write', channel=1, b_id=7, b_num=0, d_id=0x20, s_id=1, payload=b'x' * 9,
         cksum=0, status=3)
    s.op(A, 'Data', 'Write', channel=1, flags=['last', 'send_state'], b_id=7, param=1, b_num=0,
         offset=9, d_id=0x20, s_id=1, sync=5, cksum=0, status=3)
    s.op(B, 'Request_State_Response', 'Block_state', param=9, sync=5, d_id=0x10, s_id=0x20, to=7)
    s.op(A, 'Data', 'Write', channel=1, flags=['last'], b_id=8, bufx=1, b_num=1, d_id=0x20)
    s.op(A, 'Request_State', 'Transfer_state', sync=6, b_num=0xffffffff, d_id=0x20, s_id=0x10)
    s.op(B, 'Request_State_Response', 'Transfer_state', param=9, offset=1, sync=6,
         b_num=0xffffffff, d_id=0x10, s_id=0x20, to=10)
    # The Block again, and the question again: another one, as it was answered
    s.op(B, 'Clear_To_Send', 'Write', param=12, b_id=8, bufx=1, b_num=1, d_id=0x10, s_id=0x20,
         to=1, of=5)
    s.op(A, 'Data', 'Write', channel=1, flags=['last'], b_id=8, bufx=1, b_num=1, d_id=0x20, of=9)
    s.op(A, 'Request_State', 'Transfer_state', sync=6, b_num=0xffffffff, d_id=0x20, s_id=0x10)
    s.op(A, 'Request_State', 'Transfer_state', sync=6, b_num=0xffffffff, d_id=0x20, s_id=0x10,
         of=10)
    s.op(B, 'Request_State_Response', 'Transfer_state', offset=1, sync=6,
         b_num=0xffffffff, d_id=0x10, s_id=0x20, to=14)
    s.waits(15, 16)
    return s


def states():
    s = Sequence('states: Slots, a Block, an unknown Transfer')
    none = 0xffffffff
    s.op(B, 'Request_State', 'Slot_state', sync=3, d_id=none)
    s.op(A, 'Request_State', 'Slot_state', sync=3, d_id=none)
    s.op(B, 'Request_State_Response', 'Slot_state', param=0xffff, sync=3, d_id=none, to=2)
    s.op(A, 'Request_State_Response', 'Slot_state', param=4, sync=3, d_id=none, to=1)
    s.op(A, 'Request_State', 'Block_state', sync=4, b_num=6, d_id=0x20, s_id=0x10)
    # Not received, ST 6.2.4
    s.op(B, 'Request_State_Response', 'Block_state', offset=5, sync=4, b_num=none, d_id=0x10,
         s_id=0x20, to=5)
    s.op(A, 'Request_State', 'Transfer_state', sync=5, b_num=none, d_id=0x99, s_id=0x11)
    s.op(B, 'Request_State_Response', 'Transfer_state', sync=5, b_num=none, d_id=0x11, s_id=none,
         to=7)
    return s


def read():
    s = Sequence('Read, paused, echoed and refused')
    s.op(A, 'Request_To_Receive', 'Read', channel=2, b_num=700, s_id=0x30)
    s.op(B, 'Request_Answer', 'Read', d_id=0x30, to=1)
    s.op(B, 'Request_To_Send', 'Read', channel=2, b_id=20, b_num=700, d_id=0x30, s_id=0x40, to=1)
    s.op(A, 'Request_Answer', 'Read_echoed', d_id=0x40, to=3)
    s.op(A, 'Clear_To_Send', 'Read', param=10, b_id=1, bufx=2, offset=3, sync=3, d_id=0x40,
         s_id=0x30, to=3)
    s.op(B, 'Data', 'Read', channel=2, flags=['last'], b_id=1, bufx=2, offset=3, d_id=0x30,
         payload=b'y' * 700)
    s.op(A, 'Request_To_Receive', 'Read', channel=2, b_num=700, s_id=0x31)
    s.op(B, 'Request_Answer', 'Read', flags=['reject'], d_id=0x31, to=7)
    return s


def region():
    s = Sequence('memory region: Put, Get, FetchOp')
    s.op(A, 'Request_Memory_Region', channel=1, b_num=4096, s_id=0x50)
    s.op(B, 'Request_Answer', 'Memory_Region', d_id=0x50, to=1)
    s.op(B, 'Memory_Region_Available', b_id=3, bufx=4, offset=8, d_id=0x50, s_id=0x60, to=1)
    s.op(A, 'Data', 'Put', channel=1, flags=['last', 'send_state'], b_id=3, bufx=4, offset=8,
         sync=1, d_id=0x60, s_id=0xfeed, payload=b'z' * 33)
    s.op(B, 'Request_State_Response', 'Block_state', sync=1, d_id=0x50, s_id=0x60, to=4)
    s.op(A, 'Get', 'Get', channel=1, param=64, b_id=5, bufx=4, offset=16, sync=6, b_num=7,
         d_id=0x60, s_id=0x70)
    s.op(B, 'Request_Answer', 'Get', d_id=0x70, s_id=0x60, to=6)
    for n in range(2):
        s.op(B, 'Data', 'Get', channel=1, flags=['last'] * n, param=n, b_id=5, bufx=6,
             offset=7 + 32 * n, d_id=0x70, s_id=0x60, payload=b'g' * 32, to=6)
    fetch = {'channel': 1, 'fn': 1, 'b_id': 5, 'bufx': 4, 'offset': 24, 'sync': 6, 'b_num': 7,
             'd_id': 0x60, 's_id': 0x71}
    value = {'channel': 1, 'flags': ['last'], 'b_id': 5, 'bufx': 6, 'offset': 7, 'd_id': 0x71,
             's_id': 0x60, 'payload': b'12345678'}
    s.op(A, 'FetchOp', 'FetchOp', **fetch)
    s.op(B, 'Data', 'FetchOp', **value, sync=9, to=10)
    s.op(A, 'FetchOp', 'FetchOp', **fetch, of=10)
    s.op(B, 'Data', 'FetchOp', **value, sync=9, to=12, of=11)
    s.op(A, 'FetchOp_Complete', 'FetchOp', fn=7, sync=9, d_id=0x60, s_id=0x71, to=11)
    s.waits(13, 14)
    s.op(A, 'FetchOp', 'FetchOp', **{**fetch, 's_id': 0x72})
    s.op(B, 'Request_Answer', 'FetchOp', flags=['reject'], d_id=0x72, s_id=0x60, to=15)
    s.op(A, 'End', d_id=0x60, s_id=0x50)
    s.op(A, 'End', d_id=0x60, s_id=0x50, of=17)
    s.op(B, 'End_Ack', d_id=0x50, s_id=0x60, to=17)
    s.waits(18, 19)
    return s


def different():
    """Each of these once more with one identifier changed, and once more as it was."""
    s = Sequence('the same again, and another one')
    for name, sequence, field, fields in (
            ('Request_Connection', '-', 'offset', {'bufx': 8, 'sync': 8}),
            ('Request_Disconnect', '-', 'offset', {}),
            ('Disconnect_Answer', '-', 'offset', {}),
            ('Disconnect_Complete', '-', 'offset', {}),
            ('Request_Memory_Region', '-', 's_id', {'channel': 1}),
            ('Get', 'Get', 's_id', {'channel': 1}),
            ('FetchOp', 'FetchOp', 's_id', {'channel': 1, 'fn': 1}),
            ('FetchOp', 'FetchOp', 's_id', {'channel': 1, 'fn': 2}),
            ('FetchOp_Complete', 'FetchOp', 's_id', {'fn': 7}),
            ('Request_To_Send', 'Write', 's_id', {'channel': 1, 'b_id': 9}),
            ('Request_To_Send', 'Read', 'd_id', {'channel': 1, 'b_id': 9}),
            ('Request_To_Receive', 'Read', 's_id', {'channel': 1}),
            ('Clear_To_Send', '?', 'd_id', {'param': 9}),
            ('Clear_To_Send', '?', 's_id', {'param': 9, 'd_id': 7}),
            ('Clear_To_Send', '?', 'b_num', {'param': 9, 'd_id': 8}),
            ('Data', '?', 'd_id', {'channel': 1}),
            ('Data', '?', 'b_num', {'channel': 1, 'd_id': 7}),
            ('Request_State', 'Block_state', 'b_num', {}),
            ('Request_State', 'Block_state', 'sync', {'d_id': 7}),
            ('End', '-', 'd_id', {}),
            ('End', '-', 's_id', {'d_id': 7})):
        first = len(s.frames) + 1
        s.op(A, name, sequence, **fields | {field: 0x101})
        s.op(A, name, sequence, **fields | {field: 0x102})
        s.op(A, name, sequence, **fields | {field: 0x101}, of=first)
    return s


def same_identifiers():
    s = Sequence('sequences whose identifiers are the same')
    s.op(A, 'Get', 'Get', channel=1, b_id=5, d_id=0x60, s_id=0x20)
    s.op(A, 'FetchOp', 'FetchOp', channel=1, fn=1, b_id=5, d_id=0x60, s_id=0x20)
    s.op(A, 'Request_To_Send', 'Write', channel=1, b_id=9, b_num=1, s_id=0x20)
    s.op(B, 'Request_Answer', 'FetchOp', d_id=0x20, s_id=0x60, to=2)
    s.op(B, 'Request_Answer', 'Write', d_id=0x20, to=3)
    s.op(B, 'Memory_Region_Available', d_id=0x20, s_id=0x61)    # answers no Request_To_Send
    s.op(B, 'Request_To_Send', 'Write', channel=1, b_id=9, b_num=1, s_id=0x90)
    s.op(A, 'Clear_To_Send', 'Write', param=9, b_id=6, d_id=0x90, s_id=0x20, to=7)
    s.op(B, 'Data', 'Write', channel=1, flags=['last'], b_id=6, d_id=0x20, s_id=0x60)
    s.op(B, 'Data', 'FetchOp', channel=1, flags=['last'], b_id=5, d_id=0x20, s_id=0x60, to=2)
    s.op(A, 'Request_To_Receive', 'Read', channel=1, b_num=1, s_id=0x30)
    s.op(B, 'Clear_To_Send', '?', param=9, d_id=0x30, s_id=0x91)    # nor a Request_To_Receive
    # Another T_len: no echo, but D_id says that it is one
    s.op(B, 'Request_To_Send', 'Read', channel=1, b_id=9, b_num=2, d_id=0x30, s_id=0x92)
    return s


def no_answers():
    s = Sequence('answers to others, which answer nothing')
    s.op(A, 'Request_To_Send', 'Write', channel=1, b_id=16, b_num=1, s_id=0x10)
    s.op(B, 'Clear_To_Send', '?', param=12, d_id=0x11, s_id=0x20)       # another identifier
    s.op(A, 'Clear_To_Send', '?', param=12, d_id=0x10, s_id=0x20)       # the same end
    s.op(B, 'Clear_To_Send', '?', param=12, d_id=0x10, s_id=0x20, s_port=7)     # another Port
    s.op(A, 'End', d_id=1, s_id=2)
    s.op(B, 'End_Ack', d_id=2, s_id=3)
    s.op(A, 'Request_Disconnect', offset=KEY[A])
    s.op(B, 'Disconnect_Answer', offset=1)
    s.op(A, 'Request_State', 'Slot_state', sync=1, d_id=0xffffffff)
    s.op(B, 'Request_State_Response', 'Slot_state', sync=2, d_id=0xffffffff)
    return s


def errors():
    s = Sequence('errors that setup and Blocks tell of')
    s.connect()
    s.op(A, 'End', d_key=0x999, d_id=1, s_id=2,
         errors=['Invalid_Key_Error: D_Key 0x00000999, expected 0xbbbb0002'])
    s.op(B, 'End', d_key=KEY[B], d_id=1, s_id=2,
         errors=['Invalid_Key_Error: D_Key 0xbbbb0002, expected 0xaaaa0001'])
    block = {'channel': 1, 'b_id': 1, 'd_id': 9, 'cksum': 0, 'status': 3}
    s.op(A, 'Data', '?', **block, payload=bytes(4096))
    s.op(A, 'Data', '?', **block, param=1, payload=bytes(4097),
         errors=['Illegal_STU_Size_Error: 4097 bytes, expected at most 4096'])
    s.op(A, 'Data', '?', **block, param=1, of=6)
    s.op(A, 'Data', '?', **block, param=3, offset=65536,
         errors=['Out_Of_Order_STU_Error: STU_num 3, expected 2'])
    s.op(A, 'Data', '?', **block, param=4, offset=65537,
         errors=['Oversized_Offset_Error: Offset 65537, expected at most Bufsize, 65536'])
    s.op(A, 'Get', 'Get', channel=1, param=1, offset=65537, b_num=65537, d_id=1, s_id=2,
         errors=['Oversized_Offset_Error: Offset 65537, expected at most Bufsize, 65536'])
    s.op(B, 'Data', 'Get', channel=1, flags=['send_state', 'last'], offset=65537, d_id=2, s_id=1,
         to=10, errors=['Improper_Flag_Use_Error: flags 0x029, of which Data may have 0x0cb',
                       'Oversized_Offset_Error: Offset 65537, expected at most Bufsize, 65536'])
    # Answered whatever its Key, ST 10.6.1
    s.op(A, 'Request_Disconnect', d_key=0x999, offset=KEY[A])
    return s


def main():
    tap = Tap()
    for make in (connection, repeated_connection, write, states, read, region, different,
                 same_identifiers, no_answers, errors):
        make().check(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
