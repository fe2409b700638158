/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of the tools.
 */
#ifndef TOOLS_ST_ARGS_H
#define TOOLS_ST_ARGS_H

#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>

/* Exit statuses of the tools, as of ping(8); ststat has no local one */
#define EXIT_NETWORK	1	/* no connection, broken, refused; the kernel refuses */
#define EXIT_USAGE	2	/* also if there is no such device */
#define EXIT_LOCAL	3	/* a file here, or memory */
#define USAGE_HINT	"--help tells how it is used"

#define misused(...)				\
	do {					\
		warnx(__VA_ARGS__);		\
		errx(EXIT_USAGE, USAGE_HINT);	\
	} while (0)

/* Parses a decimal number from @min to @max; reports what else @what is, and exits. */
unsigned long parse_number(const char *what, const char *text, unsigned long min,
			   unsigned long max);

/* Parses a number, optionally with K, M or G, up to SSIZE_MAX. */
bool parse_scaled(const char *text, size_t *value);

/* Flushes standard output, and exits with @status, or EXIT_LOCAL if that fails. */
noreturn void written(int status);

/* Text for the errno of a socket call */
const char *why(int error);

#endif
