// SPDX-License-Identifier: GPL-2.0
/*
 * Segmentation contexts, 3.2.4: who has how many, how long, and what they take.
 */
#include <linux/string.h>

#include "feed.h"

#define TEST_MTU	64

static void test_open(struct rio9_feed *f, u16 src, u8 channel)
{
	f->src = src;
	f->channel = channel;
	rio9_feed_start(f, TEST_MTU);
}

/* PDUs of all channels and sources, a segment of each in turn */
static void test_interleaved(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 3 * RIO9_CHANNELS);
	u8 *data = f->data;
	unsigned int i;

	for (i = 0; i < 3 * RIO9_CHANNELS; i++, f->data++)
		test_open(f, i % 3 + 1, i / 3);
	for (i = 0; i < 3 * RIO9_CHANNELS; i++, f->data++) {
		f->src = i % 3 + 1;
		f->channel = i / 3;
		rio9_feed_cont(f, TEST_MTU);
	}
	rio9_feed_nothing(f);
	for (i = 0; i < 3 * RIO9_CHANNELS; i++) {
		struct sk_buff *skb;
		u8 expect[2 * TEST_MTU + 1];

		f->src = i % 3 + 1;
		f->channel = i / 3;
		skb = rio9_feed_end(f, 1, sizeof(expect));
		memcpy(expect, data + i, TEST_MTU);
		memcpy(expect + TEST_MTU, data + 3 * RIO9_CHANNELS + i, TEST_MTU);
		expect[2 * TEST_MTU] = *f->data;
		rio9_feed_good(f, skb, expect, sizeof(expect));
	}
}

/* The destination ID is in the key, 3.2.4 */
static void test_destinations(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);
	struct rio9_packet p = {
		.dst = TEST_ID + 1, .src = 1, .channel = RIO9_FLOW_C, .kind = RIO9_START,
		.cos = TEST_COS, .stream = TEST_STREAM, .data = f->data + 1, .len = TEST_MTU,
	};

	rio9_feed_start(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed(f, &p));
	rio9_feed_nothing(f);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	p.kind = RIO9_END;
	p.len = 0;
	p.length = TEST_MTU;
	rio9_feed_good(f, rio9_feed(f, &p), f->data + 1, TEST_MTU);
}

/* The end of a PDU and the beginning of the next are lost; the rest of both has the right length */
static void test_gap(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);

	test_open(f, 1, 3);
	test_open(f, 1, 2);
	spin_lock_bh(&f->r.lock);
	rio9_reassembly_gap(&f->r, 1, TEST_ID, 2);
	rio9_reassembly_gap(&f->r, 1, TEST_ID, 4);
	spin_unlock_bh(&f->r.lock);
	rio9_feed_counts(f, RIO9_STAT_GAP, 1);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 1, 2 * TEST_MTU + 1));
	rio9_feed_nothing(f);
	/* Other channels, and the next PDU, are as they were */
	rio9_feed_whole(f, 3 * TEST_MTU);
	f->channel = 3;
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
}

static void test_no_context(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 2);

	test_open(f, 1, 0);
	test_open(f, 2, 0);
	test_open(f, 3, 0);
	rio9_feed_counts(f, RIO9_STAT_NO_CONTEXT, 1);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, TEST_MTU));
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);
	/* A PDU by itself needs none */
	rio9_feed_whole(f, TEST_MTU);
	/* One that is open needs no other */
	test_open(f, 2, 0);
	rio9_feed_counts(f, RIO9_STAT_NO_END, 1);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	test_open(f, 3, 0);
	rio9_feed_nothing(f);
}

/* Nobody takes what others may have */
static void test_over_share(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 12);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, f->r.share, 4);
	for (i = 0; i < RIO9_CHANNELS; i++)
		test_open(f, 1, i);
	rio9_feed_counts(f, RIO9_STAT_OVER_SHARE, RIO9_CHANNELS - 4);
	for (i = 0; i < 4; i++)
		test_open(f, 2, i);
	for (i = 0; i < 4; i++)
		test_open(f, 3, i);
	rio9_feed_nothing(f);
	/* Each that is closed can be opened again */
	f->src = 1;
	f->channel = 0;
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	test_open(f, 1, 7);
	rio9_feed_nothing(f);
	test_open(f, 1, 8);
	rio9_feed_counts(f, RIO9_STAT_NO_CONTEXT, 1);
}

