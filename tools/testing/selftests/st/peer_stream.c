// SPDX-License-Identifier: GPL-2.0
/*
 * A socket as the data Destination of Transfers of unlimited size, ST 6.2.3, from
 * a data Source that violates the protocol.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

enum { I_ID = 0x1d00, BLOCK = 1024, BLOCKSIZE = 10, BLOCKS = 17, LEN = BLOCKS * BLOCK };

FIXTURE(stream)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	struct op cts[BLOCKS];
	__u8 out[LEN];
	__u8 in[LEN];
};

FIXTURE_SETUP(stream)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, LEN, 1, 0);
}

FIXTURE_TEARDOWN(stream)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* All of Block 0; then the Blocks after it are cleared */
static bool begin(struct vc *vc, __u32 id, struct op cts[BLOCKS], const __u8 *out)
{
	struct op op;
	int i;

	if (!vc_write(vc, id, 0, BLOCKSIZE, &cts[0]))
		return false;
	op = vc_stu(vc, &cts[0], 0, 0, F_LAST);
	if (!vc_send_data(vc, &op, out, BLOCK))
		return false;
	for (i = 1; i < BLOCKS; i++)
		if (!vc_read(vc, CLEAR_TO_SEND, &cts[i]) || cts[i].b_num != (__u32)i)
			return false;
	return true;
}

/* Data @at bytes behind the start of its Block */
static bool send_part(struct vc *vc, const struct op *cts, __u16 stu_num, __u32 at,
		      const __u8 *out, size_t len, __u16 flags)
{
	struct op op = vc_stu(vc, cts, stu_num, at, flags);

	return vc_send_data(vc, &op, out + cts->b_num * BLOCK + at, len);
}

static bool send_last(struct vc *vc, const struct op *cts, const __u8 *out, size_t len)
{
	return send_part(vc, cts, 0, 0, out, len, F_LAST);
}

/* Peeks at the available bytes, then receives them */
static bool holds(struct vc *vc, __u8 *in, ssize_t len)
{
	bool last;

	return recv_part(vc->fd, in, LEN, MSG_PEEK, &last) == len && !last &&
	       is_filled(in, len, 1, 0) &&
	       recv_part(vc->fd, in, LEN, MSG_DONTWAIT, &last) == len && !last &&
	       is_filled(in, len, 1, 0);
}

/* The Source ends the Transfer. */
static bool end(struct vc *vc, __u32 id, __u32 r_id)
{
	struct op op = vc_to(vc, END, 0), expected = vc_from(vc, END_ACK, 0);

	op.d_id = r_id;
	op.s_id = id;
	expected.d_id = id;
	expected.s_id = r_id;
	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

/* The socket ends it, and a reader of the rest gets the reason. */
static bool given_up(struct vc *vc, __u32 id, __u32 r_id, int error)
{
	struct op expected = vc_from(vc, END, 0), ack = vc_to(vc, END_ACK, 0);
	char byte;

	expected.d_id = id;
	expected.s_id = r_id;
	ack.d_id = r_id;
	ack.s_id = id;
	return vc_expect(vc, &expected) && vc_send(vc, &ack) && vc_quiet(vc) &&
	       recv(vc->fd, &byte, 1, MSG_DONTWAIT) == -1 && errno == error;
}

/* 6.2.7: an incomplete Block is the last one; those behind it are no longer exposed */
TEST_F(stream, nothing_behind_the_last_block)
{
	struct op *cts = self->cts;
	struct vc *vc = self->vc;
	bool last;
	int i;

	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	ASSERT_TRUE(send_last(vc, &cts[1], self->out, 1));
	ASSERT_TRUE(vc_quiet(vc));
	for (i = 2; i < BLOCKS; i++)
		ASSERT_TRUE(send_last(vc, &cts[i], self->out, i % 2 ? BLOCK : 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, BLOCKS - 2 })));
	EXPECT_TRUE(holds(vc, self->in, BLOCK + 1));
	EXPECT_TRUE(end(vc, I_ID, cts[0].s_id));
	EXPECT_EQ(0, recv_part(vc->fd, self->in, LEN, 0, &last));
	EXPECT_TRUE(last);
}

/* The same before the earlier Blocks have arrived */
TEST_F(stream, last_block_first)
{
	struct op *cts = self->cts;
	struct vc *vc = self->vc;

	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	ASSERT_TRUE(send_last(vc, &cts[3], self->out, 1));
	ASSERT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(send_last(vc, &cts[4], self->out, BLOCK));
	ASSERT_TRUE(send_last(vc, &cts[2], self->out, BLOCK));
	ASSERT_TRUE(send_last(vc, &cts[1], self->out, BLOCK));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_TRUE(holds(vc, self->in, 3 * BLOCK + 1));
	EXPECT_TRUE(end(vc, I_ID, cts[0].s_id));
	EXPECT_EQ(0, recv_record(vc->fd, self->in, LEN));
}

