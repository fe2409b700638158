// SPDX-License-Identifier: GPL-2.0
/*
 * Write sequences at the data Destination: which Blocks are exposed where,
 * and the placement of what arrives, ST 6.1.2.
 *
 * Buffers are numbered along the Transfer: byte p of it is in the buffer
 * p >> ST_BUFSIZE, so that Offsets are those of the Transfer and F_Offset is
 * zero.  Where such a byte lies in memory is known by the Block.
 */
#include <linux/log2.h>

#include "st.h"

/* Op_timeouts double for a Block that does not come, this often */
#define ST_RX_BACKOFF		5U
#define ST_RX_BLOCKSIZE_OPEN	12	/* log2, of a Transfer of unlimited size */

static struct st_rx *st_rx_find(struct st_sock *st, u32 id)
{
	struct st_xfer *x = xa_load(&st->ids, id);

	return x && !x->tx ? container_of(x, struct st_rx, x) : NULL;
}

/**
 * st_rx_slots - Slots that the peer may fill now, ST 5.2.5
 * @st: the Virtual Connection
 *
 * Every Transfer that was announced and not yet read takes one; other
 * operations are executed as they arrive.
 *
 * Context: under st->lock.
 * Return: the Slots.
 */
u16 st_rx_slots(const struct st_sock *st)
{
	return st->rx_count < ST_SLOTS ? ST_SLOTS - st->rx_count : 0;
}

static void st_rx_wake(struct st_sock *st, const struct st_rx *rx)
{
	if (rx->ended || rx->done_end >= st->rx_wake_at)
		st->sk.sk_data_ready(&st->sk);
}

static void st_chunk_free(struct st_sock *st, struct st_chunk *chunk)
{
	if (!chunk)
		return;
	st->rx_mem -= chunk->buf->nr * PAGE_SIZE;
	st_buf_free(chunk->buf, false);
	kfree(chunk);
}

/* @first: all that was received waits for it, so SO_RCVBUF does not hold it up. */
static struct st_chunk *st_chunk_new(struct st_sock *st, u64 start, u64 len, bool first)
{
	struct st_chunk *chunk;

	if (!first && st->rx_mem && st->rx_mem + len > READ_ONCE(st->sk.sk_rcvbuf))
		return NULL;
	chunk = kmalloc(sizeof(*chunk), GFP_ATOMIC | __GFP_NOWARN);
	if (!chunk)
		return NULL;
	chunk->start = start;
	chunk->buf = st_buf_alloc(len, GFP_ATOMIC | __GFP_NOWARN);
	if (!chunk->buf) {
		kfree(chunk);
		/* Nothing else will come to try again */
		st_timer_at(st, jiffies + st_op_timeout(st));
		return NULL;
	}
	st->rx_mem += chunk->buf->nr * PAGE_SIZE;
	return chunk;
}

/* Chunks are read in order; Blocks may be complete in any. */
static void st_chunk_insert(struct st_rx *rx, struct st_chunk *chunk)
{
	struct st_chunk *before;

	list_for_each_entry_reverse(before, &rx->chunks, list)
		if (before->start < chunk->start)
			break;
	list_add(&chunk->list, &before->list);
}

static void st_block_free(struct st_sock *st, struct st_block *blk)
{
	st_chunk_free(st, blk->chunk);
	blk->chunk = NULL;
	blk->rx = NULL;
}

static void st_rx_free_blocks(struct st_sock *st, struct st_rx *rx)
{
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++)
		if (st->blocks[i].rx == rx)
			st_block_free(st, &st->blocks[i]);
	rx->out_map = 0;
}

/* Remember a Transfer that is over, to know what is asked of it later. */
static void st_rx_over(struct st_sock *st, struct st_rx *rx)
{
	unsigned int pos = st->done_pos++ % ST_DONE_IDS;

	st->done_peer_ids[pos] = rx->peer_id;
	st->done_ids[pos] = rx->x.id;
	st->done_seq[pos] = rx->next ? st_b_num(rx->next - 1) : ST_B_NUM_NONE;
	st_rx_free_blocks(st, rx);
	rx->ended = true;
}

static void st_rx_complete(struct st_sock *st, struct st_rx *rx)
{
	rx->end = rx->done_end;
	st->info.rx_transfers++;
	st_rx_over(st, rx);
	xa_erase(&st->ids, rx->x.id);
}

