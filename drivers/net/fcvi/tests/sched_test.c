// SPDX-License-Identifier: GPL-2.0
/*
 * Turns of what is sent, VI-ARCH 2.5.1; Sequences, FC-VI 5.6; frames that can't be sent, at each
 * place; and the data of RDMA Reads, FC-VI 6.7.
 */
#include <kunit/test.h>

#include "port.h"
#include "sends.h"

/* A second endpoint, Connected too, that has something to send */
static void test_second(struct test_tx *t, struct fcvi_desc *desc, u32 len)
{
	struct fcvi_vi *vi = t->p->vi + 1;

	vi->state = FCVI_CONNECTED;
	vi->rport = &t->p->rport;
	vi->handle = t->p->vi[0].handle;
	vi->depth = 7;
	vi->tx.next_id = 0x51;
	desc->len = len;
	fcvi_post_send(vi, desc);
}

static void test_second_end(struct test_tx *t)
{
	t->p->vi[1].state = FCVI_IDLE;
	t->p->vi[1].handle = NULL;
	t->p->vi[1].rport = NULL;
}

static void test_turns(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);

	t->full = true;
	test_post_send(t, FCVI_OP_SEND, 0, 40);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_second(t, t->desc + 25, 20);
	test_tx_log(t, "");
	t->full = false;
	fcvi_sched_run(&t->p->port);
	test_tx_log(t, "s1:0+16 s51:0+16 s1:16+16 s51:16+4el =Z s1:32+8el =A alone s2:0+1el =B");
	test_second_end(t);
	test_tx_end(t);
}

/* Others get the CPU in between */
static void test_burst(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);

	t->quiet = true;
	test_post_send(t, FCVI_OP_SEND, 0, TEST_ROOM * FCVI_SCHED_BURST);
	KUNIT_EXPECT_EQ(test, t->frames, FCVI_SCHED_BURST);
	KUNIT_EXPECT_EQ(test, t->later, 0);
	test_post_send(t, FCVI_OP_SEND, 0, TEST_ROOM * FCVI_SCHED_BURST + 1);
	KUNIT_EXPECT_EQ(test, t->frames, 2 * FCVI_SCHED_BURST);
	KUNIT_EXPECT_EQ(test, t->later, 1);
	fcvi_sched_run(&t->p->port);
	KUNIT_EXPECT_EQ(test, t->frames, 2 * FCVI_SCHED_BURST + 1);
	KUNIT_EXPECT_EQ(test, t->later, 1);
	test_tx_end(t);
}

/* FC-VI 5.6 b, 5.8.4: a Sequence has 65536 frames, and only the last one of the Message ends it */
static void test_sequences(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RR);

	t->quiet = true;
	t->room = 4;
	t->p->vi[0].attrs.max_trans_size = U32_MAX;
	test_post_send(t, FCVI_OP_SEND, 0, 4 * FCVI_SEQ_FRAMES);
	while (t->frames < FCVI_SEQ_FRAMES - 64)
		fcvi_sched_run(&t->p->port);
	KUNIT_EXPECT_EQ(test, t->flags, 0);
	fcvi_sched_run(&t->p->port);
	KUNIT_EXPECT_EQ(test, t->frames, FCVI_SEQ_FRAMES);
	KUNIT_EXPECT_EQ(test, t->flags, FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE);
	test_answer(t, 0, 0);

	test_post_send(t, FCVI_OP_SEND, 0, 4 * FCVI_SEQ_FRAMES + 1);
	while (t->frames < 2 * FCVI_SEQ_FRAMES)
		fcvi_sched_run(&t->p->port);
	KUNIT_EXPECT_EQ(test, t->flags, FC2_SEND_END_SEQ);
	KUNIT_EXPECT_EQ(test, t->p->port.sched.seqs, 0);
	fcvi_sched_run(&t->p->port);
	KUNIT_EXPECT_EQ(test, t->frames, 2 * FCVI_SEQ_FRAMES + 1);
	KUNIT_EXPECT_EQ(test, t->flags, FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE);
	test_answer(t, 1, 0);
	KUNIT_EXPECT_EQ(test, t->p->vi[0].tx.nr, 0);
	test_tx_end(t);
}

