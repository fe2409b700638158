// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of STUs that are lost, over an LLP that keeps the order and over one
 * that does not, ST 10.7.4, 10.7.8: the test is the data Source.
 */
#include <linux/net.h>

#include "conn.h"

#define PEER_ID		9
#define LEN		65536
#define STU		BIT(LOSSY_STU)

/* The peer announces a record; the first Block that is cleared for it. */
static struct st_op st_test_first(struct st_test_conn *conn, u8 blocksize)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL), cts;

	op.b_id = 20;
	op.s_id = PEER_ID;
	st_op_set_t_len(&op, LEN);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(conn->test, cts.param, blocksize);
	KUNIT_EXPECT_EQ(conn->test, cts.b_num, 0);
	skb_queue_purge(&conn->sent);
	return cts;
}

/* STU @n of a Block, each of them STU bytes long */
static void st_test_stu(struct st_test_conn *conn, const struct st_op *cts, u16 n)
{
	st_test_peer_data(conn, cts, n, n * STU, STU, 0);
}

/* The Block is cleared once more, under another Memory Index. */
static struct st_op st_test_again(struct st_test_conn *conn, const struct st_op *before)
{
	struct kunit *test = conn->test;
	struct st_op cts;

	KUNIT_ASSERT_EQ(test, skb_queue_len(&conn->sent), 1);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(test, cts.b_num, before->b_num);
	KUNIT_EXPECT_EQ(test, cts.offset, before->offset);
	KUNIT_EXPECT_NE(test, cts.b_id, before->b_id);
	return cts;
}

/* All of a Block arrives, and not a byte of it is wrong. */
static void st_test_whole(struct st_test_conn *conn, const struct st_op *cts, u8 blocksize)
{
	struct kunit *test = conn->test;
	u32 len = BIT(blocksize);
	u8 *got = kunit_kzalloc(test, len, GFP_KERNEL);
	struct kvec vec = { .iov_base = got, .iov_len = len };
	struct msghdr msg = {};
	u16 n;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (n = 0; n < len / STU - 1; n++)
		st_test_stu(conn, cts, n);
	st_test_peer_data(conn, cts, n, n * STU, STU, ST_F_LAST);
	KUNIT_EXPECT_EQ(test, kernel_recvmsg(conn->sock, &msg, &vec, 1, len, MSG_DONTWAIT), len);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data, len);
}

/* Where the order is kept, a gap is a loss. */
static void st_loss_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_first(conn, 16), again;

	st_test_stu(conn, &cts, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts, 2);
	again = st_test_again(conn, &cts);
	/* What is still on its way is of the exposure before */
	st_test_stu(conn, &cts, 3);
	st_test_stu(conn, &cts, 4);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &again, 16);
}

/* Where it is not, Blocks are short, and three STUs that are later tell a loss. */
static void st_loss_out_of_order(struct kunit *test)
{
	const u8 blocksize = LOSSY_STU + 3;
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, blocksize), again;

	st_test_stu(conn, &cts, 0);
	st_test_stu(conn, &cts, 2);
	st_test_stu(conn, &cts, 3);
	/* One that was there already tells nothing */
	st_test_stu(conn, &cts, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts, 4);
	again = st_test_again(conn, &cts);
	/* They are counted anew */
	st_test_stu(conn, &again, 1);
	st_test_stu(conn, &again, 2);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &again, blocksize);
}

/* Two that change places are not worth a repeat. */
static void st_loss_overtaken(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, LOSSY_STU + 3);

	st_test_stu(conn, &cts, 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &cts, LOSSY_STU + 3);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);
}

/* ST 10.6.5: longer than Max_STU; it is logged and as if it had not come. */
static void st_loss_too_long(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, LOSSY_STU + 3);
	const atomic64_t *errors = conn->st->port->errors;

	KUNIT_ASSERT_EQ(test, conn->st->local_max_stu, LOSSY_STU);
	st_test_peer_data(conn, &cts, 0, 0, STU + 1, 0);
	KUNIT_EXPECT_EQ(test, 1, atomic64_read(&errors[ST_ERR_ILLEGAL_STU_SIZE]));
	KUNIT_EXPECT_EQ(test, 0, conn->st->info.rx_bytes);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &cts, LOSSY_STU + 3);
	KUNIT_EXPECT_EQ(test, 1, atomic64_read(&errors[ST_ERR_ILLEGAL_STU_SIZE]));
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&errors[ST_ERR_OUT_OF_ORDER_STU]));
}

static struct kunit_case st_loss_cases[] = {
	KUNIT_CASE(st_loss_in_order),
	KUNIT_CASE(st_loss_out_of_order),
	KUNIT_CASE(st_loss_overtaken),
	KUNIT_CASE(st_loss_too_long),
	{}
};

static struct kunit_suite st_loss_suite = {
	.name = "st_loss",
	.test_cases = st_loss_cases,
};

kunit_test_suite(st_loss_suite);
