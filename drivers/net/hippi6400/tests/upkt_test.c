// SPDX-License-Identifier: GPL-2.0
/*
 * Micropacket codec and CRCs against golden vectors.
 */

#include <kunit/test.h>
#include <linux/string.h>

#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#endif

#include "pair.h"
#include "link/upkt.h"
#include "vectors_upkt.h"

static void test_crc_desc(const struct h64_crc_vector *v, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "poly %04x over %zu bytes", v->poly, v->len);
}

KUNIT_ARRAY_PARAM(crc, h64_crc_vectors, test_crc_desc);

/* Whether it is faster or not */
#ifdef CONFIG_X86_64
static void crc_clmul(struct kunit *test, void *dst, const void *src, struct h64_crcs *crcs)
{
	if (!boot_cpu_has(X86_FEATURE_PCLMULQDQ) || !boot_cpu_has(X86_FEATURE_SSSE3))
		kunit_skip(test, "the CPU has no carry-less multiplication");
	kernel_fpu_begin();
	h64_crc_upkt(dst, src, crcs, true);
	kernel_fpu_end();
}
#else
static void crc_clmul(struct kunit *test, void *dst, const void *src, struct h64_crcs *crcs)
{
	kunit_skip(test, "for x86-64");
}
#endif

static void crc_upkt(struct kunit *test, void *dst, const void *src, struct h64_crcs *crcs,
		     bool clmul)
{
	if (clmul)
		crc_clmul(test, dst, src, crcs);
	else
		h64_crc_upkt(dst, src, crcs, false);
}

static void check_crc(struct kunit *test, bool clmul)
{
	const struct h64_crc_vector *v = test->param_value;
	struct h64_crcs crcs = { v->init, v->init };
	u8 out[H64_UPKT_DATA];
	size_t i;

	KUNIT_EXPECT_EQ(test, h64_crc(v->poly, v->init, v->input, v->len), v->crc);

	/* Whole micropackets by slices, the rest byte by byte */
	for (i = 0; i + H64_UPKT_DATA <= v->len; i += H64_UPKT_DATA) {
		crc_upkt(test, out, v->input + i, &crcs, clmul);
		KUNIT_EXPECT_MEMEQ(test, out, v->input + i, H64_UPKT_DATA);
	}
	KUNIT_EXPECT_EQ(test, v->crc,
			h64_crc(v->poly, v->poly == H64_POLY_ECRC ? crcs.ecrc : crcs.lcrc,
				v->input + i, v->len - i));
}

static void test_crc(struct kunit *test)
{
	check_crc(test, false);
}

static void test_crc_clmul(struct kunit *test)
{
	check_crc(test, true);
}

/* A single pass gives the same CRC as single bytes, at any alignment and preset */
static void check_crc_whole(struct kunit *test, bool clmul)
{
	u8 from[H64_UPKT_DATA + 8], to[H64_UPKT_DATA + 8];
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, test_seed(test));
	for (i = 0; i < 1000; i++) {
		u8 *src = from + prandom_u32_state(&rnd) % 8;
		u8 *dst = to + prandom_u32_state(&rnd) % 8;
		struct h64_crcs crcs = { prandom_u32_state(&rnd), prandom_u32_state(&rnd) }, again;
		u16 lcrc, ecrc;

		prandom_bytes_state(&rnd, from, sizeof(from));
		lcrc = h64_crc(H64_POLY_LCRC, crcs.lcrc, src, H64_UPKT_DATA);
		ecrc = h64_crc(H64_POLY_ECRC, crcs.ecrc, src, H64_UPKT_DATA);
		again = crcs;
		crc_upkt(test, dst, src, &crcs, clmul);
		KUNIT_ASSERT_EQ(test, crcs.lcrc, lcrc);
		KUNIT_ASSERT_EQ(test, crcs.ecrc, ecrc);
		KUNIT_ASSERT_MEMEQ(test, dst, src, H64_UPKT_DATA);
		/* In place */
		crc_upkt(test, src, src, &again, clmul);
		KUNIT_ASSERT_EQ(test, again.lcrc, lcrc);
		KUNIT_ASSERT_EQ(test, again.ecrc, ecrc);
		KUNIT_ASSERT_MEMEQ(test, src, dst, H64_UPKT_DATA);
	}
}

static void test_crc_whole(struct kunit *test)
{
	check_crc_whole(test, false);
}

static void test_crc_whole_clmul(struct kunit *test)
{
	check_crc_whole(test, true);
}

