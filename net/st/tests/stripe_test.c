// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of striping, ST annex B: the test is the peer, with two links.
 */
#include "link/link.h"
#include "st_sock.h"
#include "conn.h"

#define PEER_ID		9
#define LEN		BIT(20)
#define BLOCKSIZE	17	/* log2, for a Write of LEN over two paths */
#define QUOTA		4	/* Blocks over a path at first */
#define ROOM		BIT(24)	/* SO_RCVBUF, too large to limit anything */

/* One connection over two links */
struct st_test_two {
	struct st_test_conn	*first;
	struct st_test_conn	*other;
};

/* The peer asks for Slots. */
static void st_test_ask(struct st_test_conn *conn)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE, 0);

	op.sync = 77;
	op.d_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* The peer answers the last Request_State over a link. */
static void st_test_answer(struct st_test_conn *conn)
{
	struct st_op ask = st_test_sent(conn, ST_OP_REQUEST_STATE);
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);

	KUNIT_EXPECT_EQ(conn->test, ask.d_id, ST_ID_NONE);
	op.param = ST_SLOTS_NONE;
	op.sync = ask.sync;
	op.d_id = ST_ID_NONE;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* A connection with two paths that are known to work. */
static struct st_test_two st_test_two(struct kunit *test)
{
	struct st_test_two t = { .first = st_test_stripe_conn(test) };
	struct st_op op;

	t.first->st->sk.sk_rcvbuf = ROOM;
	t.other = st_test_other_link(t.first);
	st_test_ask(t.other);
	op = st_test_sent(t.other, ST_OP_REQUEST_STATE_RESPONSE);
	KUNIT_EXPECT_EQ(test, op.sync, 77);
	st_test_time(t.first->st);
	st_test_answer(t.other);
	return t;
}

/* Take the Clear_To_Sends of a link.  Return: how many; the first one goes to @op. */
static unsigned int st_test_cleared(struct st_test_conn *conn, struct st_op *op)
{
	struct sk_buff *skb;
	unsigned int n = 0;
	struct st_op cts;

	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &cts);
		kfree_skb(skb);
		if (cts.op == ST_OP_CLEAR_TO_SEND && !n++)
			*op = cts;
	}
	return n;
}

/* All of a Block arrives in one STU. */
static void st_test_block(struct st_test_conn *conn, const struct st_op *cts)
{
	st_test_peer_data(conn, cts, 0, 0, BIT(BLOCKSIZE), ST_F_LAST);
}

/* Without ST_STRIPE operations from other addresses are ignored. */
static void st_stripe_off(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_test_conn *other = st_test_other_link(conn);
	u64 errors = atomic64_read(&conn->st->bind.port->errors[ST_ERR_INVALID_KEY]);

	st_test_ask(other);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&other->sent));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, atomic64_read(&conn->st->bind.port->errors[ST_ERR_INVALID_KEY]),
			errors + 1);
}

/* An operation with a wrong Key does not add a path. */
static void st_stripe_key(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_test_conn *other = st_test_other_link(conn);
	struct st_op op = st_test_peer_op(other, ST_OP_REQUEST_STATE, 0);

	op.d_id = ST_ID_NONE;
	op.s_port++;
	st_test_rcv(other, st_test_op_skb(other, &op));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&other->sent));
	KUNIT_EXPECT_EQ(test, st_paths(conn->st), 1);
}

/* A learnt path carries nothing before the peer has answered over it. */
static void st_stripe_answer(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_test_conn *other = st_test_other_link(conn);
	struct st_op cts;

	conn->st->sk.sk_rcvbuf = ROOM;
	st_test_ask(other);
	st_test_sent(other, ST_OP_REQUEST_STATE_RESPONSE);
	KUNIT_EXPECT_EQ(test, st_paths(conn->st), 2);
	st_test_peer_write(conn, PEER_ID, LEN);
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn, &cts), QUOTA);
	KUNIT_EXPECT_EQ(test, conn->st->paths.stripe->more[0].blocks, 0);
	/* The timer may have sent the probe already */
	st_test_time(conn->st);
	st_test_answer(other);
	KUNIT_EXPECT_EQ(test, st_test_cleared(conn, &cts), 0);
	KUNIT_EXPECT_EQ(test, st_test_cleared(other, &cts), LEN / BIT(BLOCKSIZE) - QUOTA);
}

