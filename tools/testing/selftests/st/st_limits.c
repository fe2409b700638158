// SPDX-License-Identifier: GPL-2.0
/*
 * Resource limits of AF_ST connections: per peer, per network namespace, per
 * user.  A third host, in the network namespace c, gets the resources that it
 * needs while host a takes as many as possible.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "cgroup.h"
#include "common.h"
#include "counters.h"
#include "region.h"

#define LIMIT_MS	20000

static bool wait_dropped(int side, int attr, long long least)
{
	long long end = now_ms() + LIMIT_MS;

	while (dropped(side, attr) < least) {
		if (now_ms() > end)
			return false;
		usleep(10000);
	}
	return true;
}

/* A connection of the third host, accepted by a separate listener of B. */
static bool third_pair(int listener, int fds[2])
{
	struct sockaddr_st to = address(B, port_of(listener));
	int ns = open("/run/netns/c", O_RDONLY | O_CLOEXEC);

	if (ns < 0 || setns(ns, CLONE_NEWNET))
		return false;
	close(ns);
	fds[A] = socket(AF_ST, SOCK_SEQPACKET, 0);
	if (fds[A] < 0 || connect_to(fds[A], &to))
		return false;
	fds[B] = accept(listener, NULL, NULL);
	return fds[B] >= 0;
}

static void expect_works(struct __test_metadata *_metadata, int fds[2], char *buf, size_t len)
{
	struct job sender = { .fd = fds[A], .buf = buf, .len = len };
	char *got = malloc(len);

	fill(buf, len, 5, 0);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ((ssize_t)len, recv_record(fds[B], got, len));
	EXPECT_TRUE(is_filled(got, len, 5, 0));
	job_end(&sender);
	EXPECT_EQ((ssize_t)len, sender.result);
	free(got);
}

FIXTURE(limits)
{
	int listener;
	char *buf;
};

FIXTURE_SETUP(limits)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(no_sockets(LIMIT_MS));
	self->listener = new_listener(B, 64);
	ASSERT_LE(0, self->listener);
	self->buf = new_pages(1 << 20);
	ASSERT_NE(NULL, self->buf);
}

FIXTURE_TEARDOWN(limits)
{
	close(self->listener);
}

TEST_F_TIMEOUT(limits, connections_of_peer, 60)
{
	enum { MOST = 10 };
	struct sockaddr_st to = address(A, 2000);
	long long refused = dropped(B, ST_A_DROPS_TOO_MANY_CONNECTIONS_OF_PEER), end;
	int fd[MOST], accepted[MOST], third[2], i;

	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(B, "max_connections_peer", MOST));
	for (i = 0; i < MOST; i++) {
		fd[i] = open_connection(A, self->listener);
		ASSERT_LE(0, fd[i]) TH_LOG("connection %d: %s", i, strerror(errno));
		accepted[i] = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, accepted[i]);
	}
	EXPECT_ERRNO(ECONNREFUSED, open_connection(A, self->listener));
	EXPECT_EQ(refused + 1, dropped(B, ST_A_DROPS_TOO_MANY_CONNECTIONS_OF_PEER));
	/* In the other direction it is the same. */
	i = new_socket(B, 0);
	EXPECT_ERRNO(ENOBUFS, connect_to(i, &to));
	close(i);
	EXPECT_EQ(refused + 2, dropped(B, ST_A_DROPS_TOO_MANY_CONNECTIONS_OF_PEER));

	ASSERT_TRUE(third_pair(self->listener, third));
	expect_works(_metadata, third, self->buf, 1000);

	/* A connection that has ended and is released makes room. */
	close(fd[0]);
	close(accepted[0]);
	end = now_ms() + LIMIT_MS;
	while ((fd[0] = open_connection(A, self->listener)) < 0 && now_ms() < end)
		EXPECT_EQ(ECONNREFUSED, errno);
	EXPECT_LE(0, fd[0]);
}

