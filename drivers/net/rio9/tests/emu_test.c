// SPDX-License-Identifier: GPL-2.0
/*
 * Queues and faults of a link of the emulated fabric, and its text form.
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "common.h"
#include "emu/topology.h"
#include "emu/way.h"

#define TEST_LEN	12
#define TEST_SEED	1234
#define TEST_MANY	100000

/**
 * struct test_way - a way without nodes
 * @way: the way
 * @rate: of its faults
 * @work: of both ends; does nothing
 * @refuse: a bit for each channel that finds no room
 * @got: marks of the packets that came, in order
 * @count: how many there are
 * @bits: bits that were inverted in all of them
 */
struct test_way {
	struct emu_way way;
	u32 rate[EMU_FAULTS];
	struct work_struct work;
	unsigned long refuse;
	u8 got[EMU_DEPTH_MIN];
	unsigned int count;
	unsigned int bits;
};

static void test_work(struct work_struct *work)
{
}

static void test_way_gone(void *data)
{
	struct test_way *t = data;

	emu_way_destroy(&t->way);
	cancel_work_sync(&t->work);
}

static struct test_way *test_way(struct kunit *test)
{
	struct test_way *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	INIT_WORK(&t->work, test_work);
	KUNIT_ASSERT_EQ(test, 0, emu_way_init(&t->way, EMU_DEPTH_MIN, t->rate, &t->work, &t->work));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_way_gone, t));
	emu_way_seed(&t->way, TEST_SEED);
	emu_way_set_up(&t->way, true);
	return t;
}

static void test_packet(u8 packet[TEST_LEN], unsigned int channel, u8 mark)
{
	memset(packet, mark, TEST_LEN);
	packet[0] = FIELD_GET(RIO9_CHANNEL_VC, channel) << 1 |
		    FIELD_GET(RIO9_CHANNEL_CRF, channel);
	packet[1] = FIELD_GET(RIO9_CHANNEL_PRIO, channel) << 6 | 9;
}

static int test_put(struct test_way *t, unsigned int channel, u8 mark)
{
	u8 packet[TEST_LEN];

	test_packet(packet, channel, mark);
	return emu_way_put(&t->way, packet, TEST_LEN);
}

static int test_deliver(void *to, const u8 *packet, unsigned int len)
{
	struct test_way *t = to;
	u8 expected[TEST_LEN];
	unsigned int i;

	if (t->refuse & BIT(emu_channel(packet)))
		return -EBUSY;
	test_packet(expected, emu_channel(packet), packet[TEST_LEN - 1]);
	for (i = 0; i < len; i++)
		t->bits += hweight8(packet[i] ^ expected[i]);
	t->got[t->count++] = packet[TEST_LEN - 1];
	return 0;
}

static unsigned int test_run(struct test_way *t)
{
	t->count = 0;
	return emu_way_run(&t->way, EMU_DEPTH_MIN, test_deliver, t);
}

static void test_came(struct kunit *test, struct test_way *t, const char *marks)
{
	unsigned int count = strlen(marks);

	KUNIT_EXPECT_EQ(test, count, test_run(t));
	KUNIT_ASSERT_EQ(test, count, t->count);
	KUNIT_EXPECT_MEMEQ(test, marks, t->got, count);
}

static u64 test_stat(struct test_way *t, enum emu_way_stat stat)
{
	u64 stats[EMU_WAY_STATS];

	emu_way_stats(&t->way, stats);
	return stats[stat];
}

/* A channel keeps its order, and the highest goes first */
static void test_order(struct kunit *test)
{
	struct test_way *t = test_way(test);

	test_put(t, RIO9_FLOW_A, 'a');
	test_put(t, RIO9_FLOW_C, 'c');
	test_put(t, RIO9_FLOW_A, 'b');
	test_put(t, RIO9_FLOW_F, 'f');
	test_put(t, RIO9_FLOW_E, 'e');
	test_put(t, RIO9_FLOW_C, 'd');
	test_came(test, t, "fecdab");
	test_came(test, t, "");
}

/* A channel that finds no room holds up no other */
static void test_stuck(struct kunit *test)
{
	struct test_way *t = test_way(test);

	test_put(t, RIO9_FLOW_C, 'c');
	test_put(t, RIO9_FLOW_A, 'a');
	t->refuse = BIT(RIO9_FLOW_C);
	test_came(test, t, "a");
	t->refuse = 0;
	test_came(test, t, "c");
}

