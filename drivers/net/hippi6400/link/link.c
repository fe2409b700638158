// SPDX-License-Identifier: GPL-2.0
/*
 * Link bring-up and receive path of the link, HIPPI-6400-PH 4.8 and 12.
 */

#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "link.h"
#include "seq.h"

/**
 * h64_link_state_name - name a state
 * @state: the state
 *
 * Return: text for messages.
 */
const char *h64_link_state_name(enum h64_link_state state)
{
	switch (state) {
	case H64_OFF:
		return "off";
	case H64_DOWN:
		return "no signal";
	case H64_HOLDOFF:
		return "hold-off";
	case H64_RESET_SENT:
		return "Reset sent";
	case H64_INIT_SENT:
		return "Initialize sent";
	case H64_UP:
		return "up";
	}
	return "?";
}
EXPORT_SYMBOL_GPL(h64_link_state_name);

/**
 * h64_link_control - send a micropacket that consists of a TYPE only
 * @link: the link
 * @type: Null or link control
 * @now: the time
 *
 * Return: false if there was no room for it.
 */
bool h64_link_control(struct h64_link *link, u8 type, u64 now)
{
	return h64_seq_send_zero(link, FIELD_PREP(H64_C_TYPE, type), now);
}

/**
 * h64_link_send_reset - send Reset and start the retry timer
 * @link: the link
 * @now: the time
 */
void h64_link_send_reset(struct h64_link *link, u64 now)
{
	link->state_deadline = now + link->times.retry;
	link->stats.resets_tx += h64_link_control(link, H64_TYPE_RESET, now);
}

/**
 * h64_link_send_init - send Initialize and start the retry timer
 * @link: the link
 * @now: the time
 */
void h64_link_send_init(struct h64_link *link, u64 now)
{
	link->state_deadline = now + link->times.retry;
	h64_link_control(link, H64_TYPE_INIT, now);
}

/* Returns the number of Messages that were framed completely but not acknowledged */
static unsigned int h64_link_unacked_tails(const struct h64_link *link)
{
	const struct h64_source *src = &link->src;
	unsigned int i, unacked = 0;

	for (i = 0; i < src->count; i++) {
		u32 index = src->slot[h64_seq_add(src->una, i)] & (link->ring.size - 1);

		/* The TAIL of a Message that its source gave up does not count */
		if ((h64_upkt_ctrl(&link->ring.slot[index]) & (H64_C_TAIL | H64_C_ERROR)) ==
		    H64_C_TAIL)
			unacked++;
	}
	return unacked;
}

/* Drops sequence numbers, credits and incomplete Messages */
static void h64_link_drop(struct h64_link *link)
{
	unsigned int unacked = h64_link_unacked_tails(link);

	link->init_acked = false;
	h64_seq_reset_source(link);
	h64_seq_reset_sink(link);
	h64_credit_reset(link);
	h64_admin_drop(link);
	if (link->ops && link->ops->drop)
		link->ops->drop(link, unacked);
}

/**
 * h64_link_restart - drop the state of the link and bring it up again
 * @link: the link
 * @now: the time
 *
 * If the last bring-up is too recent, one Reset tells the far end, and the
 * bring-up waits for the hold-off timer.
 */
void h64_link_restart(struct h64_link *link, u64 now)
{
	h64_link_drop(link);
	if (!link->signal) {
		link->state = H64_DOWN;
		return;
	}
	if (link->was_up && now < link->up_at + link->times.holdoff) {
		link->state = H64_HOLDOFF;
		link->stats.holdoffs++;
		h64_link_send_reset(link, now);
		link->state_deadline = link->up_at + link->times.holdoff;
		return;
	}
	link->state = H64_RESET_SENT;
	h64_link_send_reset(link, now);
}
EXPORT_SYMBOL_GPL(h64_link_restart);

/**
 * h64_link_set_times - change timers and limits
 * @link: the link
 * @times: timers and limits
 * @now: the time
 *
 * They apply to a running link immediately: running timers restart with their
 * new length.  The hold-off timer counts from the last bring-up and expires as
 * if it had used the new length from the start.
 */
