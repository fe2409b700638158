/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of objects of a netlink family, and commands about them.
 */
#ifndef TOOLS_ST_KIND_H
#define TOOLS_ST_KIND_H

#include "show.h"

/**
 * struct kind - a kind of objects, which are shown as a table
 * @word: argument that selects the kind
 * @cmd: request
 * @fields: attributes
 * @titles: of the columns
 * @columns: number of columns
 * @row: adds the cells of an object to the table
 * @more: adds what --verbose shows, or NULL
 */
struct kind {
	const char		*word;
	__u8			cmd;
	const struct field	*fields;
	const char *const	*titles;
	unsigned int		columns;
	void (*row)(struct table *t, const struct attrs *a);
	void (*more)(struct table *t, const struct attrs *a);
};

void kind_table(const struct kind *kind, const struct msgs *msgs, bool verbose);
void kind_event(const struct kind *kind, const char *word, const struct attrs *a);
void flush_output(void);
__u32 device_named(const char *name);
__u32 number_from(const char *what, const char *text);
int find_word(const char *const *names, const char *word);
void only_once(unsigned int *given, unsigned int i, const char *word);
int nl_change(struct request *req);

#endif
