/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of ststat share.
 */
#ifndef STSTAT_H
#define STSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include <linux/st.h>
#include <linux/st_netlink.h>

#include "show.h"

enum {
	EXIT_TWICE	= 3,	/* a dump may have some twice */
};

/**
 * struct link_settings - what a link is to have, or 0
 * @stu: STU in bytes
 * @reliability: enum st_reliability
 */
struct link_settings {
	__u64	stu;
	__u32	reliability;
};

/* ststat_set.c */
void put_uint(struct nlmsghdr *nlh, __u16 type, __u64 value);
int set_link(bool add, const char *dev, const char *llp, const struct link_settings *settings);
int set_stripe(bool add, char **args, unsigned int n);
int set_vc_del(__u64 cookie);

/* ststat_show.c */
extern const char *const reliabilities[];
extern const struct field link_fields[], port_fields[], vc_fields[], transfer_fields[],
	region_fields[], counters_fields[], error_fields[], drop_fields[],
	vc_counter_fields[], path_fields[], stripe_fields[];

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
