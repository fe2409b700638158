-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of Scheduled Transfer (ST), working draft Rev 1.5, in frames
-- with EtherType x'8181' (ST annex A).

local ops = require "st_operations"
local infos = require "st_expert"
local sequences = require "st_sequences"
local checksum = require "st_checksum"

local ETHERTYPE_ST = 0x8181	-- ST 5.2.6
local FILL = 8			-- zeros before the Schedule Header, ST A.4.2
local SIZE_MIN, BUFSIZE_MAX, BLOCK_MAX = 8, 32, 48	-- ST 5.2.3, 5.2.4, 6.2.5, 6.2.6
local STU_MAX = { [0] = 31, 17, 17, 31 }		-- by Data Channel, ST 8.2

local st = Proto("st", "Scheduled Transfer")
local f = {}

-- ST table 2
f.op = ProtoField.uint16("st.op", "Op", base.HEX, ops.names, 0xf800)
f.operation = ProtoField.string("st.operation", "Operation")
f.sequence = ProtoField.string("st.sequence", "Sequence")

-- ST 8.2
f.flags = ProtoField.uint16("st.flags", "Flags", base.HEX, nil, 0x07ff)
local flag_fields = {
	ProtoField.uint16("st.flags.function", "Function", base.DEC, nil, ops.FUNCTION),
	ProtoField.bool("st.flags.silent", "Silent", 16, nil, ops.SILENT),
	ProtoField.bool("st.flags.interrupt", "Interrupt", 16, nil, ops.INTERRUPT),
	ProtoField.bool("st.flags.send_state", "Send_State", 16, nil, ops.SEND_STATE),
	ProtoField.bool("st.flags.out_of_order", "Out_of_Order", 16, nil, ops.OUT_OF_ORDER),
	ProtoField.bool("st.flags.last", "Last", 16, nil, ops.LAST),
	ProtoField.bool("st.flags.reject", "Reject", 16, nil, ops.REJECT),
	ProtoField.uint16("st.flags.channel", "Data Channel", base.DEC, nil, ops.CHANNEL),
}
local attribute_fields = {
	ProtoField.bool("st.flags.little_endian", "Little endian", 16, nil, 0x400),
	ProtoField.bool("st.flags.fetchop", "Supports FetchOp", 16, nil, 0x200),
	ProtoField.bool("st.flags.memory", "Supports persistent memory", 16, nil, 0x100),
}
local function_names = {
	[0] = "Get", "Fetch and Increment", "Fetch and Decrement", "Fetch and Clear",
	[7] = "FetchOp Complete",
}

f.d_port = ProtoField.uint16("st.d_port", "D_Port")
f.s_port = ProtoField.uint16("st.s_port", "S_Port")
f.d_key = ProtoField.uint32("st.d_key", "D_Key", base.HEX)

local CKSUM_BAD, CKSUM_GOOD, CKSUM_UNVERIFIED, CKSUM_ABSENT = 0, 1, 2, 3
f.cksum = ProtoField.uint16("st.cksum", "Cksum", base.HEX)
f.cksum_status = ProtoField.uint8("st.cksum.status", "Cksum status", base.DEC, {
	[CKSUM_BAD] = "Bad", [CKSUM_GOOD] = "Good", [CKSUM_UNVERIFIED] = "Unverified",
	[CKSUM_ABSENT] = "Absent",
})

-- Fields of ST figure 12 by place, regardless of their contents
local place = {}
for name, label in pairs({
	param = "Param", b_id = "B_id", bufx = "Bufx", offset = "Offset", sync = "Sync",
	b_num = "B_num", d_id = "D_id", s_id = "S_id",
}) do
	local kind = (name == "param" or name == "b_id") and ProtoField.uint16 or ProtoField.uint32

	place[name] = kind("st.hdr." .. name, label, base.HEX)
end

