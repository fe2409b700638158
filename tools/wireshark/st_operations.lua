-- SPDX-License-Identifier: GPL-2.0
--
-- The operations of Scheduled Transfer (ST): tables 2 and 4 to 8, as data for st.lua and
-- st_sequences.lua.

local M = {}

-- ST figure 12: Schedule Header, field by field: offset, bytes
M.header = {
	{ name = "op_flags", offset = 0, len = 2 },
	{ name = "param", offset = 2, len = 2 },
	{ name = "d_port", offset = 4, len = 2 },
	{ name = "s_port", offset = 6, len = 2 },
	{ name = "d_key", offset = 8, len = 4 },
	{ name = "cksum", offset = 12, len = 2 },
	{ name = "b_id", offset = 14, len = 2 },
	{ name = "bufx", offset = 16, len = 4 },
	{ name = "offset", offset = 20, len = 4 },
	{ name = "sync", offset = 24, len = 4 },
	{ name = "b_num", offset = 28, len = 4 },
	{ name = "d_id", offset = 32, len = 4 },
	{ name = "s_id", offset = 36, len = 4 },
}

M.HEADER_LEN = 40		-- ST 4.2
M.OPTION_LEN = 32		-- optional payload of a Control operation, ST 4.2
M.NONE = 0xffffffff		-- as an id ST 6.2.1, as a Block number 6.2.4
M.SLOTS_NONE = 0xffff		-- ST 5.2.5

-- ST figure 13
M.FUNCTION, M.SILENT, M.INTERRUPT, M.SEND_STATE = 0x700, 0x080, 0x040, 0x020
M.OUT_OF_ORDER, M.LAST, M.REJECT, M.CHANNEL = 0x010, 0x008, 0x004, 0x003

-- Op codes, ST table 2
M.op = {
	REQUEST_CONNECTION = 0x01, CONNECTION_ANSWER = 0x02, REQUEST_DISCONNECT = 0x03,
	DISCONNECT_ANSWER = 0x04, DISCONNECT_COMPLETE = 0x05, REQUEST_MEMORY_REGION = 0x13,
	MEMORY_REGION_AVAILABLE = 0x14, GET = 0x15, REQUEST_TO_SEND = 0x16,
	REQUEST_ANSWER = 0x17, REQUEST_TO_RECEIVE = 0x18, CLEAR_TO_SEND = 0x1a, DATA = 0x1b,
	REQUEST_STATE = 0x1c, REQUEST_STATE_RESPONSE = 0x1d, END = 0x1e, END_ACK = 0x1f,
}

-- Op x'15' is three operations, distinguished by Function, ST 8.2
M.functions = {
	[0] = "Get", "FetchOp", "FetchOp", "FetchOp",
	[7] = "FetchOp_Complete",
}

-- Flags that an operation may have: its column in tables 4 to 8, ST 10.7.7
local I = M.INTERRUPT
local F, D, O = M.FUNCTION, M.CHANNEL, M.OUT_OF_ORDER
M.flags = {
	Request_Connection = F + I + O,
	Connection_Answer = F + I + O + M.REJECT,
	Request_Disconnect = I,
	Disconnect_Answer = I,
	Disconnect_Complete = I,
	Request_Memory_Region = I + D,
	Memory_Region_Available = I,
	Get = F + I + D,
	FetchOp = F + I + D,
	FetchOp_Complete = F + I,
	Request_To_Send = I + D,
	Request_Answer = I + M.REJECT,
	Request_To_Receive = I + D,
	Clear_To_Send = I,
	Data = M.SILENT + I + M.SEND_STATE + M.LAST + D,
	Request_State = I,
	Request_State_Response = I,
	End = I,
	End_Ack = I,
}

M.names = {}
for code, name in pairs({
	REQUEST_CONNECTION = "Request_Connection", CONNECTION_ANSWER = "Connection_Answer",
	REQUEST_DISCONNECT = "Request_Disconnect", DISCONNECT_ANSWER = "Disconnect_Answer",
	DISCONNECT_COMPLETE = "Disconnect_Complete",
	REQUEST_MEMORY_REGION = "Request_Memory_Region",
	MEMORY_REGION_AVAILABLE = "Memory_Region_Available", GET = "Get, FetchOp, FetchOp_Complete",
	REQUEST_TO_SEND = "Request_To_Send", REQUEST_ANSWER = "Request_Answer",
	REQUEST_TO_RECEIVE = "Request_To_Receive", CLEAR_TO_SEND = "Clear_To_Send",
	DATA = "Data", REQUEST_STATE = "Request_State",
	REQUEST_STATE_RESPONSE = "Request_State_Response", END = "End", END_ACK = "End_Ack",
}) do
	M.names[M.op[code]] = name
end

-- Parameters by operation and by the sequence that it is part of, as in tables 4
-- to 8: header field = parameter.  A header field that is not named is a *: sent as
-- zero and not checked.  T_len of 64 bits is in Sync and B_num (ST 6.2.3).
-- Sequence "?" is for an operation whose Initiator is not known: the end of a
-- parameter is then unknown.
local connection = {
	param = "i_slots", b_id = "ethertype", bufx = "i_bufsize", offset = "i_key",
	sync = "i_max_stu",
}
local put = {
	param = "stu_num", b_id = "r_mx", bufx = "r_bufx", offset = "r_offset", sync = "sync",
	b_num = "b_num", d_id = "r_id", s_id = "opaque",
}
local transfer_state = { sync = "sync", b_num = "b_num", d_id = "r_id", s_id = "i_id" }
local transfer_response = {
	param = "r_slots", offset = "b_seq", sync = "sync", b_num = "b_num", d_id = "i_id",
	s_id = "r_id",
}

