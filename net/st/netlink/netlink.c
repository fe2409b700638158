// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: helpers shared by its files; Ports, and counters of a namespace.
 */
#include "netlink/genl.h"
#include "netlink/netlink.h"

#define ST_PORT_BUCKETS		ARRAY_SIZE(((struct st_net *)NULL)->ports)

/* Add counters as the attributes from @first on, in the order of their enum. */
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
 * st_nl_is_admin - whether a request comes from an administrator of its namespace
 * @request: the request
 * @info: its contents
 *
 * Most readers are none: no audit record for that.
 *
 * Context: process.
 * Return: true if so.
 */
bool st_nl_is_admin(const struct sk_buff *request, const struct genl_info *info)
{
	return ns_capable_noaudit(genl_info_net(info)->user_ns, CAP_NET_ADMIN) &&
	       netlink_net_capable(request, CAP_NET_ADMIN);
}

/**
 * st_nl_to_one - describe the reader of one object
 * @to: filled in
 * @request: the request
 * @info: its contents
 *
 * Context: process.
 */
void st_nl_to_one(struct st_nl_to *to, const struct sk_buff *request,
		  const struct genl_info *info)
{
	*to = (struct st_nl_to) {
		.info = info,
		.ns = sk_user_ns(NETLINK_CB(request).sk),
		.keys = st_nl_is_admin(request, info),
	};
}

/**
 * st_nl_to_dump - describe the reader of a dump
 * @to: filled in
 * @cb: state of the dump
 *
 * Context: process.
 */
void st_nl_to_dump(struct st_nl_to *to, struct netlink_callback *cb)
{
	st_nl_to_one(to, cb->skb, genl_info_dump(cb));
	to->cb = cb;
}

/**
 * st_nl_begin - begin the message about an object
 * @skb: the messages
 * @to: the reader
 *
 * Context: any.
 * Return: the header, for st_nl_end(), or NULL without room.
 */
void *st_nl_begin(struct sk_buff *skb, const struct st_nl_to *to)
{
	return __genlmsg_iput(skb, to->info, to->cb ? NLM_F_MULTI : 0);
}

/**
 * st_nl_end - end the message about an object
 * @skb: the messages
 * @to: the reader
 * @hdr: of st_nl_begin(), or NULL
 * @err: nonzero if an attribute did not fit, or if @hdr is NULL
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE when the message is cancelled.
 */
