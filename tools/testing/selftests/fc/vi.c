// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "vi.h"

/* Frames that have come before anybody asks for them */
#define BACKLOG		256

static struct frame backlog[BACKLOG];
static unsigned int waiting;

static const struct {
	uint8_t r_ctl;
	uint8_t dh;
	bool responder;
	bool empty;
	uint32_t end;
} ops[] = {
	[SEND_RQST] = { 0x01, 32, false, false, F_LAST },
	[WRITE_RQST] = { 0x01, 32, false, false, F_LAST },
	[READ_RQST] = { 0x06, 32, false, true, F_INITIATIVE },
	[SEND_RESP] = { 0x07, 16, true, true, F_LAST },
	[WRITE_RESP] = { 0x07, 16, true, true, F_LAST },
	[READ_RESP] = { 0x01, 32, true, false, F_LAST },
	[CONNECT_RQST] = { 0x02, 32, false, false, F_INITIATIVE },
	[DISCONNECT_RQST] = { 0x02, 32, false, true, F_INITIATIVE },
	[CONNECT_RESP1] = { 0x03, 32, true, false, F_INITIATIVE },
	[CONNECT_RESP2] = { 0x03, 32, false, true, F_INITIATIVE },
	[CONNECT_RESP3] = { 0x03, 32, true, true, F_LAST },
	[DISCONNECT_RESP] = { 0x03, 32, true, true, F_LAST },
};

uint8_t op_r_ctl(uint8_t op)
{
	return ops[op].r_ctl;
}

unsigned int op_dh(uint8_t op)
{
	return ops[op].dh;
}

/* FC-VI 5.8.4: a Send or RDMA Write with a Response passes Sequence Initiative */
uint32_t op_end(uint8_t op, bool response)
{
	return response && op <= WRITE_RQST ? F_INITIATIVE : ops[op].end;
}

struct xchg xchg_open(struct peer *p)
{
	return (struct xchg) {
		.ours = true, .ox_id = p->ox_id++, .rx_id = 0xffff,
		.seq_id = p->ox_id % SEQUENCES,
	};
}

unsigned int put_dh(uint8_t *to, const struct iu *iu)
{
	put(to, 4, iu->handle);
	to[4] = iu->op;
	to[5] = iu->flags;
	put(to + 6, 2, 0);
	put(to + 8, 4, iu->msg_id);
	put(to + 12, 4, iu->param);
	put(to + 16, 8, iu->va);
	put(to + 24, 4, iu->va_handle);
	put(to + 28, 4, iu->last);
	return ops[iu->op].dh;
}

struct fc frame_of(struct peer *p, struct xchg *x, const struct iu *iu, unsigned int pos,
		   unsigned int len, uint8_t *buf)
{
	unsigned int dh = put_dh(buf, iu);
	bool last = pos + len == iu->len, first = x->ours && !x->sequences;

	if (len)
		memcpy(buf + dh, iu->data + pos, len);
	return (struct fc) {
		.r_ctl = ops[iu->op].r_ctl, .d_id = p->their_id, .s_id = p->id, .type = TYPE_FCVI,
		.f_ctl = (x->ours ? 0 : F_RESPONDER) | (first ? F_FIRST : 0) |
			 (last ? F_END | iu->end : 0) | (iu->len ? F_OFFSET : 0),
		.seq_id = x->seq_id, .df_ctl = dh == 16 ? 1 : 2, .seq_cnt = x->sent,
		.ox_id = x->ox_id, .rx_id = x->rx_id, .param = len ? x->sent_bytes : 0,
		.data = buf, .len = dh + len, .sof = pos ? SOF_N3 : SOF_I3,
		.eof = last ? EOF_T : EOF_N,
	};
}

void send_iu(struct peer *p, struct xchg *x, const struct iu *iu)
{
	unsigned int room = (p->their_mfs - DH) & ~3, pos = 0, len;
	uint8_t buf[MFS];
	struct fc fc;

	do {
		len = iu->len - pos < room ? iu->len - pos : room;
		fc = frame_of(p, x, iu, pos, len, buf);
		send_fc(p, &fc);
		x->sent++;
		x->sent_bytes += len;
		pos += len;
	} while (pos < iu->len);
	x->sequences++;
	x->seq_id = (x->seq_id + 1) % SEQUENCES;
}

