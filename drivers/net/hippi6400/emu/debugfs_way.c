// SPDX-License-Identifier: GPL-2.0
/*
 * Faults and counters of one direction of a cable:
 *
 *   ber, drop_rate, dup_rate,	random rates at which bits flip, micropackets
 *   truncate_rate		are lost, arrive twice, lose their last bytes
 *   drop_next, dup_next,	the next that are lost, arrive twice, lose
 *   truncate_next		their last bytes
 *   burst			micropackets in a row that a loss or bit error hits
 *   hit_types			TYPEs that faults strike
 *   hit_bits			bits that may flip
 *   delay			microseconds from one end to the other
 *   stuck			1: nothing comes out
 *   stats			counters
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/limits.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "emu/debugfs.h"

static int emu_rate_show(struct seq_file *m, void *unused)
{
	const struct emu_chance *chance = m->private;
	char text[EMU_RATE_TEXT];

	emu_rate_print(READ_ONCE(chance->rate), text);
	seq_printf(m, "%s\n", text);
	return 0;
}

/* Reads the one word that a program wrote; @text has @size bytes */
static int emu_debugfs_word(const char __user *user, size_t count, char *text, size_t size)
{
	if (count >= size)
		return -EINVAL;
	if (copy_from_user(text, user, count))
		return -EFAULT;
	text[count] = '\0';
	return 0;
}

static ssize_t emu_rate_write(struct file *file, const char __user *user, size_t count,
			      loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct emu_chance *chance = m->private;
	char text[EMU_RATE_TEXT];
	u64 rate;
	int err;

	err = emu_debugfs_word(user, count, text, sizeof(text));
	if (!err)
		err = emu_rate_parse(strim(text), &rate);
	if (err)
		return err;
	WRITE_ONCE(chance->rate, rate);
	return count;
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_rate);

static const char * const emu_hit_bits_names[] = {
	[EMU_HIT_ALL] = "all",
	[EMU_HIT_DATA] = "data",
	[EMU_HIT_CONTROL] = "control",
	[EMU_HIT_ECRC] = "ecrc",
	[EMU_HIT_LCRC] = "lcrc",
};

static int emu_hit_bits_show(struct seq_file *m, void *unused)
{
	const struct emu_way *way = m->private;

	seq_printf(m, "%s\n", emu_hit_bits_names[READ_ONCE(way->hit_bits)]);
	return 0;
}

static ssize_t emu_hit_bits_write(struct file *file, const char __user *user, size_t count,
				  loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct emu_way *way = m->private;
	char text[16];
	int bits;

	bits = emu_debugfs_word(user, count, text, sizeof(text));
	if (!bits)
		bits = match_string(emu_hit_bits_names, ARRAY_SIZE(emu_hit_bits_names),
				    strim(text));
	if (bits < 0)
		return bits;
	WRITE_ONCE(way->hit_bits, bits);
	return count;
}
DEFINE_SHOW_STORE_ATTRIBUTE(emu_hit_bits);

static int emu_next_get(void *data, u64 *val)
{
	*val = atomic_read(data);
	return 0;
}

