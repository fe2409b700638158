-- SPDX-License-Identifier: GPL-2.0
--
-- The checksum of ST 8.3: of Control operations, and of segments of a Block that
-- may be spread over several Data operations.

local M = {}

local CKSUM = 12		-- offset of Cksum in the Schedule Header
local CHUNK = 200		-- bytes at a time: Lua's stack is small

local segments			-- by Block: state of the current segment

-- The bytes as 16-bit integers, the last one padded with zero, ST 8.3.1
local function sum(bytes)
	local total = 0

	for pos = 1, #bytes, CHUNK do
		local part = { bytes:byte(pos, pos + CHUNK - 1) }

		for i = 1, #part, 2 do
			total = total + part[i] * 256 + (part[i + 1] or 0)
		end
	end
	return total
end

local function fold(total)
	while total > 0xffff do
		total = total % 0x10000 + math.floor(total / 0x10000)
	end
	return total
end

-- The Cksum to transmit, ST 8.3.1
local function finish(total)
	local cksum = 0xffff - fold(total)

	return cksum == 0 and 0xffff or cksum
end

function M.init()
	segments = {}
end

local function segment_from(stu_num)
	return { total = 0, len = 0, next = stu_num }
end

local function add(segment, bytes_sum, len)
	-- After an odd number of bytes the halves are swapped, ST 8.3.1
	if segment.len % 2 == 1 then
		bytes_sum = fold(bytes_sum)
		bytes_sum = bytes_sum % 256 * 256 + math.floor(bytes_sum / 256)
	end
	segment.total = fold(segment.total + bytes_sum)
	segment.len = segment.len + len
end

-- Cksum itself counts as zero, ST 8.3.1
local function add_operation(segment, header, payload)
	add(segment, sum(header:sub(1, CKSUM) .. "\0\0" .. header:sub(CKSUM + 3)), #header)
	add(segment, sum(payload), #payload)
end

-- control HEADER PAYLOAD - the correct Cksum of an operation that is a segment of its own,
-- as each Control operation is, ST 8.3.2
function M.control(header, payload)
	local segment = segment_from(0)

	add_operation(segment, header, payload)
	return finish(segment.total)
end

-- data BLOCK STU_NUM CKSUM LAST HEADER PAYLOAD - the correct Cksum of a Data operation
-- that ends a segment, ST 8.3.2; nil if there is none, or if its segment is not completely
-- captured and it is not correct as a segment of its own.  Called in the order of the capture;
-- PAYLOAD is nil if it was not captured.
function M.data(block, stu_num, cksum, last, header, payload)
	local segment = stu_num == 0 and segment_from(0) or segments[block]
	local whole = segment and segment.next == stu_num and payload
	local right

	segments[block] = nil
	if whole then
		add_operation(segment, header, payload)
		segment.next = stu_num + 1
	end
	if cksum ~= 0 then
		if whole then
			right = finish(segment.total)
		elseif payload and M.control(header, payload) == cksum then
			right = cksum
		end
		if not last then
			segments[block] = segment_from(stu_num + 1)
		end
	elseif whole and not last then
		segments[block] = segment
	end
	return right
end

return M
