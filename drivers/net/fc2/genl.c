// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/fc2.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/fc2_netlink.h>

/* FC2_CMD_PORT_GET - do */
static const struct nla_policy fc2_port_get_do_nl_policy[FC2_A_PORT_WWPN + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_PORT_GET - dump */
static const struct nla_policy fc2_port_get_dump_nl_policy[FC2_A_PORT_WWPN + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_PORT_ADD - do */
static const struct nla_policy fc2_port_add_nl_policy[FC2_A_PORT_ORDERED + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
	[FC2_A_PORT_WWNN] = { .type = NLA_UINT, },
	[FC2_A_PORT_MODE] = NLA_POLICY_MAX(NLA_U32, 1),
	[FC2_A_PORT_R_A_TOV] = { .type = NLA_U32, },
	[FC2_A_PORT_E_D_TOV] = { .type = NLA_U32, },
	[FC2_A_PORT_ORDERED] = NLA_POLICY_MAX(NLA_U8, 1),
};

/* FC2_CMD_PORT_DEL - do */
static const struct nla_policy fc2_port_del_nl_policy[FC2_A_PORT_WWPN + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_PORT_SET - do */
static const struct nla_policy fc2_port_set_nl_policy[FC2_A_PORT_ORDERED + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
	[FC2_A_PORT_R_A_TOV] = { .type = NLA_U32, },
	[FC2_A_PORT_E_D_TOV] = { .type = NLA_U32, },
	[FC2_A_PORT_ORDERED] = NLA_POLICY_MAX(NLA_U8, 1),
};

/* FC2_CMD_COUNTERS_GET - do */
static const struct nla_policy fc2_counters_get_do_nl_policy[FC2_A_PORT_WWPN + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_COUNTERS_GET - dump */
static const struct nla_policy fc2_counters_get_dump_nl_policy[FC2_A_PORT_WWPN + 1] = {
	[FC2_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_PORT_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_NEIGHBOUR_GET - dump */
static const struct nla_policy fc2_neighbour_get_nl_policy[FC2_A_REMOTE_WWPN + 1] = {
	[FC2_A_REMOTE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_REMOTE_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_REMOTE_GET - dump */
static const struct nla_policy fc2_remote_get_nl_policy[FC2_A_REMOTE_WWPN + 1] = {
	[FC2_A_REMOTE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_REMOTE_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_LOGIN - do */
static const struct nla_policy fc2_login_nl_policy[FC2_A_REMOTE_ID + 1] = {
	[FC2_A_REMOTE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_REMOTE_WWPN] = { .type = NLA_UINT, },
	[FC2_A_REMOTE_ID] = { .type = NLA_U32, },
};

/* FC2_CMD_LOGOUT - do */
static const struct nla_policy fc2_logout_nl_policy[FC2_A_REMOTE_ID + 1] = {
	[FC2_A_REMOTE_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_REMOTE_WWPN] = { .type = NLA_UINT, },
	[FC2_A_REMOTE_ID] = { .type = NLA_U32, },
};

/* FC2_CMD_ECHO - do */
static const struct nla_policy fc2_echo_nl_policy[FC2_A_ASK_SIZE + 1] = {
	[FC2_A_ASK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_ASK_WWPN] = { .type = NLA_UINT, },
	[FC2_A_ASK_ID] = { .type = NLA_U32, },
	[FC2_A_ASK_TIMEOUT] = { .type = NLA_U32, },
	[FC2_A_ASK_SIZE] = { .type = NLA_U32, },
};

/* FC2_CMD_LINK_ERRORS_GET - do */
static const struct nla_policy fc2_link_errors_get_nl_policy[FC2_A_ASK_TIMEOUT + 1] = {
	[FC2_A_ASK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_ASK_WWPN] = { .type = NLA_UINT, },
	[FC2_A_ASK_ID] = { .type = NLA_U32, },
	[FC2_A_ASK_TIMEOUT] = { .type = NLA_U32, },
};

/* FC2_CMD_FCF_GET - dump */
static const struct nla_policy fc2_fcf_get_nl_policy[FC2_A_FCF_WWPN + 1] = {
	[FC2_A_FCF_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_FCF_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_FARP_GET - dump */
static const struct nla_policy fc2_farp_get_nl_policy[FC2_A_FARP_WWPN + 1] = {
	[FC2_A_FARP_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_FARP_WWPN] = { .type = NLA_UINT, },
};

/* FC2_CMD_RESOLVE - do */
static const struct nla_policy fc2_resolve_nl_policy[FC2_A_FARP_IP + 1] = {
	[FC2_A_FARP_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[FC2_A_FARP_WWPN] = { .type = NLA_UINT, },
	[FC2_A_FARP_IP] = NLA_POLICY_EXACT_LEN(16),
};

/* Ops table for fc2 */
static const struct genl_split_ops fc2_nl_ops[] = {
	{
		.cmd		= FC2_CMD_PORT_GET,
		.doit		= fc2_nl_port_get_doit,
		.policy		= fc2_port_get_do_nl_policy,
		.maxattr	= FC2_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_PORT_GET,
		.dumpit		= fc2_nl_port_get_dumpit,
		.policy		= fc2_port_get_dump_nl_policy,
		.maxattr	= FC2_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_PORT_ADD,
		.doit		= fc2_nl_port_add_doit,
		.policy		= fc2_port_add_nl_policy,
		.maxattr	= FC2_A_PORT_ORDERED,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_PORT_DEL,
		.doit		= fc2_nl_port_del_doit,
		.policy		= fc2_port_del_nl_policy,
		.maxattr	= FC2_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_PORT_SET,
		.doit		= fc2_nl_port_set_doit,
		.policy		= fc2_port_set_nl_policy,
		.maxattr	= FC2_A_PORT_ORDERED,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_COUNTERS_GET,
		.doit		= fc2_nl_counters_get_doit,
		.policy		= fc2_counters_get_do_nl_policy,
		.maxattr	= FC2_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_COUNTERS_GET,
		.dumpit		= fc2_nl_counters_get_dumpit,
		.policy		= fc2_counters_get_dump_nl_policy,
		.maxattr	= FC2_A_PORT_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_NEIGHBOUR_GET,
		.dumpit		= fc2_nl_neighbour_get_dumpit,
		.policy		= fc2_neighbour_get_nl_policy,
		.maxattr	= FC2_A_REMOTE_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_REMOTE_GET,
		.dumpit		= fc2_nl_remote_get_dumpit,
		.policy		= fc2_remote_get_nl_policy,
		.maxattr	= FC2_A_REMOTE_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_LOGIN,
		.doit		= fc2_nl_login_doit,
		.policy		= fc2_login_nl_policy,
		.maxattr	= FC2_A_REMOTE_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_LOGOUT,
		.doit		= fc2_nl_logout_doit,
		.policy		= fc2_logout_nl_policy,
		.maxattr	= FC2_A_REMOTE_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_ECHO,
		.doit		= fc2_nl_echo_doit,
		.policy		= fc2_echo_nl_policy,
		.maxattr	= FC2_A_ASK_SIZE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_LINK_ERRORS_GET,
		.doit		= fc2_nl_link_errors_get_doit,
		.policy		= fc2_link_errors_get_nl_policy,
		.maxattr	= FC2_A_ASK_TIMEOUT,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= FC2_CMD_FCF_GET,
		.dumpit		= fc2_nl_fcf_get_dumpit,
		.policy		= fc2_fcf_get_nl_policy,
		.maxattr	= FC2_A_FCF_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_FARP_GET,
		.dumpit		= fc2_nl_farp_get_dumpit,
		.policy		= fc2_farp_get_nl_policy,
		.maxattr	= FC2_A_FARP_WWPN,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= FC2_CMD_RESOLVE,
		.doit		= fc2_nl_resolve_doit,
		.policy		= fc2_resolve_nl_policy,
		.maxattr	= FC2_A_FARP_IP,
		.flags		= GENL_CMD_CAP_DO,
	},
};

static const struct genl_multicast_group fc2_nl_mcgrps[] = {
	[FC2_NLGRP_EVENTS] = { "events", },
};

struct genl_family fc2_nl_family __ro_after_init = {
	.name		= FC2_FAMILY_NAME,
	.version	= FC2_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= fc2_nl_ops,
	.n_split_ops	= ARRAY_SIZE(fc2_nl_ops),
	.mcgrps		= fc2_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(fc2_nl_mcgrps),
};
