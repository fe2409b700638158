// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of state that operations of the peer create: it is charged, refused beyond the
 * limits, and uncharged again.
 */
#include "conn/conn.h"
#include "conn/host.h"
#include "mem/mem.h"
#include "conn.h"

#define PEER_ID		0x100
#define MANY		64	/* as many as the Slots that a socket offers */
#define ROOM		20000	/* bytes for the peer; too few for MANY Transfers */
#define MOST		(ROOM + ROOM / ST_RESERVE)
#define ENOUGH		1000000

struct st_kept {
	struct st_test_conn	*conn;
	struct st_host		*host;
	u64			refused;
};

static u64 st_kept_refused(void)
{
	return atomic64_read(&st_pernet(&init_net)->drops[ST_DROP_PEER_MEMORY]);
}

/* A connection, and another one of the same host that keeps the host after its end */
static struct st_kept st_kept_conn(struct kunit *test, unsigned long most)
{
	struct st_kept k = { .conn = st_test_conn(test), .refused = st_kept_refused() };

	k.host = st_test_conn_beside(k.conn)->st->vc.host;
	KUNIT_ASSERT_PTR_EQ(test, k.host, k.conn->st->vc.host);
	KUNIT_ASSERT_EQ(test, 0, atomic64_read(&k.host->mem));
	skb_queue_purge(&k.conn->sent);
	st_pernet(&init_net)->max_memory_peer = most;
	return k;
}

static void st_kept_option(struct st_test_conn *conn, int name, int value)
{
	KUNIT_ASSERT_EQ(conn->test, 0,
			conn->sock->ops->setsockopt(conn->sock, SOL_ST, name,
						    KERNEL_SOCKPTR(&value), sizeof(value)));
}

static void st_kept_close(const struct st_kept *k)
{
	kunit_release_action(k->conn->test, st_test_sock_free, k->conn->sock);
	KUNIT_EXPECT_EQ(k->conn->test, 0, atomic64_read(&k->host->mem));
}

/* Small allocations are charged together; the last one releases the whole charge. */
static void st_kept_steps(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, ROOM);
	struct st_sock *st = k.conn->st;
	unsigned int n;
	u64 charged;

	KUNIT_EXPECT_TRUE(test, st_host_keep(st, 1));
	charged = atomic64_read(&k.host->mem);
	KUNIT_EXPECT_EQ(test, charged, st->dest.kept_charged);
	for (n = 1; n < charged; n++)
		KUNIT_ASSERT_TRUE(test, st_host_keep(st, 1));
	KUNIT_EXPECT_EQ(test, charged, atomic64_read(&k.host->mem));
	KUNIT_EXPECT_TRUE(test, st_host_keep(st, 1));
	KUNIT_EXPECT_EQ(test, 2 * charged, atomic64_read(&k.host->mem));
	KUNIT_EXPECT_EQ(test, 0, st->dest.mem);

	/* More than a step is charged exactly, or not at all */
	KUNIT_EXPECT_TRUE(test, st_host_keep(st, 10000));
	KUNIT_EXPECT_EQ(test, 2 * charged + 10000, atomic64_read(&k.host->mem));
	KUNIT_EXPECT_FALSE(test, st_host_keep(st, ROOM));
	KUNIT_EXPECT_EQ(test, k.refused + 1, st_kept_refused());
	KUNIT_EXPECT_EQ(test, 2 * charged + 10000, atomic64_read(&k.host->mem));

	st_host_forget(st, 10000);
	KUNIT_EXPECT_LE(test, atomic64_read(&k.host->mem), 3 * charged);
	while (st->dest.kept) {
		KUNIT_ASSERT_GE(test, atomic64_read(&k.host->mem), st->dest.kept);
		st_host_forget(st, 1);
	}
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&k.host->mem));
	KUNIT_EXPECT_EQ(test, 0, st->dest.kept_charged);
}

/* Data leaves the reserve for other state. */
static void st_kept_besides_data(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, ROOM);
	struct st_sock *st = k.conn->st;

	KUNIT_EXPECT_TRUE(test, st_host_charge(st, ROOM));
	KUNIT_EXPECT_FALSE(test, st_host_charge(st, 1));
	KUNIT_EXPECT_TRUE(test, st_host_keep(st, ROOM / ST_RESERVE));
	KUNIT_EXPECT_FALSE(test, st_host_keep(st, ROOM / ST_RESERVE));
	KUNIT_EXPECT_EQ(test, k.refused + 2, st_kept_refused());
	st_pernet(&init_net)->max_memory_peer = ULONG_MAX;
	KUNIT_EXPECT_TRUE(test, st_host_keep(st, ROOM));
	st_host_forget(st, ROOM + ROOM / ST_RESERVE);
	st_host_uncharge(st, ROOM);
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&k.host->mem));
}

