// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement with errors of micropackets, Messages, the link or the
 * protocol.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "area.h"

#define HDR	HIPPI6400_PLACE_HDR
#define LEN	(HDR + 10 * H64_UPKT_DATA + 17)	/* 11 micropackets are placed */

struct test_ctx {
	struct test_end *end;
	struct test_area *area;
	const u8 *payload;
	struct rnd_state rnd;
};

static int test_init(struct kunit *test)
{
	return test_placer_register();
}

static void test_exit(struct kunit *test)
{
	test_placer_unregister();
}

/* Pieces across micropackets and pages, with guard bytes around */
static void test_ctx_places(struct test_ctx *ctx)
{
	test_area_clear(ctx->area);
	test_area_add_run(ctx->area, PAGE_SIZE - 77, 100);
	test_area_add_run(ctx->area, PAGE_SIZE + 40, 5);
	test_area_add_run(ctx->area, 2 * PAGE_SIZE - 64, LEN - HDR - 105);
}

static struct test_ctx test_ctx(struct kunit *test)
{
	struct test_ctx ctx;

	prandom_seed_state(&ctx.rnd, test_seed(test));
	ctx.end = test_sink(test);
	ctx.area = test_area_alloc(test, ctx.end, 4, 8);
	ctx.payload = test_bytes(test, LEN + H64_UPKT_DATA, &ctx.rnd);
	test_ctx_places(&ctx);
	return ctx;
}

static struct test_msg test_ctx_msg(struct test_ctx *ctx)
{
	return test_msg(ctx->area, ctx->end, 1, ctx->payload, LEN);
}

/* The next Message is always placed, and is the only good one */
static void test_ctx_good(struct test_ctx *ctx)
{
	struct kunit *test = ctx->area->test;
	u64 messages = ctx->end->rx.vc[1].stats.messages;
	struct test_msg msg = test_ctx_msg(ctx);

	test_area_check_free(ctx->area);
	test_ctx_places(ctx);
	test_msg_whole(&msg);
	KUNIT_EXPECT_EQ(test, ctx->area->good, 1);
	KUNIT_EXPECT_EQ(test, ctx->end->rx.vc[1].stats.messages, messages + 1);
}

/* A damaged copy of each micropacket arrives, then the correct one */
static void test_damaged(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct h64_upkt upkt, damaged;
	struct sk_buff *skb = NULL;
	unsigned int round, bit;

	for (round = 0; round < 200; round++) {
		struct test_msg msg = test_ctx_msg(&ctx);
		u64 errors = ctx.end->link.stats.lcrc_errors;
		u32 count = h64_msg_upkts(LEN);

		test_ctx_places(&ctx);
		while (msg.sent < count) {
			u16 ecrc = msg.ecrc;

			test_msg_upkt(&msg, &upkt, 0);
			damaged = upkt;
			bit = prandom_u32_state(&ctx.rnd) % (8 * sizeof(upkt));
			((u8 *)&damaged)[bit / 8] ^= BIT(bit % 8);
			/* All bits but TYPE and VC, which select the destination */
			if (round % 2)
				memset(damaged.data, 0x11, sizeof(damaged.data));
			KUNIT_EXPECT_NULL(test, test_end_rx(ctx.end, &damaged, TEST_NOW));
			test_area_check_outside(ctx.area);
			msg.ecrc = ecrc;
			KUNIT_EXPECT_NULL(test, skb);
			skb = test_msg_send(&msg, 1, 0);
		}
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_EXPECT_EQ(test, ctx.end->link.stats.lcrc_errors, errors + count);
		test_area_expect(ctx.area, ctx.payload + HDR, LEN - HDR);
		test_area_check(ctx.area);
		test_skb_form(ctx.area, skb, ctx.payload, LEN);
		kfree_skb(skb);
		skb = NULL;
	}
	test_ctx_good(&ctx);
}

