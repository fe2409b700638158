// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: dumps of Virtual Connections, and of what they have.
 */
#include <linux/sock_diag.h>

#include "genl.h"
#include "netlink.h"

/**
 * st_nl_walk_start - begin a dump of Virtual Connections, or of what they have
 * @cb: state of the dump
 *
 * Return: 0 or -ENOMEM.
 */
int st_nl_walk_start(struct netlink_callback *cb)
{
	struct st_net *sn = st_pernet(genl_info_net(genl_info_dump(cb)));
	struct st_nl_walk *walk;

	walk = kzalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return -ENOMEM;
	rhashtable_walk_enter(&sn->vcs, &walk->iter);
	*(struct st_nl_walk **)cb->ctx = walk;
	cb->seq = 1;
	return 0;
}

/**
 * st_nl_walk_done - end a dump of Virtual Connections, or of what they have
 * @cb: state of the dump
 *
 * Return: 0.
 */
int st_nl_walk_done(struct netlink_callback *cb)
{
	struct st_nl_walk *walk = st_nl_walk_of(cb);

	rhashtable_walk_exit(&walk->iter);
	kfree(walk);
	return 0;
}

/* The table was resized, so some come again. */
static void st_nl_walk_again(struct netlink_callback *cb)
{
	st_nl_walk_of(cb)->at = 0;
	cb->seq++;
}

/* Under st->lock. */
static bool st_nl_wanted(const struct st_sock *st, const struct nlattr *port,
			 const struct nlattr *ifindex)
{
	return st->hashed && (!port || nla_get_u16(port) == st->port->num) &&
	       (!ifindex || nla_get_u32(ifindex) == st->peer.ifindex);
}

/**
 * st_nl_walk - tell about Virtual Connections, from the one that there was no room for
 * @skb: the messages
 * @cb: state of the dump
 * @port: tell only about those of this Port, or NULL
 * @ifindex: tell only about those over this device, or NULL
 * @put: tells about one; under RCU and st->lock
 *
 * Context: process.
 * Return: 0 at the end, or the error of @put.
 */
int st_nl_walk(struct sk_buff *skb, struct netlink_callback *cb, const struct nlattr *port,
	       const struct nlattr *ifindex,
	       int (*put)(struct sk_buff *skb, struct netlink_callback *cb, struct st_sock *st))
{
	struct st_nl_walk *walk = st_nl_walk_of(cb);
	struct st_sock *st;
	int err = 0;

	if (rhashtable_walk_start_check(&walk->iter))
		st_nl_walk_again(cb);
	for (st = rhashtable_walk_peek(&walk->iter); st;
	     st = rhashtable_walk_next(&walk->iter)) {
		if (IS_ERR(st)) {
			st_nl_walk_again(cb);
			continue;
		}
		spin_lock_bh(&st->lock);
		if (walk->key != st->local_key)
			walk->at = 0;
		walk->key = st->local_key;
		if (st_nl_wanted(st, port, ifindex))
			err = put(skb, cb, st);
		spin_unlock_bh(&st->lock);
		if (err)
			break;
	}
	rhashtable_walk_stop(&walk->iter);
	return err;
}

/**
 * st_nl_cookie - what netlink calls a socket
 * @sk: the socket
 *
 * Context: any.
 * Return: its SO_COOKIE.
 */
u64 st_nl_cookie(struct sock *sk)
{
	u32 cookie[2];

	sock_diag_save_cookie(sk, cookie);
	return cookie[0] | (u64)cookie[1] << 32;
}

static_assert(ST_A_TRANSFER_LOCAL_PORT - ST_A_TRANSFER_COOKIE == 1 &&
	      ST_A_TRANSFER_REMOTE_PORT - ST_A_TRANSFER_COOKIE == 2 &&
	      ST_A_TRANSFER_IFINDEX - ST_A_TRANSFER_COOKIE == 3);
static_assert(ST_A_REGION_LOCAL_PORT - ST_A_REGION_COOKIE == 1 &&
	      ST_A_REGION_REMOTE_PORT - ST_A_REGION_COOKIE == 2 &&
	      ST_A_REGION_IFINDEX - ST_A_REGION_COOKIE == 3);

/**
 * st_nl_put_vc_of - tell of which Virtual Connection something is
 * @skb: the message
 * @st: the Virtual Connection
 * @cookie: attribute for its cookie; those for both Ports and the device follow
 *
 * Context: under st->lock.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_vc_of(struct sk_buff *skb, struct st_sock *st, int cookie)
{
	return nla_put_uint(skb, cookie, st_nl_cookie(&st->sk)) ||
	       nla_put_u16(skb, cookie + 1, st->port->num) ||
	       nla_put_u16(skb, cookie + 2, st->peer.port) ||
	       nla_put_u32(skb, cookie + 3, st->peer.ifindex) ? -EMSGSIZE : 0;
}
