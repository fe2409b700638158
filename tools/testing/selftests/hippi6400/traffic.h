/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random frames between ports, on all VCs, and their fate: every frame contains
 * its flow, its number in the flow, its length and a CRC.
 */
#ifndef SELFTESTS_HIPPI6400_TRAFFIC_H
#define SELFTESTS_HIPPI6400_TRAFFIC_H

#include "port.h"
#include "upkt.h"

#define PORTS_MAX	16
#define RECALL		1024	/* span in which late and duplicate frames are detected */

/**
 * struct tally - fate of the frames
 * @sent: accepted by a port
 * @received: good, first copies
 * @bytes: bytes of the received ones
 * @lost: did not arrive before a later one of their flow
 * @damaged: differ from what was sent
 * @doubled: duplicates
 * @reordered: arrived after a later one of their flow
 */
struct tally {
	__u64	sent;
	__u64	received;
	__u64	bytes;
	__u64	lost;
	__u64	damaged;
	__u64	doubled;
	__u64	reordered;
};

/**
 * struct flow - frames from one port to another on one VC
 * @from: port
 * @to: port
 * @vc: Virtual Channel
 * @sent: number of the next frame
 * @expect: number of the next frame to arrive
 * @seen: bit ring of the frames before @expect that arrived
 * @progress: time of the last frame sent or received, in ms
 */
struct flow {
	unsigned int	from;
	unsigned int	to;
	unsigned int	vc;
	__u64		sent;
	__u64		expect;
	__u64		seen[RECALL / 64];
	long long	progress;
};

/**
 * struct node - a port that sends and receives
 * @port: the port
 * @tx: a socket for each VC
 * @rx: socket for received frames
 * @drops: frames that @rx had no room for
 */
struct node {
	struct port	port;
	int		tx[VCS];
	int		rx;
	__u64		drops;
};

/**
 * struct traffic - all ports and flows
 * @node: ports
 * @nodes: number of ports
 * @flow: flows between all pairs of ports, on each VC
 * @flows: number of flows
 * @rnd: state of the random choices
 * @tally: fate of the frames
 */
struct traffic {
	struct node	node[PORTS_MAX];
	unsigned int	nodes;
	struct flow	flow[PORTS_MAX * (PORTS_MAX - 1) * VCS];
	unsigned int	flows;
	__u64		rnd;
	struct tally	tally;
};

__u64 random_next(__u64 *state);
unsigned int random_below(__u64 *state, unsigned int limit);

/* Ports as NETNS:DEVICE */
bool traffic_open(struct traffic *t, char **names, unsigned int count, __u64 seed);
void traffic_close(struct traffic *t);
/* Receives waiting frames and sends as many as allowed; waits briefly if there is nothing to do. */
bool traffic_run(struct traffic *t);
/*
 * Sends one more frame in each flow, repeatedly until it arrives: then every
 * frame before it has arrived or is lost.
 */
bool traffic_settle(struct traffic *t);
/* Frames for which packet sockets had no room, an error of this program */
__u64 traffic_drops(struct traffic *t);

#endif
