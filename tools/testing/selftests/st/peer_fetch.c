// SPDX-License-Identifier: GPL-2.0
/*
 * FetchOps on a socket's memory, ST 6.1.4.4.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "memory.h"

enum {
	I_ID = 0x1d00, F_ID = 0x7000, LEN = 4100, WORDS = LEN / 8,
	RESULTS = 128,
};

FIXTURE(fetch)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u64 *mem;
	struct op region;
};

FIXTURE_SETUP(fetch)
{
	self->mem = new_pages(LEN);
	ASSERT_NE(NULL, self->mem);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_borrow(self->vc, I_ID, self->mem, LEN, ACCESS, &self->region));
}

FIXTURE_TEARDOWN(fetch)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A FetchOp with its value to byte 16 of buffer 5 */
static struct op fetch_op(const struct vc *vc, const struct op *region, __u16 function,
			  __u32 id, __u32 word)
{
	struct op op = mem_get_op(vc, region, function, id, 8 * word);

	op.sync = 5;
	op.b_num = 16;
	return op;
}

/* Its Data, table 8 PG6: every field, and the value in the byte order of the host */
static bool data_comes(struct vc *vc, const struct op *fetch, __u64 value, struct op *data)
{
	struct op expected = vc_from(vc, DATA, (fetch->flags & F_CHANNEL) | F_SILENT | F_LAST);
	struct msg *msg = vc_data(vc);
	bool ok;

	if (!msg)
		return false;
	expected.b_id = fetch->b_id;
	expected.bufx = fetch->sync;
	expected.offset = fetch->b_num;
	expected.sync = msg->op.sync;	/* any */
	expected.d_id = fetch->s_id;
	expected.s_id = fetch->d_id;
	*data = msg->op;
	ok = op_is(&msg->op, &expected) && msg->len == sizeof(value) &&
	     !memcmp(payload_of(msg), &value, sizeof(value));
	free(msg);
	return ok;
}

static bool fetch(struct vc *vc, const struct op *op, __u64 value, struct op *data)
{
	return vc_send(vc, op) && data_comes(vc, op, value, data);
}

/* The FetchOp_Complete to some Data */
static struct op complete_op(const struct vc *vc, const struct op *data)
{
	struct op op = vc_to(vc, GET, COMPLETE);

	op.sync = data->sync;
	op.d_id = data->s_id;
	op.s_id = data->d_id;
	return op;
}

/* 8.2: each Function, on every Data Channel, and on the last word */
TEST_F(fetch, functions)
{
	static const struct {
		__u16	function;
		__u64	before, after;
	} cases[] = {
		{ INCREMENT, 41, 42 }, { INCREMENT, ~0ULL, 0 }, { DECREMENT, 42, 41 },
		{ DECREMENT, 0, ~0ULL }, { CLEAR, 0x0123456789abcdef, 0 }, { CLEAR, 0, 0 },
		{ INCREMENT, 0xffffffff, 0x100000000 },
	};
	struct vc *vc = self->vc;
	struct op op, data;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		__u32 word = i % 2 ? WORDS - 1 : i;

		self->mem[word] = cases[i].before;
		op = fetch_op(vc, &self->region, cases[i].function, F_ID + i, word);
		op.flags = (op.flags & ~F_CHANNEL) | (i % 3 + 1);
		op.b_id += i;
		EXPECT_TRUE(fetch(vc, &op, cases[i].before, &data));
		EXPECT_EQ(cases[i].after, self->mem[word]);
		op = complete_op(vc, &data);
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.4.4: with the same F-id a FetchOp returns the same value, and is not executed again */
TEST_F(fetch, again)
{
	struct op op, data, same;
	struct st_region_info info;
	struct vc *vc = self->vc;
	int i;

	self->mem[3] = 10;
	op = fetch_op(vc, &self->region, INCREMENT, F_ID, 3);
	EXPECT_TRUE(fetch(vc, &op, 10, &data));
	for (i = 0; i < 3; i++) {
		EXPECT_TRUE(fetch(vc, &op, 10, &same));
		EXPECT_TRUE(op_is(&same, &data));
	}
	/* Whatever its other fields: another Function, another word, none */
	op.flags ^= INCREMENT ^ CLEAR;
	EXPECT_TRUE(fetch(vc, &op, 10, &same));
	op.offset += 8;
	EXPECT_TRUE(fetch(vc, &op, 10, &same));
	op.offset = BUFFER;
	EXPECT_TRUE(fetch(vc, &op, 10, &same));
	EXPECT_EQ(11, self->mem[3]);
	EXPECT_EQ(0, self->mem[4]);
	ASSERT_EQ(0, region_info(vc->fd, self->region.s_id, &info));
	EXPECT_EQ(1, info.fetchops);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.4.4, 6.2.9: until its FetchOp_Complete, which has the Sync of the Data */
TEST_F(fetch, complete)
{
	struct op op, data, complete;
	struct vc *vc = self->vc;

	op = fetch_op(vc, &self->region, INCREMENT, F_ID, 0);
	EXPECT_TRUE(fetch(vc, &op, 0, &data));
	complete = complete_op(vc, &data);
	/* Operations that are not it: another Sync, F-id, Key, region */
	complete.sync++;
	ASSERT_TRUE(vc_send(vc, &complete));
	complete.sync--;
	complete.s_id++;
	ASSERT_TRUE(vc_send(vc, &complete));
	complete.s_id--;
	complete.d_key++;
	ASSERT_TRUE(vc_send(vc, &complete));
	complete.d_key--;
	complete.d_id += 0x1000;
	ASSERT_TRUE(vc_send(vc, &complete));
	complete.d_id -= 0x1000;
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 1 },
							 { ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_TRUE(fetch(vc, &op, 0, &data));
	EXPECT_EQ(1, self->mem[0]);
	ASSERT_TRUE(vc_send(vc, &complete));
	ASSERT_TRUE(vc_send(vc, &complete));
	EXPECT_TRUE(vc_quiet(vc));
	/*
	 * With another I-Mx it is no repetition, and the result is still available to repetitions.
	 */
	op.b_id++;
	EXPECT_TRUE(fetch(vc, &op, 1, &data));
	EXPECT_EQ(2, self->mem[0]);
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 1 },
							 { ST_ERR_INVALID_D_ID, 1 })));
}

