// SPDX-License-Identifier: GPL-2.0
/*
 * What is sent obeys XON, XOFF and rates, 3.4.2 and 3.4.3.
 */
#include <linux/delay.h>

#include "tm_common.h"

/* In mode 0 nothing is obeyed; in the others what they have */
static void test_modes(struct kunit *test)
{
	static const u8 ops[] = { 0, 0x1, 0x3, 0x5, 0x7 };
	unsigned int mode, op;

	for (mode = 0; mode < ARRAY_SIZE(ops); mode++) {
		for (op = 0; op < 3; op++) {
			struct test_tm *t = test_tm(test, mode);
			bool has = ops[mode] & BIT(op);
			/* In credit modes nothing is sent without credits */
			u8 cos = 3;

			if (mode >= RIO9_TM_CREDIT)
				test_allocate(t, test_class(cos), 0, 9);
			test_tm_rx(t, TEST_PEER, test_class(cos), op, 0x00, 0x00);
			KUNIT_EXPECT_EQ_MSG(test, test_tm_may(t, TEST_PEER, cos, 1), !has,
					    "mode %u, OP %u", mode, op);
			test_stat_is(t, RIO9_STAT_TM_OTHER_MODE, !has);
			test_stat_is(t, RIO9_STAT_TM_XOFF, has);
			test_tm_rx(t, TEST_PEER, test_class(cos), op, 0x00, 0xff);
			KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, cos, 1));
			test_stat_is(t, RIO9_STAT_TM_XON, has);
		}
	}
}

static void test_mode_values(struct kunit *test)
{
	struct test_tm *t = test_tm(test, 0);
	static const u8 types[] = { 0x0, 0x1, 0x3, 0x5, 0x7 };
	/* By types: modes that are there */
	static const u8 modes[] = { 0x01, 0x03, 0x07, 0x0b, 0x1f };
	unsigned int i, mode;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		t->tm.types = types[i];
		for (mode = 0; mode < 256; mode++)
			KUNIT_EXPECT_EQ_MSG(test, rio9_tm_set_mode(&t->tm, mode),
					    mode < 8 && modes[i] & BIT(mode) ? 0 : -EINVAL,
					    "types %x, mode %u", types[i], mode);
	}
}

/* 3.4.5 E6, and the newest message counts where operands overlap */
static void test_newest(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	struct rio9_tm_peer *peer = xa_load(&t->tm.peers, TEST_PEER);

	test_xon(t, TEST_PEER, test_class(3));
	test_xoff(t, TEST_PEER, test_class(3));
	test_xoff(t, TEST_PEER, test_class(3));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 3, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 2, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_OTHER, 3, 1));
	test_xon(t, TEST_PEER, test_stream(3, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 3, 1));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 3, 2));
	test_xoff(t, TEST_PEER, test_group(0, 0x0f));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 3, 1));
	test_xon(t, TEST_PEER, test_class(3));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 3, 2));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 4, 2));
	test_xoff(t, TEST_PEER, test_all());
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 0xff, 0));
	test_xon(t, TEST_PEER, test_all());
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 4, 2));
	test_xon(t, TEST_PEER, test_all());
	/* What matters no more takes no room */
	KUNIT_EXPECT_EQ(test, peer->operand_count, 0);
}

/* Operand 111: obeyed, unless a switch says no */
static void test_everybody(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);

	test_xoff(t, TEST_OTHER, test_any());
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 3, 1));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, 99, 3, 1));
	test_xon(t, TEST_PEER, test_class(3));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 3, 1));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 2, 1));
	/* What a peer has said goes with it */
	rio9_tm_del_peer(&t->tm, TEST_OTHER);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, 99, 3, 1));

	WRITE_ONCE(t->tm.obey_any, false);
	test_xoff(t, TEST_PEER, test_any());
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 2, 1));
	test_stat_is(t, RIO9_STAT_TM_NOT_ALLOWED, 1);
}

/* 64 operands are remembered; nobody who is not known has any */
static void test_operands(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	unsigned int i;

	for (i = 0; i <= RIO9_TM_OPERANDS; i++)
		test_xoff(t, TEST_PEER, test_stream(3, i));
	test_stat_is(t, RIO9_STAT_TM_OPERANDS, 1);
	for (i = 0; i <= RIO9_TM_OPERANDS; i++)
		KUNIT_EXPECT_EQ(test, test_tm_may(t, TEST_PEER, 3, i), i == RIO9_TM_OPERANDS);
	/* Those that are known are obeyed still, and another peer's, too */
	test_xon(t, TEST_PEER, test_stream(3, 7));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 3, 7));
	test_xoff(t, TEST_OTHER, test_class(3));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_OTHER, 3, 7));
	test_xoff(t, 99, test_all());
	test_stat_is(t, RIO9_STAT_TM_UNKNOWN_SOURCE, 1);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, 99, 3, 7));
}

