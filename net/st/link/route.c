// SPDX-License-Identifier: GPL-2.0
/*
 * Routes: a link and a peer's address, of an LLP that has to connect the two before it can send.
 *
 * A route is shared by all Virtual Connections between the two.  The LLP is only called by the work
 * of the route, or, after that has stopped, when the link ends, so its calls for one route never
 * overlap.  Its reports may come at any time, before the call returns or much later.
 *
 * An unused route stays for a while: another Virtual Connection may follow soon, and the last
 * operations of the previous one are still under way.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/path.h"
#include "link/link.h"
#include "link/route.h"
#include "link/upcall.h"

/* Key: link and address, which are adjacent */
static const struct rhashtable_params st_route_params = {
	.head_offset		= offsetof(struct st_route_core, node),
	.key_offset		= offsetof(struct st_route_core, route),
	.key_len		= offsetofend(struct st_route, addr),
	.automatic_shrinking	= true,
};

static_assert(offsetof(struct st_route, addr) == sizeof(struct st_link *));

/* Routes that the LLPs are called for at a time; the end of one waits for synchronize_net() */
#define ST_ROUTE_WORKS	16

static struct rhashtable st_routes;
static struct workqueue_struct *st_route_wq;

/**
 * st_routes_init - set up the table of routes when the module is loaded
 *
 * Return: 0 or -ENOMEM.
 */
int st_routes_init(void)
{
	int err;

	st_route_wq = alloc_workqueue("st_route", WQ_UNBOUND, ST_ROUTE_WORKS);
	if (!st_route_wq)
		return -ENOMEM;
	err = rhashtable_init(&st_routes, &st_route_params);
	if (err)
		destroy_workqueue(st_route_wq);
	return err;
}

/**
 * st_routes_exit - undo st_routes_init(); no link is left
 */
void st_routes_exit(void)
{
	destroy_workqueue(st_route_wq);
	rhashtable_destroy(&st_routes);
}

static struct st_link_core *st_route_link(const struct st_route_core *r)
{
	return st_link_core(r->route.link);
}

static void st_route_set(struct st_route_core *r, enum st_route_state state)
{
	lockdep_assert_held(&st_route_link(r)->lock);
	/* Pairs with st_route_is_up() */
	smp_store_release(&r->state, state);
}

/* Jiffies left of @wait, counted from @from, which may be long ago. */
static unsigned long st_route_left(unsigned long from, unsigned long wait)
{
	unsigned long gone = jiffies - from;

	return gone < wait ? wait - gone : 0;
}

/* Queue the work if it has something to do. */
static void st_route_plan(struct st_route_core *r)
{
	struct st_link_core *core = st_route_link(r);
	unsigned long wait = 0;

	lockdep_assert_held(&core->lock);
	/* Then st_routes_end() does its job */
	if (core->dead)
		return;
	switch (r->state) {
	case ST_ROUTE_ENDING:
		break;
	case ST_ROUTE_WANTED:
		wait = st_route_left(r->asked_at, ST_ROUTE_AGAIN);
		break;
	default:
		if (r->users)
			return;
		if (r->told)
			wait = st_route_left(r->idle_since, ST_ROUTE_IDLE);
	}
	mod_delayed_work(st_route_wq, &r->work, wait);
}

/* Request the setup of a route that is not up. */
static void st_route_wanted(struct st_route_core *r)
{
	if (r->state == ST_ROUTE_ENDING)
		r->again = true;
	else if (r->state == ST_ROUTE_DOWN)
		st_route_set(r, ST_ROUTE_WANTED);
	st_route_plan(r);
}

static void st_route_work(struct work_struct *work);

static struct st_route_core *st_route_new(struct st_link *link, const u8 *addr, gfp_t gfp)
{
	struct st_route_core *r = kzalloc(sizeof(*r), gfp | __GFP_NOWARN);

	if (!r)
		return NULL;
	r->route.link = link;
	memcpy(r->route.addr, addr, link->addr_len);
	refcount_set(&r->refcnt, 1);
	INIT_HLIST_HEAD(&r->paths);
	INIT_HLIST_HEAD(&r->failed);
	r->idle_since = jiffies;
	r->asked_at = jiffies - ST_ROUTE_AGAIN;
	INIT_DELAYED_WORK(&r->work, st_route_work);
	return r;
}

/* Have the LLP forget a route. */
static void st_route_ending(struct st_route_core *r)
{
	st_route_set(r, ST_ROUTE_ENDING);
	list_move_tail(&r->list, &st_route_link(r)->routes);
}

