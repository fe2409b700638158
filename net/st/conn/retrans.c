// SPDX-License-Identifier: GPL-2.0
/*
 * Op_timeout from measured round trips, ST 10.1, as RFC 6298 has it for TCP.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "conn/conn.h"

#define ST_RTT_MAX	BIT(28)		/* us; what is longer counts as this */
#define ST_BACKOFF_MAX	16		/* doublings, more than the limits leave room for */
#define ST_EARLY_MORE	2		/* jiffies, by which timers and softirqs may be late */

/**
 * st_rtt_sample - an operation that was not repeated has been answered
 * @rtt: what was measured so far
 * @us: how long the answer took, microseconds
 *
 * RFC 6298 2.2 and 2.3.  Ends the back-off, and lets one be repeated early again.
 *
 * Context: under st->lock of the Virtual Connection of @rtt.
 */
void st_rtt_sample(struct st_rtt *rtt, u64 us)
{
	u32 m = clamp_t(u64, us, 1, ST_RTT_MAX);
	s32 err;

	rtt->backoff = 0;
	rtt->early = 0;
	if (!rtt->srtt) {
		rtt->srtt = m << 3;
		rtt->rttvar = m << 1;
		return;
	}
	err = m - (rtt->srtt >> 3);
	rtt->srtt += err;
	rtt->rttvar += abs(err) - (rtt->rttvar >> 2);
}
EXPORT_SYMBOL_IF_KUNIT(st_rtt_sample);

/**
 * st_rtt_timeout - Op_timeout for the next operation
 * @rtt: what was measured
 * @min: microseconds, the least that is returned unless @max is less
 * @max: microseconds, the most that is returned, and what is returned while
 *	nothing has been measured
 *
 * Context: as st_rtt_sample().
 * Return: microseconds.
 */
u32 st_rtt_timeout(const struct st_rtt *rtt, u32 min, u32 max)
{
	u64 us = max;

	if (rtt->srtt)
		us = max_t(u64, (rtt->srtt >> 3) + rtt->rttvar, min) << rtt->backoff;
	return min_t(u64, us, max);
}
EXPORT_SYMBOL_IF_KUNIT(st_rtt_timeout);

/**
 * st_rtt_backoff - an operation was not answered in time
 * @rtt: what was measured
 * @tries: how often that operation has been repeated now
 *
 * RFC 6298 5.5: the next ones wait longer too, until one of them tells the
 * round trip.
 *
 * Context: as st_rtt_sample().
 */
void st_rtt_backoff(struct st_rtt *rtt, unsigned int tries)
{
	rtt->backoff = min(max(tries, rtt->backoff), ST_BACKOFF_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(st_rtt_backoff);

/**
 * st_guard_timeout - Op_timeout of a Virtual Connection now
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: microseconds.
 */
u32 st_guard_timeout(const struct st_sock *st)
{
	const struct st_net *sn = st_net_of(st);

	return st_rtt_timeout(&st->rtt, READ_ONCE(sn->op_timeout_min) * USEC_PER_MSEC,
			      READ_ONCE(sn->op_timeout) * USEC_PER_MSEC);
}

/**
 * st_early_timeout - when to repeat what may be lost, though Op_timeout is not over
 * @st: the Virtual Connection
 * @rtt: how long what is waited for took
 *
 * The loss of what was sent last is told by nothing but time (compare the tail loss probe
 * of RFC 8985 7): after two round trips, and more than it has taken lately.  That time
 * doubles with every repeat up to Op_timeout, as the probe timeout of RFC 9002 6.2.1, until
 * such a time is measured again: where the repeat was in vain, it takes longer now.
 *
 * Not with several ways, where each has its own time.
 * Who sets one Op_timeout for all round trips, or wants no repeats, means it.
 *
 * Context: under st->lock.
 * Return: jiffies; 0: not before Op_timeout.
 */
unsigned long st_early_timeout(const struct st_sock *st, const struct st_rtt *rtt)
{
	const struct st_net *sn = st_net_of(st);
	unsigned long timeout;

	if (!rtt->srtt || st->rtt.backoff || st->stripe ||
	    !READ_ONCE(sn->max_retry) ||
	    READ_ONCE(sn->op_timeout_min) >= READ_ONCE(sn->op_timeout))
		return 0;
	timeout = usecs_to_jiffies(max(st->rtt.srtt >> 2, (rtt->srtt >> 3) + rtt->rttvar));
	timeout = (timeout + ST_EARLY_MORE) << min(rtt->early, ST_BACKOFF_MAX);
	return timeout < usecs_to_jiffies(st_guard_timeout(st)) ? timeout : 0;
}

/**
 * st_guard_answered - the answer to a guarded operation is there
 * @st: the Virtual Connection
 * @guard: what waited for it
 *
 * Which of several tries the peer has answered can't be told, so that only the
 * first tells the round trip (Karn's algorithm, RFC 6298 3).
 *
 * Context: under st->lock.
 */
void st_guard_answered(struct st_sock *st, struct st_guard *guard)
{
	if (guard->armed && !guard->tries)
		st_rtt_sample(&st->rtt, ktime_us_delta(ktime_get(), guard->sent));
	st_guard_stop(guard);
}
EXPORT_SYMBOL_IF_KUNIT(st_guard_answered);

/**
 * st_guard_told - a Request_State_Response came in, ST 6.1.1
 * @st: the Virtual Connection
 * @guard: what waited for one
 * @sync: the Sync in it, which is that of what it answers; it may answer an
 *	earlier operation than the one that tells the round trip
 *
 * Context: under st->lock.
 */
void st_guard_told(struct st_sock *st, struct st_guard *guard, u32 sync)
{
	if (guard->op.sync == sync)
		st_guard_answered(st, guard);
	else
		st_guard_stop(guard);
}
EXPORT_SYMBOL_IF_KUNIT(st_guard_told);
