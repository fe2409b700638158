// SPDX-License-Identifier: GPL-2.0
/*
 * Begin and end of a socket, of an application or for a connection to a listener.
 */
#include <linux/memcontrol.h>
#include <linux/slab.h>

#include "conn/host.h"
#include "conn/placement.h"
#include "mem/mem.h"
#include "proto/proto.h"
#include "xfer/rx.h"

static void st_sk_destruct(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);

	WARN_ON(!list_empty(&st->tx_list));
	st_rx_purge(st);
	st_placement_purge(st);
	st_mem_purge(st);
	WARN_ON(st->taken.asking_reads || st->taken.asking_regions);
	__skb_queue_purge(&st->outq);
	__skb_queue_purge(&st->events);
	__skb_queue_purge(&sk->sk_error_queue);
	xa_destroy(&st->ids);
	st_host_put(st);
	st_paths_put(st);
	kfree(st->stripe);
	st_port_put(st);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, -1);
}

/**
 * st_sk_begin - set up what is not struct sock
 * @st: the socket, all of that zero
 *
 * Context: nobody else knows the socket.
 */
void st_sk_begin(struct st_sock *st)
{
	struct net *net = sock_net(&st->sk);

	st->sk.sk_destruct = st_sk_destruct;
	st->sk.sk_write_space = st_tx_write_space;
	spin_lock_init(&st->lock);
	init_waitqueue_head(&st->read_wait);
	st_path_init(st, &st->path, 0);
	st->main = &st->path;
	timer_setup(&st->timer, st_timer, 0);
	INIT_WORK(&st->tx_work, st_tx_work);
	__skb_queue_head_init(&st->outq);
	skb_queue_head_init(&st->events);
	xa_init_flags(&st->ids, XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&st->tx_list);
	INIT_LIST_HEAD(&st->rx_list);
	INIT_LIST_HEAD(&st->rx_ending);
	INIT_LIST_HEAD(&st->rx_held);
	INIT_LIST_HEAD(&st->questions);
	INIT_LIST_HEAD(&st->placements);
	INIT_LIST_HEAD(&st->accept_list);
	INIT_LIST_HEAD(&st->accept_node);
	st->checksum = READ_ONCE(st_pernet(net)->checksum);
	st->local_slots = READ_ONCE(st_pernet(net)->slots);
	sock_prot_inuse_add(net, st->sk.sk_prot, 1);
	st->any_order = true;
	st->block_max = ST_BLOCKSIZE;
	st->keep_idle = ST_KEEP_IDLE_DEFAULT;
}

/* Options and address of a listener. */
static void st_sk_inherit(struct st_sock *st, struct st_sock *lst)
{
	st->bound = lst->bound;
	st->admin = lst->admin;
	st->ethertype = lst->ethertype;
	st->checksum = lst->checksum;
	st->any_order = lst->any_order;
	st->serve = READ_ONCE(lst->serve);
	st->writes = READ_ONCE(lst->writes);
	st->region_events = READ_ONCE(lst->region_events);
	st->recvinfo = READ_ONCE(lst->recvinfo);
	st->user_timeout = READ_ONCE(lst->user_timeout);
	st->send = st_send_default(lst);
	st->block_max = READ_ONCE(lst->block_max);
	st->keep_idle = READ_ONCE(lst->keep_idle);
}

/* The memory cgroup of a listener pays for a connection to it. */
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
 * st_sk_accept - a new AF_ST socket for a connection to a listener
 * @lst: who listens; what another thread sets meanwhile may be missed
 *
 * It has what TCP's have of their listeners: options, label of the security module, cgroups,
 * filter.  The kernel copies all that; a socket that was made here, in a softirq, would have
 * the label and cgroup of nobody.
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
	__acquire(&sk->sk_lock.slock);	/* sk_clone_lock() does not say so */
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
	/* For a table that TCP's are in at once */
	__sock_put(sk);
	return st;
}

/**
 * st_send_default - how records are sent if their sendmsg() says nothing else
 * @st: the socket
 *
 * Context: any.
 * Return: ST_SEND_DEFAULT, as one call has set it.
 */
struct st_send st_send_default(struct st_sock *st)
{
	struct st_send send;

	spin_lock_bh(&st->lock);
	send = st->send;
	spin_unlock_bh(&st->lock);
	return send;
}
