// SPDX-License-Identifier: GPL-2.0
/*
 * Unanswered operations, ST 10.1, 10.2 and table 9; the peer does not answer.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "ctl.h"
#include "memory.h"

enum { TIMEOUT_MS = 100, RETRIES = 3, R_ID = 0x2b0d, I_ID = 0x1d00, BLOCKSIZE = 12, T_LEN = 100 };

FIXTURE(timeout)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
	struct job job;
};

FIXTURE_SETUP(timeout)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
	self->job = (struct job) { .fd = self->vc->fd, .buf = self->out, .len = T_LEN };
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", TIMEOUT_MS));
	ASSERT_TRUE(sysctl_set(A, "max_retry", RETRIES));
}

FIXTURE_TEARDOWN(timeout)
{
	EXPECT_TRUE(sysctl_set(A, "op_timeout_ms", NEVER_MS));
	EXPECT_TRUE(bench_close(&self->bench));
}

#define GAVE_UP		LOGGED({ ST_ERR_OP_TIMEOUT, RETRIES + 1 }, { ST_ERR_MAX_RETRY, 1 })

/* From now on an operation that times out is repeated only once. */
static bool once_more(void)
{
	return sysctl_set(A, "op_timeout_ms", NEVER_MS);
}

/*
 * Checks that the operation is repeated @count times, identical to the bit, except for a
 * possibly new Sync.
 */
static bool repeated(struct vc *vc, const struct op *first, int count, bool new_sync)
{
	struct op op, expected = *first;

	while (count--) {
		if (!vc_next(vc, &op))
			return false;
		if (new_sync)
			expected.sync = op.sync;
		if (!op_is(&op, &expected))
			return false;
		if (!new_sync && op.cksum != first->cksum) {
			print_op("another Cksum", &op);
			return false;
		}
	}
	return true;
}

/* Checks on another connection of the peer that nothing more arrived */
static bool no_more(struct bench *bench)
{
	struct vc vc = vc_new(&bench->peer);
	bool ok = sysctl_set(A, "op_timeout_ms", NEVER_MS) && vc_call(&vc, bench->listener) &&
		  vc_quiet(&vc) && vc_hang_up(&vc);

	close(vc.fd);
	return ok;
}

/* A send() up to its Request_To_Send */
static bool begin_send(struct vc *vc, struct job *job, struct op *rts)
{
	return job_start(job) && vc_read(vc, REQUEST_TO_SEND, rts);
}

static struct op clear_op(const struct vc *vc, const struct op *rts)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = BLOCKSIZE;
	op.b_id = 0x77;
	op.d_id = rts->s_id;
	op.s_id = R_ID;
	return op;
}

static bool failed(struct job *job, int error)
{
	job_end(job);
	return job->result == -1 && job->error == error;
}

static int error_of(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &len) ? -1 : value;
}

