// SPDX-License-Identifier: GPL-2.0
/*
 * What tells that an STU was lost, ST 10.7.8.
 *
 * A Source sends STUs by number (ST 6.2.7), and Blocks in the order they were cleared in,
 * though it may have an order of its own (ST 8.2).  One that is missing counts as lost when
 * as many later ones have come as with TCP (RFC 5681 3.2).  Where they turn out to have
 * been late only, more are waited for: as many as overtook them, twice as many after a Block
 * was asked for again in vain (compare RFC 8985 and the reordering degree of RFC 4653).
 * Where that becomes so many that a loss is found by Op_timeout, fewer again.
 *
 * A Block that is asked for again keeps what has come of it, and late STUs are taken
 * still, so that a wrong guess costs bandwidth and nothing else.
 *
 * An LLP that keeps the order of a Data Channel loses STUs too.  What it takes to know that is
 * less there, see delivery.c.
 */
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/window.h"

#define ST_LOSS_LATER	3	/* STUs, or Blocks, that tell the loss of one before them */
#define ST_LOSS_MORE	252	/* the most that are waited for in addition */
#define ST_LOSS_GUESSES	12	/* for each Block that does not come; then there is Op_timeout */
#define ST_LOSS_BACKOFF	5U	/* times that Op_timeout doubles for a Block that does not come */

/*
 * One more STU, or Block, has overtaken what a Block lacks.  A Source may have an order of its
 * own: what is guessed from that does not end the Transfer.
 */
static void st_loss_later(struct st_sock *st, struct st_block *blk)
{
	if (++blk->later >= ST_LOSS_LATER + blk->path->stats.reorder &&
	    blk->guesses < ST_LOSS_GUESSES && READ_ONCE(st_net_of(st)->max_retry)) {
		if (st_block_again(st, blk, st_block_keeps(blk))) {
			blk->guesses++;
			st_window_lost(blk);
		}
	} else if (blk->later == 1) {
		st_block_watch(blk);
	}
}

/*
 * Whether an STU of a Block may tell what was sent before it.  One of an earlier exposure was
 * sent before what it seems to overtake.
 */
static bool st_loss_told(const struct st_sock *st, const struct st_block *blk,
			 const struct st_op *op)
{
	return st->vc.out_of_order && op->b_id == blk->mx;
}

/*
 * Whether a Block that was cleared before another one is sent before it, and cannot come
 * after it.
 */
static bool st_loss_first(const struct st_block *blk, const struct st_block *other)
{
	const struct st_rx *rx = blk->rx, *after = other->rx;

	if (blk->path != other->path)
		return false;
	/* What a stream lacks may not be written yet */
	if (rx == after)
		return rx->tiling.t_len || blk->n < other->n;
	/* Of records, those announced first */
	return rx->tiling.t_len && !rx->reads && !after->reads &&
	       (s32)(rx->x.id - after->x.id) < 0;
}

/**
 * st_loss_overtaken - an STU has come: what was sent before it may be lost
 * @st: the Virtual Connection
 * @blk: the Block of the STU
 * @op: the STU
 *
 * Asks again for Blocks that were cleared before @blk, the same way, and that count as
 * lost now.
 */
void st_loss_overtaken(struct st_sock *st, const struct st_block *blk, const struct st_op *op)
{
	struct st_block *before, *next;

	st_assert_locked(st);
	if (!st_loss_told(st, blk, op))
		return;
	list_for_each_entry_safe(before, next, &st->dest.sink->exposed, list) {
		if (before == blk)
			break;
		if (st_loss_first(before, blk) && blk->path->delivery->overtook(blk, op, before))
			st_loss_later(st, before);
	}
}

/**
 * st_loss_gap - an STU has come before another one of its Block, which may be late only
 * @st: the Virtual Connection
 * @blk: the Block
 * @op: the STU, a later one than the next
 *
 * Asks again for the Block if what is missing counts as lost now.
 */
void st_loss_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	st_assert_locked(st);
	if (st_loss_told(st, blk, op))
		st_loss_later(st, blk);
}

