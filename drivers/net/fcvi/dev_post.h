/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: descriptors from their posting until their completion.
 */
#ifndef _FCVI_DEV_POST_H
#define _FCVI_DEV_POST_H

#include "dev.h"

struct sk_buff *fcvi_uvi_fill(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, u32 len);
int fcvi_uvi_data(struct fcvi_vi *vi, struct fcvi_desc *desc, u32 offset, struct sk_buff *skb);
void fcvi_uvi_complete(struct fcvi_vi *vi, struct fcvi_desc *desc);
void fcvi_uvi_fail_work(struct work_struct *work);
int fcvi_dev_post(struct fcvi_file *f, void *arg);
int fcvi_dev_wait(struct fcvi_file *f, void *arg);

#endif
