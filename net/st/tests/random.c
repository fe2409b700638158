// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers; a failed test can be repeated with its seed.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/st_compat.h>

#include "random.h"

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of the random tests; 0: a new one every time");

/**
 * st_test_seed - start a random test
 * @test: the test, whose log gets the seed
 * @rnd: state to start
 */
void st_test_seed(struct kunit *test, struct rnd_state *rnd)
{
	u64 s = seed ?: get_random_u64();

	kunit_info(test, "st_test.seed=%llu", s);
	prandom_seed_state(rnd, s);
}

/**
 * st_test_u64 - 64 random bits
 * @rnd: the generator
 *
 * Return: any number.
 */
u64 st_test_u64(struct rnd_state *rnd)
{
	u64 high = prandom_u32_state(rnd);

	return high << 32 | prandom_u32_state(rnd);
}

/**
 * st_test_range - a random number within limits
 * @rnd: the generator
 * @min: lower limit
 * @max: upper limit, less than @min + 2^32 - 1
 *
 * Return: @min to @max.
 */
u32 st_test_range(struct rnd_state *rnd, u32 min, u32 max)
{
	return min + prandom_u32_state(rnd) % (max - min + 1);
}

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of Scheduled Transfer");
MODULE_LICENSE("GPL");
