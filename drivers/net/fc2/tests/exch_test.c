// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of Exchanges: who gets a frame, and how Exchanges end.
 */
#include <linux/module.h>
#include <linux/st_compat.h>
#include <linux/workqueue.h>

#include "fake.h"
#include "user.h"
#include "vn.h"
#include "wire.h"

#define END	FC2_SEND_END_SEQ
#define LAST	(FC2_SEND_END_SEQ | FC2_SEND_LAST_SEQ)
#define GIVE	(FC2_SEND_END_SEQ | FC2_SEND_INITIATIVE)

#define EXCH_OX_ID	0x4321

static void exch_expect_told(struct kunit *test, unsigned int frames, unsigned int ends, int err)
{
	KUNIT_EXPECT_EQ(test, user_told.frames, frames);
	KUNIT_EXPECT_EQ(test, user_told.ends, ends);
	KUNIT_EXPECT_EQ(test, user_told.err, err);
}

/* A frame of an Exchange that the remote port has originated arrives */
static void exch_rx(struct kunit *test, struct fc2_rport *rport, u32 f_ctl, u16 cnt, u16 ox_id)
{
	struct wire_frame *frame = wire_frame(test, USER_TYPE, f_ctl);

	frame->cnt = cnt;
	frame->sof = cnt ? 0x36 : 0x2e;
	frame->ox_id = ox_id;
	frame->len = 8;
	wire_rx(test, rport->port, frame);
	kunit_kfree(test, frame);
}

/* An answer of the remote port arrives, with its RX_ID 0077 */
static void exch_answer(struct kunit *test, struct fc2_exch *exch, u32 s_id, u32 f_ctl, u16 cnt)
{
	struct wire_frame *frame = wire_frame(test, USER_TYPE, f_ctl);

	frame->s_id = s_id;
	frame->cnt = cnt;
	frame->ox_id = exch->ox_id;
	frame->rx_id = 0x77;
	wire_rx(test, exch->rport->port, frame);
	kunit_kfree(test, frame);
}

/* Our request, their answer, our last word; SEQ_CNT of each side goes on */
static void fc2_exch_originate(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test), *other;
	struct fc2_port *port = rport->port;
	struct wire_frame *frame = wire_frame(test, 0, 0);
	struct fc2_exch *exch = user_open(test, rport);

	other = wire_rport(test, port, 0x789);
	KUNIT_ASSERT_EQ(test, user_send(test, exch, GIVE), 0);
	KUNIT_ASSERT_TRUE(test, wire_sent(test, port, frame));
	KUNIT_EXPECT_EQ(test, frame->rx_id, 0xffff);

	/* Those of another port, and those that seem to begin it, are not its frames */
	exch_answer(test, exch, other->id, 0x890000, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_XID), 1);
	exch_answer(test, exch, WIRE_PEER, 0x090000, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_XID), 2);
	exch_expect_told(test, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, exch->rx_id, 0xffff);

	exch_answer(test, exch, WIRE_PEER, 0x890000, 0);
	exch_expect_told(test, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, user_told.flags[0], GIVE);
	KUNIT_ASSERT_EQ(test, user_send(test, exch, GIVE), 0);
	KUNIT_ASSERT_TRUE(test, wire_sent(test, port, frame));
	KUNIT_EXPECT_EQ(test, frame->rx_id, 0x77);
	KUNIT_EXPECT_EQ(test, frame->cnt, 1);
	KUNIT_EXPECT_EQ(test, frame->f_ctl, 0x090000);

	exch_answer(test, exch, WIRE_PEER, 0x980000, 1);
	exch_expect_told(test, 2, 1, 0);
	KUNIT_EXPECT_EQ(test, user_told.flags[1], LAST);
	KUNIT_EXPECT_EQ(test, user_own(port), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&port->own_exch_count), 0);
}

