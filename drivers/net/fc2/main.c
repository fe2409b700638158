// SPDX-License-Identifier: GPL-2.0
/*
 * The module, and what it learns of devices.
 */
#include <linux/fc2.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#include "config.h"
#include "family.h"
#include "netlink_ask.h"
#include "ns.h"
#include "port.h"

static int fc2_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEUPPER:
		fc2_config_link(dev, false);
		break;
	case NETDEV_GOING_DOWN:
		fc2_config_link(dev, true);
		break;
	case NETDEV_CHANGEADDR:		/* by which the neighbours know it */
		fc2_config_link(dev, true);
		fc2_config_link(dev, false);
		break;
	case NETDEV_CHANGEMTU:
		fc2_config_resize(dev);
		break;
	case NETDEV_PRE_TYPE_CHANGE:	/* of a bond: to one with other addresses, perhaps */
	case NETDEV_UNREGISTER:		/* also on the way to another namespace */
		fc2_config_delete_all(dev);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block fc2_notifier = {
	.notifier_call	= fc2_netdev_event,
};

static int __init fc2_init(void)
{
	int err = fc2_ports_begin();

	if (err)
		return err;
	err = register_netdevice_notifier(&fc2_notifier);
	if (err)
		goto ports;
	err = fc2_prov_register(&fc2_ns_prov);
	if (err)
		goto notifier;
	err = fc2_nl_ask_begin();
	if (err)
		goto ns;
	err = fc2_family_register();
	if (err)
		goto ask;
	return 0;

ask:
	fc2_nl_ask_end();
ns:
	fc2_prov_unregister(&fc2_ns_prov);
notifier:
	unregister_netdevice_notifier(&fc2_notifier);
ports:
	fc2_ports_end();
	return err;
}

/* The notifier is told that all devices are unregistered; by then nobody makes new ports */
static void __exit fc2_exit(void)
{
	fc2_family_unregister();
	unregister_netdevice_notifier(&fc2_notifier);
	fc2_nl_ask_end();
	fc2_prov_unregister(&fc2_ns_prov);
	fc2_ports_end();
}

module_init(fc2_init);
module_exit(fc2_exit);

MODULE_DESCRIPTION("Fibre Channel FC-2 on Ethernet devices (FCoE)");
MODULE_LICENSE("GPL");
