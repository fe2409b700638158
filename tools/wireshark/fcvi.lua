-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of FC-VI, ISO/IEC 14165-331, in frames of Fibre Channel over Ethernet.  It
-- runs after Wireshark's own dissectors, which show FCoE and the FC header: of the FC header they
-- hand on TYPE x'58' in none but the first frames of Sequences.

local iu = require "fcvi_iu"
local connect = require "fcvi_connect"
local follow = require "fcvi_follow"
local infos = require "st_expert"

local fcvi = Proto("fcvi", "FC-VI")
local f = {}

local TYPE_FCVI = 0x58
local ETHERTYPE_FCOE, ETHERTYPE_AT = 0x8906, 12
local is_tag, TAGS_MAX = { [0x8100] = true, [0x88a8] = true }, 4
local FCOE_HDR, FC_HDR, FCOE_TRAILER = 14, 24, 8
local PREF = 0x80				-- of CS_CTL, FC-VI 5.8.2
local RESPONDER, SEQ_RECIPIENT, FIRST_SEQ, LAST_SEQ, END_SEQ, INITIATIVE, REL_OFFSET =
	0x800000, 0x400000, 0x200000, 0x100000, 0x080000, 0x010000, 0x000008	-- F_CTL, FC-FS
local HEADER_LEN = { [1] = 16, [2] = 32 }	-- by DF_CTL, FC-VI 5.9.1

-- FC-VI 5.9, tables 3 and 4
f.handle = ProtoField.uint32("fcvi.handle", "FCVI_HANDLE", base.HEX)
f.opcode = ProtoField.uint8("fcvi.opcode", "FCVI_OPCODE", base.HEX, iu.names)
f.flags = ProtoField.uint8("fcvi.flags", "FCVI_FLAGS", base.HEX)
f.reserved = ProtoField.uint16("fcvi.reserved", "Reserved", base.HEX)
f.msg_id = ProtoField.uint32("fcvi.msg_id", "FCVI_MSG_ID")
f.param = ProtoField.uint32("fcvi.parameter", "FCVI_PARAMETER", base.HEX)
f.imm_data = ProtoField.uint32("fcvi.imm_data", "Immediate Data", base.HEX)
f.reason = ProtoField.uint8("fcvi.reason", "Reason Code", base.HEX, iu.reasons)
f.explanation = ProtoField.uint8("fcvi.explanation", "Reason Explanation", base.HEX)
f.vendor = ProtoField.uint8("fcvi.vendor", "Vendor unique", base.HEX)
f.rmt_va = ProtoField.uint64("fcvi.rmt_va", "FCVI_RMT_VA", base.HEX)
f.rmt_va_handle = ProtoField.uint32("fcvi.rmt_va_handle", "FCVI_RMT_VA_HANDLE", base.HEX)
f.tot_len = ProtoField.uint32("fcvi.tot_len", "FCVI_TOT_LEN")
f.connection_id = ProtoField.uint32("fcvi.connection_id", "FCVI_CONNECTION_ID", base.HEX)
f.data = ProtoField.bytes("fcvi.data", "Payload")
f.len = ProtoField.uint32("fcvi.len", "Bytes of payload")

-- Tables 5 to 10; some flags have another place in responses
local flag_labels = {
	imm_data = "IMM_DATA", resp_err = "RESP_ERR", desc_err = "DESC_ERR", prot_err = "PROT_ERR",
	trans_err = "TRANS_ERR", conn_info = "CONN_INFO", retry = "RETRY", conn_sts = "CONN_STS",
	vi_app_discon = "VI_APP_DISCON", conn_setup_abort = "CONN_SETUP_ABORT",
}
local modes = { [iu.CLIENT_SERVER] = "client-server", [iu.PEER] = "peer-to-peer" }
local flag_fields = {}	-- by name and bits

local function define_flag(name, bits)
	local key = name .. bits

	if not flag_fields[key] then
		flag_fields[key] = name == "mode" and
			ProtoField.uint8("fcvi.flags.mode", "Connection mode", base.DEC, modes,
					 bits) or
			ProtoField.bool("fcvi.flags." .. name, flag_labels[name], 8, nil, bits)
		f["flag_" .. key] = flag_fields[key]
	end
end

for _, u in pairs(iu.ius) do
	for name, bits in pairs(u.flags) do
		define_flag(name, bits)
	end
end

