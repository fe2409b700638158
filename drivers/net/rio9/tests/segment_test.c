// SPDX-License-Identifier: GPL-2.0
/*
 * Segmentation, 3.2.5, against golden vectors, and at all sizes.
 */
#include <linux/crc32.h>
#include <linux/string.h>

#include "common.h"
#include "segment.h"
#include "vectors.h"

#define TEST_SRC	0x0006
#define TEST_DST	0x0015

static const struct {
	const char *name;
	enum rio9_kind kind;
} test_kinds[] = {
	{ "single ", RIO9_SINGLE },
	{ "start ", RIO9_START },
	{ "cont ", RIO9_CONT },
	{ "end ", RIO9_END },
};

/* The logical part of a packet, without what the transport adds; checks the rest */
static u8 *test_logical(struct kunit *test, u8 *buf, int len, bool large, struct rio9_packet *p,
			unsigned int *logical)
{
	unsigned int hdr = large ? 6 : 4;

	KUNIT_ASSERT_GT(test, len, 0);
	KUNIT_ASSERT_LE(test, len, RIO9_PACKET_MAX);
	KUNIT_ASSERT_EQ(test, rio9_decode(p, buf, len), RIO9_GOOD);
	KUNIT_EXPECT_EQ(test, p->large, large);
	KUNIT_EXPECT_EQ(test, p->src, TEST_SRC);
	KUNIT_EXPECT_EQ(test, p->dst, TEST_DST);
	KUNIT_EXPECT_EQ(test, p->channel, RIO9_FLOW_E);
	*logical = round_up(p->data + p->len - buf - hdr, 2);
	KUNIT_EXPECT_EQ(test, len, round_up(hdr + *logical, 4));
	return buf + hdr;
}

/* The segment that a vector has next, if it is this one */
static void test_same(struct kunit *test, const char **text, const struct rio9_packet *p,
		      const u8 *logical, unsigned int len)
{
	u8 bytes[RIO9_PACKET_MAX];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_kinds); i++)
		if (!strncmp(*text, test_kinds[i].name, strlen(test_kinds[i].name)))
			break;
	KUNIT_ASSERT_LT(test, i, ARRAY_SIZE(test_kinds));
	*text += strlen(test_kinds[i].name);
	KUNIT_EXPECT_EQ(test, p->kind, test_kinds[i].kind);
	KUNIT_ASSERT_EQ(test, len, rio9_test_hex(test, text, bytes, sizeof(bytes)));
	KUNIT_EXPECT_MEMEQ(test, logical, bytes, len);
	KUNIT_ASSERT_EQ(test, *(*text)++, ';');
}

static void test_vector(struct kunit *test, const struct rio9_pdu_vector *v, bool large)
{
	const struct rio9_pdu pdu = {
		.peer = TEST_DST, .stream = v->stream, .cos = v->cos, .channel = RIO9_FLOW_E,
	};
	u8 buf[RIO9_PACKET_MAX], *data = rio9_test_payload(test, v->len), *logical;
	u32 crc = ~0, bytes = 0, count = 0;
	const char *text = v->segments;
	struct rio9_segmenter s;
	struct rio9_packet p;
	struct sk_buff *skb;
	unsigned int n;
	int len;

	skb = rio9_test_skb(test, data, v->len, large ? v->len : 100, 4000);
	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, large, v->mtu));
	for (; (len = rio9_segment_make(&s, buf)) != 0; rio9_segment_sent(&s)) {
		logical = test_logical(test, buf, len, large, &p, &n);
		if (!v->bytes || count < 2 || count == v->count - 1)
			test_same(test, &text, &p, logical, n);
		crc = crc32_le(crc, logical, n);
		bytes += n;
		count++;
	}
	kfree_skb(skb);
	kunit_kfree(test, data);
	KUNIT_EXPECT_EQ(test, *text, 0);
	KUNIT_EXPECT_EQ_MSG(test, count, v->count, "%u bytes, MTU %u", v->len, v->mtu);
	if (v->bytes) {
		KUNIT_EXPECT_EQ_MSG(test, bytes, v->bytes, "%u bytes, MTU %u", v->len, v->mtu);
		KUNIT_EXPECT_EQ_MSG(test, ~crc, v->crc, "%u bytes, MTU %u", v->len, v->mtu);
	}
}

