// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that arrive on the host that has sent them, without a copy.
 *
 * What is sent from pages of an application is zero-copy, and the stack makes a copy of
 * all of it before it hands it to who receives frames of a protocol: they may keep it, and
 * its pages with it, for ever (skb_orphan_frags_rx()).  ST does not: it places the bytes and
 * is done.  So it takes what is zero-copy one step earlier, with a netfilter hook at the
 * ingress of the device, behind those of the administrator.  A packet socket for all
 * protocols, another port of a bridge and the like have had a copy before, as ever.
 *
 * Only devices that took runs when the link was made have the hook, which are those of
 * software.
 */
#include <linux/if_vlan.h>
#include <linux/netfilter.h>
#include <linux/netfilter_netdev.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "ethernet.h"

/* Whether a packet socket, for example, sees what arrives beside the link. */
static bool st_ingress_seen(const struct net_device *dev)
{
	const struct packet_type *packet;

	list_for_each_entry_rcu(packet, &dev->ptype_specific, list)
		if (packet->func != st_ethernet_dix_rcv)
			return true;
	return false;
}

static unsigned int st_ingress_rcv(void *priv, struct sk_buff *skb,
				   const struct nf_hook_state *state)
{
	if (skb->protocol != htons(ETH_P_ST) || !skb_zcopy(skb))
		return NF_ACCEPT;
	/* For a VLAN's device, for a bridge or a packet socket, or none that gets reserves */
	if (skb->pkt_type != PACKET_HOST || skb_vlan_tag_present(skb) ||
	    rcu_access_pointer(skb->dev->rx_handler) ||
	    st_ingress_seen(skb->dev) || skb_pfmemalloc(skb))
		return NF_ACCEPT;
	st_ethernet_dix_rcv(skb, skb->dev, NULL, skb->dev);
	return NF_STOLEN;
}

/**
 * st_ingress_begin - take operations before they are copied
 * @link: a link on a device that takes runs, that does not do so yet
 *
 * Context: under RTNL, may sleep.
 */
void st_ingress_begin(struct st_link *link)
{
	struct st_ethernet_priv *priv = link->priv;
	struct nf_hook_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err = -ENOMEM;

	if (ops) {
		ops->hook = st_ingress_rcv;
		ops->dev = link->dev;
		ops->pf = NFPROTO_NETDEV;
		ops->hooknum = NF_NETDEV_INGRESS;
		ops->priority = INT_MAX;
		err = nf_register_net_hook(link->net, ops);
	}
	if (err) {
		netdev_warn(link->dev, "ST from the same host is copied on receipt: %pe\n",
			    ERR_PTR(err));
		kfree(ops);
		return;
	}
	priv->ingress = ops;
}

/**
 * st_ingress_end - end what st_ingress_begin() has begun
 * @link: the link
 *
 * Context: under RTNL, may sleep.
 */
void st_ingress_end(struct st_link *link)
{
	struct st_ethernet_priv *priv = link->priv;
	struct nf_hook_ops *ops = priv->ingress;

	if (!ops)
		return;
	nf_unregister_net_hook(link->net, ops);
	/* Who lists hooks may look at it */
	kfree_rcu_mightsleep(ops);
	priv->ingress = NULL;
}