/* Each path has its Blocks; one that has arrived is followed by another over the same path. */
static void st_stripe_each(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_op cts[2], next;

	st_test_peer_write(t.first, PEER_ID, 4 * LEN);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &cts[0]), QUOTA);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.other, &cts[1]), QUOTA);
	KUNIT_EXPECT_EQ(test, cts[0].param, BLOCKSIZE);
	KUNIT_EXPECT_NE(test, cts[0].b_num, cts[1].b_num);

	/* Two: the quota was used up, so it grows */
	st_test_block(t.other, &cts[1]);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.other, &next), 2);
	KUNIT_EXPECT_EQ(test, next.b_num, 2 * QUOTA);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &next), 0);
	st_test_block(t.first, &cts[0]);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &next), 2);
	KUNIT_EXPECT_EQ(test, t.first->st->paths.stripe->probe[1].rx_bytes, BIT(BLOCKSIZE));
}

/* A short Write has Blocks for both paths, ST B.1. */
static void st_stripe_short(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_op cts;

	st_test_peer_write(t.first, PEER_ID, 8 << 13);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &cts), QUOTA);
	KUNIT_EXPECT_EQ(test, cts.param, 13);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.other, &cts), QUOTA);
}

/* Blocks of a link that is removed are cleared again over the other. */
static void st_stripe_link_gone(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_op cts[2], again;

	st_test_peer_write(t.first, PEER_ID, LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.first, &cts[0]), QUOTA);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.other, &cts[1]), QUOTA);
	rtnl_lock();
	st_link_del(t.first->link);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, t.first->st->sk.sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.other, &again), QUOTA);
	KUNIT_EXPECT_EQ(test, again.b_num, cts[0].b_num);
	KUNIT_EXPECT_NE(test, again.b_id, cts[0].b_id);

	rtnl_lock();
	st_link_del(t.other->link);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, t.first->st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, t.first->st->sk.sk_err, ENETDOWN);
}

/* A silent path is not used until the peer answers over it. */
static void st_stripe_silent(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_sock *st = t.first->st;
	struct st_op cts;

	st_test_peer_write(t.first, PEER_ID, LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.first, &cts), QUOTA);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.other, &cts), QUOTA);
	st->paths.stripe->more[0].progress -= st_op_timeout(st);
	st->paths.stripe->probe[1].probe_at = jiffies;
	st_test_time(t.first->st);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &cts), 0);
	/* Including a probe */
	KUNIT_EXPECT_EQ(test, skb_queue_len(&t.other->sent), QUOTA + 1);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.other, &cts), QUOTA);
	st->paths.stripe->probe[1].probe_at = jiffies;
	st_test_time(t.first->st);
	KUNIT_EXPECT_TRUE(test, st->paths.stripe->probe[1].up);
	st_test_sent(t.other, ST_OP_REQUEST_STATE);
	st->paths.stripe->probe[1].probe_at = jiffies;
	st_test_time(t.first->st);
	KUNIT_EXPECT_FALSE(test, st->paths.stripe->probe[1].up);
	KUNIT_EXPECT_EQ(test, st_test_cleared(t.first, &cts), QUOTA);
	KUNIT_EXPECT_EQ(test, st->paths.first.blocks, 2 * QUOTA);
	KUNIT_EXPECT_EQ(test, st->paths.stripe->more[0].blocks, 0);

	skb_queue_purge(&t.other->sent);
	st->paths.stripe->probe[1].probe_at = jiffies;
	st_test_time(t.first->st);
	st_test_answer(t.other);
	KUNIT_EXPECT_TRUE(test, st->paths.stripe->probe[1].up);
}

/* Control operations take another path when the first one does not answer. */
static void st_stripe_control(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_sock *st = t.first->st;
	struct st_send send = {};
	unsigned int i;

	KUNIT_EXPECT_PTR_EQ(test, st->paths.main, &st->paths.first);
	KUNIT_ASSERT_EQ(test, 4096, st_test_ctl(t.first, ST_SEND, &send, sizeof(send), 4096));
	st_test_sent(t.first, ST_OP_REQUEST_TO_SEND);
	for (i = 0; i < 3; i++) {
		list_first_entry(&st->source.list, struct st_tx, list)->retrans.expires = jiffies;
		st->paths.stripe->probe[0].probe_at = jiffies;
		st_test_time(t.first->st);
	}
	KUNIT_EXPECT_PTR_EQ(test, st->paths.main, &st->paths.stripe->more[0]);
	list_first_entry(&st->source.list, struct st_tx, list)->retrans.expires = jiffies;
	st_test_time(t.first->st);
	st_test_sent(t.other, ST_OP_REQUEST_TO_SEND);
}