/* Make room for one more route.  Return: 0, or -ENOBUFS, which is counted. */
static int st_route_room(struct st_link_core *core, bool admin)
{
	struct st_route_core *r;

	lockdep_assert_held(&core->lock);
	/* Early, as the LLP needs time to forget one */
	if (core->nr_routes >= ST_ROUTES_MAX / 2) {
		r = list_first_entry_or_null(&core->idle_routes, struct st_route_core, list);
		if (r) {
			st_route_ending(r);
			st_route_plan(r);
		}
	}
	if (core->nr_routes < st_share(ST_ROUTES_MAX, admin))
		return 0;
	atomic64_inc(&st_pernet(core->link.net)->drops[ST_DROP_ROUTES]);
	return -ENOBUFS;
}

/* Make the route visible; it has no user yet.  Return: 0 or a negative errno. */
static int st_route_publish(struct st_route_core *r, bool admin)
{
	struct st_link_core *core = st_route_link(r);
	int err;

	lockdep_assert_held(&core->lock);
	err = st_route_room(core, admin);
	if (err)
		return err;
	err = rhashtable_insert_fast(&st_routes, &r->node, st_route_params);
	if (err)
		return -ENOMEM;
	list_add_tail(&r->list, &core->idle_routes);
	WRITE_ONCE(core->nr_routes, core->nr_routes + 1);
	return 0;
}

/* Remove a route that the LLP does not know any more. */
static void st_route_remove(struct st_route_core *r)
{
	struct st_link_core *core = st_route_link(r);

	lockdep_assert_held(&core->lock);
	rhashtable_remove_fast(&st_routes, &r->node, st_route_params);
	list_del(&r->list);
	WRITE_ONCE(core->nr_routes, core->nr_routes - 1);
	/* It may be queued again while it runs */
	cancel_delayed_work(&r->work);
	st_route_put(&r->route);
}

/**
 * st_route_find - the route to an address
 * @link: the link
 * @addr: the address, st_link.addr_len bytes
 *
 * Context: under RCU, or under st_link_core.lock.
 * Return: the route, up or not, or NULL.
 */
struct st_route *st_route_find(struct st_link *link, const u8 *addr)
{
	struct st_route key = { .link = link };
	struct st_route_core *r;

	if (!READ_ONCE(st_link_core(link)->nr_routes))
		return NULL;
	memcpy(key.addr, addr, link->addr_len);
	r = rhashtable_lookup_fast(&st_routes, &key, st_route_params);
	return r ? &r->route : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_route_find);

/**
 * st_route_join - run a Virtual Connection over the route to an address
 * @core: the link, not dead
 * @path: path of the Virtual Connection, with an address and without a route
 * @admin: an administrator of this end has asked for it, and not the peer
 *
 * Without effect if the LLP does not connect.  @path gets a reference, until st_path_put().
 *
 * Context: under st_sock.lock and @core->lock.
 * Return: 0, -ENOMEM, or -ENOBUFS when the link has its limit of routes.
 */
int st_route_join(struct st_link_core *core, struct st_path *path, bool admin)
{
	struct st_link *link = &core->link;
	struct st_route_core *r;
	struct st_route *route;
	int err;

	lockdep_assert_held(&core->lock);
	if (!link->llp->ops->connect)
		return 0;
	route = st_route_find(link, path->addr);
	if (route) {
		r = st_route_core(route);
	} else {
		r = st_route_new(link, path->addr, GFP_ATOMIC);
		if (!r)
			return -ENOMEM;
		err = st_route_publish(r, admin);
		if (err) {
			kfree(r);
			return err;
		}
	}
	refcount_inc(&r->refcnt);
	r->users++;
	list_move_tail(&r->list, &core->routes);
	hlist_add_head(&path->mate, &r->paths);
	path->route = &r->route;
	if (r->state != ST_ROUTE_UP)
		st_route_wanted(r);
	return 0;
}

/**
 * st_route_leave - stop running a Virtual Connection over its route
 * @core: the link
 * @path: path of the Virtual Connection; its reference stays
 *
 * Context: under st_sock.lock and @core->lock.
 */
void st_route_leave(struct st_link_core *core, struct st_path *path)
{
	struct st_route_core *r;

	lockdep_assert_held(&core->lock);
	if (!path->route)
		return;
	r = st_route_core(path->route);
	hlist_del_init(&path->mate);
	if (--r->users)
		return;
	r->idle_since = jiffies;
	if (r->state == ST_ROUTE_WANTED)
		st_route_set(r, ST_ROUTE_DOWN);
	if (r->state != ST_ROUTE_ENDING)
		list_move_tail(&r->list, &core->idle_routes);
	st_route_plan(r);
}

/**
 * st_route_want - request a new setup of a failed route
 * @route: the route, in use
 *
 * Context: under st_sock.lock.
 */
