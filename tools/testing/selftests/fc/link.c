// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <string.h>

#include "link.h"
#include "step.h"

const uint8_t *pattern(void)
{
	static uint8_t bytes[PATTERN_LEN];
	unsigned int i;

	if (!bytes[1])
		for (i = 0; i < PATTERN_LEN; i++)
			bytes[i] = i + (i >> 8) + (i >> 16) * 3;
	return bytes;
}

void link_open_with(struct link *l, struct peer *p, struct user *u, uint8_t level, uint8_t flags,
		    uint32_t depth)
{
	*l = (struct link) {
		.p = p, .u = u, .level = level, .msg_id = 1, .their_msg_id = 1,
		.c = conn_new("server"),
	};
	l->c.payload[AT_LEVEL] = level;
	put(l->c.payload + AT_DEPTH, 4, depth);
	l->vi = connect_to_server(p, u, &l->c, flags);
}

void link_open(struct link *l, struct peer *p, struct user *u, uint8_t level)
{
	link_open_with(l, p, u, level,
		       FCVI_DEV_RDMA_WRITE | (level > UD ? FCVI_DEV_RDMA_READ : 0), DEPTH);
}

static void leave(struct link *l)
{
	user_event(l->u, FCVI_DEV_ERR_CONN_LOST, l->vi);
	user_state(l->u, l->vi, FCVI_DEV_ERROR);
	user_leaves(l->p, l->u, &l->c, l->vi);
	user_state(l->u, l->vi, FCVI_DEV_IDLE);
	user_destroy(l->u, l->vi);
}

void link_close(struct link *l, uint32_t done)
{
	struct iu iu = disconnect_of(VI_APP, l->c.theirs, 0, 0);

	iu.msg_id = l->their_msg_id - 1;
	disconnect(l->p, &iu, END_ACCEPT, l->c.ours, done);
	leave(l);
}

void link_failed(struct link *l, uint8_t reason, uint32_t done)
{
	struct iu iu = disconnect_of(0, l->c.ours, 0, reason);

	iu.msg_id = done;
	await_disconnect(l->p, &iu, END_ACCEPT, l->c.theirs);
	leave(l);
}

struct iu message(struct link *l, uint8_t op, unsigned int len)
{
	return (struct iu) {
		.op = op, .handle = l->c.theirs, .msg_id = l->msg_id++, .last = len,
		.end = op_end(op, l->level == RR), .data = pattern(),
		.len = op == READ_RQST ? 0 : len,
	};
}

struct xchg send_message(struct link *l, const struct iu *iu)
{
	struct xchg x = xchg_open(l->p);

	send_iu(l->p, &x, iu);
	return x;
}

void send_part(struct link *l, struct xchg *x, const struct iu *iu, unsigned int pos,
	       unsigned int len)
{
	uint8_t buf[MFS];
	struct fc fc = frame_of(l->p, x, iu, pos, len, buf);

	send_fc(l->p, &fc);
	x->sent++;
	x->sent_bytes += len;
}

/* FC-VI 6.3, 6.5 */
void await_response(struct link *l, struct xchg *x, const struct iu *rqst, uint8_t flags)
{
	struct iu iu;

	await_iu(l->p, x, rqst->op == SEND_RQST ? SEND_RESP : WRITE_RESP, &iu);
	same("FCVI_HANDLE of the Response", iu.handle, l->c.ours);
	same("MSG_ID of the Response", iu.msg_id, rqst->msg_id);
	same("FLAGS of the Response", iu.flags, flags);
	same("PARAMETER of the Response", iu.param, 0);
}

/* FC-VI 6.2, 6.4, 6.6 */
void await_message(struct link *l, struct xchg *x, struct iu *iu, const struct iu *expected)
{
	await_new(l->p, x, expected->op, iu);
	same("FCVI_HANDLE of the Message", iu->handle, l->c.ours);
	same("MSG_ID of the Message", iu->msg_id, l->their_msg_id++);
	same("FLAGS of the Message", iu->flags, expected->flags);
	same("PARAMETER of the Message", iu->param, expected->param);
	same("RMT_VA of the Message", iu->va, expected->va);
	same("RMT_VA_HANDLE of the Message", iu->va_handle, expected->va_handle);
	same("TOT_LEN of the Message", iu->last, expected->last);
	same("bytes of the Message", iu->len, expected->op == READ_RQST ? 0 : expected->last);
	same("end of the Message", iu->end, op_end(expected->op, l->level == RR));
}

struct iu response_to(const struct link *l, const struct iu *rqst, uint8_t flags)
{
	return (struct iu) {
		.op = rqst->op | SEND_RESP, .flags = flags, .handle = l->c.theirs,
		.msg_id = rqst->msg_id, .end = F_LAST,
	};
}

void got_data(struct user *u, unsigned int at, unsigned int len)
{
	same_bytes("data", buffer(u, at), pattern(), len);
	same("byte behind the data", buffer(u, at)[len], 0);
	memset(buffer(u, at), 0, len);
}

void one_send(struct link *l, unsigned int len, bool imm, unsigned int parts)
{
	struct desc *d = user_post_recv(l->u, l->vi, 0, CAP);
	struct iu iu = message(l, SEND_RQST, len), part;
	struct xchg x = xchg_open(l->p);
	unsigned int i, piece = len / parts & ~3;

	if (imm) {
		iu.flags = IMM_DATA;
		iu.param = IMM;
	}
	for (i = 0; i < parts; i++) {
		part = iu;
		part.data = iu.data + i * piece;
		part.len = i + 1 < parts ? piece : len - i * piece;
		part.end = i + 1 < parts ? 0 : iu.end;
		send_iu(l->p, &x, &part);
	}
	if (l->level == RR)
		await_response(l, &x, &iu, 0);
	user_done(l->u, d, DONE_RECEIVE | (imm ? DONE_IMM : 0), len);
	if (imm)
		same("Immediate Data", d->imm, IMM);
	got_data(l->u, 0, len);
}

struct iu rdma(struct link *l, uint8_t op, unsigned int at, unsigned int len)
{
	struct iu iu = message(l, op, len);

	iu.va = va_of(l->u, at);
	iu.va_handle = l->u->handle;
	return iu;
}

void message_fails(struct link *l, struct xchg *x, const struct iu *iu, uint8_t flags,
		   uint8_t reason, int event)
{
	struct iu resp;

	if (l->level == RR && iu->op != READ_RQST) {
		await_response(l, x, iu, RESP_ERR | flags);
	} else if (iu->op == READ_RQST) {
		await_iu(l->p, x, READ_RESP, &resp);
		same("FLAGS of READ_RESP", resp.flags, RESP_ERR | flags);
		same("bytes of a READ_RESP with an error", resp.len, 0);
		same("end of a READ_RESP with an error", resp.end, F_LAST);
		same("TOT_LEN of a READ_RESP with an error", resp.last, iu->last);
	}
	if (event >= 0)
		user_event(l->u, event, l->vi);
	if (l->level != UD) {
		link_failed(l, reason, iu->msg_id - 1);
		return;
	}
	/* The endpoint stays */
	unanswered(l->p, "a Message that failed on Unreliable Delivery");
	one_send(l, 100, false, 1);
	link_close(l, l->msg_id - 1);
}
