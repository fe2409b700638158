/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rio9.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_RIO9_GEN_H
#define _LINUX_RIO9_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/rio9_netlink.h>

int rio9_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int rio9_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rio9_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info);
int rio9_nl_peer_get_doit(struct sk_buff *skb, struct genl_info *info);
int rio9_nl_peer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rio9_nl_peer_add_doit(struct sk_buff *skb, struct genl_info *info);
int rio9_nl_peer_del_doit(struct sk_buff *skb, struct genl_info *info);
int rio9_nl_context_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int rio9_nl_queue_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rio9_nl_state_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rio9_nl_message_send_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	RIO9_NLGRP_MESSAGES,
};

extern struct genl_family rio9_nl_family;

#endif /* _LINUX_RIO9_GEN_H */
