// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: registration of the family, and its events.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "family.h"
#include "genl.h"
#include "netlink_port.h"
#include "port.h"

/* Tell listeners in the namespace of a port what has happened to it */
static void hfp_nl_tell(struct hfp_port *port, u8 cmd)
{
	struct net *net = dev_net(port->dev);
	struct sk_buff *skb;
	void *hdr;

	ASSERT_RTNL();
	if (!genl_has_listeners(&hippi_nl_family, net, HIPPI_NLGRP_PORTS))
		return;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb) {
		/* They learn that an event is missing */
		genl_set_err(&hippi_nl_family, net, 0, HIPPI_NLGRP_PORTS, -ENOBUFS);
		return;
	}
	hdr = genlmsg_put(skb, 0, 0, &hippi_nl_family, 0, cmd);
	if (WARN_ON_ONCE(!hdr || hfp_nl_put_port(skb, port))) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&hippi_nl_family, net, skb, 0, HIPPI_NLGRP_PORTS, GFP_KERNEL);
}

static int hfp_nl_netdev_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct net_device *dev = netdev_notifier_info_to_dev(info);

	/* The core repeats NETDEV_UNREGISTER when a device is held for long; its carrier is gone */
	if (!hfp_is_port(dev) || dev->reg_state == NETREG_UNREGISTERED)
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_REGISTER:
		hfp_nl_tell(netdev_priv(dev), HIPPI_CMD_PORT_ADD_NTF);
		break;
	case NETDEV_UNREGISTER:
		hfp_nl_tell(netdev_priv(dev), HIPPI_CMD_PORT_DEL_NTF);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEADDR:
	case NETDEV_CHANGEMTU:
	case NETDEV_CHANGENAME:
		hfp_nl_tell(netdev_priv(dev), HIPPI_CMD_PORT_CHANGE_NTF);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block hfp_nl_notifier = {
	.notifier_call = hfp_nl_netdev_event,
};

/**
 * hfp_family_register - begin to serve requests, and to tell of events
 *
 * Context: process; there are no ports yet.
 * Return: 0 or a negative errno.
 */
int hfp_family_register(void)
{
	int err = genl_register_family(&hippi_nl_family);

	if (err)
		return err;
	err = register_netdevice_notifier(&hfp_nl_notifier);
	if (err)
		genl_unregister_family(&hippi_nl_family);
	return err;
}

/**
 * hfp_family_unregister - end that
 *
 * Context: process; there are no ports any more.
 */
void hfp_family_unregister(void)
{
	unregister_netdevice_notifier(&hfp_nl_notifier);
	genl_unregister_family(&hippi_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(HIPPI_FAMILY_NAME);
