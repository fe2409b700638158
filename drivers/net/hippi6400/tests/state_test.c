// SPDX-License-Identifier: GPL-2.0
/*
 * The bring-up state machine: each state with each TYPE and with each timer.
 */

#include <kunit/test.h>

#include "pair.h"

#define NOW	(10 * TEST_MS)
/* Size of a table entry's sent[] */
#define NONE	0xff

/* Events that change a state or cause an answer; all others do neither */
static const struct {
	enum h64_link_state state;
	u8 type;
	enum h64_link_state next;
	u8 sent[3];
} transitions[] = {
	{ H64_DOWN, H64_TYPE_RESET, H64_DOWN, { H64_TYPE_RESET_ACK, NONE } },
	{ H64_HOLDOFF, H64_TYPE_RESET, H64_HOLDOFF, { H64_TYPE_RESET_ACK, NONE } },
	{ H64_RESET_SENT, H64_TYPE_RESET, H64_RESET_SENT, { H64_TYPE_RESET_ACK, NONE } },
	{ H64_RESET_SENT, H64_TYPE_RESET_ACK, H64_INIT_SENT, { H64_TYPE_INIT, NONE } },
	{ H64_INIT_SENT, H64_TYPE_RESET, H64_INIT_SENT,
		{ H64_TYPE_RESET_ACK, H64_TYPE_INIT, NONE } },
	{ H64_INIT_SENT, H64_TYPE_INIT, H64_INIT_SENT, { H64_TYPE_INIT_ACK, NONE } },
	/* Too soon after the last bring-up */
	{ H64_UP, H64_TYPE_RESET, H64_HOLDOFF, { H64_TYPE_RESET_ACK, H64_TYPE_RESET, NONE } },
	{ H64_UP, H64_TYPE_INIT, H64_UP, { H64_TYPE_INIT_ACK, NONE } },
};

static void test_transition(struct kunit *test, enum h64_link_state state, u8 type)
{
	enum h64_link_state next = state;
	struct test_end *end = test_end_alloc(test);
	const u8 *sent = (const u8 []){ NONE };
	unsigned int i;
	u64 ctrl;

	for (i = 0; i < ARRAY_SIZE(transitions); i++) {
		if (transitions[i].state != state || transitions[i].type != type)
			continue;
		next = transitions[i].next;
		sent = transitions[i].sent;
	}

	test_end_reach(test, end, state, NOW);
	KUNIT_EXPECT_EQ(test, test_end_control(end, type, NOW + 1), H64_RX_IGNORE);
	KUNIT_EXPECT_EQ_MSG(test, end->link.state, next, "%s, TYPE %u",
			    h64_link_state_name(state), type);
	for (i = 0; sent[i] != NONE; i++) {
		KUNIT_ASSERT_TRUE_MSG(test, test_end_sent(end, &ctrl), "%s, TYPE %u",
				      h64_link_state_name(state), type);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), sent[i]);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TSEQ, ctrl), H64_SEQ_NONE);
	}
	KUNIT_EXPECT_FALSE_MSG(test, test_end_sent(end, &ctrl), "%s, TYPE %u: sent more",
			       h64_link_state_name(state), type);

	KUNIT_EXPECT_EQ(test, end->link.stats.resets_rx,
			type == H64_TYPE_RESET && state != H64_OFF);
	KUNIT_EXPECT_EQ(test, end->link.stats.reserved_type,
			state != H64_OFF &&
			((type >= 5 && type <= 7) || type >= 12));
}

static void test_states_desc(const enum h64_link_state *state, char *desc)
{
	strscpy(desc, h64_link_state_name(*state), KUNIT_PARAM_DESC_SIZE);
}

static const enum h64_link_state states[] = {
	H64_OFF, H64_DOWN, H64_HOLDOFF, H64_RESET_SENT, H64_INIT_SENT, H64_UP,
};

KUNIT_ARRAY_PARAM(states, states, test_states_desc);

static void test_types(struct kunit *test)
{
	const enum h64_link_state *state = test->param_value;
	unsigned int type;

	for (type = 0; type < 16; type++)
		test_transition(test, *state, type);
}

