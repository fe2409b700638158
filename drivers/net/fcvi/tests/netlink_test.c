// SPDX-License-Identifier: GPL-2.0
/*
 * What generic netlink tells of an endpoint in its states.
 */
#include <kunit/test.h>
#include <linux/fc2.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include <uapi/linux/fcvi_netlink.h>

#include "netlink.h"
#include "port.h"
#include "state.h"

struct test_message {
	struct sk_buff	*skb;
	struct nlattr	*attrs[FCVI_A_VI_MAX + 1];
};

/* The attributes of the first endpoint; the lock of the port is held */
static struct test_message *test_message(struct test_port *p)
{
	struct test_message *m = kzalloc(sizeof(*m), GFP_ATOMIC);

	KUNIT_ASSERT_NOT_NULL(p->test, m);
	m->skb = alloc_skb(4096, GFP_ATOMIC);
	KUNIT_ASSERT_NOT_NULL(p->test, m->skb);
	KUNIT_ASSERT_EQ(p->test, fcvi_nl_put_vi(m->skb, &p->vi[0]), 0);
	KUNIT_ASSERT_EQ(p->test, nla_parse(m->attrs, FCVI_A_VI_MAX, (void *)m->skb->data,
					   m->skb->len, NULL, NULL), 0);
	return m;
}

static void test_message_free(struct test_message *m)
{
	kfree_skb(m->skb);
	kfree(m);
}

static void test_number(struct test_port *p, const struct test_message *m, int attr, u64 want)
{
	KUNIT_ASSERT_NOT_NULL_MSG(p->test, m->attrs[attr], "attribute %d", attr);
	KUNIT_EXPECT_EQ_MSG(p->test, nla_len(m->attrs[attr]) == 8 ? nla_get_u64(m->attrs[attr]) :
			    nla_get_u32(m->attrs[attr]), want, "attribute %d", attr);
}

static void test_address(struct test_port *p, const struct test_message *m, int host,
			 const struct fcvi_addr *want)
{
	KUNIT_ASSERT_NOT_NULL(p->test, m->attrs[host]);
	KUNIT_ASSERT_EQ(p->test, nla_len(m->attrs[host]), 16);
	KUNIT_EXPECT_MEMEQ(p->test, nla_data(m->attrs[host]), &want->host, 16);
	KUNIT_ASSERT_NOT_NULL(p->test, m->attrs[host + 1]);
	KUNIT_ASSERT_EQ(p->test, nla_len(m->attrs[host + 1]), want->len);
	KUNIT_EXPECT_MEMEQ(p->test, nla_data(m->attrs[host + 1]), want->discrim, want->len);
}

static void test_absent(struct test_port *p, const struct test_message *m, int attr)
{
	KUNIT_EXPECT_NULL_MSG(p->test, m->attrs[attr], "attribute %d", attr);
}

static void test_idle(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct test_message *m = test_message(p);
	int attr;

	test_number(p, m, FCVI_A_VI_STATE, FCVI_VI_STATE_IDLE);
	test_number(p, m, FCVI_A_VI_LEVEL, FCVI_VI_LEVEL_RELIABLE_DELIVERY);
	test_number(p, m, FCVI_A_VI_MAX_TRANS_SIZE, 65536);
	test_number(p, m, FCVI_A_VI_PIPELINE_DEPTH, 7);
	test_absent(p, m, FCVI_A_VI_ROLE);
	for (attr = FCVI_A_VI_HANDLE; attr <= FCVI_A_VI_REMOTE_WWPN; attr++)
		test_absent(p, m, attr);
	for (attr = FCVI_A_VI_RDMA_WRITE; attr <= FCVI_A_VI_PREF; attr++)
		test_absent(p, m, attr);
	test_message_free(m);
	test_port_end(p);
}

