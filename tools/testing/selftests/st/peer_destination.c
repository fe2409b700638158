// SPDX-License-Identifier: GPL-2.0
/*
 * A socket as the data Destination of Write sequences, ST 6.1.2; the peer is
 * the data Source.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "ctl.h"
#include "peer.h"

enum { I_ID = 0x1d00, T_LEN = 3000, BLOCK = 1024, BLOCKSIZE = 10, BLOCKS = 3 };

FIXTURE(destination)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
};

FIXTURE_SETUP(destination)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
}

FIXTURE_TEARDOWN(destination)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static struct op request(const struct vc *vc, __u32 id, __u64 t_len, __u16 cts_req)
{
	struct op op = vc_to(vc, REQUEST_TO_SEND, F_CHANNEL_1);

	op.param = cts_req;
	op.b_id = BLOCKSIZE;
	op.sync = t_len >> 32;
	op.b_num = t_len;
	op.s_id = id;
	return op;
}

/* A Write of three Blocks, all of which are cleared */
static bool begin(struct vc *vc, struct op cts[BLOCKS])
{
	int i;

	if (!vc_write(vc, I_ID, T_LEN, BLOCKSIZE, &cts[0]))
		return false;
	for (i = 1; i < BLOCKS; i++)
		if (!vc_read(vc, CLEAR_TO_SEND, &cts[i]))
			return false;
	return true;
}

static size_t block_len(__u32 b_num)
{
	return b_num == BLOCKS - 1 ? T_LEN - b_num * BLOCK : BLOCK;
}

static bool send_block(struct vc *vc, const struct op *cts, const __u8 *bytes)
{
	struct op op = vc_stu(vc, cts, 0, 0, F_LAST);

	return vc_send_data(vc, &op, bytes + cts->b_num * BLOCK, block_len(cts->b_num));
}

static bool received(int fd, __u8 *in)
{
	return recv_record(fd, in, T_LEN) == T_LEN && is_filled(in, T_LEN, 1, 0);
}

/* 6.1.2, 6.2.6, 6.2.8, table 6 W2: every field of the Clear_To_Sends */
TEST_F(destination, clear_to_send)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], expected;
	int i, j;

	ASSERT_TRUE(begin(vc, cts));
	for (i = 0; i < BLOCKS; i++) {
		expected = vc_from(vc, CLEAR_TO_SEND, 0);
		expected.param = BLOCKSIZE;
		expected.b_id = cts[i].b_id;	/* Mx: any value, but unique */
		for (j = 0; j < i; j++)
			EXPECT_NE(cts[j].b_id, cts[i].b_id);
		expected.offset = i * BLOCK;	/* F_Offset is 0 */
		expected.b_num = i;
		expected.d_id = I_ID;
		expected.s_id = cts[0].s_id;	/* R-id: any value, the same for all */
		EXPECT_TRUE(op_is(&cts[i], &expected));
	}
	EXPECT_NE(NO_ID, cts[0].s_id);
	EXPECT_TRUE(vc_quiet(vc));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.1: sequence identifiers increase */
TEST_F(destination, r_ids)
{
	struct vc *vc = self->vc;
	struct op cts, op;
	__u32 last = 0;
	int i;

	for (i = 0; i < 4; i++) {
		ASSERT_TRUE(vc_write(vc, I_ID + i, 1, BLOCKSIZE, &cts));
		if (i)
			EXPECT_LT(last, cts.s_id);
		last = cts.s_id;
		op = vc_stu(vc, &cts, 0, 0, F_LAST);
		ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
		EXPECT_EQ(1, recv_record(vc->fd, self->in, 1));
	}
}

/* 6.2.11: no more Blocks are exposed than the Source requests */
TEST_F(destination, cts_req)
{
	struct op op = request(self->vc, I_ID, T_LEN, 1), cts[BLOCKS];
	struct vc *vc = self->vc;
	int i;

	ASSERT_TRUE(vc_send(vc, &op));
	for (i = 0; i < BLOCKS; i++) {
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[i]));
		EXPECT_EQ(i, cts[i].b_num);
		EXPECT_TRUE(vc_quiet(vc));
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	}
	EXPECT_TRUE(received(vc->fd, self->in));
}

