// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what an application can set for its Transfers: flags and Opaque data,
 * ST 6.2.10, 8.2, and an early End, ST 6.1.1.4.
 */
#include <linux/rtnetlink.h>

#include "conn/conn.h"
#include "link/link.h"
#include "mem/remote.h"
#include "sock/sock.h"
#include "conn.h"

#define PEER_ID		9
#define LEN		600
#define BLOCK		256
#define SLOTS		8

/* The peer clears Block @n. */
static void st_test_clear(struct st_test_conn *conn, const struct st_op *rts, unsigned int n)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);

	op.param = ilog2(BLOCK);
	op.offset = n * BLOCK;
	op.b_num = n;
	op.d_id = rts->s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* Send a record of three Blocks, and clear all.  Return: its Request_To_Send. */
static struct st_op st_test_record(struct st_test_conn *conn, const struct st_send *send)
{
	struct st_op rts;
	unsigned int i;

	KUNIT_ASSERT_EQ(conn->test, st_test_ctl(conn, ST_SEND, send, sizeof(*send), LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	for (i = 0; i < 3; i++)
		st_test_clear(conn, &rts, i);
	return rts;
}

/* The fields of the Request_To_Send and of all Data */
static void st_send_fields(struct kunit *test)
{
	const struct st_send send = {
		.flags = ST_SEND_INTERRUPT | ST_SEND_STATE,
		.opaque = 0xdeadbeef,
		.cts_req = 5,
		.max_block = 9,
	};
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_record(conn, &send), op;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, rts.param, 5);
	KUNIT_EXPECT_EQ(test, rts.b_id, 9);
	for (i = 0; i < 3; i++) {
		op = st_test_sent(conn, ST_OP_DATA);
		KUNIT_EXPECT_EQ(test, op.b_num, i);
		KUNIT_EXPECT_EQ(test, op.s_id, 0xdeadbeef);
		KUNIT_EXPECT_EQ(test, op.flags, ST_DATA_CHANNEL | ST_F_LAST | ST_F_SEND_STATE |
				(i == 2 ? ST_F_INTERRUPT : 0));
	}
	st_test_arrived(conn, &rts, PEER_ID, 1);
	KUNIT_EXPECT_FALSE(test, list_empty(&conn->st->source.list));
	st_test_arrived(conn, &rts, PEER_ID, 2);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->source.list));
}

/* Data does not ask for an answer; a Request_State does. */
static void st_send_silent(struct kunit *test)
{
	const struct st_send send = { .flags = ST_SEND_SILENT };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = st_test_record(conn, &send), op;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		op = st_test_sent(conn, ST_OP_DATA);
		KUNIT_EXPECT_EQ(test, op.flags, ST_DATA_CHANNEL | ST_F_LAST | ST_F_SILENT);
		/* Each Block was the only one cleared */
		op = st_test_sent(conn, ST_OP_REQUEST_STATE);
		KUNIT_EXPECT_EQ(test, op.d_id, PEER_ID);
		KUNIT_EXPECT_EQ(test, op.b_num, ST_B_NUM_NONE);
	}
	/* The Request_State has overtaken the Data */
	st_test_arrived(conn, &rts, PEER_ID, 1);
	KUNIT_EXPECT_FALSE(test, list_empty(&conn->st->source.list));
	st_test_arrived(conn, &rts, PEER_ID, 2);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->source.list));
}

/* The link does not have this Data Channel. */
static void st_send_channel(struct kunit *test)
{
	const struct st_send send = { .channel = 2 };
	struct st_test_conn *conn = st_test_conn(test);

	KUNIT_EXPECT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), -EINVAL);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->source.list));
	KUNIT_EXPECT_EQ(test, conn->st->source.queued, 0);
}

/* The End is sent at once, or when the peer's identifier of the Transfer is known */
static void st_send_ended(struct kunit *test)
{
	const struct st_send send = {};
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts, op;
	struct st_end end = { .what = ST_END_SEND };

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	end.id = rts.s_id;
	KUNIT_EXPECT_EQ(test, st_test_ctl(conn, ST_END, &end, sizeof(end), 0), 0);
	KUNIT_EXPECT_EQ(test, st_test_ctl(conn, ST_END, &end, sizeof(end), 0), -ENOENT);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_clear(conn, &rts, 0);
	op = st_test_sent(conn, ST_OP_END);
	KUNIT_EXPECT_EQ(test, op.d_id, PEER_ID);
	KUNIT_EXPECT_EQ(test, op.s_id, rts.s_id);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	op = st_test_peer_op(conn, ST_OP_END_ACK, 0);
	op.d_id = rts.s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->st->source.list));
	KUNIT_EXPECT_EQ(test, conn->st->source.queued, 0);
	KUNIT_EXPECT_EQ(test, conn->st->info.tx_transfers, 0);
}

