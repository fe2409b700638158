// SPDX-License-Identifier: GPL-2.0
/*
 * Records over AF_ST sockets: complete, separate, and identical to what was
 * sent, wherever the buffers are.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "kselftest_harness.h"

#include "common.h"

#define LONGEST		((1 << 20) + 1)

FIXTURE(record)
{
	int fds[2];
	long page;
	char *buf;
};

FIXTURE_SETUP(record)
{
	self->page = sysconf(_SC_PAGESIZE);
	self->buf = new_pages(LONGEST);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(record)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* Sends records of these lengths and receives them one by one. */
static void exchange(struct __test_metadata *_metadata, int fds[2], char *buf,
		     const size_t *lens, unsigned int count)
{
	struct series series = { .fd = fds[A], .lens = lens, .count = count };
	unsigned int i;

	ASSERT_TRUE(series_start(&series));
	for (i = 0; i < count; i++) {
		ASSERT_EQ((ssize_t)lens[i], recv_record(fds[B], buf, LONGEST))
			TH_LOG("record %u: %s", i, strerror(errno));
		ASSERT_TRUE(is_filled(buf, lens[i], i, 0)) TH_LOG("%zu bytes", lens[i]);
	}
	series_end(&series);
	EXPECT_EQ(count, series.sent) TH_LOG("errno %d", series.error);
}

TEST_F_TIMEOUT(record, every_length_to_3000, 240)
{
	size_t lens[3001], i;

	for (i = 0; i < ARRAY_SIZE(lens); i++)
		lens[i] = i;
	exchange(_metadata, self->fds, self->buf, lens, ARRAY_SIZE(lens));
}

TEST_F_TIMEOUT(record, around_powers_of_two, 120)
{
	size_t lens[3 * 20], n = 0;
	int shift;

	for (shift = 1; shift <= 20; shift++) {
		lens[n++] = (1UL << shift) - 1;
		lens[n++] = 1UL << shift;
		lens[n++] = (1UL << shift) + 1;
	}
	exchange(_metadata, self->fds, self->buf, lens, n);
}

TEST_F(record, kept_apart)
{
	static const size_t lens[] = { 1, 0, 5000, 1, 1, 0, 0, 32, 31, 33, 20000, 3, 0 };
	char buf[20000];
	size_t i;

	/* All of them have arrived before the first is read. */
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		fill(buf, lens[i], i, 0);
		ASSERT_EQ((ssize_t)lens[i], send(self->fds[A], buf, lens[i],
						 MSG_DONTWAIT | MSG_NOSIGNAL));
	}
	usleep(BRIEF_MS * 1000);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_EQ((ssize_t)lens[i], recv_record(self->fds[B], buf, sizeof(buf)));
		EXPECT_TRUE(is_filled(buf, lens[i], i, 0));
	}
}

/* Receives one record in parts of @part bytes; only the last is marked. */
static void receive_parts(struct __test_metadata *_metadata, int fds[2], char *buf,
			  size_t len, size_t part)
{
	struct series series = { .fd = fds[A], .lens = &len, .count = 1 };
	size_t got, want;
	bool last;

	ASSERT_TRUE(series_start(&series));
	for (got = 0; got < len; got += want) {
		want = len - got < part ? len - got : part;
		ASSERT_EQ((ssize_t)want, recv_part(fds[B], buf, part, 0, &last))
			TH_LOG("errno %d after %zu of %zu bytes", errno, got, len);
		ASSERT_TRUE(is_filled(buf, want, 0, got));
		ASSERT_EQ(got + want == len, last) TH_LOG("%zu of %zu", got + want, len);
	}
	series_end(&series);
	ASSERT_EQ(1, series.sent);
	EXPECT_EQ(0, poll_for(fds[B], POLLIN, 0));
}

