// SPDX-License-Identifier: GPL-2.0
/*
 * Network devices of ports, in the initial namespace.
 */
#include <linux/delay.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/net.h>
#include <linux/rio_regs.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include "common.h"
#include "netdev.h"
#include "port.h"
#include "stats.h"

#define TEST_STREAM	0xe181

/**
 * struct test_end - a card with a device
 * @port: its port
 * @dev: the device
 * @to: the card at the other end of its cable
 * @taken: PDUs that came, of TEST_STREAM
 * @tap: takes them
 * @left: packets that it has room for
 * @events: counts what the device tells of its address
 * @addresses: how many times it did
 */
struct test_end {
	struct rio9_port *port;
	struct net_device *dev;
	struct test_end *to;
	struct sk_buff_head taken;
	struct packet_type tap;
	unsigned int left;
	struct notifier_block events;
	unsigned int addresses;
};

static int test_xmit_packet(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_end *end = rio9_port_priv(port);

	if (!end->left)
		return -EBUSY;
	end->left--;
	rio9_rx_packet(end->to->port, packet, len);
	return 0;
}

static const struct rio9_port_ops test_ops = { .xmit_packet = test_xmit_packet };

static int test_take(struct sk_buff *skb, struct net_device *dev, struct packet_type *tap,
		     struct net_device *orig_dev)
{
	struct test_end *end = container_of(tap, struct test_end, tap);

	skb_queue_tail(&end->taken, skb);
	return NET_RX_SUCCESS;
}

static int test_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct test_end *end = container_of(nb, struct test_end, events);

	if (event == NETDEV_CHANGEADDR && netdev_notifier_info_to_dev(info) == end->dev)
		end->addresses++;
	return NOTIFY_DONE;
}

static void test_destroy(void *data)
{
	struct test_end *end = data;

	rio9_port_destroy(end->port);
}

static void test_unregister(void *data)
{
	struct test_end *end = data;

	unregister_netdevice_notifier(&end->events);
	dev_remove_pack(&end->tap);
	skb_queue_purge(&end->taken);
	rio9_port_unregister(end->port);
}

static struct test_end *test_end(struct kunit *test, bool large)
{
	const struct rio9_caps caps = {
		.large = large, .max_pdu = 10000, .contexts = 64,
		.channels = BIT(RIO9_FLOW_A) | BIT(RIO9_FLOW_B) | BIT(RIO9_FLOW_C) |
			    BIT(RIO9_FLOW_E),
	};
	struct test_end *end = kunit_kzalloc(test, sizeof(*end), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, end);
	end->left = UINT_MAX;
	end->port = rio9_port_create(&test_ops, &caps, end);
	KUNIT_ASSERT_FALSE(test, IS_ERR(end->port));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_destroy, end));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_register(end->port, &init_net, NULL));
	end->dev = end->port->dev;
	skb_queue_head_init(&end->taken);
	end->tap.type = cpu_to_be16(TEST_STREAM);
	end->tap.dev = end->dev;
	end->tap.func = test_take;
	dev_add_pack(&end->tap);
	end->events.notifier_call = test_event;
	KUNIT_ASSERT_EQ(test, 0, register_netdevice_notifier(&end->events));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_unregister, end));
	return end;
}

static void test_up(struct kunit *test, struct test_end *end, u16 id, u16 peer)
{
	KUNIT_ASSERT_EQ(test, 0, rio9_port_set_id(end->port, id));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_add_peer(end->port, peer));
	rio9_port_set_carrier(end->port, true);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, 0, dev_open(end->dev, NULL));
	rtnl_unlock();
}

/* Two cards with a cable between them, 6 and 21 */
static struct test_end *test_pair(struct kunit *test, bool large)
{
	struct test_end *a = test_end(test, large), *b = test_end(test, large);

	a->to = b;
	b->to = a;
	test_up(test, a, 6, 21);
	test_up(test, b, 21, 6);
	return a;
}

