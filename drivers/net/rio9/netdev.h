/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network device of a port.
 */
#ifndef _RIO9_NETDEV_H
#define _RIO9_NETDEV_H

#include <linux/netdevice.h>
#include <linux/workqueue.h>

struct rio9_port;

/**
 * struct rio9_netdev - what a device has of its own
 * @port: its port
 * @dev: the device
 * @napi: hands PDUs that have arrived to the stack, and goes on sending
 * @woken: bit 0: the card has room again
 * @update: follows the ID of the port
 */
struct rio9_netdev {
	struct rio9_port *port;
	struct net_device *dev;
	struct napi_struct napi;
	unsigned long woken;
	struct delayed_work update;
};

void rio9_netdev_schedule(struct rio9_port *port);
void rio9_netdev_sent(struct net_device *dev, int err, unsigned int len);

#endif
