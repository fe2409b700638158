// SPDX-License-Identifier: GPL-2.0
/*
 * Queues of ports, and traffic management between two of them.
 *
 * A card keeps the packets that it takes until the test moves them, so that the test sees their
 * order and the state between them.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>

#include "common.h"
#include "port.h"
#include "tm.h"

#define TEST_PACKETS	2048
#define TEST_TURNS	"start 01, end 01, single 02, start 01, end 01, single 02, " \
			"start 01, end 01, start 01, end 01"
#define TEST_NEAR	6
#define TEST_FAR	21

/**
 * struct test_packet - a packet on its way
 * @len: bytes of it
 * @data: the packet
 */
struct test_packet {
	unsigned int len;
	u8 data[RIO9_PACKET_MAX];
};

/**
 * struct test_side - a port and its card
 * @port: the port
 * @to: the other end of its cable
 * @room: packets that the card takes
 * @count: packets that it has taken
 * @packets: those
 */
struct test_side {
	struct rio9_port *port;
	struct test_side *to;
	unsigned int room;
	unsigned int count;
	struct test_packet *packets;
};

static int test_xmit_packet(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_side *side = rio9_port_priv(port);

	if (side->count == side->room)
		return -EBUSY;
	side->packets[side->count].len = len;
	memcpy(side->packets[side->count++].data, packet, len);
	return 0;
}

static const struct rio9_port_ops test_ops = { .xmit_packet = test_xmit_packet };

static void test_side_free(void *data)
{
	struct test_side *side = data;

	rio9_port_destroy(side->port);
}

static struct test_side *test_side(struct kunit *test, u16 id, u16 peer)
{
	const struct rio9_caps caps = {
		.large = true, .max_pdu = RIO9_PDU_MAX, .contexts = 64,
		.channels = BIT(RIO9_FLOW_A) | BIT(RIO9_FLOW_B) | BIT(RIO9_FLOW_C) |
			    BIT(RIO9_FLOW_E) | BIT(8),
	};
	struct test_side *side = kunit_kzalloc(test, sizeof(*side), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, side);
	side->packets = kunit_kcalloc(test, TEST_PACKETS, sizeof(*side->packets), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, side->packets);
	side->room = TEST_PACKETS;
	side->port = rio9_port_create(&test_ops, &caps, side);
	KUNIT_ASSERT_FALSE(test, IS_ERR(side->port));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_side_free, side));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_set_id(side->port, id));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_add_peer(side->port, peer));
	return side;
}

static void test_mode(struct kunit *test, struct test_side *side, u8 mode)
{
	KUNIT_ASSERT_EQ(test, 0, rio9_reg_write(side->port, RIO9_CTL_CSR,
						FIELD_PREP(RIO9_CTL_MODE, mode) | 0x40));
	flush_work(&side->port->regs.work);
	KUNIT_ASSERT_EQ(test, side->port->tm.mode, mode);
}

static struct test_side *test_pair(struct kunit *test, u8 mode)
{
	struct test_side *near = test_side(test, TEST_NEAR, TEST_FAR);
	struct test_side *far = test_side(test, TEST_FAR, TEST_NEAR);

	near->to = far;
	far->to = near;
	test_mode(test, near, mode);
	test_mode(test, far, mode);
	return near;
}

static int test_queue(struct kunit *test, struct test_side *side, u8 cos, u16 stream, u32 len)
{
	const struct rio9_pdu pdu = {
		.peer = side->to ? side->to->port->id : TEST_FAR, .cos = cos, .stream = stream,
		.channel = rio9_port_channel(side->port, cos),
	};
	u8 *data = rio9_test_payload(test, len);
	int err;

	err = rio9_send_queue(side->port, rio9_test_skb(test, data, len, len, 0), &pdu);
	kunit_kfree(test, data);
	return err;
}

static void test_run(struct test_side *side)
{
	while (rio9_send_run(side->port))
		cond_resched();
}

