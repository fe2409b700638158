/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: endpoints of a file.
 */
#ifndef _FCVI_DEV_VI_H
#define _FCVI_DEV_VI_H

#include "dev.h"

int fcvi_dev_vi_create(struct fcvi_file *f, void *arg);
int fcvi_dev_vi_destroy(struct fcvi_file *f, void *arg);
int fcvi_dev_vi_query(struct fcvi_file *f, void *arg);
int fcvi_dev_vi_change(struct fcvi_file *f, void *arg);
void fcvi_dev_vi_end(struct fcvi_file *f);

#endif