static void test_send_stream(struct kunit *test, struct test_end *end, u16 stream, const u8 *data,
			     u32 len)
{
	const struct rio9_hdr hdr = { .peer = cpu_to_be16(21), .cos = 0x80 };
	struct sk_buff *skb = alloc_skb(LL_RESERVED_SPACE(end->dev) + len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, LL_RESERVED_SPACE(end->dev));
	skb_reset_network_header(skb);
	skb_put_data(skb, data, len);
	memcpy(skb_push(skb, sizeof(hdr)), &hdr, sizeof(hdr));
	skb->dev = end->dev;
	skb->protocol = cpu_to_be16(stream);
	dev_queue_xmit(skb);
}

static void test_send(struct kunit *test, struct test_end *end, const u8 *data, u32 len)
{
	test_send_stream(test, end, TEST_STREAM, data, len);
}

static struct sk_buff *test_taken(struct test_end *end)
{
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < 500; i++) {
		skb = skb_dequeue(&end->taken);
		if (skb)
			return skb;
		msleep(20);
	}
	return NULL;
}

static u64 test_stat(struct test_end *end, enum rio9_stat stat)
{
	u64 stats[RIO9_STATS];

	rio9_port_stats(end->port, stats);
	return stats[stat];
}

static struct rtnl_link_stats64 test_stats(struct test_end *end)
{
	struct rtnl_link_stats64 stats;

	dev_get_stats(end->dev, &stats);
	return stats;
}

/* What a protocol sees of a PDU */
static void test_pdu(struct kunit *test)
{
	static const u8 header[] = { 0, 6, 0x80, RIO9_FLOW_C };
	u8 *data = rio9_test_payload(test, 1000), addr[MAX_ADDR_LEN];
	struct test_end *a = test_pair(test, true);
	struct sk_buff *skb;

	KUNIT_EXPECT_TRUE(test, rio9_is_port(a->dev));
	test_send(test, a, data, 1000);
	skb = test_taken(a->to);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, 1000);
	KUNIT_EXPECT_EQ(test, skb->mac_len, sizeof(header));
	KUNIT_EXPECT_EQ(test, be16_to_cpu(skb->protocol), TEST_STREAM);
	KUNIT_EXPECT_TRUE(test, skb->pkt_type == PACKET_HOST);
	KUNIT_EXPECT_MEMEQ(test, skb_mac_header(skb), header, sizeof(header));
	KUNIT_EXPECT_EQ(test, dev_parse_header(skb, addr), RIO9_ADDR_LEN);
	KUNIT_EXPECT_MEMEQ(test, addr, header, RIO9_ADDR_LEN);
	KUNIT_EXPECT_EQ(test, 0, skb_linearize(skb));
	KUNIT_EXPECT_MEMEQ(test, skb->data, data, 1000);
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_packets, 1);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_bytes, 1000);
	KUNIT_EXPECT_EQ(test, test_stats(a->to).rx_packets, 1);
	KUNIT_EXPECT_EQ(test, test_stats(a->to).rx_bytes, 1000);
}

static void test_mtu(struct kunit *test)
{
	u8 *data = rio9_test_payload(test, 101);
	struct test_end *a = test_pair(test, false);

	KUNIT_EXPECT_EQ(test, a->dev->mtu, 10000);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, -EINVAL, dev_set_mtu(a->dev, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL, dev_set_mtu(a->dev, 10001));
	KUNIT_EXPECT_EQ(test, 0, dev_set_mtu(a->dev, 100));
	rtnl_unlock();
	test_send(test, a, data, 101);
	test_send(test, a, data, 0);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_dropped, 2);
	test_send(test, a, data, 100);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_dropped, 2);
	kfree_skb(test_taken(a->to));
	KUNIT_EXPECT_EQ(test, test_stats(a->to).rx_packets, 1);
}

