// SPDX-License-Identifier: GPL-2.0
#include <linux/in6.h>
#include <linux/net.h>
#include <linux/rtnetlink.h>

#include "conn/conn.h"
#include "link/link.h"
#include "mem/region.h"
#include "conn.h"
#include "random.h"

const struct st_test_kind st_test_kinds[] = {
	{
		.name	= "mac",
		.type	= &st_addr_mac,
		.len	= ETH_ALEN,
		.peer	= { 2, 0, 0, 0, 0, 7 },
		.group	= { 3, 0, 0, 0, 0, 7 },
	}, {
		.name	= "id",
		.type	= &st_addr_id,
		.len	= 2,
		.peer	= { 1, 7 },
		.group	= { 0xff, 0xff },
	}, {
		.name	= "ip",
		.routed	= true,
		.type	= &st_addr_ip,
		.len	= sizeof(struct in6_addr),
		.peer	= { 0xfd, [15] = 7 },
		.group	= { 0xff, 2, [15] = 1 },
	},
};

const struct st_test_kind *st_test_kind = st_test_kinds;

int st_test_kind_init(struct kunit *test)
{
	st_test_kind = test->param_value;
	return 0;
}

void st_test_kind_exit(struct kunit *test)
{
	st_test_kind = st_test_kinds;
}

/**
 * st_test_peer - an address of a peer
 * @n: its number; 0 is the peer of connections
 *
 * Return: the address, valid until the next call.
 */
const u8 *st_test_peer(unsigned int n)
{
	static u8 addr[ST_ADDR_MAX];

	memcpy(addr, st_test_kind->peer, sizeof(addr));
	addr[st_test_kind->len - 1] += n;
	return addr;
}

static const char *st_test_unfit(const struct net_device *dev)
{
	return NULL;
}

static int st_test_max_stu(const struct st_link *link, unsigned int channel)
{
	struct st_test_conn **conn = netdev_priv(link->dev);

	if ((*conn)->amid)
		(*conn)->amid(*conn);
	return channel == ST_DATA_CHANNEL ? 17 : -EINVAL;
}

static int st_test_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			const u8 *daddr, struct st_route *route)
{
	struct st_test_conn **conn = netdev_priv(link->dev);

	KUNIT_EXPECT_EQ((*conn)->test, !!route, !!link->llp->ops->connect);
	skb_queue_tail(&(*conn)->sent, skb);
	return 0;
}

static int st_test_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	struct st_test_conn **conn = netdev_priv(link->dev);

	if (!(*conn)->begun++ && st_test_kind->routed)
		return -EAGAIN;
	if (st_test_kind->routed)
		link->traits &= ~ST_ORDERED;
	link->addr_type = st_test_kind->type;
	link->addr_len = st_test_kind->len;
	link->own_addr = st_test_kind->type != &st_addr_mac;
	if (link->own_addr) {
		memcpy(link->addr, st_test_kind->peer, link->addr_len);
		link->addr[link->addr_len - 1] = 0x80 + link->dev->ifindex % 0x40;
	}
	link->placements = ST_NUM_CHANNELS;
	return 0;
}

static int st_test_ordered_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->traits = ST_ORDERED | ST_CREDITED | ST_RELIABLE;
	return st_test_begin(link, extack);
}

static const struct st_llp_ops st_test_ops = {
	.unfit		= st_test_unfit,
	.begin		= st_test_ordered_begin,
	.max_stu	= st_test_max_stu,
	.xmit		= st_test_xmit,
};

static const struct st_llp st_test_llp = {
	.name		= "test",
	.type		= ST_LLP_HIPPI6400,
	.ops		= &st_test_ops,
};

static int st_test_lossy_max_stu(const struct st_link *link, unsigned int channel)
{
	return channel == ST_DATA_CHANNEL ? LOSSY_STU : -EINVAL;
}

static const struct st_llp_ops st_test_lossy_ops = {
	.unfit		= st_test_unfit,
	.begin		= st_test_begin,
	.max_stu	= st_test_lossy_max_stu,
	.xmit		= st_test_xmit,
};

const struct st_llp st_test_lossy_llp = {
	.name		= "lossy",
	.type		= ST_LLP_ETHERNET,
	.ops		= &st_test_lossy_ops,
};

static unsigned int st_test_max_gso(const struct st_link *link, unsigned int stu)
{
	return RUN_MAX;
}

static const struct st_llp_ops st_test_run_ops = {
	.unfit		= st_test_unfit,
	.begin		= st_test_begin,
	.max_stu	= st_test_lossy_max_stu,
	.max_gso	= st_test_max_gso,
	.xmit		= st_test_xmit,
};