/**
 * st_loss_none - an STU that was missing has come now
 * @blk: the Block
 * @op: the STU
 *
 * Learns how late STUs are here.
 */
void st_loss_none(struct st_block *blk, const struct st_op *op)
{
	struct st_path_stats *stats = &blk->path->stats;
	unsigned int more = 0;

	st_assert_locked(blk->path->st);
	if (op->b_id != blk->mx && !blk->in_vain) {
		more = 2 * stats->reorder + ST_LOSS_LATER;
		blk->in_vain = true;
	} else if (blk->mx == blk->mx_late && blk->later >= ST_LOSS_LATER) {
		more = blk->later + 1 - ST_LOSS_LATER;
	}
	stats->reorder = min(max(stats->reorder, more), ST_LOSS_MORE);
	blk->later = 0;
}

/*
 * Nothing has come for so long that what was sent last may be lost.  One Block is asked for
 * again: its STUs tell what else is, unless later Blocks have told that already; then these are
 * asked for too.  As all of them may be late only, that counts as no loss.  Where that is done
 * there is one path, so the oldest Block of all is of that.
 */
static void st_block_tlp(struct st_sock *st, struct st_path *path, unsigned long now)
{
	unsigned long tlp = st_tlp_timeout(st, &path->stats.block);
	struct st_block *blk, *next;
	bool asked = false;
	unsigned int n = 0;

	blk = list_first_entry_or_null(&st->dest.sink->exposed, struct st_block, list);
	if (!tlp || !blk || !blk->rx->tiling.t_len || !st->vc.out_of_order)
		return;
	if (time_before(now, path->progress + tlp)) {
		st_timer_at(st, path->progress + tlp);
		return;
	}
	/* Those that are asked for go to the end of the list */
	list_for_each_entry_safe(blk, next, &st->dest.sink->exposed, list) {
		if (n++ && !path->delivery->missed(blk))
			break;
		if (!st_block_again(st, blk, st_block_keeps(blk)))
			break;
		blk->in_vain = true;
		asked = true;
	}
	if (!asked)
		return;
	path->stats.block.tlp++;
	tlp = st_tlp_timeout(st, &path->stats.block);
	if (tlp)
		st_timer_at(st, path->progress + tlp);
}

/* The Blocks of a path that are late come again.  Return: whether it has any. */
static bool st_path_timeouts(struct st_path *path, unsigned long now)
{
	unsigned long least = MAX_JIFFY_OFFSET;
	struct st_sock *st = path->st;
	bool retried = false;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		/* A Source of unlimited size may have nothing to send now */
		if (!blk || blk->path != path || !blk->rx->tiling.t_len ||
		    time_before(now, path->progress + (st_block_timeout(blk) <<
						       min(blk->tries, ST_LOSS_BACKOFF))))
			continue;
		st_block_retry(st, blk, false);
		retried = true;
	}
	if (retried) {
		path->progress = now;
		path->stats.reorder /= 2;
		st_path_missed(path);
	} else {
		st_block_tlp(st, path, now);
	}
	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		if (blk && blk->path == path)
			least = min(least, st_block_timeout(blk));
	}
	if (least == MAX_JIFFY_OFFSET)
		return false;
	st_timer_at(st, now + least);
	return true;
}

/**
 * st_blocks_timeouts - ask for Blocks that do not come again, ST 10.7.8
 * @st: the Virtual Connection, with a st_sock.dest.sink, which may be gone after
 * @now: jiffies
 *
 * Context: in st_timer().
 */
void st_blocks_timeouts(struct st_sock *st, unsigned long now)
{
	bool waiting = false;
	struct st_path *path;

	st_assert_locked(st);
	for (path = &st->paths.first; path; path = st_path_next(path))
		waiting |= path->blocks && st_path_timeouts(path, now);
	if (waiting)
		return;
	if (!st->dest.count && time_after_eq(now, st->dest.sink->used + st_sink_keep(st)))
		st_sink_free(st);
	else if (!st->dest.count)
		st_timer_at(st, st->dest.sink->used + st_sink_keep(st));
}
