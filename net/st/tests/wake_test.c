// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what wakes pollers and waiting calls: each wake-up is an edge for epoll.
 */
#include <linux/net.h>
#include <linux/poll.h>

#include "mem/remote.h"
#include "sock/sock.h"
#include "conn.h"

#define PEER_ID		9
#define LEN		100

/**
 * struct st_wakes - a wait queue entry that counts wake-ups
 * @entry: in the socket's wait queue
 * @in: wake-ups for data
 * @out: wake-ups for room
 * @pri: wake-ups for events
 */
struct st_wakes {
	wait_queue_entry_t	entry;
	unsigned int		in;
	unsigned int		out;
	unsigned int		pri;
};

/* As in epoll, a wake-up without a key counts for everything. */
static int st_test_woken(wait_queue_entry_t *entry, unsigned int mode, int sync, void *key)
{
	struct st_wakes *w = container_of(entry, struct st_wakes, entry);
	__poll_t events = key ? key_to_poll(key) : EPOLLIN | EPOLLOUT | EPOLLPRI;

	w->in += !!(events & EPOLLIN);
	w->out += !!(events & EPOLLOUT);
	/* sk_data_ready() wakes for both */
	w->pri += (events & (EPOLLIN | EPOLLPRI)) == EPOLLPRI;
	return 0;
}

static void st_test_deaf(void *data)
{
	struct st_wakes *w = data;

	remove_wait_queue(w->entry.private, &w->entry);
}

static struct st_wakes *st_test_wakes(struct st_test_conn *conn)
{
	struct st_wakes *w = kunit_kzalloc(conn->test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(conn->test, w);
	init_waitqueue_func_entry(&w->entry, st_test_woken);
	w->entry.private = sk_sleep(&conn->st->sk);
	add_wait_queue(w->entry.private, &w->entry);
	KUNIT_ASSERT_EQ(conn->test, 0, kunit_add_action_or_reset(conn->test, st_test_deaf, w));
	return w;
}

/* The peer sends a record; as with AF_ST, all Data of a Block but the last is Silent. */
static void st_test_peer_record(struct st_test_conn *conn, u32 id, unsigned int stus, u16 flags)
{
	struct st_op cts;
	unsigned int i;

	st_test_peer_write(conn, id, stus * LEN);
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	for (i = 0; i < stus; i++)
		st_test_peer_data(conn, &cts, i, i * LEN, LEN,
				  i < stus - 1 ? ST_F_SILENT : ST_F_LAST | flags);
}

/* Every record that becomes readable is an edge, but no part of it. */
static void st_wake_records(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	unsigned int i;

	for (i = 0; i < 5; i++) {
		st_test_peer_record(conn, PEER_ID + i, 20, ST_F_SEND_STATE);
		KUNIT_EXPECT_EQ(test, w->in, i + 1);
	}
	/* Silent records wake nobody, ST 8.2. */
	st_test_peer_record(conn, PEER_ID + i, 20, ST_F_SILENT);
	KUNIT_EXPECT_EQ(test, w->in, 5);
}

/* A Silent record does not hide the wake-up of the next, which is not Silent. */
static void st_wake_behind_silent(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);

	st_test_peer_record(conn, PEER_ID, 2, ST_F_SILENT);
	KUNIT_EXPECT_EQ(test, w->in, 0);
	st_test_peer_record(conn, PEER_ID + 1, 2, ST_F_SEND_STATE);
	KUNIT_EXPECT_EQ(test, w->in, 1);
}

/* A record that cannot be read yet, as one before it is incomplete, is no edge. */
static void st_wake_out_of_order(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	struct st_op first;

	st_test_peer_write(conn, PEER_ID, LEN);
	first = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_peer_record(conn, PEER_ID + 1, 1, ST_F_SEND_STATE);
	KUNIT_EXPECT_EQ(test, w->in, 0);
	st_test_peer_data(conn, &first, 0, 0, LEN, ST_F_LAST | ST_F_SEND_STATE);
	KUNIT_EXPECT_EQ(test, w->in, 1);
}

