// SPDX-License-Identifier: GPL-2.0
/*
 * Users of a port, by streamID.
 *
 * A user gets the PDUs of a stream before other protocols of the stack, but after packet sockets
 * of all protocols, and may refuse them: then the source is asked to stop that stream, and no
 * other.
 */
#include <linux/export.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "port.h"
#include "tm_out.h"

static rx_handler_result_t rio9_user_rx(struct sk_buff **pskb)
{
	struct rio9_port *port = rio9_netdev_port((*pskb)->dev);
	struct rio9_user *user;
	struct sk_buff *skb;
	struct rio9_pdu pdu;

	user = xa_load(&port->users, be16_to_cpu((*pskb)->protocol));
	if (!user)
		return RX_HANDLER_PASS;
	skb = skb_share_check(*pskb, GFP_ATOMIC);
	if (!skb)
		return RX_HANDLER_CONSUMED;
	pdu = (struct rio9_pdu) {
		.peer = be16_to_cpu(rio9_skb_hdr(skb)->peer),
		.stream = be16_to_cpu(skb->protocol),
		.cos = rio9_skb_hdr(skb)->cos,
		.channel = rio9_skb_hdr(skb)->channel,
	};
	if (!user->rx(user, skb, &pdu))
		return RX_HANDLER_CONSUMED;
	kfree_skb(skb);
	atomic64_inc(&port->user_no_room);
	if (rio9_tm_is_managed(&port->tm))
		rio9_tm_user_room(&port->tm, &pdu, false);
	return RX_HANDLER_CONSUMED;
}

/**
 * rio9_user_register - get the PDUs of a stream that arrive at a device
 * @dev: a device that rio9_is_port()
 * @user: whose they are; stays the caller's
 *
 * The user unregisters when it gets NETDEV_UNREGISTER for the device, at the latest.
 *
 * Context: process, with RTNL.
 * Return: 0, -EINVAL for a stream whose PDUs are dropped, 0x8100 or 0x88a8, -EBUSY if the stream
 *	has a user, or the device is used for something else, or -ENOMEM.
 */
int rio9_user_register(struct net_device *dev, struct rio9_user *user)
{
	struct rio9_port *port = rio9_netdev_port(dev);
	bool first = xa_empty(&port->users);
	int err;

	ASSERT_RTNL();
	if (eth_type_vlan(cpu_to_be16(user->stream)))
		return -EINVAL;
	err = xa_insert(&port->users, user->stream, user, GFP_KERNEL);
	if (err || !first)
		return err;
	err = netdev_rx_handler_register(dev, rio9_user_rx, port);
	if (err)
		xa_erase(&port->users, user->stream);
	return err;
}
EXPORT_SYMBOL_GPL(rio9_user_register);

/**
 * rio9_user_unregister - get no more PDUs
 * @dev: the device
 * @user: what was registered; its @rx neither runs nor will after this
 *
 * Sources that were asked to stop the stream are told that it may go on.
 *
 * Context: process, with RTNL.
 */
void rio9_user_unregister(struct net_device *dev, struct rio9_user *user)
{
	struct rio9_port *port = rio9_netdev_port(dev);

	ASSERT_RTNL();
	xa_erase(&port->users, user->stream);
	if (xa_empty(&port->users))
		netdev_rx_handler_unregister(dev);
	synchronize_net();
	rio9_tm_user_gone(&port->tm, user->stream);
}
EXPORT_SYMBOL_GPL(rio9_user_unregister);

/**
 * rio9_user_room - a user that has refused PDUs has room again
 * @dev: the device
 * @pdu: label of the PDUs
 *
 * The source is told that the stream may go on.
 *
 * Context: any but hard interrupts.
 */
void rio9_user_room(struct net_device *dev, const struct rio9_pdu *pdu)
{
	rio9_tm_user_room(&rio9_netdev_port(dev)->tm, pdu, true);
}
EXPORT_SYMBOL_GPL(rio9_user_room);
