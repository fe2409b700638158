// SPDX-License-Identifier: GPL-2.0
/*
 * Ethernet under ST, annexes A.3 and A.4: one operation is one frame.  An operation that fits uses
 * an IEEE 802.3 length and an LLC/SNAP header (A.3, A.4.1), any other EtherType x'8181' (A.4.2).
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/llc.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <net/datalink.h>
#include <net/llc_pdu.h>
#include <net/psnap.h>
#include <net/rtnetlink.h>
#include <net/st_llp.h>

#include "ethernet.h"

#define ST_LLC_SNAP_LEN		8	/* DSAP, SSAP, Ctl, Org, EtherType; A.3 */
#define ST_LLC_CTL		0x03	/* Ctl, unnumbered; A.3 */
#define ST_FILL_LEN		8	/* zeros before the Schedule Header, A.4.2 */

static_assert(ST_FILL_LEN == ST_LLC_SNAP_LEN);

static struct datalink_proto *st_snap;

/* The bytes after the length, A.3 */
static const u8 st_llc_snap[ST_LLC_SNAP_LEN] = {
	LLC_SAP_SNAP, LLC_SAP_SNAP, ST_LLC_CTL, 0, 0, 0, ETH_P_ST >> 8, ETH_P_ST & 0xff,
};

/*
 * ST A.3 and A.4.2 allow 1024 bytes, A.4.1 8192: each the largest power of two that fits the frame.
 */
static int st_ethernet_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int mtu = READ_ONCE(link->dev->mtu);

	if (!channel || mtu <= ST_LLC_SNAP_LEN + ST_HDR_LEN)
		return -EINVAL;
	return ilog2(mtu - ST_LLC_SNAP_LEN - ST_HDR_LEN);
}

/* Kinds of devices that look like Ethernet, but carry only some protocols, or none */
static const struct {
	const char	*kind;
	const char	*why;
} st_ethernet_unfit_kinds[] = {
	{ "amt",	"it carries IP only" },
	{ "dummy",	"what it sends goes nowhere" },
	{ "ifb",	"what it sends goes nowhere" },
	{ "ipvlan",	"it receives IP only" },
	{ "ipvtap",	"it receives IP only" },
	{ "macvtap",	"what it receives goes to a program" },
	{ "vrf",	"it carries IP only" },
};

/* Whether a VLAN tag stays in received frames, where LLC expects their length. */
static bool st_ethernet_tag_stays(const struct net_device *dev)
{
#if IS_ENABLED(CONFIG_VLAN_8021Q)
	return is_vlan_dev(dev) && !(vlan_dev_priv(dev)->flags & VLAN_FLAG_REORDER_HDR);
#else
	return false;
#endif
}

static const char *st_ethernet_unfit(const struct net_device *dev)
{
	unsigned int i;

	if (dev->type != ARPHRD_ETHER || dev->addr_len != ETH_ALEN || !dev->header_ops)
		return "it is no Ethernet device";
	if (st_ethernet_tag_stays(dev))
		return "its reorder_hdr is off";
	for (i = 0; dev->rtnl_link_ops && i < ARRAY_SIZE(st_ethernet_unfit_kinds); i++)
		if (!strcmp(dev->rtnl_link_ops->kind, st_ethernet_unfit_kinds[i].kind))
			return st_ethernet_unfit_kinds[i].why;
	return NULL;
}

/*
 * GSO is only for devices that forward GSO packets whole: others would have them segmented at once,
 * and some that compute checksums support no protocol but IP.
 */
static unsigned int st_ethernet_max_gso(const struct st_link *link, unsigned int stu)
{
	const netdev_features_t needed = NETIF_F_GSO_SCTP | NETIF_F_HW_CSUM | NETIF_F_SG;
	const struct net_device *dev = link->dev;
	/* The stack applies the limit of IPv4 to all protocols but IPv6 */
	unsigned int max = min3(READ_ONCE(dev->gso_max_size), READ_ONCE(dev->gso_ipv4_max_size),
				GSO_LEGACY_MAX_SIZE);
	/* Including those of a tunnel */
	unsigned int headers = LL_RESERVED_SPACE(dev) + ST_FILL_LEN + ST_HDR_LEN;

	if ((READ_ONCE(dev->features) & needed) != needed || max <= headers)
		return 0;
	/* The stack segments a packet as long as the limit */
	return min_t(u64, max - headers - 1, (u64)stu * READ_ONCE(dev->gso_max_segs));
}

