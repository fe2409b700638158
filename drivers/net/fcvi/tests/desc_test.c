// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptors as programs write them, VI-DG 5: bytes by hand, each bit that may be wrong, noise.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/unaligned.h>

#include "dev_desc.h"

#define TEST_SEGS	FCVI_DEV_MAX_SEGS
#define TEST_SIZE	(32 + 16 * TEST_SEGS)
#define TEST_MAX	0x10000

/* An RDMA Write of 0x30 bytes in two segments, with a fence and Immediate Data, and any link */
static const u8 test_write[] = {
	0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 3, 0, 0x0d, 0,
	0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0x30, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 4, 3, 2, 1, 0, 0, 0, 0,
	0, 0x10, 0, 0, 0, 0x7f, 0, 0, 7, 0, 0, 0, 0x10, 0, 0, 0,
	0, 0x20, 0, 0, 0, 0x7f, 0, 0, 8, 0, 0, 0, 0x20, 0, 0, 0,
};

struct test_desc {
	struct fcvi_udesc	*d;
	u8			raw[TEST_SIZE];
};

static struct test_desc *test_desc(struct kunit *test)
{
	struct test_desc *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->d = kunit_kzalloc(test, struct_size(t->d, segs, TEST_SEGS), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->d);
	memcpy(t->raw, test_write, sizeof(test_write));
	return t;
}

/* Return: its error */
static u16 test_parse(struct test_desc *t, u8 queue, u8 level)
{
	memset(t->d, 0, sizeof(*t->d));
	t->d->queue = queue;
	fcvi_desc_parse(t->d, t->raw, level, TEST_MAX);
	return t->d->desc.error;
}

static void test_bytes(struct kunit *test)
{
	struct test_desc *t = test_desc(test);
	const struct fcvi_udesc *d = t->d;

	KUNIT_EXPECT_EQ(test, fcvi_desc_size(t->raw), sizeof(test_write));
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_UD), 0);
	KUNIT_EXPECT_EQ(test, d->desc.op, FCVI_OP_WRITE);
	KUNIT_EXPECT_EQ(test, d->desc.flags, FCVI_DESC_IMM | FCVI_DESC_FENCE);
	KUNIT_EXPECT_EQ(test, d->desc.imm, 0x12345678);
	KUNIT_EXPECT_EQ(test, d->desc.len, 0x30);
	KUNIT_EXPECT_EQ(test, d->desc.rmt_va, 0x0123456789abcdefULL);
	KUNIT_EXPECT_EQ(test, d->desc.rmt_handle, 0x01020304);
	KUNIT_ASSERT_EQ(test, d->nr, 2);
	KUNIT_EXPECT_EQ(test, d->segs[1].va, 0x7f0000002000ULL);
	KUNIT_EXPECT_EQ(test, d->segs[1].handle, 8);
	KUNIT_EXPECT_EQ(test, d->segs[1].len, 0x20);
}

/* VI-DG 5.2 and 5.3: operations, queues, levels and reserved bits */
static void test_format(struct kunit *test)
{
	struct test_desc *t = test_desc(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), FCVI_ERR_FORMAT);
	KUNIT_EXPECT_EQ(test, t->d->desc.op, FCVI_OP_RECV);
	/* A Read, whose Immediate Data are ignored */
	t->raw[14] = 0x06;
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), 0);
	KUNIT_EXPECT_EQ(test, t->d->desc.flags, 0);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_UD), FCVI_ERR_FORMAT);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), FCVI_ERR_FORMAT);
	t->raw[14] = 0x03;
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_FORMAT);
	for (i = 4; i < 16; i++) {
		put_unaligned_le16(1 | BIT(i), t->raw + 14);
		KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_FORMAT);
	}
	/* Both bits of a receive Descriptor are ignored */
	put_unaligned_le16(0x0c, t->raw + 14);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), 0);
	KUNIT_EXPECT_EQ(test, t->d->desc.flags, 0);
	t->raw[14] = 1;
	for (i = 16; i < 20; i++) {
		t->raw[i] = 0x80;
		KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_FORMAT);
		t->raw[i] = 0;
		t->raw[32 + i - 4] = 1;
		KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_FORMAT);
		t->raw[32 + i - 4] = 0;
	}
	/* No address segment */
	t->raw[12] = 0;
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_FORMAT);
	KUNIT_EXPECT_EQ(test, t->d->nr, 0);
}

