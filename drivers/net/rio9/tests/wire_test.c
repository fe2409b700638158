// SPDX-License-Identifier: GPL-2.0
/*
 * Codec of packets, 4.2 and 4.3, against golden vectors, and what is no packet.
 */
#include <linux/string.h>

#include "common.h"
#include "vectors.h"

/* Of anything that a test writes, with IDs of 16 bits */
#define TEST_HDR	6

/* Headers, payload and end of a packet, from its fields */
static unsigned int test_encode(const struct rio9_packet *p, u8 *buf)
{
	unsigned int len;

	memset(buf, 0x55, RIO9_PACKET_MAX);
	len = rio9_encode_headers(buf, p);
	if (p->kind != RIO9_TM) {
		memcpy(buf + len, p->data, p->len);
		len += p->len;
	}
	return rio9_encode_end(buf, len);
}

static void test_packets(struct kunit *test)
{
	const struct rio9_packet_vector *v = rio9_packet_vectors;
	u8 bytes[RIO9_PACKET_MAX], again[RIO9_PACKET_MAX];
	struct rio9_packet p;
	unsigned int len;
	const char *hex;

	for (; v < rio9_packet_vectors + rio9_packet_vectors_count; v++) {
		hex = v->hex;
		len = rio9_test_hex(test, &hex, bytes, sizeof(bytes));
		memset(&p, 0xa5, sizeof(p));
		KUNIT_EXPECT_EQ_MSG(test, rio9_decode(&p, bytes, len), RIO9_GOOD, "%s", v->hex);
		KUNIT_EXPECT_EQ_MSG(test, p.large, v->large, "%s", v->hex);
		KUNIT_EXPECT_EQ_MSG(test, p.channel, v->channel, "%s", v->hex);
		KUNIT_EXPECT_EQ_MSG(test, p.dst, v->dst, "%s", v->hex);
		KUNIT_EXPECT_EQ_MSG(test, p.src, v->src, "%s", v->hex);
		KUNIT_EXPECT_EQ_MSG(test, test_encode(&p, again), len, "%s", v->hex);
		KUNIT_EXPECT_MEMEQ_MSG(test, again, bytes, len, "%s", v->hex);
	}
}

static void test_tm(struct kunit *test)
{
	const struct rio9_tm_vector *v = rio9_tm_vectors;
	u8 bytes[RIO9_PACKET_MAX], again[RIO9_PACKET_MAX];
	struct rio9_packet p;
	const char *hex;

	for (; v < rio9_tm_vectors + rio9_tm_vectors_count; v++) {
		struct rio9_packet made = {
			.kind = RIO9_TM, .large = true, .cos = v->cos, .stream = v->stream,
			.tm = v->tm,
		};

		hex = v->hex;
		KUNIT_ASSERT_EQ(test, rio9_test_hex(test, &hex, bytes, sizeof(bytes)),
				RIO9_TM_LEN);
		memset(&p, 0xa5, sizeof(p));
		KUNIT_EXPECT_EQ_MSG(test, rio9_decode_logical(&p, bytes, RIO9_TM_LEN), RIO9_GOOD,
				    "%s", v->name);
		KUNIT_EXPECT_EQ_MSG(test, p.kind, RIO9_TM, "%s", v->name);
		KUNIT_EXPECT_EQ_MSG(test, p.cos, v->cos, "%s", v->name);
		KUNIT_EXPECT_EQ_MSG(test, p.stream, v->stream, "%s", v->name);
		KUNIT_EXPECT_MEMEQ_MSG(test, &p.tm, &v->tm, sizeof(v->tm), "%s", v->name);

		test_encode(&made, again);
		KUNIT_EXPECT_MEMEQ_MSG(test, again + TEST_HDR, bytes, RIO9_TM_LEN, "%s", v->name);
	}
}

