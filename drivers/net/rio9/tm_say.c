// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic management messages that wait to be sent, and what wakes the transmitter.
 *
 * A message goes in the flow of the data that it is about, 3.4.5 P1.  Each flow has a list,
 * and each peer has a limit, so that frequent questions do not make the memory grow.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "tm_say.h"

/**
 * struct rio9_tm_pending - a message that waits
 * @list: in those of its physical channel
 * @mine: in those of its peer
 * @peer: where it goes
 * @packet: the message
 */
struct rio9_tm_pending {
	struct list_head list;
	struct list_head mine;
	struct rio9_tm_peer *peer;
	struct rio9_packet packet;
};

/* The timer is set to what is due first; it is never set later here, as it looks itself */
static void rio9_tm_arm(struct rio9_tm_state *tm)
{
	u64 at = min(tm->wake, tm->due);

	lockdep_assert_held(&tm->lock);
	if (tm->timed && at != U64_MAX &&
	    !(hrtimer_is_queued(&tm->timer) && ktime_to_ns(hrtimer_get_expires(&tm->timer)) <= at))
		hrtimer_start(&tm->timer, ns_to_ktime(at), HRTIMER_MODE_ABS_SOFT);
}

/**
 * rio9_tm_unlock - leave traffic management; the caller pops messages itself
 * @tm: its state, whose lock is held
 */
void rio9_tm_unlock(struct rio9_tm_state *tm)
	__releases(&tm->lock)
{
	tm->kicked = false;
	rio9_tm_arm(tm);
	spin_unlock_bh(&tm->lock);
}

/**
 * rio9_tm_unlock_kick - leave traffic management, and wake the transmitter if it has to do
 * @tm: its state, whose lock is held
 */
void rio9_tm_unlock_kick(struct rio9_tm_state *tm)
	__releases(&tm->lock)
{
	bool kick = tm->kicked;

	rio9_tm_unlock(tm);
	if (kick)
		tm->ops->kick(tm->port);
}

/**
 * rio9_tm_in_flows - the flows that an operand is in, under the map of the port
 * @tm: state of the port
 * @q: the operand
 * @cos: get the class of a message for each flow, the lowest first
 *
 * Return: how many.
 */
unsigned int rio9_tm_in_flows(const struct rio9_tm_state *tm, const struct rio9_tm_q *q,
			      u8 cos[RIO9_TM_FLOWS])
{
	unsigned int i, n, kept = 0;
	u16 seen = 0;

	n = rio9_tm_flows(q->wildcard, q->mask, q->cos, cos);
	for (i = 0; i < n; i++) {
		u8 channel = tm->channels[cos[i] >> 6];

		if (!(seen & BIT(channel)))
			cos[kept++] = cos[i];
		seen |= BIT(channel);
	}
	return kept;
}

static void rio9_tm_drop(struct rio9_tm_pending *m)
{
	list_del(&m->list);
	list_del(&m->mine);
	m->peer->pending_count--;
	kfree(m);
}

/* XON and XOFF say what holds from now on, so the newest of them is enough */
static void rio9_tm_forget_same(struct rio9_tm_peer *peer, const struct rio9_packet *p)
{
	struct rio9_tm_pending *m;

	list_for_each_entry(m, &peer->pending, mine) {
		if (m->packet.cos == p->cos && m->packet.stream == p->stream &&
		    !memcmp(&m->packet.tm, &p->tm, sizeof(p->tm))) {
			rio9_tm_drop(m);
			return;
		}
	}
}

/**
 * rio9_tm_queue - a message is to be sent
 * @tm: state of the port
 * @peer: where it goes
 * @p: the message, but for IDs
 *
 * Return: true if it will be; otherwise it is lost, and counted.
 */
