// SPDX-License-Identifier: GPL-2.0
/*
 * The switch when ends, lines or Messages fail: the failing one is cut off, and
 * no other is affected.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>

#include "net.h"

#define HEADER	FIELD_PREP(H64_C_TYPE, H64_TYPE_HEADER)
#define DATA	FIELD_PREP(H64_C_TYPE, H64_TYPE_DATA)
#define ON_VC0	FIELD_PREP(H64_C_VC, 0)
#define ON_VC1	FIELD_PREP(H64_C_VC, 1)

static const u8 everybody[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

/* An incomplete Message on VC1: a Header and some Data */
static void test_begin(struct test_net *net, unsigned int from, unsigned int to, u16 *ecrc)
{
	u8 ula[ETH_ALEN];
	unsigned int i;

	test_net_ula(ula, to);
	*ecrc = H64_CRC_PRESET;
	test_net_raw(net, from, ula, HEADER | ON_VC1, ecrc);
	for (i = 0; i < 5; i++)
		test_net_raw(net, from, ula, DATA | ON_VC1, ecrc);
	test_net_run(net, 10);
}

/* The link of the sender goes down in the middle of a Message */
static void test_input_reset(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u16 ecrc;

	test_net_learn(net);
	test_begin(net, 0, 1, &ecrc);
	KUNIT_EXPECT_EQ(test, net->sw->lane[1].busy, BIT(1));
	KUNIT_EXPECT_TRUE(test, net->end[1]->rx.vc[1].busy);
	net->cut = BIT(0);
	test_net_run(net, 10);
	KUNIT_EXPECT_FALSE(test, net->end[1]->rx.vc[1].busy);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_truncated, 1);
	KUNIT_EXPECT_EQ(test, net->sw->table.forgotten, 1);
	/* Others can use the output */
	test_net_send_to(net, 2, 1, 1, 1000);
	test_net_settle(net);
	net->cut = 0;
	test_net_run(net, 1000);
	test_net_send_to(net, 0, 1, 1, 1000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

/* The same before any part of the Message could leave */
static void test_input_reset_early(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int held;
	u16 ecrc, other;

	test_net_learn(net);
	/* Port 2 has the output, so the Message of port 0 waits */
	test_begin(net, 2, 1, &other);
	test_begin(net, 0, 1, &ecrc);
	KUNIT_EXPECT_EQ(test, net->sport[0]->in[1].state, EMU_WAITING);
	held = net->sport[0]->in[1].count;
	KUNIT_EXPECT_EQ(test, held, 6);
	net->cut = BIT(0);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, net->sport[0]->in[1].state, EMU_IDLE);
	KUNIT_EXPECT_EQ(test, net->sport[0]->in[1].count, 0);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_lost, 1);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_truncated, 0);
	net->cut = 0;
	test_net_raw(net, 2, everybody, DATA | H64_C_TAIL | H64_C_ERROR | ON_VC1, &other);
	test_net_run(net, 1000);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	test_net_expect_clean(net);
}

/* Complete Messages are forwarded, whatever happens to their sender */
static void test_input_reset_late(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int i;

	test_net_learn(net);
	net->deaf[1] = BIT(1);
	/*
	 * The end's 504 credits, less those that learning took, and some Messages that wait in the
	 * switch
	 */
	for (i = 0; i < 14; i++)
		test_net_send_to(net, 0, 1, 1, 1900);
	test_net_run(net, 50);
	KUNIT_EXPECT_EQ(test, net->end[0]->link.src.count, 0);
	KUNIT_EXPECT_GT(test, net->sport[0]->in[1].count, 300);
	net->cut = BIT(0);
	test_net_run(net, 10);
	net->cut = 0;
	test_net_run(net, 1000);
	KUNIT_EXPECT_EQ(test, net->sport[0]->link.state, H64_UP);
	/* No more credit is granted than there is room */
	KUNIT_EXPECT_EQ(test, net->sport[0]->link.credit[1].room +
			net->sport[0]->link.credit[1].out + net->sport[0]->in[1].count,
			H64_CREDIT_POOL);
	test_net_listen(net, 1, 1);
	test_net_settle(net);
	test_net_expect_clean(net);
}