/* What a card has taken: for each packet kind, cos and streamID or length */
static void test_expect(struct kunit *test, struct test_side *side, const char *expect)
{
	static const char *const kinds[] = {
		[RIO9_START] = "start", [RIO9_CONT] = "cont", [RIO9_END] = "end",
		[RIO9_SINGLE] = "single", [RIO9_TM] = "tm",
	};
	char *text = kunit_kzalloc(test, 2048, GFP_KERNEL);
	struct rio9_packet p;
	unsigned int i, n = 0;

	KUNIT_ASSERT_NOT_NULL(test, text);
	for (i = 0; i < side->count; i++) {
		KUNIT_ASSERT_TRUE(test, rio9_decode(&p, side->packets[i].data,
						    side->packets[i].len) == RIO9_GOOD);
		n += scnprintf(text + n, 2048 - n, "%s%s %02x", n ? ", " : "", kinds[p.kind],
			       p.cos);
		if (p.kind == RIO9_TM)
			n += scnprintf(text + n, 2048 - n, " %u/%x %02x %02x", p.tm.wildcard,
				       p.stream, p.tm.param1, p.tm.param2);
	}
	KUNIT_EXPECT_STREQ(test, text, expect);
	kunit_kfree(test, text);
}

/* The cable takes what the card has, to the other side */
static unsigned int test_move(struct test_side *side)
{
	unsigned int i, count = side->count;

	side->count = 0;
	for (i = 0; i < count; i++)
		rio9_rx_packet(side->to->port, side->packets[i].data, side->packets[i].len);
	return count;
}

/* Until nothing is on its way */
static void test_settle(struct test_side *side)
{
	do {
		test_run(side);
		test_run(side->to);
	} while (test_move(side) + test_move(side->to));
}

static unsigned int test_read(struct test_side *side, u16 stream)
{
	unsigned int n = 0;
	struct sk_buff *skb;

	while ((skb = rio9_viq_read(side->port))) {
		n += rio9_skb_pdu(skb)->stream == stream;
		kfree_skb(skb);
	}
	return n;
}

static u64 test_stat(struct test_side *side, enum rio9_stat stat)
{
	u64 stats[RIO9_STATS];

	rio9_port_stats(side->port, stats);
	return stats[stat];
}

static void test_tell(struct test_side *side, u8 cos, u16 stream, u8 wildcard, u8 op, u8 param1,
		      u8 param2)
{
	const struct rio9_packet p = {
		.dst = side->port->id, .src = TEST_FAR, .large = true, .kind = RIO9_TM,
		.cos = cos, .stream = stream,
		.tm = { .op = op, .wildcard = wildcard, .param1 = param1, .param2 = param2 },
	};
	u8 buf[RIO9_PACKET_MAX];

	rio9_rx_packet(side->port, buf, rio9_encode_end(buf, rio9_encode_headers(buf, &p)));
}

/* PDUs whose last segment the card has taken; there are messages among them */
static unsigned int test_pdus(struct test_side *side)
{
	unsigned int i, n = 0;
	struct rio9_packet p;

	for (i = 0; i < side->count; i++)
		n += rio9_decode(&p, side->packets[i].data, side->packets[i].len) == RIO9_GOOD &&
		     (p.kind == RIO9_END || p.kind == RIO9_SINGLE);
	side->count = 0;
	return n;
}

/* PDUs of a flow one after the other, queues and streams in turn; those of flows interleaved */
static void test_turns(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	unsigned int i;

	/* Two queues of flow A, one of them with two streams */
	for (i = 0; i < 2; i++) {
		test_queue(test, side, 1, 1, 300);
		test_queue(test, side, 2, 1, 9);
		test_queue(test, side, 1, 2, 300);
	}
	test_run(side);
	test_expect(test, side, TEST_TURNS);
	KUNIT_EXPECT_EQ(test, side->port->send.queues.bytes, 0);
	KUNIT_EXPECT_TRUE(test, hash_empty(side->port->send.queues.voqs));
	KUNIT_EXPECT_TRUE(test, hash_empty(side->port->send.queues.streams));
}

