/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic management without a port, with a clock that stands still.
 */
#ifndef _RIO9_TESTS_TM_COMMON_H
#define _RIO9_TESTS_TM_COMMON_H

#include "common.h"
#include "tm_engine.h"
#include "tm_in.h"
#include "tm_out.h"
#include "tm_say.h"
#include "tm_user.h"

/* The peer, and another that is known */
#define TEST_PEER	21
#define TEST_OTHER	22

/**
 * struct test_tm - traffic management of a port that is not there
 * @tm: it
 * @test: who uses it
 * @now: its time
 * @kicks: how often its transmitter was woken
 * @alone: nobody listens
 * @events: events that listeners got
 * @last: the newest of them
 */
struct test_tm {
	struct rio9_tm_state tm;
	struct kunit *test;
	u64 now;
	unsigned int kicks;
	bool alone;
	unsigned int events;
	struct rio9_tm_user last;
};

struct test_tm *test_tm(struct kunit *test, u8 mode);
void test_tm_rx(struct test_tm *t, u16 src, struct rio9_tm_q q, u8 op, u8 param1, u8 param2);
bool test_tm_may(struct test_tm *t, u16 peer, u8 cos, u16 stream);
bool test_tm_send(struct test_tm *t, u16 peer, u8 cos, u16 stream, unsigned int len);
void test_tm_voq(struct test_tm *t, u16 peer, u8 cos, u16 stream, u8 fill, bool blocked);
void test_tm_later(struct test_tm *t, u64 ns);
void test_tm_expect(struct test_tm *t, const char *expect);

/* Operands: one stream, a class, a group of classes, all for the peer, all */
static inline struct rio9_tm_q test_stream(u8 cos, u16 stream)
{
	return (struct rio9_tm_q) { .cos = cos, .stream = stream };
}

static inline struct rio9_tm_q test_group(u8 cos, u8 mask)
{
	return (struct rio9_tm_q) { .wildcard = 1, .cos = cos, .mask = mask };
}

static inline struct rio9_tm_q test_class(u8 cos)
{
	return test_group(cos, 0);
}

static inline struct rio9_tm_q test_all(void)
{
	return (struct rio9_tm_q) { .wildcard = 3 };
}

static inline struct rio9_tm_q test_any(void)
{
	return (struct rio9_tm_q) { .wildcard = 7 };
}

/* Messages of the egress, TM OP 0, 1 and 2 */
static inline void test_xoff(struct test_tm *t, u16 src, struct rio9_tm_q q)
{
	test_tm_rx(t, src, q, 0, 0x00, 0x00);
}

static inline void test_xon(struct test_tm *t, u16 src, struct rio9_tm_q q)
{
	test_tm_rx(t, src, q, 0, 0x00, 0xff);
}

static inline void test_rate(struct test_tm *t, struct rio9_tm_q q, u8 param1, u8 param2)
{
	test_tm_rx(t, TEST_PEER, q, 1, param1, param2);
}

static inline void test_allocate(struct test_tm *t, struct rio9_tm_q q, u8 unit, u8 n)
{
	test_tm_rx(t, TEST_PEER, q, 2, 0x10 | unit, n);
}

static inline void test_status(struct test_tm *t, struct rio9_tm_q q, u8 unit, u8 n)
{
	test_tm_rx(t, TEST_PEER, q, 2, 0x20 | unit, n);
}

/* How often something was counted */
static inline void test_stat_is(struct test_tm *t, enum rio9_stat stat, u64 n)
{
	KUNIT_EXPECT_EQ_MSG(t->test, t->tm.stats[stat], n, "counter %u", stat);
}

#endif