/* Packets of a low priority leave room for those of a higher one */
static void test_room(struct kunit *test)
{
	static const unsigned int flows[] = { RIO9_FLOW_A, RIO9_FLOW_C, RIO9_FLOW_E, 6 };
	struct test_way *t = test_way(test);
	unsigned int i, sum = 0;

	for (i = 0; i < ARRAY_SIZE(flows); i++) {
		while (!test_put(t, flows[i], 'x'))
			sum++;
		KUNIT_EXPECT_EQ(test, sum, EMU_DEPTH_MIN - 1 - (3 - i) * EMU_DEPTH_MIN / 8);
		KUNIT_EXPECT_EQ(test, i + 1, test_stat(t, EMU_WAY_BUSY));
	}
	KUNIT_EXPECT_FALSE(test, emu_way_room(&t->way));
	KUNIT_EXPECT_EQ(test, sum, test_run(t));
	KUNIT_EXPECT_TRUE(test, emu_way_room(&t->way));
	KUNIT_EXPECT_FALSE(test, emu_way_room(&t->way));
	KUNIT_EXPECT_EQ(test, 0, test_put(t, RIO9_FLOW_A, 'x'));
}

static void test_lose(struct kunit *test)
{
	struct test_way *t = test_way(test);

	t->rate[EMU_LOSE] = EMU_RATE_MAX;
	KUNIT_EXPECT_EQ(test, 0, test_put(t, RIO9_FLOW_A, 'a'));
	test_came(test, t, "");
	KUNIT_EXPECT_EQ(test, 1, test_stat(t, EMU_WAY_LOST));
	KUNIT_EXPECT_EQ(test, 1, test_stat(t, EMU_WAY_PACKETS));
}

static void test_duplicate(struct kunit *test)
{
	struct test_way *t = test_way(test);

	t->rate[EMU_DUPLICATE] = EMU_RATE_MAX;
	test_put(t, RIO9_FLOW_A, 'a');
	test_put(t, RIO9_FLOW_A, 'b');
	test_came(test, t, "aabb");
	KUNIT_EXPECT_EQ(test, 2, test_stat(t, EMU_WAY_DUPLICATED));
}

/* One bit of each; where it is in the mark or the channel, the rest does not fit them */
static void test_damage(struct kunit *test)
{
	struct test_way *t = test_way(test);
	unsigned int i;

	t->rate[EMU_DAMAGE] = EMU_RATE_MAX;
	for (i = 0; i < EMU_DEPTH_MIN / 2; i++)
		test_put(t, RIO9_FLOW_A, 'a');
	KUNIT_EXPECT_EQ(test, EMU_DEPTH_MIN / 2, test_run(t));
	KUNIT_EXPECT_EQ(test, EMU_DEPTH_MIN / 2, test_stat(t, EMU_WAY_DAMAGED));
	KUNIT_EXPECT_GE(test, t->bits, EMU_DEPTH_MIN / 4);
}

/* Two of one flow change places; one alone comes after a while */
static void test_swap(struct kunit *test)
{
	struct test_way *t = test_way(test);

	t->rate[EMU_SWAP] = EMU_RATE_MAX;
	test_put(t, RIO9_FLOW_A, 'a');
	test_put(t, RIO9_FLOW_C, 'c');
	test_came(test, t, "");
	test_put(t, RIO9_FLOW_A, 'b');
	test_came(test, t, "ba");
	KUNIT_EXPECT_EQ(test, 1, test_stat(t, EMU_WAY_SWAPPED));
	msleep(200);
	test_came(test, t, "c");
	KUNIT_EXPECT_EQ(test, 1, test_stat(t, EMU_WAY_SWAPPED));
}

