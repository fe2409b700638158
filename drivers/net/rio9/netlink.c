// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: finding ports, and messages about them.
 */
#include <linux/netdevice.h>
#include <linux/rio9.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>

#include "netlink.h"

#include <uapi/linux/rio9_netlink.h>

/* All sets name the port in the same way */
static_assert(RIO9_A_PEER_IFINDEX - RIO9_A_PORT_IFINDEX == 0 &&
	      RIO9_A_CONTEXT_IFINDEX - RIO9_A_PORT_IFINDEX == 0 &&
	      RIO9_A_QUEUE_IFINDEX - RIO9_A_PORT_IFINDEX == 0 &&
	      RIO9_A_STATE_IFINDEX - RIO9_A_PORT_IFINDEX == 0 &&
	      RIO9_A_MESSAGE_IFINDEX - RIO9_A_PORT_IFINDEX == 0);

/**
 * struct rio9_nl_pos - position of a dump, in netlink_callback.ctx
 * @ifindex: of the device at which it goes on
 * @of: of the device that @at belongs to
 * @at: what of that device is next
 */
struct rio9_nl_pos {
	unsigned long ifindex;
	unsigned long of;
	u64 at;
};

/**
 * rio9_nl_admin - whether a request may change something
 * @request: the request
 * @info: its contents
 *
 * GENL_UNS_ADMIN_PERM in the table of commands would ask for the same, but give no reason.
 *
 * Context: process.
 * Return: true if so; otherwise the reason is in the extended ACK.
 */
bool rio9_nl_admin(const struct sk_buff *request, struct genl_info *info)
{
	if (netlink_net_capable(request, CAP_NET_ADMIN))
		return true;
	NL_SET_ERR_MSG(info->extack,
		       "CAP_NET_ADMIN is needed where the network namespace belongs");
	return false;
}

static struct net_device *rio9_nl_port_at(struct net *net, const struct nlattr *ifindex,
					  struct netlink_ext_ack *extack)
{
	struct net_device *dev = dev_get_by_index_rcu(net, nla_get_u32(ifindex));

	if (!dev) {
		NL_SET_ERR_MSG_ATTR(extack, ifindex,
				    "no device of the network namespace has this index");
		return ERR_PTR(-ENODEV);
	}
	if (!rio9_is_port(dev)) {
		NL_SET_ERR_MSG_ATTR_FMT(extack, ifindex, "found %s, expected a port of RapidIO",
					dev->name);
		return ERR_PTR(-EOPNOTSUPP);
	}
	return dev;
}

/**
 * rio9_nl_dev - the device that a request is about
 * @info: the request
 *
 * Context: under RCU.
 * Return: the device of a port, or an error pointer.
 */
struct net_device *rio9_nl_dev(struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, RIO9_A_PORT_IFINDEX))
		return ERR_PTR(-EINVAL);
	return rio9_nl_port_at(genl_info_net(info), info->attrs[RIO9_A_PORT_IFINDEX],
			       info->extack);
}

/**
 * rio9_nl_answer - answer a request about one port
 * @info: the request
 * @put: writes the attributes of the answer; under RCU
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int rio9_nl_answer(struct genl_info *info, int (*put)(struct sk_buff *skb, struct genl_info *info,
						      struct net_device *dev))
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	struct net_device *dev;
	void *hdr;
	int err;

	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_iput(skb, info);
	if (!hdr) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	rcu_read_lock();
	dev = rio9_nl_dev(info);
	err = IS_ERR(dev) ? PTR_ERR(dev) : put(skb, info, dev);
	rcu_read_unlock();
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/**
 * rio9_nl_change - change something of a port
 * @request: the request
 * @info: its contents
 * @change: does it; with RTNL
 *
 * Context: process; takes RTNL, so that the port stays.
 * Return: 0 or a negative errno.
 */
int rio9_nl_change(struct sk_buff *request, struct genl_info *info,
		   int (*change)(struct genl_info *info, struct net_device *dev))
{
	struct net_device *dev;
	int err;

	if (!rio9_nl_admin(request, info))
		return -EPERM;
	rtnl_lock();
	rcu_read_lock();
	dev = rio9_nl_dev(info);
	rcu_read_unlock();
	err = IS_ERR(dev) ? PTR_ERR(dev) : change(info, dev);
	rtnl_unlock();
	return err;
}

/**
 * rio9_nl_begin - begin a message of a dump
 * @skb: the messages
 * @cb: state of the dump
 *
 * Context: any.
 * Return: the header, for rio9_nl_end(), or NULL without room.
 */
void *rio9_nl_begin(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   genl_info_dump(cb)->family, NLM_F_MULTI,
			   genl_info_dump(cb)->genlhdr->cmd);
}

/**
 * rio9_nl_end - end a message of a dump
 * @skb: the messages
 * @hdr: of rio9_nl_begin(), or NULL
 * @err: nonzero if an attribute did not fit, or if @hdr is NULL
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE when the message is cancelled.
 */
int rio9_nl_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rio9_nl_walk - dump all ports of a namespace, or what is on them
 * @skb: the messages
 * @cb: state of the dump
 * @put: dumps what is on a port, from @at on, which is 0 at first; under RCU
 *
 * A dump goes on with the device at which a message was full, or the next if that has gone.
 *
 * Context: process.
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int rio9_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		 int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
			    struct net_device *dev, u64 *at))
{
	const struct genl_info *info = genl_info_dump(cb);
	const struct nlattr *only = info->attrs[RIO9_A_PORT_IFINDEX];
	struct rio9_nl_pos *pos = (struct rio9_nl_pos *)cb->ctx;
	struct net_device *dev;
	int err = 0;

	NL_ASSERT_CTX_FITS(struct rio9_nl_pos);
	rcu_read_lock();
	if (only && !pos->ifindex) {
		dev = rio9_nl_port_at(genl_info_net(info), only, cb->extack);
		err = PTR_ERR_OR_ZERO(dev);
		if (err)
			goto out;
		pos->ifindex = nla_get_u32(only);
	}
	for_each_netdev_dump(genl_info_net(info), dev, pos->ifindex) {
		if (only && pos->ifindex != nla_get_u32(only))
			break;
		if (!rio9_is_port(dev))
			continue;
		if (pos->of != pos->ifindex)
			pos->at = 0;
		pos->of = pos->ifindex;
		err = put(skb, cb, dev, &pos->at);
		if (err)
			break;
	}
out:
	rcu_read_unlock();
	return err;
}
