/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: completion queues of a file.
 */
#ifndef _FCVI_DEV_CQ_H
#define _FCVI_DEV_CQ_H

#include "dev.h"

struct fcvi_ucq *fcvi_ucq(struct fcvi_file *f, u32 id);
void fcvi_ucq_add(struct fcvi_ucq *c, struct fcvi_uvi *u, u32 queue);
int fcvi_ucq_wait(struct fcvi_file *f, struct fcvi_dev_wait *w);
int fcvi_dev_cq_create(struct fcvi_file *f, void *arg);
int fcvi_dev_cq_resize(struct fcvi_file *f, void *arg);
int fcvi_dev_cq_destroy(struct fcvi_file *f, void *arg);
int fcvi_dev_cq_map(struct fcvi_file *f, struct vm_area_struct *vma);
void fcvi_dev_cq_end(struct fcvi_file *f);

#endif