/* 6.2.5: Blocks are no larger than Max_Block, whatever that is */
TEST_F(destination, max_block)
{
	static const __u8 max_blocks[] = { 8, 9, 12, 17, 20, 48 };
	struct vc *vc = self->vc;
	struct op op, cts;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(max_blocks); i++) {
		ASSERT_TRUE(vc_write(vc, I_ID + i, 1, max_blocks[i], &cts));
		EXPECT_LE(8, cts.param);
		EXPECT_GE(max_blocks[i], cts.param);
		op = vc_stu(vc, &cts, 0, 0, F_LAST);
		ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
		EXPECT_EQ(1, recv_record(vc->fd, self->in, 1));
	}
}

/* 6.2.3: T_len has 64 bits */
TEST_F(destination, long_transfer)
{
	struct op op = request(self->vc, I_ID, 1ULL << 40, 1), cts, expected;
	struct vc *vc = self->vc;

	op.b_id = 48;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
	EXPECT_EQ(0, cts.b_num);
	/* One Block of it, and it is not complete */
	op = vc_to(vc, END, 0);
	op.d_id = cts.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	expected = vc_from(vc, END_ACK, 0);
	expected.d_id = I_ID;
	expected.s_id = cts.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	EXPECT_ERRNO(EREMOTEIO, recv_record(vc->fd, self->in, T_LEN));
}

/* 6.1.2, table 6 W1: a waiting Request_To_Send is answered; every field of the Request_Answer */
TEST_F(destination, request_answer_pending)
{
	struct op op = request(self->vc, I_ID, T_LEN, 1), cts, next, expected;
	struct vc *vc = self->vc;
	int i;

	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
	op = request(vc, I_ID + 1, T_LEN, 1);
	ASSERT_TRUE(vc_send(vc, &op));
	expected = vc_from(vc, REQUEST_ANSWER, 0);
	expected.d_id = I_ID + 1;
	EXPECT_TRUE(vc_expect(vc, &expected));
	for (i = 1; i < BLOCKS; i++) {
		ASSERT_TRUE(send_block(vc, &cts, self->out));
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
		EXPECT_EQ(I_ID, cts.d_id);
		EXPECT_EQ(i, cts.b_num);
	}
	/* It is served when the Blocks of the first are all exposed */
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &next));
	EXPECT_EQ(I_ID + 1, next.d_id);
	EXPECT_EQ(0, next.b_num);
	ASSERT_TRUE(send_block(vc, &cts, self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.1, 6.2.5, 10.7.3: impossible requests are rejected; every field */
TEST_F(destination, rejected)
{
	struct vc *vc = self->vc;
	struct op good = request(vc, I_ID, T_LEN, 0), op[6], expected;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op); i++) {
		op[i] = good;
		op[i].s_id += i;
	}
	op[0].flags = 0;		/* Data Channel 0 */
	op[1].b_id = 7;			/* Max_Block */
	op[2].b_id = 49;
	op[3].b_id = 0;
	op[4].b_id = 0xffff;
	op[5].s_id = NO_ID;
	for (i = 0; i < ARRAY_SIZE(op); i++) {
		ASSERT_TRUE(vc_send(vc, &op[i]));
		expected = vc_from(vc, REQUEST_ANSWER, F_REJECT);
		expected.d_id = op[i].s_id;
		EXPECT_TRUE(vc_expect(vc, &expected));
	}
	EXPECT_TRUE(vc_quiet(vc));
}

/* 7.3: a socket after shutdown() for reading rejects Writes */
TEST_F(destination, rejected_after_shutdown)
{
	struct vc *vc = self->vc;
	struct op op = request(vc, I_ID, T_LEN, 0), expected;

	ASSERT_EQ(0, shutdown(vc->fd, SHUT_RD));
	ASSERT_TRUE(vc_send(vc, &op));
	expected = vc_from(vc, REQUEST_ANSWER, F_REJECT);
	expected.d_id = I_ID;
	EXPECT_TRUE(vc_expect(vc, &expected));
}

