/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: a card, its link and its netdev.
 */
#ifndef _HIPPI6400_PORT_H
#define _HIPPI6400_PORT_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>

#include "card.h"
#include "link/link.h"
#include "msg.h"

struct devlink;

/* Default limit of the time that a frame waits for credit, set in devlink */
#define H64_TX_WAIT_MS	60000

#define H64_DRV_NAME	"hippi6400"

/* Virtual Channel of frames that request none */
#define H64_VC_COMMON	1

/* Rate of the data bits with one micropacket every 40 ns, HIPPI-6400-PH 4.4 */
#define H64_SPEED	6400

/**
 * struct h64_fault - reason why a port is out of service until it is opened
 * again
 * @what: name of the value that was checked, or NULL for no fault
 * @found: value found
 * @expected: value expected
 */
struct h64_fault {
	const char *what;
	u32 found;
	u32 expected;
};

/**
 * struct h64_watch - watchdog for the card's progress
 * @cons: TX_CONS at the last check
 * @at: time of the last check
 * @still: time without progress though some was due, in ns
 */
struct h64_watch {
	u32 cons;
	u64 at;
	u64 still;
};

/**
 * struct h64_port - a port
 * @netdev: the netdev, whose private part this is
 * @devlink: the devlink instance
 * @card: the card
 * @napi: receives, and handles all interrupts
 * @timer: timer of the link
 * @wait: woken when the link comes up and when @loopback changes
 * @loopback: result of the last loop-back, or -EINPROGRESS; written under @lock
 * @lock: protects the members below, and those of @card that are not set at
 *	probe.  Taken with BH disabled; inside the lock of a TX queue, outside
 *	all others, including those of the protocols that place Messages.
 *	Nothing is printed, freed or delivered under it, as each of these may
 *	send on this very port.
 * @link: the link
 * @times: timers and limits of the link when the port is open
 * @tx: sending side
 * @rx: receiving side
 * @running: the netdev is open
 * @watch: watchdog for a hung card
 * @fault: why the port is out of service
 * @link_news: the link went up or down, and this is not reported yet
 * @fault_news: the same for @fault
 * @tx_seen: micropackets sent per VC at the last check of the queue
 * @tx_mod: TX_MOD
 * @rx_mod: RX_MOD
 * @tx_wait: how long a frame may wait to be sent, in ns
 * @rx_multicast: multicast and broadcast Messages received
 * @tx_refused: frames dropped as the link was not up
 * @tx_timeouts: times a queue made no progress
 * @faults: times the port was taken out of service
 * @clmul_batches: batches in which @link used carry-less multiplication
 */
struct h64_port {
	struct net_device *netdev;
	struct devlink *devlink;
	struct h64_card card;
	struct napi_struct napi;
	struct timer_list timer;
	wait_queue_head_t wait;
	int loopback;

	spinlock_t lock; /* protects the members below */
	struct h64_link link;
	struct h64_link_times times;
	struct h64_msg_tx tx;
	struct h64_msg_rx rx;
	bool running;
	struct h64_watch watch;
	struct h64_fault fault;
	bool link_news;
	bool fault_news;
	u64 tx_seen[HIPPI6400_NUM_VCS];
	u32 tx_mod;
	u32 rx_mod;
	u64 tx_wait;
	u64 rx_multicast;
	u64 tx_refused;
	u64 tx_timeouts;
	u64 faults;
	u64 clmul_batches;
};

/* port.c: memory, interrupts, start and stop */
void h64_port_run(struct h64_port *port);
int h64_port_halt(struct h64_port *port);
void h64_port_release(struct h64_port *port);
int h64_port_open(struct h64_port *port);
void h64_port_stop(struct h64_port *port);
void h64_port_setup(struct h64_port *port);

/* service.c: sending, receiving and changes of the link */
void h64_port_begin(struct h64_port *port);
void h64_port_end(struct h64_port *port);
bool h64_port_send(struct h64_port *port, unsigned int vc, struct sk_buff *skb, bool more);
void h64_port_go_by(struct h64_port *port, const struct h64_link_times *times);
int h64_port_ask_loopback(struct h64_port *port, const void *pattern, unsigned int len);
void h64_port_cancel_loopback(struct h64_port *port, int err);
int h64_port_poll(struct napi_struct *napi, int budget);
void h64_port_timer(struct timer_list *timer);
void h64_port_stuck(struct h64_port *port, unsigned int vc);

/**
 * h64_port_alive - check whether the card may be used
 * @port: the port, its lock held
 *
 * Return: false if the netdev is not open or the port is out of service.
 */
static inline bool h64_port_alive(const struct h64_port *port)
{
	return port->running && !port->fault.what;
}

/* control.c: changes while it runs */
void h64_port_set_times(struct h64_port *port, const struct h64_link_times *times);
int h64_port_resize(struct h64_port *port, u32 tx_order, u32 rx_order);
int h64_port_loopback(struct h64_port *port, const void *pattern, unsigned int len, long limit);

/* netdev.c */
u16 h64_netdev_select_queue(struct net_device *dev, struct sk_buff *skb,
			    struct net_device *sb_dev);
int h64_netdev_create(const struct h64_card *card);
void h64_netdev_remove(struct h64_port *port);
void h64_netdev_detach(struct h64_port *port);
int h64_netdev_recover(struct h64_port *port);
int h64_netdev_attach(struct h64_port *port);

/* devlink.c */
int h64_devlink_create(struct h64_port *port);
void h64_devlink_remove(struct h64_port *port);

/* selftest.c */
int h64_selftest_count(void);
void h64_selftest_strings(u8 *data);
void h64_selftest(struct net_device *dev, struct ethtool_test *test, u64 *data);

/* ethtool.c */
extern const struct ethtool_ops h64_ethtool_ops;

#endif
