/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A memory cgroup in which sockets are made.
 */
#ifndef SELFTESTS_ST_CGROUP_H
#define SELFTESTS_ST_CGROUP_H

#include <stdbool.h>

/* A listener of a side that was made in the cgroup, which is new, or -1 with errno */
int cgroup_listener(int side, int backlog);
/* What the cgroup pays for, or -1 */
long long cgroup_bytes(void);
/* A line of its memory.stat, or -1 */
long long cgroup_stat(const char *name);
/* The most that it may have */
bool cgroup_limit(long long bytes);
/* The cgroup is no more; false while something is in it. */
bool cgroup_remove(void);

#endif
