/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic management messages that wait to be sent, and what wakes the transmitter.
 */
#ifndef _RIO9_TM_SAY_H
#define _RIO9_TM_SAY_H

#include "tm_state.h"

void rio9_tm_unlock(struct rio9_tm_state *tm) __releases(&tm->lock);
void rio9_tm_unlock_kick(struct rio9_tm_state *tm) __releases(&tm->lock);
unsigned int rio9_tm_in_flows(const struct rio9_tm_state *tm, const struct rio9_tm_q *q,
			      u8 cos[RIO9_TM_FLOWS]);
bool rio9_tm_queue(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		   const struct rio9_packet *p);
void rio9_tm_say(struct rio9_tm_state *tm, struct rio9_tm_peer *peer, const struct rio9_tm_q *q,
		 enum rio9_tm_says says, u8 unit, u16 n);
void rio9_tm_hush(struct rio9_tm_peer *peer);
bool rio9_tm_pop(struct rio9_tm_state *tm, u8 channel, struct rio9_packet *p);

#endif
