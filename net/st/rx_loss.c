// SPDX-License-Identifier: GPL-2.0
/*
 * What tells that an STU was lost, ST 10.7.8, over an LLP that does not keep the order.
 *
 * A Source sends Blocks in the order they were cleared in, and STUs by number.  One that
 * is missing counts as lost when as many later ones have come as with TCP (RFC 5681 3.2).
 * Where STUs turn out to have been late only, more are waited for: as many as overtook
 * them, twice as many after a Block was asked for again in vain (compare RFC 8985 and
 * the reordering degree of RFC 4653).  Where that becomes so many that a loss is found
 * by Op_timeout, fewer again.
 *
 * A Block that is asked for again keeps what has come of it, and late STUs are taken
 * still, so that a wrong guess costs bandwidth and nothing else.
 */
#include "st.h"

#define ST_LOSS_LATER	3	/* STUs that tell the loss of one before them */
#define ST_LOSS_MORE	252	/* the most that are waited for in addition */
#define ST_LOSS_TRIES	3U	/* of Max_Retry; the others are left to Op_timeouts */

/*
 * One more STU has overtaken what a Block lacks.  A Source may have an order of its own:
 * what is guessed from that does not end the Transfer.
 */
static void st_loss_later(struct st_sock *st, struct st_block *blk)
{
	unsigned int tries = min(READ_ONCE(st_net_of(st)->max_retry), ST_LOSS_TRIES);

	if (++blk->later >= ST_LOSS_LATER + blk->way->path.reorder && blk->tries < tries)
		st_block_retry(st, blk, false);
}

static bool st_loss_told(const struct st_sock *st, const struct st_block *blk)
{
	return st->out_of_order && !blk->way->link->llp->in_order;
}

/**
 * st_loss_overtaken - an STU has come: what was sent before it may be lost
 * @st: the Virtual Connection
 * @blk: the Block of the STU
 * @op: the STU
 *
 * Asks again for Blocks that were cleared before @blk, the same way, and that count as
 * lost now.
 *
 * Context: under st->lock.
 * Return: false when the Transfer has been given up, and @blk is gone.
 */
bool st_loss_overtaken(struct st_sock *st, const struct st_block *blk, const struct st_op *op)
{
	struct st_block *before, *next;
	struct st_rx *rx = blk->rx;

	/* One of an earlier exposure was sent before what it seems to overtake */
	if (!st_loss_told(st, blk) || op->b_id != blk->mx)
		return true;
	list_for_each_entry_safe(before, next, &rx->exposed, list) {
		if (before == blk)
			break;
		if (before->way != blk->way)
			continue;
		st_loss_later(st, before);
		if (rx->ended)
			return false;
	}
	return true;
}

/**
 * st_loss_gap - an STU has come before another one of its Block
 * @st: the Virtual Connection
 * @blk: the Block; may be gone after
 * @op: the STU, a later one than the next
 *
 * Asks again for the Block if what is missing counts as lost now.
 *
 * Context: under st->lock.
 */
void st_loss_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	if (st_loss_told(st, blk) && op->b_id == blk->mx)
		st_loss_later(st, blk);
}

/**
 * st_loss_none - an STU that was missing has come now
 * @blk: the Block
 * @op: the STU
 *
 * Learns how late STUs are here.
 *
 * Context: under st->lock.
 */
void st_loss_none(struct st_block *blk, const struct st_op *op)
{
	struct st_path *path = &blk->way->path;
	unsigned int more = 0;

	if (op->b_id != blk->mx && !blk->in_vain) {
		more = 2 * path->reorder + ST_LOSS_LATER;
		blk->in_vain = true;
	} else if (blk->mx == blk->mx_late && blk->later >= ST_LOSS_LATER) {
		more = blk->later + 1 - ST_LOSS_LATER;
	}
	path->reorder = min(max(path->reorder, more), ST_LOSS_MORE);
	blk->later = 0;
}

/**
 * st_loss_timeout - a loss was found by Op_timeout only
 * @way: which way
 *
 * Context: under st_sock.lock.
 */
void st_loss_timeout(struct st_way *way)
{
	way->path.reorder /= 2;
}
