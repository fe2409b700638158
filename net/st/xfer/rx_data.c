// SPDX-License-Identifier: GPL-2.0
/* Received Data and its placement, ST 6.1.2. */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/placement.h"
#include "wire/gso.h"
#include "xfer/delivery.h"
#include "xfer/rx_block.h"
#include "xfer/stripe.h"
#include "xfer/window.h"

/* Update the number of bytes of a Transfer of unlimited size received without a gap. */
static void st_rx_stream_end(struct st_sock *st, struct st_rx *rx)
{
	u64 end = st_block_start(&rx->tiling, rx->next);
	unsigned int i;

	for (i = 0; i < ST_BLOCKS; i++) {
		const struct st_block *blk = st->dest.sink->blocks[i];

		if (blk && blk->rx == rx && blk->n == rx->next)
			end += blk->shown;
	}
	if (rx->last)
		end = min(end, rx->last_end);
	rx->done_end = max(rx->done_end, end);
}

/*
 * Blocks of a Transfer of unlimited size can be read before they are complete, except the last
 * possible one: the memory of a Block is not freed while it is incomplete.
 */
static void st_block_show(struct st_sock *st, struct st_block *blk)
{
	struct st_rx *rx = blk->rx;

	blk->shown = max(blk->shown, min(blk->got, blk->len - 1));
	if (blk->n == rx->next)
		st_rx_stream_end(st, rx);
}

/**
 * st_rx_note - record the flags of a Data operation for the application
 * @st: the Virtual Connection
 * @rx: the Transfer
 * @op: the operation
 */
void st_rx_note(struct st_sock *st, struct st_rx *rx, const struct st_op *op)
{
	st_assert_locked(st);
	rx->flags &= ~ST_RECV_SILENT;
	if ((op->flags & ST_F_SILENT) && !(op->flags & ST_F_SEND_STATE)) {
		rx->flags |= ST_RECV_SILENT;
	} else if (!rx->reads) {
		rx->flags |= ST_RECV_OPAQUE;
		rx->opaque = op->s_id;
	}
	if (op->flags & ST_F_INTERRUPT)
		rx->flags |= ST_RECV_INTERRUPT;
	st_event_interrupt(st, op);
}

/*
 * A Block of a Transfer of unlimited size that is not full is the last one, ST 6.2.3.  Return:
 * false when bytes after its end have arrived.
 */
static bool st_block_may_end(const struct st_block *blk)
{
	const struct st_rx *rx = blk->rx;

	return !rx->tiling.t_len && !rx->last && !(rx->done_map >> (blk->n - rx->next)) &&
	       blk->start + blk->got >= rx->done_end;
}

/* Free the exposed Blocks after the last one. */
static void st_rx_end_with(struct st_sock *st, struct st_block *blk)
{
	struct st_chunk *chunk, *before;
	struct st_rx *rx = blk->rx;

	blk->chunk->buf->len = blk->got;
	rx->last = true;
	rx->last_end = blk->start + blk->got;
	st_rx_free_blocks(st, rx, blk->n + 1);
	list_for_each_entry_safe_reverse(chunk, before, &rx->chunks, list) {
		if (chunk->start <= blk->start)
			break;
		list_del(&chunk->list);
		st_chunk_free(st, chunk);
	}
}

static void st_block_done(struct st_sock *st, struct st_block *blk)
{
	struct st_rx *rx = blk->rx;
	u64 bit = BIT_ULL(blk->n - rx->next);

	if (st_window_arrived(blk))
		st_block_watch(blk);
	st_stripe_arrived(blk->path, blk->got);
	st_pace_arrived(blk->path, blk->len, blk->paced);
	blk->paced = false;
	if (blk->chunk) {
		if (blk->got < blk->len)
			st_rx_end_with(st, blk);
		if (rx->tiling.t_len)
			st_chunk_insert(rx, blk->chunk);
		blk->chunk = NULL;
	}
	rx->out_map &= ~bit;
	rx->done_map |= bit;
	while (rx->done_map & 1) {
		rx->done_map >>= 1;
		rx->out_map >>= 1;
		rx->next++;
	}
	st_block_free(st, blk);
	if (!rx->tiling.t_len)
		st_rx_stream_end(st, rx);
	else
		rx->done_end = st_block_start(&rx->tiling, rx->next);
	if (rx->tiling.t_len && rx->done_end == rx->tiling.t_len)
		st_rx_complete(st, rx);
	st_rx_clear_all(st);
}

/*
 * Copy the payload of a Data operation, which is at @from in @skb, to the memory of its Block,
 * except for the bytes that the LLP has placed.
 */
