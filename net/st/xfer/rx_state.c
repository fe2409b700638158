// SPDX-License-Identifier: GPL-2.0
/*
 * Received Transfers: Request_State and End from the data Source, timeouts, and the end of
 * the connection.
 */
#include "conn/conn.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

/* The Block that a B_num names: of the Blocks with that number the one nearest to @rx->next. */
static u64 st_rx_block_of(const struct st_rx *rx, u32 b_num)
{
	return rx->next + (s32)(b_num - st_b_num(rx->next));
}

/* Whether Block @n is complete. */
static bool st_rx_has_block(const struct st_rx *rx, u64 n)
{
	return n < rx->next ||
	       (n < rx->next + 64 && (rx->done_map & BIT_ULL(n - rx->next)));
}

static bool st_done_has_block(const struct st_done *done, u32 b_num)
{
	return done->b_seq != ST_B_NUM_NONE && b_num <= done->b_seq;
}

/*
 * The Source of a Transfer of unlimited size has sent all of Block @n.  What is missing of it,
 * or of the Blocks before it, is lost.
 */
static void st_rx_missed(struct st_sock *st, struct st_rx *rx, u64 n)
{
	unsigned long missed = 0;
	struct st_path *path;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS && !rx->ended; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		if (!blk || blk->rx != rx || blk->n > n)
			continue;
		missed |= BIT(blk->path->index);
		st_block_retry(st, blk, false);
	}
	for (path = &st->paths.first; path; path = st_path_next(path))
		if (missed & BIT(path->index))
			st_path_missed(path);
}

/**
 * st_rcv_request_state - receive a Request_State, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_request_state(struct st_sock *st, const struct st_op *op)
{
	const struct st_done *done;
	u32 b_num = op->b_num;
	struct st_rx *rx;

	st_assert_locked(st);
	if (op->d_id == ST_ID_NONE) {
		st_queue_request_state_response(st, op, ST_ID_NONE, 0, 0, 0);
		return;
	}
	rx = st_rx_find(st, op->d_id);
	if (rx) {
		u64 n = st_rx_block_of(rx, b_num);

		if (b_num != ST_B_NUM_NONE) {
			if (n >= rx->high) {
				st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
				return;
			}
			if (!rx->tiling.t_len)
				st_rx_missed(st, rx, n);
			if (!st_rx_has_block(rx, n))
				b_num = ST_B_NUM_NONE;
		}
		st_queue_request_state_response(st, op, rx->peer_id, rx->x.id, st_rx_b_seq(rx),
						b_num);
		return;
	}
	done = st_rx_done(st, op->s_id, op->d_id);
	if (done) {
		if (!st_done_has_block(done, b_num))
			b_num = ST_B_NUM_NONE;
		st_queue_request_state_response(st, op, op->s_id, op->d_id, done->b_seq, b_num);
		return;
	}
	/* ST 6.2.1 */
	st_queue_request_state_response(st, op, op->s_id, ST_ID_NONE, ST_B_NUM_NONE,
					ST_B_NUM_NONE);
}

/* Look up a finished Transfer by our sequence identifier. */
static const struct st_done *st_rx_done_as(const struct st_sock *st, u32 id)
{
	unsigned int i, n;

	if (!st->dest.sink || id == ST_ID_NONE)
		return NULL;
	n = min_t(unsigned int, st->dest.sink->done_count, ST_DONE_IDS);
	for (i = 0; i < n; i++)
		if (st->dest.sink->done[i].id == id)
			return &st->dest.sink->done[i];
	return NULL;
}

/**
 * st_rx_data_again - receive Data with Send_State for a Block that is not exposed
 * @st: the Virtual Connection
 * @op: the Data operation
 *
 * If the Block is complete, the answer to its last STU was lost and the Source repeats that
 * STU (ST table 9).  It is answered again; its payload is ignored.
 *
 * Context: softirq.
 */
void st_rx_data_again(struct st_sock *st, const struct st_op *op)
{
	const struct st_rx *rx = st_rx_find(st, op->d_id);
	const struct st_done *done;

	st_assert_locked(st);
	if (op->b_num == ST_B_NUM_NONE)
		return;
	if (rx) {
		u64 n = st_rx_block_of(rx, op->b_num);

		if (n < rx->high && st_rx_has_block(rx, n))
			st_queue_request_state_response(st, op, rx->peer_id, rx->x.id,
							st_rx_b_seq(rx), op->b_num);
		return;
	}
	done = st_rx_done_as(st, op->d_id);
	if (done && st_done_has_block(done, op->b_num))
		st_queue_request_state_response(st, op, done->peer_id, done->id, done->b_seq,
						op->b_num);
}