/* Give a Transfer up: the record is broken.  @err is a positive errno. */
static void st_rx_break(struct st_sock *st, struct st_rx *rx, int err)
{
	if (rx->ended)
		return;
	rx->err = err;
	st_rx_over(st, rx);
	st_rx_wake(st, rx);
}

/* Give a Transfer up and tell the peer, ST 6.1.1.4. */
static void st_rx_abort(struct st_sock *st, struct st_rx *rx, int err)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_END, 0);
	op.d_id = rx->peer_id;
	op.s_id = rx->x.id;
	st_slot_take(st, true);
	st_guard_start(st, &rx->guard, &op);
	st_queue_op(st, &op);
	st_rx_break(st, rx, err);
}

static void st_rx_free(struct st_sock *st, struct st_rx *rx)
{
	struct st_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &rx->chunks, list)
		st_chunk_free(st, chunk);
	st_rx_free_blocks(st, rx);
	xa_erase(&st->ids, rx->x.id);
	list_del(&rx->list);
	st->rx_count--;
	kfree(rx);
}

/**
 * st_rx_put - a record is read
 * @st: the Virtual Connection
 * @rx: its Transfer, over, without an st_rx.ubuf
 *
 * Context: under st->lock.
 */
void st_rx_put(struct st_sock *st, struct st_rx *rx)
{
	if (!rx->guard.armed) {
		st_rx_free(st, rx);
		return;
	}
	rx->read = true;
	list_move_tail(&rx->list, &st->rx_ending);
}

/**
 * st_rx_purge - drop every Transfer, read or not
 * @st: the socket, which nobody uses any more
 *
 * Context: any.
 */
void st_rx_purge(struct st_sock *st)
{
	struct st_rx *rx, *next;

	list_splice_tail_init(&st->rx_ending, &st->rx_list);
	list_for_each_entry_safe(rx, next, &st->rx_list, list)
		st_rx_free(st, rx);
}

/**
 * st_rx_break_all - the Virtual Connection is over
 * @st: the Virtual Connection
 * @err: positive errno for whoever reads a record that is not complete
 *
 * Context: under st->lock.
 */
void st_rx_break_all(struct st_sock *st, int err)
{
	struct st_rx *rx, *next;

	list_for_each_entry(rx, &st->rx_list, list) {
		st_guard_stop(&rx->guard);
		st_rx_break(st, rx, err);
	}
	list_for_each_entry_safe(rx, next, &st->rx_ending, list)
		st_rx_free(st, rx);
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
		size = ST_BLOCKSIZE;
	else if (!rx->tiling.t_len)
		size = ST_RX_BLOCKSIZE_OPEN;
	else
		size = clamp(ilog2(READ_ONCE(st->sk.sk_rcvbuf)) - 1, ST_BLOCK_MIN, ST_BLOCKSIZE);
	rx->tiling.blocksize = min_t(unsigned int, size, rx->max_block);
	rx->tiled = true;
}

/* A fresh Memory Index, so that late Data of an earlier exposure finds nothing. */
static void st_block_expose(struct st_sock *st, struct st_block *blk)
{
	struct st_rx *rx = blk->rx;
	struct st_op op;

	blk->got = 0;
	blk->stu_num = 0;
	blk->summed = true;
	st_csum_init(&blk->csum);
	blk->mx = (blk - st->blocks) | st->block_gen++ * ST_BLOCKS;

	st_op_init(st, &op, ST_OP_CLEAR_TO_SEND, 0);
	op.param = rx->tiling.blocksize;
	op.b_id = blk->mx;
	op.bufx = blk->start >> ST_BUFSIZE;
	op.offset = blk->start & (BIT(ST_BUFSIZE) - 1);
	op.b_num = st_b_num(blk->n);
	op.d_id = rx->peer_id;
	op.s_id = rx->x.id;
	st_queue_op(st, &op);
}

static struct st_block *st_block_unused(struct st_sock *st)
{
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++)
		if (!st->blocks[i].rx)
			return &st->blocks[i];
	return NULL;
}

