// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers at the data Source: Write sequences, ST 6.1.2, and answers to Read sequences,
 * ST 6.1.3.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/conn.h"
#include "link/link.h"
#include "xfer/read.h"

static struct st_tx *st_tx_find(struct st_sock *st, u32 id)
{
	struct st_xfer *x = st_xfer_find(st, id);

	if (x && x->tx)
		return container_of(x, struct st_tx, x);
	/* An answer to a finished Transfer is late, not wrong */
	if ((s32)(id - st->ids.next) >= 0)
		st_log(st, ST_ERR_INVALID_D_ID);
	return NULL;
}

/**
 * st_tx_idle - whether nothing is left to send
 * @st: the Virtual Connection
 *
 * Return: true when every Transfer is acknowledged or given up.
 */
bool st_tx_idle(const struct st_sock *st)
{
	const struct st_tx *tx;

	st_assert_locked(st);
	list_for_each_entry(tx, &st->source.list, list)
		/* An open stream is given up together with the connection */
		if (tx != st->source.stream && (!tx->ending || !tx->tiling.t_len))
			return false;
	return true;
}

/**
 * st_tx_alloc - allocate a Transfer
 * @ctl: control messages of the sendmsg()
 * @len: bytes in it; 0: unlimited
 *
 * Context: process, may sleep.
 * Return: the Transfer, on no list, or NULL without memory.
 */
struct st_tx *st_tx_alloc(const struct st_ctl *ctl, size_t len)
{
	struct st_tx *tx = kzalloc(sizeof(*tx), GFP_KERNEL_ACCOUNT);

	if (!tx)
		return NULL;
	tx->x.tx = true;
	tx->channel = ctl->send.channel ?: ST_DATA_CHANNEL;
	tx->mark = ctl->mark;
	tx->priority = ctl->priority;
	tx->flags = ctl->send.flags;
	tx->opaque = ctl->send.opaque;
	tx->cts_req = ctl->send.cts_req ?: ST_BLOCKS_XFER;
	tx->max_block = ctl->send.max_block ?: ST_BLOCK_MAX;
	tx->tiling.t_len = len;
	if (ctl->what == ST_READ_ANSWER) {
		tx->answers = true;
		tx->peer_id = ctl->answer.id;
	}
	INIT_LIST_HEAD(&tx->cts_list);
	INIT_LIST_HEAD(&tx->pieces);
	init_completion(&tx->done);
	return tx;
}

/**
 * st_tx_free - free a Transfer that is on no list
 * @tx: the Transfer
 *
 * Context: any.
 */
void st_tx_free(struct st_tx *tx)
{
	st_buf_free(tx->buf, false);
	kfree(tx);
}

/**
 * st_tx_finish - finish a Transfer
 * @st: the Virtual Connection
 * @tx: the Transfer, on the list; freed unless somebody waits for it
 * @err: negative errno or 0
 */
void st_tx_finish(struct st_sock *st, struct st_tx *tx, int err)
{
	bool stream = tx->stream, room = tx->charged;

	st_assert_locked(st);
	list_del(&tx->list);
	if (st->shorts.tx == tx)
		st->shorts.tx = NULL;
	else
		xa_erase(&st->ids.xa, tx->x.id);
	st_tx_drop_cts(st, tx);
	tx->err = tx->cancelled ? -ECANCELED : err;
	tx->over = true;
	if (tx->answers)
		st_read_sent(st, tx);
	if (tx->stream)
		st_stream_over(st, tx);
	/* Without a waiter the next call of the application reports the error */
	if (err && !tx->waited && !tx->cancelled)
		st->source.err = err;
	if (!err)
		st->info.tx_transfers++;
	st->source.queued -= tx->charged;
	tx->charged = 0;
	if (tx->waited)
		complete(&tx->done);
	else
		st_tx_free(tx);
	/* A call that waits to continue the stream would wait in vain */
	if (stream || (room && st_tx_writable(st)))
		st_tx_wake(&st->sk);
}

/**
 * st_tx_fail_all - give up all Transfers that are being sent
 * @st: the Virtual Connection
 * @err: negative errno
 */
