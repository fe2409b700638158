// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: what a card may be, and PDUs from one port to another.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "common.h"
#include "port.h"
#include "send.h"
#include "tm_user.h"
#include "vectors.h"

/**
 * struct test_card - a card
 * @port: its port
 * @to: the card at the other end of its cable
 * @left: packets that it takes before it takes none
 * @packets: that it has taken
 * @skb: the PDU that it has taken last
 * @pdu: its label
 */
struct test_card {
	struct rio9_port *port;
	struct test_card *to;
	unsigned int left;
	unsigned int packets;
	struct sk_buff *skb;
	struct rio9_pdu pdu;
};

static int test_xmit_packet(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_card *card = rio9_port_priv(port);

	if (!card->left)
		return -ENOBUFS;
	card->left--;
	card->packets++;
	rio9_rx_packet(card->to->port, packet, len);
	return 0;
}

static int test_xmit_pdu(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu)
{
	struct test_card *card = rio9_port_priv(port);

	if (!card->left)
		return -ENOBUFS;
	card->left--;
	kfree_skb(card->skb);
	card->skb = skb;
	card->pdu = *pdu;
	return 0;
}

static const struct rio9_port_ops test_packet_ops = { .xmit_packet = test_xmit_packet };
static const struct rio9_port_ops test_pdu_ops = { .xmit_pdu = test_xmit_pdu };

static void test_card_free(void *data)
{
	struct test_card *card = data;

	rio9_port_destroy(card->port);
	kfree_skb(card->skb);
}

static struct test_card *test_card(struct kunit *test, const struct rio9_port_ops *ops,
				   bool large, u16 id, u16 peer)
{
	const struct rio9_caps caps = {
		.large = large, .max_pdu = RIO9_PDU_MAX, .contexts = 64,
		.channels = BIT(RIO9_FLOW_A) | BIT(RIO9_FLOW_B) | BIT(RIO9_FLOW_C) |
			    BIT(RIO9_FLOW_E) | BIT(15),
	};
	struct test_card *card = kunit_kzalloc(test, sizeof(*card), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, card);
	card->port = rio9_port_create(ops, &caps, card);
	KUNIT_ASSERT_FALSE(test, IS_ERR(card->port));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_card_free, card));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_set_id(card->port, id));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_add_peer(card->port, peer));
	card->left = UINT_MAX;
	return card;
}

/* Two cards with a cable between them */
static struct test_card *test_pair(struct kunit *test, bool large)
{
	struct test_card *a = test_card(test, &test_packet_ops, large, 6, 21);
	struct test_card *b = test_card(test, &test_packet_ops, large, 21, 6);

	a->to = b;
	b->to = a;
	return a;
}

/* Return: why the PDU does not wait, or -EBUSY if the card had no room for all of it */
static int test_resume(struct rio9_port *port)
{
	unsigned int i;

	while (rio9_send_run(port))
		cond_resched();
	for (i = 0; i < RIO9_CHANNELS; i++)
		if (port->send.sending[i].skb)
			return -EBUSY;
	return 0;
}

static int test_xmit(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu)
{
	return rio9_send_queue(port, skb, pdu) ?: test_resume(port);
}

static u64 test_stat(struct test_card *card, enum rio9_stat stat)
{
	u64 stats[RIO9_STATS];

	rio9_port_stats(card->port, stats);
	return stats[stat];
}

/* A PDU came, and is as it was sent */
static void test_came(struct kunit *test, struct test_card *card, const struct rio9_pdu *sent,
		      u16 src, const u8 *data, u32 len)
{
	struct sk_buff *skb = rio9_viq_read(card->port);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->peer, src);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->cos, sent->cos);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->stream, sent->stream);
	KUNIT_EXPECT_EQ(test, rio9_skb_pdu(skb)->channel, sent->channel);
	KUNIT_ASSERT_EQ(test, skb->len, len);
	KUNIT_ASSERT_EQ(test, 0, skb_linearize(skb));
	KUNIT_EXPECT_EQ(test, 0, memcmp(skb->data, data, len));
	kfree_skb(skb);
	KUNIT_EXPECT_NULL(test, rio9_viq_read(card->port));
}

