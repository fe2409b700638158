// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: links, Ports and counters of a namespace.
 */
#include <linux/module.h>

#include "genl.h"
#include "netlink.h"

#define ST_PORT_BUCKETS		ARRAY_SIZE(((struct st_net *)NULL)->ports)

/* Attributes in the order of an enum, from @first on. */
static int st_nl_put_counters(struct sk_buff *skb, int nest, int first, const atomic64_t *count,
			      unsigned int n)
{
	struct nlattr *start = nla_nest_start(skb, nest);
	unsigned int i;

	if (!start)
		return -EMSGSIZE;
	for (i = 0; i < n; i++)
		if (nla_put_uint(skb, first + i, atomic64_read(&count[i])))
			return -EMSGSIZE;
	nla_nest_end(skb, start);
	return 0;
}

static_assert(ST_A_ERRORS_CKSUM + ST_ERR_MAX == ST_A_ERRORS_MAX);
static_assert(ST_A_DROPS_ILLEGAL_LENGTH + __ST_DROP_MAX - 1 == ST_A_DROPS_MAX);

static int st_nl_put_errors(struct sk_buff *skb, int nest, const atomic64_t *errors)
{
	return st_nl_put_counters(skb, nest, ST_A_ERRORS_CKSUM, errors, __ST_ERR_MAX);
}

static int st_nl_put_drops(struct sk_buff *skb, int nest, const atomic64_t *drops)
{
	return st_nl_put_counters(skb, nest, ST_A_DROPS_ILLEGAL_LENGTH, drops, __ST_DROP_MAX);
}

/**
 * st_nl_put_user - tell whose socket it is, if it is still a user's
 * @skb: the message
 * @sk: the socket
 * @ns: user namespace of who is told
 * @inode: attribute for the inode
 * @uid: attribute for the user
 *
 * Context: any but hard interrupt.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_user(struct sk_buff *skb, struct sock *sk, struct user_namespace *ns,
		   int inode, int uid)
{
	unsigned long ino = sock_i_ino(sk);

	if (!ino)
		return 0;
	return nla_put_uint(skb, inode, ino) ||
	       nla_put_u32(skb, uid, from_kuid_munged(ns, sk_uid(sk))) ? -EMSGSIZE : 0;
}

/* The group of a notification: Virtual Connections come and go more often than the rest. */
static unsigned int st_nl_group(u8 cmd)
{
	return cmd == ST_CMD_VC_ESTABLISHED_NTF || cmd == ST_CMD_VC_END_NTF ? ST_NLGRP_VC :
									      ST_NLGRP_MGMT;
}

/**
 * st_nl_event_new - begin a notification
 * @net: the namespace
 * @cmd: what has happened, an ST_CMD_*_NTF
 * @gfp: how to allocate
 * @hdr: for st_nl_event_send()
 *
 * Context: as @gfp allows.
 * Return: the message, or NULL when nobody listens or memory is short.
 */
struct sk_buff *st_nl_event_new(struct net *net, u8 cmd, gfp_t gfp, void **hdr)
{
	unsigned int group = st_nl_group(cmd);
	struct sk_buff *skb;

	if (!genl_has_listeners(&st_nl_family, net, group))
		return NULL;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, gfp);
	if (!skb) {
		/* They learn that something is missing */
		genl_set_err(&st_nl_family, net, 0, group, -ENOBUFS);
		return NULL;
	}
	*hdr = genlmsg_put(skb, 0, 0, &st_nl_family, 0, cmd);
	return skb;
}

/**
 * st_nl_event_send - send a notification
 * @net: the namespace
 * @skb: the message, taken in every case
 * @hdr: from st_nl_event_new()
 * @err: whether it could be filled in
 * @gfp: how to allocate
 *
 * Context: as @gfp allows.
 */
void st_nl_event_send(struct net *net, struct sk_buff *skb, void *hdr, int err, gfp_t gfp)
{
	u8 cmd;

	if (WARN_ON_ONCE(err)) {
		nlmsg_free(skb);
		return;
	}
	cmd = ((struct genlmsghdr *)(hdr - GENL_HDRLEN))->cmd;
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&st_nl_family, net, skb, 0, st_nl_group(cmd), gfp);
}

