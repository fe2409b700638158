// SPDX-License-Identifier: GPL-2.0
/*
 * Put and Get at the Responder, ST 6.1.4.2 and 6.1.4.3: executed as they arrive,
 * without the application.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/export.h>

#include "conn/event.h"
#include "conn/host.h"
#include "link/link.h"
#include "mem/region.h"
#include "xfer/xfer.h"

#define ST_WINDOW	64	/* bits in st_window.map */
#define ST_BEHIND	BIT(31)	/* distances from here on are backwards */
#define ST_REPLY_NOW	4096	/* bytes of a Get that are copied in softirq */

/**
 * st_window_put - whether a Put may be executed, ST 10.3, 10.7.4
 * @w: what is complete
 * @n: its B_num
 * @done: set to whether it was executed already
 *
 * Context: under st->lock.
 * Return: false when nothing is known of one so old.
 */
bool st_window_put(const struct st_window *w, u32 n, bool *done)
{
	u32 ahead = st_put_distance(w->base, n);
	u32 behind = st_put_distance(n, st_b_num(w->seq));

	*done = false;
	if (n == ST_B_NUM_NONE)
		return false;
	if (ahead < ST_WINDOW)
		*done = w->map & BIT_ULL(ahead);
	else if (ahead >= ST_BEHIND)
		*done = behind && behind < ST_BEHIND && behind <= w->seq;
	/* The first one may have any number */
	return ahead < ST_BEHIND || *done || (!w->base && !w->map && !w->seq);
}
EXPORT_SYMBOL_IF_KUNIT(st_window_put);

/**
 * st_window_done - a Put is complete
 * @w: what is complete
 * @n: its B_num; st_window_put() says that it was not
 *
 * Context: under st->lock.
 */
void st_window_done(struct st_window *w, u32 n)
{
	u32 ahead = st_put_distance(w->base, n), skip;

	if (ahead >= ST_WINDOW) {
		/* The oldest are given up; those in order are counted first */
		skip = ahead - ST_WINDOW + 1;
		w->map = skip < ST_WINDOW ? w->map >> skip : 0;
		w->base = st_put_num(w->base, skip);
		ahead = ST_WINDOW - 1;
	}
	w->map |= BIT_ULL(ahead);
	if (w->base != st_b_num(w->seq))
		return;
	while (w->map & 1) {
		w->map >>= 1;
		w->seq++;
	}
	w->base = st_b_num(w->seq);
}
EXPORT_SYMBOL_IF_KUNIT(st_window_done);

/**
 * st_serve_region - the region that a Put goes to, ST 10.7.1, 10.7.2
 * @st: the Virtual Connection, with persistent memory
 * @op: the Data operation
 * @err: set when there is none
 *
 * Context: under st->lock.
 * Return: the region, into which the peer may Put, or NULL.
 */
struct st_region *st_serve_region(struct st_sock *st, const struct st_op *op,
				  enum st_error *err)
{
	struct st_region *r = st->mem->by_mx[op->b_id % ST_MX_PLACES];

	*err = ST_ERR_INVALID_MX;
	if (!r || !r->granted || r->mx != op->b_id || !(r->access & ST_REGION_PUT))
		return NULL;
	*err = ST_ERR_INVALID_D_ID;
	return r->id == op->d_id ? r : NULL;
}

/**
 * st_serve_range - where in a region an STU of a Put goes, ST 10.7.4
 * @r: the region
 * @op: the Data operation
 * @len: bytes of payload
 * @pos: set to the first byte
 *
 * Context: under st->lock.
 * Return: ST_ERR_NONE when all the bytes may be written.
 */
enum st_error st_serve_range(const struct st_region *r, const struct st_op *op, u32 len,
			     u64 *pos)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	enum st_error err = st_region_range(r, &at, len, pos);

	/* ST 6.2.7 */
	if (err == ST_ERR_NONE && op->offset + (u64)len > BIT(ST_BUFSIZE))
		err = ST_ERR_OUT_OF_RANGE_BUFX;
	return err;
}