/* As @type, ETH_P_802_2 stands for a length. */
static int st_ethernet_send(struct sk_buff *skb, u16 type, const u8 *daddr, const u8 *saddr)
{
	int err;

	skb_reset_network_header(skb);
	skb->protocol = htons(type);
	err = dev_hard_header(skb, skb->dev, type, daddr, saddr, skb->len);
	if (err < 0) {
		kfree_skb(skb);
		return err;
	}
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

/* Control and Data operations are sent in the order of the calls, A.3. */
static int st_ethernet_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			    const u8 *daddr, struct st_route *route)
{
	skb->dev = link->dev;
	/* A.3, A.4.1.  Not with the kernel's LLC, which does not report drops of the qdisc */
	if (!skb_is_gso(skb) && skb->len + ST_LLC_SNAP_LEN <= ETH_DATA_LEN) {
		memcpy(skb_push(skb, ST_LLC_SNAP_LEN), st_llc_snap, ST_LLC_SNAP_LEN);
		return st_ethernet_send(skb, ETH_P_802_2, daddr, link->addr);
	}
	memset(skb_push(skb, ST_FILL_LEN), 0, ST_FILL_LEN);
	/* A.4.2.  A qdisc takes this as the header length of each frame of a GSO packet */
	skb_set_transport_header(skb, ST_FILL_LEN + ST_HDR_LEN);
	return st_ethernet_send(skb, ETH_P_ST, daddr, link->addr);
}

/* A software device may loop back what this host has sent. */
static void st_ethernet_ingress(struct st_link *link, bool on)
{
	const struct st_ethernet_priv *priv = link->priv;

	if (!on)
		st_ingress_end(link);
	else if (!priv->ingress && st_ethernet_max_gso(link, 1))
		st_ingress_begin(link);
}

/* The ends of a netkit device in L3 mode have the address of zeros. */
static bool st_ethernet_valid(const u8 *addr, unsigned int len)
{
	return !is_multicast_ether_addr(addr);
}

/* st_addr_mac with another valid() */
static struct st_addr_type st_ethernet_addr __ro_after_init;

static int st_ethernet_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	struct st_ethernet_priv *priv = kzalloc(sizeof(*priv), GFP_KERNEL);

	if (!priv)
		return -ENOMEM;
	priv->packet = st_packet_add(link->dev, ETH_P_ST, st_ethernet_dix_rcv);
	if (!priv->packet) {
		kfree(priv);
		return -ENOMEM;
	}
	link->priv = priv;
	link->addr_type = &st_ethernet_addr;
	link->addr_len = ETH_ALEN;
	link->headroom = ST_LLC_SNAP_LEN;
	return 0;
}

static void st_ethernet_end(struct st_link *link)
{
	struct st_ethernet_priv *priv = link->priv;

	st_packet_del(priv->packet);
	kfree(priv);
}

static const struct st_claim st_ethernet_claims[] = {
	{ "ethertype", ETH_P_ST },
	{ "snap", ETH_P_ST },
	{}
};

static const struct st_llp_ops st_ethernet_ops = {
	.unfit		= st_ethernet_unfit,
	.begin		= st_ethernet_begin,
	.end		= st_ethernet_end,
	.max_stu	= st_ethernet_max_stu,
	.max_gso	= st_ethernet_max_gso,
	.xmit		= st_ethernet_xmit,
	.ingress	= st_ethernet_ingress,
};

static struct st_llp st_ethernet = {
	.owner		= THIS_MODULE,
	.name		= "ethernet",
	.type		= ST_LLP_ETHERNET,
	.priority	= ST_PRIORITY_SHARED,
	.attach		= ST_ATTACH_IF_ALLOWED,
	.claims		= st_ethernet_claims,
	.ops		= &st_ethernet_ops,
};

/* The link of a frame, or NULL; under RCU. */
static struct st_link *st_ethernet_link(const struct sk_buff *skb, const struct net_device *dev)
{
	return skb->pkt_type == PACKET_HOST ? st_link_find(dev, &st_ethernet) : NULL;
}

/* @skb is at the Schedule Header, without padding after the operation; consumed. */
static int st_ethernet_rcv(struct st_link *link, struct sk_buff *skb)
{
	u8 saddr[ETH_ALEN];

	ether_addr_copy(saddr, eth_hdr(skb)->h_source);
	st_rcv(link, skb, saddr);
	return NET_RX_SUCCESS;
}

/*
 * Called by the kernel's LLC, which has dropped a frame shorter than its length, has trimmed it to
 * its length, owns it exclusively, and matches ST by DSAP, Org and EtherType.
 */
