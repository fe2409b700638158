// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the login with remote ports.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "els.h"
#include "fake.h"
#include "peer.h"
#include "rport.h"

static const u8 rport_enode[ETH_ALEN] = { 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee };

/* The port finds a neighbour, and gets LS_ACC to its FLOGI */
static void rport_introduce(struct kunit *test, struct fc2_port *port, u64 wwpn)
{
	struct peer_els *els;

	peer_neighbour(test, port, PEER_ID, wwpn);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_FLOGI);
	els = peer_sent(test, port, ELS_FLOGI);
	KUNIT_EXPECT_EQ(test, els->fip, FIP_DT_FLOGI);
	KUNIT_EXPECT_MEMEQ(test, els->dst, rport_enode, ETH_ALEN);
	peer_rx(test, port, peer_named(peer_answer(test, els), wwpn));
}

/* Common service parameters of a login frame, and those of class 3 */
static void rport_check_params(struct kunit *test, struct fc2_port *port,
			       const struct peer_els *els, bool plogi)
{
	const struct fc_els_flogi *login = (const struct fc_els_flogi *)els->payload;
	const struct fc_els_cssp *class = &login->fl_cssp[2];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, els->len, sizeof(*login));
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(&login->fl_wwpn), port->params.wwpn);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(&login->fl_wwnn), port->params.wwnn);
	KUNIT_EXPECT_EQ(test, ntohs(login->fl_csp.sp_bb_data), 2112);
	KUNIT_EXPECT_EQ(test, ntohs(login->fl_csp.sp_features), plogi ? 0xc002 : 0);
	KUNIT_EXPECT_EQ(test, ntohs(class->cp_class), 0x8800);
	KUNIT_EXPECT_EQ(test, ntohs(class->cp_rdfs), plogi ? 2112 : 0);
	for (i = 0; i < 4; i++)
		if (i != 2)
			KUNIT_EXPECT_EQ(test, ntohs(login->fl_cssp[i].cp_class), 0);
}

/* The port has the higher Port_Name: it sends PLOGI */
static void fc2_rport_higher(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct fc2_rport *rport;
	struct peer_els *els;

	peer_listen(test);
	rport_introduce(test, port, PEER_LOW);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_PLOGI);
	els = peer_sent(test, port, ELS_PLOGI);
	KUNIT_EXPECT_EQ(test, els->fip, 0);
	rport_check_params(test, port, els, true);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "");
	peer_rx(test, port, peer_named(peer_answer(test, els), PEER_LOW));
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
	KUNIT_EXPECT_TRUE(test, peer_told.seq_cnt[0]);
	KUNIT_EXPECT_TRUE(test, peer_told.rel_off[0]);
	KUNIT_EXPECT_EQ(test, peer_told.mfs[0], 2112);
	rcu_read_lock();
	rport = fc2_rport_by_id(port, PEER_ID);
	KUNIT_EXPECT_PTR_EQ(test, (const void *)rport, peer_told.rport[0]);
	KUNIT_EXPECT_PTR_EQ(test, fc2_rport_by_ula(port, (const u8 []){ 2, 0, 0, 0, 0, 1 }), rport);
	KUNIT_EXPECT_NULL(test, fc2_rport_by_ula(port, (const u8 []){ 2, 0, 0, 0, 0, 2 }));
	KUNIT_EXPECT_NULL(test, fc2_rport_by_id(port, PEER_ID + 1));
	rcu_read_unlock();
}

/* What there was when the last frame was sent */
static struct fc2_port *rport_port;
static bool rport_known;
static unsigned int rport_told;

static void rport_watch(const struct sk_buff *skb)
{
	rcu_read_lock();
	rport_known = fc2_rport_by_id(rport_port, PEER_ID);
	rcu_read_unlock();
	rport_told = peer_told.count;
}

/* It has the lower one: it waits */
static void fc2_rport_lower(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	rport_introduce(test, port, PEER_HIGH);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_WAIT);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	rport_port = port;
	fake_watch = rport_watch;
	els = peer_ask(test, port, peer_plogi(test, port, PEER_HIGH));
	fake_watch = NULL;
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	rport_check_params(test, port, els, true);
	/* Who gets it may send at once, and FC-4s of this side not before */
	KUNIT_EXPECT_TRUE(test, rport_known);
	KUNIT_EXPECT_EQ(test, rport_told, 0);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
	/* Linux's libfc has C, but not S */
	KUNIT_EXPECT_FALSE(test, peer_told.seq_cnt[0]);
	KUNIT_EXPECT_TRUE(test, peer_told.rel_off[0]);
}

