-- SPDX-License-Identifier: GPL-2.0
--
-- Follows the sequences of ST clauses 5 and 6 through a capture: answers and
-- retransmissions, the operations of a Write, a Read, a Put, a Get or
-- a FetchOp, and the parameters that the ends of a Virtual Connection exchanged at setup.
-- Called once for each operation, in the order of the capture.

local ops = require "st_operations"

local M = {}

local pending		-- by kind and identifiers: the last request
local seen		-- by what makes an operation unique: frame in which it came first
local regions		-- by owner and identifier: sequence that Data to it is part of
local vcs		-- by direction: what its receiver said at setup
local blocks		-- by direction, identifier and B_num: last STU_num

function M.init()
	pending, seen, regions, vcs, blocks = {}, {}, {}, {}, {}
end

-- A direction of a Virtual Connection: addresses and Ports of sender and receiver
local function forth(o)
	return table.concat({ o.src, o.s_port, o.dst, o.d_port }, " ")
end

local function back(o)
	return table.concat({ o.dst, o.d_port, o.src, o.s_port }, " ")
end

local function key(...)
	return table.concat({ ... }, " ")
end

-- request - remember that an answer is due; a retransmission without an answer so far
-- is the same request
local function request(o, r, ...)
	local k = key(...)
	local old = pending[k]

	if r.retransmission_of and old and not old.response then
		r.request = old
	else
		r.request = { o = o, sequence = r.sequence }
		pending[k] = r.request
	end
end

-- respond - to a request, if it was captured
local function respond(o, r, asked)
	if asked then
		r.response_to = asked.o.frame
		r.time = o.time - asked.o.time
		asked.response = asked.response or o.frame
	end
	return asked
end

local function asked_by(...)
	return pending[key(...)]
end

-- The request with the identifier in D_id, in an operation of that name
local function asked_with(o, name)
	local asked = asked_by("transfer", back(o), o.d_id)

	return asked and asked.o.name == name and asked
end

-- Below, o is an operation and r is what is known about it.
local on = {}

-- ST 5.1.1.  R-Port may be another one in the answer.
function on.Request_Connection(o, r)
	request(o, r, "connection", o.src, o.s_port, o.dst, o.offset)
end

function on.Connection_Answer(o, r)
	local asked = respond(o, r, asked_by("connection", o.dst, o.d_port, o.src, o.d_key))

	if asked and not o.reject then
		vcs[forth(o)] = {
			key = o.d_key, bufsize = asked.o.bufx, max_stu = asked.o.sync,
		}
		vcs[back(o)] = { key = o.offset, bufsize = o.bufx, max_stu = o.sync }
	end
end

-- ST 5.1.2: each of the three has both Keys
function on.Request_Disconnect(o, r)
	request(o, r, "disconnect", forth(o), o.d_key, o.offset)
end

function on.Disconnect_Answer(o, r)
	respond(o, r, asked_by("disconnect", back(o), o.offset, o.d_key))
	request(o, r, "complete", forth(o), o.d_key, o.offset)
end

function on.Disconnect_Complete(o, r)
	respond(o, r, asked_by("complete", back(o), o.offset, o.d_key))
	vcs[forth(o)], vcs[back(o)] = nil, nil
end

-- ST 6.1.4.1
function on.Request_Memory_Region(o, r)
	request(o, r, "transfer", forth(o), o.s_id)
	r.request.sequence = "Memory Region"
end

function on.Memory_Region_Available(o, r)
	respond(o, r, asked_with(o, "Request_Memory_Region"))
	regions[key(forth(o), o.s_id)] = "Put"
end

-- ST 6.1.4.3, 6.1.4.4
function on.Get(o, r)
	r.sequence = "Get"
	request(o, r, "get", forth(o), o.s_id)
end

function on.FetchOp(o, r)
	r.sequence = "FetchOp"
	request(o, r, "get", forth(o), o.s_id)
end

-- The Get or FetchOp that Data, or a Request_Answer, is an answer to
local function got(o)
	local asked = asked_by("get", back(o), o.d_id)

	return asked and asked.o.d_id == o.s_id and asked
end

function on.FetchOp_Complete(o, r)
	r.sequence = "FetchOp"
	respond(o, r, asked_by("fetched", back(o), o.s_id, o.sync))
end

