// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: which addresses are those of one host, ST annex B.
 */
#include <linux/rtnetlink.h>

#include "genl.h"
#include "netlink.h"

#define ST_PAIRS_MAX	1024

/* Attributes of one address of a pair */
struct st_nl_end {
	int	ifindex;
	int	llp;
	int	addr;
};

static const struct st_nl_end st_nl_ends[] = {
	{ ST_A_STRIPE_IFINDEX, ST_A_STRIPE_LLP, ST_A_STRIPE_ADDRESS },
	{ ST_A_STRIPE_OTHER_IFINDEX, ST_A_STRIPE_OTHER_LLP, ST_A_STRIPE_OTHER_ADDRESS },
};

/* The link of a device that an LLP is called by, or NULL; under RTNL. */
static struct st_link *st_nl_link_named(struct st_net *sn, u32 ifindex, const struct nlattr *llp)
{
	struct st_link *link;

	list_for_each_entry(link, &sn->links, list)
		if (link->dev->ifindex == ifindex && !nla_strcmp(llp, link->llp->name))
			return link;
	return NULL;
}

/* One address of a request.  Under RTNL. */
static int st_nl_get_end(struct genl_info *info, const struct st_nl_end *attrs,
			 struct sockaddr_st *end)
{
	const struct nlattr *addr = info->attrs[attrs->addr];
	const struct st_link *link;
	u32 ifindex;

	if (GENL_REQ_ATTR_CHECK(info, attrs->ifindex) || GENL_REQ_ATTR_CHECK(info, attrs->llp) ||
	    GENL_REQ_ATTR_CHECK(info, attrs->addr))
		return -EINVAL;
	ifindex = nla_get_u32(info->attrs[attrs->ifindex]);
	link = st_nl_link_named(st_pernet(genl_info_net(info)), ifindex, info->attrs[attrs->llp]);
	if (!link) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attrs->ifindex],
				    "the device has no link of that LLP");
		return -ENODEV;
	}
	if (nla_len(addr) != link->addr_len) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, addr, "an address of LLP %s has %u bytes",
					link->llp->name, link->addr_len);
		return -EINVAL;
	}
	if (!st_link_addr_ok(link, nla_data(addr))) {
		NL_SET_ERR_MSG_ATTR(info->extack, addr, "not the address of one host");
		return -EINVAL;
	}
	*end = (struct sockaddr_st) {
		.sst_family = AF_ST,
		.sst_ifindex = ifindex,
		.sst_llp = link->type,
		.sst_alen = link->addr_len,
	};
	memcpy(end->sst_addr, nla_data(addr), link->addr_len);
	return 0;
}

