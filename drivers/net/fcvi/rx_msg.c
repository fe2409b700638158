// SPDX-License-Identifier: GPL-2.0
/*
 * A Message that is being received: its life, and the frames that wait for its turn.
 */
#include <linux/fc2.h>
#include <linux/slab.h>

#include "disconnect.h"
#include "msg.h"
#include "rx_msg.h"
#include "sched.h"

struct fcvi_rx_cb {
	u32 offset;
};

static struct fcvi_rx_cb *fcvi_rx_cb(const struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct fcvi_rx_cb) > sizeof(skb->cb));
	return (struct fcvi_rx_cb *)skb->cb;
}

static bool fcvi_rx_full(const struct fcvi_vi *vi)
{
	return vi->rx.held >= FCVI_RX_HELD && vi->rx.held - FCVI_RX_HELD >= vi->depth;
}

/**
 * fcvi_rx_msg_init - make a Message, which waits for its turn
 * @m: the Message
 * @vi: the endpoint
 * @iu: Device_Header of its first frame
 */
void fcvi_rx_msg_init(struct fcvi_rx_msg *m, struct fcvi_vi *vi, const struct fcvi_iu *iu)
{
	INIT_LIST_HEAD(&m->list);
	INIT_LIST_HEAD(&m->taken);
	m->vi = vi;
	m->mx = NULL;
	m->iu = *iu;
	m->desc = NULL;
	m->state = FCVI_RX_WAITS;
	m->alone = false;
	m->end = 0;
	m->answer = 0;
	m->cause = 0;
	m->sending = false;
	m->got = 0;
	m->nr_parts = 0;
	__skb_queue_head_init(&m->held);
}

/**
 * fcvi_rx_msg_new - make a Message that stays
 * @vi: the endpoint
 * @iu: Device_Header of its first frame
 *
 * Return: the Message, or NULL: there is no memory, or the endpoint has too many.
 */
struct fcvi_rx_msg *fcvi_rx_msg_new(struct fcvi_vi *vi, const struct fcvi_iu *iu)
{
	struct fcvi_rx_msg *m;

	if (fcvi_rx_full(vi))
		return NULL;
	m = kmalloc(sizeof(*m), GFP_ATOMIC);
	if (!m)
		return NULL;
	fcvi_rx_msg_init(m, vi, iu);
	vi->rx.held++;
	return m;
}

/**
 * fcvi_rx_msg_leave - leave the Exchange of a Message; what still comes in it is dropped
 * @m: the Message
 */
void fcvi_rx_msg_leave(struct fcvi_rx_msg *m)
{
	if (m->sending)
		fcvi_sched_remove(&m->out);
	m->sending = false;
	if (!m->mx)
		return;
	m->mx->priv = NULL;
	/* The other side does not end it when it waits for a Response */
	if (m->end & FC2_SEND_INITIATIVE)
		m->vi->port->msgs->close(m->mx);
	m->mx = NULL;
}

/**
 * fcvi_rx_msg_drop - drop the frames of a Message that wait
 * @m: the Message
 */
void fcvi_rx_msg_drop(struct fcvi_rx_msg *m)
{
	m->vi->rx.held -= skb_queue_len(&m->held);
	__skb_queue_purge(&m->held);
}

/**
 * fcvi_rx_msg_free - forget a Message
 * @m: the Message, which has left its Exchange
 */
void fcvi_rx_msg_free(struct fcvi_rx_msg *m)
{
	struct fcvi_rx *rx = &m->vi->rx;

	list_del_init(&m->list);
	list_del_init(&m->taken);
	fcvi_rx_msg_drop(m);
	if (rx->read == m)
		rx->read = NULL;
	if (m->alone)
		return;
	rx->held--;
	kfree(m);
}

/**
 * fcvi_rx_msg_hold - keep a frame until the turn of its Message
 * @m: the Message
 * @skb: the frame; consumed
 * @offset: its Relative Offset
 *
 * Return: whether there is room for it.
 */
bool fcvi_rx_msg_hold(struct fcvi_rx_msg *m, struct sk_buff *skb, u32 offset)
{
	if (!skb->len) {
		consume_skb(skb);
		return true;
	}
	if (fcvi_rx_full(m->vi)) {
		kfree_skb(skb);
		return false;
	}
	fcvi_rx_cb(skb)->offset = offset;
	__skb_queue_tail(&m->held, skb);
	m->vi->rx.held++;
	return true;
}

/**
 * fcvi_rx_msg_release - let the next frame go that waits
 * @m: the Message
 * @offset: gets its Relative Offset
 *
 * Return: the frame, or NULL.
 */
struct sk_buff *fcvi_rx_msg_release(struct fcvi_rx_msg *m, u32 *offset)
{
	struct sk_buff *skb = __skb_dequeue(&m->held);

	if (skb) {
		*offset = fcvi_rx_cb(skb)->offset;
		m->vi->rx.held--;
	}
	return skb;
}

/**
 * fcvi_rx_error - an endpoint goes to Error
 * @vi: the endpoint; it takes Messages
 * @cause: Reason Code
 *
 * Before the connection stands at this end that has to wait.
 */
void fcvi_rx_error(struct fcvi_vi *vi, enum fcvi_reason cause)
{
	if (vi->state == FCVI_CONNECTED)
		fcvi_disconnect_lost(vi, cause);
	else
		vi->rx.cause = cause;
}
