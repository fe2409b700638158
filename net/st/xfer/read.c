// SPDX-License-Identifier: GPL-2.0
/*
 * Read sequences, ST 6.1.3: an application asks the peer for a Transfer, and the application at
 * the peer answers with the bytes.
 *
 * From the Request_To_Send that answers it on, a Read is a Transfer like a Write: struct st_rx at
 * the end that asked, struct st_tx at the end that answers.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "link/link.h"
#include "xfer/read.h"
#include "xfer/rx_block.h"

/* Answered Reads that are remembered, to recognize a duplicate, ST 10.3 */
#define ST_READS_OVER	64

static_assert(ST_READS_OVER >= 2 * ST_READS);

/**
 * struct st_served - a Read of the peer that the application has not answered yet
 * @list: in st_reads.served, in the order of arrival
 * @id: the peer's I-id
 * @channel: the requested Data Channel
 * @t_len: requested bytes; 0: unlimited
 */
struct st_served {
	struct list_head	list;
	u32			id;
	u8			channel;
	u64			t_len;
};

/**
 * struct st_reads - additional state of a Virtual Connection with Reads
 * @asked: struct st_rx, Reads of ours whose bytes the peer has not announced yet
 * @served: struct st_served
 * @over: answered Reads of the peer: I-id, and whether the answer was a Reject
 * @nr_over: how many there were; the next goes to @nr_over modulo %ST_READS_OVER
 */
struct st_reads {
	struct list_head	asked;
	struct list_head	served;
	struct {
		u32		id;
		bool		refused;
	} over[ST_READS_OVER];
	unsigned int		nr_over;
};

static struct st_reads *st_reads_get(struct st_sock *st)
{
	struct st_reads *reads = st->dest.reads;

	if (reads)
		return reads;
	reads = st_peer_alloc(st, sizeof(*reads));
	if (reads) {
		INIT_LIST_HEAD(&reads->asked);
		INIT_LIST_HEAD(&reads->served);
		st->dest.reads = reads;
	}
	return reads;
}

/* Send the Request_To_Receives that the peer has Slots for. */
static void st_read_ask(struct st_sock *st)
{
	struct st_rx *rx;
	struct st_op op;

	list_for_each_entry(rx, &st->dest.reads->asked, list) {
		if (rx->asked)
			continue;
		if (!st_slot_keep(st, ST_KEEP_READ))
			break;
		st_op_init(st, &op, ST_OP_REQUEST_TO_RECEIVE, rx->channel);
		if (rx->interrupt)
			op.flags |= ST_F_INTERRUPT;
		op.s_id = rx->x.id;
		st_op_set_t_len(&op, rx->tiling.t_len);
		rx->asked = true;
		st->slots.taken.asking_reads++;
		st_retrans_start(st, &rx->retrans, &op);
		st_queue_op(st, &op);
	}
}

/**
 * st_read_pump - send Request_To_Receives that have waited for a Slot
 * @st: the Virtual Connection
 */
void st_read_pump(struct st_sock *st)
{
	st_assert_locked(st);
	if (st->dest.reads && st->sk.sk_state == ST_ESTABLISHED)
		st_read_ask(st);
}

/*
 * Limit of Reads without an answer.  They take up to half of our Slots, so that both ends can have
 * as many under way, and one Slot is left in reserve, ST 5.2.5.
 */
static bool st_read_may_open(const struct st_sock *st)
{
	return st->slots.taken.reads < clamp(st->slots.local / 2 - 1, 1, ST_READS);
}

/**
 * st_read_room - whether another Read may be asked for
 * @st: the Virtual Connection
 *
 * Context: process.
 * Return: false when the limit of Reads is under way.
 */
bool st_read_room(struct st_sock *st)
{
	bool room;

	spin_lock_bh(&st->lock);
	room = st_read_may_open(st);
	spin_unlock_bh(&st->lock);
	return room;
}

static int st_read_start(struct st_sock *st, struct st_rx *rx)
{
	int err;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED || st->sk.sk_shutdown)
		return -EPIPE;
	if (!st_link_max_stu(st->paths.main->link, rx->channel))
		return -EINVAL;
	if (!st_reads_get(st) || !st_sink_get(st))
		return -ENOMEM;
	if (!st_read_may_open(st))
		return -EAGAIN;
	err = st_xfer_id(st, &rx->x);
	if (err)
		return err;
	rx->reads = true;
	rx->asking = true;
	st->slots.taken.reads++;
	st->dest.count++;
	list_add_tail(&rx->list, &st->dest.reads->asked);
	st_read_ask(st);
	st_timer_at(st, jiffies + ST_KEEPALIVE);
	return 0;
}

