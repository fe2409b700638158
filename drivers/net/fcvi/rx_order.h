/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Order of Messages.
 */
#ifndef _FCVI_RX_ORDER_H
#define _FCVI_RX_ORDER_H

#include "rx_msg.h"

void fcvi_rx_order_begin(struct fcvi_vi *vi);
bool fcvi_rx_expected(struct fcvi_vi *vi, const struct fcvi_iu *iu);
bool fcvi_rx_insert(struct fcvi_rx_msg *m);
void fcvi_rx_done(struct fcvi_vi *vi, u32 msg_id);
void fcvi_rx_next(struct fcvi_vi *vi, u32 msg_id);

#endif