/* Frames of FC-VI, ABTS and the answers to it; the program answers others by itself */
static bool is_vi(const struct peer *p, const struct frame *f, struct fc *fc)
{
	if (memcmp(f->data, p->mac, MAC) || frame_type(f) != TYPE_FCOE)
		return false;
	fcoe_read(f, fc);
	return fc->type == TYPE_FCVI || fc->type == TYPE_BLS;
}

static bool take(struct peer *p, struct frame *f, struct fc *fc, unsigned int ms)
{
	uint64_t end = now_ms() + ms;

	for (;;) {
		uint64_t now = now_ms();

		if (!wire_take(&p->wire, f, now < end ? end - now : 0))
			return false;
		if (is_vi(p, f, fc))
			return true;
	}
}

static bool of_xchg(const struct fc *fc, const struct xchg *x)
{
	return fc->ox_id == x->ox_id && !(fc->f_ctl & F_RESPONDER) == !x->ours;
}

static bool is_new(const struct fc *fc, const struct xchg *x)
{
	(void)x;
	return fc->type == TYPE_FCVI && fc->f_ctl & F_FIRST && !fc->seq_cnt &&
	       !(fc->f_ctl & F_RESPONDER);
}

static bool is_vi_of(const struct fc *fc, const struct xchg *x)
{
	return fc->type == TYPE_FCVI && of_xchg(fc, x);
}

static bool is_abts_of(const struct fc *fc, const struct xchg *x)
{
	return fc->type == TYPE_BLS && fc->r_ctl == R_ABTS && fc->ox_id == x->ox_id;
}

static bool is_ba_of(const struct fc *fc, const struct xchg *x)
{
	return fc->type == TYPE_BLS && fc->r_ctl != R_ABTS && fc->ox_id == x->ox_id;
}

typedef bool wanted(const struct fc *fc, const struct xchg *x);

static bool take_waiting(struct peer *p, struct frame *f, struct fc *fc, wanted *is,
			 const struct xchg *x)
{
	unsigned int i;

	for (i = 0; i < waiting; i++) {
		if (!is_vi(p, &backlog[i], fc) || !is(fc, x))
			continue;
		*f = backlog[i];
		waiting--;
		memmove(&backlog[i], &backlog[i + 1], (waiting - i) * sizeof(*f));
		return is_vi(p, f, fc);
	}
	return false;
}

/* The first frame that is wanted, of those that wait and those that come */
static void find(struct peer *p, struct frame *f, struct fc *fc, wanted *is, const struct xchg *x,
		 const char *what)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	if (take_waiting(p, f, fc, is, x))
		return;
	while (now_ms() < end) {
		if (!take(p, f, fc, 100))
			continue;
		if (is(fc, x))
			return;
		if (waiting == BACKLOG)
			errx(1, "%s: %u other frames have come", what, waiting);
		backlog[waiting++] = *f;
	}
	if (waiting && is_vi(p, &backlog[0], fc))
		warnx("R_CTL 0x%02x, opcode 0x%02x has come", fc->r_ctl, fc->data[4]);
	errx(1, "%s: none in %u ms", what, PATIENCE_MS);
}

static void read_dh(const struct fc *fc, struct iu *iu)
{
	const uint8_t *dh = fc->data;
	unsigned int size = fc->df_ctl == 1 ? 16 : 32;

	if (fc->len < size)
		errx(1, "Device_Header: found %u bytes, expected %u", fc->len, size);
	*iu = (struct iu) {
		.handle = get(dh, 4), .op = dh[4], .flags = dh[5], .msg_id = get(dh + 8, 4),
		.param = get(dh + 12, 4),
	};
	zero("reserved bytes of the Device_Header", dh + 6, 2);
	if (size == 16)
		return;
	iu->va = get(dh + 16, 8);
	iu->va_handle = get(dh + 24, 4);
	iu->last = get(dh + 28, 4);
}