/* 10.3: a repeated Request_To_Send is answered, and starts nothing */
TEST_F(destination, request_again)
{
	struct vc *vc = self->vc;
	struct op op = request(vc, I_ID, T_LEN, 0), cts[BLOCKS], expected;
	int i;

	ASSERT_TRUE(begin(vc, cts));
	ASSERT_TRUE(vc_send(vc, &op));
	expected = vc_from(vc, REQUEST_ANSWER, 0);
	expected.d_id = I_ID;
	EXPECT_TRUE(vc_expect(vc, &expected));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	EXPECT_TRUE(vc_quiet(vc));
	/* Even when the record is complete, and when it is read */
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(received(vc->fd, self->in));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_ERRNO(EAGAIN, recv(vc->fd, self->in, 1, MSG_DONTWAIT));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.1: an I-id of 0 is not that of a Read that the peer has refused */
TEST_F(destination, request_after_a_refused_read)
{
	struct st_read read = { .len = T_LEN };
	struct vc *vc = self->vc;
	struct op cts, op;

	ASSERT_EQ(0, send_ctl(vc->fd, NULL, 0, 0, ST_READ, &read, sizeof(read)));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_RECEIVE, &op));
	cts = vc_to(vc, REQUEST_ANSWER, F_REJECT);
	cts.d_id = op.s_id;
	ASSERT_TRUE(vc_send(vc, &cts));
	ASSERT_TRUE(vc_write(vc, 0, 1, BLOCKSIZE, &cts));
	op = vc_stu(vc, &cts, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_ERRNO(EREMOTEIO, recv(vc->fd, self->in, 1, MSG_DONTWAIT));
	EXPECT_EQ(1, recv_record(vc->fd, self->in, 1));
}

/* 6.2.7: STUs of any sizes, and one without bytes */
TEST_F(destination, stu_sizes)
{
	static const size_t sizes[] = { 1, 255, 0, 256, 3, 509 };
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], op;
	unsigned int i, b;
	size_t at, len;

	ASSERT_TRUE(begin(vc, cts));
	for (b = 0; b < BLOCKS; b++) {
		for (at = 0, i = 0; at < block_len(b); at += len, i++) {
			len = sizes[i % ARRAY_SIZE(sizes)];
			if (len > block_len(b) - at)
				len = block_len(b) - at;
			op = vc_stu(vc, &cts[b], i, at,
				    at + len == block_len(b) ? F_LAST : F_SILENT);
			ASSERT_TRUE(vc_send_data(vc, &op, self->out + b * BLOCK + at, len));
		}
	}
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 8.2: on any Data Channel, with Interrupt and Opaque data */
TEST_F(destination, channels)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], op;
	int i;

	ASSERT_TRUE(begin(vc, cts));
	for (i = 0; i < BLOCKS; i++) {
		op = vc_stu(vc, &cts[i], 0, 0, F_LAST | F_INTERRUPT);
		op.flags = (op.flags & ~F_CHANNEL) | (i + 1);
		op.s_id = 0xdeadbeef;
		ASSERT_TRUE(vc_send_data(vc, &op, self->out + i * BLOCK, block_len(i)));
	}
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 8.2: Blocks in any order */
TEST_F(destination, blocks_in_any_order)
{
	static const __u8 order[BLOCKS] = { 2, 0, 1 };
	struct vc *vc = self->vc;
	struct op cts[BLOCKS];
	int i;

	ASSERT_TRUE(begin(vc, cts));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[order[i]], self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.5: but not from a peer without Out_of_Order */
TEST_F(destination, blocks_out_of_order)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct st_errors before;
	struct op cts[BLOCKS];
	int i;

	vc.flags = 0;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	before = errors_of(vc.fd);
	ASSERT_TRUE(begin(&vc, cts));
	ASSERT_TRUE(send_block(&vc, &cts[1], self->out));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(logged(vc.fd, &before, LOGGED({ ST_ERR_OUT_OF_ORDER_B_NUM, 1 })));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(&vc, &cts[i], self->out));
	EXPECT_TRUE(received(vc.fd, self->in));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/**
 * struct wrong - Data with a wrong destination
 * @change: makes it wrong
 * @len: bytes
 * @error: the logged error
 */
