// SPDX-License-Identifier: GPL-2.0
/*
 * What a source is told, 3.4.2 to 3.4.4.
 */
#include "tm_common.h"

static void test_room(struct test_tm *t, u8 cos, u16 stream, bool room)
{
	const struct rio9_pdu pdu = { .peer = TEST_PEER, .cos = cos, .stream = stream };

	rio9_tm_user_room(&t->tm, &pdu, room);
}

static void test_came(struct test_tm *t, u8 cos)
{
	const struct rio9_pdu pdu = { .peer = TEST_PEER, .cos = cos };

	rio9_tm_came(&t->tm, &pdu);
}

/* Q_STATUS, TM OP 0 or 2 */
static void test_asked(struct test_tm *t, struct rio9_tm_q q, u8 level)
{
	bool credit = t->tm.mode >= RIO9_TM_CREDIT;

	test_tm_rx(t, TEST_PEER, q, credit ? 2 : 0, credit ? 0x30 : 0x03, level);
}

/* Three quarters full: XOFF; a quarter: XON; nothing in between */
static void test_level(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	unsigned int i;

	for (i = 0; i < 255; i++) {
		rio9_tm_viq(&t->tm, TEST_PEER, 0xc1, i);
		test_tm_expect(t, i == RIO9_TM_HIGH ? "21 1/00 c1 0: 0 00 00" : "");
	}
	KUNIT_EXPECT_EQ(test, t->kicks, 2);
	test_asked(t, test_class(0xc1), 9);
	test_tm_expect(t, "21 1/00 c1 0: 0 00 00");
	test_asked(t, test_class(0xc0), 9);
	test_tm_expect(t, "21 1/00 c0 0: 0 00 ff");
	for (; i; i--) {
		rio9_tm_viq(&t->tm, TEST_PEER, 0xc1, i - 1);
		test_tm_expect(t, i == RIO9_TM_LOW ? "21 1/00 c1 0: 0 00 ff" : "");
	}
	test_asked(t, test_class(0xc1), 9);
	test_tm_expect(t, "21 1/00 c1 0: 0 00 ff");
	test_stat_is(t, RIO9_STAT_TM_Q_STATUS, 3);
	rio9_tm_viq(&t->tm, 99, 0xc1, 255);
	test_tm_expect(t, "");
}

/* In rate modes a queue that is half full makes its source slower first */
static void test_rate_modes(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_RATE);

	rio9_tm_viq(&t->tm, TEST_PEER, 0, RIO9_TM_MIDDLE);
	test_tm_expect(t, "21 1/00 00 0: 1 01 80");
	rio9_tm_viq(&t->tm, TEST_PEER, 0, RIO9_TM_HIGH);
	test_tm_expect(t, "21 1/00 00 0: 1 00 00");
	rio9_tm_viq(&t->tm, TEST_PEER, 0, 0);
	test_tm_expect(t, "21 1/00 00 0: 1 02 ff, 21 1/00 00 0: 1 00 ff");
	/* If that was lost, the source asks */
	test_asked(t, test_class(0), 9);
	test_tm_expect(t, "21 1/00 00 0: 1 00 ff, 21 1/00 00 0: 1 02 ff");
}

/* A user without room stops its stream alone */
static void test_user(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);

	test_room(t, 3, 7, false);
	test_room(t, 3, 7, false);
	test_tm_expect(t, "21 0/00 03 7: 0 00 00");
	test_asked(t, test_stream(3, 7), 9);
	test_tm_expect(t, "21 0/00 03 7: 0 00 00");
	test_asked(t, test_stream(3, 8), 9);
	test_tm_expect(t, "21 0/00 03 8: 0 00 ff");
	/* XON for its class is followed by XOFF for it */
	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 0 00 ff, 21 0/00 03 7: 0 00 00");
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 255);
	test_tm_expect(t, "21 1/00 03 0: 0 00 00");
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 0);
	test_tm_expect(t, "21 1/00 03 0: 0 00 ff, 21 0/00 03 7: 0 00 00");
	/* Room again while the class is stopped: XON of the class is enough */
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 255);
	test_room(t, 3, 7, true);
	test_tm_expect(t, "21 1/00 03 0: 0 00 00");
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 0);
	test_tm_expect(t, "21 1/00 03 0: 0 00 ff");
	test_room(t, 3, 7, false);
	test_room(t, 3, 7, true);
	test_tm_expect(t, "21 0/00 03 7: 0 00 00, 21 0/00 03 7: 0 00 ff");
	/* A user that goes leaves no stream stopped */
	test_room(t, 3, 7, false);
	test_room(t, 3, 8, false);
	rio9_tm_user_gone(&t->tm, 7);
	test_tm_expect(t, "21 0/00 03 7: 0 00 00, 21 0/00 03 8: 0 00 00, 21 0/00 03 7: 0 00 ff");
}

