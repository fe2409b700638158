// SPDX-License-Identifier: GPL-2.0
/*
 * Slots of the peer, ST 5.2.5: how many operations it has room for.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "st_sock.h"

#define ST_SLOTS_KEPT	4	/* most Slots left free beside operations that the peer keeps */

/**
 * st_slots_left - whether an operation that moves data may be sent, ST 5.2.5
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: true when more than the Slot held in reserve is free at the peer.
 */
bool st_slots_left(const struct st_sock *st)
{
	return st->slots.remote == ST_SLOTS_NONE || st->slots.remote > 1;
}

/**
 * st_slot_take - use a Slot of the peer for an operation, ST 5.2.5
 * @st: the Virtual Connection
 * @reserve: the operation may use the Slot in reserve.  It is sent even without a free
 *	Slot: if the peer discards it and is asked again, that does less harm than no
 *	answer.
 *
 * Asks for the current number of Slots before they run out.
 *
 * Context: under st->lock.
 * Return: false when the operation must wait; never with @reserve.
 */
bool st_slot_take(struct st_sock *st, bool reserve)
{
	if (st->slots.remote == ST_SLOTS_NONE)
		return true;
	if (!reserve && !st_slots_left(st)) {
		st_queue_request_state(st);
		return false;
	}
	/* The Request_State goes first: its Sync counts what the peer has got by then, ST 6.2.9 */
	if (st->slots.remote <= st->slots.remote_max / 4 + 1)
		st_queue_request_state(st);
	if (st->slots.remote)
		st->slots.remote--;
	st->slots.ops++;
	return true;
}

/*
 * Slots that stay free beside operations that the peer keeps.  Fewer stay free at a peer with few
 * Slots, where our answer to a question of the peer may take one at any time.
 */
static u16 st_slots_kept(const struct st_sock *st, unsigned int keep)
{
	u16 max = st->slots.remote_max;

	return max > 4 ? min(keep, max - 2U) : max > 2 ? 2 : 1;
}

/**
 * st_slots_to_keep - whether an operation that the peer keeps may be sent, ST 5.2.5
 * @st: the Virtual Connection
 * @what: its kind
 *
 * The peer may keep the announcement of a Transfer until its application has read the Transfers
 * before it.  If announcements used all Slots but the one in reserve, Data of an earlier
 * Transfer could not be acknowledged, and Blocks of the other direction could not be cleared,
 * while the application waits for just that.  So one more Slot stays free.  An application may
 * also wait for a record, a Read or a request for a region before it deals with the others, so
 * each kind leaves one Slot for every other kind of which the peer may have none.
 *
 * Return: true when enough Slots are left beside it.  With fewer than three Slots the peer has
 * to free one before anything else can be sent; with fewer than six some kinds wait for others.
 */
bool st_slots_to_keep(const struct st_sock *st, enum st_keep what)
{
	bool region = st->slots.taken.asking_regions, read = st->slots.taken.asking_reads;
	unsigned int keep = 2;

	st_assert_locked(st);
	/* True for ST_SLOTS_NONE, too */
	if (st->slots.remote > ST_SLOTS_KEPT)
		return true;
	switch (what) {
	case ST_KEEP_REGION:
		if (region)
			keep += 1 + !read;
		break;
	case ST_KEEP_READ:
		keep += read + !region;
		break;
	case ST_KEEP_RECORD:
		keep += !region + !read;
		break;
	}
	return st->slots.remote > st_slots_kept(st, keep);
}

/**
 * st_slot_keep - use a Slot of the peer for an operation that it keeps, ST 5.2.5
 * @st: the Virtual Connection
 * @what: its kind
 *
 * Asks for the current number of Slots before they run out.
 *
 * Context: under st->lock.
 * Return: false when the operation must wait, see st_slots_to_keep().
 */
bool st_slot_keep(struct st_sock *st, enum st_keep what)
{
	if (st_slots_to_keep(st, what))
		return st_slot_take(st, false);
	st_queue_request_state(st);
	return false;
}

/**
 * st_slots_update - take the Slots from a Request_State_Response, ST 5.2.5
 * @st: the Virtual Connection
 * @slots: its Slots
 * @sync: its Sync: st_slots.ops when the Request_State was sent
 *
 * Context: under st->lock.
 */
void st_slots_update(struct st_sock *st, u16 slots, u32 sync)
{
	u32 since = st->slots.ops - sync;

	if (slots == ST_SLOTS_NONE || st->slots.remote == ST_SLOTS_NONE)
		return;
	st->slots.remote_max = max(st->slots.remote_max, slots);
	st->slots.remote = slots > since ? slots - since : 0;
	st->slots.few = st->slots.remote <= max(st->slots.remote_max / 4,
						st_slots_kept(st, ST_SLOTS_KEPT));
}

/*
 * Whether a Request_State for Slots is outstanding.  Once half of the Slots that were left when
 * it was sent are used, it or its answer may be lost: the next one does not wait until no Slot is
 * left and Op_timeout has expired.  It takes a Slot, too.
 */
static bool st_slots_asked(const struct st_sock *st)
{
	return st->slots.retrans.armed &&
	       (!st->slots.remote || st->slots.remote > st->slots.asked / 2);
}

/**
 * st_queue_request_state - ask the peer for its Slots, ST 6.1.1.1
 * @st: the Virtual Connection
 *
 * An outstanding Request_State is sent again when Slots run out.  A peer with few free Slots is
 * asked less often than once a round trip.  May use the Slot in reserve.
 *
 * Context: under st->lock.
 */
void st_queue_request_state(struct st_sock *st)
{
	struct st_op op;

	if (st_slots_asked(st) || st->sk.sk_state != ST_ESTABLISHED)
		return;
	if (st->slots.few && time_before(jiffies, st->slots.next)) {
		st_timer_at(st, st->slots.next);
		return;
	}
	st->slots.next = jiffies + st_op_timeout(st) / 16 + 1;
	if (st->slots.remote != ST_SLOTS_NONE) {
		if (st->slots.remote)
			st->slots.remote--;
		st->slots.ops++;
		st->slots.asked = st->slots.remote;
	}
	st_op_init(st, &op, ST_OP_REQUEST_STATE, 0);
	op.sync = st->slots.ops;
	op.d_id = ST_ID_NONE;
	st_retrans_start(st, &st->slots.retrans, &op);
	st_queue_op(st, &op);
}

/**
 * st_rx_slots - Slots that the peer may fill now, ST 5.2.5
 * @st: the Virtual Connection
 *
 * These take a Slot: each Write from its announcement until it is read, each Read of the peer
 * until it is answered, each request for a region that waits, and each Get until it is answered.
 * Other operations are executed as they arrive.  The answer to a Read of ours takes none: if it
 * took one of the peer's last Slots, the peer could not send what has to be read first.
 *
 * Context: under st->lock.
 * Return: the Slots.
 */
u16 st_rx_slots(const struct st_sock *st)
{
	const struct st_taken *taken = &st->slots.taken;
	unsigned int used = st->dest.count - taken->reads + taken->served + taken->asked +
			    taken->replies;

	return used < st->slots.local ? st->slots.local - used : 0;
}
EXPORT_SYMBOL_IF_KUNIT(st_rx_slots);
