// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of persistent memory: complete Puts, Memory Indexes, and results of FetchOps. */
#include "conn/conn.h"
#include "mem/region.h"
#include "conn.h"

static bool st_test_may(const struct st_put_map *w, u32 n, bool done)
{
	bool is;

	return st_put_map_put(w, n, &is) && is == done;
}

static bool st_test_unknown(const struct st_put_map *w, u32 n)
{
	bool done;

	return !st_put_map_put(w, n, &done) && !done;
}

static void st_region_put_map(struct kunit *test)
{
	struct st_put_map w = {};
	u32 i;

	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0, false));
	KUNIT_EXPECT_TRUE(test, st_test_unknown(&w, ST_B_NUM_NONE));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, ST_B_NUM_NONE - 1, false));
	st_put_map_done(&w, 0);
	KUNIT_EXPECT_EQ(test, w.seq, 1);
	KUNIT_EXPECT_TRUE(test, st_test_unknown(&w, ST_B_NUM_NONE - 1));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0, true));
	/* 1 is missing; the following ones are recorded individually */
	for (i = 2; i < 65; i++) {
		KUNIT_EXPECT_TRUE(test, st_test_may(&w, i, false));
		st_put_map_done(&w, i);
		KUNIT_EXPECT_TRUE(test, st_test_may(&w, i, true));
	}
	KUNIT_EXPECT_EQ(test, w.seq, 1);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 1, false));
	st_put_map_done(&w, 1);
	KUNIT_EXPECT_EQ(test, w.seq, 65);
	KUNIT_EXPECT_EQ(test, w.base, 65);
	for (i = 0; i < 65; i++)
		KUNIT_EXPECT_TRUE(test, st_test_may(&w, i, true));

	/* 65 is given up when 129 is complete: its execution is unknown from then on */
	st_put_map_done(&w, 128);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 65, false));
	st_put_map_done(&w, 129);
	KUNIT_EXPECT_TRUE(test, st_test_unknown(&w, 65));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 66, false));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 64, true));
	KUNIT_EXPECT_EQ(test, w.seq, 65);
	st_put_map_done(&w, 1000000);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 1000000, true));
	KUNIT_EXPECT_TRUE(test, st_test_unknown(&w, 129));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 64, true));
	KUNIT_EXPECT_EQ(test, w.seq, 65);
}

/* B_num wraps from x'FFFFFFFE' to 0, ST 6.2.4 */
static void st_region_put_map_wraps(struct kunit *test)
{
	struct st_put_map w = { .seq = ST_B_NUM_NONE - 2, .base = ST_B_NUM_NONE - 2 };

	KUNIT_EXPECT_EQ(test, st_put_num(ST_B_NUM_NONE - 1, 1), 0);
	KUNIT_EXPECT_EQ(test, st_put_distance(ST_B_NUM_NONE - 1, 0), 1);
	st_put_map_done(&w, 1);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0, false));
	st_put_map_done(&w, 0);
	st_put_map_done(&w, ST_B_NUM_NONE - 1);
	KUNIT_EXPECT_TRUE(test, st_test_unknown(&w, ST_B_NUM_NONE));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, ST_B_NUM_NONE - 2, false));
	st_put_map_done(&w, ST_B_NUM_NONE - 2);
	KUNIT_EXPECT_EQ(test, w.seq, ST_B_NUM_NONE + 2ULL);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, ST_B_NUM_NONE - 1, true));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 2, false));

	/* A peer that starts with another number */
	w = (struct st_put_map){};
	st_put_map_done(&w, 0xfffffff0);
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0xfffffff0, true));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0xfffffff1, false));
	KUNIT_EXPECT_TRUE(test, st_test_may(&w, 0, false));
	KUNIT_EXPECT_EQ(test, w.seq, 0);
}

static u16 st_test_mx(struct st_mem *mem, u16 kind, unsigned int place)
{
	u16 mx;

	spin_lock_bh(&mem->st->lock);
	mx = st_mem_new_mx(mem, kind, place);
	spin_unlock_bh(&mem->st->lock);
	return mx;
}