static void test_signal(struct kunit *test)
{
	const enum h64_link_state *state = test->param_value;
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, *state, NOW);
	if (*state != H64_OFF && *state != H64_DOWN) {
		h64_link_signal(&end->link, false, NOW);
		KUNIT_EXPECT_EQ(test, end->link.state, H64_DOWN);
		test_end_expect_sent(test, end, 0);
		KUNIT_EXPECT_EQ(test, end->link.stats.signal_losses, *state == H64_UP);
		KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), H64_NEVER);
	}
	h64_link_signal(&end->link, true, NOW + TEST_HOLDOFF);
	if (*state == H64_OFF) {
		KUNIT_EXPECT_EQ(test, end->link.state, H64_OFF);
		test_end_expect_sent(test, end, 0);
		return;
	}
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
}

static void test_disable(struct kunit *test)
{
	const enum h64_link_state *state = test->param_value;
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, *state, NOW);
	h64_link_disable(&end->link);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_OFF);
	KUNIT_EXPECT_EQ(test, h64_link_deadline(&end->link), H64_NEVER);
	h64_link_tick(&end->link, NOW + TEST_ACTIVITY);
	h64_link_flush(&end->link, NOW + TEST_ACTIVITY);
	test_end_expect_sent(test, end, 0);
}

/* Nothing happens before the deadline; the expected action follows at the deadline */
static void test_timers(struct kunit *test)
{
	const enum h64_link_state *state = test->param_value;
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;
	u64 deadline;

	test_end_reach(test, end, *state, NOW);
	deadline = h64_link_deadline(link);
	if (deadline != H64_NEVER) {
		h64_link_tick(link, deadline - 1);
		test_end_expect_sent(test, end, 0);
	}
	h64_link_tick(link, deadline);

	switch (*state) {
	case H64_RESET_SENT:
		KUNIT_EXPECT_EQ(test, deadline, NOW + TEST_RETRY);
		KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);
		KUNIT_EXPECT_EQ(test, link->stats.resets_tx, 2);
		test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
		break;
	case H64_INIT_SENT:
		KUNIT_EXPECT_EQ(test, deadline, NOW + TEST_RETRY);
		KUNIT_EXPECT_EQ(test, link->state, H64_INIT_SENT);
		test_end_expect_sent(test, end, 1, H64_TYPE_INIT);
		break;
	case H64_HOLDOFF:
		KUNIT_EXPECT_EQ(test, deadline, NOW + TEST_HOLDOFF);
		KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);
		KUNIT_EXPECT_EQ(test, link->stats.holdoffs, 1);
		test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
		break;
	case H64_UP:
		KUNIT_EXPECT_EQ(test, deadline, NOW + TEST_ACTIVITY / H64_KEEPALIVE_DIV);
		KUNIT_EXPECT_EQ(test, link->state, H64_UP);
		test_end_expect_sent(test, end, 1, H64_TYPE_NULL);
		break;
	default:
		KUNIT_EXPECT_EQ(test, deadline, H64_NEVER);
		KUNIT_EXPECT_EQ(test, link->state, *state);
		test_end_expect_sent(test, end, 0);
		break;
	}
}

/* An answered Initialize is not enough: the far end has to send its own */
static void test_up_needs_both(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_INIT_SENT, NOW);
	test_end_control(end, H64_TYPE_INIT_ACK, NOW);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_INIT_SENT);
	test_end_expect_sent(test, end, 0);
	test_end_control(end, H64_TYPE_INIT, NOW);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_UP);
	test_end_expect_sent(test, end, 1, H64_TYPE_INIT_ACK);
	KUNIT_EXPECT_EQ(test, end->ups, 1);
	KUNIT_EXPECT_EQ(test, end->link.stats.inits, 1);
}

/* A Reset cancels the earlier steps of the bring-up */
static void test_reset_in_init(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_INIT_SENT, NOW);
	test_end_control(end, H64_TYPE_INIT_ACK, NOW);
	test_end_control(end, H64_TYPE_RESET, NOW);
	test_end_control(end, H64_TYPE_INIT, NOW);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_INIT_SENT);
	test_end_control(end, H64_TYPE_INIT_ACK, NOW);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_UP);
	test_end_expect_sent(test, end, 3, H64_TYPE_RESET_ACK, H64_TYPE_INIT, H64_TYPE_INIT_ACK);
}

