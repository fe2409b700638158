// SPDX-License-Identifier: GPL-2.0
/*
 * What a node does with packets: an endpoint hands them to its port, a switch sends them on.
 *
 * Each node has a work that reads its links.  So a port never gets a packet while it is
 * sending one, and packets of a physical channel stay in order.
 */
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "fabric.h"
#include "maint.h"
#include "regs.h"

/* Packets that a work reads before others have their turn */
#define EMU_BUDGET	256
/* Packets that a switch reads from a link before it looks at the next */
#define EMU_TURN	16

#define EMU_CONTEXTS	64

/* Sizes of IDs */
#define EMU_TT(packet)	((packet)[1] >> 4 & 3)

static int emu_endpoint_xmit(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct emu_node *node = rio9_port_priv(port);

	return emu_way_put(node->out[0], packet, len);
}

static const struct rio9_port_ops emu_port_ops = {
	.xmit_packet = emu_endpoint_xmit,
	.maint_read = emu_maint_read,
	.maint_write = emu_maint_write,
};

static int emu_endpoint_rx(void *to, const u8 *packet, unsigned int len)
{
	struct emu_node *node = to;

	rio9_rx_packet(node->port, packet, len);
	return 0;
}

static void emu_endpoint_work(struct work_struct *work)
{
	struct emu_node *node = container_of(work, struct emu_node, work);

	if (emu_way_room(node->out[0]))
		rio9_port_wake(node->port);
	if (emu_way_run(node->in[0], EMU_BUDGET, emu_endpoint_rx, node) == EMU_BUDGET)
		queue_work(system_bh_wq, work);
}

static int emu_switch_rx(void *to, const u8 *packet, unsigned int len)
{
	struct emu_node *node = to;
	unsigned int tt = EMU_TT(packet);
	u8 port;
	int err;

	if (tt > 1) {
		node->stats[EMU_SWITCH_BAD_TT]++;
		return 0;
	}
	port = emu_route(node, tt ? get_unaligned_be16(packet + 2) : packet[2]);
	if (port == EMU_NO_PORT) {
		node->stats[EMU_SWITCH_NO_ROUTE]++;
		return 0;
	}
	err = emu_way_put(node->out[port], packet, len);
	if (!err)
		node->stats[EMU_SWITCH_FORWARDED]++;
	return err;
}

static void emu_switch_work(struct work_struct *work)
{
	struct emu_node *node = container_of(work, struct emu_node, work);
	unsigned int done = 0, now, port;

	do {
		now = 0;
		for (port = 0; port < node->ports; port++)
			now += emu_way_run(node->in[port], EMU_TURN, emu_switch_rx, node);
		done += now;
	} while (now && done < EMU_BUDGET);
	if (now)
		queue_work(system_bh_wq, work);
}

static int emu_endpoint_init(struct emu_node *node, const struct emu_config *config)
{
	const struct rio9_caps caps = {
		.large = config->large,
		.max_pdu = RIO9_PDU_MAX,
		.contexts = EMU_CONTEXTS,
		.channels = GENMASK(RIO9_CHANNELS - 1, 0),
	};

	INIT_WORK(&node->work, emu_endpoint_work);
	node->large = config->large;
	node->port = rio9_port_create(&emu_port_ops, &caps, node);
	if (IS_ERR(node->port)) {
		int err = PTR_ERR(node->port);

		node->port = NULL;
		return err;
	}
	return 0;
}

static int emu_switch_init(struct emu_node *node, const struct emu_config *config)
{
	INIT_WORK(&node->work, emu_switch_work);
	emu_regs_init(node);
	node->routes = config->large ? U16_MAX + 1 : U8_MAX + 1;
	node->default_route = EMU_NO_PORT;
	node->route = kvmalloc(node->routes, GFP_KERNEL);
	if (!node->route)
		return -ENOMEM;
	memset(node->route, EMU_NO_PORT, node->routes);
	return 0;
}

/**
 * emu_node_init - make a node, with a port or an empty routing table
 * @node: its kind, ID and ports are there
 * @config: of the fabric
 *
 * Context: process.
 * Return: 0 or an error.
 */
int emu_node_init(struct emu_node *node, const struct emu_config *config)
{
	return node->is_switch ? emu_switch_init(node, config) : emu_endpoint_init(node, config);
}

/**
 * emu_node_stop - a node reads nothing any more
 * @node: the node
 *
 * Context: process.
 */
void emu_node_stop(struct emu_node *node)
{
	disable_work_sync(&node->work);
}

/**
 * emu_node_destroy - a node goes
 * @node: the node, stopped; or one that could not be made
 *
 * Context: process; takes RTNL.
 */
void emu_node_destroy(struct emu_node *node)
{
	if (node->registered)
		rio9_port_unregister(node->port);
	if (node->port)
		rio9_port_destroy(node->port);
	kvfree(node->route);
}
