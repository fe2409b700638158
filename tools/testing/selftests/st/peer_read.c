// SPDX-License-Identifier: GPL-2.0
/*
 * Read sequences, ST 6.1.3: a socket as the Initiator; the peer is the Responder.
 * The opposite is in peer_read_answer.c.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "ctl.h"
#include "peer.h"

enum { R_ID = 0x2b0d, T_LEN = 3000, BLOCK = 1024, BLOCKSIZE = 10, BLOCKS = 3, TOKEN = 77 };

FIXTURE(read)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
};

FIXTURE_SETUP(read)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
}

FIXTURE_TEARDOWN(read)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* The socket sends a request. */
static bool ask(struct vc *vc, struct op *rtr)
{
	return !read_ask(vc->fd, T_LEN, TOKEN, 1) && vc_read(vc, REQUEST_TO_RECEIVE, rtr);
}

/* The Request_To_Send that echoes the request */
static struct op echo(const struct vc *vc, const struct op *rtr)
{
	struct op op = vc_to(vc, REQUEST_TO_SEND, rtr->flags & F_CHANNEL);

	op.b_id = BLOCKSIZE;
	op.sync = rtr->sync;
	op.b_num = rtr->b_num;
	op.d_id = rtr->s_id;
	op.s_id = R_ID;
	return op;
}

static bool announce(struct vc *vc, const struct op *rtr)
{
	struct op op = echo(vc, rtr);

	return vc_send(vc, &op);
}

/* All Blocks of it are cleared. */
static bool begin(struct vc *vc, const struct op *rtr, struct op cts[BLOCKS])
{
	int i;

	if (!announce(vc, rtr))
		return false;
	for (i = 0; i < BLOCKS; i++)
		if (!vc_read(vc, CLEAR_TO_SEND, &cts[i]))
			return false;
	return true;
}

static bool send_block(struct vc *vc, const struct op *cts, const __u8 *bytes)
{
	size_t at = cts->b_num * BLOCK, len = T_LEN - at < BLOCK ? T_LEN - at : BLOCK;
	struct op op = vc_stu(vc, cts, 0, 0, F_LAST);

	return vc_send_data(vc, &op, bytes + at, len);
}

/* Receives the record of the Read, and checks the id of the Read */
static bool received(int fd, __u8 *in)
{
	struct st_read_data data = {};
	int flags = 0;
	bool found;
	ssize_t n;

	n = recv_ctl(fd, in, T_LEN, MSG_WAITALL, &flags, ST_READ_DATA, &data, sizeof(data),
		     &found);
	return n == T_LEN && (flags & MSG_EOR) && found && data.token == TOKEN &&
	       data.len == T_LEN && is_filled(in, T_LEN, 1, 0);
}

static bool send_blocks(struct vc *vc, const struct op cts[BLOCKS], const __u8 *out, __u8 *in)
{
	int i;

	for (i = 0; i < BLOCKS; i++)
		if (!send_block(vc, &cts[i], out))
			return false;
	return received(vc->fd, in);
}

/* A Read from its Request_To_Receive on */
static bool finish(struct vc *vc, const struct op *rtr, const __u8 *out, __u8 *in)
{
	struct op cts[BLOCKS];

	return begin(vc, rtr, cts) && send_blocks(vc, cts, out, in);
}

/* It fails in its place in the order, and an event reports it. */
static bool failed(int fd, int error)
{
	struct st_event event;
	char byte;

	return recv(fd, &byte, 1, 0) == -1 && errno == error &&
	       next_event(fd, &event, LONG_MS) && event.type == ST_EVENT_READ_FAILED &&
	       event.error == error && event.token == TOKEN;
}

/* A Request_Answer to the request, and one that the socket must send */
static struct op answer_to(const struct vc *vc, const struct op *rtr, __u16 flags)
{
	struct op op = vc_to(vc, REQUEST_ANSWER, flags);

	op.d_id = rtr->s_id;
	return op;
}

static bool answered(struct vc *vc, __u32 r_id, __u16 flags)
{
	struct op expected = vc_from(vc, REQUEST_ANSWER, flags);

	expected.d_id = r_id;
	return vc_expect(vc, &expected);
}

