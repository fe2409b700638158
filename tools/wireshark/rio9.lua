-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of RapidIO Type 9 packets (data streaming, RapidIO Part 10), as
-- Documentation/networking/rio9.rst says that they are carried.  A capture file has link type
-- USER2, and one packet in each.  PDUs of ST, also in a cooked capture of a device rioN, go to
-- st.lua.

local reassembly = require "rio9_reassembly"
local tm = require "rio9_tm"
local infos = require "st_expert"

local rio9 = Proto("rio9", "RapidIO Type 9")
local f = {}

local FTYPE_MAINTENANCE, FTYPE_DATA = 8, 9
local TT_SMALL, TT_LARGE = 0, 1
local TM_LEN = 8	-- bytes of its logical part
local ARPHRD_RIO9 = 0x5209	-- include/uapi/linux/rio9.h

local ftypes_named = { [2] = "request", [5] = "write", [6] = "streaming write",
		       [FTYPE_MAINTENANCE] = "maintenance", [FTYPE_DATA] = "data streaming",
		       [10] = "doorbell", [11] = "message", [13] = "response" }
local kinds = { [reassembly.CONT] = "continuation", [reassembly.END] = "end",
		[reassembly.START] = "start", [reassembly.SINGLE] = "single" }
local flows = { [0] = "A", "B", "C", "D", "E", "F" }

-- Parts 3 and 6
f.ackid = ProtoField.uint16("rio9.ackid", "ackID", base.DEC, nil, 0xfc00)
f.vc = ProtoField.bool("rio9.vc", "VC", 16, nil, 0x0200)
f.crf = ProtoField.bool("rio9.crf", "CRF", 16, nil, 0x0100)
f.prio = ProtoField.uint16("rio9.prio", "prio", base.DEC, nil, 0x00c0)
f.tt = ProtoField.uint16("rio9.tt", "tt", base.DEC, { [TT_SMALL] = "8-bit IDs",
							[TT_LARGE] = "16-bit IDs" }, 0x0030)
f.ftype = ProtoField.uint16("rio9.ftype", "ftype", base.DEC, ftypes_named, 0x000f)
f.channel = ProtoField.uint8("rio9.channel", "Physical channel")
f.flow = ProtoField.string("rio9.flow", "Flow")
f.dst = ProtoField.uint16("rio9.dst", "Destination ID", base.HEX)
f.src = ProtoField.uint16("rio9.src", "Source ID", base.HEX)

-- 4.2
f.cos = ProtoField.uint8("rio9.cos", "cos", base.HEX)
f.kind = ProtoField.uint8("rio9.kind", "Segment", base.DEC, kinds, 0xc0)
f.xh = ProtoField.bool("rio9.xh", "xh", 8, nil, 0x04)
f.odd = ProtoField.bool("rio9.o", "O", 8, nil, 0x02)
f.padded = ProtoField.bool("rio9.p", "P", 8, nil, 0x01)
f.stream = ProtoField.uint16("rio9.stream", "streamID", base.HEX)
f.length = ProtoField.uint16("rio9.length", "length")
f.payload = ProtoField.bytes("rio9.payload", "Payload")
f.payload_len = ProtoField.uint16("rio9.payload.len", "Bytes of the payload")
f.pad = ProtoField.bytes("rio9.pad", "Padding")
f.data = ProtoField.bytes("rio9.data", "Logical part")
f.start = ProtoField.framenum("rio9.start", "Start of the PDU")
f.pdu_stream = ProtoField.uint16("rio9.pdu.stream", "streamID of the PDU", base.HEX)
f.pdu_len = ProtoField.uint32("rio9.pdu.len", "Bytes of the PDU")
f.pdu_segments = ProtoField.uint32("rio9.pdu.segments", "Segments of the PDU")

-- 4.3
f.xtype = ProtoField.uint8("rio9.xtype", "xtype", base.DEC, { [0] = "traffic management" }, 0x38)
f.tm_op = ProtoField.uint8("rio9.tm.op", "TM OP", base.DEC, tm.op_names, 0xf0)
f.tm_wildcard = ProtoField.uint8("rio9.tm.wildcard", "wildcard", base.DEC, nil, 0x07)
f.tm_mask = ProtoField.uint8("rio9.tm.mask", "mask", base.HEX)
f.tm_param1 = ProtoField.uint8("rio9.tm.param1", "parameter 1", base.HEX)
f.tm_param2 = ProtoField.uint8("rio9.tm.param2", "parameter 2", base.HEX)
f.tm_operand = ProtoField.string("rio9.tm.operand", "Operand")
f.tm_message = ProtoField.string("rio9.tm.message", "Message")

