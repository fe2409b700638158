// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks and STUs at the data Source, ST 6.2.4 to 6.2.8: what the peer has cleared, and its
 * transmission.
 */
#include <net/sch_generic.h>

#include "conn/host.h"
#include "link/link.h"
#include "xfer/delivery.h"

static void st_cts_free(struct st_sock *st, struct st_cts *g)
{
	list_del(&g->list);
	st_peer_free(st, g, sizeof(*g));
	st->source.cts--;
}

/**
 * st_tx_drop_cts - drop all Clear_To_Sends of a Transfer
 * @st: the Virtual Connection
 * @tx: the Transfer
 */
void st_tx_drop_cts(struct st_sock *st, struct st_tx *tx)
{
	struct st_cts *g, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(g, next, &tx->cts_list, list)
		st_cts_free(st, g);
}

/**
 * st_tx_leave_path - drop all Clear_To_Sends of a path that does not work any more
 * @st: the Virtual Connection
 * @path: the path
 *
 * The peer clears their Blocks again over another path.
 */
void st_tx_leave_path(struct st_sock *st, const struct st_path *path)
{
	struct st_cts *g, *next;
	struct st_tx *tx;

	st_assert_locked(st);
	list_for_each_entry(tx, &st->source.list, list) {
		list_for_each_entry_safe(g, next, &tx->cts_list, list) {
			if (g->path != path)
				continue;
			st_cts_free(st, g);
			/* The Transfer may have been waiting for this alone */
			if (list_empty(&tx->cts_list) && !tx->ending)
				st_tx_watch(st, tx, tx->watch);
		}
	}
}

/*
 * The bytes to send next.  Return: false when there are none now.  @len is 0 when the Block, which
 * is the last one, ends here.
 */
static bool st_tx_bytes(const struct st_tx *tx, const struct st_cts *g, struct st_buf **buf,
			u64 *at, u64 *len)
{
	u64 pos = g->start + g->sent;

	*len = g->len - g->sent;
	*buf = tx->buf;
	*at = pos;
	if (!tx->stream)
		return true;
	*buf = st_stream_bytes(tx, pos, at, len);
	if (*buf)
		return true;
	*len = 0;
	return tx->closed && g->sent && pos == tx->queued;
}

/* Whether an STU is the last of its Block. */
static bool st_tx_last(const struct st_tx *tx, const struct st_cts *g, u32 stu)
{
	u64 sent = g->sent + stu;

	return sent == g->len || (tx->closed && g->start + sent == tx->queued);
}

/* Whether the peer has to acknowledge the end of a Block. */
static bool st_tx_ack(const struct st_tx *tx)
{
	return tx->stream || (tx->flags & ST_SEND_STATE) || list_is_singular(&tx->cts_list);
}

/* Silent, Interrupt and Send_State of an STU, ST 8.2.  @end: it is the last one queued. */
static u16 st_tx_data_flags(const struct st_tx *tx, bool last, bool end)
{
	u16 flags = last ? ST_F_LAST : 0;

	if (last && end && (tx->flags & ST_SEND_INTERRUPT) && (!tx->stream || tx->closed))
		flags |= ST_F_INTERRUPT;
	if (tx->flags & ST_SEND_SILENT)
		return flags | ST_F_SILENT;
	if (last && st_tx_ack(tx))
		return flags | ST_F_SEND_STATE;
	/* Wake a polling reader of a stream for the Data so far */
	return tx->stream && end ? flags : flags | ST_F_SILENT;
}

/* Build the Data operation of an STU, or of a GSO packet.  Return: false without a Slot. */
static bool st_tx_data_op(struct st_sock *st, struct st_tx *tx, const struct st_cts *g,
			  u32 stu, struct st_op *op)
{
	u64 total = tx->stream ? tx->queued : tx->tiling.t_len;
	u16 flags = st_tx_data_flags(tx, g->done, g->start + g->sent + stu == total);

	/* An operation that is not Silent takes a Slot, ST 5.2.5 */
	if (!(flags & ST_F_SILENT) && !st_slot_take(st, false))
		return false;
	st_op_init(st, op, ST_OP_DATA, tx->channel | flags);
	op->param = g->stu_num;
	op->b_id = g->mx;
	op->bufx = g->at.bufx;
	op->offset = g->at.offset;
	op->sync = st->slots.ops;
	op->b_num = st_b_num(g->n);
	op->d_id = tx->peer_id;
	op->s_id = tx->answers ? 0 : tx->opaque;
	return true;
}

/**
 * st_tx_class - set priority and mark of a Data operation
 * @skb: the operation, not yet sent
 * @tx: its record
 *
 * Context: under st_sock.lock.
 */
void st_tx_class(struct sk_buff *skb, const struct st_tx *tx)
{
	skb->mark = tx->mark;
	skb->priority = tx->priority;
}

/* How many bytes to send next, in full STUs of @stu, within one receive buffer of the peer. */
static u32 st_tx_gso(const struct st_sock *st, const struct st_cts *g, const struct st_buf *buf,
		     u64 at, u64 len, u32 stu)
{
	u32 left = st_stu_len(&g->at, len, st->vc.remote_bufsize, ST_BUFSIZE_MAX);

	return left > stu ? st_gso_len(g->path->link, buf, at, left, stu) : stu;
}

/*
 * Whether a link accepts Data.  Without carrier it would drop all that is cleared: st_link_go_on()
 * resumes.
 */
static bool st_tx_carried(const struct st_link *link)
{
	return st_link_carrier(link) && (link->own_state || !qdisc_tx_is_noop(link->dev));
}

