/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of fcport share.
 */
#ifndef FCPORT_H
#define FCPORT_H

#include <linux/fc2_netlink.h>

#include "kind.h"

/**
 * struct setting - a word of a command, which has a value
 * @name: the word
 * @put: puts the value into a request
 * @fixed: it cannot change while a port runs
 */
struct setting {
	const char	*name;
	void (*put)(struct nlmsghdr *nlh, const char *value);
	bool		fixed;
};

/* fcport_set.c */
void open_fc2(void);
void put_port(struct nlmsghdr *nlh, const char *name);
void put_settings(struct nlmsghdr *nlh, char **args, const struct setting *settings, bool running);
void ask_remote(struct request *req, __u8 cmd, char **args);
int create_port(char **args);
int delete_port(char **args);
int set_port(char **args);
int log_in(char **args);
int log_out(char **args);

/* fcport_ping.c */
int send_echo(char **args, unsigned long count, bool json);
void find_ip(char **args, struct msgs *msgs);

/* fcport_kinds.c */
extern const char *const mode_names[];
extern const struct field counter_fields[];
extern const struct kind port_kind, counters_kind, neighbour_kind, remote_kind, errors_kind,
	farp_kind, fcf_kind;
void counter_rows(struct table *t, const struct attrs *a, int ifname, int counter);

/* fcport_vi.c */
void open_fcvi(void);
extern const struct kind vi_kind, vi_counters_kind;

#endif
