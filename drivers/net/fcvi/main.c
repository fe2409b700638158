// SPDX-License-Identifier: GPL-2.0
/*
 * FC-VI: begin and end of the module.
 */
#include <linux/module.h>

#include "dev_main.h"
#include "family.h"
#include "fc.h"

static int __init fcvi_init(void)
{
	int err = fcvi_fc_begin();

	if (err)
		return err;
	err = fcvi_dev_begin();
	if (err)
		goto fc;
	err = fcvi_family_register();
	if (err)
		goto dev;
	return 0;

dev:
	fcvi_dev_exit();
fc:
	fcvi_fc_end();
	return err;
}

static void __exit fcvi_exit(void)
{
	fcvi_family_unregister();
	fcvi_dev_exit();
	fcvi_fc_end();
}

module_init(fcvi_init);
module_exit(fcvi_exit);

MODULE_DESCRIPTION("Fibre Channel FC-VI");
MODULE_LICENSE("GPL");
