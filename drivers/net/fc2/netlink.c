// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: finding ports, and messages about them; all under RTNL, so that ports stay.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>

#include "netlink.h"
#include "port.h"

#include <uapi/linux/fc2_netlink.h>

/* All sets name the port in the same way */
static_assert(FC2_A_REMOTE_IFINDEX - FC2_A_PORT_IFINDEX == 0 &&
	      FC2_A_REMOTE_WWPN - FC2_A_PORT_WWPN == 0 &&
	      FC2_A_ASK_IFINDEX - FC2_A_PORT_IFINDEX == 0 &&
	      FC2_A_ASK_WWPN - FC2_A_PORT_WWPN == 0 &&
	      FC2_A_FARP_IFINDEX - FC2_A_PORT_IFINDEX == 0 &&
	      FC2_A_FARP_WWPN - FC2_A_PORT_WWPN == 0 &&
	      FC2_A_FCF_IFINDEX - FC2_A_PORT_IFINDEX == 0 &&
	      FC2_A_FCF_WWPN - FC2_A_PORT_WWPN == 0);

/* And a remote port */
static_assert(FC2_A_ASK_ID - FC2_A_REMOTE_ID == 0);

/**
 * struct fc2_nl_pos - position of a dump, in netlink_callback.ctx
 * @ifindex: of the device at which it goes on
 * @of: of the device that the following belongs to
 * @port: which port of the device, from 0, is next
 * @at: what of that port is next
 */
struct fc2_nl_pos {
	unsigned long ifindex;
	unsigned long of;
	unsigned long port;
	unsigned long at;
};

/**
 * fc2_nl_admin - whether a request may change something
 * @request: the request
 * @info: its contents
 *
 * GENL_UNS_ADMIN_PERM in the table of commands would ask for the same, but give no reason.
 *
 * Context: process.
 * Return: true if so; otherwise the reason is in the extended ACK.
 */
bool fc2_nl_admin(const struct sk_buff *request, struct genl_info *info)
{
	if (netlink_net_capable(request, CAP_NET_ADMIN))
		return true;
	NL_SET_ERR_MSG(info->extack,
		       "CAP_NET_ADMIN is needed where the network namespace belongs");
	return false;
}

/**
 * fc2_nl_dev - the device that a request is about
 * @net: the network namespace
 * @ifindex: the attribute with its index
 * @extack: for the reason
 *
 * Context: process, under RTNL.
 * Return: the device, or an error pointer.
 */
struct net_device *fc2_nl_dev(struct net *net, const struct nlattr *ifindex,
			      struct netlink_ext_ack *extack)
{
	struct net_device *dev = __dev_get_by_index(net, nla_get_u32(ifindex));

	if (dev)
		return dev;
	NL_SET_ERR_MSG_ATTR(extack, ifindex, "no device of the network namespace has this index");
	return ERR_PTR(-ENODEV);
}

/* Whether a port is one that a request is about; @wwpn may be NULL */
static bool fc2_nl_named(const struct fc2_port *port, const struct nlattr *wwpn)
{
	return !wwpn || port->params.wwpn == nla_get_uint(wwpn);
}

/* What fc2 has on a device, if that is in order for @wwpn, which may be NULL */
static struct fc2_iface *fc2_nl_iface(const struct net_device *dev, const struct nlattr *wwpn,
				      struct netlink_ext_ack *extack)
{
	struct fc2_iface *iface = fc2_iface_find(dev);

	if (!iface) {
		NL_SET_ERR_MSG_FMT(extack, "%s has no port: make one first (fcport create)",
				   dev->name);
		return ERR_PTR(-ENOENT);
	}
	if (wwpn && !fc2_port_by_wwpn(iface, nla_get_uint(wwpn))) {
		NL_SET_ERR_MSG_ATTR_FMT(extack, wwpn, "%s has no port %016llx", dev->name,
					nla_get_uint(wwpn));
		return ERR_PTR(-ENOENT);
	}
	return iface;
}

/* The port that a request is about */
static struct fc2_port *fc2_nl_port(struct genl_info *info)
{
	const struct nlattr *wwpn = info->attrs[FC2_A_PORT_WWPN];
	struct fc2_iface *iface;
	struct net_device *dev;

	if (GENL_REQ_ATTR_CHECK(info, FC2_A_PORT_IFINDEX))
		return ERR_PTR(-EINVAL);
	dev = fc2_nl_dev(genl_info_net(info), info->attrs[FC2_A_PORT_IFINDEX], info->extack);
	if (IS_ERR(dev))
		return ERR_CAST(dev);
	iface = fc2_nl_iface(dev, wwpn, info->extack);
	if (IS_ERR(iface))
		return ERR_CAST(iface);
	if (wwpn)
		return fc2_port_by_wwpn(iface, nla_get_uint(wwpn));
	if (!list_is_singular(&iface->ports)) {
		NL_SET_ERR_MSG_FMT(info->extack, "%s has several ports: say which by its wwpn",
				   dev->name);
		return ERR_PTR(-EINVAL);
	}
	return list_first_entry(&iface->ports, struct fc2_port, list);
}

/**
 * fc2_nl_hold - the port that a request is about, for what takes long
 * @info: the request
 *
 * Context: process; takes RTNL.
 * Return: the port, with a reference, or an error pointer.
 */
struct fc2_port *fc2_nl_hold(struct genl_info *info)
{
	struct fc2_port *port;

