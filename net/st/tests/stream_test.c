// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Transfers of unlimited size, ST 6.2.3: the test is the peer, as data Destination
 * and as data Source.
 */
#include <linux/net.h>

#include "conn/conn.h"
#include "conn.h"

#define PEER_ID		9
#define BLOCK		256	/* cleared by the peer at a time */
#define OPEN_BLOCK	8192	/* cleared by the socket */

static int st_test_send(struct st_test_conn *conn, u32 from, u32 len, unsigned int flags)
{
	struct msghdr msg = { .msg_flags = flags | MSG_DONTWAIT };
	struct kvec vec = { .iov_base = conn->data + from, .iov_len = len };

	return kernel_sendmsg(conn->sock, &msg, &vec, 1, len);
}

static int st_test_recv(struct st_test_conn *conn, u8 *got, u32 len, bool *last)
{
	struct kvec vec = { .iov_base = got, .iov_len = len };
	struct msghdr msg = {};
	int n = kernel_recvmsg(conn->sock, &msg, &vec, 1, len, MSG_DONTWAIT);

	*last = msg.msg_flags & MSG_EOR;
	return n;
}

static void st_test_op(struct st_test_conn *conn, const struct st_op *op)
{
	st_test_rcv(conn, st_test_op_skb(conn, op));
}

/* The peer clears a Block. */
static void st_test_clear(struct st_test_conn *conn, const struct st_op *rts, u32 b_num, u16 mx)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);

	op.param = ilog2(BLOCK);
	op.b_id = mx;
	op.offset = b_num * BLOCK;
	op.b_num = b_num;
	op.d_id = rts->s_id;
	op.s_id = PEER_ID;
	st_test_op(conn, &op);
}

/* The next operation is Data, bytes @from to @from + @len of the stream. */
static void st_test_is_data(struct st_test_conn *conn, u32 from, u32 len, u16 mx, u16 flags)
{
	struct sk_buff *skb = skb_dequeue(&conn->sent);
	u8 got[2 * BLOCK];
	struct st_op op;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	st_op_unpack((const struct st_hdr *)skb->data, &op);
	KUNIT_EXPECT_EQ(conn->test, op.op, ST_OP_DATA);
	KUNIT_EXPECT_EQ(conn->test, op.flags, ST_DATA_CHANNEL | flags);
	KUNIT_EXPECT_EQ(conn->test, op.b_id, mx);
	KUNIT_EXPECT_EQ(conn->test, op.offset, from);
	KUNIT_EXPECT_EQ(conn->test, op.d_id, PEER_ID);
	KUNIT_ASSERT_EQ(conn->test, skb->len, ST_HDR_LEN + len);
	KUNIT_ASSERT_EQ(conn->test, 0, skb_copy_bits(skb, ST_HDR_LEN, got, len));
	KUNIT_EXPECT_MEMEQ(conn->test, got, conn->data + from, len);
	kfree_skb(skb);
}

/* Begin a stream.  Return: its Request_To_Send. */
static struct st_op st_test_open(struct st_test_conn *conn, u32 len)
{
	struct st_op rts;

	KUNIT_ASSERT_EQ(conn->test, st_test_send(conn, 0, len, MSG_MORE), len);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(conn->test, st_op_t_len(&rts), 0);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	return rts;
}

/* The End of the stream, and its End_Ack. */
static void st_test_ends(struct st_test_conn *conn, const struct st_op *rts)
{
	struct st_op end = st_test_sent(conn, ST_OP_END), ack;

	KUNIT_EXPECT_EQ(conn->test, end.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(conn->test, end.s_id, rts->s_id);
	ack = st_test_peer_op(conn, ST_OP_END_ACK, 0);
	ack.d_id = rts->s_id;
	ack.s_id = PEER_ID;
	st_test_op(conn, &ack);
	KUNIT_EXPECT_TRUE(conn->test, list_empty(&conn->st->source.list));
	KUNIT_EXPECT_EQ(conn->test, conn->st->source.queued, 0);
	KUNIT_EXPECT_EQ(conn->test, conn->st->source.cts, 0);
	KUNIT_EXPECT_EQ(conn->test, conn->st->info.tx_transfers, 1);
}

/* Bytes are sent as they come; the last Block is full, and the End follows. */
static void st_stream_full_blocks(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_open(conn, 100);

	st_test_clear(conn, &rts, 0, 5);
	st_test_is_data(conn, 0, 100, 5, 0);
	st_test_clear(conn, &rts, 1, 6);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 100, 156, MSG_MORE), 156);
	st_test_is_data(conn, 100, 156, 5, ST_F_LAST | ST_F_SEND_STATE);
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 256, 256, MSG_MORE), 256);
	st_test_is_data(conn, 256, 256, 6, ST_F_LAST | ST_F_SEND_STATE);
	st_test_arrived(conn, &rts, PEER_ID, 0);
	/* All is sent, but not all is acknowledged */
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 0, 0, 0), 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_arrived(conn, &rts, PEER_ID, 1);
	st_test_ends(conn, &rts);
}