/* Operands of several flows: a message in each, and groups where something is stopped */
static void test_flows(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	struct rio9_packet p;
	unsigned int i;

	test_asked(t, test_all(), 9);
	for (i = 0; i < RIO9_TM_FLOWS; i++) {
		KUNIT_EXPECT_TRUE(test, rio9_tm_pop(&t->tm, t->tm.channels[i], &p));
		KUNIT_EXPECT_EQ(test, p.tm.wildcard, 3);
		KUNIT_EXPECT_EQ(test, p.tm.param2, 0xff);
		KUNIT_EXPECT_EQ(test, p.cos, i << 6);
	}
	test_tm_expect(t, "");
	test_asked(t, test_group(0x2a, 0x7f), 9);
	test_tm_expect(t, "21 1/7f 00 0: 0 00 ff, 21 1/7f 40 0: 0 00 ff");
	test_asked(t, test_group(0x47, 0x0f), 9);
	test_tm_expect(t, "21 1/0f 40 0: 0 00 ff");
	test_room(t, 0x41, 7, false);
	test_tm_expect(t, "21 0/00 41 7: 0 00 00");
	test_asked(t, test_group(0, 0x7f), 9);
	test_tm_expect(t, "21 1/3f 00 0: 0 00 ff, 21 1/3f 40 0: 0 00 ff, 21 0/00 41 7: 0 00 00");
}

/* The table of answers in credit modes */
static void test_credits(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 08");
	/* Granted and not begun: taken back, until it is known to be over */
	test_asked(t, test_class(3), 9);
	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 2 10 00, 21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 00");
	test_status(t, test_class(3), 0, 0);
	test_tm_expect(t, "21 1/00 03 0: 2 11 08");
	/* It begins, so the next is granted before it is used up */
	test_status(t, test_class(3), 1, 8);
	test_tm_expect(t, "21 1/00 03 0: 2 12 08");
	/* The unit before is over when one begins, even if nobody said so */
	test_status(t, test_class(3), 2, 8);
	test_tm_expect(t, "21 1/00 03 0: 2 13 08");
	test_stat_is(t, RIO9_STAT_TM_CREDIT_STATUS, 3);
	test_status(t, test_class(3), 1, 0);
	test_stat_is(t, RIO9_STAT_TM_STALE, 1);
	test_tm_expect(t, "");
	/* It gives both back */
	test_status(t, test_class(3), 2, 0);
	test_status(t, test_class(3), 3, 0);
	test_asked(t, test_class(3), 0);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff");
	/* XOFF holds */
	test_room(t, 3, 1, false);
	test_tm_expect(t, "21 0/00 03 1: 2 00 00");
	test_asked(t, test_stream(3, 1), 9);
	test_tm_expect(t, "21 0/00 03 1: 2 00 00");
}

/* Both CREDIT_STATUS lost: PDUs tell as much */
static void test_lost_status(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);
	unsigned int i;

	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 08");
	for (i = 0; i < 8; i++)
		test_came(t, 3);
	test_tm_expect(t, "21 1/00 03 0: 2 11 08");
	test_came(t, 3);
	test_tm_expect(t, "21 1/00 03 0: 2 12 08");
	test_status(t, test_class(3), 0, 0);
	test_stat_is(t, RIO9_STAT_TM_STALE, 1);
}

