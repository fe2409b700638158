// SPDX-License-Identifier: GPL-2.0
/*
 * sendmsg(): sends a record.
 */
#include <linux/sched/signal.h>
#include <linux/st_compat.h>
#include <linux/uio.h>

#include "conn/conn.h"
#include "mem/region.h"
#include "proto/proto.h"
#include "sock/sock.h"
#include "xfer/read.h"

/*
 * Give up a Transfer after a timeout, ST_END or a fatal signal.  Return: false when it was over
 * before.
 */
static bool st_tx_give_up(struct st_sock *st, struct st_tx *tx, long left, int *err)
{
	struct st_buf *buf = NULL;
	bool over;

	spin_lock_bh(&st->lock);
	over = tx->over;
	if (!over) {
		*err = tx->cancelled ? -ECANCELED : left ? -EINTR : tx->asked ? -ETIME : -EAGAIN;
		buf = st_tx_cancel(st, tx);
		st_vc_maybe_disconnect(st);
	}
	st_unlock(st);
	st_buf_free(buf, false);
	return !over;
}

/* Withdraw a record that the peer does not know of.  Return: false when it does. */
static bool st_tx_withdraw(struct st_sock *st, struct st_tx *tx)
{
	struct st_buf *buf = NULL;
	bool back;

	spin_lock_bh(&st->lock);
	back = !tx->asked && !tx->over;
	if (back) {
		buf = st_tx_cancel(st, tx);
		st_tx_pump(st);
		st_vc_maybe_disconnect(st);
	}
	st_unlock(st);
	st_buf_free(buf, false);
	return back;
}

/*
 * Wait until a record is over, or at rest: nothing of it was sent or acknowledged for the current
 * retransmission timeout.  Return: jiffies left of @timeo, or a negative errno.
 */
static long st_tx_wait_moving(struct st_sock *st, struct st_tx *tx, long timeo)
{
	long pause, left;
	u64 before;

	do {
		before = READ_ONCE(tx->high) + READ_ONCE(tx->acked);
		pause = min(timeo, st_patience(st));
		left = st_wait_killable(&tx->done, pause);
		if (left < 0)
			return left;
		timeo -= pause - left;
	} while (!left && timeo && before != READ_ONCE(tx->high) + READ_ONCE(tx->acked));
	return timeo;
}

/*
 * A call with a pending signal must not wait for a peer that reads late.  The record becomes one
 * without a waiter, as with MSG_DONTWAIT, and pages of the application are replaced by a copy.
 * Return: jiffies left of @timeo, or a negative errno.
 */
static long st_tx_let_go(struct st_sock *st, struct st_tx *tx, long timeo, bool *gone)
{
	struct st_buf *old = tx->buf, *copy;

	if (old && old->pinned) {
		copy = st_buf_clone(old, 0, old->len,
				    GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);
		/* The pages of a region stay charged to the region */
		if (copy && old->of && mm_account_pinned_pages(&copy->mmp, copy->len)) {
			st_buf_free(copy, false);
			copy = NULL;
		}
		if (!copy)
			return st_wait_killable(&tx->done, timeo);
		spin_lock_bh(&st->lock);
		if (!old->of)
			st_buf_move_charge(copy, old);
		tx->buf = copy;
		spin_unlock_bh(&st->lock);
		timeo = st_buf_wait_sent(old, TASK_KILLABLE, timeo);
		st_buf_free(old, false);
		if (timeo <= 0)
			return timeo;
	}
	spin_lock_bh(&st->lock);
	*gone = !tx->over && !tx->cancelled;
	if (*gone) {
		tx->waited = false;
		tx->charged = tx->tiling.t_len + sizeof(*tx);
		st->source.queued += tx->charged;
	}
	spin_unlock_bh(&st->lock);
	return timeo;
}

/**
 * st_tx_shutdown - end the waits of calls that send
 * @st: the Virtual Connection
 *
 * Their records still arrive, as queued ones do.
 *
 * Context: under st->lock.
 */
void st_tx_shutdown(struct st_sock *st)
{
	struct st_tx *tx;

	st_assert_locked(st);
	list_for_each_entry(tx, &st->source.list, list) {
		if (!tx->waited || tx->leaves)
			continue;
		tx->leaves = true;
		complete(&tx->done);
	}
}