/* B_seq: the last Put of those that are complete without a gap, ST 6.2.4 */
static u32 st_serve_b_seq(const struct st_region *r)
{
	return r->window.seq ? st_b_num(r->window.seq - 1) : ST_B_NUM_NONE;
}

static void st_serve_put_event(struct st_sock *st, const struct st_region *r,
			       const struct st_op *op)
{
	const struct st_event event = {
		.type = ST_EVENT_PUT,
		.id = r->id,
		.flags = op->s_id,
		.len = r->got,
		.value = r->pos,
		.token = r->token,
	};

	/* ST 8.2: Send_State overrides Silent, Interrupt is independent of it */
	if (!(op->flags & ST_F_SILENT) || (op->flags & (ST_F_SEND_STATE | ST_F_INTERRUPT)))
		st_mem_tell(st, ST_REGION_EV_PUT, &event);
}

/* One STU.  Return: true when the Put is complete with it. */
static bool st_serve_stu(struct st_sock *st, struct st_region *r, const struct st_op *op,
			 const struct sk_buff *skb)
{
	u32 len = skb->len - ST_HDR_LEN;
	enum st_error err;
	u64 pos;

	if (!op->param) {
		/* It is executed all the same: there may be none to come in between */
		if (!st->out_of_order && op->b_num != r->next_put)
			st_log(st, ST_ERR_OUT_OF_ORDER_B_NUM);
		r->next_put = st_put_num(op->b_num, 1);
		r->open = true;
		r->summed = true;
		r->b_num = op->b_num;
		r->stu_num = 0;
		r->got = 0;
		st_csum_init(&r->csum);
	} else if (!r->open || r->b_num != op->b_num || r->stu_num != op->param) {
		st_log(st, ST_ERR_OUT_OF_ORDER_STU);
		r->open = false;
		return false;
	}
	err = st_serve_range(r, op, len, &pos);
	if (err != ST_ERR_NONE) {
		st_log(st, err);
		r->open = false;
		return false;
	}
	if (!op->param)
		r->pos = pos;
	if (st_mem_take(st, r->buf, pos, skb, &r->csum, &r->summed)) {
		r->open = false;
		return false;
	}
	st_event_interrupt(st, op);
	r->got += len;
	r->stu_num++;
	if (!(op->flags & ST_F_LAST))
		return false;
	r->open = false;
	r->info.puts++;
	st_window_done(&r->window, op->b_num);
	st_serve_put_event(st, r, op);
	return true;
}

/**
 * st_serve_put - a Data operation of a Put came in, ST 6.1.4.2
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 * @skb: at its Schedule Header, which is linear
 *
 * Context: softirq, under st->lock.
 */
void st_serve_put(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	struct st_region *r = st->mem->by_mx[op->b_id % ST_MX_PLACES];
	bool good = false, done = false;
	enum st_error err;

	if (!st_serve_region(st, op, &err)) {
		st_log(st, err);
		/* A region that may not be Put to: the peer learns that it was not */
		if (!r || !r->granted || r->mx != op->b_id || r->id != op->d_id)
			return;
	} else if (!st_window_put(&r->window, op->b_num, &done)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	} else {
		/* A duplicate is answered and not executed again, ST 10.3 */
		good = done || st_serve_stu(st, r, op, skb);
	}
	if (op->flags & ST_F_SEND_STATE)
		st_queue_request_state_response(st, op, r->peer_id, r->id, st_serve_b_seq(r),
						good ? op->b_num : ST_B_NUM_NONE);
}

/**
 * st_serve_state - a Request_State that may be about a region, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 * Return: false when it is about something else.
 */
