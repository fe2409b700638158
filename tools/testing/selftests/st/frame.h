/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames around operations, ST annex A, independent of the kernel like wire.h: as
 * a packet socket sees them.
 */
#ifndef SELFTESTS_ST_FRAME_H
#define SELFTESTS_ST_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define ETHERTYPE_ST	0x8181	/* A.1 */
#define FRAME_HEAD_MAX	22

/* Bytes before the operation */
size_t frame_head_len(bool ethernet);
/* Writes the bytes before an operation of @len bytes, as the medium requires */
void frame_head(bool ethernet, __u8 *head, const __u8 *to, const __u8 *from, size_t len);
/* Returns the error of received ones, or NULL */
const char *frame_breach(bool ethernet, const __u8 *head, size_t len);

#endif
