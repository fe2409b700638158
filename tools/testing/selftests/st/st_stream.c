// SPDX-License-Identifier: GPL-2.0
/*
 * Streams: records of unlimited size, sent in parts with MSG_MORE.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"

#define MIB	1048576UL

FIXTURE(stream)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(stream)
{
	self->buf = new_pages(MIB);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(stream)
{
	fault_set(0, "tx_ber", "0");
	fault_set(1, "tx_ber", "0");
	close(self->fds[A]);
	close(self->fds[B]);
}

/**
 * struct writer - a thread that sends a stream
 * @fd: socket
 * @total: bytes
 * @part: maximum number of bytes in a send
 * @seed: if not 0, the parts have random lengths
 * @record: number that the bytes identify
 * @sent: number of bytes accepted
 * @error: errno of the send that failed, or 0
 * @thread: the thread
 */
struct writer {
	int		fd;
	size_t		total;
	size_t		part;
	unsigned int	seed;
	unsigned int	record;
	size_t		sent;
	int		error;
	pthread_t	thread;
};

static void *writer_run(void *arg)
{
	struct writer *w = arg;
	char *buf = malloc(w->part);
	size_t n;
	ssize_t got;

	while (w->sent < w->total) {
		n = w->seed ? rand_r(&w->seed) % w->part + 1 : w->part;
		if (n > w->total - w->sent)
			n = w->total - w->sent;
		fill(buf, n, w->record, w->sent);
		got = send(w->fd, buf, n, MSG_NOSIGNAL |
			   (w->sent + n < w->total ? MSG_MORE : 0));
		if (got != (ssize_t)n) {
			w->error = got < 0 ? errno : EMSGSIZE;
			break;
		}
		w->sent += n;
	}
	free(buf);
	return NULL;
}

static bool writer_start(struct writer *w)
{
	w->sent = 0;
	w->error = 0;
	return !pthread_create(&w->thread, NULL, writer_run, w);
}

static void writer_end(struct __test_metadata *_metadata, struct writer *w)
{
	pthread_join(w->thread, NULL);
	EXPECT_EQ(w->total, w->sent) TH_LOG("%s", strerror(w->error));
}

/* A whole stream of @total bytes. */
static void receive(struct __test_metadata *_metadata, int fd, size_t total, unsigned int record)
{
	char *buf = malloc(100000);
	bool last = false;
	size_t got = 0;
	ssize_t n;

	while (!last) {
		n = recv_part(fd, buf, 100000, 0, &last);
		ASSERT_LE(0, n) TH_LOG("after %zu of %zu: %s", got, total, strerror(errno));
		ASSERT_TRUE(is_filled(buf, n, record, got));
		got += n;
		ASSERT_GE(total, got);
	}
	EXPECT_EQ(total, got);
	free(buf);
}

/* Bytes arrive as they are sent, whether or not they fill a Block. */
TEST_F(stream, bytes_as_they_come)
{
	static const size_t parts[] = { 1, 100, 4096, 5000, 8191, 1, 3 };
	size_t i, at = 0, got;
	bool last;
	ssize_t n;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		bool more = i < ARRAY_SIZE(parts) - 1;

		fill(self->buf, parts[i], 1, at);
		ASSERT_EQ((ssize_t)parts[i], send(self->fds[A], self->buf, parts[i],
						  more ? MSG_MORE : MSG_DONTWAIT));
		for (got = 0; got < parts[i]; got += n) {
			n = recv_part(self->fds[B], self->buf, parts[i] - got, 0, &last);
			ASSERT_LT(0, n);
			ASSERT_TRUE(is_filled(self->buf, n, 1, at + got));
			if (more)
				ASSERT_FALSE(last);
		}
		if (more)
			EXPECT_EQ(0, poll_for(self->fds[B], POLLIN, 0));
		at += parts[i];
	}
	/* The end may come behind the last byte. */
	if (!last) {
		EXPECT_EQ(0, recv_part(self->fds[B], self->buf, 1, 0, &last));
		EXPECT_TRUE(last);
	}
}

