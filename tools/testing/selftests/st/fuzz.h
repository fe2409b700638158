/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of the fuzzer's peer.
 */
#ifndef SELFTESTS_ST_FUZZ_H
#define SELFTESTS_ST_FUZZ_H

#include "peer.h"

#define LINES		6	/* Virtual Connections of the peer at a time */
#define SEEN		64	/* number of received values that are kept */
#define LONGEST		6000	/* bytes of a record */

/**
 * struct fuzz - a run
 * @rnd: state of the random numbers
 * @peer: the host
 * @listener: at side A
 * @line: the peer's Virtual Connections
 * @socket: accepted or connected at side A, or -1
 * @junk: bytes of records and STUs
 * @seen: values of received fields
 * @last: the operation sent last
 * @shorts: B_num of the next short record of each Virtual Connection
 * @sent: operations
 * @received: operations
 * @pair: the connection that must not be affected
 * @stop: ends its thread
 * @records: records sent over it
 * @harmed: it was affected
 * @steps: random steps done
 * @most: maximum number of sockets at a time
 * @least: minimum available memory in KiB
 * @left: a socket remained
 */
struct fuzz {
	__u64		rnd;
	struct peer	peer;
	int		listener;
	struct vc	line[LINES];
	int		socket[LINES];
	__u8		junk[LONGEST];
	__u32		seen[SEEN];
	struct op	last;
	__u32		shorts[LINES];
	__u64		sent;
	__u64		received;
	int		pair[2];
	bool		stop;
	unsigned int	records;
	bool		harmed;
	unsigned int	steps;
	long		most;
	long		least;
	bool		left;
};

__u32 below(struct fuzz *f, __u32 n);
bool one_in(struct fuzz *f, __u32 n);
/* Value of a field: seen before or close to that, at an edge, or random */
__u32 value(struct fuzz *f);
void fill_junk(struct fuzz *f);

/* All of these print the reason and return false if the frame is not sent. */

/* Sends an operation, mostly correct; else wrong, duplicated, or not at all */
bool say(struct fuzz *f, const struct op *right, size_t len);
/* Repeats the last operation with one field changed */
bool say_almost(struct fuzz *f);
bool say_anything(struct fuzz *f);
bool say_bytes(struct fuzz *f);
/* On a Virtual Connection of the peer: a Write, a short record, and the teardown */
bool announce(struct fuzz *f);
bool say_short(struct fuzz *f);
bool hang_up(struct fuzz *f);
/* Answers all received operations */
bool listen_and_answer(struct fuzz *f);

#endif
