// SPDX-License-Identifier: GPL-2.0
/*
 * Options of level SOL_SOCKET on AF_ST sockets, and other calls that these
 * sockets have like all connection sockets.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	1048576	/* more than the kernel keeps */

FIXTURE(options)
{
	int listener;
	char *buf;
};

FIXTURE_SETUP(options)
{
	self->buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	self->listener = new_listener(B, 2);
	ASSERT_LE(0, self->listener);
}

FIXTURE_TEARDOWN(options)
{
	close(self->listener);
}

static int get_int(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

static bool set_int(int fd, int name, int value)
{
	return !setsockopt(fd, SOL_SOCKET, name, &value, sizeof(value));
}

static bool set_linger(int fd, int seconds)
{
	const struct linger linger = { .l_onoff = 1, .l_linger = seconds };

	return !setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

/* A connection with a record in flight that is not received yet */
static bool pair_with_record(int fds[2], char *buf)
{
	fill(buf, LONG_RECORD, 1, 0);
	return new_pair(fds) &&
	       !setsockopt(fds[A], SOL_SOCKET, SO_SNDBUFFORCE, &(int){ 2 * LONG_RECORD },
			   sizeof(int)) &&
	       send(fds[A], buf, LONG_RECORD, MSG_DONTWAIT | MSG_NOSIGNAL) == LONG_RECORD &&
	       poll_for(fds[B], POLLIN, SOON_MS) == POLLIN;
}

static void *close_it(void *fd)
{
	close(*(int *)fd);
	return NULL;
}

TEST_F_TIMEOUT(options, linger, 60)
{
	pthread_t closer;
	int fds[2];

	/* close() waits until everything has arrived. */
	ASSERT_TRUE(pair_with_record(fds, self->buf));
	ASSERT_TRUE(set_linger(fds[A], 60));
	ASSERT_EQ(0, pthread_create(&closer, NULL, close_it, &fds[A]));
	usleep(BRIEF_MS * 1000);
	EXPECT_EQ(EBUSY, pthread_tryjoin_np(closer, NULL));
	memset(self->buf, 0, LONG_RECORD);
	ASSERT_EQ(LONG_RECORD, recv_record(fds[B], self->buf, LONG_RECORD));
	EXPECT_TRUE(is_filled(self->buf, LONG_RECORD, 1, 0));
	ASSERT_EQ(0, pthread_join(closer, NULL));
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], self->buf, 1));
	close(fds[B]);
}

TEST_F_TIMEOUT(options, linger_limit, 60)
{
	long long start;
	int fds[2];

	/* For this time only; it arrives nevertheless. */
	ASSERT_TRUE(pair_with_record(fds, self->buf));
	ASSERT_TRUE(set_linger(fds[A], 1));
	start = now_ms();
	EXPECT_EQ(0, close(fds[A]));
	EXPECT_LE(start + 900, now_ms());
	memset(self->buf, 0, LONG_RECORD);
	ASSERT_EQ(LONG_RECORD, recv_record(fds[B], self->buf, LONG_RECORD));
	EXPECT_TRUE(is_filled(self->buf, LONG_RECORD, 1, 0));
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], self->buf, 1));
	close(fds[B]);
}

TEST_F_TIMEOUT(options, linger_none, 60)
{
	int fds[2];

	/* Data that has not arrived is dropped. */
	ASSERT_TRUE(pair_with_record(fds, self->buf));
	ASSERT_TRUE(set_linger(fds[A], 0));
	EXPECT_EQ(0, close(fds[A]));
	ASSERT_TRUE(poll_for(fds[B], POLLRDHUP, SOON_MS) & POLLRDHUP);
	EXPECT_ERRNO(ECONNRESET, recv_record(fds[B], self->buf, LONG_RECORD));
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], self->buf, LONG_RECORD));
	close(fds[B]);
}

