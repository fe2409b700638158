// SPDX-License-Identifier: GPL-2.0
/*
 * Request_State in its three forms, Slots, and End: ST 6.1.1, 5.2.5; the peer is
 * the other host.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

enum { I_ID = 0x1d00, T_LEN = 600, BLOCK = 256, BLOCKSIZE = 8, BLOCKS = 3 };

FIXTURE(state)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
};

FIXTURE_SETUP(state)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
}

FIXTURE_TEARDOWN(state)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A Write of three Blocks, all of which are cleared */
static bool begin_write(struct vc *vc, struct op cts[BLOCKS])
{
	int i;

	if (!vc_write(vc, I_ID, T_LEN, BLOCKSIZE, &cts[0]))
		return false;
	for (i = 1; i < BLOCKS; i++)
		if (!vc_read(vc, CLEAR_TO_SEND, &cts[i]))
			return false;
	return true;
}

static bool send_block(struct vc *vc, const struct op *cts, const __u8 *bytes, __u16 flags)
{
	size_t at = cts->b_num * BLOCK, len = T_LEN - at < BLOCK ? T_LEN - at : BLOCK;
	struct op op = vc_stu(vc, cts, 0, 0, F_LAST | flags);

	return vc_send_data(vc, &op, bytes + at, len);
}

/* Requests the state of a Transfer, or Slots */
static struct op question(struct vc *vc, __u32 r_id, __u32 b_num)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0);

	op.sync = ++vc->sync;
	op.b_num = b_num;
	op.d_id = r_id;
	op.s_id = r_id == NO_ID ? 0 : I_ID;
	return op;
}

/* The expected answer, and the Slots while one Transfer waits */
static struct op response(const struct vc *vc, const struct op *to, __u32 b_seq, __u32 b_num)
{
	struct op op = vc_from(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = vc->k_slots - 1;
	op.offset = b_seq;
	op.sync = to->sync;
	op.b_num = b_num;
	op.d_id = to->s_id;
	op.s_id = to->d_id;
	return op;
}

static bool ask(struct vc *vc, __u32 r_id, __u32 b_num, __u32 b_seq, __u32 b_num_then)
{
	struct op op = question(vc, r_id, b_num), expected = response(vc, &op, b_seq, b_num_then);

	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

/* 6.1.1.1, table 5 Com1: every field */
TEST_F(state, slots)
{
	struct vc *vc = self->vc;
	struct op op = question(vc, NO_ID, 0), expected = vc_from(vc, REQUEST_STATE_RESPONSE, 0);

	expected.param = vc->k_slots;
	expected.sync = op.sync;
	expected.d_id = NO_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &expected));
	/* 6.2.9: any Sync is returned */
	op.sync = 0xfedcba98;
	expected.sync = op.sync;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.2.5: an announced Transfer occupies a Slot until it is read */
TEST_F(state, slots_in_use)
{
	struct vc *vc = self->vc;
	struct op op, cts, answer;
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(vc_write(vc, I_ID + i, 1, BLOCKSIZE, &cts));
		op = question(vc, NO_ID, 0);
		ASSERT_TRUE(vc_send(vc, &op));
		ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
		EXPECT_EQ(vc->k_slots - i - 1, answer.param);
		op = vc_stu(vc, &cts, 0, 0, F_LAST);
		ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
	}
	for (i = 0; i < 3; i++)
		EXPECT_EQ(1, recv_record(vc->fd, self->in, 1));
	op = question(vc, NO_ID, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
	EXPECT_EQ(vc->k_slots, answer.param);
}

/* 10.6.2: operations beyond the Slots are not executed */
TEST_F_TIMEOUT(state, slots_exceeded, 60)
{
	struct vc *vc = self->vc;
	struct op op, answer;
	int i;

	for (i = 0; i < vc->k_slots; i++) {
		op = vc_to(vc, REQUEST_TO_SEND, F_CHANNEL_1);
		op.b_id = BLOCKSIZE;
		op.b_num = 1;
		op.s_id = I_ID + i;
		ASSERT_TRUE(vc_send(vc, &op));
		ASSERT_TRUE(vc_next(vc, &answer));
		ASSERT_TRUE(answer.op == CLEAR_TO_SEND || answer.op == REQUEST_ANSWER);
		ASSERT_EQ(op.s_id, answer.d_id);
	}
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_SLOTS_EXCEEDED, 1 })));
}

