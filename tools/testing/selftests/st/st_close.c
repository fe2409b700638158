// SPDX-License-Identifier: GPL-2.0
/*
 * Ends of AF_ST connections, and their poll() events.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONG_RECORD	(16 << 20)	/* takes a while, and needs its receiver */
#define EVENTS		(POLLIN | POLLOUT | POLLRDHUP)

static bool is_reset(int error)
{
	return error == ECONNRESET || error == EREMOTEIO;
}

FIXTURE(close)
{
	int fds[2];
};

FIXTURE_SETUP(close)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(close)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

TEST_F(close, poll_states)
{
	int fd = new_socket(A, 0);
	char byte = 0;

	EXPECT_EQ(POLLHUP, poll_for(fd, POLLIN, 0) & (POLLHUP | POLLIN));
	close(fd);
	EXPECT_EQ(POLLOUT, poll_for(self->fds[A], EVENTS, 0));
	EXPECT_EQ(POLLOUT, poll_for(self->fds[B], EVENTS, 0));

	ASSERT_EQ(1, send(self->fds[A], &byte, 1, MSG_NOSIGNAL));
	EXPECT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	EXPECT_EQ(POLLIN | POLLOUT, poll_for(self->fds[B], EVENTS, 0));
	ASSERT_EQ(1, recv_record(self->fds[B], &byte, 1));
	EXPECT_EQ(POLLOUT, poll_for(self->fds[B], EVENTS, 0));

	close(self->fds[A]);
	EXPECT_EQ(POLLHUP | POLLIN | POLLRDHUP,
		  poll_for(self->fds[B], POLLIN, SOON_MS) |
		  (poll_for(self->fds[B], EVENTS, SOON_MS) & ~POLLOUT));
	self->fds[A] = -1;
}

TEST_F(close, poll_wakes)
{
	char buf[100];
	struct job sender = { .fd = self->fds[A], .buf = buf, .len = sizeof(buf) };

	/* A record wakes poll(), and so does the end. */
	ASSERT_TRUE(job_start(&sender));
	EXPECT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	job_end(&sender);
	ASSERT_EQ(100, recv_record(self->fds[B], buf, sizeof(buf)));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN | POLLRDHUP, BRIEF_MS));
	close(self->fds[A]);
	EXPECT_TRUE(poll_for(self->fds[B], POLLRDHUP, SOON_MS) & POLLRDHUP);
	self->fds[A] = -1;
}

static sig_atomic_t broken_pipes;

static void count_broken_pipe(int signo)
{
	(void)signo;
	__atomic_add_fetch(&broken_pipes, 1, __ATOMIC_RELAXED);
}

TEST_F(close, peer_closes)
{
	char byte = 0;

	signal(SIGPIPE, count_broken_pipe);
	ASSERT_EQ(0, close(self->fds[A]));
	self->fds[A] = -1;
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], &byte, 1));
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], &byte, 1));
	EXPECT_ERRNO(EPIPE, send(self->fds[B], &byte, 1, MSG_NOSIGNAL));
	EXPECT_EQ(0, __atomic_load_n(&broken_pipes, __ATOMIC_RELAXED));
	EXPECT_ERRNO(EPIPE, send(self->fds[B], &byte, 1, 0));
	EXPECT_EQ(1, __atomic_load_n(&broken_pipes, __ATOMIC_RELAXED));
}

TEST_F(close, peer_closes_while_receiving)
{
	char byte;
	struct job receiver = { .fd = self->fds[B], .buf = &byte, .len = 1, .receive = true };

	ASSERT_TRUE(job_start(&receiver));
	usleep(BRIEF_MS * 1000);
	EXPECT_TRUE(job_running(&receiver));
	close(self->fds[A]);
	self->fds[A] = -1;
	job_end(&receiver);
	EXPECT_EQ(-1, receiver.result);
	EXPECT_EQ(ENODATA, receiver.error);
}

TEST_F(close, shutdown_write)
{
	char buf[1000];
	int i;

	for (i = 1; i <= 5; i++) {
		fill(buf, 100 * i, i, 0);
		ASSERT_EQ(100 * i, send(self->fds[A], buf, 100 * i, MSG_DONTWAIT | MSG_NOSIGNAL));
	}
	ASSERT_EQ(0, shutdown(self->fds[A], SHUT_WR));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], buf, 1, MSG_NOSIGNAL));
	for (i = 1; i <= 5; i++) {
		ASSERT_EQ(100 * i, recv_record(self->fds[B], buf, sizeof(buf)));
		EXPECT_TRUE(is_filled(buf, 100 * i, i, 0));
	}
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], buf, sizeof(buf)));
	EXPECT_ERRNO(EPIPE, send(self->fds[B], buf, 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(EINVAL, shutdown(self->fds[A], 3));
	EXPECT_ERRNO(EINVAL, shutdown(self->fds[A], -1));
}

/* A send() in another thread no longer waits, and its record arrives unchanged. */
TEST_F_TIMEOUT(close, shutdown_ends_send, 60)
{
	struct job sender = { .fd = self->fds[A], .len = LONG_RECORD };
	char *got = new_pages(LONG_RECORD);

	sender.buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, sender.buf);
	ASSERT_NE(NULL, got);
	fill(sender.buf, LONG_RECORD, 3, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_TRUE(job_asleep(&sender));
	ASSERT_EQ(0, shutdown(self->fds[A], SHUT_WR));
	ASSERT_TRUE(job_ends(&sender));
	EXPECT_EQ(LONG_RECORD, sender.result) TH_LOG("errno %d", sender.error);
	memset(sender.buf, 0, LONG_RECORD);
	ASSERT_EQ(LONG_RECORD, recv_record(self->fds[B], got, LONG_RECORD));
	EXPECT_TRUE(is_filled(got, LONG_RECORD, 3, 0));
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], got, LONG_RECORD));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], got, 1, MSG_NOSIGNAL));
}

