// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: addresses and their text, and what is behind an IP address.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <net/ipv6.h>

#include "conn/conn.h"
#include "link/link.h"
#include "netlink/genl.h"
#include "netlink/netlink.h"

#define ST_RESOLVE_MS		5000	/* longer than ARP and neighbour discovery ask */
#define ST_RESOLVE_MAX		64	/* at a time, in a namespace */

/* What a request says of the link */
struct st_nl_on {
	const struct nlattr	*ifindex;
	const struct nlattr	*llp;
	const struct nlattr	*type;
};

/*
 * A request that waits for a peer.  The functions of generic netlink hold a lock for reading that
 * who registers a family waits for, and behind that one everybody: so it waits in a work, which
 * sends the answer that the function of the request has not sent.
 */
struct st_nl_resolve {
	struct work_struct	work;
	struct sk_buff		*request;	/* also with a reference to its socket */
	struct genl_info	info;		/* and one to its namespace */
	struct netlink_ext_ack	extack;
	struct st_nl_on		on;
	union {
		struct sockaddr		any;
		struct sockaddr_in	v4;
		struct sockaddr_in6	v6;
	} ip;
	long			timeo;
	unsigned int		ms;
};

static struct workqueue_struct *st_nl_resolve_wq;

static void st_nl_on(struct st_nl_on *on, struct nlattr **attrs)
{
	on->ifindex = attrs[ST_A_ADDRESS_IFINDEX];
	on->llp = attrs[ST_A_ADDRESS_LLP];
	on->type = attrs[ST_A_ADDRESS_LLP_TYPE];
}

static bool st_nl_is_on(const struct st_link *link, const struct st_nl_on *on)
{
	return st_nl_link_wanted(link, on->ifindex, on->llp) &&
	       (!on->type || nla_get_u32(on->type) == st_link_core(link)->type);
}

/* How much connect() would like to take a link, which goes by the order of the links else. */
static int st_nl_link_rank(const struct st_link *link)
{
	enum st_link_state state = st_link_state(link);

	if (!st_link_max_stu(link, ST_DATA_CHANNEL))
		return 0;
	return state == ST_LINK_STATE_UP ? 2 : state == ST_LINK_STATE_NO_CARRIER;
}

static int st_nl_no_link(struct netlink_ext_ack *extack, const struct st_nl_on *on)
{
	if (on->ifindex || on->llp || on->type) {
		NL_SET_ERR_MSG(extack, "there is no such link; ststat link shows which there are");
		return -ENODEV;
	}
	NL_SET_ERR_MSG(extack, "no device has a link of ST; ststat link add makes one");
	return -ENETUNREACH;
}

/* The answer.  Under RCU, of a link that has not gone.  Return: 0 or -EMSGSIZE. */
static int st_nl_put_address(struct sk_buff *skb, const struct genl_info *info,
			     const struct st_link *link, const u8 *addr)
{
	const struct st_nl_to to = { .info = info };
	void *hdr = st_nl_begin(skb, &to);

	return st_nl_end(skb, &to, hdr, !hdr ||
			 nla_put_u32(skb, ST_A_ADDRESS_IFINDEX, link->dev->ifindex) ||
			 nla_put_string(skb, ST_A_ADDRESS_LLP, link->llp->name) ||
			 nla_put_u32(skb, ST_A_ADDRESS_LLP_TYPE, st_link_core(link)->type) ||
			 nla_put(skb, ST_A_ADDRESS_ADDRESS, link->addr_len, addr) ||
			 st_nl_put_address_text(skb, ST_A_ADDRESS_TEXT, link, addr));
}

/* Bytes of a request, on the first link that has so many.  Under RCU. */
static int st_nl_print(struct sk_buff *answer, struct genl_info *info, const struct st_nl_on *on)
{
	const struct nlattr *addr = info->attrs[ST_A_ADDRESS_ADDRESS];
	struct st_net *sn = st_pernet(genl_info_net(info));
	const struct st_link_core *core;
	unsigned int len = 0;

	list_for_each_entry_rcu(core, &sn->links, list) {
		if (!st_nl_is_on(&core->link, on))
			continue;
		if (nla_len(addr) == core->link.addr_len)
			return st_nl_put_address(answer, info, &core->link, nla_data(addr));
		len = len ?: core->link.addr_len;
	}
	if (!len)
		return st_nl_no_link(info->extack, on);
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, addr, "the address has %u bytes, on the link %u",
				nla_len(addr), len);
	return -EINVAL;
}

/*
 * The text of a request, on the link that connect() takes of those that can read it.  Under RCU.
 * Return: 0, or a negative errno with a message; -EINVAL when none can.
 */
