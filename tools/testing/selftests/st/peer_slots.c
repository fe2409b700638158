// SPDX-License-Identifier: GPL-2.0
/*
 * A socket's count of the peer's Slots: ST 5.2.5.  The Slots that a socket offers
 * are in peer_state.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

enum { R_ID = 0x2b0d, I_ID = 0x1d00, T_LEN = 1000, BLOCKSIZE = 8, BLOCK = 256, BLOCKS = 4 };

FIXTURE(slots)
{
	struct bench bench;
	struct vc *vc;
	__u8 out[T_LEN];
};

FIXTURE_SETUP(slots)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	fill(self->out, T_LEN, 1, 0);
}

FIXTURE_TEARDOWN(slots)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static int slots_of(const struct vc *vc)
{
	return get_info(vc->fd).remote_slots;
}

static struct op clear_op(const struct vc *vc, const struct op *rts, __u32 b_num)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = BLOCKSIZE;
	op.offset = b_num * BLOCK;
	op.b_num = b_num;
	op.d_id = rts->s_id;
	op.s_id = R_ID;
	return op;
}

static struct op tell(const struct vc *vc, __u16 slots, __u32 sync)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = slots;
	op.sync = sync;
	op.d_id = NO_ID;
	return op;
}

static bool cleared(struct vc *vc, const struct op *rts, __u32 b_num)
{
	struct op op = clear_op(vc, rts, b_num);

	return vc_send(vc, &op);
}

/* The next Data, and its Sync */
static bool data_comes(struct vc *vc, __u16 flags, __u32 *sync)
{
	struct msg *data = vc_data(vc);
	bool ok = data && (data->op.flags & (F_SILENT | F_SEND_STATE)) == flags;

	if (data)
		*sync = data->op.sync;
	free(data);
	return ok;
}

/* Each operation takes one, except Silent Data */
TEST_F(slots, what_takes_one)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = T_LEN };
	struct op rts, op, cts;
	int slots = vc->slots;
	__u32 sync;

	EXPECT_EQ(slots, slots_of(vc));
	EXPECT_TRUE(vc_quiet(vc));		/* a Request_State_Response */
	EXPECT_EQ(--slots, slots_of(vc));
	ASSERT_TRUE(vc_write(vc, I_ID, 1, BLOCKSIZE, &cts));
	EXPECT_EQ(--slots, slots_of(vc));	/* Clear_To_Send */
	op = vc_to(vc, END, 0);
	op.d_id = cts.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, END_ACK, &op));
	EXPECT_EQ(--slots, slots_of(vc));
	op = vc_to(vc, REQUEST_TO_SEND, 0);	/* with a nonexistent Data Channel */
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, REQUEST_ANSWER, &op));
	EXPECT_EQ(--slots, slots_of(vc));

	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	EXPECT_EQ(--slots, slots_of(vc));
	ASSERT_TRUE(cleared(vc, &rts, 0));
	ASSERT_TRUE(data_comes(vc, F_SEND_STATE, &sync));
	EXPECT_EQ(--slots, slots_of(vc));
}

/* x'FFFF': the peer does not count Slots, and is never queried */
TEST_F(slots, not_counted)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct job job = { .buf = self->out, .len = T_LEN };
	struct op rts, op;
	__u32 b, sync;

	vc.slots = SLOTS_NOT_COUNTED;
	vc.manual = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	job.fd = vc.fd;
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
	for (b = 0; b < BLOCKS; b++) {
		ASSERT_TRUE(cleared(&vc, &rts, b));
		ASSERT_TRUE(data_comes(&vc, F_SEND_STATE, &sync));
	}
	op = tell(&vc, 0, 0);
	op.offset = BLOCKS - 1;
	op.b_num = NO_B_NUM;
	op.d_id = rts.s_id;
	op.s_id = R_ID;
	ASSERT_TRUE(vc_send(&vc, &op));
	job_end(&job);
	EXPECT_EQ(T_LEN, job.result);
	EXPECT_EQ(SLOTS_NOT_COUNTED, slots_of(&vc));
	EXPECT_EQ(NULL, peer_next(&self->bench.peer, false, 0));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* With one Slot nothing is started; it is reserved for the Request_State */
TEST_F(slots, one_in_reserve)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct job job = { .buf = self->out, .len = T_LEN };
	struct op op, expected, rts;

	vc.slots = 1;
	vc.manual = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	job.fd = vc.fd;
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_next(&vc, &op));
	expected = vc_from(&vc, REQUEST_STATE, 0);
	expected.sync = op.sync;
	expected.d_id = NO_ID;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_EQ(0, slots_of(&vc));
	/* The answer allows the Request_To_Send */
	op = tell(&vc, 10, op.sync);
	ASSERT_TRUE(vc_send(&vc, &op));
	ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
	EXPECT_EQ(9, slots_of(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	job_end(&job);
	close(vc.fd);
}

/* The reported number is subtracted by the operations sent since the report */
TEST_F(slots, told)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = T_LEN };
	struct op rts, op;
	__u32 sync;

	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	ASSERT_TRUE(cleared(vc, &rts, 0));
	ASSERT_TRUE(data_comes(vc, F_SEND_STATE, &sync));
	op = tell(vc, 500, sync);
	op.b_num = NO_B_NUM;
	op.offset = NO_B_NUM;
	op.d_id = rts.s_id;
	op.s_id = R_ID;
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(500 - 3, slots_of(vc));
	/* x'FFFF': no update */
	op.param = SLOTS_NOT_COUNTED;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(500 - 4, slots_of(vc));
	/* Fewer than were used meanwhile means none */
	op.param = 2;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(0, slots_of(vc));
}

/* 5.2.5: each operation sent takes one, repetitions included */
TEST_F(slots, repeats)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = T_LEN };
	struct st_info before = get_info(vc->fd), after;
	struct op rts;
	int i;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 50));
	ASSERT_TRUE(job_start(&job));
	for (i = 0; i < 3; i++)
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", NEVER_MS));
	after = get_info(vc->fd);
	EXPECT_LE(2, after.op_retries);
	EXPECT_EQ(before.remote_slots - 1 - after.op_retries, after.remote_slots);
	EXPECT_TRUE(vc_hang_up(vc));
	job_end(&job);
}

TEST_HARNESS_MAIN
