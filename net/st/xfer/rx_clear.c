// SPDX-License-Identifier: GPL-2.0
/*
 * Which Blocks the data Destination exposes, and where, ST 6.1.2.
 *
 * Buffers are numbered along the Transfer: byte p is in buffer p >> ST_BUFSIZE, so that
 * Offsets are those of the Transfer and F_Offset is zero.  The Block knows where such a
 * byte lies in memory.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>

#include "conn/host.h"
#include "st_sock.h"
#include "xfer/rx_block.h"
#include "xfer/stripe.h"
#include "xfer/window.h"

#define ST_RX_BLOCKSIZE_OPEN	13	/* log2, for a Transfer of unlimited size */

/**
 * st_rx_exposed_end - the end of the exposed part of a Transfer
 * @rx: the Transfer
 *
 * Context: under st->lock.
 * Return: the first byte of the Transfer that was never exposed.
 */
u64 st_rx_exposed_end(const struct st_rx *rx)
{
	return rx->tiled ? st_block_start(&rx->tiling, rx->high) : 0;
}

/* Fix the Block boundaries when the first Block is exposed, ST 6.2.6. */
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
	rx->tiling.blocksize = min3(size, (unsigned int)st->opts.block_max,
				    (unsigned int)rx->max_block);
	rx->tiled = true;
}

/* Whether there is data to read in kernel pages */
static bool st_rx_kept(struct st_rx *rx)
{
	const struct st_chunk *chunk;

	chunk = list_first_entry_or_null(&rx->chunks, struct st_chunk, list);
	return chunk && chunk->start < rx->done_end;
}

/* Expose Block @n.  Return: false without room for it. */
static bool st_rx_expose(struct st_sock *st, struct st_rx *rx, u64 n)
{
	u64 start = st_block_start(&rx->tiling, n);
	u64 len = st_block_len(&rx->tiling, n);
	bool first = n == rx->next && list_is_first(&rx->list, &st->dest.list) && !st_rx_kept(rx);
	struct st_chunk *chunk = NULL;
	u64 kstart = start;
	struct st_block *blk;
	struct st_path *path;

	if (rx->ubuf && start >= rx->ustart && start < rx->uend)
		kstart = min(start + len, rx->uend);
	path = st_stripe_choose(st, rx, len);
	if (!path)
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
	st->dest.sink->blocks[blk->mx] = blk;
	blk->rx = rx;
	blk->path = path;
	blk->n = n;
	blk->start = start;
	blk->len = len;
	blk->chunk = chunk;
	if (!rx->tiling.t_len)
		st_chunk_insert(rx, chunk);
	INIT_LIST_HEAD(&blk->list);
	st_block_expose(st, blk, false);
	blk->paced = true;
	if (st->paths.stripe || !rx->out_map)
		st_path_progress(path);
	path->blocks++;
	st_block_watch(blk);
	rx->out_map |= BIT_ULL(n - rx->next);
	rx->high = max(rx->high, n + 1);
	return true;
no_room:
	st_pace_return(path, len);
	return false;
}

/*
 * Whether a reader with pages of its own is expected for a Transfer.  When the record before lies
 * completely in such pages, wait until the reader has noticed, and then until the next tick: it
 * is likely to come back by then, and Data placed into kernel pages meanwhile has to be copied
 * once more.
 */
static bool st_rx_await(struct st_sock *st, const struct st_rx *rx)
{
	const struct st_rx *head = list_first_entry(&st->dest.list, struct st_rx, list);

	if (st->dest.near && !time_before(jiffies, st->dest.back))
		st->dest.near = false;
	if (rx->ubuf || rx->tiled || rx->tiling.t_len < ST_DIRECT_MIN)
		return false;
	if (st->dest.near)
		st_timer_at(st, st->dest.back);
	return st->dest.near || st->dest.waiting || (head->ended && head->ubuf);
}

/* Expose what there is room for.  Return: false when nothing is left for later Transfers. */
static bool st_rx_clear(struct st_sock *st, struct st_rx *rx)
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
	/* Unlimited size: the first Block tells whether there are more */
	if (!rx->tiling.t_len && rx->last)
		limit = 0;
	else if (!rx->tiling.t_len && !rx->next)
		limit = 1;
	/* A Block that is lost again and again must not hold up the Data that reveals the loss */
	span = rx->tiling.t_len && !st->paths.stripe ? ST_BLOCKS : limit;
	count = st_block_count(&rx->tiling);
	for (n = rx->next; n < count && n < rx->next + span; n++) {
		u64 bit = BIT_ULL(n - rx->next);

		if ((rx->out_map | rx->done_map) & bit)
			continue;
		if (hweight64(rx->out_map) >= limit)
			break;
		if (n < rx->high && !st->vc.out_of_order) {
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
 * st_rx_clear_all - clear the Blocks that there is room for, oldest Transfer first
 * @st: the Virtual Connection
 */
void st_rx_clear_all(struct st_sock *st)
{
	struct st_rx *rx;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	list_for_each_entry(rx, &st->dest.list, list)
		if (!st_rx_clear(st, rx))
			break;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_clear_all);

/**
 * st_rx_await_none - stop waiting for a reader with pages of its own
 * @st: the Virtual Connection
 */
void st_rx_await_none(struct st_sock *st)
{
	st_assert_locked(st);
	if (!st->dest.near)
		return;
	st->dest.near = false;
	st_rx_clear_all(st);
}

/**
 * st_block_retry - ask again for a missing or damaged Block, ST 10.7.8
 * @st: the Virtual Connection
 * @blk: the Block
 * @damaged: discard the bytes received so far
 *
 * Bytes that are not discarded stay if st_block_keeps() allows it.
 */
void st_block_retry(struct st_sock *st, struct st_block *blk, bool damaged)
{
	st_assert_locked(st);
	if (!st->vc.out_of_order) {
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
 * Blocks that the call does not return bytes of are asked for again, into kernel pages.
 */
void st_rx_revoke(struct st_sock *st, struct st_rx *rx)
{
	struct st_chunk *chunk, *next;
	unsigned int i;

	st_assert_locked(st);
	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

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
		/* The tail of a Block that reached past the pages */
		if (chunk->start == rx->uend && rx->done_end < rx->uend) {
			list_del(&chunk->list);
			st_chunk_free(st, chunk);
		}
	}
	/* Bytes in pages that could not be returned, after a fault, are lost */
	if (rx->consumed < min(rx->done_end, rx->uend) && rx->done_end > rx->ustart)
		st_rx_spoil(st, rx, EFAULT);
	rx->ubuf = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_revoke);

/**
 * st_rx_leave_path - move the Blocks of a failed path to another one
 * @st: the Virtual Connection
 * @path: the failed path
 * @other: the other path
 */
void st_rx_leave_path(struct st_sock *st, struct st_path *path, struct st_path *other)
{
	unsigned int i;

	st_assert_locked(st);
	for (i = 0; st->dest.sink && i < ST_BLOCKS; i++) {
		struct st_block *blk = st->dest.sink->blocks[i];

		if (!blk || blk->path != path)
			continue;
		st_block_move(blk, other);
		st_block_retry(st, blk, true);
	}
}
