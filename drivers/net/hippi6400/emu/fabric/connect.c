// SPDX-License-Identifier: GPL-2.0
/*
 * Connects and disconnects cables, switches and programs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "emu/debugfs.h"
#include "emu/fabric/fabric.h"

/*
 * A port whose cable was moved has no signal for this time, so that its driver
 * notices the new far end.
 */
#define EMU_DARK_MS		100

static unsigned int retry_ms = H64_RETRY_MS;
module_param(retry_ms, uint, 0644);
MODULE_PARM_DESC(retry_ms, "at a switch: time between two Resets or Initializes, in ms");

static unsigned int ack_timeout_ms = H64_ACK_TIMEOUT_MS;
module_param(ack_timeout_ms, uint, 0644);
MODULE_PARM_DESC(ack_timeout_ms, "at a switch: ACK timeout, in ms");

static unsigned int activity_ms = H64_ACTIVITY_MS;
module_param(activity_ms, uint, 0644);
MODULE_PARM_DESC(activity_ms, "at a switch: silence that takes a link down, in ms");

static unsigned int holdoff_ms = H64_HOLDOFF_MS;
module_param(holdoff_ms, uint, 0644);
MODULE_PARM_DESC(holdoff_ms, "at a switch: minimum time between two bring-ups of a link, in ms");

/**
 * struct emu_plan - a change of the topology
 * @topology: the new topology
 * @sw: new switches, by number; after the exchange, unused old ones
 * @sport: new switch ports; after the exchange, unused old ones
 */
struct emu_plan {
	struct emu_topology topology;
	struct emu_switch *sw[EMU_SWITCHES_MAX];
	struct emu_sport *sport[EMU_PORTS_MAX];
};

static u64 emu_ms(unsigned int ms)
{
	return (u64)max(ms, 1u) * NSEC_PER_MSEC;
}

/* Takes the signal from a port for a while, as its cable is moved */
static void emu_connect_darken(struct emu *emu, unsigned int port)
{
	struct emu_port *p = &emu->port[port];

	p->dark = true;
	p->dark_until = ktime_get_ns() + EMU_DARK_MS * NSEC_PER_MSEC;
}

/* Returns true if a port keeps its far end */
static bool emu_plan_keeps_port(const struct emu *emu, const struct emu_plan *plan,
				unsigned int port)
{
	return emu_end_same(&emu->topology.end[port], &plan->topology.end[port]);
}

/* A switch that keeps a port keeps its identity */
static bool emu_plan_keeps_switch(const struct emu *emu, const struct emu_plan *plan,
				  unsigned int number)
{
	const struct emu_end *end;
	unsigned int port;

	for (port = 0; port < emu->ports; port++) {
		end = &plan->topology.end[port];
		if (end->kind == EMU_SWITCH && end->peer == number &&
		    emu_plan_keeps_port(emu, plan, port))
			return true;
	}
	return false;
}

static void emu_plan_free(struct emu_plan *plan)
{
	unsigned int i;

	if (!plan)
		return;
	for (i = 0; i < EMU_SWITCHES_MAX; i++)
		kvfree(plan->sw[i]);
	for (i = 0; i < EMU_PORTS_MAX; i++)
		kvfree(plan->sport[i]);
	kfree(plan);
}

/* Allocates the switches and switch ports that the plan needs */
static int emu_plan_fill(const struct emu *emu, struct emu_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->topology.switches; i++) {
		if (emu_plan_keeps_switch(emu, plan, i))
			continue;
		plan->sw[i] = emu_switch_alloc(get_random_u32());
		if (!plan->sw[i])
			return -ENOMEM;
	}
	for (i = 0; i < emu->ports; i++) {
		if (plan->topology.end[i].kind != EMU_SWITCH || emu_plan_keeps_port(emu, plan, i))
			continue;
		plan->sport[i] = kvzalloc(sizeof(*plan->sport[i]), GFP_KERNEL);
		if (!plan->sport[i])
			return -ENOMEM;
	}
	return 0;
}

/* Checks that the plan cables no port that a program has open */
static int emu_plan_check(const struct emu *emu, const struct emu_plan *plan)
{
	unsigned int port;

	for (port = 0; port < emu->ports; port++) {
		if (!emu->port[port].line || plan->topology.end[port].kind == EMU_NOTHING)
			continue;
		pr_err("topology: port %u has its line file open, expected it closed\n", port);
		return -EBUSY;
	}
	return 0;
}

