// SPDX-License-Identifier: GPL-2.0
/*
 * Loss detection, ST 10.7.8.
 *
 * A Source sends STUs by number (ST 6.2.7), and Blocks in the order of their Clear_To_Sends, though
 * it may choose another order (ST 8.2).  A missing STU counts as lost after as many later ones as
 * with TCP (RFC 5681 3.2).  If STUs turn out to be late rather than lost, the threshold grows: to
 * the number of STUs that have overtaken, and twice that after a Block was asked for again
 * needlessly (compare RFC 8985, and the reordering degree of RFC 4653).  If it grows so much that a
 * loss is found by Op_timeout, it shrinks again.
 *
 * A Block that is asked for again keeps its STUs and still accepts late ones, so a wrong guess
 * costs nothing but bandwidth.
 *
 * An LLP that keeps the order of a Data Channel loses STUs, too.  Detection is simpler there, see
 * delivery.c.
 */
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/window.h"

#define ST_LOSS_LATER	3	/* later STUs, or Blocks, that reveal the loss of an earlier one */
#define ST_LOSS_MORE	252	/* limit of the increase of that threshold */
#define ST_LOSS_GUESSES	12	/* for each missing Block; after that only Op_timeout */
#define ST_LOSS_BACKOFF	5U	/* times that Op_timeout doubles for a missing Block */

/*
 * One more STU, or Block, has overtaken the missing part of a Block.  As a Source may choose
 * another order, a guess does not end the Transfer.
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
 * Whether an STU of a Block may reveal the loss of earlier Data.  An STU of an earlier exposure was
 * sent before the Data that it seems to overtake.
 */
static bool st_loss_told(const struct st_sock *st, const struct st_block *blk,
			 const struct st_op *op)
{
	return st->vc.out_of_order && op->b_id == blk->mx;
}

/* Whether a Block that was cleared before another one is certain to be sent before it, too. */
static bool st_loss_first(const struct st_block *blk, const struct st_block *other)
{
	const struct st_rx *rx = blk->rx, *after = other->rx;

	if (blk->path != other->path)
		return false;
	/* The missing part of a stream may not be written yet */
	if (rx == after)
		return rx->tiling.t_len || blk->n < other->n;
	/* Records are sent in the order of their announcements */
	return rx->tiling.t_len && !rx->reads && !after->reads &&
	       (s32)(rx->x.id - after->x.id) < 0;
}

/**
 * st_loss_overtaken - an STU has arrived: Blocks sent before it may be lost
 * @st: the Virtual Connection
 * @blk: the Block of the STU
 * @op: the STU
 *
 * Asks again for Blocks that were cleared before @blk over the same path, and that now count as
 * lost.
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
 * st_loss_gap - an STU has arrived before another one of its Block, which may just be late
 * @st: the Virtual Connection
 * @blk: the Block
 * @op: the STU, not the next one
 *
 * Asks for the Block again if the missing STU now counts as lost.
 */
void st_loss_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	st_assert_locked(st);
	if (st_loss_told(st, blk, op))
		st_loss_later(st, blk);
}

/**
 * st_loss_none - a missing STU has arrived
 * @blk: the Block
 * @op: the STU
 *
 * Adapts the threshold to the reordering on the path.
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
 * Nothing has arrived for so long that the last Data may be lost.  One Block is asked for again:
 * its STUs reveal what else is missing, unless later Blocks have revealed that already; then these
 * are asked for, too.  As all of them may just be late, this does not count as a loss.  It only
 * happens with a single path, so the oldest Block of all is on that path.
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
	/* Blocks that are asked for move to the end of the list */
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

/* Ask again for the late Blocks of a path.  Return: whether it has any Blocks. */
static bool st_path_timeouts(struct st_path *path, unsigned long now)
{
	unsigned long least = MAX_JIFFY_OFFSET;
	struct st_sock *st = path->st;
	bool retried = false;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		/* The Source of a Transfer of unlimited size may have nothing to send now */
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
 * st_blocks_timeouts - ask again for missing Blocks after a timeout, ST 10.7.8
 * @st: the Virtual Connection, with st_sock.dest.sink, which may be freed by this
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
