// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Sequences that arrive: which frames are taken, and what is complete with them.
 */
#include <kunit/test.h>
#include <linux/fc2.h>

#include "seq_rx.h"
#include "wire.h"

#define END	FC2_SEND_END_SEQ
#define LAST	(FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ)
#define GIVE	(FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE)

#define SEQ_FRAMES	24

typedef int seq_take(struct fc2_seq_rx *rx, const struct fc2_seq_frame *frame, u8 *complete);

/**
 * struct seq_step - a frame, and what becomes of it
 * @cnt: SEQ_CNT
 * @flags: of the frame
 * @err: what is returned
 * @complete: what is complete
 */
struct seq_step {
	u16	cnt;
	u8	flags;
	int	err;
	u8	complete;
};

/**
 * struct test_seq - frames that arrive
 * @name: what happens
 * @take: with order or without
 * @next: SEQ_CNT that comes first
 * @count: how many steps
 * @steps: the frames
 */
struct test_seq {
	const char	*name;
	seq_take	*take;
	u32		next;
	unsigned int	count;
	struct seq_step	steps[8];
};

static const struct test_seq test_seqs[] = {
	{ "in order: one frame", fc2_seq_take_ordered, 0, 1, {
		{ 0, LAST, 0, LAST } } },
	{ "in order: a Sequence", fc2_seq_take_ordered, 0, 3, {
		{ 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 2, LAST, 0, LAST } } },
	{ "in order: SEQ_CNT goes on in the next Sequence", fc2_seq_take_ordered, 0, 4, {
		{ 0, 0, 0, 0 }, { 1, END, 0, END }, { 2, 0, 0, 0 }, { 3, GIVE, 0, GIVE } } },
	{ "in order: SEQ_CNT begins anew", fc2_seq_take_ordered, 0, 3, {
		{ 0, 0, 0, 0 }, { 1, END, 0, END }, { 0, 0, -EILSEQ, 0 } } },
	{ "in order: wrap", fc2_seq_take_ordered, 65535, 3, {
		{ 65535, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, LAST, 0, LAST } } },
	{ "in order: one is missing", fc2_seq_take_ordered, 0, 2, {
		{ 0, 0, 0, 0 }, { 2, 0, -EILSEQ, 0 } } },
	{ "in order: one comes twice", fc2_seq_take_ordered, 0, 2, {
		{ 0, 0, 0, 0 }, { 0, 0, -EILSEQ, 0 } } },
	{ "in order: the first is not 0", fc2_seq_take_ordered, 0, 1, {
		{ 1, 0, -EILSEQ, 0 } } },
	{ "any order: one frame", fc2_seq_take_any, 0, 1, {
		{ 0, LAST, 0, LAST } } },
	{ "any order: last one first", fc2_seq_take_any, 0, 3, {
		{ 2, LAST, 0, 0 }, { 1, 0, 0, 0 }, { 0, 0, 0, LAST } } },
	{ "any order: two Sequences", fc2_seq_take_any, 0, 4, {
		{ 2, 0, 0, 0 }, { 3, LAST, 0, 0 }, { 1, END, 0, 0 }, { 0, 0, 0, LAST } } },
	{ "any order: the end of the first Sequence completes nothing", fc2_seq_take_any, 0, 2, {
		{ 0, 0, 0, 0 }, { 1, END, 0, 0 } } },
	{ "any order: Sequence Initiative comes back", fc2_seq_take_any, 0, 4, {
		{ 1, GIVE, 0, 0 }, { 0, 0, 0, GIVE }, { 3, LAST, 0, 0 }, { 2, 0, 0, LAST } } },
	{ "any order: a double of what was next", fc2_seq_take_any, 0, 3, {
		{ 0, 0, 0, 0 }, { 0, 0, -EEXIST, 0 }, { 1, LAST, 0, LAST } } },
	{ "any order: doubles of what is ahead", fc2_seq_take_any, 0, 7, {
		{ 2, 0, 0, 0 }, { 3, 0, 0, 0 }, { 2, 0, -EEXIST, 0 }, { 3, 0, -EEXIST, 0 },
		{ 1, 0, 0, 0 }, { 4, LAST, 0, 0 }, { 0, 0, 0, LAST } } },
	{ "any order: a double of the last one", fc2_seq_take_any, 0, 3, {
		{ 1, LAST, 0, 0 }, { 1, LAST, -EEXIST, 0 }, { 0, 0, 0, LAST } } },
	{ "any order: something after the last one", fc2_seq_take_any, 0, 2, {
		{ 1, LAST, 0, 0 }, { 2, 0, -EILSEQ, 0 } } },
	{ "any order: wrap", fc2_seq_take_any, 65534, 4, {
		{ 0, 0, 0, 0 }, { 65535, 0, 0, 0 }, { 1, LAST, 0, 0 }, { 65534, 0, 0, LAST } } },
	{ "any order: a double from before the wrap", fc2_seq_take_any, 65536, 2, {
		{ 65535, 0, -EEXIST, 0 }, { 0, 0, 0, 0 } } },
	{ "any order: LS without the end of the Sequence", fc2_seq_take_any, 0, 2, {
		{ 0, FC2_SEND_LAST_SEQ, 0, 0 }, { 1, LAST, 0, LAST } } },
	{ "in order: LS without the end of the Sequence", fc2_seq_take_ordered, 0, 2, {
		{ 0, FC2_SEND_LAST_SEQ, 0, 0 }, { 1, LAST, 0, LAST } } },
	{ "in order: SI without the end of the Sequence", fc2_seq_take_ordered, 0, 2, {
		{ 0, FC2_SEND_INITIATIVE, 0, 0 }, { 1, GIVE, 0, GIVE } } },
};

