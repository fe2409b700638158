// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/fcvi.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/fcvi_netlink.h>

/* FCVI_CMD_VI_GET - dump */
static const struct nla_policy fcvi_vi_get_nl_policy[FCVI_A_VI_WWPN + 1] = {
	[FCVI_A_VI_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FCVI_A_VI_WWPN] = { .type = NLA_UINT, },
};

/* FCVI_CMD_COUNTERS_GET - dump */
static const struct nla_policy fcvi_counters_get_nl_policy[FCVI_A_PORT_WWPN + 1] = {
	[FCVI_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FCVI_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* Ops table for fcvi */
static const struct genl_split_ops fcvi_nl_ops[] = {
	{
		.cmd		= FCVI_CMD_VI_GET,
		.dumpit		= fcvi_nl_vi_get_dumpit,
		.policy		= fcvi_vi_get_nl_policy,
		.maxattr	= FCVI_A_VI_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FCVI_CMD_COUNTERS_GET,
		.dumpit		= fcvi_nl_counters_get_dumpit,
		.policy		= fcvi_counters_get_nl_policy,
		.maxattr	= FCVI_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
};

struct genl_family fcvi_nl_family __ro_after_init = {
	.name		= FCVI_FAMILY_NAME,
	.version	= FCVI_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= fcvi_nl_ops,
	.n_split_ops	= ARRAY_SIZE(fcvi_nl_ops),
};
