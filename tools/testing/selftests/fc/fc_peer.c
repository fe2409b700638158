// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fc_peer STEP DEVICE WWPN
 *
 * A VN_Port on that device of Ethernet that has this Port_Name, whose low 16 bits are its N_Port
 * ID.  It meets the only other port on the wire, and checks each field of what that sends:
 *
 * appear	how the other port comes: two Probes, Claim, Beacon, and the time between them
 * object	the same, but the first N_Port ID is in use
 * login	FLOGI and PLOGI
 * plain	the same, without continuously increasing SEQ_CNT and Relative Offset, and with
 *		frames of 256 bytes
 * services	requests to a port that is logged in
 * errors	requests that are wrong
 * abort	ABTS of Exchanges that are not known
 * farp		asks for the N_Port ID of 10.77.0.1, and of other addresses
 * logout	LOGO, and the login that follows
 *
 * The first field that is wrong ends the program with status 1.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static struct peer peer;
static struct frame frame;
static struct fc fc;

static void logged_in(void)
{
	meet(&peer);
	same("R_A_TOV", peer.their_r_a_tov, 4000);
	log_in(&peer);
}

static void between(const char *what, uint64_t ms, uint64_t least, uint64_t most)
{
	if (ms < least || ms > most)
		errx(1, "%s: found %llu ms, expected %llu to %llu", what, (unsigned long long)ms,
		     (unsigned long long)least, (unsigned long long)most);
}

/* FC-BB-6; a machine that is busy may be late, but never early by more than a tick */
static void see_claim(uint64_t probed)
{
	uint64_t claimed;
	uint32_t id = peer.their_id;

	await_vn2vn(&peer, &frame, VN_CLAIM);
	claimed = frame.ms;
	between("from Probe to Claim", claimed - probed, 385, 5000);
	same("N_Port ID of the Claim", peer.their_id, id);
	same("receive size of the Claim", peer.their_mfs, MFS);
	await_vn2vn(&peer, &frame, VN_BEACON);
	between("from Claim to Beacon", frame.ms - claimed, 385, 5000);
	same("N_Port ID of the Beacon", peer.their_id, id);
}

static void do_appear(void)
{
	uint64_t first;
	uint32_t id;

	await_vn2vn(&peer, &frame, VN_PROBE);
	first = frame.ms;
	id = peer.their_id;
	same("first N_Port ID", id, peer.their_wwpn & 0xffff);
	await_vn2vn(&peer, &frame, VN_PROBE);
	between("between two Probes", frame.ms - first, 90, 5000);
	same("N_Port ID of the second Probe", peer.their_id, id);
	see_claim(frame.ms);
}

static void do_object(void)
{
	const struct peer own = peer;
	uint32_t id;

	await_vn2vn(&peer, &frame, VN_PROBE);
	id = peer.their_id;
	peer.id = id;
	vn_mac(peer.mac, id);
	send_vn2vn(&peer, VN_PROBE_REPLY, peer.their_enode);
	peer.id = own.id;
	memcpy(peer.mac, own.mac, MAC);
	do {
		await_vn2vn(&peer, &frame, VN_PROBE);
	} while (peer.their_id == id);
	id = peer.their_id;
	await_vn2vn(&peer, &frame, VN_PROBE);
	same("N_Port ID of the second Probe", peer.their_id, id);
	see_claim(frame.ms);
}

static void do_plain(void)
{
	peer.features = 0;
	peer.mfs = 256;
	logged_in();
}

static void make_adisc(uint8_t *payload, uint64_t wwpn)
{
	memset(payload, 0, 28);
	payload[0] = ADISC;
	put(payload + 8, 8, wwpn);
	put(payload + 16, 8, peer.wwnn);
	put(payload + 25, 3, peer.id);
}

static void ask_adisc(void)
{
	uint8_t payload[28];

	make_adisc(payload, peer.wwpn);
	ask_acc(&peer, &frame, &fc, payload, sizeof(payload), 28);
	zero("hard address", fc.data + 4, 4);
	same("Port_Name of ADISC", get(fc.data + 8, 8), peer.their_wwpn);
	same("Node_Name of ADISC", get(fc.data + 16, 8), peer.their_wwnn);
	same("N_Port ID of ADISC", get(fc.data + 24, 4), peer.their_id);
}

/* Two pages of FCP: executed, without an image pair and functions */
static void ask_pages(uint8_t command)
{
	uint8_t payload[36] = {
		command, 16, 0, sizeof(payload), [4] = 8, 0, 0x20, [20] = 8, 0, 0x20,
	};
	unsigned int page;

	ask_acc(&peer, &frame, &fc, payload, sizeof(payload), sizeof(payload));
	same("lengths of the pages", get(fc.data + 1, 3), 16 << 16 | sizeof(payload));
	for (page = 4; page < sizeof(payload); page += 16) {
		same("TYPE of the page", get(fc.data + page, 2), 0x0800);
		same("response code of the page", get(fc.data + page + 2, 2), 0x0100);
		zero("rest of the page", fc.data + page + 4, 12);
	}
}

