-- SPDX-License-Identifier: GPL-2.0
--
-- Payload of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1 for fcvi.lua, FC-VI 6.8.3, 6.9.3 and 7.

local iu = require "fcvi_iu"

local M = {}

local REVISION = 1
local ADDR_LEN, HOST_LEN, DISCRIM_MIN, DISCRIM_MAX = 148, 16, 16, 128	-- FC-VI 7.2
local LOC_ADDR, REM_ADDR, ATTRS, CONN_INFO = 12, 160, 308, 340	-- tables 13 and 14
local PREF = 0x80							-- FC-VI 7.3
M.LEN, M.LEN_INFO = 340, 596						-- FC-VI 6.8.1
local ST_DISCRIM = "\x81\x81ST\x01"

M.levels = { [iu.UD] = "Unreliable Delivery", [iu.RD] = "Reliable Delivery",
	     [iu.RR] = "Reliable Reception" }

local f = {}
M.fields = f

f.reserved = ProtoField.bytes("fcvi.connect.reserved", "Reserved")
f.revision = ProtoField.uint16("fcvi.revision", "FCVI_REVISION")
f.rqst_handle = ProtoField.uint32("fcvi.rqst_handle", "FCVI_RQST_HANDLE", base.HEX)
f.resp_handle = ProtoField.uint32("fcvi.resp_handle", "FCVI_RESP_HANDLE", base.HEX)
f.conn_info = ProtoField.bytes("fcvi.conn_info", "FCVI_CONNECT_INFO")

-- Table 15
local address = {}
for who, label in pairs({ loc = "FCVI_LOC_ADDR", rem = "FCVI_REM_ADDR" }) do
	local prefix = "fcvi." .. who

	address[who] = {
		all = ProtoField.bytes(prefix, label),
		reserved = ProtoField.bytes(prefix .. ".reserved", "Reserved"),
		host_len = ProtoField.uint8(prefix .. ".host_add_len", "HOST_ADD_LEN"),
		discrim_len = ProtoField.uint8(prefix .. ".discrim_len", "DISCRIM_LEN"),
		host = ProtoField.ipv6(prefix .. ".host_add", "HOST_ADD"),
		discrim = ProtoField.bytes(prefix .. ".discrim", "DISCRIM"),
	}
	for name, field in pairs(address[who]) do
		f[who .. "_" .. name] = field
	end
end

-- Tables 16 to 18
f.attrs = ProtoField.bytes("fcvi.attrs", "FCVI_LOC_ATTRS")
f.attrs_reserved = ProtoField.bytes("fcvi.attrs.reserved", "Reserved")
f.qos_reserved = ProtoField.bytes("fcvi.attrs.qos_reserved", "Reserved")
f.attrs_rest = ProtoField.bytes("fcvi.attrs.rest", "Rest of the 8 words")
f.level = ProtoField.uint8("fcvi.attrs.reliability_lvl", "FCVI_RELIABILITY_LVL", base.DEC, M.levels)
f.attr_flags = ProtoField.uint8("fcvi.attrs.flags", "FCVI_ATTR_FLAGS", base.HEX)
f.rdma_write = ProtoField.bool("fcvi.attrs.rdma_write", "Takes RDMA Writes", 8, nil, 0x02)
f.rdma_read = ProtoField.bool("fcvi.attrs.rdma_read", "Takes RDMA Reads", 8, nil, 0x01)
f.max_trans_size = ProtoField.uint32("fcvi.attrs.max_trans_size", "FCVI_MAX_TRANS_SIZE")
f.pref = ProtoField.uint8("fcvi.attrs.pref", "FCVI_PREF", base.HEX)
f.max_bandwidth = ProtoField.uint32("fcvi.attrs.max_bandwidth", "MAX_BANDWIDTH")
f.min_bandwidth = ProtoField.uint32("fcvi.attrs.min_bandwidth", "MIN_BANDWIDTH")
f.max_delay = ProtoField.uint32("fcvi.attrs.max_delay", "MAX_DELAY")
f.pipeline_depth = ProtoField.uint32("fcvi.attrs.pipeline_depth", "FCVI_PIPELINE_DEPTH")

local zeros = string.rep("\0", DISCRIM_MAX)

local function add_reserved(tree, field, range, complain)
	local item = tree:add(field, range)

	if range:raw() ~= zeros:sub(1, range:len()) then
		complain(item, "reserved", "Reserved bytes are %s, expected zeros",
			 range:bytes():tohex())
	end
end

