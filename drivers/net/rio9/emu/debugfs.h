/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory /sys/kernel/debug/rio9_emu/.
 */
#ifndef _RIO9_EMU_DEBUGFS_H
#define _RIO9_EMU_DEBUGFS_H

struct dentry;
struct emu_fabric;

void emu_debugfs_create(struct emu_fabric *fabric, struct dentry *dir);
void emu_debugfs_remove(struct dentry *dir);

#endif
