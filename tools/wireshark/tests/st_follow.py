# SPDX-License-Identifier: GPL-2.0
"""The fields that a dissector has to show for operations between sockets: follows the
sequences of ST clauses 5 and 6 by the tables of the draft, from the first operation on."""

from st_wire import OPS, checksum, expected, header_fields

NONE = 0xffffffff
SEND_STATE, LAST, REJECT = 0x20, 0x08, 0x04
BY_OP = {op: name for name, op in OPS.items() if op != 0x15}
BY_FUNCTION = {0: 'Get', 1: 'FetchOp', 2: 'FetchOp', 3: 'FetchOp', 7: 'FetchOp_Complete'}
# The requests that are answered, table 9 and clauses 5 and 6
ASKING = {'Request_Connection', 'Request_Disconnect', 'Disconnect_Answer', 'Request_Memory_Region',
          'Get', 'FetchOp', 'Request_To_Send', 'Request_To_Receive', 'Request_State', 'End'}
ANSWERING = {'Connection_Answer', 'Disconnect_Answer', 'Disconnect_Complete',
             'Memory_Region_Available', 'FetchOp_Complete', 'Request_Answer', 'Clear_To_Send',
             'Request_State_Response', 'End_Ack'}
# As often as somebody asks
AT_REQUEST = {'Connection_Answer', 'Memory_Region_Available', 'Request_Answer',
              'Request_State_Response', 'End_Ack'}


class Seen:
    """An operation, as far as others refer to it."""

    def __init__(self, operation, h, name):
        self.operation, self.h, self.name = operation, h, name
        self.sequence = '-'
        self.answered_in = None     # frame
        self.answer_to = None       # Seen
        self.again = None           # Seen: the first of those that are the same
        self.stands_for = self      # Seen: who has the answer
        self.cksum_status = None


