// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives: FCoE and FIP frames of a device, to its ports and the layers above.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/rculist.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_fcoe.h>
#include <scsi/fc/fc_fip.h>

#include "bls.h"
#include "els_rx.h"
#include "exch_rx.h"
#include "fcoe.h"
#include "port.h"
#include "prov.h"
#include "rx.h"

/* Bits 7 to 4 of R_CTL, FC-FS: what kind of frame it is */
#define FC2_ROUTING(r_ctl)	((r_ctl) >> 4)
#define FC2_ROUTING_DATA	0x0
#define FC2_ROUTING_ELS		0x2
#define FC2_ROUTING_BLS		0x8
#define FC2_ROUTING_LINK	0xc

static int fc2_rx_drop(struct fc2_port *port, struct sk_buff *skb, enum fc2_stat stat)
{
	fc2_stat_inc(port, stat);
	kfree_skb(skb);
	return NET_RX_DROP;
}

/* Queue a frame for a work item of the port.  CPUs that do so at once may exceed the limit. */
static int fc2_rx_queue(struct fc2_port *port, struct sk_buff *skb, struct sk_buff_head *queue,
			struct work_struct *work, enum fc2_stat full)
{
	if (skb_queue_len_lockless(queue) >= FC2_QUEUE_MAX)
		return fc2_rx_drop(port, skb, full);
	skb_queue_tail(queue, skb);
	queue_work(port->wq, work);
	return NET_RX_SUCCESS;
}

/*
 * In VN2VN mode the MAC address of a VN_Port is the FC-MAP and its N_Port ID, FC-BB; in a fabric
 * the source is the FCF, but of what a port sends to itself.
 */
static bool fc2_rx_from(const struct fc2_port *port, const struct sk_buff *skb, u32 s_id)
{
	const u8 *src = eth_hdr(skb)->h_source;

	if (port->params.mode != FC2_MODE_VN2VN)
		return ether_addr_equal(src, s_id == fc2_port_id(port) ? port->mac :
									port->fcf_mac);
	return fc2_ntoh24(src) == FIP_VN_FC_MAP && fc2_ntoh24(src + 3) == s_id;
}

static int fc2_rx_data(struct fc2_port *port, struct sk_buff *skb, u32 s_id)
{
	const struct fc2_prov *prov = fc2_prov_by_type(fc2_frame_hdr(skb)->fh_type);
	struct fc2_rport *rport;

	if (!prov)
		return fc2_rx_drop(port, skb, FC2_STAT_RX_TYPE);
	rport = fc2_rport_by_id(port, s_id);
	if (!rport) {
		fc2_els_rx_stray(port, s_id);
		return fc2_rx_drop(port, skb, FC2_STAT_RX_NO_LOGIN);
	}
	fc2_exch_rx(rport, prov, skb);
	return NET_RX_SUCCESS;
}

/* A good frame for @port; consumed. */
static int fc2_rx_frame(struct fc2_port *port, struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	u32 d_id = fc2_ntoh24(fh->fh_d_id), s_id = fc2_ntoh24(fh->fh_s_id);
	u32 id = fc2_port_id(port);

	if (!id)
		return fc2_rx_drop(port, skb, FC2_STAT_RX_DOWN);
	if (d_id != id && d_id != FC_FID_BCAST)
		return fc2_rx_drop(port, skb, FC2_STAT_RX_D_ID);
	if (!fc2_rx_from(port, skb, s_id))
		return fc2_rx_drop(port, skb, FC2_STAT_RX_S_ID);
	fc2_stat_inc(port, FC2_STAT_RX_FRAMES);
	fc2_stat_add(port, FC2_STAT_RX_BYTES, skb->len);
	switch (FC2_ROUTING(fh->fh_r_ctl)) {
	case FC2_ROUTING_DATA:
		if (d_id == id)
			return fc2_rx_data(port, skb, s_id);
		return fc2_rx_drop(port, skb, FC2_STAT_RX_D_ID);
	case FC2_ROUTING_ELS:
		if (fh->fh_type != FC_TYPE_ELS)
			return fc2_rx_drop(port, skb, FC2_STAT_RX_TYPE);
		return fc2_rx_queue(port, skb, &port->els_queue, &port->els_work,
				    FC2_STAT_ELS_FULL);
	case FC2_ROUTING_BLS:
		if (d_id != id)
			return fc2_rx_drop(port, skb, FC2_STAT_RX_D_ID);
		if (fc2_bls_rx(port, skb))
			return NET_RX_SUCCESS;
		/* Its Exchanges were with a session that is over, FC-LS */
		fc2_els_rx_stray(port, s_id);
		return NET_RX_DROP;
	case FC2_ROUTING_LINK:	/* ACK, P_RJT and the like: class 2 */
		return fc2_rx_drop(port, skb, FC2_STAT_RX_CLASS);
	default:
		return fc2_rx_drop(port, skb, FC2_STAT_RX_R_CTL);
	}
}

