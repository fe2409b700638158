/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers at the data Destination.
 */
#ifndef _NET_ST_RX_H
#define _NET_ST_RX_H

#include "conn/retrans.h"
#include "xfer/xfer.h"

struct st_placement_core;
struct st_reads;

/**
 * struct st_dest - the receiving side of a Virtual Connection
 * @list: struct st_rx, in the order they are read
 * @ending: struct st_rx that only wait for an End_Ack
 * @held: struct st_rx that the application has not accepted yet
 * @count: length of all three and of st_reads.asked; each takes one of our Slots
 * @mem: bytes of kernel pages for received data
 * @kept: bytes of other state created by operations of the peer, st_peer_alloc()
 * @kept_charged: bytes charged to the host for @kept
 * @asked: a recvmsg() waits
 * @waiting: a recvmsg() with room for a long record waits for one
 * @near: the last recvmsg() had a long record in its own pages, and the next is
 *	expected before @back
 * @back: jiffies, valid with @near
 * @wake_at: bytes at the head of @list that wake the reader
 * @sink: tables of the data Destination; NULL when only short records were received
 *	lately
 * @reads: NULL before the first Read
 * @block_gen: generation of the next Mx
 *
 * All of it is protected by st_sock.lock.
 */
struct st_dest {
	struct list_head	list;
	struct list_head	ending;
	struct list_head	held;
	unsigned int		count;
	u64			mem;
	u32			kept;
	u32			kept_charged;
	bool			asked;
	bool			waiting;
	bool			near;
	unsigned long		back;
	u64			wake_at;
	struct st_sink		*sink;
	struct st_reads		*reads;
	u16			block_gen;
};

/* xfer/rx.c */
struct st_rx *st_rx_find(struct st_sock *st, u32 id);
struct st_rx *st_rx_alloc(struct st_sock *st);
void st_rx_release(struct st_sock *st, struct st_rx *rx);
struct st_rx *st_rx_head(struct st_sock *st);
bool st_readable(struct st_sock *st);
void st_rx_wake(struct st_sock *st, const struct st_rx *rx);
void st_rx_wake_data(struct st_sock *st, struct st_rx *rx, const struct st_op *op);
u32 st_rx_b_seq(const struct st_rx *rx);
const struct st_done *st_rx_done(const struct st_sock *st, u32 peer_id, u32 id);
void st_rx_complete(struct st_sock *st, struct st_rx *rx);
void st_read_failed(struct st_sock *st, const struct st_rx *rx, u32 flags);
void st_rx_break(struct st_sock *st, struct st_rx *rx, int err);
void st_rx_abort(struct st_sock *st, struct st_rx *rx, int err);
void st_rx_spoil(struct st_sock *st, struct st_rx *rx, int err);
void st_rx_put(struct st_sock *st, struct st_rx *rx);
void st_rx_free(struct st_sock *st, struct st_rx *rx);
struct st_sink *st_sink_get(struct st_sock *st);
void st_sink_free(struct st_sock *st);
void st_sink_over(struct st_sock *st, const struct st_done *done);
unsigned long st_sink_keep(const struct st_sock *st);

/* xfer/rx_state.c */
void st_rcv_request_state(struct st_sock *st, const struct st_op *op);
void st_rx_data_again(struct st_sock *st, const struct st_op *op);
void st_rx_end_rcvd(struct st_sock *st, struct st_rx *rx);
bool st_rx_end_acked(struct st_sock *st, struct st_rx *rx);
enum st_verdict st_rx_timeouts(struct st_sock *st, unsigned long now);
void st_rx_break_all(struct st_sock *st, int err);
void st_rx_purge(struct st_sock *st);

/* xfer/rx_request.c */
void st_rcv_request_to_send(struct st_sock *st, const struct st_op *op);
void st_rx_drop_held(struct st_sock *st);
int st_writes_set(struct st_sock *st, int val);
int st_write_answer(struct st_sock *st, const struct st_write_answer *answer);

/* xfer/rx_data.c */
void st_rx_note(struct st_sock *st, struct st_rx *rx, const struct st_op *op);
enum st_error st_rx_area(struct st_sock *st, const struct st_op *op, u32 len,
			 struct st_block **found, u64 *pos);
void st_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb);
struct st_placement_core *st_placement_new(struct st_sock *st, const struct st_block *blk,
					   u64 pos, u32 len);

#endif
