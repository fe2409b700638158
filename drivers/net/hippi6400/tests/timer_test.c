// SPDX-License-Identifier: GPL-2.0
/*
 * Timers: changes while they run, and checks while micropackets wait.
 */

#include <kunit/test.h>

#include "pair.h"

#define NOW	(10 * TEST_MS)
#define LATER	(NOW + 100)

/* While the ring is never empty, time advances up to the last handled entry */
static void test_tick_ring(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;
	u64 null = NOW + TEST_ACTIVITY / H64_KEEPALIVE_DIV;

	test_end_reach(test, end, H64_UP, NOW);
	/* 100 arrived until now, 10 of them are handled */
	h64_link_tick_ring(link, 10, 10, NOW);
	h64_link_tick_ring(link, 10, 100, null);
	test_end_expect_sent(test, end, 0);
	/* The entries that still wait could be anything */
	h64_link_tick_ring(link, 99, 180, null + 1);
	test_end_expect_sent(test, end, 0);
	/* Now they are handled */
	h64_link_tick_ring(link, 100, 190, null + 2);
	test_end_expect_sent(test, end, 1, H64_TYPE_NULL);
	h64_link_tick_ring(link, 189, 250, 2 * null);
	test_end_expect_sent(test, end, 0);
	h64_link_tick_ring(link, 250, 250, 2 * null);
	test_end_expect_sent(test, end, 1, H64_TYPE_NULL);
}

/* The same, with an index that wraps and a silent far end */
static void test_tick_ring_wraps(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;
	u32 cons = U32_MAX - 5 * 64;
	u64 now;

	test_end_reach(test, end, H64_UP, NOW);
	link->mark = cons;
	link->mark_time = NOW;
	/* Each call finds one batch handled and another one waiting */
	for (now = NOW; link->state == H64_UP && now < NOW + 2 * TEST_ACTIVITY;
	     now += 10 * TEST_MS, cons += 64) {
		h64_link_rx(link, 0, H64_BAD_LCRC, 0, now);
		h64_link_tick_ring(link, cons, cons + 64, now);
	}
	KUNIT_EXPECT_EQ(test, link->stats.activity_losses, 1);
	KUNIT_EXPECT_EQ(test, now, NOW + TEST_ACTIVITY + 2 * 10 * TEST_MS);
}

static const struct h64_link_times times = {
	.retry = 7 * TEST_MS,
	.ack = 9 * TEST_MS,
	.activity = 11 * TEST_MS,
	.holdoff = 13 * TEST_MS,
	.retry_limit = 3,
};

/* Deadline after a change, by state */
static const struct {
	enum h64_link_state state;
	u64 deadline;
} changed[] = {
	{ H64_OFF, H64_NEVER },
	{ H64_DOWN, H64_NEVER },
	/* Counted from the last bring-up */
	{ H64_HOLDOFF, NOW + 13 * TEST_MS },
	{ H64_RESET_SENT, LATER + 7 * TEST_MS },
	{ H64_INIT_SENT, LATER + 7 * TEST_MS },
	{ H64_UP, LATER + 11 * TEST_MS / H64_KEEPALIVE_DIV },
};

static void test_set_times(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(changed); i++) {
		struct test_end *end = test_end_alloc(test);

		test_end_reach(test, end, changed[i].state, NOW);
		h64_link_set_times(&end->link, &times, LATER);
		KUNIT_EXPECT_EQ_MSG(test, h64_link_deadline(&end->link), changed[i].deadline, "%s",
				    h64_link_state_name(changed[i].state));
		KUNIT_EXPECT_EQ(test, end->link.state, changed[i].state);
		test_end_expect_sent(test, end, 0);
	}
}

/* Initialize without an answer, and silence */
static void test_set_activity(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;

	test_end_reach(test, end, H64_INIT_SENT, NOW);
	h64_link_set_times(link, &times, LATER);
	h64_link_tick(link, LATER + 11 * TEST_MS - 1);
	KUNIT_EXPECT_EQ(test, link->state, H64_INIT_SENT);
	h64_link_tick(link, LATER + 11 * TEST_MS);
	KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);

	end = test_end_alloc(test);
	link = &end->link;
	test_end_reach(test, end, H64_UP, NOW);
	h64_link_set_times(link, &times, LATER);
	h64_link_tick(link, LATER + 5 * TEST_MS);
	h64_link_tick(link, LATER + 11 * TEST_MS - 1);
	KUNIT_EXPECT_EQ(test, link->stats.activity_losses, 0);
	h64_link_tick(link, LATER + 11 * TEST_MS);
	KUNIT_EXPECT_EQ(test, link->stats.activity_losses, 1);
}

