// SPDX-License-Identifier: GPL-2.0
/*
 * Striping, ST annex B: the Blocks of a Transfer arrive over several links.
 *
 * The data Destination decides: the Source sends a Block over the path that its Clear_To_Send has
 * taken (B.3, B.4).  Every path has as many Blocks under way as its quota, so a Block that arrives
 * is followed by another over the same path, and each path has as many as it can carry.  A quota
 * grows with every Block while it is used up.  It is halved when the oldest Block over that path is
 * so late that nothing more may be cleared, and another path is idle.
 *
 * The other addresses of the peer are set by the application or the administrator, or learnt from
 * operations that come from there with the right Key (B.1).
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "xfer/delivery.h"
#include "xfer/stripe.h"

#define ST_QUOTA_MAX		32	/* Blocks */
#define ST_PATH_REST		(60 * HZ)
#define ST_STRIPE_BLOCKS	4	/* of a Transfer for each path, at least */
#define ST_STRIPE_BLOCKSIZE	13	/* log2; Blocks are not made shorter for striping */

/* Whether a path is not used for Blocks for a while, though it works. */
static bool st_stripe_rests(const struct st_path *path)
{
	struct st_probe *s = st_probe_of(path);

	if (!s->quota && time_after_eq(jiffies, s->rest_until))
		s->quota = 1;
	return !s->quota;
}

/* Whether a Block may be cleared over a path now; if not, a timer is set for the next try. */
static bool st_stripe_take(struct st_path *path, u64 len)
{
	if (st_pace_take(path, len))
		return true;
	st_timer_at(path->st, jiffies + ST_PACE_HOLD);
	return false;
}

/**
 * st_stripe_choose - choose the path for a Block, and reserve room there
 * @st: the Virtual Connection
 * @rx: the Transfer, with Block boundaries
 * @len: length of the Block, bytes
 *
 * Return: the path, with room as by st_pace_take(); NULL without room.
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
	/* If no path is known to work, rely on Op_timeout */
	if (usable || !st->paths.main->delivery->open(st->paths.main, rx, hweight64(rx->out_map)) ||
	    !st_stripe_take(st->paths.main, len))
		return NULL;
	return st->paths.main;
}

/**
 * st_stripe_elsewhere - a Block was lost again and again over a path
 * @st: the Virtual Connection
 * @path: the path; the peer answers over it, as short frames do arrive
 *
 * Return: another working path, if any; Blocks are not cleared over @path for a while then.
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

/* Whether a usable path has no Blocks. */
static bool st_stripe_idle(struct st_sock *st)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		if (st_path_usable(path) && !st_stripe_rests(path) && !path->blocks)
			return true;
	return false;
}

/**
 * st_stripe_stalled - everything possible is cleared, and the oldest Block has not arrived
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
 * st_stripe_arrived - a Block has arrived
 * @path: its path; the Block still counts in st_path.blocks
 * @len: length of the Block, bytes
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

/* Count the paths that Blocks are cleared over. */
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
 * st_stripe_blocks - the limit of exposed Blocks of a Transfer, ST B.1
 * @st: the Virtual Connection
 * @limit: the limit over one path
 *
 * Return: Blocks.
 */
unsigned int st_stripe_blocks(struct st_sock *st, unsigned int limit)
{
	st_assert_locked(st);
	return min_t(unsigned int, limit * st_stripe_usable(st), ST_BLOCKS);
}

/**
 * st_stripe_blocksize - the Blocksize of a new Transfer, ST B.1
 * @st: the Virtual Connection
 * @t_len: length of the Transfer, bytes; 0: unlimited
 * @size: log2, the Blocksize without striping
 *
 * Return: log2, such that every path gets some Blocks.
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
