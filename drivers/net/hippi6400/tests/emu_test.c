// SPDX-License-Identifier: GPL-2.0
/*
 * The emulator: topologies as text, and random events.
 */

#include <kunit/test.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "emu/fabric/chance.h"
#include "emu/fabric/topology.h"
#include "pair.h"

/* An element for each port */
#define PLUGS	"loopback:0/loopback:1/loopback:2/loopback:3/loopback:4/loopback:5/" \
		"loopback:6/loopback:7/loopback:8/loopback:9/loopback:10/loopback:11/" \
		"loopback:12/loopback:13/loopback:14/loopback:15"

#define EXPECTED "expected cable:PORTS, loopback:PORTS or switch:PORTS"

struct test_topology {
	unsigned int ports;
	const char *text;
	const char *shown;
	const char *wrong;
};

static const struct test_topology topologies[] = {
	{ 4, "", "", },
	{ 4, "\t\n", "", },
	{ 4, "cable:0,1\n", "cable:0-1", },
	{ 4, "cable:3,0/loopback:1,2", "cable:0,3/loopback:1-2", },
	{ 4, "loopback:all", "loopback:0-3", },
	{ 16, "loopback:0/loopback:2/loopback:4/cable:14-15", NULL, },
	{ 1, "loopback:0", NULL, },
	{ 16, PLUGS, NULL, },
	{ 16, "switch:0-15", NULL, },
	{ 8, "switch:0,2-3/switch:4-5/cable:6-7/loopback:1", NULL, },
	{ 4, "switch:1", .wrong = "switch:1: 1 ports, expected 2 to 16" },
	{ 4, "switch:0-2/switch:2-3", .wrong = "switch:2-3: port 2 is taken by a switch already" },
	{ 4, "rope:0,1", .wrong = "\"rope\": " EXPECTED },
	{ 4, "cable", .wrong = "\"cable\": " EXPECTED },
	{ 4, "cable:0-1/", .wrong = "\"\": " EXPECTED },
	{ 4, "/", .wrong = "\"\": " EXPECTED },
	{ 4, "cable:", .wrong = "cable:: 0 ports, expected 2 to 2" },
	{ 4, "cable:0-2", .wrong = "cable:0-2: 3 ports, expected 2 to 2" },
	{ 4, "loopback:", .wrong = "loopback:: 0 ports, expected 1 to 16" },
	{ 4, "cable:0,4", .wrong = "cable: \"0,4\" is no list of ports from 0 to 3" },
	{ 4, "cable:1-0", .wrong = "cable: \"1-0\" is no list of ports from 0 to 3" },
	{ 4, "loopback:-1", .wrong = "loopback: \"-1\" is no list of ports from 0 to 3" },
	{ 4, "cable:0x1", .wrong = "cable: \"0x1\" is no list of ports from 0 to 3" },
	{ 4, "cable:0,1/loopback:1,2",
	  .wrong = "loopback:1,2: port 1 is taken by a cable already" },
	/* More elements than fit, each with a different error */
	{ 16, PLUGS "/loopback:15,1-14",
	  .wrong = "loopback:15,1-14: port 1 is taken by a loopback already" },
	{ 16, PLUGS "/cable:3", .wrong = "cable:3: 1 ports, expected 2 to 2" },
	{ 16, PLUGS "/", .wrong = "\"\": " EXPECTED },
};

static void test_topology_desc(const struct test_topology *t, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "'%s'", t->text);
}

KUNIT_ARRAY_PARAM(topologies, topologies, test_topology_desc);

