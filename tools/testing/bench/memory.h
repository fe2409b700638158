/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Put, Get and FetchOp on memory that each end lends the other.
 */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include "sock.h"

/* Lends memory, as @wish says, answers Puts with Puts, and returns when the other end
 * closes the connection.
 */
void memory_serve(int fd, const struct wish *wish);

/* The median time of an operation, in ns, or of a Put there and one back.  The server
 * is told what @wish is.
 */
uint64_t memory_turn(int fd, const struct wish *wish);

#endif
