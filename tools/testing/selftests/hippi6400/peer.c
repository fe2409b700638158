// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

#define PRESET	0xffff

/* The port violated the protocol.  The first violation is reported. */
static void breach(struct peer *peer, const struct upkt *upkt, const char *format, ...)
{
	va_list args;

	if (peer->wrong[0])
		return;
	va_start(args, format);
	vsnprintf(peer->wrong, sizeof(peer->wrong), format, args);
	va_end(args);
	print_upkt(peer->wrong, upkt);
}

static unsigned int seq_sub(__u8 a, __u8 b)
{
	return (a + SEQ_MOD - b) % SEQ_MOD;
}

void peer_start_over(struct peer *peer)
{
	unsigned int vc;

	peer->next = 0;
	peer->una = 0;
	peer->any_acked = false;
	peer->expect = 0;
	peer->rseq = SEQ_NONE;
	peer->told = SEQ_NONE;
	peer->last_rseq = SEQ_NONE;
	peer->done = -1;
	for (vc = 0; vc < VCS; vc++) {
		peer->credit[vc] = 0;
		peer->granted[vc] = 0;
		peer->port_credit[vc] = 0;
		peer->msg[vc].busy = false;
	}
}

bool peer_open(struct peer *peer, unsigned int port)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/kernel/debug/hippi6400_emu/port%u/line", port);
	peer->line = open(path, O_RDWR | O_CLOEXEC);
	if (peer->line < 0) {
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
		return false;
	}
	peer->in_count = 0;
	peer->in_next = 0;
	peer->open = false;
	peer->accept = true;
	peer->ack = true;
	peer->repeats = 0;
	peer->nulls = 0;
	peer->wrong[0] = 0;
	peer_start_over(peer);
	return true;
}

void peer_close(struct peer *peer)
{
	close(peer->line);
}

static void look_at_rseq(struct peer *peer, const struct upkt *upkt, __u8 rseq)
{
	unsigned int acked;

	peer->last_rseq = rseq;
	if (rseq == SEQ_NONE) {
		if (peer->any_acked)
			breach(peer, upkt, "RSEQ x'FF' after something was acknowledged");
		return;
	}
	acked = (seq_sub(rseq, peer->una) + 1) % SEQ_MOD;
	if (acked > seq_sub(peer->next, peer->una)) {
		breach(peer, upkt, "RSEQ %u, expected %u to %u", rseq,
		       (peer->una + SEQ_MOD - 1) % SEQ_MOD, (peer->next + SEQ_MOD - 1) % SEQ_MOD);
		return;
	}
	peer->una = (peer->una + acked) % SEQ_MOD;
	if (acked)
		peer->any_acked = true;
}

static void look_at_header(struct peer *peer, const struct upkt *upkt, struct assembly *msg)
{
	static const __u8 snap[] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	const __u8 *b = upkt->byte;
	__u32 m_len = (__u32)b[12] << 24 | b[13] << 16 | b[14] << 8 | b[15];

	if (msg->busy)
		breach(peer, upkt, "Header before the TAIL of the last Message");
	if (m_len < SNAP_SIZE || m_len - SNAP_SIZE > FRAME_MAX - ETH_HEADER) {
		breach(peer, upkt, "M_len %u", m_len);
		m_len = SNAP_SIZE;
	}
	if (memcmp(b + 16, snap, sizeof(snap)))
		breach(peer, upkt, "wrong LLC/SNAP header");
	memcpy(msg->frame, b, 12);
	memcpy(msg->frame + 12, b + 22, 2);
	msg->size = ETH_HEADER + m_len - SNAP_SIZE;
	msg->have = ETH_HEADER;
	msg->ecrc = PRESET;
	msg->busy = true;
}

