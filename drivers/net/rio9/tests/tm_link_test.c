// SPDX-License-Identifier: GPL-2.0
/*
 * Two ends that obey each other over a link that loses and doubles.
 */
#include "tm_common.h"

/* PDUs that wait at first for each class, and how many an egress queue takes */
#define TEST_BACKLOG	200
#define TEST_ROOM	RIO9_TM_VIQ_PDUS
#define TEST_STEP	NSEC_PER_MSEC
/* Steps in which users are lazy: a minute */
#define TEST_LAZY	60000
#define TEST_LEN	500

static const u8 test_classes[] = { 0x00, 0x05, 0x41, 0x83, 0xc0 };

#define TEST_CLASSES	ARRAY_SIZE(test_classes)

/**
 * struct test_end - one end
 * @t: its traffic management
 * @waits: PDUs that wait, by class
 * @queued: PDUs that came and were not fetched, by class
 * @fetched: PDUs that were, by class
 * @dropped: PDUs for which there was no room
 * @room: users have it, by class
 */
struct test_end {
	struct test_tm *t;
	unsigned int waits[TEST_CLASSES];
	unsigned int queued[TEST_CLASSES];
	unsigned int fetched[TEST_CLASSES];
	unsigned int dropped;
	bool room[TEST_CLASSES];
};

static u8 test_fill(unsigned int n, unsigned int of)
{
	return min(DIV_ROUND_UP(n * 255, of), 255);
}

static struct rio9_pdu test_pdu(unsigned int class)
{
	static const u8 channels[] = { RIO9_FLOW_A, RIO9_FLOW_B, RIO9_FLOW_C, RIO9_FLOW_E };

	return (struct rio9_pdu) {
		.peer = TEST_PEER, .cos = test_classes[class], .stream = class,
		.channel = channels[test_classes[class] >> 6],
	};
}

static void test_messages(struct test_end *from, struct test_end *to, u8 channel, u32 loss,
			  struct rnd_state *rnd)
{
	struct rio9_packet p;
	u32 luck;

	while (rio9_tm_pop(&from->t->tm, channel, &p)) {
		luck = rio9_test_range(rnd, 1, 100);
		p.src = TEST_PEER;
		if (luck <= loss)
			continue;
		rio9_tm_rx(&to->t->tm, &p, to->t->now);
		if (luck <= 2 * loss)
			rio9_tm_rx(&to->t->tm, &p, to->t->now);
	}
}

static void test_deliver(struct test_end *to, unsigned int class)
{
	const struct rio9_pdu pdu = test_pdu(class);

	if (to->queued[class] < TEST_ROOM)
		to->queued[class]++;
	else
		to->dropped++;
	rio9_tm_viq(&to->t->tm, TEST_PEER, pdu.cos, test_fill(to->queued[class], TEST_ROOM));
	rio9_tm_came(&to->t->tm, &pdu);
}

static void test_transmit(struct test_end *from, struct test_end *to, u32 loss,
			  struct rnd_state *rnd)
{
	unsigned int class, i;
	u64 again;

	for (class = 0; class < TEST_CLASSES; class++) {
		const struct rio9_pdu pdu = test_pdu(class);

		test_messages(from, to, pdu.channel, loss, rnd);
		for (i = 0; i < 4 && from->waits[class]; i++) {
			bool may = rio9_tm_may_send(&from->t->tm, &pdu, TEST_LEN, from->t->now,
						    &again);

			test_messages(from, to, pdu.channel, loss, rnd);
			if (may) {
				from->waits[class]--;
				if (rio9_test_range(rnd, 1, 100) > loss)
					test_deliver(to, class);
				rio9_tm_sent(&from->t->tm, &pdu, TEST_LEN, from->t->now);
			}
			rio9_tm_voq(&from->t->tm, &pdu,
				    test_fill(from->waits[class], TEST_BACKLOG), !may);
			test_messages(from, to, pdu.channel, loss, rnd);
			if (!may)
				break;
		}
	}
}

/* Users fetch now and then, and have no room now and then; one of them does nothing */
static void test_fetch(struct test_end *end, bool lazy, unsigned int stuck,
		       struct rnd_state *rnd)
{
	unsigned int class;

