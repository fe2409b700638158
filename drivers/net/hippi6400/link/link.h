/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of a HIPPI-6400 link: bring-up, sequence, ACK and credit.  Pure logic
 * on a ring in memory; time is an argument, in nanoseconds of any monotonic
 * clock, so that two links can run back to back without a device.
 *
 * The caller serialises every call on a link (the port's lock in the driver).
 */
#ifndef _HIPPI6400_LINK_H
#define _HIPPI6400_LINK_H

#include <linux/hippi6400.h>

#include "admin.h"
#include "upkt.h"

/**
 * enum h64_link_state - state of the bring-up, HIPPI-6400-PH 12
 * @H64_OFF: the port is disabled; nothing is sent or accepted
 * @H64_DOWN: no signal from the far end
 * @H64_HOLDOFF: waiting for the hold-off timer after a recent bring-up
 * @H64_RESET_SENT: waiting for Reset_ACK
 * @H64_INIT_SENT: waiting for Initialize_ACK and the far end's Initialize
 * @H64_UP: Messages can pass
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
 * enum h64_rx_action - the action of the caller of h64_link_rx() on the data
 * bytes
 * @H64_RX_IGNORE: nothing
 * @H64_RX_MESSAGE: a Header or Data micropacket accepted in order
 * @H64_RX_NO_CREDIT: as @H64_RX_MESSAGE, but without room for it: its Message
 *	is lost
 * @H64_RX_ADMIN: an Admin micropacket accepted in order, for h64_admin_rx()
 */
enum h64_rx_action {
	H64_RX_IGNORE,
	H64_RX_MESSAGE,
	H64_RX_NO_CREDIT,
	H64_RX_ADMIN,
};

/**
 * struct h64_tx_ring - the ring from which the card sends
 * @slot: the entries
 * @size: number of entries, a power of two
 * @prod: free-running index of the next entry to write
 * @cons: free-running index of the next entry for the card to take, kept by the
 *	owner
 *
 * It is the retransmission buffer too: an entry is free once the card has taken
 * it and its micropacket is acknowledged.
 */
struct h64_tx_ring {
	struct h64_upkt *slot;
	u32 size;
	u32 prod;
	u32 cons;
};

/**
 * struct h64_link_times - timers, in nanoseconds, and limits
 * @retry: time between two Resets or Initializes
 * @ack: ACK timeout
 * @activity: silence after which an up link goes down
 * @holdoff: minimum time between two bring-ups
 * @retry_limit: number of ACK timeouts in a row without progress that lead to a
 *	go-back; the next one resets the link. 0 for H64_RETRY_LIMIT
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
 * @rx_upkts: micropackets received from the card
 * @tx_upkts: micropackets handed to the card
 * @lcrc_errors: discarded for a wrong LCRC
 * @ecrc_errors: outside any Message, with a wrong ECRC, Admin included
 * @out_of_sequence: sequenced, but not the next expected
 * @reserved_type: with a reserved TYPE
 * @unexpected: sequenced, but the link is not ready for it
 * @bad_rseq: RSEQ of a TSEQ that was never sent
 * @go_backs: retransmission events
 * @rexmit_upkts: micropackets sent again
 * @ack_timeouts: expiries of the ACK timeout, @retry_limits included
 * @retry_limits: ACK timeouts that reset the link, as go-backs did not help
 * @no_credit: received without credit granted
 * @credit_overflow: credit beyond the maximum of a source
 * @resets_tx: Resets sent
 * @resets_rx: Resets received
 * @inits: times the link was brought up
 * @activity_losses: times the link went down for silence
 * @signal_losses: times the link went down with the signal
 * @holdoffs: times the link waited for the hold-off timer
 * @admin_rx: Admin micropackets accepted
 * @admin_tx: Admin micropackets sent, each counted once
 * @admin_unknown: Admin dropped for its version or opcode, or as this end has
 *	no identity set
 * @admin_hops: Admin dropped for a hop count other than 0
 * @admin_length: Admin dropped for its length
 * @admin_busy: requests dropped as the last one of their kind is not answered
 *	yet
 * @admin_unasked: answers dropped that match no request
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
 * @avail: credits that this source may still use
 * @room: free room here, not granted yet
 * @out: granted to the far end and not used yet
 * @stopped: a Message waits for credit
 * @tx_granted: total credits that the far end granted
 * @tx_used: total credits that this source used
 * @rx_granted: total credits that this end granted
 * @rx_used: total credits that the far end used
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
 * struct h64_source - state of the sender, HIPPI-6400-PH 4.8
 * @una: oldest TSEQ not acknowledged
 * @count: number of TSEQs not acknowledged
 * @rexmit: number of them, the newest ones, that still have to be sent again
 * @open: bit mask of the Virtual Channels with an incomplete Message
 * @timeouts: ACK timeouts since the last progress
 * @repeats: Nulls in a row that repeated @last_rseq
 * @acked_any: some TSEQ was acknowledged, so RSEQ x'FF' is no longer valid
 * @in_vain: no progress since the last go-back
 * @recovering: nothing beyond @recover is acknowledged yet
 * @recover: newest TSEQ that the last go-back sent again
 * @copies: number of micropackets that the last go-back sent again
 * @last_rseq: newest RSEQ received
 * @went_back: time of the last go-back
 * @asked: time of a go-back that the far end requested, or H64_NEVER
 * @deadline: expiry of the ACK timeout, valid if @count is not 0
 * @latest: latest time to which requested go-backs can postpone @deadline
 * @timing: a round trip is being measured
 * @timed: TSEQ that measures it
 * @timed_at: time when @timed was sent
 * @round_trip: longest recent round-trip time
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
 * struct h64_sink - state of the receiver, HIPPI-6400-PH 4.8
 * @expect: next TSEQ in order
 * @rseq: last accepted TSEQ, or H64_SEQ_NONE
 * @advertised: the RSEQ sent last
 * @open: Initialize was received: sequenced micropackets are accepted
 * @accepted_any: a sequenced micropacket was accepted since that Initialize
 * @ack_due: @rseq has to be sent even if nothing else is
 * @nak: number of Nulls to send that tell the far end of a discard
 * @gap: a micropacket after @rseq is missing
 * @gap_dist: distance of the newest discard from @expect
 * @far: a micropacket since @rseq lies far beyond it, or is a repetition
 * @far_dist: its distance from @expect, more than half of the sequence space
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
 * struct h64_link_ops - callbacks to the owner of a link
 * @up: the link came up; may be NULL
 * @drop: all state was dropped: incomplete Messages are lost in both directions.
 *	@unacked is the number of Messages framed completely but not acknowledged.
 *	May be NULL.
 * @loopback: a loop-back has ended: 0, -EBADMSG if the answer differs,
 *	-ETIMEDOUT, or -ENOLINK.  May be NULL.
 */
struct h64_link_ops {
	void (*up)(struct h64_link *link);
	void (*drop)(struct h64_link *link, unsigned int unacked);
	void (*loopback)(struct h64_link *link, int err);
};

/**
 * struct h64_link - one end of a link
 * @ring: the ring from which the card sends
 * @times: timers and limits
 * @ops: callbacks to the owner
 * @state: state of the bring-up
 * @signal: the far end drives the line
 * @init_acked: the far end answered this end's Initialize
 * @was_up: @up_at is valid
 * @up_at: time when the link last came up
 * @state_deadline: expiry of the retry or hold-off timer
 * @init_limit: time to restart with Reset if Initialize is not answered
 * @rx_deadline: time when silence takes the link down
 * @tx_deadline: time when a Null is due
 * @ticked: time of the last h64_link_tick()
 * @mark: index in the owner's receive ring, see h64_link_tick_ring()
 * @mark_time: a time before which nothing beyond @mark had arrived
 * @clmul: the owner is between h64_clmul_begin() and h64_clmul_end()
 * @src: sender state
 * @dst: receiver state
 * @credit: credit of each Virtual Channel
 * @admin: Admin micropackets
 * @stats: counters
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
 * Channel; h64_link_flush() tries, too.  A busy source calls this before each
 * micropacket, so that Admin can leave between two Messages.
 */
static inline void h64_admin_send(struct h64_link *link, u64 now)
{
	if (link->admin.ready)
		h64_admin_send_ready(link, now);
}

#endif