struct wrong {
	void		(*change)(struct op *op);
	size_t		len;
	enum st_error	error;
};

static void wrong_mx(struct op *op)
{
	op->b_id ^= 0x40;
}

static void mx_of_none(struct op *op)
{
	op->b_id ^= 0x20;
}

static void wrong_d_id(struct op *op)
{
	op->d_id++;
}

static void block_never_cleared(struct op *op)
{
	op->b_num = BLOCKS;
}

static void block_of_another_mx(struct op *op)
{
	op->b_num = 1;
}

static void wrong_bufx(struct op *op)
{
	op->bufx++;
}

static void wrong_offset(struct op *op)
{
	op->offset += 8;
}

static void offset_in_another_block(struct op *op)
{
	op->offset += BLOCK;
}

static void offset_outside_buffer(struct op *op)
{
	op->offset = 1 << 20;
}

static void largest_offset(struct op *op)
{
	op->offset = 0xffffffff;
}

static void no_change(struct op *op)
{
	(void)op;
}

/* 10.7: wrong Data is logged and discarded, and places nothing */
TEST_F(destination, wrong_data)
{
	static const struct wrong wrongs[] = {
		{ wrong_mx, 100, ST_ERR_INVALID_MX },
		{ mx_of_none, 100, ST_ERR_INVALID_MX },
		{ wrong_d_id, 100, ST_ERR_INVALID_D_ID },
		{ block_never_cleared, 100, ST_ERR_OUT_OF_RANGE_B_NUM },
		{ block_of_another_mx, 100, ST_ERR_OUT_OF_RANGE_B_NUM },
		{ wrong_bufx, 100, ST_ERR_OUT_OF_RANGE_BUFX },
		{ wrong_offset, 100, ST_ERR_OUT_OF_RANGE_BUFX },
		{ offset_in_another_block, 100, ST_ERR_OUT_OF_RANGE_BUFX },
		{ no_change, BLOCK + 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ no_change, 30000, ST_ERR_OUT_OF_RANGE_BUFX },
		{ offset_outside_buffer, 100, ST_ERR_OVERSIZED_OFFSET },
		{ largest_offset, 100, ST_ERR_OVERSIZED_OFFSET },
	};
	__u8 *junk = malloc(PAYLOAD_MAX);
	struct vc *vc = self->vc;
	struct st_errors before;
	struct op cts[BLOCKS], op;
	unsigned int i;

	memset(junk, GUARD, PAYLOAD_MAX);
	ASSERT_TRUE(begin(vc, cts));
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = vc_stu(vc, &cts[0], 0, 0, F_LAST);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send_data(vc, &op, junk, wrongs[i].len));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_EQ(0, get_info(vc->fd).rx_bytes);
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
	free(junk);
}

/* 10.3: repeated Data, within its Block and after */
TEST_F(destination, data_again)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], op;
	int i;

	ASSERT_TRUE(begin(vc, cts));
	op = vc_stu(vc, &cts[0], 0, 0, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 1 })));
	op = vc_stu(vc, &cts[0], 1, 100, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 100, BLOCK - 100));
	ASSERT_TRUE(send_block(vc, &cts[0], self->out));
	for (i = 1; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	/* 6.2.4: a Block is exposed for a single use; this one is complete */
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 1 },
							 { ST_ERR_INVALID_MX, 1 })));
	EXPECT_TRUE(received(vc->fd, self->in));
}

/* 10.7.4, 10.7.8: an STU is missing: its Block is requested again, with a new Mx */
TEST_F(destination, missing_stu)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], again, op;
	int i;

	ASSERT_TRUE(begin(vc, cts));
	op = vc_stu(vc, &cts[0], 0, 0, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	op = vc_stu(vc, &cts[0], 2, 200, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 200, 100));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &again));
	EXPECT_NE(cts[0].b_id, again.b_id);
	cts[0].b_id = again.b_id;
	EXPECT_TRUE(op_is(&again, &cts[0]));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 1 })));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
}

