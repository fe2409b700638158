// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of routes that are lost, that fail, and that are unused. */
#include <linux/delay.h>
#include <linux/net.h>
#include <linux/rtnetlink.h>

#include "link/link.h"
#include "link/route.h"
#include "proto/proto.h"
#include "conn.h"

#define PEER_ID		9

/* Operations over a lost route are dropped, counted, and sent again when it is up. */
static void st_route_lost_and_up(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	u64 drops = st_test_route_drops();
	struct st_op rts, cts, data;
	struct st_retrans *retrans;
	struct sk_buff *skb;

	conn->routes.setup = ST_TEST_HELD;
	st_route_lost(conn->routes.last);
	st_test_route_send(conn);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_route_drops(), drops + 1);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_ESTABLISHED);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 2, 0);
	/* Lost before it was up: set up again */
	st_route_lost(conn->routes.last);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 3, 0);

	st_route_up(conn->routes.last);
	retrans = &list_first_entry(&conn->st->source.list, struct st_tx, list)->retrans;
	retrans->expires = jiffies;
	st_test_time(conn->st);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, st_op_t_len(&rts), ROUTE_LEN);
	cts = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	cts.param = LOSSY_STU;
	cts.d_id = rts.s_id;
	cts.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &cts));
	skb = skb_dequeue(&conn->sent);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, skb->len, ST_HDR_LEN + STU);
	KUNIT_ASSERT_EQ(test, 0, skb_linearize(skb));
	st_op_unpack((const struct st_hdr *)skb->data, &data);
	KUNIT_EXPECT_EQ(test, data.op, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, data.d_id, PEER_ID);
	KUNIT_EXPECT_MEMEQ(test, skb->data + ST_HDR_LEN, conn->data, STU);
	kfree_skb(skb);
	st_test_route_expect(conn, 3, 0);
}

/* A connection fails with its route, and gets the errno of the route. */
static void st_route_fails_user(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_route_send(conn);
	st_route_failed(conn->routes.last, -ENETUNREACH);
	st_test_routes_settle(conn);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ENETUNREACH);
	KUNIT_EXPECT_EQ(test, conn->st->source.err, -ENETUNREACH);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
}

/* A later user does not, though the users are not yet told. */
static void st_route_fails_others(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_route_core *r = st_route_core(conn->routes.last);
	struct st_sock *st = conn->st;

	disable_delayed_work_sync(&r->work);
	st_route_failed(conn->routes.last, -ENETUNREACH);
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	enable_delayed_work(&r->work);
	schedule_delayed_work(&r->work, 0);
	st_test_routes_settle(conn);
	/* It waits for ST_ROUTE_AGAIN, unless it is flushed */
	st_test_routes_settle(conn);
	KUNIT_EXPECT_EQ(test, sock_error(&st->sk), -ENETUNREACH);
	KUNIT_EXPECT_EQ(test, conn->st->sk.sk_state, ST_CONNECTING);
	st_test_route_expect(conn, 2, 1);
	st_test_taken(conn);
}

/* Two connections share a route; it goes when both have gone, and not at once. */
static void st_route_shared(struct kunit *test)
{
	struct st_test_conn *first = st_test_lossy_conn(test);
	struct st_test_conn *second = st_test_conn_beside(first);

	st_test_route_expect(first, 1, 0);
	KUNIT_EXPECT_PTR_EQ(test, first->st->paths.first.route, second->st->paths.first.route);
	KUNIT_EXPECT_EQ(test, st_test_route_count(first), 1);
	st_test_route_hang_up(first->st);
	st_test_route_idle(first);
	st_test_route_expect(first, 1, 0);
	st_test_route_hang_up(second->st);
	st_test_routes_settle(first);
	st_test_route_expect(first, 1, 0);
	KUNIT_EXPECT_EQ(test, st_test_route_count(first), 1);
}

static void st_route_shared_by_failed(struct kunit *test)
{
	struct st_test_conn *first = st_test_lossy_conn(test);
	struct st_test_conn *second = st_test_conn_beside(first);

	st_route_failed(first->st->paths.first.route, -ENETUNREACH);
	st_test_routes_settle(first);
	KUNIT_EXPECT_EQ(test, sock_error(&first->st->sk), -ENETUNREACH);
	KUNIT_EXPECT_EQ(test, sock_error(&second->st->sk), -ENETUNREACH);
	st_test_route_expect(first, 1, 1);
}

/* An unused route is there for the next connection, and the LLP forgets it after a while. */
static void st_route_unused(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_route_hang_up(conn->st);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 1, 0);
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_taken(conn);
	st_test_route_expect(conn, 1, 0);
	/* Not while it is used. */
	st_test_route_idle(conn);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 1);
	st_test_route_hang_up(conn->st);
	st_test_route_idle(conn);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_route_count(conn), 0);
	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	st_test_taken(conn);
	st_test_route_expect(conn, 2, 1);
}

