// SPDX-License-Identifier: GPL-2.0
/*
 * Two links back to back, on a line that loses, damages and duplicates.
 */

#include <kunit/test.h>

#include "pair.h"

/* Enough for all Messages of a test with the line at its worst */
#define TEST_LIMIT	60000

/* Messages of all sizes on all Virtual Channels, in both directions at once */
static void test_traffic(struct test_pair *pair, unsigned int messages)
{
	static const u32 most[] = { 8 + 67 * 32, 9000, H64_MAX_PAYLOAD, 20000 };
	unsigned int i, from, vc, sent[2] = {};

	test_pair_bring_up(pair);
	for (i = 0; i < messages; i++) {
		from = prandom_u32_state(&pair->rnd) % 2;
		vc = prandom_u32_state(&pair->rnd) % HIPPI6400_NUM_VCS;
		test_pair_send(pair, from, vc, prandom_u32_state(&pair->rnd) % (most[vc] + 1));
		sent[from]++;
		test_pair_run(pair, prandom_u32_state(&pair->rnd) % 4);
	}
	for (i = 0; i < TEST_LIMIT && !test_pair_idle(pair); i++)
		test_pair_step(pair);
	KUNIT_EXPECT_TRUE(pair->test, test_pair_idle(pair));
	KUNIT_EXPECT_EQ(pair->test, pair->end[1].arrived, sent[0]);
	KUNIT_EXPECT_EQ(pair->test, pair->end[0].arrived, sent[1]);
}

/* Only the faults of the line caused errors */
static void test_expect_clean(struct test_pair *pair)
{
	struct kunit *test = pair->test;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const struct h64_link_stats *stats = &pair->end[i].link.stats;
		const struct h64_msg_rx *rx = &pair->end[i].rx;

		KUNIT_EXPECT_EQ(test, stats->inits, 1);
		KUNIT_EXPECT_EQ(test, stats->no_credit, 0);
		KUNIT_EXPECT_EQ(test, stats->credit_overflow, 0);
		KUNIT_EXPECT_EQ(test, stats->reserved_type, 0);
		KUNIT_EXPECT_EQ(test, stats->ecrc_errors, 0);
		KUNIT_EXPECT_EQ(test, rx->ecrc_errors + rx->error_marked, 0);
		KUNIT_EXPECT_EQ(test, rx->header_without_tail + rx->data_without_header, 0);
		KUNIT_EXPECT_EQ(test, rx->m_len_errors + rx->over_limit + rx->too_long, 0);
		KUNIT_EXPECT_EQ(test, rx->bad_snap + rx->no_memory + rx->no_room + rx->lost, 0);
	}
}

/* Each credit is at one of the ends, or was used */
static void test_expect_credits(struct test_pair *pair)
{
	struct kunit *test = pair->test;
	unsigned int i, vc;

	for (i = 0; i < 2; i++) {
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
			const struct h64_vc_credit *here = &pair->end[i].link.credit[vc];
			const struct h64_vc_credit *there = &pair->end[!i].link.credit[vc];

			KUNIT_EXPECT_EQ(test, here->out, there->avail);
			KUNIT_EXPECT_EQ(test, here->out + here->room, H64_CREDIT_POOL);
			KUNIT_EXPECT_EQ(test, here->rx_granted, there->tx_granted);
			KUNIT_EXPECT_EQ(test, here->rx_used, there->tx_used);
			KUNIT_EXPECT_EQ(test, here->rx_used,
					pair->end[i].rx.vc[vc].stats.upkts);
			KUNIT_EXPECT_EQ(test, there->tx_used,
					pair->end[!i].tx.vc[vc].stats.upkts);
		}
	}
}

static void test_good_line(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i;

	prandom_seed_state(&pair->rnd, test_seed(test));
	test_traffic(pair, 500);
	test_expect_clean(pair);
	test_expect_credits(pair);
	for (i = 0; i < 2; i++) {
		const struct h64_link_stats *stats = &pair->end[i].link.stats;

		KUNIT_EXPECT_EQ(test, stats->go_backs, 0);
		KUNIT_EXPECT_EQ(test, stats->rexmit_upkts, 0);
		KUNIT_EXPECT_EQ(test, stats->ack_timeouts, 0);
		KUNIT_EXPECT_EQ(test, stats->out_of_sequence, 0);
		KUNIT_EXPECT_EQ(test, stats->bad_rseq, 0);
		KUNIT_EXPECT_EQ(test, stats->rx_upkts, pair->end[!i].link.stats.tx_upkts);
	}
}

static const struct test_line lines[] = {
	{ .lose = 65 },
	{ .damage = 65 },
	{ .twice = 65 },
	{ .lose = 650 },
	{ .damage = 650 },
	{ .twice = 650 },
	{ .lose = 200, .damage = 200, .twice = 200 },
};