/* 6.2.7: Last in the middle of a Block; the Block is requested again */
TEST_F(destination, last_too_early)
{
	struct vc *vc = self->vc;
	struct op cts[BLOCKS], again, op;
	int i;

	ASSERT_TRUE(begin(vc, cts));
	op = vc_stu(vc, &cts[0], 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &again));
	EXPECT_EQ(0, again.b_num);
	EXPECT_NE(cts[0].b_id, again.b_id);
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_IMPROPER_FLAG_USE, 1 })));
	cts[0] = again;
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(send_block(vc, &cts[i], self->out));
	EXPECT_TRUE(received(vc->fd, self->in));
}

/* 6.1.2: several Transfers at a time, their Blocks mixed */
TEST_F(destination, transfers_at_a_time)
{
	struct op first[BLOCKS], second[BLOCKS], op = request(self->vc, I_ID + 1, T_LEN, 0);
	struct vc *vc = self->vc;
	__u8 *out = malloc(T_LEN);
	int i;

	fill(out, T_LEN, 2, 0);
	ASSERT_TRUE(begin(vc, first));
	ASSERT_TRUE(vc_send(vc, &op));
	for (i = 0; i < BLOCKS; i++)
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &second[i]));
	EXPECT_NE(first[0].s_id, second[0].s_id);
	for (i = 0; i < BLOCKS; i++) {
		ASSERT_TRUE(send_block(vc, &second[i], out));
		ASSERT_TRUE(send_block(vc, &first[i], self->out));
	}
	/* Records are read in the order of their announcement */
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_EQ(T_LEN, recv_record(vc->fd, self->in, T_LEN));
	EXPECT_TRUE(is_filled(self->in, T_LEN, 2, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	free(out);
}

/* 6.1.2: into the pages of a waiting recv(), with wrong Data in between */
TEST_F(destination, into_a_waiting_recv)
{
	enum { LEN = 3 * 65536, STU = 16384 };
	struct vc *vc = self->vc;
	__u8 *out = malloc(LEN), *in = new_pages(LEN);
	struct job job = { .fd = vc->fd, .buf = in, .len = LEN, .receive = true };
	struct op cts[3], op;
	unsigned int b, i;

	fill(out, LEN, 3, 0);
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(job_asleep(&job));
	ASSERT_TRUE(vc_write(vc, I_ID, LEN, 16, &cts[0]));
	for (b = 1; b < 3; b++)
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[b]));
	for (b = 0; b < 3; b++) {
		EXPECT_EQ(16, cts[b].param);
		op = vc_stu(vc, &cts[b], 0, 0, 0);
		op.b_id ^= 0x20;
		ASSERT_TRUE(vc_send_data(vc, &op, out, STU));
		for (i = 0; i < 65536 / STU; i++) {
			op = vc_stu(vc, &cts[b], i, i * STU, i == 65536 / STU - 1 ? F_LAST : 0);
			ASSERT_TRUE(vc_send_data(vc, &op, out + b * 65536 + i * STU, STU));
		}
	}
	job_end(&job);
	EXPECT_EQ(LEN, job.result);
	EXPECT_TRUE(is_filled(in, LEN, 3, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 3 })));
	free(out);
}

