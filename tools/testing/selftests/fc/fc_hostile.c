// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fc_hostile DEVICE WWPN frames COUNT
 *        fc_hostile DEVICE WWPN crowd COUNT
 *        fc_hostile DEVICE WWPN claims COUNT
 *        fc_hostile DEVICE WWPN logins COUNT
 *        fc_hostile DEVICE WWPN farps COUNT
 *        fc_hostile DEVICE WWPN sequences COUNT
 *        fc_hostile DEVICE WWPN fuzz SECONDS SEED
 *
 * A VN_Port as fc_peer has it, which logs in with the only other port on the wire, and means no
 * good.
 *
 * frames: sends each kind of wrong frame that often, and prints which counter of the other port
 * has to have grown by how much.
 * crowd: so many ports come, and want a login.
 * claims: claims the N_Port ID of the other, with a lower name.
 * logins: sends so many PLOGIs, and nothing else runs on CPU 0 meanwhile.
 * farps: asks for 10.77.0.1 so often, and answers no FARP-REPLY.
 * sequences: sends operations of ST by FC-LE: one that is too long, and one of so many frames, the
 * last of them first.
 * fuzz: sends frames that are nearly right; 0 as the seed chooses one.
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "peer.h"

/* Frames between two rests, so that the queues of the other take all of them */
#define BURST		16
#define REST_US		4000

#define KINDS_MAX	80

static struct peer peer;
static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % limit;
}

static bool one_in(uint32_t n)
{
	return !random_below(n);
}

static unsigned long figure(const char *text, unsigned long max)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);

	if (*end || end == text || value > max)
		errx(2, "found '%s', expected a number up to %lu", text, max);
	return value;
}

static void send_paced(const struct frame *f)
{
	static unsigned int sent;

	wire_send(&peer.wire, f);
	if (++sent % BURST == 0)
		usleep(REST_US);
}

static void header(struct frame *f, unsigned int at, unsigned int bytes, uint32_t value)
{
	put(f->data + ETH_HDR + FCOE_HDR + at, bytes, value);
	fcoe_crc(f);
}

static void cut(struct frame *f, unsigned int len)
{
	memmove(f->data + f->len - len - FCOE_END, f->data + f->len - FCOE_END, FCOE_END);
	f->len -= len;
	fcoe_crc(f);
}

