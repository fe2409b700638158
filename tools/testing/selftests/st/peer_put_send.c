// SPDX-License-Identifier: GPL-2.0
/*
 * Puts from a socket into memory of the peer, ST 6.1.4.2.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "memory.h"

enum { LENT = 10000, LEN = 8000, AT = 100, OPAQUE = 0x0a0b0c0d };

FIXTURE(put_send)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[LEN];
	struct op region;
};

FIXTURE_SETUP(put_send)
{
	fill(self->out, LEN, 1, 0);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_lend(self->vc, LENT, 7, 1000, &self->region));
}

FIXTURE_TEARDOWN(put_send)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static int put(struct vc *vc, const struct op *region, const void *buf, size_t len,
	       unsigned int flags)
{
	return mem_put(vc->fd, region->d_id, AT, buf, len, flags);
}

/* Answers that report this Put as complete, another one, or none */
static struct op state_op(const struct vc *vc, const struct op *region, __u32 sync, __u32 b_num)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = SLOTS_NOT_COUNTED;
	op.offset = NO_B_NUM;
	op.sync = sync;
	op.b_num = b_num;
	op.d_id = region->d_id;
	op.s_id = region->s_id;
	return op;
}

static bool complete(struct vc *vc, const struct op *region, __u32 sync, __u32 b_num)
{
	struct op op = state_op(vc, region, sync, b_num);

	return vc_send(vc, &op) && mem_done(vc->fd, ST_PUT, 0, NULL);
}

/*
 * Checks a Put in STUs: each is in bounds, 6.2.7, and has every field right, table 8
 * PG3; @flags and @sync are those of the last STU.
 */
static bool put_comes(struct vc *vc, const struct op *region, __u32 b_num, size_t len,
		      __u16 flags, __u32 *sync)
{
	__u64 size = 1ULL << vc->bufsize, place = region->bufx * size + region->offset + AT;
	struct op expected = vc_from(vc, DATA, 0);
	size_t at = 0;
	struct msg *data;
	bool ok;

	expected.b_id = region->b_id;
	expected.b_num = b_num;
	expected.d_id = region->s_id;
	expected.s_id = OPAQUE;
	do {
		data = vc_data(vc);
		if (!data)
			return false;
		expected.flags = F_CHANNEL_1 | F_SILENT;
		if (at + data->len == len)
			expected.flags = F_CHANNEL_1 | F_LAST | flags;
		expected.bufx = place >> vc->bufsize;
		expected.offset = place & (size - 1);
		expected.sync = data->op.sync;	/* any */
		*sync = data->op.sync;
		ok = op_is(&data->op, &expected) && (data->len || !len) &&
		     data->len <= len - at && data->len <= 1U << vc->max_stu &&
		     data->len <= size - expected.offset &&
		     is_filled(payload_of(data), data->len, 1, at);
		at += data->len;
		place += data->len;
		expected.param++;
		free(data);
	} while (ok && at < len);
	return ok;
}

/* 6.2.7, 6.2.8: into buffers of any size, in STUs of any size; 6.2.4: B_num increases */
TEST_F_TIMEOUT(put_send, layouts, 60)
{
	static const struct {
		__u8	bufsize, max_stu;
		__u32	bufx, offset;
	} layouts[] = {
		{ 8, 8, 7, 0 }, { 8, 8, 7, 155 }, { 9, 8, 0, 511 }, { 12, 12, 7, 4000 },
		{ 12, 10, 0xfffffff0, 1 }, { 16, 12, 0, 0 }, { 16, 15, 7, 64000 },
		{ 20, 9, 7, 12345 }, { 32, 12, 3, 0xffffff00 },
	};
	unsigned int i, b;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct vc vc = vc_new(&self->bench.peer);
		struct op region;
		__u32 sync;

		vc.bufsize = layouts[i].bufsize;
		vc.max_stu = layouts[i].max_stu;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		ASSERT_TRUE(mem_lend(&vc, LENT, layouts[i].bufx, layouts[i].offset, &region));
		for (b = 0; b < 3; b++) {
			ASSERT_EQ(0, put(&vc, &region, self->out, LEN, 0));
			EXPECT_TRUE(put_comes(&vc, &region, b, LEN, F_SEND_STATE, &sync)) {
				TH_LOG("layout %u, Put %u", i, b);
			}
			EXPECT_TRUE(complete(&vc, &region, sync, b));
		}
		EXPECT_TRUE(vc_quiet(&vc));
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
}

/* A Put of no bytes is one Data operation. */
TEST_F(put_send, no_bytes)
{
	struct vc *vc = self->vc;
	__u32 sync;

	ASSERT_EQ(0, put(vc, &self->region, self->out, 0, 0));
	EXPECT_TRUE(put_comes(vc, &self->region, 0, 0, F_SEND_STATE, &sync));
	EXPECT_TRUE(complete(vc, &self->region, sync, 0));
	EXPECT_TRUE(vc_quiet(vc));
}

/*
 * 8.2: Silent to its end, followed by a Request_State for a Block: every field,
 * 6.1.1.3, table 5 Com3; with Interrupt or without
 */