/**
 * st_read_post - ask the peer for a Transfer, ST_READ
 * @st: the Virtual Connection
 * @read: the parameters of the application, not validated
 *
 * The bytes arrive as a record, see st_read_announced().
 *
 * Context: process.
 * Return: 0, -EINVAL, -EPIPE, -ENOMEM, or -EAGAIN when the limit of Reads is under way:
 * %ST_READS, or half of our Slots less one.
 */
int st_read_post(struct st_sock *st, const struct st_read *read)
{
	struct st_rx *rx;
	int err;

	if (read->len > ST_MAX_T_LEN || read->channel >= ST_NUM_CHANNELS ||
	    (read->flags & ~ST_READ_INTERRUPT))
		return -EINVAL;
	rx = kzalloc(sizeof(*rx), GFP_KERNEL_ACCOUNT);
	if (!rx)
		return -ENOMEM;
	INIT_LIST_HEAD(&rx->chunks);
	rx->tiling.t_len = read->len;
	rx->channel = read->channel ?: ST_DATA_CHANNEL;
	rx->interrupt = read->flags & ST_READ_INTERRUPT;
	rx->token = read->token;

	spin_lock_bh(&st->lock);
	err = st_read_start(st, rx);
	st_unlock(st);
	if (err)
		kfree(rx);
	return err;
}

/* Take a Read from st_reads.asked. */
static void st_read_unasked(struct st_sock *st, struct st_rx *rx)
{
	list_del(&rx->list);
	rx->asking = false;
	if (rx->asked)
		st->slots.taken.asking_reads--;
}

/* Finish a Read whose bytes the peer has not announced. */
static void st_read_fail(struct st_sock *st, struct st_rx *rx, int err, u32 flags)
{
	st_retrans_stop(&rx->retrans);
	st_read_unasked(st, rx);
	list_add_tail(&rx->list, &st->dest.list);
	xa_erase(&st->ids.xa, rx->x.id);
	rx->ended = true;
	rx->err = err;
	st_read_failed(st, rx, flags);
	st_rx_wake(st, rx);
}

/**
 * st_read_ended - receive an End for a Read that is not announced yet, ST 6.1.1.4
 * @st: the Virtual Connection
 * @rx: the Read, in st_reads.asked
 *
 * Context: softirq.
 */
void st_read_ended(struct st_sock *st, struct st_rx *rx)
{
	st_assert_locked(st);
	st_read_fail(st, rx, EREMOTEIO, 0);
}

/**
 * st_read_end - cancel a Read for the application
 * @st: the Virtual Connection
 * @token: the application's token of the Read
 *
 * If the peer has not announced the bytes yet, its announcement will be refused.
 *
 * Return: 0, or -ENOENT when there is no such Read or it is over.
 */
int st_read_end(struct st_sock *st, u64 token)
{
	struct st_rx *rx;

	st_assert_locked(st);
	if (!st->dest.reads)
		return -ENOENT;
	list_for_each_entry(rx, &st->dest.reads->asked, list) {
		if (rx->token == token) {
			st_read_fail(st, rx, ECANCELED, 0);
			return 0;
		}
	}
	list_for_each_entry(rx, &st->dest.list, list) {
		if (rx->reads && rx->token == token && !rx->ended) {
			st_rx_abort(st, rx, ECANCELED);
			st_rx_clear_all(st);
			return 0;
		}
	}
	return -ENOENT;
}

/**
 * st_read_answered - receive a Request_Answer that may belong to a Request_To_Receive
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it does not belong to a Read of ours.
 */
bool st_read_answered(struct st_sock *st, const struct st_op *op)
{
	struct st_rx *rx = st_rx_find(st, op->d_id);

	st_assert_locked(st);
	if (!rx)
		return false;
	if (!rx->asking)
		return true;
	if (op->flags & ST_F_REJECT) {
		st_retrans_answered(st, &rx->retrans);
		st_read_fail(st, rx, EREMOTEIO, ST_READ_REFUSED);
	} else {
		st_retrans_pause(st, &rx->retrans, ST_KEEPALIVE);
	}
	return true;
}

