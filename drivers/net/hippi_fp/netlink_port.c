// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: ports, and their counters.
 */
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "netlink_port.h"
#include "port.h"
#include "stats.h"

#include <uapi/linux/hippi_netlink.h>

/* An index says nothing in another namespace */
static int hfp_nl_put_lower(struct sk_buff *skb, const struct hfp_port *port)
{
	const struct net_device *lower = port->lower;

	if (!net_eq(dev_net(lower), dev_net(port->dev)))
		return 0;
	return nla_put_u32(skb, HIPPI_A_PORT_LOWER_IFINDEX, lower->ifindex) ?:
	       nla_put_string(skb, HIPPI_A_PORT_LOWER_IFNAME, lower->name);
}

/**
 * hfp_nl_put_port - add the attributes of a port
 * @skb: the message
 * @port: the port
 *
 * Context: under RCU or RTNL.
 * Return: 0 or -EMSGSIZE.
 */
int hfp_nl_put_port(struct sk_buff *skb, struct hfp_port *port)
{
	const struct net_device *dev = port->dev;

	if (nla_put_u32(skb, HIPPI_A_PORT_IFINDEX, dev->ifindex) ||
	    nla_put_string(skb, HIPPI_A_PORT_IFNAME, dev->name) ||
	    hfp_nl_put_lower(skb, port) ||
	    nla_put_u32(skb, HIPPI_A_PORT_CARRIER, port->hippi6400 ? HIPPI_CARRIER_HIPPI6400 :
							   HIPPI_CARRIER_ETHERNET) ||
	    nla_put(skb, HIPPI_A_PORT_ADDRESS, dev->addr_len, dev->dev_addr) ||
	    nla_put_u32(skb, HIPPI_A_PORT_PACKET_MAX, hfp_packet_max(dev)) ||
	    nla_put_u32(skb, HIPPI_A_PORT_MTU, READ_ONCE(dev->mtu)) ||
	    (netif_running(dev) && netif_carrier_ok(dev) &&
	     nla_put_flag(skb, HIPPI_A_PORT_UP)))
		return -EMSGSIZE;
	return 0;
}

/**
 * hippi_nl_port_get_doit - HIPPI_CMD_PORT_GET of one port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int hippi_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return hfp_nl_answer(info, hfp_nl_put_port);
}

/**
 * hippi_nl_port_get_dumpit - HIPPI_CMD_PORT_GET of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int hippi_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hfp_nl_walk(skb, cb, hfp_nl_put_port);
}

static int hfp_nl_put_counter(struct sk_buff *skb, const char *name, u64 value)
{
	struct nlattr *nest = nla_nest_start(skb, HIPPI_A_PORT_COUNTER);

	if (!nest || nla_put_string(skb, HIPPI_A_COUNTER_NAME, name) ||
	    nla_put_uint(skb, HIPPI_A_COUNTER_VALUE, value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int hfp_nl_put_counters(struct sk_buff *skb, struct hfp_port *port)
{
	unsigned int i;
	int err;

	err = nla_put_u32(skb, HIPPI_A_PORT_IFINDEX, port->dev->ifindex) ?:
	      nla_put_string(skb, HIPPI_A_PORT_IFNAME, port->dev->name);
	for (i = 0; !err && i < HFP_STATS; i++)
		err = hfp_nl_put_counter(skb, hfp_stat_name(i), atomic64_read(&port->stats[i]));
	return err;
}

/**
 * hippi_nl_counters_get_doit - HIPPI_CMD_COUNTERS_GET of one port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int hippi_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return hfp_nl_answer(info, hfp_nl_put_counters);
}

/**
 * hippi_nl_counters_get_dumpit - HIPPI_CMD_COUNTERS_GET of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int hippi_nl_counters_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hfp_nl_walk(skb, cb, hfp_nl_put_counters);
}
