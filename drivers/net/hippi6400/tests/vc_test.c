// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual Channels do not block each other, HIPPI-6400-PH 4.3: a Control
 * Message on VC0 leaves soon, whatever the load on the others, and a VC without
 * credit stops alone.
 */

#include <kunit/test.h>

#include "link/seq.h"
#include "pair.h"

#define NOW	(10 * TEST_MS)

/* Micropackets of other VCs between two of a VC with something to send */
#define OTHERS	(HIPPI6400_NUM_VCS - 1)
/* Micropackets of the longest Control Message */
#define CONTROL	H64_VC0_LIMIT

/* An end whose VC1 to VC3 have endless Messages, which fill the window */
static struct test_end *test_busy(struct kunit *test, u32 avail)
{
	struct test_end *end = test_end_alloc(test);
	struct rnd_state rnd;
	unsigned int vc, i;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	memset(end->link.credit, 0, sizeof(end->link.credit));
	end->link.credit[0].avail = 2 * CONTROL;
	for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++) {
		end->link.credit[vc].avail = avail;
		for (i = 0; i < 4; i++)
			KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, vc,
								  test_frame(test, 60000, &rnd)));
	}
	h64_msg_tx_pump(&end->tx, NOW);
	return end;
}

static void test_control(struct kunit *test, struct test_end *end, u32 upkts)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 0,
						  test_frame(test, 8 + 32 * (upkts - 1), &rnd)));
}

/* The card takes everything, and the far end acknowledges a number of the oldest */
static void test_ack(struct test_end *end, unsigned int n)
{
	struct h64_source *src = &end->link.src;
	u64 ctrl;

	while (test_end_sent(end, &ctrl))
		;
	src->una = h64_seq_add(src->una, n);
	src->count -= n;
	src->rexmit = min(src->rexmit, src->count);
}

/* Checks the order: VC0 has its turn after at most OTHERS micropackets of other VCs */
static void test_turns(struct kunit *test, struct test_end *end, unsigned int *others,
		       unsigned int *control)
{
	u64 ctrl;

	while (test_end_sent(end, &ctrl)) {
		if (FIELD_GET(H64_C_VC, ctrl)) {
			if (*control)
				KUNIT_EXPECT_LE(test, ++*others, OTHERS);
			continue;
		}
		*others = 0;
		(*control)--;
	}
}

/* As the window opens by a random amount */
static void test_source_bound(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int round;

	prandom_seed_state(&rnd, test_seed(test));
	for (round = 0; round < 50; round++) {
		struct test_end *end = test_busy(test, 4000);
		unsigned int others = 0, control = 1 + prandom_u32_state(&rnd) % CONTROL, steps;

		KUNIT_ASSERT_EQ(test, end->link.src.count, H64_WINDOW);
		test_ack(end, prandom_u32_state(&rnd) % 4);
		h64_msg_tx_pump(&end->tx, NOW);
		test_ack(end, 0);
		test_control(test, end, control);
		h64_msg_tx_pump(&end->tx, NOW);
		/* The window is full: nothing leaves, of any VC */
		test_end_expect_sent(test, end, 0);
		for (steps = 0; control && steps < 1000; steps++) {
			test_ack(end, 1 + prandom_u32_state(&rnd) % 20);
			h64_msg_tx_pump(&end->tx, NOW);
			test_turns(test, end, &others, &control);
		}
		KUNIT_EXPECT_EQ(test, control, 0);
		KUNIT_EXPECT_EQ(test, end->tx.vc[0].stats.messages, 1);
		test_end_purge(end);
	}
}

/* After a go-back: a window of copies, and then its turn */
static void test_go_back_bound(struct kunit *test)
{
	struct test_end *end = test_busy(test, 4000);
	unsigned int others = 0, control = 10, copies = 0;
	u64 ctrl;

	test_ack(end, 0);
	test_control(test, end, control);
	h64_link_tick(&end->link, NOW + TEST_ACK);
	KUNIT_ASSERT_EQ(test, end->link.stats.go_backs, 1);
	h64_msg_tx_pump(&end->tx, NOW + TEST_ACK);
	while (test_end_sent(end, &ctrl))
		copies++;
	KUNIT_EXPECT_EQ(test, copies, H64_WINDOW);
	test_ack(end, 100);
	h64_msg_tx_pump(&end->tx, NOW + TEST_ACK);
	test_turns(test, end, &others, &control);
	KUNIT_EXPECT_EQ(test, control, 0);
	test_end_purge(end);
}

