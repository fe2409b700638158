// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of this side whose frames, order or fields are wrong, FC-VI 8.4 and annex B.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "link.h"
#include "step.h"

#define FRAMES		3
#define LEN		(FRAMES * ROOM)

/* What is wrong with the second of three frames */
enum {
	SEQ_CNT_SKIPPED, OFFSET_SKIPPED, OFFSET_AGAIN, OFFSET_BEYOND, TOT_LEN_CHANGED,
	MSG_ID_CHANGED, ENDS_SHORT, VA_CHANGED, VA_HANDLE_CHANGED, KINDS,
};

static void spoil(struct fc *fc, uint8_t *buf, unsigned int how)
{
	switch (how) {
	case SEQ_CNT_SKIPPED:
		fc->seq_cnt++;
		break;
	case OFFSET_SKIPPED:
		fc->param += 4;
		break;
	case OFFSET_AGAIN:
		fc->param = 0;
		break;
	case OFFSET_BEYOND:
		fc->param = LEN;
		break;
	case TOT_LEN_CHANGED:
		put(buf + 28, 4, LEN + 4);
		break;
	case MSG_ID_CHANGED:
		put(buf + 8, 4, 77);
		break;
	case ENDS_SHORT:
		fc->f_ctl |= F_END | F_LAST;
		fc->eof = EOF_T;
		break;
	case VA_CHANGED:
		put(buf + 20, 4, get(buf + 20, 4) + 8);
		break;
	default:
		put(buf + 24, 4, 1);
	}
}

/* Three frames, in the order of @order; the second is spoilt, unless KINDS */
static void send_frames(struct link *l, struct xchg *x, const struct iu *iu, const uint8_t *order,
			unsigned int frames, unsigned int how)
{
	uint8_t buf[MFS];
	unsigned int i;
	struct fc fc;

	*x = xchg_open(l->p);
	for (i = 0; i < frames; i++) {
		x->sent = order[i];
		x->sent_bytes = order[i] * ROOM;
		fc = frame_of(l->p, x, iu, x->sent_bytes, ROOM, buf);
		if (order[i] == 1)
			spoil(&fc, buf, how);
		/* A Response is wanted: Initiative instead of the end */
		if (l->level == RR && fc.f_ctl & F_LAST)
			fc.f_ctl ^= F_LAST | F_INITIATIVE;
		send_fc(l->p, &fc);
	}
	x->sent = FRAMES;
	x->sent_bytes = LEN;
	x->sequences = 1;
}

static const uint8_t in_order[FRAMES] = { 0, 1, 2 };

/* The Message is lost; on Unreliable Delivery the connection is not, VI-ARCH 2.5.1 c */
static void lose(struct link *l, const struct xchg *x, const struct iu *iu, uint8_t reason)
{
	if (l->level == UD) {
		unanswered(l->p, "a Message that is lost on Unreliable Delivery");
		one_send(l, 100, false, 1);
		link_close(l, l->msg_id - 1);
	} else {
		link_failed(l, reason, iu->msg_id - 1);
		/* FC-VI leaves open whether the responder aborts what it can't end */
		allow_abort(l->p, x);
	}
}

static void do_broken(struct peer *p, struct user *u)
{
	unsigned int level, how;
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		for (how = 0; how <= ENDS_SHORT; how++) {
			link_open(&l, p, u, level);
			one_send(&l, 10, true, 1);
			d = user_post_recv(u, l.vi, 0, CAP);
			iu = message(&l, SEND_RQST, LEN);
			send_frames(&l, &x, &iu, in_order, FRAMES, how);
			user_done(u, d, DONE_RECEIVE | PARTIAL_ERROR | TRANSPORT_ERROR, ANY_LEN);
			zero("memory behind a broken Message", buffer(u, LEN), CAP);
			memset(buffer(u, 0), 0, LEN);
			lose(&l, &x, &iu, END_TRANSPORT);
		}
	}
}

