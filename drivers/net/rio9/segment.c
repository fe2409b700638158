// SPDX-License-Identifier: GPL-2.0
/*
 * Segmentation of a PDU, 3.2.5.
 *
 * One segment at a time is made, in memory of the caller, so that whoever sends can
 * interleave PDUs of different flows, and offer a segment again that the card had no room
 * for.  That there is one PDU of a flow at a time, rule 1, is for the caller to see to.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "segment.h"

/**
 * rio9_segment_begin - take a PDU to be sent
 * @s: what remembers it
 * @skb: 1 to 65536 bytes, without a frag_list
 * @pdu: where it goes, and how
 * @src: ID of this endpoint
 * @large: IDs have 16 bits
 * @mtu: payload of a full segment
 *
 * A frag_list would have to be walked from its start for each segment: a device that has
 * no NETIF_F_FRAGLIST gets none.
 *
 * Return: 0, -EMSGSIZE for a PDU of no bytes or too many, or -EINVAL for one that cannot be
 * read in pieces.
 */
int rio9_segment_begin(struct rio9_segmenter *s, const struct sk_buff *skb,
		       const struct rio9_pdu *pdu, u16 src, bool large, unsigned int mtu)
{
	if (!skb->len || skb->len > RIO9_PDU_MAX)
		return -EMSGSIZE;
	if (skb_has_frag_list(skb) || !skb_frags_readable(skb))
		return -EINVAL;
	*s = (struct rio9_segmenter) {
		.skb = skb,
		.hdr = {
			.dst = pdu->peer,
			.src = src,
			.large = large,
			.channel = pdu->channel,
			.cos = pdu->cos,
			.stream = pdu->stream,
			/* 65536 is 0 */
			.length = skb->len,
		},
		.mtu = mtu,
	};
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_segment_begin);

/**
 * rio9_segment_make - the next segment of a PDU, rules 2 to 8
 * @s: the PDU
 * @buf: RIO9_PACKET_MAX bytes for it
 *
 * It stays the next until rio9_segment_sent().
 *
 * Return: bytes of the packet, 0 if the PDU has no more, or a negative error.
 */
int rio9_segment_make(struct rio9_segmenter *s, u8 *buf)
{
	unsigned int left = s->skb->len - s->pos, len;
	int err;

	if (!left)
		return 0;
	if (left > s->mtu)
		s->hdr.kind = s->pos ? RIO9_CONT : RIO9_START;
	else
		s->hdr.kind = s->pos ? RIO9_END : RIO9_SINGLE;
	s->hdr.len = min(left, s->mtu);

	len = rio9_encode_headers(buf, &s->hdr);
	err = skb_copy_bits(s->skb, s->pos, buf + len, s->hdr.len);
	if (err)
		return err;
	return rio9_encode_end(buf, len + s->hdr.len);
}
EXPORT_SYMBOL_IF_KUNIT(rio9_segment_make);

/**
 * rio9_segment_sent - the segment that was made is on its way
 * @s: the PDU
 */
void rio9_segment_sent(struct rio9_segmenter *s)
{
	s->pos += s->hdr.len;
}
EXPORT_SYMBOL_IF_KUNIT(rio9_segment_sent);

/**
 * rio9_segment_abort - give a PDU up, rule 9
 * @s: the PDU, which then has no more segments
 * @buf: RIO9_PACKET_MAX bytes for the packet that says so
 *
 * Return: bytes of the packet; 0 if the destination knows nothing of the PDU, or has all.
 */
unsigned int rio9_segment_abort(struct rio9_segmenter *s, u8 *buf)
{
	bool open = s->pos && s->pos < s->skb->len;

	s->pos = s->skb->len;
	if (!open)
		return 0;
	s->hdr.kind = RIO9_END;
	s->hdr.length = 0;
	s->hdr.len = 0;
	return rio9_encode_end(buf, rio9_encode_headers(buf, &s->hdr));
}
EXPORT_SYMBOL_IF_KUNIT(rio9_segment_abort);
