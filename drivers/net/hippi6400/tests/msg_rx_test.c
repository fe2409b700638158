// SPDX-License-Identifier: GPL-2.0
/*
 * Micropackets into Messages, and all their possible errors.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/string.h>

#include "link/seq.h"
#include "pair.h"
#include "vectors_msg.h"

#define NOW	(10 * TEST_MS)

static struct test_end *test_sink(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	unsigned int vc;

	test_end_reach(test, end, H64_UP, NOW);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		end->link.credit[vc].room = 0;
		end->link.credit[vc].out = 5000;
	}
	return end;
}

static void test_msg_desc(const struct h64_msg_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(msg, h64_msg_vectors, test_msg_desc);

static void test_vector(struct kunit *test)
{
	const struct h64_msg_vector *v = test->param_value;
	struct test_end *end = test_sink(test);
	struct sk_buff *skb = NULL;
	struct h64_upkt upkt;
	struct ethhdr eth;
	size_t i;
	u8 *got;

	end->link.dst.expect = v->tseq;
	end->link.src.last_rseq = v->rseq;
	if (v->rseq != H64_SEQ_NONE)
		end->link.src.una = h64_seq_add(v->rseq, 1);
	for (i = 0; i < v->count; i++) {
		KUNIT_ASSERT_NULL(test, skb);
		memcpy(&upkt, v->upkts + i * H64_UPKT_SIZE, sizeof(upkt));
		skb = test_end_rx(end, &upkt, NOW);
	}
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, ETH_HLEN + v->len);
	KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, 0, &eth, sizeof(eth)));
	KUNIT_EXPECT_MEMEQ(test, eth.h_dest, v->d_ula, ETH_ALEN);
	KUNIT_EXPECT_MEMEQ(test, eth.h_source, v->s_ula, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(eth.h_proto), v->proto);

	if (v->len) {
		got = kunit_kmalloc(test, v->len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, got);
		KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, ETH_HLEN, got, v->len));
		KUNIT_EXPECT_MEMEQ(test, got, v->payload, v->len);
	}

	KUNIT_EXPECT_EQ(test, end->link.stats.bad_rseq, 0);
	KUNIT_EXPECT_EQ(test, end->link.credit[v->vc].rx_used, v->count);
	KUNIT_EXPECT_EQ(test, end->link.credit[v->vc].room, v->count);
	KUNIT_EXPECT_EQ(test, end->link.credit[v->vc].out, 5000 - v->count);
	KUNIT_EXPECT_EQ(test, end->rx.vc[v->vc].stats.messages, 1);
	KUNIT_EXPECT_EQ(test, end->rx.vc[v->vc].stats.upkts, v->count);
	KUNIT_EXPECT_EQ(test, end->rx.vc[v->vc].stats.bytes, ETH_HLEN + v->len);
	kfree_skb(skb);
}

/* A far end that sends Messages by hand, by default on VC1 */
struct test_far {
	struct kunit *test;
	struct test_end *end;
	unsigned int vc;
	u16 ecrc;
	u64 flags;
};

static struct sk_buff *test_far_send(struct test_far *far, u8 type, u64 flags, const void *data)
{
	struct h64_upkt upkt;
	struct sk_buff *skb;

	if (type != H64_TYPE_DATA)
		far->ecrc = H64_CRC_PRESET;
	test_upkt(&upkt, FIELD_PREP(H64_C_VC, far->vc) | FIELD_PREP(H64_C_TYPE, type) |
		  FIELD_PREP(H64_C_TSEQ, far->end->link.dst.expect) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE) | flags | far->flags, data, &far->ecrc);
	skb = test_end_rx(far->end, &upkt, NOW);
	/* The link continues after any Message */
	KUNIT_EXPECT_EQ(far->test, far->end->link.dst.rseq,
			FIELD_GET(H64_C_TSEQ, h64_upkt_ctrl(&upkt)));
	return skb;
}

