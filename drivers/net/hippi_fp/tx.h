/* SPDX-License-Identifier: GPL-2.0 */
/* Packets to the device that carries them. */
#ifndef _HFP_TX_H
#define _HFP_TX_H

#include <linux/netdevice.h>

netdev_tx_t hfp_start_xmit(struct sk_buff *skb, struct net_device *dev);

#endif
