// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the placement of Messages, and Messages sent by hand.
 */

#include <linux/etherdevice.h>
#include <linux/vmalloc.h>

#include "area.h"

static bool test_placer_place(const struct hippi6400_msg *msg, struct hippi6400_place *place)
{
	struct test_area *area = netdev_priv(msg->dev);

	area->asked++;
	memcpy(area->hdr, msg->hdr, sizeof(area->hdr));
	ether_addr_copy(area->s_ula, msg->s_ula);
	area->vc = msg->vc;
	area->msg_len = msg->len;
	area->only = msg->only;
	if (area->refuse)
		return false;
	area->given++;
	place->priv = area;
	place->cancelled = &area->cancelled;
	return true;
}

static bool test_placer_segment(const struct hippi6400_place *place, u32 pos, struct bio_vec *seg)
{
	const struct test_area *area = place->priv;
	unsigned int lo = 0, hi = area->segs;
	const struct test_seg *s;
	u32 at;

	KUNIT_EXPECT_FALSE(area->test, area->cancelled);
	if (pos >= area->end_at || pos >= area->len) {
		/* No place, reported in either form */
		bvec_set_page(seg, area->page[0], 0, 0);
		return pos % 2;
	}
	while (hi - lo > 1) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (area->seg[mid].start <= pos)
			lo = mid;
		else
			hi = mid;
	}
	s = &area->seg[lo];
	at = s->at + (pos - s->start);
	bvec_set_page(seg, area->page[at / PAGE_SIZE],
		      min(s->len - (pos - s->start), area->end_at - pos), at % PAGE_SIZE);
	return true;
}

static void test_placer_end(const struct hippi6400_place *place, bool good)
{
	struct test_area *area = place->priv;

	area->ended++;
	area->good += good;
}

static struct hippi6400_placer test_placer = {
	.proto = cpu_to_be16(TEST_PROTO),
	.place = test_placer_place,
	.segment = test_placer_segment,
	.end = test_placer_end,
};

/**
 * test_placer_register - have Messages of TEST_PROTO placed
 *
 * Return: 0 or an error.
 */
int test_placer_register(void)
{
	return hippi6400_register_placer(&test_placer);
}

/**
 * test_placer_unregister - undo test_placer_register()
 */
void test_placer_unregister(void)
{
	hippi6400_unregister_placer(&test_placer);
}

static void test_area_free(void *data)
{
	struct net_device *dev = data;
	struct test_area *area = netdev_priv(dev);
	unsigned int i;

	if (area->end)
		h64_place_detach(&area->end->rx);
	for (i = 0; area->page && i < area->pages && area->page[i]; i++)
		put_page(area->page[i]);
	vfree(area->page);
	vfree(area->seg);
	vfree(area->shadow);
	free_netdev(dev);
}

/**
 * test_area_alloc - allocate memory for the placement of an end's Messages
 * @test: the test, at whose end it is freed
 * @end: the end, which gets a netdev
 * @pages: size of the memory
 * @max_segs: pieces that payloads may be cut into
 *
 * Return: the area, without any place in it yet.
 */
struct test_area *test_area_alloc(struct kunit *test, struct test_end *end, unsigned int pages,
				  unsigned int max_segs)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct test_area));
	struct test_area *area;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	eth_hw_addr_set(dev, (const u8[]){ 2, 0x64, 0, 0, 0, 9 });
	area = netdev_priv(dev);
	area->test = test;
	area->pages = pages;
	area->max_segs = max_segs;
	area->page = vcalloc(pages, sizeof(*area->page));
	area->seg = vcalloc(max_segs, sizeof(*area->seg));
	area->shadow = vmalloc(pages * PAGE_SIZE);
	for (i = 0; area->page && i < pages; i++)
		area->page[i] = alloc_page(GFP_KERNEL);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_area_free, dev));
	KUNIT_ASSERT_TRUE(test, area->page && area->seg && area->shadow && area->page[pages - 1]);
	end->rx.dev = dev;
	area->end = end;
	spin_lock_init(&area->lock);
	h64_place_attach(&end->rx, &area->lock);
	test_area_clear(area);
	return area;
}

/**
 * test_area_clear - reset guard bytes, places and counters
 * @area: the area
 */
void test_area_clear(struct test_area *area)
{
	unsigned int i;

	for (i = 0; i < area->pages; i++)
		memset(page_address(area->page[i]), TEST_GUARD, PAGE_SIZE);
	memset(area->shadow, TEST_GUARD, area->pages * PAGE_SIZE);
	area->segs = 0;
	area->len = 0;
	area->refuse = false;
	area->end_at = U32_MAX;
	area->cancelled = false;
	area->asked = 0;
	area->given = 0;
	area->ended = 0;
	area->good = 0;
}

/**
 * test_area_add - add a place
 * @area: the area
 * @at: first byte in the memory
 * @len: bytes, inside a page
 */
