// SPDX-License-Identifier: GPL-2.0
/*
 * Ways: the links that a Virtual Connection runs over, and the peer's addresses there.
 *
 * It begins with one, st_sock.way.  With others it is striped, ST annex B.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/conn.h"
#include "link/link.h"
#include "link/upcall.h"

/**
 * st_way_init - make a way that is not in use
 * @st: whose it is
 * @way: the way
 * @index: what st_way_at() finds it by
 *
 * Context: any.
 */
void st_way_init(struct st_sock *st, struct st_way *way, unsigned int index)
{
	way->st = st;
	way->index = index;
	INIT_HLIST_NODE(&way->node);
	INIT_LIST_HEAD(&way->paced.wait);
	INIT_LIST_HEAD(&way->paced.holder);
}

/**
 * st_way_at - a way of a Virtual Connection, in use or not
 * @st: the Virtual Connection
 * @index: which, less than %ST_WAYS_MAX
 *
 * Context: under st->lock.
 * Return: the way; NULL where a Virtual Connection that is not striped has none.
 */
struct st_way *st_way_at(struct st_sock *st, unsigned int index)
{
	if (!index)
		return &st->way;
	return st->stripe ? &st->stripe->more[index - 1] : NULL;
}

/**
 * st_way_next - the way behind another one
 * @way: the other
 *
 * Context: under st_sock.lock.
 * Return: the way, in use or not; NULL at the end.
 */
struct st_way *st_way_next(const struct st_way *way)
{
	return way->index < ST_WAYS_MAX - 1 ? st_way_at(way->st, way->index + 1) : NULL;
}

/**
 * st_ways - how many ways a Virtual Connection has
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: those that are in use, 1 at least.
 */
