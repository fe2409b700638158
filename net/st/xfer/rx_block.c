// SPDX-License-Identifier: GPL-2.0
/*
 * One Block at the data Destination: exposed, asked for again, over another path, forgotten.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/host.h"
#include "conn/placement.h"
#include "link/link.h"
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/stripe.h"

#define ST_PATH_TRIES		2	/* over one path, if there are others */

/**
 * st_block_timeout - Op_timeout of a Block
 * @blk: the Block
 *
 * Over an LLP that is reliable much may wait in it, and little gets lost: one for which nothing
 * says that it may be has a long one.  That is all there is to it, so that it is asked here and
 * not in struct st_delivery.
 *
 * Return: jiffies.
 */
unsigned long st_block_timeout(const struct st_block *blk)
{
	const struct st_sock *st = blk->path->st;

	st_assert_locked(st);
	if (st_link_has(blk->path->link, ST_RELIABLE) && !blk->later && !blk->in_vain)
		return st_op_timeout(st);
	return usecs_to_jiffies(st_retrans_timeout(st));
}
EXPORT_SYMBOL_IF_KUNIT(st_block_timeout);

/**
 * st_block_watch - a Block is to come
 * @blk: the Block
 */
void st_block_watch(const struct st_block *blk)
{
	const struct st_path *path = blk->path;
	unsigned long tlp = st_tlp_timeout(path->st, &path->stats.block);

	st_assert_locked(path->st);
	st_timer_at(path->st, path->progress + (tlp ?: st_block_timeout(blk)));
}

/**
 * st_path_progress - Data has come over a path, or begins to
 * @path: the path
 */
void st_path_progress(struct st_path *path)
{
	st_assert_locked(path->st);
	path->progress = jiffies;
}

/**
 * st_block_new - a Block for a place that is not in use
 * @st: the Virtual Connection, with a st_sock.dest.sink
 *
 * Return: the Block, whose mx is that place, or NULL.
 */
struct st_block *st_block_new(struct st_sock *st)
{
	struct st_block *blk;
	unsigned int i;

	st_assert_locked(st);
	for (i = 0; i < ST_BLOCKS; i++)
		if (!st->dest.sink->blocks[i])
			break;
	if (i == ST_BLOCKS)
		return NULL;
	blk = st_peer_alloc(st, sizeof(*blk));
	if (blk) {
		blk->mx = i;
		blk->mx_late = i;
	} else {
		/* Nothing else may come to try again */
		st_timer_at(st, jiffies + st_op_timeout(st));
	}
	return blk;
}

/**
 * st_block_free - a Block is not exposed any more
 * @st: the Virtual Connection
 * @blk: the Block
 */
void st_block_free(struct st_sock *st, struct st_block *blk)
{
	st_assert_owned(st);
	st_placement_cancel(st, blk->mx);
	st_placement_cancel(st, blk->mx_late);
	if (blk->paced)
		st_pace_return(blk->path, blk->len);
	blk->path->blocks--;
	st_ooo_free(st, blk);
	list_del(&blk->list);
	if (blk->rx->tiling.t_len)
		st_chunk_free(st, blk->chunk);
	st->dest.sink->blocks[blk->mx % ST_BLOCKS] = NULL;
	st_peer_free(st, blk, sizeof(*blk));
}

/**
 * st_rx_free_blocks - expose Blocks of a Transfer no more
 * @st: the Virtual Connection
 * @rx: the Transfer
 * @from: the first of them
 */
void st_rx_free_blocks(struct st_sock *st, struct st_rx *rx, u64 from)
{
	unsigned int i;

	st_assert_owned(st);
	for (i = 0; st->dest.sink && i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		if (!blk || blk->rx != rx || blk->n < from)
			continue;
		rx->out_map &= ~BIT_ULL(blk->n - rx->next);
		st_block_free(st, blk);
	}
}

/**
 * st_block_clear - clear the peer to send a Block, ST 6.1.2
 * @st: the Virtual Connection
 * @blk: the Block
 */
