/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual input queues: PDUs that have arrived and wait for the stack, by source and class, 3.3.
 */
#ifndef _RIO9_VIQ_H
#define _RIO9_VIQ_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>

#include "queue.h"

struct rio9_port;

/* Flows of the first virtual channel; the other virtual channels are served with the lowest */
#define RIO9_VIQ_RANKS	RIO9_CHANNEL_VC

/**
 * struct rio9_viq - PDUs of a source and a class
 * @hash: by @source and @cos
 * @ring: in the ring of its rank
 * @source: the source
 * @cos: the class
 * @rank: how early it is served: the flow of the PDU that came first
 * @pdus: the PDUs, in order
 * @bytes: memory of them
 */
struct rio9_viq {
	struct hlist_node hash;
	struct list_head ring;
	u16 source;
	u8 cos;
	u8 rank;
	struct sk_buff_head pdus;
	size_t bytes;
};

/**
 * struct rio9_viqs - all queues of a port
 * @lock: of all here
 * @closed: the device of the port is down, and takes nothing
 * @seed: of the hash
 * @queues: &struct rio9_viq that are not empty
 * @ring: queues by rank, the next one first
 * @bytes: memory of all PDUs
 * @queue_max: the most that the PDUs of a queue may take
 * @max: the most that all PDUs may take
 * @no_room: PDUs for which there was no room
 */
struct rio9_viqs {
	spinlock_t lock;	/* everything in here */
	bool closed;
	u32 seed;
	struct hlist_head queues[1 << RIO9_QUEUE_HASH];
	struct list_head ring[RIO9_VIQ_RANKS];
	size_t bytes;
	size_t queue_max;
	size_t max;
	u64 no_room;
};

void rio9_viq_init(struct rio9_port *port);
void rio9_viq_set_max(struct rio9_port *port, u32 queue_max, u32 max);
void rio9_viq_close(struct rio9_port *port, bool closed);
void rio9_viq_add(struct rio9_port *port, struct sk_buff *skb);
struct sk_buff *rio9_viq_read(struct rio9_port *port);

#endif
