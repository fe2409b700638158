// SPDX-License-Identifier: GPL-2.0
/*
 * An emulated fabric of RapidIO: module and parameters.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "debugfs.h"
#include "fabric.h"

static char *topology = "e1-s0,e2-s0";
module_param(topology, charp, 0444);
MODULE_PARM_DESC(topology, "links, such as e1-s0,e2-s0: endpoints e and their ID, switches s and a number (default e1-s0,e2-s0)");

static unsigned int id_bits = 8;
module_param(id_bits, uint, 0444);
MODULE_PARM_DESC(id_bits, "size of IDs, 8 or 16 (default 8)");

static bool unconfigured;
module_param(unconfigured, bool, 0444);
MODULE_PARM_DESC(unconfigured, "endpoints have no IDs and no peers, switches no routes, until a host enumerates the fabric (default no)");

static unsigned int depth = EMU_DEPTH_DEFAULT;
module_param(depth, uint, 0444);
MODULE_PARM_DESC(depth, "packets that may wait in each direction of a link, 64 to 16384 (default 512)");

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of all faults (default 0: chosen at load)");

static unsigned int lose;
module_param(lose, uint, 0444);
MODULE_PARM_DESC(lose, "packets of a million that are lost on each link (default 0)");

static unsigned int damage;
module_param(damage, uint, 0444);
MODULE_PARM_DESC(damage, "packets of a million that are damaged (default 0)");

static unsigned int duplicate;
module_param(duplicate, uint, 0444);
MODULE_PARM_DESC(duplicate, "packets of a million that come twice (default 0)");

static unsigned int swap;
module_param(swap, uint, 0444);
MODULE_PARM_DESC(swap, "packets of a million that come after the next of their physical channel (default 0)");

static struct emu_fabric *emu_fabric;
static struct dentry *emu_dir;

static int __init emu_check_range(const char *name, unsigned int found, unsigned int min,
				  unsigned int max)
{
	if (found >= min && found <= max)
		return 0;
	pr_err("%s: found %u, expected %u to %u\n", name, found, min, max);
	return -EINVAL;
}

static int __init emu_check(void)
{
	if (id_bits != 8 && id_bits != 16) {
		pr_err("id_bits: found %u, expected 8 or 16\n", id_bits);
		return -EINVAL;
	}
	return emu_check_range("depth", depth, EMU_DEPTH_MIN, EMU_DEPTH_MAX) ?:
	       emu_check_range("lose", lose, 0, EMU_RATE_MAX) ?:
	       emu_check_range("damage", damage, 0, EMU_RATE_MAX) ?:
	       emu_check_range("duplicate", duplicate, 0, EMU_RATE_MAX) ?:
	       emu_check_range("swap", swap, 0, EMU_RATE_MAX);
}

static int __init emu_init(void)
{
	struct emu_config config = {
		.large = id_bits == 16,
		.unconfigured = unconfigured,
		.depth = depth,
		.rate = {
			[EMU_LOSE] = lose,
			[EMU_DAMAGE] = damage,
			[EMU_DUPLICATE] = duplicate,
			[EMU_SWAP] = swap,
		},
	};
	struct emu_plan *plan;
	int err;

	err = emu_check();
	if (err)
		return err;
	plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	if (!plan)
		return -ENOMEM;
	/* The largest numbers are no addresses */
	err = emu_plan_parse(plan, topology, config.large ? U16_MAX - 1 : U8_MAX - 1);
	if (err)
		goto out;
	if (!seed)
		seed = get_random_u32();
	pr_info("seed=%llu repeats the faults\n", seed);
	emu_fabric = emu_fabric_create(plan, &config, seed);
	if (IS_ERR(emu_fabric)) {
		err = PTR_ERR(emu_fabric);
		pr_err("cannot make the fabric: error %d\n", err);
		goto out;
	}
	emu_dir = emu_debugfs_create(emu_fabric);
out:
	kfree(plan);
	return err;
}

static void __exit emu_exit(void)
{
	debugfs_remove_recursive(emu_dir);
	emu_fabric_destroy(emu_fabric);
}

module_init(emu_init);
module_exit(emu_exit);
MODULE_DESCRIPTION("Emulated RapidIO fabric for Type 9 data streaming");
MODULE_LICENSE("GPL");
