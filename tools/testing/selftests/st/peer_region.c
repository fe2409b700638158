// SPDX-License-Identifier: GPL-2.0
/*
 * Life cycle of regions of persistent memory, ST 6.1.4.1, 6.2.12 and 6.1.1.4:
 * regions that a socket lends, and regions that it requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "memory.h"

enum { I_ID = 0x1d00, G_ID = 0x6000, LEN = 16384, LENT = 5000, AT = 40, EVENTS = 16 };

FIXTURE(region)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 *mem;
};

FIXTURE_SETUP(region)
{
	self->mem = new_pages(LEN);
	ASSERT_NE(NULL, self->mem);
	memset(self->mem, GUARD, LEN);
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	ASSERT_EQ(0, region_option(self->vc->fd, ST_REGION_EVENTS, ST_REGION_EV_STATE));
}

FIXTURE_TEARDOWN(region)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A region of the socket */
static bool borrow(struct vc *vc, __u8 *mem, struct op *available)
{
	struct st_event event;

	return mem_borrow(vc, I_ID, mem + AT, LENT, ACCESS, available) &&
	       mem_event(vc->fd, ST_EVENT_REGION_GRANTED, &event) &&
	       event.id == available->s_id && event.len == LENT;
}

/* Puts a byte into a region. */
static bool put(struct vc *vc, const struct op *available, __u32 b_num, __u32 at)
{
	struct op op = vc_stu(vc, available, 0, at, F_LAST);

	op.b_num = b_num;
	return vc_send_data(vc, &op, "x", 1) && vc_quiet(vc);
}

static bool ask(struct vc *vc, const struct op *request, __u16 answer)
{
	return vc_send(vc, request) && mem_answered(vc, request, answer);
}

/* Table 8 PG2, 6.2.2, 6.2.8: every field of the Memory_Region_Available */
TEST_F(region, available)
{
	struct op available, expected;
	struct vc *vc = self->vc;

	ASSERT_TRUE(borrow(vc, self->mem, &available));
	expected = vc_from(vc, MEMORY_REGION_AVAILABLE, 0);
	expected.b_id = available.b_id;		/* R-Mx, R-Bufx, R-Offset and R-id: any */
	expected.bufx = available.bufx;
	expected.offset = available.offset;
	expected.d_id = I_ID;
	expected.s_id = available.s_id;
	EXPECT_TRUE(op_is(&available, &expected));
	EXPECT_GT(1 << vc->k_bufsize, available.offset);
	EXPECT_NE(NO_ID, available.s_id);
	EXPECT_TRUE(vc_quiet(vc));
	/* The region is at this place. */
	ASSERT_TRUE(put(vc, &available, 0, 0));
	ASSERT_TRUE(put(vc, &available, 1, LENT - 1));
	EXPECT_EQ('x', self->mem[AT]);
	EXPECT_EQ('x', self->mem[AT + LENT - 1]);
	EXPECT_TRUE(is_guard(self->mem, AT));
	EXPECT_TRUE(is_guard(self->mem + AT + 1, LENT - 2));
	EXPECT_TRUE(is_guard(self->mem + AT + LENT, LEN - AT - LENT));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.2.1, 6.2.2, 6.1.4: each region has its own R-id, which increases, and an Mx */
TEST_F(region, several)
{
	struct op available[3];
	struct vc *vc = self->vc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(available); i++) {
		ASSERT_TRUE(mem_borrow(vc, I_ID + i, self->mem + i * 4096, 4096, ACCESS,
				       &available[i]));
		if (i)
			EXPECT_LT(available[i - 1].s_id, available[i].s_id);
	}
	EXPECT_NE(available[0].b_id, available[1].b_id);
	EXPECT_NE(available[1].b_id, available[2].b_id);
	EXPECT_NE(available[2].b_id, available[0].b_id);
	ASSERT_TRUE(put(vc, &available[1], 0, 7));
	EXPECT_EQ('x', self->mem[4096 + 7]);
	EXPECT_TRUE(is_guard(self->mem, 4096 + 7));
	/* The Mx of one with the R-id of another is invalid. */
	available[2].s_id = available[0].s_id;
	ASSERT_TRUE(put(vc, &available[2], 0, 7));
	EXPECT_TRUE(is_guard(self->mem + 2 * 4096, 4096));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
}

