// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual output queues: PDUs that wait to be sent, by destination and class of service, 3.3.
 *
 * A queue has a list for each stream in it, so that a stream that its destination has stopped
 * holds up no other.  The queues of a physical channel take turns, and so do the streams of a
 * queue.
 */
#include <kunit/visibility.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "voq.h"

static u32 rio9_voq_hash(const struct rio9_voqs *q, const struct rio9_pdu *pdu)
{
	return rio9_queue_hash(q->seed, pdu->peer, pdu->cos, 0);
}

static u32 rio9_stream_hash(const struct rio9_voqs *q, const struct rio9_pdu *pdu)
{
	return rio9_queue_hash(q->seed, pdu->peer, pdu->cos, pdu->stream);
}

static struct rio9_voq *rio9_voq_find(const struct rio9_voqs *q, const struct rio9_pdu *pdu)
{
	struct rio9_voq *voq;

	hash_for_each_possible(q->voqs, voq, hash, rio9_voq_hash(q, pdu))
		if (voq->peer == pdu->peer && voq->cos == pdu->cos)
			return voq;
	return NULL;
}

static struct rio9_stream *rio9_stream_find(const struct rio9_voqs *q, const struct rio9_pdu *pdu)
{
	struct rio9_stream *stream;

	hash_for_each_possible(q->streams, stream, hash, rio9_stream_hash(q, pdu))
		if (stream->pdu.peer == pdu->peer && stream->pdu.cos == pdu->cos &&
		    stream->pdu.stream == pdu->stream)
			return stream;
	return NULL;
}

static void rio9_voq_free(struct rio9_voq *voq)
{
	if (voq->streams || voq->sending)
		return;
	hash_del(&voq->hash);
	kfree(voq);
}

static struct rio9_voq *rio9_voq_new(struct rio9_voqs *q, const struct rio9_pdu *pdu)
{
	struct rio9_voq *voq = kzalloc(sizeof(*voq), GFP_ATOMIC | __GFP_NOWARN);

	if (!voq)
		return NULL;
	voq->peer = pdu->peer;
	voq->cos = pdu->cos;
	voq->channel = pdu->channel;
	INIT_LIST_HEAD(&voq->ring);
	INIT_LIST_HEAD(&voq->ready);
	hash_add(q->voqs, &voq->hash, rio9_voq_hash(q, pdu));
	return voq;
}

/* A stream that may go, and its queue takes turns */
static void rio9_voq_join(struct rio9_voqs *q, struct rio9_stream *stream)
{
	struct rio9_voq *voq = stream->voq;

	list_add_tail(&stream->list, &voq->ready);
	if (list_empty(&voq->ring))
		list_add_tail(&voq->ring, &q->ring[voq->channel]);
}

static struct rio9_stream *rio9_stream_new(struct rio9_voqs *q, struct rio9_voq *voq,
					   const struct rio9_pdu *pdu)
{
	struct rio9_stream *stream = kzalloc(sizeof(*stream), GFP_ATOMIC | __GFP_NOWARN);

	if (!stream)
		return NULL;
	stream->voq = voq;
	stream->pdu = *pdu;
	stream->pdu.channel = voq->channel;
	__skb_queue_head_init(&stream->pdus);
	hash_add(q->streams, &stream->hash, rio9_stream_hash(q, pdu));
	rio9_voq_join(q, stream);
	voq->streams++;
	return stream;
}

/* Without a ready stream a queue takes no turn */
static void rio9_voq_leave_ring(struct rio9_voq *voq)
{
	if (list_empty(&voq->ready))
		list_del_init(&voq->ring);
}

/**
 * rio9_voq_add - a PDU waits
 * @q: all queues
 * @skb: the PDU; stays the caller's if there is no room for it
 * @pdu: its label; a queue that has PDUs keeps the physical channel of the first
 *
 * Return: its queue, or an error pointer: -ENOBUFS if the queue or the port is full, or has too
 *	much that is held, or -ENOMEM.
 */
struct rio9_voq *rio9_voq_add(struct rio9_voqs *q, struct sk_buff *skb,
			      const struct rio9_pdu *pdu)
{
	struct rio9_voq *voq = rio9_voq_find(q, pdu);
	struct rio9_stream *stream = rio9_stream_find(q, pdu);

	if (stream && stream->held && q->held_bytes + skb->truesize > RIO9_HELD_MAX)
		return ERR_PTR(-ENOBUFS);
	if ((voq ? voq->bytes : 0) + skb->truesize > RIO9_QUEUE_MAX ||
	    q->bytes + skb->truesize > RIO9_QUEUES_MAX)
		return ERR_PTR(-ENOBUFS);
	if (!voq)
		voq = rio9_voq_new(q, pdu);
	if (!voq)
		return ERR_PTR(-ENOMEM);
	if (!stream)
		stream = rio9_stream_new(q, voq, pdu);
	if (!stream) {
		rio9_voq_free(voq);
		return ERR_PTR(-ENOMEM);
	}
	__skb_queue_tail(&stream->pdus, skb);
	stream->bytes += skb->truesize;
	voq->bytes += skb->truesize;
	q->bytes += skb->truesize;
	if (stream->held)
		q->held_bytes += skb->truesize;
	return voq;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_add);