static void test_vectors(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < rio9_pdu_vectors_small_count; i++) {
		test_vector(test, rio9_pdu_vectors_small + i, false);
		test_vector(test, rio9_pdu_vectors_small + i, true);
	}
	for (i = 0; i < rio9_pdu_vectors_large_count; i++) {
		test_vector(test, rio9_pdu_vectors_large + i, false);
		test_vector(test, rio9_pdu_vectors_large + i, true);
	}
}

/* Rules 2 to 8 of a PDU: kinds, sizes, and all bytes in order */
static void test_size(struct kunit *test, const u8 *data, u32 size, unsigned int mtu)
{
	const struct rio9_pdu pdu = { .peer = TEST_DST, .channel = RIO9_FLOW_E };
	struct sk_buff *skb = rio9_test_skb(test, data, size, 1, 4096);
	u8 buf[RIO9_PACKET_MAX];
	struct rio9_segmenter s;
	struct rio9_packet p;
	u32 pos = 0, n;
	int len;

	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, true, mtu));
	for (; (len = rio9_segment_make(&s, buf)) != 0; rio9_segment_sent(&s)) {
		KUNIT_ASSERT_GT(test, len, 0);
		KUNIT_ASSERT_EQ(test, rio9_decode(&p, buf, len), RIO9_GOOD);
		n = min(size - pos, mtu);
		if (size - pos > mtu)
			KUNIT_ASSERT_EQ(test, p.kind, pos ? RIO9_CONT : RIO9_START);
		else
			KUNIT_ASSERT_EQ(test, p.kind, pos ? RIO9_END : RIO9_SINGLE);
		KUNIT_ASSERT_EQ(test, p.len, n);
		KUNIT_ASSERT_EQ(test, memcmp(p.data, data + pos, n), 0);
		if (p.kind == RIO9_END)
			KUNIT_ASSERT_EQ(test, p.length, size & 0xffff);
		pos += n;
	}
	KUNIT_ASSERT_EQ(test, pos, size);
	KUNIT_EXPECT_EQ(test, rio9_segment_make(&s, buf), 0);
	KUNIT_EXPECT_EQ(test, rio9_segment_abort(&s, buf), 0);
	kfree_skb(skb);
}

static void test_all_mtus(struct kunit *test)
{
	u8 *data = rio9_test_payload(test, RIO9_PDU_MAX);
	unsigned int mtu, i;

	for (mtu = RIO9_MTU_MIN; mtu <= RIO9_MTU_MAX; mtu += RIO9_MTU_STEP) {
		const u32 sizes[] = {
			1, 2, mtu - 1, mtu, mtu + 1, 2 * mtu - 1, 2 * mtu, 2 * mtu + 1,
			3 * mtu - 1, 3 * mtu, RIO9_PDU_MAX - 1, RIO9_PDU_MAX,
		};

		for (i = 0; i < ARRAY_SIZE(sizes); i++)
			test_size(test, data, sizes[i], mtu);
	}
}

static void test_all_sizes(struct kunit *test)
{
	u8 *data = rio9_test_payload(test, RIO9_PDU_MAX);
	u32 size;

	for (size = 1; size <= 1100; size++)
		test_size(test, data, size, RIO9_MTU_MAX);
}

