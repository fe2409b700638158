// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of the tunnel against bytes, there and back, and anything.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/st_compat.h>
#include <linux/string.h>

#include "frame.h"

/* From 0102 to 0304 in flow C: a single segment of two bytes, cos 80, stream E181 */
static const u8 test_packet[] = {
	0x00, 0x59, 0x03, 0x04, 0x01, 0x02, 0x80, 0xc2, 0xe1, 0x81, 'a', 'b',
};

/* The same twice, in the words of the document */
static const u8 test_data[] = {
	0x01, 0x00, 0x01, 0x02, 0x03, 0x04, 0x00, 0x24, 0x11, 0x22, 0x33, 0x44,
	0x00, 0x00, 0x00, 0x07, 0x02, 0x02, 0x00, 0x00,
	0x00, 0x0c,
	0x00, 0x59, 0x03, 0x04, 0x01, 0x02, 0x80, 0xc2, 0xe1, 0x81, 'a', 'b',
	0x00, 0x0c,
	0x00, 0x59, 0x03, 0x04, 0x01, 0x02, 0x80, 0xc2, 0xe1, 0x81, 'a', 'b',
};

static const u8 test_hello[] = {
	0x01, 0x01, 0x01, 0x02, 0xff, 0xff, 0x00, 0x10, 0x11, 0x22, 0x33, 0x44,
	0x03, 0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
	0x0d, 0xac, 0x00, 0x00,
};

static void test_data_both_ways(struct kunit *test)
{
	u8 buf[sizeof(test_data)], *at = buf + RIO9_ETH_HDR + RIO9_ETH_DATA_HDR;
	const u8 *pos, *packet;
	struct rio9_eth_frame f;
	unsigned int len, i;

	KUNIT_ASSERT_EQ(test, rio9_eth_decode(&f, test_data, sizeof(test_data)), RIO9_ETH_GOOD);
	KUNIT_EXPECT_EQ(test, f.type, RIO9_ETH_DATA);
	KUNIT_EXPECT_EQ(test, f.src, 0x102);
	KUNIT_EXPECT_EQ(test, f.dst, 0x304);
	KUNIT_EXPECT_EQ(test, f.session, 0x11223344);
	KUNIT_EXPECT_EQ(test, f.data.sequence, 7);
	KUNIT_EXPECT_EQ(test, f.data.channel, RIO9_FLOW_C);
	KUNIT_ASSERT_EQ(test, f.data.packets, 2);
	pos = f.data.body;
	for (i = 0; i < 2; i++) {
		packet = rio9_eth_packet(&pos, &len);
		KUNIT_ASSERT_EQ(test, len, sizeof(test_packet));
		KUNIT_EXPECT_MEMEQ(test, packet, test_packet, len);
		rio9_eth_put_packet(at, packet, len);
		at += RIO9_ETH_PACKET_HDR + len;
	}
	KUNIT_EXPECT_EQ(test, rio9_eth_encode(buf, &f), RIO9_ETH_HDR + RIO9_ETH_DATA_HDR);
	KUNIT_EXPECT_MEMEQ(test, buf, test_data, sizeof(buf));
}

static void test_hello_both_ways(struct kunit *test)
{
	u8 buf[sizeof(test_hello)];
	struct rio9_eth_frame f;

	KUNIT_ASSERT_EQ(test, rio9_eth_decode(&f, test_hello, sizeof(test_hello)), RIO9_ETH_GOOD);
	KUNIT_EXPECT_EQ(test, f.type, RIO9_ETH_HELLO);
	KUNIT_EXPECT_EQ(test, f.hello.flags, RIO9_ETH_LARGE | RIO9_ETH_ASK);
	KUNIT_EXPECT_EQ(test, f.hello.mtu, 256);
	KUNIT_EXPECT_EQ(test, f.hello.max_pdu, 65536);
	KUNIT_EXPECT_EQ(test, f.hello.contexts, 1024);
	KUNIT_EXPECT_EQ(test, f.hello.hold, 3500);
	KUNIT_EXPECT_EQ(test, rio9_eth_encode(buf, &f), sizeof(buf));
	KUNIT_EXPECT_MEMEQ(test, buf, test_hello, sizeof(buf));
}

/* A frame with one byte changed, or cut */
static enum rio9_eth_verdict test_changed(const u8 *frame, unsigned int len, unsigned int where,
					  u8 value)
{
	u8 buf[sizeof(test_data)];
	struct rio9_eth_frame f;

	memcpy(buf, frame, len);
	buf[where] = value;
	return rio9_eth_decode(&f, buf, len);
}

