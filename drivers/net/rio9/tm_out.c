// SPDX-License-Identifier: GPL-2.0
/*
 * The egress: what a source is told about its data, 3.4.
 *
 * A class is stopped when its queue fills, and a stream when its user has no room.  XON for
 * a class lets all its streams go, as the newest message counts at the source; so XOFF for
 * those that have no room follows it, in the same flow.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "tm_grant.h"
#include "tm_out.h"
#include "tm_say.h"

/* Parameter of REDUCE to the half; DOUBLE undoes it */
#define RIO9_HALF	0x80
#define RIO9_DOUBLE	256

/* In credit modes a full queue gets no credits instead */
static bool rio9_out_class_off(const struct rio9_tm_state *tm, struct rio9_tm_peer *peer, u8 cos)
{
	struct rio9_tm_viq *v = xa_load(&peer->viqs, cos);

	return v && v->full && !rio9_tm_has_credits(tm);
}

static struct rio9_tm_stopped *rio9_out_stopped(struct rio9_tm_peer *peer,
						const struct rio9_tm_q *q)
{
	struct rio9_tm_stopped *s;

	list_for_each_entry(s, &peer->stopped, list)
		if (s->q.cos == q->cos && s->q.stream == q->stream)
			return s;
	return NULL;
}

/* XOFF for what is in an operand and is stopped; or only whether there is any */
static bool rio9_out_say_off(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			     const struct rio9_tm_q *within, bool say)
{
	struct rio9_tm_q q = { .wildcard = RIO9_W_STREAM };
	struct rio9_tm_stopped *s;
	struct rio9_tm_viq *v;
	unsigned long cos;
	bool any = false;

	xa_for_each(&peer->viqs, cos, v) {
		q.cos = cos;
		if (!rio9_out_class_off(tm, peer, cos) || !rio9_tm_q_within(within, &q))
			continue;
		any = true;
		if (say)
			rio9_tm_say(tm, peer, &q, RIO9_TM_XOFF, 0, 0);
	}
	list_for_each_entry(s, &peer->stopped, list) {
		if (!rio9_tm_q_within(within, &s->q))
			continue;
		any = true;
		if (say)
			rio9_tm_say(tm, peer, &s->q, RIO9_TM_XOFF, 0, 0);
	}
	return any;
}

/* Messages of several flows may pass each other: then each flow has a group of its own */
static void rio9_out_say_on(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			    const struct rio9_tm_q *q)
{
	u8 cos[RIO9_TM_FLOWS];
	unsigned int i, n;

	if (!rio9_out_say_off(tm, peer, q, false)) {
		rio9_tm_say(tm, peer, q, RIO9_TM_XON, 0, 0);
		return;
	}
	if (rio9_tm_in_flows(tm, q, cos) == 1) {
		rio9_tm_say(tm, peer, q, RIO9_TM_XON, 0, 0);
		rio9_out_say_off(tm, peer, q, true);
		return;
	}
	n = rio9_tm_flows(q->wildcard, q->mask, q->cos, cos);
	for (i = 0; i < n; i++) {
		const struct rio9_tm_q group = {
			.wildcard = RIO9_W_STREAM, .mask = 0x3f, .cos = cos[i] & 0xc0,
		};

		rio9_tm_say(tm, peer, &group, RIO9_TM_XON, 0, 0);
		rio9_out_say_off(tm, peer, &group, true);
	}
}

/* What holds: whether all of an operand is stopped */
static bool rio9_out_all_off(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			     const struct rio9_tm_q *q)
{
	if (q->wildcard & RIO9_W_CLASS || q->mask)
		return false;
	return rio9_out_class_off(tm, peer, q->cos) ||
	       (!q->wildcard && rio9_out_stopped(peer, q));
}

/* DOUBLE may have been lost; it is not above the peak, so one too many does no harm */
static void rio9_out_faster(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			    const struct rio9_tm_q *q)
{
	struct rio9_tm_viq *v = xa_load(&peer->viqs, q->cos);

	if (rio9_tm_has_rates(tm) && v && v->slow && v->fill < RIO9_TM_LOW &&
	    q->wildcard == RIO9_W_STREAM && !q->mask)
		rio9_tm_say(tm, peer, q, RIO9_TM_INCREASE, 0, RIO9_DOUBLE);
}

