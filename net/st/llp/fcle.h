/* SPDX-License-Identifier: GPL-2.0 */
/* FC-LE under ST: declarations shared by its files. */
#ifndef _NET_ST_LLP_FCLE_H
#define _NET_ST_LLP_FCLE_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/fc2.h>
#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <net/st_llp.h>

/**
 * struct st_fcle_hdr - what is in front of the Schedule Header, ST A.5
 * @d_naa: Network_Header: D_NAA, and 12 bits of zeros
 * @d_ula: ULA of the receiver
 * @s_naa: S_NAA, and 12 bits of zeros
 * @s_ula: ULA of the sender
 * @llc_snap: LLC/SNAP header
 */
struct st_fcle_hdr {
	__be16	d_naa;
	u8	d_ula[ETH_ALEN];
	__be16	s_naa;
	u8	s_ula[ETH_ALEN];
	u8	llc_snap[8];
};

static_assert(sizeof(struct st_fcle_hdr) == 24);

/**
 * struct st_fcle_port - private data of a link
 * @list: in the list of all
 * @port: the port, with a reference
 * @link: the link
 * @refs: references: of the link, and of operations that are not complete
 * @kept: bytes of the frames of those, with their overhead
 * @rcu: frees it
 */
struct st_fcle_port {
	struct list_head	list;
	struct fc2_port		*port;
	struct st_link		*link;
	refcount_t		refs;
	atomic_t		kept;
	struct rcu_head		rcu;
};

/* fcle.c */
struct st_link *st_fcle_link(const struct fc2_port *port);
bool st_fcle_begins(const struct st_link *link, const struct fc2_rport *rport,
		    struct sk_buff *skb);
struct st_fcle_port *st_fcle_port_get(const struct st_link *link);
void st_fcle_port_put(struct st_fcle_port *p);
void st_fcle_rcv(struct st_link *link, const struct fc2_rport *rport, struct sk_buff *skb);

/* fcle_sequence.c */
int st_fcle_open(struct fc2_exch *exch, const struct sk_buff *skb);

#endif
