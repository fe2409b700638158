// SPDX-License-Identifier: GPL-2.0
/*
 * Setups and Disconnects with a port on which nobody waits, FC-VI 5.3, 5.6 and 5.9.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "step.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

static void refused(struct peer *p, struct conn *c, uint8_t flags, uint8_t reason)
{
	send_rqst(p, c, flags);
	conn_finish(p, c, reason);
}

/* FC-VI 5.6: S and C are needed; 5.6 calls bit 30 C, which FC-FS calls R */
static void do_login(struct peer *p)
{
	static const struct {
		uint16_t features;
		uint8_t reason;
	} tries[] = {
		{ 0, REJECT_LOGIN },
		{ FEATURE_S, REJECT_LOGIN },
		{ FEATURE_C, REJECT_LOGIN },
		{ FEATURE_R, REJECT_LOGIN },
		{ FEATURE_C | FEATURE_R, REJECT_LOGIN },
		{ FEATURE_C | FEATURE_S, NOT_WAITING },
		{ FEATURE_R | FEATURE_S, NOT_WAITING },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		struct conn c = conn_new("nobody");

		p->features = tries[i].features;
		log_in(p);
		refused(p, &c, MODE_CLIENT, tries[i].reason);
	}
}

static void do_nobody(struct peer *p)
{
	static const uint8_t flags[] = {
		MODE_CLIENT, MODE_PEER, MODE_CLIENT | 0xe0, MODE_PEER | 0xe0,
	};
	unsigned int i, retry;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		for (retry = 0; retry < 4; retry++) {
			struct conn c = conn_new("nobody");

			c.retry = retry & 1;
			if (retry & 2)
				c.len += CONN_INFO_LEN;
			refused(p, &c, flags[i] | (retry & 2 ? RQST_INFO : 0), NOT_WAITING);
		}
	}
}

/* What is reserved is ignored, FC-VI 5.9.5 */
static void do_reserved(struct peer *p)
{
	static const unsigned int at[] = {
		0, 5, AT_LOC, AT_LOC + 1, AT_REM, AT_REM + 1, AT_ATTRS, AT_ATTRS + 1,
		AT_PREF + 1, AT_PREF + 3, AT_DEPTH + 4, AT_DEPTH + 7,
	};
	struct conn c = conn_new("nobody");
	struct xchg x = xchg_open(p);
	uint8_t buf[MFS];
	unsigned int i;
	struct fc fc;
	struct iu iu;

	for (i = 0; i < ARRAY_SIZE(at); i++)
		c.payload[at[i]] = 0xff;
	c.payload[AT_RIGHTS] = 0xfc;
	iu = rqst_of(&c, MODE_CLIENT | 0xe0);
	iu.msg_id = 77;
	iu.param = 77;
	iu.va = 77;
	iu.va_handle = 77;
	fc = frame_of(p, &x, &iu, 0, iu.len, buf);
	put(buf + 6, 2, 0xffff);
	send_fc(p, &fc);
	x.sent = 1;
	x.sequences = 1;
	c.x = x;
	await_iu(p, &c.x, CONNECT_RESP1, &iu);
	same("status of RESP1", iu.param, STATUS(NOT_WAITING));
	send_resp2(p, &c, ACCEPT);
	await_resp3(p, &c, ACCEPT);
}