/* A Block is sent over the path on which it was cleared, ST B.3. */
static void st_stripe_source(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_send send = {};
	struct st_op rts, cts, data;

	KUNIT_ASSERT_EQ(test, 4096, st_test_ctl(t.first, ST_SEND, &send, sizeof(send), 4096));
	rts = st_test_sent(t.first, ST_OP_REQUEST_TO_SEND);
	cts = st_test_peer_op(t.other, ST_OP_CLEAR_TO_SEND, 0);
	cts.param = 12;
	cts.d_id = rts.s_id;
	cts.s_id = PEER_ID;
	st_test_rcv(t.other, st_test_op_skb(t.other, &cts));
	data = st_test_sent(t.other, ST_OP_DATA);
	KUNIT_EXPECT_EQ(test, data.d_id, PEER_ID);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&t.first->sent));
}

/* Get the Clear_To_Send of a Block that is exposed over a path.  Return: false for none. */
static bool st_test_exposed(struct st_test_conn *conn, unsigned int path, struct st_op *cts)
{
	const struct st_block *blk;
	const struct st_rx *rx;

	rx = list_first_entry(&conn->st->dest.list, struct st_rx, list);
	list_for_each_entry(blk, &conn->st->dest.sink->exposed, list) {
		if (blk->rx != rx || blk->path->index != path)
			continue;
		*cts = (struct st_op) {
			.b_id = blk->mx,
			.bufx = blk->start >> ST_BUFSIZE,
			.offset = blk->start & (BIT(ST_BUFSIZE) - 1),
			.b_num = blk->n,
			.s_id = rx->x.id,
		};
		return true;
	}
	return false;
}

/* The path that holds up the others gets fewer Blocks. */
static void st_stripe_slow(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_probe *probe = t.first->st->paths.stripe->probe;
	struct st_test_conn *slow, *fast;
	struct st_op first[2], cts;
	unsigned int s, i;

	/* More than can be cleared at a time */
	st_test_peer_write(t.first, PEER_ID, 64 * LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.first, &first[0]), QUOTA);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.other, &first[1]), QUOTA);
	s = first[1].b_num < first[0].b_num;
	slow = s ? t.other : t.first;
	fast = s ? t.first : t.other;
	for (i = 0; i < 64 && st_test_exposed(t.first, !s, &cts); i++)
		st_test_block(fast, &cts);
	KUNIT_EXPECT_EQ(test, st_test_cleared(slow, &cts), 0);
	KUNIT_EXPECT_EQ(test, probe[s].quota, QUOTA / 2);
	KUNIT_EXPECT_GT(test, probe[!s].quota, QUOTA);
}

/* An answer needs the Sync of the probe, which a host that did not get the probe can't guess. */
static void st_stripe_forged(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_test_conn *other = st_test_other_link(conn);
	struct st_op op;
	u32 sync;

	st_test_ask(other);
	st_test_time(conn->st);
	for (sync = 0; sync < 8; sync++) {
		op = st_test_peer_op(other, ST_OP_REQUEST_STATE_RESPONSE, 0);
		op.param = ST_SLOTS_NONE;
		op.sync = sync;
		op.d_id = ST_ID_NONE;
		st_test_rcv(other, st_test_op_skb(other, &op));
	}
	KUNIT_EXPECT_FALSE(test, conn->st->paths.stripe->probe[1].up);
	skb_queue_purge(&conn->sent);
	KUNIT_EXPECT_NE(test, st_test_sent(other, ST_OP_REQUEST_STATE).sync,
			conn->st->slots.ops);
}

/* The only path is used even if it does not answer, and is probed now and then. */
static void st_stripe_only(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_sock *st = conn->st;
	unsigned int i;

	st_path_missed(&st->paths.first);
	for (i = 0; i < 4; i++) {
		st->paths.stripe->probe[0].probe_at = jiffies;
		st_test_time(conn->st);
	}
	KUNIT_EXPECT_TRUE(test, st->paths.stripe->probe[0].up);
	KUNIT_EXPECT_TRUE(test, time_after(st->paths.stripe->probe[0].probe_at, jiffies + HZ));
}

/* A Block that does not arrive over a path, though the peer answers there, takes another. */
static void st_stripe_short_frames(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_sock *st = t.first->st;
	unsigned int i;

	st_test_peer_write(t.first, PEER_ID, LEN);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, st->paths.stripe->more[0].blocks, QUOTA);
		st->paths.stripe->more[0].progress -= st_op_timeout(st) << i;
		st->paths.stripe->probe[1].probe_at = jiffies;
		st_test_time(t.first->st);
		if (st->paths.stripe->probe[1].probing)
			st_test_answer(t.other);
	}
	KUNIT_EXPECT_EQ(test, st->paths.stripe->more[0].blocks, 0);
	KUNIT_EXPECT_EQ(test, st->paths.first.blocks, 2 * QUOTA);
	KUNIT_EXPECT_EQ(test, st->paths.stripe->probe[1].quota, 0);
	KUNIT_EXPECT_TRUE(test, st->paths.stripe->probe[1].up);
}

