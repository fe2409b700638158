// SPDX-License-Identifier: GPL-2.0
/*
 * Records over a path that loses some of their Data, set up by loss.test: later Data reveals
 * the loss, without an Op_timeout.
 */
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

#define LEN		260000
#define COUNT		400
#define OP_TIMEOUT_MS	20000
#define STALL_MS	(OP_TIMEOUT_MS / 2)

FIXTURE(loss)
{
	int fds[2];
	char *in;
};

FIXTURE_SETUP(loss)
{
	self->in = new_pages(LEN);
	ASSERT_NE(NULL, self->in);
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", OP_TIMEOUT_MS));
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(loss)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

TEST_F_TIMEOUT(loss, no_op_timeouts, 200)
{
	struct series series = { .fd = self->fds[A], .count = COUNT };
	unsigned int i, stalls = 0;
	size_t lens[COUNT];
	long long before;

	for (i = 0; i < COUNT; i++)
		lens[i] = LEN;
	series.lens = lens;
	ASSERT_TRUE(series_start(&series));
	for (i = 0; i < COUNT && stalls < 2; i++) {
		before = now_ms();
		ASSERT_EQ(LEN, recv_record(self->fds[B], self->in, LEN)) TH_LOG("record %u", i);
		ASSERT_TRUE(is_filled(self->in, LEN, i, 0)) TH_LOG("record %u", i);
		stalls += now_ms() - before > STALL_MS;
	}
	TH_LOG("%llu Blocks came again", (unsigned long long)get_info(self->fds[B]).block_retries);
	EXPECT_LT(0, get_info(self->fds[B]).block_retries);
	/* Nothing follows the end of the last record, and a Block may be lost repeatedly */
	ASSERT_LE(stalls, 1) TH_LOG("two waits for an Op_timeout by record %u", i);
	series_end(&series);
	EXPECT_EQ(COUNT, series.sent) TH_LOG("errno %d", series.error);
}

TEST_HARNESS_MAIN
