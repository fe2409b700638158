// SPDX-License-Identifier: GPL-2.0
/*
 * FC-4s come and go.
 */
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "exch.h"
#include "port.h"
#include "prov.h"

/**
 * fc2_prov_register - begin to use a TYPE
 * @prov: the FC-4; its port_add() and login() are called for all ports that are there
 *
 * Context: process; takes RTNL.
 * Return: 0, or -EBUSY when the TYPE has a user, or another negative errno.
 */
int fc2_prov_register(struct fc2_prov *prov)
{
	struct fc2_iface *iface;
	struct fc2_port *port;
	int err;

	rtnl_lock();
	err = fc2_prov_set(prov);
	if (err)
		goto unlock;
	list_for_each_entry(iface, &fc2_ifaces, list)
		list_for_each_entry(port, &iface->ports, list)
			fc2_prov_meet(prov, port);
unlock:
	rtnl_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(fc2_prov_register);

/**
 * fc2_prov_unregister - end the use of a TYPE
 * @prov: the FC-4; its port_del() is called for all ports, and then fc2_exch_ops.end() for its
 *	Exchanges that are open
 *
 * When this returns, nothing of the FC-4 is called any more.
 *
 * Context: process; takes RTNL.
 */
void fc2_prov_unregister(struct fc2_prov *prov)
{
	struct fc2_iface *iface;
	struct fc2_port *port;

	rtnl_lock();
	fc2_prov_clear(prov);
	list_for_each_entry(iface, &fc2_ifaces, list) {
		list_for_each_entry(port, &iface->ports, list) {
			fc2_prov_part(prov, port);
			fc2_exch_prov_end(port, prov);
		}
	}
	rtnl_unlock();
	/* Frames of Exchanges, which are found without the TYPE */
	synchronize_net();
}
EXPORT_SYMBOL_GPL(fc2_prov_unregister);
