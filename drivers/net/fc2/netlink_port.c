// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: ports, their settings and counters.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "config.h"
#include "genl.h"
#include "netlink.h"
#include "netlink_port.h"
#include "port.h"
#include "prov.h"

/* Network Address Authority, the first 4 bits of a name: FC-FS */
#define FC2_NAA_SHIFT		60
#define FC2_NAA_IEEE_48		1
#define FC2_NAA_IEEE_ZEROS	GENMASK_ULL(59, 48)

/* Values go out as the module has them */
static_assert((int)FC2_PORT_MODE_VN2VN == (int)FC2_MODE_VN2VN &&
	      (int)FC2_PORT_MODE_FABRIC == (int)FC2_MODE_FABRIC);
static_assert((int)FC2_PORT_STATE_DOWN == (int)FC2_STATE_DOWN &&
	      (int)FC2_PORT_STATE_START == (int)FC2_STATE_START &&
	      (int)FC2_PORT_STATE_PROBE1 == (int)FC2_STATE_PROBE1 &&
	      (int)FC2_PORT_STATE_PROBE2 == (int)FC2_STATE_PROBE2 &&
	      (int)FC2_PORT_STATE_CLAIM == (int)FC2_STATE_CLAIM &&
	      (int)FC2_PORT_STATE_UP == (int)FC2_STATE_UP &&
	      (int)FC2_PORT_STATE_SOLICIT == (int)FC2_STATE_SOLICIT &&
	      (int)FC2_PORT_STATE_FLOGI == (int)FC2_STATE_FLOGI);

/* How many others are; a port is logged in with itself, too */
static u32 fc2_nl_logged_in(const struct fc2_port *port)
{
	u32 own = fc2_port_id(port);
	struct fc2_rport *rport;
	unsigned long id;
	u32 n = 0;

	rcu_read_lock();
	xa_for_each((struct xarray *)&port->rports, id, rport)
		n += id != own && READ_ONCE(rport->logged_in);
	rcu_read_unlock();
	return n;
}

static int fc2_nl_put_names(struct sk_buff *skb, const struct fc2_port *port)
{
	const struct net_device *dev = fc2_port_dev(port);

	return nla_put_u32(skb, FC2_A_PORT_IFINDEX, dev->ifindex) ||
	       nla_put_uint(skb, FC2_A_PORT_WWPN, port->params.wwpn) ||
	       nla_put_string(skb, FC2_A_PORT_IFNAME, dev->name) ? -EMSGSIZE : 0;
}

/**
 * fc2_nl_put_port - add the attributes of a port
 * @skb: the message
 * @port: the port
 *
 * Context: process, with or without RTNL and the lock of the port.
 * Return: 0 or -EMSGSIZE.
 */
int fc2_nl_put_port(struct sk_buff *skb, const struct fc2_port *port)
{
	u32 id = fc2_port_id(port);

	if (fc2_nl_put_names(skb, port) ||
	    nla_put_uint(skb, FC2_A_PORT_WWNN, port->params.wwnn) ||
	    nla_put_u32(skb, FC2_A_PORT_MODE, port->params.mode) ||
	    nla_put_u32(skb, FC2_A_PORT_STATE, READ_ONCE(port->state)) ||
	    (id && (nla_put_u32(skb, FC2_A_PORT_ID, id) ||
		    nla_put(skb, FC2_A_PORT_MAC, ETH_ALEN, port->mac))) ||
	    nla_put_u32(skb, FC2_A_PORT_MFS, fc2_port_mfs(port)) ||
	    nla_put_u32(skb, FC2_A_PORT_R_A_TOV, fc2_port_r_a_tov(port)) ||
	    nla_put_u32(skb, FC2_A_PORT_E_D_TOV, READ_ONCE(port->params.e_d_tov)) ||
	    nla_put_u8(skb, FC2_A_PORT_ORDERED, fc2_port_ordered(port)) ||
	    nla_put_u32(skb, FC2_A_PORT_NEIGHBOURS, READ_ONCE(port->neighbour_count)) ||
	    nla_put_u32(skb, FC2_A_PORT_REMOTE_PORTS, fc2_nl_logged_in(port)))
		return -EMSGSIZE;
	return 0;
}

