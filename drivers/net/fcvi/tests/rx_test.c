// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that come to a port with order, at each reliability level: MSG_IDs, Relative Offsets,
 * ends, what changes on the way, FC-VI 8.4.1 and annex B; receive Descriptors, VI-ARCH 6.3.
 */
#include "disconnect.h"
#include "rx.h"
#include "rx_state.h"

KUNIT_ARRAY_PARAM(test_level, test_levels, test_level_desc);

static struct test_rx *rx_begin(struct kunit *test)
{
	return test_rx(test, test_level(test), true);
}

static u8 rx_last(const struct test_rx *t)
{
	return t->vi->attrs.level == FCVI_RR ? TEST_SI : TEST_LS;
}

static void rx_error(struct test_rx *t)
{
	bool stays = t->vi->attrs.level == FCVI_UD;

	KUNIT_EXPECT_EQ(t->p->test, t->vi->state, stays ? FCVI_CONNECTED : FCVI_ERROR);
}

/* Messages of one frame, of several, of several IUs, and empty ones */
static void fcvi_rx_sends(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	struct test_desc *d[4];
	struct fcvi_mx *mx;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(d); i++)
		d[i] = test_post(t, 100);
	test_message(t, &iu);
	test_rx_expect_by(t, "D:10", "D:10", "D:10 SEND-RESP:0");
	test_has(t, &iu, d[0]->buf);
	iu = test_iu(t, FCVI_SEND_RQST, 2, 100);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 40, 0);
	test_frame(t, mx, &iu, 40, 40, FC2_SEND_END_SEQ);
	test_rx_expect(t, "");
	test_frame(t, mx, &iu, 80, 20, rx_last(t));
	test_rx_expect_by(t, "D:100", "D:100", "D:100 SEND-RESP:0");
	test_has(t, &iu, d[1]->buf);
	iu = test_iu(t, FCVI_SEND_RQST, 3, 0);
	test_message(t, &iu);
	test_rx_expect_by(t, "D:0", "D:0", "D:0 SEND-RESP:0");
	iu = test_iu(t, FCVI_SEND_RQST, 4, 1);
	iu.flags = FCVI_IMM_DATA;
	iu.param = 0xabc;
	test_message(t, &iu);
	test_rx_expect_by(t, "D:1-Iabc", "D:1-Iabc", "D:1-Iabc SEND-RESP:0");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_RX), 4);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_RX_BYTES), 111);
	KUNIT_EXPECT_EQ(test, t->vi->done_msg_id, 4);
	test_rx_end(t);
}

/* FC-VI 5.9.6: FFFFFFFF wraps to 0 */
static void fcvi_rx_wrap(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu;
	u32 i;

	t->vi->rx.next_id = U32_MAX;
	t->vi->rx.turn = U32_MAX;
	for (i = 0; i < 3; i++) {
		test_post(t, 10);
		iu = test_iu(t, FCVI_SEND_RQST, U32_MAX + i, 10);
		test_message(t, &iu);
		test_rx_expect_by(t, "D:10", "D:10", "D:10 SEND-RESP:0");
	}
	test_rx_end(t);
}

/* Annex B, rules 4a and 4b */
static void fcvi_rx_gap(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 3, 10);

	test_post(t, 10);
	test_message(t, &iu);
	test_rx_expect_by(t, "D:10", "D:e20 =lost DISC:40", "D:e20 =lost DISC:40");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_LOST), 2);
	/* What comes late is dropped, on all levels */
	iu.msg_id = 2;
	test_message(t, &iu);
	test_rx_expect(t, "");
	rx_error(t);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_OLD) + test_stat(t, FCVI_MSG_NOT_CONNECTED), 1);
	test_rx_end(t);
}

/* Annex B, rule 5a */
static void fcvi_rx_twice(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10);

	test_post(t, 10);
	test_post(t, 10);
	test_message(t, &iu);
	test_rx_expect_by(t, "D:10", "D:10", "D:10 SEND-RESP:0");
	test_message(t, &iu);
	test_rx_expect_by(t, "", "D:e20 =lost DISC:40", "D:e20 =lost DISC:40");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_OLD), 1);
	rx_error(t);
	test_rx_end(t);
}

