/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: connection Setups and Disconnects.
 */
#ifndef _FCVI_DEV_CONNECT_H
#define _FCVI_DEV_CONNECT_H

#include "dev.h"

int fcvi_addr_from(struct fcvi_addr *to, const struct fcvi_dev_addr *from);
void fcvi_addr_tell(struct fcvi_dev_addr *to, const struct fcvi_addr *from);
void fcvi_attrs_tell(struct fcvi_dev_attrs *to, const struct fcvi_attrs *from, u32 tag);
int fcvi_attrs_error(u8 differs);
void fcvi_uvi_tell(struct fcvi_vi *vi, enum fcvi_news news);
int fcvi_dev_connect(struct fcvi_file *f, void *arg);
int fcvi_dev_connect_wait(struct fcvi_file *f, void *arg);
int fcvi_dev_disconnect(struct fcvi_file *f, void *arg);

#endif
