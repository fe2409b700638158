/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of a HIPPI-6400 link: bring-up, sequence, ACK and credit.  Pure logic
 * over a ring in memory; the time comes as an argument, in nanoseconds of any
 * monotonic clock, so that two links can run back to back without a device.
 *
 * The caller serialises every call on a link (the port's lock in the driver).
 */
#ifndef _HIPPI6400_LINK_H
#define _HIPPI6400_LINK_H

#include <linux/hippi6400.h>

#include "admin.h"
#include "upkt.h"

/**
 * enum h64_link_state - bring-up, HIPPI-6400-PH 12
 * @H64_OFF: the port is disabled; nothing is sent or accepted
 * @H64_DOWN: no signal from the far end
 * @H64_HOLDOFF: up too short a time ago to be brought up again
 * @H64_RESET_SENT: waiting for Reset_ACK
 * @H64_INIT_SENT: waiting for Initialize_ACK and the far end's Initialize
 * @H64_UP: Messages pass
 */
enum h64_link_state {
	H64_OFF,
	H64_DOWN,
	H64_HOLDOFF,
	H64_RESET_SENT,
	H64_INIT_SENT,
	H64_UP,
};

/**
 * enum h64_rx_action - what the caller of h64_link_rx() does with the data bytes
 * @H64_RX_IGNORE: nothing
 * @H64_RX_MESSAGE: a Header or Data micropacket accepted in order
 * @H64_RX_NO_CREDIT: as @H64_RX_MESSAGE, but there is no room for it: its
 *	Message is lost
 * @H64_RX_ADMIN: an Admin micropacket accepted in order: for h64_admin_rx()
 */
enum h64_rx_action {
	H64_RX_IGNORE,
	H64_RX_MESSAGE,
	H64_RX_NO_CREDIT,
	H64_RX_ADMIN,
};

/**
 * struct h64_tx_ring - the ring that the card sends from
 * @slot: the entries
 * @size: how many, a power of two
 * @prod: free-running index of the next entry to write
 * @cons: how far the card has taken them, kept by the owner
 *
 * It is the retransmission buffer too: an entry is free for use again when the
 * card has taken it and what is in it has been acknowledged.
 */
struct h64_tx_ring {
	struct h64_upkt *slot;
	u32 size;
	u32 prod;
	u32 cons;
};

/**
 * struct h64_link_times - timers, in nanoseconds, and limits
 * @retry: from one Reset or Initialize to the next
 * @ack: ACK timeout
 * @activity: silence that takes an up link down
 * @holdoff: least time from one bring-up to the next
 * @retry_limit: ACK timeouts in a row without progress that a go-back follows, not
 *	a reset of the link, or 0 for H64_RETRY_LIMIT
 */
struct h64_link_times {
	u64 retry;
	u64 ack;
	u64 activity;
	u64 holdoff;
	u8 retry_limit;
};

/**
 * struct h64_link_stats - events of a link
 * @rx_upkts: micropackets the card handed over
 * @tx_upkts: micropackets handed to the card
 * @lcrc_errors: discarded for a wrong LCRC
 * @ecrc_errors: outside any Message, with a wrong ECRC, Admin included
 * @out_of_sequence: sequenced, and not the next expected
 * @reserved_type: TYPE is a reserved one
 * @unexpected: sequenced, on a link that is not up to it
 * @bad_rseq: RSEQ of something that was never sent
 * @go_backs: retransmission events
 * @rexmit_upkts: micropackets sent again
 * @ack_timeouts: times the ACK timeout ran out, @retry_limits included
 * @retry_limits: ACK timeouts after which the link was reset, as go-backs did not help
 * @no_credit: received without credit granted
 * @credit_overflow: credit beyond what a source can hold
 * @resets_tx: Resets sent
 * @resets_rx: Resets received
 * @inits: times the link was brought up
 * @activity_losses: times silence took the link down
 * @signal_losses: times the link went down with the signal
 * @holdoffs: times the link waited for the hold-off timer
 * @admin_rx: Admin micropackets accepted
 * @admin_tx: Admin micropackets sent, each counted once
 * @admin_unknown: Admin dropped for its version or opcode, or with no identity
 *	of this end set
 * @admin_hops: Admin dropped for a hop count other than 0
 * @admin_length: Admin dropped for its length
 * @admin_busy: requests dropped as the last of this kind is not answered yet
 * @admin_unasked: answers dropped that belong to no request
 * @admin_timeouts: requests given up
 */
struct h64_link_stats {
	u64 rx_upkts;
	u64 tx_upkts;
	u64 lcrc_errors;
	u64 ecrc_errors;
	u64 out_of_sequence;
	u64 reserved_type;
	u64 unexpected;
	u64 bad_rseq;
	u64 go_backs;
	u64 rexmit_upkts;
	u64 ack_timeouts;
	u64 retry_limits;
	u64 no_credit;
	u64 credit_overflow;
	u64 resets_tx;
	u64 resets_rx;
	u64 inits;
	u64 activity_losses;
	u64 signal_losses;
	u64 holdoffs;
	u64 admin_rx;
	u64 admin_tx;
	u64 admin_unknown;
	u64 admin_hops;
	u64 admin_length;
	u64 admin_busy;
	u64 admin_unasked;
	u64 admin_timeouts;
};

/**
 * struct h64_vc_credit - credit of one Virtual Channel, HIPPI-6400-PH 4.7
 * @avail: what this source may still send
 * @room: free room here, not granted yet
 * @out: granted to the far end and not used yet
 * @stopped: a Message waits for credit
 * @tx_granted: credits the far end granted, ever
 * @tx_used: credits this source used, ever
 * @rx_granted: credits this end granted, ever
 * @rx_used: credits the far end used, ever
 * @stops: times a Message had to wait for credit
 */
struct h64_vc_credit {
	u32 avail;
	u32 room;
	u32 out;
	bool stopped;
	u64 tx_granted;
	u64 tx_used;
	u64 rx_granted;
	u64 rx_used;
	u64 stops;
};

/**
 * struct h64_source - what was sent and is not acknowledged, HIPPI-6400-PH 4.8
 * @una: oldest TSEQ not acknowledged
 * @count: how many there are
 * @rexmit: how many of them, the newest ones, still have to be sent again
 * @open: bits of the Virtual Channels with a Message under way
 * @timeouts: ACK timeouts since the last progress
 * @repeats: Nulls in a row that repeated @last_rseq
 * @acked_any: RSEQ x'FF' can no longer be right
 * @in_vain: there was no progress since the last go-back
 * @recovering: nothing beyond @recover was acknowledged yet
 * @recover: newest TSEQ that the last go-back sent again
 * @copies: how many micropackets the last go-back sent again
 * @last_rseq: newest RSEQ received
 * @went_back: time of the last go-back
 * @asked: when to go back as the far end asked, or H64_NEVER
 * @deadline: of the ACK timeout, with @count not 0
 * @latest: how far a go-back that is asked for can put off @deadline
 * @timing: @timed was sent at @timed_at, and is not acknowledged yet
 * @timed: TSEQ that measures a round trip
 * @timed_at: time
 * @round_trip: how long a round trip took of late, at the most
 * @slot: ring index of the newest copy, by TSEQ
 */
struct h64_source {
	u8 una;
	u8 count;
	u8 rexmit;
	u8 open;
	u8 timeouts;
	u8 repeats;
	bool acked_any;
	bool in_vain;
	bool recovering;
	u8 recover;
	u8 copies;
	u8 last_rseq;
	u64 went_back;
	u64 asked;
	u64 deadline;
	u64 latest;
	bool timing;
	u8 timed;
	u64 timed_at;
	u64 round_trip;
	u32 slot[H64_SEQ_MOD];
};

/**
 * struct h64_sink - what was received in order, HIPPI-6400-PH 4.8
 * @expect: TSEQ of the next in order
 * @rseq: TSEQ of the last one accepted, or H64_SEQ_NONE
 * @advertised: the RSEQ sent last
 * @open: Initialize was received: sequenced micropackets are accepted
 * @accepted_any: since that Initialize
 * @ack_due: @rseq has to be sent even if nothing else is
 * @nak: Nulls by which the far end has to be told of a discard
 * @gap: something is missing since @rseq
 * @gap_dist: how far beyond @expect the newest discard was
 * @far: something came since @rseq that lies far beyond it, or came again
 * @far_dist: its distance from @expect, more than half the way round
 */
struct h64_sink {
	u8 expect;
	u8 rseq;
	u8 advertised;
	bool open;
	bool accepted_any;
	bool ack_due;
	u8 nak;
	bool gap;
	u8 gap_dist;
	bool far;
	u8 far_dist;
};

struct h64_link;

/**
 * struct h64_link_ops - what the link tells its owner
 * @up: Messages can be sent; may be NULL
 * @drop: all state was dropped: Messages under way are lost in both directions.
 *	@unacked is how many were framed wholly and not acknowledged.  May be NULL.
 * @loopback: what h64_admin_loopback() asked for has ended: 0, -EBADMSG if
 *	something else came back, -ETIMEDOUT, or -ENOLINK.  May be NULL.
 */
struct h64_link_ops {
	void (*up)(struct h64_link *link);
	void (*drop)(struct h64_link *link, unsigned int unacked);
	void (*loopback)(struct h64_link *link, int err);
};

/**
 * struct h64_link - one end of a link
 * @ring: the ring that the card sends from
 * @times: timers and limits
 * @ops: calls to the owner
 * @state: where the bring-up is
 * @signal: the far end drives the line
 * @init_acked: the far end answered this end's Initialize
 * @was_up: @up_at has a meaning
 * @up_at: when the link came up last
 * @state_deadline: of the retry or hold-off timer
 * @init_limit: when to start over with Reset if Initialize led nowhere
 * @rx_deadline: when silence has lasted too long
 * @tx_deadline: when a Null is due
 * @ticked: when h64_link_tick() looked last
 * @mark: index in the owner's receive ring, see h64_link_tick_ring()
 * @mark_time: a time before which nothing beyond @mark had arrived
 * @clmul: the owner is between h64_clmul_begin() and h64_clmul_end()
 * @src: this end as the source
 * @dst: this end as the destination
 * @credit: of each Virtual Channel
 * @admin: Admin micropackets
 * @stats: events
 */
struct h64_link {
	struct h64_tx_ring ring;
	struct h64_link_times times;
	const struct h64_link_ops *ops;
	enum h64_link_state state;
	bool signal;
	bool init_acked;
	bool was_up;
	u64 up_at;
	u64 state_deadline;
	u64 init_limit;
	u64 rx_deadline;
	u64 tx_deadline;
	u64 ticked;
	u32 mark;
	u64 mark_time;
	bool clmul;
	struct h64_source src;
	struct h64_sink dst;
	struct h64_vc_credit credit[HIPPI6400_NUM_VCS];
	struct h64_admin admin;
	struct h64_link_stats stats;
};

/* No deadline */
#define H64_NEVER	U64_MAX

/* link.c: bring-up, receiving */
void h64_link_init(struct h64_link *link, const struct h64_link_ops *ops,
		   const struct h64_link_times *times);
void h64_link_set_times(struct h64_link *link, const struct h64_link_times *times, u64 now);
void h64_link_enable(struct h64_link *link, u64 now);
void h64_link_disable(struct h64_link *link);
void h64_link_signal(struct h64_link *link, bool signal, u64 now);
void h64_link_restart(struct h64_link *link, u64 now);
enum h64_rx_action h64_link_rx(struct h64_link *link, u64 ctrl, enum h64_verdict verdict,
			       u16 ecrc, u64 now);
void h64_link_flush(struct h64_link *link, u64 now);
const char *h64_link_state_name(enum h64_link_state state);
bool h64_link_control(struct h64_link *link, u8 type, u64 now);
void h64_link_send_reset(struct h64_link *link, u64 now);
void h64_link_send_init(struct h64_link *link, u64 now);

/* timer.c: timers */
u64 h64_link_recovery(const struct h64_link_times *times);
void h64_link_tick(struct h64_link *link, u64 now);
void h64_link_tick_ring(struct h64_link *link, u32 cons, u32 prod, u64 now);
u64 h64_link_deadline(const struct h64_link *link);

/* credit.c: credit */
void h64_credit_reset(struct h64_link *link);
bool h64_credit_have(struct h64_link *link, unsigned int vc);
void h64_credit_use(struct h64_link *link, unsigned int vc);
u64 h64_credit_piggyback(struct h64_link *link);
void h64_credit_send(struct h64_link *link, u64 now);
void h64_credit_receive(struct h64_link *link, unsigned int vc, u32 credits);
bool h64_credit_consume(struct h64_link *link, unsigned int vc);
void h64_credit_drained(struct h64_link *link, unsigned int vc);

/* admin.c: Admin micropackets */
void h64_admin_identify(struct h64_link *link, const struct h64_identity *self);
const struct h64_identity *h64_admin_neighbour(const struct h64_link *link);
const char *h64_admin_element_name(u8 element);
int h64_admin_loopback(struct h64_link *link, const void *pattern, unsigned int len, u64 now);
void h64_admin_loopback_end(struct h64_link *link, int err);
void h64_admin_rx(struct h64_link *link, const void *data, u64 now);
void h64_admin_send_ready(struct h64_link *link, u64 now);
void h64_admin_up(struct h64_link *link, u64 now);
void h64_admin_drop(struct h64_link *link);
void h64_admin_tick(struct h64_link *link, u64 now);
u64 h64_admin_deadline(const struct h64_link *link);

/**
 * h64_admin_send - send the Admin micropackets that are due
 * @link: the link
 * @now: the time
 *
 * They wait for window, credit, and the end of a Message on their Virtual
 * Channel; h64_link_flush() tries, too.  A source with much to send calls this
 * before each micropacket, so that it finds the place between two Messages.
 */
static inline void h64_admin_send(struct h64_link *link, u64 now)
{
	if (link->admin.ready)
		h64_admin_send_ready(link, now);
}

#endif
