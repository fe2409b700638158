/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint's reassembly, and segments for it.
 */
#ifndef _RIO9_TESTS_FEED_H
#define _RIO9_TESTS_FEED_H

#include "common.h"
#include "reassembly.h"

#define TEST_ID		0x0007
#define TEST_COS	0x80
#define TEST_STREAM	0xe181

/**
 * struct rio9_feed - a reassembly under test, and what has come to it
 * @test: the test
 * @r: the reassembly
 * @now: jiffies, as the test has them
 * @src: source of the segments
 * @channel: physical channel of the segments
 * @cos: class of the segments
 * @seen: counters of @r that the test has looked at
 * @data: where the payload of the next segment lies; behind it there is enough for any PDU
 */
struct rio9_feed {
	struct kunit *test;
	struct rio9_reassembly r;
	unsigned long now;
	u16 src;
	u8 channel;
	u8 cos;
	u64 seen[RIO9_STATS];
	u8 *data;
};

struct rio9_feed *rio9_feed_new(struct kunit *test, unsigned int mtu, unsigned int max_pdu,
				unsigned int contexts);
struct sk_buff *rio9_feed(struct rio9_feed *f, const struct rio9_packet *p);
void rio9_feed_start(struct rio9_feed *f, unsigned int len);
void rio9_feed_cont(struct rio9_feed *f, unsigned int len);
struct sk_buff *rio9_feed_end(struct rio9_feed *f, unsigned int len, u16 length);
struct sk_buff *rio9_feed_single(struct rio9_feed *f, unsigned int len);
bool rio9_feed_expire(struct rio9_feed *f, unsigned long after);

void rio9_feed_counts(struct rio9_feed *f, enum rio9_stat stat, u64 n);
void rio9_feed_nothing(struct rio9_feed *f);
void rio9_feed_good(struct rio9_feed *f, struct sk_buff *skb, const u8 *data, u32 len);
void rio9_feed_whole(struct rio9_feed *f, u32 len);

#endif