/* Send the next STU of a Block, ST 6.2.7, or several.  Return: false when it must wait. */
static bool st_tx_send_stu(struct st_sock *st, struct st_tx *tx, struct st_cts *g,
			   struct st_buf *buf, u64 at, u64 len)
{
	u8 max_stu = st_tx_max_stu(g->path, tx->channel);
	u32 stu = 0, sent = 0;
	struct sk_buff *skb;
	struct st_op op;

	if (!max_stu || !st_tx_carried(g->path->link) ||
	    sk_wmem_alloc_get(&st->sk) >= st_tx_inflight(st))
		return false;
	if (len) {
		stu = st_tx_fit(g->path->link, buf, at,
				st_stu_len(&g->at, len, st->vc.remote_bufsize, max_stu));
		g->twice &= !st_tx_last(tx, g, stu);
		sent = stu;
		if (stu == BIT_ULL(max_stu) && !g->twice)
			sent = st_tx_gso(st, g, buf, at, len, stu);
	}
	g->done = st_tx_last(tx, g, sent);
	if (!st_tx_data_op(st, tx, g, sent, &op)) {
		g->done = false;
		return false;
	}
	skb = st_tx_queue_data(g->path, &op, buf, at, sent, stu);
	if (!skb) {
		g->done = false;
		/* Possibly nothing else will cause another try */
		st_timer_at(st, jiffies + st_op_timeout(st));
		return false;
	}
	st_tx_class(skb, tx);
	if (g->done && st_tx_ack(tx))
		st_tx_watch(st, tx, g->n);
	st_path_sent(g->path, sent);
	if (g->twice) {
		g->twice = false;
		return true;
	}
	g->sent += sent;
	g->stu_num += sent ? DIV_ROUND_UP(sent, stu) : 1;
	st_place_advance(&g->at, sent, st->vc.remote_bufsize);
	tx->sent = max(tx->sent, g->start + g->sent);
	return true;
}

/* Send as much of a Block as possible.  Return: false when it must wait for the LLP or a Slot. */
static bool st_tx_send_block(struct st_sock *st, struct st_tx *tx, struct st_cts *g)
{
	struct st_buf *buf;
	u64 at, len;

	while (!g->done && st_tx_bytes(tx, g, &buf, &at, &len))
		if (!st_tx_send_stu(st, tx, g, buf, at, len))
			return false;
	return true;
}

/**
 * st_tx_send_blocks - send the cleared Blocks of a Transfer
 * @st: the Virtual Connection
 * @tx: the Transfer
 *
 * Return: false when it must wait for the LLP or a Slot.
 */
bool st_tx_send_blocks(struct st_sock *st, struct st_tx *tx)
{
	struct st_cts *g, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(g, next, &tx->cts_list, list) {
		/* A forged source address must not direct Data to another host */
		if (st->paths.stripe && !st_path_usable(g->path))
			continue;
		if (!st_tx_send_block(st, tx, g))
			return false;
		if (!g->done)
			continue;	/* the rest of a stream is not written yet */
		tx->high = max(tx->high, g->n + 1);
		st_cts_free(st, g);
	}
	return true;
}

/**
 * st_tx_tile - derive the Block boundaries from a Clear_To_Send, ST 6.2.6
 * @tx: the Transfer
 * @op: a Clear_To_Send for it
 * @tiling: set to the boundaries
 *
 * The first Clear_To_Send that is executed fixes them.
 *
 * Context: under st->lock.
 * Return: false when its Blocksize is illegal, or differs from that of an earlier one.
 */
bool st_tx_tile(const struct st_tx *tx, const struct st_op *op, struct st_tiling *tiling)
{
	if (op->param < ST_BLOCK_MIN || op->param > min_t(u8, tx->max_block, ST_BLOCK_MAX))
		return false;
	if (tx->tiled && (op->param != tx->tiling.blocksize || op->sync != tx->tiling.f_offset))
		return false;
	tiling->t_len = tx->tiling.t_len;
	tiling->blocksize = op->param;
	tiling->f_offset = op->sync;
	return true;
}

/**
 * st_tx_cts - the peer clears a Block, ST 6.1.2
 * @st: the Virtual Connection
 * @tx: the Transfer, with Block boundaries
 * @op: the Clear_To_Send, with a valid place
 * @n: number of the Block, which exists in the Transfer
 *
 * The Block takes the path of the Clear_To_Send, ST B.3.
 */
void st_tx_cts(struct st_sock *st, struct st_tx *tx, const struct st_op *op, u64 n)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	struct st_path *path = st->paths.by;
	struct st_cts *g;

	st_assert_locked(st);
	/* The peer may ask for a Block again while it is being sent */
	list_for_each_entry(g, &tx->cts_list, list) {
		if (g->n != n)
			continue;
		if (g->mx == op->b_id && g->path == path)
			return;		/* a duplicate */
		/* The peer expects it after the other Blocks, and takes those for lost otherwise */
		list_move_tail(&g->list, &tx->cts_list);
		goto fill;
	}
	if (st->source.cts >= ST_CTS_MAX) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_CTS]);
		return;
	}
	/* Without memory the peer asks again after its Op_timeout */
	g = st_peer_alloc(st, sizeof(*g));
	if (!g)
		return;
	list_add_tail(&g->list, &tx->cts_list);
	st->source.cts++;
fill:
	g->n = n;
	g->start = st_block_start(&tx->tiling, g->n);
	g->len = st_block_len(&tx->tiling, g->n);
	g->sent = 0;
	g->done = false;
	g->at = at;
	g->stu_num = 0;
	g->mx = op->b_id;
	g->path = path;
	g->twice = g->n < tx->high && path->delivery->twice(tx);
}
