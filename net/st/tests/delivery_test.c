// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the traits of an LLP: every case runs over links with each combination of traits,
 * and what it expects depends on one of them.  The test is the peer.
 */
#include <linux/net.h>

#include "conn/path.h"
#include "link/link.h"
#include "xfer/rx_block.h"
#include "conn.h"

#define PEER_ID		9
#define BLOCK		(LOSSY_STU + 3)		/* log2 */
#define STUS		8			/* in a Block */
#define AT_FIRST	4			/* Blocks in the first window of 32 KiB */
#define SHORTEST	300000			/* ms, limits of Op_timeout: tests are shorter */
#define LONGEST		600000
#define RTT		10000000U		/* us */

struct st_delivery_link {
	char	name[32];
	u8	traits;
};

static const struct st_delivery_link st_delivery_links[] = {
	{ "none", 0 },
	{ "ordered", ST_ORDERED },
	{ "credited", ST_CREDITED },
	{ "reliable", ST_RELIABLE },
	{ "ordered and credited", ST_ORDERED | ST_CREDITED },
	{ "ordered and reliable", ST_ORDERED | ST_RELIABLE },
	{ "credited and reliable", ST_CREDITED | ST_RELIABLE },
	{ "all", ST_ORDERED | ST_CREDITED | ST_RELIABLE },
};

KUNIT_ARRAY_PARAM_DESC(st_delivery_link, st_delivery_links, name);

/* Traits of the link of the case */
static u8 st_test_traits;

static int st_test_traits_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->traits = st_test_traits;
	return st_test_lossy_llp.ops->begin(link, extack);
}

static int st_delivery_init(struct kunit *test)
{
	const struct st_delivery_link *link = test->param_value;

	st_test_traits = link->traits;
	return st_test_keep_params(test);
}

static bool st_test_has(enum st_trait trait)
{
	return st_test_traits & trait;
}

/* A connection over the link of the case, with Blocks of at most 2^@block_max bytes. */
static struct st_test_conn *st_test_delivery(struct kunit *test, u8 block_max)
{
	static struct st_llp_ops ops;
	static struct st_llp llp;
	struct st_test_conn *conn;

	ops = *st_test_lossy_llp.ops;
	ops.begin = st_test_traits_begin;
	llp = st_test_lossy_llp;
	llp.ops = &ops;
	conn = st_test_conn_over(test, &llp, false);
	KUNIT_ASSERT_EQ(test, conn->link->traits, st_test_traits);
	conn->st->opts.block_max = block_max;
	return conn;
}

/* Announce a record, and get the first @n Clear_To_Sends.  Return: how many were sent. */
static unsigned int st_test_clear(struct st_test_conn *conn, u64 t_len, struct st_op *cts,
				  unsigned int n)
{
	unsigned int i, cleared;

	st_test_peer_write(conn, PEER_ID, t_len);
	cleared = skb_queue_len(&conn->sent);
	for (i = 0; i < n; i++) {
		cts[i] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
		KUNIT_ASSERT_EQ(conn->test, cts[i].b_num, i);
	}
	skb_queue_purge(&conn->sent);
	return cleared;
}

/* How often a Block was cleared since the last call; @cts: the last Clear_To_Send */
static unsigned int st_test_asked(struct st_test_conn *conn, u32 b_num, struct st_op *cts)
{
	unsigned int n = 0;
	struct sk_buff *skb;
	struct st_op op;

	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		if (op.op != ST_OP_CLEAR_TO_SEND || op.b_num != b_num)
			continue;
		*cts = op;
		n++;
	}
	return n;
}

static struct st_block *st_test_block(struct st_test_conn *conn, const struct st_op *cts)
{
	struct st_block *blk = conn->st->dest.sink->blocks[cts->b_id % ST_BLOCKS];

	KUNIT_ASSERT_NOT_NULL(conn->test, blk);
	KUNIT_ASSERT_EQ(conn->test, blk->n, cts->b_num);
	return blk;
}

/* Receive STUs @from to @to of a Block of STUS. */
static void st_test_stus(struct st_test_conn *conn, const struct st_op *cts, u16 from, u16 to)
{
	u16 n;

	for (n = from; n <= to; n++)
		st_test_peer_data(conn, cts, n, n * STU, STU, n == STUS - 1 ? ST_F_LAST : 0);
}

