// SPDX-License-Identifier: GPL-2.0
/*
 * Get at the Responder, ST 6.1.4.3: answered from a copy, without the application.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "link/link.h"
#include "mem/region.h"

#define ST_REPLY_NOW	4096	/* largest Get that is copied in softirq, bytes */

/* The place of the Data at the peer.  Return: ST_ERR_NONE when each byte has a place. */
static enum st_error st_serve_target(const struct st_sock *st, const struct st_op *op, u32 len,
				     struct st_place *to)
{
	struct st_place end = { .bufx = op->sync, .offset = op->b_num };

	*to = end;
	if (!st_place_valid(to, st->vc.remote_bufsize))
		return ST_ERR_OVERSIZED_OFFSET;
	return st_place_advance(&end, max(len, 1U) - 1, st->vc.remote_bufsize) ?
	       ST_ERR_NONE : ST_ERR_OUT_OF_RANGE_BUFX;
}

/**
 * st_serve_access - whether a Get or FetchOp may be executed
 * @st: the Virtual Connection, with persistent memory
 * @op: the Get or FetchOp
 * @len: number of bytes
 * @right: required right to the region, of ST_REGION_*
 * @pos: set to the first byte in the region
 * @to: set to the place of that byte at the peer
 *
 * Return: the region, or NULL when it lacks the right, or when the bytes are not all accessible or
 * have no place at the peer.  All but the lack of the right is logged: these operations have
 * no Mx that could be wrong, and the answer reports it.
 */
struct st_region *st_serve_access(struct st_sock *st, const struct st_op *op, u32 len, u8 right,
				  u64 *pos, struct st_place *to)
{
	const struct st_place at = { .bufx = op->bufx, .offset = op->offset };
	struct st_region *r = xa_load(&st->mem->by_id, op->d_id);
	enum st_error err = ST_ERR_INVALID_D_ID;
	struct st_area area;

	st_assert_locked(st);
	if (r) {
		area = st_region_area(r);
		err = st_access_check(&area, &at, len, right, pos);
	}
	if (err == ST_ERR_NONE)
		err = st_serve_target(st, op, len, to);
	if (err != ST_ERR_NONE) {
		if (err != ST_ERR_INVALID_MX)
			st_log(st, err);
		return NULL;
	}
	return st_link_max_stu(st->paths.main->link, op->flags & ST_F_CHANNEL) ? r : NULL;
}

static void st_reply_free(struct st_mem *mem, struct st_reply *reply)
{
	list_del(&reply->list);
	WRITE_ONCE(mem->st->slots.taken.replies, mem->st->slots.taken.replies - 1);
	st_peer_free(mem->st, reply, sizeof(*reply));
}

/**
 * st_serve_drop - cancel all Gets from a region
 * @mem: persistent memory of the Virtual Connection
 * @r: the region, which has ended
 */
void st_serve_drop(struct st_mem *mem, const struct st_region *r)
{
	struct st_reply *reply, *next;

	st_assert_locked(mem->st);
	list_for_each_entry_safe(reply, next, &mem->replies, list)
		if (reply->region == r)
			st_reply_free(mem, reply);
}

/*
 * Send the next STU of a Get.  It is sent from a copy: concurrent writes to the region would
 * invalidate its checksum.  Return: false when it must wait.
 */
static bool st_reply_send(struct st_sock *st, struct st_reply *reply)
{
	u8 max_stu = min_t(unsigned int, st->vc.remote_max_stu,
			   st_link_max_stu(st->paths.main->link, reply->channel));
	struct st_buf *copy = NULL;
	struct st_op op;
	bool sent;
	u32 stu;

	if (!max_stu || sk_wmem_alloc_get(&st->sk) >= ST_TX_INFLIGHT)
		return false;
	stu = st_stu_len(&reply->at, reply->left, st->vc.remote_bufsize, max_stu);
	if (stu) {
		copy = st_buf_clone(reply->region->buf, reply->pos, stu,
				    GFP_ATOMIC | __GFP_NOWARN);
		if (!copy)
			return false;
	}
	/* Silent: it takes no Slot */
	st_op_init(st, &op, ST_OP_DATA, ST_F_SILENT | reply->channel);
	if (stu == reply->left)
		op.flags |= ST_F_LAST;
	op.param = reply->stu_num;
	op.b_id = reply->mx;
	op.bufx = reply->at.bufx;
	op.offset = reply->at.offset;
	op.sync = st->slots.ops;
	op.d_id = reply->id;
	op.s_id = reply->region->id;
	sent = st_tx_queue_data(st->paths.main, &op, copy, 0, stu, stu);
	st_buf_free(copy, false);
	if (!sent)
		return false;
	reply->left -= stu;
	reply->pos += stu;
	reply->stu_num++;
	st_place_advance(&reply->at, stu, st->vc.remote_bufsize);
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
		if (reply && !more)	/* Possibly nothing else will cause another try */
			st_timer_at(st, jiffies + st_op_timeout(st));
		st_unlock(st);
		cond_resched();
	} while (more);
	sock_put(&st->sk);
}

/**
 * st_serve_pump - continue to answer Gets
 * @st: the Virtual Connection, with persistent memory
 */
void st_serve_pump(struct st_sock *st)
{
	st_assert_locked(st);
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
 * st_serve_get - a Get has arrived, ST 6.1.4.3
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 *
 * Context: softirq.
 * Return: false to reject it.
 */
bool st_serve_get(struct st_sock *st, const struct st_op *op)
{
	struct st_reply *reply;
	struct st_region *r;
	struct st_place to;
	u64 pos;

	st_assert_locked(st);
	r = st_serve_access(st, op, op->param, ST_REGION_GET, &pos, &to);
	if (!r)
		return false;
	if (st_serve_known(st->mem, op->s_id)) {
		/* The answer is queued after others */
		st_queue_request_answer(st, op->s_id, op->d_id, 0);
		return true;
	}
	reply = st->slots.taken.replies < ST_REPLIES ? st_peer_alloc(st, sizeof(*reply)) : NULL;
	if (!reply) {
		/* The peer repeats its request */
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
	WRITE_ONCE(st->slots.taken.replies, st->slots.taken.replies + 1);
	if (op->param <= ST_REPLY_NOW && list_is_singular(&st->mem->replies) &&
	    st_reply_send(st, reply) && list_empty(&st->mem->replies))
		return true;
	st_serve_pump(st);
	return true;
}
