// SPDX-License-Identifier: GPL-2.0
/*
 * Ports (ST 5.2.1) and the error log of each (ST 10).
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/random.h>

#include "conn/conn.h"
#include "link/link.h"

#define ST_PORT_DYNAMIC		49152	/* RFC 6335 */
#define ST_PORT_TRIES		64	/* Ports tried before the lock is dropped once */

/**
 * st_port_find - look a Port up
 * @sn: the namespace
 * @num: host order
 *
 * Context: under RCU or @sn->port_lock.
 * Return: the Port or NULL.
 */
struct st_port *st_port_find(struct st_net *sn, u16 num)
{
	struct st_port *port;

	hash_for_each_possible_rcu(sn->ports, port, node, num,
				   lockdep_is_held(&sn->port_lock))
		if (port->num == num)
			return port;
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(st_port_find);

static int st_port_take(struct st_sock *st, u16 num, struct st_port *fresh)
{
	struct st_net *sn = st_net_of(st);
	struct st_port *port = st_port_find(sn, num);
	unsigned int i;

	if (port) {
		/* The last owner is gone; only held or accepted connections use the Port */
		if (port->owner || !st->sk.sk_reuse)
			return -EADDRINUSE;
		for (i = 0; i < __ST_ERR_MAX; i++)
			atomic64_set(&port->errors[i], 0);
		WRITE_ONCE(port->undefined_op, 0);
		WRITE_ONCE(port->unexpected_op, 0);
	} else {
		port = fresh;
		port->num = num;
		hash_add_rcu(sn->ports, &port->node, num);
	}
	port->refcnt++;
	port->owner = &st->sk;
	st->bind.port = port;
	return 0;
}

/* A free Port of the dynamic range; the lock is dropped now and then for other users. */
static int st_port_choose(struct st_sock *st, struct st_port *fresh)
{
	const unsigned int range = 65536 - ST_PORT_DYNAMIC;
	unsigned int first = get_random_u32_below(range), i;
	struct st_net *sn = st_net_of(st);
	int err = -EADDRINUSE;
	u16 num;

	spin_lock_bh(&sn->port_lock);
	for (i = 0; i < range && err; i++) {
		if (i && !(i % ST_PORT_TRIES)) {
			spin_unlock_bh(&sn->port_lock);
			cond_resched();
			spin_lock_bh(&sn->port_lock);
		}
		num = ST_PORT_DYNAMIC + (first + i) % range;
		if (!st_port_find(sn, num))
			err = st_port_take(st, num, fresh);
	}
	spin_unlock_bh(&sn->port_lock);
	return err;
}

/**
 * st_port_bind - bind a socket to a Port of its own
 * @st: the socket, without a Port
 * @num: host order; 0 chooses one from the dynamic range
 *
 * Context: under lock_sock(), may sleep.
 * Return: 0, -EADDRINUSE or -ENOMEM.
 */
int st_port_bind(struct st_sock *st, u16 num)
{
	struct st_net *sn = st_net_of(st);
	struct st_port *fresh;
	int err;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return -ENOMEM;

	if (num) {
		spin_lock_bh(&sn->port_lock);
		err = st_port_take(st, num, fresh);
		spin_unlock_bh(&sn->port_lock);
	} else {
		err = st_port_choose(st, fresh);
	}
	if (st->bind.port != fresh)
		kfree(fresh);
	return err;
}

/**
 * st_port_share - put an accepted connection on the Port of its listener
 * @st: the new socket
 * @port: the Port, in use by the listener
 *
 * Context: any but hard interrupt; the listener keeps @port alive.
 */
void st_port_share(struct st_sock *st, struct st_port *port)
{
	struct st_net *sn = st_net_of(st);

	spin_lock_bh(&sn->port_lock);
	port->refcnt++;
	spin_unlock_bh(&sn->port_lock);
	st->bind.port = port;
}

/**
 * st_port_disown - the socket that bound the Port is closed
 * @st: the socket
 *
 * The Port itself stays until its last connection is gone, ST 5.1.2.
 *
 * Context: any but hard interrupt.
 */
void st_port_disown(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);

	if (!st->bind.port)
		return;
	spin_lock_bh(&sn->port_lock);
	if (st->bind.port->owner == &st->sk)
		st->bind.port->owner = NULL;
	spin_unlock_bh(&sn->port_lock);
}