static void test_caps(struct kunit *test)
{
	static const struct rio9_port_ops none, both = {
		.xmit_packet = test_xmit_packet, .xmit_pdu = test_xmit_pdu,
	};
	const struct rio9_caps good = {
		.max_pdu = RIO9_PDU_MAX, .contexts = 64, .channels = BIT(RIO9_FLOW_A),
	};
	struct rio9_caps caps;

	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&none, &good, NULL)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&both, &good, NULL)), -EINVAL);
	caps = good;
	caps.max_pdu = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&test_pdu_ops, &caps, NULL)), -EINVAL);
	caps.max_pdu = RIO9_PDU_MAX + 1;
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&test_pdu_ops, &caps, NULL)), -EINVAL);
	caps = good;
	caps.contexts = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&test_pdu_ops, &caps, NULL)), -EINVAL);
	caps.contexts = RIO9_CONTEXTS_MAX + 1;
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&test_pdu_ops, &caps, NULL)), -EINVAL);
	caps = good;
	caps.channels = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR(rio9_port_create(&test_pdu_ops, &caps, NULL)), -EINVAL);
}

/* 5.5.1: 32 to 256 in steps of 4 */
static void test_mtu(struct kunit *test)
{
	struct test_card *card = test_card(test, &test_packet_ops, true, 6, 21);
	unsigned int mtu;

	for (mtu = 0; mtu <= 2 * RIO9_MTU_MAX; mtu++)
		KUNIT_EXPECT_EQ(test, rio9_port_set_mtu(card->port, mtu),
				mtu % 4 || mtu < 32 || mtu > 256 ? -EINVAL : 0);
}

static void test_ids(struct kunit *test)
{
	struct test_card *small = test_card(test, &test_packet_ops, false, 0xff, 0xfe);
	struct test_card *large = test_card(test, &test_packet_ops, true, 0xffff, 0xfffe);

	KUNIT_EXPECT_EQ(test, rio9_port_set_id(small->port, 0x100), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(small->port, 0x100), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(small->port, 0xff), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(small->port, 0xfe), -EEXIST);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(large->port, 0xffff), -EINVAL);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(large->port, 0xff), 0);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(large->port, 0x100), 0);
	rio9_port_del_peer(large->port, 0x100);
	KUNIT_EXPECT_EQ(test, rio9_port_add_peer(large->port, 0x100), 0);
}

/* All sizes of the vectors at all MTUs, with IDs of both sizes */
static void test_across(struct kunit *test)
{
	static const u32 sizes[] = { 4096, RIO9_PDU_MAX - 1, RIO9_PDU_MAX };
	unsigned int large, mtu, i;

	for (large = 0; large < 2; large++) {
		struct test_card *a = test_pair(test, large);

		for (i = 0; i < rio9_payload_vectors_count + ARRAY_SIZE(sizes); i++) {
			u32 len = i < ARRAY_SIZE(sizes) ? sizes[i] :
				  rio9_payload_vectors[i - ARRAY_SIZE(sizes)].len;
			struct rio9_pdu pdu = {
				.peer = 21, .stream = 0xe181 + i, .cos = i, .channel = RIO9_FLOW_B,
			};
			u8 *data = rio9_test_payload(test, len);

			for (mtu = RIO9_MTU_MIN; mtu <= RIO9_MTU_MAX; mtu += 28) {
				struct sk_buff *skb = rio9_test_skb(test, data, len, 7, 4096);

				rio9_port_set_mtu(a->port, mtu);
				rio9_port_set_mtu(a->to->port, mtu);
				KUNIT_EXPECT_EQ(test, 0, test_xmit(a->port, skb, &pdu));
				test_came(test, a->to, &pdu, 6, data, len);
			}
			kunit_kfree(test, data);
		}
		KUNIT_EXPECT_EQ(test, test_stat(a->to, RIO9_STAT_TM), 0);
	}
}

