// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of ABTS, BA_ACC and BA_RJT.
 */
#include <linux/module.h>
#include <linux/st_compat.h>

#include "fake.h"
#include "user.h"
#include "wire.h"

#define END	FC2_SEND_END_SEQ
#define GIVE	(FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE)

#define BLS_OX_ID	0x4321
#define BLS_RX_ID	0x0077

/* BA_ACC: SEQ_ID not valid; OX_ID; RX_ID; SEQ_CNT 0 to FFFF: the whole Exchange */
static void bls_acc(u8 *p, u16 ox_id, u16 rx_id)
{
	const u8 acc[] = { 0, 0, 0, 0, ox_id >> 8, ox_id, rx_id >> 8, rx_id, 0, 0, 0xff, 0xff };

	memcpy(p, acc, sizeof(acc));
}

static struct wire_frame *bls_frame(struct kunit *test, u8 r_ctl, u32 f_ctl, u16 ox_id, u16 rx_id)
{
	struct wire_frame *frame = wire_frame(test, 0, f_ctl);

	frame->r_ctl = r_ctl;
	frame->ox_id = ox_id;
	frame->rx_id = rx_id;
	if (r_ctl == 0x84) {
		bls_acc(frame->data, ox_id, rx_id);
		frame->len = 12;
	}
	return frame;
}

/* The remote port originates an Exchange, and its first frame arrives */
static struct fc2_exch *bls_begin(struct kunit *test, struct fc2_rport *rport)
{
	struct wire_frame *frame = wire_frame(test, USER_TYPE, 0x290000);

	frame->ox_id = BLS_OX_ID;
	wire_rx(test, rport->port, frame);
	KUNIT_ASSERT_NOT_NULL(test, user_told.exch);
	return user_told.exch;
}

/* What is sent is this frame, from the port to the remote port, and no more */
static void bls_expect_sent(struct kunit *test, struct fc2_port *port, struct wire_frame *want)
{
	struct wire_frame *frame = wire_frame(test, 0, 0);

	want->d_id = WIRE_PEER;
	want->s_id = WIRE_ID;
	KUNIT_ASSERT_TRUE(test, wire_sent(test, port, frame));
	KUNIT_EXPECT_MEMEQ(test, frame, want, sizeof(*want));
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
}

/**
 * struct test_abts - an ABTS that arrives
 * @name: what it is about
 * @known: there is such an Exchange, which the remote port has originated
 * @own: there is such an Exchange, which this port has originated
 * @f_ctl: F_CTL of the ABTS
 * @rx_id: RX_ID of the ABTS
 * @reject: BA_RJT is the answer
 * @answer: F_CTL of the answer
 */
struct test_abts {
	const char	*name;
	bool		known;
	bool		own;
	u32		f_ctl;
	u16		rx_id;
	bool		reject;
	u32		answer;
};

static const struct test_abts test_abtss[] = {
	{ "of an Exchange of theirs", true, false, 0x090000, 0xffff, false, 0xd80000 },
	{ "of nothing, FC-VI C.5.7.1", false, false, 0x090000, 0xffff, false, 0xd80000 },
	{ "of nothing, by the responder", false, false, 0x890000, BLS_RX_ID, false, 0x580000 },
	{ "of an Exchange of ours", false, true, 0x890000, BLS_RX_ID, false, 0x580000 },
	{ "with another RX_ID", true, false, 0x090000, 0x7777, true, 0xd80000 },
};

KUNIT_ARRAY_PARAM_DESC(test_abts, test_abtss, name);

static void fc2_bls_abts(struct kunit *test)
{
	const struct test_abts *t = test->param_value;
	struct fc2_rport *rport = user_peer(test);
	struct fc2_port *port = rport->port;
	struct wire_frame *want;
	u16 ox_id = BLS_OX_ID;
	bool ends = (t->known || t->own) && !t->reject;

	if (t->known)
		bls_begin(test, rport);
	if (t->own) {
		struct fc2_exch *exch = user_open(test, rport);

		KUNIT_ASSERT_EQ(test, user_send(test, exch, GIVE), 0);
		ox_id = exch->ox_id;
	}
	wire_count(port);
	wire_rx(test, port, bls_frame(test, 0x81, t->f_ctl, ox_id, t->rx_id));
	want = bls_frame(test, t->reject ? 0x85 : 0x84, t->answer, ox_id, t->rx_id);
	if (t->reject) {
		/* Logical error, invalid OX_ID and RX_ID */
		memcpy(want->data, (const u8 []) { 0, 3, 3, 0 }, 4);
		want->len = 4;
	}
	bls_expect_sent(test, port, want);
	KUNIT_EXPECT_EQ(test, user_told.ends, ends);
	KUNIT_EXPECT_EQ(test, user_told.err, ends ? -ECONNABORTED : 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ABTS_RECEIVED), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_BA_RJT_SENT), t->reject);

	/* The same once more: the same answer, but nobody is told again */
	wire_rx(test, port, bls_frame(test, 0x81, t->f_ctl, ox_id, t->rx_id));
	bls_expect_sent(test, port, want);
	KUNIT_EXPECT_EQ(test, user_told.ends, ends);
}

/* After an ABTS the frames of the Exchange are dropped for R_A_TOV */
static void fc2_bls_after(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_exch *exch = bls_begin(test, rport);
	struct wire_frame *frame = wire_frame(test, USER_TYPE, 0x180000);

	refcount_inc(&exch->refs);
	wire_rx(test, rport->port, bls_frame(test, 0x81, 0x090000, BLS_OX_ID, 0xffff));
	frame->ox_id = BLS_OX_ID;
	frame->cnt = 1;
	wire_rx(test, rport->port, frame);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_XID), 1);
	KUNIT_EXPECT_EQ(test, user_told.frames, 1);
	user_expire(test, exch, 4000);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
	fc2_exch_put(exch);
}

