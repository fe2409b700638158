// SPDX-License-Identifier: GPL-2.0
/* Generic netlink: links, and commands that attach and detach LLPs. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/rtnetlink.h>

#include "conn/conn.h"
#include "link/link.h"
#include "netlink/genl.h"
#include "netlink/netlink.h"

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

/**
 * st_nl_put_address_text - add an address as text to a message
 * @skb: the message
 * @attr: the attribute
 * @link: the link whose type of addresses it has; still visible
 * @addr: the address
 *
 * Context: under RCU or RTNL.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_address_text(struct sk_buff *skb, int attr, const struct st_link *link,
			   const u8 *addr)
{
	char text[ST_ADDR_TEXT_MAX];

	link->addr_type->print(addr, link->addr_len, text, sizeof(text));
	return nla_put_string(skb, attr, text);
}

/**
 * st_nl_put_link - add the attributes of a link to a message
 * @skb: the message
 * @link: the link
 *
 * Context: under RCU or RTNL, and before st_link_del() returns.
 * Return: 0 or -EMSGSIZE.
 */
int st_nl_put_link(struct sk_buff *skb, const struct st_link *link)
{
	const struct st_link_core *core = st_link_core(link);
	const char *unusable = READ_ONCE(core->unusable);
	const struct net_device *dev = link->dev;

	if (nla_put_u32(skb, ST_A_LINK_IFINDEX, dev->ifindex) ||
	    nla_put_string(skb, ST_A_LINK_IFNAME, dev->name) ||
	    nla_put_string(skb, ST_A_LINK_LLP, link->llp->name) ||
	    nla_put_u32(skb, ST_A_LINK_LLP_TYPE, core->type) ||
	    nla_put(skb, ST_A_LINK_ADDRESS, link->addr_len, link->addr) ||
	    nla_put_u32(skb, ST_A_LINK_STATE, st_link_state(link)) ||
	    (unusable && nla_put_string(skb, ST_A_LINK_REASON, unusable)) ||
	    nla_put_u32(skb, ST_A_LINK_VCS, READ_ONCE(core->nr_vcs)) ||
	    st_nl_put_address_text(skb, ST_A_LINK_ADDRESS_TEXT, link, link->addr) ||
	    (link->reliability &&
	     nla_put_u32(skb, ST_A_LINK_RELIABILITY, link->reliability)) ||
	    (link->llp->ops->connect &&
	     nla_put_u32(skb, ST_A_LINK_ROUTES, READ_ONCE(core->nr_routes))))
		return -EMSGSIZE;
	return st_nl_put_channels(skb, link);
}
EXPORT_SYMBOL_IF_KUNIT(st_nl_put_link);

static u64 st_nl_link_key(const struct st_link *link)
{
	return (u64)link->dev->ifindex << 8 | st_link_core(link)->type;
}

/* The next link of a dump; links may have been added and removed since the last.  Under RCU. */
static struct st_link *st_nl_link_next(struct st_net *sn, u64 after)
{
	struct st_link *next = NULL;
	struct st_link_core *core;

	list_for_each_entry_rcu(core, &sn->links, list)
		if (st_nl_link_key(&core->link) > after &&
		    (!next || st_nl_link_key(&core->link) < st_nl_link_key(next)))
			next = &core->link;
	return next;
}

/**
 * st_nl_link_at - find a link by attributes
 * @sn: the namespace
 * @ifindex: ifindex of its device
 * @llp: name of its LLP
 *
 * Context: under RCU or RTNL.
 * Return: the link or NULL.
 */
const struct st_link *st_nl_link_at(struct st_net *sn, const struct nlattr *ifindex,
				    const struct nlattr *llp)
{
	const struct st_link_core *core;

	list_for_each_entry_rcu(core, &sn->links, list, lockdep_rtnl_is_held())
		if (core->link.dev->ifindex == nla_get_u32(ifindex) &&
		    !nla_strcmp(llp, core->link.llp->name))
			return &core->link;
	return NULL;
}

/**
 * st_nl_link_wanted - whether a link matches a request
 * @link: the link
 * @ifindex: ifindex of its device; NULL: any
 * @llp: name of its LLP; NULL: any
 *
 * Context: under RCU or RTNL.
 * Return: true when it does.
 */
bool st_nl_link_wanted(const struct st_link *link, const struct nlattr *ifindex,
		       const struct nlattr *llp)
{
	return (!ifindex || nla_get_u32(ifindex) == link->dev->ifindex) &&
	       (!llp || !nla_strcmp(llp, link->llp->name));
}

