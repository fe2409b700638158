// SPDX-License-Identifier: GPL-2.0
/*
 * Scheduled Transfer sockets: socket(AF_ST, SOCK_SEQPACKET, 0).
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "conn/conn.h"
#include "link/link.h"
#include "mem/remote.h"
#include "proto/proto.h"
#include "sock/sock.h"
#include "xfer/rx_block.h"

/* How long queued records are sent after close() */
#define ST_LINGER	(60 * HZ)

/* Shown in /proc/net/protocols */
struct proto st_proto = {
	.name		= "ST",
	.owner		= THIS_MODULE,
	.obj_size	= sizeof(struct st_sock),
	.keepalive	= st_keep_set,
	.ioctl		= st_queued,
};

/**
 * st_addr_check - validate an address of an application
 * @addr: the address
 * @len: its length, bytes
 *
 * Context: any.
 * Return: 0, -EINVAL or -EAFNOSUPPORT.
 */
int st_addr_check(const struct sockaddr_st *addr, int len)
{
	if (len < (int)offsetofend(struct sockaddr_st, sst_family))
		return -EINVAL;
	if (addr->sst_family != AF_ST)
		return -EAFNOSUPPORT;
	if (len < (int)sizeof(*addr))
		return -EINVAL;
	if (addr->sst_alen > ST_ADDR_MAX || addr->sst_ifindex < 0 ||
	    memchr_inv(addr->sst_addr + addr->sst_alen, 0, ST_ADDR_MAX - addr->sst_alen) ||
	    memchr_inv(addr->sst_reserved, 0, sizeof(addr->sst_reserved)))
		return -EINVAL;
	return 0;
}

/* Whether the namespace has a link with the address and LLP of bind(). */
static int st_bind_check(struct net *net, const struct sockaddr_st *addr)
{
	int err = addr->sst_ifindex || addr->sst_llp ? -ENODEV : 0;
	struct st_net *sn = st_pernet(net);
	const struct st_link_core *core;
	const struct st_link *link;

	if (addr->sst_alen)
		err = err ?: -EADDRNOTAVAIL;
	rcu_read_lock();
	list_for_each_entry_rcu(core, &sn->links, list) {
		link = &core->link;
		if (addr->sst_ifindex && addr->sst_ifindex != link->dev->ifindex)
			continue;
		if (addr->sst_llp && addr->sst_llp != core->type)
			continue;
		if (!addr->sst_alen ||
		    (addr->sst_alen == link->addr_len &&
		     !memcmp(addr->sst_addr, link->addr, link->addr_len))) {
			err = 0;
			break;
		}
		err = -EADDRNOTAVAIL;
	}
	rcu_read_unlock();
	return err;
}

static int st_bind(struct socket *sock, struct sockaddr_unsized *uaddr, int addr_len)
{
	const struct sockaddr_st *addr = (const struct sockaddr_st *)uaddr;
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	u16 num;
	int err;

	err = st_addr_check(addr, addr_len);
	if (err)
		return err;
	num = ntohs(addr->sst_port);
	if (num && num < ST_PORT_RESERVED &&
	    !ns_capable(sock_net(sk)->user_ns, CAP_NET_BIND_SERVICE))
		return -EACCES;
	err = st_bind_check(sock_net(sk), addr);
	if (err)
		return err;

	lock_sock(sk);
	err = -EINVAL;
	if (!st->bind.port && sk->sk_state == ST_CLOSED) {
		err = st_port_bind(st, num);
		if (!err) {
			spin_lock_bh(&st->lock);
			st->bind.addr = *addr;
			st->bind.addr.sst_port = htons(st->bind.port->num);
			spin_unlock_bh(&st->lock);
		}
	}
	release_sock(sk);
	return err;
}

static int st_getname(struct socket *sock, struct sockaddr *uaddr, int peer)
{
	struct sockaddr_st *addr = (struct sockaddr_st *)uaddr;
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	const struct st_link *link;

	memset(addr, 0, sizeof(*addr));
	if (peer && sock->state != SS_CONNECTED && READ_ONCE(sk->sk_state) != ST_ESTABLISHED)
		return -ENOTCONN;

	rcu_read_lock();
	spin_lock_bh(&st->lock);
	link = st->paths.first.link;
	if (!peer)
		*addr = st->bind.addr;
	addr->sst_family = AF_ST;
	if (link) {
		addr->sst_ifindex = st->vc.peer.ifindex;
		addr->sst_llp = st_link_core(link)->type;
		addr->sst_alen = link->addr_len;
		if (peer)
			memcpy(addr->sst_addr, st->paths.first.addr, link->addr_len);
		else if (!READ_ONCE(st_link_core(link)->dead))
			memcpy(addr->sst_addr, link->addr, link->addr_len);
	}
	if (peer)
		addr->sst_port = htons(st->vc.peer.port);
	else
		addr->sst_port = st->bind.port ? htons(st->bind.port->num) : 0;
	spin_unlock_bh(&st->lock);
	rcu_read_unlock();
	return sizeof(*addr);
}