void test_area_add(struct test_area *area, u32 at, u32 len)
{
	KUNIT_ASSERT_LT(area->test, area->segs, area->max_segs);
	KUNIT_ASSERT_LE(area->test, at % PAGE_SIZE + len, PAGE_SIZE);
	KUNIT_ASSERT_LE(area->test, at + len, area->pages * PAGE_SIZE);
	area->seg[area->segs++] = (struct test_seg){ at, len, area->len };
	area->len += len;
}

/**
 * test_area_add_run - add places for contiguous bytes
 * @area: the area
 * @at: first byte in the memory
 * @len: bytes
 */
void test_area_add_run(struct test_area *area, u32 at, u32 len)
{
	u32 n;

	for (; len; len -= n) {
		n = min_t(u32, len, PAGE_SIZE - at % PAGE_SIZE);
		test_area_add(area, at, n);
		at += n;
	}
}

/**
 * test_area_expect - expect a payload in its places
 * @area: the area
 * @payload: the payload
 * @len: bytes of it
 */
void test_area_expect(struct test_area *area, const u8 *payload, u32 len)
{
	unsigned int i;
	u32 n;

	for (i = 0; i < area->segs && len; i++) {
		n = min(len, area->seg[i].len);
		memcpy(area->shadow + area->seg[i].at, payload, n);
		payload += n;
		len -= n;
	}
}

/**
 * test_area_freeze - expect no further change
 * @area: the area
 */
void test_area_freeze(struct test_area *area)
{
	unsigned int i;

	for (i = 0; i < area->pages; i++)
		memcpy(area->shadow + i * PAGE_SIZE, page_address(area->page[i]), PAGE_SIZE);
}

/**
 * test_area_check - check every byte of the memory
 * @area: the area
 */
void test_area_check(struct test_area *area)
{
	unsigned int i;

	for (i = 0; i < area->pages; i++)
		KUNIT_ASSERT_MEMEQ(area->test, (u8 *)page_address(area->page[i]),
				   area->shadow + i * PAGE_SIZE, PAGE_SIZE);
}

/**
 * test_area_check_outside - check that bytes outside the places are unchanged
 * @area: the area
 */
void test_area_check_outside(struct test_area *area)
{
	unsigned int i;

	/* Bytes inside may have any value */
	for (i = 0; i < area->segs; i++) {
		const struct test_seg *s = &area->seg[i];

		memcpy(area->shadow + s->at,
		       page_address(area->page[s->at / PAGE_SIZE]) + s->at % PAGE_SIZE, s->len);
	}
	test_area_check(area);
}

/**
 * test_area_check_free - check that no page is held any more
 * @area: the area
 */
void test_area_check_free(struct test_area *area)
{
	unsigned int i;

	/* As a port does after it has dropped its lock */
	test_end_purge(area->end);
	for (i = 0; i < area->pages; i++)
		KUNIT_ASSERT_EQ(area->test, page_count(area->page[i]), 1);
	KUNIT_EXPECT_EQ(area->test, area->given, area->ended);
}

/**
 * test_sink - an end that is up and has granted credit without limit
 * @test: the test, at whose end it is freed
 *
 * Return: the end.
 */
struct test_end *test_sink(struct kunit *test)
{
	struct test_end *end = test_end_alloc(test);
	unsigned int vc;

	test_end_reach(test, end, H64_UP, TEST_NOW);
	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		end->link.credit[vc].room = 0;
		end->link.credit[vc].out = U32_MAX;
	}
	return end;
}

static void test_vfree(void *data)
{
	vfree(data);
}

/**
 * test_bytes - random bytes
 * @test: the test, at whose end they are freed
 * @len: how many
 * @rnd: random state
 *
 * Return: the bytes.
 */
u8 *test_bytes(struct kunit *test, u32 len, struct rnd_state *rnd)
{
	u8 *bytes = vmalloc(len);

	KUNIT_ASSERT_NOT_NULL(test, bytes);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_vfree, bytes));
	prandom_bytes_state(rnd, bytes, len);
	return bytes;
}

/**
 * test_msg - prepare a Message
 * @area: where it is placed
 * @end: the receiving end
 * @vc: Virtual Channel
 * @payload: the payload
 * @len: bytes in it
 *
 * Return: the Message, of which nothing has been sent.
 */
struct test_msg test_msg(struct test_area *area, struct test_end *end, unsigned int vc,
			 const u8 *payload, u32 len)
{
	struct test_msg msg = {
		.area = area,
		.end = end,
		.vc = vc,
		.proto = TEST_PROTO,
		.payload = payload,
		.len = len,
		.m_len = H64_SNAP_LEN + len,
	};

	ether_addr_copy(msg.d_ula, end->rx.dev->dev_addr);
	return msg;
}

/**
 * test_msg_upkt - make the next micropacket of a Message
 * @msg: the Message; only test_msg_send() advances it
 * @upkt: the micropacket
 * @flags: control bits to add
 */
