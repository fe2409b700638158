// SPDX-License-Identifier: GPL-2.0
/*
 * Request_To_Send at the data Destination: what the peer wants to send, ST 6.1.2.
 */
#include "conn/conn.h"
#include "link/link.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

/*
 * The Source has not seen our answer.  Send again the Clear_To_Sends, where nobody else misses
 * them, see st_stream_starved(), or else the Request_Answer that makes it wait.
 */
static void st_rx_answer_again(struct st_sock *st, const struct st_rx *rx)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS && !rx->tiling.t_len; i++) {
		const struct st_block *blk = st->dest.sink->blocks[i];

		if (!blk || blk->rx != rx || st_block_begun(blk) || !st_slot_take(st, false))
			continue;
		st_block_clear(st, blk);
		st_path_missed(blk->path);
		any = true;
	}
	if (!any)
		st_queue_request_answer(st, rx->peer_id, 0, 0);
}

/* Answer a repeated Request_To_Send, ST 10.3.  Return: false for a new one. */
static bool st_rx_known(struct st_sock *st, u32 peer_id)
{
	const struct st_done *done;
	struct st_rx *rx;

	list_for_each_entry(rx, &st->dest.held, list) {
		if (rx->peer_id == peer_id) {
			st_queue_request_answer(st, peer_id, 0, 0);
			return true;
		}
	}
	list_for_each_entry(rx, &st->dest.list, list) {
		/* A Read may have failed before the peer gave it an id */
		if (rx->max_block && rx->peer_id == peer_id) {
			if (!rx->ended)
				st_rx_answer_again(st, rx);
			return true;
		}
	}
	done = st_rx_done(st, peer_id, ST_ID_NONE);
	if (done && done->id == ST_ID_NONE)
		st_queue_request_answer(st, peer_id, 0, ST_F_REJECT);
	return done;
}

/* Reject a Request_To_Send, now and whenever it is repeated. */
static void st_rx_refuse(struct st_sock *st, u32 peer_id)
{
	if (st_sink_get(st)) {
		const struct st_done done = { .peer_id = peer_id, .id = ST_ID_NONE };

		st_sink_over(st, &done);
	}
	st_queue_request_answer(st, peer_id, 0, ST_F_REJECT);
}

/* ST 10.7.3, 6.2.5, 6.2.1; after shutdown() nobody would read it */
static bool st_rx_acceptable(const struct st_sock *st, const struct st_op *op)
{
	const u8 channel = op->flags & ST_F_CHANNEL;

	return channel && st_link_max_stu(st->paths.main->link, channel) &&
	       op->b_id >= ST_BLOCK_MIN && op->b_id <= ST_BLOCK_MAX &&
	       st_op_t_len(op) <= ST_MAX_T_LEN && op->s_id != ST_ID_NONE &&
	       !(st->sk.sk_shutdown & RCV_SHUTDOWN);
}

/* Begin an announced Transfer; @rx is on no list. */
static void st_rx_begin(struct st_sock *st, struct st_rx *rx, const struct st_op *op)
{
	rx->peer_id = op->s_id;
	rx->channel = op->flags & ST_F_CHANNEL;
	rx->max_block = op->b_id;
	rx->cts_req = op->param;
	if (!rx->reads && st->opts.writes == ST_WRITES_HOLD) {
		list_add_tail(&rx->list, &st->dest.held);
		st_queue_request_answer(st, rx->peer_id, 0, 0);
		return;
	}
	list_add_tail(&rx->list, &st->dest.list);
	st_rx_clear_all(st);
	if (!rx->out_map)
		st_queue_request_answer(st, rx->peer_id, 0, 0);
	/* A waiting recvmsg() may want the record in its own pages */
	if (st->dest.asked && list_is_first(&rx->list, &st->dest.list))
		st_rx_wake(st, rx);
}

/* Queue the event for a record that waits for the application's decision. */
static int st_rx_tell(struct st_sock *st, const struct st_op *op)
{
	const struct st_event event = {
		.type = ST_EVENT_WRITE_REQUEST,
		.id = op->s_id,
		.len = st_op_t_len(op),
		.value = op->flags & ST_F_CHANNEL,
	};

	if (st->opts.writes != ST_WRITES_HOLD || !(READ_ONCE(st->opts.serve) & ST_SERVE_WRITES))
		return 0;
	return st_event_queue(st, &event);
}

