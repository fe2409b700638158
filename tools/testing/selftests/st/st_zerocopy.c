// SPDX-License-Identifier: GPL-2.0
/*
 * MSG_ZEROCOPY on AF_ST sockets: sends that do not wait and do not copy, and
 * their completions on the error queue.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/errqueue.h>
#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	1048576	/* more than the kernel keeps */

FIXTURE(zerocopy)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(zerocopy)
{
	int one = 1;

	self->buf = new_pages(2 * LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one)));
}

FIXTURE_TEARDOWN(zerocopy)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* The next completion, or false with errno */
static bool completion(int fd, struct sock_extended_err *ee)
{
	union {
		char room[CMSG_SPACE(sizeof(*ee))];
		struct cmsghdr align;
	} control;
	struct msghdr msg = { .msg_control = &control, .msg_controllen = sizeof(control) };
	struct cmsghdr *cmsg;

	if (recvmsg(fd, &msg, MSG_ERRQUEUE))
		return false;
	cmsg = CMSG_FIRSTHDR(&msg);
	errno = EBADMSG;
	if (!(msg.msg_flags & MSG_ERRQUEUE) || !cmsg || cmsg->cmsg_level != SOL_ST ||
	    cmsg->cmsg_type != ST_RECVERR || cmsg->cmsg_len != CMSG_LEN(sizeof(*ee)))
		return false;
	memcpy(ee, CMSG_DATA(cmsg), sizeof(*ee));
	return true;
}

static bool wait_completion(int fd, struct sock_extended_err *ee)
{
	long long end = now_ms() + SOON_MS;

	/* poll() would not wait on a connection that is over. */
	while (!(poll_for(fd, 0, 10) & POLLERR)) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return completion(fd, ee);
}

static void expect_completion(struct __test_metadata *_metadata, int fd, __u32 number, __u8 code)
{
	struct sock_extended_err ee = {};

	ASSERT_TRUE(wait_completion(fd, &ee)) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(SO_EE_ORIGIN_ZEROCOPY, ee.ee_origin);
	EXPECT_EQ(0, ee.ee_errno);
	EXPECT_EQ(code, ee.ee_code);
	EXPECT_EQ(number, ee.ee_info);
	EXPECT_EQ(number, ee.ee_data);
}

TEST_F(zerocopy, option)
{
	int value = 2, fd = new_socket(A, 0);
	socklen_t len = sizeof(value);

	EXPECT_ERRNO(EINVAL, setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, len));
	value = -1;
	EXPECT_ERRNO(EINVAL, setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, len));
	EXPECT_ERRNO(EINVAL, setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, 1));
	ASSERT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, &len));
	EXPECT_EQ(0, value);
	value = 1;
	ASSERT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, len));
	ASSERT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, &len));
	EXPECT_EQ(1, value);
	close(fd);

	/* Without it the flag means nothing. */
	value = 0;
	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_ZEROCOPY, &value, len));
	ASSERT_EQ(5, send(self->fds[A], "bytes", 5, MSG_ZEROCOPY | MSG_NOSIGNAL));
	ASSERT_EQ(5, recv_record(self->fds[B], self->buf, 5));
	EXPECT_EQ(0, poll_for(self->fds[A], 0, 0));
	EXPECT_ERRNO(EAGAIN, completion(self->fds[A], &(struct sock_extended_err){}) - 1);
}