TEST_F(close, queued_records_still_arrive)
{
	char buf[4000];
	int i;

	for (i = 0; i < 20; i++) {
		fill(buf, sizeof(buf), i, 0);
		ASSERT_EQ((ssize_t)sizeof(buf), send(self->fds[A], buf, sizeof(buf),
						     MSG_DONTWAIT | MSG_NOSIGNAL));
	}
	ASSERT_EQ(0, close(self->fds[A]));
	self->fds[A] = -1;
	for (i = 0; i < 20; i++) {
		ASSERT_EQ((ssize_t)sizeof(buf), recv_record(self->fds[B], buf, sizeof(buf)));
		EXPECT_TRUE(is_filled(buf, sizeof(buf), i, 0));
	}
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], buf, sizeof(buf)));
}

TEST_F(close, unread_data)
{
	char buf[1000] = {};

	ASSERT_EQ((ssize_t)sizeof(buf), send(self->fds[A], buf, sizeof(buf), MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, close(self->fds[B]));
	self->fds[B] = -1;
	EXPECT_TRUE(poll_for(self->fds[A], POLLRDHUP, SOON_MS) & POLLRDHUP);
	EXPECT_EQ(-1, recv_record(self->fds[A], buf, sizeof(buf)));
	EXPECT_TRUE(errno == ENODATA || is_reset(errno));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], buf, 1, MSG_NOSIGNAL));
}

TEST_F_TIMEOUT(close, receiver_closes_in_transfer, 60)
{
	struct job sender = { .fd = self->fds[A], .len = LONG_RECORD };
	char part[100000];
	bool last;

	sender.buf = new_pages(LONG_RECORD);
	ASSERT_NE(NULL, sender.buf);
	fill(sender.buf, LONG_RECORD, 1, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ((ssize_t)sizeof(part),
		  recv_part(self->fds[B], part, sizeof(part), 0, &last));
	EXPECT_FALSE(last);
	EXPECT_TRUE(is_filled(part, sizeof(part), 1, 0));
	EXPECT_TRUE(job_running(&sender));
	ASSERT_EQ(0, close(self->fds[B]));
	self->fds[B] = -1;

	job_end(&sender);
	EXPECT_EQ(-1, sender.result);
	EXPECT_TRUE(is_reset(sender.error)) TH_LOG("errno %d", sender.error);
	EXPECT_ERRNO(EPIPE, send(self->fds[A], part, 1, MSG_NOSIGNAL));
	EXPECT_EQ(-1, recv_record(self->fds[A], part, sizeof(part)));
	EXPECT_TRUE(errno == ENODATA || is_reset(errno)) TH_LOG("errno %d", errno);
}

/* A process that sends a long record on fds[A] and is alone with it. */
static pid_t long_sender(int fds[2])
{
	pid_t child = fork();
	char *buf;

	if (child) {
		close(fds[A]);
		fds[A] = -1;
		return child;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(fds[B]);
	buf = malloc(LONG_RECORD);
	fill(buf, LONG_RECORD, 2, 0);
	send(fds[A], buf, LONG_RECORD, MSG_NOSIGNAL);
	pause();
	_exit(0);
}

TEST_F_TIMEOUT(close, sender_dies_in_transfer, 60)
{
	pid_t child = long_sender(self->fds);
	size_t got = 0;
	ssize_t n = 0;
	char part[100000];
	bool last;

	ASSERT_LT(0, child);
	while (got < LONG_RECORD / 4) {
		n = recv_part(self->fds[B], part, sizeof(part), 0, &last);
		ASSERT_LT(0, n) TH_LOG("errno %d after %zu bytes", errno, got);
		ASSERT_FALSE(last);
		ASSERT_TRUE(is_filled(part, n, 2, got));
		got += n;
	}
	ASSERT_EQ(0, kill(child, SIGKILL));
	ASSERT_EQ(child, waitpid(child, NULL, 0));

	/* Received bytes may still be read; the end of the record must not. */
	while ((n = recv_part(self->fds[B], part, sizeof(part), 0, &last)) > 0) {
		ASSERT_FALSE(last);
		ASSERT_TRUE(is_filled(part, n, 2, got));
		got += n;
	}
	EXPECT_EQ(-1, n);
	EXPECT_TRUE(is_reset(errno)) TH_LOG("errno %d", errno);
	EXPECT_LT(got, LONG_RECORD);
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], part, sizeof(part)));
	EXPECT_ERRNO(EPIPE, send(self->fds[B], part, 1, MSG_NOSIGNAL));
}

TEST_F_TIMEOUT(close, both_close_in_transfers, 60)
{
	int round, fds[2], i;
	pid_t child;

	/* There is no errno to check, but nothing may remain. */
	for (round = 0; round < 10; round++) {
		ASSERT_TRUE(new_pair(fds));
		child = fork();
		ASSERT_LE(0, child);
		if (!child) {
			struct job job[2];

			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (i = 0; i < 2; i++) {
				job[i] = (struct job) { .fd = fds[i], .len = LONG_RECORD };
				job[i].buf = new_pages(LONG_RECORD);
				job_start(&job[i]);
			}
			pause();
		}
		close(fds[A]);
		close(fds[B]);
		usleep(20000 * round);
		ASSERT_EQ(0, kill(child, SIGKILL));
		ASSERT_EQ(child, waitpid(child, NULL, 0));
	}
}

TEST_HARNESS_MAIN
