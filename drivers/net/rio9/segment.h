/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Segmentation of a PDU, 3.2.5.
 */
#ifndef _RIO9_SEGMENT_H
#define _RIO9_SEGMENT_H

#include <linux/skbuff.h>

#include "wire.h"

/**
 * struct rio9_segmenter - a PDU that is being sent
 * @skb: it; stays the caller's
 * @hdr: what its segments have in common
 * @mtu: payload of a full segment; a PDU keeps the one that it began with
 * @pos: bytes that are sent
 */
struct rio9_segmenter {
	const struct sk_buff *skb;
	struct rio9_packet hdr;
	unsigned int mtu;
	unsigned int pos;
};

int rio9_segment_begin(struct rio9_segmenter *s, const struct sk_buff *skb,
		       const struct rio9_pdu *pdu, u16 src, bool large, unsigned int mtu);
int rio9_segment_make(struct rio9_segmenter *s, u8 *buf);
void rio9_segment_sent(struct rio9_segmenter *s);
unsigned int rio9_segment_abort(struct rio9_segmenter *s, u8 *buf);

#endif