/* The link of a receiver goes down in the middle of a Message */
static void test_output_down(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u16 ecrc;

	test_net_learn(net);
	test_begin(net, 0, 1, &ecrc);
	net->cut = BIT(1);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_cut, 1);
	KUNIT_EXPECT_EQ(test, net->sport[0]->in[1].state, EMU_SKIPPING);
	/* The sender can end the Message, and send another one */
	test_net_raw(net, 0, everybody, DATA | H64_C_TAIL | ON_VC1, &ecrc);
	test_net_send_to(net, 0, 2, 1, 60000);
	test_net_settle(net);
	/* The address behind the port that is down is unknown now */
	net->cut = 0;
	test_net_run(net, 1000);
	test_net_send_to(net, 1, 0, 1, 60000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

/* One of the receivers of a flooded Message goes down */
static void test_flood_down(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);

	test_net_learn(net);
	net->deaf[1] = BIT(2);
	test_net_send(net, 0, everybody, 1, 60000, BIT(1) | BIT(3));
	test_net_run(net, 100);
	KUNIT_EXPECT_EQ(test, net->missing, 2);
	net->cut = BIT(2);
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[2]->stats.tx_cut, 1);
	net->cut = 0;
	test_net_run(net, 1000);
	test_net_listen(net, 2, 1);
	test_net_expect_clean(net);
}

/* A receiver stalls in the middle of a Message */
static void test_output_stall(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u8 ula[ETH_ALEN];

	test_net_learn(net);
	net->deaf[1] = BIT(1);
	test_net_ula(ula, 1);
	test_net_send(net, 0, ula, 1, 60000, 0);
	test_net_send_to(net, 0, 2, 1, 1000);
	test_net_run(net, test_net_patience(net) - 100);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 0);
	KUNIT_EXPECT_EQ(test, net->missing, 1);
	test_net_run(net, 200);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 1);
	test_net_settle(net);

	/* Messages for it are now discarded immediately */
	test_net_send(net, 0, ula, 1, 60000, 0);
	test_net_send_to(net, 0, 2, 1, 1000);
	test_net_run(net, 100);
	KUNIT_EXPECT_EQ(test, net->missing, 0);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stall_drops, 1);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 1);

	/* It accepts again: the end of the first Message, then new ones */
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 0);
	test_net_listen(net, 1, 1);
	test_net_run(net, 100);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	test_net_send_to(net, 0, 1, 1, 60000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

/*
 * Between two Messages there is nothing to end; a flooded Message continues without the
 * stalled port
 */
static void test_output_stall_between(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int i;

	net->deaf[1] = BIT(1);
	test_net_learn(net);
	/* Learning took 7 of 504 credits: take the rest */
	for (i = 0; net->end[1]->link.credit[1].out; i++) {
		test_net_send_to(net, 0, 1, 1, 8);
		test_net_settle(net);
		KUNIT_ASSERT_LT(test, i, H64_CREDIT_POOL);
	}
	test_net_send(net, 0, everybody, 1, 1000, BIT(2) | BIT(3));
	test_net_run(net, test_net_patience(net) - 100);
	KUNIT_EXPECT_EQ(test, net->missing, 2);
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 1);
	test_net_send(net, 2, everybody, 1, 1000, BIT(0) | BIT(3));
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stall_drops, 1);
	test_net_listen(net, 1, 1);
	test_net_run(net, 10);
	test_net_send(net, 2, everybody, 1, 1000, BIT(0) | BIT(1) | BIT(3));
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 0);
	test_net_expect_clean(net);
}

/* Time in which the switch did not run does not count */
static void test_output_clock(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int i;

	test_net_learn(net);
	net->deaf[1] = BIT(1);
	test_net_send_to(net, 0, 1, 1, 60000);
	for (i = 0; i < 10; i++) {
		test_net_run(net, 10);
		net->now += TEST_ACTIVITY / 3;
	}
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 0);
	test_net_listen(net, 1, 1);
	test_net_settle(net);
}

