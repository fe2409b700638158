// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers that one side ends before their time, and Blocks that must come in
 * order.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"

#define MIB	1048576UL

FIXTURE(end)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(end)
{
	self->buf = new_pages(4 * MIB);
	ASSERT_NE(NULL, self->buf);
	fill(self->buf, 4 * MIB, 1, 0);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(end)
{
	fault_set(0, "unplug", "0");
	close(self->fds[A]);
	close(self->fds[B]);
}

static int end(int fd, __u32 what, __u32 id, __u64 token)
{
	const struct st_end end = { .what = what, .id = id, .token = token };

	return send_ctl(fd, NULL, 0, 0, ST_END, &end, sizeof(end));
}

static void still_good(struct __test_metadata *_metadata, int fds[2])
{
	char buf[100];
	int side;

	for (side = A; side <= B; side++) {
		fill(buf, sizeof(buf), 7, 0);
		ASSERT_EQ(100, send(fds[side], buf, 100, MSG_NOSIGNAL | MSG_DONTWAIT));
		memset(buf, 0, sizeof(buf));
		ASSERT_EQ(100, recv_record(fds[!side], buf, 100)) TH_LOG("%s", strerror(errno));
		EXPECT_TRUE(is_filled(buf, 100, 7, 0));
	}
}

/* Receives the available part of a record, then the reason for its end. */
static int rest(int fd, char *buf, size_t len)
{
	ssize_t n;

	do {
		n = recv(fd, buf, len, 0);
	} while (n > 0);
	return n ? errno : 0;
}

TEST_F(end, nothing_to_end)
{
	EXPECT_ERRNO(EINVAL, end(self->fds[A], 3, 0, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_SEND, 0, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_SEND, 1, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_RECV, 1, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_READ, 0, 0));
	still_good(_metadata, self->fds);
}

TEST_F_TIMEOUT(end, by_the_receiver, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = 4 * MIB };
	char *part = malloc(MIB);
	struct st_recv recv;
	bool found;
	int flags;

	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(1000, recv_ctl(self->fds[B], part, 1000, 0, &flags, ST_RECV, &recv, sizeof(recv),
				 &found));
	ASSERT_TRUE(found);
	EXPECT_EQ(0, end(self->fds[B], ST_END_RECV, recv.id, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[B], ST_END_RECV, recv.id, 0));
	job_end(&sender);
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(EREMOTEIO, sender.error);
	EXPECT_EQ(ECANCELED, rest(self->fds[B], part, MIB));
	still_good(_metadata, self->fds);
}

TEST_F_TIMEOUT(end, by_the_sender, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = 4 * MIB };
	struct st_peer_state state = { .size = sizeof(state), .what = ST_STATE_TRANSFER };
	char *part = malloc(MIB);

	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(1000, recv(self->fds[B], part, 1000, 0));
	ASSERT_EQ(0, ioctl(self->fds[A], SIOCSTSTATE, &state));
	EXPECT_EQ(1, state.known);
	EXPECT_EQ(0, end(self->fds[A], ST_END_SEND, state.id, 0));
	job_end(&sender);
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(ECANCELED, sender.error);
	EXPECT_EQ(EREMOTEIO, rest(self->fds[B], part, MIB));
	still_good(_metadata, self->fds);
}

TEST_F_TIMEOUT(end, of_a_stream, 60)
{
	struct st_recv recv;
	bool found;
	char byte;
	int flags;

	/* In the middle of a Block */
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_MORE));
	ASSERT_EQ(1, recv_ctl(self->fds[B], &byte, 1, 0, &flags, ST_RECV, &recv, sizeof(recv),
			      &found));
	EXPECT_EQ(0, end(self->fds[A], ST_END_SEND, 0, 0));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_SEND, 0, 0));
	EXPECT_EQ(EREMOTEIO, rest(self->fds[B], self->buf + MIB, MIB));
	still_good(_metadata, self->fds);

	/* By the receiver: the next call with bytes for the record fails. */
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_MORE));
	ASSERT_EQ(1, recv_ctl(self->fds[B], &byte, 1, 0, &flags, ST_RECV, &recv, sizeof(recv),
			      &found));
	EXPECT_EQ(0, end(self->fds[B], ST_END_RECV, recv.id, 0));
	EXPECT_EQ(ECANCELED, rest(self->fds[B], self->buf + MIB, MIB));
	/* Its answer passes after the End. */
	ASSERT_EQ(1, send(self->fds[B], &byte, 1, MSG_NOSIGNAL));
	ASSERT_EQ(1, recv_record(self->fds[A], &byte, 1));
	EXPECT_ERRNO(EREMOTEIO, send(self->fds[A], self->buf, 100, MSG_MORE));
	still_good(_metadata, self->fds);
}

