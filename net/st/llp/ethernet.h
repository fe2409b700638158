/* SPDX-License-Identifier: GPL-2.0 */
/* Ethernet under ST: declarations shared by its files. */
#ifndef _NET_ST_LLP_ETHERNET_H
#define _NET_ST_LLP_ETHERNET_H

#include <linux/netdevice.h>
#include <net/st_llp.h>

struct nf_hook_ops;

/**
 * struct st_ethernet_priv - private state of an Ethernet link
 * @packet: receives ST frames of the device by EtherType
 * @ingress: receives operations before they are copied; or NULL
 */
struct st_ethernet_priv {
	struct packet_type	*packet;
	struct nf_hook_ops	*ingress;
};

/* ethernet.c */
int st_ethernet_dix_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
			struct net_device *orig_dev);

/* ethernet_ingress.c */
#ifdef CONFIG_NETFILTER_INGRESS
void st_ingress_begin(struct st_link *link);
void st_ingress_end(struct st_link *link);
#else
static inline void st_ingress_begin(struct st_link *link) { }
static inline void st_ingress_end(struct st_link *link) { }
#endif

#endif