static int st_nl_parse(struct sk_buff *answer, struct genl_info *info, const struct st_nl_on *on)
{
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	const struct st_link *link, *found = NULL, *first = NULL;
	struct st_net *sn = st_pernet(genl_info_net(info));
	u8 bytes[ST_ADDR_MAX], addr[ST_ADDR_MAX];
	const struct st_link_core *core;
	bool nobody = false;
	int best = -1;

	list_for_each_entry_rcu(core, &sn->links, list) {
		link = &core->link;
		if (!st_nl_is_on(link, on))
			continue;
		first = first ?: link;
		if (link->addr_type->parse(nla_data(text), bytes, link->addr_len))
			continue;
		if (!st_link_addr_ok(link, bytes)) {
			nobody = true;
		} else if (st_nl_link_rank(link) > best) {
			best = st_nl_link_rank(link);
			found = link;
			memcpy(addr, bytes, link->addr_len);
		}
	}
	if (found)
		return st_nl_put_address(answer, info, found, addr);
	if (!first)
		return st_nl_no_link(info->extack, on);
	if (nobody) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, text, "%.47s is not the address of one host",
					(char *)nla_data(text));
		return -EADDRNOTAVAIL;
	}
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, text,
				"'%.24s' is no address of kind %.6s, nor an IP address",
				(char *)nla_data(text), first->addr_type->name);
	return -EINVAL;
}

/* Whether a text is an IP address. */
static bool st_nl_parse_ip(struct st_nl_resolve *r, const struct nlattr *text, u8 *bytes)
{
	struct in6_addr ip;

	if (st_addr_ip.parse(nla_data(text), bytes, sizeof(ip)))
		return false;
	memcpy(&ip, bytes, sizeof(ip));
	if (ipv6_addr_v4mapped(&ip)) {
		r->ip.v4.sin_family = AF_INET;
		r->ip.v4.sin_addr.s_addr = ip.s6_addr32[3];
	} else {
		r->ip.v6.sin6_family = AF_INET6;
		r->ip.v6.sin6_addr = ip;
	}
	return true;
}

/* A link of a request, by its number among them, held; or NULL. */
static struct st_link *st_nl_resolve_link(const struct st_nl_resolve *r, unsigned int number)
{
	struct st_net *sn = st_pernet(genl_info_net(&r->info));
	struct st_link *link = NULL;
	struct st_link_core *core;

	rcu_read_lock();
	list_for_each_entry_rcu(core, &sn->links, list) {
		if (st_nl_is_on(&core->link, &r->on) && core->link.addr_type->resolve &&
		    !number-- && st_link_hold(&core->link)) {
			link = &core->link;
			break;
		}
	}
	rcu_read_unlock();
	return link;
}

/* Why there is no address for an IP address. */
static void st_nl_resolve_failed(struct st_nl_resolve *r, int err)
{
	struct netlink_ext_ack *extack = &r->extack;

	switch (err) {
	case -ENETUNREACH:
		NL_SET_ERR_MSG_FMT(extack, "no link has a route without gateway to %pISc",
				   &r->ip.any);
		break;
	case -EADDRNOTAVAIL:
		NL_SET_ERR_MSG_FMT(extack, "%pISc is an address of this host", &r->ip.any);
		break;
	case -EHOSTUNREACH:
		NL_SET_ERR_MSG_FMT(extack, "nobody answers for %pISc", &r->ip.any);
		break;
	case -ETIMEDOUT:
		NL_SET_ERR_MSG_FMT(extack, "no answer for %pISc in %u ms", &r->ip.any, r->ms);
		break;
	case -EAFNOSUPPORT:
		NL_SET_ERR_MSG_FMT(extack, "%pISc is of no use: the kernel has no IPv6",
				   &r->ip.any);
		break;
	case -EOPNOTSUPP:
		NL_SET_ERR_MSG_FMT(extack, "no link finds %pISc: give its own address",
				   &r->ip.any);
		break;
	}
}

/* Asks link after link that could lead to the peer.  Return: 0 with an answer, or why not. */
static int st_nl_resolve(struct st_nl_resolve *r, struct sk_buff *answer)
{
	int err = -EOPNOTSUPP;
	u8 addr[ST_ADDR_MAX];
	struct st_link *link;
	unsigned int i;

	for (i = 0; (link = st_nl_resolve_link(r, i)); i++) {
		err = link->addr_type->resolve(link, &r->ip.any, addr, &r->timeo);
		rcu_read_lock();
		if (!err && READ_ONCE(st_link_core(link)->dead))
			err = -ENODEV;
		else if (!err)
			err = st_nl_put_address(answer, &r->info, link, addr);
		rcu_read_unlock();
		st_link_release(link);
		if (err != -ENETUNREACH)
			break;
	}
	st_nl_resolve_failed(r, err);
	return err;
}

static void st_nl_resolve_free(struct st_nl_resolve *r)
{
	struct net *net = genl_info_net(&r->info);

	atomic_dec(&st_pernet(net)->resolving);
	sock_put(NETLINK_CB(r->request).sk);
	consume_skb(r->request);
	put_net(net);
	kfree(r);
}

