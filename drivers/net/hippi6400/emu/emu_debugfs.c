// SPDX-License-Identifier: GPL-2.0
/*
 * Faults and counters of the cables: /sys/kernel/debug/hippi6400_emu/.
 *
 *   seed			where all random choices come from
 *   port<N>/tx_ber		bit error rate of what leaves port N
 *   port<N>/unplug		1: the cable is out of port N
 *   port<N>/drop_next		so many micropackets are lost next
 *   port<N>/dup_next		so many arrive twice next
 *   port<N>/truncate_next	so many lose their last bytes next
 *   port<N>/stats		counters
 */
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "emu.h"

#define EMU_BER_TEXT_MAX	48
#define EMU_BER_DIGITS_MAX	18	/* so that the mantissa fits 64 bits */
#define EMU_BER_EXPONENT_MAX	99

/*
 * Reads a decimal fraction such as 0.00001, 1e-6 or 2.5e-7 into errors per
 * EMU_BER_UNIT bits.  What that unit cannot express is refused, not rounded.
 */
static int emu_ber_parse(const char *text, u64 *ber)
{
	unsigned int digits = 0, exponent = 0;
	bool point = false, negative = false;
	int scale = EMU_BER_DIGITS;
	u64 mantissa = 0;

	for (; isdigit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (++digits > EMU_BER_DIGITS_MAX)
			return -ERANGE;
		mantissa = mantissa * 10 + (*text - '0');
		scale -= point;
	}
	if (!digits)
		return -EINVAL;

	if (tolower(*text) == 'e') {
		text++;
		if (*text == '-' || *text == '+')
			negative = *text++ == '-';
		if (!isdigit(*text))
			return -EINVAL;
		for (; isdigit(*text); text++) {
			exponent = exponent * 10 + (*text - '0');
			if (exponent > EMU_BER_EXPONENT_MAX)
				return -ERANGE;
		}
		scale += negative ? -(int)exponent : (int)exponent;
	}
	if (*text)
		return -EINVAL;

	for (; mantissa && scale > 0; scale--) {
		if (mantissa > EMU_BER_UNIT)
			return -ERANGE;
		mantissa *= 10;
	}
	for (; mantissa && scale < 0; scale++) {
		u32 rest;

		mantissa = div_u64_rem(mantissa, 10, &rest);
		if (rest)
			return -ERANGE;
	}
	if (mantissa > EMU_BER_UNIT)
		return -ERANGE;
	*ber = mantissa;
	return 0;
}

static int emu_ber_show(struct seq_file *m, void *unused)
{
	struct emu_line *line = m->private;
	u64 mantissa = READ_ONCE(line->ber), top = 1;
	int exponent = -EMU_BER_DIGITS;
	u32 rest;

	if (!mantissa) {
		seq_puts(m, "0\n");
		return 0;
	}
	while (!(mantissa % 10)) {
		mantissa = div_u64_rem(mantissa, 10, &rest);
		exponent++;
	}
	for (; mantissa / top >= 10; exponent++)
		top *= 10;

	seq_printf(m, "%llu", mantissa / top);
	if (top > 1) {
		seq_putc(m, '.');
		for (mantissa %= top; top > 1; mantissa %= top) {
			top /= 10;
			seq_printf(m, "%llu", mantissa / top);
		}
	}
	if (exponent)
		seq_printf(m, "e%d", exponent);
	seq_putc(m, '\n');
	return 0;
}

static ssize_t emu_ber_write(struct file *file, const char __user *user,
			     size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct emu_line *line = m->private;
	char *text;
	u64 ber;
	int err;

	if (count > EMU_BER_TEXT_MAX)
		return -EINVAL;
	text = memdup_user_nul(user, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = emu_ber_parse(strim(text), &ber);
	kfree(text);
	if (err)
		return err;

	WRITE_ONCE(line->ber, ber);
	return count;
}

static int emu_ber_open(struct inode *inode, struct file *file)
{
	return single_open(file, emu_ber_show, inode->i_private);
}

static const struct file_operations emu_ber_fops = {
	.owner = THIS_MODULE,
	.open = emu_ber_open,
	.read = seq_read,
	.write = emu_ber_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int emu_seed_get(void *data, u64 *val)
{
	struct emu *emu = data;

	*val = READ_ONCE(emu->seed);
	return 0;
}

static int emu_seed_set(void *data, u64 val)
{
	emu_cable_set_seed(data, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_seed_fops, emu_seed_get, emu_seed_set, "%llu\n");

static int emu_unplug_get(void *data, u64 *val)
{
	struct emu_line *line = data;

	*val = READ_ONCE(line->unplugged);
	return 0;
}

static int emu_unplug_set(void *data, u64 val)
{
	struct emu_line *line = data;

	if (val > 1)
		return -EINVAL;
	WRITE_ONCE(line->unplugged, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_unplug_fops, emu_unplug_get, emu_unplug_set,
			 "%llu\n");

static int emu_stats_show(struct seq_file *m, void *unused)
{
	struct emu_line *line = m->private;
	struct emu_line_stats *stats = &line->stats;

	seq_printf(m, "moved %llu\n", READ_ONCE(stats->moved));
	seq_printf(m, "lost %llu\n", READ_ONCE(stats->lost));
	seq_printf(m, "bits_flipped %llu\n", READ_ONCE(stats->bits_flipped));
	seq_printf(m, "hit %llu\n", READ_ONCE(stats->hit));
	seq_printf(m, "dropped %llu\n", READ_ONCE(stats->dropped));
	seq_printf(m, "duplicated %llu\n", READ_ONCE(stats->duplicated));
	seq_printf(m, "truncated %llu\n", READ_ONCE(stats->truncated));
	seq_printf(m, "no_room %llu\n", READ_ONCE(stats->no_room));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(emu_stats);

/**
 * emu_debugfs_register - make our folder
 * @emu: all cards
 */
void emu_debugfs_register(struct emu *emu)
{
	unsigned int port;

	emu->debugfs = debugfs_create_dir("hippi6400_emu", NULL);
	debugfs_create_file_unsafe("seed", 0600, emu->debugfs, emu,
				   &emu_seed_fops);

	for (port = 0; port < emu->ports; port++) {
		struct emu_line *line = &emu->lines[port];
		struct dentry *dir;
		char name[16];

		snprintf(name, sizeof(name), "port%u", port);
		dir = debugfs_create_dir(name, emu->debugfs);
		debugfs_create_file("tx_ber", 0600, dir, line, &emu_ber_fops);
		debugfs_create_file_unsafe("unplug", 0600, dir, line,
					   &emu_unplug_fops);
		debugfs_create_atomic_t("drop_next", 0600, dir,
					&line->drop_next);
		debugfs_create_atomic_t("dup_next", 0600, dir,
					&line->dup_next);
		debugfs_create_atomic_t("truncate_next", 0600, dir,
					&line->truncate_next);
		debugfs_create_file("stats", 0400, dir, line, &emu_stats_fops);
	}
}

/**
 * emu_debugfs_unregister - remove our folder, and wait for its readers
 * @emu: all cards
 */
void emu_debugfs_unregister(struct emu *emu)
{
	debugfs_remove_recursive(emu->debugfs);
}
