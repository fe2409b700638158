// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: network devices of HIPPI-FP, which "ip link add link DEV type hippi_fp" makes.
 */
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/hippi6400.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/st_compat.h>
#include <net/rtnetlink.h>

#include "ethtool.h"
#include "le.h"
#include "port.h"
#include "rx.h"
#include "tx.h"

#define HFP_MTU_MAX	65280	/* RFC 2067 */
/* The shortest MTU of IPv4, and what is before it */
#define HFP_LOWER_MTU_MIN	(ETH_MIN_MTU + HFP_LE_LEN)

/* All that can go over a port as over the device below it */
#define HFP_FEATURES	(NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA | NETIF_F_HW_CSUM)

static const struct net_device_ops hfp_netdev_ops;

static LIST_HEAD(hfp_ports);	/* under RTNL */

/**
 * hfp_is_port - whether a device is a port of HIPPI-FP
 * @dev: any device
 *
 * Context: any.
 * Return: true if it is one.
 */
bool hfp_is_port(const struct net_device *dev)
{
	return dev->netdev_ops == &hfp_netdev_ops;
}
EXPORT_SYMBOL_GPL(hfp_is_port);

/* The longest datagram that the lower device carries */
static unsigned int hfp_mtu_max(const struct net_device *lower)
{
	unsigned int max = round_down(lower->mtu, HFP_WORD);

	return min_t(unsigned int, HFP_MTU_MAX, max - HFP_LE_LEN);
}

static int hfp_filter_add(struct hfp_port *port, const u8 *addr)
{
	int err;

	ASSERT_RTNL();
	/* The lower device gets its own anyway */
	if (ether_addr_equal(addr, port->lower->dev_addr))
		return 0;
	err = dev_uc_add(port->lower, addr);
	if (err)
		return err;
	ether_addr_copy(port->filter, addr);
	port->filtered = true;
	return 0;
}

static void hfp_filter_del(struct hfp_port *port)
{
	ASSERT_RTNL();
	if (port->filtered)
		dev_uc_del(port->lower, port->filter);
	port->filtered = false;
}

static int hfp_open(struct net_device *dev)
{
	struct hfp_port *port = netdev_priv(dev);
	int err;

	err = hfp_filter_add(port, dev->dev_addr);
	if (err)
		return err;
	hfp_rx_begin(port);
	return 0;
}

static int hfp_stop(struct net_device *dev)
{
	struct hfp_port *port = netdev_priv(dev);

	hfp_rx_end(port);
	hfp_filter_del(port);
	return 0;
}

static int hfp_set_mac_address(struct net_device *dev, void *p)
{
	struct hfp_port *port = netdev_priv(dev);
	const struct sockaddr *sa = p;
	int err;

	if (!is_valid_ether_addr(sa->sa_data))
		return -EADDRNOTAVAIL;
	if (netif_running(dev)) {
		hfp_filter_del(port);
		err = hfp_filter_add(port, sa->sa_data);
		if (err) {
			/* It was there a moment ago */
			hfp_filter_add(port, dev->dev_addr);
			return err;
		}
	}
	dev_addr_set(dev, sa->sa_data);
	return 0;
}

static int hfp_change_mtu(struct net_device *dev, int mtu)
{
	struct hfp_port *port = netdev_priv(dev);

	if (mtu > hfp_mtu_max(port->lower))
		return -ERANGE;
	WRITE_ONCE(dev->mtu, mtu);
	return 0;
}

static netdev_features_t hfp_fix_features(struct net_device *dev, netdev_features_t features)
{
	struct hfp_port *port = netdev_priv(dev);

	return features & (port->lower->features | ~(netdev_features_t)HFP_FEATURES);
}

static int hfp_get_iflink(const struct net_device *dev)
{
	const struct hfp_port *port = netdev_priv(dev);

	return READ_ONCE(port->lower->ifindex);
}