/* Whether the call leaves its record without a waiter.  @signal: it got a signal */
static bool st_tx_leaves(struct st_sock *st, struct st_tx *tx, bool signal)
{
	bool leaves;

	spin_lock_bh(&st->lock);
	leaves = !tx->over && !tx->cancelled && (signal || tx->leaves);
	/* st_tx_shutdown() has completed @done though the Transfer is not over */
	if (leaves && tx->leaves)
		reinit_completion(&tx->done);
	if (leaves)
		tx->leaves = true;
	spin_unlock_bh(&st->lock);
	return leaves;
}

/* Wait for the end of a record.  Return: 0, also if it goes on without a waiter, or an errno. */
static int st_tx_wait(struct st_sock *st, struct st_tx *tx, long timeo)
{
	const unsigned long start = jiffies;
	bool gone = false;
	long left;
	int err;

	left = wait_for_completion_interruptible_timeout(&tx->done, timeo);
	if (left < 0 && st_tx_withdraw(st, tx))
		return sock_intr_errno(timeo);
	if (left && st_tx_leaves(st, tx, left < 0)) {
		left = timeo;
		if (left != MAX_SCHEDULE_TIMEOUT)
			left = max(left - (long)(jiffies - start), 0L);
		left = st_tx_wait_moving(st, tx, left);
		if (left > 0 && !completion_done(&tx->done))
			left = st_tx_let_go(st, tx, left, &gone);
		if (gone)
			return 0;
	}
	/* Unless ST_END has completed it, it is over, belongs to this call and needs no lock */
	if ((left <= 0 || tx->cancelled || tx->err) && st_tx_give_up(st, tx, left, &err))
		return err;
	err = tx->err;
	/* The skbs of a failed Transfer do no harm, and may stay for long: no wait for them */
	if (!err)
		st_buf_wait_sent(tx->buf, TASK_INTERRUPTIBLE, max(left, 0L));
	st_tx_free(tx);
	/* The error of the connection is reported by this call */
	if (err && READ_ONCE(st->sk.sk_err) == -err)
		sock_error(&st->sk);
	return err;
}

/* Whether a record can be sent from its pages.  Many small pieces are not worth it. */
static bool st_tx_may_pin(const struct msghdr *msg, size_t len)
{
	if (!user_backed_iter(&msg->msg_iter) && !(msg->msg_flags & MSG_SPLICE_PAGES))
		return false;
	return len && iov_iter_npages(&msg->msg_iter, INT_MAX) <= 2 * (len >> PAGE_SHIFT) + 2;
}

/* Load the bytes of a region, with or without a copy. */
static int st_tx_load_lent(struct st_sock *st, struct st_tx *tx, const struct st_send_from *from,
			   bool copy)
{
	struct st_buf *part = st_region_part(st, from, false);

	if (IS_ERR(part))
		return PTR_ERR(part);
	tx->buf = part;
	if (copy) {
		tx->buf = st_buf_clone(part, 0, from->len, GFP_KERNEL_ACCOUNT);
		st_buf_free(part, false);
	}
	return tx->buf ? 0 : -ENOMEM;
}

/* Load the bytes of a record: pin their pages, or copy them. */
static int st_tx_load(struct st_sock *st, struct st_tx *tx, struct msghdr *msg, size_t len,
		      bool copy)
{
	struct st_buf *buf;
	int err;

	if (!len)
		return 0;
	if (!copy) {
		buf = st_buf_pin(&msg->msg_iter, len);
		if (buf == ERR_PTR(-ENOBUFS))
			atomic64_inc(&st_net_of(st)->drops[ST_DROP_MEMLOCK]);
		if (IS_ERR(buf)) {
			copy = tx->waited && len <= READ_ONCE(st->sk.sk_sndbuf);
			if (!copy)
				return PTR_ERR(buf);
		}
	}
	if (copy) {
		buf = st_buf_alloc(len, GFP_KERNEL_ACCOUNT);
		if (!buf)
			return -ENOMEM;
		err = st_buf_copy_from_iter(buf, &msg->msg_iter);
		if (err) {
			st_buf_free(buf, false);
			return err;
		}
	}
	tx->buf = buf;
	return 0;
}

