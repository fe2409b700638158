// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: endpoints, and counters; under RTNL, so that ports stay.
 */
#include <kunit/visibility.h>
#include <linux/fc2.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>

#include "fc_port.h"
#include "genl.h"
#include "netlink.h"

/* Values go out as the module has them */
static_assert((int)FCVI_VI_STATE_IDLE == (int)FCVI_IDLE &&
	      (int)FCVI_VI_STATE_PENDING == (int)FCVI_PENDING &&
	      (int)FCVI_VI_STATE_PENDING_RETRY == (int)FCVI_PENDING_RETRY &&
	      (int)FCVI_VI_STATE_CONNECTED == (int)FCVI_CONNECTED &&
	      (int)FCVI_VI_STATE_ERROR == (int)FCVI_ERROR);
static_assert((int)FCVI_VI_ROLE_CLIENT == (int)FCVI_CLIENT &&
	      (int)FCVI_VI_ROLE_SERVER == (int)FCVI_SERVER &&
	      (int)FCVI_VI_ROLE_PEER == (int)FCVI_PEER);
static_assert((int)FCVI_VI_LEVEL_UNRELIABLE_DELIVERY == (int)FCVI_UD &&
	      (int)FCVI_VI_LEVEL_RELIABLE_DELIVERY == (int)FCVI_RD &&
	      (int)FCVI_VI_LEVEL_RELIABLE_RECEPTION == (int)FCVI_RR);

/* Both sets name the port in the same way */
static_assert(FCVI_A_VI_IFINDEX - FCVI_A_PORT_IFINDEX == 0 &&
	      FCVI_A_VI_WWPN - FCVI_A_PORT_WWPN == 0);

static const char *const fcvi_nl_setup_names[] = {
	[FCVI_STAT_STRAY] = "setup_stray",
	[FCVI_STAT_BAD_ID] = "setup_bad_id",
	[FCVI_STAT_FULL] = "setup_full",
	[FCVI_STAT_MALFORMED] = "setup_malformed",
	[FCVI_STAT_LATE] = "setup_late",
	[FCVI_STAT_ABORTED] = "setup_aborted",
};

static_assert(ARRAY_SIZE(fcvi_nl_setup_names) == FCVI_STATS);

static const char *const fcvi_nl_drop_names[] = {
	[FCVI_SHORT] = "drop_short",
	[FCVI_BAD_OPCODE] = "drop_opcode",
	[FCVI_BAD_R_CTL] = "drop_r_ctl",
	[FCVI_BAD_DF_CTL] = "drop_df_ctl",
	[FCVI_BAD_CONTEXT] = "drop_context",
	[FCVI_BAD_END] = "drop_end",
	[FCVI_BAD_PAYLOAD] = "drop_payload",
};

static_assert(ARRAY_SIZE(fcvi_nl_drop_names) == FCVI_VERDICTS);

static const char *const fcvi_nl_msg_names[] = {
	[FCVI_MSG_TX] = "tx_messages",
	[FCVI_MSG_TX_BYTES] = "tx_bytes",
	[FCVI_MSG_RX] = "rx_messages",
	[FCVI_MSG_RX_BYTES] = "rx_bytes",
	[FCVI_MSG_BAD_HANDLE] = "rx_bad_handle",
	[FCVI_MSG_NOT_CONNECTED] = "rx_not_connected",
	[FCVI_MSG_OLD] = "rx_old",
	[FCVI_MSG_LOST] = "rx_lost",
	[FCVI_MSG_BROKEN] = "rx_broken",
	[FCVI_MSG_NO_DESC] = "rx_no_descriptor",
	[FCVI_MSG_TOO_LONG] = "rx_too_long",
	[FCVI_MSG_PROTECTION] = "rx_protection",
	[FCVI_MSG_NOT_ALLOWED] = "rx_not_allowed",
	[FCVI_MSG_NO_MEMORY] = "no_memory",
	[FCVI_MSG_TIMEOUT] = "tx_timeout",
};

static_assert(ARRAY_SIZE(fcvi_nl_msg_names) == FCVI_MSG_STATS);

/**
 * struct fcvi_nl_pos - position of a dump, in netlink_callback.ctx
 * @port: which of the ports that are asked for, from 0, is next
 * @at: what of that port is next
 */
struct fcvi_nl_pos {
	unsigned long port;
	unsigned long at;
};

/**
 * struct fcvi_nl_walk - a walk over ports
 * @skb: the messages
 * @cb: state of the dump
 * @ports: ports that it has met
 * @put: dumps what is on a port, from @at on, which is 0 at first
 */
struct fcvi_nl_walk {
	struct sk_buff *skb;
	struct netlink_callback *cb;
	unsigned long ports;
	int (*put)(struct sk_buff *skb, struct netlink_callback *cb, struct fcvi_port *port,
		   unsigned long *at);
};