/* Expose Block @n.  Return: false when there is no room for it now. */
static bool st_rx_expose(struct st_sock *st, struct st_rx *rx, u64 n)
{
	u64 start = st_block_start(&rx->tiling, n);
	u64 len = st_block_len(&rx->tiling, n);
	struct st_block *blk = st_block_unused(st);
	bool first = n == rx->next && list_is_first(&rx->list, &st->rx_list);
	struct st_chunk *chunk = NULL;
	u64 kstart = start;

	if (!blk)
		return false;
	if (rx->ubuf && start >= rx->ustart && start < rx->uend)
		kstart = min(start + len, rx->uend);
	if (kstart < start + len) {
		chunk = st_chunk_new(st, kstart, start + len - kstart, first);
		if (!chunk)
			return false;
	}
	if (!st_slot_take(st, false)) {
		st_chunk_free(st, chunk);
		return false;
	}
	blk->rx = rx;
	blk->n = n;
	blk->start = start;
	blk->len = len;
	blk->chunk = chunk;
	blk->tries = 0;
	st_block_expose(st, blk);
	rx->out_map |= BIT_ULL(n - rx->next);
	rx->high = max(rx->high, n + 1);
	return true;
}

/* Expose what there is room for.  Return: false when @rx takes all there is. */
static bool st_rx_grant(struct st_sock *st, struct st_rx *rx)
{
	unsigned int limit = min_t(unsigned int, rx->cts_req ?: ST_BLOCKS_XFER, ST_BLOCKS_XFER);
	u64 count;
	u64 n;

	if (rx->ended)
		return true;
	if (rx->hold)
		return false;
	/* A reader is about to bring its own pages */
	if (st->rx_waiting && !rx->ubuf && !rx->tiled && rx->tiling.t_len >= ST_DIRECT_MIN)
		return false;
	st_rx_tile(st, rx);
	if (!rx->out_map)
		st->rx_progress = jiffies;
	/* Of unlimited size: one Block at a time tells whether there are more */
	if (!rx->tiling.t_len)
		limit = !rx->last;
	count = st_block_count(&rx->tiling);
	for (n = rx->next; n < count && n < rx->next + limit; n++) {
		u64 bit = BIT_ULL(n - rx->next);

		if ((rx->out_map | rx->done_map) & bit)
			continue;
		if (n < rx->high && !st->out_of_order) {
			/* ST 10.7.8: this peer can't send a Block again */
			st_rx_abort(st, rx, ECONNABORTED);
			return true;
		}
		if (!st_rx_expose(st, rx, n))
			break;
	}
	if (rx->out_map)
		st_timer_at(st, st->rx_progress + st_op_timeout(st));
	return n >= count;
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

static void st_queue_request_answer(struct st_sock *st, u32 d_id, u16 flags)
{
	struct st_op op;

	if (!st_slot_take(st, false))
		return;
	st_op_init(st, &op, ST_OP_REQUEST_ANSWER, flags);
	op.d_id = d_id;
	st_queue_op(st, &op);
}

/* Whether a Request_To_Send is one that we have, ST 10.3. */
static bool st_rx_known(struct st_sock *st, u32 peer_id)
{
	unsigned int i, n = min_t(unsigned int, st->done_pos, ST_DONE_IDS);
	struct st_rx *rx;

	list_for_each_entry(rx, &st->rx_list, list) {
		if (rx->peer_id == peer_id) {
			if (!rx->ended)
				st_queue_request_answer(st, peer_id, 0);
			return true;
		}
	}
	for (i = 0; i < n; i++)
		if (st->done_peer_ids[i] == peer_id)
			return true;
	return false;
}

/**
 * st_rcv_request_to_send - a Request_To_Send came in, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_request_to_send(struct st_sock *st, const struct st_op *op)
{
	struct st_rx *rx;

	if (st_rx_known(st, op->s_id))
		return;
	/* ST 10.7.3, 6.2.5, 6.2.1; and nobody to read it after shutdown() */
	if (!(op->flags & ST_F_CHANNEL) || op->b_id < ST_BLOCK_MIN || op->b_id > ST_BLOCK_MAX ||
	    st_op_t_len(op) > ST_MAX_T_LEN || op->s_id == ST_ID_NONE ||
	    (st->sk.sk_shutdown & RCV_SHUTDOWN)) {
		st_queue_request_answer(st, op->s_id, ST_F_REJECT);
		return;
	}
	if (!st_rx_slots(st)) {
		st_log(st, ST_ERR_SLOTS_EXCEEDED);
		return;
	}
	rx = kzalloc(sizeof(*rx), GFP_ATOMIC | __GFP_NOWARN);
	if (!rx)
		goto nomem;
	if (st->next_id == ST_ID_NONE)
		st->next_id = 0;
	rx->x.id = st->next_id;
	if (xa_insert(&st->ids, rx->x.id, &rx->x, GFP_ATOMIC | __GFP_NOWARN))
		goto nomem;
	st->next_id++;
	rx->peer_id = op->s_id;
	rx->tiling.t_len = st_op_t_len(op);
	rx->max_block = op->b_id;
	rx->cts_req = op->param;
	INIT_LIST_HEAD(&rx->chunks);
	list_add_tail(&rx->list, &st->rx_list);
	st->rx_count++;

	st_rx_grant_all(st);
	if (!rx->out_map)
		st_queue_request_answer(st, rx->peer_id, 0);
	if (list_is_first(&rx->list, &st->rx_list))
		st_rx_wake(st, rx);
	return;
nomem:
	/* The Source asks again after its Op_timeout */
	kfree(rx);
	atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
}

