// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/st.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "genl.h"

#include <uapi/linux/st_netlink.h>

/* Common nested types */
const struct nla_policy st_host_address_nl_policy[ST_A_HOST_ADDRESS_ADDRESS_TEXT + 1] = {
	[ST_A_HOST_ADDRESS_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_HOST_ADDRESS_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
	[ST_A_HOST_ADDRESS_ADDRESS] = NLA_POLICY_MAX_LEN(16),
	[ST_A_HOST_ADDRESS_ADDRESS_TEXT] = { .type = NLA_NUL_STRING, .len = 47, },
};

/* ST_CMD_LINK_GET - do */
static const struct nla_policy st_link_get_do_nl_policy[ST_A_LINK_LLP + 1] = {
	[ST_A_LINK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_LINK_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* ST_CMD_LINK_GET - dump */
static const struct nla_policy st_link_get_dump_nl_policy[ST_A_LINK_LLP + 1] = {
	[ST_A_LINK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_LINK_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* ST_CMD_PORT_GET - do */
static const struct nla_policy st_port_get_do_nl_policy[ST_A_PORT_PORT + 1] = {
	[ST_A_PORT_PORT] = { .type = NLA_U16, },
};

/* ST_CMD_PORT_GET - dump */
static const struct nla_policy st_port_get_dump_nl_policy[ST_A_PORT_UID + 1] = {
	[ST_A_PORT_PORT] = { .type = NLA_U16, },
	[ST_A_PORT_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_PORT_UID] = { .type = NLA_U32, },
};

/* ST_CMD_VC_GET - do */
static const struct nla_policy st_vc_get_do_nl_policy[ST_A_VC_COOKIE + 1] = {
	[ST_A_VC_COOKIE] = { .type = NLA_UINT, },
};

/* ST_CMD_VC_GET - dump */
static const struct nla_policy st_vc_get_dump_nl_policy[ST_A_VC_UID + 1] = {
	[ST_A_VC_COOKIE] = { .type = NLA_UINT, },
	[ST_A_VC_LOCAL_PORT] = { .type = NLA_U16, },
	[ST_A_VC_REMOTE_PORT] = { .type = NLA_U16, },
	[ST_A_VC_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_VC_REMOTE_ADDRESS] = NLA_POLICY_MAX_LEN(16),
	[ST_A_VC_UID] = { .type = NLA_U32, },
};

/* ST_CMD_TRANSFER_GET - do */
static const struct nla_policy st_transfer_get_do_nl_policy[ST_A_TRANSFER_ID + 1] = {
	[ST_A_TRANSFER_COOKIE] = { .type = NLA_UINT, },
	[ST_A_TRANSFER_ID] = { .type = NLA_U32, },
};

/* ST_CMD_TRANSFER_GET - dump */
static const struct nla_policy st_transfer_get_dump_nl_policy[ST_A_TRANSFER_UID + 1] = {
	[ST_A_TRANSFER_COOKIE] = { .type = NLA_UINT, },
	[ST_A_TRANSFER_LOCAL_PORT] = { .type = NLA_U16, },
	[ST_A_TRANSFER_REMOTE_PORT] = { .type = NLA_U16, },
	[ST_A_TRANSFER_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_TRANSFER_REMOTE_ADDRESS] = NLA_POLICY_MAX_LEN(16),
	[ST_A_TRANSFER_UID] = { .type = NLA_U32, },
};

/* ST_CMD_REGION_GET - do */
static const struct nla_policy st_region_get_do_nl_policy[ST_A_REGION_ID + 1] = {
	[ST_A_REGION_COOKIE] = { .type = NLA_UINT, },
	[ST_A_REGION_ID] = { .type = NLA_U32, },
};

/* ST_CMD_REGION_GET - dump */
static const struct nla_policy st_region_get_dump_nl_policy[ST_A_REGION_UID + 1] = {
	[ST_A_REGION_COOKIE] = { .type = NLA_UINT, },
	[ST_A_REGION_LOCAL_PORT] = { .type = NLA_U16, },
	[ST_A_REGION_REMOTE_PORT] = { .type = NLA_U16, },
	[ST_A_REGION_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_REGION_REMOTE_ADDRESS] = NLA_POLICY_MAX_LEN(16),
	[ST_A_REGION_UID] = { .type = NLA_U32, },
};

/* ST_CMD_LINK_ADD - do */
static const struct nla_policy st_link_add_nl_policy[ST_A_LINK_RELIABILITY + 1] = {
	[ST_A_LINK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_LINK_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
	[ST_A_LINK_STU] = { .type = NLA_UINT, },
	[ST_A_LINK_RELIABILITY] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
};

/* ST_CMD_LINK_DEL - do */
static const struct nla_policy st_link_del_nl_policy[ST_A_LINK_LLP + 1] = {
	[ST_A_LINK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_LINK_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* ST_CMD_STRIPE_GET - do */
static const struct nla_policy st_stripe_get_nl_policy[ST_A_STRIPE_ADDRESS + 1] = {
	[ST_A_STRIPE_ADDRESS] = NLA_POLICY_NESTED(st_host_address_nl_policy),
};

/* ST_CMD_STRIPE_ADD - do */
static const struct nla_policy st_stripe_add_nl_policy[ST_A_STRIPE_ADDRESS + 1] = {
	[ST_A_STRIPE_ADDRESS] = NLA_POLICY_NESTED(st_host_address_nl_policy),
};

/* ST_CMD_STRIPE_DEL - do */
static const struct nla_policy st_stripe_del_nl_policy[ST_A_STRIPE_ADDRESS + 1] = {
	[ST_A_STRIPE_ADDRESS] = NLA_POLICY_NESTED(st_host_address_nl_policy),
};

/* ST_CMD_VC_DEL - do */
static const struct nla_policy st_vc_del_nl_policy[ST_A_VC_COOKIE + 1] = {
	[ST_A_VC_COOKIE] = { .type = NLA_UINT, },
};

/* ST_CMD_ADDRESS_GET - do */
static const struct nla_policy st_address_get_nl_policy[ST_A_ADDRESS_TIMEOUT + 1] = {
	[ST_A_ADDRESS_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[ST_A_ADDRESS_LLP] = { .type = NLA_NUL_STRING, .len = 31, },
	[ST_A_ADDRESS_LLP_TYPE] = { .type = NLA_U32, },
	[ST_A_ADDRESS_ADDRESS] = NLA_POLICY_MAX_LEN(16),
	[ST_A_ADDRESS_TEXT] = { .type = NLA_NUL_STRING, .len = 47, },
	[ST_A_ADDRESS_TIMEOUT] = NLA_POLICY_MAX(NLA_U32, 30000),
};

/* Ops table for st */
static const struct genl_split_ops st_nl_ops[] = {
	{
		.cmd		= ST_CMD_LINK_GET,
		.doit		= st_nl_link_get_doit,
		.policy		= st_link_get_do_nl_policy,
		.maxattr	= ST_A_LINK_LLP,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_LINK_GET,
		.dumpit		= st_nl_link_get_dumpit,
		.policy		= st_link_get_dump_nl_policy,
		.maxattr	= ST_A_LINK_LLP,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= ST_CMD_PORT_GET,
		.doit		= st_nl_port_get_doit,
		.policy		= st_port_get_do_nl_policy,
		.maxattr	= ST_A_PORT_PORT,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_PORT_GET,
		.dumpit		= st_nl_port_get_dumpit,
		.policy		= st_port_get_dump_nl_policy,
		.maxattr	= ST_A_PORT_UID,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= ST_CMD_VC_GET,
		.doit		= st_nl_vc_get_doit,
		.policy		= st_vc_get_do_nl_policy,
		.maxattr	= ST_A_VC_COOKIE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_VC_GET,
		.start		= st_nl_walk_start,
		.dumpit		= st_nl_vc_get_dumpit,
		.done		= st_nl_walk_done,
		.policy		= st_vc_get_dump_nl_policy,
		.maxattr	= ST_A_VC_UID,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= ST_CMD_TRANSFER_GET,
		.doit		= st_nl_transfer_get_doit,
		.policy		= st_transfer_get_do_nl_policy,
		.maxattr	= ST_A_TRANSFER_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_TRANSFER_GET,
		.start		= st_nl_walk_start,
		.dumpit		= st_nl_transfer_get_dumpit,
		.done		= st_nl_walk_done,
		.policy		= st_transfer_get_dump_nl_policy,
		.maxattr	= ST_A_TRANSFER_UID,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= ST_CMD_COUNTERS_GET,
		.doit	= st_nl_counters_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_REGION_GET,
		.doit		= st_nl_region_get_doit,
		.policy		= st_region_get_do_nl_policy,
		.maxattr	= ST_A_REGION_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_REGION_GET,
		.start		= st_nl_walk_start,
		.dumpit		= st_nl_region_get_dumpit,
		.done		= st_nl_walk_done,
		.policy		= st_region_get_dump_nl_policy,
		.maxattr	= ST_A_REGION_UID,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= ST_CMD_LINK_ADD,
		.doit		= st_nl_link_add_doit,
		.policy		= st_link_add_nl_policy,
		.maxattr	= ST_A_LINK_RELIABILITY,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_LINK_DEL,
		.doit		= st_nl_link_del_doit,
		.policy		= st_link_del_nl_policy,
		.maxattr	= ST_A_LINK_LLP,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_STRIPE_GET,
		.doit		= st_nl_stripe_get_doit,
		.policy		= st_stripe_get_nl_policy,
		.maxattr	= ST_A_STRIPE_ADDRESS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= ST_CMD_STRIPE_GET,
		.dumpit	= st_nl_stripe_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= ST_CMD_STRIPE_ADD,
		.doit		= st_nl_stripe_add_doit,
		.policy		= st_stripe_add_nl_policy,
		.maxattr	= ST_A_STRIPE_ADDRESS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_STRIPE_DEL,
		.doit		= st_nl_stripe_del_doit,
		.policy		= st_stripe_del_nl_policy,
		.maxattr	= ST_A_STRIPE_ADDRESS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_VC_DEL,
		.doit		= st_nl_vc_del_doit,
		.policy		= st_vc_del_nl_policy,
		.maxattr	= ST_A_VC_COOKIE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= ST_CMD_ADDRESS_GET,
		.doit		= st_nl_address_get_doit,
		.policy		= st_address_get_nl_policy,
		.maxattr	= ST_A_ADDRESS_TIMEOUT,
		.flags		= GENL_CMD_CAP_DO,
	},
};

static const struct genl_multicast_group st_nl_mcgrps[] = {
	[ST_NLGRP_MGMT] = { "mgmt", },
	[ST_NLGRP_VC] = { "vc", },
};

struct genl_family st_nl_family __ro_after_init = {
	.name		= ST_FAMILY_NAME,
	.version	= ST_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= st_nl_ops,
	.n_split_ops	= ARRAY_SIZE(st_nl_ops),
	.mcgrps		= st_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(st_nl_mcgrps),
};