/* A sender stops in the middle of a Message */
static void test_input_starves(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u16 ecrc;

	test_net_learn(net);
	test_begin(net, 0, 1, &ecrc);
	test_net_send_to(net, 2, 1, 1, 1000);
	test_net_run(net, test_net_patience(net) - 100);
	KUNIT_EXPECT_EQ(test, net->missing, 1);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_starved, 0);
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_starved, 1);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	/* The rest of it arrives nevertheless */
	test_net_raw(net, 0, everybody, DATA | ON_VC1, &ecrc);
	test_net_raw(net, 0, everybody, DATA | H64_C_TAIL | ON_VC1, &ecrc);
	test_net_send_to(net, 0, 1, 1, 1000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

static void test_malformed(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	const struct emu_sport_stats *stats;
	u8 ula[ETH_ALEN];
	unsigned int i;
	u16 ecrc;

	test_net_learn(net);
	test_net_ula(ula, 1);
	stats = &net->sport[0]->stats;

	/* Data without a Header is not forwarded, with TAIL or without */
	ecrc = H64_CRC_PRESET;
	test_net_raw(net, 0, ula, DATA | ON_VC1, &ecrc);
	test_net_raw(net, 0, ula, DATA | H64_C_TAIL | ON_VC1, &ecrc);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, stats->rx_data_without_header, 2);

	/* A Header in the middle ends the Message before it */
	test_begin(net, 0, 1, &ecrc);
	test_net_send_to(net, 0, 1, 1, 1000);
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, stats->rx_header_without_tail, 1);
	KUNIT_EXPECT_EQ(test, stats->rx_truncated, 1);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);

	/* As long as VC0 allows, and one micropacket longer */
	ecrc = H64_CRC_PRESET;
	test_net_raw(net, 0, ula, HEADER | ON_VC0, &ecrc);
	for (i = 1; i < H64_VC0_LIMIT; i++)
		test_net_raw(net, 0, ula, DATA | ON_VC0, &ecrc);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, stats->rx_over_limit, 0);
	test_net_raw(net, 0, ula, DATA | ON_VC0, &ecrc);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, stats->rx_over_limit, 1);
	KUNIT_EXPECT_FALSE(test, net->end[1]->rx.vc[0].busy);
	test_net_raw(net, 0, ula, DATA | H64_C_TAIL | ON_VC0, &ecrc);
	test_net_send_to(net, 0, 1, 0, 1000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

/* ECRC is end to end: a wrong one is forwarded and counted */
static void test_wrong_ecrc(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u8 ula[ETH_ALEN];
	u16 ecrc;

	test_net_learn(net);
	test_net_ula(ula, 1);
	ecrc = 0x1234;
	test_net_raw(net, 0, ula, HEADER | ON_VC1, &ecrc);
	test_net_raw(net, 0, ula, DATA | H64_C_TAIL | ON_VC1, &ecrc);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_ecrc_errors, 1);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.ecrc_errors, 1);
	net->end[1]->rx.ecrc_errors = 0;
	test_net_expect_clean(net);
}

/* A Message that its sender marked with ERROR arrives unchanged */
static void test_error_bit(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u16 ecrc;

	test_net_learn(net);
	test_begin(net, 0, 1, &ecrc);
	test_net_raw(net, 0, everybody, DATA | H64_C_TAIL | H64_C_ERROR | ON_VC1, &ecrc);
	test_net_run(net, 10);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_truncated, 0);
	test_net_expect_clean(net);
}

/* A port is removed from the switch with Messages in all states */
static void test_detach(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	struct emu_sport *gone;
	u16 ecrc, other;

	test_net_learn(net);
	test_begin(net, 0, 1, &ecrc);
	test_begin(net, 3, 0, &other);
	net->deaf[2] = BIT(2);
	test_net_send_to(net, 0, 2, 2, 60000);
	test_net_run(net, 100);
	test_net_forget(net);
	gone = net->sport[0];
	emu_switch_detach(gone);
	/* Nothing of the switch points to it any more */
	memset(gone, 0xff, sizeof(*gone));
	net->cut = BIT(0);
	test_net_listen(net, 2, 2);
	test_net_run(net, 200);
	KUNIT_EXPECT_EQ(test, net->end[1]->rx.error_marked, 1);
	KUNIT_EXPECT_EQ(test, net->end[2]->rx.error_marked, 1);
	test_net_raw(net, 3, everybody, DATA | H64_C_TAIL | ON_VC1, &other);
	test_net_send_to(net, 2, 1, 1, 1000);
	test_net_send_to(net, 3, 1, 1, 1000);
	test_net_settle(net);
	test_net_expect_clean(net);
}

static struct kunit_case stall_cases[] = {
	KUNIT_CASE(test_input_reset),
	KUNIT_CASE(test_input_reset_early),
	KUNIT_CASE(test_input_reset_late),
	KUNIT_CASE(test_output_down),
	KUNIT_CASE(test_flood_down),
	KUNIT_CASE(test_output_stall),
	KUNIT_CASE(test_output_stall_between),
	KUNIT_CASE(test_output_clock),
	KUNIT_CASE(test_input_starves),
	KUNIT_CASE(test_malformed),
	KUNIT_CASE(test_wrong_ecrc),
	KUNIT_CASE(test_error_bit),
	KUNIT_CASE(test_detach),
	{}
};

static struct kunit_suite stall_suite = {
	.name = "hippi6400_emu_stall",
	.test_cases = stall_cases,
};

kunit_test_suite(stall_suite);
