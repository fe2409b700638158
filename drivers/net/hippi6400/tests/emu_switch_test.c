// SPDX-License-Identifier: GPL-2.0
/*
 * The switch without failures: addresses, and Messages from port to port.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>

#include "net.h"

#define SECOND	(1000 * TEST_MS)

static const u8 everybody[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static struct emu_table *test_table(struct kunit *test)
{
	struct emu_table *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, table);
	emu_table_init(table, 0x12345678);
	return table;
}

static void test_address(u8 *ula, u32 number)
{
	const u8 base[ETH_ALEN] = { 2, 0, 0, 0, number >> 8, number };

	ether_addr_copy(ula, base);
}

static void test_table_learns(struct kunit *test)
{
	struct emu_table *table = test_table(test);
	u8 ula[ETH_ALEN];

	test_address(ula, 1);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0), -1);
	emu_table_learn(table, ula, 3, 0);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0), 3);
	emu_table_learn(table, ula, 3, 1);
	KUNIT_EXPECT_EQ(test, table->moved, 0);
	emu_table_learn(table, ula, 0, 2);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 2), 0);
	KUNIT_EXPECT_EQ(test, table->moved, 1);
	KUNIT_EXPECT_EQ(test, table->learned, 1);
	KUNIT_EXPECT_EQ(test, table->count, 1);

	/* Invalid source addresses are not learned */
	emu_table_learn(table, everybody, 1, 0);
	eth_zero_addr(ula);
	emu_table_learn(table, ula, 1, 0);
	KUNIT_EXPECT_EQ(test, table->count, 1);
}

static void test_table_ages(struct kunit *test)
{
	struct emu_table *table = test_table(test);
	const u64 last = EMU_AGE_SECS * SECOND;
	u8 a[ETH_ALEN], b[ETH_ALEN];

	test_address(a, 1);
	test_address(b, 2);
	emu_table_learn(table, a, 1, 0);
	emu_table_learn(table, b, 2, SECOND);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, a, last), 1);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, a, last + 1), -1);
	emu_table_age(table, last);
	KUNIT_EXPECT_EQ(test, table->count, 2);
	emu_table_age(table, last + 1);
	KUNIT_EXPECT_EQ(test, table->count, 1);
	KUNIT_EXPECT_EQ(test, table->aged, 1);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, b, last + 1), 2);
	/* A new Message resets the age */
	emu_table_learn(table, b, 2, last);
	emu_table_age(table, last + 2 * SECOND);
	KUNIT_EXPECT_EQ(test, table->count, 1);
}

static void test_table_bounded(struct kunit *test)
{
	struct emu_table *table = test_table(test);
	u8 ula[ETH_ALEN];
	u32 i;

	for (i = 0; i < EMU_TABLE_MAX + 10; i++) {
		test_address(ula, i);
		emu_table_learn(table, ula, i % 2, 0);
	}
	KUNIT_EXPECT_EQ(test, table->count, EMU_TABLE_MAX);
	KUNIT_EXPECT_EQ(test, table->full, 10);
	for (i = 0; i < EMU_TABLE_MAX + 10; i++) {
		test_address(ula, i);
		KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0),
				i < EMU_TABLE_MAX ? (int)i % 2 : -1);
	}
	/* A link that goes down drops its addresses, and frees their entries */
	emu_table_forget(table, 1);
	KUNIT_EXPECT_EQ(test, table->count, EMU_TABLE_MAX / 2);
	KUNIT_EXPECT_EQ(test, table->forgotten, EMU_TABLE_MAX / 2);
	test_address(ula, 1);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0), -1);
	emu_table_learn(table, ula, 5, 0);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0), 5);
	test_address(ula, 0);
	KUNIT_EXPECT_EQ(test, emu_table_find(table, ula, 0), 0);
}

/* Messages to unknown addresses are flooded; those to known ones go to one port */
static void test_switch_learns(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	u8 ula[ETH_ALEN];

	test_net_ula(ula, 2);
	test_net_send(net, 0, ula, 1, 1000, BIT(1) | BIT(2) | BIT(3));
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_flooded, 1);
	KUNIT_EXPECT_EQ(test, net->sw->table.count, 1);

	test_net_send_to(net, 2, 0, 1, 1000);
	test_net_settle(net);
	test_net_send_to(net, 0, 2, 1, 1000);
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[0]->stats.rx_flooded, 1);
	KUNIT_EXPECT_EQ(test, net->sport[2]->stats.rx_flooded, 0);
	KUNIT_EXPECT_EQ(test, net->sw->table.count, 2);
	KUNIT_EXPECT_EQ(test, net->sport[2]->stats.tx_messages, 2);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_messages, 1);
}

