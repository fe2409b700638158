// SPDX-License-Identifier: GPL-2.0
/*
 * The emulator is built for PCs only, but some of its parts need no PC.  Where
 * it is not part of the kernel the tests bring a copy of those parts.
 */

#if defined(MODULE) || !IS_BUILTIN(CONFIG_HIPPI6400_EMU)
#include "emu/emu_chance.c"
#include "emu/emu_forward.c"
#include "emu/emu_input.c"
#include "emu/emu_switch.c"
#include "emu/emu_table.c"
#include "emu/emu_topology.c"
#include "emu/emu_way.c"
#endif