static int st_ethernet_snap_rcv(struct sk_buff *skb, struct net_device *dev,
				struct packet_type *pt, struct net_device *orig_dev)
{
	const struct llc_pdu_un *llc = (const struct llc_pdu_un *)skb_network_header(skb);
	struct st_link *link = st_ethernet_link(skb, dev);

	if (!link)
		goto drop;
	if (llc->ssap != LLC_SAP_SNAP || llc->ctrl_1 != ST_LLC_CTL) {
		st_link_illegal_frame(link);
		goto drop;
	}
	return st_ethernet_rcv(link, skb);
drop:
	kfree_skb(skb);
	return NET_RX_DROP;
}

/**
 * st_ethernet_dix_rcv - a frame with EtherType x'8181', ST A.4.2
 * @skb: the frame, at its fill; consumed
 * @dev: the device
 * @pt: packet type of a link, perhaps on an upper device of that where the frame arrived; NULL: on
 *	@dev
 * @orig_dev: unused
 *
 * No padding is possible: the fill and the shortest operation exceed the shortest frame.
 *
 * Context: softirq, under RCU.
 * Return: NET_RX_SUCCESS or NET_RX_DROP.
 */
int st_ethernet_dix_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
			struct net_device *orig_dev)
{
	struct st_link *link = st_ethernet_link(skb, dev);

	if (!link || (pt && pt->dev != dev))
		goto drop;
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (!pskb_may_pull(skb, ST_FILL_LEN) || memchr_inv(skb->data, 0, ST_FILL_LEN)) {
		st_link_illegal_frame(link);
		goto drop;
	}
	skb_pull_rcsum(skb, ST_FILL_LEN);
	return st_ethernet_rcv(link, skb);
drop:
	kfree_skb(skb);
	return NET_RX_DROP;
}

/* Convert a frame with its EtherType at @at to length and LLC/SNAP, if it fits such a frame. */
static void st_ethernet_shorten(struct sk_buff *skb, unsigned int at)
{
	unsigned int len = skb->len - at - sizeof(__be16);

	if (len > ETH_DATA_LEN)
		return;
	put_unaligned_be16(len, skb->data + at);
	memcpy(skb->data + at + sizeof(__be16), st_llc_snap, ST_LLC_SNAP_LEN);
	/* A VLAN tag that is not in the skb's metadata stays */
	if (skb->protocol == htons(ETH_P_ST))
		skb->protocol = htons(ETH_P_802_2);
}

/* Segment a GSO packet, which is at its fill; under RCU. */
static struct sk_buff *st_ethernet_gso_segment(struct sk_buff *skb, netdev_features_t features)
{
	unsigned int mac_len = skb->data - skb_mac_header(skb);
	struct sk_buff *segs, *seg;

	if (!pskb_may_pull(skb, ST_FILL_LEN))
		return ERR_PTR(-EINVAL);
	/* The EtherType may be elsewhere, or not there yet, as with MPLS: the format stays then */
	if (mac_len < ETH_HLEN ||
	    get_unaligned_be16(skb->data - sizeof(__be16)) != ETH_P_ST)
		mac_len = 0;
	__skb_pull(skb, ST_FILL_LEN);
	segs = st_gso_segment(skb, features);
	if (IS_ERR(segs))
		return segs;
	for (seg = segs; mac_len && seg; seg = seg->next)
		st_ethernet_shorten(seg, mac_len - sizeof(__be16));
	return segs;
}

static struct packet_offload st_ethernet_offload __read_mostly = {
	.type		= cpu_to_be16(ETH_P_ST),
	.callbacks	= {
		.gso_segment	= st_ethernet_gso_segment,
	},
};

static int __init st_ethernet_init(void)
{
	int err;

	/* Org and EtherType */
	st_snap = register_snap_client(st_llc_snap + 3, st_ethernet_snap_rcv);
	if (!st_snap)
		return -EBUSY;
	st_ethernet_addr = st_addr_mac;
	st_ethernet_addr.valid = st_ethernet_valid;
	dev_add_offload(&st_ethernet_offload);
	err = st_llp_register(&st_ethernet);
	if (err) {
		dev_remove_offload(&st_ethernet_offload);
		unregister_snap_client(st_snap);
	}
	return err;
}

static void __exit st_ethernet_exit(void)
{
	st_llp_unregister(&st_ethernet);
	dev_remove_offload(&st_ethernet_offload);
	unregister_snap_client(st_snap);
}

module_init(st_ethernet_init);
module_exit(st_ethernet_exit);

MODULE_DESCRIPTION("Scheduled Transfer over Ethernet (ST annexes A.3 and A.4)");
MODULE_LICENSE("GPL");