static void ask_echo(unsigned int len)
{
	static uint8_t payload[MFS];
	unsigned int i;

	for (i = 4; i < len; i++)
		payload[i] = i * 7;
	payload[0] = ECHO;
	ask_acc(&peer, &frame, &fc, payload, len, len);
	same_bytes("bytes of ECHO", fc.data + 4, payload + 4, len - 4);
}

static void do_services(void)
{
	uint8_t rls[8] = { RLS }, rrq[32] = { RRQ };
	unsigned int len;

	logged_in();
	ask_adisc();
	ask_pages(PRLI);
	ask_pages(PRLO);
	ask_acc(&peer, &frame, &fc, (uint8_t[4]) { RTV }, 4, 16);
	same("R_A_TOV of RTV", get(fc.data + 4, 4), 4000);
	same("E_D_TOV of RTV", get(fc.data + 8, 4), 2000);
	same("qualifier of RTV", get(fc.data + 12, 4), 0);
	ask_acc(&peer, &frame, &fc, rls, sizeof(rls), 28);
	put(rrq + 5, 3, peer.id);
	ask_acc(&peer, &frame, &fc, rrq, sizeof(rrq), 4);
	for (len = 4; len < 12; len++)
		ask_echo(len);
	ask_echo(MFS - 1);
	ask_echo(MFS);
	ask(&peer, (uint8_t[8]) { TEST }, 8);
	if (!nothing(&peer, 200))
		errx(1, "TEST has got an answer");
	ask_rjt(&peer, (uint8_t[8]) { RNID }, 8, 0x0b, 0x2c);
	ask_adisc();
}

/* A request of a port that the other does not know */
static void ask_unknown(uint8_t command, uint8_t reason, uint8_t explanation)
{
	const struct peer own = peer;
	uint8_t payload[LOGIN_LEN];
	uint16_t ox_id;

	peer.id ^= 0x4000;
	peer.wwpn ^= 0x4000;
	vn_mac(peer.mac, peer.id);
	make_login(&peer, payload, command);
	ask_rjt(&peer, payload, LOGIN_LEN, reason, explanation);
	ox_id = peer.ox_id;
	peer = own;
	peer.ox_id = ox_id;
}

static void do_errors(void)
{
	uint8_t login[LOGIN_LEN], logo[16] = { LOGO }, adisc[28];
	uint8_t prli[20] = { PRLI, 16, 0, 20, 8 };

	logged_in();
	ask_rjt(&peer, (uint8_t[8]) { PLOGI }, 8, 0x07, 0x2d);
	ask_rjt(&peer, (uint8_t[8]) { LOGO }, 8, 0x07, 0x2d);
	ask_rjt(&peer, (uint8_t[8]) { ADISC }, 8, 0x07, 0x2d);
	ask_rjt(&peer, (uint8_t[4]) { PRLI }, 4, 0x07, 0x2d);
	ask_rjt(&peer, (uint8_t[4]) { RLS }, 4, 0x07, 0x2d);
	ask_rjt(&peer, (uint8_t[8]) { FARP_REPLY }, 8, 0x07, 0x2d);
	prli[3] = 200;
	ask_rjt(&peer, prli, sizeof(prli), 0x07, 0x2d);
	prli[3] = 20;
	prli[1] = 0;
	ask_rjt(&peer, prli, sizeof(prli), 0x07, 0x2d);
	prli[1] = 14;
	ask_rjt(&peer, prli, sizeof(prli), 0x07, 0x2d);
	make_login(&peer, login, PLOGI);
	put(login + 74, 2, 128);
	ask_rjt(&peer, login, LOGIN_LEN, 0x03, 0x07);
	make_login(&peer, login, PLOGI);
	put(login + 20, 8, peer.their_wwpn);
	ask_rjt(&peer, login, LOGIN_LEN, 0x03, 0x0d);
	put(login + 20, 8, peer.wwpn + 1);
	ask_rjt(&peer, login, LOGIN_LEN, 0x03, 0x0d);
	make_login(&peer, login, PLOGI);
	put(login + 68, 2, 0);
	ask_rjt(&peer, login, LOGIN_LEN, 0x03, 0x01);
	put(logo + 5, 3, peer.id + 1);
	put(logo + 8, 8, peer.wwpn);
	ask_rjt(&peer, logo, sizeof(logo), 0x03, 0x0d);
	ask_unknown(PLOGI, 0x09, 0x15);
	ask_unknown(ADISC, 0x09, 0x1e);
	/* None of this has ended the login */
	ask_adisc();
	/* But the name of another does, FC-VI 7.7 */
	make_adisc(adisc, peer.wwpn + 1);
	ask_rjt(&peer, adisc, sizeof(adisc), 0x03, 0x0d);
	await_fc(&peer, &frame, &fc, R_REQUEST, LOGO);
	make_adisc(adisc, peer.wwpn);
	ask_rjt(&peer, adisc, sizeof(adisc), 0x09, 0x1e);
}