/* The removal of a link does not disturb a teardown over another one. */
static void st_stripe_teardown(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);

	KUNIT_ASSERT_EQ(test, 0, kernel_sock_shutdown(t.first->sock, SHUT_RDWR));
	KUNIT_ASSERT_EQ(test, t.first->st->sk.sk_state, ST_DISCONNECTING);
	rtnl_lock();
	st_link_del(t.other->link);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, t.first->st->sk.sk_state, ST_DISCONNECTING);
	KUNIT_EXPECT_EQ(test, st_paths(t.first->st), 1);
}

/* Addresses that never answer make room for others; group addresses are not learnt. */
static void st_stripe_room(struct kunit *test)
{
	struct st_test_conn *conn = st_test_stripe_conn(test);
	struct st_stripe *stripe = conn->st->paths.stripe;
	struct st_path *path;
	unsigned int i;

	local_bh_disable();
	rcu_read_lock();
	spin_lock(&conn->st->lock);
	for (i = 1; i < ST_PATHS_MAX; i++) {
		path = st_stripe_learn(conn->st, conn->link, st_test_peer(i));
		KUNIT_EXPECT_NOT_NULL(test, path);
	}
	KUNIT_EXPECT_NULL(test, st_stripe_learn(conn->st, conn->link, st_test_peer(i)));
	stripe->probe[3].probes = 5;
	path = st_stripe_learn(conn->st, conn->link, st_test_peer(i));
	KUNIT_EXPECT_PTR_EQ(test, path, &stripe->more[2]);
	stripe->probe[3].probes = 5;
	KUNIT_EXPECT_NULL(test, st_stripe_learn(conn->st, conn->link, st_test_kind->group));
	spin_unlock(&conn->st->lock);
	rcu_read_unlock();
	local_bh_enable();
}

/*
 * When the link of the working path is removed, a known path that does not answer has to do.  It
 * is not replaced while it has Blocks, or Control operations use it.
 */
static void st_stripe_room_but_last(struct kunit *test)
{
	struct st_test_two t = st_test_two(test);
	struct st_sock *st = t.first->st;
	struct st_probe *probe = &st->paths.stripe->probe[1];
	struct st_path *path = &st->paths.stripe->more[0];
	struct st_op cts;
	unsigned int i;

	st_test_peer_write(t.first, PEER_ID, LEN);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.first, &cts), QUOTA);
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.other, &cts), QUOTA);
	probe->up = false;
	probe->probes = 5;
	rtnl_lock();
	st_link_del(t.first->link);
	rtnl_unlock();
	KUNIT_ASSERT_EQ(test, st_test_cleared(t.other, &cts), QUOTA);
	KUNIT_EXPECT_PTR_EQ(test, st->paths.main, path);
	KUNIT_EXPECT_EQ(test, path->blocks, 2 * QUOTA);
	KUNIT_EXPECT_TRUE(test, probe->learnt);
	KUNIT_EXPECT_FALSE(test, probe->up);

	local_bh_disable();
	rcu_read_lock();
	spin_lock(&st->lock);
	for (i = 1; i < ST_PATHS_MAX; i++)
		st_stripe_learn(st, t.other->link, st_test_peer(i));
	KUNIT_EXPECT_NULL(test, st_stripe_learn(st, t.other->link, st_test_peer(i - 1)));
	spin_unlock(&st->lock);
	rcu_read_unlock();
	local_bh_enable();
	KUNIT_EXPECT_PTR_EQ(test, st->paths.main, path);
	KUNIT_EXPECT_PTR_EQ(test, path->link, t.other->link);
	KUNIT_EXPECT_EQ(test, path->blocks, 2 * QUOTA);
	st_test_block(t.other, &cts);
	KUNIT_EXPECT_EQ(test, path->blocks, 2 * QUOTA - 1);
}

/* Each case runs over LLPs with addresses of each kind */
KUNIT_ARRAY_PARAM_DESC(st_test_kind, st_test_kinds, name);

static struct kunit_case st_stripe_cases[] = {
	KUNIT_CASE_PARAM(st_stripe_off, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_key, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_answer, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_each, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_short, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_link_gone, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_silent, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_control, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_source, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_slow, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_forged, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_only, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_short_frames, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_teardown, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_room, st_test_kind_gen_params),
	KUNIT_CASE_PARAM(st_stripe_room_but_last, st_test_kind_gen_params),
	{}
};

static struct kunit_suite st_stripe_suite = {
	.name = "st_stripe",
	.init = st_test_kind_init,
	.exit = st_test_kind_exit,
	.test_cases = st_stripe_cases,
};

kunit_test_suite(st_stripe_suite);
