// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: registration of the family, and its events.
 */
#include <linux/fc2.h>
#include <linux/module.h>

#include "event.h"
#include "family.h"
#include "genl.h"
#include "netlink_port.h"
#include "netlink_remote.h"

/* A message for listeners in the namespace of a port, if there are any; @hdr is for its end */
static struct sk_buff *fc2_nl_event_begin(const struct fc2_port *port, u8 cmd, void **hdr)
{
	struct net *net = fc2_port_net(port);
	struct sk_buff *skb;

	if (!genl_has_listeners(&fc2_nl_family, net, FC2_NLGRP_EVENTS))
		return NULL;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (skb)
		*hdr = genlmsg_put(skb, 0, 0, &fc2_nl_family, 0, cmd);
	else
		/* They learn that an event is missing */
		genl_set_err(&fc2_nl_family, net, 0, FC2_NLGRP_EVENTS, -ENOBUFS);
	return skb;
}

static void fc2_nl_event_end(const struct fc2_port *port, struct sk_buff *skb, void *hdr, int err)
{
	if (WARN_ON_ONCE(err)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&fc2_nl_family, fc2_port_net(port), skb, 0, FC2_NLGRP_EVENTS,
				GFP_KERNEL);
}

static void fc2_nl_port_event(struct fc2_port *port, enum fc2_event event)
{
	static const u8 cmds[] = {
		[FC2_EVENT_PORT_ADD] = FC2_CMD_PORT_ADD_NTF,
		[FC2_EVENT_PORT_DEL] = FC2_CMD_PORT_DEL_NTF,
		[FC2_EVENT_PORT_CHANGE] = FC2_CMD_PORT_CHANGE_NTF,
	};
	void *hdr;
	struct sk_buff *skb = fc2_nl_event_begin(port, cmds[event], &hdr);

	if (skb)
		fc2_nl_event_end(port, skb, hdr, fc2_nl_put_port(skb, port));
}

static void fc2_nl_neighbour_event(struct fc2_port *port, const struct fc2_neighbour *neighbour,
				   bool come)
{
	u8 cmd = come ? FC2_CMD_NEIGHBOUR_NEW_NTF : FC2_CMD_NEIGHBOUR_GONE_NTF;
	void *hdr;
	struct sk_buff *skb = fc2_nl_event_begin(port, cmd, &hdr);

	if (skb)
		fc2_nl_event_end(port, skb, hdr, fc2_nl_put_neighbour(skb, port, neighbour));
}

/* That a port is logged in with itself is no news */
static void fc2_nl_rport_event(const struct fc2_rport *rport, bool in)
{
	struct sk_buff *skb;
	void *hdr;

	if (rport->id == fc2_port_id(rport->port))
		return;
	skb = fc2_nl_event_begin(rport->port, in ? FC2_CMD_LOGIN_NTF : FC2_CMD_LOGOUT_NTF, &hdr);
	if (skb)
		fc2_nl_event_end(rport->port, skb, hdr, fc2_nl_put_rport(skb, rport));
}

static const struct fc2_listener fc2_nl_listener = {
	.port		= fc2_nl_port_event,
	.neighbour	= fc2_nl_neighbour_event,
	.rport		= fc2_nl_rport_event,
};

/**
 * fc2_family_register - begin to serve requests, and to tell of events
 *
 * Return: 0 or a negative errno.
 */
int fc2_family_register(void)
{
	int err = genl_register_family(&fc2_nl_family);

	if (!err)
		WRITE_ONCE(fc2_listener, &fc2_nl_listener);
	return err;
}

/**
 * fc2_family_unregister - end that; there may be ports
 */
void fc2_family_unregister(void)
{
	WRITE_ONCE(fc2_listener, NULL);
	genl_unregister_family(&fc2_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(FC2_FAMILY_NAME);