M.parameters = {
	Request_Connection = { [""] = connection },
	Connection_Answer = { [""] = {
		param = "r_slots", bufx = "r_bufsize", offset = "r_key", sync = "r_max_stu",
	} },
	Request_Disconnect = { [""] = { offset = "i_key" } },
	Disconnect_Answer = { [""] = { offset = "r_key" } },
	Disconnect_Complete = { [""] = { offset = "i_key" } },
	Request_Memory_Region = { [""] = { sync = "t_len", s_id = "i_id" } },
	Memory_Region_Available = { [""] = {
		b_id = "r_mx", bufx = "r_bufx", offset = "r_offset", d_id = "i_id", s_id = "r_id",
	} },
	Get = { Get = {
		param = "t_len", b_id = "i_mx", bufx = "r_bufx", offset = "r_offset",
		sync = "i_bufx", b_num = "i_offset", d_id = "r_id", s_id = "g_id",
	} },
	FetchOp = { FetchOp = {
		b_id = "i_mx", bufx = "r_bufx", offset = "r_offset", sync = "i_bufx",
		b_num = "i_offset", d_id = "r_id", s_id = "f_id",
	} },
	FetchOp_Complete = { FetchOp = { sync = "sync", d_id = "r_id", s_id = "f_id" } },
	Request_To_Send = {
		Write = { param = "cts_req", b_id = "max_block", sync = "t_len", s_id = "i_id" },
		Read = {
			param = "cts_req", b_id = "max_block", sync = "t_len", d_id = "i_id",
			s_id = "r_id",
		},
	},
	Request_Answer = {
		Write = { d_id = "i_id" },
		Read = { d_id = "i_id" },			-- to Request_To_Receive
		["Read, echoed"] = { d_id = "r_id" },		-- to its Request_To_Send
		["Memory Region"] = { d_id = "i_id" },
		Get = { d_id = "g_id", s_id = "r_id" },
		FetchOp = { d_id = "f_id", s_id = "r_id" },
		["?"] = { d_id = "d_id", s_id = "s_id" },
	},
	Request_To_Receive = { Read = { sync = "t_len", s_id = "i_id" } },
	Clear_To_Send = {
		Write = {
			param = "blocksize", b_id = "r_mx", bufx = "r_bufx", offset = "r_offset",
			sync = "f_offset", b_num = "b_num", d_id = "i_id", s_id = "r_id",
		},
		Read = {
			param = "blocksize", b_id = "i_mx", bufx = "i_bufx", offset = "i_offset",
			sync = "f_offset", b_num = "b_num", d_id = "r_id", s_id = "i_id",
		},
		["?"] = {
			param = "blocksize", b_id = "mx", bufx = "bufx", offset = "offset",
			sync = "f_offset", b_num = "b_num", d_id = "d_id", s_id = "s_id",
		},
	},
	Data = {
		Write = put,
		Put = put,
		Read = {
			param = "stu_num", b_id = "i_mx", bufx = "i_bufx", offset = "i_offset",
			sync = "sync", b_num = "b_num", d_id = "i_id",
		},
		Get = {
			param = "stu_num", b_id = "i_mx", bufx = "i_bufx", offset = "i_offset",
			sync = "sync", d_id = "g_id", s_id = "r_id",
		},
		FetchOp = {
			param = "stu_num", b_id = "i_mx", bufx = "i_bufx", offset = "i_offset",
			sync = "sync", d_id = "f_id", s_id = "r_id",
		},
		["?"] = {
			param = "stu_num", b_id = "mx", bufx = "bufx", offset = "offset",
			sync = "sync", b_num = "b_num", d_id = "d_id", s_id = "s_id",
		},
	},
	Request_State = {
		["Slot state"] = { sync = "sync", d_id = "d_id" },
		["Transfer state"] = transfer_state,
		["Block state"] = transfer_state,
	},
	Request_State_Response = {
		["Slot state"] = { param = "r_slots", sync = "sync", d_id = "d_id" },
		["Transfer state"] = transfer_response,
		["Block state"] = transfer_response,
	},
	End = { [""] = { d_id = "r_id", s_id = "i_id" } },
	End_Ack = { [""] = { d_id = "i_id", s_id = "r_id" } },
}

-- An operation is a retransmission of another one of the Virtual Connection if these header
-- fields, Op, Function, Ports and Key are the same (ST 10.3 does not define it).
-- Operations that are not listed here are never retransmissions.
M.same = {
	Request_Connection = { "offset" },
	Request_Disconnect = { "offset" },
	Disconnect_Answer = { "offset" },
	Disconnect_Complete = { "offset" },
	Request_Memory_Region = { "s_id" },
	Get = { "d_id", "s_id" },
	FetchOp = { "d_id", "s_id" },
	FetchOp_Complete = { "d_id", "s_id" },
	Request_To_Send = { "d_id", "s_id" },
	Request_To_Receive = { "s_id" },
	Clear_To_Send = { "d_id", "s_id", "b_num" },
	Data = { "d_id", "b_num", "param", "b_id", "bufx", "offset" },
	Request_State = { "sync", "b_num", "d_id", "s_id" },
	End = { "d_id", "s_id" },
}

-- operation_name OP FUNCTION - nil if tables 2 and 8.2 define none
function M.operation_name(op, fn)
	if op == M.op.GET then
		return M.functions[fn]
	end
	return M.names[op]
end

return M
