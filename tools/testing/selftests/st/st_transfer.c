// SPDX-License-Identifier: GPL-2.0
/*
 * Bulk data over AF_ST sockets, over a good cable and over bad ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define MIB		1048576UL
#define PART		(MIB / 4)
#define FOR_EVER	255	/* repeats of an operation, enough for any outage here */

FIXTURE(transfer)
{
	int fds[2];
};

FIXTURE_SETUP(transfer)
{
	ASSERT_TRUE(set_up());
}

FIXTURE_TEARDOWN(transfer)
{
	fault_set(0, "tx_ber", "0");
	fault_set(1, "tx_ber", "0");
	fault_set(0, "unplug", "0");
	close(self->fds[A]);
	close(self->fds[B]);
}

static bool patient(void)
{
	return sysctl_set(A, "max_retry", FOR_EVER) && sysctl_set(B, "max_retry", FOR_EVER);
}

/*
 * Transfers one record of @len bytes and checks every byte.  Calls @halfway, if
 * any, when half of it has arrived.
 */
static void transfer(struct __test_metadata *_metadata, int fds[2], size_t len,
		     bool (*halfway)(void))
{
	struct job sender = { .fd = fds[A], .len = len };
	char *part = malloc(PART);
	bool last = false;
	size_t got = 0;
	ssize_t n;

	sender.buf = new_pages(len);
	ASSERT_NE(NULL, sender.buf);
	fill(sender.buf, len, 9, 0);
	ASSERT_TRUE(job_start(&sender));
	while (!last) {
		n = recv_part(fds[B], part, PART, 0, &last);
		ASSERT_LT(0, n) TH_LOG("after %zu bytes: %s", got, strerror(errno));
		ASSERT_TRUE(is_filled(part, n, 9, got));
		got += n;
		if (halfway && got >= len / 2) {
			ASSERT_TRUE(halfway());
			halfway = NULL;
		}
	}
	EXPECT_EQ(len, got);
	job_end(&sender);
	EXPECT_EQ((ssize_t)len, sender.result) TH_LOG("errno %d", sender.error);
}

TEST_F_TIMEOUT(transfer, long_record, 400)
{
	size_t len = 64 * MIB;
	struct job receiver = { .len = len, .receive = true };
	char *from = new_pages(len);

	ASSERT_TRUE(new_pair(self->fds));
	receiver.fd = self->fds[B];
	receiver.buf = new_pages(len);
	fill(from, len, 5, 0);
	ASSERT_TRUE(job_start(&receiver));
	ASSERT_TRUE(job_asleep(&receiver));
	ASSERT_EQ((ssize_t)len, send(self->fds[A], from, len, MSG_NOSIGNAL));
	job_end(&receiver);
	EXPECT_EQ((ssize_t)len, receiver.result);
	EXPECT_EQ(0, memcmp(from, receiver.buf, len));
	/* A Clear_To_Send for each Block, and an answer for several of them */
	EXPECT_GT(len / (128 << 10) * 5 / 4, get_info(self->fds[B]).tx_ops);
}

TEST_F_TIMEOUT(transfer, in_parts, 200)
{
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 16 * MIB + 12345, NULL);
}

TEST_F_TIMEOUT(transfer, without_checksum, 200)
{
	struct st_info info;
	socklen_t len = sizeof(info);

	ASSERT_TRUE(sysctl_set(A, "checksum", 0));
	ASSERT_TRUE(sysctl_set(B, "checksum", 0));
	ASSERT_TRUE(new_pair(self->fds));
	ASSERT_EQ(0, getsockopt(self->fds[A], SOL_ST, ST_INFO, &info, &len));
	EXPECT_EQ(0, info.checksum);
	transfer(_metadata, self->fds, 8 * MIB + 1, NULL);
}

TEST_F_TIMEOUT(transfer, checksum_on_one_side, 200)
{
	ASSERT_TRUE(sysctl_set(B, "checksum", 0));
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 2 * MIB + 3, NULL);
	ASSERT_TRUE(sysctl_set(A, "checksum", 0));
	ASSERT_TRUE(sysctl_set(B, "checksum", 1));
	close(self->fds[A]);
	close(self->fds[B]);
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 2 * MIB + 3, NULL);
}

static bool make_bit_errors(void)
{
	return fault_set(0, "tx_ber", "1e-5") && fault_set(1, "tx_ber", "1e-5");
}

TEST_F_TIMEOUT(transfer, bit_errors, 400)
{
	long long before, after;

	ASSERT_TRUE(patient());
	ASSERT_TRUE(new_pair(self->fds));
	before = fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped");
	ASSERT_TRUE(make_bit_errors());
	transfer(_metadata, self->fds, 8 * MIB, NULL);
	after = fault_stat(0, "bits_flipped") + fault_stat(1, "bits_flipped");
	EXPECT_LT(before + 100, after);
}

TEST_F_TIMEOUT(transfer, bit_errors_start_halfway, 400)
{
	ASSERT_TRUE(patient());
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 4 * MIB, make_bit_errors);
}

static bool pull_for_a_second(void)
{
	if (!fault_set(0, "unplug", "1"))
		return false;
	sleep(1);
	return fault_set(0, "unplug", "0");
}

TEST_F_TIMEOUT(transfer, cable_pulled_and_put_back, 200)
{
	ASSERT_TRUE(patient());
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 16 * MIB, pull_for_a_second);
}

static bool down_and_up(void)
{
	return link_set_up(B, false) && link_set_up(B, true);
}

TEST_F_TIMEOUT(transfer, device_down_and_up, 200)
{
	ASSERT_TRUE(patient());
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, 16 * MIB, down_and_up);
}

TEST_F_TIMEOUT(transfer, cable_stays_out, 120)
{
	struct job sender = { .len = 16 * MIB };
	char byte;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 3));
	ASSERT_TRUE(sysctl_set(B, "max_retry", 3));
	ASSERT_TRUE(new_pair(self->fds));
	sender.fd = self->fds[A];
	sender.buf = new_pages(sender.len);
	ASSERT_TRUE(job_start(&sender));
	ASSERT_EQ(1, recv(self->fds[B], &byte, 1, 0));
	ASSERT_TRUE(fault_set(0, "unplug", "1"));
	job_end(&sender);
	EXPECT_EQ(-1, sender.result);
	EXPECT_EQ(ETIMEDOUT, sender.error);
	EXPECT_ERRNO(EPIPE, send(self->fds[A], &byte, 1, MSG_NOSIGNAL));
	close(self->fds[A]);
	close(self->fds[B]);

	/* The next connection, over the reconnected cable, works. */
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
	transfer(_metadata, self->fds, MIB, NULL);
}

TEST_HARNESS_MAIN
