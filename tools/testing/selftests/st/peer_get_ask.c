// SPDX-License-Identifier: GPL-2.0
/*
 * Gets of a socket from memory of the peer, ST 6.1.4.3.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "memory.h"

enum { LENT = 70000, AT = 100, LEN = 1000, ROOM = 69632, TO = 2000 };

FIXTURE(get_ask)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 *in;		/* Gets write to offset TO of it */
	__u8 out[LEN];
	__u8 junk[LEN + 1];
	struct op region;
};

FIXTURE_SETUP(get_ask)
{
	self->in = new_pages(ROOM);
	ASSERT_NE(NULL, self->in);
	memset(self->in, GUARD, ROOM);
	memset(self->junk, 0x11, sizeof(self->junk));
	fill(self->out, LEN, 1, 0);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_lend(self->vc, LENT, 7, 1000, &self->region));
}

FIXTURE_TEARDOWN(get_ask)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static bool ask(struct vc *vc, const struct op *region, __u8 *in, size_t len, struct op *get)
{
	return !mem_get(vc->fd, region->d_id, AT, in + TO, len) && vc_read(vc, GET, get);
}

/* Data for byte @at of a Get */
static struct op data_op(const struct vc *vc, const struct op *get, __u16 stu_num, __u32 at,
			 __u16 flags)
{
	__u64 place = ((__u64)get->sync << vc->k_bufsize) + get->b_num + at;
	struct op op = vc_to(vc, DATA, F_CHANNEL_1 | flags);

	op.param = stu_num;
	op.b_id = get->b_id;
	op.bufx = place >> vc->k_bufsize;
	op.offset = place & (BUFFER - 1);
	op.d_id = get->s_id;
	op.s_id = get->d_id;
	return op;
}

/* Sends all Data in one STU, which completes the Get. */
static bool answer(struct vc *vc, const struct op *get, const __u8 *out)
{
	struct op op = data_op(vc, get, 0, 0, F_LAST);

	return vc_send_data(vc, &op, out, get->param) && mem_done(vc->fd, ST_GET, 0, NULL);
}

/* Checks that these bytes were written, and no others. */
static bool only(const __u8 *in, size_t len)
{
	return is_filled(in + TO, len, 1, 0) && is_guard(in, TO) &&
	       is_guard(in + TO + len, ROOM - TO - len);
}

