// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: the addresses of each host, ST annex B.
 */
#include <linux/rtnetlink.h>

#include "link/link.h"
#include "netlink/genl.h"
#include "netlink/netlink.h"

#define ST_ADDRS_OF_HOST	32	/* fit into one message */
#define ST_ADDRS_MAX		4096

/* The addresses of a request or of a host */
struct st_nl_addrs {
	unsigned int		n;
	struct sockaddr_st	addr[ST_ADDRS_OF_HOST];
};

static bool st_same_addr(const struct sockaddr_st *a, const struct sockaddr_st *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Parse an address, as bytes or as text; under RTNL.  Return: 0 or -EINVAL. */
static int st_nl_get_bytes(struct genl_info *info, struct nlattr *nest, struct nlattr **tb,
			   const struct st_link *link, u8 *bytes)
{
	const struct nlattr *addr = tb[ST_A_HOST_ADDRESS_ADDRESS];
	const struct nlattr *text = tb[ST_A_HOST_ADDRESS_ADDRESS_TEXT];
	const struct st_addr_type *type = link->addr_type;
	char name[ST_ADDR_TEXT_MAX];

	if (!text && NL_REQ_ATTR_CHECK(info->extack, nest, tb, ST_A_HOST_ADDRESS_ADDRESS))
		return -EINVAL;
	if (text && addr) {
		NL_SET_ERR_MSG_ATTR(info->extack, text, "give an address or its text, not both");
		return -EINVAL;
	}
	if (text && type->parse(nla_data(text), bytes, link->addr_len)) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, text, "no address of LLP %s, of kind %s",
					link->llp->name, type->name);
		return -EINVAL;
	}
	if (addr && nla_len(addr) != link->addr_len) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, addr, "an address of LLP %s has %u bytes",
					link->llp->name, link->addr_len);
		return -EINVAL;
	}
	if (addr)
		memcpy(bytes, nla_data(addr), link->addr_len);
	if (!st_link_addr_ok(link, bytes)) {
		type->print(bytes, link->addr_len, name, sizeof(name));
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, addr ?: text,
					"%s is not the address of one host", name);
		return -EINVAL;
	}
	return 0;
}

/* Parse one address of a request.  Under RTNL. */
static int st_nl_get_addr(struct genl_info *info, struct nlattr *nest, struct sockaddr_st *to)
{
	struct nlattr *tb[ST_A_HOST_ADDRESS_MAX + 1];
	const struct st_link *link;
	int err;

	err = nla_parse_nested(tb, ST_A_HOST_ADDRESS_MAX, nest, st_host_address_nl_policy,
			       info->extack);
	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(info->extack, nest, tb, ST_A_HOST_ADDRESS_IFINDEX) ||
	    NL_REQ_ATTR_CHECK(info->extack, nest, tb, ST_A_HOST_ADDRESS_LLP))
		return -EINVAL;
	link = st_nl_link_at(st_pernet(genl_info_net(info)), tb[ST_A_HOST_ADDRESS_IFINDEX],
			     tb[ST_A_HOST_ADDRESS_LLP]);
	if (!link) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "the device has no link of this LLP");
		return -ENODEV;
	}
	*to = (struct sockaddr_st) {
		.sst_family = AF_ST,
		.sst_ifindex = link->dev->ifindex,
		.sst_llp = st_link_core(link)->type,
		.sst_alen = link->addr_len,
	};
	return st_nl_get_bytes(info, nest, tb, link, to->sst_addr);
}

static int st_nl_is_new(struct genl_info *info, const struct nlattr *nest,
			const struct st_nl_addrs *addrs)
{
	unsigned int i;

	for (i = 0; i < addrs->n; i++)
		if (st_same_addr(&addrs->addr[i], &addrs->addr[addrs->n])) {
			NL_SET_ERR_MSG_ATTR(info->extack, nest, "this address comes twice");
			return -EINVAL;
		}
	return 0;
}

/* Parse all addresses of a request.  Under RTNL. */
static int st_nl_get_addrs(struct genl_info *info, struct st_nl_addrs *addrs)
{
	struct nlattr *nest;
	int err, rem;

	if (GENL_REQ_ATTR_CHECK(info, ST_A_STRIPE_ADDRESS))
		return -EINVAL;
	addrs->n = 0;
	nlmsg_for_each_attr_type(nest, ST_A_STRIPE_ADDRESS, info->nlhdr, GENL_HDRLEN, rem) {
		if (addrs->n == ST_ADDRS_OF_HOST) {
			NL_SET_ERR_MSG_FMT(info->extack, "a host has at most %u addresses",
					   ST_ADDRS_OF_HOST);
			return -E2BIG;
		}
		err = st_nl_get_addr(info, nest, &addrs->addr[addrs->n]) ?:
		      st_nl_is_new(info, nest, addrs);
		if (err)
			return err;
		addrs->n++;
	}
	return 0;
}