/* Spoil a good ECHO request; the counter for it, or NULL when there are no more ways */
static const char *spoil_fcoe(struct frame *f, unsigned int how)
{
	uint8_t *sof = f->data + ETH_HDR + FCOE_HDR - 1;
	uint8_t *eof = f->data + f->len - FCOE_END + 4;
	static const uint8_t sofs[] = { 0x00, 0x28, 0x2f, 0x39, 0x3a, 0xff };
	static const uint8_t eofs[] = { 0x00, 0x44, 0x46, 0x4f, EOF_NI, EOF_A };

	if (how < sizeof(sofs)) {
		*sof = sofs[how];
		return "rx_delimiter";
	}
	how -= sizeof(sofs);
	if (how < sizeof(eofs)) {
		*eof = eofs[how];
		return "rx_delimiter";
	}
	switch (how - sizeof(eofs)) {
	case 0:
		*sof = SOF_I2;
		return "rx_class";
	case 1:
		*sof = SOF_N2;
		return "rx_class";
	case 2:
		header(f, 0, 1, R_ACK);
		return "rx_class";
	case 3:
		f->data[ETH_HDR] = 0x10;
		return "rx_version";
	case 4:
		f->len = ETH_HDR + FCOE_HDR + FC_HDR + FCOE_END - 1;
		return "rx_short";
	case 5:
		f->len = ETH_HDR;
		return "rx_short";
	case 6:
		f->data[ETH_HDR + FCOE_HDR + FC_HDR] ^= 0x80;
		return "rx_crc";
	case 7:
		f->data[f->len - FCOE_END] ^= 1;
		return "rx_crc";
	case 8:
		cut(f, 3);
		return "rx_length";
	case 9:
		header(f, 13, 1, 0x40);
		return "rx_length";
	case 10:
		header(f, 13, 1, 0x03);
		return "rx_length";
	case 11:
		cut(f, 8);
		header(f, 11, 1, 3);
		return "rx_length";
	case 12:
		memset(f->data + ETH_HDR + FCOE_HDR + FC_HDR, 0, MFS + 4 + FCOE_END);
		f->len = ETH_HDR + FCOE_SIZE(MFS + 4);
		f->data[f->len - FCOE_END + 4] = EOF_T;
		fcoe_crc(f);
		return "rx_length";
	case 13:
		header(f, 1, 3, peer.their_id ^ 0x8000);
		return "rx_d_id";
	case 14:
		header(f, 0, 1, R_DATA);
		header(f, 1, 3, 0xffffff);
		return "rx_d_id";
	case 15:
		header(f, 5, 3, peer.id ^ 1);
		return "rx_s_id";
	case 16:
		memcpy(f->data + MAC, peer.enode, MAC);
		return "rx_s_id";
	case 17:
		header(f, 8, 1, 0x7f);
		return "rx_type";
	case 18:
		header(f, 0, 1, R_DATA);
		header(f, 8, 1, 0x7f);
		return "rx_type";
	case 19:
		header(f, 0, 1, 0x52);
		return "rx_r_ctl";
	case 20:
		header(f, 0, 1, 0x8f);
		return "rx_r_ctl";
	case 21:
		header(f, 0, 1, R_REPLY);
		f->data[ETH_HDR + FCOE_HDR + FC_HDR] = ACC;
		header(f, 9, 3, F_REPLY);
		return "rx_xid";
	case 22:
		*sof = SOF_N3;
		return "els_bad";
	case 23:
		*eof = EOF_N;
		return "els_bad";
	case 24:
		header(f, 9, 3, F_REQUEST & ~0x080000);
		return "els_bad";
	case 25:
		header(f, 9, 3, F_REQUEST | 0x800000);
		return "els_bad";
	case 26:
		header(f, 0, 1, 0x2f);
		return "els_bad";
	case 27:
		header(f, 1, 3, 0xffffff);
		return "els_bad";
	case 28:
		cut(f, 8);
		return "els_bad";
	default:
		return NULL;
	}
}

static uint8_t *desc_at(struct frame *f, unsigned int index)
{
	uint8_t *desc = f->data + ETH_HDR + FIP_HDR;

	while (index--)
		desc += 4 * desc[1];
	return desc;
}

/* Spoil a good Claim in the same way */
static const char *spoil_fip(struct frame *f, unsigned int how)
{
	uint8_t *hdr = f->data + ETH_HDR;

	switch (how) {
	case 0:
		hdr[0] = 0x20;
		return "fip_bad";
	case 1:
		put(hdr + 6, 2, 0xffff);
		return "fip_bad";
	case 2:
		put(hdr + 6, 2, get(hdr + 6, 2) + 1);
		return "fip_bad";
	case 3:
		put(hdr + 6, 2, 0);
		return "fip_bad";
	case 4:
		put(hdr + 6, 2, 10);
		return "fip_bad";
	case 5:
		f->len = ETH_HDR + FIP_HDR - 1;
		return "fip_bad";
	case 6:
		f->len = ETH_HDR + FIP_HDR + 40;
		return "fip_bad";
	case 7:
		desc_at(f, 0)[1] = 0;
		return "fip_bad";
	case 8:
		desc_at(f, 0)[1] = 255;
		return "fip_bad";
	case 9:
		desc_at(f, 0)[1] = 1;
		return "fip_bad";
	case 10:
		desc_at(f, 1)[0] = 100;
		return "fip_bad";
	case 11:
		desc_at(f, 1)[0] = DESC_FLOGI;
		return "fip_bad";
	case 12:
		memcpy(fip_add(f, DESC_MAC, 8) + 2, peer.enode, MAC);
		fip_end(f, 0);
		return "fip_bad";
	case 13:
		put(desc_at(f, 2) + 9, 3, 0);
		vn_mac(desc_at(f, 2) + 2, 0);
		return "fip_bad";
	case 14:
		put(desc_at(f, 2) + 9, 3, 0x010000 | peer.id);
		vn_mac(desc_at(f, 2) + 2, 0x010000 | peer.id);
		return "fip_bad";
	case 15:
		desc_at(f, 2)[2] ^= 4;
		return "fip_bad";
	case 16:
		put(desc_at(f, 2) + 12, 8, 0);
		return "fip_bad";
	case 17:
		put(desc_at(f, 1) + 4, 8, 0);
		return "fip_bad";
	case 18:
		desc_at(f, 0)[7] ^= 1;
		return "fip_bad";
	case 19:
		put(desc_at(f, 4) + 2, 2, 0);
		return "fip_bad";
	case 20:
		hdr[5] = VN_BEACON;
		return "fip_bad";
	case 21:
		hdr[5] = 9;
		return "fip_other";
	case 22:
		put(hdr + 2, 2, 0xfff8);
		return "fip_other";
	case 23:
		put(hdr + 8, 2, 0x0008);
		return "fip_other";
	case 24:
		f->data[5] = 2;
		return "fip_other";
	default:
		return NULL;
	}
}