/* A Message of which the first frame has come */
static struct fcvi_mx *rx_started(struct test_rx *t, u8 opcode, struct fcvi_iu *iu)
{
	struct fcvi_mx *mx;

	*iu = test_iu(t, opcode, 1, 60);
	test_post(t, 100);
	test_post(t, 100);
	mx = test_begin(t, iu);
	test_frame(t, mx, iu, 0, 20, 0);
	test_rx_expect(t, "");
	return mx;
}

/* The Message that comes after one that has failed on Unreliable Delivery */
static void rx_after(struct test_rx *t, struct fcvi_mx *mx, u8 opcode)
{
	struct fcvi_iu iu = test_iu(t, opcode, 1, 60);
	unsigned int old = test_stat(t, FCVI_MSG_OLD);

	KUNIT_EXPECT_EQ(t->p->test, test_stat(t, FCVI_MSG_BROKEN), 1);
	rx_error(t);
	if (t->vi->attrs.level != FCVI_UD)
		return;
	if (container_of(mx, struct test_mx, mx)->open) {
		test_frame(t, mx, &iu, 20, 20, 0);
		test_frame(t, mx, &iu, 40, 20, TEST_LS);
		KUNIT_EXPECT_EQ(t->p->test, test_stat(t, FCVI_MSG_OLD), old + 2);
	}
	iu = test_iu(t, FCVI_SEND_RQST, 2, 33);
	test_message(t, &iu);
	test_rx_expect(t, "D:33");
}

/* Frames are missing, or the Exchange is aborted, FC-VI 8.4.1 c and C.5.7 */
static void fcvi_rx_ends(struct kunit *test)
{
	struct fcvi_mx *mx;
	struct test_rx *t;
	struct fcvi_iu iu;

	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	test_mx_over(t, mx, -EILSEQ);
	test_rx_expect_by(t, "D:e50", "D:e50 D:e20 =lost DISC:40", "D:e50 D:e20 =lost DISC:40");
	rx_after(t, mx, FCVI_SEND_RQST);
	test_rx_end(t);

	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	test_mx_over(t, mx, -ECONNABORTED);
	test_rx_expect_by(t, "D:e50", "D:e50 D:e20 =lost DISC:40", "D:e50 D:e20 =lost DISC:40");
	rx_after(t, mx, FCVI_SEND_RQST);
	test_rx_end(t);

	/* The next Message comes before the end of this one */
	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	iu = test_iu(t, FCVI_SEND_RQST, 2, 1);
	test_message(t, &iu);
	test_rx_expect_by(t, "D:e50 D:1", "D:e50 D:e20 =lost DISC:40", "D:e50 D:e20 =lost DISC:40");
	rx_error(t);
	test_rx_end(t);

	/* A logout */
	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	test_mx_over(t, mx, -ENOTCONN);
	test_rx_expect(t, "");
	test_rx_end(t);
}

static void fcvi_rx_write_ends(struct kunit *test)
{
	struct fcvi_mx *mx;
	struct test_rx *t;
	struct fcvi_iu iu;

	t = rx_begin(test);
	mx = rx_started(t, FCVI_WRITE_RQST, &iu);
	test_mx_over(t, mx, -EILSEQ);
	test_rx_expect_by(t, "!transport", "!transport D:e20 D:e20 =lost DISC:46",
			  "!transport D:e20 D:e20 =lost DISC:46");
	rx_after(t, mx, FCVI_WRITE_RQST);
	test_rx_end(t);

	t = rx_begin(test);
	mx = rx_started(t, FCVI_WRITE_RQST, &iu);
	test_mx_over(t, mx, -ECONNABORTED);
	test_rx_expect_by(t, "!write-abort", "!write-abort D:e20 D:e20 =lost DISC:45",
			  "!write-abort D:e20 D:e20 =lost DISC:45");
	rx_after(t, mx, FCVI_WRITE_RQST);
	test_rx_end(t);

	t = rx_begin(test);
	mx = rx_started(t, FCVI_WRITE_RQST, &iu);
	test_frame(t, mx, &iu, 21, 20, 0);
	test_rx_expect_by(t, "!write-data", "!write-data D:e20 D:e20 =lost DISC:44",
			  "!write-data D:e20 D:e20 =lost DISC:44");
	rx_after(t, mx, FCVI_WRITE_RQST);
	test_rx_end(t);
}

