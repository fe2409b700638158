// SPDX-License-Identifier: GPL-2.0
/*
 * ststat: commands that change something.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "addr.h"
#include "args.h"
#include "device.h"
#include "ststat.h"

/* Puts an NLA_UINT, as the kernel requires it: in four bytes if it fits. */
void put_uint(struct nlmsghdr *nlh, __u16 type, __u64 value)
{
	if (value > UINT32_MAX)
		mnl_attr_put_u64(nlh, type, value);
	else
		mnl_attr_put_u32(nlh, type, value);
}

/* Sends a request whose answer is only a status. */
static int change(struct request *req)
{
	struct msgs msgs;

	nl_ask(req, &msgs);
	nl_free(&msgs);
	return 0;
}

/* Attaches an LLP to a device, or detaches it.  Returns the exit status. */
int set_link(bool add, const char *dev, const char *llp, const struct link_settings *settings)
{
	__u32 ifindex = device_index(dev);
	struct request req;

	if (!ifindex)
		errx(EXIT_USAGE, "%s: %s", dev, strerror(errno));
	open_st();
	nl_request(&req, add ? ST_CMD_LINK_ADD : ST_CMD_LINK_DEL, false);
	mnl_attr_put_u32(req.nlh, ST_A_LINK_IFINDEX, ifindex);
	mnl_attr_put_strz_check(req.nlh, sizeof(req.room), ST_A_LINK_LLP, llp);
	if (settings->stu)
		put_uint(req.nlh, ST_A_LINK_STU, settings->stu);
	if (settings->reliability)
		mnl_attr_put_u32(req.nlh, ST_A_LINK_RELIABILITY, settings->reliability);
	return change(&req);
}

/* Puts one address: DEV LLP ADDRESS. */
static void put_address(struct request *req, char **args)
{
	const struct search where = { .ifindex = device_index(args[0]), .llp = args[1] };
	struct sockaddr_st addr;
	struct nlattr *nest;

	if (!where.ifindex)
		errx(EXIT_USAGE, "%s: %s", args[0], strerror(errno));
	find_address(args[2], &where, &addr);
	nest = mnl_attr_nest_start_check(req->nlh, sizeof(req->room), ST_A_STRIPE_ADDRESS);
	if (!nest ||
	    !mnl_attr_put_u32_check(req->nlh, sizeof(req->room), ST_A_HOST_ADDRESS_IFINDEX,
				    where.ifindex) ||
	    !mnl_attr_put_strz_check(req->nlh, sizeof(req->room), ST_A_HOST_ADDRESS_LLP,
				     args[1]) ||
	    !mnl_attr_put_check(req->nlh, sizeof(req->room), ST_A_HOST_ADDRESS_ADDRESS,
				addr.sst_alen, addr.sst_addr))
		misused("too many addresses");
	mnl_attr_nest_end(req->nlh, nest);
}

/*
 * Declares that the addresses in @n arguments belong to one host, or removes a host.
 * Returns the exit status.
 */
int set_stripe(bool add, char **args, unsigned int n)
{
	struct request req;
	unsigned int i;

	open_st();
	nl_request(&req, add ? ST_CMD_STRIPE_ADD : ST_CMD_STRIPE_DEL, false);
	for (i = 0; i < n; i += 3)
		put_address(&req, args + i);
	return change(&req);
}

/* Ends a Virtual Connection.  Returns the exit status. */
int set_vc_del(__u64 cookie)
{
	struct request req;

	open_st();
	nl_request(&req, ST_CMD_VC_DEL, false);
	put_uint(req.nlh, ST_A_VC_COOKIE, cookie);
	return change(&req);
}