/* The last Block ends with the bytes, even if they were sent before. */
static void st_stream_short_block(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_open(conn, 100);

	st_test_clear(conn, &rts, 0, 5);
	st_test_is_data(conn, 0, 100, 5, 0);
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 0, 0, 0), 0);
	st_test_is_data(conn, 100, 0, 5, ST_F_LAST | ST_F_SEND_STATE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_arrived(conn, &rts, PEER_ID, ST_B_NUM_NONE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_arrived(conn, &rts, PEER_ID, 0);
	st_test_ends(conn, &rts);
}

/* A repeated Clear_To_Send has no effect; one with another Mx has the Block sent again. */
static void st_stream_cleared_again(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_open(conn, 300);

	st_test_clear(conn, &rts, 0, 5);
	st_test_is_data(conn, 0, 256, 5, ST_F_LAST | ST_F_SEND_STATE);
	st_test_clear(conn, &rts, 1, 6);
	st_test_is_data(conn, 256, 44, 6, 0);
	st_test_clear(conn, &rts, 1, 6);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_clear(conn, &rts, 1, 7);
	st_test_is_data(conn, 256, 44, 7, 0);
	st_test_clear(conn, &rts, 0, 8);
	st_test_is_data(conn, 0, 256, 8, ST_F_LAST | ST_F_SEND_STATE);
	st_test_arrived(conn, &rts, PEER_ID, 0);
	/* Its bytes are not kept any more */
	st_test_clear(conn, &rts, 0, 9);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	/* An acknowledgment of a Block that was not sent is ignored */
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 0, 0, 0), 0);
	st_test_is_data(conn, 300, 0, 7, ST_F_LAST | ST_F_SEND_STATE);
	st_test_arrived(conn, &rts, PEER_ID, 2);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_arrived(conn, &rts, PEER_ID, 1);
	st_test_ends(conn, &rts);
}

/* Begin a stream of the peer.  Return: the Clear_To_Send of its first Block. */
static struct st_op st_test_announce(struct st_test_conn *conn)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL), cts;

	op.b_id = 20;
	op.s_id = PEER_ID;
	st_test_op(conn, &op);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(conn->test, BIT(cts.param), OPEN_BLOCK);
	KUNIT_EXPECT_EQ(conn->test, cts.b_num, 0);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
	/* A repeat gets the same answer */
	st_test_op(conn, &op);
	KUNIT_EXPECT_EQ(conn->test, st_test_sent(conn, ST_OP_CLEAR_TO_SEND).b_id, cts.b_id);
	return cts;
}

/* A Block is not cleared, but later ones are: its Clear_To_Send is asked for. */
static void st_stream_not_cleared(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_open(conn, 100), again;
	struct st_retrans *retrans;

	st_test_clear(conn, &rts, 0, 5);
	st_test_is_data(conn, 0, 100, 5, 0);
	/* The next Block only lacks bytes, so nothing is asked for. */
	st_test_clear(conn, &rts, 2, 7);
	st_test_clear(conn, &rts, 3, 8);
	retrans = &list_first_entry(&conn->st->source.list, struct st_tx, list)->retrans;
	KUNIT_EXPECT_FALSE(test, retrans->paused);
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 100, 300, MSG_MORE), 300);
	st_test_is_data(conn, 100, 156, 5, ST_F_LAST | ST_F_SEND_STATE);
	KUNIT_EXPECT_TRUE(test, retrans->armed);
	st_test_arrived(conn, &rts, PEER_ID, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_ASSERT_TRUE(test, retrans->paused);
	retrans->expires = jiffies;
	st_test_time(conn->st);
	again = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, again.s_id, rts.s_id);
	st_test_clear(conn, &rts, 1, 6);
	st_test_is_data(conn, 256, 144, 6, 0);
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 400, 112, MSG_MORE), 112);
	st_test_is_data(conn, 400, 112, 6, ST_F_LAST | ST_F_SEND_STATE);
	KUNIT_EXPECT_EQ(test, st_test_send(conn, 0, 0, 0), 0);
	st_test_arrived(conn, &rts, PEER_ID, 1);
	st_test_ends(conn, &rts);
}

