// SPDX-License-Identifier: GPL-2.0
/*
 * VN2VN frames of another port, and a port that takes its steps when a test wants it.
 */
#include <kunit/static_stub.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_fip.h>

#include "fake.h"
#include "fip.h"
#include "fip_link.h"
#include "vn.h"
#include "vn2vn.h"

const u8 vn_all[ETH_ALEN] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x04 };
const u8 vn_peer_mac[ETH_ALEN] = { 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee };
unsigned long vn_delay;

static void vn_arm(struct fc2_port *port, unsigned long delay)
{
	vn_delay = delay;
}

/**
 * vn_stop_timers - let ports take no steps of their own in a test
 * @test: the test
 */
void vn_stop_timers(struct kunit *test)
{
	kunit_activate_static_stub(test, fc2_fip_arm, vn_arm);
}

/**
 * vn_peer - a frame of another port, which has a higher Port_Name
 * @subcode: of the frame
 * @len: bytes of the FIP frame; 0: without padding
 *
 * Return: the frame.
 */
struct vn_frame vn_peer(u8 subcode, unsigned int len)
{
	return (struct vn_frame) {
		.subcode = subcode, .id = VN_PEER_ID, .wwpn = VN_WWPN + 1,
		.wwnn = 0x1000000000000001, .size = VN_SIZE, .len = len,
	};
}

/**
 * vn_put - lay out a frame
 * @frame: gets it, VN_FRAME_MAX bytes
 * @vn: what it says
 *
 * Return: bytes of it, from the Ethernet header on.
 */
unsigned int vn_put(u8 *frame, const struct vn_frame *vn)
{
	bool claim = vn->subcode == FIP_SC_VN_CLAIM_NOTIFY || vn->subcode == FIP_SC_VN_CLAIM_REP;
	u8 vn_mac[] = { 0x0e, 0xfd, 0x00, vn->id >> 16, vn->id >> 8, vn->id };
	bool reply = vn->subcode == FIP_SC_VN_PROBE_REP || vn->subcode == FIP_SC_VN_CLAIM_REP;
	u8 *p = frame + ETH_HLEN;

	memset(frame, 0, VN_FRAME_MAX);
	memcpy(frame, reply ? (const u8 []) { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 } : vn_all, 6);
	memcpy(frame + 6, vn->subcode == FIP_SC_VN_BEACON ? vn_mac : vn_peer_mac, 6);
	put_unaligned_be16(ETH_P_FIP, frame + 12);
	p[0] = 0x10;
	p[3] = FIP_OP_VN2VN;
	p[5] = vn->subcode;
	p[7] = 10 + (claim ? 42 : 0);
	put_unaligned_be16(vn->flags, p + 8);
	p += 10;
	p[0] = FIP_DT_MAC;
	p[1] = 2;
	memcpy(p + 2, vn_peer_mac, 6);
	p += 8;
	p[0] = FIP_DT_NAME;
	p[1] = 3;
	put_unaligned_be64(vn->wwnn, p + 4);
	p += 12;
	p[0] = FIP_DT_VN_ID;
	p[1] = 5;
	memcpy(p + 2, vn_mac, 6);
	put_unaligned_be24(vn->id, p + 9);
	put_unaligned_be64(vn->wwpn, p + 12);
	p += 20;
	if (claim) {
		p[0] = FIP_DT_FC4F;
		p[1] = 41;
		p += 164;
		p[0] = FIP_DT_FCOE_SIZE;
		p[1] = 1;
		put_unaligned_be16(vn->size, p + 2);
		p += 4;
	}
	return p - frame;
}

/**
 * vn_rx_raw - let a port receive a frame
 * @test: the test
 * @port: the port
 * @frame: from the Ethernet header on
 * @len: bytes of it
 */
void vn_rx_raw(struct kunit *test, struct fc2_port *port, const u8 *frame, unsigned int len)
{
	struct sk_buff *skb = fake_skb(test, frame, len);

	mutex_lock(&port->lock);
	fc2_fip_rx(port, skb);
	mutex_unlock(&port->lock);
}

/**
 * vn_rx - let a port receive a VN2VN frame
 * @test: the test
 * @port: the port
 * @vn: what the frame says
 */
void vn_rx(struct kunit *test, struct fc2_port *port, const struct vn_frame *vn)
{
	unsigned int len = max_t(unsigned int, vn->len + ETH_HLEN, VN_FRAME_MAX);
	u8 *frame = kunit_kzalloc(test, len, GFP_KERNEL);
	unsigned int n;

	KUNIT_ASSERT_NOT_NULL(test, frame);
	n = vn_put(frame, vn);
	vn_rx_raw(test, port, frame, vn->len ? vn->len + ETH_HLEN : n);
	kunit_kfree(test, frame);
}

/**
 * vn_step - let a port take its next step
 * @port: the port
 */
void vn_step(struct fc2_port *port)
{
	mutex_lock(&port->lock);
	fc2_fip_timeout(port);
	mutex_unlock(&port->lock);
}

/**
 * vn_port - a port, on a device of its own, whose timer does not run
 * @test: the test
 * @state: to which it has been led; what it sent is forgotten
 *
 * Return: the port.
 */
struct fc2_port *vn_port(struct kunit *test, enum fc2_state state)
{
	struct net_device *dev = fake_dev(test);
	struct fc2_port *port;

	vn_stop_timers(test);
	port = fake_port(test, dev, VN_WWPN);
	while (port->state != state)
		vn_step(port);
	/* What was sent last is so long ago that it does not count */
	port->fip_claimed = jiffies - 10 * HZ;
	fake_forget(dev);
	return port;
}

/**
 * vn_sent - the next VN2VN frame that was sent
 * @port: the port
 * @fip: for what it says
 *
 * Return: the frame, at its Ethernet header, the caller's; or NULL.
 */
struct sk_buff *vn_sent(struct fc2_port *port, struct fc2_fip *fip)
{
	struct sk_buff *skb;

	while ((skb = fake_sent(port->iface->dev, ETH_P_FIP))) {
		if (!fc2_fip_parse(fip, skb->data + ETH_HLEN, skb->len - ETH_HLEN) &&
		    fip->op == FIP_OP_VN2VN)
			return skb;
		consume_skb(skb);
	}
	return NULL;
}

/**
 * vn_said - subcode of the next VN2VN frame that was sent
 * @port: the port
 *
 * Return: it, or 0 if nothing was sent.
 */
u8 vn_said(struct fc2_port *port)
{
	struct fc2_fip fip;
	struct sk_buff *skb = vn_sent(port, &fip);

	if (!skb)
		return 0;
	consume_skb(skb);
	return fip.subcode;
}

/**
 * vn_neighbour - a neighbour of a port
 * @port: the port
 * @id: its N_Port ID
 *
 * Return: the neighbour, or NULL.
 */
struct fc2_neighbour *vn_neighbour(struct fc2_port *port, u32 id)
{
	struct fc2_neighbour *neighbour;

	mutex_lock(&port->lock);
	neighbour = fc2_neighbour_find(port, id);
	mutex_unlock(&port->lock);
	return neighbour;
}
