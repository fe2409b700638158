// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the ways of a striped Virtual Connection work, ST annex B.
 *
 * Nothing is cleared or sent over a way, but for answers, before the peer has answered a
 * Request_State over it (ST 6.1.1.1).  When something that was sent over it is not answered,
 * the peer is asked like that again.  Without an answer to two of these, or without a
 * medium, what was to come over it comes over the others, and the peer is asked again and
 * again until it answers.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/random.h>

#include "conn/conn.h"
#include "link/link.h"

#define ST_QUOTA_FIRST	4	/* Blocks cleared over a way at a time, to begin with */
#define ST_WAY_MISSED	3	/* unanswered, and a way does not work */
#define ST_WAY_PROBE	(HZ / 2)	/* until the peer is asked again, at first */
#define ST_PROBE_BACKOFF	5	/* times that this doubles */

/**
 * st_strand_of - what striping knows of a way
 * @way: of a Virtual Connection with a st_sock.stripe
 *
 * Context: under st_sock.lock.
 * Return: that.
 */
struct st_strand *st_strand_of(const struct st_way *way)
{
	return &way->st->stripe->strand[way->index];
}

/**
 * st_strand_init - begin to use a way
 * @way: the way
 *
 * Context: under st_sock.lock.
 */
void st_strand_init(struct st_way *way)
{
	struct st_strand *s = st_strand_of(way);

	memset(s, 0, sizeof(*s));
	s->quota = ST_QUOTA_FIRST;
	s->probe_at = jiffies;
}

/**
 * st_way_works - whether a way has a medium
 * @way: the way, in use or not
 *
 * Context: under st_sock.lock.
 * Return: true when it has.
 */
bool st_way_works(const struct st_way *way)
{
	/* What has left its link may outlive the device */
	return way->link && !hlist_unhashed(&way->node) && netif_running(way->link->dev) &&
	       st_link_carrier(way->link) && st_link_max_stu(way->link, ST_DATA_CHANNEL);
}
EXPORT_SYMBOL_IF_KUNIT(st_way_works);

/**
 * st_way_usable - whether Blocks are cleared over a way
 * @way: of a Virtual Connection with a st_sock.stripe
 *
 * Context: under st_sock.lock.
 * Return: true when it works, as far as is known.
 */
bool st_way_usable(const struct st_way *way)
{
	return st_strand_of(way)->up && st_way_works(way);
}

/**
 * st_way_silent - whether another way may take the place of one
 * @way: the way, of a Virtual Connection with a st_sock.stripe
 *
 * Context: under st_sock.lock.
 * Return: true for one that was learnt and that the peer does not answer over.
 */
bool st_way_silent(const struct st_way *way)
{
	const struct st_strand *s = st_strand_of(way);

	return s->learnt && !s->up && s->probes == ST_PROBE_BACKOFF;
}

/* A way does not work any more, if there is another that does. */
static void st_way_down(struct st_way *way)
{
	struct st_strand *s = st_strand_of(way);
	struct st_sock *st = way->st;
	struct st_way *other;

	s->up = false;
	s->missed = 0;
	s->probing = false;
	s->probes = 0;
	other = st_stripe_other(st, way);
	if (other == way) {
		/* Op_timeouts tell */
		s->up = true;
		s->missed = 1;
		s->probes = ST_PROBE_BACKOFF;
	}
	s->probe_at = jiffies + (ST_WAY_PROBE << s->probes);
	st_timer_at(st, s->probe_at);
	if (other != way)
		st_way_leave(way, other);
}

/**
 * st_way_heard - something came over a way
 * @way: the way
 *
 * Context: under st_sock.lock.
 */
void st_way_heard(struct st_way *way)
{
	struct st_strand *s;

	if (!way->st->stripe)
		return;
	s = st_strand_of(way);
	/* Then what it sends may come and what it gets may not */
	if (!s->probing)
		s->missed = 0;
}

/**
 * st_way_missed - what was sent over a way was not answered
 * @way: the way
 *
 * Has st_ways_check() ask the peer.
 *
 * Context: under st_sock.lock.
 */