static u64 st_test_logged(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

/* If the order is kept a gap is a loss; else the STUs after it are accepted. */
static void st_delivery_gap(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	bool ordered = st_test_has(ST_ORDERED);
	struct st_op cts, again;
	struct st_block *blk;

	st_test_clear(conn, T_LEN, &cts, 1);
	blk = st_test_block(conn, &cts);
	st_test_stus(conn, &cts, 0, 0);
	st_test_stus(conn, &cts, 2, 3);
	KUNIT_EXPECT_EQ(test, st_test_asked(conn, 0, &again), ordered);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, ordered);
	KUNIT_EXPECT_EQ(test, blk->tries, ordered);
	KUNIT_EXPECT_EQ(test, blk->got, ordered ? 0 : STU);
	KUNIT_EXPECT_EQ(test, blk->ooo_map, ordered ? 0 : 6);
	st_test_stus(conn, &cts, 1, 1);
	KUNIT_EXPECT_EQ(test, blk->got, ordered ? 0 : 4 * STU);
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_OUT_OF_ORDER_STU), ordered);
	/* Of an exposure of which nothing is kept */
	KUNIT_EXPECT_EQ(test, st_test_logged(conn, ST_ERR_INVALID_MX), ordered ? 2 : 0);
}

/* A peer that cannot send a Block again is not asked to, and the Transfer does not fail yet. */
static void st_delivery_gap_once(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	struct st_op cts, again;
	struct st_block *blk;

	st_test_clear(conn, T_LEN, &cts, 1);
	blk = st_test_block(conn, &cts);
	conn->st->vc.out_of_order = false;
	st_test_stus(conn, &cts, 1, 1);
	KUNIT_EXPECT_EQ(test, st_test_asked(conn, 0, &again), 0);
	KUNIT_EXPECT_EQ(test, blk->ooo_map, st_test_has(ST_ORDERED) ? 0 : 2);
	st_test_stus(conn, &cts, 0, 0);
	KUNIT_EXPECT_EQ(test, blk->got, st_test_has(ST_ORDERED) ? STU : 2 * STU);
	KUNIT_EXPECT_PTR_EQ(test, conn->st->dest.sink->blocks[cts.b_id % ST_BLOCKS], blk);
}

/* STUs of later Blocks reveal a loss; if the order is kept, only the last STU of each does. */
static void st_delivery_later(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	bool ordered = st_test_has(ST_ORDERED);
	struct st_op cts[AT_FIRST], again;
	struct st_block *blk;
	u64 taken;

	st_test_clear(conn, T_LEN, cts, AT_FIRST);
	blk = st_test_block(conn, &cts[0]);
	st_test_stus(conn, &cts[0], 0, STUS - 2);
	st_test_stus(conn, &cts[1], 0, 2);
	KUNIT_EXPECT_EQ(test, st_test_asked(conn, 0, &again), !ordered);
	if (ordered) {
		st_test_stus(conn, &cts[1], 3, STUS - 1);
		st_test_stus(conn, &cts[2], 0, STUS - 1);
		KUNIT_EXPECT_EQ(test, st_test_asked(conn, 0, &again), 0);
		st_test_stus(conn, &cts[3], 0, STUS - 1);
		KUNIT_EXPECT_EQ(test, st_test_asked(conn, 0, &again), 1);
	}
	KUNIT_EXPECT_EQ(test, blk->guesses, 1);
	KUNIT_EXPECT_EQ(test, blk->tries, 0);
	/* The received part stays if the LLP has a way to handle late STUs. */
	KUNIT_EXPECT_EQ(test, blk->got, ordered ? 0 : (STUS - 1) * STU);
	taken = conn->st->info.rx_bytes;
	st_test_stus(conn, &cts[0], STUS - 1, STUS - 1);
	KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes - taken, ordered ? 0 : STU);
}

/* A Block without any received STU always accepts late ones. */
static void st_delivery_late(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	struct st_op cts[AT_FIRST], again;
	struct st_block *blk;
	u64 taken;
	int n;

	st_test_clear(conn, T_LEN, cts, AT_FIRST);
	blk = st_test_block(conn, &cts[0]);
	for (n = 1; n < AT_FIRST; n++)
		st_test_stus(conn, &cts[n], 0, STUS - 1);
	KUNIT_EXPECT_GE(test, st_test_asked(conn, 0, &again), 1);
	KUNIT_EXPECT_NE(test, again.b_id, cts[0].b_id);
	if (st_test_has(ST_ORDERED)) {
		/* Asked for once, so the first exposure is the previous one */
		KUNIT_EXPECT_EQ(test, blk->mx_late, cts[0].b_id);
		taken = conn->st->info.rx_bytes;
		st_test_stus(conn, &cts[0], 0, STUS - 1);
		KUNIT_EXPECT_EQ(test, conn->st->info.rx_bytes - taken, STUS * STU);
	} else {
		KUNIT_EXPECT_NE(test, blk->mx_late, blk->mx);
	}
}

