// SPDX-License-Identifier: GPL-2.0
/*
 * GSO skbs: one skb for successive STUs of a Block, as TCP has for its segments.  The work that is
 * done per skb between two sockets is done once for many STUs.
 *
 * A GSO skb has the Schedule Header of its first STU, except for the flags, which are those of
 * the last one, and the payload of all.  It goes whole to a device that takes such skbs; these
 * are software devices only.  Anything else segments it into Data operations.  There is no gso
 * type for ST: that of SCTP is used, which no hardware implements.
 *
 * A Cksum that is not zero, with CHECKSUM_PARTIAL, marks a GSO skb whose STUs get checksums; they
 * are computed during segmentation.  The mark is the 1's complement zero, so that a sum that
 * includes it is right.  A GSO skb that reaches a socket whole has never left the kernel, and
 * is accepted without checksums.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <net/gro.h>
#include <net/gso.h>

#include "wire/gso.h"

/**
 * st_gso_make - turn an operation into a GSO skb
 * @skb: the operation, at its Schedule Header
 * @stu: payload of each STU but the last, bytes
 * @checksum: the STUs carry checksums, ST 8.3.2
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
 * st_gso_valid - whether a GSO skb is one of ST
 * @skb: an skb_is_gso()
 *
 * Context: any.
 * Return: false for a GSO skb of another protocol, or of a guest or program, which may mark any
 * frame for segmentation.
 */
bool st_gso_valid(const struct sk_buff *skb)
{
	const struct skb_shared_info *info = skb_shinfo(skb);

	return (info->gso_type & (SKB_GSO_SCTP | SKB_GSO_DODGY)) == SKB_GSO_SCTP &&
	       info->gso_size != GSO_BY_FRAGS;
}

/**
 * st_gso_stu - get the Schedule Header of an STU of a GSO skb
 * @run: Schedule Header of the GSO skb
 * @n: number of the STU in the GSO skb
 * @pos: its first byte in the payload of the GSO skb
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
	/* ST 8.2: only the last STU notifies anybody */
	if (!last)
		op->flags = (run->flags & ST_F_CHANNEL) | ST_F_SILENT;
}

/* Write the Schedule Header of an STU, at @hdr in its skb */
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
 * st_gso_segment - segment a GSO skb into Data operations
 * @skb: the GSO skb, at its Schedule Header, with a MAC header; everything between the two is
 *	copied in front of each operation
 * @features: of the device that sends them
 *
 * For gso_segment() of an LLP; as usual there, @skb remains with the caller.
 *
 * Context: any.
 * Return: a list of operations, each at its MAC header, or an ERR_PTR: -EINVAL for an skb that is
 * no GSO skb of ST, -ENOMEM.
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
	/* A tunnel may have an outer checksum, which needs that of the payload */
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
