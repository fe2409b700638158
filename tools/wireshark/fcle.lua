-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of ST over FC-LE, ST A.5.  Wireshark's own dissectors show FCoE, the FC
-- header, the Network_Header and LLC/SNAP.  This one sees each frame before them, to tell st.lua
-- about the fill bytes, and after them, to put operations together that are Sequences of several
-- frames.  It does not call them: a frame that is cut in the capture ends their work with an
-- exception, which Dissector:call() of older Wireshark does not catch.  It goes past Lua, whose C
-- stack is used up after some 200 such frames.

local infos = require "st_expert"

local fcle = Proto("fcle", "FC-LE Sequence")
local f = {}

local ETHERTYPE_AT, ETHERTYPE_FCOE = 12, 0x8906
local is_tag, TAGS_MAX = { [0x8100] = true, [0x88a8] = true }, 4	-- of VLANs
local FCOE_HDR, FC_HDR, TRAILER = 14, 24, 8
local TYPE_IP, R_CTL, NETWORK_HEADER = 0x05, 0x04, 0x20
local END_SEQ, FILL = 0x080000, 3		-- of F_CTL
local FIRST_LEN = 16 + 8	-- Network_Header and LLC/SNAP
local SNAP = "\xaa\xaa\x03\0\0\0\x81\x81"
local LEN_MAX = 2 ^ 22 + 64
local FRAMES_MAX = 65536

f.first = ProtoField.framenum("fcle.first", "First frame of the Sequence")
f.frames = ProtoField.uint32("fcle.frames", "Frames of the Sequence")
f.len = ProtoField.uint32("fcle.len", "Bytes of the operation")
fcle.fields = f

local e = {}
infos.define(e, "fcle.error", expert.severity.ERROR, {
	missing = "Frames of the Sequence are missing",
	too_long = "The Sequence is too long",
})
fcle.experts = e
local complain = infos.complainer(e)

local open		-- Sequences that have begun: by D_ID, S_ID, OX_ID and SEQ_ID
local results		-- by frame

function fcle.init()
	open, results = {}, {}
end

-- The frame, if it is one of FC-LE and all of it is in the capture
local function read(tvb)
	local len, at = tvb:len(), ETHERTYPE_AT

	while len >= at + 2 and is_tag[tvb(at, 2):uint()] and at < ETHERTYPE_AT + 4 * TAGS_MAX do
		at = at + 4
	end
	local fc = at + 2 + FCOE_HDR

	if len < fc + FC_HDR + TRAILER or tvb:reported_len() ~= len or
	   tvb(at, 2):uint() ~= ETHERTYPE_FCOE or
	   tvb(fc, 1):uint() ~= R_CTL or tvb(fc + 8, 1):uint() ~= TYPE_IP then
		return nil
	end
	local f_ctl = tvb(fc + 9, 3):uint()
	local fill = bit.band(f_ctl, FILL)
	local data_len = len - fc - FC_HDR - TRAILER - fill

	-- D_ID, S_ID, SEQ_ID and OX_ID
	return data_len >= 0 and {
		key = tvb:raw(fc + 1, 3) .. tvb:raw(fc + 5, 3) ..
		      tvb:raw(fc + 12, 1) .. tvb:raw(fc + 16, 2),
		last = bit.band(f_ctl, END_SEQ) ~= 0,
		fill = fill,
		df_ctl = tvb(fc + 13, 1):uint(),
		seq_cnt = tvb(fc + 14, 2):uint(),
		data = data_len > 0 and tvb:raw(fc + FC_HDR, data_len) or "",
	}
end

-- The operation that is complete with this frame, or what is wrong
local function follow(frame, number)
	local found, data = {}, frame.data
	local seq = open[frame.key]

	if frame.seq_cnt == 0 and frame.df_ctl == NETWORK_HEADER then
		if frame.last or data:sub(17, FIRST_LEN) ~= SNAP then
			open[frame.key] = nil
			return found
		end
		open[frame.key] = { first = number, count = 1, len = #data,
				    parts = { data:sub(FIRST_LEN + 1) } }
		found.begins = true
		return found
	end
	if not seq then
		return found
	end
	found.first = seq.first
	if frame.seq_cnt ~= seq.count then
		open[frame.key] = nil
		found.missing = string.format("SEQ_CNT %d, expected %d", frame.seq_cnt, seq.count)
		return found
	end
	seq.count = seq.count + 1
	seq.len = seq.len + #data
	seq.parts[seq.count] = data
	if seq.len > LEN_MAX or seq.count > FRAMES_MAX then
		open[frame.key] = nil
		found.too_long = string.format("%d bytes in %d frames, expected at most %d", seq.len,
					       seq.count, LEN_MAX)
	elseif frame.last then
		open[frame.key] = nil
		found.frames = seq.count
		found.operation = table.concat(seq.parts)
	end
	return found
end

-- Before the dissectors of Ethernet and FCoE, which go on with the frame
local function before(tvb, pinfo)
	local frame = read(tvb)

	if not frame then
		return false
	end
	local found = results[pinfo.number] or follow(frame, pinfo.number)

	results[pinfo.number] = found
	-- For st.lua: Wireshark takes fill bytes for data
	pinfo.private["fcle_begins"] = found.begins and "1" or nil
	pinfo.private["fcle_fill"] = tostring(frame.fill)
	return false
end

-- After them
function fcle.dissector(_, pinfo, root)
	local found = results[pinfo.number]

	pinfo.private["fcle_begins"] = nil
	pinfo.private["fcle_fill"] = nil
	if not found or not found.first then
		return
	end
	local tree = root:add(fcle)

	tree:add(f.first, found.first):set_generated()
	for _, fault in ipairs({ "missing", "too_long" }) do
		if found[fault] then
			complain(tree, fault, "%s", found[fault])
		end
	end
	if found.operation then
		local bytes = ByteArray.new(found.operation, true)

		tree:add(f.frames, found.frames):set_generated()
		tree:add(f.len, #found.operation):set_generated()
		Dissector.get("st"):call(bytes:tvb("FC-LE Sequence"), pinfo, root)
	end
end

fcle:register_heuristic("eth", before)
register_postdissector(fcle)
