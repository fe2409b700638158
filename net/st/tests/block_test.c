// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the division of a Transfer into Blocks and of Blocks into STUs.
 */
#include "wire/block.h"
#include "random.h"

#define ST_STU_NUMBERS	65536	/* ST 6.2.5 */

/**
 * struct st_layout - a Transfer in the buffers of its Destination
 * @t: its Blocks; f_offset lies in the first buffer
 * @bufx: the first buffer
 * @bufsize: log2 of the buffer size
 * @max_stu: log2 of the largest STU
 */
struct st_layout {
	struct st_tiling	t;
	u32			bufx;
	u8			bufsize;
	u8			max_stu;
};

/* Report a wrong layout, and the reason. */
static void __printf(3, 4) st_layout_fail(struct kunit *test, const struct st_layout *l,
					  const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	KUNIT_FAIL(test, "t_len %llu f_offset %u blocksize %u bufx %u bufsize %u max_stu %u: %pV",
		   l->t.t_len, l->t.f_offset, l->t.blocksize, l->bufx, l->bufsize,
		   l->max_stu, &vaf);
	va_end(args);
}

/* Divide a Block into STUs from @at on.  Return: how many; 0 when wrong. */
static u32 st_cut_block(struct kunit *test, const struct st_layout *l,
			struct st_place *at, u64 left)
{
	u64 room, max = 1ULL << l->max_stu;
	u32 stu, stus = 0;

	while (left) {
		stu = st_stu_len(at, left, l->bufsize, l->max_stu);
		room = (1ULL << l->bufsize) - at->offset;
		if (!stu || stu > left || stu > max || stu > room ||
		    (stu != left && stu != max && stu != room)) {
			st_layout_fail(test, l, "STU of %u bytes at %u:%u with %llu left",
				       stu, at->bufx, at->offset, left);
			return 0;
		}
		left -= stu;
		stus++;
		if (!st_place_advance(at, stu, l->bufsize)) {
			st_layout_fail(test, l, "cannot go on at %u:%u", at->bufx, at->offset);
			return 0;
		}
	}
	return stus;
}

/* Walk a whole Transfer: Blocks in order without gaps, STUs within their buffers. */
static bool st_walk_transfer(struct kunit *test, const struct st_layout *l)
{
	const struct st_place from = { .bufx = l->bufx, .offset = l->t.f_offset };
	u64 size = 1ULL << l->t.blocksize, count = st_block_count(&l->t);
	struct st_place at = from;
	u64 n, len, dist, pos = 0;
	u32 stus;

	for (n = 0; n < count; n++) {
		len = st_block_len(&l->t, n);
		if (st_block_start(&l->t, n) != pos || !len || len > size ||
		    (n && n < count - 1 && len != size) ||
		    (n && at.offset % min(size, 1ULL << l->bufsize)))
			goto bad_block;
		if (!n && len != min(size - l->t.f_offset % size, l->t.t_len))
			goto bad_block;
		stus = st_cut_block(test, l, &at, len);
		if (!stus)
			return false;
		if (l->t.blocksize <= st_max_block(l->bufsize, l->max_stu) &&
		    stus + 1 > ST_STU_NUMBERS) {
			st_layout_fail(test, l, "%u STUs in Block %llu", stus, n);
			return false;
		}
		pos += len;
		if (!st_place_distance(&from, &at, l->bufsize, &dist) || dist != pos) {
			st_layout_fail(test, l, "%u:%u is not %llu bytes on",
				       at.bufx, at.offset, pos);
			return false;
		}
	}
	if (pos == l->t.t_len && !st_block_len(&l->t, count) &&
	    !st_block_len(&l->t, U64_MAX) && st_block_start(&l->t, count) == pos &&
	    st_block_start(&l->t, U64_MAX) == pos)
		return true;
	n = count;
	len = st_block_len(&l->t, n);
bad_block:
	st_layout_fail(test, l, "Block %llu of %llu: %llu bytes from %llu, after %llu bytes",
		       n, count, len, st_block_start(&l->t, n), pos);
	return false;
}

/* All Offsets, with lengths that end at, just before and just after every boundary. */
static bool st_walk_offsets(struct kunit *test, struct st_layout *l)
{
	u64 size = 1ULL << l->t.blocksize, first;
	u32 offset;
	int i;

	for (offset = 0; offset < 1U << l->bufsize; offset++) {
		first = size - offset % size;
		const u64 lens[] = {
			1, 2, first - 1, first, first + 1, first + size - 1,
			first + size, first + size + 1, first + 2 * size + 255,
		};

		l->t.f_offset = offset;
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			l->t.t_len = lens[i];
			if (lens[i] && !st_walk_transfer(test, l))
				return false;
		}
	}
	return true;
}

