// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

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
