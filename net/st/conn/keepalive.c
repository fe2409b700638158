// SPDX-License-Identifier: GPL-2.0
/*
 * Silent peers: SO_KEEPALIVE, net.st.confirm_ms.  The probe is a Request_State for Slots
 * (ST 6.1.1.1): every end device has to answer it, and it is repeated as any operation of
 * table 9 (ST 10.2).
 */
#include "conn/conn.h"

/* How long the peer may be silent before it is probed, jiffies; 0: for ever */
static unsigned long st_keep_silence(const struct st_sock *st)
{
	unsigned long idle = 0, confirm = 0;

	if (sock_flag(&st->sk, SOCK_KEEPOPEN))
		idle = READ_ONCE(st->opts.keep_idle) * HZ;
	if (st_unconfirmed(st))
		confirm = msecs_to_jiffies(READ_ONCE(st_net_of(st)->confirm));
	return min_not_zero(idle, confirm);
}

/**
 * st_keep_check - probe a peer that has been silent for too long
 * @st: the Virtual Connection, ST_ESTABLISHED
 * @now: jiffies
 *
 * Sets st_timer() for the next check.
 *
 * Context: under st->lock.
 */
void st_keep_check(struct st_sock *st, unsigned long now)
{
	unsigned long silence = st_keep_silence(st), since = st->timers.heard;

	if (!silence)
		return;
	if (time_after_eq(now, since + silence)) {
		st_queue_request_state(st);
		since = now;
	}
	st_timer_at(st, since + silence);
}

/* The input of st_keep_silence() has changed.  Drops st->lock. */
static void st_keep_changed(struct st_sock *st)
	__releases(&st->lock)
{
	if (st->sk.sk_state == ST_ESTABLISHED)
		st_keep_check(st, jiffies);
	st_unlock(st);
}

/**
 * st_keep_set - set SO_KEEPALIVE
 * @sk: the socket
 * @on: its value, 0 or 1
 *
 * Context: process, under lock_sock().
 */
void st_keep_set(struct sock *sk, int on)
{
	struct st_sock *st = st_sk(sk);

	spin_lock_bh(&st->lock);
	/* The caller sets the flag only after this call, which may be too late for st_timer() */
	sock_valbool_flag(sk, SOCK_KEEPOPEN, on);
	st_keep_changed(st);
}

/**
 * st_keep_set_idle - set ST_KEEP_IDLE
 * @st: the socket
 * @seconds: its value, not yet validated
 *
 * Context: process.
 * Return: 0, or -EINVAL when @seconds is not 1 to ST_KEEP_IDLE_MAX.
 */
int st_keep_set_idle(struct st_sock *st, int seconds)
{
	if (seconds < 1 || seconds > ST_KEEP_IDLE_MAX)
		return -EINVAL;
	spin_lock_bh(&st->lock);
	WRITE_ONCE(st->opts.keep_idle, seconds);
	st_keep_changed(st);
	return 0;
}