TEST_F_TIMEOUT(zerocopy, completes_when_it_has_arrived, 60)
{
	char *to = self->buf + LONG_RECORD;
	int bytes = 0;

	fill(self->buf, LONG_RECORD, 1, 0);
	ASSERT_EQ(LONG_RECORD, send(self->fds[A], self->buf, LONG_RECORD,
				    MSG_ZEROCOPY | MSG_NOSIGNAL));
	/* The call has returned, but the memory is still in use. */
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	EXPECT_EQ(0, poll_for(self->fds[A], 0, BRIEF_MS));
	EXPECT_ERRNO(EAGAIN, completion(self->fds[A], &(struct sock_extended_err){}) - 1);
	ASSERT_EQ(0, ioctl(self->fds[A], SIOCOUTQ, &bytes));
	EXPECT_EQ(LONG_RECORD, bytes);

	ASSERT_EQ(LONG_RECORD, recv_record(self->fds[B], to, LONG_RECORD));
	EXPECT_TRUE(is_filled(to, LONG_RECORD, 1, 0));
	expect_completion(_metadata, self->fds[A], 0, 0);
	EXPECT_EQ(0, poll_for(self->fds[A], 0, 0));
	ASSERT_EQ(0, ioctl(self->fds[A], SIOCOUTQ, &bytes));
	EXPECT_EQ(0, bytes);
	EXPECT_ERRNO(EAGAIN, completion(self->fds[A], &(struct sock_extended_err){}) - 1);

	/* The same without waiting, whatever SO_SNDBUF is. */
	ASSERT_EQ(LONG_RECORD, send(self->fds[A], self->buf, LONG_RECORD,
				    MSG_ZEROCOPY | MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_EQ(LONG_RECORD, recv_record(self->fds[B], to, LONG_RECORD));
	EXPECT_TRUE(is_filled(to, LONG_RECORD, 1, 0));
	expect_completion(_metadata, self->fds[A], 1, 0);
}

TEST_F_TIMEOUT(zerocopy, ranges, 60)
{
	enum { COUNT = 20, LEN = 9000 };
	struct sock_extended_err ee;
	char got[LEN];
	__u32 next = 0;
	int i;

	for (i = 0; i < COUNT; i++) {
		fill(self->buf + i * LEN, LEN, i, 0);
		ASSERT_EQ(LEN, send(self->fds[A], self->buf + i * LEN, LEN,
				    MSG_ZEROCOPY | MSG_NOSIGNAL));
		/* Not numbered: a send without bytes, one that is too long, or an ordinary one */
		if (i == 5) {
			ASSERT_TRUE(sysctl_set(A, "max_transfer", LEN));
			EXPECT_ERRNO(EMSGSIZE, send(self->fds[A], self->buf, LEN + 1,
						    MSG_ZEROCOPY | MSG_NOSIGNAL));
			EXPECT_ERRNO(EFAULT, send(self->fds[A], (void *)16, LEN,
						  MSG_ZEROCOPY | MSG_NOSIGNAL));
		}
	}
	for (i = 0; i < COUNT; i++) {
		ASSERT_EQ(LEN, recv_record(self->fds[B], got, LEN));
		ASSERT_TRUE(is_filled(got, LEN, i, 0));
	}
	/* Each is reported once, in order, alone or with its neighbours. */
	while (next < COUNT) {
		ASSERT_TRUE(wait_completion(self->fds[A], &ee));
		EXPECT_EQ(next, ee.ee_info);
		ASSERT_LE(ee.ee_info, ee.ee_data);
		EXPECT_EQ(0, ee.ee_code);
		next = ee.ee_data + 1;
	}
	EXPECT_EQ(COUNT, next);
	EXPECT_EQ(0, poll_for(self->fds[A], 0, 0));
}

TEST_F(zerocopy, small_pieces_are_copied)
{
	enum { COUNT = 100 };
	struct iovec iov[COUNT];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = COUNT };
	int i;

	for (i = 0; i < COUNT; i++) {
		iov[i].iov_base = self->buf + 5000 * i;
		iov[i].iov_len = 3;
		fill(iov[i].iov_base, 3, 6, 3 * i);
	}
	ASSERT_EQ(3 * COUNT, sendmsg(self->fds[A], &msg, MSG_ZEROCOPY | MSG_NOSIGNAL));
	ASSERT_EQ(3 * COUNT, recv_record(self->fds[B], self->buf, 3 * COUNT));
	EXPECT_TRUE(is_filled(self->buf, 3 * COUNT, 6, 0));
	expect_completion(_metadata, self->fds[A], 0, SO_EE_CODE_ZEROCOPY_COPIED);
}

TEST_F(zerocopy, teardown_completes_too)
{
	ASSERT_EQ(LONG_RECORD, send(self->fds[A], self->buf, LONG_RECORD,
				    MSG_ZEROCOPY | MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, close(self->fds[B]));
	self->fds[B] = -1;
	expect_completion(_metadata, self->fds[A], 0, 0);
	EXPECT_ERRNO(ECONNRESET, send(self->fds[A], self->buf, 1, MSG_ZEROCOPY | MSG_NOSIGNAL));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], self->buf, 1, MSG_ZEROCOPY | MSG_NOSIGNAL));
	EXPECT_ERRNO(EAGAIN, completion(self->fds[A], &(struct sock_extended_err){}) - 1);
}

/* As an unprivileged user: sent memory no longer counts towards the lock limit. */
static void locked_memory(struct __test_metadata *_metadata, int fds[2], char *buf)
{
	const struct rlimit lock = { .rlim_cur = 65536, .rlim_max = 65536 };
	__u32 i;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &lock));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	EXPECT_ERRNO(ENOBUFS, send(fds[A], buf, 70000, MSG_ZEROCOPY | MSG_NOSIGNAL));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(30000, send(fds[A], buf, 30000, MSG_ZEROCOPY | MSG_NOSIGNAL));
		ASSERT_EQ(30000, recv_record(fds[B], buf + LONG_RECORD, 30000));
		expect_completion(_metadata, fds[A], i, 0);
	}
}

TEST_F_TIMEOUT(zerocopy, locked_memory, 60)
{
	pid_t child = fork();
	int status;

	ASSERT_LE(0, child);
	if (!child) {
		locked_memory(_metadata, self->fds, self->buf);
		_exit(!__test_passed(_metadata));
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
