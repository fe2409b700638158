// SPDX-License-Identifier: GPL-2.0
/*
 * A switch with an end at each port for the tests.
 */

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "link/seq.h"
#include "net.h"

/* Steps within which everything in flight has to arrive */
#define TEST_SETTLE	20000

/**
 * test_net_ula - address of an end
 * @ula: receives the address
 * @port: its port
 */
void test_net_ula(u8 *ula, unsigned int port)
{
	eth_zero_addr(ula);
	ula[0] = 2;
	ula[5] = port;
}

static void test_net_free(void *data)
{
	struct test_net *net = data;
	unsigned int i;

	test_net_forget(net);
	for (i = 0; i < TEST_PORTS; i++)
		kvfree(net->sport[i]);
	kvfree(net->sw);
}

static void test_net_attach(struct test_net *net, unsigned int port)
{
	static const struct h64_link_times times = {
		.retry = TEST_RETRY,
		.ack = TEST_ACK,
		.activity = TEST_ACTIVITY,
		.holdoff = TEST_HOLDOFF,
		.retry_limit = H64_RETRY_LIMIT,
	};

	net->sport[port] = kvzalloc(sizeof(*net->sport[port]), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(net->test, net->sport[port]);
	/* Free-running indices wrap in every test */
	net->sport[port]->link.ring.prod = U32_MAX - 300;
	net->sport[port]->link.ring.cons = net->sport[port]->link.ring.prod;
	emu_switch_attach(net->sw, net->sport[port], port, &times, net->now);
	net->end[port] = test_end_alloc(net->test);
	h64_link_signal(&net->end[port]->link, true, net->now);
	h64_link_enable(&net->end[port]->link, net->now);
}

/**
 * test_net_alloc - a switch with an end at each port, all links up
 * @test: the test, at whose end it is freed
 *
 * Return: the switch and the ends.
 */
struct test_net *test_net_alloc(struct kunit *test)
{
	struct test_net *net = kunit_kzalloc(test, sizeof(*net), GFP_KERNEL);
	unsigned int i, k, vc;

	KUNIT_ASSERT_NOT_NULL(test, net);
	net->test = test;
	net->now = TEST_MS;
	prandom_seed_state(&net->rnd, test_seed(test));
	for (i = 0; i < TEST_PORTS; i++)
		for (k = 0; k < TEST_PORTS; k++)
			for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
				__skb_queue_head_init(&net->expected[i][k][vc]);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_net_free, net));
	net->sw = emu_switch_alloc(1);
	KUNIT_ASSERT_NOT_NULL(test, net->sw);
	for (i = 0; i < TEST_PORTS; i++)
		test_net_attach(net, i);
	test_net_run(net, 50);
	KUNIT_ASSERT_EQ(test, net->sw->up, GENMASK(TEST_PORTS - 1, 0));
	for (i = 0; i < TEST_PORTS; i++)
		KUNIT_ASSERT_EQ(test, net->end[i]->link.state, H64_UP);
	return net;
}

/**
 * test_net_send - give an end a Message of random bytes
 * @net: the ends
 * @from: which end
 * @to: destination address
 * @vc: Virtual Channel
 * @payload: bytes after the EtherType
 * @where: ports at which it has to arrive
 */