/* A card without room holds up the queue, and loses nothing */
static void test_busy(struct kunit *test)
{
	u8 *data = rio9_test_payload(test, 1001);
	struct test_end *a = test_pair(test, true);
	struct sk_buff *skb;
	unsigned int i;

	a->left = 2;
	for (i = 0; i < 2; i++)
		test_send(test, a, data + i, 1000);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_packets, 0);
	a->left = UINT_MAX;
	rio9_port_wake(a->port);
	for (i = 0; i < 2; i++) {
		skb = test_taken(a->to);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_EXPECT_EQ(test, skb->len, 1000);
		KUNIT_EXPECT_EQ(test, 0, skb_linearize(skb));
		KUNIT_EXPECT_MEMEQ(test, skb->data, data + i, 1000);
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_packets, 2);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_bytes, 2000);
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_dropped, 0);

	/* Nothing is left of it when the device goes down meanwhile */
	a->left = 2;
	test_send(test, a, data, 1000);
	a->left = UINT_MAX;
	rtnl_lock();
	dev_close(a->dev);
	KUNIT_EXPECT_NULL(test, a->port->send.sending[RIO9_FLOW_C].skb);
	KUNIT_EXPECT_EQ(test, 0, dev_open(a->dev, NULL));
	rtnl_unlock();
	test_send(test, a, data, 1000);
	kfree_skb(test_taken(a->to));
	KUNIT_EXPECT_EQ(test, test_stats(a).tx_packets, 3);
}

static bool test_address_is(struct test_end *end, u16 id)
{
	const u8 addr[] = { id >> 8, id };
	unsigned int i;

	for (i = 0; i < 500; i++) {
		flush_delayed_work(&((struct rio9_netdev *)netdev_priv(end->dev))->update);
		if (!memcmp(end->dev->dev_addr, addr, sizeof(addr)))
			return true;
		msleep(20);
	}
	return false;
}

static int test_set_address(struct test_end *end, u16 id)
{
	struct sockaddr_storage ss = { .ss_family = end->dev->type };
	u8 *data = ((struct sockaddr *)&ss)->sa_data;
	int err;

	data[0] = id >> 8;
	data[1] = id;
	rtnl_lock();
	err = dev_set_mac_address(end->dev, (void *)&ss, NULL);
	rtnl_unlock();
	return err;
}

/* Register 60 and the address of the device are one */
static void test_address(struct kunit *test)
{
	struct test_end *small = test_end(test, false), *large = test_end(test, true);
	u32 value;

	KUNIT_EXPECT_TRUE(test, test_address_is(small, 0xff));
	KUNIT_EXPECT_TRUE(test, test_address_is(large, 0xffff));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_write(small->port, RIO_DID_CSR, 0x00050000));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_write(large->port, RIO_DID_CSR, 0x00001234));
	KUNIT_EXPECT_TRUE(test, test_address_is(small, 0x05));
	KUNIT_EXPECT_TRUE(test, test_address_is(large, 0x1234));
	KUNIT_EXPECT_EQ(test, small->addresses, 1);
	KUNIT_EXPECT_EQ(test, large->addresses, 1);

	KUNIT_EXPECT_EQ(test, 0, test_set_address(small, 0xfe));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_read(small->port, RIO_DID_CSR, &value));
	KUNIT_EXPECT_EQ(test, value, 0x00fe0000);
	KUNIT_EXPECT_EQ(test, 0, test_set_address(large, 0xfffe));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_read(large->port, RIO_DID_CSR, &value));
	KUNIT_EXPECT_EQ(test, value & 0xffff, 0xfffe);
	KUNIT_EXPECT_EQ(test, -EADDRNOTAVAIL, test_set_address(small, 0xff));
	KUNIT_EXPECT_EQ(test, -EADDRNOTAVAIL, test_set_address(small, 0x105));
	KUNIT_EXPECT_EQ(test, -EADDRNOTAVAIL, test_set_address(large, 0xffff));
	KUNIT_EXPECT_TRUE(test, test_address_is(small, 0xfe));
	KUNIT_EXPECT_TRUE(test, test_address_is(large, 0xfffe));
	KUNIT_EXPECT_EQ(test, small->addresses, 2);
	KUNIT_EXPECT_EQ(test, large->addresses, 2);
}