static void look_at_message(struct peer *peer, const struct upkt *upkt, const struct control *c)
{
	bool header = c->type == TYPE_HEADER;
	unsigned int at = header ? UPKT_DATA - HEADER_PAYLOAD : 0, i;
	struct assembly *msg = &peer->msg[c->vc];

	if (header)
		look_at_header(peer, upkt, msg);
	else if (!msg->busy)
		breach(peer, upkt, "Data outside any Message");
	if (!msg->busy)
		return;

	for (i = at; i < UPKT_DATA; i++) {
		if (msg->have < msg->size)
			msg->frame[msg->have++] = upkt->byte[i];
		else if (upkt->byte[i])
			breach(peer, upkt, "padding is not zero");
	}
	msg->ecrc = ecrc_of(msg->ecrc, upkt);
	if (get_ecrc(upkt) != msg->ecrc)
		breach(peer, upkt, "ECRC %04x, expected %04x", get_ecrc(upkt), msg->ecrc);
	if (c->error && c->tail && peer->may_cut) {
		msg->busy = false;
		peer->cut++;
		return;
	}
	if (c->error)
		breach(peer, upkt, "ERROR is set");
	if (c->tail && msg->have < msg->size)
		breach(peer, upkt, "TAIL with %zu of %zu bytes", msg->have, msg->size);
	if (!c->tail && msg->have == msg->size)
		breach(peer, upkt, "no TAIL with all %zu bytes", msg->size);
	if (!c->tail)
		return;
	msg->busy = false;
	peer->done = c->vc;
}

static void look_at_credit(struct peer *peer, const struct upkt *upkt, const struct control *c)
{
	peer->granted[c->vcr] += c->cr;
	peer->credit[c->vcr] += c->cr;
	if (peer->credit[c->vcr] > POOL)
		breach(peer, upkt, "%u credits granted, expected %u at most",
		       peer->credit[c->vcr], POOL);
	if (c->type != TYPE_HEADER && c->type != TYPE_DATA && c->type != TYPE_ADMIN)
		return;
	if (!peer->port_credit[c->vc])
		breach(peer, upkt, "sent without credit");
	else
		peer->port_credit[c->vc]--;
}

/* In order, a repetition, or after a gap; far ahead means behind. */
static bool look_at_tseq(struct peer *peer, const struct upkt *upkt, __u8 tseq)
{
	unsigned int ahead = seq_sub(tseq, peer->expect);

	if (tseq == SEQ_NONE) {
		breach(peer, upkt, "TSEQ x'FF' in a sequenced micropacket");
		return false;
	}
	if (ahead) {
		peer->repeats++;
		if (ahead < SEQ_MOD / 2)
			breach(peer, upkt, "TSEQ %u, expected %u", tseq, peer->expect);
		return false;
	}
	peer->rseq = tseq;
	peer->expect = (tseq + 1) % SEQ_MOD;
	return true;
}

static void look_outside(struct peer *peer, const struct upkt *upkt, const struct control *c)
{
	static const __u8 zero[UPKT_DATA];

	if (get_ecrc(upkt) != ecrc_of(PRESET, upkt))
		breach(peer, upkt, "ECRC %04x, expected %04x", get_ecrc(upkt),
		       ecrc_of(PRESET, upkt));
	if (c->type != TYPE_ADMIN && memcmp(upkt->byte, zero, sizeof(zero)))
		breach(peer, upkt, "data bytes outside any Message");
}

static void look_at(struct peer *peer, const struct upkt *upkt)
{
	struct control c = control_of(upkt);
	bool message = c.type == TYPE_HEADER || c.type == TYPE_DATA;
	bool sequenced = is_sequenced(&c);

	peer->done = -1;
	if (!lcrc_right(upkt)) {
		breach(peer, upkt, "wrong LCRC");
		return;
	}
	if (c.type > TYPE_ADMIN && (c.type < TYPE_RESET || c.type > TYPE_INIT_ACK))
		breach(peer, upkt, "reserved TYPE");
	if (!message)
		look_outside(peer, upkt, &c);
	if (!sequenced && c.tseq != SEQ_NONE)
		breach(peer, upkt, "TSEQ %u where nothing is sequenced", c.tseq);
	if (c.type >= TYPE_RESET) {
		if (c.cr)
			breach(peer, upkt, "credit in link control");
		return;
	}
	if (!peer->open) {
		breach(peer, upkt, "nothing but link control may come");
		return;
	}
	look_at_rseq(peer, upkt, c.rseq);
	peer->nulls += !sequenced;
	if (!sequenced || !peer->accept || !look_at_tseq(peer, upkt, c.tseq))
		return;
	look_at_credit(peer, upkt, &c);
	if (message)
		look_at_message(peer, upkt, &c);
}

