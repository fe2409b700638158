// SPDX-License-Identifier: GPL-2.0
/*
 * AF_ST calls that would wait: without waiting, with a limit, with a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	(8 << 20)	/* more than the kernel keeps */

FIXTURE(wait)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(wait)
{
	self->buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(wait)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

TEST_F(wait, receive_at_once)
{
	char byte;

	EXPECT_ERRNO(EAGAIN, recv(self->fds[A], &byte, 1, MSG_DONTWAIT));
	ASSERT_EQ(0, fcntl(self->fds[A], F_SETFL, O_NONBLOCK));
	EXPECT_ERRNO(EAGAIN, recv(self->fds[A], &byte, 1, 0));
	EXPECT_ERRNO(EAGAIN, read(self->fds[A], &byte, 1));

	ASSERT_EQ(1, send(self->fds[B], "x", 1, MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[A], POLLIN, SOON_MS));
	EXPECT_EQ(1, recv(self->fds[A], &byte, 1, 0));
	EXPECT_ERRNO(EAGAIN, recv(self->fds[A], &byte, 1, 0));
}

TEST_F_TIMEOUT(wait, send_at_once, 120)
{
	enum { LEN = 10000, MOST = 10000 };
	int sent, i;

	ASSERT_EQ(0, fcntl(self->fds[A], F_SETFL, O_NONBLOCK));
	for (sent = 0; sent < MOST; sent++) {
		fill(self->buf, LEN, sent, 0);
		if (send(self->fds[A], self->buf, LEN, MSG_NOSIGNAL) == LEN)
			continue;
		ASSERT_EQ(EAGAIN, errno);
		/* The receiver may still accept some; after POLLOUT the record fits. */
		if (!poll_for(self->fds[A], POLLOUT, 5 * BRIEF_MS))
			break;
		ASSERT_EQ(LEN, send(self->fds[A], self->buf, LEN, MSG_NOSIGNAL))
			TH_LOG("POLLOUT, but errno %d for record %d", errno, sent);
	}
	ASSERT_LT(1, sent);
	ASSERT_GT(MOST, sent);

	for (i = 0; i < sent; i++) {
		ASSERT_EQ(LEN, recv_record(self->fds[B], self->buf, LEN));
		ASSERT_TRUE(is_filled(self->buf, LEN, i, 0));
	}
	EXPECT_EQ(POLLOUT, poll_for(self->fds[A], POLLOUT, SOON_MS));
	EXPECT_EQ(LEN, send(self->fds[A], self->buf, LEN, MSG_NOSIGNAL));
	EXPECT_EQ(LEN, recv_record(self->fds[B], self->buf, LEN));
}

TEST_F(wait, send_keeps_a_copy)
{
	/* The buffer belongs to the caller again at once. */
	fill(self->buf, 50000, 1, 0);
	ASSERT_EQ(50000, send(self->fds[A], self->buf, 50000, MSG_DONTWAIT | MSG_NOSIGNAL));
	fill(self->buf, 50000, 2, 0);
	ASSERT_EQ(50000, recv_record(self->fds[B], self->buf, 50000));
	EXPECT_TRUE(is_filled(self->buf, 50000, 1, 0));
}

TEST_F(wait, too_long)
{
	int space;
	socklen_t len = sizeof(space);

	/* Without waiting: a record that can never fit SO_SNDBUF. */
	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUF, &(int){ 10000 }, len));
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUF, &space, &len));
	EXPECT_ERRNO(EMSGSIZE, send(self->fds[A], self->buf, space + 1,
				    MSG_DONTWAIT | MSG_NOSIGNAL));

	/* In every case: a record over the limit of the namespace. */
	ASSERT_TRUE(sysctl_set(A, "max_transfer", 8192));
	EXPECT_ERRNO(EMSGSIZE, send(self->fds[A], self->buf, 8193, MSG_NOSIGNAL));
	EXPECT_ERRNO(EMSGSIZE, send(self->fds[A], self->buf, 8193, MSG_DONTWAIT | MSG_NOSIGNAL));
	EXPECT_EQ(8192, send(self->fds[A], self->buf, 8192, MSG_NOSIGNAL));
	EXPECT_EQ(8192, recv_record(self->fds[B], self->buf, 8193));
}

