// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: what joins a card, segmentation and reassembly.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "netdev.h"
#include "port.h"
#include "regs.h"
#include "tm_engine.h"
#include "tm_user.h"

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
 * rio9_port_wake - the card of a port has room again
 * @port: the port, registered
 *
 * To be called after a -EBUSY of struct rio9_port_ops.
 *
 * Context: any.
 */
void rio9_port_wake(struct rio9_port *port)
{
	rio9_netdev_schedule(&port->up, true);
}
EXPORT_SYMBOL_GPL(rio9_port_wake);

static u64 rio9_port_now(struct rio9_port *port)
{
	return ktime_get_ns();
}

/* A message has come, or it is time for something: streams that were held may perhaps go */
static void rio9_port_kick(struct rio9_port *port)
{
	set_bit(RIO9_SEND_RELEASE, &port->send.flags);
	rio9_port_wake(port);
}

/* Set before there are ports */
bool (*rio9_port_listener)(struct net_device *dev, const struct rio9_tm_user *msg) __ro_after_init;

static bool rio9_port_event(struct rio9_port *port, const struct rio9_tm_user *msg)
{
	struct rio9_netdev *nd;
	bool told = false;

	rcu_read_lock();
	nd = rcu_dereference(port->up);
	if (nd)
		told = rio9_port_listener(nd->dev, msg);
	rcu_read_unlock();
	return told;
}

static const struct rio9_tm_ops rio9_port_tm_ops = {
	.now = rio9_port_now,
	.kick = rio9_port_kick,
	.event = rio9_port_event,
	.disabled = rio9_regs_disabled,
};

/*
 * The flows A, B, C and E, as far as the card has them: a class whose flow it does not have
 * takes the next lower one, or the lowest.
 */
static void rio9_port_default_map(const struct rio9_caps *caps, u8 channels[RIO9_TM_FLOWS])
{
	static const u8 flows[] = { RIO9_FLOW_A, RIO9_FLOW_B, RIO9_FLOW_C, RIO9_FLOW_E };
	unsigned int i;

	for (i = 0; i < RIO9_TM_FLOWS; i++) {
		u16 lower = caps->channels & GENMASK(flows[i], 0);

		channels[i] = lower ? __fls(lower) : __ffs(caps->channels);
	}
}

