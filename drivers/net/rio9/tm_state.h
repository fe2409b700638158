/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What traffic management remembers of a port and its peers, 3.4.
 */
#ifndef _RIO9_TM_STATE_H
#define _RIO9_TM_STATE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include <linux/xarray.h>

#include "tm.h"
#include "tm_q.h"

/* Operands of a peer that are remembered; so many stopped streams, too, and credit queues */
#define RIO9_TM_OPERANDS	64
/* Allocation units of an operand, 3.4.4 */
#define RIO9_TM_UNITS		16
/* Messages to a peer that wait; another is lost, which the protocol makes good */
#define RIO9_TM_PENDING		256

/* Bytes of the token bucket, the least rate, and the rate of a port that has told no other */
#define RIO9_TM_BUCKET		(64 * 1024)
#define RIO9_TM_RATE_LEAST	64000
#define RIO9_TM_RATE_PORT	1250000000

/* A queue that waits asks again after this; one that is empty for that gives credits back */
#define RIO9_TM_ASK_AGAIN	(100 * NSEC_PER_MSEC)
#define RIO9_TM_IDLE		NSEC_PER_SEC

/* So many queues ask at a time; the others do so after that */
#define RIO9_TM_ASK_MOST	16
#define RIO9_TM_ASK_REST	NSEC_PER_MSEC

/* A source that goes on after XOFF is told again, as it may not have heard, but not sooner */
#define RIO9_TM_SAY_AGAIN	(10 * NSEC_PER_MSEC)

/* Levels of an egress queue in 1/255: three quarters, half, a quarter */
#define RIO9_TM_HIGH	191
#define RIO9_TM_MIDDLE	128
#define RIO9_TM_LOW	64

/* PDUs of the largest size that an egress queue has room for at first, and that a unit grants */
#define RIO9_TM_VIQ_PDUS	16
#define RIO9_TM_GRANT		8

/* Events of user-defined messages in a second */
#define RIO9_TM_EVENTS		1000

/**
 * enum rio9_tm_mode - TM mode of register 48, 5.5.1; 5 to 7 are reserved, 8 to 15 of a hook
 * @RIO9_TM_DISABLED: no message is obeyed
 * @RIO9_TM_BASIC: on and off
 * @RIO9_TM_RATE: and rates
 * @RIO9_TM_CREDIT: on and off, and credits
 * @RIO9_TM_CREDIT_RATE: all three
 * @RIO9_TM_HOOK: the first mode of a hook
 * @RIO9_TM_MODES: how many there are
 */
enum rio9_tm_mode {
	RIO9_TM_DISABLED,
	RIO9_TM_BASIC,
	RIO9_TM_RATE,
	RIO9_TM_CREDIT,
	RIO9_TM_CREDIT_RATE,
	RIO9_TM_HOOK = 8,
	RIO9_TM_MODES = 16,
};

/* TM types that can be had, by TM OP, 5.5.1 */
#define RIO9_TM_TYPES_ALL \
	(BIT(RIO9_TM_OP_BASIC) | BIT(RIO9_TM_OP_RATE) | BIT(RIO9_TM_OP_CREDIT))

/**
 * struct rio9_tm_unit - an allocation unit of the ingress, 3.4.4
 * @unit: its number
 * @granted: credits when it was allocated
 * @left: credits that are left
 * @begun: CREDIT_STATUS with @granted has been said
 */
struct rio9_tm_unit {
	u8 unit;
	u8 granted;
	u8 left;
	bool begun;
};

/**
 * struct rio9_operand - what a peer has said about some of the queues to it
 * @list: in those of the peer
 * @any: in those of everybody, if it is about all that this endpoint sends
 * @peer: whose it is
 * @q: which queues
 * @seq: when the newest XON or XOFF came; 0 if none has that still matters
 * @off: it was XOFF
 * @rated: @rates hold
 * @rates: average and peak
 * @tokens: in the bucket of the average; below 0 after a long PDU
 * @filled: when the bucket was filled
 * @began: when the newest PDU began
 * @next: before that no PDU begins, for the peak
 * @units: allocation units with credits, in the order of use
 * @held: how many
 * @flying: a PDU that costs a credit of the first unit may be on its way
 * @used: when it last had something to send
 */
struct rio9_operand {
	struct list_head list;
	struct list_head any;
	struct rio9_tm_peer *peer;
	struct rio9_tm_q q;
	u64 seq;
	bool off;
	bool rated;
	struct rio9_tm_rates rates;
	s64 tokens;
	u64 filled;
	u64 began;
	u64 next;
	struct rio9_tm_unit units[RIO9_TM_UNITS];
	u8 held;
	bool flying;
	u64 used;
};

/**
 * struct rio9_tm_voq - an ingress queue that is not empty
 * @list: in those of all peers
 * @peer: where it goes
 * @pdu: the PDU that was not let go last
 * @fill: how full it is
 * @waiting: there was such a PDU
 * @due: when Q_STATUS is due
 */
struct rio9_tm_voq {
	struct list_head list;
	struct rio9_tm_peer *peer;
	struct rio9_pdu pdu;
	u8 fill;
	bool waiting;
	u64 due;
};

/**
 * struct rio9_tm_viq - an egress queue that matters
 * @fill: how full it is
 * @full: it was three quarters full, and not yet down to a quarter
 * @reduced: its source was told to be slower
 * @slow: it may still be
 * @said: when its source was told last to stop
 */
struct rio9_tm_viq {
	u8 fill;
	bool full;
	bool reduced;
	bool slow;
	u64 said;
};