static struct socket *st_route_next;

static void st_route_call_next(struct st_test_conn *conn)
{
	st_test_dial(conn, st_route_next, -EINPROGRESS);
}

/* A user that joins during disconnect() waits for its end, and the route is set up again. */
static void st_route_at_the_end(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_route *route = conn->st->paths.first.route;

	st_test_route_hang_up(conn->st);
	st_route_next = st_test_socket(test);
	conn->routes.ending = st_route_call_next;
	st_test_route_idle(conn);
	KUNIT_EXPECT_PTR_EQ(test, conn->sock, st_route_next);
	st_test_routes_settle(conn);
	st_test_route_expect(conn, 2, 1);
	KUNIT_EXPECT_PTR_EQ(test, conn->st->paths.first.route, route);
	st_test_taken(conn);
}

/* A link that ends removes a route that is not up yet. */
static void st_route_link_ends(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);

	st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(conn);
	rtnl_lock();
	st_llp_detach(conn->llp, conn->dev);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ENETDOWN);
	st_test_route_expect(conn, 1, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&conn->routes.known), 0);
}

/* connect() has found a link that ends, with its device, before it joins it. */
static void st_route_link_gone(struct kunit *test)
{
	struct st_test_conn *conn = st_test_route_link(test, ST_TEST_HELD);
	struct st_sock *st = st_sk(st_test_socket(test)->sk);
	struct sockaddr_st to = {
		.sst_family	= AF_ST,
		.sst_port	= htons(PEER_PORT),
		.sst_alen	= st_test_kind->len,
	};

	memcpy(to.sst_addr, st_test_peer(0), to.sst_alen);
	KUNIT_ASSERT_TRUE(test, st_link_get(conn->link));
	st_test_link_end(conn);
	lock_sock(&st->sk);
	KUNIT_EXPECT_EQ(test, -ENETDOWN, st_vc_connect(st, conn->link, &to));
	release_sock(&st->sk);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_CLOSED);
	st_link_put(conn->link);
}

/* A link that comes up just then does not disturb the removal of the LLP. */
static void st_route_llp_ends(struct kunit *test)
{
	struct st_test_conn *conn;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		conn = st_test_route_link(test, i % 2 ? ST_TEST_SOON : ST_TEST_AT_ONCE);
		conn->routes.llp.attach = ST_ATTACH_ON_DEMAND;
		KUNIT_ASSERT_EQ(test, 0, st_llp_register(&conn->routes.llp));
		st_test_dial(conn, st_test_socket(test), -EINPROGRESS);
		if (i % 4 > 1)
			udelay(i * 10);
		st_llp_unregister(&conn->routes.llp);
		KUNIT_EXPECT_EQ(test, sock_error(&conn->st->sk), -ENETDOWN);
		KUNIT_EXPECT_EQ(test, atomic_read(&conn->routes.known), 0);
	}
}

/* A connection over two links, with answers of the peer over both */
struct st_route_two {
	struct st_test_conn	*first;
	struct st_test_conn	*other;
};

/* Answer the last probe over a link. */
static void st_route_answer(struct st_test_conn *conn)
{
	struct st_op ask = st_test_sent(conn, ST_OP_REQUEST_STATE);
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);

	op.param = ST_SLOTS_NONE;
	op.sync = ask.sync;
	op.d_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

static struct st_route_two st_route_two(struct kunit *test)
{
	struct st_route_two t = { .first = st_test_lossy_stripe_conn(test) };
	struct st_op op;

	t.other = st_test_other_link(t.first);
	t.other->routes.setup = ST_TEST_HELD;
	op = st_test_peer_op(t.other, ST_OP_REQUEST_STATE, 0);
	op.d_id = ST_ID_NONE;
	st_test_rcv(t.other, st_test_op_skb(t.other, &op));
	st_test_time(t.first->st);
	st_route_answer(t.other);
	KUNIT_ASSERT_TRUE(test, t.first->st->paths.stripe->probe[1].up);
	t.other->routes.last = t.first->st->paths.stripe->more[0].route;
	skb_queue_purge(&t.other->sent);
	return t;
}

/* A path whose route is lost is taken out of use, and probed when the route is up again. */
static void st_route_path_lost(struct kunit *test)
{
	struct st_route_two t = st_route_two(test);
	struct st_probe *probe = &t.first->st->paths.stripe->probe[1];

	st_route_lost(t.other->routes.last);
	st_test_routes_settle(t.other);
	KUNIT_EXPECT_FALSE(test, probe->up);
	st_test_route_expect(t.other, 1, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&t.other->sent));
	st_route_up(t.other->routes.last);
	st_test_routes_settle(t.other);
	KUNIT_EXPECT_FALSE(test, probe->up);
	st_route_answer(t.other);
	KUNIT_EXPECT_TRUE(test, probe->up);
}

