// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: what joins a card, segmentation and reassembly.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "netdev.h"
#include "port.h"
#include "regs.h"
#include "tm.h"
#include "tm_q.h"

static bool rio9_mtu_valid(unsigned int mtu)
{
	return mtu >= RIO9_MTU_MIN && mtu <= RIO9_MTU_MAX && mtu % RIO9_MTU_STEP == 0;
}

/* Twice in the time after which a context is closed, while there is one */
static void rio9_expire_later(struct rio9_port *port)
{
	struct rio9_reassembly *r = &port->reassembly;

	lockdep_assert_held(&r->lock);
	if (!list_empty(&r->age) && !delayed_work_pending(&port->expire))
		queue_delayed_work(system_power_efficient_wq, &port->expire, r->timeout / 2);
}

static void rio9_expire(struct work_struct *work)
{
	struct rio9_port *port = container_of(to_delayed_work(work), struct rio9_port, expire);
	struct rio9_reassembly *r = &port->reassembly;
	bool more;

	do {
		spin_lock_bh(&r->lock);
		more = rio9_reassembly_expire(r, jiffies);
		rio9_expire_later(port);
		spin_unlock_bh(&r->lock);
	} while (more);
}

/**
 * rio9_port_create - a card has a port
 * @ops: how it sends; stays the card's
 * @caps: what it can do
 * @priv: for the card
 *
 * The port has no ID, the largest MTU and no peers.
 *
 * Context: process.
 * Return: the port, or an error pointer.
 */
struct rio9_port *rio9_port_create(const struct rio9_port_ops *ops, const struct rio9_caps *caps,
				   void *priv)
{
	struct rio9_port *port;
	int err;

	if (!ops->xmit_packet == !ops->xmit_pdu || !caps->channels ||
	    !caps->max_pdu || caps->max_pdu > RIO9_PDU_MAX ||
	    !caps->contexts || caps->contexts > RIO9_CONTEXTS_MAX)
		return ERR_PTR(-EINVAL);
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return ERR_PTR(-ENOMEM);
	port->ops = ops;
	port->caps = *caps;
	port->priv = priv;
	port->mtu = RIO9_MTU_MAX;
	rio9_regs_init(port);
	__skb_queue_head_init(&port->good);
	err = rio9_reassembly_init(&port->reassembly, port->mtu, caps->max_pdu, caps->contexts);
	if (err) {
		kfree(port);
		return ERR_PTR(err);
	}
	INIT_DELAYED_WORK(&port->expire, rio9_expire);
	return port;
}
EXPORT_SYMBOL_GPL(rio9_port_create);

/**
 * rio9_port_destroy - the port of a card goes
 * @port: the port; its card neither hands over anything nor is sending
 *
 * Context: process.
 */
void rio9_port_destroy(struct rio9_port *port)
{
	rio9_regs_destroy(port);
	cancel_delayed_work_sync(&port->expire);
	rio9_reassembly_destroy(&port->reassembly);
	__skb_queue_purge(&port->good);
	kfree_skb(port->sending.skb);
	kfree(port);
}
EXPORT_SYMBOL_GPL(rio9_port_destroy);

/**
 * rio9_port_priv - what a card has given with its port
 * @port: the port
 *
 * Context: any.
 * Return: it.
 */
void *rio9_port_priv(const struct rio9_port *port)
{
	return port->priv;
}
EXPORT_SYMBOL_GPL(rio9_port_priv);

/**
 * rio9_port_caps - what the card of a port can do
 * @port: the port
 *
 * Context: any.
 * Return: it, as given to rio9_port_create().
 */
const struct rio9_caps *rio9_port_caps(const struct rio9_port *port)
{
	return &port->caps;
}
EXPORT_SYMBOL_GPL(rio9_port_caps);

/**
 * rio9_port_set_id - a port gets its ID
 * @port: the port
 * @id: the ID; all ones take it away
 *
 * Context: any.
 * Return: 0, or -EINVAL if the IDs of the port are smaller.
 */
int rio9_port_set_id(struct rio9_port *port, u16 id)
{
	if (id > rio9_id_unknown(port))
		return -EINVAL;
	rio9_regs_set_id(port, id);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_port_set_id);