/* FLOGI of both sides crosses; the LS_ACC to one's own leads on, in either order */
static void fc2_rport_crossing(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *own, *els;

	peer_neighbour(test, port, PEER_ID, PEER_LOW);
	own = peer_sent(test, port, ELS_FLOGI);
	rport_check_params(test, port, own, false);
	els = peer_ask(test, port, peer_flogi(test, port, PEER_LOW));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, els->fip, FIP_DT_FLOGI);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_FLOGI);
	peer_rx(test, port, peer_named(peer_answer(test, own), PEER_LOW));
	peer_sent(test, port, ELS_PLOGI);
	/* A late FLOGI does not make a second PLOGI */
	els = peer_ask(test, port, peer_flogi(test, port, PEER_LOW));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_PLOGI);
}

/* FLOGI of a port that was logged in: it has begun anew */
static void fc2_rport_flogi_again(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	peer_login(test, port);
	els = peer_ask(test, port, peer_flogi(test, port, PEER_HIGH));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_WAIT);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
}

/* FLOGI over FCoE is answered there */
static void fc2_rport_flogi_fcoe(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els = peer_flogi(test, port, PEER_HIGH);

	els->fip = 0;
	peer_login(test, port);
	els = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
}

static void fc2_rport_flogi_bad(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els = peer_flogi(test, port, PEER_HIGH);

	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_FIP, ELS_EXPL_NOT_NEIGHBOR);
	peer_login(test, port);
	els->payload[8] |= FC_SP_FT_FPORT >> 8;
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, ELS_EXPL_NONE);
	els = peer_flogi(test, port, PEER_HIGH + 2);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	els = peer_flogi(test, port, PEER_HIGH);
	((struct fc_els_flogi *)els->payload)->fl_cssp[2].cp_class = 0;
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, ELS_EXPL_SPP_OPT_ERR);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOGIN_REFUSED), 4);
}

static void fc2_rport_plogi_bad(struct kunit *test)
{
	static const struct {
		unsigned int at;	/* of a 16-bit field, in the payload */
		u16 value;
		u8 explan;
	} bad[] = {
		{ 10, 255, FC2_EXPL_RDFS }, { 10, 0, FC2_EXPL_RDFS },
		{ 74, 255, FC2_EXPL_RDFS }, { 74, 0, FC2_EXPL_RDFS },
		{ 68, 0x0800, ELS_EXPL_SPP_OPT_ERR },
	};
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;
	unsigned int i;

	els = peer_plogi(test, port, PEER_HIGH);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_UNAB, ELS_EXPL_SID);
	rport_introduce(test, port, PEER_HIGH);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		els = peer_plogi(test, port, PEER_HIGH);
		put_unaligned_be16(bad[i].value, els->payload + bad[i].at);
		peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, bad[i].explan);
	}
	/* Names: another port's, ours, none */
	els = peer_plogi(test, port, PEER_HIGH + 2);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	els = peer_plogi(test, port, PEER_WWPN);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	els = peer_plogi(test, port, 0);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_WAIT);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOGIN), 0);
}

static void fc2_rport_sizes(struct kunit *test)
{
	static const struct {
		u16 bb, class;
		u16 mfs;
	} sizes[] = {
		{ 2112, 2112, 2112 }, { 2048, 2112, 2048 }, { 2112, 1024, 1024 },
		{ 256, 2112, 256 }, { 2111, 2112, 2108 }, { 0xffff, 0xffff, 2112 },
	};
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	peer_listen(test);
	rport_introduce(test, port, PEER_HIGH);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct peer_els *els = peer_plogi(test, port, PEER_HIGH);

		put_unaligned_be16(sizes[i].bb, els->payload + 10);
		put_unaligned_be16(sizes[i].class, els->payload + 74);
		KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, els));
		KUNIT_EXPECT_EQ(test, peer_told.mfs[(peer_told.count - 1) % PEER_LOG],
				sizes[i].mfs);
	}
	/* Each new PLOGI is a logout before it is a login */
	KUNIT_EXPECT_STREQ(test, peer_told.what, "ioioioioioi");
}

