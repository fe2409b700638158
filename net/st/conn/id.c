// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence identifiers, ST 6.2.1: their allocation and lookup.
 *
 * A short record under way takes no memory in st_sock.ids.xa, though it has an identifier: the
 * peer is not told that, but may guess it.  There is at most one, st_shorts.tx.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "link/upcall.h"
#include "st_sock.h"

/**
 * st_xfer_find - look up the Transfer with a sequence identifier
 * @st: the Virtual Connection
 * @id: our sequence identifier
 *
 * Context: under st->lock.
 * Return: the Transfer or NULL.
 */
struct st_xfer *st_xfer_find(struct st_sock *st, u32 id)
{
	struct st_tx *tx = st->shorts.tx;

	return tx && tx->x.id == id ? &tx->x : xa_load(&st->ids.xa, id);
}

/**
 * st_xfer_next - iterate over the Transfers in the order of their sequence identifiers
 * @st: the Virtual Connection
 * @from: the lowest of interest
 *
 * Context: under st->lock.
 * Return: the Transfer with the lowest from @from on, or NULL.
 */
struct st_xfer *st_xfer_next(struct st_sock *st, unsigned long from)
{
	struct st_tx *tx = st->shorts.tx;
	unsigned long id = from;
	struct st_xfer *x;

	x = xa_find(&st->ids.xa, &id, ULONG_MAX, XA_PRESENT);
	return tx && tx->x.id >= from && (!x || tx->x.id < x->id) ? &tx->x : x;
}
EXPORT_SYMBOL_IF_KUNIT(st_xfer_next);

/**
 * st_new_id - choose the next sequence identifier, ST 6.2.1
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: one that no Transfer and no region has, and neither %ST_ID_NONE nor zero: zero as
 * D_id of a Request_To_Send says that it belongs to a Write and not to a Read.
 */
u32 st_new_id(struct st_sock *st)
{
	u32 id;

	do {
		if (st->ids.next == ST_ID_NONE)
			st->ids.again = true;
		if (st->ids.next == ST_ID_NONE || !st->ids.next)
			st->ids.next = 1;
		id = st->ids.next++;
	} while (id == ST_SHORT_ID ||
		 (st->ids.again && (st_xfer_find(st, id) || st_up->has_id(st, id))));
	return id;
}
EXPORT_SYMBOL_IF_KUNIT(st_new_id);

/**
 * st_xfer_list - make a Transfer known by its sequence identifier
 * @st: the Virtual Connection
 * @x: the Transfer, with an identifier of st_new_id()
 *
 * Context: under st->lock.
 * Return: 0 or -ENOMEM.
 */
int st_xfer_list(struct st_sock *st, struct st_xfer *x)
{
	struct mem_cgroup *before = set_active_memcg(mem_cgroup_from_sk(&st->sk));
	int err = xa_insert(&st->ids.xa, x->id, x, ST_PEER_GFP);

	set_active_memcg(before);
	return err;
}

/**
 * st_xfer_id - give a Transfer a sequence identifier and make it known by that
 * @st: the Virtual Connection
 * @x: the Transfer
 *
 * Context: under st->lock.
 * Return: 0 or -ENOMEM.
 */
int st_xfer_id(struct st_sock *st, struct st_xfer *x)
{
	x->id = st_new_id(st);
	return st_xfer_list(st, x);
}
