-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of RapidIO over Ethernet, Documentation/networking/rio9-eth.rst: many
-- packets in a frame, each for rio9.lua, and hellos.

local infos = require "st_expert"

local eth = Proto("rio9_eth", "RapidIO over Ethernet")
local f = {}

local ETHERTYPE = 0x88b5
local VERSION, DATA, HELLO = 1, 0, 1
local HDR, DATA_HDR, HELLO_LEN = 12, 8, 16
local PACKET_MIN, PACKET_MAX, PACKET_HDR = 8, 268, 2
local FAR, CYCLE = 65536, 2 ^ 32	-- of numbers of frames

f.version = ProtoField.uint8("rio9_eth.version", "Version")
f.type = ProtoField.uint8("rio9_eth.type", "Type", base.DEC, { [DATA] = "packets",
							       [HELLO] = "hello" })
f.src = ProtoField.uint16("rio9_eth.src", "Source ID", base.HEX)
f.dst = ProtoField.uint16("rio9_eth.dst", "Destination ID", base.HEX)
f.length = ProtoField.uint16("rio9_eth.length", "Length")
f.session = ProtoField.uint32("rio9_eth.session", "Session", base.HEX)
f.number = ProtoField.uint32("rio9_eth.number", "Number")
f.channel = ProtoField.uint8("rio9_eth.channel", "Physical channel")
f.packets = ProtoField.uint8("rio9_eth.packets", "Packets")
f.reserved = ProtoField.bytes("rio9_eth.reserved", "Reserved")
f.packet_len = ProtoField.uint16("rio9_eth.packet.len", "Length of the packet")
f.lost = ProtoField.uint32("rio9_eth.lost", "Frames missing before this one")
f.large = ProtoField.bool("rio9_eth.hello.large", "16-bit IDs", 8, nil, 0x01)
f.ask = ProtoField.bool("rio9_eth.hello.ask", "Asks for a hello", 8, nil, 0x02)
f.bye = ProtoField.bool("rio9_eth.hello.bye", "Bye", 8, nil, 0x04)
f.mtu = ProtoField.uint16("rio9_eth.hello.mtu", "MTU")
f.max_pdu = ProtoField.uint32("rio9_eth.hello.max_pdu", "MaxPDU")
f.contexts = ProtoField.uint32("rio9_eth.hello.contexts", "Segmentation contexts")
f.hold = ProtoField.uint16("rio9_eth.hello.hold", "Hold time (ms)")
eth.fields = f

local e = {}
infos.define(e, "rio9_eth.error", expert.severity.ERROR, {
	malformed = "Malformed frame",
	version = "Version or type that is not defined",
	forged = "Packet that is not of its frame",
})
infos.define(e, "rio9_eth.error", expert.severity.WARN, {
	lost = "Frames are missing",
	late = "Late frame",
	double = "Frame that came again",
	jump = "Number far away from the others",
})
infos.define(e, "rio9_eth.error", expert.severity.NOTE, {
	not_captured = "Not all of the frame is in the capture",
})
eth.experts = e
local complain = infos.complainer(e)

local flows		-- by source, destination, session and channel: numbers of frames
local results		-- by frame: what the first dissection found of its number

function eth.init()
	flows, results = {}, {}
end

local function take(flow, number, lost)
	flow.newest = number
	flow.far = nil
	flow.seen[number] = true
	return { lost = lost }
end

-- What a receiver makes of the number of a frame
local function follow(key, number)
	local flow = flows[key]

	if not flow then
		flows[key] = { seen = {} }
		return take(flows[key], number, 0)
	end
	local ahead = (number - flow.newest - 1) % CYCLE
	local behind = (flow.newest - number) % CYCLE

	if ahead <= FAR then
		return take(flow, number, ahead)
	elseif behind <= FAR then
		flow.far = nil
		return { drop = flow.seen[number] and "double" or "late", newest = flow.newest }
	elseif flow.far == number then
		flow.seen = {}
		return take(flow, number, 0)
	end
	flow.far = (number + 1) % CYCLE
	return { drop = "jump", newest = flow.newest }
end

local drop_texts = {
	late = "number %.0f, %.0f came before it",
	double = "number %.0f came already, %.0f is the newest",
	jump = "number %.0f, expected one behind %.0f",
}