/* FC-VI 5.8, of a frame of an IU that has @len bytes so far */
static void check_frame(const struct peer *p, const struct xchg *x, const struct fc *fc,
			uint8_t op, unsigned int len, bool first_seq)
{
	unsigned int data = fc->len - ops[op].dh;
	bool end = fc->f_ctl & F_END;

	same("R_CTL", fc->r_ctl, ops[op].r_ctl);
	same("D_ID", fc->d_id, p->id);
	same("S_ID", fc->s_id, p->their_id);
	same("CS_CTL", fc->cs_ctl, x->cs_ctl);
	same("TYPE", fc->type, TYPE_FCVI);
	same("DF_CTL", fc->df_ctl, ops[op].dh == 16 ? 1 : 2);
	same("SEQ_CNT", fc->seq_cnt, x->got & 0xffff);
	same("Parameter", fc->param, data ? x->got_bytes : 0);
	same("F_CTL", fc->f_ctl & ~(F_END | F_LAST | F_INITIATIVE),
	     (ops[op].responder ? F_RESPONDER : 0) | (first_seq ? F_FIRST : 0) |
	     (data ? F_OFFSET : 0));
	if (!end)
		same("end of Exchange or Initiative before the end of the Sequence",
		     fc->f_ctl & (F_LAST | F_INITIATIVE), 0);
	same("SOF", fc->sof, len ? SOF_N3 : SOF_I3);
	same("EOF", fc->eof, end ? EOF_T : EOF_N);
	if (!end)
		same("bytes of a frame, modulo 4", data % 4, 0);
	if (ops[op].empty)
		same("payload of an IU without", data, 0);
	if (fc->len > p->mfs)
		errx(1, "found %u bytes in a frame, %u are agreed", fc->len, p->mfs);
	if (fc->seq_id == SEQ_ID_ELS)
		errx(1, "SEQ_ID of ELS in a frame of FC-VI");
}

/* The frames from @fc on, up to the end of the Sequence */
static void collect(struct peer *p, struct xchg *x, struct frame *f, struct fc *fc, uint8_t op,
		    struct iu *iu)
{
	static uint8_t payload[1 << 20];
	bool first_seq = !x->ours && !x->got;
	uint8_t dh[DH], seq_id = fc->seq_id;
	unsigned int len = 0, data;

	same("OPCODE", fc->len > 4 ? fc->data[4] : 0x100, op);
	memcpy(dh, fc->data, fc->len < ops[op].dh ? fc->len : ops[op].dh);
	for (;;) {
		check_frame(p, x, fc, op, len, first_seq);
		read_dh(fc, iu);
		same_bytes("Device_Header of the same IU", fc->data, dh, ops[op].dh);
		same("SEQ_ID", fc->seq_id, seq_id);
		if (x->rx_id != 0xffff || !x->ours)
			same("RX_ID", fc->rx_id, !x->ours && !x->sent ? 0xffff : x->rx_id);
		else
			x->rx_id = fc->rx_id;
		data = fc->len - ops[op].dh;
		if (len + data > sizeof(payload))
			errx(1, "found an IU of more than %zu bytes", sizeof(payload));
		memcpy(payload + len, fc->data + ops[op].dh, data);
		len += data;
		x->got++;
		x->got_bytes += data;
		if (fc->f_ctl & F_END)
			break;
		find(p, f, fc, is_vi_of, x, "frame of a Sequence");
	}
	iu->end = fc->f_ctl & (F_LAST | F_INITIATIVE);
	iu->data = payload;
	iu->len = len;
	if (op > WRITE_RQST && op != READ_RESP)
		same("end of the IU", iu->end, ops[op].end);
}

void await_iu(struct peer *p, struct xchg *x, uint8_t op, struct iu *iu)
{
	static struct frame f;
	char what[32];
	struct fc fc;

	snprintf(what, sizeof(what), "opcode 0x%02x", op);
	find(p, &f, &fc, is_vi_of, x, what);
	collect(p, x, &f, &fc, op, iu);
}

/* An Exchange of the other side */
static void begin(struct xchg *x, const struct fc *fc)
{
	static uint16_t rx_id = 0x4000;

	*x = (struct xchg) {
		.ox_id = fc->ox_id, .rx_id = rx_id++, .cs_ctl = fc->cs_ctl,
		.seq_id = rx_id % SEQUENCES,
	};
}

void await_new(struct peer *p, struct xchg *x, uint8_t op, struct iu *iu)
{
	static struct frame f;
	char what[48];
	struct fc fc;

	snprintf(what, sizeof(what), "new Exchange with opcode 0x%02x", op);
	find(p, &f, &fc, is_new, NULL, what);
	begin(x, &fc);
	same("RX_ID of a new Exchange", fc.rx_id, 0xffff);
	collect(p, x, &f, &fc, op, iu);
}

