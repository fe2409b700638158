// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-FP under ST, annex A.2: one operation is the D2_Data_Set of one packet.
 */
#include <linux/etherdevice.h>
#include <linux/hippi_fp.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <net/st_llp.h>

#include "fp.h"

#define ST_FP_HDRS_LEN	(HFP_HDR_LEN + sizeof(struct st_fp_hdr) + ST_HDR_LEN)

static struct st_llp st_fp;

/* A HIPPI has one channel: Control operations and those of all Data Channels share it, A.2. */
static int st_fp_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int max = hfp_packet_max(link->dev);

	if (!channel || max <= ST_FP_HDRS_LEN)
		return -EINVAL;
	return ilog2(max - ST_FP_HDRS_LEN);
}

static const char *st_fp_unfit(const struct net_device *dev)
{
	return hfp_is_port(dev) ? NULL : "it is no HIPPI-FP port";
}

static int st_fp_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
		      const u8 *daddr, struct st_route *route)
{
	static const struct hfp_req req = { .ulp = HFP_ULP_ST };

	st_fp_push(skb, daddr, link->addr);
	return hfp_xmit(link->dev, skb, &req, daddr);
}

static void st_fp_rcv(struct net_device *dev, struct sk_buff *skb, const struct hfp_ind *ind)
{
	struct st_link *link = st_link_find(dev, &st_fp);
	u8 saddr[ETH_ALEN];

	if (!link)
		goto drop;
	if (st_fp_pull(skb, ind, link->addr) != ST_FP_GOOD) {
		st_link_illegal_frame(link);
		goto drop;
	}
	ether_addr_copy(saddr, ind->source);
	skb_reset_network_header(skb);
	st_rcv(link, skb, saddr);
	return;
drop:
	kfree_skb(skb);
}

static struct hfp_ulp st_fp_ulp = {
	.owner	= THIS_MODULE,
	.id	= HFP_ULP_ST,
	.rcv	= st_fp_rcv,
};

static int st_fp_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	link->addr_type = &st_addr_mac;
	link->addr_len = ETH_ALEN;
	/* Those of the carrier, which does not change */
	if (hfp_is_reliable(link->dev))
		link->traits = ST_ORDERED | ST_CREDITED | ST_RELIABLE;
	link->headroom = HFP_HEADROOM + sizeof(struct st_fp_hdr);
	/* Fill, without a copy of what is there */
	link->tailroom = HFP_WORD - 1;
	return 0;
}

/* The ULP-id, for LLPs of other modules; ST has one ULP of it for all ports */
static const struct st_claim st_fp_claims[] = {
	{ "ulp-id", HFP_ULP_ST },
	{}
};

static const struct st_llp_ops st_fp_ops = {
	.unfit		= st_fp_unfit,
	.begin		= st_fp_begin,
	.max_stu	= st_fp_max_stu,
	.xmit		= st_fp_xmit,
};

/* Attached as Ethernet is: a port may be above an Ethernet, where strangers are. */
static struct st_llp st_fp = {
	.owner		= THIS_MODULE,
	.name		= "hippi_fp",
	.type		= ST_LLP_HIPPI_FP,
	.priority	= ST_PRIORITY_SHARED,
	.attach		= ST_ATTACH_IF_ALLOWED,
	.claims		= st_fp_claims,
	.ops		= &st_fp_ops,
};

/* Packets before links are dropped; links before packets would lose answers. */
static int __init st_fp_init(void)
{
	int err = hfp_register_ulp(&st_fp_ulp);

	if (err)
		return err;
	err = st_llp_register(&st_fp);
	if (err)
		hfp_unregister_ulp(&st_fp_ulp);
	return err;
}

static void __exit st_fp_exit(void)
{
	st_llp_unregister(&st_fp);
	hfp_unregister_ulp(&st_fp_ulp);
}

module_init(st_fp_init);
module_exit(st_fp_exit);

MODULE_DESCRIPTION("Scheduled Transfer over HIPPI-FP (ST annex A.2)");
MODULE_LICENSE("GPL");
