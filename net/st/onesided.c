// SPDX-License-Identifier: GPL-2.0
/*
 * Put, Get and FetchOp at the Initiator, ST 6.1.4.
 */
#include <linux/bitfield.h>

#include "mem.h"

#define ST_FETCH_BUFX	1	/* I-Bufx of FetchOps, by which their Data is known; Gets: 0 */
#define ST_PUTS_OPEN	64	/* B_nums from the oldest Put on, see struct st_window */

/*
 * Of an operation that nobody waits for: a grace period after the last write into
 * its memory, or when the last byte of it has left
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
 * st_onesided_init - an operation on a region of the peer
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
 * st_onesided_free - give the memory of an operation back
 * @o: the operation, over; nobody writes into its memory any more
 *
 * Context: process, may sleep.
 */
void st_onesided_free(struct st_onesided *o)
{
	/* What is written into the memory of a complete Put from here on is not sent */
	if (o->type == ST_PUT && !o->err)
		st_buf_wait_sent(o->buf);
	st_buf_free(o->buf, o->type == ST_GET);
}

/* The far end may keep the credit that the last STU needs for as long as it likes. */
static void st_put_release(struct st_onesided *o)
{
	struct st_buf *buf = o->buf;

	o->buf = NULL;
	buf->then = &o->release.work;
	st_buf_free(buf, false);
}

/**
 * st_onesided_finish - an operation is over
 * @st: the Virtual Connection
 * @o: the operation, in st_mem.ops; gone after, unless somebody waits for it
 * @err: negative errno or 0
 *
 * Context: under st->lock.
 */
void st_onesided_finish(struct st_sock *st, struct st_onesided *o, int err)
{
	struct st_mem *mem = st->mem;

	list_del(&o->list);
	list_del(&o->put_list);
	if (o->type != ST_PUT)
		mem->local[o->mx % ST_MX_PLACES] = NULL;
	WRITE_ONCE(mem->nr_ops, mem->nr_ops - 1);
	wake_up(&mem->room);
	o->err = err;
	if (!err && o->type == ST_PUT)
		o->remote->info.puts++;
	else if (!err && o->type == ST_GET)
		o->remote->info.gets++;
	else if (!err)
		o->remote->info.fetchops++;
	o->placing = o->type == ST_GET && o->buf && st_target_take_back(st, o->buf);
	if (o->waited)
		complete(&o->done);
	else if (o->placing)
		queue_rcu_work(st_mem_wq, &o->release);
	else if (o->type == ST_PUT && o->buf)
		st_put_release(o);
	else
		queue_work(st_mem_wq, &o->release.work);
}

/* Under st->lock; @o->remote is set. */
static void st_onesided_done(struct st_sock *st, struct st_onesided *o, int err)
{
	if (!err && o->type != ST_PUT)
		st_guard_answered(st, &o->guard);
	st_onesided_finish(st, o, err);
	st_onesided_pump(st);
	st_vc_maybe_disconnect(st);
}

/* Ask whether a Put is complete, ST 10.2.  Under st->lock, with a Slot taken. */
static void st_put_ask(struct st_sock *st, struct st_onesided *o, bool now)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.sync = st->slot_ops;
	op.b_num = o->b_num;
	op.d_id = o->remote->peer_id;
	op.s_id = o->remote->id;
	st_guard_start(st, &o->guard, &op);
	if (now)
		st_queue_op(st, &op);
}

/* The next STU of a Put, ST 6.1.4.2.  Return: false when it must wait. */
static bool st_put_stu(struct st_sock *st, struct st_onesided *o)
{
	bool silent = o->flags & ST_PUT_SILENT, last;
	u8 max_stu = st_tx_max_stu(st, ST_DATA_CHANNEL);
	struct st_place at = o->at;
	struct st_op op;
	u32 stu;

	if (!max_stu || sk_wmem_alloc_get(&st->sk) >= ST_TX_INFLIGHT)
		return false;
	st_place_advance(&at, o->got, st->remote_bufsize);
	stu = st_stu_len(&at, o->len - o->got, st->remote_bufsize, max_stu);
	if (stu)
		stu = st_tx_fit(st, o->buf, o->got, stu);
	last = o->got + stu == o->len;
	/* The last STU or the question after it takes a Slot, ST 5.2.5 */
	if (last && !st_slot_take(st, false))
		return false;
	st_op_init(st, &op, ST_OP_DATA, ST_DATA_CHANNEL);
	if (!last || silent)
		op.flags |= ST_F_SILENT;
	if (last)
		op.flags |= ST_F_LAST | (silent ? 0 : ST_F_SEND_STATE) |
			    (o->flags & ST_PUT_INTERRUPT ? ST_F_INTERRUPT : 0);
	op.param = o->stu_num;
	op.b_id = o->remote->mx;
	op.bufx = at.bufx;
	op.offset = at.offset;
	op.sync = st->slot_ops;
	op.b_num = o->b_num;
	op.d_id = o->remote->peer_id;
	op.s_id = o->opaque;
	if (!st_mem_send(st, &op, o->buf, o->got, stu))
		return false;
	o->got += stu;
	o->stu_num++;
	if (last) {
		o->asked = true;
		o->sent_at = jiffies;
		st_put_ask(st, o, silent);
	}
	return true;
}

