// SPDX-License-Identifier: GPL-2.0
/*
 * Connects by Host Address: the remote port is looked for, and logs in, FC-VI 7.4 and 7.7.1.
 */
#include <linux/errno.h>

#include "connect.h"
#include "disconnect.h"
#include "match.h"
#include "resolve.h"
#include "state.h"

/* The search for the remote port begins, and its outcome is @found. */
static struct test_port *test_search(struct kunit *test, enum fcvi_role role, int found)
{
	struct test_port *p = test_port(test);

	p->found = found;
	KUNIT_EXPECT_EQ(test, 0,
			fcvi_connect_to(p->vi, role, &test_here, &test_there, TEST_T1));
	return p;
}

static void test_known(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, 0);

	test_expect(p, FCVI_PENDING, "RQST");
	KUNIT_EXPECT_MEMEQ(test, &p->c.loc, &test_here, sizeof(test_here));
	KUNIT_EXPECT_MEMEQ(test, &p->c.rem, &test_there, sizeof(test_there));
	KUNIT_EXPECT_EQ(test, -EISCONN,
			fcvi_connect_to(p->vi, FCVI_CLIENT, &test_here, &test_there, TEST_T1));
	/* The own address has to be one of the port, VI-DG 3.3.4 */
	KUNIT_EXPECT_EQ(test, -EADDRNOTAVAIL,
			fcvi_connect_to(p->vi + 1, FCVI_CLIENT, &test_there, &test_here, TEST_T1));
	test_expect(p, FCVI_PENDING, "");
	test_port_end(p);
}

static void test_searched(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, -EAGAIN);

	test_expect(p, FCVI_PENDING, "");
	/* Of another address, and too early */
	fcvi_resolved(&p->port, &test_here.host, -EHOSTUNREACH);
	fcvi_resolve_login(&p->port);
	test_expect(p, FCVI_PENDING, "");
	p->found = -ENOTCONN;
	fcvi_resolved(&p->port, &test_there.host, 0);
	test_expect(p, FCVI_PENDING, "");
	p->found = 0;
	fcvi_resolve_login(&p->port);
	test_expect(p, FCVI_PENDING, "RQST");
	/* Once */
	fcvi_resolve_login(&p->port);
	fcvi_resolved(&p->port, &test_there.host, -EHOSTUNREACH);
	test_expect(p, FCVI_PENDING, "");
	/* From the call on: T3 has had its retry before */
	test_pass(p, TEST_TOV);
	test_expect(p, FCVI_PENDING_RETRY, "ABTS RQSTr");
	test_port_end(p);
}

static void test_not_there(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, -EHOSTUNREACH);

	test_expect(p, FCVI_ERROR, "flush =unreachable");
	/* Nothing is sent, as nothing was */
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(p->vi), 0);
	test_expect(p, FCVI_IDLE, "=disconnected");
	test_port_end(p);

	p = test_search(test, FCVI_PEER, -EAGAIN);
	fcvi_resolved(&p->port, &test_there.host, -EHOSTUNREACH);
	test_expect(p, FCVI_ERROR, "flush =unreachable");
	test_port_end(p);
}

/* It is there, and does not log in: it is not reachable, unless the user waits no longer */
static void test_never_logs_in(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, -ENOTCONN);

	test_pass(p, 2 * TEST_TOV - 1);
	fcvi_resolve_login(&p->port);
	test_expect(p, FCVI_PENDING, "");
	test_pass(p, 1);
	test_expect(p, FCVI_ERROR, "flush =unreachable");
	test_port_end(p);

	/* A search that begins anew begins its time anew */
	p = test_search(test, FCVI_CLIENT, -ENOTCONN);
	p->found = -EAGAIN;
	fcvi_resolve_login(&p->port);
	test_pass(p, 2 * TEST_TOV);
	test_expect(p, FCVI_PENDING, "");
	test_fire(p, &p->vi[0].t1);
	test_expect(p, FCVI_IDLE, "flush =timeout");
	p->found = 0;
	fcvi_resolve_login(&p->port);
	test_expect(p, FCVI_IDLE, "");
	test_port_end(p);
}

static void test_cancelled(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, -ENOTCONN);

	KUNIT_EXPECT_EQ(test, fcvi_disconnect(p->vi), 0);
	test_expect(p, FCVI_IDLE, "flush =disconnected");
	p->found = 0;
	fcvi_resolve_login(&p->port);
	test_expect(p, FCVI_IDLE, "");
	test_port_end(p);

	/* Its user dies */
	p = test_search(test, FCVI_CLIENT, -ENOTCONN);
	test_port_end(p);
}

/* Found, but there is no memory, or it can't be used, FC-VI 5.6 */
static void test_found_in_vain(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_CLIENT, -EAGAIN);

	p->found = 0;
	p->none = true;
	fcvi_resolved(&p->port, &test_there.host, 0);
	test_expect(p, FCVI_ERROR, "flush =unreachable");
	test_port_end(p);

	p = test_search(test, FCVI_CLIENT, -EAGAIN);
	p->found = 0;
	p->rport.seq_cnt = false;
	fcvi_resolved(&p->port, &test_there.host, 0);
	test_expect(p, FCVI_ERROR, "flush =unreachable");
	test_port_end(p);
}

/* A peer that still looks for the other one takes no request: its own will be accepted */
static void test_peer_searches(struct kunit *test)
{
	struct test_port *p = test_search(test, FCVI_PEER, -EAGAIN);

	test_rqst(p, FCVI_MODE_PEER, false, TEST_ID);
	test_expect(p, FCVI_PENDING, "RESP1:03");
	p->found = 0;
	fcvi_resolved(&p->port, &test_there.host, 0);
	test_expect(p, FCVI_PENDING, "RQST");
	test_port_end(p);
}

static struct kunit_case fcvi_resolve_cases[] = {
	KUNIT_CASE(test_known),
	KUNIT_CASE(test_searched),
	KUNIT_CASE(test_not_there),
	KUNIT_CASE(test_never_logs_in),
	KUNIT_CASE(test_cancelled),
	KUNIT_CASE(test_found_in_vain),
	KUNIT_CASE(test_peer_searches),
	{}
};

static struct kunit_suite fcvi_resolve_suite = {
	.name		= "fcvi_resolve",
	.test_cases	= fcvi_resolve_cases,
};

kunit_test_suites(&fcvi_resolve_suite);