/* 6.1.1.2, table 5 Com2: every field; B_seq as Blocks arrive */
TEST_F(state, transfer)
{
	struct op cts[BLOCKS];
	struct vc *vc = self->vc;
	__u32 i;

	ASSERT_TRUE(begin_write(vc, cts));
	EXPECT_TRUE(ask(vc, cts[0].s_id, NO_B_NUM, NO_B_NUM, NO_B_NUM));
	for (i = 0; i < BLOCKS; i++) {
		ASSERT_TRUE(send_block(vc, &cts[i], self->out, 0));
		ASSERT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(ask(vc, cts[0].s_id, NO_B_NUM, i, NO_B_NUM));
	}
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.1.3, 6.2.4, table 5 Com3: every field, with a Block that is missing */
TEST_F(state, block)
{
	struct op cts[BLOCKS];
	struct vc *vc = self->vc;
	__u32 id;

	ASSERT_TRUE(begin_write(vc, cts));
	id = cts[0].s_id;
	EXPECT_TRUE(ask(vc, id, 1, NO_B_NUM, NO_B_NUM));
	ASSERT_TRUE(send_block(vc, &cts[1], self->out, 0));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(ask(vc, id, 0, NO_B_NUM, NO_B_NUM));
	EXPECT_TRUE(ask(vc, id, 1, NO_B_NUM, 1));
	EXPECT_TRUE(ask(vc, id, 2, NO_B_NUM, NO_B_NUM));
	ASSERT_TRUE(send_block(vc, &cts[0], self->out, 0));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(ask(vc, id, 0, 1, 0));
	EXPECT_TRUE(ask(vc, id, 1, 1, 1));
	EXPECT_TRUE(ask(vc, id, 2, 1, NO_B_NUM));
	ASSERT_TRUE(send_block(vc, &cts[2], self->out, 0));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(ask(vc, id, 2, 2, 2));
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
}

/* 6.1.2, 8.2: Send_State in Data is answered, with Silent too; every field */
TEST_F(state, send_state)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], op, expected;

	ASSERT_TRUE(begin_write(vc, cts));
	/* In the middle of a Block nothing is complete. */
	op = vc_stu(vc, &cts[0], 0, 0, F_SEND_STATE);
	op.sync = 0xabcd0001;
	op.s_id = 0x0b5e55ed;	/* Opaque data is not returned */
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	expected = response(vc, &op, NO_B_NUM, NO_B_NUM);
	expected.d_id = I_ID;
	EXPECT_TRUE(vc_expect(vc, &expected));
	op = vc_stu(vc, &cts[0], 1, 100, F_SEND_STATE | F_SILENT | F_LAST);
	op.sync = 0xabcd0002;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 100, BLOCK - 100));
	expected = response(vc, &op, 0, 0);
	expected.d_id = I_ID;
	EXPECT_TRUE(vc_expect(vc, &expected));
	ASSERT_TRUE(send_block(vc, &cts[2], self->out, F_SEND_STATE));
	op = vc_stu(vc, &cts[2], 0, 0, 0);
	expected = response(vc, &op, 0, 2);
	expected.d_id = I_ID;
	EXPECT_TRUE(vc_expect(vc, &expected));
	/* Without it there is no answer. */
	ASSERT_TRUE(send_block(vc, &cts[1], self->out, F_SILENT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/*
 * Table 9: Data with Send_State that is repeated, as its answer was lost, is answered again
 * and not executed: within its Block, when that is complete, and when the Transfer is.
 */
TEST_F(state, send_state_again)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], first, last, expected;
	struct st_info info;
	int i;

	ASSERT_TRUE(begin_write(vc, cts));
	first = vc_stu(vc, &cts[0], 0, 0, F_SEND_STATE);
	first.sync = 0xabcd0001;
	expected = response(vc, &first, NO_B_NUM, NO_B_NUM);
	expected.d_id = I_ID;
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(vc_send_data(vc, &first, self->out, 100));
		EXPECT_TRUE(vc_expect(vc, &expected));
	}
	last = vc_stu(vc, &cts[0], 1, 100, F_SEND_STATE | F_LAST);
	expected = response(vc, &last, 0, 0);
	expected.d_id = I_ID;
	for (i = 0; i < 3; i++) {
		last.sync = 0xabcd0100 + i;
		expected.sync = last.sync;
		ASSERT_TRUE(vc_send_data(vc, &last, self->out + 100, BLOCK - 100));
		EXPECT_TRUE(vc_expect(vc, &expected));
	}
	/* There is no answer without Send_State, or for a Block that has not arrived. */
	last.flags &= ~F_SEND_STATE;
	ASSERT_TRUE(vc_send_data(vc, &last, self->out + 100, BLOCK - 100));
	last.flags |= F_SEND_STATE;
	last.b_num = 2;
	ASSERT_TRUE(vc_send_data(vc, &last, self->out + 100, BLOCK - 100));
	last.b_num = 0;
	EXPECT_TRUE(vc_quiet(vc));
	/* 10.7.2, 10.7.4: the Memory Index is not valid any more */
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 1 },
							 { ST_ERR_INVALID_MX, 4 })));
	ASSERT_TRUE(send_block(vc, &cts[1], self->out, 0));
	ASSERT_TRUE(send_block(vc, &cts[2], self->out, 0));
	EXPECT_TRUE(vc_executed(vc));
	info = get_info(vc->fd);
	EXPECT_EQ(T_LEN, info.rx_bytes);
	expected = response(vc, &last, 2, 0);
	expected.d_id = I_ID;
	ASSERT_TRUE(vc_send_data(vc, &last, self->out + 100, BLOCK - 100));
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
	expected.param = vc->k_slots;
	ASSERT_TRUE(vc_send_data(vc, &last, self->out + 100, BLOCK - 100));
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_TRUE(vc_quiet(vc));
}

