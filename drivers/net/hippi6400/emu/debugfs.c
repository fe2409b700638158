// SPDX-License-Identifier: GPL-2.0
/*
 * The directory /sys/kernel/debug/hippi6400_emu/.
 *
 *   seed		seed of all random choices
 *   topology		the cabling of the ports
 *   port<N>/unplug	1: the cable is unplugged from port N
 *   port<N>/line	the far end of port N, for a program
 *   port<N>/		the direction that leaves port N: debugfs_way.c
 *   port<N>/rx/	the direction that arrives at port N
 *   switch<N>/		a switch: debugfs_switch.c
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "emu/card/card.h"
#include "emu/debugfs.h"
#include "emu/fabric/fabric.h"

static int emu_topology_show(struct seq_file *m, void *unused)
{
	struct emu *emu = m->private;
	char *text = kmalloc(EMU_TOPOLOGY_TEXT, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	mutex_lock(&emu->lock);
	emu_topology_print(&emu->topology, text);
	mutex_unlock(&emu->lock);
	seq_printf(m, "%s\n", text);
	kfree(text);
	return 0;
}

static ssize_t emu_topology_write(struct file *file, const char __user *user, size_t count,
				  loff_t *pos)
{
	struct seq_file *m = file->private_data;
	char *text;
	int err;

	if (count > EMU_TOPOLOGY_TEXT)
		return -EINVAL;
	text = memdup_user_nul(user, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = emu_connect_topology(m->private, text);
	kfree(text);
	return err ?: count;
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_topology);

static int emu_debugfs_seed_get(void *data, u64 *val)
{
	struct emu *emu = data;

	*val = READ_ONCE(emu->seed.value);
	return 0;
}

static int emu_debugfs_seed_set(void *data, u64 val)
{
	struct emu *emu = data;

	emu_seed_set(&emu->seed, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_seed_fops, emu_debugfs_seed_get, emu_debugfs_seed_set, "%llu\n");

static int emu_unplug_get(void *data, u64 *val)
{
	struct emu_port *port = data;

	*val = READ_ONCE(port->unplugged);
	return 0;
}

static int emu_unplug_set(void *data, u64 val)
{
	struct emu_port *port = data;

	if (val > 1)
		return -EINVAL;
	WRITE_ONCE(port->unplugged, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_unplug_fops, emu_unplug_get, emu_unplug_set,
			 "%llu\n");

static void emu_debugfs_port(struct emu *emu, unsigned int number)
{
	struct emu_port *port = &emu->port[number];
	struct dentry *dir;
	char name[16];

	snprintf(name, sizeof(name), "port%u", number);
	dir = debugfs_create_dir(name, emu->debugfs);
	debugfs_create_file_unsafe("unplug", 0600, dir, port, &emu_unplug_fops);
	debugfs_create_file("line", 0600, dir, port, &emu_line_fops);
	emu_debugfs_way(&port->tx, dir, "tx_ber");
	emu_debugfs_way(&port->rx, debugfs_create_dir("rx", dir), "ber");
	emu_inject_register(&emu->cards[number], dir);
}

/**
 * emu_debugfs_register - create the directory
 * @emu: all cards
 */
void emu_debugfs_register(struct emu *emu)
{
	unsigned int port;

	emu->debugfs = debugfs_create_dir("hippi6400_emu", NULL);
	debugfs_create_file_unsafe("seed", 0600, emu->debugfs, emu,
				   &emu_seed_fops);
	for (port = 0; port < emu->ports; port++)
		emu_debugfs_port(emu, port);
	emu_debugfs_switches(emu);
	emu->topology_file = debugfs_create_file("topology", 0600, emu->debugfs, emu,
						 &emu_topology_fops);
}

/**
 * emu_debugfs_unregister - remove the directory and wait for its readers
 * @emu: all cards
 */
void emu_debugfs_unregister(struct emu *emu)
{
	/* First the file whose writers create and remove directories */
	debugfs_remove(emu->topology_file);
	debugfs_remove_recursive(emu->debugfs);
}
