/* SPDX-License-Identifier: GPL-2.0 */
/* The window and the length of Blocks over a medium without flow control. */
#ifndef _NET_ST_WINDOW_H
#define _NET_ST_WINDOW_H

#include "xfer/xfer.h"

/* xfer/window.c */
void st_window_join(struct st_path *path);
void st_window_begun(const struct st_block *blk);
void st_window_measure(const struct st_block *blk);
bool st_window_arrived(const struct st_block *blk);
void st_window_lost(const struct st_block *blk);
bool st_window_open(const struct st_path *path, const struct st_rx *rx, unsigned int blocks);
unsigned int st_path_blocksize(struct st_path *path);
unsigned int st_window_blocksize(struct st_sock *st, unsigned int size);

#endif
