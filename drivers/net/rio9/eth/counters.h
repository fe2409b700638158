/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an endpoint counts, in sysfs.
 */
#ifndef _RIO9_ETH_COUNTERS_H
#define _RIO9_ETH_COUNTERS_H

#include <linux/sysfs.h>

extern const struct attribute_group rio9_eth_counters;

#endif
