/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch with an end at each port, without a device, for the tests.
 */
#ifndef _HIPPI6400_TEST_NET_H
#define _HIPPI6400_TEST_NET_H

#include "emu/fabric/switch.h"
#include "pair.h"

#define TEST_PORTS	4

/**
 * struct test_net - a switch and the ends cabled to it
 * @test: the test
 * @sw: the switch
 * @sport: its ports
 * @end: the ends
 * @expected: expected Messages, by destination, source and VC
 * @missing: their number
 * @arrived: Messages that arrived as expected
 * @deaf: ports whose end grants no credit at present, by VC
 * @hidden: credit that such an end withholds
 * @cut: ports whose line is cut
 * @bad_in: ports whose line loses sequenced micropackets to the switch
 * @bad_out: ports whose line loses sequenced micropackets from the switch
 * @lose: micropackets lost on each line, in 65536
 * @rnd: random state
 * @now: the time
 */
struct test_net {
	struct kunit *test;
	struct emu_switch *sw;
	struct emu_sport *sport[TEST_PORTS];
	struct test_end *end[TEST_PORTS];
	struct sk_buff_head expected[TEST_PORTS][TEST_PORTS][HIPPI6400_NUM_VCS];
	unsigned int missing;
	unsigned int arrived;
	unsigned long deaf[HIPPI6400_NUM_VCS];
	u32 hidden[TEST_PORTS][HIPPI6400_NUM_VCS];
	unsigned long cut;
	unsigned long bad_in;
	unsigned long bad_out;
	u32 lose;
	struct rnd_state rnd;
	u64 now;
};

struct test_net *test_net_alloc(struct kunit *test);
void test_net_ula(u8 *ula, unsigned int port);
void test_net_send(struct test_net *net, unsigned int from, const u8 *to, unsigned int vc,
		   u32 payload, unsigned long where);
void test_net_send_to(struct test_net *net, unsigned int from, unsigned int to, unsigned int vc,
		      u32 payload);
void test_net_raw(struct test_net *net, unsigned int from, const u8 *to, u64 ctrl, u16 *ecrc);
unsigned int test_net_patience(const struct test_net *net);
void test_net_expect_clean(struct test_net *net);
void test_net_step(struct test_net *net);
void test_net_run(struct test_net *net, unsigned int steps);
void test_net_settle(struct test_net *net);
void test_net_learn(struct test_net *net);
void test_net_listen(struct test_net *net, unsigned int port, unsigned int vc);
void test_net_forget(struct test_net *net);

#endif
