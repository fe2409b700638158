// SPDX-License-Identifier: GPL-2.0
/*
 * Reads: one side requests bytes, the other answers with them, or does not.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "ctl.h"

#define MIB	1048576UL
#define SLOTS	(2 * ST_READS_MAX + 2)	/* for ST_READS_MAX each way */

FIXTURE(read)
{
	int fds[2];
};

static bool serve(int fd, int what)
{
	return !setsockopt(fd, SOL_ST, ST_SERVE, &what, sizeof(what));
}

FIXTURE_SETUP(read)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(sysctl_set(A, "slots", SLOTS));
	ASSERT_TRUE(sysctl_set(B, "slots", SLOTS));
	ASSERT_TRUE(new_pair(self->fds));
	ASSERT_TRUE(serve(self->fds[B], ST_SERVE_READS));
}

FIXTURE_TEARDOWN(read)
{
	fault_set(0, "tx_ber", "0");
	fault_set(1, "tx_ber", "0");
	close(self->fds[A]);
	close(self->fds[B]);
}

/* The next event is a request for @len bytes; returns its id. */
static __u32 request(struct __test_metadata *_metadata, int fd, size_t len, unsigned int channel)
{
	struct st_event event = {};

	ASSERT_TRUE(next_event(fd, &event, SOON_MS)) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(ST_EVENT_READ_REQUEST, event.type);
	EXPECT_EQ(len, event.len);
	EXPECT_EQ(channel, event.value);
	EXPECT_NE(0, event.id);
	EXPECT_EQ(0, event.error);
	return event.id;
}

/* Receives the bytes of one Read, which are those of @record. */
static void receive(struct __test_metadata *_metadata, int fd, size_t len, __u64 token,
		    unsigned int record)
{
	char *buf = new_pages(len + 1);
	struct st_read_data data;
	size_t got = 0;
	bool found;
	int flags;
	ssize_t n;

	ASSERT_NE(NULL, buf);
	do {
		n = recv_ctl(fd, buf + got, len + 1 - got, 0, &flags, ST_READ_DATA, &data,
			     sizeof(data), &found);
		ASSERT_LE(0, n) TH_LOG("after %zu of %zu bytes: %s", got, len, strerror(errno));
		ASSERT_TRUE(found);
		ASSERT_EQ(token, data.token);
		ASSERT_EQ(len, data.len);
		got += n;
		ASSERT_GE(len, got);
	} while (!(flags & MSG_EOR));
	ASSERT_EQ(len, got);
	EXPECT_TRUE(is_filled(buf, len, record, 0));
	munmap(buf, len + 1);
}

/* A Read fails: in its place in the order, and by an event. */
static void fails(struct __test_metadata *_metadata, int fd, size_t len, __u64 token, int error)
{
	struct st_event event;
	char byte;

	EXPECT_ERRNO(error, recv(fd, &byte, 1, 0));
	ASSERT_TRUE(next_event(fd, &event, SOON_MS));
	EXPECT_EQ(ST_EVENT_READ_FAILED, event.type);
	EXPECT_EQ(error, event.error);
	EXPECT_EQ(len, event.len);
	EXPECT_EQ(token, event.token);
}

/**
 * struct server - a thread that answers Reads
 * @fd: socket
 * @count: how many
 * @answered: number of answered ones
 * @error: errno of the failed one, or 0
 * @thread: the thread
 *
 * A Read of n bytes is answered with record n.
 */
struct server {
	int		fd;
	unsigned int	count;
	unsigned int	answered;
	int		error;
	pthread_t	thread;
};

static void *server_run(void *arg)
{
	struct server *server = arg;
	struct st_event event;
	char *buf;
	bool ok;

	for (; server->answered < server->count; server->answered++) {
		if (!next_event(server->fd, &event, 20 * SOON_MS))
			break;
		errno = EPROTO;
		if (event.type != ST_EVENT_READ_REQUEST)
			break;
		buf = malloc(event.len);
		fill(buf, event.len, event.len, 0);
		ok = read_answer(server->fd, event.id, buf, event.len, 0) == (ssize_t)event.len;
		free(buf);
		if (!ok)
			break;
	}
	if (server->answered < server->count)
		server->error = errno;
	return NULL;
}