TEST_F(timeout, request_connection)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct sockaddr_st to = peer_address(vc.peer, vc.port);
	struct st_errors none = {};
	struct op op;

	vc.fd = new_socket(A, SOCK_NONBLOCK);
	EXPECT_ERRNO(EINPROGRESS, connect_to(vc.fd, &to));
	ASSERT_TRUE(vc_next(&vc, &op));
	EXPECT_EQ(REQUEST_CONNECTION, op.op);
	EXPECT_TRUE(repeated(&vc, &op, RETRIES, false));
	EXPECT_TRUE(poll_for(vc.fd, POLLOUT, LONG_MS) & POLLERR);
	EXPECT_EQ(ETIMEDOUT, error_of(vc.fd));
	EXPECT_TRUE(logged(vc.fd, &none, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
	close(vc.fd);
}

TEST_F(timeout, request_connection_answered_late)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct sockaddr_st to = peer_address(vc.peer, vc.port);
	struct op op;

	vc.fd = new_socket(A, SOCK_NONBLOCK);
	EXPECT_ERRNO(EINPROGRESS, connect_to(vc.fd, &to));
	ASSERT_TRUE(once_more());
	ASSERT_TRUE(vc_next(&vc, &op));
	EXPECT_TRUE(repeated(&vc, &op, 1, false));
	vc_learn(&vc, &op);
	op = vc_answer(&vc);
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_EQ(POLLOUT, poll_for(vc.fd, POLLOUT, LONG_MS));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

TEST_F(timeout, request_disconnect)
{
	struct vc *vc = self->vc;
	struct op op;

	ASSERT_EQ(0, shutdown(vc->fd, SHUT_WR));
	ASSERT_TRUE(vc_read(vc, REQUEST_DISCONNECT, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, disconnect_answer)
{
	struct vc *vc = self->vc;
	struct op op = vc_to(vc, REQUEST_DISCONNECT, 0);

	op.offset = vc->key;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, DISCONNECT_ANSWER, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, request_to_send)
{
	struct vc *vc = self->vc;
	struct op op;

	ASSERT_TRUE(begin_send(vc, &self->job, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(failed(&self->job, ETIMEDOUT));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, request_to_send_answered_late)
{
	struct vc *vc = self->vc;
	struct op op, cts;
	struct msg *data;

	ASSERT_TRUE(job_start(&self->job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &op));
	ASSERT_TRUE(once_more());
	EXPECT_TRUE(repeated(vc, &op, 1, false));
	cts = clear_op(vc, &op);
	ASSERT_TRUE(vc_send(vc, &cts));
	data = vc_data(vc);
	ASSERT_NE(NULL, data);
	free(data);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(1, get_info(vc->fd).op_retries);
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OP_TIMEOUT, 1 })));
}

/* 10.2: unanswered Data with Send_State is queried; every field of the Request_State */
TEST_F(timeout, send_state)
{
	struct vc *vc = self->vc;
	struct op rts, cts, op, expected;
	struct msg *data;

	ASSERT_TRUE(begin_send(vc, &self->job, &rts));
	cts = clear_op(vc, &rts);
	ASSERT_TRUE(vc_send(vc, &cts));
	data = vc_data(vc);
	ASSERT_NE(NULL, data);
	EXPECT_TRUE(data->op.flags & F_SEND_STATE);
	free(data);
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE, &op));
	expected = vc_from(vc, REQUEST_STATE, 0);
	expected.sync = op.sync;
	expected.b_num = NO_B_NUM;
	expected.d_id = R_ID;
	expected.s_id = rts.s_id;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_TRUE(repeated(vc, &op, RETRIES - 1, true));
	EXPECT_TRUE(failed(&self->job, ETIMEDOUT));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, send_state_answered_late)
{
	struct vc *vc = self->vc;
	struct op rts, op, answer;

	ASSERT_TRUE(begin_send(vc, &self->job, &rts));
	op = clear_op(vc, &rts);
	ASSERT_TRUE(vc_send(vc, &op));
	free(vc_data(vc));
	ASSERT_TRUE(once_more());
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE, &op));
	answer = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
	answer.param = vc->slots;
	answer.sync = op.sync;
	answer.b_num = NO_B_NUM;
	answer.d_id = rts.s_id;
	answer.s_id = R_ID;
	ASSERT_TRUE(vc_send(vc, &answer));
	job_end(&self->job);
	EXPECT_EQ(T_LEN, self->job.result);
}

/* 6.1.1.1: a Request_State for Slots, before Data without a Slot */
TEST_F(timeout, slots)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct job job = { .buf = self->out, .len = T_LEN };
	struct op rts, cts, op, expected;

	vc.slots = 2;
	vc.manual = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	job.fd = vc.fd;
	ASSERT_TRUE(begin_send(&vc, &job, &rts));
	cts = clear_op(&vc, &rts);
	ASSERT_TRUE(vc_send(&vc, &cts));
	ASSERT_TRUE(vc_read(&vc, REQUEST_STATE, &op));
	expected = vc_from(&vc, REQUEST_STATE, 0);
	expected.sync = op.sync;
	expected.d_id = NO_ID;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_TRUE(repeated(&vc, &op, RETRIES, true));
	EXPECT_TRUE(failed(&job, ETIMEDOUT));
	EXPECT_EQ(NULL, vc.peer->first[true]);
	EXPECT_TRUE(no_more(&self->bench));
	close(vc.fd);
}

