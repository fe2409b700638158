// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of neighbours in VN2VN: how they come, change and go.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/jiffies.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"
#include "neigh.h"
#include "vn.h"

/* A Claim is answered with a frame of the size that both have, and makes a neighbour */
static void fc2_neigh_claim_answered(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	struct fc2_neighbour *neighbour;
	static const u16 sizes[] = { VN_SIZE, 1498, 302, 9000 };
	struct fc2_fip fip;
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		vn.size = sizes[i];
		vn_rx(test, port, &vn);
		skb = vn_sent(port, &fip);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		KUNIT_EXPECT_EQ(test, fip.subcode, FIP_SC_VN_CLAIM_REP);
		KUNIT_EXPECT_EQ(test, fip.size, VN_SIZE);
		KUNIT_EXPECT_MEMEQ(test, skb->data, vn_peer_mac, ETH_ALEN);
		KUNIT_EXPECT_EQ(test, skb->len, ETH_HLEN + min(sizes[i], VN_SIZE));
		consume_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	neighbour = vn_neighbour(port, VN_PEER_ID);
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
	KUNIT_EXPECT_EQ(test, neighbour->id, VN_PEER_ID);
	KUNIT_EXPECT_EQ(test, neighbour->wwpn, vn.wwpn);
	KUNIT_EXPECT_EQ(test, neighbour->wwnn, vn.wwnn);
	KUNIT_EXPECT_EQ(test, neighbour->size, 9000);
	KUNIT_EXPECT_MEMEQ(test, neighbour->enode_mac, vn_peer_mac, ETH_ALEN);
	KUNIT_EXPECT_FALSE(test, neighbour->told);

	/* Its Beacon tells that it keeps its ID */
	vn = vn_peer(FIP_SC_VN_BEACON, 0);
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_TRUE(test, neighbour->told);
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);
}

/* Those who answer the Claim, or send Beacons, before the port is up are told of when it is */
static void fc2_neigh_early(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_CLAIM);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_REP, VN_SIZE);
	struct fc2_neighbour *neighbour;

	vn_rx(test, port, &vn);
	vn = vn_peer(FIP_SC_VN_BEACON, 0);
	vn_rx(test, port, &vn);
	neighbour = vn_neighbour(port, VN_PEER_ID);
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
	KUNIT_EXPECT_TRUE(test, neighbour->settled);
	KUNIT_EXPECT_FALSE(test, neighbour->told);
	vn_step(port);
	KUNIT_EXPECT_EQ(test, port->state, FC2_STATE_UP);
	KUNIT_EXPECT_TRUE(test, neighbour->told);
}

/* An answer that is shorter than the frames to come */
static void fc2_neigh_path_too_small(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_CLAIM);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_REP, VN_SIZE - 1);

	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_EQ(test, 1, fc2_stat_read(port, FC2_STAT_FIP_SIZE));
	/* A port with a smaller one sends no more */
	vn.size = 1498;
	vn.len = 1497;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, 2, fc2_stat_read(port, FC2_STAT_FIP_SIZE));
	vn.len = 1498;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	KUNIT_EXPECT_EQ(test, 2, fc2_stat_read(port, FC2_STAT_FIP_SIZE));
}

static void fc2_neigh_unknown_beacon(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn = vn_peer(FIP_SC_VN_BEACON, 0);

	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_CLAIM_NOTIFY);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, vn_said(port), 0);
	port->fip_claimed = jiffies - msecs_to_jiffies(400);
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_CLAIM_NOTIFY);
}

