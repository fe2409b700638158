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
 * Room that each kind of micropacket leaves in the ring, so that those after
 * it in this list always find some: new sequenced ones, Nulls and what else an
 * up link answers with, copies for retransmission (each frees the entry it was
 * copied from), bring-up (which has nothing that waits for an ACK).
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
 * During a retransmission the copies that still have to be made lie before
 * those already made, so the cursor's is the oldest entry in use.
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
 * Everything that leaves an up link carries the newest RSEQ; before, the far
 * end does not look at it.
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
 * h64_seq_keepalive - how long the line may be without anything from this end
 * @link: the link
 *
 * No longer than suits a far end with the default, so that an end can be made
 * more patient by itself.
 *
 * Return: the time from one micropacket to the Null that follows if nothing else does.
 */
u64 h64_seq_keepalive(const struct h64_link *link)
{
	return div_u64(min(link->times.activity, (u64)H64_ACTIVITY_MS * NSEC_PER_MSEC),
		       H64_KEEPALIVE_DIV);
}

/* Copies do not count: what they were lost to may let a Null through */
static void h64_seq_keeps_busy(struct h64_link *link, u64 now)
{
	link->tx_deadline = now + h64_seq_keepalive(link);
}

/* The ACK timeout, longer with each that ran out since the last progress */
static u64 h64_seq_ack_timeout(const struct h64_link *link)
{
	return link->times.ack << min_t(u8, link->src.timeouts, H64_ACK_BACKOFF_MAX);
}

/**
 * h64_seq_wait_for_ack - start the ACK timeout
 * @link: the link, with something not acknowledged
 * @now: the time
 */
void h64_seq_wait_for_ack(struct h64_link *link, u64 now)
{
	struct h64_source *src = &link->src;

	src->deadline = now + h64_seq_ack_timeout(link);
	src->latest = src->deadline + link->times.ack;
}

/* A sequenced micropacket is in its slot */
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
 * h64_seq_reset_source - nothing was ever sent
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
 * h64_seq_reset_sink - nothing was ever received
 * @link: the link
 */
void h64_seq_reset_sink(struct h64_link *link)
{
	memset(&link->dst, 0, sizeof(link->dst));
	link->dst.rseq = H64_SEQ_NONE;
	link->dst.advertised = H64_SEQ_NONE;
}

/**
 * h64_seq_can_send - whether one more sequenced micropacket can leave
 * @link: the link
 *
 * Return: false while the window is full, a retransmission is under way or the
 * ring has no room.
 */
bool h64_seq_can_send(const struct h64_link *link)
{
	return link->state == H64_UP && link->src.count < H64_WINDOW && !link->src.rexmit &&
	       h64_seq_room(link) > H64_ROOM_SEQUENCED;
}
EXPORT_SYMBOL_GPL(h64_seq_can_send);

/**
 * h64_seq_wants_room - whether the card holds up what could leave
 * @link: the link
 *
 * Return: true if the next step is for the card, which has entries to take.
 */
bool h64_seq_wants_room(const struct h64_link *link)
{
	return link->state == H64_UP && link->ring.cons != link->ring.prod &&
	       h64_seq_room(link) <= H64_ROOM_SEQUENCED;
}
EXPORT_SYMBOL_GPL(h64_seq_wants_room);

/**
 * h64_seq_slot - where the next micropacket is to be written
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
 * h64_seq_ctrl - sequence fields of the next sequenced micropacket
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
 * h64_seq_commit - a sequenced micropacket is complete
 * @link: the link
 * @upkt: the entry that h64_seq_slot() gave, its data bytes written
 * @ctrl: c00-c47, with what h64_seq_ctrl() gave
 * @lcrc: LCRC over the data bytes
 * @now: the time
 */