void test_net_send(struct test_net *net, unsigned int from, const u8 *to, unsigned int vc,
		   u32 payload, unsigned long where)
{
	struct sk_buff *skb = test_frame(net->test, payload, &net->rnd), *copy;
	struct ethhdr *eth = (struct ethhdr *)skb->data;
	unsigned int port;

	ether_addr_copy(eth->h_dest, to);
	test_net_ula(eth->h_source, from);
	for_each_set_bit(port, &where, TEST_PORTS) {
		copy = skb_copy(skb, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(net->test, copy);
		__skb_queue_tail(&net->expected[port][from][vc], copy);
		net->missing++;
	}
	KUNIT_ASSERT_EQ(net->test, 0, h64_msg_tx_queue(&net->end[from]->tx, vc, skb));
}

/**
 * test_net_send_to - give an end a Message for another
 * @net: the ends
 * @from: which end
 * @to: the receiving end, whose port the switch knows
 * @vc: Virtual Channel
 * @payload: bytes after the EtherType
 */
void test_net_send_to(struct test_net *net, unsigned int from, unsigned int to, unsigned int vc,
		      u32 payload)
{
	u8 ula[ETH_ALEN];

	test_net_ula(ula, to);
	test_net_send(net, from, ula, vc, payload, BIT(to));
}

/**
 * test_net_raw - let an end send one micropacket
 * @net: the ends
 * @from: which end, which has credit
 * @to: destination address of a Header
 * @ctrl: VC, TYPE, TAIL and ERROR
 * @ecrc: ECRC of the Message so far, or the preset; on return with this one
 */
void test_net_raw(struct test_net *net, unsigned int from, const u8 *to, u64 ctrl, u16 *ecrc)
{
	struct h64_link *link = &net->end[from]->link;
	struct h64_crcs crcs = { H64_CRC_PRESET, *ecrc };
	struct h64_msg_hdr hdr = { .m_len = cpu_to_be32(1000) };
	unsigned int vc = FIELD_GET(H64_C_VC, ctrl);
	struct h64_upkt *upkt;

	while (!h64_seq_can_send(link))
		test_net_step(net);
	KUNIT_ASSERT_TRUE(net->test, h64_credit_have(link, vc));
	ether_addr_copy(hdr.d_ula, to);
	test_net_ula(hdr.s_ula, from);
	memcpy(hdr.snap, h64_snap, sizeof(hdr.snap));
	upkt = h64_seq_slot(link);
	h64_crc_upkt(upkt->data, &hdr, &crcs, false);
	*ecrc = crcs.ecrc;
	h64_credit_use(link, vc);
	h64_seq_commit(link, upkt, ctrl | FIELD_PREP(H64_C_ECRC, crcs.ecrc) | h64_seq_ctrl(link),
		       crcs.lcrc, net->now);
}

static bool test_net_lost(struct test_net *net, bool bad, const struct h64_upkt *upkt)
{
	if (bad && h64_seq_is_sequenced(h64_upkt_ctrl(upkt)))
		return true;
	return net->lose && (prandom_u32_state(&net->rnd) & 0xffff) < net->lose;
}

static void test_net_arrived(struct test_net *net, unsigned int port, unsigned int vc,
			     struct sk_buff *skb)
{
	struct ethhdr eth;
	struct sk_buff *expected;

	KUNIT_ASSERT_EQ(net->test, 0, skb_copy_bits(skb, 0, &eth, sizeof(eth)));
	KUNIT_ASSERT_LT(net->test, eth.h_source[5], TEST_PORTS);
	expected = __skb_dequeue(&net->expected[port][eth.h_source[5]][vc]);
	if (expected) {
		test_expect_frame(net->test, expected, skb);
		net->arrived++;
		net->missing--;
	} else {
		KUNIT_FAIL(net->test, "port %u: %u bytes from %u on VC%u, nothing expected", port,
			   skb->len, eth.h_source[5], vc);
	}
	kfree_skb(expected);
	kfree_skb(skb);
}

static void test_net_carry_in(struct test_net *net, unsigned int port)
{
	struct h64_tx_ring *ring = &net->end[port]->link.ring;
	bool bad = net->bad_in & BIT(port);

	for (; ring->cons != ring->prod; ring->cons++) {
		const struct h64_upkt *upkt = &ring->slot[ring->cons & (ring->size - 1)];

		if (!(net->cut & BIT(port)) && !test_net_lost(net, bad, upkt))
			emu_switch_receive(net->sport[port], upkt, 1, false, net->now);
	}
	net->end[port]->seen = ring->cons;
}

static void test_net_carry_out(struct test_net *net, unsigned int port)
{
	bool bad = net->bad_out & BIT(port);
	const struct h64_upkt *upkt;
	struct sk_buff *skb;
	struct h64_upkt copy;

	while (emu_switch_sent(net->sport[port], &upkt)) {
		copy = *upkt;
		emu_switch_taken(net->sport[port], 1);
		if (net->cut & BIT(port) || test_net_lost(net, bad, &copy))
			continue;
		skb = h64_msg_rx(&net->end[port]->rx, &copy, net->now);
		if (skb)
			test_net_arrived(net, port, FIELD_GET(H64_C_VC, h64_upkt_ctrl(&copy)), skb);
	}
}

static void test_net_work(struct test_net *net, unsigned int port)
{
	struct test_end *end = net->end[port];
	unsigned int vc;

	h64_link_tick(&end->link, net->now);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		if (!(net->deaf[vc] & BIT(port)))
			continue;
		net->hidden[port][vc] += end->link.credit[vc].room;
		end->link.credit[vc].room = 0;
	}
	h64_msg_tx_pump(&end->tx, net->now);
	h64_link_flush(&end->link, net->now);
	test_end_purge(end);
}

