// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: IP addresses, and the ports that have them.
 */
#include <linux/fc2.h>
#include <linux/netdevice.h>

#include "farp.h"
#include "genl.h"
#include "netlink.h"
#include "port.h"

static int fc2_nl_put_farp(struct sk_buff *skb, const struct fc2_port *port,
			   const struct in6_addr *ip, u32 id)
{
	return nla_put_u32(skb, FC2_A_FARP_IFINDEX, fc2_port_dev(port)->ifindex) ||
	       nla_put_uint(skb, FC2_A_FARP_WWPN, port->params.wwpn) ||
	       nla_put_in6_addr(skb, FC2_A_FARP_IP, ip) ||
	       (id && nla_put_u32(skb, FC2_A_FARP_ID, id)) ? -EMSGSIZE : 0;
}

static int fc2_nl_farp(struct sk_buff *skb, struct netlink_callback *cb, struct fc2_port *port,
		       unsigned long *at)
{
	struct fc2_farp_info info;
	void *hdr;
	int err;

	for (; fc2_farp_get(port, *at, &info); (*at)++) {
		hdr = fc2_nl_begin(skb, cb);
		err = !hdr || fc2_nl_put_farp(skb, port, &info.ip, info.id) ||
		      (info.id && nla_put_uint(skb, FC2_A_FARP_REMOTE_WWPN, info.wwpn));
		err = fc2_nl_end(skb, hdr, err);
		if (err)
			return err;
	}
	return 0;
}

/**
 * fc2_nl_farp_get_dumpit - FC2_CMD_FARP_GET of the cache of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_farp_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_farp);
}

/* Why an address has no port */
static int fc2_nl_resolve_error(struct genl_info *info, int err)
{
	switch (err) {
	case -EAGAIN:
		NL_SET_ERR_MSG(info->extack, "the port asks for the address");
		break;
	case -EHOSTUNREACH:
		NL_SET_ERR_MSG(info->extack, "no port has answered");
		break;
	case -EADDRNOTAVAIL:
		NL_SET_ERR_MSG(info->extack,
			       "the device of the port has no address of that kind to ask from");
		break;
	case -EINVAL:
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[FC2_A_FARP_IP],
				    "no port can have this address");
		break;
	case -ENETDOWN:
		NL_SET_ERR_MSG(info->extack, "the port has no N_Port ID: it must be up first");
		break;
	case -ENOBUFS:
		NL_SET_ERR_MSG(info->extack, "the port asks for too many addresses");
		break;
	}
	return err;
}

static int fc2_nl_resolve(struct sk_buff *skb, struct genl_info *info, struct fc2_port *port)
{
	struct in6_addr ip = nla_get_in6_addr(info->attrs[FC2_A_FARP_IP]);
	u32 id;
	int err = fc2_farp_resolve(port, &ip, &id);

	return err ? fc2_nl_resolve_error(info, err) : fc2_nl_put_farp(skb, port, &ip, id);
}

/**
 * fc2_nl_resolve_doit - FC2_CMD_RESOLVE
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_resolve_doit(struct sk_buff *skb, struct genl_info *info)
{
	if (!fc2_nl_admin(skb, info))
		return -EPERM;
	if (GENL_REQ_ATTR_CHECK(info, FC2_A_FARP_IP))
		return -EINVAL;
	return fc2_nl_answer(info, fc2_nl_resolve);
}
