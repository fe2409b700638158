// SPDX-License-Identifier: GPL-2.0
/*
 * recvmsg(): passes records to the application, if possible by placing them straight into its
 * pages.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include "conn/placement.h"
#include "sock/sock.h"
#include "xfer/rx_block.h"

/* One recvmsg() call. */
struct st_reader {
	struct msghdr	*msg;
	size_t		len;	/* wanted bytes */
	size_t		done;	/* returned bytes */
	u64		cut;	/* bytes dropped after those, MSG_TRUNC */
	bool		all;	/* wait for all wanted bytes of a stream */
	bool		direct;	/* long records may be placed into the pages of @msg */
	bool		trunc;	/* MSG_TRUNC: drop the bytes of the record after @len */
	bool		any;	/* the bytes belong to a record */
	bool		reads;	/* the record is a Read */
	struct st_recv	recv;
	struct st_read_data data;
	struct st_buf	*ubuf;
	u64		seen;	/* st_rx.done_end, once a signal has come */
	unsigned long	late;	/* jiffies, deadline of the next Block; 0: no signal has come */
};

/* Serialize recvmsg().  Return: 0 or a negative errno. */
static int st_recv_lock(struct st_sock *st, long *timeo)
{
	long left;

	if (!test_and_set_bit_lock(0, &st->reading.lock))
		return 0;
	if (!*timeo)
		return -EAGAIN;
	left = wait_event_interruptible_timeout(st->reading.wait,
						!test_and_set_bit_lock(0, &st->reading.lock),
						*timeo);
	if (left < 0)
		return sock_intr_errno(*timeo);
	*timeo = left;
	return left ? 0 : -EAGAIN;
}

static void st_recv_unlock(struct st_sock *st)
{
	clear_bit_unlock(0, &st->reading.lock);
	smp_mb__after_atomic();	/* orders the unlock before the check for waiters */
	if (waitqueue_active(&st->reading.wait))
		wake_up_interruptible(&st->reading.wait);
}

/* Copy from kernel pages; drops and retakes st->lock. */
static size_t st_recv_copy(struct st_sock *st, const struct st_chunk *chunk, u64 skip, size_t want,
			   struct st_reader *r)
	__must_hold(&st->lock)
{
	size_t got;

	st_unlock(st);
	got = st_buf_copy_to_iter(chunk->buf, skip, want, &r->msg->msg_iter);
	spin_lock_bh(&st->lock);
	r->done += got;
	return got;
}

/* Return bytes of the first chunk of kernel pages; drops and retakes st->lock. */
static int st_recv_chunk(struct st_sock *st, struct st_rx *rx, struct st_reader *r)
	__must_hold(&st->lock)
{
	struct st_chunk *chunk = list_first_entry(&rx->chunks, struct st_chunk, list);
	u64 skip = rx->consumed - chunk->start;
	size_t want = min3(chunk->buf->len - skip, rx->done_end - rx->consumed,
			   (u64)(r->len - r->done));
	size_t got;

	if (want) {
		got = st_recv_copy(st, chunk, skip, want, r);
	} else {
		got = min(chunk->buf->len - skip, rx->done_end - rx->consumed);
		want = got;
		r->cut += got;
	}
	rx->consumed += got;
	if (skip + got == chunk->buf->len) {
		list_del(&chunk->list);
		st_chunk_free(st, chunk);
		st_rx_clear_all(st);
	}
	return got == want ? 0 : -EFAULT;
}

/* Return the bytes that have arrived without a gap; drops and retakes st->lock. */
static int st_recv_some(struct st_sock *st, struct st_rx *rx, struct st_reader *r)
	__must_hold(&st->lock)
{
	struct st_chunk *chunk;
	u64 n;
	int err;

	while (rx->consumed < rx->done_end && (r->done < r->len || r->trunc)) {
		chunk = list_first_entry_or_null(&rx->chunks, struct st_chunk, list);
		if (chunk && chunk->start <= rx->consumed) {
			err = st_recv_chunk(st, rx, r);
			if (err)
				return err;
			continue;
		}
		if (min(rx->done_end, rx->uend) <= rx->consumed) {
			st_rx_spoil(st, rx, EIO);
			break;
		}
		/* Already placed in the pages of this call */
		n = min(rx->done_end, rx->uend) - rx->consumed;
		iov_iter_advance(&r->msg->msg_iter, n);
		rx->consumed += n;
		r->done += n;
	}
	return 0;
}