/**
 * st_read_announced - receive a Request_To_Send that answers a Read
 * @st: the Virtual Connection
 * @op: the operation, which echoes our I-id
 * @good: its parameters are acceptable
 *
 * Context: softirq.
 * Return: the Read, taken from st_reads.asked; NULL when none matches.
 */
struct st_rx *st_read_announced(struct st_sock *st, const struct st_op *op, bool good)
{
	struct st_rx *rx = st_rx_find(st, op->d_id);

	st_assert_locked(st);
	if (!rx || !rx->asking) {
		st_log(st, ST_ERR_INVALID_D_ID);
		return NULL;
	}
	if (!good || st_op_t_len(op) != rx->tiling.t_len) {
		st_read_fail(st, rx, EPROTO, 0);
		return NULL;
	}
	st_retrans_answered(st, &rx->retrans);
	st_read_unasked(st, rx);
	return rx;
}

static struct st_served *st_served_find(const struct st_sock *st, u32 id)
{
	struct st_served *s;

	if (st->dest.reads)
		list_for_each_entry(s, &st->dest.reads->served, list)
			if (s->id == id)
				return s;
	return NULL;
}

static void st_served_free(struct st_sock *st, struct st_served *s)
{
	list_del(&s->list);
	st->slots.taken.served--;
	st_peer_free(st, s, sizeof(*s));
}

/* A Read of the peer is answered: from now on its Request_To_Receive is a duplicate. */
static void st_read_over(struct st_sock *st, u32 id, bool refused)
{
	struct st_reads *reads = st->dest.reads;
	unsigned int i = reads->nr_over++ % ST_READS_OVER;

	reads->over[i].id = id;
	reads->over[i].refused = refused;
	if (refused && st->sk.sk_shutdown != SHUTDOWN_MASK)
		st_queue_request_answer(st, id, 0, ST_F_REJECT);
}

/* Answer a repeated Request_To_Receive, ST 10.3.  Return: false for a new one. */
static bool st_read_again(struct st_sock *st, u32 id)
{
	const struct st_reads *reads = st->dest.reads;
	const struct st_tx *tx;
	unsigned int i, n;

	if (!reads)
		return false;
	if (st_served_find(st, id)) {
		st_queue_request_answer(st, id, 0, 0);
		return true;
	}
	list_for_each_entry(tx, &st->source.list, list) {
		if (!tx->answers || tx->peer_id != id)
			continue;
		if (!tx->asked)
			st_queue_request_answer(st, id, 0, 0);
		else if (!tx->peer_id_known && st_slot_take(st, false))
			st_queue_op(st, &tx->retrans.op);	/* the Request_To_Send */
		return true;
	}
	n = min_t(unsigned int, reads->nr_over, ST_READS_OVER);
	for (i = 0; i < n; i++) {
		if (reads->over[i].id != id)
			continue;
		if (reads->over[i].refused)
			st_queue_request_answer(st, id, 0, ST_F_REJECT);
		return true;
	}
	return false;
}

/**
 * st_rcv_request_to_receive - receive a Request_To_Receive, ST 6.1.3
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Queues an event for the application.  Until the application answers, the Read is paused.
 *
 * Context: softirq.
 */
void st_rcv_request_to_receive(struct st_sock *st, const struct st_op *op)
{
	const u8 channel = op->flags & ST_F_CHANNEL;
	const struct st_event event = {
		.type = ST_EVENT_READ_REQUEST,
		.id = op->s_id,
		.flags = op->flags & ST_F_INTERRUPT ? ST_READ_INTERRUPT : 0,
		.len = st_op_t_len(op),
		.value = channel,
	};
	struct st_served *s;

	st_assert_locked(st);
	if (st_read_again(st, op->s_id))
		return;
	/* ST 7.3, 10.7.3, 6.2.1 */
	if (!(READ_ONCE(st->opts.serve) & ST_SERVE_READS) || op->s_id == ST_ID_NONE ||
	    (st->sk.sk_shutdown & SEND_SHUTDOWN) || !channel ||
	    !st_link_max_stu(st->paths.main->link, channel)) {
		st_queue_request_answer(st, op->s_id, 0, ST_F_REJECT);
		return;
	}
	if (!st_rx_slots(st) || st->slots.taken.served >= ST_READS) {
		st_log(st, ST_ERR_SLOTS_EXCEEDED);
		return;
	}
	/* Without memory the Initiator repeats the request after its Op_timeout */
	if (!st_reads_get(st))
		return;
	s = st_peer_alloc(st, sizeof(*s));
	if (!s)
		return;
	if (st_event_queue(st, &event)) {
		st_peer_free(st, s, sizeof(*s));
		return;
	}
	s->id = op->s_id;
	s->channel = channel;
	s->t_len = event.len;
	list_add_tail(&s->list, &st->dest.reads->served);
	st->slots.taken.served++;
	st_queue_request_answer(st, op->s_id, 0, 0);
}

