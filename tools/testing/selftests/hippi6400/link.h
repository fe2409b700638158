/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port and its far end, as every test of the link begins.
 */
#ifndef SELFTESTS_HIPPI6400_LINK_H
#define SELFTESTS_HIPPI6400_LINK_H

#include "peer.h"

/**
 * struct link - what is between the two
 * @port: port 0 of the emulator, cabled to nothing
 * @peer: its far end
 * @before: the counters as they were at the last mark; the first one is made
 *	before the port is set up
 */
struct link {
	struct port	port;
	struct peer	peer;
	struct counters	before;
};

/*
 * The port is up and hears the far end, the link is down.  Nothing that the
 * port does depends on how fast the machine is: all its timers are long and
 * there is no hold-off, but the one that @param names has @value.
 */
bool link_open(struct link *link, const char *param, unsigned int value);
void link_close(struct link *link);

/* The link comes up, and frames pass. */
bool link_up(struct link *link);

/* From here on count what moves. */
bool link_mark(struct link *link);
/* Exactly these counters moved since; see only_moved() */
bool link_moved(struct link *link, const struct moved *list);

#define MOVED(...)	((struct moved[]){ __VA_ARGS__, {} })
#define NOTHING		((struct moved[]){ {} })

/* A frame with a payload to know it by, for the port or from it; its length */
size_t link_frame(struct link *link, __u8 *frame, size_t payload, unsigned int number);

/* The frame that came last on the socket is this one. */
bool link_delivers(int fd, const __u8 *frame, size_t len);

#endif
