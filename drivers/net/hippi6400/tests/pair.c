// SPDX-License-Identifier: GPL-2.0
/*
 * Links without a device for the tests.
 */

#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/st_compat.h>
#include <net/page_pool/helpers.h>

#include "link/seq.h"
#include "pair.h"

static ulong seed;
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "Seed of the tests' random choices; 0: a new one each time");

/**
 * test_seed - seed of a test's random choices
 * @test: the test
 *
 * Return: the seed, which is printed, and can be given as a module parameter.
 */
u64 test_seed(struct kunit *test)
{
	ulong used = seed ?: get_random_u32();

	kunit_info(test, "seed=%lu\n", used);
	return used;
}

static void test_end_up(struct h64_link *link)
{
	container_of(link, struct test_end, link)->ups++;
}

static void test_end_drop(struct h64_link *link, unsigned int unacked)
{
	struct test_end *end = container_of(link, struct test_end, link);

	end->drops++;
	h64_msg_tx_drop(&end->tx, unacked);
	h64_msg_rx_drop(&end->rx);
}

static void test_end_loopback(struct h64_link *link, int err)
{
	struct test_end *end = container_of(link, struct test_end, link);

	end->loops++;
	end->loop_err = err;
}

static const struct h64_link_ops test_end_ops = {
	.up = test_end_up,
	.drop = test_end_drop,
	.loopback = test_end_loopback,
};

/**
 * test_end_purge - free what an end has sent or dropped
 * @end: the end
 */
void test_end_purge(struct test_end *end)
{
	__skb_queue_purge(&end->tx.done);
	__skb_queue_purge(&end->tx.dropped);
	__skb_queue_purge(&end->rx.dropped);
}

static void test_end_free(void *data)
{
	struct test_end *end = data;
	unsigned int vc;

	h64_link_disable(&end->link);
	test_end_purge(end);
	__skb_queue_purge(&end->in);
	__skb_queue_purge(&end->placed);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		__skb_queue_purge(&end->expected[vc]);
	page_pool_destroy(end->rx.pool);
}

static void test_end_init(struct kunit *test, struct test_end *end)
{
	static const struct h64_link_times times = {
		.retry = TEST_RETRY,
		.ack = TEST_ACK,
		.activity = TEST_ACTIVITY,
		.holdoff = TEST_HOLDOFF,
	};
	const struct page_pool_params params = {
		.pool_size = 64,
		.nid = NUMA_NO_NODE,
	};
	struct page_pool *pool;
	unsigned int vc;

	end->link.ring.slot = kunit_kcalloc(test, TEST_RING, sizeof(struct h64_upkt), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, end->link.ring.slot);
	end->link.ring.size = TEST_RING;
	/* Free-running indices wrap in every test */
	end->link.ring.prod = U32_MAX - 100;
	end->link.ring.cons = end->link.ring.prod;
	end->seen = end->link.ring.prod;
	pool = page_pool_create(&params);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pool);
	__skb_queue_head_init(&end->in);
	__skb_queue_head_init(&end->placed);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
		__skb_queue_head_init(&end->expected[vc]);
	h64_msg_tx_init(&end->tx, &end->link);
	h64_msg_rx_init(&end->rx, &end->link, NULL, pool);
	h64_link_init(&end->link, &test_end_ops, &times);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_end_free, end));
}

/**
 * test_end_alloc - an end that is off
 * @test: the test, at whose end it is freed
 *
 * Return: the end.
 */
struct test_end *test_end_alloc(struct kunit *test)
{
	struct test_end *end = kunit_kzalloc(test, sizeof(*end), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, end);
	test_end_init(test, end);
	return end;
}

/**
 * test_upkt - make a micropacket
 * @upkt: the micropacket
 * @ctrl: c00-c31; the CRCs are added
 * @data: its data bytes
 * @ecrc: ECRC of the Message so far, or the preset; on return with this one
 */
void test_upkt(struct h64_upkt *upkt, u64 ctrl, const void *data, u16 *ecrc)
{
	struct h64_crcs crcs = { H64_CRC_PRESET, *ecrc };

	h64_crc_upkt(upkt->data, data, &crcs, false);
	*ecrc = crcs.ecrc;
	upkt->ctrl = h64_upkt_seal(ctrl | FIELD_PREP(H64_C_ECRC, crcs.ecrc), crcs.lcrc);
}

/**
 * test_end_rx - pass a micropacket to an end, as the driver does
 * @end: the end
 * @upkt: the micropacket
 * @now: the time
 *
 * Return: the Message that it completes, or NULL.
 */
