// SPDX-License-Identifier: GPL-2.0
/*
 * Flags of send() and recv() on AF_ST sockets, readers in line, and epoll.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	1048576	/* more than the kernel keeps */

FIXTURE(flags)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(flags)
{
	self->buf = new_pages(2 * LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(flags)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* Sends a fill()ed record, which the kernel at the other end keeps. */
static bool put(int fds[2], size_t len, unsigned int record)
{
	char buf[4096];

	fill(buf, len, record, 0);
	return send(fds[A], buf, len, MSG_NOSIGNAL) == (ssize_t)len &&
	       poll_for(fds[B], POLLIN, SOON_MS) == POLLIN;
}

/* recvmsg() with all its results */
static ssize_t receive(int fd, void *buf, size_t len, int flags, int *got_flags)
{
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = recvmsg(fd, &msg, flags);

	*got_flags = msg.msg_flags & (MSG_EOR | MSG_TRUNC);
	return n;
}

TEST_F(flags, peek)
{
	int fd = self->fds[B], got, bytes = 0;
	char *buf = self->buf;

	EXPECT_ERRNO(EAGAIN, recv(fd, buf, 10, MSG_PEEK | MSG_DONTWAIT));
	ASSERT_TRUE(put(self->fds, 1000, 1));
	ASSERT_TRUE(put(self->fds, 10, 2));

	EXPECT_EQ(300, receive(fd, buf, 300, MSG_PEEK, &got));
	EXPECT_EQ(0, got);
	EXPECT_TRUE(is_filled(buf, 300, 1, 0));
	EXPECT_EQ(1000, receive(fd, buf, 2000, MSG_PEEK, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_TRUE(is_filled(buf, 1000, 1, 0));
	EXPECT_EQ(1000, receive(fd, buf, 1000, MSG_PEEK | MSG_WAITALL, &got));
	EXPECT_EQ(MSG_EOR, got);
	ASSERT_EQ(0, ioctl(fd, SIOCINQ, &bytes));
	EXPECT_EQ(1000, bytes);

	/* After a part, the rest of the record is peeked, and nothing of the next. */
	EXPECT_EQ(400, receive(fd, buf, 400, 0, &got));
	EXPECT_EQ(600, receive(fd, buf, 2000, MSG_PEEK, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_TRUE(is_filled(buf, 600, 1, 400));
	EXPECT_EQ(600, receive(fd, buf, 2000, 0, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_EQ(10, receive(fd, buf, 2000, MSG_PEEK, &got));
	EXPECT_TRUE(is_filled(buf, 10, 2, 0));
	EXPECT_EQ(10, receive(fd, buf, 2000, 0, &got));
	EXPECT_ERRNO(EAGAIN, recv(fd, buf, 10, MSG_PEEK | MSG_DONTWAIT));

	/* An empty record stays too, and so does the end. */
	ASSERT_TRUE(put(self->fds, 0, 0));
	EXPECT_EQ(0, receive(fd, buf, 10, MSG_PEEK, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_EQ(0, receive(fd, buf, 10, 0, &got));
	EXPECT_EQ(MSG_EOR, got);
	close(self->fds[A]);
	self->fds[A] = -1;
	EXPECT_EQ(0, receive(fd, buf, 10, MSG_PEEK, &got));
	EXPECT_EQ(0, got);
	EXPECT_EQ(0, receive(fd, buf, 10, 0, &got));
	EXPECT_EQ(0, got);
}

TEST_F(flags, peek_waits)
{
	char byte = 0;

	ASSERT_TRUE(set_timeout(self->fds[B], SO_RCVTIMEO, BRIEF_MS));
	EXPECT_ERRNO(EAGAIN, recv(self->fds[B], &byte, 1, MSG_PEEK));
	ASSERT_TRUE(set_timeout(self->fds[B], SO_RCVTIMEO, SOON_MS));
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT));
	EXPECT_EQ(1, recv(self->fds[B], &byte, 1, MSG_PEEK));
	EXPECT_EQ('x', byte);
}

TEST_F_TIMEOUT(flags, peek_at_long_record, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = LONG_RECORD };
	char *to = self->buf + LONG_RECORD;
	int got, i;
	ssize_t n;

	fill(self->buf, LONG_RECORD, 3, 0);
	ASSERT_TRUE(job_start(&sender));
	/* As much of it as the kernel has room for, any number of times */
	for (i = 0; i < 10; i++) {
		n = receive(self->fds[B], to, LONG_RECORD, MSG_PEEK, &got);
		ASSERT_LT(0, n);
		EXPECT_GT(LONG_RECORD, n);
		EXPECT_EQ(0, got);
		ASSERT_TRUE(is_filled(to, n, 3, 0));
	}
	EXPECT_EQ(LONG_RECORD, recv(self->fds[B], NULL, 0, MSG_PEEK | MSG_TRUNC));
	ASSERT_EQ(LONG_RECORD, recv_record(self->fds[B], to, LONG_RECORD));
	EXPECT_TRUE(is_filled(to, LONG_RECORD, 3, 0));
	job_end(&sender);
	EXPECT_EQ(LONG_RECORD, sender.result);
}

TEST_F(flags, truncate)
{
	int fd = self->fds[B], got;
	char *buf = self->buf;

	ASSERT_TRUE(put(self->fds, 1000, 1));
	ASSERT_TRUE(put(self->fds, 20, 2));
	memset(buf, GUARD, 2000);
	EXPECT_EQ(1000, receive(fd, buf, 10, MSG_PEEK | MSG_TRUNC, &got));
	EXPECT_EQ(MSG_TRUNC, got);
	EXPECT_TRUE(is_filled(buf, 10, 1, 0));
	EXPECT_TRUE(is_guard(buf + 10, 1990));
	EXPECT_EQ(1000, recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC));

	/* The excess is discarded, and the next record follows. */
	EXPECT_EQ(100, receive(fd, buf, 100, 0, &got));
	memset(buf, GUARD, 2000);
	EXPECT_EQ(900, receive(fd, buf, 10, MSG_TRUNC, &got));
	EXPECT_EQ(MSG_TRUNC | MSG_EOR, got);
	EXPECT_TRUE(is_filled(buf, 10, 1, 100));
	EXPECT_TRUE(is_guard(buf + 10, 1990));
	/* All of it fits */
	EXPECT_EQ(20, receive(fd, buf, 20, MSG_TRUNC | MSG_DONTWAIT, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_TRUE(is_filled(buf, 20, 2, 0));
	EXPECT_ERRNO(EAGAIN, recv(fd, buf, 20, MSG_TRUNC | MSG_DONTWAIT));
}

TEST_F_TIMEOUT(flags, truncate_long_record, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = LONG_RECORD };
	char *to = self->buf + LONG_RECORD;
	size_t sizes[] = { 0, 100, 100000 }, i;
	int got;

	fill(self->buf, LONG_RECORD, 4, 0);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_TRUE(job_start(&sender));
		EXPECT_EQ(LONG_RECORD, receive(self->fds[B], to, sizes[i], MSG_TRUNC, &got));
		EXPECT_EQ(MSG_TRUNC | MSG_EOR, got);
		EXPECT_TRUE(is_filled(to, sizes[i], 4, 0));
		job_end(&sender);
		EXPECT_EQ(LONG_RECORD, sender.result);
	}
	ASSERT_TRUE(put(self->fds, 1, 5));
	EXPECT_EQ(1, recv_record(self->fds[B], to, 1));
}

TEST_F(flags, end_of_record)
{
	int got;

	/* Every send is a record, with the flag or without. */
	ASSERT_EQ(3, send(self->fds[A], "abc", 3, MSG_EOR | MSG_NOSIGNAL));
	ASSERT_EQ(2, send(self->fds[A], "de", 2, MSG_NOSIGNAL));
	EXPECT_EQ(3, receive(self->fds[B], self->buf, 10, 0, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_EQ(2, receive(self->fds[B], self->buf, 10, MSG_WAITALL, &got));
	EXPECT_EQ(MSG_EOR, got);
	EXPECT_EQ(0, memcmp(self->buf, "de", 2));
}

TEST_F_TIMEOUT(flags, single_bytes, 60)
{
	enum { COUNT = 1024 };
	struct iovec from[COUNT], to[COUNT];
	struct msghdr msg = { .msg_iov = from, .msg_iovlen = COUNT };
	char *target = self->buf + LONG_RECORD;
	int len[2] = {}, round, i, at;

	for (round = 0; round < 2; round++) {
		/* Every byte in a piece of its own, each at another place in its word */
		for (i = 0; i < COUNT; i++) {
			from[i].iov_base = self->buf + i * (7 + 2 * round);
			from[i].iov_len = 1;
			fill(from[i].iov_base, 1, round, i);
			to[i].iov_base = target + (COUNT - i) * (11 + 2 * round);
			to[i].iov_len = !round || i % 3 == 0;
			len[round] += to[i].iov_len;
		}
		msg.msg_iov = from;
		ASSERT_EQ(COUNT, sendmsg(self->fds[A], &msg, MSG_NOSIGNAL));
		memset(target, GUARD, LONG_RECORD);
		msg.msg_iov = to;
		ASSERT_EQ(len[round], recvmsg(self->fds[B], &msg, 0));
		EXPECT_EQ(!round, !!(msg.msg_flags & MSG_EOR));
		for (at = 0, i = 0; i < COUNT; at += to[i++].iov_len) {
			ASSERT_TRUE(is_filled(to[i].iov_base, to[i].iov_len, round, at));
			EXPECT_TRUE(is_guard(to[i].iov_base + to[i].iov_len, 10));
		}
	}
	ASSERT_EQ(COUNT - len[1], recv_record(self->fds[B], target, COUNT));
	EXPECT_TRUE(is_filled(target, COUNT - len[1], 1, len[1]));
}

TEST_F(flags, readers_in_line)
{
	char bytes[2] = {};
	struct job first = { .fd = self->fds[B], .buf = &bytes[0], .len = 1, .receive = true };
	struct job second = { .fd = self->fds[B], .buf = &bytes[1], .len = 1, .receive = true };
	long long start;
	char byte;

	ASSERT_TRUE(job_start(&first));
	ASSERT_TRUE(job_asleep(&first));
	/* Behind the first, a reader has its own limit, ... */
	EXPECT_ERRNO(EAGAIN, recv(self->fds[B], &byte, 1, MSG_DONTWAIT));
	ASSERT_TRUE(set_timeout(self->fds[B], SO_RCVTIMEO, BRIEF_MS));
	start = now_ms();
	EXPECT_ERRNO(EAGAIN, recv(self->fds[B], &byte, 1, 0));
	EXPECT_LE(start + BRIEF_MS / 2, now_ms());
	EXPECT_GE(start + SOON_MS, now_ms());
	EXPECT_TRUE(job_running(&first));

	/* ... and can be interrupted. */
	ASSERT_TRUE(set_timeout(self->fds[B], SO_RCVTIMEO, 0));
	ASSERT_TRUE(catch_signal(SIGUSR1, 0));
	ASSERT_TRUE(job_start(&second));
	ASSERT_TRUE(signal_job(&second, SIGUSR1));
	job_end(&second);
	EXPECT_EQ(-1, second.result);
	EXPECT_EQ(EINTR, second.error);
	EXPECT_TRUE(job_running(&first));

	/* After the first it is the second's turn. */
	ASSERT_TRUE(job_start(&second));
	ASSERT_TRUE(job_asleep(&second));
	ASSERT_EQ(1, send(self->fds[A], "1", 1, MSG_NOSIGNAL));
	job_end(&first);
	EXPECT_EQ(1, first.result);
	ASSERT_EQ(1, send(self->fds[A], "2", 1, MSG_NOSIGNAL));
	job_end(&second);
	EXPECT_EQ(1, second.result);
	EXPECT_EQ(0, memcmp(bytes, "12", 2));
}

static int watch(int fd, unsigned int events)
{
	struct epoll_event event = { .events = events };
	int ep = epoll_create1(EPOLL_CLOEXEC);

	if (ep >= 0 && epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event)) {
		close(ep);
		return -1;
	}
	return ep;
}

static unsigned int next_events(int ep, int timeout_ms)
{
	struct epoll_event event;

	return epoll_wait(ep, &event, 1, timeout_ms) == 1 ? event.events : 0;
}

TEST_F(flags, epoll_level)
{
	int ep = watch(self->fds[B], EPOLLIN);
	char byte;
	int i;

	ASSERT_LE(0, ep);
	EXPECT_EQ(0, next_events(ep, 0));
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_NOSIGNAL));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(EPOLLIN, next_events(ep, SOON_MS));
	ASSERT_EQ(1, recv_record(self->fds[B], &byte, 1));
	EXPECT_EQ(0, next_events(ep, 0));
	close(ep);
}

TEST_F_TIMEOUT(flags, epoll_edge, 60)
{
	int in = watch(self->fds[B], EPOLLIN | EPOLLRDHUP | EPOLLET), out, i;
	char buf[20000];

	ASSERT_LE(0, in);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_NOSIGNAL));
		EXPECT_EQ(EPOLLIN, next_events(in, SOON_MS));
		EXPECT_EQ(0, next_events(in, 0));
		ASSERT_EQ(1, recv_record(self->fds[B], buf, 1));
		EXPECT_ERRNO(EAGAIN, recv(self->fds[B], buf, 1, MSG_DONTWAIT));
	}

	/* Writable once at first, and again when a full buffer has drained */
	out = watch(self->fds[A], EPOLLOUT | EPOLLET);
	ASSERT_LE(0, out);
	EXPECT_EQ(EPOLLOUT, next_events(out, SOON_MS));
	memset(buf, 0, sizeof(buf));
	for (i = 0; send(self->fds[A], buf, sizeof(buf), MSG_DONTWAIT | MSG_NOSIGNAL) > 0; i++)
		;
	ASSERT_EQ(EAGAIN, errno);
	while (i--)
		ASSERT_EQ((ssize_t)sizeof(buf), recv_record(self->fds[B], buf, sizeof(buf)));
	EXPECT_EQ(EPOLLOUT, next_events(out, SOON_MS));

	while (next_events(in, 0))
		;
	close(self->fds[A]);
	self->fds[A] = -1;
	EXPECT_TRUE(next_events(in, SOON_MS) & EPOLLRDHUP);
	close(in);
	close(out);
}

TEST_HARNESS_MAIN
