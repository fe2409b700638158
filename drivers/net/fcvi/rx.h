/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive queues, and the responder's side of Messages.
 */
#ifndef _FCVI_RX_H
#define _FCVI_RX_H

#include "msg.h"

void fcvi_rx_init(struct fcvi_vi *vi);
void fcvi_rx_enable(struct fcvi_vi *vi, bool on);
void fcvi_rx_flush(struct fcvi_vi *vi);
void fcvi_rx_run(struct fcvi_vi *vi);
int fcvi_rx_open(struct fcvi_mx *mx, const struct fcvi_iu *iu);
void fcvi_rx_alone(struct fcvi_port *port, struct fc2_rport *rport, const struct fcvi_iu *iu,
		   struct sk_buff *skb, u32 offset);

#endif