/* P and O of any number of bytes, behind IDs of both sizes: table 4-2 */
static void test_odd_and_pad(struct kunit *test)
{
	static const enum rio9_kind kinds[] = { RIO9_SINGLE, RIO9_END };
	u8 data[RIO9_MTU_MAX], bytes[RIO9_PACKET_MAX];
	unsigned int n, len, i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i + 1;
	for (i = 0; i < 4; i++) {
		for (n = i & 1 ? 0 : 1; n <= RIO9_MTU_MAX; n++) {
			struct rio9_packet p, made = {
				.kind = kinds[i & 1], .large = i & 2, .cos = 0x12,
				.stream = 0x3456, .length = 0x789a, .data = data, .len = n,
			};

			len = test_encode(&made, bytes);
			KUNIT_ASSERT_LE(test, len, RIO9_PACKET_MAX);
			KUNIT_ASSERT_EQ(test, len % 4, 0);
			KUNIT_ASSERT_EQ(test, rio9_decode(&p, bytes, len), RIO9_GOOD);
			KUNIT_ASSERT_EQ(test, p.kind, made.kind);
			KUNIT_ASSERT_EQ(test, p.len, n);
			KUNIT_ASSERT_MEMEQ(test, p.data, data, n);
			if (made.kind == RIO9_END)
				KUNIT_ASSERT_EQ(test, p.length, made.length);
			else
				KUNIT_ASSERT_EQ(test, p.stream, made.stream);
			/* The pad byte is not looked at, nor is what follows it */
			while (--len > p.data - bytes + n)
				bytes[len] = 0xff;
			len = round_up(p.data - bytes + n, 4);
			KUNIT_ASSERT_EQ(test, rio9_decode(&p, bytes, len), RIO9_GOOD);
			KUNIT_ASSERT_EQ(test, p.len, n);
		}
	}
}

/* A single segment without data, and P and O that cannot be */
static void test_no_data(struct kunit *test)
{
	u8 bytes[] = { 0x12, 0xc0, 0x34, 0x56, 0x00, 0x00 };
	unsigned int flags;
	struct rio9_packet p;

	for (flags = 0; flags < 4; flags++) {
		bytes[1] = 0xc0 | flags;
		KUNIT_EXPECT_EQ(test, rio9_decode_logical(&p, bytes, 4), RIO9_MALFORMED);
		/* A half-word that is there belongs to the payload if O is set */
		KUNIT_EXPECT_EQ(test, rio9_decode_logical(&p, bytes, 6),
				flags & 2 ? RIO9_GOOD : RIO9_MALFORMED);

		bytes[1] = 0x40 | flags;
		KUNIT_EXPECT_EQ(test, rio9_decode_logical(&p, bytes, 4), RIO9_GOOD);
		KUNIT_EXPECT_EQ(test, p.len, 0);
	}
}

/* Reserved bits are ignored, table 4-1 */
static void test_reserved_bits(struct kunit *test)
{
	static const u8 kinds[] = { 0x00, 0x40, 0x80, 0xc2 };
	u8 bytes[] = { 0x12, 0, 0x34, 0x56, 0x78, 0x9a }, tm[RIO9_TM_LEN] = { 0x12, 0x04 };
	struct rio9_packet p, bare;
	unsigned int i, rsv;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (rsv = 0; rsv < 0x40; rsv += 0x08) {
			memset(&p, 0, sizeof(p));
			memset(&bare, 0, sizeof(bare));
			bytes[1] = kinds[i];
			KUNIT_ASSERT_EQ(test, rio9_decode_logical(&bare, bytes, 6), RIO9_GOOD);
			bytes[1] = kinds[i] | rsv;
			KUNIT_ASSERT_EQ(test, rio9_decode_logical(&p, bytes, 6), RIO9_GOOD);
			KUNIT_EXPECT_MEMEQ(test, &p, &bare, sizeof(p));
		}
	}
	/* S, E, O and P are so in extended packets, and so is a bit before the wildcard */
	memset(&p, 0, sizeof(p));
	memset(&bare, 0, sizeof(bare));
	KUNIT_ASSERT_EQ(test, rio9_decode_logical(&bare, tm, sizeof(tm)), RIO9_GOOD);
	tm[1] = 0xc7;
	tm[4] = 0x08;
	KUNIT_ASSERT_EQ(test, rio9_decode_logical(&p, tm, sizeof(tm)), RIO9_GOOD);
	KUNIT_EXPECT_MEMEQ(test, &p, &bare, sizeof(p));
}

