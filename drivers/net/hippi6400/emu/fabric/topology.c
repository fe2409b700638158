// SPDX-License-Identifier: GPL-2.0
/*
 * The text form of a topology: elements separated by "/", each a kind, a colon
 * and a list of ports, such as cable:0,1/loopback:2/switch:3-6.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "emu/fabric/topology.h"

/**
 * struct emu_kind_rule - syntax of an element
 * @name: its name in the text
 * @min: minimum number of ports
 * @max: maximum number of ports
 */
struct emu_kind_rule {
	const char *name;
	unsigned int min;
	unsigned int max;
};

static const struct emu_kind_rule emu_kinds[] = {
	[EMU_CABLE] = { "cable", 2, 2 },
	[EMU_LOOPBACK] = { "loopback", 1, EMU_PORTS_MAX },
	[EMU_SWITCH] = { "switch", 2, EMU_PORTS_MAX },
};

static enum emu_kind emu_kind_find(const char *name)
{
	unsigned int kind;

	for (kind = EMU_NOTHING + 1; kind < ARRAY_SIZE(emu_kinds); kind++)
		if (!strcmp(name, emu_kinds[kind].name))
			return kind;
	return EMU_NOTHING;
}

/* Sets the far end of each port of an element, whose number of ports is valid */
static void emu_topology_connect(struct emu_topology *topo, const struct emu_element *element)
{
	unsigned int first = find_first_bit(element->ports, EMU_PORTS_MAX);
	unsigned int last = find_last_bit(element->ports, EMU_PORTS_MAX);
	unsigned int port;

	for_each_set_bit(port, element->ports, EMU_PORTS_MAX) {
		struct emu_end *end = &topo->end[port];

		end->kind = element->kind;
		switch (element->kind) {
		case EMU_CABLE:
			end->peer = first + last - port;
			break;
		case EMU_SWITCH:
			end->peer = topo->switches;
			break;
		default:
			end->peer = port;
			break;
		}
	}
	topo->switches += element->kind == EMU_SWITCH;
}

/* Adds the element that is written as "kind:ports" */
static int emu_topology_add(struct emu_topology *topo, char *text, char *wrong)
{
	const char *name = strsep(&text, ":");
	const struct emu_kind_rule *rule;
	struct emu_element element = {};
	unsigned int port, weight;
	int err;

	element.kind = emu_kind_find(name);
	if (element.kind == EMU_NOTHING || !text) {
		snprintf(wrong, EMU_TOPOLOGY_TEXT,
			 "\"%s\": expected cable:PORTS, loopback:PORTS or switch:PORTS", name);
		return -EINVAL;
	}
	rule = &emu_kinds[element.kind];

	err = bitmap_parselist(text, element.ports, topo->ports);
	if (err) {
		snprintf(wrong, EMU_TOPOLOGY_TEXT, "%s: \"%s\" is no list of ports from 0 to %u",
			 name, text, topo->ports - 1);
		return -EINVAL;
	}
	weight = bitmap_weight(element.ports, topo->ports);
	if (weight < rule->min || weight > rule->max) {
		snprintf(wrong, EMU_TOPOLOGY_TEXT, "%s:%s: %u ports, expected %u to %u", name, text,
			 weight, rule->min, rule->max);
		return -EINVAL;
	}
	for_each_set_bit(port, element.ports, EMU_PORTS_MAX) {
		if (topo->end[port].kind == EMU_NOTHING)
			continue;
		snprintf(wrong, EMU_TOPOLOGY_TEXT, "%s:%s: port %u is taken by a %s already", name,
			 text, port, emu_kinds[topo->end[port].kind].name);
		return -EINVAL;
	}

	/* Each element takes a free port, so the elements fit */
	topo->element[topo->count++] = element;
	emu_topology_connect(topo, &element);
	return 0;
}

/**
 * emu_topology_parse - read a topology
 * @topo: receives the topology; undefined after an error
 * @ports: number of ports
 * @text: the text; empty to cable no port
 * @wrong: buffer of EMU_TOPOLOGY_TEXT bytes, receives a message about an error
 *
 * Return: 0, -EINVAL with @wrong filled in, or -ENOMEM.
 */
int emu_topology_parse(struct emu_topology *topo, unsigned int ports, const char *text,
		       char *wrong)
{
	char *copy, *rest, *one;
	int err = 0;

	memset(topo, 0, sizeof(*topo));
	topo->ports = ports;
	strscpy(wrong, "no memory", EMU_TOPOLOGY_TEXT);
	copy = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;

	rest = strim(copy);
	if (!*rest)
		rest = NULL;
	while (!err && (one = strsep(&rest, "/")))
		err = emu_topology_add(topo, one, wrong);
	kfree(copy);
	return err;
}

/**
 * emu_topology_pairs - build the default topology: 0 with 1, 2 with 3 and so on
 * @topo: the topology
 * @ports: number of ports; if it is odd, the last one is not cabled
 */
void emu_topology_pairs(struct emu_topology *topo, unsigned int ports)
{
	unsigned int port;

	memset(topo, 0, sizeof(*topo));
	topo->ports = ports;
	for (port = 0; port + 1 < ports; port += 2) {
		struct emu_element *element = &topo->element[topo->count++];

		element->kind = EMU_CABLE;
		bitmap_set(element->ports, port, 2);
		emu_topology_connect(topo, element);
	}
}

/**
 * emu_topology_print - format a topology as emu_topology_parse() reads it
 * @topo: the topology
 * @text: buffer of EMU_TOPOLOGY_TEXT bytes
 */
void emu_topology_print(const struct emu_topology *topo, char *text)
{
	unsigned int i, len = 0;

	text[0] = '\0';
	for (i = 0; i < topo->count; i++)
		len += scnprintf(text + len, EMU_TOPOLOGY_TEXT - len, "%s%s:%*pbl", i ? "/" : "",
				 emu_kinds[topo->element[i].kind].name, EMU_PORTS_MAX,
				 topo->element[i].ports);
}