/* ST 10.7.8: a Block is missing or damaged. */
static void st_block_retry(struct st_sock *st, struct st_block *blk)
{
	if (!st->out_of_order) {
		st_rx_abort(st, blk->rx, ECONNABORTED);
		return;
	}
	if (blk->tries >= READ_ONCE(st_net_of(st)->max_retry)) {
		st_log(st, ST_ERR_MAX_RETRY);
		st_rx_abort(st, blk->rx, ETIMEDOUT);
		return;
	}
	if (!st_slot_take(st, false))
		return;
	blk->tries++;
	st->info.block_retries++;
	st_block_expose(st, blk);
}

static void st_block_done(struct st_sock *st, struct st_block *blk)
{
	struct st_rx *rx = blk->rx;
	u64 bit = BIT_ULL(blk->n - rx->next);

	if (blk->chunk) {
		if (blk->got < blk->len) {	/* ends a Transfer of unlimited size */
			blk->chunk->buf->len = blk->got;
			rx->last = true;
		}
		st_chunk_insert(rx, blk->chunk);
		blk->chunk = NULL;
	}
	rx->out_map &= ~bit;
	rx->done_map |= bit;
	blk->rx = NULL;

	while (rx->done_map & 1) {
		rx->done_map >>= 1;
		rx->out_map >>= 1;
		rx->next++;
	}
	if (!rx->tiling.t_len)
		rx->done_end = blk->start + blk->got;
	else
		rx->done_end = st_block_start(&rx->tiling, rx->next);
	if (rx->tiling.t_len && rx->done_end == rx->tiling.t_len)
		st_rx_complete(st, rx);
	if (list_is_first(&rx->list, &st->rx_list))
		st_rx_wake(st, rx);
	st_rx_grant_all(st);
}

static void st_queue_request_state_response(struct st_sock *st, const struct st_op *to,
					    u32 d_id, u32 s_id, u32 b_seq, u32 b_num)
{
	struct st_op op;

	st_slot_take(st, true);
	st_op_init(st, &op, ST_OP_REQUEST_STATE_RESPONSE, 0);
	op.param = st_rx_slots(st);
	op.offset = b_seq;
	op.sync = to->sync;
	op.b_num = b_num;
	op.d_id = d_id;
	op.s_id = s_id;
	st_queue_op(st, &op);
}

static u32 st_rx_b_seq(const struct st_rx *rx)
{
	return rx->next ? st_b_num(rx->next - 1) : ST_B_NUM_NONE;
}

/* Write the payload of a Data operation where its Block says. */
static int st_block_place(struct st_block *blk, const struct sk_buff *skb, u32 len, bool sum)
{
	struct st_csum *csum = sum ? &blk->csum : NULL;
	u64 pos = blk->start + blk->got;
	u64 kstart = blk->chunk ? blk->chunk->start : blk->start + blk->len;
	u32 first = pos < kstart ? min_t(u64, len, kstart - pos) : 0;
	int err = 0;

	if (first)
		err = st_buf_place(blk->rx->ubuf, pos - blk->rx->ustart, skb, ST_HDR_LEN, first,
				   csum);
	if (!err && len > first)
		err = st_buf_place(blk->chunk->buf, pos + first - kstart, skb,
				   ST_HDR_LEN + first, len - first, csum);
	return err;
}

