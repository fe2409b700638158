// SPDX-License-Identifier: GPL-2.0
/*
 * A socket as the data Source of Write sequences, ST 6.1.2; the peer is the
 * data Destination.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

enum { R_ID = 0x2b0d, T_LEN = 10000, BLOCK = 4096, BLOCKSIZE = 12, BLOCKS = 3, MX = 0x3c00 };

FIXTURE(source)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
	struct job job;
	struct op rts;		/* of the pending send */
};

FIXTURE_SETUP(source)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
	self->job = (struct job) { .fd = self->vc->fd, .buf = self->out, .len = T_LEN };
	ASSERT_TRUE(job_start(&self->job));
	ASSERT_TRUE(vc_read(self->vc, REQUEST_TO_SEND, &self->rts));
}

FIXTURE_TEARDOWN(source)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* Clears a Block of the send into buffers that begin at Bufx 5 */
static struct op clear_op(const struct vc *vc, const struct op *rts, __u32 b_num)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = BLOCKSIZE;
	op.b_id = MX + b_num;
	op.bufx = 5;
	op.offset = b_num * BLOCK;
	op.b_num = b_num;
	op.d_id = rts->s_id;
	op.s_id = R_ID;
	return op;
}

static bool clear(struct vc *vc, const struct op *rts, __u32 b_num)
{
	struct op op = clear_op(vc, rts, b_num);

	return vc_send(vc, &op);
}

static size_t block_len(__u32 b_num)
{
	return b_num == BLOCKS - 1 ? T_LEN - b_num * BLOCK : BLOCK;
}

/* Checks that a whole Block arrives next in one STU, with every field right. */
static bool block_comes(struct vc *vc, const struct op *cts, __u16 flags, __u8 *in)
{
	struct op expected = vc_from(vc, DATA, F_CHANNEL_1 | F_LAST | flags);
	struct msg *data = vc_data(vc);
	bool ok;

	if (!data)
		return false;
	expected.b_id = cts->b_id;
	expected.bufx = cts->bufx;
	expected.offset = cts->offset;
	expected.sync = data->op.sync;	/* any */
	expected.b_num = cts->b_num;
	expected.d_id = R_ID;
	ok = op_is(&data->op, &expected) && data->len == block_len(cts->b_num);
	memcpy(in + cts->b_num * BLOCK, payload_of(data), data->len);
	free(data);
	return ok;
}

static struct op acknowledge_op(const struct vc *vc, const struct op *rts, __u32 b_seq)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = vc->slots;
	op.offset = b_seq;
	op.b_num = NO_B_NUM;
	op.d_id = rts->s_id;
	op.s_id = R_ID;
	return op;
}

static bool acknowledge(struct vc *vc, const struct op *rts, __u32 b_seq)
{
	struct op op = acknowledge_op(vc, rts, b_seq);

	return vc_send(vc, &op);
}

/* Completes a send of which nothing is cleared yet */
static bool finish(struct vc *vc, const struct op *rts, struct job *job, __u8 *in)
{
	struct op cts;
	__u32 b;

	for (b = 0; b < BLOCKS; b++) {
		cts = clear_op(vc, rts, b);
		if (!vc_send(vc, &cts) || !block_comes(vc, &cts, F_SEND_STATE, in))
			return false;
	}
	if (!acknowledge(vc, rts, BLOCKS - 1))
		return false;
	job_end(job);
	return job->result == T_LEN && is_filled(in, T_LEN, 1, 0);
}

