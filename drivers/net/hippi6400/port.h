/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: a card, the link on it, and the netdev that the rest of Linux sees.
 */
#ifndef _HIPPI6400_PORT_H
#define _HIPPI6400_PORT_H

#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#include "card.h"
#include "link/link.h"
#include "msg.h"

#define H64_DRV_NAME	"hippi6400"

/* Speed of the data bits of a micropacket every 40 ns, HIPPI-6400-PH 4.4 */
#define H64_SPEED	6400

/**
 * struct h64_fault - why a port was given up until it is opened again
 * @what: what was looked at, or NULL for no fault
 * @found: its value
 * @expected: what the driver had reason to expect
 */
struct h64_fault {
	const char *what;
	u32 found;
	u32 expected;
};

/**
 * struct h64_port - a port
 * @netdev: the netdev, whose private part this is
 * @card: the card
 * @napi: receives, and does what interrupts ask for
 * @timer: of the link
 * @lock: protects all below, and @card but for what is set at probe.  Taken
 *	with BH disabled; inside the lock of a TX queue, outside all others.
 *	Nothing is printed, freed or delivered under it, as each of these may
 *	end in sending on this very port.
 * @link: the link
 * @tx: sending side
 * @rx: receiving side
 * @running: the netdev is open
 * @fault: the port was given up
 * @link_news: the link went up or down and that was not reported yet
 * @fault_news: likewise of @fault
 * @tx_seen: micropackets sent per VC when the queue was looked at last
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 * @tx_refused: frames dropped as the link was not up
 * @tx_timeouts: times a queue made no progress
 * @faults: times the port was given up
 */
struct h64_port {
	struct net_device *netdev;
	struct h64_card card;
	struct napi_struct napi;
	struct timer_list timer;

	spinlock_t lock; /* protects what follows */
	struct h64_link link;
	struct h64_msg_tx tx;
	struct h64_msg_rx rx;
	bool running;
	struct h64_fault fault;
	bool link_news;
	bool fault_news;
	u64 tx_seen[HIPPI6400_NUM_VCS];
	u32 tx_mod;
	u32 rx_mod;
	u64 tx_refused;
	u64 tx_timeouts;
	u64 faults;
};

/* port.c: interrupts, NAPI, timer, faults */
int h64_port_open(struct h64_port *port);
void h64_port_stop(struct h64_port *port);
void h64_port_lock(struct h64_port *port);
void h64_port_unlock(struct h64_port *port);
void h64_port_service(struct h64_port *port, u64 now);
void h64_port_stuck(struct h64_port *port, unsigned int vc);
void h64_port_setup(struct h64_port *port);

/* netdev.c */
int h64_netdev_create(const struct h64_card *card);
void h64_netdev_remove(struct h64_port *port);

/* ethtool.c */
extern const struct ethtool_ops h64_ethtool_ops;

#endif
