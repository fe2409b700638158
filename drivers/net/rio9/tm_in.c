// SPDX-License-Identifier: GPL-2.0
/*
 * The ingress: what is sent obeys the messages of its destination, 3.4.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "tm_credit.h"
#include "tm_in.h"
#include "tm_rate.h"
#include "tm_say.h"

/* The operand after @o that covers a PDU: those of its destination, then those about all */
static struct rio9_operand *rio9_in_next(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
					 struct rio9_operand *o, const struct rio9_pdu *pdu)
{
	if (peer && (!o || o->peer == peer)) {
		o = list_prepare_entry(o, &peer->operands, list);
		list_for_each_entry_continue(o, &peer->operands, list)
			if (rio9_tm_q_covers(&o->q, pdu))
				return o;
		o = NULL;
	}
	o = list_prepare_entry(o, &tm->any, any);
	list_for_each_entry_continue(o, &tm->any, any)
		if (o->peer != peer)
			return o;
	return NULL;
}

static struct rio9_operand *rio9_in_find(struct rio9_tm_peer *peer, const struct rio9_tm_q *q)
{
	struct rio9_operand *o;

	list_for_each_entry(o, &peer->operands, list)
		if (rio9_tm_q_within(&o->q, q) && rio9_tm_q_within(q, &o->q))
			return o;
	return NULL;
}

static struct rio9_operand *rio9_in_add(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
					const struct rio9_tm_q *q)
{
	struct rio9_operand *o = rio9_in_find(peer, q);

	if (o)
		return o;
	if (peer->operand_count < RIO9_TM_OPERANDS)
		o = kzalloc(sizeof(*o), GFP_ATOMIC);
	if (!o) {
		rio9_tm_count(tm, RIO9_STAT_TM_OPERANDS);
		return NULL;
	}
	o->peer = peer;
	o->q = *q;
	peer->operand_count++;
	list_add_tail(&o->list, &peer->operands);
	INIT_LIST_HEAD(&o->any);
	if (q->wildcard & RIO9_W_DEST)
		list_add_tail(&o->any, &tm->any);
	return o;
}

static void rio9_in_free(struct rio9_operand *o)
{
	list_del(&o->list);
	list_del(&o->any);
	o->peer->operand_count--;
	kfree(o);
}

/* An operand that changes nothing makes room for others */
static void rio9_in_tidy(struct rio9_operand *o)
{
	if (!o->seq && !o->rated && !o->held)
		rio9_in_free(o);
}

/* The newest message that covers a queue counts, so older ones about parts of it do not */
static void rio9_in_switch(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			   const struct rio9_tm_q *q, bool off)
{
	struct rio9_operand *o, *next;
	bool matters = off || !list_empty(&tm->any);

	list_for_each_entry_safe(o, next, &peer->operands, list) {
		if (rio9_tm_q_within(q, &o->q)) {
			o->seq = 0;
			o->off = false;
			rio9_in_tidy(o);
		} else if (o->off && rio9_tm_q_overlaps(q, &o->q)) {
			matters = true;
		}
	}
	/* XON for all of a source may have to undo what others have said */
	if (!matters && !(q->wildcard & RIO9_W_DEST))
		return;
	o = rio9_in_add(tm, peer, q);
	if (!o)
		return;
	o->seq = ++tm->seq;
	o->off = off;
}

static void rio9_in_rate(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			 const struct rio9_tm_q *q, const struct rio9_tm_msg *msg, u64 now)
{
	struct rio9_operand *o = rio9_in_add(tm, peer, q);

	if (!o)
		return;
	rio9_tm_count(tm, RIO9_STAT_TM_RATE);
	rio9_rate_change(tm, o, msg, now);
	rio9_in_tidy(o);
}

