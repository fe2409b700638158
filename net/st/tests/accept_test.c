// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of listeners and Ports: concurrent requests, and what a connection inherits from
 * its listener.
 */
#include <linux/interrupt.h>
#include <linux/net.h>
#include <linux/st_compat.h>

#include "st_sock.h"
#include "conn.h"

#define REQUEST_PORT	6000
#define REQUEST_KEY	0x600d0000
#define DYNAMIC		49152

/* A listening kernel socket. */
static struct st_sock *st_accept_listener(struct st_test_conn *conn, int backlog)
{
	struct kunit *test = conn->test;
	struct socket *sock;

	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0, &sock));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_sock_free, sock));
	KUNIT_ASSERT_EQ(test, 0, kernel_listen(sock, backlog));
	return st_sk(sock->sk);
}

/* A Request_Connection from one of the peer's Ports. */
static struct sk_buff *st_test_request(struct st_test_conn *conn, const struct st_sock *lst,
				       unsigned int n)
{
	const struct st_op op = {
		.op = ST_OP_REQUEST_CONNECTION,
		.flags = ST_F_OUT_OF_ORDER,
		.param = ST_SLOTS_NONE,
		.d_port = lst->bind.port->num,
		.s_port = REQUEST_PORT + n,
		.bufx = 20,
		.offset = REQUEST_KEY + n,
		.sync = 17,
	};

	return st_test_op_skb(conn, &op);
}

static u64 st_test_drops(unsigned int which)
{
	return atomic64_read(&st_pernet(&init_net)->drops[which]);
}

/* A second request that arrives, in softirq, while the first is processed. */
static struct sk_buff *st_test_other;

static void st_test_amid(struct st_test_conn *conn)
{
	conn->amid = NULL;
	st_test_rcv(conn, st_test_other);
}

/* Two concurrent requests, of which one becomes a connection and is answered */
static void st_test_two_requests(struct st_test_conn *conn, struct st_sock *lst,
				 unsigned int other)
{
	st_test_other = st_test_request(conn, lst, other);
	conn->amid = st_test_amid;
	st_test_rcv(conn, st_test_request(conn, lst, 0));
	KUNIT_ASSERT_NULL(conn->test, conn->amid);
	KUNIT_EXPECT_EQ(conn->test, list_count_nodes(&lst->listen.queue), 1);
	st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
}

/* The same request twice at a time: one connection, and no error counted as lack of memory. */
static void st_accept_twice(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *lst = st_accept_listener(conn, 5);
	u64 nomem = st_test_drops(ST_DROP_NOMEM);

	st_test_two_requests(conn, lst, 0);
	KUNIT_EXPECT_EQ(test, st_test_drops(ST_DROP_NOMEM), nomem);
}

/* The backlog is full when the second request is ready: it is dropped, and may be repeated. */
static void st_accept_backlog(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *lst = st_accept_listener(conn, 0);
	u64 full = st_test_drops(ST_DROP_BACKLOG);

	st_test_two_requests(conn, lst, 1);
	KUNIT_EXPECT_EQ(test, lst->sk.sk_ack_backlog, 1);
	KUNIT_EXPECT_EQ(test, st_test_drops(ST_DROP_BACKLOG), full + 1);
}

/* The event for a held record comes once, and only with the record. */
static void st_accept_held(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	static struct st_xfer in_the_way;
	struct st_sock *st = conn->st;
	u32 id = st->ids.next ?: 1;

	st->opts.writes = ST_WRITES_HOLD;
	st->opts.serve = ST_SERVE_WRITES;
	KUNIT_ASSERT_EQ(test, 0, xa_insert_bh(&st->ids.xa, id, &in_the_way, GFP_KERNEL));
	st_test_peer_write(conn, 9, 100);
	KUNIT_EXPECT_TRUE(test, list_empty(&st->dest.held));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&st->events.queue));
	xa_erase_bh(&st->ids.xa, id);
	st_test_peer_write(conn, 9, 100);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&st->dest.held), 1);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&st->events.queue), 1);

	/* Without room for the event the record is not held either. */
	skb_queue_purge(&st->events.queue);
	st->sk.sk_rcvbuf = 1;
	st_test_peer_write(conn, 10, 100);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&st->dest.held), 1);
	KUNIT_EXPECT_NULL(test, xa_load(&st->ids.xa, st->ids.next - 1));
}

/* A tasklet that reschedules itself all the time. */
struct st_test_turns {
	struct tasklet_struct tasklet;
	unsigned int turns;
	bool over;
};

static void st_test_turn(struct tasklet_struct *t)
{
	struct st_test_turns *turns = from_tasklet(turns, t, tasklet);

	turns->turns++;
	if (!READ_ONCE(turns->over))
		tasklet_schedule(t);
}

static int st_test_bind(struct socket *sock)
{
	struct sockaddr_st any = { .sst_family = AF_ST };

	return kernel_bind(sock, (struct sockaddr_unsized *)&any, sizeof(any));
}

