/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink: other ports on the network.
 */
#ifndef _FC2_NETLINK_REMOTE_H
#define _FC2_NETLINK_REMOTE_H

struct fc2_neighbour;
struct fc2_port;
struct fc2_rport;
struct sk_buff;

int fc2_nl_put_neighbour(struct sk_buff *skb, const struct fc2_port *port,
			 const struct fc2_neighbour *neighbour);
int fc2_nl_put_rport(struct sk_buff *skb, const struct fc2_rport *rport);

#endif
