/* SPDX-License-Identifier: GPL-2.0 */
/*
 * io_uring without its library, one request at a time.
 */
#ifndef SELFTESTS_ST_URING_H
#define SELFTESTS_ST_URING_H

#include <stdbool.h>

#include <linux/io_uring.h>

/**
 * struct uring - a ring
 * @fd: file descriptor
 * @rings: the kernel's rings, for both directions
 * @len: their length in bytes
 * @sqes: requests
 * @params: offsets in the rings
 */
struct uring {
	int			fd;
	unsigned char		*rings;
	unsigned int		len;
	struct io_uring_sqe	*sqes;
	struct io_uring_params	params;
};

/* False with errno. */
bool uring_open(struct uring *u);
void uring_close(struct uring *u);
bool uring_post(struct uring *u, const struct io_uring_sqe *sqe);
/*
 * The result of the posted request: that of the call, or a negative errno; -ETIME after the
 * time limit.
 */
int uring_result(struct uring *u, int timeout_ms);

#endif