static void st_block_every_offset(struct kunit *test)
{
	struct st_layout l = { .bufx = 0xffffff80 };

	for (l.bufsize = 8; l.bufsize <= 12; l.bufsize++)
		for (l.t.blocksize = 8; l.t.blocksize <= 12; l.t.blocksize++)
			for (l.max_stu = 8; l.max_stu <= l.bufsize; l.max_stu++)
				if (!st_walk_offsets(test, &l))
					return;
}

/* ST 6.2.6: lengths around powers of two, at the limits of 64 bits. */
static const u64 st_edge_lens[] = {
	1, 2, 255, 256, 257, 65535, 65536, 65537, U32_MAX, 1ULL << 32,
	(1ULL << 32) + 1, (1ULL << 48) - 1, 1ULL << 48, (1ULL << 48) + 1,
	1ULL << 63, U64_MAX - 255, U64_MAX - 1, U64_MAX,
};

static const u32 st_edge_offsets[] = {
	0, 1, 255, 256, 257, 65535, 65536, 0x7fffffff, 0x80000000, U32_MAX - 1, U32_MAX,
};

/* Check the Blocks around @n of a Transfer too long to walk. */
static void st_check_blocks_at(struct kunit *test, const struct st_tiling *t, u64 n)
{
	u64 size = 1ULL << t->blocksize, count = st_block_count(t);
	u64 start = st_block_start(t, n), len = st_block_len(t, n);
	bool ok;

	if (n >= count)
		ok = start == t->t_len && !len;
	else
		ok = start < t->t_len && len && len <= size &&
		     len <= t->t_len - start &&
		     st_block_start(t, n + 1) == start + len &&
		     (n || !start) && (!n || (start + t->f_offset) % size == 0) &&
		     (n < count - 1) == (start + len != t->t_len) &&
		     (n == count - 1 || (start + len + t->f_offset) % size == 0);
	if (!ok)
		st_layout_fail(test, &(struct st_layout) { .t = *t },
			       "Block %llu of %llu: %llu bytes from %llu", n, count, len, start);
}

static void st_block_edges(struct kunit *test)
{
	struct st_tiling t;
	u64 count;
	int i, j;

	for (t.blocksize = ST_BLOCK_MIN; t.blocksize <= ST_BLOCK_MAX; t.blocksize++) {
		for (i = 0; i < ARRAY_SIZE(st_edge_lens) * ARRAY_SIZE(st_edge_offsets); i++) {
			t.t_len = st_edge_lens[i / ARRAY_SIZE(st_edge_offsets)];
			t.f_offset = st_edge_offsets[i % ARRAY_SIZE(st_edge_offsets)];
			count = st_block_count(&t);
			KUNIT_EXPECT_GE(test, count, 1);
			const u64 at[] = {
				0, 1, 2, count / 2, count - 2, count - 1, count, count + 1,
				U64_MAX - 1, U64_MAX,
			};

			for (j = 0; j < ARRAY_SIZE(at); j++)
				st_check_blocks_at(test, &t, at[j]);
		}
	}
}

static void st_block_known(struct kunit *test)
{
	/* The rule of the draft, computed by hand. */
	struct st_tiling t = { .t_len = 1000, .f_offset = 100, .blocksize = 8 };

	KUNIT_EXPECT_EQ(test, st_block_count(&t), 5);
	KUNIT_EXPECT_EQ(test, st_block_len(&t, 0), 156);
	KUNIT_EXPECT_EQ(test, st_block_start(&t, 1), 156);
	KUNIT_EXPECT_EQ(test, st_block_start(&t, 4), 924);
	KUNIT_EXPECT_EQ(test, st_block_len(&t, 4), 76);

	t = (struct st_tiling) { .t_len = U64_MAX, .f_offset = 0, .blocksize = 8 };
	KUNIT_EXPECT_EQ(test, st_block_count(&t), 1ULL << 56);
	t.f_offset = 255;
	KUNIT_EXPECT_EQ(test, st_block_len(&t, 0), 1);
	KUNIT_EXPECT_EQ(test, st_block_count(&t), (1ULL << 56) + 1);
}

