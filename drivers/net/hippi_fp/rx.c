// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that arrive: from frames of the lower device to the stack, IP to the Internet protocols,
 * all others to their ULPs.
 */
#include <linux/etherdevice.h>

#include "codec.h"
#include "le.h"
#include "port.h"
#include "rx.h"
#include "stats.h"
#include "ulp.h"

static void hfp_rx_drop(struct hfp_port *port, struct sk_buff *skb, enum hfp_stat what)
{
	hfp_count(port, what);
	DEV_STATS_INC(port->dev, rx_errors);
	kfree_skb(skb);
}

static void hfp_rx_no_memory(struct hfp_port *port, struct sk_buff *skb)
{
	hfp_count(port, HFP_STAT_NO_MEMORY);
	dev_core_stats_rx_dropped_inc(port->dev);
	kfree_skb(skb);
}

/* Read and check the FP_Header.  Return: false: the packet is counted, and gone. */
static bool hfp_rx_parse(struct hfp_port *port, struct sk_buff *skb, struct hfp_packet *packet)
{
	int what;

	if (skb->len >= HFP_HDR_LEN && !pskb_may_pull(skb, HFP_HDR_LEN)) {
		hfp_rx_no_memory(port, skb);
		return false;
	}
	what = hfp_parse(packet, (const struct hfp_hdr *)skb->data, skb->len);
	if (what >= 0)
		hfp_rx_drop(port, skb, what);
	return what < 0;
}

/* Which host a packet is for; PACKET_OTHERHOST: it is none of ours. */
static u8 hfp_rx_type(const struct hfp_port *port, const u8 *dest)
{
	if (ether_addr_equal_unaligned(dest, port->dev->dev_addr))
		return PACKET_HOST;
	if (is_broadcast_ether_addr(dest))
		return PACKET_BROADCAST;
	return is_multicast_ether_addr(dest) ? PACKET_MULTICAST : PACKET_OTHERHOST;
}

/*
 * Whether a frame is of a VLAN that the lower device is not in: the stack has taken the tag off,
 * and calls a frame for another host what otherwise it would not.
 */
static bool hfp_rx_other_vlan(const struct sk_buff *skb, const struct net_device *lower,
			      const u8 *dest)
{
	return skb->pkt_type == PACKET_OTHERHOST &&
	       (is_multicast_ether_addr(dest) ||
		ether_addr_equal_unaligned(dest, lower->dev_addr));
}

/* The header of a frame becomes that of the port: its addresses stand two bytes later. */
static int hfp_rx_link(struct sk_buff *skb, const struct ethhdr *eth)
{
	struct hfp_link_hdr link;

	ether_addr_copy(link.dest, eth->h_dest);
	ether_addr_copy(link.source, eth->h_source);
	if (skb_cow_head(skb, sizeof(link)))
		return -ENOMEM;
	memcpy(skb->data - sizeof(link), &link, sizeof(link));
	skb_set_mac_header(skb, -(int)sizeof(link));
	skb->mac_len = sizeof(link);
	return 0;
}

/* Take off Fill and what is before the D2_Data_Set, but for HIPPI-LE, whose D1 is looked at. */
static int hfp_rx_cut(struct sk_buff *skb, const struct hfp_packet *packet)
{
	u32 end = hfp_d2_at(packet) + packet->d2_size;

	if (packet->d2_size != HFP_D2_UNKNOWN && pskb_trim_rcsum(skb, end))
		return -ENOMEM;
	return pskb_may_pull(skb, hfp_d2_at(packet)) ? 0 : -ENOMEM;
}

static void hfp_rx_stack(struct hfp_port *port, struct sk_buff *skb)
{
	dev_sw_netstats_rx_add(port->dev, skb->len);
	skb_reset_network_header(skb);
	netif_receive_skb(skb);
}

