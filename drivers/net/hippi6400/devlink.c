// SPDX-License-Identifier: GPL-2.0
/*
 * The devlink instance of a card: its one port, the link's timers and limits as
 * parameters, and information about card and link.
 *
 * The devlink lock is taken before the port's lock.
 */

#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/st_compat.h>
#include <net/devlink.h>

#include "port.h"

enum h64_param_id {
	H64_PARAM_RETRY = DEVLINK_PARAM_GENERIC_ID_MAX + 1,
	H64_PARAM_ACK_TIMEOUT,
	H64_PARAM_ACTIVITY,
	H64_PARAM_HOLDOFF,
	H64_PARAM_RETRY_LIMIT,
	H64_PARAM_TX_WAIT,
};

/* Timers have a resolution of one jiffy */
#define H64_JIFFIES_MS(n)	DIV_ROUND_UP((n) * MSEC_PER_SEC, HZ)

/**
 * struct h64_devlink - private part of the devlink instance
 * @port: the port
 * @devlink_port: its devlink port
 * @reporter: health reporter of the link
 */
struct h64_devlink {
	struct h64_port *port;
	struct devlink_port devlink_port;
	struct devlink_health_reporter *reporter;
};

static struct h64_port *h64_devlink_port(struct devlink *devlink)
{
	struct h64_devlink *priv = devlink_priv(devlink);

	return priv->port;
}

/* The timer behind a parameter, or NULL for the retry limit */
static u64 *h64_param_timer(struct h64_link_times *times, u32 id)
{
	switch (id) {
	case H64_PARAM_RETRY:
		return &times->retry;
	case H64_PARAM_ACK_TIMEOUT:
		return &times->ack;
	case H64_PARAM_ACTIVITY:
		return &times->activity;
	case H64_PARAM_HOLDOFF:
		return &times->holdoff;
	default:
		return NULL;
	}
}

static int h64_tx_wait_get(struct devlink *devlink, u32 id, struct devlink_param_gset_ctx *ctx,
			   struct netlink_ext_ack *extack)
{
	struct h64_port *port = h64_devlink_port(devlink);

	spin_lock_bh(&port->lock);
	ctx->val.vu32 = div_u64(port->tx_wait, NSEC_PER_MSEC);
	spin_unlock_bh(&port->lock);
	return 0;
}

static int h64_tx_wait_set(struct devlink *devlink, u32 id, struct devlink_param_gset_ctx *ctx,
			   struct netlink_ext_ack *extack)
{
	struct h64_port *port = h64_devlink_port(devlink);

	spin_lock_bh(&port->lock);
	port->tx_wait = (u64)ctx->val.vu32 * NSEC_PER_MSEC;
	spin_unlock_bh(&port->lock);
	return 0;
}

static int h64_param_get(struct devlink *devlink, u32 id, struct devlink_param_gset_ctx *ctx,
			 struct netlink_ext_ack *extack)
{
	struct h64_port *port = h64_devlink_port(devlink);
	struct h64_link_times *times = &port->times;
	const u64 *timer = h64_param_timer(times, id);

	spin_lock_bh(&port->lock);
	ctx->val.vu32 = timer ? div_u64(*timer, NSEC_PER_MSEC) : times->retry_limit;
	spin_unlock_bh(&port->lock);
	return 0;
}

static int h64_param_set(struct devlink *devlink, u32 id, struct devlink_param_gset_ctx *ctx,
			 struct netlink_ext_ack *extack)
{
	struct h64_port *port = h64_devlink_port(devlink);
	/* Only this function writes it, under the devlink lock */
	struct h64_link_times times = port->times;
	u64 *timer = h64_param_timer(&times, id);

	if (timer)
		*timer = (u64)ctx->val.vu32 * NSEC_PER_MSEC;
	else
		times.retry_limit = ctx->val.vu32;
	h64_port_set_times(port, &times);
	return 0;
}