/* Time left, or 0; never negative, with which poll() would wait forever. */
static int left(long long end)
{
	long long ms = end - now_ms();

	return ms > 0 ? ms : 0;
}

static bool wait_line(struct peer *peer, int ms)
{
	struct pollfd p = { .fd = peer->line, .events = POLLIN };
	long long end = now_ms() + ms;

	do {
		if (poll(&p, 1, left(end)) == 1 && (p.revents & POLLIN))
			return true;
		/* While the port drives nothing, poll() does not wait. */
		if (p.revents & POLLHUP)
			usleep(1000);
	} while (left(end));
	return false;
}

static bool fill(struct peer *peer, int ms)
{
	ssize_t len;

	if (!wait_line(peer, ms))
		return false;
	len = read(peer->line, peer->in, sizeof(peer->in));
	if (len <= 0 || len % UPKT_SIZE) {
		fprintf(stderr, "# line: read %zd: %s\n", len, strerror(errno));
		return false;
	}
	peer->in_count = len / UPKT_SIZE;
	peer->in_next = 0;
	return true;
}

bool peer_read(struct peer *peer, struct upkt *upkt, int ms)
{
	if (peer->in_next == peer->in_count) {
		if (peer->open && peer->ack && peer->told != peer->rseq)
			peer_say(peer, TYPE_NULL);
		if (!fill(peer, ms))
			return false;
	}
	*upkt = peer->in[peer->in_next++];
	look_at(peer, upkt);
	return true;
}

bool peer_wait(struct peer *peer, enum type type, struct upkt *upkt)
{
	long long end = now_ms() + SOON_MS;
	struct upkt other;

	if (!upkt)
		upkt = &other;
	while (peer_read(peer, upkt, left(end)))
		if (control_of(upkt).type == type)
			return true;
	fprintf(stderr, "# nothing of TYPE %d in %d ms\n", type, SOON_MS);
	return false;
}

ssize_t peer_frame(struct peer *peer, unsigned int *vc, __u8 **frame)
{
	long long end = now_ms() + SOON_MS;
	struct upkt upkt;

	while (peer_read(peer, &upkt, left(end))) {
		if (peer->done < 0)
			continue;
		*vc = peer->done;
		*frame = peer->msg[peer->done].frame;
		return peer->msg[peer->done].size;
	}
	fprintf(stderr, "# no Message in %d ms\n", SOON_MS);
	return -1;
}

unsigned int peer_listen(struct peer *peer, int ms)
{
	long long end = now_ms() + ms;
	unsigned int sequenced = 0;
	struct control c;
	struct upkt upkt;

	while (peer_read(peer, &upkt, left(end))) {
		c = control_of(&upkt);
		sequenced += is_sequenced(&c);
	}
	return sequenced;
}

bool peer_carrier(struct peer *peer, struct port *port, bool carrier)
{
	long long end = now_ms() + SOON_MS;
	struct upkt upkt;

	while (port_has_carrier(port) != carrier) {
		if (now_ms() > end) {
			fprintf(stderr, "# %s %s a carrier after %d ms\n", port->dev,
				carrier ? "is without" : "has", SOON_MS);
			return false;
		}
		peer_read(peer, &upkt, 1);
	}
	return true;
}

bool peer_write(struct peer *peer, const struct upkt *upkts, unsigned int count)
{
	ssize_t len = count * sizeof(*upkts), done = write(peer->line, upkts, len);

	if (done == len)
		return true;
	fprintf(stderr, "# line: wrote %zd of %zd bytes: %s\n", done, len, strerror(errno));
	return false;
}

bool peer_say(struct peer *peer, enum type type)
{
	struct upkt upkt = outside(type, peer->rseq);

	seal(&upkt);
	peer->told = peer->rseq;
	return peer_write(peer, &upkt, 1);
}

