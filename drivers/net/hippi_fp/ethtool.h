/* SPDX-License-Identifier: GPL-2.0 */
/* ethtool operations. */
#ifndef _HFP_ETHTOOL_H
#define _HFP_ETHTOOL_H

#include <linux/ethtool.h>

extern const struct ethtool_ops hfp_ethtool_ops;

#endif
