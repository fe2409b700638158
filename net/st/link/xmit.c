// SPDX-License-Identifier: GPL-2.0
/* Construction of operations as skbs, and their delivery to an LLP. */
#include <linux/netdevice.h>

#include "link/link.h"
#include "link/route.h"

/**
 * st_alloc - build an operation with a short payload
 * @link: the link it is sent on
 * @op: the operation
 * @data: the payload, copied
 * @len: length of the payload, bytes
 * @checksum: add a checksum, ST 8.3.2
 *
 * Context: any.
 * Return: the skb, at the Schedule Header, for the Control Channel; NULL without memory.
 */
struct sk_buff *st_alloc(const struct st_link *link, const struct st_op *op, const void *data,
			 u32 len, bool checksum)
{
	/* Both are multiples of four, which aligns the Schedule Header */
	unsigned int room = LL_RESERVED_SPACE(link->dev) + ALIGN(link->headroom, 4);
	struct st_csum csum;
	struct st_hdr *hdr;
	struct sk_buff *skb;

	skb = alloc_skb(room + ST_HDR_LEN + len + link->dev->needed_tailroom + link->tailroom,
			GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	hdr = skb_put(skb, ST_HDR_LEN);
	st_op_pack(op, hdr);
	skb_put_data(skb, data, len);
	if (checksum) {
		st_csum_init(&csum);
		st_csum_hdr(&csum, hdr);
		st_csum_add(&csum, csum_partial(data, len, 0), len);
		hdr->cksum = st_csum_finish(&csum);
	}
	ST_SKB_CB(skb)->channel = ST_CONTROL_CHANNEL;
	return skb;
}

/**
 * st_alloc_op - build a Control operation
 * @link: the link it is sent on
 * @op: the operation
 * @checksum: add a checksum, ST 8.3.2
 *
 * Context: any.
 * Return: the skb, at the Schedule Header; NULL without memory.
 */
struct sk_buff *st_alloc_op(const struct st_link *link, const struct st_op *op, bool checksum)
{
	return st_alloc(link, op, NULL, 0, checksum);
}

/**
 * st_xmit - pass an operation to the LLP
 * @link: the link; nothing is sent over one that is gone
 * @skb: the operation, at its Schedule Header; consumed
 * @daddr: the destination address
 * @route: the route to it, or NULL; if the LLP connects, only a route that is up is used
 *
 * Context: under no st_sock.lock; any but hard interrupt.
 */
void st_xmit(struct st_link *link, struct sk_buff *skb, const u8 *daddr, struct st_route *route)
{
	const struct st_llp_ops *ops;

	local_bh_disable();
	rcu_read_lock();
	if (READ_ONCE(st_link_core(link)->dead)) {
		kfree_skb(skb);
	} else {
		ops = link->llp->ops;
		skb->dev = link->dev;
		if (ops->connect && !(route && st_route_is_up(route))) {
			kfree_skb(skb);
			atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_XMIT]);
		} else if (ops->xmit(link, skb, ST_SKB_CB(skb)->channel, daddr, route)) {
			atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_XMIT]);
		}
	}
	rcu_read_unlock();
	local_bh_enable();
}

/**
 * st_send_op - send a Control operation outside of any Virtual Connection
 * @link: the link
 * @op: the operation
 * @checksum: add a checksum
 * @daddr: the destination address
 *
 * It uses an existing route: none is set up for it.
 *
 * Context: under no st_sock.lock; any but hard interrupt.
 */
void st_send_op(struct st_link *link, const struct st_op *op, bool checksum, const u8 *daddr)
{
	struct sk_buff *skb = st_alloc_op(link, op, checksum);

	if (!skb) {
		atomic64_inc(&st_pernet(link->net)->drops[ST_DROP_NOMEM]);
		return;
	}
	rcu_read_lock();
	st_xmit(link, skb, daddr, st_route_find(link, daddr));
	rcu_read_unlock();
}