/* Table 8 PG5, 6.2.1 to 6.2.3, 6.2.8: every field of the Get */
TEST_F(get_ask, get)
{
	static const struct {
		__u8	bufsize;
		__u32	bufx, offset;
	} places[] = {
		{ 8, 7, 200 }, { 12, 0xfffffff, 4095 }, { 16, 0, 0 }, { 32, 1, 0xfffffff0 },
	};
	static const size_t lens[] = { LEN, 1, ST_GET_MAX, 0 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct vc vc = vc_new(&self->bench.peer);
		struct op region, op[ARRAY_SIZE(lens)], expected;
		__u64 place;

		vc.bufsize = places[i].bufsize;
		vc.max_stu = 8;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		ASSERT_TRUE(mem_lend(&vc, LENT, places[i].bufx, places[i].offset, &region));
		place = ((__u64)region.bufx << vc.bufsize) + region.offset + AT;
		for (j = 0; j < ARRAY_SIZE(lens); j++) {
			ASSERT_TRUE(ask(&vc, &region, self->in, lens[j], &op[j]));
			expected = vc_from(&vc, GET, F_CHANNEL_1);
			expected.param = lens[j];
			expected.b_id = op[j].b_id;	/* I-Mx, I-Bufx, I-Offset: any */
			expected.bufx = place >> vc.bufsize;
			expected.offset = place & ((1ULL << vc.bufsize) - 1);
			expected.sync = op[j].sync;
			expected.b_num = op[j].b_num;
			expected.d_id = region.s_id;
			expected.s_id = op[j].s_id;
			EXPECT_TRUE(op_is(&op[j], &expected));
			EXPECT_GT(1 << vc.k_bufsize, op[j].b_num);
			if (j) {
				EXPECT_NE(op[j - 1].b_id, op[j].b_id);
				EXPECT_LT(op[j - 1].s_id, op[j].s_id);
			}
		}
		/* 6.2.3: a Get longer than the maximum or than the region is not sent. */
		EXPECT_ERRNO(EMSGSIZE, mem_get(vc.fd, region.d_id, 0, self->in, ST_GET_MAX + 1));
		EXPECT_ERRNO(ERANGE, mem_get(vc.fd, region.d_id, LENT - 1, self->in, 2));
		EXPECT_TRUE(vc_quiet(&vc));
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
}

/*
 * When ST_REGION_END returns, the memory of a region of this end belongs to the application
 * again.
 */
TEST_F(get_ask, local_region_ends)
{
	struct st_get get = { .region = self->region.d_id, .offset = AT, .len = LEN, .addr = TO };
	struct st_fetchop fetch = { .region = self->region.d_id, .op = ST_FETCH_INCREMENT };
	const __u64 word = htobe64(0x0123456789abcdefULL);
	struct vc *vc = self->vc;
	struct op op[2], data;
	unsigned int i;
	__u64 value;
	long mine;

	mine = region_expose(vc->fd, self->in, ROOM, ST_REGION_LOCAL_WRITE);
	ASSERT_LE(0, mine);
	get.local = mine;
	fetch.local = mine;
	ASSERT_EQ(0, region_post(vc->fd, ST_GET, &get, sizeof(get), NULL, 0));
	ASSERT_EQ(0, region_post(vc->fd, ST_FETCHOP, &fetch, sizeof(fetch), NULL, 0));
	for (i = 0; i < ARRAY_SIZE(op); i++)
		ASSERT_TRUE(vc_read(vc, GET, &op[i]));
	data = data_op(vc, &op[0], 0, 0, 0);
	ASSERT_TRUE(vc_send_data(vc, &data, self->out, 100));
	ASSERT_TRUE(vc_executed(vc));
	EXPECT_TRUE(only(self->in, 100));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, mine));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, ECANCELED, NULL));

	memset(self->in, GUARD, ROOM);
	data = data_op(vc, &op[0], 1, 100, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &data, self->out + 100, LEN - 100));
	/* The fetched value cannot be obtained in another way. */
	data = data_op(vc, &op[1], 0, 0, F_LAST);
	data.bufx = op[1].sync;
	data.offset = op[1].b_num;
	ASSERT_TRUE(vc_send_data(vc, &data, &word, sizeof(word)));
	EXPECT_TRUE(mem_done(vc->fd, ST_FETCHOP, 0, &value));
	EXPECT_EQ(0x0123456789abcdefULL, value);
	ASSERT_TRUE(vc_read(vc, GET, &data));
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_TRUE(is_guard(self->in, ROOM));
	EXPECT_EQ(-1, region_post(vc->fd, ST_GET, &get, sizeof(get), NULL, 0));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_TRUE(mem_no_event(vc->fd));
}

/* The same holds if the peer ends the region, which this end did not request. */
TEST_F(get_ask, local_region_is_ended)
{
	struct st_get get = { .region = self->region.d_id, .offset = AT, .len = LEN, .addr = TO };
	struct op op, data, available;
	struct vc *vc = self->vc;
	struct st_event event;

	ASSERT_TRUE(mem_borrow(vc, 0x1d01, self->in, ROOM, ACCESS, &available));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_EVENTS, ST_REGION_EV_STATE));
	get.local = available.s_id;
	ASSERT_EQ(0, region_post(vc->fd, ST_GET, &get, sizeof(get), NULL, 0));
	ASSERT_TRUE(vc_read(vc, GET, &op));
	ASSERT_TRUE(mem_end(vc, available.s_id, 0x1d01));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, EREMOTEIO, NULL));
	EXPECT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_END, &event));
	data = data_op(vc, &op, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &data, self->out, LEN));
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_TRUE(is_guard(self->in, ROOM));
}

