/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text form of a fabric.
 */
#ifndef _RIO9_EMU_TOPOLOGY_H
#define _RIO9_EMU_TOPOLOGY_H

#include <linux/types.h>

#define EMU_NODES_MAX	96
#define EMU_LINKS_MAX	128
#define EMU_PORTS_MAX	16	/* of a switch */

/**
 * struct emu_plan_node - a node in a text
 * @is_switch: it is a switch, not an endpoint
 * @id: number of the switch, ID of the endpoint
 * @ports: links that it has
 */
struct emu_plan_node {
	bool is_switch;
	u16 id;
	u8 ports;
};

/**
 * struct emu_plan_link - a link in a text
 * @node: index of the nodes at its ends
 * @port: number of the port at each
 */
struct emu_plan_link {
	u8 node[2];
	u8 port[2];
};

/**
 * struct emu_plan - a text that has been read
 * @node: nodes, in the order in which the text names them
 * @link: links, in the order of the text
 * @nodes: how many there are
 * @links: how many there are
 */
struct emu_plan {
	struct emu_plan_node node[EMU_NODES_MAX];
	struct emu_plan_link link[EMU_LINKS_MAX];
	unsigned int nodes;
	unsigned int links;
};

int emu_plan_parse(struct emu_plan *plan, const char *text, u16 id_max);

#endif
