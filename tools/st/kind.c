// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of objects of a netlink family, and commands about them.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "kind.h"

/* Prints objects. */
void kind_table(const struct kind *kind, const struct msgs *msgs, bool verbose)
{
	struct table t;
	struct attrs a;
	size_t i;

	table_begin(&t, kind->columns, kind->titles);
	for (i = 0; i < msgs->n; i++) {
		parse(&a, msgs->msg[i]);
		kind->row(&t, &a);
		if (verbose && kind->more)
			kind->more(&t, &a);
	}
	table_end(&t);
}

/* Prints an object that an event is about, as one line that begins with @word. */
void kind_event(const struct kind *kind, const char *word, const struct attrs *a)
{
	struct table t = { .columns = kind->columns };
	unsigned int i;

	kind->row(&t, a);
	fputs(word, stdout);
	for (i = 0; i < t.n; i++) {
		printf(" %s=%s", kind->titles[i], t.cell[i]);
		free(t.cell[i]);
	}
	free(t.cell);
	putchar('\n');
}

/* Ends the program if standard output cannot be written. */
void flush_output(void)
{
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_KERNEL, "standard output");
}

/* The index of a device; ends the program if there is none. */
__u32 device_named(const char *name)
{
	__u32 ifindex = device_index(name);

	if (!ifindex)
		errx(EXIT_USAGE, "%s: %s", name, strerror(errno));
	return ifindex;
}

/* Parses a number, hexadecimal with 0x in front.  The kernel knows how large it may be. */
__u32 number_from(const char *what, const char *text)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, hex ? 16 : 10);
	if (*text < '0' || *text > '9' || *end || errno || n > UINT32_MAX)
		misused("%s is '%s', but must be a number", what, text);
	return n;
}

/* The place of a word in a list that ends with NULL, or -1. */
int find_word(const char *const *names, const char *word)
{
	int i;

	for (i = 0; names[i]; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}

/* Refuses a word that was given before, which also bounds the request. */
void only_once(unsigned int *given, unsigned int i, const char *word)
{
	if (*given & 1U << i)
		misused("%s is given twice", word);
	*given |= 1U << i;
}

/* Sends a request whose answer is only a status. */
int nl_change(struct request *req)
{
	struct msgs msgs;

	nl_ask(req, &msgs);
	nl_free(&msgs);
	return 0;
}
