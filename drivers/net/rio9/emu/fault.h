/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens to packets on a link.
 */
#ifndef _RIO9_EMU_FAULT_H
#define _RIO9_EMU_FAULT_H

#include <linux/types.h>

/* Rates are in packets of a million */
#define EMU_RATE_MAX	1000000

/**
 * enum emu_fault - kinds of faults
 * @EMU_LOSE: the packet does not arrive
 * @EMU_DAMAGE: one of its bits arrives inverted
 * @EMU_DUPLICATE: it arrives twice
 * @EMU_SWAP: it arrives after the next of its physical channel
 * @EMU_FAULTS: how many there are; the packet is well
 */
enum emu_fault {
	EMU_LOSE,
	EMU_DAMAGE,
	EMU_DUPLICATE,
	EMU_SWAP,
	EMU_FAULTS,
};

u64 emu_random(u64 seed, u64 number);
enum emu_fault emu_fault_draw(const u32 rate[EMU_FAULTS], u64 seed, u64 number);

#endif