/* Return: false when it must wait. */
static bool st_put_send(struct st_sock *st, struct st_onesided *o)
{
	struct st_remote *rm = o->remote;

	if (list_empty(&o->put_list)) {
		const struct st_onesided *oldest =
			list_first_entry_or_null(&rm->puts, struct st_onesided, put_list);

		if (oldest && st_put_distance(oldest->b_num, rm->next_put) >= ST_PUTS_OPEN)
			return false;
		o->b_num = rm->next_put;
		rm->next_put = st_put_num(rm->next_put, 1);
		list_add_tail(&o->put_list, &rm->puts);
	}
	while (!o->asked)
		if (!st_put_stu(st, o))
			return false;
	return true;
}

static bool st_get_send(struct st_sock *st, struct st_onesided *o)
{
	struct st_op op;

	if (!st_slot_take(st, false))
		return false;
	st_op_init(st, &op, ST_OP_GET,
		   FIELD_PREP(ST_F_FUNCTION, o->function) | ST_DATA_CHANNEL);
	if (o->type == ST_GET)
		op.param = o->len;
	op.b_id = o->mx;
	op.bufx = o->at.bufx;
	op.offset = o->at.offset;
	op.sync = o->type == ST_FETCHOP ? ST_FETCH_BUFX : 0;
	op.d_id = o->remote->peer_id;
	op.s_id = o->id;
	o->asked = true;
	st_guard_start(st, &o->guard, &op);
	st_queue_op(st, &op);
	return true;
}

/**
 * st_onesided_pump - send what may be sent now, in the order of the calls
 * @st: the Virtual Connection, with persistent memory
 *
 * Context: under st->lock.
 */
void st_onesided_pump(struct st_sock *st)
{
	struct st_onesided *o;

	if (st->sk.sk_state != ST_ESTABLISHED)
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
 * @o: the operation, with what the application wants of it
 * @id: handle of the region
 * @offset: first byte in the region
 *
 * Context: process, under st->lock.
 * Return: 0, or a negative errno as include/uapi/linux/st.h tells.
 */
int st_onesided_post(struct st_sock *st, struct st_onesided *o, u32 id, u64 offset)
{
	struct st_remote *rm;
	struct st_mem *mem;
	unsigned int i;

	if (st->sk.sk_state != ST_ESTABLISHED || (st->sk.sk_shutdown & SEND_SHUTDOWN))
		return -EPIPE;
	mem = st->mem;
	rm = mem ? st_remote_find(mem, id) : NULL;
	if (!rm || !rm->ready || rm->ending)
		return -ENOENT;
	if (offset > rm->len || o->len > rm->len - offset)
		return -ERANGE;
	o->at = rm->at;
	/* All of the region has places; none follows its last byte */
	if (!st_place_advance(&o->at, offset, st->remote_bufsize))
		return -ERANGE;
	if (o->type == ST_FETCHOP && !(st->remote_function & ST_FN_HAS_FETCHOP))
		return -EOPNOTSUPP;
	if (o->type == ST_FETCHOP && !IS_ALIGNED(o->at.offset, ST_FETCH_LEN))
		return -EINVAL;
	if (o->type == ST_PUT && o->len > BIT_ULL(st_max_block(st->remote_bufsize,
							       st_tx_max_stu(st, ST_DATA_CHANNEL))))
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

/* The peer has the Data of a FetchOp answered, ST 6.1.4.4 */
static void st_queue_complete(struct st_sock *st, const struct st_op *data)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_GET, FIELD_PREP(ST_F_FUNCTION, ST_FN_COMPLETE));
	op.sync = data->sync;
	op.d_id = data->s_id;
	op.s_id = data->d_id;
	/* Nobody repeats it, so it waits for no Slot */
	st_slot_take(st, true);
	st_queue_op(st, &op);
}