/* Held Writes */
static void st_kept_writes(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, ROOM);
	struct st_sock *st = k.conn->st;
	unsigned int i, n;

	st_kept_option(k.conn, ST_WRITES, ST_WRITES_HOLD);
	for (i = 0; i < MANY; i++)
		st_test_peer_write(k.conn, PEER_ID + i, 1);
	n = st->dest.count;
	KUNIT_EXPECT_GT(test, n, 1);
	KUNIT_EXPECT_LT(test, n, MANY);
	KUNIT_EXPECT_GT(test, atomic64_read(&k.host->mem), ROOM);
	KUNIT_EXPECT_LE(test, atomic64_read(&k.host->mem), MOST);
	KUNIT_EXPECT_GE(test, st->dest.kept, sizeof(struct st_sink) + n * sizeof(struct st_rx));
	/* Refused without an answer, as without a Slot: the peer repeats it after its Op_timeout */
	KUNIT_EXPECT_EQ(test, k.refused + MANY - n, st_kept_refused());
	KUNIT_EXPECT_EQ(test, skb_queue_len(&k.conn->sent), n);

	st_pernet(&init_net)->max_memory_peer = ENOUGH;
	for (i = 0; i < MANY; i++)
		st_test_peer_write(k.conn, PEER_ID + i, 1);
	KUNIT_EXPECT_EQ(test, st->dest.count, MANY);
	/* Once refused, only that fact is remembered */
	st_kept_option(k.conn, ST_WRITES, ST_WRITES_REFUSE);
	KUNIT_EXPECT_EQ(test, st->dest.kept, sizeof(struct st_sink));
	st_kept_close(&k);
}

/* Received Writes, with Blocks and pages */
static void st_kept_blocks(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, ENOUGH);
	struct st_sock *st = k.conn->st;
	unsigned int i;

	for (i = 0; i < MANY; i++)
		st_test_peer_write(k.conn, PEER_ID + i, 1);
	KUNIT_EXPECT_EQ(test, st->dest.count, MANY);
	for (i = 0; i < ST_BLOCKS && st->dest.sink->blocks[i]; i++)
		;
	KUNIT_EXPECT_GT(test, i, 1);
	KUNIT_EXPECT_EQ(test, st->dest.mem, i * PAGE_SIZE);
	KUNIT_EXPECT_GE(test, st->dest.kept, sizeof(struct st_sink) + MANY * sizeof(struct st_rx) +
			i * (sizeof(struct st_block) + sizeof(struct st_chunk) +
			     sizeof(struct st_buf)));
	st_kept_close(&k);
}

/* Clear_To_Sends of Blocks that wait while the LLP has its limit of Data */
static void st_kept_cts(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, ROOM / 4);
	struct st_test_conn *conn = k.conn;
	const struct st_send send = { .channel = ST_DATA_CHANNEL };
	struct st_sock *st = conn->st;
	struct st_op rts, op;
	unsigned int i, n;

	KUNIT_ASSERT_EQ(test, T_LEN, st_test_ctl(conn, ST_SEND, &send, sizeof(send), T_LEN));
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	refcount_add(SZ_16M, &st->sk.sk_wmem_alloc);
	for (i = 0; i < ST_CTS_MAX; i++) {
		op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
		op.param = ST_BLOCK_MIN;
		op.offset = i << ST_BLOCK_MIN;
		op.b_num = i;
		op.d_id = rts.s_id;
		op.s_id = PEER_ID;
		st_test_rcv(conn, st_test_op_skb(conn, &op));
	}
	n = st->source.cts;
	KUNIT_EXPECT_GT(test, n, 1);
	KUNIT_EXPECT_LT(test, n, ST_CTS_MAX);
	KUNIT_EXPECT_EQ(test, st->dest.kept, n * sizeof(struct st_cts));
	KUNIT_EXPECT_EQ(test, k.refused + ST_CTS_MAX - n, st_kept_refused());
	KUNIT_EXPECT_LE(test, atomic64_read(&k.host->mem), MOST / 4);

	op = st_test_peer_op(conn, ST_OP_END, 0);
	op.d_id = rts.s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_EQ(test, st->source.cts, 0);
	KUNIT_EXPECT_EQ(test, 0, atomic64_read(&k.host->mem));
	KUNIT_EXPECT_FALSE(test, refcount_sub_and_test(SZ_16M, &st->sk.sk_wmem_alloc));
}