-- Parameters, with their names in tables 4 to 8.  size: an exponent of two; reserved,
-- none: a value and its meaning
local parameter = {}
local function define(kind, display, list)
	for name, p in pairs(list) do
		p.field = kind("st." .. name, p[1], display)
		p.format = display == base.HEX and "%s=0x%x" or "%s=%.0f"
		parameter[name] = p
	end
end
local block_none = { [ops.NONE] = "none" }		-- ST 6.2.4
local slots_none = { [ops.SLOTS_NONE] = "not counted" }	-- ST 5.2.5
define(ProtoField.uint16, base.DEC, {
	i_slots = { "I-Slots", none = slots_none },
	r_slots = { "R-Slots", none = slots_none },
	cts_req = { "CTS_req", none = { [0] = "don't care" } },		-- ST 6.2.11
	stu_num = { "STU_num" },
	max_block = { "Max_Block", size = true },
	blocksize = { "Blocksize", size = true },
})
define(ProtoField.uint16, base.HEX, {
	ethertype = { "EtherType", none = { [0] = "no further encapsulation" } }, -- ST 5.2.6
	i_mx = { "I-Mx" }, r_mx = { "R-Mx" }, mx = { "Mx" },
})
define(ProtoField.uint32, base.DEC, {
	i_bufsize = { "I-Bufsize", size = true }, r_bufsize = { "R-Bufsize", size = true },
	i_max_stu = { "I-Max_STU", size = true }, r_max_stu = { "R-Max_STU", size = true },
	i_offset = { "I-Offset" }, r_offset = { "R-Offset" }, offset = { "Offset" },
	f_offset = { "F_Offset" },
	b_num = { "B_num", none = block_none }, b_seq = { "B_seq", none = block_none },
})
define(ProtoField.uint32, base.HEX, {
	i_key = { "I-Key" }, r_key = { "R-Key" },
	i_bufx = { "I-Bufx" }, r_bufx = { "R-Bufx" }, bufx = { "Bufx" },
	i_id = { "I-id" }, r_id = { "R-id" }, g_id = { "G-id" }, f_id = { "F-id" },
	d_id = { "D_id", none = { [ops.NONE] = "Slots only" } },	-- ST 6.2.1
	s_id = { "S_id" },
	sync = { "Sync" }, opaque = { "Opaque" },
})
define(ProtoField.uint64, base.DEC, { t_len = { "T_len" } })

f.fill = ProtoField.bytes("st.fill", "Fill")
f.option = ProtoField.bytes("st.option", "Optional payload")
f.stu = ProtoField.bytes("st.stu", "STU")
f.stu_len = ProtoField.uint32("st.stu.len", "STU size")

f.response_in = ProtoField.framenum("st.response_in", "Response in", base.NONE,
				    frametype.RESPONSE)
f.response_to = ProtoField.framenum("st.response_to", "Response to", base.NONE,
				    frametype.REQUEST)
f.time = ProtoField.relative_time("st.time", "Time since the request")
f.retransmission_of = ProtoField.framenum("st.retransmission_of", "Retransmission of",
					  base.NONE, frametype.RETRANS_PREV)

for i, field in ipairs(flag_fields) do
	f["flag" .. i] = field
end
for i, field in ipairs(attribute_fields) do
	f["attribute" .. i] = field
end
for name, field in pairs(place) do
	f["hdr." .. name] = field
end
for name, p in pairs(parameter) do
	f["parameter." .. name] = p.field
end
st.fields = f

local e = {}
-- The names of ST table 10, if it has one
infos.define(e, "st", expert.severity.ERROR, {
	cksum_error = "Cksum_Error",
	illegal_blocksize_error = "Illegal_Blocksize_Error",
	illegal_bufsize_error = "Illegal_Bufsize_Error",
	illegal_stu_size_error = "Illegal_STU_Size_Error",
	invalid_key_error = "Invalid_Key_Error",
	oversized_offset_error = "Oversized_Offset_Error",
	undefined_opcode_error = "Undefined_Opcode_Error",
	illegal_length = "Illegal length",
	illegal_max_stu = "Illegal Max_STU",
	illegal_max_block = "Illegal Max_Block",
	illegal_id = "Reserved sequence identifier",
	illegal_channel = "Bad Data Channel",
	illegal_fetchop = "Illegal FetchOp",
	illegal_vc = "Wrong Virtual Channel",
})
infos.define(e, "st", expert.severity.WARN, {
	improper_flag_use_error = "Improper_Flag_Use_Error",
	out_of_order_stu_error = "Out_Of_Order_STU_Error",
})
infos.define(e, "st", expert.severity.NOTE, {
	unused_not_zero = "Unused field is not zero",
	retransmission = "Retransmission",
})
st.experts = e
local complain = infos.complainer(e)

