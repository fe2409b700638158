// SPDX-License-Identifier: GPL-2.0
/*
 * Packets are gathered in frames by peer and channel.  A frame goes out when it is full, at the
 * end of a PDU if the device below has nothing else to do, or a few microseconds after its
 * first packet.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/pkt_sched.h>
#include <net/sock.h>

#include "port.h"
#include "send.h"

/* How long a packet waits for others */
#define RIO9_ETH_WAIT_NS	(20 * NSEC_PER_USEC)

/* Memory of frames that the device below may have */
#define RIO9_ETH_IN_FLIGHT	SZ_512K

static bool rio9_eth_full(struct rio9_eth *e)
{
	return sk_wmem_alloc_get(e->sk) >= RIO9_ETH_IN_FLIGHT;
}

/* Of all frames that are being filled, or that the device below has, this is the only one */
static bool rio9_eth_alone(struct rio9_eth *e, const struct rio9_eth_tx *tx)
{
	return sk_wmem_alloc_get(e->sk) <= tx->skb->truesize;
}

static void rio9_eth_arm(struct rio9_eth *e)
{
	lockdep_assert_held(&e->lock);
	if (e->armed)
		return;
	e->armed = true;
	hrtimer_start(&e->timer, ns_to_ktime(RIO9_ETH_WAIT_NS), HRTIMER_MODE_REL_SOFT);
}

/* A port that is busy has the timer wake it; it gets busy with the lock held */
static void rio9_eth_disarm(struct rio9_eth *e)
{
	lockdep_assert_held(&e->lock);
	if (e->armed && !test_bit(0, &e->busy) && hrtimer_try_to_cancel(&e->timer) >= 0)
		e->armed = false;
}

static void rio9_eth_xmit_skb(struct rio9_eth *e, struct sk_buff *skb, const u8 *mac)
{
	int err;

	skb->dev = e->lower;
	skb->protocol = htons(RIO9_ETH_TYPE);
	skb_reset_network_header(skb);
	if (dev_hard_header(skb, e->lower, RIO9_ETH_TYPE, mac, e->lower->dev_addr, skb->len) < 0) {
		kfree_skb(skb);
		rio9_eth_count(e, RIO9_ETH_TX_DROPPED);
		return;
	}
	err = dev_queue_xmit(skb);
	if (net_xmit_eval(err))
		rio9_eth_count(e, RIO9_ETH_TX_DROPPED);
}

static struct sk_buff *rio9_eth_alloc(struct rio9_eth *e, unsigned int len)
{
	unsigned int head = LL_RESERVED_SPACE(e->lower);
	struct sk_buff *skb;

	skb = alloc_skb(head + len + e->lower->needed_tailroom, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb) {
		rio9_eth_count(e, RIO9_ETH_TX_NO_MEMORY);
		return NULL;
	}
	skb_reserve(skb, head);
	return skb;
}

/* The higher of two bits of priority counts: critical flows share the queue of the others */
static u32 rio9_eth_priority(u8 channel)
{
	static const u32 priorities[] = {
		TC_PRIO_BESTEFFORT, TC_PRIO_INTERACTIVE_BULK, TC_PRIO_INTERACTIVE,
		TC_PRIO_INTERACTIVE,
	};

	return priorities[FIELD_GET(RIO9_CHANNEL_PRIO, channel)];
}

static void rio9_eth_flush(struct rio9_eth *e, struct rio9_eth_peer *peer, u8 channel)
{
	struct rio9_eth_tx *tx = &peer->tx[channel];
	struct sk_buff *skb = tx->skb;
	struct rio9_eth_frame f = {
		.type = RIO9_ETH_DATA,
		.src = READ_ONCE(e->port->id),
		.dst = peer->id,
		.session = READ_ONCE(e->session),
		.data.channel = channel,
		.data.packets = tx->packets,
	};

	lockdep_assert_held(&e->lock);
	if (!skb)
		return;
	tx->skb = NULL;
	f.data.sequence = tx->sequence++;
	f.data.len = skb->len - RIO9_ETH_HDR - RIO9_ETH_DATA_HDR;
	rio9_eth_encode(skb->data, &f);
	rio9_eth_count(e, RIO9_ETH_TX_FRAMES);
	rio9_eth_add(e, RIO9_ETH_TX_PACKETS, tx->packets);
	rio9_eth_xmit_skb(e, skb, peer->mac);
}

/* Lower priority never overtakes higher, so the frames of higher channels go first */
static void rio9_eth_flush_down_to(struct rio9_eth *e, struct rio9_eth_peer *peer, u8 channel)
{
	int c;

	for (c = RIO9_CHANNELS - 1; c >= channel; c--)
		rio9_eth_flush(e, peer, c);
}

