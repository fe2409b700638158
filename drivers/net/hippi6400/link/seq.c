// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence numbers, ACK and go-back-N, HIPPI-6400-PH 4.8.
 */

#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "link.h"
#include "seq.h"

/*
 * Room in the ring that each kind of micropacket leaves to the kinds after it
 * in this list: new sequenced micropackets, Nulls and other answers of an up
 * link, copies for retransmission (each frees the entry it was copied from),
 * and bring-up (which has nothing to be acknowledged).
 */
#define H64_ROOM_SEQUENCED	16
#define H64_ROOM_NULL		8
#define H64_ROOM_REXMIT		1
#define H64_ROOM_BRING_UP	0

static struct h64_upkt *h64_ring_slot(struct h64_link *link, u32 index)
{
	return &link->ring.slot[index & (link->ring.size - 1)];
}

/* TSEQ of the next micropacket to be sent again, or of the oldest in flight */
static u8 h64_seq_cursor(const struct h64_source *src)
{
	if (!src->rexmit)
		return src->una;
	return h64_seq_add(src->una, src->count - src->rexmit);
}

/*
 * During a retransmission the entries still to be copied lie before the copies
 * already made, so the entry at the cursor is the oldest one in use.
 */
static u32 h64_seq_room(const struct h64_link *link)
{
	const struct h64_tx_ring *ring = &link->ring;
	u32 oldest = ring->cons;

	if (link->src.count) {
		u32 slot = link->src.slot[h64_seq_cursor(&link->src)];

		if ((s32)(slot - oldest) < 0)
			oldest = slot;
	}
	return ring->size - (ring->prod - oldest);
}

/*
 * Every micropacket of an up link carries the newest RSEQ; before that the far
 * end ignores it.
 */
static void h64_seq_sent(struct h64_link *link)
{
	link->ring.prod++;
	link->stats.tx_upkts++;
	if (link->state == H64_UP) {
		link->dst.ack_due = false;
		link->dst.advertised = link->dst.rseq;
	}
}

/**
 * h64_seq_keepalive - longest time that this end may leave the line silent
 * @link: the link
 *
 * Suits a far end with the default activity timer, so that the timer of one end
 * can be raised alone.
 *
 * Return: the time from a micropacket to the Null that follows it on an idle link.
 */
u64 h64_seq_keepalive(const struct h64_link *link)
{
	return div_u64(min(link->times.activity, (u64)H64_ACTIVITY_MS * NSEC_PER_MSEC),
		       H64_KEEPALIVE_DIV);
}

/* Copies do not count: a fault that loses them may let a Null through */
static void h64_seq_keeps_busy(struct h64_link *link, u64 now)
{
	link->tx_deadline = now + h64_seq_keepalive(link);
}

/* The ACK timeout, backed off with each expiry since the last progress */
static u64 h64_seq_ack_timeout(const struct h64_link *link)
{
	return link->times.ack << min_t(u8, link->src.timeouts, H64_ACK_BACKOFF_MAX);
}

/**
 * h64_seq_wait_for_ack - start the ACK timeout
 * @link: the link, with unacknowledged micropackets
 * @now: the time
 */
void h64_seq_wait_for_ack(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	src->deadline = now + h64_seq_ack_timeout(link);
	src->latest = src->deadline + link->times.ack;
}

/* Accounts for a sequenced micropacket in its slot */
static void h64_seq_sent_new(struct h64_link *link, u8 tseq, u64 now)
{
	struct h64_source *src = &link->src;

	src->slot[tseq] = link->ring.prod;
	if (!src->count++)
		h64_seq_wait_for_ack(link, now);
	if (!src->timing) {
		src->timing = true;
		src->timed = tseq;
		src->timed_at = now;
	}
	h64_seq_sent(link);
	h64_seq_keeps_busy(link, now);
}

/**
 * h64_seq_reset_source - reset the sender state
 * @link: the link
 */
void h64_seq_reset_source(struct h64_link *link)
{
	struct h64_source *src = &link->src;

	src->una = 0;
	src->count = 0;
	src->rexmit = 0;
	src->open = 0;
	src->timeouts = 0;
	src->repeats = 0;
	src->acked_any = false;
	src->in_vain = false;
	src->recovering = false;
	src->timing = false;
	src->round_trip = 0;
	src->last_rseq = H64_SEQ_NONE;
	src->asked = H64_NEVER;
	src->deadline = H64_NEVER;
}

/**
 * h64_seq_reset_sink - reset the receiver state
 * @link: the link
 */
void h64_seq_reset_sink(struct h64_link *link)
{
	memset(&link->dst, 0, sizeof(link->dst));
	link->dst.rseq = H64_SEQ_NONE;
	link->dst.advertised = H64_SEQ_NONE;
}

