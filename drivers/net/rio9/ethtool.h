/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ethtool operations.
 */
#ifndef _RIO9_ETHTOOL_H
#define _RIO9_ETHTOOL_H

#include <linux/ethtool.h>

extern const struct ethtool_ops rio9_ethtool_ops;

#endif