void st_tx_fail_all(struct st_sock *st, int err)
{
	struct st_tx *tx, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(tx, next, &st->source.list, list)
		st_tx_finish(st, tx, err);
}

/**
 * st_tx_watch - ask for the state of a Transfer whose Data is not acknowledged, ST 10.2
 * @st: the Virtual Connection
 * @tx: the Transfer
 * @n: the Block of that Data
 *
 * The Data of a Silent record does not ask for an answer, so a Request_State is sent at once.
 * For a stream it names the Block: the peer does not know how much is still to come, and
 * would not miss it otherwise.
 */
void st_tx_watch(struct st_sock *st, struct st_tx *tx, u64 n)
{
	struct st_op op;

	st_assert_locked(st);
	/* Later Blocks may have been sent before Block @n, and arrive after it */
	tx->watch = max3(tx->watch, n, max(tx->high, 1) - 1);
	if (tx->flags & ST_SEND_SILENT)
		st_slot_take(st, true);
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.sync = st->slots.ops;
	op.b_num = tx->stream ? st_b_num(tx->watch) : ST_B_NUM_NONE;
	op.d_id = tx->peer_id;
	op.s_id = tx->x.id;
	op.sync = st->slots.ops;
	st_retrans_start(st, &tx->retrans, &op);
	if (tx->flags & ST_SEND_SILENT)
		st_queue_op(st, &op);
}

/**
 * st_tx_rts - build the Request_To_Send of a Transfer
 * @st: the Virtual Connection
 * @tx: the Transfer
 * @op: filled in
 */
void st_tx_rts(const struct st_sock *st, const struct st_tx *tx, struct st_op *op)
{
	st_assert_locked(st);
	st_op_init(st, op, ST_OP_REQUEST_TO_SEND, tx->channel);
	op->param = tx->cts_req;
	op->b_id = tx->max_block;
	op->d_id = tx->answers ? tx->peer_id : 0;
	op->s_id = tx->x.id;
	st_op_set_t_len(op, tx->tiling.t_len);
}

/* List a record that was refused as a short record: the peer is now told its identifier. */
static bool st_tx_list(struct st_sock *st, struct st_tx *tx)
{
	if (st->shorts.tx != tx)
		return true;
	if (st_xfer_list(st, &tx->x)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		/* There is no other trigger to try again */
		st_timer_at(st, jiffies + st_op_timeout(st));
		return false;
	}
	st->shorts.tx = NULL;
	return true;
}

static bool st_tx_ask(struct st_sock *st, struct st_tx *tx)
{
	struct st_op op;

	if (st_short_send(st, tx))
		return true;
	/* The answer to a Read takes over the Slot of the Read */
	if (!st_tx_list(st, tx) ||
	    !(tx->answers ? st_slot_take(st, false) : st_slot_keep(st, ST_KEEP_RECORD)))
		return false;
	st_tx_rts(st, tx, &op);
	tx->asked = true;
	st_retrans_start(st, &tx->retrans, &op);
	st_queue_op(st, &op);
	return true;
}

/**
 * st_tx_pump - send whatever can be sent now
 * @st: the Virtual Connection
 *
 * A record is announced when the record before it is answered, so that records arrive in the
 * order they were sent in.  A request for a region that waits for a Slot goes first: only a
 * Request_State_Response frees Slots, and after it proto/ calls st_remote_pump() before this.
 */
void st_tx_pump(struct st_sock *st)
{
	bool may_ask = true;
	struct st_tx *tx;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	list_for_each_entry(tx, &st->source.list, list) {
		if (!tx->asked && !(may_ask && st_tx_ask(st, tx)))
			return;
		may_ask &= tx->answered;
		if (!st_tx_send_blocks(st, tx))
			return;
		if (tx->stream)
			st_stream_starved(st, tx);
	}
}