/**
 * h64_seq_can_send - check whether a new sequenced micropacket can be sent
 * @link: the link
 *
 * Return: false while the window is full, a retransmission is in progress or
 * the ring has no room.
 */
bool h64_seq_can_send(const struct h64_link *link)
{
	return link->state == H64_UP && link->src.count < H64_WINDOW && !link->src.rexmit &&
	       h64_seq_room(link) > H64_ROOM_SEQUENCED;
}
EXPORT_SYMBOL_GPL(h64_seq_can_send);

/**
 * h64_seq_wants_room - check whether sending waits for room in the ring
 * @link: the link
 *
 * Return: true if the card has to take entries first.
 */
bool h64_seq_wants_room(const struct h64_link *link)
{
	return link->state == H64_UP && link->ring.cons != link->ring.prod &&
	       h64_seq_room(link) <= H64_ROOM_SEQUENCED;
}
EXPORT_SYMBOL_GPL(h64_seq_wants_room);

/**
 * h64_seq_slot - get the ring entry for the next micropacket
 * @link: the link, for which h64_seq_can_send() is true
 *
 * Return: the ring entry.
 */
struct h64_upkt *h64_seq_slot(struct h64_link *link)
{
	return h64_ring_slot(link, link->ring.prod);
}
EXPORT_SYMBOL_GPL(h64_seq_slot);

/**
 * h64_seq_ctrl - get the sequence fields of the next sequenced micropacket
 * @link: the link
 *
 * Return: TSEQ and RSEQ.
 */
u64 h64_seq_ctrl(struct h64_link *link)
{
	u8 tseq = h64_seq_add(link->src.una, link->src.count);

	return FIELD_PREP(H64_C_TSEQ, tseq) | FIELD_PREP(H64_C_RSEQ, link->dst.rseq);
}
EXPORT_SYMBOL_GPL(h64_seq_ctrl);

/**
 * h64_seq_commit - send a sequenced micropacket
 * @link: the link
 * @upkt: the entry from h64_seq_slot(), with its data bytes written
 * @ctrl: c00-c47, with the fields from h64_seq_ctrl()
 * @lcrc: LCRC over the data bytes
 * @now: the time
 */
void h64_seq_commit(struct h64_link *link, struct h64_upkt *upkt, u64 ctrl, u16 lcrc, u64 now)
{
	struct h64_source *src = &link->src;
	u8 vc = BIT(FIELD_GET(H64_C_VC, ctrl));

	/* Admin does not change the Message state of its Virtual Channel */
	if (ctrl & H64_C_TAIL)
		src->open &= ~vc;
	else if (FIELD_GET(H64_C_TYPE, ctrl) == H64_TYPE_HEADER)
		src->open |= vc;
	upkt->ctrl = h64_upkt_seal(ctrl, lcrc);
	h64_seq_sent_new(link, FIELD_GET(H64_C_TSEQ, ctrl), now);
}
EXPORT_SYMBOL_GPL(h64_seq_commit);

/**
 * h64_seq_send_zero - send a micropacket that belongs to no Message
 * @link: the link
 * @ctrl: c00-c15; sequence numbers and CRCs are added
 * @now: the time
 *
 * Return: false if there was no room for it.
 */
bool h64_seq_send_zero(struct h64_link *link, u64 ctrl, u64 now)
{
	struct h64_upkt *upkt = h64_ring_slot(link, link->ring.prod);
	u32 leave = link->state == H64_UP ? H64_ROOM_NULL : H64_ROOM_BRING_UP;

	if (h64_seq_is_sequenced(ctrl)) {
		if (!h64_seq_can_send(link))
			return false;
		ctrl |= h64_seq_ctrl(link);
		h64_upkt_encode_zero(upkt, ctrl);
		h64_seq_sent_new(link, FIELD_GET(H64_C_TSEQ, ctrl), now);
	} else {
		if (h64_seq_room(link) <= leave)
			return false;
		ctrl |= FIELD_PREP(H64_C_TSEQ, H64_SEQ_NONE) |
			FIELD_PREP(H64_C_RSEQ, link->dst.rseq);
		h64_upkt_encode_zero(upkt, ctrl);
		h64_seq_sent(link);
		h64_seq_keeps_busy(link, now);
	}
	return true;
}

static void h64_seq_tell_far(struct h64_sink *dst, u8 dist)
{
	/* The last TSEQ once more: a window does not reach that far ahead */
	if (dist == H64_WINDOW)
		dst->ack_due = true;
	else
		dst->nak = max(dst->nak, H64_NAK_NULLS_FAR);
}

/**
 * h64_seq_accept - check the TSEQ of a sequenced micropacket
 * @link: the link
 * @tseq: its TSEQ
 *
 * Return: true if it is the next in order; otherwise the caller discards it.
 */