static int st_nl_put_channel(struct sk_buff *skb, unsigned int index, u64 max_stu)
{
	struct nlattr *nest = nla_nest_start(skb, ST_A_LINK_CHANNEL);

	if (!nest || nla_put_u32(skb, ST_A_CHANNEL_INDEX, index) ||
	    nla_put_uint(skb, ST_A_CHANNEL_MAX_STU, max_stu))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int st_nl_put_channels(struct sk_buff *skb, const struct st_link *link)
{
	unsigned int i, stu;
	int err;

	for (i = ST_DATA_CHANNEL; i < ST_NUM_CHANNELS; i++) {
		stu = st_link_max_stu(link, i);
		if (!stu)
			continue;
		err = st_nl_put_channel(skb, i, BIT_ULL(stu));
		if (err)
			return err;
	}
	return 0;
}

/* Under RCU or RTNL, and before st_link_del() returns. */
static int st_nl_put_link(struct sk_buff *skb, const struct st_link *link)
{
	const char *unusable = READ_ONCE(link->unusable);
	const struct net_device *dev = link->dev;

	if (nla_put_u32(skb, ST_A_LINK_IFINDEX, dev->ifindex) ||
	    nla_put_string(skb, ST_A_LINK_IFNAME, dev->name) ||
	    nla_put_string(skb, ST_A_LINK_LLP, link->llp->name) ||
	    nla_put_u32(skb, ST_A_LINK_LLP_TYPE, link->type) ||
	    nla_put(skb, ST_A_LINK_ADDRESS, link->addr_len, dev->dev_addr) ||
	    nla_put_u32(skb, ST_A_LINK_STATE, st_link_state(link)) ||
	    (unusable && nla_put_string(skb, ST_A_LINK_REASON, unusable)) ||
	    nla_put_u32(skb, ST_A_LINK_VCS, READ_ONCE(link->nr_vcs)))
		return -EMSGSIZE;
	return st_nl_put_channels(skb, link);
}

static u64 st_nl_link_key(const struct st_link *link)
{
	return (u64)link->dev->ifindex << 8 | link->type;
}

/* The next link, whatever was added and removed since; under RCU. */
static struct st_link *st_nl_link_next(struct st_net *sn, u64 after)
{
	struct st_link *link, *next = NULL;

	list_for_each_entry_rcu(link, &sn->links, list)
		if (st_nl_link_key(link) > after &&
		    (!next || st_nl_link_key(link) < st_nl_link_key(next)))
			next = link;
	return next;
}

/**
 * st_nl_link_get_dumpit - ST_CMD_LINK_GET
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_link_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	const struct nlattr *only = info->attrs[ST_A_LINK_IFINDEX];
	struct st_nl_pos *pos = st_nl_pos(cb);
	struct st_link *link;
	int err = 0;
	void *hdr;

	rcu_read_lock();
	while ((link = st_nl_link_next(st_pernet(genl_info_net(info)), pos->after))) {
		if (!only || nla_get_u32(only) == link->dev->ifindex) {
			hdr = __genlmsg_iput(skb, info, NLM_F_MULTI);
			err = hdr ? st_nl_put_link(skb, link) : -EMSGSIZE;
			if (err) {
				genlmsg_cancel(skb, hdr);
				break;
			}
			genlmsg_end(skb, hdr);
		}
		pos->after = st_nl_link_key(link);
	}
	rcu_read_unlock();
	return err;
}

/**
 * st_nl_link_event - tell that a link was added, has changed or is being removed
 * @link: the link
 * @cmd: ST_CMD_LINK_ADD_NTF, ST_CMD_LINK_CHANGE_NTF or ST_CMD_LINK_DEL_NTF
 *
 * Context: under RTNL, may sleep; the LLP is still there.
 */
void st_nl_link_event(struct st_link *link, u8 cmd)
{
	struct sk_buff *skb;
	void *hdr;

	skb = st_nl_event_new(link->net, cmd, GFP_KERNEL, &hdr);
	if (skb)
		st_nl_event_send(link->net, skb, hdr, st_nl_put_link(skb, link), GFP_KERNEL);
}

/* The Port with the least number from @after on in a bucket; under RCU. */
static struct st_port *st_nl_port_next(struct st_net *sn, unsigned int bucket, u64 after)
{
	struct st_port *port, *next = NULL;

	hlist_for_each_entry_rcu(port, &sn->ports[bucket], node)
		if (port->num >= after && (!next || port->num < next->num))
			next = port;
	return next;
}

/* The listener keeps what it is bound to; before listen() that may be changing. */
static int st_nl_put_listener(struct sk_buff *skb, struct sock *sk)
{
	const struct sockaddr_st *bound = &st_sk(sk)->bound;
	struct st_sock *st = st_sk(sk);
	int ifindex = bound->sst_ifindex ?: READ_ONCE(sk->sk_bound_dev_if);
	int err = 0;

	spin_lock_bh(&st->lock);
	if (sk->sk_state == ST_LISTEN &&
	    (nla_put_flag(skb, ST_A_PORT_LISTENING) ||
	     nla_put_u32(skb, ST_A_PORT_BACKLOG, READ_ONCE(sk->sk_ack_backlog)) ||
	     nla_put_u32(skb, ST_A_PORT_MAX_BACKLOG, READ_ONCE(sk->sk_max_ack_backlog)) ||
	     (ifindex && nla_put_u32(skb, ST_A_PORT_IFINDEX, ifindex)) ||
	     (st_bound_gone(st) && nla_put_flag(skb, ST_A_PORT_DEVICE_GONE)) ||
	     (bound->sst_alen &&
	      nla_put(skb, ST_A_PORT_ADDRESS, bound->sst_alen, bound->sst_addr))))
		err = -EMSGSIZE;
	spin_unlock_bh(&st->lock);
	return err;
}

static int st_nl_put_owner(struct sk_buff *skb, struct sock *sk, struct user_namespace *ns)
{
	return st_nl_put_listener(skb, sk) ?:
	       st_nl_put_user(skb, sk, ns, ST_A_PORT_INODE, ST_A_PORT_UID);
}

/* Under RCU. */
static int st_nl_put_port(struct sk_buff *skb, struct st_net *sn, struct st_port *port,
			  struct user_namespace *ns)
{
	struct sock *owner;
	unsigned int refcnt;
	int err = 0;

	spin_lock_bh(&sn->port_lock);
	refcnt = port->refcnt;
	owner = port->owner;
	if (owner)
		sock_hold(owner);
	spin_unlock_bh(&sn->port_lock);

	if (owner) {
		err = st_nl_put_owner(skb, owner, ns);
		sock_put(owner);
	}
	if (err || nla_put_u16(skb, ST_A_PORT_PORT, port->num) ||
	    nla_put_u32(skb, ST_A_PORT_SOCKETS, refcnt) ||
	    st_nl_put_errors(skb, ST_A_PORT_ERRORS, port->errors) ||
	    nla_put_u8(skb, ST_A_PORT_UNDEFINED_OPCODE_VALUE, READ_ONCE(port->undefined_op)) ||
	    nla_put_u8(skb, ST_A_PORT_UNEXPECTED_OPCODE_VALUE, READ_ONCE(port->unexpected_op)))
		return -EMSGSIZE;
	return 0;
}

/* What is left of a bucket. */
static int st_nl_dump_bucket(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	const struct nlattr *only = info->attrs[ST_A_PORT_PORT];
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct st_nl_pos *pos = st_nl_pos(cb);
	struct st_port *port;
	void *hdr;

	while ((port = st_nl_port_next(sn, pos->bucket, pos->after))) {
		if (!only || nla_get_u16(only) == port->num) {
			hdr = __genlmsg_iput(skb, info, NLM_F_MULTI);
			if (!hdr || st_nl_put_port(skb, sn, port,
						   sk_user_ns(NETLINK_CB(cb->skb).sk))) {
				genlmsg_cancel(skb, hdr);
				return -EMSGSIZE;
			}
			genlmsg_end(skb, hdr);
		}
		pos->after = port->num + 1;
	}
	return 0;
}

/**
 * st_nl_port_get_dumpit - ST_CMD_PORT_GET
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct st_nl_pos *pos = st_nl_pos(cb);
	int err;

	for (; pos->bucket < ST_PORT_BUCKETS; pos->bucket++) {
		rcu_read_lock();
		err = st_nl_dump_bucket(skb, cb);
		rcu_read_unlock();
		if (err)
			return err;
		pos->after = 0;
	}
	return 0;
}

/**
 * st_nl_counters_get_doit - ST_CMD_COUNTERS_GET
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct sk_buff *answer;
	void *hdr;

	answer = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!answer)
		return -ENOMEM;
	hdr = genlmsg_iput(answer, info);
	if (!hdr || st_nl_put_drops(answer, ST_A_COUNTERS_DROPS, sn->drops) ||
	    st_nl_put_errors(answer, ST_A_COUNTERS_ERRORS, sn->errors)) {
		nlmsg_free(answer);
		return -EMSGSIZE;
	}
	genlmsg_end(answer, hdr);
	return genlmsg_reply(answer, info);
}

/**
 * st_nl_init - begin to answer
 *
 * Return: 0 or a negative errno.
 */
int __init st_nl_init(void)
{
	return genl_register_family(&st_nl_family);
}

/**
 * st_nl_exit - undo st_nl_init()
 */
void st_nl_exit(void)
{
	genl_unregister_family(&st_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(ST_FAMILY_NAME);
