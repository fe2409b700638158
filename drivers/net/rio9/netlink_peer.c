// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: peers of a port, and the segmentation contexts that they have open.
 */
#include <linux/jiffies.h>
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "port.h"

/* Contexts that are looked at while the lock is held once */
#define RIO9_NL_BATCH	64

static int rio9_nl_put_peer(struct sk_buff *skb, const struct net_device *dev, u16 id, u32 open,
			    u32 share)
{
	return nla_put_u32(skb, RIO9_A_PEER_IFINDEX, dev->ifindex) ||
	       nla_put_u32(skb, RIO9_A_PEER_ID, id) ||
	       nla_put_u32(skb, RIO9_A_PEER_OPEN, open) ||
	       nla_put_u32(skb, RIO9_A_PEER_SHARE, share) ? -EMSGSIZE : 0;
}

/* The first peer from an ID on */
static bool rio9_nl_find_peer(struct rio9_port *port, u64 *id, u32 *open, u32 *share)
{
	struct rio9_reassembly *r = &port->reassembly;
	struct rio9_source *source;
	unsigned long from = *id;

	spin_lock_bh(&r->lock);
	source = xa_find(&r->sources, &from, U16_MAX, XA_PRESENT);
	if (source) {
		*id = from;
		*open = source->open;
		*share = r->share;
	}
	spin_unlock_bh(&r->lock);
	return source;
}

static int rio9_nl_no_peer(struct genl_info *info)
{
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[RIO9_A_PEER_ID],
				"the port knows no peer %u",
				nla_get_u32(info->attrs[RIO9_A_PEER_ID]));
	return -ENOENT;
}

static int rio9_nl_peer_one(struct sk_buff *skb, struct genl_info *info, struct net_device *dev)
{
	u64 id;
	u32 wanted, open, share;

	if (GENL_REQ_ATTR_CHECK(info, RIO9_A_PEER_ID))
		return -EINVAL;
	wanted = nla_get_u32(info->attrs[RIO9_A_PEER_ID]);
	id = wanted;
	if (!rio9_nl_find_peer(rio9_netdev_port(dev), &id, &open, &share) || id != wanted)
		return rio9_nl_no_peer(info);
	return rio9_nl_put_peer(skb, dev, id, open, share);
}

/**
 * rio9_nl_peer_get_doit - RIO9_CMD_PEER_GET of one peer
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_peer_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_answer(info, rio9_nl_peer_one);
}

static int rio9_nl_peers(struct sk_buff *skb, struct netlink_callback *cb, struct net_device *dev,
			 u64 *at)
{
	u32 open, share;
	void *hdr;
	int err;

	for (; rio9_nl_find_peer(rio9_netdev_port(dev), at, &open, &share); (*at)++) {
		hdr = rio9_nl_begin(skb, cb);
		err = rio9_nl_end(skb, hdr,
				  !hdr || rio9_nl_put_peer(skb, dev, *at, open, share));
		if (err)
			return err;
	}
	return 0;
}

/**
 * rio9_nl_peer_get_dumpit - RIO9_CMD_PEER_GET of the peers of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int rio9_nl_peer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rio9_nl_walk(skb, cb, rio9_nl_peers);
}

/* Return: the ID of a peer that a request changes, or a negative errno */
static int rio9_nl_peer_id(struct genl_info *info, const struct rio9_port *port)
{
	u16 unknown = rio9_id_unknown(port);
	u32 id;

	if (GENL_REQ_ATTR_CHECK(info, RIO9_A_PEER_ID))
		return -EINVAL;
	id = nla_get_u32(info->attrs[RIO9_A_PEER_ID]);
	if (id < unknown)
		return id;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[RIO9_A_PEER_ID],
				"id: found %u, expected 0 to %u", id, unknown - 1);
	return -EINVAL;
}

