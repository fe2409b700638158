// SPDX-License-Identifier: GPL-2.0
/*
 * A socket bound to a device that disappears: the device is deleted or moved to another
 * network namespace.  A new device with the same name is another device.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "kselftest_harness.h"

#include "common.h"
#include "nl.h"

#define WAITERS	2
#define PORT	3000

/* The shell would prefer the busybox applet */
#define IP	"/usr/sbin/ip "
#define MAKE								\
	IP "link add g0 netns a type veth peer name g1 netns b && "	\
	IP "-n a link set g0 up && " IP "-n b link set g1 up && "	\
	IP "netns exec a ststat link add g0 ethernet && "		\
	IP "netns exec b ststat link add g1 ethernet"

FIXTURE(device)
{
	struct sockaddr_st addr[2];
	int fd;
};

FIXTURE_VARIANT(device)
{
	bool option;		/* SO_BINDTODEVICE, not bind() */
	const char *leaves;
};

FIXTURE_VARIANT_ADD(device, bound)
{
	.leaves = IP "-n a link del g0",
};

FIXTURE_VARIANT_ADD(device, bound_by_option)
{
	.option = true,
	.leaves = IP "-n a link del g0",
};

FIXTURE_VARIANT_ADD(device, moves)
{
	.leaves = IP "-n a link set g0 netns b",
};

static bool run(const char *command)
{
	return !system(command);
}

/* Its device and address, with this Port. */
static struct sockaddr_st device_address(int side, const char *dev, unsigned int port)
{
	struct sockaddr_st addr = {
		.sst_family = AF_ST,
		.sst_port = htons(port),
		.sst_alen = ULA_LEN,
	};
	char command[128], text[32] = "";
	FILE *pipe;

	if (!enter(side))
		return addr;
	addr.sst_ifindex = if_nametoindex(dev);
	snprintf(command, sizeof(command), IP "netns exec %s cat /sys/class/net/%s/address",
		 sides[side].ns, dev);
	pipe = popen(command, "r");
	if (pipe) {
		if (fgets(text, sizeof(text), pipe))
			sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &addr.sst_addr[0],
			       &addr.sst_addr[1], &addr.sst_addr[2], &addr.sst_addr[3],
			       &addr.sst_addr[4], &addr.sst_addr[5]);
		pclose(pipe);
	}
	return addr;
}

/* Bound to g0 as the variant says */
static int bound_socket(bool option, const struct sockaddr_st *dev)
{
	struct sockaddr_st addr = *dev;
	int fd = new_socket(A, SOCK_CLOEXEC);

	if (option) {
		addr.sst_ifindex = 0;
		if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "g0", 3))
			return -1;
	}
	addr.sst_alen = 0;
	memset(addr.sst_addr, 0, sizeof(addr.sst_addr));
	return bind_to(fd, &addr) ? -1 : fd;
}

FIXTURE_SETUP(device)
{
	run(IP "-n a link del g0 2>/dev/null; " IP "-n b link del g1 2>/dev/null");
	ASSERT_TRUE(run(MAKE));
	self->addr[A] = device_address(A, "g0", PORT);
	self->addr[B] = device_address(B, "g1", PORT);
	ASSERT_NE(0, self->addr[A].sst_ifindex);
	self->fd = bound_socket(variant->option, &self->addr[A]);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(device)
{
	close(self->fd);
}

static int error_of(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &len) ? -1 : value;
}

/* One that waits in accept() */
struct waiter {
	int		fd;
	int		error;
	pthread_t	thread;
};

static void *waits(void *arg)
{
	struct waiter *w = arg;
	int fd = accept(w->fd, NULL, NULL);

	w->error = fd < 0 ? errno : 0;
	return NULL;
}

/* Checks that netlink reports the device of the listener as gone, with its ifindex. */
static bool told_gone(int ifindex)
{
	struct nl_answer answer = {};
	bool gone = false;
	struct nl nl;

	if (!enter(A) || !nl_open(&nl))
		return false;
	if (!nl_filter(&nl, ST_CMD_PORT_GET, ST_A_PORT_PORT, PORT, 2, &answer) && answer.n == 1)
		gone = answer.msg[0].tb[ST_A_PORT_DEVICE_GONE] &&
		       nl_number(answer.msg[0].tb[ST_A_PORT_IFINDEX]) == (__u64)ifindex;
	nl_free(&answer);
	nl_close(&nl);
	return gone;
}

