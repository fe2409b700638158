// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the paths of a striped Virtual Connection work, ST annex B.
 *
 * Nothing is cleared or sent over a path, but for answers, before the peer has answered a
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
#include "link/route.h"

#define ST_QUOTA_FIRST	4	/* Blocks cleared over a path at a time, to begin with */
#define ST_PATH_MISSED	3	/* unanswered, and a path does not work */
#define ST_PATH_PROBE	(HZ / 2)	/* until the peer is asked again, at first */
#define ST_PROBE_BACKOFF	5	/* times that this doubles */

/**
 * st_probe_of - what striping knows of a path
 * @path: of a Virtual Connection with a st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: that.
 */
struct st_probe *st_probe_of(const struct st_path *path)
{
	return &path->st->paths.stripe->probe[path->index];
}

/**
 * st_probe_init - begin to use a path
 * @path: the path
 *
 * Context: under st_sock.lock.
 */
void st_probe_init(struct st_path *path)
{
	struct st_probe *s = st_probe_of(path);

	memset(s, 0, sizeof(*s));
	s->quota = ST_QUOTA_FIRST;
	s->probe_at = jiffies;
}

/**
 * st_path_works - whether a path has a medium, and a route where it needs one
 * @path: the path, in use or not
 *
 * Context: under st_sock.lock.
 * Return: true when it has.
 */
bool st_path_works(const struct st_path *path)
{
	/* What has left its link may outlive the device */
	return path->link && !hlist_unhashed(&path->node) && netif_running(path->link->dev) &&
	       st_link_carrier(path->link) && st_link_max_stu(path->link, ST_DATA_CHANNEL) &&
	       (!path->route || st_route_is_up(path->route));
}
EXPORT_SYMBOL_IF_KUNIT(st_path_works);

/**
 * st_path_usable - whether Blocks are cleared over a path
 * @path: of a Virtual Connection with a st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: true when it works, as far as is known.
 */
bool st_path_usable(const struct st_path *path)
{
	return st_probe_of(path)->up && st_path_works(path);
}

/**
 * st_path_silent - whether another path may take the place of one
 * @path: the path, of a Virtual Connection with a st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: true for one that was learnt and that the peer does not answer over, or whose route
 * fails.
 */
bool st_path_silent(const struct st_path *path)
{
	const struct st_probe *s = st_probe_of(path);

	return s->learnt && !s->up &&
	       (s->probes == ST_PROBE_BACKOFF || s->routes == ST_PROBE_BACKOFF);
}

/* A path does not work any more, if there is another that does. */
static void st_path_down(struct st_path *path)
{
	struct st_probe *s = st_probe_of(path);
	struct st_sock *st = path->st;
	struct st_path *other;

	s->up = false;
	s->missed = 0;
	s->probing = false;
	s->probes = 0;
	other = st_stripe_other(st, path);
	if (other == path) {
		/* Op_timeouts tell */
		s->up = true;
		s->missed = 1;
		s->probes = ST_PROBE_BACKOFF;
	}
	s->probe_at = jiffies + (ST_PATH_PROBE << s->probes);
	st_timer_at(st, s->probe_at);
	if (other != path)
		st_path_leave(path, other);
}

/**
 * st_path_heard - something came over a path
 * @path: the path
 *
 * Context: under st_sock.lock.
 */
void st_path_heard(struct st_path *path)
{
	struct st_probe *s;

	if (!path->st->paths.stripe)
		return;
	s = st_probe_of(path);
	/* Then what it sends may come and what it gets may not */
	if (!s->probing)
		s->missed = 0;
}

/**
 * st_path_missed - what was sent over a path was not answered
 * @path: the path
 *
 * Has st_paths_check() ask the peer.
 *
 * Context: under st_sock.lock.
 */
void st_path_missed(struct st_path *path)
{
	struct st_probe *s;

	if (!path->st->paths.stripe)
		return;
	s = st_probe_of(path);
	if (!s->missed++ && !s->probing) {
		s->probes = 0;
		s->probe_at = jiffies;
	}
	st_timer_at(path->st, jiffies);
}
EXPORT_SYMBOL_IF_KUNIT(st_path_missed);

/**
 * st_path_sent - payload is sent over a path
 * @path: the path
 * @len: its bytes
 *
 * Context: under st_sock.lock.
 */
void st_path_sent(struct st_path *path, u32 len)
{
	if (path->st->paths.stripe)
		st_probe_of(path)->tx_bytes += len;
}

/**
 * st_path_answered - a Request_State_Response came over a path
 * @path: the path
 * @op: the operation
 *
 * Context: under st_sock.lock.
 * Return: false when it is not the answer to what st_paths_check() has asked.
 */