-- What the capture says
f.setup = ProtoField.framenum("fcvi.setup", "Setup of the connection", base.NONE)
f.level = ProtoField.uint8("fcvi.level", "Reliability of the connection", base.DEC, connect.levels)
f.first = ProtoField.framenum("fcvi.message.first", "First frame of the Message")
f.frames = ProtoField.uint32("fcvi.message.frames", "Frames of the Message")
f.message_len = ProtoField.uint32("fcvi.message.len", "Bytes of the Message")
f.missing = ProtoField.string("fcvi.message.missing", "Missing bytes of the Message")
f.response_in = ProtoField.framenum("fcvi.response_in", "Response in", base.NONE,
				    frametype.RESPONSE)
f.response_to = ProtoField.framenum("fcvi.response_to", "Response to", base.NONE,
				    frametype.REQUEST)
f.time = ProtoField.relative_time("fcvi.time", "Time since the request")

for name, field in pairs(connect.fields) do
	f["connect_" .. name] = field
end
fcvi.fields = f

local e = {}
infos.define(e, "fcvi.error", expert.severity.ERROR, {
	short = "Shorter than its Device_Header",
	bad_df_ctl = "Wrong DF_CTL",
	bad_opcode = "Reserved FCVI_OPCODE",
	bad_r_ctl = "Wrong R_CTL",
	bad_context = "Wrong side or Sequence of the Exchange",
	bad_end = "Wrong end of a Sequence",
	bad_payload = "Payload or frames where there are none",
	bad_handle = "Reserved handle",
	bad_id = "Wrong FCVI_CONNECTION_ID",
	bad_msg_id = "Wrong FCVI_MSG_ID",
	bad_parameter = "Wrong FCVI_PARAMETER",
	bad_flags = "Wrong FCVI_FLAGS",
	bad_length = "Wrong length of a payload",
	bad_revision = "Wrong FCVI_REVISION",
	bad_address = "Wrong FCVI_NET_ADDRESS",
	bad_attributes = "Wrong FCVI_ATTRIBUTES",
	bad_pref = "Preference against the connection",
	bad_level = "IU against the reliability level",
	bad_exchange = "Another Exchange of the same Message",
	offset = "Wrong Parameter",
	rmt_va = "Wrong FCVI_RMT_VA or FCVI_RMT_VA_HANDLE",
	tot_len = "Bytes against FCVI_TOT_LEN",
	missing = "Bytes of the Message are missing",
})
infos.define(e, "fcvi.error", expert.severity.WARN, {
	order = "Out of order",
	reserved = "Reserved field is not zero",
})
infos.define(e, "fcvi.error", expert.severity.NOTE, {
	double = "Bytes that have come before",
	not_captured = "Not all of the frame is in the capture",
})
fcvi.experts = e
local complain = infos.complainer(e)

fcvi.prefs.st = Pref.bool("All Send Messages are ST", false,
			  "Not only those of connections that the capture shows to be for ST")

local results		-- by frame: what the first dissection found

function fcvi.init()
	results = {}
	follow.force_st = fcvi.prefs.st
	follow.init()
end

-- Where the FC header of a frame of Ethernet is, behind tags of VLANs, or nil.  A field of the FC
-- header would tell it, but has no value in the first pass of two.
local function find_fc(tvb, pinfo)
	local at, tags = ETHERTYPE_AT, 0

	while tvb:len() >= at + 2 and is_tag[tvb(at, 2):uint()] and tags < TAGS_MAX do
		at, tags = at + 4, tags + 1
	end
	if tvb:len() < at + 2 + FCOE_HDR + FC_HDR or tvb(at, 2):uint() ~= ETHERTYPE_FCOE or
	   tvb(at + 2 + FCOE_HDR + 8, 1):uint() ~= TYPE_FCVI or
	   pinfo.dl_src ~= Address.ether(tvb(6, 6):bytes():tohex(false, ":")) then
		return nil
	end
	return at + 2 + FCOE_HDR
end

-- The FC header as numbers, and where the data field is; nil if the frame is not of FC-VI
local function read_fc(tvb, pinfo)
	local at = find_fc(tvb, pinfo)
	local len = at and tvb:reported_len() - FCOE_TRAILER - at - FC_HDR

	if not at or len < 0 then
		return nil
	end
	local f_ctl = tvb(at + 9, 3):uint()
	local fill = math.min(bit.band(f_ctl, 3), len)

	return {
		at = at + FC_HDR, size = len - fill, fill = fill, f_ctl = f_ctl,
		r_ctl = tvb(at, 1):uint(), d_id = tvb(at + 1, 3):uint(),
		cs_ctl = tvb(at + 4, 1):uint(), s_id = tvb(at + 5, 3):uint(),
		df_ctl = tvb(at + 13, 1):uint(), seq_cnt = tvb(at + 14, 2):uint(),
		ox_id = tvb(at + 16, 2):uint(), offset = tvb(at + 20, 4):uint(),
		responder = bit.band(f_ctl, RESPONDER) ~= 0,
		first = bit.band(f_ctl, FIRST_SEQ) ~= 0,
		end_seq = bit.band(f_ctl, END_SEQ) ~= 0,
		ls = bit.band(f_ctl, LAST_SEQ) ~= 0,
		si = bit.band(f_ctl, INITIATIVE) ~= 0,
	}