struct sk_buff *test_end_rx(struct test_end *end, const struct h64_upkt *upkt, u64 now)
{
	struct sk_buff *skb;

	local_bh_disable();
	skb = h64_msg_rx(&end->rx, upkt, now);
	local_bh_enable();
	return skb;
}

/**
 * test_end_control - pass an unsequenced micropacket to an end
 * @end: the end
 * @type: its TYPE
 * @now: the time
 *
 * Return: the result of h64_link_rx().
 */
enum h64_rx_action test_end_control(struct test_end *end, u8 type, u64 now)
{
	u8 data[H64_UPKT_DATA];
	u16 ecrc = H64_CRC_PRESET;
	enum h64_verdict verdict;
	struct h64_upkt upkt;
	u64 ctrl;

	h64_upkt_encode_zero(&upkt, FIELD_PREP(H64_C_TYPE, type) |
			     FIELD_PREP(H64_C_TSEQ, H64_SEQ_NONE) |
			     FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE));
	ctrl = h64_upkt_ctrl(&upkt);
	verdict = h64_upkt_decode(data, &upkt, ctrl, &ecrc, false);
	return h64_link_rx(&end->link, ctrl, verdict, ecrc, now);
}

/**
 * test_end_sent - get the next micropacket that an end sent
 * @end: the end; its card takes the micropacket
 * @ctrl: the control bits
 *
 * Return: false if there is none.
 */
bool test_end_sent(struct test_end *end, u64 *ctrl)
{
	struct h64_tx_ring *ring = &end->link.ring;

	if (end->seen == ring->prod)
		return false;
	*ctrl = h64_upkt_ctrl(&ring->slot[end->seen & (ring->size - 1)]);
	ring->cons = ++end->seen;
	return true;
}

/**
 * test_end_expect_sent - check the TYPEs of all micropackets since the last check
 * @test: the test
 * @end: the end
 * @count: their number
 *
 * The TYPEs follow.
 */
void test_end_expect_sent(struct kunit *test, struct test_end *end, unsigned int count, ...)
{
	va_list args;
	u64 ctrl;

	va_start(args, count);
	while (count--) {
		int type = va_arg(args, int);

		if (!test_end_sent(end, &ctrl)) {
			KUNIT_FAIL(test, "TYPE %d was not sent", type);
			break;
		}
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), type);
	}
	va_end(args);
	while (test_end_sent(end, &ctrl))
		KUNIT_FAIL(test, "TYPE %llu was sent", FIELD_GET(H64_C_TYPE, ctrl));
}

/**
 * test_end_reach - bring an end that is off into a state
 * @test: the test
 * @end: the end
 * @state: the state
 * @now: the time
 */
void test_end_reach(struct kunit *test, struct test_end *end, enum h64_link_state state, u64 now)
{
	struct h64_link *link = &end->link;
	u64 ctrl;

	if (state != H64_OFF)
		h64_link_enable(link, now);
	if (state != H64_OFF && state != H64_DOWN)
		h64_link_signal(link, true, now);
	if (state == H64_INIT_SENT || state == H64_UP || state == H64_HOLDOFF)
		test_end_control(end, H64_TYPE_RESET_ACK, now);
	if (state == H64_UP || state == H64_HOLDOFF) {
		test_end_control(end, H64_TYPE_INIT, now);
		test_end_control(end, H64_TYPE_INIT_ACK, now);
	}
	if (state == H64_HOLDOFF)
		h64_link_restart(link, now);
	KUNIT_ASSERT_EQ(test, link->state, state);
	while (test_end_sent(end, &ctrl))
		;
}

/**
 * test_frame - a frame of random bytes
 * @test: the test
 * @payload: bytes after the EtherType
 * @rnd: random state
 *
 * Return: the skb, all linear.
 */
