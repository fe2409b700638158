/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links: LLPs on network devices.
 */
#ifndef _NET_ST_LINK_H
#define _NET_ST_LINK_H

#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "net.h"
#include "wire/op.h"

struct st_pace;

/**
 * struct st_link_core - a link, with the part that the LLP does not see
 * @link: the part that the LLP sees
 * @list: in st_net.links, by priority; written under RTNL, read under RCU
 * @node: in the hash table of links
 * @all: in the list of all links; RTNL
 * @dev_tracker: for st_link.dev
 * @type: type of the LLP; the LLP may be gone when the link is @dead
 * @ifindex: index of the device, which may be gone then, too
 * @up: the medium is up, with st_link.own_state
 * @down: the device is down, according to its notifier; it may stop a little earlier
 * @down_at: jiffies when the device last went down; valid if @down
 * @refcnt: one reference for the list, one for every path of a Virtual Connection, and one while
 *	@changed is queued
 * @lock: protects @paths, @nr_vcs, @unusable, @moving, @routes with their members, and @dead; taken
 *	inside st_sock.lock
 * @paths: struct st_path of Virtual Connections that run over this link
 * @nr_vcs: number of @paths
 * @unusable: why no frame of ST arrives at the device, as static text, or NULL.  Changes under RTNL
 *	and @lock; while it is set no Virtual Connection runs over the link
 * @state: enum st_link_state last reported by netlink; RTNL
 * @pace: limit of the bytes under way; NULL if the medium has flow control
 * @moving: the address is about to change; nobody may join meanwhile
 * @routes: struct st_route_core, if the LLP connects
 * @idle_routes: routes that are neither in use nor ending, the longest unused first; not in
 *	@routes
 * @nr_routes: number of both
 * @dead: set once, when the link has left the list; it accepts no more paths then
 * @changed: reports a change of @up
 * @rcu: frees the link after a grace period
 */
struct st_link_core {
	struct st_link		link;
	struct list_head	list;
	struct hlist_node	node;
	struct list_head	all;
	netdevice_tracker	dev_tracker;
	u8			type;
	int			ifindex;
	u32			up;
	bool			down;
	unsigned long		down_at;
	refcount_t		refcnt;
	spinlock_t		lock;		/* @paths to @unusable, @moving to @dead */
	struct hlist_head	paths;
	unsigned int		nr_vcs;
	const char		*unusable;
	u8			state;
	struct st_pace		*pace;
	bool			moving;
	struct list_head	routes;
	struct list_head	idle_routes;
	unsigned int		nr_routes;
	bool			dead;
	struct work_struct	changed;
	struct rcu_head		rcu;
};

#define st_link_core(l)	container_of_const(l, struct st_link_core, link)

static inline bool st_link_has(const struct st_link *link, enum st_trait trait)
{
	return link->traits & trait;
}

/**
 * struct st_link_options - what an administrator wants of a link
 * @stu: STU in bytes; 0: the LLP decides
 * @reliability: st_link.reliability
 */
struct st_link_options {
	u64	stu;
	u8	reliability;
};

/* link/llp.c */
extern struct notifier_block st_llp_notifier;

const char *st_llp_unusable(const struct st_llp *llp, struct net_device *dev);
void st_llp_attach_all(struct net *net);
int st_llp_add(struct net_device *dev, const char *name, const struct st_link_options *options,
	       struct netlink_ext_ack *extack);
int st_llp_del(struct net_device *dev, const char *name, struct netlink_ext_ack *extack);

/* link/link.c */
int st_links_init(void);
void st_links_exit(void);
int st_link_add(struct net_device *dev, const struct st_llp *llp,
		const struct st_link_options *options, struct netlink_ext_ack *extack);
void st_link_del(struct st_link *link);
void st_links_del(const struct st_llp *llp);
void st_link_changed(struct st_link *link);
void st_links_ingress(struct net *net);
bool st_link_carrier(const struct st_link *link);
enum st_link_state st_link_state(const struct st_link *link);
bool st_link_addr_ok(const struct st_link *link, const u8 *addr);
bool st_link_get(struct st_link *link);
void st_link_put(struct st_link *link);
int st_link_join(struct st_link *link, struct st_path *path, bool admin);
void st_link_leave(struct st_path *path);
unsigned int st_link_recv_max_stu(const struct st_link *link);
unsigned int st_link_max_stu(const struct st_link *link, unsigned int channel);

/* link/xmit.c */
struct sk_buff *st_alloc(const struct st_link *link, const struct st_op *op, const void *data,
			 u32 len, bool checksum);
void st_xmit(struct st_link *link, struct sk_buff *skb, const u8 *daddr, struct st_route *route);
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum);
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr);

#endif