/* ABTS of the Exchange, with the SEQ_ID of the last Sequence and the SEQ_CNT that would be next */
static void bls_abort(struct kunit *test, struct fc2_exch *exch, u32 f_ctl)
{
	struct fc2_port *port = exch->rport->port;
	struct wire_frame *want = bls_frame(test, 0x81, f_ctl, exch->ox_id, exch->rx_id);

	want->seq_id = exch->tx.seq_id;
	want->cnt = exch->tx.cnt;
	want->sof = want->cnt ? 0x36 : 0x2e;
	fc2_exch_abort(exch);
	bls_expect_sent(test, port, want);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ABTS_SENT), 1);
	KUNIT_EXPECT_EQ(test, user_send(test, exch, END), -ENOTCONN);
	/* Once is enough */
	fc2_exch_abort(exch);
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
}

/* BA_ACC, and BA_RJT as well, frees the OX_ID; the FC-4 is told nothing */
static void fc2_bls_abort_answered(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_port *port = rport->port;
	unsigned int r_ctl;

	for (r_ctl = 0x84; r_ctl <= 0x85; r_ctl++) {
		struct fc2_exch *exch = user_open(test, rport);
		struct wire_frame *want;
		u16 ox_id = exch->ox_id;

		KUNIT_ASSERT_EQ(test, user_send(test, exch, 0), 0);
		KUNIT_ASSERT_EQ(test, user_send(test, exch, 0), 0);
		wire_count(port);
		want = bls_frame(test, 0x81, 0x090000, ox_id, 0xffff);
		want->seq_id = exch->tx.seq_id;
		want->cnt = 2;
		want->sof = 0x36;
		fc2_exch_abort(exch);
		bls_expect_sent(test, port, want);
		/* Of the wrong side, and of another Exchange: no answer */
		wire_rx(test, port, bls_frame(test, r_ctl, 0x580000, ox_id, 0xffff));
		wire_rx(test, port, bls_frame(test, r_ctl, 0xd80000, ox_id + 1, 0xffff));
		KUNIT_EXPECT_EQ(test, user_own(port), 1);
		wire_rx(test, port, bls_frame(test, r_ctl, 0xd80000, ox_id, 0xffff));
		KUNIT_EXPECT_EQ(test, user_own(port), 0);
		KUNIT_EXPECT_EQ(test, wire_count(port), 0);
	}
	KUNIT_EXPECT_EQ(test, user_told.ends, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_BA_ACC_RECEIVED), 3);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_BA_RJT_RECEIVED), 3);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(rport->seq_ids, 256));
}

/* Without an answer the OX_ID is not used for R_A_TOV, and another R_A_TOV */
static void fc2_bls_abort_silence(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_exch *exch = user_open(test, rport);

	KUNIT_ASSERT_EQ(test, user_send(test, exch, GIVE), 0);
	wire_count(rport->port);
	refcount_inc(&exch->refs);
	bls_abort(test, exch, 0x090000);
	user_expire(test, exch, 4000);
	KUNIT_EXPECT_EQ(test, user_own(rport->port), 1);
	KUNIT_EXPECT_EQ(test, exch->state, FC2_EXCH_RESTING);
	user_expire(test, exch, 4000);
	KUNIT_EXPECT_EQ(test, user_own(rport->port), 0);
	KUNIT_EXPECT_EQ(test, user_told.ends, 0);
	fc2_exch_put(exch);
}

/* The responder can abort, too */
static void fc2_bls_abort_responder(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_exch *exch = bls_begin(test, rport);

	refcount_inc(&exch->refs);
	bls_abort(test, exch, 0x890000);
	wire_rx(test, rport->port, bls_frame(test, 0x84, 0x580000, BLS_OX_ID, exch->rx_id));
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
	KUNIT_EXPECT_EQ(test, user_told.ends, 0);
	fc2_exch_put(exch);
}

/* A BA_ACC that nobody has asked for ends nothing; unknown services are counted */
static void fc2_bls_stray(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_exch *exch = user_open(test, rport);

	wire_rx(test, rport->port, bls_frame(test, 0x84, 0xd80000, exch->ox_id, 0xffff));
	KUNIT_EXPECT_EQ(test, user_own(rport->port), 1);
	wire_rx(test, rport->port, bls_frame(test, 0x80, 0x090000, exch->ox_id, 0xffff));
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_R_CTL), 0);
	wire_rx(test, rport->port, bls_frame(test, 0x82, 0x090000, exch->ox_id, 0xffff));
	wire_rx(test, rport->port, bls_frame(test, 0x8f, 0x090000, exch->ox_id, 0xffff));
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_R_CTL), 2);
	KUNIT_EXPECT_EQ(test, wire_count(rport->port), 0);
	fc2_exch_close(exch);
}

static struct kunit_case fc2_bls_cases[] = {
	KUNIT_CASE_PARAM(fc2_bls_abts, test_abts_gen_params),
	KUNIT_CASE(fc2_bls_after),
	KUNIT_CASE(fc2_bls_abort_answered),
	KUNIT_CASE(fc2_bls_abort_silence),
	KUNIT_CASE(fc2_bls_abort_responder),
	KUNIT_CASE(fc2_bls_stray),
	{}
};

static struct kunit_suite fc2_bls_suite = {
	.name		= "fc2_bls",
	.test_cases	= fc2_bls_cases,
};

kunit_test_suites(&fc2_bls_suite);
