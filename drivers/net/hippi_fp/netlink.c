// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: finding ports, and messages about them; under RCU, so that ports stay.
 */
#include <linux/netdevice.h>
#include <linux/st_compat.h>

#include "netlink.h"
#include "port.h"

#include <uapi/linux/hippi_netlink.h>

/**
 * struct hfp_nl_pos - position of a dump, in netlink_callback.ctx
 * @ifindex: of the device at which it goes on
 */
struct hfp_nl_pos {
	unsigned long ifindex;
};

static struct hfp_port *hfp_nl_port_at(struct net *net, const struct nlattr *ifindex,
				       struct netlink_ext_ack *extack)
{
	struct net_device *dev = dev_get_by_index_rcu(net, nla_get_u32(ifindex));

	if (!dev) {
		NL_SET_ERR_MSG_ATTR(extack, ifindex,
				    "no device of the network namespace has this index");
		return ERR_PTR(-ENODEV);
	}
	if (!hfp_is_port(dev)) {
		NL_SET_ERR_MSG_ATTR_FMT(extack, ifindex, "found %s, expected a port of HIPPI-FP",
					dev->name);
		return ERR_PTR(-EOPNOTSUPP);
	}
	return netdev_priv(dev);
}

/* The port that a request is about */
static struct hfp_port *hfp_nl_port(struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, HIPPI_A_PORT_IFINDEX))
		return ERR_PTR(-EINVAL);
	return hfp_nl_port_at(genl_info_net(info), info->attrs[HIPPI_A_PORT_IFINDEX],
			      info->extack);
}

/**
 * hfp_nl_answer - answer a request about one port
 * @info: the request
 * @put: writes the attributes of the answer; under RCU
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int hfp_nl_answer(struct genl_info *info,
		  int (*put)(struct sk_buff *skb, struct hfp_port *port))
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	struct hfp_port *port;
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
	port = hfp_nl_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : put(skb, port);
	rcu_read_unlock();
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/* A message of a dump, if there is room */
static int hfp_nl_next(struct sk_buff *skb, struct netlink_callback *cb, struct hfp_port *port,
		       int (*put)(struct sk_buff *skb, struct hfp_port *port))
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				genl_info_dump(cb)->family, NLM_F_MULTI,
				genl_info_dump(cb)->genlhdr->cmd);

	if (!hdr)
		return -EMSGSIZE;
	if (put(skb, port)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * hfp_nl_walk - dump the port of a request, or all of its namespace
 * @skb: the messages
 * @cb: state of the dump
 * @put: writes the attributes of a port; under RCU
 *
 * A dump goes on with the device at which a message was full, or the next if that has gone.
 *
 * Context: process.
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int hfp_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		int (*put)(struct sk_buff *skb, struct hfp_port *port))
{
	const struct genl_info *info = genl_info_dump(cb);
	const struct nlattr *only = info->attrs[HIPPI_A_PORT_IFINDEX];
	struct hfp_nl_pos *pos = (struct hfp_nl_pos *)cb->ctx;
	struct net_device *dev;
	int err = 0;

	NL_ASSERT_CTX_FITS(struct hfp_nl_pos);
	rcu_read_lock();
	if (only && !pos->ifindex) {
		err = PTR_ERR_OR_ZERO(hfp_nl_port_at(genl_info_net(info), only, cb->extack));
		if (err)
			goto out;
		pos->ifindex = nla_get_u32(only);
	}
	for_each_netdev_dump(genl_info_net(info), dev, pos->ifindex) {
		if (only && pos->ifindex != nla_get_u32(only))
			break;
		if (!hfp_is_port(dev))
			continue;
		err = hfp_nl_next(skb, cb, netdev_priv(dev), put);
		if (err)
			break;
	}
out:
	rcu_read_unlock();
	return err;
}
