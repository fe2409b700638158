// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of FC-VI that are nearly right, on connections that stand: Messages, answers, setups and
 * Disconnects whose fields, frames and order are changed here and there.
 *
 * In turns: all that the user has goes away, and what is set up anew has to be right in each field.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "fuzz.h"
#include "link.h"

/* Frames of a turn, and of one IU */
#define TURN		150
#define FRAMES		4

#define LINKS		RR

static uint64_t state;

static uint32_t below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % limit;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

/* A bit, a byte, or a number near the old one */
static uint32_t other(uint32_t value, unsigned int bits)
{
	switch (below(4)) {
	case 0:
		return value ^ 1U << below(bits);
	case 1:
		return value + below(5) - 2;
	case 2:
		return below(bits > 30 ? 1U << 30 : 1U << bits);
	default:
		return one_in(2) ? 0 : ~0U;
	}
}

static void change(struct peer *p, struct fc *fc, uint8_t *buf)
{
	unsigned int at;

	switch (below(13)) {
	case 0:
		fc->f_ctl = other(fc->f_ctl, 24) & 0xfffffc;
		break;
	case 1:
		fc->seq_cnt = other(fc->seq_cnt, 16);
		break;
	case 2:
		fc->param = other(fc->param, 32);
		break;
	case 3:
		fc->ox_id = p->ox_id - below(16);
		break;
	case 4:
		fc->rx_id = other(fc->rx_id, 16);
		break;
	case 5:
		fc->df_ctl = below(4);
		break;
	case 6:
		fc->r_ctl = below(8);
		break;
	case 7:
		fc->cs_ctl ^= PREF;
		break;
	case 8:
		fc->seq_id = below(256);
		break;
	case 9:
		fc->len = below(fc->len + 1);
		break;
	default:
		/* Of the Device_Header, or of a payload that has a format */
		at = 4 * below(fc->len > 340 ? 88 : 8);
		put(buf + at, 4, other(get(buf + at, 4), 32));
	}
	if (one_in(16))
		fc->r_ctl = one_in(2) ? R_ABTS : R_BA_ACC;
	if (fc->r_ctl >= 0x80)
		fc->type = TYPE_BLS;
}

/* The frames of an IU: some are lost, come twice, or change places with the next */
static unsigned int send_wild(struct peer *p, struct xchg *x, const struct iu *iu)
{
	unsigned int room = one_in(2) ? ROOM : 4 * (1 + below(64)), pos = 0, len, n = 0, i;
	static uint8_t buf[FRAMES][MFS];
	struct fc fc[FRAMES], swap;

	do {
		len = n + 1 < FRAMES && iu->len - pos > room ? room : iu->len - pos;
		if (len > ROOM)
			len = ROOM;
		fc[n] = frame_of(p, x, iu, pos, len, buf[n]);
		if (one_in(4))
			change(p, &fc[n], buf[n]);
		x->sent++;
		x->sent_bytes += len;
		pos += len;
	} while (++n < FRAMES && pos < iu->len);
	x->sequences++;
	if (n > 1 && one_in(8)) {
		i = below(n - 1);
		swap = fc[i];
		fc[i] = fc[i + 1];
		fc[i + 1] = swap;
	}
	for (i = 0; i < n; i++) {
		if (one_in(16))
			continue;
		send_fc(p, &fc[i]);
		if (one_in(32))
			send_fc(p, &fc[i]);
	}
	return n;
}

static unsigned int any_message(struct link *l)
{
	static const uint8_t ops[] = { SEND_RQST, WRITE_RQST, READ_RQST };
	uint8_t op = ops[below(3)];
	struct iu iu = rdma(l, op, below(REGION), below(3) ? below(200) : below(3 * ROOM));
	struct xchg x = xchg_open(l->p);
	unsigned int sent = 0, parts = one_in(4) ? 2 : 1;

	if (one_in(2)) {
		iu.va = va_of(l->u, TARGET);
		iu.flags = one_in(2) ? IMM_DATA : 0;
	}
	if (one_in(8))
		l->msg_id += below(3) - 1;
	while (parts--) {
		if (parts)
			iu.end = 0;
		else
			iu.end = op_end(op, one_in(8) ? l->level != RR : l->level == RR);
		sent += send_wild(l->p, &x, &iu);
	}
	return sent;
}

