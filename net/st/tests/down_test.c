// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of devices that go down, or get another address, while in use by a connection.
 */
#include <linux/net.h>
#include <linux/rtnetlink.h>

#include "link/link.h"
#include "st_sock.h"
#include "conn.h"

#define PEER_ID		9
#define LEN		100

static void st_test_running(struct st_test_conn *conn, bool up)
{
	rtnl_lock();
	if (up)
		KUNIT_EXPECT_EQ(conn->test, 0, dev_open(conn->dev, NULL));
	else
		dev_close(conn->dev);
	st_link_changed(conn->link);
	rtnl_unlock();
	/* Run the work that this has queued */
	flush_work(&conn->st->out.work);
}

static void st_test_down_since(struct st_test_conn *conn, unsigned long time)
{
	st_link_core(conn->link)->down_at = jiffies - time;
}

static void st_test_send(struct st_test_conn *conn)
{
	struct kvec vec = { .iov_base = conn->data, .iov_len = LEN };
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };

	KUNIT_ASSERT_EQ(conn->test, LEN, kernel_sendmsg(conn->sock, &msg, &vec, 1, LEN));
}

/* A Transfer that is sent fails when the device stays down, and not before. */
static void st_down_sending(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct sock *sk = &conn->st->sk;

	st_test_send(conn);
	st_test_running(conn, false);
	KUNIT_EXPECT_EQ(test, sk->sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_TRUE(test, time_before_eq(conn->st->timers.timer.expires, jiffies + HZ));
	st_test_down_since(conn, HZ);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, sk->sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(sk), -ENETDOWN);
	KUNIT_EXPECT_EQ(test, conn->st->source.err, -ENETDOWN);
}

/* So does one that is received. */
static void st_down_receiving(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_peer_write(conn, PEER_ID, LEN);
	st_test_running(conn, false);
	st_test_down_since(conn, HZ);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ENETDOWN);
}

/* A device that comes up again in time loses nothing. */
static void st_down_and_up(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_send(conn);
	st_test_running(conn, false);
	st_test_running(conn, true);
	st_test_down_since(conn, 10 * HZ);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_err, 0);
}

/* A device may stop before its link is told: only the time after that counts. */
static void st_down_untold(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_send(conn);
	st_test_down_since(conn, 10 * HZ);
	rtnl_lock();
	dev_close(conn->dev);
	rtnl_unlock();
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_ESTABLISHED);
}

/* An idle connection survives; the next Transfer fails. */
static void st_down_idle(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct sock *sk = &conn->st->sk;
	struct st_op cts;

	/* An unread record is not under way. */
	st_test_peer_write(conn, PEER_ID, LEN);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_peer_data(conn, &cts, 0, 0, LEN, ST_F_LAST | ST_F_SEND_STATE);
	st_test_running(conn, false);
	st_test_down_since(conn, 10 * HZ);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, sk->sk_state, ST_ESTABLISHED);
	st_test_send(conn);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, sock_error(sk), -ENETDOWN);
}

static void st_test_address(struct st_test_conn *conn, u8 last)
{
	u8 addr[ETH_ALEN] = { 2, 0, 0, 0, 1, last };

	rtnl_lock();
	eth_hw_addr_set(conn->dev, addr);
	st_link_set_addr(conn->link, addr);
	rtnl_unlock();
}

/* The peer is notified while operations still come from the old address. */
static void st_down_address(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_link *link = conn->link;
	struct st_op op;

	KUNIT_EXPECT_MEMEQ(test, link->addr, conn->dev->dev_addr, ETH_ALEN);
	st_test_send(conn);
	skb_queue_purge(&conn->sent);
	/* Setting the same address again has no effect. */
	rtnl_lock();
	st_link_set_addr(link, conn->dev->dev_addr);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_ESTABLISHED);

	st_test_address(conn, 1);
	op = st_test_sent(conn, ST_OP_REQUEST_DISCONNECT);
	KUNIT_EXPECT_EQ(test, op.d_key, PEER_KEY);
	KUNIT_EXPECT_EQ(test, op.offset, conn->st->vc.local_key);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ENETRESET);
	KUNIT_EXPECT_EQ(test, conn->st->source.err, -ENETRESET);
	KUNIT_EXPECT_MEMEQ(test, link->addr, conn->dev->dev_addr, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, st_link_core(link)->nr_vcs, 0);
}

/* All connections of the link end. */
static void st_down_address_of_many(struct kunit *test)
{
	struct st_test_conn *first = st_test_conn(test);
	struct st_test_conn *second = st_test_conn_beside(first);

	st_test_address(first, 2);
	KUNIT_EXPECT_EQ(test, sock_error(&first->st->sk), -ENETRESET);
	KUNIT_EXPECT_EQ(test, sock_error(&second->st->sk), -ENETRESET);
	st_test_sent(first, ST_OP_REQUEST_DISCONNECT);
	st_test_sent(first, ST_OP_REQUEST_DISCONNECT);
}

static struct kunit_case st_down_cases[] = {
	KUNIT_CASE(st_down_sending),
	KUNIT_CASE(st_down_receiving),
	KUNIT_CASE(st_down_and_up),
	KUNIT_CASE(st_down_untold),
	KUNIT_CASE(st_down_idle),
	KUNIT_CASE(st_down_address),
	KUNIT_CASE(st_down_address_of_many),
	{}
};

static struct kunit_suite st_down_suite = {
	.name = "st_down",
	.test_cases = st_down_cases,
};

kunit_test_suite(st_down_suite);
