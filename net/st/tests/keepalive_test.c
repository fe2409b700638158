// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of SO_KEEPALIVE and net.st.confirm_ms.  Timeouts are too long for the test to meet:
 * it sets how long the peer has been silent, and when Op_timeout has expired.
 */
#include <linux/net.h>
#include <net/sock.h>

#include "conn/conn.h"
#include "conn.h"

#define NEVER_MS	600000
#define IDLE		100	/* seconds */
#define CONFIRM		90	/* seconds */
#define OTHER_PORT	5001
#define SLOTS		10
#define RETRIES		3

static int st_keep_init(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	int err = st_test_keep_params(test);

	if (err)
		return err;
	sn->op_timeout = NEVER_MS;
	sn->op_timeout_min = NEVER_MS;
	sn->max_retry = RETRIES;
	sn->confirm = 0;
	return 0;
}

static int st_test_option(struct socket *sock, int level, int name, int value)
{
	return sock->ops->setsockopt(sock, level, name, KERNEL_SOCKPTR(&value), sizeof(value));
}

static void st_test_keepalive(struct kunit *test, struct socket *sock)
{
	KUNIT_ASSERT_EQ(test, 0, st_test_option(sock, SOL_ST, ST_KEEP_IDLE, IDLE));
	KUNIT_ASSERT_EQ(test, 0, st_test_option(sock, SOL_SOCKET, SO_KEEPALIVE, 1));
}

/* The peer has been silent for so long, and the timer expires. */
static void st_test_silent(struct st_sock *st, unsigned long silence)
{
	spin_lock_bh(&st->lock);
	st->timers.heard = jiffies - silence;
	spin_unlock_bh(&st->lock);
	st_test_time(st);
}

/* Op_timeout expires. */
static void st_test_late(struct st_sock *st)
{
	spin_lock_bh(&st->lock);
	st->slots.retrans.expires = jiffies;
	spin_unlock_bh(&st->lock);
	st_test_time(st);
}

/* The only operation sent is the probe, to this peer, with this Sync. */
static void st_test_asked(struct st_test_conn *conn, const struct st_sock *st, u32 sync)
{
	struct kunit *test = conn->test;
	struct st_op op;

	KUNIT_ASSERT_EQ(test, skb_queue_len(&conn->sent), 1);
	op = st_test_sent(conn, ST_OP_REQUEST_STATE);
	KUNIT_EXPECT_EQ(test, op.flags, 0);
	KUNIT_EXPECT_EQ(test, op.d_port, st->vc.peer.port);
	KUNIT_EXPECT_EQ(test, op.d_key, st->vc.peer.key);
	KUNIT_EXPECT_EQ(test, op.sync, sync);
	KUNIT_EXPECT_EQ(test, op.d_id, ST_ID_NONE);
}

/* The peer of a socket reports so many free Slots. */
static void st_test_answer(struct st_test_conn *conn, const struct st_sock *st, u16 slots,
			   u32 sync)
{
	const struct st_op op = {
		.op	= ST_OP_REQUEST_STATE_RESPONSE,
		.param	= slots,
		.d_port	= st->bind.port->num,
		.s_port	= st->vc.peer.port,
		.d_key	= st->vc.local_key,
		.sync	= sync,
		.d_id	= ST_ID_NONE,
	};

	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* Whether the timer expires no later than the silence gets too long */
static bool st_test_timer_set(const struct st_sock *st, unsigned long silence)
{
	return timer_pending(&st->timers.timer) &&
	       time_before_eq(st->timers.timer.expires, st->timers.heard + silence);
}

/* Probed when it is time and no earlier, and again only after as long a silence */
static void st_keep_asked(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;

	st_test_keepalive(test, conn->sock);
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, IDLE * HZ));
	st_test_silent(st, (IDLE - 50) * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, IDLE * HZ));

	st_test_silent(st, IDLE * HZ);
	st_test_asked(conn, st, 0);
	KUNIT_EXPECT_TRUE(test, st->slots.retrans.armed);
	/* One probe at a time */
	st_test_silent(st, 2 * IDLE * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));

	st_test_answer(conn, st, ST_SLOTS_NONE, 0);
	KUNIT_EXPECT_FALSE(test, st->slots.retrans.armed);
	/* Whatever Op_timeout is */
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, IDLE * HZ));
	st_test_silent(st, 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, IDLE * HZ));
	st_test_silent(st, IDLE * HZ);
	st_test_asked(conn, st, 0);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
	KUNIT_EXPECT_EQ(test, st->info.op_retries, 0);
}

/* ST 10.1, 10.2: repeated Max_Retry times, then the connection fails. */
static void st_keep_not_answered(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	unsigned int i;

	st_test_keepalive(test, conn->sock);
	st_test_silent(st, IDLE * HZ);
	st_test_asked(conn, st, 0);
	for (i = 0; i < RETRIES; i++) {
		st_test_late(st);
		st_test_asked(conn, st, 0);
		KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
	}
	st_test_late(st);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, sock_error(&st->sk), -ETIMEDOUT);
	KUNIT_EXPECT_FALSE(test, timer_pending(&st->timers.timer));
	KUNIT_EXPECT_EQ(test, st->info.op_retries, RETRIES);
}

