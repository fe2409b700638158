// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly of what a bad fabric makes of good PDUs, and of anything.
 */
#include <linux/string.h>

#include "feed.h"

#define TEST_MTU	RIO9_MTU_MIN
#define TEST_PDU	600
#define TEST_SOURCES	3

/**
 * enum test_fault - what happens to a PDU
 * @TEST_CLEAN: nothing
 * @TEST_LOST: one of its segments is lost
 * @TEST_DOUBLED: one of its segments comes twice
 * @TEST_CUT: one of its segments is four bytes shorter
 * @TEST_FAULTS: how many there are
 */
enum test_fault {
	TEST_CLEAN,
	TEST_LOST,
	TEST_DOUBLED,
	TEST_CUT,
	TEST_FAULTS,
};

/**
 * struct test_flow - a PDU on its way
 * @len: bytes of it
 * @from: where its bytes begin in the data
 * @pos: bytes that are sent
 * @cos: class; each PDU of a flow has another than that before
 * @fault: what happens to it
 * @where: the segment that it happens to
 * @segment: that which is next
 */
struct test_flow {
	u32 len;
	u32 from;
	u32 pos;
	u8 cos;
	enum test_fault fault;
	u32 where;
	u32 segment;
};

/**
 * struct test_run - a random run
 * @f: the reassembly
 * @rnd: random numbers
 * @flows: by source and channel
 * @sent: PDUs that have begun
 * @clean: those to which nothing happens
 * @came: PDUs that arrived
 * @came_clean: those of them to which nothing had happened
 */
struct test_run {
	struct rio9_feed *f;
	struct rnd_state rnd;
	struct test_flow flows[TEST_SOURCES][RIO9_CHANNELS];
	u32 sent;
	u32 clean;
	u32 came;
	u32 came_clean;
};

static void test_begin(struct test_run *run, struct test_flow *flow)
{
	u32 cut = rio9_test_range(&run->rnd, 0, 3) ? TEST_PDU : TEST_MTU;

	flow->len = rio9_test_range(&run->rnd, 1, cut);
	flow->from = rio9_test_range(&run->rnd, 0, RIO9_PDU_MAX - TEST_PDU);
	flow->pos = 0;
	flow->cos++;
	flow->segment = 0;
	flow->fault = rio9_test_range(&run->rnd, 0, 1) ? TEST_CLEAN :
		      rio9_test_range(&run->rnd, 0, TEST_FAULTS - 1);
	flow->where = rio9_test_range(&run->rnd, 0, (flow->len - 1) / TEST_MTU);
	run->sent++;
	run->clean += flow->fault == TEST_CLEAN;
}

/* Whatever the fabric did, a PDU that arrives is one that was sent */
static void test_arrived(struct test_run *run, const struct test_flow *flow,
			 struct sk_buff *skb)
{
	struct rio9_feed *f = run->f;

	if (!skb)
		return;
	run->came++;
	run->came_clean += flow->fault == TEST_CLEAN;
	KUNIT_ASSERT_EQ(f->test, rio9_skb_pdu(skb)->cos, flow->cos);
	/* Of a PDU that is alone in its segment nothing tells that it was cut */
	if (flow->fault != TEST_CUT || flow->len > TEST_MTU)
		KUNIT_ASSERT_EQ(f->test, skb->len, flow->len);
	KUNIT_ASSERT_EQ(f->test, 0, skb_linearize(skb));
	KUNIT_ASSERT_EQ(f->test, 0, memcmp(skb->data, f->data + flow->from, skb->len));
	kfree_skb(skb);
}

static void test_step(struct test_run *run, u16 src, u8 channel)
{
	struct test_flow *flow = &run->flows[src - 1][channel];
	struct rio9_packet p;
	bool here;
	u32 left;

	if (flow->pos == flow->len)
		test_begin(run, flow);
	left = flow->len - flow->pos;
	p = (struct rio9_packet) {
		.dst = TEST_ID, .src = src, .channel = channel, .cos = flow->cos,
		.stream = TEST_STREAM, .length = flow->len,
		.data = run->f->data + flow->from + flow->pos, .len = min(left, TEST_MTU),
	};
	if (left > TEST_MTU)
		p.kind = flow->pos ? RIO9_CONT : RIO9_START;
	else
		p.kind = flow->pos ? RIO9_END : RIO9_SINGLE;
	flow->pos += p.len;
	here = flow->segment++ == flow->where;
	if (here && flow->fault == TEST_LOST)
		return;
	if (here && flow->fault == TEST_CUT && p.len > 4)
		p.len -= 4;
	test_arrived(run, flow, rio9_feed(run->f, &p));
	if (here && flow->fault == TEST_DOUBLED)
		test_arrived(run, flow, rio9_feed(run->f, &p));
}