static void test_topology_text(struct kunit *test)
{
	const struct test_topology *t = test->param_value;
	struct emu_topology *topo = kunit_kzalloc(test, sizeof(*topo), GFP_KERNEL);
	char *text = kunit_kzalloc(test, EMU_TOPOLOGY_TEXT, GFP_KERNEL);
	unsigned int i, port;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, topo);
	KUNIT_ASSERT_NOT_NULL(test, text);
	err = emu_topology_parse(topo, t->ports, t->text, text);
	if (t->wrong) {
		KUNIT_EXPECT_EQ(test, err, -EINVAL);
		KUNIT_EXPECT_STREQ(test, text, t->wrong);
		/* Each cabled port belongs to an element */
		for (i = 0; i < topo->count; i++)
			for_each_set_bit(port, topo->element[i].ports, EMU_PORTS_MAX)
				KUNIT_EXPECT_EQ(test, topo->end[port].kind, topo->element[i].kind);
		return;
	}
	KUNIT_ASSERT_EQ_MSG(test, err, 0, "%s", text);
	emu_topology_print(topo, text);
	KUNIT_EXPECT_STREQ(test, text, t->shown ?: t->text);
}

static void test_topology_ends(struct kunit *test)
{
	const char *words = "cable:4,1/switch:5-6/loopback:2/switch:7-8";
	struct emu_topology *topo = kunit_kzalloc(test, sizeof(*topo), GFP_KERNEL);
	char *text = kunit_kzalloc(test, EMU_TOPOLOGY_TEXT, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, topo);
	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_ASSERT_EQ(test, 0, emu_topology_parse(topo, 9, words, text));
	KUNIT_EXPECT_EQ(test, topo->end[0].kind, EMU_NOTHING);
	KUNIT_EXPECT_EQ(test, topo->end[1].kind, EMU_CABLE);
	KUNIT_EXPECT_EQ(test, topo->end[1].peer, 4);
	KUNIT_EXPECT_EQ(test, topo->end[4].kind, EMU_CABLE);
	KUNIT_EXPECT_EQ(test, topo->end[4].peer, 1);
	KUNIT_EXPECT_EQ(test, topo->end[2].kind, EMU_LOOPBACK);
	KUNIT_EXPECT_EQ(test, topo->end[2].peer, 2);
	KUNIT_EXPECT_EQ(test, topo->end[3].kind, EMU_NOTHING);
	KUNIT_EXPECT_EQ(test, topo->switches, 2);
	KUNIT_EXPECT_EQ(test, topo->end[5].kind, EMU_SWITCH);
	KUNIT_EXPECT_EQ(test, topo->end[5].peer, 0);
	KUNIT_EXPECT_EQ(test, topo->end[6].peer, 0);
	KUNIT_EXPECT_EQ(test, topo->end[8].kind, EMU_SWITCH);
	KUNIT_EXPECT_EQ(test, topo->end[8].peer, 1);
}

static void test_topology_pairs(struct kunit *test)
{
	static const char * const shown[] = {
		[1] = "", [2] = "cable:0-1", [3] = "cable:0-1", [4] = "cable:0-1/cable:2-3",
		[15] = "cable:0-1/cable:2-3/cable:4-5/cable:6-7/cable:8-9/cable:10-11/cable:12-13",
	};
	struct emu_topology *topo = kunit_kzalloc(test, sizeof(*topo), GFP_KERNEL);
	char *text = kunit_kzalloc(test, EMU_TOPOLOGY_TEXT, GFP_KERNEL);
	unsigned int ports;

	KUNIT_ASSERT_NOT_NULL(test, topo);
	KUNIT_ASSERT_NOT_NULL(test, text);
	for (ports = 1; ports < ARRAY_SIZE(shown); ports++) {
		if (!shown[ports])
			continue;
		emu_topology_pairs(topo, ports);
		emu_topology_print(topo, text);
		KUNIT_EXPECT_STREQ(test, text, shown[ports]);
	}
}

struct test_rate {
	const char *text;
	u64 rate;
	const char *shown;
	int err;
};