static bool set_int(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

/* The Request_State for Slots of a keepalive; every field */
static bool asked(struct vc *vc, struct op *op)
{
	struct op expected = vc_from(vc, REQUEST_STATE, 0);

	if (!vc_next(vc, op))
		return false;
	expected.sync = op->sync;
	expected.d_id = NO_ID;
	return op_is(op, &expected);
}

/* 6.1.1.1: SO_KEEPALIVE */
TEST_F(timeout, keepalive)
{
	struct vc *vc = self->vc;
	struct op op;

	vc->manual = true;
	ASSERT_TRUE(set_int(vc->fd, SOL_ST, ST_KEEP_IDLE, 1));
	ASSERT_TRUE(set_int(vc->fd, SOL_SOCKET, SO_KEEPALIVE, 1));
	ASSERT_TRUE(asked(vc, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, true));
	EXPECT_TRUE(poll_for(vc->fd, POLLIN, LONG_MS) & POLLERR);
	EXPECT_EQ(ETIMEDOUT, error_of(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

/* A peer that answers is probed again, each time with a new Sync. */
TEST_F(timeout, keepalive_answered)
{
	struct vc *vc = self->vc;
	struct op op, answer;
	__u32 sync = 0;
	int i;

	vc->manual = true;
	ASSERT_TRUE(once_more());
	ASSERT_TRUE(set_int(vc->fd, SOL_ST, ST_KEEP_IDLE, 1));
	ASSERT_TRUE(set_int(vc->fd, SOL_SOCKET, SO_KEEPALIVE, 1));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(asked(vc, &op));
		EXPECT_NE(sync, op.sync);
		sync = op.sync;
		answer = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
		answer.param = vc->slots;
		answer.sync = op.sync;
		answer.d_id = NO_ID;
		ASSERT_TRUE(vc_send(vc, &answer));
	}
	/* No more probes are sent, and the state is as before */
	ASSERT_TRUE(set_int(vc->fd, SOL_SOCKET, SO_KEEPALIVE, 0));
	vc->manual = false;
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_EQ(0, get_info(vc->fd).op_retries);
	EXPECT_EQ(0, error_of(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* A Request_Connection with a forged source: nobody receives the Connection_Answer. */
TEST_F(timeout, forged)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct op op;

	vc.manual = true;
	ASSERT_TRUE(sysctl_set(A, "confirm_ms", 10));
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	ASSERT_TRUE(asked(&vc, &op));
	EXPECT_TRUE(repeated(&vc, &op, RETRIES, true));
	EXPECT_TRUE(poll_for(vc.fd, POLLIN, LONG_MS) & POLLERR);
	EXPECT_EQ(ETIMEDOUT, error_of(vc.fd));
	EXPECT_TRUE(logged(vc.fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
	close(vc.fd);
}

TEST_F(timeout, end)
{
	struct vc *vc = self->vc;
	struct op rts, op;

	self->job.len = 0;
	ASSERT_TRUE(begin_send(vc, &self->job, &rts));
	op = clear_op(vc, &rts);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, END, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(failed(&self->job, ETIMEDOUT));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, request_to_receive)
{
	struct vc *vc = self->vc;
	struct st_event event;
	struct op op;

	ASSERT_EQ(0, read_ask(vc->fd, T_LEN, 0, 1));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_RECEIVE, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_ERRNO(ETIMEDOUT, recv_record(vc->fd, self->in, T_LEN));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_READ_FAILED, &event));
	EXPECT_EQ(ETIMEDOUT, event.error);
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, request_memory_region)
{
	struct vc *vc = self->vc;
	struct st_event event;
	struct op op;

	ASSERT_TRUE(mem_ask(vc, T_LEN, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(ETIMEDOUT, event.error);
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

/* A region that the peer lends in time */
static bool lend(struct vc *vc, struct op *region)
{
	return once_more() && mem_lend(vc, T_LEN, 0, 0, region) &&
	       sysctl_set(A, "op_timeout_ms", TIMEOUT_MS);
}

TEST_F(timeout, get)
{
	struct vc *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(lend(vc, &region));
	ASSERT_EQ(0, mem_get(vc->fd, region.d_id, 0, self->in, T_LEN));
	ASSERT_TRUE(vc_read(vc, GET, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, ETIMEDOUT, NULL));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, fetch)
{
	struct vc *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(lend(vc, &region));
	ASSERT_EQ(0, mem_fetch(vc->fd, region.d_id, 0, ST_FETCH_INCREMENT));
	ASSERT_TRUE(vc_read(vc, GET, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(mem_done(vc->fd, ST_FETCHOP, ETIMEDOUT, NULL));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

/* 10.2: the Data of a Put is queried, as always for a Silent one */
TEST_F(timeout, put)
{
	struct vc *vc = self->vc;
	struct op region, op, expected;

	ASSERT_TRUE(lend(vc, &region));
	ASSERT_EQ(0, mem_put(vc->fd, region.d_id, 0, self->out, T_LEN, 0));
	free(vc_data(vc));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE, &op));
	expected = vc_from(vc, REQUEST_STATE, 0);
	expected.sync = op.sync;
	expected.d_id = region.s_id;
	expected.s_id = region.d_id;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_TRUE(repeated(vc, &op, RETRIES - 1, true));
	EXPECT_TRUE(mem_done(vc->fd, ST_PUT, ETIMEDOUT, NULL));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, put_silent)
{
	struct vc *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(lend(vc, &region));
	ASSERT_EQ(0, mem_put(vc->fd, region.d_id, 0, self->out, T_LEN, ST_PUT_SILENT));
	free(vc_data(vc));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, true));
	EXPECT_TRUE(mem_done(vc->fd, ST_PUT, ETIMEDOUT, NULL));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

/* The End of a region, from the lender and from the borrower */
TEST_F(timeout, end_of_a_region)
{
	struct vc *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(mem_borrow(vc, I_ID, self->in, T_LEN, ACCESS, &region));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, region.s_id));
	ASSERT_TRUE(vc_read(vc, END, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

TEST_F(timeout, end_of_what_was_lent)
{
	struct vc *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(lend(vc, &region));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, region.d_id));
	ASSERT_TRUE(vc_read(vc, END, &op));
	EXPECT_TRUE(repeated(vc, &op, RETRIES, false));
	EXPECT_TRUE(logged(vc->fd, &self->before, GAVE_UP));
	EXPECT_TRUE(no_more(&self->bench));
}

/* 10.7.8: a missing Block is requested again, and then given up with an End */
TEST_F(timeout, block)
{
	struct vc *vc = self->vc;
	struct op cts, again, op, expected;
	int i;

	ASSERT_TRUE(vc_write(vc, I_ID, T_LEN, BLOCKSIZE, &cts));
	for (i = 0; i < RETRIES; i++) {
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &again));
		EXPECT_NE(cts.b_id, again.b_id);
		cts.b_id = again.b_id;
		EXPECT_TRUE(op_is(&again, &cts));
	}
	ASSERT_TRUE(vc_next(vc, &op));
	expected = vc_from(vc, END, 0);
	expected.d_id = I_ID;
	expected.s_id = cts.s_id;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_ERRNO(EREMOTEIO, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(repeated(vc, &op, 1, false));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = cts.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_EQ(RETRIES, get_info(vc->fd).block_retries);
}

/*
 * 10.7.8, 10.7.2: late Data for the first exposure is accepted, and Data for the repeated one
 * is then late
 */
TEST_F(timeout, block_comes_late)
{
	struct vc *vc = self->vc;
	struct op before, again, op;

	ASSERT_TRUE(vc_write(vc, I_ID, T_LEN, BLOCKSIZE, &before));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &again));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", NEVER_MS));
	/* The latest ones, if there was time for more */
	op = vc_to(vc, REQUEST_STATE, 0);
	op.d_id = NO_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	while (vc_next(vc, &op) && op.op == CLEAR_TO_SEND) {
		before = again;
		again = op;
	}
	EXPECT_EQ(REQUEST_STATE_RESPONSE, op.op);
	op = vc_stu(vc, &before, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, T_LEN));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	op = vc_stu(vc, &again, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, T_LEN));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 1, 0));
}

TEST_HARNESS_MAIN