/*
 * 10.7.4: the peer discards a Request_State; the connection continues, and the call does not
 * wait.
 */
TEST_F(state, question_of_the_application)
{
	struct st_peer_state ask = { .size = sizeof(ask), .what = ST_STATE_SLOTS };
	struct vc *vc = self->vc;
	int limit = INT_MAX;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 50));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 2));
	ASSERT_EQ(0, setsockopt(vc->fd, SOL_ST, ST_USER_TIMEOUT, &limit, sizeof(limit)));
	EXPECT_ERRNO(EREMOTEIO, ioctl(vc->fd, SIOCSTSTATE, &ask));
	EXPECT_TRUE(vc_executed(vc));
}

/* 6.2.1: an R-id that never existed */
TEST_F(state, unknown_transfer)
{
	struct vc *vc = self->vc;
	struct op op = question(vc, 0x12345, 7), expected = response(vc, &op, NO_B_NUM, NO_B_NUM);

	expected.param = vc->k_slots;
	expected.s_id = NO_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_TRUE(vc_quiet(vc));
}

/* 10.7.4: a Block that was never exposed: discarded and logged */
TEST_F(state, block_never_exposed)
{
	static const __u32 b_nums[] = { BLOCKS, 0x7fffffff, 0x80000000, 0xfffffffe };
	struct op cts[BLOCKS], op;
	struct vc *vc = self->vc;
	unsigned int i;

	ASSERT_TRUE(begin_write(vc, cts));
	for (i = 0; i < ARRAY_SIZE(b_nums); i++) {
		op = question(vc, cts[0].s_id, b_nums[i]);
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before,
			   LOGGED({ ST_ERR_OUT_OF_RANGE_B_NUM, ARRAY_SIZE(b_nums) })));
}

/* An End, and every field of the End_Ack */
static bool end_write(struct vc *vc, __u32 r_id)
{
	struct op op = vc_to(vc, END, 0), expected = vc_from(vc, END_ACK, 0);

	op.d_id = r_id;
	op.s_id = I_ID;
	expected.d_id = I_ID;
	expected.s_id = r_id;
	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

/* 6.1.1.4: the data Source ends a Transfer; its Data is late then */
TEST_F(state, end_by_the_source)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS];

	ASSERT_TRUE(begin_write(vc, cts));
	ASSERT_TRUE(send_block(vc, &cts[0], self->out, 0));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(end_write(vc, cts[0].s_id));
	ASSERT_TRUE(send_block(vc, &cts[1], self->out, 0));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_ERRNO(EREMOTEIO, recv_record(vc->fd, self->in, T_LEN));
	/* 10.3: the End_Ack was lost */
	EXPECT_TRUE(end_write(vc, cts[0].s_id));
	/* The connection stays up, and the next Transfer is complete */
	ASSERT_TRUE(vc_write(vc, I_ID + 1, 1, BLOCKSIZE, cts));
	ASSERT_TRUE(vc_quiet(vc));
}