/* VI-DG 3.8.1 does not say which losses are damaged data; event and Disconnect agree */
static uint8_t reason_of(uint32_t event)
{
	switch (event) {
	case FCVI_DEV_ERR_RDMAW_DATA:
		return END_WRITE_DATA;
	case FCVI_DEV_ERR_RDMAW_ABORT:
		return END_WRITE_ABORT;
	default:
		same("event of a broken RDMA Write", event, FCVI_DEV_ERR_RDMA_TRANSPORT);
		return END_RDMA;
	}
}

static void do_broken_writes(struct peer *p, struct user *u)
{
	uint8_t reason;
	unsigned int level, how;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		for (how = 0; how < KINDS; how++) {
			link_open(&l, p, u, level);
			iu = rdma(&l, WRITE_RQST, TARGET, LEN);
			send_frames(&l, &x, &iu, in_order, FRAMES, how);
			reason = reason_of(user_any_event(u, l.vi));
			if (how == ENDS_SHORT)
				same("an RDMA Write that ends short", reason, END_WRITE_ABORT);
			zero("memory behind a broken RDMA Write", buffer(u, TARGET + LEN), CAP);
			memset(buffer(u, TARGET), 0, LEN);
			lose(&l, &x, &iu, reason);
		}
	}
}

/* MSG_ID, FC-VI 5.9.6, 8.4.1 */
static void do_order(struct peer *p, struct user *u)
{
	unsigned int level;
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		/* One that is missing */
		link_open(&l, p, u, level);
		one_send(&l, 10, false, 1);
		l.msg_id++;
		if (level == UD) {
			one_send(&l, 20, false, 1);
			link_close(&l, l.msg_id - 1);
		} else {
			d = user_post_recv(u, l.vi, 0, CAP);
			iu = message(&l, SEND_RQST, 20);
			x = send_message(&l, &iu);
			iu.msg_id = 2;
			lose(&l, &x, &iu, END_TRANSPORT);
			user_done(u, d, DONE_RECEIVE | FLUSHED_ERROR, 0);
		}
		/* One that comes again, or late */
		link_open(&l, p, u, level);
		one_send(&l, 10, false, 1);
		one_send(&l, 10, false, 1);
		l.msg_id = 1;
		d = user_post_recv(u, l.vi, 0, CAP);
		iu = message(&l, SEND_RQST, 20);
		x = send_message(&l, &iu);
		iu.msg_id = 3;
		if (level == UD) {
			unanswered(p, "a Message that comes again");
			user_not_done(d);
			iu = message(&l, SEND_RQST, 30);
			iu.msg_id = 3;
			send_message(&l, &iu);
			user_done(u, d, DONE_RECEIVE, 30);
			got_data(u, 0, 30);
			link_close(&l, 3);
		} else {
			lose(&l, &x, &iu, END_TRANSPORT);
			user_done(u, d, DONE_RECEIVE | FLUSHED_ERROR, 0);
		}
		/* To another handle: it is no Message of this connection */
		link_open(&l, p, u, level);
		iu = message(&l, SEND_RQST, 20);
		iu.handle ^= 0x40000000;
		send_message(&l, &iu);
		unanswered(p, "a Message to another handle");
		l.msg_id = 1;
		one_send(&l, 10, false, 1);
		link_close(&l, 1);
	}
}

/* ABTS in the middle of a Message, FC-VI C.5.7.1 */
static void do_aborted(struct peer *p, struct user *u)
{
	unsigned int level;
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		link_open(&l, p, u, level);
		d = user_post_recv(u, l.vi, 0, CAP);
		iu = message(&l, SEND_RQST, LEN);
		send_frames(&l, &x, &iu, in_order, 2, KINDS);
		x.sequences = 0;
		abort_xchg(p, &x);
		user_done(u, d, DONE_RECEIVE | PARTIAL_ERROR | TRANSPORT_ERROR, ANY_LEN);
		memset(buffer(u, 0), 0, LEN);
		lose(&l, &x, &iu, END_TRANSPORT);
	}
}

