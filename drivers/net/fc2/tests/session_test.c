// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the end of sessions with remote ports, and of ports that nobody knows.
 */
#include <linux/etherdevice.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "els.h"
#include "els_ask.h"
#include "els_rx.h"
#include "fake.h"
#include "peer.h"
#include "rport.h"
#include "wire.h"

static void fc2_session_logo(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	peer_login(test, port);
	/* Of another port */
	peer_expect_reject(test, peer_ask(test, port, peer_logo(test, port, PEER_HIGH + 1)),
			   ELS_RJT_LOGIC, FC2_EXPL_NAME);
	els = peer_logo(test, port, PEER_HIGH);
	els->payload[7] ^= 1;
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_UP);
	/* In FIP, as Linux's libfcoe sends it */
	els = peer_logo(test, port, PEER_HIGH);
	els->fip = FIP_DT_LOGO;
	els = peer_ask(test, port, els);
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, els->fip, FIP_DT_LOGO);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_RETRY);
	rcu_read_lock();
	KUNIT_EXPECT_NULL(test, fc2_rport_by_id(port, PEER_ID));
	rcu_read_unlock();
	/* Once more */
	els = peer_ask(test, port, peer_logo(test, port, PEER_HIGH));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
}

/* The administrator logs out: the other side is told, and refused until he logs in */
static void fc2_session_admin(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	KUNIT_EXPECT_EQ(test, fc2_rport_logout(port, PEER_ID), -ENODEV);
	KUNIT_EXPECT_EQ(test, fc2_rport_logout(port, port->id), -ENODEV);
	KUNIT_EXPECT_EQ(test, fc2_rport_login(port, port->id), -ENODEV);
	peer_login(test, port);
	KUNIT_EXPECT_EQ(test, fc2_rport_logout(port, PEER_ID), 0);
	els = peer_sent(test, port, ELS_LOGO);
	KUNIT_EXPECT_EQ(test, els->len, sizeof(struct fc_els_logo));
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(els->payload + 4), port->id);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(els->payload + 8), PEER_WWPN);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
	peer_expect_reject(test, peer_ask(test, port, peer_plogi(test, port, PEER_HIGH)),
			   ELS_RJT_UNAB, ELS_EXPL_NONE);
	peer_expect_reject(test, peer_ask(test, port, peer_flogi(test, port, PEER_HIGH)),
			   ELS_RJT_UNAB, ELS_EXPL_NONE);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_OUT);
	KUNIT_EXPECT_EQ(test, fc2_rport_login(port, PEER_ID), 0);
	peer_sent(test, port, ELS_FLOGI);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID), FC2_REMOTE_FLOGI);
}

/* The neighbour has another ID now, or the ID another neighbour */
static void fc2_session_moved(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);

	peer_listen(test);
	peer_login(test, port);
	peer_neighbour(test, port, PEER_ID, PEER_HIGH);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
	peer_neighbour(test, port, PEER_ID + 1, PEER_HIGH);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
	KUNIT_EXPECT_EQ(test, (int)peer_state(port, PEER_ID), -1);
	KUNIT_EXPECT_EQ(test, peer_state(port, PEER_ID + 1), FC2_REMOTE_FLOGI);
	peer_neighbour(test, port, PEER_ID + 1, PEER_LOW);
	KUNIT_EXPECT_EQ(test, port->remote_count, 2);	/* with itself */
}

/* The port goes down: all remote ports are told, and forgotten */
static void fc2_session_down(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	peer_login(test, port);
	fake_link(port, false);
	els = peer_tx(test, port);
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LOGO);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_d_id), PEER_ID);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_s_id), PEER_WWPN & 0xffff);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "io");
	KUNIT_EXPECT_EQ(test, port->remote_count, 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&port->rports));
}

/* A port is logged in with itself, and cannot be logged out by others */
static void fc2_session_itself(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	const struct fc2_rport *rport;
	struct peer_els *els;

	rcu_read_lock();
	rport = fc2_rport_by_id(port, port->id);
	KUNIT_EXPECT_NOT_NULL(test, rport);
	if (rport) {
		KUNIT_EXPECT_TRUE(test, rport->seq_cnt);
		KUNIT_EXPECT_TRUE(test, rport->rel_off);
		KUNIT_EXPECT_EQ(test, rport->mfs, 2112);
		KUNIT_EXPECT_EQ(test, rport->wwpn, PEER_WWPN);
		KUNIT_EXPECT_EQ(test, rport->wwnn, port->params.wwnn);
	}
	rcu_read_unlock();
	els = peer_logo(test, port, PEER_WWPN);
	fc2_hton24(els->payload + 5, port->id);
	fc2_hton24(els->fh.fh_s_id, port->id);
	peer_rx(test, port, els);
	KUNIT_EXPECT_EQ(test, peer_state(port, port->id), FC2_REMOTE_UP);
	els = peer_flogi(test, port, PEER_WWPN);
	fc2_hton24(els->fh.fh_s_id, port->id);
	peer_rx(test, port, els);
	KUNIT_EXPECT_EQ(test, peer_state(port, port->id), FC2_REMOTE_UP);
}