/* All waiting calls fail when the device goes, and so do later ones. */
TEST_F(device, listener)
{
	struct waiter waiter[WAITERS];
	struct timespec end;
	unsigned int i;

	ASSERT_EQ(0, listen(self->fd, 5));
	EXPECT_EQ(0, poll_for(self->fd, POLLIN, 0));
	EXPECT_FALSE(told_gone(self->addr[A].sst_ifindex));
	for (i = 0; i < WAITERS; i++) {
		waiter[i] = (struct waiter){ .fd = self->fd };
		ASSERT_EQ(0, pthread_create(&waiter[i].thread, NULL, waits, &waiter[i]));
	}
	ASSERT_TRUE(run(variant->leaves));
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += SOON_MS / 1000;
	for (i = 0; i < WAITERS; i++) {
		ASSERT_EQ(0, pthread_timedjoin_np(waiter[i].thread, NULL, &end));
		EXPECT_EQ(ENETDOWN, waiter[i].error);
	}
	EXPECT_EQ(POLLERR, poll_for(self->fd, POLLIN, SOON_MS));
	EXPECT_EQ(ENETDOWN, error_of(self->fd));

	/* Repeatedly, and also after there is another device of that name */
	run(IP "-n b link del g1 2>/dev/null");
	ASSERT_TRUE(run(MAKE));
	EXPECT_EQ(POLLERR, poll_for(self->fd, POLLIN, SOON_MS));
	EXPECT_ERRNO(ENETDOWN, accept(self->fd, NULL, NULL));
	EXPECT_ERRNO(ENETDOWN, listen(self->fd, 5));
	EXPECT_TRUE(told_gone(self->addr[A].sst_ifindex));
}

/* An edge for epoll */
TEST_F(device, edge)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, listen(self->fd, 5));
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->fd, &event));
	EXPECT_EQ(0, epoll_wait(epoll, &event, 1, 0));
	ASSERT_TRUE(run(variant->leaves));
	EXPECT_EQ(1, epoll_wait(epoll, &event, 1, SOON_MS));
	EXPECT_EQ(EPOLLERR, event.events);
	close(epoll);
}

/* One that is bound and not connected yet fails with the reason. */
TEST_F(device, connect)
{
	ASSERT_TRUE(run(variant->leaves));
	EXPECT_EQ(ENETDOWN, error_of(self->fd));
	EXPECT_ERRNO(ENETDOWN, connect_to(self->fd, &self->addr[B]));
	EXPECT_ERRNO(ENETDOWN, listen(self->fd, 5));
}

/* A connection over the device fails at once, at the end that is bound. */
TEST_F(device, connection)
{
	struct sockaddr_st to = self->addr[B];
	int listener, fd;
	char byte;

	listener = new_socket(B, SOCK_CLOEXEC);
	ASSERT_LE(0, listener);
	to.sst_alen = 0;
	memset(to.sst_addr, 0, sizeof(to.sst_addr));
	ASSERT_EQ(0, bind_to(listener, &to));
	ASSERT_EQ(0, listen(listener, 5));
	to = self->addr[B];
	to.sst_ifindex = self->addr[A].sst_ifindex;
	ASSERT_EQ(0, connect_to(self->fd, &to));
	fd = accept(listener, NULL, NULL);
	ASSERT_LE(0, fd);
	ASSERT_TRUE(run(variant->leaves));
	EXPECT_TRUE(set_timeout(self->fd, SO_RCVTIMEO, SOON_MS));
	EXPECT_ERRNO(ENETDOWN, recv(self->fd, &byte, 1, 0));
	close(fd);
	close(listener);
}

/* Sockets bound to another device, or to none, are not affected. */
TEST_F(device, others)
{
	int fd[2];

	fd[0] = new_socket(A, SOCK_CLOEXEC | SOCK_NONBLOCK);
	ASSERT_LE(0, fd[0]);
	ASSERT_EQ(0, listen(fd[0], 5));
	fd[1] = new_socket(A, SOCK_CLOEXEC | SOCK_NONBLOCK);
	ASSERT_LE(0, fd[1]);
	ASSERT_EQ(0, setsockopt(fd[1], SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
	ASSERT_EQ(0, listen(fd[1], 5));
	ASSERT_TRUE(run(variant->leaves));
	EXPECT_EQ(0, poll_for(fd[0], POLLIN, 0));
	EXPECT_ERRNO(EAGAIN, accept(fd[0], NULL, NULL));
	EXPECT_EQ(0, poll_for(fd[1], POLLIN, 0));
	EXPECT_ERRNO(EAGAIN, accept(fd[1], NULL, NULL));
	close(fd[0]);
	close(fd[1]);
}

TEST_HARNESS_MAIN
