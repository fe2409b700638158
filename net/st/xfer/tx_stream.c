// SPDX-License-Identifier: GPL-2.0
/*
 * Streams: Transfers of unlimited size at the data Source, ST 6.2.3.
 *
 * The bytes of sendmsg() calls with MSG_MORE are pieces of one Transfer.  They are
 * copied, and sent as they come into the Blocks that the peer has cleared; a
 * Block is acknowledged when it is full.  The call without MSG_MORE ends the last
 * Block where its bytes end, and when all Blocks are acknowledged an End goes to
 * the peer.
 */
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/uio.h>

#include "conn/conn.h"

#define ST_PIECE_MAX	65536	/* bytes copied at a time */

/**
 * struct st_piece - bytes of a stream
 * @list: in st_tx.pieces
 * @start: place of the first byte in the Transfer
 * @charged: of st_tx.charged
 * @buf: the bytes
 */
struct st_piece {
	struct list_head	list;
	u64			start;
	u64			charged;
	struct st_buf		*buf;
};

/**
 * st_stream_bytes - bytes of a stream that can be sent
 * @tx: the Transfer
 * @pos: the first of them
 * @at: set to its place in the buffer
 * @len: how many are wanted; becomes how many there are
 *
 * Context: under st->lock.
 * Return: the buffer, or NULL when there are none.
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

/* Where the Blocks end that the peer has got. */
static u64 st_stream_acked_end(const struct st_tx *tx)
{
	return tx->tiled ? st_block_start(&tx->tiling, tx->acked) : 0;
}

/**
 * st_stream_unacked - bytes of a stream that are kept
 * @tx: the Transfer
 *
 * Context: under st->lock.
 * Return: bytes behind the last Block that was acknowledged.
 */
u64 st_stream_unacked(const struct st_tx *tx)
{
	return tx->queued - min(tx->queued, st_stream_acked_end(tx));
}

/**
 * st_stream_max_block - largest Block of a stream, ST 6.2.5
 * @st: the Virtual Connection
 *
 * Bytes are kept until their Block is full, so several have room in SO_SNDBUF.
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
	st->tx_queued -= p->charged;
	list_del(&p->list);
	st_buf_free(p->buf, false);
	kfree(p);
}

/**
 * st_stream_over - a stream is acknowledged or given up
 * @st: the Virtual Connection
 * @tx: the Transfer
 *
 * Context: under st->lock.
 */
void st_stream_over(struct st_sock *st, struct st_tx *tx)
{
	struct st_piece *p, *next;

	list_for_each_entry_safe(p, next, &tx->pieces, list)
		st_piece_free(st, tx, p);
	if (st->stream == tx) {
		st->stream = NULL;
		st->stream_err = tx->cancelled ? -ECANCELED : -EREMOTEIO;
	}
}

/**
 * st_stream_acked - the peer has got Blocks of a stream
 * @st: the Virtual Connection
 * @tx: the Transfer, with st_tx.acked
 *
 * Ends the Transfer when all of it has arrived.
 *
 * Context: under st->lock.
 */
void st_stream_acked(struct st_sock *st, struct st_tx *tx)
{
	u64 end = st_stream_acked_end(tx);
	struct st_piece *p, *next;

	list_for_each_entry_safe(p, next, &tx->pieces, list) {
		if (p->start + p->buf->len > end)
			break;
		st_piece_free(st, tx, p);
	}
	/* Room for the rest of a Block, too, is room */
	st_tx_wake(&st->sk);
	if (!tx->closed || tx->ending || end < tx->queued)
		return;
	st_tx_drop_grants(st, tx);
	tx->ending = true;
	if (tx->peer_id_known)
		st_queue_end(st, tx->peer_id, tx->x.id, &tx->guard);
}

/**
 * st_stream_starved - a stream has nothing left that it may send
 * @st: the Virtual Connection
 * @tx: the Transfer
 *
 * A Clear_To_Send that was lost is not missed by the data Destination, which can't
 * know how long the Transfer is; so it is asked for after a while.
 *
 * Context: under st->lock.
 */
void st_stream_starved(struct st_sock *st, struct st_tx *tx)
{
	if (!tx->peer_id_known || tx->ending || tx->guard.armed || tx->guard.paused)
		return;
	if (tx->sent == tx->queued && !tx->closed)
		return;
	st_tx_rts(st, tx, &tx->guard.op);
	st_guard_pause(st, &tx->guard, ST_KEEPALIVE);
}