static void test_line_desc(const struct test_line *line, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "lose %u damage %u twice %u of 65536", line->lose,
		 line->damage, line->twice);
}

KUNIT_ARRAY_PARAM(line, lines, test_line_desc);

static void test_bad_line(struct kunit *test)
{
	const struct test_line *line = test->param_value;
	struct test_pair *pair = test_pair_alloc(test);
	const struct h64_link_stats *stats = &pair->end[0].link.stats;

	prandom_seed_state(&pair->rnd, test_seed(test));
	pair->line = *line;
	test_traffic(pair, 200);
	test_expect_clean(pair);
	/* Pending reports are sent */
	memset(&pair->line, 0, sizeof(pair->line));
	test_pair_run(pair, 3000);
	test_expect_credits(pair);
	if (line->lose || line->damage) {
		KUNIT_EXPECT_GT(test, stats->go_backs, 0);
		KUNIT_EXPECT_GE(test, stats->rexmit_upkts, stats->go_backs);
	}
	if (line->damage)
		KUNIT_EXPECT_GT(test, stats->lcrc_errors, 0);
	else
		KUNIT_EXPECT_EQ(test, stats->lcrc_errors, 0);
	if (line->lose || line->damage || line->twice)
		KUNIT_EXPECT_GT(test, stats->out_of_sequence, 0);
}

/* The same seed gives the same run */
static void test_repeatable(struct kunit *test)
{
	struct h64_link_stats first = {};
	struct test_pair *pair;
	u64 used = test_seed(test);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		pair = test_pair_alloc(test);
		prandom_seed_state(&pair->rnd, used);
		pair->line.lose = 300;
		pair->line.damage = 300;
		test_traffic(pair, 50);
		if (i)
			KUNIT_EXPECT_MEMEQ(test, &first, &pair->end[0].link.stats, sizeof(first));
		first = pair->end[0].link.stats;
	}
}

/* A lost last micropacket: only the timer detects it */
static void test_lost_last(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);

	test_pair_bring_up(pair);
	test_pair_run(pair, 10);
	pair->line.lose = 65536;
	test_pair_send(pair, 0, 1, 8);
	test_pair_run(pair, 1);
	pair->line.lose = 0;
	test_pair_run(pair, 50);
	KUNIT_EXPECT_TRUE(test, test_pair_idle(pair));
	KUNIT_EXPECT_EQ(test, pair->end[1].arrived, 1);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.ack_timeouts, 1);
	test_expect_clean(pair);
}

/* Reset in the middle of Messages, in both directions: not delivered, and counted */
static void test_reset_amid(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i, vc;

	test_pair_bring_up(pair);
	test_pair_run(pair, 10);
	for (i = 0; i < 2; i++)
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
			test_pair_send(pair, i, vc, 60000);
	/* The first Message of each end has started, and none has ended */
	test_pair_send(pair, 0, 2, 100);
	test_pair_run(pair, 2);
	KUNIT_ASSERT_EQ(test, pair->end[0].arrived + pair->end[1].arrived, 0);

	h64_link_restart(&pair->end[0].link, pair->now);
	for (i = 0; i < 2; i++)
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
			__skb_queue_purge(&pair->end[i].expected[vc]);
	test_pair_run(pair, 1000);
	for (i = 0; i < 2; i++) {
		struct test_end *end = &pair->end[i];

		KUNIT_EXPECT_EQ(test, end->link.state, H64_UP);
		KUNIT_EXPECT_EQ(test, end->link.stats.inits, 2);
		KUNIT_EXPECT_EQ(test, end->link.stats.holdoffs, 1);
		KUNIT_EXPECT_GE(test, end->link.stats.resets_tx, 2);
		KUNIT_EXPECT_GE(test, end->link.stats.resets_rx, 2);
		KUNIT_EXPECT_EQ(test, end->rx.lost, 3);
		KUNIT_EXPECT_EQ(test, end->tx.lost, 3);
		KUNIT_EXPECT_EQ(test, end->tx.discarded, !i);
		KUNIT_EXPECT_EQ(test, end->rx.ecrc_errors + end->rx.m_len_errors, 0);
	}
	for (i = 0; i < 2; i++)
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
			test_pair_send(pair, i, vc, 2000);
	test_pair_run(pair, 100);
	KUNIT_EXPECT_TRUE(test, test_pair_idle(pair));
	KUNIT_EXPECT_EQ(test, pair->end[0].arrived, 4);
	KUNIT_EXPECT_EQ(test, pair->end[1].arrived, 4);
}