static int rio9_eth_open(struct rio9_eth *e, struct rio9_eth_peer *peer, u8 channel)
{
	struct rio9_eth_tx *tx = &peer->tx[channel];

	lockdep_assert_held(&e->lock);
	if (rio9_eth_full(e)) {
		set_bit(0, &e->busy);
		/* Either this sees that a frame was sent, or that frame sees that we wait */
		smp_mb__after_atomic();
		if (rio9_eth_full(e)) {
			rio9_eth_count(e, RIO9_ETH_TX_BUSY);
			return -EBUSY;
		}
	}
	tx->skb = rio9_eth_alloc(e, e->frame_max);
	if (!tx->skb)
		return -ENOMEM;
	skb_set_owner_w(tx->skb, e->sk);
	tx->skb->priority = rio9_eth_priority(channel);
	skb_put(tx->skb, RIO9_ETH_HDR + RIO9_ETH_DATA_HDR);
	tx->packets = 0;
	if (list_empty(&peer->open))
		list_add_tail(&peer->open, &e->open);
	return 0;
}

static int rio9_eth_append(struct rio9_eth *e, const struct rio9_eth_label *label,
			   const void *packet, unsigned int len)
{
	struct rio9_eth_peer *peer = xa_load(&e->peers, label->dst);
	unsigned int need = RIO9_ETH_PACKET_HDR + len;
	struct rio9_eth_tx *tx;
	int err;

	lockdep_assert_held(&e->lock);
	if (e->dead || !e->frame_max)
		return -ENETDOWN;
	if (!peer) {
		rio9_eth_count(e, RIO9_ETH_TX_NO_PEER);
		return -EHOSTUNREACH;
	}
	tx = &peer->tx[label->channel];
	if (tx->skb && (tx->skb->len + need > e->frame_max || tx->packets == U8_MAX ||
			skb_tailroom(tx->skb) < need))
		rio9_eth_flush_down_to(e, peer, label->channel);
	if (!tx->skb) {
		err = rio9_eth_open(e, peer, label->channel);
		if (err)
			return err;
	}
	rio9_eth_put_packet(skb_put(tx->skb, need), packet, len);
	tx->packets++;
	if (label->last && rio9_eth_alone(e, tx)) {
		rio9_eth_flush(e, peer, label->channel);
		rio9_eth_disarm(e);
	} else {
		rio9_eth_arm(e);
	}
	return 0;
}

static int rio9_eth_xmit_packet(struct rio9_port *port, const void *packet, unsigned int len)
{
	struct rio9_eth *e = rio9_port_priv(port);
	struct rio9_eth_label label;
	int err;

	if (!rio9_eth_label(&label, packet, len))
		return -EINVAL;
	spin_lock_bh(&e->lock);
	err = rio9_eth_append(e, &label, packet, len);
	spin_unlock_bh(&e->lock);
	return err;
}

const struct rio9_port_ops rio9_eth_ops = {
	.xmit_packet = rio9_eth_xmit_packet,
};

/**
 * rio9_eth_timer - send the frames that are being filled, and wake the port
 * @timer: that of an endpoint
 *
 * Return: HRTIMER_NORESTART.
 */
enum hrtimer_restart rio9_eth_timer(struct hrtimer *timer)
{
	struct rio9_eth *e = container_of(timer, struct rio9_eth, timer);
	struct rio9_eth_peer *peer, *next;

	spin_lock_bh(&e->lock);
	e->armed = false;
	list_for_each_entry_safe(peer, next, &e->open, open) {
		list_del_init(&peer->open);
		rio9_eth_flush_down_to(e, peer, 0);
	}
	spin_unlock_bh(&e->lock);
	if (sk_wmem_alloc_get(e->sk) < RIO9_ETH_IN_FLIGHT / 2 && test_and_clear_bit(0, &e->busy))
		rio9_port_wake(e->port);
	return HRTIMER_NORESTART;
}

/**
 * rio9_eth_write_space - the device below has sent a frame
 * @sk: the socket that counts its memory
 *
 * A device may send a frame, or drop it, inside dev_queue_xmit(), so with the lock held.
 */
void rio9_eth_write_space(struct sock *sk)
{
	struct rio9_eth *e;

	rcu_read_lock();
	e = rcu_dereference_sk_user_data(sk);
	if (e && test_bit(0, &e->busy) && sk_wmem_alloc_get(sk) < RIO9_ETH_IN_FLIGHT / 2)
		hrtimer_start(&e->timer, 0, HRTIMER_MODE_REL_SOFT);
	rcu_read_unlock();
}

/**
 * rio9_eth_drop_open - a peer is gone
 * @peer: the peer; the caller holds the lock of the endpoint
 */
void rio9_eth_drop_open(struct rio9_eth_peer *peer)
{
	int c;

	for (c = 0; c < RIO9_CHANNELS; c++) {
		kfree_skb(peer->tx[c].skb);
		peer->tx[c].skb = NULL;
	}
	list_del_init(&peer->open);
}

/**
 * rio9_eth_send_hello - send a hello
 * @e: the endpoint
 * @f: the hello
 */
void rio9_eth_send_hello(struct rio9_eth *e, const struct rio9_eth_frame *f)
{
	struct sk_buff *skb;

	skb = rio9_eth_alloc(e, RIO9_ETH_HDR + RIO9_ETH_HELLO_LEN);
	if (!skb)
		return;
	rio9_eth_encode(skb_put(skb, RIO9_ETH_HDR + RIO9_ETH_HELLO_LEN), f);
	skb->priority = TC_PRIO_CONTROL;
	rio9_eth_xmit_skb(e, skb, e->lower->broadcast);
}
