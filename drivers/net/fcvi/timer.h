/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of a port.
 */
#ifndef _FCVI_TIMER_H
#define _FCVI_TIMER_H

#include "vi.h"

/* Whether a timer runs */
static inline bool fcvi_timer_runs(const struct fcvi_timer *timer)
{
	return !RB_EMPTY_NODE(&timer->node.node);
}

void fcvi_timer_init(struct fcvi_timer *timer, struct fcvi_port *port,
		     void (*expired)(struct fcvi_timer *timer));
void fcvi_timer_start(struct fcvi_timer *timer, unsigned int ms);
void fcvi_timer_stop(struct fcvi_timer *timer);
void fcvi_timers_run(struct fcvi_port *port);

#endif
