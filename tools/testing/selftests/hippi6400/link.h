/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port and its far end, the setup of every test of the link.
 */
#ifndef SELFTESTS_HIPPI6400_LINK_H
#define SELFTESTS_HIPPI6400_LINK_H

#include "peer.h"

/**
 * struct link - a port and its far end
 * @port: port 0 of the emulator, cabled to nothing
 * @peer: its far end
 * @before: the counters at the last mark; the first mark is made before the
 *	port is set up
 */
struct link {
	struct port	port;
	struct peer	peer;
	struct counters	before;
};

/*
 * The port is up and receives from the far end, the link is down.  The port
 * does not depend on the speed of the machine: all timers are long and there is
 * no hold-off, except that parameter @param has @value.
 */
bool link_open(struct link *link, const char *param, unsigned int value);
void link_close(struct link *link);

/* The link comes up, and frames pass. */
bool link_up(struct link *link);

/* Marks the counters. */
bool link_mark(struct link *link);
/* Exactly these counters changed since the mark; see only_moved() */
bool link_moved(struct link *link, const struct moved *list);

#define MOVED(...)	((struct moved[]){ __VA_ARGS__, {} })
#define NOTHING		((struct moved[]){ {} })

/* Builds a frame with a recognisable payload, for the port or from it; returns its length */
size_t link_frame(struct link *link, __u8 *frame, size_t payload, unsigned int number);

/* Checks that the last frame on the socket is this one. */
bool link_delivers(int fd, const __u8 *frame, size_t len);

#endif
