// SPDX-License-Identifier: GPL-2.0
/*
 * Two ports, or a port and itself: whole setups of clients, servers and peers, FC-VI 5.3 and annex
 * A, with each IU lost in turn, FC-VI C.5.
 */
#include <kunit/test.h>
#include <linux/fc2.h>

#include "connect.h"
#include "disconnect.h"
#include "port.h"
#include "respond.h"
#include "state.h"
#include "timer.h"

#define TEST_MANY	128

struct test_end;

struct test_wire {
	struct fcvi_xchg	x;
	struct test_wire	*far;
	bool			open;
};

/* An IU, or an ABTS, that is on its way */
struct test_flight {
	struct test_wire	*from;
	bool			abort;
	struct fcvi_iu		iu;
	struct fcvi_connect	c;
	bool			payload;
};

struct test_link {
	struct kunit		*test;
	u64			now;
	struct test_end {
		struct fcvi_port	port;
		struct test_link	*link;
		struct fc2_rport	rport;	/* of the far end, as this one knows it */
		struct test_end		*far;
		struct fcvi_vi		vi[2];
		struct fcvi_point	point;
		unsigned int		news[FCVI_NEWS_NOT_DISCONNECTED + 1];
	} end[2];
	struct test_wire	wires[TEST_MANY];
	unsigned int		nr_wires;
	struct test_flight	flights[TEST_MANY];
	unsigned int		in, out;
	unsigned int		ius;
	unsigned int		lose;	/* number of the IU that gets lost */
};

static struct test_link *test_link_of(struct fcvi_port *port)
{
	return container_of(port, struct test_end, port)->link;
}

static u64 test_link_now(struct fcvi_port *port)
{
	return test_link_of(port)->now;
}

static void test_link_arm(struct fcvi_port *port, u64 when)
{
}

static struct test_wire *test_new_wire(struct test_end *end)
{
	struct test_link *l = end->link;
	struct test_wire *w = l->wires + l->nr_wires++;

	KUNIT_ASSERT_LE(l->test, l->nr_wires, TEST_MANY);
	w->x.port = &end->port;
	w->x.rport = &end->rport;
	w->open = true;
	return w;
}

static struct fcvi_xchg *test_link_open(struct fcvi_port *port, struct fc2_rport *rport)
{
	return &test_new_wire(container_of(port, struct test_end, port))->x;
}

static void test_link_close(struct fcvi_xchg *x)
{
	container_of(x, struct test_wire, x)->open = false;
}

static struct test_flight *test_fly(struct fcvi_xchg *x)
{
	struct test_link *l = test_link_of(x->port);
	struct test_flight *f = l->flights + l->in++;

	KUNIT_ASSERT_LE(l->test, l->in, TEST_MANY);
	f->from = container_of(x, struct test_wire, x);
	return f;
}

static void test_link_send(struct fcvi_xchg *x, const struct fcvi_iu *iu,
			   const struct fcvi_connect *c)
{
	struct test_flight *f = test_fly(x);

	f->iu = *iu;
	f->payload = c;
	if (c)
		f->c = *c;
	if (iu->opcode == FCVI_CONNECT_RESP3 || iu->opcode == FCVI_DISCONNECT_RESP)
		test_link_close(x);
}

static void test_link_abort(struct fcvi_xchg *x)
{
	test_fly(x)->abort = true;
	test_link_close(x);
}

static const struct fcvi_transport test_link_transport = {
	.now	= test_link_now,
	.arm	= test_link_arm,
	.open	= test_link_open,
	.send	= test_link_send,
	.abort	= test_link_abort,
	.close	= test_link_close,
};

static void test_link_tell(struct fcvi_vi *vi, enum fcvi_news news)
{
	container_of(vi->port, struct test_end, port)->news[news]++;
}

static void test_link_flush(struct fcvi_vi *vi, bool sends)
{
}

static void test_link_receive(struct fcvi_vi *vi, bool on)
{
}

static const struct fcvi_vi_ops test_link_vi_ops = {
	.tell		= test_link_tell,
	.flush		= test_link_flush,
	.receive	= test_link_receive,
};

/* A server that accepts at once */
static void test_link_request(struct fcvi_point *point, struct fcvi_setup *setup)
{
	struct test_end *end = container_of(point, struct test_end, point);

	KUNIT_EXPECT_EQ(end->link->test, fcvi_accept(setup, end->vi), 0);
}