/* A peer that is enumerated anew, and another mode, begin anew */
static void test_anew(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_RATE);

	test_xoff(t, TEST_PEER, test_all());
	test_xoff(t, TEST_OTHER, test_all());
	KUNIT_EXPECT_EQ(test, rio9_tm_add_peer(&t->tm, TEST_PEER), 0);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 0, 0));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_OTHER, 0, 0));
	KUNIT_EXPECT_EQ(test, rio9_tm_set_mode(&t->tm, RIO9_TM_BASIC), 0);
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_OTHER, 0, 0));
}

/* Q_STATUS when a queue is stopped, and every 100 ms, 3.4.2 */
static void test_asks(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	unsigned int i;

	test_tm_voq(t, TEST_PEER, 0x43, 7, 10, false);
	test_tm_later(t, NSEC_PER_SEC);
	test_tm_expect(t, "");
	test_xoff(t, TEST_PEER, test_class(0x43));
	test_tm_voq(t, TEST_PEER, 0x43, 7, 10, true);
	test_tm_expect(t, "21 1/00 43 0: 0 03 0a");
	test_tm_voq(t, TEST_PEER, 0x43, 7, 20, true);
	test_tm_later(t, RIO9_TM_ASK_AGAIN - 1);
	test_tm_expect(t, "");
	for (i = 0; i < 5; i++) {
		test_tm_later(t, i ? RIO9_TM_ASK_AGAIN : 1);
		test_tm_expect(t, "21 1/00 43 0: 0 03 14");
	}
	test_xon(t, TEST_PEER, test_class(0x43));
	test_tm_later(t, NSEC_PER_SEC);
	test_tm_expect(t, "");
	/* Nothing to send, nothing to ask for */
	test_xoff(t, TEST_PEER, test_class(0x43));
	test_tm_voq(t, TEST_PEER, 0x43, 7, 0, false);
	test_tm_later(t, NSEC_PER_SEC);
	test_tm_expect(t, "");
}

/* Many queues ask a few at a time, and each of them does */
static void test_asks_in_turn(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	const struct rio9_tm_q all = { .wildcard = RIO9_W_CLASS | RIO9_W_STREAM };
	DECLARE_BITMAP(asked, 256) = {};
	unsigned int cos, channel, rounds, n;
	struct rio9_packet p;

	test_xoff(t, TEST_PEER, all);
	for (cos = 0; cos < 40; cos++)
		test_tm_voq(t, TEST_PEER, cos, 7, 10, true);
	while (rio9_tm_pop(&t->tm, RIO9_FLOW_A, &p))
		;
	test_tm_later(t, RIO9_TM_ASK_AGAIN);
	for (rounds = 0; bitmap_weight(asked, 256) < 40 && rounds < 10; rounds++) {
		n = 0;
		for (channel = 0; channel < RIO9_CHANNELS; channel++)
			while (rio9_tm_pop(&t->tm, channel, &p)) {
				__set_bit(p.cos, asked);
				n++;
			}
		KUNIT_EXPECT_LE(test, n, RIO9_TM_ASK_MOST);
		test_tm_later(t, RIO9_TM_ASK_REST);
	}
	KUNIT_EXPECT_EQ(test, rounds, 3);
	KUNIT_EXPECT_EQ(test, bitmap_weight(asked, 256), 40);
}

/* Sends as much as may be sent for so long: bytes, and the shortest time between two */
static u64 test_run(struct test_tm *t, u64 ns, unsigned int len, u64 *shortest)
{
	const struct rio9_pdu pdu = { .peer = TEST_PEER };
	u64 end = t->now + ns, bytes = 0, again, last = 0;

	*shortest = U64_MAX;
	while (t->now < end) {
		if (rio9_tm_may_send(&t->tm, &pdu, len, t->now, &again)) {
			if (last)
				*shortest = min(*shortest, t->now - last);
			last = t->now;
			rio9_tm_sent(&t->tm, &pdu, len, t->now);
			bytes += len;
		} else {
			KUNIT_ASSERT_GT(t->test, again, t->now);
			KUNIT_EXPECT_EQ(t->test, t->tm.wake, again);
			t->now = again;
			rio9_tm_tick(&t->tm, t->now);
		}
	}
	return bytes;
}

/* An average is held within 5 %, for all sizes of PDUs and from the least rate on */
static void test_average(struct kunit *test)
{
	static const unsigned int sizes[] = { 64, 1500, 65536 };
	static const u64 rates[] = { RIO9_TM_RATE_LEAST, 10000000, 400000000 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (k = 0; k < ARRAY_SIZE(rates); k++) {
			struct test_tm *t = test_tm(test, RIO9_TM_RATE);
			u64 ns, bytes, shortest;

			t->tm.rate = 2 * rates[k];
			test_rate(t, test_class(0), 0x01, 0x80);
			/* The bucket is full at first */
			ns = div64_u64(20ULL * NSEC_PER_SEC * RIO9_TM_BUCKET, rates[k]);
			test_run(t, ns / 10, sizes[i], &shortest);
			bytes = test_run(t, ns, sizes[i], &shortest);
			KUNIT_EXPECT_GT(test, bytes, 19ULL * RIO9_TM_BUCKET);
			KUNIT_EXPECT_LT(test, bytes, 21ULL * RIO9_TM_BUCKET);
		}
	}
}

