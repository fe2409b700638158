// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of links on devices whose frames another device takes.
 */
#include <linux/net.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "link/link.h"
#include "st_sock.h"
#include "conn.h"

#define PEER_ID		9
#define BLOCK		256

static rx_handler_result_t st_link_handler(struct sk_buff **skb)
{
	return RX_HANDLER_PASS;
}

static struct rtnl_link_ops st_link_hsr = {
	.kind = "hsr",
};

/* An upper device */
struct st_link_upper {
	unsigned int		flags;
	u64			priv_flags;
	struct rtnl_link_ops	*ops;
	bool			handler;	/* the lower device has an rx handler */
	bool			slave;
	const char		*why;
};

static const struct st_link_upper st_link_uppers[] = {
	{ .priv_flags = IFF_EBRIDGE, .handler = true, .slave = true, .why = "a port of a bridge" },
	{ .flags = IFF_MASTER, .priv_flags = IFF_BONDING, .handler = true, .slave = true,
	  .why = "a port of a bond" },
	{ .priv_flags = IFF_TEAM, .handler = true, .slave = true, .why = "a port of a team" },
	/* Its rx handler is registered after the event */
	{ .priv_flags = IFF_OPENVSWITCH, .slave = true, .why = "a port of Open vSwitch" },
	/* Such as a VF below netvsc */
	{ .handler = true, .slave = true, .why = "a port of another device" },
	{ .ops = &st_link_hsr, .handler = true, .why = "a port of an HSR or PRP device" },
	/* A VRF; with a device of ipvlan in addition; batman-adv; a VLAN; macsec */
	{ .priv_flags = IFF_L3MDEV_MASTER, .slave = true },
	{ .priv_flags = IFF_L3MDEV_MASTER, .slave = true, .handler = true },
	{ .slave = true },
	{ },
	{ .handler = true },
};

static void st_link_join_upper(struct st_test_conn *conn, struct net_device *upper,
			       const struct st_link_upper *u)
{
	struct kunit *test = conn->test;

	upper->flags |= u->flags;
	upper->priv_flags |= u->priv_flags;
	upper->rtnl_link_ops = u->ops;
	if (u->handler)
		KUNIT_ASSERT_EQ(test, 0, netdev_rx_handler_register(conn->dev, st_link_handler,
								    NULL));
	if (u->slave)
		KUNIT_ASSERT_EQ(test, 0, netdev_master_upper_dev_link(conn->dev, upper, NULL, NULL,
								      NULL));
	else
		KUNIT_ASSERT_EQ(test, 0, netdev_upper_dev_link(conn->dev, upper, NULL));
	st_link_changed(conn->link);
}

/* The rx handler is removed after the event, as by a bridge. */
static void st_link_leave_upper(struct st_test_conn *conn, struct net_device *upper,
				const struct st_link_upper *u)
{
	netdev_upper_dev_unlink(conn->dev, upper);
	st_link_changed(conn->link);
	if (u->handler)
		netdev_rx_handler_unregister(conn->dev);
	upper->flags &= ~u->flags;
	upper->priv_flags &= ~u->priv_flags;
	upper->rtnl_link_ops = NULL;
}

static void st_link_reasons(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct net_device *upper = st_test_other_link(conn)->dev;
	const struct st_link_upper *u;
	unsigned int i;

	rtnl_lock();
	for (i = 0; i < ARRAY_SIZE(st_link_uppers); i++) {
		u = &st_link_uppers[i];
		st_link_join_upper(conn, upper, u);
		KUNIT_EXPECT_STREQ_MSG(test, u->why ?: "", st_link_core(conn->link)->unusable ?: "",
				       "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, u->why ? ST_LINK_STATE_UNUSABLE : ST_LINK_STATE_UP,
				    st_link_core(conn->link)->state, "case %u", i);
		st_link_leave_upper(conn, upper, u);
		KUNIT_EXPECT_NULL_MSG(test, st_link_core(conn->link)->unusable, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, ST_LINK_STATE_UP, st_link_core(conn->link)->state,
				    "case %u", i);
	}
	rtnl_unlock();
}

