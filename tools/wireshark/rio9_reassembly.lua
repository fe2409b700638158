-- SPDX-License-Identifier: GPL-2.0
--
-- Reassembly of RapidIO Type 9 PDUs for rio9.lua, RapidIO Part 10 3.2.5.  The faults have the
-- names of a port's counters (rio9.rst), with a text for people.

local M = {}

M.SINGLE, M.START, M.CONT, M.END = 3, 2, 0, 1	-- S and E

-- What an endpoint has in its registers; a capture does not tell.  mtu 0 is what each start
-- segment has, contexts 0 is no limit, timeout is in seconds.
M.endpoint = { mtu = 0, max_pdu = 65536, contexts = 0, timeout = 1 }

local MTU_MIN, MTU_MAX, MTU_STEP, PDU_MAX = 32, 256, 4, 65536

local contexts		-- open ones by source, destination and physical channel
local open		-- how many, by destination

function M.init()
	contexts, open = {}, {}
end

local function close(ctx)
	contexts[ctx.key] = nil
	open[ctx.dst] = open[ctx.dst] - 1
end

local function fault(found, name, ...)
	found.faults[#found.faults + 1] = { name = name, text = string.format(...) }
end

-- A PDU has one fault, the first; its context swallows the rest
local function bad(ctx, found, name, ...)
	if ctx.segments then
		fault(found, name, ...)
		ctx.segments = nil
	end
end

local function append(ctx, found, p)
	if ctx.len + p.len > M.endpoint.max_pdu then
		bad(ctx, found, "over_max_pdu", "%d bytes, expected at most %d", ctx.len + p.len,
		    M.endpoint.max_pdu)
	elseif not p.data then
		ctx.segments = nil	-- not in the capture: neither good nor defective
	else
		ctx.segments[#ctx.segments + 1] = p.data
		ctx.len = ctx.len + p.len
	end
end

local function wrong_mtu(len)
	if M.endpoint.mtu ~= 0 then
		return len ~= M.endpoint.mtu
	end
	return len < MTU_MIN or len > MTU_MAX or len % MTU_STEP ~= 0
end

local function full_segment()
	return M.endpoint.mtu ~= 0 and tostring(M.endpoint.mtu) or
		MTU_MIN .. " to " .. MTU_MAX
end

local function start(key, p, found)
	local used = open[p.dst] or 0

	if M.endpoint.contexts ~= 0 and used >= M.endpoint.contexts then
		fault(found, "no_context", "%d contexts are open, expected fewer than %d", used,
		      M.endpoint.contexts)
		return
	end
	local ctx = { key = key, dst = p.dst, cos = p.cos, stream = p.stream, first = p.frame,
		      touched = p.time, len = 0, count = 1, mtu = p.len, segments = {} }

	contexts[key] = ctx
	open[p.dst] = used + 1
	if wrong_mtu(p.len) then
		bad(ctx, found, "start_not_mtu", "%d bytes in a start segment, expected %s", p.len,
		    full_segment())
	else
		append(ctx, found, p)
	end
	found.first = p.frame
	found.stream = p.stream
end

local function single(p, found)
	local most = M.endpoint.mtu ~= 0 and M.endpoint.mtu or MTU_MAX

	found.stream = p.stream
	if p.len > most then
		fault(found, "single_over_mtu", "%d bytes in a single segment, expected at most %d",
		      p.len, most)
	elseif p.len > M.endpoint.max_pdu then
		fault(found, "over_max_pdu", "%d bytes, expected at most %d", p.len,
		      M.endpoint.max_pdu)
	else
		found.pdu, found.count = p.data, 1
	end
end

-- What a continuation and an end segment have in common
local function more(ctx, p, found)
	local is_end = p.kind == M.END

	ctx.count = ctx.count + 1
	ctx.touched = p.time
	found.first, found.stream = ctx.first, ctx.stream
	if not ctx.segments then
		return
	end
	if p.cos ~= ctx.cos then
		bad(ctx, found, "cos_changed", "cos 0x%02x, expected 0x%02x of the start", p.cos,
		    ctx.cos)
	elseif is_end and p.len > ctx.mtu then
		bad(ctx, found, "end_over_mtu", "%d bytes in an end segment, expected at most %d",
		    p.len, ctx.mtu)
	elseif not is_end and p.len ~= ctx.mtu then
		bad(ctx, found, "cont_not_mtu", "%d bytes in a continuation segment, expected %d",
		    p.len, ctx.mtu)
	else
		append(ctx, found, p)
	end
end

local function finish(ctx, p, found)
	local length = p.length == 0 and PDU_MAX or p.length

	if ctx.segments and p.len == 0 and p.length == 0 then
		bad(ctx, found, "aborted", "The source gave the PDU of frame %d up", ctx.first)
	elseif ctx.segments and ctx.len ~= length then
		bad(ctx, found, "length", "length %d, expected the %d bytes that came", length,
		    ctx.len)
	end
	if ctx.segments then
		found.pdu, found.count = table.concat(ctx.segments), ctx.count
	end
	close(ctx)
end

-- follow PACKET - what a segment does to the PDU of its context.  A packet has frame, time,
-- src, dst, channel, cos, kind, len, data (nil if it is not all in the capture), stream or
-- length.  Returned are faults, and what is known of first (frame of the start), stream, pdu
-- and count (segments of it).
function M.follow(p)
	local found = { faults = {} }
	local key = string.format("%d %d %d", p.src, p.dst, p.channel)
	local ctx = contexts[key]

	if ctx and p.time - ctx.touched > M.endpoint.timeout then
		bad(ctx, found, "timeout", "Nothing of the PDU of frame %d for %.3f s", ctx.first,
		    p.time - ctx.touched)
		close(ctx)
		ctx = nil
	end
	if p.kind == M.START or p.kind == M.SINGLE then
		if ctx then
			bad(ctx, found, "no_end", "expected the end of the PDU of frame %d first",
			    ctx.first)
			close(ctx)
		end
		if p.kind == M.START then
			start(key, p, found)
		else
			single(p, found)
		end
	elseif not ctx then
		fault(found, "no_start", "expected a start segment first")
	else
		more(ctx, p, found)
		if p.kind == M.END then
			finish(ctx, p, found)
		end
	end
	return found
end

return M