TEST_F(put_send, silent)
{
	static const struct {
		unsigned int	flags;
		__u16		last;
	} puts[] = {
		{ ST_PUT_SILENT, F_SILENT },
		{ ST_PUT_SILENT | ST_PUT_INTERRUPT, F_SILENT | F_INTERRUPT },
	};
	struct op op, expected;
	struct vc *vc = self->vc;
	unsigned int i;
	__u32 sync;

	for (i = 0; i < ARRAY_SIZE(puts); i++) {
		ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, puts[i].flags));
		EXPECT_TRUE(put_comes(vc, &self->region, i, LEN, puts[i].last, &sync));
		ASSERT_TRUE(vc_next(vc, &op));
		expected = vc_from(vc, REQUEST_STATE, 0);
		expected.sync = op.sync;
		expected.b_num = i;
		expected.d_id = self->region.s_id;
		expected.s_id = self->region.d_id;
		EXPECT_TRUE(op_is(&op, &expected));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(mem_no_event(vc->fd));
		EXPECT_TRUE(complete(vc, &self->region, op.sync, i));
	}
	ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, ST_PUT_INTERRUPT));
	EXPECT_TRUE(put_comes(vc, &self->region, i, LEN, F_SEND_STATE | F_INTERRUPT, &sync));
	EXPECT_TRUE(complete(vc, &self->region, sync, i));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.4: a lost Put is repeated, but not for an answer to an earlier Request_State */
TEST_F(put_send, missing)
{
	struct vc *vc = self->vc;
	__u32 first, sync;
	struct op op;

	ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, 0));
	ASSERT_TRUE(put_comes(vc, &self->region, 0, LEN, F_SEND_STATE, &first));
	op = state_op(vc, &self->region, first, NO_B_NUM);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(put_comes(vc, &self->region, 0, LEN, F_SEND_STATE, &sync));
	EXPECT_NE(first, sync);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_EQ(1, get_info(vc->fd).block_retries);
	EXPECT_TRUE(complete(vc, &self->region, sync, 0));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.1, 6.2.9: answers that are not for it, then the right one, and its repetition */
TEST_F(put_send, wrong_answers)
{
	struct vc *vc = self->vc;
	struct op op[4];
	unsigned int i;
	__u32 sync;

	ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, 0));
	ASSERT_TRUE(put_comes(vc, &self->region, 0, LEN, F_SEND_STATE, &sync));
	for (i = 0; i < ARRAY_SIZE(op); i++)
		op[i] = state_op(vc, &self->region, sync, 0);
	op[0].s_id++;
	op[1].d_id += 0x1000;
	op[2].b_num = 1;
	op[3].b_num = NO_B_NUM;
	op[3].sync--;
	for (i = 0; i < ARRAY_SIZE(op); i++)
		ASSERT_TRUE(vc_send(vc, &op[i]));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
	EXPECT_TRUE(complete(vc, &self->region, sync, 0));
	op[0].s_id--;
	ASSERT_TRUE(vc_send(vc, &op[0]));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
}

/* A Put that was not sent, for want of Slots, cannot have arrived. */
TEST_F(put_send, acknowledged_before_it_is_sent)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct op region, question, op;
	__u32 sync;

	vc.slots = 3;
	vc.manual = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	ASSERT_TRUE(mem_lend(&vc, LENT, 0, 0, &region));
	ASSERT_EQ(0, put(&vc, &region, self->out, LEN, 0));
	ASSERT_TRUE(put_comes(&vc, &region, 0, LEN, F_SEND_STATE, &sync));
	ASSERT_EQ(0, put(&vc, &region, self->out, 0, 0));
	ASSERT_TRUE(vc_read(&vc, REQUEST_STATE, &question));
	op = state_op(&vc, &region, sync, 1);
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_TRUE(complete(&vc, &region, sync, 0));
	EXPECT_TRUE(mem_no_event(vc.fd));
	op = vc_to(&vc, REQUEST_STATE_RESPONSE, 0);
	op.param = 10;
	op.sync = question.sync;
	op.d_id = NO_ID;
	ASSERT_TRUE(vc_send(&vc, &op));
	ASSERT_TRUE(put_comes(&vc, &region, 1, 0, F_SEND_STATE, &sync));
	EXPECT_TRUE(complete(&vc, &region, sync, 1));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* Several at a time, acknowledged in any way */
TEST_F(put_send, several)
{
	struct vc *vc = self->vc;
	__u32 sync[3], i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, 0));
	for (i = 0; i < 3; i++)
		ASSERT_TRUE(put_comes(vc, &self->region, i, LEN, F_SEND_STATE, &sync[i]));
	for (i = 3; i--;)
		EXPECT_TRUE(complete(vc, &self->region, sync[i], i));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.1: the peer no longer knows the region */
TEST_F(put_send, forgotten)
{
	struct vc *vc = self->vc;
	struct st_event event;
	struct op op;
	__u32 sync;

	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_EVENTS, ST_REGION_EV_STATE));
	ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, 0));
	ASSERT_TRUE(put_comes(vc, &self->region, 0, LEN, F_SEND_STATE, &sync));
	op = state_op(vc, &self->region, sync, NO_B_NUM);
	op.s_id = NO_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_END, &event));
	EXPECT_EQ(EREMOTEIO, event.error);
	EXPECT_TRUE(mem_done(vc->fd, ST_PUT, EREMOTEIO, NULL));
	EXPECT_ERRNO(ENOENT, put(vc, &self->region, self->out, LEN, 0));
	EXPECT_TRUE(vc_quiet(vc));
}

/* 6.1.4.2, 6.1.1.4: an End aborts it */
TEST_F(put_send, ended)
{
	struct vc *vc = self->vc;
	struct op op;
	__u32 sync;

	ASSERT_EQ(0, put(vc, &self->region, self->out, LEN, 0));
	ASSERT_TRUE(put_comes(vc, &self->region, 0, LEN, F_SEND_STATE, &sync));
	EXPECT_TRUE(mem_end(vc, self->region.d_id, self->region.s_id));
	EXPECT_TRUE(mem_done(vc->fd, ST_PUT, EREMOTEIO, NULL));
	op = state_op(vc, &self->region, sync, 0);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

TEST_HARNESS_MAIN
