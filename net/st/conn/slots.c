// SPDX-License-Identifier: GPL-2.0
/*
 * Slots of the peer, ST 5.2.5: how many operations it has room for.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "st_sock.h"

#define ST_SLOTS_KEPT	4	/* most Slots that are left free by what the peer keeps */

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
 * st_slot_take - use up a Slot of the peer for an operation, ST 5.2.5
 * @st: the Virtual Connection
 * @reserve: the operation is one of those the Slot in reserve is for.  It is
 *	sent in any case: that the peer may discard it, and is asked again, does
 *	less harm than no answer.
 *
 * Asks for the current number in time.
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
	/* The question goes first: its Sync counts what the peer has got by then, ST 6.2.9 */
	if (st->slots.remote <= st->slots.remote_max / 4 + 1)
		st_queue_request_state(st);
	if (st->slots.remote)
		st->slots.remote--;
	st->slots.ops++;
	return true;
}

/*
 * The least that are left free by what the peer keeps.  One that has few is left fewer: the answer
 * to a question of its own may take one whenever it is asked.
 */
static u16 st_slots_kept(const struct st_sock *st, unsigned int keep)
{
	u16 max = st->slots.remote_max;

	return max > 4 ? min(keep, max - 2U) : max > 2 ? 2 : 1;
}

/**
 * st_slots_to_keep - whether an operation may be sent that the peer keeps, ST 5.2.5
 * @st: the Virtual Connection
 * @what: what kind
 *
 * The peer may keep what announces a Transfer until its application has read those before.
 * If all Slots but the one in reserve were used up so, Data of a Transfer before could
 * not be acknowledged, nor be cleared in the other direction, and the application would
 * wait for that.  So one more is left.  As an application may also wait for a record, a
 * Read or a request for a region before it deals with the others, each kind leaves one for
 * every other kind of which the peer need not have any.
 *
 * Return: true when enough are left besides it.  With less than three Slots the peer has to
 * free one before anything else can be sent, with less than six some kinds wait for others.
 */
bool st_slots_to_keep(const struct st_sock *st, enum st_keep what)
{
	bool region = st->slots.taken.asking_regions, read = st->slots.taken.asking_reads;
	unsigned int keep = 2;

	st_assert_locked(st);
	/* ST_SLOTS_NONE is many, too */
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
 * st_slot_keep - use up a Slot of the peer for an operation that it keeps, ST 5.2.5
 * @st: the Virtual Connection
 * @what: what kind
 *
 * Asks for the current number in time.
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
 * st_slots_update - a Request_State_Response told the Slots, ST 5.2.5
 * @st: the Virtual Connection
 * @slots: the Slots in it
 * @sync: its Sync: operations that had been sent when the state was asked for
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
 * Whether the question for Slots is open.  When half of those that it left are used, it or its
 * answer may be lost, and is not waited for till no Slot is left and Op_timeout is over.  The
 * second takes a Slot, too.
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
 * A question that is open is asked again when Slots run out, and a peer that has few free is
 * not asked at the rate of the round trips.  Uses the Slot in reserve.
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
 * Every Write that was announced and not yet read takes one, and so does every Read of
 * the peer until it is answered, every request for a region that waits, and every Get that
 * is not yet answered; other operations are executed as they arrive.  What answers a Read
 * of ours finds its place: if that took one from those that the peer has left, it could
 * not send what is to be read before.
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
