// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: other ports on the network, as neighbours, and as remote ports to log in with;
 * and switches.
 */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>

#include "fabric.h"
#include "genl.h"
#include "neigh.h"
#include "netlink.h"
#include "netlink_remote.h"
#include "port.h"
#include "remote.h"
#include "rport.h"

/* Values go out as the module has them */
static_assert((int)FC2_LOGIN_STATE_OUT == (int)FC2_REMOTE_OUT &&
	      (int)FC2_LOGIN_STATE_FLOGI == (int)FC2_REMOTE_FLOGI &&
	      (int)FC2_LOGIN_STATE_WAIT == (int)FC2_REMOTE_WAIT &&
	      (int)FC2_LOGIN_STATE_PLOGI == (int)FC2_REMOTE_PLOGI &&
	      (int)FC2_LOGIN_STATE_UP == (int)FC2_REMOTE_UP &&
	      (int)FC2_LOGIN_STATE_RETRY == (int)FC2_REMOTE_RETRY);

static int fc2_nl_put_names(struct sk_buff *skb, const struct fc2_port *port, u32 id, u64 wwpn,
			    u64 wwnn, const u8 *mac)
{
	return nla_put_u32(skb, FC2_A_REMOTE_IFINDEX, fc2_port_dev(port)->ifindex) ||
	       nla_put_uint(skb, FC2_A_REMOTE_WWPN, port->params.wwpn) ||
	       nla_put_u32(skb, FC2_A_REMOTE_ID, id) ||
	       nla_put_uint(skb, FC2_A_REMOTE_REMOTE_WWPN, wwpn) ||
	       nla_put_uint(skb, FC2_A_REMOTE_REMOTE_WWNN, wwnn) ||
	       nla_put(skb, FC2_A_REMOTE_MAC, ETH_ALEN, mac) ? -EMSGSIZE : 0;
}

/**
 * fc2_nl_put_neighbour - add the attributes of a neighbour
 * @skb: the message
 * @port: the port that knows it, its lock held
 * @neighbour: the neighbour
 *
 * Return: 0 or -EMSGSIZE.
 */
int fc2_nl_put_neighbour(struct sk_buff *skb, const struct fc2_port *port,
			 const struct fc2_neighbour *neighbour)
{
	unsigned int age = jiffies_to_msecs(jiffies - neighbour->heard);

	lockdep_assert_held(&port->lock);
	return fc2_nl_put_names(skb, port, neighbour->id, neighbour->wwpn, neighbour->wwnn,
				neighbour->vn_mac) ||
	       nla_put(skb, FC2_A_REMOTE_ENODE_MAC, ETH_ALEN, neighbour->enode_mac) ||
	       nla_put_u32(skb, FC2_A_REMOTE_FCOE_SIZE, neighbour->size) ||
	       nla_put_u32(skb, FC2_A_REMOTE_AGE, age) ? -EMSGSIZE : 0;
}

/* What is told of a login at both ends of it */
static int fc2_nl_put_login(struct sk_buff *skb, const struct fc2_rport *rport)
{
	return nla_put_u32(skb, FC2_A_REMOTE_MFS, rport->mfs) ||
	       (rport->seq_cnt && nla_put_flag(skb, FC2_A_REMOTE_SEQ_CNT)) ||
	       (rport->rel_off && nla_put_flag(skb, FC2_A_REMOTE_REL_OFF)) ? -EMSGSIZE : 0;
}

/**
 * fc2_nl_put_rport - add the attributes of a remote port that has logged in or out
 * @skb: the message
 * @rport: the remote port
 *
 * Return: 0 or -EMSGSIZE.
 */
int fc2_nl_put_rport(struct sk_buff *skb, const struct fc2_rport *rport)
{
	return fc2_nl_put_names(skb, rport->port, rport->id, rport->wwpn, rport->wwnn,
				rport->mac) ?: fc2_nl_put_login(skb, rport);
}

static int fc2_nl_put_remote(struct sk_buff *skb, const struct fc2_port *port,
			     const struct fc2_remote *remote)
{
	if (fc2_nl_put_names(skb, port, remote->id, remote->wwpn, remote->wwnn, remote->mac) ||
	    nla_put_u32(skb, FC2_A_REMOTE_LOGIN, remote->state))
		return -EMSGSIZE;
	return remote->state == FC2_REMOTE_UP ? fc2_nl_put_login(skb, remote->rport) : 0;
}

static int fc2_nl_neighbours(struct sk_buff *skb, struct netlink_callback *cb,
			     struct fc2_port *port, unsigned long *at)
{
	struct fc2_neighbour *neighbour;
	int err = 0;
	void *hdr;

