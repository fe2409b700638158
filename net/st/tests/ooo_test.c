// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of STUs that arrive before missing ones, ST 10.7.4, over an LLP that does not keep
 * the order: the test is the data Source.
 */
#include <linux/net.h>

#include "conn/conn.h"
#include "conn.h"

#define PEER_ID		9
#define STUS		8
#define LEN		(STUS * STU)

/* Announce a record of one Block of LEN bytes.  Return: its Clear_To_Send. */
static struct st_op st_test_block(struct st_test_conn *conn)
{
	struct st_op cts;

	st_test_peer_write(conn, PEER_ID, LEN);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(conn->test, BIT(cts.param), LEN);
	skb_queue_purge(&conn->sent);
	return cts;
}

static void st_test_stu(struct st_test_conn *conn, const struct st_op *cts, u16 n)
{
	st_test_peer_data(conn, cts, n, n * STU, STU, n == STUS - 1 ? ST_F_LAST : 0);
}

static int st_test_recv(struct st_test_conn *conn, u8 *got)
{
	struct kvec vec = { .iov_base = got, .iov_len = LEN };
	struct msghdr msg = {};

	return kernel_recvmsg(conn->sock, &msg, &vec, 1, LEN, MSG_DONTWAIT);
}

/* The record can be read and is intact, and nothing is kept of it. */
static void st_test_whole(struct st_test_conn *conn)
{
	u8 *got = kunit_kzalloc(conn->test, LEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(conn->test, got);
	KUNIT_EXPECT_EQ(conn->test, st_test_recv(conn, got), LEN);
	KUNIT_EXPECT_MEMEQ(conn->test, got, conn->data, LEN);
	KUNIT_EXPECT_EQ(conn->test, conn->st->dest.mem, 0);
	KUNIT_EXPECT_EQ(conn->test, conn->st->dest.kept, sizeof(struct st_sink));
	KUNIT_EXPECT_EQ(conn->test, atomic64_read(&conn->st->vc.host->mem),
			conn->st->dest.kept_charged);
}

static void st_test_not_yet(struct st_test_conn *conn)
{
	u8 got;

	KUNIT_EXPECT_EQ(conn->test, st_test_recv(conn, &got), -EAGAIN);
}

/* From the last to the first */
static void st_ooo_backwards(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn);
	int n;

	conn->st->paths.first.stats.reorder = STUS;	/* all of them are late, none is lost */
	for (n = STUS - 1; n > 0; n--)
		st_test_stu(conn, &cts, n);
	st_test_not_yet(conn);
	st_test_stu(conn, &cts, 0);
	st_test_whole(conn);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, LEN);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, 0);
}

/* An STU in place is not written again, not even by a duplicate. */
static void st_ooo_doubled(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn);
	static const u16 order[] = { 0, 2, 1, 7, 5, 6, 4 };
	u8 *data = conn->data, *wrong;
	unsigned int i;

	wrong = kunit_kmalloc(test, T_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wrong);
	memset(wrong, 0x5a, T_LEN);
	conn->st->paths.first.stats.reorder = STUS;
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		st_test_stu(conn, &cts, order[i]);
		conn->data = wrong;
		st_test_stu(conn, &cts, order[i]);
		conn->data = data;
	}
	st_test_stu(conn, &cts, 3);
	st_test_whole(conn);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, LEN);
	KUNIT_EXPECT_EQ(test, atomic64_read(&conn->st->bind.port->errors[ST_ERR_OUT_OF_ORDER_STU]),
			ARRAY_SIZE(order));
}

