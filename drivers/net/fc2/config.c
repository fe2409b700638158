// SPDX-License-Identifier: GPL-2.0
/*
 * Making and deleting ports, and what they are told of their device; all under RTNL.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <scsi/fc/fc_fip.h>

#include "config.h"
#include "els_rx.h"
#include "exch.h"
#include "farp.h"
#include "fip.h"
#include "fip_link.h"
#include "local.h"
#include "port.h"
#include "prov.h"
#include "rx.h"

/* Each port of a device gets a copy of what is to all */
#define FC2_PORTS_MAX		64

/* Names as the stock driver makes them: IEEE 48-bit, and IEEE extended with 0 as its number */
#define FC2_NAA_IEEE		(0x1ULL << 60)
#define FC2_NAA_IEEE_EXT	(0x2ULL << 60)

static const u8 * const fc2_groups[] = { fc2_fip_all_enodes, fc2_fip_all_vn2vn };

/**
 * fc2_params_default - parameters of a port that an administrator does not set
 * @params: for them
 * @dev: the device
 */
void fc2_params_default(struct fc2_port_params *params, const struct net_device *dev)
{
	u64 mac = ether_addr_to_u64(dev->dev_addr);

	*params = (struct fc2_port_params) {
		.wwpn = FC2_NAA_IEEE_EXT | mac,
		.wwnn = FC2_NAA_IEEE | mac,
		.mode = FC2_MODE_VN2VN,
		.r_a_tov = FC2_R_A_TOV,
		.e_d_tov = FC2_E_D_TOV,
		.ordered = true,
	};
}
EXPORT_SYMBOL_IF_KUNIT(fc2_params_default);

static struct fc2_iface *fc2_iface_create(struct net_device *dev)
{
	struct fc2_iface *iface = kzalloc(sizeof(*iface), GFP_KERNEL);
	unsigned int i;

	if (!iface)
		return NULL;
	iface->dev = dev;
	netdev_hold(dev, &iface->tracker, GFP_KERNEL);
	INIT_LIST_HEAD(&iface->ports);
	fc2_local_begin(iface);
	iface->fcoe.type = htons(ETH_P_FCOE);
	iface->fcoe.func = fc2_rx_fcoe;
	iface->fcoe.dev = dev;
	iface->fip.type = htons(ETH_P_FIP);
	iface->fip.func = fc2_rx_fip;
	iface->fip.dev = dev;
	for (i = 0; i < ARRAY_SIZE(fc2_groups); i++)
		dev_mc_add(dev, fc2_groups[i]);
	list_add(&iface->list, &fc2_ifaces);
	dev_add_pack(&iface->fcoe);
	dev_add_pack(&iface->fip);
	return iface;
}

static void fc2_iface_delete(struct fc2_iface *iface)
{
	unsigned int i;

	list_del(&iface->list);
	__dev_remove_pack(&iface->fcoe);
	__dev_remove_pack(&iface->fip);
	synchronize_net();
	fc2_local_end(iface);
	for (i = 0; i < ARRAY_SIZE(fc2_groups); i++)
		dev_mc_del(iface->dev, fc2_groups[i]);
	netdev_put(iface->dev, &iface->tracker);
	kfree_rcu(iface, rcu);
}

/* Why a device cannot have ports, or NULL. */
static const char *fc2_unfit(const struct net_device *dev)
{
	if (dev->type != ARPHRD_ETHER || dev->addr_len != ETH_ALEN || dev->flags & IFF_LOOPBACK)
		return "it is no Ethernet device";
	if (netif_is_bridge_port(dev) || netif_is_ovs_port(dev))
		return "it is a port of a bridge, which gets its frames: use the bridge";
	if (netif_is_lag_port(dev))
		return "it is part of a bond or team, which gets its frames: use that";
	return NULL;
}

static bool fc2_device_up(const struct net_device *dev)
{
	return netif_running(dev) && netif_oper_up(dev) && !fc2_unfit(dev);
}

static bool fc2_params_fit(struct fc2_iface *iface, const struct fc2_port_params *params,
			   struct netlink_ext_ack *extack)
{
	if (iface && fc2_port_by_wwpn(iface, params->wwpn)) {
		NL_SET_ERR_MSG(extack, "the device has a port with this name: give another wwpn");
		return false;
	}
	return true;
}

