// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of a reader that is expected to return with pages of its own: the test is the data
 * Source and the reader.
 */
#include <linux/net.h>

#include "st_sock.h"
#include "xfer/rx_block.h"
#include "conn.h"

#define PEER_ID		9

/* Blocks cleared since the last call */
static unsigned int st_test_cleared(struct st_test_conn *conn)
{
	unsigned int cleared = 0;
	struct sk_buff *skb;
	struct st_op op;

	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		cleared += op.op == ST_OP_CLEAR_TO_SEND;
		kfree_skb(skb);
	}
	return cleared;
}

/* A long record is announced; the reader is expected within an hour. */
static struct st_test_conn *st_test_held(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	conn->st->dest.near = true;
	conn->st->dest.back = jiffies + 3600 * HZ;
	st_test_peer_write(conn, PEER_ID, T_LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(conn), 0);
	KUNIT_EXPECT_TRUE(test, timer_pending(&conn->st->timers.timer));
	return conn;
}

/* A reader without pages of its own gets the record at once. */
static void st_reader_recv(struct kunit *test)
{
	struct st_test_conn *conn = st_test_held(test);
	struct msghdr msg = {};
	struct kvec vec;
	u8 byte;

	vec = (struct kvec) { .iov_base = &byte, .iov_len = 1 };
	KUNIT_EXPECT_EQ(test, -EAGAIN,
			kernel_recvmsg(conn->sock, &msg, &vec, 1, 1, MSG_DONTWAIT));
	KUNIT_EXPECT_GT(test, st_test_cleared(conn), 0);
	KUNIT_EXPECT_FALSE(test, conn->st->dest.near);
}

/* So does a reader that polls. */
static void st_reader_poll(struct kunit *test)
{
	struct st_test_conn *conn = st_test_held(test);

	KUNIT_EXPECT_FALSE(test, conn->sock->ops->poll(NULL, conn->sock, NULL) & EPOLLIN);
	KUNIT_EXPECT_GT(test, st_test_cleared(conn), 0);
	KUNIT_EXPECT_FALSE(test, conn->st->dest.near);
}

/* A reader that does not return in time is not waited for. */
static void st_reader_stays_away(struct kunit *test)
{
	struct st_test_conn *conn = st_test_held(test);

	conn->st->dest.back = jiffies;
	st_test_time(conn->st);
	KUNIT_EXPECT_GT(test, st_test_cleared(conn), 0);
}

/* Data that is copied in any case is not held up. */
static void st_reader_short(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	conn->st->dest.near = true;
	conn->st->dest.back = jiffies + 3600 * HZ;
	st_test_peer_write(conn, PEER_ID, ST_DIRECT_MIN - 1);
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn), 1);
}

/* A reader whose pages hold all of the last record, and that has not noticed yet, is waited for. */
static void st_reader_has_all(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_buf *buf = st_buf_alloc(PAGE_SIZE, GFP_KERNEL);
	struct st_sock *st = conn->st;
	struct st_op cts;
	struct st_rx *rx;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	st_test_peer_write(conn, PEER_ID, 100);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	rx = list_first_entry(&st->dest.list, struct st_rx, list);
	rx->ubuf = buf;
	/* Before that the next record is cleared at once */
	st_test_peer_write(conn, PEER_ID + 1, ST_DIRECT_MIN);
	KUNIT_EXPECT_GT(test, st_test_cleared(conn), 0);
	st_test_peer_data(conn, &cts, 0, 0, 100, ST_F_LAST);
	KUNIT_ASSERT_TRUE(test, rx->ended);
	st_test_peer_write(conn, PEER_ID + 2, T_LEN);
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn), 0);
	rx->ubuf = NULL;
	spin_lock_bh(&st->lock);
	st_rx_clear_all(st);
	st_unlock(st);
	KUNIT_EXPECT_GT(test, st_test_cleared(conn), 0);
	st_buf_free(buf, false);
}

/*
 * Data in skbs is copied to the reader's pages at once, in any order, even while another task
 * holds the socket.  A Block there takes no kernel pages.
 */
static void st_reader_pages(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_buf *buf = st_buf_alloc(8 * STU, GFP_KERNEL);
	struct st_sock *st = conn->st;
	struct st_block *blk;
	struct st_op cts;
	struct st_rx *rx;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	st->dest.near = true;
	st->dest.back = jiffies + 3600 * HZ;
	st_test_peer_write(conn, PEER_ID, T_LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(conn), 0);
	rx = list_first_entry(&st->dest.list, struct st_rx, list);
	spin_lock_bh(&st->lock);
	rx->ubuf = buf;
	rx->ustart = 0;
	rx->uend = 8 * STU;
	st->dest.near = false;
	st_rx_clear_all(st);
	st_unlock(st);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_ASSERT_EQ(test, cts.offset, 0);
	KUNIT_ASSERT_EQ(test, BIT(cts.param), 8 * STU);
	blk = st->dest.sink->blocks[cts.b_id % ST_BLOCKS];
	KUNIT_ASSERT_NOT_NULL(test, blk);
	KUNIT_EXPECT_NULL(test, blk->chunk);

	lock_sock(&st->sk);
	st_test_peer_data(conn, &cts, 1, STU, STU, 0);
	KUNIT_EXPECT_MEMEQ(test, page_address(buf->seg[0].page) + STU, conn->data + STU, STU);
	st_test_peer_data(conn, &cts, 0, 0, STU, 0);
	KUNIT_EXPECT_MEMEQ(test, page_address(buf->seg[0].page), conn->data, 2 * STU);
	release_sock(&st->sk);

	spin_lock_bh(&st->lock);
	st_rx_revoke(st, rx);
	st_unlock(st);
	st_buf_free(buf, false);
}

static struct kunit_case st_reader_cases[] = {
	KUNIT_CASE(st_reader_recv),
	KUNIT_CASE(st_reader_poll),
	KUNIT_CASE(st_reader_stays_away),
	KUNIT_CASE(st_reader_short),
	KUNIT_CASE(st_reader_has_all),
	KUNIT_CASE(st_reader_pages),
	{}
};

static struct kunit_suite st_reader_suite = {
	.name = "st_reader",
	.test_cases = st_reader_cases,
};

kunit_test_suite(st_reader_suite);