/* ST 10.7.4: an STU is not the next.  Where none can overtake, one was lost. */
static void st_rx_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op)
{
	st_log(st, ST_ERR_OUT_OF_ORDER_STU);
	if (!st->link->llp->in_order || op->param < blk->stu_num || !st->out_of_order ||
	    !st_slot_take(st, false))
		return;
	st->info.block_retries++;
	st_block_expose(st, blk);
}

/* ST 10.6.5, 10.7: what a Data operation must match.  Return: the Block or NULL. */
static struct st_block *st_rx_block(struct st_sock *st, const struct st_op *op, u32 len)
{
	struct st_block *blk = &st->blocks[op->b_id % ST_BLOCKS];
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	u64 pos;

	if (!blk->rx || blk->mx != op->b_id) {
		st_log(st, ST_ERR_INVALID_MX);
		return NULL;
	}
	pos = blk->start + blk->got;
	if (op->d_id != blk->rx->x.id)
		st_log(st, ST_ERR_INVALID_D_ID);
	else if (op->b_num != st_b_num(blk->n))
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	else if (!st->out_of_order && blk->n != blk->rx->next)
		st_log(st, ST_ERR_OUT_OF_ORDER_B_NUM);
	else if (len > BIT(st->local_max_stu))
		st_log(st, ST_ERR_ILLEGAL_STU_SIZE);
	else if (!st_place_valid(&at, ST_BUFSIZE))
		st_log(st, ST_ERR_OVERSIZED_OFFSET);
	else if (op->param != blk->stu_num)
		st_rx_gap(st, blk, op);
	else if (len > blk->len - blk->got ||
		 (len && (op->bufx != pos >> ST_BUFSIZE ||
			  op->offset != (pos & (BIT(ST_BUFSIZE) - 1)))) ||
		 op->offset + len > BIT(ST_BUFSIZE))
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
	else
		return blk;
	return NULL;
}

/* ST 8.3.3.  Return: false when the Block must come again. */
static bool st_block_sum_ok(struct st_sock *st, struct st_block *blk, __sum16 cksum)
{
	bool ok = blk->summed && st_csum_ok(&blk->csum, cksum);

	if (ok) {
		st_csum_init(&blk->csum);
	} else if (blk->summed) {
		st_log(st, ST_ERR_CKSUM);
	} else {
		/* The first sign that this peer does send checksums */
		st->peer_checksum = true;
	}
	return ok;
}

/**
 * st_rcv_data - a Data operation came in, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 * @skb: at its Schedule Header, which is linear
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	const struct st_hdr *hdr = (const struct st_hdr *)skb->data;
	u32 len = skb->len - ST_HDR_LEN;
	struct st_block *blk = st_rx_block(st, op, len);
	struct st_rx *rx;
	bool good = false;

	if (!blk)
		return;
	rx = blk->rx;
	if (st->peer_checksum)
		st_csum_hdr(&blk->csum, hdr);
	else
		blk->summed = false;
	if (st_block_place(blk, skb, len, st->peer_checksum)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_LENGTH]);
		return;
	}
	if (hdr->cksum && !st_block_sum_ok(st, blk, hdr->cksum)) {
		st_block_retry(st, blk);
		return;
	}
	blk->got += len;
	blk->stu_num++;
	st->info.rx_bytes += len;
	st->rx_progress = jiffies;

	if (op->flags & ST_F_LAST) {
		if (blk->got == blk->len || !rx->tiling.t_len) {
			st_block_done(st, blk);
			good = true;
		} else {
			st_log(st, ST_ERR_IMPROPER_FLAG_USE);
			st_block_retry(st, blk);
			return;
		}
	}
	if (op->flags & ST_F_SEND_STATE)
		st_queue_request_state_response(st, op, rx->peer_id, op->d_id, st_rx_b_seq(rx),
						good ? op->b_num : ST_B_NUM_NONE);
}

/**
 * st_rcv_request_state - a Request_State came in, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_request_state(struct st_sock *st, const struct st_op *op)
{
	u32 b_num = op->b_num, b_seq;
	struct st_rx *rx;
	unsigned int i;

	if (op->d_id == ST_ID_NONE) {
		st_queue_request_state_response(st, op, ST_ID_NONE, 0, 0, 0);
		return;
	}
	rx = st_rx_find(st, op->d_id);
	if (rx) {
		u64 n = rx->next + (s32)(b_num - st_b_num(rx->next));

		if (b_num != ST_B_NUM_NONE) {
			if (n >= rx->high) {
				st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
				return;
			}
			if (n >= rx->next + 64 ||
			    (n >= rx->next && !(rx->done_map & BIT_ULL(n - rx->next))))
				b_num = ST_B_NUM_NONE;
		}
		st_queue_request_state_response(st, op, rx->peer_id, rx->x.id, st_rx_b_seq(rx),
						b_num);
		return;
	}
	for (i = 0; i < min_t(unsigned int, st->done_pos, ST_DONE_IDS); i++) {
		if (st->done_ids[i] != op->d_id || st->done_peer_ids[i] != op->s_id)
			continue;
		b_seq = st->done_seq[i];
		if (b_seq == ST_B_NUM_NONE || b_num > b_seq)
			b_num = ST_B_NUM_NONE;
		st_queue_request_state_response(st, op, op->s_id, op->d_id, b_seq, b_num);
		return;
	}
	/* ST 6.2.1 */
	st_queue_request_state_response(st, op, op->s_id, ST_ID_NONE, ST_B_NUM_NONE,
					ST_B_NUM_NONE);
}

