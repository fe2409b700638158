// SPDX-License-Identifier: GPL-2.0
/*
 * ststat: what changes something.
 */
#include <errno.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "ststat.h"

/* Sends a request that is answered by its success. */
static int change(struct request *req)
{
	struct msgs msgs;

	nl_ask(req, &msgs);
	nl_free(&msgs);
	return 0;
}

/* Attaches an LLP to a device or detaches it.  Returns the exit status. */
int set_link(bool add, const char *dev, const char *llp)
{
	__u32 ifindex = device_index(dev);
	struct request req;

	if (!ifindex)
		errx(EXIT_USAGE, "%s: %s", dev, strerror(errno));
	nl_open();
	nl_request(&req, add ? ST_CMD_LINK_ADD : ST_CMD_LINK_DEL, false);
	mnl_attr_put_u32(req.nlh, ST_A_LINK_IFINDEX, ifindex);
	mnl_attr_put_strz_check(req.nlh, sizeof(req.room), ST_A_LINK_LLP, llp);
	return change(&req);
}

/* Says that two addresses are those of one host, or no more.  Returns the exit status. */
int set_stripe(bool add, char **args)
{
	static const __u16 attrs[][3] = {
		{ ST_A_STRIPE_IFINDEX, ST_A_STRIPE_LLP, ST_A_STRIPE_ADDRESS },
		{ ST_A_STRIPE_OTHER_IFINDEX, ST_A_STRIPE_OTHER_LLP, ST_A_STRIPE_OTHER_ADDRESS },
	};
	unsigned char ula[ULA_LEN];
	struct request req;
	__u32 ifindex;
	size_t i;

	nl_open();
	nl_request(&req, add ? ST_CMD_STRIPE_ADD : ST_CMD_STRIPE_DEL, false);
	for (i = 0; i < MNL_ARRAY_SIZE(attrs); i++, args += 3) {
		ifindex = device_index(args[0]);
		if (!ifindex)
			errx(EXIT_USAGE, "%s: %s", args[0], strerror(errno));
		if (!parse_ula(args[2], ula))
			misused("ULA is '%s', but must look like 02:00:5e:00:00:01", args[2]);
		mnl_attr_put_u32(req.nlh, attrs[i][0], ifindex);
		mnl_attr_put_strz_check(req.nlh, sizeof(req.room), attrs[i][1], args[1]);
		mnl_attr_put(req.nlh, attrs[i][2], sizeof(ula), ula);
	}
	return change(&req);
}
