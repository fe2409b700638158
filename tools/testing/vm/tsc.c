// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the frequency of the machine's time stamp counter in kHz, by
 * CLOCK_MONOTONIC_RAW.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <x86intrin.h>

#define MEASURE_NS	100000000	/* 0.1 s: at 1 us of error, 1 in 100 000 */
#define TRIES		20

struct sample {
	uint64_t tsc;
	int64_t ns;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* The counter between two readings of the clock that are close together */
static struct sample sample(void)
{
	int64_t best = INT64_MAX;
	struct sample s = { };
	int i;

	for (i = 0; i < TRIES; i++) {
		int64_t before = now_ns();
		uint64_t tsc = __rdtsc();
		int64_t after = now_ns();

		if (after - before < best) {
			best = after - before;
			s.tsc = tsc;
			s.ns = before + best / 2;
		}
	}
	return s;
}

int main(void)
{
	struct sample first = sample(), last;

	do {
		last = sample();
	} while (last.ns - first.ns < MEASURE_NS);
	printf("%.0f\n", (last.tsc - first.tsc) * 1e6 / (last.ns - first.ns));
	return 0;
}
