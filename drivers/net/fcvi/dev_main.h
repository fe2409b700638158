/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/fcvi: its begin and end.
 */
#ifndef _FCVI_DEV_MAIN_H
#define _FCVI_DEV_MAIN_H

int fcvi_dev_begin(void);
void fcvi_dev_exit(void);

#endif