TEST_F(options, bound_to_device)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, 0), other;

	ASSERT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
	EXPECT_EQ(-1, connect_to(fd, &to));
	EXPECT_EQ(ENETUNREACH, errno);
	ASSERT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, sides[A].dev,
				strlen(sides[A].dev)));
	EXPECT_EQ(0, connect_to(fd, &to));
	close(fd);

	/* A listener on another device is not found. */
	other = new_socket(B, 0);
	ASSERT_EQ(0, setsockopt(other, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
	ASSERT_EQ(0, listen(other, 1));
	fd = new_socket(A, 0);
	to = address(B, port_of(other));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	close(fd);
	close(other);
}

TEST_F(options, of_listener)
{
	struct timeval time = {};
	struct linger linger = {};
	socklen_t len = sizeof(time);
	int fd, accepted;

	ASSERT_TRUE(set_int(self->listener, SO_PRIORITY, 3));
	ASSERT_TRUE(set_int(self->listener, SO_MARK, 77));
	ASSERT_TRUE(set_int(self->listener, SO_REUSEADDR, 1));
	ASSERT_TRUE(set_int(self->listener, SO_SNDBUF, 50000));
	ASSERT_TRUE(set_int(self->listener, SO_RCVBUF, 60000));
	ASSERT_TRUE(set_int(self->listener, SO_ZEROCOPY, 1));
	ASSERT_TRUE(set_linger(self->listener, 7));
	ASSERT_TRUE(set_timeout(self->listener, SO_RCVTIMEO, 5000));
	ASSERT_TRUE(set_timeout(self->listener, SO_SNDTIMEO, 4000));
	fd = open_connection(A, self->listener);
	ASSERT_LE(0, fd);
	accepted = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	EXPECT_EQ(3, get_int(accepted, SO_PRIORITY));
	EXPECT_EQ(77, get_int(accepted, SO_MARK));
	EXPECT_EQ(1, get_int(accepted, SO_REUSEADDR));
	EXPECT_EQ(100000, get_int(accepted, SO_SNDBUF));
	EXPECT_EQ(120000, get_int(accepted, SO_RCVBUF));
	EXPECT_EQ(1, get_int(accepted, SO_ZEROCOPY));
	EXPECT_EQ(0, get_int(accepted, SO_ACCEPTCONN));
	ASSERT_EQ(0, getsockopt(accepted, SOL_SOCKET, SO_RCVTIMEO, &time, &len));
	EXPECT_EQ(5, time.tv_sec);
	ASSERT_EQ(0, getsockopt(accepted, SOL_SOCKET, SO_SNDTIMEO, &time, &len));
	EXPECT_EQ(4, time.tv_sec);
	len = sizeof(linger);
	ASSERT_EQ(0, getsockopt(accepted, SOL_SOCKET, SO_LINGER, &linger, &len));
	EXPECT_EQ(1, linger.l_onoff);
	EXPECT_EQ(7, linger.l_linger);

	/* An accepted socket can change it too. */
	ASSERT_TRUE(set_int(accepted, SO_ZEROCOPY, 0));
	EXPECT_EQ(0, get_int(accepted, SO_ZEROCOPY));
	EXPECT_EQ(0, get_int(accepted, SO_PROTOCOL));
	close(fd);
	close(accepted);
}

TEST_F_TIMEOUT(options, receive_buffer, 60)
{
	struct job sender = { .buf = self->buf, .len = LONG_RECORD };
	int fds[2], bytes = 0, before;

	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(set_int(fds[B], SO_RCVBUF, 20000));
	sender.fd = fds[A];
	fill(self->buf, LONG_RECORD, 2, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(POLLIN, poll_for(fds[B], POLLIN, SOON_MS));
	/* Until no more comes */
	do {
		before = bytes;
		usleep(BRIEF_MS * 1000);
		ASSERT_EQ(0, ioctl(fds[B], SIOCINQ, &bytes));
	} while (bytes != before);
	EXPECT_LT(0, bytes);
	EXPECT_GE(40000, bytes);
	EXPECT_TRUE(job_running(&sender));
	ASSERT_EQ(LONG_RECORD, recv_record(fds[B], self->buf, LONG_RECORD));
	job_end(&sender);
	EXPECT_EQ(LONG_RECORD, sender.result);
	close(fds[A]);
	close(fds[B]);
}

TEST_F(options, accept4_flags)
{
	static const int flags[] = { 0, SOCK_NONBLOCK, SOCK_CLOEXEC, SOCK_NONBLOCK | SOCK_CLOEXEC };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		int fd = open_connection(A, self->listener), accepted;

		ASSERT_LE(0, fd);
		accepted = accept4(self->listener, NULL, NULL, flags[i]);
		ASSERT_LE(0, accepted);
		EXPECT_EQ(!!(flags[i] & SOCK_NONBLOCK), !!(fcntl(accepted, F_GETFL) & O_NONBLOCK));
		EXPECT_EQ(!!(flags[i] & SOCK_CLOEXEC), !!(fcntl(accepted, F_GETFD) & FD_CLOEXEC));
		close(accepted);
		close(fd);
	}
	EXPECT_ERRNO(EINVAL, accept4(self->listener, NULL, NULL, SOCK_NONBLOCK << 3));
}

TEST_F(options, shutdown_of_reading)
{
	int fds[2];
	char byte;

	ASSERT_TRUE(new_pair(fds));
	ASSERT_EQ(1, send(fds[A], "x", 1, MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, shutdown(fds[B], SHUT_RD));
	/* Received data is available, then the end; later records of the peer are refused. */
	EXPECT_EQ(1, recv_record(fds[B], &byte, 1));
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], &byte, 1));
	EXPECT_TRUE(poll_for(fds[B], POLLIN, 0) & POLLIN);
	EXPECT_ERRNO(EREMOTEIO, send(fds[A], "y", 1, MSG_NOSIGNAL));
	/* The other direction continues. */
	ASSERT_EQ(1, send(fds[B], "z", 1, MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(fds[A], &byte, 1));
	EXPECT_EQ('z', byte);
	close(fds[A]);
	close(fds[B]);
}