/* Whether any Block of the Transfer is incomplete. */
static bool st_rx_in_block(const struct st_sock *st, const struct st_rx *rx)
{
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++) {
		const struct st_block *blk = st->dest.sink->blocks[i];

		if (blk && blk->rx == rx && st_block_begun(blk))
			return true;
	}
	return false;
}

/**
 * st_rx_end_rcvd - receive an End from the data Source, ST 6.1.1.4
 * @st: the Virtual Connection
 * @rx: the Transfer
 *
 * An End completes a Transfer of unlimited size, unless in the middle of a Block.  It breaks
 * any other.
 *
 * Context: softirq.
 */
void st_rx_end_rcvd(struct st_sock *st, struct st_rx *rx)
{
	st_assert_locked(st);
	if (rx->ended)
		return;
	if (rx->asking) {
		st_read_ended(st, rx);
		return;
	}
	if (rx->tiling.t_len || st_rx_in_block(st, rx)) {
		st_rx_break(st, rx, EREMOTEIO);
		xa_erase(&st->ids.xa, rx->x.id);
	} else {
		st_rx_complete(st, rx);
		st_rx_wake(st, rx);
	}
	st_rx_clear_all(st);
}

/**
 * st_rx_end_acked - receive an End_Ack from the data Source
 * @st: the Virtual Connection
 * @rx: the Transfer
 *
 * Context: softirq.
 * Return: false when no End was sent; then nothing changes.
 */
bool st_rx_end_acked(struct st_sock *st, struct st_rx *rx)
{
	st_assert_locked(st);
	/* A Request_To_Receive is repeated by the same member */
	if (!rx->retrans.armed || rx->retrans.op.op != ST_OP_END)
		return false;
	st_retrans_answered(st, &rx->retrans);
	if (rx->read)
		st_rx_free(st, rx);
	else
		xa_erase(&st->ids.xa, rx->x.id);
	return true;
}

/**
 * st_rx_timeouts - handle Op_timeouts of received Transfers, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: what follows for the Virtual Connection.
 */
enum st_verdict st_rx_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_rx *rx, *next;

	st_assert_locked(st);
	list_for_each_entry(rx, &st->dest.list, list) {
		if (!st_retrans_repeat(st, &rx->retrans, now))
			return ST_V_TIMEOUT;
	}
	list_for_each_entry_safe(rx, next, &st->dest.ending, list) {
		if (!st_retrans_repeat(st, &rx->retrans, now))
			return ST_V_TIMEOUT;
	}
	if (st->dest.sink)
		st_blocks_timeouts(st, now);
	st_rx_clear_all(st);
	return ST_V_GO_ON;
}

/**
 * st_rx_break_all - break all Transfers at the end of the Virtual Connection
 * @st: the Virtual Connection
 * @err: positive errno for the readers of incomplete records
 */
void st_rx_break_all(struct st_sock *st, int err)
{
	struct st_rx *rx, *next;

	st_assert_locked(st);
	st_read_break_all(st, err);
	st_rx_drop_held(st);
	list_for_each_entry(rx, &st->dest.list, list) {
		st_retrans_stop(&rx->retrans);
		st_rx_break(st, rx, err);
	}
	list_for_each_entry_safe(rx, next, &st->dest.ending, list)
		st_rx_free(st, rx);
}

/**
 * st_rx_purge - free all Transfers, read or not, and what is remembered of earlier ones
 * @st: the socket; its Virtual Connection is over
 *
 * Context: any.
 */
void st_rx_purge(struct st_sock *st)
{
	struct st_rx *rx, *next;

	st_read_break_all(st, ECONNRESET);
	st_rx_drop_held(st);
	list_splice_tail_init(&st->dest.ending, &st->dest.list);
	list_for_each_entry_safe(rx, next, &st->dest.list, list)
		st_rx_free(st, rx);
	st_read_purge(st);
	st_sink_free(st);
}