static int h64_param_validate(struct devlink *devlink, u32 id, union devlink_param_value *val,
			      struct netlink_ext_ack *extack)
{
	static const struct {
		u32 min;
		u32 max;
	} ranges[] = {
		[H64_PARAM_RETRY - H64_PARAM_RETRY] = { H64_JIFFIES_MS(1), 10000 },
		[H64_PARAM_ACK_TIMEOUT - H64_PARAM_RETRY] = { H64_JIFFIES_MS(1), 10000 },
		/* At least four jiffies between two Nulls */
		[H64_PARAM_ACTIVITY - H64_PARAM_RETRY] = {
			H64_JIFFIES_MS(4 * H64_KEEPALIVE_DIV), 60000
		},
		[H64_PARAM_HOLDOFF - H64_PARAM_RETRY] = { 0, 60000 },
		[H64_PARAM_RETRY_LIMIT - H64_PARAM_RETRY] = { 1, U8_MAX },
		/* The driver checks once a second */
		[H64_PARAM_TX_WAIT - H64_PARAM_RETRY] = { 1000, 3600000 },
	};
	u32 min = ranges[id - H64_PARAM_RETRY].min, max = ranges[id - H64_PARAM_RETRY].max;

	if (val->vu32 >= min && val->vu32 <= max)
		return 0;
	NL_SET_ERR_MSG_FMT_MOD(extack, "found %u, expected %u to %u", val->vu32, min, max);
	return -ERANGE;
}

ST_DEVLINK_PARAM_GET(h64_param_get)
ST_DEVLINK_PARAM_GET(h64_tx_wait_get)
ST_DEVLINK_PARAM_VALIDATE(h64_param_validate)

#define H64_PARAM(id, name, get_fn, set_fn)					\
	DEVLINK_PARAM_DRIVER(id, name, DEVLINK_PARAM_TYPE_U32,			\
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),			\
			     ST_DEVLINK_PARAM_FORM(get, get_fn), set_fn,	\
			     ST_DEVLINK_PARAM_FORM(validate, h64_param_validate))

static const struct devlink_param h64_params[] = {
	H64_PARAM(H64_PARAM_RETRY, "retry_ms", h64_param_get, h64_param_set),
	H64_PARAM(H64_PARAM_ACK_TIMEOUT, "ack_timeout_ms", h64_param_get, h64_param_set),
	H64_PARAM(H64_PARAM_ACTIVITY, "activity_ms", h64_param_get, h64_param_set),
	H64_PARAM(H64_PARAM_HOLDOFF, "holdoff_ms", h64_param_get, h64_param_set),
	H64_PARAM(H64_PARAM_RETRY_LIMIT, "retry_limit", h64_param_get, h64_param_set),
	H64_PARAM(H64_PARAM_TX_WAIT, "tx_wait_ms", h64_tx_wait_get, h64_tx_wait_set),
};

static int h64_info_get(struct devlink *devlink, struct devlink_info_req *req,
			struct netlink_ext_ack *extack)
{
	struct h64_port *port = h64_devlink_port(devlink);
	const struct pci_dev *pdev = port->card.pdev;
	char text[H64_FW_VERSION_LEN];
	int err;

	snprintf(text, sizeof(text), "%04x:%04x", pdev->subsystem_vendor,
		 pdev->subsystem_device);
	err = devlink_info_version_fixed_put(req, DEVLINK_INFO_VERSION_GENERIC_BOARD_ID, text);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%02x", pdev->revision);
	err = devlink_info_version_fixed_put(req, DEVLINK_INFO_VERSION_GENERIC_BOARD_REV, text);
	if (err)
		return err;
	h64_card_fw_version(&port->card, text);
	return devlink_info_version_running_put(req, DEVLINK_INFO_VERSION_GENERIC_FW, text);
}