/* STUs outside the Block, or too far ahead, are discarded. */
static void st_ooo_out_of_range(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	const atomic64_t *errors = conn->st->bind.port->errors;
	struct st_op cts = st_test_block(conn);
	u32 len, kept;
	u16 n;

	st_test_peer_data(conn, &cts, 1, LEN - 1, 2, 0);
	st_test_peer_data(conn, &cts, 1, LEN, 1, 0);
	st_test_peer_data(conn, &cts, 1, BIT(ST_BUFSIZE) - STU, STU, 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&errors[ST_ERR_OUT_OF_RANGE_BUFX]), 3);
	st_test_peer_data(conn, &cts, ST_OOO, STU, STU, 0);
	st_test_peer_data(conn, &cts, U16_MAX, STU, STU, 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&errors[ST_ERR_OUT_OF_ORDER_STU]), 2);
	KUNIT_EXPECT_EQ(test, conn->st->dest.mem, LEN);
	kept = conn->st->dest.kept;

	/* The last number that is accepted, in a Block of short STUs */
	conn->st->paths.first.stats.reorder = ST_OOO;
	len = LEN / ST_OOO;
	for (n = ST_OOO - 1; n; n--)
		st_test_peer_data(conn, &cts, n, n * len, len, n == ST_OOO - 1 ? ST_F_LAST : 0);
	KUNIT_EXPECT_EQ(test, conn->st->dest.mem, LEN);
	KUNIT_EXPECT_EQ(test, conn->st->dest.kept, kept + ST_OOO * sizeof(struct st_stu));
	st_test_peer_data(conn, &cts, 0, 0, len, 0);
	st_test_whole(conn);
	KUNIT_EXPECT_EQ(test, atomic64_read(&errors[ST_ERR_OUT_OF_ORDER_STU]), 2);
}

/* STUs that leave a hole between them make the whole Block be asked for again. */
static void st_ooo_hole(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn), again;
	u16 n;

	/* Bytes that overlap make up for some that never arrived */
	st_test_peer_data(conn, &cts, 1, LEN - STU, STU, ST_F_LAST);
	st_test_peer_data(conn, &cts, 0, 0, STU, 0);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_NE(test, again.b_id, cts.b_id);
	st_test_not_yet(conn);
	/* No STU of the old exposure is accepted any more */
	for (n = 0; n < STUS; n++)
		st_test_stu(conn, &cts, n);
	st_test_not_yet(conn);
	for (n = 0; n < STUS; n++)
		st_test_stu(conn, &again, n);
	st_test_whole(conn);
}

/* The Block is sent again, in longer or shorter STUs. */
static void st_ooo_recut(struct kunit *test, u32 before, u32 after)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn), again;
	u32 n;

	/* All but the third STU */
	for (n = 0; n < LEN / before; n++)
		if (n != 2)
			st_test_peer_data(conn, &cts, n, n * before, before,
					  n == LEN / before - 1 ? ST_F_LAST : 0);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	for (n = 0; n < LEN / after; n++)
		st_test_peer_data(conn, &again, n, n * after, after,
				  n == LEN / after - 1 ? ST_F_LAST : 0);
	st_test_not_yet(conn);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	for (n = 0; n < LEN / after; n++)
		st_test_peer_data(conn, &again, n, n * after, after,
				  n == LEN / after - 1 ? ST_F_LAST : 0);
	st_test_whole(conn);
}

static void st_ooo_recut_shorter(struct kunit *test)
{
	st_ooo_recut(test, STU, STU / 2);
}

static void st_ooo_recut_longer(struct kunit *test)
{
	st_ooo_recut(test, STU / 2, STU);
}

/* As st_test_stu(); one checksum covers STUs 0 to 3, and another one the rest. */
static void st_test_summed(struct st_test_conn *conn, const struct st_op *cts, u16 n,
			   struct st_csum *csum, bool damaged)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL |
					  (n == STUS - 1 ? ST_F_LAST : 0));
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + STU, GFP_KERNEL);
	struct st_hdr *hdr;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	op.param = n;
	op.b_id = cts->b_id;
	op.offset = cts->offset + n * STU;
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	hdr = skb_put(skb, ST_HDR_LEN);
	st_op_pack(&op, hdr);
	skb_put_data(skb, conn->data + op.offset, STU);
	if (!(n % 4))
		st_csum_init(csum);
	st_csum_hdr(csum, hdr);
	st_csum_add(csum, csum_partial(conn->data + op.offset, STU, 0), STU);
	if (n % 4 == 3)
		hdr->cksum = st_csum_finish(csum);
	if (damaged)
		skb->data[ST_HDR_LEN]++;
	skb_queue_tail(&conn->sent, skb);
}

