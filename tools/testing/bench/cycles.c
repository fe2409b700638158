// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <unistd.h>
#include <x86intrin.h>

#include "cycles.h"
#include "sock.h"

static uint64_t idle_ticks(void)
{
	unsigned long long idle = 0, wait = 0;
	FILE *f = fopen("/proc/stat", "re");

	if (!f || fscanf(f, "cpu %*u %*u %*u %llu %llu", &idle, &wait) != 2)
		err(EXIT_BROKEN, "/proc/stat");
	fclose(f);
	return idle + wait;
}

void moment_now(struct moment *m)
{
	m->idle = idle_ticks();
	m->ns = now_ns();
	m->cycles = __rdtsc();
}

uint64_t busy_cycles(const struct moment *start)
{
	struct moment now;
	double ns, idle;

	moment_now(&now);
	ns = now.ns - start->ns;
	idle = (now.idle - start->idle) * (1e9 / sysconf(_SC_CLK_TCK));
	if (idle > ns)
		idle = ns;
	return (now.cycles - start->cycles) * (1 - idle / ns);
}
