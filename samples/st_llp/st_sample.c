// SPDX-License-Identifier: GPL-2.0
/*
 * Sample lower-layer protocol of Scheduled Transfer, as a starting point for others.  It runs
 * over Ethernet, identifies a host by a 16-bit number, and broadcasts operations behind a
 * header with that number.
 */
#include <linux/device/driver.h>
#include <linux/if_arp.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <net/st_llp.h>

#define ST_SAMPLE_ALEN	2	/* bytes of a host number */

/* Header before the operation.  It has a length field, as short frames are padded. */
struct st_sample_hdr {
	__be16	addressee;
	__be16	sender;
	__be16	len;	/* length of the operation */
	__be16	zero;
};

static struct st_llp st_sample;

static const char *st_sample_unfit(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER && dev->header_ops ? NULL : "it is no Ethernet device";
}

/* All Data Channels are alike.  The length field of the header allows at most ETH_MAX_MTU. */
static int st_sample_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int headers = sizeof(struct st_sample_hdr) + ST_HDR_LEN;
	unsigned int mtu = min(READ_ONCE(link->dev->mtu), ETH_MAX_MTU);

	return channel && mtu > headers ? ilog2(mtu - headers) : -EINVAL;
}

static int st_sample_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			  const u8 *daddr, struct st_route *route)
{
	const u16 len = skb->len;
	struct st_sample_hdr *hdr = skb_push(skb, sizeof(*hdr));
	int err;

	memcpy(&hdr->addressee, daddr, ST_SAMPLE_ALEN);
	memcpy(&hdr->sender, link->addr, ST_SAMPLE_ALEN);
	hdr->len = htons(len);
	hdr->zero = 0;
	skb_reset_network_header(skb);
	skb->protocol = htons(ETH_P_802_EX1);
	err = dev_hard_header(skb, link->dev, ETH_P_802_EX1, link->dev->broadcast, NULL, skb->len);
	if (err < 0) {
		kfree_skb(skb);
		return err;
	}
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

/* Softirq, under RCU.  Nothing received is trusted before it is checked. */
static int st_sample_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
			 struct net_device *orig_dev)
{
	struct st_link *link = st_link_find(dev, &st_sample);
	struct st_sample_hdr hdr;

	/* Frames received by a lower device, as a port of a bridge, belong to the upper device */
	if (!link || dev != pt->dev || skb->pkt_type != PACKET_BROADCAST)
		goto drop;
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (!pskb_may_pull(skb, sizeof(hdr)))
		goto illegal;
	memcpy(&hdr, skb->data, sizeof(hdr));
	/* For another host; frames sent by this host that come back fall under this too */
	if (memcmp(&hdr.addressee, link->addr, ST_SAMPLE_ALEN))
		goto drop;
	skb_pull_rcsum(skb, sizeof(hdr));
	if (hdr.zero || ntohs(hdr.len) > skb->len)
		goto illegal;
	if (pskb_trim_rcsum(skb, ntohs(hdr.len)))
		goto drop;
	/* The core checks the sender and the whole operation */
	st_rcv(link, skb, (const u8 *)&hdr.sender);
	return NET_RX_SUCCESS;
illegal:
	st_link_illegal_frame(link);
drop:
	kfree_skb(skb);
	return NET_RX_DROP;
}

/* The number is the last 16 bits of the MAC address, and stays if the address changes. */
static int st_sample_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->addr_type = &st_addr_id;
	link->addr_len = ST_SAMPLE_ALEN;
	link->own_addr = true;
	memcpy(link->addr, link->dev->dev_addr + ETH_ALEN - ST_SAMPLE_ALEN, ST_SAMPLE_ALEN);
	if (!st_addr_id.valid(link->addr, ST_SAMPLE_ALEN)) {
		NL_SET_ERR_MSG(extack, "its MAC address ends with ff:ff");
		return -EADDRNOTAVAIL;
	}
	link->headroom = sizeof(struct st_sample_hdr);
	link->priv = st_packet_add(link->dev, ETH_P_802_EX1, st_sample_rcv);
	return link->priv ? 0 : -ENOMEM;
}

static void st_sample_end(struct st_link *link)
{
	st_packet_del(link->priv);
}

static const struct st_claim st_sample_claims[] = { { "ethertype", ETH_P_802_EX1 }, {} };

static const struct st_llp_ops st_sample_ops = {
	.unfit		= st_sample_unfit,
	.begin		= st_sample_begin,
	.end		= st_sample_end,
	.max_stu	= st_sample_max_stu,
	.xmit		= st_sample_xmit,
};

static struct st_llp st_sample = {
	.owner		= THIS_MODULE,
	.name		= "sample",
	.type		= ST_LLP_PRIVATE,
	.priority	= 10,
	.attach		= ST_ATTACH_ON_DEMAND,
	.claims		= st_sample_claims,
	.ops		= &st_sample_ops,
};

module_driver(st_sample, st_llp_register, st_llp_unregister);

MODULE_DESCRIPTION("Sample of a lower-layer protocol of Scheduled Transfer");
MODULE_LICENSE("GPL");
