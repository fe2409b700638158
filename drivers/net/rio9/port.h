/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: an endpoint of the fabric.
 */
#ifndef _RIO9_PORT_H
#define _RIO9_PORT_H

#include <linux/sizes.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

#include "reassembly.h"
#include "regs.h"
#include "segment.h"

struct net_device;
struct rio9_netdev;

/* What may wait for rio9_port_read(), as memory */
#define RIO9_PORT_KEEP	SZ_16M

/**
 * struct rio9_sending - the PDU that a port is sending
 * @skb: it; NULL if there is none
 * @pdu: its label
 * @segmenter: of a card that takes packets
 */
struct rio9_sending {
	struct sk_buff *skb;
	struct rio9_pdu pdu;
	struct rio9_segmenter segmenter;
};

/**
 * struct rio9_port - a port
 * @ops: how its card sends
 * @caps: what its card can do
 * @priv: the card's
 * @dev: its network device, NULL if it has none
 * @user: the device while it is up, under the lock of @reassembly
 * @id: its own ID; all ones until somebody has told it
 * @mtu: payload of a full segment
 * @regs: its registers
 * @sending: what the card has not yet taken all of; its users serialise
 * @reassembly: of what arrives; its lock is that of @good and @good_size, too, and its
 *	counters are the port's
 * @expire: closes contexts that are silent, and runs while there are any
 * @good: PDUs that wait for rio9_port_read()
 * @good_size: memory that they take
 */
struct rio9_port {
	const struct rio9_port_ops *ops;
	struct rio9_caps caps;
	void *priv;
	struct net_device *dev;
	struct rio9_netdev *user;
	u16 id;
	unsigned int mtu;
	struct rio9_regs regs;
	struct rio9_sending sending;
	struct rio9_reassembly reassembly;
	struct delayed_work expire;
	struct sk_buff_head good;
	size_t good_size;
};

u8 rio9_port_channel(u8 cos);
void rio9_port_up(struct rio9_port *port, struct rio9_netdev *user);
int rio9_port_xmit(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu);
int rio9_port_resume(struct rio9_port *port);
void rio9_port_give_up(struct rio9_port *port);
struct sk_buff *rio9_port_read(struct rio9_port *port);
void rio9_port_stats(struct rio9_port *port, u64 stats[RIO9_STATS]);

#endif
