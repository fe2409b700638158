/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payloads that an LLP puts where they belong.
 */
#ifndef _NET_ST_PLACEMENT_H
#define _NET_ST_PLACEMENT_H

#include "conn/conn.h"

/* conn/placement.c */
void st_target_cancel(struct st_sock *st, u16 mx);
bool st_target_take_back(struct st_sock *st, const struct st_buf *ubuf);
void st_target_purge(struct st_sock *st);
struct st_target *st_target_add(struct st_sock *st, u16 mx, u32 len);
struct st_target *st_target_new_in(struct st_sock *st, u16 mx, struct st_buf *buf, u64 pos,
				   u32 len);

#endif
