// SPDX-License-Identifier: GPL-2.0
/*
 * Timers of a link: bring-up, activity monitoring and ACK timeout,
 * HIPPI-6400-PH 12.4, 13.1 and 14.1.
 */

#include <linux/export.h>
#include <linux/minmax.h>

#include "link.h"
#include "seq.h"

/**
 * h64_link_recovery - longest time that a link takes to deliver a micropacket
 * @times: timers and limits
 *
 * The sum of all ACK timeouts in a row, each postponed once by a requested
 * go-back.
 *
 * Return: the longest time from sending to the ACK or a reset of the link.
 */
u64 h64_link_recovery(const struct h64_link_times *times)
{
	unsigned int i, waits = 0;

	for (i = 0; i <= (times->retry_limit ?: H64_RETRY_LIMIT); i++)
		waits += BIT(min_t(unsigned int, i, H64_ACK_BACKOFF_MAX)) + 1;
	return times->ack * waits;
}
EXPORT_SYMBOL_GPL(h64_link_recovery);

static void h64_link_tick_up(struct h64_link *link, u64 now)
{
	/* Keepalives run the timers far more often than that */
	const u64 nap = link->times.activity / 2;
	bool slept = now > link->ticked + nap;

	link->ticked = max(link->ticked, now);
	if (now >= link->rx_deadline) {
		if (slept) {
			/* As after a suspend: the far end may be just as late */
			link->rx_deadline = now + nap;
			return;
		}
		link->stats.activity_losses++;
		h64_link_restart(link, now);
		return;
	}
	if (!h64_seq_timeout(link, now)) {
		h64_link_restart(link, now);
		return;
	}
	h64_admin_tick(link, now);
	if (now >= link->tx_deadline)
		h64_link_control(link, H64_TYPE_NULL, now);
}

/**
 * h64_link_tick - check the timers
 * @link: the link
 * @now: the time
 *
 * Early calls do no harm; h64_link_deadline() tells when a call is due.
 * h64_link_flush() sends the micropackets that become due here.
 */
void h64_link_tick(struct h64_link *link, u64 now)
{
	switch (link->state) {
	case H64_UP:
		h64_link_tick_up(link, now);
		break;
	case H64_INIT_SENT:
		if (now >= link->init_limit)
			h64_link_restart(link, now);
		else if (now >= link->state_deadline)
			h64_link_send_init(link, now);
		break;
	case H64_RESET_SENT:
	case H64_HOLDOFF:
		if (now < link->state_deadline)
			break;
		link->state = H64_RESET_SENT;
		h64_link_send_reset(link, now);
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(h64_link_tick);

/**
 * h64_link_tick_ring - check the timers while micropackets may wait in a ring
 * @link: the link
 * @cons: index of the next entry for h64_link_rx()
 * @prod: index behind the last entry received at @now; both are free-running
 *	from 0 since the link was initialised
 * @now: the time
 *
 * The ring may hold the very ACK that a timer waits for.  So the timers use a
 * time up to which everything received was handled.  If the ring never runs
 * empty, that time lags by the contents of the ring, but not without limit.
 */
void h64_link_tick_ring(struct h64_link *link, u32 cons, u32 prod, u64 now)
{
	if (cons == prod)
		h64_link_tick(link, now);
	else if ((s32)(cons - link->mark) >= 0)
		h64_link_tick(link, link->mark_time);
	else
		return;
	link->mark = prod;
	link->mark_time = now;
}
EXPORT_SYMBOL_GPL(h64_link_tick_ring);

/**
 * h64_link_deadline - tell when h64_link_tick() is due
 * @link: the link
 *
 * Return: the time, or H64_NEVER.
 */
u64 h64_link_deadline(const struct h64_link *link)
{
	u64 deadline;

	switch (link->state) {
	case H64_UP:
		deadline = min3(link->rx_deadline, link->tx_deadline, h64_admin_deadline(link));
		return min(deadline, h64_seq_deadline(link));
	case H64_INIT_SENT:
		return min(link->state_deadline, link->init_limit);
	case H64_RESET_SENT:
	case H64_HOLDOFF:
		return link->state_deadline;
	default:
		return H64_NEVER;
	}
}
EXPORT_SYMBOL_GPL(h64_link_deadline);