/**
 * st_rcv_request_answer - receive a Request_Answer, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_request_answer(struct st_sock *st, const struct st_op *op)
{
	struct st_tx *tx;

	st_assert_locked(st);
	if (st_read_answered(st, op))
		return;
	tx = st_tx_find(st, op->d_id);
	if (!tx || !tx->asked || tx->put)
		return;
	if (tx->peer_id_known) {
		/* The answer to a stream that asked again for Clear_To_Sends */
		if (tx->retrans.armed && tx->retrans.op.op == ST_OP_REQUEST_TO_SEND)
			st_retrans_pause(st, &tx->retrans, ST_KEEPALIVE);
		return;
	}
	if (op->flags & ST_F_REJECT) {
		st_tx_finish(st, tx, -EREMOTEIO);
		st_tx_pump(st);
		return;
	}
	tx->answered = true;
	st_retrans_pause(st, &tx->retrans, ST_KEEPALIVE);
	st_tx_pump(st);
}

/**
 * st_rcv_clear_to_send - receive a Clear_To_Send, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_clear_to_send(struct st_sock *st, const struct st_op *op)
{
	struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	struct st_tx *tx = st_tx_find(st, op->d_id);
	struct st_tiling tiling;
	u64 n;

	st_assert_locked(st);
	if (!tx)
		return;
	if (!tx->asked || tx->put) {
		st_log_unexpected(st, op);
		return;
	}
	if ((tx->peer_id_known || tx->answers) && op->s_id != tx->peer_id) {
		st_log(st, ST_ERR_INVALID_D_ID);
		return;
	}
	if (!st_place_valid(&at, st->vc.remote_bufsize)) {
		st_log(st, ST_ERR_OVERSIZED_OFFSET);
		return;
	}
	if (!st_tx_tile(tx, op, &tiling)) {
		st_log(st, ST_ERR_ILLEGAL_BLOCKSIZE);
		return;
	}
	n = st_b_num_from(tx->acked, op->b_num);
	if (n >= st_block_count(&tiling) || (tx->stream && n - tx->acked > ST_CTS_MAX)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
		return;
	}
	if (!st_place_advance(&at, st_block_len(&tiling, n) - 1, st->vc.remote_bufsize)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		return;
	}
	/* Up to here a discarded operation has changed nothing, ST 10.7.4 */
	if (!tx->tiled) {
		tx->tiling = tiling;
		tx->nblocks = st_block_count(&tiling);
		tx->tiled = true;
	}
	if (tx->retrans.op.op == ST_OP_REQUEST_TO_SEND)
		st_retrans_answered(st, &tx->retrans);
	if (!tx->peer_id_known) {
		tx->peer_id = op->s_id;
		tx->peer_id_known = true;
		tx->answered = true;
		if (tx->ending)
			st_queue_end(st, tx->peer_id, tx->x.id, &tx->retrans);
	}
	if (!tx->ending)
		st_tx_cts(st, tx, op, n);
	st_tx_pump(st);
}

/* ST table 10: whether a Block that the peer names, if it names one, was sent */
static bool st_tx_was_sent(const struct st_tx *tx, u32 b_num)
{
	return b_num == ST_B_NUM_NONE || b_num < tx->high || tx->high >= ST_B_NUM_NONE;
}

/* The peer has answered the question of st_tx_watch(), or an earlier one. */
static void st_tx_state(struct st_sock *st, struct st_tx *tx, const struct st_op *op)
{
	u64 n = st_b_num_from(tx->acked, op->offset);

	/* A Block that was not sent can't have arrived; one already acknowledged is old */
	if (op->offset != ST_B_NUM_NONE && n < tx->high)
		tx->acked = n + 1;
	if (tx->acked > tx->watch) {
		st_retrans_told(st, &tx->retrans, op->sync);
	} else if (tx->retrans.armed && (tx->flags & ST_SEND_SILENT)) {
		st_retrans_told(st, &tx->retrans, op->sync);
		/* The Request_State may have overtaken the Data */
		st_retrans_pause(st, &tx->retrans, st_op_timeout(st) / 16 + 1);
	} else if (tx->retrans.armed) {
		/* Not zero: it is unknown which try gets the final answer */
		tx->retrans.tries = min(tx->retrans.tries, 1U);
		tx->retrans.since = get_jiffies_64();
		st_retrans_wait(st, &tx->retrans);
	}
	if (tx->stream)
		st_stream_acked(st, tx);
	else if (tx->acked == tx->nblocks && list_empty(&tx->cts_list))
		st_tx_finish(st, tx, 0);
}

