// SPDX-License-Identifier: GPL-2.0
/*
 * Admin micropackets between neighbours, HIPPI-6400-PH 5.5.
 *
 * The neighbour may be hostile: whatever it sends, at most one answer of each
 * kind is queued here, answers leave at a bounded rate, and the text in its
 * identity is made printable before use.
 */

#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "link.h"
#include "seq.h"

#define H64_ADMIN_TIMEOUT	((u64)H64_ADMIN_TIMEOUT_MS * NSEC_PER_MSEC)
#define H64_ADMIN_PACE		((u64)H64_ADMIN_PACE_MS * NSEC_PER_MSEC)

/* Bits of h64_admin.ready */
#define H64_READY_ANSWER(kind)	BIT(kind)
#define H64_READY_REQUEST(kind)	BIT(H64_ADMIN_KINDS + (kind))

/* Opcodes of a kind */
static u8 h64_admin_opcode(unsigned int kind, bool answer)
{
	return H64_ADMIN_IDENTITY + 2 * kind + answer;
}

/**
 * h64_admin_identify - set the identity of this end of the link
 * @link: the link, before it is enabled
 * @self: the identity; element H64_ELEMENT_NONE takes no part in Admin
 */
void h64_admin_identify(struct h64_link *link, const struct h64_identity *self)
{
	link->admin.self = *self;
}
EXPORT_SYMBOL_GPL(h64_admin_identify);

/**
 * h64_admin_neighbour - get the identity of the other end of the link
 * @link: the link
 *
 * Return: the identity, valid until the link drops its state, or NULL if the
 * neighbour sent none.
 */
const struct h64_identity *h64_admin_neighbour(const struct h64_link *link)
{
	return link->admin.known ? &link->admin.neighbour : NULL;
}
EXPORT_SYMBOL_GPL(h64_admin_neighbour);

/**
 * h64_admin_element_name - name a kind of element
 * @element: H64_ELEMENT_...
 *
 * Return: text for users.
 */
const char *h64_admin_element_name(u8 element)
{
	switch (element) {
	case H64_ELEMENT_END_DEVICE:
		return "end device";
	case H64_ELEMENT_SWITCH:
		return "switch";
	default:
		return "unknown";
	}
}
EXPORT_SYMBOL_GPL(h64_admin_element_name);

/**
 * h64_admin_drop - forget the neighbour and all pending requests and answers
 * @link: the link
 */
void h64_admin_drop(struct h64_link *link)
{
	struct h64_admin *admin = &link->admin;
	bool loopback = admin->request[H64_KIND_LOOPBACK].busy;
	unsigned int kind;

	for (kind = 0; kind < H64_ADMIN_KINDS; kind++) {
		admin->answer[kind].busy = false;
		admin->request[kind].busy = false;
	}
	admin->ready = 0;
	admin->known = false;
	if (loopback && link->ops && link->ops->loopback)
		link->ops->loopback(link, -ENOLINK);
}

static void h64_admin_ask(struct h64_link *link, unsigned int kind, u64 now)
{
	struct h64_admin_slot *slot = &link->admin.request[kind];

	slot->busy = true;
	slot->tries = 1;
	slot->txn = ++link->admin.last_txn;
	slot->deadline = now + H64_ADMIN_TIMEOUT;
	link->admin.ready |= H64_READY_REQUEST(kind);
}

/**
 * h64_admin_up - request the neighbour's identity, as the link came up
 * @link: the link
 * @now: the time
 */
void h64_admin_up(struct h64_link *link, u64 now)
{
	if (link->admin.self.element == H64_ELEMENT_NONE)
		return;
	link->admin.request[H64_KIND_IDENTITY].len = 0;
	h64_admin_ask(link, H64_KIND_IDENTITY, now);
}

/**
 * h64_admin_loopback - ask the neighbour to return a pattern
 * @link: the link
 * @pattern: the pattern
 * @len: length in bytes, at most H64_ADMIN_BODY
 * @now: the time
 *
 * The loopback operation of the link's owner receives the result, within
 * H64_ADMIN_TRIES times H64_ADMIN_TIMEOUT_MS.
 *
 * Return: 0, -EINVAL for a bad length, -ENOLINK if the link is not up, or
 * -EBUSY if the last loop-back is still pending.
 */
int h64_admin_loopback(struct h64_link *link, const void *pattern, unsigned int len, u64 now)
{
	struct h64_admin_slot *slot = &link->admin.request[H64_KIND_LOOPBACK];

	if (len > sizeof(slot->body))
		return -EINVAL;
	if (link->state != H64_UP)
		return -ENOLINK;
	if (slot->busy)
		return -EBUSY;
	slot->len = len;
	memcpy(slot->body, pattern, len);
	h64_admin_ask(link, H64_KIND_LOOPBACK, now);
	return 0;
}
EXPORT_SYMBOL_GPL(h64_admin_loopback);

