// SPDX-License-Identifier: GPL-2.0
/*
 * FetchOps of a socket on memory of the peer, ST 6.1.4.4.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "memory.h"

enum { LENT = 4096, AT = 24 };

#define VALUE	0x0123456789abcdefULL

FIXTURE(fetch_ask)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	struct op region;
};

FIXTURE_SETUP(fetch_ask)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_lend(self->vc, LENT, 7, 1000, &self->region));
}

FIXTURE_TEARDOWN(fetch_ask)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static bool ask(struct vc *vc, const struct op *region, unsigned int op, struct op *fetch)
{
	return !mem_fetch(vc->fd, region->d_id, AT, op) && vc_read(vc, GET, fetch);
}

/* Its Data, with a unique Sync */
static struct op data_op(struct vc *vc, const struct op *fetch)
{
	struct op op = vc_to(vc, DATA, F_CHANNEL_1 | F_LAST);

	op.b_id = fetch->b_id;
	op.bufx = fetch->sync;
	op.offset = fetch->b_num;
	op.sync = ++vc->sync;
	op.d_id = fetch->s_id;
	op.s_id = fetch->d_id;
	return op;
}

/* Table 8 PG6, 6.2.9: every field of the FetchOp_Complete */
static bool completed(struct vc *vc, const struct op *data)
{
	struct op expected = vc_from(vc, GET, COMPLETE);

	expected.sync = data->sync;
	expected.d_id = data->s_id;
	expected.s_id = data->d_id;
	return vc_expect(vc, &expected);
}

/* Checks the value that the application gets from these bytes. */
static bool answer(struct vc *vc, const struct op *data, __u64 bytes, __u64 value)
{
	__u64 found;

	return vc_send_data(vc, data, &bytes, sizeof(bytes)) && completed(vc, data) &&
	       mem_done(vc->fd, ST_FETCHOP, 0, &found) && found == value;
}

/* Table 8 PG6, 6.2.1, 6.2.8, 8.2: every field of the FetchOp, for each Function */
TEST_F(fetch_ask, fetch)
{
	static const __u16 functions[] = {
		[ST_FETCH_INCREMENT] = INCREMENT, [ST_FETCH_DECREMENT] = DECREMENT,
		[ST_FETCH_CLEAR] = CLEAR,
	};
	static const struct {
		__u8	bufsize;
		__u32	bufx, offset;
	} places[] = { { 8, 7, 200 }, { 8, 7, 240 }, { 16, 0, 0 }, { 32, 1, 0xfffffff0 } };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct op region, last = {}, op, expected;
		struct vc vc = vc_new(&self->bench.peer);
		__u64 place;

		vc.bufsize = places[i].bufsize;
		vc.max_stu = 8;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		ASSERT_TRUE(mem_lend(&vc, LENT, places[i].bufx, places[i].offset, &region));
		place = ((__u64)region.bufx << vc.bufsize) + region.offset + AT;
		for (j = ST_FETCH_INCREMENT; j <= ST_FETCH_CLEAR; j++) {
			ASSERT_TRUE(ask(&vc, &region, j, &op));
			expected = vc_from(&vc, GET, functions[j] | F_CHANNEL_1);
			expected.b_id = op.b_id;	/* I-Mx, I-Bufx, I-Offset: any */
			expected.bufx = place >> vc.bufsize;
			expected.offset = place & ((1ULL << vc.bufsize) - 1);
			expected.sync = op.sync;
			expected.b_num = op.b_num;
			expected.d_id = region.s_id;
			expected.s_id = op.s_id;
			EXPECT_TRUE(op_is(&op, &expected));
			EXPECT_GT(1 << vc.k_bufsize, op.b_num);
			EXPECT_NE(last.b_id, op.b_id);
			EXPECT_LT(last.s_id, op.s_id);
			last = op;
		}
		EXPECT_TRUE(vc_quiet(&vc));
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
}

/* 8.2: the bytes are in the order of the peer's memory */
TEST_F(fetch_ask, byte_order)
{
	struct vc little = vc_new(&self->bench.peer), *vc = self->vc;
	struct op region, op;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_CLEAR, &op));
	op = data_op(vc, &op);
	EXPECT_TRUE(answer(vc, &op, htobe64(VALUE), VALUE));
	EXPECT_TRUE(vc_quiet(vc));
	little.flags |= F_LITTLE_ENDIAN;
	ASSERT_TRUE(vc_call(&little, self->bench.listener));
	ASSERT_TRUE(mem_lend(&little, LENT, 7, 1000, &region));
	ASSERT_TRUE(ask(&little, &region, ST_FETCH_CLEAR, &op));
	op = data_op(&little, &op);
	EXPECT_TRUE(answer(&little, &op, htole64(VALUE), VALUE));
	EXPECT_TRUE(vc_quiet(&little));
	EXPECT_TRUE(vc_hang_up(&little));
	close(little.fd);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.4.4: repeated Data, as the FetchOp_Complete was lost */
TEST_F(fetch_ask, answered_again)
{
	struct vc *vc = self->vc;
	struct op fetch, op;
	__u64 bytes = 0;
	unsigned int i;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_INCREMENT, &fetch));
	op = data_op(vc, &fetch);
	EXPECT_TRUE(answer(vc, &op, htobe64(VALUE), VALUE));
	for (i = 1; i <= 3; i++) {
		ASSERT_TRUE(vc_send_data(vc, &op, &bytes, sizeof(bytes)));
		EXPECT_TRUE(completed(vc, &op));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(mem_no_event(vc->fd));
		EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, i })));
	}
}