static void check_bls(const struct peer *p, const struct fc *fc)
{
	same("D_ID of BLS", fc->d_id, p->id);
	same("S_ID of BLS", fc->s_id, p->their_id);
	same("CS_CTL of BLS", fc->cs_ctl, 0);
	same("DF_CTL of BLS", fc->df_ctl, 0);
	/* ABTS may go on the last Sequence, or begin one */
	if (fc->r_ctl != R_ABTS || fc->sof != SOF_N3)
		same("SOF of BLS", fc->sof, SOF_I3);
	same("EOF of BLS", fc->eof, EOF_T);
}

static void accept_abort(struct peer *p, const struct xchg *x, const struct fc *fc)
{
	uint8_t payload[12] = { 0 };
	struct fc acc;

	check_bls(p, fc);
	same("context of ABTS", fc->f_ctl & F_RESPONDER, x->ours ? F_RESPONDER : 0);
	same("bytes of ABTS", fc->len, 0);
	put(payload + 4, 2, fc->ox_id);
	put(payload + 6, 2, fc->rx_id);
	put(payload + 10, 2, 0xffff);
	acc = request_of(p, payload, sizeof(payload));
	acc.r_ctl = R_BA_ACC;
	acc.type = TYPE_BLS;
	acc.f_ctl = F_BA ^ (fc->f_ctl & F_RESPONDER);
	acc.seq_id = fc->seq_id;
	acc.ox_id = fc->ox_id;
	acc.rx_id = fc->rx_id;
	send_fc(p, &acc);
}

void await_abort(struct peer *p, const struct xchg *x)
{
	static struct frame f;
	struct fc fc;

	find(p, &f, &fc, is_abts_of, x, "ABTS");
	accept_abort(p, x, &fc);
}

void allow_abort(struct peer *p, const struct xchg *x)
{
	static struct frame f;
	struct fc fc;

	while (waiting < BACKLOG && take(p, &f, &fc, 0))
		backlog[waiting++] = f;
	if (take_waiting(p, &f, &fc, is_abts_of, x))
		accept_abort(p, x, &fc);
}

void abort_xchg(struct peer *p, const struct xchg *x)
{
	static struct frame f;
	struct fc abts = request_of(p, NULL, 0), fc;

	abts.r_ctl = R_ABTS;
	abts.type = TYPE_BLS;
	abts.f_ctl = F_ABTS | (x->ours ? 0 : F_RESPONDER);
	abts.seq_id = x->seq_id;
	abts.ox_id = x->ox_id;
	abts.rx_id = x->rx_id;
	send_fc(p, &abts);
	find(p, &f, &fc, is_ba_of, x, "answer to ABTS");
	check_bls(p, &fc);
	same("answer to ABTS", fc.r_ctl, R_BA_ACC);
	same("bytes of the BA_ACC", fc.len, 12);
	same("OX_ID in the BA_ACC", get(fc.data + 4, 2), x->ox_id);
}

void silent(struct peer *p, const char *what)
{
	static struct frame f;
	struct fc fc;

	if (waiting) {
		f = backlog[0];
		is_vi(p, &f, &fc);
	} else if (!take(p, &f, &fc, 0)) {
		return;
	}
	errx(1, "%s: found R_CTL 0x%02x, OX_ID 0x%04x, opcode 0x%02x, expected nothing", what,
	     fc.r_ctl, fc.ox_id, fc.len > 4 ? fc.data[4] : 0);
}

bool comes(struct peer *p, const struct xchg *x, unsigned int ms)
{
	static struct frame f;
	uint64_t end = now_ms() + ms, now;
	struct fc fc;

	for (now = now_ms(); now < end; now = now_ms())
		if (take(p, &f, &fc, end - now) && is_vi_of(&fc, x))
			return true;
	return false;
}

bool comes_new(struct peer *p, struct xchg *x, struct iu *iu)
{
	static struct frame f;
	struct fc fc;

	while (take(p, &f, &fc, 0)) {
		if (!is_new(&fc, NULL) || fc.len < 16)
			continue;
		begin(x, &fc);
		read_dh(&fc, iu);
		return true;
	}
	return false;
}

void drain(struct peer *p, unsigned int ms)
{
	static struct frame f;
	uint64_t end = now_ms() + ms;
	struct fc fc;

	waiting = 0;
	do {
		while (take(p, &f, &fc, 0))
			;
	} while (now_ms() < end && take(p, &f, &fc, end - now_ms()));
}
