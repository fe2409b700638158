// SPDX-License-Identifier: GPL-2.0
/*
 * Operator requests to a running port: change timers, limits and ring sizes,
 * and loop back through the neighbour.
 */

#include <linux/jiffies.h>
#include <linux/rtnetlink.h>
#include <linux/wait.h>

#include "port.h"

/* Minimum watchdog timeout of a queue, and its margin over the link's own limits */
#define H64_WATCHDOG_MIN	(30 * HZ)
#define H64_WATCHDOG_MARGIN	(5 * HZ)

/* The link's own limits must expire before the queue watchdog */
static int h64_port_watchdog(const struct h64_link_times *times)
{
	u64 limit = max(h64_link_recovery(times), times->activity);

	return max_t(unsigned long, H64_WATCHDOG_MIN,
		     H64_WATCHDOG_MARGIN + nsecs_to_jiffies(limit));
}

/**
 * h64_port_set_times - set timers and limits of the link, also of a running one
 * @port: the port
 * @times: timers and limits
 *
 * Context: process, BH enabled.
 */
void h64_port_set_times(struct h64_port *port, const struct h64_link_times *times)
{
	WRITE_ONCE(port->netdev->watchdog_timeo, h64_port_watchdog(times));
	h64_port_go_by(port, times);
}

/**
 * h64_port_resize - change the ring sizes
 * @port: the port
 * @tx_order: log2 of the number of TX ring entries
 * @rx_order: log2 of the number of RX ring entries
 *
 * The link of a running port restarts.  Without memory for both rings nothing
 * changes; nor does it while the card keeps the memory of earlier rings.
 *
 * Context: under RTNL.
 * Return: 0, -ENOMEM, or another error if the card does not answer; the netdev
 * is then down.
 */
int h64_port_resize(struct h64_port *port, u32 tx_order, u32 rx_order)
{
	struct h64_card other = {
		.pdev = port->card.pdev,
		.tx_order = tx_order,
		.rx_order = rx_order,
	};
	int err;

	ASSERT_RTNL();
	if (!port->running) {
		err = port->card.kept ? h64_card_reset(&port->card) : 0;
		if (err)
			return err;
		port->card.tx_order = tx_order;
		port->card.rx_order = rx_order;
		return 0;
	}
	err = h64_card_alloc_rings(&other);
	if (err)
		return err;
	err = h64_port_halt(port);
	if (err) {
		h64_card_free_rings(&other);
		h64_port_release(port);
		dev_close(port->netdev);
		return err;
	}
	h64_card_swap_rings(&port->card, &other);
	h64_card_free_rings(&other);
	h64_port_run(port);
	return 0;
}

/**
 * h64_port_loopback - have the neighbour return a pattern
 * @port: the port
 * @pattern: the pattern
 * @len: length in bytes, at most H64_ADMIN_BODY
 * @limit: how long to wait, in jiffies, from 0; the link gives up after
 *	H64_ADMIN_TRIES times H64_ADMIN_TIMEOUT_MS
 *
 * Context: sleeps, under RTNL; a signal ends the wait.
 * Return: 0, -EBADMSG if the answer differs, or another error if there is none.
 */
int h64_port_loopback(struct h64_port *port, const void *pattern, unsigned int len, long limit)
{
	long left;
	int err;

	ASSERT_RTNL();
	err = h64_port_ask_loopback(port, pattern, len);
	if (err)
		return err;
	left = wait_event_interruptible_timeout(port->wait,
						READ_ONCE(port->loopback) != -EINPROGRESS, limit);
	if (left <= 0)
		h64_port_cancel_loopback(port, left ?: -ETIMEDOUT);
	return READ_ONCE(port->loopback);
}