/* Have the rest of a record placed into the pages of this call; drops and retakes st->lock. */
static void st_recv_expose(struct st_sock *st, struct st_rx *rx, struct st_reader *r)
	__must_hold(&st->lock)
{
	u64 from = st_rx_exposed_end(rx);
	u64 skip = from - rx->consumed;
	u64 room = min_t(u64, r->len - r->done, rx->tiling.t_len - rx->consumed);
	struct iov_iter iter = r->msg->msg_iter;
	struct st_buf *buf;

	if (!rx->tiling.t_len || !r->direct || r->ubuf || rx->ended ||
	    room < skip + ST_DIRECT_MIN) {
		st_rx_clear_all(st);
		return;
	}
	rx->hold = true;
	st_unlock(st);
	iov_iter_advance(&iter, skip);
	iov_iter_truncate(&iter, room - skip);
	buf = st_buf_pin(&iter, room - skip);
	spin_lock_bh(&st->lock);
	rx->hold = false;
	if (IS_ERR(buf)) {
		/* A bad address fails later, when bytes are copied */
		r->direct = false;
		if (buf == ERR_PTR(-ENOBUFS))
			atomic64_inc(&st_net_of(st)->drops[ST_DROP_MEMLOCK]);
	} else {
		r->ubuf = buf;
		rx->ubuf = buf;
		rx->ustart = from;
		rx->uend = from + buf->len;
	}
	st_rx_clear_all(st);
}

/*
 * Whether a call goes on after a signal: as long as its record makes progress, that is, the next
 * Block arrives within the current retransmission timeout.
 */
static bool st_recv_moves(struct st_sock *st, const struct st_rx *rx, struct st_reader *r)
{
	if (!rx || fatal_signal_pending(current))
		return false;
	if (!r->late || r->seen != rx->done_end) {
		r->seen = rx->done_end;
		r->late = (jiffies + usecs_to_jiffies(st_retrans_timeout(st))) | 1;
	}
	return time_before(jiffies, r->late);
}

/* Wakes a sleeper in any state: TASK_KILLABLE, too. */
static int st_recv_woken(struct wait_queue_entry *wait, unsigned int mode, int sync, void *key)
{
	return woken_wake_function(wait, TASK_NORMAL, sync, key);
}

/* Sleep until there is something to do.  Return: 0 or a negative errno. */
static int st_recv_wait(struct st_sock *st, struct st_rx *rx, struct st_reader *r, long *timeo)
	__must_hold(&st->lock)
{
	DEFINE_WAIT_FUNC(wait, st_recv_woken);
	unsigned int state = TASK_INTERRUPTIBLE;
	struct sock *sk = &st->sk;
	long most = *timeo, left;

	if (!*timeo)
		return -EAGAIN;
	if (signal_pending(current)) {
		if (!st_recv_moves(st, rx, r))
			return sock_intr_errno(*timeo);
		state = TASK_KILLABLE;
		most = clamp_t(long, r->late - jiffies, 1, most);
	}
	if (!rx) {
		st->dest.wake_at = 0;
		st->dest.waiting = r->direct && r->len >= ST_DIRECT_MIN;
	} else {
		/* Reading from kernel pages makes room for more, so wake early */
		st->dest.wake_at = rx->ubuf && rx->consumed >= rx->ustart ? rx->uend :
								  rx->consumed + 1;
	}
	st->dest.asked = true;
	add_wait_queue(sk_sleep(sk), &wait);
	st_unlock(st);
	left = wait_woken(&wait, state | TASK_FREEZABLE, most);
	*timeo -= most - left;
	remove_wait_queue(sk_sleep(sk), &wait);
	spin_lock_bh(&st->lock);
	st->dest.wake_at = 0;
	st->dest.asked = false;
	st->dest.waiting = false;
	return 0;
}

/*
 * Wait for a record, or for more of @rx.  Return: 1 when there may be some, 0 when no more can
 * come, or a negative errno.
 */