static void test_link_desc(const struct h64_link_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(link, h64_link_vectors, test_link_desc);

static void test_encode_zero(struct kunit *test)
{
	const struct h64_link_vector *v = test->param_value;
	struct h64_upkt upkt;

	memset(&upkt, 0x55, sizeof(upkt));
	h64_upkt_encode_zero(&upkt, FIELD_PREP(H64_C_VC, v->vc) | FIELD_PREP(H64_C_TYPE, v->type) |
			     FIELD_PREP(H64_C_VCR, v->vcr) | FIELD_PREP(H64_C_CR, v->cr) |
			     FIELD_PREP(H64_C_TSEQ, v->tseq) | FIELD_PREP(H64_C_RSEQ, v->rseq));
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&upkt, v->upkt, H64_UPKT_SIZE);
}

static void test_decode_zero(struct kunit *test)
{
	const struct h64_link_vector *v = test->param_value;
	u8 zero[H64_UPKT_DATA] = {}, data[H64_UPKT_DATA];
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;
	u64 ctrl;

	memcpy(&upkt, v->upkt, sizeof(upkt));
	ctrl = h64_upkt_ctrl(&upkt);
	KUNIT_EXPECT_EQ(test, h64_upkt_decode(data, &upkt, ctrl, &ecrc, false), H64_GOOD);
	KUNIT_EXPECT_MEMEQ(test, data, zero, sizeof(zero));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VC, ctrl), v->vc);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), v->type);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VCR, ctrl), v->vcr);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_CR, ctrl), v->cr);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), v->tseq);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_RSEQ, ctrl), v->rseq);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_ECRC, ctrl), ecrc);
	KUNIT_EXPECT_EQ(test, ctrl & (H64_C_TAIL | H64_C_ERROR), 0);
	KUNIT_EXPECT_EQ(test, ecrc, h64_zero_ecrc);
}

/* Any one bit of 320 */
static void test_decode_damaged(struct kunit *test)
{
	const struct h64_link_vector *v = test->param_value;
	u8 data[H64_UPKT_DATA];
	struct h64_upkt upkt;
	unsigned int bit;

	memcpy(&upkt, v->upkt, sizeof(upkt));
	for (bit = 0; bit < 8 * H64_UPKT_SIZE; bit++) {
		u16 ecrc = H64_CRC_PRESET;

		((u8 *)&upkt)[bit / 8] ^= BIT(bit % 8);
		KUNIT_EXPECT_EQ(test, H64_BAD_LCRC,
				h64_upkt_decode(data, &upkt, h64_upkt_ctrl(&upkt), &ecrc,
						false));
		((u8 *)&upkt)[bit / 8] ^= BIT(bit % 8);
	}
}

static void test_decode_types(struct kunit *test)
{
	const u16 reserved = BIT(5) | BIT(6) | BIT(7) | BIT(12) | BIT(13) | BIT(14) | BIT(15);
	u8 data[H64_UPKT_DATA];
	struct h64_upkt upkt;
	unsigned int type;

	for (type = 0; type < 16; type++) {
		u16 ecrc = H64_CRC_PRESET;

		h64_upkt_encode_zero(&upkt, FIELD_PREP(H64_C_TYPE, type));
		KUNIT_EXPECT_EQ(test, reserved & BIT(type) ? H64_RESERVED : H64_GOOD,
				h64_upkt_decode(data, &upkt, h64_upkt_ctrl(&upkt), &ecrc,
						false));
	}
}

static void test_sizes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(0), 1);
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(8), 1);
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(9), 2);
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(40), 2);
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(41), 3);
	KUNIT_EXPECT_EQ(test, h64_msg_upkts(U32_MAX - H64_SNAP_LEN), BIT(27) + 1);
	KUNIT_EXPECT_EQ(test, h64_vc_limit(0), 68);
	KUNIT_EXPECT_EQ(test, h64_vc_limit(1), 4100);
	KUNIT_EXPECT_EQ(test, h64_vc_limit(2), 4100);
	KUNIT_EXPECT_EQ(test, h64_vc_limit(3), BIT(27));
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_PARAM(test_crc, crc_gen_params),
	KUNIT_CASE_PARAM(test_crc_clmul, crc_gen_params),
	KUNIT_CASE(test_crc_whole),
	KUNIT_CASE(test_crc_whole_clmul),
	KUNIT_CASE_PARAM(test_encode_zero, link_gen_params),
	KUNIT_CASE_PARAM(test_decode_zero, link_gen_params),
	KUNIT_CASE_PARAM(test_decode_damaged, link_gen_params),
	KUNIT_CASE(test_decode_types),
	KUNIT_CASE(test_sizes),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_upkt",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