/* Port OK, and an ID */
static void test_carrier(struct kunit *test)
{
	struct test_end *end = test_end(test, true);
	u32 value;

	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(end->dev));
	rio9_port_set_carrier(end->port, true);
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(end->dev));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_read(end->port, 0x158, &value));
	KUNIT_EXPECT_EQ(test, value, RIO_PORT_N_ERR_STS_PORT_OK);
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_write(end->port, RIO_DID_CSR, 6));
	KUNIT_EXPECT_TRUE(test, test_address_is(end, 6));
	KUNIT_EXPECT_TRUE(test, netif_carrier_ok(end->dev));
	rio9_port_set_carrier(end->port, false);
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(end->dev));
	rio9_port_set_carrier(end->port, true);
	KUNIT_EXPECT_TRUE(test, netif_carrier_ok(end->dev));
	KUNIT_EXPECT_EQ(test, 0, rio9_reg_write(end->port, RIO_DID_CSR, 0xffff));
	KUNIT_EXPECT_TRUE(test, test_address_is(end, 0xffff));
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(end->dev));
}

/* Each counter once: in ethtool, and where "ip -s link" has it */
static void test_counters(struct kunit *test)
{
	static const u8 nowhere[] = {
		RIO9_STAT_PDUS, RIO9_STAT_BYTES, RIO9_STAT_TM, RIO9_STAT_BAD_MODE,
		RIO9_STAT_BAD_MTU,
	};
	struct test_end *end = test_end(test, true);
	const struct ethtool_ops *ops = end->dev->ethtool_ops;
	struct rtnl_link_stats64 stats;
	u64 values[RIO9_STATS];
	unsigned int i;
	char *names;

	KUNIT_ASSERT_EQ(test, ops->get_sset_count(end->dev, ETH_SS_STATS), RIO9_STATS);
	names = kunit_kzalloc(test, RIO9_STATS * ETH_GSTRING_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, names);
	ops->get_strings(end->dev, ETH_SS_STATS, names);
	for (i = 0; i < RIO9_STATS; i++) {
		KUNIT_ASSERT_NOT_NULL(test, rio9_stat_name(i));
		KUNIT_EXPECT_STREQ(test, names + i * ETH_GSTRING_LEN, rio9_stat_name(i));
		rio9_rx_bad_pdu(end->port, i);
	}
	ops->get_ethtool_stats(end->dev, NULL, values);
	for (i = 0; i < RIO9_STATS; i++)
		KUNIT_EXPECT_EQ(test, values[i], 1);
	stats = test_stats(end);
	/* Nor those of what becomes of messages, and of what is sent: RIO9_STAT_USER_NO_ROOM is */
	KUNIT_EXPECT_EQ(test, stats.rx_errors + stats.rx_dropped + stats.rx_missed_errors,
			RIO9_STAT_TM_XOFF - ARRAY_SIZE(nowhere) + 1);
	KUNIT_EXPECT_EQ(test, stats.rx_length_errors, 7);
	KUNIT_EXPECT_EQ(test, stats.rx_frame_errors, 4);
	KUNIT_EXPECT_EQ(test, stats.rx_dropped, 3);
	KUNIT_EXPECT_EQ(test, stats.rx_missed_errors, 5);
	KUNIT_EXPECT_EQ(test, stats.rx_packets, 0);
}

static struct socket *test_socket(struct kunit *test, struct test_end *end, int type)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET, .sll_protocol = cpu_to_be16(TEST_STREAM),
		.sll_ifindex = end->dev->ifindex,
	};
	struct socket *sock;
	int err = sock_create_kern(&init_net, AF_PACKET, type, 0, &sock);

	if (err)
		return NULL;
	KUNIT_EXPECT_EQ(test, 0, kernel_bind(sock, (void *)&to, sizeof(to)));
	return sock;
}

