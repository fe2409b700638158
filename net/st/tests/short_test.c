// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of short records at the data Source: their lookup by a sequence identifier that the
 * peer was not told, ST 6.2.1.
 */
#include "sock/sock.h"
#include "conn.h"

#define PEER_SHORT_ID	0x5507
#define PEER_MX		0x8123
#define PEER_ID		9
#define SLOTS		100
#define LEN		5

/* A connection on which short records may be sent */
static struct st_test_conn *st_test_short_conn(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;

	spin_lock_bh(&st->lock);
	st->slots.remote = SLOTS;
	st->slots.remote_max = SLOTS;
	st->shorts.max = ST_SHORT_MAX;
	st->shorts.mx = PEER_MX;
	st->shorts.peer_id = PEER_SHORT_ID;
	spin_unlock_bh(&st->lock);
	return conn;
}

static void st_test_send(struct st_test_conn *conn)
{
	const struct st_send send = {};

	KUNIT_ASSERT_EQ(conn->test, LEN, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN));
}

/* Send a short record.  Return: its Data operation. */
static struct st_op st_test_short(struct st_test_conn *conn)
{
	struct st_op op;

	st_test_send(conn);
	op = st_test_sent(conn, ST_OP_DATA);
	KUNIT_EXPECT_EQ(conn->test, op.d_id, PEER_SHORT_ID);
	KUNIT_EXPECT_EQ(conn->test, op.b_id, PEER_MX);
	return op;
}

/* The peer has taken the record with this B_num, or with %ST_B_NUM_NONE refused it. */
static void st_test_told(struct st_test_conn *conn, const struct st_op *to, u32 b_num)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);

	op.param = SLOTS;
	op.offset = b_num;
	op.sync = to->sync;
	op.b_num = b_num;
	op.d_id = ST_SHORT_ID;
	op.s_id = PEER_SHORT_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* The peer sends an operation for a Transfer with this identifier. */
static void st_test_for(struct st_test_conn *conn, u8 code, u32 id)
{
	struct st_op op = st_test_peer_op(conn, code, 0);

	op.param = code == ST_OP_CLEAR_TO_SEND ? ilog2(256) : SLOTS;
	op.d_id = id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

static u64 st_test_logged(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

static struct st_xfer *st_test_first(struct st_sock *st)
{
	struct st_xfer *x;

	spin_lock_bh(&st->lock);
	x = st_xfer_next(st, 0);
	spin_unlock_bh(&st->lock);
	return x;
}

/* Its lookup takes no memory, and nothing is left of it. */
static void st_short_taken(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_sock *st = conn->st;
	struct st_op op;
	u32 n;

	for (n = 0; n < 3; n++) {
		op = st_test_short(conn);
		KUNIT_EXPECT_EQ(test, op.b_num, n);
		KUNIT_EXPECT_TRUE(test, xa_empty(&st->ids.xa));
		KUNIT_ASSERT_PTR_NE(test, st_test_first(st), NULL);
		KUNIT_EXPECT_EQ(test, st_test_first(st)->id, n + 1);
		st_test_told(conn, &op, n);
		KUNIT_EXPECT_EQ(test, st->info.tx_short, n + 1);
		KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
		KUNIT_EXPECT_PTR_EQ(test, st->shorts.tx, NULL);
	}
	KUNIT_EXPECT_EQ(test, st->source.queued, 0);
}

/* Records queued behind it are found, too, in the order of their identifiers. */
static void st_short_behind(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_sock *st = conn->st;
	struct st_xfer *x = NULL;
	struct st_op op;
	u32 n;

	op = st_test_short(conn);
	st_test_send(conn);
	st_test_send(conn);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	spin_lock_bh(&st->lock);
	for (n = 1; n <= 3; n++) {
		x = st_xfer_next(st, n);
		KUNIT_EXPECT_EQ(test, x ? x->id : 0, n);
	}
	x = st_xfer_next(st, n);
	spin_unlock_bh(&st->lock);
	KUNIT_EXPECT_PTR_EQ(test, x, NULL);
	for (n = 0; n < 3; n++) {
		st_test_told(conn, &op, n);
		if (n < 2)
			op = st_test_sent(conn, ST_OP_DATA);
	}
	KUNIT_EXPECT_EQ(test, st->info.tx_short, 3);
	KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
}

/* ST 10.5.2, 10.7.2: it is no Write, and the peer refers to something that was not sent. */
static void st_short_guessed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_op op = st_test_short(conn);
	struct st_sock *st = conn->st;

	st_test_for(conn, ST_OP_CLEAR_TO_SEND, 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_UNEXPECTED_OPCODE), 1);
	st_test_for(conn, ST_OP_END_ACK, 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_UNEXPECTED_OPCODE), 2);
	/* B_num and B_seq are 0 */
	st_test_for(conn, ST_OP_REQUEST_STATE_RESPONSE, 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_OUT_OF_RANGE_B_NUM), 1);
	st_test_for(conn, ST_OP_REQUEST_ANSWER, 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_D_ID), 0);
	st_test_for(conn, ST_OP_CLEAR_TO_SEND, 2);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_D_ID), 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_told(conn, &op, 0);
	KUNIT_EXPECT_EQ(test, st->info.tx_short, 1);

	/* An End is executed, ST 6.1.1.4. */
	op = st_test_short(conn);
	st_test_for(conn, ST_OP_END, 2);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_END_ACK).s_id, 2);
	KUNIT_EXPECT_EQ(test, st->source.err, -EREMOTEIO);
	KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
	KUNIT_EXPECT_PTR_EQ(test, st->shorts.tx, NULL);
}

