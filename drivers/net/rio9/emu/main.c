// SPDX-License-Identifier: GPL-2.0
/*
 * An emulated fabric of RapidIO: module and parameters.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "debugfs.h"
#include "fabric.h"

/* The longest text of a topology: all links, between nodes of the longest names */
#define EMU_TOPOLOGY_MAX	(EMU_LINKS_MAX * (EMU_LINK_NAME + 1))

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

/* A fabric takes the place of another, or goes */
static DEFINE_MUTEX(emu_lock);
static struct emu_config emu_config;
static struct emu_fabric *emu_fabric;
static struct dentry *emu_dir;

static void emu_take_away(void)
{
	lockdep_assert_held(&emu_lock);
	if (!emu_fabric)
		return;
	emu_debugfs_remove(emu_dir);
	emu_fabric_destroy(emu_fabric);
	emu_fabric = NULL;
}

static int emu_make(const struct emu_plan *plan)
{
	struct emu_fabric *fabric;

	lockdep_assert_held(&emu_lock);
	fabric = emu_fabric_create(plan, &emu_config, seed);
	if (IS_ERR(fabric)) {
		pr_err("cannot make the fabric: error %ld\n", PTR_ERR(fabric));
		return PTR_ERR(fabric);
	}
	emu_fabric = fabric;
	emu_debugfs_create(fabric, emu_dir);
	return 0;
}

/* A text that is no topology leaves the fabric as it is */
static int emu_make_from(const char *text)
{
	struct emu_plan *plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	int err;

	if (!plan)
		return -ENOMEM;
	/* The largest numbers are no addresses */
	err = emu_plan_parse(plan, text, emu_config.large ? U16_MAX - 1 : U8_MAX - 1);
	if (!err) {
		mutex_lock(&emu_lock);
		emu_take_away();
		err = emu_make(plan);
		mutex_unlock(&emu_lock);
	}
	kfree(plan);
	return err;
}

static int emu_topology_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	mutex_lock(&emu_lock);
	for (i = 0; emu_fabric && i < emu_fabric->links; i++)
		seq_printf(m, "%s%s", i ? "," : "", emu_fabric->link[i].name);
	mutex_unlock(&emu_lock);
	seq_putc(m, '\n');
	return 0;
}

static ssize_t emu_topology_write(struct file *file, const char __user *user, size_t count,
				  loff_t *pos)
{
	char *text;
	int err;

	if (count > EMU_TOPOLOGY_MAX) {
		pr_err("topology: found %zu bytes, expected %u at most\n", count,
		       EMU_TOPOLOGY_MAX);
		return -EINVAL;
	}
	text = memdup_user_nul(user, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = emu_make_from(strim(text));
	kfree(text);
	return err ?: count;
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_topology);

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
	int err;

	err = emu_check();
	if (err)
		return err;
	emu_config = (struct emu_config) {
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
	if (!seed)
		seed = get_random_u32();
	pr_info("seed=%llu repeats the faults\n", seed);
	emu_dir = debugfs_create_dir("rio9_emu", NULL);
	err = emu_make_from(topology);
	if (err)
		debugfs_remove(emu_dir);
	else
		debugfs_create_file("topology", 0600, emu_dir, NULL, &emu_topology_fops);
	return err;
}

static void __exit emu_exit(void)
{
	/* Waits for who is making a fabric */
	debugfs_lookup_and_remove("topology", emu_dir);
	mutex_lock(&emu_lock);
	emu_take_away();
	mutex_unlock(&emu_lock);
	debugfs_remove(emu_dir);
}

module_init(emu_init);
module_exit(emu_exit);
MODULE_DESCRIPTION("Emulated RapidIO fabric for Type 9 data streaming");
MODULE_LICENSE("GPL");