static int emu_next_set(void *data, u64 val)
{
	if (val > INT_MAX)
		return -ERANGE;
	atomic_set(data, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emu_next_fops, emu_next_get, emu_next_set, "%llu\n");

static int emu_hit_types_get(void *data, u64 *val)
{
	struct emu_way *way = data;

	*val = READ_ONCE(way->hit_types);
	return 0;
}

static int emu_hit_types_set(void *data, u64 val)
{
	struct emu_way *way = data;

	if (val > U16_MAX)
		return -ERANGE;
	WRITE_ONCE(way->hit_types, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emu_hit_types_fops, emu_hit_types_get, emu_hit_types_set, "0x%04llx\n");

static int emu_burst_get(void *data, u64 *val)
{
	struct emu_way *way = data;

	*val = READ_ONCE(way->burst);
	return 0;
}

static int emu_burst_set(void *data, u64 val)
{
	struct emu_way *way = data;

	if (!val || val > EMU_BURST_MAX)
		return -ERANGE;
	WRITE_ONCE(way->burst, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emu_burst_fops, emu_burst_get, emu_burst_set, "%llu\n");

static int emu_delay_get(void *data, u64 *val)
{
	struct emu_way *way = data;

	*val = READ_ONCE(way->delay_usecs);
	return 0;
}

static int emu_delay_set(void *data, u64 val)
{
	struct emu_way *way = data;
	int err;

	if (val > EMU_DELAY_MAX_USECS)
		return -ERANGE;
	mutex_lock(&way->emu->lock);
	err = emu_way_set_delay(way, val);
	mutex_unlock(&way->emu->lock);
	return err;
}
DEFINE_DEBUGFS_ATTRIBUTE(emu_delay_fops, emu_delay_get, emu_delay_set, "%llu\n");

static int emu_stuck_get(void *data, u64 *val)
{
	struct emu_way *way = data;

	*val = READ_ONCE(way->stuck);
	return 0;
}

static int emu_stuck_set(void *data, u64 val)
{
	struct emu_way *way = data;

	if (val > 1)
		return -EINVAL;
	WRITE_ONCE(way->stuck, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(emu_stuck_fops, emu_stuck_get, emu_stuck_set, "%llu\n");

static int emu_stats_show(struct seq_file *m, void *unused)
{
	const struct emu_way *way = m->private;
	const struct emu_way_stats *stats = &way->stats;

	seq_printf(m, "moved %llu\n", READ_ONCE(stats->moved));
	seq_printf(m, "lost %llu\n", READ_ONCE(stats->lost));
	seq_printf(m, "bits_flipped %llu\n", READ_ONCE(stats->bits_flipped));
	seq_printf(m, "hit %llu\n", READ_ONCE(stats->hit));
	seq_printf(m, "dropped %llu\n", READ_ONCE(stats->dropped));
	seq_printf(m, "duplicated %llu\n", READ_ONCE(stats->duplicated));
	seq_printf(m, "truncated %llu\n", READ_ONCE(stats->truncated));
	seq_printf(m, "stuck %llu\n", READ_ONCE(stats->stuck));
	seq_printf(m, "delayed %llu\n", READ_ONCE(stats->delayed));
	seq_printf(m, "delay_full %llu\n", READ_ONCE(stats->delay_full));
	seq_printf(m, "no_room %llu\n", READ_ONCE(stats->no_room));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(emu_stats);

/**
 * emu_debugfs_way - create the files of one direction
 * @way: the direction
 * @dir: their directory
 * @ber: name of the bit error rate, which names the direction in a port's
 *	directory
 */
void emu_debugfs_way(struct emu_way *way, struct dentry *dir, const char *ber)
{
	debugfs_create_file(ber, 0600, dir, &way->flip, &emu_rate_fops);
	debugfs_create_file("drop_rate", 0600, dir, &way->drop, &emu_rate_fops);
	debugfs_create_file("dup_rate", 0600, dir, &way->dup, &emu_rate_fops);
	debugfs_create_file("truncate_rate", 0600, dir, &way->truncate, &emu_rate_fops);
	debugfs_create_file_unsafe("drop_next", 0600, dir, &way->drop_next, &emu_next_fops);
	debugfs_create_file_unsafe("dup_next", 0600, dir, &way->dup_next, &emu_next_fops);
	debugfs_create_file_unsafe("truncate_next", 0600, dir, &way->truncate_next, &emu_next_fops);
	debugfs_create_file_unsafe("burst", 0600, dir, way, &emu_burst_fops);
	debugfs_create_file_unsafe("hit_types", 0600, dir, way, &emu_hit_types_fops);
	debugfs_create_file("hit_bits", 0600, dir, way, &emu_hit_bits_fops);
	debugfs_create_file_unsafe("delay", 0600, dir, way, &emu_delay_fops);
	debugfs_create_file_unsafe("stuck", 0600, dir, way, &emu_stuck_fops);
	debugfs_create_file("stats", 0400, dir, way, &emu_stats_fops);
}