/* All values of tt, ftype and xtype */
static void test_reserved_codes(struct kunit *test)
{
	u8 bytes[16] = { 0x00, 0x09, 0x01, 0x02, 0x80, 0x04 };
	struct rio9_packet p;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		bytes[1] = i;
		KUNIT_EXPECT_EQ(test, rio9_decode(&p, bytes, 12),
				i == 9 ? RIO9_GOOD : RIO9_OTHER_FTYPE);
	}
	for (i = 2; i < 4; i++) {
		bytes[1] = i << 4 | 9;
		KUNIT_EXPECT_EQ(test, rio9_decode(&p, bytes, 16), RIO9_BAD_TT);
	}
	bytes[1] = 0x09;
	for (i = 1; i < 8; i++) {
		bytes[5] = i << 3 | 4;
		KUNIT_EXPECT_EQ(test, rio9_decode(&p, bytes, 12), RIO9_BAD_XTYPE);
	}
}

/* A traffic management packet has one length, and the least that the transport adds */
static void test_tm_length(struct kunit *test)
{
	static const u8 large[] = { 0x00, 0x19, 0x00, 0x01, 0x00, 0x02, 0x80, 0x04, 0x00, 0x00 };
	u8 bytes[24] = { 0x00, 0x09, 0x01, 0x02, 0x80, 0x04 };
	struct rio9_packet p;
	unsigned int len;

	for (len = 8; len <= sizeof(bytes); len += 4)
		KUNIT_EXPECT_EQ(test, rio9_decode(&p, bytes, len),
				len == 12 ? RIO9_GOOD : RIO9_MALFORMED);
	memcpy(bytes, large, sizeof(large));
	for (len = 8; len <= sizeof(bytes); len += 4)
		KUNIT_EXPECT_EQ(test, rio9_decode(&p, bytes, len),
				len == 16 ? RIO9_GOOD : RIO9_MALFORMED);
}

/* Every vector, cut after each of its bytes */
static void test_truncated(struct kunit *test)
{
	const struct rio9_packet_vector *v = rio9_packet_vectors;
	u8 bytes[RIO9_PACKET_MAX], *cut;
	struct rio9_packet p;
	unsigned int len, n;
	const char *hex;

	for (; v < rio9_packet_vectors + rio9_packet_vectors_count; v++) {
		hex = v->hex;
		len = rio9_test_hex(test, &hex, bytes, sizeof(bytes));
		for (n = 0; n < len; n++) {
			cut = rio9_test_copy(test, bytes, n);
			if (rio9_decode(&p, cut, n) == RIO9_GOOD) {
				KUNIT_ASSERT_EQ(test, n % 4, 0);
				if (p.kind != RIO9_TM)
					KUNIT_ASSERT_LE(test, p.data - cut + p.len, n);
			} else {
				KUNIT_ASSERT_EQ(test, rio9_decode(&p, cut, n), RIO9_MALFORMED);
			}
			kunit_kfree(test, cut);
		}
	}
}

/* Anything: what is read lies in what came */
static void test_any_bytes(struct kunit *test)
{
	u8 bytes[RIO9_PACKET_MAX + 64], *copy;
	unsigned int i, len, good = 0;
	struct rio9_packet p;
	struct rnd_state rnd;

	rio9_test_seed(test, &rnd);
	for (i = 0; i < 20000; i++) {
		len = rio9_test_range(&rnd, 0, i & 1 ? 20 : sizeof(bytes));
		prandom_bytes_state(&rnd, bytes, sizeof(bytes));
		if (i & 2)
			bytes[1] = (bytes[1] & 0xd0) | 9;
		copy = rio9_test_copy(test, bytes, len);
		if (rio9_decode(&p, copy, len) == RIO9_GOOD && p.kind != RIO9_TM) {
			KUNIT_ASSERT_GE(test, p.data - copy, 6);
			KUNIT_ASSERT_LE(test, p.data - copy + p.len, len);
			good++;
		}
		kunit_kfree(test, copy);
	}
	KUNIT_EXPECT_GT(test, good, 0);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_packets),
	KUNIT_CASE(test_tm),
	KUNIT_CASE(test_odd_and_pad),
	KUNIT_CASE(test_no_data),
	KUNIT_CASE(test_reserved_bits),
	KUNIT_CASE(test_reserved_codes),
	KUNIT_CASE(test_tm_length),
	KUNIT_CASE(test_truncated),
	KUNIT_CASE(test_any_bytes),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_wire",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