/**
 * st_rx_end_rcvd - the data Source ends a Transfer, ST 6.1.1.4
 * @st: the Virtual Connection
 * @rx: the Transfer
 *
 * That completes one of unlimited size and breaks any other.
 *
 * Context: softirq, under st->lock.
 */
void st_rx_end_rcvd(struct st_sock *st, struct st_rx *rx)
{
	if (rx->ended)
		return;
	if (rx->tiling.t_len) {
		st_rx_break(st, rx, ECONNABORTED);
		xa_erase(&st->ids, rx->x.id);
	} else {
		st_rx_complete(st, rx);
		st_rx_wake(st, rx);
	}
	st_rx_grant_all(st);
}

/**
 * st_rx_end_acked - the data Source knows that we ended a Transfer
 * @st: the Virtual Connection
 * @rx: the Transfer
 *
 * Context: softirq, under st->lock.
 */
void st_rx_end_acked(struct st_sock *st, struct st_rx *rx)
{
	st_guard_stop(&rx->guard);
	if (rx->read)
		st_rx_free(st, rx);
	else
		xa_erase(&st->ids, rx->x.id);
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
		struct st_block *blk = &st->blocks[i];

		if (blk->rx != rx || blk->start < rx->ustart || blk->start >= rx->uend)
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
	if (rx->consumed < min(rx->done_end, rx->uend) && rx->done_end > rx->ustart) {
		/* Part of it is in pages that can't be returned from: a fault */
		if (!rx->ended)
			st_rx_abort(st, rx, EFAULT);
		else if (!rx->err)
			rx->err = EFAULT;
	}
	rx->ubuf = NULL;
}

/**
 * st_rx_timeouts - Blocks that do not come, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 */
void st_rx_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_rx *rx, *next;
	bool retried = false;
	unsigned int i;

	list_for_each_entry(rx, &st->rx_list, list) {
		switch (st_guard_expired(st, &rx->guard, now)) {
		case 1:
			st_queue_op(st, &rx->guard.op);
			break;
		case -ETIMEDOUT:
			st_vc_fail(st, ETIMEDOUT);
			return;
		}
	}
	list_for_each_entry_safe(rx, next, &st->rx_ending, list) {
		switch (st_guard_expired(st, &rx->guard, now)) {
		case 1:
			st_queue_op(st, &rx->guard.op);
			break;
		case -ETIMEDOUT:
			st_vc_fail(st, ETIMEDOUT);
			return;
		}
	}
	for (i = 0; i < ST_BLOCKS; i++) {
		struct st_block *blk = &st->blocks[i];

		/* A Source of unlimited size may have nothing to send */
		if (!blk->rx || (!blk->rx->tiling.t_len && !blk->got) ||
		    time_before(now, st->rx_progress +
				     (st_op_timeout(st) << min(blk->tries, ST_RX_BACKOFF))))
			continue;
		st_block_retry(st, blk);
		retried = true;
	}
	if (retried)
		st->rx_progress = now;
	for (i = 0; i < ST_BLOCKS; i++) {
		if (st->blocks[i].rx) {
			st_timer_at(st, now + st_op_timeout(st));
			break;
		}
	}
	st_rx_grant_all(st);
}