/* 6.1.2, table 6 W1: every field of the Request_To_Send */
TEST_F(source, request_to_send)
{
	struct vc *vc = self->vc;
	struct op expected = vc_from(vc, REQUEST_TO_SEND, F_CHANNEL_1);

	EXPECT_LT(0, self->rts.param);
	expected.param = self->rts.param;	/* CTS_req: any */
	expected.b_id = vc->max_stu + 15;	/* 6.2.5: STU_num must not wrap */
	expected.b_num = T_LEN;
	expected.s_id = self->rts.s_id;
	EXPECT_TRUE(op_is(&self->rts, &expected));
	EXPECT_NE(NO_ID, self->rts.s_id);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/**
 * struct layout - parameters of a Destination, as exponents
 * @bufsize: size of its buffers
 * @max_stu: size of its STUs
 * @blocksize: size of the Blocks
 * @f_offset: Offset of the first Block
 */
struct layout {
	__u8	bufsize;
	__u8	max_stu;
	__u8	blocksize;
	__u32	f_offset;
};

/* 6.2.6: the first Block ends where a Block from Offset 0 would end */
static __u32 layout_len(const struct layout *l, __u32 at)
{
	__u32 size = 1 << l->blocksize, len = at ? size : size - l->f_offset % size;

	return T_LEN - at < len ? T_LEN - at : len;
}

/* Checks a Block in STUs, each in bounds: 6.2.7.  Returns true if it is right. */
static bool stus_come(struct vc *vc, const struct layout *l, const struct op *cts, __u32 at)
{
	__u64 size = 1ULL << l->bufsize, place = cts->bufx * size + cts->offset;
	__u32 left = layout_len(l, at);
	struct op expected = vc_from(vc, DATA, 0);
	struct msg *data;
	bool ok = true;

	expected.b_id = cts->b_id;
	expected.b_num = cts->b_num;
	expected.d_id = R_ID;
	while (ok && left) {
		data = vc_data(vc);
		if (!data)
			return false;
		expected.flags = F_CHANNEL_1 | F_SILENT;
		if (data->len == left)
			expected.flags = F_CHANNEL_1 | F_LAST | F_SEND_STATE;
		expected.bufx = place / size;
		expected.offset = place % size;
		expected.sync = data->op.sync;
		ok = op_is(&data->op, &expected) && data->len && data->len <= left &&
		     data->len <= 1U << l->max_stu && data->len <= size - expected.offset &&
		     is_filled(payload_of(data), data->len, 1, at);
		place += data->len;
		left -= data->len;
		at += data->len;
		expected.param++;
		free(data);
	}
	return ok;
}

/*
 * 6.1.2, 6.2.6 to 6.2.8, table 6 W3: every field of Data; Blocks of, over and under
 * the size of a buffer, with and without an Offset as in figure 11
 */
TEST_F_TIMEOUT(source, layouts, 120)
{
	static const struct layout layouts[] = {
		{ 8, 8, 12, 100 }, { 12, 12, 12, 0 }, { 12, 12, 12, 1000 }, { 12, 9, 12, 4095 },
		{ 10, 10, 12, 0 }, { 10, 8, 12, 700 }, { 9, 9, 13, 511 }, { 14, 12, 12, 5000 },
		{ 16, 12, 10, 1 }, { 20, 8, 9, 100 }, { 32, 12, 14, 0 }, { 16, 15, 27, 12345 },
		{ 8, 8, 8, 255 },
	};
	unsigned int i;

	ASSERT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		const struct layout *l = &layouts[i];
		struct vc vc = vc_new(&self->bench.peer);
		struct job job = { .buf = self->out, .len = T_LEN };
		__u32 at, b = 0;
		struct op rts, cts;

		vc.bufsize = l->bufsize;
		vc.max_stu = l->max_stu;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		job.fd = vc.fd;
		ASSERT_TRUE(job_start(&job));
		ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
		for (at = 0; at < T_LEN; at += layout_len(l, at), b++) {
			__u64 place = ((__u64)7 << l->bufsize) + l->f_offset + at;

			cts = clear_op(&vc, &rts, b);
			cts.param = l->blocksize;
			cts.bufx = (place >> l->bufsize) + b * 0x1000;	/* any */
			cts.offset = place & ((1ULL << l->bufsize) - 1);
			cts.sync = l->f_offset;
			ASSERT_TRUE(vc_send(&vc, &cts));
			ASSERT_TRUE(stus_come(&vc, l, &cts, at)) {
				TH_LOG("layout %u, Block %u", i, b);
			}
		}
		/* 6.2.6: and there are no more Blocks */
		cts.b_num++;
		ASSERT_TRUE(vc_send(&vc, &cts));
		EXPECT_TRUE(vc_quiet(&vc));
		ASSERT_TRUE(acknowledge(&vc, &rts, b - 1));
		job_end(&job);
		EXPECT_EQ(T_LEN, job.result);
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	EXPECT_TRUE(logged(self->vc->fd, &self->before,
			   LOGGED({ ST_ERR_OUT_OF_RANGE_B_NUM, ARRAY_SIZE(layouts) })));
}

/* 6.2.1: sequence identifiers increase */
TEST_F(source, i_ids)
{
	__u32 last = self->rts.s_id;
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
		ASSERT_TRUE(job_start(&self->job));
		ASSERT_TRUE(vc_read(self->vc, REQUEST_TO_SEND, &self->rts));
		EXPECT_LT(last, self->rts.s_id);
		last = self->rts.s_id;
	}
	EXPECT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
}