/* 6.2.7: Last within a Block that cannot be the last one: the Transfer is invalid */
TEST_F(stream, last_in_front_of_a_block)
{
	static const size_t lens[] = { 1, BLOCK };
	struct op *cts = self->cts;
	struct vc *vc = self->vc;
	unsigned int i;
	bool last;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_TRUE(begin(vc, I_ID + i, cts, self->out));
		ASSERT_TRUE(send_last(vc, &cts[2], self->out, lens[i]));
		ASSERT_TRUE(send_last(vc, &cts[1], self->out, 1));
		EXPECT_EQ(BLOCK, recv_part(vc->fd, self->in, LEN, MSG_PEEK, &last));
		EXPECT_TRUE(given_up(vc, I_ID + i, cts[0].s_id, EREMOTEIO));
	}
	EXPECT_TRUE(logged(vc->fd, &self->before,
			   LOGGED({ ST_ERR_IMPROPER_FLAG_USE, ARRAY_SIZE(lens) })));
}

/* The same before bytes that a reader may have: the Block was repeated */
TEST_F(stream, last_in_front_of_bytes)
{
	struct op *cts = self->cts;
	struct vc *vc = self->vc;

	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	ASSERT_TRUE(send_part(vc, &cts[1], 0, 0, self->out, 100, 0));
	ASSERT_TRUE(send_part(vc, &cts[1], 2, 200, self->out, 100, 0));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[1]));
	EXPECT_EQ(1, cts[1].b_num);
	EXPECT_TRUE(holds(vc, self->in, BLOCK + 100));
	ASSERT_TRUE(send_last(vc, &cts[1], self->out, 99));
	EXPECT_TRUE(given_up(vc, I_ID, cts[0].s_id, EREMOTEIO));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 1 },
							 { ST_ERR_IMPROPER_FLAG_USE, 1 })));
}

/* Two STUs that do not follow one another.  Return: whether the Block is cleared again. */
static bool gap(struct vc *vc, struct op *cts, const __u8 *out, size_t len)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0);
	bool again = false;

	op.d_id = NO_ID;
	if (!send_part(vc, cts, 0, 0, out, len, 0) ||
	    !send_part(vc, cts, 2, BLOCK - 1, out, 1, 0) || !vc_executed(vc) || !vc_send(vc, &op))
		return false;
	while (vc_next(vc, &op) && op.op == CLEAR_TO_SEND && op.b_num == cts->b_num) {
		*cts = op;
		again = true;
	}
	return again && op.op == REQUEST_STATE_RESPONSE;
}

/* 10.7.8, 10.2: a Block that is never complete is not requested endlessly */
TEST_F(stream, gaps)
{
	enum { RETRIES = 3 };
	struct op *cts = self->cts;
	struct vc *vc = self->vc;
	int i;

	ASSERT_TRUE(sysctl_set(A, "max_retry", RETRIES));
	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	for (i = 0; i < RETRIES; i++)
		ASSERT_TRUE(gap(vc, &cts[1], self->out, 100));
	/* As long as more of it arrives each time, it is requested */
	for (i = 0; i < 3 * RETRIES; i++)
		ASSERT_TRUE(gap(vc, &cts[1], self->out, 101 + i));
	for (i = 1; i < RETRIES; i++)
		ASSERT_TRUE(gap(vc, &cts[1], self->out, 100));
	ASSERT_TRUE(send_part(vc, &cts[1], 2, 200, self->out, 1, 0));
	EXPECT_TRUE(given_up(vc, I_ID, cts[0].s_id, EREMOTEIO));
}

/* Each time another part of the Block arrives; its bytes are those sent */
TEST_F(stream, parts_of_any_length)
{
	static const size_t lens[] = { 100, 50, 150, 150, 120, 200 };
	struct op *cts = self->cts;
	struct vc *vc = self->vc;
	unsigned int i;

	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		ASSERT_TRUE(gap(vc, &cts[1], self->out, lens[i]));
	ASSERT_TRUE(send_part(vc, &cts[1], 0, 0, self->out, 300, 0));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(holds(vc, self->in, BLOCK + 300));
	ASSERT_TRUE(gap(vc, &cts[1], self->out, 300));
	ASSERT_TRUE(gap(vc, &cts[1], self->out, 299));
	ASSERT_TRUE(send_last(vc, &cts[1], self->out, 301));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(end(vc, I_ID, cts[0].s_id));
	EXPECT_EQ(1, recv_record(vc->fd, self->in, LEN));
	EXPECT_TRUE(is_filled(self->in, 1, 1, BLOCK + 300));
}

/* SO_RCVBUF also limits repeated Blocks, until they are read */
TEST_F(stream, gaps_fill_no_memory)
{
	struct op *cts = self->cts;
	struct vc *vc = self->vc;
	int i, bytes = 100000;

	ASSERT_EQ(0, setsockopt(vc->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)));
	ASSERT_TRUE(begin(vc, I_ID, cts, self->out));
	for (i = 1; i < BLOCK - 1 && gap(vc, &cts[1], self->out, i); i++)
		;
	EXPECT_LT(1, i);
	EXPECT_GT(100, i);
	EXPECT_TRUE(holds(vc, self->in, BLOCK + i));
	EXPECT_TRUE(gap(vc, &cts[1], self->out, i));
	ASSERT_TRUE(send_last(vc, &cts[1], self->out, BLOCK));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[1]));
	EXPECT_EQ(BLOCKS, cts[1].b_num);
	ASSERT_TRUE(send_last(vc, &cts[2], self->out, 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(end(vc, I_ID, cts[0].s_id));
	EXPECT_EQ(BLOCK - i + 1, recv_record(vc->fd, self->in, LEN));
	EXPECT_TRUE(is_filled(self->in, BLOCK - i + 1, 1, BLOCK + i));
}

TEST_HARNESS_MAIN