static void rio9_out_answer(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			    const struct rio9_tm_q *q, u8 level)
{
	if (rio9_out_all_off(tm, peer, q)) {
		rio9_tm_say(tm, peer, q, RIO9_TM_XOFF, 0, 0);
		return;
	}
	rio9_out_say_on(tm, peer, q);
	rio9_out_faster(tm, peer, q);
	if (rio9_tm_has_credits(tm))
		rio9_grant_asked(tm, peer, q, level);
}

/**
 * rio9_out_message - a message of an ingress
 * @tm: state of the port
 * @peer: its sender
 * @p: the message; the mode has its TM OP
 * @msg: what it says
 */
void rio9_out_message(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		      const struct rio9_packet *p, const struct rio9_tm_msg *msg)
{
	struct rio9_tm_q q = rio9_tm_q(p);

	/* A status is about the queues of the two ends only */
	q.wildcard &= ~RIO9_W_DEST;
	if (msg->says == RIO9_TM_CREDIT_STATUS) {
		rio9_grant_status(tm, peer, &q, msg);
		return;
	}
	rio9_tm_count(tm, RIO9_STAT_TM_Q_STATUS);
	rio9_out_answer(tm, peer, &q, msg->n);
}

static void rio9_out_level(struct rio9_tm_state *tm, struct rio9_tm_peer *peer, u8 cos,
			   struct rio9_tm_viq *v, u64 now)
{
	const struct rio9_tm_q q = { .wildcard = RIO9_W_STREAM, .cos = cos };

	if (v->fill >= RIO9_TM_MIDDLE && !v->reduced && rio9_tm_has_rates(tm)) {
		v->reduced = true;
		v->slow = true;
		rio9_tm_say(tm, peer, &q, RIO9_TM_REDUCE, 0, RIO9_HALF);
	}
	if (v->fill >= RIO9_TM_HIGH && !v->full) {
		v->full = true;
		v->said = now;
		if (!rio9_tm_has_credits(tm))
			rio9_tm_say(tm, peer, &q, RIO9_TM_XOFF, 0, 0);
	}
	if (v->fill >= RIO9_TM_LOW)
		return;
	if (v->reduced) {
		v->reduced = false;
		rio9_tm_say(tm, peer, &q, RIO9_TM_INCREASE, 0, RIO9_DOUBLE);
	}
	if (v->full) {
		v->full = false;
		if (!rio9_tm_has_credits(tm))
			rio9_out_say_on(tm, peer, &q);
	}
}

static struct rio9_tm_viq *rio9_out_viq(struct rio9_tm_peer *peer, u8 cos)
{
	struct rio9_tm_viq *v = xa_load(&peer->viqs, cos);

	if (v)
		return v;
	v = kzalloc(sizeof(*v), GFP_ATOMIC);
	if (v && xa_err(xa_store(&peer->viqs, cos, v, GFP_ATOMIC))) {
		kfree(v);
		return NULL;
	}
	return v;
}

/**
 * rio9_tm_viq - an egress queue has another level
 * @tm: state of the port
 * @source: whose data are in it
 * @cos: their class
 * @fill_255: how full it is
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_viq(struct rio9_tm_state *tm, u16 source, u8 cos, u8 fill_255)
{
	u64 now = tm->ops->now(tm->port);
	struct rio9_tm_peer *peer;
	struct rio9_tm_viq *v;

	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, source);
	if (!peer || !rio9_tm_is_on(tm))
		goto out;
	v = rio9_out_viq(peer, cos);
	if (!v)
		goto out;
	v->fill = fill_255;
	rio9_out_level(tm, peer, cos, v, now);
	if (!v->fill && !v->slow) {
		xa_erase(&peer->viqs, cos);
		kfree(v);
	}
	if (rio9_tm_has_credits(tm))
		rio9_grant_room(tm, peer);
out:
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_viq);

/* A PDU of what is stopped: XOFF was lost, or crossed it */
static void rio9_out_again(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			   const struct rio9_pdu *pdu, u64 now)
{
	const struct rio9_tm_q class = { .wildcard = RIO9_W_STREAM, .cos = pdu->cos };
	const struct rio9_tm_q stream = { .cos = pdu->cos, .stream = pdu->stream };
	struct rio9_tm_stopped *s = rio9_out_stopped(peer, &stream);
	struct rio9_tm_viq *v = xa_load(&peer->viqs, pdu->cos);
	bool off = rio9_out_class_off(tm, peer, pdu->cos);

	if (off && now >= v->said + RIO9_TM_SAY_AGAIN) {
		v->said = now;
		rio9_tm_say(tm, peer, &class, RIO9_TM_XOFF, 0, 0);
	} else if (!off && s && now >= s->said + RIO9_TM_SAY_AGAIN) {
		s->said = now;
		rio9_tm_say(tm, peer, &stream, RIO9_TM_XOFF, 0, 0);
	}
}