local function add_number(tree, range, pinfo, key, number)
	local item = tree:add(f.number, range)
	local found = results[pinfo.number] or follow(key, number)

	results[pinfo.number] = found
	if found.drop then
		complain(item, found.drop, drop_texts[found.drop], number, found.newest)
	elseif found.lost > 0 then
		tree:add(f.lost, range, found.lost):set_generated()
		complain(item, "lost", "%.0f frames are missing before it", found.lost)
	end
	return found.drop
end

-- Source, destination and channel of a packet, or nil if a fabric carries no such packet
local function label(bytes)
	local a, b, c, d, g, h = bytes:byte(1, 6)
	local tt = bit.band(bit.rshift(b, 4), 3)
	local channel = bit.lshift(bit.band(a, 2), 2) + 2 * bit.rshift(b, 6) + bit.band(a, 1)

	if tt == 0 then
		return d, c, channel
	elseif tt == 1 then
		return 256 * g + h, 256 * c + d, channel
	end
	return nil
end

-- The place and length of each packet, or the name of what is wrong and a text
local function find_packets(tvb, from, to, frame)
	local out = {}

	while from < to do
		if to - from < PACKET_HDR then
			return nil, "malformed", "a byte behind the last packet"
		elseif tvb:len() < from + PACKET_HDR then
			return out
		end
		local len = tvb(from, PACKET_HDR):uint()
		if len < PACKET_MIN or len > PACKET_MAX or len % 4 ~= 0 or
		   len > to - from - PACKET_HDR then
			return nil, "malformed", string.format("a packet of %d bytes", len)
		elseif tvb:len() < from + PACKET_HDR + len then
			return out
		end
		local src, dst, channel = label(tvb:raw(from + PACKET_HDR, 6))
		if not src then
			return nil, "malformed", "a packet with a reserved tt"
		elseif src ~= frame.src or dst ~= frame.dst or channel ~= frame.channel then
			return nil, "forged", string.format(
				"a packet of %04x to %04x on channel %d, expected %04x, %04x, %d",
				src, dst, channel, frame.src, frame.dst, frame.channel)
		end
		out[#out + 1] = { at = from + PACKET_HDR, len = len }
		from = from + PACKET_HDR + len
	end
	if #out ~= frame.packets or #out == 0 then
		return nil, "malformed", string.format("%d packets, expected %d", #out, frame.packets)
	end
	return out
end

local function hand_on(tvb, pinfo, root, tree, packets, drop)
	local there, rio9 = pcall(Dissector.get, "rio9")
	local dissector = there and rio9 or Dissector.get("data")

	pinfo.private["rio9_dropped"] = drop
	for n, packet in ipairs(packets) do
		tree:add(f.packet_len, tvb(packet.at - PACKET_HDR, PACKET_HDR))
		pinfo.private["rio9_packet"] = tostring(n)
		dissector:call(tvb(packet.at, packet.len):tvb(), pinfo, root)
	end
	pinfo.private["rio9_packet"] = nil
	pinfo.private["rio9_dropped"] = nil
end

local function dissect_data(tvb, pinfo, root, tree, frame)
	if frame.length < DATA_HDR then
		complain(tree, "malformed", "length %d, expected at least %d", frame.length, DATA_HDR)
		return
	end
	frame.channel, frame.packets = tvb(HDR + 4, 1):uint(), tvb(HDR + 5, 1):uint()
	tree:add(f.channel, tvb(HDR + 4, 1))
	tree:add(f.packets, tvb(HDR + 5, 1))
	tree:add(f.reserved, tvb(HDR + 6, 2))
	local packets, wrong, text = find_packets(tvb, HDR + DATA_HDR, HDR + frame.length, frame)
	if not packets then
		complain(tree, wrong, "%s", text)
		return
	end
	if #packets < frame.packets then
		complain(tree, "not_captured", "%d of %d packets", #packets, frame.packets)
	end
	local key = string.format("%d %d %d %d", frame.src, frame.dst, frame.session, frame.channel)
	local number = tvb(HDR, 4):uint()
	local drop = add_number(tree, tvb(HDR, 4), pinfo, key, number)
	hand_on(tvb, pinfo, root, tree, packets, drop)
	if drop or frame.packets > 1 then
		pinfo.cols.info = string.format("%s%04x > %04x number %.0f, channel %d, %d packets",
						drop and "[" .. drop .. "] " or "", frame.src,
						frame.dst, number, frame.channel, frame.packets)
	end
end

local function check_hello(tree, flags, mtu, max_pdu, contexts, hold, src)
	local ids = bit.band(flags, 1) ~= 0 and 0xfffe or 0xfe

	for _, limit in ipairs({ { "MTU", mtu, 32, 256 }, { "MaxPDU", max_pdu, 1, 65536 },
				 { "contexts", contexts, 1, 65536 },
				 { "hold time", hold, 500, 60000 }, { "source ID", src, 0, ids } }) do
		if limit[2] < limit[3] or limit[2] > limit[4] then
			complain(tree, "malformed", "%s %.0f, expected %d to %d", table.unpack(limit))
		end
	end
	if mtu % 4 ~= 0 then
		complain(tree, "malformed", "MTU %d, expected a multiple of 4", mtu)
	end
end

local function dissect_hello(tvb, pinfo, tree, frame)
	if frame.length < HELLO_LEN then
		complain(tree, "malformed", "length %d, expected at least %d", frame.length,
			 HELLO_LEN)
		return
	end
	for _, name in ipairs({ "large", "ask", "bye" }) do
		tree:add(f[name], tvb(HDR, 1))
	end
	tree:add(f.mtu, tvb(HDR + 2, 2))
	tree:add(f.max_pdu, tvb(HDR + 4, 4))
	tree:add(f.contexts, tvb(HDR + 8, 4))
	tree:add(f.hold, tvb(HDR + 12, 2))
	local flags = tvb(HDR, 1):uint()
	check_hello(tree, flags, tvb(HDR + 2, 2):uint(), tvb(HDR + 4, 4):uint(),
		    tvb(HDR + 8, 4):uint(), tvb(HDR + 12, 2):uint(), frame.src)
	pinfo.cols.info = string.format("%s of %04x", bit.band(flags, 4) ~= 0 and "Bye" or "Hello",
					frame.src)
end

local function dissect(tvb, pinfo, root, tree)
	if tvb:len() < HDR then
		complain(tree, tvb:reported_len() < HDR and "malformed" or "not_captured",
			 "%d bytes, expected at least %d", tvb:len(), HDR)
		return
	end
	local frame = { type = tvb(1, 1):uint(), src = tvb(2, 2):uint(), dst = tvb(4, 2):uint(),
			length = tvb(6, 2):uint(), session = tvb(8, 4):uint() }

	tree:add(f.version, tvb(0, 1))
	tree:add(f.type, tvb(1, 1))
	if tvb(0, 1):uint() ~= VERSION or frame.type > HELLO then
		complain(tree, "version", "version %d, type %d, expected %d and 0 or 1",
			 tvb(0, 1):uint(), frame.type, VERSION)
		return
	end
	tree:add(f.src, tvb(2, 2))
	tree:add(f.dst, tvb(4, 2))
	tree:add(f.length, tvb(6, 2))
	tree:add(f.session, tvb(8, 4))
	local need = HDR + math.min(frame.length, frame.type == DATA and DATA_HDR or HELLO_LEN)
	if HDR + frame.length > tvb:reported_len() then
		complain(tree, "malformed", "length %d, %d bytes are there", frame.length,
			 tvb:reported_len() - HDR)
	elseif tvb:len() < need then
		complain(tree, "not_captured", "%d bytes, expected at least %d", tvb:len(), need)
	elseif frame.type == DATA then
		dissect_data(tvb, pinfo, root, tree, frame)
	else
		dissect_hello(tvb, pinfo, tree, frame)
	end
end

function eth.dissector(tvb, pinfo, root)
	local tree = root:add(eth, tvb())

	pinfo.cols.protocol = "RIO9 ETH"
	pinfo.cols.info = "RapidIO over Ethernet"
	dissect(tvb, pinfo, root, tree)
	return tvb:len()
end

DissectorTable.get("ethertype"):add(ETHERTYPE, eth)