static int fcvi_nl_put_counter(struct sk_buff *skb, int attr, const char *name, u64 value)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || nla_put_string(skb, FCVI_A_COUNTER_NAME, name) ||
	    nla_put_uint(skb, FCVI_A_COUNTER_VALUE, value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fcvi_nl_put_msg_stats(struct sk_buff *skb, int attr, const u64 *stats)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < FCVI_MSG_STATS; i++)
		err = fcvi_nl_put_counter(skb, attr, fcvi_nl_msg_names[i], stats[i]);
	return err;
}

static int fcvi_nl_put_address(struct sk_buff *skb, int host, int discriminator,
			       const struct fcvi_addr *addr)
{
	return nla_put_in6_addr(skb, host, &addr->host) ?:
	       nla_put(skb, discriminator, addr->len, addr->discrim);
}

/* What a setup or a connection has */
static int fcvi_nl_put_connection(struct sk_buff *skb, const struct fcvi_vi *vi)
{
	if (nla_put_u32(skb, FCVI_A_VI_ROLE, vi->role) ||
	    (vi->handle && nla_put_u32(skb, FCVI_A_VI_HANDLE, vi->handle->value)) ||
	    (vi->rmt_handle != FCVI_HANDLE_NONE &&
	     nla_put_u32(skb, FCVI_A_VI_REMOTE_HANDLE, vi->rmt_handle)))
		return -EMSGSIZE;
	if (!vi->rport)
		return 0;
	return nla_put_u32(skb, FCVI_A_VI_REMOTE_ID, vi->rport->id) ?:
	       nla_put_uint(skb, FCVI_A_VI_REMOTE_WWPN, vi->rport->wwpn);
}

/**
 * fcvi_nl_put_vi - add the attributes of an endpoint, but those that name its port
 * @skb: the message
 * @vi: the endpoint
 *
 * Context: under the lock of the port.
 * Return: 0 or -EMSGSIZE.
 */
int fcvi_nl_put_vi(struct sk_buff *skb, const struct fcvi_vi *vi)
{
	const struct fcvi_attrs *attrs = &vi->attrs;

	lockdep_assert_held(&vi->port->lock);
	if (nla_put_u32(skb, FCVI_A_VI_STATE, vi->state) ||
	    nla_put_u32(skb, FCVI_A_VI_LEVEL, attrs->level) ||
	    (vi->state != FCVI_IDLE && fcvi_nl_put_connection(skb, vi)))
		return -EMSGSIZE;
	if (vi->loc.len &&
	    (fcvi_nl_put_address(skb, FCVI_A_VI_LOCAL_HOST, FCVI_A_VI_LOCAL_DISCRIMINATOR,
				 &vi->loc) ||
	     fcvi_nl_put_address(skb, FCVI_A_VI_REMOTE_HOST, FCVI_A_VI_REMOTE_DISCRIMINATOR,
				 &vi->rem)))
		return -EMSGSIZE;
	if (nla_put_u32(skb, FCVI_A_VI_MAX_TRANS_SIZE, attrs->max_trans_size) ||
	    nla_put_u32(skb, FCVI_A_VI_PIPELINE_DEPTH, attrs->pipeline_depth) ||
	    nla_put_u32(skb, FCVI_A_VI_SENDS, vi->tx.nr) ||
	    nla_put_u32(skb, FCVI_A_VI_RECEIVES, vi->rx.nr_posted) ||
	    (attrs->rdma_write && nla_put_flag(skb, FCVI_A_VI_RDMA_WRITE)) ||
	    (attrs->rdma_read && nla_put_flag(skb, FCVI_A_VI_RDMA_READ)) ||
	    (attrs->pref && nla_put_flag(skb, FCVI_A_VI_PREF)))
		return -EMSGSIZE;
	return fcvi_nl_put_msg_stats(skb, FCVI_A_VI_COUNTER, vi->msg_stats);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_nl_put_vi);

static int fcvi_nl_put_port(struct sk_buff *skb, const struct fcvi_port *port)
{
	const struct net_device *dev = fc2_port_dev(fcvi_port_fc2(port));

	return nla_put_u32(skb, FCVI_A_PORT_IFINDEX, dev->ifindex) ?:
	       nla_put_uint(skb, FCVI_A_PORT_WWPN, port->wwpn);
}

static void *fcvi_nl_begin(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   genl_info_dump(cb)->family, NLM_F_MULTI,
			   genl_info_dump(cb)->genlhdr->cmd);
}

/* Ends a message, or cancels one that has no room */
static int fcvi_nl_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int fcvi_nl_vis(struct sk_buff *skb, struct netlink_callback *cb, struct fcvi_port *port,
		       unsigned long *at)
{
	struct fcvi_vi *vi;
	unsigned long i = 0;
	int err = 0;
	void *hdr;

	spin_lock_bh(&port->lock);
	list_for_each_entry(vi, &port->vis, list) {
		if (i++ < *at)
			continue;
		hdr = fcvi_nl_begin(skb, cb);
		err = fcvi_nl_end(skb, hdr, !hdr || fcvi_nl_put_port(skb, port) ||
				  fcvi_nl_put_vi(skb, vi));
		if (err)
			break;
		*at = i;
	}
	spin_unlock_bh(&port->lock);
	return err;
}