/* Bits of st_sock.streaming */
enum {
	ST_STREAM_BUSY,		/* a call appends bytes, or waits for room */
	ST_STREAM_WAITED,	/* another call waits for its turn */
};

/* One sendmsg() call. */
struct st_stream_call {
	struct msghdr	*msg;
	long		timeo;
	struct st_tx	*fresh;		/* to begin a stream with */
	struct st_tx	*closed;	/* ended by this call, which waits for it */
};

/* A few bytes go to the last page that is in use.  Return: false when they do not fit. */
static bool st_piece_append(struct st_tx *tx, const struct st_piece *p)
{
	struct st_piece *last;
	struct st_seg *to;

	if (list_empty(&tx->pieces) || p->buf->nr != 1)
		return false;
	last = list_last_entry(&tx->pieces, struct st_piece, list);
	to = &last->buf->seg[last->buf->nr - 1];
	if (p->buf->len > PAGE_SIZE - to->len)
		return false;
	memcpy_page(to->page, to->len, p->buf->seg[0].page, 0, p->buf->len);
	to->len += p->buf->len;
	last->buf->len += p->buf->len;
	tx->queued += p->buf->len;
	return true;
}

/* Begin a stream if there is none, append a piece, and close it.  Under st->lock. */
static int st_stream_push(struct st_sock *st, struct st_stream_call *call, struct st_piece **piece,
			  bool more)
{
	struct st_piece *p = *piece;
	struct st_tx *tx;
	int err;

	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	if (!st->stream) {
		/* The one that the call goes on with is over */
		if (!call->fresh)
			return st->send_err ?: st->stream_err;
		err = st_tx_start(st, call->fresh, 0);
		if (err)
			return err;
		st->stream = call->fresh;
		call->fresh = NULL;
	}
	tx = st->stream;
	if (p && !st_piece_append(tx, p)) {
		*piece = NULL;
		p->start = tx->queued;
		list_add_tail(&p->list, &tx->pieces);
		tx->queued += p->buf->len;
		tx->charged += p->charged;
		st->tx_queued += p->charged;
	}
	if (!more) {
		tx->closed = true;
		st->stream = NULL;
		if (!(call->msg->msg_flags & MSG_DONTWAIT)) {
			tx->waited = true;
			call->closed = tx;
		}
		st_stream_acked(st, tx);
	}
	st_tx_pump(st);
	return 0;
}

static void st_piece_drop(struct st_piece *p)
{
	if (!p)
		return;
	st_buf_free(p->buf, false);
	kfree(p);
}

static struct st_piece *st_piece_new(struct msghdr *msg, size_t len)
{
	struct st_piece *p = kmalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	if (!p)
		return ERR_PTR(-ENOMEM);
	p->buf = st_buf_alloc(len, GFP_KERNEL_ACCOUNT);
	if (!p->buf) {
		kfree(p);
		return ERR_PTR(-ENOMEM);
	}
	p->charged = (u64)p->buf->nr * PAGE_SIZE + sizeof(*p);
	if (st_buf_copy_from_iter(p->buf, &msg->msg_iter)) {
		st_piece_drop(p);
		return ERR_PTR(-EFAULT);
	}
	return p;
}

/**
 * st_stream_room - whether more bytes of a stream are taken now
 * @st: the Virtual Connection
 *
 * Half of SO_SNDBUF is free, or they may be what lacks for the peer to acknowledge a
 * Block.
 *
 * Context: process.
 * Return: true when they are; without a stream as st_tx_writable().
 */
bool st_stream_room(struct st_sock *st)
{
	const struct st_tx *tx;
	bool room;

	/* By the time of its use it is a guess in any case */
	if (st_tx_writable(st))
		return true;
	spin_lock_bh(&st->lock);
	tx = st->stream;
	room = st_tx_writable(st) || (tx && st_stream_unacked(tx) < BIT_ULL(tx->max_block));
	spin_unlock_bh(&st->lock);
	return room;
}

/* The same for a call that goes on with a stream; without one there is nothing to wait for. */
static bool st_stream_goes_on(struct st_sock *st)
{
	return !READ_ONCE(st->stream) || st_stream_room(st);
}

