/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A memory cgroup in which sockets are created.
 */
#ifndef SELFTESTS_ST_CGROUP_H
#define SELFTESTS_ST_CGROUP_H

#include <stdbool.h>

/* Creates the cgroup and in it a listener of a side; returns the socket, or -1 with errno */
int cgroup_listener(int side, int backlog);
/* Memory charged to the cgroup, or -1 */
long long cgroup_bytes(void);
/* A line of its memory.stat, or -1 */
long long cgroup_stat(const char *name);
/* Sets its limit */
bool cgroup_limit(long long bytes);
/* Removes the cgroup; false while it is in use. */
bool cgroup_remove(void);

#endif