/* Look up an address; under RTNL. */
static struct st_stripe_addr *st_stripe_addr_find(struct st_net *sn,
						  const struct sockaddr_st *addr)
{
	struct st_stripe_addr *sa;

	list_for_each_entry(sa, &sn->stripe_addrs, list)
		if (st_same_addr(&sa->addr, addr))
			return sa;
	return NULL;
}

static void st_stripe_addr_del(struct st_net *sn, struct st_stripe_addr *sa)
{
	list_del_rcu(&sa->list);
	sn->nr_stripe_addrs--;
	sn->stripe_gen++;
	kfree_rcu(sa, rcu);
}

static void st_stripe_host_del(struct st_net *sn, u64 host)
{
	struct st_stripe_addr *sa, *next;

	list_for_each_entry_safe(sa, next, &sn->stripe_addrs, list)
		if (sa->host == host)
			st_stripe_addr_del(sn, sa);
}

/* Whether an address is the only one of its host. */
static bool st_stripe_is_single(const struct st_net *sn, const struct st_stripe_addr *sa)
{
	return (list_is_first(&sa->list, &sn->stripe_addrs) ||
		list_prev_entry(sa, list)->host != sa->host) &&
	       (list_is_last(&sa->list, &sn->stripe_addrs) ||
		list_next_entry(sa, list)->host != sa->host);
}

/**
 * st_stripe_forget - forget the addresses on a link
 * @sn: the namespace
 * @link: the link, about to be removed
 *
 * A host that is left with a single address is forgotten, too.
 *
 * Context: under RTNL.
 */
void st_stripe_forget(struct st_net *sn, const struct st_link *link)
{
	struct st_stripe_addr *sa, *next;

	ASSERT_RTNL();
	list_for_each_entry_safe(sa, next, &sn->stripe_addrs, list)
		if (sa->addr.sst_ifindex == link->dev->ifindex &&
		    sa->addr.sst_llp == st_link_core(link)->type)
			st_stripe_addr_del(sn, sa);
	list_for_each_entry_safe(sa, next, &sn->stripe_addrs, list)
		if (st_stripe_is_single(sn, sa))
			st_stripe_addr_del(sn, sa);
}

static int st_stripe_addr_add(struct st_net *sn, u64 host, const struct sockaddr_st *addr)
{
	struct st_stripe_addr *sa = kmalloc(sizeof(*sa), GFP_KERNEL_ACCOUNT);

	if (!sa)
		return -ENOMEM;
	sa->host = host;
	sa->addr = *addr;
	list_add_tail_rcu(&sa->list, &sn->stripe_addrs);
	sn->nr_stripe_addrs++;
	sn->stripe_gen++;
	return 0;
}

/* Under RTNL. */
static int st_stripe_host_add(struct genl_info *info, const struct st_nl_addrs *addrs)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	u64 host = ++sn->stripe_hosts;
	unsigned int i;
	int err = 0;

	if (addrs->n < 2) {
		NL_SET_ERR_MSG(info->extack, "a single address has nothing to be striped over");
		return -EINVAL;
	}
	for (i = 0; i < addrs->n; i++) {
		if (st_stripe_addr_find(sn, &addrs->addr[i])) {
			NL_SET_ERR_MSG_FMT(info->extack, "address %u is known as that of a host",
					   i + 1);
			return -EEXIST;
		}
	}
	if (sn->nr_stripe_addrs + addrs->n > ST_ADDRS_MAX) {
		NL_SET_ERR_MSG_FMT(info->extack, "%u of %u addresses are known: delete some first",
				   sn->nr_stripe_addrs, ST_ADDRS_MAX);
		return -ENOSPC;
	}
	for (i = 0; i < addrs->n && !err; i++)
		err = st_stripe_addr_add(sn, host, &addrs->addr[i]);
	if (err)
		st_stripe_host_del(sn, host);
	return err;
}

/* The first address of the host with all addresses of a request, or NULL.  Under RTNL. */
static const struct st_stripe_addr *st_stripe_host_of(struct genl_info *info,
						      const struct st_nl_addrs *addrs)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	const struct st_stripe_addr *sa = NULL;
	unsigned int i;
	u64 host = 0;

	for (i = 0; i < addrs->n; i++) {
		sa = st_stripe_addr_find(sn, &addrs->addr[i]);
		if (!sa || (host && sa->host != host)) {
			NL_SET_ERR_MSG(info->extack,
				       "no host has been given all these addresses");
			return NULL;
		}
		host = sa->host;
	}
	while (!list_is_first(&sa->list, &sn->stripe_addrs) &&
	       list_prev_entry(sa, list)->host == host)
		sa = list_prev_entry(sa, list);
	return sa;
}