static const struct test_rate rates[] = {
	{ "0", 0, "0" },
	{ "0.000", 0, "0" },
	{ "0e99", 0, "0" },
	{ "1", EMU_RATE_UNIT, "1" },
	{ "1.0", EMU_RATE_UNIT, "1" },
	{ "1e-12", 1, "1e-12" },
	{ "1E-6", 1000000, "1e-6" },
	{ "0.00001", 10000000, "1e-5" },
	{ ".5", EMU_RATE_UNIT / 2, "5e-1" },
	{ "2.5e-7", 250000, "2.5e-7" },
	{ "0.123456789012", 123456789012, "1.23456789012e-1" },
	{ "100e-2", EMU_RATE_UNIT, "1" },
	{ "0.001e+1", 10000000000, "1e-2" },
	{ "1e-13", .err = -ERANGE },
	{ "1.1", .err = -ERANGE },
	{ "2", .err = -ERANGE },
	{ "1e1", .err = -ERANGE },
	{ "1e999", .err = -ERANGE },
	{ "0000000000000000001", .err = -ERANGE },
	{ "", .err = -EINVAL },
	{ ".", .err = -EINVAL },
	{ "e-6", .err = -EINVAL },
	{ "1e", .err = -EINVAL },
	{ "1e-", .err = -EINVAL },
	{ "1.2.3", .err = -EINVAL },
	{ "-1", .err = -EINVAL },
	{ "1e-6x", .err = -EINVAL },
	{ "0x1", .err = -EINVAL },
};

static void test_rate_text(struct kunit *test)
{
	const struct test_rate *r;
	char text[EMU_RATE_TEXT];
	u64 rate;

	for (r = rates; r < rates + ARRAY_SIZE(rates); r++) {
		KUNIT_EXPECT_EQ_MSG(test, emu_rate_parse(r->text, &rate), r->err, "'%s'", r->text);
		if (r->err)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, rate, r->rate, "'%s'", r->text);
		emu_rate_print(rate, text);
		KUNIT_EXPECT_STREQ(test, text, r->shown);
	}
}

/* Events in a number of trials, made in pieces of some size */
static unsigned int test_events(struct kunit *test, u64 rate, u64 seed, u64 trials, u64 piece)
{
	struct emu_chance chance = { .id = 5, .rate = rate };
	struct emu_seed source = {};
	unsigned int events = 0;
	u64 left;

	emu_seed_set(&source, seed);
	emu_chance_update(&chance, &source);
	for (; trials; trials -= min(piece, trials)) {
		for (left = min(piece, trials); left;) {
			u64 passed = emu_chance_pass(&chance, left);

			KUNIT_ASSERT_LE(test, passed, left);
			if (passed == left)
				break;
			events++;
			left -= passed + 1;
		}
	}
	return events;
}

static void test_chance_rate(struct kunit *test)
{
	enum { TRIALS = 1000000 };
	u64 seed = test_seed(test);
	u64 rate;

	KUNIT_EXPECT_EQ(test, test_events(test, 0, seed, TRIALS, 100), 0);
	KUNIT_EXPECT_EQ(test, test_events(test, EMU_RATE_UNIT, seed, TRIALS, 100), TRIALS);
	/* Below and above the rate from which each trial is drawn separately */
	for (rate = EMU_RATE_UNIT / 10000; rate < EMU_RATE_UNIT; rate *= 5) {
		u64 mean = div64_u64(rate * TRIALS, EMU_RATE_UNIT);
		/* The variance is at most the mean: six standard deviations */
		u64 off = 6 * int_sqrt64(mean) + 1;
		unsigned int events = test_events(test, rate, seed, TRIALS, 320);

		KUNIT_EXPECT_GE_MSG(test, events, mean - off, "rate %llu", rate);
		KUNIT_EXPECT_LE_MSG(test, events, mean + off, "rate %llu", rate);
		/* The same in pieces of another size */
		KUNIT_EXPECT_EQ(test, events, test_events(test, rate, seed, TRIALS, 1));
	}
}

static struct kunit_case emu_cases[] = {
	KUNIT_CASE_PARAM(test_topology_text, topologies_gen_params),
	KUNIT_CASE(test_topology_ends),
	KUNIT_CASE(test_topology_pairs),
	KUNIT_CASE(test_rate_text),
	KUNIT_CASE(test_chance_rate),
	{}
};

static struct kunit_suite emu_suite = {
	.name = "hippi6400_emu",
	.test_cases = emu_cases,
};

kunit_test_suite(emu_suite);