/**
 * struct wrong - Data that does not match the FetchOp
 * @change: makes it wrong
 * @len: bytes
 * @error: the logged error, or -1
 */
struct wrong {
	void	(*change)(struct op *op);
	size_t	len;
	int	error;
};

static void mx_of_a_region(struct op *op)
{
	op->b_id &= ~0x4000;
}

static void f_id_of_the_region(struct op *op)
{
	op->d_id--;
}

/* 10.7: discarded, logged, and not answered: the peer has to keep the value */
TEST_F(fetch_ask, wrong_data)
{
	static const struct wrong wrongs[] = {
		{ wrong_mx, 8, ST_ERR_INVALID_MX },
		{ mx_of_another_time, 8, ST_ERR_INVALID_MX },
		{ mx_of_a_region, 8, ST_ERR_INVALID_MX },
		{ wrong_d_id, 8, ST_ERR_INVALID_D_ID },
		{ f_id_of_the_region, 8, ST_ERR_INVALID_D_ID },
		{ wrong_r_id, 8, ST_ERR_INVALID_D_ID },
		{ wrong_stu_num, 8, ST_ERR_OUT_OF_ORDER_STU },
		{ wrong_bufx, 8, ST_ERR_OUT_OF_RANGE_BUFX },
		{ wrong_offset, 8, ST_ERR_OUT_OF_RANGE_BUFX },
		{ outside_buffer, 8, ST_ERR_OVERSIZED_OFFSET },
		{ no_change, 0, -1 },
		{ no_change, 7, -1 },
		{ no_change, 9, -1 },
		{ no_change, 300, -1 },
	};
	long long lengths = dropped(A, ST_A_DROPS_ILLEGAL_LENGTH);
	static const __u8 junk[300] = { 0x11 };
	struct vc *vc = self->vc;
	struct st_errors before;
	struct op fetch, op;
	unsigned int i;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_INCREMENT, &fetch));
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = data_op(vc, &fetch);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send_data(vc, &op, junk, wrongs[i].len));
		EXPECT_TRUE(vc_quiet(vc)) {
			TH_LOG("case %u", i);
		}
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
		if (wrongs[i].error < 0)
			lengths++;
		EXPECT_EQ(lengths, dropped(A, ST_A_DROPS_ILLEGAL_LENGTH));
	}
	EXPECT_TRUE(mem_no_event(vc->fd));
	op = data_op(vc, &fetch);
	EXPECT_TRUE(answer(vc, &op, htobe64(VALUE), VALUE));
}

/* 8.3.3, 10.4: damaged in transit */
TEST_F(fetch_ask, checksum)
{
	struct vc *vc = self->vc;
	struct op fetch, op;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_INCREMENT, &fetch));
	op = data_op(vc, &fetch);
	op.cksum = 0x1234;
	ASSERT_TRUE(vc_send_data(vc, &op, "12345678", 8));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, 1 })));
	op.cksum = 0;
	EXPECT_TRUE(answer(vc, &op, htobe64(VALUE), VALUE));
}

/* 7.3, 6.1.4.4: postponed, and rejected; 10.7.1: answers for another FetchOp */
TEST_F(fetch_ask, request_answer)
{
	struct vc *vc = self->vc;
	struct op fetch, op;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_INCREMENT, &fetch));
	op = vc_to(vc, REQUEST_ANSWER, 0);
	op.d_id = fetch.s_id;
	op.s_id = fetch.d_id;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	op.flags = F_REJECT;
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	op.s_id--;
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(mem_done(vc->fd, ST_FETCHOP, EACCES, NULL));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
}

/* 8.2, 6.1.4.4: impossible FetchOps are not sent */
TEST_F(fetch_ask, not_asked_for)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct op region;

	EXPECT_ERRNO(EINVAL, mem_fetch(self->vc->fd, self->region.d_id, 4, ST_FETCH_CLEAR));
	EXPECT_ERRNO(ERANGE, mem_fetch(self->vc->fd, self->region.d_id, LENT, ST_FETCH_CLEAR));
	EXPECT_TRUE(vc_quiet(self->vc));
	vc.flags = F_OUT_OF_ORDER | (F_MEMORY & INCREMENT);	/* but no FetchOps */
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	ASSERT_TRUE(mem_lend(&vc, LENT, 0, 0, &region));
	EXPECT_ERRNO(EOPNOTSUPP, mem_fetch(vc.fd, region.d_id, 0, ST_FETCH_CLEAR));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* 6.1.4.4, 6.1.1.4: an End aborts it; its value arrives late, and need not be kept */
TEST_F(fetch_ask, ended)
{
	struct vc *vc = self->vc;
	struct op fetch, op;

	ASSERT_TRUE(ask(vc, &self->region, ST_FETCH_INCREMENT, &fetch));
	EXPECT_TRUE(mem_end(vc, self->region.d_id, self->region.s_id));
	EXPECT_TRUE(mem_done(vc->fd, ST_FETCHOP, EREMOTEIO, NULL));
	op = data_op(vc, &fetch);
	ASSERT_TRUE(vc_send_data(vc, &op, "12345678", 8));
	EXPECT_TRUE(completed(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
}

TEST_HARNESS_MAIN
