/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "hippi", Documentation/netlink/specs/hippi.yaml: what its files share.
 */
#ifndef _HFP_NETLINK_H
#define _HFP_NETLINK_H

#include <net/genetlink.h>

struct hfp_port;

int hfp_nl_answer(struct genl_info *info,
		  int (*put)(struct sk_buff *skb, struct hfp_port *port));
int hfp_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		int (*put)(struct sk_buff *skb, struct hfp_port *port));

#endif