/* The arrival of the Block sent last, which is not the last one, does not complete the record. */
static void st_send_last_first(struct kunit *test)
{
	const struct st_send send = { .max_block = ilog2(BLOCK) };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	struct st_op rts, op;
	struct st_tx *tx;
	int n;

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	/* Only the reserved Slot is left, so no state is asked for */
	st->slots.remote = 1;
	for (n = 2; n >= 0; n--) {
		st_test_clear(conn, &rts, n);
		if (n == 2)
			st_test_sent(conn, ST_OP_REQUEST_STATE);
		else
			KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_DATA).b_num, n + 1);
	}
	st->slots.remote = ST_SLOTS_NONE;
	st_test_arrived(conn, &rts, PEER_ID, ST_B_NUM_NONE);
	op = st_test_sent(conn, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, op.b_num, 0);
	KUNIT_EXPECT_TRUE(test, op.flags & ST_F_SEND_STATE);
	st_test_arrived(conn, &rts, PEER_ID, 0);
	tx = list_first_entry_or_null(&st->source.list, struct st_tx, list);
	KUNIT_ASSERT_NOT_NULL(test, tx);
	KUNIT_EXPECT_TRUE(test, tx->retrans.armed);
	KUNIT_EXPECT_EQ(test, tx->retrans.op.op, ST_OP_REQUEST_STATE);
	st_test_arrived(conn, &rts, PEER_ID, 2);
	KUNIT_EXPECT_TRUE(test, list_empty(&st->source.list));
}

/*
 * After 2^32 others an identifier that is still in use is not chosen again, ST 6.2.1, and never
 * that of the memory for short records.
 */
static void st_send_ids_wrap(struct kunit *test)
{
	const struct st_send send = {};
	struct st_test_conn *conn = st_test_conn(test);
	u32 id[2];

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	KUNIT_ASSERT_EQ(test, st_test_sent(conn, ST_OP_REQUEST_TO_SEND).s_id, 1);
	spin_lock_bh(&conn->st->lock);
	conn->st->ids.next = ST_SHORT_ID - 1;
	id[0] = st_new_id(conn->st);
	id[1] = st_new_id(conn->st);
	spin_unlock_bh(&conn->st->lock);
	KUNIT_EXPECT_EQ(test, id[0], ST_SHORT_ID - 1);
	KUNIT_EXPECT_EQ(test, id[1], 2);
}

/* A Block that is cleared again before it was sent goes last, in the order of clearing. */
static void st_send_cleared_again(struct kunit *test)
{
	const struct st_send send = { .max_block = ilog2(BLOCK) };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	struct st_op rts, op;
	int n;

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	/* The LLP accepts nothing now */
	refcount_add(ST_TX_INFLIGHT, &st->sk.sk_wmem_alloc);
	for (n = 0; n < 3; n++)
		st_test_clear(conn, &rts, n);
	op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	op.param = ilog2(BLOCK);
	op.b_id = 0x77;
	op.d_id = rts.s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	WARN_ON(refcount_sub_and_test(ST_TX_INFLIGHT, &st->sk.sk_wmem_alloc));
	st_test_time(st);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_DATA).b_num, 1);
	KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_DATA).b_num, 2);
	op = st_test_sent(conn, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, op.b_num, 0);
	KUNIT_EXPECT_EQ(test, op.b_id, 0x77);
}

/* Clear a record of one Block.  Return: the numbers of the STUs sent, as decimal digits */
static unsigned int st_test_stus(struct st_test_conn *conn, const struct st_op *rts, u32 len)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	unsigned int stus = 0;
	struct sk_buff *skb;

	op.param = ilog2(len);
	op.d_id = rts->s_id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		stus = 10 * stus + 1 + op.param;
		KUNIT_EXPECT_EQ(conn->test, op.op, ST_OP_DATA);
		KUNIT_EXPECT_EQ(conn->test, op.offset, op.param * STU);
		KUNIT_EXPECT_EQ(conn->test, skb->len, ST_HDR_LEN + (skb_is_gso(skb) ? len : STU));
		kfree_skb(skb);
	}
	return stus;
}

