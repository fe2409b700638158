// SPDX-License-Identifier: GPL-2.0
/*
 * Paths: the links that a Virtual Connection runs over, and the peer's addresses there.
 *
 * The first path is st_sock.paths.first.  A Virtual Connection with more is striped, ST annex B.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "link/link.h"
#include "link/upcall.h"
#include "st_sock.h"

/**
 * st_path_init - initialize an unused path
 * @st: its socket
 * @path: the path
 * @index: its index for st_path_at()
 *
 * Context: any.
 */
void st_path_init(struct st_sock *st, struct st_path *path, unsigned int index)
{
	path->st = st;
	path->index = index;
	INIT_HLIST_NODE(&path->node);
	INIT_HLIST_NODE(&path->mate);
	INIT_LIST_HEAD(&path->paced.wait);
	INIT_LIST_HEAD(&path->paced.holder);
}

/**
 * st_path_at - the path with an index, in use or not
 * @st: the Virtual Connection
 * @index: the index, less than %ST_PATHS_MAX
 *
 * Context: under st->lock.
 * Return: the path; NULL when the Virtual Connection is not striped and has no such path.
 */
struct st_path *st_path_at(struct st_sock *st, unsigned int index)
{
	if (!index)
		return &st->paths.first;
	return st->paths.stripe ? &st->paths.stripe->more[index - 1] : NULL;
}

/**
 * st_path_next - the path after another one
 * @path: the other path
 *
 * Context: under st_sock.lock.
 * Return: the path, in use or not; NULL at the end.
 */
struct st_path *st_path_next(const struct st_path *path)
{
	return path->index < ST_PATHS_MAX - 1 ? st_path_at(path->st, path->index + 1) : NULL;
}

/**
 * st_paths - count the paths of a Virtual Connection
 * @st: the Virtual Connection
 *
 * Context: under st->lock.
 * Return: how many are in use, at least 1.
 */
unsigned int st_paths(const struct st_sock *st)
{
	unsigned int i, n = 1;

	if (!st->paths.stripe)
		return 1;
	for (i = 0; i < ST_PATHS_MAX - 1; i++)
		n += !!st->paths.stripe->more[i].link;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(st_paths);

/**
 * st_path_find - the path over a link to an address
 * @st: the Virtual Connection
 * @link: the link
 * @addr: the address, of st_link.addr_len bytes
 *
 * Context: under st->lock.
 * Return: the path or NULL.
 */
struct st_path *st_path_find(struct st_sock *st, const struct st_link *link, const u8 *addr)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		if (path->link == link && !memcmp(path->addr, addr, link->addr_len))
			return path;
	return NULL;
}

/* Drop the references of a path to its link and route. */
static void st_path_put(struct st_path *path)
{
	if (path->route)
		st_route_put(path->route);
	path->route = NULL;
	if (path->link)
		st_link_put(path->link);
	path->link = NULL;
}

/* Release a path that has been left. */
static void st_path_free(struct st_path *path)
{
	struct st_sock *st = path->st;
	struct sk_buff *skb, *next;

	skb_queue_walk_safe(&st->out.queue, skb, next) {
		if (ST_SKB_CB(skb)->path == path->index) {
			__skb_unlink(skb, &st->out.queue);
			kfree_skb(skb);
		}
	}
	st_link_leave(path);
	/* The addresses of the first path are still queried */
	if (path->index)
		st_path_put(path);
}

/* A free path, by eviction of a silent one if necessary, or NULL. */
static struct st_path *st_path_place(struct st_sock *st)
{
	struct st_path *path, *silent = NULL;
	unsigned int i;

	for (i = 0; i < ST_PATHS_MAX - 1; i++) {
		path = &st->paths.stripe->more[i];
		if (!path->link)
			return path;
		/* When no path works, the main path and those with Blocks still have to stay */
		if (st_path_silent(path) && path != st->paths.main && !path->blocks)
			silent = path;
	}
	if (silent) {
		st_up->path_left(silent, NULL);
		st_path_free(silent);
	}
	return silent;
}