/**
 * fc2_config_create - make a port
 * @dev: the device
 * @params: what the administrator wants
 * @extack: why not; may be NULL
 *
 * Context: process, under RTNL.
 * Return: the port, or an error pointer: -EEXIST when the device has a port with that name,
 * -EOPNOTSUPP when the device cannot have ports, -ENOSPC when it has too many.
 */
struct fc2_port *fc2_config_create(struct net_device *dev, const struct fc2_port_params *params,
				   struct netlink_ext_ack *extack)
{
	struct fc2_iface *iface = fc2_iface_find(dev);
	const char *unfit = fc2_unfit(dev);
	bool fresh = !iface;
	struct fc2_port *port;

	ASSERT_RTNL();
	if (unfit) {
		NL_SET_ERR_MSG_FMT(extack, "%s", unfit);
		return ERR_PTR(-EOPNOTSUPP);
	}
	if (!fc2_params_fit(iface, params, extack))
		return ERR_PTR(-EEXIST);
	if (iface && list_count_nodes(&iface->ports) >= FC2_PORTS_MAX) {
		NL_SET_ERR_MSG_FMT(extack, "the device has %u ports, and can have no more",
				   FC2_PORTS_MAX);
		return ERR_PTR(-ENOSPC);
	}
	if (fresh)
		iface = fc2_iface_create(dev);
	if (!iface)
		return ERR_PTR(-ENOMEM);
	port = fc2_port_alloc(iface, params);
	if (!port) {
		if (fresh)
			fc2_iface_delete(iface);
		return ERR_PTR(-ENOMEM);
	}
	if (fc2_exch_port_begin(port)) {
		fc2_port_end(port);
		fc2_port_put(port);
		if (fresh)
			fc2_iface_delete(iface);
		return ERR_PTR(-ENOMEM);
	}
	fc2_els_port_begin(port);
	fc2_farp_port_begin(port);
	fc2_fip_port_begin(port);
	list_add_tail_rcu(&port->list, &iface->ports);
	fc2_prov_port_add(port);
	fc2_fip_link(port, fc2_device_up(dev));
	return port;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_config_create);

/**
 * fc2_config_delete - delete a port
 * @port: the port
 *
 * Context: process, under RTNL.
 */
void fc2_config_delete(struct fc2_port *port)
{
	struct fc2_iface *iface = port->iface;

	ASSERT_RTNL();
	fc2_fip_link(port, false);
	mutex_lock(&port->lock);
	port->dead = true;
	mutex_unlock(&port->lock);
	fc2_prov_port_del(port);
	list_del_rcu(&port->list);
	synchronize_net();
	fc2_fip_port_end(port);
	fc2_farp_port_end(port);
	fc2_els_port_end(port);
	fc2_exch_port_end(port);
	fc2_port_end(port);
	if (list_empty(&iface->ports))
		fc2_iface_delete(iface);
	fc2_port_put(port);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_config_delete);

/**
 * fc2_config_delete_all - delete all ports of a device
 * @dev: the device
 *
 * Context: process, under RTNL.
 */
void fc2_config_delete_all(struct net_device *dev)
{
	struct fc2_iface *iface;

	while ((iface = fc2_iface_find(dev)))
		fc2_config_delete(list_first_entry(&iface->ports, struct fc2_port, list));
}

/**
 * fc2_config_link - a device has come up or is about to go down
 * @dev: the device
 * @down: it goes down, or is to begin anew, but can still send
 *
 * Context: process, under RTNL.
 */
void fc2_config_link(struct net_device *dev, bool down)
{
	struct fc2_iface *iface = fc2_iface_find(dev);
	struct fc2_port *port;

	if (!iface)
		return;
	list_for_each_entry(port, &iface->ports, list)
		fc2_fip_link(port, !down && fc2_device_up(dev));
}

/**
 * fc2_config_resize - a device has another MTU
 * @dev: the device
 *
 * The receive size is told at login: the port begins anew.
 *
 * Context: process, under RTNL.
 */
void fc2_config_resize(struct net_device *dev)
{
	struct fc2_iface *iface = fc2_iface_find(dev);
	struct fc2_port *port;

	if (!iface)
		return;
	list_for_each_entry(port, &iface->ports, list) {
		if (fc2_port_fits(port))
			continue;
		fc2_fip_link(port, false);
		fc2_port_resize(port);
		fc2_fip_link(port, fc2_device_up(dev));
	}
}