/* 6.2.3, 6.1.1.4: an End completes a Transfer of unlimited size */
TEST_F(state, end_of_unlimited)
{
	struct vc *vc = self->vc;
	struct op cts, op;

	ASSERT_TRUE(vc_write(vc, I_ID, 0, BLOCKSIZE, &cts));
	op = vc_stu(vc, &cts, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 200));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(end_write(vc, cts.s_id));
	EXPECT_EQ(200, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, 200, 1, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.3: of a Transfer of unlimited size the first Block is cleared alone, then several. */
TEST_F(state, blocks_of_unlimited)
{
	struct vc *vc = self->vc;
	struct op cts, op;
	bool last = false;
	__u32 next = 2;

	ASSERT_TRUE(vc_write(vc, I_ID, 0, BLOCKSIZE, &cts));
	EXPECT_EQ(0, cts.b_num);
	EXPECT_TRUE(vc_quiet(vc));
	op = vc_stu(vc, &cts, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, BLOCK));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
	EXPECT_EQ(1, cts.b_num);
	op = vc_stu(vc, &cts, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + BLOCK, BLOCK));
	EXPECT_EQ(2 * BLOCK, recv_part(vc->fd, self->in, 2 * BLOCK, MSG_WAITALL, &last));
	EXPECT_FALSE(last);
	EXPECT_TRUE(is_filled(self->in, 2 * BLOCK, 1, 0));

	op = vc_to(vc, END, 0);
	op.d_id = cts.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	while (vc_next(vc, &op) && op.op == CLEAR_TO_SEND)
		EXPECT_EQ(next++, op.b_num);
	EXPECT_LT(2, next);
	EXPECT_EQ(END_ACK, op.op);
	EXPECT_EQ(I_ID, op.d_id);
	EXPECT_EQ(cts.s_id, op.s_id);
	EXPECT_EQ(0, recv_part(vc->fd, self->in, 1, 0, &last));
	EXPECT_TRUE(last);
}

/* 10.7.1: the End of a Transfer that never existed, and its End_Ack */
TEST_F(state, end_of_nothing)
{
	static const __u8 codes[] = { END, END_ACK };
	struct vc *vc = self->vc;
	struct op op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = vc_to(vc, codes[i], 0);
		op.d_id = 0x12345;
		op.s_id = I_ID;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
}

/* 10.5.2: an End_Ack without an End; the Transfer continues, and can be ended */
TEST_F(state, end_ack_without_end)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], op = vc_to(vc, END_ACK, 0);

	ASSERT_TRUE(begin_write(vc, cts));
	op.d_id = cts[0].s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 1 })));
	EXPECT_EQ(END_ACK, errors_of(vc->fd).unexpected_opcode_value);
	EXPECT_TRUE(ask(vc, cts[0].s_id, NO_B_NUM, NO_B_NUM, NO_B_NUM));
	EXPECT_TRUE(end_write(vc, cts[0].s_id));
	EXPECT_ERRNO(EREMOTEIO, recv_record(vc->fd, self->in, T_LEN));
}

/* Starts a send(), and returns its identifier */
static bool begin_send(struct vc *vc, struct job *job, struct op *rts)
{
	return job_start(job) && vc_read(vc, REQUEST_TO_SEND, rts);
}

/* Clears the first Block to the send, as Transfer @r_id */
static bool clear(struct vc *vc, const struct op *rts, __u32 r_id)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = BLOCKSIZE;
	op.b_id = 0x7e57;
	op.d_id = rts->s_id;
	op.s_id = r_id;
	return vc_send(vc, &op);
}

