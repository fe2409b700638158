// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "records.h"
#include "scale.h"

static int one_of_many(const struct protocol *p, const union address *to)
{
	/* Closed by a reset, since thousands of TIME_WAIT sockets would exhaust TCP's ports */
	const struct linger at_once = { .l_onoff = 1 };
	int fd = connected(p, to);

	if (p->family == AF_INET)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	return fd;
}

/* Waits until the far end has accepted all connections: the last one answers */
static void settle(int last)
{
	const struct wish wish = { .what = TURN, .size = 1, .count = 1 };
	char byte = 0;

	records_turn(last, &byte, &wish);
}

/* Bytes of free memory */
static long free_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = -1;

	if (!f)
		err(EXIT_BROKEN, "/proc/meminfo");
	while (kb < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "MemFree: %ld kB", &kb);
	fclose(f);
	return kb * 1024;
}

void scale_idle(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int max)
{
	char *buf = buffer(wish->size);
	unsigned int nr = 0, step;
	int first = -1, last = -1;
	long before, used;

	raise_files();
	before = free_bytes();
	for (step = 1; step <= max; step *= 10) {
		for (; nr < step; nr++) {
			last = one_of_many(p, to);
			if (first < 0)
				first = last;
		}
		settle(last);
		used = before - free_bytes();
		/* After the pause each protocol has to find its rate again */
		records_begin(first, wish);
		records_bulk(first, buf, wish, put);
		records_begin(first, wish);
		printf("%u %ju %ld\n", nr, (uintmax_t)records_bulk(first, buf, wish, put),
		       used < 0 ? 0 : used / nr);
	}
}

struct mover {
	int fd;
	char *buf;
	const struct wish *wish;
	pthread_barrier_t *start;
	pthread_t thread;
	uint64_t begin, end;
};

static void *move(void *arg)
{
	struct mover *m = arg;

	records_begin(m->fd, m->wish);
	pthread_barrier_wait(m->start);
	m->begin = now_ns();
	records_bulk(m->fd, m->buf, m->wish, put);
	m->end = now_ns();
	return NULL;
}

static void print_shares(const struct mover *movers, unsigned int nr, double bytes)
{
	uint64_t begin = UINT64_MAX, end = 0;
	double rate, sum = 0, squares = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (movers[i].begin < begin)
			begin = movers[i].begin;
		if (movers[i].end > end)
			end = movers[i].end;
	}
	for (i = 0; i < nr; i++) {
		rate = bytes / (movers[i].end - begin);
		sum += rate;
		squares += rate * rate;
	}
	printf("%.0f %.0f\n", nr * bytes * 1e9 / (end - begin), sum * sum / (nr * squares) * 1e6);
}

void scale_busy(const struct protocol *p, const union address *to, const struct wish *wish,
		unsigned int nr)
{
	struct mover *movers = calloc(nr, sizeof(*movers));
	pthread_barrier_t start;
	unsigned int i;

	if (!movers || pthread_barrier_init(&start, NULL, nr))
		err(EXIT_BROKEN, "%u connections", nr);
	for (i = 0; i < nr; i++) {
		movers[i].fd = one_of_many(p, to);
		movers[i].buf = buffer(wish->size);
		movers[i].wish = wish;
		movers[i].start = &start;
		if (pthread_create(&movers[i].thread, NULL, move, &movers[i]))
			errx(EXIT_BROKEN, "thread %u of %u", i, nr);
	}
	for (i = 0; i < nr; i++)
		pthread_join(movers[i].thread, NULL);
	print_shares(movers, nr, (double)wish->size * wish->count);
}
