// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: dumps of Virtual Connections and of their objects.
 */
#include <linux/sock_diag.h>

#include "netlink/genl.h"
#include "netlink/netlink.h"

/**
 * st_nl_walk_start - begin a dump of Virtual Connections, or of their objects
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
 * st_nl_walk_done - end a dump of Virtual Connections, or of their objects
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

/* The table was resized, so entries may repeat: flag the dump as inconsistent. */
static void st_nl_walk_again(struct netlink_callback *cb)
{
	st_nl_walk_of(cb)->at = 0;
	cb->seq++;
}

/* The selecting attributes have the same numbers in all three sets. */
#define ST_NL_SAME(what)								\
	(ST_A_TRANSFER_##what - ST_A_VC_##what == 0 && ST_A_REGION_##what - ST_A_VC_##what == 0)
static_assert(ST_NL_SAME(COOKIE) && ST_NL_SAME(LOCAL_PORT) && ST_NL_SAME(REMOTE_PORT) &&
	      ST_NL_SAME(IFINDEX) && ST_NL_SAME(REMOTE_ADDRESS) && ST_NL_SAME(UID) &&
	      ST_NL_SAME(INODE));

static bool st_nl_is_peer(const struct st_sock *st, const struct nlattr *addr)
{
	return nla_len(addr) == st->paths.first.link->addr_len &&
	       !memcmp(nla_data(addr), st->vc.peer.addr, nla_len(addr));
}

/* Whether a Virtual Connection matches a request; under RCU. */
static bool st_nl_wanted(struct st_sock *st, const struct st_nl_to *to)
{
	struct nlattr **attrs = to->info->attrs;

	st_assert_locked(st);
	return st->vc.hashed &&
	       (!attrs[ST_A_VC_COOKIE] ||
		nla_get_uint(attrs[ST_A_VC_COOKIE]) == atomic64_read(&st->sk.sk_cookie)) &&
	       (!attrs[ST_A_VC_LOCAL_PORT] ||
		nla_get_u16(attrs[ST_A_VC_LOCAL_PORT]) == st->bind.port->num) &&
	       (!attrs[ST_A_VC_REMOTE_PORT] ||
		nla_get_u16(attrs[ST_A_VC_REMOTE_PORT]) == st->vc.peer.port) &&
	       (!attrs[ST_A_VC_IFINDEX] ||
		nla_get_u32(attrs[ST_A_VC_IFINDEX]) == st->vc.peer.ifindex) &&
	       (!attrs[ST_A_VC_REMOTE_ADDRESS] ||
		st_nl_is_peer(st, attrs[ST_A_VC_REMOTE_ADDRESS])) &&
	       (!attrs[ST_A_VC_UID] ||
		st_nl_is_user(&st->sk, to->ns, nla_get_u32(attrs[ST_A_VC_UID])));
}

/**
 * st_nl_walk - dump Virtual Connections, from the first that did not fit before
 * @skb: the messages
 * @cb: state of the dump
 * @put: dumps one; under RCU and st->lock
 *
 * Context: process.
 * Return: 0 at the end, or the error of @put.
 */
int st_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
	       int (*put)(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st))
{
	struct st_nl_walk *walk = st_nl_walk_of(cb);
	struct st_nl_to to;
	struct st_sock *st;
	int err = 0;

	st_nl_to_dump(&to, cb);
	if (rhashtable_walk_start_check(&walk->iter))
		st_nl_walk_again(cb);
	for (st = rhashtable_walk_peek(&walk->iter); st;
	     st = rhashtable_walk_next(&walk->iter)) {
		if (IS_ERR(st)) {
			st_nl_walk_again(cb);
			continue;
		}
		spin_lock_bh(&st->lock);
		if (walk->key != st->vc.local_key)
			walk->at = 0;
		walk->key = st->vc.local_key;
		if (st_nl_wanted(st, &to))
			err = put(skb, &to, st);
		spin_unlock_bh(&st->lock);
		if (err)
			break;
	}
	rhashtable_walk_stop(&walk->iter);
	return err;
}

