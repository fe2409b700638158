// SPDX-License-Identifier: GPL-2.0
/*
 * Which Blocks the data Destination exposes, and where, ST 6.1.2.
 *
 * Buffers are numbered along the Transfer: byte p of it is in the buffer
 * p >> ST_BUFSIZE, so that Offsets are those of the Transfer and F_Offset is
 * zero.  Where such a byte lies in memory is known by the Block.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>

#include "conn/host.h"
#include "conn/placement.h"
#include "xfer/rx.h"
#include "xfer/rx_block.h"
#include "xfer/stripe.h"

#define ST_WAY_TRIES		2	/* over one way, if there are others */
#define ST_RX_BLOCKSIZE_OPEN	13	/* log2, of a Transfer of unlimited size */

/**
 * st_chunk_free - give back received bytes
 * @st: the Virtual Connection
 * @chunk: the bytes, on no list, or NULL
 *
 * Context: under st->lock.
 */
void st_chunk_free(struct st_sock *st, struct st_chunk *chunk)
{
	if (!chunk)
		return;
	st_rx_buf_free(st, chunk->buf);
	st_peer_free(st, chunk, sizeof(*chunk));
}

/**
 * st_chunk_new - memory for bytes of a Transfer
 * @st: the Virtual Connection
 * @start: place of the first byte in the Transfer
 * @len: bytes
 * @first: a reader has nothing until they have come, so SO_RCVBUF does not hold them up
 *
 * Context: under st->lock.
 * Return: the memory, on no list, or NULL.
 */
struct st_chunk *st_chunk_new(struct st_sock *st, u64 start, u64 len, bool first)
{
	struct st_chunk *chunk;

	if (!first && st->rx_mem && st->rx_mem + len > READ_ONCE(st->sk.sk_rcvbuf))
		return NULL;
	chunk = st_peer_alloc(st, sizeof(*chunk));
	if (!chunk)
		goto nomem;
	chunk->start = start;
	chunk->buf = st_rx_buf_alloc(st, len);
	if (chunk->buf)
		return chunk;
	st_peer_free(st, chunk, sizeof(*chunk));
nomem:
	/* Nothing else will come to try again */
	st_timer_at(st, jiffies + st_op_timeout(st));
	return NULL;
}

/**
 * st_chunk_insert - bytes to read
 * @rx: the Transfer
 * @chunk: the bytes
 *
 * Chunks are read in order; Blocks may be complete in any.  Of two with the same
 * place the one that was there before is read first.
 *
 * Context: under st->lock.
 */
void st_chunk_insert(struct st_rx *rx, struct st_chunk *chunk)
{
	struct st_chunk *before;

	list_for_each_entry_reverse(before, &rx->chunks, list)
		if (before->start <= chunk->start)
			break;
	list_add(&chunk->list, &before->list);
}

/**
 * st_block_free - a Block is not exposed any more
 * @st: the Virtual Connection
 * @blk: the Block
 *
 * Context: under st->lock.
 */
void st_block_free(struct st_sock *st, struct st_block *blk)
{
	st_target_cancel(st, blk->mx);
	st_target_cancel(st, blk->mx_late);
	if (blk->paced)
		st_pace_return(blk->way, blk->len);
	blk->way->blocks--;
	st_early_free(st, blk);
	list_del(&blk->list);
	if (blk->rx->tiling.t_len)
		st_chunk_free(st, blk->chunk);
	st->sink->blocks[blk->mx % ST_BLOCKS] = NULL;
	st_peer_free(st, blk, sizeof(*blk));
}

/**
 * st_rx_free_blocks - expose Blocks of a Transfer no more
 * @st: the Virtual Connection
 * @rx: the Transfer
 * @from: the first of them
 *
 * Context: under st->lock.
 */
void st_rx_free_blocks(struct st_sock *st, struct st_rx *rx, u64 from)
{
	unsigned int i;

	for (i = 0; st->sink && i < ST_BLOCKS; i++) {
		struct st_block *blk = st->sink->blocks[i];

		if (!blk || blk->rx != rx || blk->n < from)
			continue;
		rx->out_map &= ~BIT_ULL(blk->n - rx->next);
		st_block_free(st, blk);
	}
}

/**
 * st_rx_exposed_end - where the memory of the next Block begins
 * @rx: the Transfer
 *
 * Context: under st->lock.
 * Return: the first byte of the Transfer that was never exposed.
 */