/*
 * If every other frame is lost, a Block that is sent again must lose other STUs: sometimes its
 * first STU is sent twice.
 */
static void st_test_shifted(struct st_test_conn *conn, u32 len, unsigned int once,
			    unsigned int twice)
{
	static const bool shifted[] = { false, true, true, false, true, false, false, true };
	const struct st_send send = {};
	struct kunit *test = conn->test;
	struct st_op rts;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), len), len);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	KUNIT_EXPECT_EQ(test, st_test_stus(conn, &rts, len), once);
	for (i = 0; i < ARRAY_SIZE(shifted); i++)
		KUNIT_EXPECT_EQ_MSG(test, st_test_stus(conn, &rts, len), shifted[i] ? twice : once,
				    "repeat %u", i);
}

static void st_send_shifted(struct kunit *test)
{
	st_test_shifted(st_test_lossy_conn(test), 4 * STU, 1234, 11234);
}

/* A Block of one STU is not shifted: another one is lost each time. */
static void st_send_shifted_single(struct kunit *test)
{
	st_test_shifted(st_test_lossy_conn(test), STU, 1, 1);
}

static void st_send_shifted_run(struct kunit *test)
{
	st_test_shifted(st_test_run_conn(test), 4 * STU, 1, 11);
}

/* Only an LLP that keeps the order is not known to lose frames in such a pattern. */
static void st_send_not_shifted(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);

	conn->st->vc.remote_max_stu = LOSSY_STU;
	st_test_shifted(conn, 4 * STU, 1234, st_link_has(conn->link, ST_ORDERED) ? 1234 : 11234);
}

/* The peer reports its Slots. */
static void st_test_tell_slots(struct st_test_conn *conn, u16 slots, u32 sync)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);

	op.param = slots;
	op.sync = sync;
	op.d_id = ST_ID_NONE;
	op.s_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* Announce records to a peer with @max Slots.  Return: how many before its Slots are asked for. */
static unsigned int st_test_announced(struct st_test_conn *conn, u16 max, struct st_op *first,
				      struct st_op *question)
{
	struct st_op op, answer = st_test_peer_op(conn, ST_OP_REQUEST_ANSWER, 0);
	const struct st_send send = {};
	struct sk_buff *skb;
	unsigned int i, n = 0;

	conn->st->slots.remote = max;
	conn->st->slots.remote_max = max;
	for (i = 0; i < SLOTS + 1; i++)
		KUNIT_ASSERT_EQ(conn->test, LEN,
				st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN));
	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		if (op.op == ST_OP_REQUEST_STATE)
			*question = op;
		if (op.op != ST_OP_REQUEST_TO_SEND)
			continue;
		if (!n++)
			*first = op;
		/* The peer postpones it; the next record is announced */
		answer.d_id = op.s_id;
		st_test_rcv(conn, st_test_op_skb(conn, &answer));
	}
	return n;
}

/*
 * The peer keeps announcements until its application has read the records before: their Data goes
 * on whatever else is announced, and a region or a Read can be requested.
 */
static void st_send_slots(struct kunit *test)
{
	struct st_region_request req = { .len = LEN, .flags = ST_REGION_NOWAIT };
	const struct st_read read = { .len = LEN };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = {}, question = {}, op;

	KUNIT_EXPECT_EQ(test, st_test_announced(conn, SLOTS, &rts, &question), SLOTS - 4);
	KUNIT_ASSERT_EQ(test, question.op, ST_OP_REQUEST_STATE);
	st_test_tell_slots(conn, 4, question.sync);
	conn->st->vc.remote_function |= ST_FN_HAS_MEMORY;
	KUNIT_ASSERT_EQ(test, st_remote_request(conn->st, &req), 0);
	st_test_sent(conn, ST_OP_REQUEST_MEMORY_REGION);
	KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_READ, &read, sizeof(read), 0));
	st_test_sent(conn, ST_OP_REQUEST_TO_RECEIVE);
	KUNIT_EXPECT_EQ(test, conn->st->slots.remote, 2);
	/* A second request of each kind waits */
	KUNIT_ASSERT_EQ(test, st_remote_request(conn->st, &req), 0);
	KUNIT_ASSERT_EQ(test, 0, st_test_ctl(conn, ST_READ, &read, sizeof(read), 0));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_clear(conn, &rts, 0);
	op = st_test_sent(conn, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, op.b_num, 0);
	KUNIT_EXPECT_EQ(test, op.flags & ST_F_SEND_STATE, ST_F_SEND_STATE);
}