/* Ends a Transfer as its data Destination; @next is the one that waited for this, or NULL */
static bool end_send(struct vc *vc, const struct op *rts, struct op *next)
{
	struct op op = vc_to(vc, END, 0), expected = vc_from(vc, END_ACK, 0);

	op.d_id = rts->s_id;
	op.s_id = 0x4444;
	expected.d_id = op.s_id;
	expected.s_id = op.d_id;
	return vc_send(vc, &op) && (!next || vc_read(vc, REQUEST_TO_SEND, next)) &&
	       vc_expect(vc, &expected);
}

/* 6.1.1.4: the data Destination ends a Transfer */
TEST_F(state, end_by_the_destination)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = T_LEN };
	struct op rts;

	ASSERT_TRUE(begin_send(vc, &job, &rts));
	ASSERT_TRUE(end_send(vc, &rts, NULL));
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(EREMOTEIO, job.error);
	/* A Block that is cleared late has no effect */
	ASSERT_TRUE(clear(vc, &rts, 0x4444));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.1.4, table 5 Com4: a send that is cut short; every field of its End */
TEST_F(state, end_by_the_socket)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = T_LEN };
	struct op rts, op, expected;
	struct msg *data;

	ASSERT_TRUE(set_timeout(vc->fd, SO_SNDTIMEO, SOON_MS / 10));
	ASSERT_TRUE(begin_send(vc, &job, &rts));
	ASSERT_TRUE(clear(vc, &rts, 0x4444));
	data = vc_data(vc);
	ASSERT_NE(NULL, data);
	free(data);
	expected = vc_from(vc, END, 0);
	expected.d_id = 0x4444;
	expected.s_id = rts.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(ETIME, job.error);
	op = vc_to(vc, END_ACK, 0);
	op.d_id = rts.s_id;
	op.s_id = 0x4444;
	ASSERT_TRUE(vc_send(vc, &op));
	/* A repetition is late, without further effect */
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* A signal sends nothing to the peer, whether or not it knows the record. */
TEST_F_TIMEOUT(state, signals, 60)
{
	struct vc *vc = self->vc;
	struct job first = { .fd = vc->fd, .buf = self->out, .len = T_LEN }, second = first;
	struct op rts, next;

	/* With a timeout no call is restarted */
	ASSERT_TRUE(set_timeout(vc->fd, SO_SNDTIMEO, 0));
	ASSERT_TRUE(catch_signal(SIGUSR1, 0));
	ASSERT_TRUE(begin_send(vc, &first, &rts));
	ASSERT_TRUE(job_start(&second));
	ASSERT_TRUE(signal_job(&second, SIGUSR1));
	job_end(&second);
	EXPECT_EQ(-1, second.result);
	EXPECT_EQ(EINTR, second.error);
	ASSERT_TRUE(catch_signal(SIGUSR1, SA_RESTART));
	ASSERT_TRUE(job_start(&second));
	ASSERT_TRUE(signal_job(&second, SIGUSR1));
	ASSERT_TRUE(job_asleep(&second));
	ASSERT_TRUE(signal_job(&first, SIGUSR1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(job_running(&first));
	ASSERT_TRUE(end_send(vc, &rts, &next));
	job_end(&first);
	EXPECT_EQ(-1, first.result);
	EXPECT_EQ(EREMOTEIO, first.error);
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(end_send(vc, &next, NULL));
	job_end(&second);
	EXPECT_EQ(-1, second.result);
	EXPECT_EQ(EREMOTEIO, second.error);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.3: a record of no bytes is a Transfer of unlimited size without Data. */
TEST_F(state, end_of_an_empty_record)
{
	struct vc *vc = self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out, .len = 0 };
	struct op rts, op, expected;

	ASSERT_TRUE(begin_send(vc, &job, &rts));
	EXPECT_EQ(0, rts.sync);
	EXPECT_EQ(0, rts.b_num);
	ASSERT_TRUE(clear(vc, &rts, 0x4444));
	expected = vc_from(vc, END, 0);
	expected.d_id = 0x4444;
	expected.s_id = rts.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = rts.s_id;
	op.s_id = 0x4444;
	ASSERT_TRUE(vc_send(vc, &op));
	job_end(&job);
	EXPECT_EQ(0, job.result);
	EXPECT_TRUE(vc_quiet(vc));
}

TEST_HARNESS_MAIN