/* Deliver the STUs of a Block in a given order. */
static void st_test_deliver(struct st_test_conn *conn, const struct st_op *cts, const u16 *order,
			    int damaged)
{
	struct sk_buff *skb[STUS];
	struct st_csum csum;
	unsigned int i;

	for (i = 0; i < STUS; i++)
		st_test_summed(conn, cts, i, &csum, i == damaged);
	for (i = 0; i < STUS; i++)
		skb[i] = skb_dequeue(&conn->sent);
	for (i = 0; i < STUS; i++)
		st_test_rcv(conn, skb[order[i]]);
}

/* Checksums over several STUs match in any order of arrival. */
static void st_ooo_checksum(struct kunit *test)
{
	static const u16 order[STUS] = { 3, 7, 1, 0, 6, 2, 5, 4 };
	static const u16 back[STUS] = { 7, 6, 5, 4, 3, 2, 1, 0 };
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts = st_test_block(conn), again;

	conn->st->vc.peer_checksum = true;
	conn->st->paths.first.stats.reorder = STUS;
	st_test_deliver(conn, &cts, order, 6);
	st_test_not_yet(conn);
	KUNIT_EXPECT_EQ(test, atomic64_read(&conn->st->bind.port->errors[ST_ERR_CKSUM]), 1);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_NE(test, again.b_id, cts.b_id);
	skb_queue_purge(&conn->sent);
	st_test_deliver(conn, &again, back, -1);
	st_test_whole(conn);
	KUNIT_EXPECT_EQ(test, atomic64_read(&conn->st->bind.port->errors[ST_ERR_CKSUM]), 1);
}

static unsigned int st_test_woken;

static void st_test_data_ready(struct sock *sk)
{
	st_test_woken++;
}

/* A Block that is not Silent overtakes a Silent one: poll() reports both. */
static void st_ooo_wakes(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op first, second;
	u16 n;

	st_test_peer_write(conn, PEER_ID, 2 * LEN);
	first = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	second = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_ASSERT_EQ(test, second.offset, first.offset + LEN);
	conn->st->paths.first.stats.reorder = 2 * STUS;
	st_test_woken = 0;
	conn->st->sk.sk_data_ready = st_test_data_ready;
	for (n = 0; n < STUS; n++)
		st_test_peer_data(conn, &second, n, n * STU, STU, n == STUS - 1 ?
				  ST_F_LAST | ST_F_SEND_STATE : ST_F_SILENT);
	st_test_woken = 0;
	for (n = 0; n < STUS; n++) {
		KUNIT_EXPECT_EQ(test, st_test_woken, 0);
		KUNIT_EXPECT_FALSE(test, st_test_readable(conn));
		st_test_peer_data(conn, &first, n, n * STU, STU, n == STUS - 1 ?
				  ST_F_LAST | ST_F_SILENT : ST_F_SILENT);
	}
	KUNIT_EXPECT_TRUE(test, st_test_readable(conn));
	KUNIT_EXPECT_GT(test, st_test_woken, 0);
}

static struct kunit_case st_ooo_cases[] = {
	KUNIT_CASE(st_ooo_backwards),
	KUNIT_CASE(st_ooo_doubled),
	KUNIT_CASE(st_ooo_out_of_range),
	KUNIT_CASE(st_ooo_hole),
	KUNIT_CASE(st_ooo_recut_shorter),
	KUNIT_CASE(st_ooo_recut_longer),
	KUNIT_CASE(st_ooo_checksum),
	KUNIT_CASE(st_ooo_wakes),
	{}
};

static struct kunit_suite st_ooo_suite = {
	.name = "st_ooo",
	.test_cases = st_ooo_cases,
};

kunit_test_suite(st_ooo_suite);
