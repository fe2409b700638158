// SPDX-License-Identifier: GPL-2.0
/*
 * Waits that signals interrupt only in part.
 */
#include <linux/completion.h>
#include <linux/swait.h>

#include "conn/conn.h"

/**
 * st_wait_killable - wait for something short; only a fatal signal interrupts it
 * @done: completed at the end
 * @timeo: limit, jiffies
 *
 * The task is freezable meanwhile.
 *
 * Context: process, may sleep.
 * Return: jiffies left, at least 1; 0 at the timeout; -ERESTARTSYS after a fatal signal.
 */
long st_wait_killable(struct completion *done, long timeo)
{
	might_sleep();
	return ___swait_event(done->wait, ___wait_cond_timeout(completion_done(done)),
			      (TASK_KILLABLE | TASK_FREEZABLE), timeo,
			      __ret = schedule_timeout(__ret));
}

/**
 * st_patience - how long a call that got a signal still waits for the peer
 * @st: the Virtual Connection
 *
 * Context: any, not under st->lock.
 * Return: the current retransmission timeout, jiffies.
 */
long st_patience(struct st_sock *st)
{
	u32 us;

	spin_lock_bh(&st->lock);
	us = st_retrans_timeout(st);
	spin_unlock_bh(&st->lock);
	return usecs_to_jiffies(us);
}