/* One fault in a PDU never gives a wrong one, nor does it harm the next */
static void test_bad_fabric(struct kunit *test)
{
	struct test_run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	u64 faults = 0;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, run);
	run->f = rio9_feed_new(test, TEST_MTU, RIO9_PDU_MAX, 64);
	rio9_test_seed(test, &run->rnd);
	for (i = 0; i < 200000; i++)
		test_step(run, rio9_test_range(&run->rnd, 1, TEST_SOURCES),
			  rio9_test_range(&run->rnd, 0, RIO9_CHANNELS - 1));
	/* Those that are under way may be clean, and may not have come */
	KUNIT_EXPECT_LE(test, run->came_clean, run->clean);
	KUNIT_EXPECT_GE(test, run->came_clean + TEST_SOURCES * RIO9_CHANNELS, run->clean);
	KUNIT_EXPECT_EQ(test, run->f->r.stats[RIO9_STAT_PDUS], run->came);
	for (i = RIO9_STAT_SINGLE_OVER_MTU; i < RIO9_STATS; i++)
		faults += run->f->r.stats[i];
	KUNIT_EXPECT_GT(test, faults, 0);
	KUNIT_EXPECT_EQ(test, run->f->r.stats[RIO9_STAT_OVER_SHARE], 0);
	KUNIT_EXPECT_EQ(test, run->f->r.stats[RIO9_STAT_NO_MEMORY], 0);
	KUNIT_EXPECT_EQ(test, run->f->r.stats[RIO9_STAT_COS_CHANGED] +
			run->f->r.stats[RIO9_STAT_LENGTH] + run->f->r.stats[RIO9_STAT_NO_START] +
			run->f->r.stats[RIO9_STAT_NO_END] +
			run->f->r.stats[RIO9_STAT_START_NOT_MTU] +
			run->f->r.stats[RIO9_STAT_CONT_NOT_MTU], faults);
}

/* Segments of any kind, of anybody, of any length, and everything that can be done to it */
static void test_anything(struct kunit *test)
{
	struct rio9_feed *f = rio9_feed_new(test, 64, 200, 8);
	struct rnd_state rnd;
	unsigned int i;

	rio9_test_seed(test, &rnd);
	for (i = 0; i < 200000; i++) {
		struct rio9_packet p = {
			.dst = TEST_ID, .src = rio9_test_range(&rnd, 1, 6),
			.channel = rio9_test_range(&rnd, 0, 3),
			.kind = rio9_test_range(&rnd, RIO9_CONT, RIO9_TM),
			.cos = !rio9_test_range(&rnd, 0, 20), .data = f->data,
			.length = rio9_test_range(&rnd, 0, 300),
			.len = rio9_test_range(&rnd, 0, 3) ? 64 :
			       rio9_test_range(&rnd, 0, RIO9_MTU_MAX),
		};

		kfree_skb(rio9_feed(f, &p));
		switch (rio9_test_range(&rnd, 0, 2000)) {
		case 0:
			rio9_feed_expire(f, rio9_test_range(&rnd, 0, 2 * HZ));
			break;
		case 1:
			rio9_reassembly_add_source(&f->r, rio9_test_range(&rnd, 1, 6));
			break;
		case 2:
			rio9_reassembly_del_source(&f->r, rio9_test_range(&rnd, 1, 6));
			break;
		case 3:
			spin_lock_bh(&f->r.lock);
			rio9_reassembly_set_mtu(&f->r, 64);
			spin_unlock_bh(&f->r.lock);
			break;
		case 4:
			f->r.memory_max = rio9_test_range(&rnd, 0, 20000);
			break;
		case 5:
			spin_lock_bh(&f->r.lock);
			rio9_reassembly_gap(&f->r, p.src, TEST_ID, p.channel);
			spin_unlock_bh(&f->r.lock);
			break;
		}
		KUNIT_ASSERT_LE(test, f->r.memory, SZ_1M);
	}
	rio9_feed_expire(f, f->r.timeout);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->r.age));
	KUNIT_EXPECT_EQ(test, f->r.memory, 0);
	for (i = RIO9_STAT_SINGLE_OVER_MTU; i < RIO9_STAT_NO_ROOM; i++)
		KUNIT_EXPECT_GT_MSG(test, f->r.stats[i], 0, "counter %u", i);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_bad_fabric),
	KUNIT_CASE(test_anything),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_random",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