TEST_F_TIMEOUT(limits, connections_of_namespace, 60)
{
	enum { MOST = 5 };
	long long refused = dropped(B, ST_A_DROPS_TOO_MANY_CONNECTIONS);
	int i, fd;

	ASSERT_TRUE(sysctl_set(B, "max_connections", MOST));
	for (i = 0; i < MOST; i++) {
		fd = open_connection(A, self->listener);
		ASSERT_LE(0, fd) TH_LOG("connection %d: %s", i, strerror(errno));
	}
	EXPECT_ERRNO(ECONNREFUSED, open_connection(A, self->listener));
	EXPECT_EQ(refused + 1, dropped(B, ST_A_DROPS_TOO_MANY_CONNECTIONS));
	/* Nobody's connection suffers. */
	fd = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, fd);
	EXPECT_EQ(1, send(fd, "x", 1, MSG_NOSIGNAL));
	ASSERT_TRUE(sysctl_set(B, "max_connections", MOST + 1));
	EXPECT_LE(0, open_connection(A, self->listener));
}

/* Returns the maximum number of connections of A; errno is that of the next. */
static int connect_all(int listener, int most)
{
	struct sockaddr_st to = address(B, port_of(listener));
	int n, fd;

	for (n = 0; n < most; n++) {
		fd = socket(AF_ST, SOCK_SEQPACKET, 0);
		if (fd < 0 || connect_to(fd, &to))
			break;
	}
	return n;
}

/* Unprivileged users have to leave an eighth. */
TEST_F_TIMEOUT(limits, reserve_of_connections, 60)
{
	enum { MOST = 16 };

	ASSERT_TRUE(sysctl_set(A, "max_connections", MOST));
	ASSERT_TRUE(enter(A));
	ASSERT_EQ(0, seteuid(NOBODY));
	EXPECT_EQ(MOST - MOST / 8, connect_all(self->listener, MOST));
	EXPECT_EQ(ENOBUFS, errno);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(MOST / 8, connect_all(self->listener, MOST));
	EXPECT_EQ(ENOBUFS, errno);
}

/* And so do connections to them. */
TEST_F_TIMEOUT(limits, reserve_of_listeners, 60)
{
	enum { MOST = 16 };
	int listener = new_socket(B, 0);

	ASSERT_TRUE(sysctl_set(B, "max_connections", MOST));
	ASSERT_EQ(0, seteuid(NOBODY));
	EXPECT_EQ(0, listen(listener, MOST));
	ASSERT_EQ(0, seteuid(0));
	ASSERT_TRUE(enter(A));
	EXPECT_EQ(MOST - MOST / 8, connect_all(listener, MOST));
	EXPECT_EQ(ECONNREFUSED, errno);
	EXPECT_EQ(MOST / 8, connect_all(self->listener, MOST));
	EXPECT_EQ(ECONNREFUSED, errno);
}

/* Returns the maximum number of regions; errno is that of the next. */
static int expose_all(int fd, char *buf, int most)
{
	int n;

	for (n = 0; n < most; n++)
		if (region_expose(fd, buf, 100, ST_REGION_PUT) < 0)
			break;
	return n;
}

TEST_F(limits, reserve_of_regions)
{
	enum { MOST = 8, BYTES = 800 };
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(sysctl_set(B, "max_regions", MOST));
	ASSERT_EQ(0, seteuid(NOBODY));
	EXPECT_EQ(MOST - MOST / 8, expose_all(fds[B], self->buf, MOST));
	EXPECT_EQ(ENOBUFS, errno);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(MOST / 8, expose_all(fds[B], self->buf, MOST));
	EXPECT_EQ(ENOBUFS, errno);
	close(fds[B]);

	/* And of their bytes */
	ASSERT_TRUE(new_pair(fds));
	ASSERT_TRUE(sysctl_set(B, "max_regions", 100));
	ASSERT_TRUE(sysctl_set(B, "max_region_bytes", BYTES));
	ASSERT_EQ(0, seteuid(NOBODY));
	EXPECT_EQ((BYTES - BYTES / 8) / 100, expose_all(fds[B], self->buf, MOST));
	EXPECT_EQ(ENOBUFS, errno);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(1, expose_all(fds[B], self->buf, MOST));
	EXPECT_EQ(ENOBUFS, errno);
}