/**
 * st_port_put - release the Port of a socket
 * @st: the socket
 *
 * Context: any but hard interrupt; @st has no other users.
 */
void st_port_put(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);
	struct st_port *port = st->bind.port;

	if (!port)
		return;
	st->bind.port = NULL;
	spin_lock_bh(&sn->port_lock);
	if (port->owner == &st->sk)
		port->owner = NULL;
	if (!--port->refcnt) {
		hash_del_rcu(&port->node);
		kfree_rcu(port, rcu);
	}
	spin_unlock_bh(&sn->port_lock);
}

static bool st_port_dev_gone(struct net *net, int ifindex)
{
	bool gone;

	rcu_read_lock();
	gone = ifindex && !dev_get_by_index_rcu(net, ifindex);
	rcu_read_unlock();
	return gone;
}

/**
 * st_bound_gone - whether the device that a socket is bound to is gone
 * @st: the socket
 *
 * Context: any.
 * Return: true when it is, be it bound by bind() or by SO_BINDTODEVICE.
 */
bool st_bound_gone(const struct st_sock *st)
{
	struct net *net = sock_net(&st->sk);

	return st_port_dev_gone(net, st->bind.addr.sst_ifindex) ||
	       st_port_dev_gone(net, READ_ONCE(st->sk.sk_bound_dev_if));
}

/* The owner of the next Port in a bucket that is bound to a device, with a reference. */
static struct sock *st_port_next_bound(struct st_net *sn, unsigned int bucket, int after,
				       int ifindex, int *num)
{
	struct st_port *port, *next = NULL;
	struct sock *sk = NULL;

	spin_lock_bh(&sn->port_lock);
	hlist_for_each_entry(port, &sn->ports[bucket], node)
		if (port->num > after && (!next || port->num < next->num) && port->owner &&
		    (st_sk(port->owner)->bind.addr.sst_ifindex == ifindex ||
		     READ_ONCE(port->owner->sk_bound_dev_if) == ifindex))
			next = port;
	if (next) {
		sk = next->owner;
		sock_hold(sk);
		*num = next->num;
	}
	spin_unlock_bh(&sn->port_lock);
	return sk;
}

/* The device of a bound socket is gone.  A connection over it fails by itself. */
static void st_port_deaf(struct sock *sk)
{
	struct st_sock *st = st_sk(sk);
	bool told;

	spin_lock_bh(&st->lock);
	told = sk->sk_state == ST_LISTEN || (sk->sk_state == ST_CLOSED && !st->vc.used);
	if (told)
		WRITE_ONCE(sk->sk_err, ENETDOWN);
	spin_unlock_bh(&st->lock);
	if (!told)
		return;
	/* Wake all tasks in accept() */
	sk->sk_state_change(sk);
	sk_error_report(sk);
}

static int st_port_dev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct st_net *sn = st_pernet(dev_net(dev));
	unsigned int bucket;
	struct sock *sk;
	int num;

	/* From here on a lookup by ifindex fails */
	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	for (bucket = 0; bucket < HASH_SIZE(sn->ports); bucket++) {
		num = -1;
		while ((sk = st_port_next_bound(sn, bucket, num, dev->ifindex, &num))) {
			st_port_deaf(sk);
			sock_put(sk);
		}
	}
	return NOTIFY_DONE;
}

/* Fails sockets whose device is unregistered */
struct notifier_block st_port_notifier = {
	.notifier_call	= st_port_dev_event,
};

/**
 * st_port_listener - the socket that listens on a Port
 * @sn: the namespace
 * @num: host order
 * @link: the link the request arrived on
 *
 * Context: any but hard interrupt.
 * Return: the socket with a reference, or NULL.
 */
struct sock *st_port_listener(struct st_net *sn, u16 num, const struct st_link *link)
{
	struct st_port *port;
	struct sock *sk = NULL;

	spin_lock_bh(&sn->port_lock);
	port = st_port_find(sn, num);
	if (port && port->owner && READ_ONCE(port->owner->sk_state) == ST_LISTEN) {
		if (st_link_bound(link, st_sk(port->owner))) {
			sk = port->owner;
			sock_hold(sk);
		}
	}
	spin_unlock_bh(&sn->port_lock);
	return sk;
}

/**
 * st_log_port - log an error on a Port, ST 10
 * @sn: the namespace, whose log is used without a Port
 * @port: the Port or NULL
 * @err: which one
 *
 * Context: any; under RCU or with a reference on @port.
 */
