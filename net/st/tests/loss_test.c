// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of lost STUs, over an LLP that keeps the order and over one that does not,
 * ST 10.7.4, 10.7.8: the test is the data Source.
 */
#include <linux/net.h>

#include "conn/path.h"
#include "conn/placement.h"
#include "xfer/rx.h"
#include "conn.h"

#define PEER_ID		9
#define LEN		65536
#define LOSSY_BLOCK	(LOSSY_STU + 3)
#define SHORT_RTT	(40 * USEC_PER_MSEC)

/* Announce a record.  Return: the Clear_To_Send of its first Block. */
static struct st_op st_test_first(struct st_test_conn *conn, u8 blocksize)
{
	struct st_op cts;

	st_test_peer_write(conn, PEER_ID, LEN);
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

/* The Block is cleared again, with another Memory Index. */
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

/* All of a Block arrives intact. */
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

/* If the order is kept, a gap is a loss. */
static void st_loss_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_first(conn, 16), again;

	st_test_stu(conn, &cts, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts, 2);
	again = st_test_again(conn, &cts);
	/* STUs still under way belong to the previous exposure */
	st_test_stu(conn, &cts, 3);
	st_test_stu(conn, &cts, 4);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &again, 16);
}

/* The Clear_To_Sends of all Blocks cleared at first; the first one is @cts. */
static void st_test_first_all(struct st_test_conn *conn, struct st_op *cts, unsigned int n)
{
	unsigned int i;

	st_test_peer_write(conn, PEER_ID, LEN);
	for (i = 0; i < n; i++) {
		cts[i] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
		KUNIT_EXPECT_EQ(conn->test, cts[i].b_num, i);
	}
	skb_queue_purge(&conn->sent);
}

/* The Block is complete and intact. */
static void st_test_read(struct st_test_conn *conn, u32 from, u32 len)
{
	struct kunit *test = conn->test;
	u8 *got = kunit_kzalloc(test, len, GFP_KERNEL);
	struct kvec vec = { .iov_base = got, .iov_len = len };
	struct msghdr msg = {};

	KUNIT_ASSERT_NOT_NULL(test, got);
	KUNIT_EXPECT_EQ(test, kernel_recvmsg(conn->sock, &msg, &vec, 1, len, MSG_DONTWAIT), len);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data + from, len);
}

/* The Clear_To_Send of Block @b_num of record @peer_id; nothing else may have been sent. */
static struct st_op st_test_asked(struct st_test_conn *conn, u32 peer_id, u32 b_num)
{
	struct st_op cts;

	KUNIT_ASSERT_EQ(conn->test, skb_queue_len(&conn->sent), 1);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(conn->test, cts.d_id, peer_id);
	KUNIT_EXPECT_EQ(conn->test, cts.b_num, b_num);
	return cts;
}

/* Blocks @from to @to arrive in order, in one STU each; all are full but the last. */
static void st_test_blocks(struct st_test_conn *conn, const struct st_op *cts, u32 from, u32 to)
{
	u32 n;

	for (n = from; n <= to; n++)
		st_test_peer_data(conn, &cts[n], 0, 0,
				  min_t(u32, BIT(16), T_LEN - (n << 16)), ST_F_LAST);
}

/* @n Blocks of a record of T_LEN bytes are cleared, and nothing else is sent. */
static void st_test_cleared(struct st_test_conn *conn, struct st_op *cts, unsigned int n)
{
	unsigned int i;

	st_test_peer_write(conn, PEER_ID, T_LEN);
	for (i = 0; i < n; i++)
		cts[i] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_ASSERT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	KUNIT_ASSERT_EQ(conn->test, cts[n - 1].b_num, n - 1);
}

/* Round trips were short, and nothing has arrived for two of them, but not for Op_timeout. */
static void st_test_soon(struct st_test_conn *conn)
{
	struct st_path *path = &conn->st->paths.first;

	path->stats.block.srtt = SHORT_RTT << 3;
	path->stats.block.rttvar = 0;
	conn->st->timers.rtt.srtt = SHORT_RTT << 3;
	path->progress = jiffies - usecs_to_jiffies(2 * SHORT_RTT) - 2;
	st_test_time(conn->st);
}

/* A Block is lost when three later ones have arrived. */
static void st_loss_block_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts[4], again;

	st_test_cleared(conn, cts, 4);
	st_test_blocks(conn, cts, 1, 2);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_blocks(conn, cts, 3, 3);
	again = st_test_asked(conn, PEER_ID, 0);
	st_test_peer_data(conn, &again, 0, 0, BIT(16), ST_F_LAST);
	st_test_read(conn, 0, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 1);
}

/* Blocks that one has overtaken are asked for soon, all at once, but not repeatedly. */
static void st_loss_block_soon(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts[4];

	st_test_cleared(conn, cts, 4);
	st_test_blocks(conn, cts, 0, 0);
	st_test_blocks(conn, cts, 3, 3);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_soon(conn);
	KUNIT_ASSERT_EQ(test, skb_queue_len(&conn->sent), 2);
	cts[1] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	cts[2] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_soon(conn);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_blocks(conn, cts, 1, 2);
	st_test_read(conn, 0, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 2);
}