/* A PDU of a higher flow goes between the segments of one that has begun */
static void test_priority(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);

	test_queue(test, side, 0x00, 1, 700);
	side->room = 1;
	test_run(side);
	test_queue(test, side, 0x80, 1, 300);
	test_queue(test, side, 0xc0, 1, 9);
	side->room = TEST_PACKETS;
	test_run(side);
	test_expect(test, side, "start 00, single c0, start 80, end 80, cont 00, end 00");
}

/* Nothing of a lower flow passes what the card has no room for, 2.4 FD2 */
static int test_xmit_low(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_side *side = rio9_port_priv(port);
	struct rio9_packet p;

	if (!side->room && rio9_decode(&p, packet, len) == RIO9_GOOD && p.channel > RIO9_FLOW_A)
		return -EBUSY;
	side->packets[side->count].len = len;
	memcpy(side->packets[side->count++].data, packet, len);
	return 0;
}

static const struct rio9_port_ops test_low_ops = { .xmit_packet = test_xmit_low };

static void test_busy(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);

	side->port->ops = &test_low_ops;
	side->room = 0;
	test_queue(test, side, 0xc0, 1, 9);
	test_queue(test, side, 0x00, 1, 9);
	test_run(side);
	test_expect(test, side, "");
	KUNIT_EXPECT_TRUE(test, rio9_send_room(side->port));
	side->room = 1;
	test_run(side);
	test_expect(test, side, "single c0, single 00");
}

/* A queue that is stopped fills, and loses what is too much; others go on */
static void test_full(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	unsigned int n;

	test_mode(test, side, RIO9_TM_BASIC);
	test_tell(side, 0x40, 0, RIO9_W_STREAM, RIO9_TM_OP_BASIC, 0, 0);
	for (n = 0; !test_queue(test, side, 0x40, n % 3, 20000); n++) {
		test_run(side);
		KUNIT_ASSERT_LE(test, side->port->send.queues.bytes, RIO9_QUEUE_MAX);
	}
	KUNIT_EXPECT_GT(test, n, 30);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_QUEUE_FULL), 1);
	/* Nobody has to wait for a stopped queue */
	KUNIT_EXPECT_TRUE(test, rio9_send_room(side->port));
	side->count = 0;
	KUNIT_EXPECT_EQ(test, 0, test_queue(test, side, 0x41, 1, 9));
	test_run(side);
	test_expect(test, side, "single 41");

	/* What waits for the card is another matter */
	side->room = side->count;
	test_tell(side, 0x40, 0, RIO9_W_STREAM, RIO9_TM_OP_BASIC, 0, 0xff);
	test_run(side);
	KUNIT_EXPECT_FALSE(test, rio9_send_room(side->port));
	side->room = TEST_PACKETS;
	while (side->port->send.queues.bytes) {
		side->count = 0;
		test_run(side);
	}
	KUNIT_EXPECT_TRUE(test, rio9_send_room(side->port));
	KUNIT_EXPECT_EQ(test, 0, test_queue(test, side, 0x40, 1, 20000));
}

/* Peers that stop everything take half of the memory, and leave the rest to others */
static void test_held(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	struct rio9_pdu pdu = { .peer = TEST_FAR, .channel = RIO9_FLOW_A };
	u8 *data = rio9_test_payload(test, 30000);
	unsigned int i;

	test_mode(test, side, RIO9_TM_BASIC);
	test_tell(side, 0, 0, RIO9_W_CLASS | RIO9_W_STREAM, RIO9_TM_OP_BASIC, 0, 0);
	for (i = 0; i < 1000; i++) {
		pdu.cos = i % 64;
		pdu.stream = i;
		rio9_send_queue(side->port, rio9_test_skb(test, data, 30000, 30000, 0), &pdu);
		test_run(side);
		side->count = 0;
		KUNIT_ASSERT_LE(test, side->port->send.queues.bytes, RIO9_HELD_MAX);
	}
	KUNIT_EXPECT_GT(test, test_stat(side, RIO9_STAT_TX_QUEUE_FULL), 500);
	KUNIT_EXPECT_GT(test, side->port->send.queues.held_bytes, RIO9_HELD_MAX - 40000);
	pdu.peer = TEST_FAR + 1;
	for (i = 0; i < 100; i++) {
		KUNIT_EXPECT_EQ(test, 0,
				rio9_send_queue(side->port,
						rio9_test_skb(test, data, 9, 9, 0), &pdu));
		test_run(side);
	}
	KUNIT_EXPECT_EQ(test, test_pdus(side), 100);
	rio9_send_stop(side->port);
	KUNIT_EXPECT_TRUE(test, list_empty(&side->port->tm.voqs));
	KUNIT_EXPECT_TRUE(test, hash_empty(side->port->send.queues.voqs));
}