/**
 * st_tx_told - receive the state of a Transfer, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the Request_State_Response
 *
 * Context: softirq.
 */
void st_tx_told(struct st_sock *st, const struct st_op *op)
{
	struct st_tx *tx = st_tx_find(st, op->d_id);

	st_assert_locked(st);
	if (tx && op->s_id == ST_ID_NONE && !tx->ending) {
		/* ST 6.2.1: the peer does not know the Transfer */
		st_tx_finish(st, tx, -EREMOTEIO);
	} else if (tx && tx->peer_id_known && op->s_id != tx->peer_id) {
		st_log(st, ST_ERR_INVALID_D_ID);
	} else if (tx && (!st_tx_was_sent(tx, op->offset) || !st_tx_was_sent(tx, op->b_num))) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	} else if (tx && tx->tiled && !tx->ending) {
		st_tx_state(st, tx, op);
	}
}

/**
 * st_tx_end_rcvd - receive the End of a Transfer, ST 6.1.1.4
 * @st: the Virtual Connection
 * @tx: the Transfer; freed unless somebody waits for it
 *
 * Context: softirq.
 */
void st_tx_end_rcvd(struct st_sock *st, struct st_tx *tx)
{
	st_assert_locked(st);
	st_tx_finish(st, tx, -EREMOTEIO);
	st_tx_pump(st);
}

/**
 * st_tx_end_acked - receive the End_Ack of a Transfer, ST 6.1.1.4
 * @st: the Virtual Connection
 * @tx: the Transfer; freed unless somebody waits for it
 *
 * It acknowledges a record of no bytes, which is an unlimited Transfer without Data.
 *
 * Context: softirq.
 * Return: false when no End was sent; then nothing changes.
 */
bool st_tx_end_acked(struct st_sock *st, struct st_tx *tx)
{
	st_assert_locked(st);
	if (!tx->ending || !tx->peer_id_known)
		return false;
	st_retrans_answered(st, &tx->retrans);
	st_tx_finish(st, tx, tx->tiling.t_len || tx->cancelled ? -EREMOTEIO : 0);
	st_tx_pump(st);
	return true;
}

/**
 * st_tx_timeouts - handle Op_timeouts of Transfers that are sent, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: what follows for the Virtual Connection.
 */
enum st_verdict st_tx_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_tx *tx;

	st_assert_locked(st);
	list_for_each_entry(tx, &st->source.list, list) {
		switch (st_retrans_expired(st, &tx->retrans, now)) {
		case 1:
			st_retrans_again(st, &tx->retrans);
			break;
		case -ETIMEDOUT:
			return ST_V_TIMEOUT;
		}
	}
	if (list_empty(&st->source.list))
		return ST_V_GO_ON;
	if (sock_flag(&st->sk, SOCK_DEAD) && time_after_eq(now, st->timers.hold_until))
		return ST_V_CLOSE;
	/* A sender that waits for Clear_To_Sends must notice that the peer is gone */
	if (time_after_eq(now, st->timers.heard + ST_KEEPALIVE))
		st_queue_request_state(st);
	st_timer_at(st, now + ST_KEEPALIVE);
	st_tx_pump(st);
	return ST_V_GO_ON;
}

/**
 * st_tx_cancel - give up a record after a signal, a timeout or ST_END
 * @st: the Virtual Connection
 * @tx: the Transfer, without a waiter from now on
 *
 * Return: its memory, which the caller frees.
 */
struct st_buf *st_tx_cancel(struct st_sock *st, struct st_tx *tx)
{
	struct st_buf *buf = tx->buf;

