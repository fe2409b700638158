// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses, attributes, and which request is for whom, FC-VI 4.2, VI-DG 3.3; handles and
 * CONNECTION_IDs, FC-VI 8.4.2 f and 8.5.3 b.
 */
#include "handle.h"
#include "match.h"
#include "state.h"

static void test_addresses(struct kunit *test)
{
	struct fcvi_addr a = test_here, b = test_here;

	KUNIT_EXPECT_TRUE(test, fcvi_addr_equal(&a, &b));
	b.host.s6_addr[15]++;
	KUNIT_EXPECT_FALSE(test, fcvi_addr_equal(&a, &b));
	b = test_here;
	b.discrim[15]++;
	KUNIT_EXPECT_FALSE(test, fcvi_addr_equal(&a, &b));
	b = test_here;
	b.len = 17;
	KUNIT_EXPECT_FALSE(test, fcvi_addr_equal(&a, &b));
	/* Behind the end nothing counts */
	b = test_here;
	b.discrim[16] = 1;
	KUNIT_EXPECT_TRUE(test, fcvi_addr_equal(&a, &b));
}

static void test_attributes(struct kunit *test)
{
	struct fcvi_attrs a = test_attrs, b = test_attrs;

	b.pref = true;
	b.pipeline_depth++;
	b.rdma_read = true;
	b.rdma_write = true;
	KUNIT_EXPECT_EQ(test, fcvi_attrs_differ(&a, &b), FCVI_SAME);
	b.max_delay = 1;
	KUNIT_EXPECT_EQ(test, fcvi_attrs_differ(&a, &b), FCVI_DIFFERENT_QOS);
	b.max_delay = 0;
	b.min_bandwidth = 1;
	KUNIT_EXPECT_EQ(test, fcvi_attrs_differ(&a, &b), FCVI_DIFFERENT_QOS);
	KUNIT_EXPECT_FALSE(test, fcvi_attrs_offered(&b));
	b.max_trans_size--;
	KUNIT_EXPECT_EQ(test, fcvi_attrs_differ(&a, &b), FCVI_DIFFERENT_SIZE);
	b.level = FCVI_UD;
	KUNIT_EXPECT_EQ(test, fcvi_attrs_differ(&a, &b), FCVI_DIFFERENT_LEVEL);
	KUNIT_EXPECT_TRUE(test, fcvi_attrs_offered(&a));
}

/* 03: nobody waits there in that mode; 01: somebody does, with another Discriminator */
static void test_points(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_connect rqst = { .loc = test_there, .rem = test_here };
	struct fcvi_point second = { .addr = test_here };
	enum fcvi_reason refuse;

	list_add_tail(&second.list, &p->port.points);
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_point(&p->port, &rqst, &refuse), &p->point);
	second.addr.discrim[0]++;
	rqst.rem = second.addr;
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_point(&p->port, &rqst, &refuse), &second);
	rqst.rem.discrim[0]++;
	KUNIT_EXPECT_NULL(test, fcvi_match_point(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NO_MATCH);
	rqst.rem.host.s6_addr[0]++;
	KUNIT_EXPECT_NULL(test, fcvi_match_point(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NOT_WAITING);
	list_del(&second.list);
	test_port_end(p);
}

/* A point that waits at all Host Addresses of the port, and at no other */
static void test_anywhere(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_connect rqst = { .loc = test_there, .rem = test_here };
	struct fcvi_point all = { .addr = test_here };
	enum fcvi_reason refuse;

	memset(&all.addr.host, 0, sizeof(all.addr.host));
	all.addr.discrim[0]++;
	list_add_tail(&all.list, &p->port.points);
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_point(&p->port, &rqst, &refuse), &p->point);
	rqst.rem.discrim[0]++;
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_point(&p->port, &rqst, &refuse), &all);
	rqst.rem.host = test_there.host;
	KUNIT_EXPECT_NULL(test, fcvi_match_point(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NOT_WAITING);
	list_del(&all.list);
	test_port_end(p);
}