/* However many streams are held, each message asks about a few of them at a time */
static void test_many_held(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	struct rio9_pdu pdu = { .peer = TEST_FAR, .channel = RIO9_FLOW_A };
	unsigned int i, sent = 0;
	u8 data[9] = {};

	test_mode(test, side, RIO9_TM_BASIC);
	test_tell(side, 0, 0, RIO9_W_CLASS | RIO9_W_STREAM, RIO9_TM_OP_BASIC, 0, 0);
	for (i = 0; i < 1000; i++) {
		pdu.stream = i;
		KUNIT_ASSERT_EQ(test, 0, rio9_send_queue(side->port,
							 rio9_test_skb(test, data, 9, 9, 0),
							 &pdu));
	}
	test_run(side);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_HELD), 1000);
	KUNIT_EXPECT_EQ(test, side->port->send.queues.held_bytes, side->port->send.queues.bytes);
	test_run(side);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_HELD), 1000);
	/* XON for one of them */
	side->count = 0;
	test_tell(side, 0, 999, 0, RIO9_TM_OP_BASIC, 0, 0xff);
	test_run(side);
	KUNIT_EXPECT_EQ(test, test_pdus(side), 1);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_HELD), 1999);
	/* And for all: in the order in which they came */
	test_tell(side, 0, 0, RIO9_W_CLASS | RIO9_W_STREAM, RIO9_TM_OP_BASIC, 0, 0xff);
	while (side->port->send.queues.bytes) {
		test_run(side);
		sent += test_pdus(side);
	}
	KUNIT_EXPECT_EQ(test, sent, 999);
	KUNIT_EXPECT_EQ(test, side->port->send.queues.held_bytes, 0);
}

/* 3.2.4 */
static void test_max_pdu(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);

	KUNIT_EXPECT_EQ(test, -EINVAL, rio9_port_set_peer_max_pdu(side->port, TEST_FAR, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rio9_port_set_peer_max_pdu(side->port, TEST_FAR, RIO9_PDU_MAX + 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, rio9_port_set_peer_max_pdu(side->port, 0xffff, 1));
	KUNIT_EXPECT_EQ(test, 0, rio9_port_set_peer_max_pdu(side->port, TEST_FAR, 100));
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, test_queue(test, side, 0, 1, 101));
	KUNIT_EXPECT_EQ(test, 0, test_queue(test, side, 0, 1, 100));
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_OVER_MAX_PDU), 1);
	rio9_port_del_peer(side->port, TEST_FAR);
	KUNIT_EXPECT_EQ(test, 0, test_queue(test, side, 0, 1, 101));
}

/* XOFF for a stream holds up neither others of its queue nor a PDU that has begun */
static void test_stopped(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);

	test_mode(test, side, RIO9_TM_BASIC);
	test_queue(test, side, 5, 1, 300);
	side->room = 1;
	test_run(side);
	test_tell(side, 5, 1, 0, RIO9_TM_OP_BASIC, 0, 0);
	test_queue(test, side, 5, 1, 9);
	test_queue(test, side, 5, 2, 9);
	side->room = TEST_PACKETS;
	test_run(side);
	test_expect(test, side, "start 05, end 05, tm 05 1/0 03 01, single 05");
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TM_XOFF), 1);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_HELD), 1);
	side->count = 0;
	test_tell(side, 5, 1, 0, RIO9_TM_OP_BASIC, 0, 0xff);
	test_run(side);
	test_expect(test, side, "single 05");

	/* In mode 0 all begins anew */
	test_tell(side, 5, 1, 0, RIO9_TM_OP_BASIC, 0, 0);
	test_queue(test, side, 5, 1, 9);
	test_run(side);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_TX_HELD), 2);
	side->count = 0;
	test_mode(test, side, RIO9_TM_DISABLED);
	test_run(side);
	test_expect(test, side, "single 05");
}