/* A packet for IDs of the other size is for another endpoint */
static void test_other_ids(struct kunit *test)
{
	struct test_card *a = test_pair(test, false), *b = test_pair(test, true);
	const struct rio9_pdu pdu = { .peer = 21 };
	u8 byte = 0;

	a->to = b->to;
	KUNIT_EXPECT_EQ(test, 0,
			test_xmit(a->port, rio9_test_skb(test, &byte, 1, 1, 0), &pdu));
	KUNIT_EXPECT_EQ(test, test_stat(b->to, RIO9_STAT_NOT_OURS), 1);
	KUNIT_EXPECT_EQ(test, test_stat(b->to, RIO9_STAT_PDUS), 0);
}

/* Messages are counted, and those that say nothing apart */
static void test_messages(struct kunit *test)
{
	struct test_card *card = test_card(test, &test_packet_ops, true, 6, 21);
	static const struct rio9_tm messages[] = {
		{ .op = 0, .param2 = 0xff },		/* XON */
		{ .op = 3, .param1 = 0x12 },		/* of applications */
		{ .op = 4 },				/* a reserved TM OP */
		{ .op = 0, .param1 = 0x01 },		/* a reserved parameter */
		{ .op = 0, .wildcard = 2 },		/* no operand */
	};
	struct rio9_packet p = { .dst = 6, .src = 21, .large = true, .kind = RIO9_TM };
	u8 buf[RIO9_PACKET_MAX];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(messages); i++) {
		p.tm = messages[i];
		rio9_rx_packet(card->port, buf,
			       rio9_encode_end(buf, rio9_encode_headers(buf, &p)));
	}
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_TM), 2);
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_TM_RESERVED), 3);
}

/* What cannot be sent */
static void test_not_sent(struct kunit *test)
{
	struct test_card *packets = test_pair(test, false);
	struct test_card *pdus = test_card(test, &test_pdu_ops, false, 6, 21);
	struct test_card *cards[] = { packets, pdus };
	u8 *data = rio9_test_payload(test, RIO9_PDU_MAX + 1);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct rio9_port *port = cards[i]->port;
		struct rio9_pdu pdu = { .peer = 0x100 };

		KUNIT_EXPECT_EQ(test, -EINVAL,
				test_xmit(port, rio9_test_skb(test, data, 9, 9, 0), &pdu));
		pdu.peer = 0xff;
		KUNIT_EXPECT_EQ(test, -EINVAL,
				test_xmit(port, rio9_test_skb(test, data, 9, 9, 0), &pdu));
		pdu.peer = 21;
		pdu.channel = RIO9_FLOW_D;
		KUNIT_EXPECT_EQ(test, -EINVAL,
				test_xmit(port, rio9_test_skb(test, data, 9, 9, 0), &pdu));
		pdu.channel = RIO9_CHANNELS;
		KUNIT_EXPECT_EQ(test, -EINVAL,
				test_xmit(port, rio9_test_skb(test, data, 9, 9, 0), &pdu));
		pdu.channel = RIO9_FLOW_A;
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				test_xmit(port, rio9_test_skb(test, data, 0, 9, 0), &pdu));
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				test_xmit(port, rio9_test_skb(test, data, RIO9_PDU_MAX + 1,
							      RIO9_PDU_MAX + 1, 0), &pdu));
		cards[i]->left = 0;
		KUNIT_EXPECT_EQ(test, 0,
				test_xmit(port, rio9_test_skb(test, data, 9, 9, 0), &pdu));
	}
	KUNIT_EXPECT_EQ(test, test_stat(packets, RIO9_STAT_TX_ABORTED), 1);
	KUNIT_EXPECT_EQ(test, packets->packets, 0);
	KUNIT_EXPECT_NULL(test, pdus->skb);
}

