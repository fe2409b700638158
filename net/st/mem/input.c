// SPDX-License-Identifier: GPL-2.0
/*
 * Input, timeouts and the end of a connection for persistent memory, ST 6.1.4: each is passed on to
 * the Initiator or the Responder side.
 */
#include <linux/bitfield.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "mem/region.h"
#include "mem/remote.h"

/**
 * st_mem_area - the memory for a Data operation of Put, Get or FetchOp
 * @st: the Virtual Connection
 * @op: the operation, whose Memory Index is not that of a Block
 * @len: length of the payload, bytes
 * @buf: set to the memory
 * @pos: set to the first byte in @buf
 *
 * Return: ST_ERR_NONE when all the bytes may be written, else the reason.
 */
enum st_error st_mem_area(struct st_sock *st, const struct st_op *op, u32 len,
			  struct st_buf **buf, u64 *pos)
{
	const struct st_onesided *o;
	struct st_region *r;
	enum st_error err;
	bool done;

	st_assert_locked(st);
	if (!st->mem)
		return ST_ERR_INVALID_MX;
	if (len > BIT(st->vc.local_max_stu))
		return ST_ERR_ILLEGAL_STU_SIZE;
	if (op->b_id & ST_MX_LOCAL) {
		o = st->mem->local[op->b_id % ST_MX_PLACES];
		if (!o || o->mx != op->b_id || o->type != ST_GET || !o->buf)
			return ST_ERR_INVALID_MX;
		if (o->id != op->d_id)
			return ST_ERR_INVALID_D_ID;
		*buf = o->buf;
		return st_get_range(o, op, len, pos);
	}
	r = st_serve_region(st, op, &err);
	if (!r)
		return err;
	*buf = r->buf;
	err = st_serve_range(r, op, len, pos);
	if (err == ST_ERR_NONE && (!st_put_map_put(&r->put_map, op->b_num, &done) || done))
		return ST_ERR_OUT_OF_RANGE_B_NUM;
	return err;
}

/**
 * st_mem_rcv_data - Data of a Put, Get or FetchOp has arrived
 * @st: the Virtual Connection
 * @op: the operation
 * @skb: the operation, at its Schedule Header, which is linear
 *
 * Context: softirq.
 */
void st_mem_rcv_data(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	st_assert_locked(st);
	if (!st->mem)
		st_log(st, ST_ERR_INVALID_MX);
	else if (skb->len - ST_HDR_LEN > BIT(st->vc.local_max_stu))
		st_log(st, ST_ERR_ILLEGAL_STU_SIZE);
	else if (op->b_id & ST_MX_LOCAL)
		st_onesided_rcv_data(st, op, skb);
	else
		st_serve_put(st, op, skb);
}

