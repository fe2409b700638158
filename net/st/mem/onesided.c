// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on a region of the peer, ST 6.1.4: the common part of Put, Get and FetchOp at the
 * Initiator.
 */
#include "conn/conn.h"
#include "conn/placement.h"
#include "mem/remote.h"

/*
 * Release an operation that nobody waits for: a grace period after the last write into its
 * memory, or when the last byte of a Put has been sent
 */
static void st_onesided_release(struct work_struct *work)
{
	struct st_onesided *o = container_of(to_rcu_work(work), struct st_onesided, release);
	const struct st_event event = {
		.type = ST_EVENT_DONE,
		.error = -o->err,
		.id = o->id,
		.flags = o->type,
		.len = o->len,
		.value = o->value,
		.token = o->token,
	};
	struct st_sock *st = o->st;

	st_onesided_free(o);
	st_event_post(st, o->event, &event);
	if (o->type == ST_GET && atomic_dec_and_test(&st->mem->held))
		wake_up(&st->mem->held_wait);
	kfree(o);
	sock_put(&st->sk);
}

/**
 * st_onesided_init - initialize an operation on a region of the peer
 * @o: all zero
 * @st: the Virtual Connection
 * @type: ST_PUT, ST_GET or ST_FETCHOP
 *
 * Context: any.
 */
void st_onesided_init(struct st_onesided *o, struct st_sock *st, u8 type)
{
	o->st = st;
	o->type = type;
	INIT_LIST_HEAD(&o->put_list);
	init_completion(&o->done);
	INIT_RCU_WORK(&o->release, st_onesided_release);
}

/**
 * st_onesided_free - release the memory of an operation
 * @o: the operation, over; nothing writes into its memory any more
 *
 * Context: process, may sleep.
 */
void st_onesided_free(struct st_onesided *o)
{
	st_buf_free(o->buf, o->type != ST_PUT);
}

/* The peer may hold back the credit for the last STU for as long as it likes. */
static void st_put_release(struct st_onesided *o)
{
	struct st_buf *buf = o->buf;

	o->buf = NULL;
	buf->then = &o->release.work;
	st_buf_free(buf, false);
}

/**
 * st_onesided_finish - finish an operation
 * @st: the Virtual Connection
 * @o: the operation, in st_mem.ops; freed unless somebody waits for it
 * @err: negative errno or 0
 */
void st_onesided_finish(struct st_sock *st, struct st_onesided *o, int err)
{
	struct st_mem *mem = st->mem;

	st_assert_locked(st);
	list_del(&o->list);
	list_del(&o->put_list);
	if (o->type != ST_PUT)
		mem->local[o->mx % ST_MX_PLACES] = NULL;
	/* poll() does not report this room, but a call that has found none is due an edge */
	if (mem->nr_ops == ST_ONESIDED)
		st_tx_wake(&st->sk);
	WRITE_ONCE(mem->nr_ops, mem->nr_ops - 1);
	wake_up(&mem->room);
	o->err = err;
	if (!err && o->type == ST_PUT)
		o->remote->info.puts++;
	else if (!err && o->type == ST_GET)
		o->remote->info.gets++;
	else if (!err)
		o->remote->info.fetchops++;
	/* Written under the lock, so that the region can't be taken back meanwhile */
	if (!err && o->type == ST_FETCHOP && o->buf && !o->homeless)
		st_buf_write(o->buf, &o->value, sizeof(o->value));
	o->placing = o->type == ST_GET && o->buf && st_placement_take_back(st, o->buf);
	if (o->waited)
		complete(&o->done);
	else if (o->placing)
		queue_rcu_work(st_mem_wq, &o->release);
	else if (o->type == ST_PUT && o->buf)
		st_put_release(o);
	else
		queue_work(st_mem_wq, &o->release.work);
}

/**
 * st_onesided_withdraw - finish operations that would write to the memory of a region
 * @st: the Virtual Connection
 * @buf: the memory of the ending region
 * @err: result of the operations, a negative errno
 *
 * A FetchOp that the peer may have executed goes on: its value can't be learned in another way,
 * and is reported without being written.
 *
 * The caller calls st_onesided_pump() and waits for a grace period.
 */
void st_onesided_withdraw(struct st_sock *st, const struct st_buf *buf, int err)
{
	struct st_onesided *o, *next;

	st_assert_locked(st);
	list_for_each_entry_safe(o, next, &st->mem->ops, list) {
		if (o->type == ST_PUT || !o->buf || o->buf->of != buf)
			continue;
		if (o->type == ST_FETCHOP && o->asked)
			o->homeless = true;
		else
			st_onesided_finish(st, o, err);
	}
}

/**
 * st_onesided_done - finish an operation, and let others go on
 * @st: the Virtual Connection
 * @o: the operation, in st_mem.ops; freed unless somebody waits for it
 * @err: negative errno or 0
 */
void st_onesided_done(struct st_sock *st, struct st_onesided *o, int err)
{
	st_assert_locked(st);
	if (!err && o->type != ST_PUT)
		st_retrans_answered(st, &o->retrans);
	st_onesided_finish(st, o, err);
	st_onesided_pump(st);
}

/**
 * st_onesided_pump - send what can be sent now, in the order of the calls
 * @st: the Virtual Connection, with persistent memory
 */