-- ST 6.1.2, 6.1.3: a Read is a request that the Responder echoes as a Write, with the
-- identifier of the Initiator
function on.Request_To_Receive(o, r)
	r.sequence = "Read"
	request(o, r, "transfer", forth(o), o.s_id)
end

function on.Request_To_Send(o, r)
	local asked = asked_with(o, "Request_To_Receive")

	if asked and asked.o.sync == o.sync and asked.o.b_num == o.b_num then
		respond(o, r, asked)
		r.sequence = "Read"
	else
		r.sequence = o.d_id == 0 and "Write" or "Read"
	end
	request(o, r, "transfer", forth(o), o.s_id)
end

function on.Request_Answer(o, r)
	local asked = respond(o, r, got(o) or asked_by("transfer", back(o), o.d_id))

	r.sequence = asked and asked.sequence or "?"
	if r.sequence == "Read" and asked.o.name == "Request_To_Send" then
		r.sequence = "Read, echoed"
	end
end

function on.Clear_To_Send(o, r)
	local asked = respond(o, r, asked_with(o, "Request_To_Send"))

	r.sequence = asked and asked.sequence or "?"
	regions[key(forth(o), o.s_id)] = r.sequence
end

-- STUs come in order, ST 6.2.7, 10.7.4.  A Block that is sent again begins with STU 0.
local function stu_order(o, r)
	local block = key(forth(o), o.d_key, o.d_id, o.b_num)
	local last = blocks[block]

	blocks[block] = o.param
	if last and o.param ~= 0 and o.param ~= last and o.param ~= last + 1 then
		r.stu_num = last + 1
	end
end

function on.Data(o, r)
	local asked = got(o)

	if asked and asked.o.b_id == o.b_id then
		respond(o, r, asked)
		r.sequence = asked.sequence
		if r.sequence == "FetchOp" then
			request(o, r, "fetched", forth(o), o.d_id, o.sync)
		end
	else
		r.sequence = regions[key(back(o), o.d_id)] or "?"
	end
	if o.send_state then
		request(o, r, "data", forth(o), o.d_id, o.sync)
	end
	stu_order(o, r)
end

-- ST 6.1.1.1 to 6.1.1.3
local function state_sequence(o)
	if o.d_id == ops.NONE then
		return "Slot state"
	end
	return o.b_num == ops.NONE and "Transfer state" or "Block state"
end

local function state_id(o, id)
	return o.d_id == ops.NONE and "slots" or id
end

function on.Request_State(o, r)
	local k = key("state", forth(o), state_id(o, o.s_id), o.sync)

	-- Sync may be the same in each, ST 6.2.9: an answered request is not repeated
	if pending[k] and pending[k].response then
		r.retransmission_of = nil
	end
	r.sequence = state_sequence(o)
	request(o, r, k)
end

function on.Request_State_Response(o, r)
	local asked = asked_by("state", back(o), state_id(o, o.d_id), o.sync)

	r.sequence = asked and asked.sequence or state_sequence(o)
	respond(o, r, asked or asked_by("data", back(o), o.s_id, o.sync))
end

-- ST 6.1.1.4
function on.End(o, r)
	request(o, r, "end", forth(o), o.d_id, o.s_id)
end

function on.End_Ack(o, r)
	respond(o, r, asked_by("end", back(o), o.s_id, o.d_id))
end

local function first_frame(o)
	local fields = ops.same[o.name]

	if not fields then
		return nil
	end
	local id = { o.name, o.fn, forth(o), o.d_key }

	for _, field in ipairs(fields) do
		id[#id + 1] = o[field]
	end
	local k = table.concat(id, " ")
	local first = seen[k]

	seen[k] = first or o.frame
	return first
end

-- follow O - the operation o: its header fields as numbers, with frame, time, src, dst,
-- name, fn (Function), send_state and reject.  Returns a table of what is known:
--   sequence		that it is part of: a key of st_operations.parameters
--   response_to, time	frame of the request that it answers, and seconds since
--   request		if it asks for an answer: .response, once there is one
--   retransmission_of	frame in which it was sent before
--   vc			parameters of the receiver at setup: key, bufsize, max_stu
--   stu_num		the expected STU_num, if it has another one
function M.follow(o)
	local r = { sequence = "", retransmission_of = first_frame(o) }

	on[o.name](o, r)
	r.vc = vcs[forth(o)]
	return r
end

return M
