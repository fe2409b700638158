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
#include "xfer/rx.h"

/* What a buffer takes besides its pages */
static u32 st_rx_buf_head(unsigned int pages)
{
	return struct_size_t(struct st_buf, seg, pages);
}

/**
 * st_rx_buf_alloc - memory for what the peer sends
 * @st: the Virtual Connection
 * @len: bytes, not 0
 *
 * Context: under st->lock.
 * Return: the buffer, to be given back with st_rx_buf_free(), or NULL: there is no
 * memory, or as much in use as there may be.  That is counted.
 */
struct st_buf *st_rx_buf_alloc(struct st_sock *st, u64 len)
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

/**
 * st_rx_buf_free - give memory back for what the peer has sent
 * @st: the Virtual Connection
 * @buf: the buffer
 *
 * Context: under st->lock, or nobody else uses @st.
 */
void st_rx_buf_free(struct st_sock *st, struct st_buf *buf)
{
	st_host_uncharge(st, (u64)buf->nr * PAGE_SIZE);
	st_host_forget(st, st_rx_buf_head(buf->max));
	st_buf_free(buf, false);
}