/* A defective PDU has its context, too, until something closes it */
static void test_bad_ones_count(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 3);

	f->src = 1;
	rio9_feed_start(f, 4);
	rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 1);
	test_open(f, 1, 5);
	rio9_feed_counts(f, RIO9_STAT_OVER_SHARE, 1);
}

static void test_shares_change(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 12);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, rio9_reassembly_add_source(&f->r, 3), -EEXIST);
	KUNIT_EXPECT_EQ(test, f->r.share, 4);
	for (i = 0; i < 4; i++)
		test_open(f, 1, i);
	KUNIT_EXPECT_EQ(test, rio9_reassembly_add_source(&f->r, 4), 0);
	KUNIT_EXPECT_EQ(test, f->r.share, 3);
	/* What is open stays */
	for (i = 0; i < 4; i++) {
		f->channel = i;
		rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	}
	for (i = 0; i < 4; i++)
		test_open(f, 1, i);
	rio9_feed_counts(f, RIO9_STAT_OVER_SHARE, 1);
	rio9_reassembly_del_source(&f->r, 4);
	rio9_reassembly_del_source(&f->r, 4);
	KUNIT_EXPECT_EQ(test, f->r.share, 4);
	/* At least one for each */
	for (i = 4; i < 20; i++)
		KUNIT_EXPECT_EQ(test, rio9_reassembly_add_source(&f->r, i), 0);
	KUNIT_EXPECT_EQ(test, f->r.share, 1);
}

static void test_unknown_source(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);

	test_open(f, 4, 0);
	rio9_feed_counts(f, RIO9_STAT_UNKNOWN_SOURCE, 1);
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);
	rio9_feed_whole(f, TEST_MTU);
	KUNIT_EXPECT_EQ(test, rio9_reassembly_add_source(&f->r, 4), 0);
	rio9_feed_whole(f, 1000);
}

static void test_source_gone(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);

	test_open(f, 1, 0);
	test_open(f, 1, 1);
	test_open(f, 2, 0);
	rio9_reassembly_del_source(&f->r, 1);
	rio9_feed_counts(f, RIO9_STAT_SOURCE_GONE, 2);
	rio9_feed_good(f, rio9_feed_end(f, 0, TEST_MTU), f->data, TEST_MTU);
	f->src = 1;
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_UNKNOWN_SOURCE, 1);
}

/* 3.2.5: a destination may have a time-out */
static void test_timeout(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);

	KUNIT_EXPECT_EQ(test, f->r.timeout, HZ);
	f->r.timeout = 100;
	test_open(f, 1, 0);
	rio9_feed_expire(f, 99);
	rio9_feed_nothing(f);
	rio9_feed_expire(f, 1);
	rio9_feed_counts(f, RIO9_STAT_TIMEOUT, 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->r.age));
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_START, 1);

	/* Each segment begins it anew, also one of a defective PDU, which is counted once */
	test_open(f, 1, 0);
	test_open(f, 1, 1);
	rio9_feed_expire(f, 60);
	f->channel = 0;
	rio9_feed_cont(f, TEST_MTU);
	f->channel = 1;
	rio9_feed_cont(f, 4);
	rio9_feed_counts(f, RIO9_STAT_CONT_NOT_MTU, 1);
	test_open(f, 1, 2);
	rio9_feed_expire(f, 60);
	rio9_feed_nothing(f);
	f->channel = 2;
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_expire(f, 40);
	rio9_feed_counts(f, RIO9_STAT_TIMEOUT, 1);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, TEST_MTU));
	rio9_feed_counts(f, RIO9_STAT_LENGTH, 1);
}