/* 6.1.4.3: STUs of any size, one without bytes, and on any Data Channel */
TEST_F(get_ask, stu_sizes)
{
	static const size_t sizes[] = { 1, 299, 0, 600, 100 };
	struct vc *vc = self->vc;
	struct op get, op;
	unsigned int i;
	size_t at = 0;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		op = data_op(vc, &get, i, at, at + sizes[i] == LEN ? F_LAST : F_SILENT);
		op.flags = (op.flags & ~F_CHANNEL) | 2;
		ASSERT_TRUE(vc_send_data(vc, &op, self->out + at, sizes[i]));
		at += sizes[i];
	}
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, 0, NULL));
	EXPECT_TRUE(only(self->in, LEN));
	EXPECT_TRUE(vc_quiet(vc));
	/* And no STU at all */
	ASSERT_TRUE(ask(vc, &self->region, self->in, 0, &get));
	EXPECT_TRUE(answer(vc, &get, NULL));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.3: the answer restarts, as after a repeated Get */
TEST_F(get_ask, answer_begins_again)
{
	struct vc *vc = self->vc;
	struct op get, op;
	int i;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	for (i = 0; i < 2; i++) {
		op = data_op(vc, &get, 0, 0, F_SILENT);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, 400));
	}
	op = data_op(vc, &get, 1, 400, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 400, LEN - 400));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, 0, NULL));
	EXPECT_TRUE(only(self->in, LEN));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/**
 * struct wrong - Data that does not match the Get
 * @change: makes it wrong
 * @len: bytes
 * @error: the logged error
 */
struct wrong {
	void		(*change)(struct op *op);
	size_t		len;
	enum st_error	error;
};

static void wrong_g_id(struct op *op)
{
	op->d_id--;
}

static void behind_it(struct op *op)
{
	op->offset += LEN;
}

/* 10.7: discarded and logged; nothing is written outside the memory of the Get */
TEST_F(get_ask, wrong_data)
{
	static const struct wrong wrongs[] = {
		{ wrong_mx, 300, ST_ERR_INVALID_MX },
		{ mx_of_another_time, 300, ST_ERR_INVALID_MX },
		{ wrong_g_id, 300, ST_ERR_INVALID_D_ID },
		{ wrong_r_id, 300, ST_ERR_INVALID_D_ID },
		{ wrong_stu_num, 300, ST_ERR_OUT_OF_ORDER_STU },
		{ wrong_bufx, 300, ST_ERR_OUT_OF_RANGE_BUFX },
		{ wrong_offset, 300, ST_ERR_OUT_OF_RANGE_BUFX },
		{ wrong_offset, LEN, ST_ERR_OUT_OF_RANGE_BUFX },
		{ behind_it, 300, ST_ERR_OUT_OF_RANGE_BUFX },
		{ no_change, LEN + 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ outside_buffer, 300, ST_ERR_OVERSIZED_OFFSET },
		{ largest_offset, 300, ST_ERR_OVERSIZED_OFFSET },
	};
	struct vc *vc = self->vc;
	struct st_errors before;
	struct op get, op;
	unsigned int i;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = data_op(vc, &get, 0, 0, F_LAST);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send_data(vc, &op, self->junk, wrongs[i].len));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_EQ(0, get_info(vc->fd).rx_bytes);
	EXPECT_TRUE(answer(vc, &get, self->out));
	EXPECT_TRUE(only(self->in, LEN));
}

