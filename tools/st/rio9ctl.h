/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of rio9ctl share.
 */
#ifndef RIO9CTL_H
#define RIO9CTL_H

#include <linux/rio9_netlink.h>

#include "kind.h"

/* rio9ctl_set.c */
void open_rio9(void);
int set_port(char **args);
int set_peer(const char *word, char **args);
int send_message(char **args);

/* rio9ctl_kinds.c */
extern const char *const mode_names[], *const channel_names[];
extern const struct kind port_kind, stats_kind, peer_kind, context_kind, queue_kind, state_kind,
	message_kind;

#endif
