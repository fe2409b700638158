// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common.h"
#include "region.h"

bool region_next_event(int fd, unsigned int type, struct st_event *event)
{
	struct epoll_event wanted = { .events = EPOLLPRI | EPOLLET }, got;
	long long end = now_ms() + 6 * SOON_MS;
	int ep = epoll_create1(EPOLL_CLOEXEC);
	int err;

	epoll_ctl(ep, EPOLL_CTL_ADD, fd, &wanted);
	while ((err = region_event(fd, event)) && errno == EAGAIN && now_ms() < end)
		epoll_wait(ep, &got, 1, SOON_MS);
	close(ep);
	if (err) {
		fprintf(stderr, "# no event of type %u: %s\n", type, strerror(errno));
		return false;
	}
	if (event->type != type)
		fprintf(stderr, "# event of type %u, not %u\n", event->type, type);
	return event->type == type;
}

bool grant(int fds[2], char *at, size_t len, unsigned int access, long handles[2])
{
	handles[B] = region_expose(fds[B], at, len, access);
	if (handles[B] < 0) {
		perror("# expose");
		return false;
	}
	handles[A] = region_request(fds[A], len, 0);
	if (handles[A] < 0)
		perror("# request");
	return handles[A] >= 0;
}

__u64 port_error(int fd, enum st_error error)
{
	struct st_errors errors = {};
	socklen_t len = sizeof(errors);

	if (getsockopt(fd, SOL_ST, ST_ERRORS, &errors, &len))
		perror("# ST_ERRORS");
	return errors.count[error];
}
