/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests of the tools to a generic netlink family, and its events.
 */
#ifndef TOOLS_ST_NL_H
#define TOOLS_ST_NL_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#define EXIT_KERNEL	1	/* refused, or there is no such family */

/**
 * struct msgs - an answer of the kernel
 * @msg: copies of the messages
 * @n: number of messages
 * @twice: some may be duplicates, since the kernel's table was resized
 * @error: errno of a request that failed, or 0
 * @why: the kernel's message about that
 */
struct msgs {
	struct nlmsghdr	**msg;
	size_t		n;
	bool		twice;
	int		error;
	char		why[128];
};

/**
 * struct request - a message to the kernel
 * @nlh: the message; attributes are added at its end
 * @room: buffer of the message
 */
struct request {
	struct nlmsghdr	*nlh;
	char		room[4096];
};

/* Opens the socket, once, and finds the family of a module; ends the program on errors. */
void nl_open(const char *name, const char *module);

/* Starts a request to the family. */
void nl_request(struct request *req, __u8 cmd, bool dump);

/* Sends a request, again if a dump is interrupted.  Returns false if it fails. */
bool nl_try(struct request *req, struct msgs *answer);

/* The same; ends the program on errors. */
void nl_ask(struct request *req, struct msgs *answer);

/* Frees an answer. */
void nl_free(struct msgs *answer);

/* Subscribes to the events of all groups. */
void nl_join(void);

/* Waits for the next event.  Returns false if some were lost. */
bool nl_event(const struct nlmsghdr **nlh);

#endif