/* The next bytes of a call.  Return: how many, or a negative errno. */
static ssize_t st_stream_some(struct st_sock *st, struct st_stream_call *call, size_t left)
{
	size_t n = min_t(size_t, left, ST_PIECE_MAX);
	bool more = n < left || (call->msg->msg_flags & MSG_MORE);
	struct iov_iter before = call->msg->msg_iter;
	struct st_piece *p = NULL;
	int err;

	/* EAGAIN: another record has taken the room that was found */
	do {
		err = st_send_wait(st, &call->timeo,
				   call->fresh ? st_stream_room : st_stream_goes_on);
		if (err)
			break;
		if (n && !p) {
			p = st_piece_new(call->msg, n);
			if (IS_ERR(p)) {
				err = PTR_ERR(p);
				p = NULL;
				break;
			}
		}
		spin_lock_bh(&st->lock);
		err = st_stream_push(st, call, &p, more);
		st_unlock(st);
	} while (err == -EAGAIN);
	st_piece_drop(p);
	/* io_uring makes the call again after EAGAIN */
	if (err)
		call->msg->msg_iter = before;
	return err ?: n;
}

/* Wait until a stream is acknowledged.  Its bytes are sent whether or not we wait. */
static int st_stream_finish(struct st_sock *st, struct st_tx *tx, long timeo)
{
	int err;

	err = 0;
	wait_for_completion_interruptible_timeout(&tx->done, timeo);
	spin_lock_bh(&st->lock);
	if (!tx->over) {
		tx->waited = false;
		if (tx->cancelled) {
			st_tx_cancel(st, tx);
			err = -ECANCELED;
		}
		tx = NULL;
	}
	st_unlock(st);
	if (!tx)
		return err;
	err = tx->err;
	st_tx_free(tx);
	/* This call tells what happened to the connection */
	if (err && READ_ONCE(st->sk.sk_err) == -err)
		sock_error(&st->sk);
	return err;
}

/* Whether no other call is at a stream; it is this one's turn then. */
static bool st_stream_turn(struct st_sock *st)
{
	if (!test_and_set_bit_lock(ST_STREAM_BUSY, &st->streaming))
		return true;
	set_bit(ST_STREAM_WAITED, &st->streaming);
	return !test_and_set_bit_lock(ST_STREAM_BUSY, &st->streaming);
}

/* Both bits are in one word, so that a call that waits is seen, or sees that it need not. */
static void st_stream_next(struct st_sock *st)
{
	clear_bit_unlock(ST_STREAM_BUSY, &st->streaming);
	if (test_and_clear_bit(ST_STREAM_WAITED, &st->streaming))
		st_tx_wake(&st->sk);
}

/* All that a call says, in its turn.  Return: bytes, or a negative errno. */
static ssize_t st_stream_all(struct st_sock *st, struct st_stream_call *call, size_t len,
			     const struct st_ctl *ctl)
{
	size_t done = 0;
	ssize_t n;

	if (READ_ONCE(st->stream)) {
		if (ctl->what || ctl->any || ctl->marked)
			return -EINVAL;
	} else {
		call->fresh = st_tx_alloc(ctl, 0);
		if (!call->fresh)
			return -ENOMEM;
		call->fresh->stream = true;
	}
	do {
		n = st_stream_some(st, call, len - done);
		if (n < 0)
			break;
		done += n;
	} while (done < len);
	if (call->fresh)
		st_tx_free(call->fresh);
	return done ?: n;
}

/**
 * st_stream_send - sendmsg() of a part of a stream
 * @st: the Virtual Connection
 * @msg: the bytes, and MSG_MORE in its flags when more will follow
 * @len: how many, may be 0
 * @ctl: control messages; all but the first call of a stream has none
 *
 * Returns when all is copied; a blocking call that ends the stream waits for the
 * peer to acknowledge all of it.
 *
 * Context: process, may sleep.
 * Return: bytes taken, less than @len after a signal or timeout; or as
 * st_sendmsg().
 */
ssize_t st_stream_send(struct st_sock *st, struct msghdr *msg, size_t len,
		       const struct st_ctl *ctl)
{
	struct st_stream_call call = {
		.msg = msg,
		.timeo = sock_sndtimeo(&st->sk, msg->msg_flags & MSG_DONTWAIT),
	};
	ssize_t n;
	int err;

	/* The bytes of one call stay together, and it ends or begins a stream as it has found it */
	n = st_send_wait(st, &call.timeo, st_stream_turn);
	if (n)
		return n;
	n = st_stream_all(st, &call, len, ctl);
	st_stream_next(st);
	if (call.closed) {
		err = st_stream_finish(st, call.closed, call.timeo);
		if (err)
			return err;
	}
	/* Where nothing was taken, the failure is told now, not once more */
	if (n < 0)
		cmpxchg(&st->send_err, n, 0);
	return n;
}