/* A card that fails in the middle of a PDU: it is given up */
static void test_given_up(struct kunit *test)
{
	struct test_card *a = test_pair(test, true);
	const struct rio9_pdu pdu = { .peer = 21 };
	u8 *data = rio9_test_payload(test, 1000);

	a->left = 2;
	KUNIT_EXPECT_EQ(test, 0,
			test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0), &pdu));
	KUNIT_EXPECT_EQ(test, test_stat(a, RIO9_STAT_TX_ABORTED), 1);
	KUNIT_EXPECT_EQ(test, a->packets, 2);
	/* That fails, too; the next begins anew */
	KUNIT_EXPECT_EQ(test, test_stat(a->to, RIO9_STAT_ABORTED), 0);
	a->left = UINT_MAX;
	KUNIT_EXPECT_EQ(test, 0,
			test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0), &pdu));
	KUNIT_EXPECT_EQ(test, test_stat(a->to, RIO9_STAT_NO_END), 1);
	test_came(test, a->to, &pdu, 6, data, 1000);
}

/* A card that takes the end that gives it up */
static int test_xmit_third(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_card *card = rio9_port_priv(port);

	if (++card->packets == 3)
		return -ENOBUFS;
	rio9_rx_packet(card->to->port, packet, len);
	return 0;
}

static const struct rio9_port_ops test_third_ops = { .xmit_packet = test_xmit_third };

static void test_aborted(struct kunit *test)
{
	struct test_card *a = test_card(test, &test_third_ops, true, 6, 21);
	struct test_card *b = test_card(test, &test_packet_ops, true, 21, 6);
	const struct rio9_pdu pdu = { .peer = 21 };
	u8 *data = rio9_test_payload(test, 1000);

	a->to = b;
	KUNIT_EXPECT_EQ(test, 0,
			test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0), &pdu));
	KUNIT_EXPECT_EQ(test, test_stat(a, RIO9_STAT_TX_ABORTED), 1);
	KUNIT_EXPECT_EQ(test, a->packets, 4);
	KUNIT_EXPECT_EQ(test, test_stat(b, RIO9_STAT_ABORTED), 1);
}

/* A card that has room for one packet at a time */
static int test_xmit_one(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct test_card *card = rio9_port_priv(port);

	if (!card->left)
		return -EBUSY;
	return test_xmit_packet(port, packet, len);
}

static const struct rio9_port_ops test_one_ops = { .xmit_packet = test_xmit_one };

static void test_busy(struct kunit *test)
{
	struct test_card *a = test_card(test, &test_one_ops, true, 6, 21);
	struct test_card *b = test_card(test, &test_packet_ops, true, 21, 6);
	const struct rio9_pdu pdu = { .peer = 21 };
	u8 *data = rio9_test_payload(test, 1000);
	unsigned int i;

	a->to = b;
	a->left = 0;
	KUNIT_EXPECT_EQ(test, -EBUSY,
			test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0), &pdu));
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, -EBUSY, test_resume(a->port));
		KUNIT_EXPECT_EQ(test, a->packets, i);
		a->left = 1;
		KUNIT_EXPECT_EQ(test, -EBUSY, test_resume(a->port));
		KUNIT_EXPECT_EQ(test, a->packets, i + 1);
	}
	a->left = 1;
	KUNIT_EXPECT_EQ(test, 0, test_resume(a->port));
	KUNIT_EXPECT_EQ(test, a->port->send.queues.bytes, 0);
	test_came(test, b, &pdu, 6, data, 1000);
	KUNIT_EXPECT_EQ(test, test_stat(b, RIO9_STAT_ABORTED), 0);

	/* Room for the end that gives it up comes too late, and then in time */
	for (i = 0; i < 2; i++) {
		a->left = 2;
		KUNIT_EXPECT_EQ(test, -EBUSY,
				test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0),
					  &pdu));
		a->left = i;
		rio9_send_stop(a->port);
		KUNIT_EXPECT_EQ(test, a->port->send.queues.bytes, 0);
		KUNIT_EXPECT_EQ(test, test_stat(b, RIO9_STAT_ABORTED), i);
	}
}