/* FC-VI 5.9.4.4, 5.9.10, 6.8.3, 7.2, 7.3 */
static void do_malformed(struct peer *p)
{
	static const struct {
		unsigned int at;
		unsigned int bytes;
		uint32_t value;
	} wrong[] = {
		{ AT_REVISION, 2, 0 }, { AT_REVISION, 2, 2 }, { AT_REVISION, 2, 0x100 },
		{ AT_HANDLE, 4, NO_HANDLE },
		{ AT_LOC + AT_HOST_LEN, 1, 0 }, { AT_LOC + AT_HOST_LEN, 1, 4 },
		{ AT_LOC + AT_HOST_LEN, 1, 17 }, { AT_LOC + AT_HOST_LEN, 1, 255 },
		{ AT_REM + AT_HOST_LEN, 1, 0 }, { AT_REM + AT_HOST_LEN, 1, 15 },
		{ AT_REM + AT_HOST_LEN, 1, 255 },
		{ AT_LOC + AT_DISCRIM_LEN, 1, 0 }, { AT_LOC + AT_DISCRIM_LEN, 1, 15 },
		{ AT_LOC + AT_DISCRIM_LEN, 1, 129 }, { AT_LOC + AT_DISCRIM_LEN, 1, 255 },
		{ AT_REM + AT_DISCRIM_LEN, 1, 0 }, { AT_REM + AT_DISCRIM_LEN, 1, 15 },
		{ AT_REM + AT_DISCRIM_LEN, 1, 129 }, { AT_REM + AT_DISCRIM_LEN, 1, 255 },
		{ AT_LEVEL, 1, 0 }, { AT_LEVEL, 1, 4 }, { AT_LEVEL, 1, 255 },
		{ AT_PREF, 1, 0x01 }, { AT_PREF, 1, 0x40 }, { AT_PREF, 1, 0xff },
	};
	static const uint8_t flags[] = {
		0, 3, 4, 5, 6, 7, MODE_CLIENT | RQST_INFO, MODE_PEER | RQST_INFO,
	};
	static const unsigned int lens[] = {
		0, 1, 4, CONN_LEN - 1, CONN_LEN + 1, CONN_LEN + 4, CONN_LEN + CONN_INFO_LEN - 4,
		CONN_LEN + CONN_INFO_LEN,
	};
	unsigned int i;
	struct conn c;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		c = conn_new("nobody");
		put(c.payload + wrong[i].at, wrong[i].bytes, wrong[i].value);
		if (wrong[i].at == AT_HANDLE)
			c.ours = NO_HANDLE;
		refused(p, &c, MODE_CLIENT, REJECT_PROTOCOL);
	}
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		c = conn_new("nobody");
		refused(p, &c, flags[i], REJECT_PROTOCOL);
	}
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		c = conn_new("nobody");
		c.len = lens[i];
		refused(p, &c, MODE_CLIENT, REJECT_PROTOCOL);
	}
	c = conn_new("nobody");
	c.id = NO_ID;
	refused(p, &c, MODE_CLIENT, REJECT_PROTOCOL);
	/* Bandwidth and delay are known, but nobody has them */
	for (i = AT_MAX_BANDWIDTH; i <= AT_MAX_DELAY; i += 4) {
		c = conn_new("nobody");
		put(c.payload + i, 4, 1);
		refused(p, &c, MODE_CLIENT, REJECT);
	}
	/* CONNECTION_ID 0 is one as others */
	c = conn_new("nobody");
	c.id = 0;
	refused(p, &c, MODE_CLIENT, NOT_WAITING);
}

/* An IU in the place of the RESP2 that is due; nothing is answered */
static void not_resp2(struct peer *p, struct conn *c, const struct iu *iu, const char *what)
{
	struct xchg x = c->x;

	send_iu(p, &x, iu);
	unanswered(p, what);
}

static void send_changed(struct peer *p, const struct conn *c, uint8_t df_ctl, uint8_t r_ctl,
			 uint8_t op, const char *what)
{
	const struct iu iu = resp2_of(c, ACCEPT);
	struct xchg x = c->x;
	uint8_t buf[MFS];
	struct fc fc = frame_of(p, &x, &iu, 0, 0, buf);

	fc.df_ctl = df_ctl;
	fc.r_ctl = r_ctl;
	buf[4] = op;
	send_fc(p, &fc);
	unanswered(p, what);
}

/* Each wrong frame gets a setup of its own, as some end it */
static void pending(struct peer *p, struct conn *c)
{
	*c = conn_new("nobody");
	send_rqst(p, c, MODE_CLIENT);
	await_resp1(p, c, NOT_WAITING);
}

