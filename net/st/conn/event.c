// SPDX-License-Identifier: GPL-2.0
/*
 * Events: what an application learns besides its records.  They wait in a queue of the
 * socket, count against SO_RCVBUF, so that a peer can't fill memory with them, and are
 * EPOLLPRI.
 */
#include <linux/errqueue.h>
#include <linux/rcupdate.h>

#include "conn/host.h"
#include "st_sock.h"

static void st_event_wake(struct sock *sk)
{
	struct socket_wq *wq;

	if (sock_flag(sk, SOCK_DEAD))
		return;
	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLPRI);
	/* No SIGURG, which is for those alone that have set F_SETSIG */
	sk_wake_async_rcu(sk, SOCK_WAKE_IO, POLL_PRI);
	rcu_read_unlock();
}

/* Return: false when SO_RCVBUF is used up. */
static bool st_event_charge(struct sock *sk, struct sk_buff *skb)
{
	if (atomic_read(&sk->sk_rmem_alloc) + skb->truesize >= READ_ONCE(sk->sk_rcvbuf))
		return false;
	skb_set_owner_r(skb, sk);
	return true;
}

/**
 * st_event_queue - tell the application something that is undone if that fails
 * @st: the socket
 * @event: what
 *
 * Context: any but hard interrupt.
 * Return: 0, or -ENOMEM, counted, when there is no room for it.
 */
int st_event_queue(struct st_sock *st, const struct st_event *event)
{
	struct sk_buff *skb = st_peer_skb(st, sizeof(*event));

	if (!skb || !st_event_charge(&st->sk, skb)) {
		atomic64_inc(&st_net_of(st)->drops[skb ? ST_DROP_EVENT : ST_DROP_NOMEM]);
		kfree_skb(skb);
		return -ENOMEM;
	}
	st_event_post(st, skb, event);
	return 0;
}

/**
 * st_event_tell - tell the application something that has happened in any case
 * @st: the socket
 * @event: what
 *
 * One that there is no room for is lost, and an ST_EVENT_LOST says so.
 *
 * Context: any but hard interrupt.
 */
void st_event_tell(struct st_sock *st, const struct st_event *event)
{
	if (sock_flag(&st->sk, SOCK_DEAD) || !st_event_queue(st, event))
		return;
	if (atomic_inc_return(&st->events.lost) == 1)
		st_event_wake(&st->sk);
}

/**
 * st_event_reserve - make sure of the room for one event
 * @st: the socket
 *
 * Context: process, may sleep.
 * Return: what st_event_post() takes, or NULL when SO_RCVBUF is used up.
 */
struct sk_buff *st_event_reserve(struct st_sock *st)
{
	struct sk_buff *skb = alloc_skb(sizeof(struct st_event), GFP_KERNEL_ACCOUNT);

	if (skb && !st_event_charge(&st->sk, skb)) {
		kfree_skb(skb);
		skb = NULL;
	}
	return skb;
}

/**
 * st_event_post - tell the application something that there is room for
 * @st: the socket
 * @skb: from st_event_reserve(); is taken
 * @event: what
 *
 * Context: any but hard interrupt.
 */
void st_event_post(struct st_sock *st, struct sk_buff *skb, const struct st_event *event)
{
	skb_put_data(skb, event, sizeof(*event));
	skb_queue_tail(&st->events.queue, skb);
	st_event_wake(&st->sk);
}

/**
 * st_event_waits - whether there is an event for recvmsg()
 * @st: the socket
 *
 * Context: any.
 * Return: true when there is one.
 */
bool st_event_waits(const struct st_sock *st)
{
	return !skb_queue_empty_lockless(&st->events.queue) || atomic_read(&st->events.lost);
}

/**
 * st_event_interrupt - an operation asks for the application's attention, ST 7.4
 * @st: the Virtual Connection
 * @op: the operation
 *
 * Context: softirq, under st->lock.
 */
void st_event_interrupt(struct st_sock *st, const struct st_op *op)
{
	const struct st_event event = {
		.type = ST_EVENT_INTERRUPT,
		.id = op->d_id,
		.flags = op->op,
		.value = op->op == ST_OP_DATA ? op->s_id : 0,
	};

	if ((op->flags & ST_F_INTERRUPT) && (READ_ONCE(st->opts.serve) & ST_SERVE_INTERRUPTS))
		st_event_tell(st, &event);
}

/* The next event.  Return: false when there is none. */
static bool st_event_next(struct st_sock *st, struct st_event *event)
{
	struct sk_buff *skb = skb_dequeue(&st->events.queue);

	if (skb) {
		memcpy(event, skb->data, sizeof(*event));
		consume_skb(skb);
		return true;
	}
	/* Told last: some of those that had room may have come after them */
	*event = (struct st_event){
		.type = ST_EVENT_LOST,
		.len = atomic_xchg(&st->events.lost, 0),
	};
	return event->len;
}

/**
 * st_event_recv - recvmsg() with MSG_ERRQUEUE
 * @st: the socket
 * @msg: gets the oldest event, or without one the oldest completion of MSG_ZEROCOPY, as a
 *	control message, and no bytes
 *
 * Context: process.
 * Return: 0, or -EAGAIN when there is none.
 */
int st_event_recv(struct st_sock *st, struct msghdr *msg)
{
	struct sock_extended_err ee;
	struct st_event event;
	struct sk_buff *skb;

	if (st_event_next(st, &event)) {
		put_cmsg(msg, SOL_ST, ST_EVENT, sizeof(event), &event);
	} else {
		skb = sock_dequeue_err_skb(&st->sk);
		if (!skb)
			return -EAGAIN;
		ee = SKB_EXT_ERR(skb)->ee;
		consume_skb(skb);
		put_cmsg(msg, SOL_ST, ST_RECVERR, sizeof(ee), &ee);
	}
	msg->msg_flags |= MSG_ERRQUEUE;
	return 0;
}

/**
 * st_tx_wake - tell who waits for room in SO_SNDBUF
 * @sk: the socket
 *
 * Context: any.
 */
void st_tx_wake(struct sock *sk)
{
	struct socket_wq *wq;

	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
	sk_wake_async_rcu(sk, SOCK_WAKE_SPACE, POLL_OUT);
	rcu_read_unlock();
}
