-- SPDX-License-Identifier: GPL-2.0
--
-- Connections and Messages of FC-VI for fcvi.lua: what a frame is a part of, and what the frames
-- before it say against it.

local iu = require "fcvi_iu"

local M = {}

M.force_st = false	-- all Send Messages are ST
local ST_MAX = 2 ^ 22 + 64	-- bytes of an operation that is put together
local RANGES_MAX = 1024	-- pieces of a Message between which frames are missing
local SHOWN = 8		-- of them that are named

local setups		-- Exchanges of connection IUs, by both ports and OX_ID
local connections	-- by N_Port ID and handle of the addressee
local messages		-- by both ports, handle, MSG_ID and direction
local requests		-- that may have a Response, by both ports, OX_ID and MSG_ID

function M.init()
	setups, connections, messages, requests = {}, {}, {}, {}
end

local function fault(found, name, ...)
	found.faults[#found.faults + 1] = { name = name, text = string.format(...) }
end

-- The Exchange of a frame, by its originator first
local function exchange(p)
	if p.responder then
		return string.format("%06x %06x %04x", p.d_id, p.s_id, p.ox_id)
	end
	return string.format("%06x %06x %04x", p.s_id, p.d_id, p.ox_id)
end

local function end_key(id, handle)
	return string.format("%06x %08x", id, handle)
end

-- Both directions of a connection, with what its sender has to keep to
local function connect(setup, p)
	local there, here = setup.connect, p.connect
	local function direction(pref)
		return { setup = setup.frame, level = there.level, st = there.st, pref = pref,
			 msg_id = 1 }
	end

	connections[end_key(p.s_id, here.handle)] = direction(there.pref)
	connections[end_key(p.d_id, there.handle)] = direction(here.pref)
end

local function follow_response(p, found, setup)
	found.request = setup
	setup.response = setup.response or { frame = p.number }
	if p.tail ~= setup.id then
		fault(found, "bad_id", "CONNECTION_ID %08x, expected %08x of frame %d", p.tail,
		      setup.id, setup.frame)
	end
	if p.opcode == iu.op.DISCONNECT_RESP then
		local flags = bit.band(p.flags, 0x06)

		if flags ~= bit.band(setup.flags, 0x06) then
			fault(found, "bad_flags", "FCVI_FLAGS 0x%02x, expected 0x%02x as in frame %d",
			      flags, bit.band(setup.flags, 0x06), setup.frame)
		end
	elseif p.retry ~= setup.retry then
		fault(found, "bad_flags", "RETRY is not as in frame %d", setup.frame)
	end
	if p.opcode == iu.op.CONNECT_RESP1 and setup.connect and p.connect and
	   bit.band(p.flags, iu.CONN_STS) == 0 then
		connect(setup, p)
	end
end

-- IUs of setups and of Disconnects
local function follow_setup(p, found)
	local key = exchange(p)
	local setup = setups[key]

	if p.opcode == iu.op.CONNECT_RQST or p.opcode == iu.op.DISCONNECT_RQST then
		setups[key] = { frame = p.number, time = p.time, opcode = p.opcode, id = p.tail,
				flags = p.flags, retry = p.retry, connect = p.connect }
		found.asks = setups[key]
	elseif setup and (setup.opcode == iu.op.DISCONNECT_RQST) ==
	       (p.opcode == iu.op.DISCONNECT_RESP) then
		follow_response(p, found, setup)
	end
end

-- What the connection says of a Message's frame, FC-VI 5.8.2, 5.8.4 and table 1
local function check_connection(p, found, connection)
	local name, level = iu.names[p.opcode], connection.level
	local pref = p.cs_ctl >= 0x80

	if level == iu.UD and (p.opcode == iu.op.READ_RQST or p.opcode == iu.op.READ_RESP) then
		fault(found, "bad_level", "%s on Unreliable Delivery", name)
	elseif level ~= iu.RR and (p.opcode == iu.op.SEND_RESP or p.opcode == iu.op.WRITE_RESP) then
		fault(found, "bad_level", "%s, expected on Reliable Reception only", name)
	elseif (p.opcode == iu.op.SEND_RQST or p.opcode == iu.op.WRITE_RQST) and p.ends and
	       p.si ~= (level == iu.RR) then
		fault(found, "bad_end", "The last IU of a request has %s, expected %s",
		      p.si and "Sequence Initiative" or "Last_Sequence",
		      p.si and "Last_Sequence" or "Sequence Initiative")
	end
	if pref ~= connection.pref then
		fault(found, "bad_pref", "CS_CTL 0x%02x, expected %s", p.cs_ctl,
		      connection.pref and "0x80 in all frames" or "no PREF")
	end
end

-- MSG_ID of a Message that begins, modulo 2^32, FC-VI 5.9.6
local function check_msg_id(p, found, connection)
	if p.msg_id ~= connection.msg_id then
		fault(found, "order", "MSG_ID %.0f, expected %.0f", p.msg_id, connection.msg_id)
	end
	if (p.msg_id - connection.msg_id) % 2 ^ 32 < 2 ^ 31 then
		connection.msg_id = (p.msg_id + 1) % 2 ^ 32
	end
end

local function check_seq_cnt(p, found, message)
	if p.seq_cnt ~= message.seq_cnt then
		fault(found, "order", "SEQ_CNT %d, expected %d", p.seq_cnt, message.seq_cnt)
	end
	if (p.seq_cnt - message.seq_cnt) % 65536 < 32768 then
		message.seq_cnt = (p.seq_cnt + 1) % 65536
	end
end

-- insert MESSAGE, FIRST, LAST - adds bytes to those that came; returns whether some had come
local function insert(message, first, last)
	local double, ranges = false, {}

	for _, r in ipairs(message.ranges) do
		if r[2] < first or r[1] > last then
			ranges[#ranges + 1] = r
		else
			double = double or (r[2] > first and r[1] < last)
			first, last = math.min(r[1], first), math.max(r[2], last)
		end
	end
	ranges[#ranges + 1] = { first, last }
	table.sort(ranges, function(a, b) return a[1] < b[1] end)
	message.ranges = ranges
	return double
end

local function complete(message)
	local first = message.ranges[1]

	return #message.ranges == 1 and first[1] == 0 and first[2] >= message.tot_len
end

-- missing MESSAGE - the bytes that have not come, as text, or nil
function M.missing(message)
	local texts, at = {}, 0

	for _, r in ipairs(message.ranges) do
		if r[1] > at then
			texts[#texts + 1] = string.format("%.0f-%.0f", at, r[1] - 1)
		end
		at = math.max(at, r[2])
	end
	if at < message.tot_len then
		texts[#texts + 1] = string.format("%.0f-%.0f", at, message.tot_len - 1)
	end
	if #texts > SHOWN then
		texts[SHOWN + 1] = string.format("and %d more", #texts - SHOWN)
	end
	return #texts > 0 and table.concat(texts, ", ", 1, math.min(#texts, SHOWN + 1)) or nil
end

local function join(message)
	local places, parts = {}, {}

	for at in pairs(message.parts) do
		places[#places + 1] = at
	end
	table.sort(places)
	for i, at in ipairs(places) do
		parts[i] = message.parts[at]
	end
	return table.concat(parts)
end

local function take_data(p, found, message)
	if p.offset + p.len > message.tot_len then
		fault(found, "tot_len", "Bytes up to %.0f, expected at most %.0f",
		      p.offset + p.len, message.tot_len)
		message.parts, message.confused = nil, true
		return
	end
	local had_all = complete(message)
	local double = insert(message, p.offset, p.offset + p.len)

	if double or had_all then
		fault(found, "double", "Bytes that have come before")
		-- Which of them count, if it is not the same frame?
		if message.parts and message.parts[p.offset] ~= p.data then
			message.parts = nil
		end
		return
	end
	if not p.data then
		message.parts = nil	-- not all of it is in the capture
	elseif message.parts and p.len > 0 then
		message.parts[p.offset] = p.data
	end
	if complete(message) then
		found.complete = { frames = message.frames }
		if message.parts then
			found.operation = join(message)
		end
		message.parts = nil
	elseif #message.ranges > RANGES_MAX then
		message.parts, message.confused = nil, true
	end
end

local function new_message(p, found, connection)
	local message = { first = p.number, time = p.time, opcode = p.opcode, ox_id = p.ox_id,
			  tot_len = p.tail, rdma = p.rdma, frames = 0, seq_cnt = p.seq_cnt,
			  ranges = {} }
	local st = p.opcode == iu.op.SEND_RQST and
		   (M.force_st or connection ~= nil and connection.st)

	if st and p.tail <= ST_MAX then
		message.parts = {}
	end
	message.st = st
	if connection and not p.responder then
		check_msg_id(p, found, connection)
	end
	return message
end

local function follow_request(p)
	local request = { frame = p.number, time = p.time }

	requests[exchange(p) .. string.format(" %08x", p.msg_id)] = request
	return request
end

-- Frames of Messages that have data
local function follow_data(p, found, connection)
	local key = string.format("%06x %06x %08x %08x %s", p.d_id, p.s_id, p.handle, p.msg_id,
				  tostring(p.responder))
	local message = messages[key]

	if not message or message.ox_id ~= p.ox_id or message.opcode ~= p.opcode then
		if message and connection then
			fault(found, "bad_exchange", "MSG_ID %.0f is that of frame %d", p.msg_id,
			      message.first)
		end
		message = new_message(p, found, connection)
		messages[key] = message
		if not p.responder then
			message.request = follow_request(p)
		end
	end
	found.message, found.asks = message, message.first == p.number and message.request or nil
	message.frames = message.frames + 1
	check_seq_cnt(p, found, message)
	if p.tail ~= message.tot_len then
		fault(found, "tot_len", "TOT_LEN %.0f, expected %.0f of frame %d", p.tail,
		      message.tot_len, message.first)
	elseif p.rdma ~= message.rdma then
		fault(found, "rmt_va", "RMT_VA or its handle is not that of frame %d",
		      message.first)
	elseif not message.confused then
		take_data(p, found, message)
	end
	if p.ends then
		found.ends = true
		-- An answer that tells an error has no data
		if p.offset + p.len < message.tot_len and not p.failed then
			fault(found, "tot_len", "The Message ends after %.0f bytes, expected %.0f",
			      p.offset + p.len, message.tot_len)
		end
	end
end

-- follow FRAME - what a good frame does.  A frame has number, time, d_id, s_id, ox_id, cs_ctl,
-- seq_cnt, offset, responder, si, ends (Sequence Initiative or Last_Sequence), opcode, flags,
-- retry, failed (RESP_ERR), handle, msg_id, rdma (as bytes), tail (TOT_LEN or CONNECTION_ID),
-- len and data of the payload (nil if it is not all in the capture), and connect, what
-- fcvi_connect found.  Returned are faults, and what is known of
--	setup, level: the frame of the CONNECT_RQST, and the reliability level
--	message, complete, operation, ends: the Message; this frame completes it; its data, if it
--		is one of ST; the last frame of it
--	asks, request: the record of a request, with frame, time and response, of this frame, or
--		that it answers
function M.follow(p)
	local found = { faults = {} }
	local u = iu.ius[p.opcode]
	local connection = connections[end_key(p.d_id, p.handle)]

	if connection then
		found.setup, found.level = connection.setup, connection.level
	end
	if not u.message then
		follow_setup(p, found)
		return found
	end
	if connection then
		check_connection(p, found, connection)
	end
	if p.responder then
		local request = requests[exchange(p) .. string.format(" %08x", p.msg_id)]

		if request then
			found.request = request
			request.response = request.response or { frame = p.number }
		end
	end
	if u.data then
		follow_data(p, found, connection)
	elseif not p.responder then
		if connection then
			check_msg_id(p, found, connection)
		end
		found.asks = follow_request(p)
	end
	return found
end

return M
