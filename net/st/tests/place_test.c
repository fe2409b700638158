// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of places in buffers, ST 6.2.8, and of the lengths of STUs.
 */
#include "wire/block.h"
#include "random.h"

static void st_expect_advance(struct kunit *test, struct st_place from, u64 len,
			      u8 bufsize, bool ok, struct st_place to)
{
	struct st_place at = from;

	KUNIT_EXPECT_EQ_MSG(test, st_place_advance(&at, len, bufsize), ok,
			    "%u:%u + %llu, bufsize %u", from.bufx, from.offset, len, bufsize);
	if (!ok)
		to = from;
	KUNIT_EXPECT_EQ(test, at.bufx, to.bufx);
	KUNIT_EXPECT_EQ(test, at.offset, to.offset);
}

#define PLACE(b, o) ((struct st_place) { .bufx = (b), .offset = (o) })

static void st_place_valid_edges(struct kunit *test)
{
	u8 bufsize;

	for (bufsize = ST_BUFSIZE_MIN; bufsize <= ST_BUFSIZE_MAX; bufsize++) {
		u32 last = (1ULL << bufsize) - 1;

		KUNIT_EXPECT_TRUE(test, st_place_valid(&PLACE(U32_MAX, 0), bufsize));
		KUNIT_EXPECT_TRUE(test, st_place_valid(&PLACE(0, last), bufsize));
		if (bufsize == 32)
			continue;
		KUNIT_EXPECT_FALSE(test, st_place_valid(&PLACE(0, last + 1), bufsize));
		KUNIT_EXPECT_FALSE(test, st_place_valid(&PLACE(0, U32_MAX), bufsize));
	}
}

static void st_place_advance_edges(struct kunit *test)
{
	const struct st_place none = {};
	u8 b;

	for (b = ST_BUFSIZE_MIN; b <= ST_BUFSIZE_MAX; b++) {
		u64 size = 1ULL << b;
		u64 all = size * U32_MAX + (size - 1);	/* first byte to last */
		u32 last = size - 1;

		st_expect_advance(test, PLACE(7, 3), 0, b, true, PLACE(7, 3));
		st_expect_advance(test, PLACE(7, 3), size - 4, b, true, PLACE(7, last));
		st_expect_advance(test, PLACE(7, 3), size - 3, b, true, PLACE(8, 0));
		st_expect_advance(test, PLACE(7, 3), size, b, true, PLACE(8, 3));
		st_expect_advance(test, PLACE(7, last), 1, b, true, PLACE(8, 0));
		st_expect_advance(test, PLACE(7, last), 2 * size, b, true, PLACE(9, last));

		/* The very last byte has a place, the end after it has none. */
		st_expect_advance(test, PLACE(0, 0), all, b, true, PLACE(U32_MAX, last));
		st_expect_advance(test, PLACE(U32_MAX, 0), size - 1, b, true,
				  PLACE(U32_MAX, last));
		st_expect_advance(test, PLACE(U32_MAX, last), 0, b, true,
				  PLACE(U32_MAX, last));
		st_expect_advance(test, PLACE(U32_MAX, last), 1, b, false, none);
		st_expect_advance(test, PLACE(U32_MAX, 0), size, b, false, none);
		st_expect_advance(test, PLACE(0, 1), all, b, false, none);
		if (all < U64_MAX)
			st_expect_advance(test, PLACE(0, 0), all + 1, b, false, none);
		st_expect_advance(test, PLACE(0, 1), U64_MAX, b, false, none);
		st_expect_advance(test, PLACE(U32_MAX, last), U64_MAX, b, false, none);
		if (b < 32)
			st_expect_advance(test, PLACE(0, size), 0, b, false, none);
	}
}