/* Table 7 R1, 6.2.1, 6.2.3, 8.2: every field of the Request_To_Receive */
TEST_F(read, request_to_receive)
{
	struct st_read read = { .len = 1ULL << 40, .flags = ST_READ_INTERRUPT };
	struct vc *vc = self->vc;
	struct op op, expected;
	__u32 last = 0;
	int i;

	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, read_ask(vc->fd, T_LEN, TOKEN, i));
		ASSERT_TRUE(vc_next(vc, &op));
		expected = vc_from(vc, REQUEST_TO_RECEIVE, i);
		expected.b_num = T_LEN;
		expected.s_id = op.s_id;
		EXPECT_TRUE(op_is(&op, &expected));
		EXPECT_NE(NO_ID, op.s_id);
		EXPECT_LT(last, op.s_id);
		last = op.s_id;
	}
	ASSERT_EQ(0, send_ctl(vc->fd, NULL, 0, 0, ST_READ, &read, sizeof(read)));
	expected = vc_from(vc, REQUEST_TO_RECEIVE, F_CHANNEL_1 | F_INTERRUPT);
	expected.sync = 0x100;
	expected.s_id = last + 1;
	EXPECT_TRUE(vc_expect(vc, &expected));
	/* Of unlimited size */
	ASSERT_EQ(0, read_ask(vc->fd, 0, TOKEN, 1));
	expected.flags = F_CHANNEL_1;
	expected.sync = 0;
	expected.s_id++;
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* Table 7 R3, 6.2.2, 6.2.6, 6.2.8: every field of the Clear_To_Sends; the bytes arrive */
TEST_F(read, clear_to_send)
{
	struct op rtr, cts[BLOCKS], expected;
	struct vc *vc = self->vc;
	int i, j;

	ASSERT_TRUE(ask(vc, &rtr));
	ASSERT_TRUE(begin(vc, &rtr, cts));
	for (i = 0; i < BLOCKS; i++) {
		expected = vc_from(vc, CLEAR_TO_SEND, 0);
		expected.param = BLOCKSIZE;
		expected.b_id = cts[i].b_id;	/* I-Mx: any value, but unique */
		for (j = 0; j < i; j++)
			EXPECT_NE(cts[j].b_id, cts[i].b_id);
		expected.offset = i * BLOCK;	/* F_Offset is 0 */
		expected.b_num = i;
		expected.d_id = R_ID;
		expected.s_id = rtr.s_id;
		EXPECT_TRUE(op_is(&cts[i], &expected));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(send_blocks(vc, cts, self->out, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.3: it waits before and after a Request_Answer */
TEST_F(read, answered_pending)
{
	struct vc *vc = self->vc;
	struct op rtr, op;

	ASSERT_TRUE(ask(vc, &rtr));
	op = answer_to(vc, &rtr, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_ERRNO(EAGAIN, recv(vc->fd, self->in, 1, MSG_DONTWAIT));
	EXPECT_TRUE(finish(vc, &rtr, self->out, self->in));
	/* Late, without further effect */
	op.flags = F_REJECT;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 7.3, table 7 R2: refused; a later announcement is refused in turn: all fields */
TEST_F(read, refused)
{
	struct vc *vc = self->vc;
	struct op rtr, op;

	ASSERT_TRUE(ask(vc, &rtr));
	op = answer_to(vc, &rtr, F_REJECT);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(failed(vc->fd, EREMOTEIO));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	op = echo(vc, &rtr);
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	ASSERT_TRUE(ask(vc, &rtr));
	EXPECT_TRUE(finish(vc, &rtr, self->out, self->in));
}

/* 10.7.1: unsolicited bytes, of an unknown Read and of a Write */
TEST_F(read, granted_that_nobody_asked_for)
{
	struct vc *vc = self->vc;
	struct op rtr, op;
	__u32 i;

	ASSERT_TRUE(ask(vc, &rtr));
	op = echo(vc, &rtr);
	op.d_id += 0x1000;
	op.s_id++;
	/* 10.3: the same again is answered as before */
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	ASSERT_EQ(1, send(vc->fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &op));
	i = op.s_id;
	op = echo(vc, &rtr);
	op.d_id = i;
	op.s_id += 2;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
	EXPECT_TRUE(finish(vc, &rtr, self->out, self->in));
}

static void longer(struct op *op)
{
	op->b_num++;
}

static void much_longer(struct op *op)
{
	op->sync = 1;
}

static void no_channel(struct op *op)
{
	op->flags = 0;
}

static void small_blocks(struct op *op)
{
	op->b_id = 7;
}

static void large_blocks(struct op *op)
{
	op->b_id = 49;
}

static void no_id(struct op *op)
{
	op->s_id = NO_ID;
}

/* 6.1.3, 6.2.5, 10.7.3: an echo that is wrong or impossible ends the Read */
TEST_F(read, wrong_echo)
{
	static void (*const changes[])(struct op *op) = {
		longer, much_longer, no_channel, small_blocks, large_blocks, no_id,
	};
	struct vc *vc = self->vc;
	struct op rtr, op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		ASSERT_TRUE(ask(vc, &rtr));
		op = echo(vc, &rtr);
		op.s_id += 1 + i;
		changes[i](&op);
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));
		EXPECT_TRUE(failed(vc->fd, EPROTO)) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	ASSERT_TRUE(ask(vc, &rtr));
	EXPECT_TRUE(finish(vc, &rtr, self->out, self->in));
}

/* 10.3: a repeated Request_To_Send, and one with another R-id */
TEST_F(read, announced_again)
{
	struct op rtr, cts[BLOCKS], op;
	struct vc *vc = self->vc;

	ASSERT_TRUE(ask(vc, &rtr));
	ASSERT_TRUE(begin(vc, &rtr, cts));
	ASSERT_TRUE(announce(vc, &rtr));
	EXPECT_TRUE(answered(vc, R_ID, 0));
	op = echo(vc, &rtr);
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_TRUE(send_blocks(vc, cts, self->out, self->in));
	ASSERT_TRUE(announce(vc, &rtr));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_ERRNO(EAGAIN, recv(vc->fd, self->in, 1, MSG_DONTWAIT));
}

/* 10.7.2, 10.7.1: Data before there is a place for it, for a wrong place, and repeated */
TEST_F(read, wrong_data)
{
	struct op rtr, cts[BLOCKS], op;
	struct vc *vc = self->vc;

	ASSERT_TRUE(ask(vc, &rtr));
	op = vc_to(vc, DATA, F_CHANNEL_1 | F_LAST);
	op.d_id = rtr.s_id;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	ASSERT_TRUE(begin(vc, &rtr, cts));
	op = vc_stu(vc, &cts[0], 0, 0, F_LAST);
	op.d_id = R_ID;		/* the wrong one of the two */
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + BLOCK, BLOCK));
	op = vc_stu(vc, &cts[0], 0, BLOCK, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + BLOCK, BLOCK));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 },
							 { ST_ERR_INVALID_D_ID, 1 },
							 { ST_ERR_OUT_OF_RANGE_BUFX, 1 })));
	ASSERT_TRUE(send_block(vc, &cts[0], self->out));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(send_blocks(vc, cts, self->out, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 2 },
							 { ST_ERR_INVALID_D_ID, 1 },
							 { ST_ERR_OUT_OF_RANGE_BUFX, 1 })));
}

