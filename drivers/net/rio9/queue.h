/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the queues in front of the fabric and behind it have in common, 3.3.
 */
#ifndef _RIO9_QUEUE_H
#define _RIO9_QUEUE_H

#include <linux/jhash.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/skbuff.h>

#include "tm_state.h"

/* Logarithm of the buckets of a hash of queues */
#define RIO9_QUEUE_HASH		8

/* A PDU of the largest size, as memory: its pages, and what it has for its first segment */
#define RIO9_QUEUE_MIN		(RIO9_PDU_MAX + 2 * PAGE_SIZE)
/* A queue has room for 1 MiB in such PDUs, unless an administrator says something else */
#define RIO9_QUEUE_MAX		(RIO9_TM_VIQ_PDUS * RIO9_QUEUE_MIN)
/* All queues of a port, as memory */
#define RIO9_QUEUES_MAX		SZ_16M
/* Of them, PDUs of streams that are held: who is not stopped has room whatever peers say */
#define RIO9_HELD_MAX		(RIO9_QUEUES_MAX / 2)

/* A level in 1/255, rounded up: 0 is empty, 255 is full, 4.3.3 */
static inline u8 rio9_queue_level(size_t bytes, size_t max)
{
	return min_t(u64, DIV64_U64_ROUND_UP((u64)bytes * U8_MAX, max), U8_MAX);
}

static inline u32 rio9_queue_key(u16 peer, u8 cos)
{
	return (u32)peer << 8 | cos;
}

/* With a seed, so that nobody can choose streams that share a bucket */
static inline u32 rio9_queue_hash(u32 seed, u16 peer, u8 cos, u16 stream)
{
	return jhash_2words(rio9_queue_key(peer, cos), stream, seed);
}

#endif
