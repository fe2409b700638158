// SPDX-License-Identifier: GPL-2.0
/*
 * Messages into micropackets.
 */

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/string.h>

#include "pair.h"
#include "vectors_msg.h"

#define NOW	(10 * TEST_MS)

static void test_msg_desc(const struct h64_msg_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(msg, h64_msg_vectors, test_msg_desc);

static struct sk_buff *test_vector_frame(struct kunit *test, const struct h64_msg_vector *v)
{
	struct sk_buff *skb = alloc_skb(ETH_HLEN + v->len, GFP_KERNEL);
	struct ethhdr *eth;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, v->len + H64_SNAP_LEN, v->m_len);
	eth = skb_put(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, v->d_ula);
	ether_addr_copy(eth->h_source, v->s_ula);
	eth->h_proto = cpu_to_be16(v->proto);
	skb_put_data(skb, v->payload, v->len);
	return skb;
}

/* An end that is up and sends with the sequence numbers of a vector */
static struct test_end *test_vector_end(struct kunit *test, const struct h64_msg_vector *v)
{
	struct test_end *end = test_end_alloc(test);

	test_end_reach(test, end, H64_UP, NOW);
	memset(end->link.credit, 0, sizeof(end->link.credit));
	end->link.credit[v->vc].avail = 4000;
	end->link.src.una = v->tseq;
	end->link.dst.rseq = v->rseq;
	return end;
}

static void test_expect_upkts(struct kunit *test, struct test_end *end,
			      const struct h64_msg_vector *v)
{
	const struct h64_tx_ring *ring = &end->link.ring;
	size_t i;

	KUNIT_ASSERT_EQ(test, ring->prod - ring->cons, v->count);
	for (i = 0; i < v->count; i++)
		KUNIT_EXPECT_MEMEQ(test, (u8 *)&ring->slot[(ring->cons + i) % ring->size],
				   v->upkts + i * H64_UPKT_SIZE, H64_UPKT_SIZE);
}

static void test_vector(struct kunit *test)
{
	const struct h64_msg_vector *v = test->param_value;
	struct test_end *end = test_vector_end(test, v);
	struct sk_buff *skb = test_vector_frame(test, v);
	u32 len = skb->len;

	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, v->vc, skb));
	h64_msg_tx_pump(&end->tx, NOW);
	test_expect_upkts(test, end, v);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&end->tx.done), 1);
	KUNIT_EXPECT_EQ(test, end->tx.vc[v->vc].backlog, 0);
	KUNIT_EXPECT_EQ(test, end->tx.vc[v->vc].stats.messages, 1);
	KUNIT_EXPECT_EQ(test, end->tx.vc[v->vc].stats.bytes, len);
	KUNIT_EXPECT_EQ(test, end->tx.vc[v->vc].stats.upkts, h64_msg_upkts(len - ETH_HLEN));
	test_end_purge(end);
}

/* The same micropackets, whatever the fragments of the skb */
static void test_vector_frags(struct kunit *test)
{
	const struct h64_msg_vector *v = test->param_value;
	struct sk_buff *frame = test_vector_frame(test, v);
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, test_seed(test));
	for (i = 0; i < 20; i++) {
		struct test_end *end = test_vector_end(test, v);
		struct sk_buff *skb = test_frame_frags(test, frame, &rnd);

		KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, v->vc, skb));
		h64_msg_tx_pump(&end->tx, NOW);
		test_expect_upkts(test, end, v);
		test_end_purge(end);
	}
	kfree_skb(frame);
}

