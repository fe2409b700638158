// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual input queues: PDUs that have arrived and wait for the stack, by source and class, 3.3.
 *
 * Traffic management is told of each level under the lock, so that it knows the newest.
 */
#include <kunit/visibility.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "netdev.h"
#include "port.h"
#include "tm_out.h"
#include "viq.h"

static struct rio9_viq *rio9_viq_find(const struct rio9_viqs *v, u16 source, u8 cos)
{
	struct rio9_viq *q;

	hash_for_each_possible(v->queues, q, hash, rio9_queue_hash(v->seed, source, cos, 0))
		if (q->source == source && q->cos == cos)
			return q;
	return NULL;
}

static struct rio9_viq *rio9_viq_new(struct rio9_viqs *v, const struct rio9_pdu *pdu)
{
	struct rio9_viq *q = kzalloc(sizeof(*q), GFP_ATOMIC | __GFP_NOWARN);

	if (!q)
		return NULL;
	q->source = pdu->peer;
	q->cos = pdu->cos;
	q->rank = pdu->channel < RIO9_VIQ_RANKS ? pdu->channel : 0;
	__skb_queue_head_init(&q->pdus);
	hash_add(v->queues, &q->hash, rio9_queue_hash(v->seed, pdu->peer, pdu->cos, 0));
	list_add_tail(&q->ring, &v->ring[q->rank]);
	return q;
}

static void rio9_viq_free(struct rio9_viq *q)
{
	hash_del(&q->hash);
	list_del(&q->ring);
	kfree(q);
}

/* That of the queue, or that of the port if it is the higher: both are what PDUs may be lost for */
static u8 rio9_viq_level(struct rio9_port *port, const struct rio9_viq *q)
{
	size_t all = port->viq.bytes + READ_ONCE(port->reassembly.memory);

	if (!q->bytes)
		return 0;
	return max(rio9_queue_level(q->bytes, port->viq.queue_max),
		   rio9_queue_level(all, port->viq.max));
}

static void rio9_viq_count(struct rio9_port *port, struct rio9_viq *q, ssize_t bytes)
{
	lockdep_assert_held(&port->viq.lock);
	q->bytes += bytes;
	port->viq.bytes += bytes;
	if (rio9_tm_is_managed(&port->tm))
		rio9_tm_viq(&port->tm, q->source, q->cos, rio9_viq_level(port, q));
}

/* The queue of a PDU, NULL if it has no room for so many bytes */
static struct rio9_viq *rio9_viq_for(struct rio9_viqs *v, const struct rio9_pdu *pdu,
				     unsigned int bytes)
{
	struct rio9_viq *q = rio9_viq_find(v, pdu->peer, pdu->cos);

	lockdep_assert_held(&v->lock);
	if ((q ? q->bytes : 0) + bytes > v->queue_max || v->bytes + bytes > v->max)
		return NULL;
	return q ?: rio9_viq_new(v, pdu);
}

/**
 * rio9_viq_add - a good PDU has come
 * @port: the port
 * @skb: the PDU, with its label; is taken
 *
 * A PDU for which there is no room is counted and freed; the other queues go on.
 *
 * Context: any but hard interrupts.
 */
void rio9_viq_add(struct rio9_port *port, struct sk_buff *skb)
{
	const struct rio9_pdu pdu = *rio9_skb_pdu(skb);
	struct rio9_viqs *v = &port->viq;
	struct rio9_viq *q = NULL;

	spin_lock_bh(&v->lock);
	if (!v->closed) {
		q = rio9_viq_for(v, &pdu, skb->truesize);
		if (!q)
			v->no_room++;
	}
	if (q) {
		__skb_queue_tail(&q->pdus, skb);
		rio9_viq_count(port, q, skb->truesize);
		if (rio9_tm_is_managed(&port->tm))
			rio9_tm_came(&port->tm, &pdu);
	}
	spin_unlock_bh(&v->lock);
	if (q)
		rio9_netdev_schedule(&port->up, false);
	else
		kfree_skb(skb);
}

/**
 * rio9_viq_read - fetch a PDU
 * @port: the port
 *
 * Those of the highest flow come first; the queues of a flow take turns.
 *
 * Context: any but hard interrupts.
 * Return: a PDU, or NULL.  rio9_skb_pdu() tells its label.
 */
struct sk_buff *rio9_viq_read(struct rio9_port *port)
{
	struct rio9_viqs *v = &port->viq;
	unsigned int rank = RIO9_VIQ_RANKS;
	struct sk_buff *skb = NULL;
	struct rio9_viq *q = NULL;

	spin_lock_bh(&v->lock);
	while (!q && rank--)
		q = list_first_entry_or_null(&v->ring[rank], struct rio9_viq, ring);
	if (q) {
		skb = __skb_dequeue(&q->pdus);
		rio9_viq_count(port, q, -(ssize_t)skb->truesize);
		list_move_tail(&q->ring, &v->ring[rank]);
		if (skb_queue_empty(&q->pdus))
			rio9_viq_free(q);
	}
	spin_unlock_bh(&v->lock);
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_viq_read);

/**
 * rio9_viq_set_max - the queues may take another amount of memory
 * @port: the port
 * @queue_max: bytes of a queue, at least RIO9_QUEUE_MIN
 * @max: bytes of all, at least @queue_max
 *
 * PDUs that are there stay.
 *
 * Context: any but hard interrupts.
 */
void rio9_viq_set_max(struct rio9_port *port, u32 queue_max, u32 max)
{
	spin_lock_bh(&port->viq.lock);
	WRITE_ONCE(port->viq.queue_max, queue_max);
	WRITE_ONCE(port->viq.max, max);
	spin_unlock_bh(&port->viq.lock);
	spin_lock_bh(&port->tm.lock);
	port->tm.viq_pdus = queue_max / RIO9_QUEUE_MIN;
	spin_unlock_bh(&port->tm.lock);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_viq_set_max);

/**
 * rio9_viq_close - the queues take PDUs, or take none any more
 * @port: the port
 * @closed: they take none, and what is in them is freed
 *
 * Context: process.
 */
void rio9_viq_close(struct rio9_port *port, bool closed)
{
	struct sk_buff *skb;

	spin_lock_bh(&port->viq.lock);
	WRITE_ONCE(port->viq.closed, closed);
	spin_unlock_bh(&port->viq.lock);
	while (closed && (skb = rio9_viq_read(port)))
		kfree_skb(skb);
}

/**
 * rio9_viq_init - all queues are empty, and open
 * @port: the port
 */
void rio9_viq_init(struct rio9_port *port)
{
	struct rio9_viqs *v = &port->viq;
	unsigned int i;

	spin_lock_init(&v->lock);
	v->seed = get_random_u32();
	hash_init(v->queues);
	for (i = 0; i < RIO9_VIQ_RANKS; i++)
		INIT_LIST_HEAD(&v->ring[i]);
	v->queue_max = RIO9_QUEUE_MAX;
	v->max = RIO9_QUEUES_MAX;
}
