-- SPDX-License-Identifier: GPL-2.0
--
-- Sequence analysis of HIPPI-6400-PH micropackets in a capture: the CRCs, the micropackets
-- that a destination accepts in order, and the Messages that they carry.  Values that the preview
-- of the standard does not define are as in drivers/net/hippi6400/link/values.h.

local M = {}

M.SIZE, M.DATA = 40, 32			-- bytes of a micropacket, HIPPI-6400-PH 4.4
M.SNAP = "\xaa\xaa\x03\0\0\0"		-- ST figure A.1
M.SEQ_NONE, M.SEQ_MOD = 0xff, 255
M.LIMIT = { [0] = 68, 4100, 4100, 2 ^ 27 }	-- micropackets of a Message, by VC

M.type = {
	NULL = 0, CREDIT = 1, HEADER = 2, DATA = 3, ADMIN = 4,
	RESET = 8, RESET_ACK = 9, INIT = 10, INIT_ACK = 11,
}

local LCRC_COVERED = 38			-- DB00-DB31 and c00-c47, HIPPI-6400-PH 4.9
local PRESET = 0xffff
local SNAP_LEN = 8			-- part of M_len that is not payload
local HEADER_PAYLOAD = 8		-- payload in a Header micropacket

local ways				-- state by direction of a line

-- HIPPI-6400-PH 4.9: most significant bit first, not inverted
local function crc_table(poly)
	local t = {}

	for byte = 0, 255 do
		local crc = byte * 256

		for _ = 1, 8 do
			crc = crc * 2
			if crc >= 0x10000 then
				crc = bit.bxor(crc - 0x10000, poly)
			end
		end
		t[byte] = crc
	end
	return t
end

local LCRC, ECRC = crc_table(0x100b), crc_table(0x1021)

local function crc(t, preset, bytes)
	local value = preset

	for _, byte in ipairs({ bytes:byte(1, -1) }) do
		value = bit.bxor(value % 256 * 256, t[bit.bxor(math.floor(value / 256), byte)])
	end
	return value
end

-- lcrc BYTES - of a whole micropacket
function M.lcrc(bytes)
	return crc(LCRC, PRESET, bytes:sub(1, LCRC_COVERED))
end

-- read BYTES - the control bits of a whole micropacket, HIPPI-6400-PH 4.4
function M.read(bytes)
	local first, credit, tseq, rseq, e0, e1, l0, l1 = bytes:byte(M.DATA + 1, M.SIZE)

	return {
		data = bytes:sub(1, M.DATA),
		vc = first % 4,
		type = math.floor(first / 4) % 16,
		tail = bit.band(first, 0x40) ~= 0,
		error = bit.band(first, 0x80) ~= 0,
		cr = math.floor(credit / 4),
		tseq = tseq,
		rseq = rseq,
		ecrc = e1 * 256 + e0,
		lcrc = l1 * 256 + l0,
		-- Fields that a retransmission does not change, HIPPI-6400-PH 4.8
		same = bytes:sub(1, M.DATA + 3) .. bytes:sub(M.DATA + 5, M.DATA + 6),
	}
end

function M.init()
	ways = {}
end

local function way_of(name)
	if not ways[name] then
		ways[name] = { accepted = {}, message = {}, begun = {} }
	end
	return ways[name]
end

local function is_control(u)
	return u.type >= M.type.RESET and u.type <= M.type.INIT_ACK
end

-- sequenced U - whether it has a sequence number, HIPPI-6400-PH 4.8
function M.sequenced(u)
	return not is_control(u) and (u.cr ~= 0 or u.type == M.type.HEADER or
				      u.type == M.type.DATA or u.type == M.type.ADMIN)
end

-- Whether it is the one that its destination expects next; true for the first of a capture.
local function accept(way, u, r, frame)
	if not M.sequenced(u) then
		return true
	end
	if u.tseq == M.SEQ_NONE then
		return false
	end
	if way.expected and u.tseq ~= way.expected then
		local before = way.accepted[u.tseq]

		if before and before.same == u.same then
			r.retransmission_of = before.frame
		else
			r.expected = way.expected
		end
		return false
	end
	way.accepted[u.tseq] = { frame = frame, same = u.same }
	way.expected = (u.tseq + 1) % M.SEQ_MOD
	return true