u64 st_rx_exposed_end(const struct st_rx *rx)
{
	return rx->tiled ? st_block_start(&rx->tiling, rx->high) : 0;
}

/* Block boundaries are fixed when the first Block is exposed, ST 6.2.6. */
static void st_rx_tile(struct st_sock *st, struct st_rx *rx)
{
	unsigned int size;

	if (rx->tiled)
		return;
	if (rx->ubuf)
		size = ST_BUFSIZE;
	else if (!rx->tiling.t_len)
		size = ST_RX_BLOCKSIZE_OPEN;
	else
		size = clamp(ilog2(READ_ONCE(st->sk.sk_rcvbuf)) - 1, ST_BLOCK_MIN, ST_BUFSIZE);
	size = st_stripe_blocksize(st, rx->tiling.t_len, st_window_blocksize(st, size));
	rx->tiling.blocksize = min3(size, (unsigned int)st->block_max,
				    (unsigned int)rx->max_block);
	rx->tiled = true;
}

/**
 * st_block_clear - clear the peer to send a Block, ST 6.1.2
 * @st: the Virtual Connection
 * @blk: the Block
 *
 * Context: under st->lock.
 */
void st_block_clear(struct st_sock *st, const struct st_block *blk)
{
	const struct st_rx *rx = blk->rx;
	struct st_op op;

	st_op_init(st, &op, ST_OP_CLEAR_TO_SEND, 0);
	op.param = rx->tiling.blocksize;
	op.b_id = blk->mx;
	op.bufx = blk->start >> ST_BUFSIZE;
	op.offset = blk->start & (BIT(ST_BUFSIZE) - 1);
	op.b_num = st_b_num(blk->n);
	op.d_id = rx->peer_id;
	op.s_id = rx->x.id;
	st_queue_op_by(blk->way, &op);
}

/*
 * A fresh Memory Index, so that the Source begins anew even amid the Block, and late Data
 * of an earlier exposure finds nothing, unless what has come is to @keep.
 */