static int rio9_nl_add_peer(struct genl_info *info, struct net_device *dev)
{
	struct rio9_port *port = rio9_netdev_port(dev);
	int id = rio9_nl_peer_id(info, port), err;

	if (id < 0)
		return id;
	err = rio9_port_add_peer(port, id);
	if (err == -EEXIST)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[RIO9_A_PEER_ID],
					"the port knows the peer %d", id);
	return err;
}

/**
 * rio9_nl_peer_add_doit - RIO9_CMD_PEER_ADD
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_peer_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_change(skb, info, rio9_nl_add_peer);
}

static int rio9_nl_del_peer(struct genl_info *info, struct net_device *dev)
{
	struct rio9_port *port = rio9_netdev_port(dev);
	int id = rio9_nl_peer_id(info, port);

	if (id < 0)
		return id;
	if (!xa_load(&port->reassembly.sources, id))
		return rio9_nl_no_peer(info);
	rio9_port_del_peer(port, id);
	return 0;
}

/**
 * rio9_nl_peer_del_doit - RIO9_CMD_PEER_DEL
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int rio9_nl_peer_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rio9_nl_change(skb, info, rio9_nl_del_peer);
}

static int rio9_nl_put_pdu(struct sk_buff *skb, struct sk_buff *pdu)
{
	if (!pdu)
		return nla_put_flag(skb, RIO9_A_CONTEXT_DISCARDED);
	return nla_put_u32(skb, RIO9_A_CONTEXT_STREAM, rio9_skb_pdu(pdu)->stream) ?:
	       nla_put_u32(skb, RIO9_A_CONTEXT_BYTES, pdu->len);
}

static int rio9_nl_put_context(struct sk_buff *skb, struct netlink_callback *cb,
			       const struct net_device *dev, const struct rio9_context *ctx)
{
	void *hdr = rio9_nl_begin(skb, cb);

	return rio9_nl_end(skb, hdr,
			   !hdr || nla_put_u32(skb, RIO9_A_CONTEXT_IFINDEX, dev->ifindex) ||
			   nla_put_u32(skb, RIO9_A_CONTEXT_SOURCE, ctx->source->id) ||
			   nla_put_u32(skb, RIO9_A_CONTEXT_DESTINATION, ctx->dst) ||
			   nla_put_u32(skb, RIO9_A_CONTEXT_CHANNEL, ctx->channel) ||
			   nla_put_u32(skb, RIO9_A_CONTEXT_COS, ctx->cos) ||
			   rio9_nl_put_pdu(skb, ctx->skb) ||
			   nla_put_u32(skb, RIO9_A_CONTEXT_IDLE,
				       jiffies_to_msecs(jiffies - ctx->touched)));
}

/* The open ones of the next few contexts */
static int rio9_nl_contexts_batch(struct sk_buff *skb, struct netlink_callback *cb,
				  struct net_device *dev, u64 *at)
{
	struct rio9_reassembly *r = &rio9_netdev_port(dev)->reassembly;
	u64 end = min_t(u64, *at + RIO9_NL_BATCH, r->contexts);
	int err = 0;

	spin_lock_bh(&r->lock);
	for (; *at < end; (*at)++) {
		if (r->table[*at].source)
			err = rio9_nl_put_context(skb, cb, dev, &r->table[*at]);
		if (err)
			break;
	}
	spin_unlock_bh(&r->lock);
	return err;
}

static int rio9_nl_contexts(struct sk_buff *skb, struct netlink_callback *cb,
			    struct net_device *dev, u64 *at)
{
	const struct rio9_reassembly *r = &rio9_netdev_port(dev)->reassembly;
	int err = 0;

	while (!err && *at < r->contexts)
		err = rio9_nl_contexts_batch(skb, cb, dev, at);
	return err;
}

/**
 * rio9_nl_context_get_dumpit - RIO9_CMD_CONTEXT_GET of the contexts of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int rio9_nl_context_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rio9_nl_walk(skb, cb, rio9_nl_contexts);
}
