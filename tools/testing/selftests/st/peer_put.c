// SPDX-License-Identifier: GPL-2.0
/*
 * Puts, ST 6.1.4.2: into a socket's memory, and from a socket into the peer's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "memory.h"

enum {
	I_ID = 0x1d00, LEN = BUFFER + 16384, AT = 40, LENT = BUFFER + 8192,
	OPAQUE = 0x0a0b0c0d, PUT_LEN = 3000,
};

FIXTURE(put)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 *mem;		/* LENT bytes of it from offset AT are the region */
	__u8 out[PUT_LEN];
	struct op region;
};

FIXTURE_SETUP(put)
{
	self->mem = new_pages(LEN);
	ASSERT_NE(NULL, self->mem);
	memset(self->mem, GUARD, LEN);
	fill(self->out, PUT_LEN, 1, 0);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_TRUE(mem_borrow(self->vc, I_ID, self->mem + AT, LENT, ACCESS, &self->region));
}

FIXTURE_TEARDOWN(put)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* An STU for byte @at of the region, with a unique Sync */
static struct op stu_op(struct vc *vc, const struct op *region, __u32 b_num, __u16 stu_num,
			__u32 at, __u16 flags)
{
	struct op op = vc_stu(vc, region, stu_num, at, flags);

	op.b_num = b_num;
	op.sync = ++vc->sync;
	op.s_id = OPAQUE;
	return op;
}

/* The expected answer to an operation that requests the state; every field */
static bool state_comes(struct vc *vc, const struct op *region, const struct op *to,
			__u32 b_seq, __u32 b_num)
{
	struct op expected = vc_from(vc, REQUEST_STATE_RESPONSE, 0);

	expected.param = vc->k_slots;
	expected.offset = b_seq;
	expected.sync = to->sync;
	expected.b_num = b_num;
	expected.d_id = I_ID;
	expected.s_id = region->s_id;
	return vc_expect(vc, &expected);
}

static bool ask(struct vc *vc, const struct op *region, __u32 b_num, __u32 b_seq, __u32 then)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0);

	op.sync = ++vc->sync;
	op.b_num = b_num;
	op.d_id = region->s_id;
	op.s_id = I_ID;
	return vc_send(vc, &op) && state_comes(vc, region, &op, b_seq, then);
}

/* A Put of one STU, with Send_State, and the answer */
static bool put(struct vc *vc, const struct op *region, __u32 b_num, __u32 at,
		const void *bytes, size_t len, __u32 b_seq, __u32 then)
{
	struct op op = stu_op(vc, region, b_num, 0, at, F_LAST | F_SEND_STATE);

	return vc_send_data(vc, &op, bytes, len) && state_comes(vc, region, &op, b_seq, then);
}

/* Checks that only these bytes of the socket's memory were written, and resets them. */
static bool only(__u8 *mem, const __u8 *bytes, size_t at, size_t len)
{
	bool ok = !memcmp(mem + AT + at, bytes, len);

	memset(mem + AT + at, GUARD, len);
	return ok && is_guard(mem, LEN);
}

/* Table 8 PG3, PG4, 6.2.4, 6.2.9: in several STUs; every field of the answer */
TEST_F(put, placed)
{
	struct vc *vc = self->vc;
	struct op *region = &self->region, op;

	EXPECT_TRUE(ask(vc, region, NO_B_NUM, NO_B_NUM, NO_B_NUM));
	EXPECT_TRUE(ask(vc, region, 0, NO_B_NUM, NO_B_NUM));
	op = stu_op(vc, region, 0, 0, 4000, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 1000));
	op = stu_op(vc, region, 0, 1, 5000, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, NULL, 0));
	/* In the middle of it nothing is complete. */
	op = stu_op(vc, region, 0, 2, 5000, F_SEND_STATE);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 1000, 3));
	EXPECT_TRUE(state_comes(vc, region, &op, NO_B_NUM, NO_B_NUM));
	op = stu_op(vc, region, 0, 3, 5003, F_LAST | F_SEND_STATE);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 1003, 500));
	EXPECT_TRUE(state_comes(vc, region, &op, 0, 0));
	EXPECT_TRUE(only(self->mem, self->out, 4000, 1503));
	/* Without Send_State there is no answer. */
	op = stu_op(vc, region, 1, 0, 0, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 1000));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(only(self->mem, self->out, 0, 1000));
	EXPECT_TRUE(ask(vc, region, NO_B_NUM, 1, NO_B_NUM));
	EXPECT_TRUE(ask(vc, region, 1, 1, 1));
	EXPECT_TRUE(ask(vc, region, 2, 1, NO_B_NUM));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.4.2: all of the region, and no further byte; on every Data Channel */
