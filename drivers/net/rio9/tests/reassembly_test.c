// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly, 3.2.5: every rule, and the counter of what breaks it.
 */
#include <linux/string.h>

#include "feed.h"
#include "vectors.h"

#define TEST_MTU	64

static struct rio9_feed *test_feed(struct kunit *test)
{
	return rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);
}

/* What opened a context has closed it */
static void test_closed(struct rio9_feed *f)
{
	KUNIT_EXPECT_TRUE(f->test, list_empty(&f->r.age));
	KUNIT_EXPECT_EQ(f->test, f->r.memory, 0);
}

/* Rules 1 to 7 of PDUs without a fault */
static void test_sizes(struct kunit *test)
{
	static const unsigned int mtus[] = { RIO9_MTU_MIN, 36, 252, RIO9_MTU_MAX };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(mtus); i++) {
		const u32 sizes[] = {
			1, 2, mtus[i] - 1, mtus[i], mtus[i] + 1, 2 * mtus[i], 2 * mtus[i] + 1,
			4096, 4096 + mtus[i], 8191, RIO9_PDU_MAX - 1, RIO9_PDU_MAX,
		};
		struct rio9_feed *f = rio9_feed_new(test, mtus[i], RIO9_PDU_MAX, 64);

		for (j = 0; j < ARRAY_SIZE(sizes); j++)
			rio9_feed_whole(f, sizes[j]);
		test_closed(f);
	}
}

/* The segments of a vector, as their receiver gets them */
static void test_vector(struct kunit *test, const struct rio9_pdu_vector *v)
{
	struct rio9_packet p = { .dst = TEST_ID, .src = 1, .channel = RIO9_FLOW_C };
	struct rio9_feed *f = rio9_feed_new(test, v->mtu, RIO9_PDU_MAX, 1);
	u8 bytes[RIO9_PACKET_MAX], *data = rio9_test_payload(test, v->len);
	const char *text = v->segments;
	struct sk_buff *skb = NULL;
	unsigned int len;

	while (*text) {
		KUNIT_ASSERT_NULL(test, skb);
		text = strchr(text, ' ') + 1;
		len = rio9_test_hex(test, &text, bytes, sizeof(bytes));
		KUNIT_ASSERT_EQ(test, *text++, ';');
		KUNIT_ASSERT_EQ(test, rio9_decode_logical(&p, bytes, len), RIO9_GOOD);
		skb = rio9_feed(f, &p);
	}
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->cos, v->cos);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->stream, v->stream);
	rio9_skb_pdu(skb)->cos = TEST_COS;
	rio9_skb_pdu(skb)->stream = TEST_STREAM;
	rio9_feed_good(f, skb, data, v->len);
	test_closed(f);
}

static void test_vectors(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < rio9_pdu_vectors_small_count; i++)
		if (!rio9_pdu_vectors_small[i].bytes)
			test_vector(test, rio9_pdu_vectors_small + i);
	for (i = 0; i < rio9_pdu_vectors_large_count; i++)
		if (!rio9_pdu_vectors_large[i].bytes)
			test_vector(test, rio9_pdu_vectors_large + i);
}

static void test_single_over_mtu(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	KUNIT_EXPECT_NULL(test, rio9_feed_single(f, TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_SINGLE_OVER_MTU, 1);
	test_closed(f);
	rio9_feed_whole(f, TEST_MTU);
}

static void test_start_not_mtu(struct kunit *test)
{
	static const unsigned int lens[] = { 0, 4, TEST_MTU - 4, TEST_MTU + 4, RIO9_MTU_MAX };
	struct rio9_feed *f = test_feed(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		rio9_feed_start(f, lens[i]);
		rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 1);
		/* The rest of it is swallowed, be it as it may */
		rio9_feed_cont(f, TEST_MTU);
		rio9_feed_cont(f, 0);
		KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 1));
		rio9_feed_nothing(f);
		test_closed(f);
	}
	rio9_feed_whole(f, 1000);
}

static void test_cont_not_mtu(struct kunit *test)
{
	static const unsigned int lens[] = { 0, 4, TEST_MTU - 4, TEST_MTU + 4, RIO9_MTU_MAX };
	struct rio9_feed *f = test_feed(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		rio9_feed_start(f, TEST_MTU);
		rio9_feed_cont(f, lens[i]);
		rio9_feed_counts(f, RIO9_STAT_CONT_NOT_MTU, 1);
		rio9_feed_cont(f, TEST_MTU);
		KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, TEST_MTU + lens[i] + 1));
		rio9_feed_nothing(f);
		test_closed(f);
	}
	rio9_feed_whole(f, 1000);
}

static void test_end_over_mtu(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, TEST_MTU + 1, 2 * TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_END_OVER_MTU, 1);
	test_closed(f);
	rio9_feed_whole(f, 2 * TEST_MTU);
}

/* Rule 7: a continuation was lost, or doubled; 0 is 65536 */
static void test_length(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 2 * TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 2 * TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 0));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
	/* By one byte */
	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, TEST_MTU));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 2, TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
	test_closed(f);
	rio9_feed_whole(f, 1000);
}

/* An end without data is right if its length is */
static void test_empty_end(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
}

