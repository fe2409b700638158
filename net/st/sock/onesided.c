// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on memory of the peer for applications: the control messages ST_PUT, ST_GET
 * and ST_FETCHOP of include/uapi/linux/st.h.
 */
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>

#include "conn/conn.h"
#include "mem/region.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "sock/sock.h"

/* The control message of a one-sided operation, if it is the first of the call. */
static struct cmsghdr *st_onesided_cmsg(struct msghdr *msg)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);

	if (!cmsg || !CMSG_OK(msg, cmsg) || cmsg->cmsg_level != SOL_ST)
		return NULL;
	return cmsg->cmsg_type >= ST_PUT && cmsg->cmsg_type <= ST_FETCHOP ? cmsg : NULL;
}

/**
 * st_onesided_is - whether a sendmsg() is an operation on memory of the peer
 * @msg: the message
 *
 * Context: process.
 * Return: true when st_onesided_sendmsg() is to be called.
 */
bool st_onesided_is(struct msghdr *msg)
{
	return st_onesided_cmsg(msg);
}

/* Pin memory of the application for an operation of @o->len bytes. */
static int st_onesided_pin(struct st_onesided *o, struct iov_iter *iter)
{
	struct st_buf *buf = st_buf_pin(iter, o->len);

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	o->buf = buf;
	return 0;
}

static int st_onesided_copy(struct st_onesided *o, struct iov_iter *iter)
{
	o->buf = st_buf_alloc(o->len, GFP_KERNEL_ACCOUNT);
	if (!o->buf)
		return -ENOMEM;
	return st_buf_copy_from_iter(o->buf, iter);
}

/* Take memory of a region of this end for an operation of @o->len bytes. */
static int st_onesided_lent(struct st_onesided *o, u32 local, u64 at)
{
	const struct st_send_from from = { .region = local, .offset = at, .len = o->len };
	struct st_buf *part = st_region_part(o->st, &from, o->type != ST_PUT);

	if (IS_ERR(part))
		return PTR_ERR(part);
	if (o->len)
		o->buf = part;
	else
		st_buf_free(part, false);
	return 0;
}

static int st_put_load(struct st_onesided *o, struct msghdr *msg, size_t len,
		       const struct st_put *put)
{
	if ((put->flags & ~(ST_PUT_SILENT | ST_PUT_INTERRUPT | ST_POST)) ||
	    memchr_inv(put->reserved, 0, sizeof(put->reserved)))
		return -EINVAL;
	if (put->local ? len : put->addr || put->len)
		return -EINVAL;
	o->flags = put->flags;
	o->opaque = put->opaque;
	o->token = put->token;
	o->len = put->local ? put->len : len;
	if (o->len > READ_ONCE(st_net_of(o->st)->max_transfer))
		return -EMSGSIZE;
	if (put->local)
		return st_onesided_lent(o, put->local, put->addr);
	if (!o->len)
		return 0;
	return user_backed_iter(&msg->msg_iter) ? st_onesided_pin(o, &msg->msg_iter) :
						  st_onesided_copy(o, &msg->msg_iter);
}

static int st_get_load(struct st_onesided *o, const struct st_get *get)
{
	struct iov_iter iter;
	int err;

	if ((get->flags & ~ST_POST) || memchr_inv(get->reserved, 0, sizeof(get->reserved)))
		return -EINVAL;
	if (get->len > ST_GET_MAX)
		return -EMSGSIZE;
	o->token = get->token;
	o->len = get->len;
	if (get->local)
		return st_onesided_lent(o, get->local, get->addr);
	if (!o->len)
		return 0;
	err = import_ubuf(ITER_DEST, u64_to_user_ptr(get->addr), o->len, &iter);
	return err ?: st_onesided_pin(o, &iter);
}

static int st_fetchop_load(struct st_onesided *o, const struct st_fetchop *fetchop)
{
	char __user *result = u64_to_user_ptr(fetchop->addr);

	if (fetchop->op < ST_FETCH_INCREMENT || fetchop->op > ST_FETCH_CLEAR ||
	    (fetchop->flags & ~ST_POST) ||
	    memchr_inv(fetchop->reserved, 0, sizeof(fetchop->reserved)))
		return -EINVAL;
	o->function = fetchop->op;
	o->token = fetchop->token;
	o->len = ST_FETCH_LEN;
	if (fetchop->local)
		return st_onesided_lent(o, fetchop->local, fetchop->addr);
	if (!o->waited)
		return fetchop->addr ? -EINVAL : 0;
	/* Fail early: an executed FetchOp can't be undone if its result can't be stored */
	return !current->mm || fault_in_safe_writeable(result, ST_FETCH_LEN) ? -EFAULT : 0;
}

/* Contents of the control message */
union st_onesided_args {
	struct st_put put;
	struct st_get get;
	struct st_fetchop fetchop;
};

/* Handle, flags and offset are at the same place in all three */
static_assert(offsetof(struct st_put, offset) == offsetof(struct st_get, offset) &&
	      offsetof(struct st_put, offset) == offsetof(struct st_fetchop, offset));

static int st_onesided_load(struct st_onesided *o, struct msghdr *msg, size_t len,
			    const union st_onesided_args *args)
{
	if (o->type == ST_PUT)
		return st_put_load(o, msg, len, &args->put);
	if (len)
		return -EINVAL;
	return o->type == ST_GET ? st_get_load(o, &args->get) :
				   st_fetchop_load(o, &args->fetchop);
}

