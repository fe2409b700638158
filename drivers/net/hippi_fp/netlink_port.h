/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: ports.
 */
#ifndef _HFP_NETLINK_PORT_H
#define _HFP_NETLINK_PORT_H

struct hfp_port;
struct sk_buff;

int hfp_nl_put_port(struct sk_buff *skb, struct hfp_port *port);

#endif
