// SPDX-License-Identifier: GPL-2.0
/*
 * Gets from a socket's memory, ST 6.1.4.3.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "memory.h"

enum {
	I_ID = 0x1d00, G_ID = 0x6000, LEN = 70000, AT = 40, LENT = 66000,
	LONGEST = 65535,
};

FIXTURE(get)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 *mem;
	struct op region;
};

FIXTURE_SETUP(get)
{
	self->mem = new_pages(LEN);
	ASSERT_NE(NULL, self->mem);
	fill(self->mem + AT, LENT, 1, 0);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_borrow(self->vc, I_ID, self->mem + AT, LENT, ACCESS, &self->region));
}

FIXTURE_TEARDOWN(get)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A Get into the peer's memory from byte 16 of buffer 5 on */
static struct op get_op(const struct vc *vc, const struct op *region, __u32 id, __u32 at,
			__u16 len)
{
	struct op op = mem_get_op(vc, region, 0, id, at);

	op.param = len;
	op.sync = 5;
	op.b_num = 16;
	return op;
}

/*
 * The Data for a Get: table 8 PG5, every field; 6.2.7, 6.2.8: each STU is in bounds of
 * the peer's buffers, which are sequential
 */
static bool data_comes(struct vc *vc, const struct op *get, __u32 at)
{
	__u64 size = 1ULL << vc->bufsize, place = get->sync * size + get->b_num;
	struct op expected = vc_from(vc, DATA, 0);
	size_t left = get->param;
	struct msg *data;
	bool ok;

	expected.b_id = get->b_id;
	expected.d_id = get->s_id;
	expected.s_id = get->d_id;
	do {
		data = vc_data(vc);
		if (!data)
			return false;
		expected.flags = (get->flags & F_CHANNEL) | F_SILENT;
		if (data->len == left)
			expected.flags |= F_LAST;
		expected.bufx = place >> vc->bufsize;
		expected.offset = place & (size - 1);
		expected.sync = data->op.sync;	/* any */
		ok = op_is(&data->op, &expected) && (data->len || !left) && data->len <= left &&
		     data->len <= 1U << vc->max_stu && data->len <= size - expected.offset &&
		     is_filled(payload_of(data), data->len, 1, at);
		place += data->len;
		left -= data->len;
		at += data->len;
		expected.param++;
		free(data);
	} while (ok && left);
	return ok;
}

static bool get(struct vc *vc, const struct op *op, __u32 at)
{
	return vc_send(vc, op) && data_comes(vc, op, at);
}

/* Into buffers of any size, in STUs of any size, on every Data Channel */
TEST_F_TIMEOUT(get, layouts, 60)
{
	static const struct {
		__u8	bufsize, max_stu;
		__u32	bufx, offset;
	} layouts[] = {
		{ 8, 8, 7, 155 }, { 12, 12, 7, 4000 }, { 12, 10, 0xffffff00, 1 },
		{ 16, 15, 0, 0 }, { 20, 15, 0xffffffff, BUFFER - 3000 },
		{ 32, 12, 3, 0xffffff00 },
	};
	static const struct {
		__u32	at;
		__u16	len;
	} gets[] = { { 0, 3000 }, { LENT - 3000, 3000 }, { LENT - 1, 1 }, { LENT, 0 } };
	unsigned int i, j;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct vc vc = vc_new(&self->bench.peer);
		struct op region;

		vc.bufsize = layouts[i].bufsize;
		vc.max_stu = layouts[i].max_stu;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		ASSERT_TRUE(mem_borrow(&vc, I_ID, self->mem + AT, LENT, ACCESS, &region));
		for (j = 0; j < ARRAY_SIZE(gets); j++) {
			op = get_op(&vc, &region, G_ID + j, gets[j].at, gets[j].len);
			op.flags = j % 3 + 1;
			op.b_id += j;
			op.sync = layouts[i].bufx;
			op.b_num = layouts[i].offset;
			EXPECT_TRUE(get(&vc, &op, gets[j].at)) {
				TH_LOG("layout %u, Get %u", i, j);
			}
		}
		EXPECT_TRUE(vc_quiet(&vc));
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	/* 6.2.3: the longest Get */
	op = get_op(self->vc, &self->region, G_ID, 3, LONGEST);
	EXPECT_TRUE(get(self->vc, &op, 3));
	EXPECT_TRUE(vc_quiet(self->vc));
	EXPECT_TRUE(logged(self->vc->fd, &self->before, NOTHING));
}

/* 6.2.1, 6.1.4: several are outstanding; 10.3: a repeated one is answered again */
TEST_F(get, several)
{
	struct op op[5];
	struct vc *vc = self->vc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op); i++) {
		op[i] = get_op(vc, &self->region, G_ID + i, 100 * i, 100);
		op[i].b_id += i;
		op[i].sync += i;
		ASSERT_TRUE(vc_send(vc, &op[i]));
	}
	for (i = 0; i < ARRAY_SIZE(op); i++)
		EXPECT_TRUE(data_comes(vc, &op[i], 100 * i));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(get(vc, &op[2], 200));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* Waits until the socket has received this number of operations. */
