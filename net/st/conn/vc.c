// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of Virtual Connections: by the Key that the peer sends, ST 5.2.2, and by peer.
 */
#include <linux/rhashtable.h>

#include "conn/host.h"
#include "st_sock.h"

static const struct rhashtable_params st_vc_params = {
	.head_offset		= offsetof(struct st_sock, vc.node),
	.key_offset		= offsetof(struct st_sock, vc.local_key),
	.key_len		= sizeof_field(struct st_sock, vc.local_key),
	.min_size		= 64,	/* no resize while a short table is dumped */
	.automatic_shrinking	= true,
};

static const struct rhashtable_params st_peer_params = {
	.head_offset		= offsetof(struct st_sock, vc.peer_node),
	.key_offset		= offsetof(struct st_sock, vc.peer),
	.key_len		= sizeof_field(struct st_sock, vc.peer),
	.automatic_shrinking	= true,
};

/**
 * st_vc_find - the Virtual Connection that a received Key selects, ST 5.2.2
 * @sn: the namespace
 * @key: the D_Key
 *
 * Context: under RCU.
 * Return: the Virtual Connection with a reference, or NULL.
 */
struct st_sock *st_vc_find(struct st_net *sn, u32 key)
{
	struct st_sock *st = rhashtable_lookup(&sn->vcs, &key, st_vc_params);

	return st && refcount_inc_not_zero(&st->sk.sk_refcnt) ? st : NULL;
}

/**
 * st_vc_hash - choose a Key, ST 5.2.2, and list the Virtual Connection under it
 * @st: the Virtual Connection, with the peer's address
 *
 * Context: under st->lock.
 * Return: 0, -ENOMEM, or -ENOBUFS at a limit of st_host_join().
 */
int st_vc_hash(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);
	int err;

	err = st_host_join(st);
	if (err)
		return err;
	do {	/* A Virtual Connection may still be there when the Keys wrap around */
		st->vc.local_key = st_key_new();
		err = rhashtable_lookup_insert_fast(&sn->vcs, &st->vc.node,
						    st_vc_params);
	} while (err == -EEXIST);
	if (err) {
		st_host_leave(st);
		return err;
	}
	st->vc.hashed = true;
	sock_hold(&st->sk);
	return 0;
}

/**
 * st_vc_hash_peer - list a Virtual Connection by peer, to recognize a repeated Request_Connection
 * @st: the Virtual Connection, with its st_sock.vc.peer
 *
 * Context: under st->lock.
 * Return: 0, -ENOMEM, or -EEXIST when this peer is listed already.
 */
int st_vc_hash_peer(struct st_sock *st)
{
	int err = rhashtable_lookup_insert_fast(&st_net_of(st)->peers, &st->vc.peer_node,
						st_peer_params);

	st->vc.peer_hashed = !err;
	return err;
}

/**
 * st_vc_find_peer - look up the Virtual Connection that a peer has set up
 * @sn: the namespace
 * @peer: the peer
 *
 * Context: under RCU.
 * Return: the Virtual Connection with a reference, or NULL.
 */
struct st_sock *st_vc_find_peer(struct st_net *sn, const struct st_peer *peer)
{
	struct st_sock *st = rhashtable_lookup(&sn->peers, peer, st_peer_params);

	return st && refcount_inc_not_zero(&st->sk.sk_refcnt) ? st : NULL;
}

/**
 * st_vc_unhash - remove a Virtual Connection from all tables
 * @st: the Virtual Connection, with a reference of the caller
 *
 * Context: under st->lock.
 */
void st_vc_unhash(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);

	st_paths_leave(st);
	sk_stop_timer(&st->sk, &st->timers.timer);
	if (st->vc.peer_hashed)
		rhashtable_remove_fast(&sn->peers, &st->vc.peer_node, st_peer_params);
	st->vc.peer_hashed = false;
	if (!st->vc.hashed)
		return;
	st->vc.hashed = false;
	rhashtable_remove_fast(&sn->vcs, &st->vc.node, st_vc_params);
	st_host_leave(st);
	__sock_put(&st->sk);
}

/**
 * st_conn_init - set up the tables of Virtual Connections of a new namespace
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int st_conn_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	int err;

	err = rhashtable_init(&sn->vcs, &st_vc_params);
	if (err)
		return err;
	err = rhashtable_init(&sn->peers, &st_peer_params);
	if (err)
		rhashtable_destroy(&sn->vcs);
	return err;
}

/**
 * st_conn_exit - undo st_conn_init()
 * @net: the namespace, without sockets
 */
void st_conn_exit(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	rhashtable_destroy(&sn->peers);
	rhashtable_destroy(&sn->vcs);
}
