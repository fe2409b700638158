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
 * h64_link_recovery - how long a link may be at getting a micropacket over
 * @times: timers and limits
 *
 * All ACK timeouts in a row, each put off once by a go-back that was asked for.
 *
 * Return: the time from when it is sent to when it is acknowledged or the link is
 * reset, at the most.
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
	/* Keepalives have the timers run more often than that by far */
	const u64 nap = link->times.activity / 2;
	bool slept = now > link->ticked + nap;

	link->ticked = max(link->ticked, now);
	if (now >= link->rx_deadline) {
		if (slept) {
			/* As in a suspended machine: the far end may be as late */
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
 * h64_link_tick - look at the timers
 * @link: the link
 * @now: the time
 *
 * Early calls do no harm; h64_link_deadline() tells when one is due.  What it
 * leaves to be sent leaves with h64_link_flush().
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
 * h64_link_tick_ring - look at the timers while micropackets may wait in a ring
 * @link: the link
 * @cons: how far those received were handed to h64_link_rx()
 * @prod: how far they had been received at @now; both free-running, from 0 when
 *	the link was initialised
 * @now: the time
 *
 * What waits may be the very ACK that a timer misses, so the time that counts
 * is one of which everything has been looked at.  A ring that never runs empty
 * makes that late by what it holds, not for ever.
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
 * h64_link_deadline - when h64_link_tick() has something to do
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
