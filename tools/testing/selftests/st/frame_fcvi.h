/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port of Fibre Channel whose operations are Messages of FC-VI, independent of the kernel: with
 * the peer of the tests of Fibre Channel (../fc), which makes and checks the frames, logs in, and
 * sets up the two VIs of st-llp.rst.  What that finds wrong ends the program.
 */
#ifndef SELFTESTS_ST_FRAME_FCVI_H
#define SELFTESTS_ST_FRAME_FCVI_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include <linux/types.h>

/* The port with the address of frame_host(); returns its packet socket, and its MAC address */
int fcvi_open(const char *device, unsigned int n, __u8 *mac);
/* Sends an operation, as Control or Data */
void fcvi_send(bool data, const __u8 *bytes, size_t len);
/*
 * The next operation, and what is wrong with its frames.  Returns its bytes; -1: none comes in time
 */
ssize_t fcvi_take(__u8 *bytes, size_t room, int ms, bool *data, const char **what);

#endif