TEST_F_TIMEOUT(end, of_a_read, 60)
{
	int serve = ST_SERVE_READS;
	struct st_event event;
	char byte;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	ASSERT_EQ(0, read_ask(self->fds[A], 1000, 5, 1));
	ASSERT_TRUE(next_event(self->fds[B], &event, SOON_MS));
	EXPECT_ERRNO(ENOENT, end(self->fds[A], ST_END_READ, 0, 6));
	EXPECT_EQ(0, end(self->fds[A], ST_END_READ, 0, 5));
	EXPECT_ERRNO(ECANCELED, recv(self->fds[A], &byte, 1, 0));
	/* Late bytes are refused. */
	EXPECT_ERRNO(EREMOTEIO, read_answer(self->fds[B], event.id, self->buf, 1000, 0));
	ASSERT_TRUE(next_event(self->fds[A], &event, SOON_MS));
	EXPECT_EQ(ST_EVENT_READ_FAILED, event.type);
	EXPECT_EQ(ECANCELED, event.error);
	still_good(_metadata, self->fds);
}

/* Two ends, one of which accepts Blocks only in order. */
static bool in_order_pair(int fds[2])
{
	int in_order = 0, listener = new_listener(B, 1);
	struct sockaddr_st to = address(B, port_of(listener));

	fds[A] = new_socket(A, 0);
	if (listener < 0 || fds[A] < 0 ||
	    setsockopt(fds[A], SOL_ST, ST_OUT_OF_ORDER, &in_order, sizeof(in_order)) ||
	    connect_to(fds[A], &to))
		return false;
	fds[B] = accept(listener, NULL, NULL);
	close(listener);
	return fds[B] >= 0;
}

static int out_of_order(int fd)
{
	struct st_info info = {};
	socklen_t len = sizeof(info);

	return getsockopt(fd, SOL_ST, ST_INFO, &info, &len) ? -1 : info.out_of_order;
}

TEST_F_TIMEOUT(end, blocks_in_order, 120)
{
	struct job sender = { .fd = -1, .buf = self->buf, .len = 4 * MIB };
	char *to = new_pages(4 * MIB);
	int fds[2], value = 0;

	EXPECT_EQ(1, out_of_order(self->fds[A]));
	EXPECT_ERRNO(EISCONN, setsockopt(self->fds[A], SOL_ST, ST_OUT_OF_ORDER, &value,
					 sizeof(value)));
	ASSERT_TRUE(in_order_pair(fds));
	EXPECT_EQ(0, out_of_order(fds[A]));
	EXPECT_EQ(0, out_of_order(fds[B]));
	sender.fd = fds[A];
	ASSERT_TRUE(job_start(&sender));
	EXPECT_EQ((ssize_t)(4 * MIB), recv_record(fds[B], to, 4 * MIB));
	job_end(&sender);
	EXPECT_EQ((ssize_t)(4 * MIB), sender.result);
	EXPECT_TRUE(is_filled(to, 4 * MIB, 1, 0));
	close(fds[A]);
	close(fds[B]);
}

/* A lost Block is not sent again: the record is complete or fails. */
TEST_F_TIMEOUT(end, blocks_in_order_are_lost, 120)
{
	struct job sender = { .fd = -1, .buf = self->buf, .len = 4 * MIB };
	char *to = malloc(4 * MIB);
	size_t got = 0;
	bool last = false;
	ssize_t n = 0;
	int fds[2];

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(in_order_pair(fds));
	sender.fd = fds[A];
	ASSERT_TRUE(job_start(&sender));
	while (!last && n >= 0) {
		n = recv_part(fds[B], to, 100000, 0, &last);
		if (n < 0)
			break;
		ASSERT_TRUE(is_filled(to, n, 1, got));
		if (got < MIB && got + n >= MIB) {
			ASSERT_TRUE(fault_set(0, "unplug", "1"));
			usleep(BRIEF_MS * 1000);
			ASSERT_TRUE(fault_set(0, "unplug", "0"));
		}
		got += n;
	}
	if (n < 0)
		EXPECT_EQ(EREMOTEIO, errno);
	job_end(&sender);
	EXPECT_EQ(last ? (ssize_t)(4 * MIB) : -1, sender.result);
	if (sender.result < 0)
		EXPECT_EQ(EREMOTEIO, sender.error);
	TH_LOG("%zu of %zu bytes", got, 4 * MIB);
	still_good(_metadata, fds);
	close(fds[A]);
	close(fds[B]);
}

TEST_HARNESS_MAIN