/* Whether a frame to the MAC address @dst is for a port. */
static bool fc2_rx_wants(const struct fc2_port *port, const u8 *dst)
{
	return is_multicast_ether_addr(dst) ||
	       (fc2_port_id(port) && ether_addr_equal(port->mac, dst));
}

/* The port behind @after, or the first one, that frames to @dst are for; NULL: any frame */
static struct fc2_port *fc2_rx_next(struct fc2_iface *iface, struct fc2_port *after, const u8 *dst)
{
	struct list_head *at = after ? &after->list : &iface->ports;
	struct fc2_port *port;

	while ((port = list_next_or_null_rcu(&iface->ports, at, struct fc2_port, list))) {
		if (!dst || fc2_rx_wants(port, dst))
			return port;
		at = &port->list;
	}
	return NULL;
}

/* Give a frame to @port and to those behind it that it is for, too; consumed. */
static int fc2_rx_share(struct fc2_iface *iface, struct fc2_port *port, struct sk_buff *skb,
			const u8 *dst, int (*take)(struct fc2_port *port, struct sk_buff *skb))
{
	struct fc2_port *next;
	struct sk_buff *copy;

	while ((next = fc2_rx_next(iface, port, dst))) {
		copy = skb_copy(skb, GFP_ATOMIC);
		if (copy)
			take(port, copy);
		else
			fc2_stat_inc(port, FC2_STAT_RX_NO_MEMORY);
		port = next;
	}
	return take(port, skb);
}

/*
 * A frame to keep as long as need be.  Over veth it comes with the socket that has sent it, which
 * would have no room for more as long as frames wait here.
 */
static struct sk_buff *fc2_rx_own(struct sk_buff *skb)
{
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (skb)
		skb_orphan(skb);
	return skb;
}

/**
 * fc2_rx_fcoe - an FCoE frame
 * @skb: the frame; consumed
 * @dev: the device; another one than that of @pt if the frame is for a VLAN, or the like, above it
 * @pt: packet type of a struct fc2_iface
 * @orig_dev: unused
 *
 * Context: softirq, under RCU.
 * Return: NET_RX_SUCCESS or NET_RX_DROP.
 */
int fc2_rx_fcoe(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		struct net_device *orig_dev)
{
	struct fc2_iface *iface = container_of(pt, struct fc2_iface, fcoe);
	struct fc2_port *port;
	u8 dst[ETH_ALEN] __aligned(2);
	int stat;

	ether_addr_copy(dst, eth_hdr(skb)->h_dest);
	/*
	 * Frames to a VN_Port are PACKET_OTHERHOST, as the device has another address; those to a
	 * group are that if they have the tag of a VLAN without a device.
	 */
	if (dev != iface->dev || skb->pkt_type == PACKET_LOOPBACK ||
	    (skb->pkt_type == PACKET_OTHERHOST && is_multicast_ether_addr(dst)))
		goto drop;
	/* Before the CRC is computed: a device in promiscuous mode hands over those of others */
	port = fc2_rx_next(iface, NULL, dst);
	if (!port)
		goto drop;
	skb = fc2_rx_own(skb);
	if (!skb)
		return NET_RX_DROP;
	stat = fc2_fcoe_decap(skb);
	if (stat != FC2_STAT_RX_FRAMES)
		return fc2_rx_drop(port, skb, stat);
	return fc2_rx_share(iface, port, skb, dst, fc2_rx_frame);
drop:
	kfree_skb(skb);
	return NET_RX_DROP;
}

static int fc2_rx_fip_frame(struct fc2_port *port, struct sk_buff *skb)
{
	fc2_stat_inc(port, FC2_STAT_FIP_RECEIVED);
	return fc2_rx_queue(port, skb, &port->fip_queue, &port->fip_work, FC2_STAT_FIP_FULL);
}

/**
 * fc2_rx_fip - a FIP frame
 * @skb: the frame; consumed
 * @dev: the device; another one than that of @pt if the frame is for a VLAN, or the like, above it
 * @pt: packet type of a struct fc2_iface
 * @orig_dev: unused
 *
 * It goes to all ports of the device, which know by the names in it whether they are meant.
 *
 * Context: softirq, under RCU.
 * Return: NET_RX_SUCCESS or NET_RX_DROP.
 */
int fc2_rx_fip(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
	       struct net_device *orig_dev)
{
	struct fc2_iface *iface = container_of(pt, struct fc2_iface, fip);
	struct fc2_port *port;

	if (dev != iface->dev || skb->pkt_type == PACKET_OTHERHOST ||
	    skb->pkt_type == PACKET_LOOPBACK)
		goto drop;
	port = fc2_rx_next(iface, NULL, NULL);
	if (!port)
		goto drop;
	skb = fc2_rx_own(skb);
	if (!skb)
		return NET_RX_DROP;
	return fc2_rx_share(iface, port, skb, NULL, fc2_rx_fip_frame);
drop:
	kfree_skb(skb);
	return NET_RX_DROP;
}
