// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that go down or change their address, and routes that come and go, under Virtual
 * Connections.
 *
 * A temporary loss of the medium only costs time, as does a device that goes down and up again.
 * What waits for a device that stays down cannot continue; Op_timeouts would report that late, and
 * with another errno.  An address is part of the identity of a Virtual Connection (ST 5.2.2), and
 * cannot change.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "link/link.h"
#include "link/route.h"
#include "mem/mem.h"
#include "proto/proto.h"
#include "xfer/rx_block.h"

#define ST_DOWN_MAX	HZ	/* a device that is down for longer is not about to come up again */

/* Whether all devices of a Virtual Connection are down.  @since: jiffies of the last one */
static bool st_down_all(struct st_sock *st, unsigned long *since)
{
	const struct st_link_core *core;
	struct st_path *path;
	bool any = false;
	unsigned long at;

	for (path = &st->paths.first; path; path = st_path_next(path)) {
		/* A path that has left its link may outlive the device */
		if (!path->link || hlist_unhashed(&path->node))
			continue;
		core = st_link_core(path->link);
		if (!smp_load_acquire(&core->down))	/* st_link_go_on() */
			return false;
		at = READ_ONCE(core->down_at);
		if (!any || time_after(at, *since))
			*since = at;
		any = true;
	}
	return any;
}

/* Whether anything is under way.  A complete record has no identifier any more. */
static bool st_down_waits(const struct st_sock *st)
{
	return st->sk.sk_state == ST_CONNECTING || !list_empty(&st->source.list) ||
	       !xa_empty(&st->ids.xa) || !list_empty(&st->questions) || st_mem_asks(st);
}

/**
 * st_down_check - fail a Virtual Connection that waits for devices which are down
 * @st: the Virtual Connection
 * @now: jiffies
 *
 * An idle Virtual Connection stays.
 *
 * Context: under st->lock.
 */
void st_down_check(struct st_sock *st, unsigned long now)
{
	unsigned long until;

	if ((st->sk.sk_state != ST_CONNECTING && st->sk.sk_state != ST_ESTABLISHED) ||
	    !st_down_all(st, &until) || !st_down_waits(st))
		return;
	until += ST_DOWN_MAX;
	if (time_before(now, until))
		st_timer_at(st, until);
	else
		st_vc_fail(st, ENETDOWN);
}

/**
 * st_link_go_on - the medium or device of a link is up or down
 * @link: the link
 *
 * Context: under RTNL.
 */
void st_link_go_on(struct st_link *link)
{
	struct st_link_core *core = st_link_core(link);
	bool down = !netif_running(link->dev);
	struct st_path *path;

	if (down && !core->down)
		WRITE_ONCE(core->down_at, jiffies);
	smp_store_release(&core->down, down);	/* st_down_all() */
	spin_lock_bh(&core->lock);
	hlist_for_each_entry(path, &core->paths, node)
		if (refcount_inc_not_zero(&path->st->sk.sk_refcnt))
			st_tx_go_on(path->st);
	spin_unlock_bh(&core->lock);
}

/* Abort over the old address: the peer does not know the new one. */
static void st_path_readdress(struct st_path *path)
{
	struct st_sock *st = path->st;

	if (!st->paths.stripe || !st_path_again(path))
		st_vc_abort(st, path, ENETRESET);
}

/*
 * The next path on a list of paths to notify, moved back to the others of the link, with a
 * reference to its socket; or NULL.
 */
static struct st_path *st_path_told(struct st_link_core *core, struct hlist_head *untold)
{
	struct st_path *path;

	spin_lock_bh(&core->lock);
	path = hlist_entry_safe(untold->first, struct st_path, node);
	if (path) {
		hlist_del(&path->node);
		hlist_add_head(&path->node, &core->paths);
		sock_hold(&path->st->sk);
	}
	spin_unlock_bh(&core->lock);
	return path;
}

/**
 * st_link_readdressed - a link is about to change its address
 * @link: the link
 *
 * A Virtual Connection without another path fails with ENETRESET.  Its peer is notified at once,
 * while operations still come from the old st_link.addr.
 *
 * Context: under RTNL, may sleep.
 */
