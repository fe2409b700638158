/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "rio9", Documentation/netlink/specs/rio9.yaml: what its files share.
 */
#ifndef _RIO9_NETLINK_H
#define _RIO9_NETLINK_H

#include <net/genetlink.h>

struct net_device;

bool rio9_nl_admin(const struct sk_buff *request, struct genl_info *info);
struct net_device *rio9_nl_dev(struct genl_info *info);
int rio9_nl_answer(struct genl_info *info, int (*put)(struct sk_buff *skb, struct genl_info *info,
						      struct net_device *dev));
int rio9_nl_change(struct sk_buff *request, struct genl_info *info,
		   int (*change)(struct genl_info *info, struct net_device *dev));
void *rio9_nl_begin(struct sk_buff *skb, struct netlink_callback *cb);
int rio9_nl_end(struct sk_buff *skb, void *hdr, int err);
int rio9_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		 int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
			    struct net_device *dev, u64 *at));

#endif