/* The answer to a repeat counts, too. */
static void st_keep_answered_late(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	unsigned int i;

	st_test_keepalive(test, conn->sock);
	st_test_silent(st, IDLE * HZ);
	for (i = 0; i < RETRIES; i++)
		st_test_late(st);
	st_test_answer(conn, st, ST_SLOTS_NONE, 0);
	KUNIT_EXPECT_FALSE(test, st->slots.retrans.armed);
	skb_queue_purge(&conn->sent);
	st_test_late(st);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
}

/* Nobody is probed without SO_KEEPALIVE, or when it is cleared. */
static void st_keep_off(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;

	KUNIT_ASSERT_EQ(test, 0, st_test_option(conn->sock, SOL_ST, ST_KEEP_IDLE, IDLE));
	st_test_silent(st, 2 * IDLE * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));

	/* Set that late, the probe is due at once */
	KUNIT_ASSERT_EQ(test, 0, st_test_option(conn->sock, SOL_SOCKET, SO_KEEPALIVE, 1));
	st_test_asked(conn, st, 0);
	st_test_answer(conn, st, ST_SLOTS_NONE, 0);
	KUNIT_ASSERT_EQ(test, 0, st_test_option(conn->sock, SOL_SOCKET, SO_KEEPALIVE, 0));
	st_test_silent(st, 2 * IDLE * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_FALSE(test, st->slots.retrans.armed);
}

static void st_keep_option(struct kunit *test)
{
	static const int wrong[] = { 0, -1, INT_MIN, ST_KEEP_IDLE_MAX + 1, INT_MAX, 65536 + IDLE };
	struct st_test_conn *conn = st_test_conn(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, conn->st->opts.keep_idle, ST_KEEP_IDLE_DEFAULT);
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		KUNIT_EXPECT_EQ(test, -EINVAL, st_test_option(conn->sock, SOL_ST, ST_KEEP_IDLE,
							      wrong[i]));
	KUNIT_EXPECT_EQ(test, conn->st->opts.keep_idle, ST_KEEP_IDLE_DEFAULT);
	KUNIT_EXPECT_EQ(test, 0, st_test_option(conn->sock, SOL_ST, ST_KEEP_IDLE,
						ST_KEEP_IDLE_MAX));
	KUNIT_EXPECT_EQ(test, 0, st_test_option(conn->sock, SOL_SOCKET, SO_KEEPALIVE, 1));
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(conn->st, ST_KEEP_IDLE_MAX * HZ));

	/* A shorter time also applies to a silence that has begun before */
	st_test_silent(conn->st, 2 * IDLE * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, 0, st_test_option(conn->sock, SOL_ST, ST_KEEP_IDLE, IDLE));
	st_test_asked(conn, conn->st, 0);
}

/* A peer that counts Slots connects.  Return: the Connection_Answer. */
static struct st_op st_test_call(struct st_test_conn *conn, const struct socket *listener)
{
	const struct st_op op = {
		.op	= ST_OP_REQUEST_CONNECTION,
		.flags	= ST_F_OUT_OF_ORDER,
		.param	= SLOTS,
		.d_port	= st_sk(listener->sk)->bind.port->num,
		.s_port	= OTHER_PORT,
		.bufx	= 20,
		.offset	= PEER_KEY,
		.sync	= 17,
	};
	struct st_op answer;

	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_ASSERT_EQ(conn->test, skb_queue_len(&conn->sent), 1);
	answer = st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	KUNIT_ASSERT_EQ(conn->test, answer.flags & ST_F_REJECT, 0);
	return answer;
}

/* The socket of that connection; it is not accepted yet. */
static struct st_sock *st_test_called(struct st_test_conn *conn, const struct socket *listener)
{
	struct st_op answer = st_test_call(conn, listener);
	struct st_sock *st;

	st = list_first_entry_or_null(&st_sk(listener->sk)->listen.queue, struct st_sock,
				      listen.node);
	KUNIT_ASSERT_NOT_NULL(conn->test, st);
	KUNIT_ASSERT_EQ(conn->test, st->vc.local_key, answer.offset);
	return st;
}

/* Both options are inherited from the listener; the probe takes a Slot of the peer. */
static void st_keep_of_listener(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	struct st_sock *st;

	st_test_keepalive(test, listener);
	st = st_test_called(conn, listener);
	KUNIT_EXPECT_EQ(test, st->opts.keep_idle, IDLE);
	KUNIT_EXPECT_TRUE(test, sock_flag(&st->sk, SOCK_KEEPOPEN));
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, IDLE * HZ));
	st_test_silent(st, IDLE * HZ);
	st_test_asked(conn, st, 1);
	KUNIT_EXPECT_EQ(test, st->slots.remote, SLOTS - 1);
}

