// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of repeats before Op_timeout for what may be lost (compare RFC 8985 7): of
 * operations, and of Blocks at the data Destination.  The test is the peer; it sets the measured
 * times and lets timers expire.
 */
#include <linux/net.h>

#include "st_sock.h"
#include "conn.h"

#define PEER_ID		9
#define SHORTEST	300000	/* ms, Op_timeouts: longer than any test */
#define LONGEST		600000
#define RETRIES		2
#define RTT		10000000U	/* us */
#define TICKS		2	/* added to the measured time */
#define STUS		8	/* in a Block */
#define BLOCKS		4	/* of a record, all cleared at once */
#define LEN		(BLOCKS * STUS * STU)

static int st_repeat_init(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	int err = st_test_kind_init(test) ?: st_test_keep_params(test);

	if (err)
		return err;
	sn->op_timeout = LONGEST;
	sn->op_timeout_min = SHORTEST;
	sn->max_retry = RETRIES;
	return 0;
}

static void st_repeat_exit(struct kunit *test)
{
	st_test_restore_params(test);
	st_test_kind_exit(test);
}

static u64 st_test_log(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

/* This is the only measurement. */
static void st_test_measured(struct st_rtt *rtt, u32 us)
{
	*rtt = (struct st_rtt) {};
	st_rtt_sample(rtt, us);
}

/* SRTT + 4 RTTVAR are then three times the measured time, RFC 6298 2.2. */
static unsigned long st_test_ooo(u32 us)
{
	return usecs_to_jiffies(3 * us) + TICKS;
}

/* An operation waits so long for its repeat, and the timer expires no later. */
static void st_test_waits(struct st_test_conn *conn, const struct st_retrans *retrans,
			  unsigned long timeout)
{
	struct st_sock *st = conn->st;

	KUNIT_EXPECT_TRUE(conn->test, time_before_eq(retrans->expires, jiffies + timeout));
	KUNIT_EXPECT_TRUE(conn->test, time_after(retrans->expires, jiffies + timeout - 5 * HZ));
	KUNIT_EXPECT_TRUE(conn->test, timer_pending(&st->timers.timer));
	KUNIT_EXPECT_TRUE(conn->test, time_before_eq(st->timers.timer.expires, retrans->expires));
}

/* Send a record.  Return: the repeated operation. */
static struct st_retrans *st_test_record(struct st_test_conn *conn)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	struct kvec vec = { .iov_base = conn->data, .iov_len = STU };
	struct st_retrans *retrans;

	KUNIT_ASSERT_EQ(conn->test, kernel_sendmsg(conn->sock, &msg, &vec, 1, STU), STU);
	retrans = &list_last_entry(&conn->st->source.list, struct st_tx, list)->retrans;
	KUNIT_ASSERT_TRUE(conn->test, retrans->armed);
	return retrans;
}

/* An operation starts to wait for its answer. */
static void st_test_retrans(struct st_test_conn *conn, struct st_retrans *retrans,
			    const struct st_op *op)
{
	spin_lock_bh(&conn->st->lock);
	st_retrans_start(conn->st, retrans, op);
	spin_unlock_bh(&conn->st->lock);
}

/* The timer expires: the operation is repeated, and nothing else is sent. */
static void st_test_repeated(struct st_test_conn *conn, struct st_retrans *retrans)
{
	struct kunit *test = conn->test;
	struct st_hdr got, expected;
	struct st_op op;

	skb_queue_purge(&conn->sent);
	retrans->expires = jiffies;
	st_test_time(conn->st);
	KUNIT_ASSERT_EQ(test, skb_queue_len(&conn->sent), 1);
	op = st_test_sent(conn, retrans->op.op);
	st_op_pack(&op, &got);
	st_op_pack(&retrans->op, &expected);
	KUNIT_EXPECT_MEMEQ(test, &got, &expected, sizeof(got));
}

/* A Clear_To_Send answers the Request_To_Send of a record. */
static void st_test_clear(struct st_test_conn *conn, const struct st_op *rts)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);

	op.param = LOSSY_STU;
	op.d_id = rts->s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* The first repeat is early, the others are not. */