static bool has_taken(int fd, __u64 ops)
{
	long long end = now_ms() + SOON_MS;

	while (get_info(fd).rx_ops < ops)
		if (now_ms() > end)
			return false;
	return true;
}

/*
 * 10.3, table 8 PG5: a Get is repeated while others are answered; every field of the
 * answer.  Micropackets from the port are blocked meanwhile, and the link sends them
 * again.
 */
TEST_F_TIMEOUT(get, again_before_its_turn, 60)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct op region, op[8];
	unsigned int i;
	__u64 ops;

	vc.max_stu = 8;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	ASSERT_TRUE(mem_borrow(&vc, I_ID, self->mem + AT, LENT, ACCESS, &region));
	ops = get_info(vc.fd).rx_ops;
	ASSERT_TRUE(fault_set(A, "stuck", "1"));
	for (i = 0; i < ARRAY_SIZE(op); i++) {
		op[i] = get_op(&vc, &region, G_ID + i, i, LONGEST);
		EXPECT_TRUE(vc_send(&vc, &op[i]));
	}
	EXPECT_TRUE(vc_send(&vc, &op[i - 1]));
	EXPECT_TRUE(has_taken(vc.fd, ops + i + 1));
	ASSERT_TRUE(fault_set(A, "stuck", "0"));
	EXPECT_TRUE(mem_answered(&vc, &op[i - 1], 0));
	for (i = 0; i < ARRAY_SIZE(op); i++)
		EXPECT_TRUE(data_comes(&vc, &op[i], i));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/**
 * struct wrong - a Get without an effect
 * @change: makes it wrong
 * @len: bytes
 * @error: the logged error, or -1
 */
struct wrong {
	void	(*change)(struct op *op);
	__u16	len;
	int	error;
};

static void at_its_end(struct op *op)
{
	op->offset += LENT;
}

static void close_to_its_end(struct op *op)
{
	op->offset += LENT - 999;
}

static void to_more_buffers_than_there_are(struct op *op)
{
	op->sync = 0xffffffff;
	op->b_num = (1 << 16) - 999;
}

/* 10.7.1, 10.7.3, 10.7.4, 7.3: logged and rejected: every field of the Request_Answer */
TEST_F(get, wrong)
{
	static const struct wrong wrongs[] = {
		{ before_it, 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ before_it, 1000, ST_ERR_OUT_OF_RANGE_BUFX },
		{ at_its_end, 1, ST_ERR_OUT_OF_RANGE_BUFX },
		{ close_to_its_end, 1000, ST_ERR_OUT_OF_RANGE_BUFX },
		{ close_to_its_end, LONGEST, ST_ERR_OUT_OF_RANGE_BUFX },
		{ far_away, 1000, ST_ERR_OUT_OF_RANGE_BUFX },
		{ outside_buffer, 1, ST_ERR_OVERSIZED_OFFSET },
		{ largest_offset, 1000, ST_ERR_OVERSIZED_OFFSET },
		{ wrong_d_id, 1000, ST_ERR_INVALID_D_ID },
		{ id_of_none, 1000, ST_ERR_INVALID_D_ID },
		{ no_channel, 1000, -1 },
		{ to_outside_a_buffer, 1000, ST_ERR_OVERSIZED_OFFSET },
		{ to_more_buffers_than_there_are, 1000, ST_ERR_OUT_OF_RANGE_BUFX },
	};
	struct vc *vc = self->vc;
	struct st_errors before;
	unsigned int i;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = get_op(vc, &self->region, G_ID + i, 0, wrongs[i].len);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(mem_answered(vc, &op, F_REJECT));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 }))) {
			TH_LOG("case %u", i);
		}
	}
	op = get_op(vc, &self->region, G_ID + i, 0, 1000);
	EXPECT_TRUE(get(vc, &op, 0));
}

/* Before there is any region, with a wrong Key, and over another connection */
TEST_F(get, of_nobody)
{
	struct vc *vc = self->vc, other = vc_new(vc->peer);
	struct op op = get_op(vc, &self->region, G_ID, 0, 1000);
	struct st_errors before;

	op.d_key++;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 1 })));
	ASSERT_TRUE(vc_call(&other, self->bench.listener));
	before = errors_of(other.fd);
	op = get_op(&other, &self->region, G_ID, 0, 1000);
	ASSERT_TRUE(vc_send(&other, &op));
	EXPECT_TRUE(mem_answered(&other, &op, F_REJECT));
	EXPECT_TRUE(vc_quiet(&other));
	EXPECT_TRUE(logged(other.fd, &before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	EXPECT_TRUE(vc_hang_up(&other));
	close(other.fd);
}

/* 7.3: a region that is not lent for Gets */
TEST_F(get, no_access)
{
	struct op region, op;
	struct vc *vc = self->vc;

	ASSERT_TRUE(mem_borrow(vc, I_ID + 1, self->mem, LEN,
			       ST_REGION_PUT | ST_REGION_FETCHOP, &region));
	op = get_op(vc, &region, G_ID, 0, 8);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(mem_answered(vc, &op, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

TEST_HARNESS_MAIN
