// SPDX-License-Identifier: GPL-2.0
/*
 * sendfile() and splice() from and to AF_ST sockets.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define LEN		1048576
#define PIPE_LEN	(64 << 10)	/* size of a pipe, the longest record of a splice() */

FIXTURE(splice)
{
	int fds[2];
	int file;
	char *buf;
};

FIXTURE_SETUP(splice)
{
	self->buf = new_pages(LEN + 1);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	self->file = memfd_create("splice", MFD_CLOEXEC);
	ASSERT_LE(0, self->file);
}

FIXTURE_TEARDOWN(splice)
{
	close(self->fds[A]);
	close(self->fds[B]);
	close(self->file);
}

struct copy {
	int	from, to;
	size_t	len;
	ssize_t	result;
	int	error;
};

static void *send_file(void *arg)
{
	struct copy *copy = arg;
	off_t at = 0;

	copy->result = sendfile(copy->to, copy->from, &at, copy->len);
	copy->error = errno;
	return NULL;
}

/* All bytes arrive in order; sendfile() does not define where records end. */
TEST_F_TIMEOUT(splice, file_to_socket, 60)
{
	struct copy copy = { .from = self->file, .to = self->fds[A], .len = LEN };
	pthread_t thread;
	size_t got = 0;
	bool last;
	ssize_t n;

	fill(self->buf, LEN, 1, 0);
	ASSERT_EQ(LEN, write(self->file, self->buf, LEN));
	ASSERT_EQ(0, pthread_create(&thread, NULL, send_file, &copy));
	memset(self->buf, 0, LEN);
	while (got < LEN) {
		n = recv_part(self->fds[B], self->buf + got, LEN - got, 0, &last);
		ASSERT_LT(0, n) TH_LOG("%s after %zu bytes", strerror(errno), got);
		got += n;
	}
	EXPECT_TRUE(last);
	pthread_join(thread, NULL);
	EXPECT_EQ(LEN, copy.result) TH_LOG("%s", strerror(copy.error));
	EXPECT_TRUE(is_filled(self->buf, LEN, 1, 0));
}

/* Data that fits a pipe is one record. */
TEST_F(splice, pipe_to_socket)
{
	int ends[2];
	ssize_t n;

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	fill(self->buf, 50000, 2, 0);
	ASSERT_EQ(50000, write(ends[1], self->buf, 50000));
	n = splice(ends[0], NULL, self->fds[A], NULL, 50000, 0);
	ASSERT_EQ(50000, n) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(50000, recv_record(self->fds[B], self->buf, LEN));
	EXPECT_TRUE(is_filled(self->buf, 50000, 2, 0));
	close(ends[0]);
	close(ends[1]);
}

/* One record at a time, and of a long one as much as the pipe holds */
TEST_F_TIMEOUT(splice, socket_to_file, 60)
{
	static const size_t lens[] = { 1000, LEN, 1, PIPE_LEN, 5000 };
	struct series series = { .fd = self->fds[A], .lens = lens, .count = ARRAY_SIZE(lens) };
	size_t i, got;
	int ends[2];
	ssize_t n;

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	ASSERT_TRUE(series_start(&series));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_EQ(0, ftruncate(self->file, 0));
		ASSERT_EQ(0, lseek(self->file, 0, SEEK_SET));
		for (got = 0; got < lens[i]; got += n) {
			n = splice(self->fds[B], NULL, ends[1], NULL, LEN, 0);
			ASSERT_LT(0, n) TH_LOG("%s after %zu bytes", strerror(errno), got);
			ASSERT_EQ(n, splice(ends[0], NULL, self->file, NULL, n, 0));
		}
		ASSERT_EQ(lens[i], got);
		ASSERT_EQ((ssize_t)got, pread(self->file, self->buf, LEN + 1, 0));
		ASSERT_TRUE(is_filled(self->buf, got, i, 0));
	}
	series_end(&series);
	EXPECT_EQ(ARRAY_SIZE(lens), series.sent);

	/* The end of the connection is the end of the file. */
	close(self->fds[A]);
	self->fds[A] = -1;
	EXPECT_EQ(0, splice(self->fds[B], NULL, ends[1], NULL, LEN, 0));
	close(ends[0]);
	close(ends[1]);
}

TEST_HARNESS_MAIN
