/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maintenance packets, ftype 8, of Part 1 with the hop count of Part 3.
 */
#ifndef _RIO9_EMU_MAINT_H
#define _RIO9_EMU_MAINT_H

#include <linux/types.h>

struct emu_node;
struct rio9_port;

/* ftype of maintenance packets */
#define EMU_FTYPE_MAINT		8

/* The longest: IDs of 16 bits, and a double-word */
#define EMU_MAINT_MAX		20

/**
 * enum emu_maint_kind - transactions that are known
 * @EMU_MAINT_READ: request to read
 * @EMU_MAINT_WRITE: request to write
 * @EMU_MAINT_READ_DONE: response with what was read
 * @EMU_MAINT_WRITE_DONE: response without
 */
enum emu_maint_kind {
	EMU_MAINT_READ,
	EMU_MAINT_WRITE,
	EMU_MAINT_READ_DONE,
	EMU_MAINT_WRITE_DONE,
};

/* Code of four bytes, in the field of sizes of a request */
#define EMU_MAINT_FOUR_BYTES	8

/* Status of a response */
#define EMU_MAINT_GOOD		0
#define EMU_MAINT_ERROR		7

/**
 * struct emu_maint - a maintenance packet
 * @large: IDs have 16 bits
 * @prio: priority
 * @dst: destination ID
 * @src: source ID
 * @kind: transaction
 * @code: size in a request, status in a response
 * @tid: number that a response repeats
 * @hops: switches that it passes
 * @offset: register of a request
 * @data: a double-word; a register is one half of it
 */
struct emu_maint {
	bool large;
	u8 prio;
	u16 dst;
	u16 src;
	enum emu_maint_kind kind;
	u8 code;
	u8 tid;
	u8 hops;
	u32 offset;
	u32 data[2];
};

/**
 * emu_maint_half - where a register is in a double-word
 * @offset: the register
 *
 * Return: index of the half.
 */
static inline unsigned int emu_maint_half(u32 offset)
{
	return offset / sizeof(u32) % 2;
}

bool emu_maint_decode(struct emu_maint *m, const u8 *packet, unsigned int len);
unsigned int emu_maint_encode(const struct emu_maint *m, u8 packet[EMU_MAINT_MAX]);
u8 emu_maint_arrive(struct emu_node *node, unsigned int in_port, struct emu_maint *m);
int emu_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value);
int emu_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value);

#endif