/* Their request, our answer with an RX_ID of ours, and their last word */
static void fc2_exch_respond(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_port *port = rport->port;
	struct wire_frame *frame = wire_frame(test, 0, 0);

	exch_rx(test, rport, 0x290000, 0, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, user_told.opened, 1);
	exch_expect_told(test, 1, 0, 0);
	KUNIT_ASSERT_EQ(test, user_send(test, user_told.exch, GIVE), 0);
	KUNIT_ASSERT_TRUE(test, wire_sent(test, port, frame));
	KUNIT_EXPECT_EQ(test, frame->ox_id, EXCH_OX_ID);
	KUNIT_EXPECT_NE(test, frame->rx_id, 0xffff);
	KUNIT_EXPECT_EQ(test, frame->f_ctl, 0x890000);
	KUNIT_EXPECT_EQ(test, frame->cnt, 0);
	exch_rx(test, rport, 0x180000, 1, EXCH_OX_ID);
	exch_expect_told(test, 2, 1, 0);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&rport->exchs), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_EXCH_ACCEPTED), 1);
}

/* One that is refused leaves nothing behind */
static void fc2_exch_refuse(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);

	user_told.refuse = -EBUSY;
	exch_rx(test, rport, 0x290000, 0, EXCH_OX_ID);
	exch_expect_told(test, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_REFUSED), 1);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
	exch_rx(test, rport, 0x180000, 1, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_XID), 1);
}

/* Frames that cannot begin an Exchange on a port with order */
static void fc2_exch_no_begin(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);

	exch_rx(test, rport, 0x090000, 0, EXCH_OX_ID);
	exch_rx(test, rport, 0x290000, 1, EXCH_OX_ID);
	exch_rx(test, rport, 0x990000, 0, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, user_told.opened, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_XID), 3);
}

/* With order, a gap ends the Exchange; its frames are dropped until it begins anew */
static void fc2_exch_gap(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_port *port = rport->port;
	struct fc2_exch *exch;

	exch_rx(test, rport, 0x200000, 0, EXCH_OX_ID);
	exch_rx(test, rport, 0x200000, 2, EXCH_OX_ID);
	exch_expect_told(test, 1, 1, -EILSEQ);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_SEQ_CNT), 1);
	exch_rx(test, rport, 0x200000, 1, EXCH_OX_ID);
	exch_rx(test, rport, 0x380000, 3, EXCH_OX_ID);
	exch_expect_told(test, 1, 1, -EILSEQ);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_XID), 2);
	exch_rx(test, rport, 0x380000, 0, EXCH_OX_ID);
	exch_expect_told(test, 2, 2, 0);

	/* Such an Exchange is forgotten after R_A_TOV */
	exch_rx(test, rport, 0x200000, 0, EXCH_OX_ID);
	exch = user_told.exch;
	refcount_inc(&exch->refs);
	exch_rx(test, rport, 0x200000, 2, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, 1);
	user_expire(test, exch, 4000);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, 0);
	fc2_exch_put(exch);
}

/* With order, what begins anew ends what had the same OX_ID */
static void fc2_exch_anew(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);

	exch_rx(test, rport, 0x200000, 0, EXCH_OX_ID);
	exch_rx(test, rport, 0x200000, 0, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, user_told.opened, 2);
	exch_expect_told(test, 2, 1, -EILSEQ);
	exch_rx(test, rport, 0x380000, 1, EXCH_OX_ID);
	exch_expect_told(test, 3, 2, 0);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
}

/* How long frames may be missing: E_D_TOV with order, R_A_TOV without; twice between Sequences */
static void fc2_exch_timeout(struct kunit *test)
{
	static const struct { bool ordered; u32 f_ctl; unsigned int ms; } cases[] = {
		{ true, 0x200000, 2000 },
		{ true, 0x280000, 8000 },
		{ false, 0x200000, 4000 },
		{ false, 0x280000, 4000 },
	};
	struct fc2_rport *rport = user_peer(test);
	struct fc2_exch *exch;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rport->port->params.ordered = cases[i].ordered;
		exch_rx(test, rport, cases[i].f_ctl, 0, EXCH_OX_ID + i);
		exch = user_told.exch;
		refcount_inc(&exch->refs);
		user_expire(test, exch, cases[i].ms);
		exch_expect_told(test, i + 1, i + 1, -EILSEQ);
		KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_EXCH_TIMEOUT), i + 1);
		user_expire(test, exch, 4000);
		KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
		fc2_exch_put(exch);
	}
	/* While this side has Sequence Initiative, nothing is waited for */
	exch_rx(test, rport, 0x290000, 0, EXCH_OX_ID);
	KUNIT_EXPECT_FALSE(test, timer_pending(&user_told.exch->timer));
}