static const struct st_llp st_test_run_llp = {
	.name		= "run",
	.type		= ST_LLP_ETHERNET,
	.ops		= &st_test_run_ops,
};

static netdev_tx_t st_test_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops st_test_netdev_ops = {
	.ndo_start_xmit	= st_test_start_xmit,
};

/**
 * st_test_dev_free - remove the device, and the LLP with it
 * @data: struct st_test_conn
 */
void st_test_dev_free(void *data)
{
	struct st_test_conn *conn = data;

	rtnl_lock();
	st_llp_detach(conn->llp, conn->dev);
	unregister_netdevice(conn->dev);
	rtnl_unlock();
	st_test_routes_exit(conn);
	skb_queue_purge(&conn->sent);
	free_netdev(conn->dev);
}

/**
 * st_test_link_end - remove a link of st_test_link() before the test ends
 * @conn: result of st_test_link()
 */
void st_test_link_end(struct st_test_conn *conn)
{
	kunit_release_action(conn->test, st_test_dev_free, conn);
}

static void st_test_dev(struct st_test_conn *conn)
{
	struct kunit *test = conn->test;
	struct st_test_conn **priv;
	int err;

	conn->dev = alloc_etherdev(sizeof(*priv));
	KUNIT_ASSERT_NOT_NULL(test, conn->dev);
	strscpy(conn->dev->name, "sttest%d", sizeof(conn->dev->name));
	conn->dev->netdev_ops = &st_test_netdev_ops;
	eth_hw_addr_random(conn->dev);
	priv = netdev_priv(conn->dev);
	*priv = conn;

	rtnl_lock();
	err = register_netdevice(conn->dev);
	if (err) {
		rtnl_unlock();
		free_netdev(conn->dev);
		KUNIT_FAIL_AND_ABORT(test, "no netdev: %pe", ERR_PTR(err));
	}
	err = dev_open(conn->dev, NULL) ?: st_link_add(conn->dev, conn->llp, NULL, NULL);
	if (err == -EAGAIN)
		err = st_link_add(conn->dev, conn->llp, NULL, NULL);
	conn->link = st_link_find(conn->dev, conn->llp);
	rtnl_unlock();
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, st_test_dev_free, conn));
	KUNIT_ASSERT_EQ(test, 0, err);
}

/**
 * st_test_rcv - receive an operation of the peer
 * @conn: the connection
 * @skb: the operation; consumed
 */
void st_test_rcv(struct st_test_conn *conn, struct sk_buff *skb)
{
	st_test_routes_peer(conn);
	st_test_rcv_only(conn, skb);
}

/* As st_test_rcv(), over no route that the peer has set up */
void st_test_rcv_only(struct st_test_conn *conn, struct sk_buff *skb)
{
	local_bh_disable();
	rcu_read_lock();
	st_rcv(conn->link, skb, st_test_peer(0));
	rcu_read_unlock();
	local_bh_enable();
}

/**
 * st_test_op_skb - build an skb of an operation of the peer
 * @conn: the connection
 * @op: the operation
 *
 * Return: an skb with its Schedule Header.
 */
struct sk_buff *st_test_op_skb(struct st_test_conn *conn, const struct st_op *op)
{
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	st_op_pack(op, skb_put(skb, ST_HDR_LEN));
	return skb;
}

/**
 * st_test_sent - the next operation of one kind sent by the socket
 * @conn: the connection
 * @code: enum st_opcode; others are skipped
 *
 * Return: the operation; the test fails when there is none.
 */
struct st_op st_test_sent(struct st_test_conn *conn, u8 code)
{
	struct st_op op = {};
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&conn->sent))) {
		st_op_unpack((const struct st_hdr *)skb->data, &op);
		kfree_skb(skb);
		if (op.op == code)
			return op;
	}
	KUNIT_FAIL_AND_ABORT(conn->test, "no %s was sent", st_op_name(code));
	return op;
}

/**
 * st_test_peer_op - initialize an operation of the peer
 * @conn: the connection
 * @code: enum st_opcode
 * @flags: ST figure 13
 *
 * Return: the operation, addressed to the socket.
 */
struct st_op st_test_peer_op(const struct st_test_conn *conn, u8 code, u16 flags)
{
	return (struct st_op) {
		.op	= code,
		.flags	= flags,
		.d_port	= conn->st->bind.port->num,
		.s_port	= PEER_PORT,
		.d_key	= conn->st->vc.local_key,
	};
}

