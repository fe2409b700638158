// SPDX-License-Identifier: GPL-2.0
/*
 * Streams: Transfers of unlimited size at the data Source, ST 6.2.3.
 *
 * The bytes of sendmsg() calls with MSG_MORE are pieces of one Transfer.  They are copied, and sent
 * in the Blocks that the peer has cleared; a Block is acknowledged when it is full.  The call
 * without MSG_MORE ends the last Block where its bytes end.  When all Blocks are acknowledged, an
 * End goes to the peer.
 */
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/uio.h>

#include "conn/conn.h"

/**
 * st_stream_bytes - find bytes of a stream to send
 * @tx: the Transfer
 * @pos: the first of them
 * @at: set to its place in the buffer
 * @len: wanted bytes; set to those available
 *
 * Context: under st->lock.
 * Return: the buffer, or NULL without bytes.
 */
struct st_buf *st_stream_bytes(const struct st_tx *tx, u64 pos, u64 *at, u64 *len)
{
	const struct st_piece *p;

	if (pos >= tx->queued)
		return NULL;
	list_for_each_entry(p, &tx->pieces, list) {
		if (pos - p->start >= p->buf->len)
			continue;
		*at = pos - p->start;
		*len = min(*len, p->buf->len - *at);
		return p->buf;
	}
	return NULL;
}

/* The end of the acknowledged Blocks. */
static u64 st_stream_acked_end(const struct st_tx *tx)
{
	return tx->tiled ? st_block_start(&tx->tiling, tx->acked) : 0;
}

/**
 * st_stream_unacked - bytes of a stream that are not acknowledged
 * @tx: the Transfer
 *
 * Context: under st->lock.
 * Return: bytes after the last acknowledged Block.
 */
u64 st_stream_unacked(const struct st_tx *tx)
{
	return tx->queued - min(tx->queued, st_stream_acked_end(tx));
}

/**
 * st_stream_max_block - largest Block of a stream, ST 6.2.5
 * @st: the Virtual Connection
 *
 * Bytes are kept until their Block is full, so SO_SNDBUF must hold several Blocks.
 *
 * Context: any.
 * Return: log2.
 */
u8 st_stream_max_block(const struct st_sock *st)
{
	return clamp(ilog2(READ_ONCE(st->sk.sk_sndbuf)) - 3, ST_BLOCK_MIN, ST_BLOCKSIZE);
}

static void st_piece_free(struct st_sock *st, struct st_tx *tx, struct st_piece *p)
{
	tx->charged -= p->charged;
	st->source.queued -= p->charged;
	list_del(&p->list);
	st_buf_free(p->buf, false);
	kfree(p);
}

/**
 * st_stream_over - release a stream that is acknowledged or given up
 * @st: the Virtual Connection
 * @tx: the Transfer
 */
void st_stream_over(struct st_sock *st, struct st_tx *tx)
{
	struct st_piece *p, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(p, next, &tx->pieces, list)
		st_piece_free(st, tx, p);
	if (st->source.stream == tx) {
		st->source.stream = NULL;
		st->source.stream_err = tx->cancelled ? -ECANCELED : -EREMOTEIO;
	}
}

/**
 * st_stream_acked - free the acknowledged bytes of a stream
 * @st: the Virtual Connection
 * @tx: the Transfer, with st_tx.acked
 *
 * Ends the Transfer when all of it is acknowledged.
 */
void st_stream_acked(struct st_sock *st, struct st_tx *tx)
{
	u64 end = st_stream_acked_end(tx);
	struct st_piece *p, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(p, next, &tx->pieces, list) {
		if (p->start + p->buf->len > end)
			break;
		st_piece_free(st, tx, p);
	}
	/* Even room for the rest of a Block counts as room */
	st_tx_wake(&st->sk);
	if (!tx->closed || tx->ending || end < tx->queued)
		return;
	st_tx_drop_cts(st, tx);
	tx->ending = true;
	if (tx->peer_id_known)
		st_queue_end(st, tx->peer_id, tx->x.id, &tx->retrans);
}

/*
 * Whether the next Block is not cleared though there are bytes for it, or the stream is closed.
 * Later Blocks may be cleared: their Clear_To_Sends were not lost.
 */
static bool st_stream_waits(const struct st_tx *tx)
{
	const struct st_cts *g;

	/* Data that was sent is watched by st_tx_watch() */
	if (tx->acked < tx->high)
		return false;
	list_for_each_entry(g, &tx->cts_list, list)
		if (g->n == tx->acked)
			return false;
	return tx->closed || st_stream_acked_end(tx) < tx->queued;
}

/**
 * st_stream_starved - ask for a missing Clear_To_Send of a stream
 * @st: the Virtual Connection
 * @tx: the Transfer; all that may be sent of it is sent
 *
 * The data Destination does not notice the loss of a Clear_To_Send, as it does not know the
 * length of the Transfer.  So the Source asks for it after a while.
 */
void st_stream_starved(struct st_sock *st, struct st_tx *tx)
{
	st_assert_locked(st);
	if (!tx->peer_id_known || tx->ending || tx->retrans.armed || tx->retrans.paused)
		return;
	if (!st_stream_waits(tx))
		return;
	st_tx_rts(st, tx, &tx->retrans.op);
	st_retrans_pause(st, &tx->retrans, ST_KEEPALIVE);
}

/**
 * st_stream_room - whether more bytes of a stream are accepted now
 * @st: the Virtual Connection
 *
 * They are when half of SO_SNDBUF is free, or when the peer may need them to complete and
 * acknowledge a Block.
 *
 * Context: process.
 * Return: true when they are accepted; without a stream as st_tx_writable().
 */
bool st_stream_room(struct st_sock *st)
{
	const struct st_tx *tx;
	bool room;

	/* An estimate: the answer may be outdated when it is used */
	if (st_tx_writable(st))
		return true;
	spin_lock_bh(&st->lock);
	tx = st->source.stream;
	room = st_tx_writable(st) || (tx && st_stream_unacked(tx) < BIT_ULL(tx->max_block));
	spin_unlock_bh(&st->lock);
	return room;
}