static struct sk_buff *test_far_header(struct test_far *far, u32 m_len, u64 flags)
{
	struct h64_msg_hdr hdr = {
		.m_len = cpu_to_be32(m_len),
		.proto = cpu_to_be16(0x88b5),
	};

	memcpy(hdr.snap, h64_snap, sizeof(hdr.snap));
	return test_far_send(far, H64_TYPE_HEADER, flags, &hdr);
}

static struct sk_buff *test_far_data(struct test_far *far, unsigned int count, u64 flags)
{
	struct sk_buff *skb = NULL;
	u8 data[H64_UPKT_DATA];

	memset(data, 0x5a, sizeof(data));
	while (count--) {
		KUNIT_EXPECT_NULL(far->test, skb);
		skb = test_far_send(far, H64_TYPE_DATA, count ? 0 : flags, data);
	}
	return skb;
}

/* After all of them a good Message still arrives, and is the only one */
static void test_far_good(struct test_far *far)
{
	const struct h64_rx_vc *v = &far->end->rx.vc[far->vc];
	struct sk_buff *skb;

	far->flags = 0;
	far->end->link.credit[far->vc].out += 100;
	KUNIT_EXPECT_EQ(far->test, v->stats.messages, 0);
	KUNIT_EXPECT_NULL(far->test, test_far_header(far, 8 + 8 + 64, 0));
	skb = test_far_data(far, 2, H64_C_TAIL);
	KUNIT_ASSERT_NOT_NULL(far->test, skb);
	KUNIT_EXPECT_EQ(far->test, skb->len, ETH_HLEN + 8 + 64);
	KUNIT_EXPECT_EQ(far->test, v->stats.messages, 1);
	KUNIT_EXPECT_FALSE(far->test, v->busy);
	kfree_skb(skb);
}

static struct test_far test_far(struct kunit *test)
{
	return (struct test_far){ .test = test, .end = test_sink(test), .vc = 1 };
}

static void test_m_len_short(struct kunit *test)
{
	struct test_far far = test_far(test);

	/* Announces one Data micropacket, has two: with TAIL and without */
	test_far_header(&far, 8 + 8 + 32, 0);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 2, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 1);
	test_far_header(&far, 8 + 8 + 32, 0);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 100, 0));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 2);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 1, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 2);
	test_far_good(&far);
}

static void test_m_len_long(struct kunit *test)
{
	struct test_far far = test_far(test);

	test_far_header(&far, 8 + 8 + 33, 0);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 1, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 1);
	/* All of it in pages */
	test_far_header(&far, 8 + 60000, 0);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 500, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 2);
	/* The Header is wrongly the last */
	KUNIT_EXPECT_NULL(test, test_far_header(&far, 8 + 9, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 3);
	test_far_good(&far);
}

