// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "traffic.h"

#define EMU	"/sys/kernel/debug/hippi6400_emu"

const char * const fault_names[FAULT_STATS] = {
	[FAULT_FLIPPED]		= "bits_flipped",
	[FAULT_HIT]		= "hit",
	[FAULT_DROPPED]		= "dropped",
	[FAULT_DOUBLED]		= "duplicated",
	[FAULT_TRUNCATED]	= "truncated",
	[FAULT_DELAYED]		= "delayed",
	[FAULT_STUCK]		= "stuck",
	[FAULT_LOST]		= "lost",
};

/**
 * struct fault - a kind of fault
 * @name: name of its file
 * @none: value that disables the fault, or NULL if the fault ends by itself
 * @values: values to choose from
 */
struct fault {
	const char *name;
	const char *none;
	const char *values[6];
};

static const struct fault faults[] = {
	{ "ber", "0", { "1e-7", "1e-6", "1e-5", "1e-4" } },
	{ "drop_rate", "0", { "1e-4", "1e-3", "3e-3" } },
	{ "dup_rate", "0", { "1e-4", "1e-3", "1e-2" } },
	{ "burst", "1", { "2", "5", "20" } },
	/*
	 * Not only Credit-only: the window may contain a single one, and a burst that
	 * hits no other type hits it each time, until the link gives up
	 */
	{ "hit_types", "0xffff", { "0x1", "0xa", "0xb", "0xc", "0x8" } },
	{ "hit_bits", "all", { "data", "control", "ecrc", "lcrc" } },
	{ "delay", "0", { "10", "100", "1000" } },
	{ "drop_next", NULL, { "1", "5", "20" } },
	{ "dup_next", NULL, { "1", "5", "20" } },
	/* Few: one in 2^16 of these has a right LCRC by chance */
	{ "truncate_next", NULL, { "1", "2" } },
};

static bool write_file(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(value);
	bool ok;

	ok = fd >= 0 && write(fd, value, len) == len;
	if (!ok)
		fprintf(stderr, "# %s: %s: %s\n", path, value, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

bool fault_set(unsigned int port, bool rx, const char *name, const char *value)
{
	char path[128];

	if (!strcmp(name, "ber") && !rx)
		name = "tx_ber";
	snprintf(path, sizeof(path), EMU "/port%u/%s%s", port, rx ? "rx/" : "", name);
	return write_file(path, value);
}

bool fault_seed(__u64 seed)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", seed);
	return write_file(EMU "/seed", text);
}

/* Micropackets from a switch have only the faults of the receiving port. */
static bool has_switch(void)
{
	FILE *f = fopen(EMU "/topology", "re");
	char text[256] = "";

	if (!f || !fgets(text, sizeof(text), f))
		fprintf(stderr, "# " EMU "/topology: %s\n", strerror(errno));
	if (f)
		fclose(f);
	return strstr(text, "switch");
}

bool fault_ber(unsigned int ports, const char *rate)
{
	bool both = has_switch();
	unsigned int port;

	for (port = 0; port < ports; port++)
		if (!fault_set(port, false, "ber", rate) ||
		    (both && !fault_set(port, true, "ber", rate)))
			return false;
	return true;
}

static bool clear_way(unsigned int port, bool rx)
{
	const struct fault *f;

	for (f = faults; f < faults + ARRAY_SIZE(faults); f++)
		if (!fault_set(port, rx, f->name, f->none ?: "0"))
			return false;
	return fault_set(port, rx, "stuck", "0");
}

bool fault_clear(unsigned int ports)
{
	unsigned int port;

	for (port = 0; port < ports; port++)
		if (!clear_way(port, false) || !clear_way(port, true) ||
		    !fault_set(port, false, "unplug", "0"))
			return false;
	return true;
}

bool fault_change(unsigned int ports, __u64 *rnd)
{
	const struct fault *f = &faults[random_below(rnd, ARRAY_SIZE(faults))];
	unsigned int port = random_below(rnd, ports), values = 0;
	bool rx = random_below(rnd, 2);

	while (values < ARRAY_SIZE(f->values) && f->values[values])
		values++;
	if (f->none && random_below(rnd, 2))
		return fault_set(port, rx, f->name, f->none);
	return fault_set(port, rx, f->name, f->values[random_below(rnd, values)]);
}

static bool add_stats(unsigned int port, bool rx, __u64 *sums)
{
	unsigned long long value;
	char path[128], key[32];
	unsigned int i;
	FILE *f;

	snprintf(path, sizeof(path), EMU "/port%u/%sstats", port, rx ? "rx/" : "");
	f = fopen(path, "re");
	if (!f) {
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
		return false;
	}
	while (fscanf(f, "%31s %llu", key, &value) == 2)
		for (i = 0; i < FAULT_STATS; i++)
			if (!strcmp(key, fault_names[i]))
				sums[i] += value;
	fclose(f);
	return true;
}

__u64 fault_switch_stat(const char *name)
{
	char path[64], line[96], key[48];
	unsigned long long value;
	unsigned int sw;
	__u64 sum = 0;
	FILE *f;

	for (sw = 0; ; sw++) {
		snprintf(path, sizeof(path), EMU "/switch%u/stats", sw);
		f = fopen(path, "re");
		if (!f)
			return sum;
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "all %47s %llu", key, &value) == 2 && !strcmp(key, name))
				sum += value;
		fclose(f);
	}
}

__u64 fault_switch_losses(void)
{
	/* Flooded frames may reach all ports but the one whose link is down. */
	static const char * const names[] = {
		"rx_flooded", "rx_no_output", "rx_header_without_tail", "rx_no_room",
		"rx_starved", "rx_truncated", "rx_lost", "tx_stall_drops", "tx_cut", "tx_lost",
	};
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		sum += fault_switch_stat(names[i]);
	return sum;
}

bool fault_stats(unsigned int ports, __u64 *sums)
{
	unsigned int port;

	memset(sums, 0, FAULT_STATS * sizeof(*sums));
	for (port = 0; port < ports; port++)
		if (!add_stats(port, false, sums) || !add_stats(port, true, sums))
			return false;
	return true;
}
