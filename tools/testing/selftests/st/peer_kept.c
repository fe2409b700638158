// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that announces records that nobody receives: the memory that the other host keeps
 * for them is limited, charged to the memory cgroup of the listener, and released.
 */
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "cgroup.h"
#include "counters.h"
#include "peer.h"

enum {
	I_ID = 0x1d00,
	SLOTS = 256,		/* maximum number */
	BATCH = 16,		/* announced at a time, so that no answer is lost */
	VCS = 8,
	MOST = 1 << 20,		/* max_memory_peer, less than for VCS * SLOTS records */
	LEAST = 200,		/* bytes kept for each */
};

/* Waits until the memory of the cgroup has grown or shrunk to this. */
static bool kernel_memory(long long least, long long most)
{
	long long end = now_ms() + LONG_MS, bytes;

	do {
		bytes = cgroup_stat("kernel");
		if (bytes >= least && bytes <= most)
			return true;
		usleep(10000);
	} while (now_ms() < end);
	fprintf(stderr, "# %lld bytes of kernel memory\n", bytes);
	return false;
}

/* Announces records.  Returns the number of records that the other end keeps, or -1. */
static int announce(struct vc *vc, int from, int count)
{
	struct op op;
	int i;

	for (i = from; i < from + count; i++) {
		op = vc_to(vc, REQUEST_TO_SEND, F_CHANNEL_1);
		op.b_id = 20;
		op.b_num = 1;		/* byte */
		op.s_id = I_ID + i;
		if (!vc_send(vc, &op))
			return -1;
	}
	op = vc_to(vc, REQUEST_STATE, 0);
	op.sync = ++vc->sync;
	op.d_id = NO_ID;
	if (!vc_send(vc, &op))
		return -1;
	do {	/* All but the discarded ones are answered as pending */
		if (!vc_next(vc, &op))
			return -1;
	} while (op.op == REQUEST_ANSWER && !(op.flags & F_REJECT));
	return op.op == REQUEST_STATE_RESPONSE ? vc->k_slots - op.param : -1;
}

TEST(kept)
{
	long long refused, before, full;
	int listener, had = 0, i, n, held;
	int hold = ST_WRITES_HOLD;
	struct bench bench;
	struct vc vc[VCS];

	ASSERT_TRUE(bench_open(&bench));
	listener = cgroup_listener(A, VCS);
	ASSERT_LE(0, listener) TH_LOG("no memory cgroup: %s", strerror(errno));
	ASSERT_EQ(0, setsockopt(listener, SOL_ST, ST_WRITES, &hold, sizeof(hold)));
	ASSERT_TRUE(sysctl_set(A, "slots", SLOTS));
	ASSERT_TRUE(sysctl_set(A, "max_memory_peer", MOST));
	refused = dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER);
	before = cgroup_stat("kernel");
	ASSERT_LE(0, before);

	for (i = 0; i < VCS; i++) {
		vc[i] = vc_new(&bench.peer);
		vc[i].slots = SLOTS_NOT_COUNTED;
		ASSERT_TRUE(vc_call(&vc[i], listener));
		for (n = 0, held = 0; n < SLOTS; n += BATCH) {
			held = announce(&vc[i], n, BATCH);
			ASSERT_LE(0, held);
		}
		had += held;
	}
	/* The limit, and an eighth for metadata */
	EXPECT_LT(MOST / 2000, had);
	EXPECT_GT(VCS * SLOTS, had);
	EXPECT_GE((MOST + MOST / 8) / LEAST, had);
	EXPECT_EQ(refused + VCS * SLOTS - had, dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER));
	full = before + had * LEAST;
	EXPECT_TRUE(kernel_memory(full, before + 4LL * MOST));
	/* Other connections are not affected */
	EXPECT_TRUE(pair_works(bench.pair));

	for (i = 0; i < VCS; i++) {
		EXPECT_TRUE(vc_hang_up(&vc[i]));
		close(vc[i].fd);
	}
	EXPECT_TRUE(kernel_memory(0, full - had * LEAST / 2));
	/* There is room again. */
	refused = dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER);
	vc[0] = vc_new(&bench.peer);
	vc[0].slots = SLOTS_NOT_COUNTED;
	ASSERT_TRUE(vc_call(&vc[0], listener));
	EXPECT_EQ(BATCH, announce(&vc[0], 0, BATCH));
	EXPECT_EQ(refused, dropped(A, ST_A_DROPS_TOO_MUCH_MEMORY_OF_PEER));
	EXPECT_TRUE(vc_hang_up(&vc[0]));
	close(vc[0].fd);
	close(listener);
	EXPECT_TRUE(cgroup_remove());
	EXPECT_TRUE(bench_close(&bench));
}

TEST_HARNESS_MAIN