/* The second frame of a Message is not what it should be */
static void fcvi_rx_damaged(struct kunit *test)
{
	static const struct {
		u32 offset, len;
		u8 flags;
		bool swap;
	} frames[] = {
		{ 19, 20, 0 }, { 21, 20, 0 }, { 0, 20, 0 }, { U32_MAX, 20, 0 },
		{ 20, 41, 0 }, { 20, 41, FC2_SEND_LAST_SEQ }, { 60, 1, 0 },
		/* LS or SI before the last byte, or the one for the other */
		{ 20, 39, FC2_SEND_LAST_SEQ }, { 20, 0, FC2_SEND_LAST_SEQ },
		{ 20, 40, FC2_SEND_LAST_SEQ, true }, { 20, 40, TEST_LS | TEST_SI },
	};
	struct fcvi_mx *mx;
	struct test_rx *t;
	struct fcvi_iu iu;
	unsigned int i;
	u8 flags;

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		t = rx_begin(test);
		mx = rx_started(t, FCVI_SEND_RQST, &iu);
		flags = frames[i].flags;
		if (flags == FC2_SEND_LAST_SEQ)
			flags = frames[i].swap ? rx_last(t) ^ TEST_LS ^ TEST_SI : rx_last(t);
		test_frame(t, mx, &iu, frames[i].offset, frames[i].len, flags);
		test_rx_expect_by(t, "D:e50", "D:e50 D:e20 =lost DISC:40",
				  "D:e50 D:e20 =lost DISC:40");
		rx_after(t, mx, FCVI_SEND_RQST);
		test_rx_end(t);
	}
}

/* Fields that are those of the Message change in it */
static void fcvi_rx_changes(struct kunit *test)
{
	struct fcvi_mx *mx;
	struct test_rx *t;
	struct fcvi_iu iu;
	unsigned int i;

	for (i = 0; i < 7; i++) {
		t = rx_begin(test);
		mx = rx_started(t, FCVI_WRITE_RQST, &iu);
		iu.opcode = i == 0 ? FCVI_SEND_RQST : iu.opcode;
		iu.handle += i == 1;
		iu.msg_id += i == 2;
		iu.tot_len += i == 3;
		iu.flags ^= i == 4 ? FCVI_IMM_DATA : 0;
		iu.rmt_va += i == 5;
		iu.rmt_va_handle += i == 6;
		test_frame(t, mx, &iu, 20, 20, 0);
		test_rx_expect_by(t, "!write-data", "!write-data D:e20 D:e20 =lost DISC:44",
				  "!write-data D:e20 D:e20 =lost DISC:44");
		rx_after(t, mx, FCVI_WRITE_RQST);
		test_rx_end(t);
	}
	/* Those of a Send that are reserved may, FC-VI 5.9.5 */
	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	iu.rmt_va++;
	iu.rmt_va_handle++;
	iu.param++;
	test_frame(t, mx, &iu, 20, 40, rx_last(t));
	test_rx_expect_by(t, "D:60", "D:60", "D:60 SEND-RESP:0");
	test_rx_end(t);
}

/* Handles that no endpoint has, another port's, one that rests; endpoints that take nothing */
static void fcvi_rx_handles(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10), other = iu;
	struct sk_buff *skb = alloc_skb(0, GFP_ATOMIC);

	test_post(t, 10);
	other.handle++;
	test_message(t, &other);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_BAD_HANDLE), 1);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	fcvi_rx_alone(&t->p->port, &t->rport, &iu, skb, 0);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_BAD_HANDLE), 2);
	test_rx_expect(t, "");
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	test_message(t, &iu);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_NOT_CONNECTED), 1);
	test_rx_expect(t, "D:e20 DISC-app");
	test_disc_resp(t->p, FCVI_DISCONNECTED);
	test_message(t, &iu);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_NOT_CONNECTED), 2);
	test_pass(t->p, TEST_TOV);
	test_message(t, &iu);
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_BAD_HANDLE), 3);
	test_rx_expect(t, "=disconnected");
	test_rx_end(t);
}