local results		-- by frame: result of the first dissection

function st.init()
	results = {}
	sequences.init()
	checksum.init()
end

-- ST 8.2, 10.7.7
local function add_flags(tree, range, o, sequence)
	local allowed = o.name and ops.flags[o.name]
	local item = tree:add(f.flags, range)

	for _, field in ipairs(flag_fields) do
		item:add(field, range)
	end
	if o.op == ops.op.GET then
		item:append_text(", " .. (function_names[o.fn] or "reserved Function"))
		if not o.name then
			complain(item, "improper_flag_use_error",
				 "Improper_Flag_Use_Error: Function %d, expected 0 to 3 or 7", o.fn)
		end
	elseif o.op == ops.op.REQUEST_CONNECTION or o.op == ops.op.CONNECTION_ANSWER then
		for _, field in ipairs(attribute_fields) do
			item:add(field, range)
		end
	end
	if not allowed then
		return
	end
	-- Data that answers a Get or a FetchOp has no Send_State, table 8
	if o.name == "Data" and (sequence == "Get" or sequence == "FetchOp") then
		allowed = bit.band(allowed, bit.bnot(ops.SEND_STATE))
	end
	if bit.band(o.flags, bit.bnot(allowed)) ~= 0 then
		complain(item, "improper_flag_use_error",
			 "Improper_Flag_Use_Error: flags 0x%03x, of which %s may have 0x%03x",
			 o.flags, o.name, allowed)
	end
	-- ST 8.2 note 2, 10.7.3
	if bit.band(allowed, ops.CHANNEL) ~= 0 and o.channel == 0 then
		complain(item, "illegal_channel", "Data Channel 0 is reserved, expected 1 to 3")
	end
end

local function bytes_text(exponent)
	return exponent > 0 and exponent < 64 and string.format(" (%.0f bytes)", 2 ^ exponent) or ""
end

local function check_exponent(item, error, what, value, max)
	if value < SIZE_MIN or value > max then
		complain(item, error, "%s %d, expected %d to %d", what, value, SIZE_MIN, max)
	end
end

-- Errors of single parameters, by name
local check = {}

function check.i_bufsize(item, o)
	check_exponent(item, "illegal_bufsize_error", "Illegal_Bufsize_Error: Bufsize", o.bufx,
		       BUFSIZE_MAX)
end

-- ST 5.2.4
function check.i_max_stu(item, o)
	check_exponent(item, "illegal_max_stu", "Max_STU", o.sync, BUFSIZE_MAX)
	if o.sync > o.bufx then
		complain(item, "illegal_max_stu", "Max_STU %d, expected at most Bufsize, %d",
			 o.sync, o.bufx)
	end
end

-- A rejecting answer has no sizes, ST 5.1.1
function check.r_bufsize(item, o)
	if not o.reject then
		check.i_bufsize(item, o)
	end
end

function check.r_max_stu(item, o)
	if not o.reject then
		check.i_max_stu(item, o)
	end
end

function check.max_block(item, o)
	check_exponent(item, "illegal_max_block", "Max_Block", o.b_id, BLOCK_MAX)
end

function check.blocksize(item, o)
	check_exponent(item, "illegal_blocksize_error", "Illegal_Blocksize_Error: Blocksize",
		       o.param, BLOCK_MAX)
end

