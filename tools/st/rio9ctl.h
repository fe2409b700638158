/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of rio9ctl share.
 */
#ifndef RIO9CTL_H
#define RIO9CTL_H

#include <linux/rio9_netlink.h>

#include "show.h"

/* rio9ctl_set.c */
void open_rio9(void);
__u32 port_index(const char *name);
int set_port(char **args);
int set_peer(const char *word, char **args);
int send_message(char **args);

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

/* rio9ctl_kinds.c */
extern const char *const mode_names[], *const channel_names[];
extern const struct kind port_kind, stats_kind, peer_kind, context_kind, queue_kind, state_kind,
	message_kind;

#endif