bool h64_seq_accept(struct h64_link *link, u8 tseq)
{
	struct h64_sink *dst = &link->dst;
	u8 dist;

	if (tseq == dst->expect) {
		dst->rseq = tseq;
		dst->expect = h64_seq_add(tseq, 1);
		dst->accepted_any = true;
		dst->ack_due = true;
		dst->gap = false;
		dst->nak = 0;
		dst->far = false;
		return true;
	}

	link->stats.out_of_sequence++;
	if (tseq == H64_SEQ_NONE)
		return false;
	/*
	 * After a loss, the next TSEQ to arrive lies ahead.  A retransmission
	 * for want of an ACK, or a duplicate, lies behind.  A TSEQ far ahead
	 * may be either.  Each is reported once; a TSEQ that does not lie
	 * beyond the last one shows that the far end went back again.
	 */
	dist = h64_seq_sub(tseq, dst->expect);
	if (dist > H64_SEQ_MOD / 2) {
		if (!dst->far || dist <= dst->far_dist)
			h64_seq_tell_far(dst, dist);
		dst->far = true;
		dst->far_dist = dist;
		return false;
	}
	if (!dst->gap || dist <= dst->gap_dist)
		dst->nak = H64_NAK_NULLS;
	dst->gap = true;
	dst->gap_dist = dist;
	return false;
}

/*
 * True while the card still holds the newest copy of the oldest TSEQ: another go-back is
 * premature
 */
static bool h64_seq_still_queued(const struct h64_link *link)
{
	return (s32)(link->ring.cons - link->src.slot[link->src.una]) <= 0;
}

/* True while a report can only refer to micropackets before the newest copy of the oldest TSEQ */
static bool h64_seq_report_is_old(const struct h64_link *link)
{
	return link->src.rexmit == link->src.count || h64_seq_still_queued(link);
}

/**
 * h64_seq_guard - longest delay of a requested go-back
 * @link: the link
 *
 * Return: the time.
 */
u64 h64_seq_guard(const struct h64_link *link)
{
	return link->times.ack / H64_GO_BACK_GUARD_DIV;
}

static void h64_seq_go_back(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	src->repeats = 0;
	src->rexmit = src->count;
	src->copies = src->count;
	src->recover = h64_seq_add(src->una, src->count - 1);
	src->recovering = true;
	src->in_vain = true;
	src->went_back = now;
	src->asked = H64_NEVER;
	src->timing = false;
	link->stats.go_backs++;
}

/* Returns false if the link has to be restarted, as going back did not help */
static bool h64_seq_ack_timed_out(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	link->stats.ack_timeouts++;
	if (src->timeouts >= link->times.retry_limit) {
		link->stats.retry_limits++;
		return false;
	}
	src->timeouts++;
	h64_seq_go_back(link, now);
	h64_seq_wait_for_ack(link, now);
	return true;
}

/*
 * Gives the copies time to be acknowledged.  A far end that keeps requesting
 * go-backs but accepts nothing cannot postpone the reset of the link forever:
 * returns false if the reset is due.
 */
static bool h64_seq_go_back_asked(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	if (now >= src->latest)
		return h64_seq_ack_timed_out(link, now);
	h64_seq_go_back(link, now);
	src->deadline = min(now + h64_seq_ack_timeout(link), src->latest);
	return true;
}

/* The longest recent round trip counts, so that an event in time does not seem late */
static void h64_seq_measure(struct h64_source *src, u64 now)
{
	src->timing = false;
	src->round_trip -= src->round_trip / 8;
	src->round_trip = max(src->round_trip, now - src->timed_at);
}

static void h64_seq_progress(struct h64_link *link, unsigned int acked, u64 now)
{
	struct h64_source *src = &link->src;

	if (src->timing && h64_seq_sub(src->timed, src->una) < acked)
		h64_seq_measure(src, now);
	/* An RSEQ acknowledges a micropacket newer than those of the last go-back */
	if (src->una == h64_seq_add(src->recover, 1) ||
	    acked > h64_seq_sub(src->recover, src->una) + 1)
		src->recovering = false;
	src->una = h64_seq_add(src->una, acked);
	src->count -= acked;
	src->rexmit = min(src->rexmit, src->count);
	src->timeouts = 0;
	src->repeats = 0;
	src->acked_any = true;
	src->in_vain = false;
	src->asked = H64_NEVER;
	src->deadline = H64_NEVER;
	if (src->count)
		h64_seq_wait_for_ack(link, now);
}

/* Time for the ACK of new micropackets, which follows that of the copies */
static u64 h64_seq_doubt(const struct h64_link *link)
{
	return clamp(link->src.round_trip, h64_seq_guard(link), link->times.ack);
}

/*
 * Returns true if a report may refer only to copies of the last go-back: if the
 * originals had arrived, the far end discards the copies, and half a window or
 * more of copies looks like a gap.
 */
