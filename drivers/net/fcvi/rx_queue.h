/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receive queues.
 */
#ifndef _FCVI_RX_QUEUE_H
#define _FCVI_RX_QUEUE_H

#include "rx_msg.h"

struct fcvi_desc *fcvi_rx_take(struct fcvi_rx_msg *m, u32 len);
void fcvi_rx_settle(struct fcvi_vi *vi);

#endif