static void st_repeat_once(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans *retrans;

	st_test_measured(&conn->st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	st_test_waits(conn, retrans, st_test_ooo(RTT));
	st_test_repeated(conn, retrans);
	st_test_waits(conn, retrans, msecs_to_jiffies(SHORTEST));
	st_test_repeated(conn, retrans);
	st_test_waits(conn, retrans, msecs_to_jiffies(2 * SHORTEST));
}

/* An operation that already waits when another is repeated early is not repeated early. */
static void st_repeat_armed_before(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans *retrans;

	st_test_measured(&conn->st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	st_test_waits(conn, retrans, st_test_ooo(RTT));
	conn->st->timers.rtt.tlp = 1;
	skb_queue_purge(&conn->sent);
	retrans->expires = jiffies;
	st_test_time(conn->st);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_waits(conn, retrans, msecs_to_jiffies(SHORTEST));
	st_test_repeated(conn, retrans);
	st_test_waits(conn, retrans, msecs_to_jiffies(2 * SHORTEST));
}

/* Operations that the peer may forget, or that may overtake what they ask for, are excluded. */
static void st_repeat_others(struct kunit *test)
{
	static const u8 codes[] = {
		ST_OP_REQUEST_TO_RECEIVE, ST_OP_REQUEST_MEMORY_REGION, ST_OP_GET, ST_OP_END,
		ST_OP_REQUEST_STATE,
	};
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans retrans = {};
	unsigned int i;
	struct st_op op;

	st_test_measured(&conn->st->timers.rtt, RTT);
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		/* A Request_State for Block 0 */
		op = (struct st_op) { .op = codes[i], .d_id = PEER_ID };
		st_test_retrans(conn, &retrans, &op);
		KUNIT_EXPECT_FALSE_MSG(test, retrans.tlp, "%s", st_op_name(codes[i]));
		st_test_waits(conn, &retrans, msecs_to_jiffies(SHORTEST));
	}
}

/* Questions whose answer does not depend on the time: for Slots, for a Transfer */
static void st_repeat_questions(struct kunit *test)
{
	const struct st_op ops[] = {
		{ .op = ST_OP_REQUEST_STATE, .d_id = ST_ID_NONE },
		{ .op = ST_OP_REQUEST_STATE, .d_id = PEER_ID, .b_num = ST_B_NUM_NONE },
	};
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans retrans = {};
	unsigned int i;

	st_test_measured(&conn->st->timers.rtt, RTT);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		st_test_retrans(conn, &retrans, &ops[i]);
		KUNIT_EXPECT_TRUE(test, retrans.tlp);
		st_test_waits(conn, &retrans, st_test_ooo(RTT));
	}
}

/* At least two round trips, however little they vary. */
static void st_repeat_steady(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	unsigned int i;

	st_test_measured(&conn->st->timers.rtt, RTT);
	for (i = 0; i < 100; i++)
		st_rtt_sample(&conn->st->timers.rtt, RTT);
	KUNIT_ASSERT_LT(test, conn->st->timers.rtt.rttvar, RTT / 2);
	st_test_waits(conn, st_test_record(conn), usecs_to_jiffies(2 * RTT) + TICKS);
}

/* An early repeat is no sign of a loss, and is not counted as one. */
static void st_repeat_counts_not(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_sock *st = conn->st;
	struct st_retrans *retrans;
	struct st_rtt before;
	struct st_op rts;

	st_test_measured(&st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	rts = retrans->op;
	st_test_repeated(conn, retrans);
	KUNIT_EXPECT_EQ(test, st->timers.rtt.backoff, 0);
	KUNIT_EXPECT_EQ(test, st->info.op_retries, 1);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_OP_TIMEOUT), 0);
	/* It is unknown which try was answered */
	before = st->timers.rtt;
	st_test_clear(conn, &rts);
	KUNIT_EXPECT_MEMEQ(test, &before, &st->timers.rtt, sizeof(before));
}