/* The rest of a Message does not come.  Timers are short */
static void do_stopped(struct peer *p, struct user *u)
{
	unsigned int level;
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		link_open(&l, p, u, level);
		d = user_post_recv(u, l.vi, 0, CAP);
		iu = message(&l, SEND_RQST, LEN);
		send_frames(&l, &x, &iu, in_order, 2, KINDS);
		user_done(u, d, DONE_RECEIVE | PARTIAL_ERROR | TRANSPORT_ERROR, ANY_LEN);
		memset(buffer(u, 0), 0, LEN);
		allow_abort(p, &x);
		lose(&l, &x, &iu, END_TRANSPORT);
	}
}

/* Messages that pass each other use Descriptors in the order of MSG_ID, FC-VI 8.4.1 e */
static void swapped(struct link *l)
{
	struct desc *first = user_post_recv(l->u, l->vi, 0, CAP);
	struct desc *second = user_post_recv(l->u, l->vi, CAP, CAP);
	struct xchg x[2];
	struct iu iu[2];
	unsigned int i;

	iu[0] = message(l, SEND_RQST, LEN);
	iu[1] = message(l, SEND_RQST, 100);
	x[1] = send_message(l, &iu[1]);
	x[0] = send_message(l, &iu[0]);
	for (i = 0; i < 2 && l->level == RR; i++)
		await_response(l, &x[i], &iu[i], 0);
	user_done(l->u, first, DONE_RECEIVE, LEN);
	user_done(l->u, second, DONE_RECEIVE, 100);
	got_data(l->u, 0, LEN);
	got_data(l->u, CAP, 100);
}

/* A port without order: frames and Messages come as they like, FC-VI 4.2, 8.4.1 d */
static void do_shuffled_messages(struct peer *p, struct user *u)
{
	static const uint8_t orders[][FRAMES] = {
		{ 2, 1, 0 }, { 1, 0, 2 }, { 0, 2, 1 }, { 2, 0, 1 },
	};
	struct desc *d;
	unsigned int level, i;
	struct link l;
	struct xchg x;
	struct iu iu;

	for (level = UD; level <= RR; level++) {
		link_open(&l, p, u, level);
		for (i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
			d = user_post_recv(u, l.vi, 0, CAP);
			iu = message(&l, SEND_RQST, LEN);
			send_frames(&l, &x, &iu, orders[i], FRAMES, KINDS);
			if (level == RR)
				await_response(&l, &x, &iu, 0);
			user_done(u, d, DONE_RECEIVE, LEN);
			got_data(u, 0, LEN);
		}
		if (level > UD)
			swapped(&l);
		link_close(&l, l.msg_id - 1);
	}
}

/* A logout, implied by a new PLOGI, ends all connections, FC-VI 7.7.1 */
static void do_logout(struct peer *p, struct user *u)
{
	struct desc *d;
	struct link l;
	struct iu iu;

	link_open(&l, p, u, RD);
	d = user_post_recv(u, l.vi, 0, CAP);
	log_in(p);
	user_done(u, d, DONE_RECEIVE | FLUSHED_ERROR, 0);
	user_event(u, FCVI_DEV_ERR_CONN_LOST, l.vi);
	user_state(u, l.vi, FCVI_DEV_ERROR);
	user_leaves(p, u, &l.c, l.vi);
	user_destroy(u, l.vi);
	iu = disconnect_of(VI_APP, l.c.theirs, 0, 0);
	disconnect(p, &iu, END_UNKNOWN, NO_HANDLE, 0);
	link_open(&l, p, u, RD);
	one_send(&l, 100, false, 1);
	link_close(&l, 1);
}

const struct step error_steps[] = {
	{ "broken", NULL, do_broken, 0 },
	{ "broken-writes", NULL, do_broken_writes, 0 },
	{ "order", NULL, do_order, 0 },
	{ "aborted", NULL, do_aborted, 0 },
	{ "stopped", NULL, do_stopped, 0 },
	{ "shuffled-messages", NULL, do_shuffled_messages, 0 },
	{ "logout", NULL, do_logout, 0 },
	{ }
};
