// SPDX-License-Identifier: GPL-2.0
/*
 * Credit of each Virtual Channel.
 */

#include <kunit/test.h>

#include "pair.h"

#define NOW	(10 * TEST_MS)

static void test_grant(struct test_end *end, u8 tseq, u8 vcr, u8 credits)
{
	u8 data[H64_UPKT_DATA] = {};
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_CREDIT) | FIELD_PREP(H64_C_VCR, vcr) |
		  FIELD_PREP(H64_C_CR, credits) | FIELD_PREP(H64_C_TSEQ, tseq) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE), data, &ecrc);
	h64_link_rx(&end->link, h64_upkt_ctrl(&upkt), H64_GOOD, ecrc, NOW);
}

static struct test_end *test_up(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_UP, NOW);
	return end;
}

static void test_start_at_zero(struct kunit *test)
{
	struct test_end *end = test_up(test);
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].avail, 0);
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].out, 0);
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].room, H64_CREDIT_POOL);
	}
}

/* Grants after a bring-up: all the room, 63 at a time, one VC each */
static void test_first_grants(struct kunit *test)
{
	struct test_end *end = test_up(test);
	u32 granted[HIPPI6400_NUM_VCS] = {};
	unsigned int vc;
	u8 tseq = 0;
	u64 ctrl;

	h64_link_flush(&end->link, NOW);
	while (test_end_sent(end, &ctrl)) {
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_CREDIT);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), tseq++);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_CR, ctrl), 63);
		granted[FIELD_GET(H64_C_VCR, ctrl)] += FIELD_GET(H64_C_CR, ctrl);
	}
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		KUNIT_EXPECT_EQ(test, granted[vc], H64_CREDIT_POOL);
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].out, H64_CREDIT_POOL);
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].room, 0);
		KUNIT_EXPECT_EQ(test, end->link.credit[vc].rx_granted, H64_CREDIT_POOL);
	}
}

static void test_exhausted(struct kunit *test)
{
	const unsigned int vc = *(const unsigned int *)test->param_value;
	unsigned int other, upkts[HIPPI6400_NUM_VCS] = {};
	struct test_end *end = test_up(test);
	struct rnd_state rnd;
	u64 ctrl;

	prandom_seed_state(&rnd, 1);
	for (other = 0; other < HIPPI6400_NUM_VCS; other++) {
		end->link.credit[other].room = 0;
		end->link.credit[other].avail = other == vc ? 3 : 20;
		KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, other,
							  test_frame(test, 8 + 9 * 32, &rnd)));
	}
	h64_msg_tx_pump(&end->tx, NOW);
	h64_msg_tx_pump(&end->tx, NOW);
	while (test_end_sent(end, &ctrl))
		upkts[FIELD_GET(H64_C_VC, ctrl)]++;
	for (other = 0; other < HIPPI6400_NUM_VCS; other++) {
		KUNIT_EXPECT_EQ(test, upkts[other], other == vc ? 3 : 10);
		KUNIT_EXPECT_EQ(test, end->link.credit[other].avail, other == vc ? 0 : 10);
		KUNIT_EXPECT_EQ(test, end->link.credit[other].tx_used, other == vc ? 3 : 10);
		KUNIT_EXPECT_EQ(test, end->link.credit[other].stops, other == vc);
		KUNIT_EXPECT_EQ(test, end->tx.vc[other].stats.messages, other != vc);
	}

	/* Credit of another VC does not help; its own does */
	test_grant(end, 0, (vc + 1) % HIPPI6400_NUM_VCS, 63);
	h64_msg_tx_pump(&end->tx, NOW);
	test_end_expect_sent(test, end, 0);
	test_grant(end, 1, vc, 6);
	h64_msg_tx_pump(&end->tx, NOW);
	test_end_expect_sent(test, end, 6, H64_TYPE_DATA, H64_TYPE_DATA, H64_TYPE_DATA,
			     H64_TYPE_DATA, H64_TYPE_DATA, H64_TYPE_DATA);
	KUNIT_EXPECT_EQ(test, end->link.credit[vc].stops, 2);
	test_grant(end, 2, vc, 63);
	h64_msg_tx_pump(&end->tx, NOW);
	test_end_expect_sent(test, end, 1, H64_TYPE_DATA);
	KUNIT_EXPECT_EQ(test, end->tx.vc[vc].stats.messages, 1);
	test_end_purge(end);
}