static int fc2_nl_port_one(struct sk_buff *skb, struct genl_info *info, struct fc2_port *port)
{
	return fc2_nl_put_port(skb, port);
}

/**
 * fc2_nl_port_get_doit - FC2_CMD_PORT_GET of one port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_answer(info, fc2_nl_port_one);
}

static int fc2_nl_port_next(struct sk_buff *skb, struct netlink_callback *cb,
			    struct fc2_port *port, unsigned long *at)
{
	void *hdr = fc2_nl_begin(skb, cb);

	return fc2_nl_end(skb, hdr, !hdr || fc2_nl_put_port(skb, port));
}

/**
 * fc2_nl_port_get_dumpit - FC2_CMD_PORT_GET of all ports
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_port_next);
}

static int fc2_nl_put_counters(struct sk_buff *skb, const struct fc2_port *port)
{
	unsigned int i;

	if (fc2_nl_put_names(skb, port))
		return -EMSGSIZE;
	for (i = 0; i < FC2_STATS; i++) {
		struct nlattr *nest = nla_nest_start(skb, FC2_A_PORT_COUNTER);

		if (!nest || nla_put_string(skb, FC2_A_COUNTER_NAME, fc2_stat_name(i)) ||
		    nla_put_uint(skb, FC2_A_COUNTER_VALUE, fc2_stat_read(port, i)))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int fc2_nl_counters_one(struct sk_buff *skb, struct genl_info *info, struct fc2_port *port)
{
	return fc2_nl_put_counters(skb, port);
}

/**
 * fc2_nl_counters_get_doit - FC2_CMD_COUNTERS_GET of one port
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_answer(info, fc2_nl_counters_one);
}

static int fc2_nl_counters_next(struct sk_buff *skb, struct netlink_callback *cb,
				struct fc2_port *port, unsigned long *at)
{
	void *hdr = fc2_nl_begin(skb, cb);

	return fc2_nl_end(skb, hdr, !hdr || fc2_nl_put_counters(skb, port));
}

/**
 * fc2_nl_counters_get_dumpit - FC2_CMD_COUNTERS_GET of all ports
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int fc2_nl_counters_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return fc2_nl_walk(skb, cb, fc2_nl_counters_next);
}

/*
 * A name that FC-FS allows: IEEE 48-bit, IEEE extended, locally assigned, IEEE registered, or made
 * of an EUI-64.
 */
static bool fc2_nl_name_valid(u64 name)
{
	switch (name >> FC2_NAA_SHIFT) {
	case FC2_NAA_IEEE_48:
		return !(name & FC2_NAA_IEEE_ZEROS);
	case 2:
	case 3:
	case 5:
	case 0xc ... 0xf:
		return true;
	}
	return false;
}

/* Read a name, if the request has it. */
static int fc2_nl_read_name(struct genl_info *info, int attr, const char *what, u64 *name)
{
	u64 found;

	if (!info->attrs[attr])
		return 0;
	found = nla_get_uint(info->attrs[attr]);
	if (!fc2_nl_name_valid(found)) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[attr],
					"%s: found %016llx, expected NAA 1, 2, 3, 5 or c to f",
					what, found);
		return -EINVAL;
	}
	*name = found;
	return 0;
}