void st_route_want(struct st_route *route)
{
	struct st_link_core *core = st_link_core(route->link);

	spin_lock_bh(&core->lock);
	st_route_wanted(st_route_core(route));
	spin_unlock_bh(&core->lock);
}

/**
 * st_route_rests - whether a route in use has failed, and its setup is not requested
 * @route: the route
 *
 * Context: any, with a reference.
 * Return: true until st_route_want().
 */
bool st_route_rests(const struct st_route *route)
{
	u8 state = READ_ONCE(st_route_core(route)->state);

	return state == ST_ROUTE_DOWN || state == ST_ROUTE_ENDING;
}

/* Forget a route that has failed or is unused.  Users of a lost route do not wait here. */
static void st_route_end(struct st_route_core *r)
{
	struct st_link_core *core = st_route_link(r);

	if (r->err)
		st_up->route_failed(&r->route, -r->err);
	if (r->told) {
		/* No st_llp_ops.xmit() over the route runs any more */
		synchronize_net();
		core->link.llp->ops->disconnect(&r->route);
	}
	spin_lock_bh(&core->lock);
	r->told = false;
	r->err = 0;
	r->route.priv = NULL;
	if (core->dead) {
		/* st_routes_end() removes it */
	} else if (!r->users) {
		st_route_remove(r);
	} else {
		/*
		 * Its users are paths that rest until st_route_want(), or that have joined
		 * meanwhile
		 */
		st_route_set(r, r->again ? ST_ROUTE_WANTED : ST_ROUTE_DOWN);
		r->again = false;
		st_route_plan(r);
	}
	spin_unlock_bh(&core->lock);
}

static bool st_route_idle(const struct st_route_core *r)
{
	return !r->users && (!r->told || !st_route_left(r->idle_since, ST_ROUTE_IDLE));
}

static void st_route_work(struct work_struct *work)
{
	struct st_route_core *r = container_of(to_delayed_work(work), struct st_route_core, work);
	struct st_link_core *core = st_route_link(r);
	bool connect = false, end = false;
	int err;

	spin_lock_bh(&core->lock);
	if (!core->dead && r->state == ST_ROUTE_WANTED) {
		connect = true;
		r->told = true;
		r->asked_at = jiffies;
		st_route_set(r, ST_ROUTE_CONNECTING);
	} else if (!core->dead && (r->state == ST_ROUTE_ENDING || st_route_idle(r))) {
		end = true;
		st_route_ending(r);
	} else {
		/* It may be too early */
		st_route_plan(r);
	}
	spin_unlock_bh(&core->lock);
	if (end)
		st_route_end(r);
	if (!connect)
		return;
	err = core->link.llp->ops->connect(&r->route);
	if (err)
		st_route_failed(&r->route, err);
}

/* A route of an ended link, with its work stopped; or NULL. */
static struct st_route_core *st_route_last(struct st_link_core *core)
{
	struct st_route_core *r;

	spin_lock_bh(&core->lock);
	r = list_first_entry_or_null(&core->routes, struct st_route_core, list);
	spin_unlock_bh(&core->lock);
	if (r)
		cancel_delayed_work_sync(&r->work);
	return r;
}

/**
 * st_routes_end - end all routes of an ended link
 * @core: the link, which is dead; the LLP still knows it
 *
 * Context: process, may sleep.
 */
void st_routes_end(struct st_link_core *core)
{
	struct st_route_core *r;
	bool none;

	might_sleep();
	spin_lock_bh(&core->lock);
	WARN_ON(!core->dead);
	list_splice_init(&core->idle_routes, &core->routes);
	list_for_each_entry(r, &core->routes, list)
		st_route_set(r, ST_ROUTE_ENDING);
	none = list_empty(&core->routes);
	spin_unlock_bh(&core->lock);
	if (none)
		return;
	/* No st_llp_ops.xmit() over any of them runs any more */
	synchronize_net();
	while ((r = st_route_last(core))) {
		if (r->told)
			core->link.llp->ops->disconnect(&r->route);
		spin_lock_bh(&core->lock);
		r->told = false;
		st_route_remove(r);
		spin_unlock_bh(&core->lock);
	}
}

/**
 * st_route_get - report that a peer has connected to this end
 * @link: the link, visible
 * @addr: the peer's address, st_link.addr_len bytes
 * @priv: value for st_route.priv, unless the LLP knows the route already
 * @gfp: allocation flags
 *
 * A route that the LLP does not know is up at once.  A known route stays unchanged, with its priv:
 * both ends have connected at the same time, or the peer has connected again before the LLP knew
 * that the previous connection was lost.  The LLP chooses which connection it keeps, and calls
 * st_route_up().  The priv is NULL when st_llp_ops.connect() has not set it yet.
 *
 * Context: any but hard interrupt, with interrupts enabled.
 * Return: the route, with a reference to be dropped with st_route_put(), at the latest in
 * st_llp_ops.disconnect(); NULL without memory, at the limit of routes, or when the link or
 * the route is ending: the LLP then ignores the peer, or tells it to try again.
 */
