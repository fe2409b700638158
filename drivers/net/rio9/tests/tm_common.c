// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic management without a port, with a clock that stands still.
 */
#include <linux/string.h>

#include "tm_common.h"

#define TEST_SAID	2048

static u64 test_now(struct rio9_port *port)
{
	return ((struct test_tm *)port)->now;
}

static void test_kick(struct rio9_port *port)
{
	struct test_tm *t = (struct test_tm *)port;

	/* Nothing is called with the lock held */
	lockdep_assert_not_held(&t->tm.lock);
	t->kicks++;
}

static bool test_event(struct rio9_port *port, const struct rio9_tm_user *msg)
{
	struct test_tm *t = (struct test_tm *)port;

	if (t->alone)
		return false;
	t->events++;
	t->last = *msg;
	return true;
}

static const struct rio9_tm_ops test_ops = {
	.now = test_now, .kick = test_kick, .event = test_event,
};

static void test_tm_free(void *data)
{
	struct test_tm *t = data;

	rio9_tm_destroy(&t->tm);
}

/* With two peers that are known */
struct test_tm *test_tm(struct kunit *test, u8 mode)
{
	static const u8 channels[] = { RIO9_FLOW_A, RIO9_FLOW_B, RIO9_FLOW_C, RIO9_FLOW_E };
	struct test_tm *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->test = test;
	t->now = NSEC_PER_SEC;
	rio9_tm_init(&t->tm, &test_ops, (struct rio9_port *)t, channels, false);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_tm_free, t));
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_add_peer(&t->tm, TEST_PEER));
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_add_peer(&t->tm, TEST_OTHER));
	KUNIT_ASSERT_EQ(test, 0, rio9_tm_set_mode(&t->tm, mode));
	return t;
}

void test_tm_rx(struct test_tm *t, u16 src, struct rio9_tm_q q, u8 op, u8 param1, u8 param2)
{
	const struct rio9_packet p = {
		.src = src, .kind = RIO9_TM, .cos = q.cos, .stream = q.stream,
		.tm = {
			.op = op, .wildcard = q.wildcard, .mask = q.mask, .param1 = param1,
			.param2 = param2,
		},
	};

	rio9_tm_rx(&t->tm, &p, t->now);
}

static struct rio9_pdu test_pdu(u16 peer, u8 cos, u16 stream)
{
	static const u8 channels[] = { RIO9_FLOW_A, RIO9_FLOW_B, RIO9_FLOW_C, RIO9_FLOW_E };

	return (struct rio9_pdu) {
		.peer = peer, .cos = cos, .stream = stream, .channel = channels[cos >> 6],
	};
}

bool test_tm_may(struct test_tm *t, u16 peer, u8 cos, u16 stream)
{
	const struct rio9_pdu pdu = test_pdu(peer, cos, stream);
	u64 again;

	return rio9_tm_may_send(&t->tm, &pdu, 1000, t->now, &again);
}

bool test_tm_send(struct test_tm *t, u16 peer, u8 cos, u16 stream, unsigned int len)
{
	const struct rio9_pdu pdu = test_pdu(peer, cos, stream);
	u64 again;

	if (!rio9_tm_may_send(&t->tm, &pdu, len, t->now, &again))
		return false;
	rio9_tm_sent(&t->tm, &pdu, len, t->now);
	return true;
}

void test_tm_voq(struct test_tm *t, u16 peer, u8 cos, u16 stream, u8 fill, bool blocked)
{
	const struct rio9_pdu pdu = test_pdu(peer, cos, stream);

	rio9_tm_voq(&t->tm, &pdu, fill, blocked);
}

void test_tm_later(struct test_tm *t, u64 ns)
{
	t->now += ns;
	rio9_tm_tick(&t->tm, t->now);
}

/*
 * What was said: for each message the destination, wildcard, mask, cos, streamID, TM OP and
 * parameters, those of flow A first
 */
void test_tm_expect(struct test_tm *t, const char *expect)
{
	char *said = kunit_kzalloc(t->test, TEST_SAID, GFP_KERNEL);
	struct rio9_packet p;
	unsigned int channel, n = 0;

	KUNIT_ASSERT_NOT_NULL(t->test, said);
	for (channel = 0; channel < RIO9_CHANNELS; channel++) {
		while (rio9_tm_pop(&t->tm, channel, &p)) {
			n += scnprintf(said + n, TEST_SAID - n,
				       "%s%u %x/%02x %02x %x: %x %02x %02x", n ? ", " : "",
				       p.dst, p.tm.wildcard, p.tm.mask, p.cos, p.stream, p.tm.op,
				       p.tm.param1, p.tm.param2);
			KUNIT_EXPECT_EQ(t->test, p.channel, channel);
			KUNIT_EXPECT_EQ(t->test, test_pdu(0, p.cos, 0).channel, channel);
			KUNIT_EXPECT_EQ(t->test, p.kind, RIO9_TM);
		}
	}
	KUNIT_EXPECT_STREQ(t->test, said, expect);
	kunit_kfree(t->test, said);
}
