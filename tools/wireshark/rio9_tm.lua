-- SPDX-License-Identifier: GPL-2.0
--
-- Messages of RapidIO Type 9 traffic management for rio9.lua, RapidIO Part 10 3.4 and 4.3.

local M = {}

local BASIC, RATE, CREDIT, APPLICATION = 0, 1, 2, 3

M.op_names = { [BASIC] = "basic", [RATE] = "rate", [CREDIT] = "credit",
	       [APPLICATION] = "application defined" }

-- Table 4-3: the low bits of a mask are set
local masks = { [0x00] = true, [0x01] = true, [0x03] = true, [0x07] = true, [0x0f] = true,
		[0x1f] = true, [0x3f] = true, [0x7f] = true, [0xff] = true }

-- operand WILDCARD MASK COS STREAM - what a message is about, or nil: there are five forms
function M.operand(wildcard, mask, cos, stream)
	if wildcard == 0 and mask == 0 then
		return string.format("stream 0x%04x of cos 0x%02x", stream, cos)
	elseif wildcard == 1 and mask == 0 then
		return string.format("cos 0x%02x", cos)
	elseif wildcard == 1 and masks[mask] then
		return string.format("cos 0x%02x but for the bits 0x%02x", cos, mask)
	elseif wildcard == 3 and masks[mask] then
		return "this destination"
	elseif wildcard == 7 and masks[mask] then
		return "all of this source"
	end
	return nil
end

local function status(n)
	return string.format("Q_STATUS %d/255", n)
end

local rates = { [0x01] = "average", [0x02] = "average", [0x05] = "peak", [0x06] = "peak" }

local function rate(p1, p2)
	local what = rates[p1]

	if not what then
		return nil
	elseif p1 == 0x01 or p1 == 0x05 then
		return p2 == 0 and "MAINTAIN the " .. what or
			string.format("REDUCE the %s by %d/256", what, p2)
	elseif p2 == 0 then
		return nil
	end
	return p2 == 0xff and "DOUBLE the " .. what or
		string.format("INCREASE the %s by %d/256", what, p2)
end

local function credit(p1, p2)
	local kind, unit = math.floor(p1 / 16), p1 % 16

	if p1 == 0x30 then
		return status(p2)
	elseif kind == 1 then
		return string.format("ALLOCATE unit %d, %d credits", unit, p2)
	elseif kind == 2 then
		return string.format("CREDIT_STATUS unit %d, %d credits", unit, p2)
	end
	return nil
end

-- message OP PARAMETER1 PARAMETER2 - its text, or nil: it is reserved, tables 4-4 to 4-6
function M.message(op, p1, p2)
	if op == APPLICATION then
		return "application defined"
	elseif op > APPLICATION then
		return nil
	elseif p1 == 0 then
		return p2 == 0 and "XOFF" or p2 == 0xff and "XON" or
			string.format("user defined 0x%02x", p2)
	elseif op == CREDIT then
		return credit(p1, p2)
	elseif p1 == 0x03 then
		return status(p2)
	end
	return op == RATE and rate(p1, p2) or nil
end

return M
