// SPDX-License-Identifier: GPL-2.0
/*
 * The order of frames: nothing is taken twice, or after a later one.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sort.h>

#include "sequence.h"

#define TEST_FRAMES	4096

static void test_in_order(struct kunit *test)
{
	struct rio9_eth_sequence s = {};
	u32 n;

	/* From before the end of the numbers to behind it */
	for (n = -100; n != 100; n++) {
		KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, n), RIO9_ETH_NEW);
		KUNIT_EXPECT_EQ(test, s.lost, 0);
	}
}

static void test_lost_late_double(struct kunit *test)
{
	struct rio9_eth_sequence s = {};

	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 10), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 10), RIO9_ETH_DOUBLE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, s.lost, 2);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 11), RIO9_ETH_LATE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 10), RIO9_ETH_DOUBLE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13), RIO9_ETH_DOUBLE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 9), RIO9_ETH_LATE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13 + 63), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, s.lost, 62);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13), RIO9_ETH_DOUBLE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13 + 63 + 64), RIO9_ETH_NEW);
	/* What is longer ago is not remembered */
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 13 + 63), RIO9_ETH_LATE);
}

static void test_far(struct kunit *test)
{
	struct rio9_eth_sequence s = {};
	u32 far = 1000 + 1 + RIO9_ETH_FAR;

	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 1000), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, far + 1), RIO9_ETH_JUMP);
	/* A single one does no harm */
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 1001), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, far + 3), RIO9_ETH_JUMP);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, far + 4), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, s.lost, 0);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, far + 3), RIO9_ETH_LATE);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 1001), RIO9_ETH_JUMP);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 1002), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, rio9_eth_sequence(&s, 1002 + 1 + RIO9_ETH_FAR), RIO9_ETH_NEW);
	KUNIT_EXPECT_EQ(test, s.lost, RIO9_ETH_FAR);
}

struct test_event {
	u32 number;
	u32 when;
};

static int test_by_time(const void *a, const void *b)
{
	const struct test_event *x = a, *y = b;

	return x->when < y->when ? -1 : x->when > y->when;
}

/* Lost, doubled and late frames: what is taken rises, and all numbers add up */
static void test_random(struct kunit *test)
{
	u32 sum[4] = {}, lost = 0, begin, end = 0, last = 0, n, i, events = 0;
	u64 seed = get_random_u64();
	struct rio9_eth_sequence s = {};
	enum rio9_eth_order order;
	struct test_event *event;
	struct rnd_state rnd;

	kunit_info(test, "seed=%llu", seed);
	prandom_seed_state(&rnd, seed);
	event = kunit_kcalloc(test, 2 * TEST_FRAMES, sizeof(*event), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	begin = prandom_u32_state(&rnd);
	for (n = 0; n < TEST_FRAMES; n++) {
		for (i = prandom_u32_state(&rnd) % 8; i && i < 3; i--) {
			event[events].number = begin + n;
			event[events++].when = n + prandom_u32_state(&rnd) % 16;
		}
	}
	sort(event, events, sizeof(*event), test_by_time, NULL);
	for (i = 0; i < events; i++) {
		order = rio9_eth_sequence(&s, event[i].number);
		sum[order]++;
		if (order != RIO9_ETH_NEW)
			continue;
		if (i)
			KUNIT_EXPECT_GT(test, (s32)(event[i].number - last), 0);
		last = event[i].number;
		lost += s.lost;
		end = last;
	}
	KUNIT_EXPECT_EQ(test, sum[RIO9_ETH_JUMP], 0);
	KUNIT_EXPECT_EQ(test, sum[RIO9_ETH_NEW] + lost, end - event[0].number + 1);
	KUNIT_EXPECT_EQ(test, sum[RIO9_ETH_NEW] + sum[RIO9_ETH_LATE] + sum[RIO9_ETH_DOUBLE],
			events);
	KUNIT_EXPECT_GT(test, sum[RIO9_ETH_LATE], 0);
	KUNIT_EXPECT_GT(test, sum[RIO9_ETH_DOUBLE], 0);
}

static struct kunit_case sequence_cases[] = {
	KUNIT_CASE(test_in_order),
	KUNIT_CASE(test_lost_late_double),
	KUNIT_CASE(test_far),
	KUNIT_CASE(test_random),
	{}
};

static struct kunit_suite sequence_suite = {
	.name = "rio9_eth_sequence",
	.test_cases = sequence_cases,
};

kunit_test_suite(sequence_suite);
