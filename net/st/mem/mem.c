// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent memory, ST 6.1.4: lookup of its objects on a Virtual Connection.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "conn/host.h"
#include "mem/region.h"

/**
 * st_mem_prepare - allocate st_sock.mem at first use
 * @st: the Virtual Connection
 *
 * Return: 0, or -ENOMEM, which is counted.
 */
int st_mem_prepare(struct st_sock *st)
{
	struct st_mem *mem;

	st_assert_locked(st);
	if (st->mem)
		return 0;
	mem = st_peer_alloc(st, sizeof(*mem));
	if (!mem)
		return -ENOMEM;
	mem->st = st;
	INIT_LIST_HEAD(&mem->regions);
	INIT_LIST_HEAD(&mem->pinned);
	xa_init(&mem->by_id);
	init_waitqueue_head(&mem->held_wait);
	INIT_LIST_HEAD(&mem->asked);
	INIT_LIST_HEAD(&mem->replies);
	INIT_WORK(&mem->reply_work, st_reply_work);
	INIT_LIST_HEAD(&mem->fetch_list);
	INIT_LIST_HEAD(&mem->fetch_over);
	INIT_LIST_HEAD(&mem->remotes);
	INIT_LIST_HEAD(&mem->ops);
	init_waitqueue_head(&mem->room);
	/* st_tx_write_space() reads it without the lock */
	smp_store_release(&st->mem, mem);
	return 0;
}

/**
 * st_mem_has_id - whether a region has a sequence identifier
 * @st: the Virtual Connection
 * @id: the identifier
 *
 * Return: true when a region of either end has it as its handle.
 */
bool st_mem_has_id(const struct st_sock *st, u32 id)
{
	st_assert_locked(st);
	return st->mem && (st_region_find(st->mem, id) || st_remote_find(st->mem, id));
}

/**
 * st_mem_new_mx - choose a Memory Index, different from those that late Data may have
 * @mem: persistent memory of the Virtual Connection
 * @kind: bits of %ST_MX_KIND
 * @place: less than %ST_MX_PLACES
 *
 * Return: the Memory Index.
 */
u16 st_mem_new_mx(struct st_mem *mem, u16 kind, unsigned int place)
{
	st_assert_locked(mem->st);
	return kind | ((mem->generation++ * ST_MX_PLACES + place) & ~ST_MX_KIND);
}
EXPORT_SYMBOL_IF_KUNIT(st_mem_new_mx);

/**
 * st_mem_tell - queue an event if the application wants it
 * @st: the Virtual Connection
 * @wanted: bits of ST_REGION_EV_*
 * @event: the event
 *
 * Context: any but hard interrupt.
 */
void st_mem_tell(struct st_sock *st, u32 wanted, const struct st_event *event)
{
	if (READ_ONCE(st->opts.region_events) & wanted)
		st_event_tell(st, event);
}

/**
 * st_mem_waiting - whether anything may wait for the LLP to send Data
 * @st: the socket
 *
 * Context: any.
 * Return: true when st_mem_pump() should be called after Data was sent.
 */
bool st_mem_waiting(const struct st_sock *st)
{
	/* Pairs with st_mem_prepare() */
	const struct st_mem *mem = smp_load_acquire(&st->mem);

	return mem && (READ_ONCE(st->slots.taken.replies) || READ_ONCE(mem->nr_ops));
}

/**
 * st_mem_idle - whether no operation on memory of the peer is under way
 * @st: the Virtual Connection
 *
 * Return: true when none is.
 */
bool st_mem_idle(const struct st_sock *st)
{
	st_assert_locked(st);
	return !st->mem || list_empty(&st->mem->ops);
}

/**
 * st_mem_asks - whether persistent memory waits for an answer of the peer
 * @st: the Virtual Connection
 *
 * Return: true when an operation, or a request for a region, is under way.
 */
bool st_mem_asks(const struct st_sock *st)
{
	const struct st_remote *rm;

	st_assert_locked(st);
	if (!st_mem_idle(st))
		return true;
	if (st->mem)
		list_for_each_entry(rm, &st->mem->remotes, list)
			if (!rm->ready)
				return true;
	return false;
}

/**
 * st_region_find - look up a region by its handle
 * @mem: persistent memory of the Virtual Connection
 * @id: the handle
 *
 * Return: the region, which may be offered, granted or ending, or NULL.
 */
struct st_region *st_region_find(struct st_mem *mem, u32 id)
{
	struct st_region *r;

	st_assert_locked(mem->st);
	list_for_each_entry(r, &mem->regions, list)
		if (r->id == id)
			return r;
	return NULL;
}

/**
 * st_region_has - whether memory belongs to a region that is not ending
 * @mem: persistent memory of the Virtual Connection
 * @buf: the memory
 *
 * Return: true when it does.
 */
bool st_region_has(struct st_mem *mem, const struct st_buf *buf)
{
	struct st_region *r;

	st_assert_locked(mem->st);
	list_for_each_entry(r, &mem->regions, list)
		if (!r->ending && r->buf == buf)
			return true;
	return false;
}

/**
 * st_remote_find - look up a region of the peer by its handle
 * @mem: persistent memory of the Virtual Connection
 * @id: the handle, also our I-id
 *
 * Return: the region, granted or not, or NULL.
 */
struct st_remote *st_remote_find(struct st_mem *mem, u32 id)
{
	struct st_remote *rm;

	st_assert_locked(mem->st);
	list_for_each_entry(rm, &mem->remotes, list)
		if (rm->id == id)
			return rm;
	return NULL;
}

/**
 * st_remote_known - look up a region that the peer has been asked for
 * @mem: persistent memory of the Virtual Connection
 * @id: our I-id
 *
 * Return: the region, granted or not, or NULL, also when its request has not been sent.
 */
struct st_remote *st_remote_known(struct st_mem *mem, u32 id)
{
	struct st_remote *rm = st_remote_find(mem, id);

	st_assert_locked(mem->st);
	return rm && rm->asked ? rm : NULL;
}
