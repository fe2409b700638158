// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation and destruction of sockets, of applications and of accepted connections.
 */
#include <linux/memcontrol.h>
#include <linux/slab.h>

#include "conn/conn.h"
#include "conn/host.h"
#include "conn/placement.h"
#include "mem/mem.h"
#include "proto/proto.h"

static void st_sk_destruct(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);

	WARN_ON(!list_empty(&st->source.list));
	st_rx_purge(st);
	st_placement_purge(st);
	st_mem_purge(st);
	WARN_ON(st->slots.taken.asking_reads || st->slots.taken.asking_regions);
	__skb_queue_purge(&st->out.queue);
	__skb_queue_purge(&st->events.queue);
	__skb_queue_purge(&sk->sk_error_queue);
	xa_destroy(&st->ids.xa);
	st_host_put(st);
	st_paths_put(st);
	kfree(st->paths.stripe);
	st_port_put(st);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, -1);
}

/**
 * st_sk_begin - initialize the part of a socket after struct sock
 * @st: the socket; that part is zero
 *
 * Context: before the socket is known to others.
 */
void st_sk_begin(struct st_sock *st)
{
	struct net *net = sock_net(&st->sk);

	st->sk.sk_destruct = st_sk_destruct;
	st->sk.sk_write_space = st_tx_write_space;
	spin_lock_init(&st->lock);
	init_waitqueue_head(&st->reading.wait);
	st_path_init(st, &st->paths.first, 0);
	st->paths.main = &st->paths.first;
	timer_setup(&st->timers.timer, st_timer, 0);
	INIT_WORK(&st->out.work, st_tx_work);
	__skb_queue_head_init(&st->out.queue);
	skb_queue_head_init(&st->events.queue);
	xa_init_flags(&st->ids.xa, XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&st->source.list);
	INIT_LIST_HEAD(&st->dest.list);
	INIT_LIST_HEAD(&st->dest.ending);
	INIT_LIST_HEAD(&st->dest.held);
	INIT_LIST_HEAD(&st->questions);
	INIT_LIST_HEAD(&st->placements);
	INIT_LIST_HEAD(&st->listen.queue);
	INIT_LIST_HEAD(&st->listen.node);
	st->vc.checksum = READ_ONCE(st_pernet(net)->checksum);
	st->slots.local = READ_ONCE(st_pernet(net)->slots);
	sock_prot_inuse_add(net, st->sk.sk_prot, 1);
	st->opts.any_order = true;
	st->opts.block_max = ST_BLOCKSIZE;
	st->opts.keep_idle = ST_KEEP_IDLE_DEFAULT;
}

/* Copy options and address of a listener. */
static void st_sk_inherit(struct st_sock *st, struct st_sock *lst)
{
	st->bind.addr = lst->bind.addr;
	st->bind.admin = lst->bind.admin;
	st->bind.ethertype = lst->bind.ethertype;
	st->vc.checksum = lst->vc.checksum;
	st->opts.any_order = lst->opts.any_order;
	st->opts.serve = READ_ONCE(lst->opts.serve);
	st->opts.writes = READ_ONCE(lst->opts.writes);
	st->opts.region_events = READ_ONCE(lst->opts.region_events);
	st->opts.recvinfo = READ_ONCE(lst->opts.recvinfo);
	st->opts.user_timeout = READ_ONCE(lst->opts.user_timeout);
	st->opts.send = st_send_default(lst);
	st->opts.block_max = READ_ONCE(lst->opts.block_max);
	st->opts.keep_idle = READ_ONCE(lst->opts.keep_idle);
}

/* A connection is charged to the memory cgroup of its listener. */
static void st_rx_mem_inherit(struct sock *sk, const struct sock *listener)
{
#ifdef CONFIG_MEMCG
	if (sk->sk_memcg || !listener->sk_memcg)
		return;
	css_get(&listener->sk_memcg->css);
	sk->sk_memcg = listener->sk_memcg;
#endif
}

/**
 * st_sk_accept - allocate a socket for a connection to a listener
 * @lst: the listener; concurrent changes of its options may be missed
 *
 * As with TCP, the socket inherits the options, security label, cgroups and filter of the
 * listener.  sk_clone_lock() copies them; a socket allocated from scratch here, in softirq
 * context, would have no proper label or cgroup.
 *
 * Context: bottom halves off.
 * Return: the socket with one reference, or NULL.
 */
struct st_sock *st_sk_accept(struct st_sock *lst)
{
	const struct sock *listener = &lst->sk;
	struct sock *sk = sk_clone_lock(listener, ST_PEER_GFP);
	struct st_sock *st;

	if (!sk)
		return NULL;
	__acquire(&sk->sk_lock.slock);	/* sk_clone_lock() lacks the annotation */
	st = st_sk(sk);
	memset_after(st, 0, sk);
	sk->sk_state = ST_CLOSED;
	sk->sk_shutdown = 0;
	sk->sk_ack_backlog = 0;
	sk->sk_max_ack_backlog = 0;
	sk->sk_priority = READ_ONCE(listener->sk_priority);
	atomic64_set(&sk->sk_cookie, 0);
	st_rx_mem_inherit(sk, listener);
	st_sk_begin(st);
	st_sk_inherit(st, lst);
	bh_unlock_sock(sk);
	/* sk_clone_lock() takes a second reference, for the hash table of TCP */
	__sock_put(sk);
	return st;
}

/**
 * st_send_default - parameters for records whose sendmsg() sets none
 * @st: the socket
 *
 * Context: any.
 * Return: ST_SEND_DEFAULT, a consistent copy.
 */
struct st_send st_send_default(struct st_sock *st)
{
	struct st_send send;

	spin_lock_bh(&st->lock);
	send = st->opts.send;
	spin_unlock_bh(&st->lock);
	return send;
}