/* VI-DG 5.2 and 5.4: counts and lengths */
static void test_lengths(struct kunit *test)
{
	struct test_desc *t = test_desc(test);
	unsigned int i;

	t->raw[24]++;
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_LENGTH);
	/* Of a receive Descriptor it is not defined */
	t->raw[14] = 0;
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), 0);
	/* Only Immediate Data, or not even that, VI-ARCH 6.1.1.1 */
	memset(t->raw, 0, sizeof(t->raw));
	KUNIT_EXPECT_EQ(test, fcvi_desc_size(t->raw), 32);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), 0);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), 0);
	/* As many as there may be, whose sum is too much for 32 bits */
	put_unaligned_le16(TEST_SEGS, t->raw + 12);
	KUNIT_EXPECT_EQ(test, fcvi_desc_size(t->raw), TEST_SIZE);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), 0);
	for (i = 0; i < TEST_SEGS; i++)
		put_unaligned_le32(U32_MAX, t->raw + 32 + 16 * i + 12);
	put_unaligned_le32(-TEST_SEGS, t->raw + 24);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_LENGTH);
	KUNIT_EXPECT_LE(test, t->d->desc.len, TEST_MAX);
	for (i = TEST_SEGS + 1; i <= U16_MAX; i += 997) {
		put_unaligned_le16(i, t->raw + 12);
		KUNIT_EXPECT_EQ(test, fcvi_desc_size(t->raw), 32);
		KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_LENGTH);
		KUNIT_EXPECT_EQ(test, t->d->nr, 0);
	}
	/* The last byte that the endpoint takes, and one more */
	put_unaligned_le16(1, t->raw + 12);
	put_unaligned_le32(TEST_MAX, t->raw + 44);
	put_unaligned_le32(TEST_MAX, t->raw + 24);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), 0);
	put_unaligned_le32(TEST_MAX + 1, t->raw + 44);
	put_unaligned_le32(TEST_MAX + 1, t->raw + 24);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_SEND, FCVI_RD), FCVI_ERR_LENGTH);
	KUNIT_EXPECT_EQ(test, test_parse(t, FCVI_DEV_RECV, FCVI_RD), FCVI_ERR_LENGTH);
}

/* Whatever is in it, what comes of it is sound */
static void test_noise(struct kunit *test)
{
	struct test_desc *t = test_desc(test);
	struct rnd_state rnd;
	unsigned int i, n, good = 0;
	u64 sum;
	u16 err;

	prandom_seed_state(&rnd, 6400);
	for (n = 0; n < 20000; n++) {
		prandom_bytes_state(&rnd, t->raw, sizeof(t->raw));
		/* Some of it such that the rest is looked at */
		if (n & 1) {
			put_unaligned_le16(prandom_u32_state(&rnd) % 4, t->raw + 14);
			put_unaligned_le16(prandom_u32_state(&rnd) % 300, t->raw + 12);
			put_unaligned_le32(0, t->raw + 16);
			put_unaligned_le32(0, t->raw + 44);
		}
		KUNIT_ASSERT_LE(test, fcvi_desc_size(t->raw), TEST_SIZE);
		err = test_parse(t, n >> 1 & 1, 1 + n % 3);
		KUNIT_ASSERT_LE(test, 32 + 16 * t->d->nr, fcvi_desc_size(t->raw));
		KUNIT_ASSERT_LE(test, t->d->desc.len, TEST_MAX);
		KUNIT_ASSERT_EQ(test, err & ~(FCVI_ERR_FORMAT | FCVI_ERR_LENGTH), 0);
		for (i = 0, sum = 0; i < t->d->nr; i++)
			sum += t->d->segs[i].len;
		if (!err) {
			KUNIT_ASSERT_EQ(test, sum, t->d->desc.len);
			good++;
		}
	}
	KUNIT_EXPECT_GT(test, good, 0);
}

/* VI-DG 5.2: done, errors, the operation by its queue, and Immediate Data of the receive queue */
static void test_status(struct kunit *test)
{
	struct fcvi_desc d = { .op = FCVI_OP_SEND, .flags = FCVI_DESC_IMM };

	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0x00001);
	d.op = FCVI_OP_WRITE;
	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0x20001);
	d.op = FCVI_OP_READ;
	d.error = FCVI_ERR_RDMA_PROT;
	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0x40081);
	d.op = FCVI_OP_RECV;
	d.error = 0;
	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0x90001);
	d.flags |= FCVI_DESC_BY_WRITE;
	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0xb0001);
	d.flags = 0;
	d.error = FCVI_ERR_PARTIAL | FCVI_ERR_TRANSPORT;
	KUNIT_EXPECT_EQ(test, fcvi_desc_status(&d), 0x10051);
}

static struct kunit_case fcvi_desc_cases[] = {
	KUNIT_CASE(test_bytes),
	KUNIT_CASE(test_format),
	KUNIT_CASE(test_lengths),
	KUNIT_CASE(test_noise),
	KUNIT_CASE(test_status),
	{}
};

static struct kunit_suite fcvi_desc_suite = {
	.name		= "fcvi_desc",
	.test_cases	= fcvi_desc_cases,
};

kunit_test_suites(&fcvi_desc_suite);