/* 6.1.4.4, 6.2.1: a repetition that arrives after its FetchOp_Complete changes nothing */
TEST_F(fetch, overtaken)
{
	static const __u16 functions[] = { INCREMENT, DECREMENT, CLEAR };
	struct op op[ARRAY_SIZE(functions)], data, complete;
	struct st_region_info info;
	struct vc *vc = self->vc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		self->mem[i] = 10;
		op[i] = fetch_op(vc, &self->region, functions[i], F_ID + i, i);
		EXPECT_TRUE(fetch(vc, &op[i], 10, &data));
		complete = complete_op(vc, &data);
		ASSERT_TRUE(vc_send(vc, &complete));
		ASSERT_TRUE(vc_send(vc, &op[i]));
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		ASSERT_TRUE(vc_send(vc, &op[i]));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(11, self->mem[0]);
	EXPECT_EQ(9, self->mem[1]);
	EXPECT_EQ(0, self->mem[2]);
	ASSERT_EQ(0, region_info(vc->fd, self->region.s_id, &info));
	EXPECT_EQ(ARRAY_SIZE(functions), info.fetchops);
	/* The next F-id is a new FetchOp. */
	op[0].s_id = F_ID + i;
	EXPECT_TRUE(fetch(vc, &op[0], 11, &data));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/**
 * struct wrong - a FetchOp that is not executed
 * @change: makes it wrong
 * @error: the logged error, or -1
 */
struct wrong {
	void	(*change)(struct op *op);
	int	error;
};

static void by_1(struct op *op)
{
	op->offset++;
}

static void by_4(struct op *op)
{
	op->offset += 4;
}

static void word_before_it(struct op *op)
{
	op->bufx = 0;
	op->offset -= 8;
}

static void not_all_of_it(struct op *op)
{
	op->offset += 8 * WORDS;
}

static void behind_it(struct op *op)
{
	op->offset += 8 * WORDS + 8;
}

static void last_word(struct op *op)
{
	op->offset = 0xfffffff8;
}

static void reserved_function(struct op *op)
{
	op->flags = 0x400 | F_CHANNEL_1;
}

static void to_two_buffers(struct op *op)
{
	op->b_num = (1 << 16) - 4;
}

/* 6.1.4.4, 10.7: rejected; every field of the Request_Answer; no word has changed */
TEST_F(fetch, wrong)
{
	static const struct wrong wrongs[] = {
		{ by_1, -1 },
		{ by_4, -1 },
		{ word_before_it, ST_ERR_OUT_OF_RANGE_BUFX },
		{ not_all_of_it, ST_ERR_OUT_OF_RANGE_BUFX },
		{ behind_it, ST_ERR_OUT_OF_RANGE_BUFX },
		{ far_away, ST_ERR_OUT_OF_RANGE_BUFX },
		{ outside_buffer, ST_ERR_OVERSIZED_OFFSET },
		{ last_word, ST_ERR_OVERSIZED_OFFSET },
		{ wrong_d_id, ST_ERR_INVALID_D_ID },
		{ id_of_none, ST_ERR_INVALID_D_ID },
		{ no_channel, -1 },
		{ reserved_function, ST_ERR_IMPROPER_FLAG_USE },
		{ to_outside_a_buffer, ST_ERR_OVERSIZED_OFFSET },
		{ to_two_buffers, ST_ERR_OUT_OF_RANGE_BUFX },
	};
	struct vc *vc = self->vc;
	struct st_errors before;
	struct op op, data, region;
	unsigned int i;

	memset(self->mem, GUARD, LEN);
	/* With memory of the socket before it */
	ASSERT_TRUE(mem_borrow(vc, I_ID + 1, self->mem + 1, LEN - 8, ACCESS, &region));
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = fetch_op(vc, &self->region, CLEAR, F_ID + i, 0);
		if (wrongs[i].change == word_before_it)
			op = fetch_op(vc, &region, CLEAR, F_ID + i, 0);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(mem_answered(vc, &op, F_REJECT)) {
			TH_LOG("case %u", i);
		}
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
		EXPECT_TRUE(is_guard(self->mem, LEN));
	}
	op = fetch_op(vc, &self->region, CLEAR, F_ID + i, 0);
	EXPECT_TRUE(fetch(vc, &op, 0xa5a5a5a5a5a5a5a5, &data));
	EXPECT_EQ(0, self->mem[0]);
}