static void fc2_rport_bits(struct kunit *test)
{
	static const struct {
		u16 features;
		bool seq_cnt, rel_off;
	} bits[] = {
		{ 0, false, false }, { FC_SP_FT_SEQC, true, false }, { FC_SP_FT_CIRO, false, true },
		{ FC_SP_FT_RAND, false, true }, { FC_SP_FT_RAND | FC_SP_FT_SEQC, true, true },
	};
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i, n;

	peer_listen(test);
	rport_introduce(test, port, PEER_HIGH);
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		struct peer_els *els = peer_plogi(test, port, PEER_HIGH);

		put_unaligned_be16(bits[i].features, els->payload + 8);
		KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, els));
		n = (peer_told.count - 1) % PEER_LOG;
		KUNIT_EXPECT_EQ(test, peer_told.seq_cnt[n], bits[i].seq_cnt);
		KUNIT_EXPECT_EQ(test, peer_told.rel_off[n], bits[i].rel_off);
	}
}

/* A session is another struct fc2_rport than the one before, which can be held */
static void fc2_rport_sessions(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct fc2_rport *old, *new;

	peer_listen(test);
	peer_login(test, port);
	rcu_read_lock();
	old = fc2_rport_by_id(port, PEER_ID);
	KUNIT_EXPECT_TRUE(test, fc2_rport_hold(old));
	rcu_read_unlock();
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_plogi(test, port, PEER_HIGH)));
	rcu_read_lock();
	new = fc2_rport_by_id(port, PEER_ID);
	KUNIT_EXPECT_PTR_NE(test, new, old);
	KUNIT_EXPECT_TRUE(test, new->logged_in);
	rcu_read_unlock();
	KUNIT_EXPECT_FALSE(test, old->logged_in);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "ioi");
	KUNIT_EXPECT_PTR_EQ(test, peer_told.rport[1], (const void *)old);
	fc2_rport_put(old);
}

/* Both send PLOGI: the one of the higher Port_Name counts, FC-LS */
static void fc2_rport_both_higher(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *own;

	rport_introduce(test, port, PEER_LOW);
	own = peer_sent(test, port, ELS_PLOGI);
	peer_expect_reject(test, peer_ask(test, port, peer_plogi(test, port, PEER_LOW)),
			   ELS_RJT_INPROG, ELS_EXPL_NONE);
	peer_rx(test, port, peer_named(peer_answer(test, own), PEER_LOW));
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
}

static void fc2_rport_both_lower(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *own, *els;

	peer_listen(test);
	port->params.r_a_tov = 20;
	rport_introduce(test, port, PEER_HIGH);
	/* Nothing comes: the lower one asks */
	msleep(60);
	port->params.r_a_tov = 4000;
	flush_delayed_work(&port->login_timer);
	own = peer_sent(test, port, ELS_PLOGI);
	els = peer_ask(test, port, peer_plogi(test, port, PEER_HIGH));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	/* Its own is over, whatever the other says */
	peer_rx(test, port, peer_named(peer_answer(test, own), PEER_HIGH));
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
}

/* LS_RJT "in progress" to the PLOGI of the lower one: the other's will come */
static void fc2_rport_in_progress(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *answer;

	peer_login(test, port);
	KUNIT_EXPECT_EQ(test, fc2_rport_login(port, PEER_ID), 0);
	peer_rx(test, port, peer_named(peer_answer(test, peer_sent(test, port, ELS_FLOGI)),
				       PEER_HIGH));
	port->params.r_a_tov = 20;
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_WAIT);
	mod_delayed_work(port->wq, &port->login_timer, 0);
	mutex_lock(&port->lock);
	fc2_remote_find(port, PEER_ID)->next = jiffies;
	mutex_unlock(&port->lock);
	mod_delayed_work(port->wq, &port->login_timer, 0);
	flush_delayed_work(&port->login_timer);
	port->params.r_a_tov = 4000;
	answer = peer_answer(test, peer_sent(test, port, ELS_PLOGI));
	answer->len = 8;
	memset(answer->payload, 0, 8);
	answer->payload[0] = ELS_LS_RJT;
	answer->payload[5] = ELS_RJT_INPROG;
	peer_rx(test, port, answer);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_WAIT);
}