	rtnl_lock();
	port = fc2_nl_port(info);
	if (!IS_ERR(port))
		fc2_port_hold(port);
	rtnl_unlock();
	return port;
}

/**
 * fc2_nl_remote_error - give the reason when there is no such remote port
 * @info: the request, which has its N_Port ID
 * @err: 0 or a negative errno: -ENODEV when there is none
 *
 * Return: the error for the request.
 */
int fc2_nl_remote_error(struct genl_info *info, int err)
{
	const struct nlattr *id = info->attrs[FC2_A_REMOTE_ID];

	if (err != -ENODEV)
		return err;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, id, "the port knows no remote port 0x%06x",
				nla_get_u32(id));
	return -ENXIO;
}

/**
 * fc2_nl_answer - answer a request about one port
 * @info: the request
 * @put: writes the attributes of the answer; under RTNL
 *
 * Context: process; takes RTNL.
 * Return: 0 or a negative errno.
 */
int fc2_nl_answer(struct genl_info *info, int (*put)(struct sk_buff *skb, struct genl_info *info,
						     struct fc2_port *port))
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	struct fc2_port *port;
	void *hdr;
	int err;

	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_iput(skb, info);
	if (!hdr) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	rtnl_lock();
	port = fc2_nl_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : put(skb, info, port);
	rtnl_unlock();
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/**
 * fc2_nl_change - change something of a port
 * @request: the request
 * @info: its contents
 * @change: does it; under RTNL
 *
 * Context: process; takes RTNL.
 * Return: 0 or a negative errno.
 */
int fc2_nl_change(struct sk_buff *request, struct genl_info *info,
		  int (*change)(struct genl_info *info, struct fc2_port *port))
{
	struct fc2_port *port;
	int err;

	if (!fc2_nl_admin(request, info))
		return -EPERM;
	rtnl_lock();
	port = fc2_nl_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : change(info, port);
	rtnl_unlock();
	return err;
}

/**
 * fc2_nl_begin - begin a message of a dump
 * @skb: the messages
 * @cb: state of the dump
 *
 * Context: any.
 * Return: the header, for fc2_nl_end(), or NULL without room.
 */
void *fc2_nl_begin(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   genl_info_dump(cb)->family, NLM_F_MULTI,
			   genl_info_dump(cb)->genlhdr->cmd);
}

/**
 * fc2_nl_end - end a message of a dump
 * @skb: the messages
 * @hdr: of fc2_nl_begin(), or NULL
 * @err: nonzero if an attribute did not fit, or if @hdr is NULL
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE when the message is cancelled.
 */
int fc2_nl_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* Dump what is on the ports of a device, from a position on */
static int fc2_nl_walk_iface(struct sk_buff *skb, struct netlink_callback *cb,
			     struct fc2_iface *iface,
			     int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
					struct fc2_port *port, unsigned long *at))
{
	const struct nlattr *wwpn = genl_info_dump(cb)->attrs[FC2_A_PORT_WWPN];
	struct fc2_nl_pos *pos = (struct fc2_nl_pos *)cb->ctx;
	struct fc2_port *port;
	unsigned long i = 0;
	int err;

	list_for_each_entry(port, &iface->ports, list) {
		if (i++ < pos->port)
			continue;
		if (fc2_nl_named(port, wwpn)) {
			err = put(skb, cb, port, &pos->at);
			if (err)
				return err;
		}
		pos->port = i;
		pos->at = 0;
	}
	return 0;
}

/* The device of a dump that is about one, if all is in order */
static int fc2_nl_only(struct netlink_callback *cb, const struct nlattr *ifindex)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct net_device *dev = fc2_nl_dev(genl_info_net(info), ifindex, cb->extack);

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	return PTR_ERR_OR_ZERO(fc2_nl_iface(dev, info->attrs[FC2_A_PORT_WWPN], cb->extack));
}

/**
 * fc2_nl_walk - dump all ports of a namespace, or what is on them
 * @skb: the messages
 * @cb: state of the dump
 * @put: dumps what is on a port, from @at on, which is 0 at first; under RTNL
 *
 * A dump goes on with the port at which a message was full, or the next if that has gone.
 *
 * Context: process; takes RTNL.
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int fc2_nl_walk(struct sk_buff *skb, struct netlink_callback *cb,
		int (*put)(struct sk_buff *skb, struct netlink_callback *cb, struct fc2_port *port,
			   unsigned long *at))
{
	const struct genl_info *info = genl_info_dump(cb);
	const struct nlattr *only = info->attrs[FC2_A_PORT_IFINDEX];
	struct fc2_nl_pos *pos = (struct fc2_nl_pos *)cb->ctx;
	struct fc2_iface *iface;
	struct net_device *dev;
	int err = 0;

	NL_ASSERT_CTX_FITS(struct fc2_nl_pos);
	rtnl_lock();
	if (only && !pos->ifindex) {
		err = fc2_nl_only(cb, only);
		if (err)
			goto out;
		pos->ifindex = nla_get_u32(only);
	}
	for_each_netdev_dump(genl_info_net(info), dev, pos->ifindex) {
		if (only && pos->ifindex != nla_get_u32(only))
			break;
		iface = fc2_iface_find(dev);
		if (!iface)
			continue;
		if (pos->of != pos->ifindex) {
			pos->of = pos->ifindex;
			pos->port = 0;
			pos->at = 0;
		}
		err = fc2_nl_walk_iface(skb, cb, iface, put);
		if (err)
			break;
	}
out:
	rtnl_unlock();
	return err;
}