/* Data or ABTS without login: LOGO, but not for each frame, and only to ports that are known */
static void fc2_session_without_login(struct kunit *test)
{
	struct wire_frame *abts = wire_frame(test, FC_TYPE_BLS, 0x090000);
	struct fc2_port *port = peer_port(test, PEER_WWPN);

	fc2_els_rx_stray(port, PEER_ID);
	flush_workqueue(port->wq);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	peer_neighbour(test, port, PEER_ID, PEER_HIGH);
	peer_sent(test, port, ELS_FLOGI);
	port->els_stray_next = jiffies;
	fc2_els_rx_stray(port, PEER_ID);
	fc2_els_rx_stray(port, PEER_ID);
	flush_workqueue(port->wq);
	fc2_els_rx_stray(port, PEER_ID);
	flush_workqueue(port->wq);
	peer_sent(test, port, ELS_LOGO);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
	port->els_stray_next = jiffies;
	abts->r_ctl = FC_RCTL_BA_ABTS;
	wire_rx(test, port, abts);
	flush_workqueue(port->wq);
	peer_sent(test, port, ELS_LOGO);
	KUNIT_EXPECT_NULL(test, peer_tx(test, port));
}

/* More neighbours than there is room for; PLOGIs of ports that nobody knows */
static void fc2_session_flood(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct net_device *dev = port->iface->dev;
	struct peer_els *els;
	unsigned int i;

	for (i = 0; i < FC2_NEIGHBOURS_MAX + 10; i++) {
		u8 mac[ETH_ALEN] = { 0x0e, 0xfd, 0, 1, i >> 8, i };

		mutex_lock(&port->lock);
		fc2_rport_neighbour(port, 0x10000 + i, PEER_HIGH + i, 1, mac);
		mutex_unlock(&port->lock);
	}
	KUNIT_EXPECT_EQ(test, port->remote_count, FC2_NEIGHBOURS_MAX);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_NEIGHBOURS_FULL), 11);
	fake_forget(dev);
	els = peer_plogi(test, port, PEER_LOW);
	for (i = 0; i < 500; i++) {
		fc2_hton24(els->fh.fh_s_id, 0x20000 + i);
		peer_rx(test, port, els);
		fake_forget(dev);
	}
	KUNIT_EXPECT_EQ(test, port->remote_count, FC2_NEIGHBOURS_MAX);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOGIN_REFUSED), 500);
}

/* Neighbours that do not answer leave OX_IDs to others than their own logins */
static void fc2_session_crowd(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i;
	u32 usec;

	for (i = 0; i < FC2_NEIGHBOURS_MAX - 1; i++)
		peer_neighbour(test, port, 0x1000 + i, PEER_HIGH + i);
	mutex_lock(&port->lock);
	KUNIT_EXPECT_EQ(test, port->els_logins, FC2_ELS_LOGINS_MAX);
	KUNIT_EXPECT_EQ(test, bitmap_weight(port->els_xids, FC2_ELS_XIDS), FC2_ELS_LOGINS_MAX);
	mutex_unlock(&port->lock);
	KUNIT_EXPECT_EQ(test, fc2_els_echo(port, port->id, 4, 1000, &usec), 0);
	KUNIT_EXPECT_EQ(test, peer_state(port, 0x1000), FC2_REMOTE_FLOGI);
	KUNIT_EXPECT_EQ(test, peer_state(port, 0x1000 + i - 1), FC2_REMOTE_RETRY);
	fake_link(port, false);
	fake_link(port, true);
	KUNIT_EXPECT_EQ(test, port->els_logins, FC2_ELS_LOGINS_MAX);
}

