// SPDX-License-Identifier: GPL-2.0
/*
 * Liveness of the paths of a striped Virtual Connection, ST annex B.
 *
 * Apart from answers, nothing is cleared or sent over a path before the peer has answered a
 * Request_State over it (ST 6.1.1.1), the probe.  When an operation over the path has no answer,
 * the path is probed again.  After two unanswered probes, or without a medium, what was to arrive
 * over the path is moved to the others, and the path is probed until the peer answers.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/random.h>

#include "conn/conn.h"
#include "link/link.h"
#include "link/route.h"

#define ST_QUOTA_FIRST	4	/* initial limit of Blocks under way over a path */
#define ST_PATH_MISSED	3	/* unanswered operations after which a path counts as dead */
#define ST_PATH_PROBE	(HZ / 2)	/* initial interval of probes */
#define ST_PROBE_BACKOFF	5	/* times that the interval doubles */

/**
 * st_probe_of - the striping state of a path
 * @path: path of a Virtual Connection with st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: that state.
 */
struct st_probe *st_probe_of(const struct st_path *path)
{
	return &path->st->paths.stripe->probe[path->index];
}

/**
 * st_probe_init - initialize the striping state of a new path
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
 * st_path_works - whether a path has a medium, and the route that it needs
 * @path: the path, in use or not
 *
 * Context: under st_sock.lock.
 * Return: true when it has.
 */
bool st_path_works(const struct st_path *path)
{
	/* A path that has left its link may outlive the device */
	return path->link && !hlist_unhashed(&path->node) && netif_running(path->link->dev) &&
	       st_link_carrier(path->link) && st_link_max_stu(path->link, ST_DATA_CHANNEL) &&
	       (!path->route || st_route_is_up(path->route));
}
EXPORT_SYMBOL_IF_KUNIT(st_path_works);

/**
 * st_path_usable - whether Blocks may be cleared over a path
 * @path: path of a Virtual Connection with st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: true when it works, as far as is known.
 */
bool st_path_usable(const struct st_path *path)
{
	return st_probe_of(path)->up && st_path_works(path);
}

/**
 * st_path_silent - whether a path may be replaced by another one
 * @path: path of a Virtual Connection with st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: true for a learnt path over which the peer does not answer, or whose route fails.
 */
bool st_path_silent(const struct st_path *path)
{
	const struct st_probe *s = st_probe_of(path);

	return s->learnt && !s->up &&
	       (s->probes == ST_PROBE_BACKOFF || s->routes == ST_PROBE_BACKOFF);
}

/* Take a path out of use, if another one works. */
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
		/* Rely on Op_timeout */
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
 * st_path_heard - an operation has arrived over a path
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
	/* An arrival proves only one direction: keep waiting for the answer to the probe */
	if (!s->probing)
		s->missed = 0;
}

/**
 * st_path_missed - an operation over a path has no answer
 * @path: the path
 *
 * st_paths_check() will probe the path.
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
 * st_path_sent - count payload sent over a path
 * @path: the path
 * @len: length of the payload, bytes
 *
 * Context: under st_sock.lock.
 */
void st_path_sent(struct st_path *path, u32 len)
{
	if (path->st->paths.stripe)
		st_probe_of(path)->tx_bytes += len;
}

/**
 * st_path_answered - a Request_State_Response has arrived over a path
 * @path: the path
 * @op: the operation
 *
 * Context: under st_sock.lock.
 * Return: false when it does not answer a probe.
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
 * Probe a path, with a Sync that only its receiver knows: nobody can direct Data to the address of
 * another host.
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

/* Probe a path that should work, and over which nothing may have arrived lately. */
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

/* Request a failed route again, with a back-off. */
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
 * st_paths_check - probe paths, and take them in and out of use
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
			/* Probe at once when it has a medium again */
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
 * st_path_again - require a path to be probed before its next use
 * @path: path of a Virtual Connection with st_sock.paths.stripe
 *
 * Context: under st_sock.lock.
 * Return: false without another path to use meanwhile; then nothing is done.
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
 * @path: the path, in use
 *
 * Context: under st_sock.lock.
 * Return: true when the path is left and its route is requested again later; false without another
 * known path whose route is in a better state, so the Virtual Connection ends.
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
