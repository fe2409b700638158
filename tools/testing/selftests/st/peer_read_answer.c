// SPDX-License-Identifier: GPL-2.0
/*
 * Read sequences, ST 6.1.3: a socket as the Responder; the peer is the
 * Initiator.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "ctl.h"
#include "peer.h"

enum { I_ID = 0x1d00, T_LEN = 3000, BLOCK = 1024, BLOCKSIZE = 10, BLOCKS = 3, MX = 0x3c00 };

FIXTURE(read_answer)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
	struct job job;
};

static bool serve(int fd, int what)
{
	return !setsockopt(fd, SOL_ST, ST_SERVE, &what, sizeof(what));
}

FIXTURE_SETUP(read_answer)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
	self->job = (struct job) {
		.fd = self->vc->fd, .buf = self->out, .len = T_LEN, .answers = I_ID,
	};
	ASSERT_TRUE(serve(self->vc->fd, ST_SERVE_READS));
}

FIXTURE_TEARDOWN(read_answer)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static struct op request(const struct vc *vc, __u32 id, __u16 channel)
{
	struct op op = vc_to(vc, REQUEST_TO_RECEIVE, channel);

	op.b_num = T_LEN;
	op.s_id = id;
	return op;
}

/* Sends a request, which is acknowledged: every field of the Request_Answer */
static bool ask(struct vc *vc, __u32 id, __u16 channel, __u16 answer)
{
	struct op op = request(vc, id, channel), expected = vc_from(vc, REQUEST_ANSWER, answer);

	expected.d_id = id;
	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

/* The application gets an event. */
static bool told(int fd, __u32 id, unsigned int channel)
{
	struct st_event event;

	return next_event(fd, &event, LONG_MS) && event.type == ST_EVENT_READ_REQUEST &&
	       event.id == id && event.len == T_LEN && event.value == channel;
}

static bool no_more_events(int fd)
{
	struct st_event event;

	return !next_event(fd, &event, 0) && errno == ETIMEDOUT;
}

/* Sends a request, and receives the announcement of the bytes */
static bool begin(struct vc *vc, struct job *job, struct op *rts)
{
	return ask(vc, I_ID, F_CHANNEL_1, 0) && told(vc->fd, I_ID, 1) && job_start(job) &&
	       vc_read(vc, REQUEST_TO_SEND, rts);
}

static struct op clear_op(const struct vc *vc, const struct op *rts, __u32 b_num)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = BLOCKSIZE;
	op.b_id = MX + b_num;
	op.bufx = 5;
	op.offset = b_num * BLOCK;
	op.b_num = b_num;
	op.d_id = rts->s_id;
	op.s_id = rts->d_id;
	return op;
}

/* A Block is cleared and arrives in one STU; every field of it, table 7 R4 */
static bool block_comes(struct vc *vc, const struct op *rts, __u32 b_num, __u8 *in)
{
	size_t at = b_num * BLOCK, len = T_LEN - at < BLOCK ? T_LEN - at : BLOCK;
	struct op cts = clear_op(vc, rts, b_num), expected;
	struct msg *data;
	bool ok;

	if (!vc_send(vc, &cts))
		return false;
	data = vc_data(vc);
	if (!data)
		return false;
	expected = vc_from(vc, DATA, (rts->flags & F_CHANNEL) | F_LAST | F_SEND_STATE);
	expected.b_id = cts.b_id;
	expected.bufx = cts.bufx;
	expected.offset = cts.offset;
	expected.sync = data->op.sync;	/* any */
	expected.b_num = b_num;
	expected.d_id = rts->d_id;
	ok = op_is(&data->op, &expected) && data->len == len;
	memcpy(in + at, payload_of(data), data->len);
	free(data);
	return ok;
}

/* Completes a Read of which nothing is cleared yet */
static bool finish(struct vc *vc, const struct op *rts, struct job *job, __u8 *in)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
	__u32 b;

	for (b = 0; b < BLOCKS; b++)
		if (!block_comes(vc, rts, b, in))
			return false;
	op.param = vc->slots;
	op.offset = BLOCKS - 1;
	op.b_num = NO_B_NUM;
	op.d_id = rts->s_id;
	op.s_id = rts->d_id;
	if (!vc_send(vc, &op))
		return false;
	job_end(job);
	return job->result == T_LEN && is_filled(in, T_LEN, 1, 0);
}

