-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of HIPPI-6400 micropackets: 40 bytes each, in the format of the
-- rings of a card and of the emulator's portN/line files.  A capture file has link type USER0
-- or USER1, and one micropacket in each packet.

local link = require "hippi6400_link"
local infos = require "st_expert"

local hippi = Proto("hippi6400", "HIPPI-6400 micropacket")
local f = {}

local types = {
	[link.type.NULL] = "Null", [link.type.CREDIT] = "Credit-only",
	[link.type.HEADER] = "Header", [link.type.DATA] = "Data", [link.type.ADMIN] = "Admin",
	[link.type.RESET] = "Reset", [link.type.RESET_ACK] = "Reset_ACK",
	[link.type.INIT] = "Initialize", [link.type.INIT_ACK] = "Initialize_ACK",
}
local seq_none = { [link.SEQ_NONE] = "none" }

-- HIPPI-6400-PH 4.4
f.vc = ProtoField.uint8("hippi6400.vc", "VC", base.DEC, nil, 0x03)
f.type = ProtoField.uint8("hippi6400.type", "TYPE", base.DEC, types, 0x3c)
f.tail = ProtoField.bool("hippi6400.tail", "TAIL", 8, nil, 0x40)
f.error = ProtoField.bool("hippi6400.error", "ERROR", 8, nil, 0x80)
f.vcr = ProtoField.uint8("hippi6400.vcr", "VCR", base.DEC, nil, 0x03)
f.cr = ProtoField.uint8("hippi6400.cr", "CR", base.DEC, nil, 0xfc)
f.tseq = ProtoField.uint8("hippi6400.tseq", "TSEQ")
f.rseq = ProtoField.uint8("hippi6400.rseq", "RSEQ")

local CRC_BAD, CRC_GOOD, CRC_UNVERIFIED = 0, 1, 2
local crc_status = { [CRC_BAD] = "Bad", [CRC_GOOD] = "Good", [CRC_UNVERIFIED] = "Unverified" }
f.ecrc = ProtoField.uint16("hippi6400.ecrc", "ECRC", base.HEX)
f.ecrc_status = ProtoField.uint8("hippi6400.ecrc.status", "ECRC status", base.DEC, crc_status)
f.lcrc = ProtoField.uint16("hippi6400.lcrc", "LCRC", base.HEX)
f.lcrc_status = ProtoField.uint8("hippi6400.lcrc.status", "LCRC status", base.DEC, crc_status)

-- HIPPI-6400-PH 4.5, ST figure A.1
f.data = ProtoField.bytes("hippi6400.data", "Data bytes")
f.d_ula = ProtoField.ether("hippi6400.d_ula", "D_ULA")
f.s_ula = ProtoField.ether("hippi6400.s_ula", "S_ULA")
f.m_len = ProtoField.uint32("hippi6400.m_len", "M_len")
f.dsap = ProtoField.uint8("hippi6400.dsap", "DSAP", base.HEX)
f.ssap = ProtoField.uint8("hippi6400.ssap", "SSAP", base.HEX)
f.ctl = ProtoField.uint8("hippi6400.ctl", "Ctl", base.HEX)
f.org = ProtoField.uint24("hippi6400.org", "Org", base.HEX)
f.ethertype = ProtoField.uint16("hippi6400.ethertype", "EtherType", base.HEX)
f.payload = ProtoField.bytes("hippi6400.payload", "Payload")

-- drivers/net/hippi6400/link/admin.h
local ADMIN_VERSION, ADMIN_BODY = 1, 24
local IDENTITY, IDENTITY_IS, LOOPBACK, LOOPBACK_IS = 1, 2, 3, 4
f.admin_version = ProtoField.uint8("hippi6400.admin.version", "Version")
f.admin_opcode = ProtoField.uint8("hippi6400.admin.opcode", "Opcode", base.DEC, {
	[IDENTITY] = "identity request", [IDENTITY_IS] = "identity answer",
	[LOOPBACK] = "loop-back request", [LOOPBACK_IS] = "loop-back answer",
})
f.admin_hops = ProtoField.uint8("hippi6400.admin.hops", "Hop count")
f.admin_length = ProtoField.uint8("hippi6400.admin.length", "Length")
f.admin_number = ProtoField.uint32("hippi6400.admin.number", "Transaction number")
f.admin_body = ProtoField.bytes("hippi6400.admin.body", "Body")
f.admin_ula = ProtoField.ether("hippi6400.admin.ula", "ULA")
f.admin_port = ProtoField.uint8("hippi6400.admin.port", "Port")
f.admin_element = ProtoField.uint8("hippi6400.admin.element", "Element", base.DEC, {
	[1] = "end device", [2] = "switch",
})
f.admin_software = ProtoField.stringz("hippi6400.admin.software", "Software")

f.retransmission_of = ProtoField.framenum("hippi6400.retransmission_of", "Retransmission of",
					  base.NONE, frametype.RETRANS_PREV)
f.header = ProtoField.framenum("hippi6400.header", "Header of the Message")
f.upkts = ProtoField.uint32("hippi6400.upkts", "Micropackets of the Message")
hippi.fields = f

