// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of direct placement on a Virtual Connection: the test is the LLP and the peer of a
 * kernel socket.
 */
#include <linux/net.h>

#include "conn/conn.h"
#include "conn.h"

#define PEER_ID		9	/* of the Transfer that the peer writes */

/* Announce a Transfer.  Return: the Clear_To_Send of its first Block. */
static struct st_op st_test_exposed(struct st_test_conn *conn)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL);

	op.param = 16;
	op.b_id = 20;
	op.s_id = PEER_ID;
	st_op_set_t_len(&op, T_LEN);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	return st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
}

/* The Data operation that fills a Block */
static struct st_op st_test_data(const struct st_test_conn *conn, const struct st_op *cts)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | ST_F_LAST);

	op.b_id = cts->b_id;
	op.bufx = cts->bufx;
	op.offset = cts->offset;
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	return op;
}

static u32 st_test_block_len(const struct st_op *cts)
{
	return min_t(u32, BIT(cts->param), T_LEN - cts->offset);
}

static struct st_placement *st_test_place(struct st_test_conn *conn, const struct st_op *op,
					  u32 len, const u8 *saddr, bool only)
{
	struct st_placement *t;
	struct st_hdr hdr;

	st_op_pack(op, &hdr);
	local_bh_disable();
	rcu_read_lock();
	t = st_placement_get(conn->link, &hdr, len, saddr, only);
	rcu_read_unlock();
	local_bh_enable();
	return t;
}

/* Write the payload to its place, as an LLP does.  Return: the operation with those pages. */
static struct sk_buff *st_test_write(struct st_test_conn *conn, const struct st_op *op, u32 len,
				     struct st_placement *t)
{
	struct sk_buff *skb = st_test_op_skb(conn, op), *last = skb, *more;
	const u8 *from = conn->data + op->offset;
	struct bio_vec seg;
	u32 pos;

	for (pos = 0; pos < len; pos += seg.bv_len) {
		KUNIT_ASSERT_TRUE(conn->test, st_placement_segment(t, pos, &seg));
		memcpy_to_page(seg.bv_page, seg.bv_offset, from + pos, seg.bv_len);
		if (skb_shinfo(last)->nr_frags == MAX_SKB_FRAGS) {
			more = alloc_skb(0, GFP_KERNEL);
			KUNIT_ASSERT_NOT_NULL(conn->test, more);
			if (last == skb)
				skb_shinfo(skb)->frag_list = more;
			else
				last->next = more;
			last = more;
		}
		get_page(seg.bv_page);
		skb_add_rx_frag(last, skb_shinfo(last)->nr_frags, seg.bv_page, seg.bv_offset,
				seg.bv_len, seg.bv_len);
		if (last != skb) {
			skb->len += seg.bv_len;
			skb->data_len += seg.bv_len;
		}
	}
	return skb;
}

/* Every Block of the Transfer is placed; the record can be read. */
static void st_vc_placed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_exposed(conn), op;
	u8 *got = kunit_kzalloc(test, T_LEN, GFP_KERNEL);
	struct kvec vec = { .iov_base = got, .iov_len = T_LEN };
	struct msghdr msg = {};
	struct st_placement *t;
	struct sk_buff *skb;
	u32 len;

	KUNIT_ASSERT_NOT_NULL(test, got);
	while (1) {
		op = st_test_data(conn, &cts);
		len = st_test_block_len(&cts);
		t = st_test_place(conn, &op, len, st_test_peer(0), true);
		KUNIT_ASSERT_NOT_NULL(test, t);
		skb = st_test_write(conn, &op, len, t);
		st_placement_put(t);
		st_test_rcv(conn, skb);
		if (op.offset + len == T_LEN)
			break;
		cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	}
	/* One placement is kept for the next STU */
	KUNIT_EXPECT_EQ(test, list_count_nodes(&conn->st->placements), 1);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, T_LEN);
	/* Placed into kernel pages, so it still has to be copied */
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_direct, 0);
	KUNIT_ASSERT_EQ(test, T_LEN, kernel_recvmsg(conn->sock, &msg, &vec, 1, T_LEN, 0));
	KUNIT_EXPECT_TRUE(test, msg.msg_flags & MSG_EOR);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data, T_LEN);
}