-- In a buffer of the end that the operation goes to, ST 10.7.4
local function check_offset(item, o, vc)
	if vc and o.offset > 2 ^ vc.bufsize then
		complain(item, "oversized_offset_error",
			 "Oversized_Offset_Error: Offset %.0f, expected at most Bufsize, %.0f",
			 o.offset, 2 ^ vc.bufsize)
	end
end

function check.r_offset(item, o, vc)
	if o.name == "FetchOp" and o.offset % 8 ~= 0 then	-- ST 6.1.4.4
		complain(item, "illegal_fetchop", "R-Offset %.0f, expected a multiple of 8",
			 o.offset)
	end
	if o.name == "Data" or o.op == ops.op.GET then
		check_offset(item, o, vc)
	end
end

-- The Offset of the Initiator of a Get is in another place
function check.i_offset(item, o, vc)
	if o.name == "Data" then
		check_offset(item, o, vc)
	end
end
check.offset = check.i_offset

-- x'FFFFFFFF' is not an I-id or R-id; a Request_State_Response has it if there is no
-- such Transfer, ST 6.2.1
local function check_id(item, o, _, value)
	if value == ops.NONE and o.name ~= "Request_State_Response" then
		complain(item, "illegal_id", "0x%08x is reserved", value)
	end
end
check.i_id, check.r_id = check_id, check_id

-- add_parameter - adds the contents of a header field; returns them as text
local function add_parameter(tree, tvb, o, header, name, vc)
	local p = parameter[name]
	local wide = name == "t_len" and header.name == "sync"
	local range = tvb(header.offset, wide and 8 or header.len)
	local value = wide and o.sync * 2 ^ 32 + o.b_num or o[header.name]
	local item = tree:add(p.field, range)
	local note = p.none and p.none[value]

	if p.size then
		item:append_text(bytes_text(value))
	elseif wide and value == 0 and o.op ~= ops.op.REQUEST_MEMORY_REGION then
		note = "unlimited"				-- ST 6.2.3
	end
	if note then
		item:append_text(" (" .. note .. ")")
	end
	if check[name] then
		check[name](item, o, vc, value)
	end
	return string.format(p.format, p[1], value)
end

local function add_key(tree, range, o, vc)
	local item = tree:add(f.d_key, range)

	-- ST 10.6.1; Disconnect operations are answered whatever their Key
	if vc and o.d_key ~= vc.key and o.op > ops.op.DISCONNECT_COMPLETE then
		complain(item, "invalid_key_error",
			 "Invalid_Key_Error: D_Key 0x%08x, expected 0x%08x", o.d_key, vc.key)
	end
end

-- ST 8.3.3, 10.4
local function add_cksum(tree, range, o, right)
	local item = tree:add(f.cksum, range)
	local status = CKSUM_UNVERIFIED

	if o.cksum == 0 then
		status = CKSUM_ABSENT
	elseif right then
		status = right == o.cksum and CKSUM_GOOD or CKSUM_BAD
	end
	item:add(f.cksum_status, range, status):set_generated()
	if status == CKSUM_BAD then
		complain(item, "cksum_error", "Cksum_Error: Cksum 0x%04x, expected 0x%04x",
			 o.cksum, right)
	end
end

