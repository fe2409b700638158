// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: registration of the family.
 */
#include <linux/module.h>

#include "genl.h"

static int __init rio9_init(void)
{
	return genl_register_family(&rio9_nl_family);
}

static void __exit rio9_exit(void)
{
	genl_unregister_family(&rio9_nl_family);
}

module_init(rio9_init);
module_exit(rio9_exit);
MODULE_ALIAS_GENL_FAMILY(RIO9_FAMILY_NAME);