TEST_F(stream, ends_without_bytes)
{
	static const size_t lens[] = { 0, 1, 8191, 8192, 8193, 16384 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		fill(self->buf, lens[i], i, 0);
		ASSERT_EQ((ssize_t)lens[i], send(self->fds[A], self->buf, lens[i], MSG_MORE));
		ASSERT_EQ(0, send(self->fds[A], self->buf, 0, MSG_DONTWAIT));
		receive(_metadata, self->fds[B], lens[i], i);
	}
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN, 0));
}

TEST_F_TIMEOUT(stream, byte_by_byte, 200)
{
	struct writer w = { .fd = self->fds[A], .total = 20000, .part = 1, .record = 4 };

	ASSERT_TRUE(writer_start(&w));
	receive(_metadata, self->fds[B], w.total, 4);
	writer_end(_metadata, &w);
}

TEST_F_TIMEOUT(stream, bulk, 200)
{
	struct writer w = { .fd = self->fds[A], .total = 16 * MIB + 7, .part = 300000 };

	ASSERT_TRUE(writer_start(&w));
	receive(_metadata, self->fds[B], w.total, 0);
	writer_end(_metadata, &w);
}

TEST_F_TIMEOUT(stream, with_a_small_send_buffer, 200)
{
	struct writer w = { .fd = self->fds[A], .total = 50000, .part = 777, .record = 2 };

	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUF, &(int){ 1 }, sizeof(int)));
	ASSERT_TRUE(writer_start(&w));
	receive(_metadata, self->fds[B], w.total, 2);
	writer_end(_metadata, &w);
}

TEST_F_TIMEOUT(stream, random_parts_both_ways, 200)
{
	unsigned int seed = getenv("SEED") ? strtoul(getenv("SEED"), NULL, 0) :
					     (unsigned long)time(NULL);
	struct writer w[2];
	int side;

	TH_LOG("SEED=%u", seed);
	for (side = A; side <= B; side++) {
		w[side] = (struct writer) {
			.fd = self->fds[side], .total = 2 * MIB, .part = 20000,
			.seed = seed + side + 1, .record = side,
		};
		ASSERT_TRUE(writer_start(&w[side]));
	}
	for (side = A; side <= B; side++)
		receive(_metadata, self->fds[!side], w[side].total, side);
	for (side = A; side <= B; side++)
		writer_end(_metadata, &w[side]);
}

TEST_F(stream, before_and_after_records)
{
	fill(self->buf, 1000, 1, 0);
	ASSERT_EQ(10, send(self->fds[A], self->buf, 10, MSG_DONTWAIT));
	ASSERT_EQ(600, send(self->fds[A], self->buf, 600, MSG_MORE | MSG_DONTWAIT));
	ASSERT_EQ(400, send(self->fds[A], self->buf + 600, 400, MSG_DONTWAIT));
	ASSERT_EQ(20, send(self->fds[A], self->buf, 20, MSG_DONTWAIT));
	EXPECT_EQ(10, recv_record(self->fds[B], self->buf + 2000, 1000));
	receive(_metadata, self->fds[B], 1000, 1);
	EXPECT_EQ(20, recv_record(self->fds[B], self->buf + 2000, 1000));
}

TEST_F_TIMEOUT(stream, at_once, 120)
{
	size_t sent = 0, got = 0;
	bool last;
	ssize_t n;

	/* Nobody reads: no more is accepted once the operations in flight have arrived. */
	do {
		fill(self->buf, 10000, 6, sent);
		n = send(self->fds[A], self->buf, 10000, MSG_MORE | MSG_DONTWAIT);
		if (n < 0) {
			ASSERT_EQ(EAGAIN, errno);
			continue;
		}
		sent += n;
		ASSERT_GT(64 * MIB, sent);
	} while (n > 0 || poll_for(self->fds[A], POLLOUT, 0));
	EXPECT_LT(10000, sent);
	while (got < sent) {
		n = recv_part(self->fds[B], self->buf, sent - got, MSG_DONTWAIT, &last);
		if (n < 0) {
			ASSERT_EQ(EAGAIN, errno);
			ASSERT_EQ(POLLIN, poll_for(self->fds[B], POLLIN, SOON_MS));
			continue;
		}
		ASSERT_FALSE(last);
		ASSERT_TRUE(is_filled(self->buf, n, 6, got));
		got += n;
	}
	EXPECT_EQ(POLLOUT, poll_for(self->fds[A], POLLOUT, SOON_MS) & POLLOUT);
	ASSERT_EQ(0, send(self->fds[A], self->buf, 0, 0));
	EXPECT_EQ(0, recv_part(self->fds[B], self->buf, 1, 0, &last));
	EXPECT_TRUE(last);
}

