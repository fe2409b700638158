// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated fabric exports nothing for tests, which bring a copy of its parts.
 */

#if defined(MODULE) || !IS_BUILTIN(CONFIG_RIO9_EMU)
#include "emu/topology.c"
#include "emu/fault.c"
#include "emu/way.c"
#include "emu/regs.c"
#include "emu/maint.c"
#endif
