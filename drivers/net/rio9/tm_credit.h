/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Credits of an operand at the ingress, 3.4.4.
 */
#ifndef _RIO9_TM_CREDIT_H
#define _RIO9_TM_CREDIT_H

#include "tm_state.h"

bool rio9_credit_narrower(const struct rio9_operand *o, const struct rio9_operand *best);
void rio9_credit_allocate(struct rio9_tm_state *tm, struct rio9_operand *o,
			  const struct rio9_tm_msg *msg, u64 now);
void rio9_credit_begin(struct rio9_tm_state *tm, struct rio9_operand *o);
void rio9_credit_sent(struct rio9_tm_state *tm, struct rio9_operand *o, u64 now);
void rio9_credit_return(struct rio9_tm_state *tm, struct rio9_operand *o);

#endif
