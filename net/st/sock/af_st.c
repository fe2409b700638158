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

/* How long queued records are still sent after close() */
#define ST_LINGER	(60 * HZ)

unsigned int st_net_id __read_mostly;
EXPORT_SYMBOL_IF_KUNIT(st_net_id);

static struct proto st_proto = {
	.name		= "ST",
	.owner		= THIS_MODULE,
	.obj_size	= sizeof(struct st_sock),
	.keepalive	= st_keep_set,
	.ioctl		= st_queued,
};

static void st_sk_destruct(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);

	WARN_ON(!list_empty(&st->tx_list));
	st_rx_purge(st);
	st_target_purge(st);
	st_mem_purge(st);
	__skb_queue_purge(&st->outq);
	__skb_queue_purge(&st->events);
	__skb_queue_purge(&sk->sk_error_queue);
	xa_destroy(&st->ids);
	st_host_put(st);
	st_ways_put(st);
	kfree(st->stripe);
	st_port_put(st);
	sock_prot_inuse_add(sock_net(sk), &st_proto, -1);
}

/* What is not struct sock, all zero. */
static void st_sk_begin(struct st_sock *st)
{
	struct net *net = sock_net(&st->sk);

	spin_lock_init(&st->lock);
	init_waitqueue_head(&st->read_wait);
	st_way_init(st, &st->way, 0);
	st->main = &st->way;
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
	INIT_LIST_HEAD(&st->targets);
	INIT_LIST_HEAD(&st->accept_list);
	INIT_LIST_HEAD(&st->accept_node);
	st->checksum = READ_ONCE(st_pernet(net)->checksum);
	st->local_slots = READ_ONCE(st_pernet(net)->slots);
	sock_prot_inuse_add(net, &st_proto, 1);
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
 * st_addr_check - whether an address of an application is one
 * @addr: the address
 * @len: bytes of it
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

/* Whether a link of the namespace has what bind() asks for. */
static int st_bind_check(struct net *net, const struct sockaddr_st *addr)
{
	int err = addr->sst_ifindex || addr->sst_llp ? -ENODEV : 0;
	struct st_net *sn = st_pernet(net);
	struct st_link *link;

	if (addr->sst_alen)
		err = err ?: -EADDRNOTAVAIL;
	rcu_read_lock();
	list_for_each_entry_rcu(link, &sn->links, list) {
		if (addr->sst_ifindex && addr->sst_ifindex != link->dev->ifindex)
			continue;
		if (addr->sst_llp && addr->sst_llp != link->llp->type)
			continue;
		if (!addr->sst_alen ||
		    (addr->sst_alen == link->llp->addr_len &&
		     !memcmp(addr->sst_addr, link->dev->dev_addr, link->llp->addr_len))) {
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
	if (!st->port && sk->sk_state == ST_CLOSED) {
		err = st_port_bind(st, num);
		if (!err) {
			spin_lock_bh(&st->lock);
			st->bound = *addr;
			st->bound.sst_port = htons(st->port->num);
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
	link = st->way.link;
	if (!peer)
		*addr = st->bound;
	addr->sst_family = AF_ST;
	if (link) {
		addr->sst_ifindex = st->peer.ifindex;
		addr->sst_llp = link->type;
		addr->sst_alen = link->addr_len;
		if (peer)
			memcpy(addr->sst_addr, st->way.addr, link->addr_len);
		else if (!READ_ONCE(link->dead))
			memcpy(addr->sst_addr, link->dev->dev_addr, link->addr_len);
	}
	if (peer)
		addr->sst_port = htons(st->peer.port);
	else
		addr->sst_port = st->port ? htons(st->port->num) : 0;
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
	/* Who asks first whether there is something must find it */
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
	if (!list_empty(&st->accept_list) || st_readable(st))
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
		/* As of TCP, whatever is shut down; the peer is told when it answers */
		WRITE_ONCE(sk->sk_err, ECONNRESET);
		WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
		sock->state = SS_UNCONNECTED;
		sk->sk_state_change(sk);
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

/* SO_LINGER: wait until all has arrived and the peer has answered the teardown. */
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
	/* What was queued still goes out, unless the peer's was left unread */
	if (!list_empty(&st->rx_list) || !list_empty(&st->rx_held) ||
	    (linger && !sk->sk_lingertime)) {
		st_vc_disconnect(st);
	} else if (sk->sk_state == ST_ESTABLISHED) {
		st->hold_until = jiffies + ST_LINGER;
		st_vc_maybe_disconnect(st);
	}
	if (sk->sk_state == ST_ESTABLISHED)
		st_timer_at(st, st->hold_until);
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
	/* Its memory is the application's again when the socket is closed */
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
	sock_set_flag(sk, SOCK_RCU_FREE);	/* found by Key under RCU */
	sk->sk_destruct = st_sk_destruct;
	sk->sk_write_space = st_tx_write_space;
	sk->sk_type = SOCK_SEQPACKET;
	st_sk_begin(st_sk(sk));
	sock->ops = &st_ops;
	sock->state = SS_UNCONNECTED;
	set_bit(SOCK_CUSTOM_SOCKOPT, &sock->flags);	/* SO_ZEROCOPY */
	return 0;
}

static const struct net_proto_family st_family = {
	.family	= PF_ST,
	.create	= st_create,
	.owner	= THIS_MODULE,
};

static int __net_init st_net_init(struct net *net)
{
	int err;

	INIT_LIST_HEAD(&st_pernet(net)->links);
	INIT_LIST_HEAD(&st_pernet(net)->stripe_addrs);
	err = st_conn_init(net);
	if (err)
		return err;
	err = st_host_init(net);
	if (err)
		goto conn;
	st_port_init(net);
	err = st_sysctl_init(net);
	if (err)
		goto host;
	return 0;
host:
	st_host_exit(net);
conn:
	st_conn_exit(net);
	return err;
}

static void __net_exit st_net_exit(struct net *net)
{
	st_sysctl_exit(net);
	st_port_exit(net);
	st_host_exit(net);
	st_conn_exit(net);
}

static struct pernet_operations st_net_ops = {
	.init	= st_net_init,
	.exit	= st_net_exit,
	.id	= &st_net_id,
	.size	= sizeof(struct st_net),
};

static int __init st_init(void)
{
	int err;

	BUILD_BUG_ON(sizeof(struct sockaddr_st) > sizeof(struct __kernel_sockaddr_storage));
	err = st_mem_init();
	if (err)
		return err;
	err = proto_register(&st_proto, 1);
	if (err)
		goto mem;
	err = register_pernet_subsys(&st_net_ops);
	if (err)
		goto proto;
	err = st_nl_init();
	if (err)
		goto pernet;
	err = register_netdevice_notifier(&st_port_notifier);
	if (err)
		goto netlink;
	err = sock_register(&st_family);
	if (err)
		goto notifier;
	return 0;
notifier:
	unregister_netdevice_notifier(&st_port_notifier);
netlink:
	st_nl_exit();
pernet:
	unregister_pernet_subsys(&st_net_ops);
proto:
	proto_unregister(&st_proto);
mem:
	st_mem_exit();
	return err;
}

static void __exit st_exit(void)
{
	sock_unregister(PF_ST);
	unregister_netdevice_notifier(&st_port_notifier);
	st_nl_exit();
	st_mem_exit();
	unregister_pernet_subsys(&st_net_ops);
	proto_unregister(&st_proto);
	rcu_barrier();
	/* Who gave the last buffer back may have been interrupted on its way out of here */
	synchronize_rcu_tasks();
}

module_init(st_init);
module_exit(st_exit);

MODULE_DESCRIPTION("Scheduled Transfer sockets");
MODULE_LICENSE("GPL");
MODULE_ALIAS_NETPROTO(PF_ST);