static const struct net_device_ops hfp_netdev_ops = {
	.ndo_open = hfp_open,
	.ndo_stop = hfp_stop,
	.ndo_start_xmit = hfp_start_xmit,
	.ndo_set_mac_address = hfp_set_mac_address,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = hfp_change_mtu,
	.ndo_fix_features = hfp_fix_features,
	.ndo_get_iflink = hfp_get_iflink,
};

static void hfp_free(struct net_device *dev)
{
	struct hfp_port *port = netdev_priv(dev);

	netdev_put(port->lower, &port->tracker);
}

static void hfp_setup(struct net_device *dev)
{
	dev->netdev_ops = &hfp_netdev_ops;
	dev->header_ops = &hfp_le_header_ops;
	dev->ethtool_ops = &hfp_ethtool_ops;
	dev->type = ARPHRD_HIPPI;
	dev->addr_len = ETH_ALEN;
	dev->hard_header_len = sizeof(struct hfp_link_hdr) + HFP_LE_LEN;
	dev->min_header_len = sizeof(struct hfp_link_hdr) + HFP_HDR_LEN;
	dev->needed_tailroom = HFP_WORD - 1;
	dev->flags = IFF_BROADCAST | IFF_MULTICAST;
	eth_broadcast_addr(dev->broadcast);
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = HFP_MTU_MAX;
	dev->features = HFP_FEATURES | NETIF_F_VLAN_CHALLENGED;
	dev->hw_features = HFP_FEATURES;
	dev->priv_flags |= IFF_NO_QUEUE | IFF_LIVE_ADDR_CHANGE;
	/* The frame is changed on its way down */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->lltx = true;
	dev->pcpu_stat_type = NETDEV_PCPU_STAT_TSTATS;
}

static int hfp_validate(struct nlattr *tb[], struct nlattr *data[], struct netlink_ext_ack *extack)
{
	if (!tb[IFLA_LINK]) {
		NL_SET_ERR_MSG(extack, "name the device below: ip link add link DEVICE ...");
		return -EINVAL;
	}
	if (tb[IFLA_ADDRESS] && (nla_len(tb[IFLA_ADDRESS]) != ETH_ALEN ||
				 !is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS])))) {
		NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_ADDRESS],
				    "the address is not that of one host, of six bytes");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

/* Whether a port can be above a device */
static int hfp_lower_check(const struct net_device *lower, struct netlink_ext_ack *extack)
{
	if (lower->type != ARPHRD_ETHER || lower->addr_len != ETH_ALEN || !lower->header_ops) {
		NL_SET_ERR_MSG(extack, "the device below is no Ethernet and no HIPPI-6400 port");
		return -EINVAL;
	}
	/* Which gets all that the device receives */
	if (netif_is_bridge_port(lower) || netif_is_ovs_port(lower)) {
		NL_SET_ERR_MSG(extack, "the device below is a port of a bridge: use the bridge");
		return -EBUSY;
	}
	if (lower->mtu < HFP_LOWER_MTU_MIN) {
		NL_SET_ERR_MSG_FMT(extack, "the MTU of %s is %u, expected at least %zu",
				   lower->name, lower->mtu, HFP_LOWER_MTU_MIN);
		return -EINVAL;
	}
	return 0;
}

static int hfp_newlink(struct net_device *dev, struct rtnl_newlink_params *params,
		       struct netlink_ext_ack *extack)
{
	struct net *net = rtnl_newlink_link_net(params);
	struct net_device *lower = __dev_get_by_index(net, nla_get_u32(params->tb[IFLA_LINK]));
	struct hfp_port *port = netdev_priv(dev);
	int err;