static __poll_t st_poll(struct file *file, struct socket *sock, poll_table *wait)
{
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	__poll_t mask = 0;
	int state;

	sock_poll_wait(file, sock, wait);

	spin_lock_bh(&st->lock);
	/* A poller reads only after an event: nothing may wait for its pages */
	st_rx_await_none(st);
	state = sk->sk_state;
	if (READ_ONCE(sk->sk_err) || (state == ST_LISTEN && st_bound_gone(st)))
		mask |= EPOLLERR;
	if (!skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR | (sock_flag(sk, SOCK_SELECT_ERR_QUEUE) ? EPOLLPRI : 0);
	if (st_event_waits(st))
		mask |= EPOLLPRI;
	if (sk->sk_shutdown == SHUTDOWN_MASK || (state == ST_CLOSED && !sk->sk_err))
		mask |= EPOLLHUP;
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (!list_empty(&st->listen.queue) || st_readable(st))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (state == ST_ESTABLISHED && st_tx_writable(st))
		mask |= EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	if (sk->sk_shutdown & SEND_SHUTDOWN)
		mask |= EPOLLOUT | EPOLLWRNORM;
	st_unlock(st);
	return mask;
}

static int st_shutdown(struct socket *sock, int how)
{
	struct sock *sk = sock->sk;
	struct st_sock *st = st_sk(sk);
	int err = 0;

	if (how < SHUT_RD || how > SHUT_RDWR)
		return -EINVAL;
	lock_sock(sk);
	if (sk->sk_state == ST_LISTEN) {
		if (how != SHUT_WR) {
			WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | (how + 1));
			st_close_listener(st);
			sk->sk_state_change(sk);
		}
		release_sock(sk);
		return 0;
	}
	spin_lock_bh(&st->lock);
	if (sk->sk_state == ST_CONNECTING && !sk->sk_shutdown) {
		/* As with TCP, for any shutdown; the peer is notified when it answers */
		WRITE_ONCE(sk->sk_err, ECONNRESET);
		WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
		sock->state = SS_UNCONNECTED;
		sk->sk_state_change(sk);
		st_vc_not_wanted(st);
	} else if (sk->sk_state != ST_ESTABLISHED) {
		err = -ENOTCONN;
	} else {
		WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | (how + 1));
		if (how != SHUT_RD) {
			st_tx_shutdown(st);
			st_remote_shutdown(st);
		}
		st_vc_maybe_disconnect(st);
		sk->sk_state_change(sk);
	}
	st_unlock(st);
	release_sock(sk);
	return err;
}

static bool st_is_open(const struct sock *sk)
{
	enum st_state state = READ_ONCE(sk->sk_state);

	return state == ST_ESTABLISHED || state == ST_DISCONNECTING;
}

/* SO_LINGER: wait until everything has arrived and the peer has answered the teardown. */
static void st_linger(struct sock *sk)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeo = sk->sk_lingertime;

	add_wait_queue(sk_sleep(sk), &wait);
	while (st_is_open(sk) && timeo && !signal_pending(current)) {
		release_sock(sk);
		timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, timeo);
		lock_sock(sk);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
}

static void st_close(struct st_sock *st)
{
	struct sock *sk = &st->sk;
	bool linger = sock_flag(sk, SOCK_LINGER);

	spin_lock_bh(&st->lock);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	/* Queued data is still sent, unless data of the peer was left unread */
	if (!list_empty(&st->dest.list) || !list_empty(&st->dest.held) ||
	    (linger && !sk->sk_lingertime)) {
		st_vc_disconnect(st);
	} else if (sk->sk_state == ST_ESTABLISHED) {
		st->timers.hold_until = jiffies + ST_LINGER;
		st_vc_maybe_disconnect(st);
	}
	st_vc_not_wanted(st);
	if (sk->sk_state == ST_ESTABLISHED)
		st_timer_at(st, st->timers.hold_until);
	else
		st_rx_purge(st);
	st_unlock(st);
	if (linger && !(current->flags & PF_EXITING))
		st_linger(sk);
}

static int st_release(struct socket *sock)
{
	struct sock *sk = sock->sk;
	struct st_sock *st;

	if (!sk)
		return 0;
	st = st_sk(sk);
	lock_sock(sk);
	if (sk->sk_state == ST_LISTEN)
		st_close_listener(st);
	else
		st_close(st);
	/* The application may reuse its memory once the socket is closed */
	st_mem_close(st);
	st_port_disown(st);
	sock_orphan(sk);
	release_sock(sk);
	sock->sk = NULL;
	sock_put(sk);
	return 0;
}

static const struct proto_ops st_ops = {
	.family		= PF_ST,
	.owner		= THIS_MODULE,
	.release	= st_release,
	.bind		= st_bind,
	.connect	= st_connect,
	.socketpair	= sock_no_socketpair,
	.accept		= st_accept,
	.getname	= st_getname,
	.poll		= st_poll,
	.ioctl		= st_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl	= st_compat_ioctl,
#endif
	.gettstamp	= sock_gettstamp,
	.listen		= st_listen,
	.shutdown	= st_shutdown,
	.setsockopt	= st_setsockopt,
	.getsockopt	= st_getsockopt,
	.sendmsg	= st_sendmsg,
	.recvmsg	= st_recvmsg,
	.mmap		= st_mem_mmap,
};

static int st_create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct sock *sk;

	if (protocol)
		return -EPROTONOSUPPORT;
	if (sock->type != SOCK_SEQPACKET)
		return -ESOCKTNOSUPPORT;
	sk = sk_alloc(net, PF_ST, GFP_KERNEL, &st_proto, kern);
	if (!sk)
		return -ENOMEM;
	sock_init_data(sock, sk);
	sock_set_flag(sk, SOCK_RCU_FREE);	/* looked up by Key under RCU */
	sk->sk_type = SOCK_SEQPACKET;
	st_sk_begin(st_sk(sk));
	sock->ops = &st_ops;
	sock->state = SS_UNCONNECTED;
	set_bit(SOCK_CUSTOM_SOCKOPT, &sock->flags);	/* SO_ZEROCOPY */
	return 0;
}

const struct net_proto_family st_family = {
	.family	= PF_ST,
	.create	= st_create,
	.owner	= THIS_MODULE,
};
