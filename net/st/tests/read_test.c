// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Read sequences, ST 6.1.3: the test is the peer, which repeats itself, contradicts
 * itself and asks for too much.
 */
#include "conn/conn.h"
#include "proto/proto.h"
#include "xfer/read.h"
#include "conn.h"

#define PEER_ID		9	/* of the peer's first Read, or its answer to ours */
#define LEN		100

static int st_test_answer(struct st_test_conn *conn, u32 id, u32 flags, size_t len)
{
	const struct st_read_answer answer = { .id = id, .flags = flags };

	return st_test_ctl(conn, ST_READ_ANSWER, &answer, sizeof(answer), len);
}

/* The peer asks for bytes. */
static void st_test_request(struct st_test_conn *conn, u32 id, u8 channel, u64 len)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_RECEIVE, channel);

	op.s_id = id;
	st_op_set_t_len(&op, len);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* The socket has sent this Request_Answer, and nothing after it. */
static void st_test_answered(struct st_test_conn *conn, u32 id, u16 flags)
{
	struct st_op op = st_test_sent(conn, ST_OP_REQUEST_ANSWER);

	KUNIT_EXPECT_EQ(conn->test, op.d_id, id);
	KUNIT_EXPECT_EQ(conn->test, op.flags, flags);
	KUNIT_EXPECT_TRUE(conn->test, skb_queue_empty(&conn->sent));
}

static unsigned int st_test_events(const struct st_test_conn *conn)
{
	return skb_queue_len(&conn->st->events.queue);
}

static u64 st_test_log(const struct st_test_conn *conn, enum st_error err)
{
	return atomic64_read(&conn->st->bind.port->errors[err]);
}

/* Reads are not served, or not these. */
static void st_read_rejected(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_answered(conn, PEER_ID, ST_F_REJECT);
	conn->st->opts.serve = ST_SERVE_READS;
	st_test_request(conn, PEER_ID + 1, 0, LEN);
	st_test_answered(conn, PEER_ID + 1, ST_F_REJECT);
	/* A Data Channel that the LLP does not have */
	st_test_request(conn, PEER_ID + 2, 2, LEN);
	st_test_answered(conn, PEER_ID + 2, ST_F_REJECT);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 0);
	KUNIT_EXPECT_EQ(test, st_rx_slots(conn->st), conn->st->slots.local);
}

/* The peer repeats its request at every stage; only one Read is served. */
static void st_read_repeated(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts, again, op;

	conn->st->opts.serve = ST_SERVE_READS;
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_answered(conn, PEER_ID, 0);
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_answered(conn, PEER_ID, 0);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
	KUNIT_EXPECT_EQ(test, st_rx_slots(conn->st), conn->st->slots.local - 1);

	KUNIT_EXPECT_EQ(test, st_test_answer(conn, PEER_ID, 0, LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, rts.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(test, rts.flags, 1);
	KUNIT_EXPECT_EQ(test, st_op_t_len(&rts), LEN);
	KUNIT_EXPECT_EQ(test, st_rx_slots(conn->st), conn->st->slots.local);
	st_test_request(conn, PEER_ID, 1, LEN);
	again = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, again.s_id, rts.s_id);
	KUNIT_EXPECT_EQ(test, again.d_id, PEER_ID);
	/* Each repeat takes a Slot, ST 5.2.5, but not the one in reserve */
	conn->st->slots.remote_max = 3;
	conn->st->slots.remote = 3;
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, conn->st->slots.remote, 2);
	conn->st->slots.remote = 1;
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_sent(conn, ST_OP_REQUEST_STATE);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	conn->st->slots.remote = ST_SLOTS_NONE;

	op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	op.param = 12;
	op.b_id = 77;
	op.d_id = rts.s_id;
	op.s_id = PEER_ID + 1;	/* not the id of the Read */
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_INVALID_D_ID), 1);
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	op = st_test_sent(conn, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, op.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(test, op.b_id, 77);
	KUNIT_EXPECT_EQ(test, op.s_id, 0);
	KUNIT_EXPECT_EQ(test, op.flags, 1 | ST_F_LAST | ST_F_SEND_STATE);

	again = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);
	again.param = ST_SLOTS_NONE;
	again.sync = op.sync;
	again.d_id = rts.s_id;
	again.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &again));
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->source.list));
	st_test_request(conn, PEER_ID, 1, LEN);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
}