void st_way_missed(struct st_way *way)
{
	struct st_strand *s;

	if (!way->st->stripe)
		return;
	s = st_strand_of(way);
	if (!s->missed++ && !s->probing) {
		s->probes = 0;
		s->probe_at = jiffies;
	}
	st_timer_at(way->st, jiffies);
}
EXPORT_SYMBOL_IF_KUNIT(st_way_missed);

/**
 * st_way_sent - payload is sent over a way
 * @way: the way
 * @len: its bytes
 *
 * Context: under st_sock.lock.
 */
void st_way_sent(struct st_way *way, u32 len)
{
	if (way->st->stripe)
		st_strand_of(way)->tx_bytes += len;
}

/**
 * st_way_answered - a Request_State_Response came over a way
 * @way: the way
 * @op: the operation
 *
 * Context: under st_sock.lock.
 * Return: false when it is not the answer to what st_ways_check() has asked.
 */
bool st_way_answered(struct st_way *way, const struct st_op *op)
{
	struct st_sock *st = way->st;
	struct st_strand *s;

	if (!st->stripe)
		return false;
	s = st_strand_of(way);
	if (!s->probing || op->d_id != ST_ID_NONE || op->sync != s->probe)
		return false;
	s->probing = false;
	s->probes = 0;
	s->missed = 0;
	if (!s->up)
		s->quota = ST_QUOTA_FIRST;
	s->up = true;
	s->known = true;
	if (!st_way_usable(st->main))
		st->main = way;
	return true;
}

/*
 * Ask the peer over a way, with a Sync that only who gets it knows: nobody has Data sent
 * to the address of another.
 */
static void st_way_probe(struct st_way *way)
{
	struct st_strand *s = st_strand_of(way);
	struct st_sock *st = way->st;
	struct st_op op;

	st_slot_take(st, true);
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	s->probe = get_random_u32();
	op.sync = s->probe;
	op.d_id = ST_ID_NONE;
	s->probing = true;
	s->probe_at = jiffies + (ST_WAY_PROBE << s->probes);
	s->probes = min(s->probes + 1, ST_PROBE_BACKOFF);
	st_queue_op_by(way, &op);
}

/* A way that should work, and over which nothing may have come lately */
static void st_way_suspect(struct st_way *way, unsigned long now)
{
	struct st_strand *s = st_strand_of(way);

	if (time_after_eq(now, s->probe_at)) {
		s->missed += s->probing;
		if (s->missed < ST_WAY_MISSED)
			st_way_probe(way);
		else
			st_way_down(way);
	}
	st_timer_at(way->st, s->probe_at);
}

/**
 * st_ways_check - look which ways work
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: under st->lock.
 */
void st_ways_check(struct st_sock *st, unsigned long now)
{
	struct st_strand *s;
	struct st_way *way;

	if (!st->stripe || !st->stripe->joined || st->sk.sk_state != ST_ESTABLISHED)
		return;
	for (way = &st->way; way; way = st_way_next(way)) {
		s = st_strand_of(way);
		if (s->up && !st_way_works(way))
			st_way_down(way);
		if (!st_way_works(way)) {
			/* Asked at once when it has a medium */
			s->probes = 0;
			s->probe_at = now;
			continue;
		}
		if (s->up && s->missed)
			st_way_suspect(way, now);
		if (s->up)
			continue;
		if (time_after_eq(now, s->probe_at))
			st_way_probe(way);
		st_timer_at(st, s->probe_at);
	}
}

/**
 * st_way_again - the peer has to get to know a way again
 * @way: the way, of a Virtual Connection with a st_sock.stripe
 *
 * Context: under st_sock.lock.
 * Return: false when there is no other to use meanwhile; then nothing is done.
 */
bool st_way_again(struct st_way *way)
{
	if (st_stripe_other(way->st, way) == way)
		return false;
	st_way_down(way);
	st_strand_of(way)->probe_at = jiffies;
	st_timer_at(way->st, jiffies);
	return true;
}
