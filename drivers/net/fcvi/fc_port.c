// SPDX-License-Identifier: GPL-2.0
/*
 * Ports of FC-VI on those of FC-2: how they are found, and how long they are there.
 */
#include <linux/export.h>
#include <linux/fc2.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "fc_port.h"

/* Changed under RTNL, read under RCU */
static LIST_HEAD(fcvi_fc_ports);

/**
 * fcvi_fc_port_list - let a port be found
 * @p: the port, which has a reference for this
 *
 * Context: under RTNL.
 */
void fcvi_fc_port_list(struct fcvi_fc_port *p)
{
	list_add_rcu(&p->list, &fcvi_fc_ports);
}

/**
 * fcvi_fc_port_unlist - let a port be found no longer
 * @p: the port
 *
 * Context: process, under RTNL.
 */
void fcvi_fc_port_unlist(struct fcvi_fc_port *p)
{
	list_del_rcu(&p->list);
	synchronize_rcu();
}

/**
 * fcvi_fc_find - the port on a port of fc2
 * @fc2: the port of fc2
 *
 * Context: under RCU, or RTNL.
 * Return: the port, or NULL.
 */
struct fcvi_fc_port *fcvi_fc_find(const struct fc2_port *fc2)
{
	struct fcvi_fc_port *p;

	list_for_each_entry_rcu(p, &fcvi_fc_ports, list, lockdep_rtnl_is_held())
		if (p->fc2 == fc2)
			return p;
	return NULL;
}

/**
 * fcvi_fc_each - call a function for each port of a network namespace
 * @net: the network namespace
 * @each: the function, which ends the walk when it does not return 0
 * @arg: for @each
 *
 * Context: under RTNL.
 * Return: what @each has returned last, or 0.
 */
int fcvi_fc_each(const struct net *net, int (*each)(struct fcvi_port *port, void *arg), void *arg)
{
	struct fcvi_fc_port *p;
	int err;

	ASSERT_RTNL();
	list_for_each_entry(p, &fcvi_fc_ports, list) {
		err = net_eq(fc2_port_net(p->fc2), net) ? each(&p->port, arg) : 0;
		if (err)
			return err;
	}
	return 0;
}

/**
 * fcvi_fc_port_put - drop a reference to a port
 * @p: the port
 *
 * Context: any but hard interrupts.
 */
void fcvi_fc_port_put(struct fcvi_fc_port *p)
{
	if (refcount_dec_and_test(&p->refs)) {
		fc2_port_put(p->fc2);
		kfree_rcu(p, rcu);
	}
}

/**
 * fcvi_port_find - the port of a device
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: its first port, which is there until struct fcvi_client's port_del() is called, or NULL.
 */
struct fcvi_port *fcvi_port_find(const struct net_device *dev)
{
	const struct fc2_port *fc2 = fc2_port_find(dev);
	struct fcvi_fc_port *p = fc2 ? fcvi_fc_find(fc2) : NULL;

	return p ? &p->port : NULL;
}
EXPORT_SYMBOL_GPL(fcvi_port_find);

/**
 * fcvi_port_hold - take a reference to a port
 * @port: the port
 *
 * Context: any.
 */
void fcvi_port_hold(struct fcvi_port *port)
{
	refcount_inc(&fcvi_fc_port(port)->refs);
}
EXPORT_SYMBOL_GPL(fcvi_port_hold);

/**
 * fcvi_port_put - drop a reference to a port
 * @port: the port
 *
 * Context: any but hard interrupts.
 */
void fcvi_port_put(struct fcvi_port *port)
{
	fcvi_fc_port_put(fcvi_fc_port(port));
}
EXPORT_SYMBOL_GPL(fcvi_port_put);

/**
 * fcvi_port_fc2 - the port of fc2 that a port is
 * @port: the port
 *
 * Context: any.
 * Return: the port of fc2.  Its device is there until struct fcvi_client's port_del() is called.
 */
struct fc2_port *fcvi_port_fc2(const struct fcvi_port *port)
{
	return container_of(port, struct fcvi_fc_port, port)->fc2;
}
EXPORT_SYMBOL_GPL(fcvi_port_fc2);
