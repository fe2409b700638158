// SPDX-License-Identifier: GPL-2.0
/*
 * sendmsg() with MSG_MORE: appends bytes to a stream.
 */
#include <linux/bitops.h>
#include <linux/highmem.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>

#include "sock/sock.h"

#define ST_PIECE_MAX	65536	/* bytes copied at a time */

/* Bits of st_sock.source.streaming */
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

/* Append a few bytes to the last page in use.  Return: false when they do not fit. */
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

/* Begin a stream if there is none, append a piece, and close the stream if nothing follows. */
static int st_stream_push(struct st_sock *st, struct st_stream_call *call, struct st_piece **piece,
			  bool more)
{
	struct st_piece *p = *piece;
	struct st_tx *tx;
	int err;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	if (!st->source.stream) {
		/* The stream that the call continues is over */
		if (!call->fresh)
			return st->source.err ?: st->source.stream_err;
		err = st_tx_start(st, call->fresh, 0);
		if (err)
			return err;
		st->source.stream = call->fresh;
		call->fresh = NULL;
	}
	tx = st->source.stream;
	if (p && !st_piece_append(tx, p)) {
		*piece = NULL;
		p->start = tx->queued;
		list_add_tail(&p->list, &tx->pieces);
		tx->queued += p->buf->len;
		tx->charged += p->charged;
		st->source.queued += p->charged;
	}
	if (!more) {
		tx->closed = true;
		st->source.stream = NULL;
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

/* As st_stream_room(), for a call that continues a stream; without one it need not wait. */
static bool st_stream_goes_on(struct st_sock *st)
{
	return !READ_ONCE(st->source.stream) || st_stream_room(st);
}

/* Take the next bytes of a call.  Return: how many, or a negative errno. */
static ssize_t st_stream_some(struct st_sock *st, struct st_stream_call *call, size_t left)
{
	size_t n = min_t(size_t, left, ST_PIECE_MAX);
	bool more = n < left || (call->msg->msg_flags & MSG_MORE);
	struct iov_iter before = call->msg->msg_iter;
	struct st_piece *p = NULL;
	int err;

	/* EAGAIN: another record has used the room meanwhile */
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
	/* io_uring repeats the call after EAGAIN */
	if (err)
		call->msg->msg_iter = before;
	return err ?: n;
}

/* Wait until a stream is acknowledged.  Its bytes are sent even if the wait ends early. */
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
	/* The error of the connection is reported by this call */
	if (err && READ_ONCE(st->sk.sk_err) == -err)
		sock_error(&st->sk);
	return err;
}

/* Try to become the only writer of the stream. */
static bool st_stream_turn(struct st_sock *st)
{
	if (!test_and_set_bit_lock(ST_STREAM_BUSY, &st->source.streaming))
		return true;
	set_bit(ST_STREAM_WAITED, &st->source.streaming);
	return !test_and_set_bit_lock(ST_STREAM_BUSY, &st->source.streaming);
}

/* Both bits are in one word, so that a waiting call is either seen, or sees that it can go on. */
static void st_stream_next(struct st_sock *st)
{
	clear_bit_unlock(ST_STREAM_BUSY, &st->source.streaming);
	if (test_and_clear_bit(ST_STREAM_WAITED, &st->source.streaming))
		st_tx_wake(&st->sk);
}

/* Take all bytes of a call, as the only writer.  Return: bytes, or a negative errno. */
static ssize_t st_stream_all(struct st_sock *st, struct st_stream_call *call, size_t len,
			     const struct st_ctl *ctl)
{
	size_t done = 0;
	ssize_t n;

	if (READ_ONCE(st->source.stream)) {
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
 * @msg: the bytes; MSG_MORE in its flags if more will follow
 * @len: how many, may be 0
 * @ctl: control messages, allowed in the first call of a stream only
 *
 * Returns when all bytes are copied.  A blocking call that ends the stream also waits until the
 * peer has acknowledged all of it.
 *
 * Context: process, may sleep.
 * Return: bytes taken, fewer than @len after a signal or timeout; or an error as st_sendmsg().
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

	/* One writer at a time: its bytes stay together, and the stream can't change under it */
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
	/* If nothing was taken, the failure is reported now, and only once */
	if (n < 0)
		cmpxchg(&st->source.err, n, 0);
	return n;
}
