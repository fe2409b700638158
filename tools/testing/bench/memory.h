/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Put, Get and FetchOp on memory that each end lends the other.
 */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include "sock.h"

/* Lends memory according to @wish, answers Puts with Puts, and returns when the other end
 * closes the connection.
 */
void memory_serve(int fd, const struct wish *wish);

/* Pins @size bytes of @buf for memory_send(), on a socket of ST. */
void memory_pin(int fd, char *buf, size_t size);

/* A record of the first @size bytes of that memory */
bool memory_send(int fd, const char *buf, size_t size);

/* The median time of an operation, in ns, or of a Put there and one back.  Sends @wish
 * to the server.
 */
uint64_t memory_turn(int fd, const struct wish *wish);

#endif