/* 5.4.1: a Message over the limit of its VC is refused at the source */
static void test_limit(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct rnd_state rnd;
	struct sk_buff *skb;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	skb = test_frame(test, 8 + 67 * 32, &rnd);
	KUNIT_EXPECT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 0, skb));
	skb = test_frame(test, 8 + 67 * 32 + 1, &rnd);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, h64_msg_tx_queue(&end->tx, 0, skb));
	KUNIT_EXPECT_EQ(test, end->tx.over_limit, 1);
	KUNIT_EXPECT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1, skb));

	/* However long the frames of the netdev are */
	skb = test_frame(test, 8 + 4099 * 32, &rnd);
	KUNIT_EXPECT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 2, skb));
	skb = test_frame(test, 8 + 4099 * 32 + 1, &rnd);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, h64_msg_tx_queue(&end->tx, 2, skb));
	KUNIT_EXPECT_EQ(test, end->tx.over_limit, 2);
	KUNIT_EXPECT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 3, skb));

	skb = test_frame(test, 0, &rnd);
	skb_trim(skb, ETH_HLEN - 1);
	KUNIT_EXPECT_EQ(test, -EINVAL, h64_msg_tx_queue(&end->tx, 1, skb));
	KUNIT_EXPECT_EQ(test, end->tx.malformed, 1);
	kfree_skb(skb);
}

/* Nested frag_lists are made linear first, and give the same micropackets */
static void test_nested(struct kunit *test)
{
	const struct h64_msg_vector *v = test->param_value;
	struct sk_buff *skb = test_vector_frame(test, v);
	struct test_end *end = test_vector_end(test, v);
	struct sk_buff *outer = alloc_skb(ETH_HLEN, GFP_KERNEL), *inner;

	KUNIT_ASSERT_NOT_NULL(test, outer);
	skb_put_data(outer, skb->data, ETH_HLEN);
	skb_pull(skb, ETH_HLEN);
	/* An skb of the frag_list that has only a frag_list */
	inner = alloc_skb(0, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, inner);
	skb_shinfo(inner)->frag_list = skb;
	inner->len = skb->len;
	inner->data_len = skb->len;
	skb_shinfo(outer)->frag_list = inner;
	outer->len += skb->len;
	outer->data_len += skb->len;

	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, v->vc, outer));
	KUNIT_EXPECT_FALSE(test, skb_is_nonlinear(outer));
	h64_msg_tx_pump(&end->tx, NOW);
	test_expect_upkts(test, end, v);
	test_end_purge(end);
}

/* Virtual Channels take turns, micropacket by micropacket */
static void test_turns(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct rnd_state rnd;
	unsigned int vc, i;
	u64 ctrl;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		end->link.credit[vc].avail = 100;
		KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, vc,
							  test_frame(test, 8 + 4 * 32, &rnd)));
	}
	h64_msg_tx_pump(&end->tx, NOW);
	for (i = 0; i < 20; i++) {
		KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_VC, ctrl), i % 4);
		KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl),
				i < 4 ? H64_TYPE_HEADER : H64_TYPE_DATA);
		KUNIT_EXPECT_EQ(test, !!(ctrl & H64_C_TAIL), i >= 16);
	}
	test_end_purge(end);
}

static void test_not_up(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_INIT_SENT, NOW);
	end->link.credit[1].avail = 100;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(&end->tx, 1, test_frame(test, 100, &rnd)));
	h64_msg_tx_pump(&end->tx, NOW);
	test_end_expect_sent(test, end, 0);
}

static struct sk_buff *test_old_frame(struct kunit *test, u32 upkts, u64 since,
				      struct rnd_state *rnd)
{
	struct sk_buff *skb = test_frame(test, 8 + (upkts - 1) * 32, rnd);

	h64_tx_cb(skb)->since = since;
	return skb;
}