/* Post an operation; a blocking call waits until there is room for it. */
static int st_onesided_start(struct st_sock *st, struct st_onesided *o, u32 id, u64 offset,
			     long *timeo)
{
	struct st_mem *mem;
	long left;
	int err;

	for (;;) {
		spin_lock_bh(&st->lock);
		err = st_onesided_post(st, o, id, offset);
		st_unlock(st);
		if (err != -EAGAIN || !*timeo)
			return err;
		mem = st->mem;	/* allocated, as there are operations */
		left = wait_event_interruptible_timeout(mem->room,
							READ_ONCE(mem->nr_ops) < ST_ONESIDED,
							*timeo);
		if (left < 0)
			return sock_intr_errno(*timeo);
		*timeo = left;
	}
}

/*
 * Give up an operation after a timeout or a fatal signal.  Return: false when the call has to
 * wait for its end nevertheless.
 */
static bool st_onesided_give_up(struct st_sock *st, struct st_onesided *o, int err)
{
	bool begun, last = true;

	spin_lock_bh(&st->lock);
	if (!completion_done(&o->done)) {
		begun = o->type == ST_PUT ? !list_empty(&o->put_list) : o->asked;
		/* The value that a FetchOp has fetched can't be learned in another way */
		last = err == -EINTR || o->type != ST_FETCHOP || !begun;
		if (err == -EAGAIN && begun)
			err = -ETIME;
		if (last) {
			st_onesided_finish(st, o, err);
			st_onesided_pump(st);
			st_vc_maybe_disconnect(st);
		}
	}
	st_unlock(st);
	return last;
}

/*
 * Wait for the end of an operation.  Only a fatal signal interrupts that: a restarted call would
 * execute the operation twice.  Return: 0 or a negative errno.
 */
static int st_onesided_wait(struct st_sock *st, struct st_onesided *o, long timeo)
{
	long left = st_wait_killable(&o->done, timeo);

	if (!left && !st_onesided_give_up(st, o, -EAGAIN))
		left = st_wait_killable(&o->done, MAX_SCHEDULE_TIMEOUT);
	if (left < 0)
		st_onesided_give_up(st, o, -EINTR);
	if (o->placing)
		synchronize_rcu();
	/* After this the application may reuse the memory of a complete Put */
	if (o->type == ST_PUT && !o->err)
		st_buf_wait_sent(o->buf, TASK_INTERRUPTIBLE, max(left, 0L));
	/* The error of the connection is reported by this call */
	if (o->err && READ_ONCE(st->sk.sk_err) == -o->err)
		sock_error(&st->sk);
	return o->err;
}

/* Return: bytes moved, 0 for a posted operation, or a negative errno. */
static int st_onesided_run(struct st_sock *st, struct msghdr *msg, size_t len, u8 type,
			   const union st_onesided_args *args)
{
	long timeo = sock_sndtimeo(&st->sk, msg->msg_flags & MSG_DONTWAIT);
	struct st_onesided *o = kzalloc(sizeof(*o), GFP_KERNEL_ACCOUNT);
	size_t left = iov_iter_count(&msg->msg_iter);
	int err;

	if (!o)
		return -ENOMEM;
	st_onesided_init(o, st, type);
	o->waited = !(args->put.flags & ST_POST);
	err = st_onesided_load(o, msg, len, args);
	if (err)
		goto free;
	err = -EAGAIN;
	if (o->waited && !timeo)
		goto free;
	if (!o->waited) {
		o->event = st_event_reserve(st);
		err = -ENOBUFS;
		if (!o->event)
			goto free;
	}
	err = st_onesided_start(st, o, args->put.region, args->put.offset, &timeo);
	if (err)
		goto free;
	if (args->put.flags & ST_POST)
		return 0;	/* the operation belongs to the Virtual Connection now */
	err = st_onesided_wait(st, o, timeo) ?: o->homeless ? -ECANCELED : o->len;
	if (err > 0 && type == ST_FETCHOP && !o->buf &&
	    put_user(o->value, (u64 __user *)u64_to_user_ptr(args->fetchop.addr)))
		err = -EFAULT;
free:
	/* io_uring repeats the call after EAGAIN */
	if (err < 0)
		iov_iter_revert(&msg->msg_iter, left - iov_iter_count(&msg->msg_iter));
	kfree_skb(o->event);
	st_onesided_free(o);
	kfree(o);
	return err;
}

/**
 * st_onesided_sendmsg - do an operation on memory of the peer, ST 6.1.4
 * @sk: the socket
 * @msg: the message, accepted by st_onesided_is(); its bytes are those of a Put
 * @len: how many
 *
 * Context: process, may sleep.
 * Return: bytes moved, 0 for a posted operation, or a negative errno, see
 * include/uapi/linux/st.h and st_sendmsg().
 */
int st_onesided_sendmsg(struct sock *sk, struct msghdr *msg, size_t len)
{
	struct cmsghdr *cmsg = st_onesided_cmsg(msg);
	union st_onesided_args args = {};
	size_t size;
	int err;

	if (msg->msg_flags & (MSG_OOB | MSG_ZEROCOPY))
		return -EOPNOTSUPP;
	if (msg->msg_namelen)
		return -EISCONN;
	switch (cmsg->cmsg_type) {
	case ST_PUT:
		size = sizeof(args.put);
		break;
	case ST_GET:
		size = sizeof(args.get);
		break;
	default:
		size = sizeof(args.fetchop);
	}
	if (cmsg->cmsg_len != CMSG_LEN(size) || CMSG_NXTHDR(msg, cmsg))
		return -EINVAL;
	memcpy(&args, CMSG_DATA(cmsg), size);
	err = st_send_ready(sk, msg, msg->msg_flags & MSG_DONTWAIT);
	if (!err)
		err = st_onesided_run(st_sk(sk), msg, len, cmsg->cmsg_type, &args);
	return err < 0 ? sk_stream_error(sk, msg->msg_flags, err) : err;
}