/* All dynamic Ports are taken: bind() tries each, but lets softirqs run in between. */
static void st_port_dynamic(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	const unsigned int range = 65536 - DYNAMIC;
	struct st_test_turns turns = {};
	struct st_port *ports = kvcalloc(range, sizeof(*ports), GFP_KERNEL);
	struct socket *sock;
	unsigned int i, seen, last = 0;
	int err[2];

	KUNIT_ASSERT_NOT_NULL(test, ports);
	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0, &sock));
	for (i = 0; i < range; i++) {
		ports[i].num = DYNAMIC + i;
		spin_lock_bh(&sn->port_lock);
		if (st_port_find(sn, ports[i].num)) {
			ports[i].num = 0;
		} else {
			hash_add_rcu(sn->ports, &ports[i].node, ports[i].num);
			last = i;
		}
		spin_unlock_bh(&sn->port_lock);
	}
	tasklet_setup(&turns.tasklet, st_test_turn);
	tasklet_schedule(&turns.tasklet);
	seen = turns.turns;
	err[0] = st_test_bind(sock);
	seen = turns.turns - seen;
	WRITE_ONCE(turns.over, true);
	tasklet_kill(&turns.tasklet);

	/* The only free Port is found. */
	spin_lock_bh(&sn->port_lock);
	hash_del_rcu(&ports[last].node);
	spin_unlock_bh(&sn->port_lock);
	err[1] = st_test_bind(sock);
	KUNIT_EXPECT_EQ(test, err[0], -EADDRINUSE);
	KUNIT_EXPECT_EQ(test, err[1], 0);
	KUNIT_EXPECT_EQ(test, st_sk(sock->sk)->bind.port->num, DYNAMIC + last);
	/* ksoftirqd may have taken over, and runs when the scheduler lets it. */
	KUNIT_EXPECT_GT(test, seen, range / 1024);

	sock_release(sock);
	spin_lock_bh(&sn->port_lock);
	for (i = 0; i < range; i++)
		if (ports[i].num && i != last)
			hash_del_rcu(&ports[i].node);
	spin_unlock_bh(&sn->port_lock);
	synchronize_rcu();
	kvfree(ports);
}

/* As with TCP: the inherited options, and nothing that belongs to the listener alone */
static void st_accept_inherits(struct kunit *test)
{
	const struct st_send send = { .opaque = 0xfeed, .cts_req = 3 };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *lst = st_accept_listener(conn, 5), *st;
	struct sock *lsk = &lst->sk, *sk;

	lst->opts.send = send;
	lsk->sk_mark = 0x6400;
	lsk->sk_priority = 5;
	lsk->sk_rcvlowat = 7;
	lsk->sk_max_pacing_rate = 123456;
	lsk->sk_rcvtimeo = 42;
	lsk->sk_reuse = SK_CAN_REUSE;
	sock_set_flag(lsk, SOCK_KEEPOPEN);
	sock_set_flag(lsk, SOCK_RCVTSTAMP);
	sock_set_flag(lsk, SOCK_ZEROCOPY);
	lsk->sk_err = EIO;
	atomic64_set(&lsk->sk_cookie, 1);
	st_test_rcv(conn, st_test_request(conn, lst, 0));
	st = list_first_entry_or_null(&lst->listen.queue, struct st_sock, listen.node);
	KUNIT_ASSERT_NOT_NULL(test, st);
	sk = &st->sk;
	KUNIT_EXPECT_EQ(test, st->opts.send.opaque, send.opaque);
	KUNIT_EXPECT_EQ(test, sk->sk_mark, 0x6400);
	KUNIT_EXPECT_EQ(test, sk->sk_priority, 5);
	KUNIT_EXPECT_EQ(test, sk->sk_rcvlowat, 7);
	KUNIT_EXPECT_EQ(test, sk->sk_max_pacing_rate, 123456);
	KUNIT_EXPECT_EQ(test, sk->sk_rcvtimeo, 42);
	KUNIT_EXPECT_TRUE(test, sk->sk_reuse == SK_CAN_REUSE);
	KUNIT_EXPECT_TRUE(test, sock_flag(sk, SOCK_KEEPOPEN));
	KUNIT_EXPECT_TRUE(test, sock_flag(sk, SOCK_RCVTSTAMP));
	KUNIT_EXPECT_TRUE(test, sock_flag(sk, SOCK_ZEROCOPY));

	KUNIT_EXPECT_EQ(test, sk->sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, sk->sk_err, 0);
	KUNIT_EXPECT_EQ(test, sk->sk_ack_backlog, 0);
	KUNIT_EXPECT_EQ(test, sk->sk_max_ack_backlog, 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&sk->sk_cookie), 0);
	KUNIT_EXPECT_NULL(test, sk->sk_socket);
	KUNIT_EXPECT_TRUE(test, list_empty(&st->listen.queue));
	/* References: the list, the table, the timer of SO_KEEPALIVE */
	KUNIT_EXPECT_EQ(test, refcount_read(&sk->sk_refcnt), 2 + timer_pending(&st->timers.timer));
}

static struct kunit_case st_accept_cases[] = {
	KUNIT_CASE(st_accept_inherits),
	KUNIT_CASE(st_accept_twice),
	KUNIT_CASE(st_accept_backlog),
	KUNIT_CASE(st_accept_held),
	KUNIT_CASE(st_port_dynamic),
	{}
};

static struct kunit_suite st_accept_suite = {
	.name = "st_accept",
	.test_cases = st_accept_cases,
};

kunit_test_suite(st_accept_suite);
