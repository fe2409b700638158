// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that are repeated until they are answered, ST 10.1 and 10.2, and Op_timeout, computed
 * from measured round trips as in RFC 6298.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "link/link.h"
#include "st_sock.h"

#define ST_RTT_MAX	BIT(28)		/* us; limit of a sample */
#define ST_BACKOFF_MAX	16		/* doublings, more than the other limits allow */
#define ST_TLP_MORE	2		/* jiffies that timers and softirqs may be late */

/**
 * st_rtt_sample - take a sample from the answer to an operation that was not repeated
 * @rtt: the estimator
 * @us: time from operation to answer, microseconds
 *
 * RFC 6298 2.2 and 2.3.  Ends the back-off, and allows an early repeat again.
 *
 * Context: under st->lock of the Virtual Connection of @rtt.
 */
void st_rtt_sample(struct st_rtt *rtt, u64 us)
{
	u32 m = clamp_t(u64, us, 1, ST_RTT_MAX);
	s32 err;

	rtt->backoff = 0;
	rtt->tlp = 0;
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
 * st_rtt_timeout - compute Op_timeout for the next operation
 * @rtt: the estimator
 * @min: least result, microseconds, unless @max is less
 * @max: greatest result, microseconds, and the result without any sample
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
 * st_rtt_backoff - back off after a timeout
 * @rtt: the estimator
 * @tries: repeats of the operation so far, including this one
 *
 * RFC 6298 5.5: the next operations wait longer, too, until there is a new sample.
 *
 * Context: as st_rtt_sample().
 */
void st_rtt_backoff(struct st_rtt *rtt, unsigned int tries)
{
	rtt->backoff = min(max(tries, rtt->backoff), ST_BACKOFF_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(st_rtt_backoff);

/**
 * st_retrans_timeout - the current Op_timeout of a Virtual Connection
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: microseconds.
 */
u32 st_retrans_timeout(const struct st_sock *st)
{
	const struct st_net *sn = st_net_of(st);

	return st_rtt_timeout(&st->timers.rtt, READ_ONCE(sn->op_timeout_min) * USEC_PER_MSEC,
			      READ_ONCE(sn->op_timeout) * USEC_PER_MSEC);
}

/**
 * st_tlp_timeout - compute the timeout of an early repeat
 * @st: the Virtual Connection
 * @rtt: estimator of the time that the expected event takes
 *
 * Only time reveals the loss of the last operation (compare the tail loss probe of RFC 8985 7): it
 * is presumed after two round trips, or after the usual time of the event if that is longer.  The
 * timeout doubles with every repeat up to Op_timeout, as the probe timeout of RFC 9002 6.2.1, until
 * there is a new sample: if the repeat was useless, the time has grown.
 *
 * There is no early repeat with several paths, as each has times of its own, nor when a fixed
 * Op_timeout or zero repeats are configured.
 *
 * Context: under st->lock.
 * Return: jiffies; 0: no early repeat.
 */
unsigned long st_tlp_timeout(const struct st_sock *st, const struct st_rtt *rtt)
{
	const struct st_net *sn = st_net_of(st);
	unsigned long timeout;

	if (!rtt->srtt || st->timers.rtt.backoff || st->paths.stripe ||
	    !READ_ONCE(sn->max_retry) ||
	    READ_ONCE(sn->op_timeout_min) >= READ_ONCE(sn->op_timeout))
		return 0;
	timeout = usecs_to_jiffies(max(st->timers.rtt.srtt >> 2, (rtt->srtt >> 3) + rtt->rttvar));
	timeout = (timeout + ST_TLP_MORE) << min(rtt->tlp, ST_BACKOFF_MAX);
	return timeout < usecs_to_jiffies(st_retrans_timeout(st)) ? timeout : 0;
}

/**
 * st_retrans_answered - the answer to an operation has arrived
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 *
 * After a repeat the answer may belong to any of the tries, so only an operation that was not
 * repeated gives a sample (Karn's algorithm, RFC 6298 3).
 *
 * Context: under st->lock.
 */
void st_retrans_answered(struct st_sock *st, struct st_retrans *retrans)
{
	if (retrans->armed && !retrans->tries)
		st_rtt_sample(&st->timers.rtt, ktime_us_delta(ktime_get(), retrans->sent));
	st_retrans_stop(retrans);
}
EXPORT_SYMBOL_IF_KUNIT(st_retrans_answered);

/**
 * st_retrans_told - a Request_State_Response has arrived, ST 6.1.1
 * @st: the Virtual Connection
 * @retrans: retransmission state of the operation that waited for it
 * @sync: its Sync, which is that of the operation it answers; if that is not the last one, it gives
 *	no sample
 *
 * Context: under st->lock.
 */
void st_retrans_told(struct st_sock *st, struct st_retrans *retrans, u32 sync)
{
	if (retrans->op.sync == sync)
		st_retrans_answered(st, retrans);
	else
		st_retrans_stop(retrans);
}
EXPORT_SYMBOL_IF_KUNIT(st_retrans_told);

/**
 * st_retrans_start - start waiting for the answer to an operation, ST 10.2
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 * @op: the operation to repeat after Op_timeout
 *
 * Context: under st->lock.
 */
void st_retrans_start(struct st_sock *st, struct st_retrans *retrans, const struct st_op *op)
{
	retrans->op = *op;
	retrans->tries = 0;
	retrans->armed = true;
	retrans->paused = false;
	retrans->sent = ktime_get();
	retrans->since = get_jiffies_64();
	st_retrans_wait(st, retrans);
}
EXPORT_SYMBOL_IF_KUNIT(st_retrans_start);

/*
 * Whether a duplicate of an operation, or its arrival before Data that was sent first, has no
 * effect but lost time: true for Request_To_Send, and for Request_State of a Transfer or of Slots.
 * Request_State of a Block would be answered with the news that the Block is missing.  As to other
 * operations, the peer may have forgotten the first one when the duplicate arrives.
 */
static bool st_retrans_may_tlp(const struct st_op *op)
{
	return op->op == ST_OP_REQUEST_TO_SEND ||
	       (op->op == ST_OP_REQUEST_STATE &&
		(op->d_id == ST_ID_NONE || op->b_num == ST_B_NUM_NONE));
}

/* Jiffies left of ST_USER_TIMEOUT; 0 or less: expired. */
static s64 st_retrans_left(const struct st_sock *st, const struct st_retrans *retrans)
{
	return retrans->since + msecs_to_jiffies(st->opts.user_timeout) - get_jiffies_64();
}

/*
 * Whether Max_Retry applies in addition to ST_USER_TIMEOUT: for operations that no application
 * waits for any more, or not yet, as with orphans and half-open connections of TCP.  They use
 * memory that others need.
 */
static bool st_retrans_brief(const struct st_sock *st, const struct st_retrans *retrans)
{
	return retrans->brief || sock_flag(&st->sk, SOCK_DEAD) || st_unconfirmed(st) ||
	       (st->sk.sk_state != ST_ESTABLISHED && st->sk.sk_shutdown == SHUTDOWN_MASK);
}

/* Whether an operation has reached the limit of time or of repeats, ST 10.2. */
static bool st_retrans_over(const struct st_sock *st, const struct st_retrans *retrans)
{
	if (st->opts.user_timeout) {
		if (st_retrans_left(st, retrans) <= 0)
			return true;
		if (!st_retrans_brief(st, retrans))
			return false;
	}
	return retrans->tries >= retrans->tlp + READ_ONCE(st_net_of(st)->max_retry);
}

/**
 * st_retrans_set - set the time of the next repeat, or of the failure, of an operation
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 * @wait: jiffies; limited by what is left of ST_USER_TIMEOUT
 *
 * Context: under st->lock.
 */
void st_retrans_set(const struct st_sock *st, struct st_retrans *retrans, unsigned long wait)
{
	if (st->opts.user_timeout)
		wait = clamp_t(s64, st_retrans_left(st, retrans), 1, wait);
	retrans->expires = jiffies + wait;
}

/**
 * st_retrans_wait - restart the timeout of an operation
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 *
 * Context: under st->lock.
 */
void st_retrans_wait(struct st_sock *st, struct st_retrans *retrans)
{
	unsigned long tlp = 0;

	if (!retrans->tries) {
		/*
		 * Over a reliable link much may wait in the medium.  That holds for any operation,
		 * so the link is queried, not st_path.delivery.
		 */
		if (st_retrans_may_tlp(&retrans->op) &&
		    !st_link_has(st->paths.main->link, ST_RELIABLE) && !st->timers.rtt.tlp)
			tlp = st_tlp_timeout(st, &st->timers.rtt);
		retrans->tlp = tlp;
	}
	st_retrans_set(st, retrans, tlp ?: usecs_to_jiffies(st_retrans_timeout(st)));
	st_timer_at(st, retrans->expires);
}
EXPORT_SYMBOL_IF_KUNIT(st_retrans_wait);

/**
 * st_retrans_pause - the peer has postponed its answer, ST 6.1.2
 * @st: the Virtual Connection
 * @retrans: retransmission state of the operation
 * @delay: jiffies
 *
 * The final answer is not repeated by the peer, so the operation is repeated after @delay.
 *
 * Context: under st->lock.
 */
void st_retrans_pause(struct st_sock *st, struct st_retrans *retrans, unsigned long delay)
{
	st_retrans_answered(st, retrans);
	retrans->paused = true;
	retrans->expires = jiffies + delay;
	st_timer_at(st, retrans->expires);
}

/**
 * st_retrans_stop - stop waiting for an answer
 * @retrans: the retransmission state
 *
 * Context: under st->lock.
 */
void st_retrans_stop(struct st_retrans *retrans)
{
	retrans->armed = false;
	retrans->paused = false;
}

/**
 * st_retrans_expired - whether an operation has to be repeated, ST 10.1
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 * @now: jiffies
 *
 * Logs the timeout, counts the try and starts the next Op_timeout.  An early repeat is not logged,
 * and does not count for Max_Retry (ST 10.2).
 *
 * Context: under st->lock, in st_timer().
 * Return: 0: not yet; 1: repeat it; -ETIMEDOUT: the limit of Max_Retry or ST_USER_TIMEOUT is
 * reached.
 */
int st_retrans_expired(struct st_sock *st, struct st_retrans *retrans, unsigned long now)
{
	bool over;

	if (!retrans->armed && !retrans->paused)
		return 0;
	if (time_before(now, retrans->expires)) {
		st_timer_at(st, retrans->expires);
		return 0;
	}
	if (retrans->paused) {
		st_retrans_start(st, retrans, &retrans->op);
		return 1;
	}
	over = st_retrans_over(st, retrans);
	if (!over && retrans->tries < retrans->tlp) {
		/* Another operation has been repeated early meanwhile */
		if (st->timers.rtt.tlp) {
			st_retrans_wait(st, retrans);
			return 0;
		}
		st->timers.rtt.tlp = 1;
	} else {
		st_log(st, ST_ERR_OP_TIMEOUT);
		if (over) {
			st_log(st, ST_ERR_MAX_RETRY);
			retrans->armed = false;
			return -ETIMEDOUT;
		}
		st_path_missed(st->paths.main);
		st_rtt_backoff(&st->timers.rtt, retrans->tries + 1 - retrans->tlp);
	}
	retrans->tries++;
	st->info.op_retries++;
	st_retrans_wait(st, retrans);
	return 1;
}
EXPORT_SYMBOL_IF_KUNIT(st_retrans_expired);

/**
 * st_retrans_held - whether an operation that cannot be sent yet may wait any longer
 * @st: the Virtual Connection
 * @retrans: what waits for an answer to it
 * @now: jiffies
 *
 * It waits for as long as it would be repeated, but nothing is logged or learnt from that.
 *
 * Context: under st->lock, in st_timer().
 * Return: false when that time, or ST_USER_TIMEOUT, is over.
 */
bool st_retrans_held(struct st_sock *st, struct st_retrans *retrans, unsigned long now)
{
	if (time_before(now, retrans->expires)) {
		st_timer_at(st, retrans->expires);
		return true;
	}
	if (st_retrans_over(st, retrans))
		return false;
	retrans->tries++;
	st_retrans_wait(st, retrans);
	return true;
}

/**
 * st_retrans_again - repeat an operation
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 *
 * Every operation takes a Slot (ST 5.2.5): it is unknown whether the operation or its answer was
 * lost.  A repeat is sent even without a free Slot: the peer may discard it.
 *
 * Context: under st->lock.
 */
void st_retrans_again(struct st_sock *st, struct st_retrans *retrans)
{
	st_slot_take(st, true);
	/* The Sync of the answer tells which operations the peer has seen */
	if (retrans->op.op == ST_OP_REQUEST_STATE)
		retrans->op.sync = st->slots.ops;
	st_queue_op(st, &retrans->op);
}

/**
 * st_retrans_repeat - repeat an operation if it is time, ST 10.1
 * @st: the Virtual Connection
 * @retrans: its retransmission state
 * @now: jiffies
 *
 * Context: under st->lock, in st_timer().
 * Return: false when the limit of Max_Retry or ST_USER_TIMEOUT is reached.
 */
bool st_retrans_repeat(struct st_sock *st, struct st_retrans *retrans, unsigned long now)
{
	int due = st_retrans_expired(st, retrans, now);

	if (due > 0)
		st_retrans_again(st, retrans);
	return due >= 0;
}