/* A refused Read is refused again, and cannot be answered. */
static void st_read_refused(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	conn->st->opts.serve = ST_SERVE_READS;
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_answered(conn, PEER_ID, 0);
	KUNIT_EXPECT_EQ(test, st_test_answer(conn, PEER_ID, 0, LEN + 1), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, st_test_answer(conn, PEER_ID, ST_READ_REFUSE, 0), 0);
	st_test_answered(conn, PEER_ID, ST_F_REJECT);
	st_test_request(conn, PEER_ID, 1, LEN);
	st_test_answered(conn, PEER_ID, ST_F_REJECT);
	KUNIT_EXPECT_EQ(test, st_test_answer(conn, PEER_ID, 0, LEN), -ENOENT);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
}

/* Reads above the limit are not executed, ST 10.6.2. */
static void st_read_too_many(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	unsigned int i;

	conn->st->opts.serve = ST_SERVE_READS;
	for (i = 0; i < ST_READS; i++) {
		st_test_request(conn, PEER_ID + i, 1, LEN);
		st_test_answered(conn, PEER_ID + i, 0);
	}
	st_test_request(conn, PEER_ID + i, 1, LEN);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_SLOTS_EXCEEDED), 1);
	KUNIT_EXPECT_EQ(test, st_test_answer(conn, PEER_ID, ST_READ_REFUSE, 0), 0);
	st_test_answered(conn, PEER_ID, ST_F_REJECT);
	st_test_request(conn, PEER_ID + i, 1, LEN);
	st_test_answered(conn, PEER_ID + i, 0);
}

/* Post a Read.  Return: its Request_To_Receive. */
static struct st_op st_test_read(struct st_test_conn *conn)
{
	const struct st_read read = { .len = LEN, .token = 5 };
	struct st_op op;

	KUNIT_ASSERT_EQ(conn->test, st_test_ctl(conn, ST_READ, &read, sizeof(read), 0), 0);
	op = st_test_sent(conn, ST_OP_REQUEST_TO_RECEIVE);
	KUNIT_EXPECT_EQ(conn->test, st_op_t_len(&op), LEN);
	KUNIT_EXPECT_EQ(conn->test, op.flags, ST_DATA_CHANNEL);
	KUNIT_EXPECT_NE(conn->test, op.s_id, 0);
	return op;
}

static int st_test_recv(struct st_test_conn *conn, u8 *got)
{
	struct kvec vec = { .iov_base = got, .iov_len = LEN };
	struct msghdr msg = {};

	return kernel_recvmsg(conn->sock, &msg, &vec, 1, LEN, MSG_DONTWAIT);
}

/* The peer postpones the Read, then refuses it. */
static void st_read_put_off(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op op = st_test_read(conn), answer;
	u8 got[LEN];

	answer = st_test_peer_op(conn, ST_OP_REQUEST_ANSWER, 0);
	answer.d_id = op.s_id;
	st_test_rcv(conn, st_test_op_skb(conn, &answer));
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EAGAIN);
	answer.flags = ST_F_REJECT;
	st_test_rcv(conn, st_test_op_skb(conn, &answer));
	st_test_rcv(conn, st_test_op_skb(conn, &answer));
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EAGAIN);
	KUNIT_EXPECT_EQ(test, st_rx_slots(conn->st), conn->st->slots.local);
}

/* The Request_To_Send by which the peer answers our Read */
static struct st_op st_test_echo(const struct st_test_conn *conn, const struct st_op *asked)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL);

	op.b_id = 20;
	op.d_id = asked->s_id;
	op.s_id = PEER_ID;
	st_op_set_t_len(&op, LEN);
	return op;
}

/* The peer ends a Read before it announces the bytes. */
static void st_read_ended_early(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op op = st_test_read(conn), end;
	u8 got[LEN];

	end = st_test_peer_op(conn, ST_OP_END, 0);
	end.d_id = op.s_id;
	end.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &end));
	st_test_rcv(conn, st_test_op_skb(conn, &end));
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_END_ACK).d_id, PEER_ID);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EAGAIN);
	KUNIT_EXPECT_EQ(test, st_rx_slots(conn->st), conn->st->slots.local);
}

