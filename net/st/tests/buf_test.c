// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of parts of buffers, from which records in a region are sent, and of the context
 * in which buffers are released.
 */
#include <linux/bottom_half.h>

#include "buf/buf.h"
#include "random.h"

#define PAGES	40		/* more than an skb has fragments */
#define MANY	2000		/* more than are released with bottom halves off */
#define FROM	(PAGE_SIZE + 100)

static struct st_buf *st_test_buf(struct kunit *test, struct rnd_state *rnd)
{
	struct st_buf *buf = st_buf_alloc(PAGES * PAGE_SIZE, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	for (i = 0; i < buf->nr; i++)
		prandom_bytes_state(rnd, page_address(buf->seg[i].page), PAGE_SIZE);
	return buf;
}

static u8 st_test_byte(const struct st_buf *buf, u64 pos)
{
	return ((u8 *)page_address(buf->seg[pos >> PAGE_SHIFT].page))[offset_in_page(pos)];
}

/* The attached bytes are those of the part, in the pages of the whole. */
static void st_buf_part_attach(struct kunit *test)
{
	struct rnd_state rnd;
	struct st_buf *whole, *part;
	struct sk_buff *skb;
	u64 pos, i;
	u32 len;
	u8 byte;

	st_test_seed(test, &rnd);
	whole = st_test_buf(test, &rnd);
	part = st_buf_part(whole, FROM, 30 * PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, part);
	KUNIT_EXPECT_EQ(test, part->len, 30 * PAGE_SIZE);
	for (i = 0; i < 20; i++) {
		pos = st_test_range(&rnd, 0, part->len - 1);
		len = st_test_range(&rnd, 1, part->len - pos);
		skb = alloc_skb(0, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_ASSERT_EQ(test, 0, st_buf_attach(part, pos, len, skb, NULL));
		KUNIT_ASSERT_EQ(test, skb->len, len);
		KUNIT_EXPECT_EQ(test, !!skb_has_frag_list(skb),
				st_buf_fit(part, pos, len) < len);
		KUNIT_EXPECT_PTR_EQ(test, skb_frag_page(&skb_shinfo(skb)->frags[0]),
				    whole->seg[(FROM + pos) >> PAGE_SHIFT].page);
		for (u32 at = 0; at < len; at++) {
			KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, at, &byte, 1));
			KUNIT_ASSERT_EQ_MSG(test, byte, st_test_byte(whole, FROM + pos + at),
					    "byte %u of %u from %llu on", at, len, pos);
		}
		kfree_skb(skb);
	}
	st_buf_free(part, false);
	st_buf_free(whole, false);
}

/* One skb takes the bytes of as many pages as it has fragments, from any start. */
static void st_buf_part_fit(struct kunit *test)
{
	struct rnd_state rnd;
	struct st_buf *whole, *part;

	st_test_seed(test, &rnd);
	whole = st_test_buf(test, &rnd);
	part = st_buf_part(whole, FROM, 30 * PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, part);
	KUNIT_EXPECT_EQ(test, st_buf_fit(part, 0, 30 * PAGE_SIZE),
			MAX_SKB_FRAGS * PAGE_SIZE - 100);
	KUNIT_EXPECT_EQ(test, st_buf_fit(part, PAGE_SIZE - 100, 30 * PAGE_SIZE),
			MAX_SKB_FRAGS * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, st_buf_fit(part, 0, 1000), 1000);
	st_buf_free(part, false);
	st_buf_free(whole, false);
}

/*
 * The owner may release the whole first, or the sender the part before the last skb is freed: the
 * pages stay as long as any of them holds a reference, and no longer.
 */