/**
 * st_test_link - create a device with an LLP, without a socket
 * @test: the test; both are removed at its end
 * @llp: the LLP, with begin() of the tests' LLPs
 *
 * Return: the connection to be made over it.
 */
struct st_test_conn *st_test_link(struct kunit *test, const struct st_llp *llp)
{
	struct st_test_conn *conn = kunit_kzalloc(test, sizeof(*conn), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, conn);
	conn->test = test;
	conn->llp = llp;
	if (st_test_kind->routed)
		st_test_routes_init(conn);
	skb_queue_head_init(&conn->sent);
	st_test_dev(conn);
	return conn;
}

/**
 * st_test_conn_over - connect a socket over an LLP
 * @test: the test; everything is removed at its end
 * @llp: the LLP, with begin() of the tests' LLPs
 * @stripe: the socket has ST_STRIPE
 *
 * Return: the connection, established.
 */
struct st_test_conn *st_test_conn_over(struct kunit *test, const struct st_llp *llp, bool stripe)
{
	struct st_test_conn *conn = st_test_link(test, llp);
	struct rnd_state rnd;

	conn->stripe = stripe;
	conn->data = kunit_kmalloc(test, T_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, conn->data);
	st_test_seed(test, &rnd);
	prandom_bytes_state(&rnd, conn->data, T_LEN);
	st_test_connect(conn);
	return conn;
}

/**
 * st_test_conn_beside - connect another socket over a link
 * @first: the connection that has created the link; operations of the new one also go to its
 *	st_test_conn.sent
 *
 * Return: the connection, established.
 */
struct st_test_conn *st_test_conn_beside(struct st_test_conn *first)
{
	struct st_test_conn *conn = kunit_kzalloc(first->test, sizeof(*conn), GFP_KERNEL);
	struct st_test_conn **priv = netdev_priv(first->dev);

	KUNIT_ASSERT_NOT_NULL(first->test, conn);
	conn->test = first->test;
	conn->dev = first->dev;
	conn->llp = first->llp;
	conn->link = first->link;
	conn->data = first->data;
	skb_queue_head_init(&conn->sent);
	*priv = conn;
	st_test_connect(conn);
	*priv = first;
	return conn;
}

/**
 * st_test_conn - connect a socket
 * @test: the test; everything is removed at its end
 *
 * The peer does not count Slots, and claims Out_of_Order.
 *
 * Return: the connection, established.
 */
struct st_test_conn *st_test_conn(struct kunit *test)
{
	return st_test_conn_over(test, &st_test_llp, false);
}

/* As st_test_conn(), over an LLP that does not keep the order, with STUs of LOSSY_STU. */
struct st_test_conn *st_test_lossy_conn(struct kunit *test)
{
	return st_test_conn_over(test, &st_test_lossy_llp, false);
}

/* As st_test_lossy_conn(), with GSO packets of up to RUN_MAX bytes. */
struct st_test_conn *st_test_run_conn(struct kunit *test)
{
	return st_test_conn_over(test, &st_test_run_llp, false);
}

/* As st_test_conn(), for a socket that may use several paths. */
struct st_test_conn *st_test_stripe_conn(struct kunit *test)
{
	return st_test_conn_over(test, &st_test_llp, true);
}

/* As st_test_lossy_conn(), for a socket that may use several paths. */
struct st_test_conn *st_test_lossy_stripe_conn(struct kunit *test)
{
	return st_test_conn_over(test, &st_test_lossy_llp, true);
}

/**
 * st_test_other_link - create another link to the peer of a connection
 * @first: the connection
 *
 * Return: the same connection, over that link.
 */
struct st_test_conn *st_test_other_link(struct st_test_conn *first)
{
	struct st_test_conn *conn = st_test_link(first->test, first->llp);

	conn->sock = first->sock;
	conn->st = first->st;
	conn->data = first->data;
	return conn;
}

/* Announce a Transfer to the socket, ST 6.1.2. */
void st_test_peer_write(struct st_test_conn *conn, u32 peer_id, u64 t_len)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_TO_SEND, ST_DATA_CHANNEL);

	op.b_id = 20;
	op.s_id = peer_id;
	st_op_set_t_len(&op, t_len);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