static int st_nl_put_link_to(struct sk_buff *skb, const struct st_nl_to *to,
			     const struct st_link *link)
{
	void *hdr = st_nl_begin(skb, to);

	return st_nl_end(skb, to, hdr, !hdr || st_nl_put_link(skb, link));
}

/* Execute a request for a single link.  Return: 0 or a negative errno. */
static int st_nl_link_named(struct genl_info *info)
{
	return GENL_REQ_ATTR_CHECK(info, ST_A_LINK_IFINDEX) ||
	       GENL_REQ_ATTR_CHECK(info, ST_A_LINK_LLP) ? -EINVAL : 0;
}

/**
 * st_nl_link_get_doit - ST_CMD_LINK_GET for one link
 * @skb: the request
 * @info: the parsed request
 *
 * Return: 0 or a negative errno.
 */
int st_nl_link_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	int err = st_nl_link_named(info);
	const struct st_link *link;
	struct sk_buff *answer;
	struct st_nl_to to;

	if (err)
		return err;
	st_nl_to_one(&to, skb, info);
	answer = st_nl_answer_new();
	if (!answer)
		return -ENOMEM;
	rcu_read_lock();
	link = st_nl_link_at(sn, info->attrs[ST_A_LINK_IFINDEX], info->attrs[ST_A_LINK_LLP]);
	if (link) {
		err = st_nl_put_link_to(answer, &to, link);
	} else {
		NL_SET_ERR_MSG(info->extack, "the device has no link of this LLP");
		err = -ENOENT;
	}
	rcu_read_unlock();
	return st_nl_answer_send(answer, info, err);
}

/**
 * st_nl_link_get_dumpit - ST_CMD_LINK_GET for all links that match the request
 * @skb: the message
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_link_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct st_nl_pos *pos = st_nl_pos(cb);
	struct st_link *link;
	struct st_nl_to to;
	int err = 0;

	st_nl_to_dump(&to, cb);
	rcu_read_lock();
	while ((link = st_nl_link_next(st_pernet(genl_info_net(to.info)), pos->after))) {
		if (st_nl_link_wanted(link, to.info->attrs[ST_A_LINK_IFINDEX],
				      to.info->attrs[ST_A_LINK_LLP])) {
			err = st_nl_put_link_to(skb, &to, link);
			if (err)
				break;
		}
		pos->after = st_nl_link_key(link);
	}
	rcu_read_unlock();
	return err;
}

static int st_nl_link_do(struct sk_buff *skb, struct genl_info *info,
			 int (*what)(struct net_device *dev, const char *llp,
				     struct genl_info *info))
{
	int err = st_nl_link_named(info);
	struct net_device *dev;

	if (!st_nl_admin(skb, info))
		return -EPERM;
	if (err)
		return err;
	rtnl_lock();
	dev = __dev_get_by_index(genl_info_net(info),
				 nla_get_u32(info->attrs[ST_A_LINK_IFINDEX]));
	if (dev) {
		err = what(dev, nla_data(info->attrs[ST_A_LINK_LLP]), info);
	} else {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ST_A_LINK_IFINDEX],
				    "no device of the network namespace has this index");
		err = -ENODEV;
	}
	rtnl_unlock();
	return err;
}

static int st_nl_link_add(struct net_device *dev, const char *llp, struct genl_info *info)
{
	const struct nlattr *reliability = info->attrs[ST_A_LINK_RELIABILITY];
	const struct nlattr *stu = info->attrs[ST_A_LINK_STU];
	const struct st_link_options options = {
		.stu		= stu ? nla_get_uint(stu) : 0,
		.reliability	= reliability ? nla_get_u32(reliability) : 0,
	};

	return st_llp_add(dev, llp, &options, info->extack);
}

static int st_nl_link_del(struct net_device *dev, const char *llp, struct genl_info *info)
{
	return st_llp_del(dev, llp, info->extack);
}

/**
 * st_nl_link_add_doit - ST_CMD_LINK_ADD
 * @skb: the request
 * @info: the parsed request
 *
 * Return: 0 or a negative errno.
 */
int st_nl_link_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_link_do(skb, info, st_nl_link_add);
}

/**
 * st_nl_link_del_doit - ST_CMD_LINK_DEL
 * @skb: the request
 * @info: the parsed request
 *
 * Return: 0 or a negative errno.
 */
int st_nl_link_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_link_do(skb, info, st_nl_link_del);
}