/* All Max_Retry repeats come after it, ST 10.1. */
static void st_repeat_max_retry(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_sock *st = conn->st;
	struct st_retrans *retrans;
	unsigned int i;

	st_test_measured(&st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	st_test_repeated(conn, retrans);
	for (i = 1; i <= RETRIES; i++) {
		st_test_repeated(conn, retrans);
		KUNIT_EXPECT_EQ(test, st->timers.rtt.backoff, i);
		KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_OP_TIMEOUT), i);
	}
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_MAX_RETRY), 0);
	retrans->expires = jiffies;
	st_test_time(st);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_OP_TIMEOUT), RETRIES + 1);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_MAX_RETRY), 1);
	KUNIT_EXPECT_EQ(test, st->sk.sk_err, ETIMEDOUT);
}

/* After an early repeat there is no other until a round trip is measured. */
static void st_repeat_next(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans *retrans, other = {};

	st_test_measured(&conn->st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	st_test_repeated(conn, retrans);
	st_test_retrans(conn, &other, &retrans->op);
	st_test_waits(conn, &other, msecs_to_jiffies(SHORTEST));
	/* The same sample again: RTTVAR is three quarters of its value before */
	st_rtt_sample(&conn->st->timers.rtt, RTT);
	st_test_retrans(conn, &other, &retrans->op);
	st_test_waits(conn, &other, usecs_to_jiffies(RTT / 2 * 5) + TICKS);
}

/* The peer lacks a part: the next question is early again, but only once. */
static void st_repeat_state(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_retrans *retrans;
	struct st_op rts;

	st_test_measured(&conn->st->timers.rtt, RTT);
	retrans = st_test_record(conn);
	rts = retrans->op;
	st_test_clear(conn, &rts);
	KUNIT_ASSERT_EQ(test, retrans->op.op, ST_OP_REQUEST_STATE);
	st_test_measured(&conn->st->timers.rtt, RTT);
	retrans->expires = jiffies + msecs_to_jiffies(LONGEST);
	st_test_arrived(conn, &rts, PEER_ID, ST_B_NUM_NONE);
	st_test_waits(conn, retrans, st_test_ooo(RTT));
	st_test_repeated(conn, retrans);
	st_test_arrived(conn, &rts, PEER_ID, ST_B_NUM_NONE);
	st_test_waits(conn, retrans, msecs_to_jiffies(SHORTEST));
	st_test_repeated(conn, retrans);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_OP_TIMEOUT), 1);
}

/* As if nothing had been heard about a repeated operation for so long */
static void st_test_unheard(struct st_retrans *retrans, unsigned int ms)
{
	retrans->since -= msecs_to_jiffies(ms);
}

/* ST_USER_TIMEOUT counts from the last answer, even from a partial one. */
static void st_repeat_user_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_sock *st = conn->st;
	struct st_retrans *retrans;
	unsigned int i;
	struct st_op rts;

	st->opts.user_timeout = LONGEST;
	retrans = st_test_record(conn);
	rts = retrans->op;
	for (i = 0; i < 2 * RETRIES; i++)
		st_test_repeated(conn, retrans);
	st_test_clear(conn, &rts);
	KUNIT_ASSERT_EQ(test, retrans->op.op, ST_OP_REQUEST_STATE);
	for (i = 0; i < 2; i++) {
		st_test_unheard(retrans, LONGEST - SHORTEST);
		st_test_arrived(conn, &rts, PEER_ID, ST_B_NUM_NONE);
		st_test_repeated(conn, retrans);
	}
	st_test_unheard(retrans, LONGEST - SHORTEST / 2);
	st_retrans_wait(st, retrans);
	st_test_waits(conn, retrans, msecs_to_jiffies(SHORTEST / 2));
	st_test_unheard(retrans, SHORTEST / 2);
	retrans->expires = jiffies;
	st_test_time(st);
	KUNIT_EXPECT_EQ(test, st->sk.sk_err, ETIMEDOUT);
}

