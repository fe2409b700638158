// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of where frames go: to the ports of a device, also from each other, and to nobody.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/st_compat.h>
#include <linux/workqueue.h>
#include <scsi/fc/fc_encaps.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fcoe.h"
#include "vn.h"
#include "wire.h"

#define TEST_TYPE	0xe3	/* that nobody has */
#define TEST_FRAMES	1024	/* FC2_LOCAL_MAX */
#define TEST_WAITING	128	/* FC2_QUEUE_MAX */

/**
 * struct test_cause - a frame that is dropped
 * @name: what is wrong
 * @at: byte that is changed, from the Ethernet header on
 * @value: its new value
 * @stat: the counter; FC2_STATS: none, as the frame is for nobody here
 */
struct test_cause {
	const char	*name;
	unsigned int	at;
	u8		value;
	enum fc2_stat	stat;
};

static const struct test_cause test_causes[] = {
	{ "TYPE without a user", 39, 0x00, FC2_STAT_RX_TYPE },
	{ "MAC address of another port", 5, 0x24, FC2_STATS },
	{ "MAC address of the device", 0, 0x02, FC2_STATS },
	{ "other D_ID", 31, 0x24, FC2_STAT_RX_D_ID },
	{ "S_ID that is not that of the MAC address", 35, 0x57, FC2_STAT_RX_S_ID },
	{ "MAC address that is not of VN2VN", 7, 0xfe, FC2_STAT_RX_S_ID },
	{ "FC-4 data to all", 0, 0xff, FC2_STAT_RX_D_ID },
	{ "ELS with another TYPE", 28, 0x22, FC2_STAT_RX_TYPE },
	{ "video data", 28, 0x44, FC2_STAT_RX_R_CTL },
	{ "extended header", 28, 0x50, FC2_STAT_RX_R_CTL },
	{ "reserved routing", 28, 0x90, FC2_STAT_RX_R_CTL },
	{ "acknowledge", 28, 0xc0, FC2_STAT_RX_CLASS },
	{ "reject", 28, 0xc2, FC2_STAT_RX_CLASS },
	{ "ABTS of nobody", 28, 0x81, FC2_STAT_RX_NO_LOGIN },
	{ "SOFi2", 27, 0x2d, FC2_STAT_RX_CLASS },
};

KUNIT_ARRAY_PARAM_DESC(test_cause, test_causes, name);

static void fc2_rx_cause(struct kunit *test)
{
	const struct test_cause *cause = test->param_value;
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	enum fc2_stat stat;
	unsigned int len;
	u64 want;

	KUNIT_ASSERT_NOT_NULL(test, p);
	len = wire_put(p, wire_frame(test, TEST_TYPE, 0x380000));
	p[cause->at] = cause->value;
	if (cause->at == 0 && cause->value == 0xff) {
		eth_broadcast_addr(p);
		memset(p + 29, 0xff, 3);
	}
	wire_seal(p, len);
	wire_rx_raw(test, port, p, len);
	for (stat = FC2_STAT_RX_DOWN; stat <= FC2_STAT_RX_NO_LOGIN; stat++) {
		want = stat == cause->stat;
		KUNIT_EXPECT_EQ_MSG(test, fc2_stat_read(port, stat), want, "%s",
				    fc2_stat_name(stat));
	}
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
}

/* A port without an N_Port ID gets what is to all, and drops it */
static void fc2_rx_down(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_CLAIM);
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	unsigned int len;

	KUNIT_ASSERT_NOT_NULL(test, p);
	len = wire_put(p, wire_frame(test, TEST_TYPE, 0x380000));
	wire_rx_raw(test, port, p, len);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_DOWN), 0);
	eth_broadcast_addr(p);
	wire_rx_raw(test, port, p, len);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_DOWN), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_FRAMES), 0);
}

static void rx_send(struct kunit *test, struct fc2_port *port, u32 d_id, u32 s_id)
{
	const u8 dst[] = { 0x0e, 0xfd, 0x00, d_id >> 16, d_id >> 8, d_id };
	struct sk_buff *skb = wire_skb(test, 10);
	struct fc_frame_header *fh = skb_push(skb, sizeof(*fh));

	memset(fh, 0, sizeof(*fh));
	fc2_hton24(fh->fh_d_id, d_id);
	fc2_hton24(fh->fh_s_id, s_id);
	fh->fh_type = TEST_TYPE;
	fc2_hton24(fh->fh_f_ctl, 0x380000);
	KUNIT_EXPECT_EQ(test, fc2_fcoe_xmit(port, skb, FC_SOF_I3, FC_EOF_T, dst), 0);
}

static void rx_flush(struct fc2_port *port)
{
	flush_work(&port->iface->local_work);
}

static struct fc2_port *rx_second(struct kunit *test, struct fc2_port *port)
{
	struct fc2_port *second = fake_port(test, port->iface->dev, VN_WWPN + 0x100);

	while (second->state != FC2_STATE_UP)
		vn_step(second);
	rx_flush(port);
	flush_workqueue(port->wq);
	flush_workqueue(second->wq);
	fake_forget(port->iface->dev);
	return second;
}

