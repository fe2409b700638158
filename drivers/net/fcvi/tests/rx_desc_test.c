// SPDX-License-Identifier: GPL-2.0
/*
 * Receive Descriptors: none, too short, malformed, gone; those that users give by struct
 * fcvi_user_ops' take; order of completion, VI-ARCH 6.3.1.1.
 */
#include "disconnect.h"
#include "rx.h"
#include "rx_state.h"

KUNIT_ARRAY_PARAM(test_level, test_levels, test_level_desc);

static void desc_stat(struct test_rx *t, enum fcvi_msg_stat stat)
{
	bool stays = t->vi->attrs.level == FCVI_UD;

	KUNIT_EXPECT_EQ(t->p->test, test_stat(t, stat), 1);
	KUNIT_EXPECT_EQ(t->p->test, t->vi->msg_stats[stat], 1);
	KUNIT_EXPECT_EQ(t->p->test, t->vi->state, stays ? FCVI_CONNECTED : FCVI_ERROR);
}

/* A Message of three frames that fails with the first one; on Reliable Reception told at its end */
static void desc_send(struct test_rx *t, const char *ud, const char *rd, const char *first,
		      const char *last)
{
	bool rr = t->vi->attrs.level == FCVI_RR;
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 60);
	struct fcvi_mx *mx = test_begin(t, &iu);

	test_frame(t, mx, &iu, 0, 20, 0);
	test_frame(t, mx, &iu, 20, 20, 0);
	test_rx_expect_by(t, ud, rd, first);
	test_frame(t, mx, &iu, 40, 20, rr ? TEST_SI : TEST_LS);
	test_rx_expect_by(t, "", "", last);
}

static void fcvi_desc_none(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct fcvi_iu iu;

	desc_send(t, "!empty", "!empty =lost DISC:42", "!empty", "SEND-RESP:3 =lost DISC:42");
	desc_stat(t, FCVI_MSG_NO_DESC);
	test_rx_end(t);

	t = test_rx(test, test_level(test), true);
	iu = test_iu(t, FCVI_SEND_RQST, 1, 10);
	test_message(t, &iu);
	test_rx_expect_by(t, "!empty", "!empty =lost DISC:42",
			  "!empty SEND-RESP:3 =lost DISC:42");
	desc_stat(t, FCVI_MSG_NO_DESC);
	if (test_level(test) == FCVI_UD) {
		/* The next one finds one */
		test_post(t, 10);
		iu.msg_id = 2;
		test_message(t, &iu);
		test_rx_expect(t, "D:10");
	}
	test_rx_end(t);
}

static void fcvi_desc_short(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);

	test_post(t, 59);
	desc_send(t, "D:e8", "D:e8 =lost DISC:42", "D:e8", "SEND-RESP:3 =lost DISC:42");
	desc_stat(t, FCVI_MSG_TOO_LONG);
	test_rx_end(t);

	/* More than the endpoint has in one Message, VI-DG 5.2 */
	t = test_rx(test, test_level(test), true);
	t->vi->attrs.max_trans_size = 59;
	test_post(t, 60);
	desc_send(t, "D:e8", "D:e8 =lost DISC:42", "D:e8", "SEND-RESP:3 =lost DISC:42");
	desc_stat(t, FCVI_MSG_TOO_LONG);
	test_rx_end(t);
}

/* Memory of the Descriptor goes away */
static void fcvi_desc_memory(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);

	test_post(t, 60);
	t->left = 20;
	desc_send(t, "D:e4", "D:e4 =lost DISC:42", "D:e4", "SEND-RESP:3 =lost DISC:42");
	desc_stat(t, FCVI_MSG_PROTECTION);
	test_rx_end(t);
}

/* Descriptors that a user knows to be malformed complete in their turn */
static void fcvi_desc_malformed(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct test_desc *bad = t->descs + 1;
	struct fcvi_iu iu = test_iu(t, FCVI_SEND_RQST, 1, 60);
	struct fcvi_mx *mx;

	test_post(t, 60);
	mx = test_begin(t, &iu);
	test_frame(t, mx, &iu, 0, 20, 0);
	t->nr_posted++;
	bad->desc = (struct fcvi_desc) { .op = FCVI_OP_RECV, .error = FCVI_ERR_FORMAT };
	bad->posted = true;
	KUNIT_EXPECT_EQ(test, fcvi_post_recv(t->vi, &bad->desc), 0);
	test_post(t, 60);
	test_rx_expect(t, "");
	test_frame(t, mx, &iu, 20, 40, test_level(test) == FCVI_RR ? TEST_SI : TEST_LS);
	test_rx_expect_by(t, "D:60 D:e2", "D:60 D:e2 D:e20 =lost DISC:42",
			  "D:60 SEND-RESP:0 D:e2 D:e20 =lost DISC:42");
	test_rx_end(t);
}