/* What flies arrives, unless it gets lost. */
static void test_arrive(struct test_link *l, struct test_flight *f)
{
	struct test_end *near = container_of(f->from->x.port, struct test_end, port);
	struct test_end *end = near->far;
	struct test_wire *w = f->from->far;

	if (!f->abort && l->ius++ == l->lose)
		return;
	if (!w && !f->abort) {
		w = test_new_wire(end);
		w->far = f->from;
		f->from->far = w;
	}
	if (!w || !w->open)
		return;
	spin_lock_bh(&end->port.lock);
	if (f->abort) {
		fcvi_port_end(&w->x, -ECONNABORTED);
		w->open = false;
	} else {
		fcvi_port_iu(&w->x, &f->iu, f->payload ? &f->c : NULL);
	}
	spin_unlock_bh(&end->port.lock);
}

/* Until nothing more happens, or the users' time is over */
static void test_run(struct test_link *l)
{
	u64 end = l->now + TEST_T1 / 2;
	unsigned int i;

	for (; l->now < end; l->now += 100) {
		while (l->out < l->in)
			test_arrive(l, l->flights + l->out++);
		for (i = 0; i < ARRAY_SIZE(l->end); i++) {
			spin_lock_bh(&l->end[i].port.lock);
			fcvi_timers_run(&l->end[i].port);
			spin_unlock_bh(&l->end[i].port.lock);
		}
	}
}

static struct test_link *test_link(struct kunit *test, u64 wwpn0, u64 wwpn1, unsigned int lose)
{
	struct test_link *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	unsigned int i, j;

	KUNIT_ASSERT_NOT_NULL(test, l);
	l->test = test;
	l->lose = lose;
	for (i = 0; i < ARRAY_SIZE(l->end); i++) {
		struct test_end *end = l->end + i;

		end->link = l;
		/* Equal names: a port and itself */
		end->far = wwpn0 == wwpn1 ? end : l->end + !i;
		end->rport.wwpn = i ? wwpn0 : wwpn1;
		end->rport.seq_cnt = true;
		end->rport.rel_off = true;
		fcvi_port_init(&end->port, &test_link_transport, i ? wwpn1 : wwpn0, TEST_TOV);
		spin_lock_bh(&end->port.lock);
		for (j = 0; j < ARRAY_SIZE(end->vi); j++)
			fcvi_vi_init(end->vi + j, &end->port, &test_link_vi_ops, &test_attrs,
				     fcvi_connect_t1);
		end->point.addr = i ? test_there : test_here;
		end->point.request = test_link_request;
		list_add_tail(&end->point.list, &end->port.points);
		spin_unlock_bh(&end->port.lock);
	}
	return l;
}

static void test_link_free(struct test_link *l)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(l->end); i++) {
		struct test_end *end = l->end + i;

		spin_lock_bh(&end->port.lock);
		fcvi_port_logout(&end->port, &end->rport);
		for (j = 0; j < ARRAY_SIZE(end->vi); j++)
			fcvi_disconnect_destroy(end->vi + j);
		fcvi_port_free(&end->port);
		KUNIT_EXPECT_EQ(l->test, end->port.nr_setups, 0);
		KUNIT_EXPECT_TRUE(l->test, xa_empty(&end->port.handles));
		spin_unlock_bh(&end->port.lock);
	}
	for (i = 0; i < l->nr_wires; i++)
		KUNIT_EXPECT_FALSE_MSG(l->test, l->wires[i].open, "Exchange %u is open", i);
	kunit_kfree(l->test, l);
}

/* @here: the first end asks the second, otherwise the other way round */
static void test_ask(struct test_link *l, struct fcvi_vi *vi, enum fcvi_role role, bool here)
{
	struct test_end *end = container_of(vi->port, struct test_end, port);

	spin_lock_bh(&end->port.lock);
	KUNIT_ASSERT_EQ(l->test, 0, fcvi_connect(vi, role, &end->rport,
						 here ? &test_here : &test_there,
						 here ? &test_there : &test_here, TEST_T1));
	spin_unlock_bh(&end->port.lock);
}

static void test_joined(struct test_link *l, const struct fcvi_vi *a, const struct fcvi_vi *b)
{
	KUNIT_ASSERT_EQ_MSG(l->test, a->state, FCVI_CONNECTED, "IU %u lost", l->lose);
	KUNIT_ASSERT_EQ_MSG(l->test, b->state, FCVI_CONNECTED, "IU %u lost", l->lose);
	KUNIT_EXPECT_EQ(l->test, a->rmt_handle, b->handle->value);
	KUNIT_EXPECT_EQ(l->test, b->rmt_handle, a->handle->value);
}