/* A peak is kept from the first PDU on */
static void test_peak(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_RATE);
	u64 bytes, shortest;

	t->tm.rate = 20000000;
	test_rate(t, test_class(0), 0x05, 0x80);
	bytes = test_run(t, NSEC_PER_SEC / 10, 1000, &shortest);
	KUNIT_EXPECT_GE(test, shortest, 100000);
	KUNIT_EXPECT_GE(test, bytes, 950000);
	KUNIT_EXPECT_LE(test, bytes, 1050000);
	KUNIT_EXPECT_GT(test, t->kicks, 900);
	/* DOUBLE is the port's rate again: no limit */
	test_rate(t, test_class(0), 0x06, 0xff);
	test_rate(t, test_class(0), 0x02, 0xff);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 0, 0, 65536));
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 0, 0, 65536));
}

/* A PDU needs tokens of every operand that covers it; XON goes on at the same rates */
static void test_rates_overlap(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_RATE);

	t->tm.rate = 1000000;
	test_rate(t, test_class(0), 0x01, 0xc0);
	test_rate(t, test_all(), 0x01, 0x40);
	/* One bucket for all queues of an operand */
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 1, 1, 65536));
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 0, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_OTHER, 0, 1));
	test_tm_later(t, NSEC_PER_SEC);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 0, 1, 65536));
	test_tm_later(t, 66 * NSEC_PER_MSEC);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 0, 1, 65536));
	test_tm_later(t, 66 * NSEC_PER_MSEC);
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 0, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 1, 1));
	test_xoff(t, TEST_PEER, test_all());
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 1, 1));
	test_xon(t, TEST_PEER, test_all());
	KUNIT_EXPECT_FALSE(test, test_tm_may(t, TEST_PEER, 0, 1));
	KUNIT_EXPECT_TRUE(test, test_tm_may(t, TEST_PEER, 1, 1));
}

static u64 test_clock(struct rio9_port *port)
{
	return ktime_get_ns();
}

static void test_kicked(struct rio9_port *port)
{
	struct test_tm *t = (struct test_tm *)port;

	WRITE_ONCE(t->kicks, t->kicks + 1);
}

/* The timer asks again, and wakes whoever waits for a rate */
static void test_timer(struct kunit *test)
{
	static const struct rio9_tm_ops ops = { .now = test_clock, .kick = test_kicked };
	struct test_tm *t = test_tm(test, RIO9_TM_RATE);
	const struct rio9_pdu pdu = { .peer = TEST_PEER };
	unsigned int asked = 0, kicks;
	struct rio9_packet p;
	u64 again;

	t->now = ktime_get_ns();
	t->tm.ops = &ops;
	t->tm.timed = true;
	test_xoff(t, TEST_PEER, test_all());
	test_tm_voq(t, TEST_PEER, 0, 0, 9, true);
	test_tm_expect(t, "21 1/00 00 0: 1 03 09");
	msleep(500);
	while (rio9_tm_pop(&t->tm, RIO9_FLOW_A, &p))
		asked++;
	KUNIT_EXPECT_GE(test, asked, 3);
	KUNIT_EXPECT_LE(test, asked, 6);
	test_tm_voq(t, TEST_PEER, 0, 0, 0, false);
	test_xon(t, TEST_PEER, test_all());
	t->tm.rate = 2 * RIO9_TM_RATE_LEAST;
	t->now = ktime_get_ns();
	test_rate(t, test_all(), 0x05, 0x80);
	KUNIT_EXPECT_TRUE(test, test_tm_send(t, TEST_PEER, 0, 0, 10000));
	kicks = READ_ONCE(t->kicks);
	KUNIT_EXPECT_FALSE(test, rio9_tm_may_send(&t->tm, &pdu, 9, ktime_get_ns(), &again));
	msleep(300);
	KUNIT_EXPECT_EQ(test, READ_ONCE(t->kicks), kicks + 1);
	KUNIT_EXPECT_TRUE(test, rio9_tm_may_send(&t->tm, &pdu, 9, ktime_get_ns(), &again));
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_modes),
	KUNIT_CASE(test_mode_values),
	KUNIT_CASE(test_newest),
	KUNIT_CASE(test_everybody),
	KUNIT_CASE(test_operands),
	KUNIT_CASE(test_anew),
	KUNIT_CASE(test_asks),
	KUNIT_CASE(test_asks_in_turn),
	KUNIT_CASE(test_average),
	KUNIT_CASE(test_peak),
	KUNIT_CASE(test_rates_overlap),
	KUNIT_CASE(test_timer),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm_in",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