void test_msg_upkt(struct test_msg *msg, struct h64_upkt *upkt, u64 flags)
{
	u8 type = msg->sent ? H64_TYPE_DATA : H64_TYPE_HEADER;
	u8 data[H64_UPKT_DATA] = {};

	if (msg->sent) {
		u32 at = H64_HDR_PAYLOAD + (msg->sent - 1) * H64_UPKT_DATA;

		if (at < msg->len)
			memcpy(data, msg->payload + at, min_t(u32, msg->len - at, sizeof(data)));
	} else {
		struct h64_msg_hdr *hdr = (struct h64_msg_hdr *)data;

		ether_addr_copy(hdr->d_ula, msg->d_ula);
		memcpy(hdr->s_ula, "\2\x64\1\2\3\4", ETH_ALEN);
		hdr->m_len = cpu_to_be32(msg->m_len);
		memcpy(hdr->snap, h64_snap, sizeof(hdr->snap));
		hdr->proto = cpu_to_be16(msg->proto);
		memcpy(hdr->payload, msg->payload, min_t(u32, msg->len, H64_HDR_PAYLOAD));
		msg->ecrc = H64_CRC_PRESET;
	}
	if (msg->sent + 1 == h64_msg_upkts(msg->len))
		flags |= H64_C_TAIL;
	test_upkt(upkt, FIELD_PREP(H64_C_VC, msg->vc) | FIELD_PREP(H64_C_TYPE, type) |
		  FIELD_PREP(H64_C_TSEQ, msg->end->link.dst.expect) |
		  FIELD_PREP(H64_C_RSEQ, H64_SEQ_NONE) | flags, data, &msg->ecrc);
}

/**
 * test_msg_send - send the next micropackets of a Message
 * @msg: the Message
 * @count: number of micropackets; all remaining ones if there are fewer
 * @flags: control bits to add
 *
 * Return: the Message as it is delivered, or NULL.
 */
struct sk_buff *test_msg_send(struct test_msg *msg, u32 count, u64 flags)
{
	struct kunit *test = msg->area->test;
	struct sk_buff *skb = NULL;
	struct h64_upkt upkt;

	count = min(count, h64_msg_upkts(msg->len) - msg->sent);
	while (count--) {
		KUNIT_EXPECT_NULL(test, skb);
		test_msg_upkt(msg, &upkt, flags);
		skb = test_end_rx(msg->end, &upkt, TEST_NOW);
		msg->sent++;
	}
	return skb;
}

/**
 * test_skb_form - check the form of a delivered placed Message
 * @area: where it was placed
 * @skb: the skb
 * @payload: its payload
 * @len: bytes in it
 */
void test_skb_form(struct test_area *area, const struct sk_buff *skb, const u8 *payload, u32 len)
{
	struct kunit *test = area->test;
	const struct sk_buff *part = skb;
	u32 at = 0, nr = 0;

	KUNIT_ASSERT_EQ(test, skb->len, ETH_HLEN + len);
	KUNIT_ASSERT_EQ(test, skb_headlen(skb), ETH_HLEN + HIPPI6400_PLACE_HDR);
	KUNIT_EXPECT_MEMEQ(test, skb->data + ETH_HLEN, payload, HIPPI6400_PLACE_HDR);
	KUNIT_EXPECT_TRUE(test, H64_SKB_CB(skb)->placed);
	KUNIT_EXPECT_FALSE(test, skb->pp_recycle);
	while (part) {
		u32 i;

		for (i = 0; i < skb_shinfo(part)->nr_frags; i++, nr++) {
			const skb_frag_t *frag = &skb_shinfo(part)->frags[i];
			const struct test_seg *s = &area->seg[nr];

			KUNIT_ASSERT_PTR_EQ(test, skb_frag_page(frag),
					    area->page[s->at / PAGE_SIZE]);
			KUNIT_ASSERT_EQ(test, skb_frag_off(frag), s->at % PAGE_SIZE);
			at += skb_frag_size(frag);
		}
		part = part == skb ? skb_shinfo(skb)->frag_list : part->next;
	}
	KUNIT_EXPECT_EQ(test, at, len - HIPPI6400_PLACE_HDR);
}

/**
 * test_msg_whole - send a whole Message, and check that it was placed
 * @msg: the Message, of which nothing has been sent
 */
void test_msg_whole(struct test_msg *msg)
{
	struct test_area *area = msg->area;
	struct kunit *test = area->test;
	struct sk_buff *skb;

	skb = test_msg_send(msg, U32_MAX, 0);
	KUNIT_ASSERT_NOT_NULL_MSG(test, skb, "%u bytes", msg->len);
	test_area_expect(area, msg->payload + HIPPI6400_PLACE_HDR,
			 msg->len - HIPPI6400_PLACE_HDR);
	test_area_check(area);
	test_skb_form(area, skb, msg->payload, msg->len);
	KUNIT_EXPECT_EQ(test, area->good, area->ended);
	kfree_skb(skb);
	test_area_check_free(area);
}