static void h64_admin_request_ends(struct h64_link *link, unsigned int kind, int err)
{
	link->admin.request[kind].busy = false;
	link->admin.ready &= ~H64_READY_REQUEST(kind);
	if (kind == H64_KIND_LOOPBACK && link->ops && link->ops->loopback)
		link->ops->loopback(link, err);
}

/**
 * h64_admin_loopback_end - cancel a loop-back
 * @link: the link
 * @err: result for the loopback operation of the link's owner
 *
 * Nothing happens if none is pending.  A late answer is counted as unsolicited.
 */
void h64_admin_loopback_end(struct h64_link *link, int err)
{
	if (link->admin.request[H64_KIND_LOOPBACK].busy)
		h64_admin_request_ends(link, H64_KIND_LOOPBACK, err);
}
EXPORT_SYMBOL_GPL(h64_admin_loopback_end);

static void h64_admin_learn(struct h64_admin *admin, const u8 *body)
{
	const struct h64_admin_identity *is = (const struct h64_admin_identity *)body;
	struct h64_identity *n = &admin->neighbour;
	unsigned int i;

	memcpy(n->ula, is->ula, sizeof(n->ula));
	n->port = is->port;
	n->element = is->element;
	memset(n->software, 0, sizeof(n->software));
	for (i = 0; i < sizeof(is->software) && is->software[i]; i++)
		n->software[i] = isascii(is->software[i]) && isprint(is->software[i]) ?
				 is->software[i] : '?';
	admin->known = true;
}

static void h64_admin_answered(struct h64_link *link, unsigned int kind,
			       const struct h64_admin_upkt *in)
{
	const struct h64_admin_slot *slot = &link->admin.request[kind];
	int err = 0;

	if (!slot->busy || be32_to_cpu(in->txn) != slot->txn) {
		link->stats.admin_unasked++;
		return;
	}
	if (kind == H64_KIND_IDENTITY)
		h64_admin_learn(&link->admin, in->body);
	else if (in->len != slot->len || memcmp(in->body, slot->body, slot->len))
		err = -EBADMSG;
	h64_admin_request_ends(link, kind, err);
}

static void h64_admin_asked(struct h64_link *link, unsigned int kind,
			    const struct h64_admin_upkt *in, u64 now)
{
	struct h64_admin_slot *slot = &link->admin.answer[kind];

	if (slot->busy) {
		link->stats.admin_busy++;
		return;
	}
	slot->busy = true;
	slot->txn = be32_to_cpu(in->txn);
	slot->len = in->len;
	memcpy(slot->body, in->body, in->len);
	slot->deadline = max(now, slot->next);
	if (slot->deadline == now)
		link->admin.ready |= H64_READY_ANSWER(kind);
}

/* Required length of an opcode's body, or -1 for any */
static int h64_admin_length(u8 opcode)
{
	switch (opcode) {
	case H64_ADMIN_IDENTITY:
		return 0;
	case H64_ADMIN_IDENTITY_IS:
		return sizeof(struct h64_admin_identity);
	default:
		return -1;
	}
}

/**
 * h64_admin_rx - handle an accepted Admin micropacket
 * @link: the link, whose h64_link_rx() returned H64_RX_ADMIN
 * @data: its data bytes
 * @now: the time
 */
void h64_admin_rx(struct h64_link *link, const void *data, u64 now)
{
	struct h64_admin_upkt in;
	unsigned int kind;
	int length;

	memcpy(&in, data, sizeof(in));
	length = h64_admin_length(in.opcode);
	kind = (in.opcode - H64_ADMIN_IDENTITY) / 2;
	if (link->admin.self.element == H64_ELEMENT_NONE || in.version != H64_ADMIN_VERSION ||
	    in.opcode < H64_ADMIN_IDENTITY || kind >= H64_ADMIN_KINDS)
		link->stats.admin_unknown++;
	else if (in.hops)
		link->stats.admin_hops++;
	else if (in.len > sizeof(in.body) || (length >= 0 && in.len != length))
		link->stats.admin_length++;
	else if (in.opcode == h64_admin_opcode(kind, true))
		h64_admin_answered(link, kind, &in);
	else
		h64_admin_asked(link, kind, &in, now);
}
EXPORT_SYMBOL_GPL(h64_admin_rx);

