/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FIP of a port: its link, its timer, and the frames that arrive.
 */
#ifndef _FC2_FIP_LINK_H
#define _FC2_FIP_LINK_H

#include <linux/types.h>

struct fc2_port;
struct sk_buff;

void fc2_fip_port_begin(struct fc2_port *port);
void fc2_fip_port_end(struct fc2_port *port);
void fc2_fip_link(struct fc2_port *port, bool up);
void fc2_fip_rx(struct fc2_port *port, struct sk_buff *skb);
void fc2_fip_timeout(struct fc2_port *port);

#endif
