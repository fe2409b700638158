// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of VN2VN.  Time stands still in them: the tests take the steps of the port.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/rtnetlink.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"
#include "fip_link.h"
#include "vn.h"
#include "vn2vn.h"

/* Each step: state after it, what is sent, where from, and when the next one is, in ms */
static void fc2_vn2vn_life(struct kunit *test)
{
	static const u8 vn_mac[] = { 0x0e, 0xfd, 0x00, 0x00, 0x01, 0x23 };
	static const struct {
		enum fc2_state state;
		u8 subcode;
		unsigned int next;
	} steps[] = {
		{ FC2_STATE_PROBE1, FIP_SC_VN_PROBE_REQ, 100 },
		{ FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REQ, 400 },
		{ FC2_STATE_CLAIM, FIP_SC_VN_CLAIM_NOTIFY, 400 },
		{ FC2_STATE_UP, FIP_SC_VN_BEACON, 400 },
	};
	struct fc2_port *port = vn_port(test, FC2_STATE_START);
	const u8 *dev_addr = port->iface->dev->dev_addr;
	struct fc2_fip fip;
	struct sk_buff *skb;
	unsigned int i;

	KUNIT_EXPECT_LE(test, vn_delay, msecs_to_jiffies(100));
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		bool beacon = steps[i].subcode == FIP_SC_VN_BEACON;

		KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
		vn_step(port);
		KUNIT_EXPECT_EQ(test, port->state, steps[i].state);
		KUNIT_EXPECT_LE(test, vn_delay, msecs_to_jiffies(steps[i].next));
		KUNIT_EXPECT_GE(test, vn_delay + 2, msecs_to_jiffies(steps[i].next));
		skb = vn_sent(port, &fip);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_EXPECT_MEMEQ(test, skb->data, vn_all, ETH_ALEN);
		KUNIT_EXPECT_MEMEQ(test, skb->data + 6, beacon ? vn_mac : dev_addr, ETH_ALEN);
		KUNIT_EXPECT_EQ(test, fip.subcode, steps[i].subcode);
		KUNIT_EXPECT_EQ(test, fip.flags, 0);
		KUNIT_EXPECT_EQ(test, fip.vn_id, VN_ID);
		KUNIT_EXPECT_EQ(test, fip.wwpn, VN_WWPN);
		KUNIT_EXPECT_EQ(test, fip.name, 0x1000021122334455);
		KUNIT_EXPECT_MEMEQ(test, fip.vn_mac, vn_mac, ETH_ALEN);
		KUNIT_EXPECT_MEMEQ(test, fip.mac, dev_addr, ETH_ALEN);
		if (fip.subcode == FIP_SC_VN_CLAIM_NOTIFY)
			KUNIT_EXPECT_EQ(test, fip.size, VN_SIZE);
		consume_skb(skb);
		KUNIT_EXPECT_EQ(test, vn_said(port), 0);
	}
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), VN_ID);
	KUNIT_EXPECT_MEMEQ(test, port->mac, vn_mac, ETH_ALEN);

	/* It is not yet time for a Beacon, and then it is */
	vn_step(port);
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);
	port->fip_beacon = jiffies;
	vn_step(port);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_BEACON);
	KUNIT_EXPECT_GE(test, vn_delay + 2, msecs_to_jiffies(8000));
	KUNIT_EXPECT_LE(test, vn_delay, msecs_to_jiffies(8100));
}

/**
 * struct test_collision - a frame of another port with our N_Port ID
 * @name: what happens
 * @state: of the port
 * @subcode: of the frame
 * @lower: the Port_Name in it is lower than ours
 * @flags: of it
 * @said: what the port sends; 0: it begins anew with another ID
 */
struct test_collision {
	const char *name;
	enum fc2_state state;
	u8 subcode;
	bool lower;
	u16 flags;
	u8 said;
};

#define ANEW	0