bool rio9_tm_queue(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		   const struct rio9_packet *p)
{
	struct rio9_tm_msg msg = rio9_tm_parse(&p->tm);
	struct rio9_tm_pending *m = NULL;

	lockdep_assert_held(&tm->lock);
	if (msg.says == RIO9_TM_XOFF || msg.says == RIO9_TM_XON)
		rio9_tm_forget_same(peer, p);
	if (peer->pending_count < RIO9_TM_PENDING)
		m = kmalloc(sizeof(*m), GFP_ATOMIC);
	if (!m) {
		rio9_tm_count(tm, RIO9_STAT_TM_UNSENT);
		return false;
	}
	m->packet = *p;
	m->packet.kind = RIO9_TM;
	m->packet.dst = peer->id;
	m->packet.channel = tm->channels[p->cos >> 6];
	m->peer = peer;
	peer->pending_count++;
	list_add_tail(&m->mine, &peer->pending);
	list_add_tail(&m->list, &tm->pending[m->packet.channel]);
	rio9_tm_count(tm, RIO9_STAT_TM_SENT);
	tm->kicked = true;
	return true;
}

/* The TM OP in which this mode says things; XOFF and XON are in each of them */
static u8 rio9_tm_op(const struct rio9_tm_state *tm, enum rio9_tm_says says)
{
	switch (says) {
	case RIO9_TM_REDUCE:
	case RIO9_TM_INCREASE:
		return RIO9_TM_OP_RATE;
	default:
		if (rio9_tm_has_credits(tm))
			return RIO9_TM_OP_CREDIT;
		return rio9_tm_has_rates(tm) ? RIO9_TM_OP_RATE : RIO9_TM_OP_BASIC;
	}
}

/**
 * rio9_tm_say - say something to a peer
 * @tm: state of the port
 * @peer: the peer
 * @q: about which queues
 * @says: what
 * @unit: allocation unit, if it is about one
 * @n: amount, level or credits, if there are any
 *
 * What may be repeated is said in each flow that the queues are in; rates, which are
 * relative, are said once.
 */
void rio9_tm_say(struct rio9_tm_state *tm, struct rio9_tm_peer *peer, const struct rio9_tm_q *q,
		 enum rio9_tm_says says, u8 unit, u16 n)
{
	const struct rio9_tm_msg msg = { .says = says, .unit = unit, .n = n };
	struct rio9_packet p = {
		.stream = q->stream,
		.tm = {
			.op = rio9_tm_op(tm, says), .wildcard = q->wildcard, .mask = q->mask,
		},
	};
	u8 cos[RIO9_TM_FLOWS];
	unsigned int i, flows;

	rio9_tm_build(&p.tm, &msg);
	flows = rio9_tm_in_flows(tm, q, cos);
	if (says == RIO9_TM_REDUCE || says == RIO9_TM_INCREASE)
		flows = 1;
	for (i = 0; i < flows; i++) {
		p.cos = cos[i];
		rio9_tm_queue(tm, peer, &p);
	}
}

/**
 * rio9_tm_hush - nothing is said to a peer that still waits to be said
 * @peer: the peer
 */
void rio9_tm_hush(struct rio9_tm_peer *peer)
{
	struct rio9_tm_pending *m, *next;

	list_for_each_entry_safe(m, next, &peer->pending, mine)
		rio9_tm_drop(m);
}

/**
 * rio9_tm_pop - fetch a message that is to be sent before the next segment
 * @tm: state of the port
 * @channel: the physical channel of the segment
 * @p: gets the message, but for the source ID and the size of IDs
 *
 * Context: any but hard interrupts.
 * Return: true if there was one.
 */
bool rio9_tm_pop(struct rio9_tm_state *tm, u8 channel, struct rio9_packet *p)
{
	struct rio9_tm_pending *m;

	if (list_empty_careful(&tm->pending[channel]))
		return false;
	spin_lock_bh(&tm->lock);
	m = list_first_entry_or_null(&tm->pending[channel], struct rio9_tm_pending, list);
	if (m) {
		*p = m->packet;
		rio9_tm_drop(m);
	}
	spin_unlock_bh(&tm->lock);
	return m;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_tm_pop);
