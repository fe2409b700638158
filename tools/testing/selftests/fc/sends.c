// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of the user to this side: each field, Responses, errors, the pipeline, and timers; FC-VI
 * 5.2, 6, 7.3 and 8.4, VI-ARCH 6.3, annexes B and E.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "link.h"
#include "step.h"

static const unsigned int sizes[] = {
	0, 1, 3, 4, 5, ROOM - 1, ROOM, ROOM + 1, 2 * ROOM, 10000, 100001,
};

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

#define VA		0x123456789abcdef0
#define VA_HANDLE	0x76543210

static struct desc *post(struct link *l, uint16_t control, unsigned int len)
{
	return user_post(l->u, l->vi, control, 0, len, VA, VA_HANDLE, IMM);
}

/* The fields of the Message to a Descriptor, FC-VI 6.2.2, 6.4.2, 6.6.2 */
static struct iu fields(uint16_t control, unsigned int len)
{
	bool imm = control & OP_IMM && (control & 3) != OP_READ;

	return (struct iu) {
		.op = control & 3, .flags = imm ? IMM_DATA : 0, .param = imm ? IMM : 0,
		.va = control & 3 ? VA : 0, .va_handle = control & 3 ? VA_HANDLE : 0,
		.last = len,
	};
}

static uint32_t done_of(uint16_t control)
{
	static const uint32_t status[] = { DONE_SEND, DONE_WRITE, DONE_READ };

	return status[control & 3];
}

static void respond(struct link *l, struct xchg *x, const struct iu *rqst, uint8_t flags)
{
	const struct iu iu = response_to(l, rqst, flags);

	send_iu(l->p, x, &iu);
}

/* READ_RESP with the bytes from @pos on */
static void send_read(struct link *l, struct xchg *x, const struct iu *rqst, unsigned int pos,
		      unsigned int len, bool last)
{
	struct iu iu = response_to(l, rqst, 0);

	iu.va = rqst->va;
	iu.va_handle = rqst->va_handle;
	iu.last = rqst->last;
	iu.data = pattern() + pos;
	iu.len = len;
	iu.end = last ? F_LAST : 0;
	send_iu(l->p, x, &iu);
}

/* FC-VI 6.7: a READ_RESP without data */
static void refuse_read(struct link *l, struct xchg *x, const struct iu *rqst, uint8_t flags)
{
	struct iu iu = response_to(l, rqst, flags);

	iu.va = rqst->va;
	iu.va_handle = rqst->va_handle;
	iu.last = rqst->last;
	send_iu(l->p, x, &iu);
}

static void one_message(struct link *l, uint16_t control, unsigned int len)
{
	const struct iu expected = fields(control, len);
	struct desc *d;
	struct xchg x;
	struct iu iu;

	memcpy(buffer(l->u, 0), pattern(), len);
	if ((control & 3) == OP_READ)
		memset(buffer(l->u, 0), 0, len);
	d = post(l, control, len);
	await_message(l, &x, &iu, &expected);
	same_bytes("data of the Message", iu.data, pattern(), iu.len);
	if ((control & 3) == OP_READ) {
		user_not_done(d);
		if (len > 8) {
			send_read(l, &x, &iu, 0, len / 2 & ~3, false);
			send_read(l, &x, &iu, len / 2 & ~3, len - (len / 2 & ~3), true);
		} else {
			send_read(l, &x, &iu, 0, len, true);
		}
	} else if (l->level == RR) {
		user_not_done(d);
		respond(l, &x, &iu, 0);
	}
	user_done(l->u, d, done_of(control), len);
	same_bytes("data of the user", buffer(l->u, 0), pattern(), len);
	memset(buffer(l->u, 0), 0, len);
}