/* Messages that a level does not have */
static void fcvi_rx_not_of_level(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_READ_RQST, 1, 10);

	test_post(t, 10);
	if (t->vi->attrs.level == FCVI_UD) {
		KUNIT_EXPECT_NULL(test, test_begin(t, &iu));
	} else if (t->vi->attrs.level == FCVI_RR) {
		iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
		test_alone(t, &iu);
	} else {
		iu.opcode = FCVI_SEND_RESP;
		KUNIT_EXPECT_NULL(test, test_begin(t, &iu));
	}
	test_rx_expect(t, "D:e20 =lost DISC:48");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_NOT_ALLOWED), 1);
	KUNIT_EXPECT_EQ(test, t->vi->state, FCVI_ERROR);
	test_rx_end(t);
}

/* FC-VI C.5.5: what comes before the connection stands waits for it, but on Unreliable Delivery */
static void fcvi_rx_early(struct kunit *test)
{
	struct test_rx *t = test_rx_pending(test, test_level(test), true);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	struct fcvi_mx *mx;

	test_post(t, 100);
	test_post(t, 100);
	test_message(t, &iu);
	iu = test_iu(t, FCVI_SEND_RQST, 2, 60);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 20, 0);
	test_rx_expect(t, "");
	test_rx_connect(t);
	test_rx_expect_by(t, "RESP2 =connected =complete", "RESP2 =connected =complete D:10",
			  "RESP2 =connected =complete D:10 SEND-RESP:0");
	test_frame(t, mx, &iu, 20, 40, rx_last(t));
	test_rx_expect_by(t, "", "D:60", "D:60 SEND-RESP:0");
	KUNIT_EXPECT_EQ(test, test_stat(t, FCVI_MSG_NOT_CONNECTED), mx ? 0 : 2);
	test_rx_end(t);

	/* An error waits for it, too */
	t = test_rx_pending(test, test_level(test), true);
	test_post(t, 100);
	iu = test_iu(t, FCVI_SEND_RQST, 2, 10);
	test_message(t, &iu);
	iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	test_message(t, &iu);
	test_rx_connect(t);
	test_rx_expect_by(t, "RESP2 =connected =complete", "RESP2 =connected D:e20 =lost DISC:40",
			  "RESP2 =connected D:e20 =lost DISC:40");
	test_rx_end(t);
}

/* The user disconnects when a Descriptor completes, well or not */
static void fcvi_rx_disconnects(struct kunit *test)
{
	struct test_rx *t = rx_begin(test);
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	struct fcvi_mx *mx;

	test_post(t, 10);
	test_post(t, 10);
	t->disconnect = true;
	test_message(t, &iu);
	test_rx_expect(t, "D:10 D:e20 DISC-app");
	test_rx_end(t);

	t = rx_begin(test);
	mx = rx_started(t, FCVI_SEND_RQST, &iu);
	t->disconnect = true;
	test_mx_over(t, mx, -EILSEQ);
	test_rx_expect(t, "D:e50 D:e20 DISC-app");
	test_rx_end(t);
}

static struct kunit_case fcvi_rx_cases[] = {
	KUNIT_CASE_PARAM(fcvi_rx_sends, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_wrap, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_gap, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_twice, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_ends, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_write_ends, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_damaged, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_changes, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_handles, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_not_of_level, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_early, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_rx_disconnects, test_level_gen_params),
	{}
};

static struct kunit_suite fcvi_rx_suite = {
	.name		= "fcvi_rx",
	.test_cases	= fcvi_rx_cases,
};

kunit_test_suites(&fcvi_rx_suite);