static void do_late(struct peer *p)
{
	struct conn c;
	struct iu iu;

	pending(p, &c);
	iu = resp2_of(&c, ACCEPT);
	iu.last ^= 1;
	not_resp2(p, &c, &iu, "RESP2 with another CONNECTION_ID");
	pending(p, &c);
	iu = resp2_of(&c, ACCEPT);
	iu.handle = 5;
	not_resp2(p, &c, &iu, "RESP2 with another handle");
	pending(p, &c);
	iu = rqst_of(&c, MODE_CLIENT);
	not_resp2(p, &c, &iu, "a second request in the Exchange");
	pending(p, &c);
	iu = resp2_of(&c, ACCEPT);
	iu.op = CONNECT_RESP3;
	not_resp2(p, &c, &iu, "RESP3 instead of RESP2");
	pending(p, &c);
	send_changed(p, &c, 1, 0x03, CONNECT_RESP2, "RESP2 with a Device_Header of 16 bytes");
	pending(p, &c);
	send_changed(p, &c, 0, 0x03, CONNECT_RESP2, "RESP2 without a Device_Header");
	pending(p, &c);
	send_changed(p, &c, 2, 0x02, CONNECT_RESP2, "RESP2 with another R_CTL");
	pending(p, &c);
	send_changed(p, &c, 2, 0x03, 0x1c, "an opcode that nobody knows");
	/* The other side still waits for the right one, which may come twice */
	pending(p, &c);
	send_resp2(p, &c, ACCEPT);
	await_resp3(p, &c, ACCEPT);
	iu = resp2_of(&c, ACCEPT);
	not_resp2(p, &c, &iu, "RESP2 after the Exchange");
}

/* A first frame of an Exchange that begins none */
static void stray(struct peer *p, uint8_t op, uint32_t f_ctl, uint8_t df_ctl, unsigned int len,
		  const char *what)
{
	static const uint8_t payload[64];
	struct iu iu = {
		.op = op, .handle = 0x1234, .msg_id = 1, .last = len, .end = op_end(op, false),
		.data = payload, .len = len,
	};
	struct xchg x = xchg_open(p);
	uint8_t buf[MFS];
	struct fc fc = frame_of(p, &x, &iu, 0, len, buf);

	fc.f_ctl ^= f_ctl;
	fc.df_ctl = df_ctl;
	send_fc(p, &fc);
	unanswered(p, what);
}

