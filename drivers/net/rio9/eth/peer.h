/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Peers: endpoints that have said hello.
 */
#ifndef _RIO9_ETH_PEER_H
#define _RIO9_ETH_PEER_H

#include <linux/if_ether.h>

#include "endpoint.h"
#include "frame.h"
#include "sequence.h"

/* Bounds the memory that a segment of Ethernet can make an endpoint take */
#define RIO9_ETH_PEERS_MAX	256

/* Hellos that wait to be read */
#define RIO9_ETH_HELLOS_MAX	64

/**
 * struct rio9_eth_tx - one channel to a peer
 * @skb: the frame that is being filled, or NULL
 * @packets: in it
 * @sequence: number of the next frame
 */
struct rio9_eth_tx {
	struct sk_buff *skb;
	unsigned int packets;
	u32 sequence;
};

/**
 * struct rio9_eth_peer - a peer
 * @rcu: for readers of the table
 * @id: its destination ID
 * @mac: its address in Ethernet
 * @session: that it has told
 * @hello: what it has told
 * @since: when it came, in jiffies
 * @expires: when it is gone if it says no more
 * @conflict_said: the log has been told of another machine with its ID
 * @known: the port did not know it before
 * @rx_lock: of @rx, held until the packets of a frame are handed over, so in their order
 * @rx: by channel
 * @open: in the list of those with frames that are being filled, under the lock of the
 *	endpoint, as @tx
 * @tx: by channel
 */
struct rio9_eth_peer {
	struct rcu_head rcu;
	u16 id;
	u8 mac[ETH_ALEN];
	u32 session;
	struct rio9_eth_hello hello;
	unsigned long since;
	unsigned long expires;
	bool conflict_said;
	bool known;
	spinlock_t rx_lock;	/* of rx */
	struct rio9_eth_sequence rx[RIO9_CHANNELS];
	struct list_head open;
	struct rio9_eth_tx tx[RIO9_CHANNELS];
};

void rio9_eth_peers_work(struct work_struct *work);
void rio9_eth_peers_destroy(struct rio9_eth *e);
void rio9_eth_numbers_anew(struct rio9_eth *e);
void rio9_eth_hello_now(struct rio9_eth *e, bool ask);
void rio9_eth_bye(struct rio9_eth *e);

#endif
