/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the peer of the fuzzer says.
 */
#ifndef SELFTESTS_ST_FUZZ_H
#define SELFTESTS_ST_FUZZ_H

#include "peer.h"

#define LINES		6	/* Virtual Connections of the peer at a time */
#define SEEN		64	/* values from what was received */
#define LONGEST		6000	/* bytes of a record */

/**
 * struct fuzz - a run
 * @rnd: state of the random numbers
 * @peer: the host
 * @listener: at side A
 * @line: the peer's Virtual Connections
 * @socket: accepted or connected at side A, or -1
 * @junk: bytes of records and STUs
 * @seen: values of fields that were received
 * @last: the operation sent last
 * @shorts: B_num of the next short record of each Virtual Connection
 * @sent: operations
 * @received: operations
 * @pair: the connection that must not notice
 * @stop: ends its thread
 * @records: that went over it
 * @harmed: it failed
 * @steps: things done
 * @most: sockets at a time
 * @least: KiB of memory that were available
 * @left: some socket stayed
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
/* What a field may be: seen before or close to that, at an edge, or anything */
__u32 value(struct fuzz *f);
void fill_junk(struct fuzz *f);

/* All of these return false, and say why, when the frame does not go. */

/* As it should be, mostly; else wrong, doubled, or not at all */
bool say(struct fuzz *f, const struct op *right, size_t len);
/* The same as before, but for a field */
bool say_almost(struct fuzz *f);
bool say_anything(struct fuzz *f);
bool say_bytes(struct fuzz *f);
/* Of a Virtual Connection of the peer: a Write, a short record, and the end of it all */
bool announce(struct fuzz *f);
bool say_short(struct fuzz *f);
bool hang_up(struct fuzz *f);
/* To all that has come */
bool listen_and_answer(struct fuzz *f);

#endif
