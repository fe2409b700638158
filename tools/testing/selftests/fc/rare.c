// SPDX-License-Identifier: GPL-2.0
/*
 * What is rare: SEQ_CNT that wraps, bytes that come twice on a port without order, Disconnects that
 * are none, and wrong answers to FARP.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "link.h"
#include "step.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* A Message in frames of so few bytes that it has more than 65536 of them */
#define PIECE		12
#define WRAP		65536
#define WRAP_LEN	((WRAP + 10) * PIECE)
/* Frames that are sent before the other port is asked whether it has taken them */
#define BURST		128

/* The other port takes them in turn, so that none is lost on the way */
static void send_pieces(struct link *l, struct xchg *x, const struct iu *iu)
{
	unsigned int pos = 0, len, frames = 0;

	do {
		len = iu->len - pos < PIECE ? iu->len - pos : PIECE;
		send_part(l, x, iu, pos, len);
		pos += len;
		if (++frames % BURST)
			continue;
		unanswered(l->p, "a part of a long Message");
		/* On a slow machine this takes longer than a silent neighbour is kept */
		send_vn2vn(l->p, VN_BEACON, all_vn2vn);
	} while (pos < iu->len);
	x->sequences++;
	x->seq_id = (x->seq_id + 1) % SEQUENCES;
}

/*
 * FFFF is followed by 0 within a Sequence, and where the next one of the Exchange begins.  No
 * SEQ_CNT comes twice in a Sequence, FC-VI 5.6.
 */
static void do_wrap(struct peer *p, struct user *u)
{
	static const unsigned int first[] = { 100, WRAP };
	struct iu iu, part;
	unsigned int i;
	struct link l;
	struct xchg x;

	for (i = 0; i < ARRAY_SIZE(first); i++) {
		link_open(&l, p, u, RR);
		iu = rdma(&l, WRITE_RQST, TARGET, WRAP_LEN);
		x = xchg_open(p);
		part = iu;
		part.end = 0;
		part.len = first[i] * PIECE;
		send_pieces(&l, &x, &part);
		same("frames of the first Sequence", x.sent, first[i]);
		part = iu;
		part.data += first[i] * PIECE;
		part.len -= first[i] * PIECE;
		send_pieces(&l, &x, &part);
		await_response(&l, &x, &iu, 0);
		got_data(u, TARGET, WRAP_LEN);
		link_close(&l, l.msg_id - 1);
	}
}

#define LEN	(3 * ROOM)

/* Bytes that overlap leave a hole, though there are as many as the Message has */
static void do_overlap(struct peer *p, struct user *u)
{
	static const struct {
		unsigned int at[3];
		const char *what;
	} cases[] = {
		{ { 0, 0, 2 * ROOM }, "the first frame twice" },
		{ { 0, ROOM - 4, 2 * ROOM }, "the second frame begins in the first" },
		{ { 0, ROOM, 2 * ROOM - 4 }, "the last frame begins in the second" },
		{ { 2 * ROOM, 2 * ROOM, 0 }, "the last frame twice, before the first" },
		{ { 2 * ROOM, ROOM + 4, 0 }, "the second frame ends in the last, which was there" },
		{ { ROOM, 0, ROOM }, "the second frame twice, once before the first" },
		{ { ROOM, 4, 2 * ROOM }, "the first frame ends in the second, which was there" },
	};
	unsigned int level, i, k;
	uint8_t buf[MFS];
	struct desc *d;
	struct link l;
	struct xchg x;
	struct iu iu;
	struct fc fc;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (level = UD; level <= RR; level++) {
			printf("%s\n", cases[i].what);
			link_open(&l, p, u, level);
			d = user_post_recv(u, l.vi, 0, CAP);
			iu = message(&l, SEND_RQST, LEN);
			x = xchg_open(p);
			for (k = 0; k < 3; k++) {
				fc = frame_of(p, &x, &iu, k * ROOM, ROOM, buf);
				memcpy(buf + DH, iu.data + cases[i].at[k], ROOM);
				fc.param = cases[i].at[k];
				send_fc(p, &fc);
				x.sent++;
			}
			user_done(u, d, DONE_RECEIVE | PARTIAL_ERROR | TRANSPORT_ERROR, ANY_LEN);
			zero("memory behind a broken Message", buffer(u, LEN), CAP - LEN);
			memset(buffer(u, 0), 0, LEN);
			if (level == UD) {
				unanswered(p, "a Message that is lost on Unreliable Delivery");
				one_send(&l, 100, false, 1);
				link_close(&l, l.msg_id - 1);
			} else {
				link_failed(&l, END_TRANSPORT, iu.msg_id - 1);
				allow_abort(p, &x);
			}
		}
	}
}

