/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the HIPPI-6400 driver offers to protocols above it.
 */
#ifndef _LINUX_HIPPI6400_H
#define _LINUX_HIPPI6400_H

#include <linux/skbuff.h>
#include <linux/types.h>

struct net_device;

#define HIPPI6400_NUM_VCS	4	/* HIPPI-6400-PH 4.3 */
#define HIPPI6400_MAX_MTU	65280	/* RFC 2835 */

/* skb->priority values that name the Virtual Channel a Message leaves on */
#define HIPPI6400_PRIO_BASE	0x64000000

/**
 * hippi6400_skb_set_vc - choose the Virtual Channel of an outgoing Message
 * @skb: the frame, before it is handed to dev_queue_xmit()
 * @vc: 0 to 3; a frame over the limit of VC0 is dropped and counted
 *
 * Context: any.
 */
static inline void hippi6400_skb_set_vc(struct sk_buff *skb, unsigned int vc)
{
	skb->priority = HIPPI6400_PRIO_BASE | (vc & (HIPPI6400_NUM_VCS - 1));
}

bool hippi6400_is_port(const struct net_device *dev);

#endif
