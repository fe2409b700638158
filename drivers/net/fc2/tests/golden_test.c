// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests with frames that Debian's fcoe.ko (Linux 6.12) has sent to a port with the N_Port ID
 * 00000a, whose ENode was 02:00:00:00:00:0a: they arrive as on a device.
 */
#include <linux/etherdevice.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "golden.h"
#include "peer.h"

#define GOLDEN_WWPN	0x200002000000000aULL
#define GOLDEN_PEER	0x00000b

/* Where a frame in FIP has its OX_ID */
#define GOLDEN_FIP_OX_ID	(ETH_HLEN + sizeof(struct fip_header) + \
				 sizeof(struct fip_encaps) + 16)

/* The frame arrives, with @ox_id instead of its own unless that is 0 */
static void golden_rx(struct kunit *test, struct fc2_port *port, const char *text, u16 ox_id)
{
	struct net_device *dev = port->iface->dev;
	struct sk_buff *skb = alloc_skb(GOLDEN_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put(skb, golden_frame(test, skb->data, text));
	if (skb->data[0] == 0x02)
		ether_addr_copy(skb->data, dev->dev_addr);
	if (ox_id)
		put_unaligned_be16(ox_id, skb->data + GOLDEN_FIP_OX_ID);
	skb->dev = dev;
	skb->protocol = eth_type_trans(skb, dev);
	local_bh_disable();
	netif_receive_skb(skb);
	local_bh_enable();
	/* A frame in FIP goes from one work item to another */
	flush_workqueue(port->wq);
	flush_workqueue(port->wq);
}

/* The next frame that the port sends, but for VN2VN */
static struct peer_els *golden_tx(struct kunit *test, struct fc2_port *port, u8 cmd)
{
	struct sk_buff *skb;
	struct peer_els *els;

	while ((skb = skb_peek(netdev_priv(port->iface->dev))) &&
	       skb->protocol == htons(ETH_P_FIP) && skb->data[ETH_HLEN + 3] == FIP_OP_VN2VN)
		consume_skb(skb_dequeue(netdev_priv(port->iface->dev)));
	els = peer_tx(test, port);
	KUNIT_ASSERT_NOT_NULL(test, els);
	KUNIT_ASSERT_EQ(test, els->payload[0], cmd);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_d_id), GOLDEN_PEER);
	KUNIT_EXPECT_EQ(test, fc2_ntoh24(els->fh.fh_s_id), port->id);
	return els;
}

/* From the first Claim to PRLI and RTV, in the order of the capture */
static void fc2_golden_login(struct kunit *test)
{
	static const u8 vn_mac[ETH_ALEN] = { 0x0e, 0xfd, 0, 0, 0, 0x0b };
	struct fc2_port *port = peer_port(test, GOLDEN_WWPN);
	struct peer_els *own, *els;

	peer_listen(test);
	KUNIT_ASSERT_EQ(test, port->id, 0x00000a);
	golden_rx(test, port, golden_claim, 0);
	golden_rx(test, port, golden_beacon, 0);
	own = golden_tx(test, port, ELS_FLOGI);
	golden_rx(test, port, golden_flogi, 0);
	els = golden_tx(test, port, ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, els->fip, FIP_DT_FLOGI);
	golden_rx(test, port, golden_flogi_acc, ntohs(own->fh.fh_ox_id));
	KUNIT_EXPECT_EQ(test, peer_state(port, GOLDEN_PEER), FC2_REMOTE_WAIT);
	golden_rx(test, port, golden_plogi, 0);
	els = golden_tx(test, port, ELS_LS_ACC);
	KUNIT_EXPECT_MEMEQ(test, els->dst, vn_mac, ETH_ALEN);
	KUNIT_EXPECT_EQ(test, peer_state(port, GOLDEN_PEER), FC2_REMOTE_UP);
	KUNIT_EXPECT_STREQ(test, peer_told.what, "i");
	KUNIT_EXPECT_FALSE(test, peer_told.seq_cnt[0]);
	KUNIT_EXPECT_TRUE(test, peer_told.rel_off[0]);
	KUNIT_EXPECT_EQ(test, peer_told.mfs[0], 2112);
	golden_rx(test, port, golden_prli, 0);
	els = golden_tx(test, port, ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, els->len, 20);
	golden_rx(test, port, golden_rtv, 0);
	els = golden_tx(test, port, ELS_LS_ACC);
	KUNIT_EXPECT_EQ(test, els->len, 16);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_BAD), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FIP_BAD), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_CRC), 0);
}

static struct kunit_case fc2_golden_cases[] = {
	KUNIT_CASE(fc2_golden_login),
	{}
};

static struct kunit_suite fc2_golden_suite = {
	.name		= "fc2_golden",
	.test_cases	= fc2_golden_cases,
};

kunit_test_suite(fc2_golden_suite);