static struct {
	const char *name;
	unsigned long count;
} expected[KINDS_MAX];

static void expect(const char *name, unsigned long count)
{
	unsigned int i;

	for (i = 0; expected[i].name && strcmp(expected[i].name, name); i++)
		;
	expected[i].name = name;
	expected[i].count += count;
}

static bool send_spoilt(unsigned int how, const char *(*spoil)(struct frame *f, unsigned int how),
			const struct frame *good, unsigned long count)
{
	struct frame f = *good;
	const char *name = spoil(&f, how);

	if (!name)
		return false;
	expect(name, count);
	while (count--)
		send_paced(&f);
	return true;
}

static void do_frames(char **args)
{
	unsigned long count = figure(args[0], 1000);
	uint8_t echo[8] = { ECHO };
	struct frame f;
	unsigned int how, i;
	struct fc fc = request_of(&peer, echo, sizeof(echo));

	fcoe_make(&f, peer.their_mac, peer.mac, &fc);
	for (how = 0; send_spoilt(how, spoil_fcoe, &f, count); how++)
		;
	make_vn2vn(&peer, &f, VN_CLAIM, all_vn2vn);
	for (how = 0; send_spoilt(how, spoil_fip, &f, count); how++)
		;
	/* A descriptor that is not critical harms nothing */
	fip_add(&f, 200, 8);
	fip_end(&f, 0);
	wire_send(&peer.wire, &f);
	await_vn2vn(&peer, &f, VN_CLAIM_RESPONSE);
	for (i = 0; expected[i].name; i++)
		printf("%s %lu\n", expected[i].name, expected[i].count);
}

/* Ports with N_Port IDs from 0x6000 on */
static struct peer one_of_many(unsigned int i)
{
	struct peer p = peer;

	p.id = 0x6000 + i;
	p.wwpn = 0x5000777700000000 | p.id;
	put(p.enode, MAC, 0x020fc1000000 | p.id);
	vn_mac(p.mac, p.id);
	return p;
}

static void do_crowd(char **args)
{
	unsigned long count = figure(args[0], 0x8000), i;
	struct frame f;
	struct peer p;

	for (i = 0; i < count; i++) {
		p = one_of_many(i);
		make_vn2vn(&p, &f, VN_CLAIM, all_vn2vn);
		send_paced(&f);
		make_vn2vn(&p, &f, VN_BEACON, all_vn2vn);
		send_paced(&f);
	}
}

static void do_claims(char **args)
{
	unsigned long count = figure(args[0], 100000);
	struct peer p = peer;
	struct frame f;

	p.id = peer.their_id;
	p.wwpn = 0x1000000000000001;
	vn_mac(p.mac, p.id);
	make_vn2vn(&p, &f, VN_CLAIM, all_vn2vn);
	while (count--)
		send_paced(&f);
}

