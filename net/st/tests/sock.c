// SPDX-License-Identifier: GPL-2.0
/* Sockets of the tests, and their connections. */
#include <linux/net.h>
#include <linux/st_compat.h>

#include "conn/conn.h"
#include "proto/proto.h"
#include "conn.h"

/* The timer function of sockets from st_test_connect(): time passes only with st_test_time(). */
static void st_test_no_timer(struct timer_list *t)
{
	struct st_sock *st = timer_container_of(st, t, timers.timer);

	sock_put(&st->sk);
}

/**
 * st_test_time - let the timer of a socket expire
 * @st: the Virtual Connection
 */
void st_test_time(struct st_sock *st)
{
	sk_stop_timer(&st->sk, &st->timers.timer);
	sock_hold(&st->sk);
	st_timer(&st->timers.timer);
}

/**
 * st_test_sock_free - close a socket
 * @data: struct socket
 */
void st_test_sock_free(void *data)
{
	struct socket *sock = data;

	st_sk(sock->sk)->timers.timer.function = st_timer;
	sock_release(sock);
}

/**
 * st_test_socket - create a socket whose timer the test controls
 * @test: the test; the socket is closed at its end
 *
 * Return: the socket.
 */
struct socket *st_test_socket(struct kunit *test)
{
	struct socket *sock;

	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0, &sock));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_sock_free, sock));
	st_sk(sock->sk)->timers.timer.function = st_test_no_timer;
	return sock;
}

/**
 * st_test_dial - connect a socket to the peer of a link
 * @conn: the link
 * @sock: the socket, which becomes that of the connection
 * @err: expected result of connect(); with -EINPROGRESS it waits for SO_SNDTIMEO, or not at all
 */
void st_test_dial(struct st_test_conn *conn, struct socket *sock, int err)
{
	struct sockaddr_st to = {
		.sst_family	= AF_ST,
		.sst_port	= htons(PEER_PORT),
		.sst_ifindex	= conn->dev->ifindex,
		.sst_alen	= st_test_kind->len,
	};
	bool nonblock = err == -EINPROGRESS && sock->sk->sk_sndtimeo == MAX_SCHEDULE_TIMEOUT;

	memcpy(to.sst_addr, st_test_peer(0), to.sst_alen);
	conn->sock = sock;
	conn->st = st_sk(sock->sk);
	/* A work may call this, which must not end the test */
	KUNIT_EXPECT_EQ(conn->test, err,
			kernel_connect(sock, (struct sockaddr_unsized *)&to, sizeof(to),
				       nonblock ? O_NONBLOCK : 0));
}

/**
 * st_test_taken - the peer accepts a connection
 * @conn: the connection
 */
void st_test_taken(struct st_test_conn *conn)
{
	struct kunit *test = conn->test;
	struct st_op op = st_test_sent(conn, ST_OP_REQUEST_CONNECTION);

	KUNIT_EXPECT_EQ(test, op.d_port, PEER_PORT);
	KUNIT_EXPECT_EQ(test, op.offset, conn->st->vc.local_key);
	KUNIT_EXPECT_EQ(test, op.sync, conn->llp->ops->max_stu(conn->link, ST_DATA_CHANNEL));

	op = st_test_peer_op(conn, ST_OP_CONNECTION_ANSWER, ST_F_OUT_OF_ORDER);
	op.param = ST_SLOTS_NONE;
	op.bufx = 20;
	op.offset = PEER_KEY;
	op.sync = 17;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_ASSERT_EQ(test, conn->st->sk.sk_state, ST_ESTABLISHED);
}

/**
 * st_test_connect - connect a new socket over a link
 * @conn: the link, which becomes the connection
 */
void st_test_connect(struct st_test_conn *conn)
{
	struct socket *sock = st_test_socket(conn->test);
	int on = 1;

	if (conn->stripe)
		KUNIT_ASSERT_EQ(conn->test, 0,
				sock->ops->setsockopt(sock, SOL_ST, ST_STRIPE, KERNEL_SOCKPTR(&on),
						      sizeof(on)));
	st_test_dial(conn, sock, -EINPROGRESS);
	st_test_routes_settle(conn);
	st_test_taken(conn);
}

/**
 * st_test_listener - create a socket that listens on all links
 * @test: the test; the socket is closed at its end
 *
 * Return: the socket.
 */
struct socket *st_test_listener(struct kunit *test)
{
	struct socket *sock;

	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0, &sock));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_sock_free, sock));
	KUNIT_ASSERT_EQ(test, 0, kernel_listen(sock, 4));
	return sock;
}
