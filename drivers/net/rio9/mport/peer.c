// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoints that the core has found through a port become peers of it.
 */
#include <linux/module.h>
#include <linux/rio_drv.h>
#include <linux/rio_ids.h>
#include <linux/rio_regs.h>

#include "mport.h"
#include "regs.h"

static struct rio9_mport *rio9_mport_of(const struct rio_dev *rdev)
{
	return container_of(rdev->net->hport, struct rio9_mport, mport);
}

static int rio9_mport_probe(struct rio_dev *rdev, const struct rio_device_id *id)
{
	struct rio9_mport *m;
	struct rio9_port *port;
	int err = -ENODEV;

	if (rdev->net->hport->ops != &rio9_mport_ops || rdev->pef & RIO_PEF_SWITCH ||
	    !(rdev->dst_ops & RIO9_OPS_STREAMING))
		return -ENODEV;
	m = rio9_mport_of(rdev);
	mutex_lock(&m->lock);
	port = rcu_dereference_protected(m->port, lockdep_is_held(&m->lock));
	if (port)
		err = rio9_port_add_peer(port, rdev->destid);
	mutex_unlock(&m->lock);
	return err;
}

static void rio9_mport_remove(struct rio_dev *rdev)
{
	struct rio9_mport *m = rio9_mport_of(rdev);
	struct rio9_port *port;

	mutex_lock(&m->lock);
	port = rcu_dereference_protected(m->port, lockdep_is_held(&m->lock));
	if (port)
		rio9_port_del_peer(port, rdev->destid);
	mutex_unlock(&m->lock);
}

/* Vendors do not tell which endpoints have data streaming */
static const struct rio_device_id rio9_mport_ids[] = {
	{ RIO_DEVICE(RIO_ANY_ID, RIO_ANY_ID) },
	{}
};
MODULE_DEVICE_TABLE(rapidio, rio9_mport_ids);

static struct rio_driver rio9_mport_driver = {
	.name = KBUILD_MODNAME,
	.id_table = rio9_mport_ids,
	.probe = rio9_mport_probe,
	.remove = rio9_mport_remove,
};

/**
 * rio9_mport_peers_init - peers are added from now on
 *
 * Context: process.
 * Return: 0 or an error.
 */
int rio9_mport_peers_init(void)
{
	return rio_register_driver(&rio9_mport_driver);
}

/**
 * rio9_mport_peers_exit - those that were added are taken away
 *
 * Context: process, without RTNL.
 */
void rio9_mport_peers_exit(void)
{
	rio_unregister_driver(&rio9_mport_driver);
}
