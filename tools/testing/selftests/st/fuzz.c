// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "fuzz.h"

#define PEER_SHORT_ID	0x5507	/* where short records are Put to the peer */

/* xorshift64* */
static __u32 rnd(struct fuzz *f)
{
	f->rnd ^= f->rnd >> 12;
	f->rnd ^= f->rnd << 25;
	f->rnd ^= f->rnd >> 27;
	return f->rnd * 0x2545f4914f6cdd1dULL >> 32;
}

__u32 below(struct fuzz *f, __u32 n)
{
	return (__u64)rnd(f) * n >> 32;
}

bool one_in(struct fuzz *f, __u32 n)
{
	return !below(f, n);
}

void fill_junk(struct fuzz *f)
{
	int i;

	for (i = 0; i < LONGEST; i++)
		f->junk[i] = rnd(f);
}

__u32 value(struct fuzz *f)
{
	static const __u32 edges[] = {
		0, 1, 2, 7, 8, 10, 12, 16, 17, 20, 32, 33, 48, 49, 64, 0xff, 0x100, 0xfff, 0x1000,
		0xffff, 0x10000, 0xfffff, 0x100000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
	};

	switch (below(f, 8)) {
	case 0:
		return rnd(f);
	case 1:
	case 2:
	case 3:
		return edges[below(f, ARRAY_SIZE(edges))];
	case 4:
		return f->seen[below(f, SEEN)] + below(f, 3) - 1;
	default:
		return f->seen[below(f, SEEN)];
	}
}

/* Changes one field of an operation. */
static void mutate(struct fuzz *f, struct op *op)
{
	__u32 v = value(f);

	switch (below(f, 13)) {
	case 0:
		op->op = v & 31;
		break;
	case 1:
		op->flags = v & F_ALL;
		break;
	case 2:
		op->flags ^= 1 << below(f, 11);
		break;
	case 3:
		op->param = v;
		break;
	case 4:
		op->d_port = v;
		break;
	case 5:
		op->s_port = v;
		break;
	case 6:
		op->d_key = v;
		break;
	case 7:
		op->cksum = v;
		break;
	case 8:
		op->b_id = v;
		break;
	case 9:
		op->bufx = v;
		op->offset = value(f);
		break;
	case 10:
		op->sync = v;
		break;
	case 11:
		op->b_num = v;
		break;
	default:
		op->d_id = v;
		op->s_id = value(f);
	}
}

/* Half of the setup operations offer to accept short records, most of them correctly. */
static bool make_offer(struct fuzz *f, const struct op *op, __u8 *opt)
{
	if ((op->op != REQUEST_CONNECTION && op->op != CONNECTION_ANSWER) || one_in(f, 2))
		return false;
	short_offer(opt, one_in(f, 8) ? value(f) : PEER_SHORT_ID, value(f),
		    one_in(f, 4) ? value(f) : 256, value(f), one_in(f, 4) ? value(f) : 0);
	if (one_in(f, 8))
		opt[below(f, OPTIONAL_LEN)] = rnd(f);
	return true;
}

static bool put(struct fuzz *f, const struct op *op, size_t len)
{
	__u8 opt[OPTIONAL_LEN];
	struct op sent = *op;

	if (make_offer(f, op, opt)) {
		f->last = sent;
		f->sent++;
		return peer_send(&f->peer, &sent, opt, sizeof(opt));
	}
	if (sent.op != DATA && len && !one_in(f, 16))
		len = OPTIONAL_LEN;
	f->last = sent;
	f->sent++;
	return peer_send(&f->peer, &sent, f->junk, len);
}

bool say(struct fuzz *f, const struct op *right, size_t len)
{
	struct op op = *right;

	switch (below(f, 16)) {
	case 0:
		return true;
	case 1:
		return put(f, &op, len) && put(f, &op, len);
	case 2:
	case 3:
		mutate(f, &op);
		return put(f, &op, one_in(f, 4) ? below(f, LONGEST) : len);
	default:
		return put(f, &op, len);
	}
}

bool say_almost(struct fuzz *f)
{
	struct op op = f->last;

	mutate(f, &op);
	return put(f, &op, op.op == DATA ? below(f, LONGEST) : 0);
}

bool announce(struct fuzz *f)
{
	struct op op = vc_to(&f->line[below(f, LINES)], REQUEST_TO_SEND, F_CHANNEL_1);

	op.b_id = 8 + below(f, 12);
	op.b_num = one_in(f, 4) ? 0 : below(f, LONGEST);
	op.s_id = value(f);
	return say(f, &op, 0);
}

bool say_short(struct fuzz *f)
{
	int i = below(f, LINES);
	struct op op = vc_to(&f->line[i], DATA, F_SEND_STATE | F_LAST | F_CHANNEL_1);

	if (one_in(f, 8))
		op = vc_to(&f->line[i], REQUEST_STATE, 0);
	else
		op.b_id = SHORT_MX;
	op.sync = value(f);
	op.b_num = one_in(f, 8) ? f->shorts[i] : f->shorts[i]++;
	op.d_id = SHORT_ID;
	op.s_id = value(f);
	return say(f, &op, op.op == DATA ? below(f, SHORT_MAX + 8) : 0);
}

bool hang_up(struct fuzz *f)
{
	const struct vc *vc = &f->line[below(f, LINES)];
	struct op op = vc_to(vc, REQUEST_DISCONNECT, 0);

	op.offset = one_in(f, 8) ? vc->key : value(f);
	return say(f, &op, 0);
}