/* A stray Reset_ACK: Initialize gets no answer, and the bring-up restarts */
static void test_init_limit(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	u64 ctrl, now = NOW;
	unsigned int i;

	test_end_reach(test, end, H64_INIT_SENT, now);
	for (i = 0; i < TEST_ACTIVITY / TEST_RETRY - 1; i++) {
		now = h64_link_deadline(&end->link);
		h64_link_tick(&end->link, now);
		KUNIT_ASSERT_EQ(test, end->link.state, H64_INIT_SENT);
	}
	while (test_end_sent(end, &ctrl))
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_INIT);
	h64_link_tick(&end->link, h64_link_deadline(&end->link));
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
}

/* Initialize after a sequenced micropacket: the ends disagree */
static void test_init_after_data(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	u8 data[H64_UPKT_DATA];
	struct h64_upkt upkt;
	u16 ecrc = H64_CRC_PRESET;
	u64 ctrl;

	test_end_reach(test, end, H64_UP, NOW);
	h64_upkt_encode_zero(&upkt, FIELD_PREP(H64_C_TYPE, H64_TYPE_CREDIT) |
			     FIELD_PREP(H64_C_CR, 1) | FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE));
	ctrl = h64_upkt_ctrl(&upkt);
	KUNIT_ASSERT_EQ(test, h64_upkt_decode(data, &upkt, ctrl, &ecrc, false), H64_GOOD);
	h64_link_rx(&end->link, ctrl, H64_GOOD, ecrc, NOW);
	KUNIT_EXPECT_EQ(test, end->link.dst.rseq, 0);
	test_end_control(end, H64_TYPE_INIT, NOW + TEST_HOLDOFF);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	KUNIT_EXPECT_EQ(test, end->link.dst.rseq, H64_SEQ_NONE);
	test_end_expect_sent(test, end, 1, H64_TYPE_RESET);
}

static void test_reset_when_long_up(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	unsigned int drops;

	test_end_reach(test, end, H64_UP, NOW);
	drops = end->drops;
	test_end_control(end, H64_TYPE_RESET, NOW + TEST_HOLDOFF);
	KUNIT_EXPECT_EQ(test, end->link.state, H64_RESET_SENT);
	KUNIT_EXPECT_EQ(test, end->link.stats.holdoffs, 0);
	KUNIT_EXPECT_EQ(test, end->drops, drops + 1);
	test_end_expect_sent(test, end, 2, H64_TYPE_RESET_ACK, H64_TYPE_RESET);
}

/* In steps, as timers run */
static void test_ticks(struct h64_link *link, u64 from, u64 to)
{
	for (; from < to; from += 10 * TEST_MS)
		h64_link_tick(link, from);
	h64_link_tick(link, to);
}

static void test_activity(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;

	test_end_reach(test, end, H64_UP, NOW);
	/* Anything with a good LCRC is activity */
	test_end_control(end, H64_TYPE_NULL, NOW + TEST_MS);
	test_ticks(link, NOW, NOW + TEST_ACTIVITY);
	KUNIT_EXPECT_EQ(test, link->state, H64_UP);
	/* A wrong one is not */
	h64_link_rx(link, 0, H64_BAD_LCRC, 0, NOW + TEST_ACTIVITY);
	h64_link_tick(link, NOW + TEST_MS + TEST_ACTIVITY);
	KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);
	KUNIT_EXPECT_EQ(test, link->stats.activity_losses, 1);
	KUNIT_EXPECT_EQ(test, link->stats.lcrc_errors, 1);
}

/* An end that was suspended cannot detect silence */
static void test_activity_slept(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_link *link = &end->link;
	u64 now = NOW + 10 * TEST_ACTIVITY;

	test_end_reach(test, end, H64_UP, NOW);
	h64_link_tick(link, now);
	KUNIT_EXPECT_EQ(test, link->state, H64_UP);
	test_ticks(link, now, now + TEST_ACTIVITY / 2 - 1);
	KUNIT_EXPECT_EQ(test, link->state, H64_UP);
	h64_link_tick(link, now + TEST_ACTIVITY / 2);
	KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);
	KUNIT_EXPECT_EQ(test, link->stats.activity_losses, 1);
}