/* Non-blocking connect() of another socket over the link */
static int st_link_connect(struct st_test_conn *conn)
{
	struct sockaddr_st to = {
		.sst_family	= AF_ST,
		.sst_port	= htons(PEER_PORT),
		.sst_ifindex	= conn->dev->ifindex,
		.sst_alen	= ETH_ALEN,
	};
	struct socket *sock;
	int err;

	memcpy(to.sst_addr, st_test_peer(0), ETH_ALEN);
	KUNIT_ASSERT_EQ(conn->test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0,
							&sock));
	err = kernel_connect(sock, (struct sockaddr_unsized *)&to, sizeof(to), O_NONBLOCK);
	/* The setup under way ends with the link */
	sock_release(sock);
	return err;
}

/* A connection ends at once, and none can be set up until the device is free. */
static void st_link_connections(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct net_device *upper = st_test_other_link(conn)->dev;
	const struct st_link_upper *bridge = &st_link_uppers[0];

	KUNIT_EXPECT_EQ(test, -EINPROGRESS, st_link_connect(conn));
	rtnl_lock();
	st_link_join_upper(conn, upper, bridge);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, ST_CLOSED, conn->st->sk.sk_state);
	KUNIT_EXPECT_EQ(test, ENETDOWN, conn->st->sk.sk_err);
	KUNIT_EXPECT_EQ(test, 0, st_link_core(conn->link)->nr_vcs);
	KUNIT_EXPECT_EQ(test, -ENETDOWN, st_link_connect(conn));
	rtnl_lock();
	st_link_leave_upper(conn, upper, bridge);
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, -EINPROGRESS, st_link_connect(conn));
}

/* connect() without a device.  Return: which of two links it uses, or NULL. */
static struct st_test_conn *st_link_taken(struct st_test_conn *one, struct st_test_conn *two,
					  u8 llp)
{
	struct sockaddr_st to = {
		.sst_family	= AF_ST,
		.sst_port	= htons(PEER_PORT),
		.sst_llp	= llp,
		.sst_alen	= ETH_ALEN,
	};
	struct st_test_conn *taken = NULL;
	struct socket *sock;

	memcpy(to.sst_addr, st_test_peer(0), ETH_ALEN);
	KUNIT_ASSERT_EQ(one->test, 0, sock_create_kern(&init_net, PF_ST, SOCK_SEQPACKET, 0,
						       &sock));
	KUNIT_EXPECT_EQ(one->test, -EINPROGRESS,
			kernel_connect(sock, (struct sockaddr_unsized *)&to, sizeof(to),
				       O_NONBLOCK));
	if (skb_queue_len(&one->sent) == 1 && skb_queue_empty(&two->sent))
		taken = one;
	else if (skb_queue_len(&two->sent) == 1 && skb_queue_empty(&one->sent))
		taken = two;
	sock_release(sock);
	skb_queue_purge(&one->sent);
	skb_queue_purge(&two->sent);
	return taken;
}

static void st_link_carrier_is(struct st_test_conn *conn, bool on)
{
	rtnl_lock();
	if (on)
		netif_carrier_on(conn->dev);
	else
		netif_carrier_off(conn->dev);
	st_link_changed(conn->link);
	rtnl_unlock();
}

/* The highest priority among links that are up, then the lowest index; a named LLP overrides. */
static void st_link_priorities(struct kunit *test)
{
	static struct st_llp low, high;
	struct st_test_conn *first, *second, *third;

	low = st_test_lossy_llp;
	high = st_test_lossy_llp;
	low.priority = ST_PRIORITY_SHARED;
	high.priority = ST_PRIORITY_OWN;
	high.type = ST_LLP_HIPPI6400;
	first = st_test_link(test, &low);
	second = st_test_link(test, &high);
	KUNIT_ASSERT_LT(test, first->dev->ifindex, second->dev->ifindex);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(first, second, ST_LLP_ANY), second);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(first, second, ST_LLP_ETHERNET), first);
	st_link_carrier_is(second, false);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(first, second, ST_LLP_ANY), first);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(first, second, ST_LLP_HIPPI6400), second);
	st_link_carrier_is(first, false);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(first, second, ST_LLP_ANY), second);
	st_link_carrier_is(first, true);
	st_link_carrier_is(second, true);

	third = st_test_link(test, &high);
	KUNIT_EXPECT_PTR_EQ(test, st_link_taken(second, third, ST_LLP_ANY), second);
}

