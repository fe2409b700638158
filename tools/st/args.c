// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/if.h>

#include "args.h"
#include "device.h"

bool parse_ula(const char *text, unsigned char *ula)
{
	unsigned int byte;
	int i, used;

	for (i = 0; i < ULA_LEN; i++) {
		if (i && *text != ':' && *text != '-')
			return false;
		text += !!i;
		used = 0;
		if (strspn(text, "0123456789abcdefABCDEF") > 2 ||
		    sscanf(text, "%2x%n", &byte, &used) != 1 || *text == ' ' ||
		    *text == '+' || *text == '-')
			return false;
		ula[i] = byte;
		text += used;
	}
	return !*text;
}

void parse_path(const char *text, struct sockaddr_st *path)
{
	/* A ULA has no comma; the name of a device may have commas */
	const char *comma = strrchr(text, ',');
	char dev[ALTIFNAMSIZ];

	if (!comma || comma - text >= ALTIFNAMSIZ)
		errx(EXIT_USAGE, "'%s' must look like eth1,02:00:5e:00:00:01", text);
	snprintf(dev, sizeof(dev), "%.*s", (int)(comma - text), text);
	*path = (struct sockaddr_st) {
		.sst_family	= AF_ST,
		.sst_ifindex	= device_index(dev),
		.sst_alen	= ULA_LEN,
	};
	if (!path->sst_ifindex)
		errx(EXIT_USAGE, "%s: %s", dev, strerror(errno));
	if (!parse_ula(comma + 1, path->sst_addr))
		errx(EXIT_USAGE, "ULA is '%s', but must look like 02:00:5e:00:00:01", comma + 1);
}

unsigned long parse_number(const char *what, const char *text, unsigned long min,
			   unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
		errx(EXIT_USAGE, "%s is '%s', but must be %lu to %lu", what, text, min, max);
	return value;
}

bool parse_scaled(const char *text, size_t *value)
{
	static const char suffixes[] = "KMG";
	unsigned int shift = 0;
	const char *suffix;
	uintmax_t number;
	char *end;

	errno = 0;
	number = strtoumax(text, &end, 10);
	if (*text < '0' || *text > '9' || errno)
		return false;
	if (*end) {
		suffix = strchr(suffixes, *end & ~0x20);
		if (!suffix || !*suffix || end[1])
			return false;
		shift = 10 * (suffix - suffixes + 1);
	}
	if (number > (uintmax_t)SSIZE_MAX >> shift)
		return false;
	*value = number << shift;
	return true;
}

void written(int status)
{
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_LOCAL, "standard output");
	exit(status);
}

const char *why(int error)
{
	return error == EAGAIN || error == EINPROGRESS ? "timed out" : strerror(error);
}
