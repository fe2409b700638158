// SPDX-License-Identifier: GPL-2.0
/*
 * The text form of a fabric: links separated by commas, each of two nodes with a "-" between
 * them.  e1 is the endpoint with the ID 1, s0 is the switch number 0: e1-s0,e2-s0.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "topology.h"

#define EMU_EXAMPLE	"e1-s0,e2-s0"

/* Reads the name of a node into @node; @link is what the message quotes */
static int emu_plan_name(struct emu_plan_node *node, const char *link, const char *name,
			 u16 id_max)
{
	const u16 max = *name == 's' ? U8_MAX : id_max;
	const char *number = name + 1;
	u16 id;

	if ((*name != 'e' && *name != 's') || !isdigit(*number)) {
		pr_err("topology: %s: found \"%s\", expected a node: e and the ID of an endpoint, or s and the number of a switch\n",
		       link, name);
		return -EINVAL;
	}
	if (kstrtou16(number, number[1] == 'x' ? 16 : 10, &id) || id > max) {
		pr_err("topology: %s: found \"%s\", expected a number from 0 to %u behind the %c\n",
		       link, name, max, *name);
		return -EINVAL;
	}
	*node = (struct emu_plan_node) { .is_switch = *name == 's', .id = id };
	return 0;
}

/* Finds the node that is named like @wanted, or adds it */
static int emu_plan_node(struct emu_plan *plan, const char *link, const char *name,
			 const struct emu_plan_node *wanted)
{
	struct emu_plan_node *node;
	unsigned int i;

	for (i = 0; i < plan->nodes; i++) {
		node = &plan->node[i];
		if (node->is_switch == wanted->is_switch && node->id == wanted->id)
			break;
	}
	if (i == EMU_NODES_MAX) {
		pr_err("topology: %s: found one more node, expected %u at most\n", link,
		       EMU_NODES_MAX);
		return -EINVAL;
	}
	if (i == plan->nodes)
		plan->node[plan->nodes++] = *wanted;
	node = &plan->node[i];
	if (node->ports == (node->is_switch ? EMU_PORTS_MAX : 1)) {
		pr_err("topology: %s: found one more link of %s, expected %u at most\n", link, name,
		       node->ports);
		return -EINVAL;
	}
	return i;
}

static int emu_plan_link(struct emu_plan *plan, const char *link, const char *names[2],
			 u16 id_max)
{
	struct emu_plan_link *new = &plan->link[plan->links];
	struct emu_plan_node wanted;
	unsigned int end, i;
	int err;

	if (plan->links == EMU_LINKS_MAX) {
		pr_err("topology: %s: found one more link, expected %u at most\n", link,
		       EMU_LINKS_MAX);
		return -EINVAL;
	}
	for (end = 0; end < 2; end++) {
		err = emu_plan_name(&wanted, link, names[end], id_max);
		if (err)
			return err;
		err = emu_plan_node(plan, link, names[end], &wanted);
		if (err < 0)
			return err;
		new->node[end] = err;
	}
	if (new->node[0] == new->node[1]) {
		pr_err("topology: %s: found one node, expected two\n", link);
		return -EINVAL;
	}
	for (i = 0; i < plan->links; i++) {
		const struct emu_plan_link *old = &plan->link[i];

		if ((old->node[0] == new->node[0] && old->node[1] == new->node[1]) ||
		    (old->node[0] == new->node[1] && old->node[1] == new->node[0])) {
			pr_err("topology: %s: found a second link of these nodes, expected one\n",
			       link);
			return -EINVAL;
		}
	}
	for (end = 0; end < 2; end++)
		new->port[end] = plan->node[new->node[end]].ports++;
	plan->links++;
	return 0;
}

/* Takes the text apart, which it may change */
static int emu_plan_split(struct emu_plan *plan, char *text, u16 id_max)
{
	char *link;
	int err;

	while ((link = strsep(&text, ","))) {
		char *whole = kstrdup(link, GFP_KERNEL);
		const char *names[2];
		char *rest = link;

		if (!whole)
			return -ENOMEM;
		names[0] = strsep(&rest, "-");
		names[1] = rest;
		if (rest) {
			err = emu_plan_link(plan, whole, names, id_max);
		} else {
			pr_err("topology: found \"%s\", expected a link of two nodes, as in "
			       EMU_EXAMPLE "\n", whole);
			err = -EINVAL;
		}
		kfree(whole);
		if (err)
			return err;
	}
	return 0;
}

/**
 * emu_plan_parse - read a text
 * @plan: is filled
 * @text: the text
 * @id_max: the largest ID of an endpoint
 *
 * Context: process.
 * Return: 0 or an error; the log says what was found and what was expected.
 */
int emu_plan_parse(struct emu_plan *plan, const char *text, u16 id_max)
{
	char *copy = kstrdup(text, GFP_KERNEL);
	int err;

	if (!copy)
		return -ENOMEM;
	memset(plan, 0, sizeof(*plan));
	err = emu_plan_split(plan, strim(copy), id_max);
	kfree(copy);
	return err;
}
