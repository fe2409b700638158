// SPDX-License-Identifier: GPL-2.0
/*
 * Credits that the egress grants, 3.4.4.
 *
 * At most two units are open: the one that the source uses and the one that comes next.  As
 * soon as it uses the second the first is over, so lost messages do not leave units behind.
 */
#include <linux/slab.h>

#include "tm_grant.h"
#include "tm_say.h"

static unsigned int rio9_grant_left(const struct rio9_tm_grant *g)
{
	unsigned int i, left = 0;

	for (i = 0; i < g->count; i++)
		left += g->open[i].granted - min(g->open[i].came, g->open[i].granted);
	return left;
}

/* PDUs of the largest size for which nobody has a credit, in the fullest of the queues */
static unsigned int rio9_grant_free(const struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
				    const struct rio9_tm_grant *g)
{
	struct rio9_tm_q classes = g->q;
	const struct rio9_tm_grant *other;
	unsigned int room, left = 0;
	struct rio9_tm_viq *v;
	unsigned long cos;
	u8 fill = 0;

	xa_for_each(&peer->viqs, cos, v) {
		if ((cos ^ g->q.cos) & ~g->q.mask && !(g->q.wildcard & RIO9_W_CLASS))
			continue;
		/* Three quarters full: none until it is down to a quarter */
		if (v->full)
			return 0;
		fill = max(fill, v->fill);
	}
	/* The streams of a class have one queue */
	classes.wildcard |= RIO9_W_STREAM;
	list_for_each_entry(other, &peer->grants, list)
		if (rio9_tm_q_overlaps(&other->q, &classes))
			left += rio9_grant_left(other);
	room = (U8_MAX - fill) * tm->viq_pdus / U8_MAX;
	return room > left ? room - left : 0;
}

/* The next unit, or later, as soon as there is room for it */
static void rio9_grant_next(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
			    struct rio9_tm_grant *g)
{
	unsigned int n = min(rio9_grant_free(tm, peer, g), RIO9_TM_GRANT);

	g->wants = true;
	if (!n || g->count == ARRAY_SIZE(g->open))
		return;
	g->wants = false;
	g->open[g->count++] = (struct rio9_tm_open) { .unit = g->next, .granted = n };
	rio9_tm_say(tm, peer, &g->q, RIO9_TM_ALLOCATE, g->next, n);
	g->next = (g->next + 1) % RIO9_TM_UNITS;
}

/* Units up to that one are over */
static void rio9_grant_over(struct rio9_tm_grant *g, unsigned int count)
{
	g->count -= count;
	memmove(g->open, g->open + count, g->count * sizeof(g->open[0]));
}

static struct rio9_tm_grant *rio9_grant_find(struct rio9_tm_peer *peer,
					     const struct rio9_tm_q *q)
{
	struct rio9_tm_grant *g;

	list_for_each_entry(g, &peer->grants, list)
		if (rio9_tm_q_within(&g->q, q) && rio9_tm_q_within(q, &g->q))
			return g;
	return NULL;
}

static struct rio9_tm_grant *rio9_grant_add(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
					    const struct rio9_tm_q *q)
{
	struct rio9_tm_grant *g = rio9_grant_find(peer, q);

	if (g)
		return g;
	if (peer->grant_count < RIO9_TM_OPERANDS)
		g = kzalloc(sizeof(*g), GFP_ATOMIC);
	if (!g) {
		rio9_tm_count(tm, RIO9_STAT_TM_OPERANDS);
		return NULL;
	}
	g->q = *q;
	peer->grant_count++;
	list_add_tail(&g->list, &peer->grants);
	return g;
}

/**
 * rio9_grant_asked - Q_STATUS has come, and is answered with credits
 * @tm: state of the port
 * @peer: the source
 * @q: its queues
 * @level: how full they are
 *
 * The same ALLOCATE is never said again, 3.4.5 E7: a unit that may not have arrived is taken
 * back before the next is granted.
 */
