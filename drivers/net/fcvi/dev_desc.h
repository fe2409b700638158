/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: descriptors as programs write them.
 */
#ifndef _FCVI_DEV_DESC_H
#define _FCVI_DEV_DESC_H

#include "dev.h"

unsigned int fcvi_desc_size(const void *raw);
void fcvi_desc_parse(struct fcvi_udesc *d, const void *raw, u8 level, u32 max_trans_size);
u32 fcvi_desc_status(const struct fcvi_desc *desc);

#endif