static void test_connected(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct test_message *m;

	p->port.next_handle = 0x55;
	p->rport.id = 0xabcdef;
	p->vi[0].attrs.rdma_read = true;
	test_connect(p, FCVI_CLIENT);
	m = test_message(p);
	test_number(p, m, FCVI_A_VI_STATE, FCVI_VI_STATE_PENDING);
	test_number(p, m, FCVI_A_VI_HANDLE, 0x55);
	test_absent(p, m, FCVI_A_VI_REMOTE_HANDLE);
	test_message_free(m);

	test_resp1(p, p->vi[0].own->x, p->vi[0].own->id, FCVI_OK);
	m = test_message(p);
	test_number(p, m, FCVI_A_VI_STATE, FCVI_VI_STATE_CONNECTED);
	test_number(p, m, FCVI_A_VI_ROLE, FCVI_VI_ROLE_CLIENT);
	test_number(p, m, FCVI_A_VI_REMOTE_HANDLE, TEST_PEER);
	test_number(p, m, FCVI_A_VI_REMOTE_ID, 0xabcdef);
	test_number(p, m, FCVI_A_VI_REMOTE_WWPN, 0x2000);
	test_address(p, m, FCVI_A_VI_LOCAL_HOST, &test_here);
	test_address(p, m, FCVI_A_VI_REMOTE_HOST, &test_there);
	KUNIT_EXPECT_NOT_NULL(test, m->attrs[FCVI_A_VI_RDMA_READ]);
	test_absent(p, m, FCVI_A_VI_RDMA_WRITE);
	test_message_free(m);

	/* Nothing is kept of a remote port that has logged out */
	fcvi_port_logout(&p->port, &p->rport);
	m = test_message(p);
	test_number(p, m, FCVI_A_VI_STATE, FCVI_VI_STATE_ERROR);
	test_absent(p, m, FCVI_A_VI_REMOTE_ID);
	test_absent(p, m, FCVI_A_VI_REMOTE_WWPN);
	test_message_free(m);
	test_port_end(p);
}

/* Each counter has a name of its own, and the value of the endpoint */
static void test_counters(struct kunit *test)
{
	struct test_port *p = test_port(test);
	struct nlattr *nest[FCVI_A_COUNTER_MAX + 1], *attr;
	struct test_message *m;
	unsigned int i, n = 0;
	int rem;

	for (i = 0; i < FCVI_MSG_STATS; i++) {
		fcvi_count(&p->vi[0], i, i + 1);
		fcvi_count(&p->vi[1], i, 100);
	}
	m = test_message(p);
	nla_for_each_attr(attr, (void *)m->skb->data, m->skb->len, rem) {
		if (nla_type(attr) != FCVI_A_VI_COUNTER)
			continue;
		KUNIT_ASSERT_EQ(test, nla_parse_nested(nest, FCVI_A_COUNTER_MAX, attr, NULL, NULL),
				0);
		KUNIT_ASSERT_NOT_NULL(test, nest[FCVI_A_COUNTER_NAME]);
		KUNIT_EXPECT_GT(test, nla_len(nest[FCVI_A_COUNTER_NAME]), 5);
		KUNIT_EXPECT_EQ(test, nla_get_uint(nest[FCVI_A_COUNTER_VALUE]), ++n);
	}
	KUNIT_EXPECT_EQ(test, n, FCVI_MSG_STATS);
	KUNIT_EXPECT_EQ(test, p->port.msg_stats[0], 101);
	test_message_free(m);
	test_port_end(p);
}

static void test_no_room(struct kunit *test)
{
	struct test_port *p = test_port(test);
	unsigned int size;

	test_connect(p, FCVI_CLIENT);
	for (size = 0; size < 512; size += 4) {
		struct sk_buff *skb = alloc_skb(size, GFP_ATOMIC);

		KUNIT_ASSERT_NOT_NULL(test, skb);
		/* The allocator gives more */
		skb_reserve(skb, skb_tailroom(skb) - size);
		KUNIT_EXPECT_EQ(test, fcvi_nl_put_vi(skb, &p->vi[0]), -EMSGSIZE);
		kfree_skb(skb);
	}
	test_port_end(p);
}

static struct kunit_case fcvi_netlink_cases[] = {
	KUNIT_CASE(test_idle),
	KUNIT_CASE(test_connected),
	KUNIT_CASE(test_counters),
	KUNIT_CASE(test_no_room),
	{}
};

static struct kunit_suite fcvi_netlink_suite = {
	.name		= "fcvi_netlink",
	.test_cases	= fcvi_netlink_cases,
};

kunit_test_suites(&fcvi_netlink_suite);
