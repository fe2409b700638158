// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that come to a port without order, FC-VI 8.4.1 d and e: all orders of the frames of some
 * small Messages, ranges of bytes, what is missing, what comes twice.
 */
#include <linux/string.h>

#include "disconnect.h"
#include "rx.h"
#include "rx_state.h"

KUNIT_ARRAY_PARAM(test_level, test_levels, test_level_desc);

#define ANY_MSGS	4
#define ANY_FRAMES	7

/* Messages, the frames of all of them, and their Exchanges */
struct any_set {
	struct test_rx		*t;
	struct fcvi_iu		iu[ANY_MSGS];
	struct fcvi_mx		*mx[ANY_MSGS];
	unsigned int		frames[ANY_MSGS];	/* of each Message */
	unsigned int		left[ANY_MSGS];
	unsigned int		order[ANY_MSGS];	/* in which they began */
	unsigned int		nr_msgs, nr_begun, nr;
	struct any_frame {
		u8	msg;
		u8	nr;
	} frame[ANY_FRAMES];
};

static void any_add(struct any_set *s, u8 opcode, unsigned int frames, u8 flags)
{
	unsigned int i = s->nr_msgs++, j;

	s->iu[i] = test_iu(s->t, opcode, i + 1, frames * 20);
	s->iu[i].flags = flags;
	s->frames[i] = frames;
	/* Each Write has a place of its own */
	if (opcode == FCVI_WRITE_RQST)
		s->iu[i].rmt_va += i * 100;
	for (j = 0; j < frames; j++)
		s->frame[s->nr++] = (struct any_frame) { .msg = i, .nr = j };
}

static void any_frame(struct any_set *s, const struct any_frame *f)
{
	struct fcvi_iu *iu = s->iu + f->msg;
	u8 last = s->t->vi->attrs.level == FCVI_RR ? TEST_SI : TEST_LS;

	if (s->left[f->msg] == s->frames[f->msg]) {
		s->order[s->nr_begun++] = f->msg;
		s->mx[f->msg] = test_begin(s->t, iu);
		KUNIT_ASSERT_NOT_NULL(s->t->p->test, s->mx[f->msg]);
	}
	/* fc2 tells the end when all frames are there */
	s->left[f->msg]--;
	test_frame(s->t, s->mx[f->msg], iu, f->nr * 20, 20, s->left[f->msg] ? 0 : last);
}

static bool any_takes_desc(const struct fcvi_iu *iu)
{
	return iu->opcode == FCVI_SEND_RQST || iu->flags & FCVI_IMM_DATA;
}

/* Everything is where it belongs; by MSG_ID, or on Unreliable Delivery as it has begun */
static void any_check(struct any_set *s)
{
	struct test_rx *t = s->t;
	unsigned int i, desc = 0;
	const struct fcvi_iu *iu;

	for (i = 0; i < s->nr_msgs; i++) {
		iu = s->iu + (t->vi->attrs.level == FCVI_UD ? s->order[i] : i);
		if (iu->opcode == FCVI_WRITE_RQST)
			test_has(t, iu, test_memory(t) + (iu->rmt_va - TEST_VA));
		else
			test_has(t, iu, t->descs[desc].buf);
		desc += any_takes_desc(iu);
	}
	KUNIT_EXPECT_EQ(t->p->test, t->nr_posted, desc);
	KUNIT_EXPECT_EQ(t->p->test, t->next, desc);
	KUNIT_EXPECT_EQ(t->p->test, t->vi->rx.held, 0);
	KUNIT_EXPECT_EQ(t->p->test, t->vi->done_msg_id, s->iu[s->nr_msgs - 1].msg_id);
}

static void any_run(struct any_set *s)
{
	struct test_rx *t = s->t;
	unsigned int i;

	test_rx_again(t);
	memset(t->descs, 0, sizeof(t->descs[0]) * ANY_MSGS);
	memset(test_memory(t), 0, 1024);
	for (i = 0; i < s->nr_msgs; i++) {
		s->left[i] = s->frames[i];
		if (any_takes_desc(s->iu + i))
			test_post(t, 100);
	}
	s->nr_begun = 0;
	for (i = 0; i < s->nr; i++)
		any_frame(s, s->frame + i);
	any_check(s);
	for (i = 0; i < s->nr_msgs; i++)
		s->iu[i].msg_id += s->nr_msgs;
}

/* Heap's algorithm */
static void any_permute(struct any_set *s, unsigned int n)
{
	unsigned int i;

	if (n == 1) {
		any_run(s);
		return;
	}
	for (i = 0; i < n; i++) {
		any_permute(s, n - 1);
		swap(s->frame[n % 2 ? 0 : i], s->frame[n - 1]);
	}
}

