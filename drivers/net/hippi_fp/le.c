// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-LE, RFC 2067: IP and ARP in HIPPI-FP packets.  D1 has the addresses, D2 is LLC/SNAP and
 * the datagram.
 *
 * RFC 2067 leaves address resolution out.  Here ARP packets go in the same PDU, in the layout of
 * RFC 826 with ar$hrd 780, ARPHRD_HIPPI; those of HIPARP, 28, have another.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/llc.h>
#include <linux/st_compat.h>

#include "le.h"
#include "port.h"
#include "stats.h"

static_assert(sizeof(struct hfp_le_d1) == 24);

/* In hfp_le_d1.type; Message_Type 0 is data */
#define HFP_LE_MESSAGE_TYPE	GENMASK(3, 0)
/* Both switch addresses are 12-bit logical addresses, RFC 2067 */
#define HFP_LE_ADDR_TYPES	0x22

static const u8 hfp_le_llc_org[] = { LLC_SAP_SNAP, LLC_SAP_SNAP, 0x03, 0, 0, 0 };

/*
 * The stack may divide the packet later, and give each part this header: hfp_start_xmit() writes
 * the D2_Size.
 */
static int hfp_le_create(struct sk_buff *skb, struct net_device *dev, unsigned short type,
			 const void *daddr, const void *saddr, unsigned int len)
{
	struct hfp_packet packet = {
		.ulp	= HFP_ULP_LE,
		.has_d1	= true,
		.d1_area = sizeof(struct hfp_le_d1),
		.d2_size = HFP_D2_UNKNOWN,
	};
	struct hfp_link_hdr *link;
	struct hfp_le_snap *snap;
	struct hfp_le_d1 *d1;

	snap = skb_push(skb, sizeof(*snap));
	memcpy(snap, hfp_le_llc_org, sizeof(hfp_le_llc_org));
	snap->type = htons(type);
	d1 = skb_push(skb, sizeof(*d1));
	memset(d1, 0, sizeof(*d1));
	d1->addr_types = HFP_LE_ADDR_TYPES;
	if (daddr)
		ether_addr_copy(d1->d_ula, daddr);
	ether_addr_copy(d1->s_ula, saddr ?: dev->dev_addr);
	hfp_build(skb_push(skb, HFP_HDR_LEN), &packet);
	link = skb_push(skb, sizeof(*link));
	ether_addr_copy(link->dest, d1->d_ula);
	ether_addr_copy(link->source, d1->s_ula);
	return daddr ? (int)dev->hard_header_len : -(int)dev->hard_header_len;
}

static int hfp_le_parse(const struct sk_buff *skb, const struct net_device *dev,
			unsigned char *haddr)
{
	const struct hfp_link_hdr *link = (const struct hfp_link_hdr *)skb_mac_header(skb);

	ether_addr_copy(haddr, link->source);
	return ETH_ALEN;
}

ST_HEADER_PARSE(hfp_le_parse)

const struct header_ops hfp_le_header_ops = {
	.create	= hfp_le_create,
	.parse	= ST_HEADER_PARSE_FORM(hfp_le_parse),
};

/* Whether the stack can make anything of a datagram; it is at the datagram. */
static bool hfp_le_type_known(struct sk_buff *skb, __be16 type)
{
	switch (type) {
	case htons(ETH_P_IP):
	case htons(ETH_P_IPV6):
		return true;
	case htons(ETH_P_ARP):
		return pskb_may_pull(skb, sizeof(__be16)) &&
		       *(__be16 *)skb->data == htons(ARPHRD_HIPPI);
	default:
		return false;
	}
}

/**
 * hfp_le_rcv - check a packet of HIPPI-LE and take off its headers
 * @port: where it has arrived
 * @skb: the packet, at its D1_Area, with all of it up to the D2_Data_Set in the linear part, and
 *	without Fill; at the datagram when this returns 0
 * @packet: its FP_Header
 *
 * The address of the sender is that of the frame: what D1 says of it is not looked at.
 *
 * Context: softirq, under RCU.
 * Return: 0 or a negative errno; the packet is counted then.
 */
int hfp_le_rcv(struct hfp_port *port, struct sk_buff *skb, const struct hfp_packet *packet)
{
	unsigned int at = packet->d1_area + packet->d2_offset;
	const struct hfp_le_snap *snap;
	const struct hfp_le_d1 *d1;
	__be16 type;

	if (!packet->has_d1 || packet->d1_area < sizeof(*d1) ||
	    !pskb_may_pull(skb, at + sizeof(*snap))) {
		hfp_count(port, HFP_STAT_LE);
		return -EINVAL;
	}
	d1 = (const struct hfp_le_d1 *)skb->data;
	snap = (const struct hfp_le_snap *)(skb->data + at);
	if (memcmp(snap, hfp_le_llc_org, sizeof(hfp_le_llc_org))) {
		hfp_count(port, HFP_STAT_LE);
		return -EINVAL;
	}
	type = snap->type;
	if (FIELD_GET(HFP_LE_MESSAGE_TYPE, d1->type)) {
		hfp_count(port, HFP_STAT_LE_TYPE);
		return -EPROTONOSUPPORT;
	}
	skb_pull_rcsum(skb, at + sizeof(*snap));
	if (!hfp_le_type_known(skb, type)) {
		hfp_count(port, HFP_STAT_LE_TYPE);
		return -EPROTONOSUPPORT;
	}
	skb->protocol = type;
	return 0;
}
