/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "fc2", Documentation/netlink/specs/fc2.yaml: what its files share.
 */
#ifndef _FC2_NETLINK_H
#define _FC2_NETLINK_H

#include <net/genetlink.h>

struct fc2_port;

bool fc2_nl_admin(const struct sk_buff *request, struct genl_info *info);
struct net_device *fc2_nl_dev(struct net *net, const struct nlattr *ifindex,
			      struct netlink_ext_ack *extack);
struct fc2_port *fc2_nl_hold(struct genl_info *info);
int fc2_nl_remote_error(struct genl_info *info, int err);
int fc2_nl_answer(struct genl_info *info, int (*put)(struct sk_buff *skb, struct genl_info *info,
						     struct fc2_port *port));
int fc2_nl_change(struct sk_buff *request, struct genl_info *info,
		  int (*change)(struct genl_info *info, struct fc2_port *port));
void *fc2_nl_begin(struct sk_buff *skb, struct netlink_callback *cb);
int fc2_nl_end(struct sk_buff *skb, void *hdr, int err);
int fc2_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		int (*put)(struct sk_buff *skb, struct netlink_callback *cb, struct fc2_port *port,
			   unsigned long *at));

#endif