TEST_F_TIMEOUT(record, parts, 120)
{
	receive_parts(_metadata, self->fds, self->buf, 10000, 999);
	receive_parts(_metadata, self->fds, self->buf, 10000, 1000);
	receive_parts(_metadata, self->fds, self->buf, 10000, 9999);
	receive_parts(_metadata, self->fds, self->buf, 10000, 10001);
	receive_parts(_metadata, self->fds, self->buf, 300, 1);
	receive_parts(_metadata, self->fds, self->buf, 1 << 20, 65536);
	receive_parts(_metadata, self->fds, self->buf, 1 << 20, 65537);
	receive_parts(_metadata, self->fds, self->buf, 8 << 20, 1 << 20);
	receive_parts(_metadata, self->fds, self->buf, 3 << 20, 3001);
}

TEST_F(record, empty_is_not_the_end)
{
	char byte;
	bool last;

	ASSERT_EQ(0, send(self->fds[A], NULL, 0, MSG_NOSIGNAL));
	ASSERT_EQ(0, send(self->fds[A], &byte, 0, MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	ASSERT_EQ(0, recv_part(self->fds[B], &byte, 1, 0, &last));
	EXPECT_TRUE(last);
	ASSERT_EQ(0, recv_part(self->fds[B], &byte, 1, 0, &last));
	EXPECT_TRUE(last);
	close(self->fds[A]);
	self->fds[A] = -1;
	EXPECT_ERRNO(ENODATA, recv_part(self->fds[B], &byte, 1, 0, &last));
	EXPECT_FALSE(last);
}

/* One record from and to these places. */
static void move(struct __test_metadata *_metadata, int fds[2], char *from, char *to,
		 size_t len, unsigned int number)
{
	struct job sender = { .fd = fds[A], .buf = from, .len = len };

	fill(from, len, number, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ((ssize_t)len, recv_record(fds[B], to, len));
	job_end(&sender);
	ASSERT_EQ((ssize_t)len, sender.result);
	ASSERT_TRUE(is_filled(to, len, number, 0)) TH_LOG("%zu bytes %p to %p", len, from, to);
}

TEST_F_TIMEOUT(record, every_offset, 240)
{
	static const size_t lens[] = { 100, 5000, 70000 };
	char *from = new_pages(128 << 10), *to = new_pages(128 << 10);
	size_t i, at;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (at = 0; at <= 64; at++) {
			memset(to, 0xa5, 128 << 10);
			move(_metadata, self->fds, from + at, to + 64 - at, lens[i], at);
			/* Nothing around it was touched. */
			if (at < 64)
				EXPECT_EQ((char)0xa5, to[64 - at - 1]);
			EXPECT_EQ((char)0xa5, to[64 - at + lens[i]]);
		}
	}
}

TEST_F_TIMEOUT(record, page_edges, 240)
{
	static const size_t lens[] = { 1, 33, 4096, 4097, 65536, 200001 };
	size_t pages = 256 << 10, i;
	char *from = new_pages(pages), *to = new_pages(pages);
	int around;

	/* Behind the end, nothing is mapped. */
	pages -= self->page;
	ASSERT_EQ(0, munmap(from + pages, self->page));
	ASSERT_EQ(0, munmap(to + pages, self->page));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		move(_metadata, self->fds, from + pages - lens[i], to, lens[i], i);
		move(_metadata, self->fds, from, to + pages - lens[i], lens[i], i);
		move(_metadata, self->fds, from + pages - lens[i], to + pages - lens[i], lens[i],
		     i);
		for (around = -2; around <= 2; around++)
			move(_metadata, self->fds, from + self->page + around,
			     to + self->page - around, lens[i], i);
	}
}

TEST_F(record, bad_address)
{
	char *hole = new_pages(8 * self->page), byte = 1;
	struct job sender = { .fd = self->fds[A], .buf = self->buf, .len = 3 * self->page };

	/* Nothing of such a record is sent. */
	ASSERT_EQ(0, mprotect(hole + self->page, self->page, PROT_NONE));
	EXPECT_ERRNO(EFAULT, send(self->fds[A], hole + self->page, 10, MSG_NOSIGNAL));
	EXPECT_ERRNO(EFAULT, send(self->fds[A], hole, 2 * self->page, MSG_NOSIGNAL));
	EXPECT_ERRNO(EFAULT, send(self->fds[A], hole, 2 * self->page,
				  MSG_DONTWAIT | MSG_NOSIGNAL));
	EXPECT_EQ(1, send(self->fds[A], &byte, 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_record(self->fds[B], &byte, 1));

	/* A part may arrive; then the call fails, but not the connection. */
	fill(self->buf, 3 * self->page, 1, 0);
	ASSERT_TRUE(job_start(&sender));
	EXPECT_ERRNO(EFAULT, recv(self->fds[B], hole + self->page, 100, 0));
	EXPECT_EQ(3 * self->page, recv_record(self->fds[B], hole + 2 * self->page,
					      6 * self->page));
	job_end(&sender);
	EXPECT_EQ(3 * self->page, sender.result);
	EXPECT_TRUE(is_filled(hole + 2 * self->page, 3 * self->page, 1, 0));
}

TEST_F(record, read_only_source)
{
	size_t len = 100000;
	char *from = new_pages(len), *to = new_pages(len);
	struct job sender = { .fd = self->fds[A], .buf = from, .len = len };

	fill(from, len, 3, 0);
	ASSERT_EQ(0, mprotect(from, len, PROT_READ));
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ((ssize_t)len, recv_record(self->fds[B], to, len));
	job_end(&sender);
	EXPECT_EQ((ssize_t)len, sender.result);
	EXPECT_TRUE(is_filled(to, len, 3, 0));
}

/* Splits @len bytes into at most @max separate pieces. */
static int scatter(struct iovec *iov, int max, char *base, size_t len, size_t piece)
{
	size_t done = 0, n;
	int i;

	for (i = 0; i < max && done < len; i++) {
		n = (i % 5 == 3) ? 0 : piece + i % 7;
		if (n > len - done || i == max - 1)
			n = len - done;
		iov[i].iov_base = base;
		iov[i].iov_len = n;
		base += n + 1 + i % 3;
		done += n;
	}
	return i;
}

TEST_F_TIMEOUT(record, scatter_and_gather, 120)
{
	static const struct {
		size_t	len, from_piece, to_piece;
	} all[] = {
		{ 1, 1, 1 }, { 100, 3, 7 }, { 5000, 64, 4096 }, { 100000, 4096, 333 },
		{ 100000, 1000, 99999 }, { 500000, 8192, 8192 },
	};
	char *from = new_pages(1 << 20), *to = new_pages(1 << 20);
	struct iovec iov[2][500];
	size_t i, j, at;
	struct msghdr msg;
	int count[2];

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		count[A] = scatter(iov[A], 500, from, all[i].len, all[i].from_piece);
		count[B] = scatter(iov[B], 500, to, all[i].len, all[i].to_piece);
		for (j = 0, at = 0; j < (size_t)count[A]; at += iov[A][j++].iov_len)
			fill(iov[A][j].iov_base, iov[A][j].iov_len, i, at);

		msg = (struct msghdr) { .msg_iov = iov[A], .msg_iovlen = count[A] };
		if (all[i].len > 50000)	/* more than waits in the kernel */
			ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUFFORCE,
						&(int){ 1 << 20 }, sizeof(int)));
		ASSERT_EQ((ssize_t)all[i].len, sendmsg(self->fds[A], &msg, MSG_NOSIGNAL |
						       (all[i].len > 50000 ? MSG_DONTWAIT : 0)));
		memset(to, 0xa5, 1 << 20);
		msg = (struct msghdr) { .msg_iov = iov[B], .msg_iovlen = count[B] };
		ASSERT_EQ((ssize_t)all[i].len, recvmsg(self->fds[B], &msg, 0));
		EXPECT_TRUE(msg.msg_flags & MSG_EOR);
		for (j = 0, at = 0; j < (size_t)count[B]; at += iov[B][j++].iov_len)
			ASSERT_TRUE(is_filled(iov[B][j].iov_base, iov[B][j].iov_len, i, at));
	}
}

