// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: ports.
 */
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "port.h"
#include "stats.h"

static int rio9_nl_put_counter(struct sk_buff *skb, const char *name, u64 value)
{
	struct nlattr *nest = nla_nest_start(skb, RIO9_A_PORT_COUNTER);

	if (!nest || nla_put_string(skb, RIO9_A_COUNTER_NAME, name) ||
	    nla_put_uint(skb, RIO9_A_COUNTER_VALUE, value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int rio9_nl_put_counters(struct sk_buff *skb, struct rio9_port *port)
{
	u64 stats[RIO9_STATS];
	unsigned int i;
	int err = 0;

	rio9_port_stats(port, stats);
	for (i = 0; !err && i < RIO9_STATS; i++)
		err = rio9_nl_put_counter(skb, rio9_stat_name(i), stats[i]);
	return err;
}

/* Values go out as the module has them */
static_assert(!((RIO9_TRAFFIC_TYPE_BASIC ^ BIT(RIO9_TM_OP_BASIC)) |
		(RIO9_TRAFFIC_TYPE_RATE ^ BIT(RIO9_TM_OP_RATE)) |
		(RIO9_TRAFFIC_TYPE_CREDIT ^ BIT(RIO9_TM_OP_CREDIT))));
static_assert((int)RIO9_TRAFFIC_MODE_CREDIT_RATE == (int)RIO9_TM_CREDIT_RATE &&
	      (int)RIO9_TRAFFIC_MODE_USER_8 == (int)RIO9_TM_HOOK);

static int rio9_nl_put_settings(struct sk_buff *skb, struct rio9_port *port)
{
	u8 map[RIO9_TM_FLOWS];
	unsigned int i;

	for (i = 0; i < RIO9_TM_FLOWS; i++)
		map[i] = READ_ONCE(port->tm.channels[i]);
	return nla_put(skb, RIO9_A_PORT_MAP, sizeof(map), map) ||
	       nla_put_u32(skb, RIO9_A_PORT_MTU, READ_ONCE(port->mtu)) ||
	       nla_put_u32(skb, RIO9_A_PORT_TM_TYPES, port->tm.types) ||
	       nla_put_u32(skb, RIO9_A_PORT_TM_MODE, READ_ONCE(port->regs.mode)) ||
	       nla_put_u8(skb, RIO9_A_PORT_OBEY_ANY, READ_ONCE(port->tm.obey_any)) ||
	       nla_put_u32(skb, RIO9_A_PORT_QUEUE_MAX, READ_ONCE(port->viq.queue_max)) ||
	       nla_put_u32(skb, RIO9_A_PORT_QUEUES_MAX, READ_ONCE(port->viq.max)) ?
	       -EMSGSIZE : 0;
}

static int rio9_nl_put_contexts(struct sk_buff *skb, struct rio9_port *port)
{
	struct rio9_reassembly *r = &port->reassembly;
	u32 open, share, peers;

	spin_lock_bh(&r->lock);
	open = r->open;
	share = r->share;
	peers = r->source_count;
	spin_unlock_bh(&r->lock);
	return nla_put_u32(skb, RIO9_A_PORT_CONTEXTS, port->caps.contexts) ||
	       nla_put_u32(skb, RIO9_A_PORT_OPEN, open) ||
	       nla_put_u32(skb, RIO9_A_PORT_SHARE, share) ||
	       nla_put_u32(skb, RIO9_A_PORT_PEERS, peers) ? -EMSGSIZE : 0;
}

static int rio9_nl_put_port(struct sk_buff *skb, const struct net_device *dev)
{
	struct rio9_port *port = rio9_netdev_port(dev);

	if (nla_put_u32(skb, RIO9_A_PORT_IFINDEX, dev->ifindex) ||
	    nla_put_string(skb, RIO9_A_PORT_IFNAME, dev->name) ||
	    (rio9_regs_has_id(port) &&
	     nla_put_u32(skb, RIO9_A_PORT_ID, READ_ONCE(port->id))) ||
	    nla_put_u32(skb, RIO9_A_PORT_ID_BITS, port->caps.large ? 16 : 8) ||
	    (READ_ONCE(port->regs.ok) && nla_put_flag(skb, RIO9_A_PORT_PORT_OK)) ||
	    (netif_carrier_ok(dev) && nla_put_flag(skb, RIO9_A_PORT_CARRIER)) ||
	    nla_put_u32(skb, RIO9_A_PORT_MAX_PDU, port->caps.max_pdu) ||
	    nla_put_u32(skb, RIO9_A_PORT_CHANNELS, port->caps.channels))
		return -EMSGSIZE;
	return rio9_nl_put_contexts(skb, port) ?: rio9_nl_put_settings(skb, port) ?:
	       rio9_nl_put_counters(skb, port);
}

static int rio9_nl_port_one(struct sk_buff *skb, struct genl_info *info, struct net_device *dev)
{
	return rio9_nl_put_port(skb, dev);
}

/**
 * rio9_nl_port_get_doit - RIO9_CMD_PORT_GET of one port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_answer(info, rio9_nl_port_one);
}

static int rio9_nl_port_next(struct sk_buff *skb, struct netlink_callback *cb,
			     struct net_device *dev, u64 *at)
{
	void *hdr = rio9_nl_begin(skb, cb);

	return rio9_nl_end(skb, hdr, !hdr || rio9_nl_put_port(skb, dev));
}

/**
 * rio9_nl_port_get_dumpit - RIO9_CMD_PORT_GET of all ports
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int rio9_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rio9_nl_walk(skb, cb, rio9_nl_port_next);
}

static int rio9_nl_check_mtu(struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[RIO9_A_PORT_MTU];
	u32 mtu;

	if (!attr)
		return 0;
	mtu = nla_get_u32(attr);
	if (rio9_mtu_valid(mtu))
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
				"mtu: found %u, expected 32 to 256 in steps of 4", mtu);
	return -EINVAL;
}

static int rio9_nl_check_map(struct genl_info *info, const struct rio9_port *port)
{
	const struct nlattr *attr = info->attrs[RIO9_A_PORT_MAP];
	const u8 *map;
	unsigned int i;

	if (!attr)
		return 0;
	map = nla_data(attr);
	for (i = 0; i < RIO9_TM_FLOWS; i++) {
		if (map[i] < RIO9_CHANNELS && port->caps.channels & BIT(map[i]))
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"map: found channel %u, expected those of %04x, a bit for each",
					map[i], port->caps.channels);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int rio9_nl_set_mode(struct genl_info *info, struct rio9_port *port)
{
	const struct nlattr *attr = info->attrs[RIO9_A_PORT_TM_MODE];
	int err;

	if (!attr)
		return 0;
	err = rio9_port_set_tm_mode(port, nla_get_u32(attr));
	if (err == -EINVAL)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"tm-mode: found %u, which is reserved, expected 0 to 4 or 8 to 15",
					nla_get_u32(attr));
	else if (err)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, attr,
					"tm-mode: found %u, which the port does not have",
					nla_get_u32(attr));
	return err;
}

static int rio9_nl_check_queues(struct genl_info *info, u32 queue, u32 queues)
{
	if (queue < RIO9_QUEUE_MIN) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[RIO9_A_PORT_QUEUE_MAX],
					"queue-max: found %u, expected %lu or more", queue,
					RIO9_QUEUE_MIN);
		return -EINVAL;
	}
	if (queues < queue) {
		NL_SET_ERR_MSG_FMT(info->extack,
				   "queues-max: found %u, expected queue-max or more, %u", queues,
				   queue);
		return -EINVAL;
	}
	return 0;
}

static u32 rio9_nl_u32(const struct nlattr *attr, u32 otherwise)
{
	return attr ? nla_get_u32(attr) : otherwise;
}

/* What can fail comes first, so that nothing is changed then */
static int rio9_nl_port_change(struct genl_info *info, struct net_device *dev)
{
	struct rio9_port *port = rio9_netdev_port(dev);
	struct nlattr **attrs = info->attrs;
	u32 queue, queues;
	int err;

	if (!attrs[RIO9_A_PORT_MTU] && !attrs[RIO9_A_PORT_TM_MODE] && !attrs[RIO9_A_PORT_MAP] &&
	    !attrs[RIO9_A_PORT_OBEY_ANY] && !attrs[RIO9_A_PORT_QUEUE_MAX] &&
	    !attrs[RIO9_A_PORT_QUEUES_MAX]) {
		NL_SET_ERR_MSG(info->extack,
			       "found no setting, expected mtu, tm-mode, map or another one");
		return -EINVAL;
	}
	queue = rio9_nl_u32(attrs[RIO9_A_PORT_QUEUE_MAX], port->viq.queue_max);
	queues = rio9_nl_u32(attrs[RIO9_A_PORT_QUEUES_MAX], port->viq.max);
	err = rio9_nl_check_mtu(info) ?: rio9_nl_check_map(info, port) ?:
	      rio9_nl_check_queues(info, queue, queues) ?: rio9_nl_set_mode(info, port);
	if (err)
		return err;
	if (attrs[RIO9_A_PORT_MTU])
		rio9_port_set_mtu(port, nla_get_u32(attrs[RIO9_A_PORT_MTU]));
	if (attrs[RIO9_A_PORT_MAP])
		rio9_port_set_channels(port, nla_data(attrs[RIO9_A_PORT_MAP]));
	if (attrs[RIO9_A_PORT_OBEY_ANY])
		WRITE_ONCE(port->tm.obey_any, nla_get_u8(attrs[RIO9_A_PORT_OBEY_ANY]));
	rio9_viq_set_max(port, queue, queues);
	return 0;
}

/**
 * rio9_nl_port_set_doit - RIO9_CMD_PORT_SET
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_change(skb, info, rio9_nl_port_change);
}
