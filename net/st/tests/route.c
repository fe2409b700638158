// SPDX-License-Identifier: GPL-2.0
/* Test LLPs that have to connect to a peer first. */
#include <linux/slab.h>

#include "link/link.h"
#include "link/route.h"
#include "proto/proto.h"
#include "conn.h"

/**
 * struct st_test_route - the LLP's part of a route, its st_route.priv
 * @work: calls st_route_up(), after a while
 * @route: the route
 * @got: the peer has connected, so the LLP has a reference
 */
struct st_test_route {
	struct work_struct	work;
	struct st_route		*route;
	bool			got;
};

static struct st_test_conn *st_test_route_conn(const struct st_route *route)
{
	struct st_test_conn **conn = netdev_priv(route->link->dev);

	return *conn;
}

static void st_test_route_work(struct work_struct *work)
{
	st_route_up(container_of(work, struct st_test_route, work)->route);
}

static struct st_test_route *st_test_route_new(struct st_test_conn *conn)
{
	struct st_test_route *tr = kzalloc(sizeof(*tr), GFP_ATOMIC);

	/* A work runs outside of a test, so it cannot assert */
	KUNIT_EXPECT_NOT_NULL(conn->test, tr);
	if (!tr)
		return NULL;
	INIT_WORK(&tr->work, st_test_route_work);
	atomic_inc(&conn->routes.known);
	return tr;
}

static int st_test_route_connect(struct st_route *route)
{
	struct st_test_conn *conn = st_test_route_conn(route);
	void (*connecting)(struct st_test_conn *conn) = conn->routes.connecting;
	struct st_test_route *tr;

	atomic_inc(&conn->routes.connects);
	conn->routes.last = route;
	conn->routes.connecting = NULL;
	if (connecting)
		connecting(conn);
	tr = route->priv ?: st_test_route_new(conn);
	if (!tr)
		return -ENOMEM;
	tr->route = route;
	route->priv = tr;
	if (conn->routes.err)
		return conn->routes.err;
	switch (conn->routes.setup) {
	case ST_TEST_SOON:
		queue_work(system_unbound_wq, &tr->work);
		break;
	case ST_TEST_AT_ONCE:
		st_route_up(route);
		break;
	case ST_TEST_HELD:
		break;
	}
	return 0;
}

static void st_test_route_disconnect(struct st_route *route)
{
	struct st_test_conn *conn = st_test_route_conn(route);
	struct st_test_route *tr = route->priv;
	void (*ending)(struct st_test_conn *conn) = conn->routes.ending;

	atomic_inc(&conn->routes.disconnects);
	conn->routes.ending = NULL;
	if (ending)
		ending(conn);
	if (!tr)
		return;
	cancel_work_sync(&tr->work);
	if (tr->got)
		st_route_put(route);
	kfree(tr);
	atomic_dec(&conn->routes.known);
}

/**
 * st_test_routes_init - let the LLP of a link connect before it sends
 * @conn: the link, not yet created
 */
void st_test_routes_init(struct st_test_conn *conn)
{
	struct st_test_routes *routes = &conn->routes;

	routes->llp = *conn->llp;
	routes->ops = *conn->llp->ops;
	routes->ops.connect = st_test_route_connect;
	routes->ops.disconnect = st_test_route_disconnect;
	routes->llp.ops = &routes->ops;
	conn->llp = &routes->llp;
}

/**
 * st_test_routes_peer - connect from the peer, before it sends
 * @conn: the link; without effect if there is a route
 */