static void st_block_expose(struct st_sock *st, struct st_block *blk, bool keep)
{
	u16 before = blk->mx;

	/* What is being written of an exposure is taken while its late STUs are */
	if (!keep || blk->mx_late != before)
		st_target_cancel(st, blk->mx_late);
	if (!keep)
		st_target_cancel(st, before);
	blk->mx = (before % ST_BLOCKS + st->block_gen++ * ST_BLOCKS) & ST_MX_BLOCK;
	blk->mx_late = keep ? before : blk->mx;
	blk->later = 0;
	blk->in_vain = false;
	blk->cleared = ktime_get();
	list_move_tail(&blk->list, &st->sink->exposed);
	if (keep) {
		st_early_rewind(st, blk);
	} else {
		blk->got = 0;
		blk->stu_num = 0;
		blk->sum_got = 0;
		blk->sum_stu = 0;
		blk->early_map = 0;
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

/* A Block is to come another way. */
static void st_block_move(struct st_block *blk, struct st_way *way)
{
	if (blk->paced)
		st_pace_return(blk->way, blk->len);
	blk->paced = false;
	blk->way->blocks--;
	if (!way->blocks++)
		st_way_progress(way);
	blk->way = way;
	st_block_watch(blk);
}

/**
 * st_block_keeps - whether a Block that is sent once more keeps what has come of it
 * @blk: the Block
 *
 * It takes late STUs then, so that nothing is lost by asking too early.  The STUs of a stream
 * may be others the next time.  An LLP that places STUs as they arrive has no place for one
 * that is there.
 *
 * Context: under st_sock.lock.
 * Return: true if it does.
 */
bool st_block_keeps(const struct st_block *blk)
{
	return blk->rx->tiling.t_len &&
	       (!blk->way->link->llp->in_order || !st_block_begun(blk));
}

/**
 * st_block_again - have a Block sent once more
 * @st: the Virtual Connection
 * @blk: the Block
 * @keep: what has come of it stays
 *
 * Context: under st->lock.
 * Return: false without a Slot or memory for that now.
 */
bool st_block_again(struct st_sock *st, struct st_block *blk, bool keep)
{
	struct st_way *way = st_stripe_other(st, blk->way);

	if (way == blk->way && blk->tries + blk->guesses >= ST_WAY_TRIES)
		way = st_stripe_elsewhere(st, way);
	if (way != blk->way) {
		st_block_move(blk, way);
		keep = false;
	}
	/* Without a Slot it stays as it is */
	if ((!keep && st_slots_left(st) && !st_block_fresh(st, blk)) || !st_slot_take(st, false))
		return false;
	st->info.block_retries++;
	st_block_expose(st, blk, keep);
	return true;
}

/* A Block for a place that is not in use, or NULL.  Its mx is that place. */
static struct st_block *st_block_new(struct st_sock *st)
{
	struct st_block *blk;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++)
		if (!st->sink->blocks[i])
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

/* Whether a reader finds something in pages of the kernel */
static bool st_rx_kept(struct st_rx *rx)
{
	const struct st_chunk *chunk;

	chunk = list_first_entry_or_null(&rx->chunks, struct st_chunk, list);
	return chunk && chunk->start < rx->done_end;
}

/* Expose Block @n.  Return: false when there is no room for it now. */
static bool st_rx_expose(struct st_sock *st, struct st_rx *rx, u64 n)
{
	u64 start = st_block_start(&rx->tiling, n);
	u64 len = st_block_len(&rx->tiling, n);
	bool first = n == rx->next && list_is_first(&rx->list, &st->rx_list) && !st_rx_kept(rx);
	struct st_chunk *chunk = NULL;
	u64 kstart = start;
	struct st_block *blk;
	struct st_way *way;

	if (rx->ubuf && start >= rx->ustart && start < rx->uend)
		kstart = min(start + len, rx->uend);
	way = st_stripe_choose(st, rx, len);
	if (!way)
		return false;
	if (kstart < start + len) {
		chunk = st_chunk_new(st, kstart, start + len - kstart, first);
		if (!chunk)
			goto no_room;
	}
	blk = st_block_new(st);
	if (!blk || !st_slot_take(st, false)) {
		st_peer_free(st, blk, sizeof(*blk));
		st_chunk_free(st, chunk);
		goto no_room;
	}
	st->sink->blocks[blk->mx] = blk;
	blk->rx = rx;
	blk->way = way;
	blk->n = n;
	blk->start = start;
	blk->len = len;
	blk->chunk = chunk;
	if (!rx->tiling.t_len)
		st_chunk_insert(rx, chunk);
	INIT_LIST_HEAD(&blk->list);
	st_block_expose(st, blk, false);
	blk->paced = true;
	if (st->stripe || !rx->out_map)
		st_way_progress(way);
	way->blocks++;
	st_block_watch(blk);
	rx->out_map |= BIT_ULL(n - rx->next);
	rx->high = max(rx->high, n + 1);
	return true;
no_room:
	st_pace_return(way, len);
	return false;
}

/*
 * Whether a reader is about to bring pages of its own for a Transfer.  One that has all of
 * the record before in its pages is waited for until it has noticed, and then till the next
 * tick: it is likely to be back before, and what comes into pages of the kernel meanwhile
 * takes a second copy.
 */
static bool st_rx_await(struct st_sock *st, const struct st_rx *rx)
{
	const struct st_rx *head = list_first_entry(&st->rx_list, struct st_rx, list);

	if (st->rx_near && !time_before(jiffies, st->rx_back))
		st->rx_near = false;
	if (rx->ubuf || rx->tiled || rx->tiling.t_len < ST_DIRECT_MIN)
		return false;
	if (st->rx_near)
		st_timer_at(st, st->rx_back);
	return st->rx_near || st->rx_waiting || (head->ended && head->ubuf);
}

/* Expose what there is room for.  Return: false when @rx takes all there is. */
static bool st_rx_grant(struct st_sock *st, struct st_rx *rx)
{
	unsigned int limit = min_t(unsigned int, rx->cts_req ?: ST_BLOCKS_XFER, ST_BLOCKS_XFER);
	unsigned int span;
	u64 count;
	u64 n;

	if (rx->ended)
		return true;
	if (rx->hold)
		return false;
	if (st_rx_await(st, rx))
		return false;
	st_rx_tile(st, rx);
	limit = st_stripe_blocks(st, limit);
	/* Of unlimited size: the first Block tells whether there are more */
	if (!rx->tiling.t_len && rx->last)
		limit = 0;
	else if (!rx->tiling.t_len && !rx->next)
		limit = 1;
	/* One Block that gets lost again and again does not hold up what tells that it does */
	span = rx->tiling.t_len && !st->stripe ? ST_BLOCKS : limit;
	count = st_block_count(&rx->tiling);
	for (n = rx->next; n < count && n < rx->next + span; n++) {
		u64 bit = BIT_ULL(n - rx->next);

		if ((rx->out_map | rx->done_map) & bit)
			continue;
		if (hweight64(rx->out_map) >= limit)
			break;
		if (n < rx->high && !st->out_of_order) {
			/* ST 10.7.8: this peer can't send a Block again */
			st_rx_abort(st, rx, EREMOTEIO);
			return true;
		}
		if (!st_rx_expose(st, rx, n))
			break;
	}
	if (n < count && n == rx->next + limit)
		st_stripe_stalled(st, rx);
	return n >= count || (!rx->tiling.t_len && n >= rx->next + limit);
}

/**
 * st_rx_grant_all - expose what there is room for, oldest Transfer first
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 */
void st_rx_grant_all(struct st_sock *st)
{
	struct st_rx *rx;

	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	list_for_each_entry(rx, &st->rx_list, list)
		if (!st_rx_grant(st, rx))
			break;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_grant_all);

/**
 * st_rx_await_none - no reader with pages of its own is waited for any more
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 */
void st_rx_await_none(struct st_sock *st)
{
	if (!st->rx_near)
		return;
	st->rx_near = false;
	st_rx_grant_all(st);
}

/**
 * st_block_retry - a Block is missing or damaged, ST 10.7.8
 * @st: the Virtual Connection
 * @blk: the Block
 * @damaged: what has come of it is of no use
 *
 * Otherwise it stays, see st_block_keeps().
 *
 * Context: under st->lock.
 */
void st_block_retry(struct st_sock *st, struct st_block *blk, bool damaged)
{
	if (!st->out_of_order) {
		st_rx_abort(st, blk->rx, EREMOTEIO);
		return;
	}
	if (blk->tries >= READ_ONCE(st_net_of(st)->max_retry)) {
		st_log(st, ST_ERR_MAX_RETRY);
		st_rx_abort(st, blk->rx, EREMOTEIO);
		return;
	}
	if (!st_block_again(st, blk, !damaged && st_block_keeps(blk)))
		return;
	blk->tries++;
	st_window_lost(blk);
}

/**
 * st_rx_revoke - take back the pages of a recvmsg() that returns early
 * @st: the Virtual Connection
 * @rx: the Transfer with st_rx.ubuf; the caller frees the pages
 *
 * Blocks that are not yet part of what the call returns are asked for again,
 * into pages of the kernel.
 *
 * Context: under st->lock.
 */
void st_rx_revoke(struct st_sock *st, struct st_rx *rx)
{
	struct st_chunk *chunk, *next;
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = st->sink->blocks[i];

		if (!blk || blk->rx != rx || blk->start < rx->ustart || blk->start >= rx->uend)
			continue;
		rx->out_map &= ~BIT_ULL(blk->n - rx->next);
		st_block_free(st, blk);
	}
	for (i = 0; i < 64; i++) {
		u64 start = st_block_start(&rx->tiling, rx->next + i);

		if (start >= rx->ustart && start < rx->uend)
			rx->done_map &= ~BIT_ULL(i);
	}
	list_for_each_entry_safe(chunk, next, &rx->chunks, list) {
		/* The end of a Block that reached past the pages */
		if (chunk->start == rx->uend && rx->done_end < rx->uend) {
			list_del(&chunk->list);
			st_chunk_free(st, chunk);
		}
	}
	/* Part of it is in pages that can't be returned from: a fault */
	if (rx->consumed < min(rx->done_end, rx->uend) && rx->done_end > rx->ustart)
		st_rx_spoil(st, rx, EFAULT);
	rx->ubuf = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_revoke);

/**
 * st_rx_leave_way - what was cleared over a way, which does not work any more, comes another
 * @st: the Virtual Connection
 * @way: the way
 * @other: the other
 *
 * Context: under st->lock.
 */
void st_rx_leave_way(struct st_sock *st, struct st_way *way, struct st_way *other)
{
	unsigned int i;

	for (i = 0; st->sink && i < ST_BLOCKS; i++) {
		struct st_block *blk = st->sink->blocks[i];

		if (!blk || blk->way != way)
			continue;
		st_block_move(blk, other);
		st_block_retry(st, blk, true);
	}
}