static void st_buf_part_keeps(struct kunit *test)
{
	struct st_buf *whole, *part;
	struct rnd_state rnd;
	struct sk_buff *skb;
	struct page *page;

	st_test_seed(test, &rnd);
	whole = st_test_buf(test, &rnd);
	page = whole->seg[1].page;
	get_page(page);
	part = st_buf_part(whole, FROM, 10);
	KUNIT_ASSERT_NOT_NULL(test, part);
	skb = alloc_skb(0, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, 0, st_buf_attach(part, 0, 10, skb, NULL));
	KUNIT_EXPECT_TRUE(test, skb_zcopy(skb) == &part->uarg);
	KUNIT_EXPECT_EQ(test, refcount_read(&part->uarg.refcnt), 2);
	KUNIT_EXPECT_EQ(test, refcount_read(&whole->uarg.refcnt), 2);
	KUNIT_EXPECT_EQ(test, page_count(page), 3);
	st_buf_free(whole, false);
	KUNIT_EXPECT_EQ(test, page_count(page), 3);
	st_buf_free(part, false);
	KUNIT_EXPECT_EQ(test, page_count(page), 3);
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, page_count(page), 1);
	put_page(page);
}

/* A clone of a part has the bytes of the part. */
static void st_buf_part_clone(struct kunit *test)
{
	struct st_buf *whole, *part, *copy;
	struct rnd_state rnd;
	u32 i;

	st_test_seed(test, &rnd);
	whole = st_test_buf(test, &rnd);
	part = st_buf_part(whole, FROM, 3 * PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, part);
	copy = st_buf_clone(part, 7, 2 * PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_EXPECT_FALSE(test, copy->pinned);
	for (i = 0; i < 2 * PAGE_SIZE; i++)
		KUNIT_ASSERT_EQ(test, st_test_byte(copy, i), st_test_byte(whole, FROM + 7 + i));
	st_buf_free(copy, false);
	st_buf_free(part, false);
	st_buf_free(whole, false);
}

static unsigned int st_test_uncharged;

static void st_test_uncharge(struct st_buf *buf)
{
	st_test_uncharged++;
}

/*
 * The owner releases a region of so many pages, then a part of it is released with bottom halves
 * off.
 * Return: references to one of the pages after that, including that of the test.
 */
static int st_test_free_bh_off(struct kunit *test, unsigned int pages)
{
	struct st_buf *whole = st_buf_alloc(pages * PAGE_SIZE, GFP_KERNEL), *part;
	unsigned int before = st_test_uncharged;
	struct page *page;
	int left;

	KUNIT_ASSERT_NOT_NULL(test, whole);
	whole->uncharge = st_test_uncharge;
	page = whole->seg[pages - 1].page;
	get_page(page);
	part = st_buf_part(whole, FROM, 10);
	KUNIT_ASSERT_NOT_NULL(test, part);
	st_buf_free(whole, false);
	KUNIT_EXPECT_EQ(test, page_count(page), 2);
	local_bh_disable();
	st_buf_free(part, false);
	left = page_count(page);
	local_bh_enable();
	flush_workqueue(st_mem_wq);
	KUNIT_EXPECT_EQ(test, page_count(page), 1);
	KUNIT_EXPECT_EQ(test, st_test_uncharged, before + 1);
	put_page(page);
	return left;
}

/* A buffer of few pages is released at once, one of many pages by the work queue. */
static void st_buf_free_bh_off(struct kunit *test)
{
	if (num_online_cpus() > 1)
		kunit_skip(test, "another CPU may be faster");
	KUNIT_EXPECT_EQ(test, st_test_free_bh_off(test, PAGES), 1);
	KUNIT_EXPECT_EQ(test, st_test_free_bh_off(test, MANY), 2);
}

static struct kunit_case st_buf_cases[] = {
	KUNIT_CASE(st_buf_part_attach),
	KUNIT_CASE(st_buf_part_fit),
	KUNIT_CASE(st_buf_part_keeps),
	KUNIT_CASE(st_buf_part_clone),
	KUNIT_CASE(st_buf_free_bh_off),
	{}
};

static struct kunit_suite st_buf_suite = {
	.name = "st_buf",
	.test_cases = st_buf_cases,
};

kunit_test_suite(st_buf_suite);