TEST_F_TIMEOUT(limits, memory_of_peer, 120)
{
	enum { PAIRS = 4, RECORDS = 3, LEN = 60000 };
	long long refused = dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER);
	int fds[PAIRS][2], third[2], i, n;

	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(B, "max_memory_peer", 131072));
	for (i = 0; i < PAIRS; i++) {
		fds[i][A] = open_connection(A, self->listener);
		ASSERT_LE(0, fds[i][A]);
		fds[i][B] = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, fds[i][B]);
	}
	ASSERT_TRUE(third_pair(self->listener, third));
	for (i = 0; i < PAIRS; i++) {
		for (n = 0; n < RECORDS; n++) {
			fill(self->buf, LEN, n, i);
			ASSERT_EQ(LEN, send(fds[i][A], self->buf, LEN,
					    MSG_DONTWAIT | MSG_NOSIGNAL));
		}
	}
	ASSERT_TRUE(wait_dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER, refused + 1));
	expect_works(_metadata, third, self->buf, 100000);
	expect_works(_metadata, third, self->buf, 1000);

	/* All records of the greedy host are complete when they are read. */
	for (i = 0; i < PAIRS; i++) {
		for (n = 0; n < RECORDS; n++) {
			ASSERT_EQ(LEN, recv_record(fds[i][B], self->buf, LEN));
			ASSERT_TRUE(is_filled(self->buf, LEN, n, i));
		}
	}
}

/* Of several peers together; the peers may have more. */
TEST_F_TIMEOUT(limits, memory_of_namespace, 120)
{
	enum { PAIRS = 2, RECORDS = 2, LEN = 60000 };
	long long refused = dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY);
	long long refused_peer = dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER);
	int fds[PAIRS][2], i, n;

	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(B, "max_memory", 131072));
	fds[0][A] = open_connection(A, self->listener);
	ASSERT_LE(0, fds[0][A]);
	fds[0][B] = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, fds[0][B]);
	ASSERT_TRUE(third_pair(self->listener, fds[1]));
	for (i = 0; i < PAIRS; i++) {
		for (n = 0; n < RECORDS; n++) {
			fill(self->buf, LEN, n, i);
			ASSERT_EQ(LEN, send(fds[i][A], self->buf, LEN,
					    MSG_DONTWAIT | MSG_NOSIGNAL));
		}
	}
	ASSERT_TRUE(wait_dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY, refused + 1));
	EXPECT_EQ(refused_peer, dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER));
	for (i = 0; i < PAIRS; i++) {
		for (n = 0; n < RECORDS; n++) {
			ASSERT_EQ(LEN, recv_record(fds[i][B], self->buf, LEN));
			ASSERT_TRUE(is_filled(self->buf, LEN, n, i));
		}
	}
}

