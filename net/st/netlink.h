/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "st", Documentation/netlink/specs/st.yaml: what
 * its files share.
 */
#ifndef _NET_ST_NETLINK_H
#define _NET_ST_NETLINK_H

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
	NL_ASSERT_DUMP_CTX_FITS(struct st_nl_pos);
	return (struct st_nl_pos *)cb->ctx;
}

int st_nl_put_user(struct sk_buff *skb, struct sock *sk, struct user_namespace *ns,
		   int inode, int uid);
struct sk_buff *st_nl_event_new(struct net *net, u8 cmd, gfp_t gfp, void **hdr);
void st_nl_event_send(struct net *net, struct sk_buff *skb, void *hdr, int err, gfp_t gfp);

#endif