/* To all other ports, known or not, and never back */
static void test_switch_floods(struct kunit *test)
{
	const u8 group[ETH_ALEN] = { 0x33, 0x33, 0, 0, 0, 1 };
	struct test_net *net = test_net_alloc(test);
	u8 ula[ETH_ALEN];

	test_net_learn(net);
	test_net_send(net, 1, everybody, 0, 100, BIT(0) | BIT(2) | BIT(3));
	test_net_send(net, 2, group, 3, 65280, BIT(0) | BIT(1) | BIT(3));
	test_net_settle(net);
	KUNIT_EXPECT_EQ(test, net->sport[1]->stats.rx_flooded, 2);
	KUNIT_EXPECT_EQ(test, net->sport[2]->stats.rx_flooded, 2);

	/* Messages to an address behind the same port are filtered */
	test_net_ula(ula, 3);
	test_net_send(net, 3, ula, 1, 1000, 0);
	test_net_run(net, 100);
	KUNIT_EXPECT_EQ(test, net->sport[3]->stats.rx_filtered, 1);
	/* Its credit is returned: a Message that needs all of it arrives */
	test_net_send_to(net, 3, 0, 1, 65280);
	test_net_settle(net);
}

/* Random Messages between all ports, over lines with losses */
static void test_switch_random(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int i, from, to, vc;
	u32 payload;

	test_net_learn(net);
	net->lose = 20;
	for (i = 0; i < 400; i++) {
		from = prandom_u32_state(&net->rnd) % TEST_PORTS;
		to = prandom_u32_state(&net->rnd) % TEST_PORTS;
		vc = prandom_u32_state(&net->rnd) % HIPPI6400_NUM_VCS;
		payload = prandom_u32_state(&net->rnd) % (vc ? 20000 : 2000);
		/* To itself: to all */
		if (to == from)
			test_net_send(net, from, everybody, vc, payload,
				      GENMASK(TEST_PORTS - 1, 0) & ~BIT(from));
		else
			test_net_send_to(net, from, to, vc, payload);
		if (i % 8 == 0)
			test_net_step(net);
	}
	test_net_settle(net);
	for (i = 0; i < TEST_PORTS; i++) {
		const struct emu_sport *sport = net->sport[i];

		KUNIT_EXPECT_EQ(test, sport->stats.rx_ecrc_errors, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.rx_truncated, 0);
		KUNIT_EXPECT_EQ(test, sport->stats.tx_stalls, 0);
		KUNIT_EXPECT_EQ(test, sport->link.stats.no_credit, 0);
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
			KUNIT_EXPECT_EQ(test, sport->in[vc].state, EMU_IDLE);
			KUNIT_EXPECT_EQ(test, sport->link.credit[vc].room +
					sport->link.credit[vc].out, H64_CREDIT_POOL);
		}
	}
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].busy, 0);
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].waiters, 0);
	}
}

/* Inputs that need the same output on the same VC take turns, Message by Message */
static void test_switch_fair(struct kunit *test)
{
	struct test_net *net = test_net_alloc(test);
	unsigned int i, got[TEST_PORTS];

	test_net_learn(net);
	for (i = 0; i < 60; i++) {
		/* Those of port 1 are ten times as long, and port 2 floods */
		test_net_send_to(net, 0, 3, 1, 500);
		test_net_send_to(net, 1, 3, 1, 5000);
		test_net_send(net, 2, everybody, 1, 500, BIT(0) | BIT(1) | BIT(3));
	}
	while (net->expected[3][0][1].qlen > 30)
		test_net_step(net);
	for (i = 0; i < 3; i++) {
		got[i] = 60 - net->expected[3][i][1].qlen;
		KUNIT_EXPECT_GE_MSG(test, got[i], 30 - 2, "of port %u", i);
		KUNIT_EXPECT_LE_MSG(test, got[i], 30 + 2, "of port %u", i);
	}
	test_net_settle(net);
}

/* An end that accepts nothing on one VC receives everything on the others */
static void test_switch_lanes(struct kunit *test)
{
	unsigned int vc, other, i;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		struct test_net *net = test_net_alloc(test);

		test_net_learn(net);
		net->deaf[vc] = BIT(1);
		/* More than the credit on both lines */
		for (i = 0; i < 30; i++)
			test_net_send_to(net, 0, 1, vc, 2000);
		for (other = 0; other < HIPPI6400_NUM_VCS; other++)
			for (i = 0; other != vc && i < 30; i++)
				test_net_send_to(net, 0, 1, other, 2000);
		/* Less than the time after which an output counts as stalled */
		test_net_run(net, 500);
		for (other = 0; other < HIPPI6400_NUM_VCS; other++)
			KUNIT_EXPECT_EQ(test, !!net->expected[1][0][other].qlen, other == vc);
		test_net_listen(net, 1, vc);
		test_net_settle(net);
		KUNIT_EXPECT_EQ(test, net->sport[1]->stats.tx_stalls, 0);
	}
}

static struct kunit_case switch_cases[] = {
	KUNIT_CASE(test_table_learns),
	KUNIT_CASE(test_table_ages),
	KUNIT_CASE(test_table_bounded),
	KUNIT_CASE(test_switch_learns),
	KUNIT_CASE(test_switch_floods),
	KUNIT_CASE(test_switch_random),
	KUNIT_CASE(test_switch_fair),
	KUNIT_CASE(test_switch_lanes),
	{}
};

static struct kunit_suite switch_suite = {
	.name = "hippi6400_emu_switch",
	.test_cases = switch_cases,
};

kunit_test_suite(switch_suite);