static void rport_reject(struct kunit *test, struct fc2_port *port, u8 cmd, u8 reason)
{
	struct peer_els *answer = peer_answer(test, peer_sent(test, port, cmd));

	answer->len = 8;
	memset(answer->payload, 0, 8);
	answer->payload[0] = ELS_LS_RJT;
	answer->payload[5] = reason;
	peer_rx(test, port, answer);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_RETRY);
}

/* What fails is tried again from the beginning, after longer and longer times */
static void fc2_rport_retries(struct kunit *test)
{
	static const unsigned int pauses[] = { 1, 2, 4, 8, 16, 32, 32, 32 };
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct fc2_remote *remote;
	unsigned int i, n = 0;
	long pause;

	peer_neighbour(test, port, PEER_ID, PEER_LOW);
	for (i = 0; i < ARRAY_SIZE(pauses); i++) {
		if (i % 2) {
			peer_rx(test, port,
				peer_named(peer_answer(test, peer_sent(test, port, ELS_FLOGI)),
					   PEER_LOW));
			rport_reject(test, port, ELS_PLOGI, i % 4 == 1 ? ELS_RJT_BUSY :
									 ELS_RJT_UNAB);
			n += i % 4 == 3;
		} else {
			rport_reject(test, port, ELS_FLOGI, ELS_RJT_BUSY);
		}
		mutex_lock(&port->lock);
		remote = fc2_remote_find(port, PEER_ID);
		pause = remote->next - jiffies;
		KUNIT_EXPECT_LE(test, pause, 2L * HZ * pauses[i]);
		KUNIT_EXPECT_GE(test, pause, 2L * HZ * pauses[i] - HZ);
		remote->next = jiffies;
		mutex_unlock(&port->lock);
		mod_delayed_work(port->wq, &port->login_timer, 0);
		flush_delayed_work(&port->login_timer);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOGIN_REFUSED), n);
}

/* Answers that are no good */
static void fc2_rport_answers_bad(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;

	for (i = 0; i < 6; i++) {
		struct peer_els *els;

		peer_neighbour(test, port, PEER_ID, PEER_LOW);
		els = peer_named(peer_answer(test, peer_sent(test, port, ELS_FLOGI)), PEER_LOW);
		if (i == 0)
			els->len = 115;
		else if (i == 1)
			peer_named(els, PEER_LOW + 1);
		else if (i == 2)
			els->payload[8] = FC_SP_FT_FPORT >> 8;
		peer_rx(test, port, els);
		if (i > 2) {
			els = peer_named(peer_answer(test, peer_sent(test, port, ELS_PLOGI)),
					 PEER_LOW);
			if (i == 3)
				els->len = 4;
			else if (i == 4)
				peer_named(els, PEER_LOW + 1);
			else
				put_unaligned_be16(0, els->payload + 74);
			peer_rx(test, port, els);
		}
		KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_RETRY);
		KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), i + 1);
		mutex_lock(&port->lock);
		fc2_rport_gone(port, PEER_ID);
		mutex_unlock(&port->lock);
	}
}

static struct kunit_case fc2_rport_cases[] = {
	KUNIT_CASE(fc2_rport_higher),
	KUNIT_CASE(fc2_rport_lower),
	KUNIT_CASE(fc2_rport_crossing),
	KUNIT_CASE(fc2_rport_flogi_again),
	KUNIT_CASE(fc2_rport_flogi_fcoe),
	KUNIT_CASE(fc2_rport_flogi_bad),
	KUNIT_CASE(fc2_rport_plogi_bad),
	KUNIT_CASE(fc2_rport_sizes),
	KUNIT_CASE(fc2_rport_bits),
	KUNIT_CASE(fc2_rport_sessions),
	KUNIT_CASE(fc2_rport_both_higher),
	KUNIT_CASE(fc2_rport_both_lower),
	KUNIT_CASE(fc2_rport_in_progress),
	KUNIT_CASE(fc2_rport_retries),
	KUNIT_CASE(fc2_rport_answers_bad),
	{}
};

static struct kunit_suite fc2_rport_suite = {
	.name		= "fc2_rport",
	.test_cases	= fc2_rport_cases,
};

kunit_test_suite(fc2_rport_suite);
