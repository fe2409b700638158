// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the setup of routes: the LLP has to connect to a peer before it can send. */
#include <linux/net.h>
#include <linux/rtnetlink.h>
#include <net/netlink.h>

#include "link/link.h"
#include "link/route.h"
#include "netlink/netlink.h"
#include "proto/proto.h"
#include "conn.h"

#define CALLER_PORT	4711
#define CALLER_KEY	0x77

/* The route is up before connect() of the LLP returns. */
static void st_route_at_once(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_AT_ONCE);

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	st_test_taken(conn);
	st_test_route_expect(conn, 1, 0);
	KUNIT_EXPECT_MEMEQ(test, conn->routes.last->addr, st_test_peer(0), ST_ADDR_MAX);
	KUNIT_EXPECT_PTR_EQ(test, conn->routes.last->link, conn->link);
}

/* Nothing is sent before the route is up, and then a single Request_Connection. */
static void st_route_later(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	u64 drops = st_test_route_drops();
	struct st_op op;

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 0);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CONNECTING);
	conn->st->vc.retrans.expires = jiffies;
	st_test_time(conn->st);
	conn->st->vc.retrans.sent = ktime_sub_ms(conn->st->vc.retrans.sent, 10000);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops);

	st_route_up(conn->routes.last);
	st_route_up(conn->routes.last);
	st_test_routes_settle(conn);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), 1);
	/* Nothing has been repeated so far */
	KUNIT_EXPECT_EQ(test, conn->st->vc.retrans.tries, 0);
	st_test_taken(conn);
	/* The time of the route's setup is no round trip. */
	KUNIT_EXPECT_GT(test, conn->st->timers.rtt.srtt, 0);
	KUNIT_EXPECT_LT(test, conn->st->timers.rtt.srtt >> 3, 5 * USEC_PER_SEC);
	op = st_test_peer_op(conn, ST_OP_REQUEST_STATE, 0);
	op.d_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	st_test_sent(conn, ST_OP_REQUEST_STATE_RESPONSE);
}

/* connect() fails at once with the errno of the LLP, and can be repeated. */
static void st_route_refused(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_AT_ONCE);
	struct socket *sock = st_test_socket(test);

	conn->routes.err = -EHOSTUNREACH;
	st_test_dial(conn, sock, -EHOSTUNREACH);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&conn->routes.known), 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));

	conn->routes.err = 0;
	st_test_dial(conn, sock, -EINPROGRESS);
	st_test_routes_settle(conn);
	st_test_taken(conn);
	st_test_route_expect(conn, 2, 1);
}

static void st_route_refused_later(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	st_route_failed(conn->routes.last, -ECONNREFUSED);
	st_route_failed(conn->routes.last, -EIO);
	st_route_up(conn->routes.last);
	st_test_routes_settle(conn);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ECONNREFUSED);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* A route that never comes up has the same effect as a peer that never answers. */
static void st_route_never(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *sock = st_test_socket(test);
	struct st_port *port;
	unsigned int i;

	st_pernet(&init_net)->max_retry = 2;
	sock->sk->sk_sndtimeo = HZ / 50;
	st_test_dial(conn, sock, -EINPROGRESS);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CONNECTING);
	st_test_routes_settle(conn);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CONNECTING);
		conn->st->vc.retrans.expires = jiffies;
		st_test_time(conn->st);
	}
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ETIMEDOUT);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	/* Nothing was sent that could be repeated */
	port = conn->st->bind.port;
	KUNIT_EXPECT_EQ(test, atomic64_read(&port->errors[ST_ERR_OP_TIMEOUT]), 0);
	KUNIT_EXPECT_EQ(test, conn->st->info.op_retries, 0);
	KUNIT_EXPECT_EQ(test, conn->st->timers.rtt.backoff, 0);
	/* The LLP continues the setup for the next connection. */
	st_test_route_expect(conn, 1, 0);
	st_test_route_idle(conn);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
}