static int st_stripe_host_remove(struct genl_info *info, const struct st_nl_addrs *addrs)
{
	const struct st_stripe_addr *sa = st_stripe_host_of(info, addrs);

	if (!sa)
		return -ENOENT;
	st_stripe_host_del(st_pernet(genl_info_net(info)), sa->host);
	return 0;
}

/* Needs the same privilege as adding a link. */
static int st_nl_stripe_do(struct sk_buff *skb, struct genl_info *info,
			   int (*what)(struct genl_info *info, const struct st_nl_addrs *addrs))
{
	struct st_nl_addrs *addrs;
	int err;

	if (!st_nl_admin(skb, info))
		return -EPERM;
	addrs = kmalloc(sizeof(*addrs), GFP_KERNEL);
	if (!addrs)
		return -ENOMEM;
	rtnl_lock();
	err = st_nl_get_addrs(info, addrs) ?: what(info, addrs);
	rtnl_unlock();
	kfree(addrs);
	return err;
}

/**
 * st_nl_stripe_add_doit - ST_CMD_STRIPE_ADD
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_stripe_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_stripe_do(skb, info, st_stripe_host_add);
}

/**
 * st_nl_stripe_del_doit - ST_CMD_STRIPE_DEL
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_stripe_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_stripe_do(skb, info, st_stripe_host_remove);
}

/* Under RTNL, which keeps the link. */
static int st_nl_put_addr(struct sk_buff *skb, struct st_net *sn, const struct sockaddr_st *addr)
{
	struct nlattr *nest = nla_nest_start(skb, ST_A_STRIPE_ADDRESS);
	const struct st_link_core *core;

	list_for_each_entry(core, &sn->links, list)
		if (core->link.dev->ifindex == addr->sst_ifindex && core->type == addr->sst_llp)
			break;
	if (!nest || nla_put_u32(skb, ST_A_HOST_ADDRESS_IFINDEX, addr->sst_ifindex) ||
	    nla_put_string(skb, ST_A_HOST_ADDRESS_LLP, core->link.llp->name) ||
	    nla_put(skb, ST_A_HOST_ADDRESS_ADDRESS, addr->sst_alen, addr->sst_addr) ||
	    st_nl_put_address_text(skb, ST_A_HOST_ADDRESS_ADDRESS_TEXT, &core->link,
				   addr->sst_addr))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Dump a host, from its first address on.  Under RTNL. */
static int st_nl_put_host(struct sk_buff *skb, const struct st_nl_to *to,
			  const struct st_stripe_addr *sa)
{
	struct st_net *sn = st_pernet(genl_info_net(to->info));
	void *hdr = st_nl_begin(skb, to);
	int err = hdr ? 0 : -EMSGSIZE;
	u64 host = sa->host;

	list_for_each_entry_from(sa, &sn->stripe_addrs, list) {
		if (err || sa->host != host)
			break;
		err = st_nl_put_addr(skb, sn, &sa->addr);
	}
	return st_nl_end(skb, to, hdr, err);
}

/**
 * st_nl_stripe_get_doit - ST_CMD_STRIPE_GET of the host with given addresses
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int st_nl_stripe_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_nl_addrs *addrs = kmalloc(sizeof(*addrs), GFP_KERNEL);
	struct sk_buff *answer = st_nl_answer_new();
	const struct st_stripe_addr *sa;
	struct st_nl_to to;
	int err;

	if (!addrs || !answer) {
		kfree(addrs);
		nlmsg_free(answer);
		return -ENOMEM;
	}
	st_nl_to_one(&to, skb, info);
	rtnl_lock();
	err = st_nl_get_addrs(info, addrs);
	if (!err) {
		sa = st_stripe_host_of(info, addrs);
		err = sa ? st_nl_put_host(answer, &to, sa) : -ENOENT;
	}
	rtnl_unlock();
	kfree(addrs);
	return st_nl_answer_send(answer, info, err);
}

/**
 * st_nl_stripe_get_dumpit - ST_CMD_STRIPE_GET of all hosts
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_stripe_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct st_net *sn = st_pernet(sock_net(skb->sk));
	struct st_nl_pos *pos = st_nl_pos(cb);
	const struct st_stripe_addr *sa;
	struct st_nl_to to;
	int err = 0;

	st_nl_to_dump(&to, cb);
	rtnl_lock();
	cb->seq = sn->stripe_gen + 1;
	list_for_each_entry(sa, &sn->stripe_addrs, list) {
		if (sa->host <= pos->after)
			continue;
		err = st_nl_put_host(skb, &to, sa);
		if (err)
			break;
		pos->after = sa->host;
	}
	rtnl_unlock();
	return err;
}
