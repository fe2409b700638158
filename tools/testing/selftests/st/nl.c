// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"
#include "nl.h"

#define DATAGRAM	65536

static int keep_attr(const struct nlattr *attr, void *data)
{
	const struct nlattr **tb = data;

	if (mnl_attr_get_type(attr) < NL_ATTRS)
		tb[mnl_attr_get_type(attr)] = attr;
	return MNL_CB_OK;
}

static void keep(struct nl_answer *answer, const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl;
	struct nl_msg *msg;

	answer->msg = realloc(answer->msg, (answer->n + 1) * sizeof(*msg));
	msg = &answer->msg[answer->n++];
	memset(msg, 0, sizeof(*msg));
	msg->nlh = malloc(nlh->nlmsg_len);
	memcpy(msg->nlh, nlh, nlh->nlmsg_len);
	genl = mnl_nlmsg_get_payload(msg->nlh);
	msg->cmd = genl->cmd;
	msg->flags = nlh->nlmsg_flags;
	mnl_attr_parse(msg->nlh, sizeof(*genl), keep_attr, msg->tb);
}

void nl_free(struct nl_answer *answer)
{
	while (answer->n)
		free(answer->msg[--answer->n].nlh);
	free(answer->msg);
	memset(answer, 0, sizeof(*answer));
}

static int keep_said(const struct nlattr *attr, void *data)
{
	struct nl *nl = data;

	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
		snprintf(nl->said, sizeof(nl->said), "%s", mnl_attr_get_str(attr));
	return MNL_CB_OK;
}

/* The errno of NLMSG_DONE or NLMSG_ERROR. */
static int end_of(struct nl *nl, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *end = mnl_nlmsg_get_payload(nlh);
	size_t skip = nlh->nlmsg_type == NLMSG_ERROR ? sizeof(*end) : sizeof(end->error);

	nl->said[0] = '\0';
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_parse(nlh, skip, keep_said, nl);
	return -end->error;
}

int nl_next(struct nl *nl, struct nl_answer *answer, bool *more)
{
	static char buf[DATAGRAM];
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)buf;
	ssize_t n = mnl_socket_recvfrom(nl->sock, buf, nl->room);
	int len = n;

	*more = false;
	if (n < 0)
		return errno;
	answer->datagrams++;
	for (; mnl_nlmsg_ok(nlh, len); nlh = mnl_nlmsg_next(nlh, &len)) {
		if (nlh->nlmsg_seq != nl->seq)
			continue;
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
			return end_of(nl, nlh);
		keep(answer, nlh);
	}
	*more = true;
	return 0;
}