/* A longer activity time does not delay the Nulls that the far end relies on */
static void test_set_longer(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	const u64 keepalive = H64_ACTIVITY_MS * TEST_MS / H64_KEEPALIVE_DIV;
	struct h64_link_times longer = times;

	longer.activity = 10 * H64_ACTIVITY_MS * TEST_MS;
	test_end_reach(test, end, H64_UP, NOW);
	h64_link_set_times(&end->link, &longer, LATER);
	KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), NOW + keepalive);
	h64_link_tick(&end->link, NOW + keepalive);
	test_end_expect_sent(test, end, 1, H64_TYPE_NULL);
	KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), NOW + 2 * keepalive);
}

/* ACK timeout and retry limit during retries */
static void test_set_ack(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;
	struct h64_link_times patient = times;
	struct rnd_state rnd;
	u64 now = NOW, ctrl;
	unsigned int i;

	prandom_seed_state(&rnd, 1);
	patient.activity = 100 * TEST_ACTIVITY;
	test_end_reach(test, end, H64_UP, now);
	link->credit[1].avail = 10;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1, test_frame(test, 8, &rnd)));
	for (i = 0; i < 2; i++) {
		h64_msg_tx_pump(&end->tx, now);
		while (test_end_sent(end, &ctrl))
			;
		now += TEST_ACK << i;
		h64_link_tick(link, now);
		KUNIT_ASSERT_EQ(test, link->stats.go_backs, i + 1);
	}

	h64_link_set_times(link, &patient, now + 5);
	KUNIT_EXPECT_EQ(test, link->src.deadline, now + 5 + (9 * TEST_MS << 2));
	now = link->src.deadline;
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, link->state, H64_UP);
		h64_msg_tx_pump(&end->tx, now);
		while (test_end_sent(end, &ctrl))
			;
		h64_link_tick(link, now);
		now = link->src.deadline;
	}
	/* Three go-backs in a row are now the limit */
	KUNIT_EXPECT_EQ(test, link->stats.go_backs, 3);
	KUNIT_EXPECT_EQ(test, link->stats.retry_limits, 1);
	KUNIT_EXPECT_EQ(test, link->stats.ack_timeouts, 4);
	test_end_purge(end);
}

static void test_default_limit(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link_times none = times;

	none.retry_limit = 0;
	h64_link_set_times(&end->link, &none, NOW);
	KUNIT_EXPECT_EQ(test, end->link.times.retry_limit, H64_RETRY_LIMIT);
}

/* Waits of 1, 2, 4, 8, 16, 16 ... ACK timeouts, and one more for each */
static void test_recovery(struct kunit *test)
{
	struct h64_link_times t = { .ack = 100 * TEST_MS, .retry_limit = H64_RETRY_LIMIT };

	KUNIT_EXPECT_EQ(test, h64_link_recovery(&t), (15 + 13 * 16 + 17) * 100 * TEST_MS);
	t.retry_limit = 0;
	KUNIT_EXPECT_EQ(test, h64_link_recovery(&t), (15 + 13 * 16 + 17) * 100 * TEST_MS);
	t.retry_limit = 1;
	KUNIT_EXPECT_EQ(test, h64_link_recovery(&t), (1 + 2 + 2) * 100 * TEST_MS);
	t.retry_limit = U8_MAX;
	t.ack = U32_MAX * TEST_MS;
	KUNIT_EXPECT_EQ(test, h64_link_recovery(&t), (15 + 252 * 16 + 256) * t.ack);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_tick_ring),
	KUNIT_CASE(test_tick_ring_wraps),
	KUNIT_CASE(test_set_times),
	KUNIT_CASE(test_set_activity),
	KUNIT_CASE(test_set_longer),
	KUNIT_CASE(test_set_ack),
	KUNIT_CASE(test_default_limit),
	KUNIT_CASE(test_recovery),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_timer",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