/* A peer with few Slots keeps two free, if it has more than two. */
static void st_send_few_slots(struct kunit *test)
{
	struct st_op rts, question;

	KUNIT_EXPECT_EQ(test, st_test_announced(st_test_conn(test), 5, &rts, &question), 2);
	KUNIT_EXPECT_EQ(test, st_test_announced(st_test_conn(test), 4, &rts, &question), 2);
	KUNIT_EXPECT_EQ(test, st_test_announced(st_test_conn(test), 3, &rts, &question), 1);
	KUNIT_EXPECT_EQ(test, st_test_announced(st_test_conn(test), 2, &rts, &question), 1);
	KUNIT_EXPECT_EQ(test, st_test_announced(st_test_conn(test), 1, &rts, &question), 0);
}

/* Data for which there is no memory is sent a little later. */
static void st_send_no_memory(struct kunit *test)
{
	const struct st_send send = {};
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	struct st_op rts;

	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	sk_stop_timer(&st->sk, &st->timers.timer);
	/* No skb can have that much headroom */
	conn->link->headroom = SZ_1G;
	st_test_clear(conn, &rts, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_TRUE(test, timer_pending(&st->timers.timer));
	KUNIT_EXPECT_TRUE(test, time_before_eq(st->timers.timer.expires,
					       jiffies + st_op_timeout(st)));
	conn->link->headroom = 0;
	st_test_time(st);
	st_test_sent(conn, ST_OP_DATA);
}

/* Answers of the peer for a region that it was not asked for */
static void st_test_forged(struct st_test_conn *conn, u32 id)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_ANSWER, ST_F_REJECT);

	op.d_id = id;
	op.s_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	op = st_test_peer_op(conn, ST_OP_MEMORY_REGION_AVAILABLE, 0);
	op.d_id = id;
	op.s_id = PEER_ID;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	op = st_test_sent(conn, ST_OP_END);
	KUNIT_EXPECT_EQ(conn->test, op.d_id, PEER_ID);
}

/* A Request_Memory_Region waits for a Slot, and precedes a record when there is one. */
static void st_send_region_request(struct kunit *test)
{
	struct st_region_request req = { .len = LEN, .flags = ST_REGION_NOWAIT };
	struct st_test_conn *conn = st_test_conn(test);
	const struct st_send send = {};
	const struct st_remote *rm;
	struct st_op op;

	conn->st->vc.remote_function |= ST_FN_HAS_MEMORY;
	conn->st->slots.remote = 2;
	conn->st->slots.remote_max = SLOTS;
	KUNIT_ASSERT_EQ(test, st_remote_request(conn->st, &req), 0);
	st_test_sent(conn, ST_OP_REQUEST_STATE);
	KUNIT_ASSERT_EQ(test, st_test_ctl(conn, ST_SEND, &send, sizeof(send), LEN), LEN);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_forged(conn, req.region);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	rm = list_first_entry_or_null(&conn->st->mem->remotes, struct st_remote, list);
	KUNIT_ASSERT_NOT_NULL(test, rm);
	KUNIT_EXPECT_FALSE(test, rm->ready);
	KUNIT_EXPECT_FALSE(test, rm->retrans.armed);	/* or it would be sent by Op_timeout */
	st_test_tell_slots(conn, 3, conn->st->slots.ops);
	op = st_test_sent(conn, ST_OP_REQUEST_MEMORY_REGION);
	KUNIT_EXPECT_EQ(test, op.s_id, req.region);
	KUNIT_EXPECT_TRUE(test, rm->retrans.armed);
}

/* Data that a device would drop without carrier waits for the carrier. */
static void st_send_carrier(struct kunit *test)
{
	const struct st_send send = { .flags = ST_SEND_STATE };
	struct st_test_conn *conn = st_test_conn(test);
	unsigned int i;

	/* Not netif_carrier_off(), whose event comes later */
	set_bit(__LINK_STATE_NOCARRIER, &conn->dev->state);
	st_test_record(conn, &send);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, conn->st->info.tx_bytes, 0);
	clear_bit(__LINK_STATE_NOCARRIER, &conn->dev->state);
	rtnl_lock();
	st_link_changed(conn->link);
	rtnl_unlock();
	flush_work(&conn->st->out.work);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, st_test_sent(conn, ST_OP_DATA).b_num, i);
}

