// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "device.h"

/* The answer; its attributes are cut off. */
union answer {
	struct nlmsghdr	nlh;
	struct {
		struct nlmsghdr		nlh;
		struct ifinfomsg	link;
	} found;
	struct {
		struct nlmsghdr		nlh;
		struct nlmsgerr		err;
	} failed;
};

static ssize_t ask(const char *name, size_t len, union answer *answer)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct {
		struct nlmsghdr		nlh;
		struct ifinfomsg	link;
		struct rtattr		attr;
		char			name[ALTIFNAMSIZ];
	} req = {
		.nlh.nlmsg_type	= RTM_GETLINK,
		.nlh.nlmsg_flags	= NLM_F_REQUEST,
		/* The kernel finds both kinds of names by this attribute */
		.attr.rta_type	= IFLA_ALT_IFNAME,
		.attr.rta_len	= RTA_LENGTH(len),
	};
	int error, fd;
	ssize_t n;

	memcpy(req.name, name, len);
	req.nlh.nlmsg_len = NLMSG_LENGTH(sizeof(req.link)) + RTA_SPACE(len);
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		return -1;
	n = sendto(fd, &req, req.nlh.nlmsg_len, 0, (const struct sockaddr *)&kernel,
		   sizeof(kernel));
	if (n >= 0)
		n = recv(fd, answer, sizeof(*answer), 0);
	error = errno;
	close(fd);
	errno = error;
	return n;
}

unsigned int device_index(const char *name)
{
	size_t len = strlen(name) + 1;
	union answer answer = { 0 };
	ssize_t n;

	if (len == 1 || len > ALTIFNAMSIZ) {
		errno = ENODEV;
		return 0;
	}
	n = ask(name, len, &answer);
	if (n < 0)
		return 0;
	if (n >= (ssize_t)sizeof(answer.found) && answer.nlh.nlmsg_type == RTM_NEWLINK)
		return answer.found.link.ifi_index;
	errno = EPROTO;
	if (n >= (ssize_t)sizeof(answer.failed) && answer.nlh.nlmsg_type == NLMSG_ERROR)
		errno = -answer.failed.err.error;
	return 0;
}