static void test_m_len_tiny(struct kunit *test)
{
	struct test_far far = test_far(test);
	u32 m_len;

	for (m_len = 0; m_len < 8; m_len++)
		KUNIT_EXPECT_NULL(test, test_far_header(&far, m_len, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.m_len_errors, 8);
	test_far_good(&far);
}

static void test_header_without_tail(struct kunit *test)
{
	struct test_far far = test_far(test);

	test_far_header(&far, 8 + 10000, 0);
	test_far_data(&far, 40, 0);
	test_far_header(&far, 8 + 10000, 0);
	KUNIT_EXPECT_EQ(test, far.end->rx.header_without_tail, 1);
	test_far_header(&far, 8 + 8, H64_C_ERROR);
	KUNIT_EXPECT_EQ(test, far.end->rx.header_without_tail, 2);
	KUNIT_EXPECT_EQ(test, far.end->rx.error_marked, 1);
	/* The Message marked with ERROR lacks its TAIL too, and is already counted */
	test_far_good(&far);
	KUNIT_EXPECT_EQ(test, far.end->rx.header_without_tail, 2);
	KUNIT_EXPECT_EQ(test, far.end->rx.error_marked, 1);
}

/* Incomplete when the link goes down: lost, if not already counted */
static void test_lost(struct kunit *test)
{
	struct test_far far = test_far(test);

	test_far_header(&far, 8 + 100, 0);
	far.vc = 2;
	test_far_header(&far, 8 + 100, H64_C_ERROR);
	h64_link_restart(&far.end->link, NOW);
	KUNIT_EXPECT_EQ(test, far.end->rx.lost, 1);
	KUNIT_EXPECT_EQ(test, far.end->rx.error_marked, 1);
}

/* One Message with a random number of faults */
static void test_far_faulty(struct test_far *far, struct rnd_state *rnd)
{
	u32 upkts = prandom_u32_state(rnd) % 20, m_len = 8 + 8 + 32 * upkts;
	u32 faults = prandom_u32_state(rnd) & prandom_u32_state(rnd);
	u64 tail = faults & BIT(0) ? 0 : H64_C_TAIL;

	far->flags = faults & BIT(1) ? H64_C_ERROR : 0;
	if (faults & BIT(2))
		m_len = prandom_u32_state(rnd) % 1000;
	if (faults & BIT(3))
		m_len += H64_MAX_PAYLOAD;
	if (faults & BIT(4))
		far->end->link.credit[far->vc].out = upkts / 2;
	kfree_skb(test_far_header(far, m_len, upkts ? 0 : tail));
	if (faults & BIT(5))
		far->ecrc ^= 1;
	kfree_skb(test_far_data(far, upkts, tail));
	far->end->link.credit[far->vc].out = 5000;
}

/* A Message is counted once, whatever number of errors it has */
static void test_counted_once(struct kunit *test)
{
	struct test_far far[HIPPI6400_NUM_VCS];
	struct test_end *end = test_sink(test);
	const struct h64_msg_rx *rx = &end->rx;
	unsigned int vc, i, good = 0, bad;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, test_seed(test));
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		far[vc] = (struct test_far){ .test = test, .end = end, .vc = vc };
	for (i = 0; i < 2000; i++)
		test_far_faulty(&far[prandom_u32_state(&rnd) % HIPPI6400_NUM_VCS], &rnd);
	h64_link_restart(&end->link, NOW);

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		good += rx->vc[vc].stats.messages;
	bad = rx->ecrc_errors + rx->error_marked + rx->header_without_tail + rx->m_len_errors +
	      rx->over_limit + rx->too_long + rx->bad_snap + rx->no_memory + rx->no_room +
	      rx->lost;
	KUNIT_EXPECT_EQ(test, good + bad, 2000);
	KUNIT_EXPECT_GT(test, good, 0);
	KUNIT_EXPECT_GT(test, rx->ecrc_errors, 0);
	KUNIT_EXPECT_GT(test, rx->error_marked, 0);
	KUNIT_EXPECT_GT(test, rx->header_without_tail, 0);
	KUNIT_EXPECT_GT(test, rx->m_len_errors, 0);
	KUNIT_EXPECT_GT(test, rx->over_limit, 0);
	KUNIT_EXPECT_GT(test, rx->too_long, 0);
	KUNIT_EXPECT_GT(test, rx->no_room, 0);
	KUNIT_EXPECT_EQ(test, rx->data_without_header, 0);
}

static void test_data_without_header(struct kunit *test)
{
	struct test_far far = test_far(test);

	KUNIT_EXPECT_NULL(test, test_far_data(&far, 3, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.data_without_header, 3);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].room, 3);
	test_far_good(&far);
}

static void test_over_limit(struct kunit *test)
{
	static const u32 limit[] = { 68, 4100, 4100 };
	struct test_far far = test_far(test);

	for (far.vc = 0; far.vc < 3; far.vc++) {
		u32 most = 8 + 8 + 32 * (limit[far.vc] - 1);

		test_far_header(&far, most + 1, 0);
		KUNIT_EXPECT_EQ(test, far.end->rx.over_limit, far.vc + 1);
		KUNIT_EXPECT_NULL(test, test_far_data(&far, 10, H64_C_TAIL));
		KUNIT_EXPECT_EQ(test, far.end->rx.over_limit, far.vc + 1);
	}
	far.vc = 3;
	test_far_header(&far, U32_MAX, 0);
	KUNIT_EXPECT_EQ(test, far.end->rx.over_limit, 4);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 10, H64_C_TAIL));
	test_far_good(&far);
	far.vc = 0;
	test_far_good(&far);
}