/**
 * test_net_step - run the switch, the ends and the lines for a millisecond
 * @net: all of them
 */
void test_net_step(struct test_net *net)
{
	unsigned int i;

	/* The driver receives and pumps in softirq context */
	local_bh_disable();
	for (i = 0; i < TEST_PORTS; i++) {
		bool signal = !(net->cut & BIT(i));

		if (net->sw->port[i])
			emu_switch_signal(net->sport[i], signal, net->now);
		h64_link_signal(&net->end[i]->link, signal, net->now);
		test_net_work(net, i);
		test_net_carry_in(net, i);
	}
	emu_switch_run(net->sw, net->now);
	for (i = 0; i < TEST_PORTS; i++)
		if (net->sw->port[i])
			test_net_carry_out(net, i);
	local_bh_enable();
	net->now += TEST_MS;
}

/**
 * test_net_run - run for some milliseconds
 * @net: switch, ends and lines
 * @steps: how many
 */
void test_net_run(struct test_net *net, unsigned int steps)
{
	while (steps--)
		test_net_step(net);
}

/**
 * test_net_settle - wait until everything has arrived
 * @net: switch, ends and lines
 */
void test_net_settle(struct test_net *net)
{
	unsigned int i;

	for (i = 0; net->missing && i < TEST_SETTLE; i++)
		test_net_step(net);
	KUNIT_ASSERT_EQ_MSG(net->test, net->missing, 0, "Messages missing after %u ms", i);
	/* Wait until the last one is acknowledged and nothing more arrives */
	test_net_run(net, 100);
}

/**
 * test_net_patience - time that the switch waits for stalled Messages
 * @net: switch, ends and lines
 *
 * Return: steps.
 */
unsigned int test_net_patience(const struct test_net *net)
{
	return div_u64(net->sport[0]->patience, TEST_MS);
}

/**
 * test_net_expect_clean - check for free outputs, empty inputs and full credit
 * @net: switch, ends and lines; nothing is in flight
 */
void test_net_expect_clean(struct test_net *net)
{
	struct kunit *test = net->test;
	unsigned int port, vc;

	test_net_run(net, 100);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].busy, 0);
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].closing, 0);
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].stalled, 0);
		KUNIT_EXPECT_EQ(test, net->sw->lane[vc].waiters, 0);
	}
	for (port = 0; port < TEST_PORTS; port++) {
		const struct emu_sport *sport = net->sport[port];

		if (!net->sw->port[port])
			continue;
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
			KUNIT_EXPECT_EQ(test, sport->in[vc].state, EMU_IDLE);
			KUNIT_EXPECT_EQ(test, sport->in[vc].count, 0);
			KUNIT_EXPECT_EQ(test, sport->link.credit[vc].room +
					sport->link.credit[vc].out, H64_CREDIT_POOL);
		}
		KUNIT_EXPECT_EQ(test, sport->link.stats.no_credit, 0);
		/* The micropackets that ended Messages had a right ECRC */
		KUNIT_EXPECT_EQ(test, net->end[port]->rx.ecrc_errors, 0);
		KUNIT_EXPECT_EQ(test, net->end[port]->rx.header_without_tail, 0);
		KUNIT_EXPECT_EQ(test, net->end[port]->rx.data_without_header, 0);
	}
}

/**
 * test_net_learn - let the switch learn all ends
 * @net: switch, ends and lines
 */
void test_net_learn(struct test_net *net)
{
	const u8 all[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	unsigned int i;

	for (i = 0; i < TEST_PORTS; i++)
		test_net_send(net, i, all, 1, 46, GENMASK(TEST_PORTS - 1, 0) & ~BIT(i));
	test_net_settle(net);
	KUNIT_ASSERT_EQ(net->test, net->sw->table.count, TEST_PORTS);
}

/**
 * test_net_listen - let a deaf end grant credit again
 * @net: switch, ends and lines
 * @port: the end
 * @vc: Virtual Channel
 */
void test_net_listen(struct test_net *net, unsigned int port, unsigned int vc)
{
	net->deaf[vc] &= ~BIT(port);
	net->end[port]->link.credit[vc].room += net->hidden[port][vc];
	net->hidden[port][vc] = 0;
}

/**
 * test_net_forget - drop all expectations
 * @net: the ends
 */
void test_net_forget(struct test_net *net)
{
	unsigned int i, k, vc;

	for (i = 0; i < TEST_PORTS; i++)
		for (k = 0; k < TEST_PORTS; k++)
			for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
				__skb_queue_purge(&net->expected[i][k][vc]);
	net->missing = 0;
}