static void rio9_in_allocate(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			     const struct rio9_tm_q *q, const struct rio9_tm_msg *msg, u64 now)
{
	u8 cos[RIO9_TM_FLOWS];
	struct rio9_operand *o;

	/* A message in one flow cannot tell which PDUs of another were before it */
	if (rio9_tm_in_flows(tm, q, cos) > 1) {
		rio9_tm_count(tm, RIO9_STAT_TM_SPANS);
		return;
	}
	o = msg->n ? rio9_in_add(tm, peer, q) : rio9_in_find(peer, q);
	if (o) {
		rio9_credit_allocate(tm, o, msg, now);
		rio9_in_tidy(o);
	} else if (!msg->n) {
		rio9_tm_say(tm, peer, q, RIO9_TM_CREDIT_STATUS, msg->unit, 0);
	} else {
		return;
	}
	rio9_tm_count(tm, RIO9_STAT_TM_ALLOCATE);
}

/**
 * rio9_in_message - obey a message of an egress
 * @tm: state of the port
 * @peer: its sender
 * @p: the message; the mode has its TM OP
 * @msg: what it says
 * @now: time
 */
void rio9_in_message(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		     const struct rio9_packet *p, const struct rio9_tm_msg *msg, u64 now)
{
	struct rio9_tm_q q = rio9_tm_q(p);

	if (q.wildcard & RIO9_W_DEST && !READ_ONCE(tm->obey_any)) {
		rio9_tm_count(tm, RIO9_STAT_TM_NOT_ALLOWED);
		return;
	}
	switch (msg->says) {
	case RIO9_TM_XOFF:
		rio9_tm_count(tm, RIO9_STAT_TM_XOFF);
		rio9_in_switch(tm, peer, &q, true);
		break;
	case RIO9_TM_XON:
		rio9_tm_count(tm, RIO9_STAT_TM_XON);
		rio9_in_switch(tm, peer, &q, false);
		break;
	case RIO9_TM_ALLOCATE:
		rio9_in_allocate(tm, peer, &q, msg, now);
		break;
	default:
		rio9_in_rate(tm, peer, &q, msg, now);
		break;
	}
	tm->kicked = true;
}

static bool rio9_in_off(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			const struct rio9_pdu *pdu)
{
	struct rio9_operand *o = NULL, *newest = NULL;

	while ((o = rio9_in_next(tm, peer, o, pdu)))
		if (o->seq > (newest ? newest->seq : 0))
			newest = o;
	return newest && newest->off;
}

/* A stream uses the credits of the narrowest operand that covers it and has any */
static struct rio9_operand *rio9_in_credits(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
					    const struct rio9_pdu *pdu)
{
	struct rio9_operand *o = NULL, *best = NULL;

	while ((o = rio9_in_next(tm, peer, o, pdu)))
		if (rio9_credit_narrower(o, best))
			best = o;
	return best;
}

/* Stopped, or without credits: a rate lets it go by itself */
static bool rio9_in_stopped(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			    const struct rio9_pdu *pdu)
{
	return rio9_in_off(tm, peer, pdu) ||
	       (rio9_tm_has_credits(tm) && !rio9_in_credits(tm, peer, pdu));
}

static u64 rio9_in_when(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			const struct rio9_pdu *pdu, u64 now)
{
	struct rio9_operand *o = NULL;
	u64 when = now;

	while ((o = rio9_in_next(tm, peer, o, pdu)))
		if (o->rated)
			when = max(when, rio9_rate_when(o, now));
	return when;
}

/**
 * rio9_tm_may_send - whether a PDU may begin
 * @tm: state of the port
 * @pdu: its label
 * @len: bytes of it
 * @now_ns: time
 * @again_ns: gets when to ask again if it may not, 0 if a message decides that; the
 *	transmitter is kicked in both cases
 *
 * Asked right before the first segment.  Messages that have to be sent before it are there
 * for rio9_tm_pop() then.  The transmitter is not kicked in the call.
 *
 * Context: any but hard interrupts.
 * Return: true if it may.
 */
