/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send queues: Descriptors in their order.
 */
#ifndef _FCVI_TX_H
#define _FCVI_TX_H

#include "msg.h"

/* Descriptors that may be posted to a send queue */
#define FCVI_TX_POSTED_MAX	16384

void fcvi_tx_init(struct fcvi_vi *vi);
void fcvi_tx_begin(struct fcvi_vi *vi);
void fcvi_tx_complete(struct fcvi_vi *vi);
void fcvi_tx_flush(struct fcvi_vi *vi);

#endif
