/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Average and peak rate of an operand, 3.4.3.
 */
#ifndef _RIO9_TM_RATE_H
#define _RIO9_TM_RATE_H

#include "tm_state.h"

void rio9_rate_change(struct rio9_tm_state *tm, struct rio9_operand *o,
		      const struct rio9_tm_msg *msg, u64 now);
u64 rio9_rate_when(struct rio9_operand *o, u64 now);
void rio9_rate_sent(struct rio9_operand *o, unsigned int len, u64 now);

#endif
