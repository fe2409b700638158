// SPDX-License-Identifier: GPL-2.0
/*
 * The paths that a Virtual Connection runs over, ST annex B.1.
 *
 * Further addresses of the peer are set by the application or the administrator, or learnt from
 * operations that come from there with the right Key.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "conn/host.h"
#include "link/link.h"
#include "st_sock.h"

/* For st_stripe_begin(); NULL without memory. */
static struct st_stripe *st_stripe_new(struct st_sock *st, gfp_t gfp)
{
	struct st_stripe *stripe = st_peer_kzalloc(st, sizeof(*stripe), gfp);
	unsigned int i;

	for (i = 0; stripe && i < ST_PATHS_MAX - 1; i++)
		st_path_init(st, &stripe->more[i], i + 1);
	return stripe;
}

static void st_stripe_begin(struct st_sock *st, struct st_stripe *stripe)
{
	st_assert_locked(st);
	st->paths.stripe = stripe;
	st_probe_init(&st->paths.first);
	stripe->probe[0].up = true;
	stripe->probe[0].known = true;
}

/**
 * st_stripe_alloc - allow a socket several paths
 * @st: the socket, with no Virtual Connection
 * @gfp: how to allocate
 *
 * Context: under lock_sock(), or before the socket is known to others.
 * Return: 0 or -ENOMEM.
 */
int st_stripe_alloc(struct st_sock *st, gfp_t gfp)
{
	struct st_stripe *stripe;

	if (st->paths.stripe)
		return 0;
	stripe = st_stripe_new(st, gfp);
	if (!stripe)
		return -ENOMEM;
	spin_lock_bh(&st->lock);
	st_stripe_begin(st, stripe);
	spin_unlock_bh(&st->lock);
	return 0;
}

/**
 * st_stripe_link - the link that an address names
 * @st: the socket; its binding limits the choice
 * @to: the address
 *
 * Context: under RCU.
 * Return: the link or NULL.
 */
struct st_link *st_stripe_link(const struct st_sock *st, const struct sockaddr_st *to)
{
	struct st_link_core *core;
	struct st_link *link;

	list_for_each_entry_rcu(core, &st_net_of(st)->links, list) {
		link = &core->link;
		if (link->dev->ifindex == to->sst_ifindex &&
		    (!to->sst_llp || core->type == to->sst_llp) &&
		    link->addr_len == to->sst_alen && st_link_bound(link, st))
			return link;
	}
	return NULL;
}

/* Under RCU. */
static void st_stripe_path(struct st_sock *st, const struct sockaddr_st *to)
{
	struct st_link *link = st_stripe_link(st, to);

	st_assert_locked(st);
	if (link && !st_path_find(st, link, to->sst_addr))
		st_path_add(st, link, to->sst_addr, false);
}

/* Whether a Virtual Connection was set up with an address. */
static bool st_stripe_first(const struct st_sock *st, const struct sockaddr_st *end)
{
	const struct st_path *first = &st->paths.first;

	return end->sst_ifindex == st->vc.peer.ifindex &&
	       end->sst_llp == st_link_core(first->link)->type &&
	       !memcmp(end->sst_addr, first->addr, first->link->addr_len);
}

/* The host that the administrator has assigned the peer's address to, or 0; under RCU. */
static u64 st_stripe_host(const struct st_sock *st)
{
	const struct st_stripe_addr *sa;

	list_for_each_entry_rcu(sa, &st_net_of(st)->stripe_addrs, list)
		if (st_stripe_first(st, &sa->addr))
			return sa->host;
	return 0;
}

/* Whether a Virtual Connection can have several paths now; without memory it can't.  Under RCU. */
static bool st_stripe_ready(struct st_sock *st)
{
	struct st_stripe *stripe;

	st_assert_locked(st);
	if (st->paths.stripe)
		return true;
	stripe = st_stripe_new(st, ST_PEER_GFP);
	if (stripe)
		st_stripe_begin(st, stripe);
	else
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
	return stripe;
}

/**
 * st_stripe_join - add the configured paths
 * @st: the Virtual Connection, just set up
 *
 * These are the paths of the application, where the device exists, and of the administrator.
 * Both ends have to take Blocks in any order, ST B.1.  st_paths_check() probes the new paths.
 *
 * Context: under st->lock.
 */
void st_stripe_join(struct st_sock *st)
{
	const struct st_stripe_addr *sa;
	unsigned int i;
	u64 host;

	if (!st->vc.out_of_order)
		return;
	rcu_read_lock();
	host = st_stripe_host(st);
	if ((!st->paths.stripe && !host) || !st_stripe_ready(st)) {
		rcu_read_unlock();
		return;
	}
	for (i = 0; i < st->paths.stripe->nr_asked; i++)
		st_stripe_path(st, &st->paths.stripe->asked[i]);
	list_for_each_entry_rcu(sa, &st_net_of(st)->stripe_addrs, list)
		if (sa->host == host)
			st_stripe_path(st, &sa->addr);
	rcu_read_unlock();
	st->paths.stripe->joined = true;
}

/**
 * st_stripe_learn - add the path of an operation from an unknown address
 * @st: the Virtual Connection that its Key and Ports belong to
 * @link: the link it arrived on
 * @addr: its sender
 *
 * ST B.1: the address of a Port may change; all its addresses belong to one host, though.
 *
 * Context: under st->lock and RCU.
 * Return: the new path, or NULL where none may be learnt.
 */
struct st_path *st_stripe_learn(struct st_sock *st, struct st_link *link, const u8 *addr)
{
	struct st_path *path;

	if (!st->paths.stripe || !st->paths.stripe->joined || st->sk.sk_state != ST_ESTABLISHED ||
	    !st_link_bound(link, st) || !st_link_addr_ok(link, addr))
		return NULL;
	path = st_path_add(st, link, addr, true);
	if (!path)
		return NULL;
	st_timer_at(st, jiffies);
	return path;
}
EXPORT_SYMBOL_IF_KUNIT(st_stripe_learn);

/**
 * st_rcv_match - whether an operation belongs to a Virtual Connection, ST 5.2.1, 5.2.2
 * @st: the Virtual Connection selected by its Key
 * @op: the operation
 *
 * Context: under st->lock.
 * Return: true when the Ports are those of the connection.
 */
bool st_rcv_match(const struct st_sock *st, const struct st_op *op)
{
	bool first = st->sk.sk_state == ST_CONNECTING &&
		     (op->op == ST_OP_CONNECTION_ANSWER || op->op == ST_OP_REQUEST_DISCONNECT);

	return st->vc.hashed && op->d_key == st->vc.local_key && op->d_port == st->bind.port->num &&
	       (op->s_port == st->vc.peer.port || first);
}
