/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes of the kernel as JSON and as cells of a table.
 */
#ifndef TOOLS_ST_SHOW_H
#define TOOLS_ST_SHOW_H

#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <linux/types.h>

#include <net/if.h>

#include "nl.h"

/* Attributes of one message, at least as many as any kind has. */
#define MAX_ATTRS	64

struct attrs {
	const struct nlattr	*tb[MAX_ATTRS];
	const struct nlmsghdr	*nlh;
};

enum type {
	NUMBER,		/* unsigned */
	YES,		/* present or not */
	TEXT,
	ADDRESS,
	WWN,		/* name of Fibre Channel, as 20:00:00:11:22:33:44:55 */
	PORT_ID,	/* N_Port ID, as 0x00abcd */
	IP,		/* of IPv6; v4-mapped ones as of IPv4 */
	NAME,		/* of an enum */
	FLAGS,		/* names of bits */
	BOOLEAN,	/* a number, 0 or not */
	BYTES,		/* of names */
	HEX,		/* bytes as hexadecimal digits */
	OBJECT,
	LIST,		/* of objects, one for each attribute */
	VALUES,		/* one object of all attributes, nests of a name and a value */
};

/**
 * struct field - an attribute and its presentation
 * @attr: number of the attribute
 * @name: as in the spec, with underscores
 * @type: of the value
 * @names: of values of NAME and BYTES, of bits of FLAGS; ends with NULL
 * @fields: of OBJECT and LIST; ends with a field without a name.  Of VALUES: name and value
 */
struct field {
	int			attr;
	const char		*name;
	enum type		type;
	const char *const	*names;
	const struct field	*fields;
};

#define PLAIN(a, n, t)		{ .attr = (a), .name = (n), .type = (t) }
#define NAMED(a, n, t, v)	{ .attr = (a), .name = (n), .type = (t), .names = (v) }
#define NESTED(a, n, t, f)	{ .attr = (a), .name = (n), .type = (t), .fields = (f) }

void parse(struct attrs *a, const struct nlmsghdr *nlh);
void parse_nest(struct attrs *a, const struct nlattr *nest);
__u64 number_of(const struct nlattr *attr);
const char *name_of(const struct field *fields, int attr, const struct attrs *a);
char *flags_of(const struct field *fields, int attr, const struct attrs *a, const char *between,
	       char *text, size_t size);
char *address_of(const struct nlattr *attr, char *text, size_t size);
char *address_or_text(const struct attrs *a, int attr, int text_attr, char *text, size_t size);
char *wwn_of(const struct nlattr *attr, char *text, size_t size);
char *port_id_of(const struct nlattr *attr, char *text, size_t size);
char *ip_of(const struct nlattr *attr, char *text, size_t size);
char *hex_of(const struct nlattr *attr, char *text, size_t size);
char *bytes_of(__u64 bytes, char *text, size_t size);
const char *text_of(const struct nlattr *attr);
const char *number_or_dash(const struct nlattr *attr, char *text, size_t size);
const char *bytes_or_dash(const struct nlattr *attr, char *text, size_t size);
const char *device_of(const struct nlattr *attr, char name[IF_NAMESIZE]);
void json_object(const struct field *fields, const struct attrs *a, const char *event);
void json_array(const struct field *fields, const struct msgs *msgs);

#define MAX_COLUMNS	16

/**
 * struct table - cells, which are aligned when the table is printed
 * @columns: cells in a row, at most MAX_COLUMNS
 * @n: cells so far
 * @cell: the cells; those of a note are NULL except for the first
 */
struct table {
	unsigned int	columns;
	size_t		n;
	char		**cell;
};

void table_begin(struct table *t, unsigned int columns, const char *const titles[]);
void table_add(struct table *t, char *text, bool note);
void table_end(struct table *t);

/* Adds a cell, to the right of the last one or in the next row */
#define table_cell(t, ...)				\
	do {						\
		char *made_;				\
							\
		if (asprintf(&made_, __VA_ARGS__) < 0)	\
			err(EXIT_KERNEL, NULL);		\
		table_add(t, made_, false);		\
	} while (0)

/* Adds a line of its own, after a complete row */
#define table_note(t, ...)				\
	do {						\
		char *made_;				\
							\
		if (asprintf(&made_, __VA_ARGS__) < 0)	\
			err(EXIT_KERNEL, NULL);		\
		table_add(t, made_, true);		\
	} while (0)

#define TITLES(...)							\
	.titles = (const char *const[]){ __VA_ARGS__ },			\
	.columns = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

#endif
