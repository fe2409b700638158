/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cabling of the ports, and its text form.  Pure logic, without card and
 * bus.
 */
#ifndef _HIPPI6400_EMU_TOPOLOGY_H
#define _HIPPI6400_EMU_TOPOLOGY_H

#include <linux/bitmap.h>
#include <linux/types.h>

#define EMU_PORTS_MIN		1
#define EMU_PORTS_MAX		16
#define EMU_SWITCHES_MAX	(EMU_PORTS_MAX / 2)

/* Buffer size for any topology as text, or for a message about it */
#define EMU_TOPOLOGY_TEXT	256

/**
 * enum emu_kind - kind of a port's far end
 * @EMU_NOTHING: the port is not cabled
 * @EMU_CABLE: another port
 * @EMU_LOOPBACK: a plug that leads back to the port
 * @EMU_SWITCH: a switch
 */
enum emu_kind {
	EMU_NOTHING,
	EMU_CABLE,
	EMU_LOOPBACK,
	EMU_SWITCH,
};

/**
 * struct emu_element - one element of a topology
 * @kind: kind of the element or far end
 * @ports: its ports
 */
struct emu_element {
	enum emu_kind kind;
	DECLARE_BITMAP(ports, EMU_PORTS_MAX);
};

/**
 * struct emu_end - the far end of a port
 * @kind: kind of the element or far end
 * @peer: the other port of a cable, the port itself for a loopback plug, or the
 *	number of a switch
 */
struct emu_end {
	enum emu_kind kind;
	unsigned int peer;
};

/**
 * struct emu_topology - the cabling of all ports
 * @ports: number of ports
 * @count: number of elements
 * @switches: number of switches, which are numbered in the order of the text
 * @element: the elements, in the order of the text
 * @end: the far end of each port
 */
struct emu_topology {
	unsigned int ports;
	unsigned int count;
	unsigned int switches;
	struct emu_element element[EMU_PORTS_MAX];
	struct emu_end end[EMU_PORTS_MAX];
};

int emu_topology_parse(struct emu_topology *topo, unsigned int ports, const char *text,
		       char *wrong);
void emu_topology_pairs(struct emu_topology *topo, unsigned int ports);
void emu_topology_print(const struct emu_topology *topo, char *text);

static inline bool emu_end_same(const struct emu_end *a, const struct emu_end *b)
{
	return a->kind == b->kind && a->peer == b->peer;
}

#endif