/* Data of another Message, and copies after a go-back, are not written */
static void test_out_of_sequence(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg = test_ctx_msg(&ctx);
	struct h64_upkt old;
	u32 sent;

	test_msg_send(&msg, 3, 0);
	for (sent = 3; sent < h64_msg_upkts(LEN) - 1; sent++) {
		msg.sent = sent;
		test_msg_upkt(&msg, &old, 0);
		KUNIT_EXPECT_NULL(test, test_end_rx(ctx.end, &old, TEST_NOW));
		/* Twice: the second is out of sequence */
		KUNIT_EXPECT_NULL(test, test_end_rx(ctx.end, &old, TEST_NOW));
	}
	KUNIT_EXPECT_EQ(test, ctx.end->link.stats.out_of_sequence, sent - 3);
	msg.sent = sent;
	kfree_skb(test_msg_send(&msg, 1, 0));
	test_area_expect(ctx.area, ctx.payload + HDR, LEN - HDR);
	test_area_check(ctx.area);
	KUNIT_EXPECT_EQ(test, ctx.area->good, 1);
	test_ctx_good(&ctx);
}

/* A Message that fails at any of its micropackets */
static void test_dropped(struct test_ctx *ctx, void (*spoil)(struct test_ctx *, struct test_msg *))
{
	struct kunit *test = ctx->area->test;
	u32 sent;

	for (sent = 1; sent < h64_msg_upkts(LEN); sent++) {
		struct test_msg msg = test_ctx_msg(ctx);

		test_ctx_places(ctx);
		KUNIT_EXPECT_NULL(test, test_msg_send(&msg, sent, 0));
		spoil(ctx, &msg);
		KUNIT_EXPECT_EQ(test, ctx->area->good, 0);
		KUNIT_EXPECT_NULL(test, ctx->end->rx.vc[1].skb);
		test_area_check_outside(ctx->area);
		test_area_check_free(ctx->area);
	}
	test_ctx_good(ctx);
}

static void test_spoil_ecrc(struct test_ctx *ctx, struct test_msg *msg)
{
	msg->ecrc ^= 1;
	KUNIT_EXPECT_NULL(ctx->area->test, test_msg_send(msg, U32_MAX, 0));
}

static void test_ecrc(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_ecrc);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.ecrc_errors, h64_msg_upkts(LEN) - 1);
}

static void test_spoil_error(struct test_ctx *ctx, struct test_msg *msg)
{
	KUNIT_EXPECT_NULL(ctx->area->test, test_msg_send(msg, U32_MAX, H64_C_ERROR));
}

static void test_error(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_error);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.error_marked, h64_msg_upkts(LEN) - 1);
}

static void test_spoil_reset(struct test_ctx *ctx, struct test_msg *msg)
{
	struct test_end *end = ctx->end;

	h64_link_disable(&end->link);
	/* No hold-off */
	end->link.was_up = false;
	test_end_reach(ctx->area->test, end, H64_UP, TEST_NOW);
	end->link.credit[1].room = 0;
	end->link.credit[1].out = U32_MAX;
	/* The rest of the Message is now Data without a Header */
	KUNIT_EXPECT_NULL(ctx->area->test, test_msg_send(msg, U32_MAX, 0));
}

static void test_reset(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_reset);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.lost, h64_msg_upkts(LEN) - 1);
}

static void test_spoil_header(struct test_ctx *ctx, struct test_msg *msg)
{
	struct test_msg next = test_msg(ctx->area, ctx->end, 1, ctx->payload, HDR);
	struct sk_buff *skb = test_msg_send(&next, U32_MAX, 0);

	KUNIT_ASSERT_NOT_NULL(ctx->area->test, skb);
	KUNIT_EXPECT_EQ(ctx->area->test, skb->len, ETH_HLEN + HDR);
	kfree_skb(skb);
}

static void test_second_header(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_header);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.header_without_tail, h64_msg_upkts(LEN) - 1);
}