static void test_holdoff(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	struct h64_link *link = &pair->end[0].link;
	u64 up_at;
	unsigned int i;

	test_pair_bring_up(pair);
	for (i = 0; i < 5; i++) {
		up_at = link->up_at;
		h64_link_restart(link, pair->now);
		test_pair_bring_up(pair);
		KUNIT_EXPECT_GE(test, link->up_at, up_at + TEST_HOLDOFF);
		KUNIT_EXPECT_LE(test, link->up_at, up_at + TEST_HOLDOFF + TEST_RETRY);
	}
	KUNIT_EXPECT_EQ(test, link->stats.inits, 6);
	KUNIT_EXPECT_EQ(test, link->stats.holdoffs, 5);
}

/* As for a port that is set down and up, resized, tested or reset */
static void test_holdoff_anew(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	struct h64_link *link = &pair->end[0].link;
	u64 up_at;
	unsigned int i;

	test_pair_bring_up(pair);
	for (i = 1; i <= 5; i++) {
		up_at = link->up_at;
		h64_link_disable(link);
		h64_link_init(link, link->ops, &link->times);
		test_pair_step(pair);
		test_pair_bring_up(pair);
		KUNIT_EXPECT_GE(test, link->up_at, up_at + TEST_HOLDOFF);
		KUNIT_EXPECT_LE(test, link->up_at, up_at + TEST_HOLDOFF + TEST_RETRY);
		KUNIT_EXPECT_EQ(test, link->stats.holdoffs, i);
	}
	/* No hold-off after a sufficient time */
	test_pair_run(pair, TEST_HOLDOFF / TEST_MS);
	up_at = pair->now;
	h64_link_disable(link);
	h64_link_init(link, link->ops, &link->times);
	test_pair_bring_up(pair);
	KUNIT_EXPECT_LE(test, link->up_at, up_at + TEST_RETRY);
	KUNIT_EXPECT_EQ(test, link->stats.holdoffs, 5);
}

static void test_bring_up_quick(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);

	test_pair_bring_up(pair);
	/* No step waits for a timer on a good line */
	KUNIT_EXPECT_LT(test, pair->now, TEST_RETRY);
	KUNIT_EXPECT_EQ(test, pair->end[0].ups, 1);
	KUNIT_EXPECT_EQ(test, pair->end[1].ups, 1);
	test_pair_run(pair, 5000);
	KUNIT_EXPECT_EQ(test, pair->end[0].link.stats.inits, 1);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.stats.inits, 1);
}

/* One end is late, or restarts unnoticed by the other */
static void test_bring_up_late(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	struct h64_link *link = &pair->end[0].link;

	h64_link_signal(link, true, pair->now);
	h64_link_enable(link, pair->now);
	test_pair_run(pair, 3000);
	KUNIT_EXPECT_EQ(test, link->state, H64_RESET_SENT);
	test_pair_bring_up(pair);

	h64_link_disable(link);
	test_pair_run(pair, 1);
	h64_link_enable(link, pair->now);
	test_pair_run(pair, 2);
	test_pair_bring_up(pair);
	KUNIT_EXPECT_EQ(test, pair->end[1].link.stats.inits, 2);
}

static void test_bring_up_lossy(struct kunit *test)
{
	struct test_pair *pair = test_pair_alloc(test);
	unsigned int i;

	prandom_seed_state(&pair->rnd, test_seed(test));
	pair->line.lose = 65536 / 3;
	pair->line.damage = 65536 / 10;
	pair->line.twice = 65536 / 10;
	for (i = 0; i < 20; i++) {
		test_pair_bring_up(pair);
		pair->now += TEST_HOLDOFF;
		h64_link_restart(&pair->end[i % 2].link, pair->now);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_PARAM(test_types, states_gen_params),
	KUNIT_CASE_PARAM(test_signal, states_gen_params),
	KUNIT_CASE_PARAM(test_disable, states_gen_params),
	KUNIT_CASE_PARAM(test_timers, states_gen_params),
	KUNIT_CASE(test_up_needs_both),
	KUNIT_CASE(test_reset_in_init),
	KUNIT_CASE(test_init_limit),
	KUNIT_CASE(test_init_after_data),
	KUNIT_CASE(test_reset_when_long_up),
	KUNIT_CASE(test_activity),
	KUNIT_CASE(test_activity_slept),
	KUNIT_CASE(test_holdoff),
	KUNIT_CASE(test_holdoff_anew),
	KUNIT_CASE(test_bring_up_quick),
	KUNIT_CASE(test_bring_up_late),
	KUNIT_CASE(test_bring_up_lossy),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_state",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