static void test_bad_data(struct kunit *test)
{
	static const struct {
		unsigned int where;
		u8 value;
		enum rio9_eth_verdict verdict;
	} cases[] = {
		{ 0, 2, RIO9_ETH_BAD_VERSION },
		{ 1, 2, RIO9_ETH_BAD_TYPE },
		{ 3, 3, RIO9_ETH_FORGED },
		{ 5, 5, RIO9_ETH_FORGED },
		{ 7, 0x25, RIO9_ETH_SHORT },
		{ 7, 0x23, RIO9_ETH_BAD_PACKET },
		{ 7, 0x07, RIO9_ETH_SHORT },
		{ 7, 0x08, RIO9_ETH_BAD_PACKET },
		{ 16, 3, RIO9_ETH_FORGED },
		{ 16, 16, RIO9_ETH_BAD_PACKET },
		{ 17, 1, RIO9_ETH_BAD_PACKET },
		{ 17, 3, RIO9_ETH_BAD_PACKET },
		{ 21, 0, RIO9_ETH_BAD_PACKET },
		{ 21, 10, RIO9_ETH_BAD_PACKET },
		{ 20, 1, RIO9_ETH_BAD_PACKET },
		{ 23, 0x69, RIO9_ETH_BAD_PACKET },	/* IDs of a reserved size */
		{ 23, 0x99, RIO9_ETH_FORGED },		/* another priority */
		{ 22, 1, RIO9_ETH_FORGED },		/* critical */
		{ 22, 2, RIO9_ETH_FORGED },		/* virtual channel 1 */
	};
	struct rio9_eth_frame f;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    test_changed(test_data, sizeof(test_data), cases[i].where,
						 cases[i].value),
				    cases[i].verdict, "case %u", i);
	for (i = 0; i < sizeof(test_data); i++)
		KUNIT_EXPECT_EQ(test, rio9_eth_decode(&f, test_data, i), RIO9_ETH_SHORT);
}

static void test_bad_hello(struct kunit *test)
{
	static const struct {
		unsigned int where;
		u8 value;
	} cases[] = {
		{ 12, 0 },	/* IDs of 8 bits, and an ID that needs more */
		{ 15, 2 },	/* an MTU of 258 */
		{ 14, 0 },	/* of 0 */
		{ 17, 0 },	/* a MaxPDU of 0 */
		{ 19, 1 },	/* of 65537 */
		{ 22, 0 },	/* no contexts */
		{ 20, 1 },	/* too many */
		{ 24, 0 },	/* gone at once */
		{ 24, 0xff },	/* for ever */
	};
	struct rio9_eth_frame f;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    test_changed(test_hello, sizeof(test_hello), cases[i].where,
						 cases[i].value),
				    RIO9_ETH_BAD_HELLO, "case %u", i);
	for (i = 0; i < sizeof(test_hello); i++)
		KUNIT_EXPECT_EQ(test, rio9_eth_decode(&f, test_hello, i), RIO9_ETH_SHORT);
	KUNIT_EXPECT_EQ(test, test_changed(test_hello, sizeof(test_hello), 7, 15), RIO9_ETH_SHORT);
}

/* Bytes of a good frame that change at random never make the decoder read beyond it */
static void test_anything(struct kunit *test)
{
	u64 seed = get_random_u64();
	struct rio9_eth_frame f;
	struct rnd_state rnd;
	const u8 *pos;
	unsigned int i, n, len;
	u8 *buf;

	kunit_info(test, "seed=%llu", seed);
	prandom_seed_state(&rnd, seed);
	for (i = 0; i < 20000; i++) {
		len = prandom_u32_state(&rnd) % (sizeof(test_data) + 1);
		if (i & 1)
			len = sizeof(test_data);
		buf = kunit_kmalloc(test, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memcpy(buf, test_data, len);
		for (n = 0; len && n < i % 4; n++)
			buf[prandom_u32_state(&rnd) % len] = prandom_u32_state(&rnd);
		if (rio9_eth_decode(&f, buf, len) == RIO9_ETH_GOOD && f.type == RIO9_ETH_DATA) {
			pos = f.data.body;
			for (n = 0; n < f.data.packets; n++)
				rio9_eth_packet(&pos, &len);
			KUNIT_EXPECT_PTR_EQ(test, pos, f.data.body + f.data.len);
		}
		kunit_kfree(test, buf);
	}
}

/* Start, continuation, end, single, and a message, with IDs of both sizes */
static void test_label(struct kunit *test)
{
	static const struct {
		u8 kind;
		bool last;
	} kinds[] = {
		{ 0x80, false }, { 0x00, false }, { 0x40, true }, { 0xc0, true }, { 0x04, true },
	};
	static const u8 small[] = { 0x00, 0x49, 0x04, 0x02, 0x80, 0x00, 0xe1, 0x81 };
	struct rio9_eth_label label;
	u8 buf[sizeof(test_packet)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		memcpy(buf, test_packet, sizeof(test_packet));
		buf[7] = kinds[i].kind;
		KUNIT_ASSERT_TRUE(test, rio9_eth_label(&label, buf, sizeof(test_packet)));
		KUNIT_EXPECT_EQ(test, label.last, kinds[i].last);
		KUNIT_EXPECT_EQ(test, label.dst, 0x304);

		memcpy(buf, small, sizeof(small));
		buf[5] = kinds[i].kind;
		KUNIT_ASSERT_TRUE(test, rio9_eth_label(&label, buf, sizeof(small)));
		KUNIT_EXPECT_EQ(test, label.last, kinds[i].last);
		KUNIT_EXPECT_EQ(test, label.dst, 4);
	}
}

static struct kunit_case frame_cases[] = {
	KUNIT_CASE(test_data_both_ways),
	KUNIT_CASE(test_hello_both_ways),
	KUNIT_CASE(test_bad_data),
	KUNIT_CASE(test_bad_hello),
	KUNIT_CASE(test_anything),
	KUNIT_CASE(test_label),
	{}
};

static struct kunit_suite frame_suite = {
	.name = "rio9_eth_frame",
	.test_cases = frame_cases,
};

kunit_test_suite(frame_suite);

MODULE_DESCRIPTION("KUnit tests of RapidIO over Ethernet");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
