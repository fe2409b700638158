/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames between the ports of a device, and of a port to itself: Ethernet loops nothing back.
 */
#ifndef _FC2_LOCAL_H
#define _FC2_LOCAL_H

#include <linux/types.h>

struct fc2_iface;
struct fc2_port;
struct sk_buff;

void fc2_local_begin(struct fc2_iface *iface);
void fc2_local_end(struct fc2_iface *iface);
bool fc2_local_send(struct fc2_port *port, struct sk_buff *skb);

#endif