void h64_link_set_times(struct h64_link *link, const struct h64_link_times *times, u64 now)
{
	struct h64_source *src = &link->src;

	link->times = *times;
	if (!times->retry_limit)
		link->times.retry_limit = H64_RETRY_LIMIT;

	switch (link->state) {
	case H64_UP:
		link->rx_deadline = now + times->activity;
		link->tx_deadline = min(link->tx_deadline, now + h64_seq_keepalive(link));
		if (src->count)
			h64_seq_wait_for_ack(link, now);
		if (src->asked != H64_NEVER)
			src->asked = min(src->asked, now + h64_seq_guard(link));
		break;
	case H64_INIT_SENT:
		link->init_limit = now + times->activity;
		fallthrough;
	case H64_RESET_SENT:
		link->state_deadline = now + times->retry;
		break;
	case H64_HOLDOFF:
		link->state_deadline = link->up_at + times->holdoff;
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(h64_link_set_times);

/**
 * h64_link_init - initialise a link in state off
 * @link: the link; its ring, identity, statistics and the time of its last
 *	bring-up are kept, so that hold-off also applies to a link that is disabled
 *	and enabled
 * @ops: callbacks of the owner, or NULL
 * @times: timers and limits
 */
void h64_link_init(struct h64_link *link, const struct h64_link_ops *ops,
		   const struct h64_link_times *times)
{
	link->ops = ops;
	link->state = H64_OFF;
	h64_link_set_times(link, times, 0);
	link->signal = false;
	link->mark = 0;
	link->mark_time = 0;
	link->init_acked = false;
	h64_seq_reset_source(link);
	h64_seq_reset_sink(link);
	h64_credit_reset(link);
	h64_admin_drop(link);
}
EXPORT_SYMBOL_GPL(h64_link_init);

/**
 * h64_link_enable - allow the link to come up
 * @link: the link, which is off
 * @now: the time
 */
void h64_link_enable(struct h64_link *link, u64 now)
{
	if (link->state == H64_OFF)
		h64_link_restart(link, now);
}
EXPORT_SYMBOL_GPL(h64_link_enable);

/**
 * h64_link_disable - drop all state; the link sends and accepts nothing more
 * @link: the link
 */
void h64_link_disable(struct h64_link *link)
{
	h64_link_drop(link);
	link->state = H64_OFF;
}
EXPORT_SYMBOL_GPL(h64_link_disable);

/**
 * h64_link_signal - set whether the far end drives the line
 * @link: the link
 * @signal: true if it does
 * @now: the time
 */
void h64_link_signal(struct h64_link *link, bool signal, u64 now)
{
	if (link->signal == signal)
		return;
	link->signal = signal;
	if (link->state == H64_OFF)
		return;
	if (link->state == H64_UP)
		link->stats.signal_losses++;
	h64_link_restart(link, now);
}
EXPORT_SYMBOL_GPL(h64_link_signal);

static void h64_link_check_up(struct h64_link *link, u64 now)
{
	if (!link->init_acked || !link->dst.open)
		return;
	link->state = H64_UP;
	link->stats.inits++;
	link->was_up = true;
	link->up_at = now;
	link->rx_deadline = now + link->times.activity;
	link->ticked = now;
	h64_admin_up(link, now);
	if (link->ops && link->ops->up)
		link->ops->up(link);
}

static void h64_link_rx_reset(struct h64_link *link, u64 now)
{
	link->stats.resets_rx++;
	h64_link_control(link, H64_TYPE_RESET_ACK, now);

	switch (link->state) {
	case H64_UP:
		h64_link_restart(link, now);
		break;
	case H64_INIT_SENT:
		/*
		 * The far end restarts, and this end has no state but that of
		 * this attempt.  The far end accepts Initialize from now on, so
		 * do not wait for the timer.
		 */
		h64_link_drop(link);
		h64_link_send_init(link, now);
		break;
	default:
		break;
	}
}

static void h64_link_rx_reset_ack(struct h64_link *link, u64 now)
{
	if (link->state != H64_RESET_SENT)
		return;
	link->state = H64_INIT_SENT;
	link->init_limit = now + link->times.activity;
	h64_link_send_init(link, now);
}

static void h64_link_rx_init(struct h64_link *link, u64 now)
{
	if (link->state != H64_INIT_SENT && link->state != H64_UP)
		return;
	/*
	 * Before any sequenced micropacket this is a repeated Initialize whose
	 * answer was lost.  Later the ends disagree about the sequence.
	 */
	if (link->dst.accepted_any) {
		h64_link_restart(link, now);
		return;
	}
	if (link->state == H64_INIT_SENT) {
		h64_seq_reset_sink(link);
		h64_credit_reset(link);
		link->dst.open = true;
	}
	h64_link_control(link, H64_TYPE_INIT_ACK, now);
	if (link->state == H64_INIT_SENT)
		h64_link_check_up(link, now);
}

static void h64_link_rx_init_ack(struct h64_link *link, u64 now)
{
	if (link->state != H64_INIT_SENT)
		return;
	link->init_acked = true;
	h64_link_check_up(link, now);
}

/* Handles link control; returns false for other micropackets */
static bool h64_link_rx_control(struct h64_link *link, u8 type, u64 now)
{
	switch (type) {
	case H64_TYPE_RESET:
		h64_link_rx_reset(link, now);
		return true;
	case H64_TYPE_RESET_ACK:
		h64_link_rx_reset_ack(link, now);
		return true;
	case H64_TYPE_INIT:
		h64_link_rx_init(link, now);
		return true;
	case H64_TYPE_INIT_ACK:
		h64_link_rx_init_ack(link, now);
		return true;
	default:
		return false;
	}
}

static void h64_link_rx_bad(struct h64_link *link)
{
	link->stats.lcrc_errors++;
	if (!link->dst.open || link->dst.gap)
		return;
	link->dst.gap = true;
	link->dst.gap_dist = 0;
	link->dst.nak = H64_NAK_NULLS;
}

static bool h64_link_is_message(u8 type)
{
	return type == H64_TYPE_HEADER || type == H64_TYPE_DATA;
}

/*
 * Counts the errors of a micropacket outside any Message that is used
 * nevertheless: its control bits are good, and its credit and its place in the
 * sequence count.  Returns true if the data bytes are valid.
 */
static bool h64_link_rx_whole(struct h64_link *link, u64 ctrl, enum h64_verdict verdict, u16 ecrc)
{
	if (verdict == H64_RESERVED)
		link->stats.reserved_type++;
	else if (ecrc != FIELD_GET(H64_C_ECRC, ctrl))
		link->stats.ecrc_errors++;
	else
		return true;
	return false;
}

static enum h64_rx_action h64_link_rx_accepted(struct h64_link *link, u64 ctrl,
					       enum h64_verdict verdict, u16 ecrc)
{
	u8 vc = FIELD_GET(H64_C_VC, ctrl), credits = FIELD_GET(H64_C_CR, ctrl);
	u8 type = FIELD_GET(H64_C_TYPE, ctrl);
	bool whole;

	if (credits)
		h64_credit_receive(link, FIELD_GET(H64_C_VCR, ctrl), credits);
	if (h64_link_is_message(type))
		return h64_credit_consume(link, vc) ? H64_RX_MESSAGE : H64_RX_NO_CREDIT;

	whole = h64_link_rx_whole(link, ctrl, verdict, ecrc);
	if (type != H64_TYPE_ADMIN)
		return H64_RX_IGNORE;
	link->stats.admin_rx++;
	if (!h64_credit_consume(link, vc))
		return H64_RX_IGNORE;
	h64_credit_drained(link, vc);
	return whole ? H64_RX_ADMIN : H64_RX_IGNORE;
}

/**
 * h64_link_rx - handle a received micropacket
 * @link: the link
 * @ctrl: its control bits
 * @verdict: result of h64_upkt_decode()
 * @ecrc: ECRC over its own data bytes; the caller checks the ECRC of Header and
 *	Data micropackets, which covers the Message
 * @now: the time
 *
 * After H64_RX_MESSAGE the caller frees the room with h64_credit_drained() once
 * it has used the data bytes.
 *
 * Return: the caller's action on the data bytes.
 */
enum h64_rx_action h64_link_rx(struct h64_link *link, u64 ctrl, enum h64_verdict verdict,
			       u16 ecrc, u64 now)
{
	u8 type = FIELD_GET(H64_C_TYPE, ctrl);
	bool sequenced;

	link->stats.rx_upkts++;
	if (link->state == H64_OFF)
		return H64_RX_IGNORE;
	if (verdict == H64_BAD_LCRC) {
		h64_link_rx_bad(link);
		return H64_RX_IGNORE;
	}
	link->rx_deadline = now + link->times.activity;

	sequenced = h64_seq_is_sequenced(ctrl);
	/* Errors of sequenced micropackets are counted on acceptance, so only once */
	if (!sequenced)
		h64_link_rx_whole(link, ctrl, verdict, ecrc);
	if (verdict == H64_RESERVED && !sequenced)
		return H64_RX_IGNORE;
	if (h64_link_rx_control(link, type, now))
		return H64_RX_IGNORE;
	if (!link->dst.open) {
		link->stats.unexpected += sequenced;
		return H64_RX_IGNORE;
	}

	if (!h64_seq_ack(link, FIELD_GET(H64_C_RSEQ, ctrl), type == H64_TYPE_NULL && !sequenced,
			 now)) {
		h64_link_restart(link, now);
		return H64_RX_IGNORE;
	}
	/* The loss that a bad micropacket before this Null may mean is already reported */
	if (type == H64_TYPE_NULL && !sequenced && !link->dst.gap_dist)
		link->dst.gap = false;
	if (!sequenced)
		return H64_RX_IGNORE;
	if (!h64_seq_accept(link, FIELD_GET(H64_C_TSEQ, ctrl)))
		return H64_RX_IGNORE;
	return h64_link_rx_accepted(link, ctrl, verdict, ecrc);
}
EXPORT_SYMBOL_GPL(h64_link_rx);

/**
 * h64_link_flush - send credit, ACK and Nulls that no other micropacket carried
 * @link: the link
 * @now: the time
 *
 * Call this after receiving a batch and sending Messages.
 */
void h64_link_flush(struct h64_link *link, u64 now)
{
	struct h64_sink *dst = &link->dst;
	unsigned int nulls;

	if (link->state != H64_UP)
		return;
	h64_admin_send(link, now);
	h64_credit_send(link, now);
	if (dst->nak) {
		/* Nulls that repeat an RSEQ tell the far end of a discard */
		nulls = dst->nak + (dst->advertised != dst->rseq);
		dst->nak = 0;
		while (nulls--)
			h64_link_control(link, H64_TYPE_NULL, now);
	}
	if (dst->ack_due)
		h64_link_control(link, H64_TYPE_NULL, now);
}
EXPORT_SYMBOL_GPL(h64_link_flush);