/* Frames from a port to itself do not reach the device */
static void fc2_rx_self(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);

	rx_send(test, port, WIRE_ID, WIRE_ID);
	rx_flush(port);
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOCAL_FRAMES), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_FRAMES), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_BYTES), 10);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 1);
}

/* Each port gets its own frames, and nobody else does; others go to the device */
static void fc2_rx_two(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct fc2_port *second = rx_second(test, port);
	struct wire_frame *frame = wire_frame(test, TEST_TYPE, 0x380000);

	KUNIT_ASSERT_EQ(test, fc2_port_id(second), 0x223);
	rx_send(test, port, 0x223, WIRE_ID);
	rx_flush(port);
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 0);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(second, FC2_STAT_RX_TYPE), 1);

	rx_send(test, port, WIRE_PEER, WIRE_ID);
	rx_flush(port);
	KUNIT_EXPECT_TRUE(test, wire_sent(test, port, frame));
	KUNIT_EXPECT_EQ(test, frame->d_id, WIRE_PEER);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(second, FC2_STAT_RX_TYPE), 1);

	wire_rx(test, port, wire_frame(test, TEST_TYPE, 0x380000));
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(second, FC2_STAT_RX_TYPE), 1);
}

/* What is to all goes to the other ports and to the device, and not back */
static void fc2_rx_all(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct fc2_port *second = rx_second(test, port);
	u64 own = fc2_stat_read(port, FC2_STAT_FIP_RECEIVED);
	u64 other = fc2_stat_read(second, FC2_STAT_FIP_RECEIVED);

	port->fip_beacon = jiffies;
	vn_step(port);
	rx_flush(port);
	KUNIT_EXPECT_EQ(test, vn_said(port), FIP_SC_VN_BEACON);
	KUNIT_EXPECT_GE(test, fc2_stat_read(second, FC2_STAT_FIP_RECEIVED), other + 1);
	/* All ports of a device are handed a FIP frame, and know their own */
	KUNIT_EXPECT_LE(test, fc2_stat_read(port, FC2_STAT_FIP_RECEIVED), own + 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FIP_COLLISION), 0);
	KUNIT_EXPECT_EQ(test, fc2_port_id(port), WIRE_ID);
}

/* In a fabric all frames come by way of the FCF, but those of a port to itself */
static void fc2_rx_fcf(struct kunit *test)
{
	static const u8 fcf[ETH_ALEN] __aligned(2) = { 0x02, 0xfc, 0xf0, 0x00, 0x00, 0x01 };
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	unsigned int len;

	KUNIT_ASSERT_NOT_NULL(test, p);
	len = wire_put(p, wire_frame(test, TEST_TYPE, 0x380000));
	ether_addr_copy(port->fcf_mac, fcf);
	port->params.mode = FC2_MODE_FABRIC;
	wire_rx_raw(test, port, p, len);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_S_ID), 1);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 0);
	memcpy(p + ETH_ALEN, fcf, ETH_ALEN);
	wire_rx_raw(test, port, p, len);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 1);
	rx_send(test, port, WIRE_ID, WIRE_ID);
	rx_flush(port);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), 2);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_S_ID), 1);
	port->params.mode = FC2_MODE_VN2VN;
}

/**
 * struct test_stray - a frame of another network than that of the port
 * @name: which
 * @upper: it is for a device above that of the port
 * @dst: first byte of its MAC address
 * @pkt_type: as the stack tells it
 * @fip: it is a FIP frame
 * @taken: it is for the port nevertheless
 */
struct test_stray {
	const char	*name;
	bool		upper;
	u8		dst;
	u8		pkt_type;
	bool		fip;
	bool		taken;
};

static const struct test_stray test_strays[] = {
	{ "to the VN_Port", false, 0x0e, PACKET_OTHERHOST, false, true },
	{ "to the VN_Port, of a VLAN device", true, 0x0e, PACKET_OTHERHOST },
	{ "to all", false, 0xff, PACKET_BROADCAST, false, true },
	{ "to all, of a VLAN device", true, 0xff, PACKET_BROADCAST },
	{ "to all, of a VLAN without a device", false, 0xff, PACKET_OTHERHOST },
	{ "FIP", false, 0x01, PACKET_MULTICAST, true, true },
	{ "FIP, of a VLAN device", true, 0x01, PACKET_MULTICAST, true },
	{ "FIP, of a VLAN without a device", false, 0x01, PACKET_OTHERHOST, true },
};

KUNIT_ARRAY_PARAM_DESC(test_stray, test_strays, name);