/* 10.3: a repeated Request_Memory_Region is answered, and gets no other region */
TEST_F(region, request_again)
{
	struct vc *vc = self->vc;
	struct op available, op = mem_request(vc, I_ID, LENT);

	ASSERT_TRUE(borrow(vc, self->mem, &available));
	ASSERT_LT(0, region_expose(vc->fd, self->mem, LEN, ACCESS));
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &available));
	op.b_num = LEN;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &available));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	/* The region is not longer afterwards. */
	ASSERT_TRUE(put(vc, &available, 0, LENT));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_OUT_OF_RANGE_BUFX, 1 })));
}

/* 7.3, 6.2.3, 10.7.3, 6.2.1: impossible requests are rejected; every field */
TEST_F(region, rejected)
{
	long long refused = dropped(A, ST_A_DROPS_REGION_REFUSED);
	struct vc *vc = self->vc;
	struct op op[7], available;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op); i++)
		op[i] = mem_request(vc, I_ID + i, LENT);
	op[1].b_num = LENT + 1;
	op[2].b_num = 0;
	op[3].sync = 1;
	op[4].sync = 0xffffffff;
	op[4].b_num = 0xffffffff;
	op[5].flags = 0;		/* Data Channel 0 */
	op[6].s_id = NO_ID;
	/* Nothing is offered yet. */
	EXPECT_TRUE(ask(vc, &op[0], F_REJECT));
	ASSERT_LT(0, region_expose(vc->fd, self->mem, LENT, ACCESS));
	for (i = 1; i < ARRAY_SIZE(op); i++)
		EXPECT_TRUE(ask(vc, &op[i], F_REJECT));
	EXPECT_EQ(refused + (int)ARRAY_SIZE(op), dropped(A, ST_A_DROPS_REGION_REFUSED));
	/* 10.3: a repeated request is rejected again. */
	EXPECT_TRUE(ask(vc, &op[0], F_REJECT));
	op[1].b_num = LENT;
	EXPECT_TRUE(ask(vc, &op[1], F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_EQ(refused + (int)ARRAY_SIZE(op), dropped(A, ST_A_DROPS_REGION_REFUSED));
	op[0].s_id = I_ID + 100;
	ASSERT_TRUE(vc_send(vc, &op[0]));
	EXPECT_TRUE(vc_read(vc, MEMORY_REGION_AVAILABLE, &available));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.4.1, table 8 PG1: the application grants or refuses later */
TEST_F(region, pending)
{
	struct st_region_offer offer = {
		.addr = (unsigned long)self->mem, .len = LENT, .access = ACCESS,
		.flags = ST_REGION_ANSWER, .request = I_ID,
	};
	struct vc *vc = self->vc;
	struct op op = mem_request(vc, I_ID, LENT), available;
	struct st_event event;

	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	EXPECT_TRUE(ask(vc, &op, 0));
	EXPECT_TRUE(ask(vc, &op, 0));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_REQUEST, &event));
	EXPECT_EQ(I_ID, event.id);
	EXPECT_EQ(LENT, event.len);
	EXPECT_TRUE(mem_no_event(vc->fd));
	ASSERT_EQ(0, region_offer(vc->fd, SIOCSTEXPOSE, &offer));
	ASSERT_TRUE(vc_read(vc, MEMORY_REGION_AVAILABLE, &available));
	EXPECT_EQ(I_ID, available.d_id);
	EXPECT_EQ(offer.region, available.s_id);
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &available));

	op.s_id++;
	EXPECT_TRUE(ask(vc, &op, 0));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_REQUEST, &event));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_REFUSE, op.s_id));
	EXPECT_TRUE(mem_answered(vc, &op, F_REJECT));
	EXPECT_TRUE(ask(vc, &op, F_REJECT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* No more requests wait than there is room for */
TEST_F(region, too_many_requests)
{
	struct vc *vc = self->vc;
	struct op op;
	int i;

	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_EVENTS, ST_REGION_EV_REQUEST));
	for (i = 0; i < EVENTS; i++) {
		op = mem_request(vc, I_ID + i, LENT);
		ASSERT_TRUE(ask(vc, &op, 0));
	}
	op.s_id++;
	EXPECT_TRUE(ask(vc, &op, F_REJECT));
	/* 5.2.5: each occupies a Slot while it waits. */
	EXPECT_EQ(vc->k_slots - EVENTS, get_info(vc->fd).local_slots);
}

