// SPDX-License-Identifier: GPL-2.0
/*
 * Records that the receiver holds or refuses.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"

FIXTURE(hold)
{
	int fds[2];
	char buf[1000];
};

static bool set_option(int fd, int option, int value)
{
	return !setsockopt(fd, SOL_ST, option, &value, sizeof(value));
}

FIXTURE_SETUP(hold)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	fill(self->buf, sizeof(self->buf), 1, 0);
}

FIXTURE_TEARDOWN(hold)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

static int answer(int fd, __u32 id, __u32 flags)
{
	const struct st_write_answer answer = { .id = id, .flags = flags };

	return send_ctl(fd, NULL, 0, 0, ST_WRITE_ANSWER, &answer, sizeof(answer));
}

/* The event of a record of @len bytes that is held; returns its id. */
static __u32 held(struct __test_metadata *_metadata, int fd, size_t len)
{
	struct st_event event = {};

	ASSERT_TRUE(next_event(fd, &event, SOON_MS)) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(ST_EVENT_WRITE_REQUEST, event.type);
	EXPECT_EQ(len, event.len);
	EXPECT_EQ(1, event.value);
	return event.id;
}

/*
 * Records are held, and Reads and requests for regions wait, as many as the Slots allow: any
 * further action of the application still proceeds.
 */
TEST_F_TIMEOUT(hold, all_that_slots_allow, 60)
{
	enum { MOST = 70 };
	const struct st_read read = { .len = 3 };
	struct st_region_request ask = { .size = sizeof(ask), .flags = ST_REGION_NOWAIT,
					 .len = 100000 };
	char in[6];
	int i, n;

	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	ASSERT_TRUE(set_option(self->fds[B], ST_SERVE, ST_SERVE_READS));
	ASSERT_TRUE(set_option(self->fds[B], ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	for (n = 0; n < MOST; n++)
		if (send(self->fds[A], self->buf, sizeof(in), MSG_DONTWAIT) < 0)
			break;
	for (i = 0; i < MOST; i++)
		if (send_ctl(self->fds[A], NULL, 0, MSG_DONTWAIT, ST_READ, &read, sizeof(read)))
			break;
	for (i = 0; i < MOST; i++) {
		ask.region = 0;
		if (ioctl(self->fds[A], SIOCSTREQUEST, &ask))
			break;
	}
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_TAKE));
	ASSERT_TRUE(set_timeout(self->fds[B], SO_RCVTIMEO, SOON_MS));
	for (i = 0; i < n; i++) {
		ASSERT_EQ((ssize_t)sizeof(in), recv(self->fds[B], in, sizeof(in), 0))
			TH_LOG("record %d of %d: %s", i, n, strerror(errno));
		ASSERT_EQ(0, memcmp(self->buf, in, sizeof(in)));
	}
}

TEST_F(hold, options)
{
	socklen_t len = sizeof(int);
	int value = -1;

	EXPECT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_WRITES, &value, &len));
	EXPECT_EQ(ST_WRITES_TAKE, value);
	EXPECT_FALSE(set_option(self->fds[B], ST_WRITES, 3));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_FALSE(set_option(self->fds[B], ST_WRITES, -1));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_REFUSE));
	EXPECT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_WRITES, &value, &len));
	EXPECT_EQ(ST_WRITES_REFUSE, value);
	EXPECT_ERRNO(EINVAL, answer(self->fds[B], 1, 2));
	EXPECT_ERRNO(ENOENT, answer(self->fds[B], 1, 0));
}

TEST_F(hold, refused)
{
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_REFUSE));
	EXPECT_ERRNO(EREMOTEIO, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_ERRNO(EREMOTEIO, send(self->fds[A], self->buf, 0, MSG_NOSIGNAL));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLPRI, 0));
	/* The other direction and the next record are not affected. */
	EXPECT_EQ(10, send(self->fds[B], self->buf, 10, MSG_DONTWAIT));
	EXPECT_EQ(10, recv_record(self->fds[A], self->buf, sizeof(self->buf)));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_TAKE));
	EXPECT_EQ(100, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_EQ(100, recv_record(self->fds[B], self->buf, sizeof(self->buf)));
}

