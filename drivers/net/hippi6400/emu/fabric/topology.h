/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ports are cabled to, and its text form.  Pure: no card, no bus.
 */
#ifndef _HIPPI6400_EMU_TOPOLOGY_H
#define _HIPPI6400_EMU_TOPOLOGY_H

#include <linux/bitmap.h>
#include <linux/types.h>

#define EMU_PORTS_MIN		1
#define EMU_PORTS_MAX		16
#define EMU_SWITCHES_MAX	(EMU_PORTS_MAX / 2)

/* Any topology in words, with room to spare; also what a sentence about it needs */
#define EMU_TOPOLOGY_TEXT	256

/**
 * enum emu_kind - what a port's cable leads to
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
 * struct emu_element - one piece of cabling
 * @kind: what it is
 * @ports: the ports that it takes
 */
struct emu_element {
	enum emu_kind kind;
	DECLARE_BITMAP(ports, EMU_PORTS_MAX);
};

/**
 * struct emu_end - what is at the other end of a port's cable
 * @kind: what it is
 * @peer: a cable's other port, of a loopback plug the port itself, or a switch's
 *	number
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
 * @end: the same, as each port sees it
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
