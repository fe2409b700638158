// SPDX-License-Identifier: GPL-2.0
/*
 * Send queues: what is sent, in which order Descriptors begin and complete, and what errors do,
 * FC-VI 5.2, 6.2, 6.4, 6.6, 8.4; VI-ARCH 2.5, 5, 6.3; VI-DG 5.2.
 */
#include <kunit/test.h>
#include <linux/slab.h>

#include "disconnect.h"
#include "port.h"
#include "sends.h"
#include "tx.h"

static void test_bytes(struct test_tx *t, const u8 (*want)[32])
{
	u8 dh[32];

	KUNIT_EXPECT_EQ(t->test, fcvi_encode(dh, &t->iu), 32);
	KUNIT_EXPECT_MEMEQ(t->test, dh, *want, 32);
}

/* Requests byte for byte, FC-VI 6.2.2, 6.4.2, 6.6.2, and what their last frame is, FC-VI 5.8.4 */
static void test_golden(struct kunit *test)
{
	static const u8 send[32] = {
		0x00, 0x00, 0x00, 0x77, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08,
	};
	static const u8 write[32] = {
		0x00, 0x00, 0x00, 0x77, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
		0x1a, 0x2b, 0x3c, 0x4d, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
		0xa1, 0xb2, 0xc3, 0xd4, 0x00, 0x00, 0x00, 0x14,
	};
	static const u8 read[32] = {
		0x00, 0x00, 0x00, 0x77, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
		0x00, 0x00, 0x00, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
		0xa1, 0xb2, 0xc3, 0xd4, 0x00, 0x00, 0x01, 0x00,
	};
	struct test_tx *t = test_tx(test, FCVI_RD);

	test_post_send(t, FCVI_OP_SEND, 0, 8);
	test_bytes(t, &send);
	KUNIT_EXPECT_EQ(test, t->cs_ctl, 0);
	test_post_send(t, FCVI_OP_WRITE, FCVI_DESC_IMM, 20);
	test_bytes(t, &write);
	/* Immediate Data of a Read are ignored, VI-DG 5.2 */
	t->p->vi[0].attrs.pref = true;
	test_post_send(t, FCVI_OP_READ, FCVI_DESC_IMM, 256);
	test_bytes(t, &read);
	KUNIT_EXPECT_EQ(test, t->cs_ctl, 0x80);
	test_tx_log(t, "alone s1:0+8el =A w2:0+16 w2:16+4el =B r3:0+0ei");
	test_tx_end(t);
}

/* One frame, or several; none, FC-VI 5.7 */
static void test_lengths(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_UD);

	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_post_send(t, FCVI_OP_SEND, 0, TEST_ROOM);
	test_post_send(t, FCVI_OP_SEND, 0, TEST_ROOM + 1);
	test_tx_log(t, "alone s1:0+0el =A alone s2:0+16el =B s3:0+16 s3:16+1el =C");
	KUNIT_EXPECT_EQ(test, t->p->vi[0].msg_stats[FCVI_MSG_TX], 3);
	KUNIT_EXPECT_EQ(test, t->p->port.msg_stats[FCVI_MSG_TX_BYTES], 33);
	test_tx_end(t);

	t = test_tx(test, FCVI_RR);
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_post_send(t, FCVI_OP_WRITE, 0, TEST_ROOM + 1);
	test_tx_log(t, "s1:0+0ei w2:0+16 w2:16+1ei");
	test_answer(t, 0, 0);
	test_answer(t, 1, 0);
	test_tx_log(t, "=A =B");
	/* That of Disconnects counts those of the other side, FC-VI 6.12.2 and annex E */
	KUNIT_EXPECT_EQ(test, t->p->vi[0].done_msg_id, 0);
	test_tx_end(t);
}

/* FC-VI 5.9.6: FFFFFFFF is followed by 0 */
static void test_numbers(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);

	KUNIT_EXPECT_EQ(test, t->p->vi[0].tx.next_id, 1);
	t->p->vi[0].tx.next_id = 0xffffffff;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "alone sffffffff:0+1el =A alone s0:0+1el =B");
	test_tx_end(t);
}