/*
 * Queue a record.  @zc: the application is notified when it may reuse its memory; such sends are
 * numbered in the order in which they succeed.
 */
static int st_tx_post(struct st_sock *st, struct st_tx *tx, size_t len, bool zc)
{
	struct ubuf_info *uarg = NULL;
	int err = -ENOBUFS;

	if (zc) {
		lock_sock(&st->sk);
		/* For 0 bytes: the pinned pages are charged already */
		uarg = msg_zerocopy_realloc(&st->sk, 0, NULL, false);
		if (!uarg)
			goto out;
		st_buf_notify(tx->buf, uarg);
	}
	spin_lock_bh(&st->lock);
	err = st_tx_start(st, tx, len);
	st_unlock(st);
	if (err && zc) {
		tx->buf->zc = NULL;
		net_zcopy_put_abort(uarg, true);
	}
out:
	if (zc)
		release_sock(&st->sk);
	return err;
}

/* Whether the call consists of its control messages only. */
static bool st_send_no_bytes(const struct st_ctl *ctl)
{
	return ctl->what == ST_READ || ctl->what == ST_WRITE_ANSWER || ctl->what == ST_END ||
	       (ctl->what == ST_READ_ANSWER && (ctl->answer.flags & ST_READ_REFUSE));
}

/* MSG_MORE of splice() is about its pipe, not about a record. */
static bool st_send_is_stream(const struct st_sock *st, const struct msghdr *msg)
{
	return READ_ONCE(st->source.stream) ||
	       (msg->msg_flags & (MSG_MORE | MSG_SPLICE_PAGES)) == MSG_MORE;
}

/*
 * Report the failure of a record without a waiter.  @err: whether the call may go on.  An error
 * of the connection takes precedence, except for -EPIPE.
 */
static int st_send_failed(struct st_sock *st, int err)
{
	int failed = READ_ONCE(st->source.err) ? xchg(&st->source.err, 0) : 0;

	return failed && (!err || err == -EPIPE) ? failed : err;
}

static int st_send_read(struct st_sock *st, const struct st_read *read, bool nonblock)
{
	long timeo = sock_sndtimeo(&st->sk, nonblock);
	int err, why;

	while ((err = st_read_post(st, read)) == -EAGAIN) {
		why = st_send_wait(st, &timeo, st_read_room);
		if (why)
			return why;
	}
	return err;
}

static int st_send_ctl(struct st_sock *st, const struct st_ctl *ctl, bool nonblock)
{
	if (ctl->what == ST_READ)
		return st_send_read(st, &ctl->read, nonblock);
	if (ctl->what == ST_END)
		return st_end(st, &ctl->end);
	if (ctl->what == ST_WRITE_ANSWER)
		return st_write_answer(st, &ctl->write);
	return st_read_refuse(st, ctl->answer.id);
}

/*
 * io_uring first tries every call without blocking.  After EAGAIN it waits for poll(), and in the
 * end makes the call from a thread that may block.  With a non-blocking socket or request it
 * does neither.
 */
static bool st_asked_by_io_uring(const struct socket *sock)
{
#ifdef CONFIG_IO_URING
	return current->io_uring && sock->file && !(sock->file->f_flags & O_NONBLOCK);
#else
	return false;
#endif
}