/* Allocate a Write of the peer.  Return: its Transfer, on no list, or NULL. */
static struct st_rx *st_rx_new(struct st_sock *st, const struct st_op *op)
{
	struct st_rx *rx;

	if (!st_rx_slots(st)) {
		st_log(st, ST_ERR_SLOTS_EXCEEDED);
		return NULL;
	}
	/* Without memory the Source repeats the request after its Op_timeout */
	rx = st_rx_alloc(st);
	if (!rx)
		return NULL;
	if (!st_sink_get(st))
		goto release;
	if (st_xfer_id(st, &rx->x)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
		goto release;
	}
	/* Last, as it cannot be undone: the application may answer at once */
	if (st_rx_tell(st, op)) {
		xa_erase(&st->ids.xa, rx->x.id);
		goto release;
	}
	rx->tiling.t_len = st_op_t_len(op);
	st->dest.count++;
	return rx;
release:
	st_rx_release(st, rx);
	return NULL;
}

/**
 * st_rcv_request_to_send - receive a Request_To_Send, ST 6.1.2, 6.1.3
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_request_to_send(struct st_sock *st, const struct st_op *op)
{
	bool good = st_rx_acceptable(st, op) &&
		    (op->d_id || st->opts.writes != ST_WRITES_REFUSE);
	struct st_rx *rx = NULL;

	st_assert_locked(st);
	if (st_rx_known(st, op->s_id))
		return;
	if (op->d_id) {
		/* An announcement that is not acceptable fails our Read */
		rx = st_read_announced(st, op, good);
		good = rx;
	} else if (good) {
		rx = st_rx_new(st, op);
	}
	if (rx)
		st_rx_begin(st, rx, op);
	else if (!good)
		st_rx_refuse(st, op->s_id);
}

/* Accept a held record; @rx is on no list. */
static void st_rx_take(struct st_sock *st, struct st_rx *rx)
{
	list_add_tail(&rx->list, &st->dest.list);
	st_rx_clear_all(st);
	/* Its sender may have ended it while it was held */
	if (rx->ended || (st->dest.asked && list_is_first(&rx->list, &st->dest.list)))
		st_rx_wake(st, rx);
}

static void st_rx_drop(struct st_sock *st, struct st_rx *rx)
{
	u32 peer_id = rx->peer_id;

	st_rx_free(st, rx);
	st_rx_refuse(st, peer_id);
}

/**
 * st_rx_drop_held - free all held records
 * @st: the Virtual Connection, which is over
 */
void st_rx_drop_held(struct st_sock *st)
{
	struct st_rx *rx, *next;

	st_assert_owned(st);
	list_for_each_entry_safe(rx, next, &st->dest.held, list)
		st_rx_free(st, rx);
}

/**
 * st_writes_set - set ST_WRITES
 * @st: the socket
 * @val: ST_WRITES_TAKE, ST_WRITES_HOLD or ST_WRITES_REFUSE, not validated
 *
 * Context: process.
 * Return: 0, or -EINVAL for any other @val.
 */
int st_writes_set(struct st_sock *st, int val)
{
	struct st_rx *rx, *next;

	if (val != ST_WRITES_TAKE && val != ST_WRITES_HOLD && val != ST_WRITES_REFUSE)
		return -EINVAL;
	spin_lock_bh(&st->lock);
	st->opts.writes = val;
	list_for_each_entry_safe(rx, next, &st->dest.held, list) {
		if (val == ST_WRITES_TAKE) {
			list_del(&rx->list);
			st_rx_take(st, rx);
		} else if (val == ST_WRITES_REFUSE) {
			st_rx_drop(st, rx);
		}
	}
	st_unlock(st);
	return 0;
}

/**
 * st_write_answer - accept or refuse a held record, ST_WRITE_ANSWER
 * @st: the Virtual Connection
 * @answer: the record and the decision
 *
 * Context: process.
 * Return: 0, or -ENOENT when there is no such record.
 */
int st_write_answer(struct st_sock *st, const struct st_write_answer *answer)
{
	struct st_rx *rx;
	int err = -ENOENT;

	spin_lock_bh(&st->lock);
	list_for_each_entry(rx, &st->dest.held, list) {
		if (rx->peer_id != answer->id)
			continue;
		if (answer->flags & ST_WRITE_REFUSE) {
			st_rx_drop(st, rx);
		} else {
			list_del(&rx->list);
			st_rx_take(st, rx);
		}
		err = 0;
		break;
	}
	st_unlock(st);
	return err;
}
