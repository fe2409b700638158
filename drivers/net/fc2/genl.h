/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/fc2.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_FC2_GEN_H
#define _LINUX_FC2_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/fc2_netlink.h>

int fc2_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fc2_nl_port_add_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_port_del_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_counters_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int fc2_nl_neighbour_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int fc2_nl_remote_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fc2_nl_login_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_logout_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_echo_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_link_errors_get_doit(struct sk_buff *skb, struct genl_info *info);
int fc2_nl_fcf_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fc2_nl_farp_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fc2_nl_resolve_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	FC2_NLGRP_EVENTS,
};

extern struct genl_family fc2_nl_family;

#endif /* _LINUX_FC2_GEN_H */