/* VI-ARCH 6.3.1.1: they complete in the order in which they were posted */
static void test_order(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RR);

	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_WRITE, 0, 2);
	test_post_send(t, FCVI_OP_SEND, 0, 3);
	test_tx_log(t, "s1:0+1ei w2:0+2ei s3:0+3ei");
	test_answer(t, 2, 0);
	test_answer(t, 1, 0);
	test_tx_log(t, "");
	test_answer(t, 0, 0);
	test_tx_log(t, "=A =B =C");
	test_tx_end(t);

	/* A Read holds back what is behind it, but lets it go out */
	t = test_tx(test, FCVI_RD);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_tx_log(t, "r1:0+0ei alone s2:0+1el r3:0+0ei");
	test_data(t, 1, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "d0+4");
	test_data(t, 0, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "d0+4 =A =B =C");
	test_tx_end(t);

	/* On Reliable Reception Sends and Writes wait for it */
	t = test_tx(test, FCVI_RR);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_post_send(t, FCVI_OP_WRITE, 0, 1);
	test_tx_log(t, "r1:0+0ei r2:0+0ei");
	test_data(t, 0, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "d0+4 =A");
	test_data(t, 1, 0, 4, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "d0+4 =B w3:0+1ei");
	test_tx_end(t);
}

/* FC-VI 7.3: PIPELINE_DEPTH + 1 Messages may be open */
static void test_depth(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RR);

	/* The smaller one of both ends, which is 7 in both here */
	KUNIT_EXPECT_EQ(test, t->p->vi[0].depth, 7);
	t->p->vi[0].depth = 1;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "s1:0+1ei s2:0+1ei");
	test_answer(t, 1, 0);
	test_tx_log(t, "");
	test_answer(t, 0, 0);
	test_tx_log(t, "=A =B s3:0+1ei");
	t->p->vi[0].depth = 0;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "");
	test_answer(t, 2, 0);
	test_tx_log(t, "=C s4:0+1ei");
	test_tx_end(t);
}

/* VI-ARCH 6.3.1.2 */
static void test_fence(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);

	test_post_send(t, FCVI_OP_SEND, FCVI_DESC_FENCE, 1);
	test_post_send(t, FCVI_OP_READ, FCVI_DESC_FENCE, 1);
	test_post_send(t, FCVI_OP_SEND, FCVI_DESC_FENCE, 1);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "alone s1:0+1el =A r2:0+0ei");
	test_data(t, 0, 0, 1, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_tx_log(t, "d0+1 =B alone s3:0+1el =C alone s4:0+1el =D");
	test_tx_end(t);
}

/* VI-ARCH 5: what is posted where nothing may be sent completes at once; FC-VI C.5.5 */
static void test_states(struct kunit *test)
{
	struct test_tx *t = test_tx_idle(test, FCVI_RD);
	struct fcvi_vi *vi = t->p->vi;

	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_expect(t->p, FCVI_IDLE, "=A:20");
	test_connect(t->p, FCVI_CLIENT);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_expect(t->p, FCVI_PENDING, "RQST =B:20");
	test_resp1(t->p, vi->own->x, vi->own->id, FCVI_OK);
	test_expect(t->p, FCVI_CONNECTED, "RESP2");
	/* Nothing completes before RESP3 */
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_READ, 0, 1);
	test_expect(t->p, FCVI_CONNECTED, "alone s1:0+1el r2:0+0ei");
	test_data(t, 0, 0, 1, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_expect(t->p, FCVI_CONNECTED, "d0+1");
	test_resp3(t->p, vi->own->x, vi->own->id, FCVI_OK);
	test_expect(t->p, FCVI_CONNECTED, "=C =D");
	fcvi_disconnect_lost(vi, FCVI_TRANSPORT);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_expect(t->p, FCVI_ERROR, "=lost DISC:40 =E:20");
	/* An error that the user has found comes with it */
	t->desc[5].error = FCVI_ERR_PROTECTION;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_expect(t->p, FCVI_ERROR, "=F:4");
	test_tx_end(t);

	/* What is done, and may not complete, is flushed with the connection */
	t = test_tx_idle(test, FCVI_RD);
	vi = t->p->vi;
	test_connect(t->p, FCVI_CLIENT);
	test_resp1(t->p, vi->own->x, vi->own->id, FCVI_OK);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_pass(t->p, TEST_TOV);
	test_expect(t->p, FCVI_ERROR, "RQST RESP2 alone s1:0+1el ABTS =A:20 =lost DISC:40");
	test_tx_end(t);
}