-- Part 1, type 8
f.m_ttype = ProtoField.uint8("rio9.maint.ttype", "ttype", base.DEC, {
	[0] = "read", [1] = "write", [2] = "read response", [3] = "write response",
	[4] = "port-write",
}, 0xf0)
f.m_size = ProtoField.uint8("rio9.maint.size", "Size or status", base.DEC, nil, 0x0f)
f.m_tid = ProtoField.uint8("rio9.maint.tid", "Transaction ID")
f.m_hops = ProtoField.uint8("rio9.maint.hops", "Hop count")
f.m_offset = ProtoField.uint24("rio9.maint.offset", "Offset", base.HEX)
f.m_data = ProtoField.bytes("rio9.maint.data", "Data")
rio9.fields = f

local e = {}
infos.define(e, "rio9.error", expert.severity.ERROR, {
	malformed = "Malformed packet",
	bad_tt = "Reserved tt",
	bad_xtype = "Reserved xtype",
	single_over_mtu = "Single segment over the MTU",
	start_not_mtu = "Start segment that is not as long as the MTU",
	cont_not_mtu = "Continuation segment that is not as long as the MTU",
	end_over_mtu = "End segment over the MTU",
	length = "Wrong length of a PDU",
	cos_changed = "cos changes within a PDU",
	over_max_pdu = "PDU over MaxPDU",
	no_context = "No context is free",
	no_start = "Segment without a start",
	no_end = "PDU without an end",
	timeout = "PDU timed out",
	tm_reserved = "Reserved operand, TM OP or parameter",
})
infos.define(e, "rio9.error", expert.severity.NOTE, {
	aborted = "PDU given up",
	not_captured = "Not all of the packet is in the capture",
})
rio9.experts = e
local complain = infos.complainer(e)

rio9.prefs.st_stream = Pref.string("streamID of ST (hex)", "e181",
				   "PDUs of this stream go to the dissector of ST")
rio9.prefs.mtu = Pref.uint("MTU", 0,
			   "Payload of a full segment; 0: as each start segment has it")
rio9.prefs.max_pdu = Pref.uint("MaxPDU", 65536, "Bytes of the longest PDU of an endpoint")
rio9.prefs.contexts = Pref.uint("Contexts", 0,
				"Segmentation contexts of an endpoint; 0: any number")
rio9.prefs.timeout = Pref.uint("Time-out (ms)", 1000, "After which an open context is closed")

local results		-- by frame and packet in it: what the first dissection found

local function take_preferences()
	reassembly.endpoint.mtu = rio9.prefs.mtu
	reassembly.endpoint.max_pdu = rio9.prefs.max_pdu
	reassembly.endpoint.contexts = rio9.prefs.contexts
	reassembly.endpoint.timeout = rio9.prefs.timeout / 1000
end

function rio9.init()
	results = {}
	take_preferences()
	reassembly.init()
end

function rio9.prefs_changed()
	take_preferences()
end

-- The addresses that st.lua tells ends by
local function address(id)
	return Address.ether(string.format("00:00:00:00:%02x:%02x", math.floor(id / 256), id % 256))
end

-- The dissector of ST is another script, which may not be there
local function hand_on(stream, tvb, pinfo, root)
	local there, st = pcall(Dissector.get, "st")

	if there and st and stream == tonumber(rio9.prefs.st_stream, 16) then
		st:call(tvb, pinfo, root)
	else
		Dissector.get("data"):call(tvb, pinfo, root)
	end
end

-- Payload of a single or end segment, table 4-2: O tells whether the last half-word is of it
local function payload_len(flags, room)
	local halves = math.floor(room / 2)

	if halves == 0 then
		return 0
	end
	if halves % 2 ~= (bit.band(flags, 2) ~= 0 and 1 or 0) then
		halves = halves - 1
	end
	return halves > 0 and 2 * halves - bit.band(flags, 1) or 0
end

