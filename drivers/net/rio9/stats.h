/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the counters, and what "ip -s link" makes of them.
 */
#ifndef _RIO9_STATS_H
#define _RIO9_STATS_H

#include <linux/if_link.h>

#include "wire.h"

struct rio9_port;

const char *rio9_stat_name(enum rio9_stat stat);
void rio9_stats_link(struct rio9_port *port, struct rtnl_link_stats64 *link);

#endif