struct st_route *st_route_get(struct st_link *link, const u8 *addr, void *priv, gfp_t gfp)
{
	struct st_route_core *fresh = st_route_new(link, addr, gfp), *r = NULL;
	struct st_link_core *core = st_link_core(link);
	struct st_route *route;

	lockdep_assert_irqs_enabled();
	spin_lock_bh(&core->lock);
	route = core->dead ? NULL : st_route_find(link, addr);
	if (route) {
		r = st_route_core(route);
	} else if (fresh && !core->dead && !st_route_publish(fresh, false)) {
		r = fresh;
		fresh = NULL;
	}
	if (r && r->state == ST_ROUTE_ENDING)
		r = NULL;
	if (r) {
		refcount_inc(&r->refcnt);
		if (!r->told) {
			r->told = true;
			r->idle_since = jiffies;
			r->route.priv = priv;
			st_route_set(r, ST_ROUTE_UP);
			st_up->route_changed(&r->route);
			st_route_plan(r);
		}
	}
	spin_unlock_bh(&core->lock);
	kfree(fresh);
	return r ? &r->route : NULL;
}
EXPORT_SYMBOL_GPL(st_route_get);

/**
 * st_route_put - drop a reference to a route
 * @route: the route
 *
 * Context: any.
 */
void st_route_put(struct st_route *route)
{
	struct st_route_core *r = st_route_core(route);

	if (refcount_dec_and_test(&r->refcnt))
		kfree_rcu(r, rcu);
}
EXPORT_SYMBOL_GPL(st_route_put);

/**
 * st_route_up - report that operations can be sent over a route
 * @route: the route, between st_llp_ops.connect() or st_route_get() and the return of
 *	st_llp_ops.disconnect()
 *
 * Context: any but hard interrupt, with interrupts enabled.
 */
void st_route_up(struct st_route *route)
{
	struct st_link_core *core = st_link_core(route->link);
	struct st_route_core *r = st_route_core(route);

	lockdep_assert_irqs_enabled();
	spin_lock_bh(&core->lock);
	if (r->told && r->state != ST_ROUTE_ENDING && r->state != ST_ROUTE_UP) {
		st_route_set(r, ST_ROUTE_UP);
		st_up->route_changed(route);
		st_route_plan(r);
	}
	spin_unlock_bh(&core->lock);
}
EXPORT_SYMBOL_GPL(st_route_up);

/**
 * st_route_lost - report that operations cannot be sent over a route any more
 * @route: the route, as in st_route_up(); or one whose setup has to start again
 *
 * Operations are dropped and counted until st_route_up().  While the route is in use,
 * st_llp_ops.connect() is called for it again, no sooner than half a second after the last call.
 *
 * Context: any but hard interrupt, with interrupts enabled.
 */
void st_route_lost(struct st_route *route)
{
	struct st_link_core *core = st_link_core(route->link);
	struct st_route_core *r = st_route_core(route);

	lockdep_assert_irqs_enabled();
	spin_lock_bh(&core->lock);
	if (r->told && (r->state == ST_ROUTE_UP || r->state == ST_ROUTE_CONNECTING)) {
		st_route_set(r, r->users ? ST_ROUTE_WANTED : ST_ROUTE_DOWN);
		st_up->route_changed(route);
		st_route_plan(r);
	}
	spin_unlock_bh(&core->lock);
}
EXPORT_SYMBOL_GPL(st_route_lost);

/**
 * st_route_failed - report that the setup of a route has failed, or that the route has ended for
 *	good
 * @route: the route, as in st_route_up()
 * @err: negative errno for its users
 *
 * Virtual Connections without another path fail with @err. st_llp_ops.disconnect() is called soon,
 * and perhaps st_llp_ops.connect() after that, as for a new route.
 *
 * Context: any but hard interrupt, with interrupts enabled.
 */
void st_route_failed(struct st_route *route, int err)
{
	struct st_link_core *core = st_link_core(route->link);
	struct st_route_core *r = st_route_core(route);

	lockdep_assert_irqs_enabled();
	spin_lock_bh(&core->lock);
	if (r->told && r->state != ST_ROUTE_ENDING) {
		r->err = WARN_ON_ONCE(err >= 0) ? -EIO : err;
		/* Not whoever comes later */
		hlist_move_list(&r->paths, &r->failed);
		st_route_ending(r);
		st_route_plan(r);
	}
	spin_unlock_bh(&core->lock);
}
EXPORT_SYMBOL_GPL(st_route_failed);