bool st_path_answered(struct st_path *path, const struct st_op *op)
{
	struct st_sock *st = path->st;
	struct st_probe *s;

	if (!st->paths.stripe)
		return false;
	s = st_probe_of(path);
	if (!s->probing || op->d_id != ST_ID_NONE || op->sync != s->sync)
		return false;
	s->probing = false;
	s->probes = 0;
	s->routes = 0;
	s->resting = false;
	s->missed = 0;
	if (!s->up)
		s->quota = ST_QUOTA_FIRST;
	s->up = true;
	s->known = true;
	if (!st_path_usable(st->paths.main))
		st->paths.main = path;
	return true;
}

/*
 * Ask the peer over a path, with a Sync that only who gets it knows: nobody has Data sent
 * to the address of another.
 */
static void st_path_probe(struct st_path *path)
{
	struct st_probe *s = st_probe_of(path);
	struct st_sock *st = path->st;
	struct st_op op;

	st_slot_take(st, true);
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	s->sync = get_random_u32();
	op.sync = s->sync;
	op.d_id = ST_ID_NONE;
	s->probing = true;
	s->probe_at = jiffies + (ST_PATH_PROBE << s->probes);
	s->probes = min(s->probes + 1, ST_PROBE_BACKOFF);
	st_queue_op_by(path, &op);
}

/* A path that should work, and over which nothing may have come lately */
static void st_path_suspect(struct st_path *path, unsigned long now)
{
	struct st_probe *s = st_probe_of(path);

	if (time_after_eq(now, s->probe_at)) {
		s->missed += s->probing;
		if (s->missed < ST_PATH_MISSED)
			st_path_probe(path);
		else
			st_path_down(path);
	}
	st_timer_at(path->st, s->probe_at);
}

/* A route that has failed is set up again, later each time. */
static void st_path_reroute(struct st_path *path, unsigned long now)
{
	struct st_probe *s = st_probe_of(path);

	if (!path->route)
		return;
	if (!st_route_rests(path->route)) {
		/* Another user may have had it set up */
		s->resting = false;
		return;
	}
	if (!s->resting) {
		s->resting = true;
		s->route_at = now + (ST_PATH_PROBE << s->routes);
		s->routes = min(s->routes + 1, ST_PROBE_BACKOFF);
	}
	if (time_before(now, s->route_at)) {
		st_timer_at(path->st, s->route_at);
		return;
	}
	s->resting = false;
	st_route_want(path->route);
}

/**
 * st_paths_check - look which paths work
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: under st->lock.
 */
void st_paths_check(struct st_sock *st, unsigned long now)
{
	struct st_probe *s;
	struct st_path *path;

	if (!st->paths.stripe || !st->paths.stripe->joined || st->sk.sk_state != ST_ESTABLISHED)
		return;
	for (path = &st->paths.first; path; path = st_path_next(path)) {
		s = st_probe_of(path);
		if (s->up && !st_path_works(path))
			st_path_down(path);
		st_path_reroute(path, now);
		if (!st_path_works(path)) {
			/* Asked at once when it has a medium */
			s->probes = 0;
			s->probe_at = now;
			continue;
		}
		if (s->up && s->missed)
			st_path_suspect(path, now);
		if (s->up)
			continue;
		if (time_after_eq(now, s->probe_at))
			st_path_probe(path);
		st_timer_at(st, s->probe_at);
	}
}

/**
 * st_path_again - the peer has to get to know a path again
 * @path: the path, of a Virtual Connection with a st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: false when there is no other to use meanwhile; then nothing is done.
 */
bool st_path_again(struct st_path *path)
{
	if (st_stripe_other(path->st, path) == path)
		return false;
	st_path_down(path);
	st_probe_of(path)->probe_at = jiffies;
	st_timer_at(path->st, jiffies);
	return true;
}

/**
 * st_path_failed - the route of a path has failed
 * @path: the path, which is in use
 *
 * Context: under st_sock.lock.
 * Return: true when it is left, and the route set up again later; false when there is no other that
 * is known and whose route is not as bad, so that the Virtual Connection ends.
 */
bool st_path_failed(struct st_path *path)
{
	struct st_sock *st = path->st;
	struct st_path *other;

	st_assert_locked(st);
	if (!st->paths.stripe)
		return false;
	for (other = &st->paths.first; other; other = st_path_next(other))
		if (other != path && other->link && !hlist_unhashed(&other->node) &&
		    st_probe_of(other)->known &&
		    !(other->route && st_route_rests(other->route)))
			break;
	if (!other)
		return false;
	if (st_probe_of(path)->up)
		st_path_down(path);
	st_paths_check(st, jiffies);
	return true;
}