local function add_tm(tree, tvb, p, room)
	local op, mask, param1, param2

	tree:add(f.xtype, tvb(1, 1))
	if bit.band(p.flags, 0x38) ~= 0 then
		complain(tree, "bad_xtype", "xtype %d, expected 0",
			 bit.rshift(bit.band(p.flags, 0x38), 3))
		return "reserved xtype"
	end
	if room < TM_LEN or room >= TM_LEN + 4 then
		complain(tree, "malformed", "%d bytes of logical part, expected %d", room, TM_LEN)
		return "malformed"
	end
	if tvb:len() < TM_LEN then
		complain(tree, "not_captured", "%d of %d bytes", tvb:len(), room)
		return "traffic management"
	end
	tree:add(f.stream, tvb(2, 2))
	tree:add(f.tm_op, tvb(4, 1))
	tree:add(f.tm_wildcard, tvb(4, 1))
	tree:add(f.tm_mask, tvb(5, 1))
	tree:add(f.tm_param1, tvb(6, 1))
	tree:add(f.tm_param2, tvb(7, 1))
	op, mask, param1, param2 = tvb:raw(4, 4):byte(1, 4)
	local wildcard = bit.band(op, 7)
	local operand = tm.operand(wildcard, mask, p.cos, tvb(2, 2):uint())
	op = bit.rshift(op, 4)
	local message = tm.message(op, param1, param2)

	if operand then
		tree:add(f.tm_operand, tvb(4, 2), operand):set_generated()
	else
		complain(tree, "tm_reserved", "wildcard %d with mask 0x%02x is no operand",
			 wildcard, mask)
	end
	if message then
		tree:add(f.tm_message, tvb(6, 2), message):set_generated()
	else
		complain(tree, "tm_reserved", "TM OP %d with parameters 0x%02x 0x%02x is reserved",
			 op, param1, param2)
	end
	return string.format("%s, %s", message or "reserved message", operand or "no operand")
end