static void st_test_peer_end(struct st_test_conn *conn, const struct st_op *cts)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_END, 0);

	op.d_id = cts->s_id;
	op.s_id = PEER_ID;
	st_test_op(conn, &op);
	KUNIT_EXPECT_EQ(conn->test, st_test_sent(conn, ST_OP_END_ACK).d_id, PEER_ID);
}

/* Bytes can be read as they arrive; a full Block opens the window. */
static void st_stream_received(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_announce(conn), next;
	u8 *got = kunit_kzalloc(test, T_LEN, GFP_KERNEL);
	unsigned int i;
	bool last;

	KUNIT_ASSERT_NOT_NULL(test, got);
	st_test_peer_data(conn, &cts, 0, 0, 100, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got, T_LEN, &last), 100);
	KUNIT_EXPECT_FALSE(test, last);
	st_test_peer_data(conn, &cts, 1, 100, OPEN_BLOCK - 100, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + 100, T_LEN, &last), OPEN_BLOCK - 101);
	st_test_peer_data(conn, &cts, 2, OPEN_BLOCK, 0, ST_F_LAST);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + OPEN_BLOCK - 1, T_LEN, &last), 1);

	next = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(test, next.b_num, 1);
	for (i = 2; i <= ST_BLOCKS_XFER; i++)
		KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_CLEAR_TO_SEND).b_num, i);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_peer_data(conn, &next, 0, 0, 50, ST_F_LAST);
	st_test_peer_end(conn, &cts);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + OPEN_BLOCK, T_LEN, &last), 50);
	KUNIT_EXPECT_TRUE(test, last);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data, OPEN_BLOCK + 50);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got, T_LEN, &last), -EAGAIN);
	KUNIT_EXPECT_EQ(test, conn->st->dest.mem, 0);
}

/* A Block is sent again after a part of it has been read. */
static void st_stream_received_again(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_announce(conn), again;
	u8 *got = kunit_kzalloc(test, T_LEN, GFP_KERNEL);
	bool last;

	KUNIT_ASSERT_NOT_NULL(test, got);
	st_test_peer_data(conn, &cts, 0, 0, 100, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got, 40, &last), 40);
	st_test_peer_data(conn, &cts, 2, 200, 100, 0);	/* one STU is missing */
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_NE(test, again.b_id, cts.b_id);
	KUNIT_EXPECT_EQ(test, again.b_num, 0);
	st_test_peer_data(conn, &again, 0, 0, 50, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + 40, T_LEN, &last), 60);
	st_test_peer_data(conn, &again, 1, 50, 150, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + 100, T_LEN, &last), 100);
	st_test_peer_data(conn, &again, 2, 200, 100, ST_F_LAST);
	st_test_peer_end(conn, &cts);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got + 200, T_LEN, &last), 100);
	KUNIT_EXPECT_TRUE(test, last);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data, 300);
	KUNIT_EXPECT_EQ(test, conn->st->dest.mem, 0);
}

/* An End in the middle of a Block does not complete a stream. */
static void st_stream_cut_short(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op cts = st_test_announce(conn);
	u8 got[200];
	bool last;

	st_test_peer_data(conn, &cts, 0, 0, 100, 0);
	st_test_peer_end(conn, &cts);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got, sizeof(got), &last), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, conn->st->dest.mem, 0);
}

static struct kunit_case st_stream_cases[] = {
	KUNIT_CASE(st_stream_full_blocks),
	KUNIT_CASE(st_stream_short_block),
	KUNIT_CASE(st_stream_cleared_again),
	KUNIT_CASE(st_stream_not_cleared),
	KUNIT_CASE(st_stream_received),
	KUNIT_CASE(st_stream_received_again),
	KUNIT_CASE(st_stream_cut_short),
	{}
};

static struct kunit_suite st_stream_suite = {
	.name = "st_stream",
	.test_cases = st_stream_cases,
};

kunit_test_suite(st_stream_suite);
