// SPDX-License-Identifier: GPL-2.0
/*
 * State queries of the application: free Slots of the peer, and what has arrived there,
 * ST 6.1.1.
 */
#include "conn/conn.h"
#include "xfer/read.h"

/**
 * struct st_question - a Request_State whose answer an application waits for
 * @list: in st_sock.questions
 * @retrans: repeats the operation
 * @sent: when it was last sent
 * @state: the answer
 * @err: negative errno, valid after @done
 * @done: completed with the answer, or when there will be none
 */
struct st_question {
	struct list_head	list;
	struct st_retrans	retrans;
	ktime_t			sent;
	struct st_peer_state	state;
	int			err;
	struct completion	done;
};

/* Each try has a Sync of its own, by which its answer is recognized, ST 6.2.9. */
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

/* The Transfer asked about: by id, or the oldest that the peer knows. */
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
	/* A peer may discard some questions and still be alive, ST 10.7.4 */
	q->retrans.brief = true;
	list_add_tail(&q->list, &st->questions);
	st_retrans_start(st, &q->retrans, &op);
	st_state_send(st, q);
	return 0;
}

/**
 * st_state_get - query the state of the peer, SIOCSTSTATE
 * @st: the Virtual Connection
 * @state: the question, not validated; set to the answer
 *
 * Context: process, may sleep; not under lock_sock().
 * Return: 0, -EINVAL, -ENOTCONN, -ENOENT when there is no such Transfer, -EREMOTEIO
 * without an answer, -EINTR after a fatal signal, or why the connection ended.
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
	/* Takes a round trip: frequent signals would restart the question for ever */
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
 * st_state_answered - receive a Request_State_Response
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
 * st_state_timeouts - handle Op_timeouts of state queries, ST 10.1
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
 * st_state_break_all - fail all state queries
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
