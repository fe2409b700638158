// SPDX-License-Identifier: GPL-2.0
/*
 * Timers of a port: one queue, in the order in which they expire, under the lock of the port.
 *
 * What has a timer may be freed as soon as the timer is stopped, as none is on its way: the
 * transport has a single clock, which takes the lock first.
 */
#include <kunit/visibility.h>

#include "timer.h"
#include "vi.h"

/* Tells the transport when the next one expires */
static void fcvi_timers_arm(struct fcvi_port *port)
{
	struct timerqueue_node *next = timerqueue_getnext(&port->timers);

	if (next)
		port->transport->arm(port, next->expires);
}

/**
 * fcvi_timer_init - make a timer, which does not run
 * @timer: the timer
 * @port: the port
 * @expired: what happens when it expires
 */
void fcvi_timer_init(struct fcvi_timer *timer, struct fcvi_port *port,
		     void (*expired)(struct fcvi_timer *timer))
{
	timerqueue_init(&timer->node);
	timer->port = port;
	timer->expired = expired;
}

/**
 * fcvi_timer_start - start a timer, anew if it runs
 * @timer: the timer
 * @ms: how long
 */
void fcvi_timer_start(struct fcvi_timer *timer, unsigned int ms)
{
	struct fcvi_port *port = timer->port;

	fcvi_timer_stop(timer);
	timer->node.expires = port->transport->now(port) + ms;
	if (timerqueue_add(&port->timers, &timer->node))
		fcvi_timers_arm(port);
}

/**
 * fcvi_timer_stop - stop a timer
 * @timer: the timer; may not run
 */
void fcvi_timer_stop(struct fcvi_timer *timer)
{
	lockdep_assert_held(&timer->port->lock);
	if (!fcvi_timer_runs(timer))
		return;
	timerqueue_del(&timer->port->timers, &timer->node);
	RB_CLEAR_NODE(&timer->node.node);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_timer_stop);

/**
 * fcvi_timers_run - let expire what is due
 * @port: the port
 */
void fcvi_timers_run(struct fcvi_port *port)
{
	struct timerqueue_node *next;
	u64 now = port->transport->now(port);

	lockdep_assert_held(&port->lock);
	while ((next = timerqueue_getnext(&port->timers)) && (u64)next->expires <= now) {
		struct fcvi_timer *timer = container_of(next, struct fcvi_timer, node);

		fcvi_timer_stop(timer);
		timer->expired(timer);
	}
	fcvi_timers_arm(port);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_timers_run);