TEST_F_TIMEOUT(hold, let_in_later, 60)
{
	size_t i;

	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	for (i = 0; i < 3; i++)
		ASSERT_EQ((ssize_t)(100 * i), send(self->fds[A], self->buf, 100 * i,
						   MSG_DONTWAIT | MSG_NOSIGNAL));
	/* Longer than any Op_timeout, and than the pause that the sender tolerates. */
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLPRI, 7000));
	EXPECT_ERRNO(EAGAIN, recv(self->fds[B], self->buf, 1, MSG_DONTWAIT));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_TAKE));
	for (i = 0; i < 3; i++) {
		memset(self->buf, 0, sizeof(self->buf));
		ASSERT_EQ((ssize_t)(100 * i), recv_record(self->fds[B], self->buf, 1000));
		EXPECT_TRUE(is_filled(self->buf, 100 * i, 1, 0));
	}
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLPRI, BRIEF_MS));
}

TEST_F(hold, refused_later)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = 500 };

	ASSERT_TRUE(set_option(self->fds[B], ST_SERVE, ST_SERVE_WRITES));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	ASSERT_TRUE(job_start(&sender));
	held(_metadata, self->fds[B], 500);
	EXPECT_TRUE(job_running(&sender));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_REFUSE));
	job_end(&sender);
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(EREMOTEIO, sender.error);
}

TEST_F(hold, one_by_one)
{
	__u32 ids[3];
	size_t i;

	ASSERT_TRUE(set_option(self->fds[B], ST_SERVE, ST_SERVE_WRITES));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	for (i = 0; i < 3; i++)
		ASSERT_EQ((ssize_t)(100 + i), send(self->fds[A], self->buf, 100 + i,
						   MSG_DONTWAIT | MSG_NOSIGNAL));
	for (i = 0; i < 3; i++)
		ids[i] = held(_metadata, self->fds[B], 100 + i);
	/* The third, then the first; never the second. */
	EXPECT_EQ(0, answer(self->fds[B], ids[2], 0));
	EXPECT_EQ(0, answer(self->fds[B], ids[1], ST_WRITE_REFUSE));
	EXPECT_EQ(0, answer(self->fds[B], ids[0], 0));
	EXPECT_ERRNO(ENOENT, answer(self->fds[B], ids[1], 0));
	EXPECT_EQ(102, recv_record(self->fds[B], self->buf, sizeof(self->buf)));
	EXPECT_EQ(100, recv_record(self->fds[B], self->buf, sizeof(self->buf)));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLPRI, BRIEF_MS));
}

TEST_F(hold, sender_gives_up)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = 500 };

	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, SOON_MS / 10));
	ASSERT_TRUE(set_option(self->fds[B], ST_SERVE, ST_SERVE_WRITES));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	ASSERT_TRUE(job_start(&sender));
	held(_metadata, self->fds[B], 500);
	job_end(&sender);
	EXPECT_EQ(ETIME, sender.error);
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_TAKE));
	EXPECT_ERRNO(EREMOTEIO, recv(self->fds[B], self->buf, 1000, 0));
	EXPECT_EQ(100, send(self->fds[A], self->buf, 100, MSG_DONTWAIT | MSG_NOSIGNAL));
	EXPECT_EQ(100, recv_record(self->fds[B], self->buf, sizeof(self->buf)));
}

TEST_F(hold, connection_ends)
{
	__u32 id;

	ASSERT_TRUE(set_option(self->fds[B], ST_SERVE, ST_SERVE_WRITES));
	ASSERT_TRUE(set_option(self->fds[B], ST_WRITES, ST_WRITES_HOLD));
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_DONTWAIT | MSG_NOSIGNAL));
	id = held(_metadata, self->fds[B], 100);
	/* Closing with a held record is closing with unread data. */
	close(self->fds[B]);
	EXPECT_NE(0, poll_for(self->fds[A], POLLHUP, SOON_MS) & POLLHUP);
	EXPECT_ERRNO(ECONNRESET, send(self->fds[A], self->buf, 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], self->buf, 1, MSG_NOSIGNAL));
	EXPECT_NE(0, id);
}

TEST_HARNESS_MAIN