/* Regions, Gets and Blocks never have the same one, and none is reused soon */
static void st_region_mx(struct kunit *test)
{
	struct st_mem *mem = kunit_kzalloc(test, sizeof(*mem), GFP_KERNEL);
	u16 first, mx;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	mem->st = st_test_conn(test)->st;
	for (i = 0; i < 100000; i++) {
		mx = st_test_mx(mem, i % 2 ? ST_MX_KIND : ST_MX_MEM, i % ST_MX_PLACES);
		KUNIT_ASSERT_EQ(test, mx & ST_MX_KIND, i % 2 ? ST_MX_KIND : ST_MX_MEM);
		KUNIT_ASSERT_EQ(test, mx % ST_MX_PLACES, i % ST_MX_PLACES);
		KUNIT_ASSERT_NE(test, mx & ~ST_MX_BLOCK, 0);
	}
	first = st_test_mx(mem, ST_MX_MEM, 5);
	for (i = 0; i < 255; i++)
		KUNIT_ASSERT_NE(test, first, st_test_mx(mem, ST_MX_MEM, 5));
}

static struct st_fetch *st_test_fetch_find(struct st_mem *mem, u32 id)
{
	struct st_fetch *fetch;

	spin_lock_bh(&mem->st->lock);
	fetch = st_fetch_find(mem, id);
	spin_unlock_bh(&mem->st->lock);
	return fetch;
}

static struct st_fetch *st_test_fetch_new(struct st_mem *mem, u32 id)
{
	struct st_fetch *fetch;

	spin_lock_bh(&mem->st->lock);
	fetch = st_fetch_new(mem, id);
	spin_unlock_bh(&mem->st->lock);
	return fetch;
}

static void st_test_fetch_free(struct st_mem *mem, struct st_fetch *fetch)
{
	spin_lock_bh(&mem->st->lock);
	st_fetch_free(mem, fetch);
	spin_unlock_bh(&mem->st->lock);
}

static void st_region_fetches(struct kunit *test)
{
	struct st_mem *mem = kunit_kzalloc(test, sizeof(*mem), GFP_KERNEL);
	struct st_fetch *fetch;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, mem);
	mem->st = st_test_conn(test)->st;
	hash_init(mem->fetches);
	INIT_LIST_HEAD(&mem->fetch_list);
	INIT_LIST_HEAD(&mem->fetch_over);
	KUNIT_EXPECT_NULL(test, st_test_fetch_find(mem, 0));
	/* F-ids far from each other, up to the largest */
	for (i = 0; i < ST_FETCHES; i++) {
		fetch = st_test_fetch_new(mem, U32_MAX - i * 0x1000001U);
		KUNIT_ASSERT_NOT_NULL(test, fetch);
		fetch->value = i;
	}
	KUNIT_EXPECT_NULL(test, st_test_fetch_new(mem, 1));
	KUNIT_EXPECT_EQ(test, mem->st->dest.kept, ST_FETCHES * sizeof(*fetch));
	for (i = 0; i < ST_FETCHES; i++) {
		fetch = st_test_fetch_find(mem, U32_MAX - i * 0x1000001U);
		KUNIT_ASSERT_NOT_NULL(test, fetch);
		KUNIT_EXPECT_EQ(test, fetch->value, i);
	}
	/* One is complete: there is room for another */
	st_test_fetch_free(mem, st_test_fetch_find(mem, U32_MAX));
	KUNIT_EXPECT_NULL(test, st_test_fetch_find(mem, U32_MAX));
	KUNIT_EXPECT_NOT_NULL(test, st_test_fetch_new(mem, 1));
	KUNIT_EXPECT_NULL(test, st_test_fetch_new(mem, 2));
	while ((fetch = list_first_entry_or_null(&mem->fetch_list, struct st_fetch, list)))
		st_test_fetch_free(mem, fetch);
	KUNIT_EXPECT_EQ(test, mem->nr_fetches, 0);
	KUNIT_EXPECT_TRUE(test, hash_empty(mem->fetches));
	KUNIT_EXPECT_EQ(test, mem->st->dest.kept, 0);
	/* One F-id has one result */
	KUNIT_EXPECT_NOT_NULL(test, st_test_fetch_new(mem, 7));
	KUNIT_EXPECT_NULL(test, st_test_fetch_new(mem, 7));
	st_test_fetch_free(mem, st_test_fetch_find(mem, 7));
}

static struct kunit_case st_region_cases[] = {
	KUNIT_CASE(st_region_put_map),
	KUNIT_CASE(st_region_put_map_wraps),
	KUNIT_CASE(st_region_mx),
	KUNIT_CASE(st_region_fetches),
	{}
};

static struct kunit_suite st_region_suite = {
	.name = "st_region",
	.test_cases = st_region_cases,
};

kunit_test_suite(st_region_suite);
