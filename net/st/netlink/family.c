// SPDX-License-Identifier: GPL-2.0
/* Generic netlink: registration of the family, and its notifications. */
#include <linux/module.h>

#include "netlink/genl.h"
#include "netlink/netlink.h"

/* The group of a notification; Virtual Connections, with their many events, have their own. */
static unsigned int st_nl_group(u8 cmd)
{
	return cmd == ST_CMD_VC_ESTABLISHED_NTF || cmd == ST_CMD_VC_END_NTF ? ST_NLGRP_VC :
									      ST_NLGRP_MGMT;
}

/*
 * Allocate a notification.  @hdr: for st_nl_event_send().  Return: the message, or NULL without
 * listeners or memory.
 */
static struct sk_buff *st_nl_event_new(struct net *net, u8 cmd, gfp_t gfp, void **hdr)
{
	unsigned int group = st_nl_group(cmd);
	struct sk_buff *skb;

	if (!genl_has_listeners(&st_nl_family, net, group))
		return NULL;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, gfp);
	if (!skb) {
		/* Listeners learn that a message is missing */
		genl_set_err(&st_nl_family, net, 0, group, -ENOBUFS);
		return NULL;
	}
	*hdr = genlmsg_put(skb, 0, 0, &st_nl_family, 0, cmd);
	return skb;
}

/* Send a notification; it is always consumed.  @err: result of filling it in */
static void st_nl_event_send(struct net *net, struct sk_buff *skb, void *hdr, int err, gfp_t gfp)
{
	u8 cmd;

	if (WARN_ON_ONCE(err)) {
		nlmsg_free(skb);
		return;
	}
	cmd = ((struct genlmsghdr *)(hdr - GENL_HDRLEN))->cmd;
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&st_nl_family, net, skb, 0, st_nl_group(cmd), gfp);
}

/**
 * st_nl_link_event - notify that a link was added, has changed or is being removed
 * @link: the link
 * @cmd: ST_CMD_LINK_ADD_NTF, ST_CMD_LINK_CHANGE_NTF or ST_CMD_LINK_DEL_NTF
 *
 * Context: under RTNL, may sleep; the LLP is still valid.
 */
void st_nl_link_event(struct st_link *link, u8 cmd)
{
	struct sk_buff *skb;
	void *hdr;

	skb = st_nl_event_new(link->net, cmd, GFP_KERNEL, &hdr);
	if (skb)
		st_nl_event_send(link->net, skb, hdr, st_nl_put_link(skb, link), GFP_KERNEL);
}

/**
 * st_nl_vc_event - notify that a Virtual Connection was set up or has ended
 * @st: the Virtual Connection
 * @before: its previous state
 *
 * Context: under st->lock.
 */
void st_nl_vc_event(struct st_sock *st, int before)
{
	bool up = st->sk.sk_state == ST_ESTABLISHED;
	bool was = before == ST_ESTABLISHED;
	struct net *net = sock_net(&st->sk);
	struct sk_buff *skb;
	void *hdr;
	int err;

	if (up == was)
		return;
	skb = st_nl_event_new(net, up ? ST_CMD_VC_ESTABLISHED_NTF : ST_CMD_VC_END_NTF,
			      GFP_ATOMIC, &hdr);
	if (!skb)
		return;
	rcu_read_lock();
	err = st_nl_put_vc(skb, st, net->user_ns);
	rcu_read_unlock();
	if (!err && !up && READ_ONCE(st->sk.sk_err))
		err = nla_put_u32(skb, ST_A_VC_ERROR, READ_ONCE(st->sk.sk_err));
	st_nl_event_send(net, skb, hdr, err, GFP_ATOMIC);
}

/**
 * st_nl_init - register the family
 *
 * Return: 0 or a negative errno.
 */
int __init st_nl_init(void)
{
	int err = st_nl_address_init();

	if (err)
		return err;
	err = genl_register_family(&st_nl_family);
	if (err)
		st_nl_address_exit();
	return err;
}

/**
 * st_nl_exit - undo st_nl_init()
 */
void st_nl_exit(void)
{
	genl_unregister_family(&st_nl_family);
	st_nl_address_exit();
}

MODULE_ALIAS_GENL_FAMILY(ST_FAMILY_NAME);
