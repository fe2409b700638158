/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual output queues: PDUs that wait to be sent, by destination and class of service, 3.3.
 */
#ifndef _RIO9_VOQ_H
#define _RIO9_VOQ_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/skbuff.h>

#include "queue.h"

/**
 * struct rio9_voq - the PDUs of a destination and a class
 * @hash: by @peer and @cos
 * @ring: in the ring of its channel, while it has streams that are ready
 * @ready: streams that have PDUs and are not held, the next one first
 * @peer: the destination
 * @cos: the class
 * @channel: physical channel; stays the same while the queue exists
 * @streams: how many streams have PDUs
 * @bytes: memory of all PDUs
 * @sending: one of its PDUs is being sent
 */
struct rio9_voq {
	struct hlist_node hash;
	struct list_head ring;
	struct list_head ready;
	u16 peer;
	u8 cos;
	u8 channel;
	unsigned int streams;
	size_t bytes;
	bool sending;
};

/**
 * struct rio9_stream - the PDUs of a stream
 * @hash: by its label
 * @list: among the ready streams of its queue, or the held streams of the port
 * @voq: its queue
 * @pdu: label of its PDUs
 * @pdus: the PDUs, in order
 * @bytes: memory of them
 * @held: traffic management has not let the first of them go
 */
struct rio9_stream {
	struct hlist_node hash;
	struct list_head list;
	struct rio9_voq *voq;
	struct rio9_pdu pdu;
	struct sk_buff_head pdus;
	size_t bytes;
	bool held;
};

/**
 * struct rio9_voqs - all queues of a port; the caller serialises
 * @seed: of the hashes
 * @voqs: &struct rio9_voq that have PDUs, or one on its way
 * @streams: &struct rio9_stream that have PDUs
 * @ring: queues with ready streams, by physical channel
 * @held: streams that are held
 * @asking: streams that were held, and are to be looked at again
 * @bytes: memory of all PDUs
 * @held_bytes: memory of the PDUs of the streams of both
 */
struct rio9_voqs {
	u32 seed;
	struct hlist_head voqs[1 << RIO9_QUEUE_HASH];
	struct hlist_head streams[1 << RIO9_QUEUE_HASH];
	struct list_head ring[RIO9_CHANNELS];
	struct list_head held;
	struct list_head asking;
	size_t bytes;
	size_t held_bytes;
};

void rio9_voq_init(struct rio9_voqs *q);
void rio9_voq_purge(struct rio9_voqs *q);
struct rio9_voq *rio9_voq_add(struct rio9_voqs *q, struct sk_buff *skb,
			      const struct rio9_pdu *pdu);
struct rio9_stream *rio9_voq_next(struct rio9_voqs *q, u8 channel);
bool rio9_voq_hold(struct rio9_voqs *q, struct rio9_stream *stream);
void rio9_voq_release(struct rio9_voqs *q, unsigned int most);
struct sk_buff *rio9_voq_take(struct rio9_voqs *q, struct rio9_stream *stream);
void rio9_voq_sent(struct rio9_voq *voq);

#endif