bool rio9_tm_may_send(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, unsigned int len,
		      u64 now_ns, u64 *again_ns)
{
	struct rio9_operand *o = NULL, *credits = NULL;
	struct rio9_tm_peer *peer;
	bool may = true;
	u64 when;

	*again_ns = 0;
	spin_lock_bh(&tm->lock);
	if (!rio9_tm_is_on(tm))
		goto out;
	peer = xa_load(&tm->peers, pdu->peer);
	may = !rio9_in_off(tm, peer, pdu);
	/* A peer that is not known cannot grant any */
	if (may && peer && rio9_tm_has_credits(tm)) {
		credits = rio9_in_credits(tm, peer, pdu);
		may = credits;
	}
	if (may && rio9_tm_has_rates(tm)) {
		when = rio9_in_when(tm, peer, pdu, now_ns);
		if (when > now_ns) {
			*again_ns = when;
			tm->wake = min(tm->wake, when);
			may = false;
		}
	}
	if (!may)
		goto out;
	while ((o = rio9_in_next(tm, peer, o, pdu)))
		o->began = now_ns;
	if (credits)
		rio9_credit_begin(tm, credits);
out:
	rio9_tm_unlock(tm);
	return may;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_may_send);

/**
 * rio9_tm_sent - a PDU has been sent
 * @tm: state of the port
 * @pdu: its label
 * @len: bytes of it
 * @now_ns: time
 *
 * Called after the last segment of each PDU that has begun, given up or not.  Messages that
 * follow it are there for rio9_tm_pop() then.  The transmitter is not kicked in the call.
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_sent(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, unsigned int len,
		  u64 now_ns)
{
	struct rio9_operand *o = NULL, *paid = NULL;
	struct rio9_tm_peer *peer;

	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, pdu->peer);
	while ((o = rio9_in_next(tm, peer, o, pdu))) {
		if (o->rated)
			rio9_rate_sent(o, len, now_ns);
		/* Others that are narrower may have come while it was sent */
		if (o->flying && rio9_credit_narrower(o, paid))
			paid = o;
	}
	if (paid) {
		rio9_credit_sent(tm, paid, now_ns);
		rio9_in_tidy(paid);
	}
	rio9_tm_unlock(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_sent);

static void rio9_in_ask(struct rio9_tm_state *tm, struct rio9_tm_voq *v, u64 now)
{
	const struct rio9_tm_q q = { .wildcard = RIO9_W_STREAM, .cos = v->pdu.cos };

	rio9_tm_say(tm, v->peer, &q, RIO9_TM_Q_STATUS, 0, v->fill);
	v->due = now + RIO9_TM_ASK_AGAIN;
	rio9_tm_due(tm, v->due);
}

static void rio9_in_voq_free(struct rio9_tm_voq *v)
{
	xa_erase(&v->peer->voqs, v->pdu.cos);
	list_del(&v->list);
	kfree(v);
}

static struct rio9_tm_voq *rio9_in_voq(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
				       const struct rio9_pdu *pdu)
{
	struct rio9_tm_voq *v = xa_load(&peer->voqs, pdu->cos);

	if (v)
		return v;
	v = kzalloc(sizeof(*v), GFP_ATOMIC);
	if (!v)
		return NULL;
	if (xa_err(xa_store(&peer->voqs, pdu->cos, v, GFP_ATOMIC))) {
		kfree(v);
		return NULL;
	}
	v->peer = peer;
	v->pdu = *pdu;
	list_add_tail(&v->list, &tm->voqs);
	return v;
}

/* The queue has been busy until now, for the credits that it uses */
static void rio9_in_empty(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			  const struct rio9_pdu *pdu, u64 now)
{
	struct rio9_tm_voq *v = xa_load(&peer->voqs, pdu->cos);
	struct rio9_operand *o;

	if (!v)
		return;
	rio9_in_voq_free(v);
	list_for_each_entry(o, &peer->operands, list)
		if (o->held && rio9_tm_q_covers(&o->q, pdu))
			o->used = now;
}