/* A Read that fails behind a record is one more edge: recvmsg() reports it. */
static void st_wake_failed_read(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	const struct st_read read = { .len = LEN };
	struct st_wakes *w = st_test_wakes(conn);
	struct st_op rtr, op;

	st_test_peer_record(conn, PEER_ID, 1, ST_F_SEND_STATE);
	KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_READ, &read, sizeof(read), 0));
	rtr = st_test_sent(conn, ST_OP_REQUEST_TO_RECEIVE);
	w->in = 0;
	w->pri = 0;
	op = st_test_peer_op(conn, ST_OP_REQUEST_ANSWER, ST_F_REJECT);
	op.d_id = rtr.s_id;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_EQ(test, w->in, 1);
	KUNIT_EXPECT_EQ(test, w->pri, 1);	/* ST_EVENT_READ_FAILED */
}

static void st_test_option(struct st_test_conn *conn, int level, int option, int val)
{
	KUNIT_ASSERT_EQ(conn->test, 0,
			conn->sock->ops->setsockopt(conn->sock, level, option, KERNEL_SOCKPTR(&val),
						    sizeof(val)));
}

/* A held record that its sender has ended can be read once it is accepted. */
static void st_wake_held(struct kunit *test)
{
	const struct st_write_answer answer = { .id = PEER_ID };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	struct st_op op;
	struct st_rx *rx;

	st_test_option(conn, SOL_ST, ST_WRITES, ST_WRITES_HOLD);
	st_test_peer_write(conn, PEER_ID, LEN);
	rx = list_first_entry_or_null(&conn->st->dest.held, struct st_rx, list);
	KUNIT_ASSERT_NOT_NULL(test, rx);
	op = st_test_peer_op(conn, ST_OP_END, 0);
	op.d_id = rx->x.id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	w->in = 0;
	KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_WRITE_ANSWER, &answer, sizeof(answer), 0));
	KUNIT_EXPECT_TRUE(test, st_test_readable(conn));
	KUNIT_EXPECT_EQ(test, w->in, 1);
}

/* Fill SO_SNDBUF with records, or a stream, that the peer does not acknowledge. */
static void st_test_fill(struct st_test_conn *conn, int flags)
{
	struct kvec vec = { .iov_base = conn->data, .iov_len = LEN };
	struct msghdr msg = { .msg_flags = flags | MSG_DONTWAIT };

	while (kernel_sendmsg(conn->sock, &msg, &vec, 1, LEN) == LEN)
		;
	KUNIT_ASSERT_FALSE(conn->test, st_tx_writable(conn->st));
}

/* A larger SO_SNDBUF makes room; an skb that has left the device does not. */
static void st_wake_sndbuf(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	int size = conn->st->sk.sk_sndbuf;

	st_test_option(conn, SOL_SOCKET, SO_SNDBUF, 10000);
	st_test_fill(conn, 0);
	w->out = 0;
	skb_queue_purge(&conn->sent);
	st_test_option(conn, SOL_SOCKET, SO_SNDBUF, 10001);
	KUNIT_EXPECT_EQ(test, w->out, 0);
	st_test_option(conn, SOL_SOCKET, SO_SNDBUF, size);
	KUNIT_EXPECT_EQ(test, w->out, 1);
}

/* A stream that ends early makes room. */
static void st_test_stream_ends(struct kunit *test, bool by_peer)
{
	const struct st_end end = { .what = ST_END_SEND };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	struct st_op rts, op;

	st_test_fill(conn, MSG_MORE);
	KUNIT_ASSERT_NOT_NULL(test, conn->st->source.stream);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	w->out = 0;
	if (by_peer) {
		op = st_test_peer_op(conn, ST_OP_END, 0);
		op.d_id = rts.s_id;
		op.s_id = PEER_ID;
		st_test_rcv(conn, st_test_op_skb(conn, &op));
	} else {
		KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_END, &end, sizeof(end), 0));
	}
	KUNIT_EXPECT_NULL(test, conn->st->source.stream);
	KUNIT_EXPECT_GE(test, w->out, 1);
}