/* With a wrong Key, and over another connection */
TEST_F(fetch, of_nobody)
{
	struct vc *vc = self->vc, other = vc_new(vc->peer);
	struct op op = fetch_op(vc, &self->region, INCREMENT, F_ID, 0);
	struct st_errors before;

	op.d_key++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 1 })));
	ASSERT_TRUE(vc_call(&other, self->bench.listener));
	before = errors_of(other.fd);
	op = fetch_op(&other, &self->region, INCREMENT, F_ID, 0);
	ASSERT_TRUE(vc_send(&other, &op));
	EXPECT_TRUE(mem_answered(&other, &op, F_REJECT));
	EXPECT_TRUE(vc_quiet(&other));
	EXPECT_TRUE(logged(other.fd, &before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_EQ(0, self->mem[0]);
	EXPECT_TRUE(vc_hang_up(&other));
	close(other.fd);
}

/* 7.3: a region that is not lent for FetchOps */
TEST_F(fetch, no_access)
{
	struct op region, op;
	struct vc *vc = self->vc;

	ASSERT_TRUE(mem_borrow(vc, I_ID + 1, self->mem, LEN, ST_REGION_PUT | ST_REGION_GET,
			       &region));
	op = fetch_op(vc, &region, INCREMENT, F_ID, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(mem_answered(vc, &op, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(0, self->mem[0]);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* FetchOps whose results would exceed the room for results are not executed. */
TEST_F_TIMEOUT(fetch, results, 60)
{
	long long before = dropped(A, ST_A_DROPS_TOO_MANY_FETCHOPS);
	struct op op, data, first;
	struct vc *vc = self->vc;
	int i;

	for (i = 0; i < RESULTS; i++) {
		op = fetch_op(vc, &self->region, INCREMENT, F_ID + i, 0);
		ASSERT_TRUE(fetch(vc, &op, i, &data));
		if (!i)
			first = data;
	}
	op = fetch_op(vc, &self->region, INCREMENT, F_ID + i, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(RESULTS, self->mem[0]);
	EXPECT_EQ(before + 1, dropped(A, ST_A_DROPS_TOO_MANY_FETCHOPS));
	first = complete_op(vc, &first);
	ASSERT_TRUE(vc_send(vc, &first));
	EXPECT_TRUE(fetch(vc, &op, RESULTS, &data));
	EXPECT_EQ(RESULTS + 1, self->mem[0]);
}

TEST_HARNESS_MAIN