/* An End from the Responder, and every field of the End_Ack */
static bool end(struct vc *vc, const struct op *rtr)
{
	struct op op = vc_to(vc, END, 0), expected = vc_from(vc, END_ACK, 0);

	op.d_id = rtr->s_id;
	op.s_id = R_ID;
	expected.d_id = R_ID;
	expected.s_id = rtr->s_id;
	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

/* 6.1.1.4: the Responder ends it, before it announces the bytes and after */
TEST_F(read, end_by_the_responder)
{
	struct op rtr, cts[BLOCKS];
	struct vc *vc = self->vc;

	ASSERT_TRUE(ask(vc, &rtr));
	EXPECT_TRUE(end(vc, &rtr));
	EXPECT_TRUE(failed(vc->fd, EREMOTEIO));
	EXPECT_TRUE(end(vc, &rtr));
	ASSERT_TRUE(ask(vc, &rtr));
	ASSERT_TRUE(begin(vc, &rtr, cts));
	ASSERT_TRUE(send_block(vc, &cts[1], self->out));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(end(vc, &rtr));
	EXPECT_TRUE(failed(vc->fd, EREMOTEIO));
	ASSERT_TRUE(send_block(vc, &cts[0], self->out));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
}

/* 6.1.1.4, table 5 Com4: the Initiator ends it; every field of its End */
TEST_F(read, end_by_the_socket)
{
	const struct st_end what = { .what = ST_END_READ, .token = TOKEN };
	struct op rtr, cts[BLOCKS], op, expected;
	struct vc *vc = self->vc;
	struct st_event event;
	int i;

	/* Its R-id is not known yet: a later announcement is refused. */
	ASSERT_TRUE(ask(vc, &rtr));
	ASSERT_EQ(0, send_ctl(vc->fd, NULL, 0, 0, ST_END, &what, sizeof(what)));
	EXPECT_TRUE(failed(vc->fd, ECANCELED));
	EXPECT_TRUE(vc_quiet(vc));
	op = echo(vc, &rtr);
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(answered(vc, op.s_id, F_REJECT));

	ASSERT_TRUE(ask(vc, &rtr));
	ASSERT_TRUE(begin(vc, &rtr, cts));
	ASSERT_EQ(0, send_ctl(vc->fd, NULL, 0, 0, ST_END, &what, sizeof(what)));
	expected = vc_from(vc, END, 0);
	expected.d_id = R_ID;
	expected.s_id = rtr.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	/* Data in flight is late, and so is the second End_Ack. */
	ASSERT_TRUE(send_block(vc, &cts[0], self->out));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = rtr.s_id;
	op.s_id = R_ID;
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_ERRNO(ECANCELED, recv(vc->fd, self->in, 1, 0));
	ASSERT_TRUE(next_event(vc->fd, &event, LONG_MS));
	EXPECT_EQ(ST_EVENT_READ_FAILED, event.type);
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 },
							 { ST_ERR_INVALID_MX, 1 })));
}

TEST_HARNESS_MAIN