/* The peer of an accepted connection is probed once, unless it has sent an operation. */
static void st_keep_confirmed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	struct st_sock *st;

	st_net_of(conn->st)->confirm = CONFIRM * MSEC_PER_SEC;
	st = st_test_called(conn, listener);
	KUNIT_EXPECT_TRUE(test, st_test_timer_set(st, CONFIRM * HZ));
	st_test_silent(st, CONFIRM / 2 * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_test_silent(st, CONFIRM * HZ);
	st_test_asked(conn, st, 1);

	st_test_answer(conn, st, SLOTS, 1);
	KUNIT_EXPECT_FALSE(test, st->slots.retrans.armed);
	st_test_silent(st, 2 * CONFIRM * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);

	/* The connecting end has the answer as a sign of its peer. */
	st_test_silent(conn->st, 2 * CONFIRM * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

/* The peer does not exist, before accept() or after. */
static void st_keep_forged(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	struct socket *sock;
	struct st_sock *st;
	unsigned int i;

	st_net_of(conn->st)->confirm = CONFIRM * MSEC_PER_SEC;
	st = st_test_called(conn, listener);
	/* A repeated Request_Connection proves nothing, whoever has sent it */
	KUNIT_EXPECT_EQ(test, st_test_call(conn, listener).offset, st->vc.local_key);
	st_test_silent(st, CONFIRM * HZ);
	/* Each probe takes a Slot of the peer */
	for (i = 0; i <= RETRIES; i++) {
		st_test_asked(conn, st, 1 + i);
		st_test_late(st);
	}
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_FALSE(test, st->vc.hashed);
	KUNIT_ASSERT_EQ(test, 0, kernel_accept(listener, &sock, O_NONBLOCK));
	KUNIT_EXPECT_PTR_EQ(test, st_sk(sock->sk), st);
	KUNIT_EXPECT_EQ(test, sock_error(sock->sk), -ETIMEDOUT);
	sock_release(sock);
}

/* 0: no probe, even if it is set later. */
static void st_keep_unconfirmed(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	struct st_sock *st;

	st_net_of(conn->st)->confirm = CONFIRM * MSEC_PER_SEC;
	st = st_test_called(conn, listener);
	st_net_of(conn->st)->confirm = 0;
	st_test_silent(st, 2 * CONFIRM * HZ);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
}

/* ST_USER_TIMEOUT instead of Max_Retry: fewer repeats, or more. */
static void st_keep_user_timeout(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct st_sock *st = conn->st;
	int i;

	st_test_keepalive(test, conn->sock);
	KUNIT_EXPECT_EQ(test, -EINVAL, st_test_option(conn->sock, SOL_ST, ST_USER_TIMEOUT, -1));
	KUNIT_ASSERT_EQ(test, 0, st_test_option(conn->sock, SOL_ST, ST_USER_TIMEOUT, NEVER_MS));
	st_test_silent(st, IDLE * HZ);
	st_test_sent(conn, ST_OP_REQUEST_STATE);
	for (i = 0; i < RETRIES + 2; i++) {
		st_test_late(st);
		st_test_sent(conn, ST_OP_REQUEST_STATE);
	}
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_ESTABLISHED);
	/* It is not exceeded, whatever Op_timeout is. */
	spin_lock_bh(&st->lock);
	st->slots.retrans.since = get_jiffies_64() - msecs_to_jiffies(NEVER_MS - 1000);
	spin_unlock_bh(&st->lock);
	st_test_late(st);
	st_test_sent(conn, ST_OP_REQUEST_STATE);
	KUNIT_EXPECT_LE(test, st->slots.retrans.expires - jiffies, 2UL * HZ);
	spin_lock_bh(&st->lock);
	st->slots.retrans.since = get_jiffies_64() - msecs_to_jiffies(NEVER_MS);
	spin_unlock_bh(&st->lock);
	st_test_late(st);
	KUNIT_EXPECT_EQ(test, st->sk.sk_state, ST_CLOSED);
	KUNIT_EXPECT_EQ(test, st->sk.sk_err, ETIMEDOUT);
}

static struct kunit_case st_keep_cases[] = {
	KUNIT_CASE(st_keep_asked),
	KUNIT_CASE(st_keep_not_answered),
	KUNIT_CASE(st_keep_answered_late),
	KUNIT_CASE(st_keep_off),
	KUNIT_CASE(st_keep_option),
	KUNIT_CASE(st_keep_of_listener),
	KUNIT_CASE(st_keep_confirmed),
	KUNIT_CASE(st_keep_forged),
	KUNIT_CASE(st_keep_unconfirmed),
	KUNIT_CASE(st_keep_user_timeout),
	{}
};

static struct kunit_suite st_keep_suite = {
	.name = "st_keepalive",
	.init = st_keep_init,
	.exit = st_test_restore_params,
	.test_cases = st_keep_cases,
};

kunit_test_suite(st_keep_suite);
