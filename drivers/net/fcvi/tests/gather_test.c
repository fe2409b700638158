// SPDX-License-Identifier: GPL-2.0
/*
 * Payloads of connection IUs that come in several frames.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>

#include "gather.h"

#define TEST_SKIP	32

/* A frame with @len bytes of the payload, each of which is the low byte of its place */
static void test_add(struct kunit *test, struct fcvi_gather *g, u32 base, u32 at, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(TEST_SKIP + len, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put_zero(skb, TEST_SKIP);
	for (i = 0; i < len; i++)
		skb_put_u8(skb, at + i);
	fcvi_gather_add(g, base + at, skb, TEST_SKIP);
	kfree_skb(skb);
}

static struct fcvi_gather *test_gather(struct kunit *test)
{
	struct fcvi_gather *g = kunit_kmalloc(test, sizeof(*g), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, g);
	fcvi_gather_begin(g);
	return g;
}

static void test_frames(struct kunit *test)
{
	static const u32 bases[] = { 0, 340, 0xffffff00 };
	struct fcvi_gather *g = test_gather(test);
	unsigned int i, size, pos;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		for (size = 4; size <= 600; size += 4) {
			fcvi_gather_begin(g);
			for (pos = 0; pos < 596; pos += size)
				test_add(test, g, bases[i], pos, min(size, 596 - pos));
			KUNIT_ASSERT_EQ(test, fcvi_gather_len(g), 596);
			for (pos = 0; pos < 596; pos++)
				KUNIT_ASSERT_EQ(test, g->data[pos], (u8)pos);
		}
	}
}

/* Three frames in all orders */
static void test_order(struct kunit *test)
{
	static const u32 bases[] = { 0, 340, 0xffffff00 };
	static const u8 orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	static const struct { u32 at, len; } frames[] = { { 0, 100 }, { 100, 130 }, { 230, 110 } };
	struct fcvi_gather *g = test_gather(test);
	unsigned int i, j, pos;
	const u8 *order;

	for (i = 0; i < ARRAY_SIZE(bases) * ARRAY_SIZE(orders); i++) {
		order = orders[i % ARRAY_SIZE(orders)];
		fcvi_gather_begin(g);
		for (j = 0; j < 3; j++)
			test_add(test, g, bases[i / ARRAY_SIZE(orders)], frames[order[j]].at,
				 frames[order[j]].len);
		KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 340);
		for (pos = 0; pos < 340; pos++)
			KUNIT_ASSERT_EQ(test, g->data[pos], (u8)pos);
	}
	/* One is missing */
	fcvi_gather_begin(g);
	test_add(test, g, 0, 200, 140);
	test_add(test, g, 0, 0, 100);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
}

static void test_bad(struct kunit *test)
{
	struct fcvi_gather *g = test_gather(test);

	/* An IU without payload */
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
	test_add(test, g, 0, 0, 597);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
	/* Behind the end, far before the beginning, and the same bytes twice */
	fcvi_gather_begin(g);
	test_add(test, g, 0, 0, 300);
	test_add(test, g, 0, 300, 297);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
	fcvi_gather_begin(g);
	test_add(test, g, 340, 497, 100);
	test_add(test, g, 340, 0, 497);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
	fcvi_gather_begin(g);
	test_add(test, g, 0, 0, 200);
	test_add(test, g, 0, 100, 200);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
	test_add(test, g, 0, 0xffffff00, 300);
	KUNIT_EXPECT_EQ(test, fcvi_gather_len(g), 0);
}

static struct kunit_case fcvi_gather_cases[] = {
	KUNIT_CASE(test_frames),
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_bad),
	{}
};

static struct kunit_suite fcvi_gather_suite = {
	.name		= "fcvi_gather",
	.test_cases	= fcvi_gather_cases,
};

kunit_test_suites(&fcvi_gather_suite);
