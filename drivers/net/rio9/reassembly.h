/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reassembly of PDUs, 3.2.5.
 */
#ifndef _RIO9_REASSEMBLY_H
#define _RIO9_REASSEMBLY_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include "wire.h"

/* A PDU whose next segment does not come for that long is given up; the text leaves it open */
#define RIO9_TIMEOUT	HZ

/* Contexts that time out while the lock is held once */
#define RIO9_EXPIRE_BATCH	64

/**
 * struct rio9_source - an endpoint that may have contexts
 * @id: its ID
 * @open: contexts that it has open
 */
struct rio9_source {
	u16 id;
	u32 open;
};

/**
 * struct rio9_context - a segmentation context, 3.2.4
 * @hash: in its bucket while it is open, in the list of free ones otherwise
 * @age: in the list of open ones
 * @source: whose it is; NULL if it is not open
 * @dst: destination ID of its segments
 * @channel: their physical channel
 * @skb: the PDU, NULL if it is defective
 * @tail: where in the newest page of @skb the next byte goes
 * @room: bytes left there
 * @cos: class of service of all segments
 * @touched: jiffies, when the newest segment came
 */
struct rio9_context {
	struct hlist_node hash;
	struct list_head age;
	struct rio9_source *source;
	u16 dst;
	u8 channel;
	struct sk_buff *skb;
	u8 *tail;
	unsigned int room;
	u8 cos;
	unsigned long touched;
};

/**
 * struct rio9_reassembly - all of an endpoint
 * @lock: serialises everything here; the caller of rio9_reassembly_rx() holds it, for as many
 *	packets as it has
 * @mtu: payload of a full segment
 * @max_pdu: bytes of the longest PDU
 * @contexts: how many there can be: SegSupport, 5.4.3
 * @open: how many are open
 * @share: how many a source may have open
 * @timeout: jiffies after which an open context is closed
 * @memory: bytes of memory that PDUs in open contexts take
 * @memory_max: the most that they may take
 * @seed: of the hash
 * @bits: logarithm of the number of @buckets
 * @buckets: open contexts by source, destination and physical channel
 * @free: contexts that are closed
 * @age: open contexts, that which has been silent longest first
 * @table: all contexts
 * @sources: &struct rio9_source by ID
 * @source_count: how many
 * @stats: what was counted, by &enum rio9_stat
 */
struct rio9_reassembly {
	spinlock_t lock;	/* everything in here */
	unsigned int mtu;
	unsigned int max_pdu;
	unsigned int contexts;
	unsigned int open;
	unsigned int share;
	unsigned long timeout;
	size_t memory;
	size_t memory_max;
	u32 seed;
	unsigned int bits;
	struct hlist_head *buckets;
	struct hlist_head free;
	struct list_head age;
	struct rio9_context *table;
	struct xarray sources;
	unsigned int source_count;
	u64 stats[RIO9_STATS];
};

static inline void rio9_count(struct rio9_reassembly *r, enum rio9_stat stat)
{
	lockdep_assert_held(&r->lock);
	r->stats[stat]++;
}

int rio9_reassembly_init(struct rio9_reassembly *r, unsigned int mtu, unsigned int max_pdu,
			 unsigned int contexts);
void rio9_reassembly_destroy(struct rio9_reassembly *r);
int rio9_reassembly_add_source(struct rio9_reassembly *r, u16 id);
void rio9_reassembly_del_source(struct rio9_reassembly *r, u16 id);
void rio9_reassembly_set_mtu(struct rio9_reassembly *r, unsigned int mtu);
struct sk_buff *rio9_reassembly_rx(struct rio9_reassembly *r, const struct rio9_packet *p,
				   unsigned long now);
void rio9_reassembly_gap(struct rio9_reassembly *r, u16 src, u16 dst, u8 channel);
bool rio9_reassembly_expire(struct rio9_reassembly *r, unsigned long now);

#endif
