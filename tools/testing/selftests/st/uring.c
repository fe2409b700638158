// SPDX-License-Identifier: GPL-2.0
/*
 * io_uring without its library, one request at a time.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common.h"
#include "uring.h"

#define ENTRIES	4

bool uring_open(struct uring *u)
{
	void *rings, *sqes;

	memset(u, 0, sizeof(*u));
	u->fd = syscall(SYS_io_uring_setup, ENTRIES, &u->params);
	if (u->fd < 0)
		return false;
	if (!(u->params.features & IORING_FEAT_SINGLE_MMAP)) {
		errno = EOPNOTSUPP;
		return false;
	}
	u->len = u->params.cq_off.cqes + u->params.cq_entries * sizeof(struct io_uring_cqe);
	if (u->len < u->params.sq_off.array + u->params.sq_entries * sizeof(__u32))
		u->len = u->params.sq_off.array + u->params.sq_entries * sizeof(__u32);
	rings = mmap(NULL, u->len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, u->fd,
		     IORING_OFF_SQ_RING);
	sqes = mmap(NULL, u->params.sq_entries * sizeof(*u->sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, u->fd, IORING_OFF_SQES);
	u->rings = rings;
	u->sqes = sqes;
	return rings != MAP_FAILED && sqes != MAP_FAILED;
}

void uring_close(struct uring *u)
{
	munmap(u->sqes, u->params.sq_entries * sizeof(*u->sqes));
	munmap(u->rings, u->len);
	close(u->fd);
}

static __u32 *uring_at(struct uring *u, __u32 offset)
{
	return (__u32 *)(u->rings + offset);
}

bool uring_post(struct uring *u, const struct io_uring_sqe *sqe)
{
	__u32 mask = *uring_at(u, u->params.sq_off.ring_mask);
	__u32 *tail = uring_at(u, u->params.sq_off.tail);
	__u32 at = *tail & mask;

	u->sqes[at] = *sqe;
	uring_at(u, u->params.sq_off.array)[at] = at;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	return syscall(SYS_io_uring_enter, u->fd, 1, 0, 0, NULL, 0) == 1;
}

int uring_result(struct uring *u, int timeout_ms)
{
	__u32 mask = *uring_at(u, u->params.cq_off.ring_mask);
	__u32 *head = uring_at(u, u->params.cq_off.head);
	__u32 *tail = uring_at(u, u->params.cq_off.tail);
	struct io_uring_cqe *cqes = (struct io_uring_cqe *)(u->rings + u->params.cq_off.cqes);
	long long end = now_ms() + timeout_ms;
	int res;

	while (__atomic_load_n(tail, __ATOMIC_ACQUIRE) == *head) {
		if (now_ms() > end)
			return -ETIME;
		poll_for(u->fd, POLLIN, BRIEF_MS);
	}
	res = cqes[*head & mask].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return res;
}
