// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel memory for data that peers send and nobody has read, and for requests that are not
 * yet done.
 *
 * It is charged to the memory cgroup of the socket, to the sending host and to the network
 * namespace, see st_host_charge() and st_host_keep().  Memory that every Virtual Connection
 * takes once is charged to the cgroup only: the number of Virtual Connections is limited.
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

#include "conn/host.h"
#include "st_sock.h"
#include "xfer/rx_block.h"

/* Bytes of a buffer besides its pages */
static u32 st_rx_buf_head(unsigned int pages)
{
	return struct_size_t(struct st_buf, seg, pages);
}

/*
 * Memory for received data.  @len: bytes, not 0.  Return: NULL without memory or at a limit,
 * which is counted.
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
 * st_chunk_new - allocate memory for bytes of a Transfer
 * @st: the Virtual Connection
 * @start: place of the first byte in the Transfer
 * @len: bytes
 * @first: the reader has nothing to read before them, so SO_RCVBUF does not apply
 *
 * Return: the memory, on no list, or NULL without memory or at a limit.
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
	/* There is no other trigger to try again */
	st_timer_at(st, jiffies + st_op_timeout(st));
	return NULL;
}

/**
 * st_chunk_free - free received bytes
 * @st: the Virtual Connection
 * @chunk: the bytes, on no list; or NULL
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
 * st_chunk_insert - insert bytes for the reader
 * @rx: the Transfer
 * @chunk: the bytes
 *
 * The list is sorted by place, whatever the order in which Blocks are completed.  A chunk goes
 * behind one with the same place.
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