/* 4.7: a far end that withholds credit cannot pin Messages forever */
static void test_expire(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_msg_tx *tx = &end->tx;
	struct rnd_state rnd;
	struct sk_buff *skb;
	u64 ctrl;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	end->link.credit[1].avail = 2;
	end->link.credit[2].avail = 0;
	skb = test_old_frame(test, 4, NOW, &rnd);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 1, skb));
	skb = test_old_frame(test, 5, NOW + TEST_MS, &rnd);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 1, skb));
	skb = test_old_frame(test, 6, NOW, &rnd);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 2, skb));
	h64_msg_tx_pump(tx, NOW);
	test_end_expect_sent(test, end, 2, H64_TYPE_HEADER, H64_TYPE_DATA);

	h64_msg_tx_expire(tx, NOW - 1);
	KUNIT_EXPECT_EQ(test, tx->expired, 0);
	KUNIT_EXPECT_EQ(test, tx->vc[1].backlog, 2 + 5);
	h64_msg_tx_expire(tx, NOW);
	KUNIT_EXPECT_EQ(test, tx->expired, 3);
	KUNIT_EXPECT_EQ(test, skb_queue_len(&tx->dropped), 3);
	KUNIT_EXPECT_EQ(test, tx->vc[1].done, 2);
	KUNIT_EXPECT_EQ(test, tx->vc[1].done_bytes, 2 * (ETH_HLEN + 8) + (3 + 4) * 32);
	/* The end of the Message that had started */
	KUNIT_EXPECT_EQ(test, tx->vc[1].backlog, 1);
	KUNIT_EXPECT_EQ(test, tx->vc[2].backlog, 0);

	skb = test_old_frame(test, 1, NOW + 2 * TEST_MS, &rnd);
	KUNIT_EXPECT_EQ(test, -ENOBUFS, h64_msg_tx_queue(tx, 1, skb));
	KUNIT_EXPECT_EQ(test, tx->expired, 4);

	end->link.credit[1].avail = 10;
	KUNIT_EXPECT_EQ(test, 0, h64_msg_tx_queue(tx, 1, skb));
	h64_msg_tx_pump(tx, NOW);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_DATA);
	KUNIT_EXPECT_EQ(test, ctrl & (H64_C_TAIL | H64_C_ERROR), H64_C_TAIL | H64_C_ERROR);
	KUNIT_ASSERT_TRUE(test, test_end_sent(end, &ctrl));
	KUNIT_EXPECT_EQ(test, FIELD_GET(H64_C_TYPE, ctrl), H64_TYPE_HEADER);
	KUNIT_EXPECT_EQ(test, ctrl & (H64_C_TAIL | H64_C_ERROR), H64_C_TAIL);
	KUNIT_EXPECT_EQ(test, tx->vc[1].backlog, 0);
	KUNIT_EXPECT_EQ(test, tx->vc[1].stats.messages, 1);
	KUNIT_EXPECT_EQ(test, tx->vc[1].stats.upkts, 4);
	/* Of the two with a TAIL only one is a Message */
	h64_link_disable(&end->link);
	KUNIT_EXPECT_EQ(test, tx->unacked, 1);
	test_end_purge(end);
}

/* With credit only expired Messages are given up: the rest can be sent */
static void test_expire_with_credit(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	struct h64_msg_tx *tx = &end->tx;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	test_end_reach(test, end, H64_UP, NOW);
	end->link.credit[1].avail = 10;
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 1, test_old_frame(test, 4, NOW, &rnd)));
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 1, test_old_frame(test, 5, NOW + 1, &rnd)));
	h64_msg_tx_expire(tx, NOW);
	KUNIT_EXPECT_EQ(test, tx->expired, 1);
	KUNIT_EXPECT_EQ(test, tx->vc[1].backlog, 5);
	KUNIT_ASSERT_EQ(test, 0, h64_msg_tx_queue(tx, 1, test_old_frame(test, 1, NOW + 2, &rnd)));
	h64_msg_tx_pump(tx, NOW);
	KUNIT_EXPECT_EQ(test, tx->vc[1].stats.messages, 2);
	KUNIT_EXPECT_EQ(test, tx->vc[1].stats.upkts, 6);
	test_end_purge(end);
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_PARAM(test_vector, msg_gen_params),
	KUNIT_CASE_PARAM(test_vector_frags, msg_gen_params),
	KUNIT_CASE_PARAM(test_nested, msg_gen_params),
	KUNIT_CASE(test_limit),
	KUNIT_CASE(test_turns),
	KUNIT_CASE(test_not_up),
	KUNIT_CASE(test_expire),
	KUNIT_CASE(test_expire_with_credit),
	{}
};

static struct kunit_suite test_suite = {
	.name = "hippi6400_msg_tx",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