/* VI-ARCH 5.1 to 5.4 */
static void fcvi_desc_states(struct kunit *test)
{
	struct test_rx *t = test_rx(test, test_level(test), true);
	struct test_desc late = { .posted = true };

	test_post(t, 10);
	test_post(t, 10);
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	test_rx_expect(t, "D:e20 D:e20 DISC-app");
	test_post(t, 10);
	test_rx_expect(t, "D:e20");
	test_disc_resp(t->p, FCVI_DISCONNECTED);
	test_rx_expect(t, "=disconnected");
	/* Idle: it stays until a Disconnect */
	test_post(t, 10);
	test_rx_expect(t, "");
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	test_rx_expect(t, "D:e20 =disconnected");
	t->vi->rx.nr_posted = 65536;
	KUNIT_EXPECT_EQ(test, fcvi_post_recv(t->vi, &late.desc), -ENOBUFS);
	t->vi->rx.nr_posted = 0;
	test_rx_end(t);
}

/* A Write without order completes when Sends that came before it do; in their order */
static void fcvi_desc_fifo(struct kunit *test)
{
	struct test_rx *t = test_rx(test, FCVI_UD, false);
	struct fcvi_iu one = test_iu(t, FCVI_SEND_RQST, 1, 60);
	struct fcvi_iu two = test_iu(t, FCVI_SEND_RQST, 2, 10);
	struct fcvi_iu three = test_iu(t, FCVI_WRITE_RQST, 3, 10);
	struct fcvi_mx *mx;

	test_post(t, 60);
	test_post(t, 60);
	test_post(t, 60);
	mx = test_begin(t, &one);
	test_frame(t, mx, &one, 40, 20, 0);
	test_alone(t, &two);
	three.flags = FCVI_IMM_DATA;
	test_alone(t, &three);
	test_rx_expect(t, "");
	test_frame(t, mx, &one, 0, 20, 0);
	test_frame(t, mx, &one, 20, 20, TEST_LS);
	test_rx_expect(t, "D:60 D:10 D:10-I0-W");

	/* The first one fails */
	test_post(t, 60);
	test_post(t, 60);
	one.msg_id = 4;
	two.msg_id = 5;
	mx = test_begin(t, &one);
	test_frame(t, mx, &one, 40, 20, 0);
	test_alone(t, &two);
	test_rx_expect(t, "");
	test_mx_over(t, mx, -EILSEQ);
	test_rx_expect(t, "D:e50 D:10");

	/* The connection ends: what is whole stays so */
	test_post(t, 60);
	test_post(t, 60);
	one.msg_id = 6;
	two.msg_id = 7;
	mx = test_begin(t, &one);
	test_frame(t, mx, &one, 40, 20, 0);
	test_alone(t, &two);
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	test_rx_expect(t, "D:e20 D:10 DISC-app");
	test_rx_end(t);
}

/* Each Message has its own Descriptor, and waits for no other */
static struct fcvi_desc *desc_take(struct fcvi_vi *vi, u32 len)
{
	struct test_rx *t = vi->priv;
	struct test_desc *d;

	if (len == 33)
		return NULL;
	d = t->descs + t->nr_posted++;
	d->desc = (struct fcvi_desc) { .op = FCVI_OP_RECV, .len = len };
	d->posted = true;
	return &d->desc;
}

static void fcvi_desc_take(struct kunit *test)
{
	struct test_rx *t = test_rx(test, FCVI_UD, false);
	struct fcvi_user_ops user = *t->vi->user;
	struct fcvi_iu one = test_iu(t, FCVI_SEND_RQST, 1, 60);
	struct fcvi_iu two = test_iu(t, FCVI_SEND_RQST, 2, 10);
	struct fcvi_mx *mx;

	user.take = desc_take;
	t->vi->user = &user;
	mx = test_begin(t, &one);
	test_frame(t, mx, &one, 40, 20, 0);
	test_alone(t, &two);
	test_rx_expect(t, "D:10");
	two = test_iu(t, FCVI_SEND_RQST, 3, 33);
	test_alone(t, &two);
	test_rx_expect(t, "!empty");
	test_frame(t, mx, &one, 0, 20, 0);
	test_frame(t, mx, &one, 20, 20, TEST_LS);
	test_rx_expect(t, "D:60");
	test_has(t, &one, t->descs[0].buf);
	one.msg_id = 4;
	mx = test_begin(t, &one);
	test_frame(t, mx, &one, 40, 20, 0);
	KUNIT_EXPECT_EQ(test, fcvi_disconnect(t->vi), 0);
	test_rx_expect(t, "D:e20 DISC-app");
	test_rx_end(t);
}

static struct kunit_case fcvi_desc_cases[] = {
	KUNIT_CASE_PARAM(fcvi_desc_none, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_desc_short, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_desc_memory, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_desc_malformed, test_level_gen_params),
	KUNIT_CASE_PARAM(fcvi_desc_states, test_level_gen_params),
	KUNIT_CASE(fcvi_desc_fifo),
	KUNIT_CASE(fcvi_desc_take),
	{}
};

static struct kunit_suite fcvi_desc_suite = {
	.name		= "fcvi_desc",
	.test_cases	= fcvi_desc_cases,
};

kunit_test_suites(&fcvi_desc_suite);