static bool server_start(struct server *server)
{
	server->answered = 0;
	server->error = 0;
	return !pthread_create(&server->thread, NULL, server_run, server);
}

static void server_end(struct __test_metadata *_metadata, struct server *server)
{
	pthread_join(server->thread, NULL);
	EXPECT_EQ(server->count, server->answered) TH_LOG("%s", strerror(server->error));
}

TEST_F(read, options)
{
	socklen_t len = sizeof(int);
	int value = -1;

	EXPECT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_SERVE, &value, &len));
	EXPECT_EQ(0, value);
	EXPECT_EQ(0, getsockopt(self->fds[B], SOL_ST, ST_SERVE, &value, &len));
	EXPECT_EQ(ST_SERVE_READS, value);
	value = ~0;
	EXPECT_ERRNO(EINVAL, setsockopt(self->fds[A], SOL_ST, ST_SERVE, &value, sizeof(value)));
}

TEST_F(read, wrong_calls)
{
	struct st_read_answer answer = { .id = 1, .flags = 2 };
	struct st_read read = { .len = 1 };
	int fd = self->fds[A];
	char byte = 0;

	EXPECT_ERRNO(EINVAL, send_ctl(fd, NULL, 0, 0, ST_READ, &read, sizeof(read) - 1));
	EXPECT_ERRNO(EINVAL, send_ctl(fd, NULL, 0, 0, ST_READ, &read, 0));
	EXPECT_ERRNO(EINVAL, send_ctl(fd, &byte, 1, 0, ST_READ, &read, sizeof(read)));
	EXPECT_ERRNO(EINVAL, send_ctl(fd, NULL, 0, 0, 999, &read, sizeof(read)));
	EXPECT_ERRNO(EINVAL, read_ask(fd, 1, 0, 4));
	EXPECT_ERRNO(EINVAL, read_ask(fd, (1ULL << 48) + 1, 0, 1));
	read.flags = 2;
	EXPECT_ERRNO(EINVAL, send_ctl(fd, NULL, 0, 0, ST_READ, &read, sizeof(read)));
	EXPECT_ERRNO(EINVAL, send_ctl(fd, NULL, 0, 0, ST_READ_ANSWER, &answer, sizeof(answer)));
	EXPECT_ERRNO(ENOENT, read_answer(fd, 1, &byte, 1, 0));
	EXPECT_ERRNO(ENOENT, read_refuse(fd, 1));
}

TEST_F_TIMEOUT(read, of_many_lengths, 120)
{
	static const size_t lens[] = {
		1, 2, 255, 256, 4095, 4096, 4097, 16383, 16384, 16385, 131071, 131072, 131073,
		1000000, 1048576,
	};
	struct server server = { .fd = self->fds[B], .count = ARRAY_SIZE(lens) };
	size_t i;

	ASSERT_TRUE(server_start(&server));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_EQ(0, read_ask(self->fds[A], lens[i], i, 0));
		receive(_metadata, self->fds[A], lens[i], i, lens[i]);
	}
	server_end(_metadata, &server);
}

TEST_F_TIMEOUT(read, into_the_pages_of_the_reader, 120)
{
	struct server server = { .fd = self->fds[B], .count = 1 };
	struct st_info info;
	socklen_t len = sizeof(info);

	ASSERT_EQ(0, read_ask(self->fds[A], 8 * MIB, 5, 1));
	ASSERT_TRUE(server_start(&server));
	receive(_metadata, self->fds[A], 8 * MIB, 5, 8 * MIB);
	server_end(_metadata, &server);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &info, &len));
	EXPECT_EQ(8 * MIB, info.rx_bytes);
	EXPECT_LT(0, info.rx_direct);
}

TEST_F_TIMEOUT(read, on_every_data_channel, 120)
{
	char buf[5000];
	unsigned int i;
	__u32 id;

	for (i = 1; i <= 3; i++) {
		fill(buf, sizeof(buf), i, 0);
		ASSERT_EQ(0, read_ask(self->fds[A], sizeof(buf), i, i));
		id = request(_metadata, self->fds[B], sizeof(buf), i);
		ASSERT_EQ((ssize_t)sizeof(buf), read_answer(self->fds[B], id, buf, sizeof(buf),
							    MSG_DONTWAIT));
		receive(_metadata, self->fds[A], sizeof(buf), i, i);
	}
}