/* ST_END by the application: it is listed until the peer has told what became of it. */
static void st_short_ended(struct kunit *test)
{
	struct st_end end = { .what = ST_END_SEND, .id = 1 };
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_op op = st_test_short(conn);
	struct st_sock *st = conn->st;

	KUNIT_EXPECT_EQ(test, st_test_ctl(conn, ST_END, &end, sizeof(end), 0), 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_ASSERT_PTR_NE(test, st_test_first(st), NULL);
	st_test_told(conn, &op, ST_B_NUM_NONE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
	KUNIT_EXPECT_TRUE(test, list_empty(&st->source.list));
}

/* A refused record becomes a Write, and is answered as one. */
static void st_short_refused(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_op op = st_test_short(conn);
	struct st_sock *st = conn->st;

	st_test_told(conn, &op, ST_B_NUM_NONE);
	op = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, op.s_id, 1);
	KUNIT_EXPECT_FALSE(test, xa_empty(&st->ids.xa));
	KUNIT_EXPECT_PTR_EQ(test, st->shorts.tx, NULL);
	st_test_for(conn, ST_OP_CLEAR_TO_SEND, 1);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_DATA).d_id, PEER_ID);
	/* B_num and B_seq are 0 */
	st_test_for(conn, ST_OP_REQUEST_STATE_RESPONSE, 1);
	KUNIT_EXPECT_EQ(test, st->info.tx_transfers, 1);
	KUNIT_EXPECT_EQ(test, st->info.tx_short, 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&st->ids.xa));
	KUNIT_EXPECT_TRUE(test, list_empty(&st->source.list));
}

/* Without memory to become a Write it waits, and can still be looked up. */
static void st_short_no_memory(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_op op = st_test_short(conn);
	struct st_sock *st = conn->st;
	struct st_xfer other = {};

	/* Its entry is occupied, which fails as a lack of memory does */
	KUNIT_ASSERT_EQ(test, 0, xa_insert_bh(&st->ids.xa, 1, &other, GFP_KERNEL));
	st_test_told(conn, &op, ST_B_NUM_NONE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	xa_erase_bh(&st->ids.xa, 1);
	KUNIT_ASSERT_PTR_NE(test, st_test_first(st), NULL);
	st_test_for(conn, ST_OP_CLEAR_TO_SEND, 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_UNEXPECTED_OPCODE), 1);
	KUNIT_EXPECT_TRUE(test, timer_pending(&st->timers.timer));
	KUNIT_EXPECT_TRUE(test, time_before_eq(st->timers.timer.expires,
					       jiffies + st_op_timeout(st)));
	st_test_time(st);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_REQUEST_TO_SEND).s_id, 1);
	KUNIT_EXPECT_FALSE(test, xa_empty(&st->ids.xa));
	KUNIT_EXPECT_PTR_EQ(test, st->shorts.tx, NULL);
}

/* Without an answer its state is asked for, ST 10.2, without more memory. */
static void st_short_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_op op = st_test_short(conn);
	struct st_sock *st = conn->st;

	spin_lock_bh(&st->lock);
	st->shorts.tx->retrans.expires = jiffies;
	spin_unlock_bh(&st->lock);
	st_test_time(st);
	op = st_test_sent(conn, ST_OP_REQUEST_STATE);
	KUNIT_EXPECT_EQ(test, op.d_id, PEER_SHORT_ID);
	KUNIT_EXPECT_EQ(test, op.s_id, ST_SHORT_ID);
	KUNIT_EXPECT_EQ(test, op.b_num, 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&st->ids.xa));
	st_test_told(conn, &op, 0);
	KUNIT_EXPECT_EQ(test, st->info.tx_short, 1);
	KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
}

/* After 2^32 others its identifier is not chosen again, ST 6.2.1. */
static void st_short_ids_wrap(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_sock *st = conn->st;
	u32 id[2];

	st_test_short(conn);
	spin_lock_bh(&st->lock);
	st->ids.next = ST_SHORT_ID - 1;
	id[0] = st_new_id(st);
	id[1] = st_new_id(st);
	spin_unlock_bh(&st->lock);
	KUNIT_EXPECT_EQ(test, id[0], ST_SHORT_ID - 1);
	KUNIT_EXPECT_EQ(test, id[1], 2);
}

/* It ends with the connection. */
static void st_short_reset(struct kunit *test)
{
	struct st_test_conn *conn = st_test_short_conn(test);
	struct st_sock *st = conn->st;
	struct st_op op;

	st_test_short(conn);
	op = st_test_peer_op(conn, ST_OP_REQUEST_DISCONNECT, 0);
	op.offset = PEER_KEY;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	st_test_sent(conn, ST_OP_DISCONNECT_ANSWER);
	KUNIT_EXPECT_TRUE(test, list_empty(&st->source.list));
	KUNIT_EXPECT_PTR_EQ(test, st_test_first(st), NULL);
	KUNIT_EXPECT_PTR_EQ(test, st->shorts.tx, NULL);
}

static struct kunit_case st_short_cases[] = {
	KUNIT_CASE(st_short_taken),
	KUNIT_CASE(st_short_behind),
	KUNIT_CASE(st_short_guessed),
	KUNIT_CASE(st_short_ended),
	KUNIT_CASE(st_short_refused),
	KUNIT_CASE(st_short_no_memory),
	KUNIT_CASE(st_short_timeout),
	KUNIT_CASE(st_short_ids_wrap),
	KUNIT_CASE(st_short_reset),
	{}
};

static struct kunit_suite st_short_suite = {
	.name = "st_short",
	.test_cases = st_short_cases,
};

kunit_test_suite(st_short_suite);