static const struct test_collision test_collisions[] = {
	{ "probe at start", FC2_STATE_START, FIP_SC_VN_PROBE_REQ, true, 0, ANEW },
	{ "lower probe at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_PROBE_REQ, true, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "higher probe at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_PROBE_REQ, false, 0, ANEW },
	{ "recorded probe at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_PROBE_REQ, true,
	  FIP_FL_REC_OR_P2P, ANEW },
	{ "lower probe at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REQ, true, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "higher probe at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REQ, false, 0, ANEW },
	{ "recorded probe at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REQ, true,
	  FIP_FL_REC_OR_P2P, ANEW },
	{ "lower probe at claim", FC2_STATE_CLAIM, FIP_SC_VN_PROBE_REQ, true, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "higher probe at claim", FC2_STATE_CLAIM, FIP_SC_VN_PROBE_REQ, false, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "lower probe when up", FC2_STATE_UP, FIP_SC_VN_PROBE_REQ, true, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "higher probe when up", FC2_STATE_UP, FIP_SC_VN_PROBE_REQ, false, 0,
	  FIP_SC_VN_PROBE_REP },
	{ "recorded probe when up", FC2_STATE_UP, FIP_SC_VN_PROBE_REQ, true, FIP_FL_REC_OR_P2P,
	  FIP_SC_VN_PROBE_REP },
	{ "reply at start", FC2_STATE_START, FIP_SC_VN_PROBE_REP, true, 0, ANEW },
	{ "reply at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_PROBE_REP, true, 0, ANEW },
	{ "reply at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REP, true, 0, ANEW },
	{ "recorded reply at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_PROBE_REP, true,
	  FIP_FL_REC_OR_P2P, ANEW },
	{ "reply at claim", FC2_STATE_CLAIM, FIP_SC_VN_PROBE_REP, true, 0, ANEW },
	{ "reply when up", FC2_STATE_UP, FIP_SC_VN_PROBE_REP, false, 0, FIP_SC_VN_CLAIM_NOTIFY },
	{ "lower claim at start", FC2_STATE_START, FIP_SC_VN_CLAIM_NOTIFY, true, 0, ANEW },
	{ "lower claim at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_CLAIM_NOTIFY, true, 0, ANEW },
	{ "lower claim at probe 2", FC2_STATE_PROBE2, FIP_SC_VN_CLAIM_NOTIFY, true, 0, ANEW },
	{ "lower claim at claim", FC2_STATE_CLAIM, FIP_SC_VN_CLAIM_NOTIFY, true, 0,
	  FIP_SC_VN_CLAIM_NOTIFY },
	{ "higher claim at claim", FC2_STATE_CLAIM, FIP_SC_VN_CLAIM_NOTIFY, false, 0, ANEW },
	{ "lower claim when up", FC2_STATE_UP, FIP_SC_VN_CLAIM_NOTIFY, true, 0,
	  FIP_SC_VN_CLAIM_NOTIFY },
	{ "higher claim when up", FC2_STATE_UP, FIP_SC_VN_CLAIM_NOTIFY, false, 0, ANEW },
	{ "lower response at claim", FC2_STATE_CLAIM, FIP_SC_VN_CLAIM_REP, true, 0,
	  FIP_SC_VN_CLAIM_NOTIFY },
	{ "higher response at claim", FC2_STATE_CLAIM, FIP_SC_VN_CLAIM_REP, false, 0, ANEW },
	{ "lower beacon at probe 1", FC2_STATE_PROBE1, FIP_SC_VN_BEACON, true, 0, ANEW },
	{ "lower beacon when up", FC2_STATE_UP, FIP_SC_VN_BEACON, true, 0,
	  FIP_SC_VN_CLAIM_NOTIFY },
	{ "higher beacon when up", FC2_STATE_UP, FIP_SC_VN_BEACON, false, 0, ANEW },
};

KUNIT_ARRAY_PARAM_DESC(test_collision, test_collisions, name);

static void fc2_vn2vn_collision(struct kunit *test)
{
	const struct test_collision *c = test->param_value;
	struct fc2_port *port = vn_port(test, c->state);
	struct vn_frame vn = vn_peer(c->subcode, 0);
	unsigned int probes = port->fip_probes;
	struct fc2_fip fip;
	struct sk_buff *skb;

	vn.id = VN_ID;
	vn.wwpn = VN_WWPN + (c->lower ? -1 : 1);
	vn.flags = c->flags;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, 1, fc2_stat_read(port, FC2_STAT_FIP_COLLISION));
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	skb = vn_sent(port, &fip);
	if (c->said == ANEW) {
		KUNIT_EXPECT_NULL(test, skb);
		KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_START);
		KUNIT_EXPECT_EQ(test, port->fip_probes, probes + 1);
		KUNIT_EXPECT_NE(test, port->fip_next_id, 0);
		KUNIT_EXPECT_LT(test, port->fip_next_id, 0xffff);
		KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
		return;
	}
	KUNIT_EXPECT_EQ(test, port->state, c->state);
	KUNIT_EXPECT_EQ(test, port->fip_next_id, VN_ID);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, fip.subcode, c->said);
	KUNIT_EXPECT_EQ(test, fip.vn_id, VN_ID);
	KUNIT_EXPECT_MEMEQ(test, skb->data,
			   c->said == FIP_SC_VN_PROBE_REP ? vn_peer_mac : vn_all, ETH_ALEN);
	consume_skb(skb);
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);

	/* The next one is too soon for a multicast of ours */
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, vn_said(port),
			c->said == FIP_SC_VN_PROBE_REP ? c->said : 0);
}

