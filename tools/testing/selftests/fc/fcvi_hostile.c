// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fcvi_hostile DEVICE WWPN requests COUNT
 *        fcvi_hostile DEVICE WWPN openings COUNT
 *        fcvi_hostile DEVICE WWPN disconnects COUNT
 *        fcvi_hostile DEVICE WWPN fuzz SECONDS SEED
 *
 * A VN_Port as fcvi_peer has it, which means no good.
 *
 * requests: sends so many CONNECT_RQSTs, and RESP2 to none.
 * openings: begins so many Exchanges with the first of two frames.
 * disconnects: ends so many connections that are not known.
 * They read no answer, and end when the other port takes part in setups again.
 * fuzz: sends frames that are nearly right, see fuzz.c; 0 as the seed chooses one.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conn.h"
#include "fuzz.h"

/* Frames between two rests, so that the queues of the other take all of them */
#define BURST		16
#define REST_US		2000

/* Setups that are answered after each other when nothing is in their way any more */
#define IN_A_ROW	32

/* The other port forgets who is silent for too long */
static void pace(struct peer *p)
{
	static unsigned int sent;

	if (++sent % BURST)
		return;
	usleep(REST_US);
	if (sent % 512 == 0)
		send_vn2vn(p, VN_BEACON, all_vn2vn);
}

static void do_requests(struct peer *p, unsigned long count)
{
	struct conn c;

	while (count--) {
		c = conn_new("nobody");
		send_rqst(p, &c, count & 1 ? MODE_CLIENT : MODE_PEER);
		pace(p);
	}
}

static void do_openings(struct peer *p, unsigned long count)
{
	uint8_t buf[MFS];
	struct conn c;
	struct fc fc;
	struct iu iu;

	while (count--) {
		c = conn_new("nobody");
		c.x = xchg_open(p);
		iu = rqst_of(&c, MODE_CLIENT);
		fc = frame_of(p, &c.x, &iu, 0, 64, buf);
		send_fc(p, &fc);
		pace(p);
	}
}

static void do_disconnects(struct peer *p, unsigned long count)
{
	struct xchg x;
	struct iu iu;

	while (count--) {
		x = xchg_open(p);
		iu = disconnect_of(count & 1 ? SETUP_ABORT : 0, count, count, 0);
		send_iu(p, &x, &iu);
		pace(p);
	}
}

/* At the latest when all timers of what was begun have run out */
static void recover(struct peer *p)
{
	uint64_t end = now_ms() + 2 * PATIENCE_MS;
	unsigned int answered = 0;
	struct conn c;

	do {
		drain(p, 0);
		send_vn2vn(p, VN_BEACON, all_vn2vn);
		c = conn_new("nobody");
		send_rqst(p, &c, MODE_CLIENT);
		answered = comes(p, &c.x, 500) ? answered + 1 : 0;
		if (answered == IN_A_ROW)
			return;
	} while (now_ms() < end);
	errx(1, "no setup in %u ms", 2 * PATIENCE_MS);
}

static unsigned long long figure(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (*end || end == text)
		errx(2, "found '%s', expected a number", text);
	return value;
}

static const struct {
	const char *name;
	void (*run)(struct peer *p, unsigned long count);
} floods[] = {
	{ "requests", do_requests },
	{ "openings", do_openings },
	{ "disconnects", do_disconnects },
};

static bool run(struct peer *p, char **args, int count)
{
	unsigned int i;

	if (count == 3 && !strcmp(args[0], "fuzz")) {
		fuzz(p, figure(args[1]), figure(args[2]));
		return true;
	}
	for (i = 0; count == 2 && i < sizeof(floods) / sizeof(*floods); i++) {
		if (strcmp(args[0], floods[i].name))
			continue;
		floods[i].run(p, figure(args[1]));
		recover(p);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	static struct peer peer;

	if (argc > 4) {
		peer_open(&peer, argv[1], strtoull(argv[2], NULL, 16));
		meet(&peer);
		log_in(&peer);
		if (run(&peer, argv + 3, argc - 3))
			return 0;
	}
	fprintf(stderr, "usage: fcvi_hostile DEVICE WWPN COMMAND NUMBER...\n");
	return 2;
}