local function add_found(tree, tvb, found, frame)
	for _, fault in ipairs(found.faults) do
		complain(tree, fault.name, "%s", fault.text)
	end
	if found.first and found.first ~= frame then
		tree:add(f.start, tvb(0, 0), found.first):set_generated()
		tree:add(f.pdu_stream, tvb(0, 0), found.stream):set_generated()
	end
	if found.pdu then
		tree:add(f.pdu_len, tvb(0, 0), #found.pdu):set_generated()
		tree:add(f.pdu_segments, tvb(0, 0), found.count):set_generated()
	end
end

-- Bytes of the header of a segment, of its payload, and what is behind that
local function measure(p, room)
	p.hdr = p.kind == reassembly.CONT and 2 or 4
	if room < p.hdr then
		return false
	end
	if p.kind == reassembly.SINGLE or p.kind == reassembly.END then
		p.len = payload_len(p.flags, room - p.hdr)
	else
		p.len = room - p.hdr - (room - p.hdr) % 4
	end
	return p.kind ~= reassembly.SINGLE or p.len > 0
end

local function add_segment(tree, tvb, p, room, key)
	tree:add(f.kind, tvb(1, 1))
	if p.kind == reassembly.SINGLE or p.kind == reassembly.END then
		tree:add(f.odd, tvb(1, 1))
		tree:add(f.padded, tvb(1, 1))
	end
	if not measure(p, room) then
		complain(tree, "malformed", "%d bytes of logical part, expected a header and payload",
			 room)
		return { faults = {} }
	end
	if tvb:len() < p.hdr then
		complain(tree, "not_captured", "%d of %d bytes", tvb:len(), room)
		return { faults = {} }
	end
	if p.kind == reassembly.END then
		p.length = tvb(2, 2):uint()
		tree:add(f.length, tvb(2, 2))
	elseif p.kind ~= reassembly.CONT then
		p.stream = tvb(2, 2):uint()
		tree:add(f.stream, tvb(2, 2))
	end
	local there = math.min(p.len, tvb:len() - p.hdr)

	if there > 0 then
		tree:add(f.payload, tvb(p.hdr, there))
	end
	tree:add(f.payload_len, tvb(p.hdr - 1, 0), p.len):set_generated()
	if tvb:len() > p.hdr + p.len then
		tree:add(f.pad, tvb(p.hdr + p.len))
	end
	if there == p.len then
		p.data = there > 0 and tvb:raw(p.hdr, there) or ""
	else
		complain(tree, "not_captured", "%d of %d bytes of payload", there, p.len)
	end
	-- A frame of the tunnel that its receiver drops, rio9_eth.lua
	results[key] = results[key] or p.dropped and { faults = {} } or reassembly.follow(p)
	add_found(tree, tvb, results[key], p.frame)
	return results[key]
end

local function dissect_streaming(tree, tvb, pinfo, p, room, root)
	if room < 2 or tvb:len() < 2 then
		complain(tree, room < 2 and "malformed" or "not_captured",
			 "%d bytes of logical part, expected at least 2", tvb:len())
		return "malformed"
	end
	p.cos, p.flags = tvb:raw(0, 2):byte(1, 2)
	p.kind = bit.rshift(p.flags, 6)
	tree:add(f.cos, tvb(0, 1))
	tree:add(f.xh, tvb(1, 1))
	if bit.band(p.flags, 4) ~= 0 then
		return add_tm(tree, tvb, p, room)
	end
	local key = string.format("%d %s", p.frame, pinfo.private["rio9_packet"] or "")
	local found = add_segment(tree, tvb, p, room, key)

	if found.pdu and #found.pdu > 0 then
		p.pdu, p.pdu_stream = found.pdu, found.stream
	end
	return string.format("%s, cos 0x%02x%s", kinds[p.kind], p.cos,
			     found.stream and string.format(", stream 0x%04x", found.stream) or "")
end

local function dissect_maintenance(tree, tvb)
	for _, part in ipairs({ { f.m_ttype, 0, 1 }, { f.m_size, 0, 1 }, { f.m_tid, 1, 1 },
				{ f.m_hops, 2, 1 } }) do
		if tvb:len() >= part[2] + part[3] then
			tree:add(part[1], tvb(part[2], part[3]))
		end
	end
	if tvb:len() < 6 then
		complain(tree, "malformed", "%d bytes of logical part, expected at least 6",
			 tvb:len())
		return "maintenance"
	end
	-- 21 bits count double words, the next one tells which word of it; of requests only
	local word = tvb(3, 3):uint()
	local ttype = bit.rshift(tvb(0, 1):uint(), 4)
	if ttype < 2 then
		tree:add(f.m_offset, tvb(3, 3), bit.band(word, 0xfffffc)):set_generated()
	end
	if tvb:len() > 6 then
		tree:add(f.m_data, tvb(6))
	end
	return "maintenance"
end

local function add_first(tree, tvb, first, p)
	for _, name in ipairs({ "ackid", "vc", "crf", "prio", "tt", "ftype" }) do
		tree:add(f[name], tvb(0, 2))
	end
	p.ftype = bit.band(first, 0x0f)
	p.tt = bit.rshift(bit.band(first, 0x30), 4)
	local crf, prio = bit.rshift(bit.band(first, 0x100), 8), bit.rshift(bit.band(first, 0xc0), 6)

	p.channel = bit.rshift(bit.band(first, 0x200), 6) + 2 * prio + crf
	tree:add(f.channel, tvb(0, 2), p.channel):set_generated()
	if flows[p.channel] then
		tree:add(f.flow, tvb(0, 2), flows[p.channel]):set_generated()
	end
end

local function add_ids(tree, tvb, pinfo, p, size)
	p.dst, p.src = tvb(2, size):uint(), tvb(2 + size, size):uint()
	tree:add(f.dst, tvb(2, size), p.dst)
	tree:add(f.src, tvb(2 + size, size), p.src)
	pinfo.src, pinfo.dst = address(p.src), address(p.dst)
end

local function dissect(tree, tvb, pinfo, p, root)
	local all = tvb:reported_len()

	if tvb:len() < 2 then
		complain(tree, "malformed", "%d bytes, expected at least 2", tvb:len())
		return "malformed"
	end
	add_first(tree, tvb, tvb(0, 2):uint(), p)
	if p.tt > TT_LARGE then
		complain(tree, "bad_tt", "tt %d, expected 0 or 1", p.tt)
		return "reserved tt"
	end
	local size = p.tt == TT_LARGE and 2 or 1
	local hdr = 2 + 2 * size
	if all < hdr or p.ftype == FTYPE_DATA and all % 4 ~= 0 then
		complain(tree, "malformed", "%d bytes, expected a multiple of 4 and at least %d", all,
			 hdr)
		return "malformed"
	end
	if tvb:len() < hdr then
		complain(tree, "not_captured", "%d of %d bytes", tvb:len(), all)
		return "not captured"
	end
	add_ids(tree, tvb, pinfo, p, size)
	if tvb:len() == hdr then
		complain(tree, all == hdr and "malformed" or "not_captured", "No logical part")
		return "no logical part"
	end
	local logical = tvb(hdr):tvb()
	if p.ftype == FTYPE_DATA then
		return dissect_streaming(tree, logical, pinfo, p, all - hdr, root)
	elseif p.ftype == FTYPE_MAINTENANCE then
		return dissect_maintenance(tree, logical)
	end
	tree:add(f.data, logical())
	return ftypes_named[p.ftype] or "ftype " .. p.ftype
end

function rio9.dissector(tvb, pinfo, root)
	local tree = root:add(rio9, tvb())
	local p = { frame = pinfo.number, time = pinfo.rel_ts,
		    dropped = pinfo.private["rio9_dropped"] }

	pinfo.cols.protocol = "RIO9"
	local text = dissect(tree, tvb, pinfo, p, root)
	if p.src then
		text = string.format("%04x > %04x %s", p.src, p.dst, text)
	end
	tree:append_text(", " .. text)
	pinfo.cols.info = text
	if p.pdu then
		hand_on(p.pdu_stream, ByteArray.new(p.pdu, true):tvb("PDU"), pinfo, root)
	end
	return tvb:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER2, rio9)

