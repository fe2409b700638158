// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fcvi_peer STEP DEVICE WWPN
 *
 * A VN_Port on that device of Ethernet, as fc_peer has it, which speaks FC-VI with the only other
 * port on the wire, and checks each field of what that sends.  The steps are in nobody.c, and, with
 * a user of the port of veth0 in the network namespace a, in users.c, peers.c, receives.c,
 * sends.c, errors.c and rare.c.
 *
 * The first field that is wrong ends the program with status 1.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step.h"
#include "user.h"

static const struct step *const tables[] = {
	nobody_steps, user_steps, peer_steps, receive_steps, send_steps, error_steps,
	rare_steps,
};

/* The other port is in the namespace a */
static void with_user(const struct step *step, struct peer *p)
{
	struct user user;

	user_open(&user, "a", "veth0");
	step->run(p, &user);
	user_no_event(&user);
}

int main(int argc, char **argv)
{
	static struct peer peer;
	const struct step *step;
	unsigned int i;

	for (i = 0; argc == 4 && i < sizeof(tables) / sizeof(*tables); i++) {
		for (step = tables[i]; step->name; step++) {
			if (strcmp(argv[1], step->name))
				continue;
			peer_open(&peer, argv[2], strtoull(argv[3], NULL, 16));
			if (step->mfs)
				peer.mfs = step->mfs;
			/* What the other port knows of addresses goes with another name */
			ip_ours += peer.id & 0xf;
			meet(&peer);
			log_in(&peer);
			if (step->alone)
				step->alone(&peer);
			else
				with_user(step, &peer);
			silent(&peer, "after the last frame");
			return 0;
		}
	}
	fprintf(stderr, "usage: fcvi_peer STEP DEVICE WWPN\n");
	return 2;
}