end

-- FC header against table 1, FC-VI 5.8.2 and 5.8.4
local function check_fc(tree, p, u, name)
	if p.r_ctl ~= u.r_ctl then
		complain(tree, "bad_r_ctl", "R_CTL 0x%02x, expected 0x%02x for %s", p.r_ctl, u.r_ctl,
			 name)
	end
	if HEADER_LEN[p.df_ctl] ~= u.size then
		complain(tree, "bad_df_ctl", "DF_CTL 0x%02x, expected 0x%02x for %s", p.df_ctl,
			 u.size / 16, name)
	end
	if p.responder ~= (u.responder or false) or bit.band(p.f_ctl, SEQ_RECIPIENT) ~= 0 then
		complain(tree, "bad_context", "%s comes from the %s of the Exchange", name,
			 u.responder and "responder" or "originator")
	elseif u.sequence and p.first ~= (u.sequence == "first") then
		complain(tree, "bad_context", "%s is %s the first Sequence of the Exchange", name,
			 u.sequence == "first" and "in" or "never in")
	end
	if p.cs_ctl >= PREF and not u.message then
		complain(tree, "bad_pref", "CS_CTL 0x%02x, expected no PREF in %s", p.cs_ctl, name)
	end
	if not p.end_seq then
		if (p.ls or p.si) or (p.size - HEADER_LEN[p.df_ctl]) % 4 ~= 0 or p.fill > 0 then
			complain(tree, "bad_end", "F_CTL %06x: not the last frame of its Sequence",
				 p.f_ctl)
		end
		return
	end
	if (p.si and p.ls) or (p.si and not u.si) or (p.ls and not u.ls) or
	   not (p.si or p.ls or u.parts) then
		complain(tree, "bad_end", "F_CTL %06x: %s and %s in the last frame of %s", p.f_ctl,
			 p.si and "Sequence Initiative" or "no Sequence Initiative",
			 p.ls and "Last_Sequence" or "no Last_Sequence", name)
	end
end

-- Parameter of the FC header, and whether there may be a payload
local function check_payload(tree, p, u, name)
	local rel_offset = bit.band(p.f_ctl, REL_OFFSET) ~= 0

	if not u.data and (p.len > 0 or not p.end_seq) then
		complain(tree, "bad_payload", "%d bytes of payload%s, expected one frame without",
			 p.len, p.end_seq and "" or " and more frames")
	elseif p.len > 0 and not rel_offset then
		complain(tree, "offset", "F_CTL %06x: the Parameter is no Relative Offset", p.f_ctl)
	elseif not u.data and p.offset ~= 0 then
		complain(tree, "offset", "Parameter 0x%08x in %s, expected 0", p.offset, name)
	end
end

local function check_zero(item, error, what, value, name)
	if value ~= 0 then
		complain(item, error, "%s 0x%x in %s, expected 0", what, value, name)
	end
end

-- Tables 5 to 10
local function add_flags(tree, range, p, u, name)
	local item = tree:add(f.flags, range)
	local mask = iu.flag_mask(u)

	for flag, bits in pairs(u.flags) do
		item:add(flag_fields[flag .. bits], range)
	end
	if bit.band(p.flags, bit.bnot(mask)) ~= 0 then
		complain(item, "reserved", "FCVI_FLAGS 0x%02x, of which %s has 0x%02x", p.flags,
			 name, mask)
	end
	if p.opcode == iu.op.CONNECT_RQST and not modes[bit.band(p.flags, u.flags.mode)] then
		complain(item, "bad_flags", "Connection mode %d, expected 1 or 2",
			 bit.band(p.flags, u.flags.mode))
	end
	if u.flags.resp_err and not p.failed and p.flags % 16 ~= 0 then
		complain(item, "bad_flags", "FCVI_FLAGS 0x%02x tell why, but RESP_ERR is 0",
			 p.flags)
	end
end

