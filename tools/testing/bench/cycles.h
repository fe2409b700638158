/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cycles of the machine's CPU, without idle time.
 */
#ifndef BENCH_CYCLES_H
#define BENCH_CYCLES_H

#include <stdint.h>

/**
 * struct moment - a time
 * @cycles: of the time stamp counter
 * @ns: of the monotonic clock
 * @idle: ticks of USER_HZ, as in /proc/stat
 */
struct moment {
	uint64_t cycles;
	uint64_t ns;
	uint64_t idle;
};

void moment_now(struct moment *m);

/* Since @start, on a machine with one CPU */
uint64_t busy_cycles(const struct moment *start);

#endif