/* Of Blocks that none has overtaken, one is asked for soon. */
static void st_loss_end_soon(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts[4], again;

	st_test_cleared(conn, cts, 4);
	st_test_blocks(conn, cts, 0, 1);
	st_test_soon(conn);
	again = st_test_asked(conn, PEER_ID, 2);
	/* It was only late */
	st_test_blocks(conn, cts, 2, 3);
	st_test_read(conn, 0, T_LEN);
	st_test_peer_data(conn, &again, 0, 0, BIT(16), ST_F_LAST);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, T_LEN);
}

/*
 * A Source with an order of its own (ST 8.2) loses nothing: late Blocks are accepted, and the
 * next time more later ones are needed to count as a loss.
 */
static void st_loss_block_late(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_placement_core *target;
	struct st_op cts[4];
	int n;

	st_test_cleared(conn, cts, 4);
	spin_lock_bh(&conn->st->lock);
	target = st_placement_new(conn->st, conn->st->dest.sink->blocks[0], 0, BIT(16));
	spin_unlock_bh(&conn->st->lock);
	KUNIT_ASSERT_NOT_NULL(test, target);
	for (n = 3; n > 0; n--)
		st_test_blocks(conn, cts, n, n);
	st_test_asked(conn, PEER_ID, 0);
	/* An LLP that has begun to write continues */
	KUNIT_EXPECT_FALSE(test, target->placement.cancelled);
	st_test_blocks(conn, cts, 0, 0);
	KUNIT_EXPECT_TRUE(test, target->placement.cancelled);
	st_placement_put(&target->placement);
	st_test_read(conn, 0, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.stats.reorder, 3);
}

/* STUs of several Blocks may be interleaved (ST A.3). */
static void st_loss_interleaved(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	const u32 half = BIT(15);
	struct st_op cts[4];
	unsigned int n;

	st_test_cleared(conn, cts, 4);
	for (n = 0; n < 4; n++)
		st_test_peer_data(conn, &cts[n], 0, 0, min_t(u32, half, T_LEN - (n << 16)),
				  n < 3 ? 0 : ST_F_LAST);
	for (n = 0; n < 3; n++)
		st_test_peer_data(conn, &cts[n], 1, half, half, ST_F_LAST);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_read(conn, 0, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);
}

/* Two records of one Block each, on these Data Channels; the first one is lost. */
static void st_test_second(struct st_test_conn *conn, u8 first, u8 second)
{
	struct st_op cts[2];
	struct st_rx *rx;

	st_test_peer_write(conn, PEER_ID, 3000);
	st_test_peer_write(conn, PEER_ID + 1, 3000);
	rx = list_first_entry(&conn->st->dest.list, struct st_rx, list);
	rx->channel = first;
	list_next_entry(rx, list)->channel = second;
	cts[0] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	cts[1] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_ASSERT_EQ(conn->test, cts[1].d_id, PEER_ID + 1);
	skb_queue_purge(&conn->sent);
	st_test_peer_data(conn, &cts[1], 0, 0, 3000, ST_F_LAST);
}

/* The end of a record is overdue when the next record has arrived. */
static void st_loss_record_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_second(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, 1, list_first_entry(&conn->st->dest.sink->exposed, struct st_block,
						  list)->later);
}

/* There is no order between Data Channels. */
static void st_loss_other_channel(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_second(conn, 1, 2);
	KUNIT_EXPECT_EQ(test, 0, list_first_entry(&conn->st->dest.sink->exposed, struct st_block,
						  list)->later);
}

/* Without order Blocks are short, and three later STUs reveal a loss. */
static void st_loss_out_of_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, LOSSY_BLOCK), again;
	u16 n;

	st_test_stu(conn, &cts, 0);
	st_test_stu(conn, &cts, 2);
	st_test_stu(conn, &cts, 3);
	/* A duplicate reveals nothing */
	st_test_stu(conn, &cts, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts, 4);
	again = st_test_again(conn, &cts);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 1);
	/* It is sent again from the beginning; only the missing STUs are used */
	st_test_stu(conn, &again, 0);
	st_test_stu(conn, &again, 1);
	for (n = 5; n < 7; n++)
		st_test_stu(conn, &again, n);
	st_test_peer_data(conn, &again, 7, 7 * STU, STU, ST_F_LAST);
	st_test_read(conn, 0, BIT(LOSSY_BLOCK));
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, BIT(LOSSY_BLOCK));
}

/* The end of a Block is lost when three STUs of later Blocks have arrived. */
static void st_loss_of_end(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts[3], again;
	u16 n;

	st_test_first_all(conn, cts, 3);
	for (n = 0; n < 7; n++)
		st_test_stu(conn, &cts[0], n);
	st_test_stu(conn, &cts[1], 0);
	st_test_stu(conn, &cts[1], 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts[2], 0);
	again = st_test_again(conn, &cts[0]);
	/* The third Block has overtaken the second, too: two more STUs are enough for that */
	st_test_stu(conn, &cts[2], 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts[2], 2);
	st_test_again(conn, &cts[1]);
	st_test_peer_data(conn, &again, 7, 7 * STU, STU, ST_F_LAST);
	st_test_read(conn, 0, BIT(LOSSY_BLOCK));
}