TEST_F(put, at_the_edges)
{
	static const struct {
		__u32	at;
		size_t	len;
	} puts[] = {
		{ 0, 1 }, { 0, 3000 }, { LENT - 1, 1 }, { LENT - 3000, 3000 }, { LENT, 0 },
		{ BUFFER - AT - 1000, 1000 }, { BUFFER - AT, 1000 }, { 4096 - AT - 1, 2 },
	};
	struct vc *vc = self->vc;
	struct op op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(puts); i++) {
		op = stu_op(vc, &self->region, i, 0, puts[i].at, F_LAST | F_SEND_STATE);
		op.flags = (op.flags & ~F_CHANNEL) | (i % 3 + 1);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, puts[i].len));
		EXPECT_TRUE(state_comes(vc, &self->region, &op, i, i));
		EXPECT_TRUE(only(self->mem, self->out, puts[i].at, puts[i].len)) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/**
 * struct wrong - a Put that must write nothing
 * @change: makes it wrong
 * @len: bytes
 * @error: the logged error
 * @answered: it identifies a region, so that the answer can report it as
 *	incomplete
 */
struct wrong {
	void		(*change)(struct op *op);
	size_t		len;
	enum st_error	error;
	bool		answered;
};

static void mx_of_a_get(struct op *op)
{
	op->b_id |= 0x4000;
}

static void mx_of_a_block(struct op *op)
{
	op->b_id &= 0x7fff;
}

static void no_b_num(struct op *op)
{
	op->b_num = NO_B_NUM;
}

static void at_its_end(struct op *op)
{
	op->bufx += LENT / BUFFER;
	op->offset += LENT % BUFFER;
}

static void close_to_its_end(struct op *op)
{
	at_its_end(op);
	op->offset -= 299;
}

static void across_buffers(struct op *op)
{
	op->offset = BUFFER - 299;
}

/* 10.7, 6.2.7: discarded and logged; no byte is written, inside the region or outside */
TEST_F(put, wrong)
{
	static const struct wrong wrongs[] = {
		{ wrong_mx, 300, ST_ERR_INVALID_MX, false },
		{ mx_of_another_time, 300, ST_ERR_INVALID_MX, false },
		{ mx_of_a_get, 300, ST_ERR_INVALID_MX, false },
		{ mx_of_a_block, 300, ST_ERR_INVALID_MX, false },
		{ wrong_d_id, 300, ST_ERR_INVALID_D_ID, false },
		{ no_b_num, 300, ST_ERR_OUT_OF_RANGE_B_NUM, true },
		{ before_it, 1, ST_ERR_OUT_OF_RANGE_BUFX, true },
		{ before_it, 300, ST_ERR_OUT_OF_RANGE_BUFX, true },
		{ at_its_end, 1, ST_ERR_OUT_OF_RANGE_BUFX, true },
		{ close_to_its_end, 300, ST_ERR_OUT_OF_RANGE_BUFX, true },
		{ far_away, 300, ST_ERR_OUT_OF_RANGE_BUFX, true },
		{ outside_buffer, 300, ST_ERR_OVERSIZED_OFFSET, true },
		{ largest_offset, 300, ST_ERR_OVERSIZED_OFFSET, true },
		{ across_buffers, 300, ST_ERR_OUT_OF_RANGE_BUFX, true },
	};
	struct vc *vc = self->vc;
	struct st_errors before;
	struct op op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		before = errors_of(vc->fd);
		op = stu_op(vc, &self->region, 0, 0, 0, F_LAST | F_SEND_STATE);
		wrongs[i].change(&op);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, wrongs[i].len));
		if (wrongs[i].answered)
			EXPECT_TRUE(state_comes(vc, &self->region, &op, NO_B_NUM, NO_B_NUM));
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &before, LOGGED({ wrongs[i].error, 1 })));
		EXPECT_TRUE(is_guard(self->mem, LEN)) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_TRUE(put(vc, &self->region, 0, 0, self->out, 300, 0, 0));
	EXPECT_TRUE(only(self->mem, self->out, 0, 300));
}