static struct any_set *any_set(struct kunit *test)
{
	struct any_set *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->t = test_rx(test, test_level(test), false);
	return s;
}

/* Two Messages of three frames, in all 720 orders */
static void fcvi_any_long(struct kunit *test)
{
	struct any_set *s = any_set(test);

	any_add(s, FCVI_SEND_RQST, 3, 0);
	any_add(s, FCVI_SEND_RQST, 3, 0);
	any_permute(s, s->nr);
	KUNIT_EXPECT_EQ(test, test_stat(s->t, FCVI_MSG_RX), 720 * 2);
	test_rx_end(s->t);
}

/* Four Messages of all kinds, in all 5040 orders: a Write without Immediate Data takes nothing */
static void fcvi_any_kinds(struct kunit *test)
{
	struct any_set *s = any_set(test);

	any_add(s, FCVI_SEND_RQST, 2, 0);
	any_add(s, FCVI_WRITE_RQST, 2, 0);
	any_add(s, FCVI_WRITE_RQST, 1, FCVI_IMM_DATA);
	any_add(s, FCVI_SEND_RQST, 2, FCVI_IMM_DATA);
	any_permute(s, s->nr);
	KUNIT_EXPECT_EQ(test, test_stat(s->t, FCVI_MSG_RX), 5040 * 4);
	KUNIT_EXPECT_EQ(test, test_stat(s->t, FCVI_MSG_LOST), 0);
	test_rx_end(s->t);
}

/* All sets of three ranges of a Message of five bytes: none may have a byte of another */
static void fcvi_any_ranges(struct kunit *test)
{
	struct { u32 from, to; } r[15];
	struct test_rx *t = test_rx(test, FCVI_UD, false);
	unsigned int i, j, k, n = 0, bits;
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 5);
	struct fcvi_mx *mx;
	u32 from, to;

	for (from = 0; from < 5; from++) {
		for (to = from + 1; to <= 5; to++, n++) {
			r[n].from = from;
			r[n].to = to;
		}
	}
	for (n = 0; n < 15 * 15 * 15; n++, iu.msg_id++) {
		const unsigned int pick[] = { n % 15, n / 15 % 15, n / 15 / 15 };

		test_rx_again(t);
		test_post(t, 5);
		mx = test_begin(t, &iu);
		bits = 0;
		for (i = 0; i < 3 && t->descs[0].posted; i++) {
			from = r[pick[i]].from;
			to = r[pick[i]].to;
			k = 0;
			for (j = from; j < to; j++)
				k |= 1 << j;
			/* A last frame with which nothing is missing ends it */
			test_frame(t, mx, &iu, from, to - from, (bits | k) == 31 ? TEST_LS : 0);
			KUNIT_ASSERT_EQ_MSG(test, !t->descs[0].posted, bits & k || (bits | k) == 31,
					    "set %u, range %u", n, i);
			if (bits & k)
				test_rx_expect(t, "D:e50");
			bits |= k;
		}
		if (t->descs[0].posted)
			test_mx_over(t, mx, -EILSEQ);
		else if (container_of(mx, struct test_mx, mx)->open)
			test_mx_over(t, mx, -EILSEQ);
		else
			KUNIT_EXPECT_EQ(test, bits, 31);
	}
	test_rx_end(t);
}

/* More gaps than are remembered */
static void fcvi_any_gaps(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), false);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 200);
	struct fcvi_mx *mx = test_begin(t, &iu);
	u32 i;

	test_post(t, 200);
	for (i = 0; i < 32; i++)
		test_frame(t, mx, &iu, 199 - 2 * i, 1, 0);
	test_rx_expect(t, "");
	test_frame(t, mx, &iu, 1, 1, 0);
	test_rx_expect_by(t, "D:e50", "D:e50 =lost DISC:40", "D:e50 =lost DISC:40");
	test_rx_end(t);
}

/* A Message that does not come, FC-VI 8.4.1 e */
static void fcvi_any_missing(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), false);
	struct fcvi_iu iu;
	u32 i;

	for (i = 0; i < 8; i++)
		test_post(t, 10);
	iu = test_iu(t, FCVI_SEND_RQST, 2, 10);
	test_message(t, &iu);
	test_pass(t->p, TEST_TOV - 1);
	test_rx_expect_by(t, "D:10", "", "");
	iu.msg_id = 4;
	test_message(t, &iu);
	iu.msg_id = 1;
	test_message(t, &iu);
	test_rx_expect_by(t, "D:10 D:10", "D:10 D:10",
			  "D:10 SEND-RESP:0 D:10 SEND-RESP:0");
	/* Another one is missing, and has its own time */
	test_pass(t->p, TEST_TOV - 1);
	test_rx_expect(t, "");
	test_pass(t->p, 1);
	if (test_level(test) == FCVI_UD) {
		test_rx_expect(t, "");
		iu.msg_id = 3;
		test_message(t, &iu);
		test_rx_expect(t, "D:10");
	} else {
		test_rx_expect(t, "D:e20 D:e20 D:e20 D:e20 D:e20 D:e20 =lost DISC:40");
		KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_LOST), 1);
	}
	test_rx_end(t);
}