/* The answer does not match the Read. */
static void st_read_wrong_echo(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op asked = st_test_read(conn), rts = st_test_echo(conn, &asked);
	u8 got[LEN];

	rts.d_id = asked.s_id + 1;
	st_test_rcv(conn, st_test_op_skb(conn, &rts));
	st_test_answered(conn, PEER_ID, ST_F_REJECT);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_INVALID_D_ID), 1);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EAGAIN);

	rts.d_id = asked.s_id;
	rts.s_id = PEER_ID + 1;
	st_op_set_t_len(&rts, LEN + 1);
	st_test_rcv(conn, st_test_op_skb(conn, &rts));
	st_test_answered(conn, PEER_ID + 1, ST_F_REJECT);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EPROTO);
}

/* The answer arrives, more than once. */
static void st_read_received(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op asked = st_test_read(conn), rts = st_test_echo(conn, &asked), op, cts;
	struct sk_buff *skb;
	u8 got[LEN];

	st_test_rcv(conn, st_test_op_skb(conn, &rts));
	cts = st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
	KUNIT_EXPECT_EQ(test, cts.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(test, cts.s_id, asked.s_id);
	st_test_rcv(conn, st_test_op_skb(conn, &rts));
	st_test_answered(conn, PEER_ID, 0);

	op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | ST_F_LAST | ST_F_SEND_STATE);
	op.b_id = cts.b_id;
	op.d_id = asked.s_id;
	skb = alloc_skb(ST_HDR_LEN + LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	st_op_pack(&op, skb_put(skb, ST_HDR_LEN));
	skb_put_data(skb, conn->data, LEN);
	st_test_rcv(conn, skb);
	op = st_test_sent(conn, ST_OP_REQUEST_STATE_RESPONSE);
	KUNIT_EXPECT_EQ(test, op.offset, 0);
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), LEN);
	KUNIT_EXPECT_MEMEQ(test, got, conn->data, LEN);

	st_test_rcv(conn, st_test_op_skb(conn, &rts));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_recv(conn, got), -EAGAIN);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 0);
}

/* Without an answer the request is repeated Max_Retry times, ST 10.2, table 9. */
static void st_read_unanswered(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_net *sn = st_net_of(conn->st);
	const unsigned int op_timeout = sn->op_timeout, max_retry = sn->max_retry;
	struct st_op asked, again;
	struct msghdr msg = {};
	unsigned int i;
	u8 got[LEN];
	struct kvec vec = { .iov_base = got, .iov_len = LEN };

	WRITE_ONCE(sn->op_timeout, 10);
	WRITE_ONCE(sn->max_retry, 3);
	conn->st->timers.timer.function = st_timer;
	asked = st_test_read(conn);
	KUNIT_EXPECT_EQ(test, kernel_recvmsg(conn->sock, &msg, &vec, 1, LEN, 0), -ETIMEDOUT);
	WRITE_ONCE(sn->op_timeout, op_timeout);
	WRITE_ONCE(sn->max_retry, max_retry);
	for (i = 0; i < 3; i++) {
		again = st_test_sent(conn, ST_OP_REQUEST_TO_RECEIVE);
		KUNIT_EXPECT_EQ(test, again.s_id, asked.s_id);
		KUNIT_EXPECT_EQ(test, st_op_t_len(&again), LEN);
	}
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_OP_TIMEOUT), 4);
	KUNIT_EXPECT_EQ(test, st_test_log(conn, ST_ERR_MAX_RETRY), 1);
	KUNIT_EXPECT_EQ(test, st_test_events(conn), 1);
}

/* Each case runs over LLPs with addresses of each kind */
KUNIT_ARRAY_PARAM_DESC(st_test_kind, st_test_kinds, name);

static struct kunit_case st_read_cases[] = {
	KUNIT_CASE_PARAM(st_read_rejected, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_repeated, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_refused, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_too_many, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_put_off, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_ended_early, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_wrong_echo, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_received, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_read_unanswered, st_test_kind_gen_params),
	{}
};

static struct kunit_suite st_read_suite = {
	.name = "st_read",
	.init = st_test_kind_init,
	.exit = st_test_kind_exit,
	.test_cases = st_read_cases,
};

kunit_test_suite(st_read_suite);
