// SPDX-License-Identifier: GPL-2.0
/*
 * Credits at the ingress, 3.4.4.
 */
#include "tm_common.h"

#define TEST_COS	0x85

/* A credit for each PDU; CREDIT_STATUS before the first of a unit and after the last */
static void test_units(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);
	unsigned int unit;

	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	test_allocate(t, test_class(TEST_COS), 0, 2);
	KUNIT_EXPECT_EQ(test, t->kicks, 2);
	test_tm_expect(t, "");
	for (unit = 0; unit < 16; unit++) {
		char expect[64];

		test_allocate(t, test_class(TEST_COS), (unit + 1) % 16, 2);
		KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
		snprintf(expect, sizeof(expect), "21 1/00 85 0: 2 %02x 02", 0x20 | unit);
		test_tm_expect(t, expect);
		/* Asked again, it is not said again */
		KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
		test_tm_expect(t, "");
		KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 2, 100));
		snprintf(expect, sizeof(expect), "21 1/00 85 0: 2 %02x 00", 0x20 | unit);
		test_tm_expect(t, expect);
	}
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	test_tm_expect(t, "21 1/00 85 0: 2 20 02, 21 1/00 85 0: 2 20 00");
	test_stat_is(t, RIO9_STAT_TM_ALLOCATE, 17);
}

/* ALLOCATE a, 0 is answered, also for a unit that is not there */
static void test_taken_back(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_class(TEST_COS), 5, 0);
	test_tm_expect(t, "21 1/00 85 0: 2 25 00");
	test_allocate(t, test_class(TEST_COS), 0, 9);
	test_allocate(t, test_class(TEST_COS), 1, 9);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_tm_expect(t, "21 1/00 85 0: 2 20 09");
	/* The next unit is used */
	test_allocate(t, test_class(TEST_COS), 0, 0);
	test_tm_expect(t, "21 1/00 85 0: 2 20 00");
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	test_tm_expect(t, "21 1/00 85 0: 2 21 09");
	/* A PDU is on its way: the answer comes behind it */
	test_allocate(t, test_class(TEST_COS), 1, 0);
	test_allocate(t, test_class(TEST_COS), 1, 0);
	test_tm_expect(t, "");
	rio9_tm_sent(&t->tm, &(struct rio9_pdu) { .peer = TEST_PEER, .cos = TEST_COS }, 9, t->now);
	test_tm_expect(t, "21 1/00 85 0: 2 21 00");
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
}

/* More for a unit that has some: they replace them, and are counted */
static void test_replaced(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_class(TEST_COS), 0, 9);
	test_allocate(t, test_class(TEST_COS), 0, 1);
	test_stat_is(t, RIO9_STAT_TM_REPLACED, 1);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	KUNIT_EXPECT_FALSE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_tm_expect(t, "21 1/00 85 0: 2 20 01, 21 1/00 85 0: 2 20 00");
}

/* The narrowest operand that has credits */
static void test_narrowest(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_group(0x80, 0x3f), 0, 1);
	test_allocate(t, test_class(TEST_COS), 0, 1);
	test_allocate(t, test_stream(TEST_COS, 1), 0, 1);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_tm_expect(t, "21 0/00 85 1: 2 20 01, 21 0/00 85 1: 2 20 00");
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_tm_expect(t, "21 1/00 85 0: 2 20 01, 21 1/00 85 0: 2 20 00");
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_tm_expect(t, "21 1/3f 80 0: 2 20 01, 21 1/3f 80 0: 2 20 00");
	KUNIT_EXPECT_FALSE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
}

/* Credits for queues of several flows */
static void test_spans(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_group(0, 0x7f), 0, 9);
	test_allocate(t, test_all(), 0, 9);
	test_allocate(t, test_any(), 0, 0);
	test_stat_is(t, RIO9_STAT_TM_SPANS, 3);
	test_stat_is(t, RIO9_STAT_TM_ALLOCATE, 0);
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 0, 1));
	test_tm_expect(t, "");
}

