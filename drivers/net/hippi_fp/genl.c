// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/hippi.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/hippi_netlink.h>

/* HIPPI_CMD_PORT_GET - do */
static const struct nla_policy hippi_port_get_do_nl_policy[HIPPI_A_PORT_IFINDEX + 1] = {
	[HIPPI_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* HIPPI_CMD_PORT_GET - dump */
static const struct nla_policy hippi_port_get_dump_nl_policy[HIPPI_A_PORT_IFINDEX + 1] = {
	[HIPPI_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* HIPPI_CMD_COUNTERS_GET - do */
static const struct nla_policy hippi_counters_get_do_nl_policy[HIPPI_A_PORT_IFINDEX + 1] = {
	[HIPPI_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* HIPPI_CMD_COUNTERS_GET - dump */
static const struct nla_policy hippi_counters_get_dump_nl_policy[HIPPI_A_PORT_IFINDEX + 1] = {
	[HIPPI_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* Ops table for hippi */
static const struct genl_split_ops hippi_nl_ops[] = {
	{
		.cmd		= HIPPI_CMD_PORT_GET,
		.doit		= hippi_nl_port_get_doit,
		.policy		= hippi_port_get_do_nl_policy,
		.maxattr	= HIPPI_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= HIPPI_CMD_PORT_GET,
		.dumpit		= hippi_nl_port_get_dumpit,
		.policy		= hippi_port_get_dump_nl_policy,
		.maxattr	= HIPPI_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= HIPPI_CMD_COUNTERS_GET,
		.doit		= hippi_nl_counters_get_doit,
		.policy		= hippi_counters_get_do_nl_policy,
		.maxattr	= HIPPI_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= HIPPI_CMD_COUNTERS_GET,
		.dumpit		= hippi_nl_counters_get_dumpit,
		.policy		= hippi_counters_get_dump_nl_policy,
		.maxattr	= HIPPI_A_PORT_IFINDEX,
		.flags		= GENL_CMD_CAP_DUMP,
	},
};

static const struct genl_multicast_group hippi_nl_mcgrps[] = {
	[HIPPI_NLGRP_PORTS] = { "ports", },
};

struct genl_family hippi_nl_family __ro_after_init = {
	.name		= HIPPI_FAMILY_NAME,
	.version	= HIPPI_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= hippi_nl_ops,
	.n_split_ops	= ARRAY_SIZE(hippi_nl_ops),
	.mcgrps		= hippi_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(hippi_nl_mcgrps),
};