void st_log_port(struct st_net *sn, struct st_port *port, enum st_error err)
{
	atomic64_inc(port ? &port->errors[err] : &sn->errors[err]);
}

/**
 * st_log - log an error on the Port of a socket, ST 10
 * @st: the socket
 * @err: which one
 *
 * Context: any.
 */
void st_log(struct st_sock *st, enum st_error err)
{
	st_log_port(st_net_of(st), st->bind.port, err);
}

/**
 * st_log_unexpected - log an operation that is out of sequence, ST 10.5.2
 * @st: the Virtual Connection
 * @op: the discarded operation
 *
 * Context: any.
 */
void st_log_unexpected(struct st_sock *st, const struct st_op *op)
{
	st_log(st, ST_ERR_UNEXPECTED_OPCODE);
	WRITE_ONCE(st->bind.port->unexpected_op, op->op);
}

/**
 * st_port_init - set up the Ports of a new namespace
 * @net: the namespace
 */
void st_port_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	spin_lock_init(&sn->port_lock);
	hash_init(sn->ports);
}

/**
 * st_port_exit - undo st_port_init()
 * @net: the namespace
 */
void st_port_exit(struct net *net)
{
	WARN_ON(!hash_empty(st_pernet(net)->ports));
}

/**
 * st_link_bound - whether a socket may use a link
 * @link: the link
 * @st: the socket; its bind() and SO_BINDTODEVICE decide
 *
 * Context: under RCU.
 * Return: true when it may.
 */
bool st_link_bound(const struct st_link *link, const struct st_sock *st)
{
	const struct sockaddr_st *bound = &st->bind.addr;
	int dev = READ_ONCE(st->sk.sk_bound_dev_if);

	return (!dev || dev == link->dev->ifindex) &&
	       (!bound->sst_ifindex || bound->sst_ifindex == link->dev->ifindex) &&
	       (!bound->sst_llp || bound->sst_llp == st_link_core(link)->type) &&
	       (!bound->sst_alen ||
		(bound->sst_alen == link->addr_len &&
		 !memcmp(bound->sst_addr, link->addr, link->addr_len)));
}

/**
 * st_link_route - choose the link to an address
 * @st: the socket; its binding limits the choice
 * @to: the address; sst_ifindex 0 is any device, sst_llp 0 any LLP
 * @err: -ENODEV for no such device or no such LLP on it, -ENETUNREACH when
 *	there is no link at all, -ENETDOWN when no link is up and usable or the
 *	device that @st is bound to is gone, -EINVAL for an address of the wrong
 *	length, or of a group
 *
 * The order among links that are up is: highest st_llp.priority, lowest ifindex, oldest.  A
 * link without carrier is used only if no other is left: the carrier may come while the setup
 * is repeated.
 *
 * Context: process.
 * Return: the link with a reference, or NULL.
 */
struct st_link *st_link_route(const struct st_sock *st, const struct sockaddr_st *to, int *err)
{
	struct st_net *sn = st_net_of(st);
	struct st_link *link, *found = NULL;
	struct st_link_core *core;
	enum st_link_state state;

	if (st_bound_gone(st)) {
		*err = -ENETDOWN;
		return NULL;
	}
	*err = to->sst_ifindex || to->sst_llp ? -ENODEV : -ENETUNREACH;
	rcu_read_lock();
	list_for_each_entry_rcu(core, &sn->links, list) {
		link = &core->link;
		if (to->sst_ifindex && link->dev->ifindex != to->sst_ifindex)
			continue;
		if (to->sst_llp && core->type != to->sst_llp)
			continue;
		if (!st_link_bound(link, st))
			continue;
		if (link->addr_len != to->sst_alen || !st_link_addr_ok(link, to->sst_addr)) {
			/* Another link may take this address */
			if (*err != -ENETDOWN)
				*err = -EINVAL;
			continue;
		}
		state = st_link_state(link);
		if ((state != ST_LINK_STATE_UP && state != ST_LINK_STATE_NO_CARRIER) ||
		    !st_link_max_stu(link, ST_DATA_CHANNEL)) {
			*err = -ENETDOWN;
			continue;
		}
		if ((found && state != ST_LINK_STATE_UP) || !st_link_get(link))
			continue;
		if (found)
			st_link_put(found);
		found = link;
		if (state == ST_LINK_STATE_UP)
			break;
	}
	rcu_read_unlock();
	return found;
}