/**
 * rio9_voq_next - whose turn it is
 * @q: all queues
 * @channel: a physical channel
 *
 * Return: the stream whose first PDU is the next of the channel, or NULL.
 */
struct rio9_stream *rio9_voq_next(struct rio9_voqs *q, u8 channel)
{
	struct rio9_voq *voq = list_first_entry_or_null(&q->ring[channel], struct rio9_voq, ring);

	return voq ? list_first_entry(&voq->ready, struct rio9_stream, list) : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_next);

/**
 * rio9_voq_hold - the next stream may not go
 * @q: all queues
 * @stream: the stream, of rio9_voq_next()
 *
 * Return: false if too much is held already.
 */
bool rio9_voq_hold(struct rio9_voqs *q, struct rio9_stream *stream)
{
	if (q->held_bytes + stream->bytes > RIO9_HELD_MAX)
		return false;
	stream->held = true;
	q->held_bytes += stream->bytes;
	list_move_tail(&stream->list, &q->held);
	rio9_voq_leave_ring(stream->voq);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_hold);

/**
 * rio9_voq_release - streams that were held are ready again
 * @q: all queues
 * @most: how many of @q->asking; the others stay there for the next call
 */
void rio9_voq_release(struct rio9_voqs *q, unsigned int most)
{
	struct rio9_stream *stream, *next;

	list_for_each_entry_safe(stream, next, &q->asking, list) {
		if (!most--)
			return;
		stream->held = false;
		q->held_bytes -= stream->bytes;
		list_del(&stream->list);
		rio9_voq_join(q, stream);
	}
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_release);

static void rio9_stream_free(struct rio9_stream *stream)
{
	struct rio9_voq *voq = stream->voq;

	hash_del(&stream->hash);
	list_del(&stream->list);
	voq->streams--;
	rio9_voq_leave_ring(voq);
	kfree(stream);
}

/**
 * rio9_voq_take - the first PDU of the next stream is sent
 * @q: all queues
 * @stream: the stream, of rio9_voq_next()
 *
 * Its queue stays until rio9_voq_sent().
 *
 * Return: the PDU.
 */
struct sk_buff *rio9_voq_take(struct rio9_voqs *q, struct rio9_stream *stream)
{
	struct sk_buff *skb = __skb_dequeue(&stream->pdus);
	struct rio9_voq *voq = stream->voq;

	voq->sending = true;
	stream->bytes -= skb->truesize;
	voq->bytes -= skb->truesize;
	q->bytes -= skb->truesize;
	list_move_tail(&voq->ring, &q->ring[voq->channel]);
	if (skb_queue_empty(&stream->pdus))
		rio9_stream_free(stream);
	else
		list_move_tail(&stream->list, &voq->ready);
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_take);

/**
 * rio9_voq_sent - the PDU that was taken from a queue is sent, or given up
 * @voq: the queue, which is freed if it is empty
 */
void rio9_voq_sent(struct rio9_voq *voq)
{
	voq->sending = false;
	rio9_voq_free(voq);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_sent);

/**
 * rio9_voq_purge - free all PDUs
 * @q: all queues; none of them is sending
 */
void rio9_voq_purge(struct rio9_voqs *q)
{
	struct rio9_stream *stream;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(q->streams, i, next, stream, hash) {
		struct rio9_voq *voq = stream->voq;

		__skb_queue_purge(&stream->pdus);
		rio9_stream_free(stream);
		rio9_voq_free(voq);
	}
	q->bytes = 0;
	q->held_bytes = 0;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_purge);

/**
 * rio9_voq_init - all queues are empty
 * @q: all queues
 */
void rio9_voq_init(struct rio9_voqs *q)
{
	unsigned int i;

	hash_init(q->voqs);
	hash_init(q->streams);
	for (i = 0; i < RIO9_CHANNELS; i++)
		INIT_LIST_HEAD(&q->ring[i]);
	INIT_LIST_HEAD(&q->held);
	INIT_LIST_HEAD(&q->asking);
	q->seed = get_random_u32();
	q->bytes = 0;
	q->held_bytes = 0;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_voq_init);
