// SPDX-License-Identifier: GPL-2.0
/*
 * Op_timeout of AF_ST connections, from measured round trips.
 */
#include <errno.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "kselftest_harness.h"

#include "common.h"

#define WAIT_MS		60000	/* for repetitions that take seconds each */

FIXTURE(timeout)
{
	int fds[2];
};

FIXTURE_SETUP(timeout)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(timeout)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/* RFC 6298 2, from rounded-down values */
static void expect_timeout(struct __test_metadata *_metadata, const struct st_info *info,
			   __u32 min, __u32 max)
{
	__u32 timeout = info->rtt + 4 * info->rttvar;

	if (timeout < min)
		timeout = min;
	if (timeout > max)
		timeout = max;
	EXPECT_LE(timeout, info->op_timeout) TH_LOG("rtt %u rttvar %u", info->rtt, info->rttvar);
	EXPECT_GE(timeout + 4, info->op_timeout);
}

TEST_F(timeout, measured)
{
	struct st_info info;
	char byte;
	int i;

	/* The setup is a round trip for its Initiator. */
	info = get_info(self->fds[B]);
	EXPECT_EQ(0, info.rtt);
	EXPECT_EQ(0, info.rttvar);
	EXPECT_EQ(1000000, info.op_timeout);
	info = get_info(self->fds[A]);
	EXPECT_LT(0, info.rtt);
	EXPECT_LT(0, info.rttvar);
	expect_timeout(_metadata, &info, 200000, 1000000);

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(1, send(self->fds[B], "x", 1, MSG_NOSIGNAL));
		ASSERT_EQ(1, recv_record(self->fds[A], &byte, 1));
	}
	info = get_info(self->fds[B]);
	EXPECT_LT(0, info.rtt);
	expect_timeout(_metadata, &info, 200000, 1000000);
	EXPECT_EQ(0, info.reserved2);
}

TEST_F(timeout, limits)
{
	struct st_info info;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 600000));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", 1));
	info = get_info(self->fds[A]);
	expect_timeout(_metadata, &info, 1000, 600000000);
	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", 500000));
	info = get_info(self->fds[A]);
	expect_timeout(_metadata, &info, 500000000, 600000000);
	/* If they contradict each other, the longest one applies. */
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 400));
	info = get_info(self->fds[A]);
	EXPECT_EQ(400000, info.op_timeout);
}

static bool wait_retries(int fd, __u64 count, struct st_info *info)
{
	long long end = now_ms() + WAIT_MS;

	do {
		*info = get_info(fd);
		if (info->op_retries >= count)
			return true;
		usleep(10000);
	} while (now_ms() < end);
	return false;
}

/*
 * While the cable is unplugged Op_timeout doubles.  A repeated operation does
 * not measure the round trip; the next unrepeated one ends the back-off.
 */
TEST_F_TIMEOUT(timeout, back_off, 120)
{
	struct st_info before, info;
	long long start;
	char byte;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 60000));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", 500));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	start = now_ms();
	before = get_info(self->fds[A]);
	ASSERT_EQ(1, send(self->fds[A], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_TRUE(wait_retries(self->fds[A], before.op_retries + 3, &info));
	EXPECT_EQ(before.rtt, info.rtt);
	EXPECT_EQ(before.op_timeout << (info.op_retries - before.op_retries), info.op_timeout);
	EXPECT_LE(start + before.op_timeout / 1000 * 7, now_ms());

	ASSERT_TRUE(fault_set(0, "unplug", "0"));
	ASSERT_EQ(1, recv_record(self->fds[B], &byte, 1));
	ASSERT_EQ(1, send(self->fds[A], "y", 1, MSG_NOSIGNAL));
	info = get_info(self->fds[A]);
	expect_timeout(_metadata, &info, 500000, 60000000);
	EXPECT_GT(before.rtt + 300000, info.rtt);
}

/* ST 5.1.2: for twice Op_timeout, whatever was measured */
TEST_F(timeout, held_after_teardown)
{
	struct sockaddr_st addr = { .sst_family = AF_ST };
	int fd = new_socket(A, 0);
	long long start;
	char byte;

	addr.sst_port = htons(port_of(self->fds[A]));
	start = now_ms();
	close(self->fds[A]);
	self->fds[A] = -1;
	EXPECT_ERRNO(ENODATA, recv_record(self->fds[B], &byte, 1));
	EXPECT_ERRNO(EADDRINUSE, bind_to(fd, &addr));
	while (bind_to(fd, &addr)) {
		ASSERT_EQ(EADDRINUSE, errno);
		ASSERT_GT(start + WAIT_MS, now_ms());
		usleep(20000);
	}
	EXPECT_LE(start + 2000, now_ms());
	close(fd);
}

TEST_HARNESS_MAIN
