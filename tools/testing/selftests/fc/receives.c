// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to an endpoint of the user: placement, order, Responses, RDMA; FC-VI 5.2, 6 and 8.4,
 * VI-ARCH 2.5, annex B.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "link.h"
#include "step.h"

static const unsigned int sizes[] = {
	0, 1, 3, 4, 5, ROOM - 1, ROOM, ROOM + 1, 2 * ROOM, 2 * ROOM + 2, 10000, CAP,
};

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

static void do_receive(struct peer *p, struct user *u)
{
	unsigned int i, n = 0;
	struct link l;

	for (i = UD; i <= RR; i++) {
		link_open(&l, p, u, i);
		for (n = 0; n < ARRAY_SIZE(sizes); n++)
			one_send(&l, sizes[n], n & 1, 1);
		one_send(&l, 10000, false, 3);
		one_send(&l, 2 * ROOM, true, 2);
		unanswered(p, "Sends that have all their Responses");
		link_close(&l, l.msg_id - 1);
	}
}

static void one_write(struct link *l, unsigned int len, bool imm)
{
	struct iu iu = rdma(l, WRITE_RQST, TARGET, len);
	struct desc *d = NULL;
	struct xchg x;

	if (imm) {
		d = user_post_recv(l->u, l->vi, 0, 0);
		iu.flags = IMM_DATA;
		iu.param = IMM;
	}
	x = send_message(l, &iu);
	if (l->level == RR)
		await_response(l, &x, &iu, 0);
	if (d) {
		user_done(l->u, d, DONE_REMOTE_WRITE | DONE_IMM, ANY_LEN);
		same("Immediate Data", d->imm, IMM);
	} else {
		/* What follows it does not pass it, VI-ARCH 6.3.1 */
		one_send(l, 4, false, 1);
	}
	got_data(l->u, TARGET, len);
}

static void do_write(struct peer *p, struct user *u)
{
	unsigned int i, n;
	struct link l;

	for (i = UD; i <= RR; i++) {
		link_open(&l, p, u, i);
		for (n = 0; n < ARRAY_SIZE(sizes); n++)
			one_write(&l, sizes[n], n & 1);
		one_write(&l, 100001, false);
		link_close(&l, l.msg_id - 1);
	}
}

/* FC-VI 6.7; the response may be of several IUs */
static void one_read(struct link *l, unsigned int len)
{
	struct iu rqst = rdma(l, READ_RQST, TARGET, len), iu;
	struct xchg x;
	unsigned int got = 0;

	memcpy(buffer(l->u, TARGET), pattern(), len);
	x = send_message(l, &rqst);
	do {
		await_iu(l->p, &x, READ_RESP, &iu);
		same("FCVI_HANDLE of READ_RESP", iu.handle, l->c.ours);
		same("FLAGS of READ_RESP", iu.flags, 0);
		same("MSG_ID of READ_RESP", iu.msg_id, rqst.msg_id);
		same("PARAMETER of READ_RESP", iu.param, 0);
		same("RMT_VA of READ_RESP", iu.va, rqst.va);
		same("RMT_VA_HANDLE of READ_RESP", iu.va_handle, rqst.va_handle);
		same("TOT_LEN of READ_RESP", iu.last, len);
		if (iu.len > len - got)
			errx(1, "READ_RESP: found %u bytes, expected %u", got + iu.len, len);
		same_bytes("data of READ_RESP", iu.data, pattern() + got, iu.len);
		got += iu.len;
	} while (!(iu.end & F_LAST));
	same("bytes of READ_RESP", got, len);
	memset(buffer(l->u, TARGET), 0, len);
}

