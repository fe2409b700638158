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
 * @lower: that below, which goes later; NULL if there is none
 * @napi: hands PDUs that have arrived to the stack, and goes on sending
 * @woken: bit 0: the card has room again
 * @update: follows the ID of the port
 */
struct rio9_netdev {
	struct rio9_port *port;
	struct net_device *dev;
	struct net_device *lower;
	struct napi_struct napi;
	unsigned long woken;
	struct delayed_work update;
};

/**
 * rio9_netdev_schedule - PDUs have arrived, or the card has room again
 * @up: the device of the port while it is up
 * @woken: the card has room again
 *
 * Context: any.
 */
static inline void rio9_netdev_schedule(struct rio9_netdev __rcu **up, bool woken)
{
	struct rio9_netdev *nd;

	rcu_read_lock();
	nd = rcu_dereference(*up);
	if (nd) {
		if (woken)
			set_bit(0, &nd->woken);
		napi_schedule(&nd->napi);
	}
	rcu_read_unlock();
}

/**
 * rio9_netdev_sent - count a PDU
 * @dev: the device; NULL if the port has none
 * @err: why the PDU was not sent, or not all of it; 0 if it was
 * @len: bytes of it
 *
 * Context: softirq, or with it disabled.
 */
static inline void rio9_netdev_sent(struct net_device *dev, int err, unsigned int len)
{
	if (!dev)
		return;
	if (err)
		dev_core_stats_tx_dropped_inc(dev);
	else
		dev_sw_netstats_tx_add(dev, 1, len);
}

#endif