-- FC-VI 5.9.7
local function add_parameter(tree, range, p, u, name)
	local item = tree:add(f.param, range)

	if p.imm_data then
		item:add(f.imm_data, range)
	elseif not p.conn_sts then
		check_zero(item, "bad_parameter", "FCVI_PARAMETER", range:uint(), name)
	else
		local reason = range(1, 1):uint()

		item:add(f.reason, range(1, 1))
		item:add(f.explanation, range(2, 1))
		item:add(f.vendor, range(3, 1))
		item:append_text(": " .. (iu.reasons[reason] or "reserved or vendor unique"))
		if not iu.reason_fits(p.opcode, reason) then
			complain(item, "bad_parameter", "Reason Code 0x%02x is not one of %s",
				 reason, name)
		end
		check_zero(item, "reserved", "Reserved byte", range(0, 1):uint(), name)
		check_zero(item, "bad_parameter", "Reason Explanation", range(2, 1):uint(), name)
	end
end

-- FC-VI 5.9.2
local function check_handle(item, p, u, name)
	local none = p.handle == iu.HANDLE_NONE

	if (p.opcode == iu.op.CONNECT_RQST or p.opcode == iu.op.CONNECT_RESP1) and not none then
		complain(item, "bad_handle", "FCVI_HANDLE %08x in %s, expected ffffffff", p.handle,
			 name)
	elseif u.message and none then
		complain(item, "bad_handle", "FCVI_HANDLE ffffffff in %s is reserved", name)
	elseif p.opcode == iu.op.DISCONNECT_RQST and none and not p.abort then
		complain(item, "bad_handle", "FCVI_HANDLE ffffffff in %s without CONN_SETUP_ABORT",
			 name)
	end
end

-- The part of 32 bytes that one of 16 lacks
local function add_rest(tree, tvb, p, u, name)
	local va = tree:add(f.rmt_va, tvb(16, 8))
	local handle = tree:add(f.rmt_va_handle, tvb(24, 4))

	if not u.rdma then
		if tvb(16, 8):raw() ~= string.rep("\0", 8) then
			complain(va, "rmt_va", "FCVI_RMT_VA in %s, expected 0", name)
		end
		check_zero(handle, "rmt_va", "FCVI_RMT_VA_HANDLE", tvb(24, 4):uint(), name)
	end
	local item = tree:add(u.message and f.tot_len or f.connection_id, tvb(28, 4))
	-- FC-VI 5.9.10; the text has two values for Disconnects of connections
	if p.tail == iu.ID_NONE and (u.setup or p.abort) then
		complain(item, "bad_id", "FCVI_CONNECTION_ID ffffffff is reserved")
	end
end

local function read_header(tvb, p, u)
	local function flag(name)
		return iu.flag(p.flags, u, name) ~= 0
	end

	p.handle, p.msg_id = tvb(0, 4):uint(), tvb(8, 4):uint()
	p.imm_data, p.conn_sts, p.retry = flag("imm_data"), flag("conn_sts"), flag("retry")
	p.failed, p.abort = flag("resp_err"), flag("conn_setup_abort")
	p.rdma = u.rdma and tvb:len() == 32 and tvb:raw(16, 12) or nil
	p.tail = tvb:len() == 32 and tvb(28, 4):uint() or 0
end

local function add_header(tree, tvb, p, u, name)
	check_handle(tree:add(f.handle, tvb(0, 4)), p, u, name)
	tree:add(f.opcode, tvb(4, 1))
	add_flags(tree, tvb(5, 1), p, u, name)
	check_zero(tree:add(f.reserved, tvb(6, 2)), "reserved", "Reserved field",
		   tvb(6, 2):uint(), name)
	local item = tree:add(f.msg_id, tvb(8, 4))
	if u.setup or p.abort then
		check_zero(item, "bad_msg_id", "FCVI_MSG_ID", p.msg_id, name)
	end
	add_parameter(tree, tvb(12, 4), p, u, name)
	if tvb:len() == 32 then
		add_rest(tree, tvb, p, u, name)
	end
end

local function add_payload(tree, tvb, p, u)
	if u.data == "connect" and p.offset == 0 then
		p.connect = connect.add(tree, tvb, p.opcode == iu.op.CONNECT_RQST,
					iu.flag(p.flags, u, "conn_info") ~= 0, complain)
	elseif tvb:len() > 0 then
		tree:add(f.data, tvb())
	end
	if tvb:reported_len() > 0 then
		tree:add(f.len, tvb:reported_len()):set_generated()
	end
end

local function add_generated(tree, field, ...)
	tree:add(field, ...):set_generated()
end

local function add_message(tree, p, found)
	local message = found.message

	if message.first ~= p.number then
		add_generated(tree, f.first, message.first)
	end
	if found.complete then
		add_generated(tree, f.frames, found.complete.frames)
		add_generated(tree, f.message_len, message.tot_len)
	end
	local missing = found.ends and not p.failed and not message.confused and
			follow.missing(message)
	if missing then
		add_generated(tree, f.missing, missing)
		complain(tree, "missing", "Bytes %s are missing", missing)
	end