static void do_read(struct peer *p, struct user *u)
{
	unsigned int i, n;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (i = RD; i <= RR; i++) {
		link_open(&l, p, u, i);
		for (n = 0; n < ARRAY_SIZE(sizes); n++)
			one_read(&l, sizes[n]);
		one_read(&l, 100001);
		one_send(&l, 100, false, 1);
		link_close(&l, l.msg_id - 1);
	}
	/* Not on Unreliable Delivery, FC-VI 6.6.1, where it is a Protocol Error; 8.4.2 c */
	link_open(&l, p, u, UD);
	iu = rdma(&l, READ_RQST, TARGET, 64);
	x = send_message(&l, &iu);
	link_failed(&l, END_PROTOCOL, 0);
	allow_abort(p, &x);
}

/* No receive Descriptor, or one too short */
static void do_no_room(struct peer *p, struct user *u)
{
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;
	unsigned int i;

	for (i = UD; i <= RR; i++) {
		link_open(&l, p, u, i);
		one_send(&l, 10, false, 1);
		iu = message(&l, SEND_RQST, 5000);
		x = send_message(&l, &iu);
		message_fails(&l, &x, &iu, DESC_ERR, END_DESC, FCVI_DEV_ERR_RECVQ_EMPTY);

		link_open(&l, p, u, i);
		d = user_post_recv(u, l.vi, 0, 4999);
		iu = message(&l, SEND_RQST, 5000);
		x = send_message(&l, &iu);
		message_fails(&l, &x, &iu, DESC_ERR, END_DESC, -1);
		user_done(u, d, DONE_RECEIVE | LENGTH_ERROR, 0);
		zero("memory of a Descriptor that is too short", buffer(u, 0), 5000);

		link_open(&l, p, u, i);
		iu = rdma(&l, WRITE_RQST, TARGET, 10);
		iu.flags = IMM_DATA;
		x = send_message(&l, &iu);
		message_fails(&l, &x, &iu, DESC_ERR, END_DESC, FCVI_DEV_ERR_RECVQ_EMPTY);
	}
}

/* VI-ARCH 3.2.2, 6.3.2: rights are checked before the first byte moves */
static void do_protection(struct peer *p, struct user *u)
{
	static const struct {
		uint64_t at;
		uint32_t handle;
		unsigned int len;
	} wrong[] = {
		{ TARGET, 0x5a5a, 100 },
		{ -(uint64_t)BUFFERS - 1, 0, 100 },
		{ REGION - BUFFERS - 9999, 0, 10000 },
		{ REGION - BUFFERS, 0, 1 },
		{ 1ULL << 63, 0, 100 },
		{ TARGET, -1, 100 },
	};
	struct link l;
	struct xchg x;
	struct iu iu;
	unsigned int i, k;
	uint8_t op;

	for (k = 0; k < 2 * ARRAY_SIZE(wrong); k++) {
		op = k & 1 ? READ_RQST : WRITE_RQST;
		for (i = op == READ_RQST ? RD : UD; i <= RR; i++) {
			link_open(&l, p, u, i);
			iu = rdma(&l, op, 0, wrong[k / 2].len);
			iu.va += wrong[k / 2].at;
			iu.va_handle ^= wrong[k / 2].handle;
			x = send_message(&l, &iu);
			if (op == READ_RQST)
				message_fails(&l, &x, &iu, PROT_ERR, END_READ_PROT,
					      FCVI_DEV_ERR_RDMAR_PROT);
			else
				message_fails(&l, &x, &iu, PROT_ERR, END_WRITE_PROT,
					      FCVI_DEV_ERR_RDMAW_PROT);
		}
	}
	zero("memory that nobody may write", buffer(u, 0), REGION - BUFFERS);
}

const struct step receive_steps[] = {
	{ "receive", NULL, do_receive, 0 },
	{ "receive-small", NULL, do_receive, 256 },
	{ "write", NULL, do_write, 0 },
	{ "read", NULL, do_read, 0 },
	{ "read-small", NULL, do_read, 256 },
	{ "no-room", NULL, do_no_room, 0 },
	{ "protection", NULL, do_protection, 0 },
	{ }
};