static bool aborted(struct job *job)
{
	job_end(job);
	return job->result == -1 && job->error == EREMOTEIO;
}

/* Table 7 R1, R2, R4: every field of the Request_Answer, Request_To_Send and Data */
TEST_F(read_answer, request_to_send)
{
	struct vc *vc = self->vc;
	struct op rts, expected;
	__u32 last = 0;
	int i;

	for (i = 1; i <= 3; i++) {
		ASSERT_TRUE(ask(vc, I_ID + i, i, 0));
		ASSERT_TRUE(told(vc->fd, I_ID + i, i));
		EXPECT_TRUE(vc_quiet(vc));
		self->job.answers = I_ID + i;
		ASSERT_TRUE(job_start(&self->job));
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
		EXPECT_LT(0, rts.param);
		expected = vc_from(vc, REQUEST_TO_SEND, i);
		expected.param = rts.param;		/* CTS_req: any */
		expected.b_id = vc->max_stu + 15;	/* 6.2.5: STU_num must not wrap */
		expected.b_num = T_LEN;
		expected.d_id = I_ID + i;
		expected.s_id = rts.s_id;
		EXPECT_TRUE(op_is(&rts, &expected));
		EXPECT_NE(NO_ID, rts.s_id);
		EXPECT_LT(last, rts.s_id);
		last = rts.s_id;
		EXPECT_TRUE(finish(vc, &rts, &self->job, self->in));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.3: a repeated Request_To_Receive is answered, and starts nothing */
TEST_F(read_answer, request_again)
{
	struct op op = request(self->vc, I_ID, F_CHANNEL_1), rts;
	struct vc *vc = self->vc;

	ASSERT_TRUE(ask(vc, I_ID, F_CHANNEL_1, 0));
	ASSERT_TRUE(ask(vc, I_ID, F_CHANNEL_1, 0));
	ASSERT_TRUE(told(vc->fd, I_ID, 1));
	EXPECT_TRUE(no_more_events(vc->fd));
	ASSERT_TRUE(job_start(&self->job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &rts));
	EXPECT_TRUE(block_comes(vc, &rts, 0, self->in));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(finish(vc, &rts, &self->job, self->in));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(no_more_events(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 7.3: Reads are not answered, or the application refuses this one; also its repetition */
TEST_F(read_answer, rejected)
{
	struct vc *vc = self->vc;
	struct op expected;
	int i;

	ASSERT_TRUE(serve(vc->fd, 0));
	for (i = 0; i < 2; i++)
		EXPECT_TRUE(ask(vc, I_ID, F_CHANNEL_1, F_REJECT));
	EXPECT_TRUE(no_more_events(vc->fd));
	ASSERT_TRUE(serve(vc->fd, ST_SERVE_READS));
	EXPECT_TRUE(ask(vc, I_ID + 1, F_CHANNEL_1, 0));
	ASSERT_TRUE(told(vc->fd, I_ID + 1, 1));
	ASSERT_EQ(0, read_refuse(vc->fd, I_ID + 1));
	expected = vc_from(vc, REQUEST_ANSWER, F_REJECT);
	expected.d_id = I_ID + 1;
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_TRUE(ask(vc, I_ID + 1, F_CHANNEL_1, F_REJECT));
	EXPECT_TRUE(no_more_events(vc->fd));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.3, 6.2.1: impossible requests are rejected */
TEST_F(read_answer, impossible)
{
	struct vc *vc = self->vc;

	EXPECT_TRUE(ask(vc, I_ID, 0, F_REJECT));
	EXPECT_TRUE(ask(vc, NO_ID, F_CHANNEL_1, F_REJECT));
	EXPECT_TRUE(no_more_events(vc->fd));
	EXPECT_TRUE(vc_quiet(vc));
}

/* 10.6.2: requests beyond the limit are not executed */
TEST_F(read_answer, too_many)
{
	struct vc *vc = self->vc;
	struct op op;
	__u32 i;

	for (i = 0; i < ST_READS_MAX; i++) {
		ASSERT_TRUE(ask(vc, I_ID + i, F_CHANNEL_1, 0));
		ASSERT_TRUE(told(vc->fd, I_ID + i, 1));
	}
	op = request(vc, I_ID + i, F_CHANNEL_1);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_SLOTS_EXCEEDED, 1 })));
	/* Once one has ended, another is executed */
	ASSERT_EQ(0, read_refuse(vc->fd, I_ID));
	ASSERT_TRUE(vc_read(vc, REQUEST_ANSWER, &op));
	EXPECT_TRUE(ask(vc, I_ID + i, F_CHANNEL_1, 0));
	EXPECT_TRUE(told(vc->fd, I_ID + i, 1));
}

/* Table 7 R2: the Initiator has no space in the end */
TEST_F(read_answer, rejected_by_the_initiator)
{
	struct vc *vc = self->vc;
	struct op rts, op;

	ASSERT_TRUE(begin(vc, &self->job, &rts));
	op = vc_to(vc, REQUEST_ANSWER, 0);
	op.d_id = rts.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(job_running(&self->job));
	op.flags = F_REJECT;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(aborted(&self->job));
	/* A later Clear_To_Send has no effect, and a repeated request is over. */
	op = clear_op(vc, &rts, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	op = request(vc, I_ID, F_CHANNEL_1);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(no_more_events(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.1, 10.7.4, 10.7.6: Clear_To_Sends that are for another Read or impossible */
TEST_F(read_answer, wrong_clear_to_send)
{
	struct vc *vc = self->vc;
	struct op rts, op[5];
	unsigned int i;

	ASSERT_TRUE(begin(vc, &self->job, &rts));
	for (i = 0; i < ARRAY_SIZE(op); i++)
		op[i] = clear_op(vc, &rts, 0);
	op[0].s_id++;
	op[1].d_id += 0x1000;
	op[2].param = 49;
	op[3].b_num = BLOCKS;
	op[4].offset = 1 << vc->bufsize;
	for (i = 0; i < ARRAY_SIZE(op); i++)
		ASSERT_TRUE(vc_send(vc, &op[i]));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 },
							 { ST_ERR_ILLEGAL_BLOCKSIZE, 1 },
							 { ST_ERR_OUT_OF_RANGE_B_NUM, 1 },
							 { ST_ERR_OVERSIZED_OFFSET, 1 })));
	EXPECT_TRUE(finish(vc, &rts, &self->job, self->in));
}

/* 6.1.1.4: the Initiator ends it */
TEST_F(read_answer, end_by_the_initiator)
{
	struct vc *vc = self->vc;
	struct op rts, op, expected;
	int i;

	ASSERT_TRUE(begin(vc, &self->job, &rts));
	ASSERT_TRUE(block_comes(vc, &rts, 0, self->in));
	op = vc_to(vc, END, 0);
	op.d_id = rts.s_id;
	op.s_id = I_ID;
	expected = vc_from(vc, END_ACK, 0);
	expected.d_id = I_ID;
	expected.s_id = rts.s_id;
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(vc_expect(vc, &expected));
	}
	EXPECT_TRUE(aborted(&self->job));
	op = clear_op(vc, &rts, 1);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.1.4, table 5 Com4: the application aborts it; every field of the End */
TEST_F(read_answer, end_by_the_socket)
{
	struct vc *vc = self->vc;
	struct op rts, op, expected;

	ASSERT_TRUE(catch_signal(SIGUSR1, 0));
	ASSERT_TRUE(begin(vc, &self->job, &rts));
	ASSERT_TRUE(block_comes(vc, &rts, 0, self->in));
	ASSERT_TRUE(signal_job(&self->job, SIGUSR1));
	expected = vc_from(vc, END, 0);
	expected.d_id = I_ID;
	expected.s_id = rts.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	job_end(&self->job);
	EXPECT_EQ(-1, self->job.result);
	op = vc_to(vc, END_ACK, 0);
	op.d_id = rts.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

TEST_HARNESS_MAIN