/* Two records of one STU each, on these Data Channels: what the second reveals of the first */
static unsigned int st_test_told(struct kunit *test, u8 first, u8 second)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	struct st_op cts[2];
	struct st_rx *rx;

	st_test_peer_write(conn, PEER_ID, STU);
	st_test_peer_write(conn, PEER_ID + 1, STU);
	rx = list_first_entry(&conn->st->dest.list, struct st_rx, list);
	rx->channel = first;
	list_next_entry(rx, list)->channel = second;
	cts[0] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	cts[1] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_ASSERT_EQ(test, cts[1].d_id, PEER_ID + 1);
	st_test_peer_data(conn, &cts[1], 0, 0, STU, ST_F_LAST);
	return st_test_block(conn, &cts[0])->later;
}

/* The order is kept within a Data Channel only. */
static void st_delivery_channels(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, st_test_told(test, 1, 1), 1);
	KUNIT_EXPECT_EQ(test, st_test_told(test, 1, 2), !st_test_has(ST_ORDERED));
}

/* Round trips are far shorter than the limit of Op_timeout. */
static void st_test_timeouts(struct st_test_conn *conn)
{
	struct st_net *sn = st_pernet(&init_net);

	sn->op_timeout = LONGEST;
	sn->op_timeout_min = SHORTEST;
	conn->st->timers.rtt = (struct st_rtt) {};
	st_rtt_sample(&conn->st->timers.rtt, RTT);
}

/* Nothing arrives any more: Blocks revealed by later ones are asked for at once, or one Block. */
static void st_delivery_soon(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, LOSSY_STU);
	struct st_path *path = &conn->st->paths.first;
	struct st_op cts[AT_FIRST], again;

	st_test_clear(conn, AT_FIRST * STU, cts, AT_FIRST);
	st_test_peer_data(conn, &cts[0], 0, 0, STU, ST_F_LAST);
	st_test_peer_data(conn, &cts[3], 0, 0, STU, ST_F_LAST);
	KUNIT_EXPECT_EQ(test, st_test_block(conn, &cts[1])->later, 1);
	KUNIT_EXPECT_EQ(test, st_test_block(conn, &cts[2])->later, 1);
	skb_queue_purge(&conn->sent);
	st_test_timeouts(conn);
	path->stats.block = conn->st->timers.rtt;
	path->progress = jiffies - usecs_to_jiffies(4 * RTT);
	st_test_time(conn->st);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), st_test_has(ST_ORDERED) ? 2 : 1);
	KUNIT_EXPECT_EQ(test, st_test_asked(conn, 1, &again), 1);
	KUNIT_EXPECT_EQ(test, conn->st->info.block_retries, st_test_has(ST_ORDERED) ? 2 : 1);
}

/* At the data Source: frames that may take several paths are shifted against each other. */
static void st_delivery_twice(struct kunit *test)
{
	static const bool shifted[] = { false, true, true, false, true, false, false, true };
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	const struct st_send send = {};
	struct st_op rts, cts;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), STUS * STU),
			STUS * STU);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	cts = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	cts.param = BLOCK;
	cts.d_id = rts.s_id;
	cts.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &cts));
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), STUS);
	for (i = 0; i < ARRAY_SIZE(shifted); i++) {
		skb_queue_purge(&conn->sent);
		st_test_rcv(conn, st_test_op_skb(conn, &cts));
		KUNIT_EXPECT_EQ_MSG(test, skb_queue_len(&conn->sent),
				    STUS + (shifted[i] && !st_test_has(ST_ORDERED)),
				    "repeat %u", i);
	}
}

/* With flow control all that there is room for is cleared. */
static void st_delivery_window(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	bool credited = st_test_has(ST_CREDITED);
	struct st_pace *pace = st_link_core(conn->link)->pace;
	struct st_op cts;

	KUNIT_EXPECT_EQ(test, !pace, credited);
	KUNIT_EXPECT_EQ(test, st_test_clear(conn, T_LEN, &cts, 1),
			credited ? ST_BLOCKS_XFER : AT_FIRST);
	if (pace)
		KUNIT_EXPECT_EQ(test, pace->cleared, AT_FIRST << BLOCK);
}