/* Several operations under way, delivered later, in order */
static void st_vc_several_under_way(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_exposed(conn), op = st_test_data(conn, &cts);
	struct sk_buff *skb[4];
	struct st_placement *t;
	unsigned int i;

	op.flags &= ~ST_F_LAST;
	for (i = 0; i < ARRAY_SIZE(skb); i++) {
		op.param = i;
		t = st_test_place(conn, &op, 3000, st_test_peer(0), false);
		KUNIT_ASSERT_NOT_NULL(test, t);
		skb[i] = st_test_write(conn, &op, 3000, t);
		st_placement_put(t);
		op.offset += 3000;
	}
	for (i = 0; i < ARRAY_SIZE(skb); i++)
		st_test_rcv(conn, skb[i]);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes, 4 * 3000);

	/* No second placement for the same STU */
	op.param = 3;
	op.offset -= 3000;
	KUNIT_EXPECT_NULL(test, st_test_place(conn, &op, 3000, st_test_peer(0), false));
	/* An unfinished one ends with its Block */
	op.param = 4;
	op.offset += 3000;
	t = st_test_place(conn, &op, 3000, st_test_peer(0), false);
	KUNIT_ASSERT_NOT_NULL(test, t);
	op.flags |= ST_F_LAST;
	skb[0] = st_test_op_skb(conn, &op);
	st_test_rcv(conn, skb[0]);	/* LAST, but the Block is not full: it is asked for again */
	KUNIT_EXPECT_TRUE(test, t->cancelled);
	st_placement_put(t);
}

static u64 st_test_errors(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]) +
	       atomic64_read(&st_net_of(conn->st)->errors[err]);
}

/* With @only the error is counted here, as nobody else would; otherwise it is not */
static void st_test_refused(struct st_test_conn *conn, const struct st_op *op, u32 len,
			    const u8 *saddr, enum st_error err)
{
	u64 before = st_test_errors(conn, err);

	KUNIT_EXPECT_NULL(conn->test, st_test_place(conn, op, len, saddr, false));
	KUNIT_EXPECT_EQ(conn->test, st_test_errors(conn, err), before);
	KUNIT_EXPECT_NULL(conn->test, st_test_place(conn, op, len, saddr, true));
	KUNIT_EXPECT_EQ(conn->test, st_test_errors(conn, err), before + 1);
	KUNIT_EXPECT_TRUE(conn->test, list_empty(&conn->st->placements));
}

/* What does not belong to the connection is not placed */
static void st_vc_refused(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	const struct st_op cts = st_test_exposed(conn), good = st_test_data(conn, &cts);
	u32 len = st_test_block_len(&cts);
	struct st_placement *t;
	struct st_op op;

	op = good;
	op.d_key++;
	st_test_refused(conn, &op, len, st_test_peer(0), ST_ERR_INVALID_KEY);
	op = good;
	op.d_port++;
	st_test_refused(conn, &op, len, st_test_peer(0), ST_ERR_INVALID_PORT);
	op = good;
	op.s_port++;
	st_test_refused(conn, &op, len, st_test_peer(0), ST_ERR_INVALID_KEY);
	st_test_refused(conn, &good, len, st_test_peer(1), ST_ERR_INVALID_KEY);
	op = good;
	op.b_id ^= ST_BLOCKS;
	st_test_refused(conn, &op, len, st_test_peer(0), ST_ERR_INVALID_MX);
	st_test_refused(conn, &good, len + 1, st_test_peer(0), ST_ERR_OUT_OF_RANGE_BUFX);
	st_test_refused(conn, &good, U32_MAX, st_test_peer(0), ST_ERR_ILLEGAL_STU_SIZE);

	/* Not Data, or so short that a copy is cheaper */
	op = good;
	op.op = ST_OP_END;
	KUNIT_EXPECT_NULL(test, st_test_place(conn, &op, ST_OPT_LEN, st_test_peer(0), false));
	op.op = 0;
	KUNIT_EXPECT_NULL(test, st_test_place(conn, &op, len, st_test_peer(0), false));
	KUNIT_EXPECT_NULL(test, st_test_place(conn, &good, ST_PLACEMENT_MIN - 1, st_test_peer(0),
					      false));

	/* After all of these a valid operation is still placed */
	t = st_test_place(conn, &good, len, st_test_peer(0), false);
	KUNIT_ASSERT_NOT_NULL(test, t);
	st_placement_put(t);
}