/* A record without a waiter is limited by Max_Retry, and so is a question. */
static void st_repeat_orphan(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	const struct st_op op = { .op = ST_OP_REQUEST_DISCONNECT };
	struct st_retrans retrans = {}, brief = { .brief = true };
	struct st_sock *st = conn->st;

	st->opts.user_timeout = INT_MAX;
	st_test_retrans(conn, &retrans, &op);
	st_test_retrans(conn, &brief, &op);
	retrans.tries = RETRIES;
	brief.tries = RETRIES;
	spin_lock_bh(&st->lock);
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &brief, brief.expires), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), 1);
	sock_set_flag(&st->sk, SOCK_DEAD);
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), -ETIMEDOUT);
	sock_reset_flag(&st->sk, SOCK_DEAD);
	retrans.armed = true;
	st->vc.peer_hashed = true;
	st->info.rx_ops = 0;
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), -ETIMEDOUT);
	retrans.armed = true;
	st->info.rx_ops++;
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), 1);
	st->vc.peer_hashed = false;
	st->sk.sk_shutdown = SHUTDOWN_MASK;
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), 1);
	st->sk.sk_state = ST_CONNECTING;
	KUNIT_EXPECT_EQ(test, st_retrans_expired(st, &retrans, retrans.expires), -ETIMEDOUT);
	st->sk.sk_state = ST_ESTABLISHED;
	spin_unlock_bh(&st->lock);
}

/* Nothing is repeated before Op_timeout. */
static void st_test_late(struct st_test_conn *conn, u32 timeout)
{
	struct st_retrans *retrans = st_test_record(conn);

	st_test_waits(conn, retrans, msecs_to_jiffies(timeout));
	st_test_repeated(conn, retrans);
	KUNIT_EXPECT_EQ(conn->test, st_test_log(conn, ST_ERR_OP_TIMEOUT), 1);
}

/* An LLP without loss has no early repeats. */
static void st_repeat_in_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_test_late(conn, SHORTEST);
}

/* Each of several paths has its own round trips. */
static void st_repeat_stripe(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_stripe_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_test_waits(conn, st_test_record(conn), msecs_to_jiffies(SHORTEST));
}

static void st_repeat_not_measured(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	conn->st->timers.rtt = (struct st_rtt) {};
	st_test_late(conn, LONGEST);
}

/* After an unanswered repeat there are no early ones. */
static void st_repeat_backed_off(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_rtt_backoff(&conn->st->timers.rtt, 1);
	st_test_late(conn, 2 * SHORTEST);
}

/* Op_timeout is set to a fixed value. */
static void st_repeat_one_op_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_net_of(conn->st)->op_timeout = SHORTEST;
	st_test_late(conn, SHORTEST);
}

/* Repeats are disabled. */
static void st_repeat_none(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_net_of(conn->st)->max_retry = 0;
	st_test_waits(conn, st_test_record(conn), msecs_to_jiffies(SHORTEST));
}

/* Op_timeout may be shorter than the time of an early repeat. */
static void st_repeat_short_op_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_measured(&conn->st->timers.rtt, RTT);
	st_net_of(conn->st)->op_timeout_min = 1;
	st_test_late(conn, 3 * RTT / USEC_PER_MSEC);
}

/* Announce a record.  @cts: the Clear_To_Sends of its Blocks. */
static void st_test_cleared(struct st_test_conn *conn, struct st_op *cts)
{
	unsigned int i;

	st_test_peer_write(conn, PEER_ID, LEN);
	KUNIT_ASSERT_EQ(conn->test, skb_queue_len(&conn->sent), BLOCKS);
	for (i = 0; i < BLOCKS; i++)
		cts[i] = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
}

static void st_test_stus(struct st_test_conn *conn, const struct st_op *cts, u16 from, u16 to)
{
	u16 n;

	for (n = from; n < to; n++)
		st_test_peer_data(conn, cts, n, n * STU, STU, n == STUS - 1 ? ST_F_LAST : 0);
}

/* Nothing has arrived for so long, and the timer expires.  Return: operations sent then. */
static unsigned int st_test_silence(struct st_test_conn *conn, unsigned long silence)
{
	skb_queue_purge(&conn->sent);
	conn->st->paths.first.progress = jiffies - silence;
	st_test_time(conn->st);
	return skb_queue_len(&conn->sent);
}

/* Blocks are cleared, and times are measured. */
static struct st_test_conn *st_test_blocks(struct kunit *test, struct st_op *cts, u32 rtt,
					   u32 block)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);

	st_test_cleared(conn, cts);
	st_test_measured(&conn->st->timers.rtt, rtt);
	st_test_measured(&conn->st->paths.first.stats.block, block);
	return conn;
}