static bool h64_seq_in_doubt(const struct h64_link *link, u8 rseq, u64 now)
{
	const struct h64_source *src = &link->src;

	if (!src->recovering || now >= src->went_back + 2 * h64_seq_doubt(link))
		return false;
	return src->rexmit || src->repeats < H64_NAK_NULLS ||
	       (rseq == src->recover && src->copies > H64_SEQ_MOD / 2);
}

/*
 * Handles a report of a discard, by @src->repeats Nulls so far.  Returns false if
 * the link has to be restarted.
 */
static bool h64_seq_report(struct h64_link *link, u8 rseq, u64 now)
{
	struct h64_source *src = &link->src;
	u64 when = now;

	/*
	 * New micropackets follow the copies, and their ACK resolves the
	 * ambiguity.  Copies just sent get some time, as a report may predate
	 * them.
	 */
	if (h64_seq_in_doubt(link, rseq, now))
		when = now + h64_seq_doubt(link);
	else if (src->in_vain)
		when = max(now, src->went_back + h64_seq_guard(link));
	if (when <= now)
		return h64_seq_go_back_asked(link, now);
	src->asked = min(src->asked, when);
	return true;
}

/**
 * h64_seq_ack - handle a received RSEQ
 * @link: the link
 * @rseq: the RSEQ
 * @null: it is in a Null, whose only content is RSEQ
 * @now: the time
 *
 * Return: false if going back did not help, and the link has to be restarted.
 */
bool h64_seq_ack(struct h64_link *link, u8 rseq, bool null, u64 now)
{
	struct h64_source *src = &link->src;
	unsigned int acked;
	bool repeated;

	if (rseq == H64_SEQ_NONE) {
		if (src->acked_any) {
			link->stats.bad_rseq++;
			return true;
		}
		acked = 0;
	} else {
		acked = h64_seq_add(h64_seq_sub(rseq, src->una), 1);
		if (acked > src->count) {
			link->stats.bad_rseq++;
			return true;
		}
	}

	repeated = rseq == src->last_rseq;
	src->last_rseq = rseq;
	if (acked) {
		h64_seq_progress(link, acked, now);
		return true;
	}

	/* The far end reports a discard by Nulls that repeat an RSEQ */
	if (!null || !src->count || h64_seq_report_is_old(link))
		return true;
	src->repeats = repeated ? min(src->repeats + 1, H64_NAK_NULLS) : 0;
	if (src->repeats < H64_NAK_NULLS_FAR)
		return true;
	return h64_seq_report(link, rseq, now);
}

/**
 * h64_seq_deadline - tell when h64_seq_timeout() is due
 * @link: the link
 *
 * Return: the time, or H64_NEVER.
 */
u64 h64_seq_deadline(const struct h64_link *link)
{
	return min(link->src.asked, link->src.deadline);
}

/**
 * h64_seq_timeout - check for the ACK timeout and a requested go-back
 * @link: the link, which is up
 * @now: the time
 *
 * Return: false if going back did not help, and the link has to be restarted.
 */
bool h64_seq_timeout(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	if (now < h64_seq_deadline(link))
		return true;
	if (src->rexmit || h64_seq_still_queued(link)) {
		if (src->asked <= now)
			src->asked = now + h64_seq_guard(link);
		if (src->deadline <= now)
			src->deadline = now + link->times.ack;
		return true;
	}
	if (src->asked <= now)
		return h64_seq_go_back_asked(link, now);
	return h64_seq_ack_timed_out(link, now);
}

/**
 * h64_seq_retransmit - copy micropackets to be sent again to the end of the
 * ring
 * @link: the link
 * @now: the time
 *
 * RSEQ and LCRC are updated; the rest stays, a grant of credit included: the
 * far end applies it once.
 */
void h64_seq_retransmit(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	while (src->rexmit && h64_seq_room(link) > H64_ROOM_REXMIT) {
		u8 tseq = h64_seq_cursor(src);
		const struct h64_upkt *old = h64_ring_slot(link, src->slot[tseq]);
		struct h64_upkt *upkt = h64_seq_slot(link);
		struct h64_crcs crcs = { H64_CRC_PRESET, H64_CRC_PRESET };
		u64 ctrl = h64_upkt_ctrl(old);

		h64_crc_upkt(upkt->data, old->data, &crcs, link->clmul);
		ctrl &= ~H64_C_RSEQ;
		ctrl |= FIELD_PREP(H64_C_RSEQ, link->dst.rseq);
		upkt->ctrl = h64_upkt_seal(ctrl, crcs.lcrc);
		src->slot[tseq] = link->ring.prod;
		src->rexmit--;
		link->stats.rexmit_upkts++;
		h64_seq_sent(link);
	}
}
EXPORT_SYMBOL_GPL(h64_seq_retransmit);