TEST_F(record, read_and_write)
{
	struct iovec iov[2] = {
		{ .iov_base = self->buf, .iov_len = 10 },
		{ .iov_base = self->buf + 100, .iov_len = 20 },
	};
	char got[100];

	fill(self->buf, 10, 1, 0);
	fill(self->buf + 100, 20, 1, 10);
	ASSERT_EQ(30, writev(self->fds[A], iov, 2));
	ASSERT_EQ(10, write(self->fds[A], self->buf, 10));
	ASSERT_EQ(30, read(self->fds[B], got, sizeof(got)));
	EXPECT_TRUE(is_filled(got, 30, 1, 0));
	memset(self->buf, 0, 200);
	ASSERT_EQ(10, readv(self->fds[B], iov, 2));
	EXPECT_TRUE(is_filled(self->buf, 10, 1, 0));
}

TEST_F_TIMEOUT(record, both_directions, 120)
{
	enum { COUNT = 60 };
	size_t lens[COUNT], i, side;
	struct series series[2];
	char *buf = self->buf;

	for (i = 0; i < COUNT; i++)
		lens[i] = i * i * 70;
	for (side = A; side <= B; side++) {
		series[side] = (struct series) {
			.fd = self->fds[side], .lens = lens, .count = COUNT,
		};
		ASSERT_TRUE(series_start(&series[side]));
	}
	for (i = 0; i < COUNT; i++) {
		for (side = A; side <= B; side++) {
			ASSERT_EQ((ssize_t)lens[i], recv_record(self->fds[side], buf, LONGEST));
			ASSERT_TRUE(is_filled(buf, lens[i], i, 0));
		}
	}
	for (side = A; side <= B; side++) {
		series_end(&series[side]);
		EXPECT_EQ(COUNT, series[side].sent);
	}
}