bool peer_send_uncredited(struct peer *peer, struct upkt *upkt)
{
	struct control c = control_of(upkt);
	long long end = now_ms() + SOON_MS;
	struct upkt other;

	while (seq_sub(peer->next, peer->una) >= WINDOW) {
		if (!peer_read(peer, &other, left(end))) {
			fprintf(stderr, "# the port does not acknowledge TSEQ %u\n", peer->una);
			return false;
		}
	}
	c.tseq = peer->next;
	c.rseq = peer->rseq;
	set_control(upkt, &c);
	seal(upkt);
	peer->told = peer->rseq;
	peer->next = (peer->next + 1) % SEQ_MOD;
	peer->port_credit[c.vcr] += c.cr;
	return peer_write(peer, upkt, 1);
}

bool peer_send(struct peer *peer, struct upkt *upkt)
{
	unsigned int vc = control_of(upkt).vc;
	long long end = now_ms() + SOON_MS;
	struct upkt other;

	while (!peer->credit[vc]) {
		if (!peer_read(peer, &other, left(end))) {
			fprintf(stderr, "# the port grants no credit on VC%u\n", vc);
			return false;
		}
	}
	peer->credit[vc]--;
	return peer_send_uncredited(peer, upkt);
}

bool peer_send_all(struct peer *peer, struct upkt *upkts, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!peer_send(peer, &upkts[i]))
			return false;
	return true;
}

bool peer_send_frame(struct peer *peer, unsigned int vc, const void *frame, size_t len)
{
	static struct upkt upkts[MESSAGE_MAX];

	return peer_send_all(peer, upkts, make_message(upkts, vc, frame, len));
}

bool peer_grant(struct peer *peer, unsigned int vc, unsigned int credits)
{
	struct control c = { .vc = vc, .type = TYPE_CREDIT, .vcr = vc };
	struct upkt upkt = outside(TYPE_CREDIT, SEQ_NONE);

	while (credits) {
		c.cr = credits < CR_MAX ? credits : CR_MAX;
		set_control(&upkt, &c);
		if (!peer_send_uncredited(peer, &upkt))
			return false;
		credits -= c.cr;
	}
	return true;
}

bool peer_settle(struct peer *peer)
{
	long long end = now_ms() + SOON_MS;
	struct upkt upkt;

	if (!peer_grant(peer, VCS - 1, 1))
		return false;
	while (peer->una != peer->next) {
		if (!peer_read(peer, &upkt, left(end))) {
			fprintf(stderr, "# TSEQ %u is not acknowledged after %d ms\n", peer->una,
				SOON_MS);
			return false;
		}
	}
	return true;
}

bool peer_reset(struct peer *peer)
{
	if (!peer_say(peer, TYPE_RESET) || !peer_wait(peer, TYPE_RESET_ACK, NULL))
		return false;
	peer->open = false;
	return true;
}

bool peer_connect(struct peer *peer)
{
	if (!peer_wait(peer, TYPE_RESET, NULL))
		return false;
	peer->open = false;
	if (!peer_say(peer, TYPE_RESET_ACK) || !peer_wait(peer, TYPE_INIT, NULL))
		return false;
	peer_start_over(peer);
	peer->open = true;
	return peer_say(peer, TYPE_INIT_ACK) && peer_say(peer, TYPE_INIT) &&
	       peer_wait(peer, TYPE_INIT_ACK, NULL);
}

bool peer_identify(struct peer *peer)
{
	static const __u8 body[] = {
		0x02, 0x64, 0x00, 0x00, 0x77, 0x01, 0, 1, 'p', 'e', 'e', 'r',
	};
	struct upkt upkt;

	if (!peer_grant(peer, ADMIN_VC, 1) || !peer_wait(peer, TYPE_ADMIN, &upkt))
		return false;
	upkt = make_admin(ADMIN_IDENTITY_IS, 24, admin_txn(&upkt));
	memcpy(upkt.byte + 8, body, sizeof(body));
	renew_ecrc(&upkt, 1);
	return peer_send(peer, &upkt) && peer_settle(peer);
}

bool peer_bring_up(struct peer *peer)
{
	unsigned int vc;

	if (!peer_connect(peer))
		return false;
	for (vc = 0; vc < VCS; vc++)
		while (peer->granted[vc] < POOL)
			if (!peer_wait(peer, TYPE_CREDIT, NULL))
				return false;
	return peer_identify(peer);
}
