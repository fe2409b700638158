// SPDX-License-Identifier: GPL-2.0
/*
 * Fibre Channel under ST by FC-LE, ST A.5: one operation is one Sequence, with a Network_Header and
 * an LLC/SNAP header in front of the Schedule Header.
 */
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/llc.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <net/st_llp.h>

#include "fcle.h"

/* In the first frame: Network_Header, FC-FS */
#define ST_FCLE_DF_CTL		0x20

/* The addresses are IEEE 48-bit, A.5 */
#define ST_FCLE_NAA		0x1000

/* A.5: 65536 frames of 128 bytes; with the headers in the first one, half of that is left */
#define ST_FCLE_STU_MAX		22

static const u8 st_fcle_llc_snap[] = {
	LLC_SAP_SNAP, LLC_SAP_SNAP, 0x03, 0, 0, 0, ETH_P_ST >> 8, ETH_P_ST & 0xff,
};

static struct fc2_prov st_fcle_prov;
static struct st_llp st_fcle;

/* RFC 2625: the low 48 bits of the Port_Name, as ports of one node share the Node_Name */
static void st_fcle_ula(u8 *ula, u64 wwpn)
{
	u64_to_ether_addr(wwpn & GENMASK_ULL(47, 0), ula);
}

/*
 * Links by port.  A link is here before af_st finds it, so that no change of its port is missed,
 * and the lock keeps what is told of a port in the order of its changes.
 */
static LIST_HEAD(st_fcle_ports);
static DEFINE_SPINLOCK(st_fcle_lock);

static const struct st_fcle_port *st_fcle_port(const struct st_link *link)
{
	return link->priv;
}

static int st_fcle_max_stu(const struct st_link *link, unsigned int channel)
{
	unsigned int mfs = fc2_port_mfs(st_fcle_port(link)->port);

	if (!channel || mfs <= sizeof(struct st_fcle_hdr) + ST_HDR_LEN)
		return -EINVAL;
	return link->stu ?: ilog2(mfs - sizeof(struct st_fcle_hdr) - ST_HDR_LEN);
}

static const char *st_fcle_unfit(const struct net_device *dev)
{
	return fc2_port_find(dev) ? NULL : "it has no FC port: make one with fcport create";
}

static int st_fcle_xmit(struct st_link *link, struct sk_buff *skb, unsigned int channel,
			const u8 *daddr, struct st_route *route)
{
	static const struct fc2_send send = {
		.r_ctl	= FC_RCTL_DD_UNSOL_DATA,
		.df_ctl	= ST_FCLE_DF_CTL,
	};
	struct fc2_rport *rport = fc2_rport_by_ula(st_fcle_port(link)->port, daddr);
	struct st_fcle_hdr *hdr;

	if (!rport) {
		kfree_skb(skb);
		return -EHOSTUNREACH;
	}
	hdr = skb_push(skb, sizeof(*hdr));
	hdr->d_naa = htons(ST_FCLE_NAA);
	ether_addr_copy(hdr->d_ula, daddr);
	hdr->s_naa = htons(ST_FCLE_NAA);
	ether_addr_copy(hdr->s_ula, link->addr);
	memcpy(hdr->llc_snap, st_fcle_llc_snap, sizeof(hdr->llc_snap));
	return fc2_send_alone(rport, &st_fcle_prov, skb, &send);
}

/**
 * st_fcle_link - the link of a port
 * @port: the port
 *
 * Context: under RCU or RTNL.
 * Return: the link, or NULL when the port has none.
 */
struct st_link *st_fcle_link(const struct fc2_port *port)
{
	struct st_link *link = st_link_find(fc2_port_dev(port), &st_fcle);

	return link && st_fcle_port(link)->port == port ? link : NULL;
}

/* Whether the first frame of a Sequence begins an operation of @rport to @link. */
static bool st_fcle_good(const struct st_link *link, const struct fc2_rport *rport,
			 struct sk_buff *skb)
{
	const struct fc_frame_header *fh = fc2_frame_hdr(skb);
	const struct st_fcle_hdr *hdr;
	u8 saddr[ETH_ALEN];

	if (fh->fh_r_ctl != FC_RCTL_DD_UNSOL_DATA || fh->fh_df_ctl != ST_FCLE_DF_CTL ||
	    !pskb_may_pull(skb, sizeof(*hdr)))
		return false;
	hdr = (const struct st_fcle_hdr *)skb->data;
	st_fcle_ula(saddr, rport->wwpn);
	return hdr->d_naa == htons(ST_FCLE_NAA) && hdr->s_naa == htons(ST_FCLE_NAA) &&
	       ether_addr_equal(hdr->d_ula, link->addr) && ether_addr_equal(hdr->s_ula, saddr) &&
	       !memcmp(hdr->llc_snap, st_fcle_llc_snap, sizeof(hdr->llc_snap));
}

/**
 * st_fcle_begins - check the first frame of a Sequence
 * @link: link of the port
 * @rport: its sender
 * @skb: the frame; if it is good, at the Schedule Header when this returns
 *
 * Context: softirq, under RCU.
 * Return: whether it begins an operation; if not, it is counted, and is to be dropped.
 */
bool st_fcle_begins(const struct st_link *link, const struct fc2_rport *rport,
		    struct sk_buff *skb)
{
	if (!st_fcle_good(link, rport, skb)) {
		st_link_illegal_frame(link);
		return false;
	}
	__skb_pull(skb, sizeof(struct st_fcle_hdr));
	return true;
}

/**
 * st_fcle_rcv - hand a whole operation to ST
 * @link: the link
 * @rport: its sender
 * @skb: the operation, at the Schedule Header; consumed
 *
 * Context: softirq, under RCU.
 */
