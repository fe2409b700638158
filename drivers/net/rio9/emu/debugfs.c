// SPDX-License-Identifier: GPL-2.0
/*
 * The directory /sys/kernel/debug/rio9_emu/.
 *
 *   seed			seed of all faults; writing it begins them anew
 *   topology			links, as in the parameter; writing it makes another fabric
 *   links/<link>/up		0: the link is down
 *   links/<link>/lose		rate of this fault, in packets of a million, in both
 *				directions; and so damage, duplicate, swap
 *   links/<link>/stats		counters of each direction
 *   endpoints/<endpoint>/maint	registers of other devices
 *   endpoints/<endpoint>/packet	packets to send
 *   switches/<switch>/routes	routing table
 *   switches/<switch>/stats	counters
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "debugfs.h"
#include "fabric.h"

/* The longest line that is written to a file, with its end */
#define EMU_LINE	64

/* What a switch looks at: the first half-word, and a destination of 16 bits */
#define EMU_PACKET_MIN	4

static struct emu_fabric *emu_the_fabric;

/* Has @act do what a line says that is written to a file of a node */
static ssize_t emu_node_write(struct file *file, const char __user *user, size_t count,
			      int (*act)(struct emu_node *node, char *line))
{
	struct seq_file *m = file->private_data;
	char line[EMU_LINE];

	if (count >= EMU_LINE) {
		pr_err("found %zu bytes, expected a line of %u at most\n", count, EMU_LINE - 1);
		return -EINVAL;
	}
	if (copy_from_user(line, user, count))
		return -EFAULT;
	line[count] = 0;
	return act(m->private, line) ?: count;
}

static int emu_seed_get(void *data, u64 *val)
{
	struct emu_fabric *fabric = data;

	*val = READ_ONCE(fabric->seed);
	return 0;
}