static void test_spoil_tail(struct test_ctx *ctx, struct test_msg *msg)
{
	bool last = msg->sent + 1 == h64_msg_upkts(msg->len);
	struct sk_buff *skb = test_msg_send(msg, 1, H64_C_TAIL);

	/* Expected place */
	KUNIT_EXPECT_EQ(ctx->area->test, !!skb, last);
	if (!last)
		return;
	ctx->area->good--;
	kfree_skb(skb);
}

static void test_early_tail(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_tail);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.m_len_errors, h64_msg_upkts(LEN) - 2);
}

/* More micropackets than M_len announces: none of the excess is placed */
static void test_m_len_short(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	u32 len;

	for (len = HDR + 1; len <= LEN - H64_UPKT_DATA; len++) {
		struct test_msg msg = test_ctx_msg(&ctx);

		test_area_clear(ctx.area);
		test_area_add_run(ctx.area, PAGE_SIZE - 77, len - HDR);
		msg.m_len = H64_SNAP_LEN + len;
		KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
		KUNIT_EXPECT_EQ(test, ctx.area->good, 0);
		KUNIT_EXPECT_EQ(test, ctx.area->ended, 1);
		test_area_check_outside(ctx.area);
	}
	KUNIT_EXPECT_EQ(test, ctx.end->rx.m_len_errors, LEN - H64_UPKT_DATA - HDR);
	test_ctx_good(&ctx);
}

static void test_spoil_cancel(struct test_ctx *ctx, struct test_msg *msg)
{
	struct kunit *test = ctx->area->test;
	struct test_area *area = ctx->area;
	u32 sent = msg->sent;

	if (area->given) {
		/* From here on no byte changes */
		test_area_freeze(area);
		area->cancelled = true;
		KUNIT_EXPECT_NULL(test, test_msg_send(msg, U32_MAX, 0));
		test_area_check(area);
		return;
	}
	/* Nothing to cancel yet */
	area->refuse = true;
	kfree_skb(test_msg_send(msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, sent, 1);
}

static void test_cancel(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);

	test_dropped(&ctx, test_spoil_cancel);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.place_cancelled, h64_msg_upkts(LEN) - 2);
}

/* A protocol with fewer places than it announced */
static void test_no_segment(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	u32 end_at;

	for (end_at = 0; end_at < LEN - HDR; end_at++) {
		struct test_msg msg = test_ctx_msg(&ctx);

		test_ctx_places(&ctx);
		ctx.area->end_at = end_at;
		KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
		KUNIT_EXPECT_EQ(test, ctx.area->good, 0);
		KUNIT_EXPECT_EQ(test, ctx.area->ended, 1);
		test_area_check_outside(ctx.area);
	}
	KUNIT_EXPECT_EQ(test, ctx.end->rx.place_cancelled, LEN - HDR);
	test_ctx_good(&ctx);
}

/* Not placed, and delivered as any other Message */
static void test_expect_frame_of(struct test_ctx *ctx, struct test_msg *msg)
{
	struct kunit *test = ctx->area->test;
	struct sk_buff *skb = test_msg_send(msg, U32_MAX, 0);
	u8 *got = kunit_kmalloc(test, LEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, got);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, skb->len, ETH_HLEN + LEN);
	KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, ETH_HLEN, got, LEN));
	KUNIT_EXPECT_MEMEQ(test, got, ctx->payload, LEN);
	kfree_skb(skb);
	kunit_kfree(test, got);
	test_area_check(ctx->area);
	KUNIT_EXPECT_EQ(test, ctx->area->given, 0);
	KUNIT_EXPECT_EQ(test, ctx->end->rx.placed, 0);
}

static void test_refused(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg = test_ctx_msg(&ctx);

	ctx.area->refuse = true;
	test_expect_frame_of(&ctx, &msg);
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 1);
	test_ctx_good(&ctx);
}