bool st_serve_state(struct st_sock *st, const struct st_op *op)
{
	struct st_region *r = st->mem ? xa_load(&st->mem->by_id, op->d_id) : NULL;
	u32 b_num = op->b_num;
	bool done;

	if (!r)
		return false;
	if (!st_window_put(&r->window, b_num, &done) || !done)
		b_num = ST_B_NUM_NONE;
	st_queue_request_state_response(st, op, r->peer_id, r->id, st_serve_b_seq(r), b_num);
	return true;
}

static void st_reply_free(struct st_mem *mem, struct st_reply *reply)
{
	list_del(&reply->list);
	WRITE_ONCE(mem->st->taken.replies, mem->st->taken.replies - 1);
	st_peer_free(mem->st, reply, sizeof(*reply));
}

/**
 * st_serve_drop - Gets from a region are not answered any more
 * @mem: persistent memory of the Virtual Connection
 * @r: the region, which is over
 *
 * Context: under st->lock.
 */
void st_serve_drop(struct st_mem *mem, const struct st_region *r)
{
	struct st_reply *reply, *next;

	list_for_each_entry_safe(reply, next, &mem->replies, list)
		if (reply->region == r)
			st_reply_free(mem, reply);
}

/*
 * The next STU of a Get.  It is sent from a copy: what others write into the
 * region meanwhile would give it a wrong checksum.
 * Return: false when it must wait.
 */
static bool st_reply_send(struct st_sock *st, struct st_reply *reply)
{
	u8 max_stu = min_t(unsigned int, st->remote_max_stu,
			   st_link_max_stu(st->main->link, reply->channel));
	struct st_buf *copy = NULL;
	struct st_op op;
	bool sent;
	u32 stu;

	if (!max_stu || sk_wmem_alloc_get(&st->sk) >= ST_TX_INFLIGHT)
		return false;
	stu = st_stu_len(&reply->at, reply->left, st->remote_bufsize, max_stu);
	if (stu) {
		copy = st_buf_clone(reply->region->buf, reply->pos, stu,
				    GFP_ATOMIC | __GFP_NOWARN);
		if (!copy)
			return false;
	}
	/* Silent: it takes no Slot, and so waits for none */
	st_op_init(st, &op, ST_OP_DATA, ST_F_SILENT | reply->channel);
	if (stu == reply->left)
		op.flags |= ST_F_LAST;
	op.param = reply->stu_num;
	op.b_id = reply->mx;
	op.bufx = reply->at.bufx;
	op.offset = reply->at.offset;
	op.sync = st->slot_ops;
	op.d_id = reply->id;
	op.s_id = reply->region->id;
	sent = st_tx_queue_data(st->main, &op, copy, 0, stu, stu);
	st_buf_free(copy, false);
	if (!sent)
		return false;
	reply->left -= stu;
	reply->pos += stu;
	reply->stu_num++;
	st_place_advance(&reply->at, stu, st->remote_bufsize);
	if (!reply->left) {
		reply->region->info.gets++;
		st_reply_free(st->mem, reply);
	}
	return true;
}

/**
 * st_reply_work - answer Gets, one STU at a time
 * @work: st_mem.reply_work, queued with a reference
 */
void st_reply_work(struct work_struct *work)
{
	struct st_mem *mem = container_of(work, struct st_mem, reply_work);
	struct st_sock *st = mem->st;
	struct st_reply *reply;
	bool more;

	do {
		spin_lock_bh(&st->lock);
		reply = list_first_entry_or_null(&mem->replies, struct st_reply, list);
		more = reply && st->sk.sk_state == ST_ESTABLISHED && st_reply_send(st, reply);
		if (reply && !more)	/* Nothing else may come to try again */
			st_timer_at(st, jiffies + st_op_timeout(st));
		st_unlock(st);
		cond_resched();
	} while (more);
	sock_put(&st->sk);
}

/**
 * st_serve_pump - go on answering Gets
 * @st: the Virtual Connection, with persistent memory
 *
 * Context: under st->lock.
 */
