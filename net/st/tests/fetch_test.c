// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of FetchOps on memory of this end, ST 6.1.4.4: the test is the Initiator.
 */
#include <linux/bitfield.h>
#include <linux/jiffies.h>

#include "conn/conn.h"
#include "mem/region.h"
#include "conn.h"

#define F_ID		0x7000

/* Fetch and Increment of the first word */
static struct st_op st_test_fetchop(const struct st_test_conn *conn, const struct st_op *region,
				    u32 id)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_GET, ST_DATA_CHANNEL |
					  FIELD_PREP(ST_F_FUNCTION, ST_FETCH_INCREMENT));

	op.b_id = 0x1234;
	op.bufx = region->bufx;
	op.offset = region->offset;
	op.d_id = region->s_id;
	op.s_id = id;
	return op;
}

static void st_test_send(struct st_test_conn *conn, const struct st_op *op)
{
	st_test_rcv(conn, st_test_op_skb(conn, op));
}

/* The value is sent.  Return: its Data operation. */
static struct st_op st_test_value(struct st_test_conn *conn, u32 id, u64 value)
{
	struct sk_buff *skb = skb_dequeue(&conn->sent);
	struct st_op op;
	u64 found;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	st_op_unpack((const struct st_hdr *)skb->data, &op);
	KUNIT_EXPECT_EQ(conn->test, op.op, ST_OP_DATA);
	KUNIT_EXPECT_EQ(conn->test, op.d_id, id);
	KUNIT_EXPECT_EQ(conn->test, 0, skb_copy_bits(skb, ST_HDR_LEN, &found, sizeof(found)));
	KUNIT_EXPECT_EQ(conn->test, found, value);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	kfree_skb(skb);
	return op;
}

static void st_test_complete(struct st_test_conn *conn, const struct st_op *data)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_GET,
					  FIELD_PREP(ST_F_FUNCTION, ST_FN_COMPLETE));

	op.sync = data->sync;
	op.d_id = data->s_id;
	op.s_id = data->d_id;
	st_test_send(conn, &op);
}

static struct st_fetch *st_test_fetch(struct st_test_conn *conn, u32 id)
{
	struct st_fetch *fetch;

	spin_lock_bh(&conn->st->lock);
	fetch = st_fetch_find(conn->st->mem, id);
	spin_unlock_bh(&conn->st->lock);
	return fetch;
}

static unsigned long st_test_keep(const struct st_sock *st)
{
	return (st_net_of(st)->max_retry + 2) * st_op_timeout(st) + 1;
}

/* A repeat that the FetchOp_Complete has overtaken is not executed. */
static void st_fetch_overtaken(struct kunit *test)
{
	struct st_op region, op, data;
	struct st_test_conn *conn = st_test_lent(test, ST_REGION_FETCHOP, &region);
	struct st_mem *mem = conn->st->mem;
	u64 value = 0;
	u32 i;

	op = st_test_fetchop(conn, &region, F_ID);
	st_test_send(conn, &op);
	data = st_test_value(conn, F_ID, value++);
	st_test_complete(conn, &data);
	KUNIT_EXPECT_EQ(test, mem->nr_fetches, 0);
	for (i = 0; i < 3; i++)
		st_test_send(conn, &op);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	/* A second FetchOp_Complete has no effect */
	st_test_complete(conn, &data);
	st_test_send(conn, &op);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	/* A different FetchOp with a reused F-id is executed */
	op.b_id++;
	st_test_send(conn, &op);
	data = st_test_value(conn, F_ID, value++);
	st_test_complete(conn, &data);
	/* The F-id is forgotten: no repeat can be as late as that */
	st_test_fetch(conn, F_ID)->when -= st_test_keep(conn->st);
	st_test_send(conn, &op);
	data = st_test_value(conn, F_ID, value++);
	st_test_complete(conn, &data);
	/* The last ST_FETCHES_OVER are remembered */
	for (i = 1; i <= ST_FETCHES_OVER; i++) {
		op.s_id = F_ID + i;
		st_test_send(conn, &op);
		data = st_test_value(conn, op.s_id, value++);
		st_test_complete(conn, &data);
	}
	KUNIT_EXPECT_EQ(test, mem->nr_fetches_over, ST_FETCHES_OVER);
	KUNIT_EXPECT_NULL(test, st_test_fetch(conn, F_ID));
	st_test_send(conn, &op);
	op.s_id = F_ID + 1;
	st_test_send(conn, &op);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* Queued results are limited, and charged to the socket. */
static void st_fetch_queued(struct kunit *test)
{
	struct st_op region, op;
	struct st_test_conn *conn = st_test_lent(test, ST_REGION_FETCHOP, &region);
	struct st_sock *st = conn->st;
	u64 dropped = atomic64_read(&st_net_of(st)->drops[ST_DROP_NOMEM]);
	unsigned int i, alloc = sk_wmem_alloc_get(&st->sk);

	op = st_test_fetchop(conn, &region, F_ID);
	/* As if another CPU passed them to the LLP */
	st->out.flushing = true;
	for (i = 0; i < 2 * ST_OUTQ_MAX; i++)
		st_test_send(conn, &op);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&st->out.queue), ST_OUTQ_MAX);
	KUNIT_EXPECT_EQ(test, atomic64_read(&st_net_of(st)->drops[ST_DROP_NOMEM]) - dropped,
			ST_OUTQ_MAX);
	KUNIT_EXPECT_GE(test, sk_wmem_alloc_get(&st->sk),
			alloc + ST_OUTQ_MAX * (ST_HDR_LEN + ST_FETCH_LEN));
	__skb_queue_purge(&st->out.queue);
	KUNIT_EXPECT_EQ(test, sk_wmem_alloc_get(&st->sk), alloc);
	st->out.flushing = false;
	st_test_send(conn, &op);
	st_test_value(conn, F_ID, 0);
}

/* A repeated request for one result does not keep older ones. */
static void st_fetch_aged(struct kunit *test)
{
	struct st_op region, op;
	struct st_test_conn *conn = st_test_lent(test, ST_REGION_FETCHOP, &region);
	struct st_mem *mem = conn->st->mem;
	u32 i;

	for (i = 0; i < 4; i++) {
		op = st_test_fetchop(conn, &region, F_ID + i);
		st_test_send(conn, &op);
		st_test_value(conn, F_ID + i, i);
	}
	for (i = 0; i < 4; i++)
		st_test_fetch(conn, F_ID + i)->when -= st_test_keep(conn->st);
	op = st_test_fetchop(conn, &region, F_ID);
	st_test_send(conn, &op);
	st_test_value(conn, F_ID, 0);
	op = st_test_fetchop(conn, &region, F_ID + i);
	st_test_send(conn, &op);
	st_test_value(conn, F_ID + i, i);
	KUNIT_EXPECT_EQ(test, mem->nr_fetches, 2);
	KUNIT_EXPECT_NOT_NULL(test, st_test_fetch(conn, F_ID));
}

static struct kunit_case st_fetch_cases[] = {
	KUNIT_CASE(st_fetch_overtaken),
	KUNIT_CASE(st_fetch_queued),
	KUNIT_CASE(st_fetch_aged),
	{}
};

static struct kunit_suite st_fetch_suite = {
	.name = "st_fetch",
	.test_cases = st_fetch_cases,
};

kunit_test_suite(st_fetch_suite);