/**
 * st_path_add - add a path to a Virtual Connection
 * @st: the Virtual Connection, with st_sock.paths.stripe
 * @link: the link
 * @addr: the peer's address there
 * @learnt: nobody has asked for it, something came over it
 *
 * Context: under st->lock and RCU.
 * Return: the path, over which nothing is cleared yet; NULL at the limit of paths, or when the link
 * is going away.
 */
struct st_path *st_path_add(struct st_sock *st, struct st_link *link, const u8 *addr,
			    bool learnt)
{
	struct st_path *path = st_path_place(st);

	if (!path || !st_link_get(link))
		return NULL;
	memset(&path->stats, 0, sizeof(path->stats));
	memset(path->addr, 0, sizeof(path->addr));
	memcpy(path->addr, addr, link->addr_len);
	if (st_link_join(link, path, st->bind.admin && !st->vc.peer_hashed && !learnt)) {
		st_link_put(link);
		return NULL;
	}
	st_probe_init(path);
	st_probe_of(path)->learnt = learnt;
	return path;
}

/**
 * st_path_leave - move everything from one path to another
 * @path: the path, which does not work any more
 * @other: the other path
 *
 * Context: under st_sock.lock.
 */
void st_path_leave(struct st_path *path, struct st_path *other)
{
	struct st_sock *st = path->st;

	if (st->paths.main == path)
		st->paths.main = other;
	st_up->path_left(path, other);
}

/**
 * st_path_remove - remove a path whose link is going away
 * @path: the path
 *
 * What was under way over it moves to another path.
 *
 * Context: under st_sock.lock.
 * Return: false when there is no other path, so the Virtual Connection ends.
 */
bool st_path_remove(struct st_path *path)
{
	struct st_sock *st = path->st;
	struct st_path *other, *w;

	if (!st->paths.stripe)
		return false;
	st_probe_of(path)->up = false;
	other = st_stripe_other(st, path);
	/* A path that does not answer now may do so later */
	for (w = &st->paths.first; w; w = st_path_next(w))
		if (other == path && w != path && st_probe_of(w)->known && st_path_works(w))
			other = w;
	if (other == path)
		return false;
	if (st->paths.by == path)
		st->paths.by = NULL;
	st_path_leave(path, other);
	st_path_free(path);
	return true;
}

/**
 * st_paths_pass - give up the turns of all paths
 * @st: the Virtual Connection, which has nothing more to clear
 *
 * Context: under st->lock.
 */
void st_paths_pass(struct st_sock *st)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		st_pace_pass(path);
}

/**
 * st_paths_leave - leave all links at the end of a Virtual Connection
 * @st: the Virtual Connection; its references to links stay until st_paths_put()
 *
 * Context: under st->lock.
 */
void st_paths_leave(struct st_sock *st)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		st_link_leave(path);
}

/**
 * st_paths_put - drop the references of all paths of a socket
 * @st: the socket; its Virtual Connection is over
 *
 * Context: under st->lock, or @st has no other users.
 */
void st_paths_put(struct st_sock *st)
{
	struct st_path *path;

	for (path = &st->paths.first; path; path = st_path_next(path)) {
		st_path_put(path);
		memset(&path->stats, 0, sizeof(path->stats));
	}
	st->paths.main = &st->paths.first;
	st->paths.by = NULL;
	if (st->paths.stripe)
		st->paths.stripe->joined = false;
}

/**
 * st_stripe_best - the best path, except one
 * @st: the Virtual Connection
 * @but: the path to avoid
 *
 * Context: under st->lock.
 * Return: the working path with the fewest Blocks, or @but if there is none.
 */
struct st_path *st_stripe_best(struct st_sock *st, struct st_path *but)
{
	struct st_path *best = NULL, *path;

	for (path = &st->paths.first; path; path = st_path_next(path))
		if (path != but && st_path_usable(path) && (!best || path->blocks < best->blocks))
			best = path;
	return best ?: but;
}

/**
 * st_stripe_other - the path to use instead of the present one, if necessary
 * @st: the Virtual Connection
 * @path: the present path
 *
 * Context: under st->lock.
 * Return: @path if it works or if no other does, else the working path with the fewest Blocks.
 */
struct st_path *st_stripe_other(struct st_sock *st, struct st_path *path)
{
	return !st->paths.stripe || st_path_usable(path) ? path : st_stripe_best(st, path);
}