	for (class = 0; class < TEST_CLASSES; class++) {
		struct rio9_pdu pdu = test_pdu(class);
		bool room = class != stuck && (!lazy || rio9_test_range(rnd, 0, 9));

		if (room != end->room[class])
			rio9_tm_user_room(&end->t->tm, &pdu, room);
		end->room[class] = room;
		if (!end->queued[class] || class == stuck || (lazy && rio9_test_range(rnd, 0, 3)))
			continue;
		end->queued[class]--;
		end->fetched[class]++;
		rio9_tm_viq(&end->t->tm, TEST_PEER, pdu.cos,
			    test_fill(end->queued[class], TEST_ROOM));
	}
}

static bool test_done(const struct test_end *end)
{
	unsigned int class, left = 0;

	for (class = 0; class < TEST_CLASSES; class++)
		left += end->waits[class] + end->queued[class];
	return !left;
}

/* Who does not read stops one class and nobody else */
static void test_stuck(struct kunit *test, struct test_end *ends, unsigned int stuck)
{
	unsigned int i, class;

	for (i = 0; i < 2; i++) {
		for (class = 0; class < TEST_CLASSES; class++)
			KUNIT_EXPECT_EQ_MSG(test, !ends[i].waits[class], class != stuck,
					    "end %u, class %02x", i, test_classes[class]);
		KUNIT_EXPECT_LE(test, ends[i].queued[stuck], TEST_ROOM);
	}
}

/* @stuck: nobody reads this class for a minute */
static void test_run(struct kunit *test, u8 mode, u32 loss, unsigned int stuck)
{
	struct test_end *ends = kunit_kcalloc(test, 2, sizeof(*ends), GFP_KERNEL);
	unsigned int i, class, step;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, ends);
	rio9_test_seed(test, &rnd);
	for (i = 0; i < 2; i++) {
		ends[i].t = test_tm(test, mode);
		for (class = 0; class < TEST_CLASSES; class++) {
			ends[i].waits[class] = TEST_BACKLOG;
			ends[i].room[class] = true;
		}
	}
	/* Nothing hangs for longer than two more minutes */
	for (step = 0; step < 3 * TEST_LAZY; step++) {
		if (test_done(&ends[0]) && test_done(&ends[1]))
			break;
		for (i = 0; i < 2; i++) {
			test_tm_later(ends[i].t, TEST_STEP);
			test_transmit(&ends[i], &ends[!i], loss, &rnd);
			test_fetch(&ends[i], step < TEST_LAZY,
				   step < TEST_LAZY ? stuck : TEST_CLASSES, &rnd);
		}
		if (step == TEST_LAZY)
			test_stuck(test, ends, stuck);
		if (step % 1024 == 0)
			cond_resched();
	}
	for (i = 0; i < 2; i++) {
		for (class = 0; class < TEST_CLASSES; class++)
			KUNIT_EXPECT_EQ_MSG(test, ends[i].waits[class], 0,
					    "mode %u, end %u, class %02x, after %u", mode, i,
					    test_classes[class], step);
		if (!loss)
			KUNIT_EXPECT_EQ(test, ends[i].dropped, 0);
		/* Whoever has a credit finds room */
		if (mode >= RIO9_TM_CREDIT)
			KUNIT_EXPECT_EQ_MSG(test, ends[i].dropped, 0, "mode %u", mode);
	}
	kunit_info(test, "mode %u, loss %u %%: %u ms\n", mode, loss, step);
}

static void test_clean(struct kunit *test)
{
	u8 mode;

	for (mode = RIO9_TM_BASIC; mode <= RIO9_TM_CREDIT_RATE; mode++)
		test_run(test, mode, 0, TEST_CLASSES);
}

static void test_lossy(struct kunit *test)
{
	u8 mode;

	for (mode = RIO9_TM_BASIC; mode <= RIO9_TM_CREDIT_RATE; mode++) {
		test_run(test, mode, 2, TEST_CLASSES);
		test_run(test, mode, 30, TEST_CLASSES);
	}
}

/* Classes 00 and 05 are in one flow */
static void test_unread(struct kunit *test)
{
	u8 mode;

	for (mode = RIO9_TM_BASIC; mode <= RIO9_TM_CREDIT_RATE; mode++) {
		test_run(test, mode, 0, 1);
		test_run(test, mode, 10, 1);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_SLOW(test_clean),
	KUNIT_CASE_SLOW(test_lossy),
	KUNIT_CASE_SLOW(test_unread),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_tm_link",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