static void st_block_unlimited(struct kunit *test)
{
	struct st_tiling t = {};
	u64 size;
	int i;

	for (t.blocksize = ST_BLOCK_MIN; t.blocksize <= ST_BLOCK_MAX; t.blocksize++) {
		size = 1ULL << t.blocksize;
		for (i = 0; i < ARRAY_SIZE(st_edge_offsets); i++) {
			u64 first = size - st_edge_offsets[i] % size;

			t.f_offset = st_edge_offsets[i];
			KUNIT_EXPECT_EQ(test, st_block_count(&t), U64_MAX);
			KUNIT_EXPECT_EQ(test, st_block_start(&t, 0), 0);
			KUNIT_EXPECT_EQ(test, st_block_len(&t, 0), first);
			KUNIT_EXPECT_EQ(test, st_block_start(&t, 1), first);
			KUNIT_EXPECT_EQ(test, st_block_len(&t, 1), size);
			KUNIT_EXPECT_EQ(test, st_block_start(&t, 1000), first + 999 * size);
			KUNIT_EXPECT_EQ(test, st_block_start(&t, U64_MAX), U64_MAX);
			KUNIT_EXPECT_EQ(test, st_block_len(&t, U64_MAX), size);
			/* The last start that fits 64 bits, and the one after it. */
			KUNIT_EXPECT_EQ(test, st_block_start(&t, U64_MAX / size),
					first + (U64_MAX / size - 1) * size);
			KUNIT_EXPECT_EQ(test, st_block_start(&t, U64_MAX / size + 2), U64_MAX);
		}
	}
}

/* The largest Block has enough STU numbers wherever it starts in a buffer. */
static void st_max_block_fits(struct kunit *test)
{
	struct st_layout l = {};
	struct st_place at;
	u32 stus, worst;
	u64 offset;
	int i;

	for (l.bufsize = ST_BUFSIZE_MIN; l.bufsize <= ST_BUFSIZE_MAX; l.bufsize++) {
		for (l.max_stu = 8; l.max_stu <= min(l.bufsize, 31); l.max_stu++) {
			const u64 offsets[] = {
				0, 1, (1ULL << l.max_stu) - 1, 1ULL << l.max_stu,
				(1ULL << l.bufsize) / 2 + 1, (1ULL << l.bufsize) - 1,
			};

			l.t.blocksize = st_max_block(l.bufsize, l.max_stu);
			for (i = 0, worst = 0; i < ARRAY_SIZE(offsets); i++) {
				offset = offsets[i] % (1ULL << l.bufsize);
				at = (struct st_place) { .offset = offset };
				stus = st_cut_block(test, &l, &at, 1ULL << l.t.blocksize);
				KUNIT_ASSERT_GT(test, stus, 0);
				worst = max(worst, stus);
			}
			/* One more number for a checksum without payload. */
			KUNIT_EXPECT_LE(test, worst + 1, ST_STU_NUMBERS);
			if (l.t.blocksize < ST_BLOCK_MAX)
				KUNIT_EXPECT_GT(test, 2 * (worst - 1) + 1, ST_STU_NUMBERS);
			cond_resched();
		}
	}
}

static void st_max_block_values(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, st_max_block(8, 8), 23);
	KUNIT_EXPECT_EQ(test, st_max_block(12, 8), 23);
	KUNIT_EXPECT_EQ(test, st_max_block(20, 17), 32);
	KUNIT_EXPECT_EQ(test, st_max_block(32, 31), 46);
	/* An STU is never longer than its buffer, nor than 2^31. */
	KUNIT_EXPECT_EQ(test, st_max_block(8, 31), 23);
	KUNIT_EXPECT_EQ(test, st_max_block(32, 32), 46);
}

static void st_block_random(struct kunit *test)
{
	struct rnd_state rnd;
	struct st_layout l;
	int i;

	st_test_seed(test, &rnd);
	for (i = 0; i < 3000; i++) {
		l.bufsize = st_test_range(&rnd, 8, 20);
		l.max_stu = st_test_range(&rnd, 8, l.bufsize);
		l.t.blocksize = st_test_range(&rnd, 8, 24);
		l.t.f_offset = st_test_range(&rnd, 0, (1U << l.bufsize) - 1);
		l.t.t_len = 1 + (st_test_u64(&rnd) >> st_test_range(&rnd, 42, 63));
		l.bufx = prandom_u32_state(&rnd) >> 1;
		if (!st_walk_transfer(test, &l))
			return;
	}
	for (i = 0; i < 20000; i++) {
		l.t.blocksize = st_test_range(&rnd, ST_BLOCK_MIN, ST_BLOCK_MAX);
		l.t.f_offset = prandom_u32_state(&rnd) >> st_test_range(&rnd, 0, 31);
		l.t.t_len = (st_test_u64(&rnd) >> st_test_range(&rnd, 0, 63)) ?: 1;
		st_check_blocks_at(test, &l.t,
				   st_test_u64(&rnd) % st_block_count(&l.t));
	}
}

static struct kunit_case st_block_cases[] = {
	KUNIT_CASE(st_block_known),
	KUNIT_CASE(st_block_edges),
	KUNIT_CASE(st_block_unlimited),
	KUNIT_CASE_SLOW(st_block_every_offset),
	KUNIT_CASE(st_max_block_values),
	KUNIT_CASE_SLOW(st_max_block_fits),
	KUNIT_CASE(st_block_random),
	{}
};

static struct kunit_suite st_block_suite = {
	.name = "st_block",
	.test_cases = st_block_cases,
};

kunit_test_suite(st_block_suite);