/**
 * struct rio9_tm_stopped - a stream whose user has no room
 * @list: in those of its source
 * @q: operand for it alone
 * @said: when its source was told last
 */
struct rio9_tm_stopped {
	struct list_head list;
	struct rio9_tm_q q;
	u64 said;
};

/**
 * struct rio9_tm_open - an allocation unit of the egress that is not over
 * @unit: its number
 * @granted: its credits
 * @came: PDUs that came for it
 * @begun: the source uses it
 */
struct rio9_tm_open {
	u8 unit;
	u8 granted;
	u8 came;
	bool begun;
};

/**
 * struct rio9_tm_grant - queues of a source that have asked for credits
 * @list: in those of the source
 * @q: which queues
 * @open: units, the older first: the older is over when the newer begins
 * @count: how many
 * @next: number of the next
 * @wants: that one is granted as soon as there is room
 */
struct rio9_tm_grant {
	struct list_head list;
	struct rio9_tm_q q;
	struct rio9_tm_open open[2];
	u8 count;
	u8 next;
	bool wants;
};

/**
 * struct rio9_tm_peer - what is remembered of a peer
 * @id: its ID
 * @operands: &struct rio9_operand, what it has said
 * @operand_count: how many
 * @voqs: &struct rio9_tm_voq by class, of data to it
 * @viqs: &struct rio9_tm_viq by class, of data from it
 * @stopped: &struct rio9_tm_stopped, of data from it
 * @stopped_count: how many
 * @grants: &struct rio9_tm_grant, of data from it
 * @grant_count: how many
 * @pending: messages to it that wait
 * @pending_count: how many
 */
struct rio9_tm_peer {
	u16 id;
	struct list_head operands;
	unsigned int operand_count;
	struct xarray voqs;
	struct xarray viqs;
	struct list_head stopped;
	unsigned int stopped_count;
	struct list_head grants;
	unsigned int grant_count;
	struct list_head pending;
	unsigned int pending_count;
};

/**
 * struct rio9_tm_ops - what traffic management asks of a port; each may be called in softirq
 * @now: time in ns
 * @kick: there are messages to be popped, or something may be sent that was not
 * @event: tell listeners of a user-defined message, and return whether there are any; NULL if
 *	there cannot be any
 * @disabled: the mode is 0, as its hook has gone; NULL if nobody has to know
 */
struct rio9_tm_ops {
	u64 (*now)(struct rio9_port *port);
	void (*kick)(struct rio9_port *port);
	bool (*event)(struct rio9_port *port, const struct rio9_tm_user *msg);
	void (*disabled)(struct rio9_port *port);
};

/**
 * struct rio9_tm_state - traffic management of a port
 * @list: in those of all ports
 * @lock: serialises everything here but @list; nothing is called with it held
 * @ops: the port's
 * @port: the port
 * @types: TM types that it has
 * @mode: TM mode
 * @obey_any: operands about all that this endpoint sends are obeyed; written without the lock
 * @rate: the rate of the port, in bytes a second
 * @viq_pdus: PDUs of the largest size that an egress queue has room for
 * @channels: physical channel by bits 0 and 1 of the class
 * @seq: of the newest XON or XOFF
 * @peers: &struct rio9_tm_peer by ID
 * @any: &struct rio9_operand about all that this endpoint sends
 * @voqs: all &struct rio9_tm_voq
 * @pending: messages that wait, by physical channel
 * @wake: when a PDU may begin that a rate has stopped
 * @due: when there is something to say
 * @kicked: @ops->kick() is called as soon as the lock is free
 * @events: events since @events_since
 * @events_since: when a second began
 * @timed: the timer runs
 * @timer: calls rio9_tm_tick()
 * @stats: what was counted
 */
struct rio9_tm_state {
	struct list_head list;
	spinlock_t lock;	/* everything in here */
	const struct rio9_tm_ops *ops;
	struct rio9_port *port;
	u8 types;
	u8 mode;
	bool obey_any;
	u64 rate;
	unsigned int viq_pdus;
	u8 channels[RIO9_TM_FLOWS];
	u64 seq;
	struct xarray peers;
	struct list_head any;
	struct list_head voqs;
	struct list_head pending[RIO9_CHANNELS];
	u64 wake;
	u64 due;
	bool kicked;
	unsigned int events;
	u64 events_since;
	bool timed;
	struct hrtimer timer;
	u64 stats[RIO9_STATS];
};

static inline void rio9_tm_count(struct rio9_tm_state *tm, enum rio9_stat stat)
{
	lockdep_assert_held(&tm->lock);
	tm->stats[stat]++;
}

static inline bool rio9_tm_has_rates(const struct rio9_tm_state *tm)
{
	return tm->mode == RIO9_TM_RATE || tm->mode == RIO9_TM_CREDIT_RATE;
}

static inline bool rio9_tm_has_credits(const struct rio9_tm_state *tm)
{
	return tm->mode == RIO9_TM_CREDIT || tm->mode == RIO9_TM_CREDIT_RATE;
}

/* In the other modes messages are neither obeyed nor sent */
static inline bool rio9_tm_is_on(const struct rio9_tm_state *tm)
{
	return tm->mode >= RIO9_TM_BASIC && tm->mode <= RIO9_TM_CREDIT_RATE;
}

/* Whether the queues of a port matter to it; without the lock, so that it costs nothing if not */
static inline bool rio9_tm_is_managed(const struct rio9_tm_state *tm)
{
	return READ_ONCE(tm->mode) != RIO9_TM_DISABLED;
}

static inline void rio9_tm_due(struct rio9_tm_state *tm, u64 at)
{
	tm->due = min(tm->due, at);
}

#endif