/**
 * st_sendmsg - send a record, by a Write sequence, ST 6.1.2, or as the answer to a Read sequence,
 *	ST 6.1.3; or ask for a Read; or, with a control message ST_PUT, ST_GET or ST_FETCHOP,
 *	as st_onesided_sendmsg()
 * @sock: the socket
 * @msg: the record; no address; control messages as in include/uapi/linux/st.h
 * @len: bytes in it; 0 is a record, too
 *
 * A blocking call returns when the peer has acknowledged the whole Transfer.  It sends from the
 * pages of the application, or a copy if the record can be a short one.  A call with
 * MSG_DONTWAIT copies, within SO_SNDBUF.  With MSG_ZEROCOPY, where SO_ZEROCOPY is set, it sends
 * from the pages and does not wait; the error queue tells when the application may reuse them.
 * With ST_SEND_FROM the bytes are those of a region, whose pages are pinned already, and @len
 * is 0.  With MSG_MORE the record is a stream, see st_stream_send().  When a record without a
 * waiter fails, the next call that sends a record returns that error and sends nothing.
 *
 * Return: the bytes of the record, or -EPIPE after a teardown, -ECONNRESET when it comes
 * during the call, -EREMOTEIO when the peer refuses or ends the Transfer, -ETIMEDOUT
 * when it does not answer any more, -ENETDOWN when the link is gone, -EMSGSIZE for a record over
 * net.st.max_transfer or, with MSG_DONTWAIT, over SO_SNDBUF, or one that does not match the
 * Read, -ENOENT when there is no such Read or region, -ERANGE for bytes outside the region,
 * -ECANCELED after an ST_END, -EAGAIN, -EINTR, -ENOTCONN, -EISCONN, -ENOMEM, -ENOBUFS for a
 * record over RLIMIT_MEMLOCK and SO_SNDBUF or with too many MSG_ZEROCOPY under way, -EFAULT,
 * -EINVAL for control messages, -EOPNOTSUPP for MSG_OOB, and for MSG_ZEROCOPY and
 * ST_SEND_FROM of a stream.
 */
int st_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	bool nonblock = msg->msg_flags & MSG_DONTWAIT;
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	struct st_ctl ctl = { .send = st_send_default(st) };
	size_t left = iov_iter_count(&msg->msg_iter);
	long timeo = sock_sndtimeo(sk, false);
	bool zc, pin, wait;
	struct st_tx *tx;
	int err;

	if (st_onesided_is(msg))
		return st_onesided_sendmsg(sk, msg, len);
	if (msg->msg_flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (msg->msg_namelen)
		return -EISCONN;
	err = st_ctl_parse(sk, msg, &ctl);
	if (err)
		return err;
	if (ctl.lent) {
		if (len)
			return -EINVAL;
		if (ctl.from.len > MAX_RW_COUNT)
			return -EMSGSIZE;
		len = ctl.from.len;
	}
	zc = (msg->msg_flags & MSG_ZEROCOPY) && len && sock_flag(sk, SOCK_ZEROCOPY);
	pin = (ctl.lent || st_tx_may_pin(msg, len)) &&
	      (zc || (!nonblock && len > READ_ONCE(st->shorts.max)));
	wait = !nonblock && !(zc && pin);
	err = st_send_ready(sk, msg, nonblock);
	if (!st_send_no_bytes(&ctl))
		err = st_send_failed(st, err);
	if (err)
		goto out;
	if (st_send_no_bytes(&ctl)) {
		err = len || ctl.any || ctl.marked ? -EINVAL : st_send_ctl(st, &ctl, nonblock);
		goto out;
	}
	if (st_send_is_stream(st, msg)) {
		err = zc || ctl.lent ? -EOPNOTSUPP : st_stream_send(st, msg, len, &ctl);
		if (err >= 0)
			return err;
		goto out;
	}
	err = -EMSGSIZE;
	if (len > READ_ONCE(st_net_of(st)->max_transfer))
		goto out;
	if (nonblock && !pin && len > READ_ONCE(sk->sk_sndbuf)) {
		if (st_asked_by_io_uring(sock))
			err = -EAGAIN;
		goto out;
	}
	err = -EAGAIN;
	if (nonblock && !pin && !st_tx_room(st, len))
		goto out;
	/* Given up records that the peer still holds take room, too */
	err = wait ? st_send_wait(st, &timeo, st_stream_room) : 0;
	if (err)
		goto out;

	tx = st_tx_alloc(&ctl, len);
	err = -ENOMEM;
	if (!tx)
		goto out;
	tx->ending = !len;
	tx->waited = wait;

	err = ctl.lent ? st_tx_load_lent(st, tx, &ctl.from, !pin) :
			 st_tx_load(st, tx, msg, len, !pin);
	if (!err)
		err = st_tx_post(st, tx, len, zc);
	if (err) {
		/* io_uring repeats the call after EAGAIN */
		iov_iter_revert(&msg->msg_iter, left - iov_iter_count(&msg->msg_iter));
		st_tx_free(tx);
	} else if (wait) {
		err = st_tx_wait(st, tx, timeo);
	}
out:
	if (err)
		return sk_stream_error(sk, msg->msg_flags, err);
	return len;
}