KUNIT_ARRAY_PARAM_DESC(test_seq, test_seqs, name);

static void fc2_seq_steps(struct kunit *test)
{
	const struct test_seq *seq = test->param_value;
	struct fc2_seq_rx rx = { .next = seq->next };
	unsigned int i;

	for (i = 0; i < seq->count; i++) {
		const struct seq_step *step = &seq->steps[i];
		struct fc2_seq_frame frame = { .cnt = step->cnt, .flags = step->flags };
		u8 complete = 0;

		KUNIT_EXPECT_EQ_MSG(test, seq->take(&rx, &frame, &complete), step->err,
				    "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, complete, step->complete, "step %u", i);
	}
}

/* Frames 0 to n - 1 after @base in a random order, some of them twice; the last one completes */
static void fc2_seq_random(struct kunit *test)
{
	unsigned int round, i, n, left;
	struct rnd_state rnd;

	wire_seed(test, &rnd);
	for (round = 0; round < 2000; round++) {
		u32 base = prandom_u32_state(&rnd) % 3 ? prandom_u32_state(&rnd) : -5;
		struct fc2_seq_rx rx = { .next = base };
		unsigned int order[SEQ_FRAMES];
		bool seen[SEQ_FRAMES] = {};

		n = 1 + prandom_u32_state(&rnd) % SEQ_FRAMES;
		for (i = 0; i < n; i++)
			order[i] = i;
		for (i = n - 1; i; i--) {
			unsigned int other = prandom_u32_state(&rnd) % (i + 1);

			swap(order[i], order[other]);
		}
		for (i = 0, left = n; left; ) {
			bool again = i && prandom_u32_state(&rnd) % 4 == 0;
			unsigned int at = order[again ? prandom_u32_state(&rnd) % i : i];
			struct fc2_seq_frame frame = {
				.cnt = base + at, .flags = at == n - 1 ? LAST : 0,
			};
			u8 complete = 0;

			KUNIT_ASSERT_EQ_MSG(test, fc2_seq_take_any(&rx, &frame, &complete),
					    seen[at] ? -EEXIST : 0, "round %u, frame %u of %u",
					    round, at, n);
			if (!seen[at]) {
				left--;
				i++;
			}
			seen[at] = true;
			KUNIT_ASSERT_EQ_MSG(test, complete, left ? 0 : LAST,
					    "round %u, frame %u of %u", round, at, n);
		}
		KUNIT_ASSERT_EQ(test, rx.next, base + n);
		KUNIT_ASSERT_EQ(test, rx.count, 0);
	}
}

/* As many gaps as there is room for, and one more; then all are filled, from the end on */
static void fc2_seq_gaps(struct kunit *test)
{
	struct fc2_seq_frame frame = {};
	struct fc2_seq_rx rx = {};
	unsigned int i;
	u8 complete;

	for (i = 1; i <= FC2_SEQ_PARTS; i++) {
		frame.cnt = 2 * i;
		KUNIT_ASSERT_EQ(test, fc2_seq_take_any(&rx, &frame, &complete), 0);
	}
	KUNIT_EXPECT_EQ(test, rx.count, FC2_SEQ_PARTS);
	frame.cnt = 2 * i;
	KUNIT_EXPECT_EQ(test, fc2_seq_take_any(&rx, &frame, &complete), -EILSEQ);
	for (i = FC2_SEQ_PARTS; i; i--) {
		frame.cnt = 2 * i - 1;
		KUNIT_ASSERT_EQ(test, fc2_seq_take_any(&rx, &frame, &complete), 0);
		KUNIT_ASSERT_EQ(test, rx.count, i == 1 ? 1 : i - 1);
	}
	frame.cnt = 0;
	KUNIT_EXPECT_EQ(test, fc2_seq_take_any(&rx, &frame, &complete), 0);
	KUNIT_EXPECT_EQ(test, rx.next, 2 * FC2_SEQ_PARTS + 1);
	KUNIT_EXPECT_EQ(test, rx.count, 0);
}

/* All SEQ_CNTs twice over: neither way loses count */
static void fc2_seq_long(struct kunit *test)
{
	struct fc2_seq_rx ordered = {}, any = {};
	u32 i, n = 2 * 65536 + 10;

	for (i = 0; i < n; i++) {
		struct fc2_seq_frame frame = { .cnt = i, .flags = i == n - 1 ? LAST : 0 };
		struct fc2_seq_frame swapped = {
			.cnt = i ^ 1, .flags = (i ^ 1) == n - 1 ? LAST : 0,
		};
		u8 complete = 0;

		KUNIT_ASSERT_EQ(test, fc2_seq_take_ordered(&ordered, &frame, &complete), 0);
		KUNIT_ASSERT_EQ(test, complete, i == n - 1 ? LAST : 0);
		KUNIT_ASSERT_EQ(test, fc2_seq_take_any(&any, &swapped, &complete), 0);
		KUNIT_ASSERT_EQ(test, complete, i == n - 1 ? LAST : 0);
	}
}

static struct kunit_case fc2_seq_cases[] = {
	KUNIT_CASE_PARAM(fc2_seq_steps, test_seq_gen_params),
	KUNIT_CASE(fc2_seq_random),
	KUNIT_CASE(fc2_seq_gaps),
	KUNIT_CASE(fc2_seq_long),
	{}
};

static struct kunit_suite fc2_seq_suite = {
	.name		= "fc2_seq",
	.test_cases	= fc2_seq_cases,
};

kunit_test_suites(&fc2_seq_suite);
