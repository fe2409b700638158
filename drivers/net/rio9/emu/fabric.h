/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Nodes and links.
 */
#ifndef _RIO9_EMU_FABRIC_H
#define _RIO9_EMU_FABRIC_H

#include <linux/mutex.h>

#include "topology.h"
#include "way.h"

/* No port, in a routing table */
#define EMU_NO_PORT	U8_MAX

/* A letter, the longest ID, a line between two of them */
#define EMU_LINK_NAME	16

/**
 * enum emu_switch_stat - what a switch counts
 * @EMU_SWITCH_FORWARDED: packets that it sent on
 * @EMU_SWITCH_NO_ROUTE: dropped, as no port leads to their destination
 * @EMU_SWITCH_BAD_TT: dropped, as their IDs have a reserved size
 * @EMU_SWITCH_STATS: how many there are
 */
enum emu_switch_stat {
	EMU_SWITCH_FORWARDED,
	EMU_SWITCH_NO_ROUTE,
	EMU_SWITCH_BAD_TT,
	EMU_SWITCH_STATS,
};

/**
 * struct emu_regs - registers of a switch that hold something
 * @guard: of the others
 * @lock: ID of the host that has locked the switch
 * @tag: component tag
 * @select: destination ID whose route is read and written
 * @gen_ctl: bits that a host has set
 */
struct emu_regs {
	spinlock_t guard;	/* protects the members below */
	u16 lock;
	u32 tag;
	u16 select;
	u32 gen_ctl;
};

/**
 * struct emu_node - an endpoint or a switch
 * @is_switch: it is a switch
 * @id: number in its name, which is the ID that an endpoint has at first
 * @ports: links that it has
 * @in: from each of them
 * @out: to each of them
 * @work: reads what arrives
 * @port: of an endpoint
 * @large: it has IDs of 16 bits
 * @maint: value of the register that was read last through debugfs
 * @registered: it has its device
 * @routes: of a switch: how many IDs @route has
 * @route: port for each destination ID
 * @default_route: port for those that have none
 * @regs: its registers
 * @stats: of a switch; written by @work alone
 */
struct emu_node {
	bool is_switch;
	u16 id;
	unsigned int ports;
	struct emu_way *in[EMU_PORTS_MAX];
	struct emu_way *out[EMU_PORTS_MAX];
	struct work_struct work;
	struct rio9_port *port;
	bool large;
	u32 maint;
	bool registered;
	unsigned int routes;
	u8 *route;
	u8 default_route;
	struct emu_regs regs;
	u64 stats[EMU_SWITCH_STATS];
};

/**
 * struct emu_link - a link
 * @name: its name
 * @node: index of the nodes at its ends
 * @port: number of the port at each
 * @way: the first leads from the first node to the second
 * @rate: of faults, in both directions
 * @up: it is up, under the lock of the fabric
 * @tree: packets go along it by themselves
 */
struct emu_link {
	char name[EMU_LINK_NAME];
	u8 node[2];
	u8 port[2];
	struct emu_way way[2];
	u32 rate[EMU_FAULTS];
	bool up;
	bool tree;
};

/**
 * struct emu_config - how a fabric is made
 * @large: IDs have 16 bits
 * @unconfigured: a host gives IDs, routes and peers
 * @depth: packets that wait in each direction of a link
 * @rate: of faults, at first
 */
struct emu_config {
	bool large;
	bool unconfigured;
	unsigned int depth;
	u32 rate[EMU_FAULTS];
};

/**
 * struct emu_fabric - all of it
 * @lock: of links that go up and down, and of the seed
 * @config: how it was made
 * @seed: of the faults
 * @nodes: number of nodes
 * @links: number of links
 * @node: nodes
 * @link: links
 */
struct emu_fabric {
	struct mutex lock;	/* seed, links up or down */
	struct emu_config config;
	u64 seed;
	unsigned int nodes;
	unsigned int links;
	struct emu_node *node;
	struct emu_link *link;
};

int emu_node_init(struct emu_node *node, const struct emu_config *config);
void emu_node_stop(struct emu_node *node);
void emu_node_destroy(struct emu_node *node);

struct emu_fabric *emu_fabric_create(const struct emu_plan *plan, const struct emu_config *config,
				     u64 seed);
void emu_fabric_destroy(struct emu_fabric *fabric);
void emu_fabric_set_seed(struct emu_fabric *fabric, u64 seed);
void emu_fabric_set_up(struct emu_fabric *fabric, struct emu_link *link, bool up);

#endif