/* 5.2.2, 10.6.1: with the Key of another connection, or none */
TEST_F(put, wrong_key)
{
	struct vc *vc = self->vc, other = vc_new(vc->peer);
	struct op op = stu_op(vc, &self->region, 0, 0, 0, F_LAST | F_SEND_STATE);
	struct st_errors before;

	op.d_key++;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 300));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 1 })));
	/* Another connection has no such region. */
	ASSERT_TRUE(vc_call(&other, self->bench.listener));
	before = errors_of(other.fd);
	op.d_port = other.k_port;
	op.s_port = other.port;
	op.d_key = other.k_key;
	ASSERT_TRUE(vc_send_data(&other, &op, self->out, 300));
	EXPECT_TRUE(vc_quiet(&other));
	EXPECT_TRUE(logged(other.fd, &before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	EXPECT_TRUE(vc_hang_up(&other));
	close(other.fd);
}

/* 10.3: a repeated Put is answered, and writes nothing */
TEST_F(put, again)
{
	struct st_region_info info;
	struct vc *vc = self->vc;
	int i;

	EXPECT_TRUE(put(vc, &self->region, 0, 100, self->out, 300, 0, 0));
	EXPECT_TRUE(only(self->mem, self->out, 100, 300));
	for (i = 0; i < 2; i++) {
		EXPECT_TRUE(put(vc, &self->region, 0, 100, self->out, 300, 0, 0));
		EXPECT_TRUE(put(vc, &self->region, 0, 200, self->out, 100, 0, 0));
	}
	EXPECT_TRUE(is_guard(self->mem, LEN));
	ASSERT_EQ(0, region_info(vc->fd, self->region.s_id, &info));
	EXPECT_EQ(1, info.puts);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.4: an STU is missing; the Put is complete once it is sent again */
TEST_F(put, missing_stu)
{
	struct op *region = &self->region, op;
	struct st_region_info info;
	struct vc *vc = self->vc;
	int i;

	op = stu_op(vc, region, 0, 0, 0, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	op = stu_op(vc, region, 0, 2, 200, F_LAST | F_SEND_STATE);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 200, 100));
	EXPECT_TRUE(state_comes(vc, region, &op, NO_B_NUM, NO_B_NUM));
	op = stu_op(vc, region, 0, 1, 100, F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 100, 100));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 2 })));
	ASSERT_EQ(0, region_info(vc->fd, region->s_id, &info));
	EXPECT_EQ(0, info.puts);
	for (i = 0; i < 3; i++) {
		op = stu_op(vc, region, 0, i, 100 * i, i < 2 ? 0 : F_LAST | F_SEND_STATE);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out + 100 * i, 100));
	}
	EXPECT_TRUE(state_comes(vc, region, &op, 0, 0));
	EXPECT_TRUE(only(self->mem, self->out, 0, 300));
}

/*
 * 8.3: operations before the first Cksum of a peer were not summed.  A segment that contains
 * them is not wrong, but cannot be checked and is sent again.
 */