void st_test_routes_peer(struct st_test_conn *conn)
{
	struct st_link *link = conn->link;
	struct st_test_route *tr;

	if (!link->llp->ops->connect || st_route_find(link, st_test_peer(0)))
		return;
	tr = st_test_route_new(conn);
	KUNIT_ASSERT_NOT_NULL(conn->test, tr);
	tr->got = true;
	tr->route = st_route_get(link, st_test_peer(0), tr, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(conn->test, tr->route);
	KUNIT_ASSERT_PTR_EQ(conn->test, tr->route->priv, tr);
}

/**
 * st_test_routes_settle - wait for pending work of the route to the peer
 * @conn: the link and its connection
 *
 * That includes everything except what the test or time has to trigger.
 */
void st_test_routes_settle(struct st_test_conn *conn)
{
	struct st_route_core *r;
	struct st_test_route *tr;
	struct st_route *route;

	if (!conn->link->llp->ops->connect)
		return;
	rcu_read_lock();
	route = st_route_find(conn->link, st_test_peer(0));
	r = route && refcount_inc_not_zero(&st_route_core(route)->refcnt) ? st_route_core(route) :
									  NULL;
	rcu_read_unlock();
	if (r) {
		flush_delayed_work(&r->work);
		tr = READ_ONCE(route->priv);
		if (tr)
			flush_work(&tr->work);
		st_route_put(route);
	}
	if (conn->st)
		flush_work(&conn->st->out.work);
}

/**
 * st_test_routes_exit - check that nothing is left of the routes of a link
 * @conn: the link, which has ended
 */
void st_test_routes_exit(struct st_test_conn *conn)
{
	KUNIT_EXPECT_EQ(conn->test, atomic_read(&conn->routes.known), 0);
}

/**
 * st_test_route_init - .init of a suite with an LLP that connects
 * @test: the test
 *
 * Return: 0 or -ENOMEM.
 */
int st_test_route_init(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_test_kinds); i++)
		if (st_test_kinds[i].routed)
			st_test_kind = &st_test_kinds[i];
	return st_test_keep_params(test);
}

/**
 * st_test_route_exit - .exit of such a suite
 * @test: the test
 */
void st_test_route_exit(struct kunit *test)
{
	st_test_restore_params(test);
	st_test_kind_exit(test);
}

/**
 * st_test_route_link - create a device with an LLP that connects, without a socket
 * @test: the test; both are removed at its end
 * @setup: when a route is up
 *
 * Return: the connection, not yet set up.
 */
struct st_test_conn *st_test_route_link(struct kunit *test, enum st_test_setup setup)
{
	struct st_test_conn *conn = st_test_link(test, &st_test_lossy_llp);

	conn->routes.setup = setup;
	return conn;
}

/**
 * st_test_route_drops - count operations that were not sent
 *
 * Return: the total so far.
 */
u64 st_test_route_drops(void)
{
	return atomic64_read(&st_pernet(&init_net)->drops[ST_DROP_XMIT]);
}

/**
 * st_test_route_refused - count routes that were refused for lack of room
 *
 * Return: the total so far.
 */
u64 st_test_route_refused(void)
{
	return atomic64_read(&st_pernet(&init_net)->drops[ST_DROP_ROUTES]);
}

/**
 * st_test_route_more - change the count of routes of a link
 * @conn: the link
 * @n: the number of routes to add, or, if it is negative, to subtract
 */
void st_test_route_more(struct st_test_conn *conn, int n)
{
	struct st_link_core *core = st_link_core(conn->link);

	spin_lock_bh(&core->lock);
	core->nr_routes += n;
	spin_unlock_bh(&core->lock);
}

/**
 * st_test_route_count - the routes of a link
 * @conn: the link
 *
 * Return: the number.
 */
unsigned int st_test_route_count(const struct st_test_conn *conn)
{
	return st_link_core(conn->link)->nr_routes;
}

/**
 * st_test_route_idle - let the idle time of the routes of a link pass
 * @conn: the link
 */
void st_test_route_idle(struct st_test_conn *conn)
{
	struct st_link_core *core = st_link_core(conn->link);
	struct st_route_core *r;

	spin_lock_bh(&core->lock);
	list_for_each_entry(r, &core->idle_routes, list)
		r->idle_since -= ST_ROUTE_IDLE;
	spin_unlock_bh(&core->lock);
	st_test_routes_settle(conn);
}

/**
 * st_test_route_expect - check the number of calls of the LLP
 * @conn: the link
 * @connects: calls of connect()
 * @disconnects: calls of disconnect()
 */
void st_test_route_expect(struct st_test_conn *conn, int connects, int disconnects)
{
	KUNIT_EXPECT_EQ(conn->test, atomic_read(&conn->routes.connects), connects);
	KUNIT_EXPECT_EQ(conn->test, atomic_read(&conn->routes.disconnects), disconnects);
}

/**
 * st_test_route_hang_up - end a connection at once
 * @st: the connection
 */
void st_test_route_hang_up(struct st_sock *st)
{
	spin_lock_bh(&st->lock);
	st_vc_fail(st, ECONNRESET);
	st_unlock(st);
}

/**
 * st_test_route_send - send a record
 * @conn: the connection
 */
void st_test_route_send(struct st_test_conn *conn)
{
	struct st_send send = {};

	KUNIT_ASSERT_EQ(conn->test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), ROUTE_LEN),
			ROUTE_LEN);
}
