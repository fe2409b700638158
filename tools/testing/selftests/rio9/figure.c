// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "figure.h"

unsigned long figure(const char *text, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text || value > max)
		errx(2, "found '%s', expected a number from 0 to %lu", text, max);
	return value;
}