class Follower:
    def __init__(self):
        self.all = []
        self.asked = {}     # by what the answer says: Seen
        self.sent = {}      # by bytes and ends: the first one of them
        self.regions = {}   # by end that has the memory and its identifier: sequence
        self.segments = {}  # by Block: bytes that the next Cksum covers

    def take(self, operation):
        h = header_fields(operation.data)
        op, flags = h['op_flags'] >> 11, h['op_flags'] & 0x7ff
        name = BY_FUNCTION[flags >> 8] if op == 0x15 else BY_OP[op]
        s = Seen(operation, h, name)
        src, dst = (operation.src, h['s_port']), (operation.dst, h['d_port'])
        self.repeat(s)
        getattr(self, name.lower(), lambda *args: None)(s, h, src, dst)
        s.cksum_status = self.cksum(s, flags & LAST)
        self.all.append(s)

    def repeat(self, s):
        """Late answers cause retransmissions, unchanged except for the requests of Data and
        Clear_To_Send; Request_State may be the same one twice, ST 6.2.9."""
        o, h = s.operation, dict(s.h, cksum=0)
        if s.name == 'Data':
            h |= {'op_flags': 0, 'sync': 0}
        elif s.name == 'Clear_To_Send':
            h |= {'param': 0, 'bufx': 0, 'offset': 0, 'sync': 0}
        first = self.sent.setdefault((s.name, o.src, o.dst, *h.values()), s)
        if first is not s and s.name not in AT_REQUEST and \
                not (s.name == 'Request_State' and first.answered_in):
            s.again = first

    def ask(self, s, *key):
        old = self.asked.get(key)
        if not (s.again and old and not old.answered_in):
            self.asked[key] = s
        else:
            s.stands_for = old

    def answer(self, s, *key):
        asked = self.asked.get(key)
        if asked:
            s.answer_to = asked
            asked.answered_in = asked.answered_in or s.operation.frame
        return asked

    # ST 5.1.1: the Responder answers from the Port that was asked, with the I-Key
    def request_connection(self, s, h, src, dst):
        self.ask(s, 'connect', src, dst[0], h['offset'])

    def connection_answer(self, s, h, src, dst):
        self.answer(s, 'connect', dst, src[0], h['d_key'])

    # ST 5.1.2
    def request_disconnect(self, s, h, src, dst):
        self.ask(s, 'disconnect', src, dst, h['d_key'])

    def disconnect_answer(self, s, h, src, dst):
        self.answer(s, 'disconnect', dst, src, h['offset'])
        self.ask(s, 'complete', src, dst, h['d_key'])

    def disconnect_complete(self, s, h, src, dst):
        self.answer(s, 'complete', dst, src, h['offset'])

    # ST 6.1.2
    def request_to_send(self, s, h, src, dst):
        s.sequence = 'Read' if h['d_id'] and self.answer(s, 'id', dst, src, h['d_id']) else 'Write'
        self.ask(s, 'id', src, dst, h['s_id'])

    def clear_to_send(self, s, h, src, dst):
        s.sequence = self.answer(s, 'id', dst, src, h['d_id']).sequence
        self.regions[src, h['s_id']] = s.sequence

    # ST 6.1.3
    def request_to_receive(self, s, h, src, dst):
        s.sequence = 'Read'
        self.ask(s, 'id', src, dst, h['s_id'])

    # ST 6.1.4.1
    def request_memory_region(self, s, h, src, dst):
        self.ask(s, 'id', src, dst, h['s_id'])

    def memory_region_available(self, s, h, src, dst):
        self.answer(s, 'id', dst, src, h['d_id'])
        self.regions[src, h['s_id']] = 'Put'

    def request_answer(self, s, h, src, dst):
        asked = self.answer(s, 'id', dst, src, h['d_id'])
        s.sequence = asked.sequence
        if asked.name == 'Request_Memory_Region':
            s.sequence = 'Memory_Region'
        elif asked.name == 'Request_To_Send' and s.sequence == 'Read':
            s.sequence = 'Read_echoed'

    # ST 6.1.4.3, 6.1.4.4; S_id of Data, and of the Complete, is as tables 7 and 8 say
    def get(self, s, h, src, dst):
        s.sequence = s.name
        self.ask(s, 'id', src, dst, h['s_id'])

    fetchop = get

    def fetchop_complete(self, s, h, src, dst):
        s.sequence = 'FetchOp'
        self.answer(s, 'fetched', dst, src, h['s_id'], h['sync'])

    def data(self, s, h, src, dst):
        asked = self.asked.get(('id', dst, src, h['d_id']))
        if asked and asked.name in ('Get', 'FetchOp'):
            self.answer(s, 'id', dst, src, h['d_id'])
            s.sequence = asked.sequence
        else:
            s.sequence = self.regions[dst, h['d_id']]
        if s.sequence == 'FetchOp':
            self.ask(s, 'fetched', src, dst, h['d_id'], h['sync'])
        elif h['op_flags'] & SEND_STATE:
            self.ask(s, 'state', src, dst, h['d_id'], h['sync'])

    # ST 6.1.1.1 to 6.1.1.3; an answer has the identifier of the requester in D_id
    def state_of(self, h):
        if h['d_id'] == NONE:
            return 'Slot_state'
        return 'Transfer_state' if h['b_num'] == NONE else 'Block_state'

    def request_state(self, s, h, src, dst):
        s.sequence = self.state_of(h)
        self.ask(s, 'state', src, dst, h['d_id'], h['sync'])

    def request_state_response(self, s, h, src, dst):
        slots = h['d_id'] == NONE
        asked = self.answer(s, 'state', dst, src, NONE if slots else h['s_id'], h['sync'])
        s.sequence = asked.sequence if asked and asked.name == 'Request_State' else \
            self.state_of(h)

    # ST 6.1.1.4
    def end(self, s, h, src, dst):
        self.ask(s, 'end', src, dst, h['d_id'])

    def end_ack(self, s, h, src, dst):
        self.answer(s, 'end', dst, src, h['s_id'])

    def cksum(self, s, last):
        """ST 8.3.1, 8.3.2: 0 bad, 1 good, 3 absent; a segment may have several STUs."""
        data, h = s.operation.data, s.h
        block = s.operation.src, s.operation.dst, h['s_port'], h['d_port'], h['d_id'], h['b_num']
        covered = data[:12] + bytes(2) + data[14:]
        if s.name == 'Data' and h['param']:
            covered = self.segments.pop(block, b'') + covered
        if not h['cksum']:
            if not last:
                self.segments[block] = covered
            return 3
        return int(checksum(covered) == h['cksum'])

    def expected(self):
        """By frame: fields and errors."""
        return {s.operation.frame: (self.fields(s), self.notes(s)) for s in self.all}

    def fields(self, s):
        out = expected(s.operation.data, s.name, s.sequence, s.cksum_status)
        if s.name in ('Request_Memory_Region', 'Memory_Region_Available'):
            out.pop('st.sequence', None)
        if s.operation.fill:
            out['st.fill'] = s.operation.fill.hex(':')
        if s.again:
            out['st.retransmission_of'] = str(s.again.operation.frame)
        if s.stands_for.answered_in:
            out['st.response_in'] = str(s.stands_for.answered_in)
        if s.answer_to:
            micros = s.operation.time - s.answer_to.operation.time
            out['st.response_to'] = str(s.answer_to.operation.frame)
            out['st.time'] = f'{micros // 1000000}.{micros % 1000000:06d}000'
        return out

    def notes(self, s):
        return [f'Retransmission of frame {s.again.operation.frame}'] if s.again else []

    def open_ends(self):
        """Requests without an answer, and answers without a request."""
        return [f'frame {s.operation.frame}: {s.name} is not answered' for s in self.all
                if s.name in ASKING and not s.again and not s.answered_in] + \
            [f'frame {s.operation.frame}: {s.name} answers nothing' for s in self.all
             if s.name in ANSWERING and not s.answer_to]