/* The stack hands frames of VLANs to the packet types of the device below, too */
static void fc2_rx_vlan(struct kunit *test)
{
	const struct test_stray *stray = test->param_value;
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	struct fc2_iface *iface = port->iface;
	struct packet_type *pt = stray->fip ? &iface->fip : &iface->fcoe;
	struct net_device *dev = iface->dev, *upper = fake_dev(test);
	struct sk_buff *skb;
	unsigned int len;
	u64 before;

	KUNIT_ASSERT_NOT_NULL(test, p);
	len = wire_put(p, wire_frame(test, TEST_TYPE, 0x380000));
	p[0] = stray->dst;
	skb = fake_skb(test, p, len);
	skb->pkt_type = stray->pkt_type;
	before = fc2_stat_read(port, FC2_STAT_FIP_RECEIVED);
	local_bh_disable();
	rcu_read_lock();
	pt->func(skb, stray->upper ? upper : dev, pt, dev);
	rcu_read_unlock();
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_FRAMES),
			stray->taken && !stray->fip);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_FIP_RECEIVED) - before,
			stray->taken && stray->fip);
}

static unsigned int rx_owned;

static void rx_disowned(struct sk_buff *skb)
{
	rx_owned--;
}

/* Frames that wait do not count as the sender's, who may be a socket of this machine */
static void fc2_rx_owner(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct packet_type *types[] = { &port->iface->fcoe, &port->iface->fip };
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	struct wire_frame *els = wire_frame(test, FC_TYPE_ELS, 0x290000);
	struct sk_buff *skb;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	els->r_ctl = FC_RCTL_ELS_REQ;
	els->len = 4;
	wire_put(p, els);
	rx_owned = ARRAY_SIZE(types);
	mutex_lock(&port->lock);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		skb = fake_skb(test, p, WIRE_HEAD + 4 + 8);
		skb->destructor = rx_disowned;
		local_bh_disable();
		rcu_read_lock();
		types[i]->func(skb, port->iface->dev, types[i], port->iface->dev);
		rcu_read_unlock();
		local_bh_enable();
	}
	KUNIT_EXPECT_EQ(test, rx_owned, 0);
	mutex_unlock(&port->lock);
}

/* Softirqs wait, so frames do; those beyond the limit are lost and counted */
static void fc2_rx_flood(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	struct sk_buff_head frames;
	struct sk_buff *skb;
	unsigned int i;

	__skb_queue_head_init(&frames);
	for (i = 0; i < TEST_FRAMES + 10; i++) {
		struct fc_frame_header *fh;

		skb = wire_skb(test, 4);
		fh = skb_push(skb, sizeof(*fh));
		memset(fh, 0, sizeof(*fh));
		fc2_hton24(fh->fh_d_id, WIRE_ID);
		fc2_hton24(fh->fh_s_id, WIRE_ID);
		fh->fh_type = TEST_TYPE;
		__skb_queue_tail(&frames, skb);
	}
	local_bh_disable();
	while ((skb = __skb_dequeue(&frames)))
		fc2_fcoe_xmit(port, skb, FC_SOF_I3, FC_EOF_T, port->mac);
	local_bh_enable();
	rx_flush(port);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOCAL_FRAMES), TEST_FRAMES);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_LOCAL_FULL), 10);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_RX_TYPE), TEST_FRAMES);
	KUNIT_EXPECT_EQ(test, wire_count(port), 0);
}

/* The port is busy, so requests wait; those beyond the limit are lost and counted */
static void fc2_rx_els_flood(struct kunit *test)
{
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);
	struct wire_frame *els = wire_frame(test, FC_TYPE_ELS, 0x290000);
	struct packet_type *pt = &port->iface->fcoe;
	struct sk_buff *skb;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	els->r_ctl = FC_RCTL_ELS_REQ;
	els->len = 4;
	wire_put(p, els);
	mutex_lock(&port->lock);
	for (i = 0; i < TEST_WAITING + 10; i++) {
		skb = fake_skb(test, p, WIRE_HEAD + 4 + 8);
		local_bh_disable();
		rcu_read_lock();
		pt->func(skb, port->iface->dev, pt, port->iface->dev);
		rcu_read_unlock();
		local_bh_enable();
	}
	KUNIT_EXPECT_EQ(test, skb_queue_len(&port->els_queue), TEST_WAITING);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_RECEIVED), 0);
	mutex_unlock(&port->lock);
	flush_workqueue(port->wq);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_RECEIVED), TEST_WAITING);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_ELS_FULL), 10);
}

static struct kunit_case fc2_rx_cases[] = {
	KUNIT_CASE_PARAM(fc2_rx_cause, test_cause_gen_params),
	KUNIT_CASE(fc2_rx_down),
	KUNIT_CASE(fc2_rx_self),
	KUNIT_CASE(fc2_rx_two),
	KUNIT_CASE(fc2_rx_all),
	KUNIT_CASE(fc2_rx_fcf),
	KUNIT_CASE_PARAM(fc2_rx_vlan, test_stray_gen_params),
	KUNIT_CASE(fc2_rx_owner),
	KUNIT_CASE(fc2_rx_flood),
	KUNIT_CASE(fc2_rx_els_flood),
	{}
};

static struct kunit_suite fc2_rx_suite = {
	.name		= "fc2_rx",
	.test_cases	= fc2_rx_cases,
};

kunit_test_suites(&fc2_rx_suite);
