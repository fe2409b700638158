// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI: begin and end of the module.
 */
#include <linux/module.h>

#include "fc.h"

static int __init fcvi_init(void)
{
	return fcvi_fc_begin();
}

static void __exit fcvi_exit(void)
{
	fcvi_fc_end();
}

module_init(fcvi_init);
module_exit(fcvi_exit);

MODULE_DESCRIPTION("Fibre Channel FC-VI");
MODULE_LICENSE("GPL");