bool say_anything(struct fuzz *f)
{
	static const __u8 codes[] = {
		CONNECTION_ANSWER, REQUEST_MEMORY_REGION, MEMORY_REGION_AVAILABLE, GET,
		REQUEST_TO_SEND, REQUEST_ANSWER, REQUEST_TO_RECEIVE, CLEAR_TO_SEND, DATA,
		REQUEST_STATE, REQUEST_STATE_RESPONSE, END, END_ACK,
	};
	const struct vc *vc = &f->line[below(f, LINES)];
	struct op op = vc_to(vc, codes[below(f, ARRAY_SIZE(codes))], 0);

	op.flags = below(f, 2) ? F_CHANNEL_1 : value(f) & F_ALL;
	op.param = value(f);
	op.b_id = value(f);
	op.bufx = value(f);
	op.offset = value(f);
	op.sync = below(f, 2) ? 0 : value(f);
	op.b_num = value(f);
	op.d_id = value(f);
	op.s_id = value(f);
	return put(f, &op, op.op == DATA ? below(f, LONGEST) : 0);
}

bool say_bytes(struct fuzz *f)
{
	size_t len = below(f, 120), i;
	__u8 bytes[120];

	for (i = 0; i < len; i++)
		bytes[i] = rnd(f);
	f->sent++;
	return peer_send_raw(&f->peer, below(f, 4), bytes, len);
}

static struct vc *line_of(struct fuzz *f, __u16 port)
{
	int i;

	for (i = 0; i < LINES; i++)
		if (f->line[i].port == port)
			return &f->line[i];
	return NULL;
}

/* The Data of a cleared Block, up to a maximum */
static bool send_block(struct fuzz *f, const struct vc *vc, const struct op *cts)
{
	size_t left = below(f, 1 << (cts->param < 12 ? cts->param : 12)) + 1, at = 0, len;
	struct op op;
	__u16 stu;

	for (stu = 0; left; stu++) {
		len = below(f, left) + 1;
		left -= len;
		op = vc_stu(vc, cts, stu, at, left ? F_SILENT : F_LAST | F_SEND_STATE);
		at += len;
		if (!say(f, &op, len))
			return false;
	}
	return true;
}

static bool clear(struct fuzz *f, const struct vc *vc, const struct op *rts)
{
	struct op op = vc_to(vc, CLEAR_TO_SEND, 0);

	op.param = 8 + below(f, 8);
	op.b_id = value(f);
	op.bufx = value(f);
	op.b_num = one_in(f, 2) ? 0 : below(f, 8);
	op.d_id = rts->s_id;
	op.s_id = 0x100 + below(f, 4);
	return say(f, &op, 0);
}

static bool tell_state(struct fuzz *f, const struct vc *vc, const struct op *to)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = one_in(f, 4) ? value(f) : 100;
	op.offset = to->op == DATA ? to->b_num : value(f);
	op.sync = to->sync;
	op.b_num = to->b_num;
	op.d_id = to->op == DATA ? value(f) : to->s_id;
	op.s_id = to->d_id;
	if (to->op == DATA && to->d_id == PEER_SHORT_ID) {
		op.b_num = one_in(f, 4) ? NO_B_NUM : to->b_num;
		op.d_id = SHORT_ID;
	}
	if (to->op == REQUEST_STATE && to->d_id == NO_ID) {
		op.d_id = NO_ID;
		op.s_id = 0;
	}
	return say(f, &op, 0);
}

static bool answer(struct fuzz *f, const struct op *op)
{
	struct vc *vc = line_of(f, op->d_port);
	struct op to;

	if (!vc)
		return true;
	to = vc_to(vc, op->op + 1, 0);
	switch (op->op) {
	case REQUEST_CONNECTION:
		vc_learn(vc, op);
		to = vc_answer(vc);
		return say(f, &to, 0);
	case CONNECTION_ANSWER:
		if (!(op->flags & F_REJECT))
			vc_learn(vc, op);
		return true;
	case REQUEST_DISCONNECT:
	case DISCONNECT_ANSWER:
		to.offset = vc->key;
		return say(f, &to, 0);
	case REQUEST_TO_SEND:
		return clear(f, vc, op) && (one_in(f, 2) || clear(f, vc, op));
	case CLEAR_TO_SEND:
		return send_block(f, vc, op);
	case DATA:
		return !(op->flags & F_SEND_STATE) || tell_state(f, vc, op);
	case REQUEST_STATE:
		return tell_state(f, vc, op);
	case END:
		to.d_id = op->s_id;
		to.s_id = op->d_id;
		return say(f, &to, 0);
	}
	return true;
}

static void remember(struct fuzz *f, const struct op *op)
{
	const __u32 fields[] = {
		op->b_id, op->offset, op->sync, op->b_num, op->d_id, op->s_id, op->param, op->d_key,
	};

	f->seen[below(f, SEEN)] = fields[below(f, ARRAY_SIZE(fields))];
	f->seen[below(f, SEEN)] = op->s_id;
}

bool listen_and_answer(struct fuzz *f)
{
	struct msg *msg;
	bool ok = true;
	int data;

	for (data = 0; data < 2; data++) {
		while (ok && (msg = peer_next(&f->peer, data, 0))) {
			f->received++;
			remember(f, &msg->op);
			ok = answer(f, &msg->op);
			free(msg);
		}
	}
	return ok;
}
