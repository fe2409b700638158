// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: registration of the family, and its event.
 */
#include <linux/module.h>
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink_message.h"
#include "port.h"

/* Tell listeners in the namespace of a device; in softirq.  Return: whether there are any */
static bool rio9_nl_message_event(struct net_device *dev, const struct rio9_tm_user *msg)
{
	struct net *net = dev_net(dev);
	struct sk_buff *skb;
	void *hdr;

	if (!genl_has_listeners(&rio9_nl_family, net, RIO9_NLGRP_MESSAGES))
		return false;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_ATOMIC);
	if (!skb) {
		/* They learn that a message is missing */
		genl_set_err(&rio9_nl_family, net, 0, RIO9_NLGRP_MESSAGES, -ENOBUFS);
		return true;
	}
	hdr = genlmsg_put(skb, 0, 0, &rio9_nl_family, 0, RIO9_CMD_MESSAGE_NTF);
	if (WARN_ON_ONCE(rio9_nl_put_message(skb, dev, msg))) {
		nlmsg_free(skb);
		return true;
	}
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&rio9_nl_family, net, skb, 0, RIO9_NLGRP_MESSAGES, GFP_ATOMIC);
	return true;
}

static int __init rio9_init(void)
{
	rio9_port_listener = rio9_nl_message_event;
	return genl_register_family(&rio9_nl_family);
}

static void __exit rio9_exit(void)
{
	genl_unregister_family(&rio9_nl_family);
}

module_init(rio9_init);
module_exit(rio9_exit);
MODULE_ALIAS_GENL_FAMILY(RIO9_FAMILY_NAME);
