/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What arrives: FCoE and FIP frames of a device, to its ports and the layers above.
 */
#ifndef _FC2_RX_H
#define _FC2_RX_H

struct net_device;
struct packet_type;
struct sk_buff;

int fc2_rx_fcoe(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		struct net_device *orig_dev);
int fc2_rx_fip(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
	       struct net_device *orig_dev);

#endif