/* With flow control Blocks have the maximum length; else they begin with few STUs. */
static void st_delivery_blocksize(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, ST_BLOCKSIZE);
	bool credited = st_test_has(ST_CREDITED);
	struct st_op cts;

	st_test_clear(conn, T_LEN, &cts, 1);
	KUNIT_EXPECT_EQ(test, cts.param,
			credited ? ilog2(conn->st->sk.sk_rcvbuf) - 1 : BLOCK);
}

/* Where the medium says so, a Block is one STU, whichever side sends; ST A.5. */
static void st_delivery_one_stu(struct kunit *test)
{
	static const struct st_send send;
	struct st_test_conn *conn;
	struct st_op op;

	st_test_traits |= ST_BLOCK_IS_STU;
	conn = st_test_delivery(test, ST_BLOCKSIZE);
	st_test_clear(conn, T_LEN, &op, 1);
	KUNIT_EXPECT_EQ(test, op.param, LOSSY_STU);
	KUNIT_EXPECT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), 1 << BLOCK),
			1 << BLOCK);
	op = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, op.b_id, LOSSY_STU);
}

/* Only a paced link measures its bandwidth-delay product; all measure the time of a Block. */
static void st_delivery_measures(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	const struct st_path_stats *stats = &conn->st->paths.first.stats;
	bool paced = !st_test_has(ST_CREDITED);
	struct st_op cts;

	st_test_clear(conn, T_LEN, &cts, 1);
	st_test_stus(conn, &cts, 0, 0);
	KUNIT_EXPECT_EQ(test, !!stats->rtt_min, paced);
	KUNIT_EXPECT_EQ(test, stats->block.srtt, 0);
	st_test_stus(conn, &cts, 1, STUS - 1);
	KUNIT_EXPECT_EQ(test, stats->seen, paced);
	KUNIT_EXPECT_EQ(test, stats->clean, paced);
	KUNIT_EXPECT_EQ(test, !!stats->flow.since, paced);
	KUNIT_EXPECT_NE(test, stats->block.srtt, 0);
}

static unsigned long st_test_block_timeout(struct st_test_conn *conn, const struct st_block *blk)
{
	unsigned long timeout;

	spin_lock_bh(&conn->st->lock);
	timeout = st_block_timeout(blk);
	spin_unlock_bh(&conn->st->lock);
	return timeout;
}

/*
 * If losses are rare, all of Op_timeout passes before a Block without a sign of loss is asked for.
 */
static void st_delivery_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	bool reliable = st_test_has(ST_RELIABLE);
	struct st_block *blk;
	struct st_op cts;

	st_test_clear(conn, T_LEN, &cts, 1);
	st_test_timeouts(conn);
	blk = st_test_block(conn, &cts);
	KUNIT_EXPECT_EQ(test, st_test_block_timeout(conn, blk),
			msecs_to_jiffies(reliable ? LONGEST : SHORTEST));
	blk->later = 1;
	KUNIT_EXPECT_EQ(test, st_test_block_timeout(conn, blk), msecs_to_jiffies(SHORTEST));
	blk->later = 0;
	blk->in_vain = true;
	KUNIT_EXPECT_EQ(test, st_test_block_timeout(conn, blk), msecs_to_jiffies(SHORTEST));
}

/* Nor is any operation repeated earlier. */
static void st_delivery_repeat(struct kunit *test)
{
	struct st_test_conn *conn = st_test_delivery(test, BLOCK);
	const struct st_send send = {};
	const struct st_retrans *retrans;
	unsigned long wait;

	st_test_timeouts(conn);
	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), STU), STU);
	retrans = &list_first_entry(&conn->st->source.list, struct st_tx, list)->retrans;
	KUNIT_ASSERT_TRUE(test, retrans->armed);
	KUNIT_EXPECT_EQ(test, retrans->tlp, !st_test_has(ST_RELIABLE));
	wait = retrans->expires - jiffies;
	KUNIT_EXPECT_EQ(test, wait > msecs_to_jiffies(SHORTEST / 2), st_test_has(ST_RELIABLE));
}

static struct kunit_case st_delivery_cases[] = {
	KUNIT_CASE_PARAM(st_delivery_gap, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_gap_once, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_later, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_late, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_channels, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_soon, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_twice, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_window, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_blocksize, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_one_stu, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_measures, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_timeout, st_delivery_link_gen_params),
	KUNIT_CASE_PARAM(st_delivery_repeat, st_delivery_link_gen_params),
	{}
};

static struct kunit_suite st_delivery_suite = {
	.name = "st_delivery",
	.init = st_delivery_init,
	.exit = st_test_restore_params,
	.test_cases = st_delivery_cases,
};

kunit_test_suite(st_delivery_suite);