/* FC-VI 5.9.4.3, and the bits of VI-DG 5.2 */
static void test_flags(struct kunit *test)
{
	static const struct {
		u8		op, desc_flags, flags;
		const char	*log;
		u8		cause;
	} cases[] = {
		{ FCVI_OP_SEND, 0, 0x1, "=A:40", 0x40 },
		{ FCVI_OP_SEND, 0, 0x3, "=A:100", 0x42 },
		{ FCVI_OP_SEND, 0, 0x5, "=A:40", 0x40 },
		{ FCVI_OP_SEND, 0, 0x9, "=A:40", 0x40 },
		{ FCVI_OP_SEND, 0, 0xb, "=A:140", 0x42 },
		{ FCVI_OP_WRITE, 0, 0x3, "=A:40", 0x40 },
		{ FCVI_OP_WRITE, 0, 0x5, "=A:80", 0x43 },
		{ FCVI_OP_WRITE, 0, 0x9, "=A:40", 0x40 },
		{ FCVI_OP_WRITE, FCVI_DESC_IMM, 0x3, "=A:100", 0x42 },
		{ FCVI_OP_WRITE, FCVI_DESC_IMM, 0x5, "=A:80", 0x43 },
		{ FCVI_OP_READ, 0, 0x1, "=A:40", 0x40 },
		{ FCVI_OP_READ, FCVI_DESC_IMM, 0x3, "=A:40", 0x40 },
		{ FCVI_OP_READ, 0, 0x5, "=A:80", 0x47 },
		{ FCVI_OP_READ, 0, 0x9, "=A:40", 0x40 },
	};
	struct test_tx *t;
	char log[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		t = test_tx(test, FCVI_RR);
		test_post_send(t, cases[i].op, cases[i].desc_flags, 0);
		test_post_send(t, FCVI_OP_SEND, 0, 0);
		t->p->log[0] = 0;
		test_answer(t, 0, cases[i].flags);
		snprintf(log, sizeof(log), "%s =B:20 =lost DISC:%02x", cases[i].log,
			 cases[i].cause);
		test_expect(t->p, FCVI_ERROR, log);
		test_tx_end(t);
	}
	/* Without RESP_ERR the others mean nothing */
	t = test_tx(test, FCVI_RR);
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_answer(t, 0, 0xe);
	test_tx_log(t, "s1:0+0ei =A");
	/* The second of two: the first one can't complete well any more, FC-VI E */
	test_post_send(t, FCVI_OP_WRITE, 0, 0);
	test_post_send(t, FCVI_OP_WRITE, 0, 0);
	test_answer(t, 2, 0x5);
	test_tx_log(t, "w2:0+0ei w3:0+0ei =B:20 =C:80 =lost DISC:43");
	test_tx_end(t);
}

