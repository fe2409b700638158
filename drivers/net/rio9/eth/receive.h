/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames from the device below.
 */
#ifndef _RIO9_ETH_RECEIVE_H
#define _RIO9_ETH_RECEIVE_H

#include <linux/netdevice.h>

int rio9_eth_rx(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
		struct net_device *orig);

#endif
