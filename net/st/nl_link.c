// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: LLPs attached to and detached from devices by command.
 */
#include <linux/rtnetlink.h>

#include "genl.h"
#include "netlink.h"

/* Who may do ip link set may do this. */
static int st_nl_link_do(struct sk_buff *skb, struct genl_info *info,
			 int (*what)(struct net_device *dev, const char *name,
				     struct netlink_ext_ack *extack))
{
	struct net_device *dev;
	int err;

	if (!netlink_net_capable(skb, CAP_NET_ADMIN))
		return -EPERM;
	if (GENL_REQ_ATTR_CHECK(info, ST_A_LINK_IFINDEX) ||
	    GENL_REQ_ATTR_CHECK(info, ST_A_LINK_LLP))
		return -EINVAL;
	rtnl_lock();
	dev = __dev_get_by_index(genl_info_net(info),
				 nla_get_u32(info->attrs[ST_A_LINK_IFINDEX]));
	err = dev ? what(dev, nla_data(info->attrs[ST_A_LINK_LLP]), info->extack) : -ENODEV;
	rtnl_unlock();
	return err;
}

/**
 * st_nl_link_add_doit - ST_CMD_LINK_ADD
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_link_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_link_do(skb, info, st_llp_add);
}

/**
 * st_nl_link_del_doit - ST_CMD_LINK_DEL
 * @skb: the request
 * @info: what is in it
 *
 * Return: 0 or a negative errno.
 */
int st_nl_link_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return st_nl_link_do(skb, info, st_llp_del);
}
