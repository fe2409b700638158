// SPDX-License-Identifier: GPL-2.0
/*
 * Data operations, for Transfers and for persistent memory: how much goes into one, how it is
 * built and queued, and how the payload of a received one gets into memory.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/netdevice.h>

#include "conn/conn.h"
#include "link/link.h"
#include "wire/gso.h"

/**
 * st_alloc_data - build a short Data operation
 * @st: the Virtual Connection
 * @op: the operation
 * @data: its payload, which is copied
 * @len: bytes
 *
 * Context: under st->lock.
 * Return: the skb, at the Schedule Header, for the Data Channel in @op, or NULL.
 */
struct sk_buff *st_alloc_data(const struct st_sock *st, const struct st_op *op,
			      const void *data, u32 len)
{
	struct sk_buff *skb = st_alloc(st->paths.main->link, op, data, len, st->vc.checksum);

	if (skb) {
		ST_SKB_CB(skb)->channel = op->flags & ST_F_CHANNEL;
		ST_SKB_CB(skb)->path = st->paths.main->index;
	}
	return skb;
}

/**
 * st_gso_len - bytes of a Block that the next skb takes
 * @link: the link it is sent on
 * @buf: where the bytes are
 * @pos: the first of them
 * @left: bytes to send, in one receive buffer of the peer and in @buf, more than @stu
 * @stu: bytes of a full STU, a power of two
 *
 * The bytes are spread evenly over the skbs, so that no short skb is left for the end.
 *
 * Context: under st_sock.lock.
 * Return: bytes; @stu where the skb is not to be a GSO skb.
 */
u32 st_gso_len(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 left, u32 stu)
{
	u32 max = 0, full;

	if (link->llp->ops->max_gso && READ_ONCE(st_pernet(link->net)->gso))
		max = link->llp->ops->max_gso(link, stu);
	if (max <= stu)
		return stu;
	max = min(max, st_buf_fit(buf, pos, left));
	if (left <= max)
		return left;
	full = round_down(max, stu);
	if (full <= stu)
		return stu;
	return round_up(DIV_ROUND_UP(left, DIV_ROUND_UP(left, full)), stu);
}
EXPORT_SYMBOL_IF_KUNIT(st_gso_len);

/**
 * st_tx_max_stu - the largest STU that can be sent now, ST 5.2.4
 * @path: the path it takes
 * @channel: the Data Channel
 *
 * Context: under st_sock.lock.
 * Return: log2; 0 when nothing can be sent.
 */
u8 st_tx_max_stu(const struct st_path *path, unsigned int channel)
{
	unsigned int remote = path->st->vc.remote_max_stu;

	return min(remote, st_link_max_stu(path->link, channel));
}

/**
 * st_tx_fit - bytes of a buffer that go into one STU
 * @link: the link it is sent on
 * @buf: the buffer
 * @pos: first byte
 * @len: bytes that ST allows
 *
 * A packet tap may keep an skb.  The stack copies application pages for a tap, but not those in
 * a frag_list, so with a tap an STU takes no more than fits without one.
 *
 * Context: under st->lock.
 * Return: 1 to @len.
 */
u32 st_tx_fit(const struct st_link *link, const struct st_buf *buf, u64 pos, u32 len)
{
	if (!buf->pinned || !dev_nit_active(link->dev))
		return len;
	return st_buf_fit(buf, pos, len);
}

/**
 * st_tx_queue_data - queue a Data operation, or a GSO skb of several
 * @path: the path it takes
 * @op: its Schedule Header, with the Data Channel in the flags
 * @buf: where the payload is; the skb holds a reference
 * @pos: first byte
 * @len: bytes
 * @stu: bytes of an STU; less than @len makes it a GSO skb
 *
 * Context: under st->lock.
 * Return: the skb, or NULL without memory.
 */
struct sk_buff *st_tx_queue_data(struct st_path *path, const struct st_op *op, struct st_buf *buf,
				 u64 pos, u32 len, u32 stu)
{
	struct st_sock *st = path->st;
	bool sum = st->vc.checksum && len <= stu;
	struct st_csum csum;
	struct st_hdr *hdr;
	struct sk_buff *skb;

	skb = st_alloc_op(path->link, op, false);
	if (!skb)
		return NULL;
	hdr = (struct st_hdr *)skb->data;
	st_csum_init(&csum);
	if (sum)
		st_csum_hdr(&csum, hdr);
	if (len && st_buf_attach(buf, pos, len, skb, sum ? &csum : NULL)) {
		kfree_skb(skb);
		return NULL;
	}
	if (sum)
		hdr->cksum = st_csum_finish(&csum);
	if (len > stu)
		st_gso_make(skb, stu, st->vc.checksum);
	ST_SKB_CB(skb)->channel = op->flags & ST_F_CHANNEL;
	ST_SKB_CB(skb)->path = path->index;
	skb_set_owner_w(skb, &st->sk);
	st_outq_add(st, skb);
	st->info.tx_ops += skb_shinfo(skb)->gso_segs ?: 1;
	st->info.tx_bytes += len;
	return skb;
}

/**
 * st_mem_take - write the payload of a Data operation to memory and verify it
 * @st: the Virtual Connection
 * @buf: where to; NULL without payload
 * @pos: first byte there; all of the payload fits
 * @skb: the operation, at its Schedule Header
 * @csum: checksum of the current segment so far, ST 8.3.2
 * @summed: @csum covers all of it
 *
 * Context: softirq, under st->lock.
 * Return: 0, -EFAULT when the operation is shorter than it says, -EBADMSG when its segment
 * has a bad checksum and must be sent again.
 */
int st_mem_take(struct st_sock *st, struct st_buf *buf, u64 pos, const struct sk_buff *skb,
		struct st_csum *csum, bool *summed)
{
	const struct st_hdr *hdr = (const struct st_hdr *)skb->data;
	u32 len = skb->len - ST_HDR_LEN, direct = 0;

	if (st->vc.peer_checksum)
		st_csum_hdr(csum, hdr);
	else
		*summed = false;
	if (len && st_buf_place(buf, pos, skb, ST_HDR_LEN, len,
				st->vc.peer_checksum ? csum : NULL, &direct)) {
		atomic64_inc(&st_net_of(st)->drops[ST_DROP_LENGTH]);
		return -EFAULT;
	}
	if (hdr->cksum) {
		/* The first checksum of this peer: the STUs before it have not been summed */
		if (!*summed)
			return -EBADMSG;
		if (!st_csum_ok(csum, hdr->cksum)) {
			st_log(st, ST_ERR_CKSUM);
			return -EBADMSG;
		}
		st_csum_init(csum);
	}
	st->info.rx_bytes += len;
	st->info.rx_direct += direct;
	return 0;
}

/**
 * st_tx_inflight - bytes of Data that may be queued in the LLPs
 * @st: the Virtual Connection
 *
 * Context: under st->lock; any for an estimate.
 * Return: bytes.
 */
unsigned int st_tx_inflight(const struct st_sock *st)
{
	return ST_TX_INFLIGHT * st_paths(st);
}