TEST_F(read, nobody_serves)
{
	char buf[10];

	ASSERT_TRUE(serve(self->fds[B], 0));
	ASSERT_EQ(0, read_ask(self->fds[A], 100, 42, 1));
	fails(_metadata, self->fds[A], 100, 42, EREMOTEIO);
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, 0));

	/* The connection is as good as before. */
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_DONTWAIT));
	EXPECT_EQ(1, recv_record(self->fds[B], buf, sizeof(buf)));
	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN | POLLPRI, 0));
}

TEST_F(read, refused)
{
	__u32 id;

	ASSERT_EQ(0, read_ask(self->fds[A], 100, 43, 1));
	id = request(_metadata, self->fds[B], 100, 1);
	EXPECT_EQ(0, read_refuse(self->fds[B], id));
	EXPECT_ERRNO(ENOENT, read_refuse(self->fds[B], id));
	fails(_metadata, self->fds[A], 100, 43, EREMOTEIO);
}

TEST_F(read, answered_once_and_in_full)
{
	char buf[101];
	__u32 id;

	fill(buf, sizeof(buf), 1, 0);
	ASSERT_EQ(0, read_ask(self->fds[A], 100, 44, 1));
	id = request(_metadata, self->fds[B], 100, 1);
	EXPECT_ERRNO(EMSGSIZE, read_answer(self->fds[B], id, buf, 99, MSG_DONTWAIT));
	EXPECT_ERRNO(EMSGSIZE, read_answer(self->fds[B], id, buf, 101, MSG_DONTWAIT));
	EXPECT_ERRNO(ENOENT, read_answer(self->fds[B], id + 1, buf, 100, MSG_DONTWAIT));
	EXPECT_EQ(100, read_answer(self->fds[B], id, buf, 100, MSG_DONTWAIT));
	EXPECT_ERRNO(ENOENT, read_answer(self->fds[B], id, buf, 100, MSG_DONTWAIT));
	receive(_metadata, self->fds[A], 100, 44, 1);
}

TEST_F_TIMEOUT(read, the_peer_takes_its_time, 60)
{
	struct st_info before, after;
	socklen_t len = sizeof(before);
	char buf[100];
	__u32 id;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 50));
	fill(buf, sizeof(buf), 2, 0);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &before, &len));
	ASSERT_EQ(0, read_ask(self->fds[A], sizeof(buf), 1, 1));
	id = request(_metadata, self->fds[B], sizeof(buf), 1);
	/* Twenty Op_timeouts: the Request_Answer has stopped the repetitions. */
	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN, 1000));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, 0));
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &after, &len));
	EXPECT_GE(before.op_retries + 5, after.op_retries);
	/* After some seconds it repeats the request; that is not a second Read. */
	EXPECT_EQ(0, poll_for(self->fds[A], POLLIN, 6000));
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, 0));
	ASSERT_EQ((ssize_t)sizeof(buf), read_answer(self->fds[B], id, buf, sizeof(buf), 0));
	receive(_metadata, self->fds[A], sizeof(buf), 1, 2);
}

