/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read sequences, and state queries to the peer.
 */
#ifndef _NET_ST_READ_H
#define _NET_ST_READ_H

#include "xfer/xfer.h"

/* xfer/read.c */
bool st_read_room(struct st_sock *st);
int st_read_post(struct st_sock *st, const struct st_read *read);
int st_read_refuse(struct st_sock *st, u32 id);
int st_read_answer(struct st_sock *st, struct st_tx *tx);
void st_read_answering(struct st_sock *st, const struct st_tx *tx);
void st_read_sent(struct st_sock *st, const struct st_tx *tx);
bool st_read_answered(struct st_sock *st, const struct st_op *op);
struct st_rx *st_read_announced(struct st_sock *st, const struct st_op *op, bool good);
void st_read_ended(struct st_sock *st, struct st_rx *rx);
int st_read_end(struct st_sock *st, u64 token);
void st_read_pump(struct st_sock *st);
enum st_verdict st_read_timeouts(struct st_sock *st, unsigned long now);
void st_read_break_all(struct st_sock *st, int err);
void st_read_purge(struct st_sock *st);
void st_rcv_request_to_receive(struct st_sock *st, const struct st_op *op);

/* xfer/query.c */
int st_state_get(struct st_sock *st, struct st_peer_state *state);
void st_state_answered(struct st_sock *st, const struct st_op *op);
void st_state_timeouts(struct st_sock *st, unsigned long now);
void st_state_break_all(struct st_sock *st, int err);

#endif
