// SPDX-License-Identifier: GPL-2.0
/*
 * Get and FetchOp at the Initiator, ST 6.1.4.3 and 6.1.4.4.
 */
#include <linux/bitfield.h>

#include "conn/conn.h"
#include "mem/remote.h"

#define ST_FETCH_BUFX	1	/* I-Bufx of FetchOps, which identifies their Data; Gets have 0 */

/**
 * st_get_send - send a Get or FetchOp
 * @st: the Virtual Connection
 * @o: the operation, in st_mem.ops
 *
 * Return: false without a Slot.
 */
bool st_get_send(struct st_sock *st, struct st_onesided *o)
{
	struct st_op op;

	st_assert_locked(st);
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
	st_retrans_start(st, &o->retrans, &op);
	st_queue_op(st, &op);
	return true;
}

/* Acknowledge the Data of a FetchOp, ST 6.1.4.4. */
static void st_queue_complete(struct st_sock *st, const struct st_op *data)
{
	struct st_op op;

	st_op_init(st, &op, ST_OP_GET, FIELD_PREP(ST_F_FUNCTION, ST_FN_COMPLETE));
	op.sync = data->sync;
	op.d_id = data->s_id;
	op.s_id = data->d_id;
	/* It is never repeated, so it does not wait for a Slot */
	st_slot_take(st, true);
	st_queue_op(st, &op);
}

/* One Data operation is the whole Block and hence its segment, ST 8.3.2. */
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
	/* ST 8.2: bytes in the order of the peer's memory */
	if (st->vc.remote_function & ST_FN_LITTLE_ENDIAN)
		o->value = le64_to_cpu((__force __le64)raw);
	else
		o->value = be64_to_cpu((__force __be64)raw);
	st_queue_complete(st, op);
	st_onesided_done(st, o, 0);
}

/**
 * st_get_range - the destination of Data of a Get
 * @o: the Get
 * @op: the Data operation
 * @len: length of the payload, bytes
 * @pos: set to the first byte
 *
 * Return: ST_ERR_NONE when all the bytes may be written, else as st_access_check().
 */
enum st_error st_get_range(const struct st_onesided *o, const struct st_op *op, u32 len, u64 *pos)
{
	const struct st_area area = { .len = o->len };
	enum st_error err = st_access_check_stu(&area, op, len, 0, pos);

	st_assert_locked(o->st);
	/* Bytes received before are not overwritten, unless the peer starts again */
	if (err == ST_ERR_NONE && op->param && *pos < o->got)
		return ST_ERR_OUT_OF_RANGE_BUFX;
	return err;
}

static void st_get_data(struct st_sock *st, struct st_onesided *o, const struct st_op *op,
			const struct sk_buff *skb)
{
	u32 len = skb->len - ST_HDR_LEN;
	enum st_error err;
	u64 pos;

	/* The peer starts again after a repeated request */
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
	err = st_get_range(o, op, len, &pos);
	if (err == ST_ERR_NONE && pos != o->got)
		err = ST_ERR_OUT_OF_RANGE_BUFX;
	if (err != ST_ERR_NONE) {
		st_log(st, err);
		return;
	}
	if (st_mem_take(st, o->buf, pos, skb, &o->csum, &o->summed)) {
		o->stu_num = U32_MAX;		/* until the peer starts again */
		return;
	}
	st_event_interrupt(st, op);
	o->got += len;
	o->stu_num++;
	/* Data proves that the answer is under way */
	o->polling = false;
	o->retrans.armed = true;
	o->retrans.tries = 0;
	o->retrans.since = get_jiffies_64();
	st_retrans_set(st, &o->retrans, st_op_timeout(st));
	if (!(op->flags & ST_F_LAST))
		return;
	if (o->got == o->len)
		st_onesided_done(st, o, 0);
	else
		st_log(st, ST_ERR_IMPROPER_FLAG_USE);
}

/* Whether Data is the value of a finished FetchOp. */
static bool st_fetchop_late(const struct st_sock *st, const struct st_op *op,
			    const struct sk_buff *skb)
{
	const struct st_onesided *o;

	if (skb->len != ST_HDR_LEN + ST_FETCH_LEN || op->param ||
	    op->bufx != ST_FETCH_BUFX || op->offset || (s32)(op->d_id - st->ids.next) >= 0)
		return false;
	list_for_each_entry(o, &st->mem->ops, list)
		if (o->id == op->d_id)
			return false;
	return true;
}

/**
 * st_onesided_rcv_data - Data of a Get or FetchOp has arrived
 * @st: the Virtual Connection, with persistent memory
 * @op: the operation
 * @skb: the operation, at its Schedule Header, which is linear
 *
 * Context: softirq.
 */
void st_onesided_rcv_data(struct st_sock *st, const struct st_op *op,
			  const struct sk_buff *skb)
{
	struct st_onesided *o = st->mem->local[op->b_id % ST_MX_PLACES];

	st_assert_locked(st);
	if (!o || o->mx != op->b_id || !o->asked) {
		st_log(st, ST_ERR_INVALID_MX);
		/* The peer need not keep the value */
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