TEST_F(wait, receive_timeout)
{
	long long start = now_ms();
	char byte;

	ASSERT_TRUE(set_timeout(self->fds[A], SO_RCVTIMEO, BRIEF_MS));
	EXPECT_ERRNO(EAGAIN, recv(self->fds[A], &byte, 1, 0));
	EXPECT_LE(start + BRIEF_MS / 2, now_ms());
	EXPECT_GE(start + SOON_MS, now_ms());
	ASSERT_EQ(1, send(self->fds[B], "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv(self->fds[A], &byte, 1, 0));
}

/*
 * A record that its sender gave up after the receiver had a part of it: the
 * receiver gets an error, and the next record is complete.
 */
static void expect_given_up(struct __test_metadata *_metadata, int fds[2], char *buf)
{
	struct job sender = { .fd = fds[A], .buf = buf, .len = 1000 };
	char got[1000];
	bool last;
	ssize_t n;

	while ((n = recv_part(fds[B], got, sizeof(got), 0, &last)) > 0)
		ASSERT_FALSE(last);
	EXPECT_EQ(-1, n);
	EXPECT_EQ(EREMOTEIO, errno);

	fill(buf, 1000, 77, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(1000, recv_record(fds[B], got, sizeof(got)));
	EXPECT_TRUE(is_filled(got, 1000, 77, 0));
	job_end(&sender);
	EXPECT_EQ(1000, sender.result);
}

TEST_F_TIMEOUT(wait, send_timeout, 60)
{
	long long start = now_ms();

	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, BRIEF_MS));
	EXPECT_ERRNO(ETIME, send(self->fds[A], self->buf, LONG_RECORD, MSG_NOSIGNAL));
	EXPECT_LE(start + BRIEF_MS / 2, now_ms());
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, SOON_MS));
	expect_given_up(_metadata, self->fds, self->buf);
}

TEST_F(wait, signal_while_receiving)
{
	char byte = 0;
	struct job receiver = { .fd = self->fds[A], .buf = &byte, .len = 1, .receive = true };

	ASSERT_TRUE(catch_signal(SIGUSR1, 0));
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(signal_job(&receiver, SIGUSR1));
	job_end(&receiver);
	EXPECT_EQ(-1, receiver.result);
	EXPECT_EQ(EINTR, receiver.error);

	/* With SA_RESTART the call continues. */
	ASSERT_TRUE(catch_signal(SIGUSR1, SA_RESTART));
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(signal_job(&receiver, SIGUSR1));
	usleep(BRIEF_MS * 1000);
	EXPECT_TRUE(job_running(&receiver));
	ASSERT_EQ(1, send(self->fds[B], "x", 1, MSG_NOSIGNAL));
	job_end(&receiver);
	EXPECT_EQ(1, receiver.result);
	EXPECT_EQ('x', byte);
}

TEST_F_TIMEOUT(wait, signals_between_parts, 60)
{
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = LONG_RECORD };
	char *to = new_pages(LONG_RECORD + 1);
	useconds_t pause = 3000;
	sigset_t alarms;
	size_t got = 0;
	bool last = false;
	ssize_t n;

	/*
	 * They interrupt the receiver's calls, but lose no byte; the sender
	 * gets none.  An interrupted Block must be repeated, so the interval
	 * grows.
	 */
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	ASSERT_TRUE(catch_signal(SIGALRM, 0));
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &alarms, NULL));
	fill(self->buf, LONG_RECORD, 4, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(0, sigprocmask(SIG_UNBLOCK, &alarms, NULL));
	while (!last) {
		ualarm(pause, 0);
		n = recv_part(self->fds[B], to + got, LONG_RECORD + 1 - got, 0, &last);
		if (n < 0) {
			ASSERT_EQ(EINTR, errno);
			if (pause < 500000)
				pause += pause / 4;
			continue;
		}
		ASSERT_TRUE(is_filled(to + got, n, 4, got));
		got += n;
	}
	ualarm(0, 0);
	EXPECT_EQ(LONG_RECORD, got);
	job_end(&sender);
	EXPECT_EQ(LONG_RECORD, sender.result);
}

TEST_HARNESS_MAIN