/**
 * rio9_tm_voq - an ingress queue has changed
 * @tm: state of the port
 * @pdu: label of a PDU of it: of the one that may not be sent if @blocked
 * @fill_255: how full the queue is, rounded up; 0 if it is empty
 * @blocked: rio9_tm_may_send() has not let @pdu go
 *
 * Called at least when it becomes empty and is so no more, and when a PDU may not be sent.
 * The transmitter is not kicked in the call.
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_voq(struct rio9_tm_state *tm, const struct rio9_pdu *pdu, u8 fill_255, bool blocked)
{
	u64 now = tm->ops->now(tm->port);
	struct rio9_tm_peer *peer;
	struct rio9_tm_voq *v;

	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, pdu->peer);
	if (!peer || !rio9_tm_is_on(tm))
		goto out;
	if (!fill_255) {
		rio9_in_empty(tm, peer, pdu, now);
		goto out;
	}
	v = rio9_in_voq(tm, peer, pdu);
	if (!v)
		goto out;
	v->fill = fill_255;
	if (!blocked)
		goto out;
	v->pdu = *pdu;
	if (now >= v->due && rio9_in_stopped(tm, peer, pdu)) {
		rio9_in_ask(tm, v, now);
	} else if (!v->waiting) {
		v->due = max(v->due, now + RIO9_TM_ASK_AGAIN);
		rio9_tm_due(tm, v->due);
	}
	v->waiting = true;
out:
	rio9_tm_unlock(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_voq);

static bool rio9_in_busy(const struct rio9_operand *o)
{
	struct rio9_tm_voq *v;
	unsigned long cos;

	xa_for_each(&o->peer->voqs, cos, v)
		if (rio9_tm_q_covers(&o->q, &v->pdu))
			return true;
	return false;
}

static void rio9_in_idle(struct rio9_tm_state *tm, struct rio9_tm_peer *peer, u64 now)
{
	struct rio9_operand *o, *next;

	list_for_each_entry_safe(o, next, &peer->operands, list) {
		if (!o->held)
			continue;
		if (now >= o->used + RIO9_TM_IDLE && rio9_in_busy(o))
			o->used = now;
		if (now < o->used + RIO9_TM_IDLE) {
			rio9_tm_due(tm, o->used + RIO9_TM_IDLE);
			continue;
		}
		rio9_credit_return(tm, o);
		rio9_in_tidy(o);
	}
}

/**
 * rio9_in_tick - say what is due, and give back credits that nobody needs
 * @tm: state of the port
 * @now: time
 */
void rio9_in_tick(struct rio9_tm_state *tm, u64 now)
{
	unsigned int most = RIO9_TM_ASK_MOST;
	struct rio9_tm_peer *peer;
	struct rio9_tm_voq *v;
	unsigned long id;

	list_for_each_entry(v, &tm->voqs, list) {
		if (!v->waiting)
			continue;
		if (now < v->due) {
			rio9_tm_due(tm, v->due);
			continue;
		}
		if (!most--) {
			rio9_tm_due(tm, now + RIO9_TM_ASK_REST);
			break;
		}
		if (rio9_in_stopped(tm, v->peer, &v->pdu) ||
		    (rio9_tm_has_rates(tm) &&
		     rio9_in_when(tm, v->peer, &v->pdu, now) > now))
			rio9_in_ask(tm, v, now);
		else
			v->waiting = false;
	}
	if (!rio9_tm_has_credits(tm))
		return;
	xa_for_each(&tm->peers, id, peer)
		rio9_in_idle(tm, peer, now);
}

/**
 * rio9_in_forget - all begins anew with a peer: on, full rate, no credits
 * @peer: the peer
 */
void rio9_in_forget(struct rio9_tm_peer *peer)
{
	struct rio9_operand *o, *next;
	struct rio9_tm_voq *v;
	unsigned long cos;

	list_for_each_entry_safe(o, next, &peer->operands, list)
		rio9_in_free(o);
	xa_for_each(&peer->voqs, cos, v)
		rio9_in_voq_free(v);
	xa_destroy(&peer->voqs);
}