/* One of the others has no credit: the rest and VC0 continue */
static void test_without_credit(struct kunit *test)
{
	const unsigned int vc = *(const unsigned int *)test->param_value;
	struct test_end *end = test_busy(test, 100);
	unsigned int other, others = 0, control = 40, i;

	/* All have used up their credit, and some get more */
	test_ack(end, H64_WINDOW);
	h64_msg_tx_pump(&end->tx, NOW);
	test_ack(end, end->link.src.count);
	for (other = 1; other < HIPPI6400_NUM_VCS; other++) {
		KUNIT_EXPECT_EQ(test, end->link.credit[other].avail, 0);
		KUNIT_EXPECT_EQ(test, end->link.credit[other].stops, 1);
		if (other != vc)
			end->link.credit[other].avail = 1000;
	}
	if (!vc)
		end->link.credit[0].avail = 0;
	test_control(test, end, control);
	for (i = 0; i < 4; i++) {
		h64_msg_tx_pump(&end->tx, NOW);
		if (vc)
			test_turns(test, end, &others, &control);
		test_ack(end, end->link.src.count);
	}
	KUNIT_EXPECT_EQ(test, end->tx.vc[0].stats.messages, !!vc);
	KUNIT_EXPECT_EQ(test, end->link.credit[0].stops, !vc);
	for (other = 1; other < HIPPI6400_NUM_VCS; other++) {
		u64 sent = end->tx.vc[other].stats.upkts;

		if (other == vc)
			KUNIT_EXPECT_EQ(test, sent, 100);
		else
			KUNIT_EXPECT_GT(test, sent, 300);
	}

	/* With credit it has its turn at once */
	end->link.credit[vc].avail = 1000;
	h64_msg_tx_pump(&end->tx, NOW);
	if (!vc)
		test_turns(test, end, &others, &control);
	KUNIT_EXPECT_EQ(test, end->tx.vc[0].stats.messages, 1);
	KUNIT_EXPECT_FALSE(test, end->link.credit[vc].stopped);
	test_end_purge(end);
}

static void test_vc_desc(const unsigned int *vc, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "VC%u", *vc);
}

static const unsigned int vcs[] = { 0, 1, 2, 3 };

KUNIT_ARRAY_PARAM(vc, vcs, test_vc_desc);

/* From queue to delivery: a window, and OTHERS for each micropacket of VC0 */
static void test_delivery_bound(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	struct test_end *from = &pair->end[0], *to = &pair->end[1];
	unsigned int round, vc, upkts;
	u64 before, others;

	prandom_seed_state(&pair->rnd, test_seed(test));
	test_pair_bring_up(pair);
	test_pair_run(pair, 5);
	for (round = 0; round < 50; round++) {
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
			test_pair_send(pair, 0, vc, 30000);
		test_pair_run(pair, prandom_u32_state(&pair->rnd) % 4);
		upkts = 1 + prandom_u32_state(&pair->rnd) % CONTROL;
		before = to->rx.vc[0].stats.messages;
		others = to->link.stats.rx_upkts;
		test_pair_send(pair, 0, 0, 8 + 32 * (upkts - 1));
		while (to->rx.vc[0].stats.messages == before &&
		       to->link.stats.rx_upkts - others < 10000)
			test_pair_step(pair);
		/* Micropackets of the same step, and Nulls, count too */
		KUNIT_EXPECT_LE(test, to->link.stats.rx_upkts - others,
				H64_WINDOW + (1 + OTHERS) * upkts + H64_WINDOW);
	}
	KUNIT_EXPECT_EQ(test, from->link.stats.go_backs, 0);
	while (!test_pair_idle(pair))
		test_pair_step(pair);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_source_bound),
	KUNIT_CASE(test_go_back_bound),
	KUNIT_CASE_PARAM(test_without_credit, vc_gen_params),
	KUNIT_CASE(test_delivery_bound),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_vc",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