static void do_send(struct peer *p, struct user *u)
{
	static const uint16_t ops[] = {
		OP_SEND, OP_SEND | OP_IMM, OP_WRITE, OP_WRITE | OP_IMM, OP_READ,
		OP_READ | OP_IMM,
	};
	unsigned int level, i, n;
	struct link l;

	for (level = UD; level <= RR; level++) {
		link_open(&l, p, u, level);
		for (i = 0; i < ARRAY_SIZE(ops) - (level == UD ? 2 : 0); i++)
			for (n = 0; n < ARRAY_SIZE(sizes); n++)
				one_message(&l, ops[i], sizes[n]);
		link_close(&l, 0);
	}
}

/* What a Response says, FC-VI 5.9.4.3, VI-DG 5.2 */
static void do_responses(struct peer *p, struct user *u)
{
	static const struct {
		uint16_t control;
		uint8_t flags;
		uint32_t status;
		uint8_t reason;
	} tries[] = {
		{ OP_SEND, DESC_ERR, REMOTE_DESC_ERROR, END_DESC },
		{ OP_SEND, TRANS_ERR, TRANSPORT_ERROR, END_TRANSPORT },
		{ OP_WRITE, PROT_ERR, RDMA_PROT_ERROR, END_WRITE_PROT },
		{ OP_WRITE | OP_IMM, DESC_ERR, REMOTE_DESC_ERROR, END_DESC },
		{ OP_WRITE, TRANS_ERR, TRANSPORT_ERROR, END_TRANSPORT },
		{ OP_READ, PROT_ERR, RDMA_PROT_ERROR, END_READ_PROT },
	};
	struct desc *d, *next;
	struct iu expected, iu;
	unsigned int i;
	struct link l;
	struct xchg x;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		link_open(&l, p, u, RR);
		expected = fields(tries[i].control, 100);
		d = post(&l, tries[i].control, 100);
		await_message(&l, &x, &iu, &expected);
		next = user_post_recv(u, l.vi, 0, 100);
		if (tries[i].control == OP_READ)
			refuse_read(&l, &x, &iu, RESP_ERR | tries[i].flags);
		else
			respond(&l, &x, &iu, RESP_ERR | tries[i].flags);
		user_done(u, d, done_of(tries[i].control) | tries[i].status, ANY_LEN);
		user_done(u, next, DONE_RECEIVE | FLUSHED_ERROR, 0);
		link_failed(&l, tries[i].reason, 0);
	}
}

/* No Response, FC-VI 8.4.2 a and e; R_A_TOV is short */
static void do_no_response(struct peer *p, struct user *u)
{
	static const uint16_t ops[] = { OP_SEND, OP_WRITE, OP_READ };
	struct iu expected, iu;
	struct desc *d;
	struct link l;
	struct xchg x;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		link_open(&l, p, u, RR);
		expected = fields(ops[i], 100);
		d = post(&l, ops[i], 100);
		await_message(&l, &x, &iu, &expected);
		await_abort(p, &x);
		user_done(u, d, done_of(ops[i]) | TRANSPORT_ERROR, ANY_LEN);
		link_failed(&l, END_TRANSPORT, 0);
	}
}

/* FC-VI 7.3: this side takes two Messages at a time */
static void do_pipeline(struct peer *p, struct user *u)
{
	const struct iu expected = fields(OP_SEND, 10);
	struct iu iu[5];
	struct desc *d[5];
	struct xchg x[5];
	struct link l;
	unsigned int i;

	memcpy(buffer(u, 0), pattern(), 10);
	link_open_with(&l, p, u, RR, 0, 1);
	for (i = 0; i < 5; i++)
		d[i] = post(&l, OP_SEND, 10);
	await_message(&l, &x[0], &iu[0], &expected);
	await_message(&l, &x[1], &iu[1], &expected);
	for (i = 0; i < 3; i++) {
		unanswered(p, "more Messages than the pipeline takes");
		respond(&l, &x[i], &iu[i], 0);
		user_done(u, d[i], DONE_SEND, 10);
		await_message(&l, &x[i + 2], &iu[i + 2], &expected);
	}
	unanswered(p, "more Messages than were posted");
	/* Responses may pass each other, Descriptors complete in order, VI-ARCH 6.3.1.1 */
	respond(&l, &x[4], &iu[4], 0);
	unanswered(p, "a Response out of order");
	user_not_done(d[3]);
	user_not_done(d[4]);
	respond(&l, &x[3], &iu[3], 0);
	user_done(u, d[3], DONE_SEND, 10);
	user_done(u, d[4], DONE_SEND, 10);
	link_close(&l, 0);
}

