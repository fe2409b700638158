// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that a hostile remote port may send, in any order, and some that it may not: whatever
 * comes, what waits is bounded, no byte lies beside its Message, and nothing is left at the end.
 */
#include <linux/string.h>

#include "disconnect.h"
#include "rx.h"
#include "rx_state.h"
#include "sched.h"

KUNIT_ARRAY_PARAM(test_level, test_levels, test_level_desc);

#define FUZZ_RUNS	300
#define FUZZ_STEPS	100
#define FUZZ_OPEN	8

struct fuzz {
	struct test_rx		*t;
	struct rnd_state	rnd;
	struct fcvi_mx		*mx[FUZZ_OPEN];
	struct fcvi_iu		iu[FUZZ_OPEN];
	u32			pos[FUZZ_OPEN];
	u32			next_id;
};

static u32 fuzz_below(struct fuzz *f, u32 n)
{
	return prandom_u32_state(&f->rnd) % n;
}

static bool fuzz_rarely(struct fuzz *f)
{
	return !fuzz_below(f, 20);
}

static struct fcvi_iu fuzz_iu(struct fuzz *f)
{
	static const u8 opcodes[] = { FCVI_SEND_RQST, FCVI_WRITE_RQST, FCVI_READ_RQST };
	struct fcvi_iu iu = test_iu(f->t, opcodes[fuzz_below(f, 3)], f->next_id,
				    fuzz_below(f, 100));

	if (iu.opcode != FCVI_READ_RQST)
		iu.flags = fuzz_below(f, 4) ? 0 : FCVI_IMM_DATA;
	if (fuzz_rarely(f))
		iu.msg_id += fuzz_below(f, 8) - 4;
	else
		f->next_id++;
	if (fuzz_rarely(f))
		iu.tot_len = prandom_u32_state(&f->rnd);
	if (fuzz_rarely(f))
		iu.rmt_va += fuzz_below(f, 3000);
	if (fuzz_rarely(f))
		iu.handle++;
	return iu;
}

static u8 fuzz_end(struct fuzz *f, const struct fcvi_iu *iu)
{
	bool si = f->t->vi->attrs.level == FCVI_RR || iu->opcode == FCVI_READ_RQST;

	return si != fuzz_rarely(f) ? TEST_SI : TEST_LS;
}

static void fuzz_frame(struct fuzz *f, unsigned int i)
{
	struct fcvi_iu iu = f->iu[i];
	u32 left = iu.tot_len > f->pos[i] ? iu.tot_len - f->pos[i] : 0;
	u32 len = iu.opcode == FCVI_READ_RQST ? 0 : min(left, 1 + fuzz_below(f, 60));
	u32 at = f->pos[i];
	u8 flags = 0;

	if (len == left || iu.opcode == FCVI_READ_RQST || fuzz_rarely(f))
		flags = fuzz_end(f, &iu);
	if (fuzz_rarely(f))
		at += fuzz_below(f, 40) - 20;
	if (fuzz_rarely(f))
		len = fuzz_below(f, 100);
	switch (fuzz_below(f, 200)) {
	case 0:
		iu.tot_len++;
		break;
	case 1:
		iu.opcode ^= 1;
		break;
	case 2:
		iu.flags ^= FCVI_IMM_DATA;
		break;
	case 3:
		iu.rmt_va++;
		break;
	}
	test_frame(f->t, f->mx[i], &iu, at, len, flags);
	f->pos[i] += len;
}

static void fuzz_step(struct fuzz *f)
{
	static const int errs[] = { -EILSEQ, -ECONNABORTED };
	unsigned int i = fuzz_below(f, FUZZ_OPEN);
	struct test_rx *t = f->t;
	struct fcvi_iu iu;

	if (f->mx[i] && !container_of(f->mx[i], struct test_mx, mx)->open)
		f->mx[i] = NULL;
	switch (fuzz_below(f, 10)) {
	case 0:
		if (t->nr_posted < TEST_DESCS)
			test_post(t, fuzz_below(f, 8) ? 100 : fuzz_below(f, 100));
		break;
	case 1:
		iu = fuzz_iu(f);
		if (iu.opcode != FCVI_READ_RQST && iu.tot_len < 1000)
			test_message(t, &iu);
		break;
	case 2:
		if (f->mx[i] && fuzz_rarely(f))
			test_mx_over(t, f->mx[i], errs[fuzz_below(f, 2)]);
		break;
	case 3:
		t->budget = fuzz_below(f, 4);
		fcvi_sched_run(&t->p->port);
		break;
	case 4:
		test_pass(t->p, fuzz_below(f, 100));
		break;
	default:
		if (!f->mx[i]) {
			f->iu[i] = fuzz_iu(f);
			f->mx[i] = test_begin(t, f->iu + i);
			f->pos[i] = 0;
		}
		if (f->mx[i])
			fuzz_frame(f, i);
	}
}

static void fuzz_run(struct kunit *test, struct fuzz *f, bool ordered)
{
	unsigned int i;

	memset(f->mx, 0, sizeof(f->mx));
	f->next_id = 1;
	f->t = test_rx(test, test_level(test), ordered);
	for (i = 0; i < 8; i++)
		test_post(f->t, 100);
	for (i = 0; i < FUZZ_STEPS; i++) {
		fuzz_step(f);
		KUNIT_EXPECT_LE(test, f->t->vi->rx.held, 1024 + f->t->vi->depth + 1);
	}
	test_rx_end(f->t);
	kunit_kfree(test, f->t->p);
	kunit_kfree(test, f->t);
}

static void fcvi_fuzz_ordered(struct kunit *test)
{
	struct fuzz f = {};
	unsigned int i;

	test_seed(test, &f.rnd);
	for (i = 0; i < FUZZ_RUNS; i++)
		fuzz_run(test, &f, true);
}

static void fcvi_fuzz_any(struct kunit *test)
{
	struct fuzz f = {};
	unsigned int i;

	test_seed(test, &f.rnd);
	for (i = 0; i < FUZZ_RUNS; i++)
		fuzz_run(test, &f, false);
}

static struct kunit_case fcvi_fuzz_cases[] = {
	KUNIT_CASE_PARAM(fcvi_fuzz_ordered, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_fuzz_any, test_level_gen_params),
	{}
};

static struct kunit_suite fcvi_fuzz_suite = {
	.name		= "fcvi_fuzz",
	.test_cases	= fcvi_fuzz_cases,
};

kunit_test_suites(&fcvi_fuzz_suite);