/* The oldest missing Block is asked for early, once; all of them after Op_timeout. */
static void st_repeat_block(struct kunit *test)
{
	struct st_op cts[BLOCKS], again;
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);
	struct st_sock *st = conn->st;
	unsigned long seen = 0;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT) - 10 * HZ), 0);
	KUNIT_EXPECT_TRUE(test, timer_pending(&st->timers.timer));
	KUNIT_EXPECT_TRUE(test, time_before_eq(st->timers.timer.expires,
					       st->paths.first.progress + st_test_ooo(RTT)));
	KUNIT_ASSERT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(test, again.b_num, 0);
	KUNIT_EXPECT_EQ(test, again.offset, cts[0].offset);
	KUNIT_EXPECT_NE(test, again.b_id, cts[0].b_id);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT) + HZ), 0);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, msecs_to_jiffies(SHORTEST)), BLOCKS);
	for (i = 0; i < BLOCKS; i++)
		seen |= BIT(st_test_sent(conn, ST_OP_CLEAR_TO_SEND).b_num);
	KUNIT_EXPECT_EQ(test, seen, GENMASK(BLOCKS - 1, 0));
	/* One that fails after Max_Retry */
	for (i = 1; i < RETRIES; i++)
		KUNIT_EXPECT_EQ(test, BLOCKS,
				st_test_silence(conn, msecs_to_jiffies(SHORTEST) << i));
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_MAX_RETRY), 0);
}

/* Its arrival reveals what else was lost. */
static void st_repeat_block_tells(struct kunit *test)
{
	struct st_op cts[BLOCKS], again;
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);
	unsigned int i;

	KUNIT_ASSERT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
	again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_stus(conn, &again, 0, 2);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_stus(conn, &again, 2, 3);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), BLOCKS - 1);
	for (i = 1; i < BLOCKS; i++)
		KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_CLEAR_TO_SEND).b_num, i);
}

/* While Data arrives nothing is asked for. */
static void st_repeat_block_comes(struct kunit *test)
{
	struct st_op cts[BLOCKS];
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);

	conn->st->paths.first.progress = jiffies - st_test_ooo(RTT);
	st_test_stus(conn, &cts[0], 0, 1);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_time(conn->st);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* Neither before the time that Blocks take, nor before that of the round trips. */
static void st_repeat_block_time(struct kunit *test)
{
	struct st_op cts[BLOCKS];
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT / 10, RTT);
	struct st_path_stats *stats = &conn->st->paths.first.stats;

	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT) - 10 * HZ), 0);
	st_test_measured(&stats->block, 1);
	st_test_measured(&conn->st->timers.rtt, RTT);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, usecs_to_jiffies(2 * RTT) - 10 * HZ), 0);
	stats->block = (struct st_rtt) {};
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 0);
	st_test_measured(&stats->block, RTT);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
}

/* Only Blocks that were asked for once are measured; then the next may be asked for early. */
static void st_repeat_block_measured(struct kunit *test)
{
	struct st_op cts[BLOCKS];
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_rtt *block = &conn->st->paths.first.stats.block;
	u32 srtt;

	st_test_cleared(conn, cts);
	st_test_measured(&conn->st->timers.rtt, RTT);
	st_test_stus(conn, &cts[0], 0, STUS - 1);
	KUNIT_EXPECT_EQ(test, block->srtt, 0);
	st_test_stus(conn, &cts[0], STUS - 1, STUS);
	KUNIT_EXPECT_NE(test, block->srtt, 0);

	st_test_measured(&conn->st->timers.rtt, RTT);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_CLEAR_TO_SEND).b_num, 1);
	srtt = block->srtt;
	st_test_stus(conn, &cts[1], 0, STUS);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.stats.seen, 2);
	KUNIT_EXPECT_EQ(test, block->srtt, srtt);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 0);

	st_test_stus(conn, &cts[2], 0, STUS);
	st_test_measured(&conn->st->timers.rtt, RTT);
	KUNIT_EXPECT_TRUE(test, time_before_eq(conn->st->timers.timer.expires,
					       conn->st->paths.first.progress + st_test_ooo(RTT)));
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
}

