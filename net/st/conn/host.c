// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts: limits for all Virtual Connections with one remote address together, so that
 * one peer leaves something for others, and for all hosts together.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "conn/host.h"
#include "st_sock.h"

/* Small allocations are charged in steps, to touch the shared counters less often */
#define ST_HOST_STEP	2048

static const struct rhashtable_params st_host_params = {
	.head_offset		= offsetof(struct st_host, node),
	.key_offset		= offsetof(struct st_host, key),
	.key_len		= sizeof_field(struct st_host, key),
	.automatic_shrinking	= true,
};

/* The host at an address, created if necessary, or NULL without memory. */
static struct st_host *st_host_find(struct st_net *sn, const struct st_host_key *key)
{
	struct st_host *host = rhashtable_lookup_fast(&sn->hosts, key, st_host_params);

	lockdep_assert_held(&sn->host_lock);
	if (host)
		return host;
	host = kzalloc(sizeof(*host), GFP_ATOMIC | __GFP_NOWARN);
	if (!host)
		return NULL;
	host->key = *key;
	if (rhashtable_insert_fast(&sn->hosts, &host->node, st_host_params)) {
		kfree(host);
		return NULL;
	}
	return host;
}

static void st_host_unref(struct st_net *sn, struct st_host *host)
{
	lockdep_assert_held(&sn->host_lock);
	if (--host->refcnt)
		return;
	rhashtable_remove_fast(&sn->hosts, &host->node, st_host_params);
	kfree(host);
}

/* Return: 0, or -ENOBUFS at a limit, which is counted. */
static int st_host_room(struct st_net *sn, const struct st_host *host, bool admin)
{
	enum st_drop refused;

	lockdep_assert_held(&sn->host_lock);
	if (sn->connections >= st_share(READ_ONCE(sn->max_connections), admin))
		refused = ST_DROP_CONNECTIONS;
	else if (host->connections >= READ_ONCE(sn->max_connections_peer))
		refused = ST_DROP_PEER_CONNECTIONS;
	else
		return 0;
	atomic64_inc(&sn->drops[refused]);
	return -ENOBUFS;
}

/**
 * st_host_join - count a new Virtual Connection
 * @st: the Virtual Connection, with its peer's address; not yet counted
 *
 * Context: under st->lock.
 * Return: 0, -ENOMEM, or -ENOBUFS at the limit of the namespace or of the host.  Without
 * st_sock.bind.admin the reserve of the namespace is out of reach.
 */
int st_host_join(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);
	struct st_host_key key = { .ifindex = st->vc.peer.ifindex, .llp = st->vc.peer.llp };
	struct st_host *host;
	int err = -ENOMEM;

	memcpy(key.addr, st->vc.peer.addr, sizeof(key.addr));
	spin_lock_bh(&sn->host_lock);
	host = st_host_find(sn, &key);
	if (host) {
		host->refcnt++;
		err = st_host_room(sn, host, st->bind.admin);
		if (err) {
			st_host_unref(sn, host);
		} else {
			host->connections++;
			sn->connections++;
			st->vc.host = host;
		}
	}
	spin_unlock_bh(&sn->host_lock);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(st_host_join);

/**
 * st_host_leave - stop counting a Virtual Connection
 * @st: the Virtual Connection, counted; may still have memory charged
 *
 * Context: under st->lock.
 */
void st_host_leave(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);

	spin_lock_bh(&sn->host_lock);
	st->vc.host->connections--;
	sn->connections--;
	spin_unlock_bh(&sn->host_lock);
}
EXPORT_SYMBOL_IF_KUNIT(st_host_leave);

/**
 * st_host_put - release the host of a socket
 * @st: the socket, no longer counted, with no memory charged
 *
 * Context: any but hard interrupt; under st->lock, or @st has no other users.
 */
void st_host_put(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);

	if (!st->vc.host)
		return;
	spin_lock_bh(&sn->host_lock);
	st_host_unref(sn, st->vc.host);
	spin_unlock_bh(&sn->host_lock);
	st->vc.host = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_host_put);

static void st_host_give(struct st_sock *st, u64 bytes)
{
	atomic64_sub(bytes, &st->vc.host->mem);
	atomic64_sub(bytes, &st_net_of(st)->memory);
}

/*
 * Data may use all of a limit, everything else an eighth more: so a peer with much unread data
 * can still announce what it wants to send, and wait for its turn.
 */
static bool st_host_over(u64 now, u64 limit, bool data)
{
	return now > limit && (data || now - limit > limit / ST_RESERVE);
}

