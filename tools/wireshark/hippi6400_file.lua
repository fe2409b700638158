-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark reader of copies of the emulator's portN/line files (hippi6400-emu.rst): plain
-- micropackets of 40 bytes, without timestamps.

local link = require "hippi6400_link"

local LOOK_AT = 16	-- micropackets that identify the format

local handler = FileHandler.new("HIPPI-6400 line", "hippi6400-line",
				"HIPPI-6400 micropackets, as read from a line file", "rs")

-- Most of the first micropackets have a correct LCRC
function handler.read_open(file, capture)
	local good, all = 0, 0

	for _ = 1, LOOK_AT do
		local bytes = file:read(link.SIZE)

		if not bytes or #bytes < link.SIZE then
			break
		end
		all = all + 1
		if link.lcrc(bytes) == link.read(bytes).lcrc then
			good = good + 1
		end
	end
	if good * 2 <= all then
		return false
	end
	file:seek("set", 0)
	capture.encap = wtap.USER0
	return true
end

local function read(file, frame)
	local bytes = file:read(link.SIZE)

	if not bytes then
		return false
	end
	frame.captured_length = #bytes
	frame.original_length = #bytes
	frame.data = bytes
	return true
end

function handler.read(file, _, frame)
	local offset = file:seek()

	return read(file, frame) and offset
end

function handler.seek_read(file, _, frame, offset)
	file:seek("set", offset)
	return read(file, frame)
end

register_filehandler(handler)
