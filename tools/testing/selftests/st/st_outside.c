// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that know nothing of AF_ST and wait for it with liburing, libevent or Python's
 * asyncio: every call completes, and no wakeup repeats endlessly.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>
#include <liburing.h>

#include "kselftest_harness.h"

#include "region_fixture.h"

#define QUIET_US	300000
#define LONG_RECORD	(8 << 20)	/* more than SO_SNDBUF */
#define SCRIPT		"./st_asyncio.py"

/* The result of one request. */
static int uring_run(struct io_uring *ring)
{
	struct io_uring_cqe *cqe;
	int result;

	if (io_uring_submit_and_wait(ring, 1) != 1 || io_uring_wait_cqe(ring, &cqe))
		return -EPROTO;
	result = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return result;
}

static int uring_sendmsg(struct io_uring *ring, int fd, int type, const void *args, size_t size)
{
	union region_control control;
	struct msghdr msg = {};

	region_control(&msg, &control, type, args, size);
	io_uring_prep_sendmsg(io_uring_get_sqe(ring), fd, &msg, 0);
	return uring_run(ring);
}

/* A Get and a FetchOp complete with their bytes, and not before. */
TEST_F(region, liburing_one_sided)
{
	struct st_fetchop fetchop = { .op = ST_FETCH_INCREMENT };
	struct st_get get = { .len = 50000 };
	struct io_uring ring;
	__u64 result = ~0ULL;
	long handles[2];

	fill(self->mem, LEN, 1, 0);
	memset(self->mem, 0, 8);
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_EQ(0, io_uring_queue_init(4, &ring, 0));
	get.region = handles[A];
	get.addr = (unsigned long)self->buf;
	EXPECT_EQ(50000, uring_sendmsg(&ring, self->fds[A], ST_GET, &get, sizeof(get)));
	EXPECT_EQ(0, memcmp(self->buf, self->mem, 50000));
	fetchop.region = handles[A];
	fetchop.addr = (unsigned long)&result;
	EXPECT_LE(0, uring_sendmsg(&ring, self->fds[A], ST_FETCHOP, &fetchop, sizeof(fetchop)));
	EXPECT_EQ(0, result);
	io_uring_queue_exit(&ring);
}

struct receiver {
	int fd;
	char *to;
	ssize_t got;
};

static void *receive(void *arg)
{
	struct receiver *r = arg;

	r->got = recv_record(r->fd, r->to, LONG_RECORD);
	return NULL;
}

/* A record longer than SO_SNDBUF is sent, as on other sockets. */
TEST_F_TIMEOUT(region, liburing_long_record, 60)
{
	struct receiver r = { .fd = self->fds[B], .to = new_pages(LONG_RECORD) };
	char *from = new_pages(LONG_RECORD);
	struct io_uring ring;
	pthread_t thread;

	fill(from, LONG_RECORD, 2, 0);
	ASSERT_EQ(0, io_uring_queue_init(4, &ring, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, receive, &r));
	io_uring_prep_send(io_uring_get_sqe(&ring), self->fds[A], from, LONG_RECORD, 0);
	EXPECT_EQ(LONG_RECORD, uring_run(&ring));
	/* Otherwise the receiver would wait forever */
	shutdown(self->fds[A], SHUT_WR);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(LONG_RECORD, r.got);
	EXPECT_TRUE(is_filled(r.to, LONG_RECORD, 2, 0));
	io_uring_queue_exit(&ring);
}

/* Reads without a request for their id: no control message, and no MSG_CTRUNC. */
TEST_F(region, liburing_plain_recvmsg)
{
	char room[CMSG_SPACE(128)], bytes[8];
	struct iovec iov = { .iov_base = bytes, .iov_len = sizeof(bytes) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = sizeof(room),
	};
	struct io_uring ring;

	ASSERT_EQ(0, io_uring_queue_init(4, &ring, 0));
	ASSERT_EQ(5, send(self->fds[A], "hello", 5, 0));
	io_uring_prep_recvmsg(io_uring_get_sqe(&ring), self->fds[B], &msg, 0);
	EXPECT_EQ(5, uring_run(&ring));
	EXPECT_EQ(0, memcmp(bytes, "hello", 5));
	EXPECT_EQ(0, msg.msg_controllen);
	EXPECT_EQ(0, msg.msg_flags & MSG_CTRUNC);
	io_uring_queue_exit(&ring);
}

/* An event of memory at B that nobody reads. */
static bool leave_event(int fds[2], char *mem, char *buf, long handles[2])
{
	return !region_option(fds[B], ST_REGION_EVENTS, ST_REGION_EV_PUT) &&
	       grant(fds, mem, LEN, ALL, handles) &&
	       region_put(fds[A], handles[A], 0, buf, 1, 0) == 1;
}

struct watcher {
	struct event_base *base;
	unsigned int calls;
	char byte;
};

static void readable(evutil_socket_t fd, short what, void *arg)
{
	struct watcher *w = arg;

	(void)what;
	w->calls++;
	if (recv(fd, &w->byte, 1, MSG_DONTWAIT) == 1)
		event_base_loopbreak(w->base);
}

/* A program that waits only for bytes sleeps until there are some. */
TEST_F(region, libevent_sleeps)
{
	const struct timeval quiet = { .tv_usec = QUIET_US };
	const struct timeval soon = { .tv_sec = SOON_MS / 1000 };
	struct watcher w = { .base = event_base_new() };
	struct event *event;
	long handles[2];

	ASSERT_TRUE(leave_event(self->fds, self->mem, self->buf, handles));
	ASSERT_STREQ("epoll", event_base_get_method(w.base));
	event = event_new(w.base, self->fds[B], EV_READ | EV_PERSIST, readable, &w);
	ASSERT_EQ(0, event_add(event, NULL));
	event_base_loopexit(w.base, &quiet);
	event_base_dispatch(w.base);
	EXPECT_EQ(0, w.calls);
	ASSERT_EQ(1, send(self->fds[A], "x", 1, 0));
	event_base_loopexit(w.base, &soon);
	event_base_dispatch(w.base);
	EXPECT_EQ(1, w.calls);
	EXPECT_EQ('x', w.byte);
	event_free(event);
	event_base_free(w.base);
}

/* The script has both ends, with an event at B; its status is the number of its failures. */
TEST_F_TIMEOUT(region, asyncio, 100)
{
	char a[12], b[12];
	long handles[2];
	int status;
	pid_t pid;

	ASSERT_TRUE(leave_event(self->fds, self->mem, self->buf, handles));
	snprintf(a, sizeof(a), "%d", self->fds[A]);
	snprintf(b, sizeof(b), "%d", self->fds[B]);
	pid = fork();
	if (!pid) {
		fcntl(self->fds[A], F_SETFD, 0);
		fcntl(self->fds[B], F_SETFD, 0);
		execlp("python3", "python3", SCRIPT, a, b, NULL);
		_exit(127);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
