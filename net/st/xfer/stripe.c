// SPDX-License-Identifier: GPL-2.0
/*
 * Striping, ST annex B: the Blocks of a Transfer come over several links.
 *
 * The data Destination decides: the Source sends a Block over the path that its
 * Clear_To_Send came (B.3, B.4).  Every path has as many Blocks on it as its quota says,
 * so that one that comes is followed by another over the same way, and each has as many
 * as it can carry.  A quota grows with every Block while it is used up.  It is halved
 * when the oldest Block has come over that path so late that all that may be cleared is,
 * and another path has nothing to do.
 *
 * The peer's other addresses are told by the application or by the administrator, or
 * learnt from the operations that come from there with the right Key (B.1).
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "xfer/delivery.h"
#include "xfer/stripe.h"

#define ST_QUOTA_MAX		32	/* Blocks */
#define ST_PATH_REST		(60 * HZ)
#define ST_STRIPE_BLOCKS	4	/* of a Transfer for each way, at least */
#define ST_STRIPE_BLOCKSIZE	13	/* log2, shorter ones are not made for that */

/* Whether no Blocks come over a path for a while, though it works. */
static bool st_stripe_rests(const struct st_path *path)
{
	struct st_probe *s = st_probe_of(path);

	if (!s->quota && time_after_eq(jiffies, s->rest_until))
		s->quota = 1;
	return !s->quota;
}

/* Whether a Block may be cleared over a path now; where it must wait, the timer asks again. */
static bool st_stripe_take(struct st_path *path, u64 len)
{
	if (st_pace_take(path, len))
		return true;
	st_timer_at(path->st, jiffies + ST_PACE_HOLD);
	return false;
}

/**
 * st_stripe_choose - the path to clear a Block over, and room there
 * @st: the Virtual Connection
 * @rx: the Transfer, with Block boundaries
 * @len: bytes of the Block
 *
 * Return: the path, on which the Block counts as st_pace_take() says; NULL when there is
 * no room now.
 */
struct st_path *st_stripe_choose(struct st_sock *st, const struct st_rx *rx, u64 len)
{
	struct st_stripe *stripe = st->paths.stripe;
	bool usable = false;
	unsigned int i;

	st_assert_locked(st);
	for (i = 1; stripe && i <= ST_PATHS_MAX; i++) {
		unsigned int turn = (stripe->turn + i) % ST_PATHS_MAX;
		struct st_path *path = st_path_at(st, turn);

		if (!st_path_usable(path) || st_stripe_rests(path))
			continue;
		usable = true;
		if (path->blocks < stripe->probe[turn].quota &&
		    path->delivery->open(path, rx, path->blocks) && st_stripe_take(path, len)) {
			stripe->turn = turn;
			return path;
		}
	}
	/* Where none is known to work, Op_timeouts tell */
	if (usable || !st->paths.main->delivery->open(st->paths.main, rx, hweight64(rx->out_map)) ||
	    !st_stripe_take(st->paths.main, len))
		return NULL;
	return st->paths.main;
}

/**
 * st_stripe_elsewhere - a Block does not come over a path, again and again
 * @st: the Virtual Connection
 * @path: the path; the peer answers over it, as frames that are short get through
 *
 * Return: another path that works, if there is one, and then no Blocks are cleared over
 * @path for a while.
 */
struct st_path *st_stripe_elsewhere(struct st_sock *st, struct st_path *path)
{
	struct st_path *other = st->paths.stripe ? st_stripe_best(st, path) : path;

	st_assert_locked(st);
	if (other != path) {
		st_probe_of(path)->quota = 0;
		st_probe_of(path)->rest_until = jiffies + ST_PATH_REST;
	}
	return other;
}

/* Whether a path could carry Blocks and has none. */
static bool st_stripe_idle(struct st_sock *st)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		if (st_path_usable(path) && !st_stripe_rests(path) && !path->blocks)
			return true;
	return false;
}

/**
 * st_stripe_stalled - all Blocks are cleared that can be, before the oldest has come
 * @st: the Virtual Connection
 * @rx: the Transfer
 */
void st_stripe_stalled(struct st_sock *st, const struct st_rx *rx)
{
	struct st_stripe *stripe = st->paths.stripe;
	const struct st_block *blk;

	st_assert_locked(st);
	if (!stripe || stripe->stalled == rx->next + 1 || !st_stripe_idle(st))
		return;
	list_for_each_entry(blk, &st->dest.sink->exposed, list) {
		if (blk->rx == rx && blk->n == rx->next) {
			struct st_probe *s = st_probe_of(blk->path);

			s->quota = max(s->quota / 2, 1U);
			stripe->stalled = rx->next + 1;
			return;
		}
	}
}

/**
 * st_stripe_arrived - a Block has come
 * @path: which path; the Block still counts in st_path.blocks
 * @len: its bytes
 */
void st_stripe_arrived(struct st_path *path, u64 len)
{
	struct st_probe *s;

	st_assert_locked(path->st);
	if (!path->st->paths.stripe)
		return;
	s = st_probe_of(path);
	s->rx_bytes += len;
	if (s->quota && path->blocks >= s->quota && s->quota < ST_QUOTA_MAX)
		s->quota++;
}

/* How many paths Blocks are cleared over. */
static unsigned int st_stripe_usable(struct st_sock *st)
{
	unsigned int n = 0;
	struct st_path *path;

	if (!st->paths.stripe)
		return 1;
	for (path = &st->paths.first; path; path = st_path_next(path))
		n += st_path_usable(path);
	return n ?: 1;
}

/**
 * st_stripe_blocks - Blocks of a Transfer that may be exposed at a time, ST B.1
 * @st: the Virtual Connection
 * @limit: as many over one path
 *
 * Return: Blocks.
 */
unsigned int st_stripe_blocks(struct st_sock *st, unsigned int limit)
{
	st_assert_locked(st);
	return min_t(unsigned int, limit * st_stripe_usable(st), ST_BLOCKS);
}

/**
 * st_stripe_blocksize - Blocksize of a Transfer that begins, ST B.1
 * @st: the Virtual Connection
 * @t_len: bytes of the Transfer; 0: unlimited
 * @size: log2, what it would be over any of the paths
 *
 * Return: log2, so that there are some Blocks for each way.
 */
unsigned int st_stripe_blocksize(struct st_sock *st, u64 t_len, unsigned int size)
{
	unsigned int paths = st_stripe_usable(st);
	u64 share = div_u64(t_len, paths * ST_STRIPE_BLOCKS);

	st_assert_locked(st);
	if (paths == 1 || !t_len)
		return size;
	return min_t(unsigned int, size,
		     max_t(unsigned int, ilog2(share | 1), ST_STRIPE_BLOCKSIZE));
}
