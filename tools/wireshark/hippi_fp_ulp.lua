-- SPDX-License-Identifier: GPL-2.0
--
-- Upper-layer protocols of HIPPI-FP, for hippi_fp.lua: HIPPI-LE, ST and HIPPI-MP.  Each takes C,
-- what hippi_fp.lua knows of the packet in the capture, and H, the FP_Header and the places of
-- D1_Area and D2_Data_Set.

local M = { LE = 0x04, ST = 0x0c, MP = 0x80 }

M.names = { [M.LE] = "HIPPI-LE", [M.ST] = "ST", [M.MP] = "HIPPI-MP" }

local LE_D1_LEN, LLC_LEN = 24, 8
local SNAP = "\xaa\xaa\x03\0\0\0"
local IP_TYPES = { [0x0800] = true, [0x0806] = true, [0x86dd] = true }
local A2_LEN, SCHEDULE_HDR = 24, 40	-- ST A.2
local ETHERTYPE_ST = "\x81\x81"
local MP_LEN, MARK_LEN = 8, 8

-- Expert infos: the counters of a port, and those of ST
M.errors = {
	le = "Wrong D1 or LLC/SNAP header of HIPPI-LE",
	le_type = "Message_Type or EtherType that is not one of IP and ARP",
	st_d1_or_offset = "ST with D1, D2_Offset or B",
	st_indeterminate = "ST with D2_Size not known",
	st_short = "Shorter than the headers of ST",
	st_m_len = "M_len does not fit D2_Size",
	st_snap = "LLC/SNAP header is not that of ST",
	mp_no_header = "No MP_Header",
}

local F = {}
M.fields = F

-- Fields of headers in the order of their bytes: name, offset, length
local LE_FIELDS = {
	{ "le_fc", 0, 1 }, { "le_double_wide", 0, 1 }, { "le_message_type", 0, 1 },
	{ "le_dest_switch", 1, 3 }, { "le_dest_type", 4, 1 }, { "le_source_type", 4, 1 },
	{ "le_source_switch", 5, 3 }, { "le_reserved", 8, 2 }, { "le_dest_ula", 10, 6 },
	{ "le_local", 16, 2 }, { "le_source_ula", 18, 6 },
}
local A2_FIELDS = {
	{ "st_d_ula", 0, 6 }, { "st_s_ula", 6, 6 }, { "st_m_len", 12, 4 }, { "st_dsap", 16, 1 },
	{ "st_ssap", 17, 1 }, { "st_ctl", 18, 1 }, { "st_org", 19, 3 }, { "st_ethertype", 22, 2 },
}
local MP_FIELDS = {
	{ "mp_ulp", 0, 1 }, { "mp_l", 1, 1 }, { "mp_rsv", 1, 1 }, { "mp_source_id", 1, 2 },
	{ "mp_sequence", 3, 1 }, { "mp_d2_address_offset", 4, 4 },
}

F.le_fc = ProtoField.uint8("hippi_fp.le.fc", "FC", base.DEC, nil, 0xe0)
F.le_double_wide = ProtoField.bool("hippi_fp.le.double_wide", "Double_Wide", 8, nil, 0x10)
F.le_message_type = ProtoField.uint8("hippi_fp.le.message_type", "Message_Type", base.DEC, nil,
				     0x0f)
F.le_dest_switch = ProtoField.uint24("hippi_fp.le.dest_switch", "Destination_Switch_Address",
				     base.HEX)
F.le_dest_type = ProtoField.uint8("hippi_fp.le.dest_type", "Destination_Address_Type", base.DEC,
				  nil, 0xf0)
F.le_source_type = ProtoField.uint8("hippi_fp.le.source_type", "Source_Address_Type", base.DEC,
				    nil, 0x0f)
F.le_source_switch = ProtoField.uint24("hippi_fp.le.source_switch", "Source_Switch_Address",
				       base.HEX)
F.le_reserved = ProtoField.uint16("hippi_fp.le.reserved", "Reserved", base.HEX)
F.le_dest_ula = ProtoField.ether("hippi_fp.le.dest_ula", "Destination ULA")
F.le_local = ProtoField.uint16("hippi_fp.le.local", "Locally administered", base.HEX)
F.le_source_ula = ProtoField.ether("hippi_fp.le.source_ula", "Source ULA")

F.st_d_ula = ProtoField.ether("hippi_fp.st.d_ula", "D_ULA")
F.st_s_ula = ProtoField.ether("hippi_fp.st.s_ula", "S_ULA")
F.st_m_len = ProtoField.uint32("hippi_fp.st.m_len", "M_len")
F.st_dsap = ProtoField.uint8("hippi_fp.st.dsap", "DSAP", base.HEX)
F.st_ssap = ProtoField.uint8("hippi_fp.st.ssap", "SSAP", base.HEX)
F.st_ctl = ProtoField.uint8("hippi_fp.st.ctl", "Ctl", base.HEX)
F.st_org = ProtoField.uint24("hippi_fp.st.org", "Org", base.HEX)
F.st_ethertype = ProtoField.uint16("hippi_fp.st.ethertype", "EtherType", base.HEX)

F.mp_ulp = ProtoField.uint8("hippi_fp.mp.ulp", "ULP-id", base.HEX, M.names)
F.mp_l = ProtoField.bool("hippi_fp.mp.l", "L, last chunk", 8, nil, 0x80)
F.mp_rsv = ProtoField.uint8("hippi_fp.mp.rsv", "Rsv", base.HEX, nil, 0x70)
F.mp_source_id = ProtoField.uint16("hippi_fp.mp.source_id", "Source-id", base.HEX, nil, 0x0fff)
F.mp_sequence = ProtoField.uint8("hippi_fp.mp.sequence", "Sequence#")
F.mp_d2_address_offset = ProtoField.uint32("hippi_fp.mp.d2_address_offset", "D2_Address_Offset")
F.mark_instance = ProtoField.uint32("hippi_fp.mp.mark.instance", "Mark, instance", base.HEX)
F.mark_n = ProtoField.uint32("hippi_fp.mp.mark.n", "Mark, number of the PDU")