void st_onesided_pump(struct st_sock *st)
{
	struct st_onesided *o;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED)
		return;
	o = list_first_entry_or_null(&st->mem->ops, struct st_onesided, list);
	/* The end of what is under way frees a Slot, which further operations would take again */
	if (!st_remote_pump(st) && o && o->asked)
		return;
	list_for_each_entry(o, &st->mem->ops, list) {
		if (o->asked)
			continue;
		if (o->type == ST_PUT ? !st_put_send(st, o) : !st_get_send(st, o)) {
			/* Nothing else may come to try again */
			st_timer_at(st, jiffies + st_op_timeout(st));
			return;
		}
	}
}

/**
 * st_onesided_post - begin an operation
 * @st: the Virtual Connection
 * @o: the operation, with the parameters of the application
 * @id: handle of the region
 * @offset: first byte in the region
 *
 * Context: process.
 * Return: 0, or a negative errno, see include/uapi/linux/st.h.
 */
int st_onesided_post(struct st_sock *st, struct st_onesided *o, u32 id, u64 offset)
{
	struct st_remote *rm;
	struct st_mem *mem;
	unsigned int i;
	u8 max_stu;

	st_assert_locked(st);
	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	mem = st->mem;
	rm = mem ? st_remote_find(mem, id) : NULL;
	if (!rm || !rm->ready || rm->ending)
		return -ENOENT;
	if (offset > rm->len || o->len > rm->len - offset)
		return -ERANGE;
	/* The local region may have ended since the call looked it up */
	if (o->type != ST_PUT && o->buf && o->buf->of && !st_region_has(mem, o->buf->of))
		return -ENOENT;
	o->at = rm->at;
	/* Every byte of the region has a place, but not the end after its last byte */
	if (!st_place_advance(&o->at, offset, st->vc.remote_bufsize))
		return -ERANGE;
	if (o->type == ST_FETCHOP && !(st->vc.remote_function & ST_FN_HAS_FETCHOP))
		return -EOPNOTSUPP;
	if (o->type == ST_FETCHOP && !IS_ALIGNED(o->at.offset, ST_FETCH_LEN))
		return -EINVAL;
	max_stu = st_tx_max_stu(st->paths.main, ST_DATA_CHANNEL);
	if (o->type == ST_PUT && o->len > BIT_ULL(st_max_block(st->vc.remote_bufsize, max_stu)))
		return -EMSGSIZE;
	if (mem->nr_ops >= ST_ONESIDED)
		return -EAGAIN;
	o->remote = rm;
	o->id = st_new_id(st);
	if (o->type != ST_PUT) {
		for (i = 0; mem->local[i]; i++)
			;
		o->mx = st_mem_new_mx(mem, ST_MX_KIND, i);
		mem->local[i] = o;
	}
	if (!o->waited) {
		sock_hold(&st->sk);
		if (o->type == ST_GET)
			atomic_inc(&mem->held);
	}
	WRITE_ONCE(mem->nr_ops, mem->nr_ops + 1);
	list_add_tail(&o->list, &mem->ops);
	st_onesided_pump(st);
	st_timer_at(st, jiffies + ST_KEEPALIVE);
	return 0;
}

/**
 * st_onesided_answered - receive a Request_Answer that may belong to a Get or FetchOp, ST 7.3
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it does not.
 */
bool st_onesided_answered(struct st_sock *st, const struct st_op *op)
{
	struct st_onesided *o;

	st_assert_locked(st);
	list_for_each_entry(o, &st->mem->ops, list) {
		if (o->type == ST_PUT || o->id != op->d_id || !o->asked)
			continue;
		if (op->s_id != o->remote->peer_id) {
			st_log(st, ST_ERR_INVALID_D_ID);
		} else if (op->flags & ST_F_REJECT) {
			st_onesided_done(st, o, -EACCES);
		} else {
			st_retrans_answered(st, &o->retrans);
			o->polling = true;
			o->retrans.expires = jiffies + ST_KEEPALIVE;
			st_timer_at(st, o->retrans.expires);
		}
		return true;
	}
	return false;
}

/**
 * st_onesided_timeouts - handle Op_timeouts of operations on memory of the peer, ST 10.1
 * @st: the Virtual Connection, with persistent memory
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: false when the peer does not answer any more.
 */
bool st_onesided_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_onesided *o;
	struct st_op op;

	st_assert_locked(st);
	if (list_empty(&st->mem->ops))
		return true;
	/* An operation that waits to send Data must notice that the peer is gone */
	if (time_after_eq(now, st->timers.heard + ST_KEEPALIVE))
		st_queue_request_state(st);
	st_timer_at(st, now + ST_KEEPALIVE);
	list_for_each_entry(o, &st->mem->ops, list) {
		if (o->polling) {
			if (time_before(now, o->retrans.expires)) {
				st_timer_at(st, o->retrans.expires);
				continue;
			}
			o->polling = false;
			st_slot_take(st, true);
			op = o->retrans.op;
			if (o->type == ST_PUT)
				op.sync = st->slots.ops;
			st_retrans_start(st, &o->retrans, &op);
			st_queue_op(st, &op);
			continue;
		}
		switch (st_retrans_expired(st, &o->retrans, now)) {
		case 1:
			st_retrans_again(st, &o->retrans);
			break;
		case -ETIMEDOUT:
			return false;
		}
	}
	return true;
}
