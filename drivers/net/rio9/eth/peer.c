// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoints find one another: each says hello to all.
 *
 * The first machine that says hello with an ID keeps it until it says bye or is silent.
 */
#include <linux/etherdevice.h>
#include <linux/net.h>
#include <linux/random.h>

#include "port.h"
#include "send.h"

#define RIO9_ETH_HELLO_EVERY	HZ
#define RIO9_ETH_HELLO_LEAST	(HZ / 10)
#define RIO9_ETH_HOLD		3500

/* A peer may begin anew once in this time, as anybody can say so in its name */
#define RIO9_ETH_ANEW_LEAST	HZ

static void rio9_eth_peer_del(struct rio9_eth *e, struct rio9_eth_peer *peer)
{
	xa_erase(&e->peers, peer->id);
	spin_lock_bh(&e->lock);
	rio9_eth_drop_open(peer);
	spin_unlock_bh(&e->lock);
	if (peer->known)
		rio9_port_del_peer(e->port, peer->id);
	e->peers_count--;
	rio9_eth_count(e, RIO9_ETH_PEER_GONE);
	kfree_rcu(peer, rcu);
}

static void rio9_eth_peer_add(struct rio9_eth *e, const struct rio9_eth_frame *f, const u8 *mac)
{
	struct rio9_eth_peer *peer;
	int err, c;

	if (e->peers_count == RIO9_ETH_PEERS_MAX) {
		rio9_eth_count(e, RIO9_ETH_PEERS_FULL);
		return;
	}
	peer = kzalloc(sizeof(*peer), GFP_KERNEL);
	if (!peer)
		return;
	peer->id = f->src;
	ether_addr_copy(peer->mac, mac);
	peer->session = f->session;
	peer->hello = f->hello;
	peer->since = jiffies;
	peer->expires = jiffies + msecs_to_jiffies(f->hello.hold);
	spin_lock_init(&peer->rx_lock);
	INIT_LIST_HEAD(&peer->open);
	/*
	 * A peer of before may not have forgotten us.  Numbers that begin again would be
	 * late; those from anywhere are far away, which costs a frame.
	 */
	for (c = 0; c < RIO9_CHANNELS; c++)
		peer->tx[c].sequence = get_random_u32();
	/* An administrator may have told the port of it */
	err = rio9_port_add_peer(e->port, peer->id);
	peer->known = !err;
	if (err && err != -EEXIST)
		goto free;
	if (rio9_port_set_peer_max_pdu(e->port, peer->id, f->hello.max_pdu) ||
	    xa_err(xa_store(&e->peers, peer->id, peer, GFP_KERNEL)))
		goto forget;
	e->peers_count++;
	rio9_eth_count(e, RIO9_ETH_PEER_NEW);
	/* It may not know us */
	e->hello_soon = true;
	return;

forget:
	if (peer->known)
		rio9_port_del_peer(e->port, peer->id);
free:
	kfree(peer);
}

static void rio9_eth_id_conflict(struct rio9_eth *e, const u8 *mac)
{
	rio9_eth_count(e, RIO9_ETH_ID_CONFLICT);
	if (!e->conflict_said)
		netdev_warn(e->dev, "%pM has our destination ID %u, and is ignored\n", mac, e->id);
	e->conflict_said = true;
}

static void rio9_eth_peer_conflict(struct rio9_eth *e, struct rio9_eth_peer *peer, const u8 *mac)
{
	rio9_eth_count(e, RIO9_ETH_PEER_CONFLICT);
	/* A peer that goes and comes again begins anew with this, too */
	if (peer->conflict_said || !net_ratelimit())
		return;
	netdev_warn(e->dev, "%pM has the destination ID %u of %pM, and is ignored\n", mac,
		    peer->id, peer->mac);
	peer->conflict_said = true;
}

/* Of an ID that is a peer; returns whether it is a new one */
static bool rio9_eth_peer_again(struct rio9_eth *e, struct rio9_eth_peer *peer,
				const struct rio9_eth_frame *f, const u8 *mac)
{
	if (!ether_addr_equal(peer->mac, mac)) {
		rio9_eth_peer_conflict(e, peer, mac);
		return false;
	}
	if (f->session == peer->session) {
		if (f->hello.flags & RIO9_ETH_BYE) {
			rio9_eth_peer_del(e, peer);
			return false;
		}
		if (f->hello.max_pdu != peer->hello.max_pdu)
			rio9_port_set_peer_max_pdu(e->port, peer->id, f->hello.max_pdu);
		peer->hello = f->hello;
		WRITE_ONCE(peer->expires, jiffies + msecs_to_jiffies(f->hello.hold));
		return false;
	}
	if (f->hello.flags & RIO9_ETH_BYE)
		return false;
	if (time_before(jiffies, peer->since + RIO9_ETH_ANEW_LEAST)) {
		rio9_eth_count(e, RIO9_ETH_RX_HELLO_FLOOD);
		return false;
	}
	rio9_eth_peer_del(e, peer);
	return true;
}

static void rio9_eth_hello_rx(struct rio9_eth *e, const struct rio9_eth_frame *f, const u8 *mac)
{
	struct rio9_eth_peer *peer;

	rio9_eth_count(e, RIO9_ETH_RX_HELLOS);
	if (!(f->hello.flags & RIO9_ETH_LARGE) != !e->port->caps.large) {
		rio9_eth_count(e, RIO9_ETH_ID_SIZE);
		return;
	}
	if (f->src == e->id) {
		rio9_eth_id_conflict(e, mac);
		return;
	}
	peer = xa_load(&e->peers, f->src);
	if (peer && !rio9_eth_peer_again(e, peer, f, mac))
		goto answer;
	if (f->hello.flags & RIO9_ETH_BYE)
		return;
	rio9_eth_peer_add(e, f, mac);
answer:
	if (f->hello.flags & RIO9_ETH_ASK)
		e->hello_soon = true;
}

