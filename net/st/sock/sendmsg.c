// SPDX-License-Identifier: GPL-2.0
/*
 * sendmsg(): a record from an application.
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
 * A timeout, ST_END or the end of the process has come before the end of a Transfer.
 * Return: false when the end was first.
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

/* Take a record back that the peer has not been told of.  Return: false when it has. */
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
 * Until a record is over, or at rest: nothing of it was sent or acknowledged for as long
 * as the peer may take to answer.  Return: jiffies left of @timeo, or a negative errno.
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
 * A signal is not to wait for a peer that reads late: the record becomes one that nobody
 * waits for, as with MSG_DONTWAIT, and what is the application's is replaced by a copy.
 * Return: jiffies left of @timeo, or a negative errno.
 */
static long st_tx_let_go(struct st_sock *st, struct st_tx *tx, long timeo, bool *gone)
{
	struct st_buf *old = tx->buf, *copy;

	if (old && old->pinned) {
		copy = st_buf_clone(old, 0, old->len,
				    GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);
		/* The pages of a region stay charged for that */
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
 * st_tx_shutdown - calls that send are to wait no more
 * @st: the Virtual Connection
 *
 * A record that is under way arrives, as those that are queued do.
 *
 * Context: under st->lock.
 */
void st_tx_shutdown(struct st_sock *st)
{
	struct st_tx *tx;

	list_for_each_entry(tx, &st->source.list, list) {
		if (!tx->waited || tx->leaves)
			continue;
		tx->leaves = true;
		complete(&tx->done);
	}
}

/* Whether the call for a record is to leave it to itself.  @signal: for a signal */
static bool st_tx_leaves(struct st_sock *st, struct st_tx *tx, bool signal)
{
	bool leaves;

	spin_lock_bh(&st->lock);
	leaves = !tx->over && !tx->cancelled && (signal || tx->leaves);
	/* st_tx_shutdown() has completed what is not over */
	if (leaves && tx->leaves)
		reinit_completion(&tx->done);
	if (leaves)
		tx->leaves = true;
	spin_unlock_bh(&st->lock);
	return leaves;
}

/* Wait for the end of a record.  Return: 0, also when it goes on alone, or a negative errno. */
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
	/* Only ST_END completes what is not over: else it is ours alone, and needs no lock */
	if ((left <= 0 || tx->cancelled || tx->err) && st_tx_give_up(st, tx, left, &err))
		return err;
	err = tx->err;
	/* What is left of a Transfer that failed harms nobody, and may stay for long */
	if (!err)
		st_buf_wait_sent(tx->buf, TASK_INTERRUPTIBLE, max(left, 0L));
	st_tx_free(tx);
	/* This call tells what happened to the connection */
	if (err && READ_ONCE(st->sk.sk_err) == -err)
		sock_error(&st->sk);
	return err;
}

/* Whether a record can be sent from where it is.  Many small pieces are not worth it. */
static bool st_tx_may_pin(const struct msghdr *msg, size_t len)
{
	if (!user_backed_iter(&msg->msg_iter) && !(msg->msg_flags & MSG_SPLICE_PAGES))
		return false;
	return len && iov_iter_npages(&msg->msg_iter, INT_MAX) <= 2 * (len >> PAGE_SHIFT) + 2;
}

/* Bytes of a region: where they are, or copied. */
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

/* The bytes of a record: pinned where they are, or copied. */
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
 * Queue a record.  @zc: the application is told when its memory is its own again;
 * such sends are numbered, in the order in which they succeed.
 */
static int st_tx_post(struct st_sock *st, struct st_tx *tx, size_t len, bool zc)
{
	struct ubuf_info *uarg = NULL;
	int err = -ENOBUFS;

	if (zc) {
		lock_sock(&st->sk);
		/* Of no bytes: who has pinned them has charged them */
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

/* Whether the control messages are all there is. */
static bool st_send_no_bytes(const struct st_ctl *ctl)
{
	return ctl->what == ST_READ || ctl->what == ST_WRITE_ANSWER || ctl->what == ST_END ||
	       (ctl->what == ST_READ_ANSWER && (ctl->answer.flags & ST_READ_REFUSE));
}

/* What splice() says of more bytes is about its pipe, not about a record. */
static bool st_send_is_stream(const struct st_sock *st, const struct msghdr *msg)
{
	return READ_ONCE(st->source.stream) ||
	       (msg->msg_flags & (MSG_MORE | MSG_SPLICE_PAGES)) == MSG_MORE;
}

/*
 * What became of a record that nobody waited for.  @err: whether a call may go on; an
 * error of the connection is told instead, but not that it is over.
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
 * io_uring makes every call without waiting first.  After EAGAIN it waits for poll(), and in the
 * end makes the call from a thread that may wait.  A socket or a request that is not to
 * block it leaves alone.
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
 * st_sendmsg - send one record: a Write sequence, ST 6.1.2, or the answer to a
 *	Read sequence, ST 6.1.3; or ask for a Read; or, with a control message ST_PUT,
 *	ST_GET or ST_FETCHOP, as st_onesided_sendmsg()
 * @sock: the socket
 * @msg: the record; no address; control messages as in include/uapi/linux/st.h
 * @len: bytes in it; 0 is a record too
 *
 * A blocking call returns when the peer has acknowledged the whole Transfer;
 * it sends from the pages of the application; a copy, where it may be a short
 * record.  A call with MSG_DONTWAIT copies, within SO_SNDBUF.  One with
 * MSG_ZEROCOPY, where SO_ZEROCOPY is set, sends from the pages and does not wait;
 * the error queue tells when they are the application's again.  With ST_SEND_FROM the
 * bytes are those of a region, whose pages are pinned already, and @len is 0.  With
 * MSG_MORE the record is a stream, see st_stream_send().  When a record fails that no
 * call waits for, the next call with a record fails in its place and sends nothing.
 *
 * Return: the bytes of the record, or -EPIPE after a teardown, -ECONNRESET when it comes
 * during the call, -EREMOTEIO when the peer refuses or ends the Transfer, -ETIMEDOUT
 * when it answers no more, -ENETDOWN when the link has gone, -EMSGSIZE for a record over
 * net.st.max_transfer or, with MSG_DONTWAIT, over SO_SNDBUF, or that does not answer the
 * Read, -ENOENT when there is no such Read or region, -ERANGE for bytes outside it,
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
	/* Records that were given up, and that the peer keeps, take room */
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
		/* io_uring makes the call again after EAGAIN */
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
