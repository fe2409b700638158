// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool operations.
 */
#include <linux/ethtool.h>

#include "ethtool.h"
#include "netdev.h"
#include "port.h"
#include "stats.h"

static void rio9_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "rio9", sizeof(info->driver));
	if (dev->dev.parent)
		strscpy(info->bus_info, dev_name(dev->dev.parent), sizeof(info->bus_info));
}

static int rio9_get_sset_count(struct net_device *dev, int sset)
{
	return sset == ETH_SS_STATS ? RIO9_STATS : -EOPNOTSUPP;
}

static void rio9_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	unsigned int i;

	for (i = 0; sset == ETH_SS_STATS && i < RIO9_STATS; i++)
		ethtool_puts(&data, rio9_stat_name(i));
}

static void rio9_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	rio9_port_stats(nd->port, data);
}

/* What receives are the segmentation contexts, whose number is the card's */
static void rio9_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			       struct kernel_ethtool_ringparam *kernel_ring,
			       struct netlink_ext_ack *extack)
{
	struct rio9_netdev *nd = netdev_priv(dev);

	ring->rx_max_pending = nd->port->caps.contexts;
	ring->rx_pending = nd->port->caps.contexts;
}

const struct ethtool_ops rio9_ethtool_ops = {
	.get_drvinfo = rio9_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_ringparam = rio9_get_ringparam,
	.get_sset_count = rio9_get_sset_count,
	.get_strings = rio9_get_strings,
	.get_ethtool_stats = rio9_get_ethtool_stats,
	.get_ts_info = ethtool_op_get_ts_info,
};
