/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network between the ports of emulated cards.
 */
#ifndef _HIPPI6400_EMU_FABRIC_FABRIC_H
#define _HIPPI6400_EMU_FABRIC_FABRIC_H

#include "emu/emu.h"

/* fabric/cable.c */
bool emu_cable_signal(const struct emu *emu, unsigned int port);
void emu_cable_begin(struct emu *emu);
bool emu_cable_move(struct emu *emu);
ktime_t emu_cable_next(const struct emu *emu);

/* fabric/connect.c */
void emu_connect_init(struct emu *emu);
void emu_connect_release(struct emu *emu);
int emu_connect_topology(struct emu *emu, const char *text);
int emu_connect_line(struct emu *emu, unsigned int port, struct emu_line *line);
void emu_disconnect_line(struct emu *emu, unsigned int port);

/* fabric/line.c */
extern const struct file_operations emu_line_fops;
unsigned int emu_line_put(struct emu_line *line, const struct h64_upkt *upkts, unsigned int n);
unsigned int emu_line_take(struct emu_line *line, struct h64_upkt *upkts, unsigned int max);
void emu_line_driven(struct emu_line *line, bool driven);

#endif
