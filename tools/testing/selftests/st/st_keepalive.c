// SPDX-License-Identifier: GPL-2.0
/*
 * SO_KEEPALIVE of AF_ST sockets: a peer that answers, and one that has vanished.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define WAIT_MS		60000	/* for steps that take seconds on a fast machine */

enum { TIMEOUT_MS = 50, RETRIES = 3 };

FIXTURE(keepalive)
{
	int fds[2];
};

FIXTURE_SETUP(keepalive)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(keepalive)
{
	EXPECT_TRUE(fault_set(0, "unplug", "0"));
	close(self->fds[A]);
	close(self->fds[B]);
}

static bool set_int(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

static int get_int(int fd, int level, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

static bool keep_alive(int fd, int idle)
{
	return set_int(fd, SOL_ST, ST_KEEP_IDLE, idle) &&
	       set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
}

/* Makes unanswered connections fail soon. */
static bool be_impatient(void)
{
	return sysctl_set(A, "op_timeout_ms", TIMEOUT_MS) &&
	       sysctl_set(A, "op_timeout_min_ms", TIMEOUT_MS) &&
	       sysctl_set(A, "max_retry", RETRIES);
}

TEST_F(keepalive, options)
{
	static const int wrong[] = { 0, -1, 32768 };
	socklen_t len = 2;
	int value = 0;
	size_t i;

	EXPECT_EQ(0, get_int(self->fds[A], SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(7200, get_int(self->fds[A], SOL_ST, ST_KEEP_IDLE));
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_KEEP_IDLE, &wrong[i],
						sizeof(wrong[i])));
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_KEEP_IDLE, &value, 3));
	EXPECT_EQ(7200, get_int(self->fds[A], SOL_ST, ST_KEEP_IDLE));
	ASSERT_TRUE(keep_alive(self->fds[A], 32767));
	EXPECT_EQ(1, get_int(self->fds[A], SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(32767, get_int(self->fds[A], SOL_ST, ST_KEEP_IDLE));
	/* Truncated to the room, as all options */
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_KEEP_IDLE, &value, &len));
	EXPECT_EQ(2, len);
	EXPECT_EQ(32767, value);
}

TEST_F(keepalive, of_listener)
{
	int listener = new_listener(B, 1), fd, accepted;

	ASSERT_TRUE(keep_alive(listener, 77));
	fd = open_connection(A, listener);
	ASSERT_LE(0, fd);
	accepted = accept(listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	EXPECT_EQ(1, get_int(accepted, SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(77, get_int(accepted, SOL_ST, ST_KEEP_IDLE));
	close(accepted);
	close(fd);
	close(listener);
}

/* The kernel of a peer that does nothing answers, and the connection stays. */
TEST_F_TIMEOUT(keepalive, answered, 90)
{
	long long end = now_ms() + WAIT_MS;
	struct st_info before[2], info;
	char byte;

	before[A] = get_info(self->fds[A]);
	before[B] = get_info(self->fds[B]);
	ASSERT_TRUE(keep_alive(self->fds[A], 1));
	do {
		ASSERT_GT(end, now_ms());
		usleep(10000);
		info = get_info(self->fds[A]);
	} while (info.rx_ops < before[A].rx_ops + 2);
	/* A probe for each answer, and possibly one unanswered probe */
	EXPECT_LE(info.rx_ops - before[A].rx_ops, info.tx_ops - before[A].tx_ops);
	EXPECT_LE(before[B].rx_ops + 2, get_info(self->fds[B]).rx_ops);
	EXPECT_LE(before[B].tx_ops + 2, get_info(self->fds[B]).tx_ops);

	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN, 0));
	EXPECT_EQ(0, get_int(self->fds[A], SOL_SOCKET, SO_ERROR));
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(self->fds[B], &byte, 1));
}

/* A pulled cable fails only the connection that probes. */
TEST_F_TIMEOUT(keepalive, vanished, 90)
{
	struct st_info before[2], info;
	int others[2];
	char byte;

	ASSERT_TRUE(new_pair(others));
	before[0] = get_info(self->fds[A]);
	before[1] = get_info(others[A]);
	ASSERT_TRUE(be_impatient());
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	ASSERT_TRUE(keep_alive(self->fds[A], 1));
	ASSERT_TRUE(poll_for(self->fds[A], POLLIN, WAIT_MS) & POLLERR);
	info = get_info(self->fds[A]);
	EXPECT_EQ(before[0].tx_ops + 1 + RETRIES, info.tx_ops);
	EXPECT_EQ(before[0].op_retries + RETRIES, info.op_retries);
	EXPECT_EQ(before[0].rx_ops, info.rx_ops);
	EXPECT_EQ(ETIMEDOUT, get_int(self->fds[A], SOL_SOCKET, SO_ERROR));
	EXPECT_EQ(0, recv(self->fds[A], &byte, 1, 0));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], "x", 1, MSG_NOSIGNAL));

	EXPECT_EQ(0, poll_for(others[A], POLLIN, 0));
	EXPECT_EQ(before[1].tx_ops, get_info(others[A]).tx_ops);
	ASSERT_TRUE(set_up());
	ASSERT_EQ(1, send(others[A], "x", 1, MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(others[B], &byte, 1));
	close(others[A]);
	close(others[B]);
}

/* A reader that waits for a record gets the error. */
TEST_F_TIMEOUT(keepalive, vanished_while_receiving, 90)
{
	struct job receiver = { .fd = self->fds[A], .buf = &(char){ 0 }, .len = 1,
				.receive = true };

	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(job_asleep(&receiver));
	ASSERT_TRUE(be_impatient());
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	ASSERT_TRUE(keep_alive(self->fds[A], 1));
	job_end(&receiver);
	EXPECT_EQ(-1, receiver.result);
	EXPECT_EQ(ETIMEDOUT, receiver.error);
}

TEST_HARNESS_MAIN
