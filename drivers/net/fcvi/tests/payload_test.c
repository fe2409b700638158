// SPDX-License-Identifier: GPL-2.0
/*
 * Payloads of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1 against bytes at the places of tables 13 to
 * 18, and all that makes them malformed.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "payload.h"

/* Words that are not zero, by their place, from tables 13, 15, 16 and 18 */
static const struct test_word {
	u16 at;
	u32 value;
} test_words[] = {
	{ 4, 0x00000001 },						/* FCVI_REVISION */
	{ 8, 0x000000aa },						/* FCVI_RQST_HANDLE */
	{ 12, 0x00001010 },						/* FCVI_LOC_ADDR */
	{ 16, 0xfe800000 }, { 24, 0x00000000 }, { 28, 0x00000001 },
	{ 32, 0x81815354 }, { 36, 0x01000000 }, { 44, 0x00000001 },
	{ 160, 0x00001080 },						/* FCVI_REM_ADDR */
	{ 172, 0x0000ffff }, { 176, 0xc0000201 },
	{ 180, 0x01020304 }, { 304, 0xa1a2a3a4 },
	{ 308, 0x00000302 },						/* FCVI_LOC_ATTRS */
	{ 312, 0x00008000 },
	{ 316, 0x80000000 },						/* FCVI_QOS */
	{ 332, 0x0000001f },
};

static const struct fcvi_iu test_rqst = {
	.opcode = FCVI_CONNECT_RQST, .flags = 2, .handle = FCVI_HANDLE_NONE, .connection_id = 5,
};

static void test_put(u8 *buf, unsigned int at, u32 value)
{
	buf[at] = value >> 24;
	buf[at + 1] = value >> 16;
	buf[at + 2] = value >> 8;
	buf[at + 3] = value;
}

