-- SPDX-License-Identifier: GPL-2.0
--
-- Information Units of FC-VI for fcvi.lua: table 1, the flags of tables 5 to 10, and the Reason
-- Codes of table 12.

local M = {}

M.HANDLE_NONE, M.ID_NONE = 0xffffffff, 0xffffffff	-- FC-VI 5.9.2, 5.9.10
M.UD, M.RD, M.RR = 1, 2, 3		-- FC-VI 7.3
M.CLIENT_SERVER, M.PEER = 1, 2		-- table 8
M.CONN_STS = 0x01			-- of all responses, and of a Disconnect

M.op = {
	SEND_RQST = 0x00, WRITE_RQST = 0x01, READ_RQST = 0x02, SEND_RESP = 0x08,
	WRITE_RESP = 0x09, READ_RESP = 0x0a, CONNECT_RQST = 0x10, DISCONNECT_RQST = 0x12,
	CONNECT_RESP1 = 0x18, CONNECT_RESP2 = 0x19, CONNECT_RESP3 = 0x1a,
	DISCONNECT_RESP = 0x1b,
}

M.names = {}
for name, opcode in pairs(M.op) do
	M.names[opcode] = name
end

-- Tables 5 to 10: bits by name
local request = { imm_data = 0x01 }
local answer = { resp_err = 0x01, desc_err = 0x02, prot_err = 0x04, trans_err = 0x08 }
local ask = { mode = 0x07, conn_info = 0x08, retry = 0x10 }
local reply = { conn_sts = 0x01, retry = 0x04 }
local disconnect = { conn_sts = 0x01, vi_app_discon = 0x02, conn_setup_abort = 0x04 }

-- Table 1.  size: bytes of the Device_Header; responder: sent by the responder of the Exchange;
-- sequence: "first" or "later", where only one of them is right; si, ls: the last frame may have
-- them; parts: one IU of several; data: "message" or "connect", or nil for an IU without payload;
-- flags: what it has; rdma: it has RMT_VA and RMT_VA_HANDLE
local function with(base, more)
	local u = {}

	for _, list in ipairs({ base, more }) do
		for name, value in pairs(list) do
			u[name] = value
		end
	end
	return u
end

local data = { r_ctl = 0x01, size = 32, si = true, ls = true, parts = true, data = "message",
	       message = true, flags = request }
local short = { r_ctl = 0x07, size = 16, ls = true, responder = true, sequence = "later",
		message = true, flags = answer }
local reply_iu = { r_ctl = 0x03, size = 32, responder = true, sequence = "later", flags = reply,
	       setup = true }

M.ius = {
	[M.op.SEND_RQST] = data,
	[M.op.WRITE_RQST] = with(data, { rdma = true }),
	[M.op.READ_RQST] = { r_ctl = 0x06, size = 32, si = true, sequence = "first",
			     message = true, rdma = true, flags = {} },
	[M.op.SEND_RESP] = short,
	[M.op.WRITE_RESP] = short,
	[M.op.READ_RESP] = { r_ctl = 0x01, size = 32, ls = true, parts = true, responder = true,
			     sequence = "later", data = "message", message = true, rdma = true,
			     flags = answer },
	[M.op.CONNECT_RQST] = { r_ctl = 0x02, size = 32, si = true, sequence = "first",
				data = "connect", setup = true, flags = ask },
	[M.op.DISCONNECT_RQST] = { r_ctl = 0x02, size = 32, si = true, sequence = "first",
				   flags = disconnect },
	[M.op.CONNECT_RESP1] = with(reply_iu, { si = true, data = "connect",
					  flags = with(reply, { conn_info = 0x02 }) }),
	[M.op.CONNECT_RESP2] = with(reply_iu, { responder = false, si = true }),
	[M.op.CONNECT_RESP3] = with(reply_iu, { ls = true }),
	[M.op.DISCONNECT_RESP] = { r_ctl = 0x03, size = 32, ls = true, responder = true,
				   sequence = "later", flags = disconnect },
}

-- Table 12
M.reasons = {
	[0x01] = "No Discriminator Match",
	[0x02] = "Connect Timeout",
	[0x03] = "No Waiting Remote Connectionpoint",
	[0x04] = "Connect Reject",
	[0x05] = "Connect Reject - Concurrent Matching Peer Requests",
	[0x20] = "Invalid Service Parameter",
	[0x21] = "Protocol Error",
	[0x22] = "Transport Error",
	[0x40] = "Transport Error",
	[0x41] = "RDMA Protection Error",
	[0x42] = "Remote Descriptor Error",
	[0x43] = "Remote RDMA Write Protection Error",
	[0x44] = "Remote RDMA Write Data Error",
	[0x45] = "Remote RDMA Write Packet Abort",
	[0x46] = "Remote RDMA Transport Error",
	[0x47] = "Remote RDMA Read Protection Error",
	[0x48] = "Protocol Error",
	[0x49] = "Connection Setup Timeout",
	[0x4a] = "Connection Does Not Exist",
	[0x4b] = "Disconnect Accept",
}

-- reason_fits OPCODE, REASON - whether a code is one of those of setups, or of Disconnects
function M.reason_fits(opcode, reason)
	local first, last = 0x01, 0x22

	if not M.ius[opcode].setup then
		first, last = 0x40, 0x4b
	end
	return reason >= 0xf0 or
	       (M.reasons[reason] ~= nil and reason >= first and reason <= last)
end

-- flag VALUE, IU, NAME - the bits of a flag, as a number
function M.flag(value, u, name)
	return bit.band(value, u.flags[name] or 0)
end

-- flag_mask IU - all bits that an IU has
function M.flag_mask(u)
	local mask = 0

	for _, bits in pairs(u.flags) do
		mask = bit.bor(mask, bits)
	end
	return mask
end

return M