/* Completely framed but not acknowledged: sent, and perhaps lost */
static void test_reset_before_ack(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);

	test_pair_bring_up(pair);
	test_pair_run(pair, 10);
	pair->line.lose = 65536;
	test_pair_send(pair, 0, 1, 100);
	test_pair_send(pair, 0, 1, 100);
	test_pair_run(pair, 1);
	h64_link_restart(&pair->end[0].link, pair->now);
	KUNIT_EXPECT_EQ(test, pair->end[0].tx.unacked, 2);
	KUNIT_EXPECT_EQ(test, pair->end[0].tx.vc[1].stats.messages, 2);
	KUNIT_EXPECT_EQ(test, pair->end[0].tx.lost, 0);
	KUNIT_EXPECT_EQ(test, pair->end[0].tx.discarded, 0);
	__skb_queue_purge(&pair->end[1].expected[1]);
}

static u64 test_sum_messages(const struct test_end *end, bool tx)
{
	u64 sum = 0;
	unsigned int vc;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		sum += tx ? end->tx.vc[vc].stats.messages : end->rx.vc[vc].stats.messages;
	return sum;
}

/* Each queued Message is counted once, however often the link drops */
static void test_reset_counts(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	const struct test_end *from = &pair->end[0], *to = &pair->end[1];
	unsigned int i, vc, sent = 0;
	u64 framed, arrived;

	prandom_seed_state(&pair->rnd, test_seed(test));
	for (i = 0; i < 30; i++) {
		test_pair_bring_up(pair);
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++, sent += 2) {
			test_pair_send(pair, 0, vc, prandom_u32_state(&pair->rnd) % 5000);
			test_pair_send(pair, 0, vc, prandom_u32_state(&pair->rnd) % 5000);
		}
		test_pair_run(pair, prandom_u32_state(&pair->rnd) % 8);
		h64_link_restart(&pair->end[i % 2].link, pair->now);
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
			__skb_queue_purge(&pair->end[1].expected[vc]);
	}
	/* The other end learns of the last drop */
	test_pair_run(pair, 10);
	framed = test_sum_messages(from, true);
	arrived = test_sum_messages(to, false);
	KUNIT_EXPECT_EQ(test, framed + from->tx.lost + from->tx.discarded, sent);
	KUNIT_EXPECT_LE(test, arrived, framed);
	KUNIT_EXPECT_GE(test, arrived + from->tx.unacked, framed);
	KUNIT_EXPECT_GT(test, from->tx.unacked, 0);
	KUNIT_EXPECT_GT(test, from->tx.lost, 0);
	KUNIT_EXPECT_GT(test, from->tx.discarded, 0);
	KUNIT_EXPECT_GT(test, to->rx.lost, 0);
}

/* A cable that is unplugged for a while, without a change of SIGNAL */
static void test_silence(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);

	test_pair_bring_up(pair);
	pair->line.lose = 65536;
	test_pair_run(pair, 3000);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.activity_losses, 1);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.stats.activity_losses, 1);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.state, H64_RESET_SENT);
	pair->line.lose = 0;
	test_pair_run(pair, 200);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.state, H64_UP);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.state, H64_UP);
}

/* An idle link loses three keepalive Nulls */
static void test_lost_keepalives(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i;

	test_pair_bring_up(pair);
	for (i = 0; i < 10; i++) {
		test_pair_run(pair, 1000 + 37 * i);
		pair->line.lose = 65536;
		test_pair_run(pair, 3 * TEST_ACTIVITY / H64_KEEPALIVE_DIV / TEST_MS);
		pair->line.lose = 0;
	}
	test_expect_clean(pair);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.go_backs, 0);
}

/* Far more than the ring holds, with many wraps of TSEQ */
static void test_long(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i;

	test_pair_bring_up(pair);
	for (i = 0; i < 20; i++)
		test_pair_send(pair, 0, 1, 60000);
	for (i = 0; i < TEST_LIMIT && !test_pair_idle(pair); i++)
		test_pair_step(pair);
	KUNIT_EXPECT_EQ(test, pair->end[1].arrived, 20);
	KUNIT_EXPECT_GT(test, pair->end[0].link.stats.tx_upkts, 20 * TEST_RING);
	test_expect_clean(pair);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_good_line),
	KUNIT_CASE_PARAM(test_bad_line, line_gen_params),
	KUNIT_CASE(test_repeatable),
	KUNIT_CASE(test_lost_last),
	KUNIT_CASE(test_reset_amid),
	KUNIT_CASE(test_reset_before_ack),
	KUNIT_CASE(test_reset_counts),
	KUNIT_CASE(test_silence),
	KUNIT_CASE(test_lost_keepalives),
	KUNIT_CASE(test_long),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_wire",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