/* @dist is U64_MAX for no distance. */
static void st_expect_distance(struct kunit *test, struct st_place from, struct st_place to,
			       u8 bufsize, u64 dist)
{
	u64 got = U64_MAX;

	KUNIT_EXPECT_EQ(test, st_place_distance(&from, &to, bufsize, &got), dist != U64_MAX);
	KUNIT_EXPECT_EQ_MSG(test, got, dist, "%u:%u to %u:%u, bufsize %u", from.bufx,
			    from.offset, to.bufx, to.offset, bufsize);
}

static void st_place_distance_edges(struct kunit *test)
{
	u8 b;

	for (b = ST_BUFSIZE_MIN; b <= ST_BUFSIZE_MAX; b++) {
		u64 size = 1ULL << b;
		u32 last = size - 1;

		st_expect_distance(test, PLACE(5, 9), PLACE(5, 9), b, 0);
		st_expect_distance(test, PLACE(5, last), PLACE(6, 0), b, 1);
		st_expect_distance(test, PLACE(5, 9), PLACE(6, 8), b, size - 1);
		st_expect_distance(test, PLACE(0, 1), PLACE(U32_MAX, last), b,
				   size * U32_MAX + last - 1);

		st_expect_distance(test, PLACE(5, 9), PLACE(5, 8), b, U64_MAX);
		st_expect_distance(test, PLACE(6, 0), PLACE(5, last), b, U64_MAX);
		if (b == 32)
			continue;
		st_expect_distance(test, PLACE(0, 0), PLACE(9, size), b, U64_MAX);
		st_expect_distance(test, PLACE(0, size), PLACE(9, 0), b, U64_MAX);
	}
}

static void st_place_random(struct kunit *test)
{
	struct st_place from, at;
	struct rnd_state rnd;
	u64 len, dist;
	u8 bufsize;
	int i;

	st_test_seed(test, &rnd);
	for (i = 0; i < 20000; i++) {
		bufsize = st_test_range(&rnd, ST_BUFSIZE_MIN, ST_BUFSIZE_MAX);
		from.bufx = prandom_u32_state(&rnd) >> st_test_range(&rnd, 0, 31);
		from.offset = st_test_u64(&rnd) & ((1ULL << bufsize) - 1);
		len = st_test_u64(&rnd) >> st_test_range(&rnd, 0, 63);
		at = from;
		if (!st_place_advance(&at, len, bufsize)) {
			KUNIT_ASSERT_GT(test, len,
					((u64)U32_MAX - from.bufx) << bufsize);
			continue;
		}
		KUNIT_ASSERT_TRUE(test, st_place_valid(&at, bufsize));
		KUNIT_ASSERT_TRUE(test, st_place_distance(&from, &at, bufsize, &dist));
		KUNIT_ASSERT_EQ(test, dist, len);
		KUNIT_ASSERT_EQ(test, st_place_distance(&at, &from, bufsize, &dist), !len);
	}
}

static void st_stu_len_limits(struct kunit *test)
{
	u8 b;

	for (b = ST_BUFSIZE_MIN; b <= ST_BUFSIZE_MAX; b++) {
		u64 size = 1ULL << b;
		u64 longest = min(size, 1ULL << 31);	/* ST 4.2 */

		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), 0, b, 32), 0);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), 1, b, 32), 1);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), U64_MAX, b, 32), longest);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), U64_MAX, b, 31), longest);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), U64_MAX, b, 8), 256);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, 0), 255, b, 8), 255);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, size - 1), U64_MAX, b, 31), 1);
		KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(U32_MAX, size - 256), 257, b, 31), 256);
		if (b < 32)
			KUNIT_EXPECT_EQ(test, st_stu_len(&PLACE(0, size), 1, b, 31), 0);
	}
}

static struct kunit_case st_place_cases[] = {
	KUNIT_CASE(st_place_valid_edges),
	KUNIT_CASE(st_place_advance_edges),
	KUNIT_CASE(st_place_distance_edges),
	KUNIT_CASE(st_place_random),
	KUNIT_CASE(st_stu_len_limits),
	{}
};

static struct kunit_suite st_place_suite = {
	.name = "st_place",
	.test_cases = st_place_cases,
};

kunit_test_suite(st_place_suite);