static int st_recv_more(struct st_sock *st, struct st_rx *rx, struct st_reader *r, long *timeo)
	__must_hold(&st->lock)
{
	int err = rx ? 0 : sock_error(&st->sk);

	if (err)
		return err;
	if (st->sk.sk_shutdown & RCV_SHUTDOWN)
		return 0;
	return st_recv_wait(st, rx, r, timeo) ?: 1;
}

/* Prepare the control messages about the record. */
static void st_recv_note(const struct st_rx *rx, struct st_reader *r)
{
	r->any = true;
	r->recv = (struct st_recv) {
		.id = rx->x.id,
		.flags = rx->flags,
		.opaque = rx->opaque,
		.channel = rx->channel,
		.len = rx->tiling.t_len,
	};
	r->reads = rx->reads;
	r->data.token = rx->token;
	r->data.len = rx->tiling.t_len;
}

/* Return: 0 or a negative errno; @r has the number of bytes returned. */
static int st_recv(struct st_sock *st, struct st_reader *r, long timeo)
	__must_hold(&st->lock)
{
	struct sock *sk = &st->sk;
	struct st_rx *rx;
	int err;

	st_assert_locked(st);
	for (;;) {
		rx = st_rx_head(st);
		if (!rx) {
			err = st_recv_more(st, NULL, r, &timeo);
			if (err <= 0)
				return err;
			continue;
		}
		if (rx->err) {
			err = -rx->err;
			if (r->done || r->cut)
				return 0;
			st_rx_put(st, rx);
			/* The error of the connection is reported with the record */
			if (sk->sk_err == -err)
				sock_error(sk);
			return err;
		}
		err = st_recv_some(st, rx, r);
		st_recv_note(rx, r);
		if (err)
			return err;
		if (rx->ended && !rx->err && rx->consumed == rx->end) {
			r->msg->msg_flags |= MSG_EOR;
			rx->ubuf = NULL;
			st_rx_put(st, rx);
			return 0;
		}
		if (!r->trunc && (r->done == r->len || (r->done && !rx->tiling.t_len && !r->all)))
			return 0;
		if (rx->err || rx->consumed < rx->done_end)
			continue;
		if (timeo)
			st_recv_expose(st, rx, r);
		if (rx->ended || rx->consumed < rx->done_end)
			continue;
		err = st_recv_more(st, rx, r, &timeo);
		if (err < 0)	/* Return what has arrived meanwhile */
			st_recv_some(st, rx, r);
		if (err <= 0)
			return err;
	}
}

/* Whether the next byte can be read; bytes in the pages of an earlier call may be lost. */
static bool st_peek_finds(struct st_rx *rx)
{
	const struct st_chunk *chunk;

	chunk = list_first_entry_or_null(&rx->chunks, struct st_chunk, list);
	return chunk && chunk->start <= rx->consumed && rx->consumed < rx->done_end;
}

/* Copy what has arrived of the first record; drops and retakes st->lock. */
static int st_peek_some(struct st_sock *st, const struct st_rx *rx, struct st_reader *r)
	__must_hold(&st->lock)
{
	const struct st_chunk *chunk;
	u64 pos = rx->consumed, skip;
	size_t want;

	list_for_each_entry(chunk, &rx->chunks, list) {
		if (pos >= rx->done_end || r->done == r->len || chunk->start > pos)
			break;
		skip = pos - chunk->start;
		want = min3(chunk->buf->len - skip, rx->done_end - pos, (u64)(r->len - r->done));
		if (st_recv_copy(st, chunk, skip, want, r) != want)
			return -EFAULT;
		pos += want;
	}
	if (rx->ended && !rx->err && pos == rx->end)
		r->msg->msg_flags |= MSG_EOR;
	if (r->trunc)
		r->cut = (rx->tiling.t_len ?: rx->done_end) - pos;
	return 0;
}

/*
 * As st_recv(), with MSG_PEEK: returns what is there, at least one byte.  Waiting for more might
 * last for ever, as the kernel may have no room for it.
 */
