// SPDX-License-Identifier: GPL-2.0
/*
 * Connections whose device goes down, or gets another address.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	(8 << 20)	/* more than the kernel keeps */

FIXTURE(down)
{
	int fds[2];
	char *buf;
	__u8 ula[ULA_LEN];
};

FIXTURE_SETUP(down)
{
	self->buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	memcpy(self->ula, sides[A].ula, ULA_LEN);
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(down)
{
	link_set_address(A, self->ula);
	link_set_up(A, true);
	close(self->fds[A]);
	close(self->fds[B]);
	munmap(self->buf, LONG_RECORD);
}

static int pending_error(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &len) ? -1 : value;
}

/* A record that is never received completely, so that its send() waits */
static bool sending(struct job *job)
{
	return job_start(job) && job_asleep(job);
}

static bool patient(void)
{
	return sysctl_set(A, "op_timeout_ms", 60000) && sysctl_set(A, "op_timeout_min_ms", 60000);
}

TEST_F_TIMEOUT(down, a_call_that_waits_ends, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = LONG_RECORD };

	/* Nothing else ends it */
	ASSERT_TRUE(patient());
	ASSERT_TRUE(sending(&sender));
	ASSERT_TRUE(link_set_up(A, false));
	ASSERT_TRUE(job_ends(&sender));
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(ENETDOWN, sender.error);
	EXPECT_ERRNO(EPIPE, send(self->fds[A], self->buf, 1, MSG_NOSIGNAL));
}

TEST_F_TIMEOUT(down, what_is_sent_afterwards, 60)
{
	ASSERT_TRUE(link_set_up(A, false));
	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN, BRIEF_MS));
	EXPECT_ERRNO(ENETDOWN, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
}

TEST_F_TIMEOUT(down, connect, 60)
{
	struct sockaddr_st to = address(B, 2000);
	int fd = new_socket(A, SOCK_NONBLOCK);

	ASSERT_TRUE(patient());
	to.sst_addr[ULA_LEN - 1] ^= 0x55;
	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	ASSERT_TRUE(link_set_up(A, false));
	EXPECT_NE(0, poll_for(fd, POLLOUT, SOON_MS) & POLLERR);
	EXPECT_EQ(ENETDOWN, pending_error(fd));
	close(fd);
}

/* Without operations in progress a connection waits for its device. */
TEST_F_TIMEOUT(down, idle, 60)
{
	ASSERT_TRUE(link_set_up(A, false));
	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN, 1500));
	ASSERT_TRUE(link_set_up(A, true));
	ASSERT_TRUE(wait_carrier(A));
	ASSERT_TRUE(wait_carrier(B));
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_EQ(100, recv_record(self->fds[B], self->buf, 100));
}

/* The sender fails at once, and so does the peer, which only waits for a record */
TEST_F_TIMEOUT(down, another_address, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = LONG_RECORD };
	int idle[2], again[2];
	__u8 ula[ULA_LEN];
	char byte;

	ASSERT_TRUE(new_pair(idle));
	ASSERT_TRUE(patient());
	ASSERT_TRUE(sending(&sender));
	memcpy(ula, self->ula, ULA_LEN);
	ula[ULA_LEN - 1] ^= 0x40;
	ASSERT_TRUE(link_set_address(A, ula));
	ASSERT_TRUE(job_ends(&sender));
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(ENETRESET, sender.error);
	EXPECT_EQ(ENETRESET, pending_error(idle[A]));
	/* The received part of the record can be read. */
	EXPECT_NE(0, poll_for(self->fds[B], POLLHUP, SOON_MS) & POLLHUP);
	EXPECT_NE(0, poll_for(idle[B], POLLHUP, SOON_MS) & POLLHUP);
	EXPECT_ERRNO(ENODATA, recv_record(idle[B], &byte, 1));

	/* The new address is as good as the old one. */
	memcpy(sides[A].ula, ula, ULA_LEN);
	ASSERT_TRUE(new_pair(again));
	ASSERT_EQ(100, send(again[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_EQ(100, recv_record(again[B], self->buf, 100));
	close(again[A]);
	close(again[B]);
	close(idle[A]);
	close(idle[B]);
}

/* Setting the present address changes nothing. */
TEST_F(down, the_same_address)
{
	ASSERT_TRUE(link_set_address(A, self->ula));
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_EQ(100, recv_record(self->fds[B], self->buf, 100));
}

TEST_HARNESS_MAIN
