// SPDX-License-Identifier: GPL-2.0
/* A Block at the data Destination: exposed, asked for again, moved to another path, freed. */
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
 * Over a reliable LLP much Data may be queued, and little is lost, so a Block without any sign of a
 * loss gets a long timeout.  The trait has no other effect on a Block, so it is queried here and
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
 * st_block_watch - set the timer for a Block that is due
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
 * st_path_progress - Data has arrived over a path, or its placement begins
 * @path: the path
 */
void st_path_progress(struct st_path *path)
{
	st_assert_locked(path->st);
	path->progress = jiffies;
}

/**
 * st_block_new - allocate a Block with an unused Memory Index
 * @st: the Virtual Connection, with st_sock.dest.sink
 *
 * Return: the Block, with mx set to its index in st_sink.blocks, or NULL.
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
		/* Possibly nothing else will cause another try */
		st_timer_at(st, jiffies + st_op_timeout(st));
	}
	return blk;
}

/**
 * st_block_free - free a Block that is no longer exposed
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
 * st_rx_free_blocks - free the exposed Blocks of a Transfer
 * @st: the Virtual Connection
 * @rx: the Transfer
 * @from: number of the first Block to free
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
 * st_block_clear - send the Clear_To_Send of a Block, ST 6.1.2
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
 * st_block_expose - expose a Block with a fresh Memory Index
 * @st: the Virtual Connection
 * @blk: the Block
 * @keep: keep the STUs that have arrived
 *
 * The Source then starts the Block again, even in the middle.  Late Data of an earlier exposure is
 * dropped, unless @keep.
 */
void st_block_expose(struct st_sock *st, struct st_block *blk, bool keep)
{
	u16 before = blk->mx;

	st_assert_locked(st);
	/* A placement of the late exposure stays valid as long as its late STUs are accepted */
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
 * Memory that a reader may be looking at is not written again: the Block moves to other pages, if
 * SO_RCVBUF has room for them, or waits until all of it that can be read has been read.
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
 * st_block_move - move a Block to another path
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
 * st_block_keeps - whether a Block that is sent again keeps the STUs that have arrived
 * @blk: the Block
 *
 * If so, it accepts late STUs, so asking too early loses nothing.  The Block of a stream may have
 * other STUs the next time.
 *
 * Return: true if it does.
 */
bool st_block_keeps(const struct st_block *blk)
{
	st_assert_locked(blk->path->st);
	return blk->rx->tiling.t_len && blk->path->delivery->keeps(blk);
}

/**
 * st_block_again - ask for a Block again
 * @st: the Virtual Connection
 * @blk: the Block
 * @keep: keep the STUs that have arrived
 *
 * Return: false without a Slot or memory.
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
