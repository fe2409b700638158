/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports of RapidIO Type 9 as master ports of Linux's rapidio core.
 */
#ifndef _RIO9_MPORT_H
#define _RIO9_MPORT_H

#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/rio.h>
#include <linux/rio9.h>
#include <linux/workqueue.h>

/**
 * struct rio9_mport - a port that the core has, or had
 * @mport: what the core knows
 * @node: among all that have a port; under RTNL
 * @dev: the device of the port; is compared, as it may be gone
 * @lock: taken to change @port, and while its peers change
 * @port: the port; NULL when it has gone
 * @join: registers @mport
 * @leave: unregisters it, and frees this
 * @registered: the core has it; of @join and @leave, which run one after the other
 * @released: the core has let go of it
 */
struct rio9_mport {
	struct rio_mport mport;
	struct list_head node;
	const struct net_device *dev;
	struct mutex lock;	/* changes of port, and of its peers */
	struct rio9_port __rcu *port;
	struct work_struct join;
	struct work_struct leave;
	bool registered;
	struct completion released;
};

extern struct rio_ops rio9_mport_ops;

int rio9_mport_peers_init(void);
void rio9_mport_peers_exit(void);

#endif
