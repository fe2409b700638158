/* SPDX-License-Identifier: GPL-2.0 */
/* A port of HIPPI-FP: a network device above the one that carries its packets. */
#ifndef _HFP_PORT_H
#define _HFP_PORT_H

#include <linux/atomic.h>
#include <linux/hippi_fp.h>
#include <linux/list.h>
#include <linux/netdevice.h>

#include "stats.h"

struct notifier_block;
struct rtnl_link_ops;

/**
 * struct hfp_port - private data of the network device of a port
 * @dev: the device
 * @lower: the device that carries its packets, with a reference
 * @tracker: of that reference
 * @node: in the list of all ports
 * @hippi6400: @lower is a port of HIPPI-6400
 * @frames: receives the frames of @lower while the port is up
 * @packets: receives the packets of @dev that are not of HIPPI-LE, likewise
 * @filter: the address that was added to those that @lower receives
 * @filtered: there is one
 * @stats: &enum hfp_stat
 */
struct hfp_port {
	struct net_device	*dev;
	struct net_device	*lower;
	netdevice_tracker	tracker;
	struct list_head	node;
	bool			hippi6400;
	struct packet_type	frames;
	struct packet_type	packets;
	u8			filter[ETH_ALEN];
	bool			filtered;
	atomic64_t		stats[HFP_STATS];
};

static inline void hfp_count(struct hfp_port *port, enum hfp_stat stat)
{
	atomic64_inc(&port->stats[stat]);
}

extern struct rtnl_link_ops hfp_link_ops;
extern struct notifier_block hfp_port_notifier;

#endif
