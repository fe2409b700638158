// SPDX-License-Identifier: GPL-2.0
/*
 * Ports come and go with their devices, and so do master ports of the core.
 *
 * The core calls drivers under its locks, and some of them take RTNL.  So nothing is
 * registered with the core under RTNL, where devices come and go, but by a work.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/rio_drv.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "mport.h"
#include "regs.h"

/* Register map I, with 32 bytes for each port */
#define RIO9_MPORT_MAP	1

static LIST_HEAD(rio9_mports);
static struct workqueue_struct *rio9_mport_wq;
/* The module goes */
static bool rio9_mport_leaving;

static void rio9_mport_release(struct device *dev)
{
	struct rio9_mport *m = container_of(to_rio_mport(dev), struct rio9_mport, mport);

	complete(&m->released);
}

static void rio9_mport_join(struct work_struct *work)
{
	struct rio9_mport *m = container_of(work, struct rio9_mport, join);
	int err;

	/* The core has numbers for eight ports, and gives none of them twice */
	if (!rcu_access_pointer(m->port))
		return;
	err = rio_mport_initialize(&m->mport);
	if (!err)
		err = rio_register_mport(&m->mport);
	if (err)
		pr_err("%s: cannot be a master port: error %d\n", m->mport.name, err);
	else
		pr_info("%s is the master port %u\n", m->mport.name, m->mport.id);
	m->registered = !err;
}

static void rio9_mport_leave(struct work_struct *work)
{
	struct rio9_mport *m = container_of(work, struct rio9_mport, leave);

	if (m->registered) {
		rio_unregister_mport(&m->mport);
		wait_for_completion(&m->released);
	}
	mutex_destroy(&m->lock);
	kfree(m);
}

static struct rio9_mport *rio9_mport_find(const struct net_device *dev)
{
	struct rio9_mport *m;

	ASSERT_RTNL();
	list_for_each_entry(m, &rio9_mports, node)
		if (m->dev == dev)
			return m;
	return NULL;
}

static void rio9_mport_attach(const struct net_device *dev)
{
	struct rio9_port *port = rio9_netdev_port(dev);
	struct rio9_mport *m;

	ASSERT_RTNL();
	if (!rio9_has_maint(port) || rio9_mport_find(dev))
		return;
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m) {
		pr_err("%s: no memory for a master port\n", dev->name);
		return;
	}
	m->dev = dev;
	mutex_init(&m->lock);
	RCU_INIT_POINTER(m->port, port);
	INIT_WORK(&m->join, rio9_mport_join);
	INIT_WORK(&m->leave, rio9_mport_leave);
	init_completion(&m->released);
	m->mport.ops = &rio9_mport_ops;
	m->mport.sys_size = rio9_port_caps(port)->large;
	m->mport.phys_efptr = RIO9_LP_SERIAL;
	m->mport.phys_rmap = RIO9_MPORT_MAP;
	m->mport.dev.release = rio9_mport_release;
	INIT_LIST_HEAD(&m->mport.dbells);
	strscpy(m->mport.name, dev->name);
	list_add_tail(&m->node, &rio9_mports);
	queue_work(rio9_mport_wq, &m->join);
}

static void rio9_mport_detach(struct rio9_mport *m)
{
	ASSERT_RTNL();
	list_del(&m->node);
	mutex_lock(&m->lock);
	RCU_INIT_POINTER(m->port, NULL);
	mutex_unlock(&m->lock);
	/* Registers of the port may be in use */
	synchronize_rcu();
	queue_work(rio9_mport_wq, &m->leave);
}

static int rio9_mport_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct rio9_mport *m;

	if (!rio9_is_port(dev))
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_REGISTER:
		if (!READ_ONCE(rio9_mport_leaving))
			rio9_mport_attach(dev);
		break;
	case NETDEV_UNREGISTER:
		/* A device that moves to another namespace stays registered */
		if (dev->reg_state == NETREG_REGISTERED && !READ_ONCE(rio9_mport_leaving))
			break;
		m = rio9_mport_find(dev);
		if (m)
			rio9_mport_detach(m);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block rio9_mport_notifier = {
	.notifier_call = rio9_mport_event,
};

static int __init rio9_mport_init(void)
{
	int err;

	rio9_mport_wq = alloc_ordered_workqueue("rio9_mport", 0);
	if (!rio9_mport_wq)
		return -ENOMEM;
	err = rio9_mport_peers_init();
	if (err)
		goto out_wq;
	err = register_netdevice_notifier(&rio9_mport_notifier);
	if (err)
		goto out_peers;
	return 0;

out_peers:
	rio9_mport_peers_exit();
out_wq:
	destroy_workqueue(rio9_mport_wq);
	return err;
}

/* Whoever leaves the notifiers is told that all devices go */
static void __exit rio9_mport_exit(void)
{
	rio9_mport_peers_exit();
	WRITE_ONCE(rio9_mport_leaving, true);
	unregister_netdevice_notifier(&rio9_mport_notifier);
	destroy_workqueue(rio9_mport_wq);
}

module_init(rio9_mport_init);
module_exit(rio9_mport_exit);
MODULE_DESCRIPTION("RapidIO Type 9 ports as master ports of Linux's rapidio core");
MODULE_LICENSE("GPL");