void st_serve_pump(struct st_sock *st)
{
	if (list_empty(&st->mem->replies))
		return;
	sock_hold(&st->sk);
	if (!queue_work(st_mem_wq, &st->mem->reply_work))
		__sock_put(&st->sk);
}

static bool st_serve_known(const struct st_mem *mem, u32 id)
{
	const struct st_reply *reply;

	list_for_each_entry(reply, &mem->replies, list)
		if (reply->id == id)
			return true;
	return false;
}

/**
 * st_serve_target - where at the peer the Data for a Get or FetchOp goes, ST 10.7.4
 * @st: the Virtual Connection
 * @op: the Get or FetchOp
 * @len: bytes of Data
 * @to: set to the place of the first
 *
 * Context: under st->lock.
 * Return: ST_ERR_NONE when there is a place for each byte.
 */
enum st_error st_serve_target(const struct st_sock *st, const struct st_op *op, u32 len,
			      struct st_place *to)
{
	struct st_place end = { .bufx = op->sync, .offset = op->b_num };

	*to = end;
	if (!st_place_valid(to, st->remote_bufsize))
		return ST_ERR_OVERSIZED_OFFSET;
	return st_place_advance(&end, max(len, 1U) - 1, st->remote_bufsize) ?
	       ST_ERR_NONE : ST_ERR_OUT_OF_RANGE_BUFX;
}

/* ST 6.1.4.3.  Return: false when the Get is to be rejected. */
static bool st_serve_get(struct st_sock *st, const struct st_op *op)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	struct st_region *r = xa_load(&st->mem->by_id, op->d_id);
	struct st_reply *reply;
	struct st_place to;
	enum st_error err;
	u64 pos;

	if (!r) {
		st_log(st, ST_ERR_INVALID_D_ID);
		return false;
	}
	err = st_region_range(r, &at, op->param, &pos);
	if (err == ST_ERR_NONE)
		err = st_serve_target(st, op, op->param, &to);
	if (err != ST_ERR_NONE) {
		st_log(st, err);
		return false;
	}
	if (!(r->access & ST_REGION_GET) ||
	    !st_link_max_stu(st->main->link, op->flags & ST_F_CHANNEL))
		return false;
	if (st_serve_known(st->mem, op->s_id)) {
		/* The answer is on its way, behind others */
		st_queue_request_answer(st, op->s_id, op->d_id, 0);
		return true;
	}
	reply = st->taken.replies < ST_REPLIES ? st_peer_alloc(st, sizeof(*reply)) : NULL;
	if (!reply) {
		/* The peer asks again */
		st_log(st, ST_ERR_SLOTS_EXCEEDED);
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_GET]);
		return true;
	}
	reply->region = r;
	reply->id = op->s_id;
	reply->mx = op->b_id;
	reply->channel = op->flags & ST_F_CHANNEL;
	reply->at = to;
	reply->pos = pos;
	reply->left = op->param;
	list_add_tail(&reply->list, &st->mem->replies);
	WRITE_ONCE(st->taken.replies, st->taken.replies + 1);
	if (op->param <= ST_REPLY_NOW && list_is_singular(&st->mem->replies) &&
	    st_reply_send(st, reply) && list_empty(&st->mem->replies))
		return true;
	st_serve_pump(st);
	return true;
}

/**
 * st_rcv_get - a Get, FetchOp or FetchOp_Complete came in, ST 6.1.4
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_rcv_get(struct st_sock *st, const struct st_op *op)
{
	u8 function = FIELD_GET(ST_F_FUNCTION, op->flags);
	bool ok = false;

	if (function == ST_FN_COMPLETE) {
		st_serve_complete(st, op);
		return;
	}
	if (!st->mem)
		st_log(st, ST_ERR_INVALID_D_ID);
	else if (function == ST_FN_GET)
		ok = st_serve_get(st, op);
	else
		ok = st_serve_fetchop(st, op, function);
	if (!ok)
		st_queue_request_answer(st, op->s_id, op->d_id, ST_F_REJECT);
}