/* Reads of the peer that wait for the application */
static void st_kept_reads(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, 0);
	struct st_op op = st_test_peer_op(k.conn, ST_OP_REQUEST_TO_RECEIVE, ST_DATA_CHANNEL);
	struct st_sock *st = k.conn->st;
	unsigned int i, kept;

	st_kept_option(k.conn, ST_SERVE, ST_SERVE_READS);
	op.s_id = PEER_ID;
	st_op_set_t_len(&op, 100);
	st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	KUNIT_EXPECT_EQ(test, k.refused + 1, st_kept_refused());
	KUNIT_EXPECT_EQ(test, 0, st->dest.kept);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&k.conn->sent));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&st->events.queue));

	st_pernet(&init_net)->max_memory_peer = ENOUGH;
	for (i = 0; i < ST_READS; i++) {
		op.s_id = PEER_ID + i;
		st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	}
	KUNIT_EXPECT_EQ(test, skb_queue_len(&k.conn->sent), ST_READS);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&st->events.queue), ST_READS);
	kept = st->dest.kept;
	KUNIT_EXPECT_GT(test, kept, ST_READS * sizeof(u64));
	skb_queue_purge(&st->events.queue);
	st_kept_option(k.conn, ST_SERVE, 0);
	op = st_test_peer_op(k.conn, ST_OP_REQUEST_DISCONNECT, 0);
	op.offset = PEER_KEY;
	st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	KUNIT_EXPECT_LT(test, st->dest.kept, kept - ST_READS * sizeof(u64));
	st_kept_close(&k);
}

/* Requests for regions that wait for the application */
static void st_kept_regions(struct kunit *test)
{
	struct st_kept k = st_kept_conn(test, 0);
	struct st_op op = st_test_peer_op(k.conn, ST_OP_REQUEST_MEMORY_REGION, ST_DATA_CHANNEL);
	struct st_sock *st = k.conn->st;
	unsigned int i;

	st_kept_option(k.conn, ST_REGION_EVENTS, ST_REGION_EV_REQUEST);
	op.s_id = PEER_ID;
	st_op_set_t_len(&op, 100);
	st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	KUNIT_EXPECT_EQ(test, k.refused + 1, st_kept_refused());
	KUNIT_EXPECT_NULL(test, st->mem);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&k.conn->sent));

	st_pernet(&init_net)->max_memory_peer = ENOUGH;
	for (i = 0; i < ST_ASKED; i++) {
		op.s_id = PEER_ID + i;
		st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	}
	KUNIT_ASSERT_NOT_NULL(test, st->mem);
	KUNIT_EXPECT_EQ(test, st->dest.kept,
			sizeof(struct st_mem) + ST_ASKED * sizeof(struct st_asked));
	op = st_test_peer_op(k.conn, ST_OP_REQUEST_DISCONNECT, 0);
	op.offset = PEER_KEY;
	st_test_rcv(k.conn, st_test_op_skb(k.conn, &op));
	KUNIT_EXPECT_EQ(test, st->dest.kept, sizeof(struct st_mem));
}

static unsigned long st_kept_before;

static int st_kept_suite_init(struct kunit_suite *suite)
{
	st_kept_before = st_pernet(&init_net)->max_memory_peer;
	return 0;
}

static void st_kept_case_exit(struct kunit *test)
{
	st_pernet(&init_net)->max_memory_peer = st_kept_before;
}

static struct kunit_case st_kept_cases[] = {
	KUNIT_CASE(st_kept_steps),
	KUNIT_CASE(st_kept_besides_data),
	KUNIT_CASE(st_kept_writes),
	KUNIT_CASE(st_kept_blocks),
	KUNIT_CASE(st_kept_cts),
	KUNIT_CASE(st_kept_reads),
	KUNIT_CASE(st_kept_regions),
	{}
};

static struct kunit_suite st_kept_suite = {
	.name = "st_kept",
	.suite_init = st_kept_suite_init,
	.exit = st_kept_case_exit,
	.test_cases = st_kept_cases,
};

kunit_test_suite(st_kept_suite);
