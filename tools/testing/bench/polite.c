// SPDX-License-Identifier: GPL-2.0
/*
 * polite.so - to be preloaded by programs of perftest whose ends share a CPU
 *
 * A poller that finds no completion sleeps until there is one, or at least yields the CPU.
 * And the clock is that of the CPU: perftest reads both clocks one after the other to
 * measure the frequency of the CPU's, and a program that runs in between would mislead it.
 */
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <infiniband/verbs.h>

#define LOOKS	50
#define PAUSE_NS	50000000
#define GLANCE_MS	1

struct moment {
	double ns;
	uint64_t cycles;
};

static int (*poll_cq)(struct ibv_cq *cq, int nr, struct ibv_wc *wc);
static struct ibv_comp_channel *events;	/* of CQs that the program polls only */
static struct moment start;
static double cycles_in_us;

/* The wait is limited, and the event may be of another CQ or an earlier one: the poller
 * polls again.  The cause of the event may have been interrupted: it continues first.
 */
static void wait_for_event(void)
{
	struct pollfd poller = { .fd = events->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *arg;

	if (poll(&poller, 1, GLANCE_MS) == 1 && !ibv_get_cq_event(events, &cq, &arg))
		ibv_ack_cq_events(cq, 1);
	sched_yield();
}

static bool one_cpu(void)
{
	static long nr;

	if (!nr)
		nr = sysconf(_SC_NPROCESSORS_ONLN);
	return nr == 1;
}

/* A program that waits for events itself does not poll during a measurement. */
static int poll_politely(struct ibv_cq *cq, int nr, struct ibv_wc *wc)
{
	int found = poll_cq(cq, nr, wc);

	if (found)
		return found;
	if (!one_cpu()) {
		sched_yield();
		return 0;
	}
	if (!events || cq->channel != events || ibv_req_notify_cq(cq, 0)) {
		usleep(GLANCE_MS * 1000);
		return 0;
	}
	found = poll_cq(cq, nr, wc);
	if (!found)
		wait_for_event();
	return found;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int nr, void *arg,
			     struct ibv_comp_channel *channel, int vector)
{
	struct ibv_cq *(*create)(struct ibv_context *context, int nr, void *arg,
				 struct ibv_comp_channel *channel, int vector);

	create = dlvsym(RTLD_NEXT, "ibv_create_cq", "IBVERBS_1.1");
	if (context->ops.poll_cq != poll_politely) {
		poll_cq = context->ops.poll_cq;
		context->ops.poll_cq = poll_politely;
	}
	if (!channel && one_cpu()) {
		if (!events)
			events = ibv_create_comp_channel(context);
		channel = events;
	}
	return create(context, nr, arg, channel, vector);
}

/* Reads both clocks several times, and takes the pair that is closest together */
static struct moment both_clocks(void)
{
	uint64_t before, after, gap = UINT64_MAX;
	struct moment best;
	struct timespec t;
	unsigned int i;

	for (i = 0; i < LOOKS; i++) {
		before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC, &t);
		after = __rdtsc();
		if (after - before < gap) {
			gap = after - before;
			best.ns = t.tv_sec * 1e9 + t.tv_nsec;
			best.cycles = before + gap / 2;
		}
	}
	return best;
}

static __attribute__((constructor)) void compare_clocks(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct moment now;

	start = both_clocks();
	nanosleep(&pause, NULL);
	now = both_clocks();
	cycles_in_us = (now.cycles - start.cycles) * 1e3 / (now.ns - start.ns);
}

int gettimeofday(struct timeval *tv, void *zone)
{
	uint64_t us = (__rdtsc() - start.cycles) / cycles_in_us;

	(void)zone;
	tv->tv_sec = us / 1000000;
	tv->tv_usec = us % 1000000;
	return 0;
}
