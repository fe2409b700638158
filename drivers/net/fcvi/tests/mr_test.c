// SPDX-License-Identifier: GPL-2.0
/*
 * Protection tags and memory regions, VI-ARCH 3.2: each byte at the edges of a region, and each
 * right.
 */
#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/skbuff.h>

#include "mr.h"

struct test_mem {
	struct fcvi_mem		mem;
	struct fcvi_tag		*tag;
	struct fcvi_tag		*other;
	struct fcvi_tag		*second;	/* of the same owner as the first */
	struct fcvi_region	r;
};

static struct test_mem *test_mem(struct kunit *test, u64 va, u64 len)
	__acquires(test_mem)
{
	struct test_mem *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	fcvi_mem_init(&t->mem);
	t->tag = fcvi_tag_new(t);
	t->other = fcvi_tag_new(test);
	t->second = fcvi_tag_new(t);
	KUNIT_ASSERT_NOT_NULL(test, t->tag);
	KUNIT_ASSERT_NOT_NULL(test, t->other);
	KUNIT_ASSERT_NOT_NULL(test, t->second);
	spin_lock_bh(&t->mem.lock);
	t->r = (struct fcvi_region) { .tag = t->tag, .va = va, .len = len, .writable = true };
	KUNIT_ASSERT_EQ(test, fcvi_region_add(&t->mem, &t->r), 0);
	return t;
}

static void test_mem_end(struct kunit *test, struct test_mem *t)
	__releases(test_mem)
{
	KUNIT_EXPECT_EQ(test, fcvi_tag_free(&t->mem, t->tag), -EBUSY);
	fcvi_region_remove(&t->mem, &t->r);
	KUNIT_EXPECT_EQ(test, fcvi_tag_free(&t->mem, t->tag), 0);
	KUNIT_EXPECT_EQ(test, fcvi_tag_free(&t->mem, t->other), 0);
	KUNIT_EXPECT_EQ(test, fcvi_tag_free(&t->mem, t->second), 0);
	spin_unlock_bh(&t->mem.lock);
	fcvi_mem_free(&t->mem);
}

static bool test_may(struct test_mem *t, u64 va, u64 len)
{
	return fcvi_region_find(&t->mem, t->r.handle, t->tag, va, len, FCVI_LOCAL) == &t->r;
}

static void test_range(struct kunit *test)
{
	struct test_mem *t = test_mem(test, 0x1001, 0x20);

	KUNIT_EXPECT_TRUE(test, test_may(t, 0x1001, 0x20));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1001, 0x21));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1000, 1));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1000, 0x21));
	KUNIT_EXPECT_TRUE(test, test_may(t, 0x1020, 1));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1020, 2));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1021, 1));
	/* No byte at all */
	KUNIT_EXPECT_TRUE(test, test_may(t, 0x1001, 0));
	KUNIT_EXPECT_TRUE(test, test_may(t, 0x1021, 0));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1000, 0));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1022, 0));
	/* Sums that wrap */
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1010, U64_MAX));
	KUNIT_EXPECT_FALSE(test, test_may(t, U64_MAX, 0x1010));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1010, U64_MAX - 0x100f));
	test_mem_end(test, t);
}

/* The last byte of all addresses, and what is no region */
static void test_edges(struct kunit *test)
{
	struct test_mem *t = test_mem(test, U64_MAX - 15, 16);
	struct fcvi_region r = { .tag = t->tag, .va = U64_MAX - 15, .len = 17 };

	KUNIT_EXPECT_TRUE(test, test_may(t, U64_MAX, 1));
	KUNIT_EXPECT_FALSE(test, test_may(t, U64_MAX, 2));
	KUNIT_EXPECT_FALSE(test, test_may(t, 0, 1));
	KUNIT_EXPECT_EQ(test, fcvi_region_add(&t->mem, &r), -EINVAL);
	r.len = 0;
	KUNIT_EXPECT_EQ(test, fcvi_region_add(&t->mem, &r), -EINVAL);
	/* The same range again, VI-ARCH 3.2.1 */
	r.len = 16;
	KUNIT_ASSERT_EQ(test, fcvi_region_add(&t->mem, &r), 0);
	KUNIT_EXPECT_NE(test, r.handle, t->r.handle);
	fcvi_region_remove(&t->mem, &r);
	/* What was de-registered meets a protection error */
	KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, r.handle, t->tag, r.va, 1, FCVI_LOCAL));
	test_mem_end(test, t);
}

static void test_rights(struct kunit *test)
{
	struct test_mem *t = test_mem(test, 0x1000, 0x1000);
	u32 h = t->r.handle;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		t->r.rdma_write = i & 1;
		t->r.rdma_read = i & 2;
		KUNIT_EXPECT_EQ(test, !!(i & 1), !!fcvi_region_find(&t->mem, h, t->tag, 0x1000, 1,
								    FCVI_RDMA_WRITE));
		KUNIT_EXPECT_EQ(test, !!(i & 2), !!fcvi_region_find(&t->mem, h, t->tag, 0x1000, 1,
								    FCVI_RDMA_READ));
		KUNIT_EXPECT_TRUE(test, test_may(t, 0x1000, 1));
		KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, h, t->other, 0x1000, 1,
							 FCVI_LOCAL));
		KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, h + 1, t->tag, 0x1000, 1,
							 FCVI_LOCAL));
	}
	test_mem_end(test, t);
}

