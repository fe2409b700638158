// SPDX-License-Identifier: GPL-2.0
/*
 * RapidIO Type 9 under ST: one operation is one PDU of a stream that both ends have agreed on.  ST
 * annex A leaves room for it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/log2.h>
#include <linux/module.h>
#include <linux/pkt_sched.h>
#include <linux/rio9.h>
#include <linux/unaligned.h>
#include <net/st_llp.h>

/* Of the streams that are left to vendors, E000 to EFFF, one that no standard has given to ST */
#define ST_RIO9_STREAM		0xe181
#define ST_RIO9_STREAM_MIN	0xe000
#define ST_RIO9_STREAM_MAX	0xefff

/* The smallest STU and its header */
#define ST_RIO9_MIN_PDU		(256 + ST_HDR_LEN)

static unsigned short st_rio9_stream = ST_RIO9_STREAM;
module_param_named(stream, st_rio9_stream, ushort, 0444);
MODULE_PARM_DESC(stream, "streamID of ST, 0xe000 to 0xefff (default 0xe181)");

/* So that each has a flow: a Control operation never waits behind Data */
static const u8 st_rio9_cos[ST_NUM_CHANNELS] = { 0xc0, 0x80, 0x40, 0x00 };

/* The MTU of a device is at most the longest PDU that its endpoint takes. */
static int st_rio9_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int mtu = READ_ONCE(link->dev->mtu);

	if (!channel || mtu < ST_RIO9_MIN_PDU)
		return -EINVAL;
	return ilog2(mtu - ST_HDR_LEN);
}

static const char *st_rio9_unfit(const struct net_device *dev)
{
	if (!rio9_is_port(dev))
		return "it is no RapidIO port";
	return dev->max_mtu < ST_RIO9_MIN_PDU ? "its PDUs are too short" : NULL;
}

static int st_rio9_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			const u8 *daddr, struct st_route *route)
{
	struct rio9_hdr *hdr;
	int err;

	skb_reset_network_header(skb);
	hdr = skb_push(skb, sizeof(*hdr));
	hdr->peer = cpu_to_be16(get_unaligned_be16(daddr));
	hdr->cos = st_rio9_cos[channel];
	hdr->channel = 0;
	skb->protocol = cpu_to_be16(st_rio9_stream);
	if (!channel)
		skb->priority = TC_PRIO_CONTROL;
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

static struct st_llp st_rio9;

static int st_rio9_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		       struct net_device *orig_dev)
{
	struct st_link *link = st_link_find(dev, &st_rio9);
	u8 saddr[RIO9_ADDR_LEN];

	if (!link || dev != pt->dev || skb->pkt_type != PACKET_HOST) {
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	memcpy(saddr, &rio9_skb_hdr(skb)->peer, sizeof(saddr));
	st_rcv(link, skb, saddr);
	return NET_RX_SUCCESS;
}

static bool st_rio9_small_valid(const u8 *addr, unsigned int len)
{
	return st_addr_id.valid(addr, len) && get_unaligned_be16(addr) < U8_MAX;
}

/* Addresses on a fabric with IDs of 8 bits: st_addr_id with another valid() */
static struct st_addr_type st_rio9_small __ro_after_init;

static int st_rio9_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->priv = st_packet_add(link->dev, st_rio9_stream, st_rio9_rcv);
	if (!link->priv)
		return -ENOMEM;
	link->addr_type = rio9_port_caps(rio9_netdev_port(link->dev))->large ? &st_addr_id :
									      &st_rio9_small;
	link->addr_len = RIO9_ADDR_LEN;
	/* RIO10 2.4: a Data Channel is a stream, which stays in one flow */
	link->traits = ST_ORDERED;
	return 0;
}

static void st_rio9_end(struct st_link *link)
{
	st_packet_del(link->priv);
}

static const struct st_llp_ops st_rio9_ops = {
	.unfit		= st_rio9_unfit,
	.begin		= st_rio9_begin,
	.end		= st_rio9_end,
	.max_stu	= st_rio9_max_stu,
	.xmit		= st_rio9_xmit,
};

static struct st_llp st_rio9 = {
	.owner		= THIS_MODULE,
	.name		= "rio9",
	.type		= ST_LLP_RIO9,
	.priority	= ST_PRIORITY_SHARED,
	.attach		= ST_ATTACH_IF_ALLOWED,
	.ops		= &st_rio9_ops,
};

static int __init st_rio9_init(void)
{
	if (st_rio9_stream < ST_RIO9_STREAM_MIN || st_rio9_stream > ST_RIO9_STREAM_MAX) {
		pr_err("stream=0x%04x: expected 0x%04x to 0x%04x\n", st_rio9_stream,
		       ST_RIO9_STREAM_MIN, ST_RIO9_STREAM_MAX);
		return -EINVAL;
	}
	st_rio9_small = st_addr_id;
	st_rio9_small.valid = st_rio9_small_valid;
	return st_llp_register(&st_rio9);
}

static void __exit st_rio9_exit(void)
{
	st_llp_unregister(&st_rio9);
}

module_init(st_rio9_init);
module_exit(st_rio9_exit);

MODULE_DESCRIPTION("Scheduled Transfer over RapidIO Type 9");
MODULE_LICENSE("GPL");