/* What waits is lost, what waits to be swapped, too, and what comes */
static void test_down(struct kunit *test)
{
	struct test_way *t = test_way(test);

	test_put(t, RIO9_FLOW_A, 'a');
	t->rate[EMU_SWAP] = EMU_RATE_MAX;
	test_put(t, RIO9_FLOW_C, 'c');
	emu_way_set_up(&t->way, false);
	KUNIT_EXPECT_EQ(test, 0, test_put(t, RIO9_FLOW_A, 'b'));
	KUNIT_EXPECT_EQ(test, 2, test_run(t));
	KUNIT_EXPECT_EQ(test, 0, t->count);
	KUNIT_EXPECT_EQ(test, 3, test_stat(t, EMU_WAY_DOWN));
	emu_way_set_up(&t->way, true);
	t->rate[EMU_SWAP] = 0;
	test_put(t, RIO9_FLOW_A, 'd');
	test_came(test, t, "d");
}

/* A tenth of the packets, and the same ones each time */
static void test_draw(struct kunit *test)
{
	static const u32 rate[EMU_FAULTS] = { [EMU_DUPLICATE] = EMU_RATE_MAX / 10 };
	static const u32 more[EMU_FAULTS] = {
		[EMU_DUPLICATE] = EMU_RATE_MAX / 10, [EMU_SWAP] = EMU_RATE_MAX / 2,
	};
	unsigned int i, hits = 0, other = 0;

	for (i = 0; i < TEST_MANY; i++) {
		enum emu_fault fault = emu_fault_draw(rate, TEST_SEED, i);

		hits += fault == EMU_DUPLICATE;
		KUNIT_ASSERT_EQ(test, fault, emu_fault_draw(rate, TEST_SEED, i));
		/* Another rate changes nothing about it */
		KUNIT_ASSERT_EQ(test, fault == EMU_DUPLICATE,
				emu_fault_draw(more, TEST_SEED, i) == EMU_DUPLICATE);
		other += fault != emu_fault_draw(rate, TEST_SEED + 99, i);
	}
	KUNIT_EXPECT_GE(test, hits, TEST_MANY / 10 * 95 / 100);
	KUNIT_EXPECT_LE(test, hits, TEST_MANY / 10 * 105 / 100);
	KUNIT_EXPECT_GE(test, other, TEST_MANY / 10);
}

static struct emu_plan *test_plan(struct kunit *test)
{
	struct emu_plan *plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, plan);
	return plan;
}

static void test_topology(struct kunit *test)
{
	struct emu_plan *plan = test_plan(test);

	KUNIT_ASSERT_EQ(test, 0, emu_plan_parse(plan, "e1-s0,e0x12-s7,s7-s0\n", 254));
	KUNIT_ASSERT_EQ(test, 4, plan->nodes);
	KUNIT_ASSERT_EQ(test, 3, plan->links);
	KUNIT_EXPECT_FALSE(test, plan->node[2].is_switch);
	KUNIT_EXPECT_EQ(test, 0x12, plan->node[2].id);
	KUNIT_EXPECT_TRUE(test, plan->node[3].is_switch);
	KUNIT_EXPECT_EQ(test, 7, plan->node[3].id);
	KUNIT_EXPECT_EQ(test, 2, plan->node[3].ports);
	KUNIT_EXPECT_EQ(test, 3, plan->link[2].node[0]);
	KUNIT_EXPECT_EQ(test, 1, plan->link[2].port[0]);
	KUNIT_EXPECT_EQ(test, 1, plan->node[plan->link[2].node[1]].is_switch);
}

static void test_bad_topology(struct kunit *test)
{
	static const char * const texts[] = {
		"", ",", "-", "e1", "e1-", "-s0", "e1-s0,", "e1-s0-s1", "E1-s0", "e-s0", "e+1-s0",
		"e 1-s0", "e1-s256", "e255-s0", "e65536-s0", "e0x-s0", "e1 - s0", "e1-e1", "s1-s1",
		"e1-s0,e1-s1", "s0-s1,s1-s0", "s0-s1,s0-s1", "e1-s0;e2-s0",
	};
	struct emu_plan *plan = test_plan(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, emu_plan_parse(plan, texts[i], 254), "%s",
				    texts[i]);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_stuck),
	KUNIT_CASE(test_room),
	KUNIT_CASE(test_lose),
	KUNIT_CASE(test_duplicate),
	KUNIT_CASE(test_damage),
	KUNIT_CASE(test_swap),
	KUNIT_CASE(test_down),
	KUNIT_CASE(test_draw),
	KUNIT_CASE(test_topology),
	KUNIT_CASE(test_bad_topology),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_emu",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