int st_nl_end(struct sk_buff *skb, const struct st_nl_to *to, void *hdr, int err)
{
	if (err) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	if (to->cb)
		genl_dump_check_consistent(to->cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * st_nl_answer_new - allocate the message about one object
 *
 * Context: process.
 * Return: an empty skb, or NULL without memory.
 */
struct sk_buff *st_nl_answer_new(void)
{
	return genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
}

/**
 * st_nl_answer_send - answer a request for one object
 * @skb: the message, consumed in any case
 * @info: the request
 * @err: 0, or why there is no message
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int st_nl_answer_send(struct sk_buff *skb, struct genl_info *info, int err)
{
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	return genlmsg_reply(skb, info);
}

/**
 * st_nl_admin - whether a request may change something
 * @request: the request
 * @info: its contents
 *
 * CAP_NET_ADMIN over the network namespace is enough.  GENL_UNS_ADMIN_PERM in the table of commands
 * would ask for the same, but give no reason.
 *
 * Context: process.
 * Return: true if so; otherwise the reason is in the extended ACK.
 */
bool st_nl_admin(const struct sk_buff *request, struct genl_info *info)
{
	if (netlink_net_capable(request, CAP_NET_ADMIN))
		return true;
	NL_SET_ERR_MSG(info->extack,
		       "CAP_NET_ADMIN is needed where the network namespace belongs");
	return false;
}

/**
 * st_nl_put_user - add the user of a socket, if it is not orphaned
 * @skb: the message
 * @sk: the socket
 * @ns: user namespace of the reader
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

/**
 * st_nl_is_user - whether a socket belongs to a user
 * @sk: the socket
 * @ns: user namespace of the reader
 * @uid: the user there
 *
 * Context: any but hard interrupt.
 * Return: true if so, that is, if st_nl_put_user() reports this user.
 */
bool st_nl_is_user(struct sock *sk, struct user_namespace *ns, u32 uid)
{
	return sock_i_ino(sk) && uid_eq(sk_uid(sk), make_kuid(ns, uid));
}

/* The Port with the lowest number from @after on in a bucket; under RCU. */
static struct st_port *st_nl_port_next(struct st_net *sn, unsigned int bucket, u64 after)
{
	struct st_port *port, *next = NULL;

	hlist_for_each_entry_rcu(port, &sn->ports[bucket], node)
		if (port->num >= after && (!next || port->num < next->num))
			next = port;
	return next;
}

/* The device that a listener is bound to, or 0. */
static int st_nl_listener_dev(const struct sock *sk)
{
	return st_sk(sk)->bind.addr.sst_ifindex ?: READ_ONCE(sk->sk_bound_dev_if);
}

/* The binding of a listener is constant; before listen() it may be changing. */
static int st_nl_put_listener(struct sk_buff *skb, struct sock *sk)
{
	const struct sockaddr_st *bound = &st_sk(sk)->bind.addr;
	struct st_sock *st = st_sk(sk);
	int ifindex = st_nl_listener_dev(sk);
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

/* Whether the owner of a Port, or NULL, matches a dump; a request for one Port matches always. */
static bool st_nl_owner_wanted(struct sock *owner, const struct st_nl_to *to)
{
	struct nlattr **attrs = to->info->attrs;
	const struct nlattr *ifindex, *uid;

	if (!to->cb)
		return true;
	ifindex = attrs[ST_A_PORT_IFINDEX];
	uid = attrs[ST_A_PORT_UID];
	if (!owner)
		return !ifindex && !uid;
	return (!ifindex || (int)nla_get_u32(ifindex) == st_nl_listener_dev(owner)) &&
	       (!uid || st_nl_is_user(owner, to->ns, nla_get_u32(uid)));
}

static int st_nl_put_port_of(struct sk_buff *skb, struct st_port *port, struct sock *owner,
			     unsigned int sockets, const struct st_nl_to *to)
{
	void *hdr = st_nl_begin(skb, to);

	return st_nl_end(skb, to, hdr, !hdr || nla_put_u16(skb, ST_A_PORT_PORT, port->num) ||
			 nla_put_u32(skb, ST_A_PORT_SOCKETS, sockets) ||
			 (owner && st_nl_put_owner(skb, owner, to->ns)) ||
			 st_nl_put_errors(skb, ST_A_PORT_ERRORS, port->errors) ||
			 nla_put_u8(skb, ST_A_PORT_UNDEFINED_OPCODE_VALUE,
				    READ_ONCE(port->undefined_op)) ||
			 nla_put_u8(skb, ST_A_PORT_UNEXPECTED_OPCODE_VALUE,
				    READ_ONCE(port->unexpected_op)));
}

/* Add a Port that matches; under RCU. */
static int st_nl_put_port(struct sk_buff *skb, struct st_port *port, const struct st_nl_to *to)
{
	struct st_net *sn = st_pernet(genl_info_net(to->info));
	unsigned int sockets;
	struct sock *owner;
	int err = 0;

	spin_lock_bh(&sn->port_lock);
	sockets = port->refcnt;
	owner = port->owner;
	if (owner)
		sock_hold(owner);
	spin_unlock_bh(&sn->port_lock);
	if (st_nl_owner_wanted(owner, to))
		err = st_nl_put_port_of(skb, port, owner, sockets, to);
	if (owner)
		sock_put(owner);
	return err;
}

/**
 * st_nl_port_get_doit - ST_CMD_PORT_GET of one Port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct sk_buff *answer;
	struct st_port *port;
	struct st_nl_to to;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, ST_A_PORT_PORT))
		return -EINVAL;
	st_nl_to_one(&to, skb, info);
	answer = st_nl_answer_new();
	if (!answer)
		return -ENOMEM;
	rcu_read_lock();
	port = st_port_find(sn, nla_get_u16(info->attrs[ST_A_PORT_PORT]));
	if (port) {
		err = st_nl_put_port(answer, port, &to);
	} else {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ST_A_PORT_PORT],
				    "this Port is not in use");
		err = -ENOENT;
	}
	rcu_read_unlock();
	return st_nl_answer_send(answer, info, err);
}

/* Dump the rest of a bucket. */
static int st_nl_dump_bucket(struct sk_buff *skb, const struct st_nl_to *to)
{
	const struct nlattr *only = to->info->attrs[ST_A_PORT_PORT];
	struct st_net *sn = st_pernet(genl_info_net(to->info));
	struct st_nl_pos *pos = st_nl_pos(to->cb);
	struct st_port *port;

	while ((port = st_nl_port_next(sn, pos->bucket, pos->after))) {
		if ((!only || nla_get_u16(only) == port->num) && st_nl_put_port(skb, port, to))
			return -EMSGSIZE;
		pos->after = port->num + 1;
	}
	return 0;
}

/**
 * st_nl_port_get_dumpit - ST_CMD_PORT_GET of the Ports that match the request
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct st_nl_pos *pos = st_nl_pos(cb);
	struct st_nl_to to;
	int err;

	st_nl_to_dump(&to, cb);
	for (; pos->bucket < ST_PORT_BUCKETS; pos->bucket++) {
		rcu_read_lock();
		err = st_nl_dump_bucket(skb, &to);
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
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct sk_buff *answer;
	struct st_nl_to to;
	void *hdr;
	int err;

	st_nl_to_one(&to, skb, info);
	answer = st_nl_answer_new();
	if (!answer)
		return -ENOMEM;
	hdr = st_nl_begin(answer, &to);
	err = st_nl_end(answer, &to, hdr,
			!hdr || st_nl_put_drops(answer, ST_A_COUNTERS_DROPS, sn->drops) ||
			st_nl_put_errors(answer, ST_A_COUNTERS_ERRORS, sn->errors));
	return st_nl_answer_send(answer, info, err);
}