-- Cooked captures of a device rioN: the protocol of a packet is its streamID, and the address
-- is that of the other end
local cooked = Proto("rio9_cooked", "RapidIO Type 9 PDU")
local PACKET_OUTGOING = 4
local OWN_ID = 0xffff	-- no endpoint has this; the capture does not tell which it is
local cooked_stream
local header		-- of the packet that is being dissected

-- Where sll_pkttype, sll_hatype and sll_addr are, in bytes, of both versions
local places = { SLL = { kind = { 0, 2 }, device = 2, addr_len = { 4, 2 }, addr = 6, len = 16 },
		 SLL2 = { kind = { 10, 1 }, device = 8, addr_len = { 11, 1 }, addr = 12, len = 20 } }

-- Fields of others cannot be read in a pass that makes no tree, as the first of two is
local function read_header(tvb, place)
	if tvb:len() < place.len or tvb(place.device, 2):uint() ~= ARPHRD_RIO9 then
		return nil
	end
	return { sent = tvb(place.kind[1], place.kind[2]):uint() == PACKET_OUTGOING,
		 other = tvb(place.addr_len[1], place.addr_len[2]):uint() == 2 and
			 address(tvb(place.addr, 2):uint()) }
end

-- A packet that is cut in the capture ends the work of others' dissectors with an exception, which
-- Dissector:call() of older Wireshark does not catch.  It goes past Lua, whose C stack is used up
-- after some 200 of those.  After so many nobody watches any more, and PDUs in cooked captures are
-- not dissected.
local CUT_MAX = 50
local cut = 0

local function watch(name, place)
	local encaps = DissectorTable.get("wtap_encap")
	local original = encaps:get_dissector(wtap[name])
	local watcher = Proto("rio9_" .. name:lower(), "RapidIO Type 9 PDU in " .. name)

	function watcher.dissector(tvb, pinfo, root)
		header = read_header(tvb, place)
		if not header and tvb:len() < tvb:reported_len() then
			cut = cut + 1
			if cut == CUT_MAX then
				encaps:add(wtap[name], original)
			end
		end
		return original:call(tvb, pinfo, root)
	end
	encaps:add(wtap[name], watcher)
end

for name, place in pairs(places) do
	if wtap[name] then
		watch(name, place)
	end
end

function cooked.dissector(tvb, pinfo, root)
	if not header then
		return 0
	end
	-- Both ends, so that answers find their requests
	if header.other and header.sent then
		pinfo.src, pinfo.dst = address(OWN_ID), header.other
	elseif header.other then
		pinfo.src, pinfo.dst = header.other, address(OWN_ID)
	end
	hand_on(cooked_stream, tvb, pinfo, root)
	return tvb:len()
end

function cooked.init()
	local stream = tonumber(rio9.prefs.st_stream, 16)

	if stream ~= cooked_stream then
		if cooked_stream then
			DissectorTable.get("ethertype"):remove(cooked_stream, cooked)
		end
		DissectorTable.get("ethertype"):add(stream, cooked)
		cooked_stream = stream
	end
end