static void test_peers(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fcvi_connect rqst = { .loc = test_there, .rem = test_here };
	enum fcvi_reason refuse;

	KUNIT_EXPECT_NULL(test, fcvi_match_peer(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NOT_WAITING);
	test_connect(p, FCVI_PEER);
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_peer(&p->port, &rqst, &refuse), &p->vi[0]);
	/* The Discriminator of its own local address does not matter */
	rqst.loc.discrim[0]++;
	KUNIT_EXPECT_PTR_EQ(test, fcvi_match_peer(&p->port, &rqst, &refuse), &p->vi[0]);
	rqst.loc.host.s6_addr[15]++;
	KUNIT_EXPECT_NULL(test, fcvi_match_peer(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NO_MATCH);
	rqst.loc = test_there;
	rqst.rem.discrim[0]++;
	KUNIT_EXPECT_NULL(test, fcvi_match_peer(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NO_MATCH);
	rqst.rem = test_there;
	KUNIT_EXPECT_NULL(test, fcvi_match_peer(&p->port, &rqst, &refuse));
	KUNIT_EXPECT_EQ(test, refuse, FCVI_NOT_WAITING);
	test_port_end(p);
}

static void test_handles(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct fc2_rport stranger = {};
	struct fcvi_handle *a, *b;
	u32 old;

	p->port.next_handle = FCVI_HANDLE_NONE - 1;
	a = fcvi_handle_new(p->vi, &p->rport);
	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_EXPECT_EQ(test, a->value, FCVI_HANDLE_NONE - 1);
	b = fcvi_handle_new(p->vi, &p->rport);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_EQ(test, b->value, 0);
	KUNIT_EXPECT_PTR_EQ(test, fcvi_handle_find(&p->port, 0, &p->rport), b);
	KUNIT_EXPECT_NULL(test, fcvi_handle_find(&p->port, 0, &stranger));
	KUNIT_EXPECT_NULL(test, fcvi_handle_find(&p->port, FCVI_HANDLE_NONE, &p->rport));

	/* Not given again within R_A_TOV, and told as no endpoint's */
	old = b->value;
	fcvi_handle_release(b);
	test_pass(p, TEST_TOV - 1);
	KUNIT_EXPECT_PTR_EQ(test, fcvi_handle_find(&p->port, old, &p->rport), b);
	KUNIT_EXPECT_NULL(test, b->vi);
	p->port.next_handle = old;
	b = fcvi_handle_new(p->vi, &p->rport);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_NE(test, b->value, old);
	test_pass(p, 1);
	KUNIT_EXPECT_NULL(test, fcvi_handle_find(&p->port, old, &p->rport));

	/* After a logout at once, FC-VI 8.4.2 g */
	fcvi_handle_release(a);
	fcvi_handles_logout(&p->port, &p->rport);
	fcvi_handle_release(b);
	KUNIT_EXPECT_TRUE(test, xa_empty(&p->port.handles));
	test_port_end(p);
}

/* Never 0, FC-VI 6.12.2, nor FFFFFFFF, 5.9.10 */
static void test_ids(struct kunit *test)
{
	struct test_port *p = test_port(test);

	KUNIT_EXPECT_EQ(test, fcvi_id_new(&p->port), 1);
	p->port.next_id = 0xfffffffd;
	KUNIT_EXPECT_EQ(test, fcvi_id_new(&p->port), 0xfffffffe);
	KUNIT_EXPECT_EQ(test, fcvi_id_new(&p->port), 1);
	test_port_end(p);
}

static struct kunit_case fcvi_match_cases[] = {
	KUNIT_CASE(test_addresses),
	KUNIT_CASE(test_attributes),
	KUNIT_CASE(test_points),
	KUNIT_CASE(test_anywhere),
	KUNIT_CASE(test_peers),
	KUNIT_CASE(test_handles),
	KUNIT_CASE(test_ids),
	{}
};

static struct kunit_suite fcvi_match_suite = {
	.name		= "fcvi_match",
	.test_cases	= fcvi_match_cases,
};

kunit_test_suites(&fcvi_match_suite);