/* All or nothing, VI-DG 3.7.4; a tag is valid for its owner only */
static void test_change(struct kunit *test)
{
	struct test_mem *t = test_mem(test, 0x1000, 0x1000);
	struct fcvi_region to = { .tag = t->other, .rdma_write = true, .rdma_read = true };

	KUNIT_EXPECT_EQ(test, fcvi_region_change(&t->mem, &t->r, &to, t), -EACCES);
	KUNIT_EXPECT_EQ(test, fcvi_region_change(&t->mem, &t->r, &to, test), -EACCES);
	KUNIT_EXPECT_PTR_EQ(test, t->r.tag, t->tag);
	KUNIT_EXPECT_FALSE(test, t->r.rdma_write);
	KUNIT_EXPECT_FALSE(test, t->r.rdma_read);
	to.tag = t->second;
	KUNIT_EXPECT_EQ(test, fcvi_region_change(&t->mem, &t->r, &to, t), 0);
	KUNIT_EXPECT_TRUE(test, t->r.rdma_write);
	KUNIT_EXPECT_EQ(test, t->tag->users, 0);
	KUNIT_EXPECT_FALSE(test, test_may(t, 0x1000, 1));
	to.tag = t->tag;
	KUNIT_EXPECT_EQ(test, fcvi_region_change(&t->mem, &t->r, &to, t), 0);
	test_mem_end(test, t);
}

/* What the process may not write nobody writes, VI-DG 3.4.3 */
static void test_read_only(struct kunit *test)
{
	struct test_mem *t = test_mem(test, PAGE_SIZE - 1, 2 * PAGE_SIZE);
	DECLARE_BITMAP(pages, 3) = { BIT(1) };
	static const enum fcvi_access writes[] = { FCVI_LOCAL_WRITE, FCVI_RDMA_WRITE };
	u32 h = t->r.handle;
	unsigned int i;

	t->r.rdma_write = true;
	t->r.writable = false;
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		t->r.read_only = NULL;
		KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, PAGE_SIZE - 1, 1,
							 writes[i]));
		KUNIT_EXPECT_NOT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, PAGE_SIZE - 1, 0,
							     writes[i]));
		t->r.read_only = pages;
		KUNIT_EXPECT_NOT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, PAGE_SIZE - 1, 1,
							     writes[i]));
		KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, PAGE_SIZE - 1, 2,
							 writes[i]));
		KUNIT_EXPECT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, 2 * PAGE_SIZE - 1, 2,
							 writes[i]));
		KUNIT_EXPECT_NOT_NULL(test, fcvi_region_find(&t->mem, h, t->tag, 2 * PAGE_SIZE,
							     PAGE_SIZE - 1, writes[i]));
	}
	KUNIT_EXPECT_TRUE(test, test_may(t, PAGE_SIZE - 1, 2 * PAGE_SIZE));
	test_mem_end(test, t);
}

#define TEST_BYTES	(PAGE_SIZE + 1)

/* Bytes that cross the border of two pages of a region that begins in the first one */
static void test_pages(struct kunit *test)
{
	u64 va = 5 * PAGE_SIZE + 100, at = 6 * PAGE_SIZE - 20;
	struct test_mem *t = test_mem(test, va, PAGE_SIZE);
	struct page *pages[2] = { };
	struct sk_buff *skb = alloc_skb(TEST_BYTES + 200, GFP_ATOMIC);
	unsigned int i;
	u8 *bytes;

	for (i = 0; i < ARRAY_SIZE(pages); i++)
		pages[i] = alloc_page(GFP_ATOMIC);
	if (!skb || !pages[0] || !pages[1]) {
		KUNIT_FAIL(test, "no memory");
		goto out;
	}
	t->r.pages = pages;
	bytes = skb_put(skb, TEST_BYTES);
	for (i = 0; i < TEST_BYTES; i++)
		bytes[i] = i * 7;
	KUNIT_EXPECT_EQ(test, fcvi_region_put(&t->r, at, skb, 0, skb->len), -EFAULT);
	KUNIT_EXPECT_EQ(test, fcvi_region_put(&t->r, va - 1, skb, 0, 1), -EFAULT);
	KUNIT_EXPECT_EQ(test, fcvi_region_put(&t->r, at, skb, TEST_BYTES - 1, 2), -EFAULT);
	KUNIT_EXPECT_EQ(test, fcvi_region_put(&t->r, at, skb, 5, 120), 0);
	KUNIT_EXPECT_EQ(test, memcmp(page_address(pages[0]) + PAGE_SIZE - 20, bytes + 5, 20), 0);
	KUNIT_EXPECT_EQ(test, memcmp(page_address(pages[1]), bytes + 25, 100), 0);
	fcvi_region_get(&t->r, at, skb_put(skb, 120), 120);
	KUNIT_EXPECT_EQ(test, skb->len, TEST_BYTES + 120);
	KUNIT_EXPECT_EQ(test, memcmp(bytes + TEST_BYTES, bytes + 5, 120), 0);
	t->r.writable = false;
	KUNIT_EXPECT_EQ(test, fcvi_region_put(&t->r, at, skb, 0, 1), -EFAULT);
	t->r.writable = true;
out:
	for (i = 0; i < ARRAY_SIZE(pages); i++)
		if (pages[i])
			__free_page(pages[i]);
	kfree_skb(skb);
	test_mem_end(test, t);
}

static struct kunit_case fcvi_mr_cases[] = {
	KUNIT_CASE(test_range),
	KUNIT_CASE(test_edges),
	KUNIT_CASE(test_rights),
	KUNIT_CASE(test_change),
	KUNIT_CASE(test_read_only),
	KUNIT_CASE(test_pages),
	{}
};

static struct kunit_suite fcvi_mr_suite = {
	.name		= "fcvi_mr",
	.test_cases	= fcvi_mr_cases,
};

kunit_test_suites(&fcvi_mr_suite);
