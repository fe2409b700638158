// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Data that the data Source sends again, to get its answer (ST table 9), and of
 * segments (ST 8.3.2) whose operations were sent in two exposures of a Block.
 */
#include <linux/net.h>

#include "conn/conn.h"
#include "conn.h"

#define PEER_ID		9
#define STUS		6
#define LEN		(STUS * STU)
#define SYNC		0xabcd0000U
#define SEGMENT		3	/* STUs that one Cksum covers */

/* Announce a record of one Block.  Return: its Clear_To_Send. */
static struct st_op st_test_block(struct st_test_conn *conn)
{
	struct st_op cts;

	st_test_peer_write(conn, PEER_ID, LEN);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	skb_queue_purge(&conn->sent);
	return cts;
}

/* STU @n; with @csum it is added to that, and with @end it carries the Cksum */
static struct sk_buff *st_test_stu_skb(struct st_test_conn *conn, const struct st_op *cts, u16 n,
				       u16 flags, struct st_csum *csum, bool end)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | flags);
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + STU, GFP_KERNEL);
	struct st_hdr *hdr;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	op.param = n;
	op.b_id = cts->b_id;
	op.bufx = cts->bufx;
	op.offset = cts->offset + n * STU;
	op.sync = SYNC + n;
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	if (n == STUS - 1)
		op.flags |= ST_F_LAST;
	hdr = skb_put(skb, ST_HDR_LEN);
	st_op_pack(&op, hdr);
	skb_put_data(skb, conn->data + n * STU, STU);
	if (csum) {
		st_csum_hdr(csum, hdr);
		st_csum_add(csum, csum_partial(conn->data + n * STU, STU, 0), STU);
	}
	if (end) {
		hdr->cksum = st_csum_finish(csum);
		st_csum_init(csum);
	}
	return skb;
}

static void st_test_stu(struct st_test_conn *conn, const struct st_op *cts, u16 n, u16 flags)
{
	st_test_rcv(conn, st_test_stu_skb(conn, cts, n, flags, NULL, false));
}

static void st_test_stu_summed(struct st_test_conn *conn, const struct st_op *cts, u16 n,
			       struct st_csum *csum, bool end)
{
	st_test_rcv(conn, st_test_stu_skb(conn, cts, n, 0, csum, end));
}

/* All of a Block, in segments of several STUs, except STU @but. */
static void st_test_segments(struct st_test_conn *conn, const struct st_op *cts, int but)
{
	struct st_csum csum = {};
	struct sk_buff *skb;
	int n;

	for (n = 0; n < STUS; n++) {
		skb = st_test_stu_skb(conn, cts, n, 0, &csum, n % SEGMENT == SEGMENT - 1);
		if (n == but)
			kfree_skb(skb);
		else
			st_test_rcv(conn, skb);
	}
}

static void st_test_answered(struct st_test_conn *conn, const struct st_op *cts, u16 n, u32 b_seq,
			     u32 b_num)
{
	struct st_op op = st_test_sent(conn, ST_OP_REQUEST_STATE_RESPONSE);

	KUNIT_EXPECT_EQ(conn->test, op.sync, SYNC + n);
	KUNIT_EXPECT_EQ(conn->test, op.offset, b_seq);
	KUNIT_EXPECT_EQ(conn->test, op.b_num, b_num);
	KUNIT_EXPECT_EQ(conn->test, op.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(conn->test, op.s_id, cts->s_id);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
}

static u64 st_test_logged(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

/* The record can be read and is intact. */
static void st_test_whole(struct st_test_conn *conn)
{
	u8 *got = kunit_kzalloc(conn->test, LEN, GFP_KERNEL);
	struct kvec vec = { .iov_base = got, .iov_len = LEN };
	struct msghdr msg = {};

	KUNIT_ASSERT_NOT_NULL(conn->test, got);
	KUNIT_EXPECT_EQ(conn->test, LEN, kernel_recvmsg(conn->sock, &msg, &vec, 1, LEN,
							MSG_DONTWAIT));
	KUNIT_EXPECT_MEMEQ(conn->test, got, conn->data, LEN);
}

/* The last STU of a complete Block is repeated, while its Transfer is known and after */
static void st_again_last(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_block(conn), other = cts;
	int i;
	u16 n;

	for (n = 0; n < STUS; n++)
		st_test_stu(conn, &cts, n, n == STUS - 1 ? ST_F_SEND_STATE : 0);
	st_test_answered(conn, &cts, STUS - 1, 0, 0);
	for (i = 1; i < 3; i++) {
		st_test_stu(conn, &cts, STUS - 1, ST_F_SEND_STATE);
		st_test_answered(conn, &cts, STUS - 1, 0, 0);
		KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_MX), i);
	}
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, LEN);
	st_test_whole(conn);
	st_test_stu(conn, &cts, STUS - 1, ST_F_SEND_STATE);
	st_test_answered(conn, &cts, STUS - 1, 0, 0);
	/* No answer without Send_State, or for a Block or Transfer that has not arrived */
	st_test_stu(conn, &cts, STUS - 1, 0);
	other.b_num = 1;
	st_test_stu(conn, &other, STUS - 1, ST_F_SEND_STATE);
	other = cts;
	other.s_id++;
	st_test_stu(conn, &other, STUS - 1, ST_F_SEND_STATE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* An STU in the middle of a Block is repeated */
static void st_again_amid(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_block(conn);
	u16 n;

	for (n = 0; n < 2; n++) {
		st_test_stu(conn, &cts, 0, ST_F_SEND_STATE);
		st_test_answered(conn, &cts, 0, ST_B_NUM_NONE, ST_B_NUM_NONE);
	}
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, STU);
	for (n = 1; n < STUS; n++)
		st_test_stu(conn, &cts, n, 0);
	st_test_whole(conn);
}