/* FC-VI C.5.7 to C.5.10 */
static void test_client(struct kunit *test)
{
	unsigned int lose;

	for (lose = 0; lose <= 4; lose++) {
		struct test_link *l = test_link(test, 1, 2, lose);
		struct test_end *client = l->end, *server = l->end + 1;

		test_ask(l, client->vi, FCVI_CLIENT, true);
		test_run(l);
		if (lose == 2 || lose == 3) {
			/* RESP2, RESP3: only the client can know, and tells the server */
			KUNIT_EXPECT_EQ(test, client->vi[0].state, FCVI_ERROR);
			KUNIT_EXPECT_EQ(test, server->vi[0].state, FCVI_ERROR);
			KUNIT_EXPECT_EQ(test, client->news[FCVI_NEWS_LOST], 1);
			KUNIT_EXPECT_EQ(test, server->news[FCVI_NEWS_LOST], 1);
			KUNIT_EXPECT_EQ(test, server->news[FCVI_NEWS_TIMEOUT], lose == 2);
		} else {
			/* Lost RQST and RESP1 are repaired by the retry */
			test_joined(l, client->vi, server->vi);
			KUNIT_EXPECT_EQ(test, client->news[FCVI_NEWS_COMPLETE], 1);
			KUNIT_EXPECT_EQ(test, l->ius, lose == 4 ? 4 : lose + 5);
		}
		test_link_free(l);
	}
}

/* Annex A, case 1, in both orders of Port_Name; FC-VI C.4 when something gets lost */
static void test_peers(struct kunit *test)
{
	unsigned int lose, order;

	for (order = 0; order < 2; order++) {
		for (lose = 0; lose <= 8; lose++) {
			struct test_link *l = test_link(test, 1 + order, 2 - order, lose);
			struct fcvi_vi *a = l->end[0].vi, *b = l->end[1].vi;

			test_ask(l, a, FCVI_PEER, true);
			test_ask(l, b, FCVI_PEER, false);
			test_run(l);
			if (lose == 8) {
				test_joined(l, a, b);
				KUNIT_EXPECT_EQ(test, a->by_own, !order);
				KUNIT_EXPECT_EQ(test, b->by_own, order);
				KUNIT_EXPECT_EQ(test, l->ius, 8);
			} else if (a->state == FCVI_CONNECTED || b->state == FCVI_CONNECTED) {
				test_joined(l, a, b);
			} else {
				KUNIT_EXPECT_EQ_MSG(test, a->state, FCVI_ERROR, "IU %u lost", lose);
				KUNIT_EXPECT_EQ_MSG(test, b->state, FCVI_ERROR, "IU %u lost", lose);
			}
			test_link_free(l);
		}
	}
}

/* FC-VI 5.3.3: the one that comes later is accepted */
static void test_later(struct kunit *test)
{
	unsigned int order;

	for (order = 0; order < 2; order++) {
		struct test_link *l = test_link(test, 1 + order, 2 - order, TEST_MANY);
		struct fcvi_vi *a = l->end[0].vi, *b = l->end[1].vi;

		test_ask(l, a, FCVI_PEER, true);
		while (l->out < l->in)
			test_arrive(l, l->flights + l->out++);
		KUNIT_EXPECT_EQ(test, a->state, FCVI_PENDING);
		test_ask(l, b, FCVI_PEER, false);
		test_run(l);
		test_joined(l, a, b);
		KUNIT_EXPECT_TRUE(test, b->by_own);
		KUNIT_EXPECT_FALSE(test, a->by_own);
		test_link_free(l);
	}
}

/* FC-VI 5.3.4: peers of one port: the one that asked first counts as the lower */
static void test_loopback(struct kunit *test)
{
	unsigned int order;

	for (order = 0; order < 2; order++) {
		struct test_link *l = test_link(test, 5, 5, TEST_MANY);
		struct fcvi_vi *first = l->end[0].vi + order, *second = l->end[0].vi + !order;

		test_ask(l, first, FCVI_PEER, true);
		test_ask(l, second, FCVI_PEER, false);
		test_run(l);
		test_joined(l, first, second);
		KUNIT_EXPECT_TRUE(test, first->by_own);
		KUNIT_EXPECT_FALSE(test, second->by_own);
		test_link_free(l);
	}
}