	if (!lower) {
		NL_SET_ERR_MSG(extack, "the device below does not exist");
		return -ENODEV;
	}
	err = hfp_lower_check(lower, extack);
	if (err)
		return err;
	port->dev = dev;
	port->lower = lower;
	port->hippi6400 = hippi6400_is_port(lower);
	if (!params->tb[IFLA_ADDRESS])
		eth_hw_addr_inherit(dev, lower);
	if (!params->tb[IFLA_MTU])
		dev->mtu = hfp_mtu_max(lower);
	if (dev->mtu > hfp_mtu_max(lower)) {
		NL_SET_ERR_MSG_FMT(extack, "the MTU is %u, %s carries at most %u", dev->mtu,
				   lower->name, hfp_mtu_max(lower));
		return -ERANGE;
	}
	dev->needed_headroom = LL_RESERVED_SPACE(lower);
	err = register_netdevice(dev);
	if (err)
		return err;
	netdev_hold(lower, &port->tracker, GFP_KERNEL);
	dev->priv_destructor = hfp_free;
	dev->needs_free_netdev = true;
	err = netdev_upper_dev_link(lower, dev, extack);
	if (err) {
		unregister_netdevice(dev);
		return err;
	}
	list_add_tail(&port->node, &hfp_ports);
	netif_stacked_transfer_operstate(lower, dev);
	return 0;
}

ST_NEWLINK(hfp_newlink)

static void hfp_dellink(struct net_device *dev, struct list_head *head)
{
	struct hfp_port *port = netdev_priv(dev);

	list_del(&port->node);
	netdev_upper_dev_unlink(port->lower, dev);
	unregister_netdevice_queue(dev, head);
}

static struct net *hfp_link_net(const struct net_device *dev)
{
	const struct hfp_port *port = netdev_priv(dev);

	return dev_net(port->lower);
}

struct rtnl_link_ops hfp_link_ops = {
	.kind		= "hippi_fp",
	.priv_size	= sizeof(struct hfp_port),
	.setup		= hfp_setup,
	.validate	= hfp_validate,
	.newlink	= ST_NEWLINK_FORM(hfp_newlink),
	.dellink	= hfp_dellink,
	.get_link_net	= hfp_link_net,
};

/* The MTU of the lower device has changed. */
static void hfp_lower_mtu(struct net_device *dev, struct net_device *lower)
{
	unsigned int max;

	if (lower->mtu < HFP_LOWER_MTU_MIN)
		return;	/* packets that are too long are dropped, and counted */
	max = hfp_mtu_max(lower);
	if (dev->mtu > max)
		dev_set_mtu(dev, max);
}

/* The lower device gets frames for another address of its own, or no longer for the port's. */
static void hfp_lower_addr(struct hfp_port *port)
{
	if (!netif_running(port->dev))
		return;
	hfp_filter_del(port);
	if (hfp_filter_add(port, port->dev->dev_addr))
		netdev_warn(port->dev, "set %s up again: it does not get frames for %pM\n",
			    port->dev->name, port->dev->dev_addr);
}

static void hfp_lower_event(struct hfp_port *port, unsigned long event, struct list_head *gone)
{
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		netif_stacked_transfer_operstate(port->lower, port->dev);
		break;
	case NETDEV_CHANGEADDR:
		hfp_lower_addr(port);
		break;
	case NETDEV_CHANGEMTU:
		hfp_lower_mtu(port->dev, port->lower);
		break;
	case NETDEV_FEAT_CHANGE:
		netdev_update_features(port->dev);
		break;
	case NETDEV_UNREGISTER:
		/* A device that only moves to another namespace keeps its ports */
		if (port->lower->reg_state == NETREG_UNREGISTERING)
			hfp_dellink(port->dev, gone);
		break;
	}
}

static int hfp_netdev_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct hfp_port *port, *next;
	LIST_HEAD(gone);

	list_for_each_entry_safe(port, next, &hfp_ports, node)
		if (port->lower == dev)
			hfp_lower_event(port, event, &gone);
	unregister_netdevice_many(&gone);
	return NOTIFY_DONE;
}

struct notifier_block hfp_port_notifier = {
	.notifier_call = hfp_netdev_event,
};
