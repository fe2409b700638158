/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations that are repeated until they are answered, ST 10.1 and 10.2.
 */
#ifndef _NET_ST_RETRANS_H
#define _NET_ST_RETRANS_H

#include <linux/ktime.h>
#include <linux/timer.h>

#include "wire/op.h"

struct st_sock;

/**
 * struct st_retrans - an operation that is repeated until it is answered, ST 10.2
 * @op: the operation
 * @expires: jiffies of the next repeat
 * @sent: when it was sent first
 * @since: 64-bit jiffies since when the peer has not answered, not even in part
 * @tries: repeats so far
 * @tlp: the first of them comes before Op_timeout, and does not count
 * @armed: an answer is awaited
 * @paused: the answer was that there will be one
 * @brief: Max_Retry is a limit beside ST_USER_TIMEOUT
 */
struct st_retrans {
	struct st_op	op;
	unsigned long	expires;
	ktime_t		sent;
	u64		since;
	unsigned int	tries;
	bool		tlp;
	bool		armed;
	bool		paused;
	bool		brief;
};

/**
 * struct st_rtt - measured round trips, ST 10.1
 * @srtt: smoothed, microseconds * 8; 0: none measured
 * @rttvar: their variation, microseconds * 4
 * @backoff: how often Op_timeout has doubled since the last was measured
 * @tlp: how often something was repeated before Op_timeout since then
 */
struct st_rtt {
	u32		srtt;
	u32		rttvar;
	unsigned int	backoff;
	unsigned int	tlp;
};

/**
 * enum st_verdict - what follows from a timeout for a Virtual Connection as a whole
 * @ST_V_GO_ON: nothing
 * @ST_V_CLOSE: what a socket that is closed has left to send was sent for long enough
 * @ST_V_TIMEOUT: the peer does not answer any more
 */
enum st_verdict {
	ST_V_GO_ON,
	ST_V_CLOSE,
	ST_V_TIMEOUT,
};

/**
 * struct st_timers - when a Virtual Connection has to do something
 * @timer: the next of what @rtt, each struct st_retrans and the others below say
 * @rtt: measured round trips
 * @heard: jiffies of the last operation from the peer
 * @hold_until: jiffies, in ST_HELD; before that when to stop trying to send
 *	what was queued before close()
 *
 * All of it is protected by st_sock.lock.
 */
struct st_timers {
	struct timer_list	timer;
	struct st_rtt		rtt;
	unsigned long		heard;
	unsigned long		hold_until;
};

/* conn/retrans.c */
void st_rtt_sample(struct st_rtt *rtt, u64 us);
u32 st_rtt_timeout(const struct st_rtt *rtt, u32 min, u32 max);
void st_rtt_backoff(struct st_rtt *rtt, unsigned int tries);
u32 st_retrans_timeout(const struct st_sock *st);
unsigned long st_tlp_timeout(const struct st_sock *st, const struct st_rtt *rtt);
void st_retrans_answered(struct st_sock *st, struct st_retrans *retrans);
void st_retrans_told(struct st_sock *st, struct st_retrans *retrans, u32 sync);
void st_retrans_start(struct st_sock *st, struct st_retrans *retrans, const struct st_op *op);
void st_retrans_set(const struct st_sock *st, struct st_retrans *retrans, unsigned long wait);
void st_retrans_wait(struct st_sock *st, struct st_retrans *retrans);
void st_retrans_pause(struct st_sock *st, struct st_retrans *retrans, unsigned long delay);
void st_retrans_stop(struct st_retrans *retrans);
int st_retrans_expired(struct st_sock *st, struct st_retrans *retrans, unsigned long now);
bool st_retrans_held(struct st_sock *st, struct st_retrans *retrans, unsigned long now);
void st_retrans_again(struct st_sock *st, struct st_retrans *retrans);
bool st_retrans_repeat(struct st_sock *st, struct st_retrans *retrans, unsigned long now);

#endif