/* Until another call has received one of the open Reads */
TEST_F_TIMEOUT(read, waits_for_room, 60)
{
	__u32 ids[ST_READS_MAX + 1];
	pid_t child;
	int i, status;
	char byte;

	for (i = 0; i < ST_READS_MAX; i++) {
		ASSERT_EQ(0, read_ask(self->fds[A], 1, i, 1));
		ids[i] = request(_metadata, self->fds[B], 1, 1);
	}
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, BRIEF_MS));
	EXPECT_ERRNO(EAGAIN, read_ask(self->fds[A], 1, i, 1));
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, 0));
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		_exit(read_ask(self->fds[A], 1, i, 1) ? errno : 0);
	EXPECT_EQ(0, poll_for(self->fds[B], POLLPRI, BRIEF_MS));
	EXPECT_EQ(0, waitpid(child, &status, WNOHANG));
	for (i = 0; i <= ST_READS_MAX; i++) {
		fill(&byte, 1, i, 0);
		ASSERT_EQ(1, read_answer(self->fds[B], ids[i], &byte, 1, MSG_DONTWAIT));
		receive(_metadata, self->fds[A], 1, i, i);
		if (!i)
			ids[ST_READS_MAX] = request(_metadata, self->fds[B], 1, 1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

/*
 * The maximum number of Reads in each direction, none of which is answered before all have
 * arrived.
 */
static void both_ways(struct __test_metadata *_metadata, int fds[2], int reads)
{
	__u32 ids[2][ST_READS_MAX];
	char buf[1000];
	int side, i;

	for (i = 0; i < reads; i++)
		for (side = A; side <= B; side++)
			ASSERT_EQ(0, read_ask(fds[side], 500 + i, i, 1));
	for (side = A; side <= B; side++) {
		ASSERT_TRUE(set_timeout(fds[side], SO_SNDTIMEO, BRIEF_MS));
		EXPECT_ERRNO(EAGAIN, read_ask(fds[side], 1, 99, 1));
		for (i = 0; i < reads; i++)
			ids[side][i] = request(_metadata, fds[side], 500 + i, 1);
	}
	/* Each side answers in its own order: the last one first. */
	for (i = reads - 1; i >= 0; i--) {
		for (side = A; side <= B; side++) {
			fill(buf, 500 + i, i, 0);
			ASSERT_EQ(500 + i, read_answer(fds[side], ids[side][i], buf, 500 + i,
						       MSG_DONTWAIT));
		}
	}
	for (i = reads - 1; i >= 0; i--)
		for (side = A; side <= B; side++)
			receive(_metadata, fds[side], 500 + i, i, i);
}

TEST_F_TIMEOUT(read, many_at_once_both_ways, 120)
{
	ASSERT_TRUE(serve(self->fds[A], ST_SERVE_READS));
	both_ways(_metadata, self->fds, ST_READS_MAX);
	ASSERT_EQ(0, read_ask(self->fds[A], 1, 99, 1));
}

/* With so few Slots that these limit the Reads */
TEST_F_TIMEOUT(read, both_ways_with_few_slots, 120)
{
	int fds[2], i;

	ASSERT_TRUE(sysctl_set(A, "slots", 10));
	ASSERT_TRUE(sysctl_set(B, "slots", 10));
	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(serve(fds[A], ST_SERVE_READS));
	ASSERT_TRUE(serve(fds[B], ST_SERVE_READS));
	/* Repeatedly: the number of Slots known to be left matters */
	for (i = 0; i < 20; i++)
		both_ways(_metadata, fds, 4);
	close(fds[A]);
	close(fds[B]);
}

TEST_F_TIMEOUT(read, between_writes, 60)
{
	char buf[1000];
	__u32 id;

	fill(buf, sizeof(buf), 1, 0);
	ASSERT_EQ(0, read_ask(self->fds[A], 300, 7, 1));
	id = request(_metadata, self->fds[B], 300, 1);
	ASSERT_EQ(10, send(self->fds[B], buf, 10, MSG_DONTWAIT));
	ASSERT_EQ(300, read_answer(self->fds[B], id, buf, 300, MSG_DONTWAIT));
	ASSERT_EQ(20, send(self->fds[B], buf, 20, MSG_DONTWAIT));
	EXPECT_EQ(10, recv_record(self->fds[A], buf + 500, 500));
	receive(_metadata, self->fds[A], 300, 7, 1);
	EXPECT_EQ(20, recv_record(self->fds[A], buf + 500, 500));
	/* A Write succeeds while a Read is open. */
	ASSERT_EQ(0, read_ask(self->fds[A], 300, 8, 1));
	id = request(_metadata, self->fds[B], 300, 1);
	ASSERT_EQ(1000, send(self->fds[A], buf, 1000, MSG_DONTWAIT));
	EXPECT_EQ(1000, recv_record(self->fds[B], buf, sizeof(buf)));
	EXPECT_EQ(0, read_refuse(self->fds[B], id));
	fails(_metadata, self->fds[A], 300, 8, EREMOTEIO);
}

TEST_F_TIMEOUT(read, given_up_in_the_middle, 60)
{
	struct job answer = { .fd = self->fds[B], .len = 4 * MIB };
	char *part = malloc(MIB);
	struct st_read_data data;
	size_t got = 0;
	bool found;
	int flags;
	ssize_t n;

	ASSERT_TRUE(set_timeout(self->fds[B], SO_SNDTIMEO, SOON_MS / 5));
	answer.buf = new_pages(answer.len);
	fill(answer.buf, answer.len, 3, 0);
	ASSERT_EQ(0, read_ask(self->fds[A], answer.len, 12, 1));
	answer.answers = request(_metadata, self->fds[B], answer.len, 1);
	ASSERT_TRUE(job_start(&answer));
	n = recv_ctl(self->fds[A], part, 1000, 0, &flags, ST_READ_DATA, &data, sizeof(data),
		     &found);
	ASSERT_EQ(1000, n);
	EXPECT_TRUE(is_filled(part, n, 3, 0));
	job_end(&answer);
	EXPECT_EQ(-1, answer.result);
	EXPECT_EQ(ETIME, answer.error);
	/* Received bytes are still available, then the error. */
	for (got = n; (n = recv(self->fds[A], part, MIB, 0)) > 0; got += n)
		ASSERT_TRUE(is_filled(part, n, 3, got));
	EXPECT_EQ(EREMOTEIO, errno);
	EXPECT_GT(answer.len, got);
	ASSERT_TRUE(next_event(self->fds[A], &(struct st_event){}, SOON_MS));
	ASSERT_EQ(0, read_ask(self->fds[A], 1, 13, 1));
	request(_metadata, self->fds[B], 1, 1);
}

TEST_F(read, the_peer_goes)
{
	ASSERT_EQ(0, read_ask(self->fds[A], 100, 20, 1));
	ASSERT_EQ(0, read_ask(self->fds[A], 200, 21, 1));
	request(_metadata, self->fds[B], 100, 1);
	close(self->fds[B]);
	fails(_metadata, self->fds[A], 100, 20, ECONNRESET);
	fails(_metadata, self->fds[A], 200, 21, ECONNRESET);
	EXPECT_EQ(0, recv(self->fds[A], &(char){ 0 }, 1, 0));
	EXPECT_ERRNO(EPIPE, read_ask(self->fds[A], 100, 22, 1));
}

TEST_F(read, the_asker_goes)
{
	char buf[100];
	__u32 id;

	ASSERT_EQ(0, read_ask(self->fds[A], 100, 20, 1));
	id = request(_metadata, self->fds[B], 100, 1);
	close(self->fds[A]);
	EXPECT_EQ(0, recv(self->fds[B], buf, 1, 0));
	EXPECT_ERRNO(EPIPE, read_answer(self->fds[B], id, buf, 100, 0));
	EXPECT_ERRNO(EPIPE, read_refuse(self->fds[B], id));
}

TEST_F_TIMEOUT(read, over_a_bad_cable, 300)
{
	struct server servers[2];
	size_t len;
	int side, i;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(serve(self->fds[A], ST_SERVE_READS));
	ASSERT_TRUE(fault_set(0, "tx_ber", "1e-5"));
	ASSERT_TRUE(fault_set(1, "tx_ber", "1e-5"));
	for (side = A; side <= B; side++) {
		servers[side] = (struct server) { .fd = self->fds[side], .count = 40 };
		ASSERT_TRUE(server_start(&servers[side]));
	}
	for (i = 0; i < 40; i += 8) {
		for (len = i; len < (size_t)i + 8; len++)
			for (side = A; side <= B; side++)
				ASSERT_EQ(0, read_ask(self->fds[side], 1 + 1000 * len, len, 1));
		for (len = i; len < (size_t)i + 8; len++)
			for (side = A; side <= B; side++)
				receive(_metadata, self->fds[side], 1 + 1000 * len, len,
					1 + 1000 * len);
	}
	for (side = A; side <= B; side++)
		server_end(_metadata, &servers[side]);
	/* None was executed twice. */
	for (side = A; side <= B; side++)
		EXPECT_EQ(0, poll_for(self->fds[side], POLLIN | POLLPRI, 0));
}

TEST_HARNESS_MAIN
