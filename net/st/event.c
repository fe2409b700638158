// SPDX-License-Identifier: GPL-2.0
/*
 * Events: what an application learns besides its records, on the error queue of
 * the socket.
 */
#include <linux/errqueue.h>

#include "st.h"

/**
 * st_event_queue - tell the application something
 * @st: the socket
 * @event: what
 *
 * Events count against SO_RCVBUF, so that a peer can't fill memory with them.
 *
 * Context: any but hard interrupt.
 * Return: 0, or -ENOMEM when there is no room for it.
 */
int st_event_queue(struct st_sock *st, const struct st_event *event)
{
	struct sk_buff *skb = st_peer_skb(st, sizeof(*event));
	int err;

	if (!skb)
		return -ENOMEM;
	skb_put_data(skb, event, sizeof(*event));
	memset(SKB_EXT_ERR(skb), 0, sizeof(*SKB_EXT_ERR(skb)));
	err = sock_queue_err_skb(&st->sk, skb);
	if (err)
		kfree_skb(skb);
	return err;
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
	struct sock *sk = &st->sk;

	if (!skb)
		return NULL;
	if (atomic_read(&sk->sk_rmem_alloc) + skb->truesize >= READ_ONCE(sk->sk_rcvbuf)) {
		kfree_skb(skb);
		return NULL;
	}
	memset(SKB_EXT_ERR(skb), 0, sizeof(*SKB_EXT_ERR(skb)));
	skb_set_owner_r(skb, sk);
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
	skb_queue_tail(&st->sk.sk_error_queue, skb);
	if (!sock_flag(&st->sk, SOCK_DEAD))
		sk_error_report(&st->sk);
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

	if ((op->flags & ST_F_INTERRUPT) && (READ_ONCE(st->serve) & ST_SERVE_INTERRUPTS))
		st_event_queue(st, &event);
}

/**
 * st_event_recv - recvmsg() with MSG_ERRQUEUE
 * @sk: the socket
 * @msg: gets the oldest event or completion of MSG_ZEROCOPY as a control
 *	message, and no bytes
 *
 * Return: 0, or -EAGAIN when there is none.
 */
int st_event_recv(struct sock *sk, struct msghdr *msg)
{
	struct sk_buff *skb = sock_dequeue_err_skb(sk);
	struct sock_extended_err ee;

	if (!skb)
		return -EAGAIN;
	ee = SKB_EXT_ERR(skb)->ee;
	if (ee.ee_origin == SO_EE_ORIGIN_ZEROCOPY)
		put_cmsg(msg, SOL_ST, ST_RECVERR, sizeof(ee), &ee);
	else
		put_cmsg(msg, SOL_ST, ST_EVENT, sizeof(struct st_event), skb->data);
	msg->msg_flags |= MSG_ERRQUEUE;
	consume_skb(skb);
	return 0;
}
