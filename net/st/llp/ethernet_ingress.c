// SPDX-License-Identifier: GPL-2.0
/*
 * Zero-copy reception of operations that arrive on the host that has sent them.
 *
 * Data sent from application pages is zero-copy, and the stack copies it before it delivers it to a
 * protocol handler, because a handler may keep the skb, and the pages with it, for ever
 * (skb_orphan_frags_rx()).  ST does not: it places the bytes and frees the skb.  So it receives
 * zero-copy skbs one step earlier, with a netfilter ingress hook on the device, after those of the
 * administrator.  A packet socket for all protocols, another port of a bridge and the like have
 * received a copy before, as always.
 *
 * Only links on devices that supported GSO packets when the link began have the hook; these are
 * software devices.
 */
#include <linux/if_vlan.h>
#include <linux/netfilter.h>
#include <linux/netfilter_netdev.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "ethernet.h"

/* Whether something beside the link, such as a packet socket, sees incoming frames. */
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
	/* For a VLAN device, a bridge, a packet socket, or from a reserve of memory */
	if (skb->pkt_type != PACKET_HOST || skb_vlan_tag_present(skb) ||
	    rcu_access_pointer(skb->dev->rx_handler) ||
	    st_ingress_seen(skb->dev) || skb_pfmemalloc(skb))
		return NF_ACCEPT;
	st_ethernet_dix_rcv(skb, skb->dev, NULL, skb->dev);
	return NF_STOLEN;
}

/**
 * st_ingress_begin - start to receive operations before they are copied
 * @link: a link on a device with GSO, without a hook
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
 * st_ingress_end - undo st_ingress_begin()
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
	/* A dump of the hooks may be reading it */
	kfree_rcu_mightsleep(ops);
	priv->ingress = NULL;
}
