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
 * struct st_retrans - retransmission state of an operation, ST 10.2
 * @op: the operation
 * @expires: jiffies of the next repeat
 * @sent: time of the first transmission
 * @since: 64-bit jiffies since when the peer has not answered, not even in part
 * @tries: repeats so far
 * @tlp: the first repeat is early: it comes before Op_timeout, and does not count
 * @armed: an answer is awaited
 * @paused: the answer was that it is postponed
 * @brief: Max_Retry applies in addition to ST_USER_TIMEOUT
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
 * struct st_rtt - round-trip estimator, ST 10.1
 * @srtt: smoothed round trip, microseconds * 8; 0: no sample
 * @rttvar: its variation, microseconds * 4
 * @backoff: doublings of Op_timeout since the last sample
 * @tlp: early repeats since the last sample
 */
struct st_rtt {
	u32		srtt;
	u32		rttvar;
	unsigned int	backoff;
	unsigned int	tlp;
};

/**
 * enum st_verdict - consequence of a timeout for the Virtual Connection
 * @ST_V_GO_ON: none
 * @ST_V_CLOSE: the time to send the rest of a closed socket's data is over
 * @ST_V_TIMEOUT: the peer does not answer any more
 */
enum st_verdict {
	ST_V_GO_ON,
	ST_V_CLOSE,
	ST_V_TIMEOUT,
};

/**
 * struct st_timers - timer of a Virtual Connection
 * @timer: expires at the earliest time in any struct st_retrans and in the members below
 * @rtt: round-trip estimator
 * @heard: jiffies of the last operation from the peer
 * @hold_until: jiffies; in ST_HELD the end of that state, before that the time to give up sending
 *	what was queued before close()
 *
 * All members are protected by st_sock.lock.
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