static u8 *test_payload(struct kunit *test)
{
	u8 *buf = kunit_kzalloc(test, FCVI_CONNECT_LEN_INFO + 4, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	for (i = 0; i < ARRAY_SIZE(test_words); i++)
		test_put(buf, test_words[i].at, test_words[i].value);
	return buf;
}

static void test_connect(struct fcvi_connect *c)
{
	static const u8 loc[] = { 0x81, 0x81, 'S', 'T', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

	*c = (struct fcvi_connect) {
		.handle = 0xaa,
		.loc = { .host = { { { 0xfe, 0x80, [15] = 1 } } }, .len = 16 },
		.rem = {
			.host = { { { [10] = 0xff, 0xff, 192, 0, 2, 1 } } }, .len = 128,
			.discrim = { 1, 2, 3, 4, [124] = 0xa1, 0xa2, 0xa3, 0xa4 },
		},
		.attrs = { .level = FCVI_RR, .rdma_write = true, .pref = true,
			   .max_trans_size = 32768, .pipeline_depth = 31 },
	};
	memcpy(c->loc.discrim, loc, sizeof(loc));
}

static void test_golden(struct kunit *test)
{
	struct fcvi_connect *want = kunit_kzalloc(test, 2 * sizeof(*want), GFP_KERNEL);
	u8 *wire = test_payload(test), *buf = kunit_kmalloc(test, 345, GFP_KERNEL);
	struct fcvi_connect *got = want + 1;

	KUNIT_ASSERT_NOT_NULL(test, want);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	test_connect(want);
	memset(buf, 0x55, 345);
	fcvi_encode_connect(buf, want);
	KUNIT_EXPECT_MEMEQ(test, buf, wire, 340);
	KUNIT_EXPECT_EQ(test, buf[340], 0x55);

	KUNIT_ASSERT_TRUE(test, fcvi_decode_rqst(got, &test_rqst, wire, 340));
	KUNIT_EXPECT_EQ(test, got->handle, want->handle);
	KUNIT_EXPECT_MEMEQ(test, &got->loc, &want->loc, sizeof(got->loc));
	KUNIT_EXPECT_MEMEQ(test, &got->rem, &want->rem, sizeof(got->rem));
	KUNIT_EXPECT_EQ(test, got->attrs.level, FCVI_RR);
	KUNIT_EXPECT_TRUE(test, got->attrs.rdma_write);
	KUNIT_EXPECT_FALSE(test, got->attrs.rdma_read);
	KUNIT_EXPECT_TRUE(test, got->attrs.pref);
	KUNIT_EXPECT_EQ(test, got->attrs.max_trans_size, 32768);
	KUNIT_EXPECT_EQ(test, got->attrs.pipeline_depth, 31);
}

/* Whatever is reserved, or behind the end of a Discriminator, is not looked at */
static void test_reserved(struct kunit *test)
{
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	u8 *wire = test_payload(test);

	KUNIT_ASSERT_NOT_NULL(test, got);
	memset(wire, 0xff, 6);
	memset(wire + 12, 0xff, 2);
	memset(wire + 48, 0xff, 112);
	memset(wire + 308, 0xff, 2);
	wire[311] = 0xfd;
	memset(wire + 317, 0xff, 3);
	memset(wire + 336, 0xff, 4);
	KUNIT_ASSERT_TRUE(test, fcvi_decode_rqst(got, &test_rqst, wire, 340));
	KUNIT_EXPECT_FALSE(test, got->attrs.rdma_write);
	KUNIT_EXPECT_TRUE(test, got->attrs.rdma_read);
	KUNIT_EXPECT_EQ(test, got->loc.discrim[15], 1);
	KUNIT_EXPECT_EQ(test, got->loc.discrim[16], 0);
}

/* The three words are for the match of attributes */
static void test_qos(struct kunit *test)
{
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	u8 *wire = test_payload(test);

	KUNIT_ASSERT_NOT_NULL(test, got);
	test_put(wire, 320, 0x01020304);
	test_put(wire, 324, 0x05060708);
	test_put(wire, 328, 0x090a0b0c);
	KUNIT_ASSERT_TRUE(test, fcvi_decode_rqst(got, &test_rqst, wire, 340));
	KUNIT_EXPECT_EQ(test, got->attrs.max_bandwidth, 0x01020304);
	KUNIT_EXPECT_EQ(test, got->attrs.min_bandwidth, 0x05060708);
	KUNIT_EXPECT_EQ(test, got->attrs.max_delay, 0x090a0b0c);
}

/* FC-VI 5.9.4.4: bit 3 in requests, bit 1 in responses */
static void test_info(struct kunit *test)
{
	struct fcvi_iu rqst = test_rqst, resp = { .opcode = FCVI_CONNECT_RESP1 };
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	u8 *wire = test_payload(test);
	unsigned int len;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (len = 0; len <= 600; len++) {
		rqst.flags = 2;
		KUNIT_EXPECT_EQ(test, fcvi_decode_rqst(got, &rqst, wire, len), len == 340);
		rqst.flags = 2 | 0x08;
		KUNIT_EXPECT_EQ(test, fcvi_decode_rqst(got, &rqst, wire, len), len == 596);
		resp.flags = 0;
		KUNIT_EXPECT_EQ(test, fcvi_decode_resp1(got, &resp, wire, len), len == 340);
		resp.flags = 0x02;
		KUNIT_EXPECT_EQ(test, fcvi_decode_resp1(got, &resp, wire, len), len == 596);
	}
}

static void test_modes(struct kunit *test)
{
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	struct fcvi_iu iu = test_rqst;
	u8 *wire = test_payload(test);
	unsigned int mode;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (mode = 0; mode < 8; mode++) {
		iu.flags = mode | 0x10;
		KUNIT_EXPECT_EQ(test, fcvi_decode_rqst(got, &iu, wire, 340),
				mode == 1 || mode == 2);
	}
}

/* Each byte that has a range, at all of its values */
static void test_ranges(struct kunit *test)
{
	static const struct {
		u16 at;
		u8 min, max;
	} ranges[] = {
		{ 6, 0, 0 }, { 7, 1, 1 },		/* FCVI_REVISION */
		{ 14, 16, 16 }, { 15, 16, 128 },	/* HOST_ADD_LEN, DISCRIM_LEN */
		{ 162, 16, 16 }, { 163, 16, 128 },
		{ 310, 1, 3 },				/* FCVI_RELIABILITY_LVL */
	};
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	const struct fcvi_iu resp = { .opcode = FCVI_CONNECT_RESP1 };
	u8 *wire = test_payload(test), old;
	unsigned int i, v;

	KUNIT_ASSERT_NOT_NULL(test, got);
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		old = wire[ranges[i].at];
		for (v = 0; v < 256; v++) {
			bool good = v >= ranges[i].min && v <= ranges[i].max;

			wire[ranges[i].at] = v;
			KUNIT_EXPECT_EQ_MSG(test, fcvi_decode_rqst(got, &test_rqst, wire, 340),
					    good, "byte %u is %02x", ranges[i].at, v);
			KUNIT_EXPECT_EQ_MSG(test, fcvi_decode_resp1(got, &resp, wire, 340),
					    good, "byte %u is %02x", ranges[i].at, v);
		}
		wire[ranges[i].at] = old;
	}
	for (v = 0; v < 256; v++) {
		wire[316] = v;	/* FCVI_PREF */
		KUNIT_EXPECT_EQ(test, fcvi_decode_rqst(got, &test_rqst, wire, 340),
				v == 0 || v == 0x80);
	}
}

/* FFFFFFFF, FC-VI 5.9.2 and 5.9.10 */
static void test_unassigned(struct kunit *test)
{
	struct fcvi_connect *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	struct fcvi_iu iu = test_rqst;
	u8 *wire = test_payload(test);

	KUNIT_ASSERT_NOT_NULL(test, got);
	iu.connection_id = 0;
	KUNIT_EXPECT_TRUE(test, fcvi_decode_rqst(got, &iu, wire, 340));
	iu.connection_id = 0xffffffff;
	KUNIT_EXPECT_FALSE(test, fcvi_decode_rqst(got, &iu, wire, 340));
	test_put(wire, 8, 0xffffffff);
	KUNIT_EXPECT_FALSE(test, fcvi_decode_rqst(got, &test_rqst, wire, 340));
	/* A responder that accepts has one, one that refuses may have none, FC-VI 5.3.3 */
	iu = (struct fcvi_iu) { .opcode = FCVI_CONNECT_RESP1 };
	KUNIT_EXPECT_FALSE(test, fcvi_decode_resp1(got, &iu, wire, 340));
	iu.flags = 0x01;
	KUNIT_EXPECT_TRUE(test, fcvi_decode_resp1(got, &iu, wire, 340));
}

static struct kunit_case fcvi_payload_cases[] = {
	KUNIT_CASE(test_golden),
	KUNIT_CASE(test_reserved),
	KUNIT_CASE(test_qos),
	KUNIT_CASE(test_info),
	KUNIT_CASE(test_modes),
	KUNIT_CASE(test_ranges),
	KUNIT_CASE(test_unassigned),
	{}
};

static struct kunit_suite fcvi_payload_suite = {
	.name		= "fcvi_payload",
	.test_cases	= fcvi_payload_cases,
};

kunit_test_suites(&fcvi_payload_suite);