/* Without order: any order, with doubles; all frames come once, the last one to arrive completes */
static void fc2_exch_random(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	unsigned int round, i, n, other;
	struct rnd_state rnd;
	u16 order[20], cnt;
	u32 f_ctl;

	rport->port->params.ordered = false;
	wire_seed(test, &rnd);
	for (round = 1; round <= 100; round++) {
		DECLARE_BITMAP(seen, ARRAY_SIZE(order)) = {};
		u64 doubles = fc2_stat_read(rport->port, FC2_STAT_RX_DOUBLE);
		unsigned int again = 0;

		user_told.frames = 0;
		n = 1 + prandom_u32_state(&rnd) % ARRAY_SIZE(order);
		for (i = 0; i < n; i++)
			order[i] = i;
		for (i = n - 1; i; i--) {
			other = prandom_u32_state(&rnd) % (i + 1);
			swap(order[i], order[other]);
		}
		for (i = 0; i < n; i++) {
			cnt = order[i];
			f_ctl = cnt == n - 1 ? 0x380000 : 0x200000;
			exch_rx(test, rport, f_ctl, cnt, round);
			if (i < n - 1 && prandom_u32_state(&rnd) % 4 == 0) {
				again++;
				exch_rx(test, rport, f_ctl, cnt, round);
			}
		}
		KUNIT_ASSERT_EQ(test, user_told.frames, n);
		KUNIT_ASSERT_EQ(test, user_told.opened, round);
		KUNIT_ASSERT_EQ(test, user_told.ends, round);
		KUNIT_ASSERT_EQ(test, user_told.err, 0);
		for (i = 0; i < n; i++) {
			KUNIT_ASSERT_EQ(test, user_told.cnt[i], order[i]);
			KUNIT_ASSERT_EQ(test, user_told.flags[i], i == n - 1 ? LAST : 0);
			__set_bit(user_told.cnt[i], seen);
		}
		KUNIT_ASSERT_EQ(test, bitmap_weight(seen, ARRAY_SIZE(order)), n);
		KUNIT_ASSERT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_DOUBLE) - doubles,
				again);
	}
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
}

/* Without order doubled frames begin Exchanges of which no more comes: the oldest make room */
static void fc2_exch_doubled(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	struct fc2_port *port = rport->port;
	struct fc2_exch *exch;
	unsigned int i;

	port->params.ordered = false;
	port->params.r_a_tov = FC2_TOV_MAX;
	for (i = 0; i < FC2_EXCH_RPORT_MAX; i++)
		exch_rx(test, rport, 0x200000, 1, i);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, FC2_EXCH_RPORT_MAX);
	/* As if none but two had got a frame for a second */
	rcu_read_lock();
	for (i = 2; i < FC2_EXCH_RPORT_MAX; i++) {
		exch = fc2_exch_find_peer(port, rport->id, i);
		mod_timer_pending(&exch->timer, exch->timer.expires - HZ);
	}
	rcu_read_unlock();
	for (i = 0; i < 40; i++)
		exch_rx(test, rport, 0x200000, 0, 0x7000 + i);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_EXCH_FULL), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_EXCH_EVICTED), 40);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, FC2_EXCH_RPORT_MAX);
	KUNIT_EXPECT_EQ(test, user_told.ends, 40);
	KUNIT_EXPECT_EQ(test, user_told.err, -EILSEQ);
	rcu_read_lock();
	KUNIT_EXPECT_NOT_NULL(test, fc2_exch_find_peer(port, rport->id, 0));
	KUNIT_EXPECT_NOT_NULL(test, fc2_exch_find_peer(port, rport->id, 1));
	KUNIT_EXPECT_NULL(test, fc2_exch_find_peer(port, rport->id, 2));
	rcu_read_unlock();
}