/* Within the limit of the VC, but longer than the netdev accepts */
static void test_too_long(struct kunit *test)
{
	struct test_far far = test_far(test);

	far.vc = 3;
	test_far_header(&far, 8 + H64_MAX_PAYLOAD + 1, 0);
	KUNIT_EXPECT_EQ(test, far.end->rx.too_long, 1);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 2042, H64_C_TAIL));
	test_far_good(&far);
	test_far_header(&far, 8 + H64_MAX_PAYLOAD, 0);
	kfree_skb(test_far_data(&far, h64_msg_upkts(H64_MAX_PAYLOAD) - 1, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.vc[3].stats.messages, 2);
	KUNIT_EXPECT_EQ(test, far.end->rx.too_long, 1);
}

static void test_bad_snap(struct kunit *test)
{
	struct h64_msg_hdr hdr = { .m_len = cpu_to_be32(16) };
	unsigned int i;
	struct test_far far = test_far(test);

	for (i = 0; i < sizeof(hdr.snap); i++) {
		memcpy(hdr.snap, h64_snap, sizeof(hdr.snap));
		hdr.snap[i] ^= 1;
		KUNIT_EXPECT_NULL(test, test_far_send(&far, H64_TYPE_HEADER, H64_C_TAIL, &hdr));
	}
	KUNIT_EXPECT_EQ(test, far.end->rx.bad_snap, 6);
	test_far_good(&far);
}

static void test_ecrc(struct kunit *test)
{
	struct test_far far = test_far(test);

	/* In the middle: counted once, although all later micropackets are wrong too */
	test_far_header(&far, 8 + 8 + 5 * 32, 0);
	test_far_data(&far, 2, 0);
	far.ecrc ^= 1;
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 3, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.ecrc_errors, 1);
	KUNIT_EXPECT_EQ(test, far.end->link.stats.lcrc_errors, 0);
	/* In the last */
	test_far_header(&far, 8 + 8 + 32, 0);
	far.ecrc ^= 0x8000;
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 1, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->rx.ecrc_errors, 2);
	test_far_good(&far);
}

static void test_error_bit(struct kunit *test)
{
	struct test_far far = test_far(test);

	test_far_header(&far, 8 + 8 + 5 * 32, 0);
	test_far_data(&far, 2, H64_C_ERROR);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 3, H64_C_TAIL));
	KUNIT_EXPECT_NULL(test, test_far_header(&far, 8 + 8, H64_C_TAIL | H64_C_ERROR));
	KUNIT_EXPECT_EQ(test, far.end->rx.error_marked, 2);
	KUNIT_EXPECT_EQ(test, far.end->rx.ecrc_errors, 0);
	test_far_good(&far);
}

static void test_no_credit(struct kunit *test)
{
	struct test_far far = test_far(test);

	far.end->link.credit[1].out = 3;
	test_far_header(&far, 8 + 8 + 5 * 32, 0);
	KUNIT_EXPECT_NULL(test, test_far_data(&far, 5, H64_C_TAIL));
	KUNIT_EXPECT_EQ(test, far.end->link.stats.no_credit, 3);
	KUNIT_EXPECT_EQ(test, far.end->rx.no_room, 1);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].out, 0);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].room, 3);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].rx_used, 3);
	test_far_good(&far);
}

