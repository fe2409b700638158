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
	struct sk_buff *skb = alloc_skb(sizeof(*event), GFP_ATOMIC | __GFP_NOWARN);
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
