/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers at the data Source.
 */
#ifndef _NET_ST_TX_H
#define _NET_ST_TX_H

#include "conn/conn.h"
#include "xfer/xfer.h"

/* xfer/tx.c */
void st_tx_pump(struct st_sock *st);
bool st_tx_writable(const struct st_sock *st);
bool st_tx_room(const struct st_sock *st, size_t len);
bool st_tx_idle(const struct st_sock *st);
int st_tx_start(struct st_sock *st, struct st_tx *tx, size_t len);
struct st_buf *st_tx_cancel(struct st_sock *st, struct st_tx *tx);
void st_tx_free(struct st_tx *tx);
void st_tx_finish(struct st_sock *st, struct st_tx *tx, int err);
struct st_tx *st_tx_alloc(const struct st_ctl *ctl, size_t len);
void st_tx_rts(const struct st_sock *st, const struct st_tx *tx, struct st_op *op);
void st_tx_watch(struct st_sock *st, struct st_tx *tx, u64 n);
void st_tx_fail_all(struct st_sock *st, int err);
void st_tx_end_rcvd(struct st_sock *st, struct st_tx *tx);
bool st_tx_end_acked(struct st_sock *st, struct st_tx *tx);
enum st_verdict st_tx_timeouts(struct st_sock *st, unsigned long now);
void st_rcv_request_answer(struct st_sock *st, const struct st_op *op);
void st_rcv_clear_to_send(struct st_sock *st, const struct st_op *op);
void st_tx_told(struct st_sock *st, const struct st_op *op);

/* xfer/tx_data.c */
void st_tx_leave_path(struct st_sock *st, const struct st_path *path);
void st_tx_class(struct sk_buff *skb, const struct st_tx *tx);
bool st_tx_tile(const struct st_tx *tx, const struct st_op *op, struct st_tiling *tiling);
void st_tx_cts(struct st_sock *st, struct st_tx *tx, const struct st_op *op, u64 n);
void st_tx_drop_cts(struct st_sock *st, struct st_tx *tx);
bool st_tx_send_blocks(struct st_sock *st, struct st_tx *tx);

/* xfer/tx_stream.c */
bool st_stream_room(struct st_sock *st);
struct st_buf *st_stream_bytes(const struct st_tx *tx, u64 pos, u64 *at, u64 *len);
u64 st_stream_unacked(const struct st_tx *tx);
u8 st_stream_max_block(const struct st_sock *st);
void st_stream_acked(struct st_sock *st, struct st_tx *tx);
void st_stream_starved(struct st_sock *st, struct st_tx *tx);
void st_stream_over(struct st_sock *st, struct st_tx *tx);

#endif