/**
 * st_rcv_get - a Get, FetchOp or FetchOp_Complete has arrived, ST 6.1.4
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 */
void st_rcv_get(struct st_sock *st, const struct st_op *op)
{
	u8 function = FIELD_GET(ST_F_FUNCTION, op->flags);
	bool ok = false;

	st_assert_locked(st);
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

/**
 * st_mem_rcv_answer - a Request_Answer has arrived, ST 7.3
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it does not answer a Request_Memory_Region, Get or FetchOp.
 */
bool st_mem_rcv_answer(struct st_sock *st, const struct st_op *op)
{
	st_assert_locked(st);
	return st->mem && (st_remote_answered(st, op) || st_onesided_answered(st, op));
}

/**
 * st_mem_rcv_state - a Request_State_Response has arrived, ST 6.1.4.2
 * @st: the Virtual Connection
 * @op: the operation, which may concern something else
 *
 * Context: softirq.
 */
void st_mem_rcv_state(struct st_sock *st, const struct st_op *op)
{
	st_assert_locked(st);
	if (st->mem && op->d_id != ST_ID_NONE)
		st_remote_state(st, op);
}

/**
 * st_mem_rcv_end - the peer ends a region, ST 6.1.1.4
 * @st: the Virtual Connection
 * @id: its id at this end
 *
 * Context: softirq.
 * Return: false when there is no region with that id.
 */
bool st_mem_rcv_end(struct st_sock *st, u32 id)
{
	struct st_remote *rm;
	struct st_region *r;

	st_assert_locked(st);
	if (!st->mem)
		return false;
	rm = st_remote_known(st->mem, id);
	if (rm) {
		st_remote_over(st, rm, rm->ready ? 0 : EREMOTEIO);
		st_onesided_pump(st);
		return true;
	}
	r = st_region_find(st->mem, id);
	if (!r || !r->granted)
		return false;
	st_region_over(st->mem, r);
	if (r->ending) {
		st_region_free(r);
		return true;
	}
	st_region_lose(st, r, 0);
	/* Operations that wrote to it may have blocked others */
	st_onesided_pump(st);
	return true;
}

/**
 * st_mem_rcv_end_ack - the peer acknowledges the end of a region, ST 6.1.1.4
 * @st: the Virtual Connection
 * @id: its id at this end
 * @asked: set to whether this end has ended the region, if there is one
 *
 * Context: softirq.
 * Return: false when there is no region with that id.
 */
bool st_mem_rcv_end_ack(struct st_sock *st, u32 id, bool *asked)
{
	struct st_remote *rm;
	struct st_region *r;

	st_assert_locked(st);
	if (!st->mem)
		return false;
	rm = st_remote_known(st->mem, id);
	if (rm) {
		*asked = rm->ending;
		if (rm->ending) {
			st_remote_over(st, rm, 0);
			st_onesided_pump(st);
		}
		return true;
	}
	r = st_region_find(st->mem, id);
	if (!r || !r->granted)
		return false;
	*asked = r->ending;
	if (r->ending)
		st_region_free(r);
	return true;
}

/**
 * st_mem_pump - send pending operations of persistent memory
 * @st: the Virtual Connection
 */
void st_mem_pump(struct st_sock *st)
{
	st_assert_locked(st);
	if (!st->mem || st->sk.sk_state != ST_ESTABLISHED)
		return;
	st_onesided_pump(st);
	st_serve_pump(st);
}

/**
 * st_mem_timeouts - Op_timeouts of persistent memory, ST 10.1
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * Context: in st_timer().
 * Return: false when the peer does not answer any more.
 */
bool st_mem_timeouts(struct st_sock *st, unsigned long now)
{
	struct st_region *r;

	st_assert_locked(st);
	if (!st->mem)
		return true;
	list_for_each_entry(r, &st->mem->regions, list)
		if (!st_retrans_repeat(st, &r->retrans, now))
			return false;
	if (!st_remote_timeouts(st, now) || !st_onesided_timeouts(st, now))
		return false;
	st_mem_pump(st);
	return true;
}

/**
 * st_mem_stop - end persistent memory with its Virtual Connection
 * @st: the Virtual Connection
 * @err: positive errno for waiters
 */
void st_mem_stop(struct st_sock *st, int err)
{
	struct st_remote *rm, *next_rm;
	struct st_asked *asked, *next_asked;
	struct st_region *r, *next;
	struct st_mem *mem = st->mem;

	st_assert_locked(st);
	if (!mem)
		return;
	list_for_each_entry_safe(rm, next_rm, &mem->remotes, list)
		st_remote_over(st, rm, err);
	list_for_each_entry_safe(asked, next_asked, &mem->asked, list)
		st_asked_free(mem, asked);
	list_for_each_entry_safe(r, next, &mem->regions, list) {
		if (r->ending)
			st_region_free(r);
		else
			st_region_lose(st, r, err);
	}
}

/**
 * st_mem_purge - free all persistent memory of a socket
 * @st: the socket, without users
 *
 * Context: any.
 */
void st_mem_purge(struct st_sock *st)
{
	struct st_fetch *fetch, *next;
	struct st_mem *mem = st->mem;

	if (!mem)
		return;
	WARN_ON(!list_empty(&mem->regions) || !list_empty(&mem->ops) ||
		!list_empty(&mem->remotes));
	list_splice_init(&mem->fetch_over, &mem->fetch_list);
	list_for_each_entry_safe(fetch, next, &mem->fetch_list, list)
		st_fetch_free(mem, fetch);
	xa_destroy(&mem->by_id);
	st_peer_free(st, mem, sizeof(*mem));
	st->mem = NULL;
}