/* VI-ARCH 6.3.1.2: it waits for all before it; what is after it waits, too */
static void do_fence(struct peer *p, struct user *u)
{
	const struct iu read = fields(OP_READ, 100), send = fields(OP_SEND, 10);
	struct desc *d[3];
	struct iu iu, next;
	struct xchg x, y;
	struct link l;

	memcpy(buffer(u, 0), pattern(), 100);
	link_open(&l, p, u, RD);
	d[0] = post(&l, OP_READ, 100);
	d[1] = post(&l, OP_SEND | OP_FENCE, 10);
	d[2] = post(&l, OP_SEND, 10);
	await_message(&l, &x, &iu, &read);
	unanswered(p, "a Message behind a fence");
	user_not_done(d[0]);
	send_read(&l, &x, &iu, 0, 100, true);
	await_message(&l, &y, &next, &send);
	await_message(&l, &y, &next, &send);
	user_done(u, d[0], DONE_READ, 100);
	user_done(u, d[1], DONE_SEND, 10);
	user_done(u, d[2], DONE_SEND, 10);
	link_close(&l, 0);
}

/* FC-VI 5.8.2: CS_CTL of each frame of a Message */
static void do_preference(struct peer *p, struct user *u)
{
	struct iu expected = fields(OP_SEND, 3 * ROOM), iu;
	struct desc *d;
	struct xchg x;
	struct link l;

	link_open_with(&l, p, u, RR, FCVI_DEV_PREF, DEPTH);
	d = user_post(u, l.vi, OP_SEND, 0, 3 * ROOM, 0, 0, 0);
	await_message(&l, &x, &iu, &expected);
	same("CS_CTL of the Message", x.cs_ctl, PREF);
	respond(&l, &x, &iu, 0);
	user_done(u, d, DONE_SEND, 3 * ROOM);
	/* Of the Response of that endpoint as well; this side has no Preference */
	d = user_post_recv(u, l.vi, 0, CAP);
	iu = message(&l, SEND_RQST, 10);
	x = send_message(&l, &iu);
	x.cs_ctl = PREF;
	await_response(&l, &x, &iu, 0);
	user_done(u, d, DONE_RECEIVE, 10);
	link_close(&l, 1);
}

/* An answer to an RDMA Read that is none, FC-VI 6.7, 8.4 */
static void do_bad_reads(struct peer *p, struct user *u)
{
	enum { LONG, SHORT, OTHER_LEN, OTHER_MSG, KINDS };
	const struct iu expected = fields(OP_READ, 100);
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		link_open(&l, p, u, RD);
		d = post(&l, OP_READ, 100);
		await_message(&l, &x, &iu, &expected);
		memset(buffer(u, 0), 0, 200);
		if (i == OTHER_LEN)
			iu.last = 200;
		if (i == OTHER_MSG)
			iu.msg_id++;
		send_read(&l, &x, &iu, 0, i == LONG ? 104 : i == SHORT ? 96 : 100, true);
		user_done(u, d, DONE_READ | TRANSPORT_ERROR, ANY_LEN);
		zero("memory behind an RDMA Read", buffer(u, 100), 100);
		link_failed(&l, END_TRANSPORT, 0);
		allow_abort(p, &x);
	}
}

const struct step send_steps[] = {
	{ "send", NULL, do_send, 0 },
	{ "send-small", NULL, do_send, 256 },
	{ "responses", NULL, do_responses, 0 },
	{ "no-response", NULL, do_no_response, 0 },
	{ "pipeline", NULL, do_pipeline, 0 },
	{ "fence", NULL, do_fence, 0 },
	{ "preference", NULL, do_preference, 0 },
	{ "bad-reads", NULL, do_bad_reads, 0 },
	{ }
};
