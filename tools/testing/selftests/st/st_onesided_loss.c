// SPDX-License-Identifier: GPL-2.0
/*
 * Put and Get when the cable or the device fails, and when the call is cut short.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"
#include "region_fixture.h"

/**
 * struct putter - a thread that Puts and checks the arrival
 * @fd: connection
 * @region: handle
 * @mem: the memory of the region
 * @times: how often
 * @done: number of calls that returned with everything arrived
 * @thread: the thread
 */
struct putter {
	int		fd;
	long		region;
	const char	*mem;
	unsigned int	times;
	unsigned int	done;
	pthread_t	thread;
};

static void *put_and_look(void *arg)
{
	enum { PUT_LEN = 5000 };
	struct putter *p = arg;
	char buf[PUT_LEN];

	for (; p->done < p->times; p->done++) {
		fill(buf, PUT_LEN, p->done, 0);
		if (region_put(p->fd, p->region, 1, buf, PUT_LEN,
			       p->done % 3 ? 0 : ST_PUT_SILENT) != PUT_LEN ||
		    !is_filled(p->mem + 1, PUT_LEN, p->done, 0))
			break;
	}
	return NULL;
}

/* Whatever is lost, an acknowledged Put has arrived. */
TEST_F_TIMEOUT(region, puts_while_the_device_goes_and_comes, 300)
{
	struct putter putter = { .fd = self->fds[A], .mem = self->mem, .times = 600 };
	struct st_info info;
	socklen_t size = sizeof(info);
	long handles[2];

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255) && sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100) && sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(grant(self->fds, self->mem, 8192, ALL, handles));
	putter.region = handles[A];
	ASSERT_EQ(0, pthread_create(&putter.thread, NULL, put_and_look, &putter));
	ASSERT_TRUE(links_come_and_go(&putter.done, 20));
	pthread_join(putter.thread, NULL);
	EXPECT_EQ(600, putter.done);
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &info, &size));
	EXPECT_LT(0, info.op_retries + info.block_retries);
}

/* Posted, unanswered operations are over when the socket is closed. */
TEST_F_TIMEOUT(region, posted_gets_end_with_close, 100)
{
	struct st_get get = { .len = 4096 };
	unsigned int i;
	long handles[2];

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	get.region = handles[A];
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	for (i = 0; i < 16; i++) {
		get.addr = (unsigned long)self->buf + i * 4096;
		ASSERT_EQ(0, region_post(self->fds[A], ST_GET, &get, sizeof(get), NULL, 0));
	}
	close(self->fds[A]);
	memset(self->buf, GUARD, LEN);
	ASSERT_TRUE(fault_set(0, "unplug", "0"));
	ASSERT_TRUE(wait_carrier(A) && wait_carrier(B));
	/* Delayed operations have arrived when the end of the connection has. */
	EXPECT_TRUE(poll_for(self->fds[B], POLLRDHUP, 6 * SOON_MS) & POLLRDHUP);
	EXPECT_TRUE(is_guard(self->buf, LEN));
}

TEST_F_TIMEOUT(region, puts_and_gets_over_a_bad_cable, 400)
{
	long long before = fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped");
	long handles[2];
	unsigned int i;

	ASSERT_TRUE(sysctl_set(A, "max_retry", 255) && sysctl_set(B, "max_retry", 255));
	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	ASSERT_TRUE(fault_set(0, "tx_ber", "1e-5") && fault_set(1, "tx_ber", "1e-5"));
	for (i = 0; i < 8; i++) {
		fill(self->buf, MIB, i, 0);
		ASSERT_EQ((ssize_t)MIB, region_put(self->fds[A], handles[A], i * 1000, self->buf,
						   MIB, i % 2 ? ST_PUT_SILENT : 0))
			TH_LOG("errno %d", errno);
		ASSERT_TRUE(is_filled(self->mem + i * 1000, MIB, i, 0));
		ASSERT_EQ(65535, region_get(self->fds[A], handles[A], i * 1000 + 99, self->buf,
					    65535));
		ASSERT_TRUE(is_filled(self->buf, 65535, i, 99));
	}
	EXPECT_LT(before + 100, fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped"));
}

/* A signal ends a call; late Data is not written. */
TEST_F_TIMEOUT(region, a_signal_ends_a_get, 100)
{
	const struct st_get get = { .len = 4096, .addr = (unsigned long)self->buf };
	struct st_get args = get;
	long handles[2];

	ASSERT_TRUE(grant(self->fds, self->mem, LEN, ALL, handles));
	args.region = handles[A];
	memset(self->buf, GUARD, 4096);
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, 300));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	EXPECT_ERRNO(ETIME, region_op(self->fds[A], ST_GET, &args, sizeof(args), NULL, 0, 0));
	ASSERT_TRUE(fault_set(0, "unplug", "0"));
	ASSERT_TRUE(wait_carrier(A) && wait_carrier(B));
	ASSERT_TRUE(set_timeout(self->fds[A], SO_SNDTIMEO, 0));
	/* Later operations have overtaken nothing. */
	EXPECT_EQ(1, region_put(self->fds[A], handles[A], 0, self->buf, 1, 0));
	EXPECT_TRUE(is_guard(self->buf, 4096));
	EXPECT_EQ(0, port_error(self->fds[A], ST_ERR_OUT_OF_RANGE_BUFX));
}

TEST_HARNESS_MAIN