/**
 * st_read_refuse - refuse a Read of the peer for the application
 * @st: the Virtual Connection
 * @id: the id in its event
 *
 * Context: process.
 * Return: 0, or -ENOENT when there is no such Read or it is over.
 */
int st_read_refuse(struct st_sock *st, u32 id)
{
	struct st_served *s;

	spin_lock_bh(&st->lock);
	s = st_served_find(st, id);
	if (s) {
		st_served_free(st, s);
		st_read_over(st, id, true);
	}
	st_unlock(st);
	return s ? 0 : -ENOENT;
}

/**
 * st_read_answer - whether a Transfer can answer a Read
 * @st: the Virtual Connection
 * @tx: the Transfer, with the id of the event in peer_id; gets the Data Channel of
 *	the Read
 *
 * Return: 0, -ENOENT as for st_read_refuse(), -EMSGSIZE when its length is not the
 * requested one.
 */
int st_read_answer(struct st_sock *st, struct st_tx *tx)
{
	const struct st_served *s = st_served_find(st, tx->peer_id);

	st_assert_locked(st);
	if (!s)
		return -ENOENT;
	if (s->t_len != tx->tiling.t_len)
		return -EMSGSIZE;
	tx->channel = s->channel;
	return 0;
}

/**
 * st_read_answering - note that a Transfer that answers a Read has been queued
 * @st: the Virtual Connection
 * @tx: the Transfer, accepted by st_read_answer()
 */
void st_read_answering(struct st_sock *st, const struct st_tx *tx)
{
	st_assert_locked(st);
	st_served_free(st, st_served_find(st, tx->peer_id));
}

/**
 * st_read_sent - note that a Transfer that answers a Read is over
 * @st: the Virtual Connection
 * @tx: the Transfer
 */
void st_read_sent(struct st_sock *st, const struct st_tx *tx)
{
	st_assert_locked(st);
	st_read_over(st, tx->peer_id, !tx->asked);
}

/**
 * st_read_timeouts - handle Op_timeouts of Reads, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: what follows for the Virtual Connection.
 */
enum st_verdict st_read_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_rx *rx;

	st_assert_locked(st);
	if (!st->dest.reads || list_empty(&st->dest.reads->asked))
		return ST_V_GO_ON;
	list_for_each_entry(rx, &st->dest.reads->asked, list) {
		if (!st_retrans_repeat(st, &rx->retrans, now))
			return ST_V_TIMEOUT;
	}
	st_read_ask(st);
	st_timer_at(st, now + ST_KEEPALIVE);
	return ST_V_GO_ON;
}

/**
 * st_read_break_all - fail all Reads at the end of the Virtual Connection
 * @st: the Virtual Connection
 * @err: positive errno for the application
 */
void st_read_break_all(struct st_sock *st, int err)
{
	struct st_served *s, *next_s;
	struct st_rx *rx, *next_rx;

	st_assert_owned(st);
	if (!st->dest.reads)
		return;
	list_for_each_entry_safe(rx, next_rx, &st->dest.reads->asked, list)
		st_read_fail(st, rx, err, 0);
	list_for_each_entry_safe(s, next_s, &st->dest.reads->served, list)
		st_served_free(st, s);
}

/**
 * st_read_purge - free the state of Reads
 * @st: the socket; its Virtual Connection is over, and it has no struct st_rx left
 *
 * Context: any.
 */
void st_read_purge(struct st_sock *st)
{
	st_peer_free(st, st->dest.reads, sizeof(*st->dest.reads));
	st->dest.reads = NULL;
}