/* FC-VI 4.1 a: what would need one Sequence too many waits; a single frame does not */
static void test_many(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);
	struct fcvi_desc *single = t->desc + 25;

	t->p->port.sched.seqs = FCVI_SEQS_MAX - 1;
	t->full = true;
	test_post_send(t, FCVI_OP_SEND, 0, 20);
	t->full = false;
	fcvi_sched_run(&t->p->port);
	test_tx_log(t, "s1:0+16 s1:16+4el =A");
	t->p->port.sched.seqs = FCVI_SEQS_MAX;
	test_post_send(t, FCVI_OP_SEND, 0, 20);
	test_second(t, single, 1);
	test_tx_log(t, "alone s51:0+1el =Z");
	KUNIT_EXPECT_FALSE(test, list_empty(&t->p->port.sched.waiting));
	/* One of the others ends */
	t->p->port.sched.seqs = FCVI_SEQS_MAX - 1;
	fcvi_post_send(t->p->vi + 1, single);
	test_tx_log(t, "alone s52:0+1el s2:0+16 s2:16+4el =B =Z");
	t->p->port.sched.seqs = 0;
	test_second_end(t);
	test_tx_end(t);
}

/* No memory for a frame, no Exchange, no Sequence: it is tried again, and nothing is lost */
static void test_lacking(struct kunit *test)
{
	static const char * const first[] = {
		"", "s1:0+16", "s1:0+16 s1:16+16",
	};
	static const char * const rest[] = {
		"s1:0+16 s1:16+16 s1:32+8el =A", "s1:16+16 s1:32+8el =A", "s1:32+8el =A",
	};
	struct test_tx *t;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(first); i++) {
		t = test_tx(test, FCVI_RD);
		t->fail_at = i / 2 + 1;
		if (i & 1)
			t->fill_err = -ENOMEM;
		else
			t->send_err = -EAGAIN;
		test_post_send(t, FCVI_OP_SEND, 0, 40);
		test_tx_log(t, first[i / 2]);
		test_pass(t->p, FCVI_SCHED_PAUSE - 1);
		test_tx_log(t, "");
		test_pass(t->p, 1);
		test_tx_log(t, rest[i / 2]);
		test_tx_end(t);
	}
	t = test_tx(test, FCVI_RR);
	t->no_open = true;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_pass(t->p, FCVI_SCHED_PAUSE);
	test_tx_log(t, "");
	t->no_open = false;
	test_pass(t->p, FCVI_SCHED_PAUSE);
	test_answer(t, 0, 0);
	test_tx_log(t, "s1:0+1ei =A");
	test_tx_end(t);
}

/*
 * A frame is lost in the device, or the memory is gone: at each frame of three.  The number of a
 * Message of which nothing was sent is that of the next.
 */
static void test_failing(struct kunit *test)
{
	static const struct {
		enum fcvi_level	level;
		int		fill_err;
		const char	*log[3];
	} cases[] = {
		{ FCVI_UD, 0, {
			"=A s1:0+16 s1:16+4el =B",
			"s1:0+16 ABTS =A s2:0+16 s2:16+4el =B",
			"s1:0+16 s1:16+16 ABTS =A s2:0+16 s2:16+4el =B" } },
		{ FCVI_UD, -EFAULT, {
			"=A:4 s1:0+16 s1:16+4el =B",
			"s1:0+16 ABTS =A:4 s2:0+16 s2:16+4el =B",
			"s1:0+16 s1:16+16 ABTS =A:4 s2:0+16 s2:16+4el =B" } },
		{ FCVI_RD, 0, {
			"=A:20 =lost DISC:40 =B:20",
			"s1:0+16 ABTS =A:20 =lost DISC:40 =B:20",
			"s1:0+16 s1:16+16 ABTS =A:20 =lost DISC:40 =B:20" } },
		{ FCVI_RD, -EFAULT, {
			"=A:4 =lost DISC:40 =B:20",
			"s1:0+16 ABTS =A:4 =lost DISC:40 =B:20",
			"s1:0+16 s1:16+16 ABTS =A:4 =lost DISC:40 =B:20" } },
		{ FCVI_RR, 0, {
			"=A:40 =lost DISC:40 =B:20",
			"s1:0+16 ABTS =A:40 =lost DISC:40 =B:20",
			"s1:0+16 s1:16+16 ABTS =A:40 =lost DISC:40 =B:20" } },
		{ FCVI_RR, -EFAULT, {
			"=A:4 =lost DISC:40 =B:20",
			"s1:0+16 ABTS =A:4 =lost DISC:40 =B:20",
			"s1:0+16 s1:16+16 ABTS =A:4 =lost DISC:40 =B:20" } },
	};
	struct test_tx *t;
	unsigned int i;

	for (i = 0; i < 3 * ARRAY_SIZE(cases); i++) {
		t = test_tx(test, cases[i / 3].level);
		t->fail_at = i % 3 + 1;
		t->fill_err = cases[i / 3].fill_err;
		t->send_err = t->fill_err ? 0 : -ENOBUFS;
		test_post_send(t, FCVI_OP_SEND, 0, 40);
		test_post_send(t, FCVI_OP_SEND, 0, 20);
		test_tx_log(t, cases[i / 3].log[i % 3]);
		test_tx_end(t);
	}
	/* A logout is on its way */
	t = test_tx(test, FCVI_RD);
	t->fail_at = 1;
	t->send_err = -ENOTCONN;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_expect(t->p, FCVI_CONNECTED, "alone");
	fcvi_port_logout(&t->p->port, &t->p->rport);
	test_expect(t->p, FCVI_ERROR, "=A:20 =lost");
	test_tx_end(t);
}