/* Nothing is sent for a connect() that has been given up. */
static void st_route_not_wanted(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *sock = st_test_socket(test);

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	KUNIT_ASSERT_EQ(test, 0, kernel_sock_shutdown(conn->sock, SHUT_RDWR));
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ECONNRESET);
	st_test_dial(conn, sock, -EINPROGRESS);
	KUNIT_EXPECT_EQ(test, st_link_core(conn->link)->nr_vcs, 1);
	kunit_release_action(test, st_test_sock_free, sock);
	conn->st = NULL;
	KUNIT_EXPECT_EQ(test, st_link_core(conn->link)->nr_vcs, 0);
	st_route_up(conn->routes.last);
	st_test_routes_settle(conn);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_route_expect(conn, 1, 0);
}

/* A route that is unwanted before connect() of the LLP is not set up. */
static void st_route_too_late(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct st_link_core *core = st_link_core(conn->link);
	struct st_route_core *r;

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	spin_lock_bh(&core->lock);
	r = list_first_entry(&core->routes, struct st_route_core, list);
	spin_unlock_bh(&core->lock);
	st_route_lost(conn->routes.last);
	KUNIT_EXPECT_EQ(test, r->state, ST_ROUTE_WANTED);
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&r->work));
	/* Not at once after the last time */
	KUNIT_EXPECT_TRUE(test, time_after_eq(r->work.timer.expires,
					      r->asked_at + ST_ROUTE_AGAIN));
	KUNIT_ASSERT_EQ(test, 0, kernel_sock_shutdown(conn->sock, SHUT_RDWR));
	KUNIT_EXPECT_EQ(test, r->state, ST_ROUTE_DOWN);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 0);
	st_test_route_idle(conn);
	st_test_route_expect(conn, 1, 1);
}

/* Receive a Request_Connection.  @connected: over a route set up by the peer */
static void st_route_called(struct st_test_conn *conn, const struct socket *listener,
			    bool connected)
{
	const struct st_op op = {
		.op	= ST_OP_REQUEST_CONNECTION,
		.flags	= ST_F_OUT_OF_ORDER,
		.param	= ST_SLOTS_NONE,
		.d_port	= listener ? st_sk(listener->sk)->bind.port->num : 1,
		.s_port	= CALLER_PORT,
		.bufx	= 20,
		.offset	= CALLER_KEY,
		.sync	= 10,
	};
	struct sk_buff *skb = st_test_op_skb(conn, &op);

	if (connected)
		st_test_rcv(conn, skb);
	else
		st_test_rcv_only(conn, skb);
}

/* The peer has set up the route: the answer uses it, whether it accepts or refuses. */
static void st_route_of_peer(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *listener = st_test_listener(test);
	struct st_sock *st;
	struct st_op op;

	st_route_called(conn, NULL, true);
	op = st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	KUNIT_EXPECT_EQ(test, op.flags, ST_F_REJECT);
	KUNIT_EXPECT_EQ(test, op.d_key, CALLER_KEY);
	st_route_called(conn, listener, true);
	op = st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	KUNIT_EXPECT_EQ(test, op.flags & ST_F_REJECT, 0);
	KUNIT_EXPECT_EQ(test, op.d_port, CALLER_PORT);
	KUNIT_EXPECT_EQ(test, op.d_key, CALLER_KEY);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 1);
	st_test_route_idle(conn);
	st_test_route_expect(conn, 0, 0);

	st = list_first_entry(&st_sk(listener->sk)->listen.queue, struct st_sock, listen.node);
	st_test_route_hang_up(st);
	st_test_route_idle(conn);
	st_test_route_expect(conn, 0, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
}

/* Otherwise, or if that route is gone, one is set up for a connection, and none for a refusal. */
static void st_route_to_peer(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *listener = st_test_listener(test);
	u64 drops = st_test_route_drops();
	struct st_sock *st;
	struct st_op op;

	st_route_called(conn, NULL, false);
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops + 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
	st_route_called(conn, listener, false);
	/* The peer repeats its request */
	st_route_called(conn, listener, false);
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops + 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 0);
	st_route_up(conn->routes.last);
	st = list_first_entry(&st_sk(listener->sk)->listen.queue, struct st_sock, listen.node);
	flush_work(&st->out.work);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), 1);
	op = st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	KUNIT_EXPECT_EQ(test, op.offset, st->vc.local_key);
}