/* A neighbour with another ID, or with other names, is another neighbour */
static void fc2_neigh_neighbour_changes(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	struct vn_frame beacon = vn_peer(FIP_SC_VN_BEACON, 0);
	struct vn_frame probe = vn_peer(FIP_SC_VN_PROBE_REQ, 0);
	u64 wwpn = vn.wwpn;

	vn_rx(test, port, &vn);
	vn_rx(test, port, &beacon);
	vn.id = VN_PEER_ID + 1;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	KUNIT_EXPECT_NULL(test, vn_neighbour(port, VN_PEER_ID));
	KUNIT_ASSERT_NOT_NULL(test, vn_neighbour(port, VN_PEER_ID + 1));
	KUNIT_EXPECT_FALSE(test, vn_neighbour(port, VN_PEER_ID + 1)->told);

	vn.wwpn = wwpn + 1;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	KUNIT_EXPECT_EQ(test, vn_neighbour(port, VN_PEER_ID + 1)->wwpn, wwpn + 1);

	vn.wwnn++;
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	KUNIT_EXPECT_EQ(test, vn_neighbour(port, VN_PEER_ID + 1)->wwnn, vn.wwnn);

	/* A Beacon with other names than the neighbour's asks for a Claim, and changes nothing */
	fake_forget(port->iface->dev);
	beacon.id = vn.id;
	vn_rx(test, port, &beacon);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_CLAIM_NOTIFY);
	KUNIT_EXPECT_FALSE(test, vn_neighbour(port, VN_PEER_ID + 1)->settled);
	beacon.wwpn = vn.wwpn;
	beacon.wwnn = vn.wwnn;
	vn_rx(test, port, &beacon);
	KUNIT_EXPECT_TRUE(test, vn_neighbour(port, VN_PEER_ID + 1)->told);

	/* Who probes has no ID any more */
	probe.wwpn = vn.wwpn;
	vn_rx(test, port, &probe);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_EQ(test, 4, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_NEW));
	KUNIT_EXPECT_EQ(test, 4, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_GONE));
}

static void fc2_neigh_ageing(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);

	vn_rx(test, port, &vn);
	port->fip_beacon = jiffies + msecs_to_jiffies(8000);
	vn_neighbour(port, VN_PEER_ID)->heard = jiffies - msecs_to_jiffies(19000);
	vn_step(port);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 1);
	KUNIT_EXPECT_GE(test, vn_delay + 2, msecs_to_jiffies(1000));
	KUNIT_EXPECT_LE(test, vn_delay, msecs_to_jiffies(1000));
	vn_neighbour(port, VN_PEER_ID)->heard = jiffies - msecs_to_jiffies(20000);
	vn_step(port);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_EQ(test, 1, fc2_stat_read(port, FC2_STAT_NEIGHBOUR_GONE));

	/* A Beacon is heard */
	vn_rx(test, port, &vn);
	vn_neighbour(port, VN_PEER_ID)->heard = jiffies - msecs_to_jiffies(19000);
	vn = vn_peer(FIP_SC_VN_BEACON, 0);
	vn_rx(test, port, &vn);
	KUNIT_EXPECT_TRUE(test, time_after(vn_neighbour(port, VN_PEER_ID)->heard,
					   jiffies - HZ));
}

static void fc2_neigh_limit(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct vn_frame vn = vn_peer(FIP_SC_VN_CLAIM_NOTIFY, 0);
	unsigned int i;

	for (i = 0; i < FC2_NEIGHBOURS_MAX + 3; i++) {
		vn_rx(test, port, &vn);
		vn.id++;
		vn.wwpn++;
	}
	KUNIT_EXPECT_EQ(test, port->neighbour_count, FC2_NEIGHBOURS_MAX);
	KUNIT_EXPECT_EQ(test, 3, fc2_stat_read(port, FC2_STAT_NEIGHBOURS_FULL));
	fake_link(port, false);
	KUNIT_EXPECT_EQ(test, port->neighbour_count, 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&port->neighbours));
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), 0);
}

static struct kunit_case fc2_neigh_cases[] = {
	KUNIT_CASE(fc2_neigh_claim_answered),
	KUNIT_CASE(fc2_neigh_early),
	KUNIT_CASE(fc2_neigh_path_too_small),
	KUNIT_CASE(fc2_neigh_unknown_beacon),
	KUNIT_CASE(fc2_neigh_neighbour_changes),
	KUNIT_CASE(fc2_neigh_ageing),
	KUNIT_CASE(fc2_neigh_limit),
	{}
};

static struct kunit_suite fc2_neigh_suite = {
	.name		= "fc2_neigh",
	.test_cases	= fc2_neigh_cases,
};

kunit_test_suites(&fc2_neigh_suite);