/* Streams of two calls each: every other call ends one, whichever thread started it. */
static void *write_streams(void *arg)
{
	struct writer *w = arg;
	char bytes[4096] = "";
	bool more = true;
	ssize_t n;

	for (; w->sent < w->total && !w->error; more = !more) {
		n = send(w->fd, bytes, w->part, (more ? MSG_MORE : 0) | MSG_NOSIGNAL);
		w->error = n < 0 ? errno : 0;
		w->sent += n < 0 ? 0 : n;
	}
	return NULL;
}

/* Two threads on a socket with little room: neither is told to try again. */
TEST_F_TIMEOUT(stream, of_two_threads, 120)
{
	enum { THREADS = 2, PART = 3000, PARTS = 1000 };
	struct writer w[THREADS];
	size_t got = 0;
	unsigned int i;
	int least = 1;
	bool last;
	ssize_t n;

	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUF, &least, sizeof(least)));
	for (i = 0; i < THREADS; i++) {
		w[i] = (struct writer){ .fd = self->fds[A], .total = PART * PARTS, .part = PART };
		ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, write_streams, &w[i]));
	}
	for (; got < THREADS * PART * PARTS; got += n) {
		n = recv_part(self->fds[B], self->buf, MIB, 0, &last);
		ASSERT_LE(0, n);
		ASSERT_EQ(0, w[0].error | w[1].error);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(w[i].thread, NULL);
}

/* A call that waits for room, and for its turn, learns that the stream was ended. */
TEST_F_TIMEOUT(stream, ended_by_another_thread, 60)
{
	struct st_end end = { .what = ST_END_SEND };
	struct job jobs[2] = {
		{ .fd = self->fds[A], .buf = self->buf, .len = MIB },
		{ .fd = self->fds[A], .buf = self->buf, .len = 1 },
	};
	int least = 1;
	bool last;

	ASSERT_EQ(0, setsockopt(self->fds[A], SOL_SOCKET, SO_SNDBUF, &least, sizeof(least)));
	/* Nobody reads: no more is accepted once the operations in flight have arrived. */
	do {
		while (send(self->fds[A], self->buf, 10000, MSG_MORE | MSG_DONTWAIT) > 0)
			;
		ASSERT_EQ(EAGAIN, errno);
		poll_for(self->fds[A], POLLOUT, BRIEF_MS);
	} while (send(self->fds[A], self->buf, 10000, MSG_MORE | MSG_DONTWAIT) > 0);
	ASSERT_TRUE(job_start(&jobs[0]) && job_asleep(&jobs[0]));
	ASSERT_TRUE(job_start(&jobs[1]) && job_asleep(&jobs[1]));
	ASSERT_EQ(0, send_ctl(self->fds[A], NULL, 0, 0, ST_END, &end, sizeof(end)));
	ASSERT_TRUE(job_ends(&jobs[0]));
	EXPECT_EQ(-1, jobs[0].result);
	EXPECT_EQ(ECANCELED, jobs[0].error);
	/* The other thread opens a new stream.  The ended one is complete for the peer,
	 * since it ends between two Blocks, ST 6.1.1.4.
	 */
	while (recv_part(self->fds[B], self->buf, MIB, 0, &last) > 0 && !last)
		;
	EXPECT_EQ(1, recv_record(self->fds[B], self->buf, MIB));
	job_end(&jobs[1]);
	EXPECT_EQ(1, jobs[1].result);
}

TEST_F(stream, sender_goes)
{
	bool last;

	fill(self->buf, 100, 1, 0);
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_MORE));
	ASSERT_EQ(100, recv_part(self->fds[B], self->buf, 200, 0, &last));
	EXPECT_FALSE(last);
	ASSERT_EQ(60, send(self->fds[A], self->buf, 60, MSG_MORE));
	ASSERT_EQ(60, send(self->fds[A], self->buf, 60, MSG_MORE));
	ASSERT_EQ(100, recv_part(self->fds[B], self->buf, 100, MSG_WAITALL, &last));
	ASSERT_EQ(20, recv_part(self->fds[B], self->buf, 100, 0, &last));
	close(self->fds[A]);
	/* A stream does not end in this way. */
	EXPECT_ERRNO(ECONNRESET, recv(self->fds[B], self->buf, 1, 0));
}

