/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: asynchronous errors of a file.
 */
#ifndef _FCVI_DEV_EVENT_H
#define _FCVI_DEV_EVENT_H

#include "dev.h"

void fcvi_events_init(struct fcvi_events *e);
void fcvi_event(struct fcvi_file *f, const struct fcvi_dev_event *event);
void fcvi_event_vi(struct fcvi_uvi *u, enum fcvi_dev_error code, const struct fcvi_udesc *d);
ssize_t fcvi_event_read(struct fcvi_file *f, char __user *buf, size_t len, bool wait);
__poll_t fcvi_event_poll(struct fcvi_file *f, struct file *file, struct poll_table_struct *table);

#endif
