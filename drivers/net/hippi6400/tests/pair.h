/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links without a device for the tests: one end whose peer is the test, and two
 * ends back to back over a line that loses, damages and duplicates.
 */
#ifndef _HIPPI6400_TEST_PAIR_H
#define _HIPPI6400_TEST_PAIR_H

#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>

#include "link/link.h"
#include "msg.h"

#define TEST_RING	1024
#define TEST_MS		1000000ULL

#define TEST_RETRY	(100 * TEST_MS)
#define TEST_ACK	(20 * TEST_MS)
#define TEST_ACTIVITY	(2000 * TEST_MS)
#define TEST_HOLDOFF	(500 * TEST_MS)

/**
 * struct test_end - one end of a link
 * @link: the link
 * @tx: sending side
 * @rx: receiving side
 * @seen: TX ring index up to which the test has checked
 * @ups: times the link came up
 * @drops: times its state was dropped
 * @loops: number of loop-backs that ended
 * @loop_err: result of the last one
 * @in: Messages that arrived and are not checked yet
 * @placed: placed Messages that arrived, for the test to check
 * @expected: Messages expected here, by VC
 * @arrived: Messages that arrived as expected
 */
struct test_end {
	struct h64_link link;
	struct h64_msg_tx tx;
	struct h64_msg_rx rx;
	u32 seen;
	unsigned int ups;
	unsigned int drops;
	unsigned int loops;
	int loop_err;
	struct sk_buff_head in;
	struct sk_buff_head placed;
	struct sk_buff_head expected[HIPPI6400_NUM_VCS];
	unsigned int arrived;
};

/**
 * struct test_line - faults of the line, in 1/65536 of all micropackets
 * @lose: not carried at all
 * @damage: carried with one bit inverted
 * @twice: carried twice
 */
struct test_line {
	u32 lose;
	u32 damage;
	u32 twice;
};

/**
 * struct test_pair - two ends back to back
 * @test: the test
 * @end: the ends
 * @line: the line, in both directions
 * @drop: number of the next sequenced micropackets of @end[0] that are lost
 * @rnd: random state
 * @now: the time
 */
struct test_pair {
	struct kunit *test;
	struct test_end end[2];
	struct test_line line;
	unsigned int drop;
	struct rnd_state rnd;
	u64 now;
};

struct test_end *test_end_alloc(struct kunit *test);
void test_end_reach(struct kunit *test, struct test_end *end, enum h64_link_state state, u64 now);
void test_upkt(struct h64_upkt *upkt, u64 ctrl, const void *data, u16 *ecrc);
struct sk_buff *test_end_rx(struct test_end *end, const struct h64_upkt *upkt, u64 now);
enum h64_rx_action test_end_control(struct test_end *end, u8 type, u64 now);
bool test_end_sent(struct test_end *end, u64 *ctrl);
void test_end_expect_sent(struct kunit *test, struct test_end *end, unsigned int count, ...);
void test_end_purge(struct test_end *end);

struct sk_buff *test_frame(struct kunit *test, u32 payload, struct rnd_state *rnd);
struct sk_buff *test_frame_frags(struct kunit *test, const struct sk_buff *from,
				 struct rnd_state *rnd);
void test_expect_frame(struct kunit *test, const struct sk_buff *expected,
		       const struct sk_buff *skb);

u64 test_seed(struct kunit *test);
struct test_pair *test_pair_alloc(struct kunit *test);
void test_pair_send(struct test_pair *pair, unsigned int from, unsigned int vc, u32 payload);
void test_pair_step(struct test_pair *pair);
void test_pair_run(struct test_pair *pair, unsigned int steps);
bool test_pair_idle(const struct test_pair *pair);
void test_pair_bring_up(struct test_pair *pair);

#endif