/* A card that cuts PDUs itself, and has no way to send messages, has no traffic management */
static void rio9_port_init_tm(struct rio9_port *port)
{
	u8 channels[RIO9_TM_FLOWS];

	rio9_port_default_map(&port->caps, channels);
	rio9_tm_init(&port->tm, &rio9_port_tm_ops, port, channels, true);
	if (!port->ops->xmit_packet && !port->ops->xmit_message)
		port->tm.types = 0;
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

	if (!ops->xmit_packet == !ops->xmit_pdu || (ops->xmit_message && ops->xmit_packet) ||
	    !caps->channels ||
	    !caps->max_pdu || caps->max_pdu > RIO9_PDU_MAX ||
	    !caps->contexts || caps->contexts > RIO9_CONTEXTS_MAX)
		return ERR_PTR(-EINVAL);
	port = kvzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return ERR_PTR(-ENOMEM);
	port->ops = ops;
	port->caps = *caps;
	port->priv = priv;
	port->mtu = RIO9_MTU_MAX;
	rio9_regs_init(port);
	rio9_send_init(port);
	rio9_viq_init(port);
	mutex_init(&port->peers_lock);
	xa_init(&port->users);
	xa_init_flags(&port->max_pdus, XA_FLAGS_LOCK_BH);
	err = rio9_reassembly_init(&port->reassembly, port->mtu, caps->max_pdu, caps->contexts);
	if (err) {
		kvfree(port);
		return ERR_PTR(err);
	}
	rio9_port_init_tm(port);
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
	cancel_work_sync(&port->regs.work);
	cancel_delayed_work_sync(&port->expire);
	rio9_send_stop(port);
	rio9_viq_close(port, true);
	rio9_tm_destroy(&port->tm);
	rio9_reassembly_destroy(&port->reassembly);
	WARN_ON(!xa_empty(&port->users));
	xa_destroy(&port->users);
	xa_destroy(&port->max_pdus);
	kvfree(port);
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
 * Only known endpoints have segmentation contexts, 3.2.4, and only their traffic management
 * messages are obeyed.
 *
 * Context: process.
 * Return: 0, -EINVAL if no endpoint of its fabric can have that ID, -EEXIST or -ENOMEM.
 */
int rio9_port_add_peer(struct rio9_port *port, u16 id)
{
	int err;

	if (id >= rio9_id_unknown(port))
		return -EINVAL;
	mutex_lock(&port->peers_lock);
	err = rio9_reassembly_add_source(&port->reassembly, id);
	if (err)
		goto out;
	err = rio9_tm_add_peer(&port->tm, id);
	if (err)
		rio9_reassembly_del_source(&port->reassembly, id);
out:
	mutex_unlock(&port->peers_lock);
	return err;
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
	mutex_lock(&port->peers_lock);
	rio9_reassembly_del_source(&port->reassembly, id);
	rio9_tm_del_peer(&port->tm, id);
	xa_erase_bh(&port->max_pdus, id);
	mutex_unlock(&port->peers_lock);
}
EXPORT_SYMBOL_GPL(rio9_port_del_peer);

/**
 * rio9_port_set_peer_max_pdu - the longest PDU that a peer takes is known
 * @port: the port
 * @id: ID of the peer
 * @max_pdu: bytes, as its Data Streaming Information CAR has them, 5.4.3: 1 to RIO9_PDU_MAX
 *
 * Longer PDUs for it are dropped and counted, 3.2.4.  Without this call none are.
 *
 * Context: process.
 * Return: 0, -EINVAL for another number or for what is no ID, or -ENOMEM.
 */
int rio9_port_set_peer_max_pdu(struct rio9_port *port, u16 id, u32 max_pdu)
{
	if (!max_pdu || max_pdu > RIO9_PDU_MAX || id >= rio9_id_unknown(port))
		return -EINVAL;
	return xa_err(xa_store_bh(&port->max_pdus, id, xa_mk_value(max_pdu), GFP_KERNEL));
}
EXPORT_SYMBOL_GPL(rio9_port_set_peer_max_pdu);

/**
 * rio9_port_channel - the physical channel of a class
 * @port: the port
 * @cos: the class
 *
 * The two most significant bits choose one of four.
 *
 * Context: any.
 * Return: the channel.
 */
u8 rio9_port_channel(const struct rio9_port *port, u8 cos)
{
	return READ_ONCE(port->tm.channels[cos >> 6]);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_channel);

/**
 * rio9_tm_send - send a message that users have defined, 3.4.5 SF4
 * @port: the port
 * @destination: where it goes
 * @msg: the message; its @peer is not looked at
 *
 * Context: any but hard interrupts.
 * Return: 0, -EINVAL if it means something else, or nothing, -EOPNOTSUPP if the TM mode does
 * not have it, -ENETDOWN if the device of the port is down, -EHOSTUNREACH if the destination
 * is not known, or -ENOBUFS if too many messages to it wait.
 */
int rio9_tm_send(struct rio9_port *port, u16 destination, const struct rio9_tm_user *msg)
{
	if (!rcu_access_pointer(port->up))
		return -ENETDOWN;
	return rio9_tm_send_user(&port->tm, destination, msg);
}
EXPORT_SYMBOL_GPL(rio9_tm_send);

/**
 * rio9_port_set_channels - the map from class of service to physical channel is another
 * @port: the port
 * @channels: for each value of the two most significant bits of a class, 2.5
 *
 * PDUs whose queue is not empty go on over the channel that it has.
 *
 * Context: any but hard interrupts.
 * Return: 0, or -EOPNOTSUPP if the card cannot send on one of them.
 */
int rio9_port_set_channels(struct rio9_port *port, const u8 channels[4])
{
	unsigned int i;

	for (i = 0; i < RIO9_TM_FLOWS; i++)
		if (channels[i] >= RIO9_CHANNELS || !(port->caps.channels & BIT(channels[i])))
			return -EOPNOTSUPP;
	spin_lock_bh(&port->tm.lock);
	for (i = 0; i < RIO9_TM_FLOWS; i++)
		WRITE_ONCE(port->tm.channels[i], channels[i]);
	spin_unlock_bh(&port->tm.lock);
	return 0;
}
EXPORT_SYMBOL_GPL(rio9_port_set_channels);

/* An endpoint has IDs of one size */
static bool rio9_rx_ours(const struct rio9_port *port, const struct rio9_packet *p)
{
	return p->large == port->caps.large && p->dst == READ_ONCE(port->id) &&
	       rio9_regs_has_id(port);
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
	struct sk_buff *skb = NULL;
	struct rio9_packet p;
	bool message = false;

	verdict = rio9_decode(&p, packet, len);
	spin_lock_bh(&port->reassembly.lock);
	if (verdict != RIO9_GOOD) {
		rio9_count(&port->reassembly, wrong[verdict]);
	} else if (READ_ONCE(port->viq.closed)) {
		/* A device that is down takes nothing */
	} else if (!rio9_rx_ours(port, &p)) {
		rio9_count(&port->reassembly, RIO9_STAT_NOT_OURS);
	} else if (p.kind == RIO9_TM) {
		message = true;
	} else {
		skb = rio9_reassembly_rx(&port->reassembly, &p, jiffies);
		rio9_expire_later(port);
	}
	spin_unlock_bh(&port->reassembly.lock);
	if (message)
		rio9_tm_rx(&port->tm, &p, ktime_get_ns());
	if (skb)
		rio9_viq_add(port, skb);
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
	bool good = skb->len <= port->caps.max_pdu && !READ_ONCE(port->viq.closed);

	*rio9_skb_pdu(skb) = *pdu;
	spin_lock_bh(&port->reassembly.lock);
	if (good) {
		rio9_count(&port->reassembly, RIO9_STAT_PDUS);
		port->reassembly.stats[RIO9_STAT_BYTES] += skb->len;
	} else if (skb->len > port->caps.max_pdu) {
		rio9_count(&port->reassembly, RIO9_STAT_OVER_MAX_PDU);
	}
	spin_unlock_bh(&port->reassembly.lock);
	if (good)
		rio9_viq_add(port, skb);
	else
		kfree_skb(skb);
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
 * rio9_port_stats - what a port has counted
 * @port: the port
 * @stats: get it
 *
 * Context: any but hard interrupts.
 */
void rio9_port_stats(struct rio9_port *port, u64 stats[RIO9_STATS])
{
	unsigned int i;

	spin_lock_bh(&port->reassembly.lock);
	memcpy(stats, port->reassembly.stats, sizeof(port->reassembly.stats));
	spin_unlock_bh(&port->reassembly.lock);
	/* Each of them counts something else */
	spin_lock_bh(&port->tm.lock);
	for (i = 0; i < RIO9_STATS; i++)
		stats[i] += port->tm.stats[i];
	spin_unlock_bh(&port->tm.lock);
	spin_lock_bh(&port->send.lock);
	for (i = 0; i < RIO9_STATS; i++)
		stats[i] += port->send.stats[i];
	spin_unlock_bh(&port->send.lock);
	spin_lock_bh(&port->viq.lock);
	stats[RIO9_STAT_NO_ROOM] += port->viq.no_room;
	spin_unlock_bh(&port->viq.lock);
	stats[RIO9_STAT_USER_NO_ROOM] += atomic64_read(&port->user_no_room);
	rio9_regs_stats(port, stats);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_port_stats);

MODULE_DESCRIPTION("RapidIO Type 9 data streaming");
MODULE_LICENSE("GPL");