TEST_F(options, no_dissolving)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };
	struct sockaddr_st to = { .sst_family = AF_UNSPEC };
	int fds[2], fd = new_socket(A, 0);
	char byte;

	/* A connection ends with shutdown() and close() only. */
	ASSERT_TRUE(new_pair(fds));
	EXPECT_ERRNO(EAFNOSUPPORT, connect(fd, &none, sizeof(none.sa_family)));
	EXPECT_ERRNO(EAFNOSUPPORT, connect(fds[A], &none, sizeof(none)));
	EXPECT_ERRNO(EAFNOSUPPORT, connect_to(fds[A], &to));
	EXPECT_EQ(1, send(fds[A], "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_record(fds[B], &byte, 1));
	close(fd);
	close(fds[A]);
	close(fds[B]);
}

union fd_message {
	char room[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static bool give_fd(int over, int fd)
{
	union fd_message control = {};
	struct iovec iov = { .iov_base = "", .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	return sendmsg(over, &msg, 0) == 1;
}

static int take_fd(int over)
{
	union fd_message control = {};
	struct iovec iov = { .iov_base = &(char){ 0 }, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(over, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

TEST_F(options, passed_on)
{
	int fds[2], over[2], fd;
	char byte;

	ASSERT_TRUE(new_pair(fds));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, over));
	ASSERT_TRUE(give_fd(over[0], fds[A]));
	/* In transit no process has it open, but it stays alive. */
	ASSERT_EQ(0, close(fds[A]));
	EXPECT_EQ(0, poll_for(fds[B], POLLIN | POLLRDHUP, BRIEF_MS));
	fd = take_fd(over[1]);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, send(fd, "x", 1, MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(fds[B], &byte, 1));

	/* Never received: it ends with the socket over which it was sent. */
	ASSERT_TRUE(give_fd(over[0], fd));
	ASSERT_EQ(0, close(fd));
	close(over[0]);
	close(over[1]);
	EXPECT_TRUE(poll_for(fds[B], POLLRDHUP, SOON_MS) & POLLRDHUP);
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], &byte, 1));
	close(fds[B]);
}

/*
 * All options of SOL_SOCKET, by number: only supported ones are accepted.  So the numbers of
 * later kernels are refused, too.  Each is tried with 1, and with its present value.
 */
TEST_F(options, of_the_kernel)
{
	static const int works[] = {
		SO_BINDTODEVICE, SO_BINDTOIFINDEX, SO_KEEPALIVE, SO_LINGER, SO_MARK, SO_PRIORITY,
		SO_RCVBUF, SO_RCVBUFFORCE, 20 /* SO_RCVTIMEO_OLD */, 66 /* SO_RCVTIMEO_NEW */,
		SO_REUSEADDR, SO_SELECT_ERR_QUEUE, SO_SNDBUF, SO_SNDBUFFORCE,
		21 /* SO_SNDTIMEO_OLD */, 67 /* SO_SNDTIMEO_NEW */, SO_ZEROCOPY,
	};
	long long value[2] = { 1 };
	int fd, name, err;
	size_t i;

	for (name = -1; name < 200; name++) {
		fd = new_socket(A, 0);
		err = setsockopt(fd, SOL_SOCKET, name, value, sizeof(value)) ? errno : 0;
		for (i = 0; i < ARRAY_SIZE(works) && works[i] != name; i++)
			;
		EXPECT_EQ(i == ARRAY_SIZE(works), err == ENOPROTOOPT)
			TH_LOG("option %d: errno %d", name, err);
		close(fd);
	}
}

TEST_HARNESS_MAIN