/* Those that come meanwhile are for the next run, so that a flood keeps no run from its end */
static void rio9_eth_read_hellos(struct rio9_eth *e)
{
	struct sk_buff_head hellos;
	struct rio9_eth_frame f;
	struct sk_buff *skb;

	__skb_queue_head_init(&hellos);
	spin_lock_bh(&e->hellos.lock);
	skb_queue_splice_init(&e->hellos, &hellos);
	spin_unlock_bh(&e->hellos.lock);
	while ((skb = __skb_dequeue(&hellos))) {
		if (rio9_eth_decode(&f, skb->data, skb->len) == RIO9_ETH_GOOD)
			rio9_eth_hello_rx(e, &f, eth_hdr(skb)->h_source);
		kfree_skb(skb);
	}
}

static void rio9_eth_say_hello(struct rio9_eth *e, u8 flags)
{
	struct rio9_eth_frame f = {
		.type = RIO9_ETH_HELLO,
		.src = e->id,
		.dst = RIO9_ETH_ALL,
		.session = e->session,
		.hello = {
			.flags = flags | (e->port->caps.large ? RIO9_ETH_LARGE : 0),
			.mtu = READ_ONCE(e->port->mtu),
			.max_pdu = e->port->caps.max_pdu,
			.contexts = e->port->caps.contexts,
			.hold = RIO9_ETH_HOLD,
		},
	};

	rio9_eth_send_hello(e, &f);
}

/**
 * rio9_eth_numbers_anew - peers number their frames from anywhere
 * @e: the endpoint, which they have forgotten, or which is another for them
 *
 * Context: any but hard interrupts.
 */
void rio9_eth_numbers_anew(struct rio9_eth *e)
{
	struct rio9_eth_peer *peer;
	unsigned long id;

	rcu_read_lock();
	xa_for_each(&e->peers, id, peer) {
		spin_lock_bh(&peer->rx_lock);
		memset(peer->rx, 0, sizeof(peer->rx));
		spin_unlock_bh(&peer->rx_lock);
	}
	rcu_read_unlock();
}

/* Peers have to learn the other ID as that of another endpoint */
static void rio9_eth_check_id(struct rio9_eth *e)
{
	u16 id = READ_ONCE(e->port->id);

	if (id == e->id)
		return;
	rio9_eth_say_hello(e, RIO9_ETH_BYE);
	e->id = id;
	WRITE_ONCE(e->session, get_random_u32());
	rio9_eth_numbers_anew(e);
	e->conflict_said = false;
	e->hello_soon = true;
}

static void rio9_eth_hello_if_due(struct rio9_eth *e)
{
	bool soon = READ_ONCE(e->hello_soon);
	u8 flags;

	if (time_before(jiffies, soon ? e->hello_last + RIO9_ETH_HELLO_LEAST : e->hello_at))
		return;
	flags = READ_ONCE(e->hello_ask) ? RIO9_ETH_ASK : 0;
	WRITE_ONCE(e->hello_soon, false);
	WRITE_ONCE(e->hello_ask, false);
	rio9_eth_say_hello(e, flags);
	e->hello_last = jiffies;
	e->hello_at = jiffies + RIO9_ETH_HELLO_EVERY;
}

/**
 * rio9_eth_peers_work - all that is learned and told
 * @work: that of an endpoint
 */
void rio9_eth_peers_work(struct work_struct *work)
{
	struct rio9_eth *e = container_of(to_delayed_work(work), struct rio9_eth, work);
	unsigned long next = RIO9_ETH_HELLO_EVERY;
	struct rio9_eth_peer *peer;
	unsigned long id;

	rio9_eth_read_hellos(e);
	xa_for_each(&e->peers, id, peer)
		if (time_after(jiffies, READ_ONCE(peer->expires)) || id == e->id)
			rio9_eth_peer_del(e, peer);
	if (netif_running(e->dev) && netif_carrier_ok(e->dev)) {
		rio9_eth_check_id(e);
		rio9_eth_hello_if_due(e);
		if (READ_ONCE(e->hello_soon))
			next = RIO9_ETH_HELLO_LEAST;
	}
	queue_delayed_work(system_power_efficient_wq, &e->work, next);
}

/**
 * rio9_eth_hello_now - say hello soon
 * @e: the endpoint
 * @ask: so that all answer
 *
 * Context: any.
 */
void rio9_eth_hello_now(struct rio9_eth *e, bool ask)
{
	if (ask)
		WRITE_ONCE(e->hello_ask, true);
	WRITE_ONCE(e->hello_soon, true);
	mod_delayed_work(system_power_efficient_wq, &e->work, 0);
}

/**
 * rio9_eth_bye - tell all that an endpoint takes nothing any more
 * @e: the endpoint
 *
 * Context: process.
 */
void rio9_eth_bye(struct rio9_eth *e)
{
	rio9_eth_say_hello(e, RIO9_ETH_BYE);
}

/**
 * rio9_eth_peers_destroy - forget all peers
 * @e: the endpoint, whose work does not run any more
 *
 * Context: process.
 */
void rio9_eth_peers_destroy(struct rio9_eth *e)
{
	struct rio9_eth_peer *peer;
	unsigned long id;

	xa_for_each(&e->peers, id, peer)
		rio9_eth_peer_del(e, peer);
	xa_destroy(&e->peers);
	skb_queue_purge(&e->hellos);
}
