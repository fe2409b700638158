// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the checksum, ST 8.3.
 */
#include <linux/unaligned.h>

#include "wire/op.h"
#include "random.h"
#include "vectors.h"

#define ST_SUM_BYTES	4096	/* room for a segment made of bytes */
#define ST_WIRES	8	/* operations in one */

/* ST 8.3.1 word by word; the Cksum fields are zero already. */
static u16 st_cksum_by_hand(const u8 *bytes, u32 len)
{
	u32 sum = 0, i;

	for (i = 0; i + 1 < len; i += 2)
		sum += get_unaligned_be16(bytes + i);
	if (len & 1)
		sum += bytes[len - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	sum = ~sum & 0xffff;
	return sum ?: 0xffff;
}

static u16 st_cksum_value(const struct st_csum *c)
{
	return be16_to_cpu((__force __be16)st_csum_finish(c));
}

static bool st_wire_segment_ok(const struct st_wire *wires, unsigned int n)
{
	struct st_csum c;
	unsigned int i;

	st_csum_init(&c);
	for (i = 0; i < n; i++)
		st_wire_sum(&c, &wires[i]);
	return st_csum_ok(&c, wires[n - 1].hdr.cksum);
}

/* Every single-bit error must be detected. */
static void st_expect_flips_found(struct kunit *test, struct st_wire *wires,
				  unsigned int n, const char *name)
{
	unsigned int i, bit, bits;
	u8 *byte;

	for (i = 0; i < n; i++) {
		bits = 8 * (ST_HDR_LEN + wires[i].len);
		for (bit = 0; bit < bits; bit++) {
			byte = bit < 8 * ST_HDR_LEN ?
			       (u8 *)&wires[i].hdr + bit / 8 :
			       wires[i].payload + bit / 8 - ST_HDR_LEN;
			*byte ^= BIT(bit % 8);
			/* A Cksum inside the segment would end it early, no Cksum too late. */
			if (!wires[n - 1].hdr.cksum || (i < n - 1 && wires[i].hdr.cksum))
				goto restore;
			KUNIT_EXPECT_FALSE_MSG(test, st_wire_segment_ok(wires, n),
					       "%s: operation %u bit %u", name, i, bit);
restore:
			*byte ^= BIT(bit % 8);
		}
	}
	KUNIT_EXPECT_TRUE_MSG(test, st_wire_segment_ok(wires, n), "%s", name);
}

static void st_csum_op_vectors(struct kunit *test)
{
	const struct st_op_vector *v = st_op_vectors;
	struct st_wire *wire = kunit_kzalloc(test, sizeof(*wire), GFP_KERNEL);
	struct st_csum c;
	struct st_hdr hdr;

	KUNIT_ASSERT_NOT_NULL(test, wire);
	for (; v < st_op_vectors + st_op_vectors_count; v++) {
		st_wire_make(wire, v->hdr, v->payload, v->len);
		hdr = wire->hdr;
		st_op_pack(&v->op, &wire->hdr);
		st_csum_init(&c);
		st_wire_sum(&c, wire);
		wire->hdr.cksum = st_csum_finish(&c);
		KUNIT_EXPECT_MEMEQ_MSG(test, &wire->hdr, &hdr, ST_HDR_LEN,
				       "%s", v->name);
		st_expect_flips_found(test, wire, 1, v->name);
	}
}

static void st_csum_segment_vectors(struct kunit *test)
{
	const struct st_segment_vector *v = st_segment_vectors;
	struct st_wire *wires, *first;
	unsigned int i, segments = 0;
	struct st_csum c;

	wires = kunit_kcalloc(test, st_segment_vectors_count, sizeof(*wires), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wires);
	first = wires;
	st_csum_init(&c);
	for (i = 0; i < st_segment_vectors_count; i++) {
		st_wire_make(&wires[i], v[i].hdr, v[i].payload, v[i].len);
		st_wire_sum(&c, &wires[i]);
		if (!wires[i].hdr.cksum)
			continue;
		KUNIT_EXPECT_EQ(test, (__force u16)st_csum_finish(&c),
				(__force u16)wires[i].hdr.cksum);
		KUNIT_EXPECT_TRUE(test, st_csum_ok(&c, wires[i].hdr.cksum));
		st_expect_flips_found(test, first, &wires[i] - first + 1, "segment");
		segments++;
		first = &wires[i + 1];
		st_csum_init(&c);
	}
	KUNIT_EXPECT_EQ(test, segments, 2);
}

/* Segments with payloads of any length, compared with the plain algorithm. */
static void st_csum_random_segments(struct kunit *test)
{
	struct st_wire *wires, *w;
	unsigned int i, n, round;
	struct rnd_state rnd;
	struct st_csum c;
	u8 *bytes;
	u32 len;

	wires = kunit_kcalloc(test, ST_WIRES, sizeof(*wires), GFP_KERNEL);
	bytes = kunit_kzalloc(test, ST_SUM_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wires);
	KUNIT_ASSERT_NOT_NULL(test, bytes);
	st_test_seed(test, &rnd);
	for (round = 0; round < 500; round++) {
		n = st_test_range(&rnd, 1, ST_WIRES);
		st_csum_init(&c);
		for (i = 0, len = 0; i < n; i++) {
			w = &wires[i];
			w->len = st_test_range(&rnd, 0, 400);
			prandom_bytes_state(&rnd, &w->hdr, ST_HDR_LEN);
			prandom_bytes_state(&rnd, w->payload, w->len);
			st_wire_sum(&c, w);	/* whatever the Cksum holds */
			w->hdr.cksum = 0;
			memcpy(bytes + len, &w->hdr, ST_HDR_LEN);
			memcpy(bytes + len + ST_HDR_LEN, w->payload, w->len);
			len += ST_HDR_LEN + w->len;
		}
		KUNIT_ASSERT_EQ(test, st_cksum_value(&c), st_cksum_by_hand(bytes, len));
		KUNIT_ASSERT_EQ(test, c.len, len);
		w->hdr.cksum = st_csum_finish(&c);
		KUNIT_ASSERT_TRUE(test, st_wire_segment_ok(wires, n));
		if (round < 10)
			st_expect_flips_found(test, wires, n, "random");
	}
}

/* One payload summed in two parts, divided at every byte. */
static void st_csum_any_cut(struct kunit *test)
{
	u8 bytes[67];
	struct rnd_state rnd;
	struct st_csum c;
	u32 cut;

	st_test_seed(test, &rnd);
	prandom_bytes_state(&rnd, bytes, sizeof(bytes));
	for (cut = 0; cut <= sizeof(bytes); cut++) {
		st_csum_init(&c);
		st_csum_add(&c, csum_partial(bytes, cut, 0), cut);
		st_csum_add(&c, csum_partial(bytes + cut, sizeof(bytes) - cut, 0),
			    sizeof(bytes) - cut);
		KUNIT_EXPECT_EQ_MSG(test, st_cksum_value(&c),
				    st_cksum_by_hand(bytes, sizeof(bytes)), "cut at %u", cut);
	}
}

/* A checksum of zero is sent as x'FFFF'. */
static void st_csum_never_zero(struct kunit *test)
{
	struct st_op op = { .offset = 0xffff };
	struct st_hdr hdr;
	struct st_csum c;

	st_op_pack(&op, &hdr);
	st_csum_init(&c);
	st_csum_hdr(&c, &hdr);
	KUNIT_EXPECT_EQ(test, st_cksum_value(&c), 0xffff);
	KUNIT_EXPECT_TRUE(test, st_csum_ok(&c, st_csum_finish(&c)));

	memset(&hdr, 0, sizeof(hdr));
	st_csum_init(&c);
	st_csum_hdr(&c, &hdr);
	KUNIT_EXPECT_EQ(test, st_cksum_value(&c), 0xffff);
	KUNIT_EXPECT_TRUE(test, st_csum_ok(&c, st_csum_finish(&c)));
	KUNIT_EXPECT_FALSE(test, st_csum_ok(&c, (__force __sum16)htons(1)));
}

static void st_csum_leaves_header(struct kunit *test)
{
	struct st_hdr hdr, copy;
	struct st_csum c;

	memset(&hdr, 0x5a, sizeof(hdr));
	copy = hdr;
	st_csum_init(&c);
	st_csum_hdr(&c, &hdr);
	KUNIT_EXPECT_MEMEQ(test, &hdr, &copy, sizeof(hdr));
}

/* A segment over 4 GiB: its length wraps, but the parity stays right. */
static void st_csum_length_wraps(struct kunit *test)
{
	static const u8 bytes[] = { 0x12, 0x34, 0x56 };
	struct st_csum c = { .len = U32_MAX };
	struct st_csum odd = { .len = 1 };

	st_csum_add(&c, csum_partial(bytes, 2, 0), 2);
	KUNIT_EXPECT_EQ(test, c.len, 1);
	st_csum_add(&c, csum_partial(bytes, 3, 0), 3);
	st_csum_add(&odd, csum_partial(bytes, 2, 0), 2);
	st_csum_add(&odd, csum_partial(bytes, 3, 0), 3);
	KUNIT_EXPECT_EQ(test, st_cksum_value(&c), st_cksum_value(&odd));
}

static struct kunit_case st_csum_cases[] = {
	KUNIT_CASE(st_csum_op_vectors),
	KUNIT_CASE(st_csum_segment_vectors),
	KUNIT_CASE(st_csum_random_segments),
	KUNIT_CASE(st_csum_any_cut),
	KUNIT_CASE(st_csum_never_zero),
	KUNIT_CASE(st_csum_leaves_header),
	KUNIT_CASE(st_csum_length_wraps),
	{}
};

static struct kunit_suite st_csum_suite = {
	.name = "st_csum",
	.test_cases = st_csum_cases,
};

kunit_test_suite(st_csum_suite);
