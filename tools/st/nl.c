// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to a generic netlink family, and its events.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nl.h"

#define TRIES		5	/* of an interrupted dump */
#define RECEIVE		65536	/* more than any message of the kernel */

static struct mnl_socket *sock;
static __u16 family;
static __u32 groups[8];
static size_t nr_groups;
static __u32 seq;

static void request_begin(struct request *req, __u16 type, __u8 cmd, __u16 flags)
{
	struct genlmsghdr *genl;

	req->nlh = mnl_nlmsg_put_header(req->room);
	req->nlh->nlmsg_type = type;
	req->nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	req->nlh->nlmsg_seq = ++seq;
	genl = mnl_nlmsg_put_extra_header(req->nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
}

void nl_request(struct request *req, __u8 cmd, bool dump)
{
	request_begin(req, family, cmd, dump ? NLM_F_DUMP : NLM_F_ACK);
}

static int find_message(const struct nlattr *attr, void *message)
{
	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
	    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		*(const char **)message = mnl_attr_get_str(attr);
	return MNL_CB_OK;
}

/* The kernel's message about an error, or NULL. */
static const char *error_message(const struct nlmsghdr *nlh, size_t skip)
{
	const char *message = NULL;

	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_parse(nlh, skip, find_message, &message);
	return message;
}

/* NLMSG_DONE and NLMSG_ERROR start with a number; 0 is well. */
static void check_end(struct msgs *answer, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *end = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(end->error);
	const char *message;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(end->error))
		errx(EXIT_KERNEL, "the kernel's answer has no status");
	if (!end->error)
		return;
	/* The message follows the request, or only its header */
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		skip = sizeof(*end);
		if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
			skip += end->msg.nlmsg_len - sizeof(end->msg);
	}
	message = error_message(nlh, skip);
	answer->error = -end->error;
	snprintf(answer->why, sizeof(answer->why), "%s%s%s", strerror(answer->error),
		 message ? ": " : "", message ? message : "");
}

static void keep(struct msgs *answer, const struct nlmsghdr *nlh)
{
	struct nlmsghdr **more = realloc(answer->msg, (answer->n + 1) * sizeof(*more));

	if (!more)
		err(EXIT_KERNEL, NULL);
	answer->msg = more;
	more[answer->n] = malloc(nlh->nlmsg_len);
	if (!more[answer->n])
		err(EXIT_KERNEL, NULL);
	memcpy(more[answer->n++], nlh, nlh->nlmsg_len);
}

void nl_free(struct msgs *answer)
{
	while (answer->n)
		free(answer->msg[--answer->n]);
	free(answer->msg);
	*answer = (struct msgs){ 0 };
}

/* Keeps the messages of one datagram.  Returns false after the last. */
static bool take(struct msgs *answer, const char *buf, int len, __u32 number)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)buf;

	for (; mnl_nlmsg_ok(nlh, len); nlh = mnl_nlmsg_next(nlh, &len)) {
		if (nlh->nlmsg_seq != number)
			continue;
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			answer->twice = true;
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR) {
			check_end(answer, nlh);
			return false;
		}
		if (nlh->nlmsg_type >= NLMSG_MIN_TYPE)
			keep(answer, nlh);
	}
	return true;
}

static void ask_once(struct request *req, struct msgs *answer)
{
	static char buf[RECEIVE];
	ssize_t n;

	if (mnl_socket_sendto(sock, req->nlh, req->nlh->nlmsg_len) < 0)
		err(EXIT_KERNEL, "netlink");
	do {
		n = mnl_socket_recvfrom(sock, buf, sizeof(buf));
		if (n < 0)
			err(EXIT_KERNEL, "netlink");
	} while (take(answer, buf, n, req->nlh->nlmsg_seq));
}

bool nl_try(struct request *req, struct msgs *answer)
{
	unsigned int tries;

	for (tries = 0; tries < TRIES; tries++) {
		*answer = (struct msgs){ 0 };
		ask_once(req, answer);
		if (answer->error || !answer->twice)
			break;
		if (tries + 1 < TRIES)
			nl_free(answer);
		req->nlh->nlmsg_seq = ++seq;
	}
	return !answer->error;
}

void nl_ask(struct request *req, struct msgs *answer)
{
	if (!nl_try(req, answer))
		errx(EXIT_KERNEL, "%s", answer->why);
}

static int find_group(const struct nlattr *attr, void *data)
{
	const struct nlattr **tb = data;

	if (mnl_attr_get_type(attr) <= CTRL_ATTR_MCAST_GRP_MAX)
		tb[mnl_attr_get_type(attr)] = attr;
	return MNL_CB_OK;
}

static int find_family(const struct nlattr *attr, void *data)
{
	const struct nlattr *tb[CTRL_ATTR_MCAST_GRP_MAX + 1], *g;

	(void)data;
	if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
		family = mnl_attr_get_u16(attr);
	if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
		return MNL_CB_OK;
	mnl_attr_for_each_nested(g, attr) {
		memset(tb, 0, sizeof(tb));
		mnl_attr_parse_nested(g, find_group, tb);
		if (tb[CTRL_ATTR_MCAST_GRP_ID] && nr_groups < MNL_ARRAY_SIZE(groups))
			groups[nr_groups++] = mnl_attr_get_u32(tb[CTRL_ATTR_MCAST_GRP_ID]);
	}
	return MNL_CB_OK;
}

/* The kernel has the family when its module is loaded, and loads it on demand. */
static void find_ids(const char *name, const char *module)
{
	struct request req;
	struct msgs answer;

	request_begin(&req, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(req.nlh, CTRL_ATTR_FAMILY_NAME, name);
	if (nl_try(&req, &answer) && answer.n)
		mnl_attr_parse(answer.msg[0], sizeof(struct genlmsghdr), find_family, NULL);
	nl_free(&answer);
	if (!family)
		errx(EXIT_KERNEL,
		     "the kernel does not know the netlink family %s (is the module %s loaded?)",
		     name, module);
}

void nl_open(const char *name, const char *module)
{
	static const int options[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK };
	int one = 1;
	size_t i;

	if (sock)
		return;
	sock = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!sock || mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID) < 0)
		err(EXIT_KERNEL, "netlink");
	for (i = 0; i < MNL_ARRAY_SIZE(options); i++)
		if (mnl_socket_setsockopt(sock, options[i], &one, sizeof(one)) < 0)
			err(EXIT_KERNEL, "netlink");
	find_ids(name, module);
}

void nl_join(void)
{
	size_t i;

	for (i = 0; i < nr_groups; i++)
		if (mnl_socket_setsockopt(sock, NETLINK_ADD_MEMBERSHIP, &groups[i],
					  sizeof(groups[i])) < 0)
			err(EXIT_KERNEL, "netlink");
}

bool nl_event(const struct nlmsghdr **nlh)
{
	static char buf[RECEIVE];
	ssize_t n;

	for (;;) {
		n = mnl_socket_recvfrom(sock, buf, sizeof(buf));
		if (n < 0 && errno == ENOBUFS)
			return false;
		if (n < 0)
			err(EXIT_KERNEL, "netlink");
		*nlh = (const struct nlmsghdr *)buf;
		if (mnl_nlmsg_ok(*nlh, n) && (*nlh)->nlmsg_type == family)
			return true;
	}
}
