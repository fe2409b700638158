-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of HIPPI-FP packets with EtherType x'8180', in frames of Ethernet and in
-- Messages of HIPPI-6400: the FP_Header, HIPPI-LE (RFC 2067), the headers of an ST operation (ST
-- A.2) and of a chunk of HIPPI-MP (HIPPI-MP 6.2).  Errors have the names of a port's counters,
-- without rx_.

local infos = require "st_expert"
local ulps = require "hippi_fp_ulp"

local ETHERTYPE = 0x8180		-- "HIPPI-FP encapsulation", ST 5.2.6
local HDR_LEN, WORD = 8, 8
local D1_AREA_MAX = 127			-- words, HIPPI-MP 5.3.2
local UNKNOWN = 0xffffffff		-- D2_Size: all that comes

local fp = Proto("hippi_fp", "HIPPI-FP")
local f = {
	ulp = ProtoField.uint8("hippi_fp.ulp", "ULP-id", base.HEX, ulps.names),
	p = ProtoField.bool("hippi_fp.p", "P, D1_Data_Set present", 32, nil, 0x00800000),
	b = ProtoField.bool("hippi_fp.b", "B, D2_Area starts at the second burst", 32, nil,
			    0x00400000),
	reserved = ProtoField.uint32("hippi_fp.reserved", "Reserved", base.HEX, nil, 0x003ff800),
	d1_area_size = ProtoField.uint32("hippi_fp.d1_area_size", "D1_Area_Size, words", base.DEC,
					 nil, 0x000007f8),
	d2_offset = ProtoField.uint32("hippi_fp.d2_offset", "D2_Offset", base.DEC, nil, 0x00000007),
	d2_size = ProtoField.uint32("hippi_fp.d2_size", "D2_Size", base.DEC,
				    { [UNKNOWN] = "not known" }),
	d1 = ProtoField.bytes("hippi_fp.d1", "D1_Area"),
	unused = ProtoField.bytes("hippi_fp.unused", "Bytes before the D2_Data_Set"),
	d2 = ProtoField.bytes("hippi_fp.d2", "D2_Data_Set"),
	fill = ProtoField.bytes("hippi_fp.fill", "Fill"),
	fill_len = ProtoField.uint32("hippi_fp.fill.len", "Bytes of Fill"),
}

local e = {}
infos.define(e, "hippi_fp.error", expert.severity.ERROR, {
	short = "Shorter than an FP_Header",
	d1_area = "D1_Area of more words than fit the first burst",
	truncated = "D1_Area or D2_Data_Set ends behind the packet",
})
infos.define(e, "hippi_fp.error", expert.severity.WARN, {
	ulp = "ULP-id that is not known here",
	not_captured = "The capture has cut the packet off",
})
infos.define(e, "hippi_fp.error", expert.severity.ERROR, ulps.errors)
for name, field in pairs(ulps.fields) do
	f[name] = field
end
fp.fields, fp.experts = f, e
fp.prefs.mp_ulp = Pref.uint("ULP-id of HIPPI-MP", ulps.MP,
			    "The assigned value is not public")
local complain = infos.complainer(e)

-- The FP_Header as numbers
local function read(tvb)
	local word = tvb(0, 4):uint()

	return {
		ulp = tvb(0, 1):uint(),
		p = bit.band(word, 0x00800000) ~= 0,
		b = bit.band(word, 0x00400000) ~= 0,
		d1_len = bit.band(bit.rshift(word, 3), 0xff) * WORD,
		d2_offset = bit.band(word, 7),
		d2_size = tvb(4, 4):uint(),
	}
end

local function add_header(tree, tvb)
	tree:add(f.ulp, tvb(0, 1))
	for _, name in ipairs({ "p", "b", "reserved", "d1_area_size", "d2_offset" }) do
		tree:add(f[name], tvb(0, 4))
	end
	tree:add(f.d2_size, tvb(4, 4))
end

-- The places of what is behind the header.  A fault: its name and what to say
local function locate(h, len)
	h.d1_at = HDR_LEN
	h.d2_at = h.d1_at + h.d1_len + h.d2_offset
	h.d2_len = h.d2_size == UNKNOWN and math.max(len - h.d2_at, 0) or h.d2_size
	h.fill_at = h.d2_at + h.d2_len
	if h.d1_len > D1_AREA_MAX * WORD then
		return "d1_area", string.format("D1_Area_Size %d, expected at most %d",
						   h.d1_len / WORD, D1_AREA_MAX)
	end
	if h.fill_at > len then
		return "truncated", string.format("%d bytes, expected at least %.0f", len,
						     h.fill_at)
	end
end

-- What is shown as bytes, if there is any of it
local function add_bytes(tree, tvb, name, at, len)
	if len > 0 then
		tree:add(f[name], tvb(at, len))
	end
end

local function dissect(tvb, pinfo, root, tree)
	local len = tvb:reported_len()

	if len < HDR_LEN then
		complain(tree, "short", "%d bytes, expected an FP_Header of %d", len, HDR_LEN)
		pinfo.cols.info = "Short"
		return
	end
	if tvb:len() < HDR_LEN then
		complain(tree, "not_captured", "%d bytes of %d", tvb:len(), len)
		pinfo.cols.info = "FP_Header not captured"
		return
	end
	local h = read(tvb)
	local name = ulps.names[h.ulp] or string.format("ULP 0x%02x", h.ulp)

	tree:append_text(", " .. name)
	pinfo.cols.info = string.format("%s, D2_Size %s", name,
					h.d2_size == UNKNOWN and "not known" or h.d2_size)
	add_header(tree, tvb)
	local fault, why = locate(h, len)

	if fault then
		complain(tree, fault, "%s", why)
		return
	end
	if tvb:len() < h.fill_at then
		complain(tree, "not_captured", "%d bytes of %d", tvb:len(), len)
		return
	end
	add_bytes(tree, tvb, "d1", h.d1_at, h.d1_len)
	add_bytes(tree, tvb, "unused", h.d2_at - h.d2_offset, h.d2_offset)
	add_bytes(tree, tvb, "d2", h.d2_at, h.d2_len)
	add_bytes(tree, tvb, "fill", h.fill_at, tvb:len() - h.fill_at)
	tree:add(f.fill_len, tvb(0, 0), len - h.fill_at):set_generated()
	ulps.hand_on({ tvb = tvb, pinfo = pinfo, root = root, tree = tree, f = f,
		       complain = complain, mp_ulp = fp.prefs.mp_ulp }, h)
end

function fp.dissector(tvb, pinfo, root)
	local tree = root:add(fp, tvb())

	pinfo.cols.protocol = "HIPPI-FP"
	dissect(tvb, pinfo, root, tree)
	return tvb:len()
end

DissectorTable.get("ethertype"):add(ETHERTYPE, fp)
