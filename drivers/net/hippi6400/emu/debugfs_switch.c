// SPDX-License-Identifier: GPL-2.0
/*
 * Files of a switch:
 *
 *   switch<N>/stats	counters of each port, of its link, and of all ports
 *   switch<N>/table	learned addresses
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "emu/debugfs.h"

/**
 * struct emu_counter - a counter of a port
 * @name: as shown
 * @offset: in struct emu_sport
 */
struct emu_counter {
	const char *name;
	size_t offset;
};

#define EMU_MESSAGES(n)	{ #n, offsetof(struct emu_sport, stats.n) }
#define EMU_LINK(n)	{ #n, offsetof(struct emu_sport, link.stats.n) }

static const struct emu_counter emu_counters[] = {
	EMU_MESSAGES(rx_messages),
	EMU_MESSAGES(rx_flooded),
	EMU_MESSAGES(rx_filtered),
	EMU_MESSAGES(rx_no_output),
	EMU_MESSAGES(rx_ecrc_errors),
	EMU_MESSAGES(rx_header_without_tail),
	EMU_MESSAGES(rx_data_without_header),
	EMU_MESSAGES(rx_over_limit),
	EMU_MESSAGES(rx_no_room),
	EMU_MESSAGES(rx_starved),
	EMU_MESSAGES(rx_truncated),
	EMU_MESSAGES(rx_lost),
	EMU_MESSAGES(tx_messages),
	EMU_MESSAGES(tx_stalls),
	EMU_MESSAGES(tx_stall_drops),
	EMU_MESSAGES(tx_cut),
	EMU_MESSAGES(tx_lost),
	EMU_LINK(rx_upkts),
	EMU_LINK(tx_upkts),
	EMU_LINK(lcrc_errors),
	EMU_LINK(ecrc_errors),
	EMU_LINK(out_of_sequence),
	EMU_LINK(go_backs),
	EMU_LINK(rexmit_upkts),
	EMU_LINK(ack_timeouts),
	EMU_LINK(retry_limits),
	EMU_LINK(bad_rseq),
	EMU_LINK(reserved_type),
	EMU_LINK(unexpected),
	EMU_LINK(no_credit),
	EMU_LINK(credit_overflow),
	EMU_LINK(resets_tx),
	EMU_LINK(resets_rx),
	EMU_LINK(inits),
	EMU_LINK(activity_losses),
	EMU_LINK(signal_losses),
	EMU_LINK(holdoffs),
	EMU_LINK(admin_rx),
	EMU_LINK(admin_tx),
	EMU_LINK(admin_unknown),
	EMU_LINK(admin_hops),
	EMU_LINK(admin_length),
	EMU_LINK(admin_busy),
	EMU_LINK(admin_unasked),
	EMU_LINK(admin_timeouts),
};

/* The file shows every counter */
static_assert(ARRAY_SIZE(emu_counters) ==
	      (sizeof(struct emu_sport_stats) + sizeof(struct h64_link_stats)) / sizeof(u64));

static u64 emu_counter_get(const struct emu_sport *sport, const struct emu_counter *counter)
{
	return *(const u64 *)((const u8 *)sport + counter->offset);
}

static void emu_switch_show_port(struct seq_file *m, const struct emu_sport *sport)
{
	const struct emu_counter *c;

	seq_printf(m, "port%u link %s\n", sport->port, h64_link_state_name(sport->link.state));
	for (c = emu_counters; c < emu_counters + ARRAY_SIZE(emu_counters); c++)
		seq_printf(m, "port%u %s %llu\n", sport->port, c->name, emu_counter_get(sport, c));
}

static void emu_switch_show_all(struct seq_file *m, const struct emu_switch *sw)
{
	const struct emu_counter *c;
	unsigned int port;

	for (c = emu_counters; c < emu_counters + ARRAY_SIZE(emu_counters); c++) {
		u64 sum = 0;

		for (port = 0; port < EMU_PORTS_MAX; port++)
			if (sw->port[port])
				sum += emu_counter_get(sw->port[port], c);
		seq_printf(m, "all %s %llu\n", c->name, sum);
	}
	seq_printf(m, "all addresses %u\n", sw->table.count);
	seq_printf(m, "all learned %llu\n", sw->table.learned);
	seq_printf(m, "all moved %llu\n", sw->table.moved);
	seq_printf(m, "all aged %llu\n", sw->table.aged);
	seq_printf(m, "all forgotten %llu\n", sw->table.forgotten);
	seq_printf(m, "all table_full %llu\n", sw->table.full);
}

static int emu_switch_stats_show(struct seq_file *m, void *unused)
{
	const struct emu_fabric *fabric = m->private;
	unsigned int port;
	int err = -ENODEV;

	mutex_lock(&fabric->emu->lock);
	if (fabric->sw) {
		for (port = 0; port < EMU_PORTS_MAX; port++)
			if (fabric->sw->port[port])
				emu_switch_show_port(m, fabric->sw->port[port]);
		emu_switch_show_all(m, fabric->sw);
		err = 0;
	}
	mutex_unlock(&fabric->emu->lock);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(emu_switch_stats);

static int emu_switch_table_show(struct seq_file *m, void *unused)
{
	const struct emu_fabric *fabric = m->private;
	const struct emu_address *a;
	int err = -ENODEV;

	mutex_lock(&fabric->emu->lock);
	if (fabric->sw) {
		a = fabric->sw->table.address;
		for (; a < fabric->sw->table.address + EMU_TABLE_MAX; a++)
			if (a->used)
				seq_printf(m, "%pM port%u %llu\n", a->ula, a->port,
					   div_u64(ktime_get_ns() - a->seen, NSEC_PER_SEC));
		err = 0;
	}
	mutex_unlock(&fabric->emu->lock);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(emu_switch_table);

/**
 * emu_debugfs_switches - create the directories of new switches, remove those
 * of old ones
 * @emu: all cards
 *
 * Context: process context, emu->change held, or no topology set yet.
 */
void emu_debugfs_switches(struct emu *emu)
{
	unsigned int i;
	char name[20];

	if (!emu->debugfs)
		return;
	for (i = 0; i < EMU_SWITCHES_MAX; i++) {
		struct emu_fabric *fabric = &emu->fabric[i];

		if (!fabric->sw) {
			debugfs_remove(fabric->dir);
			fabric->dir = NULL;
		} else if (!fabric->dir) {
			snprintf(name, sizeof(name), "switch%u", i);
			fabric->dir = debugfs_create_dir(name, emu->debugfs);
			debugfs_create_file("stats", 0400, fabric->dir, fabric,
					    &emu_switch_stats_fops);
			debugfs_create_file("table", 0400, fabric->dir, fabric,
					    &emu_switch_table_fops);
		}
	}
}