/* 10.7.4: wrong Data does not change bytes that have arrived */
TEST_F(get_ask, wrong_data_over_what_is_there)
{
	struct vc *vc = self->vc;
	struct op get, op;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = data_op(vc, &get, 0, 0, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 400));
	ASSERT_TRUE(vc_quiet(vc));
	op = data_op(vc, &get, 1, 0, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->junk, 400));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_RANGE_BUFX, 1 })));
	op = data_op(vc, &get, 1, 400, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 400, LEN - 400));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, 0, NULL));
	EXPECT_TRUE(only(self->in, LEN));
}

/* 6.2.7: Last in the middle of it */
TEST_F(get_ask, last_too_early)
{
	struct vc *vc = self->vc;
	struct op get, op;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = data_op(vc, &get, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 400));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_IMPROPER_FLAG_USE, 1 })));
	EXPECT_TRUE(answer(vc, &get, self->out));
	EXPECT_TRUE(only(self->in, LEN));
}

/* 8.3.3, 10.4: damaged in transit */
TEST_F(get_ask, checksum)
{
	struct vc *vc = self->vc;
	struct op get, op;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = data_op(vc, &get, 0, 0, F_LAST);
	op.cksum = 0x1234;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, LEN));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, 1 })));
	EXPECT_TRUE(answer(vc, &get, self->out));
	EXPECT_TRUE(only(self->in, LEN));
}

/* 10.7.2, 10.3: the answer is repeated, also one of 8 bytes, and is not answered */
TEST_F(get_ask, answered_again)
{
	static const size_t lens[] = { LEN, 8 };
	struct vc *vc = self->vc;
	struct op get, op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_TRUE(ask(vc, &self->region, self->in, lens[i], &get));
		EXPECT_TRUE(answer(vc, &get, self->out));
		op = data_op(vc, &get, 0, 0, F_LAST);
		ASSERT_TRUE(vc_send_data(vc, &op, self->junk, lens[i]));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(mem_no_event(vc->fd));
		EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, i + 1 })));
	}
	EXPECT_TRUE(only(self->in, LEN));
}

/* 7.3, 6.1.4.3: postponed, and rejected; 10.7.1: answers for another Get */
TEST_F(get_ask, request_answer)
{
	struct vc *vc = self->vc;
	struct op get, op, data;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = vc_to(vc, REQUEST_ANSWER, 0);
	op.d_id = get.s_id;
	op.s_id = get.d_id;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	op.flags = F_REJECT;
	op.s_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	op.s_id--;
	op.d_id += 0x1000;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
	op.d_id = get.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, EACCES, NULL));
	data = data_op(vc, &get, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &data, self->junk, LEN));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(is_guard(self->in, ROOM));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 },
							 { ST_ERR_INVALID_MX, 1 })));
	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	EXPECT_TRUE(answer(vc, &get, self->out));
}

/* 6.1.4.3, 6.1.1.4: an End aborts it, in the middle of its Data */
TEST_F(get_ask, ended)
{
	struct vc *vc = self->vc;
	struct op get, op;

	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = data_op(vc, &get, 0, 0, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 400));
	ASSERT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_end(vc, self->region.d_id, self->region.s_id));
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, EREMOTEIO, NULL));
	memset(self->in, GUARD, ROOM);
	op = data_op(vc, &get, 1, 400, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->junk, LEN - 400));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(is_guard(self->in, ROOM));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
}

/* 7.4: any operation can request an Interrupt */
TEST_F(get_ask, interrupt)
{
	const int serve = ST_SERVE_INTERRUPTS;
	struct vc *vc = self->vc;
	struct st_event event;
	struct op get, op;

	ASSERT_EQ(0, setsockopt(vc->fd, SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	ASSERT_TRUE(ask(vc, &self->region, self->in, LEN, &get));
	op = data_op(vc, &get, 0, 0, F_LAST | F_INTERRUPT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, LEN));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_INTERRUPT, &event));
	EXPECT_EQ(get.s_id, event.id);
	EXPECT_EQ(DATA, event.flags);
	EXPECT_TRUE(mem_done(vc->fd, ST_GET, 0, NULL));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
}

TEST_HARNESS_MAIN
