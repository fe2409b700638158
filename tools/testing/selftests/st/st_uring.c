// SPDX-License-Identifier: GPL-2.0
/*
 * AF_ST sockets with io_uring, which first makes every call without waiting.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"
#include "region.h"
#include "uring.h"

#define LONG_RECORD	(8 << 20)	/* more than SO_SNDBUF and SO_RCVBUF */
#define WAIT_MS		(6 * SOON_MS)

FIXTURE(uring)
{
	int fds[2];
	struct uring ring;
	char *buf;
	char *to;
};

FIXTURE_SETUP(uring)
{
	self->buf = new_pages(LONG_RECORD);
	self->to = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_NE(NULL, self->to);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	ASSERT_TRUE(uring_open(&self->ring)) TH_LOG("%s", strerror(errno));
}

FIXTURE_TEARDOWN(uring)
{
	uring_close(&self->ring);
	close(self->fds[A]);
	close(self->fds[B]);
	munmap(self->buf, LONG_RECORD);
	munmap(self->to, LONG_RECORD);
}

static struct io_uring_sqe request(int op, int fd, const void *buf, size_t len, int flags)
{
	return (struct io_uring_sqe) {
		.opcode = op,
		.fd = fd,
		.addr = (unsigned long)buf,
		.len = len,
		.msg_flags = flags,
	};
}

/* Within SO_SNDBUF, and above; with two operations of io_uring that send */
TEST_F_TIMEOUT(uring, send, 120)
{
	static const size_t lens[] = { 100, 100000, LONG_RECORD };
	static const int ops[] = { IORING_OP_SEND, IORING_OP_WRITE };
	struct io_uring_sqe sqe;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (j = 0; j < ARRAY_SIZE(ops); j++) {
			fill(self->buf, lens[i], i + 1, 0);
			sqe = request(ops[j], self->fds[A], self->buf, lens[i], 0);
			ASSERT_TRUE(uring_post(&self->ring, &sqe));
			ASSERT_EQ((ssize_t)lens[i], recv_record(self->fds[B], self->to,
								LONG_RECORD))
				TH_LOG("%zu bytes, operation %d: %s", lens[i], ops[j],
				       strerror(errno));
			EXPECT_TRUE(is_filled(self->to, lens[i], i + 1, 0));
			EXPECT_EQ((int)lens[i], uring_result(&self->ring, WAIT_MS));
		}
	}
}

/* Without waiting, a record that can never fit fails. */
TEST_F(uring, send_without_waiting)
{
	struct io_uring_sqe sqe = request(IORING_OP_SEND, self->fds[A], self->buf, LONG_RECORD, 0);

	ASSERT_EQ(0, fcntl(self->fds[A], F_SETFL, O_NONBLOCK));
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	EXPECT_EQ(-EMSGSIZE, uring_result(&self->ring, WAIT_MS));
	EXPECT_ERRNO(EMSGSIZE, send(self->fds[A], self->buf, LONG_RECORD, MSG_NOSIGNAL));
}

/* Over the limit of the namespace it never fits in either case. */
TEST_F(uring, send_too_long)
{
	struct io_uring_sqe sqe = request(IORING_OP_SEND, self->fds[A], self->buf, LONG_RECORD, 0);

	ASSERT_TRUE(sysctl_set(A, "max_transfer", LONG_RECORD - 1));
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	EXPECT_EQ(-EMSGSIZE, uring_result(&self->ring, WAIT_MS));
}

/* Records that fill SO_SNDBUF leave room in the end. */
TEST_F_TIMEOUT(uring, send_waits_for_room, 60)
{
	enum { LEN = 10000 };
	struct io_uring_sqe sqe = request(IORING_OP_SEND, self->fds[A], self->buf, LEN, 0);
	unsigned int sent = 0, i;

	while (send(self->fds[A], self->buf, LEN, MSG_DONTWAIT | MSG_NOSIGNAL) == LEN)
		sent++;
	ASSERT_EQ(EAGAIN, errno);
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	for (i = 0; i < sent + 1; i++)
		ASSERT_EQ(LEN, recv_record(self->fds[B], self->to, LEN));
	EXPECT_EQ(LEN, uring_result(&self->ring, WAIT_MS));
}

/* A receive that is tried before the record arrives, and again, reports it once. */
TEST_F_TIMEOUT(uring, information_on_a_record, 60)
{
	enum { LEN = 5000 };
	union {
		struct cmsghdr hdr;
		char room[4 * CMSG_SPACE(sizeof(struct st_recv))];
	} ctl = {};
	struct iovec iov = { .iov_base = self->to, .iov_len = LEN };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &ctl, .msg_controllen = sizeof(ctl),
	};
	struct io_uring_sqe sqe = request(IORING_OP_RECVMSG, self->fds[B], &msg, 1, 0);
	const int wanted = ST_RECVINFO_RECORD;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_RECVINFO, &wanted, sizeof(wanted)));
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	EXPECT_EQ(-ETIME, uring_result(&self->ring, BRIEF_MS));
	fill(self->buf, LEN, 1, 0);
	ASSERT_EQ(LEN, send(self->fds[A], self->buf, LEN, MSG_NOSIGNAL));
	EXPECT_EQ(LEN, uring_result(&self->ring, WAIT_MS));
	EXPECT_TRUE(is_filled(self->to, LEN, 1, 0));
	EXPECT_EQ(CMSG_SPACE(sizeof(struct st_recv)), msg.msg_controllen);
	EXPECT_EQ(ST_RECV, ctl.hdr.cmsg_type);
	EXPECT_NE(0, msg.msg_flags & MSG_EOR);
}

