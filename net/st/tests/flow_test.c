// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the window over an LLP that does not keep the order: how much is cleared for
 * the full rate, and in Blocks of which length.
 */
#include "conn/path.h"
#include "link/link.h"
#include "xfer/xfer.h"
#include "conn.h"

#define PEER_ID	9
#define BLOCK	8192
#define RTT	10000	/* us */

/* A path of @rate bytes per microsecond; all that the window allows arrives, @rounds times. */
static void st_test_stats(struct st_flow *flow, u64 *now, u32 rate, unsigned int rounds)
{
	u64 room;

	while (rounds--) {
		room = st_flow_room(flow, 2, 4 * BLOCK);
		/* What exceeds the rate in a round trip queues in front of the path */
		for (; room >= BLOCK; room -= BLOCK) {
			*now += max(BLOCK / rate, RTT / (st_flow_room(flow, 2, 4 * BLOCK) / BLOCK));
			st_flow_arrived(flow, *now, BLOCK, RTT);
		}
	}
}

/* The window doubles each round trip, until the rate does not grow any more. */
static void st_flow_grows(struct kunit *test)
{
	struct st_flow flow = {};
	u64 now = 12345;

	KUNIT_EXPECT_EQ(test, st_flow_room(&flow, 2, 4 * BLOCK), 4 * BLOCK);
	st_test_stats(&flow, &now, 100, 4);
	KUNIT_EXPECT_GT(test, flow.need, 4 * BLOCK);
	st_test_stats(&flow, &now, 100, 30);
	KUNIT_EXPECT_GT(test, flow.need, 100 * RTT * 3 / 4);
	KUNIT_EXPECT_LE(test, flow.need, 100 * RTT * 5 / 4);
	/* The path gets slower: the window shrinks soon */
	st_test_stats(&flow, &now, 10, 30);
	KUNIT_EXPECT_LE(test, flow.need, 10 * RTT * 5 / 4);
}

static void st_flow_edges(struct kunit *test)
{
	struct st_flow flow = {};
	u64 now = 1;
	int i;

	/* No estimate before some Blocks have arrived, and some time has passed */
	for (i = 0; i < 100; i++)
		st_flow_arrived(&flow, now, BLOCK, RTT);
	KUNIT_EXPECT_EQ(test, flow.need, 0);
	st_flow_arrived(&flow, now + RTT - 1, BLOCK, RTT);
	KUNIT_EXPECT_EQ(test, flow.need, 0);
	st_flow_arrived(&flow, now + RTT, BLOCK, RTT);
	KUNIT_EXPECT_EQ(test, flow.need, 101 * BLOCK);
	/* A path without latency needs no window */
	now += RTT;
	for (i = 0; i < 1000; i++)
		st_flow_arrived(&flow, now += 300, BLOCK, 0);
	KUNIT_EXPECT_LT(test, flow.need, BLOCK);
	/* A pause does not count as a low rate, and does not overflow */
	st_flow_arrived(&flow, U64_MAX, BLOCK, U32_MAX);
	memset(&flow, 0, sizeof(flow));
	for (i = 0; i < 1000; i++)
		st_flow_arrived(&flow, 1 + i * (u64)U32_MAX, BIT(ST_BUFSIZE), U32_MAX);
	KUNIT_EXPECT_EQ(test, flow.need, BIT(ST_BUFSIZE));
	KUNIT_EXPECT_EQ(test, st_flow_room(&flow, 4, 0), 4 * BIT(ST_BUFSIZE));
}

/* Announce a record.  Return: Blocks of it that are cleared at once. */
static unsigned int st_test_cleared(struct st_test_conn *conn, u8 *blocksize)
{
	struct st_op cts;
	unsigned int n;

	st_link_core(conn->link)->pace->flow.need = 100 * BLOCK;	/* the link is no limit */
	st_test_peer_write(conn, PEER_ID, T_LEN);
	n = skb_queue_len(&conn->sent);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	*blocksize = cts.param;
	return n;
}

/* Few Blocks at first, later as many as the path needs. */
static void st_flow_window(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	u8 blocksize;

	KUNIT_EXPECT_EQ(test, st_test_cleared(conn, &blocksize), 4);
	KUNIT_EXPECT_EQ(test, blocksize, LOSSY_STU + 3);

	conn = st_test_lossy_conn(test);
	conn->st->paths.first.stats.flow.need = 5 * BLOCK / 2;
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn, &blocksize), 10);

	conn = st_test_lossy_conn(test);
	conn->st->paths.first.stats.flow.need = 100 * BLOCK;
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn, &blocksize), ST_BLOCKS_XFER);
}

/* All of a Block arrives, 100 ms after it was cleared.  @late: 200 ms were measured by then */
static void st_test_comes(struct st_test_conn *conn, bool late)
{
	struct st_op cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	struct st_block *blk = conn->st->dest.sink->blocks[cts.b_id % ST_BLOCKS];
	struct st_flow *flow = &conn->st->paths.first.stats.flow;
	u16 n;

	KUNIT_ASSERT_NOT_NULL(conn->test, blk);
	blk->cleared = ktime_sub_ms(blk->cleared, 100);
	if (late)
		flow->since = ktime_to_us(ktime_get()) - 200000;
	for (n = 0; n < BLOCK / STU; n++)
		st_test_peer_data(conn, &cts, n, n * STU, STU, n == BLOCK / STU - 1 ?
				  ST_F_LAST : 0);
}

