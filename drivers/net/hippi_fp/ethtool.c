// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool operations: the counters, and speed and duplex of the lower device.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "ethtool.h"
#include "port.h"
#include "stats.h"

static void hfp_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "hippi_fp", sizeof(info->driver));
}

static int hfp_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	struct hfp_port *port = netdev_priv(dev);

	return __ethtool_get_link_ksettings(port->lower, cmd);
}

static int hfp_get_sset_count(struct net_device *dev, int sset)
{
	return sset == ETH_SS_STATS ? HFP_STATS : -EOPNOTSUPP;
}

static void hfp_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	unsigned int i;

	for (i = 0; sset == ETH_SS_STATS && i < HFP_STATS; i++)
		ethtool_puts(&data, hfp_stat_name(i));
}

static void hfp_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct hfp_port *port = netdev_priv(dev);
	unsigned int i;

	for (i = 0; i < HFP_STATS; i++)
		data[i] = atomic64_read(&port->stats[i]);
}

const struct ethtool_ops hfp_ethtool_ops = {
	.get_drvinfo = hfp_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = hfp_get_link_ksettings,
	.get_sset_count = hfp_get_sset_count,
	.get_strings = hfp_get_strings,
	.get_ethtool_stats = hfp_get_ethtool_stats,
	.get_ts_info = ethtool_op_get_ts_info,
};