static int fcvi_nl_put_counters(struct sk_buff *skb, struct fcvi_port *port)
{
	const struct net_device *dev = fc2_port_dev(fcvi_port_fc2(port));
	int err = nla_put_string(skb, FCVI_A_PORT_IFNAME, dev->name);
	unsigned int i;

	for (i = 0; !err && i < FCVI_STATS; i++)
		err = fcvi_nl_put_counter(skb, FCVI_A_PORT_COUNTER, fcvi_nl_setup_names[i],
					  port->stats[i]);
	for (i = FCVI_GOOD + 1; !err && i < FCVI_VERDICTS; i++)
		err = fcvi_nl_put_counter(skb, FCVI_A_PORT_COUNTER, fcvi_nl_drop_names[i],
					  fcvi_fc_port(port)->drops[i]);
	return err ?: fcvi_nl_put_msg_stats(skb, FCVI_A_PORT_COUNTER, port->msg_stats);
}

static int fcvi_nl_counters(struct sk_buff *skb, struct netlink_callback *cb,
			    struct fcvi_port *port, unsigned long *at)
{
	void *hdr = fcvi_nl_begin(skb, cb);
	int err;

	spin_lock_bh(&port->lock);
	err = !hdr || fcvi_nl_put_port(skb, port) || fcvi_nl_put_counters(skb, port);
	spin_unlock_bh(&port->lock);
	return fcvi_nl_end(skb, hdr, err);
}

/* Whether a port is one that a dump is about */
static bool fcvi_nl_asked(struct netlink_callback *cb, const struct fcvi_port *port)
{
	struct nlattr **attrs = genl_info_dump(cb)->attrs;
	const struct nlattr *ifindex = attrs[FCVI_A_PORT_IFINDEX];
	const struct nlattr *wwpn = attrs[FCVI_A_PORT_WWPN];

	return (!ifindex || fc2_port_dev(fcvi_port_fc2(port))->ifindex == nla_get_u32(ifindex)) &&
	       (!wwpn || port->wwpn == nla_get_uint(wwpn));
}

static int fcvi_nl_next(struct fcvi_port *port, void *arg)
{
	struct fcvi_nl_walk *walk = arg;
	struct fcvi_nl_pos *pos = (struct fcvi_nl_pos *)walk->cb->ctx;
	int err;

	if (!fcvi_nl_asked(walk->cb, port) || walk->ports++ < pos->port)
		return 0;
	err = walk->put(walk->skb, walk->cb, port, &pos->at);
	if (err)
		return err;
	pos->port = walk->ports;
	pos->at = 0;
	return 0;
}

/* Why a dump about a device has found no port */
static int fcvi_nl_nothing(struct netlink_callback *cb, const struct nlattr *ifindex)
{
	struct net_device *dev = __dev_get_by_index(genl_info_net(genl_info_dump(cb)),
						    nla_get_u32(ifindex));

	if (!dev) {
		NL_SET_ERR_MSG_ATTR(cb->extack, ifindex,
				    "no device of the network namespace has this index");
		return -ENODEV;
	}
	NL_SET_ERR_MSG_FMT(cb->extack, "%s has no such port: fcport show lists them", dev->name);
	return -ENOENT;
}

static int fcvi_nl_dump(struct sk_buff *skb, struct netlink_callback *cb,
			int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
				   struct fcvi_port *port, unsigned long *at))
{
	const struct nlattr *ifindex = genl_info_dump(cb)->attrs[FCVI_A_PORT_IFINDEX];
	struct fcvi_nl_walk walk = { .skb = skb, .cb = cb, .put = put };
	int err;

	NL_ASSERT_CTX_FITS(struct fcvi_nl_pos);
	rtnl_lock();
	err = fcvi_fc_each(genl_info_net(genl_info_dump(cb)), fcvi_nl_next, &walk);
	if (!err && !walk.ports && ifindex)
		err = fcvi_nl_nothing(cb, ifindex);
	rtnl_unlock();
	return err;
}

/**
 * fcvi_nl_vi_get_dumpit - FCVI_CMD_VI_GET of the endpoints of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int fcvi_nl_vi_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fcvi_nl_dump(skb, cb, fcvi_nl_vis);
}

/**
 * fcvi_nl_counters_get_dumpit - FCVI_CMD_COUNTERS_GET of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, or an error: -EMSGSIZE when @skb is full.
 */
int fcvi_nl_counters_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fcvi_nl_dump(skb, cb, fcvi_nl_counters);
}