/* 6.1.1.4, 10.7.1, 10.7.2: late Puts, Gets, FetchOps and Request_States */
static bool is_over(struct vc *vc, const struct op *available)
{
	struct op get = mem_get_op(vc, available, 0, G_ID, 0);
	struct op fetch = mem_get_op(vc, available, CLEAR, G_ID + 1, 0);
	struct op op = vc_to(vc, REQUEST_STATE, 0), response;
	struct st_errors before = errors_of(vc->fd);

	get.param = 8;
	op.b_num = 0;
	op.d_id = available->s_id;
	op.s_id = available->d_id;
	return put(vc, available, 0, 0) && vc_send(vc, &get) &&
	       mem_answered(vc, &get, F_REJECT) && vc_send(vc, &fetch) &&
	       mem_answered(vc, &fetch, F_REJECT) && vc_send(vc, &op) &&
	       vc_read(vc, REQUEST_STATE_RESPONSE, &response) && response.s_id == NO_ID &&
	       response.d_id == op.s_id && vc_quiet(vc) &&
	       logged(vc->fd, &before, LOGGED({ ST_ERR_INVALID_MX, 1 },
					      { ST_ERR_INVALID_D_ID, 2 }));
}

/* 6.1.1.4, 6.2.12: the Initiator ends it; a repeated End, a late operation, and a new request */
TEST_F(region, end_by_the_initiator)
{
	struct vc *vc = self->vc;
	struct op available, op = mem_request(vc, I_ID, LENT);
	struct st_event event;

	ASSERT_TRUE(borrow(vc, self->mem, &available));
	ASSERT_LT(0, region_expose(vc->fd, self->mem, LEN, ACCESS));
	EXPECT_TRUE(mem_end(vc, available.s_id, I_ID));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_END, &event));
	EXPECT_EQ(available.s_id, event.id);
	EXPECT_EQ(0, event.error);
	EXPECT_TRUE(mem_end(vc, available.s_id, I_ID));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
	EXPECT_TRUE(is_over(vc, &available));
	EXPECT_TRUE(ask(vc, &op, F_REJECT));
	EXPECT_TRUE(is_guard(self->mem, LEN));
}

/* 6.1.1.4, table 5 Com4: the Responder ends it; every field of its End */
TEST_F(region, end_by_the_responder)
{
	struct vc *vc = self->vc;
	struct op available, op, expected = vc_from(vc, END, 0);
	int i;

	ASSERT_TRUE(borrow(vc, self->mem, &available));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, available.s_id));
	expected.d_id = I_ID;
	expected.s_id = available.s_id;
	EXPECT_TRUE(vc_expect(vc, &expected));
	/* Before and after the End_Ack; and the peer ends it, too. */
	EXPECT_TRUE(is_over(vc, &available));
	op = mem_request(vc, I_ID, LENT);
	EXPECT_TRUE(ask(vc, &op, F_REJECT));
	EXPECT_TRUE(mem_end(vc, available.s_id, I_ID));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = available.s_id;
	op.s_id = I_ID;
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(is_over(vc, &available));
	EXPECT_TRUE(is_guard(self->mem, LEN));
	EXPECT_TRUE(mem_no_event(vc->fd));
}

/* A region whose End is not acknowledged counts, whatever happened to its memory. */
TEST_F(region, ended_ones_count)
{
	struct op available, end, op;
	struct vc *vc = self->vc;

	ASSERT_TRUE(sysctl_set(A, "conn_regions", 1));
	ASSERT_TRUE(borrow(vc, self->mem, &available));
	EXPECT_GT(0, region_expose(vc->fd, self->mem, LENT, ACCESS));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, available.s_id));
	ASSERT_TRUE(vc_read(vc, END, &end));
	EXPECT_GT(0, region_expose(vc->fd, self->mem, LENT, ACCESS));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = available.s_id;
	op.s_id = I_ID;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_executed(vc));
	EXPECT_LE(0, region_expose(vc->fd, self->mem, LENT, ACCESS));
}