void st_block_clear(struct st_sock *st, const struct st_block *blk)
{
	const struct st_rx *rx = blk->rx;
	struct st_op op;

	st_assert_locked(st);
	st_op_init(st, &op, ST_OP_CLEAR_TO_SEND, 0);
	op.param = rx->tiling.blocksize;
	op.b_id = blk->mx;
	op.bufx = blk->start >> ST_BUFSIZE;
	op.offset = blk->start & (BIT(ST_BUFSIZE) - 1);
	op.b_num = st_b_num(blk->n);
	op.d_id = rx->peer_id;
	op.s_id = rx->x.id;
	st_queue_op_by(blk->path, &op);
}

/**
 * st_block_expose - clear the peer to send a Block, with a fresh Memory Index
 * @st: the Virtual Connection
 * @blk: the Block
 * @keep: what has come of it stays
 *
 * The Source begins anew then even amid the Block, and late Data of an earlier exposure finds
 * nothing, unless what has come is to @keep.
 */
void st_block_expose(struct st_sock *st, struct st_block *blk, bool keep)
{
	u16 before = blk->mx;

	st_assert_locked(st);
	/* What is being written of an exposure is taken while its late STUs are */
	if (!keep || blk->mx_late != before)
		st_placement_cancel(st, blk->mx_late);
	if (!keep)
		st_placement_cancel(st, before);
	blk->mx = (before % ST_BLOCKS + st->dest.block_gen++ * ST_BLOCKS) & ST_MX_BLOCK;
	blk->mx_late = keep ? before : blk->mx;
	blk->later = 0;
	blk->in_vain = false;
	blk->cleared = ktime_get();
	list_move_tail(&blk->list, &st->dest.sink->exposed);
	if (keep) {
		st_ooo_rewind(st, blk);
	} else {
		blk->got = 0;
		blk->stu_num = 0;
		blk->sum_got = 0;
		blk->sum_stu = 0;
		blk->ooo_map = 0;
		blk->summed = true;
		st_csum_init(&blk->csum);
	}
	st_block_clear(st, blk);
}

/*
 * What a reader may be looking at is not written to again: the Block comes into other
 * pages, if SO_RCVBUF has room for them, or when all that can be read of it is read.
 */
static bool st_block_fresh(struct st_sock *st, struct st_block *blk)
{
	u64 seen = min(blk->start + blk->shown, blk->rx->done_end);
	struct st_chunk *chunk;

	if (seen > max(blk->start + blk->kept, blk->rx->consumed)) {
		chunk = st_chunk_new(st, blk->start, blk->len, false);
		if (!chunk)
			return false;
		blk->chunk->buf->len = blk->shown;
		blk->kept = blk->shown;
		blk->chunk = chunk;
		st_chunk_insert(blk->rx, chunk);
	}
	blk->shown = 0;
	return true;
}

/**
 * st_block_move - a Block is to come another path
 * @blk: the Block
 * @path: the path
 */
void st_block_move(struct st_block *blk, struct st_path *path)
{
	st_assert_locked(path->st);
	if (blk->paced)
		st_pace_return(blk->path, blk->len);
	blk->paced = false;
	blk->path->blocks--;
	if (!path->blocks++)
		st_path_progress(path);
	blk->path = path;
	st_block_watch(blk);
}

/**
 * st_block_keeps - whether a Block that is sent once more keeps what has come of it
 * @blk: the Block
 *
 * It takes late STUs then, so that nothing is lost by asking too early.  The STUs of a stream
 * may be others the next time.
 *
 * Return: true if it does.
 */
bool st_block_keeps(const struct st_block *blk)
{
	st_assert_locked(blk->path->st);
	return blk->rx->tiling.t_len && blk->path->delivery->keeps(blk);
}

/**
 * st_block_again - have a Block sent once more
 * @st: the Virtual Connection
 * @blk: the Block
 * @keep: what has come of it stays
 *
 * Return: false without a Slot or memory for that now.
 */
bool st_block_again(struct st_sock *st, struct st_block *blk, bool keep)
{
	struct st_path *path = st_stripe_other(st, blk->path);

	st_assert_locked(st);
	if (path == blk->path && blk->tries + blk->guesses >= ST_PATH_TRIES)
		path = st_stripe_elsewhere(st, path);
	if (path != blk->path) {
		st_block_move(blk, path);
		keep = false;
	}
	/* Without a Slot it stays as it is */
	if ((!keep && st_slots_left(st) && !st_block_fresh(st, blk)) || !st_slot_take(st, false))
		return false;
	st->info.block_retries++;
	st_block_expose(st, blk, keep);
	return true;
}
