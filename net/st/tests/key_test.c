// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Keys: a permutation, and no Key twice.
 */
#include <kunit/test.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "conn/host.h"
#include "random.h"

#define KEYS	500000

static int st_key_cmp(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void st_key_test_free(void *keys)
{
	vfree(keys);
}

static u32 *st_key_test_alloc(struct kunit *test)
{
	u32 *keys = vmalloc_array(KEYS, sizeof(*keys));

	KUNIT_ASSERT_NOT_NULL(test, keys);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_key_test_free, keys));
	return keys;
}

/* Sorts @keys. */
static void st_key_expect_distinct(struct kunit *test, u32 *keys)
{
	unsigned int i;

	sort(keys, KEYS, sizeof(*keys), st_key_cmp, NULL);
	for (i = 1; i < KEYS; i++)
		if (keys[i] == keys[i - 1])
			KUNIT_FAIL_AND_ABORT(test, "Key %08x twice", keys[i]);
}

/* The inverse of the network, written independently */
static u32 st_key_undo(const siphash_key_t *secret, u32 key)
{
	u16 left = key >> 16, right = key;
	int round;

	for (round = 9; round >= 0; round--) {
		u16 before = right ^ (u16)siphash_2u32(round, left, secret);

		right = left;
		left = before;
	}
	return (u32)left << 16 | right;
}

/* A function with an inverse is a permutation. */
static void st_key_permutation(struct kunit *test)
{
	static const u32 edges[] = { 0, 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, U32_MAX };
	struct rnd_state rnd;
	siphash_key_t secret;
	unsigned int i, j;
	u32 n;

	st_test_seed(test, &rnd);
	for (i = 0; i < 20; i++) {
		prandom_bytes_state(&rnd, &secret, sizeof(secret));
		for (j = 0; j < 10000; j++) {
			n = j < ARRAY_SIZE(edges) ? edges[j] : prandom_u32_state(&rnd);
			KUNIT_ASSERT_EQ(test, st_key_undo(&secret, st_key_permute(&secret, n)), n);
		}
	}
}

/* Consecutive numbers, also across the wrap of the counter */
static void st_key_distinct(struct kunit *test)
{
	u32 *keys = st_key_test_alloc(test);
	struct rnd_state rnd;
	siphash_key_t secret;
	unsigned int i;

	st_test_seed(test, &rnd);
	prandom_bytes_state(&rnd, &secret, sizeof(secret));
	for (i = 0; i < KEYS; i++)
		keys[i] = st_key_permute(&secret, i - KEYS / 2);
	st_key_expect_distinct(test, keys);
}

/*
 * A Key does not help to predict the next: each bit changes about every other time, and another
 * secret gives other Keys.
 */
static void st_key_scattered(struct kunit *test)
{
	unsigned int flips[32] = {}, same = 0, i, bit;
	siphash_key_t secret[2];
	struct rnd_state rnd;
	u32 diff;

	st_test_seed(test, &rnd);
	prandom_bytes_state(&rnd, secret, sizeof(secret));
	for (i = 0; i < 10000; i++) {
		diff = st_key_permute(&secret[0], i) ^ st_key_permute(&secret[0], i + 1);
		for (bit = 0; bit < 32; bit++)
			flips[bit] += !!(diff & BIT(bit));
		same += st_key_permute(&secret[0], i) == st_key_permute(&secret[1], i);
	}
	for (bit = 0; bit < 32; bit++) {
		/* 5000 plus or minus six standard deviations */
		KUNIT_EXPECT_GT(test, flips[bit], 4700);
		KUNIT_EXPECT_LT(test, flips[bit], 5300);
	}
	KUNIT_EXPECT_LT(test, same, 3);
}

/* Keys of real Virtual Connections */
static void st_key_in_use(struct kunit *test)
{
	u32 *keys = st_key_test_alloc(test);
	unsigned int i;

	for (i = 0; i < KEYS; i++)
		keys[i] = st_key_new();
	st_key_expect_distinct(test, keys);
	/* Spread over the whole range */
	KUNIT_EXPECT_LT(test, keys[0], U32_MAX / 1000);
	KUNIT_EXPECT_GT(test, keys[KEYS - 1], U32_MAX - U32_MAX / 1000);
}

static struct kunit_case st_key_cases[] = {
	KUNIT_CASE(st_key_permutation),
	KUNIT_CASE(st_key_distinct),
	KUNIT_CASE(st_key_scattered),
	KUNIT_CASE(st_key_in_use),
	{}
};

static struct kunit_suite st_key_suite = {
	.name = "st_key",
	.test_cases = st_key_cases,
};

kunit_test_suite(st_key_suite);
