// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of setup, ST 5.1.1: which addresses may request a Virtual Connection, and be called.
 */
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>

#include "link/link.h"
#include "st_sock.h"
#include "conn.h"

#define CALLER_PORT	4711
#define CALLER_KEY	0x77

static const u8 one[ETH_ALEN] = { 2, 0, 0, 0, 0, 9 };
static const u8 nobodies[][ETH_ALEN] = {
	{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	{ 0x01, 0, 0x5e, 0, 0, 1 },
	{ 3, 0, 0, 0, 0, 9 },
	{ 0, 0, 0, 0, 0, 0 },
};

static void st_setup_op(struct st_test_conn *conn, struct st_link *link, const struct st_op *op,
			const u8 *saddr)
{
	struct sk_buff *skb = st_test_op_skb(conn, op);

	local_bh_disable();
	rcu_read_lock();
	st_rcv(link, skb, saddr);
	rcu_read_unlock();
	local_bh_enable();
}

/* A Request_Connection */
static void st_setup_call(struct st_test_conn *conn, struct st_link *link,
			  const struct socket *listener, const u8 *saddr)
{
	const struct st_op op = {
		.op	= ST_OP_REQUEST_CONNECTION,
		.flags	= ST_F_OUT_OF_ORDER,
		.param	= ST_SLOTS_NONE,
		.d_port	= st_sk(listener->sk)->bind.port->num,
		.s_port	= CALLER_PORT,
		.bufx	= 20,
		.offset	= CALLER_KEY,
		.sync	= 10,
	};

	st_setup_op(conn, link, &op, saddr);
}

static unsigned int st_setup_called(const struct socket *listener)
{
	return list_count_nodes(&st_sk(listener->sk)->listen.queue);
}

static u64 st_setup_illegal(void)
{
	return atomic64_read(&st_pernet(&init_net)->drops[ST_DROP_FRAME]);
}

static void st_setup_del(void *data)
{
	struct st_test_conn *conn = data;

	rtnl_lock();
	st_llp_detach(&st_test_lossy_llp, conn->dev);
	rtnl_unlock();
}

/* Equal addresses of two LLPs on a device: one request is a repeat, the other is new. */
static void st_setup_two_llps(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	struct st_sock *first, *second;
	struct st_link *other;

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, 0, st_link_add(conn->dev, &st_test_lossy_llp, NULL, NULL));
	other = st_link_find(conn->dev, &st_test_lossy_llp);
	rtnl_unlock();
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_setup_del, conn));

	st_setup_call(conn, conn->link, listener, one);
	st_setup_call(conn, conn->link, listener, one);
	KUNIT_EXPECT_EQ(test, st_setup_called(listener), 1);
	st_setup_call(conn, other, listener, one);
	KUNIT_ASSERT_EQ(test, st_setup_called(listener), 2);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), 3);

	first = list_first_entry(&st_sk(listener->sk)->listen.queue, struct st_sock, listen.node);
	second = list_last_entry(&st_sk(listener->sk)->listen.queue, struct st_sock, listen.node);
	KUNIT_EXPECT_PTR_EQ(test, first->paths.first.link, conn->link);
	KUNIT_EXPECT_PTR_EQ(test, second->paths.first.link, other);
	/* Each counts as a host of its own */
	KUNIT_EXPECT_PTR_NE(test, first->vc.host, second->vc.host);
}

/* A request from an address that is not of one host is not answered: that might reach many. */
static void st_setup_of_nobody(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	const struct st_op stray = {
		.op	= ST_OP_REQUEST_DISCONNECT,
		.d_port	= st_sk(listener->sk)->bind.port->num,
		.s_port	= CALLER_PORT,
		.d_key	= 1,
		.offset	= CALLER_KEY,
	};
	u64 illegal = st_setup_illegal();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nobodies); i++) {
		st_setup_call(conn, conn->link, listener, nobodies[i]);
		st_setup_op(conn, conn->link, &stray, nobodies[i]);
		KUNIT_EXPECT_EQ(test, st_setup_illegal(), illegal + 2 * (i + 1));
	}
	KUNIT_EXPECT_EQ(test, st_setup_called(listener), 0);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));

	st_setup_call(conn, conn->link, listener, one);
	st_setup_op(conn, conn->link, &stray, one);
	KUNIT_EXPECT_EQ(test, st_setup_called(listener), 1);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&conn->sent), 2);
	KUNIT_EXPECT_EQ(test, st_setup_illegal(), illegal + 2 * ARRAY_SIZE(nobodies));
}

static int st_test_paths(struct socket *sock, struct sockaddr_st *paths, int len)
{
	return sock->ops->setsockopt(sock, SOL_ST, ST_STRIPE_ADDRS, KERNEL_SOCKPTR(paths), len);
}

/* Such an address cannot be called either, or be a further address of a peer. */
static void st_setup_to_nobody(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct sockaddr_st to = {
		.sst_family	= AF_ST,
		.sst_port	= htons(PEER_PORT),
		.sst_ifindex	= conn->dev->ifindex,
		.sst_alen	= ETH_ALEN,
	}, path = to;
	int off = 0, on = 1;
	struct socket *sock;
	unsigned int i;

	path.sst_port = 0;
	KUNIT_ASSERT_EQ(test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0, &sock));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_sock_free, sock));
	/* Further paths need ST_STRIPE. */
	memcpy(path.sst_addr, one, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, -EINVAL, st_test_paths(sock, &path, sizeof(path)));
	KUNIT_ASSERT_EQ(test, 0, sock->ops->setsockopt(sock, SOL_ST, ST_STRIPE,
						       KERNEL_SOCKPTR(&on), sizeof(on)));
	for (i = 0; i < ARRAY_SIZE(nobodies); i++) {
		memcpy(to.sst_addr, nobodies[i], ETH_ALEN);
		memcpy(path.sst_addr, nobodies[i], ETH_ALEN);
		KUNIT_EXPECT_EQ(test, -EINVAL, kernel_connect(sock, (struct sockaddr_unsized *)&to,
							      sizeof(to), O_NONBLOCK));
		KUNIT_EXPECT_EQ(test, -EINVAL, st_test_paths(sock, &path, sizeof(path)));
	}
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	memcpy(path.sst_addr, one, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, 0, st_test_paths(sock, &path, sizeof(path)));
	KUNIT_EXPECT_EQ(test, st_sk(sock->sk)->paths.stripe->nr_asked, 1);
	KUNIT_EXPECT_EQ(test, 0, st_test_paths(sock, NULL, 0));
	KUNIT_EXPECT_EQ(test, st_sk(sock->sk)->paths.stripe->nr_asked, 0);
	/* ST_STRIPE can be cleared, together with the addresses. */
	KUNIT_EXPECT_EQ(test, 0, st_test_paths(sock, &path, sizeof(path)));
	KUNIT_EXPECT_EQ(test, 0, sock->ops->setsockopt(sock, SOL_ST, ST_STRIPE,
						       KERNEL_SOCKPTR(&off), sizeof(off)));
	KUNIT_EXPECT_NULL(test, st_sk(sock->sk)->paths.stripe);
}

static struct kunit_case st_setup_cases[] = {
	KUNIT_CASE(st_setup_two_llps),
	KUNIT_CASE(st_setup_of_nobody),
	KUNIT_CASE(st_setup_to_nobody),
	{}
};

static struct kunit_suite st_setup_suite = {
	.name = "st_setup",
	.test_cases = st_setup_cases,
};

kunit_test_suite(st_setup_suite);