static int st_block_place(struct st_block *blk, const struct sk_buff *skb, u32 from,
			  struct st_stu *stu)
{
	u64 pos = ((u64)stu->op.bufx << ST_BUFSIZE) + stu->op.offset;
	struct st_csum *csum = stu->summed ? &stu->csum : NULL;
	u64 kstart = st_block_kstart(blk);
	u32 first = pos < kstart ? min_t(u64, stu->len, kstart - pos) : 0;
	u32 there = 0;
	int err = 0;

	st_csum_init(&stu->csum);
	if (csum)
		st_csum_hdr(csum, (const struct st_hdr *)skb->data);
	if (first)
		err = st_buf_place(blk->rx->ubuf, pos - blk->rx->ustart, skb, from, first,
				   csum, &stu->direct);
	/* Bytes in kernel pages are copied once more, to the reader */
	if (!err && stu->len > first)
		err = st_buf_place(blk->chunk->buf, pos + first - kstart, skb,
				   from + first, stu->len - first, csum, &there);
	return err;
}

/*
 * The STUs of the two exposures of a Block have different boundaries, as with a changed MTU of the
 * Source: ask for all of it again.
 */
static void st_block_recut(struct st_sock *st, struct st_block *blk)
{
	if (blk->ooo_map || blk->mx_late != blk->mx)
		st_block_retry(st, blk, true);
}

/* An STU inside a Block was received before: the Source may repeat it to get its answer. */
static void st_stu_again(struct st_sock *st, const struct st_block *blk, const struct st_op *op,
			 u32 len)
{
	u64 pos = ((u64)op->bufx << ST_BUFSIZE) + op->offset;
	const struct st_rx *rx = blk->rx;

	if ((op->flags & ST_F_SEND_STATE) && pos >= blk->start &&
	    pos + len <= blk->start + blk->got)
		st_queue_request_state_response(st, op, rx->peer_id, rx->x.id, st_rx_b_seq(rx),
						ST_B_NUM_NONE);
}

/* ST 10.7.4: an STU that is not the next one, and is not accepted. */
static void st_rx_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op, u32 len)
{
	bool later = op->param > blk->stu_num;

	st_log(st, ST_ERR_OUT_OF_ORDER_STU);
	if (!later && (op->flags & ST_F_LAST))
		st_block_recut(st, blk);
	else if (!later)
		st_stu_again(st, blk, op, len);
	else
		blk->path->delivery->gap(st, blk, op);
}

/*
 * ST 10.6.5, 10.7: find the Block of a Data operation, which must contain all its bytes.
 * With ST_ERR_OUT_OF_RANGE_BUFX, @found is set, too.
 */
static enum st_error st_rx_find_block(struct st_sock *st, const struct st_op *op, u32 len,
				      struct st_block **found, u64 *pos)
{
	struct st_block *blk = st->dest.sink ? st->dest.sink->blocks[op->b_id % ST_BLOCKS] : NULL;
	struct st_area area;

	if (!blk || (blk->mx != op->b_id && blk->mx_late != op->b_id))
		return ST_ERR_INVALID_MX;
	if (op->d_id != blk->rx->x.id)
		return ST_ERR_INVALID_D_ID;
	if (op->b_num != st_b_num(blk->n))
		return ST_ERR_OUT_OF_RANGE_B_NUM;
	if (len > BIT(st->vc.local_max_stu))
		return ST_ERR_ILLEGAL_STU_SIZE;
	area = (struct st_area) { .start = blk->start, .len = blk->len };
	*found = blk;
	return st_access_check_stu(&area, op, len, 0, pos);
}

/* ST 10.7.4: whether a Data operation has bytes, from byte @pos of the Block, that are missing. */
static bool st_block_lacks(const struct st_block *blk, const struct st_op *op, u64 pos)
{
	return op->param >= blk->stu_num && pos >= blk->got && !st_ooo_has(blk, op->param);
}

/**
 * st_rx_area - determine the bytes of a Transfer for a Data operation, ST 6.2.8
 * @st: the Virtual Connection
 * @op: the operation
 * @len: length of the payload, bytes
 * @found: set to the Block
 * @pos: set to the first byte
 *
 * The operations before it may still be under way.
 *
 * Return: ST_ERR_NONE when all the bytes are exposed and missing, else the reason.
 */
enum st_error st_rx_area(struct st_sock *st, const struct st_op *op, u32 len,
			 struct st_block **found, u64 *pos)
{
	enum st_error err = st_rx_find_block(st, op, len, found, pos);