local function add_address(tree, tvb, at, who, complain)
	local a = address[who]
	local range = tvb(at, ADDR_LEN)
	local item = tree:add(a.all, range)
	local host_len, len = tvb(at + 2, 1):uint(), tvb(at + 3, 1):uint()

	add_reserved(item, a.reserved, tvb(at, 2), complain)
	local field = item:add(a.host_len, tvb(at + 2, 1))
	if host_len ~= HOST_LEN then
		complain(field, "bad_address", "HOST_ADD_LEN %d, expected %d", host_len, HOST_LEN)
	end
	field = item:add(a.discrim_len, tvb(at + 3, 1))
	item:add(a.host, tvb(at + 4, HOST_LEN))
	if len < DISCRIM_MIN or len > DISCRIM_MAX then
		complain(field, "bad_address", "DISCRIM_LEN %d, expected %d to %d", len, DISCRIM_MIN,
			 DISCRIM_MAX)
		len = DISCRIM_MAX
	end
	item:add(a.discrim, tvb(at + 20, len))
	return tvb:raw(at + 20, len)
end

local function add_attributes(tree, tvb, complain)
	local item = tree:add(f.attrs, tvb(ATTRS, 32))
	local level, pref = tvb(ATTRS + 2, 1):uint(), tvb(ATTRS + 8, 1):uint()

	add_reserved(item, f.attrs_reserved, tvb(ATTRS, 2), complain)
	local field = item:add(f.level, tvb(ATTRS + 2, 1))
	if not M.levels[level] then
		complain(field, "bad_attributes", "FCVI_RELIABILITY_LVL %d, expected 1 to 3", level)
	end
	field = item:add(f.attr_flags, tvb(ATTRS + 3, 1))
	field:add(f.rdma_write, tvb(ATTRS + 3, 1))
	field:add(f.rdma_read, tvb(ATTRS + 3, 1))
	if bit.band(tvb(ATTRS + 3, 1):uint(), 0xfc) ~= 0 then
		complain(field, "reserved", "FCVI_ATTR_FLAGS 0x%02x, of which 0x03 are defined",
			 tvb(ATTRS + 3, 1):uint())
	end
	item:add(f.max_trans_size, tvb(ATTRS + 4, 4))
	field = item:add(f.pref, tvb(ATTRS + 8, 1))
	if pref ~= 0 and pref ~= PREF then
		complain(field, "bad_attributes", "FCVI_PREF 0x%02x, expected 0 or 0x%02x", pref,
			 PREF)
	end
	add_reserved(item, f.qos_reserved, tvb(ATTRS + 9, 3), complain)
	for i, name in ipairs({ "max_bandwidth", "min_bandwidth", "max_delay" }) do
		local range = tvb(ATTRS + 8 + 4 * i, 4)

		field = item:add(f[name], range)
		if range:uint() ~= 0 then
			complain(field, "bad_attributes", "%d, expected 0 in this version",
				 range:uint())
		end
	end
	item:add(f.pipeline_depth, tvb(ATTRS + 24, 4))
	add_reserved(item, f.attrs_rest, tvb(ATTRS + 28, 4), complain)
	return level, pref ~= 0
end

-- add TREE, TVB, REQUEST, INFO, COMPLAIN - adds a payload, which may have FCVI_CONNECT_INFO.
-- Returned is what the connection needs: handle, level, pref, and st, whether it is for the
-- Discriminator of ST; or nil if not all of it is there.
function M.add(tree, tvb, request, info, complain)
	local expected = info and M.LEN_INFO or M.LEN
	local len = tvb:reported_len()

	if len ~= expected then
		complain(tree, "bad_length", "%d bytes of payload, expected %d %s FCVI_CONNECT_INFO",
			 len, expected, info and "with" or "without")
	end
	if tvb:len() < M.LEN then
		return nil
	end
	add_reserved(tree, f.reserved, tvb(0, 6), complain)
	local field = tree:add(f.revision, tvb(6, 2))
	if tvb(6, 2):uint() ~= REVISION then
		complain(field, "bad_revision", "FCVI_REVISION %d, expected %d", tvb(6, 2):uint(),
			 REVISION)
	end
	field = tree:add(request and f.rqst_handle or f.resp_handle, tvb(8, 4))
	local c = { handle = tvb(8, 4):uint() }
	-- A RESP1 that refuses has none, FC-VI 5.3.3
	if request and c.handle == iu.HANDLE_NONE then
		complain(field, "bad_handle", "FCVI_RQST_HANDLE ffffffff is reserved")
	end
	add_address(tree, tvb, LOC_ADDR, "loc", complain)
	local discrim = add_address(tree, tvb, REM_ADDR, "rem", complain)

	c.st = discrim:sub(1, #ST_DISCRIM) == ST_DISCRIM
	c.level, c.pref = add_attributes(tree, tvb, complain)
	if tvb:len() > CONN_INFO then
		tree:add(f.conn_info, tvb(CONN_INFO))
	end
	return c
end

return M
