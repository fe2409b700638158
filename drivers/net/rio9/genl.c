// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rio9.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/rio9_netlink.h>

/* RIO9_CMD_PORT_GET - do */
static const struct nla_policy rio9_port_get_do_nl_policy[RIO9_A_PORT_IFINDEX + 1] = {
	[RIO9_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_PORT_GET - dump */
static const struct nla_policy rio9_port_get_dump_nl_policy[RIO9_A_PORT_IFINDEX + 1] = {
	[RIO9_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_PORT_SET - do */
static const struct nla_policy rio9_port_set_nl_policy[RIO9_A_PORT_QUEUES_MAX + 1] = {
	[RIO9_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RIO9_A_PORT_MAP] = NLA_POLICY_EXACT_LEN(4),
	[RIO9_A_PORT_MTU] = { .type = NLA_U32, },
	[RIO9_A_PORT_TM_MODE] = NLA_POLICY_MAX(NLA_U32, 15),
	[RIO9_A_PORT_OBEY_ANY] = NLA_POLICY_MAX(NLA_U8, 1),
	[RIO9_A_PORT_QUEUE_MAX] = { .type = NLA_U32, },
	[RIO9_A_PORT_QUEUES_MAX] = { .type = NLA_U32, },
};

/* RIO9_CMD_PEER_GET - do */
static const struct nla_policy rio9_peer_get_do_nl_policy[RIO9_A_PEER_ID + 1] = {
	[RIO9_A_PEER_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RIO9_A_PEER_ID] = { .type = NLA_U32, },
};

/* RIO9_CMD_PEER_GET - dump */
static const struct nla_policy rio9_peer_get_dump_nl_policy[RIO9_A_PEER_IFINDEX + 1] = {
	[RIO9_A_PEER_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_PEER_ADD - do */
static const struct nla_policy rio9_peer_add_nl_policy[RIO9_A_PEER_ID + 1] = {
	[RIO9_A_PEER_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RIO9_A_PEER_ID] = { .type = NLA_U32, },
};

/* RIO9_CMD_PEER_DEL - do */
static const struct nla_policy rio9_peer_del_nl_policy[RIO9_A_PEER_ID + 1] = {
	[RIO9_A_PEER_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RIO9_A_PEER_ID] = { .type = NLA_U32, },
};

/* RIO9_CMD_CONTEXT_GET - dump */
static const struct nla_policy rio9_context_get_nl_policy[RIO9_A_CONTEXT_IFINDEX + 1] = {
	[RIO9_A_CONTEXT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_QUEUE_GET - dump */
static const struct nla_policy rio9_queue_get_nl_policy[RIO9_A_QUEUE_IFINDEX + 1] = {
	[RIO9_A_QUEUE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_STATE_GET - dump */
static const struct nla_policy rio9_state_get_nl_policy[RIO9_A_STATE_IFINDEX + 1] = {
	[RIO9_A_STATE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RIO9_CMD_MESSAGE_SEND - do */
static const struct nla_policy rio9_message_send_nl_policy[RIO9_A_MESSAGE_PARAM2 + 1] = {
	[RIO9_A_MESSAGE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RIO9_A_MESSAGE_PEER] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_STREAM] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_COS] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_OP] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_WILDCARD] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_MASK] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_PARAM1] = { .type = NLA_U32, },
	[RIO9_A_MESSAGE_PARAM2] = { .type = NLA_U32, },
};

/* Ops table for rio9 */
static const struct genl_split_ops rio9_nl_ops[] = {
	{
		.cmd		= RIO9_CMD_PORT_GET,
		.doit		= rio9_nl_port_get_doit,
		.policy		= rio9_port_get_do_nl_policy,
		.maxattr	= RIO9_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RIO9_CMD_PORT_GET,
		.dumpit		= rio9_nl_port_get_dumpit,
		.policy		= rio9_port_get_dump_nl_policy,
		.maxattr	= RIO9_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RIO9_CMD_PORT_SET,
		.doit		= rio9_nl_port_set_doit,
		.policy		= rio9_port_set_nl_policy,
		.maxattr	= RIO9_A_PORT_QUEUES_MAX,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RIO9_CMD_PEER_GET,
		.doit		= rio9_nl_peer_get_doit,
		.policy		= rio9_peer_get_do_nl_policy,
		.maxattr	= RIO9_A_PEER_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RIO9_CMD_PEER_GET,
		.dumpit		= rio9_nl_peer_get_dumpit,
		.policy		= rio9_peer_get_dump_nl_policy,
		.maxattr	= RIO9_A_PEER_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RIO9_CMD_PEER_ADD,
		.doit		= rio9_nl_peer_add_doit,
		.policy		= rio9_peer_add_nl_policy,
		.maxattr	= RIO9_A_PEER_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RIO9_CMD_PEER_DEL,
		.doit		= rio9_nl_peer_del_doit,
		.policy		= rio9_peer_del_nl_policy,
		.maxattr	= RIO9_A_PEER_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= RIO9_CMD_CONTEXT_GET,
		.dumpit		= rio9_nl_context_get_dumpit,
		.policy		= rio9_context_get_nl_policy,
		.maxattr	= RIO9_A_CONTEXT_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RIO9_CMD_QUEUE_GET,
		.dumpit		= rio9_nl_queue_get_dumpit,
		.policy		= rio9_queue_get_nl_policy,
		.maxattr	= RIO9_A_QUEUE_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RIO9_CMD_STATE_GET,
		.dumpit		= rio9_nl_state_get_dumpit,
		.policy		= rio9_state_get_nl_policy,
		.maxattr	= RIO9_A_STATE_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= RIO9_CMD_MESSAGE_SEND,
		.doit		= rio9_nl_message_send_doit,
		.policy		= rio9_message_send_nl_policy,
		.maxattr	= RIO9_A_MESSAGE_PARAM2,
		.flags		= GENL_CMD_CAP_DO,
	},
};

static const struct genl_multicast_group rio9_nl_mcgrps[] = {
	[RIO9_NLGRP_MESSAGES] = { "messages", },
};

struct genl_family rio9_nl_family __ro_after_init = {
	.name		= RIO9_FAMILY_NAME,
	.version	= RIO9_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= rio9_nl_ops,
	.n_split_ops	= ARRAY_SIZE(rio9_nl_ops),
	.mcgrps		= rio9_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(rio9_nl_mcgrps),
};
