/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: endpoints.
 */
#ifndef _FCVI_NETLINK_H
#define _FCVI_NETLINK_H

struct fcvi_vi;
struct sk_buff;

int fcvi_nl_put_vi(struct sk_buff *skb, const struct fcvi_vi *vi);

#endif