/* The frames are received by softirqs of this process; what takes them from there has to wait */
static void take_cpu(void)
{
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) ||
	    sched_setscheduler(0, SCHED_FIFO, &first))
		err(1, "cannot have CPU 0");
}

static void do_logins(char **args)
{
	unsigned long count = figure(args[0], 100000);
	uint8_t payload[LOGIN_LEN];

	make_login(&peer, payload, PLOGI);
	take_cpu();
	while (count--)
		ask(&peer, payload, LOGIN_LEN);
}

static void do_farps(char **args)
{
	unsigned long count = figure(args[0], 100000);
	uint8_t payload[FARP_LEN];
	struct frame f;
	struct fc fc;

	make_farp(&peer, payload, FARP_REQ, 0x0a4d0001);
	fc = request_of(&peer, payload, FARP_LEN);
	fc.d_id = 0xffffff;
	fcoe_make(&f, all_stations, peer.mac, &fc);
	while (count--)
		send_paced(&f);
}

/* Frame @cnt of @frames that carry an operation of ST, with an Exchange to itself */
static void send_part(uint16_t ox_id, unsigned int cnt, unsigned int frames,
		      const uint8_t *data, unsigned int len)
{
	struct fc fc = {
		.r_ctl = R_DATA, .d_id = peer.their_id, .s_id = peer.id, .type = TYPE_FCLE,
		.f_ctl = 0x200000 | (cnt + 1 == frames ? 0x180000 : 0),
		.df_ctl = cnt ? 0 : 0x20, .seq_cnt = cnt, .ox_id = ox_id, .rx_id = 0xffff,
		.data = data, .len = len, .sof = cnt ? SOF_N3 : SOF_I3,
		.eof = cnt + 1 == frames ? EOF_T : EOF_N,
	};
	struct frame f;

	fcoe_make(&f, peer.their_mac, peer.mac, &fc);
	send_paced(&f);
}

static void do_sequences(char **args)
{
	static const uint8_t snap[] = { 0xaa, 0xaa, 0x03, 0, 0, 0, 0x81, 0x81 };
	unsigned long count = figure(args[0], 0x8000), i;
	uint8_t data[2000] = {};

	put(data, 2, 0x1000);
	put(data + 2, 6, peer.their_wwpn & 0xffffffffffff);
	put(data + 8, 2, 0x1000);
	put(data + 10, 6, peer.wwpn & 0xffffffffffff);
	memcpy(data + 16, snap, sizeof(snap));
	for (i = 0; i < 40; i++)
		send_part(1, i, 40, data, sizeof(data));
	for (i = count; i--;)
		send_part(2, i, count, data, i ? 4 : 64);
}

/* Any request, reply, ABTS or frame of data, mostly with a sensible header */
static void any_fcoe(struct frame *f)
{
	static const uint8_t commands[] = { RJT, ACC, PLOGI, FLOGI, LOGO, RTV, RLS, ECHO, TEST, RRQ,
					    PRLI, PRLO, ADISC, FARP_REQ, FARP_REPLY, RNID };
	static const uint8_t routes[] = { R_REQUEST, R_REPLY, R_ABTS, R_BA_ACC, R_BA_RJT, R_DATA,
					  0x01, 0x00, 0x02, 0x03 };
	uint8_t payload[256];
	struct fc fc = request_of(&peer, payload, 4 * random_below(sizeof(payload) / 4));
	unsigned int i;

	make_login(&peer, payload, commands[random_below(sizeof(commands))]);
	if (one_in(4))
		make_farp(&peer, payload, one_in(2) ? FARP_REQ : FARP_REPLY, 0x0a4d0001);
	for (i = random_below(4); i; i--)
		payload[random_below(sizeof(payload))] = random_below(256);
	if (one_in(2)) {
		fc.r_ctl = routes[random_below(sizeof(routes))];
		fc.type = one_in(2) ? TYPE_FCLE : TYPE_ELS;
		fc.f_ctl = one_in(2) ? F_REPLY : random_below(1 << 24) & ~3;
		fc.seq_cnt = one_in(2) ? 0 : random_below(65536);
		fc.ox_id = one_in(2) ? random_below(16) : 0xff00 + random_below(256);
	}
	if (one_in(8))
		fc.sof = SOF_N3;
	if (one_in(16))
		fc.d_id = 0xffffff;
	fcoe_make(f, one_in(16) ? all_stations : peer.their_mac, peer.mac, &fc);
}

