/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of a switch.
 */
#ifndef _RIO9_EMU_REGS_H
#define _RIO9_EMU_REGS_H

#include <linux/types.h>

struct emu_node;

void emu_regs_init(struct emu_node *node);
u32 emu_regs_read(struct emu_node *node, unsigned int in_port, u32 offset);
void emu_regs_write(struct emu_node *node, u32 offset, u32 value);
u8 emu_route(const struct emu_node *node, u16 id);

#endif
