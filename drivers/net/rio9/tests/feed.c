// SPDX-License-Identifier: GPL-2.0
/*
 * An endpoint's reassembly, and segments for it.
 */
#include <linux/string.h>

#include "feed.h"

/* All memory goes with the PDUs that it was for */
static void rio9_feed_free(void *data)
{
	struct rio9_feed *f = data;
	struct rio9_context *ctx;
	size_t memory = 0;

	list_for_each_entry(ctx, &f->r.age, age)
		if (ctx->skb)
			memory += ctx->skb->truesize;
	KUNIT_EXPECT_EQ(f->test, f->r.memory, memory);
	rio9_reassembly_destroy(&f->r);
}

/**
 * rio9_feed_new - a reassembly that knows the sources 1, 2 and 3
 * @test: the test, with which it goes
 * @mtu: payload of a full segment
 * @max_pdu: bytes of the longest PDU
 * @contexts: how many can be open
 *
 * Return: it; segments are from source 1.
 */
struct rio9_feed *rio9_feed_new(struct kunit *test, unsigned int mtu, unsigned int max_pdu,
				unsigned int contexts)
{
	struct rio9_feed *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u16 id;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->test = test;
	f->now = INITIAL_JIFFIES;
	f->src = 1;
	f->channel = RIO9_FLOW_C;
	f->cos = TEST_COS;
	f->data = rio9_test_payload(test, RIO9_PDU_MAX + RIO9_MTU_MAX);
	KUNIT_ASSERT_EQ(test, 0, rio9_reassembly_init(&f->r, mtu, max_pdu, contexts));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, rio9_feed_free, f));
	for (id = 1; id <= 3; id++)
		KUNIT_ASSERT_EQ(test, 0, rio9_reassembly_add_source(&f->r, id));
	return f;
}

/**
 * rio9_feed - hand over a segment
 * @f: to whom
 * @p: the segment
 *
 * Return: the PDU that it completes.
 */
struct sk_buff *rio9_feed(struct rio9_feed *f, const struct rio9_packet *p)
{
	struct sk_buff *skb;

	spin_lock_bh(&f->r.lock);
	skb = rio9_reassembly_rx(&f->r, p, f->now);
	spin_unlock_bh(&f->r.lock);
	return skb;
}

static struct sk_buff *rio9_feed_kind(struct rio9_feed *f, enum rio9_kind kind,
				      unsigned int len, u16 length)
{
	const struct rio9_packet p = {
		.dst = TEST_ID, .src = f->src, .channel = f->channel, .kind = kind,
		.cos = f->cos, .stream = TEST_STREAM, .length = length, .data = f->data,
		.len = len,
	};

	return rio9_feed(f, &p);
}

/**
 * rio9_feed_start - hand over a start segment
 * @f: to whom
 * @len: bytes of payload
 */
void rio9_feed_start(struct rio9_feed *f, unsigned int len)
{
	KUNIT_ASSERT_NULL(f->test, rio9_feed_kind(f, RIO9_START, len, 0));
}

/**
 * rio9_feed_cont - hand over a continuation segment
 * @f: to whom
 * @len: bytes of payload
 */
void rio9_feed_cont(struct rio9_feed *f, unsigned int len)
{
	KUNIT_ASSERT_NULL(f->test, rio9_feed_kind(f, RIO9_CONT, len, 0));
}

/**
 * rio9_feed_end - hand over an end segment
 * @f: to whom
 * @len: bytes of payload
 * @length: what it says of the PDU
 *
 * Return: the PDU that it completes.
 */
struct sk_buff *rio9_feed_end(struct rio9_feed *f, unsigned int len, u16 length)
{
	return rio9_feed_kind(f, RIO9_END, len, length);
}

/**
 * rio9_feed_single - hand over a single segment
 * @f: to whom
 * @len: bytes of payload
 *
 * Return: the PDU.
 */
struct sk_buff *rio9_feed_single(struct rio9_feed *f, unsigned int len)
{
	return rio9_feed_kind(f, RIO9_SINGLE, len, 0);
}

/**
 * rio9_feed_expire - time passes, and somebody looks
 * @f: where
 * @after: jiffies
 *
 * Return: whether somebody has to look again.
 */
bool rio9_feed_expire(struct rio9_feed *f, unsigned long after)
{
	bool more;

	f->now += after;
	spin_lock_bh(&f->r.lock);
	more = rio9_reassembly_expire(&f->r, f->now);
	spin_unlock_bh(&f->r.lock);
	return more;
}

/**
 * rio9_feed_counts - since the last look this was counted, and nothing else
 * @f: where
 * @stat: the counter
 * @n: how many
 */
void rio9_feed_counts(struct rio9_feed *f, enum rio9_stat stat, u64 n)
{
	unsigned int i;

	for (i = 0; i < RIO9_STATS; i++)
		KUNIT_EXPECT_EQ_MSG(f->test, f->r.stats[i] - f->seen[i], i == stat ? n : 0,
				    "counter %u", i);
	memcpy(f->seen, f->r.stats, sizeof(f->seen));
}

/**
 * rio9_feed_nothing - since the last look nothing was counted
 * @f: where
 */
void rio9_feed_nothing(struct rio9_feed *f)
{
	rio9_feed_counts(f, RIO9_STAT_PDUS, 0);
}

/**
 * rio9_feed_good - this PDU has come, and nothing else was counted
 * @f: where
 * @skb: the PDU; is freed
 * @data: bytes that it should have
 * @len: how many
 */
void rio9_feed_good(struct rio9_feed *f, struct sk_buff *skb, const u8 *data, u32 len)
{
	const struct rio9_pdu *pdu;

	KUNIT_ASSERT_NOT_NULL(f->test, skb);
	pdu = rio9_skb_pdu(skb);
	KUNIT_EXPECT_EQ(f->test, pdu->peer, f->src);
	KUNIT_EXPECT_EQ(f->test, pdu->channel, f->channel);
	KUNIT_EXPECT_EQ(f->test, pdu->cos, f->cos);
	KUNIT_EXPECT_EQ(f->test, pdu->stream, TEST_STREAM);
	KUNIT_ASSERT_EQ(f->test, skb->len, len);
	KUNIT_ASSERT_EQ(f->test, 0, skb_linearize(skb));
	KUNIT_EXPECT_EQ(f->test, 0, memcmp(skb->data, data, len));
	kfree_skb(skb);

	KUNIT_EXPECT_EQ(f->test, f->r.stats[RIO9_STAT_BYTES] - f->seen[RIO9_STAT_BYTES], len);
	f->seen[RIO9_STAT_BYTES] = f->r.stats[RIO9_STAT_BYTES];
	rio9_feed_counts(f, RIO9_STAT_PDUS, 1);
}

/**
 * rio9_feed_whole - a PDU comes without any fault, and is there
 * @f: where
 * @len: bytes of it
 */
void rio9_feed_whole(struct rio9_feed *f, u32 len)
{
	u8 *data = f->data;
	u32 left = len;

	if (len <= f->r.mtu) {
		rio9_feed_good(f, rio9_feed_single(f, len), data, len);
		return;
	}
	rio9_feed_start(f, f->r.mtu);
	for (left -= f->r.mtu; left > f->r.mtu; left -= f->r.mtu) {
		f->data += f->r.mtu;
		rio9_feed_cont(f, f->r.mtu);
	}
	f->data += f->r.mtu;
	rio9_feed_good(f, rio9_feed_end(f, left, len), data, len);
	f->data = data;
}
