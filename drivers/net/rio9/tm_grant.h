/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Credits that the egress grants, 3.4.4.
 */
#ifndef _RIO9_TM_GRANT_H
#define _RIO9_TM_GRANT_H

#include "tm_state.h"

void rio9_grant_asked(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		      const struct rio9_tm_q *q, u8 level);
void rio9_grant_status(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		       const struct rio9_tm_q *q, const struct rio9_tm_msg *msg);
void rio9_grant_came(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		     const struct rio9_pdu *pdu);
void rio9_grant_room(struct rio9_tm_state *tm, struct rio9_tm_peer *peer);
void rio9_grant_forget(struct rio9_tm_peer *peer);

#endif
