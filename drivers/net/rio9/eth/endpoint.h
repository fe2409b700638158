/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint of a fabric over Ethernet.
 */
#ifndef _RIO9_ETH_ENDPOINT_H
#define _RIO9_ETH_ENDPOINT_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/rio9.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

struct sock;

/**
 * enum rio9_eth_count - what an endpoint counts
 * @RIO9_ETH_RX_FRAMES: frames of packets that were taken
 * @RIO9_ETH_RX_PACKETS: packets in them
 * @RIO9_ETH_RX_LOST: frames that had not come when a later one of their channel did
 * @RIO9_ETH_RX_LATE: frames that came after a later one; they are dropped
 * @RIO9_ETH_RX_DOUBLE: frames that came again
 * @RIO9_ETH_RX_JUMP: frames with a number far away from the others
 * @RIO9_ETH_RX_MALFORMED: frames that are shorter than they say, or with something in them
 *	that is no packet and no hello
 * @RIO9_ETH_RX_VERSION: frames of another version or type
 * @RIO9_ETH_RX_FORGED: frames with a packet of another source, destination or channel
 * @RIO9_ETH_RX_NOT_OURS: frames for another ID
 * @RIO9_ETH_RX_NO_PEER: frames of packets of an ID that has not said hello
 * @RIO9_ETH_RX_NOT_PEER: frames of packets of another machine, or another session, than the
 *	hello of that ID
 * @RIO9_ETH_RX_HELLOS: hellos that were good
 * @RIO9_ETH_RX_HELLO_FLOOD: hellos that came too fast
 * @RIO9_ETH_ID_CONFLICT: hellos of another endpoint with our ID
 * @RIO9_ETH_PEER_CONFLICT: hellos of another machine with the ID of a peer
 * @RIO9_ETH_ID_SIZE: hellos of endpoints with IDs of the other size
 * @RIO9_ETH_PEERS_FULL: hellos of new endpoints while there is no room for more
 * @RIO9_ETH_PEER_NEW: peers that have come, or have begun anew
 * @RIO9_ETH_PEER_GONE: peers that have said bye, have begun anew, or were silent
 * @RIO9_ETH_TX_FRAMES: frames of packets that were sent
 * @RIO9_ETH_TX_PACKETS: packets in them
 * @RIO9_ETH_TX_DROPPED: frames that the device below did not take
 * @RIO9_ETH_TX_BUSY: packets refused because the device below has too many frames
 * @RIO9_ETH_TX_NO_PEER: packets for an ID that is no peer
 * @RIO9_ETH_TX_NO_MEMORY: packets and hellos for which there was no memory
 * @RIO9_ETH_COUNTS: how many there are
 */
enum rio9_eth_count {
	RIO9_ETH_RX_FRAMES,
	RIO9_ETH_RX_PACKETS,
	RIO9_ETH_RX_LOST,
	RIO9_ETH_RX_LATE,
	RIO9_ETH_RX_DOUBLE,
	RIO9_ETH_RX_JUMP,
	RIO9_ETH_RX_MALFORMED,
	RIO9_ETH_RX_VERSION,
	RIO9_ETH_RX_FORGED,
	RIO9_ETH_RX_NOT_OURS,
	RIO9_ETH_RX_NO_PEER,
	RIO9_ETH_RX_NOT_PEER,
	RIO9_ETH_RX_HELLOS,
	RIO9_ETH_RX_HELLO_FLOOD,
	RIO9_ETH_ID_CONFLICT,
	RIO9_ETH_PEER_CONFLICT,
	RIO9_ETH_ID_SIZE,
	RIO9_ETH_PEERS_FULL,
	RIO9_ETH_PEER_NEW,
	RIO9_ETH_PEER_GONE,
	RIO9_ETH_TX_FRAMES,
	RIO9_ETH_TX_PACKETS,
	RIO9_ETH_TX_DROPPED,
	RIO9_ETH_TX_BUSY,
	RIO9_ETH_TX_NO_PEER,
	RIO9_ETH_TX_NO_MEMORY,
	RIO9_ETH_COUNTS,
};

/**
 * struct rio9_eth - an endpoint
 * @port: its port
 * @dev: the network device of the port
 * @lower: the device below, of Ethernet
 * @lower_tracker: of the reference to it, which is held until all is over
 * @node: in the list of all, under RTNL
 * @link: what the port has been told of its carrier, under RTNL
 * @rx: takes the frames of @lower
 * @sk: counts the memory of frames until the device below has sent them
 * @peers: by ID; changed by @work alone
 * @peers_count: how many there are
 * @hellos: that @work has to read
 * @work: learns peers, forgets them, says hello
 * @hello_at: when to say hello next, in jiffies; of @work
 * @hello_last: when that was last
 * @hello_soon: do not wait for @hello_at
 * @hello_ask: ask for an answer
 * @conflict_said: the log has been told of another endpoint with our ID
 * @id: that hellos have told, of @work
 * @session: a number for the time that hellos have told the same ID and MAC address
 * @lock: of what follows, and of the frames that are being filled
 * @frame_max: bytes of a frame; 0 if @lower takes too little
 * @dead: nothing is sent any more
 * @armed: @timer will run
 * @open: peers with frames that are being filled
 * @timer: sends them
 * @busy: the port waits for rio9_port_wake(), bit 0
 * @counts: by enum rio9_eth_count
 */
struct rio9_eth {
	struct rio9_port *port;
	struct net_device *dev;
	struct net_device *lower;
	netdevice_tracker lower_tracker;
	struct list_head node;
	bool link;
	struct packet_type rx;
	struct sock *sk;
	struct xarray peers;
	unsigned int peers_count;
	struct sk_buff_head hellos;
	struct delayed_work work;
	unsigned long hello_at;
	unsigned long hello_last;
	bool hello_soon;
	bool hello_ask;
	bool conflict_said;
	u16 id;
	u32 session;
	spinlock_t lock;	/* of the members below */
	unsigned int frame_max;
	bool dead;
	bool armed;
	struct list_head open;
	struct hrtimer timer;
	unsigned long busy;
	atomic64_t counts[RIO9_ETH_COUNTS];
};

static inline void rio9_eth_add(struct rio9_eth *e, enum rio9_eth_count count, u64 n)
{
	atomic64_add(n, &e->counts[count]);
}

static inline void rio9_eth_count(struct rio9_eth *e, enum rio9_eth_count count)
{
	rio9_eth_add(e, count, 1);
}

#endif