/* A remote port cannot open more than its share; a logout ends them all */
static void fc2_exch_flood(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test), *other;
	struct fc2_port *port = rport->port;
	unsigned int i;

	other = wire_rport(test, port, 0x789);
	/* However long the test takes */
	port->params.e_d_tov = FC2_TOV_MAX;
	for (i = 0; i < FC2_EXCH_RPORT_MAX + 20; i++)
		exch_rx(test, rport, 0x200000, 0, i);
	KUNIT_EXPECT_EQ(test, user_told.opened, FC2_EXCH_RPORT_MAX);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, FC2_EXCH_RPORT_MAX);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_EXCH_FULL), 20);
	wire_logout(other);
	KUNIT_EXPECT_EQ(test, user_told.ends, 0);
	wire_logout(rport);
	exch_expect_told(test, FC2_EXCH_RPORT_MAX, FC2_EXCH_RPORT_MAX, -ENOTCONN);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&rport->exchs), 0);
	exch_rx(test, rport, 0x200000, 0, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_NO_LOGIN), 1);
}

/* Own Exchanges have a limit, too; their OX_IDs are different, and not those of ELS */
static void fc2_exch_own(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);
	unsigned int i;

	for (i = 0; i < FC2_EXCH_MAX; i++)
		KUNIT_ASSERT_LT(test, user_open(test, rport)->ox_id, FC2_XID_MAX + 1);
	KUNIT_EXPECT_EQ(test, user_own(rport->port), FC2_EXCH_MAX);
	KUNIT_EXPECT_EQ(test, PTR_ERR(fc2_exch_open(rport, &user_prov, NULL, NULL, GFP_KERNEL)),
			-EAGAIN);
	wire_logout(rport);
	exch_expect_told(test, 0, FC2_EXCH_MAX, -ENOTCONN);
	KUNIT_EXPECT_EQ(test, user_own(rport->port), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&rport->port->own_exch_count), 0);
}

/* Without order any frame of the first Sequence can come first, but none from before it */
static void fc2_exch_begin_any(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);

	rport->port->params.ordered = false;
	exch_rx(test, rport, 0x200000, 0x8000, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, user_told.opened, 0);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_XID), 1);
	exch_rx(test, rport, 0x200000, 0x7fff, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, user_told.opened, 1);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 1);
}

/* single() gets what is complete and wants no answer; open() the rest */
static void fc2_exch_single(struct kunit *test)
{
	static const struct { u32 f_ctl; u16 cnt; bool single; } cases[] = {
		{ 0x380000, 0, true }, { 0x390000, 0, false }, { 0x290000, 0, false },
		{ 0x280000, 0, false }, { 0x200000, 0, false },
	};
	struct fc2_rport *rport = user_peer(test);
	struct wire_frame *frame;
	unsigned int i, singles = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		frame = wire_frame(test, USER_SINGLE, cases[i].f_ctl);
		frame->ox_id = i;
		wire_rx(test, rport->port, frame);
		singles += cases[i].single;
		KUNIT_EXPECT_EQ_MSG(test, user_told.singles, singles, "%06x", cases[i].f_ctl);
		KUNIT_EXPECT_EQ_MSG(test, user_told.opened, i + 1 - singles, "%06x",
				    cases[i].f_ctl);
	}
	user_told.refuse = -ENOENT;
	frame = wire_frame(test, USER_SINGLE, 0x380000);
	wire_rx(test, rport->port, frame);
	KUNIT_EXPECT_EQ(test, user_told.singles, singles + 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_REFUSED), 1);
}

