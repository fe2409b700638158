/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many connections: the cost of idle ones, and the fairness of busy ones.
 */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include "sock.h"

/* Opens 1, 10, and so on up to @max connections; at each of these moves data over the
 * first, and prints their number, the rate, and the memory of each, at both ends
 * together.
 */
void scale_idle(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int max);

/* Moves data over @nr connections at once; prints the rate of all together, and the
 * fairness of their rates, in millionths: Jain's index, 1000000 if all are equal.
 */
void scale_busy(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int nr);

#endif