static void test_message(struct rio9_port *port, const struct rio9_tm_user *msg)
{
}

/* Register 48 and what is obeyed are one, for modes of a hook, too */
static void test_mode_register(struct kunit *test)
{
	static const struct rio9_tm_hook hook = { .modes = BIT(9), .message = test_message };
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	u32 value;

	rio9_reg_write(side->port, RIO9_CTL_CSR, 0x09000040);
	flush_work(&side->port->regs.work);
	KUNIT_EXPECT_EQ(test, side->port->tm.mode, RIO9_TM_DISABLED);
	KUNIT_EXPECT_EQ(test, test_stat(side, RIO9_STAT_BAD_MODE), 1);
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_register(&hook));
	test_mode(test, side, 9);
	rio9_reg_read(side->port, RIO9_CTL_CSR, &value);
	KUNIT_EXPECT_EQ(test, value, 0xe9000040);
	rio9_tm_unregister(&hook);
	rio9_reg_read(side->port, RIO9_CTL_CSR, &value);
	KUNIT_EXPECT_EQ(test, value, 0xe0000040);
	KUNIT_EXPECT_EQ(test, side->port->tm.mode, RIO9_TM_DISABLED);
}

/* A receiver that does not read stops the class, and no other; nothing is lost */
static void test_arrived(struct kunit *test)
{
	struct test_side *near = test_pair(test, RIO9_TM_BASIC), *far = near->to;
	unsigned int sent, came = 0;
	struct sk_buff *skb;

	for (sent = 0; sent < 100; sent++) {
		KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0x43, 1, 10000));
		test_settle(near);
		if (near->port->send.queues.held_bytes)
			break;
	}
	KUNIT_EXPECT_LT(test, sent, 100);
	/* Once when the queue fills, once as the answer to Q_STATUS */
	KUNIT_EXPECT_EQ(test, test_stat(near, RIO9_STAT_TM_XOFF), 2);
	/* Others pass, and those of a higher flow are read first */
	KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0x42, 2, 10));
	KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0xc0, 3, 10));
	test_settle(near);
	skb = rio9_viq_read(far->port);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->stream, 3);
	kfree_skb(skb);
	while ((skb = rio9_viq_read(far->port))) {
		came += rio9_skb_pdu(skb)->stream == 1;
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, came, sent);
	test_settle(near);
	KUNIT_EXPECT_EQ(test, test_stat(near, RIO9_STAT_TM_XON), 1);
	KUNIT_EXPECT_EQ(test, test_read(far, 1), 1);
	KUNIT_EXPECT_EQ(test, test_stat(far, RIO9_STAT_NO_ROOM), 0);
	KUNIT_EXPECT_EQ(test, far->port->viq.bytes, 0);
	KUNIT_EXPECT_TRUE(test, hash_empty(far->port->viq.queues));
}