static int emu_seed_set(void *data, u64 val)
{
	emu_fabric_set_seed(data, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_seed_fops, emu_seed_get, emu_seed_set, "%llu\n");

static int emu_up_get(void *data, u64 *val)
{
	struct emu_link *link = data;

	*val = READ_ONCE(link->up);
	return 0;
}

static int emu_up_set(void *data, u64 val)
{
	struct emu_link *link = data;

	if (val > 1) {
		pr_err("%s: found %llu in up, expected 0 or 1\n", link->name, val);
		return -EINVAL;
	}
	emu_fabric_set_up(emu_the_fabric, link, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_up_fops, emu_up_get, emu_up_set, "%llu\n");

static int emu_rate_get(void *data, u64 *val)
{
	*val = READ_ONCE(*(u32 *)data);
	return 0;
}

static int emu_rate_set(void *data, u64 val)
{
	if (val > EMU_RATE_MAX) {
		pr_err("found a rate of %llu, expected 0 to %u packets of a million\n", val,
		       EMU_RATE_MAX);
		return -EINVAL;
	}
	WRITE_ONCE(*(u32 *)data, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_rate_fops, emu_rate_get, emu_rate_set, "%llu\n");

static void emu_way_show(struct seq_file *m, struct emu_way *way, const char *from, int from_len,
			 const char *to, int to_len)
{
	u64 stats[EMU_WAY_STATS];
	unsigned int waiting = emu_way_stats(way, stats);

	seq_printf(m, "%.*s>%.*s %llu %llu %llu %llu %llu %llu %llu %u\n", from_len, from, to_len,
		   to, stats[EMU_WAY_PACKETS], stats[EMU_WAY_LOST], stats[EMU_WAY_DAMAGED],
		   stats[EMU_WAY_DUPLICATED], stats[EMU_WAY_SWAPPED], stats[EMU_WAY_DOWN],
		   stats[EMU_WAY_BUSY], waiting);
}

static int emu_link_stats_show(struct seq_file *m, void *unused)
{
	struct emu_link *link = m->private;
	const char *first = link->name, *second = strchr(link->name, '-') + 1;
	int first_len = second - first - 1, second_len = strlen(second);

	seq_puts(m, "way packets lost damaged duplicated swapped down busy waiting\n");
	emu_way_show(m, &link->way[0], first, first_len, second, second_len);
	emu_way_show(m, &link->way[1], second, second_len, first, first_len);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(emu_link_stats);

/* The name of the link at a port */
static const char *emu_port_link(const struct emu_node *node, u8 port)
{
	const struct emu_fabric *fabric = emu_the_fabric;
	unsigned int i;

	for (i = 0; i < 2 * fabric->links; i++)
		if (node->out[port] == &fabric->link[i / 2].way[i % 2])
			return fabric->link[i / 2].name;
	return "";
}

static int emu_routes_show(struct seq_file *m, void *unused)
{
	const struct emu_node *node = m->private;
	unsigned int id;
	u8 port;

	seq_puts(m, "destination port link\n");
	for (id = 0; id < node->routes; id++) {
		port = READ_ONCE(node->route[id]);
		if (port != EMU_NO_PORT)
			seq_printf(m, "%u %u %s\n", id, port, emu_port_link(node, port));
	}
	port = READ_ONCE(node->default_route);
	if (port != EMU_NO_PORT)
		seq_printf(m, "default %u %s\n", port, emu_port_link(node, port));
	return 0;
}

/* Reads a line such as "3 1", "3 none" or "default 1" */
static int emu_route_set(struct emu_node *node, char *line)
{
	char *rest = strim(line), *what = strsep(&rest, " ");
	u8 port = EMU_NO_PORT, *route;
	u16 id;

	if (!strcmp(what, "default")) {
		route = &node->default_route;
	} else if (!kstrtou16(what, 10, &id) && id < node->routes) {
		route = &node->route[id];
	} else {
		pr_err("s%u: found the destination \"%s\", expected 0 to %u or \"default\"\n",
		       node->id, what, node->routes - 1);
		return -EINVAL;
	}
	if (!rest || (strcmp(rest, "none") && (kstrtou8(rest, 10, &port) || port >= node->ports))) {
		pr_err("s%u: found the port \"%s\", expected 0 to %u or \"none\"\n", node->id,
		       rest ?: "", node->ports - 1);
		return -EINVAL;
	}
	WRITE_ONCE(*route, port);
	return 0;
}

static ssize_t emu_routes_write(struct file *file, const char __user *user, size_t count,
				loff_t *pos)
{
	return emu_node_write(file, user, count, emu_route_set);
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_routes);

static int emu_switch_stats_show(struct seq_file *m, void *unused)
{
	const struct emu_node *node = m->private;

	seq_printf(m, "forwarded %llu\n", READ_ONCE(node->stats[EMU_SWITCH_FORWARDED]));
	seq_printf(m, "no_route %llu\n", READ_ONCE(node->stats[EMU_SWITCH_NO_ROUTE]));
	seq_printf(m, "bad_tt %llu\n", READ_ONCE(node->stats[EMU_SWITCH_BAD_TT]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(emu_switch_stats);

static int emu_request_show(struct seq_file *m, void *unused)
{
	const struct emu_node *node = m->private;

	seq_printf(m, "0x%08x\n", READ_ONCE(node->maint));
	return 0;
}

/* Reads the numbers of a line; says how many there are */
static int emu_numbers(char *line, u32 *number, int max)
{
	char *word;
	int n = 0;

	line = strim(line);
	while ((word = strsep(&line, " ")))
		if (n == max || kstrtou32(word, 0, &number[n++]))
			return -EINVAL;
	return n;
}

/* "ID HOPS OFFSET" reads, and with a value behind it writes */
static int emu_request_do(struct emu_node *node, char *line)
{
	u32 number[4], value;
	int n, err;

	n = emu_numbers(line, number, ARRAY_SIZE(number));
	if (n < 3 || number[0] > U16_MAX || number[1] > U8_MAX) {
		pr_err("e%u: found no request, expected ID, hops, offset and perhaps a value, as in \"255 0 0x10\"\n",
		       node->id);
		return -EINVAL;
	}
	if (n == 4)
		return rio9_maint_write(node->port, number[0], number[1], number[2], number[3]);
	err = rio9_maint_read(node->port, number[0], number[1], number[2], &value);
	if (!err)
		WRITE_ONCE(node->maint, value);
	return err;
}

static ssize_t emu_request_write(struct file *file, const char __user *user, size_t count,
				 loff_t *pos)
{
	return emu_node_write(file, user, count, emu_request_do);
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_request);

/* Sends what is written, whatever it is, as if the port of the endpoint had */
static ssize_t emu_packet_write(struct file *file, const char __user *user, size_t count,
				loff_t *pos)
{
	const struct emu_node *node = file->private_data;
	u8 packet[RIO9_PACKET_MAX];

	if (count < EMU_PACKET_MIN || count > RIO9_PACKET_MAX) {
		pr_err("e%u: found a packet of %zu bytes, expected %u to %u\n", node->id, count,
		       EMU_PACKET_MIN, RIO9_PACKET_MAX);
		return -EINVAL;
	}
	if (copy_from_user(packet, user, count))
		return -EFAULT;
	return emu_way_put(node->out[0], packet, count) ?: count;
}

static const struct file_operations emu_packet_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = emu_packet_write,
};

static void emu_debugfs_link(struct emu_link *link, struct dentry *links)
{
	static const char * const names[] = {
		[EMU_LOSE] = "lose",
		[EMU_DAMAGE] = "damage",
		[EMU_DUPLICATE] = "duplicate",
		[EMU_SWAP] = "swap",
	};
	struct dentry *dir = debugfs_create_dir(link->name, links);
	unsigned int i;

	debugfs_create_file_unsafe("up", 0600, dir, link, &emu_up_fops);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		debugfs_create_file_unsafe(names[i], 0600, dir, &link->rate[i], &emu_rate_fops);
	debugfs_create_file("stats", 0400, dir, link, &emu_link_stats_fops);
}

static void emu_debugfs_node(struct emu_node *node, struct dentry *endpoints,
			     struct dentry *switches)
{
	struct dentry *dir;
	char name[8];

	snprintf(name, sizeof(name), "%c%u", node->is_switch ? 's' : 'e', node->id);
	dir = debugfs_create_dir(name, node->is_switch ? switches : endpoints);
	if (node->is_switch) {
		debugfs_create_file("routes", 0600, dir, node, &emu_routes_fops);
		debugfs_create_file("stats", 0400, dir, node, &emu_switch_stats_fops);
	} else {
		debugfs_create_file("maint", 0600, dir, node, &emu_request_fops);
		debugfs_create_file("packet", 0200, dir, node, &emu_packet_fops);
	}
}

/**
 * emu_debugfs_create - create the files of a fabric
 * @fabric: the only one, which stays until they are removed
 * @dir: the directory
 *
 * Context: process.
 */
void emu_debugfs_create(struct emu_fabric *fabric, struct dentry *dir)
{
	struct dentry *links, *endpoints, *switches;
	unsigned int i;

	emu_the_fabric = fabric;
	debugfs_create_file_unsafe("seed", 0600, dir, fabric, &emu_seed_fops);
	links = debugfs_create_dir("links", dir);
	for (i = 0; i < fabric->links; i++)
		emu_debugfs_link(&fabric->link[i], links);
	endpoints = debugfs_create_dir("endpoints", dir);
	switches = debugfs_create_dir("switches", dir);
	for (i = 0; i < fabric->nodes; i++)
		emu_debugfs_node(&fabric->node[i], endpoints, switches);
}

/**
 * emu_debugfs_remove - remove the files of a fabric
 * @dir: the directory
 *
 * Context: process; waits for whoever reads or writes them.
 */
void emu_debugfs_remove(struct dentry *dir)
{
	static const char * const names[] = { "seed", "links", "endpoints", "switches" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		debugfs_lookup_and_remove(names[i], dir);
}
