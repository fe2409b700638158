// SPDX-License-Identifier: GPL-2.0
/*
 * What a device of Ethernet hands over may come from anybody.
 */
#include <linux/etherdevice.h>

#include "port.h"
#include "receive.h"
#include "peer.h"

/* Whether the frame is the next of its channel; its number is remembered */
static bool rio9_eth_in_order(struct rio9_eth *e, struct rio9_eth_peer *peer,
			      const struct rio9_eth_data *data)
{
	struct rio9_eth_sequence *s = &peer->rx[data->channel];

	lockdep_assert_held(&peer->rx_lock);
	switch (rio9_eth_sequence(s, data->sequence)) {
	case RIO9_ETH_NEW:
		rio9_eth_add(e, RIO9_ETH_RX_LOST, s->lost);
		if (s->lost)
			rio9_rx_gap(e->port, peer->id, data->channel);
		return true;
	case RIO9_ETH_LATE:
		rio9_eth_count(e, RIO9_ETH_RX_LATE);
		return false;
	case RIO9_ETH_DOUBLE:
		rio9_eth_count(e, RIO9_ETH_RX_DOUBLE);
		return false;
	case RIO9_ETH_JUMP:
		rio9_eth_count(e, RIO9_ETH_RX_JUMP);
		return false;
	}
	return false;
}

static void rio9_eth_packets_rx(struct rio9_eth *e, const struct rio9_eth_data *data)
{
	const u8 *pos = data->body, *packet;
	unsigned int i, len;

	rio9_eth_count(e, RIO9_ETH_RX_FRAMES);
	rio9_eth_add(e, RIO9_ETH_RX_PACKETS, data->packets);
	for (i = 0; i < data->packets; i++) {
		packet = rio9_eth_packet(&pos, &len);
		rio9_rx_packet(e->port, packet, len);
	}
}

static void rio9_eth_data_rx(struct rio9_eth *e, const struct rio9_eth_frame *f, const u8 *mac)
{
	struct rio9_eth_peer *peer;

	if (f->dst != READ_ONCE(e->port->id)) {
		rio9_eth_count(e, RIO9_ETH_RX_NOT_OURS);
		return;
	}
	peer = xa_load(&e->peers, f->src);
	if (!peer) {
		rio9_eth_count(e, RIO9_ETH_RX_NO_PEER);
		return;
	}
	if (!ether_addr_equal(peer->mac, mac) || peer->session != f->session) {
		rio9_eth_count(e, RIO9_ETH_RX_NOT_PEER);
		return;
	}
	spin_lock_bh(&peer->rx_lock);
	if (rio9_eth_in_order(e, peer, &f->data))
		rio9_eth_packets_rx(e, &f->data);
	spin_unlock_bh(&peer->rx_lock);
}

/* A flood of hellos does not end peers that go on to say theirs */
static bool rio9_eth_hello_known(struct rio9_eth *e, const struct rio9_eth_frame *f,
				 const u8 *mac)
{
	struct rio9_eth_peer *peer = xa_load(&e->peers, f->src);

	/* One that asks for an answer is read each time */
	if (!peer || f->hello.flags & RIO9_ETH_ASK || !ether_addr_equal(peer->mac, mac) ||
	    peer->session != f->session ||
	    memcmp(&peer->hello, &f->hello, sizeof(f->hello)))
		return false;
	WRITE_ONCE(peer->expires, jiffies + msecs_to_jiffies(f->hello.hold));
	return true;
}

static void rio9_eth_hello_keep(struct rio9_eth *e, struct sk_buff *skb)
{
	if (skb_queue_len_lockless(&e->hellos) >= RIO9_ETH_HELLOS_MAX) {
		rio9_eth_count(e, RIO9_ETH_RX_HELLO_FLOOD);
		kfree_skb(skb);
		return;
	}
	skb_queue_tail(&e->hellos, skb);
	mod_delayed_work(system_power_efficient_wq, &e->work, 0);
}

static void rio9_eth_count_bad(struct rio9_eth *e, enum rio9_eth_verdict verdict)
{
	static const enum rio9_eth_count wrong[] = {
		[RIO9_ETH_SHORT] = RIO9_ETH_RX_MALFORMED,
		[RIO9_ETH_BAD_VERSION] = RIO9_ETH_RX_VERSION,
		[RIO9_ETH_BAD_TYPE] = RIO9_ETH_RX_VERSION,
		[RIO9_ETH_BAD_PACKET] = RIO9_ETH_RX_MALFORMED,
		[RIO9_ETH_FORGED] = RIO9_ETH_RX_FORGED,
		[RIO9_ETH_BAD_HELLO] = RIO9_ETH_RX_MALFORMED,
	};

	rio9_eth_count(e, wrong[verdict]);
}

/**
 * rio9_eth_rx - a frame has come
 * @skb: the frame; is taken
 * @dev: the device below
 * @type: that of an endpoint
 * @orig: not looked at
 *
 * Context: softirq.
 * Return: NET_RX_SUCCESS.
 */
int rio9_eth_rx(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
		struct net_device *orig)
{
	struct rio9_eth *e = container_of(type, struct rio9_eth, rx);
	enum rio9_eth_verdict verdict;
	struct rio9_eth_frame f = {};
	const u8 *mac;

	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_SUCCESS;
	if (skb->pkt_type == PACKET_OTHERHOST || !netif_running(e->dev) || skb_linearize(skb))
		goto drop;
	mac = eth_hdr(skb)->h_source;
	verdict = rio9_eth_decode(&f, skb->data, skb->len);
	if (verdict != RIO9_ETH_GOOD) {
		rio9_eth_count_bad(e, verdict);
	} else if (f.type == RIO9_ETH_DATA) {
		rio9_eth_data_rx(e, &f, mac);
	} else if (rio9_eth_hello_known(e, &f, mac)) {
		rio9_eth_count(e, RIO9_ETH_RX_HELLOS);
	} else {
		rio9_eth_hello_keep(e, skb);
		return NET_RX_SUCCESS;
	}
drop:
	kfree_skb(skb);
	return NET_RX_SUCCESS;
}
