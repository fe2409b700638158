/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ethernet devices that keep what is sent, with ports on them.
 */
#ifndef _FC2_TEST_FAKE_H
#define _FC2_TEST_FAKE_H

#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "port.h"

#define FAKE_MTU	2500

/* Sees each frame as it is sent; NULL: nobody does */
extern void (*fake_watch)(const struct sk_buff *skb);

struct net_device *fake_dev(struct kunit *test);
struct fc2_port *fake_port(struct kunit *test, struct net_device *dev, u64 wwpn);
struct sk_buff *fake_sent(struct net_device *dev, u16 proto);
void fake_forget(struct net_device *dev);
struct sk_buff *fake_skb(struct kunit *test, const void *frame, unsigned int len);
void fake_link(struct fc2_port *port, bool up);

#endif
