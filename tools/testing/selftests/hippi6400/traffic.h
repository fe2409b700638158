/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random frames between ports, on all VCs, and what becomes of them: every
 * frame names its flow, its place there, its length and a CRC of itself.
 */
#ifndef SELFTESTS_HIPPI6400_TRAFFIC_H
#define SELFTESTS_HIPPI6400_TRAFFIC_H

#include "port.h"
#include "upkt.h"

#define PORTS_MAX	16
#define RECALL		1024	/* frames of a flow that a late or doubled one is known among */

/**
 * struct tally - what became of frames
 * @sent: taken by a port
 * @received: good, and for the first time
 * @bytes: of those received
 * @lost: did not arrive before a later one of their flow
 * @damaged: not what was sent
 * @doubled: came again
 * @reordered: came after a later one of their flow
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
 * @expect: number of the next one to arrive
 * @seen: those before @expect that arrived, a bit each, as in a ring
 * @progress: when something arrived or was sent last, in ms
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
 * @rx: socket for what arrives
 * @drops: frames that @rx had no room for
 */
struct node {
	struct port	port;
	int		tx[VCS];
	int		rx;
	__u64		drops;
};

/**
 * struct traffic - all of it
 * @node: ports
 * @nodes: how many
 * @flow: from each to each of the others on each VC
 * @flows: how many
 * @rnd: state of the random choices
 * @tally: what became of the frames
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
/* Receives what is there and sends what may be; waits a little if there is nothing. */
bool traffic_run(struct traffic *t);
/*
 * Sends nothing but one more frame in each flow, again and again until it
 * arrives: then every frame before it has arrived or is lost.
 */
bool traffic_settle(struct traffic *t);
/* Frames that packet sockets had no room for, which is this program's fault */
__u64 traffic_drops(struct traffic *t);

#endif