/* One Data operation is all of its Block and so its segment, ST 8.3.2. */
static bool st_fetchop_value(struct st_sock *st, const struct sk_buff *skb, u64 *raw)
{
	const struct st_hdr *hdr = (const struct st_hdr *)skb->data;
	struct st_csum csum;

	if (skb->len != ST_HDR_LEN + ST_FETCH_LEN ||
	    skb_copy_bits(skb, ST_HDR_LEN, raw, ST_FETCH_LEN)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_LENGTH]);
		return false;
	}
	if (!hdr->cksum)
		return true;
	st_csum_init(&csum);
	st_csum_hdr(&csum, hdr);
	st_csum_add(&csum, csum_partial(raw, ST_FETCH_LEN, 0), ST_FETCH_LEN);
	if (st_csum_ok(&csum, hdr->cksum))
		return true;
	st_log(st, ST_ERR_CKSUM);
	return false;
}

static void st_fetchop_data(struct st_sock *st, struct st_onesided *o, const struct st_op *op,
			    const struct sk_buff *skb)
{
	u64 raw;

	if (op->param) {
		st_log(st, ST_ERR_OUT_OF_ORDER_STU);
		return;
	}
	if (op->bufx != ST_FETCH_BUFX || op->offset) {
		st_log(st, op->offset >= BIT(ST_BUFSIZE) ? ST_ERR_OVERSIZED_OFFSET :
							   ST_ERR_OUT_OF_RANGE_BUFX);
		return;
	}
	if (!st_fetchop_value(st, skb, &raw))
		return;
	st_event_interrupt(st, op);
	st->info.rx_bytes += ST_FETCH_LEN;
	/* ST 8.2: bytes as they lie in the memory of the peer */
	if (st->remote_function & ST_FN_LITTLE_ENDIAN)
		o->value = le64_to_cpu((__force __le64)raw);
	else
		o->value = be64_to_cpu((__force __be64)raw);
	st_queue_complete(st, op);
	st_onesided_done(st, o, 0);
}

/**
 * st_get_range - whether Data of a Get is in its bounds, ST 10.7.4
 * @o: the Get
 * @op: the Data operation
 * @len: bytes of payload
 *
 * Context: under st->lock.
 * Return: ST_ERR_NONE when all the bytes may be written.
 */
enum st_error st_get_range(const struct st_onesided *o, const struct st_op *op, u32 len)
{
	if (op->offset >= BIT(ST_BUFSIZE))
		return ST_ERR_OVERSIZED_OFFSET;
	/* What is there stays, unless the peer begins again */
	if (op->bufx || op->offset > o->len || len > o->len - op->offset ||
	    (op->param && op->offset < o->got))
		return ST_ERR_OUT_OF_RANGE_BUFX;
	return ST_ERR_NONE;
}

static void st_get_data(struct st_sock *st, struct st_onesided *o, const struct st_op *op,
			const struct sk_buff *skb)
{
	u32 len = skb->len - ST_HDR_LEN;
	enum st_error err;

	/* The peer begins again when it was asked again */
	if (!op->param) {
		o->got = 0;
		o->stu_num = 0;
		o->summed = true;
		st_csum_init(&o->csum);
	}
	if (op->param != o->stu_num) {
		st_log(st, ST_ERR_OUT_OF_ORDER_STU);
		return;
	}
	err = st_get_range(o, op, len);
	if (err == ST_ERR_NONE && op->offset != o->got)
		err = ST_ERR_OUT_OF_RANGE_BUFX;
	if (err != ST_ERR_NONE) {
		st_log(st, err);
		return;
	}
	if (st_mem_take(st, o->buf, o->got, skb, &o->csum, &o->summed)) {
		o->stu_num = U32_MAX;		/* until it begins again */
		return;
	}
	st_event_interrupt(st, op);
	o->got += len;
	o->stu_num++;
	/* Each is a sign that the answer is on its way */
	o->polling = false;
	o->guard.armed = true;
	o->guard.tries = 0;
	o->guard.expires = jiffies + st_op_timeout(st);
	if (!(op->flags & ST_F_LAST))
		return;
	if (o->got == o->len)
		st_onesided_done(st, o, 0);
	else
		st_log(st, ST_ERR_IMPROPER_FLAG_USE);
}

/* Whether Data is the value of a FetchOp that is over */
static bool st_fetchop_late(const struct st_sock *st, const struct st_op *op,
			    const struct sk_buff *skb)
{
	const struct st_onesided *o;

	if (skb->len != ST_HDR_LEN + ST_FETCH_LEN || op->param ||
	    op->bufx != ST_FETCH_BUFX || op->offset || (s32)(op->d_id - st->next_id) >= 0)
		return false;
	list_for_each_entry(o, &st->mem->ops, list)
		if (o->id == op->d_id)
			return false;
	return true;
}

/**
 * st_onesided_rcv_data - a Data operation of a Get or FetchOp came in
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 * @skb: at its Schedule Header, which is linear
 *
 * Context: softirq, under st->lock.
 */
