// SPDX-License-Identifier: GPL-2.0
/*
 * FP_Headers against golden values of an independent model, and what is wrong in received ones.
 */
#include <kunit/test.h>
#include <linux/hex.h>
#include <linux/module.h>
#include <linux/st_compat.h>

#include "../codec.h"

struct hfp_case {
	const char		*name;
	struct hfp_packet	packet;
	const char		*hdr;
	unsigned int		len;	/* of the packet */
};

static const struct hfp_case hfp_good[] = {
	{ "empty", { .ulp = 0x85 }, "8500000000000000", 8 },
	{ "one byte", { .ulp = 0x85, .d2_size = 1 }, "8500000000000001", 16 },
	{ "seven", { .ulp = 0x85, .d2_size = 7 }, "8500000000000007", 16 },
	{ "word", { .ulp = 0x85, .d2_size = 8 }, "8500000000000008", 16 },
	{ "nine", { .ulp = 0x85, .d2_size = 9 }, "8500000000000009", 24 },
	{ "offset 3", { .ulp = 0x85, .d2_offset = 3, .d2_size = 13 }, "850000030000000d", 24 },
	{ "offset 7, empty", { .ulp = 0x85, .d2_offset = 7 }, "8500000700000000", 16 },
	{ "D1 alone", { .ulp = 0x85, .has_d1 = true, .d1_area = 8 }, "8580000800000000", 16 },
	{ "D1 and D2", { .ulp = 0x85, .has_d1 = true, .d1_area = 8, .d2_size = 8 },
	  "8580000800000008", 24 },
	{ "D1 of 1016 bytes", { .ulp = 0x85, .has_d1 = true, .d1_area = 1016, .d2_size = 1 },
	  "858003f800000001", 1032 },
	{ "D2 at the second burst",
	  { .ulp = 0x85, .has_d1 = true, .burst = true, .d1_area = 1016, .d2_size = 16 },
	  "85c003f800000010", 1040 },
	{ "HIPPI-LE", { .ulp = 0x04, .has_d1 = true, .d1_area = 24, .d2_size = 28 },
	  "048000180000001c", 64 },
};

KUNIT_ARRAY_PARAM_DESC(hfp_good, hfp_good, name);

static void hfp_test_good(struct kunit *test)
{
	const struct hfp_case *c = test->param_value;
	struct hfp_packet got = {};
	struct hfp_hdr hdr, want;

	KUNIT_ASSERT_EQ(test, hex2bin((u8 *)&want, c->hdr, sizeof(want)), 0);
	memset(&hdr, 0xff, sizeof(hdr));
	hfp_build(&hdr, &c->packet);
	KUNIT_EXPECT_MEMEQ(test, &hdr, &want, sizeof(hdr));
	KUNIT_EXPECT_LT(test, hfp_parse(&got, &want, c->len), 0);
	KUNIT_EXPECT_EQ(test, got.ulp, c->packet.ulp);
	KUNIT_EXPECT_EQ(test, got.has_d1, c->packet.has_d1);
	KUNIT_EXPECT_EQ(test, got.burst, c->packet.burst);
	KUNIT_EXPECT_EQ(test, got.d1_area, c->packet.d1_area);
	KUNIT_EXPECT_EQ(test, got.d2_offset, c->packet.d2_offset);
	KUNIT_EXPECT_EQ(test, got.d2_size, c->packet.d2_size);
}

static const struct {
	const char	*hdr;
	unsigned int	len;
	int		what;
} hfp_bad[] = {
	{ "0c00000000000000", 0, HFP_STAT_SHORT },
	{ "0c00000000000000", 7, HFP_STAT_SHORT },
	/* D2 is cut, or one byte longer than the packet, or as long as it can be said */
	{ "0c00000000000060", 8 + 0x5f, HFP_STAT_TRUNCATED },
	{ "0c00000000000061", 8 + 0x60, HFP_STAT_TRUNCATED },
	{ "0c000000fffffffe", 8 + 0x60, HFP_STAT_TRUNCATED },
	/* D1_Area of 128 words, and one that ends behind the packet */
	{ "0c80040000000060", 8 + 0x60, HFP_STAT_D1_AREA },
	{ "0c8003f800000060", 8 + 0x60, HFP_STAT_TRUNCATED },
	/* D2_Offset behind the end, where the length is not known either */
	{ "0c000007ffffffff", 8 + 6, HFP_STAT_TRUNCATED },
	{ "8580000800000000", 15, HFP_STAT_TRUNCATED },
	/* Reserved bits and Fill of any length are good, and so is a length that is not known */
	{ "0c3ff80000000060", 8 + 0x60, -1 },
	{ "0c00000000000060", 8 + 0x60 + 2047, -1 },
	{ "0c000000ffffffff", 8, -1 },
	/* An area without P is good, and is skipped */
	{ "0c00000800000000", 16, -1 },
};

static void hfp_test_bad(struct kunit *test)
{
	struct hfp_packet packet;
	struct hfp_hdr hdr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hfp_bad); i++) {
		KUNIT_ASSERT_EQ(test, hex2bin((u8 *)&hdr, hfp_bad[i].hdr, sizeof(hdr)), 0);
		KUNIT_EXPECT_EQ_MSG(test, hfp_parse(&packet, &hdr, hfp_bad[i].len),
				    hfp_bad[i].what, "%s", hfp_bad[i].hdr);
	}
}

static int hfp_test_rcv_nothing;

static void hfp_test_rcv(struct net_device *dev, struct sk_buff *skb, const struct hfp_ind *ind)
{
	hfp_test_rcv_nothing++;
	kfree_skb(skb);
}

static void hfp_test_registry(struct kunit *test)
{
	struct hfp_ulp one = { .owner = THIS_MODULE, .id = 0xc3, .rcv = hfp_test_rcv };
	struct hfp_ulp same = one, le = one;

	le.id = HFP_ULP_LE;
	KUNIT_EXPECT_EQ(test, hfp_register_ulp(&le), -EBUSY);
	KUNIT_ASSERT_EQ(test, hfp_register_ulp(&one), 0);
	KUNIT_EXPECT_EQ(test, hfp_register_ulp(&same), -EBUSY);
	hfp_unregister_ulp(&one);
	KUNIT_ASSERT_EQ(test, hfp_register_ulp(&same), 0);
	hfp_unregister_ulp(&same);
	KUNIT_EXPECT_EQ(test, hfp_test_rcv_nothing, 0);
}

static struct kunit_case hfp_codec_cases[] = {
	KUNIT_CASE_PARAM(hfp_test_good, hfp_good_gen_params),
	KUNIT_CASE(hfp_test_bad),
	KUNIT_CASE(hfp_test_registry),
	{}
};

static struct kunit_suite hfp_codec_suite = {
	.name = "hippi_fp_codec",
	.test_cases = hfp_codec_cases,
};

kunit_test_suite(hfp_codec_suite);

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of HIPPI-FP");
MODULE_LICENSE("GPL");