/* Responses that are none of the Message */
static void test_strays(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RR);
	struct fcvi_vi *vi = t->p->vi;
	struct fcvi_iu iu;

	test_post_send(t, FCVI_OP_SEND, 0, 0);
	iu = test_header(t, 0);
	iu.handle++;
	test_in(t, 0, &iu, 0, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	KUNIT_EXPECT_EQ(test, vi->msg_stats[FCVI_MSG_BAD_HANDLE], 1);
	iu.handle--;
	iu.msg_id++;
	test_in(t, 0, &iu, 0, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	KUNIT_EXPECT_EQ(test, vi->msg_stats[FCVI_MSG_OLD], 1);
	test_expect(t->p, FCVI_CONNECTED, "s1:0+0ei");
	iu.msg_id--;
	iu.opcode = FCVI_WRITE_RESP;
	test_in(t, 0, &iu, 0, 0, FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ);
	test_expect(t->p, FCVI_ERROR, "=A:40 =lost DISC:48");
	test_tx_end(t);

	/* Before Sequence Initiative was passed only an error is one */
	t = test_tx(test, FCVI_RR);
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_answer(t, 0, 0);
	t->full = true;
	test_post_send(t, FCVI_OP_SEND, 0, 40);
	t->full = false;
	t->room = 4;
	t->fail_at = 3;
	t->fill_err = -ENOMEM;
	fcvi_sched_run(&t->p->port);
	test_tx_log(t, "s1:0+0ei =A s2:0+4 s2:4+4");
	test_answer(t, 1, FCVI_RESP_ERR | FCVI_DESC_ERR);
	test_expect(t->p, FCVI_ERROR, "=B:100 =lost DISC:42");
	test_pass(t->p, 20);
	test_tx_log(t, "");
	test_tx_end(t);
}

/* FC-VI 8.3, 8.4.2 a */
static void test_timeout(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RR);

	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_pass(t->p, TEST_TOV - 1);
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_answer(t, 0, 0);
	test_tx_log(t, "s1:0+0ei s2:0+0ei =A");
	test_pass(t->p, TEST_TOV - 1);
	test_expect(t->p, FCVI_CONNECTED, "");
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_pass(t->p, 1);
	test_expect(t->p, FCVI_ERROR, "s3:0+0ei ABTS =B:40 =C:20 =lost DISC:40");
	KUNIT_EXPECT_EQ(test, t->p->vi[0].msg_stats[FCVI_MSG_TIMEOUT], 1);
	test_tx_end(t);

	/* A Read waits until the next Sequence */
	t = test_tx(test, FCVI_RD);
	test_post_send(t, FCVI_OP_READ, 0, 8);
	test_pass(t->p, TEST_TOV - 1);
	test_data(t, 0, 0, 4, FC2_SEND_END_SEQ);
	test_pass(t->p, TEST_TOV - 1);
	test_expect(t->p, FCVI_CONNECTED, "r1:0+0ei d0+4");
	test_pass(t->p, 1);
	test_expect(t->p, FCVI_ERROR, "ABTS =A:40 =lost DISC:40");
	test_tx_end(t);
}

/* The Exchange ends before the Message: an ABTS of the other side, or frames that are missing */
static void test_ends(struct kunit *test)
{
	static const enum fcvi_level levels[] = { FCVI_UD, FCVI_RD, FCVI_RR };
	static const char * const logs[] = {
		"s1:0+4 s1:4+4 =A", "s1:0+4 s1:4+4 =A:20 =lost DISC:40",
		"s1:0+4 s1:4+4 =A:40 =lost DISC:40",
	};
	struct test_tx *t;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		t = test_tx(test, levels[i]);
		t->room = 4;
		t->fail_at = 3;
		t->send_err = -EAGAIN;
		test_post_send(t, FCVI_OP_SEND, 0, 12);
		test_over(t, 0, -ECONNABORTED);
		test_expect(t->p, levels[i] == FCVI_UD ? FCVI_CONNECTED : FCVI_ERROR, logs[i]);
		test_pass(t->p, 20);
		test_tx_end(t);
	}
	t = test_tx(test, FCVI_RD);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_over(t, 0, -EILSEQ);
	test_expect(t->p, FCVI_ERROR, "r1:0+0ei =A:40 =lost DISC:40");
	test_tx_end(t);

	/* A logout: fcvi_port_logout() ends it */
	t = test_tx(test, FCVI_RR);
	test_post_send(t, FCVI_OP_SEND, 0, 4);
	test_over(t, 0, -ENOTCONN);
	test_expect(t->p, FCVI_CONNECTED, "s1:0+4ei");
	fcvi_port_logout(&t->p->port, &t->p->rport);
	test_expect(t->p, FCVI_ERROR, "=A:20 =lost");
	test_tx_end(t);
}