/* Send bytes @skip to @skip + @len of a Block to the socket. */
void st_test_peer_data(struct st_test_conn *conn, const struct st_op *cts, u16 stu_num,
		       u32 skip, u32 len, u16 flags)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_DATA, ST_DATA_CHANNEL | flags);
	struct sk_buff *skb = alloc_skb(ST_HDR_LEN + len, GFP_KERNEL);
	u32 known;

	KUNIT_ASSERT_NOT_NULL(conn->test, skb);
	op.param = stu_num;
	op.b_id = cts->b_id;
	op.bufx = cts->bufx;
	op.offset = cts->offset + skip;
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	st_op_pack(&op, skb_put(skb, ST_HDR_LEN));
	/* Zeros follow the bytes of conn->data */
	known = op.offset < T_LEN ? min(len, T_LEN - op.offset) : 0;
	skb_put_data(skb, conn->data + (known ? op.offset : 0), known);
	skb_put_zero(skb, len - known);
	st_test_rcv(conn, skb);
}

/* sendmsg() of @len bytes with one control message. */
int st_test_ctl(struct st_test_conn *conn, int type, const void *data, size_t data_len,
		size_t len)
{
	u8 room[CMSG_SPACE(sizeof(struct st_ctl))] __aligned(8) = {};
	struct cmsghdr *cmsg = (struct cmsghdr *)room;
	struct msghdr msg = {
		.msg_flags = MSG_DONTWAIT,
		.msg_control = room,
		.msg_controllen = CMSG_SPACE(data_len),
	};
	struct kvec vec = { .iov_base = conn->data, .iov_len = len };

	KUNIT_ASSERT_LE(conn->test, CMSG_SPACE(data_len), sizeof(room));
	cmsg->cmsg_level = SOL_ST;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(data_len);
	memcpy(room + sizeof(*cmsg), data, data_len);
	return kernel_sendmsg(conn->sock, &msg, &vec, 1, len);
}

/* Acknowledge a Transfer, called @peer_id by the peer, up to Block @b_seq. */
void st_test_arrived(struct st_test_conn *conn, const struct st_op *rts, u32 peer_id, u32 b_seq)
{
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_STATE_RESPONSE, 0);

	op.param = ST_SLOTS_NONE;
	op.offset = b_seq;
	op.d_id = rts->s_id;
	op.s_id = peer_id;
	st_test_rcv(conn, st_test_op_skb(conn, &op));
}

struct st_test_params {
	unsigned int	op_timeout;
	unsigned int	op_timeout_min;
	unsigned int	max_retry;
	unsigned int	confirm;
};

int st_test_keep_params(struct kunit *test)
{
	const struct st_net *sn = st_pernet(&init_net);
	struct st_test_params *params = kunit_kzalloc(test, sizeof(*params), GFP_KERNEL);

	if (!params)
		return -ENOMEM;
	params->op_timeout = sn->op_timeout;
	params->op_timeout_min = sn->op_timeout_min;
	params->max_retry = sn->max_retry;
	params->confirm = sn->confirm;
	test->priv = params;
	return 0;
}

void st_test_restore_params(struct kunit *test)
{
	struct st_net *sn = st_pernet(&init_net);
	const struct st_test_params *params = test->priv;

	if (!params)
		return;
	sn->op_timeout = params->op_timeout;
	sn->op_timeout_min = params->op_timeout_min;
	sn->max_retry = params->max_retry;
	sn->confirm = params->confirm;
}

/* Whether recvmsg() would return something. */
bool st_test_readable(struct st_test_conn *conn)
{
	bool readable;

	spin_lock_bh(&conn->st->lock);
	readable = st_readable(conn->st);
	spin_unlock_bh(&conn->st->lock);
	return readable;
}

/**
 * st_test_lent - a connection whose peer may access a page of this end
 * @test: the test
 * @access: ST_REGION_PUT, _GET, _FETCHOP
 * @region: set to the Memory_Region_Available, which stays in st_test_conn.sent
 *
 * Return: the connection.
 */
struct st_test_conn *st_test_lent(struct kunit *test, u8 access, struct st_op *region)
{
	struct st_region_offer offer = { .len = PAGE_SIZE, .access = access };
	struct st_test_conn *conn = st_test_conn(test);
	struct st_op op = st_test_peer_op(conn, ST_OP_REQUEST_MEMORY_REGION, ST_DATA_CHANNEL);

	KUNIT_ASSERT_EQ(test, 0, st_region_offer(conn->st, true, &offer));
	op.s_id = 9;
	st_op_set_t_len(&op, PAGE_SIZE);
	st_test_rcv(conn, st_test_op_skb(conn, &op));
	*region = st_test_sent(conn, ST_OP_MEMORY_REGION_AVAILABLE);
	return conn;
}
