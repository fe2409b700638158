/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: requests of clients.
 */
#ifndef _FCVI_DEV_REQUEST_H
#define _FCVI_DEV_REQUEST_H

#include "dev.h"

void fcvi_dev_poll_work(struct work_struct *work);
int fcvi_dev_request_wait(struct fcvi_file *f, void *arg);
int fcvi_dev_accept(struct fcvi_file *f, void *arg);
int fcvi_dev_reject(struct fcvi_file *f, void *arg);
void fcvi_dev_request_end(struct fcvi_file *f);

#endif