static int st_peek(struct st_sock *st, struct st_reader *r, long timeo)
	__must_hold(&st->lock)
{
	struct st_rx *rx;
	int err;

	while (!st_readable(st)) {
		err = st_recv_more(st, st_rx_head(st), r, &timeo);
		if (err <= 0)
			return err;
	}
	rx = st_rx_head(st);
	if (rx->err && !st_peek_finds(rx))
		return -rx->err;
	err = st_peek_some(st, rx, r);
	st_recv_note(rx, r);
	return err;
}

/* Add the control messages that the application has asked for. */
static void st_recv_tell(const struct st_sock *st, struct st_reader *r)
{
	u32 info = READ_ONCE(st->opts.recvinfo);

	if (info & ST_RECVINFO_RECORD)
		put_cmsg(r->msg, SOL_ST, ST_RECV, sizeof(r->recv), &r->recv);
	if (r->reads && (info & ST_RECVINFO_READ))
		put_cmsg(r->msg, SOL_ST, ST_READ_DATA, sizeof(r->data), &r->data);
}

/**
 * st_recvmsg - receive a record, or the next part of one
 * @sock: the socket
 * @msg: destination; MSG_EOR is set in its flags with the last part of a record
 * @len: size of the destination
 * @flags: MSG_DONTWAIT; MSG_WAITALL: wait for @len bytes of a stream; MSG_PEEK: return what
 *	has arrived, and keep it; MSG_TRUNC: drop the bytes of the record after @len, or with
 *	MSG_PEEK return their number; MSG_ERRQUEUE: return an event
 *
 * A blocking call returns when @len bytes or the end of the record are there.  For a stream
 * without MSG_WAITALL it returns when there is any byte.  A record of no bytes returns 0 with
 * MSG_EOR, the end of the connection 0 without.
 *
 * Return: bytes, with MSG_TRUNC including those not returned, or -EAGAIN, -EINTR, -EREMOTEIO for
 * a record that its sender has given up or that was lost, -ECONNRESET for a record cut short by
 * a teardown, -ETIMEDOUT, -ENETDOWN, -ENOTCONN, -EFAULT, -EOPNOTSUPP for MSG_OOB.
 */
int st_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	struct st_reader r = {
		.msg = msg,
		.len = len,
		.direct = user_backed_iter(&msg->msg_iter) && !(flags & MSG_PEEK),
		.trunc = flags & MSG_TRUNC,
		.all = flags & MSG_WAITALL,
	};
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	bool wait = false;
	struct st_rx *rx;
	int err;

	if (flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (flags & MSG_ERRQUEUE)
		return st_event_recv(st, msg);
	err = st_wait_setup(sk, &timeo);
	if (err)
		return err;
	if (READ_ONCE(sk->sk_state) == ST_LISTEN ||
	    (READ_ONCE(sk->sk_state) == ST_CLOSED && !READ_ONCE(sk->sk_shutdown)))
		return sock_error(sk) ?: -ENOTCONN;

	err = st_recv_lock(st, &timeo);
	if (err)
		return err;
	spin_lock_bh(&st->lock);
	if (r.direct && timeo && len >= ST_DIRECT_MIN)
		st->dest.near = false;
	else
		st_rx_await_none(st);
	err = flags & MSG_PEEK ? st_peek(st, &r, timeo) : st_recv(st, &r, timeo);
	rx = st_rx_head(st);
	if (rx && rx->ubuf)
		st_rx_revoke(st, rx);
	if (r.ubuf) {
		wait = st_placement_take_back(st, r.ubuf);
		st->dest.near = true;
		st->dest.back = jiffies + 1;
	}
	/* Blocks that were held back for the pages of this call */
	st_rx_clear_all(st);
	st_unlock(st);
	/* After this nothing writes to the pages: they belong to the application again */
	if (wait)
		synchronize_rcu();
	st_buf_free(r.ubuf, true);
	st_recv_unlock(st);
	if (r.any && (r.done || r.cut || (msg->msg_flags & MSG_EOR)))
		st_recv_tell(st, &r);

	if (r.cut)
		msg->msg_flags |= MSG_TRUNC;
	if (r.done || r.cut)
		return min_t(u64, r.done + r.cut, INT_MAX);
	return err;
}