/* 6.1.2: several Blocks are cleared; only the last Data requests the state */
TEST_F(source, blocks_at_a_time)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct job job = { .buf = self->out, .len = T_LEN };
	struct op rts, cts[BLOCKS], question, answer;
	__u32 b;

	ASSERT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
	/* No Slot for Data that requests the state, until all three are cleared: 5.2.5 */
	vc.slots = 2;
	vc.manual = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	job.fd = vc.fd;
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
	for (b = 0; b < BLOCKS; b++) {
		cts[b] = clear_op(&vc, &rts, b);
		ASSERT_TRUE(vc_send(&vc, &cts[b]));
	}
	ASSERT_TRUE(vc_read(&vc, REQUEST_STATE, &question));
	EXPECT_EQ(NO_ID, question.d_id);
	for (b = 0; b < BLOCKS - 1; b++)
		EXPECT_TRUE(block_comes(&vc, &cts[b], F_SILENT, self->in));
	answer = vc_to(&vc, REQUEST_STATE_RESPONSE, 0);
	answer.param = 10;
	answer.sync = question.sync;
	answer.d_id = NO_ID;
	ASSERT_TRUE(vc_send(&vc, &answer));
	EXPECT_TRUE(block_comes(&vc, &cts[b], F_SEND_STATE, self->in));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
	EXPECT_TRUE(vc_hang_up(&vc));
	job_end(&job);
	close(vc.fd);
}

/* 6.1.2: it waits before and after a Request_Answer */
TEST_F(source, answered_pending)
{
	struct op op = vc_to(self->vc, REQUEST_ANSWER, 0);

	op.d_id = self->rts.s_id;
	ASSERT_TRUE(vc_send(self->vc, &op));
	ASSERT_TRUE(vc_send(self->vc, &op));
	EXPECT_TRUE(vc_quiet(self->vc));
	EXPECT_TRUE(job_running(&self->job));
	EXPECT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
	/* Late, without further effect */
	op.flags = F_REJECT;
	ASSERT_TRUE(vc_send(self->vc, &op));
	EXPECT_TRUE(vc_quiet(self->vc));
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
}