/* In a fabric a port that is not known can log in */
static void fc2_session_fabric(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	struct peer_els *els;

	peer_listen(test);
	peer_fabric(test, port);
	peer_expect_reject(test, peer_ask(test, port, peer_flogi(test, port, PEER_LOW)),
			   ELS_RJT_UNSUP, ELS_EXPL_UNSUPR);
	els = peer_ask(test, port, peer_plogi(test, port, PEER_LOW));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_EQ(test, els->payload[0], ELS_LS_ACC);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
	els = peer_ask(test, port, peer_plogi(test, port, PEER_HIGH));
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "ioi");
	KUNIT_EXPECT_EQ(test, port->remote_count, 2);
	/* One that says to be this port, or a server of the fabric */
	els = peer_plogi(test, port, PEER_LOW);
	fc2_hton24(els->fh.fh_s_id, port->id);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_LOGIC, FC2_EXPL_NAME);
	fc2_hton24(els->fh.fh_s_id, FC_FID_DIR_SERV);
	peer_expect_reject(test, peer_ask(test, port, els), ELS_RJT_UNAB, ELS_EXPL_SID);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "ioi");
	KUNIT_EXPECT_EQ(test, peer_state(port, port->id), FC2_REMOTE_UP);
	KUNIT_EXPECT_EQ(test, port->remote_count, 2);
}

/* As many remote ports as there can be are found by their ULAs, and not when they have gone */
static void fc2_session_ulas(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);
	unsigned int i, left, found = 0;
	u8 ula[ETH_ALEN];

	for (i = 0; i < FC2_NEIGHBOURS_MAX - 1; i++) {
		struct peer_els *els = peer_plogi(test, port, PEER_HIGH + i);

		peer_neighbour(test, port, 0x1000 + i, PEER_HIGH + i);
		fc2_hton24(els->src + 3, 0x1000 + i);
		fc2_hton24(els->fh.fh_s_id, 0x1000 + i);
		peer_rx(test, port, els);
		kunit_kfree(test, els);
		fake_forget(port->iface->dev);
	}
	for (left = FC2_NEIGHBOURS_MAX - 1; left; left--) {
		rcu_read_lock();
		for (i = 0; i < FC2_NEIGHBOURS_MAX; i++) {
			const struct fc2_rport *rport;

			u64_to_ether_addr((PEER_HIGH + i) & GENMASK_ULL(47, 0), ula);
			rport = fc2_rport_by_ula(port, ula);
			if (rport)
				KUNIT_EXPECT_EQ(test, rport->id, 0x1000 + i);
			found += !!rport;
		}
		rcu_read_unlock();
		KUNIT_EXPECT_EQ(test, found, left);
		found = 0;
		mutex_lock(&port->lock);
		fc2_rport_gone(port, 0x1000 + left - 1);
		mutex_unlock(&port->lock);
	}
}

static struct kunit *session_test;
static unsigned int session_logins, session_logouts;

/* Called when the FC-4 has its TYPE, and before it is told of those that are logged in */
static void session_port_add(struct fc2_port *port)
{
	peer_login(session_test, port);
}

static void session_login(struct fc2_rport *rport)
{
	session_logins += rport->id == PEER_ID;
}

static void session_logout(struct fc2_rport *rport)
{
	session_logouts += rport->id == PEER_ID;
}

static struct fc2_prov session_prov = {
	.type		= 0xe1,
	.port_add	= session_port_add,
	.login		= session_login,
	.logout		= session_logout,
};

/* A login while an FC-4 registers is told once */
static void fc2_session_register(struct kunit *test)
{
	struct fc2_port *port = peer_port(test, PEER_WWPN);

	session_test = test;
	session_logins = 0;
	session_logouts = 0;
	KUNIT_ASSERT_EQ(test, fc2_prov_register(&session_prov), 0);
	KUNIT_EXPECT_EQ(test, session_logins, 1);
	KUNIT_EXPECT_NOT_NULL(test, peer_ask(test, port, peer_logo(test, port, PEER_HIGH)));
	KUNIT_EXPECT_EQ(test, session_logouts, 1);
	fc2_prov_unregister(&session_prov);
	KUNIT_EXPECT_EQ(test, session_logins, 1);
	/* Nothing is left that would keep the next user of the TYPE from being told */
	KUNIT_ASSERT_EQ(test, fc2_prov_register(&session_prov), 0);
	KUNIT_EXPECT_EQ(test, session_logins, 2);
	fc2_prov_unregister(&session_prov);
}

static struct kunit_case fc2_session_cases[] = {
	KUNIT_CASE(fc2_session_logo),
	KUNIT_CASE(fc2_session_admin),
	KUNIT_CASE(fc2_session_moved),
	KUNIT_CASE(fc2_session_down),
	KUNIT_CASE(fc2_session_itself),
	KUNIT_CASE(fc2_session_without_login),
	KUNIT_CASE(fc2_session_flood),
	KUNIT_CASE(fc2_session_crowd),
	KUNIT_CASE(fc2_session_fabric),
	KUNIT_CASE(fc2_session_ulas),
	KUNIT_CASE(fc2_session_register),
	{}
};

static struct kunit_suite fc2_session_suite = {
	.name		= "fc2_session",
	.test_cases	= fc2_session_cases,
};

kunit_test_suite(fc2_session_suite);