/* A card that cuts and joins itself */
static void test_pdus(struct kunit *test)
{
	struct test_card *card = test_card(test, &test_pdu_ops, false, 6, 21);
	const struct rio9_pdu pdu = { .peer = 21, .stream = 0xe181, .cos = 0xc0, .channel = 15 };
	u8 *data = rio9_test_payload(test, RIO9_PDU_MAX);
	struct sk_buff *skb = rio9_test_skb(test, data, RIO9_PDU_MAX, 100, 4096);

	KUNIT_EXPECT_EQ(test, 0, test_xmit(card->port, skb, &pdu));
	KUNIT_EXPECT_PTR_EQ(test, card->skb, skb);
	KUNIT_EXPECT_MEMEQ(test, &card->pdu, &pdu, sizeof(pdu));

	rio9_rx_pdu(card->port, skb, &pdu);
	card->skb = NULL;
	test_came(test, card, &pdu, 21, data, RIO9_PDU_MAX);
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_PDUS), 1);
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_BYTES), RIO9_PDU_MAX);
	rio9_rx_bad_pdu(card->port, RIO9_STAT_LENGTH);
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_LENGTH), 1);
	skb = rio9_test_skb(test, data, RIO9_PDU_MAX, RIO9_PDU_MAX + 1, 0);
	skb_put_u8(skb, 0);
	rio9_rx_pdu(card->port, skb, &pdu);
	KUNIT_EXPECT_EQ(test, test_stat(card, RIO9_STAT_OVER_MAX_PDU), 1);
	KUNIT_EXPECT_NULL(test, rio9_viq_read(card->port));
}

static const struct rio9_port_ops test_managed_ops = {
	.xmit_pdu = test_xmit_pdu, .xmit_message = test_xmit_packet,
};

/* Without a way for messages there is no traffic management, with it they are packets */
static void test_pdu_messages(struct kunit *test)
{
	const struct rio9_tm_user msg = { .op = RIO9_TM_OP_APP, .param1 = 1 };
	struct test_card *without = test_card(test, &test_pdu_ops, true, 6, 21);
	struct test_card *with = test_card(test, &test_managed_ops, true, 6, 21);
	u32 value;

	rio9_reg_read(without->port, RIO9_CTL_CSR, &value);
	KUNIT_EXPECT_EQ(test, value, 0x40);
	rio9_reg_write(without->port, RIO9_CTL_CSR, 0x01000040);
	KUNIT_EXPECT_EQ(test, test_stat(without, RIO9_STAT_BAD_MODE), 1);
	rio9_reg_read(with->port, RIO9_CTL_CSR, &value);
	KUNIT_EXPECT_EQ(test, value, 0xe0000040);
	rio9_reg_write(with->port, RIO9_CTL_CSR, 0x01000040);
	flush_work(&with->port->regs.work);
	with->to = test_card(test, &test_packet_ops, true, 21, 6);
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_send_user(&with->port->tm, 21, &msg));
	rio9_send_run(with->port);
	KUNIT_EXPECT_EQ(test, with->packets, 1);
	KUNIT_EXPECT_EQ(test, test_stat(with->to, RIO9_STAT_TM), 1);
}

/* PDUs that nobody fetches take so much memory, and no more */
static void test_no_room(struct kunit *test)
{
	struct test_card *a = test_pair(test, true);
	const struct rio9_pdu pdu = { .peer = 21, .channel = RIO9_FLOW_E };
	u8 *data = rio9_test_payload(test, 20000);
	unsigned int kept = 0;
	size_t memory = 0;
	struct sk_buff *skb;

	while (!test_stat(a->to, RIO9_STAT_NO_ROOM)) {
		skb = rio9_test_skb(test, data, 20000, 0, 4096);
		KUNIT_ASSERT_EQ(test, 0, test_xmit(a->port, skb, &pdu));
		KUNIT_ASSERT_LE(test, a->to->port->viq.bytes, RIO9_QUEUE_MAX);
	}
	while ((skb = rio9_viq_read(a->to->port))) {
		memory += skb->truesize;
		kept++;
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, a->to->port->viq.bytes, 0);
	KUNIT_EXPECT_GT(test, memory, RIO9_QUEUE_MAX - 40000);
	KUNIT_EXPECT_EQ(test, kept, test_stat(a->to, RIO9_STAT_PDUS) - 1);
	skb = rio9_test_skb(test, data, 20000, 0, 4096);
	KUNIT_EXPECT_EQ(test, 0, test_xmit(a->port, skb, &pdu));
	test_came(test, a->to, &pdu, 6, data, 20000);
}