TEST_F_TIMEOUT(record, several_senders, 120)
{
	enum { SENDERS = 4, COUNT = 50 };
	static const size_t len[SENDERS] = { 10, 3000, 40000, 100000 };
	size_t lens[SENDERS][COUNT], i, j;
	struct series series[SENDERS];
	unsigned int seen[SENDERS] = {};
	ssize_t n;

	for (i = 0; i < SENDERS; i++) {
		for (j = 0; j < COUNT; j++)
			lens[i][j] = len[i];
		series[i] = (struct series) {
			.fd = self->fds[A], .lens = lens[i], .count = COUNT,
		};
		ASSERT_TRUE(series_start(&series[i]));
	}
	/* Their records are interleaved, but not their bytes, and each sender's order is kept. */
	for (i = 0; i < SENDERS * COUNT; i++) {
		n = recv_record(self->fds[B], self->buf, LONGEST);
		ASSERT_LT(0, n);
		for (j = 0; j < SENDERS && len[j] != (size_t)n; j++)
			;
		ASSERT_LT(j, SENDERS);
		ASSERT_TRUE(is_filled(self->buf, n, seen[j]++, 0));
	}
	for (i = 0; i < SENDERS; i++) {
		series_end(&series[i]);
		EXPECT_EQ(COUNT, series[i].sent);
	}
}

TEST_F(record, queue_sizes)
{
	int bytes = -1;

	EXPECT_EQ(0, ioctl(self->fds[B], SIOCINQ, &bytes));
	EXPECT_EQ(0, bytes);
	ASSERT_EQ(1000, send(self->fds[A], self->buf, 1000, MSG_NOSIGNAL));
	ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
	EXPECT_EQ(0, ioctl(self->fds[B], SIOCINQ, &bytes));
	EXPECT_EQ(1000, bytes);
	ASSERT_EQ(400, recv(self->fds[B], self->buf, 400, 0));
	EXPECT_EQ(0, ioctl(self->fds[B], SIOCINQ, &bytes));
	EXPECT_EQ(600, bytes);

	/* The blocking send has returned: nothing waits. */
	EXPECT_EQ(0, ioctl(self->fds[A], SIOCOUTQ, &bytes));
	EXPECT_EQ(0, bytes);
	EXPECT_ERRNO(ENOTTY, ioctl(self->fds[A], 0x5400, &bytes));
}

TEST_HARNESS_MAIN