static void test_aborted(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, 0));
	rio9_feed_counts(f, RIO9_STAT_ABORTED, 1);
	test_closed(f);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, 0));
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);
	/* One that was defective before is counted no more */
	rio9_feed_start(f, 4);
	rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 1);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, 0));
	rio9_feed_nothing(f);
	rio9_feed_whole(f, 1000);
}

/* Rule 8 */
static void test_no_start(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 2 * TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_NO_START, 3);
	test_closed(f);
	/* A context of another channel, or another source, is another */
	rio9_feed_start(f, TEST_MTU);
	f->channel = RIO9_FLOW_D;
	rio9_feed_cont(f, TEST_MTU);
	f->channel = RIO9_FLOW_C;
	f->src = 2;
	rio9_feed_cont(f, TEST_MTU);
	f->src = 1;
	rio9_feed_counts(f, RIO9_STAT_NO_START, 2);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
}

/* Rule 9 */
static void test_no_end(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_END, 1);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);

	/* A single segment is the new PDU, and leaves no context open */
	rio9_feed_start(f, TEST_MTU);
	f->seen[RIO9_STAT_NO_END]++;
	rio9_feed_good(f, rio9_feed_single(f, 5), f->data, 5);
	test_closed(f);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);

	/* A defective one is not counted again, whatever follows */
	rio9_feed_start(f, 4);
	rio9_feed_start(f, 4);
	rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 2);
	rio9_feed_good(f, rio9_feed_single(f, 5), f->data, 5);
	/* Nor does a bad single keep the old one */
	rio9_feed_start(f, TEST_MTU);
	f->seen[RIO9_STAT_NO_END]++;
	KUNIT_EXPECT_NULL(test, rio9_feed_single(f, TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_SINGLE_OVER_MTU, 1);
	test_closed(f);
}

static void test_cos_changed(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);

	rio9_feed_start(f, TEST_MTU);
	f->cos = TEST_COS + 1;
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_COS_CHANGED, 1);
	f->cos = TEST_COS;
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 3 * TEST_MTU + 1));
	rio9_feed_nothing(f);

	rio9_feed_start(f, TEST_MTU);
	f->cos = TEST_COS + 1;
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, TEST_MTU + 1));
	rio9_feed_counts(f, RIO9_STAT_COS_CHANGED, 1);
	test_closed(f);
	/* A start may be of any class */
	rio9_feed_whole(f, 1000);
}

static void test_over_max_pdu(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, 2 * TEST_MTU + 1, 64);

	rio9_feed_whole(f, 2 * TEST_MTU + 1);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 2, 2 * TEST_MTU + 2));
	rio9_feed_counts(f, RIO9_STAT_OVER_MAX_PDU, 1);
	/* At once, not at its end */
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_OVER_MAX_PDU, 1);
	KUNIT_EXPECT_EQ(test, f->r.memory, 0);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 1));
	rio9_feed_nothing(f);

	/* Less than a segment */
	f = rio9_feed_new(test, TEST_MTU, TEST_MTU - 1, 64);
	rio9_feed_whole(f, TEST_MTU - 1);
	KUNIT_EXPECT_NULL(test, rio9_feed_single(f, TEST_MTU));
	rio9_feed_counts(f, RIO9_STAT_OVER_MAX_PDU, 1);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_OVER_MAX_PDU, 1);
}

/* 65536 bytes are the most, and no PDU takes memory for more */
static void test_over_65536(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);
	unsigned int i;

	rio9_feed_start(f, TEST_MTU);
	for (i = 1; i < RIO9_PDU_MAX / TEST_MTU; i++)
		rio9_feed_cont(f, TEST_MTU);
	rio9_feed_nothing(f);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_OVER_MAX_PDU, 1);
	KUNIT_EXPECT_EQ(test, f->r.memory, 0);
	for (i = 0; i < 100000; i++)
		rio9_feed_cont(f, TEST_MTU);
	rio9_feed_nothing(f);
	KUNIT_EXPECT_EQ(test, f->r.memory, 0);
}

/* What no rule can notice, see rio9.rst */
static void test_swapped(struct kunit *test)
{
	struct rio9_feed *f = test_feed(test);
	struct sk_buff *skb;

	rio9_feed_start(f, TEST_MTU);
	f->data += 2 * TEST_MTU;
	rio9_feed_cont(f, TEST_MTU);
	f->data -= TEST_MTU;
	rio9_feed_cont(f, TEST_MTU);
	f->data += 2 * TEST_MTU;
	skb = rio9_feed_end(f, 1, 3 * TEST_MTU + 1);
	KUNIT_EXPECT_NOT_NULL(test, skb);
	kfree_skb(skb);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_sizes),
	KUNIT_CASE(test_vectors),
	KUNIT_CASE(test_single_over_mtu),
	KUNIT_CASE(test_start_not_mtu),
	KUNIT_CASE(test_cont_not_mtu),
	KUNIT_CASE(test_end_over_mtu),
	KUNIT_CASE(test_length),
	KUNIT_CASE(test_empty_end),
	KUNIT_CASE(test_aborted),
	KUNIT_CASE(test_no_start),
	KUNIT_CASE(test_no_end),
	KUNIT_CASE(test_cos_changed),
	KUNIT_CASE(test_over_max_pdu),
	KUNIT_CASE(test_over_65536),
	KUNIT_CASE(test_swapped),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_reassembly",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