static bool st_same_end(const struct sockaddr_st *a, const struct sockaddr_st *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* A pair that says the same, or NULL; under RTNL. */
static struct st_pair *st_pair_find(struct st_net *sn, const struct sockaddr_st *end)
{
	struct st_pair *pair;

	list_for_each_entry(pair, &sn->pairs, list)
		if ((st_same_end(&pair->end[0], &end[0]) && st_same_end(&pair->end[1], &end[1])) ||
		    (st_same_end(&pair->end[0], &end[1]) && st_same_end(&pair->end[1], &end[0])))
			return pair;
	return NULL;
}

static void st_pair_del(struct st_net *sn, struct st_pair *pair)
{
	list_del_rcu(&pair->list);
	sn->nr_pairs--;
	sn->pairs_gen++;
	kfree_rcu(pair, rcu);
}

static int st_pair_add(struct st_net *sn, const struct sockaddr_st *end)
{
	struct st_pair *pair;

	if (st_pair_find(sn, end))
		return -EEXIST;
	if (sn->nr_pairs >= ST_PAIRS_MAX)
		return -ENOSPC;
	pair = kmalloc(sizeof(*pair), GFP_KERNEL);
	if (!pair)
		return -ENOMEM;
	memcpy(pair->end, end, sizeof(pair->end));
	list_add_tail_rcu(&pair->list, &sn->pairs);
	sn->nr_pairs++;
	sn->pairs_gen++;
	return 0;
}

/**
 * st_pairs_del - forget what was said of a link
 * @sn: the namespace
 * @link: the link, which is going
 *
 * Context: under RTNL.
 */
void st_pairs_del(struct st_net *sn, const struct st_link *link)
{
	struct st_pair *pair, *next;
	unsigned int i;

	list_for_each_entry_safe(pair, next, &sn->pairs, list) {
		for (i = 0; i < ARRAY_SIZE(pair->end); i++) {
			if (pair->end[i].sst_ifindex == link->dev->ifindex &&
			    pair->end[i].sst_llp == link->type) {
				st_pair_del(sn, pair);
				break;
			}
		}
	}
}

/* Who may add a link may do this. */
static int st_nl_stripe_do(struct sk_buff *skb, struct genl_info *info, bool add)
{
	struct st_net *sn = st_pernet(genl_info_net(info));
	struct sockaddr_st end[ARRAY_SIZE(st_nl_ends)];
	struct st_pair *pair;
	int err;

	if (!netlink_net_capable(skb, CAP_NET_ADMIN))
		return -EPERM;
	rtnl_lock();
	err = st_nl_get_end(info, &st_nl_ends[0], &end[0]) ?:
	      st_nl_get_end(info, &st_nl_ends[1], &end[1]);
	if (!err && st_same_end(&end[0], &end[1])) {
		NL_SET_ERR_MSG(info->extack, "these are not two addresses");
		err = -EINVAL;
	}
	if (err)
		goto unlock;
	if (add) {
		err = st_pair_add(sn, end);
		goto unlock;
	}
	pair = st_pair_find(sn, end);
	if (pair)
		st_pair_del(sn, pair);
	else
		err = -ENOENT;
unlock:
	rtnl_unlock();
	return err;
}

/**
 * st_nl_stripe_add_doit - ST_CMD_STRIPE_ADD
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_stripe_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_stripe_do(skb, info, true);
}

/**
 * st_nl_stripe_del_doit - ST_CMD_STRIPE_DEL
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_stripe_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_stripe_do(skb, info, false);
}

/* Under RTNL. */
static int st_nl_put_end(struct sk_buff *skb, struct st_net *sn, const struct st_nl_end *attrs,
			 const struct sockaddr_st *end)
{
	const struct st_link *link;

	list_for_each_entry(link, &sn->links, list)
		if (link->dev->ifindex == end->sst_ifindex && link->type == end->sst_llp)
			break;
	if (list_entry_is_head(link, &sn->links, list))
		return 0;
	return nla_put_u32(skb, attrs->ifindex, end->sst_ifindex) ||
	       nla_put_string(skb, attrs->llp, link->llp->name) ||
	       nla_put(skb, attrs->addr, end->sst_alen, end->sst_addr) ? -EMSGSIZE : 0;
}

static int st_nl_put_pair(struct sk_buff *skb, struct netlink_callback *cb, struct st_net *sn,
			  const struct st_pair *pair)
{
	void *hdr = __genlmsg_iput(skb, genl_info_dump(cb), NLM_F_MULTI);

	if (!hdr || st_nl_put_end(skb, sn, &st_nl_ends[0], &pair->end[0]) ||
	    st_nl_put_end(skb, sn, &st_nl_ends[1], &pair->end[1])) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genl_dump_check_consistent(cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * st_nl_stripe_get_dumpit - ST_CMD_STRIPE_GET
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int st_nl_stripe_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct st_net *sn = st_pernet(sock_net(skb->sk));
	struct st_nl_pos *pos = st_nl_pos(cb);
	const struct st_pair *pair;
	int err = 0;
	u64 n = 0;

	rtnl_lock();
	cb->seq = sn->pairs_gen + 1;
	list_for_each_entry(pair, &sn->pairs, list) {
		if (n++ < pos->after)
			continue;
		err = st_nl_put_pair(skb, cb, sn, pair);
		if (err)
			break;
		pos->after = n;
	}
	rtnl_unlock();
	return err;
}