/* Frames that do not come, in a Message whose turn it is, and in one that waits */
static void fcvi_any_ends(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), false);
	struct fcvi_iu one = test_iu(t, FCVI_SEND_RQST, 1, 60);
	struct fcvi_iu two = test_iu(t, FCVI_SEND_RQST, 2, 60);
	struct fcvi_mx *mx[2];

	test_post(t, 60);
	test_post(t, 60);
	mx[0] = test_begin(t, &one);
	mx[1] = test_begin(t, &two);
	test_frame(t, mx[1], &two, 40, 20, 0);
	test_frame(t, mx[0], &one, 40, 20, 0);
	test_rx_expect(t, "");
	test_mx_over(t, mx[1], -EILSEQ);
	test_rx_expect_by(t, "D:e50", "D:e20 D:e20 =lost DISC:40", "D:e20 D:e20 =lost DISC:40");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_BROKEN), 1);
	test_rx_end(t);

	t = test_rx(test, test_level(test), false);
	one.handle = t->vi->handle->value;
	test_post(t, 60);
	mx[0] = test_begin(t, &one);
	test_frame(t, mx[0], &one, 40, 20, 0);
	test_mx_over(t, mx[0], -EILSEQ);
	test_rx_expect_by(t, "D:e50", "D:e50 =lost DISC:40", "D:e50 =lost DISC:40");
	test_rx_end(t);
}

/* Each Message at most once */
static void fcvi_any_twice(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), false);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	u32 i;

	for (i = 0; i < 8; i++)
		test_post(t, 10);
	test_message(t, &iu);
	test_message(t, &iu);
	iu.msg_id = 0;
	test_message(t, &iu);
	iu.msg_id = U32_MAX;
	test_message(t, &iu);
	test_rx_expect_by(t, "D:10", "D:10", "D:10 SEND-RESP:0");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_OLD), 3);
	KUNIT_EXPECT_EQ(test, t->vi->state, FCVI_CONNECTED);
	/* One that waits */
	iu.msg_id = 3;
	test_message(t, &iu);
	test_message(t, &iu);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_OLD), 4);
	test_rx_end(t);
}

/* Unreliable Delivery remembers 1024 Messages */
static void fcvi_any_window(struct kunit *test)
{
	struct test_rx *t = test_rx(test, FCVI_UD, false);
	struct fcvi_iu iu = test_iu(t, FCVI_WRITE_RQST, 1, 4);
	static const struct {
		u32 msg_id;
		unsigned int rx, old, lost;
	} steps[] = {
		{ 1, 1, 0, 0 }, { 3, 2, 0, 0 }, { 1025, 3, 0, 0 }, { 2, 4, 0, 0 }, { 2, 4, 1, 0 },
		/* 2 and 3 fall out of it; 4 does not come any more */
		{ 1027, 5, 1, 0 }, { 1028, 6, 1, 1 }, { 4, 6, 2, 1 }, { 5, 7, 2, 1 },
		/* 6 to 1024, 1026, and 1029 to 8976 */
		{ 10000, 8, 2, 8969 }, { 8976, 8, 3, 8969 }, { 8977, 9, 3, 8969 },
		{ 9999, 10, 3, 8969 }, { 9999, 10, 4, 8969 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		iu.msg_id = steps[i].msg_id;
		test_alone(t, &iu);
		KUNIT_EXPECT_EQ_MSG(test, test_stat(t, FCVI_MSG_RX), steps[i].rx, "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, test_stat(t, FCVI_MSG_OLD), steps[i].old, "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, test_stat(t, FCVI_MSG_LOST), steps[i].lost, "step %u", i);
	}
	test_rx_expect(t, "");
	test_rx_end(t);
}

static struct kunit_case fcvi_any_cases[] = {
	KUNIT_CASE_PARAM(fcvi_any_long, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_any_kinds, test_level_gen_params),
	KUNIT_CASE(fcvi_any_ranges),
	KUNIT_CASE_PARAM(fcvi_any_gaps, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_any_missing, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_any_ends, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_any_twice, test_level_gen_params),
	KUNIT_CASE(fcvi_any_window),
	{}
};

static struct kunit_suite fcvi_any_suite = {
	.name		= "fcvi_any",
	.test_cases	= fcvi_any_cases,
};

kunit_test_suites(&fcvi_any_suite);
