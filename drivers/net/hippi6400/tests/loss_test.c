// SPDX-License-Identifier: GPL-2.0
/*
 * Cost of a loss: it is reported at once and repaired without an ACK timeout,
 * wherever it occurs.
 */

#include <kunit/test.h>

#include "pair.h"

/*
 * Half an ACK timeout.  Data, report, copies and ACK take a step each, and an
 * ambiguous report costs the source a round trip.
 */
#define AT_ONCE		(TEST_ACK / TEST_MS / 2)
/* Payload of a Message of this number of micropackets */
#define PAYLOAD(upkts)	(8 + 32 * ((upkts) - 1))

static struct test_pair *test_up(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);

	test_pair_bring_up(pair);
	test_pair_run(pair, 50);
	KUNIT_ASSERT_TRUE(test, test_pair_idle(pair));
	return pair;
}

/* Steps that a Message of this number of micropackets takes if the first @drop are lost */
static unsigned int test_cost(struct test_pair *pair, unsigned int upkts, unsigned int drop)
{
	unsigned int steps;

	pair->drop = drop;
	test_pair_send(pair, 0, 1, PAYLOAD(upkts));
	for (steps = 0; steps < 1000; steps++) {
		test_pair_step(pair);
		if (test_pair_idle(pair))
			break;
	}
	KUNIT_EXPECT_EQ(pair->test, pair->drop, 0);
	return steps;
}

static const unsigned int bursts[] = { 1, 2, 120, 127, 128, 140, 200, 252, 253 };

static void test_burst_desc(const unsigned int *burst, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u lost", *burst);
}

KUNIT_ARRAY_PARAM(burst, bursts, test_burst_desc);

/* As long as one micropacket of the window arrives, however far ahead it lies */
static void test_burst(struct kunit *test)
{
	const unsigned int *burst = test->param_value;
	struct test_pair *pair = test_up(test);
	const struct h64_link_stats *stats = &pair->end[0].link.stats;
	unsigned int i;

	/* At the beginning of the sequence, and after a wrap */
	for (i = 1; i <= 3; i++) {
		KUNIT_EXPECT_LE(test, test_cost(pair, H64_WINDOW, *burst), AT_ONCE);
		KUNIT_EXPECT_EQ(test, stats->go_backs, i);
		KUNIT_EXPECT_EQ(test, stats->rexmit_upkts, i * H64_WINDOW);
		test_pair_run(pair, 2 * TEST_ACK / TEST_MS);
	}
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 0);
}

/* The loss of a whole window cannot be reported */
static void test_whole_window(struct kunit *test)
{
	struct test_pair *pair = test_up(test);
	unsigned int steps = test_cost(pair, H64_WINDOW, H64_WINDOW);

	KUNIT_EXPECT_GE(test, steps, TEST_ACK / TEST_MS);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.ack_timeouts, 1);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.go_backs, 1);
}

/**
 * struct test_pause - a loss after another one
 * @copies: micropackets that the first loss caused to be sent again
 * @pause: steps between the two losses
 */
struct test_pause {
	unsigned int copies;
	unsigned int pause;
};

static const struct test_pause pauses[] = {
	{ 1, 0 }, { 20, 0 }, { 20, 5 }, { 20, 1000 }, { 127, 0 }, { 128, 0 },
	{ 254, 0 }, { 254, 5 }, { 254, TEST_ACK / TEST_MS }, { 254, 1000 },
};

static void test_pause_desc(const struct test_pause *pause, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u again, %u ms", pause->copies, pause->pause);
}

KUNIT_ARRAY_PARAM(pause, pauses, test_pause_desc);

/* After a completed go-back the next loss is handled like any other */
static void test_loss_after_loss(struct kunit *test)
{
	const struct test_pause *pause = test->param_value;
	struct test_pair *pair = test_up(test);
	const struct h64_link_stats *stats = &pair->end[0].link.stats;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		/* One more, so that the loss is detected */
		test_cost(pair, max(pause->copies, 2U), 1);
		KUNIT_EXPECT_EQ(test, stats->go_backs, 2 * i + 1);
		test_pair_run(pair, pause->pause);
		KUNIT_EXPECT_LE(test, test_cost(pair, 20, 1), AT_ONCE);
		KUNIT_EXPECT_EQ(test, stats->go_backs, 2 * i + 2);
		test_pair_run(pair, 2 * TEST_ACK / TEST_MS);
	}
	KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 0);
}

/* A duplicate is no loss */
static void test_doubled(struct kunit *test)
{
	struct test_pair *pair = test_up(test);
	unsigned int i;

	pair->line.twice = 65536;
	for (i = 0; i < 50; i++) {
		test_pair_send(pair, 0, i % HIPPI6400_NUM_VCS, PAYLOAD(60));
		test_pair_send(pair, 1, i % HIPPI6400_NUM_VCS, PAYLOAD(60));
		test_pair_step(pair);
	}
	test_pair_run(pair, 100);
	KUNIT_EXPECT_TRUE(test, test_pair_idle(pair));
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_GT(test, pair->end[i].link.stats.out_of_sequence, 0);
		KUNIT_EXPECT_EQ(test, pair->end[i].link.stats.go_backs, 0);
	}
}

static struct kunit_case loss_cases[] = {
	KUNIT_CASE_PARAM(test_burst, burst_gen_params),
	KUNIT_CASE(test_whole_window),
	KUNIT_CASE_PARAM(test_loss_after_loss, pause_gen_params),
	KUNIT_CASE(test_doubled),
	{}
};

static struct kunit_suite loss_suite = {
	.name = "hippi6400_loss",
	.test_cases = loss_cases,
};

kunit_test_suite(loss_suite);
