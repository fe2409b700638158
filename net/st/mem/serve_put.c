// SPDX-License-Identifier: GPL-2.0
/* Put at the Responder, ST 6.1.4.2: executed on arrival, without the application. */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/conn.h"
#include "mem/region.h"

#define ST_WINDOW	64	/* bits in st_window.map */
#define ST_BEHIND	BIT(31)	/* distances from here on are negative */

/**
 * st_put_map_put - whether a Put may be executed, ST 10.3, 10.7.4
 * @w: the record of complete Puts
 * @n: B_num of the Put
 * @done: set to whether it has been executed already
 *
 * Context: under st->lock.
 * Return: false when it is too old to know.
 */
bool st_put_map_put(const struct st_put_map *w, u32 n, bool *done)
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
	/* The first Put may have any number */
	return ahead < ST_BEHIND || *done || (!w->base && !w->map && !w->seq);
}
EXPORT_SYMBOL_IF_KUNIT(st_put_map_put);

/**
 * st_put_map_done - record that a Put is complete
 * @w: the record of complete Puts
 * @n: B_num of the Put, not complete before according to st_put_map_put()
 *
 * Context: under st->lock.
 */
void st_put_map_done(struct st_put_map *w, u32 n)
{
	u32 ahead = st_put_distance(w->base, n), skip;

	if (ahead >= ST_WINDOW) {
		/* Give up the oldest missing ones, after counting consecutive complete ones */
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
EXPORT_SYMBOL_IF_KUNIT(st_put_map_done);

/**
 * st_serve_region - find the region of a Put, ST 10.7.1, 10.7.2
 * @st: the Virtual Connection, with persistent memory
 * @op: the Data operation
 * @err: set to the reason when there is none
 *
 * Return: the region, whether or not it is lent for Puts, or NULL.
 */
struct st_region *st_serve_region(struct st_sock *st, const struct st_op *op,
				  enum st_error *err)
{
	struct st_region *r = st->mem->by_mx[op->b_id % ST_MX_PLACES];

	st_assert_locked(st);
	*err = ST_ERR_INVALID_MX;
	if (!r || !r->granted || r->mx != op->b_id)
		return NULL;
	*err = ST_ERR_INVALID_D_ID;
	return r->id == op->d_id ? r : NULL;
}

/**
 * st_serve_range - the place of an STU of a Put in a region
 * @r: the region
 * @op: the Data operation
 * @len: length of the payload, bytes
 * @pos: set to the first byte
 *
 * Return: ST_ERR_NONE when all the bytes may be written, else as st_access_check().
 */
enum st_error st_serve_range(const struct st_region *r, const struct st_op *op, u32 len,
			     u64 *pos)
{
	const struct st_area area = st_region_area(r);

	st_assert_locked(r->st);
	return st_access_check_stu(&area, op, len, ST_REGION_PUT, pos);
}

/* B_seq: the last Put up to which all are complete, ST 6.2.4. */
static u32 st_serve_b_seq(const struct st_region *r)
{
	return r->put_map.seq ? st_b_num(r->put_map.seq - 1) : ST_B_NUM_NONE;
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

/*
 * Execute one STU, at byte @pos of the region unless @err is set by st_serve_range().  Return: true
 * when it completes the Put.
 */
static bool st_serve_stu(struct st_sock *st, struct st_region *r, const struct st_op *op,
			 const struct sk_buff *skb, enum st_error err, u64 pos)
{
	if (!op->param) {
		/* It is executed anyway: the missing ones may not exist */
		if (!st->vc.out_of_order && op->b_num != r->next_put)
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
	r->got += skb->len - ST_HDR_LEN;
	r->stu_num++;
	if (!(op->flags & ST_F_LAST))
		return false;
	r->open = false;
	r->info.puts++;
	st_put_map_done(&r->put_map, op->b_num);
	st_serve_put_event(st, r, op);
	return true;
}

/**
 * st_serve_put - Data of a Put has arrived, ST 6.1.4.2
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 * @skb: the operation, at its Schedule Header, which is linear
 *
 * Context: softirq.
 */
void st_serve_put(struct st_sock *st, const struct st_op *op, const struct sk_buff *skb)
{
	bool good = false, done = false;
	struct st_region *r;
	enum st_error err;
	u64 pos = 0;

	st_assert_locked(st);
	r = st_serve_region(st, op, &err);
	if (!r) {
		st_log(st, err);
		return;
	}
	err = st_serve_range(r, op, skb->len - ST_HDR_LEN, &pos);
	if (err == ST_ERR_INVALID_MX) {
		/* Not lent for Puts: the answer shows that it was not executed */
		st_log(st, err);
	} else if (!st_put_map_put(&r->put_map, op->b_num, &done)) {
		st_log(st, ST_ERR_OUT_OF_RANGE_B_NUM);
	} else {
		/* A duplicate is answered and not executed again, ST 10.3 */
		good = done || st_serve_stu(st, r, op, skb, err, pos);
	}
	if (op->flags & ST_F_SEND_STATE)
		st_queue_request_state_response(st, op, r->peer_id, r->id, st_serve_b_seq(r),
						good ? op->b_num : ST_B_NUM_NONE);
}

/**
 * st_serve_state - answer a Request_State about a region, ST 6.1.1
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq.
 * Return: false when it concerns something else.
 */
bool st_serve_state(struct st_sock *st, const struct st_op *op)
{
	struct st_region *r = st->mem ? xa_load(&st->mem->by_id, op->d_id) : NULL;
	u32 b_num = op->b_num;
	bool done;

	st_assert_locked(st);
	if (!r)
		return false;
	if (!st_put_map_put(&r->put_map, b_num, &done) || !done)
		b_num = ST_B_NUM_NONE;
	st_queue_request_state_response(st, op, r->peer_id, r->id, st_serve_b_seq(r), b_num);
	return true;
}