static int test_sendmsg(struct socket *sock, struct test_end *end, u16 peer, void *data, size_t len)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET, .sll_protocol = cpu_to_be16(TEST_STREAM),
		.sll_ifindex = end->dev->ifindex, .sll_halen = RIO9_ADDR_LEN,
		.sll_addr = { peer >> 8, peer },
	};
	struct msghdr msg = { .msg_name = &to, .msg_namelen = sizeof(to) };
	struct kvec vec = { .iov_base = data, .iov_len = len };

	return kernel_sendmsg(sock, &msg, &vec, 1, len);
}

/* Packet sockets of both types, both ways */
static void test_packet_sockets(struct kunit *test)
{
	struct test_end *a = test_pair(test, true);
	struct socket *dgram = test_socket(test, a, SOCK_DGRAM);
	struct socket *raw = test_socket(test, a->to, SOCK_RAW);
	u8 *data = rio9_test_payload(test, 300), buf[320];
	static const u8 header[] = { 0, 6, 0, RIO9_FLOW_A };
	struct kvec vec = { .iov_base = buf, .iov_len = sizeof(buf) };
	struct sockaddr_ll from = {};
	struct msghdr msg = { .msg_name = &from };

	if (!dgram || !raw) {
		kunit_skip(test, "no packet sockets");
		return;
	}
	KUNIT_EXPECT_EQ(test, 300, test_sendmsg(dgram, a, 21, data, 300));
	kfree_skb(test_taken(a->to));
	KUNIT_EXPECT_EQ(test, 304, kernel_recvmsg(raw, &msg, &vec, 1, sizeof(buf), MSG_DONTWAIT));
	KUNIT_EXPECT_MEMEQ(test, buf, header, sizeof(header));
	KUNIT_EXPECT_MEMEQ(test, buf + 4, data, 300);
	KUNIT_EXPECT_EQ(test, from.sll_hatype, ARPHRD_RIO9);
	KUNIT_EXPECT_EQ(test, from.sll_halen, RIO9_ADDR_LEN);
	KUNIT_EXPECT_MEMEQ(test, from.sll_addr, header, RIO9_ADDR_LEN);

	/* Back as it came: the address in the header is that of who sent it */
	KUNIT_EXPECT_EQ(test, 304, test_sendmsg(raw, a->to, 0, buf, 304));
	kfree_skb(test_taken(a));
	vec.iov_len = sizeof(buf);
	msg = (struct msghdr) { .msg_name = &from };
	KUNIT_EXPECT_EQ(test, 300, kernel_recvmsg(dgram, &msg, &vec, 1, sizeof(buf), MSG_DONTWAIT));
	KUNIT_EXPECT_MEMEQ(test, buf, data, 300);
	KUNIT_EXPECT_EQ(test, from.sll_addr[1], 21);
	/* Shorter than the header */
	KUNIT_EXPECT_EQ(test, -EINVAL, test_sendmsg(raw, a->to, 0, buf, 3));
	sock_release(raw);
	sock_release(dgram);
}

/* A stream with the number of a VLAN tag cannot make a PDU of another stream and source */
static void test_vlan(struct kunit *test)
{
	static const u8 tag[] = { 0, 0, TEST_STREAM >> 8, TEST_STREAM & 0xff, 1, 2 };
	struct test_end *a = test_pair(test, true);
	struct sk_buff *skb;

	test_send_stream(test, a, ETH_P_8021Q, tag, 6);
	test_send(test, a, tag, 5);
	skb = test_taken(a->to);
	KUNIT_EXPECT_TRUE(test, skb && skb->len == 5);
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, test_stats(a->to).rx_dropped, 1);
}

/**
 * struct test_reader - the user of a stream
 * @user: as the port knows it
 * @full: it has no room
 * @came: PDUs that it has taken
 * @refused: PDUs that it has not
 * @last: label of the newest of all
 */
struct test_reader {
	struct rio9_user user;
	bool full;
	atomic_t came;
	atomic_t refused;
	struct rio9_pdu last;
};