TEST_F(stream, receiver_goes)
{
	ASSERT_EQ(100, send(self->fds[A], self->buf, 100, MSG_MORE));
	close(self->fds[B]);
	ASSERT_NE(0, poll_for(self->fds[A], POLLHUP, SOON_MS));
	EXPECT_EQ(-1, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
	EXPECT_ERRNO(EPIPE, send(self->fds[A], self->buf, 100, MSG_NOSIGNAL));
}

TEST_F(stream, refused)
{
	int refuse = ST_WRITES_REFUSE, take = ST_WRITES_TAKE;
	long long end = now_ms() + SOON_MS;
	ssize_t n;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_WRITES, &refuse, sizeof(refuse)));
	/* A call that continues the stream fails, as there is none. */
	do {
		n = send(self->fds[A], self->buf, 100, MSG_MORE);
	} while (n == 100 && now_ms() < end);
	EXPECT_EQ(-1, n);
	EXPECT_EQ(EREMOTEIO, errno);
	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_WRITES, &take, sizeof(take)));
	fill(self->buf, 100, 1, 0);
	EXPECT_EQ(100, send(self->fds[A], self->buf, 100, MSG_MORE));
	EXPECT_EQ(0, send(self->fds[A], self->buf, 0, MSG_DONTWAIT));
	receive(_metadata, self->fds[B], 100, 1);
}

TEST_F(stream, answers_an_unlimited_read)
{
	int serve = ST_SERVE_READS;
	struct st_event event;

	ASSERT_EQ(0, setsockopt(self->fds[B], SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	ASSERT_EQ(0, read_ask(self->fds[A], 0, 5, 1));
	ASSERT_TRUE(next_event(self->fds[B], &event, SOON_MS));
	EXPECT_EQ(0, event.len);
	fill(self->buf, 30000, 8, 0);
	ASSERT_EQ(10000, read_answer(self->fds[B], event.id, self->buf, 10000, MSG_MORE));
	ASSERT_EQ(20000, send(self->fds[B], self->buf + 10000, 20000, MSG_DONTWAIT));
	receive(_metadata, self->fds[A], 30000, 8);
}

TEST_F_TIMEOUT(stream, over_a_bad_cable, 300)
{
	struct writer w[2];
	int side;

	for (side = A; side <= B; side++) {
		ASSERT_TRUE(sysctl_set(side, "max_retry", 255));
		ASSERT_TRUE(sysctl_set(side, "op_timeout_ms", 500));
		ASSERT_TRUE(fault_set(side, "tx_ber", "1e-5"));
	}
	for (side = A; side <= B; side++) {
		w[side] = (struct writer) {
			.fd = self->fds[side], .total = MIB, .part = 30000, .seed = 1,
			.record = side,
		};
		ASSERT_TRUE(writer_start(&w[side]));
	}
	for (side = A; side <= B; side++)
		receive(_metadata, self->fds[!side], w[side].total, side);
	for (side = A; side <= B; side++)
		writer_end(_metadata, &w[side]);
}

static void *pull(void *arg)
{
	bool *ok = arg;
	int i;

	*ok = true;
	for (i = 0; i < 3 && *ok; i++) {
		usleep(300000);
		*ok = fault_set(0, "unplug", "1");
		usleep(300000);
		*ok &= fault_set(0, "unplug", "0");
	}
	return NULL;
}

TEST_F_TIMEOUT(stream, cable_pulled_and_put_back, 300)
{
	struct writer w = { .fd = self->fds[A], .total = 16 * MIB, .part = 30000, .record = 3 };
	pthread_t puller;
	bool ok;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(writer_start(&w));
	ASSERT_EQ(0, pthread_create(&puller, NULL, pull, &ok));
	receive(_metadata, self->fds[B], w.total, 3);
	writer_end(_metadata, &w);
	pthread_join(puller, NULL);
	EXPECT_TRUE(ok);
}

TEST_HARNESS_MAIN