void st_link_readdressed(struct st_link *link)
{
	struct st_link_core *core = st_link_core(link);
	HLIST_HEAD(old);
	struct st_sock *st;
	struct st_path *path;

	spin_lock_bh(&core->lock);
	hlist_move_list(&core->paths, &old);
	spin_unlock_bh(&core->lock);
	while ((path = st_path_told(core, &old))) {
		st = path->st;
		spin_lock_bh(&st->lock);
		if (path->link == link && !hlist_unhashed(&path->node))
			st_path_readdress(path);
		st_unlock(st);
		sock_put(&st->sk);
	}
}

/* A path over the link, with a reference to its Virtual Connection, or NULL. */
static struct st_path *st_link_first(struct st_link_core *core)
{
	struct st_path *path = NULL;

	spin_lock_bh(&core->lock);
	if (!hlist_empty(&core->paths)) {
		path = hlist_entry(core->paths.first, struct st_path, node);
		sock_hold(&path->st->sk);
	}
	spin_unlock_bh(&core->lock);
	return path;
}

/**
 * st_link_fail - fail everything that only runs over a link
 * @link: the link, which accepts no more Virtual Connections
 * @err: positive errno for the Virtual Connections
 *
 * Context: under RTNL.
 */
void st_link_fail(struct st_link *link, int err)
{
	struct st_sock *st;
	struct st_path *path;

	while ((path = st_link_first(st_link_core(link)))) {
		st = path->st;
		spin_lock_bh(&st->lock);
		if (path->link == link && !st_path_remove(path))
			st_vc_fail(st, err);
		st_unlock(st);
		sock_put(&st->sk);
	}
}

/**
 * st_route_go_on - a route is up, or not any more
 * @route: the route
 *
 * Context: under st_link_core.lock.
 */
void st_route_go_on(struct st_route *route)
{
	struct st_path *path;

	lockdep_assert_held(&st_link_core(route->link)->lock);
	hlist_for_each_entry(path, &st_route_core(route)->paths, mate)
		if (refcount_inc_not_zero(&path->st->sk.sk_refcnt))
			st_tx_go_on(path->st);
}

/* As st_path_told(), of those whose route has failed, which go back to its others */
static struct st_path *st_route_told(struct st_link_core *core, struct st_route_core *r)
{
	struct st_path *path;

	spin_lock_bh(&core->lock);
	path = hlist_entry_safe(r->failed.first, struct st_path, mate);
	if (path) {
		hlist_del(&path->mate);
		hlist_add_head(&path->mate, &r->paths);
		sock_hold(&path->st->sk);
	}
	spin_unlock_bh(&core->lock);
	return path;
}

/**
 * st_route_fail - fail everything that only runs over a route
 * @route: the route
 * @err: positive errno for the Virtual Connections
 *
 * Context: may sleep; one call at a time for a route.
 */
void st_route_fail(struct st_route *route, int err)
{
	struct st_link_core *core = st_link_core(route->link);
	struct st_sock *st;
	struct st_path *path;

	while ((path = st_route_told(core, st_route_core(route)))) {
		st = path->st;
		spin_lock_bh(&st->lock);
		if (path->route == route && !hlist_unhashed(&path->node) && !st_path_failed(path))
			st_vc_fail(st, err);
		st_unlock(st);
		sock_put(&st->sk);
	}
}

/**
 * st_path_turn - a path has its turn to clear a Block
 * @paced: its part in the pacing of the link
 *
 * Context: under st_pace.lock.
 */
void st_path_turn(struct st_paced *paced)
{
	struct st_sock *st = container_of(paced, struct st_path, paced)->st;

	if (refcount_inc_not_zero(&st->sk.sk_refcnt))
		st_tx_go_on(st);
}

/**
 * st_path_left - move the Transfers of a path that does not work any more
 * @path: the path
 * @other: the path that takes over; NULL: no Block is cleared over it
 *
 * Context: under st_sock.lock.
 */
void st_path_left(struct st_path *path, struct st_path *other)
{
	st_tx_leave_path(path->st, path);
	if (other)
		st_rx_leave_path(path->st, path, other);
}