void h64_seq_commit(struct h64_link *link, struct h64_upkt *upkt, u64 ctrl, u16 lcrc, u64 now)
{
	struct h64_source *src = &link->src;
	u8 vc = BIT(FIELD_GET(H64_C_VC, ctrl));

	/* Admin does not change what its Virtual Channel is at */
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
	/* The last one once more: a window does not reach so far ahead */
	if (dist == H64_WINDOW)
		dst->ack_due = true;
	else
		dst->nak = max(dst->nak, H64_NAK_NULLS_FAR);
}

/**
 * h64_seq_accept - a sequenced micropacket arrived
 * @link: the link
 * @tseq: its TSEQ
 *
 * Return: true if it is the next in order; otherwise it is to be discarded.
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
	 * A loss shows by the next to arrive, which lies ahead.  What was sent
	 * again for want of an ACK, or doubled on the way, lies behind, and far
	 * ahead may be either.  Each is told of once; a TSEQ that does not lie
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

/* The card still holds the newest copy of the oldest one: asking again is early */
static bool h64_seq_still_queued(const struct h64_link *link)
{
	return (s32)(link->ring.cons - link->src.slot[link->src.una]) <= 0;
}

/* A report that arrives now is about what went before the newest copy of the oldest one */
static bool h64_seq_report_is_old(const struct h64_link *link)
{
	return link->src.rexmit == link->src.count || h64_seq_still_queued(link);
}

/**
 * h64_seq_guard - how long a go-back that is asked for may have to wait
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

/* Returns false if the link is to be restarted, as going back did not help */
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
 * The copies get their time to be acknowledged.  A far end that never takes them
 * and asks for ever does not put off the end of the link for ever: false if that is
 * now.
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

/* The longest of late counts: what it is compared with must not seem late */
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
	/* Something newer than the last go-back sent again has arrived */
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

/* How long the answer to what is new takes, if it follows that to what came again */
static u64 h64_seq_doubt(const struct h64_link *link)
{
	return clamp(link->src.round_trip, h64_seq_guard(link), link->times.ack);
}

/*
 * Whether what the last go-back sent again may be all that a report is about: if
 * it had arrived before, the far end discards it, and half a window or more of
 * it looks like a gap.
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
 * The far end tells of a discard, by as many Nulls as @src->repeats says.  Returns
 * false if the link is to be restarted.
 */
static bool h64_seq_report(struct h64_link *link, u8 rseq, u64 now)
{
	struct h64_source *src = &link->src;
	u64 when = now;

	/*
	 * After what came again follows what is new, whose ACK ends the doubt.
	 * And what was just sent again gets some time: a report may be of before.
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
 * h64_seq_ack - an RSEQ arrived
 * @link: the link
 * @rseq: the RSEQ
 * @null: in a Null, which the far end sends to tell of RSEQ and nothing else
 * @now: the time
 *
 * Return: false if going back has not helped, and the link is to be restarted.
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

	/* Nulls that repeat an RSEQ are how the far end tells of a discard */
	if (!null || !src->count || h64_seq_report_is_old(link))
		return true;
	src->repeats = repeated ? min(src->repeats + 1, H64_NAK_NULLS) : 0;
	if (src->repeats < H64_NAK_NULLS_FAR)
		return true;
	return h64_seq_report(link, rseq, now);
}

/**
 * h64_seq_deadline - when h64_seq_timeout() has something to do
 * @link: the link
 *
 * Return: the time, or H64_NEVER.
 */
u64 h64_seq_deadline(const struct h64_link *link)
{
	return min(link->src.asked, link->src.deadline);
}

/**
 * h64_seq_timeout - look at the ACK timeout, and whether to go back as was asked
 * @link: the link, which is up
 * @now: the time
 *
 * Return: false if going back has not helped, and the link is to be restarted.
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
 * h64_seq_retransmit - copy what has to be sent again to the end of the ring
 * @link: the link
 * @now: the time
 *
 * RSEQ is refreshed and the LCRC computed anew; the rest stays as it was, a
 * grant of credit included: the far end applies it once.
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