static void begin(struct nl *nl, struct nl_req *req, __u16 type, __u8 cmd, __u16 flags)
{
	struct genlmsghdr *genl;

	req->nlh = mnl_nlmsg_put_header(req->room);
	req->nlh->nlmsg_type = type;
	req->nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	req->nlh->nlmsg_seq = ++nl->seq;
	genl = mnl_nlmsg_put_extra_header(req->nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
}

void nl_begin(struct nl *nl, struct nl_req *req, __u8 cmd, bool dump)
{
	begin(nl, req, nl->family, cmd, dump ? NLM_F_DUMP : NLM_F_ACK);
}

int nl_send(struct nl *nl, struct nl_req *req)
{
	return mnl_socket_sendto(nl->sock, req->nlh, req->nlh->nlmsg_len) < 0 ? errno : 0;
}

int nl_ask(struct nl *nl, struct nl_req *req, struct nl_answer *answer)
{
	int error = nl_send(nl, req);
	bool more = true;

	memset(answer, 0, sizeof(*answer));
	while (!error && more)
		error = nl_next(nl, answer, &more);
	return error;
}

int nl_dump(struct nl *nl, __u8 cmd, struct nl_answer *answer)
{
	struct nl_req req;

	nl_begin(nl, &req, cmd, true);
	return nl_ask(nl, &req, answer);
}

int nl_filter(struct nl *nl, __u8 cmd, int attr, __u32 value, size_t size,
	      struct nl_answer *answer)
{
	struct nl_req req;

	nl_free(answer);
	nl_begin(nl, &req, cmd, true);
	if (size)
		mnl_attr_put(req.nlh, attr, size, &value);
	return nl_ask(nl, &req, answer);
}

static void find_group(struct nl *nl, const struct nlattr *groups)
{
	const struct nlattr *tb[NL_ATTRS] = { 0 }, *g;

	mnl_attr_for_each_nested(g, groups) {
		mnl_attr_parse_nested(g, keep_attr, tb);
		if (nl_text_is(tb[CTRL_ATTR_MCAST_GRP_NAME], ST_MCGRP_MGMT))
			nl->groups[0] = nl_number(tb[CTRL_ATTR_MCAST_GRP_ID]);
		if (nl_text_is(tb[CTRL_ATTR_MCAST_GRP_NAME], ST_MCGRP_VC))
			nl->groups[1] = nl_number(tb[CTRL_ATTR_MCAST_GRP_ID]);
	}
}

bool nl_open_narrow(struct nl *nl, size_t room)
{
	struct nl_answer answer;
	struct nl_req req;
	int one = 1, error;

	memset(nl, 0, sizeof(*nl));
	nl->room = room;
	nl->sock = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->sock || mnl_socket_bind(nl->sock, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_setsockopt(nl->sock, NETLINK_EXT_ACK, &one, sizeof(one)) < 0 ||
	    mnl_socket_setsockopt(nl->sock, NETLINK_CAP_ACK, &one, sizeof(one)) < 0) {
		fprintf(stderr, "# netlink: %s\n", strerror(errno));
		return false;
	}
	begin(nl, &req, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(req.nlh, CTRL_ATTR_FAMILY_NAME, ST_FAMILY_NAME);
	error = nl_ask(nl, &req, &answer);
	if (!error && answer.n == 1) {
		nl->family = nl_number(answer.msg[0].tb[CTRL_ATTR_FAMILY_ID]);
		find_group(nl, answer.msg[0].tb[CTRL_ATTR_MCAST_GROUPS]);
	}
	nl_free(&answer);
	if (!nl->family || !nl->groups[0] || !nl->groups[1])
		fprintf(stderr, "# no netlink family st with its groups: %s\n", strerror(error));
	return nl->family && nl->groups[0] && nl->groups[1];
}

bool nl_open(struct nl *nl)
{
	return nl_open_narrow(nl, DATAGRAM);
}

void nl_close(struct nl *nl)
{
	mnl_socket_close(nl->sock);
}

bool nl_open_sides(struct nl nl[2])
{
	return enter(A) && nl_open(&nl[A]) && enter(B) && nl_open(&nl[B]);
}

void nl_close_sides(struct nl nl[2])
{
	nl_close(&nl[A]);
	nl_close(&nl[B]);
}

bool nl_join_group(struct nl *nl, unsigned int i)
{
	return !mnl_socket_setsockopt(nl->sock, NETLINK_ADD_MEMBERSHIP, &nl->groups[i],
				      sizeof(nl->groups[i]));
}

bool nl_join(struct nl *nl)
{
	return nl_join_group(nl, 0) && nl_join_group(nl, 1);
}

bool nl_event(struct nl *nl, struct nl_answer *answer, int ms)
{
	struct pollfd p = { .fd = mnl_socket_get_fd(nl->sock), .events = POLLIN };
	static char buf[DATAGRAM];
	ssize_t n;

	memset(answer, 0, sizeof(*answer));
	if (poll(&p, 1, ms) != 1)
		return false;
	n = mnl_socket_recvfrom(nl->sock, buf, sizeof(buf));
	if (n < 0 || !mnl_nlmsg_ok((struct nlmsghdr *)buf, n))
		return false;
	keep(answer, (struct nlmsghdr *)buf);
	return true;
}

const struct nl_msg *nl_find(const struct nl_answer *answer, int attr, __u64 value)
{
	size_t i;

	for (i = 0; i < answer->n; i++)
		if (nl_number(answer->msg[i].tb[attr]) == value)
			return &answer->msg[i];
	return NULL;
}

__u64 nl_number(const struct nlattr *attr)
{
	switch (attr ? mnl_attr_get_payload_len(attr) : 0) {
	case 1:
		return mnl_attr_get_u8(attr);
	case 2:
		return mnl_attr_get_u16(attr);
	case 4:
		return mnl_attr_get_u32(attr);
	case 8:
		return mnl_attr_get_u64(attr);
	}
	fprintf(stderr, "# an attribute is missing or no number\n");
	return ~0ULL;
}

__u64 nl_member(const struct nlattr *nest, int attr)
{
	const struct nlattr *tb[NL_ATTRS] = { 0 };

	if (nest)
		mnl_attr_parse_nested(nest, keep_attr, tb);
	return nl_number(tb[attr]);
}

bool nl_bytes_are(const struct nlattr *attr, const void *bytes, size_t len)
{
	return attr && mnl_attr_get_payload_len(attr) == len &&
	       !memcmp(mnl_attr_get_payload(attr), bytes, len);
}

bool nl_text_is(const struct nlattr *attr, const char *text)
{
	return nl_bytes_are(attr, text, strlen(text) + 1);
}

__u64 cookie_of(int fd)
{
	__u64 cookie = 0;
	socklen_t len = sizeof(cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &len) ? 0 : cookie;
}

long link_vcs(struct nl *nl)
{
	struct nl_answer answer;
	long vcs = -1;

	if (!nl_dump(nl, ST_CMD_LINK_GET, &answer) && answer.n == 1)
		vcs = nl_number(answer.msg[0].tb[ST_A_LINK_VCS]);
	nl_free(&answer);
	return vcs;
}

bool wait_vcs(struct nl *nl, long vcs)
{
	long long end = now_ms() + 4 * SOON_MS;

	while (link_vcs(nl) != vcs) {
		if (now_ms() > end)
			return false;
		usleep(10000);
	}
	return true;
}

/* Sockets of a Port, or -1. */
static long sockets_on(struct nl *nl, unsigned int port)
{
	struct nl_answer answer;
	long sockets = -1;
	struct nl_req req;
	int error;

	nl_begin(nl, &req, ST_CMD_PORT_GET, false);
	mnl_attr_put_u16(req.nlh, ST_A_PORT_PORT, port);
	error = nl_ask(nl, &req, &answer);
	if (error == ENOENT)
		sockets = 0;
	else if (!error && answer.n == 1)
		sockets = nl_number(answer.msg[0].tb[ST_A_PORT_SOCKETS]);
	nl_free(&answer);
	return sockets;
}

bool wait_sockets(struct nl *nl, unsigned int port, long sockets)
{
	long long end = now_ms() + 4 * SOON_MS;

	while (sockets_on(nl, port) != sockets) {
		if (now_ms() > end)
			return false;
		usleep(10000);
	}
	return true;
}