/* Return: false at a limit, which is counted. */
static bool st_host_take(struct st_sock *st, u64 bytes, bool data)
{
	struct st_net *sn = st_net_of(st);
	u64 all = atomic64_add_return(bytes, &sn->memory);
	u64 host = atomic64_add_return(bytes, &st->vc.host->mem);

	if (st_host_over(host, READ_ONCE(sn->max_memory_peer), data))
		atomic64_inc(&sn->drops[ST_DROP_PEER_MEMORY]);
	else if (st_host_over(all, READ_ONCE(sn->max_memory), data))
		atomic64_inc(&sn->drops[ST_DROP_MEMORY]);
	else
		return true;
	st_host_give(st, bytes);
	return false;
}

/**
 * st_host_charge - charge memory for received data
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock.
 * Return: false at the limit of the host or of the namespace.
 */
bool st_host_charge(struct st_sock *st, u64 bytes)
{
	if (!st_host_take(st, bytes, true))
		return false;
	st->dest.mem += bytes;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(st_host_charge);

/**
 * st_host_uncharge - undo st_host_charge()
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock, or @st has no other users.
 */
void st_host_uncharge(struct st_sock *st, u64 bytes)
{
	st->dest.mem -= bytes;
	st_host_give(st, bytes);
}
EXPORT_SYMBOL_IF_KUNIT(st_host_uncharge);

/**
 * st_host_keep - charge memory for state that operations of the peer create
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * As st_host_charge(), but not part of SO_RCVBUF, and with limits that are an eighth higher.
 *
 * Context: under st->lock.
 * Return: false at the limit of the host or of the namespace.
 */
bool st_host_keep(struct st_sock *st, u32 bytes)
{
	u32 step = max(bytes, ST_HOST_STEP);

	if (st->dest.kept + bytes > st->dest.kept_charged) {
		if (!st_host_take(st, step, false))
			return false;
		st->dest.kept_charged += step;
	}
	st->dest.kept += bytes;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(st_host_keep);

/**
 * st_host_forget - undo st_host_keep()
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock, or @st has no other users.
 */
void st_host_forget(struct st_sock *st, u32 bytes)
{
	u32 spare;

	st->dest.kept -= bytes;
	spare = st->dest.kept_charged - st->dest.kept;
	if (st->dest.kept) {
		if (spare < 2 * ST_HOST_STEP)
			return;
		spare -= ST_HOST_STEP;
	}
	st_host_give(st, spare);
	st->dest.kept_charged -= spare;
}
EXPORT_SYMBOL_IF_KUNIT(st_host_forget);

/**
 * st_host_init - set up the table of hosts of a new namespace
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int st_host_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	spin_lock_init(&sn->host_lock);
	return rhashtable_init(&sn->hosts, &st_host_params);
}

/**
 * st_host_exit - undo st_host_init()
 * @net: the namespace, without sockets
 */
void st_host_exit(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	WARN_ON(sn->connections || atomic64_read(&sn->memory));
	rhashtable_destroy(&sn->hosts);
}

/**
 * st_peer_kzalloc - zeroed memory charged to the memory cgroup of a socket
 * @st: the socket
 * @size: bytes
 * @gfp: allocation flags, with __GFP_ACCOUNT
 *
 * Context: as @gfp allows.
 * Return: the memory, or NULL without memory or at the limit of the cgroup.
 */
void *st_peer_kzalloc(struct st_sock *st, size_t size, gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(mem_cgroup_from_sk(&st->sk));
	void *p = kzalloc(size, gfp);

	set_active_memcg(before);
	return p;
}

/**
 * st_peer_alloc - zeroed memory for state that an operation of the peer creates
 * @st: the Virtual Connection
 * @size: bytes
 *
 * Context: under st->lock.
 * Return: the memory, for st_peer_free(), or NULL without memory or at a limit of
 * st_host_keep(), which is counted.
 */
void *st_peer_alloc(struct st_sock *st, size_t size)
{
	void *p;

	if (!st_host_keep(st, size))
		return NULL;
	p = st_peer_kzalloc(st, size, ST_PEER_GFP);
	if (!p) {
		st_host_forget(st, size);
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
	}
	return p;
}

/**
 * st_peer_free - free memory of st_peer_alloc()
 * @st: the Virtual Connection
 * @p: the memory, or NULL
 * @size: its size, as allocated
 *
 * Context: under st->lock, or @st has no other users.
 */
void st_peer_free(struct st_sock *st, void *p, size_t size)
{
	if (!p)
		return;
	kfree(p);
	st_host_forget(st, size);
}

/**
 * st_peer_skb - an skb charged to the memory cgroup of a socket
 * @st: the socket
 * @len: bytes
 *
 * Context: any but hard interrupt.
 * Return: the skb or NULL.
 */
struct sk_buff *st_peer_skb(struct st_sock *st, unsigned int len)
{
	struct mem_cgroup *before = set_active_memcg(mem_cgroup_from_sk(&st->sk));
	struct sk_buff *skb = alloc_skb(len, ST_PEER_GFP);

	set_active_memcg(before);
	return skb;
}