/* 7.3: rejected, at once or later; the connection stays up */
TEST_F(source, rejected)
{
	struct op op = vc_to(self->vc, REQUEST_ANSWER, 0);
	struct vc *vc = self->vc;

	op.d_id = self->rts.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	op.flags = F_REJECT;
	ASSERT_TRUE(vc_send(vc, &op));
	job_end(&self->job);
	EXPECT_EQ(-1, self->job.result);
	EXPECT_EQ(EREMOTEIO, self->job.error);
	/* A later Clear_To_Send has no effect */
	ASSERT_TRUE(clear(vc, &self->rts, 0));
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(job_start(&self->job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/*
 * The sender no longer waits, but the peer may still clear it: the number of such records is
 * limited.
 */
TEST_F(source, given_up_take_room)
{
	enum { MOST = 100 };
	struct op op = vc_to(self->vc, REQUEST_ANSWER, 0), rts[MOST];
	struct vc *vc = self->vc;
	int sndbuf = 1, given_up, i;

	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
	ASSERT_EQ(0, setsockopt(vc->fd, SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof(sndbuf)));
	ASSERT_TRUE(set_timeout(vc->fd, SO_SNDTIMEO, 50));
	for (given_up = 0; poll_for(vc->fd, POLLOUT, 0); given_up++) {
		ASSERT_GT(MOST, given_up);
		EXPECT_ERRNO(ETIME, send(vc->fd, self->out, T_LEN, MSG_NOSIGNAL));
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts[given_up]));
		/* The next is announced when this one is answered */
		op.d_id = rts[given_up].s_id;
		ASSERT_TRUE(vc_send(vc, &op));
		ASSERT_TRUE(vc_executed(vc));
	}
	EXPECT_LT(1, given_up);
	EXPECT_ERRNO(EAGAIN, send(vc->fd, self->out, T_LEN, MSG_NOSIGNAL));
	EXPECT_TRUE(vc_quiet(vc));

	/* The peer completes them */
	op.flags = F_REJECT;
	for (i = 0; i < given_up; i++) {
		op.d_id = rts[i].s_id;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	ASSERT_EQ(POLLOUT, poll_for(vc->fd, POLLOUT, LONG_MS));
	ASSERT_TRUE(set_timeout(vc->fd, SO_SNDTIMEO, LONG_MS));
	ASSERT_TRUE(job_start(&self->job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
}

/* Nobody waits for such a record, so the next call reports it, once. */
TEST_F(source, failed_unseen)
{
	const int flags[] = { MSG_DONTWAIT, MSG_ZEROCOPY };
	struct op op = vc_to(self->vc, REQUEST_ANSWER, F_REJECT);
	struct vc *vc = self->vc;
	const int on = 1;
	unsigned int i;

	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
	ASSERT_EQ(0, setsockopt(vc->fd, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on)));
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		ASSERT_EQ(T_LEN, send(vc->fd, self->out, T_LEN, flags[i] | MSG_NOSIGNAL));
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
		op.d_id = self->rts.s_id;
		ASSERT_TRUE(vc_send(vc, &op));
		ASSERT_TRUE(vc_executed(vc));
		EXPECT_ERRNO(EREMOTEIO, send(vc->fd, self->out, T_LEN, MSG_NOSIGNAL));
		EXPECT_TRUE(vc_quiet(vc));
		ASSERT_TRUE(job_start(&self->job));
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
		EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
	}
	/* A record that the sender gave up itself is not reported. */
	ASSERT_TRUE(set_timeout(vc->fd, SO_SNDTIMEO, 50));
	EXPECT_ERRNO(ETIME, send(vc->fd, self->out, T_LEN, MSG_NOSIGNAL));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
	op.d_id = self->rts.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_executed(vc));
	ASSERT_EQ(1, send(vc->fd, self->out, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &self->rts));
}

/* 5.1.2: the same when the connection is torn down */
TEST_F(source, torn_down_unseen)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct op rts;

	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	ASSERT_EQ(1, send(vc.fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
	ASSERT_TRUE(vc_hang_up(&vc));
	EXPECT_ERRNO(ECONNRESET, send(vc.fd, "x", 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(EPIPE, send(vc.fd, "x", 1, MSG_NOSIGNAL));
	close(vc.fd);
	EXPECT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
}

/* 10.7.1: unsolicited answers */
TEST_F(source, unknown_transfer)
{
	static const __u8 codes[] = { REQUEST_ANSWER, CLEAR_TO_SEND, REQUEST_STATE_RESPONSE };
	struct vc *vc = self->vc;
	struct op op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = vc_to(vc, codes[i], 0);
		op.param = codes[i] == REQUEST_ANSWER ? 0 : BLOCKSIZE;
		op.d_id = self->rts.s_id + 0x1000;
		op.s_id = codes[i] == REQUEST_ANSWER ? 0 : R_ID;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 3 })));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
}