/* FC-VI 8.6.3 b: the responder of a Disconnect with a Sequence error takes no notice of it */
static void do_bad_disconnects(struct peer *p, struct user *u)
{
	static const uint8_t payload[4];
	struct iu iu, bad;
	uint8_t buf[MFS];
	unsigned int i;
	struct link l;
	struct xchg x;
	struct fc fc;

	link_open(&l, p, u, RD);
	iu = disconnect_of(VI_APP, l.c.theirs, 0, 0);
	for (i = 0; i < 8; i++) {
		x = xchg_open(p);
		bad = iu;
		if (!i) {
			bad.data = payload;
			bad.len = sizeof(payload);
		}
		fc = frame_of(p, &x, &bad, 0, bad.len, buf);
		switch (i) {
		case 1:
			fc.df_ctl = 1;
			break;
		case 2:
			fc.f_ctl ^= F_INITIATIVE | F_LAST;
			break;
		case 3:
			fc.f_ctl ^= F_FIRST;
			break;
		case 4:
			fc.seq_cnt = 1;
			break;
		case 5:
			fc.r_ctl = 0x03;
			break;
		case 6:
			fc.len -= 8;
			break;
		case 7:
			fc.f_ctl ^= F_RESPONDER;
			break;
		}
		send_fc(p, &fc);
		unanswered(p, "a Disconnect with a Sequence error");
		one_send(&l, 100, false, 1);
	}
	link_close(&l, l.msg_id - 1);
}

/* Items 14 to 23 of the answer, FC-VI 7.5 */
static void make_reply(const struct peer *p, uint8_t *payload)
{
	payload[0] = FARP_REPLY;
	put(payload + 9, 3, p->id);
	put(payload + 28, 8, p->wwpn);
	put(payload + 36, 8, p->wwnn);
}

/* Answers that do not fit get their LS_ACC, but the user goes on to wait for the right one */
static void do_forged_farp(struct peer *p, struct user *u)
{
	uint8_t asked[FARP_LEN], payload[FARP_LEN];
	uint32_t vi = user_vi(u, FCVI_DEV_UD, 0);
	struct conn c = conn_new("user");
	static struct frame f;
	unsigned int i;
	struct fc fc;

	user_connect(u, vi, 0, PATIENCE_MS);
	await_fc(p, &f, &fc, R_REQUEST, FARP_REQ);
	memcpy(asked, fc.data, FARP_LEN);
	for (i = 0; i < 7; i++) {
		memcpy(payload, asked, FARP_LEN);
		make_reply(p, payload);
		switch (i) {
		case 0:		/* Match Address Code Points */
			payload[4] = 1;
			break;
		case 1:		/* Requesting N_Port ID */
			put(payload + 5, 3, p->their_id ^ 1);
			break;
		case 2:		/* Responder Action */
			payload[8] = 1;
			break;
		case 3:		/* Responding N_Port ID */
			put(payload + 9, 3, p->id ^ 1);
			break;
		case 4:		/* Requesting Port_Name */
			put(payload + 12, 8, p->their_wwpn ^ 1);
			break;
		case 5:		/* Responding Port_Name */
			put(payload + 28, 8, p->wwpn ^ 1);
			break;
		case 6:		/* Responding IP address */
			put(payload + 72, 4, ip_ours + 100);
			break;
		}
		ask_acc(p, &f, &fc, payload, FARP_LEN, 4);
		unanswered(p, "a FARP-REPLY that does not fit");
		user_undecided(u, vi);
	}
	memcpy(payload, asked, FARP_LEN);
	make_reply(p, payload);
	ask_acc(p, &f, &fc, payload, FARP_LEN, 4);
	await_rqst(p, &c, MODE_CLIENT);
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, ACCEPT);
	send_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	end_by_peer(p, u, &c, vi);
}

const struct step rare_steps[] = {
	{ "wrap", NULL, do_wrap, 0 },
	{ "overlap", NULL, do_overlap, 0 },
	{ "bad-disconnects", NULL, do_bad_disconnects, 0 },
	{ "forged-farp", NULL, do_forged_farp, 0 },
	{ }
};
