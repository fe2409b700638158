/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records, or pieces of a stream, one way and there and back.
 */
#ifndef BENCH_RECORDS_H
#define BENCH_RECORDS_H

#include "sock.h"

/* Receives, or sends back, according to @wish. */
void records_serve(int fd, const struct wish *wish);

/* Sends @wish and waits until the far end has memory for it. */
void records_begin(int fd, const struct wish *wish);

/* Sends according to @wish, from @buf, by @send, after records_begin(); the rate in bytes
 * per second.  The time ends when the far end has confirmed that it has everything.
 */
uint64_t records_bulk(int fd, char *buf, const struct wish *wish,
		      bool (*send)(int fd, const char *buf, size_t size));

/* The median time of a record there and one back, in ns */
uint64_t records_turn(int fd, char *buf, const struct wish *wish);

#endif
