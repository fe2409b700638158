/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ingress: what is sent obeys the messages of its destination, 3.4.
 */
#ifndef _RIO9_TM_IN_H
#define _RIO9_TM_IN_H

#include "tm_state.h"

void rio9_in_message(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		     const struct rio9_packet *p, const struct rio9_tm_msg *msg, u64 now);
void rio9_in_tick(struct rio9_tm_state *tm, u64 now);
void rio9_in_forget(struct rio9_tm_peer *peer);
bool rio9_tm_may_send(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, unsigned int len,
		      u64 now_ns, u64 *again_ns);
void rio9_tm_sent(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, unsigned int len,
		  u64 now_ns);
void rio9_tm_voq(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, u8 fill_255, bool blocked);

#endif
