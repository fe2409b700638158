/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers at the data Source.
 */
#ifndef _NET_ST_TX_H
#define _NET_ST_TX_H

#include "conn/retrans.h"
#include "xfer/xfer.h"

/**
 * struct st_source - the sending side of a Virtual Connection
 * @list: struct st_tx, in the order of the sends
 * @queued: bytes of records without a waiter, limited by SO_SNDBUF
 * @stream: struct st_tx that the next sendmsg() continues, or NULL
 * @stream_err: why the last stream is over, if no sendmsg() has ended it
 * @streaming: bits of sock/send_stream.c that serialize writers of a stream; not under the
 *	lock
 * @err: negative errno of a failed record without a waiter, not yet reported
 * @cts: Clear_To_Sends kept
 *
 * All but @streaming is protected by st_sock.lock.
 */
struct st_source {
	struct list_head	list;
	u64			queued;
	struct st_tx		*stream;
	int			stream_err;
	unsigned long		streaming;
	int			err;
	unsigned int		cts;
};

/**
 * struct st_ctl - control messages of a sendmsg()
 * @what: the message that selects the call: ST_READ, ST_READ_ANSWER, ST_WRITE_ANSWER
 *	or ST_END; 0: the call sends a record
 * @any: there is an ST_SEND
 * @lent: there is an ST_SEND_FROM
 * @marked: there is an SO_MARK or SO_PRIORITY
 * @from: contents of the ST_SEND_FROM
 * @mark: SO_MARK of the message, else of the socket
 * @priority: SO_PRIORITY of the message, else of the socket
 * @send: contents of the ST_SEND, else the default
 * @read: contents of an ST_READ
 * @answer: contents of an ST_READ_ANSWER
 * @write: contents of an ST_WRITE_ANSWER
 * @end: contents of an ST_END
 */
struct st_ctl {
	int			what;
	bool			any;
	bool			lent;
	bool			marked;
	struct st_send_from	from;
	u32			mark;
	u32			priority;
	struct st_send		send;
	union {
		struct st_read		read;
		struct st_read_answer	answer;
		struct st_write_answer	write;
		struct st_end		end;
	};
};

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
