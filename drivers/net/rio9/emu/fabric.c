// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric from a plan of it: nodes, links, routes, peers.
 */
#include <linux/slab.h>

#include "fabric.h"

static struct emu_node *emu_far_node(struct emu_fabric *fabric, const struct emu_link *link,
				     unsigned int node)
{
	return &fabric->node[link->node[link->node[0] == node]];
}

/**
 * struct emu_flood - a walk over all links from a node
 * @seen: nodes that it has come to
 * @queue: those that it has not gone on from, and those before them
 * @head: the next in @queue
 * @tail: behind the last
 */
struct emu_flood {
	DECLARE_BITMAP(seen, EMU_NODES_MAX);
	u8 queue[EMU_NODES_MAX];
	unsigned int head;
	unsigned int tail;
};

static void emu_flood_to(struct emu_flood *flood, unsigned int node)
{
	__set_bit(node, flood->seen);
	flood->queue[flood->tail++] = node;
}

/* Where a link leads that has one end at @node and another that was not seen, or -1 */
static int emu_flood_link(struct emu_flood *flood, const struct emu_link *link, unsigned int node)
{
	unsigned int end;

	for (end = 0; end < 2; end++)
		if (link->node[!end] == node && !test_bit(link->node[end], flood->seen))
			return end;
	return -1;
}

/* Marks links so that one path leads from each node to each that it has a path to */
static void emu_tree(struct emu_fabric *fabric)
{
	struct emu_flood flood = {};
	unsigned int start, i;
	int end;

	for (start = 0; start < fabric->nodes; start++) {
		if (!fabric->node[start].is_switch || test_bit(start, flood.seen))
			continue;
		emu_flood_to(&flood, start);
		while (flood.head < flood.tail) {
			unsigned int node = flood.queue[flood.head++];

			for (i = 0; i < fabric->links; i++) {
				end = emu_flood_link(&flood, &fabric->link[i], node);
				if (end < 0)
					continue;
				fabric->link[i].tree = true;
				emu_flood_to(&flood, fabric->link[i].node[end]);
			}
		}
	}
}

/* Each switch gets the port that leads to the endpoint @start */
static void emu_routes_to(struct emu_fabric *fabric, unsigned int start)
{
	struct emu_flood flood = {};
	unsigned int i;
	int end;

	emu_flood_to(&flood, start);
	while (flood.head < flood.tail) {
		unsigned int node = flood.queue[flood.head++];

		for (i = 0; i < fabric->links; i++) {
			struct emu_link *link = &fabric->link[i];
			struct emu_node *far;

			end = emu_flood_link(&flood, link, node);
			if (end < 0 || !link->tree)
				continue;
			emu_flood_to(&flood, link->node[end]);
			far = emu_far_node(fabric, link, node);
			if (far->is_switch)
				far->route[fabric->node[start].id] = link->port[end];
		}
	}
}

/* An endpoint knows all others */
static int emu_peers(struct emu_fabric *fabric, unsigned int node)
{
	unsigned int i;
	int err;

	for (i = 0; i < fabric->nodes; i++) {
		if (i == node || fabric->node[i].is_switch)
			continue;
		err = rio9_port_add_peer(fabric->node[node].port, fabric->node[i].id);
		if (err)
			return err;
	}
	return 0;
}

static int emu_nodes(struct emu_fabric *fabric, const struct emu_plan *plan)
{
	unsigned int i;
	int err;

	for (i = 0; i < plan->nodes; i++) {
		struct emu_node *node = &fabric->node[i];

		node->is_switch = plan->node[i].is_switch;
		node->id = plan->node[i].id;
		node->ports = plan->node[i].ports;
		fabric->nodes++;
		err = emu_node_init(node, &fabric->config);
		if (err)
			return err;
	}
	return 0;
}

static int emu_link_init(struct emu_fabric *fabric, struct emu_link *link,
			 const struct emu_plan_link *plan)
{
	struct emu_node *node[2];
	unsigned int end;
	int err;

	for (end = 0; end < 2; end++) {
		link->node[end] = plan->node[end];
		link->port[end] = plan->port[end];
		node[end] = &fabric->node[plan->node[end]];
	}
	snprintf(link->name, sizeof(link->name), "%c%u-%c%u",
		 node[0]->is_switch ? 's' : 'e', node[0]->id,
		 node[1]->is_switch ? 's' : 'e', node[1]->id);
	memcpy(link->rate, fabric->config.rate, sizeof(link->rate));
	for (end = 0; end < 2; end++) {
		err = emu_way_init(&link->way[end], fabric->config.depth, link->rate,
				   &node[end]->work, &node[!end]->work);
		if (err)
			return err;
		node[end]->out[link->port[end]] = &link->way[end];
		node[!end]->in[link->port[!end]] = &link->way[end];
	}
	return 0;
}

