/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: traffic management messages that users have defined.
 */
#ifndef _RIO9_NETLINK_MESSAGE_H
#define _RIO9_NETLINK_MESSAGE_H

#include <linux/rio9.h>

int rio9_nl_put_message(struct sk_buff *skb, const struct net_device *dev,
			const struct rio9_tm_user *msg);

#endif