static void test_vc_desc(const unsigned int *vc, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "VC%u", *vc);
}

static const unsigned int vcs[] = { 0, 1, 2, 3 };

KUNIT_ARRAY_PARAM(vc, vcs, test_vc_desc);

/* A Message on VC1, and the micropackets expected after it */
static void test_message(struct kunit *test, struct test_end *end, unsigned int len)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	end->link.credit[1].avail = 10;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1, test_frame(test, len, &rnd)));
	h64_msg_tx_pump(&end->tx, NOW);
	h64_link_flush(&end->link, NOW);
}

static void test_piggyback(struct kunit *test)
{
	struct test_end *end = test_up(test);
	unsigned int vc;
	u64 ctrl;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		end->link.credit[vc].room = 10;
	end->link.credit[2].room = 100;
	test_message(test, end, 8 + 96);

	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VC, ctrl), 1);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VCR, ctrl), 2);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_CR, ctrl), 63);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VCR, ctrl), 2);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_CR, ctrl), 37);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, ctrl & (H64_C_VCR | H64_C_CR), 0);
	test_end_purge(end);
}

/* An ACK in data needs no Null; without data a Null carries it */
static void test_no_null(struct kunit *test)
{
	struct test_end *end = test_up(test);
	unsigned int vc;
	u64 ctrl;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		end->link.credit[vc].room = 0;
	test_grant(end, 0, 3, 5);
	test_message(test, end, 8 + 32);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_HEADER);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_RSEQ, ctrl), 0);
	test_end_expect_sent(test, end, 1, H64_TYPE_DATA);

	test_grant(end, 1, 3, 5);
	h64_link_flush(&end->link, NOW);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_NULL);
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_RSEQ, ctrl), 1);
	test_end_expect_sent(test, end, 0);
	test_end_purge(end);
}

static void test_overflow(struct kunit *test)
{
	struct test_end *end = test_up(test);
	unsigned int i;

	for (i = 0; i < 65; i++)
		test_grant(end, i, 3, 63);
	KUNIT_EXPECT_EQ(test, end->link.credit[3].avail, 65 * 63);
	KUNIT_EXPECT_EQ(test, end->link.stats.credit_overflow, 0);
	test_grant(end, i, 3, 1);
	KUNIT_EXPECT_EQ(test, end->link.credit[3].avail, H64_CREDIT_MAX);
	KUNIT_EXPECT_EQ(test, end->link.stats.credit_overflow, 1);
	KUNIT_EXPECT_EQ(test, end->link.credit[3].tx_granted, 65 * 63 + 1);
	KUNIT_EXPECT_EQ(test, end->link.credit[2].avail, 0);
}

/* A reserved TYPE with credit has its place in the sequence */
static void test_reserved_with_credit(struct kunit *test)
{
	u8 data[H64_UPKT_DATA] = {};
	struct test_end *end = test_up(test);
	u16 ecrc = H64_CRC_PRESET;
	struct h64_upkt upkt;

	test_upkt(&upkt, FIELD_PREP(H64_C_TYPE, 5) | FIELD_PREP(H64_C_VCR, 1) |
		  FIELD_PREP(H64_C_CR, 7) | FIELD_PREP(H64_C_TSEQ, 0) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE), data, &ecrc);
	KUNIT_EXPECT_NULL(test, test_end_rx(end, &upkt, NOW));
	KUNIT_EXPECT_EQ(test, end->link.stats.reserved_type, 1);
	KUNIT_EXPECT_EQ(test, end->link.credit[1].avail, 7);
	KUNIT_EXPECT_EQ(test, end->link.dst.rseq, 0);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_start_at_zero),
	KUNIT_CASE(test_first_grants),
	KUNIT_CASE_PARAM(test_exhausted, vc_gen_params),
	KUNIT_CASE(test_piggyback),
	KUNIT_CASE(test_no_null),
	KUNIT_CASE(test_overflow),
	KUNIT_CASE(test_reserved_with_credit),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_credit",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