static int emu_links(struct emu_fabric *fabric, const struct emu_plan *plan)
{
	unsigned int i;
	int err;

	for (i = 0; i < plan->links; i++) {
		fabric->links++;
		err = emu_link_init(fabric, &fabric->link[i], &plan->link[i]);
		if (err)
			return err;
	}
	return 0;
}

/* What a host would do, but for tags, locks and the like */
static int emu_configure(struct emu_fabric *fabric, unsigned int node)
{
	if (fabric->config.unconfigured)
		return 0;
	emu_routes_to(fabric, node);
	return rio9_port_set_id(fabric->node[node].port, fabric->node[node].id) ?:
	       emu_peers(fabric, node);
}

/* The devices come in the order of the plan, and know each other before they can send */
static int emu_endpoints(struct emu_fabric *fabric)
{
	unsigned int i;
	int err;

	for (i = 0; i < fabric->nodes; i++) {
		struct emu_node *node = &fabric->node[i];

		if (node->is_switch)
			continue;
		err = emu_configure(fabric, i);
		if (!err)
			err = rio9_port_register(node->port, &init_net, NULL);
		if (err)
			return err;
		node->registered = true;
	}
	return 0;
}

/**
 * emu_fabric_set_seed - begin the faults anew
 * @fabric: the fabric
 * @seed: of all faults
 *
 * Context: process.
 */
void emu_fabric_set_seed(struct emu_fabric *fabric, u64 seed)
{
	unsigned int i;

	mutex_lock(&fabric->lock);
	fabric->seed = seed;
	for (i = 0; i < 2 * fabric->links; i++)
		emu_way_seed(&fabric->link[i / 2].way[i % 2], emu_random(seed, i));
	mutex_unlock(&fabric->lock);
}

/**
 * emu_fabric_set_up - a link goes up or down
 * @fabric: the fabric
 * @link: the link
 * @up: it is up
 *
 * Context: process.
 */
void emu_fabric_set_up(struct emu_fabric *fabric, struct emu_link *link, bool up)
{
	unsigned int end;

	mutex_lock(&fabric->lock);
	link->up = up;
	for (end = 0; end < 2; end++) {
		struct emu_node *node = &fabric->node[link->node[end]];

		emu_way_set_up(&link->way[end], up);
		if (!node->is_switch)
			rio9_port_set_carrier(node->port, up);
	}
	mutex_unlock(&fabric->lock);
}

static int emu_fabric_build(struct emu_fabric *fabric, const struct emu_plan *plan, u64 seed)
{
	unsigned int i;
	int err;

	fabric->node = kcalloc(plan->nodes, sizeof(*fabric->node), GFP_KERNEL);
	fabric->link = kcalloc(plan->links, sizeof(*fabric->link), GFP_KERNEL);
	if (!fabric->node || !fabric->link)
		return -ENOMEM;
	err = emu_nodes(fabric, plan);
	if (!err)
		err = emu_links(fabric, plan);
	if (err)
		return err;
	emu_tree(fabric);
	emu_fabric_set_seed(fabric, seed);
	err = emu_endpoints(fabric);
	if (err)
		return err;
	for (i = 0; i < fabric->links; i++)
		emu_fabric_set_up(fabric, &fabric->link[i], true);
	return 0;
}

/**
 * emu_fabric_create - make a fabric
 * @plan: what it consists of
 * @config: how
 * @seed: of its faults
 *
 * Its endpoints have devices, and its links are up.
 *
 * Context: process; takes RTNL.
 * Return: the fabric, or an error pointer.
 */
struct emu_fabric *emu_fabric_create(const struct emu_plan *plan, const struct emu_config *config,
				     u64 seed)
{
	struct emu_fabric *fabric = kzalloc(sizeof(*fabric), GFP_KERNEL);
	int err;

	if (!fabric)
		return ERR_PTR(-ENOMEM);
	mutex_init(&fabric->lock);
	fabric->config = *config;
	err = emu_fabric_build(fabric, plan, seed);
	if (err) {
		emu_fabric_destroy(fabric);
		return ERR_PTR(err);
	}
	return fabric;
}

/**
 * emu_fabric_destroy - a fabric goes
 * @fabric: the fabric
 *
 * Context: process; takes RTNL.
 */
void emu_fabric_destroy(struct emu_fabric *fabric)
{
	unsigned int i;

	for (i = 0; i < fabric->nodes; i++)
		emu_node_stop(&fabric->node[i]);
	/* What is sent from now on is lost, and finds room */
	for (i = 0; i < 2 * fabric->links; i++)
		if (fabric->link[i / 2].way[i % 2].slot)
			emu_way_set_up(&fabric->link[i / 2].way[i % 2], false);
	for (i = 0; i < fabric->nodes; i++)
		emu_node_destroy(&fabric->node[i]);
	for (i = 0; i < 2 * fabric->links; i++)
		emu_way_destroy(&fabric->link[i / 2].way[i % 2]);
	kfree(fabric->link);
	kfree(fabric->node);
	kfree(fabric);
}