/* connect(), accept() and recv() that start before their event */
TEST_F_TIMEOUT(uring, the_other_calls, 60)
{
	int listener = new_listener(B, 1), client = new_socket(A, 0), server;
	struct sockaddr_st to = address(B, port_of(listener));
	struct io_uring_sqe sqe = request(IORING_OP_ACCEPT, listener, NULL, 0, 0);
	struct uring second;

	ASSERT_TRUE(uring_open(&second));
	ASSERT_TRUE(uring_post(&second, &sqe));
	sqe = request(IORING_OP_CONNECT, client, &to, 0, 0);
	sqe.off = sizeof(to);
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	EXPECT_EQ(0, uring_result(&self->ring, WAIT_MS));
	server = uring_result(&second, WAIT_MS);
	ASSERT_LE(0, server);

	sqe = request(IORING_OP_RECV, server, self->to, 1000, 0);
	ASSERT_TRUE(uring_post(&self->ring, &sqe));
	fill(self->buf, 1000, 9, 0);
	ASSERT_EQ(1000, send(client, self->buf, 1000, MSG_NOSIGNAL));
	EXPECT_EQ(1000, uring_result(&self->ring, WAIT_MS));
	EXPECT_TRUE(is_filled(self->to, 1000, 9, 0));
	uring_close(&second);
	close(client);
	close(server);
	close(listener);
}

/* Bytes in the queues, as ioctl() reports them */
TEST_F(uring, queues)
{
	/* SOCKET_URING_OP_SIOCINQ and _SIOCOUTQ, which Debian's headers lack */
	static const int cmds[] = { 0, 1 };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_URING_CMD };
	size_t i;
	int left;

	ASSERT_EQ(1000, send(self->fds[A], self->buf, 1000, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_NE(0, poll_for(self->fds[B], POLLIN, SOON_MS));
	do {
		ASSERT_EQ(0, ioctl(self->fds[A], SIOCOUTQ, &left));
	} while (left);
	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		sqe.fd = self->fds[i ? A : B];
		sqe.cmd_op = cmds[i];
		ASSERT_TRUE(uring_post(&self->ring, &sqe));
		EXPECT_EQ(i ? 0 : 1000, uring_result(&self->ring, WAIT_MS));
	}
}

/* They have a result when they complete, and leave no event. */
TEST_F_TIMEOUT(uring, one_sided, 60)
{
	enum { LEN = 10000 };
	struct iovec iov = { .iov_base = self->buf, .iov_len = LEN };
	struct st_fetchop fetchop = { .offset = 16, .op = ST_FETCH_INCREMENT };
	struct st_get get = { .len = LEN };
	struct st_put put = {};
	struct { int type; void *args; size_t nr_iov; int result; } const ops[] = {
		{ ST_PUT, &put, 1, LEN },
		{ ST_GET, &get, 0, LEN },
		{ ST_FETCHOP, &fetchop, 0, 8 },
	};
	struct {
		struct cmsghdr hdr;
		char args[sizeof(put)];
	} ctl = { .hdr = { CMSG_LEN(sizeof(put)), SOL_ST, 0 } };
	struct msghdr msg = { .msg_control = &ctl, .msg_controllen = sizeof(ctl) };
	struct io_uring_sqe sqe = request(IORING_OP_SENDMSG, self->fds[A], &msg, 1, 0);
	struct st_event event;
	long handles[2];
	__u64 value = 0;
	size_t i;

	ASSERT_TRUE(grant(self->fds, self->to, LEN, ST_REGION_PUT | ST_REGION_GET |
			  ST_REGION_FETCHOP, handles));
	put.region = handles[A];
	get.region = handles[A];
	fetchop.region = handles[A];
	get.addr = (unsigned long)self->buf + LEN;
	fetchop.addr = (unsigned long)&value;
	fill(self->buf, LEN, 5, 0);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		ctl.hdr.cmsg_type = ops[i].type;
		memcpy(ctl.args, ops[i].args, sizeof(put));
		msg.msg_iov = &iov;
		msg.msg_iovlen = ops[i].nr_iov;
		ASSERT_TRUE(uring_post(&self->ring, &sqe));
		EXPECT_EQ(ops[i].result, uring_result(&self->ring, WAIT_MS))
			TH_LOG("control message %d", ops[i].type);
	}
	EXPECT_TRUE(is_filled(self->buf + LEN, LEN, 5, 0));
	EXPECT_EQ(0, memcmp(&value, self->buf + 16, sizeof(value)));
	EXPECT_EQ(-1, region_event(self->fds[A], &event));
}

TEST_HARNESS_MAIN
