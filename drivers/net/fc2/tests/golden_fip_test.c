// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of FIP against frames that fcoe and libfcoe of Debian's Linux 6.12 have sent.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/rtnetlink.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"
#include "fip_link.h"
#include "golden.h"
#include "neigh.h"
#include "vn.h"

static void golden_parse(struct kunit *test, struct fc2_fip *fip, const char *text)
{
	u8 frame[GOLDEN_MAX];
	unsigned int len = golden_frame(test, frame, text);

	KUNIT_EXPECT_EQ(test, 0, fc2_fip_parse(fip, frame + ETH_HLEN, len - ETH_HLEN));
}

static void fc2_golden_read(struct kunit *test)
{
	static const char * const vn[] = { golden_probe, golden_claim, golden_beacon };
	static const u8 subcodes[] = {
		FIP_SC_VN_PROBE_REQ, FIP_SC_VN_CLAIM_NOTIFY, FIP_SC_VN_BEACON,
	};
	struct fc2_fip fip;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vn); i++) {
		golden_parse(test, &fip, vn[i]);
		KUNIT_EXPECT_EQ(test, fip.subcode, subcodes[i]);
		KUNIT_EXPECT_EQ(test, fip.flags, 0);
		KUNIT_EXPECT_EQ(test, fip.vn_id, 0x00000b);
		KUNIT_EXPECT_EQ(test, fip.wwpn, 0x200002000000000b);
		KUNIT_EXPECT_EQ(test, fip.name, 0x100002000000000b);
	}
	golden_parse(test, &fip, golden_claim);
	KUNIT_EXPECT_EQ(test, fip.size, VN_SIZE);
	golden_parse(test, &fip, golden_flogi);
	KUNIT_EXPECT_EQ(test, fip.els, FIP_DT_FLOGI);
	KUNIT_EXPECT_EQ(test, fip.subcode, FIP_SC_REQ);
	KUNIT_EXPECT_EQ(test, fip.els_len, 24 + 116);
	golden_parse(test, &fip, golden_flogi_acc);
	KUNIT_EXPECT_EQ(test, fip.els, FIP_DT_FLOGI);
	KUNIT_EXPECT_EQ(test, fip.subcode, FIP_SC_REP);
}

/* The next frame that the port sends is one of those, up to @len */
static void golden_sent(struct kunit *test, struct net_device *dev, const char *text,
			unsigned int len)
{
	struct sk_buff *skb = fake_sent(dev, ETH_P_FIP);
	u8 frame[GOLDEN_MAX];
	unsigned int whole = golden_frame(test, frame, text);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, whole);
	KUNIT_EXPECT_MEMEQ(test, skb->data, frame, len ?: whole);
	consume_skb(skb);
}

/* A port at that address sends the same, but for the TYPEs */
static void fc2_golden_sent(struct kunit *test)
{
	static const u8 address[ETH_ALEN] = { 0x02, 0x00, 0x00, 0x00, 0x00, 0x0b };
	struct net_device *dev = fake_dev(test);
	struct fc2_port *port;

	rtnl_lock();
	eth_hw_addr_set(dev, address);
	rtnl_unlock();
	vn_stop_timers(test);
	port = fake_port(test, dev, 0x200002000000000b);
	vn_step(port);
	golden_sent(test, dev, golden_probe, 0);
	vn_step(port);
	golden_sent(test, dev, golden_probe, 0);
	vn_step(port);
	golden_sent(test, dev, golden_claim, ETH_HLEN + 10 + 8 + 12 + 20 + 4);
	vn_step(port);
	golden_sent(test, dev, golden_beacon, 0);
}

/* The station becomes a neighbour */
static void fc2_golden_neighbour(struct kunit *test)
{
	static const u8 enode[ETH_ALEN] = { 0x02, 0x00, 0x00, 0x00, 0x00, 0x0b };
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct fc2_neighbour *neighbour;
	u8 frame[GOLDEN_MAX];
	unsigned int len;

	len = golden_frame(test, frame, golden_claim);
	vn_rx_raw(test, port, frame, len);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_CLAIM_REP);
	len = golden_frame(test, frame, golden_beacon);
	vn_rx_raw(test, port, frame, len);
	neighbour = vn_neighbour(port, 0x00000b);
	KUNIT_ASSERT_NOT_NULL(test, neighbour);
	KUNIT_EXPECT_MEMEQ(test, neighbour->enode_mac, enode, ETH_ALEN);
	KUNIT_EXPECT_TRUE(test, neighbour->told);
}

static struct kunit_case fc2_golden_cases[] = {
	KUNIT_CASE(fc2_golden_read),
	KUNIT_CASE(fc2_golden_sent),
	KUNIT_CASE(fc2_golden_neighbour),
	{}
};

static struct kunit_suite fc2_golden_suite = {
	.name		= "fc2_fip_golden",
	.test_cases	= fc2_golden_cases,
};

kunit_test_suites(&fc2_golden_suite);
