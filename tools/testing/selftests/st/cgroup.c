// SPDX-License-Identifier: GPL-2.0
/*
 * A memory cgroup in which sockets are created.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "common.h"

#define CGROUPS		"/tmp/cgroups"
#define CGROUP		CGROUPS "/st"

static bool write_number(const char *path, long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", number);
	return write_text(path, text);
}

int cgroup_listener(int side, int backlog)
{
	int fd;

	if ((mkdir(CGROUPS, 0755) || mount("none", CGROUPS, "cgroup2", 0, NULL)) && errno != EEXIST)
		return -1;
	if (!write_text(CGROUPS "/cgroup.subtree_control", "+memory") || mkdir(CGROUP, 0755) ||
	    !write_number(CGROUP "/cgroup.procs", 0))
		return -1;
	fd = new_listener(side, backlog);
	return write_number(CGROUPS "/cgroup.procs", 0) ? fd : -1;
}

long long cgroup_bytes(void)
{
	FILE *f = fopen(CGROUP "/memory.current", "re");
	long long bytes = -1;

	if (f) {
		if (fscanf(f, "%lld", &bytes) != 1)
			bytes = -1;
		fclose(f);
	}
	return bytes;
}

long long cgroup_stat(const char *name)
{
	FILE *f = fopen(CGROUP "/memory.stat", "re");
	long long bytes, found = -1;
	char line[64];

	if (!f)
		return -1;
	while (found < 0 && fscanf(f, "%63s %lld", line, &bytes) == 2)
		if (!strcmp(line, name))
			found = bytes;
	fclose(f);
	return found;
}

bool cgroup_limit(long long bytes)
{
	return write_number(CGROUP "/memory.max", bytes);
}

bool cgroup_remove(void)
{
	return !rmdir(CGROUP);
}