static void do_strays(struct peer *p)
{
	static const uint8_t answers[] = {
		SEND_RESP, WRITE_RESP, READ_RESP, CONNECT_RESP1, CONNECT_RESP2, CONNECT_RESP3,
		DISCONNECT_RESP,
	};
	struct conn c = conn_new("nobody");
	struct iu iu = rqst_of(&c, MODE_CLIENT);
	uint8_t buf[MFS], op, df_ctl;
	struct xchg x;
	struct fc fc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		op = answers[i];
		df_ctl = op_dh(op) == 16 ? 1 : 2;
		stray(p, op, F_FIRST | F_RESPONDER, df_ctl, 0, "an answer to nothing");
		stray(p, op, 0, df_ctl, 0, "an answer that begins an Exchange");
	}
	stray(p, SEND_RQST, 0, 2, 0, "an empty Send to a handle that nobody has");
	stray(p, SEND_RQST, 0, 2, 64, "a Send to a handle that nobody has");
	stray(p, SEND_RQST, F_LAST | F_INITIATIVE, 2, 64, "a Send that wants a Response");
	stray(p, SEND_RQST, F_END | F_LAST, 2, 64, "the first frame of a long Send");
	stray(p, WRITE_RQST, 0, 2, 64, "an RDMA Write to a handle that nobody has");
	stray(p, READ_RQST, 0, 2, 0, "an RDMA Read of a handle that nobody has");
	stray(p, READ_RQST, 0, 2, 64, "an RDMA Read with payload");
	stray(p, READ_RQST, F_INITIATIVE | F_LAST, 2, 0, "an RDMA Read that ends all");
	stray(p, DISCONNECT_RQST, 0, 2, 4, "a Disconnect with payload");
	stray(p, DISCONNECT_RQST, 0, 1, 0, "a Disconnect with another DF_CTL");
	stray(p, DISCONNECT_RQST, F_INITIATIVE | F_LAST, 2, 0, "a Disconnect that ends all");
	stray(p, DISCONNECT_RQST, F_FIRST, 2, 0, "a Disconnect that is not the first Sequence");
	stray(p, DISCONNECT_RQST, F_END, 2, 0, "a Disconnect in two frames");
	/* Requests with a header that is not theirs, FC-VI table 1 */
	for (i = 0; i < 16; i++) {
		x = xchg_open(p);
		fc = frame_of(p, &x, &iu, 0, iu.len, buf);
		switch (i) {
		case 0:
			fc.r_ctl = 0x01;
			break;
		case 1:
			fc.r_ctl = 0x03;
			break;
		case 2:
			fc.r_ctl = 0x06;
			break;
		case 3:
			fc.df_ctl = 0;
			break;
		case 4:
			fc.df_ctl = 1;
			break;
		case 5:
			fc.df_ctl = 3;
			break;
		case 6:
			buf[4] = 0x11;
			break;
		case 7:
			buf[4] = 0xff;
			break;
		case 8:
			buf[4] = CONNECT_RESP1;
			break;
		case 9:
			fc.f_ctl |= F_RESPONDER;
			break;
		case 10:
			fc.f_ctl &= ~F_INITIATIVE;
			break;
		case 11:
			fc.f_ctl |= F_LAST;
			break;
		case 12:
			fc.len = 0;
			break;
		case 13:
			fc.len = 16;
			break;
		case 14:
			fc.len = 31;
			break;
		default:
			fc.f_ctl &= ~F_FIRST;
		}
		send_fc(p, &fc);
		snprintf((char *)buf, sizeof(buf), "a request with wrong header %u", i);
		unanswered(p, (char *)buf);
	}
	c = conn_new("nobody");
	refused(p, &c, MODE_CLIENT, NOT_WAITING);
}

/* The frames of a request in the order of @order, each of @room bytes */
static void send_pieces(struct peer *p, struct conn *c, const uint8_t *order, unsigned int room)
{
	const struct iu iu = rqst_of(c, MODE_CLIENT);
	unsigned int i, pos, n = (iu.len + room - 1) / room;
	uint8_t buf[MFS];
	struct fc fc;

	c->x = xchg_open(p);
	for (i = 0; i < n; i++) {
		pos = order[i] * room;
		c->x.sent = order[i];
		c->x.sent_bytes = pos;
		fc = frame_of(p, &c->x, &iu, pos, iu.len - pos < room ? iu.len - pos : room, buf);
		send_fc(p, &fc);
	}
	c->x.sent = n;
	c->x.sent_bytes = iu.len;
	c->x.sequences = 1;
}

/* RESP1 comes in several frames, too: see await_iu() */
static void do_pieces(struct peer *p)
{
	static const uint8_t in_order[] = { 0, 1, 2, 3, 4, 5 };
	unsigned int room;
	struct conn c;

	for (room = 64; room < CONN_LEN; room *= 2) {
		c = conn_new("nobody");
		send_pieces(p, &c, in_order, room);
		conn_finish(p, &c, NOT_WAITING);
	}
	/* 596 bytes, which CONN_INFO does not announce */
	c = conn_new("nobody");
	c.len = CONN_LEN + CONN_INFO_LEN;
	send_pieces(p, &c, in_order, 256);
	conn_finish(p, &c, REJECT_PROTOCOL);
}

/* Of a port without order; the same frames are an error of one with order, FC-VI 8.5.2 */
static void do_shuffled(struct peer *p)
{
	static const uint8_t orders[][6] = {
		{ 0, 1, 2, 3, 5, 4 }, { 5, 4, 3, 2, 1, 0 }, { 1, 0, 3, 2, 5, 4 },
	};
	unsigned int i;
	struct conn c;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		c = conn_new("nobody");
		send_pieces(p, &c, orders[i], 64);
		conn_finish(p, &c, NOT_WAITING);
	}
}

