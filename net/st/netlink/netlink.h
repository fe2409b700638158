/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "st", Documentation/netlink/specs/st.yaml: declarations shared by its
 * files.
 */
#ifndef _NET_ST_NETLINK_H
#define _NET_ST_NETLINK_H

#include <linux/st_compat.h>
#include <net/genetlink.h>

#include "st_sock.h"

/**
 * struct st_nl_pos - position of a dump, in netlink_callback.ctx
 * @after: key of the last object reported, or number of the next
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
 * struct st_nl_to - the recipient and the message type of an object
 * @info: the request
 * @cb: state of the dump; NULL when the request is for one object
 * @ns: user namespace of the recipient
 * @keys: the recipient may see Keys
 */
struct st_nl_to {
	const struct genl_info	*info;
	struct netlink_callback	*cb;
	struct user_namespace	*ns;
	bool			keys;
};

/**
 * struct st_nl_walk - a dump of Virtual Connections, or of their objects
 * @iter: iterator over st_net.vcs, at the next Virtual Connection
 * @key: local Key of the last Virtual Connection reported, perhaps in part
 * @at: position within its objects; 0: none reported
 */
struct st_nl_walk {
	struct rhashtable_iter	iter;
	u32			key;
	u64			at;
};

static inline struct st_nl_walk *st_nl_walk_of(struct netlink_callback *cb)
{
	return *(struct st_nl_walk **)cb->ctx;
}

/* netlink/address.c */
int st_nl_address_init(void);
void st_nl_address_exit(void);
void st_nl_address_net_init(struct net *net);
void st_nl_address_net_exit(struct net *net);
void st_nl_resolve_again(struct net *net);

/* netlink/family.c */
void st_nl_link_event(struct st_link *link, u8 cmd);
void st_nl_vc_event(struct st_sock *st, int before);
int st_nl_init(void);
void st_nl_exit(void);

/* netlink/link.c */
int st_nl_put_address_text(struct sk_buff *skb, int attr, const struct st_link *link,
			   const u8 *addr);
int st_nl_put_link(struct sk_buff *skb, const struct st_link *link);
const struct st_link *st_nl_link_at(struct st_net *sn, const struct nlattr *ifindex,
				    const struct nlattr *llp);
bool st_nl_link_wanted(const struct st_link *link, const struct nlattr *ifindex,
		       const struct nlattr *llp);

/* netlink/netlink.c */
void st_nl_to_dump(struct st_nl_to *to, struct netlink_callback *cb);
void st_nl_to_one(struct st_nl_to *to, const struct sk_buff *request,
		  const struct genl_info *info);
void *st_nl_begin(struct sk_buff *skb, const struct st_nl_to *to);
int st_nl_end(struct sk_buff *skb, const struct st_nl_to *to, void *hdr, int err);
struct sk_buff *st_nl_answer_new(void);
int st_nl_answer_send(struct sk_buff *skb, struct genl_info *info, int err);
int st_nl_put_user(struct sk_buff *skb, struct sock *sk, struct user_namespace *ns,
		   int inode, int uid);
bool st_nl_is_user(struct sock *sk, struct user_namespace *ns, u32 uid);
bool st_nl_is_admin(const struct sk_buff *request, const struct genl_info *info);
bool st_nl_admin(const struct sk_buff *request, struct genl_info *info);

/* netlink/pair.c */
void st_stripe_forget(struct st_net *sn, const struct st_link *link);

/* netlink/sysctl.c */
int st_sysctl_init(struct net *net);
void st_sysctl_exit(struct net *net);

/* netlink/vc.c */
int st_nl_put_vc(struct sk_buff *skb, struct st_sock *st, struct user_namespace *ns);

/* netlink/walk.c */
int st_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
	       int (*put)(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st));
int st_nl_vc_do(struct sk_buff *request, struct genl_info *info,
		int (*put)(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st));
struct st_sock *st_nl_find(struct genl_info *info);
int st_nl_no_vc(struct genl_info *info);
int st_nl_put_vc_of(struct sk_buff *skb, struct st_sock *st, struct user_namespace *ns);

#endif