/* Find a Virtual Connection by cookie, and take a reference.  A resize restarts the walk. */
static struct st_sock *st_nl_with_cookie(struct st_net *sn, u64 cookie)
{
	struct rhashtable_iter iter;
	struct st_sock *st;

	rhashtable_walk_enter(&sn->vcs, &iter);
	rhashtable_walk_start(&iter);
	while ((st = rhashtable_walk_next(&iter)))
		if (!IS_ERR(st) && atomic64_read(&st->sk.sk_cookie) == cookie &&
		    refcount_inc_not_zero(&st->sk.sk_refcnt))
			break;
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
	return st;
}

/**
 * st_nl_no_vc - report that no Virtual Connection has the cookie of a request
 * @info: the request
 *
 * Context: any.
 * Return: -ENOENT.
 */
int st_nl_no_vc(struct genl_info *info)
{
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ST_A_VC_COOKIE],
			    "no Virtual Connection has this cookie");
	return -ENOENT;
}

/**
 * st_nl_find - look up a Virtual Connection by the cookie of a request
 * @info: the request
 *
 * Context: process.
 * Return: the Virtual Connection, with a reference to its socket, or an ERR_PTR().
 */
struct st_sock *st_nl_find(struct genl_info *info)
{
	struct st_sock *st = NULL;
	u64 cookie;

	if (GENL_REQ_ATTR_CHECK(info, ST_A_VC_COOKIE))
		return ERR_PTR(-EINVAL);
	cookie = nla_get_uint(info->attrs[ST_A_VC_COOKIE]);
	if (cookie)	/* 0 is the value of a socket that has no cookie yet */
		st = st_nl_with_cookie(st_pernet(genl_info_net(info)), cookie);
	return st ?: ERR_PTR(st_nl_no_vc(info));
}

/**
 * st_nl_vc_do - answer a request for one Virtual Connection, or for an object of it
 * @request: the request
 * @info: its contents
 * @put: writes the answer; under RCU and st->lock
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int st_nl_vc_do(struct sk_buff *request, struct genl_info *info,
		int (*put)(struct sk_buff *skb, const struct st_nl_to *to, struct st_sock *st))
{
	struct sk_buff *answer;
	struct st_nl_to to;
	struct st_sock *st;
	int err;

	st_nl_to_one(&to, request, info);
	st = st_nl_find(info);
	if (IS_ERR(st))
		return PTR_ERR(st);
	answer = st_nl_answer_new();
	if (!answer) {
		sock_put(&st->sk);
		return -ENOMEM;
	}
	rcu_read_lock();
	spin_lock_bh(&st->lock);
	err = st->vc.hashed ? put(answer, &to, st) : st_nl_no_vc(info);
	spin_unlock_bh(&st->lock);
	rcu_read_unlock();
	sock_put(&st->sk);
	return st_nl_answer_send(answer, info, err);
}

/**
 * st_nl_put_vc_of - add the attributes that identify a Virtual Connection
 * @skb: the message, about a Virtual Connection, a Transfer or a region
 * @st: the Virtual Connection
 * @ns: user namespace of the reader
 *
 * Context: under RCU and st->lock.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_vc_of(struct sk_buff *skb, struct st_sock *st, struct user_namespace *ns)
{
	u32 cookie[2];

	sock_diag_save_cookie(&st->sk, cookie);
	return nla_put_uint(skb, ST_A_VC_COOKIE, cookie[0] | (u64)cookie[1] << 32) ||
	       nla_put_u16(skb, ST_A_VC_LOCAL_PORT, st->bind.port->num) ||
	       nla_put_u16(skb, ST_A_VC_REMOTE_PORT, st->vc.peer.port) ||
	       nla_put_u32(skb, ST_A_VC_IFINDEX, st->vc.peer.ifindex) ||
	       nla_put(skb, ST_A_VC_REMOTE_ADDRESS, st->paths.first.link->addr_len,
		       st->vc.peer.addr) ||
	       st_nl_put_user(skb, &st->sk, ns, ST_A_VC_INODE, ST_A_VC_UID) ? -EMSGSIZE : 0;
}
