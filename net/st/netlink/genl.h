/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/st.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_ST_GEN_H
#define _LINUX_ST_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/st_netlink.h>

/* Common nested types */
extern const struct nla_policy st_host_address_nl_policy[ST_A_HOST_ADDRESS_ADDRESS_TEXT + 1];

int st_nl_walk_start(struct netlink_callback *cb);
int st_nl_walk_done(struct netlink_callback *cb);

int st_nl_link_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_link_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_vc_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_vc_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_transfer_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_transfer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_region_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_region_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_link_add_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_link_del_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_stripe_get_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_stripe_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int st_nl_stripe_add_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_stripe_del_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_vc_del_doit(struct sk_buff *skb, struct genl_info *info);
int st_nl_address_get_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	ST_NLGRP_MGMT,
	ST_NLGRP_VC,
};

extern struct genl_family st_nl_family;

#endif /* _LINUX_ST_GEN_H */