/* A path whose route fails is taken out of use, too; the route is requested again later. */
static void st_route_path_failed(struct kunit *test)
{
	struct st_route_two t = st_route_two(test);
	struct st_sock *st = t.first->st;
	struct st_probe *probe = &st->paths.stripe->probe[1];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		st_route_failed(t.other->routes.last, -EHOSTUNREACH);
		st_test_routes_settle(t.other);
		KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
		KUNIT_EXPECT_FALSE(test, probe->up);
		st_test_route_expect(t.other, i, i + 1);
		KUNIT_EXPECT_TRUE(test, probe->resting);
		KUNIT_EXPECT_EQ(test, probe->routes, i + 1);
		/* Too early */
		st_test_time(st);
		st_test_routes_settle(t.other);
		st_test_route_expect(t.other, i, i + 1);
		probe->route_at = jiffies;
		st_test_time(st);
		st_test_routes_settle(t.other);
		st_test_route_expect(t.other, i + 1, i + 1);
	}
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&t.other->sent));
	st_route_up(t.other->routes.last);
	st_test_routes_settle(t.other);
	st_route_answer(t.other);
	KUNIT_EXPECT_TRUE(test, probe->up);
	KUNIT_EXPECT_EQ(test, probe->routes, 0);

	/* Control operations use the other path, until that fails, too. */
	st_route_failed(st->paths.first.route, -EHOSTUNREACH);
	st_test_routes_settle(t.first);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_PTR_EQ(test, st->paths.main, &st->paths.stripe->more[0]);
	st_route_failed(t.other->routes.last, -ENETUNREACH);
	st_test_routes_settle(t.other);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&st->sk), -ENETUNREACH);
}

/* Another user has the route set up, and it fails again: the next delay is longer. */
static void st_route_path_again(struct kunit *test)
{
	struct st_route_two t = st_route_two(test);
	struct st_probe *probe = &t.first->st->paths.stripe->probe[1];
	struct st_sock *st = t.first->st;

	st_route_failed(t.other->routes.last, -EHOSTUNREACH);
	st_test_routes_settle(t.other);
	KUNIT_EXPECT_TRUE(test, probe->resting);
	st_test_dial(t.other, st_test_socket(test), -EINPROGRESS);
	st_test_routes_settle(t.other);
	st_test_route_expect(t.other, 1, 1);
	probe->route_at = jiffies;
	st_test_time(st);
	KUNIT_EXPECT_FALSE(test, probe->resting);
	st_route_failed(t.other->routes.last, -EHOSTUNREACH);
	st_test_routes_settle(t.other);
	KUNIT_EXPECT_TRUE(test, probe->resting);
	KUNIT_EXPECT_EQ(test, probe->routes, 2);
	st_test_time(st);
	st_test_routes_settle(t.other);
	st_test_route_expect(t.other, 1, 2);
}

/* A path that the peer uses unasked takes no route of the reserve. */
static void st_route_path_learnt(struct kunit *test)
{
	struct st_test_conn *first = st_test_lossy_stripe_conn(test);
	struct st_test_conn *other = st_test_other_link(first);
	int share = ST_ROUTES_MAX - ST_ROUTES_MAX / ST_RESERVE;
	u64 refused = st_test_route_refused();
	struct st_op op;

	op = st_test_peer_op(other, ST_OP_REQUEST_STATE, 0);
	op.d_id = ST_ID_NONE;
	st_test_route_more(other, share);
	st_test_rcv_only(other, st_test_op_skb(other, &op));
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 1);
	KUNIT_EXPECT_EQ(test, st_paths(first->st), 1);
	st_test_route_more(other, -share);
	st_test_rcv_only(other, st_test_op_skb(other, &op));
	KUNIT_EXPECT_EQ(test, st_test_route_refused(), refused + 1);
	KUNIT_EXPECT_EQ(test, st_paths(first->st), 2);
	st_test_routes_settle(other);
}

static struct kunit_case st_route_end_cases[] = {
	KUNIT_CASE(st_route_lost_and_up),
	KUNIT_CASE(st_route_fails_user),
	KUNIT_CASE(st_route_fails_others),
	KUNIT_CASE(st_route_shared),
	KUNIT_CASE(st_route_shared_by_failed),
	KUNIT_CASE(st_route_unused),
	KUNIT_CASE(st_route_at_the_end),
	KUNIT_CASE(st_route_link_ends),
	KUNIT_CASE(st_route_link_gone),
	KUNIT_CASE(st_route_llp_ends),
	KUNIT_CASE(st_route_path_lost),
	KUNIT_CASE(st_route_path_failed),
	KUNIT_CASE(st_route_path_again),
	KUNIT_CASE(st_route_path_learnt),
	{}
};

static struct kunit_suite st_route_end_suite = {
	.name = "st_route_end",
	.init = st_test_route_init,
	.exit = st_test_route_exit,
	.test_cases = st_route_end_cases,
};

kunit_test_suite(st_route_end_suite);
