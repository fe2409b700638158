/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the emulated RapidIO fabric offers beyond its ports.
 */
#ifndef _LINUX_RIO9_EMU_H
#define _LINUX_RIO9_EMU_H

#include <linux/types.h>

struct rio9_port;

int rio9_emu_maint_read(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 *value);
int rio9_emu_maint_write(struct rio9_port *port, u16 id, u8 hops, u32 offset, u32 value);

#endif
