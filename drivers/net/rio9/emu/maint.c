// SPDX-License-Identifier: GPL-2.0
/*
 * Maintenance packets, and what a node does with them.
 *
 * Behind the IDs come: transaction(4) size or status(4), a number(8), hop count(8), offset(22) of
 * a register, whose lowest bit tells its half of a double-word, and two reserved bits; then the
 * double-word, if there is one.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "fabric.h"
#include "maint.h"
#include "regs.h"

/* In front of the transaction, and from it to the double-word */
#define EMU_MAINT_HEAD(large)	((large) ? 6 : 4)
#define EMU_MAINT_BODY		6
#define EMU_MAINT_DATA		8

#define EMU_MAINT_OFFSET	GENMASK(23, 2)
#define EMU_MAINT_HOPS		GENMASK(31, 24)

/* Responses are not counted in hops */
#define EMU_MAINT_ALL_HOPS	0xff
#define EMU_PRIO_MAX		3

static bool emu_maint_has_data(enum emu_maint_kind kind)
{
	return kind == EMU_MAINT_WRITE || kind == EMU_MAINT_READ_DONE;
}

/**
 * emu_maint_decode - take a packet apart
 * @m: gets what is in it
 * @packet: the packet
 * @len: its bytes
 *
 * Return: true if it is a maintenance packet that is known here.
 */
bool emu_maint_decode(struct emu_maint *m, const u8 *packet, unsigned int len)
{
	const u8 *body;
	u32 word;

	if (len < EMU_MAINT_HEAD(true) || (packet[1] & 0x2f) != EMU_FTYPE_MAINT)
		return false;
	*m = (struct emu_maint) { .large = packet[1] >> 4 & 1, .prio = packet[1] >> 6 };
	body = packet + EMU_MAINT_HEAD(m->large);
	len -= EMU_MAINT_HEAD(m->large);
	if (len < EMU_MAINT_BODY || body[0] >> 4 > EMU_MAINT_WRITE_DONE)
		return false;
	m->dst = m->large ? get_unaligned_be16(packet + 2) : packet[2];
	m->src = m->large ? get_unaligned_be16(packet + 4) : packet[3];
	m->kind = body[0] >> 4;
	m->code = body[0] & 0xf;
	m->tid = body[1];
	word = get_unaligned_be32(body + 2);
	m->hops = FIELD_GET(EMU_MAINT_HOPS, word);
	m->offset = word & EMU_MAINT_OFFSET;
	if (!emu_maint_has_data(m->kind))
		return true;
	if (len < EMU_MAINT_BODY + EMU_MAINT_DATA)
		return false;
	m->data[0] = get_unaligned_be32(body + EMU_MAINT_BODY);
	m->data[1] = get_unaligned_be32(body + EMU_MAINT_BODY + 4);
	return true;
}

/**
 * emu_maint_encode - make a packet
 * @m: what is in it
 * @packet: gets it
 *
 * Return: its bytes.
 */
unsigned int emu_maint_encode(const struct emu_maint *m, u8 packet[EMU_MAINT_MAX])
{
	unsigned int head = EMU_MAINT_HEAD(m->large), len = head + EMU_MAINT_BODY;
	u8 *body = packet + head;

	memset(packet, 0, EMU_MAINT_MAX);
	packet[1] = m->prio << 6 | m->large << 4 | EMU_FTYPE_MAINT;
	if (m->large) {
		put_unaligned_be16(m->dst, packet + 2);
		put_unaligned_be16(m->src, packet + 4);
	} else {
		packet[2] = m->dst;
		packet[3] = m->src;
	}
	body[0] = m->kind << 4 | m->code;
	body[1] = m->tid;
	put_unaligned_be32(FIELD_PREP(EMU_MAINT_HOPS, m->hops) | m->offset, body + 2);
	if (emu_maint_has_data(m->kind)) {
		put_unaligned_be32(m->data[0], body + EMU_MAINT_BODY);
		put_unaligned_be32(m->data[1], body + EMU_MAINT_BODY + 4);
		len += EMU_MAINT_DATA;
	}
	return round_up(len, 4);
}

static int emu_maint_access(struct emu_node *node, unsigned int in_port, struct emu_maint *m)
{
	u32 *half = &m->data[emu_maint_half(m->offset)];
	bool write = m->kind == EMU_MAINT_WRITE;

	/* Other sizes are optional in Part 10, 5.4, and not offered */
	if (m->code != EMU_MAINT_FOUR_BYTES)
		return -EOPNOTSUPP;
	if (!node->is_switch)
		return write ? rio9_reg_write(node->port, m->offset, *half) :
			       rio9_reg_read(node->port, m->offset, half);
	if (write)
		emu_regs_write(node, m->offset, *half);
	else
		*half = emu_regs_read(node, in_port, m->offset);
	return 0;
}

static void emu_maint_serve(struct emu_node *node, unsigned int in_port, struct emu_maint *m)
{
	m->code = emu_maint_access(node, in_port, m) ? EMU_MAINT_ERROR : EMU_MAINT_GOOD;
	m->kind += EMU_MAINT_READ_DONE - EMU_MAINT_READ;
	m->offset = 0;
	m->hops = EMU_MAINT_ALL_HOPS;
	m->prio = min(m->prio + 1, EMU_PRIO_MAX);
	swap(m->dst, m->src);
}

/**
 * emu_maint_arrive - a maintenance packet comes to a node
 * @node: the node; an endpoint answers whatever the destination ID and the hop count are, as
 *	a host that gives it its ID cannot know one
 * @in_port: port that it comes in by
 * @m: the packet; becomes what goes out: itself or its answer
 *
 * Context: any.
 * Return: port that this goes out by, or EMU_NO_PORT if nothing does.
 */
u8 emu_maint_arrive(struct emu_node *node, unsigned int in_port, struct emu_maint *m)
{
	if (node->is_switch && m->hops) {
		m->hops--;
		return emu_route(node, m->dst);
	}
	if (m->kind > EMU_MAINT_WRITE)
		return EMU_NO_PORT;
	emu_maint_serve(node, in_port, m);
	return in_port;
}
