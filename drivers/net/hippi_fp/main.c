// SPDX-License-Identifier: GPL-2.0
/*
 * Init and exit of the module.
 */
#include <linux/module.h>
#include <net/rtnetlink.h>

#include "family.h"
#include "port.h"

static int __init hfp_init(void)
{
	int err;

	err = register_netdevice_notifier(&hfp_port_notifier);
	if (err)
		return err;
	err = hfp_family_register();
	if (err)
		goto unregister_notifier;
	err = rtnl_link_register(&hfp_link_ops);
	if (err)
		goto unregister_family;
	return 0;

unregister_family:
	hfp_family_unregister();
unregister_notifier:
	unregister_netdevice_notifier(&hfp_port_notifier);
	return err;
}

/* The ports first: the rest is told of their end */
static void __exit hfp_exit(void)
{
	rtnl_link_unregister(&hfp_link_ops);
	hfp_family_unregister();
	unregister_netdevice_notifier(&hfp_port_notifier);
}

module_init(hfp_init);
module_exit(hfp_exit);

MODULE_DESCRIPTION("HIPPI-FP over Ethernet devices and HIPPI-6400 ports, with IP (HIPPI-LE)");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK("hippi_fp");
