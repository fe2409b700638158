// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of an endpoint for registers of others.
 *
 * Callers such as the rapidio core of the kernel must not sleep, so a request does not wait in
 * the queues: it goes from node to node, and its answer comes back, within the call.
 */
#include <linux/atomic.h>
#include <linux/rio9.h>
#include <linux/rio_regs.h>

#include "fabric.h"
#include "maint.h"

/* The port that a way leads to */
static unsigned int emu_in_port(const struct emu_node *node, const struct emu_way *way)
{
	unsigned int port = 0;

	while (node->in[port] != way)
		port++;
	return port;
}

/* Takes @m to where it leads, and comes back with what returns to @from */
static int emu_walk(const struct emu_node *from, struct emu_maint *m)
{
	const struct emu_way *way = from->out[0];

	/* Hops are counted down, and an answer is not answered: it ends */
	while (READ_ONCE(way->up)) {
		struct emu_node *node = container_of(way->reader, struct emu_node, work);
		u8 packet[EMU_MAINT_MAX];
		unsigned int len, port;

		len = emu_maint_encode(m, packet);
		if (!emu_maint_decode(m, packet, len))
			break;
		if (node == from)
			return 0;
		port = emu_maint_arrive(node, emu_in_port(node, way), m);
		if (port == EMU_NO_PORT)
			break;
		way = node->out[port];
	}
	return -ETIMEDOUT;
}

/* The ID that the endpoint has now */
static u16 emu_id(struct rio9_port *port, bool large)
{
	u32 value = 0;

	rio9_reg_read(port, RIO_DID_CSR, &value);
	return large ? value & U16_MAX : value >> 16 & U8_MAX;
}

static int emu_request(struct rio9_port *port, struct emu_maint *m)
{
	const struct emu_node *node = rio9_port_priv(port);
	const enum emu_maint_kind done = m->kind + EMU_MAINT_READ_DONE - EMU_MAINT_READ;
	static atomic_t tid;
	u8 mine = atomic_inc_return(&tid);
	int err;

	m->large = node->large;
	m->src = emu_id(port, node->large);
	m->tid = mine;
	m->code = EMU_MAINT_FOUR_BYTES;
	err = emu_walk(node, m);
	if (err)
		return err;
	if (m->kind != done || m->tid != mine)
		return -ETIMEDOUT;
	return m->code == EMU_MAINT_GOOD ? 0 : -EREMOTEIO;
}

/**
 * emu_maint_read - read a register of another device, for struct rio9_port_ops
 * @port: a port of an emulated endpoint
 * @id: destination ID
 * @hops: switches that the request passes; the next device answers
 * @offset: the register
 * @value: gets its value
 *
 * Context: any.
 * Return: 0; -ETIMEDOUT if nobody answers: a link on the way is down, or there is no route;
 *	-EREMOTEIO for an error response.
 */
int emu_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value)
{
	struct emu_maint m = { .kind = EMU_MAINT_READ, .dst = id, .hops = hops, .offset = offset };
	int err = emu_request(port, &m);

	if (!err)
		*value = m.data[emu_maint_half(offset)];
	return err;
}

/**
 * emu_maint_write - write a register of another device, for struct rio9_port_ops
 * @port: a port of an emulated endpoint
 * @id: destination ID
 * @hops: switches that the request passes; the next device answers
 * @offset: the register
 * @value: its new value
 *
 * Context: any.
 * Return: as emu_maint_read() does.
 */
int emu_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value)
{
	struct emu_maint m = { .kind = EMU_MAINT_WRITE, .dst = id, .hops = hops,
			       .offset = offset };

	m.data[emu_maint_half(offset)] = value;
	return emu_request(port, &m);
}
