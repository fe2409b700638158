// SPDX-License-Identifier: GPL-2.0
/*
 * Many AF_ST connections: the memory of each, and a setup time that does not
 * grow with their number.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define FEW		1000
#define MANY		(10 * FEW)
#define BATCH		100	/* connections that are timed together */
/* For an idle Virtual Connection, 2 KiB, and the unused rest of a slab */
#define MOST_BYTES	2304
#define MOST_RATIO	3	/* ratio of times; a linear search would make it at least 5 */
#define CLOSE_MS	120000

static long slab_kb(void)
{
	char line[128];
	long kb = -1;
	FILE *f = fopen("/proc/meminfo", "re");

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "Slab: %ld kB", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

static long long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

/*
 * Microseconds per connection in the fastest batch: other load only adds to
 * that.
 */
static double fastest_us(const long long *batches, int count)
{
	long long best = batches[0];
	int i;

	for (i = 1; i < count; i++)
		if (batches[i] < best)
			best = batches[i];
	return (double)best / BATCH;
}

static bool raise_limits(void)
{
	const struct rlimit files = { .rlim_cur = 3 * MANY, .rlim_max = 3 * MANY };
	FILE *f;
	bool ok;

	if (setrlimit(RLIMIT_NOFILE, &files) || !enter(B))
		return false;
	f = fopen("/proc/sys/net/core/somaxconn", "we");
	if (!f)
		return false;
	ok = fprintf(f, "%d\n", MANY) > 0;
	return !fclose(f) && ok;
}

/* The checks of a debug kernel make its objects larger. */
static bool debug_kernel(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK) || !access("/proc/lockdep", F_OK);
}

static void expect_works(struct __test_metadata *_metadata, int from, int to)
{
	char byte = 0;

	EXPECT_EQ(1, send(from, "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_record(to, &byte, 1));
	EXPECT_EQ('x', byte);
}

FIXTURE(many)
{
	int listener;
};

FIXTURE_SETUP(many)
{
	ASSERT_TRUE(set_up());
	/* This many at once take seconds on a slow machine */
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 10000));
	ASSERT_TRUE(raise_limits());
	self->listener = new_listener(B, MANY);
	ASSERT_LE(0, self->listener);
}

FIXTURE_TEARDOWN(many)
{
	close(self->listener);
}

TEST_F_TIMEOUT(many, connections, 1700)
{
	long long batches[MANY / BATCH], start = 0, first = 0, all = 0;
	const struct sockaddr_st any = { .sst_family = AF_ST };
	static int fd[MANY], accepted[MANY];
	struct sockaddr_st to;
	long slab[3], port, connection;
	double few, many;
	int i;

	to = address(B, port_of(self->listener));
	ASSERT_TRUE(enter(A));
	for (i = 0; i < MANY; i++) {
		fd[i] = socket(AF_ST, SOCK_SEQPACKET, 0);
		ASSERT_LE(0, fd[i]) TH_LOG("socket %d: %s", i, strerror(errno));
	}

	slab[0] = slab_kb();
	ASSERT_LT(0, slab[0]);
	for (i = 0; i < MANY; i++)
		EXPECT_EQ(0, bind_to(fd[i], &any));
	slab[1] = slab_kb();
	for (i = 0; i < MANY; i++) {
		if (i % BATCH == 0)
			start = now_us();
		ASSERT_EQ(0, connect_to(fd[i], &to)) TH_LOG("%d: %s", i, strerror(errno));
		if (i % BATCH != BATCH - 1)
			continue;
		batches[i / BATCH] = now_us() - start;
		all += batches[i / BATCH];
		if (i < FEW)
			first = all;
	}
	slab[2] = slab_kb();

	/*
	 * The sockets of A were there before, with their files and their Ports;
	 * those of B have neither.  So this is the Virtual Connection in B, all of
	 * it, and what A has needed in addition.
	 */
	port = (slab[1] - slab[0]) * 1024 / MANY;
	connection = (slab[2] - slab[1]) * 1024 / MANY;
	TH_LOG("slab memory: %ld bytes a connection, %ld bytes a Port", connection, port);
	if (debug_kernel())
		TH_LOG("not compared with the limit, on a kernel with checks of its own");
	else
		EXPECT_GE(MOST_BYTES, connection);

	/* With up to FEW connections, and with five times as many and more */
	few = fastest_us(batches, FEW / BATCH);
	many = fastest_us(batches + MANY / 2 / BATCH, MANY / 2 / BATCH);
	TH_LOG("setup: %.0f us each of the first %d, %.0f us each of %d; fastest %.0f and %.0f us",
	       (double)first / FEW, FEW, (double)all / MANY, MANY, few, many);
	EXPECT_GE(MOST_RATIO * few, many);

	for (i = 0; i < MANY; i++) {
		accepted[i] = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, accepted[i]) TH_LOG("accept %d: %s", i, strerror(errno));
	}
	/* They arrived one after the other, so they are accepted in this order. */
	expect_works(_metadata, fd[0], accepted[0]);
	expect_works(_metadata, accepted[MANY / 2], fd[MANY / 2]);
	expect_works(_metadata, fd[MANY - 1], accepted[MANY - 1]);

	start = now_us();
	for (i = 0; i < MANY; i++) {
		close(fd[i]);
		close(accepted[i]);
	}
	ASSERT_EQ(0, close(self->listener));
	self->listener = -1;
	EXPECT_TRUE(no_sockets(CLOSE_MS));
	TH_LOG("all gone %.1f s later", (now_us() - start) / 1e6);
}

TEST_HARNESS_MAIN