/* A request that the network has doubled is one request, VI-ARCH 4.1 */
static void do_doubled(struct peer *p)
{
	struct conn c = conn_new("nobody");
	struct xchg first;
	struct iu iu;

	send_rqst(p, &c, MODE_CLIENT);
	first = c.x;
	first.sent = 0;
	first.sent_bytes = 0;
	first.sequences = 0;
	iu = rqst_of(&c, MODE_CLIENT);
	send_iu(p, &first, &iu);
	conn_finish(p, &c, NOT_WAITING);
	unanswered(p, "a request that came twice");
}

static void do_disorder(struct peer *p)
{
	static const uint8_t orders[][6] = {
		{ 0, 1, 2, 3, 5, 4 }, { 5, 4, 3, 2, 1, 0 }, { 0, 2, 1, 3, 4, 5 },
		{ 0, 0, 1, 2, 3, 5 },
	};
	unsigned int i;
	struct conn c;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		c = conn_new("nobody");
		send_pieces(p, &c, orders[i], 64);
		unanswered(p, "a request in frames without order");
	}
	c = conn_new("nobody");
	refused(p, &c, MODE_CLIENT, NOT_WAITING);
}

/* FC-VI 6.12, 6.13, annex D */
static void do_unknown(struct peer *p)
{
	static const uint8_t flags[] = { 0, VI_APP, SETUP_ABORT, VI_APP | SETUP_ABORT };
	static const uint32_t handles[] = { 0, 1, 0x7fffffff, NO_HANDLE };
	unsigned int i, k;
	struct iu iu;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		for (k = 0; k < ARRAY_SIZE(handles); k++) {
			iu = disconnect_of(flags[i], handles[k], 0x5000 + k,
					   k & 1 ? END_SETUP : 0);
			iu.msg_id = k * 1000;
			disconnect(p, &iu, END_UNKNOWN, NO_HANDLE, 0);
		}
	}
}

static void do_given_up(struct peer *p)
{
	struct conn c;
	struct iu iu;

	/* By a Disconnect: after it there is no setup any more */
	pending(p, &c);
	iu = disconnect_of(SETUP_ABORT | VI_APP, NO_HANDLE, c.id, 0);
	disconnect(p, &iu, END_ACCEPT, c.ours, 0);
	disconnect(p, &iu, END_UNKNOWN, NO_HANDLE, 0);
	iu = resp2_of(&c, ACCEPT);
	not_resp2(p, &c, &iu, "RESP2 of a setup that was given up");
	/* By ABTS, FC-VI 8.5.3 */
	pending(p, &c);
	abort_xchg(p, &c.x);
	iu = resp2_of(&c, ACCEPT);
	not_resp2(p, &c, &iu, "RESP2 of a setup that was aborted");
	/* And before the request is complete */
	c = conn_new("nobody");
	c.x = xchg_open(p);
	c.x.sent = 1;
	abort_xchg(p, &c.x);
	/* RESP2 may say that the originator waits no longer */
	pending(p, &c);
	send_resp2(p, &c, TIMEOUT);
	await_resp3(p, &c, ACCEPT);
	unanswered(p, "RESP2 with a status");
}

const struct step nobody_steps[] = {
	{ "login", do_login, NULL, 0 },
	{ "nobody", do_nobody, NULL, 0 },
	{ "reserved", do_reserved, NULL, 0 },
	{ "malformed", do_malformed, NULL, 0 },
	{ "late", do_late, NULL, 0 },
	{ "strays", do_strays, NULL, 0 },
	{ "pieces", do_pieces, NULL, 256 },
	{ "shuffled", do_shuffled, NULL, 0 },
	{ "doubled", do_doubled, NULL, 0 },
	{ "disorder", do_disorder, NULL, 0 },
	{ "unknown", do_unknown, NULL, 0 },
	{ "given-up", do_given_up, NULL, 0 },
	{ }
};