local function add_fields(c, list, at)
	for _, field in ipairs(list) do
		c.tree:add(c.f[field[1]], c.tvb(at + field[2], field[3]))
	end
end

-- RFC 2067; Wireshark shows LLC/SNAP, IP and ARP
local function le(c, h)
	if h.p and h.d1_len >= LE_D1_LEN then
		add_fields(c, LE_FIELDS, h.d1_at)
	else
		c.complain(c.tree, "le", "D1_Area of %d bytes, P %d, expected %d and 1", h.d1_len,
			   h.p and 1 or 0, LE_D1_LEN)
		return
	end
	if h.d2_len < LLC_LEN or c.tvb:raw(h.d2_at, #SNAP) ~= SNAP then
		c.complain(c.tree, "le", "D2_Data_Set does not begin with AA AA 03 00 00 00")
		return
	end
	local message_type = bit.band(c.tvb(h.d1_at, 1):uint(), 0x0f)
	local ethertype = c.tvb(h.d2_at + #SNAP, 2):uint()

	if message_type ~= 0 or not IP_TYPES[ethertype] then
		c.complain(c.tree, "le_type",
			   "Message_Type %d, EtherType 0x%04x, expected 0, and IP or ARP",
			   message_type, ethertype)
	end
	if message_type == 0 then
		Dissector.get("llc"):call(c.tvb(h.d2_at, h.d2_len):tvb(), c.pinfo, c.root)
	end
end

-- The fault of the headers of ST, and what to say
local function st_fault(c, h)
	if h.p or h.d1_len > 0 or h.d2_offset > 0 or h.b then
		return "st_d1_or_offset",
		       string.format("P %d, D1_Area of %d bytes, D2_Offset %d, B %d, expected 0",
				     h.p and 1 or 0, h.d1_len, h.d2_offset, h.b and 1 or 0)
	end
	if h.d2_size == 0xffffffff then
		return "st_indeterminate", "D2_Size not known"
	end
	if h.d2_len < A2_LEN + SCHEDULE_HDR then
		return "st_short", string.format("D2_Size %d, expected at least %d", h.d2_len,
						 A2_LEN + SCHEDULE_HDR)
	end
	local m_len = c.tvb(h.d2_at + 12, 4):uint()

	if m_len + 16 ~= h.d2_len then
		return "st_m_len", string.format("M_len %.0f, expected %d", m_len, h.d2_len - 16)
	end
	if c.tvb:raw(h.d2_at + 16, 8) ~= SNAP .. ETHERTYPE_ST then
		return "st_snap", "LLC/SNAP header is not AA AA 03 00 00 00 81 81"
	end
end

-- ST A.2
local function st(c, h)
	if h.d2_len >= A2_LEN then
		add_fields(c, A2_FIELDS, h.d2_at)
	end
	local fault, why = st_fault(c, h)

	if fault then
		c.complain(c.tree, fault, "%s", why)
		return
	end
	-- It is not the channel of the operation: HIPPI has one, ST A.2
	local vc = c.pinfo.private["hippi6400_vc"]

	c.pinfo.private["hippi6400_vc"] = nil
	Dissector.get("st"):call(c.tvb(h.d2_at + A2_LEN, h.d2_len - A2_LEN):tvb(), c.pinfo, c.root)
	c.pinfo.private["hippi6400_vc"] = vc
end

local hand_on

-- HIPPI-MP 6.2.  A PDU of one chunk is handed on; those of several are not put together.
local function mp(c, h)
	if not h.p or h.d1_len < MP_LEN then
		c.complain(c.tree, "mp_no_header", "D1_Area of %d bytes, P %d, expected %d and 1",
			   h.d1_len, h.p and 1 or 0, MP_LEN)
		return
	end
	add_fields(c, MP_FIELDS, h.d1_at)
	local ulp = c.tvb(h.d1_at, 1):uint()
	local sequence, offset = c.tvb(h.d1_at + 3, 1):uint(), c.tvb(h.d1_at + 4, 4):uint()
	local whole = c.tvb(h.d1_at + 1, 1):uint() >= 0x80 and sequence == 0 and offset == 0

	c.tree:append_text(string.format(", chunk %d", sequence))
	c.pinfo.cols.info:append(string.format(", chunk %d at %.0f", sequence, offset))
	if whole and ulp == c.mp_ulp and h.d2_len == MARK_LEN then
		c.tree:add(c.f.mark_instance, c.tvb(h.d2_at, 4))
		c.tree:add(c.f.mark_n, c.tvb(h.d2_at + 4, 4))
		c.pinfo.cols.info:append(", mark")
	elseif whole and ulp ~= c.mp_ulp then
		local up = {}

		for name, value in pairs(h) do
			up[name] = value
		end
		up.ulp = ulp
		up.d1_at, up.d1_len = h.d1_at + MP_LEN, h.d1_len - MP_LEN
		up.p = up.d1_len > 0
		hand_on(c, up)
	end
end

function hand_on(c, h)
	local by_id = { [M.LE] = le, [M.ST] = st, [c.mp_ulp] = mp }

	if by_id[h.ulp] then
		by_id[h.ulp](c, h)
	else
		c.complain(c.tree, "ulp", "ULP-id 0x%02x", h.ulp)
	end
end

M.hand_on = hand_on

return M