struct sk_buff *test_frame(struct kunit *test, u32 payload, struct rnd_state *rnd)
{
	struct sk_buff *skb = alloc_skb(ETH_HLEN + payload, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	prandom_bytes_state(rnd, skb_put(skb, ETH_HLEN + payload), ETH_HLEN + payload);
	return skb;
}

/* Adds an skb to the frag_list of @skb, with some bytes in its linear part */
static struct sk_buff *test_frame_part(struct kunit *test, struct sk_buff *skb,
				       struct sk_buff *last, const u8 *data, u32 len)
{
	struct sk_buff *part = alloc_skb(len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, part);
	skb_put_data(part, data, len);
	if (last == skb)
		skb_shinfo(skb)->frag_list = part;
	else
		last->next = part;
	skb->len += len;
	skb->data_len += len;
	skb->truesize += part->truesize;
	return part;
}

/* Adds a fragment at @off of a new page, possibly empty */
static void test_frame_frag(struct kunit *test, struct sk_buff *skb, struct sk_buff *last,
			    const u8 *data, u32 off, u32 len)
{
	unsigned int order = get_order(max(off + len, 1U));
	struct page *page = alloc_pages(GFP_KERNEL | __GFP_COMP, order);

	KUNIT_ASSERT_NOT_NULL(test, page);
	memcpy(page_address(page) + off, data, len);
	skb_add_rx_frag(last, skb_shinfo(last)->nr_frags, page, off, len, PAGE_SIZE << order);
	if (last == skb)
		return;
	skb->len += len;
	skb->data_len += len;
	skb->truesize += PAGE_SIZE << order;
}

/**
 * test_frame_frags - split a frame into pieces of random sizes and offsets
 * @test: the test
 * @from: the frame, all linear
 * @rnd: random choices
 *
 * Return: another skb, with fragments and with more of them in a frag_list.
 */
struct sk_buff *test_frame_frags(struct kunit *test, const struct sk_buff *from,
				 struct rnd_state *rnd)
{
	u32 linear = ETH_HLEN + prandom_u32_state(rnd) % 64, done, n;
	struct sk_buff *skb = alloc_skb(from->len, GFP_KERNEL), *last = skb;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	linear = min(linear, from->len);
	skb_put_data(skb, from->data, linear);
	for (done = linear; done < from->len; done += n) {
		unsigned int nr = skb_shinfo(last)->nr_frags;

		/* Empty ones, small ones, and ones that cross page boundaries */
		if (nr == MAX_SKB_FRAGS || prandom_u32_state(rnd) % 8 == 0) {
			n = min(prandom_u32_state(rnd) % 64, from->len - done);
			last = test_frame_part(test, skb, last, from->data + done, n);
		} else {
			n = prandom_u32_state(rnd) % (nr % 2 ? 100 : 2 * PAGE_SIZE);
			n = min(n, from->len - done);
			test_frame_frag(test, skb, last, from->data + done,
					prandom_u32_state(rnd) % PAGE_SIZE, n);
		}
	}
	return skb;
}

/**
 * test_expect_frame - check that two frames have the same bytes
 * @test: the test
 * @expected: the expected frame, all linear
 * @skb: the frame to check
 */
void test_expect_frame(struct kunit *test, const struct sk_buff *expected,
		       const struct sk_buff *skb)
{
	u8 *buf;

	KUNIT_ASSERT_EQ(test, skb->len, expected->len);
	/* Frames arrive with bottom halves disabled, and kunit_kmalloc() sleeps with any flags */
	buf = kmalloc(skb->len, GFP_ATOMIC);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_EQ(test, 0, skb_copy_bits(skb, 0, buf, skb->len));
	KUNIT_EXPECT_MEMEQ(test, buf, expected->data, skb->len);
	kfree(buf);
}

/**
 * test_pair_alloc - two ends on a line without faults, both off
 * @test: the test, at whose end they are freed
 *
 * Return: the pair.
 */
struct test_pair *test_pair_alloc(struct kunit *test)
{
	struct test_pair *pair = kunit_kzalloc(test, sizeof(*pair), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pair);
	pair->test = test;
	pair->now = TEST_MS;
	prandom_seed_state(&pair->rnd, 1);
	test_end_init(test, &pair->end[0]);
	test_end_init(test, &pair->end[1]);
	return pair;
}

/**
 * test_pair_send - queue a Message of random bytes, in random pieces
 * @pair: the pair
 * @from: which end
 * @vc: Virtual Channel
 * @payload: bytes after the EtherType
 */
void test_pair_send(struct test_pair *pair, unsigned int from, unsigned int vc, u32 payload)
{
	struct sk_buff *expected = test_frame(pair->test, payload, &pair->rnd);
	struct sk_buff *skb = test_frame_frags(pair->test, expected, &pair->rnd);

	__skb_queue_tail(&pair->end[!from].expected[vc], expected);
	KUNIT_ASSERT_EQ(pair->test, 0, h64_msg_tx_queue(&pair->end[from].tx, vc, skb));
}

static bool test_pair_chance(struct test_pair *pair, u32 of)
{
	return (prandom_u32_state(&pair->rnd) & 0xffff) < of;
}

static void test_end_check(struct test_pair *pair, struct test_end *end)
{
	struct sk_buff *skb, *expected;

	while ((skb = __skb_dequeue(&end->in))) {
		if (H64_SKB_CB(skb)->placed) {
			__skb_queue_tail(&end->placed, skb);
			continue;
		}
		expected = __skb_dequeue(&end->expected[skb->queue_mapping]);
		if (expected) {
			test_expect_frame(pair->test, expected, skb);
			end->arrived++;
		} else {
			KUNIT_FAIL(pair->test, "%u bytes on VC%u, nothing expected", skb->len,
				   skb->queue_mapping);
		}
		kfree_skb(expected);
		kfree_skb(skb);
	}
}

static bool test_pair_drops(struct test_pair *pair, const struct test_end *from,
			    const struct h64_upkt *upkt)
{
	if (!pair->drop || from != &pair->end[0] || !h64_seq_is_sequenced(h64_upkt_ctrl(upkt)))
		return false;
	pair->drop--;
	return true;
}

static void test_pair_carry(struct test_pair *pair, struct test_end *from, struct test_end *to)
{
	struct h64_tx_ring *ring = &from->link.ring;
	struct h64_upkt upkt;
	struct sk_buff *skb;
	unsigned int copies;

	for (; ring->cons != ring->prod; ring->cons++) {
		upkt = ring->slot[ring->cons & (ring->size - 1)];
		if (test_pair_drops(pair, from, &upkt) || test_pair_chance(pair, pair->line.lose))
			continue;
		if (test_pair_chance(pair, pair->line.damage))
			((u8 *)&upkt)[prandom_u32_state(&pair->rnd) % sizeof(upkt)] ^=
				BIT(prandom_u32_state(&pair->rnd) % 8);
		copies = 1 + test_pair_chance(pair, pair->line.twice);
		while (copies--) {
			skb = h64_msg_rx(&to->rx, &upkt, pair->now);
			if (!skb)
				continue;
			skb->queue_mapping = FIELD_GET(H64_C_VC, h64_upkt_ctrl(&upkt));
			__skb_queue_tail(&to->in, skb);
		}
	}
	from->seen = ring->cons;
}

/**
 * test_pair_step - run both ends and the line for a millisecond
 * @pair: the pair
 */
void test_pair_step(struct test_pair *pair)
{
	struct test_end *end;

	/* The driver receives and pumps in softirq context */
	local_bh_disable();
	for (end = pair->end; end < pair->end + 2; end++) {
		h64_link_tick(&end->link, pair->now);
		h64_msg_tx_pump(&end->tx, pair->now);
		h64_link_flush(&end->link, pair->now);
		test_end_purge(end);
	}
	test_pair_carry(pair, &pair->end[0], &pair->end[1]);
	test_pair_carry(pair, &pair->end[1], &pair->end[0]);
	local_bh_enable();
	test_end_check(pair, &pair->end[0]);
	test_end_check(pair, &pair->end[1]);
	pair->now += TEST_MS;
}

/**
 * test_pair_run - run for some milliseconds
 * @pair: the pair
 * @steps: how many
 */
void test_pair_run(struct test_pair *pair, unsigned int steps)
{
	while (steps--)
		test_pair_step(pair);
}

/**
 * test_pair_idle - check whether everything has arrived
 * @pair: the pair
 *
 * Return: true if no Message is missing and nothing waits for an ACK.
 */
bool test_pair_idle(const struct test_pair *pair)
{
	const struct test_end *end;
	unsigned int vc;

	for (end = pair->end; end < pair->end + 2; end++) {
		if (end->link.src.count)
			return false;
		for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++)
			if (!skb_queue_empty(&end->expected[vc]))
				return false;
	}
	return true;
}

/**
 * test_pair_bring_up - enable both ends and wait until they are up
 * @pair: the pair
 */
void test_pair_bring_up(struct test_pair *pair)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		h64_link_signal(&pair->end[i].link, true, pair->now);
		h64_link_enable(&pair->end[i].link, pair->now);
	}
	for (i = 0; i < 10000; i++) {
		test_pair_step(pair);
		if (pair->end[0].link.state == H64_UP && pair->end[1].link.state == H64_UP)
			return;
	}
	KUNIT_FAIL_AND_ABORT(pair->test, "no link after %u ms: one end is %s, the other %s", i,
			     h64_link_state_name(pair->end[0].link.state),
			     h64_link_state_name(pair->end[1].link.state));
}

MODULE_DESCRIPTION("KUnit tests of the HIPPI-6400 driver");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