/* Descriptors that are wrong, VI-DG 5.2: on Unreliable Delivery the others go on */
static void test_errors(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_UD);

	t->p->vi[0].attrs.max_trans_size = 32;
	test_post_send(t, FCVI_OP_SEND, 0, 32);
	test_post_send(t, FCVI_OP_SEND, 0, 33);
	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_post_send(t, FCVI_OP_RECV, 0, 4);
	t->desc[4].error = FCVI_ERR_PROTECTION;
	test_post_send(t, FCVI_OP_SEND, 0, 4);
	test_post_send(t, FCVI_OP_SEND, 0, 4);
	test_expect(t->p, FCVI_CONNECTED,
		    "s1:0+16 s1:16+16el =A =B:8 =C:2 =D:2 =E:4 alone s2:0+4el =F");
	test_tx_end(t);

	/* On the others it completes in its turn, and is the last one */
	t = test_tx(test, FCVI_RR);
	t->p->vi[0].attrs.max_trans_size = 4;
	test_post_send(t, FCVI_OP_SEND, 0, 4);
	test_post_send(t, FCVI_OP_SEND, 0, 5);
	test_post_send(t, FCVI_OP_SEND, 0, 4);
	test_expect(t->p, FCVI_CONNECTED, "s1:0+4ei");
	test_answer(t, 0, 0);
	test_expect(t->p, FCVI_ERROR, "=A =B:8 =C:20 =lost DISC:40");
	test_tx_end(t);
}

static void test_overrun(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);
	struct fcvi_desc *many;
	unsigned int i;

	many = kvcalloc(FCVI_TX_POSTED_MAX, sizeof(*many), GFP_ATOMIC);
	KUNIT_ASSERT_NOT_NULL(test, many);
	t->full = true;
	t->quiet = true;
	for (i = 0; i < FCVI_TX_POSTED_MAX; i++)
		fcvi_post_send(t->p->vi, many + i);
	test_expect(t->p, FCVI_CONNECTED, "");
	test_post_send(t, FCVI_OP_SEND, 0, 0);
	test_expect(t->p, FCVI_ERROR, "overrun =lost DISC:40");
	KUNIT_EXPECT_EQ(test, many[0].error, FCVI_ERR_FLUSHED);
	KUNIT_EXPECT_EQ(test, t->desc[0].error, FCVI_ERR_FLUSHED);
	KUNIT_EXPECT_EQ(test, t->p->vi[0].tx.nr, 0);
	test_tx_end(t);
	kvfree(many);
}

/* What is posted when one is complete comes after all that were there */
static void test_again(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_UD);

	t->again = t->desc + 20;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "alone s1:0+1el =A alone s2:0+0el =U");
	t->full = true;
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	t->again = t->desc + 20;
	fcvi_disconnect_lost(t->p->vi, FCVI_TRANSPORT);
	test_tx_log(t, "=B:20 =C:20 =U:20 =lost DISC:40");
	test_tx_end(t);
}

/* A Disconnect in the middle of things */
static void test_flush(struct kunit *test)
{
	struct test_tx *t = test_tx(test, FCVI_RD);

	test_post_send(t, FCVI_OP_READ, 0, 4);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	t->room = 4;
	t->fail_at = 2;
	t->fill_err = -ENOMEM;
	test_post_send(t, FCVI_OP_SEND, 0, 8);
	test_post_send(t, FCVI_OP_SEND, 0, 1);
	test_tx_log(t, "r1:0+0ei alone s2:0+1el s3:0+4");
	fcvi_disconnect(t->p->vi);
	test_expect(t->p, FCVI_ERROR, "=A:20 =B:20 =C:20 =D:20 DISC-app");
	test_pass(t->p, 20);
	test_tx_log(t, "");
	test_tx_end(t);
}

static struct kunit_case fcvi_tx_cases[] = {
	KUNIT_CASE(test_golden),
	KUNIT_CASE(test_lengths),
	KUNIT_CASE(test_numbers),
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_depth),
	KUNIT_CASE(test_fence),
	KUNIT_CASE(test_states),
	KUNIT_CASE(test_flags),
	KUNIT_CASE(test_strays),
	KUNIT_CASE(test_timeout),
	KUNIT_CASE(test_ends),
	KUNIT_CASE(test_errors),
	KUNIT_CASE(test_overrun),
	KUNIT_CASE(test_again),
	KUNIT_CASE(test_flush),
	{}
};

static struct kunit_suite fcvi_tx_suite = {
	.name		= "fcvi_tx",
	.test_cases	= fcvi_tx_cases,
};

kunit_test_suites(&fcvi_tx_suite);