/* The port looks for what is silent by itself */
static void test_silent(struct kunit *test)
{
	struct test_card *a = test_pair(test, true);
	const struct rio9_pdu pdu = { .peer = 21 };
	u8 *data = rio9_test_payload(test, 1000);
	unsigned int i;

	a->left = 2;
	KUNIT_EXPECT_EQ(test, 0,
			test_xmit(a->port, rio9_test_skb(test, data, 1000, 1000, 0), &pdu));
	KUNIT_EXPECT_EQ(test, test_stat(a, RIO9_STAT_TX_ABORTED), 1);
	KUNIT_EXPECT_EQ(test, test_stat(a->to, RIO9_STAT_TIMEOUT), 0);
	for (i = 0; i < 300 && !test_stat(a->to, RIO9_STAT_TIMEOUT); i++)
		msleep(100);
	KUNIT_EXPECT_EQ(test, test_stat(a->to, RIO9_STAT_TIMEOUT), 1);
	KUNIT_EXPECT_EQ(test, a->to->port->reassembly.memory, 0);
}

/* Packets of any kind from peers that come and go, while somebody else does all the rest */
static int test_sender(void *data)
{
	struct test_card *card = data;
	u8 buf[RIO9_PACKET_MAX] = {};
	unsigned int i, len;

	for (i = 0; !kthread_should_stop(); i++) {
		struct rio9_packet p = {
			.dst = 6, .src = 21 + i % 3, .large = true, .channel = i % 5,
			.kind = i % 7 % 4, .stream = i, .length = 65, .len = i % 2 ? 64 : 1,
		};

		len = rio9_encode_headers(buf, &p);
		rio9_rx_packet(card->port, buf, rio9_encode_end(buf, len + p.len));
		if (i % 1024 == 0)
			cond_resched();
	}
	return 0;
}

static void test_at_once(struct kunit *test)
{
	struct test_card *card = test_card(test, &test_packet_ops, true, 6, 21);
	struct task_struct *sender = kthread_run(test_sender, card, "rio9_test");
	unsigned long end = jiffies + HZ / 2;
	unsigned int i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(sender));
	card->port->reassembly.timeout = 2;
	for (i = 0; time_before(jiffies, end); i++) {
		rio9_port_add_peer(card->port, 21 + i % 3);
		kfree_skb(rio9_viq_read(card->port));
		rio9_port_set_id(card->port, 6 + i % 2);
		rio9_port_set_mtu(card->port, i % 64 ? 64 : 128);
		rio9_port_del_peer(card->port, 21 + i % 3);
		usleep_range(50, 100);
	}
	kthread_stop(sender);
	KUNIT_EXPECT_GT(test, test_stat(card, RIO9_STAT_NO_START), 0);
	KUNIT_EXPECT_GT(test, test_stat(card, RIO9_STAT_UNKNOWN_SOURCE), 0);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE(test_caps),
	KUNIT_CASE(test_mtu),
	KUNIT_CASE(test_ids),
	KUNIT_CASE(test_across),
	KUNIT_CASE(test_other_ids),
	KUNIT_CASE(test_messages),
	KUNIT_CASE(test_not_sent),
	KUNIT_CASE(test_given_up),
	KUNIT_CASE(test_aborted),
	KUNIT_CASE(test_busy),
	KUNIT_CASE(test_pdus),
	KUNIT_CASE(test_pdu_messages),
	KUNIT_CASE(test_no_room),
	KUNIT_CASE(test_silent),
	KUNIT_CASE(test_at_once),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_port",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