static void h64_admin_put(struct h64_link *link, u8 opcode, const struct h64_admin_slot *slot,
			  u64 now)
{
	struct h64_crcs crcs = { H64_CRC_PRESET, H64_CRC_PRESET };
	struct h64_upkt *upkt = h64_seq_slot(link);
	struct h64_admin_upkt out = {
		.version = H64_ADMIN_VERSION,
		.opcode = opcode,
		.len = slot->len,
		.txn = cpu_to_be32(slot->txn),
	};
	u64 ctrl;

	memcpy(out.body, slot->body, slot->len);
	h64_crc_upkt(upkt->data, &out, &crcs, link->clmul);
	ctrl = FIELD_PREP(H64_C_VC, H64_ADMIN_VC) | FIELD_PREP(H64_C_TYPE, H64_TYPE_ADMIN) |
	       h64_seq_ctrl(link) | h64_credit_piggyback(link) |
	       FIELD_PREP(H64_C_ECRC, crcs.ecrc);
	h64_credit_use(link, H64_ADMIN_VC);
	h64_seq_commit(link, upkt, ctrl, crcs.lcrc, now);
	link->stats.admin_tx++;
}

static void h64_admin_fill_identity(struct h64_link *link)
{
	const struct h64_identity *self = &link->admin.self;
	struct h64_admin_slot *slot = &link->admin.answer[H64_KIND_IDENTITY];
	struct h64_admin_identity is = {
		.port = self->port,
		.element = self->element,
	};

	memcpy(is.ula, self->ula, sizeof(is.ula));
	memcpy_and_pad(is.software, sizeof(is.software), self->software,
		       strnlen(self->software, sizeof(is.software)), 0);
	slot->len = sizeof(is);
	memcpy(slot->body, &is, sizeof(is));
}

/**
 * h64_admin_send_ready - send what h64_admin_send() found due
 * @link: the link
 * @now: the time
 */
void h64_admin_send_ready(struct h64_link *link, u64 now)
{
	struct h64_admin *admin = &link->admin;
	unsigned int bit, kind;

	for (bit = 0; bit < 2 * H64_ADMIN_KINDS; bit++) {
		if (!(admin->ready & BIT(bit)))
			continue;
		/* Admin must not interrupt a Message on its VC, 5.3 */
		if (!h64_seq_can_send(link) || !link->credit[H64_ADMIN_VC].avail ||
		    (link->src.open & BIT(H64_ADMIN_VC)))
			return;
		admin->ready &= ~BIT(bit);
		kind = bit % H64_ADMIN_KINDS;
		if (bit >= H64_ADMIN_KINDS) {
			h64_admin_put(link, h64_admin_opcode(kind, false), &admin->request[kind],
				      now);
			continue;
		}
		if (kind == H64_KIND_IDENTITY)
			h64_admin_fill_identity(link);
		h64_admin_put(link, h64_admin_opcode(kind, true), &admin->answer[kind], now);
		admin->answer[kind].busy = false;
		admin->answer[kind].next = now + H64_ADMIN_PACE;
	}
}
EXPORT_SYMBOL_GPL(h64_admin_send_ready);

static void h64_admin_tick_request(struct h64_link *link, unsigned int kind, u64 now)
{
	struct h64_admin_slot *slot = &link->admin.request[kind];

	if (!slot->busy || now < slot->deadline)
		return;
	if (slot->tries >= H64_ADMIN_TRIES) {
		link->stats.admin_timeouts++;
		h64_admin_request_ends(link, kind, -ETIMEDOUT);
		return;
	}
	slot->tries++;
	slot->deadline = now + H64_ADMIN_TIMEOUT;
	link->admin.ready |= H64_READY_REQUEST(kind);
}

/**
 * h64_admin_tick - check the timers of Admin
 * @link: the link, which is up
 * @now: the time
 */
void h64_admin_tick(struct h64_link *link, u64 now)
{
	unsigned int kind;

	for (kind = 0; kind < H64_ADMIN_KINDS; kind++) {
		const struct h64_admin_slot *slot = &link->admin.answer[kind];

		if (slot->busy && now >= slot->deadline)
			link->admin.ready |= H64_READY_ANSWER(kind);
		h64_admin_tick_request(link, kind, now);
	}
}
EXPORT_SYMBOL_GPL(h64_admin_tick);

/**
 * h64_admin_deadline - tell when h64_admin_tick() is due
 * @link: the link
 *
 * Return: the time, or H64_NEVER.
 */
u64 h64_admin_deadline(const struct h64_link *link)
{
	const struct h64_admin *admin = &link->admin;
	u64 deadline = H64_NEVER;
	unsigned int kind;

	for (kind = 0; kind < H64_ADMIN_KINDS; kind++) {
		/* An answer that is ready to be sent does not wait for a timer */
		if (admin->answer[kind].busy && !(admin->ready & H64_READY_ANSWER(kind)))
			deadline = min(deadline, admin->answer[kind].deadline);
		if (admin->request[kind].busy)
			deadline = min(deadline, admin->request[kind].deadline);
	}
	return deadline;
}
EXPORT_SYMBOL_GPL(h64_admin_deadline);