/* Ten attempts, and then one every ten seconds */
static void fc2_vn2vn_rate(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_START);
	struct vn_frame vn = vn_peer(FIP_SC_VN_PROBE_REQ, 0);
	unsigned int i;

	for (i = 1; i < 15; i++) {
		if (i <= 10)
			KUNIT_EXPECT_LT(test, vn_delay, msecs_to_jiffies(100) + 1);
		else
			KUNIT_EXPECT_EQ(test, vn_delay, msecs_to_jiffies(10000));
		vn.id = port->fip_next_id;
		vn_rx(test, port, &vn);
	}
	KUNIT_EXPECT_EQ(test, port->fip_probes, 10);

	/* The link forgets, but not the ID */
	vn.id = port->fip_next_id;
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_DOWN);
	fake_link(port, true);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_START);
	KUNIT_EXPECT_EQ(test, port->fip_next_id, vn.id);
	KUNIT_EXPECT_LT(test, vn_delay, msecs_to_jiffies(100) + 1);
}

/* Nothing but collisions matters to a port that has not claimed */
static void fc2_vn2vn_too_early(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_PROBE2);
	u8 subcode;

	for (subcode = FIP_SC_VN_PROBE_REQ; subcode <= FIP_SC_VN_BEACON; subcode++) {
		struct vn_frame vn = vn_peer(subcode, VN_SIZE);

		vn_rx(test, port, &vn);
	}
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_PROBE2);
}

/* Fields that do not fit each other: where in the frame, and the byte there */
static void fc2_vn2vn_malformed(struct kunit *test)
{
	static const struct {
		u8 subcode, at, byte;
	} bad[] = {
		{ FIP_SC_VN_CLAIM_NOTIFY, 11, 0xef },		/* source, not the ENode */
		{ FIP_SC_VN_BEACON, 11, 0x57 },			/* source, not the VN_Port */
		{ FIP_SC_VN_CLAIM_NOTIFY, 26, 0x03 },		/* MAC address of a group */
		{ FIP_SC_VN_CLAIM_NOTIFY, 46, 0x0f },		/* FC-MAP */
		{ FIP_SC_VN_CLAIM_NOTIFY, 51, 0x57 },		/* MAC address of another ID */
		{ FIP_SC_VN_CLAIM_NOTIFY, 53, 0x01 },		/* ID of a fabric */
		{ FIP_SC_VN_CLAIM_NOTIFY, 228 + 2, 0x01 },	/* size of 1.. */
	};
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn;
	u8 frame[VN_FRAME_MAX];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		vn = vn_peer(bad[i].subcode, 0);
		if (i == ARRAY_SIZE(bad) - 1)
			vn.size = 0x002d;
		n = vn_put(frame, &vn);
		frame[bad[i].at] = bad[i].byte;
		vn_rx_raw(test, port, frame, n);
		KUNIT_EXPECT_EQ_MSG(test, i + 1, fc2_stat_read(port, FC2_STAT_FIP_BAD),
				    "case %u", i);
	}
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	vn.wwpn = 0;
	vn_rx(test, port, &vn);
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	vn.wwnn = 0;
	vn_rx(test, port, &vn);
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	vn.id = 0;
	vn_rx(test, port, &vn);
	vn.id = 0xffff;
	vn_rx(test, port, &vn);
	vn.id = 0x010456;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, i + 5, fc2_stat_read(port, FC2_STAT_FIP_BAD));

	/* Claims and Beacons of ports in point-to-point mode, and frames for others */
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	vn.flags = FIP_FL_REC_OR_P2P;
	vn_rx(test, port, &vn);
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	n = vn_put(frame, &vn);
	frame[5] = 0x02;
	vn_rx_raw(test, port, frame, n);
	KUNIT_EXPECT_EQ(test, 2, fc2_stat_read(port, FC2_STAT_FIP_OTHER));
	KUNIT_EXPECT_EQ(test, i + 5, fc2_stat_read(port, FC2_STAT_FIP_BAD));

	/* What the port itself has sent */
	vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	vn.id = VN_ID;
	vn.wwpn = VN_WWPN;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_UP);
}