/* The need is measured as Blocks arrive, and applied while others are under way. */
static void st_flow_measured(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_path_stats *stats = &conn->st->paths.first.stats;
	unsigned int i;

	st_link_core(conn->link)->pace->flow.need = 100 * BLOCK;	/* the link is no limit */
	st_test_peer_write(conn, PEER_ID, T_LEN);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.blocks, 4);
	for (i = 0; i < 8; i++)
		st_test_comes(conn, false);
	KUNIT_EXPECT_GE(test, stats->rtt_min, 100000);
	KUNIT_EXPECT_LT(test, stats->rtt_min, BIT(18));	/* the longest that counts */
	KUNIT_EXPECT_EQ(test, stats->flow.need, 0);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.blocks, 4);
	st_test_comes(conn, true);
	/* Eight Blocks in 200 ms, or more on a slow machine; each takes 100 ms */
	KUNIT_EXPECT_GE(test, stats->flow.need, 2 * BLOCK);
	KUNIT_EXPECT_GE(test, conn->st->paths.first.blocks, 4 * 2);
}

static u8 st_test_blocksize(struct kunit *test, int stus, unsigned int seen, unsigned int lost)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	u8 blocksize;

	conn->st->paths.first.stats.stus = stus;
	conn->st->paths.first.stats.seen = seen;
	conn->st->paths.first.stats.lost = lost;
	st_test_cleared(conn, &blocksize);
	return blocksize - LOSSY_STU;
}

/* Blocks get longer where nothing is lost, and shorter where much is lost. */
static void st_flow_blocksize(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 15, 0), 3);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 16, 0), 4);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 16, 1), 3);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 64, 2), 4);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 2, 100, 0), 5);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 4, 3), 3);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 0, 4, 4), 2);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, 2, 16, 5), 4);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, -3, 16, 16), 0);
	KUNIT_EXPECT_EQ(test, st_test_blocksize(test, -3, 16, 0), 1);
}

/* Where no Block was asked for again for long, and the rate is high, they get even longer. */
static void st_flow_clean(struct kunit *test)
{
	static const struct {
		unsigned int clean, need;
		int stus;
		unsigned int log;
	} cases[] = {
		{ 512, 131072, 2, 6 },
		{ 512, 131072, 3, 7 },
		{ 512, 131072, 4, 7 },
		{ 512, 131071, 4, 5 },	/* 128 KiB take longer than a millisecond */
		{ 511, 131072, 4, 5 },
		{ 512, 131072, 0, 4 },
	};
	struct st_test_conn *conn;
	unsigned int i;
	u8 blocksize;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		conn = st_test_lossy_conn(test);
		conn->st->sk.sk_rcvbuf = BIT(20);
		conn->st->paths.first.stats.stus = cases[i].stus;
		conn->st->paths.first.stats.seen = 16;
		conn->st->paths.first.stats.clean = cases[i].clean;
		conn->st->paths.first.stats.rtt_min = 1000;
		conn->st->paths.first.stats.flow.need = cases[i].need;
		st_test_cleared(conn, &blocksize);
		KUNIT_EXPECT_EQ_MSG(test, blocksize - LOSSY_STU, cases[i].log, "case %u", i);
	}
}

/* A Virtual Connection begins with what was last learnt about its link. */
static void st_flow_learnt(struct kunit *test)
{
	struct st_test_conn *first = st_test_lossy_conn(test), *second;
	u8 blocksize;

	first->st->paths.first.stats.stus = 1;
	first->st->paths.first.stats.seen = 16;
	st_test_cleared(first, &blocksize);
	KUNIT_EXPECT_EQ(test, blocksize, LOSSY_STU + 5);
	second = st_test_conn_beside(first);
	KUNIT_EXPECT_EQ(test, second->st->paths.first.stats.stus, 2);
	second->st->paths.first.stats.seen = 16;
	second->st->paths.first.stats.lost = 16;
	st_test_peer_write(second, PEER_ID, T_LEN);
	KUNIT_EXPECT_EQ(test, st_test_conn_beside(first)->st->paths.first.stats.stus, 1);
}

static struct kunit_case st_flow_cases[] = {
	KUNIT_CASE(st_flow_grows),
	KUNIT_CASE(st_flow_edges),
	KUNIT_CASE(st_flow_window),
	KUNIT_CASE(st_flow_measured),
	KUNIT_CASE(st_flow_blocksize),
	KUNIT_CASE(st_flow_clean),
	KUNIT_CASE(st_flow_learnt),
	{}
};

static struct kunit_suite st_flow_suite = {
	.name = "st_flow",
	.test_cases = st_flow_cases,
};

kunit_test_suite(st_flow_suite);