/* What an idle source did not give back is taken */
static void test_idle(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	test_asked(t, test_class(3), 9);
	test_status(t, test_class(3), 0, 8);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 08, 21 1/00 03 0: 2 11 08");
	test_asked(t, test_class(3), 0);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 00, 21 1/00 03 0: 2 11 00");
	test_status(t, test_class(3), 0, 0);
	test_status(t, test_class(3), 1, 0);
	test_tm_expect(t, "");
	test_asked(t, test_class(3), 1);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 12 08");
}

/* No more PDUs have a credit than the queue has room for; a full one gets none */
static void test_memory(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT);

	rio9_tm_viq(&t->tm, TEST_PEER, 3, 160);
	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff, 21 1/00 03 0: 2 10 05");
	test_status(t, test_class(3), 0, 5);
	test_tm_expect(t, "");
	test_asked(t, test_class(3), 9);
	test_tm_expect(t, "21 1/00 03 0: 2 00 ff");
	/* The grant follows by itself */
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 140);
	test_tm_expect(t, "21 1/00 03 0: 2 11 02");
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 255);
	test_status(t, test_class(3), 1, 2);
	rio9_tm_viq(&t->tm, TEST_PEER, 3, RIO9_TM_LOW);
	test_tm_expect(t, "");
	rio9_tm_viq(&t->tm, TEST_PEER, 3, RIO9_TM_LOW - 1);
	test_tm_expect(t, "21 1/00 03 0: 2 12 08");
}

/* Whoever asks often makes the memory grow so far, and stops nobody's messages */
static void test_flood(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_CREDIT_RATE);
	struct rio9_tm_peer *peer = xa_load(&t->tm.peers, TEST_PEER);
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		test_room(t, 3, i, false);
		test_asked(t, test_stream(3, i), 255);
		test_asked(t, test_group(i, 0xff), i);
		test_allocate(t, test_class(3), i % 16, 0);
	}
	KUNIT_EXPECT_EQ(test, peer->pending_count, RIO9_TM_PENDING);
	KUNIT_EXPECT_EQ(test, peer->stopped_count, RIO9_TM_OPERANDS);
	KUNIT_EXPECT_EQ(test, peer->grant_count, RIO9_TM_OPERANDS);
	KUNIT_EXPECT_GT(test, t->tm.stats[RIO9_STAT_TM_UNSENT], 1000);
	rio9_tm_del_peer(&t->tm, TEST_PEER);
	test_tm_expect(t, "");
	test_tm_rx(t, TEST_OTHER, test_class(3), 0, 0x03, 9);
	test_tm_expect(t, "22 1/00 03 0: 2 00 ff, 22 1/00 03 0: 2 10 08");
}

/* XOFF is lost, and the source goes on: it is told again, at most every 10 ms */
static void test_again(struct kunit *test)
{
	struct test_tm *t = test_tm(test, RIO9_TM_BASIC);
	unsigned int i;

	rio9_tm_viq(&t->tm, TEST_PEER, 3, 255);
	test_tm_expect(t, "21 1/00 03 0: 0 00 00");
	for (i = 0; i < 3; i++) {
		test_came(t, 3);
		test_tm_expect(t, "");
		t->now += RIO9_TM_SAY_AGAIN;
		test_came(t, 3);
		test_tm_expect(t, "21 1/00 03 0: 0 00 00");
	}
	rio9_tm_viq(&t->tm, TEST_PEER, 3, 0);
	test_tm_expect(t, "21 1/00 03 0: 0 00 ff");
	test_room(t, 3, 0, false);
	t->now += RIO9_TM_SAY_AGAIN;
	test_came(t, 3);
	test_tm_expect(t, "21 0/00 03 0: 0 00 00");
	test_room(t, 3, 0, true);
	t->now += RIO9_TM_SAY_AGAIN;
	test_came(t, 3);
	test_tm_expect(t, "21 0/00 03 0: 0 00 ff");
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_level),
	KUNIT_CASE(test_rate_modes),
	KUNIT_CASE(test_user),
	KUNIT_CASE(test_flows),
	KUNIT_CASE(test_credits),
	KUNIT_CASE(test_lost_status),
	KUNIT_CASE(test_idle),
	KUNIT_CASE(test_memory),
	KUNIT_CASE(test_flood),
	KUNIT_CASE(test_again),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm_out",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