static void st_wake_stream_refused(struct kunit *test)
{
	st_test_stream_ends(test, true);
}

static void st_wake_stream_ended(struct kunit *test)
{
	st_test_stream_ends(test, false);
}

/* One of the limit of operations on memory of the peer completes */
static void st_wake_operations(struct kunit *test)
{
	struct st_region_request req = { .len = PAGE_SIZE, .flags = ST_REGION_NOWAIT };
	struct st_fetchop fetchop = { .op = ST_FETCH_CLEAR, .flags = ST_POST };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_wakes *w = st_test_wakes(conn);
	struct st_op op, first;
	unsigned int i;

	conn->st->vc.remote_function = ST_FN_HAS_MEMORY | ST_FN_HAS_FETCHOP;
	KUNIT_ASSERT_EQ(test, 0, st_remote_request(conn->st, &req));
	first = st_test_sent(conn, ST_OP_REQUEST_MEMORY_REGION);
	op = st_test_peer_op(conn, ST_OP_MEMORY_REGION_AVAILABLE, 0);
	op.d_id = first.s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));

	fetchop.region = req.region;
	for (i = 0; i < ST_ONESIDED; i++)
		KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_FETCHOP, &fetchop, sizeof(fetchop),
						     0));
	KUNIT_EXPECT_EQ(test, -EAGAIN, st_test_ctl(conn, ST_FETCHOP, &fetchop, sizeof(fetchop),
						   0));
	first = st_test_sent(conn, ST_OP_GET);
	w->out = 0;
	op = st_test_peer_op(conn, ST_OP_REQUEST_ANSWER, ST_F_REJECT);
	op.d_id = first.s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_EQ(test, w->out, 1);
	/* The end of a posted operation is reported by an event. */
	flush_workqueue(st_mem_wq);
	KUNIT_EXPECT_EQ(test, w->out, 1);
	KUNIT_EXPECT_EQ(test, 0, st_test_ctl(conn, ST_FETCHOP, &fetchop, sizeof(fetchop), 0));
}

/* A larger SO_RCVBUF makes room for what the peer has announced. */
static void st_wake_rcvbuf(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct sk_buff *skb;
	unsigned int cleared = 0;
	struct st_op op;

	st_test_option(conn, SOL_SOCKET, SO_RCVBUF, 5000);
	st_test_peer_write(conn, PEER_ID, T_LEN);
	st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	st_test_peer_write(conn, PEER_ID + 1, T_LEN);
	skb_queue_purge(&conn->sent);
	st_test_option(conn, SOL_SOCKET, SO_RCVBUF, 2 * T_LEN);
	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		cleared += op.op == ST_OP_CLEAR_TO_SEND;
		kfree_skb(skb);
	}
	KUNIT_EXPECT_GT(test, cleared, 0);
}

static struct kunit_case st_wake_cases[] = {
	KUNIT_CASE(st_wake_records),
	KUNIT_CASE(st_wake_behind_silent),
	KUNIT_CASE(st_wake_out_of_order),
	KUNIT_CASE(st_wake_failed_read),
	KUNIT_CASE(st_wake_held),
	KUNIT_CASE(st_wake_sndbuf),
	KUNIT_CASE(st_wake_stream_refused),
	KUNIT_CASE(st_wake_stream_ended),
	KUNIT_CASE(st_wake_operations),
	KUNIT_CASE(st_wake_rcvbuf),
	{}
};

static struct kunit_suite st_wake_suite = {
	.name = "st_wake",
	.test_cases = st_wake_cases,
};

kunit_test_suite(st_wake_suite);