end

-- Micropackets of a Message with this M_len
local function upkts(m_len)
	local payload = m_len - SNAP_LEN

	return payload <= HEADER_PAYLOAD and 1 or
	       1 + math.ceil((payload - HEADER_PAYLOAD) / M.DATA)
end

-- The end of a Message, HIPPI-6400-PH 4.5
local function finish(m, r)
	local payload = table.concat(m.parts)

	r.header = m.frame
	r.upkts = #m.parts
	if m.m_len < SNAP_LEN or upkts(m.m_len) ~= r.upkts then
		r.m_len = m.m_len
		return
	end
	r.padding = payload:sub(m.m_len - SNAP_LEN + 1):find("[^%z]") ~= nil
	if m.good then
		r.message = payload:sub(1, m.m_len - SNAP_LEN)
		r.d_ula, r.s_ula, r.ethertype = m.d_ula, m.s_ula, m.ethertype
	end
end

local function begin(data, frame)
	local l = { data:byte(13, 16) }
	local high, low = data:byte(23, 24)

	return {
		frame = frame, good = true, crc = PRESET, parts = {},
		d_ula = data:sub(1, 6), s_ula = data:sub(7, 12),
		m_len = l[1] * 2 ^ 24 + l[2] * 2 ^ 16 + l[3] * 2 ^ 8 + l[4],
		ethertype = high * 256 + low,
	}
end

-- A Header or Data that was accepted, HIPPI-6400-PH 4.5
local function add_to_message(way, u, r, frame)
	local m = way.message[u.vc]

	if u.type == M.type.HEADER then
		r.no_tail = m and m.frame
		m = begin(u.data, frame)
		way.begun[u.vc] = true
	elseif not m then
		-- Its Header may have been sent before the capture
		r.no_header = way.begun[u.vc]
		return
	end
	m.crc = crc(ECRC, m.crc, u.data)
	m.good = m.good and not u.error and m.crc == u.ecrc
	r.ecrc = m.crc
	if m.over_limit then
		m.parts = nil		-- the rest of it is dropped
	elseif #m.parts == M.LIMIT[u.vc] then
		m.over_limit, r.over_limit = true, true
	else
		m.parts[#m.parts + 1] = u.type == M.type.HEADER and
					u.data:sub(-HEADER_PAYLOAD) or u.data
	end
	if u.tail and not m.over_limit then
		finish(m, r)
	end
	way.message[u.vc] = not u.tail and m or nil
end

-- follow NAME U FRAME - returns the analysis of a micropacket in a direction of a line:
--   lcrc			the LCRC is correct; otherwise nothing else is set
--   ecrc			the ECRC is correct, if it can be checked
--   retransmission_of	frame in which it was accepted before
--   expected		the expected TSEQ, if it differs
--   no_tail		frame of the Header whose Message has no end
--   no_header		Data outside any Message
--   over_limit		the Message is longer than its VC allows
--   header, upkts	at the end of a Message: frame of its Header, micropackets
--   m_len		M_len, if it does not match them
--   padding		it is not zero
--   message		payload of a correct Message; with d_ula, s_ula, ethertype
function M.follow(name, u, frame, bytes)
	local way = way_of(name)
	local r = { lcrc = M.lcrc(bytes) }

	if r.lcrc ~= u.lcrc then
		return r
	end
	-- Both ends start over: TSEQ from 0, Messages in flight are lost
	if u.type == M.type.RESET or u.type == M.type.INIT then
		ways[name] = { accepted = {}, message = {}, expected = 0,
			       begun = { [0] = true, true, true, true } }
	end
	local accepted = accept(way, u, r, frame)

	if u.type ~= M.type.DATA then
		r.ecrc = crc(ECRC, PRESET, u.data)	-- HIPPI-6400-PH 4.9
	end
	if accepted and (u.type == M.type.HEADER or u.type == M.type.DATA) then
		add_to_message(way, u, r, frame)
	end
	return r
end

return M
