// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of two sockets with few Slots, ST 5.2.5, that wait for each other: the test is the
 * cable between them and both applications.
 */
#include <linux/net.h>

#include "mem/remote.h"
#include "conn.h"

#define LEN		3000
#define RECORDS		12
#define REGIONS		6
#define ROUNDS		2000	/* many more than necessary */

/* One end */
struct st_test_end {
	struct st_test_conn	*conn;
	unsigned int		got;
};

static void st_test_end(struct kunit *test, struct st_test_end *e, u16 slots)
{
	struct st_sock *st;

	e->conn = st_test_conn(test);
	st = e->conn->st;
	st->slots.local = slots;
	st->slots.remote = slots;
	st->slots.remote_max = slots;
	st->vc.remote_function |= ST_FN_HAS_MEMORY;
	st->opts.region_events = ST_REGION_EV_REQUEST;
	st->opts.serve = ST_SERVE_READS;
}

/* Deliver what one end has sent to the other.  Return: whether there was anything. */
static bool st_test_pass(struct st_test_conn *from, struct st_test_conn *to)
{
	bool any = false;
	struct sk_buff *skb, *copy;
	struct st_op op;

	while ((skb = skb_dequeue(&from->sent))) {
		copy = alloc_skb(skb->len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(to->test, copy);
		KUNIT_ASSERT_EQ(to->test, 0, skb_copy_bits(skb, 0, skb_put(copy, skb->len),
							   skb->len));
		kfree_skb(skb);
		st_op_unpack((const struct st_hdr *)copy->data, &op);
		op.d_port = to->st->bind.port->num;
		op.s_port = PEER_PORT;
		op.d_key = to->st->vc.local_key;
		st_op_pack(&op, (struct st_hdr *)copy->data);
		st_test_rcv(to, copy);
		any = true;
	}
	return any;
}

/* Run until nothing moves any more, with timers of both ends in turn. */
static void st_test_run(struct st_test_end end[2])
{
	unsigned int i, idle = 0, turn = 0;

	for (i = 0; i < ROUNDS && idle < 6; i++) {
		bool any = st_test_pass(end[0].conn, end[1].conn);
		struct st_sock *st;

		any |= st_test_pass(end[1].conn, end[0].conn);
		if (any && i % 16) {
			idle = 0;
			continue;
		}
		st = end[turn++ % 2].conn->st;
		st->slots.next = jiffies;
		st_test_time(st);
		idle++;
	}
}

static void st_test_records(struct st_test_end *e, unsigned int n)
{
	const struct st_send send = {};

	while (n--)
		KUNIT_ASSERT_EQ(e->conn->test, LEN,
				st_test_ctl(e->conn, ST_SEND, &send, sizeof(send), LEN));
}

/* The application reads what is there. */
static void st_test_read(struct st_test_end *e)
{
	u8 *got = kunit_kzalloc(e->conn->test, LEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(e->conn->test, got);
	for (;;) {
		struct kvec vec = { .iov_base = got, .iov_len = LEN };
		struct msghdr msg = {};
		int n = kernel_recvmsg(e->conn->sock, &msg, &vec, 1, LEN, MSG_DONTWAIT);

		if (n == -EAGAIN)
			break;
		KUNIT_ASSERT_EQ(e->conn->test, n, LEN);
		KUNIT_EXPECT_MEMEQ(e->conn->test, got, e->conn->data, LEN);
		e->got++;
	}
	kunit_kfree(e->conn->test, got);
}

/* Both read whenever they can, until all is read or nothing moves. */
static void st_test_read_all(struct st_test_end end[2])
{
	unsigned int before;

	do {
		before = end[0].got + end[1].got;
		st_test_run(end);
		st_test_read(&end[0]);
		st_test_read(&end[1]);
	} while (end[0].got + end[1].got > before);
}

static void st_test_ends(struct kunit *test, struct st_test_end end[2], u16 slots)
{
	u8 *data;

	st_test_end(test, &end[0], slots);
	st_test_end(test, &end[1], slots);
	data = end[0].conn->data;
	end[1].conn->data = data;
}

static unsigned int st_test_asked(const struct st_test_end *e)
{
	return e->conn->st->slots.taken.asked;
}

/* Records both ways: each end has announced all it can before the other reads any. */
static void st_slots_records(struct kunit *test)
{
	u16 slots;
	int i;

	for (slots = 3; slots <= 9; slots++) {
		struct st_test_end end[2] = {};

		st_test_ends(test, end, slots);
		for (i = 0; i < 2; i++)
			st_test_records(&end[i], RECORDS);
		st_test_read_all(end);
		for (i = 0; i < 2; i++) {
			KUNIT_EXPECT_EQ_MSG(test, end[i].got, RECORDS, "%u Slots", slots);
			KUNIT_EXPECT_TRUE(test, list_empty(&end[i].conn->st->source.list));
		}
	}
}

/* Neither end reads a record before it has got a request for a region and a Read. */
static void st_slots_requests_first(struct kunit *test)
{
	struct st_region_request req = { .len = LEN, .flags = ST_REGION_NOWAIT };
	const struct st_read read = { .len = LEN };
	u16 slots;
	int i;

	for (slots = 6; slots <= 9; slots++) {
		struct st_test_end end[2] = {};

		st_test_ends(test, end, slots);
		for (i = 0; i < 2; i++)
			st_test_records(&end[i], RECORDS);
		st_test_run(end);
		for (i = 0; i < 2; i++) {
			KUNIT_ASSERT_EQ(test, 0, st_remote_request(end[i].conn->st, &req));
			KUNIT_ASSERT_EQ(test, 0, st_test_ctl(end[i].conn, ST_READ, &read,
							     sizeof(read), 0));
		}
		st_test_run(end);
		for (i = 0; i < 2; i++) {
			KUNIT_EXPECT_EQ_MSG(test, st_test_asked(&end[i]), 1, "%u Slots", slots);
			KUNIT_EXPECT_EQ_MSG(test, end[i].conn->st->slots.taken.served, 1,
					    "%u Slots", slots);
		}
		/* Both ends answer them after all records */
		st_test_read_all(end);
		for (i = 0; i < 2; i++)
			KUNIT_EXPECT_EQ_MSG(test, end[i].got, RECORDS, "%u Slots", slots);
	}
}

/* Neither end answers any of many requests for regions before it has all records. */
static void st_slots_records_first(struct kunit *test)
{
	struct st_region_request req = { .len = LEN, .flags = ST_REGION_NOWAIT };
	u16 slots;
	int i, n;

	for (slots = 6; slots <= 9; slots++) {
		struct st_test_end end[2] = {};

		st_test_ends(test, end, slots);
		for (i = 0; i < 2; i++)
			for (n = 0; n < REGIONS; n++)
				KUNIT_ASSERT_EQ(test, 0, st_remote_request(end[i].conn->st, &req));
		st_test_run(end);
		for (i = 0; i < 2; i++) {
			KUNIT_EXPECT_GE(test, st_test_asked(&end[i]), 1);
			st_test_records(&end[i], RECORDS);
		}
		st_test_read_all(end);
		for (i = 0; i < 2; i++)
			KUNIT_EXPECT_EQ_MSG(test, end[i].got, RECORDS, "%u Slots", slots);
	}
}

/*
 * The Sync of a question for Slots counts what the peer has got before it: the operation that makes
 * the question due follows it.
 */
static void st_slots_question_counts(struct kunit *test)
{
	struct st_region_request req = { .len = LEN, .flags = ST_REGION_NOWAIT };
	unsigned int asked = 0, sent = 0, i;
	struct st_test_end end[2] = {};
	struct st_sock *st;
	struct sk_buff *skb;
	struct st_op op, answer;
	u32 first;

	st_test_ends(test, end, 16);
	st = end[0].conn->st;
	first = st->slots.ops;
	for (i = 0; i < RECORDS; i++)
		KUNIT_ASSERT_EQ(test, 0, st_remote_request(st, &req));
	while ((skb = skb_dequeue(&end[0].conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		sent++;
		if (op.op != ST_OP_REQUEST_STATE)
			continue;
		asked++;
		KUNIT_EXPECT_EQ(test, op.sync - first, sent);
		/* The peer keeps the operations before it, but not the question itself. */
		answer = st_test_peer_op(end[0].conn, ST_OP_REQUEST_STATE_RESPONSE, 0);
		answer.param = 16 - (sent - asked);
		answer.sync = op.sync;
		answer.d_id = ST_ID_NONE;
		answer.s_id = ST_ID_NONE;
		st_test_rcv(end[0].conn, st_test_op_skb(end[0].conn, &answer));
		KUNIT_EXPECT_EQ(test, st->slots.remote, 16 - (st->slots.ops - first - asked));
	}
	KUNIT_EXPECT_NE(test, asked, 0);
}

static struct kunit_case st_slots_cases[] = {
	KUNIT_CASE(st_slots_question_counts),
	KUNIT_CASE(st_slots_records),
	KUNIT_CASE(st_slots_requests_first),
	KUNIT_CASE(st_slots_records_first),
	{}
};

static struct kunit_suite st_slots_suite = {
	.name = "st_slots",
	.test_cases = st_slots_cases,
};

kunit_test_suite(st_slots_suite);