local e = {}
infos.define(e, "hippi6400", expert.severity.ERROR, {
	bad_length = "Not a micropacket",
	lcrc_error = "LCRC error",
	ecrc_error = "ECRC error",
	error_set = "ERROR",
	reserved_type = "Reserved TYPE",
	bad_tseq = "Wrong use of TSEQ",
	header_without_tail = "Header without TAIL before it",
	data_without_header = "Data without Header",
	length_error = "M_len does not match",
	over_limit = "Message over the limit of its VC",
	bad_snap = "LLC/SNAP header",
	data_not_zero = "Data bytes are not zero",
	admin_error = "Illegal Admin",
})
infos.define(e, "hippi6400", expert.severity.WARN, {
	out_of_sequence = "Out of sequence",
})
infos.define(e, "hippi6400", expert.severity.NOTE, {
	retransmission = "Retransmission",
})
hippi.experts = e
local complain = infos.complainer(e)

local results		-- by frame: result of the first dissection

function hippi.init()
	results = {}
	link.init()
end

local function add_seq(tree, field, range, value)
	local item = tree:add(field, range)

	if seq_none[value] then
		item:append_text(" (" .. seq_none[value] .. ")")
	end
	return item
end

local function add_tseq(tree, range, u, r)
	local item = add_seq(tree, f.tseq, range, u.tseq)

	if r.lcrc ~= u.lcrc then
		return
	end
	if link.sequenced(u) and u.tseq == link.SEQ_NONE then
		complain(item, "bad_tseq", "TSEQ 255 in a sequenced micropacket, expected 0 to 254")
	elseif not link.sequenced(u) and u.tseq ~= link.SEQ_NONE then
		complain(item, "bad_tseq", "TSEQ %d in one that is not sequenced, expected 255",
			 u.tseq)
	end
	if r.expected then
		complain(item, "out_of_sequence", "TSEQ %d, expected %d", u.tseq, r.expected)
	end
	if r.retransmission_of then
		tree:add(f.retransmission_of, range, r.retransmission_of):set_generated()
		complain(item, "retransmission", "Retransmission of frame %d", r.retransmission_of)
	end
end

-- HIPPI-6400-PH 4.9.  The ECRC is not checked if the LCRC is wrong.
local function add_crc(tree, name, range, value, right)
	local item = tree:add_le(f[name], range)
	local status = CRC_UNVERIFIED

	if right then
		status = right == value and CRC_GOOD or CRC_BAD
	end
	item:add(f[name .. "_status"], range, status):set_generated()
	if status == CRC_BAD then
		complain(item, name .. "_error", "%s 0x%04x, expected 0x%04x", name:upper(), value,
			 right)
	end
end

local function add_control(tree, tvb, u, r)
	local first, credit = tvb(link.DATA, 1), tvb(link.DATA + 1, 1)

	tree:add(f.vc, first)
	local item = tree:add(f.type, first)
	if not types[u.type] and r.lcrc == u.lcrc then
		complain(item, "reserved_type", "TYPE %d is reserved", u.type)
	end
	tree:add(f.tail, first)
	item = tree:add(f.error, first)
	if u.error and r.lcrc == u.lcrc then
		complain(item, "error_set", "The Message was truncated or damaged on its way")
	end
	tree:add(f.vcr, credit)
	tree:add(f.cr, credit)
	add_tseq(tree, tvb(link.DATA + 2, 1), u, r)
	add_seq(tree, f.rseq, tvb(link.DATA + 3, 1), u.rseq)
	add_crc(tree, "ecrc", tvb(link.DATA + 4, 2), u.ecrc, r.ecrc)
	add_crc(tree, "lcrc", tvb(link.DATA + 6, 2), u.lcrc, r.lcrc)
end

-- HIPPI-6400-PH 4.5
local function add_header(tree, tvb)
	tree:add(f.d_ula, tvb(0, 6))
	tree:add(f.s_ula, tvb(6, 6))
	tree:add(f.m_len, tvb(12, 4))
	tree:add(f.dsap, tvb(16, 1))
	tree:add(f.ssap, tvb(17, 1))
	tree:add(f.ctl, tvb(18, 1))
	local item = tree:add(f.org, tvb(19, 3))
	if tvb:raw(16, 6) ~= link.SNAP then
		complain(item, "bad_snap", "LLC/SNAP %s, expected aaaa03000000",
			 tvb(16, 6):bytes():tohex(true))
	end
	tree:add(f.ethertype, tvb(22, 2))
	tree:add(f.payload, tvb(24, 8))
end

local admin_lengths = { [IDENTITY] = 0, [IDENTITY_IS] = ADMIN_BODY }

local function check_admin(tree, version, opcode, hops, len)
	local right = admin_lengths[opcode]

	if version ~= ADMIN_VERSION then
		complain(tree, "admin_error", "version %d, expected %d", version, ADMIN_VERSION)
	end
	if opcode < IDENTITY or opcode > LOOPBACK_IS then
		complain(tree, "admin_error", "opcode %d, expected 1 to 4", opcode)
	end
	if hops ~= 0 then
		complain(tree, "admin_error", "hop count %d, expected 0", hops)
	end
	if right and len ~= right or len > ADMIN_BODY then
		complain(tree, "admin_error", "length %d, expected %s", len,
			 right or "at most " .. ADMIN_BODY)
	end