/* The end of a connection whose answer waits for a route does not wait for it. */
static void st_route_to_peer_over(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *listener = st_test_listener(test);
	u64 drops = st_test_route_drops();
	struct st_sock *st;

	st_route_called(conn, listener, false);
	st_test_routes_settle(conn);
	st = list_first_entry(&st_sk(listener->sk)->listen.queue, struct st_sock, listen.node);
	spin_lock_bh(&st->lock);
	st_vc_disconnect(st);
	st_unlock(st);
	flush_work(&st->out.work);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_DISCONNECTING);
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops + 1);
	st->vc.retrans.expires = jiffies;
	st_test_time(st);
	flush_work(&st->out.work);
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops + 2);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_route_up(conn->routes.last);
	flush_work(&st->out.work);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st->vc.retrans.expires = jiffies;
	st_test_time(st);
	flush_work(&st->out.work);
	st_test_sent(conn, ST_OP_REQUEST_DISCONNECT);
}

/* The number of routes that netlink reports for a link, or -1 */
static int st_route_told(struct st_test_conn *conn)
{
	struct sk_buff *skb = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	const struct nlattr *nla;
	int n;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	rtnl_lock();
	KUNIT_EXPECT_EQ(conn->test, 0, st_nl_put_link(skb, conn->link));
	rtnl_unlock();
	nla = nla_find((struct nlattr *)skb->data, skb->len, ST_A_LINK_ROUTES);
	n = nla ? nla_get_u32(nla) : -1;
	kfree_skb(skb);
	return n;
}

/* Netlink reports the number of routes, if the LLP connects. */
static void st_route_netlink(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	KUNIT_EXPECT_EQ(test, st_route_told(conn), 1);
	st_test_route_hang_up(conn->st);
	KUNIT_EXPECT_EQ(test, st_route_told(conn), 1);
	st_test_route_idle(conn);
	KUNIT_EXPECT_EQ(test, st_route_told(conn), 0);
	st_test_kind = st_test_kinds;
	KUNIT_EXPECT_EQ(test, st_route_told(st_test_lossy_conn(test)), -1);
}

/* Both ends connect at the same time: the LLP chooses, and calls st_route_up(). */
static void st_route_both(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct st_route *route;
	void *priv;

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	priv = conn->routes.last->priv;
	route = st_route_get(conn->link, st_test_peer(0), test, GFP_KERNEL);
	KUNIT_ASSERT_PTR_EQ(test, route, conn->routes.last);
	KUNIT_EXPECT_PTR_EQ(test, route->priv, priv);
	KUNIT_EXPECT_FALSE(test, st_route_is_up(route));
	st_route_up(route);
	st_route_put(route);
	st_test_routes_settle(conn);
	st_test_taken(conn);
	st_test_route_expect(conn, 1, 0);
}

static void st_route_crosses(struct st_test_conn *conn)
{
	struct st_route *route = st_route_get(conn->link, st_test_peer(0), conn, GFP_KERNEL);

	KUNIT_EXPECT_PTR_EQ(conn->test, route, conn->st->paths.first.route);
	if (!route)
		return;
	KUNIT_EXPECT_NULL(conn->test, route->priv);
	KUNIT_EXPECT_FALSE(conn->test, st_route_is_up(route));
	st_route_put(route);
}

/* The peer connects before connect() has set st_route.priv: the value of the peer stays. */
static void st_route_both_at_once(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);

	conn->routes.connecting = st_route_crosses;
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	KUNIT_EXPECT_NULL(test, conn->routes.connecting);
	KUNIT_EXPECT_EQ(test, atomic_read(&conn->routes.known), 1);
	st_route_up(conn->routes.last);
	st_test_routes_settle(conn);
	st_test_taken(conn);
	st_test_route_expect(conn, 1, 0);
}

/* A peer connects over the LLP.  Return: whether there is room for a route to it. */
static bool st_route_taken(struct st_test_conn *conn, u8 last)
{
	u8 addr[ST_ADDR_MAX] = { 0xfd, [ST_ADDR_MAX - 1] = last };
	struct st_route *route = st_route_get(conn->link, addr, NULL, GFP_ATOMIC);

	if (route)
		st_route_put(route);
	return route;
}

