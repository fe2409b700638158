// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Op_timeout computed from measured round trips.
 */
#include <kunit/test.h>
#include <linux/math64.h>

#include "st_sock.h"
#include "random.h"

#define SHORTEST	1000
#define LONGEST		1000000

/* Computed by hand with the formulas of RFC 6298 2.2 and 2.3 */
static void st_rtt_values(struct kunit *test)
{
	static const struct {
		u32 us, srtt, rttvar, timeout;
	} steps[] = {
		{ 8000, 8000, 4000, 24000 },
		{ 8000, 8000, 3000, 20000 },
		{ 16000, 9000, 4250, 26000 },	/* of the SRTT before it */
		{ 1000, 8000, 5187, 28750 },
	};
	struct st_rtt rtt = {};
	unsigned int i;

	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), LONGEST);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		st_rtt_sample(&rtt, steps[i].us);
		KUNIT_EXPECT_EQ(test, rtt.srtt >> 3, steps[i].srtt);
		KUNIT_EXPECT_EQ(test, rtt.rttvar >> 2, steps[i].rttvar);
		KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), steps[i].timeout);
	}
}

static void st_rtt_limits(struct kunit *test)
{
	struct st_rtt rtt = {};
	unsigned int i;

	for (i = 0; i < 100; i++)
		st_rtt_sample(&rtt, 0);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), SHORTEST);
	/* If the limits contradict each other, the upper one counts */
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, LONGEST, SHORTEST), SHORTEST);
	for (i = 0; i < 300; i++)
		st_rtt_sample(&rtt, U64_MAX);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), LONGEST);
	KUNIT_EXPECT_EQ(test, rtt.srtt, BIT(31));
	for (i = 0; i < 300; i++)
		st_rtt_sample(&rtt, 2);
	KUNIT_EXPECT_LT(test, rtt.srtt >> 3, 10);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), SHORTEST);
}

static void st_rtt_backs_off(struct kunit *test)
{
	struct st_rtt rtt = {};
	unsigned int i;

	/* Without a measurement there is nothing to double */
	st_rtt_backoff(&rtt, 3);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), LONGEST);

	st_rtt_sample(&rtt, 10000);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), 30000);
	for (i = 1; i <= 5; i++) {
		st_rtt_backoff(&rtt, i);
		KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), 30000 << i);
	}
	/* Another operation that has been repeated less often does not reduce it */
	st_rtt_backoff(&rtt, 1);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), 30000 << 5);
	st_rtt_backoff(&rtt, 255);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), LONGEST);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, U32_MAX, U32_MAX), U32_MAX);

	st_rtt_sample(&rtt, 10000);
	KUNIT_EXPECT_EQ(test, st_rtt_timeout(&rtt, SHORTEST, LONGEST), 25000);
}

/* Compared with the formulas in 64 bits, without shifts */
static void st_rtt_random(struct kunit *test)
{
	struct st_rtt rtt = {};
	struct rnd_state rnd;
	s64 srtt = 0, var = 0;
	unsigned int i;

	st_test_seed(test, &rnd);
	for (i = 0; i < 10000; i++) {
		u32 us = st_test_range(&rnd, 1, BIT(st_test_range(&rnd, 1, 20)));

		st_rtt_sample(&rtt, us);
		if (!i) {
			srtt = us * 1024LL;
			var = srtt / 2;
		} else {
			var = (3 * var + abs(srtt - us * 1024LL)) / 4;
			srtt = (7 * srtt + us * 1024LL) / 8;
		}
		KUNIT_ASSERT_LE(test, abs(srtt - rtt.srtt * 128LL), 10 * 1024);
		KUNIT_ASSERT_LE(test, abs(var - rtt.rttvar * 256LL), 10 * 1024);
	}
}

/* An operation sent 5 ms ago */
static void st_rtt_arm(struct st_retrans *retrans, unsigned int tries, u32 sync)
{
	retrans->armed = true;
	retrans->tries = tries;
	retrans->op.sync = sync;
	retrans->sent = ktime_sub_us(ktime_get(), 5000);
}

/* Only the answer to the first try of the same operation gives a round trip */
static void st_rtt_which_answers(struct kunit *test)
{
	struct st_sock *st = kunit_kzalloc(test, sizeof(*st), GFP_KERNEL);
	struct st_retrans retrans = {};
	struct st_rtt before;

	KUNIT_ASSERT_NOT_NULL(test, st);
	st_rtt_arm(&retrans, 1, 0);
	st_retrans_answered(st, &retrans);
	KUNIT_EXPECT_FALSE(test, retrans.armed);
	KUNIT_EXPECT_EQ(test, st->timers.rtt.srtt, 0);

	st_rtt_backoff(&st->timers.rtt, 2);
	st_rtt_arm(&retrans, 0, 0);
	st_retrans_answered(st, &retrans);
	KUNIT_EXPECT_FALSE(test, retrans.armed);
	KUNIT_EXPECT_GE(test, st->timers.rtt.srtt >> 3, 5000);
	KUNIT_EXPECT_EQ(test, st->timers.rtt.backoff, 0);

	/* The answer is not awaited any more */
	before = st->timers.rtt;
	st_retrans_answered(st, &retrans);
	/* The answer to an earlier question */
	st_rtt_arm(&retrans, 0, 7);
	st_retrans_told(st, &retrans, 6);
	KUNIT_EXPECT_FALSE(test, retrans.armed);
	KUNIT_EXPECT_MEMEQ(test, &st->timers.rtt, &before, sizeof(before));

	st_rtt_arm(&retrans, 0, 7);
	st_retrans_told(st, &retrans, 7);
	KUNIT_EXPECT_FALSE(test, retrans.armed);
	KUNIT_EXPECT_NE(test, st->timers.rtt.rttvar, before.rttvar);
}

static struct kunit_case st_rtt_cases[] = {
	KUNIT_CASE(st_rtt_values),
	KUNIT_CASE(st_rtt_limits),
	KUNIT_CASE(st_rtt_backs_off),
	KUNIT_CASE(st_rtt_random),
	KUNIT_CASE(st_rtt_which_answers),
	{}
};

static struct kunit_suite st_rtt_suite = {
	.name = "st_rtt",
	.test_cases = st_rtt_cases,
};

kunit_test_suite(st_rtt_suite);