TEST_F(put, first_cksum)
{
	struct vc vc = vc_new(&self->bench.peer);
	__u8 all[2 * (HDR_LEN + 100)];
	struct op region, op[2];
	struct st_errors before;
	int i, pass;

	vc.peer->plain = true;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	before = errors_of(vc.fd);
	ASSERT_TRUE(mem_borrow(&vc, I_ID, self->mem + AT, LENT, ACCESS, &region));
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < 2; i++) {
			op[i] = stu_op(&vc, &region, 0, i, 100 * i,
				       i ? F_LAST | F_SEND_STATE : F_SILENT);
			op_to_wire(&op[i], all + i * (HDR_LEN + 100));
			memcpy(all + i * (HDR_LEN + 100) + HDR_LEN, self->out + 100 * i, 100);
		}
		op[1].cksum = cksum_of(all, sizeof(all));
		for (i = 0; i < 2; i++)
			ASSERT_TRUE(vc_send_data(&vc, &op[i], self->out + 100 * i, 100));
		EXPECT_TRUE(state_comes(&vc, &region, &op[1], pass ? 0 : NO_B_NUM,
					pass ? 0 : NO_B_NUM));
		EXPECT_TRUE(logged(vc.fd, &before, NOTHING));
	}
	EXPECT_TRUE(only(self->mem, self->out, 0, 200));
	EXPECT_TRUE(vc_hang_up(&vc));
	vc.peer->plain = false;
	close(vc.fd);
}

/* 10.7.4: interleaved STUs of two Puts are out of order for both */
TEST_F(put, stus_of_two_mixed)
{
	struct op *region = &self->region, op;
	struct vc *vc = self->vc;
	__u32 b;

	for (b = 0; b < 2; b++) {
		op = stu_op(vc, region, b, 0, 1000 * b, F_SILENT);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, 100));
	}
	for (b = 0; b < 2; b++) {
		op = stu_op(vc, region, b, 1, 1000 * b + 100, F_LAST | F_SEND_STATE);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out + 100, 100));
		EXPECT_TRUE(state_comes(vc, region, &op, NO_B_NUM, NO_B_NUM));
	}
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_ORDER_STU, 2 })));
	for (b = 0; b < 2; b++)
		EXPECT_TRUE(put(vc, region, b, 1000 * b, self->out, 200, b, b));
	EXPECT_EQ(0, memcmp(self->mem + AT, self->out, 200));
	EXPECT_EQ(0, memcmp(self->mem + AT + 1000, self->out, 200));
}

/* 6.2.4: B_seq shows a gap; B_num wraps */
TEST_F(put, blocks_in_any_order)
{
	struct op *region = &self->region;
	struct vc *vc = self->vc;
	__u32 i;

	EXPECT_TRUE(put(vc, region, 0, 0, "x", 1, 0, 0));
	EXPECT_TRUE(put(vc, region, 2, 0, "x", 1, 0, 2));
	EXPECT_TRUE(ask(vc, region, 1, 0, NO_B_NUM));
	EXPECT_TRUE(ask(vc, region, 2, 0, 2));
	EXPECT_TRUE(put(vc, region, 1, 0, "x", 1, 2, 1));
	EXPECT_TRUE(ask(vc, region, NO_B_NUM, 2, NO_B_NUM));
	ASSERT_TRUE(mem_end(vc, region->s_id, I_ID));
	ASSERT_LT(0, region_expose(vc->fd, self->mem, LEN, ACCESS));
	*region = mem_request(vc, I_ID + 1, LEN);
	ASSERT_TRUE(vc_send(vc, region));
	ASSERT_TRUE(vc_read(vc, MEMORY_REGION_AVAILABLE, region));
	for (i = 0xfffffffd; i != 2; i = i == 0xfffffffe ? 0 : i + 1) {
		struct op op = stu_op(vc, region, i, 0, 0, F_LAST | F_SEND_STATE), response;

		ASSERT_TRUE(vc_send_data(vc, &op, "x", 1));
		ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &response));
		EXPECT_EQ(i, response.b_num);
	}
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.5: from a peer without Out_of_Order it is logged */
TEST_F(put, blocks_out_of_order)
{
	static const __u32 order[] = { 0, 2, 3 };
	struct vc vc = vc_new(&self->bench.peer);
	struct st_errors before;
	struct op region, op;
	unsigned int i;

	vc.flags = F_MEMORY;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	before = errors_of(vc.fd);
	ASSERT_TRUE(mem_borrow(&vc, I_ID, self->mem, 100, ACCESS, &region));
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		op = stu_op(&vc, &region, order[i], 0, 0, 0);
		ASSERT_TRUE(vc_send_data(&vc, &op, "x", 1));
		op = stu_op(&vc, &region, order[i], 1, 1, F_LAST);
		ASSERT_TRUE(vc_send_data(&vc, &op, "x", 1));
		EXPECT_TRUE(vc_quiet(&vc));
	}
	EXPECT_TRUE(logged(vc.fd, &before, LOGGED({ ST_ERR_OUT_OF_ORDER_B_NUM, 1 })));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* 6.1.4.2: a region that is not lent for Puts is not changed */