void st_fcle_rcv(struct st_link *link, const struct fc2_rport *rport, struct sk_buff *skb)
{
	u8 saddr[ETH_ALEN];

	st_fcle_ula(saddr, rport->wwpn);
	skb_reset_network_header(skb);
	st_rcv(link, skb, saddr);
}

/**
 * st_fcle_port_get - take a reference to the private data of a link
 * @link: the link
 *
 * Context: under RCU; st_fcle_end() has not been called, or its synchronize_net() is waiting.
 * Return: the data, or NULL when the link is gone.
 */
struct st_fcle_port *st_fcle_port_get(const struct st_link *link)
{
	struct st_fcle_port *p = link->priv;

	return refcount_inc_not_zero(&p->refs) ? p : NULL;
}

/**
 * st_fcle_port_put - drop a reference to the private data of a link
 * @p: the data
 *
 * Context: any but hard interrupts.
 */
void st_fcle_port_put(struct st_fcle_port *p)
{
	if (refcount_dec_and_test(&p->refs))
		kfree_rcu(p, rcu);
}

/* A Sequence of one frame */
static int st_fcle_single(struct fc2_rport *rport, struct sk_buff *skb)
{
	struct st_link *link = st_fcle_link(rport->port);

	if (!link)
		return -ENOENT;
	if (st_fcle_begins(link, rport, skb))
		st_fcle_rcv(link, rport, skb);
	else
		kfree_skb(skb);
	return 0;
}

static bool st_fcle_valid(const u8 *addr, unsigned int len)
{
	return !is_multicast_ether_addr(addr) && !is_zero_ether_addr(addr);
}

/* st_addr_mac with another valid(), and without IP addresses */
static struct st_addr_type st_fcle_addr __ro_after_init;

static int st_fcle_begin(struct st_link *link, struct netlink_ext_ack *extack)
{
	struct fc2_port *port = fc2_port_find(link->dev);
	struct st_fcle_port *p;

	if (!port)
		return -ENODEV;
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	fc2_port_hold(port);
	p->port = port;
	refcount_set(&p->refs, 1);
	p->link = link;
	link->priv = p;
	link->own_addr = true;
	link->own_state = true;
	st_fcle_ula(link->addr, fc2_port_wwpn(port));
	link->addr_type = &st_fcle_addr;
	link->addr_len = ETH_ALEN;
	/* A.5 for class 3 */
	link->traits = ST_BLOCK_IS_STU;
	link->headroom = FC2_HEADROOM + sizeof(struct st_fcle_hdr);
	link->tailroom = FC2_TAILROOM;
	spin_lock_bh(&st_fcle_lock);
	list_add(&p->list, &st_fcle_ports);
	st_link_set_up(link, fc2_port_id(port));
	spin_unlock_bh(&st_fcle_lock);
	return 0;
}

/* No frame is being received any more when af_st has called synchronize_net(). */
static void st_fcle_end(struct st_link *link)
{
	struct st_fcle_port *p = link->priv;

	spin_lock_bh(&st_fcle_lock);
	list_del(&p->list);
	spin_unlock_bh(&st_fcle_lock);
	fc2_port_put(p->port);
	st_fcle_port_put(p);
}

static void st_fcle_port_change(struct fc2_port *port)
{
	struct st_fcle_port *p;

	spin_lock_bh(&st_fcle_lock);
	list_for_each_entry(p, &st_fcle_ports, list)
		if (p->port == port)
			st_link_set_up(p->link, fc2_port_id(port));
	spin_unlock_bh(&st_fcle_lock);
}

static void st_fcle_port_del(struct fc2_port *port)
{
	if (st_fcle_link(port))
		st_llp_detach(&st_fcle, fc2_port_dev(port));
}

static struct fc2_prov st_fcle_prov = {
	.type		= FC_TYPE_IP,
	.port_change	= st_fcle_port_change,
	.port_del	= st_fcle_port_del,
	.single		= st_fcle_single,
	.open		= st_fcle_open,
};

/* Of the FC port of the device; IP over Fibre Channel would have this one, too */
static const struct st_claim st_fcle_claims[] = {
	{ "fc4", FC_TYPE_IP },
	{}
};

static const struct st_llp_ops st_fcle_ops = {
	.unfit		= st_fcle_unfit,
	.begin		= st_fcle_begin,
	.end		= st_fcle_end,
	.max_stu	= st_fcle_max_stu,
	.xmit		= st_fcle_xmit,
};

static struct st_llp st_fcle = {
	.owner		= THIS_MODULE,
	.name		= "fcle",
	.type		= ST_LLP_FCLE,
	.priority	= ST_PRIORITY_SHARED,
	.attach		= ST_ATTACH_ON_DEMAND,
	.stu_max	= ST_FCLE_STU_MAX,
	.claims		= st_fcle_claims,
	.ops		= &st_fcle_ops,
};

static int __init st_fcle_init(void)
{
	int err;

	st_fcle_addr = st_addr_mac;
	st_fcle_addr.valid = st_fcle_valid;
	st_fcle_addr.resolve = NULL;
	/* First, so that the end of a port is told as long as there can be links */
	err = fc2_prov_register(&st_fcle_prov);
	if (err)
		return err;
	err = st_llp_register(&st_fcle);
	if (err)
		fc2_prov_unregister(&st_fcle_prov);
	return err;
}

/* The links first: they use the TYPE */
static void __exit st_fcle_exit(void)
{
	st_llp_unregister(&st_fcle);
	fc2_prov_unregister(&st_fcle_prov);
}

module_init(st_fcle_init);
module_exit(st_fcle_exit);

MODULE_DESCRIPTION("Scheduled Transfer over Fibre Channel by FC-LE (ST annex A.5)");
MODULE_LICENSE("GPL");
