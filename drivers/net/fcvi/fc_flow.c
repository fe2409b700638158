// SPDX-License-Identifier: GPL-2.0
/*
 * How many frames of Messages are on their way: no more than a socket may have in its send buffer.
 * Queues of the device then never grow so long that they drop frames, which Reliable Delivery
 * would take for an error.
 *
 * A frame belongs to the struct sock of its port, as those of tun do, until the device, or the
 * receiver in the same machine, has taken it.  A frame may be freed under the lock of the port, so
 * what waits is sent by a work item.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "fc_flow.h"
#include "fc_port.h"
#include "sched.h"

static struct proto fcvi_fc_proto = {
	.name		= "FC-VI",
	.obj_size	= sizeof(struct sock),
};

/* Those of ports that are gone, and have frames on their way; under RTNL */
static HLIST_HEAD(fcvi_fc_socks);

/* A frame is gone; in any context but hard interrupts, with and without the lock of the port. */
static void fcvi_fc_flow_space(struct sock *sk)
{
	struct fcvi_fc_port *p;

	/* Pairs with smp_mb() of fcvi_fc_flow_may_send() */
	smp_mb();
	rcu_read_lock();
	p = rcu_dereference_sk_user_data(sk);
	if (p && READ_ONCE(p->full) && sock_writeable(sk))
		queue_work(system_bh_wq, &p->flow);
	rcu_read_unlock();
}

static void fcvi_fc_flow_work(struct work_struct *work)
{
	struct fcvi_fc_port *p = container_of(work, struct fcvi_fc_port, flow);

	spin_lock_bh(&p->port.lock);
	WRITE_ONCE(p->full, false);
	fcvi_sched_run(&p->port);
	spin_unlock_bh(&p->port.lock);
}

/**
 * fcvi_fc_flow_begin - prepare a port for Messages
 * @p: the port
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int fcvi_fc_flow_begin(struct fcvi_fc_port *p)
{
	/* Without a namespace of its own, which it would keep alive */
	p->sk = sk_alloc(&init_net, AF_UNSPEC, GFP_KERNEL, &fcvi_fc_proto, 1);
	if (!p->sk)
		return -ENOMEM;
	sock_init_data(NULL, p->sk);
	p->sk->sk_write_space = fcvi_fc_flow_space;
	rcu_assign_sk_user_data(p->sk, p);
	INIT_WORK(&p->flow, fcvi_fc_flow_work);
	return 0;
}

static void fcvi_fc_flow_reap(void)
{
	struct hlist_node *next;
	struct sock *sk;

	ASSERT_RTNL();
	hlist_for_each_entry_safe(sk, next, &fcvi_fc_socks, sk_node) {
		if (sk_wmem_alloc_get(sk))
			continue;
		hlist_del_init(&sk->sk_node);
		sock_put(sk);
	}
}

/**
 * fcvi_fc_flow_end - end that, when nothing is sent any more
 * @p: the port
 *
 * Context: process, under RTNL.
 */
void fcvi_fc_flow_end(struct fcvi_fc_port *p)
{
	rcu_assign_sk_user_data(p->sk, NULL);
	synchronize_rcu();
	cancel_work_sync(&p->flow);
	/* Frames that are on their way call back into this module */
	hlist_add_head(&p->sk->sk_node, &fcvi_fc_socks);
	fcvi_fc_flow_reap();
}

/**
 * fcvi_fc_flow_exit - wait for the frames that are still on their way
 *
 * Context: process, when there are no ports any more.
 */
void fcvi_fc_flow_exit(void)
{
	for (;;) {
		rtnl_lock();
		fcvi_fc_flow_reap();
		rtnl_unlock();
		if (hlist_empty(&fcvi_fc_socks))
			break;
		msleep(20);
	}
}

/**
 * fcvi_fc_flow_own - count a frame that is to be sent
 * @p: the port
 * @skb: the frame; one that has an owner is counted there
 */
void fcvi_fc_flow_own(struct fcvi_fc_port *p, struct sk_buff *skb)
{
	if (skb->sk)
		return;
	/* In other queues of the device one frame could overtake another */
	sk_tx_queue_set(p->sk, 0);
	skb_set_owner_w(skb, p->sk);
}

/**
 * fcvi_fc_flow_may_send - see struct fcvi_msg_transport
 * @port: the port
 *
 * Return: whether another frame is to be sent now.
 */
bool fcvi_fc_flow_may_send(struct fcvi_port *port)
{
	struct fcvi_fc_port *p = fcvi_fc_port(port);

	lockdep_assert_held(&port->lock);
	if (sk_wmem_alloc_get(p->sk) < READ_ONCE(p->sk->sk_sndbuf))
		return true;
	WRITE_ONCE(p->full, true);
	/* Pairs with that of fcvi_fc_flow_space(), which may have looked before */
	smp_mb();
	if (!sock_writeable(p->sk))
		return false;
	WRITE_ONCE(p->full, false);
	return true;
}

/**
 * fcvi_fc_flow_later - see struct fcvi_msg_transport
 * @port: the port
 */
void fcvi_fc_flow_later(struct fcvi_port *port)
{
	queue_work(system_bh_wq, &fcvi_fc_port(port)->flow);
}