/* In mode 3 a PDU goes with a credit only, and as many are granted as there is room */
static void test_credits(struct kunit *test)
{
	struct test_side *near = test_pair(test, RIO9_TM_CREDIT), *far = near->to;
	unsigned int i, n = 0;
	char asks[32];

	for (i = 0; i < 30; i++)
		KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0x43, 1, 20000));
	test_run(near);
	/* No credits yet: it asks */
	snprintf(asks, sizeof(asks), "tm 43 1/0 30 %02x",
		 rio9_queue_level(near->port->send.queues.bytes, RIO9_QUEUE_MAX));
	test_expect(test, near, asks);
	for (i = 0; i < 100 && n < 30; i++) {
		test_settle(near);
		KUNIT_ASSERT_LE(test, far->port->viq.bytes, RIO9_QUEUE_MAX);
		n += test_read(far, 1);
		test_settle(near);
	}
	KUNIT_EXPECT_EQ(test, n, 30);
	KUNIT_EXPECT_GE(test, test_stat(near, RIO9_STAT_TM_ALLOCATE), 5);
	KUNIT_EXPECT_GE(test, test_stat(far, RIO9_STAT_TM_CREDIT_STATUS), 5);
	KUNIT_EXPECT_EQ(test, test_stat(far, RIO9_STAT_NO_ROOM), 0);
}

/* An administrator may give the queues more memory or less, and credits follow */
static void test_smaller(struct kunit *test)
{
	struct test_side *near = test_pair(test, RIO9_TM_CREDIT), *far = near->to;
	unsigned int i;

	rio9_viq_set_max(far->port, 2 * RIO9_QUEUE_MIN, 2 * RIO9_QUEUE_MIN);
	for (i = 0; i < 10; i++)
		KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0x43, 1, 60000));
	test_settle(near);
	KUNIT_EXPECT_EQ(test, test_read(far, 1), 2);
	KUNIT_EXPECT_EQ(test, test_stat(far, RIO9_STAT_NO_ROOM), 0);

	test_mode(test, near, RIO9_TM_DISABLED);
	test_mode(test, far, RIO9_TM_DISABLED);
	test_settle(near);
	for (i = 0; i < 8; i++)
		KUNIT_ASSERT_EQ(test, 0, test_queue(test, near, 0x41, 1, 60000));
	test_settle(near);
	KUNIT_EXPECT_GE(test, test_stat(far, RIO9_STAT_NO_ROOM), 6);
	KUNIT_EXPECT_LE(test, far->port->viq.bytes, 2 * RIO9_QUEUE_MIN);
}

/* A rate is held within 5 %, by the clock of the machine; an empty bucket makes up for delays */
static void test_rate(struct kunit *test)
{
	struct test_side *side = test_side(test, TEST_NEAR, TEST_FAR);
	const u64 rate = RIO9_TM_RATE_PORT / 256 / 16;
	u64 begin, now, bytes = 0, allowed;

	test_mode(test, side, RIO9_TM_RATE);
	test_tell(side, 0x43, 0, RIO9_W_STREAM, RIO9_TM_OP_RATE, 1, 0xff);
	test_tell(side, 0x43, 0, RIO9_W_STREAM, RIO9_TM_OP_RATE, 1, 0xf0);
	begin = ktime_get_ns();
	do {
		while (side->port->send.queues.bytes < 100000)
			KUNIT_ASSERT_EQ(test, 0, test_queue(test, side, 0x43, 1, 2000));
		set_bit(RIO9_SEND_RELEASE, &side->port->send.flags);
		test_run(side);
		bytes += test_pdus(side) * 2000;
		now = ktime_get_ns();
		allowed = RIO9_TM_BUCKET + 2000 + div_u64((now - begin) * rate, NSEC_PER_SEC);
		KUNIT_ASSERT_LE(test, bytes, allowed);
		usleep_range(1000, 2000);
	} while (now - begin < 2ULL * NSEC_PER_SEC);
	KUNIT_EXPECT_GE(test, bytes, div_u64(allowed * 95, 100));
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_turns),
	KUNIT_CASE(test_priority),
	KUNIT_CASE(test_busy),
	KUNIT_CASE(test_full),
	KUNIT_CASE(test_held),
	KUNIT_CASE(test_many_held),
	KUNIT_CASE(test_max_pdu),
	KUNIT_CASE(test_stopped),
	KUNIT_CASE(test_mode_register),
	KUNIT_CASE(test_arrived),
	KUNIT_CASE(test_credits),
	KUNIT_CASE(test_smaller),
	KUNIT_CASE_SLOW(test_rate),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_queue",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
