/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: ports.
 */
#ifndef _FC2_NETLINK_PORT_H
#define _FC2_NETLINK_PORT_H

struct fc2_port;
struct sk_buff;

int fc2_nl_put_port(struct sk_buff *skb, const struct fc2_port *port);

#endif
