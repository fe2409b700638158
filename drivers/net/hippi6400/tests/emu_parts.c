// SPDX-License-Identifier: GPL-2.0
/*
 * The emulator is built for x86 only, but some of its parts are portable.  If
 * it is not part of the kernel, the tests bring a copy of those parts.
 */

#if defined(MODULE) || !IS_BUILTIN(CONFIG_HIPPI6400_EMU)
#include "emu/fabric/chance.c"
#include "emu/fabric/forward.c"
#include "emu/fabric/input.c"
#include "emu/fabric/switch.c"
#include "emu/fabric/table.c"
#include "emu/fabric/topology.c"
#include "emu/fabric/way.c"
#endif
