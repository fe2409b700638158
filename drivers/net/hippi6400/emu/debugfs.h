/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories in debugfs.
 */
#ifndef _HIPPI6400_EMU_DEBUGFS_H
#define _HIPPI6400_EMU_DEBUGFS_H

#include "emu/emu.h"

/* debugfs_way.c */
void emu_debugfs_way(struct emu_way *way, struct dentry *dir, const char *ber);

/* debugfs_switch.c */
void emu_debugfs_switches(struct emu *emu);

/* debugfs.c */
void emu_debugfs_register(struct emu *emu);
void emu_debugfs_unregister(struct emu *emu);

#endif