static void send_abts(uint16_t ox_id, uint16_t rx_id, bool responder)
{
	struct fc abts = request_of(&peer, NULL, 0);

	abts.r_ctl = R_ABTS;
	abts.type = TYPE_BLS;
	abts.f_ctl = F_ABTS | (responder ? 0x800000 : 0);
	abts.seq_id = 5;
	abts.ox_id = ox_id;
	abts.rx_id = rx_id;
	send_fc(&peer, &abts);
}

/* FC-VI C.5.7.1: it is accepted */
static void abort_unknown(uint16_t ox_id, uint16_t rx_id)
{
	send_abts(ox_id, rx_id, false);
	await_fc(&peer, &frame, &fc, R_BA_ACC, -1);
	same("bytes of the BA_ACC", fc.len, 12);
	same("SEQ_ID", fc.seq_id, 5);
	same("OX_ID", fc.ox_id, ox_id);
	same("RX_ID", fc.rx_id, rx_id);
	same("SEQ_ID validity", fc.data[0], 0);
	same("OX_ID in the BA_ACC", get(fc.data + 4, 2), ox_id);
	same("RX_ID in the BA_ACC", get(fc.data + 6, 2), rx_id);
	same("lowest SEQ_CNT", get(fc.data + 8, 2), 0);
	same("highest SEQ_CNT", get(fc.data + 10, 2), 0xffff);
}

static void do_abort(void)
{
	logged_in();
	/* The port reads ELS in turn, the answer to its PLOGI too, but ABTS at once */
	ask_adisc();
	abort_unknown(0x1234, 0xffff);
	abort_unknown(0x1234, 0x0007);
	abort_unknown(0xffff, 0xffff);
	ask_adisc();
}

static void send_farp(const uint8_t *payload, unsigned int len)
{
	struct fc farp = request_of(&peer, payload, len);

	farp.d_id = 0xffffff;
	send_fc(&peer, &farp);
}

/* FC-VI 7.5: the reply repeats the question */
static void await_farp(const uint8_t *question)
{
	await_fc(&peer, &frame, &fc, R_REQUEST, FARP_REPLY);
	same("bytes of the FARP-REPLY", fc.len, FARP_LEN);
	zero("bytes after the command", fc.data + 1, 3);
	same_bytes("code points and asker", fc.data + 4, question + 4, 5);
	same("Responding N_Port ID", get(fc.data + 9, 3), peer.their_id);
	same_bytes("names of the asker", fc.data + 12, question + 12, 16);
	same("Responding Port_Name", get(fc.data + 28, 8), peer.their_wwpn);
	same("Responding Node_Name", get(fc.data + 36, 8), peer.their_wwnn);
	same_bytes("addresses", fc.data + 44, question + 44, 32);
	answer(&peer, &fc, (uint8_t[4]) { ACC }, 4);
}

static void unanswered(const char *what, const uint8_t *payload, unsigned int len)
{
	send_farp(payload, len);
	if (!nothing(&peer, 200))
		errx(1, "FARP-REQ %s has got an answer", what);
}

static void do_farp(void)
{
	uint8_t payload[FARP_LEN];

	logged_in();
	make_farp(&peer, payload, FARP_REQ, 0x0a4d0001);
	send_farp(payload, FARP_LEN);
	await_farp(payload);
	unanswered("that is short", payload, FARP_LEN - 4);
	payload[4] = 1;
	unanswered("about names", payload, FARP_LEN);
	payload[4] = 4;
	payload[8] = 1;
	unanswered("that wants a login", payload, FARP_LEN);
	payload[8] = 2;
	put(payload + 5, 3, peer.id + 1);
	unanswered("in another's name", payload, FARP_LEN);
	make_farp(&peer, payload, FARP_REQ, 0x0a4d0003);
	unanswered("for another", payload, FARP_LEN);
	/* What nobody has asked for is not learnt */
	make_farp(&peer, payload, FARP_REPLY, 0x0a4d0009);
	ask_acc(&peer, &frame, &fc, payload, FARP_LEN, 4);
}

static void do_logout(void)
{
	uint8_t logo[16] = { LOGO };

	logged_in();
	put(logo + 5, 3, peer.id);
	put(logo + 8, 8, peer.wwpn);
	ask_acc(&peer, &frame, &fc, logo, sizeof(logo), 4);
	ask_rjt(&peer, (uint8_t[4]) { RTV }, 4, 0x09, 0x1e);
	await_fc(&peer, &frame, &fc, R_REQUEST, FLOGI);
}

static const struct {
	const char *name;
	void (*run)(void);
} steps[] = {
	{ "appear", do_appear },
	{ "object", do_object },
	{ "login", logged_in },
	{ "plain", do_plain },
	{ "services", do_services },
	{ "errors", do_errors },
	{ "abort", do_abort },
	{ "farp", do_farp },
	{ "logout", do_logout },
};

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; argc == 4 && i < sizeof(steps) / sizeof(*steps); i++) {
		if (strcmp(argv[1], steps[i].name))
			continue;
		peer_open(&peer, argv[2], strtoull(argv[3], NULL, 16));
		printf("listening\n");
		fflush(stdout);
		steps[i].run();
		return 0;
	}
	fprintf(stderr, "usage: fc_peer STEP DEVICE WWPN\n");
	return 2;
}
