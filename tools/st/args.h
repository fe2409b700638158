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
#include <linux/st.h>

#define ULA_LEN		6
/* Statuses of the tools, as of ping(8); ststat has no local one */
#define EXIT_NETWORK	1	/* no connection, broken, refused; the kernel refuses */
#define EXIT_USAGE	2	/* also no such device */
#define EXIT_LOCAL	3	/* a file here, or memory */
#define USAGE_HINT	"--help tells how it is used"

#define misused(...)				\
	do {					\
		warnx(__VA_ARGS__);		\
		errx(EXIT_USAGE, USAGE_HINT);	\
	} while (0)

/* A ULA such as 02:00:5e:00:00:01; false for anything else. */
bool parse_ula(const char *text, unsigned char *ula);

/* A device and a ULA such as eth1,02:00:5e:00:00:01; says what is wrong, and exits. */
void parse_way(const char *text, struct sockaddr_st *way);

/* A decimal number from @min to @max; says what else @what is, and exits. */
unsigned long parse_number(const char *what, const char *text, unsigned long min,
			   unsigned long max);

/* A number with K, M or G after it or nothing, up to SSIZE_MAX. */
bool parse_scaled(const char *text, size_t *value);

/* What standard output has got is written: ends the program. */
noreturn void written(int status);

/* An error of a socket call in words */
const char *why(int error);

#endif