/**
 * rio9_port_set_mtu - the MTU of the system is another
 * @port: the port
 * @mtu: 32 to 256 in steps of 4, 5.5.1
 *
 * PDUs that are being received are lost, and counted; those that are being sent are finished
 * with the MTU that they began with.
 *
 * Context: any but hard interrupts.
 * Return: 0, or -EINVAL for another number.
 */
int rio9_port_set_mtu(struct rio9_port *port, unsigned int mtu)
{
	if (!rio9_mtu_valid(mtu))
		return -EINVAL;
	spin_lock_bh(&port->reassembly.lock);
	WRITE_ONCE(port->mtu, mtu);
	rio9_reassembly_set_mtu(&port->reassembly, mtu);
	spin_unlock_bh(&port->reassembly.lock);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_port_set_mtu);

/**
 * rio9_port_add_peer - another endpoint is known
 * @port: the port
 * @id: ID of the other
 *
 * Only known endpoints have segmentation contexts, 3.2.4.
 *
 * Context: process.
 * Return: 0, -EINVAL if no endpoint of its fabric can have that ID, -EEXIST or -ENOMEM.
 */
int rio9_port_add_peer(struct rio9_port *port, u16 id)
{
	if (id >= rio9_id_unknown(port))
		return -EINVAL;
	return rio9_reassembly_add_source(&port->reassembly, id);
}
EXPORT_SYMBOL_GPL(rio9_port_add_peer);

/**
 * rio9_port_del_peer - another endpoint is not known any more
 * @port: the port
 * @id: ID of the other
 *
 * Context: process.
 */
void rio9_port_del_peer(struct rio9_port *port, u16 id)
{
	rio9_reassembly_del_source(&port->reassembly, id);
}
EXPORT_SYMBOL_GPL(rio9_port_del_peer);

/* Whoever fetches too little loses what came last, and no more memory is taken */
static void rio9_keep(struct rio9_port *port, struct sk_buff *skb)
{
	lockdep_assert_held(&port->reassembly.lock);
	if (port->good_size + skb->truesize > RIO9_PORT_KEEP) {
		rio9_count(&port->reassembly, RIO9_STAT_NO_ROOM);
		kfree_skb(skb);
		return;
	}
	port->good_size += skb->truesize;
	__skb_queue_tail(&port->good, skb);
	if (port->user)
		napi_schedule(&port->user->napi);
}

/* Nobody obeys them yet */
static void rio9_rx_tm(struct rio9_port *port, const struct rio9_packet *p)
{
	if (rio9_tm_operand_valid(p->tm.wildcard, p->tm.mask) &&
	    rio9_tm_parse(&p->tm).says != RIO9_TM_RESERVED)
		rio9_count(&port->reassembly, RIO9_STAT_TM);
	else
		rio9_count(&port->reassembly, RIO9_STAT_TM_RESERVED);
}

static void rio9_rx_good(struct rio9_port *port, const struct rio9_packet *p)
{
	struct sk_buff *skb;

	/* A device that is down takes nothing */
	if (port->dev && !port->user)
		return;
	/* An endpoint has IDs of one size */
	if (p->large != port->caps.large || p->dst != READ_ONCE(port->id) ||
	    !rio9_regs_has_id(port)) {
		rio9_count(&port->reassembly, RIO9_STAT_NOT_OURS);
		return;
	}
	if (p->kind == RIO9_TM) {
		rio9_rx_tm(port, p);
		return;
	}
	skb = rio9_reassembly_rx(&port->reassembly, p, jiffies);
	if (skb)
		rio9_keep(port, skb);
	rio9_expire_later(port);
}

/**
 * rio9_rx_packet - a packet has come
 * @port: the port of the card that it came to
 * @packet: the packet, from ackID on, without CRC
 * @len: bytes of it
 *
 * Anything may be in it: what is wrong is counted.  Packets of one physical channel are
 * handed over in the order in which they came.
 *
 * Context: any but hard interrupts.
 */
