// SPDX-License-Identifier: GPL-2.0
/*
 * Messages and modes that users define, 3.4.5 SF4.
 */
#include "tm_common.h"

static unsigned int test_calls;
static struct rio9_tm_user test_got;

static void test_message(struct rio9_port *port, const struct rio9_tm_user *msg)
{
	test_calls++;
	test_got = *msg;
}

static const struct rio9_tm_hook test_hook = {
	.modes = BIT(8) | BIT(15), .message = test_message,
};

static void test_unhook(void *data)
{
	rio9_tm_unregister(&test_hook);
}

static void test_hooked(struct kunit *test)
{
	test_calls = 0;
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_register(&test_hook));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_unhook, NULL));
}

/* One hook, for modes that users define */
static void test_register(struct kunit *test)
{
	struct rio9_tm_hook wrong = test_hook;

	wrong.modes |= BIT(7);
	KUNIT_EXPECT_EQ(test, rio9_tm_register(&wrong), -EINVAL);
	wrong.modes = 0;
	wrong.message = NULL;
	KUNIT_EXPECT_EQ(test, rio9_tm_register(&wrong), -EINVAL);
	test_hooked(test);
	KUNIT_EXPECT_EQ(test, rio9_tm_register(&test_hook), -EBUSY);
}

/* Messages of users go to the hook and to listeners, and change nothing */
static void test_messages(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);

	test_hooked(test);
	test_tm_rx(t, TEST_PEER, test_class(3), 0, 0x00, 0x01);
	test_tm_rx(t, TEST_PEER, test_class(3), 0, 0x00, 0xfe);
	test_tm_rx(t, TEST_PEER, test_stream(3, 7), 3, 0x12, 0x00);
	KUNIT_EXPECT_EQ(test, test_calls, 3);
	KUNIT_EXPECT_EQ(test, t->events, 3);
	KUNIT_EXPECT_EQ(test, t->last.peer, TEST_PEER);
	KUNIT_EXPECT_EQ(test, t->last.op, 3);
	KUNIT_EXPECT_EQ(test, t->last.stream, 7);
	KUNIT_EXPECT_EQ(test, t->last.param1, 0x12);
	KUNIT_EXPECT_MEMEQ(test, &t->last, &test_got, sizeof(test_got));
	/* A TM OP that the mode has not */
	test_tm_rx(t, TEST_PEER, test_class(3), 2, 0x00, 0x01);
	test_stat_is(t, RIO9_STAT_TM_OTHER_MODE, 1);
	test_stat_is(t, RIO9_STAT_TM_USER, 3);
	KUNIT_EXPECT_EQ(test, test_calls, 3);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 3, 7));
	test_tm_expect(t, "");
}

/* 1000 events a second; without anybody they are counted only */
static void test_events(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	struct rio9_tm_ops ops = *t->tm.ops;
	typeof(ops.event) event = ops.event;
	unsigned int i, second;

	for (second = 1; second <= 3; second++) {
		for (i = 0; i < 1200; i++)
			test_tm_rx(t, TEST_PEER, test_class(3), 3, 0, 0);
		KUNIT_EXPECT_EQ(test, t->events, 1000 * second);
		test_stat_is(t, RIO9_STAT_TM_EVENTS_LOST, 200 * second);
		t->now += NSEC_PER_SEC;
	}
	t->tm.stats[RIO9_STAT_TM_NO_USER] = 0;
	ops.event = NULL;
	t->tm.ops = &ops;
	test_tm_rx(t, TEST_PEER, test_class(3), 3, 0, 0);
	test_stat_is(t, RIO9_STAT_TM_NO_USER, 1);
	ops.event = event;
	t->alone = true;
	test_tm_rx(t, TEST_PEER, test_class(3), 3, 0, 0);
	test_stat_is(t, RIO9_STAT_TM_NO_USER, 2);
	KUNIT_EXPECT_EQ(test, t->events, 3000);
	test_stat_is(t, RIO9_STAT_TM_EVENTS_LOST, 600);
}

/* A mode of the hook: all is the hook's, and it goes with it */
static void test_mode(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	unsigned int mode;

	for (mode = RIO9_TM_HOOK; mode < RIO9_TM_MODES; mode++)
		KUNIT_EXPECT_EQ(test, rio9_tm_set_mode(&t->tm, mode), -EINVAL);
	test_hooked(test);
	for (mode = RIO9_TM_HOOK; mode < RIO9_TM_MODES; mode++)
		KUNIT_EXPECT_EQ(test, rio9_tm_set_mode(&t->tm, mode),
				test_hook.modes & BIT(mode) ? 0 : -EINVAL);
	test_xoff(t, TEST_PEER, test_all());
	test_tm_rx(t, TEST_PEER, test_all(), 2, 0x77, 0x77);
	test_tm_rx(t, TEST_PEER, test_all(), 4, 0, 0);
	KUNIT_EXPECT_EQ(test, test_calls, 2);
	KUNIT_EXPECT_EQ(test, t->events, 0);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 0, 0));
	test_stat_is(t, RIO9_STAT_TM_RESERVED, 1);
	kunit_release_action(test, test_unhook, NULL);
	KUNIT_EXPECT_EQ(test, t->tm.mode, RIO9_TM_DISABLED);
}

/* What may be sent: nothing that means XOFF, XON or anything that has a meaning, or none */
static void test_sends(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_DISABLED);
	struct rio9_tm_user msg = { .cos = 0x47, .stream = 9, .op = 3, .param1 = 1 };
	unsigned int op, param1, param2;

	KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, TEST_PEER, &msg), -EOPNOTSUPP);
	rio9_tm_set_mode(&t->tm, RIO9_TM_RATE);
	KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, 99, &msg), -EHOSTUNREACH);
	KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, TEST_PEER, &msg), 0);
	test_tm_expect(t, "21 0/00 47 9: 3 01 00");
	msg.mask = 1;
	KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, TEST_PEER, &msg), -EINVAL);
	msg.mask = 0;
	for (op = 0; op < 16; op++) {
		for (param1 = 0; param1 < 256; param1++) {
			for (param2 = 0; param2 < 256; param2 += param1 ? 51 : 1) {
				int expect = -EINVAL;

				msg.op = op;
				msg.param1 = param1;
				msg.param2 = param2;
				if (op == 3 || (op < 2 && !param1 && param2 && param2 < 255))
					expect = 0;
				else if (op == 2 && !param1 && param2 && param2 < 255)
					expect = -EOPNOTSUPP;
				KUNIT_EXPECT_EQ_MSG(test, expect,
						    rio9_tm_send_user(&t->tm, TEST_PEER, &msg),
						    "%x %02x %02x", op, param1, param2);
				rio9_tm_pop(&t->tm, RIO9_FLOW_B, &(struct rio9_packet) {});
			}
		}
	}
	msg.op = 3;
	for (op = 0; op < RIO9_TM_PENDING; op++)
		KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, TEST_PEER, &msg), 0);
	KUNIT_EXPECT_EQ(test, rio9_tm_send_user(&t->tm, TEST_PEER, &msg), -ENOBUFS);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_register),
	KUNIT_CASE(test_messages),
	KUNIT_CASE(test_events),
	KUNIT_CASE(test_mode),
	KUNIT_CASE(test_sends),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm_user",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