	st_assert_locked(st);
	if (err != ST_ERR_NONE)
		return err;
	if (!st_block_lacks(*found, op, *pos))
		return ST_ERR_OUT_OF_ORDER_STU;
	*pos += (*found)->start;
	return ST_ERR_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_area);

/* Whether an STU starts where the previous one ends, ST 6.2.8; always true without payload. */
static bool st_stu_fits(const struct st_block *blk, const struct st_op *op, u32 len)
{
	u64 pos = ((u64)op->bufx << ST_BUFSIZE) + op->offset;

	return !len || pos == blk->start + blk->got;
}

/* The Block of a Data operation to be placed, or NULL. */
static struct st_block *st_rx_block(struct st_sock *st, const struct st_op *op, u32 len)
{
	struct st_block *blk;
	enum st_error err;
	bool next, bad;
	u64 pos;

	err = st_rx_find_block(st, op, len, &blk, &pos);
	if (err != ST_ERR_NONE && err != ST_ERR_OUT_OF_RANGE_BUFX) {
		st_log(st, err);
		if (err == ST_ERR_INVALID_MX && (op->flags & ST_F_SEND_STATE))
			st_rx_data_again(st, op);
		return NULL;
	}
	if (!st->vc.out_of_order && blk->n != blk->rx->next) {
		st_log(st, ST_ERR_OUT_OF_ORDER_B_NUM);
		return NULL;
	}
	st_loss_overtaken(st, blk, op);
	next = op->param == blk->stu_num;
	if (!next && !blk->path->delivery->takes(blk, op)) {
		st_rx_gap(st, blk, op, len);
		return NULL;
	}
	bad = len && (err != ST_ERR_NONE || !st_block_lacks(blk, op, pos));
	if (bad || (next && !st_stu_fits(blk, op, len))) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		if (next)
			st_block_recut(st, blk);
		return NULL;
	}
	return next || st_ooo_room(st, blk) ? blk : NULL;
}

/* ST 8.3.3.  Return: false when the Block must be sent again. */
static bool st_block_sum_ok(struct st_sock *st, struct st_block *blk, __sum16 cksum)
{
	bool ok = blk->summed && st_csum_ok(&blk->csum, cksum);

	if (ok) {
		st_csum_init(&blk->csum);
	} else if (blk->summed) {
		st_log(st, ST_ERR_CKSUM);
	} else {
		/* The first sign that this peer sends checksums */
		st->vc.peer_checksum = true;
	}
	return ok;
}

/*
 * Add an STU to the checksum of its segment, ST 8.3.2.  Return: false when the Block must be sent
 * again.
 */
static bool st_block_sum(struct st_sock *st, struct st_block *blk, const struct st_stu *stu)
{
	if (stu->good)
		return true;
	if (stu->summed)
		st_csum_add(&blk->csum, stu->csum.sum, stu->csum.len);
	else
		blk->summed = false;
	return !stu->cksum || st_block_sum_ok(st, blk, stu->cksum);
}

/* Account for the next STU, which is placed.  Return: whether the Block continues. */
static bool st_block_take(struct st_sock *st, struct st_block *blk, const struct st_stu *stu)
{
	const struct st_op *op = &stu->op;
	struct st_rx *rx = blk->rx;
	bool good = false;

	if (!st_stu_fits(blk, op, stu->len)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_BUFX);
		st_block_recut(st, blk);
		return false;
	}
	if (!st_block_sum(st, blk, stu)) {
		st_block_retry(st, blk, true);
		return false;
	}
	st->info.rx_bytes += stu->len;
	st->info.rx_direct += stu->direct;
	blk->got += stu->len;
	blk->stu_num++;
	if (stu->cksum) {
		blk->sum_got = blk->got;
		blk->sum_stu = blk->stu_num;
	}
	blk->ooo_map >>= 1;
	if (blk->got > blk->most) {
		blk->most = blk->got;
		blk->tries = 0;
		blk->guesses = 0;
	}
	st_rx_note(st, rx, op);
	if (op->flags & ST_F_LAST && blk->got < blk->len && !st_block_may_end(blk)) {
		st_log(st, ST_ERR_IMPROPER_FLAG_USE);
		if (rx->tiling.t_len)
			st_block_retry(st, blk, true);
		else
			st_rx_abort(st, rx, EREMOTEIO);
		return false;
	}
	if (!rx->tiling.t_len && (stu->cksum || !st->vc.peer_checksum))
		st_block_show(st, blk);
	if (op->flags & ST_F_LAST) {
		st_block_done(st, blk);
		good = true;
	}
	st_rx_wake_data(st, rx, op);
	if (op->flags & ST_F_SEND_STATE)
		st_queue_request_state_response(st, op, rx->peer_id, rx->x.id, st_rx_b_seq(rx),
						good ? op->b_num : ST_B_NUM_NONE);
	return !good;
}