/* The answer to the question for Slots is lost: the question is repeated at half of them. */
static void st_send_slots_again(struct kunit *test)
{
	struct st_test_conn *conn = st_test_lossy_conn(test);
	unsigned int asked = 0, cleared = 0;
	struct sk_buff *skb;
	struct st_op op;
	u32 sync = 0;

	conn->st->slots.remote = 5;
	conn->st->slots.remote_max = 16;
	st_test_peer_write(conn, PEER_ID, T_LEN);
	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		cleared += op.op == ST_OP_CLEAR_TO_SEND;
		if (op.op != ST_OP_REQUEST_STATE)
			continue;
		KUNIT_EXPECT_EQ(test, op.d_id, ST_ID_NONE);
		/*
		 * Slots left after those sent and the next one: a quarter at first, then half
		 * of the 3 that the first question has left
		 */
		KUNIT_EXPECT_EQ(test, 5 - cleared - asked - 1, asked ? 1 : 4);
		asked++;
		sync = op.sync;
	}
	KUNIT_EXPECT_EQ(test, asked, 2);
	KUNIT_EXPECT_EQ(test, cleared, 3);
	st_test_tell_slots(conn, 16, sync);
	KUNIT_EXPECT_FALSE(test, conn->st->slots.retrans.armed);
	st_test_sent(conn, ST_OP_CLEAR_TO_SEND);
}

/* sendmsg() of a record with SO_MARK or another control message of SOL_SOCKET */
static int st_test_marked(struct st_test_conn *conn, int type, u32 value, int flags)
{
	u8 room[CMSG_SPACE(sizeof(value))] __aligned(8) = {};
	struct cmsghdr *cmsg = (struct cmsghdr *)room;
	struct msghdr msg = {
		.msg_flags = MSG_DONTWAIT | flags,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	struct kvec vec = { .iov_base = conn->data, .iov_len = BLOCK };

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(sizeof(value));
	memcpy(room + sizeof(*cmsg), &value, sizeof(value));
	return kernel_sendmsg(conn->sock, &msg, &vec, 1, BLOCK);
}

/* The marks of what is sent: Data has that of its record, other operations that of the socket. */
static void st_test_marks(struct st_test_conn *conn, struct st_op *rts, u32 of_data, u32 others)
{
	struct sk_buff *skb;
	struct st_op op;

	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		if (op.op == ST_OP_REQUEST_TO_SEND)
			*rts = op;
		KUNIT_EXPECT_EQ(conn->test, skb->mark, op.op == ST_OP_DATA ? of_data : others);
		kfree_skb(skb);
	}
}

static void st_send_marked(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op rts = {};
	u64 sent;

	conn->st->sk.sk_mark = 3;
	KUNIT_ASSERT_EQ(test, BLOCK, st_test_marked(conn, SO_MARK, 64, 0));
	st_test_marks(conn, &rts, 64, 3);
	sent = conn->st->info.tx_bytes;
	st_test_clear(conn, &rts, 0);
	KUNIT_EXPECT_EQ(test, conn->st->info.tx_bytes, sent + BLOCK);
	st_test_marks(conn, &rts, 64, 3);
	/* Refused: a time to send at, a time stamp, and a message of the wrong length */
	KUNIT_EXPECT_EQ(test, -EINVAL, st_test_marked(conn, SCM_TXTIME, 1, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, st_test_marked(conn, SO_TIMESTAMPING_NEW,
						      SOF_TIMESTAMPING_TX_SOFTWARE, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, st_test_marked(conn, SO_RCVBUF, 1, 0));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* Each case runs over LLPs with addresses of each kind */
KUNIT_ARRAY_PARAM_DESC(st_test_kind, st_test_kinds, name);

static struct kunit_case st_send_cases[] = {
	KUNIT_CASE_PARAM(st_send_fields, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_silent, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_channel, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_ended, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_last_first, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_cleared_again, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_shifted, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_shifted_single, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_shifted_run, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_not_shifted, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_ids_wrap, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_slots, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_few_slots, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_slots_again, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_no_memory, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_region_request, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_carrier, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_send_marked, st_test_kind_gen_params),
	{}
};

static struct kunit_suite st_send_suite = {
	.name = "st_send",
	.init = st_test_kind_init,
	.exit = st_test_kind_exit,
	.test_cases = st_send_cases,
};

kunit_test_suite(st_send_suite);