	st_assert_locked(st);
	tx->waited = false;
	tx->buf = NULL;
	tx->ending = true;
	tx->cancelled = true;
	st_tx_drop_cts(st, tx);
	if (tx->stream)
		st_stream_over(st, tx);
	/* The peer decides how long the Transfer remains: charge its structure */
	st->source.queued += sizeof(*tx) - tx->charged;
	tx->charged = sizeof(*tx);
	if (!tx->asked)
		st_tx_finish(st, tx, -EREMOTEIO);
	else if (tx->peer_id_known)
		st_queue_end(st, tx->peer_id, tx->x.id, &tx->retrans);
	/* All of its room but for the structure is free now */
	st_tx_wake(&st->sk);
	return buf;
}

/**
 * st_tx_writable - whether poll() reports the socket as writable
 * @st: the Virtual Connection
 *
 * Context: under st->lock; any for an estimate.
 * Return: true when every record that SO_SNDBUF allows is accepted now.
 */
bool st_tx_writable(const struct st_sock *st)
{
	return READ_ONCE(st->source.queued) <= READ_ONCE(st->sk.sk_sndbuf) / 2;
}
EXPORT_SYMBOL_IF_KUNIT(st_tx_writable);

/**
 * st_tx_room - whether a copied record is accepted now
 * @st: the Virtual Connection
 * @len: bytes of the record
 *
 * Context: under st->lock; any for an estimate.
 * Return: true when at most 1.5 times SO_SNDBUF is queued with it.
 */
bool st_tx_room(const struct st_sock *st, size_t len)
{
	u64 queued = READ_ONCE(st->source.queued);

	return st_tx_writable(st) ||
	       queued + len + sizeof(struct st_tx) <= READ_ONCE(st->sk.sk_sndbuf);
}

/* log2 of the largest Block over all paths, where a Block of one STU is a rule of a medium, A.5 */
static u8 st_stu_max_block(struct st_sock *st, unsigned int channel)
{
	struct st_path *path;
	u8 max = ST_BLOCK_MAX;
	u8 stu;

	for (path = &st->paths.first; path; path = st_path_next(path)) {
		if (!path->link || !st_link_has(path->link, ST_BLOCK_IS_STU))
			continue;
		stu = st_tx_max_stu(path, channel);
		if (stu)
			max = min(max, stu);
	}
	return max;
}

/**
 * st_tx_start - queue a record
 * @st: the Virtual Connection
 * @tx: the Transfer, owned by the list on success
 * @len: bytes of the record
 *
 * Return: 0, -EPIPE, -EAGAIN when SO_SNDBUF is full and the Transfer has no waiter, -ENOMEM,
 * -EINVAL when the link has no such Data Channel, or an error of st_read_answer().
 */
int st_tx_start(struct st_sock *st, struct st_tx *tx, size_t len)
{
	bool copied = !tx->buf || !tx->buf->pinned;
	int err;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	if (!tx->waited && copied && !st_tx_room(st, len))
		return -EAGAIN;
	if (tx->answers) {
		err = st_read_answer(st, tx);
		if (err)
			return err;
	}
	if (!st_link_max_stu(st->paths.main->link, tx->channel))
		return -EINVAL;
	tx->x.id = st_new_id(st);
	list_add_tail(&tx->list, &st->source.list);
	if (st_short_send(st, tx)) {
		st->shorts.tx = tx;
	} else {
		err = st_xfer_list(st, &tx->x);
		if (err) {
			list_del(&tx->list);
			return err;
		}
	}
	if (tx->answers)
		st_read_answering(st, tx);
	tx->max_block = min(tx->max_block,
			    st_max_block(st->vc.remote_bufsize,
					 st_tx_max_stu(st->paths.main, tx->channel)));
	if (tx->stream)
		tx->max_block = min(tx->max_block, st_stream_max_block(st));
	tx->max_block = min(tx->max_block, st_stu_max_block(st, tx->channel));
	if (!tx->waited) {
		tx->charged = (copied ? len : 0) + sizeof(*tx);
		st->source.queued += tx->charged;
	}
	st_tx_pump(st);
	st_timer_at(st, jiffies + ST_KEEPALIVE);
	return 0;
}