unsigned int st_ways(const struct st_sock *st)
{
	unsigned int i, n = 1;

	if (!st->stripe)
		return 1;
	for (i = 0; i < ST_WAYS_MAX - 1; i++)
		n += !!st->stripe->more[i].link;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(st_ways);

/**
 * st_way_find - the way over a link to an address
 * @st: the Virtual Connection
 * @link: the link
 * @addr: the address, of the length of the link's
 *
 * Context: under st->lock.
 * Return: the way or NULL.
 */
struct st_way *st_way_find(struct st_sock *st, const struct st_link *link, const u8 *addr)
{
	struct st_way *way;

	for (way = &st->way; way; way = st_way_next(way))
		if (way->link == link && !memcmp(way->addr, addr, link->addr_len))
			return way;
	return NULL;
}

/* A way has no use any more; what was on it has left it. */
static void st_way_free(struct st_way *way)
{
	struct st_sock *st = way->st;
	struct sk_buff *skb, *next;

	skb_queue_walk_safe(&st->outq, skb, next) {
		if (ST_SKB_CB(skb)->way == way->index) {
			__skb_unlink(skb, &st->outq);
			kfree_skb(skb);
		}
	}
	st_link_leave(way);
	/* That of the first is still asked for its addresses */
	if (way->index) {
		st_link_put(way->link);
		way->link = NULL;
	}
}

/* A place for a way, or NULL. */
static struct st_way *st_way_place(struct st_sock *st)
{
	struct st_way *way, *silent = NULL;
	unsigned int i;

	for (i = 0; i < ST_WAYS_MAX - 1; i++) {
		way = &st->stripe->more[i];
		if (!way->link)
			return way;
		/* Where no way works, Control operations and Blocks have to be on one */
		if (st_way_silent(way) && way != st->main && !way->blocks)
			silent = way;
	}
	if (silent) {
		st_up->way_left(silent, NULL);
		st_way_free(silent);
	}
	return silent;
}

/**
 * st_way_add - have a Virtual Connection run over one more way
 * @st: the Virtual Connection, with a st_sock.stripe
 * @link: the link
 * @addr: the peer's address there
 *
 * Context: under st->lock and RCU.
 * Return: the way, over which nothing is cleared yet; NULL when there are as many as
 * there can be, or when the link is going.
 */
struct st_way *st_way_add(struct st_sock *st, struct st_link *link, const u8 *addr)
{
	struct st_way *way = st_way_place(st);

	if (!way || !st_link_get(link))
		return NULL;
	memset(&way->path, 0, sizeof(way->path));
	memset(way->addr, 0, sizeof(way->addr));
	memcpy(way->addr, addr, link->addr_len);
	if (st_link_join(link, way)) {
		st_link_put(link);
		return NULL;
	}
	st_strand_init(way);
	return way;
}

/**
 * st_way_leave - use another way
 * @way: the one that does not work any more
 * @other: the other
 *
 * Context: under st_sock.lock.
 */
void st_way_leave(struct st_way *way, struct st_way *other)
{
	struct st_sock *st = way->st;

	if (st->main == way)
		st->main = other;
	st_up->way_left(way, other);
}

/**
 * st_way_remove - the link of a way is going
 * @way: the way
 *
 * What was on its way over it goes over another.
 *
 * Context: under st_sock.lock.
 * Return: false when there is no other, so that the Virtual Connection ends.
 */
bool st_way_remove(struct st_way *way)
{
	struct st_sock *st = way->st;
	struct st_way *other, *w;

	if (!st->stripe)
		return false;
	st_strand_of(way)->up = false;
	other = st_stripe_other(st, way);
	/* One that does not answer now may do so again */
	for (w = &st->way; w; w = st_way_next(w))
		if (other == way && w != way && st_strand_of(w)->known && st_way_works(w))
			other = w;
	if (other == way)
		return false;
	if (st->by == way)
		st->by = NULL;
	st_way_leave(way, other);
	st_way_free(way);
	return true;
}

/**
 * st_ways_pass - have no use for a turn, on any way
 * @st: the Virtual Connection, which has cleared all that it wants to
 *
 * Context: under st->lock.
 */
void st_ways_pass(struct st_sock *st)
{
	struct st_way *way;

	for (way = &st->way; way; way = st_way_next(way))
		st_pace_pass(way);
}

/**
 * st_ways_leave - a Virtual Connection is over
 * @st: the Virtual Connection; its references to links stay until st_ways_put()
 *
 * Context: under st->lock.
 */
void st_ways_leave(struct st_sock *st)
{
	struct st_way *way;

	for (way = &st->way; way; way = st_way_next(way))
		st_link_leave(way);
}

/**
 * st_ways_put - a socket has no way any more
 * @st: the socket, whose Virtual Connection is over
 *
 * Context: under st->lock, or when nobody uses the socket any more.
 */
void st_ways_put(struct st_sock *st)
{
	struct st_way *way;

	for (way = &st->way; way; way = st_way_next(way)) {
		if (way->link)
			st_link_put(way->link);
		way->link = NULL;
		memset(&way->path, 0, sizeof(way->path));
	}
	st->main = &st->way;
	st->by = NULL;
	if (st->stripe)
		st->stripe->joined = false;
}

/**
 * st_stripe_best - the way to go, but for one
 * @st: the Virtual Connection
 * @but: that one
 *
 * Context: under st->lock.
 * Return: of those that work the one that has the fewest Blocks, or @but where there is none.
 */
struct st_way *st_stripe_best(struct st_sock *st, struct st_way *but)
{
	struct st_way *best = NULL, *way;

	for (way = &st->way; way; way = st_way_next(way))
		if (way != but && st_way_usable(way) && (!best || way->blocks < best->blocks))
			best = way;
	return best ?: but;
}

/**
 * st_stripe_other - the way to go when there is a choice
 * @st: the Virtual Connection
 * @way: the present one
 *
 * Context: under st->lock.
 * Return: @way if it works or if no other does, else the one that has the fewest Blocks.
 */
struct st_way *st_stripe_other(struct st_sock *st, struct st_way *way)
{
	return !st->stripe || st_way_usable(way) ? way : st_stripe_best(st, way);
}