static void test_admin(struct kunit *test)
{
	u8 data[H64_UPKT_DATA] = { 1, 2, 3 };
	struct test_far far = test_far(test);

	/* In the middle of a Message on the same VC */
	test_far_header(&far, 8 + 8 + 5 * 32, 0);
	KUNIT_EXPECT_NULL(test, test_far_send(&far, H64_TYPE_ADMIN, 0, data));
	KUNIT_EXPECT_EQ(test, far.end->link.stats.admin_rx, 1);
	KUNIT_EXPECT_EQ(test, far.end->link.stats.ecrc_errors, 0);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].rx_used, 2);
	KUNIT_EXPECT_EQ(test, far.end->link.credit[1].room, 2);
	KUNIT_EXPECT_TRUE(test, far.end->rx.vc[1].busy);
}

static void test_reserved(struct kunit *test)
{
	u8 data[H64_UPKT_DATA] = {};
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;
	struct test_far far = test_far(test);

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, 5) | FIELD_PREP(H64_C_TSEQ, H64_SEQ_NONE), data,
		  &ecrc);
	KUNIT_EXPECT_NULL(test, test_end_rx(far.end, &upkt, NOW));
	KUNIT_EXPECT_EQ(test, far.end->link.stats.reserved_type, 1);
	test_far_good(&far);
}

/* A micropacket outside any Message has its own ECRC */
static void test_ecrc_outside(struct kunit *test)
{
	u8 data[H64_UPKT_DATA] = {};
	u16 ecrc = 0;
	struct h64_upkt upkt;
	struct test_far far = test_far(test);

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_NULL) |
		  FIELD_PREP(H64_C_TSEQ, H64_SEQ_NONE) | FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE),
		  data, &ecrc);
	KUNIT_EXPECT_NULL(test, test_end_rx(far.end, &upkt, NOW));
	KUNIT_EXPECT_EQ(test, far.end->link.stats.ecrc_errors, 1);
	test_far_good(&far);
}

/* Messages of four Virtual Channels, interleaved */
static void test_interleaved(struct kunit *test)
{
	unsigned int vc, i;
	u8 data[H64_UPKT_DATA];
	struct test_far far[HIPPI6400_NUM_VCS];
	struct test_end *end = test_sink(test);
	struct sk_buff *skb;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		far[vc] = (struct test_far){ .test = test, .end = end, .vc = vc };
		KUNIT_EXPECT_NULL(test, test_far_header(&far[vc], 8 + 8 + 50 * 32, 0));
	}
	for (i = 0; i < 50; i++) {
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
			memset(data, 4 * i + vc, sizeof(data));
			skb = test_far_send(&far[vc], H64_TYPE_DATA, i == 49 ? H64_C_TAIL : 0,
					    data);
			KUNIT_ASSERT_EQ(test, !!skb, i == 49);
			if (!skb)
				continue;
			KUNIT_EXPECT_EQ(test, skb->len, ETH_HLEN + 8 + 50 * 32);
			KUNIT_ASSERT_EQ(test, 0, skb_copy_bits(skb, ETH_HLEN + 8 + 20 * 32, data,
							       sizeof(data)));
			KUNIT_EXPECT_EQ(test, data[0], 4 * 20 + vc);
			KUNIT_EXPECT_EQ(test, data[31], 4 * 20 + vc);
			kfree_skb(skb);
		}
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_PARAM(test_vector, msg_gen_params),
	KUNIT_CASE(test_m_len_short),
	KUNIT_CASE(test_m_len_long),
	KUNIT_CASE(test_m_len_tiny),
	KUNIT_CASE(test_header_without_tail),
	KUNIT_CASE(test_lost),
	KUNIT_CASE(test_counted_once),
	KUNIT_CASE(test_data_without_header),
	KUNIT_CASE(test_over_limit),
	KUNIT_CASE(test_too_long),
	KUNIT_CASE(test_bad_snap),
	KUNIT_CASE(test_ecrc),
	KUNIT_CASE(test_error_bit),
	KUNIT_CASE(test_no_credit),
	KUNIT_CASE(test_admin),
	KUNIT_CASE(test_reserved),
	KUNIT_CASE(test_ecrc_outside),
	KUNIT_CASE(test_interleaved),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_msg_rx",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