static bool soon_same(const void *buf, const void *wanted, size_t len)
{
	long long end = now_ms() + SOON_MS;

	while (memcmp(buf, wanted, len)) {
		if (now_ms() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* All of a Block, whose bytes are at @at, in two STUs; the socket has executed them. */
static bool send_halves(struct vc *vc, const struct op *cts, const __u8 *at)
{
	__u32 half = 1U << (cts->param - 1);
	struct op op = vc_stu(vc, cts, 0, 0, 0);

	if (!vc_send_data(vc, &op, at, half))
		return false;
	op = vc_stu(vc, cts, 1, half, F_LAST);
	return vc_send_data(vc, &op, at + half, half) && vc_executed(vc);
}

/*
 * 6.1.2: Data is in the pages of a waiting recv() before recv() could copy it, since
 * earlier bytes are missing
 */
TEST_F(destination, behind_a_gap)
{
	enum { LEN = 262144, RECORD = 3 };
	struct vc *vc = self->vc;
	__u8 *out = malloc(LEN), *in = new_pages(LEN);
	struct job job = { .fd = vc->fd, .buf = in, .len = LEN, .receive = true };
	unsigned int b, last;
	struct op cts, gap;
	__u32 size;

	fill(out, LEN, RECORD, 0);
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(job_asleep(&job));
	ASSERT_TRUE(vc_write(vc, I_ID, LEN, 14, &cts));
	ASSERT_GE(14, cts.param);
	size = 1U << cts.param;
	last = LEN / size - 1;
	for (b = 0; b < last - 1; b++) {
		ASSERT_EQ(b, cts.b_num);
		ASSERT_TRUE(send_halves(vc, &cts, out + b * size));
		ASSERT_TRUE(soon_same(in + b * size, out + b * size, size));
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
	}
	gap = cts;
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts));
	ASSERT_EQ(last, cts.b_num);
	ASSERT_TRUE(send_halves(vc, &cts, out + last * size));
	EXPECT_TRUE(is_filled(in + last * size, size, RECORD, last * size));
	EXPECT_NE(0, memcmp(in + gap.b_num * size, out + gap.b_num * size, size));
	EXPECT_TRUE(job_running(&job));
	ASSERT_TRUE(send_halves(vc, &gap, out + gap.b_num * size));
	job_end(&job);
	EXPECT_EQ(LEN, job.result);
	EXPECT_TRUE(is_filled(in, LEN, RECORD, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	free(out);
}

static bool set_rcvbuf(int fd, int bytes)
{
	return !setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

/* Into the pages of a recv() that fails: the bytes there are lost, the rest is received */
TEST_F(destination, into_a_recv_that_faults)
{
	enum { SIZE = 32768, LEN = 4 * SIZE, KEPT = 2 * SIZE, PART = KEPT + SIZE + SIZE / 2 };
	static const __u8 order[] = { 1, 2, 3, 0 };
	struct vc *vc = self->vc;
	__u8 *out = malloc(LEN), *in = new_pages(LEN);
	struct job job = { .fd = vc->fd, .buf = in, .len = PART, .receive = true };
	struct op cts[4], op;
	unsigned int i, j;
	bool last;

	fill(out, LEN, 3, 0);
	/* Room for two Blocks in pages of the kernel, and after that for more */
	ASSERT_TRUE(set_rcvbuf(vc->fd, SIZE));
	ASSERT_TRUE(vc_write(vc, I_ID, LEN, 16, &cts[0]));
	ASSERT_EQ(15, cts[0].param);
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[1]));
	ASSERT_TRUE(vc_quiet(vc));
	ASSERT_EQ(0, mprotect(in, KEPT, PROT_NONE));
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[2]));
	ASSERT_TRUE(set_rcvbuf(vc->fd, LEN));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &cts[3]));
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		for (j = 0; j < 2; j++) {
			op = vc_stu(vc, &cts[order[i]], j, j * SIZE / 2, j ? F_LAST : 0);
			ASSERT_TRUE(vc_send_data(vc, &op, out + order[i] * SIZE + j * SIZE / 2,
						 SIZE / 2));
		}
	}
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(EFAULT, job.error);
	ASSERT_EQ(0, mprotect(in, KEPT, PROT_READ | PROT_WRITE));
	EXPECT_EQ(KEPT, recv_part(vc->fd, in, LEN, MSG_PEEK, &last));
	EXPECT_FALSE(last);
	EXPECT_TRUE(is_filled(in, KEPT, 3, 0));
	EXPECT_ERRNO(EFAULT, recv(vc->fd, in, LEN, MSG_DONTWAIT));
	EXPECT_ERRNO(EAGAIN, recv(vc->fd, in, LEN, MSG_DONTWAIT));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	free(out);
}

TEST_HARNESS_MAIN