/* Port_Names whose low bits are no ID */
static void fc2_vn2vn_reserved_id(struct kunit *test)
{
	struct net_device *dev = fake_dev(test);

	vn_stop_timers(test);
	KUNIT_EXPECT_EQ(test, fake_port(test, dev, 0x2000021122330000)->fip_next_id, 1);
	KUNIT_EXPECT_EQ(test, fake_port(test, dev, 0x200002112233ffff)->fip_next_id, 1);
	KUNIT_EXPECT_EQ(test, fake_port(test, dev, 0x200002112233fffe)->fip_next_id, 0xfffe);
}

/* A device that carries no FC frames; with a greater MTU the port begins */
static void fc2_vn2vn_mtu(struct kunit *test)
{
	struct net_device *dev = fake_dev(test);
	struct fc2_port *port;

	vn_stop_timers(test);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, 0, dev_set_mtu(dev, 301));
	rtnl_unlock();
	port = fake_port(test, dev, VN_WWPN);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_DOWN);
	rtnl_lock();
	KUNIT_EXPECT_EQ(test, 0, dev_set_mtu(dev, 302));
	rtnl_unlock();
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_START);
}

static bool test_both_up(struct fc2_port *a, struct fc2_port *b)
{
	unsigned int i;

	for (i = 0; i < 500; i++) {
		if (a->state == FC2_STATE_UP && b->state == FC2_STATE_UP && a->neighbour_count &&
		    b->neighbour_count)
			return true;
		msleep(20);
	}
	return false;
}

/* Two ports of a device want the same ID, with timers that run; who probes first gets it */
static void fc2_vn2vn_pair(struct kunit *test)
{
	struct net_device *dev = fake_dev(test);
	struct fc2_port *a = fake_port(test, dev, VN_WWPN);
	struct fc2_port *b = fake_port(test, dev, VN_WWPN + 0x10000);
	struct fc2_neighbour *neighbour;

	KUNIT_ASSERT_TRUE(test, test_both_up(a, b));
	KUNIT_EXPECT_NE(test, fc2_port_id(a), fc2_port_id(b));
	KUNIT_EXPECT_TRUE(test, fc2_port_id(a) == VN_ID || fc2_port_id(b) == VN_ID);
	neighbour = vn_neighbour(a, fc2_port_id(b));
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
	KUNIT_EXPECT_EQ(test, neighbour->wwpn, VN_WWPN + 0x10000);
	neighbour = vn_neighbour(b, fc2_port_id(a));
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
	KUNIT_EXPECT_EQ(test, neighbour->wwpn, VN_WWPN);
}

static struct kunit_case fc2_vn2vn_cases[] = {
	KUNIT_CASE(fc2_vn2vn_life),
	KUNIT_CASE_PARAM(fc2_vn2vn_collision, test_collision_gen_params),
	KUNIT_CASE(fc2_vn2vn_rate),
	KUNIT_CASE(fc2_vn2vn_too_early),
	KUNIT_CASE(fc2_vn2vn_malformed),
	KUNIT_CASE(fc2_vn2vn_reserved_id),
	KUNIT_CASE(fc2_vn2vn_mtu),
	KUNIT_CASE(fc2_vn2vn_pair),
	{}
};

static struct kunit_suite fc2_vn2vn_suite = {
	.name		= "fc2_vn2vn",
	.test_cases	= fc2_vn2vn_cases,
};

kunit_test_suites(&fc2_vn2vn_suite);
