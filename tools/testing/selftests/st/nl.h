/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "st", for tests: answers are kept unchanged, so
 * that a test can check every attribute.
 */
#ifndef SELFTESTS_ST_NL_H
#define SELFTESTS_ST_NL_H

#include <stdbool.h>
#include <stddef.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/types.h>

#include <linux/st_netlink.h>

#define NL_ATTRS	64

/**
 * struct nl - a socket of the family in a network namespace
 * @sock: the socket
 * @family: number of the family
 * @groups: numbers of the groups of events, mgmt and vc
 * @seq: of the last request
 * @room: bytes received at a time; the kernel's messages are no longer
 * @said: the kernel's message for the last error, or ""
 */
struct nl {
	struct mnl_socket	*sock;
	__u16			family;
	__u32			groups[2];
	__u32			seq;
	size_t			room;
	char			said[128];
};

/**
 * struct nl_req - a request
 * @nlh: its header
 * @room: room for it
 */
struct nl_req {
	struct nlmsghdr	*nlh;
	char		room[4096];
};

/**
 * struct nl_msg - a message with its attributes
 * @cmd: enum of st_netlink.h
 * @flags: of the header
 * @tb: attributes by number, NULL where there is none
 * @nlh: the message, which belongs to this
 */
struct nl_msg {
	__u8			cmd;
	__u16			flags;
	const struct nlattr	*tb[NL_ATTRS];
	struct nlmsghdr		*nlh;
};

/**
 * struct nl_answer - messages
 * @msg: the messages
 * @n: number of messages
 * @datagrams: number of datagrams that contained them
 */
struct nl_answer {
	struct nl_msg	*msg;
	size_t		n;
	unsigned int	datagrams;
};

/* Opens a socket in the namespace of the caller; prints the reason of a failure. */
bool nl_open(struct nl *nl);
bool nl_open_narrow(struct nl *nl, size_t room);
void nl_close(struct nl *nl);
/* One in the namespace of each side */
bool nl_open_sides(struct nl nl[2]);
void nl_close_sides(struct nl nl[2]);
bool nl_join_group(struct nl *nl, unsigned int i);
bool nl_join(struct nl *nl);

void nl_begin(struct nl *nl, struct nl_req *req, __u8 cmd, bool dump);

/* These return 0 or the kernel's errno. */
int nl_ask(struct nl *nl, struct nl_req *req, struct nl_answer *answer);
int nl_send(struct nl *nl, struct nl_req *req);

/* Receives the next datagram of a dump; @more is false after the last. */
int nl_next(struct nl *nl, struct nl_answer *answer, bool *more);
int nl_dump(struct nl *nl, __u8 cmd, struct nl_answer *answer);

/* A dump with one number of @size bytes as its filter, none if 0; @answer is freed first. */
int nl_filter(struct nl *nl, __u8 cmd, int attr, __u32 value, size_t size,
	      struct nl_answer *answer);
void nl_free(struct nl_answer *answer);

/* The next event within @ms, or false. */
bool nl_event(struct nl *nl, struct nl_answer *answer, int ms);

/* The first message with this number in an attribute, or NULL. */
const struct nl_msg *nl_find(const struct nl_answer *answer, int attr, __u64 value);

__u64 nl_number(const struct nlattr *attr);
__u64 nl_member(const struct nlattr *nest, int attr);
bool nl_bytes_are(const struct nlattr *attr, const void *bytes, size_t len);
bool nl_text_is(const struct nlattr *attr, const char *text);

/* The cookie of a socket. */
__u64 cookie_of(int fd);

/* Number of connections over the only link of the namespace, or -1. */
long link_vcs(struct nl *nl);
bool wait_vcs(struct nl *nl, long vcs);

/* Waits until all sockets have left their Port, some time after close(). */
bool wait_sockets(struct nl *nl, unsigned int port, long sockets);

#endif