/* However many there are, the lock is not held for all of them */
static void test_timeout_batch(struct kunit *test)
{
	const unsigned int count = 2 * RIO9_EXPIRE_BATCH + 1;
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 1000);
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (i >= 3 * RIO9_CHANNELS && i % RIO9_CHANNELS == 0)
			rio9_reassembly_add_source(&f->r, i / RIO9_CHANNELS + 1);
		test_open(f, i / RIO9_CHANNELS + 1, i % RIO9_CHANNELS);
	}
	rio9_feed_nothing(f);
	KUNIT_EXPECT_TRUE(test, rio9_feed_expire(f, f->r.timeout));
	rio9_feed_counts(f, RIO9_STAT_TIMEOUT, RIO9_EXPIRE_BATCH);
	KUNIT_EXPECT_TRUE(test, rio9_feed_expire(f, 0));
	rio9_feed_counts(f, RIO9_STAT_TIMEOUT, RIO9_EXPIRE_BATCH);
	KUNIT_EXPECT_FALSE(test, rio9_feed_expire(f, 0));
	rio9_feed_counts(f, RIO9_STAT_TIMEOUT, 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->r.age));
}

/* 5.5.1: what is open when the MTU is written is lost */
static void test_mtu_changed(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);

	test_open(f, 1, 0);
	test_open(f, 2, 0);
	rio9_feed_start(f, 4);
	f->seen[RIO9_STAT_NO_END]++;
	rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 1);
	spin_lock_bh(&f->r.lock);
	rio9_reassembly_set_mtu(&f->r, 128);
	spin_unlock_bh(&f->r.lock);
	rio9_feed_counts(f, RIO9_STAT_MTU_CHANGED, 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->r.age));
	rio9_feed_whole(f, 1000);
	rio9_feed_start(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_START_NOT_MTU, 1);
}

/* Memory is taken by what has come, and no more than allowed */
static void test_memory(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);
	unsigned int i;
	size_t start;

	test_open(f, 1, 0);
	start = f->r.memory;
	KUNIT_EXPECT_GT(test, start, TEST_MTU);
	KUNIT_EXPECT_LE(test, start, 2048);
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_EQ(test, f->r.memory, start + PAGE_SIZE);
	for (i = 1; i < PAGE_SIZE / TEST_MTU; i++)
		rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_EQ(test, f->r.memory, start + PAGE_SIZE);

	f->r.memory_max = f->r.memory;
	test_open(f, 2, 0);
	rio9_feed_counts(f, RIO9_STAT_NO_MEMORY, 1);
	f->src = 1;
	rio9_feed_cont(f, TEST_MTU);
	rio9_feed_counts(f, RIO9_STAT_NO_MEMORY, 1);
	KUNIT_EXPECT_EQ(test, f->r.memory, 0);
	f->src = 2;
	rio9_feed_cont(f, TEST_MTU);
	KUNIT_EXPECT_NULL(test, rio9_feed_end(f, 0, 2 * TEST_MTU));
	rio9_feed_nothing(f);
	rio9_feed_whole(f, PAGE_SIZE);
}

static void test_endpoints(struct kunit *test)
{
	static const unsigned int counts[] = { 1, 2, 3, 1000, RIO9_CONTEXTS_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		struct rio9_feed *f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, counts[i]);

		rio9_feed_whole(f, 1000);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_interleaved),
	KUNIT_CASE(test_destinations),
	KUNIT_CASE(test_gap),
	KUNIT_CASE(test_no_context),
	KUNIT_CASE(test_over_share),
	KUNIT_CASE(test_bad_ones_count),
	KUNIT_CASE(test_shares_change),
	KUNIT_CASE(test_unknown_source),
	KUNIT_CASE(test_source_gone),
	KUNIT_CASE(test_timeout),
	KUNIT_CASE(test_timeout_batch),
	KUNIT_CASE(test_mtu_changed),
	KUNIT_CASE(test_memory),
	KUNIT_CASE(test_endpoints),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_context",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