-- Fields of the header from Param on, with the names that they have in this
-- operation, or by their place if they have none.  Returns them as text.
local function add_fields(tree, tvb, o, parameters, found)
	local texts = {}

	for _, header in ipairs(ops.header) do
		local range = tvb(header.offset, header.len)
		local name = parameters and parameters[header.name]

		if name then
			texts[#texts + 1] = add_parameter(tree, tvb, o, header, name, found.vc)
		end
		if header.name == "d_key" then
			add_key(tree, range, o, found.vc)
		elseif header.name == "cksum" then
			add_cksum(tree, range, o, found.cksum)
		elseif place[header.name] then
			local item = tree:add(place[header.name], range)
			local taken = name or header.name == "b_num" and
				      parameters and parameters.sync == "t_len"

			if taken or parameters and o[header.name] == 0 then
				item:set_hidden()
			elseif parameters then
				-- ST 8: an unused field is sent as zeros
				complain(item, "unused_not_zero", "%s has no such field, expected 0",
					 o.name)
			end
		elseif f[header.name] then
			tree:add(f[header.name], range)
		end
	end
	return texts
end

-- On HIPPI-6400 Control operations are on VC0, Data on the VC of its channel, ST A.1
local function check_vc(item, o, vc)
	local right = o.name == "Data" and o.channel or 0

	if vc and o.name and tonumber(vc) ~= right then
		complain(item, "illegal_vc", "%s on VC%d, expected VC%d", o.name, vc, right)
	end
end

-- ST 4.2, 8.2, 10.6.5
local function check_length(item, o, len, vc)
	if o.name == "Data" then
		local max = STU_MAX[o.channel]

		if vc and vc.max_stu < max then
			max = vc.max_stu
		end
		if len > 2 ^ max then
			complain(item, "illegal_stu_size_error",
				 "Illegal_STU_Size_Error: %d bytes, expected at most %.0f", len,
				 2 ^ max)
		end
	elseif o.name and len ~= 0 and len ~= ops.OPTION_LEN then
		complain(item, "illegal_length",
			 "%d bytes behind the header of a Control operation, expected 0 or %d",
			 len, ops.OPTION_LEN)
	end
end

local function add_payload(tree, tvb, o, vc)
	local len = tvb:reported_len() - ops.HEADER_LEN
	local captured = tvb:len() - ops.HEADER_LEN
	local item = tree

	if captured > 0 then
		item = tree:add(o.name == "Data" and f.stu or f.option, tvb(ops.HEADER_LEN))
	end
	if o.name == "Data" then
		tree:add(f.stu_len, tvb(0, 0), len):set_generated()
	end
	check_length(item, o, len, vc)
end

local function add_sequence(tree, tvb, found, frame)
	local asked = found.request and found.request.response

	if asked and asked ~= frame then
		tree:add(f.response_in, tvb(0, 0), asked):set_generated()
	end
	if found.response_to then
		local secs = math.floor(found.time)

		tree:add(f.response_to, tvb(0, 0), found.response_to):set_generated()
		tree:add(f.time, tvb(0, 0),
			 NSTime.new(secs, math.floor((found.time - secs) * 1e9 + 0.5))):set_generated()
	end
	if found.retransmission_of then
		local item = tree:add(f.retransmission_of, tvb(0, 0), found.retransmission_of)

		item:set_generated()
		complain(item, "retransmission", "Retransmission of frame %d",
			 found.retransmission_of)
	end
end

-- The Schedule Header as numbers, ST 8, and its place in the capture
local function read_header(tvb, pinfo)
	local o = { frame = pinfo.number, time = pinfo.rel_ts, src = tostring(pinfo.src),
		    dst = tostring(pinfo.dst) }

	for _, header in ipairs(ops.header) do
		o[header.name] = tvb(header.offset, header.len):uint()
	end
	o.op = bit.rshift(o.op_flags, 11)
	o.flags = bit.band(o.op_flags, 0x7ff)
	o.fn = bit.rshift(o.flags, 8)
	o.channel = bit.band(o.flags, ops.CHANNEL)
	o.last = bit.band(o.flags, ops.LAST) ~= 0
	o.reject = bit.band(o.flags, ops.REJECT) ~= 0
	o.send_state = bit.band(o.flags, ops.SEND_STATE) ~= 0
	o.name = ops.operation_name(o.op, o.fn)
	return o
end

-- State of this operation, from the capture up to it
local function find_out(tvb, o)
	local found = o.name and sequences.follow(o) or { sequence = "" }
	local whole = tvb:len() == tvb:reported_len()
	local header = tvb:raw(0, ops.HEADER_LEN)
	local payload = whole and tvb:raw(ops.HEADER_LEN) or nil

	if o.name == "Data" then
		local block = table.concat({ o.src, o.s_port, o.dst, o.d_port, o.d_key, o.d_id,
					     o.b_num }, " ")

		found.cksum = checksum.data(block, o.param, o.cksum, o.last, header, payload)
	elseif whole and o.cksum ~= 0 then
		found.cksum = checksum.control(header, payload)
	end
	return found
end

-- An end device discards it, ST 4.2; a capture may have truncated it
local function dissect_short(tvb, pinfo, tree)
	for _, header in ipairs(ops.header) do
		if header.offset + header.len <= tvb:len() then
			tree:add(place[header.name] or f[header.name] or f.op,
				 tvb(header.offset, header.len))
		end
	end
	if tvb:reported_len() < ops.HEADER_LEN then
		complain(tree, "illegal_length", "%d bytes, expected a Schedule Header of %d",
			 tvb:reported_len(), ops.HEADER_LEN)
		pinfo.cols.info = "Illegal length"
	else
		pinfo.cols.info = "Schedule Header not captured"
	end
end

local function dissect(tvb, pinfo, tree)
	local o = read_header(tvb, pinfo)
	-- A frame of a tunnel has several operations
	local key = o.frame .. " " .. (pinfo.private["rio9_packet"] or "")
	local found = results[key] or find_out(tvb, o)
	local sequence = found.sequence:match("^[^,?]*")
	local parameters = o.name and ops.parameters[o.name][found.sequence]
	local title = o.name or string.format("undefined Op 0x%02x", o.op)

	results[key] = found
	local item = tree:add(f.op, tvb(0, 2))
	if not ops.names[o.op] then
		complain(item, "undefined_opcode_error",
			 "Undefined_Opcode_Error: Op 0x%02x is not in ST table 2", o.op)
	end
	if o.name then
		tree:add(f.operation, tvb(0, 2), o.name):set_generated()
	end
	if sequence ~= "" then
		tree:add(f.sequence, tvb(0, 0), sequence):set_generated()
		title = sequence ~= title and title .. ", " .. sequence or title
	end
	add_flags(tree, tvb(0, 2), o, sequence)
	local texts = add_fields(tree, tvb, o, parameters, found)
	if found.stu_num then
		complain(tree, "out_of_order_stu_error",
			 "Out_Of_Order_STU_Error: STU_num %d, expected %d", o.param, found.stu_num)
	end
	check_vc(tree, o, pinfo.private["hippi6400_vc"])
	add_payload(tree, tvb, o, found.vc)
	add_sequence(tree, tvb, found, o.frame)
	tree:append_text(", " .. title)
	pinfo.cols.info = string.format("%s%s%s, %d > %d %s",
		found.retransmission_of and "[Retransmission] " or "", title,
		o.reject and " (Reject)" or "", o.s_port, o.d_port, table.concat(texts, " "))
end

function st.dissector(tvb, pinfo, root)
	local len, fill = tvb:len(), nil
	local fc_fill = tonumber(pinfo.private["fcle_fill"]) or 0

	if fc_fill > 0 and tvb:len() > fc_fill then
		tvb = tvb(0, tvb:len() - fc_fill):tvb()
	end

	-- Op 0 is undefined: a header does not begin with it, ST A.4.2
	if tvb:len() >= FILL and tvb:reported_len() >= FILL + ops.HEADER_LEN and
	   tvb:raw(0, FILL) == string.rep("\0", FILL) then
		fill = tvb(0, FILL)
		tvb = tvb(FILL):tvb()
	end
	local tree = root:add(st, tvb())

	if fill then
		tree:add(f.fill, fill)
	end
	pinfo.cols.protocol = "ST"
	-- fcle.lua puts the operation together
	if pinfo.private["fcle_begins"] then
		tree:append_text(", first frame of a Sequence")
		pinfo.cols.info = "First frame of a Sequence"
	elseif tvb:len() < ops.HEADER_LEN then
		dissect_short(tvb, pinfo, tree)
	else
		dissect(tvb, pinfo, tree)
	end
	return len
end

DissectorTable.get("ethertype"):add(ETHERTYPE_ST, st)
