/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic management of a port, 3.4, for its transmitter and receiver.
 */
#ifndef _RIO9_TM_ENGINE_H
#define _RIO9_TM_ENGINE_H

#include "tm_state.h"

void rio9_tm_init(struct rio9_tm_state *tm, const struct rio9_tm_ops *ops, struct rio9_port *port,
		  const u8 channels[RIO9_TM_FLOWS], bool timed);
void rio9_tm_destroy(struct rio9_tm_state *tm);
bool rio9_tm_has_mode(const struct rio9_tm_state *tm, u8 mode);
int rio9_tm_set_mode(struct rio9_tm_state *tm, u8 mode);
int rio9_tm_add_peer(struct rio9_tm_state *tm, u16 id);
void rio9_tm_del_peer(struct rio9_tm_state *tm, u16 id);
void rio9_tm_rx(struct rio9_tm_state *tm, const struct rio9_packet *p, u64 now_ns);
void rio9_tm_tick(struct rio9_tm_state *tm, u64 now_ns);

#endif