/* VI-ARCH 4.1: two endpoints of one port can be client and server, too */
static void test_loopback_client(struct kunit *test)
{
	struct test_link *l = test_link(test, 5, 5, TEST_MANY);

	/* The connection point of the first end, whose server is the first endpoint */
	test_ask(l, l->end[0].vi + 1, FCVI_CLIENT, false);
	test_run(l);
	test_joined(l, l->end[0].vi + 1, l->end[0].vi);
	test_link_free(l);
}

/* Each end's preference is its own, FC-VI 5.8.2; the smaller pipeline depth holds for both */
static void test_attributes(struct kunit *test)
{
	struct test_link *l = test_link(test, 1, 2, TEST_MANY);

	l->end[0].vi[0].attrs.pref = true;
	l->end[0].vi[0].attrs.pipeline_depth = 3;
	l->end[0].vi[0].attrs.rdma_read = true;
	test_ask(l, l->end[0].vi, FCVI_CLIENT, true);
	test_run(l);
	test_joined(l, l->end[0].vi, l->end[1].vi);
	KUNIT_EXPECT_FALSE(test, l->end[1].vi[0].attrs.pref);
	KUNIT_EXPECT_EQ(test, l->end[0].vi[0].depth, 3);
	KUNIT_EXPECT_EQ(test, l->end[1].vi[0].depth, 3);
	test_link_free(l);
}

/* Peers whose attributes differ can't wait for each other */
static void test_differ(struct kunit *test)
{
	struct test_link *l = test_link(test, 1, 2, TEST_MANY);
	struct fcvi_vi *a = l->end[0].vi, *b = l->end[1].vi;

	b->attrs.max_trans_size++;
	test_ask(l, a, FCVI_PEER, true);
	test_ask(l, b, FCVI_PEER, false);
	test_run(l);
	KUNIT_EXPECT_EQ(test, a->state, FCVI_IDLE);
	KUNIT_EXPECT_EQ(test, b->state, FCVI_IDLE);
	KUNIT_EXPECT_EQ(test, l->end[0].news[FCVI_NEWS_ATTRS], 1);
	KUNIT_EXPECT_EQ(test, l->end[1].news[FCVI_NEWS_ATTRS], 1);
	KUNIT_EXPECT_EQ(test, a->differs, FCVI_DIFFERENT_SIZE);
	KUNIT_EXPECT_EQ(test, b->differs, FCVI_DIFFERENT_SIZE);
	test_link_free(l);
}

/* D.2: from both ends, one after the other and at once */
static void test_disconnects(struct kunit *test)
{
	unsigned int at_once;

	for (at_once = 0; at_once < 2; at_once++) {
		struct test_link *l = test_link(test, 1, 2, TEST_MANY);
		struct test_end *end;

		test_ask(l, l->end[0].vi, FCVI_CLIENT, true);
		test_run(l);
		for (end = l->end; end < l->end + 2; end++) {
			spin_lock_bh(&end->port.lock);
			KUNIT_EXPECT_EQ(test, fcvi_disconnect(end->vi), 0);
			spin_unlock_bh(&end->port.lock);
			if (!at_once)
				test_run(l);
		}
		test_run(l);
		for (end = l->end; end < l->end + 2; end++) {
			KUNIT_EXPECT_EQ(test, end->vi[0].state, FCVI_IDLE);
			KUNIT_EXPECT_EQ(test, end->news[FCVI_NEWS_DISCONNECTED], 1);
		}
		KUNIT_EXPECT_EQ(test, l->end[0].news[FCVI_NEWS_LOST], 0);
		KUNIT_EXPECT_EQ(test, l->end[1].news[FCVI_NEWS_LOST], !at_once);
		test_link_free(l);
	}
}

static struct kunit_case fcvi_link_cases[] = {
	KUNIT_CASE(test_client),
	KUNIT_CASE(test_peers),
	KUNIT_CASE(test_later),
	KUNIT_CASE(test_loopback),
	KUNIT_CASE(test_loopback_client),
	KUNIT_CASE(test_attributes),
	KUNIT_CASE(test_differ),
	KUNIT_CASE(test_disconnects),
	{}
};

static struct kunit_suite fcvi_link_suite = {
	.name		= "fcvi_link",
	.test_cases	= fcvi_link_cases,
};

kunit_test_suites(&fcvi_link_suite);