/* connect() of a user without privileges.  Return: its result. */
static int st_route_dial_as_user(struct st_test_conn *conn)
{
	struct st_sock *st = st_sk(st_test_socket(conn->test)->sk);
	struct sockaddr_st to = { .sst_port = htons(PEER_PORT) };
	int err;

	memcpy(to.sst_addr, st_test_peer(0), conn->link->addr_len);
	lock_sock(&st->sk);
	err = st_vc_connect(st, conn->link, &to);
	release_sock(&st->sk);
	return err;
}

/* Neither peers nor users can take all routes: the rest is for an administrator. */
static void st_route_many(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_SOON);
	unsigned int share = ST_ROUTES_MAX - ST_ROUTES_MAX / ST_RESERVE;
	struct socket *listener = st_test_listener(test);
	struct socket *sock = st_test_socket(test);
	u64 refused = st_test_route_refused();

	st_test_route_more(conn, share);
	KUNIT_EXPECT_FALSE(test, st_route_taken(conn, 1));
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 1);
	KUNIT_EXPECT_EQ(test, st_route_dial_as_user(conn), -ENOBUFS);
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 2);
	st_route_called(conn, listener, false);
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 3);
	KUNIT_EXPECT_TRUE(test, list_empty(&st_sk(listener->sk)->listen.queue));
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), share);

	st_test_route_more(conn, ST_ROUTES_MAX - share);
	st_test_dial(conn, sock, -ENOBUFS);
	KUNIT_EXPECT_EQ(test, sock->sk->sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 4);
	st_test_route_more(conn, -1);
	st_test_dial(conn, sock, -EINPROGRESS);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), ST_ROUTES_MAX);
	/* An existing route can still be used. */
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 4);
	st_test_route_more(conn, 1 - ST_ROUTES_MAX);
	st_test_routes_settle(conn);
}

/* If there are many routes, a new one ends the oldest unused one. */
static void st_route_oldest(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct socket *sock = st_test_socket(test);

	st_test_dial(conn, sock, -EINPROGRESS);
	st_test_routes_settle(conn);
	kunit_release_action(test, st_test_sock_free, sock);
	conn->st = NULL;
	st_test_route_more(conn, ST_ROUTES_MAX / 2 - 2);
	KUNIT_EXPECT_TRUE(test, st_route_taken(conn, 1));
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 0);
	KUNIT_EXPECT_TRUE(test, st_route_taken(conn, 2));
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), ST_ROUTES_MAX / 2);

	/* A route in use stays */
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	KUNIT_EXPECT_TRUE(test, st_route_taken(conn, 3));
	KUNIT_EXPECT_TRUE(test, st_route_taken(conn, 4));
	KUNIT_EXPECT_TRUE(test, st_route_taken(conn, 5));
	KUNIT_EXPECT_NE(test, st_route_core(conn->st->paths.first.route)->state, ST_ROUTE_ENDING);
	st_test_route_more(conn, 2 - ST_ROUTES_MAX / 2);
	st_test_routes_settle(conn);
}

static struct kunit_case st_route_cases[] = {
	KUNIT_CASE(st_route_at_once),
	KUNIT_CASE(st_route_later),
	KUNIT_CASE(st_route_refused),
	KUNIT_CASE(st_route_refused_later),
	KUNIT_CASE(st_route_never),
	KUNIT_CASE(st_route_not_wanted),
	KUNIT_CASE(st_route_too_late),
	KUNIT_CASE(st_route_of_peer),
	KUNIT_CASE(st_route_to_peer),
	KUNIT_CASE(st_route_to_peer_over),
	KUNIT_CASE(st_route_netlink),
	KUNIT_CASE(st_route_both),
	KUNIT_CASE(st_route_both_at_once),
	KUNIT_CASE(st_route_many),
	KUNIT_CASE(st_route_oldest),
	{}
};

static struct kunit_suite st_route_suite = {
	.name = "st_route",
	.init = st_test_route_init,
	.exit = st_test_route_exit,
	.test_cases = st_route_cases,
};

kunit_test_suite(st_route_suite);