void rio9_rx_packet(struct rio9_port *port, const void *packet, unsigned int len)
{
	static const enum rio9_stat wrong[] = {
		[RIO9_MALFORMED] = RIO9_STAT_MALFORMED,
		[RIO9_BAD_TT] = RIO9_STAT_BAD_TT,
		[RIO9_OTHER_FTYPE] = RIO9_STAT_OTHER_FTYPE,
		[RIO9_BAD_XTYPE] = RIO9_STAT_BAD_XTYPE,
	};
	enum rio9_verdict verdict;
	struct rio9_packet p;

	verdict = rio9_decode(&p, packet, len);
	spin_lock_bh(&port->reassembly.lock);
	if (verdict == RIO9_GOOD)
		rio9_rx_good(port, &p);
	else
		rio9_count(&port->reassembly, wrong[verdict]);
	spin_unlock_bh(&port->reassembly.lock);
}
EXPORT_SYMBOL_GPL(rio9_rx_packet);

/**
 * rio9_rx_gap - packets that should have come before the next are lost
 * @port: the port of the card that knows it
 * @source: their source ID
 * @channel: their physical channel
 *
 * Type 9 has no number in a packet.  A card that has one uses it: the PDU that was begun on the
 * channel is defective.
 *
 * Context: any but hard interrupts.
 */
void rio9_rx_gap(struct rio9_port *port, u16 source, u8 channel)
{
	spin_lock_bh(&port->reassembly.lock);
	rio9_reassembly_gap(&port->reassembly, source, READ_ONCE(port->id), channel);
	spin_unlock_bh(&port->reassembly.lock);
}
EXPORT_SYMBOL_GPL(rio9_rx_gap);

/**
 * rio9_rx_pdu - a card that joins segments itself has a PDU
 * @port: its port
 * @skb: the PDU; is taken
 * @pdu: its label
 *
 * Context: any but hard interrupts.
 */
void rio9_rx_pdu(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu)
{
	*rio9_skb_pdu(skb) = *pdu;
	spin_lock_bh(&port->reassembly.lock);
	if (port->dev && !port->user) {
		kfree_skb(skb);
	} else if (skb->len <= port->caps.max_pdu) {
		rio9_count(&port->reassembly, RIO9_STAT_PDUS);
		port->reassembly.stats[RIO9_STAT_BYTES] += skb->len;
		rio9_keep(port, skb);
	} else {
		rio9_count(&port->reassembly, RIO9_STAT_OVER_MAX_PDU);
		kfree_skb(skb);
	}
	spin_unlock_bh(&port->reassembly.lock);
}
EXPORT_SYMBOL_GPL(rio9_rx_pdu);

/**
 * rio9_rx_bad_pdu - a card that joins segments itself has lost a PDU
 * @port: its port
 * @why: what was wrong
 *
 * Context: any but hard interrupts.
 */
void rio9_rx_bad_pdu(struct rio9_port *port, enum rio9_stat why)
{
	spin_lock_bh(&port->reassembly.lock);
	rio9_count(&port->reassembly, why);
	spin_unlock_bh(&port->reassembly.lock);
}
EXPORT_SYMBOL_GPL(rio9_rx_bad_pdu);

/**
 * rio9_port_read - fetch a PDU that has arrived
 * @port: the port
 *
 * Context: any but hard interrupts.
 * Return: the first of them, or NULL.  rio9_skb_pdu() tells its label.
 */
struct sk_buff *rio9_port_read(struct rio9_port *port)
{
	struct sk_buff *skb;

	spin_lock_bh(&port->reassembly.lock);
	skb = __skb_dequeue(&port->good);
	if (skb)
		port->good_size -= skb->truesize;
	spin_unlock_bh(&port->reassembly.lock);
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_read);

/**
 * rio9_port_stats - what a port has counted
 * @port: the port
 * @stats: get it
 *
 * Context: any but hard interrupts.
 */
void rio9_port_stats(struct rio9_port *port, u64 stats[RIO9_STATS])
{
	spin_lock_bh(&port->reassembly.lock);
	memcpy(stats, port->reassembly.stats, sizeof(port->reassembly.stats));
	spin_unlock_bh(&port->reassembly.lock);
	rio9_regs_stats(port, stats);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_stats);

/**
 * rio9_port_up - the device of a port goes up or down
 * @port: the port
 * @user: the device, which is told of PDUs from now on; NULL if it takes none any more
 *
 * PDUs that have not been fetched when it goes down are freed.
 *
 * Context: process.
 */