void rio9_grant_asked(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		      const struct rio9_tm_q *q, u8 level)
{
	struct rio9_tm_grant *g;
	struct rio9_tm_open *newest;
	u8 cos[RIO9_TM_FLOWS];
	unsigned int i;

	if (rio9_tm_in_flows(tm, q, cos) > 1)
		return;
	g = level ? rio9_grant_add(tm, peer, q) : rio9_grant_find(peer, q);
	if (!g)
		return;
	if (!level) {
		g->wants = false;
		for (i = 0; i < g->count; i++)
			rio9_tm_say(tm, peer, &g->q, RIO9_TM_ALLOCATE, g->open[i].unit, 0);
		return;
	}
	newest = g->count ? &g->open[g->count - 1] : NULL;
	if (newest && !newest->begun) {
		g->wants = true;
		rio9_tm_say(tm, peer, &g->q, RIO9_TM_ALLOCATE, newest->unit, 0);
		return;
	}
	rio9_grant_next(tm, peer, g);
}

/**
 * rio9_grant_status - CREDIT_STATUS has come
 * @tm: state of the port
 * @peer: the source
 * @q: its queues
 * @msg: the message
 */
void rio9_grant_status(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		       const struct rio9_tm_q *q, const struct rio9_tm_msg *msg)
{
	struct rio9_tm_grant *g = rio9_grant_find(peer, q);
	unsigned int i;

	for (i = 0; g && i < g->count; i++)
		if (g->open[i].unit == msg->unit)
			break;
	if (!g || i == g->count) {
		rio9_tm_count(tm, RIO9_STAT_TM_STALE);
		return;
	}
	rio9_tm_count(tm, RIO9_STAT_TM_CREDIT_STATUS);
	if (!msg->n) {
		/*
		 * Whatever was counted here: PDUs may have been lost.  If it is the
		 * newer it has not begun, and its source may still use the older.
		 */
		if (i)
			g->count = i;
		else
			rio9_grant_over(g, 1);
		if (g->wants)
			rio9_grant_next(tm, peer, g);
		return;
	}
	rio9_grant_over(g, i);
	g->open[0].begun = true;
	if (g->count < ARRAY_SIZE(g->open))
		rio9_grant_next(tm, peer, g);
}

/**
 * rio9_grant_came - a PDU has come
 * @tm: state of the port
 * @peer: its source
 * @pdu: its label
 */
void rio9_grant_came(struct rio9_tm_state *tm, struct rio9_tm_peer *peer,
		     const struct rio9_pdu *pdu)
{
	struct rio9_tm_grant *g, *best = NULL;

	list_for_each_entry(g, &peer->grants, list)
		if (g->count && rio9_tm_q_covers(&g->q, pdu) &&
		    (!best || rio9_tm_q_within(&best->q, &g->q)))
			best = g;
	if (!best)
		return;
	/* CREDIT_STATUS of both units was lost */
	if (best->open[0].came == best->open[0].granted && best->count == ARRAY_SIZE(best->open))
		rio9_grant_over(best, 1);
	best->open[0].begun = true;
	if (best->open[0].came < best->open[0].granted)
		best->open[0].came++;
	if (best->count < ARRAY_SIZE(best->open))
		rio9_grant_next(tm, peer, best);
}

/**
 * rio9_grant_room - queues of a source have another level
 * @tm: state of the port
 * @peer: the source
 */
void rio9_grant_room(struct rio9_tm_state *tm, struct rio9_tm_peer *peer)
{
	struct rio9_tm_grant *g;

	list_for_each_entry(g, &peer->grants, list) {
		/* A unit that may not have arrived is taken back first */
		if (g->wants && (!g->count || g->open[g->count - 1].begun))
			rio9_grant_next(tm, peer, g);
	}
}

/**
 * rio9_grant_forget - all begins anew with a source: no credits
 * @peer: the source
 */
void rio9_grant_forget(struct rio9_tm_peer *peer)
{
	struct rio9_tm_grant *g, *next;

	list_for_each_entry_safe(g, next, &peer->grants, list) {
		list_del(&g->list);
		kfree(g);
	}
	peer->grant_count = 0;
}