/* 10.7.1, 10.5.2: the End of an unknown region, and an End_Ack without an End */
TEST_F(region, end_of_nothing)
{
	static const __u8 codes[] = { END, END_ACK };
	struct vc *vc = self->vc;
	struct op available, op;
	long offered;
	unsigned int i;

	ASSERT_TRUE(borrow(vc, self->mem, &available));
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = vc_to(vc, codes[i], 0);
		op.d_id = available.s_id + 0x1000;
		op.s_id = I_ID;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
	op.d_id = available.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 },
							 { ST_ERR_UNEXPECTED_OPCODE, 1 })));
	EXPECT_EQ(END_ACK, errors_of(vc->fd).unexpected_opcode_value);
	ASSERT_TRUE(put(vc, &available, 0, 0));
	EXPECT_EQ('x', self->mem[AT]);
	/* The peer cannot end an offer. */
	offered = region_expose(vc->fd, self->mem, LENT, ACCESS);
	EXPECT_TRUE(mem_end(vc, offered, I_ID + 1));
	op = mem_request(vc, I_ID + 2, LENT);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, MEMORY_REGION_AVAILABLE, &available));
	EXPECT_EQ(offered, available.s_id);
}

/* Table 8 PG1, 6.2.1, 6.2.3: every field of the Request_Memory_Region */
TEST_F(region, request_memory_region)
{
	static const __u64 lens[] = { 1, LENT, (5ULL << 32) + 6 };
	struct vc *vc = self->vc;
	struct op op, expected;
	__u32 last = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		ASSERT_TRUE(mem_ask(vc, lens[i], &op));
		expected = vc_from(vc, REQUEST_MEMORY_REGION, F_CHANNEL_1);
		expected.sync = lens[i] >> 32;
		expected.b_num = lens[i];
		expected.s_id = op.s_id;
		EXPECT_TRUE(op_is(&op, &expected));
		EXPECT_NE(NO_ID, op.s_id);
		EXPECT_LT(last, op.s_id);
		last = op.s_id;
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* Checks that the Data of a Put goes to this region. */
static bool put_goes_to(struct vc *vc, const struct op *available)
{
	struct msg *data;
	bool ok;

	if (mem_put(vc->fd, available->d_id, 0, "x", 1, 0))
		return false;
	data = vc_data(vc);
	ok = data && data->op.d_id == available->s_id && data->op.b_id == available->b_id;
	free(data);
	return ok;
}

/* 6.1.4.1: granted after it was postponed; 10.3: repeated, and with other parameters */
TEST_F(region, granted)
{
	struct vc *vc = self->vc;
	struct op request, op, available;
	struct st_event event;
	int i;

	ASSERT_TRUE(mem_ask(vc, LENT, &request));
	op = vc_to(vc, REQUEST_ANSWER, 0);
	op.d_id = request.s_id;
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_ERRNO(ENOENT, mem_put(vc->fd, request.s_id, 0, "x", 1, 0));
	available = mem_available(vc, &request, 3, 100);
	ASSERT_TRUE(vc_send(vc, &available));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(request.s_id, event.id);
	EXPECT_EQ(0, event.error);
	ASSERT_TRUE(vc_send(vc, &available));
	op = available;
	op.s_id++;
	op.b_id++;
	ASSERT_TRUE(vc_send(vc, &op));
	op = vc_to(vc, REQUEST_ANSWER, F_REJECT);
	op.d_id = request.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(put_goes_to(vc, &available));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

static bool ended(struct vc *vc, const struct op *available)
{
	struct op expected = vc_from(vc, END, 0);

	expected.d_id = available->s_id;
	expected.s_id = available->d_id;
	return vc_expect(vc, &expected);
}

/* 7.3: refused; a region granted after that is ended: every field of the End */
TEST_F(region, refused)
{
	struct vc *vc = self->vc;
	struct op request, op, available;
	struct st_event event;
	int i;

	ASSERT_TRUE(mem_ask(vc, LENT, &request));
	op = vc_to(vc, REQUEST_ANSWER, F_REJECT);
	op.d_id = request.s_id;
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_READY, &event));
	EXPECT_EQ(EACCES, event.error);
	EXPECT_TRUE(vc_quiet(vc));
	available = mem_available(vc, &request, 0, 0);
	ASSERT_TRUE(vc_send(vc, &available));
	EXPECT_TRUE(ended(vc, &available));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = available.d_id;
	op.s_id = available.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.7.1: an unsolicited region */
TEST_F(region, granted_that_nobody_asked_for)
{
	struct vc *vc = self->vc;
	struct op nothing = { .s_id = 0x1000 }, request, available;

	available = mem_available(vc, &nothing, 0, 0);
	ASSERT_TRUE(vc_send(vc, &available));
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(mem_ask(vc, LENT, &request));
	available.d_id = request.s_id + 0x1000;
	ASSERT_TRUE(vc_send(vc, &available));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 2 })));
}