/* Exchanges switches and ports with those in the plan */
static void emu_plan_apply(struct emu *emu, struct emu_plan *plan)
{
	const struct h64_link_times times = {
		.retry = emu_ms(retry_ms),
		.ack = emu_ms(ack_timeout_ms),
		.activity = emu_ms(activity_ms),
		.holdoff = emu_ms(holdoff_ms),
		.retry_limit = H64_RETRY_LIMIT,
	};
	unsigned int i;

	for (i = 0; i < emu->ports; i++) {
		if (emu_plan_keeps_port(emu, plan, i))
			continue;
		if (emu->topology.end[i].kind != EMU_NOTHING)
			emu_connect_darken(emu, i);
		if (emu->port[i].sport)
			emu_switch_detach(emu->port[i].sport);
		swap(emu->port[i].sport, plan->sport[i]);
	}
	for (i = 0; i < EMU_SWITCHES_MAX; i++)
		if (!emu_plan_keeps_switch(emu, plan, i))
			swap(emu->fabric[i].sw, plan->sw[i]);
	for (i = 0; i < emu->ports; i++)
		if (emu->port[i].sport && !emu_plan_keeps_port(emu, plan, i))
			emu_switch_attach(emu->fabric[plan->topology.end[i].peer].sw,
					  emu->port[i].sport, i, &times, ktime_get_ns());
	emu->topology = plan->topology;
}

/**
 * emu_connect_topology - change the cabling of the ports
 * @emu: all cards
 * @text: the topology as text; NULL for pairs
 *
 * Ports that keep their far end are not disturbed.
 *
 * Context: process context.
 *
 * Return: 0, or a negative errno after a message; then nothing has changed.
 */
int emu_connect_topology(struct emu *emu, const char *text)
{
	struct emu_plan *plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	char *wrong = kmalloc(EMU_TOPOLOGY_TEXT, GFP_KERNEL);
	int err = -ENOMEM;

	if (!plan || !wrong)
		goto out;
	if (text) {
		err = emu_topology_parse(&plan->topology, emu->ports, text, wrong);
		if (err) {
			pr_err("topology: %s\n", wrong);
			goto out;
		}
	} else {
		emu_topology_pairs(&plan->topology, emu->ports);
	}

	mutex_lock(&emu->change);
	err = emu_plan_fill(emu, plan);
	if (err)
		goto out_unlock;
	mutex_lock(&emu->lock);
	err = emu_plan_check(emu, plan);
	if (!err)
		emu_plan_apply(emu, plan);
	mutex_unlock(&emu->lock);
	if (!err)
		emu_debugfs_switches(emu);
out_unlock:
	mutex_unlock(&emu->change);
out:
	emu_plan_free(plan);
	kfree(wrong);
	return err;
}

/**
 * emu_connect_line - plug a program into a port
 * @emu: all cards
 * @port: number of the port
 * @line: the program
 *
 * Context: process context.
 *
 * Return: 0, or -EBUSY if the port is in use.
 */
int emu_connect_line(struct emu *emu, unsigned int port, struct emu_line *line)
{
	struct emu_port *p = &emu->port[port];
	int err = -EBUSY;

	mutex_lock(&emu->lock);
	if (emu->topology.end[port].kind == EMU_NOTHING && !p->line) {
		p->line = line;
		err = 0;
	}
	mutex_unlock(&emu->lock);
	return err;
}

/**
 * emu_disconnect_line - unplug a program from its port
 * @emu: all cards
 * @port: number of the port
 *
 * Context: process context.
 */
void emu_disconnect_line(struct emu *emu, unsigned int port)
{
	mutex_lock(&emu->lock);
	emu->port[port].line = NULL;
	emu_connect_darken(emu, port);
	mutex_unlock(&emu->lock);
}

/**
 * emu_connect_init - initialise the ports, uncabled
 * @emu: all cards
 */
void emu_connect_init(struct emu *emu)
{
	unsigned int i;

	mutex_init(&emu->change);
	mutex_init(&emu->lock);
	for (i = 0; i < EMU_PORTS_MAX; i++) {
		emu->port[i].emu = emu;
		emu->port[i].tx.emu = emu;
		emu->port[i].rx.emu = emu;
		emu_way_init(&emu->port[i].tx, i);
		emu_way_init(&emu->port[i].rx, i + EMU_PORTS_MAX);
	}
	for (i = 0; i < EMU_SWITCHES_MAX; i++)
		emu->fabric[i].emu = emu;
}

/**
 * emu_connect_release - free the far ends of all ports
 * @emu: all cards, with no thread running
 */
void emu_connect_release(struct emu *emu)
{
	unsigned int i;

	for (i = 0; i < EMU_PORTS_MAX; i++) {
		emu_way_free(&emu->port[i].tx);
		emu_way_free(&emu->port[i].rx);
		kvfree(emu->port[i].sport);
	}
	for (i = 0; i < EMU_SWITCHES_MAX; i++)
		kvfree(emu->fabric[i].sw);
}