static void test_not_asked(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg;

	/* To another port, to all, of another protocol */
	msg = test_ctx_msg(&ctx);
	msg.d_ula[5] ^= 1;
	test_expect_frame_of(&ctx, &msg);
	msg = test_ctx_msg(&ctx);
	eth_broadcast_addr(msg.d_ula);
	test_expect_frame_of(&ctx, &msg);
	msg = test_ctx_msg(&ctx);
	msg.proto++;
	test_expect_frame_of(&ctx, &msg);
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 0);
	test_ctx_good(&ctx);
}

/* Longer than a frame: placed or lost */
static void test_too_long(struct kunit *test)
{
	const u32 len = H64_MAX_PAYLOAD + 1;
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg;
	const u8 *payload;

	payload = test_bytes(test, len, &ctx.rnd);
	ctx.area->refuse = true;
	msg = test_msg(ctx.area, ctx.end, 1, payload, len);
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 1);
	KUNIT_EXPECT_TRUE(test, ctx.area->only);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.too_long, 1);

	msg = test_msg(ctx.area, ctx.end, 1, payload, len);
	msg.d_ula[5] ^= 1;
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, ctx.end->rx.too_long, 2);

	msg = test_msg(ctx.area, ctx.end, 1, payload, len);
	msg.proto++;
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, 1, 0));
	KUNIT_EXPECT_EQ(test, ctx.end->rx.too_long, 3);
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 1);

	/* Longer than an skb allows, though within the limit of VC3 */
	msg = test_msg(ctx.area, ctx.end, 3, payload, len);
	msg.m_len = H64_SNAP_LEN + (u32)INT_MAX - ETH_HLEN + 1;
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, ctx.end->rx.too_long, 4);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.over_limit, 0);
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 1);
	test_ctx_good(&ctx);
}

/* Without credit a Message is lost, placed or not */
static void test_no_credit(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg = test_ctx_msg(&ctx);

	ctx.end->link.credit[1].out = 5;
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	KUNIT_EXPECT_EQ(test, ctx.end->rx.no_room, 1);
	test_area_check_outside(ctx.area);
	ctx.end->link.credit[1].out = U32_MAX;
	test_ctx_good(&ctx);
}

/* The protocol is unregistered in the middle of a Message */
static void test_unregister(struct kunit *test)
{
	struct test_ctx ctx = test_ctx(test);
	struct test_msg msg = test_ctx_msg(&ctx);

	KUNIT_EXPECT_EQ(test, -EEXIST, test_placer_register());
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, 5, 0));
	KUNIT_EXPECT_EQ(test, ctx.area->ended, 0);
	test_placer_unregister();
	KUNIT_EXPECT_EQ(test, ctx.area->ended, 1);
	KUNIT_EXPECT_EQ(test, ctx.end->rx.place_cancelled, 1);
	test_area_check_free(ctx.area);

	test_area_freeze(ctx.area);
	KUNIT_EXPECT_NULL(test, test_msg_send(&msg, U32_MAX, 0));
	test_area_check(ctx.area);
	test_ctx_places(&ctx);
	msg = test_ctx_msg(&ctx);
	test_expect_frame_of(&ctx, &msg);
	KUNIT_EXPECT_EQ(test, ctx.area->asked, 0);

	KUNIT_ASSERT_EQ(test, 0, test_placer_register());
	test_ctx_good(&ctx);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_damaged),
	KUNIT_CASE(test_out_of_sequence),
	KUNIT_CASE(test_ecrc),
	KUNIT_CASE(test_error),
	KUNIT_CASE(test_reset),
	KUNIT_CASE(test_second_header),
	KUNIT_CASE(test_early_tail),
	KUNIT_CASE(test_m_len_short),
	KUNIT_CASE(test_cancel),
	KUNIT_CASE(test_no_segment),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_not_asked),
	KUNIT_CASE(test_too_long),
	KUNIT_CASE(test_no_credit),
	KUNIT_CASE(test_unregister),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_place_bad",
	.init = test_init,
	.exit = test_exit,
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