/* Read what can change while the port runs; what is absent stays. */
static int fc2_nl_read_settings(struct genl_info *info, struct fc2_port_params *params)
{
	struct nlattr **attrs = info->attrs;

	if (attrs[FC2_A_PORT_R_A_TOV])
		params->r_a_tov = nla_get_u32(attrs[FC2_A_PORT_R_A_TOV]);
	if (attrs[FC2_A_PORT_E_D_TOV])
		params->e_d_tov = nla_get_u32(attrs[FC2_A_PORT_E_D_TOV]);
	if (attrs[FC2_A_PORT_ORDERED])
		params->ordered = nla_get_u8(attrs[FC2_A_PORT_ORDERED]);
	if (params->r_a_tov < FC2_TOV_MIN || params->r_a_tov > FC2_TOV_MAX) {
		NL_SET_ERR_MSG_FMT(info->extack, "r-a-tov: found %u, expected %u to %u",
				   params->r_a_tov, FC2_TOV_MIN, FC2_TOV_MAX);
		return -EINVAL;
	}
	/* A Sequence ends before its Exchange does */
	if (params->e_d_tov < FC2_TOV_MIN || params->e_d_tov > params->r_a_tov) {
		NL_SET_ERR_MSG_FMT(info->extack, "e-d-tov: found %u, expected %u to r-a-tov, %u",
				   params->e_d_tov, FC2_TOV_MIN, params->r_a_tov);
		return -EINVAL;
	}
	return 0;
}

static int fc2_nl_read_params(struct genl_info *info, struct fc2_port_params *params)
{
	if (info->attrs[FC2_A_PORT_MODE])
		params->mode = nla_get_u32(info->attrs[FC2_A_PORT_MODE]);
	return fc2_nl_read_name(info, FC2_A_PORT_WWPN, "wwpn", &params->wwpn) ?:
	       fc2_nl_read_name(info, FC2_A_PORT_WWNN, "wwnn", &params->wwnn) ?:
	       fc2_nl_read_settings(info, params);
}

/**
 * fc2_nl_port_add_doit - FC2_CMD_PORT_ADD
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_port_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct fc2_port_params params;
	struct net_device *dev;
	int err;

	if (!fc2_nl_admin(skb, info))
		return -EPERM;
	if (GENL_REQ_ATTR_CHECK(info, FC2_A_PORT_IFINDEX))
		return -EINVAL;
	rtnl_lock();
	dev = fc2_nl_dev(genl_info_net(info), info->attrs[FC2_A_PORT_IFINDEX], info->extack);
	err = PTR_ERR_OR_ZERO(dev);
	if (!err) {
		fc2_params_default(&params, dev);
		err = fc2_nl_read_params(info, &params) ?:
		      PTR_ERR_OR_ZERO(fc2_config_create(dev, &params, info->extack));
	}
	rtnl_unlock();
	return err;
}

static int fc2_nl_del_port(struct genl_info *info, struct fc2_port *port)
{
	fc2_config_delete(port);
	return 0;
}

/**
 * fc2_nl_port_del_doit - FC2_CMD_PORT_DEL
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_port_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_change(skb, info, fc2_nl_del_port);
}

/* What can fail comes first, so that nothing is changed then */
static int fc2_nl_set_port(struct genl_info *info, struct fc2_port *port)
{
	struct fc2_port_params params = port->params;
	int err;

	if (!info->attrs[FC2_A_PORT_R_A_TOV] && !info->attrs[FC2_A_PORT_E_D_TOV] &&
	    !info->attrs[FC2_A_PORT_ORDERED]) {
		NL_SET_ERR_MSG(info->extack,
			       "found no setting, expected r-a-tov, e-d-tov or order");
		return -EINVAL;
	}
	err = fc2_nl_read_settings(info, &params);
	if (err)
		return err;
	WRITE_ONCE(port->params.r_a_tov, params.r_a_tov);
	WRITE_ONCE(port->params.e_d_tov, params.e_d_tov);
	WRITE_ONCE(port->params.ordered, params.ordered);
	/* FC-4s have timers and an order of their own */
	fc2_prov_port_change(port);
	return 0;
}

/**
 * fc2_nl_port_set_doit - FC2_CMD_PORT_SET
 * @skb: the request
 * @info: its contents
 *
 * Return: 0 or a negative errno.
 */
int fc2_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return fc2_nl_change(skb, info, fc2_nl_set_port);
}
