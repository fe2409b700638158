// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts: what all Virtual Connections with one remote address may take together,
 * so that one peer leaves something for the others, and what all hosts may.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "conn/host.h"
#include "st_sock.h"

/* What is small is charged in steps, so that not each of it is counted by all CPUs */
#define ST_HOST_STEP	2048

static const struct rhashtable_params st_host_params = {
	.head_offset		= offsetof(struct st_host, node),
	.key_offset		= offsetof(struct st_host, key),
	.key_len		= sizeof_field(struct st_host, key),
	.automatic_shrinking	= true,
};

/* The host at an address, known or new, or NULL; under @sn->host_lock. */
static struct st_host *st_host_find(struct st_net *sn, const struct st_host_key *key)
{
	struct st_host *host = rhashtable_lookup_fast(&sn->hosts, key, st_host_params);

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

/* Under @sn->host_lock */
static void st_host_unref(struct st_net *sn, struct st_host *host)
{
	if (--host->refcnt)
		return;
	rhashtable_remove_fast(&sn->hosts, &host->node, st_host_params);
	kfree(host);
}

/* Under @sn->host_lock.  Return: 0 or -ENOBUFS. */
static int st_host_room(struct st_net *sn, const struct st_host *host, bool admin)
{
	enum st_drop refused;

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
 * @st: the Virtual Connection, with its peer's address; not counted
 *
 * Context: under st->lock.
 * Return: 0, -ENOBUFS when there are as many as the namespace or this host may
 * have, but for the reserve of the namespace if st_sock.bind.admin is not set, -ENOMEM.
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
 * st_host_leave - a Virtual Connection is over
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
 * st_host_put - a socket has nothing more to do with a host
 * @st: the socket, not counted any more, with no memory charged
 *
 * Context: any but hard interrupt; under st->lock, or nobody else uses @st.
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
 * Data may have all of a limit, and what else is kept an eighth besides: so that a peer of
 * which much is unread can still tell what it wants to send, and waits for its turn.
 */
static bool st_host_over(u64 now, u64 limit, bool data)
{
	return now > limit && (data || now - limit > limit / ST_RESERVE);
}

/* Return: false, counted, when there is as much as there may be. */
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
 * st_host_charge - take memory for what a peer sends
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock.
 * Return: false when the host, or the namespace, has as much as it may have.
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
 * st_host_uncharge - give memory back that st_host_charge() took
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock, or nobody else uses @st.
 */
void st_host_uncharge(struct st_sock *st, u64 bytes)
{
	st->dest.mem -= bytes;
	st_host_give(st, bytes);
}
EXPORT_SYMBOL_IF_KUNIT(st_host_uncharge);

/**
 * st_host_keep - take memory for what a peer makes us remember
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * As st_host_charge(), but SO_RCVBUF is for data alone, and the limits are an eighth higher.
 *
 * Context: under st->lock.
 * Return: false when the host, or the namespace, has as much as it may have.
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
 * st_host_forget - give memory back that st_host_keep() took
 * @st: the Virtual Connection
 * @bytes: how many
 *
 * Context: under st->lock, or nobody else uses @st.
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
 * st_host_init - the table of hosts of a new namespace
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
 * @net: the namespace; every socket of it is gone
 */
void st_host_exit(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	WARN_ON(sn->connections || atomic64_read(&sn->memory));
	rhashtable_destroy(&sn->hosts);
}

/**
 * st_peer_kzalloc - zeroed memory that the memory cgroup of a socket pays for
 * @st: the socket
 * @size: bytes
 * @gfp: how to allocate, with __GFP_ACCOUNT
 *
 * Context: as @gfp allows.
 * Return: the memory, or NULL, when there is none or the cgroup may have no more.
 */
void *st_peer_kzalloc(struct st_sock *st, size_t size, gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(mem_cgroup_from_sk(&st->sk));
	void *p = kzalloc(size, gfp);

	set_active_memcg(before);
	return p;
}

/**
 * st_peer_alloc - zeroed memory for what an operation of the peer makes us keep
 * @st: the Virtual Connection
 * @size: bytes
 *
 * Context: under st->lock.
 * Return: the memory, to be given back with st_peer_free(), or NULL: there is none, or as
 * much in use as there may be.  That is counted.
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
 * st_peer_free - give memory of st_peer_alloc() back
 * @st: the Virtual Connection
 * @p: the memory, or NULL
 * @size: as it was asked for
 *
 * Context: under st->lock, or nobody else uses @st.
 */
void st_peer_free(struct st_sock *st, void *p, size_t size)
{
	if (!p)
		return;
	kfree(p);
	st_host_forget(st, size);
}

/**
 * st_peer_skb - an skb that the memory cgroup of a socket pays for
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
