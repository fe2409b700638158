/* SPDX-License-Identifier: GPL-2.0 */
/* Routes: connections that an LLP with st_llp_ops.connect() sets up before it can send. */
#ifndef _NET_ST_ROUTE_H
#define _NET_ST_ROUTE_H

#include <linux/jiffies.h>
#include <linux/refcount.h>
#include <linux/rhashtable.h>
#include <linux/workqueue.h>
#include <net/st_llp.h>

struct st_link_core;
struct st_path;

#define ST_ROUTES_MAX	4096		/* of a link; 1/ST_RESERVE is for administrators */
#define ST_ROUTE_IDLE	(30 * HZ)	/* how long the LLP keeps an unused route */
#define ST_ROUTE_AGAIN	(HZ / 2)	/* least time between two connect() calls for a route */

/**
 * enum st_route_state - state of a route
 * @ST_ROUTE_DOWN: not up, and no setup is requested
 * @ST_ROUTE_WANTED: connect() is about to be called
 * @ST_ROUTE_CONNECTING: connect() has been called
 * @ST_ROUTE_UP: operations can be sent
 * @ST_ROUTE_ENDING: disconnect() is about to be called, or has been called
 */
enum st_route_state {
	ST_ROUTE_DOWN,
	ST_ROUTE_WANTED,
	ST_ROUTE_CONNECTING,
	ST_ROUTE_UP,
	ST_ROUTE_ENDING,
};

/**
 * struct st_route_core - a route, with the part that the LLP does not see
 * @route: the part that the LLP sees
 * @node: in the hash table of routes, by link and address
 * @list: in st_link_core.routes or idle_routes
 * @refcnt: one reference of the table, one of every path and of every st_route_get()
 * @state: enum st_route_state; written under st_link_core.lock, read under RCU
 * @told: the LLP knows the route, so disconnect() has to be called
 * @again: the route is wanted again while it is ending
 * @err: negative errno of its failure; 0: none
 * @users: number of paths that run over it
 * @paths: these paths, except those in @failed
 * @failed: paths that are yet to be notified of its failure
 * @idle_since: jiffies since when there are no @users
 * @asked_at: jiffies of the last connect() call
 * @work: calls the LLP
 * @rcu: frees it after a grace period
 *
 * All from @state to @asked_at is protected by st_link_core.lock.
 */
struct st_route_core {
	struct st_route		route;
	struct rhash_head	node;
	struct list_head	list;
	refcount_t		refcnt;
	u8			state;
	bool			told;
	bool			again;
	int			err;
	unsigned int		users;
	struct hlist_head	paths;
	struct hlist_head	failed;
	unsigned long		idle_since;
	unsigned long		asked_at;
	struct delayed_work	work;
	struct rcu_head		rcu;
};

#define st_route_core(r)	container_of_const(r, struct st_route_core, route)

/**
 * st_route_is_up - whether operations can be sent over a route
 * @route: the route
 *
 * Context: any, with a reference or under RCU.
 * Return: false during its setup, and after its loss.
 */
static inline bool st_route_is_up(const struct st_route *route)
{
	/* Pairs with st_route_set(): what the LLP has written before is visible */
	return smp_load_acquire(&st_route_core(route)->state) == ST_ROUTE_UP;
}

/* link/route.c */
int st_routes_init(void);
void st_routes_exit(void);
struct st_route *st_route_find(struct st_link *link, const u8 *addr);
int st_route_join(struct st_link_core *core, struct st_path *path, bool admin);
void st_route_leave(struct st_link_core *core, struct st_path *path);
void st_route_want(struct st_route *route);
bool st_route_rests(const struct st_route *route);
void st_routes_end(struct st_link_core *core);

#endif