/*
 * Whether an STU is useful: not if it belongs to an earlier exposure and to a segment whose rest
 * has the headers of the current one, see st_ooo_rewind().
 */
static bool st_stu_counts(const struct st_sock *st, const struct st_block *blk,
			  const struct st_stu *stu)
{
	const u32 n = stu->op.param;

	return stu->op.b_id == blk->mx || st_stu_alone(st, stu) ||
	       (stu->cksum && n == blk->stu_num && n == blk->sum_stu);
}

/* Process an STU, with its payload at @from in @skb. */
static void st_rcv_stu(struct st_sock *st, const struct sk_buff *skb, u32 from, struct st_stu *stu)
{
	const struct st_op *op = &stu->op;
	struct st_block *blk = st_rx_block(st, op, stu->len);

	if (!blk)
		return;
	/* A Data operation names the Clear_To_Send that it answers */
	if (op->b_id != blk->mx)
		blk->cleared = 0;
	else if (!st_block_begun(blk))
		blk->path->delivery->begun(blk);
	if (st_block_place(blk, skb, from, stu)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_LENGTH]);
		return;
	}
	st_path_progress(blk->path);
	if (op->param == blk->stu_num)
		st_loss_none(blk, op);
	if (!st_stu_counts(st, blk, stu))
		return;
	if (op->param != blk->stu_num) {
		st_ooo_keep(blk, stu);
		st_loss_gap(st, blk, op);
		return;
	}
	while (st_block_take(st, blk, stu) && st_ooo_next(blk, stu))
		;
}

/* Process each STU of a GSO packet separately: an error in one does not affect the others. */
static void st_rcv_gso(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	__sum16 cksum = ((const struct st_hdr *)skb->data)->cksum;
	u32 len = skb->len - ST_HDR_LEN, pos, n;
	u32 size = skb_shinfo(skb)->gso_size;

	for (pos = 0, n = 0; pos < len; pos += size, n++) {
		struct st_stu stu = {
			.len = min(size, len - pos),
			.cksum = cksum,
			.good = cksum,
		};

		st_gso_stu(op, n, pos, stu.len == len - pos, &stu.op);
		st_rcv_stu(st, skb, ST_HDR_LEN + pos, &stu);
	}
	st->info.rx_ops += n - 1;
}

/**
 * st_rcv_data - a Data operation, or a GSO packet of them, has arrived, ST 6.1.2
 * @st: the Virtual Connection
 * @op: the operation
 * @skb: the operation, at its Schedule Header, which is linear
 *
 * Context: softirq.
 */
void st_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	struct st_stu stu = {
		.op = *op,
		.len = skb->len - ST_HDR_LEN,
		.cksum = ((const struct st_hdr *)skb->data)->cksum,
		.summed = st->vc.peer_checksum,
	};

	st_assert_locked(st);
	if (skb_is_gso(skb) && stu.len)
		st_rcv_gso(st, op, skb);
	else
		st_rcv_stu(st, skb, ST_HDR_LEN, &stu);
}

/**
 * st_placement_new - expect the payload of a Data operation
 * @st: the Virtual Connection
 * @blk: its Block
 * @pos: first byte in the Transfer
 * @len: bytes, not 0, inside the Block
 *
 * It counts as progress, so a long payload gets an Op_timeout of its own.
 *
 * Return: the placement, with a reference for the LLP, or NULL without memory.
 */
struct st_placement_core *st_placement_new(struct st_sock *st, const struct st_block *blk,
					   u64 pos, u32 len)
{
	u64 kstart = st_block_kstart(blk);
	struct st_placement_core *t = st_placement_add(st, blk->mx, len);

	st_assert_locked(st);
	if (!t)
		return NULL;
	if (pos < kstart) {
		t->ubuf = blk->rx->ubuf;
		t->upos = pos - blk->rx->ustart;
		t->ulen = min_t(u64, len, kstart - pos);
	}
	if (t->ulen < len) {
		t->kbuf = blk->chunk->buf;
		t->kpos = pos + t->ulen - kstart;
		st_buf_hold(t->kbuf);
	}
	st_path_progress(blk->path);
	return t;
}
EXPORT_SYMBOL_IF_KUNIT(st_placement_new);
