/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of ststat share.
 */
#ifndef STSTAT_H
#define STSTAT_H

#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <linux/types.h>

#include <linux/st.h>

#include "nl.h"

enum {
	EXIT_TWICE	= 3,	/* a dump may have some twice */
};

/* ststat_set.c */
void put_uint(struct nlmsghdr *nlh, __u16 type, __u64 value);
int set_link(bool add, const char *dev, const char *llp);
int set_stripe(bool add, char **args, unsigned int n);
int set_vc_del(__u64 cookie);

/* ststat_show.c */

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
	NAME,		/* of an enum */
	FLAGS,		/* names of bits */
	OBJECT,
	LIST,		/* of objects, one for each attribute */
};

/**
 * struct field - an attribute and its presentation
 * @attr: number of the attribute
 * @name: as in the spec, with underscores
 * @type: of the value
 * @names: of values of NAME, of bits of FLAGS; ends with NULL
 * @fields: of OBJECT and LIST; ends with a field without a name
 */
struct field {
	int			attr;
	const char		*name;
	enum type		type;
	const char *const	*names;
	const struct field	*fields;
};

extern const struct field link_fields[], port_fields[], vc_fields[], transfer_fields[],
	region_fields[], counters_fields[], error_fields[], drop_fields[],
	vc_counter_fields[], path_fields[], stripe_fields[];

void parse(struct attrs *a, const struct nlmsghdr *nlh);
void parse_nest(struct attrs *a, const struct nlattr *nest);
__u64 number_of(const struct nlattr *attr);
const char *name_of(const struct field *fields, int attr, const struct attrs *a);
char *flags_of(const struct field *fields, int attr, const struct attrs *a, const char *between,
	       char *text, size_t size);
char *address_of(const struct nlattr *attr, char *text, size_t size);
char *address_or_text(const struct attrs *a, int attr, int text_attr, char *text, size_t size);
char *bytes_of(__u64 bytes, char *text, size_t size);
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

/* ststat_kinds.c */

/* Filters */
enum filter {
	FILTER_COOKIE,
	FILTER_PORT,
	FILTER_REMOTE_PORT,
	FILTER_DEVICE,
	FILTER_REMOTE,
	FILTER_UID,
	NR_FILTERS,
};

/**
 * struct kind - a kind of objects, which are shown as a table of one line each
 * @word: argument that selects the kind
 * @cmd: request
 * @filters: attributes of the filters, 0 for a filter that it lacks
 * @fields: attributes
 * @titles: of the columns
 * @columns: number of columns
 * @row: adds the cells of an object to the table
 * @more: adds what --verbose shows, or NULL
 */
struct kind {
	const char		*word;
	__u8			cmd;
	__u16			filters[NR_FILTERS];
	const struct field	*fields;
	const char *const	*titles;
	unsigned int		columns;
	void (*row)(struct table *t, const struct attrs *a);
	void (*more)(struct table *t, const struct attrs *a);
};

extern const struct kind link_kind, port_kind, vc_kind, transfer_kind, region_kind, stripe_kind;

#endif
