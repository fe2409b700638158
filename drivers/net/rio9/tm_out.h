/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The egress: what a source is told about its data, 3.4.
 */
#ifndef _RIO9_TM_OUT_H
#define _RIO9_TM_OUT_H

#include "tm_state.h"

void rio9_out_message(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		      const struct rio9_packet *p, const struct rio9_tm_msg *msg);
void rio9_out_forget(struct rio9_tm_peer *peer);
void rio9_tm_viq(struct rio9_tm_state *tm, u16 source, u8 cos, u8 fill_255);
void rio9_tm_came(struct rio9_tm_state *tm, const struct rio9_pdu *pdu);
void rio9_tm_user_room(struct rio9_tm_state *tm, const struct rio9_pdu *vsid, bool room);
void rio9_tm_user_gone(struct rio9_tm_state *tm, u16 stream);

#endif
