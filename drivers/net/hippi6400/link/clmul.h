/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CRCs of micropackets by carry-less multiplication.
 */
#ifndef _HIPPI6400_CLMUL_H
#define _HIPPI6400_CLMUL_H

#include "upkt.h"

/* Smallest batch of micropackets for which saving the FPU state pays */
#define H64_CLMUL_WORTH	32

#ifdef CONFIG_X86_64
bool h64_clmul_begin(void);
void h64_clmul_end(void);
void h64_clmul_crc(void *dst, const void *src, struct h64_crcs *crcs);
void h64_clmul_init(void);
#else
static inline bool h64_clmul_begin(void)
{
	return false;
}

static inline void h64_clmul_end(void)
{
}

static inline void h64_clmul_crc(void *dst, const void *src, struct h64_crcs *crcs)
{
}

static inline void h64_clmul_init(void)
{
}
#endif

#endif