/* The record arrives, or has to wait for memory.  Returns false if neither holds. */
static bool arrives_or_waits(int fd, long long refused)
{
	long long end = now_ms() + LIMIT_MS;

	while (!get_info(fd).tx_transfers && dropped(B, ST_A_DROPS_NO_MEMORY) == refused) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* Received data is charged to the cgroup in which the listener was created. */
TEST_F_TIMEOUT(limits, memory_of_cgroup, 120)
{
	/* The kernel charges in batches for each CPU, of which there are few */
	enum { PAIRS = 32, MORE = 24, LEN = 100000, SLACK = 1 << 20 };
	int listener = cgroup_listener(B, 64), fds[PAIRS + MORE][2], sent = PAIRS, i;
	long long before, refused;

	ASSERT_LE(0, listener) TH_LOG("no memory cgroup: %s", strerror(errno));
	for (i = 0; i < PAIRS + MORE; i++) {
		fds[i][A] = open_connection(A, listener);
		ASSERT_LE(0, fds[i][A]);
		fds[i][B] = accept(listener, NULL, NULL);
		ASSERT_LE(0, fds[i][B]);
	}
	before = cgroup_bytes();
	ASSERT_LE(0, before);
	for (i = 0; i < PAIRS; i++) {
		fill(self->buf, LEN, i, 0);
		ASSERT_EQ(LEN, send(fds[i][A], self->buf, LEN, MSG_NOSIGNAL));
	}
	EXPECT_LT(before + PAIRS * LEN - SLACK, cgroup_bytes());

	/* At its limit, Blocks wait. */
	refused = dropped(B, ST_A_DROPS_NO_MEMORY);
	ASSERT_TRUE(cgroup_limit(cgroup_bytes()));
	while (dropped(B, ST_A_DROPS_NO_MEMORY) == refused) {
		ASSERT_GT(PAIRS + MORE, sent);
		fill(self->buf, LEN, sent, 0);
		ASSERT_EQ(LEN, send(fds[sent][A], self->buf, LEN, MSG_DONTWAIT | MSG_NOSIGNAL));
		ASSERT_TRUE(arrives_or_waits(fds[sent++][A], refused));
	}
	ASSERT_TRUE(cgroup_limit(1LL << 30));
	for (i = 0; i < sent; i++) {
		ASSERT_EQ(LEN, recv_record(fds[i][B], self->buf, LEN));
		ASSERT_TRUE(is_filled(self->buf, LEN, i, 0));
	}
	EXPECT_GT(before + SLACK, cgroup_bytes());
	for (i = 0; i < PAIRS + MORE; i++) {
		close(fds[i][A]);
		close(fds[i][B]);
	}
	close(listener);
	EXPECT_TRUE(cgroup_remove());
}

TEST_F(limits, slots)
{
	enum { SLOTS = 8, RECORDS = 20 };
	int fd, accepted, i;
	char byte;

	ASSERT_TRUE(sysctl_set(B, "slots", SLOTS));
	fd = open_connection(A, self->listener);
	ASSERT_LE(0, fd);
	accepted = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	EXPECT_EQ(SLOTS, get_info(fd).remote_slots);
	EXPECT_EQ(SLOTS, get_info(accepted).local_slots);
	EXPECT_EQ(64, get_info(fd).local_slots);
	for (i = 0; i < RECORDS; i++) {
		byte = i;
		ASSERT_EQ(1, send(fd, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	}
	for (i = 0; i < RECORDS; i++) {
		ASSERT_EQ(1, recv_record(accepted, &byte, 1));
		EXPECT_EQ(i, byte);
	}
}

/* Tests an unprivileged user with a lock limit of @limit bytes; exits. */
static void locked_memory(struct __test_metadata *_metadata, int fds[2], char *buf, rlim_t limit)
{
	const struct rlimit lock = { .rlim_cur = limit, .rlim_max = limit };
	struct job receiver = { .fd = fds[B], .buf = buf + (1 << 19), .receive = true };

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &lock));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));

	/* Over the limit, and too long to be copied */
	EXPECT_ERRNO(ENOBUFS, send(fds[A], buf, 1 << 19, MSG_NOSIGNAL));
	/* Not too long */
	fill(buf, 100000, 1, 0);
	receiver.len = 100000;
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(job_asleep(&receiver));
	EXPECT_EQ(100000, send(fds[A], buf, 100000, MSG_NOSIGNAL));
	job_end(&receiver);
	EXPECT_EQ(100000, receiver.result);
	EXPECT_TRUE(is_filled(receiver.buf, 100000, 1, 0));
	/* Under the limit */
	fill(buf, 20000, 2, 0);
	receiver.len = 20000;
	ASSERT_TRUE(job_start(&receiver));
	EXPECT_EQ(20000, send(fds[A], buf, 20000, MSG_NOSIGNAL));
	job_end(&receiver);
	EXPECT_EQ(20000, receiver.result);
	EXPECT_TRUE(is_filled(receiver.buf, 20000, 2, 0));
}

TEST_F_TIMEOUT(limits, locked_memory, 60)
{
	long long refused[2];
	int fds[2], status, i;
	pid_t child;

	ASSERT_TRUE(new_pair(fds));
	for (i = A; i <= B; i++)
		refused[i] = dropped(i, ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED);
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		locked_memory(_metadata, fds, self->buf, 65536);
		_exit(!__test_passed(_metadata));
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	/* Two records of the sender, and one recv() at least */
	EXPECT_EQ(refused[A] + 2, dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED));
	EXPECT_LE(refused[B] + 1, dropped(B, ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED));

	/* A user with CAP_IPC_LOCK has no such limit. */
	expect_works(_metadata, fds, self->buf, 1 << 20);
	EXPECT_EQ(refused[A] + 2, dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_LOCKED));
}

TEST_HARNESS_MAIN