static int test_reader_rx(struct rio9_user *user, struct sk_buff *skb,
			  const struct rio9_pdu *pdu)
{
	struct test_reader *reader = container_of(user, struct test_reader, user);

	reader->last = *pdu;
	if (READ_ONCE(reader->full)) {
		atomic_inc(&reader->refused);
		return -ENOBUFS;
	}
	kfree_skb(skb);
	atomic_inc(&reader->came);
	return 0;
}

static bool test_reaches(atomic_t *count, int n)
{
	unsigned int i;

	for (i = 0; i < 500 && atomic_read(count) != n; i++)
		msleep(20);
	return atomic_read(count) == n;
}

static void test_basic(struct kunit *test, struct test_end *end)
{
	KUNIT_ASSERT_EQ(test, 0, rio9_reg_write(end->port, RIO9_CTL_CSR, 0x01000040));
	flush_work(&end->port->regs.work);
}

/* A user without room stops its stream, and nobody else; the stack does not see what it takes */
static void test_user(struct kunit *test)
{
	static struct test_reader slow, quick;
	const struct rio9_pdu slow_stream = { .peer = 6, .stream = 7, .cos = 0x80 };
	u8 *data = rio9_test_payload(test, 1000);
	struct test_end *a = test_pair(test, true), *b = a->to;
	unsigned int i;

	slow = (struct test_reader) { .user = { .stream = 7, .rx = test_reader_rx } };
	quick = (struct test_reader) { .user = { .stream = 8, .rx = test_reader_rx } };
	test_basic(test, a);
	test_basic(test, b);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, 0, rio9_user_register(b->dev, &slow.user));
	KUNIT_EXPECT_EQ(test, -EBUSY, rio9_user_register(b->dev, &slow.user));
	KUNIT_EXPECT_EQ(test, 0, rio9_user_register(b->dev, &quick.user));
	rtnl_unlock();

	test_send_stream(test, a, 7, data, 1000);
	KUNIT_EXPECT_TRUE(test, test_reaches(&slow.came, 1));
	KUNIT_EXPECT_EQ(test, slow.last.peer, 6);
	KUNIT_EXPECT_EQ(test, slow.last.stream, 7);
	KUNIT_EXPECT_EQ(test, slow.last.cos, 0x80);
	KUNIT_EXPECT_EQ(test, slow.last.channel, RIO9_FLOW_C);

	WRITE_ONCE(slow.full, true);
	test_send_stream(test, a, 7, data, 1000);
	KUNIT_EXPECT_TRUE(test, test_reaches(&slow.refused, 1));
	for (i = 0; i < 500 && !test_stat(a, RIO9_STAT_TM_XOFF); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, test_stat(a, RIO9_STAT_TM_XOFF), 1);
	for (i = 0; i < 5; i++) {
		test_send_stream(test, a, 7, data, 1000);
		test_send_stream(test, a, 8, data, 1000);
	}
	KUNIT_EXPECT_TRUE(test, test_reaches(&quick.came, 5));
	KUNIT_EXPECT_EQ(test, atomic_read(&slow.refused), 1);
	KUNIT_EXPECT_EQ(test, test_stat(b, RIO9_STAT_USER_NO_ROOM), 1);

	WRITE_ONCE(slow.full, false);
	rio9_user_room(b->dev, &slow_stream);
	KUNIT_EXPECT_TRUE(test, test_reaches(&slow.came, 6));

	/* Without a user the stream is the stack's, as are others */
	test_send(test, a, data, 10);
	kfree_skb(test_taken(b));
	rtnl_lock();
	rio9_user_unregister(b->dev, &slow.user);
	rio9_user_unregister(b->dev, &quick.user);
	KUNIT_EXPECT_FALSE(test, netdev_is_rx_handler_busy(b->dev));
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, test_stats(b).rx_packets, 13);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_pdu),
	KUNIT_CASE(test_mtu),
	KUNIT_CASE(test_busy),
	KUNIT_CASE(test_address),
	KUNIT_CASE(test_carrier),
	KUNIT_CASE(test_counters),
	KUNIT_CASE(test_packet_sockets),
	KUNIT_CASE(test_vlan),
	KUNIT_CASE(test_user),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_netdev",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
