// SPDX-License-Identifier: GPL-2.0
/*
 * Request_State for the application: what the peer has free, and what has arrived
 * there, ST 6.1.1.
 */
#include "conn/conn.h"
#include "xfer/read.h"

/**
 * struct st_question - a Request_State that an application waits for the answer of
 * @list: in st_sock.questions
 * @retrans: the operation
 * @sent: when it was sent last
 * @state: the answer
 * @err: negative errno, valid after @done
 * @done: there is an answer, or there will be none
 */
struct st_question {
	struct list_head	list;
	struct st_retrans	retrans;
	ktime_t			sent;
	struct st_peer_state	state;
	int			err;
	struct completion	done;
};

/* Each has a Sync of its own, so that its answer is known by it, ST 6.2.9. */
static void st_state_send(struct st_sock *st, struct st_question *q)
{
	if (st->slots.remote == ST_SLOTS_NONE)
		st->slots.ops++;
	else
		st_slot_take(st, true);
	q->retrans.op.sync = st->slots.ops;
	q->sent = ktime_get();
	st_queue_op(st, &q->retrans.op);
}

static void st_state_done(struct st_question *q, int err)
{
	st_retrans_stop(&q->retrans);
	list_del_init(&q->list);
	q->err = err;
	complete(&q->done);
}

/* The Transfer that is asked about: an id, or the oldest that the peer knows. */
static const struct st_tx *st_state_tx(const struct st_sock *st, u32 id)
{
	const struct st_tx *tx;

	list_for_each_entry(tx, &st->source.list, list)
		if (tx->peer_id_known && (!id || tx->x.id == id))
			return tx;
	return NULL;
}

static int st_state_ask(struct st_sock *st, struct st_question *q)
{
	const struct st_tx *tx;
	struct st_op op;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED)
		return -ENOTCONN;
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.d_id = ST_ID_NONE;
	if (q->state.what != ST_STATE_SLOTS) {
		tx = st_state_tx(st, q->state.id);
		if (!tx)
			return -ENOENT;
		q->state.id = tx->x.id;
		op.d_id = tx->peer_id;
		op.s_id = tx->x.id;
		op.b_num = q->state.what == ST_STATE_BLOCK ? q->state.block : ST_B_NUM_NONE;
	}
	/* A peer in good health discards some questions, ST 10.7.4 */
	q->retrans.brief = true;
	list_add_tail(&q->list, &st->questions);
	st_retrans_start(st, &q->retrans, &op);
	st_state_send(st, q);
	return 0;
}

/**
 * st_state_get - ask the peer for its state, SIOCSTSTATE
 * @st: the Virtual Connection
 * @state: the question, with nothing in it trusted; becomes the answer
 *
 * Context: process, may sleep; not under lock_sock().
 * Return: 0, -EINVAL, -ENOTCONN, -ENOENT when there is no such Transfer, -EREMOTEIO
 * without an answer, -EINTR for a process that is killed, or why the connection ended.
 */
int st_state_get(struct st_sock *st, struct st_peer_state *state)
{
	struct st_question q = { .state = *state };
	int err;

	if (state->what > ST_STATE_BLOCK || (state->what == ST_STATE_SLOTS && state->id) ||
	    (state->what == ST_STATE_BLOCK ? state->block == ST_B_NUM_NONE : !!state->block) ||
	    state->slots || state->known || state->b_seq || state->rtt)
		return -EINVAL;
	init_completion(&q.done);
	spin_lock_bh(&st->lock);
	err = st_state_ask(st, &q);
	st_unlock(st);
	if (err)
		return err;
	/* A round trip: signals that come more often would have it asked for ever */
	if (st_wait_killable(&q.done, MAX_SCHEDULE_TIMEOUT) < 0) {
		spin_lock_bh(&st->lock);
		if (!completion_done(&q.done))
			st_state_done(&q, -EINTR);
		spin_unlock_bh(&st->lock);
	}
	*state = q.state;
	return q.err;
}

/**
 * st_state_answered - a Request_State_Response came in
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_state_answered(struct st_sock *st, const struct st_op *op)
{
	struct st_question *q;

	st_assert_locked(st);
	list_for_each_entry(q, &st->questions, list) {
		bool slots = q->state.what == ST_STATE_SLOTS;

		if (op->sync != q->retrans.op.sync ||
		    op->d_id != (slots ? ST_ID_NONE : q->state.id))
			continue;
		q->state.rtt = ktime_to_ns(ktime_sub(ktime_get(), q->sent));
		q->state.slots = op->param;
		q->state.known = slots || op->s_id != ST_ID_NONE;
		q->state.b_seq = op->offset;
		q->state.block = op->b_num;
		st_state_done(q, 0);
		return;
	}
}

/**
 * st_state_timeouts - Op_timeouts of questions, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: in st_timer().
 */
void st_state_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_question *q, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(q, next, &st->questions, list) {
		switch (st_retrans_expired(st, &q->retrans, now)) {
		case 1:
			st_state_send(st, q);
			break;
		case -ETIMEDOUT:
			st_state_done(q, -EREMOTEIO);
			break;
		}
	}
}

/**
 * st_state_break_all - there will be no more answers
 * @st: the Virtual Connection, which is over
 * @err: positive errno
 */
void st_state_break_all(struct st_sock *st, int err)
{
	struct st_question *q, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(q, next, &st->questions, list)
		st_state_done(q, -err);
}
