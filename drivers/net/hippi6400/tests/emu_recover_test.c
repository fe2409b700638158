// SPDX-License-Identifier: GPL-2.0
/*
 * The switch with a line that is bad for as long as its link can recover:
 * nothing that the link finally delivers may be missing.
 */

#include <kunit/test.h>

#include "net.h"

#define SENDER		0
#define RECEIVER	1
/* The last go-back before the reset: (1 + 2 + 4 + 8 + 12 * 16) ACK timeouts after the first try */
#define LAST_GO_BACK	(207 * TEST_ACK / TEST_MS)
/* The reset itself: 16 ACK timeouts later */
#define RESET		(223 * TEST_ACK / TEST_MS)

/**
 * struct test_outage - a line that loses all sequenced micropackets
 * @what: description
 * @in: ports whose micropackets to the switch are lost
 * @out: ports whose micropackets from the switch are lost
 */
struct test_outage {
	const char *what;
	unsigned long in;
	unsigned long out;
};

static const struct test_outage outages[] = {
	{ "data towards the receiver", 0, BIT(RECEIVER) },
	{ "data from the sender", BIT(SENDER), 0 },
	{ "credit from the receiver", BIT(RECEIVER), 0 },
	{ "credit for the sender", 0, BIT(SENDER) },
	{ "everything at the receiver", BIT(RECEIVER), BIT(RECEIVER) },
	{ "everything at the sender", BIT(SENDER), BIT(SENDER) },
};

static void test_outage_desc(const struct test_outage *outage, char *desc)
{
	strscpy(desc, outage->what, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(outage, outages, test_outage_desc);

/* Enough to use up window and credit */
static void test_busy(struct test_net *net)
{
	unsigned int i, vc;

	for (i = 0; i < 4; i++) {
		test_net_send_to(net, SENDER, RECEIVER, 0, 2000);
		for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
			test_net_send_to(net, SENDER, RECEIVER, vc, 60000);
	}
	/* In the middle of the outage */
	test_net_run(net, 5);
	KUNIT_ASSERT_GT(net->test, net->missing, 0);
}

static void test_hold(struct test_net *net, unsigned long in, unsigned long out,
		      unsigned int steps)
{
	net->bad_in = in;
	net->bad_out = out;
	test_net_run(net, steps);
	net->bad_in = 0;
	net->bad_out = 0;
}

/* The switch gave up nothing, and no link was reset */
static void test_expect_patient(struct test_net *net)
{
	struct kunit *test = net->test;
	unsigned int port;

	for (port = 0; port < TEST_PORTS; port++) {
		const struct emu_sport *sport = net->sport[port];

		KUNIT_EXPECT_EQ(test, sport->stats.tx_stalls, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.tx_stall_drops, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.rx_starved, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.rx_truncated, 0);
		KUNIT_EXPECT_EQ(test, sport->link.stats.inits, 1);
		KUNIT_EXPECT_EQ(test, net->end[port]->rx.error_marked, 0);
	}
}

static void test_outage_ends(struct kunit *test)
{
	static const unsigned int lengths[] = { 1500, 2500, LAST_GO_BACK - 20 };
	const struct test_outage *outage = test->param_value;
	struct test_net *net = test_net_alloc(test);
	unsigned int i;

	test_net_learn(net);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		test_busy(net);
		test_hold(net, outage->in, outage->out, lengths[i]);
		KUNIT_EXPECT_GT(test, net->missing, 0);
		test_net_settle(net);
	}
	test_expect_patient(net);
	test_net_expect_clean(net);
}

/* Credit for the sender is lost, and then the data that it sends with this credit */
static void test_sender_twice(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);

	test_net_learn(net);
	test_busy(net);
	/* One go-back earlier, as the lost data carries the ACK, which has to be repeated */
	test_hold(net, 0, BIT(SENDER), LAST_GO_BACK - 20 * TEST_ACK / TEST_MS);
	/* The rest of the wait, after which the credit arrives */
	while (!net->end[SENDER]->link.credit[1].avail)
		test_net_step(net);
	test_hold(net, BIT(SENDER), 0, LAST_GO_BACK - 20);
	test_net_settle(net);
	test_expect_patient(net);
	test_net_expect_clean(net);
}

/* Data for the receiver is lost, and then the credit that the receiver grants for it */
static void test_receiver_twice(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	struct h64_link *link = &net->sport[RECEIVER]->link;

	test_net_learn(net);
	/* All credit of VC1 is used with less than a window in flight */
	net->deaf[1] = BIT(RECEIVER);
	test_net_send_to(net, SENDER, RECEIVER, 1, 300 * 32);
	test_net_settle(net);
	test_net_send_to(net, SENDER, RECEIVER, 1, 60000);
	net->bad_out = BIT(RECEIVER);
	test_net_run(net, LAST_GO_BACK - 20);
	KUNIT_EXPECT_EQ(test, link->credit[1].avail, 0);
	KUNIT_EXPECT_GT(test, link->src.count, 0);
	net->bad_out = 0;
	while (link->src.count)
		test_net_step(net);
	net->bad_in = BIT(RECEIVER);
	test_net_listen(net, RECEIVER, 1);
	test_net_run(net, LAST_GO_BACK - 20);
	KUNIT_EXPECT_EQ(test, link->credit[1].avail, 0);
	net->bad_in = 0;
	test_net_settle(net);
	test_expect_patient(net);
	test_net_expect_clean(net);
}

/* A longer outage resets the link, and all losses are counted */
static void test_outage_lasts(struct kunit *test)
{
	const struct test_outage *outage = test->param_value;
	struct test_net *net = test_net_alloc(test);
	u64 limits = 0, inits = 0;
	unsigned int port;

	test_net_learn(net);
	test_busy(net);
	test_hold(net, outage->in, outage->out, RESET + 100);
	test_net_forget(net);
	for (port = 0; port < TEST_PORTS; port++) {
		const struct emu_sport *sport = net->sport[port];

		limits += sport->link.stats.retry_limits;
		limits += net->end[port]->link.stats.retry_limits;
		inits += sport->link.stats.inits - 1;
		KUNIT_EXPECT_EQ(test, sport->stats.tx_stalls, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.rx_starved, 0);
	}
	KUNIT_EXPECT_GE(test, limits, 1);
	KUNIT_EXPECT_EQ(test, inits, 1);
}

static struct kunit_case recover_cases[] = {
	KUNIT_CASE_PARAM(test_outage_ends, outage_gen_params),
	KUNIT_CASE(test_sender_twice),
	KUNIT_CASE(test_receiver_twice),
	KUNIT_CASE_PARAM(test_outage_lasts, outage_gen_params),
	{}
};

static struct kunit_suite recover_suite = {
	.name = "hippi6400_emu_recover",
	.test_cases = recover_cases,
};

kunit_test_suite(recover_suite);
