// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: what traffic management remembers.
 */
#include <linux/bitfield.h>
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "port.h"

/* Where a dump goes on: the peer, and the number of its entries that were dumped */
#define RIO9_NL_PEER	GENMASK_ULL(47, 16)
#define RIO9_NL_NUMBER	GENMASK_ULL(15, 0)

/**
 * struct rio9_nl_states - a dump of a peer
 * @skb: the messages
 * @cb: state of the dump
 * @dev: device of the port
 * @peer: the peer
 * @skip: entries that were dumped before
 * @done: entries that were looked at
 */
struct rio9_nl_states {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	const struct net_device *dev;
	struct rio9_tm_peer *peer;
	unsigned int skip;
	unsigned int done;
};

/* Whether the next entry is to be dumped */
static bool rio9_nl_due(struct rio9_nl_states *s)
{
	return s->done++ >= s->skip;
}

static int rio9_nl_put_state(struct rio9_nl_states *s, enum rio9_state_kind kind,
			     const struct rio9_tm_q *q)
{
	return nla_put_u32(s->skb, RIO9_A_STATE_IFINDEX, s->dev->ifindex) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_PEER, s->peer->id) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_KIND, kind) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_WILDCARD, q->wildcard) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_MASK, q->mask) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_COS, q->cos) ||
	       nla_put_u32(s->skb, RIO9_A_STATE_STREAM, q->stream) ? -EMSGSIZE : 0;
}

static int rio9_nl_put_credits(struct sk_buff *skb, unsigned int units, u32 credits)
{
	if (!units)
		return 0;
	return nla_put_u32(skb, RIO9_A_STATE_UNITS, units) ?:
	       nla_put_u32(skb, RIO9_A_STATE_CREDITS, credits);
}

static int rio9_nl_put_operand(struct rio9_nl_states *s, const struct rio9_operand *o)
{
	void *hdr = rio9_nl_begin(s->skb, s->cb);
	unsigned int i, credits = 0;

	for (i = 0; i < o->held; i++)
		credits += o->units[i].left;
	return rio9_nl_end(s->skb, hdr,
			   !hdr || rio9_nl_put_state(s, RIO9_STATE_KIND_OPERAND, &o->q) ||
			   (o->off && nla_put_flag(s->skb, RIO9_A_STATE_XOFF)) ||
			   (o->rated &&
			    (nla_put_uint(s->skb, RIO9_A_STATE_AVERAGE, o->rates.average) ||
			     nla_put_uint(s->skb, RIO9_A_STATE_PEAK, o->rates.peak))) ||
			   rio9_nl_put_credits(s->skb, o->held, credits));
}

static int rio9_nl_put_class(struct rio9_nl_states *s, u8 cos, const struct rio9_tm_viq *v)
{
	const struct rio9_tm_q q = { .wildcard = RIO9_W_STREAM, .cos = cos };
	void *hdr = rio9_nl_begin(s->skb, s->cb);

	return rio9_nl_end(s->skb, hdr,
			   !hdr || rio9_nl_put_state(s, RIO9_STATE_KIND_CLASS, &q) ||
			   (v->full && nla_put_flag(s->skb, RIO9_A_STATE_XOFF)) ||
			   (v->slow && nla_put_flag(s->skb, RIO9_A_STATE_SLOW)) ||
			   nla_put_u32(s->skb, RIO9_A_STATE_LEVEL, v->fill));
}

static int rio9_nl_put_stopped(struct rio9_nl_states *s, const struct rio9_tm_stopped *stopped)
{
	void *hdr = rio9_nl_begin(s->skb, s->cb);

	return rio9_nl_end(s->skb, hdr,
			   !hdr || rio9_nl_put_state(s, RIO9_STATE_KIND_STOPPED, &stopped->q) ||
			   nla_put_flag(s->skb, RIO9_A_STATE_XOFF));
}

static int rio9_nl_put_grant(struct rio9_nl_states *s, const struct rio9_tm_grant *g)
{
	void *hdr = rio9_nl_begin(s->skb, s->cb);
	unsigned int i, credits = 0;

	for (i = 0; i < g->count; i++)
		credits += g->open[i].granted - min(g->open[i].came, g->open[i].granted);
	return rio9_nl_end(s->skb, hdr,
			   !hdr || rio9_nl_put_state(s, RIO9_STATE_KIND_GRANT, &g->q) ||
			   rio9_nl_put_credits(s->skb, g->count, credits));
}

static int rio9_nl_peer_states(struct rio9_nl_states *s)
{
	const struct rio9_tm_stopped *stopped;
	const struct rio9_operand *o;
	const struct rio9_tm_grant *g;
	struct rio9_tm_viq *v;
	unsigned long cos;
	int err = 0;

	list_for_each_entry(o, &s->peer->operands, list)
		if (!err && rio9_nl_due(s))
			err = rio9_nl_put_operand(s, o);
	xa_for_each(&s->peer->viqs, cos, v)
		if (!err && rio9_nl_due(s))
			err = rio9_nl_put_class(s, cos, v);
	list_for_each_entry(stopped, &s->peer->stopped, list)
		if (!err && rio9_nl_due(s))
			err = rio9_nl_put_stopped(s, stopped);
	list_for_each_entry(g, &s->peer->grants, list)
		if (!err && rio9_nl_due(s))
			err = rio9_nl_put_grant(s, g);
	/* The one that did not fit is the first of the next message */
	if (err)
		s->done--;
	return err;
}

/* Bounded: what a peer may have is, and the lock is free between peers */
static int rio9_nl_states(struct sk_buff *skb, struct netlink_callback *cb,
			  struct net_device *dev, u64 *at)
{
	struct rio9_tm_state *tm = &rio9_netdev_port(dev)->tm;
	struct rio9_nl_states s = { .skb = skb, .cb = cb, .dev = dev };
	unsigned long id = FIELD_GET(RIO9_NL_PEER, *at);
	int err = 0;

	s.skip = FIELD_GET(RIO9_NL_NUMBER, *at);
	for (;;) {
		spin_lock_bh(&tm->lock);
		s.peer = xa_find(&tm->peers, &id, U16_MAX, XA_PRESENT);
		if (id != FIELD_GET(RIO9_NL_PEER, *at))
			s.skip = 0;
		s.done = 0;
		if (s.peer)
			err = rio9_nl_peer_states(&s);
		spin_unlock_bh(&tm->lock);
		if (!s.peer)
			return 0;
		*at = FIELD_PREP(RIO9_NL_PEER, err ? id : ++id) |
		      FIELD_PREP(RIO9_NL_NUMBER, err ? s.done : 0);
		if (err)
			return err;
		s.skip = 0;
	}
}

/**
 * rio9_nl_state_get_dumpit - RIO9_CMD_STATE_GET of the peers of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int rio9_nl_state_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rio9_nl_walk(skb, cb, rio9_nl_states);
}
