// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the schedule of Clear_To_Sends over the Virtual Connections of a link: the test
 * acts as their peers, which send or stay silent.
 */
#include "link/link.h"
#include "st_sock.h"
#include "xfer/rx_block.h"
#include "conn.h"

#define BLOCK		8192
#define LEN		(24 * BLOCK)
#define CONNS		4
#define AT_FIRST	4	/* Blocks of each connection, window of 32 KiB */
#define IN_ALL		8	/* Blocks of all connections, 64 KiB */

/* Connections over one link; the record of connection n has the id n + 1. */
struct st_test_pace {
	struct st_test_conn	*conn[CONNS];
	struct st_op		next[CONNS];	/* Clear_To_Send of its oldest Block */
	unsigned int		cleared[CONNS];	/* Blocks of each connection */
};

static struct st_test_pace *st_test_pace(struct kunit *test)
{
	struct st_test_pace *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->conn[0] = st_test_lossy_conn(test);
	for (i = 1; i < CONNS; i++)
		t->conn[i] = st_test_conn_beside(t->conn[0]);
	return t;
}

/* Count the cleared Blocks, including those of connections whose turn has come. */
static void st_test_count(struct st_test_pace *t)
{
	struct sk_buff *skb;
	struct st_op op;
	unsigned int i;

	for (i = 0; i < CONNS; i++)
		flush_work(&t->conn[i]->st->out.work);
	while ((skb = skb_dequeue(&t->conn[0]->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		if (op.op != ST_OP_CLEAR_TO_SEND)
			continue;
		KUNIT_ASSERT_TRUE(t->conn[0]->test, op.d_id && op.d_id <= CONNS);
		if (!t->cleared[op.d_id - 1]++)
			t->next[op.d_id - 1] = op;
	}
}

static void st_test_announce(struct st_test_pace *t, unsigned int n)
{
	st_test_peer_write(t->conn[n], n + 1, LEN);
	st_test_count(t);
}

/* All of the first Block of a connection arrives. */
static void st_test_arrives(struct st_test_pace *t, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		st_test_peer_data(t->conn[n], &t->next[n], i, i * BLOCK / 8, BLOCK / 8,
				  i == 7 ? ST_F_LAST : 0);
	st_test_count(t);
}

static u64 st_test_on_path(const struct st_test_pace *t)
{
	return st_link_core(t->conn[0]->link)->pace->cleared;
}

/* Round robin: a connection that got a Block waits until the others got theirs. */
static void st_pace_round(struct kunit *test)
{
	struct st_test_pace *t = st_test_pace(test);

	st_test_announce(t, 0);
	st_test_announce(t, 1);
	KUNIT_EXPECT_EQ(test, t->cleared[0], AT_FIRST);
	KUNIT_EXPECT_EQ(test, t->cleared[1], AT_FIRST);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), IN_ALL * BLOCK);
	st_test_announce(t, 2);
	st_test_announce(t, 3);
	KUNIT_EXPECT_EQ(test, t->cleared[2], 0);
	KUNIT_EXPECT_EQ(test, t->cleared[3], 0);

	st_test_arrives(t, 0);
	KUNIT_EXPECT_EQ(test, t->cleared[2], 1);
	KUNIT_EXPECT_EQ(test, t->cleared[3], 0);
	KUNIT_EXPECT_EQ(test, t->cleared[0], AT_FIRST);
	st_test_arrives(t, 1);
	KUNIT_EXPECT_EQ(test, t->cleared[3], 1);
	KUNIT_EXPECT_EQ(test, t->cleared[1], AT_FIRST);
	/* Connection 0 has asked again before 2 did */
	st_test_arrives(t, 2);
	KUNIT_EXPECT_EQ(test, t->cleared[0], AT_FIRST + 1);
	KUNIT_EXPECT_EQ(test, t->cleared[2], 1);
	st_test_arrives(t, 3);
	KUNIT_EXPECT_EQ(test, t->cleared[2], 2);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), IN_ALL * BLOCK);
}

/* The link needs more: all connections can clear. */
static void st_pace_needs(struct kunit *test)
{
	struct st_test_pace *t = st_test_pace(test);

	st_link_core(t->conn[0]->link)->pace->flow.need = CONNS * AT_FIRST * BLOCK / 2;
	st_test_announce(t, 0);
	st_test_announce(t, 1);
	st_test_announce(t, 2);
	st_test_announce(t, 3);
	KUNIT_EXPECT_EQ(test, t->cleared[2], AT_FIRST);
	KUNIT_EXPECT_EQ(test, t->cleared[3], AT_FIRST);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), CONNS * AT_FIRST * BLOCK);
}

/* A silent peer holds up nobody for long, and does not get more. */
static void st_pace_silent(struct kunit *test)
{
	struct st_test_pace *t = st_test_pace(test);
	unsigned int i;

	st_test_announce(t, 0);
	st_test_announce(t, 1);
	st_test_announce(t, 2);
	KUNIT_EXPECT_EQ(test, t->cleared[2], 0);
	for (i = 0; i < 2; i++)
		t->conn[i]->st->paths.first.paced.heard -= HZ;
	spin_lock_bh(&t->conn[2]->st->lock);
	st_rx_clear_all(t->conn[2]->st);
	st_unlock(t->conn[2]->st);
	st_test_count(t);
	KUNIT_EXPECT_EQ(test, t->cleared[2], AT_FIRST);
	KUNIT_EXPECT_EQ(test, t->cleared[0], AT_FIRST);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), AT_FIRST * BLOCK);
	/* A late Block is not counted twice */
	st_test_arrives(t, 0);
	KUNIT_EXPECT_EQ(test, t->cleared[0], AT_FIRST + 1);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), (AT_FIRST + 1) * BLOCK);
}

/* Transfers and connections that end early return what they hold. */
static void st_pace_given_back(struct kunit *test)
{
	struct st_test_pace *t = st_test_pace(test);
	struct st_op op;

	st_test_announce(t, 0);
	st_test_announce(t, 1);
	st_test_announce(t, 2);
	st_test_announce(t, 3);
	op = st_test_peer_op(t->conn[0], ST_OP_END, 0);
	op.d_id = t->next[0].s_id;
	op.s_id = 1;
	st_test_rcv(t->conn[0], st_test_op_skb(t->conn[0], &op));
	st_test_count(t);
	KUNIT_EXPECT_EQ(test, t->cleared[2] + t->cleared[3], AT_FIRST);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), IN_ALL * BLOCK);

	op = st_test_peer_op(t->conn[1], ST_OP_REQUEST_DISCONNECT, 0);
	op.offset = PEER_KEY;
	st_test_rcv(t->conn[1], st_test_op_skb(t->conn[1], &op));
	st_test_count(t);
	KUNIT_EXPECT_EQ(test, t->cleared[2], AT_FIRST);
	KUNIT_EXPECT_EQ(test, t->cleared[3], AT_FIRST);
	KUNIT_EXPECT_EQ(test, st_test_on_path(t), IN_ALL * BLOCK);
}

/* An LLP with credits has no such limit. */
static void st_pace_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	KUNIT_EXPECT_NULL(test, st_link_core(conn->link)->pace);
}

static struct kunit_case st_pace_cases[] = {
	KUNIT_CASE(st_pace_round),
	KUNIT_CASE(st_pace_needs),
	KUNIT_CASE(st_pace_silent),
	KUNIT_CASE(st_pace_given_back),
	KUNIT_CASE(st_pace_in_order),
	{}
};

static struct kunit_suite st_pace_suite = {
	.name = "st_pace",
	.test_cases = st_pace_cases,
};

kunit_test_suite(st_pace_suite);
