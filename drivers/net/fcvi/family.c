// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: registration of the family.
 */
#include <linux/module.h>

#include "family.h"
#include "genl.h"

/**
 * fcvi_family_register - begin to serve requests
 *
 * Return: 0 or a negative errno.
 */
int fcvi_family_register(void)
{
	return genl_register_family(&fcvi_nl_family);
}

/**
 * fcvi_family_unregister - end that
 */
void fcvi_family_unregister(void)
{
	genl_unregister_family(&fcvi_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(FCVI_FAMILY_NAME);