	mutex_lock(&port->lock);
	xa_for_each_start(&port->neighbours, *at, neighbour, *at) {
		hdr = fc2_nl_begin(skb, cb);
		err = fc2_nl_end(skb, hdr, !hdr || fc2_nl_put_neighbour(skb, port, neighbour));
		if (err)
			break;
	}
	mutex_unlock(&port->lock);
	return err;
}

/**
 * fc2_nl_neighbour_get_dumpit - FC2_CMD_NEIGHBOUR_GET of the neighbours of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_neighbour_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_neighbours);
}

static int fc2_nl_remotes(struct sk_buff *skb, struct netlink_callback *cb,
			  struct fc2_port *port, unsigned long *at)
{
	struct fc2_remote *remote;
	int err = 0;
	void *hdr;

	mutex_lock(&port->lock);
	xa_for_each_start(&port->remotes, *at, remote, *at) {
		if (remote->id == port->id)
			continue;
		hdr = fc2_nl_begin(skb, cb);
		err = fc2_nl_end(skb, hdr, !hdr || fc2_nl_put_remote(skb, port, remote));
		if (err)
			break;
	}
	mutex_unlock(&port->lock);
	return err;
}

/**
 * fc2_nl_remote_get_dumpit - FC2_CMD_REMOTE_GET of the remote ports of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_remote_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_remotes);
}

static int fc2_nl_put_fcf(struct sk_buff *skb, const struct fc2_port *port,
			  const struct fc2_fcf *fcf)
{
	return nla_put_u32(skb, FC2_A_FCF_IFINDEX, fc2_port_dev(port)->ifindex) ||
	       nla_put_uint(skb, FC2_A_FCF_WWPN, port->params.wwpn) ||
	       nla_put(skb, FC2_A_FCF_MAC, ETH_ALEN, fcf->mac) ||
	       nla_put_uint(skb, FC2_A_FCF_SWITCH_NAME, fcf->name) ||
	       nla_put_uint(skb, FC2_A_FCF_FABRIC_NAME, fcf->fabric) ||
	       nla_put_u32(skb, FC2_A_FCF_VFID, fcf->vfid) ||
	       nla_put_u32(skb, FC2_A_FCF_PRIORITY, fcf->priority) ||
	       nla_put_u32(skb, FC2_A_FCF_INTERVAL, fcf->fka_ms) ||
	       (fcf->usable && nla_put_flag(skb, FC2_A_FCF_USABLE)) ||
	       (fcf->refused && nla_put_flag(skb, FC2_A_FCF_REFUSED)) ||
	       (fcf == port->fabric->fcf && nla_put_flag(skb, FC2_A_FCF_CHOSEN)) ? -EMSGSIZE : 0;
}

static int fc2_nl_fcfs(struct sk_buff *skb, struct netlink_callback *cb, struct fc2_port *port,
		       unsigned long *at)
{
	const struct fc2_fcf *fcf;
	int err = 0;
	void *hdr;

	mutex_lock(&port->lock);
	for (; port->fabric && *at < FC2_FCFS_MAX; (*at)++) {
		fcf = &port->fabric->fcfs[*at];
		if (is_zero_ether_addr(fcf->mac))
			continue;
		hdr = fc2_nl_begin(skb, cb);
		err = fc2_nl_end(skb, hdr, !hdr || fc2_nl_put_fcf(skb, port, fcf));
		if (err)
			break;
	}
	mutex_unlock(&port->lock);
	return err;
}

/**
 * fc2_nl_fcf_get_dumpit - FC2_CMD_FCF_GET of the switches that a port knows, or all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_fcf_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_fcfs);
}

static int fc2_nl_log(struct genl_info *info, struct fc2_port *port,
		      int (*log)(struct fc2_port *port, u32 id))
{
	if (GENL_REQ_ATTR_CHECK(info, FC2_A_REMOTE_ID))
		return -EINVAL;
	return fc2_nl_remote_error(info, log(port, nla_get_u32(info->attrs[FC2_A_REMOTE_ID])));
}

static int fc2_nl_log_in(struct genl_info *info, struct fc2_port *port)
{
	return fc2_nl_log(info, port, fc2_rport_login);
}

static int fc2_nl_log_out(struct genl_info *info, struct fc2_port *port)
{
	return fc2_nl_log(info, port, fc2_rport_logout);
}

/**
 * fc2_nl_login_doit - FC2_CMD_LOGIN
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_login_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_change(skb, info, fc2_nl_log_in);
}

/**
 * fc2_nl_logout_doit - FC2_CMD_LOGOUT
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_logout_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_change(skb, info, fc2_nl_log_out);
}
