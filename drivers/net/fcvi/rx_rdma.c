// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA from the other side: the memory that it reads and writes.
 *
 * The rights are the stricter ones of endpoint and region, VI-ARCH 3.2.2.2.  The region is looked
 * up for each frame, as it goes away at any time.
 */
#include <linux/errno.h>

#include "rx_rdma.h"

/* The region of some bytes of a Message, under the lock of the memory */
static struct fcvi_region *fcvi_rx_region(const struct fcvi_rx_msg *m, u32 offset, u32 len)
{
	bool read = m->iu.opcode == FCVI_READ_RQST;
	const struct fcvi_attrs *attrs = &m->vi->attrs;

	/* No region has addresses beyond the last one */
	if (m->iu.rmt_va + offset < m->iu.rmt_va)
		return NULL;
	if (!(read ? attrs->rdma_read : attrs->rdma_write))
		return NULL;
	return fcvi_region_find(&m->vi->port->mem, m->iu.rmt_va_handle, m->vi->tag,
				m->iu.rmt_va + offset, len,
				read ? FCVI_RDMA_READ : FCVI_RDMA_WRITE);
}

/**
 * fcvi_rx_rdma_allowed - check an RDMA before the first byte moves, VI-ARCH 6.3.2
 * @m: the Message
 *
 * Return: whether it has a right to all of the memory.
 */
bool fcvi_rx_rdma_allowed(const struct fcvi_rx_msg *m)
{
	struct fcvi_mem *mem = &m->vi->port->mem;
	bool allowed;

	spin_lock(&mem->lock);
	allowed = fcvi_rx_region(m, 0, m->iu.tot_len);
	spin_unlock(&mem->lock);
	return allowed;
}

/**
 * fcvi_rx_rdma_write - write a frame of an RDMA Write
 * @m: the Message
 * @offset: Relative Offset of the frame
 * @skb: the frame; consumed
 *
 * Return: 0, or -EFAULT: the memory is not there any more.
 */
int fcvi_rx_rdma_write(const struct fcvi_rx_msg *m, u32 offset, struct sk_buff *skb)
{
	struct fcvi_mem *mem = &m->vi->port->mem;
	struct fcvi_region *r;
	int err = -EFAULT;

	spin_lock(&mem->lock);
	r = fcvi_rx_region(m, offset, skb->len);
	if (r)
		err = fcvi_region_put(r, m->iu.rmt_va + offset, skb, 0, skb->len);
	spin_unlock(&mem->lock);
	consume_skb(skb);
	return err;
}

/**
 * fcvi_rx_rdma_read - make a frame of the data of an RDMA Read
 * @m: the Message
 * @offset: Relative Offset of the frame
 * @len: its bytes
 *
 * Return: the frame, or an error pointer: -EFAULT when the memory is not there any more, -ENOMEM.
 */
struct sk_buff *fcvi_rx_rdma_read(const struct fcvi_rx_msg *m, u32 offset, u32 len)
{
	struct sk_buff *skb = alloc_skb(FCVI_HEADROOM + len + FCVI_TAILROOM, GFP_ATOMIC);
	struct fcvi_mem *mem = &m->vi->port->mem;
	struct fcvi_region *r;

	if (!skb)
		return ERR_PTR(-ENOMEM);
	skb_reserve(skb, FCVI_HEADROOM);
	spin_lock(&mem->lock);
	r = fcvi_rx_region(m, offset, len);
	if (r)
		fcvi_region_get(r, m->iu.rmt_va + offset, skb_put(skb, len), len);
	spin_unlock(&mem->lock);
	if (r)
		return skb;
	kfree_skb(skb);
	return ERR_PTR(-EFAULT);
}