static void st_nl_resolve_work(struct work_struct *work)
{
	struct st_nl_resolve *r = container_of(work, struct st_nl_resolve, work);
	struct nlmsghdr *nlh = (struct nlmsghdr *)r->info.nlhdr;
	struct sk_buff *answer = st_nl_answer_new();
	int err = -ENOMEM;

	if (answer)
		err = st_nl_answer_send(answer, &r->info, st_nl_resolve(r, answer));
	/* As netlink_rcv_skb() does for the others */
	if (err || (nlh->nlmsg_flags & NLM_F_ACK))
		netlink_ack(r->request, nlh, err, &r->extack);
	st_nl_resolve_free(r);
}

/* Return: -EINTR when the answer will come, which also keeps netlink from acknowledging. */
static int st_nl_resolve_start(struct sk_buff *request, struct genl_info *info,
			       struct st_nl_resolve *r)
{
	const struct nlattr *timeout = info->attrs[ST_A_ADDRESS_TIMEOUT];
	struct net *net = genl_info_net(info);
	struct st_net *sn = st_pernet(net);

	if (atomic_inc_return(&sn->resolving) > ST_RESOLVE_MAX) {
		atomic_dec(&sn->resolving);
		NL_SET_ERR_MSG_FMT(info->extack, "%u other requests wait for an IP address",
				   ST_RESOLVE_MAX);
		return -EBUSY;
	}
	INIT_WORK(&r->work, st_nl_resolve_work);
	r->request = skb_get(request);
	sock_hold(NETLINK_CB(request).sk);
	get_net(net);
	r->info = *info;
	r->info.attrs = NULL;
	r->info.extack = &r->extack;
	st_nl_on(&r->on, info->attrs);
	r->ms = timeout ? nla_get_u32(timeout) : ST_RESOLVE_MS;
	r->timeo = msecs_to_jiffies(r->ms);
	queue_work(st_nl_resolve_wq, &r->work);
	return -EINTR;
}

/* A text that no link can read.  Return: as st_nl_resolve_start(), or @err for no IP address. */
static int st_nl_get_ip(struct sk_buff *request, struct genl_info *info, int err)
{
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	struct st_nl_resolve *r;
	u8 bytes[ST_ADDR_MAX];

	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	if (!st_nl_parse_ip(r, text, bytes)) {
		kfree(r);
		return err;
	}
	err = 0;
	if (!st_addr_ip.valid(bytes, sizeof(bytes))) {
		NL_SET_ERR_MSG_FMT(info->extack, "%pISc is not the address of one host",
				   &r->ip.any);
		err = -EADDRNOTAVAIL;
	} else if (!info->attrs[ST_A_ADDRESS_IFINDEX] && r->ip.any.sa_family == AF_INET6 &&
		   ipv6_addr_type(&r->ip.v6.sin6_addr) & IPV6_ADDR_LINKLOCAL) {
		NL_SET_ERR_MSG_FMT(info->extack, "%pISc needs a device, behind a %% sign",
				   &r->ip.any);
		err = -ENODEV;
	}
	err = err ?: st_nl_resolve_start(request, info, r);
	if (err != -EINTR)
		kfree(r);
	return err;
}

/**
 * st_nl_address_get_doit - ST_CMD_ADDRESS_GET
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0, -EINTR when the answer comes later, or another negative errno.
 */
int st_nl_address_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *addr = info->attrs[ST_A_ADDRESS_ADDRESS];
	const struct nlattr *text = info->attrs[ST_A_ADDRESS_TEXT];
	struct sk_buff *answer;
	struct st_nl_on on;
	int err;

	if (!addr && GENL_REQ_ATTR_CHECK(info, ST_A_ADDRESS_TEXT))
		return -EINVAL;
	if (addr && text) {
		NL_SET_ERR_MSG_ATTR(info->extack, text, "give an address or its text, not both");
		return -EINVAL;
	}
	st_nl_on(&on, info->attrs);
	answer = st_nl_answer_new();
	if (!answer)
		return -ENOMEM;
	rcu_read_lock();
	err = addr ? st_nl_print(answer, info, &on) : st_nl_parse(answer, info, &on);
	rcu_read_unlock();
	if (err == -EINVAL && text)
		err = st_nl_get_ip(skb, info, err);
	return st_nl_answer_send(answer, info, err);
}

/**
 * st_nl_address_init - begin to wait for peers
 *
 * Return: 0 or -ENOMEM.
 */
int __init st_nl_address_init(void)
{
	st_nl_resolve_wq = alloc_workqueue("st_resolve", WQ_UNBOUND, 0);
	return st_nl_resolve_wq ? 0 : -ENOMEM;
}

/**
 * st_nl_address_exit - undo st_nl_address_init(), when no request can come any more
 */
void st_nl_address_exit(void)
{
	destroy_workqueue(st_nl_resolve_wq);
}