/* Rule 9, as in the vector */
static void test_abort(struct kunit *test)
{
	const struct rio9_pdu pdu = { .peer = TEST_DST, .cos = 0x40, .channel = RIO9_FLOW_E };
	u8 *data = rio9_test_payload(test, 1000), buf[RIO9_PACKET_MAX];
	struct sk_buff *skb = rio9_test_skb(test, data, 1000, 1000, 0);
	static const u8 golden[] = { 0x40, 0x40, 0x00, 0x00 };
	struct rio9_segmenter s;
	struct rio9_packet p;
	unsigned int n;
	u8 *logical;
	int len;

	/* Nobody has heard of it */
	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, false, 32));
	KUNIT_EXPECT_EQ(test, rio9_segment_abort(&s, buf), 0);
	KUNIT_EXPECT_EQ(test, rio9_segment_make(&s, buf), 0);

	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, false, 32));
	KUNIT_ASSERT_GT(test, rio9_segment_make(&s, buf), 0);
	rio9_segment_sent(&s);
	KUNIT_ASSERT_GT(test, rio9_segment_make(&s, buf), 0);
	len = rio9_segment_abort(&s, buf);
	logical = test_logical(test, buf, len, false, &p, &n);
	KUNIT_ASSERT_EQ(test, n, sizeof(golden));
	KUNIT_EXPECT_MEMEQ(test, logical, golden, sizeof(golden));
	KUNIT_EXPECT_EQ(test, rio9_segment_make(&s, buf), 0);
	KUNIT_EXPECT_EQ(test, rio9_segment_abort(&s, buf), 0);
	kfree_skb(skb);
}

/* What was not sent is made again; the first and the last segment are as any other here */
static void test_again(struct kunit *test)
{
	const struct rio9_pdu pdu = { .peer = TEST_DST };
	u8 *data = rio9_test_payload(test, 100), buf[2][RIO9_PACKET_MAX];
	struct sk_buff *skb = rio9_test_skb(test, data, 100, 100, 0);
	struct rio9_segmenter s;
	int len;

	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, true, 32));
	KUNIT_ASSERT_GT(test, rio9_segment_make(&s, buf[0]), 0);
	KUNIT_EXPECT_EQ(test, rio9_segment_abort(&s, buf[1]), 0);

	KUNIT_ASSERT_EQ(test, 0, rio9_segment_begin(&s, skb, &pdu, TEST_SRC, true, 32));
	while ((len = rio9_segment_make(&s, buf[0])) != 0) {
		KUNIT_EXPECT_EQ(test, rio9_segment_make(&s, buf[1]), len);
		KUNIT_EXPECT_MEMEQ(test, buf[0], buf[1], len);
		if (s.hdr.kind == RIO9_END)
			break;
		rio9_segment_sent(&s);
	}
	KUNIT_EXPECT_GT(test, rio9_segment_abort(&s, buf[1]), 0);
	kfree_skb(skb);
}

/* PDUs of no bytes, of too many, and those that would have to be walked again and again */
static void test_refused(struct kunit *test)
{
	u8 *data = rio9_test_payload(test, RIO9_PDU_MAX + 1);
	const struct rio9_pdu pdu = { .peer = TEST_DST };
	struct rio9_segmenter s;
	struct sk_buff *skb;

	skb = rio9_test_skb(test, data, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, rio9_segment_begin(&s, skb, &pdu, 1, true, 256));
	kfree_skb(skb);
	skb = rio9_test_skb(test, data, RIO9_PDU_MAX + 1, RIO9_PDU_MAX + 1, 1);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, rio9_segment_begin(&s, skb, &pdu, 1, true, 256));
	kfree_skb(skb);
	skb = rio9_test_skb(test, data, 100, 100, 1);
	skb_shinfo(skb)->frag_list = rio9_test_skb(test, data, 100, 100, 1);
	skb->len += 100;
	skb->data_len += 100;
	KUNIT_EXPECT_EQ(test, -EINVAL, rio9_segment_begin(&s, skb, &pdu, 1, true, 256));
	kfree_skb(skb);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_vectors),
	KUNIT_CASE(test_all_mtus),
	KUNIT_CASE(test_all_sizes),
	KUNIT_CASE(test_abort),
	KUNIT_CASE(test_again),
	KUNIT_CASE(test_refused),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_segment",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