/* XOFF and XON leave credits as they are */
static void test_off(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_class(TEST_COS), 0, 1);
	test_xoff(t, TEST_PEER, test_class(TEST_COS));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	test_xon(t, TEST_PEER, test_class(TEST_COS));
	test_tm_expect(t, "");
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	test_xon(t, TEST_PEER, test_class(TEST_COS));
	KUNIT_EXPECT_FALSE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
}

/* A queue that has been empty for a second gives credits back */
static void test_given_back(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_class(TEST_COS), 3, 5);
	test_allocate(t, test_class(TEST_COS), 4, 5);
	test_tm_voq(t, TEST_PEER, TEST_COS, 1, 1, false);
	test_tm_later(t, 3 * NSEC_PER_SEC);
	test_tm_expect(t, "");
	test_tm_voq(t, TEST_PEER, TEST_COS, 1, 0, false);
	test_tm_later(t, NSEC_PER_SEC - 1);
	test_tm_expect(t, "");
	test_tm_later(t, 1);
	test_tm_expect(t, "21 1/00 85 0: 2 23 00, 21 1/00 85 0: 2 24 00, 21 1/00 85 0: 2 30 00");
	test_stat_is(t, RIO9_STAT_TM_RETURNED, 1);
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	test_tm_later(t, 3 * NSEC_PER_SEC);
	test_tm_expect(t, "");
}

/* No credits: Q_STATUS, 30 in credit modes */
static void test_asks(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT_RATE);

	test_tm_voq(t, TEST_PEER, TEST_COS, 1, 255, true);
	test_tm_expect(t, "21 1/00 85 0: 2 30 ff");
	test_tm_later(t, RIO9_TM_ASK_AGAIN);
	test_tm_expect(t, "21 1/00 85 0: 2 30 ff");
	test_allocate(t, test_class(TEST_COS), 0, 1);
	test_tm_later(t, RIO9_TM_ASK_AGAIN);
	test_tm_expect(t, "");
}

/* A PDU of a unit that was replaced and taken back costs nothing of the next one */
static void test_gone_in_flight(struct kunit *test)
{
	const struct rio9_pdu pdu = { .peer = TEST_PEER, .cos = TEST_COS };
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_allocate(t, test_class(TEST_COS), 0, 2);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
	/* XOFF, so that the operand stays without credits */
	test_tm_rx(t, TEST_PEER, test_class(TEST_COS), RIO9_TM_OP_CREDIT, 0, 0);
	test_allocate(t, test_class(TEST_COS), 0, 2);
	test_allocate(t, test_class(TEST_COS), 0, 0);
	test_tm_expect(t, "21 1/00 85 0: 2 20 02, 21 1/00 85 0: 2 20 00");
	test_allocate(t, test_class(TEST_COS), 1, 1);
	rio9_tm_sent(&t->tm, &pdu, 9, t->now);
	test_tm_rx(t, TEST_PEER, test_class(TEST_COS), RIO9_TM_OP_CREDIT, 0, 0xff);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 1, 100));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, TEST_COS, 1));
}

/* 64 operands with credits, and no more; 16 units of each */
static void test_many(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);
	unsigned int i, unit;

	for (i = 0; i <= RIO9_TM_OPERANDS; i++)
		for (unit = 0; unit < 16; unit++)
			test_allocate(t, test_stream(TEST_COS, i), unit, 255);
	test_stat_is(t, RIO9_STAT_TM_ALLOCATE, 64 * 16);
	test_stat_is(t, RIO9_STAT_TM_OPERANDS, 16);
	for (i = 0; i < 16 * 255; i++)
		KUNIT_ASSERT_TRUE(test, test_tm_send(t, TEST_PEER, TEST_COS, 0, 100));
	KUNIT_EXPECT_FALSE(test, test_tm_send(t, TEST_PEER, TEST_COS, 0, 100));
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_units),
	KUNIT_CASE(test_taken_back),
	KUNIT_CASE(test_replaced),
	KUNIT_CASE(test_narrowest),
	KUNIT_CASE(test_spans),
	KUNIT_CASE(test_off),
	KUNIT_CASE(test_given_back),
	KUNIT_CASE(test_asks),
	KUNIT_CASE(test_gone_in_flight),
	KUNIT_CASE(test_many),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm_credit",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