/* 8.2: Blocks in any order, as they are cleared */
TEST_F(source, blocks_in_any_order)
{
	static const __u8 order[BLOCKS] = { 2, 0, 1 };
	struct vc *vc = self->vc;
	struct op cts;
	int i;

	for (i = 0; i < BLOCKS; i++) {
		cts = clear_op(vc, &self->rts, order[i]);
		ASSERT_TRUE(vc_send(vc, &cts));
		EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	}
	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	job_end(&self->job);
	EXPECT_EQ(T_LEN, self->job.result);
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
}

/* 10.7.8: a Block is requested again, into other memory */
TEST_F(source, block_again)
{
	struct vc *vc = self->vc;
	struct op cts;
	int i;

	for (i = 0; i < 3; i++) {
		cts = clear_op(vc, &self->rts, 0);
		cts.b_id += 0x100 * i;
		cts.bufx += 16 * i;
		ASSERT_TRUE(vc_send(vc, &cts));
		EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	}
	for (i = 1; i < BLOCKS; i++) {
		cts = clear_op(vc, &self->rts, i);
		ASSERT_TRUE(vc_send(vc, &cts));
		EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	}
	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	job_end(&self->job);
	EXPECT_EQ(T_LEN, self->job.result);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.4: a Block is acknowledged only when it is complete */
TEST_F(source, acknowledged)
{
	struct vc *vc = self->vc;
	struct op cts, op;
	__u32 b;

	for (b = 0; b < BLOCKS; b++) {
		cts = clear_op(vc, &self->rts, b);
		ASSERT_TRUE(vc_send(vc, &cts));
		EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
		op = acknowledge_op(vc, &self->rts, b ? b - 1 : NO_B_NUM);
		op.b_num = b;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(job_running(&self->job));
	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	job_end(&self->job);
	EXPECT_EQ(T_LEN, self->job.result);
	/* A repetition is late, without further effect */
	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* Table 10: Blocks that were not sent cannot have been received. */
TEST_F(source, acknowledged_before_it_is_sent)
{
	struct vc *vc = self->vc;
	struct op cts, op;

	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_RANGE_B_NUM, 1 })));
	cts = clear_op(vc, &self->rts, 0);
	ASSERT_TRUE(vc_send(vc, &cts));
	EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	ASSERT_TRUE(acknowledge(vc, &self->rts, BLOCKS - 1));
	op = acknowledge_op(vc, &self->rts, 0);
	op.b_num = 1;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_RANGE_B_NUM, 3 })));
	EXPECT_TRUE(job_running(&self->job));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
}

/* 6.2.1: the Destination no longer knows it */
TEST_F(source, forgotten)
{
	struct vc *vc = self->vc;
	struct op cts = clear_op(vc, &self->rts, 0), op;

	ASSERT_TRUE(vc_send(vc, &cts));
	EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	/* For another Transfer it does not affect this one */
	op = acknowledge_op(vc, &self->rts, 0);
	op.s_id = R_ID + 1;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_TRUE(job_running(&self->job));
	op = acknowledge_op(vc, &self->rts, NO_B_NUM);
	op.s_id = NO_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	job_end(&self->job);
	EXPECT_EQ(-1, self->job.result);
	EXPECT_EQ(EREMOTEIO, self->job.error);
	EXPECT_TRUE(vc_quiet(vc));
}

/**
 * struct wrong - an impossible Clear_To_Send
 * @param: Blocksize
 * @b_num: B_num
 * @bufx: Bufx
 * @offset: Offset
 * @error: the logged error
 */
struct wrong {
	__u16		param;
	__u32		b_num;
	__u32		bufx;
	__u32		offset;
	enum st_error	error;
};

