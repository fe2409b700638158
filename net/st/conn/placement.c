// SPDX-License-Identifier: GPL-2.0
/*
 * Direct placement, ST 4.2: as soon as an LLP has the Schedule Header of a Data
 * operation, it can ask where the payload goes.
 *
 * Placement has no other effect.  The operation is executed once it has arrived
 * completely as an skb: st_rcv_data() then finds the bytes already in place.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/host.h"
#include "conn/placement.h"
#include "st_sock.h"

static void st_placement_unref(struct st_placement_core *core)
{
	if (refcount_dec_and_test(&core->refcnt))
		kfree(core);
}

/* The caller holds st->lock, or the socket has no users any more. */
static void st_placement_unlink(struct st_placement_core *core)
{
	list_del(&core->list);
	st_placement_unref(core);
}

static bool st_placement_is_done(const struct st_placement_core *core)
{
	/* Pairs with st_placement_put(): all writes of the LLP are visible */
	return smp_load_acquire(&core->done);
}

/**
 * st_placement_cancel - cancel the placements of one exposure of a Block
 * @st: the Virtual Connection
 * @mx: Memory Index of the exposure that ends
 *
 * A micropacket or frame that is being written may still be written to the memory.
 * A caller that takes the memory back uses st_placement_take_back().
 *
 * Context: under st->lock.
 */
void st_placement_cancel(struct st_sock *st, u16 mx)
{
	struct st_placement_core *core;

	list_for_each_entry(core, &st->placements, list)
		if (core->mx == mx)
			WRITE_ONCE(core->placement.cancelled, true);
}
EXPORT_SYMBOL_IF_KUNIT(st_placement_cancel);

/**
 * st_placement_take_back - cancel the placements in a lent buffer
 * @st: the Virtual Connection
 * @ubuf: the pages of a recvmsg(), a region or a Get
 *
 * Context: under st->lock.
 * Return: true when a placement was under way: the LLP may write to the buffer until
 * synchronize_rcu() returns.
 */
bool st_placement_take_back(struct st_sock *st, const struct st_buf *ubuf)
{
	struct st_placement_core *core, *next;
	bool wait = false;

	list_for_each_entry_safe(core, next, &st->placements, list) {
		if (!core->ulen || core->ubuf != ubuf || st_placement_is_done(core))
			continue;
		WRITE_ONCE(core->placement.cancelled, true);
		wait = true;
		st_placement_unlink(core);
	}
	return wait;
}
EXPORT_SYMBOL_IF_KUNIT(st_placement_take_back);

/**
 * st_placement_purge - cancel and free all placements
 * @st: the socket, without users
 *
 * Context: any.
 */
void st_placement_purge(struct st_sock *st)
{
	struct st_placement_core *core, *next;

	list_for_each_entry_safe(core, next, &st->placements, list) {
		WRITE_ONCE(core->placement.cancelled, true);
		st_placement_unlink(core);
	}
}
EXPORT_SYMBOL_IF_KUNIT(st_placement_purge);

/* Whether the LLP has dropped its reference to a placement that is done */
static bool st_placement_is_idle(const struct st_placement_core *core)
{
	if (refcount_read(&core->refcnt) != 1)
		return false;
	/* Pairs with the release of st_placement_unref() */
	smp_acquire__after_ctrl_dep();
	return true;
}

/* Limit of payloads under way, over all links */
static unsigned int st_placement_most(const struct st_sock *st)
{
	const struct st_path *path;
	unsigned int most = 0;

	for (path = &st->paths.first; path; path = st_path_next(path))
		if (path->link)
			most += path->link->placements;
	return most;
}

/**
 * st_placement_add - allocate a placement
 * @st: the Virtual Connection
 * @mx: Memory Index
 * @len: bytes of payload
 *
 * A placement that is done is reused, so that the steady state allocates nothing.  Others that
 * are done are freed.
 *
 * Context: under st->lock.
 * Return: the placement, with a reference for the LLP, or NULL without memory or when as many
 * placements as the LLPs can use at a time are not done.
 */
struct st_placement_core *st_placement_add(struct st_sock *st, u16 mx, u32 len)
{
	struct st_placement_core *core, *next, *idle = NULL;
	unsigned int busy = 0;

	list_for_each_entry_safe(core, next, &st->placements, list) {
		if (!st_placement_is_done(core))
			busy++;
		else if (!idle && st_placement_is_idle(core))
			idle = core;
		else
			st_placement_unlink(core);
	}
	if (busy >= st_placement_most(st))
		return NULL;
	if (idle) {
		list_del(&idle->list);
		memset(idle, 0, sizeof(*idle));
	}
	core = idle ?: st_peer_kzalloc(st, sizeof(*core), ST_PEER_GFP);
	if (!core)
		return NULL;
	refcount_set(&core->refcnt, 2);
	core->mx = mx;
	core->len = len;
	list_add(&core->list, &st->placements);
	return core;
}

/**
 * st_placement_new_in - expect payload in a buffer that does not belong to a Block
 * @st: the Virtual Connection
 * @mx: Memory Index
 * @buf: the buffer; its owner takes it back with st_placement_take_back()
 * @pos: first byte in it
 * @len: bytes, not 0, inside @buf
 *
 * Context: under st->lock.
 * Return: the placement, with a reference for the LLP, or NULL without memory.
 */
struct st_placement_core *st_placement_new_in(struct st_sock *st, u16 mx, struct st_buf *buf,
					      u64 pos, u32 len)
{
	struct st_placement_core *core = st_placement_add(st, mx, len);

	if (!core)
		return NULL;
	core->ubuf = buf;
	core->upos = pos;
	core->ulen = len;
	return core;
}
EXPORT_SYMBOL_IF_KUNIT(st_placement_new_in);

/**
 * st_placement_segment - the memory for a part of the payload
 * @p: the placement, not cancelled
 * @pos: first byte of the payload
 * @seg: set to the memory of that byte and of those after it in the same page
 *
 * Context: any, in the RCU read-side critical section in which @p was found not
 * to be cancelled.
 * Return: false when @pos is not in the payload.
 */
bool st_placement_segment(const struct st_placement *p, u32 pos, struct bio_vec *seg)
{
	const struct st_placement_core *core = st_placement_core(p);

	if (pos >= core->len)
		return false;
	if (pos < core->ulen)
		st_buf_segment(core->ubuf, core->upos + pos, core->ulen - pos, seg);
	else
		st_buf_segment(core->kbuf, core->kpos + pos - core->ulen, core->len - pos, seg);
	return true;
}
EXPORT_SYMBOL_GPL(st_placement_segment);

/**
 * st_placement_put - the LLP is done with a placement
 * @p: the placement; the LLP delivers an skb with the pages it has written to, or the
 *	operation is lost
 *
 * Context: any.
 */
void st_placement_put(struct st_placement *p)
{
	struct st_placement_core *core = st_placement_core(p);

	st_buf_free(core->kbuf, false);
	core->kbuf = NULL;
	/* Pairs with st_placement_is_done() */
	smp_store_release(&core->done, true);
	st_placement_unref(core);
}
EXPORT_SYMBOL_GPL(st_placement_put);