/*
 * If these repeats are lost, too, the time until the next one doubles.  Data names the
 * Clear_To_Send that it answers, so that the answer to a repeat is measured, too.
 */
static void st_repeat_block_doubles(struct kunit *test)
{
	struct st_op cts[BLOCKS], again;
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);
	struct st_rtt *block = &conn->st->paths.first.stats.block;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, 0, st_test_silence(conn, (st_test_ooo(RTT) << i) - HZ));
		KUNIT_ASSERT_EQ(test, 1, st_test_silence(conn, st_test_ooo(RTT) << i));
		again = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
		KUNIT_EXPECT_EQ(test, again.b_num, i);
	}
	KUNIT_EXPECT_EQ(test, block->tlp, 3);
	KUNIT_EXPECT_EQ(test, block->srtt, RTT << 3);
	st_test_stus(conn, &again, 0, STUS);
	KUNIT_EXPECT_EQ(test, block->tlp, 0);
	KUNIT_EXPECT_LT(test, block->srtt, RTT << 3);
}

/* A Block that was only late counts neither as a loss nor as reordering by the network. */
static void st_repeat_block_in_vain(struct kunit *test)
{
	struct st_op cts[BLOCKS];
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);
	struct st_sock *st = conn->st;
	const struct st_path_stats *stats = &st->paths.first.stats;

	st_test_stus(conn, &cts[0], 0, 1);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 1);
	KUNIT_EXPECT_EQ(test, st->info.block_retries, 1);
	KUNIT_EXPECT_EQ(test, st->dest.sink->blocks[cts[0].b_id % ST_BLOCKS]->tries, 0);
	st_test_stus(conn, &cts[0], 1, STUS);
	KUNIT_EXPECT_EQ(test, stats->seen, 1);
	KUNIT_EXPECT_EQ(test, stats->clean, 1);
	KUNIT_EXPECT_EQ(test, stats->lost, 0);
	KUNIT_EXPECT_EQ(test, stats->reorder, 0);
}

/* A peer that cannot send a Block again is not asked for it, ST 10.7.8. */
static void st_repeat_block_never(struct kunit *test)
{
	struct st_op cts[BLOCKS];
	struct st_test_conn *conn = st_test_blocks(test, cts, RTT, RTT);

	conn->st->vc.out_of_order = false;
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 0);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.blocks, BLOCKS);
}

/* A stream may have nothing to send. */
static void st_repeat_stream(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	struct st_op cts;

	st_test_peer_write(conn, PEER_ID, 0);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_stus(conn, &cts, 0, STUS);
	KUNIT_EXPECT_EQ(test, conn->st->paths.first.stats.block.srtt, 0);
	KUNIT_EXPECT_NE(test, conn->st->paths.first.blocks, 0);
	st_test_measured(&conn->st->timers.rtt, RTT);
	st_test_measured(&conn->st->paths.first.stats.block, RTT);
	KUNIT_EXPECT_EQ(test, st_test_silence(conn, st_test_ooo(RTT)), 0);
}

/* Each case runs over LLPs with addresses of each kind */
KUNIT_ARRAY_PARAM_DESC(st_test_kind, st_test_kinds, name);

static struct kunit_case st_repeat_cases[] = {
	KUNIT_CASE_PARAM(st_repeat_once, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_armed_before, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_others, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_questions, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_steady, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_counts_not, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_max_retry, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_next, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_state, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_user_timeout, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_orphan, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_in_order, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_stripe, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_not_measured, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_backed_off, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_one_op_timeout, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_none, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_short_op_timeout, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_tells, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_comes, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_time, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_measured, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_doubles, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_in_vain, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_block_never, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_repeat_stream, st_test_kind_gen_params),
	{}
};

static struct kunit_suite st_repeat_suite = {
	.name = "st_repeat",
	.init = st_repeat_init,
	.exit = st_repeat_exit,
	.test_cases = st_repeat_cases,
};

kunit_test_suite(st_repeat_suite);
