/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where Messages are put.
 */
#ifndef _FCVI_RX_PLACE_H
#define _FCVI_RX_PLACE_H

#include "rx_msg.h"

bool fcvi_rx_begin(struct fcvi_rx_msg *m);
bool fcvi_rx_place(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset);
void fcvi_rx_finish(struct fcvi_rx_msg *m);

#endif