/* Two swapped STUs do not count as a loss. */
static void st_loss_overtaken_once(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, LOSSY_BLOCK);
	u16 n;

	st_test_stu(conn, &cts, 1);
	st_test_stu(conn, &cts, 0);
	for (n = 2; n < 7; n++)
		st_test_stu(conn, &cts, n);
	st_test_peer_data(conn, &cts, 7, 7 * STU, STU, ST_F_LAST);
	st_test_read(conn, 0, BIT(LOSSY_BLOCK));
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.stats.reorder, 0);
}

/*
 * An STU that is later than that is asked for in vain, once: it is accepted, and the next time
 * more later STUs are needed to count as a loss.
 */
static void st_loss_late(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts[2];
	u16 n;

	st_test_first_all(conn, cts, 2);
	for (n = 1; n < 7; n++)
		st_test_stu(conn, &cts[0], n);
	st_test_again(conn, &cts[0]);
	st_test_peer_data(conn, &cts[0], 7, 7 * STU, STU, ST_F_LAST);
	st_test_stu(conn, &cts[0], 0);
	st_test_read(conn, 0, BIT(LOSSY_BLOCK));
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.stats.reorder, 3);
	skb_queue_purge(&conn->sent);

	for (n = 1; n < 6; n++)
		st_test_stu(conn, &cts[1], n);
	st_test_stu(conn, &cts[1], 0);
	st_test_stu(conn, &cts[1], 6);
	st_test_peer_data(conn, &cts[1], 7, 7 * STU, STU, ST_F_LAST);
	st_test_read(conn, BIT(LOSSY_BLOCK), BIT(LOSSY_BLOCK));
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 1);
}

/* A Source that sends one Block after all others still gets its Transfer through. */
static void st_loss_order_of_its_own(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op op, cts;
	const unsigned int blocks = T_LEN >> LOSSY_BLOCK;
	unsigned int others = 0, cleared = 0;
	struct sk_buff *skb;
	u16 n;

	KUNIT_ASSERT_GT(test, blocks, ST_BLOCKS_XFER);
	st_test_peer_write(conn, PEER_ID, blocks << LOSSY_BLOCK);
	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		KUNIT_ASSERT_EQ(test, op.op, ST_OP_CLEAR_TO_SEND);
		if (!op.b_num) {
			cts = op;
			cleared++;
			continue;
		}
		for (n = 0; n < 7; n++)
			st_test_stu(conn, &op, n);
		st_test_peer_data(conn, &op, 7, 7 * STU, STU, ST_F_LAST);
		others++;
	}
	/* Later Blocks do not wait for it */
	KUNIT_EXPECT_EQ(test, others, blocks - 1);
	KUNIT_ASSERT_GT(test, cleared, 1 + 3);
	for (n = 0; n < 7; n++)
		st_test_stu(conn, &cts, n);
	st_test_peer_data(conn, &cts, 7, 7 * STU, STU, ST_F_LAST);
	st_test_read(conn, 0, blocks << LOSSY_BLOCK);
}

/* ST 10.6.5: an STU longer than Max_STU is logged and discarded. */
static void st_loss_too_long(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_first(conn, LOSSY_BLOCK);
	const atomic64_t *errors = conn->st->bind.port->errors;

	KUNIT_ASSERT_EQ(test, conn->st->vc.local_max_stu, LOSSY_STU);
	st_test_peer_data(conn, &cts, 0, 0, STU + 1, 0);
	KUNIT_EXPECT_EQ(test, 1, atomic64_read(&errors[ST_ERR_ILLEGAL_STU_SIZE]));
	KUNIT_EXPECT_EQ(test, 0, conn->st->info.rx_bytes);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_whole(conn, &cts, LOSSY_BLOCK);
	KUNIT_EXPECT_EQ(test, 1, atomic64_read(&errors[ST_ERR_ILLEGAL_STU_SIZE]));
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&errors[ST_ERR_OUT_OF_ORDER_STU]));
}

static struct kunit_case st_loss_cases[] = {
	KUNIT_CASE(st_loss_in_order),
	KUNIT_CASE(st_loss_block_in_order),
	KUNIT_CASE(st_loss_block_soon),
	KUNIT_CASE(st_loss_end_soon),
	KUNIT_CASE(st_loss_block_late),
	KUNIT_CASE(st_loss_interleaved),
	KUNIT_CASE(st_loss_record_in_order),
	KUNIT_CASE(st_loss_other_channel),
	KUNIT_CASE(st_loss_out_of_order),
	KUNIT_CASE(st_loss_of_end),
	KUNIT_CASE(st_loss_overtaken_once),
	KUNIT_CASE(st_loss_late),
	KUNIT_CASE(st_loss_order_of_its_own),
	KUNIT_CASE(st_loss_too_long),
	{}
};

static struct kunit_suite st_loss_suite = {
	.name = "st_loss",
	.test_cases = st_loss_cases,
};

kunit_test_suite(st_loss_suite);
