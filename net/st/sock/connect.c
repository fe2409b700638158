// SPDX-License-Identifier: GPL-2.0
/*
 * connect(), listen() and accept().
 */
#include <linux/net.h>
#include <linux/sched/signal.h>

#include "conn/host.h"
#include "link/link.h"
#include "proto/proto.h"
#include "sock/sock.h"

/* Clean up after a failed setup; under lock_sock(). */
static void st_forget_setup(struct st_sock *st)
{
	spin_lock_bh(&st->lock);
	/* Queued operations still go to the old peer */
	while (st->out.flushing) {
		spin_unlock_bh(&st->lock);
		cond_resched();
		spin_lock_bh(&st->lock);
	}
	st_paths_put(st);
	__skb_queue_purge(&st->out.queue);
	st_rx_purge(st);
	st_host_put(st);
	st->slots.ops = 0;
	st->slots.few = false;
	st->vc.peer_checksum = false;
	memset(&st->timers.rtt, 0, sizeof(st->timers.rtt));
	memset(&st->shorts, 0, sizeof(st->shorts));
	memset(&st->info, 0, sizeof(st->info));
	st->sk.sk_shutdown = 0;
	spin_unlock_bh(&st->lock);
}

static int st_connect_start(struct sock *sk, const struct sockaddr_st *to)
{
	struct st_sock *st = st_sk(sk);
	struct st_link *link;
	int err;

	st_forget_setup(st);
	if (!to->sst_port)
		return -EINVAL;
	link = st_link_route(st, to, &err);
	if (!link)
		return err;
	st->bind.admin = st_is_admin(st);
	err = st->bind.port ? 0 : st_port_bind(st, 0);
	if (!err)
		err = st_vc_connect(st, link, to);
	if (err)
		st_link_put(link);
	return err;
}

/**
 * st_connect - set a Virtual Connection up, ST 5.1.1
 * @sock: the socket
 * @uaddr: struct sockaddr_st of the peer
 * @addr_len: bytes of it
 * @flags: O_NONBLOCK
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno, as in connect(2).
 */
int st_connect(struct socket *sock, struct sockaddr_unsized *uaddr, int addr_len, int flags)
{
	struct sock *sk = sock->sk;
	long timeo = sock_sndtimeo(sk, flags & O_NONBLOCK);
	int err;

	err = st_addr_check((const struct sockaddr_st *)uaddr, addr_len);
	if (err)
		return err;

	lock_sock(sk);
	if (sock->state == SS_CONNECTED || sk->sk_state == ST_LISTEN) {
		err = sk->sk_state == ST_LISTEN ? -EINVAL : -EISCONN;
		goto out;
	}
	if (sock->state == SS_UNCONNECTED) {
		/* A failed setup may not be cleaned up yet */
		err = -EISCONN;
		if (sk->sk_state != ST_CLOSED || st_sk(sk)->vc.used)
			goto out;
		err = st_connect_start(sk, (const struct sockaddr_st *)uaddr);
		if (err)
			goto out;
		sock->state = SS_CONNECTING;
	} else if (sk->sk_state == ST_CONNECTING && !timeo) {
		err = -EALREADY;
		goto out;
	}
	err = st_wait_connected(sk, &timeo);
	if (err)
		goto out;
	err = sock_error(sk);
	if (!err && (sk->sk_state == ST_CLOSED || sk->sk_state == ST_CONNECTING))
		err = -ECONNABORTED;
	sock->state = err ? SS_UNCONNECTED : SS_CONNECTED;
out:
	release_sock(sk);
	return err;
}

/**
 * st_listen - accept connections from now on
 * @sock: the socket
 * @backlog: limit of connections that wait for accept()
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno, as in listen(2).
 */
int st_listen(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	int err = 0;

	lock_sock(sk);
	if (sock->state != SS_UNCONNECTED || st->vc.used ||
	    (sk->sk_state != ST_CLOSED && sk->sk_state != ST_LISTEN)) {
		err = -EINVAL;
		goto out;
	}
	/* A listener has no single peer that these addresses could belong to */
	if (st->paths.stripe && st->paths.stripe->nr_asked) {
		err = -EINVAL;
		goto out;
	}
	if (st_bound_gone(st)) {
		err = -ENETDOWN;
		goto out;
	}
	if (sk->sk_state == ST_CLOSED)
		st_forget_setup(st);
	if (!st->bind.port)
		err = st_port_bind(st, 0);
	if (err)
		goto out;
	spin_lock_bh(&st->lock);
	st->bind.admin = st_is_admin(st);
	WRITE_ONCE(sk->sk_max_ack_backlog, backlog);
	WRITE_ONCE(sk->sk_state, ST_LISTEN);
	spin_unlock_bh(&st->lock);
out:
	release_sock(sk);
	return err;
}

static struct sock *st_accept_next(struct sock *sk)
{
	struct st_sock *st = st_sk(sk), *child;

	spin_lock_bh(&st->lock);
	child = list_first_entry_or_null(&st->listen.queue, struct st_sock, listen.node);
	if (child) {
		list_del_init(&child->listen.node);
		sk_acceptq_removed(sk);
	}
	spin_unlock_bh(&st->lock);
	return child ? &child->sk : NULL;
}

/**
 * st_accept - accept the next connection of a listener
 * @sock: the listener
 * @newsock: gets the connection
 * @arg: its flags may have O_NONBLOCK
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno, as in accept(2).
 */
int st_accept(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	struct sock *sk = sock->sk, *child;
	long timeo = sock_rcvtimeo(sk, arg->flags & O_NONBLOCK);
	int err = 0;

	lock_sock(sk);
	if (sk->sk_state != ST_LISTEN) {
		release_sock(sk);
		return -EINVAL;
	}
	add_wait_queue_exclusive(sk_sleep(sk), &wait);
	while (!(child = st_accept_next(sk))) {
		if (st_bound_gone(st_sk(sk)))
			err = -ENETDOWN;
		else if (!timeo)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = sock_intr_errno(timeo);
		else if (sk->sk_shutdown & RCV_SHUTDOWN)
			err = -EINVAL;
		if (err)
			break;
		release_sock(sk);
		timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, timeo);
		lock_sock(sk);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	release_sock(sk);
	if (err)
		return err;

	lock_sock_nested(child, SINGLE_DEPTH_NESTING);
	sock_graft(child, newsock);
	newsock->state = SS_CONNECTED;
	set_bit(SOCK_CUSTOM_SOCKOPT, &newsock->flags);
	release_sock(child);
	return 0;
}

/**
 * st_close_listener - stop listening, and disconnect connections that nobody has accepted
 * @st: the listener
 *
 * Context: under lock_sock().
 */
void st_close_listener(struct st_sock *st)
{
	struct sock *child;

	spin_lock_bh(&st->lock);
	WRITE_ONCE(st->sk.sk_state, ST_CLOSED);
	spin_unlock_bh(&st->lock);
	while ((child = st_accept_next(&st->sk))) {
		sock_orphan(child);
		spin_lock_bh(&st_sk(child)->lock);
		st_vc_disconnect(st_sk(child));
		st_unlock(st_sk(child));
		sock_put(child);
	}
}