/* The connection ends, or its link is removed, while a placement is under way */
static void st_vc_gone(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_exposed(conn), op = st_test_data(conn, &cts);
	u32 len = st_test_block_len(&cts);
	struct st_placement *t, *second;

	t = st_test_place(conn, &op, len, st_test_peer(0), false);
	second = st_test_place(conn, &op, len, st_test_peer(0), false);
	KUNIT_ASSERT_TRUE(test, t && second);
	KUNIT_EXPECT_FALSE(test, t->cancelled);
	KUNIT_ASSERT_EQ(test, 0, kernel_sock_shutdown(conn->sock, SHUT_RDWR));
	KUNIT_EXPECT_TRUE(test, t->cancelled);
	st_placement_put(t);
	KUNIT_EXPECT_NULL(test, st_test_place(conn, &op, len, st_test_peer(0), false));

	kunit_release_action(test, st_test_sock_free, conn->sock);
	kunit_release_action(test, st_test_dev_free, conn);
	/* The LLP may finish when everything else is gone */
	KUNIT_EXPECT_TRUE(test, second->cancelled);
	rcu_barrier();
	st_placement_put(second);
}

/* No path is learnt from an operation still arriving: its sender may turn out to be damaged. */
static void st_vc_not_learnt(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_op cts = st_test_exposed(conn), op = st_test_data(conn, &cts);
	struct st_placement *t;

	KUNIT_EXPECT_NULL(test, st_test_place(conn, &op, st_test_block_len(&cts), st_test_peer(1),
					      false));
	KUNIT_EXPECT_EQ(test, st_paths(conn->st), 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->placements));
	t = st_test_place(conn, &op, st_test_block_len(&cts), st_test_peer(0), false);
	KUNIT_ASSERT_NOT_NULL(test, t);
	st_placement_put(t);
}

/* SO_PRIORITY and SO_MARK apply to every operation */
static void st_vc_priority(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct sk_buff *skb;

	skb_queue_purge(&conn->sent);
	conn->st->sk.sk_priority = 5;
	conn->st->sk.sk_mark = 0x6400;
	KUNIT_ASSERT_EQ(test, 0, kernel_sock_shutdown(conn->sock, SHUT_RDWR));
	skb = skb_dequeue(&conn->sent);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->priority, 5);
	KUNIT_EXPECT_EQ(test, skb->mark, 0x6400);
	kfree_skb(skb);
}

/* Each case runs over LLPs with addresses of each kind */
KUNIT_ARRAY_PARAM_DESC(st_test_kind, st_test_kinds, name);

static struct kunit_case st_vc_cases[] = {
	KUNIT_CASE_PARAM(st_vc_placed, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_vc_several_under_way, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_vc_refused, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_vc_gone, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_vc_not_learnt, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_vc_priority, st_test_kind_gen_params),
	{}
};

static struct kunit_suite st_vc_suite = {
	.name = "st_vc",
	.init = st_test_kind_init,
	.exit = st_test_kind_exit,
	.test_cases = st_vc_cases,
};

kunit_test_suite(st_vc_suite);