end

local function interval(time)
	local secs = math.floor(time)

	return NSTime.new(secs, math.floor((time - secs) * 1e9 + 0.5))
end

local function add_found(tree, p, found, pinfo)
	if found.setup then
		add_generated(tree, f.setup, found.setup)
		add_generated(tree, f.level, found.level)
	end
	if found.asks and found.asks.response then
		add_generated(tree, f.response_in, found.asks.response.frame)
	end
	if found.request then
		add_generated(tree, f.response_to, found.request.frame)
		add_generated(tree, f.time, interval(pinfo.rel_ts - found.request.time))
	end
	if found.message then
		add_message(tree, p, found)
	end
	for _, fault in ipairs(found.faults) do
		complain(tree, fault.name, "%s", fault.text)
	end
end

local function title(p, u, name, param)
	local text = "FCVI_" .. name

	if u.message then
		text = string.format("%s, MSG_ID %.0f", text, p.msg_id)
	else
		text = string.format("%s, CONNECTION_ID %08x", text, p.tail)
	end
	if u.data == "message" then
		text = string.format("%s, %d bytes at %.0f of %.0f", text, p.len, p.offset,
				     p.tail)
	end
	if p.conn_sts then
		text = text .. ", " .. (iu.reasons[param(1, 1):uint()] or "unknown reason")
	end
	return text
end

local function show_st(found, payload, pinfo, root)
	local there, st = pcall(Dissector.get, "st")

	if there and st and found.operation then
		if found.complete.frames == 1 then
			st:call(payload, pinfo, root)
		else
			st:call(ByteArray.new(found.operation, true):tvb("FC-VI Message"), pinfo,
				root)
		end
	end
end

-- The frame from its Device_Header on, without fill bytes and trailer
local function dissect(tvb, pinfo, tree, p, root)
	local size = HEADER_LEN[p.df_ctl]

	if not size then
		complain(tree, "bad_df_ctl", "DF_CTL 0x%02x, expected 0x01 or 0x02", p.df_ctl)
		return "DF_CTL is wrong"
	end
	if p.size < size then
		complain(tree, "short", "%d bytes, expected a Device_Header of %d", p.size, size)
		return "Device_Header is short"
	end
	if tvb:len() < size then
		complain(tree, "not_captured", "%d of %d bytes", tvb:len(), p.size)
		return "Device_Header not captured"
	end
	p.opcode, p.flags = tvb(4, 1):uint(), tvb(5, 1):uint()
	local u, name = iu.ius[p.opcode], iu.names[p.opcode]

	if not u then
		complain(tree:add(f.opcode, tvb(4, 1)), "bad_opcode",
			 "FCVI_OPCODE 0x%02x is reserved", p.opcode)
		return string.format("reserved FCVI_OPCODE 0x%02x", p.opcode)
	end
	local payload = tvb(size):tvb()

	p.len = p.size - size
	p.number, p.time = pinfo.number, pinfo.rel_ts
	p.ends = p.end_seq and (p.si or p.ls)
	read_header(tvb(0, size):tvb(), p, u)
	add_header(tree, tvb(0, size):tvb(), p, u, name)
	check_fc(tree, p, u, name)
	check_payload(tree, p, u, name)
	add_payload(tree, payload, p, u)
	if payload:len() < p.len then
		complain(tree, "not_captured", "%d of %d bytes", tvb:len(), p.size)
	end
	p.data = payload:len() == p.len and payload:raw() or nil
	-- What no port would look at does not count
	local found = results[pinfo.number] or
		      (p.r_ctl == u.r_ctl and size == u.size and
		       p.responder == (u.responder or false) and follow.follow(p)) or { faults = {} }

	results[pinfo.number] = found
	add_found(tree, p, found, pinfo)
	local text = title(p, u, name, tvb(12, 4))
	tree:append_text(", " .. text)
	pinfo.cols.info = text
	show_st(found, payload, pinfo, root)
	return nil
end

function fcvi.dissector(tvb, pinfo, root)
	local p = read_fc(tvb, pinfo)

	if not p then
		return
	end
	local len = math.min(p.size, tvb:len() - p.at)
	local range = tvb(p.at, len)
	local tree = root:add(fcvi, range)

	pinfo.cols.protocol = "FC-VI"
	local trouble = dissect(range:tvb(), pinfo, tree, p, root)

	if trouble then
		tree:append_text(", " .. trouble)
		pinfo.cols.info = trouble
	end
end

register_postdissector(fcvi)
