/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages and modes that users define, 3.4.5 SF4.
 */
#ifndef _RIO9_TM_USER_H
#define _RIO9_TM_USER_H

#include "tm_state.h"

void rio9_user_join(struct rio9_tm_state *tm);
void rio9_user_leave(struct rio9_tm_state *tm);
bool rio9_user_has_mode(u8 mode);
bool rio9_user_event_due(struct rio9_tm_state *tm, u64 now);
void rio9_user_message(struct rio9_tm_state *tm, const struct rio9_packet *p, bool event);
int rio9_tm_send_user(struct rio9_tm_state *tm, u16 destination, const struct rio9_tm_user *msg);

#endif