/**
 * rio9_tm_came - a PDU has come
 * @tm: state of the port
 * @pdu: its label
 *
 * Called after rio9_tm_viq() has told of the level with it, so that nobody gets a credit for
 * the room that it takes.
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_came(struct rio9_tm_state *tm, const struct rio9_pdu *pdu)
{
	u64 now = tm->ops->now(tm->port);
	struct rio9_tm_peer *peer;

	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, pdu->peer);
	if (peer && rio9_tm_is_on(tm))
		rio9_out_again(tm, peer, pdu, now);
	if (peer && rio9_tm_has_credits(tm))
		rio9_grant_came(tm, peer, pdu);
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_came);

static void rio9_out_no_room(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			     const struct rio9_tm_q *q, u64 now)
{
	struct rio9_tm_stopped *s = NULL;

	if (rio9_out_stopped(peer, q))
		return;
	if (peer->stopped_count < RIO9_TM_OPERANDS)
		s = kzalloc(sizeof(*s), GFP_ATOMIC);
	if (!s) {
		rio9_tm_count(tm, RIO9_STAT_TM_OPERANDS);
		return;
	}
	s->q = *q;
	s->said = now;
	peer->stopped_count++;
	list_add_tail(&s->list, &peer->stopped);
	if (!rio9_out_class_off(tm, peer, q->cos))
		rio9_tm_say(tm, peer, q, RIO9_TM_XOFF, 0, 0);
}

static void rio9_out_has_room(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			      const struct rio9_tm_q *q)
{
	struct rio9_tm_stopped *s = rio9_out_stopped(peer, q);

	if (!s)
		return;
	list_del(&s->list);
	peer->stopped_count--;
	kfree(s);
	if (!rio9_out_class_off(tm, peer, q->cos))
		rio9_tm_say(tm, peer, q, RIO9_TM_XON, 0, 0);
}

/**
 * rio9_tm_user_room - the user of a stream has no room for its PDUs, or has it again
 * @tm: state of the port
 * @vsid: label of its PDUs
 * @room: whether it has
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_user_room(struct rio9_tm_state *tm, const struct rio9_pdu *vsid, bool room)
{
	const struct rio9_tm_q q = { .cos = vsid->cos, .stream = vsid->stream };
	u64 now = tm->ops->now(tm->port);
	struct rio9_tm_peer *peer;

	spin_lock_bh(&tm->lock);
	peer = xa_load(&tm->peers, vsid->peer);
	if (peer && rio9_tm_is_on(tm)) {
		if (room)
			rio9_out_has_room(tm, peer, &q);
		else
			rio9_out_no_room(tm, peer, &q, now);
	}
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_user_room);

/**
 * rio9_tm_user_gone - a stream has no user any more, so nobody stops it
 * @tm: state of the port
 * @stream: the stream, of any class and source
 *
 * Context: any but hard interrupts.
 */
void rio9_tm_user_gone(struct rio9_tm_state *tm, u16 stream)
{
	struct rio9_tm_stopped *s, *next;
	struct rio9_tm_peer *peer;
	unsigned long id;

	spin_lock_bh(&tm->lock);
	xa_for_each(&tm->peers, id, peer) {
		list_for_each_entry_safe(s, next, &peer->stopped, list) {
			const struct rio9_tm_q q = s->q;

			if (q.stream == stream)
				rio9_out_has_room(tm, peer, &q);
		}
	}
	rio9_tm_unlock_kick(tm);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_user_gone);

/**
 * rio9_out_forget - all begins anew with a source: on, full rate, no credits
 * @peer: the source
 */
void rio9_out_forget(struct rio9_tm_peer *peer)
{
	struct rio9_tm_stopped *s, *next;
	struct rio9_tm_viq *v;
	unsigned long cos;

	list_for_each_entry_safe(s, next, &peer->stopped, list) {
		list_del(&s->list);
		kfree(s);
	}
	peer->stopped_count = 0;
	xa_for_each(&peer->viqs, cos, v) {
		xa_erase(&peer->viqs, cos);
		kfree(v);
	}
	xa_destroy(&peer->viqs);
	rio9_grant_forget(peer);
}