TEST_F(put, no_access)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct st_errors before;
	struct op region;

	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	before = errors_of(vc.fd);
	ASSERT_TRUE(mem_borrow(&vc, I_ID, self->mem, LEN, ST_REGION_GET, &region));
	EXPECT_TRUE(put(&vc, &region, 0, 0, self->out, 300, NO_B_NUM, NO_B_NUM));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	EXPECT_TRUE(logged(vc.fd, &before, LOGGED({ ST_ERR_INVALID_MX, 1 })));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* 8.3.3, 10.4: damaged in transit, it is not complete */
TEST_F(put, checksum)
{
	struct op *region = &self->region, op;
	struct vc *vc = self->vc;

	op = stu_op(vc, region, 0, 0, 0, F_LAST | F_SEND_STATE);
	op.cksum = 0x1234;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 300));
	EXPECT_TRUE(state_comes(vc, region, &op, NO_B_NUM, NO_B_NUM));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, 1 })));
	EXPECT_TRUE(put(vc, region, 0, 0, self->out, 300, 0, 0));
	EXPECT_TRUE(only(self->mem, self->out, 0, 300));
}

/* 6.2.10, 8.2: the application gets an event with Opaque data, unless the Put is Silent */
TEST_F(put, told)
{
	static const struct {
		__u16	flags;
		bool	told;
	} puts[] = {
		{ 0, true }, { F_SILENT, false }, { F_SILENT | F_SEND_STATE, true },
		{ F_SILENT | F_INTERRUPT, true }, { F_SEND_STATE, true },
	};
	struct vc *vc = self->vc;
	struct st_event event;
	unsigned int i;
	struct op op;

	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_EVENTS, ST_REGION_EV_PUT));
	for (i = 0; i < ARRAY_SIZE(puts); i++) {
		op = stu_op(vc, &self->region, i, 0, 1000, F_LAST | puts[i].flags);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, 10));
		if (puts[i].flags & F_SEND_STATE)
			EXPECT_TRUE(state_comes(vc, &self->region, &op, i, i));
		EXPECT_TRUE(vc_quiet(vc));
		if (puts[i].told) {
			ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_PUT, &event));
			EXPECT_EQ(self->region.s_id, event.id);
			EXPECT_EQ(OPAQUE, event.flags);
			EXPECT_EQ(10, event.len);
			EXPECT_EQ(1000, event.value);
		}
		EXPECT_TRUE(mem_no_event(vc->fd));
	}
}

/* 7.4: any operation can request an Interrupt */
TEST_F(put, interrupt)
{
	const int serve = ST_SERVE_INTERRUPTS;
	struct vc *vc = self->vc;
	struct st_event event;
	struct op op;

	ASSERT_EQ(0, setsockopt(vc->fd, SOL_ST, ST_SERVE, &serve, sizeof(serve)));
	op = stu_op(vc, &self->region, 0, 0, 1000, F_LAST | F_SILENT | F_INTERRUPT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 10));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_INTERRUPT, &event));
	EXPECT_EQ(self->region.s_id, event.id);
	EXPECT_EQ(DATA, event.flags);
	EXPECT_EQ(OPAQUE, event.value);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
}

TEST_HARNESS_MAIN
