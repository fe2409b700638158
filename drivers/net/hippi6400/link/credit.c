// SPDX-License-Identifier: GPL-2.0
/*
 * Credit, HIPPI-6400-PH 4.7: one credit is room for one micropacket of one
 * Virtual Channel at the destination.
 */

#include <linux/export.h>
#include <linux/minmax.h>

#include "link.h"
#include "seq.h"

/* Smallest grant that is piggybacked on a Header or Data micropacket */
#define H64_GRANT_PIGGYBACK	32
/* Smallest grant for which a Credit-only micropacket is sent */
#define H64_GRANT_ALONE		(2 * H64_CR_MAX)

/**
 * h64_credit_reset - drop all credit of both ends
 * @link: the link
 *
 * Credits start at zero after Initialize.
 */
void h64_credit_reset(struct h64_link *link)
{
	struct h64_vc_credit *c;

	for (c = link->credit; c < link->credit + HIPPI6400_NUM_VCS; c++) {
		c->avail = 0;
		c->out = 0;
		c->room = H64_CREDIT_POOL;
		c->stopped = false;
	}
}

/**
 * h64_credit_have - check whether the source may send on a Virtual Channel
 * @link: the link
 * @vc: Virtual Channel with a waiting Message
 *
 * Return: false if there is no credit; the Virtual Channel then counts as
 * stopped until there is some.
 */
bool h64_credit_have(struct h64_link *link, unsigned int vc)
{
	struct h64_vc_credit *c = &link->credit[vc];

	if (c->avail) {
		c->stopped = false;
		return true;
	}
	if (!c->stopped) {
		c->stopped = true;
		c->stops++;
	}
	return false;
}
EXPORT_SYMBOL_GPL(h64_credit_have);

/**
 * h64_credit_use - use a credit for a micropacket that is sent
 * @link: the link
 * @vc: its Virtual Channel, for which h64_credit_have() returned true
 */
void h64_credit_use(struct h64_link *link, unsigned int vc)
{
	link->credit[vc].avail--;
	link->credit[vc].tx_used++;
}
EXPORT_SYMBOL_GPL(h64_credit_use);

static u64 h64_credit_grant(struct h64_link *link, unsigned int vc)
{
	struct h64_vc_credit *c = &link->credit[vc];
	u32 credits = min_t(u32, c->room, H64_CR_MAX);

	c->room -= credits;
	c->out += credits;
	c->rx_granted += credits;
	return FIELD_PREP(H64_C_VCR, vc) | FIELD_PREP(H64_C_CR, credits);
}

/**
 * h64_credit_piggyback - grant credit in a sequenced micropacket
 * @link: the link
 *
 * Return: VCR and CR for the Virtual Channel with the most room to grant, or
 * zeros.
 */
u64 h64_credit_piggyback(struct h64_link *link)
{
	unsigned int vc, best = 0;

	for (vc = 1; vc < HIPPI6400_NUM_VCS; vc++)
		if (link->credit[vc].room > link->credit[best].room)
			best = vc;
	if (link->credit[best].room < H64_GRANT_PIGGYBACK)
		return 0;
	return h64_credit_grant(link, best);
}
EXPORT_SYMBOL_GPL(h64_credit_piggyback);

/**
 * h64_credit_send - grant large amounts of credit in Credit-only micropackets
 * @link: the link, which is up
 * @now: the time
 */
void h64_credit_send(struct h64_link *link, u64 now)
{
	unsigned int vc;
	u64 ctrl;

	for (vc = 0; vc < HIPPI6400_NUM_VCS; vc++) {
		if (link->credit[vc].room < H64_GRANT_ALONE)
			continue;
		while (link->credit[vc].room >= H64_CR_MAX && h64_seq_can_send(link)) {
			ctrl = FIELD_PREP(H64_C_VC, vc) |
			       FIELD_PREP(H64_C_TYPE, H64_TYPE_CREDIT) |
			       h64_credit_grant(link, vc);
			h64_seq_send_zero(link, ctrl, now);
		}
	}
}

/**
 * h64_credit_receive - take credit that the far end granted
 * @link: the link
 * @vc: VCR of a micropacket accepted in order
 * @credits: its CR
 */
void h64_credit_receive(struct h64_link *link, unsigned int vc, u32 credits)
{
	struct h64_vc_credit *c = &link->credit[vc];

	c->tx_granted += credits;
	c->avail += credits;
	if (c->avail > H64_CREDIT_MAX) {
		c->avail = H64_CREDIT_MAX;
		link->stats.credit_overflow++;
	}
}

/**
 * h64_credit_consume - account for a micropacket accepted in order
 * @link: the link
 * @vc: its Virtual Channel
 *
 * Return: false if the far end had no credit for it.
 */
bool h64_credit_consume(struct h64_link *link, unsigned int vc)
{
	struct h64_vc_credit *c = &link->credit[vc];

	if (!c->out) {
		link->stats.no_credit++;
		return false;
	}
	c->out--;
	c->rx_used++;
	return true;
}

/**
 * h64_credit_drained - free the room of one micropacket
 * @link: the link
 * @vc: its Virtual Channel; h64_credit_consume() returned true for the
 *	micropacket
 */
void h64_credit_drained(struct h64_link *link, unsigned int vc)
{
	link->credit[vc].room++;
}
EXPORT_SYMBOL_GPL(h64_credit_drained);
