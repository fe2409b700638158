/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: protection tags and memory regions of a file.
 */
#ifndef _FCVI_DEV_MEM_H
#define _FCVI_DEV_MEM_H

#include "dev.h"

struct fcvi_tag *fcvi_utag(struct fcvi_file *f, u32 id);
int fcvi_dev_tag_create(struct fcvi_file *f, void *arg);
int fcvi_dev_tag_destroy(struct fcvi_file *f, void *arg);
int fcvi_dev_mem_register(struct fcvi_file *f, void *arg);
int fcvi_dev_mem_deregister(struct fcvi_file *f, void *arg);
int fcvi_dev_mem_query(struct fcvi_file *f, void *arg);
int fcvi_dev_mem_change(struct fcvi_file *f, void *arg);
void fcvi_dev_mem_end(struct fcvi_file *f);
void fcvi_dev_mem_unpin(struct fcvi_file *f);

#endif
