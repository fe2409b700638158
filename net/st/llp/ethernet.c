// SPDX-License-Identifier: GPL-2.0
/*
 * Ethernet under ST, annexes A.3 and A.4: one operation is one frame.  It has an
 * IEEE 802.3 length and an LLC/SNAP header where such a frame holds it (A.3,
 * A.4.1), and EtherType x'8181' otherwise (A.4.2).
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/llc.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <net/datalink.h>
#include <net/llc_pdu.h>
#include <net/p8022.h>
#include <net/psnap.h>
#include <net/st.h>

#define ST_LLC_SNAP_LEN		8	/* DSAP, SSAP, Ctl, Org, EtherType; A.3 */
#define ST_LLC_CTL		0x03	/* Ctl, unnumbered; A.3 */
#define ST_FILL_LEN		8	/* zeros before the Schedule Header, A.4.2 */

static_assert(ST_FILL_LEN == ST_LLC_SNAP_LEN);

static struct datalink_proto *st_snap;

/*
 * ST A.3 and A.4.2 allow 1024 bytes, A.4.1 8192, each the largest power of two
 * that fits its frames.
 */
static int st_ethernet_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int mtu = READ_ONCE(link->dev->mtu);

	if (!channel || mtu <= ST_LLC_SNAP_LEN + ST_HDR_LEN)
		return -EINVAL;
	return ilog2(mtu - ST_LLC_SNAP_LEN - ST_HDR_LEN);
}

static bool st_ethernet_fits(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER && dev->addr_len == ETH_ALEN && dev->header_ops;
}

/* ST A.4.2 */
static int st_ethernet_xmit_dix(struct sk_buff *skb, const u8 *daddr)
{
	int err;

	memset(skb_push(skb, ST_FILL_LEN), 0, ST_FILL_LEN);
	skb_reset_network_header(skb);
	skb->protocol = htons(ETH_P_ST);
	err = dev_hard_header(skb, skb->dev, ETH_P_ST, daddr, NULL, skb->len);
	if (err < 0) {
		kfree_skb(skb);
		return err;
	}
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

/* Control and Data operations leave in the order they come in, A.3. */
static int st_ethernet_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			    const u8 *daddr)
{
	skb->dev = link->dev;
	if (skb->len + ST_LLC_SNAP_LEN > ETH_DATA_LEN)
		return st_ethernet_xmit_dix(skb, daddr);
	skb->protocol = htons(ETH_P_802_2);
	return st_snap->request(st_snap, skb, daddr);
}

static struct st_llp st_ethernet = {
	.owner		= THIS_MODULE,
	.name		= "ethernet",
	.type		= ST_LLP_ETHERNET,
	.attach		= ST_ATTACH_IF_ALLOWED,
	.proto		= cpu_to_be16(ETH_P_ST),
	.addr_len	= ETH_ALEN,
	.headroom	= ST_LLC_SNAP_LEN,
	.fits		= st_ethernet_fits,
	.max_stu	= st_ethernet_max_stu,
	.xmit		= st_ethernet_xmit,
};

/* The link that a frame is for, or NULL; under RCU. */
static struct st_link *st_ethernet_link(const struct sk_buff *skb, const struct net_device *dev)
{
	return skb->pkt_type == PACKET_HOST ? st_link_find(dev, &st_ethernet) : NULL;
}

/* At the Schedule Header, with no padding behind the operation; takes @skb. */
static int st_ethernet_rcv(struct st_link *link, struct sk_buff *skb)
{
	u8 saddr[ETH_ALEN];

	ether_addr_copy(saddr, eth_hdr(skb)->h_source);
	st_rcv(link, skb, saddr);
	return NET_RX_SUCCESS;
}

/*
 * From the kernel's LLC, which has dropped the frame if it is shorter than its
 * length; has cut it to its length; owns it alone; and knows ST by DSAP, Org and
 * EtherType.
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

/* The shortest operation and the fill are longer than what needs padding. */
static int st_ethernet_dix_rcv(struct sk_buff *skb, struct net_device *dev,
			       struct packet_type *pt, struct net_device *orig_dev)
{
	/* Frames of other LLPs have the same EtherType, HIPPI-6400's no fill */
	struct st_link *link = st_ethernet_link(skb, dev);

	if (!link)
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

static struct packet_type st_ethernet_dix_packet = {
	.type	= cpu_to_be16(ETH_P_ST),
	.func	= st_ethernet_dix_rcv,
};

static int __init st_ethernet_init(void)
{
	static const u8 snap[] = { 0, 0, 0, ETH_P_ST >> 8, ETH_P_ST & 0xff };
	int err;

	st_snap = register_snap_client(snap, st_ethernet_snap_rcv);
	if (!st_snap)
		return -EBUSY;
	err = st_llp_register(&st_ethernet);
	if (err) {
		unregister_snap_client(st_snap);
		return err;
	}
	dev_add_pack(&st_ethernet_dix_packet);
	return 0;
}

static void __exit st_ethernet_exit(void)
{
	dev_remove_pack(&st_ethernet_dix_packet);
	st_llp_unregister(&st_ethernet);
	unregister_snap_client(st_snap);
}

module_init(st_ethernet_init);
module_exit(st_ethernet_exit);

MODULE_DESCRIPTION("Scheduled Transfer over Ethernet (ST annexes A.3 and A.4)");
MODULE_LICENSE("GPL");