/* The last STU arrives early, then again with Send_State, while another one is lost. */
static void st_again_early(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn);

	conn->st->paths.first.stats.reorder = STUS;
	st_test_stu(conn, &cts, 0, 0);
	st_test_stu(conn, &cts, 2, 0);
	st_test_stu(conn, &cts, 3, 0);
	st_test_stu(conn, &cts, 4, 0);
	st_test_stu(conn, &cts, 5, 0);
	st_test_stu(conn, &cts, 5, ST_F_SEND_STATE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &cts, 1, 0);
	st_test_answered(conn, &cts, 5, 0, 0);
	st_test_whole(conn);
}

/* The same when the Block was asked for again, with another Memory Index */
static void st_again_exposed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn), again;
	u16 n;

	for (n = 0; n < STUS; n++)
		if (n != 1)
			st_test_stu(conn, &cts, n, 0);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_NE(test, again.b_id, cts.b_id);
	st_test_stu(conn, &again, 5, ST_F_SEND_STATE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stu(conn, &again, 1, 0);
	st_test_answered(conn, &cts, 5, 0, 0);
	st_test_whole(conn);
}

/*
 * One operation of a segment is lost.  The headers of the others have an older Memory Index, so
 * the checksum does not match when the lost one arrives with the new one.
 */
static void st_again_segment(struct kunit *test)
{
	struct st_op cts, again;
	int lost;

	for (lost = 0; lost < STUS - 1; lost++) {
		struct st_test_conn *conn = st_test_lossy_conn(test);

		conn->st->vc.peer_checksum = true;
		cts = st_test_block(conn);
		st_test_segments(conn, &cts, lost);
		if (STUS - 1 - lost < 3) {
			/* Too few STUs follow to reveal the loss */
			conn->st->paths.first.progress -= 100 * st_op_timeout(conn->st);
			st_test_time(conn->st);
		}
		again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
		KUNIT_EXPECT_NE(test, again.b_id, cts.b_id);
		st_test_segments(conn, &again, -1);
		KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_CKSUM), 0);
		KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 1);
		st_test_whole(conn);
	}
}

/* Complete segments stay, and a late one of the first exposure is accepted. */
static void st_again_segment_kept(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_csum csum = {};
	struct st_op cts, again;
	u16 n;

	conn->st->vc.peer_checksum = true;
	cts = st_test_block(conn);
	for (n = 0; n < SEGMENT; n++)
		st_test_stu_summed(conn, &cts, n, &csum, n == SEGMENT - 1);
	conn->st->paths.first.progress -= 100 * st_op_timeout(conn->st);
	st_test_time(conn->st);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	/* One segment alone, then the rest as one segment */
	st_test_stu_summed(conn, &cts, SEGMENT, &csum, true);
	for (n = SEGMENT + 1; n < STUS; n++)
		st_test_stu_summed(conn, &again, n, &csum, n == STUS - 1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_CKSUM), 0);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, LEN);
	st_test_whole(conn);
}

/* A bad checksum is counted, even that of a late segment. */
static void st_again_damaged(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_csum csum = { .sum = (__force __wsum)1 };
	struct st_op cts, again;

	conn->st->vc.peer_checksum = true;
	cts = st_test_block(conn);
	conn->st->paths.first.progress -= 100 * st_op_timeout(conn->st);
	st_test_time(conn->st);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_stu_summed(conn, &cts, 0, &csum, true);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_CKSUM), 1);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_segments(conn, &again, -1);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_CKSUM), 1);
	st_test_whole(conn);
}

static struct kunit_case st_again_cases[] = {
	KUNIT_CASE(st_again_last),
	KUNIT_CASE(st_again_amid),
	KUNIT_CASE(st_again_early),
	KUNIT_CASE(st_again_exposed),
	KUNIT_CASE(st_again_segment),
	KUNIT_CASE(st_again_segment_kept),
	KUNIT_CASE(st_again_damaged),
	{}
};

static struct kunit_suite st_again_suite = {
	.name = "st_again",
	.init = st_test_keep_params,
	.exit = st_test_restore_params,
	.test_cases = st_again_cases,
};

kunit_test_suite(st_again_suite);