/* FC-VI 6.7.2: in order, and as it was asked for */
static void test_read(struct kunit *test)
{
	static const struct {
		u32		offset, len;
		u8		flags;
		const char	*log;
	} wrong[] = {
		/* Not the next one, beyond the end, too short, too long */
		{ 8, 4, 0, "ABTS =A:40" },
		{ 0, 4, 0, "ABTS =A:40" },
		{ 4, 9, 0, "ABTS =A:40" },
		{ 4, 7, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ, "d4+7 =A:40" },
		{ 4, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ, "=A:40" },
	};
	struct test_tx *t;
	char log[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		t = test_tx(test, FCVI_RD);
		test_post_send(t, FCVI_OP_READ, 0, 12);
		test_data(t, 0, 0, 4, 0);
		test_tx_log(t, "r1:0+0ei d0+4");
		test_data(t, 0, wrong[i].offset, wrong[i].len, wrong[i].flags);
		snprintf(log, sizeof(log), "%s =lost DISC:40", wrong[i].log);
		test_expect(t->p, FCVI_ERROR, log);
		test_tx_end(t);
	}
	t = test_tx(test, FCVI_RD);
	test_post_send(t, FCVI_OP_READ, 0, 12);
	test_data(t, 0, 0, 4, FC2_SEND_END_SEQ);
	test_data(t, 0, 4, 8, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_post_send(t, FCVI_OP_READ, 0, 0);
	test_data(t, 1, 0, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "r1:0+0ei d0+4 d4+8 =A r2:0+0ei =B");
	/* Without order */
	t->p->port.ordered = false;
	test_post_send(t, FCVI_OP_READ, 0, 12);
	test_data(t, 2, 4, 8, 0);
	test_data(t, 2, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "r3:0+0ei d4+8 d0+4 =C");
	/* More bytes than there are, within bounds */
	test_post_send(t, FCVI_OP_READ, 0, 12);
	test_data(t, 3, 4, 8, 0);
	test_data(t, 3, 0, 8, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "r4:0+0ei d4+8 =D:40 =lost DISC:40");
	test_tx_end(t);
}

static void test_read_header(struct kunit *test)
{
	struct fcvi_iu iu;
	struct test_tx *t;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		t = test_tx(test, FCVI_RR);
		test_post_send(t, FCVI_OP_READ, 0, 4);
		iu = test_header(t, 0);
		iu.tot_len += i == 0;
		iu.rmt_va += i == 1;
		iu.rmt_va_handle += i == 2;
		t->data_err = i == 3 ? -EFAULT : 0;
		test_in(t, 0, &iu, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
		test_expect(t->p, FCVI_ERROR, i == 3 ? "r1:0+0ei d0+4 =A:4 =lost DISC:40" :
						       "r1:0+0ei =A:40 =lost DISC:40");
		test_tx_end(t);
	}
}

static struct kunit_case fcvi_sched_cases[] = {
	KUNIT_CASE(test_turns),
	KUNIT_CASE(test_burst),
	KUNIT_CASE(test_sequences),
	KUNIT_CASE(test_many),
	KUNIT_CASE(test_lacking),
	KUNIT_CASE(test_failing),
	KUNIT_CASE(test_read),
	KUNIT_CASE(test_read_header),
	{}
};

static struct kunit_suite fcvi_sched_suite = {
	.name		= "fcvi_sched",
	.test_cases	= fcvi_sched_cases,
};

kunit_test_suites(&fcvi_sched_suite);
