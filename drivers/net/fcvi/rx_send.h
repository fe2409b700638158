/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the responder of a Message sends.
 */
#ifndef _FCVI_RX_SEND_H
#define _FCVI_RX_SEND_H

#include "rx_msg.h"

void fcvi_rx_send_read(struct fcvi_rx_msg *m, void (*sent)(struct fcvi_out *out, int err));
void fcvi_rx_send_answer(struct fcvi_rx_msg *m, void (*sent)(struct fcvi_out *out, int err));

#endif
