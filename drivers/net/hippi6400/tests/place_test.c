// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement of good Messages: every byte in its place, and no other byte
 * changed.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "area.h"

#define HDR	HIPPI6400_PLACE_HDR

static int test_init(struct kunit *test)
{
	return test_placer_register();
}

static void test_exit(struct kunit *test)
{
	test_placer_unregister();
}

/* Payloads without a rest to place, and short ones with a rest */
static void test_lengths(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 1, 4);
	struct rnd_state rnd;
	const u8 *payload;
	u32 len;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 200, &rnd);
	for (len = 0; len <= HDR + 200; len++) {
		struct test_msg msg = test_msg(area, end, 1, payload, len);
		struct sk_buff *skb;

		test_area_clear(area);
		if (len > HDR) {
			test_area_add(area, len % 64, len - HDR);
			test_msg_whole(&msg);
			KUNIT_EXPECT_EQ(test, area->asked, 1);
			KUNIT_EXPECT_EQ(test, area->msg_len, len - HDR);
			KUNIT_EXPECT_FALSE(test, area->only);
			continue;
		}
		skb = test_msg_send(&msg, U32_MAX, 0);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_EXPECT_EQ(test, skb->len, ETH_HLEN + len);
		KUNIT_EXPECT_FALSE(test, H64_SKB_CB(skb)->placed);
		KUNIT_EXPECT_EQ(test, area->asked, 0);
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, end->rx.placed, 200);
	KUNIT_EXPECT_EQ(test, end->rx.placed_bytes, 200 * 201 / 2);
}

/* Arguments of the protocol's functions */
static void test_told(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 33, 34);
	struct rnd_state rnd;
	const u8 *payload;
	unsigned int vc;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 131072, &rnd);
	for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++) {
		u32 len = vc == 1 ? H64_MAX_PAYLOAD : vc == 2 ? H64_MAX_PAYLOAD + 1 : HDR + 131072;
		struct test_msg msg = test_msg(area, end, vc, payload, len);

		test_area_clear(area);
		test_area_add_run(area, 0, len - HDR);
		test_msg_whole(&msg);
		KUNIT_EXPECT_MEMEQ(test, area->hdr, payload, HDR);
		KUNIT_EXPECT_MEMEQ(test, area->s_ula, (const u8 *)"\2\x64\1\2\3\4", ETH_ALEN);
		KUNIT_EXPECT_EQ(test, area->vc, vc);
		KUNIT_EXPECT_EQ(test, area->msg_len, len - HDR);
		KUNIT_EXPECT_EQ(test, area->only, len > H64_MAX_PAYLOAD);
		KUNIT_EXPECT_EQ(test, end->rx.vc[vc].stats.messages, 1);
		KUNIT_EXPECT_EQ(test, end->rx.vc[vc].stats.bytes, ETH_HLEN + len);
	}
}

/* Every position of a segment's end in a micropacket, and several ends in one */
static void test_segment_ends(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 1, 600);
	struct rnd_state rnd;
	const u8 *payload;
	u32 len, part, at, n;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 200, &rnd);
	for (len = 1; len <= 200; len++) {
		for (part = 1; part <= min(len, 65U); part++) {
			struct test_msg msg = test_msg(area, end, 2, payload, HDR + len);

			test_area_clear(area);
			/* Pieces of the same length, a guard byte between them */
			for (at = 1, n = 0; area->len < len; at += n + 1) {
				n = min(part, len - area->len);
				test_area_add(area, at, n);
			}
			test_msg_whole(&msg);
		}
	}
}

/* A segment may be longer than the rest of the payload */
static void test_segment_beyond(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 2, 2);
	struct rnd_state rnd;
	const u8 *payload;
	u32 len;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 100, &rnd);
	for (len = 1; len <= 100; len++) {
		struct test_msg msg = test_msg(area, end, 2, payload, HDR + len);

		test_area_clear(area);
		test_area_add(area, 7, 30);
		test_area_add(area, PAGE_SIZE, PAGE_SIZE);
		test_msg_whole(&msg);
	}
}

/* Buffers that start anywhere in a page, with lengths around a page and around 128 KB */
static void test_pages(struct kunit *test)
{
	static const u32 sizes[] = { PAGE_SIZE, 2 * PAGE_SIZE, 17 * PAGE_SIZE, 131072 };
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 35, 40);
	struct rnd_state rnd;
	const u8 *payload;
	unsigned int i;
	u32 off, len;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 131072 + 2, &rnd);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (off = 0; off <= 33; off++) {
			for (len = sizes[i] - 2; len <= sizes[i] + 2; len++) {
				struct test_msg msg = test_msg(area, end, 1, payload, HDR + len);

				test_area_clear(area);
				test_area_add_run(area, off, len);
				test_msg_whole(&msg);
			}
		}
	}
}

/* Random pieces at random offsets */
static void test_random(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 64, 20000);
	struct rnd_state rnd;
	const u8 *payload;
	unsigned int i;
	u32 at, n, len;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, HDR + 64 * PAGE_SIZE, &rnd);
	for (i = 0; i < 200; i++) {
		struct test_msg msg;

		test_area_clear(area);
		for (at = 0; at < 64 * PAGE_SIZE && area->len < 120000; at += n) {
			at = min_t(u32, at + prandom_u32_state(&rnd) % 9, 64 * PAGE_SIZE - 1);
			n = 1 + prandom_u32_state(&rnd) % (i % 2 ? 40 : 2000);
			n = min_t(u32, n, PAGE_SIZE - at % PAGE_SIZE);
			test_area_add(area, at, n);
		}
		len = 1 + prandom_u32_state(&rnd) % area->len;
		msg = test_msg(area, end, 1 + i % 3, payload, HDR + len);
		test_msg_whole(&msg);
	}
}

