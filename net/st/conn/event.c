// SPDX-License-Identifier: GPL-2.0
/*
 * Events: what an application learns besides its records.  They are queued to the socket and
 * raise EPOLLPRI.  They are charged to SO_RCVBUF, so that a peer cannot fill memory with them.
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
	/* Not SOCK_WAKE_URG: SIGURG is sent only where F_SETSIG is set */
	sk_wake_async_rcu(sk, SOCK_WAKE_IO, POLL_PRI);
	rcu_read_unlock();
}

/* Return: false when SO_RCVBUF is full. */
static bool st_event_charge(struct sock *sk, struct sk_buff *skb)
{
	if (atomic_read(&sk->sk_rmem_alloc) + skb->truesize >= READ_ONCE(sk->sk_rcvbuf))
		return false;
	skb_set_owner_r(skb, sk);
	return true;
}

/**
 * st_event_queue - queue an event for an action that is undone if this fails
 * @st: the socket
 * @event: the event
 *
 * Context: any but hard interrupt.
 * Return: 0, or -ENOMEM without room, which is counted.
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
 * st_event_tell - queue an event for something that has already happened
 * @st: the socket
 * @event: the event
 *
 * An event without room is dropped; an ST_EVENT_LOST reports how many were.
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
 * st_event_reserve - reserve room for one event
 * @st: the socket
 *
 * Context: process, may sleep.
 * Return: an skb for st_event_post(), or NULL without memory or when SO_RCVBUF is full.
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
 * st_event_post - queue an event with reserved room
 * @st: the socket
 * @skb: from st_event_reserve(); consumed
 * @event: the event
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
 * Return: true when there is.
 */
bool st_event_waits(const struct st_sock *st)
{
	return !skb_queue_empty_lockless(&st->events.queue) || atomic_read(&st->events.lost);
}

/**
 * st_event_interrupt - queue the event for a received Interrupt flag, ST 7.4
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

/* Return: false when there is no event. */
static bool st_event_next(struct st_sock *st, struct st_event *event)
{
	struct sk_buff *skb = skb_dequeue(&st->events.queue);

	if (skb) {
		memcpy(event, skb->data, sizeof(*event));
		consume_skb(skb);
		return true;
	}
	/* Last: some of the queued events may be newer than the lost ones */
	*event = (struct st_event){
		.type = ST_EVENT_LOST,
		.len = atomic_xchg(&st->events.lost, 0),
	};
	return event->len;
}

/**
 * st_event_recv - recvmsg() with MSG_ERRQUEUE
 * @st: the socket
 * @msg: gets, as a control message without bytes, the oldest event, or if there is no
 *	event the oldest completion of MSG_ZEROCOPY
 *
 * Context: process.
 * Return: 0, or -EAGAIN when there is neither.
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
 * st_tx_wake - wake waiters and pollers for room in SO_SNDBUF
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
