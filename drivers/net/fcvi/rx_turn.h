/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns of Messages.
 */
#ifndef _FCVI_RX_TURN_H
#define _FCVI_RX_TURN_H

#include "rx_msg.h"

void fcvi_rx_turn_init(struct fcvi_vi *vi);
void fcvi_rx_turn_end(struct fcvi_vi *vi);
bool fcvi_rx_has_turn(const struct fcvi_vi *vi, const struct fcvi_iu *iu);

#endif
