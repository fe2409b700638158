// SPDX-License-Identifier: GPL-2.0
/*
 * Whatever interrupts a process that uses AF_ST, each record arrives once and whole, and
 * nothing is done twice.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "region.h"

#define ALL		(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)

enum { OPERATIONS = 25, LENT = 4096 };

FIXTURE(signals)
{
	int fds[2];
	char *buf;
};

FIXTURE_SETUP(signals)
{
	self->buf = new_pages(LENT);
	ASSERT_NE(NULL, self->buf);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(signals)
{
	setitimer(ITIMER_REAL, &(struct itimerval){}, NULL);
	close(self->fds[A]);
	close(self->fds[B]);
}

/* A timer of @us, whose signals have a handler of @flags. */
static bool ticks(int us, int flags)
{
	const struct itimerval timer = { { 0, us }, { 0, us } };

	return catch_signal(SIGALRM, flags) && !setitimer(ITIMER_REAL, &timer, NULL);
}

/* What each FetchOp has fetched is known; what was put is there. */
static void operations(struct __test_metadata *_metadata, int fds[2], __u64 *lent)
{
	long handles[2];
	__u64 i, old;

	memset(lent, 0, LENT);
	ASSERT_TRUE(grant(fds, (char *)lent, LENT, ALL, handles));
	for (i = 0; i < OPERATIONS; i++) {
		struct st_peer_state state = { .what = ST_STATE_SLOTS };

		ASSERT_EQ(8, region_fetch(fds[A], handles[A], 0, ST_FETCH_INCREMENT, &old))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(i, old);
		ASSERT_EQ(8, region_put(fds[A], handles[A], 8, &i, 8, 0))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(8, region_get(fds[A], handles[A], 8, &old, 8))
			TH_LOG("%llu: %s", i, strerror(errno));
		ASSERT_EQ(i, old);
		ASSERT_EQ(0, ioctl(fds[A], SIOCSTSTATE, &state)) TH_LOG("%s", strerror(errno));
	}
	EXPECT_EQ(OPERATIONS, lent[0]);
}

TEST_F_TIMEOUT(signals, amid_operations_on_lent_memory, 60)
{
	ASSERT_TRUE(ticks(1000, 0));
	operations(_metadata, self->fds, (void *)self->buf);
}

TEST_F_TIMEOUT(signals, that_restart_amid_operations, 60)
{
	ASSERT_TRUE(ticks(1000, SA_RESTART));
	operations(_metadata, self->fds, (void *)self->buf);
}

/* A timeout is no reason to lose what a FetchOp has fetched. */
TEST_F(signals, fetchop_past_its_timeout)
{
	long handles[2];
	__u64 i, old;

	memset(self->buf, 0, LENT);
	ASSERT_TRUE(grant(self->fds, self->buf, LENT, ALL, handles));
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, 1));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(8, region_fetch(self->fds[A], handles[A], 0, ST_FETCH_INCREMENT, &old))
			TH_LOG("%s", strerror(errno));
		ASSERT_EQ(i, old);
	}
}

TEST_HARNESS_MAIN
