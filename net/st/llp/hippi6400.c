// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-6400 under ST, annex A.1: one operation is one Message; Control operations use VC0, Data
 * Channels 1 to 3 the VC of the same number.
 */
#include <linux/etherdevice.h>
#include <linux/hippi6400.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <net/st_llp.h>

#define ST_MAX_STU_128K	17	/* on Data Channels 1 and 2, ST 8.2 */
#define ST_MAX_STU_VC3	24	/* on Data Channel 3; ST 8.2 would allow 31 */
#define ST_MAX_STU_FRAME	ilog2(HIPPI6400_MAX_MTU - ST_HDR_LEN)

/*
 * The MTU limits what is received as frames.  An STU is one Message; one longer than a frame is
 * placed, or not received.  No STU is placed while a port has an XDP program.
 */
static int st_hippi6400_max_stu(const struct st_link *link, unsigned int channel)
{
	if (!channel || channel >= HIPPI6400_NUM_VCS)
		return -EINVAL;
	if (!hippi6400_can_place(link->dev))
		return ST_MAX_STU_FRAME;
	return channel < 3 ? ST_MAX_STU_128K : ST_MAX_STU_VC3;
}

static const char *st_hippi6400_unfit(const struct net_device *dev)
{
	return hippi6400_is_port(dev) ? NULL : "it is no HIPPI-6400 port";
}

static int st_hippi6400_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			     const u8 *daddr, struct st_route *route)
{
	int err;

	skb->protocol = htons(ETH_P_ST);
	skb_reset_network_header(skb);
	err = dev_hard_header(skb, link->dev, ETH_P_ST, daddr, link->addr, skb->len);
	if (err < 0) {
		kfree_skb(skb);
		return err;
	}
	hippi6400_skb_set_vc(skb, channel);
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

static struct st_llp st_hippi6400;

static void st_hippi6400_rcv_placed(struct sk_buff *skb)
{
	struct st_link *link = st_link_find(skb->dev, &st_hippi6400);
	u8 saddr[ETH_ALEN];

	if (!link || skb->pkt_type != PACKET_HOST) {
		kfree_skb(skb);
		return;
	}
	ether_addr_copy(saddr, eth_hdr(skb)->h_source);
	st_rcv(link, skb, saddr);
}

static int st_hippi6400_rcv(struct sk_buff *skb, struct net_device *dev,
			    struct packet_type *pt, struct net_device *orig_dev)
{
	/* A frame that arrived at a lower device is for that device */
	if (dev != pt->dev) {
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	st_hippi6400_rcv_placed(skb);
	return NET_RX_SUCCESS;
}

static int st_hippi6400_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->priv = st_packet_add(link->dev, ETH_P_ST, st_hippi6400_rcv);
	if (!link->priv)
		return -ENOMEM;
	link->addr_type = &st_addr_mac;
	link->addr_len = ETH_ALEN;
	/* HIPPI-6400-PH 4.3, 4.7, 4.8 */
	link->traits = ST_ORDERED | ST_CREDITED | ST_RELIABLE;
	/* A Message on each VC */
	link->placements = HIPPI6400_NUM_VCS;
	link->headroom = ETH_HLEN;
	return 0;
}

static void st_hippi6400_end(struct st_link *link)
{
	st_packet_del(link->priv);
}

static const struct st_claim st_hippi6400_claims[] = {
	{ "ethertype", ETH_P_ST },
	{}
};

static const struct st_llp_ops st_hippi6400_ops = {
	.unfit		= st_hippi6400_unfit,
	.begin		= st_hippi6400_begin,
	.end		= st_hippi6400_end,
	.max_stu	= st_hippi6400_max_stu,
	.xmit		= st_hippi6400_xmit,
};

static struct st_llp st_hippi6400 = {
	.owner		= THIS_MODULE,
	.name		= "hippi6400",
	.type		= ST_LLP_HIPPI6400,
	.priority	= ST_PRIORITY_OWN,
	.attach		= ST_ATTACH_ALWAYS,
	.claims		= st_hippi6400_claims,
	.ops		= &st_hippi6400_ops,
};

static bool st_hippi6400_place(const struct hippi6400_msg *msg, struct hippi6400_place *place)
{
	struct st_link *link = st_link_find(msg->dev, &st_hippi6400);
	struct st_placement *p;

	if (!link)
		return false;
	p = st_placement_get(link, msg->hdr, msg->len, msg->s_ula, msg->only);
	if (!p)
		return false;
	place->priv = p;
	place->cancelled = &p->cancelled;
	return true;
}

static bool st_hippi6400_segment(const struct hippi6400_place *place, u32 pos,
				 struct bio_vec *seg)
{
	return st_placement_segment(place->priv, pos, seg);
}

static void st_hippi6400_placed(const struct hippi6400_place *place, bool good)
{
	st_placement_put(place->priv);
}

static_assert(HIPPI6400_PLACE_HDR == ST_HDR_LEN);

static struct hippi6400_placer st_hippi6400_placer = {
	.proto		= cpu_to_be16(ETH_P_ST),
	.place		= st_hippi6400_place,
	.segment	= st_hippi6400_segment,
	.end		= st_hippi6400_placed,
	.packet		= st_hippi6400_rcv,
	.rcv		= st_hippi6400_rcv_placed,
};

static int __init st_hippi6400_init(void)
{
	int err;

	/* First: Max_STU depends on what it can place */
	err = hippi6400_register_placer(&st_hippi6400_placer);
	if (err)
		return err;
	err = st_llp_register(&st_hippi6400);
	if (err) {
		hippi6400_unregister_placer(&st_hippi6400_placer);
		return err;
	}
	return 0;
}

static void __exit st_hippi6400_exit(void)
{
	st_llp_unregister(&st_hippi6400);
	hippi6400_unregister_placer(&st_hippi6400_placer);
}

module_init(st_hippi6400_init);
module_exit(st_hippi6400_exit);

MODULE_DESCRIPTION("Scheduled Transfer over HIPPI-6400 (ST annex A.1)");
MODULE_LICENSE("GPL");