void st_onesided_rcv_data(struct st_sock *st, const struct st_op *op,
			  const struct sk_buff *skb)
{
	struct st_onesided *o = st->mem->local[op->b_id % ST_MX_PLACES];

	if (!o || o->mx != op->b_id || !o->asked) {
		st_log(st, ST_ERR_INVALID_MX);
		/* The peer need not keep it */
		if (st_fetchop_late(st, op, skb))
			st_queue_complete(st, op);
	} else if (o->id != op->d_id || op->s_id != o->remote->peer_id) {
		st_log(st, ST_ERR_INVALID_D_ID);
	} else if (o->type == ST_FETCHOP) {
		st_fetchop_data(st, o, op, skb);
	} else {
		st_get_data(st, o, op, skb);
	}
}

/**
 * st_onesided_answered - a Request_Answer that may be to a Get or FetchOp, ST 7.3
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 * Return: false when it is not.
 */
bool st_onesided_answered(struct st_sock *st, const struct st_op *op)
{
	struct st_onesided *o;

	list_for_each_entry(o, &st->mem->ops, list) {
		if (o->type == ST_PUT || o->id != op->d_id || !o->asked)
			continue;
		if (op->s_id != o->remote->peer_id) {
			st_log(st, ST_ERR_INVALID_D_ID);
		} else if (op->flags & ST_F_REJECT) {
			st_onesided_done(st, o, -EACCES);
		} else {
			st_guard_answered(st, &o->guard);
			o->polling = true;
			o->guard.expires = jiffies + ST_KEEPALIVE;
			st_timer_at(st, o->guard.expires);
		}
		return true;
	}
	return false;
}

/* A Put was not received: send it again, or wait some more, or give it up. */
static void st_put_missing(struct st_sock *st, struct st_onesided *o)
{
	if ((o->flags & ST_PUT_SILENT) && time_before(jiffies, o->sent_at + st_op_timeout(st))) {
		/* The question has overtaken the Data */
		st_guard_stop(&o->guard);
		o->polling = true;
		o->guard.expires = jiffies + st_op_timeout(st) / 64 + 1;
		st_timer_at(st, o->guard.expires);
		return;
	}
	if (o->tries++ >= READ_ONCE(st_net_of(st)->max_retry)) {
		st_log(st, ST_ERR_MAX_RETRY);
		st_onesided_done(st, o, -EACCES);
		return;
	}
	st->info.block_retries++;
	st_guard_stop(&o->guard);
	o->asked = false;
	o->got = 0;
	o->stu_num = 0;
	st_onesided_pump(st);
}

/**
 * st_onesided_put_state - the peer tells whether a Put is complete, ST 6.1.4.2
 * @st: the Virtual Connection
 * @rm: the region
 * @op: the Request_State_Response
 *
 * Context: softirq, under st->lock.
 */
void st_onesided_put_state(struct st_sock *st, struct st_remote *rm, const struct st_op *op)
{
	struct st_onesided *o;

	list_for_each_entry(o, &rm->puts, put_list) {
		if (!o->asked)
			continue;
		if (op->b_num == o->b_num) {
			st_onesided_done(st, o, 0);
			return;
		}
		/* It is told which, but not which not: Sync is that of the question */
		if (op->b_num == ST_B_NUM_NONE && op->sync == o->guard.op.sync) {
			st_put_missing(st, o);
			return;
		}
	}
}

/**
 * st_onesided_timeouts - Op_timeouts of operations on memory of the peer, ST 10.1
 * @st: the Virtual Connection, with persistent memory
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 * Return: false when the peer does not answer any more.
 */
bool st_onesided_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_onesided *o;
	struct st_op op;

	if (list_empty(&st->mem->ops))
		return true;
	/* Whoever waits for Data to leave learns that the peer has gone */
	if (time_after_eq(now, st->heard + ST_KEEPALIVE))
		st_queue_request_state(st);
	st_timer_at(st, now + ST_KEEPALIVE);
	list_for_each_entry(o, &st->mem->ops, list) {
		if (o->polling) {
			if (time_before(now, o->guard.expires)) {
				st_timer_at(st, o->guard.expires);
				continue;
			}
			o->polling = false;
			st_slot_take(st, true);
			op = o->guard.op;
			if (o->type == ST_PUT)
				op.sync = st->slot_ops;
			st_guard_start(st, &o->guard, &op);
			st_queue_op(st, &op);
			continue;
		}
		switch (st_guard_expired(st, &o->guard, now)) {
		case 1:
			st_slot_take(st, true);
			if (o->type == ST_PUT)
				o->guard.op.sync = st->slot_ops;
			st_queue_op(st, &o->guard.op);
			break;
		case -ETIMEDOUT:
			return false;
		}
	}
	return true;
}