static void any_fip(struct frame *f)
{
	struct peer p = one_in(2) ? peer : one_of_many(random_below(16));
	uint8_t payload[LOGIN_LEN];
	struct fc fc;

	if (!one_in(4)) {
		make_vn2vn(&p, f, 1 + random_below(5), one_in(2) ? all_vn2vn : peer.their_enode);
		return;
	}
	make_login(&p, payload, one_in(2) ? FLOGI : ACC);
	fc = request_of(&p, payload, LOGIN_LEN);
	if (payload[0] == ACC) {
		fc.r_ctl = R_REPLY;
		fc.f_ctl = F_REPLY;
		fc.ox_id = 0xff00 + random_below(256);
	}
	fip_begin(f, peer.their_enode, p.enode, FIP_LS, payload[0] == ACC ? 2 : 1);
	fc_put(fip_add(f, DESC_FLOGI, 4 + FC_HDR + fc.len) + 4, &fc);
	memcpy(fip_add(f, DESC_MAC, 8) + 2, p.mac, MAC);
	fip_end(f, 0);
}

/* The other's N_Port ID in a Claim would be a collision, which is another test */
static void damage(struct frame *f)
{
	unsigned int n, at;

	for (n = random_below(4); n; n--) {
		at = 2 * MAC + random_below(f->len - 2 * MAC);
		f->data[at] = one_in(2) ? random_below(256) : f->data[at] ^ 1U << random_below(8);
	}
	if (one_in(16))
		f->len = ETH_HDR + random_below(f->len - ETH_HDR + 1);
}

static void do_fuzz(char **args)
{
	uint64_t end = now_ms() + 1000 * figure(args[0], 100000);
	unsigned long sent = 0;
	struct frame f;
	uint16_t type;

	state = figure(args[1], -1UL);
	if (!state && getrandom(&state, sizeof(state), 0) < 0)
		err(1, "getrandom");
	printf("seed %llu\n", (unsigned long long)state);
	fflush(stdout);
	while (now_ms() < end) {
		if (one_in(3))
			any_fip(&f);
		else
			any_fcoe(&f);
		type = one_in(32) ? TYPE_FIP + TYPE_FCOE - frame_type(&f) : frame_type(&f);
		if (one_in(2))
			damage(&f);
		put(f.data + 2 * MAC, 2, type);
		if (frame_type(&f) == TYPE_FCOE && f.len > ETH_HDR + FCOE_HDR + FCOE_END &&
		    !one_in(8))
			fcoe_crc(&f);
		send_paced(&f);
		sent++;
	}
	printf("%lu frames\n", sent);
}

static const struct {
	const char *name;
	int args;
	void (*run)(char **args);
} commands[] = {
	{ "frames", 1, do_frames },
	{ "crowd", 1, do_crowd },
	{ "claims", 1, do_claims },
	{ "logins", 1, do_logins },
	{ "farps", 1, do_farps },
	{ "sequences", 1, do_sequences },
	{ "fuzz", 2, do_fuzz },
};

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (argc != 4 + commands[i].args || strcmp(argv[3], commands[i].name))
			continue;
		peer_open(&peer, argv[1], strtoull(argv[2], NULL, 16));
		meet(&peer);
		log_in(&peer);
		commands[i].run(argv + 4);
		return 0;
	}
	fprintf(stderr, "usage: fc_hostile DEVICE WWPN COMMAND NUMBER...\n");
	return 2;
}
