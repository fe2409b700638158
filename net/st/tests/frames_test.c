// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that arrive in several frames, in any order.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/st_llp.h>

#define ST_FRAMES_TEST	64	/* frames */
#define ST_FRAME_LEN	8

static struct sk_buff *st_frame(struct kunit *test, unsigned int n)
{
	struct sk_buff *skb = alloc_skb(ST_FRAME_LEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	memset(skb_put(skb, ST_FRAME_LEN), n, ST_FRAME_LEN);
	return skb;
}

static void st_frames_get(struct kunit *test, struct st_frames *frames, unsigned int n)
{
	st_frames_add(frames, st_frame(test, n), n * ST_FRAME_LEN);
}

/* All of them, as they are joined */
static void st_frames_joined(struct kunit *test, struct st_frames *frames)
{
	struct sk_buff *skb;
	unsigned int i;
	u8 byte;

	KUNIT_EXPECT_TRUE(test, st_frames_whole(frames));
	KUNIT_EXPECT_EQ(test, frames->len, ST_FRAMES_TEST * ST_FRAME_LEN);
	skb = st_frames_join(frames);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, ST_FRAMES_TEST * ST_FRAME_LEN);
	KUNIT_EXPECT_EQ(test, frames->len, 0);
	for (i = 0; i < skb->len; i++) {
		KUNIT_ASSERT_EQ(test, skb_copy_bits(skb, i, &byte, 1), 0);
		KUNIT_EXPECT_EQ(test, byte, i / ST_FRAME_LEN);
	}
	kfree_skb(skb);
}

static void st_frames_orders(struct kunit *test)
{
	struct st_frames frames = {};
	unsigned int i;

	for (i = 0; i < ST_FRAMES_TEST; i++)
		st_frames_get(test, &frames, i);
	st_frames_joined(test, &frames);
	for (i = ST_FRAMES_TEST; i--;)
		st_frames_get(test, &frames, i);
	st_frames_joined(test, &frames);
	/* 0, 37, 10, 47 and so on: 37 and 64 have no common factor */
	for (i = 0; i < ST_FRAMES_TEST; i++)
		st_frames_get(test, &frames, i * 37 % ST_FRAMES_TEST);
	st_frames_joined(test, &frames);
}

/* One that is missing, and one that came twice */
static void st_frames_broken(struct kunit *test)
{
	struct st_frames frames = {};

	st_frames_get(test, &frames, 1);
	KUNIT_EXPECT_FALSE(test, st_frames_whole(&frames));
	st_frames_get(test, &frames, 0);
	KUNIT_EXPECT_TRUE(test, st_frames_whole(&frames));
	st_frames_get(test, &frames, 3);
	KUNIT_EXPECT_FALSE(test, st_frames_whole(&frames));
	st_frames_get(test, &frames, 2);
	st_frames_get(test, &frames, 2);
	KUNIT_EXPECT_FALSE(test, st_frames_whole(&frames));
	KUNIT_EXPECT_EQ(test, frames.len, 5 * ST_FRAME_LEN);
	st_frames_purge(&frames);
	KUNIT_EXPECT_EQ(test, frames.kept, 0);
	KUNIT_EXPECT_TRUE(test, st_frames_whole(&frames));
}

static struct kunit_case st_frames_cases[] = {
	KUNIT_CASE(st_frames_orders),
	KUNIT_CASE(st_frames_broken),
	{}
};

static struct kunit_suite st_frames_suite = {
	.name		= "st_frames",
	.test_cases	= st_frames_cases,
};

kunit_test_suite(st_frames_suite);
