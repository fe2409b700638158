/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "st", Documentation/netlink/specs/st.yaml: what
 * its files share.
 */
#ifndef _NET_ST_NETLINK_H
#define _NET_ST_NETLINK_H

#include <linux/st_compat.h>
#include <net/genetlink.h>

#include "st.h"

/**
 * struct st_nl_pos - where a dump goes on, in netlink_callback.ctx
 * @after: key of the last object told, or number of the next
 * @bucket: of st_net.ports
 */
struct st_nl_pos {
	u64		after;
	unsigned int	bucket;
};

static inline struct st_nl_pos *st_nl_pos(struct netlink_callback *cb)
{
	NL_ASSERT_CTX_FITS(struct st_nl_pos);
	return (struct st_nl_pos *)cb->ctx;
}

/**
 * struct st_nl_walk - a dump of Virtual Connections, or of what they have
 * @iter: the Virtual Connection that comes next, in st_net.vcs
 * @key: local Key of the one that was told last, or in part
 * @at: how far what that has was told; 0: not at all
 * @keys: the reader may know Keys
 */
struct st_nl_walk {
	struct rhashtable_iter	iter;
	u32			key;
	u64			at;
	bool			keys;
};

static inline struct st_nl_walk *st_nl_walk_of(struct netlink_callback *cb)
{
	return *(struct st_nl_walk **)cb->ctx;
}

/* nl_walk.c */
int st_nl_walk(struct sk_buff *skb, struct netlink_callback *cb, const struct nlattr *port,
	       const struct nlattr *ifindex,
	       int (*put)(struct sk_buff *skb, struct netlink_callback *cb, struct st_sock *st));
u64 st_nl_cookie(struct sock *sk);
int st_nl_put_vc_of(struct sk_buff *skb, struct st_sock *st, int cookie);

/* netlink.c */
int st_nl_put_user(struct sk_buff *skb, struct sock *sk, struct user_namespace *ns,
		   int inode, int uid);
struct sk_buff *st_nl_event_new(struct net *net, u8 cmd, gfp_t gfp, void **hdr);
void st_nl_event_send(struct net *net, struct sk_buff *skb, void *hdr, int err, gfp_t gfp);

#endif
