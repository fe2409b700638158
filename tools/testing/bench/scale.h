/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many connections: what those that do nothing cost, and how those that do share.
 */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include "sock.h"

/* Opens 1, 10, and so on up to @max connections; at each of these moves data over the
 * first, and prints how many they are, the rate, and the memory that each takes, at
 * both ends together.
 */
void scale_idle(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int max);

/* Moves data over @nr connections at once; prints the rate of all together, and how
 * equal their rates are, in millionths: Jain's index, 1000000 when all are the same.
 */
void scale_busy(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int nr);

#endif
