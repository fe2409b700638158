// SPDX-License-Identifier: GPL-2.0
/*
 * Runs: one skb that stands for successive STUs of a Block, as generic segmentation
 * offload knows it from TCP.  All that is done for every skb between two sockets is done
 * once for many STUs.
 *
 * A run has the Schedule Header of its first STU, but for the flags, which are those of
 * the last; and the payload of all.  It goes whole to a device that takes such skbs, which
 * are devices of software only.  What else it meets has it cut into the operations that it
 * stands for.  There is no gso type for ST: that of SCTP is used, which no hardware has.
 *
 * A run that is to have checksums says so with a Cksum that is not zero, and
 * CHECKSUM_PARTIAL: they are computed where it is cut.  That Cksum is the 1's complement
 * zero, so that a sum that includes it is right.  What reaches a socket whole has never
 * left the kernel, and is taken without.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <net/gro.h>
#include <net/gso.h>

#include "wire/gso.h"

/**
 * st_gso_make - have an operation stand for several
 * @skb: the operation, at its Schedule Header
 * @stu: bytes of payload of each, but for the last
 * @checksum: they carry checksums, ST 8.3.2
 *
 * Context: any.
 */
void st_gso_make(struct sk_buff *skb, u32 stu, bool checksum)
{
	struct skb_shared_info *info = skb_shinfo(skb);
	struct st_hdr *hdr = (struct st_hdr *)skb->data;

	info->gso_type = SKB_GSO_SCTP;
	info->gso_size = stu;
	info->gso_segs = DIV_ROUND_UP(skb->len - ST_HDR_LEN, stu);
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb);
	skb->csum_offset = offsetof(struct st_hdr, cksum);
	hdr->cksum = checksum ? CSUM_MANGLED_0 : 0;
}
EXPORT_SYMBOL_IF_KUNIT(st_gso_make);

/**
 * st_gso_valid - whether an skb that says so is a run
 * @skb: an skb_is_gso()
 *
 * Context: any.
 * Return: false for one of another protocol, or of a guest or program, which may say of
 * any frame that it is to be cut.
 */
bool st_gso_valid(const struct sk_buff *skb)
{
	const struct skb_shared_info *info = skb_shinfo(skb);

	return (info->gso_type & (SKB_GSO_SCTP | SKB_GSO_DODGY)) == SKB_GSO_SCTP &&
	       info->gso_size != GSO_BY_FRAGS;
}

/**
 * st_gso_stu - an operation that a run stands for
 * @run: Schedule Header of the run
 * @n: number of the operation in the run
 * @pos: its first byte in the payload of the run
 * @last: it is the last one
 * @op: set to its Schedule Header
 *
 * Any context, no lock.
 */
void st_gso_stu(const struct st_op *run, u32 n, u32 pos, bool last, struct st_op *op)
{
	*op = *run;
	op->param += n;
	op->offset += pos;
	/* ST 8.2: the others tell nobody */
	if (!last)
		op->flags = (run->flags & ST_F_CHANNEL) | ST_F_SILENT;
}

/* The Schedule Header of one of the operations, at @hdr in its skb */
static void st_gso_header(struct sk_buff *skb, struct st_hdr *hdr, const struct st_op *op,
			  u32 len, bool checksum)
{
	struct st_csum csum;

	st_op_pack(op, hdr);
	skb->ip_summed = CHECKSUM_NONE;
	if (!checksum)
		return;
	st_csum_init(&csum);
	st_csum_hdr(&csum, hdr);
	st_csum_add(&csum, SKB_GSO_CB(skb)->csum, len);
	hdr->cksum = st_csum_finish(&csum);
}

/**
 * st_gso_segment - cut a run into the operations that it stands for
 * @skb: the run, at its Schedule Header, with a MAC header; all between the two is put
 *	before each of them
 * @features: of the device that they are for
 *
 * For gso_segment() of an LLP; as there, @skb stays the caller's.
 *
 * Context: any.
 * Return: a list of operations, each at its MAC header, or an ERR_PTR: -EINVAL for what is
 * no run, -ENOMEM.
 */
struct sk_buff *st_gso_segment(struct sk_buff *skb, netdev_features_t features)
{
	unsigned int skip = skb->data - skb_mac_header(skb);
	u32 stu = skb_shinfo(skb)->gso_size, n = 0;
	struct sk_buff *segs, *seg;
	struct st_op run, op;
	bool checksum;

	if (!stu || !st_gso_valid(skb) || skb->len <= ST_HDR_LEN ||
	    !pskb_may_pull(skb, ST_HDR_LEN))
		return ERR_PTR(-EINVAL);
	st_op_unpack((const struct st_hdr *)skb->data, &run);
	if (run.op != ST_OP_DATA)
		return ERR_PTR(-EINVAL);
	checksum = ((const struct st_hdr *)skb->data)->cksum;
	features &= ~(NETIF_F_CSUM_MASK | NETIF_F_GSO_PARTIAL);
	/* A tunnel may have a checksum of its own, and needs that of the payload */
	if (!checksum && !skb->encap_hdr_csum)
		features |= NETIF_F_HW_CSUM;
	__skb_pull(skb, ST_HDR_LEN);
	segs = skb_segment(skb, features);
	if (IS_ERR(segs))
		return segs;
	for (seg = segs; seg; seg = seg->next, n++) {
		st_gso_stu(&run, n, n * stu, !seg->next, &op);
		st_gso_header(seg, (struct st_hdr *)(seg->data + skip), &op,
			      seg->len - skip - ST_HDR_LEN, checksum);
	}
	return segs;
}
EXPORT_SYMBOL_GPL(st_gso_segment);