/* A micropacket from each in turn; only one of them is placed */
static void test_interleaved(struct kunit *test)
{
	struct test_end *end = test_sink(test);
	struct test_area *area = test_area_alloc(test, end, 4, 4);
	struct sk_buff *skb[HIPPI6400_NUM_VCS] = {};
	struct test_msg msg[HIPPI6400_NUM_VCS];
	const u32 len = HDR + 2000;
	struct rnd_state rnd;
	unsigned int vc, i;
	const u8 *payload;
	u8 *got;

	prandom_seed_state(&rnd, test_seed(test));
	payload = test_bytes(test, 2 * HIPPI6400_NUM_VCS + len, &rnd);
	got = kunit_kmalloc(test, len, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, got);
	test_area_add_run(area, PAGE_SIZE / 2, 2000);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		msg[vc] = test_msg(area, end, vc, payload + 2 * vc, len);
		msg[vc].proto = vc == 2 ? TEST_PROTO : TEST_PROTO + 1;
	}
	for (i = 0; i < h64_msg_upkts(len); i++)
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
			skb[vc] = test_msg_send(&msg[vc], 1, 0);

	test_area_expect(area, msg[2].payload + HDR, 2000);
	test_area_check(area);
	KUNIT_EXPECT_EQ(test, area->asked, 1);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		KUNIT_ASSERT_NOT_NULL(test, skb[vc]);
		if (vc == 2) {
			test_skb_form(area, skb[vc], msg[vc].payload, len);
		} else {
			KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb[vc], ETH_HLEN, got, len));
			KUNIT_EXPECT_MEMEQ(test, got, msg[vc].payload, len);
		}
		kfree_skb(skb[vc]);
	}
}

/* An skb whose pages, and those of its frag_list, hold a payload */
static struct sk_buff *test_long_frame(struct kunit *test, const struct net_device *to,
				       const u8 *payload, u32 len)
{
	struct sk_buff *skb = alloc_skb(ETH_HLEN, GFP_KERNEL), *last = skb, *more;
	struct ethhdr *eth;
	struct page *page;
	u32 n;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	eth = skb_put_zero(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, to->dev_addr);
	eth->h_proto = cpu_to_be16(TEST_PROTO);
	for (; len; len -= n, payload += n) {
		if (skb_shinfo(last)->nr_frags == MAX_SKB_FRAGS) {
			more = alloc_skb(0, GFP_KERNEL);
			KUNIT_ASSERT_NOT_NULL(test, more);
			if (last == skb)
				skb_shinfo(skb)->frag_list = more;
			else
				last->next = more;
			last = more;
		}
		page = alloc_page(GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, page);
		n = min_t(u32, len, PAGE_SIZE);
		memcpy(page_address(page), payload, n);
		skb_add_rx_frag(last, skb_shinfo(last)->nr_frags, page, 0, n, PAGE_SIZE);
		if (last != skb) {
			skb->len += n;
			skb->data_len += n;
		}
	}
	return skb;
}

/* Megabytes on VC3, from pages to pages, over a line with bit errors */
static void test_megabytes(struct kunit *test)
{
	static const u32 len = HDR + 5 * 1048576 + 777;
	struct test_pair *pair = test_pair_alloc(test);
	struct test_end *end = &pair->end[1];
	struct test_area *area = test_area_alloc(test, end, len / PAGE_SIZE + 2,
						 len / PAGE_SIZE + 2);
	struct sk_buff *skb;
	const u8 *payload;
	unsigned int i;

	prandom_seed_state(&pair->rnd, test_seed(test));
	payload = test_bytes(test, len, &pair->rnd);
	test_area_add_run(area, 1234, len - HDR);
	test_pair_bring_up(pair);
	pair->line = (struct test_line){ .lose = 20, .damage = 20, .twice = 20 };
	skb = test_long_frame(test, end->rx.dev, payload, len);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&pair->end[0].tx, 3, skb));
	/* Frames on another Virtual Channel meanwhile */
	for (i = 0; i < 20; i++)
		test_pair_send(pair, 0, 1, 20000);
	for (i = 0; i < 200000 && skb_queue_empty(&end->placed); i++)
		test_pair_step(pair);

	skb = __skb_dequeue(&end->placed);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	test_area_expect(area, payload + HDR, len - HDR);
	test_area_check(area);
	test_skb_form(area, skb, payload, len);
	kfree_skb(skb);
	test_area_check_free(area);
	KUNIT_EXPECT_EQ(test, end->arrived, 20);
	KUNIT_EXPECT_GT(test, pair->end[0].link.stats.go_backs, 0);
	KUNIT_EXPECT_GT(test, end->link.stats.lcrc_errors, 0);
	KUNIT_EXPECT_EQ(test, end->rx.placed_bytes, len - HDR);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_lengths),
	KUNIT_CASE(test_told),
	KUNIT_CASE(test_segment_ends),
	KUNIT_CASE(test_segment_beyond),
	KUNIT_CASE(test_pages),
	KUNIT_CASE(test_random),
	KUNIT_CASE(test_interleaved),
	KUNIT_CASE(test_megabytes),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_place",
	.init = test_init,
	.exit = test_exit,
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