/* The state of the link and, while it is up, the neighbour's identity */
static int h64_link_diagnose(struct devlink_health_reporter *reporter, struct devlink_fmsg *fmsg,
			     struct netlink_ext_ack *extack)
{
	struct h64_port *port = devlink_health_reporter_priv(reporter);
	const struct h64_identity *known;
	enum h64_link_state state;
	struct h64_identity is;
	char ula[3 * ETH_ALEN];

	spin_lock_bh(&port->lock);
	state = port->link.state;
	known = h64_admin_neighbour(&port->link);
	if (known)
		is = *known;
	spin_unlock_bh(&port->lock);

	devlink_fmsg_string_pair_put(fmsg, "state", h64_link_state_name(state));
	if (!known)
		return 0;
	snprintf(ula, sizeof(ula), "%pM", is.ula);
	devlink_fmsg_pair_nest_start(fmsg, "neighbour");
	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_string_pair_put(fmsg, "ula", ula);
	devlink_fmsg_u8_pair_put(fmsg, "port", is.port);
	devlink_fmsg_string_pair_put(fmsg, "element", h64_admin_element_name(is.element));
	if (is.software[0])
		devlink_fmsg_string_pair_put(fmsg, "software", is.software);
	devlink_fmsg_obj_nest_end(fmsg);
	devlink_fmsg_pair_nest_end(fmsg);
	return 0;
}

static const struct devlink_health_reporter_ops h64_link_reporter_ops = {
	.name = "link",
	.diagnose = h64_link_diagnose,
};

static const struct devlink_ops h64_devlink_ops = {
	.info_get = h64_info_get,
};

static int h64_devlink_fill(struct h64_devlink *priv, struct devlink *devlink)
{
	struct devlink_port_attrs attrs = {
		.flavour = DEVLINK_PORT_FLAVOUR_PHYSICAL,
	};
	int err;

	err = devl_params_register(devlink, h64_params, ARRAY_SIZE(h64_params));
	if (err)
		return err;
	devlink_port_attrs_set(&priv->devlink_port, &attrs);
	err = devl_port_register(devlink, &priv->devlink_port, 0);
	if (err)
		goto free_params;
	priv->reporter = devl_port_health_reporter_create(&priv->devlink_port,
							  &h64_link_reporter_ops, priv->port);
	if (IS_ERR(priv->reporter)) {
		err = PTR_ERR(priv->reporter);
		goto free_port;
	}
	SET_NETDEV_DEVLINK_PORT(priv->port->netdev, &priv->devlink_port);
	return 0;

free_port:
	devl_port_unregister(&priv->devlink_port);
free_params:
	devl_params_unregister(devlink, h64_params, ARRAY_SIZE(h64_params));
	return err;
}

/**
 * h64_devlink_create - set up the devlink instance of a card
 * @port: the port, set up; its netdev is registered later
 *
 * The instance is complete, and invisible before devlink_register().
 *
 * Return: 0 or an error.
 */
int h64_devlink_create(struct h64_port *port)
{
	struct h64_devlink *priv;
	struct devlink *devlink;
	int err;

	devlink = devlink_alloc(&h64_devlink_ops, sizeof(*priv), &port->card.pdev->dev);
	if (!devlink)
		return -ENOMEM;
	priv = devlink_priv(devlink);
	priv->port = port;
	port->devlink = devlink;

	devl_lock(devlink);
	err = h64_devlink_fill(priv, devlink);
	devl_unlock(devlink);
	if (err)
		devlink_free(devlink);
	return err;
}

/**
 * h64_devlink_remove - undo h64_devlink_create()
 * @port: the port; devlink instance and netdev are unregistered
 */
void h64_devlink_remove(struct h64_port *port)
{
	struct devlink *devlink = port->devlink;
	struct h64_devlink *priv = devlink_priv(devlink);

	devl_lock(devlink);
	devl_health_reporter_destroy(priv->reporter);
	devl_port_unregister(&priv->devlink_port);
	devl_params_unregister(devlink, h64_params, ARRAY_SIZE(h64_params));
	devl_unlock(devlink);
	devlink_free(devlink);
}
