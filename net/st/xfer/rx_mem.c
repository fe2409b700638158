// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the kernel for what peers send and nobody has read, and for what they ask for
 * and is not done: who pays for it.
 *
 * The memory cgroup of whose socket it is, the host that sends, and the network
 * namespace, see st_host_charge() and st_host_keep().  What a Virtual Connection has once
 * and for all is limited by how many there may be, and the cgroup pays for it.
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "conn/host.h"
#include "st_sock.h"
#include "xfer/rx_block.h"

/* What a buffer takes besides its pages */
static u32 st_rx_buf_head(unsigned int pages)
{
	return struct_size_t(struct st_buf, seg, pages);
}

/*
 * Memory for what the peer sends.  @len: bytes, not 0.  Return: NULL when there is none, or as
 * much in use as there may be.  That is counted.
 */
static struct st_buf *st_rx_buf_alloc(struct st_sock *st, u64 len)
{
	u64 bytes = PAGE_ALIGN(len);
	struct mem_cgroup *before;
	struct st_buf *buf;

	if (!st_host_keep(st, st_rx_buf_head(bytes >> PAGE_SHIFT)))
		return NULL;
	if (!st_host_charge(st, bytes)) {
		st_host_forget(st, st_rx_buf_head(bytes >> PAGE_SHIFT));
		return NULL;
	}
	before = set_active_memcg(mem_cgroup_from_sk(&st->sk));
	buf = st_buf_alloc(len, ST_PEER_GFP);
	set_active_memcg(before);
	if (!buf) {
		st_host_uncharge(st, bytes);
		st_host_forget(st, st_rx_buf_head(bytes >> PAGE_SHIFT));
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_NOMEM]);
	}
	return buf;
}

static void st_rx_buf_free(struct st_sock *st, struct st_buf *buf)
{
	st_host_uncharge(st, (u64)buf->nr * PAGE_SIZE);
	st_host_forget(st, st_rx_buf_head(buf->max));
	st_buf_free(buf, false);
}

/**
 * st_chunk_new - memory for bytes of a Transfer
 * @st: the Virtual Connection
 * @start: place of the first byte in the Transfer
 * @len: bytes
 * @first: a reader has nothing until they have come, so SO_RCVBUF does not hold them up
 *
 * Return: the memory, on no list, or NULL.
 */
struct st_chunk *st_chunk_new(struct st_sock *st, u64 start, u64 len, bool first)
{
	struct st_chunk *chunk;

	st_assert_locked(st);
	if (!first && st->dest.mem && st->dest.mem + len > READ_ONCE(st->sk.sk_rcvbuf))
		return NULL;
	chunk = st_peer_alloc(st, sizeof(*chunk));
	if (!chunk)
		goto nomem;
	chunk->start = start;
	chunk->buf = st_rx_buf_alloc(st, len);
	if (chunk->buf)
		return chunk;
	st_peer_free(st, chunk, sizeof(*chunk));
nomem:
	/* Nothing else will come to try again */
	st_timer_at(st, jiffies + st_op_timeout(st));
	return NULL;
}

/**
 * st_chunk_free - give back received bytes
 * @st: the Virtual Connection
 * @chunk: the bytes, on no list, or NULL
 */
void st_chunk_free(struct st_sock *st, struct st_chunk *chunk)
{
	st_assert_owned(st);
	if (!chunk)
		return;
	st_rx_buf_free(st, chunk->buf);
	st_peer_free(st, chunk, sizeof(*chunk));
}

/**
 * st_chunk_insert - bytes to read
 * @rx: the Transfer
 * @chunk: the bytes
 *
 * Chunks are read in order; Blocks may be complete in any.  Of two with the same
 * place the one that was there before is read first.
 *
 * Context: under st->lock.
 */
void st_chunk_insert(struct st_rx *rx, struct st_chunk *chunk)
{
	struct st_chunk *before;

	list_for_each_entry_reverse(before, &rx->chunks, list)
		if (before->start <= chunk->start)
			break;
	list_add(&chunk->list, &before->list);
}