void rio9_port_up(struct rio9_port *port, struct rio9_netdev *user)
{
	spin_lock_bh(&port->reassembly.lock);
	port->user = user;
	if (!user) {
		__skb_queue_purge(&port->good);
		port->good_size = 0;
	}
	spin_unlock_bh(&port->reassembly.lock);
}

/**
 * rio9_port_channel - the physical channel of a class
 * @cos: the class
 *
 * The two most significant bits choose among the flows A, B, C and E.
 *
 * Return: the channel.
 */
u8 rio9_port_channel(u8 cos)
{
	static const u8 flows[] = { RIO9_FLOW_A, RIO9_FLOW_B, RIO9_FLOW_C, RIO9_FLOW_E };

	return flows[cos >> 6];
}

/* If the card has no room for this, the destination has its time-out */
static void rio9_xmit_abort(struct rio9_port *port)
{
	u8 packet[RIO9_PACKET_MAX];
	unsigned int len;

	len = rio9_segment_abort(&port->sending.segmenter, packet);
	if (len)
		port->ops->xmit_packet(port, packet, len);
}

static int rio9_xmit_segments(struct rio9_port *port)
{
	struct rio9_segmenter *s = &port->sending.segmenter;
	u8 packet[RIO9_PACKET_MAX];
	int len, err;

	while ((len = rio9_segment_make(s, packet)) > 0) {
		err = port->ops->xmit_packet(port, packet, len);
		if (err == -EBUSY)
			return err;
		if (err) {
			rio9_xmit_abort(port);
			return err;
		}
		rio9_segment_sent(s);
	}
	if (len < 0)
		rio9_xmit_abort(port);
	return len;
}

/**
 * rio9_port_resume - go on with the PDU that the card had no room for
 * @port: the port
 *
 * Context: any but hard interrupts.
 * Return: -EBUSY if there still is no room for all of it; otherwise it is done with: 0, or why
 * the PDU was not sent, or not all of it.
 */
int rio9_port_resume(struct rio9_port *port)
{
	struct sk_buff *skb = port->sending.skb;
	int err;

	if (port->ops->xmit_pdu)
		err = port->ops->xmit_pdu(port, skb, &port->sending.pdu);
	else
		err = rio9_xmit_segments(port);
	if (err == -EBUSY)
		return err;
	port->sending.skb = NULL;
	if (err)
		kfree_skb(skb);
	else if (!port->ops->xmit_pdu)
		consume_skb(skb);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_resume);

/**
 * rio9_port_give_up - give up the PDU that the card had no room for, if there is one
 * @port: the port
 *
 * Context: any but hard interrupts.
 */
void rio9_port_give_up(struct rio9_port *port)
{
	if (!port->sending.skb)
		return;
	if (!port->ops->xmit_pdu)
		rio9_xmit_abort(port);
	kfree_skb(port->sending.skb);
	port->sending.skb = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_give_up);

/**
 * rio9_port_xmit - send a PDU
 * @port: the port
 * @skb: the PDU; is taken
 * @pdu: where it goes, and how
 *
 * One PDU is sent at a time, 3.2.5 segmentation rule 1: after -EBUSY the caller waits for
 * rio9_port_wake() and calls rio9_port_resume() until that returns something else.
 *
 * Context: any but hard interrupts.
 * Return: -EBUSY if the card had no room for all of it; otherwise it is done with: 0, or why the
 * PDU was not sent, or not all of it.
 */
int rio9_port_xmit(struct rio9_port *port, struct sk_buff *skb, const struct rio9_pdu *pdu)
{
	int err = -EINVAL;

	if (pdu->channel >= RIO9_CHANNELS || !(port->caps.channels & BIT(pdu->channel)) ||
	    pdu->peer >= rio9_id_unknown(port))
		goto out;
	if (port->ops->xmit_pdu)
		err = skb->len && skb->len <= RIO9_PDU_MAX ? 0 : -EMSGSIZE;
	else
		err = rio9_segment_begin(&port->sending.segmenter, skb, pdu, READ_ONCE(port->id),
					 port->caps.large, READ_ONCE(port->mtu));
	if (err)
		goto out;
	port->sending.skb = skb;
	port->sending.pdu = *pdu;
	return rio9_port_resume(port);
out:
	kfree_skb(skb);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_xmit);

MODULE_DESCRIPTION("RapidIO Type 9 data streaming");
MODULE_LICENSE("GPL");