/* A packet for @port, which is at its FP_Header and is not shared */
static void hfp_rx(struct hfp_port *port, struct sk_buff *skb)
{
	struct hfp_packet packet;

	if (!hfp_rx_parse(port, skb, &packet))
		return;
	if (packet.ulp != HFP_ULP_LE) {
		skb->protocol = htons(ETH_P_HIPPI_FP);
		hfp_rx_stack(port, skb);
		return;
	}
	if (hfp_rx_cut(skb, &packet)) {
		hfp_rx_no_memory(port, skb);
		return;
	}
	skb_pull_rcsum(skb, HFP_HDR_LEN);
	if (hfp_le_rcv(port, skb, &packet)) {
		DEV_STATS_INC(port->dev, rx_errors);
		kfree_skb(skb);
		return;
	}
	hfp_rx_stack(port, skb);
}

/* A frame of the lower device.  Several ports may see it, each for its own address. */
static int hfp_rx_frame(struct sk_buff *skb, struct net_device *lower, struct packet_type *pt,
			struct net_device *orig_dev)
{
	struct hfp_port *port = container_of(pt, struct hfp_port, frames);
	const struct ethhdr *eth;
	u8 type;

	if (skb->pkt_type == PACKET_LOOPBACK || !skb_mac_header_was_set(skb)) {
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	eth = (const struct ethhdr *)skb_mac_header(skb);
	type = hfp_rx_type(port, eth->h_dest);
	if (type == PACKET_OTHERHOST || hfp_rx_other_vlan(skb, lower, eth->h_dest)) {
		hfp_count(port, HFP_STAT_NOT_OURS);
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb || hfp_rx_link(skb, eth)) {
		hfp_rx_no_memory(port, skb);
		return NET_RX_DROP;
	}
	skb->dev = port->dev;
	skb->pkt_type = type;
	hfp_rx(port, skb);
	return NET_RX_SUCCESS;
}

/* A packet of a port that is not of HIPPI-LE, for its ULP; it was good in hfp_rx() */
static int hfp_rx_packet(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
			 struct net_device *orig_dev)
{
	struct hfp_port *port = container_of(pt, struct hfp_port, packets);
	struct hfp_packet packet;
	struct hfp_ind ind = { .status = HFP_GOOD };
	struct hfp_ulp *ulp;
	u8 source[ETH_ALEN];

	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (!hfp_rx_parse(port, skb, &packet))
		return NET_RX_DROP;
	if (hfp_rx_cut(skb, &packet)) {
		hfp_rx_no_memory(port, skb);
		return NET_RX_DROP;
	}
	ulp = hfp_ulp_find(packet.ulp);
	if (!ulp) {
		hfp_rx_drop(port, skb, HFP_STAT_ULP);
		return NET_RX_DROP;
	}
	ether_addr_copy(source, ((const struct hfp_link_hdr *)skb_mac_header(skb))->source);
	ind.source = source;
	if (packet.has_d1) {
		ind.d1 = skb->data + HFP_HDR_LEN;
		ind.d1_size = packet.d1_area;
	}
	ind.d2_offset = packet.d2_offset;
	ind.burst = packet.burst;
	ind.known = packet.d2_size != HFP_D2_UNKNOWN;
	ind.group = skb->pkt_type != PACKET_HOST;
	skb_pull_rcsum(skb, hfp_d2_at(&packet));
	ind.d2_size = skb->len;
	ulp->rcv(dev, skb, &ind);
	return NET_RX_SUCCESS;
}

/**
 * hfp_rx_begin - receive what arrives for a port
 * @port: the port
 */
void hfp_rx_begin(struct hfp_port *port)
{
	port->packets.type = htons(ETH_P_HIPPI_FP);
	port->packets.dev = port->dev;
	port->packets.func = hfp_rx_packet;
	dev_add_pack(&port->packets);
	port->frames.type = htons(ETH_P_HIPPI_FP);
	port->frames.dev = port->lower;
	port->frames.func = hfp_rx_frame;
	dev_add_pack(&port->frames);
}

/**
 * hfp_rx_end - undo hfp_rx_begin()
 * @port: the port; nothing is received when this returns
 */
void hfp_rx_end(struct hfp_port *port)
{
	__dev_remove_pack(&port->frames);
	__dev_remove_pack(&port->packets);
	synchronize_net();
}
