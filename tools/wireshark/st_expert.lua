-- SPDX-License-Identifier: GPL-2.0
--
-- Expert infos, for st.lua and hippi6400.lua.

local M = {}

-- define INFOS PROTOCOL SEVERITY LIST - adds those of LIST, name = text, to INFOS
function M.define(infos, proto, severity, list)
	for name, text in pairs(list) do
		infos[name] = ProtoExpert.new(proto .. "." .. name, text, expert.group.PROTOCOL,
					      severity)
	end
end

-- complainer INFOS - a function that marks an item by the name of an info, with the value
-- found and the value expected
function M.complainer(infos)
	return function(item, name, ...)
		item:add_proto_expert_info(infos[name], string.format(...))
	end
end

return M
