/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for the placement of Messages, and Messages sent by hand.
 */
#ifndef _HIPPI6400_TEST_AREA_H
#define _HIPPI6400_TEST_AREA_H

#include "pair.h"

#define TEST_PROTO	0x88b5	/* local experimental EtherType, IEEE 802 */
#define TEST_NOW	(10 * TEST_MS)
/* Value of every byte of the memory before a test */
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
 * struct test_area - memory, and calls to the protocol that owns it
 * @test: the test
 * @end: the end whose Messages are placed
 * @lock: stands for the lock of a port
 * @page: the memory
 * @pages: number of pages
 * @shadow: its expected contents
 * @seg: the pieces for a payload
 * @segs: number of pieces
 * @max_segs: maximum number of pieces
 * @len: payload bytes that @seg holds
 * @refuse: nothing is placed
 * @end_at: there is no segment from this byte on
 * @cancelled: the placement was cancelled
 * @asked: number of calls of place()
 * @given: number of places given
 * @ended: number of placements that ended
 * @good: number of these with a complete Message
 * @hdr: header of the last Message
 * @s_ula: its source
 * @vc: its Virtual Channel
 * @msg_len: its length
 * @only: it was longer than a frame
 */
struct test_area {
	struct kunit *test;
	struct test_end *end;
	spinlock_t lock;	/* protects nothing: the tests are single-threaded */
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
 * @end: the receiving end
 * @vc: Virtual Channel
 * @proto: EtherType
 * @d_ula: destination
 * @payload: its payload
 * @len: bytes in it
 * @m_len: M_len of the Header
 * @sent: number of micropackets sent
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