/* The FC-4 may close or abort an Exchange while it gets a frame, also the last one */
static void fc2_exch_close_inside(struct kunit *test)
{
	static const u32 f_ctls[] = { 0x200000, 0x290000, 0x380000 };
	struct fc2_rport *rport = user_peer(test);
	unsigned int i;

	for (user_told.close = -1; user_told.close <= 1; user_told.close += 2) {
		for (i = 0; i < ARRAY_SIZE(f_ctls); i++)
			exch_rx(test, rport, f_ctls[i], 0, EXCH_OX_ID + i);
		KUNIT_EXPECT_EQ(test, user_told.ends, 0);
		if (user_told.close < 0) {
			KUNIT_EXPECT_EQ(test, wire_count(rport->port), 3);
			KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 3);
		} else {
			KUNIT_EXPECT_EQ(test, wire_count(rport->port), 0);
			KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
		}
	}
}

/* An FC-4 that goes is told that its Exchanges end; its frames then have no user */
static void fc2_exch_unregister(struct kunit *test)
{
	struct fc2_rport *rport = user_peer(test);

	user_open(test, rport);
	exch_rx(test, rport, 0x200000, 0, EXCH_OX_ID);
	fc2_prov_unregister(&user_prov);
	exch_expect_told(test, 1, 2, -ENOTCONN);
	KUNIT_EXPECT_EQ(test, user_own(rport->port), 0);
	KUNIT_EXPECT_EQ(test, rport->port->rx_exch_count, 0);
	exch_rx(test, rport, 0x200000, 1, EXCH_OX_ID);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(rport->port, FC2_STAT_RX_TYPE), 1);
	KUNIT_EXPECT_EQ(test, fc2_prov_register(&user_prov), 0);
}

/* A port with itself: the two ends of an Exchange are told apart by F_CTL bit 23 */
static void fc2_exch_self(struct kunit *test)
{
	struct fc2_port *port = user_peer(test)->port;
	struct fc2_rport *rport;
	struct fc2_exch *exch;

	rcu_read_lock();
	rport = fc2_rport_by_id(port, WIRE_ID);
	if (rport && !fc2_rport_hold(rport))
		rport = NULL;
	rcu_read_unlock();
	KUNIT_ASSERT_NOT_NULL(test, rport);
	exch = user_open(test, rport);
	KUNIT_EXPECT_EQ(test, user_send(test, exch, GIVE), 0);
	flush_work(&port->iface->local_work);
	KUNIT_EXPECT_EQ(test, user_told.opened, 1);
	exch_expect_told(test, 1, 0, 0);
	KUNIT_ASSERT_NOT_NULL(test, user_told.exch);
	KUNIT_EXPECT_PTR_NE(test, user_told.exch, exch);
	KUNIT_EXPECT_EQ(test, user_told.exch->ox_id, exch->ox_id);
	KUNIT_EXPECT_EQ(test, user_send(test, user_told.exch, LAST), 0);
	fc2_exch_close(user_told.exch);
	flush_work(&port->iface->local_work);
	exch_expect_told(test, 2, 1, 0);
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
	KUNIT_EXPECT_EQ(test, user_own(port), 0);
	KUNIT_EXPECT_EQ(test, port->rx_exch_count, 0);
	fc2_rport_put(rport);
}

static struct kunit_case fc2_exch_cases[] = {
	KUNIT_CASE(fc2_exch_originate),
	KUNIT_CASE(fc2_exch_respond),
	KUNIT_CASE(fc2_exch_refuse),
	KUNIT_CASE(fc2_exch_no_begin),
	KUNIT_CASE(fc2_exch_gap),
	KUNIT_CASE(fc2_exch_anew),
	KUNIT_CASE(fc2_exch_timeout),
	KUNIT_CASE(fc2_exch_random),
	KUNIT_CASE(fc2_exch_doubled),
	KUNIT_CASE(fc2_exch_flood),
	KUNIT_CASE(fc2_exch_own),
	KUNIT_CASE(fc2_exch_begin_any),
	KUNIT_CASE(fc2_exch_single),
	KUNIT_CASE(fc2_exch_close_inside),
	KUNIT_CASE(fc2_exch_unregister),
	KUNIT_CASE(fc2_exch_self),
	{}
};

static struct kunit_suite fc2_exch_suite = {
	.name		= "fc2_exch",
	.test_cases	= fc2_exch_cases,
};

kunit_test_suites(&fc2_exch_suite);