/* 6.2.8, 6.2.1: a region in nonexistent buffers, or without an R-id */
TEST_F(region, impossible_place)
{
	static const struct {
		__u32	bufx, offset;
	} places[] = {
		{ 0, 1 << 16 }, { 0, 0xffffffff }, { 0xffffffff, (1 << 16) - LENT + 1 }, { 0, 0 },
	};
	struct vc *vc = self->vc;
	struct op request, available;
	struct st_event event;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		ASSERT_TRUE(mem_ask(vc, LENT, &request));
		available = mem_available(vc, &request, places[i].bufx, places[i].offset);
		if (i == ARRAY_SIZE(places) - 1)
			available.s_id = NO_ID;
		ASSERT_TRUE(vc_send(vc, &available));
		EXPECT_TRUE(ended(vc, &available));
		ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_READY, &event));
		EXPECT_EQ(EPROTO, event.error);
		EXPECT_TRUE(vc_quiet(vc));
	}
	EXPECT_TRUE(logged(vc->fd, &self->before,
			   LOGGED({ ST_ERR_OUT_OF_RANGE_BUFX, ARRAY_SIZE(places) })));
	/* Up to the last possible byte */
	EXPECT_TRUE(mem_lend(vc, LENT, 0xffffffff, (1 << 16) - LENT, &available));
}

/* 6.1.1.4: the Responder ends a region that it lent; every field of the End_Ack */
TEST_F(region, end_of_what_was_lent)
{
	struct vc *vc = self->vc;
	struct op available, op;
	struct st_event event;

	ASSERT_TRUE(mem_lend(vc, LENT, 3, 100, &available));
	EXPECT_TRUE(mem_end(vc, available.d_id, available.s_id));
	ASSERT_TRUE(mem_event(vc->fd, ST_EVENT_REGION_END, &event));
	EXPECT_EQ(available.d_id, event.id);
	EXPECT_EQ(0, event.error);
	EXPECT_ERRNO(ENOENT, mem_put(vc->fd, available.d_id, 0, "x", 1, 0));
	EXPECT_TRUE(mem_end(vc, available.d_id, available.s_id));
	op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
	op.param = vc->slots;
	op.d_id = available.d_id;
	op.s_id = available.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(mem_no_event(vc->fd));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 6.1.1.4: the Initiator returns a region; 10.5.2: an End_Ack before that */
TEST_F(region, given_back)
{
	struct vc *vc = self->vc;
	struct op available, op;
	int i;

	ASSERT_TRUE(mem_lend(vc, LENT, 3, 100, &available));
	op = vc_to(vc, END_ACK, 0);
	op.d_id = available.d_id;
	op.s_id = available.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 1 })));
	EXPECT_TRUE(put_goes_to(vc, &available));
	ASSERT_EQ(0, region_option(vc->fd, ST_REGION_END, available.d_id));
	EXPECT_TRUE(ended(vc, &available));
	EXPECT_TRUE(mem_done(vc->fd, ST_PUT, ECANCELED, NULL));
	EXPECT_ERRNO(ENOENT, mem_put(vc->fd, available.d_id, 0, "x", 1, 0));
	/* It was sent before the End arrived */
	ASSERT_TRUE(vc_send(vc, &available));
	for (i = 0; i < 2; i++)
		ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 1 })));
}

/* 8.2: a peer without persistent memory gets no request. */
TEST_F(region, peer_without_memory)
{
	struct vc vc = vc_new(&self->bench.peer);

	vc.flags = F_OUT_OF_ORDER;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	EXPECT_ERRNO(EOPNOTSUPP, region_request(vc.fd, LENT, ST_REGION_NOWAIT));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

TEST_HARNESS_MAIN