static int st_link_own_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->own_state = true;
	st_link_set_up(link, true);
	return st_test_lossy_llp.ops->begin(link, extack);
}

static enum st_link_state st_link_told(struct st_link *link)
{
	flush_work(&st_link_core(link)->changed);
	return st_link_core(link)->state;
}

/* Send a record of one Block, and clear it. */
static void st_link_record(struct st_test_conn *conn)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT };
	struct kvec vec = { .iov_base = conn->data, .iov_len = BLOCK };
	struct st_op rts, cts;

	KUNIT_ASSERT_EQ(conn->test, BLOCK, kernel_sendmsg(conn->sock, &msg, &vec, 1, BLOCK));
	rts = st_test_sent(conn, ST_OP_REQUEST_TO_SEND);
	cts = st_test_peer_op(conn, ST_OP_CLEAR_TO_SEND, 0);
	cts.param = ilog2(BLOCK);
	cts.b_id = 5;
	cts.d_id = rts.s_id;
	cts.s_id = PEER_ID + rts.s_id;
	st_test_rcv(conn, st_test_op_skb(conn, &cts));
}

/* The LLP decides about the carrier, not the device: Data waits for it alone. */
static void st_link_own_state(struct kunit *test)
{
	static struct st_llp_ops ops;
	static struct st_llp llp;
	struct st_test_conn *conn;

	ops = *st_test_lossy_llp.ops;
	ops.begin = st_link_own_begin;
	llp = st_test_lossy_llp;
	llp.ops = &ops;
	conn = st_test_conn_over(test, &llp, false);
	KUNIT_EXPECT_EQ(test, ST_LINK_STATE_UP, st_link_told(conn->link));
	st_link_carrier_is(conn, false);
	KUNIT_EXPECT_EQ(test, ST_LINK_STATE_UP, st_link_told(conn->link));
	KUNIT_EXPECT_TRUE(test, st_path_works(&conn->st->paths.first));
	st_link_record(conn);
	st_test_sent(conn, ST_OP_DATA);

	st_link_carrier_is(conn, true);
	st_link_set_up(conn->link, false);
	KUNIT_EXPECT_EQ(test, ST_LINK_STATE_NO_CARRIER, st_link_told(conn->link));
	KUNIT_EXPECT_FALSE(test, st_path_works(&conn->st->paths.first));
	st_link_record(conn);
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
	st_link_set_up(conn->link, true);
	KUNIT_EXPECT_EQ(test, ST_LINK_STATE_UP, st_link_told(conn->link));
	flush_work(&conn->st->out.work);
	st_test_sent(conn, ST_OP_DATA);

	/* Several changes before anybody looks; Data goes at once after the last */
	st_link_set_up(conn->link, false);
	st_link_set_up(conn->link, true);
	st_link_set_up(conn->link, false);
}

/* Frames that an inactive port of a bond delivers are dropped. */
static void st_link_unusable_drops(struct kunit *test)
{
	struct st_test_conn *conn = st_test_conn(test);
	struct socket *listener = st_test_listener(test);
	const struct st_op op = {
		.op	= ST_OP_REQUEST_CONNECTION,
		.param	= ST_SLOTS_NONE,
		.d_port	= st_sk(listener->sk)->bind.port->num + 1,
		.s_port	= PEER_PORT,
		.bufx	= 20,
		.offset	= PEER_KEY,
		.sync	= 10,
	};

	st_test_rcv(conn, st_test_op_skb(conn, &op));
	st_test_sent(conn, ST_OP_CONNECTION_ANSWER);
	spin_lock_bh(&st_link_core(conn->link)->lock);
	st_link_core(conn->link)->unusable = "test";
	spin_unlock_bh(&st_link_core(conn->link)->lock);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	KUNIT_EXPECT_TRUE(test, skb_queue_empty(&conn->sent));
}

static struct kunit_case st_link_cases[] = {
	KUNIT_CASE(st_link_reasons),
	KUNIT_CASE(st_link_connections),
	KUNIT_CASE(st_link_priorities),
	KUNIT_CASE(st_link_own_state),
	KUNIT_CASE(st_link_unusable_drops),
	{}
};

static struct kunit_suite st_link_suite = {
	.name = "st_link",
	.test_cases = st_link_cases,
};

kunit_test_suite(st_link_suite);