end

-- HIPPI-6400-PH 5.5, and the contents defined by this implementation
local function add_admin(tree, tvb)
	local version, opcode, hops, len = tvb:raw(0, 4):byte(1, 4)

	tree:add(f.admin_version, tvb(0, 1))
	tree:add(f.admin_opcode, tvb(1, 1))
	tree:add(f.admin_hops, tvb(2, 1))
	tree:add(f.admin_length, tvb(3, 1))
	tree:add(f.admin_number, tvb(4, 4))
	check_admin(tree, version, opcode, hops, len)
	if version == ADMIN_VERSION and opcode == IDENTITY_IS then
		tree:add(f.admin_ula, tvb(8, 6))
		tree:add(f.admin_port, tvb(14, 1))
		tree:add(f.admin_element, tvb(15, 1))
		tree:add(f.admin_software, tvb(16, 16))
	else
		tree:add(f.admin_body, tvb(8, ADMIN_BODY))
	end
end

local function add_data(tree, tvb, u)
	if u.type == link.type.HEADER then
		add_header(tree, tvb)
	elseif u.type == link.type.ADMIN then
		add_admin(tree, tvb)
	else
		local item = tree:add(f.data, tvb(0, link.DATA))

		-- HIPPI-6400-PH 4.9
		if u.type ~= link.type.DATA and types[u.type] and u.data:find("[^%z]") then
			complain(item, "data_not_zero", "Data bytes of %s, expected zeros",
				 types[u.type])
		end
	end
end

-- HIPPI-6400-PH 4.5
local function add_message(tree, tvb, u, r)
	if r.no_tail then
		complain(tree, "header_without_tail",
			 "Header, expected the TAIL of the Message of frame %d first", r.no_tail)
	end
	if r.no_header then
		complain(tree, "data_without_header", "Data on VC%d, expected a Header first", u.vc)
	end
	if r.over_limit then
		complain(tree, "over_limit", "Message on VC%d, expected at most %.0f micropackets",
			 u.vc, link.LIMIT[u.vc])
	end
	if r.header then
		tree:add(f.header, tvb(0, 0), r.header):set_generated()
		tree:add(f.upkts, tvb(0, 0), r.upkts):set_generated()
	end
	if r.m_len then
		complain(tree, "length_error", "M_len %.0f does not match %d micropackets",
			 r.m_len, r.upkts)
	end
	if r.padding then
		complain(tree, "data_not_zero", "Padding of the Message, expected zeros")
	end
end

local function info(u, r)
	local text = (types[u.type] or "reserved TYPE " .. u.type) .. ", VC" .. u.vc

	if u.tseq ~= link.SEQ_NONE then
		text = text .. ", TSEQ " .. u.tseq
	end
	if u.rseq ~= link.SEQ_NONE then
		text = text .. ", RSEQ " .. u.rseq
	end
	if u.cr ~= 0 then
		text = text .. ", CR " .. u.cr
	end
	if r.lcrc ~= u.lcrc then
		return "[LCRC error] " .. text
	end
	return (r.retransmission_of and "[Retransmission] " or "") .. text
end

local function ula(bytes)
	return Address.ether(string.format("%02x:%02x:%02x:%02x:%02x:%02x", bytes:byte(1, 6)))
end

-- A good Message is dissected as a frame of its EtherType, ST annex A.1
local function hand_on(u, r, pinfo, root)
	local payload = ByteArray.new(r.message, true):tvb("Message")

	pinfo.src, pinfo.dst = ula(r.s_ula), ula(r.d_ula)
	pinfo.private["hippi6400_vc"] = tostring(u.vc)
	if DissectorTable.get("ethertype"):try(r.ethertype, payload, pinfo, root) == 0 then
		Dissector.get("data"):call(payload, pinfo, root)
	end
	pinfo.private["hippi6400_vc"] = nil
end

function hippi.dissector(tvb, pinfo, root)
	local tree = root:add(hippi, tvb())

	pinfo.cols.protocol = "HIPPI-6400"
	if tvb:len() ~= link.SIZE then
		complain(tree, "bad_length", "%d bytes, expected a micropacket of %d", tvb:len(),
			 link.SIZE)
		return tvb:len()
	end
	local bytes = tvb:raw()
	local u = link.read(bytes)
	local r = results[pinfo.number] or link.follow(pinfo.match, u, pinfo.number, bytes)

	results[pinfo.number] = r
	tree:append_text(", " .. info(u, r))
	pinfo.cols.info = info(u, r)
	add_data(tree, tvb, u)
	add_control(tree, tvb, u, r)
	add_message(tree, tvb, u, r)
	if r.message then
		hand_on(u, r, pinfo, root)
	end
	return tvb:len()
end

-- A link type for each direction of a line, because each has its own sequence
DissectorTable.get("wtap_encap"):add(wtap.USER0, hippi)
DissectorTable.get("wtap_encap"):add(wtap.USER1, hippi)