static const struct wrong wrongs[] = {
	{ 0, 0, 5, 0, ST_ERR_ILLEGAL_BLOCKSIZE },
	{ 7, 0, 5, 0, ST_ERR_ILLEGAL_BLOCKSIZE },
	{ 28, 0, 5, 0, ST_ERR_ILLEGAL_BLOCKSIZE },	/* Max_Block is 27 */
	{ 49, 0, 5, 0, ST_ERR_ILLEGAL_BLOCKSIZE },
	{ 0xffff, 0, 5, 0, ST_ERR_ILLEGAL_BLOCKSIZE },
	{ 14, 1, 5, 0, ST_ERR_OUT_OF_RANGE_B_NUM },
	{ BLOCKSIZE, BLOCKS, 5, 0, ST_ERR_OUT_OF_RANGE_B_NUM },
	{ BLOCKSIZE, 0x7fffffff, 5, 0, ST_ERR_OUT_OF_RANGE_B_NUM },
	{ BLOCKSIZE, NO_B_NUM, 5, 0, ST_ERR_OUT_OF_RANGE_B_NUM },
	{ BLOCKSIZE, 0, 5, 1 << 16, ST_ERR_OVERSIZED_OFFSET },
	{ BLOCKSIZE, 0, 5, 0xffffffff, ST_ERR_OVERSIZED_OFFSET },
	{ BLOCKSIZE, 0, 0xffffffff, (1 << 16) - 1, ST_ERR_OUT_OF_RANGE_BUFX },
};

static void send_wrong(struct __test_metadata *_metadata, struct vc *vc, const struct op *rts)
{
	struct st_errors before;
	unsigned int i;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = clear_op(vc, rts, wrongs[i].b_num);
		op.param = wrongs[i].param;
		op.bufx = wrongs[i].bufx;
		op.offset = wrongs[i].offset;
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
	}
}

/* 10.7.4, 10.7.6, 6.2.5: discarded, logged, and without effect: the next one counts as the first */
TEST_F(source, wrong_clear_to_send)
{
	send_wrong(_metadata, self->vc, &self->rts);
	EXPECT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
}

/* 6.2.6, 6.2.8: the same during a Transfer, when Blocksize, F_Offset and R-id are fixed */
TEST_F(source, wrong_clear_to_send_later)
{
	struct vc *vc = self->vc;
	struct op cts = clear_op(vc, &self->rts, 0);

	ASSERT_TRUE(vc_send(vc, &cts));
	EXPECT_TRUE(block_comes(vc, &cts, F_SEND_STATE, self->in));
	cts = clear_op(vc, &self->rts, 1);
	cts.param = 11;
	ASSERT_TRUE(vc_send(vc, &cts));
	cts.param = BLOCKSIZE;
	cts.sync = 8;
	ASSERT_TRUE(vc_send(vc, &cts));
	cts.sync = 0;
	cts.s_id = R_ID + 1;
	ASSERT_TRUE(vc_send(vc, &cts));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_ILLEGAL_BLOCKSIZE, 2 },
							 { ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
}

/* 10.5.2: nothing is sent before the announcement */
TEST_F(source, cleared_before_it_is_announced)
{
	struct vc *vc = self->vc;
	struct op next = self->rts, rts;

	ASSERT_EQ(1, send(vc->fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	next.s_id++;
	ASSERT_TRUE(clear(vc, &next, 0));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 1 })));
	EXPECT_EQ(CLEAR_TO_SEND, errors_of(vc->fd).unexpected_opcode_value);
	ASSERT_TRUE(clear(vc, &self->rts, 0));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	EXPECT_EQ(next.s_id, rts.s_id);
	free(vc_data(vc));
}

/* 10.7.2: Data to the Source */
TEST_F(source, data_the_wrong_way)
{
	struct vc *vc = self->vc;
	struct op op = vc_to(vc, DATA, F_CHANNEL_1 | F_LAST);

	op.d_id = self->rts.s_id;
	ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_TRUE(finish(vc, &self->rts, &self->job, self->in));
}

/* A.1, 8.2: Data Channel 1 is VC1 */
TEST_F(source, on_vc1)
{
	long long before = dev_stat(B, "vc1_rx_messages"), vc2 = dev_stat(B, "vc2_rx_messages");

	EXPECT_TRUE(finish(self->vc, &self->rts, &self->job, self->in));
	EXPECT_EQ(before + BLOCKS, dev_stat(B, "vc1_rx_messages"));
	EXPECT_EQ(vc2, dev_stat(B, "vc2_rx_messages"));
}

TEST_HARNESS_MAIN