static unsigned int any_setup(struct link *l)
{
	struct conn c = conn_new(one_in(2) ? "server" : "nobody");
	struct iu iu;

	switch (below(4)) {
	case 0:
		c.ours = one_in(2) ? l->c.ours : c.ours;
		c.retry = one_in(2);
		put(c.payload + AT_HANDLE, 4, c.ours);
		iu = rqst_of(&c, one_in(4) ? below(32) : MODE_CLIENT);
		break;
	case 1:
		iu = resp2_of(&l->c, one_in(4) ? below(256) : ACCEPT);
		c.x = l->c.x;
		return send_wild(l->p, &c.x, &iu);
	case 2:
		/* Connections that end are of no use to what follows */
		if (!one_in(8))
			return 0;
		iu = disconnect_of(VI_APP, l->c.theirs, 0, 0);
		break;
	default:
		iu = disconnect_of(below(8), one_in(2) ? NO_HANDLE : below(64), below(1 << 20), 0);
	}
	c.x = xchg_open(l->p);
	return send_wild(l->p, &c.x, &iu);
}

/* What comes is answered, more or less */
static unsigned int any_answer(struct link *l)
{
	struct iu iu, resp;
	struct xchg x;

	if (!comes_new(l->p, &x, &iu))
		return 0;
	resp = response_to(l, &iu, one_in(8) ? below(16) : 0);
	if (iu.op == DISCONNECT_RQST)
		resp.op = DISCONNECT_RESP;
	if (iu.op == READ_RQST) {
		resp.va = iu.va;
		resp.va_handle = iu.va_handle;
		resp.last = iu.last;
		resp.data = pattern();
		resp.len = iu.last > FRAMES * ROOM ? FRAMES * ROOM : iu.last;
	}
	return send_wild(l->p, &x, &resp);
}

/* The user has something to do on each connection */
static void busy(struct link *l)
{
	unsigned int i;

	for (i = 0; i < 12; i++)
		user_post_recv(l->u, l->vi, i * CAP, CAP);
	for (i = 0; i < 4; i++) {
		user_post(l->u, l->vi, i & 1 ? OP_SEND : OP_WRITE, TARGET, 1000 * i, 0, 0, 0);
		if (l->level != UD)
			user_post(l->u, l->vi, OP_READ, TARGET, 1000 * i, 0, 0, 0);
	}
}

static unsigned long turn(struct peer *p)
{
	unsigned long sent = 0, next = 0;
	struct link links[LINKS], *l;
	struct user u;
	unsigned int i;

	drain(p, 0);
	/* The other port forgets who is silent for too long */
	send_vn2vn(p, VN_BEACON, all_vn2vn);
	user_open(&u, "a", "veth0");
	for (i = 0; i < LINKS; i++) {
		link_open(&links[i], p, &u, UD + i);
		busy(&links[i]);
	}
	user_listen(&u, "server");
	while (sent < TURN) {
		l = &links[below(LINKS)];
		switch (below(8)) {
		case 0:
			sent += any_setup(l);
			break;
		case 1:
		case 2:
			sent += any_answer(l);
			break;
		default:
			sent += any_message(l);
		}
		/* The queues of the other port take all of it */
		if (sent >= next) {
			usleep(2000);
			next = sent + 16;
		}
	}
	close(u.fd);
	munmap(u.mem, REGION);
	return sent;
}

void fuzz(struct peer *p, unsigned int seconds, uint64_t seed)
{
	uint64_t end = now_ms() + 1000 * seconds;
	unsigned long sent = 0, turns = 0;

	state = seed;
	if (!state && getrandom(&state, sizeof(state), 0) < 0)
		err(1, "getrandom");
	printf("seed %llu\n", (unsigned long long)state);
	fflush(stdout);
	do {
		sent += turn(p);
		turns++;
	} while (now_ms() < end);
	printf("%lu frames in %lu turns\n", sent, turns);
}
