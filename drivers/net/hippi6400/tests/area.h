/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that the tests have Messages placed in, and Messages sent by hand.
 */
#ifndef _HIPPI6400_TEST_AREA_H
#define _HIPPI6400_TEST_AREA_H

#include "pair.h"

#define TEST_PROTO	0x88b5	/* local experimental EtherType, IEEE 802 */
#define TEST_NOW	(10 * TEST_MS)
/* What every byte of the memory is before a test */
#define TEST_GUARD	0xa5

/**
 * struct test_seg - a piece of the memory
 * @at: first byte in the memory
 * @len: bytes, which do not leave the page
 * @start: payload bytes before it
 */
struct test_seg {
	u32 at;
	u32 len;
	u32 start;
};

/**
 * struct test_area - memory, and what the protocol that owns it was asked
 * @test: the test
 * @end: whose Messages are placed
 * @lock: stands for that of a port
 * @page: the memory
 * @pages: how many
 * @shadow: what has to be in it
 * @seg: where a payload goes
 * @segs: how many
 * @max_segs: room for so many
 * @len: payload bytes that @seg holds
 * @refuse: nothing is placed
 * @end_at: there is no segment from this byte on
 * @cancelled: the memory was taken back
 * @asked: times a Message might have been placed
 * @given: times it was
 * @ended: times a placement ended
 * @good: of them, with a whole Message
 * @hdr: what was seen of the last one
 * @s_ula: likewise
 * @vc: likewise
 * @msg_len: likewise
 * @only: likewise
 */
struct test_area {
	struct kunit *test;
	struct test_end *end;
	spinlock_t lock;	/* nothing: the tests are one thread */
	struct page **page;
	unsigned int pages;
	u8 *shadow;
	struct test_seg *seg;
	unsigned int segs;
	unsigned int max_segs;
	u32 len;
	bool refuse;
	u32 end_at;
	bool cancelled;
	unsigned int asked;
	unsigned int given;
	unsigned int ended;
	unsigned int good;
	u8 hdr[HIPPI6400_PLACE_HDR];
	u8 s_ula[ETH_ALEN];
	unsigned int vc;
	u32 msg_len;
	bool only;
};

/**
 * struct test_msg - a Message that a far end sends micropacket by micropacket
 * @area: where it will be placed
 * @end: whom it is sent to
 * @vc: Virtual Channel
 * @proto: EtherType
 * @d_ula: destination
 * @payload: its payload
 * @len: bytes in it
 * @m_len: what the Header says follows
 * @sent: micropackets sent
 * @ecrc: of the Message so far
 */
struct test_msg {
	struct test_area *area;
	struct test_end *end;
	unsigned int vc;
	u16 proto;
	u8 d_ula[ETH_ALEN];
	const u8 *payload;
	u32 len;
	u32 m_len;
	u32 sent;
	u16 ecrc;
};

struct test_area *test_area_alloc(struct kunit *test, struct test_end *end, unsigned int pages,
				  unsigned int max_segs);
void test_area_clear(struct test_area *area);
void test_area_add(struct test_area *area, u32 at, u32 len);
void test_area_add_run(struct test_area *area, u32 at, u32 len);
void test_area_expect(struct test_area *area, const u8 *payload, u32 len);
void test_area_freeze(struct test_area *area);
void test_area_check(struct test_area *area);
void test_area_check_outside(struct test_area *area);
void test_area_check_free(struct test_area *area);

struct test_end *test_sink(struct kunit *test);
u8 *test_bytes(struct kunit *test, u32 len, struct rnd_state *rnd);
struct test_msg test_msg(struct test_area *area, struct test_end *end, unsigned int vc,
			 const u8 *payload, u32 len);
void test_msg_upkt(struct test_msg *msg, struct h64_upkt *upkt, u64 flags);
struct sk_buff *test_msg_send(struct test_msg *msg, u32 count, u64 flags);
void test_msg_whole(struct test_msg *msg);
void test_skb_form(struct test_area *area, const struct sk_buff *skb, const u8 *payload, u32 len);

int test_placer_register(void);
void test_placer_unregister(void);

#endif
